//! Wavefront OBJ files: positions, texture coordinates, normals, faces and lines.
//!
//! Faces with more than three corners are cut into fans. Texture coordinates, which begin at the bottom in OBJ files,
//! are turned. Three more numbers after a position are a colour, as many programs write it. Materials, groups, curves
//! and everything else are skipped. A line that cannot be read is reported at its place.

use super::{BAD_INDEX, BAD_OBJ, MATERIAL, Mesh, MeshError, check_size};
use gpuzoo_diag::{Diagnostic, File, Severity, Span, counted};
use gpuzoo_machine::limits::budget::Refusal;
use gpuzoo_machine::limits::memory;
use gpuzoo_raster::Topology;
use std::collections::HashMap;

/// The most bad lines that are reported.
pub const MAX_ERRORS: usize = 20;

/// Reads an OBJ text. `whole` is the place that problems of the whole file get.
///
/// # Errors
/// Everything that is wrong with the lines, or what is wrong with the mesh that they make. Besides the mesh there may be
/// a note about its materials.
pub fn parse(file: &File, whole: Span) -> Result<(Mesh, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut reader = Reader::new(file);
    let mut start = 0;
    for line in file.text().split_inclusive('\n') {
        // A line that goes on after a backslash is not joined; the backslash is reported as no number.
        reader.line(start, line).map_err(|refusal| vec![refusal.at(whole)])?;
        start += line.len();
        if reader.problems.len() >= MAX_ERRORS {
            let note = format!("after {MAX_ERRORS} errors the rest of the file is not read");
            reader.problems.last_mut().into_iter().for_each(|last| last.notes.push(note.clone()));
            break;
        }
    }
    let notes = reader.materials.take().into_iter().collect();
    Ok((reader.finish(whole)?, notes))
}

/// A corner: position, texture coordinate, normal; indices of the lists, the last two plus one, 0 for none.
type Corner = [u32; 3];

struct Reader<'a> {
    file: &'a File,
    /// Values of `v`, `vt` and `vn`.
    lists: [Vec<[f32; 4]>; 3],
    colors: Vec<[f32; 4]>,
    colored: bool,
    corners: Vec<Corner>,
    known: HashMap<Corner, u32>,
    triangles: Vec<u32>,
    lines: Vec<u32>,
    /// A note about the first line that is about materials.
    materials: Option<Diagnostic>,
    problems: Vec<Diagnostic>,
}

const LISTS: [&str; 3] = ["v", "vt", "vn"];

impl<'a> Reader<'a> {
    fn new(file: &'a File) -> Reader<'a> {
        Reader {
            file,
            lists: Default::default(),
            colors: Vec::new(),
            colored: false,
            corners: Vec::new(),
            known: HashMap::new(),
            triangles: Vec::new(),
            lines: Vec::new(),
            materials: None,
            problems: Vec::new(),
        }
    }

    fn report(
        &mut self,
        code: &'static gpuzoo_diag::Code,
        start: usize,
        word: &str,
        message: String,
        label: &str,
    ) {
        let span = self.file.span(start..start + word.len());
        self.problems.push(Diagnostic::error(code, message).label(span, label));
    }

    fn line(&mut self, start: usize, line: &str) -> Result<(), Refusal> {
        let line = line.split('#').next().unwrap_or("");
        let offset = |word: &str| start + (word.as_ptr() as usize - line.as_ptr() as usize);
        let mut words = line.split_whitespace().map(|word| (offset(word), word));
        let Some((at, keyword)) = words.next() else { return Ok(()) };
        match keyword {
            "v" | "vt" | "vn" => self.value(at, keyword, words)?,
            "f" | "l" => {
                let mut corners = Vec::new();
                for (at, word) in words {
                    let Some(corner) = self.corner(at, word)? else { return Ok(()) };
                    memory::push(&mut corners, corner)?;
                }
                match (keyword, corners.as_slice()) {
                    ("f", [first, rest @ ..]) if rest.len() >= 2 => {
                        for index in rest.windows(2).flat_map(|pair| [*first, pair[0], pair[1]]) {
                            memory::push(&mut self.triangles, index)?;
                        }
                    }
                    ("l", corners) if corners.len() >= 2 => {
                        for index in corners.windows(2).flatten() {
                            memory::push(&mut self.lines, *index)?;
                        }
                    }
                    _ => {
                        let least = if keyword == "f" { 3 } else { 2 };
                        let message = format!("`{keyword}` needs at least {least} vertices");
                        self.report(&BAD_OBJ, at, keyword, message, "");
                    }
                }
            }
            "mtllib" | "usemtl" if self.materials.is_none() => {
                let note = Diagnostic::new(Severity::Note, &MATERIAL, "materials are not read");
                let note = note.label(self.file.span(at..at + keyword.len()), "");
                self.materials =
                    Some(note.help("give textures and colours in the scene: `[texture.NAME]`, `color`"));
            }
            _ => {}
        }
        Ok(())
    }

    fn value<'w>(
        &mut self,
        at: usize,
        keyword: &str,
        words: impl Iterator<Item = (usize, &'w str)>,
    ) -> Result<(), Refusal> {
        let mut numbers = Vec::new();
        for (at, word) in words.take(7) {
            match word.parse::<f32>() {
                Ok(number) => numbers.push(number),
                Err(_) => {
                    self.report(&BAD_OBJ, at, word, format!("`{word}` is not a number"), "");
                    return Ok(());
                }
            }
        }
        let number = |index: usize| numbers.get(index).copied();
        let (list, least, value) = match keyword {
            "v" => (0, 3, [number(0), number(1), number(2), Some(1.0)]),
            // v counts from the bottom; without it, it is 0 there.
            "vt" => (1, 1, [number(0), Some(1.0 - number(1).unwrap_or(0.0)), Some(0.0), Some(1.0)]),
            _ => (2, 3, [number(0), number(1), number(2), Some(0.0)]),
        };
        if numbers.len() < least {
            let message = format!("`{keyword}` needs at least {}", counted(least, "number"));
            self.report(&BAD_OBJ, at, keyword, message, "");
            return Ok(());
        }
        memory::push(&mut self.lists[list], value.map(|component| component.unwrap_or(0.0)))?;
        if keyword == "v" {
            // x y z, or x y z w, or x y z r g b, or x y z w r g b.
            let color = match numbers.len() {
                6 => [numbers[3], numbers[4], numbers[5], 1.0],
                7 => [numbers[4], numbers[5], numbers[6], 1.0],
                _ => [1.0; 4],
            };
            self.colored |= numbers.len() >= 6;
            memory::push(&mut self.colors, color)?;
        }
        Ok(())
    }

    /// The vertex of `3`, `3/1`, `3//2` or `3/1/2`; none if that is not there.
    fn corner(&mut self, at: usize, word: &str) -> Result<Option<u32>, Refusal> {
        let mut corner = [0; 3];
        let mut parts = word.split('/');
        for (which, slot) in corner.iter_mut().enumerate() {
            let part = parts.next().unwrap_or("");
            if part.is_empty() && which > 0 {
                continue;
            }
            let Ok(number) = part.parse::<i64>() else {
                self.report(
                    &BAD_OBJ,
                    at,
                    word,
                    format!("`{word}` is not a vertex of a face"),
                    "such as `3/1/2`",
                );
                return Ok(None);
            };
            let length = self.lists[which].len();
            let index = if number < 0 { number + length as i64 } else { number - 1 };
            if !(0..length as i64).contains(&index) {
                let message = format!("`{}` number {number} is not there", LISTS[which]);
                self.report(&BAD_INDEX, at, word, message, &format!("there are {length} before this line"));
                return Ok(None);
            }
            *slot = index as u32 + u32::from(which > 0);
        }
        if parts.next().is_some() {
            self.report(&BAD_OBJ, at, word, format!("`{word}` has more than three parts"), "");
            return Ok(None);
        }
        let next = self.corners.len() as u32;
        self.known.try_reserve(1).map_err(|_| memory::refused::<(Corner, u32)>(next as usize + 1))?;
        let index = *self.known.entry(corner).or_insert(next);
        if index == next {
            memory::push(&mut self.corners, corner)?;
        }
        Ok(Some(index))
    }

    fn finish(mut self, whole: Span) -> Result<Mesh, Vec<Diagnostic>> {
        if !self.problems.is_empty() {
            return Err(self.problems);
        }
        let problem =
            |error: MeshError| vec![Diagnostic::error(error.code(), error.to_string()).label(whole, "")];
        if self.triangles.is_empty() && self.lines.is_empty() {
            // Points without faces: they are drawn one after the other.
            self.points().map_err(|refusal| problem(refusal.into()))?;
        }
        let indices = self.triangles.len().max(self.lines.len());
        // Before anything is allocated for it.
        check_size(self.corners.len(), indices).map_err(problem)?;
        self.mesh().map_err(problem)
    }

    /// Makes a corner of each position.
    fn points(&mut self) -> Result<(), Refusal> {
        let count = self.lists[0].len();
        self.corners = memory::collect(count, (0..count as u32).map(|index| [index, 0, 0]))?;
        self.triangles = memory::collect(count, 0..count as u32)?;
        Ok(())
    }

    fn mesh(self) -> Result<Mesh, MeshError> {
        let Reader { lists, colors, colored, corners, triangles, lines, .. } = self;
        let values = |which: usize| {
            let value = |corner: &Corner| match corner[which] {
                0 => [0.0, 0.0, 0.0, 1.0],
                index => lists[which][index as usize - 1],
            };
            memory::collect(corners.len(), corners.iter().map(value))
        };
        let of_position = |list: &[[f32; 4]]| {
            memory::collect(corners.len(), corners.iter().map(|corner| list[corner[0] as usize]))
        };
        let (indices, topology) = if triangles.is_empty() {
            (lines, Topology::LineList)
        } else {
            (triangles, Topology::TriangleList)
        };
        // Without a texture coordinate a corner takes the texture's first texel; without a normal the faces decide.
        let mut mesh = Mesh::new(of_position(&lists[0])?, indices, topology)?;
        if corners.iter().any(|corner| corner[1] != 0) {
            mesh = mesh.with("texcoord", values(1)?)?;
        }
        if corners.iter().all(|corner| corner[2] != 0) {
            mesh = mesh.with("normal", values(2)?)?;
        }
        if colored {
            mesh = mesh.with("color", of_position(&colors)?)?;
        }
        mesh.complete()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Mesh, Vec<Diagnostic>> {
        let file = File::new("t.obj", text);
        parse(&file, file.span(0..0)).map(|(mesh, _)| mesh)
    }

    #[test]
    fn a_square_as_a_fan() {
        let text =
            "# a square\no x\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0.25\nf 1/1 2/2 3/1 -1/2\n";
        let mesh = read(text).unwrap();
        assert_eq!(mesh.vertex_count(), 4);
        assert_eq!(mesh.indices(), [0, 1, 2, 0, 2, 3]);
        // -1 is the last vertex so far.
        assert_eq!(mesh.attribute("position").unwrap().get(3), [0.0, 1.0, 0.0, 1.0]);
        assert_eq!(mesh.attribute("texcoord").unwrap().get(1), [1.0, 0.75, 0.0, 1.0]);
        assert_eq!(mesh.attribute("normal").unwrap().get(0), [0.0, 0.0, 1.0, 0.0]);
    }

    #[test]
    fn corners_with_other_normals_are_other_vertices() {
        let text = "v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nvn 0 0 1\nvn 0 1 0\nf 1//1 2//1 3//1\nf 1//2 2//2 3//2\r\n";
        let mesh = read(text).unwrap();
        assert_eq!((mesh.vertex_count(), mesh.indices().len()), (6, 6));
        assert_eq!(mesh.attribute("normal").unwrap().get(5), [0.0, 1.0, 0.0, 0.0]);
        assert_eq!(mesh.attribute("color").unwrap().get(4), [0.0, 1.0, 0.0, 1.0]);
    }

    /// Seven numbers have a w before the colour; one texture coordinate is at the bottom; where a corner lacks a normal the faces decide.
    #[test]
    fn what_is_left_out_has_its_rule() {
        let mesh = read("v 0 0 0 2 0.1 0.2 0.3\nv 1 0 0\nv 0 1 0\nvt 0.5\nvn 0 1 0\nf 1/1/1 2 3\n").unwrap();
        let first = |name: &str| mesh.attribute(name).unwrap().get(0);
        assert_eq!(first("position"), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(first("color"), [0.1, 0.2, 0.3, 1.0]);
        assert_eq!(first("texcoord"), [0.5, 1.0, 0.0, 1.0]);
        assert_eq!(first("normal"), [0.0, 0.0, 1.0, 0.0]);
        assert_eq!(mesh.attribute("color").unwrap().get(1), [1.0; 4]);
        assert_eq!(mesh.attribute("texcoord").unwrap().get(1), [0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn lines_are_lines() {
        let mesh = read("v 0 0 0\nv 1 0 0\nv 2 0 0\nl 1 2 3\n").unwrap();
        assert_eq!((mesh.topology(), mesh.indices()), (Topology::LineList, &[0, 1, 1, 2][..]));
    }

    #[test]
    fn every_bad_line_is_reported_where_it_stands() {
        let text =
            "v 0 0\nv 0 0 x\nv 0 0 0\nf 1 1 2\nf 1 1\nf 1/1 1 1\nf 0 1 1\nf 1/2/3/4 1 1\nf a b c\nl 1\nvt\n";
        let problems = read(text).unwrap_err();
        let file = File::new("t.obj", text);
        let found: Vec<(&str, usize, &str)> = problems
            .iter()
            .map(|problem| {
                let span = problem.labels[0].span;
                (problem.code.id, file.place(span.start).line, file.slice(span))
            })
            .collect();
        assert_eq!(
            found,
            [
                ("R0405", 1, "v"),
                ("R0405", 2, "x"),
                ("R0403", 4, "2"),
                ("R0405", 5, "f"),
                ("R0403", 6, "1/1"),
                ("R0403", 7, "0"),
                ("R0403", 8, "1/2/3/4"),
                ("R0405", 9, "a"),
                ("R0405", 10, "l"),
                ("R0405", 11, "vt"),
            ]
        );
    }

    #[test]
    fn nothing_and_points() {
        assert_eq!(read("").unwrap_err()[0].code.id, "R0402");
        assert_eq!(read("mtllib a.mtl\n").unwrap_err()[0].code.id, "R0402");
        assert_eq!(read("v nan 0 0\nv 1 inf 0\nv 0 0 0\n").unwrap().bad_positions(), 2);
        assert_eq!(read("f 9223372036854775808 1 1").unwrap_err()[0].code.id, "R0405");
        assert_eq!(read("v 0 0 0\nf -9223372036854775808 1 1").unwrap_err()[0].code.id, "R0403");
        assert_eq!(read(&"f x\n".repeat(1000)).unwrap_err().len(), MAX_ERRORS);
    }
}

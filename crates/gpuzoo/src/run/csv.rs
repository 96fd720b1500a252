//! Vertices as a table: a line of column names, then a line for each vertex.

use super::names::Names;
use super::registers::{component_of, file, parts, register_names};
use super::vertices::UNSET;
use super::{Column, Vertices};
use crate::codes::{CSV_HEADER, CSV_ROW, UNKNOWN_REGISTER};
use crate::threads;
use crate::value::{self, bad_number, has_decimal_comma};
use gpuzoo_diag::{Diagnostic, File, counted};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{FileKind, Isa};
use memchr::{memchr, memchr2};
use std::ops::Range;

/// Reading stops after this many mistakes: a file of the wrong kind has one in every cell.
pub const MAX_ERRORS: usize = 100;

/// A thread reads at least so many bytes at a time.
const TOGETHER: usize = 1 << 16;

/// What separates the cells of a table: commas, or semicolons or tabs if the first line has no comma.
fn separator(text: &str) -> u8 {
    let first = text.lines().find(|line| is_used(line)).unwrap_or("");
    [b',', b';', b'\t'].into_iter().find(|mark| first.as_bytes().contains(mark)).unwrap_or(b',')
}

/// True for a line that is neither blank nor a comment (`#`).
fn is_used(line: &str) -> bool {
    !line.trim().is_empty() && !line.trim_start().starts_with('#')
}

/// The lines of a table that are used, each as cells with their places; quotes around a cell are dropped.
pub(super) fn rows(file: &File) -> impl Iterator<Item = (usize, Vec<(usize, &str)>)> {
    cells(file, separator(file.text()))
}

fn cells(file: &File, separator: u8) -> impl Iterator<Item = (usize, Vec<(usize, &str)>)> {
    let text = file.text();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = next_used(text, at)?;
        let mut cells = Vec::new();
        at = start;
        loop {
            let cell = Cell::read(text, at, separator);
            cells.push((cell.place.start, &text[cell.place]));
            at = cell.next;
            if cell.is_last {
                return Some((start, cells));
            }
        }
    })
}

/// The beginning of the next line that is used.
fn next_used(text: &str, mut at: usize) -> Option<usize> {
    while at < text.len() {
        // Most lines begin with a number.
        if matches!(text.as_bytes()[at], b'0'..=b'9' | b'-') {
            return Some(at);
        }
        let end = memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |length| at + length);
        if is_used(&text[at..end]) {
            return Some(at);
        }
        at = end + 1;
    }
    None
}

/// A cell of a table.
struct Cell {
    /// Where it lies, without blanks and quotes.
    place: Range<usize>,
    /// Its number, if it has one.
    number: Option<u32>,
    /// Where the next one begins.
    next: usize,
    /// The line ends behind it.
    is_last: bool,
}

impl Cell {
    fn read(text: &str, start: usize, separator: u8) -> Cell {
        let bytes = text.as_bytes();
        // A plain number ends where the cell does, so that nothing is looked at twice.
        let number = value::leading(&bytes[start..]).map(|(bits, length)| (bits, start + length));
        if let Some((bits, end)) = number
            && let Some(mark) = bytes.get(end)
            && (*mark == separator || *mark == b'\n')
        {
            return Cell { place: start..end, number: Some(bits), next: end + 1, is_last: *mark == b'\n' };
        }
        let blanks = bytes[start..].iter().take_while(|byte| **byte == b' ').count();
        // What is in quotes may have separators.
        let quoted = (bytes.get(start + blanks) == Some(&b'"'))
            .then(|| memchr2(b'"', b'\n', &bytes[start + blanks + 1..]))
            .flatten()
            .map_or(start, |length| start + blanks + 1 + length);
        let end = memchr2(separator, b'\n', &bytes[quoted..]).map_or(text.len(), |length| quoted + length);
        let trimmed = text[start..end].trim();
        let inner = trimmed.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(trimmed);
        let inner = inner.trim();
        let at = inner.as_ptr() as usize - text.as_ptr() as usize;
        let is_last = bytes.get(end) != Some(&separator);
        Cell { place: at..at + inner.len(), number: value::parse(inner), next: end + 1, is_last }
    }
}

/// Reads a table of vertices. Columns are components of inputs, `in0.x` (or `v0.x`); `in0` alone is its component x.
/// Components that have no column, of inputs that have one, are those of (0, 0, 0, 1), as in vertex formats with fewer
/// components. A column `vertex` is passed over: it is what `run --format csv` begins its lines with.
///
/// In a mesh that RenderDoc exported, whose first columns are `VTX` and `IDX`, attributes that are not inputs are passed
/// over, unless none is one; [`Pieces::named`](super::Pieces::named) says which they are.
///
/// Returns the vertices that could be read and what is wrong with the others.
pub fn vertices(isa: &Isa, table: &File) -> (Vertices<'static>, Vec<Diagnostic>) {
    Table::default().read(isa, table, true)
}

/// A table that is read piece by piece; pieces end with lines.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// What it calls inputs.
    pub names: Names,
    header: Option<Header>,
    problems: usize,
}

#[derive(Clone, Debug)]
struct Header {
    separator: u8,
    /// The inputs that have columns, in their order.
    inputs: Vec<u16>,
    /// For each column a place among the inputs, and the component.
    columns: Vec<Option<(usize, usize)>>,
}

impl Table {
    /// The vertices of the next piece, and what is wrong with it. The first line that is used is the header; without one in
    /// the `last` piece, the table is empty.
    pub fn read(&mut self, isa: &Isa, table: &File, last: bool) -> (Vertices<'static>, Vec<Diagnostic>) {
        let mut problems = Vec::new();
        let text = table.text();
        let mut start = 0;
        if self.header.is_none() {
            let first = next_used(text, 0);
            if first.is_none() && !last {
                return (Vertices::of_rows(0, &[], &[]), problems);
            }
            let end =
                first.and_then(|first| memchr(b'\n', &text.as_bytes()[first..]).map(|end| first + end + 1));
            start = end.unwrap_or(text.len());
        }
        let header = self.header.get_or_insert_with(|| Header::read(isa, table, &self.names, &mut problems));
        let room = MAX_ERRORS.saturating_sub(self.problems);
        let mut parts = Vec::new();
        if !problems.is_empty() {
            // Without a header nothing can be said of the lines.
            self.problems = MAX_ERRORS;
        } else {
            parts = header.parts(table, start, room);
            problems = parts.iter_mut().flat_map(|part| std::mem::take(&mut part.problems)).collect();
            // Then all numbers are written so, and the one error is said.
            let is_comma = problems.last().and_then(Diagnostic::span).map(|span| table.slice(span));
            if is_comma.is_some_and(has_decimal_comma) {
                self.problems = MAX_ERRORS;
            }
        }
        if problems.len() >= room {
            not_all(&mut problems);
        }
        self.problems += problems.len();
        (header.join(parts), problems)
    }

    /// True if enough is wrong.
    pub fn is_hopeless(&self) -> bool {
        self.problems >= MAX_ERRORS
    }
}

/// What some lines of a table hold.
#[derive(Default)]
struct Part {
    /// The lines.
    place: Range<usize>,
    /// The vertices that could be read, and for each input their values.
    count: usize,
    values: Vec<Vec<Vec4>>,
    problems: Vec<Diagnostic>,
}

impl Header {
    fn read(isa: &Isa, table: &File, names: &Names, problems: &mut Vec<Diagnostic>) -> Header {
        let separator = separator(table.text());
        let (start, header) = cells(table, separator).next().unwrap_or((0, Vec::new()));
        let columns = columns(isa, table, (start, &header), names, problems);
        let mut inputs: Vec<u16> = columns.iter().flatten().map(|(input, _)| *input).collect();
        inputs.sort_unstable();
        inputs.dedup();
        let place = |input: u16| inputs.binary_search(&input).unwrap_or(0);
        let columns = columns.into_iter();
        let columns =
            columns.map(|column| column.map(|(input, component)| (place(input), component))).collect();
        Header { separator, inputs, columns }
    }

    /// What the lines from a place on hold, in parts, which are read on all threads.
    fn parts(&self, table: &File, start: usize, room: usize) -> Vec<Part> {
        let text = table.text();
        let length = ((text.len() - start) / threads::count()).max(TOGETHER);
        let mut parts = Vec::new();
        let mut at = start;
        while at < text.len() {
            let rest = text.as_bytes().get(at + length..).unwrap_or_default();
            let end = memchr(b'\n', rest).map_or(text.len(), |line| at + length + line + 1);
            parts.push(Part { place: at..end, ..Part::default() });
            at = end;
        }
        threads::for_each(&mut parts, |_, part| self.vertices(table, room, part));
        // With problems, how much is read depends on how many there are before.
        if parts.len() > 1 && parts.iter().any(|part| !part.problems.is_empty()) {
            let mut whole = Part { place: start..text.len(), ..Part::default() };
            self.vertices(table, room, &mut whole);
            parts = vec![whole];
        }
        parts
    }

    /// Reads the lines of a part.
    fn vertices(&self, table: &File, room: usize, part: &mut Part) {
        let Part { place, count, values, problems } = part;
        let text = &table.text()[..place.end];
        values.resize(self.inputs.len(), Vec::new());
        let mut at = place.start;
        while problems.len() < room
            && let Some(start) = next_used(text, at)
        {
            let (before, mut cells) = (problems.len(), 0);
            let mut last = start..start;
            let mut has_comma = false;
            values.iter_mut().for_each(|values| values.push(UNSET));
            at = start;
            loop {
                let cell = Cell::read(text, at, self.separator);
                if let Some(Some((input, component))) = self.columns.get(cells) {
                    match cell.number {
                        Some(bits) => values[*input][*count][*component] = bits,
                        None if has_comma => {}
                        None => {
                            let written = &text[cell.place.clone()];
                            problems.push(bad_number(table, cell.place.start, written));
                            has_comma = has_decimal_comma(written);
                        }
                    }
                }
                (at, last, cells) = (cell.next, cell.place, cells + 1);
                if cell.is_last {
                    break;
                }
            }
            if cells == self.columns.len() && !has_comma {
                *count += 1;
                continue;
            }
            values.iter_mut().for_each(|values| values.truncate(*count));
            if cells == self.columns.len() {
                // Then all numbers are written so.
                return;
            }
            problems.truncate(before);
            let message =
                format!("this row has {}, the header {}", counted(cells, "cell"), self.columns.len());
            problems.push(Diagnostic::error(&CSV_ROW, message).label(table.span(start..last.end), ""));
        }
    }

    /// The vertices of all parts.
    fn join(&self, parts: Vec<Part>) -> Vertices<'static> {
        let count = parts.iter().map(|part| part.count).sum();
        let mut columns = vec![Vec::with_capacity(count); self.inputs.len()];
        for part in parts {
            columns.iter_mut().zip(part.values).for_each(|(column, mut values)| column.append(&mut values));
        }
        let column = |(input, values): (&u16, Vec<Vec4>)| Column {
            input: *input,
            values: values.into_flattened().into(),
            stride: 4,
            components: 4,
        };
        Vertices::Columns { count, columns: self.inputs.iter().zip(columns).map(column).collect() }
    }
}

/// Says behind the last of many problems that there may be more.
pub(super) fn not_all(problems: &mut [Diagnostic]) {
    if let Some(last) = problems.last_mut() {
        last.notes.push(format!("after {MAX_ERRORS} errors the rest of the table is not read"));
    }
}

/// What each column holds; none for those that are passed over.
fn columns(
    isa: &Isa,
    table: &File,
    (start, header): (usize, &[(usize, &str)]),
    names: &Names,
    problems: &mut Vec<Diagnostic>,
) -> Vec<Option<(u16, usize)>> {
    let Some((_, inputs)) = file(isa, |kind| kind == FileKind::Input) else { return Vec::new() };
    let end = header.last().map_or(start, |(at, cell)| at + cell.len());
    if header.is_empty() {
        let problem = Diagnostic::error(&CSV_HEADER, "the table is empty").label(table.span(0..0), "");
        problems.push(
            problem.help(format!("its first line names the columns: `{0}.x,{0}.y,…`", inputs.reg_name(0))),
        );
        return Vec::new();
    }
    if header.iter().all(|(_, cell)| value::parse(cell).is_some()) {
        let problem = Diagnostic::error(&CSV_HEADER, "the first line holds numbers, not the columns' names");
        let problem = problem.label(table.span(start..end), "");
        problems.push(problem.help(format!("put a line above it: `{0}.x,{0}.y,…`", inputs.reg_name(0))));
        return Vec::new();
    }
    let is_mesh = header.len() >= MESH.len() && MESH.iter().zip(header).all(|(own, (_, cell))| own == cell);
    let mut columns: Vec<Option<(u16, usize)>> = Vec::new();
    for (at, cell) in header {
        let span = table.span(*at..at + cell.len());
        if *cell == "vertex" || is_mesh && MESH.contains(cell) {
            columns.push(None);
            continue;
        }
        let (name, component) = parts(cell);
        let named = names.input(name).map(|input| (input, component));
        let component = named.or_else(|| component_of(inputs, cell));
        if problems.len() >= MAX_ERRORS {
            break;
        }
        if component.is_none() && !is_mesh {
            let problem =
                Diagnostic::error(&UNKNOWN_REGISTER, format!("`{cell}` is not a component of an input"));
            let problem = problem.label(span, "").help(register_names(inputs));
            problems.push(problem.help("components are `.x`, `.y`, `.z` and `.w`"));
        } else if component.is_some() && columns.contains(&component) {
            let problem = Diagnostic::error(&CSV_HEADER, format!("there are two columns `{cell}`"));
            problems.push(problem.label(span, "the second one"));
        }
        columns.push(component);
    }
    let mut attributes: Vec<&str> = header.iter().map(|(_, cell)| parts(cell).0).collect();
    attributes.retain(|name| !is_mesh || !MESH.contains(name));
    attributes.dedup();
    if let Some(problem) = names.without_attribute(&attributes) {
        problems.push(problem.label(table.span(start..end), ""));
    } else if is_mesh && columns.iter().all(Option::is_none) {
        let problem = Diagnostic::error(&CSV_HEADER, "no attribute of the mesh is an input");
        let problem = problem.label(table.span(start..end), "");
        let first = attributes.first().copied().unwrap_or("POSITION");
        let problem = problem.help(format!("say which is which: `--rename {first}={}`", inputs.reg_name(0)));
        problems.push(problem.help(register_names(inputs)));
    }
    columns
}

/// The first columns of a mesh that RenderDoc exported: the number in the draw, and in the vertex buffer.
const MESH: [&str; 2] = ["VTX", "IDX"];

/// `1,5`, as spreadsheets write it in many languages, in a table with semicolons.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::unit;
    use gpuzoo_ir::vec4;

    fn read(text: &str) -> (Vertices<'static>, Vec<Diagnostic>) {
        vertices(unit().isa(), &File::new("t.csv", text))
    }

    #[test]
    fn columns_may_come_in_any_order() {
        let (table, problems) = read("# two inputs\nv1.y; in0.x; 0.z\n1;2;0x40400000\n\n\"4\";5;-inf\n");
        assert_eq!(problems, []);
        let (inputs, values) = crate::run::rows(&table);
        assert_eq!(inputs, [0, 1]);
        let infinity = f32::NEG_INFINITY;
        let expected =
            [[2.0, 0.0, 3.0, 1.0], [0.0, 1.0, 0.0, 1.0], [5.0, 0.0, infinity, 1.0], [0.0, 4.0, 0.0, 1.0]];
        assert_eq!(values, expected.map(vec4));
    }

    /// As RenderDoc's mesh viewer writes them: commas with blanks, `---` for what is not there.
    #[test]
    fn meshes_of_renderdoc_are_read() {
        let program = crate::dreambox().assemble("x.vu", "ld r0 0\nst pos r0\n").unwrap();
        let read = |given: &[&str], text: &str| {
            let mut table = Table::default();
            given.iter().for_each(|name| table.names.add(&program, &File::new("--rename", name)).unwrap());
            let (vertices, problems) = table.read(unit().isa(), &File::new("t.csv", text), true);
            let found = problems.iter().map(|problem| (problem.code.id, problem.span().unwrap().start));
            (crate::run::rows(&vertices), found.collect::<Vec<_>>())
        };
        let text = "VTX, IDX, POSITION.x, POSITION.y, FOG, in2.x\n0, 4, -1.00,  0.00,  0.25, 7\n1, 9,  NaN,  2.00,  0.50, 8\n";
        let ((inputs, values), problems) = read(&["POSITION=in0", "FOG=in1"], text);
        assert_eq!((inputs, problems), (vec![0, 1, 2], vec![]));
        assert_eq!(
            values[..3],
            [[-1.0, 0.0, 0.0, 1.0], [0.25, 0.0, 0.0, 1.0], [7.0, 0.0, 0.0, 1.0]].map(vec4)
        );
        assert_eq!(values[3], [gpuzoo_ir::NAN, 0x4000_0000, 0, 0x3f80_0000]);
        // What is no input is passed over, as long as anything is one.
        assert_eq!(read(&[], text).0.0, [2]);
        for (given, text, code, at) in [
            (&[][..], "VTX, IDX, POSITION.x\n0, 4, 1\n", "G0201", 0),
            (&["POSITON=in0"], text, "G0206", 0),
            (&["POSITION=in2"], text, "G0201", 39),
            (&["POSITION=in0"], "VTX, IDX, POSITION.x\n0, 4, ---\n", "G0203", 27),
            (&["POSITION=in0"], "in1.x\n0\n", "G0206", 0),
        ] {
            assert_eq!(read(given, text).1, [(code, at)], "{given:?} {text}");
        }
    }

    #[test]
    fn what_is_in_quotes_is_one_cell() {
        let file = File::new("t", "a, \"1, 2\" ,\"b\"\n\"open, 3\n");
        let rows: Vec<_> = rows(&file).map(|(_, cells)| cells).collect();
        assert_eq!(rows, [vec![(0, "a"), (4, "1, 2"), (12, "b")], vec![(15, "\"open, 3")]]);
    }

    #[test]
    fn mistakes_are_shown_where_they_stand() {
        for (text, code, at) in [
            ("", "G0201", 0),
            ("1,2\n", "G0201", 0),
            ("in0.x,in0.x\n", "G0201", 6),
            ("in0.q\n", "G0206", 0),
            ("in0.x, in8.x\n", "G0206", 7),
            ("in0.x,in0.y\n1\n", "G0202", 12),
            ("in0.x\n1,2\n", "G0202", 6),
            ("in0.x\n1\nx1\n", "G0203", 8),
        ] {
            let (_, problems) = read(text);
            assert_eq!(problems.len(), 1, "{text}");
            assert_eq!((problems[0].code.id, problems[0].span().unwrap().start), (code, at), "{text}");
        }
        let many = read(&format!("in0\n{}", "x\n".repeat(1000))).1;
        assert_eq!(many.len(), MAX_ERRORS);
        // The last says that there may be more.
        let noted = many.iter().map(|problem| problem.notes.len()).collect::<Vec<_>>();
        assert_eq!((noted[98], noted[99]), (0, 1));
        // A spreadsheet's decimal commas are one mistake.
        let commas = read("in0.x;in0.y\n1,5;2,5\n3,5;4\n").1;
        assert_eq!((commas.len(), commas[0].code.id), (1, "G0203"));
        assert_eq!(commas[0].help[0], "write numbers with a decimal point: `1.5`");
        assert_eq!(read("in0.x,in0.y\n1\n").1[0].message, "this row has 1 cell, the header 2");
    }
}

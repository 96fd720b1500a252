//! What inputs and constants are likely to be: by their names, by the machine's habit, and by what the program does with them.

use super::flow::Flow;
use gpuzoo_isa::{FileKind, Isa, Program, Reg};
use gpuzoo_machine::unit::starter::Starter;
use std::collections::BTreeSet;

/// A line of a scene: key, value, and why.
pub struct Line {
    pub key: String,
    pub value: String,
    pub why: &'static str,
}

/// What a matrix is called by names that hold all of these words; the first that fits.
const MATRICES: &[(&[&str], &str)] = &[
    (&["mvp"], "model_view_projection"),
    (&["wvp"], "model_view_projection"),
    (&["model", "proj"], "model_view_projection"),
    (&["world", "proj"], "model_view_projection"),
    (&["view", "proj"], "view_projection"),
    (&["normal"], "normal"),
    (&["nrm"], "normal"),
    (&["model", "view"], "model_view"),
    (&["world", "view"], "model_view"),
    (&["proj"], "projection"),
    (&["clip"], "model_view_projection"),
    (&["view"], "view"),
    (&["model"], "model"),
    (&["world"], "model"),
    (&["tex"], "identity"),
];

const TOWARD_LIGHT: &str = "[0.5, 0.8, 0.6]";

/// What a vector is by names that hold one of these words; the first that fits. `SPACE` is that of the light.
const VECTORS: &[(&[&str], &str)] = &[
    (&["amb"], "[0.2, 0.2, 0.25, 1]"),
    (&["spec", "shin", "gloss"], "[0.4, 0.4, 0.4, 24]"),
    (&["diff", "col", "tint", "albedo"], "[0.8, 0.7, 0.6, 1]"),
    (&["eye", "cam"], "{ point = EYE, space = \"model\" }"),
    (&["fade", "att"], "[1, 0, 0, 0]"),
    (&["pos", "place"], "{ point = [2, 3, 4], space = \"SPACE\" }"),
    (&["light", "sun", "lamp", "dir", "half"], "{ direction = LIGHT, space = \"SPACE\" }"),
    (&["time"], "[\"t\", \"t\", \"t\", \"t\"]"),
    (&["scale", "size"], "[1, 1, 1, 1]"),
    (&["offset", "bias"], "[0, 0, 0, 0]"),
];

/// What a single number is by names that hold one of these words; the first that fits.
const NUMBERS: &[(&[&str], &str)] = &[
    (&["spec", "shin", "gloss", "pow", "exp"], "24"),
    (&["amb"], "0.2"),
    (&["time"], "\"t\""),
    (&["scale", "size"], "1"),
    (&["offset", "bias"], "0"),
];

/// What an input is by names that hold one of these words; the first that fits.
const ATTRIBUTES: &[(&[&str], &str)] = &[
    (&["pos", "place"], "position"),
    (&["norm", "nrm"], "normal"),
    (&["uv", "tex"], "texcoord"),
    (&["col"], "color"),
];

/// What constants get of which nothing is known, by turns.
const UNKNOWN: [&str; 3] = ["[0.6, 0.6, 0.6, 1]", "[0.3, 0.3, 0.3, 1]", "[0.15, 0.15, 0.15, 1]"];

/// What a vertex program's inputs get. Those of a compiled one have the names of its source.
pub fn inputs(isa: &Isa, (program, flow): (&Program, &Flow), starter: &Starter, fallback: &str) -> Vec<Line> {
    let is_input = |reg: Reg| isa.file(reg).kind == FileKind::Input;
    let named = |index: u16| {
        let own = program.homes.iter().find(|home| home.reg.index == index && is_input(home.reg))?;
        let word = own.variable.to_lowercase();
        let known = ATTRIBUTES.iter().find(|(words, _)| words.iter().any(|part| word.contains(part)))?;
        let format = |attribute: &str| {
            let usual =
                starter.inputs.iter().find(|(_, own, _)| *own == attribute).map(|(.., format)| *format);
            usual.or_else(|| {
                starter.formats.iter().find(|(own, _)| *own == attribute).map(|(_, format)| *format)
            })
        };
        Some((known.1, format(known.1)?))
    };
    let name = |index: u16| {
        let mut inputs = isa.regs(|kind| kind == FileKind::Input);
        inputs.find(|reg| reg.index == index).map_or_else(|| index.to_string(), |reg| isa.reg_name(reg))
    };
    let of = |output: &u16| flow.outputs.get(output).map(|from| from.inputs.clone()).unwrap_or_default();
    let places = of(&starter.position);
    let texcoords: BTreeSet<u16> = starter.texcoords.iter().flat_map(of).collect();
    let line = |index: &u16| {
        let habit = starter.inputs.iter().find(|(input, ..)| input == index);
        let transformed =
            flow.touched.get(index).is_some_and(|(constants, dotted)| *dotted || constants.len() > 2);
        let guess = || match (places.first() == Some(index), texcoords.contains(index), transformed) {
            (true, ..) => ("position", "the position depends on it"),
            (_, true, _) => ("texcoord", "texture coordinates depend on it"),
            (_, _, true) => ("normal", "it is transformed"),
            _ => ("color", "it is a factor of the result"),
        };
        let given = |attribute: &str, format: &str| {
            format!("{{ attribute = \"{attribute}\", format = \"{format}\" }}")
        };
        let (value, why) = match (named(*index), habit) {
            (Some((attribute, format)), _) => (given(attribute, format), "by its name"),
            (None, Some((_, attribute, format))) => (given(attribute, format), "usual on this machine"),
            (None, None) => {
                let (attribute, why) = guess();
                match starter.formats.iter().find(|(known, _)| *known == attribute) {
                    Some((_, format)) => (given(attribute, format), why),
                    None => (
                        format!("{{ value = [0, 0, 0, 1], format = \"{fallback}\" }}"),
                        "nothing is known of it",
                    ),
                }
            }
        };
        Line { key: name(*index), value, why }
    };
    if flow.inputs.is_empty() {
        // A vertex without bytes is none.
        let first = starter.inputs.first().map_or(0, |(input, ..)| *input);
        return vec![Line { why: "the program reads no input", ..line(&first) }];
    }
    flow.inputs.iter().map(line).collect()
}

/// The matrices and vectors of a program.
pub struct Constants<'a> {
    pub isa: &'a Isa,
    pub program: &'a Program,
    pub starter: &'a Starter,
    pub flow: &'a Flow,
    /// True for a vertex program, whose constants can be matrices.
    pub has_matrices: bool,
    /// True for those that the machine sets.
    pub own: &'a dyn Fn(u16) -> bool,
    /// The place of the camera.
    pub eye: &'a str,
}

impl Constants<'_> {
    /// Their lines, and the space that light is computed in: the one that is given, unless a matrix leads elsewhere.
    pub fn lines(&self, space: &mut &'static str) -> Vec<Line> {
        let valued = |index: &u16| self.program.defined().any(|(own, _)| own == *index);
        let read = self.flow.constants.iter().copied();
        let read: BTreeSet<u16> = read.filter(|index| !(self.own)(*index) && !valued(index)).collect();
        let mut rest = read.clone();
        let mut lines = Vec::new();
        let mut vectors = Vec::new();
        let mut has_product = false;
        for (name, uniform) in self.program.uniforms() {
            let rows = uniform.reg.index..uniform.reg.index + uniform.count;
            if !rows.clone().any(|row| read.contains(&row)) {
                continue;
            }
            // Another one may have other components of the same registers.
            rest.retain(|row| !rows.contains(row));
            match rows.len() {
                1 => vectors.push((name.to_owned(), rows.start)),
                2..=4 => {
                    let matrix = self.named_matrix(name);
                    has_product |= matrix == "model_view_projection";
                    lines.push(self.matrix(name.to_owned(), rows.start, matrix, "by its name", space));
                }
                // Vectors, one behind the other.
                _ => vectors.extend(
                    rows.clone().zip(0..).map(|(row, at): (u16, u16)| (format!("{name}[{at}]"), row)),
                ),
            }
        }
        for (first, length, matrix, why) in self.unnamed(&rest, has_product) {
            rest.retain(|row| !(first..first + length).contains(row));
            lines.push(self.matrix(self.name(first), first, matrix, why, space));
        }
        vectors.extend(rest.iter().map(|index| (self.name(*index), *index)));
        vectors.sort_by_key(|(_, index)| *index);
        let mut turn = UNKNOWN.iter().cycle();
        for (name, index) in vectors {
            let (value, why) = self.vector(&name, index, &mut turn);
            lines.push(Line { key: name, value: value.replace("SPACE", space), why });
        }
        lines
    }

    fn name(&self, index: u16) -> String {
        self.program.constant_names(self.isa, &[index]).concat()
    }

    fn named_matrix(&self, name: &str) -> &'static str {
        let word = name.to_lowercase();
        let known = MATRICES.iter().find(|(words, _)| words.iter().all(|part| word.contains(part)));
        let others = |part: &str| {
            self.program.uniforms().any(|(other, _)| other != name && other.to_lowercase().contains(part))
        };
        match known.map(|(_, matrix)| *matrix) {
            // A projection alone is all that there is between the model and the screen.
            Some("projection") if !["view", "model", "world"].into_iter().any(others) => {
                "model_view_projection"
            }
            Some(matrix) => matrix,
            None => "model_view_projection",
        }
    }

    /// Matrices among constants without names: first, rows, which, why.
    fn unnamed(
        &self,
        rest: &BTreeSet<u16>,
        has_product: bool,
    ) -> Vec<(u16, u16, &'static str, &'static str)> {
        if !self.has_matrices {
            return Vec::new();
        }
        let rows = self.starter.rows;
        let from = self.flow.outputs.get(&self.starter.position);
        let leads = |index: &u16| !has_product && from.is_some_and(|from| from.constants.contains(index));
        let positions: Vec<u16> = rest.iter().copied().filter(leads).collect();
        let places = runs(&positions, rows);
        // The one that meets what another one gave comes behind it.
        let after = |run: &(u16, u16)| {
            let met = (run.0..run.0 + run.1).filter_map(|row| self.flow.met.get(&row));
            let before: BTreeSet<u16> = met.flat_map(|met| met.with.constants.iter().copied()).collect();
            let other = |other: &&(u16, u16)| {
                *other != run && (other.0..other.0 + other.1).any(|row| before.contains(&row))
            };
            places.iter().filter(other).count()
        };
        let mut found: Vec<(u16, u16, &str, &str)> = Vec::new();
        for run in &places {
            let matrix = match (places.len(), after(run)) {
                (1, _) => "model_view_projection",
                (2, 0) | (3, 0) => "model",
                (2, 1) => "view_projection",
                (3, 1) => "view",
                (3, 2) => "projection",
                _ => "identity",
            };
            found.push((run.0, run.1, matrix, "the position is multiplied by it"));
        }
        let others: Vec<u16> = rest.iter().copied().filter(|index| !positions.contains(index)).collect();
        let normals = |run: &(u16, u16)| {
            let met = (run.0..run.0 + run.1).filter_map(|row| self.flow.met.get(&row));
            let with: BTreeSet<u16> = met.flat_map(|met| met.with.inputs.iter().copied()).collect();
            let places = from.map(|from| from.inputs.clone()).unwrap_or_default();
            (with.intersection(&places).next().is_none(), with)
        };
        for run in runs(&others, 3) {
            // Rows of a matrix meet the same inputs and nothing else.
            let same = (run.0..run.0 + run.1).all(|row| {
                self.flow
                    .met
                    .get(&row)
                    .is_some_and(|met| met.with.inputs == normals(&run).1 && !met.with.inputs.is_empty())
            });
            let touches = |(constants, _): &(BTreeSet<u16>, bool)| {
                (run.0..run.0 + 3).all(|row| constants.contains(&row))
            };
            if same && self.flow.touched.values().any(touches) {
                let matrix = if normals(&run).0 { "normal" } else { "model_view" };
                found.push((run.0, run.1, matrix, "an input is multiplied by it"));
            }
        }
        found
    }

    fn matrix(
        &self,
        key: String,
        first: u16,
        matrix: &str,
        why: &'static str,
        space: &mut &'static str,
    ) -> Line {
        if ["model_view", "normal"].contains(&matrix) {
            *space = "view";
        }
        let mut why = why;
        let inner = match self.starter.to_screen {
            Some(columns) if matrix == "model_view_projection" => {
                why = "it leads to the pixels of a picture of this size";
                format!("{{ product = [{{ columns = {columns:?} }}, \"{matrix}\"] }}")
            }
            _ => format!("\"{matrix}\""),
        };
        // What is only read at computed numbers is taken for rows, too.
        let rows = self.flow.met.get(&first).is_none_or(|met| met.dotted);
        let value = match rows {
            true => format!("{{ matrix = {{ transpose = {inner} }} }}"),
            false => format!("{{ matrix = {inner} }}"),
        };
        Line { key, value, why }
    }

    fn vector<'v>(
        &self,
        name: &str,
        index: u16,
        turn: &mut impl Iterator<Item = &'v &'static str>,
    ) -> (String, &'static str) {
        let word = name.to_lowercase();
        let uniform = self.program.uniforms().find(|(known, _)| *known == name);
        if uniform.is_some_and(|(_, own)| own.mask.0.count_ones() == 1) {
            let known = NUMBERS.iter().find(|(words, _)| words.iter().any(|part| word.contains(part)));
            return known.map_or(("0.5".to_owned(), "nothing is known of it"), |(_, value)| {
                ((*value).to_owned(), "by its name")
            });
        }
        let named = uniform.is_some();
        let known = VECTORS.iter().find(|(words, _)| named && words.iter().any(|part| word.contains(part)));
        let dotted = self.flow.met.get(&index).is_some_and(|met| met.dotted);
        let (value, why) = match known {
            Some((_, value)) => (*value, "by its name"),
            None if dotted => {
                ("{ direction = LIGHT, space = \"SPACE\" }", "it is in a dot product: toward the light")
            }
            None => (*turn.next().unwrap_or(&UNKNOWN[0]), "nothing is known of it"),
        };
        (value.replace("LIGHT", TOWARD_LIGHT).replace("EYE", self.eye), why)
    }
}

/// Pieces of four successive numbers, or of at least `least`: first and length.
fn runs(numbers: &[u16], least: u16) -> Vec<(u16, u16)> {
    let mut found: Vec<(u16, u16)> = Vec::new();
    for number in numbers {
        match found.last_mut() {
            Some((first, length)) if *first + *length == *number && *length < 4 => *length += 1,
            _ => found.push((*number, 1)),
        }
    }
    found.retain(|(_, length)| *length >= least);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn successive_numbers_are_matrices() {
        assert_eq!(runs(&[0, 1, 2, 3, 4, 5, 6, 7, 9, 10], 4), [(0, 4), (4, 4)]);
        assert_eq!(runs(&[0, 1, 2, 5, 6, 7, 8, 9], 3), [(0, 3), (5, 4)]);
        assert_eq!(runs(&[], 3), []);
    }
}

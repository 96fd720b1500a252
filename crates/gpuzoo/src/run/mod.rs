//! The verb `run`: a program over many vertices.

mod buffers;
pub mod constants;
pub mod csv;
pub mod expected;
mod inputs;
mod kernel;
mod names;
pub mod npy;
pub mod output;
mod outputs;
mod pieces;
pub mod raw;
mod records;
mod stream;
mod template;
mod undefined;
mod vertices;

pub use buffers::Buffer;
pub use inputs::{Inputs, Value};
pub use kernel::Kernel;
pub use names::Names;
pub use outputs::Outputs;
pub use pieces::{Piece, Pieces};
pub use records::{has_all as has_all_inputs, vertices as json_vertices};
pub use stream::{Block, Stream};
pub use undefined::undefined_components;
pub use vertices::{Column, Vertices};

use crate::Program;
use crate::codes::{CONSTANTS_CHANGED, KILLED, UNKNOWN_REGISTER};
use gpuzoo_diag::{Diagnostic, Severity, suggest};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{COMPONENTS, FileKind, Isa, Reg, RegFile, list};
use gpuzoo_machine::unit::reach::ReachWatch;

/// What a run did besides its outputs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Ran {
    program: Program,
    /// The constants that it changed, with their last values.
    changed: Vec<(u16, Vec4)>,
    /// How many vertices or fragments were killed.
    killed: usize,
    watch: ReachWatch,
}

/// Of the constants that a run changed this many are shown.
const MOST_CHANGED: usize = 16;

impl Ran {
    /// What is worth knowing after a run: what was killed, constants that it changed, and those that it sought beyond
    /// the machine's.
    pub fn remarks(&self) -> Vec<Diagnostic> {
        let mut remarks = self.unreached();
        if self.killed > 0 {
            let message = match self.killed {
                1 => "the program killed one run".to_owned(),
                count => format!("the program killed {count} runs"),
            };
            let remark = Diagnostic::new(Severity::Note, &KILLED, message);
            remarks.push(remark.note("what was killed has no results"));
        }
        remarks.extend(self.changed_constants());
        remarks
    }

    /// Constants that it sought beyond the machine's.
    pub fn unreached(&self) -> Vec<Diagnostic> {
        self.watch.report(self.program.isa(), self.program.code())
    }

    /// The constants that it changed, with their numbers in the program's text.
    pub fn constants(&self) -> Vec<(String, Vec4)> {
        let (code, isa) = (self.program.code(), self.program.isa());
        let name = |index| isa.constants().map(|(file, _)| code.reg_name(isa, Reg { file, index }));
        self.changed.iter().map(|(index, value)| (name(*index).unwrap_or_default(), *value)).collect()
    }

    fn changed_constants(&self) -> Option<Diagnostic> {
        let changed = &self.changed;
        if changed.is_empty() {
            return None;
        }
        let message = match changed.len() {
            1 => "the program changed one constant".to_owned(),
            count => format!("the program changed {count} constants"),
        };
        let mut remark = Diagnostic::new(Severity::Note, &CONSTANTS_CHANGED, message);
        for (name, value) in self.constants().into_iter().take(MOST_CHANGED) {
            let components = value.map(|component| format!("{:?}", f32::from_bits(component)));
            remark = remark.note(format!("{name} is now ({})", components.join(", ")));
        }
        if changed.len() > MOST_CHANGED {
            remark = remark.note(format!("and {} more", changed.len() - MOST_CHANGED));
        }
        Some(remark)
    }
}

/// The first register file of a kind, with its index.
pub fn file(isa: &Isa, wanted: impl Fn(FileKind) -> bool) -> Option<(u8, &RegFile)> {
    let mut files = isa.files.iter().enumerate();
    files.find(|(_, file)| wanted(file.kind)).map(|(index, file)| (index as u8, file))
}

/// The problem of an output that a program does not have.
fn no_output(name: &str, names: &[String]) -> Diagnostic {
    let problem = Diagnostic::error(&UNKNOWN_REGISTER, format!("there is no output `{name}`"));
    let known = || names.iter().map(String::as_str);
    let problem = match suggest::nearest(name, known()) {
        Some(near) => problem.help(format!("did you mean `{near}`?")),
        None => problem,
    };
    match names {
        [] => problem.help("the program has no outputs"),
        _ => problem.help(format!("outputs are {}", list(known()))),
    }
}

/// What an output is called: its register's name, or `out0` on machines whose programs choose the registers.
pub fn output_name(isa: &Isa, index: u16) -> String {
    let outputs = file(isa, |kind| matches!(kind, FileKind::Output(_)));
    outputs.map_or(format!("out{index}"), |(_, file)| file.reg_name(index))
}

/// The number of an input that users name: as the machine does (`in3`), `v3` as most other machines do, or by the number
/// alone.
pub fn register(file: &RegFile, name: &str) -> Option<u16> {
    let aliased = || {
        let digits = name.strip_prefix('v').unwrap_or(name);
        let plain =
            !digits.is_empty() && digits.len() <= 5 && digits.bytes().all(|digit| digit.is_ascii_digit());
        plain.then(|| digits.parse().ok()).flatten().filter(|index| file.has(*index))
    };
    file.find(name).or_else(aliased)
}

/// The registers of a file in words: `in0 to in7`.
fn register_names(file: &RegFile) -> String {
    match file.names {
        [] => {
            format!("{}s are `{}` to `{}`", file.name, file.reg_name(0), file.reg_name(file.count.max(1) - 1))
        }
        _ => format!("{}s are {}", file.name, list(file.real_names())),
    }
}

/// A register with a component, `in0.x`; without one it is component x.
fn component_of(file: &RegFile, name: &str) -> Option<(u16, usize)> {
    let (register_name, component) = parts(name);
    Some((register(file, register_name)?, component))
}

/// The name and the component of `in0.x`; without one it is component x.
fn parts(name: &str) -> (&str, usize) {
    let component = |letter: &str| COMPONENTS.iter().position(|known| letter == known.to_string());
    let named = name.rsplit_once('.').and_then(|(name, letter)| Some((name, component(letter)?)));
    named.unwrap_or((name, 0))
}

/// The inputs of columns, and the values of all vertices.
#[cfg(test)]
fn rows(vertices: &Vertices) -> (Vec<u16>, Vec<Vec4>) {
    let Vertices::Columns { columns, count } = vertices else { return Default::default() };
    let inputs: Vec<u16> = columns.iter().map(|column| column.input).collect();
    let mut all = vec![[0; 4]; 256];
    let row = |vertex| {
        vertices.fetch(vertex, &mut all);
        inputs.iter().map(|input| all[usize::from(*input)]).collect::<Vec<_>>()
    };
    let values = (0..*count).flat_map(row).collect();
    (inputs, values)
}

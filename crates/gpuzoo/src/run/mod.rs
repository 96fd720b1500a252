//! The verb `run`: a program over many vertices.

pub mod constants;
pub mod csv;
pub mod output;
pub mod raw;
mod records;
mod undefined;

pub use records::vertices as json_vertices;
pub use undefined::undefined_lanes;

use crate::codes::{CONSTANTS_CHANGED, MISSING_CONSTANT, MISSING_INPUT, NO_VERTICES, UNDEFINED_LANES};
use gpuzoo_diag::{Diagnostic, Severity};
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_ir::{Function, Inst, Vec4, passes};
use gpuzoo_isa::{FileKind, Isa, LANES, Program, RegFile, UNIFORM_OUTPUT, list};
use gpuzoo_machine::Gpu;
use gpuzoo_machine::draw::write_uniforms;
use gpuzoo_machine::layout::Layout;
use std::ops::ControlFlow;

/// What a program is run on.
#[derive(Clone, Debug)]
pub enum Vertices {
    /// Values by input: for each vertex one vec4 for each of `slots`.
    Table {
        /// The inputs that have a value.
        slots: Vec<u16>,
        /// Vertex after vertex.
        values: Vec<Vec4>,
    },
    /// A vertex buffer.
    Buffer {
        /// How it is read.
        layout: Layout,
        /// Its bytes.
        bytes: Vec<u8>,
    },
}

impl Vertices {
    /// One vertex for which no input has a value.
    pub fn nothing() -> Vertices {
        Vertices::Buffer { layout: Layout { stride: 1, attributes: Vec::new() }, bytes: vec![0] }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        match self {
            Vertices::Table { slots, values } => values.len().checked_div(slots.len()).unwrap_or(0),
            Vertices::Buffer { layout, bytes } => layout.vertex_count(bytes.len()),
        }
    }

    /// True if the input has a value.
    pub fn gives(&self, slot: u16) -> bool {
        match self {
            Vertices::Table { slots, .. } => slots.contains(&slot),
            Vertices::Buffer { layout, .. } => {
                layout.attributes.iter().any(|attribute| attribute.slot == slot)
            }
        }
    }

    /// Puts the values of a vertex into `inputs`, which is indexed by input.
    pub fn fetch(&self, vertex: usize, inputs: &mut [Vec4]) {
        match self {
            Vertices::Table { slots, values } => {
                let start = vertex.saturating_mul(slots.len());
                for (slot, value) in slots.iter().zip(values.get(start..).unwrap_or_default()) {
                    if let Some(input) = inputs.get_mut(*slot as usize) {
                        *input = *value;
                    }
                }
            }
            Vertices::Buffer { layout, bytes } => layout.fetch(bytes, vertex, inputs),
        }
    }
}

/// A program ready to run.
#[derive(Clone, Debug)]
pub struct Kernel {
    function: Function,
    /// The names of the outputs, in the order in which they come.
    pub names: Vec<String>,
    /// The inputs that the outputs depend on.
    pub inputs: Vec<u16>,
    /// The constants that the outputs depend on, where their numbers are fixed.
    pub constants: Vec<u16>,
    undefined: Vec<(String, gpuzoo_isa::Mask)>,
}

/// Of the constants that a run changed this many are shown.
const MOST_CHANGED: usize = 16;

impl Kernel {
    /// Lowers and optimizes a program under a profile.
    pub fn new(gpu: &dyn Gpu, program: &Program, profile: &str) -> Kernel {
        let lowered = gpu.lower(program, profile);
        let isa = gpu.about().isa;
        let outputs = file(isa, |kind| matches!(kind, FileKind::Output(_)));
        let name = |index: u16| outputs.map_or(format!("output {index}"), |(_, file)| file.reg_name(index));
        let undefined = undefined_lanes(isa, &lowered);
        let undefined = undefined.into_iter().map(|(index, lanes)| (name(index), lanes)).collect();
        let function = passes::optimize(&lowered.function);
        let outputs = || function.outputs.iter().filter(|(index, _)| *index < UNIFORM_OUTPUT);
        let names = outputs().map(|(index, _)| name(*index)).collect();
        let used = |which: fn(&Inst) -> Option<u16>| {
            let mut used: Vec<u16> = function.insts.iter().filter_map(which).collect();
            used.sort_unstable();
            used.dedup();
            used
        };
        let inputs = used(|inst| if let Inst::Input(index) = inst { Some(*index) } else { None });
        let constants = used(|inst| if let Inst::Uniform(index) = inst { Some(*index) } else { None });
        Kernel { names, inputs, constants, undefined, function }
    }

    /// Runs it for vertices from `first` on, one after the other. `each` gets the vertex's number and the outputs, in
    /// the order of [`names`](Kernel::names), and says whether to go on. Constants that the program writes count from
    /// the next vertex on; those that it changed are returned, with their last values.
    pub fn run(
        &self,
        vertices: &Vertices,
        first: usize,
        uniforms: &[Vec4],
        mut each: impl FnMut(usize, &[Vec4]) -> ControlFlow<()>,
    ) -> Vec<(u16, Vec4)> {
        let mut inputs = vec![[0; 4]; self.function.input_count()];
        let mut outputs = vec![[0; 4]; self.names.len()];
        let mut run = Run::default();
        let mut constants = uniforms.to_vec();
        for vertex in first..vertices.count() {
            vertices.fetch(vertex, &mut inputs);
            run.run(&self.function, &inputs, &constants, &NoTextures);
            for (output, (_, value)) in outputs.iter_mut().zip(&self.function.outputs) {
                *output = run.value(*value);
            }
            write_uniforms(&self.function, &run, &mut constants);
            if each(vertex, &outputs).is_break() {
                break;
            }
        }
        let old = |index: usize| uniforms.get(index).copied().unwrap_or_default();
        let changed = constants.iter().enumerate().filter(|(index, value)| **value != old(*index));
        changed.map(|(index, value)| (index as u16, *value)).collect()
    }

    /// Tells which constants a run changed, as [`run`](Kernel::run) returns them; nothing if it changed none.
    pub fn changed_constants(isa: &Isa, changed: &[(u16, Vec4)]) -> Option<Diagnostic> {
        if changed.is_empty() {
            return None;
        }
        let message = format!("the program changed {} constants", changed.len());
        let mut remark = Diagnostic::new(Severity::Note, &CONSTANTS_CHANGED, message);
        for (index, value) in changed.iter().take(MOST_CHANGED) {
            let name = file(isa, |kind| kind == FileKind::Uniform)
                .map_or(String::new(), |(_, file)| file.reg_name(*index));
            let lanes = value.map(|lane| format!("{:?}", f32::from_bits(lane)));
            remark = remark.note(format!("{name} is now ({})", lanes.join(", ")));
        }
        if changed.len() > MOST_CHANGED {
            remark = remark.note(format!("and {} more", changed.len() - MOST_CHANGED));
        }
        Some(remark)
    }

    /// The outputs of every vertex.
    pub fn outputs(&self, vertices: &Vertices, uniforms: &[Vec4]) -> Vec<Vec<Vec4>> {
        let mut all = Vec::new();
        self.run(vertices, 0, uniforms, |_, outputs| {
            all.push(outputs.to_vec());
            ControlFlow::Continue(())
        });
        all
    }

    /// What is worth knowing before its outputs are trusted: inputs and constants that nobody gave, and output lanes
    /// that depend on nothing written.
    pub fn remarks(&self, isa: &Isa, vertices: &Vertices, given: &[u16]) -> Vec<Diagnostic> {
        let mut remarks = Vec::new();
        if vertices.count() == 0 {
            remarks.push(Diagnostic::warning(&NO_VERTICES, "there are no vertices to run the program on"));
        }
        let missing = |wanted: fn(FileKind) -> bool, used: &[u16], gives: &dyn Fn(u16) -> bool| {
            let missing = used.iter().filter(|index| !gives(**index));
            let name =
                |index: &u16| file(isa, wanted).map_or(String::new(), |(_, file)| file.reg_name(*index));
            missing.map(name).collect::<Vec<_>>()
        };
        let inputs = missing(|kind| kind == FileKind::Input, &self.inputs, &|slot| vertices.gives(slot));
        if !inputs.is_empty() {
            let names = list(inputs.iter().map(String::as_str));
            let message = format!("the program reads {names}, which the vertices do not give");
            remarks.push(Diagnostic::warning(&MISSING_INPUT, message).note("read as zeros"));
        }
        let constants =
            missing(|kind| kind == FileKind::Uniform, &self.constants, &|index| given.contains(&index));
        if !constants.is_empty() {
            let names = list(constants.iter().map(String::as_str));
            let message = format!("the program reads {names}, which was not given");
            let remark = Diagnostic::new(Severity::Note, &MISSING_CONSTANT, message);
            remarks.push(
                remark.note("read as zeros").help("give constants with `-C c0=1,0,0,1` or `--const FILE`"),
            );
        }
        if !self.undefined.is_empty() {
            let lanes: Vec<String> =
                self.undefined.iter().map(|(name, lanes)| format!("{name}.{lanes}")).collect();
            let names = list(lanes.iter().map(String::as_str));
            let message = format!("nothing was written that {names} could come from");
            let remark = Diagnostic::new(Severity::Note, &UNDEFINED_LANES, message);
            remarks.push(
                remark.note(
                    "the start values of the registers are shown; the machine itself may give anything",
                ),
            );
        }
        remarks
    }
}

/// The first register file of a kind, with its index.
pub fn file(isa: &Isa, wanted: impl Fn(FileKind) -> bool) -> Option<(u8, &RegFile)> {
    let mut files = isa.files.iter().enumerate();
    files.find(|(_, file)| wanted(file.kind)).map(|(index, file)| (index as u8, file))
}

/// The number of an input or constant that users name: as the machine does (`in3`, `c4`), `v3` for an input as most
/// other machines do, or by the number alone.
pub fn register(file: &RegFile, name: &str) -> Option<u16> {
    let aliased = || {
        let digits = match file.kind {
            FileKind::Input => name.strip_prefix('v').unwrap_or(name),
            _ => name,
        };
        let plain =
            !digits.is_empty() && digits.len() <= 5 && digits.bytes().all(|digit| digit.is_ascii_digit());
        plain.then(|| digits.parse().ok()).flatten().filter(|index| *index < file.count)
    };
    file.find(name).or_else(aliased)
}

/// The registers of a file in words: `in0 to in7`.
fn register_names(file: &RegFile) -> String {
    match file.names {
        [] => {
            format!("{}s are `{}` to `{}`", file.name, file.reg_name(0), file.reg_name(file.count.max(1) - 1))
        }
        names => format!("{}s are {}", file.name, list(names.iter().copied())),
    }
}

/// A register with a lane, `in0.x`; without one it is lane x.
fn lane_of(file: &RegFile, name: &str) -> Option<(u16, usize)> {
    let (register_name, lane) = name.rsplit_once('.').unwrap_or((name, "x"));
    let lane = LANES.iter().position(|letter| lane.len() == 1 && lane.starts_with(*letter))?;
    Some((register(file, register_name)?, lane))
}

//! The verb `run`: a program over many vertices.

pub mod constants;
pub mod csv;
pub mod output;
pub mod raw;
mod records;
mod undefined;

pub use records::vertices as json_vertices;
pub use undefined::undefined_components;

use crate::codes::{
    CONSTANTS_CHANGED, KILLED, MISSING_CONSTANT, MISSING_INPUT, NO_VERTICES, UNDEFINED_COMPONENTS,
};
use gpuzoo_diag::{Diagnostic, Severity};
use gpuzoo_engine::{Call, Rows, RowsMut};
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_ir::{Function, Inst, Vec4, passes};
use gpuzoo_isa::{COMPONENTS, CONSTANT_OUTPUT, FileKind, Isa, Program, RegFile, list};
use gpuzoo_machine::draw::write_constants;
use gpuzoo_machine::layout::Layout;
use gpuzoo_machine::reach::{ReachWatch, WATCHED_OUTPUT};
use gpuzoo_machine::{Gpu, RunState};
use std::ops::ControlFlow;

/// What a program is run on.
#[derive(Clone, Debug)]
pub enum Vertices {
    /// Values by input: for each vertex one vec4 for each of `inputs`.
    Table {
        /// The inputs that have a value.
        inputs: Vec<u16>,
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
            Vertices::Table { inputs, values } => values.len().checked_div(inputs.len()).unwrap_or(0),
            Vertices::Buffer { layout, bytes } => layout.vertex_count(bytes.len()),
        }
    }

    /// True if the input has a value.
    pub fn gives(&self, input: u16) -> bool {
        match self {
            Vertices::Table { inputs, .. } => inputs.contains(&input),
            Vertices::Buffer { layout, .. } => {
                layout.attributes.iter().any(|attribute| attribute.input == input)
            }
        }
    }

    /// Puts the values of a vertex into `inputs`, which is indexed by input.
    pub fn fetch(&self, vertex: usize, inputs: &mut [Vec4]) {
        match self {
            Vertices::Table { inputs: given, values } => {
                let start = vertex.saturating_mul(given.len());
                for (input, value) in given.iter().zip(values.get(start..).unwrap_or_default()) {
                    if let Some(to) = inputs.get_mut(*input as usize) {
                        *to = *value;
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
    /// True if it may kill what it runs for.
    pub kills: bool,
    /// What the machine's state does not allow the program.
    forbidden: Vec<Diagnostic>,
    watch: ReachWatch,
}

/// What a run did besides its outputs.
#[derive(Clone, Debug, Default)]
pub struct Ran {
    /// The constants that it changed, with their last values.
    pub changed: Vec<(u16, Vec4)>,
    /// How many vertices or fragments were killed.
    pub killed: usize,
    watch: ReachWatch,
}

/// Vertices that are run before the first of them is shown.
const TOGETHER: usize = 4096;

/// Of the constants that a run changed this many are shown.
const MOST_CHANGED: usize = 16;

impl Kernel {
    /// Lowers and optimizes a program for a machine in a certain state; a profile alone will do.
    pub fn new<'a>(gpu: &dyn Gpu, program: &Program, run_state: impl Into<RunState<'a>>) -> Kernel {
        let (lowered, forbidden) = gpu.lower_in(program, &run_state.into());
        let isa = gpu.about().isa;
        let name = |index: u16| output_name(isa, index);
        let undefined = undefined_components(isa, &lowered);
        let undefined = undefined.into_iter().map(|(index, components)| (name(index), components)).collect();
        let (function, watch) = ReachWatch::new(&lowered);
        let function = passes::optimize(&function);
        let outputs = || function.outputs.iter().filter(|(index, _)| *index < WATCHED_OUTPUT);
        let names = outputs().map(|(index, _)| name(*index)).collect();
        let used = |which: fn(&Inst) -> Option<u16>| {
            let mut used: Vec<u16> = function.insts.iter().filter_map(which).collect();
            used.sort_unstable();
            used.dedup();
            used
        };
        let inputs = used(|inst| if let Inst::Input(index) = inst { Some(*index) } else { None });
        let constants = used(|inst| if let Inst::Uniform(index) = inst { Some(*index) } else { None });
        let kills = function.insts.iter().any(|inst| matches!(inst, Inst::Kill(_)));
        Kernel { names, inputs, constants, undefined, kills, forbidden, watch, function }
    }

    /// Runs it for vertices from `first` on, one after the other. `each` gets the vertex's number and the outputs, in
    /// the order of [`names`](Kernel::names), or nothing for one that was killed, and says whether to go on. Constants
    /// that the program writes count from the next vertex on.
    pub fn run(
        &self,
        vertices: &Vertices,
        first: usize,
        constants: &[Vec4],
        mut each: impl FnMut(usize, Option<&[Vec4]>) -> ControlFlow<()>,
    ) -> Ran {
        let fast = gpuzoo_engine::Kernel::compile(&self.function).ok();
        if let Some(fast) = fast.filter(|fast| !fast.writes_from(CONSTANT_OUTPUT)) {
            return self.run_together(&fast, vertices, first, constants, each);
        }
        let mut inputs = vec![[0; 4]; self.function.input_count()];
        let mut outputs = vec![[0; 4]; self.names.len()];
        let mut run = Run::default();
        let mut written = constants.to_vec();
        let mut watch = self.watch.clone();
        let watched = || self.function.outputs.iter().skip(self.names.len());
        let mut killed = 0;
        for vertex in first..vertices.count() {
            vertices.fetch(vertex, &mut inputs);
            run.run(&self.function, &inputs, &written, &NoTextures);
            for (output, (_, value)) in outputs.iter_mut().zip(&self.function.outputs) {
                *output = run.value(*value);
            }
            write_constants(&self.function, &run, &mut written);
            watched().for_each(|(output, value)| watch.see(vertex, *output, run.value(*value)[0]));
            let alive = run.killed().is_none();
            killed += usize::from(!alive);
            if each(vertex, alive.then_some(&outputs)).is_break() {
                break;
            }
        }
        let old = |index: usize| constants.get(index).copied().unwrap_or_default();
        let changed = written.iter().enumerate().filter(|(index, value)| **value != old(*index));
        Ran { changed: changed.map(|(index, value)| (index as u16, *value)).collect(), killed, watch }
    }

    /// As [`run`](Kernel::run), many vertices at a time: for programs that write no constants.
    fn run_together(
        &self,
        fast: &gpuzoo_engine::Kernel,
        vertices: &Vertices,
        first: usize,
        constants: &[Vec4],
        mut each: impl FnMut(usize, Option<&[Vec4]>) -> ControlFlow<()>,
    ) -> Ran {
        let (width, count) = (self.function.input_count(), fast.outputs().len());
        let call = Call { uniforms: constants, ..Call::default() };
        let mut ran = Ran { watch: self.watch.clone(), ..Ran::default() };
        let last = vertices.count();
        for start in (first..last).step_by(TOGETHER) {
            let lanes = TOGETHER.min(last - start);
            let mut inputs = vec![[0; 4]; lanes * width];
            for (vertex, inputs) in (start..).zip(inputs.chunks_exact_mut(width.max(1))) {
                vertices.fetch(vertex, inputs);
            }
            let mut outputs = vec![[0; 4]; lanes * count];
            let mut killed = vec![0; if fast.kills() { lanes } else { 0 }];
            let to = RowsMut { values: &mut outputs, width: count, killed: &mut killed };
            fast.run_parallel(0..lanes, &Rows { values: &inputs, width }, &call, to);
            for lane in 0..lanes {
                let (own, watched) = outputs[lane * count..][..count].split_at(self.names.len());
                let numbers = &fast.outputs()[self.names.len()..];
                for (number, value) in numbers.iter().zip(watched) {
                    ran.watch.see(start + lane, *number, value[0]);
                }
                let alive = killed.get(lane).is_none_or(|killed| *killed == 0);
                ran.killed += usize::from(!alive);
                if each(start + lane, alive.then_some(own)).is_break() {
                    return ran;
                }
            }
        }
        ran
    }

    /// The outputs of every vertex; none for those that were killed.
    pub fn outputs(&self, vertices: &Vertices, constants: &[Vec4]) -> Vec<Vec<Vec4>> {
        let mut all = Vec::new();
        self.run(vertices, 0, constants, |_, outputs| {
            all.push(outputs.unwrap_or_default().to_vec());
            ControlFlow::Continue(())
        });
        all
    }

    /// What is worth knowing before its outputs are trusted: inputs and constants that were not given, and output
    /// components that depend on nothing written.
    pub fn remarks(&self, isa: &Isa, vertices: &Vertices, given: &[u16]) -> Vec<Diagnostic> {
        let mut remarks = self.forbidden.clone();
        if vertices.count() == 0 {
            remarks.push(Diagnostic::warning(&NO_VERTICES, "there are no vertices to run the program on"));
        }
        let missing = |wanted: fn(FileKind) -> bool, used: &[u16], gives: &dyn Fn(u16) -> bool| {
            let missing = used.iter().filter(|index| !gives(**index));
            let name =
                |index: &u16| file(isa, wanted).map_or(String::new(), |(_, file)| file.reg_name(*index));
            missing.map(name).collect::<Vec<_>>()
        };
        let inputs = missing(|kind| kind == FileKind::Input, &self.inputs, &|input| vertices.gives(input));
        if !inputs.is_empty() {
            let names = list(inputs.iter().map(String::as_str));
            let message = format!("the program reads {names}, which the vertices do not give");
            remarks.push(Diagnostic::warning(&MISSING_INPUT, message).note("read as zeros"));
        }
        let constants =
            missing(|kind| kind == FileKind::Constant, &self.constants, &|index| given.contains(&index));
        if !constants.is_empty() {
            let names = list(constants.iter().map(String::as_str));
            let message = format!("the program reads {names}, which was not given");
            let remark = Diagnostic::new(Severity::Note, &MISSING_CONSTANT, message);
            remarks.push(
                remark
                    .note("read as zeros")
                    .help("give constants with `--set c0=1,0,0,1` or `--constant-file FILE`"),
            );
        }
        if !self.undefined.is_empty() {
            let components: Vec<String> =
                self.undefined.iter().map(|(name, components)| format!("{name}.{components}")).collect();
            let names = list(components.iter().map(String::as_str));
            let message = format!("nothing was written that {names} could come from");
            let remark = Diagnostic::new(Severity::Note, &UNDEFINED_COMPONENTS, message);
            remarks.push(
                remark.note(
                    "the start values of the registers are shown; the machine itself may give anything",
                ),
            );
        }
        remarks
    }
}

impl Ran {
    /// What is worth knowing after a run: what was killed, constants that it changed, and those that it sought beyond
    /// the machine's.
    pub fn remarks(&self, isa: &Isa, program: &Program) -> Vec<Diagnostic> {
        let mut remarks = self.unreached(isa, program);
        if self.killed > 0 {
            let message = match self.killed {
                1 => "the program killed one run".to_owned(),
                count => format!("the program killed {count} runs"),
            };
            let remark = Diagnostic::new(Severity::Note, &KILLED, message);
            remarks.push(remark.note("what was killed has no results"));
        }
        remarks.extend(self.changed_constants(isa));
        remarks
    }

    /// Constants that it sought beyond the machine's.
    pub fn unreached(&self, isa: &Isa, program: &Program) -> Vec<Diagnostic> {
        self.watch.report(isa, program)
    }

    /// The constants that it changed, by name.
    pub fn constants(&self, isa: &Isa) -> Vec<(String, Vec4)> {
        let file = file(isa, |kind| kind == FileKind::Constant).map(|(_, file)| file);
        let name = |index: u16| file.map_or(String::new(), |file| file.reg_name(index));
        self.changed.iter().map(|(index, value)| (name(*index), *value)).collect()
    }

    fn changed_constants(&self, isa: &Isa) -> Option<Diagnostic> {
        let changed = &self.changed;
        if changed.is_empty() {
            return None;
        }
        let message = match changed.len() {
            1 => "the program changed one constant".to_owned(),
            count => format!("the program changed {count} constants"),
        };
        let mut remark = Diagnostic::new(Severity::Note, &CONSTANTS_CHANGED, message);
        for (name, value) in self.constants(isa).into_iter().take(MOST_CHANGED) {
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

/// What an output is called: its register's name, or `out0` on machines whose programs choose the registers.
pub fn output_name(isa: &Isa, index: u16) -> String {
    let outputs = file(isa, |kind| matches!(kind, FileKind::Output(_)));
    outputs.map_or(format!("out{index}"), |(_, file)| file.reg_name(index))
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
    let (register_name, component) = name.rsplit_once('.').unwrap_or((name, "x"));
    let component =
        COMPONENTS.iter().position(|letter| component.len() == 1 && component.starts_with(*letter))?;
    Some((register(file, register_name)?, component))
}

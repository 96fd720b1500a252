//! The verb `trace`: each instruction that a vertex or a fragment executes, with the registers that it changed.

mod text;

use crate::codes::NO_SUCH_VERTEX;
use crate::paint::{Ink, Paint};
use crate::run::{Vertices, output_name};
use crate::{Inputs, Program, State, session, value};
use gpuzoo_debug::Oddity;
use gpuzoo_diag::{Diagnostic, Diagnostics, Sources, json};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{FileKind, Isa, Mask, Reg, Stage};
use gpuzoo_machine::RunState;
use gpuzoo_machine::session::trace::{Change, TraceStep};
use gpuzoo_machine::session::{Place, ShaderSession};
use serde::Serialize;
use std::collections::HashSet;
use std::fmt::Write;
use std::ops::Range;

/// The vertex or fragment of a run. Results have it as a member: `"vertex": 3`, `"fragment": [3, 1]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Subject {
    /// A vertex, by number.
    Vertex(usize),
    /// A fragment, by the number of its inputs.
    Fragment(usize),
    /// A fragment of a picture, by column and row.
    #[serde(rename = "fragment")]
    Pixel(u32, u32),
}

impl Subject {
    fn of(stage: Stage, number: usize) -> Subject {
        match stage {
            Stage::Vertex => Subject::Vertex(number),
            Stage::Fragment => Subject::Fragment(number),
        }
    }

    /// Another one of the same kind; a pixel's fragment stays what it is.
    pub(crate) fn numbered(self, number: usize) -> Subject {
        match self {
            Subject::Vertex(_) => Subject::Vertex(number),
            Subject::Fragment(_) => Subject::Fragment(number),
            Subject::Pixel(..) => self,
        }
    }

    /// `vertex 3`
    pub fn text(self) -> String {
        match self {
            Subject::Vertex(number) => format!("vertex {number}"),
            Subject::Fragment(number) => format!("fragment {number}"),
            Subject::Pixel(x, y) => format!("fragment ({x}, {y})"),
        }
    }
}

/// What one vertex or fragment did.
#[derive(Clone)]
pub struct Trace {
    /// Whose run it is.
    pub subject: Subject,
    /// The machine's instruction set.
    pub isa: &'static Isa,
    /// The run.
    pub session: ShaderSession,
    /// True if it was killed.
    pub killed: bool,
    /// The outputs at the end, unless it was killed.
    pub outputs: Vec<Output>,
    /// Inputs and constants that it reads and nobody gives.
    pub missing: Vec<Reg>,
    /// The steps that are shown.
    pub shown: Range<usize>,
}

/// An output of a run.
#[derive(Clone, Debug)]
pub struct Output {
    /// What it is called where outputs are listed.
    pub name: String,
    /// The register that holds it, if it is one's last value.
    pub reg: Option<Reg>,
    /// The components that were written.
    pub written: Mask,
    /// Its value.
    pub value: Vec4,
    /// Its components that are integers; the others are floats.
    pub integers: Mask,
}

/// One of the lines of a trace, for scripts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Line<'a> {
    /// The first line.
    Start(StartLine),
    /// An instruction.
    Step(StepLine<'a>),
    /// The run was killed.
    Killed(KilledLine),
    /// The last line.
    Outputs(OutputsLine<'a>),
}

/// The registers that instructions write, before the first instruction.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StartLine {
    /// The vertex or fragment.
    #[serde(flatten)]
    pub subject: Subject,
    /// Registers and their values.
    #[serde(serialize_with = "json::object")]
    pub start: Vec<(String, [value::Component; 4])>,
}

/// An instruction that was executed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StepLine<'a> {
    /// The vertex or fragment.
    #[serde(flatten)]
    pub subject: Subject,
    /// The slot, from 0.
    pub slot: u64,
    /// The line of its text, from 1, if it has one.
    pub line: Option<usize>,
    /// The instruction.
    pub text: &'a str,
    /// The registers that it wrote.
    pub changes: Vec<Written>,
}

/// A register that an instruction wrote.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Written {
    /// Its name.
    pub register: String,
    /// The letters of the components that were written.
    pub components: String,
    /// The values of these components.
    pub after: Vec<value::Component>,
    /// The letters of those that are integers, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub integers: Option<String>,
}

/// The end of a run that was killed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct KilledLine {
    /// The vertex or fragment.
    #[serde(flatten)]
    pub subject: Subject,
    /// True.
    pub killed: bool,
}

/// The outputs of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct OutputsLine<'a> {
    /// The vertex or fragment.
    #[serde(flatten)]
    pub subject: Subject,
    /// Names and values.
    #[serde(serialize_with = "json::object")]
    pub outputs: Vec<(&'a str, [value::Component; 4])>,
    /// Names, and the letters of components that are integers.
    #[serde(serialize_with = "json::object", skip_serializing_if = "Vec::is_empty")]
    pub integers: Vec<(&'a str, String)>,
}

impl Program {
    /// The run of one of the vertices that `inputs` give, in a state of the machine.
    ///
    /// ```
    /// use gpuzoo::Inputs;
    /// use gpuzoo::machine::session::Session;
    /// let program = gpuzoo::nv2a().assemble("p.vsh", "add oPos, v0, v0")?;
    /// let inputs = Inputs::new().set("v0", &[[1.0, 2.0, 3.0, 4.0]])?;
    /// let trace = program.trace("hw", &inputs, 0)?;
    /// assert_eq!(trace.session.total(), Some(1));
    /// assert_eq!(program.trace("hw", &inputs, 1).err().unwrap().list[0].code.id, "G0212");
    /// # Ok::<(), gpuzoo::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`kernel`](Program::kernel) and [`Kernel::run`](crate::Kernel::run), and `G0212` for a vertex that there is
    /// not.
    pub fn trace<'a>(
        &self,
        state: impl Into<State<'a>>,
        inputs: &Inputs,
        vertex: usize,
    ) -> Result<Trace, Diagnostics> {
        let state = state.into();
        let kernel = self.kernel(state.clone())?;
        let (vertices, constants) = inputs.resolve(&kernel)?;
        let count = vertices.count();
        if vertex >= count {
            let problem = Diagnostic::error(&NO_SUCH_VERTEX, format!("there is no vertex {vertex}"));
            return Err(problem.help(format!("there are {count}, counted from 0")).into());
        }
        let resolved = self.resolved(state)?;
        let (values, given) = (&constants.values, &constants.given);
        Ok(trace(self, &resolved.state(), &vertices, vertex, values, given))
    }
}

/// Runs a program for one vertex or fragment and notes what every instruction changed. `given` are the numbers of the constants
/// that have a value.
pub fn trace(
    program: &Program,
    run_state: &RunState,
    vertices: &Vertices,
    vertex: usize,
    constants: &[Vec4],
    given: &[u16],
) -> Trace {
    let isa = program.isa();
    let session = session::of_program(program, run_state, vertices, vertex, constants);
    let is_given = |kind, index: u16| match kind {
        FileKind::Input => vertices.gives(index),
        _ => given.contains(&index),
    };
    let stage = session.dataflow().lowered().stage;
    Trace::of(Subject::of(stage, vertex), isa, session, is_given)
}

/// The outputs of a run, in the order of their numbers.
fn outputs(isa: &Isa, session: &ShaderSession) -> Vec<Output> {
    use gpuzoo_isa::Output::Register;
    let flow = session.dataflow();
    let lowered = flow.lowered();
    let file = isa.files.iter().position(|file| matches!(file.kind, FileKind::Output(_)));
    let own = lowered.function.outputs.iter().filter_map(|&(number, value)| {
        let Register(index) = gpuzoo_isa::Output::of(number) else { return None };
        // It was written as an output, or is what a register of another file holds at the end.
        let writes = || lowered.steps.iter().rev().flat_map(|step| &step.writes);
        let own = file.map(|file| Reg { file: file as u8, index });
        let own = own.filter(|own| writes().any(|write| write.0 == *own));
        let held = || writes().map(|write| write.0).find(|reg| lowered.last(*reg) == Some(value));
        let reg = own.or_else(held);
        let written =
            Mask(writes().filter(|write| Some(write.0) == reg).fold(0, |mask, write| mask | write.2.0));
        let (name, integers) = (output_name(isa, index), flow.integers(value));
        Some(Output { name, reg, written, value: flow.value(value), integers })
    });
    own.collect()
}

impl Trace {
    /// The trace of a session. `is_given` says whether an input or a constant of a number has a value from somewhere.
    pub fn of(
        subject: Subject,
        isa: &'static Isa,
        session: ShaderSession,
        is_given: impl Fn(FileKind, u16) -> bool,
    ) -> Trace {
        let outputs = if session.killed() { Vec::new() } else { outputs(isa, &session) };
        let missing = session.registers().map(|(reg, _)| reg).filter(|reg| {
            let kind = isa.file(*reg).kind;
            matches!(kind, FileKind::Input | FileKind::Constant) && !is_given(kind, reg.index)
        });
        let missing = missing.collect();
        Trace { subject, isa, killed: session.killed(), outputs, missing, shown: 0..usize::MAX, session }
    }

    fn steps(&self) -> impl Iterator<Item = (&Place, &TraceStep)> {
        let all = self.session.places().zip(self.session.steps());
        all.skip(self.shown.start).take(self.shown.len())
    }

    /// The same for a vertex, or fragment, that comes behind so many others.
    #[must_use]
    pub fn behind(mut self, others: usize) -> Trace {
        if let Subject::Vertex(number) | Subject::Fragment(number) = &mut self.subject {
            *number += others;
        }
        self
    }

    /// With so many steps of it shown, after those that are left out.
    #[must_use]
    pub fn only(mut self, skip: u64, steps: u64) -> Trace {
        let skip = usize::try_from(skip).unwrap_or(usize::MAX);
        self.shown = skip..skip.saturating_add(usize::try_from(steps).unwrap_or(usize::MAX));
        self
    }

    pub(crate) fn component(bits: bool, component: u32, is_integer: bool, paint: Paint) -> String {
        let text = value::typed(component, is_integer, bits);
        match Oddity::typed(component, is_integer) {
            Some(Oddity::NotANumber | Oddity::Infinite) => paint.ink(Ink::Odd, text),
            _ => text,
        }
    }

    /// `, killed in slot 3: KIL R1.x;`; empty for a run to the end.
    pub fn fate(&self) -> String {
        match self.session.places().last().filter(|_| self.killed) {
            Some(place) => format!(", killed in slot {}: {}", place.at, place.text),
            None => String::new(),
        }
    }

    /// `oD0 = (1, 0, 0, 1)`
    pub(crate) fn output(&self, output: &Output, bits: bool, paint: Paint) -> String {
        let components = [0, 1, 2, 3].map(|at: u8| {
            Self::component(bits, output.value[usize::from(at)], output.integers.has(at), paint)
        });
        format!("{} = ({})", output.name, components.join(", "))
    }

    /// For scripts, where `integers` names the components that are integers: a line of JSON with what the registers
    /// hold that instructions write, before the first of these; a line for each instruction
    /// with the components that it wrote; then one for the outputs, or that it was killed. `sources` give the line of a text that an instruction
    /// comes from.
    pub fn json_lines(&self, sources: &Sources, bits: bool) -> String {
        let mut text = String::new();
        for line in self.lines(sources, bits) {
            let _ = writeln!(text, "{}", json::text(&line));
        }
        text
    }

    /// The lines that [`json_lines`](Trace::json_lines) writes.
    pub fn lines<'a>(&'a self, sources: &'a Sources, bits: bool) -> impl Iterator<Item = Line<'a>> {
        let subject = self.subject;
        let (mut known, mut start) = (HashSet::new(), Vec::new());
        for change in self.steps().flat_map(|(_, step)| &step.changes) {
            if known.insert(change.reg) {
                let name = self.session.name(change.reg).to_string();
                start.push((name, value::json_components(change.before, change.integers[0], bits)));
            }
        }
        let start = (!start.is_empty()).then_some(Line::Start(StartLine { subject, start }));
        let steps = self.steps().map(move |(place, step)| Line::Step(self.step(place, step, sources, bits)));
        let killed = self.killed.then_some(Line::Killed(KilledLine { subject, killed: true }));
        let outputs = (!self.outputs.is_empty()).then(|| Line::Outputs(self.outputs_line(bits)));
        start.into_iter().chain(steps).chain(killed).chain(outputs)
    }

    fn outputs_line(&self, bits: bool) -> OutputsLine<'_> {
        let value = |output: &Output| value::json_components(output.value, output.integers, bits);
        let integers = self.outputs.iter().filter(|output| !output.integers.is_empty());
        OutputsLine {
            subject: self.subject,
            outputs: self.outputs.iter().map(|output| (output.name.as_str(), value(output))).collect(),
            integers: integers.map(|output| (output.name.as_str(), output.integers.to_string())).collect(),
        }
    }

    fn step<'a>(&self, place: &'a Place, step: &TraceStep, sources: &Sources, bits: bool) -> StepLine<'a> {
        let file = place.span.and_then(|span| sources.find(span.file)).filter(|file| !file.is_binary());
        let line = file.zip(place.span).map(|(file, span)| file.place(span.start).line);
        let change = |change: &Change| {
            let name = self.session.name(change.reg).to_string();
            Written::of(name, change, bits)
        };
        let changes = step.changes.iter().map(change).collect();
        StepLine { subject: self.subject, slot: place.at, line, text: &place.text, changes }
    }
}

impl Written {
    fn of(register: String, change: &Change, bits: bool) -> Written {
        let components = change.components;
        let integers = Mask(components.0 & change.integers[1].0);
        Written {
            register,
            components: components.to_string(),
            after: after(change, bits),
            integers: (!integers.is_empty()).then(|| integers.to_string()),
        }
    }
}

/// The values of the components that were written.
pub(crate) fn after(change: &Change, bits: bool) -> Vec<value::Component> {
    let written = [0, 1, 2, 3].into_iter().filter(|at: &u8| change.components.has(*at));
    let typed =
        written.map(|at| value::json_typed(change.after[usize::from(at)], change.integers[1].has(at), bits));
    typed.collect()
}

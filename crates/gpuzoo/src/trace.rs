//! The verb `trace`: each instruction that a vertex or a fragment executes, with the registers that it changed.

use crate::Program;
use crate::run::{Vertices, output_name};
use crate::{session, value};
use gpuzoo_diag::Sources;
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{COMPONENTS, Output, Stage};
use gpuzoo_machine::RunState;
use gpuzoo_machine::session::{Place, ShaderSession};
use gpuzoo_machine::trace::{Change, TraceStep};
use serde_json::{Value as Json, json};
use std::fmt::Write;
use std::ops::Range;

/// Whose run is traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject {
    /// A vertex, by number.
    Vertex(usize),
    /// A fragment, by the number of its inputs.
    Fragment(usize),
    /// A fragment of a picture, by column and row.
    Pixel(u32, u32),
}

impl Subject {
    fn of(stage: Stage, number: usize) -> Subject {
        match stage {
            Stage::Vertex => Subject::Vertex(number),
            Stage::Fragment => Subject::Fragment(number),
        }
    }

    fn text(self) -> String {
        match self {
            Subject::Vertex(number) => format!("vertex {number}"),
            Subject::Fragment(number) => format!("fragment {number}"),
            Subject::Pixel(x, y) => format!("fragment ({x}, {y})"),
        }
    }

    fn json(self) -> (&'static str, Json) {
        match self {
            Subject::Vertex(number) => ("vertex", json!(number)),
            Subject::Fragment(number) => ("fragment", json!(number)),
            Subject::Pixel(x, y) => ("fragment", json!([x, y])),
        }
    }
}

/// What one vertex or fragment did.
#[derive(Clone)]
pub struct Trace {
    /// Whose run it is.
    pub subject: Subject,
    /// The run.
    pub session: ShaderSession,
    /// True if it was killed.
    pub killed: bool,
    /// The outputs at the end, if they were asked for.
    pub outputs: Vec<(String, Vec4)>,
    /// The steps that are shown.
    pub shown: Range<usize>,
}

/// Runs a program for one vertex or fragment and notes what every instruction changed.
pub fn trace(
    program: &Program,
    run_state: &RunState,
    vertices: &Vertices,
    vertex: usize,
    constants: &[Vec4],
) -> Trace {
    let isa = program.isa();
    let (lowered, run) = session::run(program, run_state, vertices, vertex, constants);
    let session = ShaderSession::of_run(isa, program.code(), &lowered, &run);
    let is_own = |(number, _): &&(u16, _)| matches!(Output::of(*number), Output::Register(_));
    let own = lowered.function.outputs.iter().filter(is_own);
    let outputs = own.map(|&(index, value)| (output_name(isa, index), run.value(value)));
    let outputs = if session.killed() { Vec::new() } else { outputs.collect() };
    let subject = Subject::of(lowered.stage, vertex);
    Trace { subject, killed: session.killed(), shown: 0..usize::MAX, session, outputs }
}

/// True if the component was written and holds other bits now.
fn changed(change: &Change, component: usize) -> bool {
    change.components.has(component as u8) && change.before[component] != change.after[component]
}

impl Trace {
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

    fn component(bits: bool, component: u32) -> String {
        if bits { value::pattern(component) } else { value::show(component) }
    }

    /// For people: a line for each instruction, a line for each register that it wrote. A component that changed has a
    /// `*`; a component that was not written is `_`.
    pub fn text(&self, bits: bool) -> String {
        let fate = if self.killed { ", killed" } else { "" };
        let mut text = format!("{}{fate} (* changed, _ not written)\n", self.subject.text());
        for (place, step) in self.steps() {
            let _ = writeln!(text, "{:>4}  {}", place.at, place.text);
            for change in &step.changes {
                let components = [0, 1, 2, 3].map(|component| match change.components.has(component as u8) {
                    false => "_".to_owned(),
                    true => {
                        let mark = if changed(change, component) { "*" } else { "" };
                        format!("{mark}{}", Self::component(bits, change.after[component]))
                    }
                });
                let _ = writeln!(
                    text,
                    "          {} = ({})",
                    self.session.name(change.reg),
                    components.join(", ")
                );
            }
        }
        if !self.outputs.is_empty() {
            text += "outputs\n";
        }
        for (name, value) in &self.outputs {
            let components = value.map(|component| Self::component(bits, component));
            let _ = writeln!(text, "          {} = ({})", name, components.join(", "));
        }
        text
    }

    /// For scripts: a line of JSON for each instruction, then one for the outputs, or that it was killed. `sources` give
    /// the line of a text that an instruction comes from.
    pub fn json_lines(&self, sources: &Sources, bits: bool) -> String {
        let mut text = String::new();
        for (place, step) in self.steps() {
            let _ = writeln!(text, "{}", self.step(place, step, sources, bits));
        }
        let (subject, number) = self.subject.json();
        if self.killed {
            let _ = writeln!(text, "{}", json!({ subject: number, "killed": true }));
        }
        if self.outputs.is_empty() {
            return text;
        }
        let outputs =
            self.outputs.iter().map(|(name, value)| (name.clone(), value::json_components(*value, bits)));
        let outputs: serde_json::Map<String, Json> = outputs.collect();
        let _ = writeln!(text, "{}", json!({ subject: number, "outputs": outputs }));
        text
    }

    fn step(&self, place: &Place, step: &TraceStep, sources: &Sources, bits: bool) -> Json {
        let file = place.span.and_then(|span| sources.find(span.file)).filter(|file| !file.is_binary());
        let line = file.zip(place.span).map(|(file, span)| file.place(span.start).line);
        let change = |change: &Change| {
            let letters = |wanted: &dyn Fn(usize) -> bool| -> String {
                (0..4).filter(|component| wanted(*component)).map(|component| COMPONENTS[component]).collect()
            };
            json!({
                "register": self.session.name(change.reg),
                "written": letters(&|component| change.components.has(component as u8)),
                "changed": letters(&|component| changed(change, component)),
                "before": value::json_components(change.before, bits),
                "after": value::json_components(change.after, bits),
            })
        };
        let changes: Vec<Json> = step.changes.iter().map(change).collect();
        json!({
            self.subject.json().0: self.subject.json().1,
            "slot": place.at,
            "line": line,
            "text": place.text,
            "changes": changes,
        })
    }
}

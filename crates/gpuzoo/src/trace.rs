//! The verb `trace`: each instruction that a vertex executes, with the registers that it changed.

use crate::Program;
use crate::run::{Vertices, output_name};
use crate::value;
use gpuzoo_diag::Sources;
use gpuzoo_ir::Vec4;
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_isa::{COMPONENTS, Output};
use gpuzoo_machine::draw::VertexConstants;
use gpuzoo_machine::trace::{Change, TraceStep, steps};
use gpuzoo_machine::{Gpu, RunState};
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// Whose run is traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject {
    /// A vertex, by number.
    Vertex(usize),
    /// A fragment, by column and row.
    Fragment(u32, u32),
}

impl Subject {
    fn text(self) -> String {
        match self {
            Subject::Vertex(number) => format!("vertex {number}"),
            Subject::Fragment(x, y) => format!("fragment ({x}, {y})"),
        }
    }

    fn json(self) -> (&'static str, Json) {
        match self {
            Subject::Vertex(number) => ("vertex", json!(number)),
            Subject::Fragment(x, y) => ("fragment", json!([x, y])),
        }
    }
}

/// What one vertex or fragment did.
#[derive(Clone)]
pub struct Trace<'a> {
    pub(crate) gpu: &'a dyn Gpu,
    pub(crate) program: &'a gpuzoo_isa::Program,
    /// Whose run it is.
    pub subject: Subject,
    /// The executed instructions, in order.
    pub steps: Vec<TraceStep>,
    /// True if the last of them killed it.
    pub killed: bool,
    /// The outputs at the end, if they were asked for.
    pub outputs: Vec<(String, Vec4)>,
}

/// Runs a program for one vertex and notes what every instruction changed.
pub fn trace<'a>(
    program: &'a Program,
    run_state: &RunState,
    vertices: &Vertices,
    vertex: usize,
    constants: &[Vec4],
) -> Trace<'a> {
    let (gpu, code) = (program.gpu(), program.code());
    let (lowered, _) = gpu.lower(code, run_state);
    let fetch = |vertex, inputs: &mut [Vec4]| vertices.fetch(vertex, inputs);
    let mut constants = VertexConstants::new(&lowered.function, constants);
    let mut inputs = vec![[0; 4]; lowered.function.input_count()];
    fetch(vertex, &mut inputs);
    let mut run = Run::default();
    run.run(&lowered.function, &inputs, constants.before(vertex, fetch), &NoTextures);
    let isa = gpu.about().isa;
    let output = |&(index, value): &(u16, _)| (output_name(isa, index), run.value(value));
    let own = lowered
        .function
        .outputs
        .iter()
        .filter(|(number, _)| matches!(Output::of(*number), Output::Register(_)));
    let mut steps = steps(&lowered, &run);
    let stopped = run.killed().and_then(|kill| lowered.function.origins.get(kill.index()).copied().flatten());
    // What was killed has stopped there.
    if let Some(last) = stopped.and_then(|slot| steps.iter().position(|step| step.slot == slot as usize)) {
        steps.truncate(last + 1);
    }
    let killed = run.killed().is_some();
    let outputs = if killed { Vec::new() } else { own.map(output).collect() };
    Trace { gpu, program: code, subject: Subject::Vertex(vertex), steps, killed, outputs }
}

/// True if the component was written and holds other bits now.
fn changed(change: &Change, component: usize) -> bool {
    change.components.has(component as u8) && change.before[component] != change.after[component]
}

impl Trace<'_> {
    fn instruction(&self, slot: usize) -> String {
        let mut text = String::new();
        if let Some(slot) = self.program.slots.get(slot) {
            self.gpu.about().isa.print_slot(slot, &mut text);
        }
        text
    }

    fn component(bits: bool, component: u32) -> String {
        if bits { value::pattern(component) } else { value::show(component) }
    }

    /// For people: a line for each instruction, a line for each register that it wrote. A component that changed has a
    /// `*`; a component that was not written is `_`.
    pub fn text(&self, bits: bool) -> String {
        let isa = self.gpu.about().isa;
        let fate = if self.killed { ", killed" } else { "" };
        let mut text = format!("{}{fate} (* changed, _ not written)\n", self.subject.text());
        for step in &self.steps {
            let _ = writeln!(text, "{:>4}  {}", step.slot, self.instruction(step.slot));
            for change in &step.changes {
                let components = [0, 1, 2, 3].map(|component| match change.components.has(component as u8) {
                    false => "_".to_owned(),
                    true => {
                        let mark = if changed(change, component) { "*" } else { "" };
                        format!("{mark}{}", Self::component(bits, change.after[component]))
                    }
                });
                let _ =
                    writeln!(text, "          {} = ({})", isa.reg_name(change.reg), components.join(", "));
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

    /// For scripts: a line of JSON for each instruction, then one for the outputs, or that it was
    /// killed. `sources` give the line of a text
    /// that an instruction comes from.
    pub fn json_lines(&self, sources: &Sources, bits: bool) -> String {
        let mut text = String::new();
        for step in &self.steps {
            let _ = writeln!(text, "{}", self.step(step, sources, bits));
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

    fn step(&self, step: &TraceStep, sources: &Sources, bits: bool) -> Json {
        let isa = self.gpu.about().isa;
        let span = self.program.slots.get(step.slot).map(|slot| slot.span);
        let file = span.and_then(|span| sources.find(span.file)).filter(|file| !file.is_binary());
        let line = file.zip(span).map(|(file, span)| file.place(span.start).line);
        let change = |change: &Change| {
            let letters = |wanted: &dyn Fn(usize) -> bool| -> String {
                (0..4).filter(|component| wanted(*component)).map(|component| COMPONENTS[component]).collect()
            };
            json!({
                "register": isa.reg_name(change.reg),
                "written": letters(&|component| change.components.has(component as u8)),
                "changed": letters(&|component| changed(change, component)),
                "before": value::json_components(change.before, bits),
                "after": value::json_components(change.after, bits),
            })
        };
        let changes: Vec<Json> = step.changes.iter().map(change).collect();
        json!({
            self.subject.json().0: self.subject.json().1,
            "slot": step.slot,
            "line": line,
            "text": self.instruction(step.slot),
            "changes": changes,
        })
    }
}

//! Vectors of made programs: `run` records (docs/conformance.md has their format).

use crate::header::execute;
use crate::meaning::stored::Stored;
use crate::regs::{COUNT, MAX_PORTS, U, r, triangle, uniform};
use crate::unit::{MAX_THREADS, Unit};
use crate::{DOCUMENT, ISA, PicoGpu, assemble, program_dwords};
use gpuzoo_diag::File;
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{Port, Profile, Program, Reg, Slot, Stage};
use gpuzoo_machine::vectors::stimulus::{ProgramVectors, Stimulus, Temporaries, copy, framed, words_json};
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// A line of a text for each of some registers.
fn declare(text: &mut String, directive: &str, registers: &[Reg]) {
    for reg in registers {
        let _ = writeln!(text, "{directive} r{}.xyzw", reg.index);
    }
}

impl ProgramVectors for PicoGpu {
    fn around(&self, body: &[Slot], temporaries: &Temporaries) -> Program {
        // Inputs, uniforms and outputs are registers that a program says; copies fill what is beyond them.
        let ports =
            |all: &[Reg], from: usize| all.iter().copied().skip(from).take(MAX_PORTS).collect::<Vec<_>>();
        let (mut inputs, uniforms) = (ports(&temporaries.read, 0), ports(&temporaries.read, MAX_PORTS));
        if inputs.is_empty() {
            inputs.push(r(0));
        }
        let written: Vec<Reg> = temporaries.written.iter().rev().copied().collect();
        let mut outputs = ports(&written, 0);
        if outputs.is_empty() {
            outputs.push(r(COUNT - 1));
        }
        let feeds: Vec<Reg> = inputs.iter().chain(&uniforms).copied().collect();
        let copy = |to: Reg, from: Reg| if feeds.contains(&to) { None } else { copy(&ISA, "mov", to, from) };
        let left = Temporaries { read: temporaries.read.clone(), written: Vec::new() };
        let slots = framed(body, &left, &feeds, &[], copy);
        let mut text = "#vertexShader\n".to_owned();
        declare(&mut text, "#input", &inputs);
        declare(&mut text, "#output", &outputs);
        declare(&mut text, "#uniform", &uniforms);
        for slot in &slots {
            ISA.print_insts(slot, &mut text);
            text.push('\n');
        }
        assemble(&File::new("stimulus", &text), DOCUMENT).program
    }

    fn counts(&self) -> [usize; 2] {
        [MAX_PORTS, ISA.files[usize::from(U)].count.into()]
    }

    fn records(
        &self,
        name: &str,
        program: &Program,
        runs: &[Stimulus],
        profile: Profile,
    ) -> Result<Vec<Json>, String> {
        let interface = program.interface.clone().ok_or("it does not say what its inputs and outputs are")?;
        let dwords = program_dwords(program);
        let stored = Stored::new(interface, &dwords, profile);
        let mut unit = Unit::new(profile);
        for dword in &dwords {
            unit.push(*dword).map_err(|error| error.to_string())?;
        }
        let mut executes = Vec::new();
        // The threads of a command share what is the same for a whole draw.
        for same in runs.chunk_by(|one, next| one.constants == next.constants) {
            for threads in same.chunks(MAX_THREADS) {
                executes.push(execution(&stored, &mut unit, threads)?);
            }
        }
        Ok(vec![json!({ "id": name, "dwords": words_json(&dwords), "executes": executes })])
    }
}

/// An execute command with its data, and what the unit answers.
fn execution(stored: &Stored, unit: &mut Unit, threads: &[Stimulus]) -> Result<Json, String> {
    let interface = &stored.interface;
    let constants = threads.first().map_or(&[][..], |first| &first.constants);
    let constant = |reg: Reg| constants.get(usize::from(reg.index)).copied().unwrap_or_default();
    let inputs: Vec<Vec<u32>> =
        threads.iter().map(|thread| thread_dwords(interface.stage, &interface.inputs, thread)).collect();
    let uniforms = (0..).zip(&interface.uniforms);
    let uniforms =
        uniforms.flat_map(|(index, port)| taken(constant(uniform(interface.stage, index)), port.components));
    let uniforms: Vec<u32> = uniforms.collect();
    let corners = (0..3).flat_map(|vertex| {
        let inputs = stored.vertex_components().enumerate();
        inputs.flat_map(move |(input, count)| taken(constant(triangle(vertex, input)), count as u8))
    });
    let corners: Vec<u32> = if interface.stage == Stage::Fragment { corners.collect() } else { Vec::new() };
    let data = inputs.iter().flatten().chain(&uniforms).chain(&corners);
    for dword in execute(threads.len() as u32).iter().chain(data) {
        unit.push(*dword).map_err(|error| error.to_string())?;
    }
    let width: usize = interface.outputs.iter().map(|port| usize::from(port.components)).sum();
    let answer: Vec<u32> = std::iter::from_fn(|| unit.take()).collect();
    let outputs: Vec<Json> = answer.chunks(width.max(1)).map(words_json).collect();
    let done = unit.executions().last().ok_or("the unit does not answer")?;
    let inputs: Vec<Json> = inputs.iter().map(|words| words_json(words)).collect();
    let mut record = json!({
        "threads": threads.len(),
        "inputs": inputs,
        "uniforms": words_json(&uniforms),
        "outputs": outputs,
        "instructions": done.instructions,
        "cycles": { "first_output": done.first_output, "last_output": done.last_output },
    });
    if !corners.is_empty() {
        record["triangle"] = words_json(&corners);
    }
    Ok(record)
}

/// What a thread is sent: its inputs, or x and y of its pixel.
fn thread_dwords(stage: Stage, ports: &[Port], thread: &Stimulus) -> Vec<u32> {
    let value = |index: usize| thread.inputs.get(index).copied().unwrap_or_default();
    match stage {
        Stage::Vertex => {
            ports.iter().enumerate().flat_map(|(index, port)| taken(value(index), port.components)).collect()
        }
        Stage::Fragment => taken(value(0), 2).collect(),
    }
}

/// The first components of a value.
fn taken(value: Vec4, components: u8) -> impl Iterator<Item = u32> {
    value.into_iter().take(components.into())
}

//! How much of an ancestry matters: of the instructions that it lists, few can be left out without any of many inputs
//! showing it.
//!
//! The programs are those of the examples and of the golden folders `programs` and `texts`, written to do something. Their inputs, and what
//! registers hold before the first instruction, are random numbers from -2 to 2, their constants those of the text, or else such numbers.
#![allow(clippy::disallowed_macros, reason = "its figures are in the book")]

#[path = "../without.rs"]
mod without;

use super::texts::texts;
use gpuzoo::debug::Ancestry;
use gpuzoo::ir::eval::{Run, Textures};
use gpuzoo::ir::{Value, Vec4};
use gpuzoo::isa::{COMPONENTS, FileKind, Lowered, Mask, Poke, Program, Reg, numbers};
use gpuzoo::machine::RunState;
use gpuzoo::read::Form;
use gpuzoo::session::{Dataflow, ShaderSession};
use gpuzoo::trace::{Subject, Trace};
use gpuzoo::{Machine, ShaderUnit};
use std::collections::BTreeMap;

/// Inputs that an instruction's absence can show with.
const INPUTS: u64 = 64;
/// The most that ancestries of outputs may list without use, in per cent.
const MOST: usize = 5;

fn random(seed: u64, count: usize) -> Vec<Vec4> {
    let mut pick = numbers(seed);
    let mut one = || pick(1 << 16) as f32 / 16384.0 - 2.0;
    (0..count).map(|_| [0; 4].map(|_: u32| one().to_bits())).collect()
}

/// A texture in which all places differ.
struct Noise;

impl Textures for Noise {
    fn sample(&self, unit: u8, [s, t, ..]: Vec4) -> Vec4 {
        random(u64::from(unit) ^ u64::from(s) << 32 ^ u64::from(t), 1)[0]
    }
}

/// The registers that a program changes.
fn registers(gpu: &dyn ShaderUnit) -> Vec<Reg> {
    gpu.isa().regs(|kind| matches!(kind, FileKind::Temporary(_) | FileKind::Output(_))).collect()
}

/// The program with numbers in its registers before the first instruction. (Without, one that clears them would have no use.)
fn begun(gpu: &dyn ShaderUnit, program: &Program) -> Program {
    let regs = registers(gpu);
    let start = regs.iter().zip(random(u64::MAX, regs.len()));
    let poke = |(reg, bits): (&Reg, Vec4)| Poke {
        step: 0,
        reg: *reg,
        components: Mask::ALL,
        bits,
        integers: Mask(0),
    };
    Program { pokes: start.map(poke).collect(), ..program.clone() }
}

/// What a register holds at the end.
fn end(lowered: &Lowered, reg: Reg) -> Option<Value> {
    let written = lowered.steps.iter().rev().flat_map(|step| &step.writes).find(|write| write.0 == reg);
    let begun = || lowered.pokes.iter().find(|poked| poked.reg == reg).map(|poked| poked.value);
    written.map(|write| write.1).or_else(begun)
}

/// The values of a run.
fn run(program: &Program, lowered: &Lowered, seed: u64) -> Run {
    let mut constants = random(2 * seed + 1, 256);
    for (number, value) in program.defined() {
        constants[usize::from(number)] = value;
    }
    let mut run = Run::default();
    run.run(&lowered.function, &random(2 * seed, 16), &constants, &Noise);
    run
}

/// What is listed, and what of it nothing shows: of outputs, and of all registers, those included of which the program uses some components only.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    programs: usize,
    outputs: [usize; 2],
    all: [usize; 2],
}

fn count(gpu: &'static dyn ShaderUnit, name: &str, program: &Program, count: &mut Count) {
    let program = &begun(gpu, program);
    let lower = move |program: &Program| gpu.lower(program, &RunState::default()).0;
    let lowered = lower(program);
    let runs: Vec<Run> = (0..INPUTS).map(|seed| run(program, &lowered, seed)).collect();
    let session = ShaderSession::new(gpu.isa(), program, move |program| {
        let lowered = lower(program);
        let run = run(program, &lowered, 0);
        Dataflow::new(lowered, None, |value| run.value(value))
    });
    // Without each step: the lowered program, and its runs.
    let short: Vec<(Lowered, Vec<Run>)> = lowered
        .steps
        .iter()
        .map(|step| {
            let program = without::without(program, step);
            let lowered = lower(&program);
            let runs = (0..INPUTS).map(|seed| run(&program, &lowered, seed)).collect();
            (lowered, runs)
        })
        .collect();
    count.programs += 1;
    let mut idle: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let outputs = Trace::of(Subject::Vertex(0), gpu.isa(), session.clone(), |_, _| true).outputs;
    for reg in registers(gpu) {
        for component in 0..4u8 {
            let ancestry = Ancestry::of(gpu.isa(), &session, reg, Mask(1 << component), lowered.steps.len());
            for step in ancestry.steps() {
                let at = |lowered: &Lowered, run: &Run| {
                    end(lowered, reg).map(|value| run.value(value)[usize::from(component)])
                };
                let (without, its) = &short[step];
                let shows = runs.iter().zip(its).any(|(run, its)| at(&lowered, run) != at(without, its));
                let is_output =
                    outputs.iter().any(|output| output.reg == Some(reg) && output.written.has(component));
                let both = [(true, &mut count.all), (is_output, &mut count.outputs)];
                for (_, [listed, idle]) in both.into_iter().filter(|(counts, _)| *counts) {
                    *listed += 1;
                    *idle += usize::from(!shows);
                }
                if !shows {
                    let what = format!("{}.{}", gpu.isa().reg_name(reg), COMPONENTS[usize::from(component)]);
                    idle.entry(step).or_default().push(what);
                }
            }
        }
    }
    for (step, what) in idle {
        let slot = lowered.steps[step].slot;
        let mut text = String::new();
        gpu.isa().print_part(&program.slots[slot], lowered.steps[step].part, program.numbering, &mut text);
        println!("{name}: slot {slot}, {text}: {}", what.join(" "));
    }
}

#[test]
fn most_of_an_ancestry_matters() {
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    for (gpu, path, text) in texts(&["examples", "gpus"]) {
        let folder = path.parent().unwrap();
        let is_program = path.components().any(|part| part.as_os_str() == "examples")
            || ["programs", "texts"].iter().any(|name| folder.ends_with(name));
        let Some(unit) = gpu.shader_unit().filter(|_| is_program) else { continue };
        let include = |name: &str| std::fs::read(folder.join(name)).map_err(|error| error.to_string());
        let name = path.display().to_string();
        let Ok(program) = Machine::new(unit).read(&name, text.as_bytes(), &Form::Asm.into(), Some(&include))
        else {
            continue;
        };
        count(unit, &name, program.code(), counts.entry(gpu.about().id).or_default());
    }
    let percent = |[listed, idle]: [usize; 2]| {
        format!("{idle} of {listed}, {:.1} %", 100.0 * idle as f64 / listed as f64)
    };
    println!("| machine | programs | of outputs | of all registers |\n|---|---|---|---|");
    for (id, Count { programs, outputs, all }) in &counts {
        println!("| `{id}` | {programs} | {} | {} |", percent(*outputs), percent(*all));
    }
    for (id, count) in &counts {
        let [listed, idle] = count.outputs;
        assert!(count.programs > 2 && listed > 100, "{id}: {count:?}");
        assert!(idle * 100 <= listed * MOST, "{id}: {count:?}");
    }
    assert_eq!(counts.len(), 4);
}

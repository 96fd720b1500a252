//! What is suspicious about a program that can be run.

use crate::ISA;
use crate::meaning::{different, fault, lowered, reads_texture, stage, word};
use crate::regs::{COLOR, P, U};
use crate::rules::*;
use gpuzoo_diag::Diagnostic;
use gpuzoo_isa::{Inst, Lowered, Mask, Program, Slot, Stage, list};

/// What is suspicious about a program.
pub fn check(program: &Program) -> Vec<Diagnostic> {
    if program.slots.is_empty() {
        return vec![ISA.empty(program)];
    }
    let stage = stage(program);
    let fault = fault(program, stage);
    let mut problems = Vec::new();
    let executed = fault.as_ref().map_or(program.slots.len(), |fault| fault.slot);
    for slot in &program.slots[..executed] {
        problems.extend(ignored_bits(slot));
        if let Some(inst) = &slot.inst {
            extra_cycles(slot, inst, &mut problems);
            if stage == Stage::Vertex && reads_texture(inst) {
                let message = format!("`{}` in a vertex program gives zeros", inst.op.name);
                problems.push(Diagnostic::warning(&NO_TEXTURES, message).at(slot.span));
            }
        }
    }
    let lowered = lowered(program, stage);
    let note = "registers start as 0.0";
    problems.extend(ISA.read_before_write(&program.slots, &lowered, &READ_BEFORE_WRITE, note));
    match fault {
        None => output(program, &lowered, stage, &mut problems),
        Some(fault) => {
            let place = program.slots[fault.slot].span;
            problems.push(Diagnostic::warning(fault.code(), fault.message()).at(place));
            problems.extend(ignored_bits(&program.slots[fault.slot]));
            if let [first, .., last] | [first @ last] = &program.slots[fault.slot + 1..] {
                let problem = Diagnostic::warning(&NEVER_RUNS, "these instructions never run");
                let problem = problem.at(first.span.to(last.span)).label(place, "every run ends here");
                problems.push(problem);
            }
        }
    }
    problems
}

/// Reserved bits, fields that the instruction does not have, and what is in the place of a destination that is none.
fn ignored_bits(slot: &Slot) -> Option<Diagnostic> {
    if slot.inst.is_none() || ISA.is_encoded(slot) {
        return None;
    }
    let message = format!("word {:016x} has bits that the machine ignores", word(slot));
    Some(Diagnostic::warning(&IGNORED_BITS, message).at(slot.span))
}

fn extra_cycles(slot: &Slot, inst: &Inst, problems: &mut Vec<Diagnostic>) {
    let cycles = crate::meaning::cycles(inst);
    for (file, name) in [(U, "uniforms"), (P, "shared registers")] {
        let regs = different(inst, file);
        if regs.len() > 1 {
            let names: Vec<String> = regs.iter().map(|reg| ISA.reg_name(*reg)).collect();
            let names = list(names.iter().map(String::as_str));
            let message = format!("{names} in one instruction: {cycles} cycles");
            let problem = Diagnostic::warning(&EXTRA_CYCLES, message).at(slot.span);
            let note = format!("a cycle gives one of the {name}");
            problems.push(problem.note(note).help("`MOV` one to a temporary if it is used again"));
        }
    }
}

fn output(program: &Program, lowered: &Lowered, stage: Stage, problems: &mut Vec<Diagnostic>) {
    let missing =
        lowered.unwritten_outputs.iter().any(|(reg, missing)| *reg == COLOR && *missing == Mask::ALL);
    if !missing {
        return;
    }
    let (what, result) = match stage {
        Stage::Vertex => ("the position", "the vertex is nowhere"),
        Stage::Fragment => ("the colour", "the fragment is transparent black"),
    };
    let message = format!("P9, {what}, is never written");
    let place = program.slots.last().map_or(program.span, |last| last.span);
    problems.push(Diagnostic::warning(&OUTPUT_NEVER_WRITTEN, message).label(place, result));
}

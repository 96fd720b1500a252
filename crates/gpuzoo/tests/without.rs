//! Programs with an instruction less: what it is for shows in what is missing.

use gpuzoo::isa::{Program, Step};

/// The program without what a step does, which is one of the instructions of a slot.
pub(crate) fn without(program: &Program, step: &Step) -> Program {
    let mut short = program.clone();
    let slot = &mut short.slots[step.slot];
    match (step.part, slot.insts().count()) {
        (0, 2) => slot.inst = None,
        (1, _) => slot.paired = None,
        _ => drop(short.slots.remove(step.slot)),
    }
    short
}

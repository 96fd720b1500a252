//! Facts of a whole program: its kind, the registers that it writes, the slots that run.

use crate::vertex::encoding::{is_final, targets};
use crate::vertex::regs::{C, O};
use gpuzoo_isa::{Program, Reg, Slot};

/// Kind of a program (spec section 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Runs for every vertex and writes outputs.
    #[default]
    Vertex,
    /// Runs once, when it is launched, and writes constants; v0 is what it is launched with.
    State,
}

/// Kind of a program: one that writes constants and no outputs is a state program.
pub fn kind(program: &Program) -> Kind {
    let writes = |file| writes(program, |reg| reg.file == file);
    if writes(C) && !writes(O) { Kind::State } else { Kind::Vertex }
}

/// True if a program writes such a register.
pub fn writes(program: &Program, such: impl Fn(Reg) -> bool) -> bool {
    let mut targets = running(program).iter().flat_map(Slot::insts).flat_map(targets);
    targets.any(|target| such(target.reg))
}

/// The slots up to the first with FINAL.
pub fn running(program: &Program) -> &[Slot] {
    let last = program.slots.iter().position(|slot| is_final(&slot.bits));
    &program.slots[..last.map_or(program.slots.len(), |last| last + 1)]
}

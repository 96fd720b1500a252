//! The vertex unit: its instructions, its programs and how they are written, and the fixed functions behind it.

pub(crate) mod conventions;
pub(crate) mod dialects;
pub(crate) mod encoding;
pub(crate) mod fetch;
pub(crate) mod host;
pub(crate) mod issue;
pub(crate) mod lower;
pub(crate) mod modes;
pub(crate) mod ops;
pub(crate) mod pipeline;
pub(crate) mod program;
pub(crate) mod regs;
pub(crate) mod rules;
pub(crate) mod screen;
pub(crate) mod stimulus;
pub(crate) mod syntax;
pub(crate) mod vectors;

use gpuzoo_isa::{Half, Isa, Room};

/// The instruction set.
pub static ISA: Isa = Isa {
    halves: &[
        Half { ops: ops::MAC, opcode: encoding::MAC_OP, undefined: "nothing is done" },
        Half { ops: ops::ILU, opcode: encoding::ILU_OP, undefined: "nothing is done" },
    ],
    other_fields: &[],
    files: regs::FILES,
    slot_words: 4,
    room: Room::Slots(encoding::MAX_SLOTS),
    last: Some(encoding::FINAL),
    filler: encoding::FILLER,
    syntax: &syntax::VSH,
    address: Some(regs::A0),
};

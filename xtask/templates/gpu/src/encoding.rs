//! The bit layout of the instruction word, the operands that fill it, and the limits.

use crate::regs::R;
use gpuzoo_isa::{Choice, Field, Part};

/// Program memory, in instructions.
pub const MAX_SLOTS: usize = 256;

/// The opcode.
pub const OP: Field = Field::new("op", 0, 8, "opcode");
/// The destination.
pub const DST: Field = Field::new("dst", 8, 4, "destination register");
/// The source.
pub const SRC: Field = Field::new("src", 12, 4, "source register");

const REG_DST: &[Choice] = &[Choice::wrapping(R, &[DST])];
const READ_SRC: Part = Part::read("src", 1, &[Choice::wrapping(R, &[SRC])]);

/// `end`
pub static NONE: &[Part] = &[];
/// `mov dst src`
pub static UNARY: &[Part] = &[Part::write("dst", 0, REG_DST), READ_SRC];
/// `add dst src`: the destination is the first operand, too.
pub static BINARY: &[Part] = &[Part::update("dst", 0, REG_DST), READ_SRC];

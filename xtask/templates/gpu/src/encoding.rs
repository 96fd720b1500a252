//! The bit layout of the instruction word, the operands that fill it, and the limits.

use crate::regs::{IN, OUT, R};
use gpuzoo_isa::{Choice, Field, Part};

/// Program memory, in instructions.
pub const MAX_SLOTS: usize = 256;

/// The opcode.
pub const OP: Field = Field::new("op", 0, 8, "opcode");
/// The destination.
pub const DST: Field = Field::new("dst", 8, 4, "number of the destination");
/// The source.
pub const SRC: Field = Field::new("src", 12, 4, "number of the source");
/// What the destination is.
pub const TO_OUTPUT: Field = Field::new("out", 16, 1, "destination: 0 a register, 1 an output");
/// What the source is.
pub const FROM_INPUT: Field = Field::new("in", 17, 1, "source: 0 a register, 1 an input");

const READ_SRC: Part =
    Part::read("src", 1, &[Choice::wrapping(R, &[SRC]), Choice::wrapping(IN, &[SRC]).at(1)])
        .select(FROM_INPUT);
const WRITE_DST: Part =
    Part::write("dst", 0, &[Choice::wrapping(R, &[DST]), Choice::wrapping(OUT, &[DST]).at(1)])
        .select(TO_OUTPUT);

/// `end`
pub static NONE: &[Part] = &[];
/// `mov dst src`
pub static UNARY: &[Part] = &[WRITE_DST, READ_SRC];
/// `add dst src`: the destination is the first operand, too, so it is a register.
pub static BINARY: &[Part] = &[Part::update("dst", 0, &[Choice::wrapping(R, &[DST])]), READ_SRC];

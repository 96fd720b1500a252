//! The bit layout of the instruction word (spec section 1), the formats that fill it, and the limits.

use crate::regs::{CONSTANT, INPUT, OUTPUT, R};
use gpuzoo_isa::{Choice, Field, Part, SwizzleCode};

/// Program memory, in instructions.
pub const MAX_SLOTS: usize = 64;

/// The opcode. Until February 2025 it had 4 bits and everything else lay 2 bits lower.
pub const OP: Field = Field::new("op", 0, 6, "opcode");
/// The destination.
pub const DST: Field = Field::new("dst", 6, 4, "destination register; for `st` the output, low 2 bits");
/// The source.
pub const SRC: Field =
    Field::new("src", 10, 4, "source register; for `ld` the input, low 3 bits; for `ldc` the constant");
/// Four source components.
pub const SWIZZLE: Field =
    Field::new("swizzle", 14, 8, "`shf`: source components of x, y, z, w, two bits each, x lowest");
/// Four write enables.
pub const MASK: Field = Field::new("mask", 22, 4, "`shf`: components to write, bit 0 is x");

const SRC_REG: Part = Part::read("src", 1, &[Choice::wrapping(R, &[SRC])]);
const DST_REG: &[Choice] = &[Choice::wrapping(R, &[DST])];
const WRITE_DST: Part = Part::write("dst", 0, DST_REG);

/// `end`
pub static NONE: &[Part] = &[];
/// `sqrt dst src`
pub static UNARY: &[Part] = &[WRITE_DST, SRC_REG];
/// `add dst src`: the destination is the first operand, too.
pub static BINARY: &[Part] = &[Part::update("dst", 0, DST_REG), SRC_REG];
/// `mulm dst src`: the matrix is in four registers.
pub static MATRIX: &[Part] = &[Part::update("dst", 0, DST_REG), SRC_REG.consecutive(4)];
/// `ld dst input`
pub static LOAD: &[Part] = &[WRITE_DST, Part::read("input", 1, &[Choice::bare(INPUT, &[SRC])])];
/// `ldc dst constant`
pub static LOAD_CONSTANT: &[Part] =
    &[WRITE_DST, Part::read("constant", 1, &[Choice::bare(CONSTANT, &[SRC])])];
/// `st output src`
pub static STORE: &[Part] = &[Part::write("output", 0, &[Choice::wrapping(OUTPUT, &[DST])]), SRC_REG];
/// `shf dst src swizzle mask`
pub static SHUFFLE: &[Part] = &[
    WRITE_DST,
    SRC_REG,
    Part::modify("swizzle", 1).swizzle(SWIZZLE, SwizzleCode::XLow),
    Part::modify("mask", 0).mask(MASK),
];

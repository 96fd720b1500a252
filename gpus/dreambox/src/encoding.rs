//! The bit layout of the instruction word (spec section 1), the formats that fill it, and the limits.

use crate::regs::{CONSTANT, INPUT, OUTPUT, R};
use gpuzoo_isa::{Field, Format, Part, PartKind, Role};

/// Program memory, in instructions.
pub const MAX_SLOTS: usize = 64;

/// The opcode. Until February 2025 it had 4 bits and everything else lay 2 bits lower.
pub const OP: Field = Field::new("op", 0, 6, "opcode; 25 to 62 do nothing");
/// The destination.
pub const DST: Field = Field::new("dst", 6, 4, "destination register; for `st` the output, low 2 bits");
/// The source.
pub const SRC: Field =
    Field::new("src", 10, 4, "source register; for `ld` the slot, low 3 bits; for `ldc` the constant");
/// Four source lanes.
pub const SWIZZLE: Field =
    Field::new("swizzle", 14, 8, "`shf`: source lanes of x, y, z, w, two bits each, x lowest");
/// Four write enables.
pub const MASK: Field = Field::new("mask", 22, 4, "`shf`: lanes to write, bit 0 is x");

/// Bits 26 to 31 belong to no field: the machine ignores them.
pub static FIELDS: &[Field] = &[OP, DST, SRC, SWIZZLE, MASK];

const fn part(name: &'static str, operand: u8, kind: PartKind, role: Role, file: u8, field: Field) -> Part {
    Part { name, operand, kind, role, file, field }
}

const READ_SRC: Part = part("src", 1, PartKind::Reg, Role::Read, R, SRC);
const WRITE_DST: Part = part("dst", 0, PartKind::Reg, Role::Write, R, DST);
const UPDATE_DST: Part = part("dst", 0, PartKind::Reg, Role::ReadWrite, R, DST);

/// `end`
pub static NONE: Format = Format { parts: &[] };
/// `sqrt dst src`
pub static UNARY: Format = Format { parts: &[WRITE_DST, READ_SRC] };
/// `add dst src`: the destination is the first operand, too.
pub static BINARY: Format = Format { parts: &[UPDATE_DST, READ_SRC] };
/// `ld dst slot`
pub static LOAD: Format =
    Format { parts: &[WRITE_DST, part("slot", 1, PartKind::Number, Role::Read, INPUT, SRC)] };
/// `ldc dst constant`
pub static LOAD_CONSTANT: Format =
    Format { parts: &[WRITE_DST, part("constant", 1, PartKind::Number, Role::Read, CONSTANT, SRC)] };
/// `st output src`
pub static STORE: Format =
    Format { parts: &[part("output", 0, PartKind::Name, Role::Write, OUTPUT, DST), READ_SRC] };
/// `shf dst src swizzle mask`
pub static SHUFFLE: Format = Format {
    parts: &[
        WRITE_DST,
        READ_SRC,
        part("swizzle", 1, PartKind::Swizzle, Role::Modify, R, SWIZZLE),
        part("mask", 0, PartKind::Mask, Role::Modify, R, MASK),
    ],
};

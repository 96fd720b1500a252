//! The bit layout of the instruction word, the formats that fill it, and the limits.

use crate::regs::R;
use gpuzoo_isa::{Field, Format, Part, PartKind, Role};

/// Program memory, in instructions.
pub const MAX_SLOTS: usize = 256;

/// The opcode.
pub const OP: Field = Field::new("op", 0, 8, "opcode");
/// The destination.
pub const DST: Field = Field::new("dst", 8, 4, "destination register");
/// The source.
pub const SRC: Field = Field::new("src", 12, 4, "source register");

/// All fields.
pub static FIELDS: &[Field] = &[OP, DST, SRC];

const fn reg(name: &'static str, operand: u8, role: Role, field: Field) -> Part {
    Part { name, operand, kind: PartKind::Reg, role, file: R, field }
}

/// `end`
pub static NONE: Format = Format { parts: &[] };
/// `mov dst src`
pub static UNARY: Format =
    Format { parts: &[reg("dst", 0, Role::Write, DST), reg("src", 1, Role::Read, SRC)] };
/// `add dst src`
pub static BINARY: Format =
    Format { parts: &[reg("dst", 0, Role::ReadWrite, DST), reg("src", 1, Role::Read, SRC)] };

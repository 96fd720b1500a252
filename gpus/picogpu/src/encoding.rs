//! The bits of an instruction, read in both directions (spec section 4.3), and the limits.

use crate::ops::{INIT, OPS, is_internal, takes_floats};
use crate::regs::R;
use crate::{ISA, print};
use gpuzoo_isa::{
    Bits, Field, Format, Immediates, Inst, MAX_OPERANDS, Mask, Operand, Part, PartKind, Role, Slot, Swizzle,
};

/// Program memory, in dwords: what the store command's length field can say.
pub const MAX_DWORDS: usize = 511;

/// The opcode.
pub const OP: Field = Field::new("op", 0, 6, "opcode; 34 to 63 are fatal to the unit");
const DST: Field = Field::new("dst", 6, 4, "destination register");
const SRC1: Field = Field::new("src1", 10, 4, "first source register");
const SRC2: Field = Field::new("src2", 14, 4, "second source register");
const SRC3: Field = Field::new("src3", 18, 4, "third source register");
const UNARY_MASK: Field = Field::new("mask", 14, 4, "lanes to write; bit 3 is x");
const BINARY_MASK: Field = Field::new("mask", 18, 4, "lanes to write; bit 3 is x");
const TERNARY_MASK: Field = Field::new("mask", 22, 4, "lanes to write; bit 3 is x");
const INIT_MASK: Field = Field::new("mask", 10, 4, "lanes to write; bit 3 is x");
const INIT_COUNT: Field = Field::new("count", 14, 2, "values that follow, less 1");
const BINARY_IMM_COUNT: Field = Field::new("count", 18, 2, "values that follow, less 1");
const LANES: Field = Field::new("swizzle", 14, 8, "source lanes of x, y, z, w, two bits each, x lowest");
const VALUES: [Field; 4] = [
    Field::new("value0", 32, 32, "value of the first masked lane"),
    Field::new("value1", 64, 32, "value of the second masked lane"),
    Field::new("value2", 96, 32, "value of the third masked lane"),
    Field::new("value3", 128, 32, "value of the fourth masked lane"),
];

/// All fields of all layouts; which of them a word has, its opcode says. Other bits are written 0 and ignored.
#[rustfmt::skip]
pub static FIELDS: &[Field] = &[
    OP, DST, SRC1, SRC2, SRC3, UNARY_MASK, BINARY_MASK, TERNARY_MASK, INIT_MASK, INIT_COUNT, BINARY_IMM_COUNT, LANES,
    VALUES[0], VALUES[1], VALUES[2], VALUES[3],
];

const fn part(name: &'static str, operand: u8, kind: PartKind, role: Role, field: Field) -> Part {
    Part { name, operand, kind, role, file: R, field }
}

const fn write_mask(field: Field) -> Part {
    part("mask", 0, PartKind::Mask, Role::Modify, field)
}

const WRITE: Part = part("dst", 0, PartKind::Reg, Role::Write, DST);
const A: Part = part("a", 1, PartKind::Reg, Role::Read, SRC1);
const B: Part = part("b", 2, PartKind::Reg, Role::Read, SRC2);

/// `trap`
pub static NULLARY: Format = Format { parts: &[] };
/// `mov dst.mask a`
pub static UNARY: Format = Format { parts: &[WRITE, write_mask(UNARY_MASK), A] };
/// `fadd dst.mask a b`
pub static BINARY: Format = Format { parts: &[WRITE, write_mask(BINARY_MASK), A, B] };
/// `fmad dst.mask a b c`
pub static TERNARY: Format =
    Format { parts: &[WRITE, write_mask(TERNARY_MASK), A, B, part("c", 3, PartKind::Reg, Role::Read, SRC3)] };
/// `finit dst.mask values`
pub static UNARY_IMM: Format = Format {
    parts: &[WRITE, write_mask(INIT_MASK), part("values", 1, PartKind::Immediates, Role::Read, INIT_COUNT)],
};
/// `fadd dst.mask a values`: the mask lies where a unary instruction has it.
pub static BINARY_IMM: Format = Format {
    parts: &[
        WRITE,
        write_mask(UNARY_MASK),
        A,
        part("values", 2, PartKind::Immediates, Role::Read, BINARY_IMM_COUNT),
    ],
};
/// `swizzle dst a.xyzw`
pub static SWIZZLE: Format =
    Format { parts: &[WRITE, A, part("swizzle", 1, PartKind::Swizzle, Role::Modify, LANES)] };

/// True if the row has a part of the kind.
pub fn has(inst: &Inst, kind: PartKind) -> bool {
    inst.op.format.parts.iter().any(|part| part.kind == kind)
}

/// The machine has x in the highest bit of masks, the kit in the lowest.
fn reverse(mask: u32) -> u32 {
    u32::from((mask as u8 & 15).reverse_bits() >> 4)
}

/// From an instruction to its words.
pub fn encode(inst: Option<&Inst>, _: Option<&Inst>) -> Bits {
    let mut bits = Bits::default();
    let Some(inst) = inst else { return bits };
    bits.set(OP.lo, OP.width, u32::from(inst.op.code));
    for part in inst.op.format.parts {
        let operand = &inst.operands[part.operand as usize];
        let value = match part.kind {
            PartKind::Mask => reverse(part.value(operand)),
            _ => part.value(operand),
        };
        bits.set(part.field.lo, part.field.width, value);
        let values = operand.immediates.values();
        VALUES.iter().zip(values).for_each(|(field, value)| bits.set(field.lo, field.width, *value));
    }
    bits
}

/// From words to the instruction; none for an opcode that the unit does not know.
pub fn decode(bits: &Bits) -> (Option<Inst>, Option<Inst>) {
    let code = bits.get(OP.lo, OP.width);
    let Some(op) = OPS.iter().rfind(|op| u32::from(op.code) == code) else { return (None, None) };
    let mut inst = Inst { op, operands: [Operand::default(); MAX_OPERANDS] };
    for part in op.format.parts {
        let value = bits.get(part.field.lo, part.field.width);
        let operand = &mut inst.operands[part.operand as usize];
        match part.kind {
            PartKind::Mask => operand.mask = Mask(reverse(value) as u8),
            PartKind::Swizzle => operand.swizzle = Swizzle(value as u8),
            PartKind::Immediates => {
                let values = VALUES.map(|field| bits.get(field.lo, field.width));
                operand.immediates = Immediates::new(&values[..value as usize + 1]);
            }
            _ => operand.reg = crate::regs::r(value as u16),
        }
    }
    if op.code == INIT && !looks_like_floats(inst.operands[1].immediates.values()) {
        // Both mnemonics have this opcode: the first of the two rows takes integers.
        inst.op = OPS.iter().find(|op| op.code == INIT).unwrap_or(op);
    }
    (Some(inst), None)
}

/// A guess, for the text alone: integers are small, and as floats they would be tiny or NaN.
fn looks_like_floats(values: &[u32]) -> bool {
    const SMALL: u32 = 1 << 24;
    let integer = |&value: &u32| value != 0 && (value as i32).unsigned_abs() < SMALL;
    !values.iter().any(|value| integer(value) || !f32::from_bits(*value).is_finite())
}

/// True if the slot's text assembles to its words. What only the assembler may write has no text of its own.
pub fn is_canonical(slot: &Slot) -> bool {
    let Some(inst) = &slot.inst else { return false };
    let [dst, ..] = &inst.operands;
    let writable = has(inst, PartKind::Mask) && dst.mask.is_empty();
    let values = inst.operands.iter().flat_map(|operand| operand.immediates.values());
    let floats = takes_floats(inst.op);
    encode(Some(inst), None) == slot.bits
        && !writable
        && !is_internal(inst.op)
        && values.into_iter().all(|value| !floats || print::float(*value).is_some())
}

/// What a field of a slot means.
pub fn meaning(field: &Field, slot: &Slot) -> String {
    let Some(inst) = &slot.inst else { return "undefined".into() };
    if *field == OP {
        return inst.op.name.into();
    }
    if let Some(index) = VALUES.iter().position(|value| value == field) {
        let values = inst.operands.iter().flat_map(|operand| operand.immediates.values());
        let value = values.into_iter().nth(index).copied().unwrap_or(0);
        return if takes_floats(inst.op) {
            f32::from_bits(value).to_string()
        } else {
            (value as i32).to_string()
        };
    }
    let Some(part) = inst.op.format.parts.iter().find(|part| part.field == *field) else {
        return "ignored".into();
    };
    let operand = &inst.operands[part.operand as usize];
    match part.kind {
        PartKind::Mask if operand.mask.is_empty() => "writes nothing".into(),
        PartKind::Mask => format!("writes {}", operand.mask),
        PartKind::Swizzle => operand.swizzle.to_string(),
        PartKind::Immediates => format!("{} values follow", operand.immediates.len()),
        _ => ISA.reg_name(operand.reg),
    }
}

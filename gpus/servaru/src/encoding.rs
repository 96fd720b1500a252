//! The 64 bits of an instruction, read in both directions (spec section B, items 1 to 5 and 15 to 21).

use crate::ops::OPS;
use crate::regs::{self, P, R, U};
use crate::{ISA, immediate};
use gpuzoo_isa::{
    Bits, Field, Format, Immediates, Inst, MAX_OPERANDS, Mask, Operand, Part, PartKind, Role, Slot, Swizzle,
};

/// The longest program, in instructions. The machine's own limit is not known; this one keeps a binary below 8 MiB.
pub const MAX_SLOTS: usize = 1 << 20;

/// The opcode.
pub const OP: Field = Field::new("op", 56, 5, "opcode; 31 is illegal");
const RSVD: Field = Field::new("rsvd", 61, 3, "reserved: ignored, written 0");
const DST: Field =
    Field::new("dst", 42, 14, "destination: 1, 9 bits of address, write mask wzyx; or 0, no destination");
const SRC1: Field =
    Field::new("src1", 28, 14, "first source: 1, 9 bits of address, 4 of swizzle; or 0, a 13-bit number");
const SRC2: Field = Field::new("src2", 14, 14, "second source, as src1; the unit of a texture instruction");
const SRC3: Field = Field::new("src3", 0, 14, "third source, as src1");

/// All fields.
pub static FIELDS: &[Field] = &[RSVD, OP, DST, SRC1, SRC2, SRC3];

/// The index of the destination among an instruction's operands; sources follow.
pub const TO: usize = 0;

const fn source(name: &'static str, operand: u8, field: Field) -> Part {
    Part { name, operand, kind: PartKind::Reg, role: Role::Read, file: R, field }
}

const WRITE: Part =
    Part { name: "dst", operand: TO as u8, kind: PartKind::Reg, role: Role::Write, file: R, field: DST };
const A: Part = source("a", 1, SRC1);
const B: Part = source("b", 2, SRC2);
const C: Part = source("c", 3, SRC3);
/// A source of which all lanes count.
pub const PLAIN: Part = A;
/// Sources of which one lane counts have names of their own.
const S: Part = source("s", 1, SRC1);
const T: Part = source("t", 2, SRC2);
const UNIT: Part = Part { kind: PartKind::Number, file: regs::T, ..source("unit", 2, SRC2) };

/// `EXC`
pub static NONE: Format = Format { parts: &[] };
/// `KIL a`
pub static KILL: Format = Format { parts: &[A] };
/// `ZTS s`
pub static DEPTH_TEST: Format = Format { parts: &[S] };
/// `MOV dst, a`
pub static UNARY: Format = Format { parts: &[WRITE, A] };
/// `RCP dst, s`
pub static SCALAR: Format = Format { parts: &[WRITE, S] };
/// `ADD dst, a, b`
pub static BINARY: Format = Format { parts: &[WRITE, A, B] };
/// `POW dst, s, t`
pub static SCALARS: Format = Format { parts: &[WRITE, S, T] };
/// `MAD dst, a, b, c`
pub static TERNARY: Format = Format { parts: &[WRITE, A, B, C] };
/// `TEX dst, a, unit`
pub static SAMPLE: Format = Format { parts: &[WRITE, A, UNIT] };

/// True if one lane of the source counts.
pub fn is_scalar(part: &Part) -> bool {
    matches!(part.name, "s" | "t")
}

/// True if the part names a texture unit.
pub fn is_unit(part: &Part) -> bool {
    part.kind == PartKind::Number
}

/// The parts that are sources, with the operands of an instruction that they say.
pub fn sources(inst: &Inst) -> impl Iterator<Item = (&'static Part, &Operand)> {
    let parts = inst.op.format.parts.iter().filter(|part| part.role == Role::Read);
    parts.map(|part| (part, &inst.operands[part.operand as usize]))
}

/// The destination, if instructions of this row have one.
pub fn destination(inst: &Inst) -> Option<&Operand> {
    let has = inst.op.format.parts.first().is_some_and(|part| part.role == Role::Write);
    has.then_some(&inst.operands[TO])
}

/// The four orders that a source can be read in, beside one lane for all (item 3): xyzw, yzxw, zxyw, zwxy.
pub const ORDERS: [Swizzle; 4] =
    [Swizzle::IDENTITY, order([1, 2, 0, 3]), order([2, 0, 1, 3]), order([2, 3, 0, 1])];

const fn order([x, y, z, w]: [u8; 4]) -> Swizzle {
    Swizzle(x | y << 2 | z << 4 | w << 6)
}

/// One lane for all four.
pub const fn broadcast(lane: u8) -> Swizzle {
    order([lane; 4])
}

/// The fields of T0 to T3: the numbers 0 to 3.
pub const UNITS: [u16; 4] = [0x0000, 0x0780, 0x0800, 0x0840];

/// The texture unit that a source names; none if it is anything but T0 to T3.
pub fn unit(operand: &Operand) -> Option<u8> {
    let field = number(operand)?;
    UNITS.iter().position(|unit| *unit == field).map(|unit| unit as u8)
}

/// The field of an operand that is a number, or of the destination that is none.
pub fn number(operand: &Operand) -> Option<u16> {
    operand.immediates.values().first().map(|field| *field as u16)
}

/// An operand that is a number.
pub fn of_number(field: u16) -> Operand {
    Operand { immediates: Immediates::new(&[u32::from(field)]), ..Operand::default() }
}

/// Set if the field names a register.
const IS_REG: u32 = 1 << 13;

fn source_bits(operand: &Operand) -> u32 {
    if let Some(field) = number(operand) {
        return u32::from(field);
    }
    let swizzle = match ORDERS.iter().position(|order| *order == operand.swizzle) {
        Some(order) => order as u32,
        None => 4 | u32::from(operand.swizzle.lanes()[0]),
    };
    IS_REG | u32::from(regs::address(operand.reg)) << 4 | u32::from(operand.negate) << 3 | swizzle
}

fn read_source(bits: u32) -> Operand {
    if bits & IS_REG == 0 {
        return of_number(bits as u16);
    }
    let select = bits as u8 & 3;
    let swizzle = if bits & 4 == 0 { ORDERS[select as usize] } else { broadcast(select) };
    let reg = regs::at((bits >> 4 & 0x1ff) as u16);
    Operand { reg, swizzle, negate: bits & 8 != 0, ..Operand::default() }
}

fn destination_bits(operand: &Operand) -> u32 {
    match number(operand) {
        Some(field) => u32::from(field),
        None => IS_REG | u32::from(regs::address(operand.reg)) << 4 | u32::from(operand.mask.0),
    }
}

fn read_destination(bits: u32) -> Operand {
    if bits & IS_REG == 0 {
        return Operand { mask: Mask(0), ..of_number(bits as u16) };
    }
    let reg = regs::at((bits >> 4 & 0x1ff) as u16);
    Operand { reg, mask: Mask(bits as u8 & 15), ..Operand::default() }
}

/// From an instruction to its word; everything unused is 0.
pub fn encode(inst: Option<&Inst>, _: Option<&Inst>) -> Bits {
    let mut bits = Bits::default();
    let Some(inst) = inst else { return bits };
    bits.set(OP.lo, OP.width, u32::from(inst.op.code));
    for part in inst.op.format.parts {
        let operand = &inst.operands[part.operand as usize];
        let value = if part.role == Role::Write { destination_bits(operand) } else { source_bits(operand) };
        bits.set(part.field.lo, part.field.width, value);
    }
    bits
}

/// From a word to the instruction; none for opcode 31.
pub fn decode(bits: &Bits) -> (Option<Inst>, Option<Inst>) {
    let code = bits.get(OP.lo, OP.width);
    // A row's place in the table is its opcode; a test holds it there.
    let Some(op) = OPS.get(code as usize) else { return (None, None) };
    let mut inst = Inst { op, operands: [Operand::default(); MAX_OPERANDS] };
    for part in op.format.parts {
        let value = bits.get(part.field.lo, part.field.width);
        inst.operands[part.operand as usize] =
            if part.role == Role::Write { read_destination(value) } else { read_source(value) };
    }
    (Some(inst), None)
}

/// True if the word is just what the assembler makes of its text: unused bits are 0, and all of it can be written.
pub fn is_canonical(slot: &Slot) -> bool {
    let Some(inst) = &slot.inst else { return false };
    let written = destination(inst)
        .is_none_or(|to| number(to).map_or(matches!(to.reg.file, R | P | regs::X), |field| field == 0));
    let readable = |(part, operand): (&Part, &Operand)| match number(operand) {
        _ if is_unit(part) => unit(operand).is_some(),
        Some(field) => immediate::text(field).is_some(),
        None => !is_scalar(part) || (0..4).any(|lane| operand.swizzle == broadcast(lane)),
    };
    encode(Some(inst), None) == slot.bits && written && sources(inst).all(readable)
}

/// What a field of a word means.
pub fn meaning(field: &Field, slot: &Slot) -> String {
    if *field == RSVD {
        return "ignored".into();
    }
    let Some(inst) = &slot.inst else {
        return if *field == OP { "illegal".into() } else { "ignored".into() };
    };
    if *field == OP {
        return inst.op.name.into();
    }
    let Some(part) = inst.op.format.parts.iter().find(|part| part.field == *field) else {
        return "ignored".into();
    };
    let operand = &inst.operands[part.operand as usize];
    let text = crate::print::operand(part, operand);
    match (part.role, operand.reg.file) {
        (Role::Write, _) if number(operand).is_some() => "no destination".into(),
        (Role::Write, _) if operand.mask.is_empty() => {
            format!("{}, no lane of it", ISA.reg_name(operand.reg))
        }
        (Role::Write, U) => format!("{text}, which is read only: illegal"),
        _ if is_unit(part) && unit(operand).is_none() => format!("{text}, which is no unit: illegal"),
        (_, regs::X) if number(operand).is_none() => format!("{text}, which is unmapped: illegal"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_opcodes_and_fields_fill_the_word() {
        assert!(OPS.iter().enumerate().all(|(index, op)| usize::from(op.code) == index));
        assert_eq!(OPS.len(), 31);
        let mut next = 64;
        for field in FIELDS {
            assert_eq!(field.lo + field.width, next, "{}", field.name);
            next = field.lo;
        }
        assert_eq!(next, 0);
    }

    #[test]
    fn every_source_field_is_itself_again() {
        for bits in 0..1 << 14 {
            assert_eq!(source_bits(&read_source(bits)), bits);
            assert_eq!(destination_bits(&read_destination(bits)), bits);
        }
    }
}

//! The 64 bits of an instruction (spec section B, items 1 to 5 and 15 to 21).

use crate::number::{NUMBER, immediate};
use crate::regs::{P, R, T, U, X};
use gpuzoo_isa::{Choice, Field, Inst, Operand, Part, Swizzle, SwizzleCode};

/// The opcode.
pub const OP: Field = Field::new("op", 56, 5, "opcode");
/// The bits of no operand.
pub const RSVD: Field = Field::new("rsvd", 61, 3, "reserved: ignored, written 0");

/// The fields of an operand, 14 bits each: with bit 13 set a register, else a number.
struct Fields {
    is_reg: Field,
    address: Field,
    negate: Field,
    order: Field,
    mask: Field,
    number: Field,
}

const fn fields(names: [&'static str; 6], lo: u8) -> Fields {
    let [is_reg, address, negate, order, mask, number] = names;
    Fields {
        is_reg: Field::new(is_reg, lo + 13, 1, "1 a register, 0 a number or none"),
        address: Field::new(address, lo + 4, 9, "address of the register: R from 0, P from 128, U from 256"),
        negate: Field::new(negate, lo + 3, 1, "1 negates the source"),
        order: Field::new(order, lo, 3, "order of the components: xyzw, yzxw, zxyw, zwxy, x, y, z, w"),
        mask: Field::new(mask, lo, 4, "components to write, bit 0 is x"),
        number: Field::new(number, lo, 13, "a number: sign, 5 bits of exponent, 7 of mantissa"),
    }
}

const TO: Fields = Fields {
    is_reg: Field::new("dst_is_reg", 55, 1, "1 a register, 0 none"),
    number: Field::new("no_dst", 42, 13, "ignored where there is no destination"),
    ..fields(["", "dst", "", "", "mask", ""], 42)
};
const FIRST: Fields = fields(["a_is_reg", "a", "a_neg", "a_order", "", "a_number"], 28);
const SECOND: Fields = fields(["b_is_reg", "b", "b_neg", "b_order", "", "b_number"], 14);
const THIRD: Fields = fields(["c_is_reg", "c", "c_neg", "c_order", "", "c_number"], 0);

/// The orders that a source can be read in (item 3).
const ORDERS: &[Swizzle] = &[
    Swizzle::IDENTITY,
    Swizzle::of([1, 2, 0, 3]),
    Swizzle::of([2, 0, 1, 3]),
    Swizzle::of([2, 3, 0, 1]),
    Swizzle::broadcast(0),
    Swizzle::broadcast(1),
    Swizzle::broadcast(2),
    Swizzle::broadcast(3),
];

const UNMAPPED: &str = "which is unmapped";

/// What a source of these fields may be.
macro_rules! source {
    ($name:literal, $operand:literal, $fields:ident) => {{
        const CHOICES: &[Choice] = &[
            Choice::reg(R, 0, &[$fields.address]).at(1),
            Choice::reg(P, 128, &[$fields.address]).at(1),
            Choice::reg(U, 256, &[$fields.address]).at(1),
            Choice::reg(X, 0, &[$fields.address]).at(1).illegal(UNMAPPED),
            Choice::values(&NUMBER, &[$fields.number]),
        ];
        Part::read($name, $operand, CHOICES)
            .select($fields.is_reg)
            .negate($fields.negate)
            .swizzle($fields.order, SwizzleCode::Listed(ORDERS))
    }};
}

const DESTINATIONS: &[Choice] = &[
    Choice::reg(R, 0, &[TO.address]).at(1),
    Choice::reg(P, 128, &[TO.address]).at(1),
    Choice::reg(U, 256, &[TO.address]).at(1).unwritable().illegal("which is read only"),
    Choice::reg(X, 0, &[TO.address]).at(1).illegal(UNMAPPED),
    Choice::nothing(&[TO.number]),
];
const WRITE: Part = Part::write("dst", 0, DESTINATIONS).select(TO.is_reg).mask(TO.mask);

const A: Part = source!("a", 1, FIRST);
const B: Part = source!("b", 2, SECOND);
const C: Part = source!("c", 3, THIRD);
const S: Part = A.scalar("s");
const T_: Part = B.scalar("t");

const UNIT_FIELD: Field = Field::new("unit", 14, 14, "texture unit, as the number 0, 1, 2 or 3");
const UNITS: &[Choice] = &[
    Choice::coded(T, &[0x0000, 0x0780, 0x0800, 0x0840], &[UNIT_FIELD]),
    Choice::values(&NUMBER, &[UNIT_FIELD]).unwritable().illegal("which is none of T0 to T3"),
];
const UNIT: Part = Part::read("unit", 2, UNITS);

/// `EXC`
pub static NONE: &[Part] = &[];
/// `KIL a`
pub static KILL: &[Part] = &[A];
/// `ZTS s`
pub static DEPTH_TEST: &[Part] = &[S];
/// `MOV dst, a`
pub static UNARY: &[Part] = &[WRITE, A];
/// `RCP dst, s`
pub static SCALAR: &[Part] = &[WRITE, S];
/// `ADD dst, a, b`
pub static BINARY: &[Part] = &[WRITE, A, B];
/// `POW dst, s, t`
pub static SCALARS: &[Part] = &[WRITE, S, T_];
/// `MAD dst, a, b, c`
pub static TERNARY: &[Part] = &[WRITE, A, B, C];
/// `TEX dst, a, unit`
pub static SAMPLE: &[Part] = &[WRITE, A, UNIT];

/// The field of an operand that is a number; none of one that is a register.
pub fn number(operand: &Operand) -> Option<u16> {
    let number = operand.immediates.values().first().filter(|_| !operand.is_nothing());
    number.map(|field| *field as u16)
}

/// The value of an operand that is a number, as bits of a 32-bit float.
pub fn value(operand: &Operand) -> Option<u32> {
    number(operand).map(immediate::value)
}

/// Why an instruction is illegal because of what an operand names.
pub fn illegal_operand(inst: &Inst) -> Option<(&'static Part, &Operand, &'static str)> {
    inst.op.parts.iter().find_map(|part| {
        let operand = inst.operand(part);
        let why = part.choice(operand)?.illegal;
        (!why.is_empty()).then_some((part, operand, why))
    })
}

/// The texture unit that an instruction of the form [`SAMPLE`] names.
pub fn unit(inst: &Inst) -> Option<u8> {
    let operand = inst.operand(&UNIT);
    (operand.reg.file == T && operand.immediates.is_empty()).then_some(operand.reg.index as u8)
}

//! The bits of an instruction (spec section 4.3), and the limits.

use crate::number::{FLOAT, INTEGER};
use crate::regs::R;
use gpuzoo_isa::{Choice, Field, Part, SwizzleCode, Values};

/// Program memory, in dwords: what the store command's length field can say.
pub const MAX_DWORDS: usize = 511;

/// The opcode.
pub const OP: Field = Field::new("op", 0, 6, "opcode");
const DST: Field = Field::new("dst", 6, 4, "destination register");
const SRC1: Field = Field::new("src1", 10, 4, "first source register");
const SRC2: Field = Field::new("src2", 14, 4, "second source register");
const SRC3: Field = Field::new("src3", 18, 4, "third source register");
const INIT_COUNT: Field = Field::new("count", 14, 2, "values that follow, less 1");
const BINARY_COUNT: Field = Field::new("count", 18, 2, "values that follow, less 1");
const ORDER: Field = Field::new("swizzle", 14, 8, "source components of x, y, z, w, two bits each, x lowest");
const VALUES: &[Field] = &[
    Field::new("value0", 32, 32, "value of the first masked component"),
    Field::new("value1", 64, 32, "value of the second masked component"),
    Field::new("value2", 96, 32, "value of the third masked component"),
    Field::new("value3", 128, 32, "value of the fourth masked component"),
];

const WHOLE: Part = Part::write("dst", 0, &[Choice::reg(R, 0, &[DST])]);

/// A destination whose mask begins at a bit.
const fn dst(mask: u8) -> Part {
    WHOLE.mask_x_high(Field::new("mask", mask, 4, "components to write; bit 3 is x"))
}

const A: Part = Part::read("a", 1, &[Choice::reg(R, 0, &[SRC1])]);
const B: Part = Part::read("b", 2, &[Choice::reg(R, 0, &[SRC2])]);
const C: Part = Part::read("c", 3, &[Choice::reg(R, 0, &[SRC3])]);

const fn counted(values: Values, count: Field) -> Values {
    Values { count: Some(count), ..values }
}

static INIT_FLOATS: Values = counted(FLOAT, INIT_COUNT);
static INIT_INTEGERS: Values = counted(INTEGER, INIT_COUNT);
static BINARY_FLOATS: Values = counted(FLOAT, BINARY_COUNT);
static BINARY_INTEGERS: Values = counted(INTEGER, BINARY_COUNT);

/// `trap`
pub static NULLARY: &[Part] = &[];
/// `mov dst.mask a`
pub static UNARY: &[Part] = &[dst(14), A];
/// `fadd dst.mask a b`
pub static BINARY: &[Part] = &[dst(18), A, B];
/// `fmad dst.mask a b c`
pub static TERNARY: &[Part] = &[dst(22), A, B, C];
/// `finit dst.mask values`
pub static INIT_F: &[Part] = &[dst(10), Part::read("values", 1, &[Choice::values(&INIT_FLOATS, VALUES)])];
/// `iinit dst.mask values`
pub static INIT_I: &[Part] = &[dst(10), Part::read("values", 1, &[Choice::values(&INIT_INTEGERS, VALUES)])];
/// `fadd dst.mask a values`: the mask lies where a unary instruction has it.
pub static BINARY_F: &[Part] =
    &[dst(14), A, Part::read("values", 2, &[Choice::values(&BINARY_FLOATS, VALUES)])];
/// `iadd dst.mask a values`
pub static BINARY_I: &[Part] =
    &[dst(14), A, Part::read("values", 2, &[Choice::values(&BINARY_INTEGERS, VALUES)])];
/// `swizzle dst a.xyzw`
pub static SWIZZLE: &[Part] = &[WHOLE, A.swizzle(ORDER, SwizzleCode::XLow)];

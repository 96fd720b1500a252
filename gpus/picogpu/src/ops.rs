//! The rows: one line per opcode (spec section 4.3), two for `init`, which has two mnemonics.

use crate::encoding::{BINARY, BINARY_F, BINARY_I, INIT_F, INIT_I, NULLARY, SWIZZLE, TERNARY, UNARY};
use crate::lower;
use gpuzoo_isa::{Inst, Op};

/// `fcross`, whose mask the unit ignores.
pub const FCROSS: u16 = 10;
/// `fcross2`, which the reference assembler writes for `fmad`.
pub const FCROSS2: u16 = 11;
/// `fmad`
pub const FMAD: u16 = 12;
/// `fnorm`, whose mask the unit ignores.
pub const FNORM: u16 = 14;
/// `idiv` by values.
pub const IDIV_IMM: u16 = 24;
/// `finit` and `iinit`
pub const INIT: u16 = 28;
/// `swizzle`
pub const SWIZZLE_CODE: u16 = 29;
/// `lduni`, which only the assembler may write.
pub const LDUNI: u16 = 32;
/// `initregs`, which only the assembler may write.
pub const INITREGS: u16 = 33;

/// All rows, by opcode.
#[rustfmt::skip]
pub static OPS: &[Op] = &[
    Op::new(0,  "fadd",    BINARY,     lower::fadd)       .doc("dst = a + b"),
    Op::new(1,  "fadd",    BINARY_F, lower::fadd_imm)   .doc("dst = a + values"),
    Op::new(2,  "fsub",    BINARY,     lower::fsub)       .doc("dst = a - b"),
    Op::new(3,  "fsub",    BINARY_F, lower::fsub_imm)   .doc("dst = a - values"),
    Op::new(4,  "fmul",    BINARY,     lower::fmul)       .doc("dst = a * b"),
    Op::new(5,  "fmul",    BINARY_F, lower::fmul_imm)   .doc("dst = a * values"),
    Op::new(6,  "fdiv",    BINARY,     lower::fdiv)       .doc("dst = a / b").notes("By 0 a signed infinity; 0 / 0 is NaN."),
    Op::new(7,  "fdiv",    BINARY_F, lower::fdiv_imm)   .doc("dst = a / values").notes("By 0 a signed infinity; 0 / 0 is NaN."),
    Op::new(8,  "fneg",    UNARY,      lower::fneg)       .doc("dst = -a").notes("Flips the sign bit, of NaN too."),
    Op::new(9,  "fdot",    BINARY,     lower::fdot)       .doc("dst = dot(a, b) in the masked components").notes("((x + y) + z) + w, each step rounded."),
    Op::new(FCROSS,  "fcross",  BINARY, lower::fcross)    .doc("dst = (cross(a, b), 0)").notes("The unit writes all four components whatever the mask says; profile `document` keeps to the mask."),
    Op::new(FCROSS2, "fcross2", BINARY, lower::fcross2)   .doc("dst = a.x * b.y - a.y * b.x in the masked components").notes("Three roundings."),
    Op::new(FMAD, "fmad",  TERNARY,    lower::fmad)       .doc("dst = a * b + c").notes("Rounded twice. The reference assembler writes opcode 11 here, which the unit takes for `fcross2`."),
    Op::new(13, "frcp",    UNARY,      lower::frcp)       .doc("dst = 1 / a"),
    Op::new(FNORM, "fnorm", UNARY,     lower::fnorm)      .doc("dst = a / sqrt(dot(a, a))").notes("The length is that of all four components; of a zero vector all is NaN. The unit writes all four components whatever the mask says; profile `document` keeps to the mask."),
    Op::new(15, "fmax",    BINARY,     lower::fmax)       .doc("dst = b where a < b, else a").notes("A NaN in a stays, one in b is dropped; of two zeros a."),
    Op::new(16, "fmin",    BINARY,     lower::fmin)       .doc("dst = b where b < a, else a").notes("A NaN in a stays, one in b is dropped; of two zeros a."),
    Op::new(17, "iadd",    BINARY,     lower::iadd)       .doc("dst = a + b").notes("Modulo 2^32."),
    Op::new(18, "iadd",    BINARY_I, lower::iadd_imm)   .doc("dst = a + values").notes("Modulo 2^32."),
    Op::new(19, "isub",    BINARY,     lower::isub)       .doc("dst = a - b").notes("Modulo 2^32."),
    Op::new(20, "isub",    BINARY_I, lower::isub_imm)   .doc("dst = a - values").notes("Modulo 2^32."),
    Op::new(21, "imul",    BINARY,     lower::imul)       .doc("dst = a * b").notes("Modulo 2^32."),
    Op::new(22, "imul",    BINARY_I, lower::imul_imm)   .doc("dst = a * values").notes("Modulo 2^32."),
    Op::new(23, "idiv",    BINARY,     lower::idiv)       .doc("dst = a / b, toward zero").notes("By 0, and -2^31 by -1, it is a; the reference dies of both."),
    Op::new(IDIV_IMM, "idiv", BINARY_I, lower::idiv_imm).doc("dst = a / values, toward zero").notes("By 0, and -2^31 by -1, it is a; the reference dies of both."),
    Op::new(25, "ineg",    UNARY,      lower::ineg)       .doc("dst = -a").notes("Modulo 2^32."),
    Op::new(26, "imax",    BINARY,     lower::imax)       .doc("dst = max(a, b), signed"),
    Op::new(27, "imin",    BINARY,     lower::imin)       .doc("dst = min(a, b), signed"),
    Op::new(INIT, "iinit", INIT_I,  lower::init)       .when(is_small).doc("dst = values").notes("Integers; the words are those of `finit`."),
    Op::new(INIT, "finit", INIT_F,  lower::init)       .doc("dst = values").notes("Floats. Values go to the masked components in the order x, y, z, w; the last one repeats."),
    Op::new(SWIZZLE_CODE, "swizzle", SWIZZLE, lower::swizzle).doc("dst = a.swizzle").notes("The unit writes x, y, z, w in turn, so that with dst = a later components read what is already new; profile `document` reads all of a first."),
    Op::new(30, "mov",     UNARY,      lower::mov)        .doc("dst = a"),
    Op::new(31, "trap",    NULLARY,    lower::trap)       .doc("stops a debugger").notes("Does nothing else."),
    Op::new(LDUNI, "lduni", NULLARY,   lower::lduni).internal().doc("uniform registers = the request's uniforms").notes("Written by the assembler; components that are not declared become 0."),
    Op::new(INITREGS, "initregs", NULLARY, lower::initregs).internal().doc("registers that are neither input nor uniform = 0").notes("Written by the assembler, but not with `#undefinedRegs`."),
];

/// A guess, for the text alone: integers are small, and as floats they would be tiny or NaN.
fn is_small(inst: &Inst) -> bool {
    const SMALL: u32 = 1 << 24;
    let integer = |value: u32| value != 0 && (value as i32).unsigned_abs() < SMALL;
    let mut values = inst.operands[1].immediates.values().iter();
    values.any(|value| integer(*value) || !f32::from_bits(*value).is_finite())
}

//! The rows: one line per instruction.

use crate::encoding::{BINARY, LOAD, LOAD_CONSTANT, MATRIX, NONE, SHUFFLE, STORE, UNARY};
use crate::lower;
use gpuzoo_isa::Op;

/// The opcode of `end`.
pub const END: u16 = 63;
/// The opcode of `mul`.
pub const MUL: u16 = 5;
/// The opcode of `div`.
pub const DIV: u16 = 6;
/// The opcode of `dot`.
pub const DOT: u16 = 7;
/// The opcode of `max`, which the runtime's cost model takes for an old `end`.
pub const MAX: u16 = 15;
/// The opcode of `mulm`.
pub const MULM: u16 = 24;

#[rustfmt::skip]
/// All instructions.
pub static OPS: &[Op] = &[
    Op::new( 0, "ld",    LOAD,          lower::copy) .doc("dst = input[n]").notes("Bits are copied: NaN payloads and denormals survive."),
    Op::new( 1, "st",    STORE,         lower::copy) .doc("output = src").notes("Bits are copied at once; a later `st` to the same output replaces it."),
    Op::new( 2, "ldc",   LOAD_CONSTANT, lower::copy) .doc("dst = constant[n]").notes("Bits are copied."),
    Op::new( 3, "add",   BINARY,        lower::add)  .doc("dst = dst + src"),
    Op::new( 4, "sub",   BINARY,        lower::sub)  .doc("dst = dst - src"),
    Op::new(MUL, "mul",   BINARY,        lower::mul)  .doc("dst = dst * src"),
    Op::new(DIV, "div",   BINARY,        lower::div)  .doc("dst = dst / src").notes("Correctly rounded. x/0 is a signed infinity, 0/0 is NaN; GLSL promises neither."),
    Op::new(DOT, "dot",   BINARY,        lower::dot)  .doc("dst = (dot(dst, src), 0, 0, 0)").notes("((x + y) + z) + w, each product and sum rounded, never fused."),
    Op::new( 8, "abs",   UNARY,         lower::abs)  .doc("dst = |src|").notes("Clears the sign bit, of NaN too."),
    Op::new( 9, "sign",  UNARY,         lower::sign) .doc("dst = sign(src)").notes("1, -1, or +0 for zeros and NaN."),
    Op::new(10, "sqrt",  UNARY,         lower::sqrt) .doc("dst = sqrt(src)").notes("Correctly rounded. sqrt(-0) = -0; negative numbers give NaN."),
    Op::new(11, "pow",   BINARY,        lower::pow)  .doc("dst = dst ^ src").notes("exp2(src * log2(dst)), rounded once. A negative dst gives NaN. 0 to a positive power is 0; to others GLSL leaves it open and the formula gives Inf or NaN."),
    Op::new(12, "exp",   UNARY,         lower::exp)  .doc("dst = e ^ src"),
    Op::new(13, "log",   UNARY,         lower::log)  .doc("dst = ln(src)").notes("0 gives -Inf, negative numbers NaN."),
    Op::new(14, "min",   BINARY,        lower::min)  .doc("dst = min(dst, src)").notes("Of a NaN and a number the number; of two zeros src."),
    Op::new(MAX, "max",  BINARY,        lower::max)  .doc("dst = max(dst, src)").notes("Of a NaN and a number the number; of two zeros src. The runtime's cost model stops counting here."),
    Op::new(16, "sin",   UNARY,         lower::sin)  .doc("dst = sin(src)").notes("Radians. Infinities give NaN."),
    Op::new(17, "cos",   UNARY,         lower::cos)  .doc("dst = cos(src)").notes("Radians. Infinities give NaN."),
    Op::new(18, "tan",   UNARY,         lower::tan)  .doc("dst = tan(src)").notes("Radians. Infinities give NaN."),
    Op::new(19, "asin",  UNARY,         lower::asin) .doc("dst = asin(src)").notes("Radians; NaN outside -1 to 1."),
    Op::new(20, "acos",  UNARY,         lower::acos) .doc("dst = acos(src)").notes("Radians; NaN outside -1 to 1."),
    Op::new(21, "atan",  UNARY,         lower::atan) .doc("dst = atan(src)").notes("Radians."),
    Op::new(22, "atan2", BINARY,        lower::atan2).doc("dst = atan2(dst, src)").notes("The angle of (x = src, y = dst), in radians."),
    Op::new(23, "shf",   SHUFFLE,       lower::copy) .doc("dst[k] = src[swizzle[k]] where mask has component k").notes("All of src is read before dst is written. Mask 0 does nothing."),
    Op::new(MULM, "mulm", MATRIX,       lower::mulm) .doc("dst = M * dst, M's columns in src, src+1, src+2, src+3").notes("((c3*w + c2*z) + c1*y) + c0*x, never fused. A column beyond r15 repeats r15; the linter says so."),
    Op::new(END, "end",  NONE,          lower::end)  .doc("ends the program").notes("The assembler appends one to every program of fewer than 64 instructions."),
];

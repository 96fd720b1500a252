//! The rows: one line per instruction.

use crate::encoding::{BINARY, DEPTH_TEST, KILL, NONE, SAMPLE, SCALAR, SCALARS, TERNARY, UNARY};
use crate::lower;
use gpuzoo_isa::Op;

/// The opcode of `EXC`.
pub const EXC: u16 = 0;
/// The opcode of `KIL`.
pub const KIL: u16 = 11;
/// The opcode of `TEX`.
pub const TEX: u16 = 26;
/// The opcode of `TXF`, the last that reads a texture.
pub const TXF: u16 = 28;
/// The opcode of `ZTS`.
pub const ZTS: u16 = 30;

#[rustfmt::skip]
/// All instructions.
pub static OPS: &[Op] = &[
    Op::new(EXC, "EXC", NONE,       lower::exc)   .doc("ends the run and reports an error").notes("Nothing that the run wrote leaves the shader. Opcode 0, so that empty memory traps. The other bits are ignored, and reported."),
    Op::new( 1, "ABS",  UNARY,      lower::abs)   .doc("dst = |a|").notes("Clears the sign bit, of NaN too."),
    Op::new( 2, "ADD",  BINARY,     lower::add)   .doc("dst = a + b"),
    Op::new( 3, "CMP",  TERNARY,    lower::cmp)   .doc("dst = a < 0 ? b : c").notes("-0 and NaN pick c. Bits are copied."),
    Op::new( 4, "DP3",  BINARY,     lower::dp3)   .doc("dst = a.x*b.x + a.y*b.y + a.z*b.z").notes("(x + y) + z, each product and sum rounded; the same in every component."),
    Op::new( 5, "DP4",  BINARY,     lower::dp4)   .doc("dst = a.x*b.x + a.y*b.y + a.z*b.z + a.w*b.w").notes("((x + y) + z) + w, each product and sum rounded; the same in every component."),
    Op::new( 6, "DPH",  BINARY,     lower::dph)   .doc("dst = a.x*b.x + a.y*b.y + a.z*b.z + b.w").notes("((x + y) + z) + b.w; the same in every component."),
    Op::new( 7, "DST",  BINARY,     lower::dst)   .doc("dst = (1, a.y*b.y, a.z, b.w)").notes("From (-, d², d², -) and (-, 1/d, -, 1/d) it makes (1, d, d², 1/d)."),
    Op::new( 8, "EX2",  SCALAR,     lower::ex2)   .doc("dst = 2 ^ s").notes("-Inf gives 0, what overflows Inf; half a unit in the last place. The same in every component."),
    Op::new( 9, "FLR",  UNARY,      lower::flr)   .doc("dst = floor(a)"),
    Op::new(10, "FRC",  UNARY,      lower::frc)   .doc("dst = a - floor(a)").notes("1 for negative numbers so small that the difference rounds to it; NaN for infinities."),
    Op::new(KIL, "KIL", KILL,       lower::kil)   .doc("ends the fragment if a component of a is below 0").notes("-0 and NaN do not kill. Illegal in a vertex program. The other fragments of the quad run on."),
    Op::new(12, "LG2",  SCALAR,     lower::lg2)   .doc("dst = log2(s)").notes("0 gives -Inf, negative numbers NaN. The same in every component."),
    Op::new(13, "LIT",  UNARY,      lower::lit)   .doc("dst = (1, max(a.x, 0), a.x > 0 ? max(a.y, 0) ^ a.w : 0, 1)").notes("a.w is kept within ±128. 0^0 is 1."),
    Op::new(14, "LRP",  TERNARY,    lower::lrp)   .doc("dst = a*b + (1 - a)*c").notes("Four roundings, in this order."),
    Op::new(15, "MAD",  TERNARY,    lower::mad)   .doc("dst = a*b + c").notes("Two roundings, never fused."),
    Op::new(16, "MAX",  BINARY,     lower::max)   .doc("dst = a > b ? a : b").notes("b where one is NaN, and of two zeros."),
    Op::new(17, "MIN",  BINARY,     lower::min)   .doc("dst = a > b ? b : a").notes("a where one is NaN, and of two zeros."),
    Op::new(18, "MOV",  UNARY,      lower::mov)   .doc("dst = a").notes("Bits are copied. `MOV _, 0` does nothing."),
    Op::new(19, "MUL",  BINARY,     lower::mul)   .doc("dst = a * b").notes("0 times an infinity is NaN."),
    Op::new(20, "POW",  SCALARS,    lower::pow)   .doc("dst = s ^ t").notes("NaN where s is negative or NaN; 1 where t is 0 or s is 1; 0 to a positive power is 0, to a negative one Inf. The same in every component."),
    Op::new(21, "RCP",  SCALAR,     lower::rcp)   .doc("dst = 1 / s").notes("Correctly rounded; zeros give infinities of their sign. The same in every component."),
    Op::new(22, "RSQ",  SCALAR,     lower::rsq)   .doc("dst = 1 / sqrt(|s|)").notes("A square root and a division, each correctly rounded; zeros give Inf. The same in every component."),
    Op::new(23, "SGE",  BINARY,     lower::sge)   .doc("dst = a >= b ? 1 : 0").notes("0 where one is NaN."),
    Op::new(24, "SLT",  BINARY,     lower::slt)   .doc("dst = a < b ? 1 : 0").notes("0 where one is NaN."),
    Op::new(25, "SUB",  BINARY,     lower::sub)   .doc("dst = a - b"),
    Op::new(TEX, "TEX", SAMPLE,     lower::tex)   .doc("dst = texture unit at (a.x, a.y)").notes("The level of detail comes from the differences of a within the 2×2 quad. A unit without texture gives zeros; a vertex program has none."),
    Op::new(27, "TXB",  SAMPLE,     lower::txb)   .doc("dst = texture unit at (a.x, a.y), a.w added to the level of detail"),
    Op::new(TXF, "TXF", SAMPLE,     lower::txf)   .doc("dst = texel (floor a.x, floor a.y) of level floor(a.w)").notes("No filter, no wrapping: zeros outside. The level is kept within those that exist."),
    Op::new(29, "XPD",  BINARY,     lower::xpd)   .doc("dst = (a × b, 0)").notes("Each product and difference rounded."),
    Op::new(ZTS, "ZTS", DEPTH_TEST, lower::zts)   .doc("tests depth s: ends the fragment unless s < stored depth, else s is stored at its end").notes("At most once, and in a fragment program; else illegal."),
];

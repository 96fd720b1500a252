//! The rows, one table for each half of a slot (spec section 3).

use crate::vertex::encoding::{A, AB, ABC, AC, ADDRESS, C, SCALAR};
use crate::vertex::lower;
use gpuzoo_isa::{Inst, Lower, Op, Part};

#[rustfmt::skip]
/// The MAC half: a multiplier and an adder on four components.
pub static MAC: &[Op] = &[
    Op::new( 1, "mov", A,   lower::mov).doc("dst = a").notes("Bits are copied."),
    Op::new( 2, "mul", AB,  lower::mul).doc("dst = a * b").notes("0 times anything is +0, infinities and NaN too."),
    Op::new( 3, "add", AC,  lower::add).doc("dst = a + c").notes("The second operand is the slot's C, which an ILU half beside it shares."),
    Op::new( 4, "mad", ABC, lower::mad).doc("dst = a * b + c").notes("The product is rounded first."),
    Op::new( 5, "dp3", AB,  lower::dp3).doc("dst = a.x*b.x + a.y*b.y + a.z*b.z").notes("All products are aligned to the largest and added at once, then truncated."),
    Op::new( 6, "dph", AB,  lower::dph).since(XBOX).doc("dst = a.x*b.x + a.y*b.y + a.z*b.z + b.w"),
    Op::new( 7, "dp4", AB,  lower::dp4).doc("dst = a.x*b.x + a.y*b.y + a.z*b.z + a.w*b.w"),
    Op::new( 8, "dst", AB,  lower::dst).doc("dst = (1, a.y*b.y, a.z, b.w)"),
    Op::new( 9, "min", AB,  lower::min).doc("dst = a < b ? a : b").notes("Numbers are ordered as sign and magnitude: -0 < +0, and NaN lies beyond infinity."),
    Op::new(10, "max", AB,  lower::max).doc("dst = a < b ? b : a"),
    Op::new(11, "slt", AB,  lower::slt).doc("dst = a < b ? 1 : 0"),
    Op::new(12, "sge", AB,  lower::sge).doc("dst = a < b ? 0 : 1"),
    Op::new(13, "arl", ADDRESS,  lower::arl).spelled(&[("d3d", "")]).doc("A0 = floor(a.x)").notes("Writes the address register alone. Reads of the same slot see the old one."),
];

#[rustfmt::skip]
/// The ILU half: the inverse and logic unit. All but MOV and LIT read the first swizzled component alone.
pub static ILU: &[Op] = &[
    ilu(1, "mov",  C,      lower::mov) .doc("dst = c").notes("Bits are copied."),
    ilu(2, "rcp",  SCALAR, lower::rcp) .doc("dst = 1 / c.x").notes("A table and a Newton step: within 2^-22."),
    ilu(3, "rcc",  SCALAR, lower::rcc).since(XBOX) .doc("dst = clamp(1 / c.x)").notes("The magnitude is brought between 2^-64 and 2^64."),
    ilu(4, "rsq",  SCALAR, lower::rsq) .doc("dst = 1 / sqrt(|c.x|)").notes("RSQ(1) is 0x3f7fffff, not 1."),
    ilu(5, "expp", SCALAR, lower::expp).spelled(&[("vp", "EXP"), ("nv2avshd", "EXP")]).doc("dst = (2^floor(c.x), fraction(c.x), 2^c.x, 1)").notes("z has about 12 bits."),
    ilu(6, "logp", SCALAR, lower::logp).spelled(&[("vp", "LOG"), ("nv2avshd", "LOG")]).doc("dst = (exponent, mantissa, log2|c.x|, 1)").notes("z has about 12 bits."),
    ilu(7, "lit",  C,      lower::lit) .doc("dst = (1, max(c.x, 0), c.x > 0 ? c.y^c.w : 0, 1)"),
];

const fn ilu(code: u16, name: &'static str, parts: &'static [Part], lower: fn(&mut Lower, &Inst)) -> Op {
    Op::new(code, name, parts, lower).half(1)
}

/// Dialects for any machine of their time have it since these versions.
const XBOX: &[(&str, &str)] = &[("vp", "!!VP1.1"), ("d3d", "xvs.1.1")];

/// The row of a mnemonic in the MAC, and in the ILU. `mov` has both.
pub fn rows(name: &str) -> [Option<&'static Op>; 2] {
    [MAC, ILU].map(|half| half.iter().find(|op| op.name == name))
}

//! The rows, one table for each half of a slot (spec section 3).

use crate::encoding::{A, AB, ABC, AC, C};
use crate::lower;
use gpuzoo_isa::Op;

#[rustfmt::skip]
/// The MAC half: a multiplier and an adder on four lanes.
pub static MAC: &[Op] = &[
    Op::new( 1, "mov", &A,   lower::mov).doc("dst = a").notes("Bits are copied."),
    Op::new( 2, "mul", &AB,  lower::mul).doc("dst = a * b").notes("0 times anything is +0, infinities and NaN too."),
    Op::new( 3, "add", &AC,  lower::add).doc("dst = a + c").notes("The second operand is the slot's C, which an ILU half beside it shares."),
    Op::new( 4, "mad", &ABC, lower::mad).doc("dst = a * b + c").notes("The product is rounded first."),
    Op::new( 5, "dp3", &AB,  lower::dp3).doc("dst = a.x*b.x + a.y*b.y + a.z*b.z").notes("All products are aligned to the largest and added at once, then truncated."),
    Op::new( 6, "dph", &AB,  lower::dph).doc("dst = a.x*b.x + a.y*b.y + a.z*b.z + b.w"),
    Op::new( 7, "dp4", &AB,  lower::dp4).doc("dst = a.x*b.x + a.y*b.y + a.z*b.z + a.w*b.w"),
    Op::new( 8, "dst", &AB,  lower::dst).doc("dst = (1, a.y*b.y, a.z, b.w)"),
    Op::new( 9, "min", &AB,  lower::min).doc("dst = a < b ? a : b").notes("Numbers are ordered as sign and magnitude: -0 < +0, and NaN lies beyond infinity."),
    Op::new(10, "max", &AB,  lower::max).doc("dst = a < b ? b : a"),
    Op::new(11, "slt", &AB,  lower::slt).doc("dst = a < b ? 1 : 0"),
    Op::new(12, "sge", &AB,  lower::sge).doc("dst = a < b ? 0 : 1"),
    Op::new(13, "arl", &A,   lower::arl).doc("A0 = floor(a.x)").notes("Writes the address register alone. Reads of the same slot see the old one."),
];

#[rustfmt::skip]
/// The ILU half: the inverse and logic unit. All but MOV and LIT read the first swizzled lane alone.
pub static ILU: &[Op] = &[
    Op::new(1, "mov",  &C, lower::mov) .doc("dst = c").notes("Bits are copied."),
    Op::new(2, "rcp",  &C, lower::rcp) .doc("dst = 1 / c.x").notes("A table and a Newton step: within 2^-22."),
    Op::new(3, "rcc",  &C, lower::rcc) .doc("dst = clamp(1 / c.x)").notes("The magnitude is brought between 2^-64 and 2^64."),
    Op::new(4, "rsq",  &C, lower::rsq) .doc("dst = 1 / sqrt(|c.x|)").notes("RSQ(1) is 0x3f7fffff, not 1."),
    Op::new(5, "expp", &C, lower::expp).doc("dst = (2^floor(c.x), fraction(c.x), 2^c.x, 1)").notes("z has about 12 bits."),
    Op::new(6, "logp", &C, lower::logp).doc("dst = (exponent, mantissa, log2|c.x|, 1)").notes("z has about 12 bits."),
    Op::new(7, "lit",  &C, lower::lit) .doc("dst = (1, max(c.x, 0), c.x > 0 ? c.y^c.w : 0, 1)"),
];

/// The opcode of both halves that does nothing.
pub const NOP: u32 = 0;
/// The opcode of `arl`.
pub const ARL: u16 = 13;

/// The rows of a mnemonic: in the MAC, in the ILU. `mov` has both.
pub fn rows(name: &str) -> (Option<&'static Op>, Option<&'static Op>) {
    (MAC.iter().find(|op| op.name == name), ILU.iter().find(|op| op.name == name))
}

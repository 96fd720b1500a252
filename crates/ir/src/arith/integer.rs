//! Integers: from floats (floor and truncation, and the fields that a float is made of), and 32-bit arithmetic.

use super::basic::{SIGN, fabs};
use super::{Lane, ROUND, Real, TWO_52, Wide};

/// The largest integer that is not above a. Keeps -0 and infinities.
#[inline(always)]
pub fn ffloor<L: Lane>(a: L) -> L {
    // From 2²³ on there are only integers. The sign is put back because -0 loses it.
    let rounded = fabs(floor(a.widen()).narrow()).xor(a.and(L::splat(SIGN)));
    L::select(fabs(a).less(L::splat(8_388_608.0)), rounded, a).canonical()
}

/// The integer next to a toward zero, as a signed 32-bit integer; -2³¹ for what does not fit and for NaN.
#[inline(always)]
pub fn itrunc<L: Lane>(a: L) -> L {
    let limit = L::splat(2_147_483_648.0);
    let integer = floor(fabs(a).widen());
    let zero = L::Wide::splat(0.0);
    let integer = L::Wide::select(a.less(L::splat(0.0)), zero - integer, integer);
    let bits = (integer + L::Wide::splat(ROUND)).narrow_bits();
    L::select(fabs(a).less(limit), bits, L::splat(f32::from_bits(0x8000_0000)))
}

/// The bits in which a and b differ.
#[inline(always)]
pub fn ixor<L: Lane>(a: L, b: L) -> L {
    a.xor(b)
}

/// a + b modulo 2³².
#[inline(always)]
pub fn iadd<L: Lane>(a: L, b: L) -> L {
    a.widen_bits().add_bits(b.widen_bits()).narrow_bits()
}

/// a - b modulo 2³².
#[inline(always)]
pub fn isub<L: Lane>(a: L, b: L) -> L {
    a.widen_bits().sub_bits(b.widen_bits()).narrow_bits()
}

/// -a modulo 2³².
#[inline(always)]
pub fn ineg<L: Lane>(a: L) -> L {
    isub(L::splat(0.0), a)
}

/// a × b modulo 2³², signed or not.
#[inline(always)]
pub fn imul<L: Lane>(a: L, b: L) -> L {
    // Halves of a times all of b stay below 2⁴⁸, which f64 has exactly.
    let half = L::Wide::splat(f64::from_bits(0xffff));
    let (bits, factor) = (a.widen_bits(), number(b.widen_bits()));
    let product = |half| number(half) * factor + L::Wide::splat(TWO_52);
    let (low, high) = (product(bits.and(half)), product(bits.shift_right(16)));
    low.add_bits(high.shift_left(16)).narrow_bits()
}

/// a ÷ b toward zero, signed. Where that is not a 32-bit integer (b is 0, or a is -2³¹ and b is -1) the result is a.
#[inline(always)]
pub fn idiv<L: Lane>(a: L, b: L) -> L {
    let (dividend, divisor) = (signed(a), signed(b));
    // Exact after the floor: a quotient that is not an integer is at least 1/b away from one, an f64 much less off.
    let quotient = dividend / divisor;
    let sign = quotient.and(L::Wide::splat(-0.0));
    let integer = floor(quotient.xor(sign)).xor(sign);
    // 2³¹, the one quotient that does not fit, has the bits of -2³¹.
    let bits = (integer + L::Wide::splat(ROUND)).narrow_bits();
    L::select(divisor.same(L::Wide::splat(0.0)), a, bits)
}

/// The larger of two signed integers.
#[inline(always)]
pub fn imax<L: Lane>(a: L, b: L) -> L {
    L::select(signed(a).less(signed(b)), b, a)
}

/// The smaller of two signed integers.
#[inline(always)]
pub fn imin<L: Lane>(a: L, b: L) -> L {
    L::select(signed(b).less(signed(a)), b, a)
}

/// The signed 32-bit integer in a lane, as a number.
#[inline(always)]
fn signed<L: Lane>(a: L) -> L::Wide {
    number(a.xor(L::splat(SIGN)).widen_bits()) - L::Wide::splat(2_147_483_648.0)
}

/// b where all bits of a are 0, else c. Moves bits.
#[inline(always)]
pub fn iselect<L: Lane>(a: L, b: L, c: L) -> L {
    // As floats, the pattern of -0 would count as 0.
    let zero = L::splat(0.0);
    L::select(a.less_total(zero) | zero.less_total(a), c, b)
}

/// The mantissa field of a behind the exponent of 1: a number from 1 to 2. Of a subnormal number, an infinity or a NaN
/// it takes the field as it is.
#[inline(always)]
pub fn fmantissa<L: Lane>(a: L) -> L {
    a.and(L::splat(f32::from_bits(0x007f_ffff))).xor(L::splat(1.0))
}

/// The exponent of a as an *unsigned* 32-bit integer, then as a float: 2³² wherever |a| is below 1, because a negative
/// exponent wraps. -infinity for zeros, +infinity for infinities, 128 (the field as it is) for NaN.
#[inline(always)]
pub fn fexponent_unsigned<L: Lane>(a: L) -> L {
    let x = fabs(a);
    // From -127 to -1 modulo 2³² is within 127 of 2³², where floats are 256 apart.
    let exponent = L::select(x.less(L::splat(1.0)), L::splat(4_294_967_296.0), exponent(x).narrow());
    infinite_ends(x, L::splat(0.0), exponent)
}

/// `log`, but -infinity where x ≤ `zero` and +infinity where x is infinite.
#[inline(always)]
pub(super) fn infinite_ends<L: Lane>(x: L, zero: L, log: L) -> L {
    let infinity = L::splat(f32::INFINITY);
    let log = L::select(x.same(infinity), infinity, log);
    L::select(zero.less(x) | !x.same(x), log, L::splat(f32::NEG_INFINITY))
}

/// The exponent field of x, which has no sign, less the bias of 127: from -127 to 128.
#[inline(always)]
pub(super) fn exponent<L: Lane>(x: L) -> L::Wide {
    number(x.widen_bits().shift_right(23)) - L::Wide::splat(127.0)
}

/// The unsigned integer in the lowest 52 bits, the others being zero, as a number.
#[inline(always)]
pub(super) fn number<W: Wide>(pattern: W) -> W {
    pattern.add_bits(W::splat(TWO_52)) - W::splat(TWO_52)
}

/// The largest integer that is not above x, for |x| < 2⁵¹. Of -0 it makes +0.
#[inline(always)]
pub(super) fn floor<W: Wide>(x: W) -> W {
    let nearest = (x + W::splat(ROUND)) - W::splat(ROUND);
    nearest - W::select(x.less(nearest), W::splat(1.0), W::splat(0.0))
}

//! IEEE arithmetic that keeps away from infinities, and its companions.
//!
//! They are single precision as C programs compute it, to nearest even, with a few values changed afterwards:
//! an overflow becomes the largest finite number, a comparison distinguishes -0 from +0, a reciprocal stays within
//! bounds.

use super::basic::{SIGN, fabs, fdiv, fmul};
use super::exponential::{exp2, log2};
use super::{Lane, Wide};

/// a × b, but an overflow (an infinity made of finite numbers) gives the largest finite number with its sign.
#[inline(always)]
pub fn fmul_finite<L: Lane>(a: L, b: L) -> L {
    let infinity = L::splat(f32::INFINITY);
    let product = fmul(a, b);
    L::select(fabs(a).less(infinity) & fabs(b).less(infinity), clamp(product), product)
}

/// Infinities become the largest finite numbers.
#[inline(always)]
pub(super) fn clamp<L: Lane>(a: L) -> L {
    let (least, most) = (L::splat(f32::MIN), L::splat(f32::MAX));
    let a = L::select(most.less(a), most, a);
    L::select(a.less(least), least, a)
}

/// a where a < b, else b: b where one is NaN, and of two zeros. Moves bits.
#[inline(always)]
pub fn fmin_strict<L: Lane>(a: L, b: L) -> L {
    L::select(a.less(b), a, b)
}

/// a where a > b, else b: b where one is NaN, and of two zeros. Moves bits.
#[inline(always)]
pub fn fmax_strict<L: Lane>(a: L, b: L) -> L {
    L::select(b.less(a), a, b)
}

/// 1 where a < b and where a is -0 and b is +0, else +0. NaN is not below anything, and nothing is below NaN.
#[inline(always)]
pub fn fslt_zeros<L: Lane>(a: L, b: L) -> L {
    // Of two equal numbers one can come first only if they are -0 and +0.
    L::select(a.less(b) | (a.same(b) & a.less_total(b)), L::splat(1.0), L::splat(0.0))
}

/// 1 ÷ a within bounds: from 5.42101e-20 to 1.884467e19 in magnitude, what is larger being 2⁶⁴ (which itself lies
/// within). Zeros of either sign come from infinities and count as negative: they give -5.42101e-20.
///
/// Meant are 2⁻⁶⁴ and 2⁶⁴. The decimals, one rounded and one mistyped, are those of the emulator that this follows.
#[inline(always)]
pub fn frcc_loose<L: Lane>(a: L) -> L {
    let (zero, least, most) = (L::splat(0.0), L::splat(5.42101e-20), L::splat(1.884467e19));
    let reciprocal = fdiv(L::splat(1.0), a);
    let sign = L::select(zero.less(reciprocal), zero, L::splat(SIGN));
    let magnitude = fabs(reciprocal);
    let bounded = L::select(magnitude.less(least), least, magnitude);
    let bounded = L::select(most.less(bounded), L::splat(18_446_744_073_709_551_616.0), bounded);
    bounded.xor(sign).canonical()
}

/// The highlight of a lit vertex: b to the power c where a and b are above zero, else +0.
///
/// The power is C's: 1 where c is zero or b is 1, for any other operand.
#[inline(always)]
pub fn flit<L: Lane>(a: L, b: L, c: L) -> L {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let power = exp2(c.widen() * log2(b.widen())).narrow();
    let power = L::select(c.same(zero) | b.same(one), one, power);
    L::select(zero.less(a) & zero.less(b), power, zero).canonical()
}

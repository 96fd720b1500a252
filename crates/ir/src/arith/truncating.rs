//! Arithmetic that cuts off what does not fit: sums and products of a vertex unit that never rounds. What truncation
//! means is said in [`arith`](super).
//!
//! All of it is done in f64, where a product of two f32 is exact and so is a sum of aligned terms.

use super::basic::{SIGN, fabs};
use super::{Lane, Real, TWO_52, Wide};

/// The NaN that every truncating operation gives: 0x7fffffff.
pub const NAN_TRUNC: f32 = f32::from_bits(0x7fff_ffff);

/// a × b, truncated to 24 bits.
#[inline(always)]
pub fn fmul_trunc<L: Lane>(a: L, b: L) -> L {
    product(a, b).narrow().with_nan(NAN_TRUNC)
}

/// [`fmul_trunc`] as f64, some NaN for its NaN.
#[inline(always)]
pub(super) fn product<L: Lane>(a: L, b: L) -> L::Wide {
    L::Wide::select(is_zero(a) | is_zero(b), L::Wide::splat(0.0), bound(a.widen() * b.widen()))
}

/// a + b, truncated. Before that the smaller one is truncated, at 5 bits below the larger one's last. A sum of zero
/// is +0. A subnormal number counts half its value here, because its exponent is taken for 0 instead of 1.
#[inline(always)]
pub fn fadd_trunc<L: Lane>(a: L, b: L) -> L {
    sum_trunc([a, b].map(|term| {
        let wide = term.widen();
        L::Wide::select(is_zero(term), wide * L::Wide::splat(0.5), wide)
    }))
}

/// The sum of all terms: each truncated at 5 bits below the last bit of the largest, then added exactly, then
/// truncated to 24 bits. So no order of additions matters.
#[inline(always)]
pub(super) fn sum_trunc<W: Wide, const N: usize>(terms: [W; N]) -> W::Narrow {
    let largest = terms
        .map(magnitude)
        .into_iter()
        .fold(W::splat(0.0), |largest, term| W::select(largest.less(term), term, largest));
    // 2ᴱ of the largest term; 2ᴱ⁺²⁴ pushes out of an f64 what is below 2ᴱ⁻²⁸.
    let power = largest.and(W::splat(f64::INFINITY));
    let (push, last) = (power * W::splat(TWO_24), power * W::splat(TWO_24 / TWO_52));
    let aligned = |term: W| {
        let exact = magnitude(term);
        let near = (exact + push) - push;
        let cut = near - W::select(exact.less(near), last, W::splat(0.0));
        cut.xor(term.and(W::splat(-0.0)))
    };
    let add = |sum: W, term: W| sum + term;
    let total = terms.map(aligned).into_iter().fold(W::splat(0.0), add);
    // Only infinities and NaN make this sum other than finite, and their sum is the result.
    let special = terms.into_iter().fold(W::splat(0.0), add);
    let finite = magnitude(special).less(W::splat(f64::INFINITY));
    pack(W::select(finite, total, special))
}

const TWO_24: f64 = 16_777_216.0;

/// The result for an exact number: truncated to 24 bits, no larger than the largest f32, zero if it would be subnormal.
#[inline(always)]
pub(super) fn pack<W: Wide>(exact: W) -> W::Narrow {
    bound(exact).narrow().with_nan(NAN_TRUNC)
}

/// [`pack`] as f64, NaN left as it is.
#[inline(always)]
fn bound<W: Wide>(exact: W) -> W {
    let (largest, infinity) = (W::splat(f64::from(f32::MAX)), W::splat(f64::INFINITY));
    let size = magnitude(truncate(exact));
    let bounded = W::select(largest.less(size) & size.less(infinity), largest, size);
    let flushed = W::select(bounded.less(W::splat(f64::from(f32::MIN_POSITIVE))), W::splat(0.0), bounded);
    flushed.xor(exact.and(W::splat(-0.0)))
}

/// The highest 24 of the 53 bits of a number.
#[inline(always)]
pub(super) fn truncate<W: Wide>(x: W) -> W {
    x.and(W::splat(f64::from_bits(0xffff_ffff_e000_0000)))
}

/// True for zeros and for subnormal numbers, which count as zeros.
#[inline(always)]
pub(super) fn is_zero<L: Lane>(a: L) -> L::Mask {
    fabs(a).less(L::splat(f32::MIN_POSITIVE))
}

/// Where the sign bit is set, NaN and -0 included.
#[inline(always)]
pub(super) fn is_negative<L: Lane>(a: L) -> L::Mask {
    a.and(L::splat(SIGN)).less_total(L::splat(0.0))
}

/// A wide number without its sign.
#[inline(always)]
fn magnitude<W: Wide>(x: W) -> W {
    x.and(W::splat(f64::from_bits(0x7fff_ffff_ffff_ffff)))
}

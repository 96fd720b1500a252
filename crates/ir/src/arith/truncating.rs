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
fn product<L: Lane>(a: L, b: L) -> L::Wide {
    bound(exact_product(a, b))
}

/// a × b, exactly; +0 where a factor counts as zero.
#[inline(always)]
fn exact_product<L: Lane>(a: L, b: L) -> L::Wide {
    L::Wide::select(is_zero(a) | is_zero(b), L::Wide::splat(0.0), a.widen() * b.widen())
}

/// The [`sum_trunc`] of the products of pairs, each as [`fmul_trunc`] has it.
#[inline(always)]
pub(super) fn sum_of_products<L: Lane, const N: usize>(a: [L; N], b: [L; N]) -> L {
    let products: [L::Wide; N] = std::array::from_fn(
        #[inline(always)]
        |component| exact_product(a[component], b[component]),
    );
    // As `bound` has it, but that infinities and NaN become the largest number, too: the sum of `products` shows them.
    let (largest, least) =
        (L::Wide::splat(f64::from(f32::MAX)), L::Wide::splat(f64::from(f32::MIN_POSITIVE)));
    let sizes = products.map(
        #[inline(always)]
        |product| {
            let size = magnitude(truncate(product));
            let bounded = L::Wide::select(size.less(largest), size, largest);
            L::Wide::select(bounded.less(least), L::Wide::splat(0.0), bounded)
        },
    );
    sum_trunc(products, sizes)
}

/// a + b, truncated. Before that the smaller one is truncated, at 5 bits below the larger one's last. A sum of zero
/// is +0. A subnormal number counts half its value here, because its exponent is taken for 0 instead of 1.
#[inline(always)]
pub fn fadd_trunc<L: Lane>(a: L, b: L) -> L {
    let terms = [a, b].map(|term| {
        let wide = term.widen();
        L::Wide::select(is_zero(term), wide * L::Wide::splat(0.5), wide)
    });
    sum_trunc(terms, terms.map(magnitude))
}

/// The sum of all terms: each truncated at 5 bits below the last bit of the largest, then added exactly, then
/// truncated to 24 bits. So no order of additions matters. The terms have these sizes and the signs of `terms`, which
/// also show infinities and NaN: any size will do for those.
#[inline(always)]
fn sum_trunc<W: Wide, const N: usize>(terms: [W; N], sizes: [W; N]) -> W::Narrow {
    let larger = |largest: W, size: W| W::select(largest.less(size), size, largest);
    let largest = sizes.into_iter().fold(W::splat(0.0), larger);
    // 2ᴱ of the largest term; 2ᴱ⁺²⁴ pushes out of an f64 what is below 2ᴱ⁻²⁸.
    let power = largest.and(W::splat(f64::INFINITY));
    let (push, last) = (power * W::splat(TWO_24), power * W::splat(TWO_24 / TWO_52));
    let aligned = |(size, term): (W, W)| {
        let near = (size + push) - push;
        let cut = near - W::select(size.less(near), last, W::splat(0.0));
        cut.xor(term.and(W::splat(-0.0)))
    };
    let add = |sum: W, term: W| sum + term;
    let total = sizes.into_iter().zip(terms).map(aligned).fold(W::splat(0.0), add);
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

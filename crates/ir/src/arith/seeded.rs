//! Reciprocals as the truncating unit makes them: a guess from a table and two steps of Newton's method, in integers.
//!
//! The integers stay below 2⁵³, so that f64 holds them. Only the last product of [`frsq_trunc`] has up to 63 bits; that
//! rounding it changes no result was found by trying all 2²⁴ mantissas, which the test suite repeats.

use super::basic::{SIGN, fabs};
use super::integer::floor;
use super::tables::{RCP_SEED, RSQ_SEED, look_up};
use super::truncating::{is_zero, pack};
use super::{Lane, Real, Wide};

/// 1 ÷ a, to 2⁻²²·². Zeros (and subnormal numbers) give a signed infinity, infinities a signed zero.
#[inline(always)]
pub fn frcp_trunc<L: Lane>(a: L) -> L {
    signed(reciprocal(a), a)
}

/// 1 ÷ a with its magnitude kept from 2⁻⁶⁴ to 2⁶⁴, for zeros and infinities, too.
#[inline(always)]
pub fn frcc_trunc<L: Lane>(a: L) -> L {
    let (least, most) = (power_of_two::<L::Wide>(-64), power_of_two::<L::Wide>(64));
    let size = reciprocal(a);
    let bounded = L::Wide::select(size.less(least), least, size);
    signed(L::Wide::select(most.less(bounded), most, bounded), a)
}

/// 1 ÷ √|a|, to 2⁻²¹·⁸. Zeros (and subnormal numbers) give +infinity, infinities +0. Of 1 it gives 1 - 2⁻²⁴.
#[inline(always)]
pub fn frsq_trunc<L: Lane>(a: L) -> L {
    let number = |value| L::Wide::splat(value);
    let pattern = |bits| L::Wide::splat(f64::from_bits(bits));
    let x = fabs(a).widen();
    // x = r × 4ᵏ with r from 1 to 4: the lowest bit of the exponent decides between 2⁰ (odd: the bias is 1023) and 2¹.
    let r = x.and(pattern(0x001f_ffff_ffff_ffff)).xor(pattern(1 << 52)).add_bits(number(1.0));
    let m = r * number(TWO_23);
    let t = x.shift_right(46).pick(&RSQ_TABLE);
    let u = floor((number(3.0 * 137_438_953_472.0) - t * t * m) * t * number(1.0 / 4_294_967_296.0));
    let u = floor((number(3.0 * 562_949_953_421_312.0) - u * u * m) * u * number(1.0 / 549_755_813_888.0));
    // Patterns less one another leave (2k) << 52; half of it, less a bit that went into the sign, is k << 52.
    let power = x.sub_bits(r).shift_right(1);
    let root = (u * number(1.0 / 16_777_216.0)).sub_bits(power).and(pattern(0x7fff_ffff_ffff_ffff));
    pack(ends(a, root))
}

/// The seeds, by the lowest bit of an f64's exponent and the 6 bits behind it. The exponent's bias is odd.
static RCP_TABLE: [f64; 128] = look_up(&RCP_SEED, 0);
static RSQ_TABLE: [f64; 128] = look_up(&RSQ_SEED, 64);

const TWO_23: f64 = 8_388_608.0;

/// 1 ÷ |a|, not yet bounded.
#[inline(always)]
fn reciprocal<L: Lane>(a: L) -> L::Wide {
    let number = |value| L::Wide::splat(value);
    let x = fabs(a).widen();
    // x = r × 2ᵏ with r from 1 to 2.
    let r = x.and(L::Wide::splat(f64::from_bits(0x000f_ffff_ffff_ffff))).xor(number(1.0));
    let m = r * number(TWO_23);
    let t = x.shift_right(46).pick(&RCP_TABLE);
    let u = floor((number(2_147_483_648.0) - t * m) * t * number(1.0 / 16_777_216.0));
    let u = floor((number(137_438_953_472.0) - u * m) * u * number(1.0 / 33_554_432.0));
    let inverse = L::Wide::select(r.same(number(1.0)), number(1.0), u * number(1.0 / 16_777_216.0));
    ends(a, inverse.sub_bits(x.sub_bits(r)))
}

/// `inverse`, but infinity where a is zero, zero where it is infinite, and NaN where it is NaN.
#[inline(always)]
fn ends<L: Lane>(a: L, inverse: L::Wide) -> L::Wide {
    let infinity = L::Wide::splat(f64::INFINITY);
    let inverse = L::Wide::select(is_zero(a), infinity, inverse);
    let inverse = L::Wide::select(fabs(a).same(L::splat(f32::INFINITY)), L::Wide::splat(0.0), inverse);
    L::Wide::select(a.same(a), inverse, a.widen())
}

/// `size` with the sign of a, as a result.
#[inline(always)]
fn signed<L: Lane>(size: L::Wide, a: L) -> L {
    pack(size.xor(a.and(L::splat(SIGN)).widen()))
}

fn power_of_two<W: Wide>(exponent: i32) -> W {
    W::splat(f64::from_bits(((1023 + exponent) as u64) << 52))
}

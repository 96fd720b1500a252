//! Powers and logarithms to base 2 as the truncating unit makes them: 32 straight pieces from one power to the next.

use super::basic::fabs;
use super::integer::{exponent, floor, fmantissa, infinite_ends, number};
use super::tables::{EXP_BASE, EXP_SLOPE, LOG_BASE, LOG_SLOPE, look_up};
use super::truncating::{NAN_TRUNC, is_negative, is_zero, truncate};
use super::{Lane, ROUND, Real, Wide};

/// 2 to the power a, from a with 13 fraction bits; to 2⁻¹³ of the result. +infinity from 128 on; +0 below -126.
#[inline(always)]
pub fn fexp2_trunc<L: Lane>(a: L) -> L {
    L::select(a.same(a), exp2(fixed(a)), a).with_nan(NAN_TRUNC)
}

/// The logarithm of |a| to base 2, to 2⁻¹² (absolute): -infinity for zeros. A NaN keeps its payload, but not its sign.
#[inline(always)]
pub fn flog2_trunc<L: Lane>(a: L) -> L {
    let x = fabs(a);
    let log = truncate(log2(x) * L::Wide::splat(1.0 / TWO_26)).narrow();
    log_ends(x, log)
}

/// The exponent of |a|, which is the integer part of its logarithm: -infinity for zeros. A NaN keeps its payload, but
/// not its sign.
#[inline(always)]
pub fn fexponent_trunc<L: Lane>(a: L) -> L {
    let x = fabs(a);
    log_ends(x, exponent(x).narrow())
}

/// |a| over the power of two of its exponent, from 1 to 2; 1 for zeros and infinities. A NaN keeps
/// its payload, but not its sign.
#[inline(always)]
pub fn fmantissa_trunc<L: Lane>(a: L) -> L {
    let x = fabs(a);
    let mantissa = L::select(is_zero(a), L::splat(1.0), fmantissa(x));
    L::select(x.same(x), mantissa, x)
}

/// The largest integer that is not above a, by way of 18 bits and 13 fraction bits: 0 (not -1) from -2⁻²³ to 0,
/// at least -2¹⁸, at most 2¹⁸ - 1, which NaN gives, too.
#[inline(always)]
pub fn ffloor_trunc<L: Lane>(a: L) -> L {
    floor(fixed(a) * L::Wide::splat(1.0 / 8192.0)).narrow()
}

/// a less its floor, with 23 fraction bits where a is negative, and 1 from -2⁻²³ to 0; +0 for zeros and from 2²³ on.
/// A NaN stays as it is.
#[inline(always)]
pub fn ffract_trunc<L: Lane>(a: L) -> L {
    let x = a.widen();
    let fraction = x - floor(x);
    let (scale, unit) = (L::Wide::splat(8_388_608.0), L::Wide::splat(1.0 / 8_388_608.0));
    let negative = a.less(L::splat(0.0));
    let cut = L::Wide::select(negative, floor(fraction * scale) * unit, fraction).narrow();
    let tiny = fabs(a).less(L::splat(1.0 / 8_388_608.0));
    let cut = L::select(tiny & negative, L::splat(1.0), cut);
    let integer = is_zero(a) | !fabs(a).less(L::splat(8_388_608.0));
    L::select(a.same(a), L::select(integer, L::splat(0.0), cut), a)
}

/// The highlight of a lit vertex: b to the power c where a is above zero, else +0.
///
/// In this order: a with its sign bit set, or a zero, gives +0; a zero for c gives 1; NaN for b or c gives NaN; b that
/// is negative or zero gives what zero to the power c is; so does an infinite b in its way. c is taken with 13
/// fraction bits and kept within ±128. A positive NaN for a counts as above zero.
#[inline(always)]
pub fn flit_trunc<L: Lane>(a: L, b: L, c: L) -> L {
    let (zero, infinity) = (L::splat(0.0), L::splat(f32::INFINITY));
    let negative = c.less(zero);
    let exponent = fixed(c);
    let (least, most) = (L::Wide::splat(-1_048_576.0), L::Wide::splat(1_048_575.0));
    let exponent = L::Wide::select(exponent.less(least), least, exponent);
    let exponent = L::Wide::select(most.less(exponent), most, exponent);
    let power = exp2(floor(log2(fabs(b)) * exponent * L::Wide::splat(1.0 / TWO_26)));
    // From the last test to the first.
    let power = L::select(b.same(infinity), L::select(negative, zero, infinity), power);
    let power = L::select(b.less(zero) | is_zero(b), L::select(negative, infinity, zero), power);
    let power = L::select(b.same(b) & c.same(c), power, L::splat(NAN_TRUNC)).with_nan(NAN_TRUNC);
    let power = L::select(is_zero(c), L::splat(1.0), power);
    L::select(is_negative(a) | is_zero(a), zero, power)
}

static EXP_BASES: [f64; 128] = look_up(&EXP_BASE, 0);
static EXP_SLOPES: [f64; 128] = look_up(&EXP_SLOPE, 0);
static LOG_BASES: [f64; 128] = look_up(&LOG_BASE, 0);
static LOG_SLOPES: [f64; 128] = look_up(&LOG_SLOPE, 0);

const TWO_26: f64 = 67_108_864.0;

/// a in units of 2⁻¹³, rounded down, as a signed 32-bit integer would hold it: saturated, NaN like +infinity. What is
/// below 2⁻²³ in magnitude is 0, even if it is negative.
#[inline(always)]
fn fixed<L: Lane>(a: L) -> L::Wide {
    let number = |value| L::Wide::splat(value);
    let units = floor(a.widen() * number(8192.0));
    let units = L::Wide::select(fabs(a).less(L::splat(1.0 / 8_388_608.0)), number(0.0), units);
    let units = L::Wide::select(a.less(L::splat(-262_144.0)), number(-2_147_483_648.0), units);
    L::Wide::select(a.less(L::splat(262_144.0)), units, number(2_147_483_647.0))
}

/// 2 to the power t × 2⁻¹³, for integers |t| ≤ 2³¹.
#[inline(always)]
fn exp2<W: Wide>(t: W) -> W::Narrow {
    let round = W::splat(ROUND);
    let piece = floor(t * W::splat(1.0 / 256.0));
    let index = piece + round;
    let along = t - piece * W::splat(256.0);
    let rise = index.pick(&EXP_BASES) * W::splat(256.0) + index.pick(&EXP_SLOPES) * along;
    // From 2⁰ to 2¹, in units of 2⁻²²; the integer part of the power goes straight to the exponent.
    let fraction = W::splat(1.0) + rise * W::splat(1.0 / 4_194_304.0);
    let integer = floor(t * W::splat(1.0 / 8192.0));
    let power = fraction.add_bits((integer + round).shift_left(52));
    let power = W::select(W::splat(-127.0).less(integer), power, W::splat(0.0));
    W::select(integer.less(W::splat(128.0)), power, W::splat(f64::INFINITY)).narrow()
}

/// The logarithm of x to base 2 in units of 2⁻²⁶; x has no sign and is neither zero, infinite nor NaN.
#[inline(always)]
fn log2<L: Lane>(x: L) -> L::Wide {
    let wide = x.widen();
    let index = wide.shift_right(47);
    // Behind the 5 bits of the index 8 of the mantissa's 23 bits count, the others are cut off.
    let along = number(wide.and(L::Wide::splat(f64::from_bits(0xff << 39))).shift_right(39));
    let rise = index.pick(&LOG_BASES) * L::Wide::splat(256.0) + index.pick(&LOG_SLOPES) * along;
    exponent(x) * L::Wide::splat(TWO_26) + rise
}

/// `log`, but the infinities of zeros and infinities, and x itself where that is NaN.
#[inline(always)]
fn log_ends<L: Lane>(x: L, log: L) -> L {
    // Subnormal numbers are the largest that count as zero.
    let log = infinite_ends(x, L::splat(f32::from_bits(0x007f_ffff)), log);
    L::select(x.same(x), log, x)
}

//! Sine, cosine and tangent of any angle.
//!
//! The angle is measured in half turns, x / π, and only its distance from the nearest integer (for cosines: from the
//! nearest half-integer) matters. For large angles that takes many digits of 1 / π, but never more than about a
//! hundred at a time: x = m 2ᵏ with a 24-bit m, and whole turns of 2ᵏ / π may be dropped beforehand. So each k has a
//! row of three numbers that sum to 2ᵏ / π modulo 2, with 110 bits behind the point. This is the idea of M. Payne and
//! R. Hanek, Radian reduction for trigonometric functions (1983), as a look-up; small angles are the row k = 0 and no
//! special case.

use super::{Lane, ROUND, Wide, polynomial};

/// Sine of radians; infinities give NaN, zeros keep their sign.
#[inline(always)]
pub fn fsin<L: Lane>(a: L) -> L {
    let x = a.widen();
    finite(x, sine(half_turns(x), 0.0))
}

/// Cosine of radians; infinities give NaN.
#[inline(always)]
pub fn fcos<L: Lane>(a: L) -> L {
    let x = a.widen();
    finite(x, sine(half_turns(x), 0.5))
}

/// Tangent of radians; infinities give NaN, zeros keep their sign. No f32 is so near a pole that it overflows.
#[inline(always)]
pub fn ftan<L: Lane>(a: L) -> L {
    let x = a.widen();
    let turns = half_turns(x);
    finite(x, sine(turns, 0.0) / sine(turns, 0.5))
}

/// The result rounded to f32, or NaN where x is infinite or NaN.
#[inline(always)]
fn finite<W: Wide>(x: W, result: W) -> W::Narrow {
    let zero = x * W::splat(0.0); // or NaN
    W::select(zero.same(zero), result, W::splat(f64::NAN)).narrow().canonical()
}

/// x / π modulo 2 as a sum of three, the first two exact. x must come from an f32.
#[inline(always)]
fn half_turns<W: Wide>(x: W) -> [W; 3] {
    // k = 0 below 2²⁴; above, as much as brings x down to a 24-bit integer. Infinities get a row of zeros.
    let magnitude = x.and(W::splat(f64::from_bits(u64::MAX >> 1)));
    let least = W::splat(8_388_608.0); // 2²³
    let k = W::select(least.less(magnitude), magnitude, least).sub_bits(least).shift_right(52);
    let m = x.sub_bits(k.shift_left(52));
    [m * k.pick(&INVERSE_PI[0]), m * k.pick(&INVERSE_PI[1]), m * k.pick(&INVERSE_PI[2])]
}

/// sin(πr) / r in r², for |r| ≤ 1/2: minimax, relative error 2⁻⁴⁴.
const SINE: [f64; 7] = [
    3.1415926535895964,
    -5.167712779977133,
    2.5501640354102255,
    -0.5992644255672269,
    0.08214473071266644,
    -0.007363779673526055,
    0.0004471926648370925,
];

/// The sine of π (t₀ + t₁ + t₂ + shift).
#[inline(always)]
fn sine<W: Wide>(turns: [W; 3], shift: f64) -> W {
    let shift = W::splat(shift);
    let rounded = (turns[0] + turns[1] + shift) + W::splat(ROUND);
    let nearest = (rounded - W::splat(ROUND)) - shift;
    // The first difference is exact, and the second as exact as its size asks for: that keeps zeros of the sine sharp.
    let r = (turns[0] - nearest) + turns[1] + turns[2];
    let sine = r * polynomial(r * r, SINE);
    // An odd number of half turns flips the sign.
    sine.xor(rounded.shift_left(63))
}

/// The largest k plus one: the largest f32 is below 2²⁴ × 2¹⁰⁴.
const ROWS: usize = 105;

/// The first 256 bits of 1 / π behind the binary point.
const BITS: [u64; 4] =
    [0x517c_c1b7_2722_0a94, 0xfe13_abe8_fa9a_6ee0, 0x6db1_4acc_9e21_c820, 0xff28_b1d5_ef5d_e2b0];

/// 2ᵏ / π modulo 2 for each k, in three columns: the bits of weight 1 to 2⁻²⁸, then to 2⁻⁵⁷, then to 2⁻¹¹⁰. Products of
/// a 24-bit number with the first two columns fit an f64.
static INVERSE_PI: [[f64; 128]; 3] = {
    let mut columns = [[0.0; 128]; 3];
    let mut k = 0;
    while k < ROWS {
        columns[0][k] = bits(k, 29) as f64 * power_of_two(-28);
        columns[1][k] = bits(k + 29, 29) as f64 * power_of_two(-57);
        columns[2][k] = bits(k + 58, 53) as f64 * power_of_two(-110);
        k += 1;
    }
    columns
};

/// `count` bits of 1 / π; number 0 is the one of weight 1, before the point.
const fn bits(start: usize, count: usize) -> u64 {
    let mut value = 0;
    let mut at = start;
    while at < start + count {
        let bit = if at == 0 { 0 } else { BITS[(at - 1) / 64] >> (63 - (at - 1) % 64) & 1 };
        value = value << 1 | bit;
        at += 1;
    }
    value
}

/// 2 to an exponent of a normal f64.
const fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

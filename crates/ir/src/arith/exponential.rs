//! Powers and logarithms: all from one 2ˣ and one log₂ in f64.

use std::f64::consts::{LN_2, LOG2_E, SQRT_2};

use super::{Lane, ROUND, Real, TWO_52, Wide, polynomial};

/// e to the power a. Overflows to +infinity, underflows through the denormals to +0.
#[inline(always)]
pub fn fexp<L: Lane>(a: L) -> L {
    exp2(a.widen() * L::Wide::splat(LOG2_E)).narrow().canonical()
}

/// 2 to the power a; exact for integers from -149 to 127.
#[inline(always)]
pub fn fexp2<L: Lane>(a: L) -> L {
    exp2(a.widen()).narrow().canonical()
}

/// The natural logarithm: -infinity for both zeros, NaN below.
#[inline(always)]
pub fn flog<L: Lane>(a: L) -> L {
    (log2(a.widen()) * L::Wide::splat(LN_2)).narrow().canonical()
}

/// The logarithm to base 2, exact for powers of two: -infinity for both zeros, NaN below.
#[inline(always)]
pub fn flog2<L: Lane>(a: L) -> L {
    log2(a.widen()).narrow().canonical()
}

/// a to the power b as exp2(b × log2 a), with one rounding at the end.
///
/// The formula also settles what IEEE 754's `pow` settles otherwise:
///
/// | a            | b < 0     | b = ±0 | b > 0     | b = -inf | b = +inf |
/// |--------------|-----------|--------|-----------|----------|----------|
/// | NaN, or < 0  | NaN       | NaN    | NaN       | NaN      | NaN      |
/// | ±0           | +inf      | NaN    | +0        | +inf     | +0       |
/// | 0 < a < 1    | power     | 1      | power     | +inf     | +0       |
/// | 1            | 1         | 1      | 1         | NaN      | NaN      |
/// | 1 < a < inf  | power     | 1      | power     | +0       | +inf     |
/// | +inf         | +0        | NaN    | +inf      | +0       | +inf     |
///
/// A NaN for b gives NaN.
#[inline(always)]
pub fn fpow<L: Lane>(a: L, b: L) -> L {
    exp2(b.widen() * log2(a.widen())).narrow().canonical()
}

/// (2ʳ - 1) / r for r from -1/2 to 1/2: minimax; 1 + r × it is 2ʳ with a relative error of 2⁻⁴⁵·⁹.
const EXP2: [f64; 9] = [
    0.6931471805598851,
    0.2402265069572282,
    0.05550410866841578,
    0.00961812918116399,
    0.0013333557625466732,
    0.00015403440884366272,
    1.5252990016604953e-05,
    1.325833543039391e-06,
    1.0148340569395625e-07,
];

/// 2 to the power x; +infinity (or what narrows to it) and zero likewise outside the range of f32.
#[inline(always)]
pub(super) fn exp2<W: Wide>(x: W) -> W {
    // Past ±200 every result is infinity or zero in f32, yet 2²⁰⁰ and 2⁻²⁰⁰ are ordinary numbers in f64.
    let limit = W::splat(200.0);
    let clamped = W::select(limit.less(x), limit, x);
    let clamped = W::select(clamped.less(W::splat(-200.0)), W::splat(-200.0), clamped);
    let rounded = clamped + W::splat(ROUND);
    let fraction = clamped - (rounded - W::splat(ROUND));
    let power = W::splat(1.0) + fraction * polynomial(fraction, EXP2);
    // The integer goes straight to the exponent: what is above it leaves the register.
    let scaled = power.add_bits(rounded.shift_left(52));
    W::select(x.same(x), scaled, x)
}

/// log2((1 + s) / (1 - s)) / s in s², for |s| ≤ 3 - √8: minimax, relative error 2⁻⁵².
const LOG2: [f64; 7] = [
    2.885390081777927,
    0.9617966939243245,
    0.5770780172502963,
    0.41219840147261483,
    0.3206164258764691,
    0.2614431088937261,
    0.24292900621041486,
];

/// The logarithm to base 2 of a number that was an f32 (so that it is not a denormal f64).
#[inline(always)]
pub(super) fn log2<W: Wide>(x: W) -> W {
    // x = 2ᵏ m with m from √½ to √2. The exponent field of x / √½ is k + 1023; in front of the bits of 2⁵² it reads
    // as the number 2⁵² + 1023 + k.
    let one = W::splat(1.0);
    let field = x.sub_bits(W::splat(SQRT_2 / 2.0)).add_bits(one).shift_right(52);
    let exponent = field.add_bits(W::splat(TWO_52)) - W::splat(TWO_52 + 1023.0);
    let mantissa = x.sub_bits(field.shift_left(52)).add_bits(one);
    let s = (mantissa - one) / (mantissa + one);
    let log = exponent + s * polynomial(s * s, LOG2);

    let zero = W::splat(0.0);
    let infinity = W::splat(f64::INFINITY);
    let log = W::select(x.same(zero), W::splat(f64::NEG_INFINITY), log);
    let log = W::select(x.same(infinity), infinity, log);
    W::select(x.less(zero) | !x.same(x), W::splat(f64::NAN), log)
}

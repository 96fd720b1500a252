//! The inverse circular functions: all from one angle in the first quadrant.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use super::basic::{SIGN, fabs};
use super::{Lane, Real, Wide, polynomial};

/// Arc sine in radians; NaN outside -1 to 1, zeros keep their sign.
#[inline(always)]
pub fn fasin<L: Lane>(a: L) -> L {
    let x = fabs(a).widen();
    angle(x, cathetus(x)).narrow().xor(sign(a)).canonical()
}

/// Arc cosine in radians, from 0 to π; NaN outside -1 to 1.
#[inline(always)]
pub fn facos<L: Lane>(a: L) -> L {
    let x = fabs(a).widen();
    mirror(a, angle(cathetus(x), x)).narrow().canonical()
}

/// Arc tangent in radians; zeros keep their sign.
#[inline(always)]
pub fn fatan<L: Lane>(a: L) -> L {
    angle(fabs(a).widen(), L::Wide::splat(1.0)).narrow().xor(sign(a)).canonical()
}

/// The angle of the point (x = b, y = a) in radians, from -π to π, as IEEE 754 defines atan2: the sign is that of a,
/// zeros and infinities have directions too (atan2(±0, +0) = ±0, atan2(±0, -0) = ±π, atan2(±inf, -inf) = ±3π/4).
#[inline(always)]
pub fn fatan2<L: Lane>(a: L, b: L) -> L {
    let (y, x) = (fabs(a), fabs(b));
    // Two infinities are on the diagonal, two zeros on the axis.
    let infinity = L::splat(f32::INFINITY);
    let diagonal = y.same(infinity) & x.same(infinity);
    let one = L::splat(1.0);
    let zero = L::splat(0.0);
    let origin = y.same(zero) & x.same(zero);
    let y = L::select(diagonal, one, y);
    let x = L::select(diagonal | origin, one, x);
    mirror(b, angle(y.widen(), x.widen())).narrow().xor(sign(a)).canonical()
}

/// The sign bit alone.
#[inline(always)]
fn sign<L: Lane>(a: L) -> L {
    a.and(L::splat(SIGN))
}

/// √(1 - x²), accurate near 1 because 1 - x is exact there.
#[inline(always)]
fn cathetus<W: Wide>(x: W) -> W {
    let one = W::splat(1.0);
    ((one - x) * (one + x)).sqrt()
}

/// `angle`, or π - `angle` where the sign bit of `a` is set.
#[inline(always)]
fn mirror<L: Lane>(a: L, angle: L::Wide) -> L::Wide {
    // 1 with the sign of a: unlike a itself it also distinguishes -0 from +0.
    let negative = L::splat(1.0).xor(sign(a)).less(L::splat(0.0));
    L::Wide::select(negative, L::Wide::splat(PI) - angle, angle)
}

/// atan(t) / t in t², for |t| ≤ √2 - 1 = tan(π/8): minimax, relative error 2⁻⁵⁰.
const ATAN: [f64; 10] = [
    0.9999999999999991,
    -0.3333333333322538,
    0.19999999979002311,
    -0.14285712698000044,
    0.11111049938216926,
    -0.09089548158906124,
    0.0767371497713945,
    -0.06507015549916986,
    0.05027965386137491,
    -0.025357894387449603,
];

/// The angle from 0 to π/2 of the point (x, y), neither below zero, not both zero nor both infinite.
#[inline(always)]
fn angle<W: Wide>(y: W, x: W) -> W {
    // Turned by π/4 or π/2 where that brings the point within π/8 of the x axis: one division serves all three. For
    // points that were f32s, y - x and y + x are exact where it matters.
    let tan_pi_8 = W::splat(std::f64::consts::SQRT_2 - 1.0);
    let flat = y.less(x * tan_pi_8);
    let steep = x.less(y * tan_pi_8);
    let zero = W::splat(0.0);
    let up = W::select(flat, y, W::select(steep, zero - x, y - x));
    let right = W::select(flat, x, W::select(steep, y, y + x));
    let turned = W::select(flat, zero, W::select(steep, W::splat(FRAC_PI_2), W::splat(FRAC_PI_4)));
    let t = up / right;
    turned + t * polynomial(t * t, ATAN)
}

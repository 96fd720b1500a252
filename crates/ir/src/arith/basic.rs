//! The operations that IEEE 754 rounds correctly, and those that only move bits.

use super::Lane;

/// The sign bit alone, which is -0.
pub(super) const SIGN: f32 = -0.0;

/// Clears the sign bit. Moves bits: NaN keeps its payload.
#[inline(always)]
pub fn fabs<L: Lane>(a: L) -> L {
    a.and(L::splat(f32::from_bits(0x7fff_ffff)))
}

/// Flips the sign bit. Moves bits: NaN keeps its payload.
#[inline(always)]
pub fn fneg<L: Lane>(a: L) -> L {
    a.xor(L::splat(SIGN))
}

/// 1 above zero, -1 below, +0 for both zeros and for NaN.
#[inline(always)]
pub fn fsign<L: Lane>(a: L) -> L {
    let zero = L::splat(0.0);
    let below = L::select(a.less(zero), L::splat(-1.0), zero);
    L::select(zero.less(a), L::splat(1.0), below)
}

/// The correctly rounded square root; -0 stays -0, numbers below zero give NaN.
#[inline(always)]
pub fn fsqrt<L: Lane>(a: L) -> L {
    a.sqrt().canonical()
}

/// a + b.
#[inline(always)]
pub fn fadd<L: Lane>(a: L, b: L) -> L {
    (a + b).canonical()
}

/// a - b.
#[inline(always)]
pub fn fsub<L: Lane>(a: L, b: L) -> L {
    (a - b).canonical()
}

/// a × b.
#[inline(always)]
pub fn fmul<L: Lane>(a: L, b: L) -> L {
    (a * b).canonical()
}

/// a ÷ b; a zero divisor gives an infinity with the sign of the quotient, 0 ÷ 0 gives NaN.
#[inline(always)]
pub fn fdiv<L: Lane>(a: L, b: L) -> L {
    (a / b).canonical()
}

/// a where a < b or b is NaN, else b: of two zeros b. Moves bits: a NaN that comes out keeps its payload.
#[inline(always)]
pub fn fmin<L: Lane>(a: L, b: L) -> L {
    L::select(a.less(b) | !b.same(b), a, b)
}

/// a where a > b or b is NaN, else b: of two zeros b. Moves bits: a NaN that comes out keeps its payload.
#[inline(always)]
pub fn fmax<L: Lane>(a: L, b: L) -> L {
    L::select(b.less(a) | !b.same(b), a, b)
}

/// 1 where a < b, else +0. NaN is not below anything, and nothing is below NaN.
#[inline(always)]
pub fn fslt<L: Lane>(a: L, b: L) -> L {
    L::select(a.less(b), L::splat(1.0), L::splat(0.0))
}

/// 1 where a ≥ b, else +0: with a NaN, too. -0 and +0 are equal.
#[inline(always)]
pub fn fsge<L: Lane>(a: L, b: L) -> L {
    L::select(b.less(a) | a.same(b), L::splat(1.0), L::splat(0.0))
}

/// a × b + c, rounded after the product and after the sum; never fused.
#[inline(always)]
pub fn fmad<L: Lane>(a: L, b: L, c: L) -> L {
    (a * b + c).canonical()
}

//! Minimum, maximum and comparison in IEEE 754's total order of bits.
//!
//! The order is -NaN, -infinity, … , -0, +0, … , +infinity, +NaN; subnormal numbers and NaN payloads are distinguished,
//! too. Of two different patterns one is always the smaller, so that these operations need no rule for NaN or for
//! zeros.

use super::Lane;

/// The one of a and b that comes first in the total order. Moves bits.
#[inline(always)]
pub fn fmin_total<L: Lane>(a: L, b: L) -> L {
    L::select(a.less_total(b), a, b)
}

/// The one of a and b that comes last in the total order. Moves bits.
#[inline(always)]
pub fn fmax_total<L: Lane>(a: L, b: L) -> L {
    L::select(a.less_total(b), b, a)
}

/// 1 where a comes before b in the total order, else +0. So -0 is below +0, and +NaN is above +infinity.
#[inline(always)]
pub fn fslt_total<L: Lane>(a: L, b: L) -> L {
    L::select(a.less_total(b), L::splat(1.0), L::splat(0.0))
}

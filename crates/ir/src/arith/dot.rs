//! Dot products of any number of components.

use super::finite::{clamp, fmul_finite};
use super::truncating::sum_of_products;
use super::{Lane, fadd};

/// Products first, then sums from the first to the last, each rounded.
#[inline(always)]
pub fn dot<L: Lane, const N: usize>(a: [L; N], b: [L; N]) -> L {
    // A NaN anywhere makes the whole sum NaN: it is enough to put its bits right in the end.
    (1..N).fold(a[0] * b[0], |sum, component| a[component] * b[component] + sum).canonical()
}

/// Products by [`fmul_finite`], then sums from the first to the last, each rounded to nearest. In the end an
/// infinity becomes the largest finite number with its sign, even if it comes from an infinite factor.
#[inline(always)]
pub fn dot_finite<L: Lane, const N: usize>(a: [L; N], b: [L; N]) -> L {
    let product = |component: usize| fmul_finite(a[component], b[component]);
    clamp((1..N).fold(product(0), |sum, component| fadd(sum, product(component))))
}

/// Products by [`fmul_trunc`](super::fmul_trunc), then one sum of all of them, as [`fadd_trunc`](super::fadd_trunc)
/// adds two.
#[inline(always)]
pub fn dot_trunc<L: Lane, const N: usize>(a: [L; N], b: [L; N]) -> L {
    sum_of_products(a, b)
}

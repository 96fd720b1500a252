//! Every numeric function of the IR, once.
//!
//! The functions are generic over a [`Lane`] type: an `f32` for the evaluator, a SIMD vector of them for an engine.
//! Both run the same IEEE operations in the same order, so both give the same bits, on every target. Nothing here
//! calls the platform's mathematics library, nothing is fused, nothing branches on a value.
//!
//! # Accuracy
//!
//! `fadd fsub fmul fdiv fsqrt` are the correctly rounded IEEE 754 operations; [`fmad`] is two of them. The
//! transcendental functions are computed in f64 to about 2⁻⁴⁴ of the result and then rounded once to f32. They are
//! within 0.501 ulp of the true value for every argument, denormal numbers and huge angles included.
//! `cargo xtask math` checks that, for the functions of one argument on all 2³² bit patterns.
//!
//! # NaN
//!
//! An operation that computes and whose result is not a number gives exactly [`NAN`], the quiet NaN 0x7fc00000
//! without sign or payload. Hardware and compilers differ in the NaN that they make; the IR does not. Operations that
//! only move bits ([`fabs`], [`fneg`], [`fmin`], [`fmax`]) keep sign and payload. Truncating operations give
//! [`NAN_TRUNC`], 0x7fffffff, instead.
//!
//! # Truncation
//!
//! Functions whose names end in `_trunc` are not accurate but like a certain hardware, bit for bit:
//!
//! - Results are truncated (rounded toward zero) to 24 bits, and an overflow gives the largest finite number.
//! - Subnormal numbers count as zeros, and none are made: what is too small becomes a zero with its sign.
//!   [`fadd_trunc`] alone looks at them.
//! - A zero times anything is +0, even times an infinity or NaN.
//! - A sum of several terms is one sum: they are aligned to the largest, cut off 5 bits below its last one, and added.
//! - Reciprocals, powers and logarithms come from [`tables`]; their documentation names their errors.
//!
//! Names that end in `_finite` keep away from infinities, in `_total` compare bits in IEEE 754's total order.
//!
//! # Example
//!
//! ```
//! use gpuzoo_ir::arith;
//! assert_eq!(arith::fexp2(0.5_f32), 1.414_213_5);
//! assert_eq!(arith::fsub(f32::INFINITY, f32::INFINITY).to_bits(), 0x7fc0_0000);
//! ```

mod basic;
mod circular;
mod dot;
mod exponential;
mod finite;
mod integer;
mod inverse;
mod lane;
mod piecewise;
mod seeded;
pub mod tables;
mod total;
mod truncating;

pub use basic::{fabs, fadd, fdiv, fmad, fmax, fmin, fmul, fneg, fsge, fsign, fslt, fsqrt, fsub};
pub use circular::{fcos, fsin, ftan};
pub use dot::{dot, dot_finite, dot_trunc};
pub use exponential::{fexp, fexp2, flog, flog2, fpow};
pub use finite::{flit, fmax_strict, fmin_strict, fmul_finite, frcc_loose, fslt_zeros};
pub use integer::{
    fexponent_unsigned, ffloor, fmantissa, iadd, idiv, imax, imin, imul, ineg, iselect, isub, itrunc, ixor,
};
pub use inverse::{facos, fasin, fatan, fatan2};
pub use lane::{Lane, Real, Wide};
pub use piecewise::{
    fexp2_trunc, fexponent_trunc, ffloor_trunc, ffract_trunc, flit_trunc, flog2_trunc, fmantissa_trunc,
};
pub use seeded::{frcc_trunc, frcp_trunc, frsq_trunc};
pub use total::{fmax_total, fmin_total, fslt_total};
pub use truncating::{NAN_TRUNC, fadd_trunc, fmul_trunc};

/// The NaN that every computing operation gives, but for the truncating ones: 0x7fc00000.
pub const NAN: f32 = f32::from_bits(0x7fc0_0000);

/// 1.5 × 2⁵². Added to a number below 2⁵¹ it leaves the nearest integer in the lowest bits of the sum, as two's
/// complement; subtracted again, that integer as a number. No conversion instruction is needed.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// 2⁵², whose mantissa field is zero: in front of an unsigned integer in the lowest bits it reads as 2⁵² + the integer.
const TWO_52: f64 = 4_503_599_627_370_496.0;

/// c\[0\] + c\[1\] x + c\[2\] x² + …, for two coefficients or more. `xtask/minimax.py` computes the coefficients.
///
/// Even and odd powers are summed side by side, which halves the chain of dependent operations.
#[inline(always)]
fn polynomial<W: Wide, const N: usize>(x: W, c: [f64; N]) -> W {
    const { assert!(N >= 2) };
    let square = x * x;
    let mut low = W::splat(c[N - 2]);
    let mut high = W::splat(c[N - 1]);
    let mut left = N - 2;
    while left >= 2 {
        left -= 2;
        low = low * square + W::splat(c[left]);
        high = high * square + W::splat(c[left + 1]);
    }
    let sum = low + x * high;
    if left == 1 { W::splat(c[0]) + x * sum } else { sum }
}

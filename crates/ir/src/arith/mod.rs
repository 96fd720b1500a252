//! Every numeric function of the IR, once.
//!
//! The functions are generic over a [`Lane`]: an `f32` for the evaluator, many of them side by side for an engine.
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
//! only move bits ([`fabs`], [`fneg`], [`fmin`], [`fmax`]) keep sign and payload.
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
mod exponential;
mod inverse;
mod lane;

pub use basic::{fabs, fadd, fdiv, fmad, fmax, fmin, fmul, fneg, fsign, fsqrt, fsub};
pub use circular::{fcos, fsin, ftan};
pub use exponential::{fexp, fexp2, flog, flog2, fpow};
pub use inverse::{facos, fasin, fatan, fatan2};
pub use lane::{Lane, Real, Wide};

/// The NaN that every computing operation gives: 0x7fc00000.
pub const NAN: f32 = f32::from_bits(0x7fc0_0000);

/// 1.5 × 2⁵². Added to a number below 2⁵¹ it leaves the nearest integer in the lowest bits of the sum, as two's
/// complement; subtracted again, that integer as a number. No conversion instruction is needed.
const ROUND: f64 = 6_755_399_441_055_744.0;

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

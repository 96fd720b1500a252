//! What operations on three values and dot products should give, from what the oracle knows of one and two.

use crate::oracle::truncating::{
    INF, NAN, ONE, fixed, is_inf, is_nan, is_negative, is_zero, logarithm, power, sum,
};
use crate::oracle::{canonical, expected2};
use gpuzoo_ir::{Dot, Op2, Op3};

/// The correctly rounded result of an operation on bits.
pub fn expected3(op: Op3, a: u32, b: u32, c: u32) -> u32 {
    match op {
        Op3::FMad => expected2(Op2::FAdd, expected2(Op2::FMul, a, b), c),
        Op3::FLit if is_lit(a, b) => canonical(pxfm::f_powf(f32::from_bits(b), f32::from_bits(c))),
        Op3::FLit => 0,
        Op3::FLitTrunc => lit(a, b, c),
        Op3::ISelect => {
            if a == 0 {
                b
            } else {
                c
            }
        }
    }
}

/// The true result of an operation, to f64; NaN if the correctly rounded one is the only good one.
pub fn exact3(op: Op3, a: u32, b: u32, c: u32) -> f64 {
    match op {
        Op3::FLit if is_lit(a, b) => pxfm::f_pow(f64::from(f32::from_bits(b)), f64::from(f32::from_bits(c))),
        _ => f64::NAN,
    }
}

fn is_lit(a: u32, b: u32) -> bool {
    f32::from_bits(a) > 0.0 && f32::from_bits(b) > 0.0
}

/// The result of a dot product on bits.
pub fn expected_dot(dot: Dot, a: [u32; 4], b: [u32; 4]) -> u32 {
    let components = dot.mask().count_ones() as usize;
    let products = |op| -> Vec<u32> { (0..components).map(|c| expected2(op, a[c], b[c])).collect() };
    let add = |sum, product| expected2(Op2::FAdd, sum, product);
    match dot {
        Dot::Dot3 | Dot::Dot4 => products(Op2::FMul).into_iter().reduce(add).unwrap_or(0),
        Dot::Dot3Finite | Dot::Dot4Finite => {
            let sum = f32::from_bits(products(Op2::FMulFinite).into_iter().reduce(add).unwrap_or(0));
            canonical(sum.clamp(f32::MIN, f32::MAX))
        }
        Dot::Dot3Trunc | Dot::Dot4Trunc => sum(&products(Op2::FMulTrunc)),
    }
}

/// The truncating highlight.
fn lit(a: u32, b: u32, c: u32) -> u32 {
    let (never, always) = if is_negative(c) { (INF, 0) } else { (0, INF) };
    if is_negative(a) || is_zero(a) {
        0
    } else if is_zero(c) {
        ONE
    } else if is_nan(b) || is_nan(c) {
        NAN
    } else if is_negative(b) || is_zero(b) {
        never
    } else if is_inf(b) {
        always
    } else {
        let t = (logarithm(b) * fixed(c).clamp(-0x10_0000, 0xf_ffff)) >> 26;
        if t < i64::from(i32::MIN) {
            0
        } else if t > i64::from(i32::MAX) {
            INF
        } else {
            power(t)
        }
    }
}

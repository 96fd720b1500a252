//! The numeric functions against correctly rounded ones, tables of edge values, and exact properties.
//!
//! `cargo xtask math` makes the same comparison for every bit pattern.

use crate::lanes::Lanes;
use crate::{oracle, several};
use gpuzoo_ir::{Dot, Op1, Op2, Op3, arith};

const NAN: u32 = 0x7fc0_0000;
/// The truncating operations have their own.
const NAN_TRUNC: u32 = 0x7fff_ffff;
const INF: u32 = 0x7f80_0000;
const NEG: u32 = 0x8000_0000;
const ONE: u32 = 0x3f80_0000;
const PI: u32 = 0x4049_0fdb;
const PI_2: u32 = 0x3fc9_0fdb;
const PI_4: u32 = 0x3f49_0fdb;
const PI_3_4: u32 = 0x4016_cbe4;
/// NaNs of all kinds: quiet and signalling, with payloads and both signs.
const NANS: [u32; 6] = [NAN, 0x7fc0_1234, 0xffc0_0000, 0x7f80_0001, 0xff80_0001, 0xffff_ffff];

fn bits(x: f32) -> u32 {
    x.to_bits()
}

fn check1(op: Op1, a: u32) {
    let (got, expected) = (op.eval(a), oracle::expected1(op, a));
    let error = oracle::error(got, expected, oracle::exact1(op, a));
    assert!(
        error <= oracle::LIMIT,
        "{} of {a:08x}: got {got:08x}, not {expected:08x}: {error} ulp",
        op.name()
    );
}

fn check2(op: Op2, a: u32, b: u32) {
    let (got, expected) = (op.eval(a, b), oracle::expected2(op, a, b));
    let error = oracle::error(got, expected, oracle::exact2(op, a, b));
    assert!(
        error <= oracle::LIMIT,
        "{} of {a:08x}, {b:08x}: got {got:08x}, not {expected:08x}: {error} ulp",
        op.name()
    );
}

#[test]
fn functions_of_one_value_are_within_the_limit() {
    // 1021 is prime, so that the low bits of the patterns vary too.
    let sample = (0..u32::MAX / 1021).map(|n| n * 1021);
    let around =
        oracle::edges().into_iter().flat_map(|edge| (-40..40).map(move |by| edge.wrapping_add_signed(by)));
    let inputs: Vec<u32> = sample.chain(around).collect();
    for &op in Op1::ALL {
        inputs.iter().for_each(|&a| check1(op, a));
    }
}

#[test]
fn functions_of_two_values_are_within_the_limit() {
    let edges = oracle::edges();
    for &op in Op2::ALL {
        for &a in &edges {
            edges.iter().for_each(|&b| check2(op, a, b));
        }
        for index in 0..300_000 {
            let (a, b) = oracle::pair(op, index);
            check2(op, a, b);
        }
    }
}

#[test]
fn the_comparison_notices_wrong_results() {
    let exact = std::f64::consts::PI;
    assert!(oracle::error(PI, PI, exact) < 0.5);
    assert!(oracle::error(PI + 1, PI, exact) > oracle::LIMIT);
    assert!(oracle::error(NAN + 1, NAN, f64::NAN).is_infinite());
    assert!(oracle::error(NEG, 0, 0.0).is_infinite());
    assert!(oracle::error(0x7f7f_ffff, INF, 1e40) >= 1.0);
    assert_eq!(oracle::error(INF, INF, f64::INFINITY), 0.0);
    assert_eq!(oracle::error(1, 0, 0.0), 1.0);
}

#[test]
fn functions_of_three_values_are_within_the_limit() {
    let edges = oracle::edges();
    for &op in Op3::ALL {
        for index in 0..1_000_000 {
            let (random, more) = (oracle::mix(index), oracle::mix(!index));
            let at = |n: u64| edges[n as usize % edges.len()];
            let (a, b, c) = match (op, index % 3) {
                (_, 0) => (random as u32, (random >> 32) as u32, more as u32),
                (_, 1) => (at(random), at(random >> 20), at(random >> 40)),
                // A sum near zero, where a fused operation would show the error of the product.
                (Op3::FMad, _) => {
                    let (a, b) = (random as u32, (random >> 32) as u32);
                    (a, b, Op2::FMul.eval(a, b) ^ NEG)
                }
                (Op3::FLit | Op3::FLitTrunc, _) => {
                    let (base, power) = oracle::pair(Op2::FPow, index);
                    (ONE, base, power)
                }
                (Op3::ISelect, _) => (0, random as u32, more as u32),
            };
            let (got, expected) = (op.eval(a, b, c), several::expected3(op, a, b, c));
            let error = oracle::error(got, expected, several::exact3(op, a, b, c));
            assert!(
                error <= oracle::LIMIT,
                "{} of {a:08x}, {b:08x}, {c:08x}: got {got:08x}, not {expected:08x}: {error} ulp",
                op.name()
            );
        }
    }
    // (1 + 2⁻¹²)² = 1 + 2⁻¹¹ + 2⁻²⁴, whose last bit the first rounding drops.
    let x = bits(1.0 + 2.0_f32.powi(-12));
    assert_eq!(Op3::FMad.eval(x, x, bits(-1.0 - 2.0_f32.powi(-11))), 0);
}

/// Two vectors for a dot product: edges, random patterns, or products of similar size, which cancel.
fn vectors(index: u64, edges: &[u32]) -> [[u32; 4]; 2] {
    let component = |side: u64, component: u64| {
        let random = oracle::mix(index * 8 + side * 4 + component);
        match (index % 3, side) {
            (0, _) => random as u32,
            (1, _) => edges[random as usize % edges.len()],
            (_, 0) => random as u32,
            // The exponent that makes the product's one of 64 around 2⁰.
            _ => {
                let other = oracle::mix(index * 8 + component) as u32 >> 23 & 255;
                let exponent = (222 + (random >> 32) as u32 % 64).saturating_sub(other).min(255);
                random as u32 & 0x807f_ffff | exponent << 23
            }
        }
    };
    [0, 1].map(|side| std::array::from_fn(|at| component(side, at as u64)))
}

#[test]
fn dot_products_are_exact() {
    let edges = oracle::edges();
    for &dot in Dot::ALL {
        for index in 0..100_000 {
            let [a, b] = vectors(index, &edges);
            let (got, expected) = (dot.eval(a, b), several::expected_dot(dot, a, b));
            assert_eq!(got, expected, "{} of {a:08x?}, {b:08x?}: not {expected:08x}", dot.name());
        }
    }
}

/// Inputs and results that follow from the definitions.
#[test]
fn edge_values_of_one() {
    #[rustfmt::skip]
    let table = [
        (Op1::FAbs,  &[(NEG, 0), (bits(-2.5), bits(2.5)), (NEG | INF, INF), (0xffc0_1234, 0x7fc0_1234), (0xff80_0001, 0x7f80_0001)][..]),
        (Op1::FNeg,  &[(0, NEG), (NEG, 0), (INF, NEG | INF), (0x7fc0_1234, 0xffc0_1234), (0x7f80_0001, 0xff80_0001)]),
        (Op1::FSign, &[(0, 0), (NEG, 0), (NAN, 0), (0xffc0_0000, 0), (0x7f80_0001, 0), (1, ONE), (NEG | 1, NEG | ONE), (INF, ONE), (NEG | INF, NEG | ONE)]),
        (Op1::FSqrt, &[(0, 0), (NEG, NEG), (INF, INF), (NEG | 1, NAN), (NEG | INF, NAN), (bits(-4.0), NAN), (bits(9.0), bits(3.0)), (2, 0x1a80_0000)]),
        // e to the power 88.72284 is the last finite one; e to the power -103.97208 the last above 2⁻¹⁵⁰.
        (Op1::FExp,  &[(0, ONE), (NEG, ONE), (1, ONE), (INF, INF), (NEG | INF, 0), (0x42b1_7218, INF), (0xc2cf_f1b4, 1), (0xc2cf_f1b5, 0), (0x7f7f_ffff, INF), (0xff7f_ffff, 0)]),
        (Op1::FExp2, &[(0, ONE), (NEG, ONE), (NEG | 1, ONE), (INF, INF), (NEG | INF, 0), (bits(128.0), INF), (bits(-149.0), 1), (bits(-150.0), 0), (0xc315_ffff, 1), (0x42ff_ffff, 0x7f7f_ffa7)]),
        (Op1::FLog,  &[(0, NEG | INF), (NEG, NEG | INF), (ONE, 0), (INF, INF), (NEG | 1, NAN), (bits(-1.0), NAN), (NEG | INF, NAN), (1, 0xc2ce_8ed0)]),
        (Op1::FLog2, &[(0, NEG | INF), (NEG, NEG | INF), (ONE, 0), (INF, INF), (NEG | 1, NAN), (bits(-1.0), NAN), (NEG | INF, NAN), (1, bits(-149.0))]),
        (Op1::FSin,  &[(0, 0), (NEG, NEG), (INF, NAN), (NEG | INF, NAN), (1, 1), (NEG | 1, NEG | 1)]),
        (Op1::FCos,  &[(0, ONE), (NEG, ONE), (INF, NAN), (NEG | INF, NAN), (1, ONE)]),
        (Op1::FTan,  &[(0, 0), (NEG, NEG), (INF, NAN), (NEG | INF, NAN), (1, 1), (NEG | 1, NEG | 1)]),
        (Op1::FAsin, &[(0, 0), (NEG, NEG), (ONE, PI_2), (NEG | ONE, NEG | PI_2), (ONE + 1, NAN), (bits(-2.0), NAN), (INF, NAN), (NEG | INF, NAN), (1, 1)]),
        (Op1::FAcos, &[(0, PI_2), (NEG, PI_2), (ONE, 0), (NEG | ONE, PI), (ONE + 1, NAN), (bits(-2.0), NAN), (INF, NAN), (NEG | INF, NAN)]),
        (Op1::FAtan, &[(0, 0), (NEG, NEG), (ONE, PI_4), (NEG | ONE, NEG | PI_4), (INF, PI_2), (NEG | INF, NEG | PI_2), (1, 1)]),
        (Op1::FFloor, &[(0, 0), (NEG, NEG), (INF, INF), (NEG | INF, NEG | INF), (1, 0), (NEG | 1, NEG | ONE), (bits(-1.5), bits(-2.0)), (bits(2.9), bits(2.0)), (0x4b00_0001, 0x4b00_0001), (0x4aff_ffff, 0x4aff_fffe)]),
        (Op1::ITrunc, &[(NEG, 0), (bits(-1.9), -1_i32 as u32), (bits(200.5), 200), (bits(-2147483648.0), NEG), (bits(2147483520.0), 2147483520), (bits(2147483648.0), NEG), (INF, NEG), (NEG | INF, NEG), (NAN, NEG), (NEG | NAN, NEG)]),
        (Op1::INeg, &[(0, 0), (1, u32::MAX), (NEG, NEG), (u32::MAX, 1), (0x7fff_ffff, 0x8000_0001), (0x7fc0_1234, 0x803f_edcc)]),
        (Op1::FMantissa, &[(0, ONE), (NEG, ONE), (bits(-6.0), bits(1.5)), (INF, ONE), (1, ONE + 1), (0xffc0_1234, 0x3fc0_1234)]),
        (Op1::FExponentUnsigned, &[(0, NEG | INF), (NEG, NEG | INF), (INF, INF), (NEG | INF, INF), (ONE, 0), (bits(-8.5), bits(3.0)), (bits(0.9), bits(4294967296.0)), (1, bits(4294967296.0)), (NAN, bits(128.0))]),
        (Op1::FRccLoose, &[(ONE, ONE), (bits(-4.0), bits(-0.25)), (INF, 0x9f7f_fffd), (NEG | INF, 0x9f7f_fffd), (0, 0x5f80_0000), (NEG, 0xdf80_0000), (0x7f00_0000, 0x1f7f_fffd), (0x1f7d_0000, 0x5f81_848e), (NAN, NAN)]),
        (Op1::FRcpTrunc, &[(0, INF), (NEG, NEG | INF), (0x807f_ffff, NEG | INF), (INF, 0), (NEG | INF, NEG), (ONE, ONE), (bits(-0.25), bits(-4.0)), (0x7f7f_ffff, 0), (0x0080_0000, 0x7e80_0000), (NAN, 0x7fff_ffff), (0xff80_0001, 0x7fff_ffff)]),
        (Op1::FRccTrunc, &[(0, 0x5f80_0000), (NEG, 0xdf80_0000), (NEG | 1, 0xdf80_0000), (INF, 0x1f80_0000), (NEG | INF, 0x9f80_0000), (ONE, ONE), (0x5f80_0001, 0x1f80_0000), (NAN, 0x7fff_ffff)]),
        (Op1::FRsqTrunc, &[(0, INF), (NEG, INF), (0x807f_ffff, INF), (INF, 0), (NEG | INF, 0), (ONE, ONE - 1), (NEG | ONE, ONE - 1), (NEG | NAN, 0x7fff_ffff)]),
        (Op1::FExp2Trunc, &[(0, ONE), (NEG, ONE), (NEG | 1, ONE), (INF, INF), (NEG | INF, 0), (bits(128.0), INF), (bits(-126.0), 0x0080_0000), (bits(-127.0), 0), (bits(-126.5), 0), (bits(0.5), 0x3fb5_0600), (NAN, 0x7fff_ffff)]),
        (Op1::FLog2Trunc, &[(0, NEG | INF), (0x807f_ffff, NEG | INF), (INF, INF), (NEG | INF, INF), (ONE, 0), (bits(-8.0), bits(3.0)), (0x0080_0000, bits(-126.0)), (0xff80_1234, 0x7f80_1234)]),
        (Op1::FExponentTrunc, &[(0, NEG | INF), (0x807f_ffff, NEG | INF), (NEG | INF, INF), (ONE, 0), (bits(0.9), bits(-1.0)), (bits(-8.5), bits(3.0)), (0xff80_1234, 0x7f80_1234)]),
        (Op1::FMantissaTrunc, &[(0, ONE), (0x807f_ffff, ONE), (NEG | INF, ONE), (bits(-6.0), bits(1.5)), (0xff80_1234, 0x7f80_1234)]),
        (Op1::FFloorTrunc, &[(0, 0), (NEG, 0), (NEG | 1, 0), (0xb3ff_ffff, 0), (0xb400_0000, bits(-1.0)), (bits(-1.5), bits(-2.0)), (bits(262143.9), bits(262143.0)), (bits(3e8), bits(262143.0)), (bits(-3e8), bits(-262144.0)), (INF, bits(262143.0)), (NEG | INF, bits(-262144.0)), (NAN, bits(262143.0)), (NEG | NAN, bits(262143.0))]),
        (Op1::FFractTrunc, &[(0, 0), (NEG, 0), (NEG | 1, 0), (1, 0), (0x0080_0000, 0x0080_0000), (0x8080_0000, ONE), (bits(2.75), bits(0.75)), (bits(-2.75), bits(0.25)), (0xbeff_ffff, bits(0.5)), (0x4b00_0001, 0), (INF, 0), (NEG | INF, 0), (0xff80_1234, 0xff80_1234)]),
    ];
    assert_eq!(table.map(|(op, _)| op), Op1::ALL);
    for (op, rows) in table {
        for &(a, expected) in rows {
            assert_eq!(op.eval(a), expected, "{} of {a:08x}", op.name());
        }
        use Op1::{FAbs, FExponentTrunc, FFractTrunc, FLog2Trunc, FMantissaTrunc, FNeg};
        use Op1::{FExp2Trunc, FRccTrunc, FRcpTrunc, FRsqTrunc};
        use Op1::{FExponentUnsigned, FFloorTrunc, FMantissa, FSign, INeg, ITrunc};
        for nan in NANS {
            let expected = match op {
                // Bits, moved.
                FAbs | FLog2Trunc | FExponentTrunc | FMantissaTrunc => nan & !NEG,
                FNeg => nan ^ NEG,
                FFractTrunc => nan,
                FRcpTrunc | FRccTrunc | FRsqTrunc | FExp2Trunc => NAN_TRUNC,
                // Their results are always numbers.
                FSign | ITrunc | INeg | FMantissa | FExponentUnsigned | FFloorTrunc => continue,
                _ => NAN,
            };
            assert_eq!(op.eval(nan), expected, "{} of {nan:08x}", op.name());
        }
    }
}

/// True values from mpmath with 600 bits. 16367173 × 2⁷² (6f79be45) is the f32 whose distance from a multiple of π/2,
/// in units of π/2, is the least: 1.03e-9, found by continued fractions.
#[test]
fn values_computed_elsewhere() {
    #[rustfmt::skip]
    let table = [
        (0x6407_8678, [0xbf3b_ecc4, 0x3f2d_d6f7, 0xbf8a_5efe]), // 1e22
        (0x7f7f_ffff, [0xbf05_99b3, 0x3f5a_5f96, 0xbf1c_9eca]), // the largest f32
        (0x6f79_be45, [0x3f80_0000, 0xb0dd_eea9, 0xce13_a60e]),
        (0x50a3_e87f, [0x3f80_0000, 0xb10a_4ed8, 0xcdec_eba8]), // 10741887 × 2¹¹, the second least
        (0x6ff9_be45, [0xb15d_eea9, 0xbf80_0000, 0x315d_eea9]),
    ];
    for (a, [sine, cosine, tangent]) in table {
        assert_eq!(
            [Op1::FSin.eval(a), Op1::FCos.eval(a), Op1::FTan.eval(a)],
            [sine, cosine, tangent],
            "{a:08x}"
        );
    }
    #[rustfmt::skip]
    let table = [
        (Op1::FSin, PI, 0xb3bb_bd2e), (Op1::FCos, PI_2, 0xb33b_bd2e), (Op1::FTan, PI_2, 0xcbae_8a4a),
        (Op1::FSin, bits(-1e6), 0x3eb3_3259),
        (Op1::FExp, ONE, 0x402d_f854), (Op1::FExp, bits(-103.0), 1), (Op1::FExp, bits(88.5), 0x7f4c_dcc4),
        (Op1::FLog, ONE + 1, 0x33ff_ffff), (Op1::FLog2, ONE - 1, 0xb3b8_aa3c), (Op1::FLog2, 3, 0xc313_6a40),
        (Op1::FAcos, ONE - 1, 0x39b5_04f3), (Op1::FAcos, NEG | (ONE - 1), 0x4049_0a32),
        (Op1::FAsin, ONE - 1, 0x3fc9_048a), (Op1::FAsin, bits(0.5), 0x3f06_0a92), (Op1::FAtan, bits(3.0), 0x3f9f_e0bb),
    ];
    for (op, a, expected) in table {
        assert_eq!(op.eval(a), expected, "{} of {a:08x}", op.name());
    }
}

#[test]
fn operations_that_compute_give_one_nan() {
    for nan in NANS {
        for other in [0, NEG, ONE, bits(-2.0), INF, NEG | INF, NAN, 0xff80_0001] {
            for op in [Op2::FAdd, Op2::FSub, Op2::FMul, Op2::FDiv, Op2::FPow, Op2::FAtan2] {
                assert_eq!(op.eval(nan, other), NAN, "{} of {nan:08x}, {other:08x}", op.name());
                assert_eq!(op.eval(other, nan), NAN, "{} of {other:08x}, {nan:08x}", op.name());
            }
            assert_eq!(Op3::FMad.eval(nan, other, ONE), NAN);
            assert_eq!(Op3::FMad.eval(other, nan, ONE), NAN);
            assert_eq!(Op3::FMad.eval(ONE, other, nan), NAN);
        }
    }
    #[rustfmt::skip]
    let invalid = [(Op2::FAdd, INF, NEG | INF), (Op2::FSub, INF, INF), (Op2::FMul, 0, INF), (Op2::FMul, NEG | INF, 0),
        (Op2::FDiv, 0, 0), (Op2::FDiv, INF, NEG | INF)];
    for (op, a, b) in invalid {
        assert_eq!(op.eval(a, b), NAN, "{} of {a:08x}, {b:08x}", op.name());
    }
    assert_eq!(Op2::FDiv.eval(ONE, NEG), NEG | INF);
}

#[test]
fn minimum_and_maximum_move_bits() {
    #[rustfmt::skip]
    let table = [ // a, b, the minimum, the maximum
        (0, NEG, NEG, NEG), (NEG, 0, 0, 0), (ONE, 0, 0, ONE), (bits(-3.0), ONE, bits(-3.0), ONE),
        (INF, NEG | INF, NEG | INF, INF),
        (0x7f80_1234, ONE, ONE, ONE), (ONE, 0x7f80_1234, ONE, ONE), // a NaN loses against a number
        (0x7f80_1234, 0xffc0_0001, 0x7f80_1234, 0x7f80_1234), // of two NaNs the first, as it is
    ];
    for (a, b, least, most) in table {
        assert_eq!((Op2::FMin.eval(a, b), Op2::FMax.eval(a, b)), (least, most), "{a:08x}, {b:08x}");
    }
}

/// Quotients by the definition: toward zero, and the dividend where there is no quotient.
#[test]
fn edge_values_of_integer_division() {
    let int = |n: i32| n as u32;
    #[rustfmt::skip]
    let table = [
        (int(7), int(2), int(3)), (int(-7), int(2), int(-3)), (int(7), int(-2), int(-3)), (int(-7), int(-2), int(3)),
        (int(6), int(3), int(2)), (int(1), int(2), 0), (int(-1), int(2), 0), (0, int(-5), 0),
        (NEG, int(1), NEG), (NEG, int(2), int(-0x4000_0000)), (NEG, int(-2), int(0x4000_0000)), (NEG, NEG, 1),
        (int(i32::MAX), int(i32::MAX - 1), 1), (int(i32::MAX - 1), int(i32::MAX), 0), (int(i32::MAX), int(1), int(i32::MAX)),
        (NEG, int(-1), NEG), (0, 0, 0), (int(9), 0, int(9)), (int(-9), 0, int(-9)), (NEG, 0, NEG),
    ];
    for (a, b, quotient) in table {
        assert_eq!(Op2::IDiv.eval(a, b), quotient, "{a:08x}, {b:08x}");
    }
}

/// The table in the documentation of `fpow`.
#[test]
fn edge_values_of_power() {
    let (half, two, three) = (bits(0.5), bits(2.0), bits(3.0));
    let exponents = [NEG | three, NEG, 0, three, NEG | INF, INF, NAN];
    #[rustfmt::skip]
    let table = [
        (NAN,           [NAN, NAN, NAN, NAN, NAN, NAN, NAN]),
        (NEG | 1,       [NAN, NAN, NAN, NAN, NAN, NAN, NAN]),
        (NEG | INF,     [NAN, NAN, NAN, NAN, NAN, NAN, NAN]),
        (0,             [INF, NAN, NAN, 0, INF, 0, NAN]),
        (NEG,           [INF, NAN, NAN, 0, INF, 0, NAN]),
        (half,          [bits(8.0), ONE, ONE, bits(0.125), INF, 0, NAN]),
        (ONE,           [ONE, ONE, ONE, ONE, NAN, NAN, NAN]),
        (two,           [bits(0.125), ONE, ONE, bits(8.0), 0, INF, NAN]),
        (INF,           [0, NAN, NAN, INF, 0, INF, NAN]),
    ];
    for (a, row) in table {
        assert_eq!(exponents.map(|b| Op2::FPow.eval(a, b)), row, "{a:08x}");
    }
}

/// IEEE 754-2019, 9.2.1.
#[test]
fn edge_values_of_atan2() {
    let (two, tiny) = (bits(2.0), 1);
    #[rustfmt::skip]
    let table = [
        (0, 0, 0), (0, NEG, PI), (0, ONE, 0), (0, NEG | ONE, PI), (0, INF, 0), (0, NEG | INF, PI),
        (two, 0, PI_2), (two, NEG, PI_2), (two, two, PI_4), (two, NEG | two, PI_3_4), (two, INF, 0), (two, NEG | INF, PI),
        (INF, 0, PI_2), (INF, two, PI_2), (INF, INF, PI_4), (INF, NEG | INF, PI_3_4), (INF, NEG | two, PI_2),
        (tiny, tiny, PI_4), (tiny, NEG | tiny, PI_3_4), (tiny, two, 0), (tiny, ONE, 1), (tiny, NEG | two, PI),
    ];
    for (y, x, angle) in table {
        assert_eq!(Op2::FAtan2.eval(y, x), angle, "{y:08x}, {x:08x}");
        assert_eq!(Op2::FAtan2.eval(NEG | y, x), NEG | angle, "-{y:08x}, {x:08x}");
    }
}

#[test]
fn powers_of_two_are_exact() {
    for exponent in -149..128 {
        let power = if exponent < -126 { 1 << (exponent + 149) } else { ((exponent + 127) as u32) << 23 };
        let x = exponent as f32;
        assert_eq!(Op1::FExp2.eval(bits(x)), power);
        assert_eq!(Op1::FLog2.eval(power), bits(x));
        assert_eq!(Op2::FPow.eval(bits(2.0), bits(x)), power);
    }
    for n in 1..4096 {
        let x = n as f32;
        assert_eq!(arith::fpow(x, 2.0), x * x);
        assert_eq!(arith::fpow(x * x, 0.5), x);
        assert_eq!(arith::fpow(x, -1.0), 1.0 / x);
        assert_eq!(arith::fpow(x / 7.0, 1.0), x / 7.0);
    }
}

#[test]
fn signs_are_symmetric() {
    for index in 0..1_000_000 {
        let a = oracle::mix(index) as u32;
        if f32::from_bits(a).is_nan() {
            continue;
        }
        for op in [Op1::FSin, Op1::FTan, Op1::FAsin, Op1::FAtan] {
            let (plus, minus) = (op.eval(a), op.eval(a ^ NEG));
            assert!(minus == plus ^ NEG || plus == NAN && minus == NAN, "{} of {a:08x}", op.name());
        }
        assert_eq!(Op1::FCos.eval(a), Op1::FCos.eval(a ^ NEG), "{a:08x}");
    }
}

type Eight = Lanes<f32>;

fn eight1(op: Op1, a: Eight) -> Eight {
    match op {
        Op1::FAbs => arith::fabs(a),
        Op1::FNeg => arith::fneg(a),
        Op1::FSign => arith::fsign(a),
        Op1::FSqrt => arith::fsqrt(a),
        Op1::FExp => arith::fexp(a),
        Op1::FExp2 => arith::fexp2(a),
        Op1::FLog => arith::flog(a),
        Op1::FLog2 => arith::flog2(a),
        Op1::FSin => arith::fsin(a),
        Op1::FCos => arith::fcos(a),
        Op1::FTan => arith::ftan(a),
        Op1::FAsin => arith::fasin(a),
        Op1::FAcos => arith::facos(a),
        Op1::FAtan => arith::fatan(a),
        Op1::FFloor => arith::ffloor(a),
        Op1::ITrunc => arith::itrunc(a),
        Op1::INeg => arith::ineg(a),
        Op1::FMantissa => arith::fmantissa(a),
        Op1::FExponentUnsigned => arith::fexponent_unsigned(a),
        Op1::FRccLoose => arith::frcc_loose(a),
        Op1::FRcpTrunc => arith::frcp_trunc(a),
        Op1::FRccTrunc => arith::frcc_trunc(a),
        Op1::FRsqTrunc => arith::frsq_trunc(a),
        Op1::FExp2Trunc => arith::fexp2_trunc(a),
        Op1::FLog2Trunc => arith::flog2_trunc(a),
        Op1::FExponentTrunc => arith::fexponent_trunc(a),
        Op1::FMantissaTrunc => arith::fmantissa_trunc(a),
        Op1::FFloorTrunc => arith::ffloor_trunc(a),
        Op1::FFractTrunc => arith::ffract_trunc(a),
    }
}

fn eight2(op: Op2, a: Eight, b: Eight) -> Eight {
    match op {
        Op2::FAdd => arith::fadd(a, b),
        Op2::FSub => arith::fsub(a, b),
        Op2::FMul => arith::fmul(a, b),
        Op2::FDiv => arith::fdiv(a, b),
        Op2::FMin => arith::fmin(a, b),
        Op2::FMax => arith::fmax(a, b),
        Op2::FPow => arith::fpow(a, b),
        Op2::FAtan2 => arith::fatan2(a, b),
        Op2::FMulFinite => arith::fmul_finite(a, b),
        Op2::FMinStrict => arith::fmin_strict(a, b),
        Op2::FMaxStrict => arith::fmax_strict(a, b),
        Op2::FSltZeros => arith::fslt_zeros(a, b),
        Op2::FSlt => arith::fslt(a, b),
        Op2::FSge => arith::fsge(a, b),
        Op2::FMinTotal => arith::fmin_total(a, b),
        Op2::FMaxTotal => arith::fmax_total(a, b),
        Op2::FSltTotal => arith::fslt_total(a, b),
        Op2::FAddTrunc => arith::fadd_trunc(a, b),
        Op2::FMulTrunc => arith::fmul_trunc(a, b),
        Op2::IXor => arith::ixor(a, b),
        Op2::IAdd => arith::iadd(a, b),
        Op2::ISub => arith::isub(a, b),
        Op2::IMul => arith::imul(a, b),
        Op2::IDiv => arith::idiv(a, b),
        Op2::IMax => arith::imax(a, b),
        Op2::IMin => arith::imin(a, b),
    }
}

fn eight3(op: Op3, a: Eight, b: Eight, c: Eight) -> Eight {
    match op {
        Op3::FMad => arith::fmad(a, b, c),
        Op3::FLit => arith::flit(a, b, c),
        Op3::FLitTrunc => arith::flit_trunc(a, b, c),
        Op3::ISelect => arith::iselect(a, b, c),
    }
}

fn eight_dots(dot: Dot, a: [Eight; 4], b: [Eight; 4]) -> Eight {
    let (a3, b3) = ([a[0], a[1], a[2]], [b[0], b[1], b[2]]);
    match dot {
        Dot::Dot3 => arith::dot(a3, b3),
        Dot::Dot4 => arith::dot(a, b),
        Dot::Dot3Finite => arith::dot_finite(a3, b3),
        Dot::Dot4Finite => arith::dot_finite(a, b),
        Dot::Dot3Trunc => arith::dot_trunc(a3, b3),
        Dot::Dot4Trunc => arith::dot_trunc(a, b),
    }
}

/// Eight lanes at a time give the bits that one lane gives.
#[test]
fn wide_lanes_agree_with_one_lane() {
    let edges = oracle::edges();
    let mut inputs = edges.clone();
    inputs.extend((0..40_000).map(|index| oracle::mix(index) as u32));
    // A stride that is prime to the length pairs each input with others.
    let at = |index: usize| inputs[index % inputs.len()];
    for start in (0..inputs.len()).step_by(8) {
        let patterns =
            |stride: usize| -> [u32; 8] { std::array::from_fn(|lane| at((start + lane) * stride + lane)) };
        let (a, b, c) = (patterns(1), patterns(7919), patterns(104_729));
        let eight = |bits: [u32; 8]| Lanes(bits.map(f32::from_bits));
        let back = |lanes: Eight| lanes.0.map(f32::to_bits);
        for &op in Op1::ALL {
            assert_eq!(back(eight1(op, eight(a))), a.map(|a| op.eval(a)), "{} of {a:08x?}", op.name());
        }
        for &op in Op2::ALL {
            let one: [u32; 8] = std::array::from_fn(|lane| op.eval(a[lane], b[lane]));
            assert_eq!(back(eight2(op, eight(a), eight(b))), one, "{} of {a:08x?}, {b:08x?}", op.name());
        }
        for &op in Op3::ALL {
            let one: [u32; 8] = std::array::from_fn(|lane| op.eval(a[lane], b[lane], c[lane]));
            let wide = back(eight3(op, eight(a), eight(b), eight(c)));
            assert_eq!(wide, one, "{} of {a:08x?}, {b:08x?}, {c:08x?}", op.name());
        }
        let at = start as u64;
        let pairs: [[[u32; 4]; 2]; 8] = std::array::from_fn(|lane| vectors(at + lane as u64, &edges));
        let [left, right] = [0, 1].map(|side| -> [Eight; 4] {
            std::array::from_fn(|place| eight(pairs.map(|pair| pair[side][place])))
        });
        for &dot in Dot::ALL {
            let one = pairs.map(|[a, b]| dot.eval(a, b));
            assert_eq!(back(eight_dots(dot, left, right)), one, "{} of {pairs:08x?}", dot.name());
        }
    }
}

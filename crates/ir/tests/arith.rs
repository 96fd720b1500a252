//! The numeric functions against correctly rounded ones, tables of edge values, and exact properties.
//!
//! `cargo xtask math` makes the same comparison for every bit pattern.

mod lanes;
mod oracle;

use gpuzoo_ir::{Op1, Op2, Op3, arith};
use lanes::Lanes;

const NAN: u32 = 0x7fc0_0000;
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
fn multiply_and_add_round_twice() {
    let edges = oracle::edges();
    for index in 0..1_000_000 {
        let (random, more) = (oracle::mix(index), oracle::mix(!index));
        let at = |n: u64| edges[n as usize % edges.len()];
        let (a, b, c) = match index % 3 {
            0 => (random as u32, (random >> 32) as u32, more as u32),
            1 => (at(random), at(random >> 20), at(random >> 40)),
            // A sum near zero, where a fused operation would show the error of the product.
            _ => {
                let (a, b) = (random as u32, (random >> 32) as u32);
                (a, b, Op2::FMul.eval(a, b) ^ NEG)
            }
        };
        assert_eq!(Op3::FMad.eval(a, b, c), oracle::expected3(Op3::FMad, a, b, c), "{a:08x} {b:08x} {c:08x}");
    }
    // (1 + 2⁻¹²)² = 1 + 2⁻¹¹ + 2⁻²⁴, whose last bit the first rounding drops.
    let x = bits(1.0 + 2.0_f32.powi(-12));
    assert_eq!(Op3::FMad.eval(x, x, bits(-1.0 - 2.0_f32.powi(-11))), 0);
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
    ];
    assert_eq!(table.map(|(op, _)| op), Op1::ALL);
    for (op, rows) in table {
        for &(a, expected) in rows {
            assert_eq!(op.eval(a), expected, "{} of {a:08x}", op.name());
        }
        if !matches!(op, Op1::FAbs | Op1::FNeg | Op1::FSign) {
            NANS.iter().for_each(|&nan| assert_eq!(op.eval(nan), NAN, "{} of {nan:08x}", op.name()));
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
    }
}

/// Eight lanes at a time give the bits that one lane gives.
#[test]
fn wide_lanes_agree_with_one_lane() {
    let mut inputs = oracle::edges();
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
        let one: [u32; 8] = std::array::from_fn(|lane| Op3::FMad.eval(a[lane], b[lane], c[lane]));
        assert_eq!(
            back(arith::fmad(eight(a), eight(b), eight(c))),
            one,
            "fmad of {a:08x?}, {b:08x?}, {c:08x?}"
        );
    }
}

//! Arithmetic with edges of its own: that which stays finite and that which truncates.

use crate::oracle::truncating;
use gpuzoo_ir::{Dot, Op1, Op2, Op3};

const NAN: u32 = 0x7fc0_0000;
/// The truncating operations have their own.
const NAN_TRUNC: u32 = 0x7fff_ffff;
const INF: u32 = 0x7f80_0000;
const NEG: u32 = 0x8000_0000;
const ONE: u32 = 0x3f80_0000;

fn bits(x: f32) -> u32 {
    x.to_bits()
}

/// IEEE comparisons: NaN is in no order, and the zeros are equal.
#[test]
fn edge_values_of_comparisons() {
    #[rustfmt::skip]
    let table = [
        (0, NEG, 0, ONE), (NEG, 0, 0, ONE), (ONE, bits(2.0), ONE, 0), (bits(2.0), ONE, 0, ONE), (INF, INF, 0, ONE),
        (NEG | INF, INF, ONE, 0), (NEG | 1, NEG, ONE, 0), (NAN, ONE, 0, 0), (ONE, NAN, 0, 0), (NAN, NAN, 0, 0),
    ];
    for (a, b, less, not_less) in table {
        assert_eq!(Op2::FSlt.eval(a, b), less, "{a:08x} < {b:08x}");
        assert_eq!(Op2::FSge.eval(a, b), not_less, "{a:08x} >= {b:08x}");
    }
}

/// Results that follow from the definitions, for what keeps away from infinities.
#[test]
fn edge_values_of_finite_arithmetic() {
    let max = 0x7f7f_ffff;
    #[rustfmt::skip]
    let table = [
        (Op2::FMulFinite, max, bits(2.0), max), (Op2::FMulFinite, max, bits(-2.0), NEG | max),
        (Op2::FMulFinite, INF, bits(2.0), INF), (Op2::FMulFinite, INF, 0, NAN), (Op2::FMulFinite, 1, ONE, 1),
        (Op2::FMinStrict, 0, NEG, NEG), (Op2::FMinStrict, NEG, 0, 0), (Op2::FMinStrict, ONE, 0x7f80_0001, 0x7f80_0001),
        (Op2::FMinStrict, 0x7f80_0001, ONE, ONE), (Op2::FMinStrict, ONE, bits(2.0), ONE),
        (Op2::FMaxStrict, 0, NEG, NEG), (Op2::FMaxStrict, ONE, 0x7f80_0001, 0x7f80_0001),
        (Op2::FMaxStrict, 0x7f80_0001, ONE, ONE), (Op2::FMaxStrict, ONE, bits(2.0), bits(2.0)),
        (Op2::FSltZeros, NEG, 0, ONE), (Op2::FSltZeros, 0, NEG, 0), (Op2::FSltZeros, 0, 0, 0), (Op2::FSltZeros, NEG, NEG, 0),
        (Op2::FSltZeros, NEG | 1, NEG, ONE), (Op2::FSltZeros, NAN, INF, 0), (Op2::FSltZeros, 0, NAN, 0),
    ];
    for (op, a, b, expected) in table {
        assert_eq!(op.eval(a, b), expected, "{} of {a:08x}, {b:08x}", op.name());
    }
    // Infinities of any origin go in the end, NaN stays: max² is one overflow, max + max another, 2 × inf a third.
    let dot = |dot: Dot, a: [f32; 4]| dot.eval(a.map(bits), [bits(1.0), bits(1.0), bits(2.0), bits(1.0)]);
    assert_eq!(dot(Dot::Dot4Finite, [f32::MAX, f32::MAX, 0.0, 0.0]), max);
    assert_eq!(dot(Dot::Dot3Finite, [0.0, 0.0, -f32::MAX, 0.0]), NEG | max);
    assert_eq!(dot(Dot::Dot4Finite, [0.0, 0.0, 0.0, f32::NEG_INFINITY]), NEG | max);
    assert_eq!(dot(Dot::Dot4Finite, [f32::INFINITY, 0.0, 0.0, f32::NEG_INFINITY]), NAN);
    // In between an infinity stays: (max + max) - max.
    assert_eq!(dot(Dot::Dot4Finite, [f32::MAX, f32::MAX, 0.0, -f32::MAX]), max);
    // The highlight: C's power, where there is one.
    for (a, b, c, expected) in [
        (ONE, bits(0.5), bits(3.0), bits(0.125)),
        (ONE, INF, 0, ONE),
        (ONE, ONE, NAN, ONE),
        (ONE, bits(0.5), NAN, NAN),
        (0, bits(0.5), ONE, 0),
        (NAN, bits(0.5), ONE, 0),
        (ONE, NEG, bits(-1.0), 0),
        (ONE, NAN, ONE, 0),
    ] {
        assert_eq!(Op3::FLit.eval(a, b, c), expected, "{a:08x}, {b:08x}, {c:08x}");
    }
}

/// Results that follow from the definitions, for what truncates.
#[test]
fn edge_values_of_truncating_arithmetic() {
    let (max, least, sub) = (0x7f7f_ffff, 0x0080_0000, 0x007f_ffff);
    #[rustfmt::skip]
    let table = [
        // (1 + 2⁻²³)² = 1 + 2⁻²² + 2⁻⁴⁶ and (1 - 2⁻²⁴)(1 + 2⁻²³) = 1 + 2⁻²⁴ - 2⁻⁴⁷: what is below 2⁻²³ is cut off.
        (Op2::FMulTrunc, ONE + 1, ONE + 1, ONE + 2), (Op2::FMulTrunc, ONE + 1, NEG | (ONE + 1), NEG | (ONE + 2)),
        (Op2::FMulTrunc, ONE - 1, ONE + 1, ONE), (Op2::FMulTrunc, max, max, max), (Op2::FMulTrunc, max, NEG | max, NEG | max),
        (Op2::FMulTrunc, least, bits(-0.5), NEG), (Op2::FMulTrunc, sub, bits(1e30), 0), (Op2::FMulTrunc, NEG, ONE, 0),
        (Op2::FMulTrunc, 0, INF, 0), (Op2::FMulTrunc, NEG | sub, NAN, 0), (Op2::FMulTrunc, NEG | INF, ONE, NEG | INF),
        (Op2::FMulTrunc, NEG | INF, NEG | INF, INF), (Op2::FMulTrunc, NAN, ONE, NAN_TRUNC), (Op2::FMulTrunc, INF, 0xff80_0001, NAN_TRUNC),
        (Op2::FAddTrunc, ONE, bits(-1.0), 0), (Op2::FAddTrunc, NEG, NEG, 0), (Op2::FAddTrunc, max, max, max),
        (Op2::FAddTrunc, INF, NEG | INF, NAN_TRUNC), (Op2::FAddTrunc, INF, INF, INF), (Op2::FAddTrunc, NEG | INF, max, NEG | INF),
        (Op2::FAddTrunc, NAN, INF, NAN_TRUNC), (Op2::FAddTrunc, least, NEG | (least + 1), NEG), (Op2::FAddTrunc, NEG | sub, NEG, NEG),
        // 2⁻²⁸ is the last bit beside 1, 2⁻²⁹ is dropped before the sum: 1 - 2⁻²⁸ truncates to 1 - 2⁻²⁴, 1 - 2⁻²⁹ to 1.
        (Op2::FAddTrunc, ONE, NEG | bits(2.0_f32.powi(-28)), ONE - 1), (Op2::FAddTrunc, ONE, NEG | bits(2.0_f32.powi(-29)), ONE),
        // Observed on hardware: to nearest it would be c2cca8f6.
        (Op2::FAddTrunc, 0xc015_1eb8, 0xc2c8_0000, 0xc2cc_a8f5),
        // The subnormal number counts half: 2⁻¹²⁶ + 2⁻¹²⁶/2.
        (Op2::FAddTrunc, least, 0x0040_0000, 0x00a0_0000),
        (Op2::FMinTotal, 0, NEG, NEG), (Op2::FMinTotal, NAN, INF, INF), (Op2::FMinTotal, 0xffc0_0000, NEG | INF, 0xffc0_0000),
        (Op2::FMaxTotal, NEG, 0, 0), (Op2::FMaxTotal, NAN, NAN_TRUNC, NAN_TRUNC), (Op2::FMaxTotal, 1, 0, 1),
        (Op2::FSltTotal, NEG, 0, ONE), (Op2::FSltTotal, 0, NEG, 0), (Op2::FSltTotal, INF, NAN, ONE), (Op2::FSltTotal, NAN, NAN, 0),
    ];
    for (op, a, b, expected) in table {
        assert_eq!(op.eval(a, b), expected, "{} of {a:08x}, {b:08x}", op.name());
    }
    // One aligned sum: beside 2³⁰ the last bit is 2², so that 1 and 2 count for nothing, even where 2³⁰ cancels.
    let ones = [ONE; 4];
    let sum = |dot: Dot, components: [f32; 4]| f32::from_bits(dot.eval(components.map(bits), ones));
    let large = 2.0_f32.powi(30);
    assert_eq!(sum(Dot::Dot4Trunc, [large, 1.0, -large, 4.0]), 4.0);
    assert_eq!(sum(Dot::Dot4Trunc, [1.0, 2.0, large, -large]), 0.0);
    assert_eq!(sum(Dot::Dot3Trunc, [large, 4.0, -large, f32::NAN]), 4.0);
    assert_eq!(sum(Dot::Dot3Trunc, [f32::MAX, f32::MAX, -f32::MAX, 0.0]), f32::MAX);
    #[rustfmt::skip]
    let highlights = [ // Each test of the description against those that follow it.
        (NEG, NAN, 0, 0), (NEG | NAN, ONE, ONE, 0), (sub, NAN, 0, 0), (ONE, NAN, NEG, ONE), (NAN, NAN, sub, ONE),
        (ONE, NAN, ONE, NAN_TRUNC), (ONE, ONE, NEG | NAN, NAN_TRUNC), (ONE, bits(-2.0), NEG | ONE, INF),
        (ONE, sub, bits(-2.0), INF), (ONE, NEG, ONE, 0), (ONE, NEG | INF, ONE, 0), (ONE, INF, ONE, INF), (ONE, INF, NEG | ONE, 0),
        (ONE, bits(2.0), bits(-3.0), bits(0.125)), (ONE, bits(4.0), INF, INF), (ONE, bits(0.25), INF, 0), (ONE, ONE, INF, ONE),
    ];
    for (a, b, c, expected) in highlights {
        assert_eq!(Op3::FLitTrunc.eval(a, b, c), expected, "{a:08x}, {b:08x}, {c:08x}");
    }
}

/// What the description of the hardware states, measured there on samples: relative errors of 2⁻²²·² and 2⁻²¹·⁸ for the
/// reciprocals, 2⁻¹³·¹ for powers, and an absolute one of 2⁻¹²·⁰ for logarithms. A wrong table entry would show.
#[test]
fn truncating_functions_are_as_accurate_as_the_hardware() {
    let (mut rcp, mut rsq, mut exp, mut log) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    // From 1 to 4, for both kinds of square root.
    for a in (ONE..ONE + (1 << 24)).step_by(61) {
        let x = f64::from(f32::from_bits(a));
        let value = |op: Op1, a: u32| f64::from(f32::from_bits(op.eval(a)));
        rcp = rcp.max((value(Op1::FRcpTrunc, a) * x - 1.0).abs());
        rsq = rsq.max((value(Op1::FRsqTrunc, a) * x.sqrt() - 1.0).abs());
        log = log.max((value(Op1::FLog2Trunc, a) - x.log2()).abs());
        // -2.5 and a multiple of 2⁻¹³, so that the bits that the function drops are zeros.
        let t = ((x - 3.5) * 8192.0).floor() / 8192.0;
        exp = exp.max((value(Op1::FExp2Trunc, bits(t as f32)) / t.exp2() - 1.0).abs());
    }
    assert!((-22.4..-22.0).contains(&rcp.log2()), "{}", rcp.log2());
    assert!((-22.0..-21.6).contains(&rsq.log2()), "{}", rsq.log2());
    assert!((-12.2..-11.9).contains(&log.log2()), "{}", log.log2());
    assert!((-14.0..-13.0).contains(&exp.log2()), "{}", exp.log2());
}

/// Every mantissa, under both kinds of exponent: the last product of the inverse square root has more bits than f64.
#[test]
fn reciprocals_are_exact_for_every_mantissa() {
    for a in ONE..ONE + (1 << 24) {
        assert_eq!(Op1::FRcpTrunc.eval(a), truncating::rcp(a), "{a:08x}");
        assert_eq!(Op1::FRsqTrunc.eval(a), truncating::rsq(a), "{a:08x}");
    }
}

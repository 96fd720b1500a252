//! What the functions of `gpuzoo_ir::arith` should give, by other means: pxfm's correctly rounded functions, and f64
//! for what one operation computes. Shared by the test suite (a sample) and `cargo xtask math` (every bit pattern).

pub mod truncating;

use gpuzoo_ir::{Op1, Op2};

/// The largest error that is allowed, in units in the last place of the true result.
pub const LIMIT: f64 = 0.501;

/// The bits of a number that was computed.
pub fn canonical(x: f32) -> u32 {
    if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() }
}

/// The correctly rounded result of an operation on bits.
pub fn expected1(op: Op1, a: u32) -> u32 {
    let x = f32::from_bits(a);
    canonical(match op {
        Op1::FAbs => return a & 0x7fff_ffff,
        Op1::FNeg => return a ^ 0x8000_0000,
        Op1::FSign if x == 0.0 || x.is_nan() => 0.0,
        Op1::FSign => f32::from_bits(0x3f80_0000 | (a & 0x8000_0000)),
        // Rounding to f64 first changes nothing for + - × ÷ √: 53 ≥ 2 × 24 + 2 bits.
        Op1::FSqrt => f64::from(x).sqrt() as f32,
        Op1::FExp => pxfm::f_expf(x),
        Op1::FExp2 => pxfm::f_exp2f(x),
        Op1::FLog => pxfm::f_logf(x),
        Op1::FLog2 => pxfm::f_log2f(x),
        Op1::FSin => pxfm::f_sinf(x),
        Op1::FCos => pxfm::f_cosf(x),
        Op1::FTan => pxfm::f_tanf(x),
        Op1::FAsin => pxfm::f_asinf(x),
        Op1::FAcos => pxfm::f_acosf(x),
        Op1::FAtan => pxfm::f_atanf(x),
        Op1::FFloor => x.floor(),
        Op1::ITrunc if (-2_147_483_648.0..2_147_483_648.0).contains(&x) => return x as i32 as u32,
        Op1::ITrunc => return 0x8000_0000,
        Op1::INeg => return (a as i32).wrapping_neg() as u32,
        Op1::FMantissa => return 0x3f80_0000 | a & 0x007f_ffff,
        Op1::FExponentUnsigned if x == 0.0 => f32::NEG_INFINITY,
        Op1::FExponentUnsigned if x.is_infinite() => f32::INFINITY,
        Op1::FExponentUnsigned => (a >> 23 & 255).wrapping_sub(127) as f32,
        Op1::FRccLoose => return loose_reciprocal(x),
        Op1::FRcpTrunc => return truncating::rcp(a),
        Op1::FRccTrunc => return truncating::rcc(a),
        Op1::FRsqTrunc => return truncating::rsq(a),
        Op1::FExp2Trunc => return truncating::exp2(a),
        Op1::FLog2Trunc => return truncating::log2(a),
        Op1::FExponentTrunc => return truncating::log_exponent(a),
        Op1::FMantissaTrunc => return truncating::log_mantissa(a),
        Op1::FFloorTrunc => return truncating::floor(a),
        Op1::FFractTrunc => return truncating::fract(a),
    })
}

/// As the emulator has it, test by test.
fn loose_reciprocal(x: f32) -> u32 {
    let r = 1.0 / x;
    canonical(if r > 0.0 {
        if r < 5.42101e-20 {
            5.42101e-20
        } else if r > 1.884467e19 {
            f32::from_bits(0x5f80_0000)
        } else {
            r
        }
    } else if r < -1.884467e19 {
        f32::from_bits(0xdf80_0000)
    } else if r > -5.42101e-20 {
        -5.42101e-20
    } else {
        r
    })
}

/// The true result of an operation, to f64; NaN if it is not a number that is rounded but a pattern of bits.
pub fn exact1(op: Op1, a: u32) -> f64 {
    let x = f64::from(f32::from_bits(a));
    match op {
        Op1::FSqrt => x.sqrt(),
        Op1::FExp => pxfm::f_exp(x),
        Op1::FExp2 => pxfm::f_exp2(x),
        Op1::FLog => pxfm::f_log(x),
        Op1::FLog2 => pxfm::f_log2(x),
        Op1::FSin => pxfm::f_sin(x),
        Op1::FCos => pxfm::f_cos(x),
        Op1::FTan => pxfm::f_tan(x),
        Op1::FAsin => pxfm::f_asin(x),
        Op1::FAcos => pxfm::f_acos(x),
        Op1::FAtan => pxfm::f_atan(x),
        _ => f64::NAN,
    }
}

/// The correctly rounded result of an operation on bits.
pub fn expected2(op: Op2, a: u32, b: u32) -> u32 {
    let (x, y) = (f32::from_bits(a), f32::from_bits(b));
    let (wide_x, wide_y) = (f64::from(x), f64::from(y));
    canonical(match op {
        Op2::FAdd => (wide_x + wide_y) as f32,
        Op2::FSub => (wide_x - wide_y) as f32,
        Op2::FMul => (wide_x * wide_y) as f32,
        Op2::FDiv => (wide_x / wide_y) as f32,
        Op2::FMin => return if y.is_nan() || x < y { a } else { b },
        Op2::FMax => return if y.is_nan() || x > y { a } else { b },
        // Where exp2(b × log2 a) is not IEEE 754's pow: the comment of `fpow` has the table.
        Op2::FPow if x < 0.0 || x.is_nan() || y.is_nan() => f32::NAN,
        Op2::FPow if (x == 0.0 || x == f32::INFINITY) && y == 0.0 => f32::NAN,
        Op2::FPow if x == 1.0 && y.is_infinite() => f32::NAN,
        Op2::FPow => pxfm::f_powf(x.abs(), y),
        Op2::FAtan2 => pxfm::f_atan2f(x, y),
        Op2::FMulFinite if (wide_x * wide_y).is_finite() => {
            ((wide_x * wide_y) as f32).clamp(f32::MIN, f32::MAX)
        }
        Op2::FMulFinite => (wide_x * wide_y) as f32,
        Op2::FMinStrict => return if x < y { a } else { b },
        Op2::FMaxStrict => return if x > y { a } else { b },
        Op2::FSltZeros => f32::from(x < y || (a, b) == (0x8000_0000, 0)),
        Op2::FSlt => f32::from(x < y),
        Op2::FSge => f32::from(x >= y),
        Op2::FMinTotal => return if order(a) < order(b) { a } else { b },
        Op2::FMaxTotal => return if order(a) < order(b) { b } else { a },
        Op2::FSltTotal => f32::from(order(a) < order(b)),
        Op2::FAddTrunc => return truncating::sum(&[a, b]),
        Op2::FMulTrunc => return truncating::mul(a, b),
        Op2::IXor => return a ^ b,
        Op2::IAdd => return a.wrapping_add(b),
        Op2::ISub => return a.wrapping_sub(b),
        Op2::IMul => return a.wrapping_mul(b),
        Op2::IDiv => return (a as i32).checked_div(b as i32).map_or(a, |quotient| quotient as u32),
        Op2::IMax => return (a as i32).max(b as i32) as u32,
        Op2::IMin => return (a as i32).min(b as i32) as u32,
    })
}

/// The place of a pattern in the total order: magnitudes upwards, or downwards under a sign.
fn order(a: u32) -> i64 {
    let magnitude = i64::from(a & 0x7fff_ffff);
    if a >> 31 == 1 { -1 - magnitude } else { magnitude }
}

/// The true result of an operation, to f64; NaN if it is not a number that is rounded but a pattern of bits, or if one
/// IEEE operation rounds it.
pub fn exact2(op: Op2, a: u32, b: u32) -> f64 {
    match op {
        Op2::FPow => pxfm::f_pow(f64::from(f32::from_bits(a)).abs(), f64::from(f32::from_bits(b))),
        Op2::FAtan2 => pxfm::f_atan2(f64::from(f32::from_bits(a)), f64::from(f32::from_bits(b))),
        _ => f64::NAN,
    }
}

/// The error of `got` in units in the last place of f32 at `exact`; infinite where `got` is NaN, an infinity or a zero
/// of the wrong kind, or wherever it is not `expected` if `exact` is NaN. `expected` is the correctly rounded result,
/// `exact` the true one.
pub fn error(got: u32, expected: u32, exact: f64) -> f64 {
    let (result, wanted) = (f32::from_bits(got), f32::from_bits(expected));
    let wrong_zero = result == 0.0 && wanted == 0.0 && got != expected;
    if result.is_nan() || wanted.is_nan() || exact.is_nan() || wrong_zero {
        return if got == expected { 0.0 } else { f64::INFINITY };
    }
    // An infinity means 2¹²⁸, the first number that is too large: so an overflow is an error of half an ulp or
    // less exactly where IEEE 754 rounds to infinity.
    let limit = 2.0_f64.powi(128);
    let exponent = ((exact.to_bits() >> 52 & 0x7ff) as i32 - 1023).clamp(-126, 127);
    (f64::from(result).clamp(-limit, limit) - exact.clamp(-limit, limit)).abs() / 2.0_f64.powi(exponent - 23)
}

/// The input `index` of a long series of pseudo-random ones that lie where `op` is hard; the same on every run.
pub fn pair(op: Op2, index: u64) -> (u32, u32) {
    let random = mix(index);
    let (a, b) = (random as u32, (random >> 32) as u32);
    let more = mix(!random);
    // A small number, positive or negative, of any magnitude up to 2²⁴.
    let nudge = ((more >> 8) as i32 >> (8 + (more & 15))) as u32;
    let x = f64::from(f32::from_bits(a)).abs();
    match (op, index % 4) {
        (_, 0) => (a, b),
        (Op2::FPow, kind) => {
            let x = match kind {
                1 => x as f32,
                2 => f32::from_bits(0x3f80_0000_u32.wrapping_add(nudge)),
                _ => (x % 1024.0) as f32,
            };
            // The exponent that gives some result between 2⁻¹⁵⁵ and 2¹³³.
            let power = f64::from(b) / 2.0_f64.powi(32) * 288.0 - 155.0;
            let y = (power / f64::from(x).log2()) as f32;
            let y = if kind == 3 { (y * 2.0).round() / 2.0 } else { y };
            (x.to_bits(), y.to_bits())
        }
        // Near the axes, the diagonals, and the seams of the kernel at π/8 and 3π/8.
        (Op2::FAtan2, 1) => (a, (a & 0x7f80_0000).wrapping_add(nudge << 4) ^ b & 0x807f_ffff),
        (Op2::FAtan2, 2) => (a, a.wrapping_add(nudge) ^ b & 0x8000_0000),
        (Op2::FAtan2, _) => {
            let ratio = 2.0_f64.sqrt() + if b & 1 == 0 { 1.0 } else { -1.0 };
            (a, ((x * ratio) as f32).to_bits().wrapping_add(nudge) ^ b & 0x8000_0000)
        }
        (_, kind) => (a, (a & 0x7f80_0000).wrapping_add((kind as u32) << 23) ^ b & 0x80ff_ffff),
    }
}

/// Bits that look random, one pattern for each index: the output function of SplitMix64 (Steele, Lea, Flood, 2014).
pub fn mix(index: u64) -> u64 {
    let z = index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Patterns where functions change their behaviour, and those beside them: zeros, the ends of the denormal, normal and
/// finite ranges, quiet and signalling NaN with payloads, 1 and its neighbours, halves, integers, multiples of π/4, the
/// ends of exp and exp2, the seams of the kernels.
pub fn edges() -> Vec<u32> {
    use std::f32::consts::{E, FRAC_1_SQRT_2, FRAC_PI_4, LN_2, PI, SQRT_2};
    let seams = [SQRT_2 - 1.0, SQRT_2 + 1.0, FRAC_1_SQRT_2, SQRT_2, FRAC_PI_4 / 2.0, PI, E, LN_2];
    let ends = [88.722_84, 103.972_08, 103.278_93, 87.336_54, 128.0, 127.0, 149.0, 150.0, 126.0, 200.0];
    let integers = [1.0, 2.0, 3.0, 0.5, 1.5, 2.5, 10.0, 100.0, 8_388_608.0, 16_777_216.0, 1e22, 1e30];
    let quarters = (1..40).map(|n| n as f32 * FRAC_PI_4);
    let numbers = seams.into_iter().chain(ends).chain(integers).chain(quarters).map(f32::to_bits);
    let patterns =
        [0, 0x0080_0000, 0x7f80_0000, 0x7fc0_0000, 0x7f80_1234, 0x7fff_ffff, 0x0000_0010, 0x0040_0000];
    let around =
        numbers.chain(patterns).flat_map(|bits| (-2..=2).map(move |by| bits.wrapping_add_signed(by)));
    let mut all: Vec<u32> = around.flat_map(|bits| [bits, bits ^ 0x8000_0000]).collect();
    all.sort_unstable();
    all.dedup();
    all
}

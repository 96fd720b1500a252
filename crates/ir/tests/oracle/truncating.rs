//! The truncating functions, in integers and one case after another: as the description of the hardware has them.
//!
//! The crate computes the same in f64 and without branches. Nothing but the tables is shared.

use gpuzoo_ir::arith::tables::{EXP_BASE, EXP_SLOPE, LOG_BASE, LOG_SLOPE, RCP_SEED, RSQ_SEED};

pub const NAN: u32 = 0x7fff_ffff;
pub const INF: u32 = 0x7f80_0000;
pub const ONE: u32 = 0x3f80_0000;
const SIGN: u32 = 0x8000_0000;
const ABS: u32 = 0x7fff_ffff;

fn exponent(a: u32) -> i32 {
    (a >> 23 & 255) as i32
}

fn fraction(a: u32) -> u32 {
    a & 0x7f_ffff
}

/// The mantissa with its leading 1, whether or not the number has one.
fn mantissa(a: u32) -> i64 {
    i64::from(fraction(a)) + (1 << 23)
}

pub fn is_nan(a: u32) -> bool {
    a & ABS > INF
}

pub fn is_inf(a: u32) -> bool {
    a & ABS == INF
}

pub fn is_zero(a: u32) -> bool {
    exponent(a) == 0
}

pub fn is_negative(a: u32) -> bool {
    a & SIGN != 0
}

/// Sign, biased exponent, and a mantissa of which bits below the leading 1 count.
fn pack(sign: u32, exponent: i32, mantissa: i64) -> u32 {
    match exponent {
        255.. => sign | 0x7f7f_ffff,
        ..=0 => sign,
        _ => sign | (exponent as u32) << 23 | fraction(mantissa as u32),
    }
}

/// The integer `magnitude` × 2^(`exponent` - 127), truncated.
fn normalise(sign: u32, exponent: i32, magnitude: i64) -> u32 {
    let top = 63 - magnitude.leading_zeros() as i32;
    let mantissa = if top >= 23 { magnitude >> (top - 23) } else { magnitude << (23 - top) };
    pack(sign, exponent + top, mantissa)
}

pub fn mul(a: u32, b: u32) -> u32 {
    let sign = (a ^ b) & SIGN;
    if is_zero(a) || is_zero(b) {
        0
    } else if is_nan(a) || is_nan(b) {
        NAN
    } else if is_inf(a) || is_inf(b) {
        sign | INF
    } else {
        normalise(sign, exponent(a) + exponent(b) - 127 - 46, mantissa(a) * mantissa(b))
    }
}

pub fn sum(terms: &[u32]) -> u32 {
    let infinities: Vec<u32> = terms.iter().copied().filter(|&term| is_inf(term)).collect();
    if terms.iter().any(|&term| is_nan(term)) || infinities.windows(2).any(|pair| pair[0] != pair[1]) {
        return NAN;
    }
    if let Some(&infinity) = infinities.first() {
        return infinity;
    }
    let largest = terms.iter().copied().map(exponent).max().unwrap_or(0);
    let aligned = terms.iter().map(|&term| {
        let mantissa = if is_zero(term) { i64::from(fraction(term)) } else { mantissa(term) };
        let magnitude = (mantissa << 5) >> (largest - exponent(term)).min(63);
        if is_negative(term) { -magnitude } else { magnitude }
    });
    let total: i64 = aligned.sum();
    if total == 0 { 0 } else { normalise(if total < 0 { SIGN } else { 0 }, largest - 28, total.abs()) }
}

/// The biased exponent and the fraction of 1 / |a|, before anything is bounded.
fn reciprocal(a: u32) -> (i32, i64) {
    if fraction(a) == 0 {
        return (254 - exponent(a), 0);
    }
    let (m, t) = (mantissa(a), i64::from(RCP_SEED[(fraction(a) >> 17) as usize]));
    let u = (((1 << 31) - t * m) * t) >> 24;
    (253 - exponent(a), ((((1 << 37) - u * m) * u) >> 25) - (1 << 23))
}

pub fn rcp(a: u32) -> u32 {
    let (sign, (exponent, fraction)) = (a & SIGN, reciprocal(a));
    if is_nan(a) {
        NAN
    } else if is_zero(a) {
        sign | INF
    } else if is_inf(a) {
        sign
    } else {
        assert!((0..1 << 23).contains(&fraction), "{a:08x}");
        pack(sign, exponent, fraction)
    }
}

pub fn rcc(a: u32) -> u32 {
    let (sign, (exponent, fraction)) = (a & SIGN, reciprocal(a));
    match exponent {
        _ if is_nan(a) => NAN,
        ..63 => sign | 0x1f80_0000,
        191.. => sign | 0x5f80_0000,
        _ => pack(sign, exponent, fraction),
    }
}

pub fn rsq(a: u32) -> u32 {
    if is_nan(a) {
        return NAN;
    } else if is_zero(a) {
        return INF;
    } else if is_inf(a) {
        return 0;
    }
    let (e, index) = (exponent(a), (fraction(a) >> 17) as usize);
    let (power, index, m) = match e % 2 {
        1 => (126 - (e - 127) / 2, index, mantissa(a)),
        _ => (126 - (e - 128) / 2, 64 + index, 2 * mantissa(a)),
    };
    let t = i64::from(RSQ_SEED[index]);
    let u = ((3 * (1 << 37) - t * t * m) * t) >> 32;
    let fraction = (((3 * (1 << 49) - u * u * m) * u) >> 39) - (1 << 23);
    assert!((0..1 << 23).contains(&fraction), "{a:08x}");
    pack(0, power, fraction)
}

/// 13 fraction bits in 32.
pub fn fixed(a: u32) -> i64 {
    let (e, m) = (exponent(a), if is_negative(a) { -mantissa(a) } else { mantissa(a) });
    match e {
        _ if is_nan(a) => i64::from(i32::MAX),
        145.. if m < 0 => i64::from(i32::MIN),
        145.. => i64::from(i32::MAX),
        137.. => m << (e - 137),
        104.. => m >> (137 - e),
        _ => 0,
    }
}

pub fn power(t: i64) -> u32 {
    let (integer, piece, along) = (t >> 13, (t >> 8 & 31) as usize, (t & 255) as u32);
    match integer {
        ..=-127 => 0,
        128.. => INF,
        _ => ((integer + 127) as u32) << 23 | (EXP_BASE[piece] * 256 + EXP_SLOPE[piece] * along) << 1,
    }
}

/// 26 fraction bits.
pub fn logarithm(a: u32) -> i64 {
    let piece = (fraction(a) >> 18) as usize;
    let rise = LOG_BASE[piece] * 256 + LOG_SLOPE[piece] * (fraction(a) >> 10 & 255);
    i64::from(rise) + i64::from(exponent(a) - 127) * (1 << 26)
}

pub fn exp2(a: u32) -> u32 {
    if is_nan(a) { NAN } else { power(fixed(a)) }
}

pub fn floor(a: u32) -> u32 {
    ((fixed(a) >> 13) as f32).to_bits()
}

pub fn fract(a: u32) -> u32 {
    let (e, m) = (exponent(a), mantissa(a));
    // 23 fraction bits.
    let part = match (e, is_negative(a)) {
        _ if is_nan(a) => return a,
        (0 | 150.., _) => 0,
        (127.., false) => m << (e - 127) & 0x7f_ffff,
        (127.., true) => -(m << (e - 127)) & 0x7f_ffff,
        (_, false) => return a,
        (104.., true) => -((m + (1 << (127 - e)) - 1) >> (127 - e)) & 0x7f_ffff,
        (_, true) => return ONE,
    };
    (part as f32 / 8_388_608.0).to_bits()
}

/// The three kinds of logarithm share their ends; `finite` gives the rest, `of_zero` and `of_infinity` these two.
fn log_ends(a: u32, of_zero: u32, of_infinity: u32, finite: impl FnOnce(u32) -> u32) -> u32 {
    let a = a & ABS;
    if is_nan(a) {
        a
    } else if is_zero(a) {
        of_zero
    } else if is_inf(a) {
        of_infinity
    } else {
        finite(a)
    }
}

pub fn log2(a: u32) -> u32 {
    log_ends(a, SIGN | INF, INF, |a| match logarithm(a) {
        0 => 0,
        log => normalise(if log < 0 { SIGN } else { 0 }, 127 - 26, log.abs()),
    })
}

pub fn log_exponent(a: u32) -> u32 {
    log_ends(a, SIGN | INF, INF, |a| ((exponent(a) - 127) as f32).to_bits())
}

pub fn log_mantissa(a: u32) -> u32 {
    log_ends(a, ONE, ONE, |a| ONE | fraction(a))
}

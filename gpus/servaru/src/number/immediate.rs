//! The 13-bit numbers that stand in an instruction (spec section D): sign, 5 bits of exponent with bias 15, 7 of
//! mantissa. They are half floats without the 3 lowest bits.
//!
//! Everything here is exact. Between decimal text and field stand only integers: every boundary between two fields is a
//! multiple of 2⁻²², and 2⁻²² is 5²² × 10⁻²².

/// Bits of a field.
pub const BITS: u8 = 13;
/// The sign bit.
pub const SIGN: u16 = 1 << 12;
/// +infinity.
pub const INFINITY: u16 = 0x0f80;
/// The NaN that `nan` stands for; other NaN fields have no text.
pub const NAN: u16 = 0x0fc0;

/// 5²²: in units of 10⁻²² this is 2⁻²².
const UNIT: u128 = 2_384_185_791_015_625;
/// Decimal places that decide; what stands behind them can only break a tie.
const PLACES: i64 = 22;

/// The value of a field, as bits of a 32-bit float. NaN is quiet and keeps its sign alone.
///
/// ```
/// use gpuzoo_servaru::immediate;
/// assert_eq!(f32::from_bits(immediate::value(0x05cd)), 0.10009765625);
/// ```
pub fn value(field: u16) -> u32 {
    let sign = u32::from(field >> 12 & 1) << 31;
    let (exponent, mantissa) = (u32::from(field >> 7 & 31), u32::from(field & 127));
    sign | match (exponent, mantissa) {
        // A multiple of 2⁻²¹ below 2⁷ × 2⁻²¹ is an exact float.
        (0, mantissa) => (mantissa as f32 / 2_097_152.0).to_bits(),
        (31, 0) => f32::INFINITY.to_bits(),
        (31, _) => gpuzoo_ir::NAN,
        _ => (exponent + 112) << 23 | mantissa << 16,
    }
}

/// The field whose value is just these bits of a 32-bit float. None if there is none, or none that has a text.
///
/// ```
/// use gpuzoo_servaru::immediate::exact;
/// assert_eq!(exact(0.5f32.to_bits()), Some(0x0700));
/// assert_eq!(exact(0.1f32.to_bits()), None);
/// ```
pub fn exact(bits: u32) -> Option<u16> {
    let magnitude = f32::from_bits(bits).abs();
    let sign = if bits >> 31 == 1 { SIGN } else { 0 };
    let field = match magnitude {
        _ if bits == gpuzoo_ir::NAN => NAN,
        // Below 2⁻¹⁴ fields are multiples of 2⁻²¹; what is none of them gives another value. Infinity is the largest field.
        _ if magnitude < 1.0 / 16_384.0 => (magnitude * 2_097_152.0) as u16 | sign,
        _ => (magnitude.to_bits() >> 16).saturating_sub(112 << 7).min(u32::from(INFINITY)) as u16 | sign,
    };
    (value(field) == bits).then_some(field)
}

/// A decimal number as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounded {
    /// The field, without a sign.
    pub field: u16,
    /// True if the field's value is the number itself.
    pub exact: bool,
}

/// Why a text is not a number that can be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiteralError {
    /// Not a decimal number: `0x10`, `1.2.3`, `1e`.
    Malformed,
    /// 65,408 or more, which would round to infinity.
    TooLarge,
}

/// The field nearest to an unsigned decimal number, `12.5`, `.5`, `1e-3`; of two equally near the one with an even
/// mantissa.
///
/// ```
/// use gpuzoo_servaru::immediate::{LiteralError, Rounded, from_text};
/// assert_eq!(from_text("0.1"), Ok(Rounded { field: 0x05cd, exact: false }));
/// assert_eq!(from_text("257"), Ok(Rounded { field: 0x0b80, exact: false }));
/// assert_eq!(from_text("65408"), Err(LiteralError::TooLarge));
/// ```
///
/// # Errors
/// [`LiteralError`] for what is not a number, and for one that is too large.
pub fn from_text(text: &str) -> Result<Rounded, LiteralError> {
    let (number, exponent) = match text.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, power(exponent)?),
        None => (text, 0),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let mut digits = whole.bytes().chain(fraction.bytes()).peekable();
    // A second dot is not a digit.
    if digits.peek().is_none() || !digits.clone().all(|digit| digit.is_ascii_digit()) {
        return Err(LiteralError::Malformed);
    }
    let (mut scaled, mut more) = (0u128, false);
    for (at, digit) in (1i64..).zip(digits) {
        let place = whole.len() as i64 + exponent - at;
        match u128::from(digit - b'0') {
            0 => {}
            // 10⁵ is above every number that can be stored.
            _ if place > 4 => return Err(LiteralError::TooLarge),
            _ if place < -PLACES => more = true,
            digit => scaled += digit * 10u128.pow((place + PLACES) as u32),
        }
    }
    // Units of 2⁻²², of which there are less than 2⁴².
    let units = (scaled / UNIT) as u64;
    round(units, more || !scaled.is_multiple_of(UNIT))
}

/// A power of ten; so large ones that nothing else matters are cut.
fn power(text: &str) -> Result<i64, LiteralError> {
    const MOST: i64 = 1 << 40;
    let (negative, digits) = match text.as_bytes() {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(LiteralError::Malformed);
    }
    let power = digits.iter().fold(0, |power, digit| (power * 10 + i64::from(digit - b'0')).min(MOST));
    Ok(if negative { -power } else { power })
}

/// Rounds a number of units of 2⁻²², and a bit less than one more if `more`, to 8 bits of mantissa.
fn round(units: u64, more: bool) -> Result<Rounded, LiteralError> {
    let length = u64::BITS - units.leading_zeros();
    // The last place of subnormal numbers, and of the smallest normal ones, is 2⁻²¹.
    let shift = length.saturating_sub(8).max(1);
    let (mantissa, rest, half) = (units >> shift, units & ((1 << shift) - 1), 1u64 << (shift - 1));
    let up = rest > half || rest == half && (more || mantissa & 1 == 1);
    // A mantissa of 8 bits has its leading one in the exponent's lowest bit; carries go there, too.
    let field = (u64::from(shift - 1) << 7) + mantissa + u64::from(up);
    if field >= u64::from(INFINITY) {
        return Err(LiteralError::TooLarge);
    }
    Ok(Rounded { field: field as u16, exact: rest == 0 && !more })
}

/// The text of a field: its exact value, `inf`, `nan`. None for NaN fields but [`NAN`].
///
/// ```
/// use gpuzoo_servaru::immediate::text;
/// assert_eq!(text(0x05cd).as_deref(), Some("0.10009765625"));
/// assert_eq!(text(0x1f80).as_deref(), Some("-inf"));
/// assert_eq!(text(0x0f81), None);
/// ```
pub fn text(field: u16) -> Option<String> {
    let magnitude = field & !SIGN;
    let number = match magnitude {
        0..INFINITY => decimal(magnitude),
        INFINITY => "inf".to_owned(),
        _ => return (field == NAN).then(|| "nan".to_owned()),
    };
    Some(if field & SIGN != 0 { format!("-{number}") } else { number })
}

/// The exact decimal expansion of a finite field without sign: a multiple of 2⁻²¹ has at most 21 decimal places.
fn decimal(field: u16) -> String {
    let places = format!("{:.21}", f32::from_bits(value(field)));
    places.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(text: &str) -> Result<u16, LiteralError> {
        from_text(text).map(|rounded| rounded.field)
    }

    /// The table of spec section D.
    #[test]
    fn the_specification() {
        let table = [
            ("0", 0),
            ("1", 0x0780),
            ("0.0625", 0x0580),
            ("10", 0x0920),
            ("129", 0x0b01),
            ("258", 0x0b81),
            ("1000", 0x0c7a),
            ("65280", 0x0f7f),
            ("0.2", 0x064d),
            ("0.9", 0x0766),
            ("0.99", 0x077d),
            ("3.14159265", 0x0849),
            ("257", 0x0b80),
            ("259", 0x0b82),
            ("10000", 0x0e1c),
            ("0.299", 0x0699),
            ("0.114", 0x05e9),
        ];
        for (text, expected) in table {
            assert_eq!(field(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn ties_and_ends() {
        // Half way between 0 and 2⁻²¹ goes to 0, a hair above it up.
        assert_eq!(field("0.0000002384185791015625"), Ok(0));
        assert_eq!(field("0.00000023841857910156250000000000000000000001"), Ok(1));
        // Half way between 1 × 2⁻²¹ and 2 × 2⁻²¹ is even at 2.
        assert_eq!(field("0.00000071525573730468750"), Ok(2));
        assert_eq!(field("65407.99999999999999999999999999999"), Ok(0x0f7f));
        assert_eq!(field("65408"), Err(LiteralError::TooLarge));
        assert_eq!(field("1e999999999999999999999"), Err(LiteralError::TooLarge));
        assert_eq!(from_text("1e-999999999999999999999"), Ok(Rounded { field: 0, exact: false }));
        assert_eq!(from_text("0e999999999999999999999"), Ok(Rounded { field: 0, exact: true }));
        assert_eq!(field(&"9".repeat(100_000)), Err(LiteralError::TooLarge));
        assert_eq!(field(&format!("0.{}1", "0".repeat(100_000))), Ok(0));
        assert_eq!(field("0.00065280e8"), Ok(0x0f7f));
        // Powers of several digits: both are 1.
        assert_eq!(field("0.0000000000000000000000001e25"), Ok(0x0780));
        assert_eq!(field("10000000000000000000000000e-25"), Ok(0x0780));
    }

    #[test]
    fn forms() {
        for (text, expected) in [(".5", 0x0700), ("5e-1", 0x0700), ("05.E-1", 0x0700), ("0.05e+1", 0x0700)] {
            assert_eq!(field(text), Ok(expected), "{text}");
        }
        for text in ["", ".", "e1", "1e", "1e+", "0x1", "1.2.3", "1f", "1_0", "-1", "1e1.5", "ä"] {
            assert_eq!(field(text), Err(LiteralError::Malformed), "{text}");
        }
    }

    #[test]
    fn every_field_is_the_text_of_itself() {
        for field in 0..1u16 << BITS {
            let Some(text) = text(field) else {
                assert!(field & 0x0fff > INFINITY && field != NAN);
                continue;
            };
            assert_eq!(exact(value(field)), Some(field));
            let (negative, number) = text.strip_prefix('-').map_or((false, &*text), |rest| (true, rest));
            assert_eq!(negative, field & SIGN != 0 && field != NAN);
            if f32::from_bits(value(field)).is_finite() {
                let expected = Rounded { field: field & !SIGN, exact: true };
                assert_eq!(from_text(number), Ok(expected), "{field:04x} {text}");
                // A third road: the platform's own reading of the text.
                assert_eq!(text.parse::<f32>().map(f32::to_bits), Ok(value(field)), "{text}");
            }
        }
    }
}

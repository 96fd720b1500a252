//! Numbers in expectations: exact, down to the bit.

/// A lane's expected value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// These bits.
    Bits(u32),
    /// Any NaN.
    Nan,
}

impl Lane {
    /// True if the bits are as expected.
    pub fn accepts(self, bits: u32) -> bool {
        match self {
            Lane::Bits(expected) => bits == expected,
            Lane::Nan => f32::from_bits(bits).is_nan(),
        }
    }

    /// The bits to give a register that starts with this value.
    pub fn bits(self) -> u32 {
        match self {
            Lane::Bits(bits) => bits,
            Lane::Nan => 0x7fc0_0000,
        }
    }
}

/// Reads `1`, `-0.5`, `1e-3`, `inf`, `nan`, `0x1.8p3` (a hexadecimal float) or `0x3f800000` (bits, eight digits).
pub fn lane(text: &str) -> Result<Lane, String> {
    let bad = || format!("`{text}` is no number");
    let (negative, magnitude) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let value = match magnitude {
        "nan" => return Ok(Lane::Nan),
        "inf" => f32::INFINITY,
        _ => match magnitude.strip_prefix("0x") {
            Some(hex) if !hex.contains('p') => {
                let bits = u32::from_str_radix(hex, 16).ok().filter(|_| hex.len() == 8 && !negative);
                return bits.map(Lane::Bits).ok_or_else(bad);
            }
            Some(hex) => hex_float(hex).ok_or_else(bad)?,
            None if magnitude.starts_with(['-', '+']) => return Err(bad()),
            None => magnitude.parse().map_err(|_| bad())?,
        },
    };
    Ok(Lane::Bits(if negative { -value } else { value }.to_bits()))
}

/// `1.8p3`: at most 24 significant bits, so that nothing is rounded.
fn hex_float(text: &str) -> Option<f32> {
    let (digits, exponent) = text.split_once('p')?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mantissa = u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
    let exponent: i32 = exponent.parse().ok()?;
    let scale = 2f64.powi(exponent - 4 * fraction.len() as i32);
    let value = mantissa as f64 * scale;
    (f64::from(value as f32) == value).then_some(value as f32)
}

/// The shortest text that reads back as the bits.
pub fn show(bits: u32) -> String {
    let value = f32::from_bits(bits);
    if value.is_nan() {
        return if bits == 0x7fc0_0000 { "nan".into() } else { format!("{bits:#010x}") };
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf".into() } else { "-inf".into() };
    }
    // `Display` of f32 is the shortest decimal that reads back; exponents keep extremes short.
    let (plain, exponent) = (format!("{value}"), format!("{value:e}"));
    if plain.len() <= exponent.len() { plain } else { exponent }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_exact() {
        for (text, bits) in [
            ("1", 0x3f80_0000),
            ("-0", 0x8000_0000),
            ("0x1.4p3", 0x4120_0000),
            ("-0x1p-149", 0x8000_0001),
            ("0x7fc00001", 0x7fc0_0001),
            ("-inf", 0xff80_0000),
            ("1e-45", 1),
        ] {
            assert_eq!(lane(text), Ok(Lane::Bits(bits)), "{text}");
        }
        for text in ["", "0x", "0x1", "0x1.0000001p0", "x", "--1", "-0x3f800000"] {
            assert!(lane(text).is_err(), "{text}");
        }
        for bits in [0, 1, 0x8000_0000, 0x3f80_0000, 0x7f7f_ffff, 0xff80_0000, 0x7fc0_0001] {
            assert!(lane(&show(bits)).unwrap().accepts(bits), "{bits:08x}");
        }
    }
}

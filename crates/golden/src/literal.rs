//! Numbers in expectations: exact, down to the bit.

use hexf_parse::parse_hexf32;

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
    let bad = || format!("`{text}` is not a number");
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
            // Nothing is rounded: digits that a float does not hold are not a number here.
            Some(_) => parse_hexf32(magnitude, false).map_err(|_| bad())?,
            None if magnitude.starts_with(['-', '+']) => return Err(bad()),
            None => magnitude.parse().map_err(|_| bad())?,
        },
    };
    Ok(Lane::Bits(if negative { -value } else { value }.to_bits()))
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

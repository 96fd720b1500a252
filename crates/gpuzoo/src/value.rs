//! Components as people write them.

use gpuzoo_ir::Vec4;
use serde_json::Value as Json;
use std::fmt::Write;

/// Reads a component: a decimal number (`1`, `-0.5`, `1e-3`), `inf`, `-inf`, `nan`, or a bit pattern of eight
/// hexadecimal digits (`0x3f800000`). Decimal numbers are rounded once, to the nearest 32-bit float.
///
/// ```
/// use gpuzoo::value::parse;
/// assert_eq!(parse("1"), Some(0x3f800000));
/// assert_eq!(parse("-0"), Some(0x80000000));
/// assert_eq!(parse("0x7fc00001"), Some(0x7fc00001));
/// assert_eq!(parse("nan"), Some(0x7fc00000));
/// assert_eq!(parse("0x1"), None); // seven digits too few to be sure
/// ```
pub fn parse(text: &str) -> Option<u32> {
    if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        let digits = hex.len() == 8 && hex.bytes().all(|digit| digit.is_ascii_hexdigit());
        return digits.then(|| u32::from_str_radix(hex, 16).ok()).flatten();
    }
    match text {
        "nan" | "NaN" => Some(gpuzoo_ir::NAN),
        _ => text.parse::<f32>().ok().filter(|value| !value.is_nan()).map(f32::to_bits),
    }
}

/// The shortest text that [`parse`] reads back as the same bits.
///
/// ```
/// use gpuzoo::value::show;
/// assert_eq!(show(0x3dcccccd), "0.1");
/// assert_eq!(show(0x7f7fffff), "3.4028235e38");
/// assert_eq!(show(0x80000000), "-0");
/// assert_eq!(show(0x7fc00001), "0x7fc00001");
/// ```
pub fn show(bits: u32) -> String {
    let mut text = String::new();
    push(bits, &mut text);
    text
}

/// Appends what [`show`] gives.
pub fn push(bits: u32, out: &mut String) {
    let value = f32::from_bits(bits);
    if value.is_nan() {
        return out.push_str(&if bits == gpuzoo_ir::NAN { "nan".to_owned() } else { pattern(bits) });
    }
    // Both forms have the shortest digits that read back; the exponent keeps extremes short. Writing to a String cannot
    // fail.
    let start = out.len();
    let _ = write!(out, "{value}");
    let plain = out[start..].trim_start_matches('-');
    // Only with so many zeros can the exponent be shorter.
    if plain.ends_with("000") || plain.starts_with("0.00") {
        let exponent = format!("{value:e}");
        if exponent.len() < out.len() - start {
            out.truncate(start);
            out.push_str(&exponent);
        }
    }
}

/// The bit pattern: `0x3f800000`.
pub fn pattern(bits: u32) -> String {
    format!("{bits:#010x}")
}

/// A component as JSON: the shortest number that is the same 32-bit float, or a text where JSON has no such number.
///
/// ```
/// use gpuzoo::value::json_component;
/// assert_eq!(json_component(0x3dcccccd, false).to_string(), "0.1");
/// assert_eq!(json_component(0x7f800000, false).to_string(), "\"inf\"");
/// assert_eq!(json_component(0x3f800000, true).to_string(), "\"0x3f800000\"");
/// ```
pub fn json_component(component: u32, bits: bool) -> Json {
    let text = if bits { pattern(component) } else { show(component) };
    match text.parse::<serde_json::Number>() {
        Ok(number) if !bits => Json::Number(number),
        _ => Json::String(text),
    }
}

/// Four components as JSON.
pub fn json_components(value: Vec4, bits: bool) -> Json {
    value.map(|component| json_component(component, bits)).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_reads_back() {
        let edges = [0, 1, 0x8000_0000, 0x007f_ffff, 0x0080_0000, 0x7f7f_ffff, 0x7f80_0000, 0xff80_0000];
        let nans = [0x7fc0_0000, 0x7fc0_0001, 0xffc0_0000, 0x7f80_0001, 0xffff_ffff];
        // A step coprime to 2^32 visits every exponent.
        let spread = (0..20_000u32).map(|index| index.wrapping_mul(0x9e37_79b1));
        let round =
            [1e-3_f32, 1.5e-3, 0.01, 100.0, 1000.0, 1200.0, 12_000.0, 120_000.0, -1e6].map(f32::to_bits);
        for bits in edges.into_iter().chain(nans).chain(round).chain(spread) {
            assert_eq!(parse(&show(bits)), Some(bits), "{bits:08x} {}", show(bits));
            assert_eq!(parse(&pattern(bits)), Some(bits));
            let value = f32::from_bits(bits);
            if !value.is_nan() {
                let shortest = format!("{value}").len().min(format!("{value:e}").len());
                assert_eq!(show(bits).len(), shortest, "{bits:08x}");
            }
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["", "x", "0x", "0x123456789", "0x3f80000g", "0x+f800000", "1,5", "--1", " 1", "1f"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}

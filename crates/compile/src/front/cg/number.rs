//! Numbers as C and Cg write them.

/// An integer: decimal, hexadecimal or octal, maybe with `u` or `l` behind it; nothing for other texts, and for what takes more
/// than 64 bits.
pub fn integer(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    match (hexadecimal, digits.strip_prefix('0')) {
        (Some(digits), _) => {
            i64::from_str_radix(digits.strip_prefix(['+', '-']).map_or(digits, |_| ""), 16).ok()
        }
        (None, Some(octal)) if !octal.is_empty() => i64::from_str_radix(octal, 8).ok(),
        _ => digits.parse().ok(),
    }
}

/// A floating-point number, maybe with Cg's `f`, `h` or `x` behind it; nothing for other texts. It can be infinite.
pub fn float(text: &str) -> Option<f32> {
    let digits = text.strip_suffix(['f', 'F', 'h', 'H', 'x', 'X']).unwrap_or(text);
    let is_digit = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-');
    if !digits.bytes().all(is_digit) { None } else { digits.parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers() {
        let read = |text| integer(text);
        assert_eq!(
            [read("12"), read("0"), read("0x1F"), read("017"), read("3u")],
            [12, 0, 31, 15, 3].map(Some)
        );
        assert_eq!([read(""), read("1.0"), read("0x"), read("08"), read("12f"), read("0x-1")], [None; 6]);
        assert_eq!(read("99999999999999999999"), None);
    }

    #[test]
    fn floats() {
        let read = |text| float(text);
        assert_eq!(
            [read("1.5"), read(".5f"), read("2.h"), read("1e-3x"), read("1f")],
            [1.5, 0.5, 2., 1e-3, 1.].map(Some)
        );
        assert_eq!([read("1.2.3"), read("inf"), read("0x1"), read("1.0g"), read(".")], [None; 5]);
        assert_eq!(read("1e99"), Some(f32::INFINITY));
    }
}

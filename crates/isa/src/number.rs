//! Integer literals.

/// Why a literal is not an integer that can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NumberError {
    /// Not an integer literal: `1.0`, `0x`, `12ab`.
    Malformed,
    /// An integer of more than 64 bits.
    TooLarge,
}

const SUFFIXES: [&str; 12] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];

/// The value of an integer literal as Rust writes them: decimal, `0x`, `0o`, `0b`, underscores between or after
/// digits, leading zeros, and a type suffix, which is ignored.
///
/// ```
/// use gpuzoo_isa::number::{NumberError, integer};
/// assert_eq!(integer("0b11_01u8"), Ok(13));
/// assert_eq!(integer("07"), Ok(7));
/// assert_eq!(integer("1.0"), Err(NumberError::Malformed));
/// assert_eq!(integer("99999999999999999999"), Err(NumberError::TooLarge));
/// ```
pub fn integer(text: &str) -> Result<u64, NumberError> {
    let (digits, radix) = match text.as_bytes() {
        [b'0', b'x', ..] => (&text[2..], 16),
        [b'0', b'o', ..] => (&text[2..], 8),
        [b'0', b'b', ..] => (&text[2..], 2),
        _ => (text, 10),
    };
    // A suffix begins at the first letter that is not a digit of the radix; `u` and `i` never are.
    let end = digits.find(['u', 'i']).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    if !suffix.is_empty() && !SUFFIXES.contains(&suffix) {
        return Err(NumberError::Malformed);
    }
    let mut value = Some(0u64);
    let mut any = false;
    for byte in digits.bytes().filter(|&byte| byte != b'_') {
        let digit = (byte as char).to_digit(radix).ok_or(NumberError::Malformed)?;
        value = value.and_then(|value| value.checked_mul(u64::from(radix))?.checked_add(u64::from(digit)));
        any = true;
    }
    // `_1` is an identifier in Rust; after a radix prefix an underscore may come first.
    if !any || (radix == 10 && digits.starts_with('_')) {
        return Err(NumberError::Malformed);
    }
    value.ok_or(NumberError::TooLarge)
}

/// The value of digits without leading zeros; of many of them, that of no register.
pub(crate) fn plain_number(digits: &str) -> Option<i64> {
    let plain = !digits.is_empty() && (digits == "0" || !digits.starts_with('0'));
    let plain = plain && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| digits.parse().unwrap_or(i64::from(u16::MAX)))
}

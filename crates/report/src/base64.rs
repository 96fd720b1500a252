//! Bytes as text (RFC 4648, section 4), for pictures inside a page.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// How many characters so many bytes become.
pub const fn length(bytes: usize) -> usize {
    bytes.div_ceil(3) * 4
}

/// The text of bytes.
///
/// ```
/// use gpuzoo_report::base64::{encode, length};
/// // RFC 4648, section 10.
/// assert_eq!(["", "f", "fo", "foo", "foob"].map(|text| encode(text.as_bytes())), ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]);
/// assert_eq!(length(4), 8);
/// ```
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(length(bytes.len()));
    for three in bytes.chunks(3) {
        let at = |index: usize| u32::from(three.get(index).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for place in 0..4 {
            match place <= three.len() {
                true => text.push(ALPHABET[(bits >> (18 - 6 * place)) as usize & 63].into()),
                false => text.push('='),
            }
        }
    }
    text
}

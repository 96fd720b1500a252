//! Texels of 16 bits.

use crate::image::Image;
use crate::size::{SizeError, collected};

/// The texels of 16-bit words.
pub(crate) fn decode(bytes: &[u8], texel: impl Fn(u16) -> [f32; 4]) -> Result<Vec<[f32; 4]>, SizeError> {
    let words = bytes.as_chunks().0;
    collected(words.len(), words.iter().map(|&word| texel(u16::from_le_bytes(word))))
}

/// The 16-bit words of a picture.
pub(crate) fn encode(image: &Image, word: impl Fn([u8; 4]) -> u16) -> Result<Vec<u8>, SizeError> {
    let pixels = image.pixels();
    collected(pixels.len() * 2, pixels.iter().flat_map(|&pixel| word(pixel).to_le_bytes()))
}

/// The field of `bits` bits from `low` upward.
fn field(word: u16, low: u32, bits: u32) -> u16 {
    word >> low & ((1 << bits) - 1)
}

/// A field as a number from 0 to 1; the quotient is correctly rounded.
fn unorm(word: u16, low: u32, bits: u32) -> f32 {
    f32::from(field(word, low, bits)) / f32::from((1u16 << bits) - 1)
}

/// The nearest value of `bits` bits to a byte. There are no ties: 255 is odd.
fn quantize(byte: u8, bits: u32) -> u16 {
    let top = (1u32 << bits) - 1;
    ((u32::from(byte) * top + 127) / 255) as u16
}

/// The 5-6-5 fields R, G, B.
pub(crate) fn fields565(word: u16) -> [u16; 3] {
    [field(word, 11, 5), field(word, 5, 6), field(word, 0, 5)]
}

pub(crate) fn rgb565(word: u16) -> [f32; 4] {
    [unorm(word, 11, 5), unorm(word, 5, 6), unorm(word, 0, 5), 1.0]
}

pub(crate) fn argb4444(word: u16) -> [f32; 4] {
    [unorm(word, 8, 4), unorm(word, 4, 4), unorm(word, 0, 4), unorm(word, 12, 4)]
}

pub(crate) fn to_rgb565([r, g, b, _]: [u8; 4]) -> u16 {
    quantize(r, 5) << 11 | quantize(g, 6) << 5 | quantize(b, 5)
}

pub(crate) fn to_argb4444([r, g, b, a]: [u8; 4]) -> u16 {
    quantize(a, 4) << 12 | quantize(r, 4) << 8 | quantize(g, 4) << 4 | quantize(b, 4)
}

/// The nearest 4-bit alpha.
pub(crate) fn alpha4(alpha: u8) -> u8 {
    quantize(alpha, 4) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_by_hand() {
        assert_eq!(rgb565(21 << 11 | 38 << 5 | 11), [21.0 / 31.0, 38.0 / 63.0, 11.0 / 31.0, 1.0]);
        assert_eq!(argb4444(0x7fa5), [1.0, 10.0 / 15.0, 5.0 / 15.0, 7.0 / 15.0]);
        // Red 128: 128 · 31 / 255 = 15.56; green 127 · 63 / 255 = 31.38; blue 4 · 31 / 255 = 0.49.
        assert_eq!(to_rgb565([128, 127, 4, 0]), 16 << 11 | 31 << 5);
        // 8.5 is the border between 0 and 1 of four bits.
        assert_eq!(to_argb4444([8, 9, 255, 0x88]), 0x801f);
    }

    #[test]
    fn every_word_survives() {
        let nearest = |texel: [f32; 4]| texel.map(|component| (f64::from(component) * 255.0).round() as u8);
        for word in 0..=u16::MAX {
            assert_eq!(to_rgb565(nearest(rgb565(word))), word);
            assert_eq!(to_argb4444(nearest(argb4444(word))), word);
        }
    }
}

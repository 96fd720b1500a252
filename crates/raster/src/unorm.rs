//! Numbers between 0 and 1 as bytes.

use crate::round::{cut, integer};
use crate::rules::ColorRounding;
use gpuzoo_simd::lanes::each;

/// The number of a byte: byte / 255.
#[inline]
pub fn from_unorm8(byte: u8) -> f32 {
    number(byte.into())
}

/// The byte of a number. Below 0 and NaN give 0, above 1 gives 255.
///
/// ```
/// use gpuzoo_raster::{ColorRounding, to_unorm8};
/// assert_eq!(to_unorm8(0.5, ColorRounding::Nearest), 128);
/// assert_eq!(to_unorm8(0.5, ColorRounding::Truncate), 127);
/// assert_eq!(to_unorm8(f32::NAN, ColorRounding::Nearest), 0);
/// ```
#[inline]
pub fn to_unorm8(value: f32, rounding: ColorRounding) -> u8 {
    let [byte] = unorms([value], rounding);
    byte as u8
}

/// [`to_unorm8`] of lanes.
#[inline(always)]
pub(crate) fn unorms<const N: usize>(values: [f32; N], rounding: ColorRounding) -> [u32; N] {
    match rounding {
        // The product is exact in double precision; half way is 0.5 alone, which becomes 128.
        ColorRounding::Nearest => each(|lane| integer(f64::from(saturate(values[lane])) * 255.0) as u32),
        // In single precision, in which the product is rounded.
        ColorRounding::Truncate => each(|lane| cut(saturate(values[lane]) * 255.0)),
    }
}

/// The nearest number from 0 to 1; 0 for NaN.
#[inline(always)]
pub(crate) fn saturate(value: f32) -> f32 {
    let positive = if value > 0.0 { value } else { 0.0 };
    if positive < 1.0 { positive } else { 1.0 }
}

/// `map` of four components, which the compiler does not always see through; this it does.
#[inline(always)]
pub(crate) fn map4<A, B>([x, y, z, w]: [A; 4], f: impl Fn(A) -> B) -> [B; 4] {
    [f(x), f(y), f(z), f(w)]
}

/// byte / 255, correctly rounded. 1/255 is 257/2¹⁶ + 2⁻¹⁶/255: the first product is
/// exact, and the second too small for its rounding to count.
#[inline(always)]
fn number(byte: u32) -> f32 {
    const HIGH: f32 = 257.0 / 65_536.0;
    const LOW: f32 = 1.0 / 255.0 / 65_536.0;
    let byte = (byte & 0xff) as i32 as f32;
    byte * HIGH + byte * LOW
}

/// The numbers of the four bytes of a colour.
#[inline(always)]
pub(crate) fn unpack(bytes: [u8; 4]) -> [f32; 4] {
    map4(bytes, |byte| number(byte.into()))
}

/// The numbers of colours, in columns.
#[inline(always)]
pub(crate) fn unpack_lanes<const N: usize>(colors: &[u32; N]) -> [[f32; N]; 4] {
    [
        each(|lane| number(colors[lane])),
        each(|lane| number(colors[lane] >> 8)),
        each(|lane| number(colors[lane] >> 16)),
        each(|lane| number(colors[lane] >> 24)),
    ]
}

/// The four bytes of a colour: [`to_unorm8`] of each component.
#[inline]
pub(crate) fn pack(color: [f32; 4], rounding: ColorRounding) -> [u8; 4] {
    let [packed] = pack_lanes(map4(color, |component| [component]), rounding);
    packed.to_le_bytes()
}

/// The bytes of colours in columns: red in the lowest eight bits, which come first in memory.
#[inline(always)]
pub(crate) fn pack_lanes<const N: usize>(colors: [[f32; N]; 4], rounding: ColorRounding) -> [u32; N] {
    let [red, green, blue, alpha] = colors;
    let [red, green, blue, alpha] =
        [unorms(red, rounding), unorms(green, rounding), unorms(blue, rounding), unorms(alpha, rounding)];
    each(|lane| red[lane] | green[lane] << 8 | blue[lane] << 16 | alpha[lane] << 24)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_and_rounding_turns_half_way() {
        for byte in 0..=255u8 {
            assert_eq!(unpack([byte; 4]), [f32::from(byte) / 255.0; 4]);
            assert_eq!(to_unorm8(from_unorm8(byte), ColorRounding::Nearest), byte);
        }
        // The largest number below the boundary between 0 and 1, and the first above it: 0.5 / 255.
        let boundary = 0.5f64 / 255.0;
        let above = if f64::from(boundary as f32) >= boundary {
            boundary as f32
        } else {
            (boundary as f32).next_up()
        };
        assert_eq!(to_unorm8(above, ColorRounding::Nearest), 1);
        assert_eq!(to_unorm8(above.next_down(), ColorRounding::Nearest), 0);
        for rounding in [ColorRounding::Nearest, ColorRounding::Truncate] {
            assert_eq!(to_unorm8(-1.0, rounding), 0);
            assert_eq!(to_unorm8(f32::NEG_INFINITY, rounding), 0);
            assert_eq!(to_unorm8(f32::NAN, rounding), 0);
            assert_eq!(to_unorm8(1.0, rounding), 255);
            assert_eq!(to_unorm8(2.0, rounding), 255);
            assert_eq!(to_unorm8(f32::INFINITY, rounding), 255);
        }
        assert_eq!(to_unorm8(0.999, ColorRounding::Truncate), 254);
        // Around every whole number, what the cast gives.
        for byte in 1..=255u8 {
            let number = f32::from(byte) / 255.0;
            for value in [number.next_down(), number, number.next_up().min(1.0), number - 0.25 / 255.0] {
                assert_eq!(to_unorm8(value, ColorRounding::Truncate), (value * 255.0) as u8, "{value}");
            }
        }
        assert_eq!(to_unorm8(0.999, ColorRounding::Nearest), 255);
    }
}

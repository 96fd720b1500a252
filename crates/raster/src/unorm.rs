//! Numbers between 0 and 1 as bytes.

use crate::round::{cut, fused_product, integer};
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
    Bytes::new(rounding, false).of(saturate(value)) as u8
}

/// How colours become bytes in a draw: the rounding, and how it is done.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bytes {
    /// To the nearest, in double precision, in which the product with 255 is exact. Half way is 0.5 alone, which becomes
    /// 128.
    Double,
    /// The same as a fused multiply and add: product and sum are rounded once, to a whole number.
    Fused,
    /// Down, in single precision, in which the product is rounded.
    Truncated,
}

impl Bytes {
    /// `fuses`: whether a fused multiply and add is an instruction.
    pub fn new(rounding: ColorRounding, fuses: bool) -> Bytes {
        match rounding {
            ColorRounding::Nearest if fuses => Bytes::Fused,
            ColorRounding::Nearest => Bytes::Double,
            ColorRounding::Truncate => Bytes::Truncated,
        }
    }

    /// The byte of a number from 0 to 1.
    #[inline(always)]
    fn of(self, value: f32) -> u32 {
        match self {
            Bytes::Double => integer(f64::from(value) * 255.0) as u32,
            Bytes::Fused => fused_product(value, 255.0),
            Bytes::Truncated => cut(value * 255.0),
        }
    }

    /// The bytes of a colour: red in the lowest eight bits, which come first in memory.
    #[inline(always)]
    fn pack_one(self, [red, green, blue, alpha]: [f32; 4]) -> u32 {
        let [red, green] = [self.of(saturate(red)), self.of(saturate(green))];
        let [blue, alpha] = [self.of(saturate(blue)), self.of(saturate(alpha))];
        red | green << 8 | blue << 16 | alpha << 24
    }

    /// The bytes of colours in columns.
    #[inline(always)]
    pub fn pack_lanes<const N: usize>(self, colors: &[[f32; N]; 4]) -> [u32; N] {
        let mut to = [0; N];
        self.pack(colors, &mut to);
        to
    }

    /// The same of whole columns.
    #[inline(always)]
    pub fn pack<const N: usize>(self, colors: &[[f32; N]; 4], to: &mut [u32; N]) {
        // A choice before the loops, not in them.
        match self {
            Bytes::Double => pack_all(Bytes::Double, colors, to),
            Bytes::Fused => pack_all(Bytes::Fused, colors, to),
            Bytes::Truncated => pack_all(Bytes::Truncated, colors, to),
        }
    }
}

#[inline(always)]
fn pack_all<const N: usize>(bytes: Bytes, [red, green, blue, alpha]: &[[f32; N]; 4], to: &mut [u32; N]) {
    for lane in 0..N {
        to[lane] = bytes.pack_one([red[lane], green[lane], blue[lane], alpha[lane]]);
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
pub(crate) fn number(byte: u32) -> f32 {
    number_by::<false>(byte)
}

/// The same. With `FUSED` it takes a fused multiply and add, which changes nothing: the product in it is exact.
#[inline(always)]
#[allow(clippy::disallowed_methods, reason = "IEEE 754 says its bits: a product and a sum, rounded once")]
pub(crate) fn number_by<const FUSED: bool>(byte: u32) -> f32 {
    const HIGH: f32 = 257.0 / 65_536.0;
    const LOW: f32 = 1.0 / 255.0 / 65_536.0;
    let byte = (byte & 0xff) as i32 as f32;
    if FUSED { byte.mul_add(HIGH, byte * LOW) } else { byte * HIGH + byte * LOW }
}

/// The numbers of the four bytes of a colour.
#[inline(always)]
pub(crate) fn unpack(bytes: [u8; 4]) -> [f32; 4] {
    map4(bytes, |byte| number(byte.into()))
}

/// The numbers of colours, in columns.
#[inline(always)]
pub(crate) fn unpack_lanes<const FUSED: bool, const N: usize>(colors: &[u32; N]) -> [[f32; N]; 4] {
    [
        each(|lane| number_by::<FUSED>(colors[lane])),
        each(|lane| number_by::<FUSED>(colors[lane] >> 8)),
        each(|lane| number_by::<FUSED>(colors[lane] >> 16)),
        each(|lane| number_by::<FUSED>(colors[lane] >> 24)),
    ]
}

/// The four bytes of a colour: [`to_unorm8`] of each component.
#[inline]
pub(crate) fn pack(color: [f32; 4], rounding: ColorRounding) -> [u8; 4] {
    let [packed] = Bytes::new(rounding, false).pack_lanes(&map4(color, |component| [component]));
    packed.to_le_bytes()
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

    /// The two ways to the nearest byte, around all places where it changes and at all fractions of 2²⁰.
    #[test]
    fn fused_products_are_exact_ones() {
        let same = |value: f32| assert_eq!(Bytes::Fused.of(value), Bytes::Double.of(value), "{value}");
        (0..=1 << 20).for_each(|fraction| same(fraction as f32 / (1 << 20) as f32));
        for half in 0..=510 {
            let mut value = (f64::from(half) / 510.0) as f32;
            for _ in 0..3 {
                value = value.next_down().max(0.0);
            }
            for _ in 0..7 {
                same(value.min(1.0));
                value = value.next_up();
            }
        }
    }
}

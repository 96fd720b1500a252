//! A raster operation unit that blends integers: bytes times 9-bit factors, of which 256 is one.

use gpuzoo_simd::lanes::each;

/// How the target keeps colours, and what of them blending gets back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RopFormat {
    /// 8 bits of brightness, taken from blue; read as grey, opaque.
    Y8,
    /// 5, 6 and 5 bits, the lower ones dropped; read as these numbers, up to 31 and 63, opaque.
    Rgb565,
    /// 8 bits each.
    Argb8888,
}

impl RopFormat {
    /// What blending gets of a stored colour, its bytes from red on.
    #[inline(always)]
    fn read<const N: usize>(self, stored: &[u32; N]) -> [[u32; N]; 4] {
        let [r, g, b, a] = bytes(stored);
        match self {
            RopFormat::Y8 => [b, b, b, [255; N]],
            RopFormat::Rgb565 => {
                [each(|lane| r[lane] >> 3), each(|lane| g[lane] >> 2), each(|lane| b[lane] >> 3), [255; N]]
            }
            RopFormat::Argb8888 => [r, g, b, a],
        }
    }

    /// A colour as the target shows it once it has been stored.
    #[inline(always)]
    fn store<const N: usize>(self, [r, g, b, a]: [[u32; N]; 4]) -> [u32; N] {
        let color = |r: u32, g: u32, b: u32, a: u32| r | g << 8 | b << 16 | a << 24;
        match self {
            RopFormat::Y8 => each(|lane| color(b[lane], b[lane], b[lane], 255)),
            // The upper bits again below, so that white is white.
            RopFormat::Rgb565 => each(|lane| {
                let (r, g, b) = (r[lane], g[lane], b[lane]);
                color(r & 0xf8 | r >> 5, g & 0xfc | g >> 6, b & 0xf8 | b >> 5, 255)
            }),
            RopFormat::Argb8888 => each(|lane| color(r[lane], g[lane], b[lane], a[lane])),
        }
    }
}

/// The bytes of colours, from the lowest on.
#[inline(always)]
fn bytes<const N: usize>(colors: &[u32; N]) -> [[u32; N]; 4] {
    [
        each(|lane| colors[lane] & 0xff),
        each(|lane| colors[lane] >> 8 & 0xff),
        each(|lane| colors[lane] >> 16 & 0xff),
        each(|lane| colors[lane] >> 24),
    ]
}

/// How the two products become one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RopEquation {
    /// The fragment's colour as it is.
    Replace,
    /// S + D
    Add,
    /// S - D
    Subtract,
    /// D - S
    ReverseSubtract,
    /// The smaller of the colours themselves; factors do not count.
    Min,
    /// The larger of the colours themselves; factors do not count.
    Max,
}

/// The operation of some channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RopChannels {
    /// Joins the products.
    pub equation: RopEquation,
    /// Multiplies the fragment's colour: 9 bits, 256 is one.
    pub source: u16,
    /// Multiplies the stored colour: 9 bits, 256 is one.
    pub destination: u16,
}

impl RopChannels {
    /// The fragment's colour as it is.
    pub const REPLACE: RopChannels =
        RopChannels { equation: RopEquation::Replace, source: 256, destination: 0 };

    #[inline(always)]
    fn apply<const N: usize>(self, source: &[u32; N], destination: &[u32; N]) -> [u32; N] {
        let factors = [i32::from(self.source & 0x1ff), i32::from(self.destination & 0x1ff)];
        let product = (
            #[inline(always)]
            |lane: usize| source[lane] as i32 * factors[0],
            #[inline(always)]
            |lane: usize| destination[lane] as i32 * factors[1],
        );
        #[inline(always)]
        fn byte(sum: i32) -> u32 {
            (sum >> 8).clamp(0, 255) as u32
        }
        match self.equation {
            RopEquation::Replace => *source,
            RopEquation::Add => each(|lane| byte(product.0(lane) + product.1(lane))),
            RopEquation::Subtract => each(|lane| byte(product.0(lane) - product.1(lane))),
            RopEquation::ReverseSubtract => each(|lane| byte(product.1(lane) - product.0(lane))),
            RopEquation::Min => each(|lane| source[lane].min(destination[lane])),
            RopEquation::Max => each(|lane| source[lane].max(destination[lane])),
        }
    }
}

/// The unit: where it is set, colours become bytes first, and no floating-point blending takes place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rop {
    /// How the target keeps colours.
    pub format: RopFormat,
    /// Red, green and blue.
    pub rgb: RopChannels,
    /// Alpha.
    pub alpha: RopChannels,
}

impl Rop {
    /// The fragment's bytes as they are.
    pub const REPLACE: Rop =
        Rop { format: RopFormat::Argb8888, rgb: RopChannels::REPLACE, alpha: RopChannels::REPLACE };

    /// The bytes to store for a fragment's bytes.
    ///
    /// ```
    /// use gpuzoo_raster::{Rop, RopChannels, RopEquation, RopFormat};
    /// let half = RopChannels { equation: RopEquation::Add, source: 128, destination: 128 };
    /// let rop = Rop { format: RopFormat::Argb8888, rgb: half, alpha: RopChannels::REPLACE };
    /// assert_eq!(rop.apply([200, 0, 255, 9], [100, 50, 255, 77]), [150, 25, 255, 9]);
    /// ```
    pub fn apply(&self, source: [u8; 4], stored: [u8; 4]) -> [u8; 4] {
        let [packed] = self.apply_lanes(&[u32::from_le_bytes(source)], &[u32::from_le_bytes(stored)]);
        packed.to_le_bytes()
    }

    /// [`apply`](Rop::apply) in lanes.
    #[inline(always)]
    pub(crate) fn apply_lanes<const N: usize>(&self, source: &[u32; N], stored: &[u32; N]) -> [u32; N] {
        let (source, destination) = (bytes(source), self.format.read(stored));
        self.format.store([
            self.rgb.apply(&source[0], &destination[0]),
            self.rgb.apply(&source[1], &destination[1]),
            self.rgb.apply(&source[2], &destination[2]),
            self.alpha.apply(&source[3], &destination[3]),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_by_hand() {
        let channels = |equation| RopChannels { equation, source: 256, destination: 128 };
        // 200 and 100 / 2, then 10 and 100 / 2, then 250 and 200 / 2.
        let table = [
            (RopEquation::Replace, [200, 10, 250]),
            (RopEquation::Add, [250, 60, 255]),
            (RopEquation::Subtract, [150, 0, 150]),
            (RopEquation::ReverseSubtract, [0, 40, 0]),
            (RopEquation::Min, [100, 10, 200]),
            (RopEquation::Max, [200, 100, 250]),
        ];
        for (equation, expected) in table {
            let rop =
                Rop { format: RopFormat::Argb8888, rgb: channels(equation), alpha: RopChannels::REPLACE };
            let got = rop.apply([200, 10, 250, 3], [100, 100, 200, 4]);
            assert_eq!(got, [expected[0], expected[1], expected[2], 3], "{equation:?}");
        }
        // 255 × 511 / 256 is 509: it saturates, and a tenth bit of a factor does not count.
        let over = RopChannels { equation: RopEquation::Add, source: 0x3ff, destination: 0 };
        assert_eq!(over.apply(&[100], &[0]), [199]);
        assert_eq!(over.apply(&[255], &[0]), [255]);
    }

    #[test]
    fn formats_by_hand() {
        let replace = |format| Rop { format, rgb: RopChannels::REPLACE, alpha: RopChannels::REPLACE };
        assert_eq!(replace(RopFormat::Y8).apply([1, 2, 3, 4], [0; 4]), [3, 3, 3, 255]);
        // 0b10101_111 keeps 10101, shown as 10101_101; 0b101010_11 keeps 101010, shown as 101010_10.
        let shown = replace(RopFormat::Rgb565).apply([0b10101111, 0b10101011, 255, 0], [0; 4]);
        assert_eq!(shown, [0b10101101, 0b10101010, 255, 255]);
        // Bits that are dropped do not show through zeros of the upper ones.
        let shown = replace(RopFormat::Rgb565).apply([0b01000111, 0b01000011, 0b01000111, 0], [0; 4]);
        assert_eq!(shown, [0b01000010, 0b01000001, 0b01000010, 255]);
        // White comes back as (31, 63, 31), of which 11000, 111100 and 11000 are kept.
        let add = RopChannels { equation: RopEquation::Add, source: 0, destination: 256 };
        let rop = Rop { format: RopFormat::Rgb565, rgb: add, alpha: add };
        assert_eq!(rop.apply([0; 4], [255; 4]), [24, 60, 24, 255]);
    }
}

//! A raster operation unit that blends integers: bytes times 9-bit factors, of which 256 is one.

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
    /// What blending gets of a stored colour.
    fn read(self, [r, g, b, a]: [u8; 4]) -> [u8; 4] {
        match self {
            RopFormat::Y8 => [b, b, b, 255],
            RopFormat::Rgb565 => [r >> 3, g >> 2, b >> 3, 255],
            RopFormat::Argb8888 => [r, g, b, a],
        }
    }

    /// A colour as the target shows it once it has been stored.
    fn store(self, [r, g, b, a]: [u8; 4]) -> [u8; 4] {
        match self {
            RopFormat::Y8 => [b, b, b, 255],
            // The upper bits again below, so that white is white.
            RopFormat::Rgb565 => [r & 0xf8 | r >> 5, g & 0xfc | g >> 6, b & 0xf8 | b >> 5, 255],
            RopFormat::Argb8888 => [r, g, b, a],
        }
    }
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

    fn apply(self, source: u8, destination: u8) -> u8 {
        let product = |color: u8, factor: u16| i32::from(color) * i32::from(factor & 0x1ff);
        let (s, d) = (product(source, self.source), product(destination, self.destination));
        let sum = match self.equation {
            RopEquation::Replace => return source,
            RopEquation::Add => s + d,
            RopEquation::Subtract => s - d,
            RopEquation::ReverseSubtract => d - s,
            RopEquation::Min => return source.min(destination),
            RopEquation::Max => return source.max(destination),
        };
        (sum >> 8).clamp(0, 255) as u8
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
    /// The bytes to store for a fragment's bytes.
    ///
    /// ```
    /// use gpuzoo_raster::{Rop, RopChannels, RopEquation, RopFormat};
    /// let half = RopChannels { equation: RopEquation::Add, source: 128, destination: 128 };
    /// let rop = Rop { format: RopFormat::Argb8888, rgb: half, alpha: RopChannels::REPLACE };
    /// assert_eq!(rop.apply([200, 0, 255, 9], [100, 50, 255, 77]), [150, 25, 255, 9]);
    /// ```
    pub fn apply(&self, source: [u8; 4], stored: [u8; 4]) -> [u8; 4] {
        let destination = self.format.read(stored);
        let channels = [self.rgb, self.rgb, self.rgb, self.alpha];
        self.format.store(std::array::from_fn(|component| {
            channels[component].apply(source[component], destination[component])
        }))
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
        assert_eq!(over.apply(100, 0), 199);
        assert_eq!(over.apply(255, 0), 255);
    }

    #[test]
    fn formats_by_hand() {
        let replace = |format| Rop { format, rgb: RopChannels::REPLACE, alpha: RopChannels::REPLACE };
        assert_eq!(replace(RopFormat::Y8).apply([1, 2, 3, 4], [0; 4]), [3, 3, 3, 255]);
        // 0b10101_111 keeps 10101, shown as 10101_101; 0b101010_11 keeps 101010, shown as 101010_10.
        let shown = replace(RopFormat::Rgb565).apply([0b10101111, 0b10101011, 255, 0], [0; 4]);
        assert_eq!(shown, [0b10101101, 0b10101010, 255, 255]);
        // White comes back as (31, 63, 31), of which 11000, 111100 and 11000 are kept.
        let add = RopChannels { equation: RopEquation::Add, source: 0, destination: 256 };
        let rop = Rop { format: RopFormat::Rgb565, rgb: add, alpha: add };
        assert_eq!(rop.apply([0; 4], [255; 4]), [24, 60, 24, 255]);
    }
}

//! Texture formats: bytes to texels, and pictures to bytes.
//!
//! Decoding gives the value of the bits, rounded once: a 5-bit channel is value / 31, and a colour between two others
//! is computed from their exact fractions. Encoding rounds to the nearest value of the format.

mod blocks;
mod packed;
mod planes;

use crate::image::Image;
use crate::size::{SizeError, checked_len, collected};
use crate::texture::{Level, Texels};
use std::fmt;

/// How texels are laid out in bytes. Words of more than a byte have their low byte first, rows start at the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// 16 bits: R in 15..11, G in 10..5, B in 4..0. Opaque.
    Rgb565,
    /// 16 bits: A in 15..12, R in 11..8, G in 7..4, B in 3..0.
    Argb4444,
    /// The bytes R, G, B, A.
    Rgba8888,
    /// Blocks of 4 × 4 in 8 bytes: two 5-6-5 colours and 2 bits per texel. If the first colour is larger as a number,
    /// the others are a third and two thirds between; else the third is half way and the fourth transparent black.
    Bc1,
    /// Blocks of 4 × 4 in 16 bytes: 4 bits of alpha per texel, then colours as in [`Format::Bc1`] and always with two
    /// between.
    Bc2,
    /// A plane of brightness, then two planes of half the width and height: the first blue, the second red, both around
    /// 128. With B and R less 128: red is Y + 45 R / 32, green Y - (11 B + 23 R) / 32, blue Y + 113 B / 64, all over
    ///      255. Opaque. Each texel takes the colour of the 2 × 2 square that it is in. Width and height must be even.
    Yuv420,
}

/// Why bytes and a size do not make a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodecError {
    /// The size itself.
    Size(SizeError),
    /// The format needs even sides.
    Odd {
        /// The width that was asked for.
        width: u32,
        /// The height.
        height: u32,
    },
    /// The number of bytes does not fit the size.
    Length {
        /// The bytes that the size takes.
        expected: usize,
        /// Those that there are.
        found: usize,
    },
}

impl fmt::Display for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CodecError::Size(error) => error.fmt(f),
            CodecError::Odd { width, height } => {
                write!(f, "width and height must be even in this format, not {width} × {height}")
            }
            CodecError::Length { expected, found } => {
                write!(f, "the size takes {expected} bytes, not {found}")
            }
        }
    }
}

impl std::error::Error for CodecError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            CodecError::Size(error) => Some(error),
            _ => None,
        }
    }
}

impl From<SizeError> for CodecError {
    fn from(error: SizeError) -> CodecError {
        CodecError::Size(error)
    }
}

impl Format {
    /// The bytes that a texture of this size takes. Blocks that the size fills only in part count in full.
    ///
    /// # Errors
    /// [`CodecError::Size`] if the size is empty or its decoded texels would be over the limits; [`CodecError::Odd`].
    pub fn byte_len(self, width: u32, height: u32) -> Result<usize, CodecError> {
        let texels = checked_len(width, height, self.texel_bytes())?;
        let blocks = width.div_ceil(4) as usize * height.div_ceil(4) as usize;
        Ok(match self {
            Format::Rgb565 | Format::Argb4444 => texels * 2,
            Format::Rgba8888 => texels * 4,
            Format::Bc1 => blocks * 8,
            Format::Bc2 => blocks * 16,
            Format::Yuv420 if (width | height) & 1 != 0 => {
                return Err(CodecError::Odd { width, height });
            }
            Format::Yuv420 => texels + texels / 2,
        })
    }

    /// The bytes that a texel takes once it is decoded.
    pub fn texel_bytes(self) -> usize {
        match self {
            Format::Rgba8888 | Format::Yuv420 => 4,
            Format::Rgb565 | Format::Argb4444 | Format::Bc1 | Format::Bc2 => 16,
        }
    }

    /// The texels of some bytes.
    ///
    /// # Errors
    /// As for [`Format::byte_len`], and [`CodecError::Length`] if there are more or fewer bytes than that.
    ///
    /// ```
    /// use gpuzoo_raster::Format;
    /// let level = Format::Rgb565.decode(2, 1, &[0x1f, 0xf8, 0x00, 0x00])?;
    /// assert_eq!(level.get(0, 0), Some([1.0, 0.0, 1.0, 1.0]));
    /// # Ok::<(), gpuzoo_raster::CodecError>(())
    /// ```
    pub fn decode(self, width: u32, height: u32, bytes: &[u8]) -> Result<Level, CodecError> {
        let expected = self.byte_len(width, height)?;
        if bytes.len() != expected {
            return Err(CodecError::Length { expected, found: bytes.len() });
        }
        let texels = match self {
            Format::Rgb565 => Texels::Float(packed::decode(bytes, packed::rgb565)?),
            Format::Argb4444 => Texels::Float(packed::decode(bytes, packed::argb4444)?),
            Format::Rgba8888 => {
                Texels::Rgba8(collected(bytes.len() / 4, bytes.as_chunks().0.iter().copied())?)
            }
            Format::Bc1 => Texels::Float(blocks::decode(width, height, bytes, blocks::bc1)?),
            Format::Bc2 => Texels::Float(blocks::decode(width, height, bytes, blocks::bc2)?),
            Format::Yuv420 => Texels::Rgba8(planes::decode(width, height, bytes)?),
        };
        Ok(Level::new(width, height, texels)?)
    }

    /// The bytes of a picture, as nearly as the format can.
    ///
    /// Block formats take their two colours from the ends of the line along which a block's colours vary most. An alpha
    /// below 128 makes a texel of [`Format::Bc1`] transparent black.
    ///
    /// # Errors
    /// As for [`Format::byte_len`].
    pub fn encode(self, image: &Image) -> Result<Vec<u8>, CodecError> {
        self.byte_len(image.width(), image.height())?;
        Ok(match self {
            Format::Rgb565 => packed::encode(image, packed::to_rgb565)?,
            Format::Argb4444 => packed::encode(image, packed::to_argb4444)?,
            Format::Rgba8888 => collected(image.bytes().len(), image.bytes().iter().copied())?,
            Format::Bc1 => blocks::encode(image, blocks::to_bc1)?,
            Format::Bc2 => blocks::encode(image, blocks::to_bc2)?,
            Format::Yuv420 => planes::encode(image)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Format; 6] =
        [Format::Rgb565, Format::Argb4444, Format::Rgba8888, Format::Bc1, Format::Bc2, Format::Yuv420];

    /// Bytes where a texel has them, single precision otherwise.
    #[test]
    fn texels_take_bytes_or_singles() {
        assert_eq!(ALL.map(Format::texel_bytes), [16, 16, 4, 16, 16, 4]);
    }

    #[test]
    fn lengths() {
        let table = [(8, 6, [96, 96, 192, 32, 64, 72]), (2, 2, [8, 8, 16, 8, 16, 6])];
        for (width, height, expected) in table {
            for (format, expected) in ALL.into_iter().zip(expected) {
                assert_eq!(format.byte_len(width, height), Ok(expected), "{format:?}");
                let image = Image::new(width, height, [9, 99, 199, 255]).unwrap();
                assert_eq!(format.encode(&image).unwrap().len(), expected);
                for found in [0, expected - 1, expected + 1] {
                    let error = format.decode(width, height, &vec![0; found]);
                    assert_eq!(error, Err(CodecError::Length { expected, found }), "{format:?}");
                }
            }
        }
        assert_eq!(Format::Bc1.byte_len(5, 9), Ok(2 * 3 * 8));
        assert_eq!(Format::Yuv420.byte_len(3, 2), Err(CodecError::Odd { width: 3, height: 2 }));
        for format in ALL {
            assert_eq!(format.byte_len(0, 2), Err(CodecError::Size(SizeError::Empty)));
            let side = SizeError::Side { asked: 16386 };
            assert_eq!(format.byte_len(16386, 2), Err(CodecError::Size(side)));
        }
        assert_eq!(Format::Bc1.byte_len(4096, 4096), Ok(8 << 20));
        assert!(Format::Bc1.byte_len(8192, 4096).is_err());
        assert_eq!(Format::Rgba8888.byte_len(8192, 8192), Ok(crate::MAX_BYTES));
    }

    /// Three squares of a colour that all formats hold, beside each other and below each other.
    #[test]
    fn sides_are_not_exchanged() {
        let colors = [[255, 255, 255, 255], [0, 0, 0, 255], [132, 132, 132, 255]];
        for [width, height] in [[12u32, 4u32], [4, 12]] {
            let at = |i: u32| colors[(if width > height { i % width } else { i / width } / 4) as usize];
            let image = Image::from_pixels(width, height, (0..width * height).map(at).collect()).unwrap();
            for format in ALL {
                let bytes = format.encode(&image).unwrap();
                let decoded = format.decode(width, height, &bytes).unwrap();
                assert_eq!([decoded.width(), decoded.height()], [width, height], "{format:?}");
                for (one, other) in image.pixels().iter().zip(decoded.to_image().pixels()) {
                    let near = one.iter().zip(other).all(|(a, b)| a.abs_diff(*b) <= 4);
                    assert!(near, "{format:?} {width} × {height}: {one:?} {other:?}");
                }
            }
        }
    }

    /// What a format can hold survives encoding.
    #[test]
    fn round_trips() {
        let colors: Vec<[u8; 4]> =
            (0..64).map(|i| [i * 4, 255 - i * 3, i ^ 42, if i % 5 == 0 { 0 } else { 255 }]).collect();
        let image = Image::from_pixels(8, 8, colors).unwrap();
        for format in ALL {
            let once = format.decode(8, 8, &format.encode(&image).unwrap()).unwrap().to_image();
            if format == Format::Rgba8888 {
                assert_eq!(once, image);
            }
            if matches!(format, Format::Rgb565 | Format::Argb4444) {
                let twice = format.decode(8, 8, &format.encode(&once).unwrap()).unwrap().to_image();
                assert_eq!(once, twice, "{format:?}");
            }
        }
    }
}

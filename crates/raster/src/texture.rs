//! Textures: texels in levels of halving size.

use crate::image::Image;
use crate::rules::ColorRounding;
use crate::size::{SizeError, checked_len};
use crate::unorm::{map4, pack, unpack};
use std::fmt;

/// The texels of a level, row by row from the top.
#[derive(Clone, Debug, PartialEq)]
pub enum Texels {
    /// R, G, B, A; a byte is worth byte / 255.
    Rgba8(Vec<[u8; 4]>),
    /// R, G, B, A as they are: for formats whose values are not multiples of 1/255.
    Float(Vec<[f32; 4]>),
}

impl Texels {
    /// The number of texels.
    pub fn len(&self) -> usize {
        match self {
            Texels::Rgba8(texels) => texels.len(),
            Texels::Float(texels) => texels.len(),
        }
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline]
    fn get(&self, index: usize) -> [f32; 4] {
        match self {
            Texels::Rgba8(texels) => unpack(texels[index]),
            Texels::Float(texels) => texels[index],
        }
    }

    /// Four, with one look at their kind.
    #[inline(always)]
    fn get_four(&self, indices: [usize; 4]) -> [[f32; 4]; 4] {
        match self {
            Texels::Rgba8(texels) => map4(indices, |index| unpack(texels[index])),
            Texels::Float(texels) => map4(indices, |index| texels[index]),
        }
    }

    fn texel_bytes(&self) -> usize {
        match self {
            Texels::Rgba8(_) => 4,
            Texels::Float(_) => 16,
        }
    }
}

/// One level of a texture.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    width: u32,
    height: u32,
    texels: Texels,
}

impl Level {
    /// A level from its texels.
    ///
    /// # Errors
    /// [`SizeError`] if a side is 0 or longer than [`MAX_SIDE`](crate::MAX_SIDE), if the texels take more than
    /// [`MAX_BYTES`](crate::MAX_BYTES), or if there
    /// are not `width * height` of them.
    pub fn new(width: u32, height: u32, texels: Texels) -> Result<Level, SizeError> {
        let expected = checked_len(width, height, texels.texel_bytes())?;
        if texels.len() != expected {
            return Err(SizeError::Data { expected, found: texels.len() });
        }
        Ok(Level { width, height, texels })
    }

    /// Texels in a row.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The texels.
    pub fn texels(&self) -> &Texels {
        &self.texels
    }

    /// One texel; `None` outside.
    pub fn get(&self, x: u32, y: u32) -> Option<[f32; 4]> {
        (x < self.width && y < self.height).then(|| self.texel(x, y))
    }

    /// One texel, which must be inside.
    #[inline]
    pub(crate) fn texel(&self, x: u32, y: u32) -> [f32; 4] {
        self.texels.get(y as usize * self.width as usize + x as usize)
    }
}

impl Level {
    /// The texels of two columns and two rows, which must be inside: the upper two, then the lower two.
    #[inline(always)]
    pub(crate) fn square(&self, columns: [u32; 2], rows: [u32; 2]) -> [[f32; 4]; 4] {
        let (left, right) = (columns[0] as usize, columns[1] as usize);
        let width = self.width as usize;
        let (top, bottom) = (rows[0] as usize * width, rows[1] as usize * width);
        self.texels.get_four([top + left, top + right, bottom + left, bottom + right])
    }
}

/// Why levels do not make a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelsError {
    /// There are none.
    None,
    /// A level does not have half the sides of the one before, rounded down but at least 1.
    Size {
        /// Which level.
        level: usize,
        /// The width and height that it should have.
        expected: [u32; 2],
        /// Those that it has.
        found: [u32; 2],
    },
}

impl fmt::Display for LevelsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LevelsError::None => write!(f, "a texture needs at least one level"),
            LevelsError::Size { level, expected: [w, h], found: [width, height] } => {
                write!(f, "level {level} must be {w} × {h}, not {width} × {height}")
            }
        }
    }
}

impl std::error::Error for LevelsError {}

/// A texture: at least one level.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    levels: Vec<Level>,
}

impl Texture {
    /// A texture of several levels, the largest first.
    ///
    /// # Errors
    /// [`LevelsError`] if there is none, or if one does not have half the sides of the one before.
    pub fn new(levels: Vec<Level>) -> Result<Texture, LevelsError> {
        if levels.is_empty() {
            return Err(LevelsError::None);
        }
        for (level, pair) in (1..).zip(levels.windows(2)) {
            let expected = [pair[0].width, pair[0].height].map(|side| (side / 2).max(1));
            let found = [pair[1].width, pair[1].height];
            if found != expected {
                return Err(LevelsError::Size { level, expected, found });
            }
        }
        Ok(Texture { levels })
    }

    /// The levels, the largest first.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The number of the smallest level.
    pub(crate) fn last(&self) -> u32 {
        self.levels.len() as u32 - 1
    }

    /// The largest level.
    pub fn base(&self) -> &Level {
        &self.levels[0]
    }
}

impl From<Level> for Texture {
    fn from(level: Level) -> Texture {
        Texture { levels: vec![level] }
    }
}

impl From<Image> for Level {
    fn from(image: Image) -> Level {
        let (width, height) = (image.width(), image.height());
        Level { width, height, texels: Texels::Rgba8(image.into_pixels()) }
    }
}

impl Level {
    /// The level as a picture: clamped to 0 to 1 and rounded to the nearest byte.
    pub fn to_image(&self) -> Image {
        let pixels = match &self.texels {
            Texels::Rgba8(texels) => texels.clone(),
            Texels::Float(texels) => {
                texels.iter().map(|&texel| pack(texel, ColorRounding::Nearest)).collect()
            }
        };
        Image::of_checked(self.width, self.height, pixels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(width: u32, height: u32) -> Level {
        Level::new(width, height, Texels::Rgba8(vec![[0; 4]; (width * height) as usize])).unwrap()
    }

    #[test]
    fn levels_halve() {
        assert_eq!(Texture::new(vec![]), Err(LevelsError::None));
        assert!(Texture::new(vec![level(5, 2), level(2, 1), level(1, 1)]).is_ok());
        let wrong = LevelsError::Size { level: 2, expected: [1, 1], found: [2, 1] };
        assert_eq!(Texture::new(vec![level(5, 2), level(2, 1), level(2, 1)]), Err(wrong));
    }

    #[test]
    fn sizes() {
        assert_eq!(Level::new(0, 4, Texels::Rgba8(vec![])), Err(SizeError::Empty));
        let short = Level::new(2, 2, Texels::Float(vec![[0.0; 4]; 3]));
        assert_eq!(short, Err(SizeError::Data { expected: 4, found: 3 }));
        // Floats take four times the bytes: 4096 × 4096 is the largest square.
        let over = Level::new(4096, 4097, Texels::Float(vec![]));
        assert_eq!(over, Err(SizeError::Bytes { asked: 4096 * 4097 * 16 }));
        let texels = Texels::Float(vec![[0.0, 0.5, 2.0, f32::NAN]]);
        assert_eq!(Level::new(1, 1, texels).unwrap().to_image().pixels(), [[0, 128, 255, 0]]);
    }
}

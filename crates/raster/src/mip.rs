//! Levels of detail: making the smaller ones, and choosing between them.

use crate::round::cut;
use crate::sampler::{Sampler, mix};
use crate::size::{SizeError, collected};
use crate::texture::{Level, Texels, Texture};

/// How a level of detail, a number, becomes a level of the texture. Numbers outside the levels count as the nearest
/// end, NaN as 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MipFilter {
    /// Always the largest level.
    Base,
    /// The nearest level; half way goes to the larger one.
    Nearest,
    /// The next smaller level.
    Ceiling,
    /// Both levels around, each in proportion to its nearness.
    Linear,
}

impl MipFilter {
    /// The level or levels that a level of detail names in a texture whose last level is `last`, and how far it is from
    /// the first to the second.
    #[inline(always)]
    pub(crate) fn levels(self, detail: f32, last: u32) -> ([u32; 2], f32) {
        // `max` gives the operand that is a number.
        let detail = detail.max(0.0).min(last as f32);
        let whole = cut(detail);
        let rest = detail - whole as i32 as f32;
        match self {
            MipFilter::Base => ([0; 2], 0.0),
            MipFilter::Nearest => ([whole + u32::from(rest > 0.5); 2], 0.0),
            MipFilter::Ceiling => ([whole + u32::from(rest > 0.0); 2], 0.0),
            MipFilter::Linear => ([whole, (whole + 1).min(last)], rest),
        }
    }

    /// The level that counts most for a level of detail.
    pub fn level(self, lod: f32, texture: &Texture) -> usize {
        let ([near, far], rest) = self.levels(lod, texture.last());
        (if rest > 0.5 { far } else { near }) as usize
    }
}

impl Sampler {
    /// The colour at (s, t) for a level of detail: 0 is the largest level, 1 half its size.
    ///
    /// ```
    /// use gpuzoo_raster::{Filter, Level, MipFilter, Sampler, Texels, Texture, Wrap};
    /// let texels = vec![[0, 0, 0, 255], [255, 0, 0, 255]];
    /// let texture = Texture::from(Level::new(2, 1, Texels::Rgba8(texels))?).with_mipmaps()?;
    /// let sampler = Sampler { filter: Filter::Nearest, wrap: [Wrap::Clamp; 2] };
    /// assert_eq!(sampler.sample_lod(&texture, [0.0, 0.0], 0.5, MipFilter::Nearest)[0], 0.0);
    /// assert_eq!(sampler.sample_lod(&texture, [0.0, 0.0], 0.5, MipFilter::Ceiling)[0], 128.0 / 255.0);
    /// # Ok::<(), gpuzoo_raster::SizeError>(())
    /// ```
    #[inline]
    pub fn sample_lod(&self, texture: &Texture, at: [f32; 2], lod: f32, mips: MipFilter) -> [f32; 4] {
        let levels = texture.levels();
        let ([near, far], rest) = mips.levels(lod, texture.last());
        let first = self.sample_level(&levels[near as usize], at);
        if rest == 0.0 {
            return first;
        }
        let second = self.sample_level(&levels[far as usize], at);
        mix(first, second, rest)
    }
}

impl Texture {
    /// The texture's largest level and all smaller ones made from it, down to one texel, by a box filter: each texel is
    /// the mean of the area that it covers in the level before.
    ///
    /// # Errors
    /// [`SizeError::Memory`] if there is no memory for them.
    pub fn with_mipmaps(&self) -> Result<Texture, SizeError> {
        let base = self.base();
        let texels = match base.texels() {
            Texels::Rgba8(texels) => Texels::Rgba8(collected(texels.len(), texels.iter().copied())?),
            Texels::Float(texels) => Texels::Float(collected(texels.len(), texels.iter().copied())?),
        };
        let mut level = Level::new(base.width(), base.height(), texels)?;
        let mut levels = Vec::new();
        while let Some(next) = shrink(&level)? {
            levels.push(std::mem::replace(&mut level, next));
        }
        levels.push(level);
        // Each level has half the sides of the one before, so that this does not fail.
        Ok(Texture::new(levels).unwrap_or_else(|_| self.clone()))
    }
}

/// The texels of an axis of `size` that texel `index` of the next level covers, with their weights in it. Of an odd
/// size each covers two and a bit.
fn taps(size: u32, index: u32) -> [(u32, u64); 3] {
    let (half, first) = (u64::from(size / 2), 2 * index);
    match size {
        1 => [(0, 1), (0, 0), (0, 0)],
        _ if size.is_multiple_of(2) => [(first, 1), (first + 1, 1), (first, 0)],
        _ => [(first, half - u64::from(index)), (first + 1, half), (first + 2, u64::from(index) + 1)],
    }
}

/// The next smaller level; none for a single texel.
fn shrink(level: &Level) -> Result<Option<Level>, SizeError> {
    let (width, height) = (level.width(), level.height());
    if (width, height) == (1, 1) {
        return Ok(None);
    }
    let smaller = [(width / 2).max(1), (height / 2).max(1)];
    let count = smaller[0] as usize * smaller[1] as usize;
    let places =
        (0..smaller[1]).flat_map(|y| (0..smaller[0]).map(move |x| (taps(width, x), taps(height, y))));
    let at = |x: u32, y: u32| y as usize * width as usize + x as usize;
    let texels = match level.texels() {
        Texels::Rgba8(texels) => Texels::Rgba8(collected(
            count,
            places.map(|(columns, rows)| {
                let (mut sums, mut total) = ([0; 4], 0);
                for_each(columns, rows, |x, y, weight| {
                    total += weight;
                    let texel = texels[at(x, y)];
                    sums.iter_mut().zip(texel).for_each(|(sum, byte)| *sum += weight * u64::from(byte));
                });
                sums.map(|sum| ((sum + total / 2) / total) as u8)
            }),
        )?),
        Texels::Float(texels) => Texels::Float(collected(
            count,
            places.map(|(columns, rows)| {
                let (mut sums, mut total) = ([0.0; 4], 0);
                for_each(columns, rows, |x, y, weight| {
                    total += weight;
                    let texel = texels[at(x, y)];
                    sums.iter_mut()
                        .zip(texel)
                        .for_each(|(sum, component)| *sum += weight as f64 * f64::from(component));
                });
                sums.map(|sum: f64| (sum / total as f64) as f32)
            }),
        )?),
    };
    Level::new(smaller[0], smaller[1], texels).map(Some)
}

fn for_each(columns: [(u32, u64); 3], rows: [(u32, u64); 3], mut each: impl FnMut(u32, u32, u64)) {
    for (y, down) in rows.into_iter().filter(|(_, weight)| *weight > 0) {
        for (x, across) in columns.into_iter().filter(|(_, weight)| *weight > 0) {
            each(x, y, across * down);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampler::{Filter, Wrap};

    fn grey(width: u32, height: u32, bytes: &[u8]) -> Texture {
        let texels = bytes.iter().map(|&byte| [byte, 0, 255, byte]).collect();
        Level::new(width, height, Texels::Rgba8(texels)).unwrap().into()
    }

    fn reds(texture: &Texture, level: usize) -> Vec<u8> {
        texture.levels()[level].to_image().pixels().iter().map(|pixel| pixel[0]).collect()
    }

    #[test]
    fn boxes_by_hand() {
        let texture = grey(4, 2, &[0, 10, 20, 30, 100, 110, 121, 130]).with_mipmaps().unwrap();
        // (0 + 10 + 100 + 110) / 4 = 55, (20 + 30 + 121 + 130) / 4 = 75.25; then (55 + 75) / 2.
        assert_eq!([reds(&texture, 1), reds(&texture, 2)], [vec![55, 75], vec![65]]);
        assert_eq!(texture.levels().len(), 3);
        // Halves round up: (0 + 1) / 2.
        assert_eq!(reds(&grey(1, 2, &[0, 1]).with_mipmaps().unwrap(), 1), [1]);
        // Of five texels each half covers two and a half: (2a + 2b + c) / 5 and (c + 2d + 2e) / 5.
        let five = grey(5, 1, &[10, 20, 50, 80, 90]).with_mipmaps().unwrap();
        assert_eq!(reds(&five, 1), [22, 78]);
        assert_eq!(reds(&five, 2), [50]);
        assert_eq!(grey(1, 1, &[7]).with_mipmaps().unwrap().levels().len(), 1);
    }

    #[test]
    fn floats_are_not_rounded_to_bytes() {
        let texels = Texels::Float(vec![[0.25; 4], [1.0e-3; 4], [-4.0; 4]]);
        let texture = Texture::from(Level::new(3, 1, texels).unwrap()).with_mipmaps().unwrap();
        assert_eq!(
            texture.levels()[1].get(0, 0).unwrap()[0],
            ((0.25 + f64::from(1.0e-3f32) - 4.0) / 3.0) as f32
        );
    }

    /// A texture whose level l is l everywhere.
    fn numbered() -> Texture {
        let level = |index: u32| {
            let side = 8 >> index;
            Level::new(side, side, Texels::Float(vec![[index as f32; 4]; (side * side) as usize])).unwrap()
        };
        Texture::new((0..4).map(level).collect()).unwrap()
    }

    #[test]
    fn levels_by_hand() {
        let sampler = Sampler { filter: Filter::Nearest, wrap: [Wrap::Repeat; 2] };
        let texture = numbered();
        // Half way between two levels the larger one counts.
        let most = [f32::NAN, 0.25, 0.5, 0.75, 1.5, 9.0].map(|lod| MipFilter::Linear.level(lod, &texture));
        assert_eq!(most, [0, 0, 0, 1, 1, 3]);
        // For each level of detail: base, nearest, ceiling, linear.
        let table = [
            (f32::NEG_INFINITY, [0.0; 4]),
            (f32::NAN, [0.0; 4]),
            (0.0, [0.0; 4]),
            (0.25, [0.0, 0.0, 1.0, 0.25]),
            (0.5, [0.0, 0.0, 1.0, 0.5]),
            (0.75, [0.0, 1.0, 1.0, 0.75]),
            (1.0, [0.0, 1.0, 1.0, 1.0]),
            (2.625, [0.0, 3.0, 3.0, 2.625]),
            (3.0, [0.0, 3.0, 3.0, 3.0]),
            (99.0, [0.0, 3.0, 3.0, 3.0]),
            (f32::INFINITY, [0.0, 3.0, 3.0, 3.0]),
        ];
        let filters = [MipFilter::Base, MipFilter::Nearest, MipFilter::Ceiling, MipFilter::Linear];
        for (lod, expected) in table {
            let got = filters.map(|mips| sampler.sample_lod(&texture, [0.3, 0.6], lod, mips)[0]);
            assert_eq!(got, expected, "{lod}");
        }
        // A texture may go on with levels of one texel.
        let ones = (0..300).map(|number| Level::new(1, 1, Texels::Float(vec![[number as f32; 4]])).unwrap());
        let ones = Texture::new(ones.collect()).unwrap();
        for number in [254.0, 255.0, 256.0, 280.0, 299.0] {
            assert_eq!(sampler.sample_lod(&ones, [0.5; 2], number, MipFilter::Nearest)[0], number);
        }
        assert_eq!(filters.map(|mips| mips.level(1.75, &texture)), [0, 2, 2, 2]);
    }
}

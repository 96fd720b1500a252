//! Reading a texture between its texels.
//!
//! (0, 0) is the top-left corner of the first texel and (1, 1) the bottom-right corner of the last, so texel i is
//! centred at (i + ½) / size. Filtering weighs with the exact fractions, in single precision.
//!
//! Every coordinate has a result. When clamping, NaN counts as 0 and infinities as the borders. When repeating or
//! mirroring, what is not finite counts as 0; so does what is beyond 2^25, where all single-precision numbers are even,
//! which is no different from what the rule gives.

use crate::round::{below, integer, nearest_single, whole};
use crate::texture::{Level, Texture};

/// How a colour is made from texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// The texel that the coordinate lies in.
    Nearest,
    /// The four texels around the coordinate, each in proportion to its nearness.
    Linear,
}

/// What lies beyond the border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrap {
    /// The texel at the border.
    Clamp,
    /// The texture again.
    Repeat,
    /// The texture again, every second time mirrored.
    Mirror,
}

impl Wrap {
    /// The place on an axis as a part of its length, within 0 to 1.
    #[inline(always)]
    fn part(self, coordinate: f32) -> f64 {
        match self {
            // `max` gives the operand that is a number.
            Wrap::Clamp => f64::from(coordinate.max(0.0).min(1.0)),
            Wrap::Repeat => fraction(coordinate),
            Wrap::Mirror => {
                let phase = 2.0 * fraction(coordinate * 0.5);
                if phase <= 1.0 { phase } else { 2.0 - phase }
            }
        }
    }

    /// The texel at an index that may be one past either end.
    #[inline(always)]
    fn texel(self, index: i32, size: u32) -> u32 {
        let last = size as i32 - 1;
        match self {
            Wrap::Repeat => {
                let index = if index < 0 { last } else { index };
                (if index > last { 0 } else { index }) as u32
            }
            // A mirror repeats its border texel.
            Wrap::Clamp | Wrap::Mirror => index.max(0).min(last) as u32,
        }
    }
}

/// What is after the point, in 0 to 1; 0 for what is not finite.
#[inline(always)]
fn fraction(value: f32) -> f64 {
    // A choice of numbers, not of ways, so that lanes go side by side.
    let value = f64::from(if value.abs() < 16_777_216.0 { value } else { 0.0 });
    value - below(value)
}

/// How a texture is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampler {
    /// Between texels.
    pub filter: Filter,
    /// Beyond the borders, for s (columns) and t (rows).
    pub wrap: [Wrap; 2],
}

impl Sampler {
    /// The colour at (s, t), from the largest level.
    ///
    /// ```
    /// use gpuzoo_raster::{Filter, Level, Sampler, Texels, Texture, Wrap};
    /// let texels = vec![[0, 0, 0, 255], [255, 0, 0, 255]];
    /// let texture = Texture::from(Level::new(2, 1, Texels::Rgba8(texels))?);
    /// let sampler = Sampler { filter: Filter::Linear, wrap: [Wrap::Clamp; 2] };
    /// assert_eq!(sampler.sample(&texture, [0.5, 0.5]), [0.5, 0.0, 0.0, 1.0]);
    /// # Ok::<(), gpuzoo_raster::SizeError>(())
    /// ```
    #[inline]
    pub fn sample(&self, texture: &Texture, at: [f32; 2]) -> [f32; 4] {
        self.sample_level(texture.base(), at)
    }

    /// The colour at (s, t) of one level.
    #[inline(always)]
    pub(crate) fn sample_level(&self, level: &Level, [s, t]: [f32; 2]) -> [f32; 4] {
        let ([columns, rows], (width, height)) = (self.wrap, (level.width(), level.height()));
        match self.filter {
            Filter::Nearest => level.texel(columns.nearest(s, width), rows.nearest(t, height)),
            Filter::Linear => {
                let (columns, across) = columns.neighbours(s, width);
                let (rows, down) = rows.neighbours(t, height);
                let [a, b, c, d] = level.square(columns, rows);
                mix(mix(a, b, across), mix(c, d, across), down)
            }
        }
    }
}

impl Wrap {
    /// The texel that a coordinate is in, on an axis of `size` texels.
    #[inline(always)]
    pub(crate) fn nearest(self, coordinate: f32, size: u32) -> u32 {
        (integer(below(self.part(coordinate) * f64::from(size))) as u32).min(size - 1)
    }

    /// The texels whose centres are before and after a coordinate, and how far it is from the first to the second.
    #[inline(always)]
    pub(crate) fn neighbours(self, coordinate: f32, size: u32) -> ([u32; 2], f32) {
        // One texel further, so that rounding goes down.
        let shifted = self.part(coordinate) * f64::from(size) + 0.5;
        let whole = below(shifted);
        let number = integer(whole);
        ([self.texel(number - 1, size), self.texel(number, size)], (shifted - whole) as f32)
    }
}

/// The same on axes whose size is a power of two. A product with that is exact, and so are differences from the nearest
/// whole number: single precision is enough. Places are meant modulo the size where the texture repeats.
impl Wrap {
    /// The place on an axis in texels.
    #[inline(always)]
    fn place(self, coordinate: f32, size: u32) -> f32 {
        let part = match self {
            Wrap::Clamp => coordinate.max(0.0).min(1.0),
            Wrap::Repeat => offset(coordinate),
            Wrap::Mirror => 2.0 * offset(coordinate * 0.5).abs(),
        };
        part * size as f32
    }

    /// The texel of a number that is not above the size.
    #[inline(always)]
    fn texel_of_binary(self, number: i32, size: u32) -> u32 {
        match self {
            Wrap::Repeat => number as u32 & (size - 1),
            Wrap::Clamp | Wrap::Mirror => number.max(0).min(size as i32 - 1) as u32,
        }
    }

    /// [`nearest`](Wrap::nearest).
    #[inline(always)]
    pub(crate) fn nearest_of_binary(self, coordinate: f32, size: u32) -> u32 {
        let place = self.place(coordinate, size);
        let (number, near) = nearest_single(place);
        self.texel_of_binary(number - i32::from(near > place), size)
    }

    /// True for coordinates so little below 0 that their distance from −1 is rounded in double precision. The quick formula does
    /// not round it, and may differ in the last bit.
    #[inline(always)]
    pub(crate) fn is_rounded(self, coordinate: f32) -> bool {
        const LEAST: f32 = -1.0 / (1 << 28) as f32;
        self != Wrap::Clamp && (coordinate > LEAST) & (coordinate < 0.0)
    }

    /// [`neighbours`](Wrap::neighbours), of a coordinate that is not [rounded](Wrap::is_rounded).
    #[inline(always)]
    pub(crate) fn neighbours_of_binary(self, coordinate: f32, size: u32) -> ([u32; 2], f32) {
        let place = self.place(coordinate, size);
        let (number, near) = nearest_single(place);
        let rest = place - near;
        // Half way belongs to the next.
        let (number, rest) = (number + i32::from(rest >= 0.5), rest - if rest >= 0.5 { 1.0 } else { 0.0 });
        ([self.texel_of_binary(number - 1, size), self.texel_of_binary(number, size)], rest + 0.5)
    }
}

/// How far a number is from the nearest whole one, from −½ to ½; 0 for what is not finite. It is exact.
#[inline(always)]
fn offset(value: f32) -> f32 {
    // From 2²³ on all numbers are whole.
    let value = if value.abs() < 8_388_608.0 { value } else { 0.0 };
    value - whole(value)
}

/// From one number to another, by a part of the way.
#[inline(always)]
pub(crate) fn between(a: f32, b: f32, part: f32) -> f32 {
    a + part * (b - a)
}

#[inline(always)]
pub(crate) fn mix(a: [f32; 4], b: [f32; 4], t: f32) -> [f32; 4] {
    // Written out: an array's `map` is not always inlined.
    let component = |component: usize| between(a[component], b[component], t);
    [component(0), component(1), component(2), component(3)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texture::Texels;

    /// Four texels in a row, 0 to 3.
    fn row() -> Texture {
        Level::new(4, 1, Texels::Float((0..4).map(|x| [x as f32; 4]).collect())).unwrap().into()
    }

    fn sample(filter: Filter, wrap: Wrap, s: f32) -> f32 {
        Sampler { filter, wrap: [wrap; 2] }.sample(&row(), [s, 0.5])[0]
    }

    #[test]
    fn by_hand() {
        // Coordinates in eighths: texel centres are odd, borders even.
        let table = [
            (
                Filter::Nearest,
                Wrap::Clamp,
                [(-1, 0.0), (0, 0.0), (1, 0.0), (2, 1.0), (7, 3.0), (8, 3.0), (11, 3.0)],
            ),
            (
                Filter::Nearest,
                Wrap::Repeat,
                [(-1, 3.0), (-8, 0.0), (8, 0.0), (11, 1.0), (2, 1.0), (-3, 2.0), (15, 3.0)],
            ),
            (
                Filter::Nearest,
                Wrap::Mirror,
                [(-1, 0.0), (-3, 1.0), (8, 3.0), (9, 3.0), (11, 2.0), (15, 0.0), (17, 0.0)],
            ),
            (
                Filter::Linear,
                Wrap::Clamp,
                [(0, 0.0), (1, 0.0), (2, 0.5), (3, 1.0), (8, 3.0), (20, 3.0), (-5, 0.0)],
            ),
            (
                Filter::Linear,
                Wrap::Repeat,
                [(0, 1.5), (8, 1.5), (-8, 1.5), (1, 0.0), (10, 0.5), (-2, 2.5), (7, 3.0)],
            ),
            (
                Filter::Linear,
                Wrap::Mirror,
                [(0, 0.0), (8, 3.0), (-2, 0.5), (10, 2.5), (16, 0.0), (14, 0.5), (9, 3.0)],
            ),
        ];
        for (filter, wrap, cases) in table {
            for (eighths, expected) in cases {
                let got = sample(filter, wrap, eighths as f32 / 8.0);
                assert_eq!(got, expected, "{filter:?} {wrap:?} at {eighths}/8");
            }
        }
    }

    /// NaN is 0 everywhere, infinities are the borders or 0.
    #[test]
    fn what_is_not_finite() {
        for (filter, clamped, repeated) in [(Filter::Nearest, 3.0, 0.0), (Filter::Linear, 3.0, 1.5)] {
            let at = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
            assert_eq!(at.map(|s| sample(filter, Wrap::Clamp, s)), [0.0, clamped, 0.0]);
            assert_eq!(at.map(|s| sample(filter, Wrap::Repeat, s)), [repeated; 3]);
            assert_eq!(at.map(|s| sample(filter, Wrap::Mirror, s)), [0.0; 3]);
        }
    }

    /// Where the size is a power of two, the quick formulas are the others, bit for bit: coordinates of all exponents and
    /// signs, those around whole numbers, halves and texels' borders among them.
    #[test]
    fn powers_of_two_need_no_double_precision() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 32) as u32
        };
        for round in 0..100_000 {
            let size = 1 << (random() % 15);
            let near = (random() % 4096) as f32 / (2 * size) as f32 - 3.0;
            let coordinate = match round % 3 {
                0 => f32::from_bits(random()),
                1 => near,
                _ => f32::from_bits(near.to_bits().wrapping_add(random() % 5).wrapping_sub(2)),
            };
            for wrap in [Wrap::Clamp, Wrap::Repeat, Wrap::Mirror] {
                let what = (wrap, coordinate, size);
                assert_eq!(
                    wrap.nearest_of_binary(coordinate, size),
                    wrap.nearest(coordinate, size),
                    "{what:?}"
                );
                let usual = wrap.neighbours(coordinate, size);
                let quick = match wrap.is_rounded(coordinate) {
                    true => usual,
                    false => wrap.neighbours_of_binary(coordinate, size),
                };
                assert_eq!((quick.0, quick.1.to_bits()), (usual.0, usual.1.to_bits()), "{what:?}");
            }
        }
    }

    #[test]
    fn odd_coordinates() {
        for filter in [Filter::Nearest, Filter::Linear] {
            for (s, expected) in [(f32::NAN, 0.0), (f32::INFINITY, 3.0), (f32::MIN, 0.0), (1e30, 3.0)] {
                assert_eq!(sample(filter, Wrap::Clamp, s), expected);
            }
            for wrap in [Wrap::Repeat, Wrap::Mirror] {
                for s in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, 33_554_432.0] {
                    assert_eq!(sample(filter, wrap, s), sample(filter, wrap, 0.0), "{s}");
                }
            }
        }
        // An odd whole number is the far end of a mirror, as long as there are odd numbers.
        assert_eq!(sample(Filter::Nearest, Wrap::Mirror, 16_777_215.0), 3.0);
        assert_eq!(sample(Filter::Nearest, Wrap::Mirror, 16_777_216.0), 0.0);
        // A tiny negative number is before the first texel.
        assert_eq!(sample(Filter::Nearest, Wrap::Repeat, -1e-30), 3.0);
        assert_eq!(sample(Filter::Nearest, Wrap::Mirror, -1e-30), 0.0);
        assert_eq!(sample(Filter::Linear, Wrap::Repeat, -1e-30), 1.5);
    }
}

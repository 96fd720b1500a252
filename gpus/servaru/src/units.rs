//! The four texture units (spec section B, items 21 to 24, and section G).

use gpuzoo_engine::bits;
use gpuzoo_ir::arith;
use gpuzoo_raster::{Filter, MipFilter, Sampler, Texture, Wrap};
use gpuzoo_simd::Work;
use gpuzoo_simd::lanes::{GROUP, Mask, any, each, load, mask};
use std::sync::Arc;

/// How many there are.
pub const UNITS: usize = 4;

/// The default of a unit, as in the emulator: bilinear within one level, repeating.
pub const USUAL_SAMPLER: Sampler = Sampler { filter: Filter::Linear, wrap: [Wrap::Repeat; 2] };

/// A texture unit.
#[derive(Clone)]
pub struct Unit {
    /// Its texture; without one every read gives zeros.
    pub texture: Option<Arc<Texture>>,
    /// Within a level.
    pub sampler: Sampler,
    /// Between levels.
    pub mips: MipFilter,
}

impl Unit {
    /// A unit without texture.
    pub const NONE: Unit = Unit { texture: None, sampler: USUAL_SAMPLER, mips: MipFilter::Base };
}

/// All units.
pub struct Units(pub [Unit; UNITS]);

impl Units {
    /// `TEX` and `TXB`: a filtered read at (x, y). `steps` are the differences of (x, y) to the next pixel across and
    /// down.
    pub fn filtered(&self, unit: usize, at: [f32; 4], steps: [[f32; 2]; 2], bias: f32) -> [f32; 4] {
        let Some(Unit { texture: Some(texture), sampler, mips }) = self.0.get(unit) else { return [0.0; 4] };
        let lod = detail(texture, steps, bias);
        sampler.sample_lod(texture, [at[0], at[1]], lod, *mips)
    }

    /// The level that counts most in such a read.
    pub fn level(&self, unit: usize, steps: [[f32; 2]; 2], bias: f32) -> Option<usize> {
        let Some(Unit { texture: Some(texture), mips, .. }) = self.0.get(unit) else { return None };
        Some(mips.level(detail(texture, steps, bias), texture))
    }

    /// `TXF`: texel (⌊x⌋, ⌊y⌋) of level ⌊w⌋; zeros outside.
    pub fn texel(&self, unit: usize, at: [f32; 4]) -> [f32; 4] {
        let Some(Unit { texture: Some(texture), .. }) = self.0.get(unit) else { return [0.0; 4] };
        // `as` takes what is below 0, and NaN, to 0.
        let level = &texture.levels()[(at[3] as usize).min(texture.levels().len() - 1)];
        let index = |place: f32| (place >= 0.0).then_some(place as u32);
        let texel = index(at[0]).zip(index(at[1])).and_then(|(x, y)| level.get(x, y));
        texel.unwrap_or([0.0; 4])
    }
}

/// Many reads at once, in columns: upper rows of quads in the first half of the lanes, and what lies below them in the
/// second.
impl Units {
    /// The levels of detail of filtered reads. `killed` lanes have stopped: a difference with one is 0.
    pub fn details(
        &self,
        unit: usize,
        level: gpuzoo_simd::Level,
        [s, t]: [&[u32]; 2],
        killed: &[u32],
        bias: Option<&[u32]>,
        details: &mut [f32],
    ) {
        let Some(Unit { texture: Some(texture), mips, .. }) = self.0.get(unit) else { return };
        if *mips == MipFilter::Base {
            return;
        }
        let size = [texture.base().width(), texture.base().height()];
        let whole = *mips == MipFilter::Nearest && bias.is_none();
        level.run(Details { at: [bits::floats(s), bits::floats(t)], size, killed, bias, whole, details });
    }

    /// The level that counts most in a read with this level of detail.
    pub fn level_of(&self, unit: usize, detail: f32) -> Option<usize> {
        let Some(Unit { texture: Some(texture), mips, .. }) = self.0.get(unit) else { return None };
        Some(mips.level(detail, texture))
    }

    /// Filtered reads.
    pub fn filtered_all(
        &self,
        unit: usize,
        level: gpuzoo_simd::Level,
        at: [&[u32]; 2],
        details: &[f32],
        texels: [&mut [u32]; 4],
    ) {
        let Some(Unit { texture: Some(texture), sampler, mips }) = self.0.get(unit) else {
            return texels.into_iter().for_each(|column| column.fill(0));
        };
        sampler.sample_all(
            level,
            texture,
            *mips,
            at.map(bits::floats),
            details,
            texels.map(bits::floats_mut),
        );
    }

    /// Reads of texels by number.
    pub fn texels(&self, unit: usize, at: [&[u32]; 4], mut texels: [&mut [u32]; 4]) {
        for lane in 0..at[0].len() {
            let texel = self.texel(unit, at.map(|column| f32::from_bits(column[lane])));
            for (column, value) in texels.iter_mut().zip(texel) {
                if let Some(to) = column.get_mut(lane) {
                    *to = value.to_bits();
                }
            }
        }
    }
}

/// The levels of detail of many reads.
struct Details<'a> {
    at: [&'a [f32]; 2],
    /// Of the texture.
    size: [u32; 2],
    killed: &'a [u32],
    bias: Option<&'a [u32]>,
    /// True if whole levels will do.
    whole: bool,
    details: &'a mut [f32],
}

impl Work for Details<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Details { at: [s, t], size, killed, bias, whole, details } = self;
        let half = details.len() / 2;
        for first in (0..half).step_by(GROUP) {
            // A row of quads, and the one below it.
            let rows =
                |column: &[f32]| -> [[f32; GROUP]; 2] { [load(column, first), load(column, half + first)] };
            let (s, t) = (rows(s), rows(t));
            let stopped: [[u32; GROUP]; 2] = [load(killed, first), load(killed, half + first)];
            let mut longest = [[0.0; GROUP]; 2];
            for quad in 0..GROUP / 2 {
                let (left, right) = (2 * quad, 2 * quad + 1);
                // Which of two is the first makes no difference to a square.
                let step = |from: (usize, usize), to: (usize, usize)| {
                    let step = [s[to.0][to.1] - s[from.0][from.1], t[to.0][to.1] - t[from.0][from.1]];
                    let square = square(step, size);
                    if stopped[from.0][from.1] | stopped[to.0][to.1] == 0 { square } else { 0.0 }
                };
                let across = [step((0, left), (0, right)), step((1, left), (1, right))];
                let down = [step((0, left), (1, left)), step((0, right), (1, right))];
                for row in 0..2 {
                    longest[row][left] = longer(across[row], down[0]);
                    longest[row][right] = longer(across[row], down[1]);
                }
            }
            let count = (half - first).min(GROUP);
            for (row, longest) in longest.iter().enumerate() {
                let levels = if whole { whole_levels(longest) } else { None };
                let mut detail = levels.unwrap_or_else(
                    #[inline(always)]
                    || each(|lane| 0.5 * arith::flog2(longest[lane])),
                );
                let start = row * half + first;
                if let Some(bias) = bias {
                    let bias: [u32; GROUP] = load(bias, start);
                    detail = each(|lane| detail[lane] + f32::from_bits(bias[lane]));
                }
                details[start..start + count].copy_from_slice(&detail[..count]);
            }
        }
    }
}

/// The levels that are nearest to the levels of detail of steps, from the squares of their lengths in texels. None if one of
/// these is where logarithms are rounded to another level.
#[inline(always)]
fn whole_levels(squares: &[f32; GROUP]) -> Option<[f32; GROUP]> {
    // Half a logarithm lies between two levels where the exponent is odd: then the next level is nearer, but for the power of
    // two itself and what is so little above it that it has the same logarithm: less than 2⁻¹⁷ of it, since logarithms are
    // below 128. The biased exponent of an odd one is even. What is below 1 has level 0 in any case.
    let rounded: Mask = mask(|lane| {
        let (exponent, fraction) = (squares[lane].to_bits() >> 23, squares[lane].to_bits() & 0x7f_ffff);
        (exponent > 127) & (exponent & 1 == 0) & (fraction < 1 << 7) | (exponent == 255)
    });
    let level = |square: f32| (((square.to_bits() >> 23) as i32 - 126) >> 1) as f32;
    (!any(&rounded)).then(
        #[inline(always)]
        || each(|lane| level(squares[lane])),
    )
}

fn detail(texture: &Texture, steps: [[f32; 2]; 2], bias: f32) -> f32 {
    level_of_detail(steps, [texture.base().width(), texture.base().height()]) + bias
}

/// log2 of the longer of two steps, in texels. All in single precision: squares that overflow name the smallest level,
/// those that vanish the largest, which they would anyway.
fn level_of_detail(steps: [[f32; 2]; 2], size: [u32; 2]) -> f32 {
    let [across, down] = steps.map(|step| square(step, size));
    0.5 * arith::flog2(longer(across, down))
}

/// The square of a step's length in texels.
#[inline(always)]
fn square([x, y]: [f32; 2], [width, height]: [u32; 2]) -> f32 {
    let (x, y) = (x * width as f32, y * height as f32);
    x * x + y * y
}

/// NaN counts as no step: `max` gives the operand that is a number.
#[inline(always)]
fn longer(across: f32, down: f32) -> f32 {
    across.max(down).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuzoo_raster::{Level, Texels};

    /// Decision 23: "src1.xy floored = texel, src1.w floored = level (clamped), no filter, no wrap; outside = (0,0,0,0)".
    /// The floor of -0 is -0, which is texel 0.
    #[test]
    fn texels_are_those_of_the_floors() {
        // Texel (x, y) of level l is (x, y, l, 1).
        let level = |index: u32| {
            let side = 4 >> index;
            let texels =
                (0..side * side).map(|at| [(at % side) as f32, (at / side) as f32, index as f32, 1.0]);
            Level::new(side, side, Texels::Float(texels.collect())).unwrap()
        };
        let texture = Texture::new((0..3).map(level).collect()).unwrap();
        let unit = Unit { texture: Some(Arc::new(texture)), ..Unit::NONE };
        let units = Units([unit, Unit::NONE, Unit::NONE, Unit::NONE]);
        let outside = [0.0; 4];
        let table = [
            ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]),
            ([-0.0, -0.0, -0.0], [0.0, 0.0, 0.0, 1.0]),
            ([2.99, 1.0, 0.99], [2.0, 1.0, 0.0, 1.0]),
            ([3.99, 3.99, 0.0], [3.0, 3.0, 0.0, 1.0]),
            ([1.0, 0.5, 1.0], [1.0, 0.0, 1.0, 1.0]),
            ([0.5, 0.5, 7.0], [0.0, 0.0, 2.0, 1.0]),
            ([3.0, 0.0, -5.0], [3.0, 0.0, 0.0, 1.0]),
            ([-1e-30, 0.0, 0.0], outside),
            ([0.0, -1e-30, 0.0], outside),
            ([4.0, 0.0, 0.0], outside),
            ([0.0, 4.0, 0.0], outside),
            // Level 1 has two columns.
            ([2.0, 0.0, 1.0], outside),
            ([f32::NAN, 0.0, 0.0], outside),
            ([0.0, f32::INFINITY, 0.0], outside),
        ];
        for ([x, y, w], expected) in table {
            assert_eq!(units.texel(0, [x, y, 9.0, w]), expected, "{x} {y} {w}");
        }
        assert_eq!(units.texel(1, [0.0; 4]), outside);
    }

    /// Around all powers of two, and random ones: if there are whole levels, they are what the logarithms are rounded to.
    #[test]
    fn whole_levels_are_the_nearest() {
        // More levels than there are powers of two.
        let one = |number: usize| Level::new(1, 1, Texels::Float(vec![[number as f32; 4]])).unwrap();
        let texture = Texture::new((0..200).map(one).collect()).unwrap();
        let level = |detail: f32| MipFilter::Nearest.level(detail, &texture);
        let mut squares: Vec<f32> = (0..=255u32)
            .flat_map(|exponent| (-200i32..200).map(move |step| (exponent << 23).wrapping_add_signed(step)))
            .map(f32::from_bits)
            .collect();
        squares.extend((0..100_000u32).map(|seed| f32::from_bits(seed.wrapping_mul(2_654_435_761) >> 1)));
        squares.retain(|square| *square >= 0.0);
        let mut whole = 0;
        for square in squares {
            if let Some([detail, ..]) = whole_levels(&[square; GROUP]) {
                assert_eq!(level(detail), level(0.5 * arith::flog2(square)), "{square:e}");
                whole += 1;
            }
        }
        assert!(whole > 180_000, "{whole}");
    }

    #[test]
    fn levels_of_detail_by_hand() {
        let table = [
            ([[0.25, 0.0], [0.0, 0.125]], [16, 16], 2.0),
            ([[-0.25, 0.0], [0.0, 0.0]], [16, 4], 2.0),
            ([[0.0, 0.0], [0.0, 0.25]], [16, 4], 0.0),
            // A step of (3, 4) texels is one of 5.
            ([[3.0 / 16.0, 4.0 / 16.0], [0.0, 0.0]], [16, 16], 2.321_928),
            ([[f32::NAN, 0.0], [0.0, 0.5]], [8, 8], 2.0),
            ([[0.0; 2], [0.0; 2]], [8, 8], f32::NEG_INFINITY),
            ([[f32::MAX; 2], [0.0; 2]], [8, 8], f32::INFINITY),
        ];
        for (steps, size, expected) in table {
            assert_eq!(level_of_detail(steps, size), expected, "{steps:?}");
        }
    }
}

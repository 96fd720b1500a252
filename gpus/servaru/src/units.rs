//! The four texture units (spec section B, items 21 to 24, and section G).

use gpuzoo_ir::arith;
use gpuzoo_raster::{MipFilter, Sampler, Texture};
use std::borrow::Cow;

/// How many there are.
pub const UNITS: usize = 4;

/// A texture unit.
#[derive(Clone)]
pub struct Unit<'a> {
    /// Its texture; without one every read gives zeros.
    pub texture: Option<Cow<'a, Texture>>,
    /// Within a level.
    pub sampler: Sampler,
    /// Between levels.
    pub mips: MipFilter,
}

impl Unit<'_> {
    /// A unit without texture.
    pub const NONE: Unit<'static> =
        Unit { texture: None, sampler: crate::pipeline::USUAL_SAMPLER, mips: MipFilter::Base };
}

/// All units.
pub struct Units<'a>(pub [Unit<'a>; UNITS]);

impl Units<'_> {
    /// `TEX` and `TXB`: a filtered read at (x, y). `steps` are the differences of (x, y) to the next pixel across and down.
    pub fn filtered(&self, unit: usize, at: [f32; 4], steps: [[f32; 2]; 2], bias: f32) -> [f32; 4] {
        let Some(Unit { texture: Some(texture), sampler, mips }) = self.0.get(unit) else { return [0.0; 4] };
        let lod = detail(texture, *mips, steps, bias);
        sampler.sample_lod(texture, [at[0], at[1]], lod, *mips)
    }

    /// The level that counts most in such a read.
    pub fn level(&self, unit: usize, steps: [[f32; 2]; 2], bias: f32) -> Option<usize> {
        let Some(Unit { texture: Some(texture), mips, .. }) = self.0.get(unit) else { return None };
        Some(mips.level(detail(texture, *mips, steps, bias), texture))
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

fn detail(texture: &Texture, mips: MipFilter, steps: [[f32; 2]; 2], bias: f32) -> f32 {
    match mips {
        MipFilter::Base => 0.0,
        _ => level_of_detail(steps, [texture.base().width(), texture.base().height()]) + bias,
    }
}

/// log2 of the longer of two steps, in texels. All in single precision: squares that overflow name the smallest level,
/// those that vanish the largest, which they would anyway.
fn level_of_detail(steps: [[f32; 2]; 2], [width, height]: [u32; 2]) -> f32 {
    let square = |[x, y]: [f32; 2]| {
        let (x, y) = (x * width as f32, y * height as f32);
        x * x + y * y
    };
    let [across, down] = steps.map(square);
    // NaN counts as no step: `max` gives the operand that is a number.
    0.5 * arith::flog2(across.max(down).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

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

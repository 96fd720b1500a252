//! Reading a texture at many places: the formulas of [`sampler`](crate::sampler) a group of lanes at a time.

use crate::mip::MipFilter;
use crate::sampler::{Filter, Sampler, Wrap, between, texels_at};
use crate::texture::{Level, Texels, Texture};
use crate::unorm::unpack_lanes;
use gpuzoo_simd::Work;
use gpuzoo_simd::lanes::{GROUP, each, load, store};

impl Sampler {
    /// [`sample_lod`](Sampler::sample_lod) for many places: columns of s and t, and of levels of detail, in; columns of
    /// components out. Without levels of detail all are 0. A column that is not wanted is empty.
    ///
    /// # Panics
    /// If columns that are not empty differ in length, or there are levels of detail or components without places.
    ///
    /// ```
    /// use gpuzoo_raster::{Filter, Level, MipFilter, Sampler, Texels, Texture, Wrap};
    /// let texels = vec![[0, 0, 0, 255], [255, 0, 0, 255]];
    /// let texture = Texture::from(Level::new(2, 1, Texels::Rgba8(texels))?);
    /// let sampler = Sampler { filter: Filter::Nearest, wrap: [Wrap::Clamp; 2] };
    /// let (level, at, mut reds) = (gpuzoo_simd::Level::chosen(), [&[0.0, 0.75][..], &[0.5, 0.5]], [0.0; 2]);
    /// sampler.sample_all(level, &texture, MipFilter::Base, at, &[], [&mut reds, &mut [], &mut [], &mut []]);
    /// assert_eq!(reds, [0.0, 1.0]);
    /// # Ok::<(), gpuzoo_raster::SizeError>(())
    /// ```
    pub fn sample_all(
        &self,
        level: gpuzoo_simd::Level,
        texture: &Texture,
        mips: MipFilter,
        at: [&[f32]; 2],
        details: &[f32],
        to: [&mut [f32]; 4],
    ) {
        let count = at[0].len();
        let lengths = [at[1].len(), details.len(), to[0].len(), to[1].len(), to[2].len(), to[3].len()];
        let fits = |length: &usize| *length == count || *length == 0;
        assert!(lengths.iter().all(fits) && lengths[0] == count, "columns of different lengths");
        let details = if mips == MipFilter::Base { &[] } else { details };
        level.run(Reads { sampler: *self, texture, mips, at, details, to });
    }
}

/// Lanes of numbers, or of the four components.
type Lanes<T> = [T; GROUP];

struct Reads<'a> {
    sampler: Sampler,
    texture: &'a Texture,
    mips: MipFilter,
    at: [&'a [f32]; 2],
    details: &'a [f32],
    to: [&'a mut [f32]; 4],
}

impl Work for Reads<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Reads { sampler, texture, mips, at, details, mut to } = self;
        let count = at[0].len();
        for first in (0..count).step_by(GROUP) {
            let places =
                [parts(sampler.wrap[0], load(at[0], first)), parts(sampler.wrap[1], load(at[1], first))];
            let colors = match details.is_empty() {
                true => read(sampler, texture, [0; 2], &[0.0; GROUP], &places),
                false => levels(sampler, texture, mips, &places, load(details, first)),
            };
            for (to, color) in to.iter_mut().zip(colors) {
                if !to.is_empty() {
                    store(to, first, color);
                }
            }
        }
    }
}

#[inline(always)]
fn parts(wrap: Wrap, coordinates: Lanes<f32>) -> Lanes<f64> {
    match wrap {
        Wrap::Clamp => each(|lane| Wrap::Clamp.part(coordinates[lane])),
        Wrap::Repeat => each(|lane| Wrap::Repeat.part(coordinates[lane])),
        Wrap::Mirror => each(|lane| Wrap::Mirror.part(coordinates[lane])),
    }
}

/// From the levels that levels of detail name. Lanes that want the same ones, as most neighbours do, are read together.
#[inline(always)]
fn levels(
    sampler: Sampler,
    texture: &Texture,
    mips: MipFilter,
    places: &[Lanes<f64>; 2],
    details: Lanes<f32>,
) -> [Lanes<f32>; 4] {
    let all = texture.levels();
    let ([near, far], rests) = mips.levels(details, all.len() - 1);
    let differ =
        near.iter().zip(&far).fold(0, |differ, (own, other)| differ | (own ^ near[0]) | (other ^ far[0]));
    let same = differ == 0;
    if !same {
        let mut colors = [[0.0; GROUP]; 4];
        for lane in 0..GROUP {
            let place = [places[0][lane], places[1][lane]];
            let color = sampler.sample_detail(texture, place, details[lane], mips);
            colors.iter_mut().zip(color).for_each(|(column, value)| column[lane] = value);
        }
        return colors;
    }
    read(sampler, texture, [near[0] as usize, far[0] as usize], &rests, places)
}

/// From one level, or from two with the parts of the second.
#[inline(always)]
fn read(
    sampler: Sampler,
    texture: &Texture,
    levels: [usize; 2],
    rests: &Lanes<f32>,
    places: &[Lanes<f64>; 2],
) -> [Lanes<f32>; 4] {
    let mut colors = [[0.0; GROUP]; 4];
    for (index, number) in levels.into_iter().enumerate() {
        let texels = level(sampler, &texture.levels()[number], places);
        if index == 0 {
            colors = texels;
            if *rests == [0.0; GROUP] {
                break;
            }
            continue;
        }
        for (color, texels) in colors.iter_mut().zip(&texels) {
            *color = each(|lane| {
                let mixed = between(color[lane], texels[lane], rests[lane]);
                if rests[lane] == 0.0 { color[lane] } else { mixed }
            });
        }
    }
    colors
}

/// From one level.
#[inline(always)]
fn level(sampler: Sampler, level: &Level, places: &[Lanes<f64>; 2]) -> [Lanes<f32>; 4] {
    match level.texels() {
        Texels::Rgba8(texels) => bytes(sampler, level, texels, places),
        // Four components of a texel lie side by side, and make a vector of their own.
        Texels::Float(_) => {
            let mut colors = [[0.0; GROUP]; 4];
            for lane in 0..GROUP {
                let color = sampler.sample_level(level, [places[0][lane], places[1][lane]]);
                colors.iter_mut().zip(color).for_each(|(column, value)| column[lane] = value);
            }
            colors
        }
    }
}

/// From a level whose texels are bytes.
#[inline(always)]
fn bytes(sampler: Sampler, level: &Level, texels: &[[u8; 4]], [s, t]: &[Lanes<f64>; 2]) -> [Lanes<f32>; 4] {
    let (width, height) = (level.width(), level.height());
    match sampler.filter {
        Filter::Nearest => {
            let (x, y) = (texels_at(s, width), texels_at(t, height));
            unpack_lanes(&gather(texels, each(|lane| y[lane] * width + x[lane])))
        }
        Filter::Linear => {
            let ([left, right], across) = sampler.wrap[0].neighbours(s, width);
            let ([top, bottom], down) = sampler.wrap[1].neighbours(t, height);
            let (top, bottom): (Lanes<u32>, Lanes<u32>) =
                (each(|lane| top[lane] * width), each(|lane| bottom[lane] * width));
            let [a, b, c, d] = [
                gather(texels, each(|lane| top[lane] + left[lane])),
                gather(texels, each(|lane| top[lane] + right[lane])),
                gather(texels, each(|lane| bottom[lane] + left[lane])),
                gather(texels, each(|lane| bottom[lane] + right[lane])),
            ];
            let [a, b, c, d] = [unpack_lanes(&a), unpack_lanes(&b), unpack_lanes(&c), unpack_lanes(&d)];
            let mut colors = [[0.0; GROUP]; 4];
            for (component, color) in colors.iter_mut().enumerate() {
                let (a, b, c, d) = (&a[component], &b[component], &c[component], &d[component]);
                *color = each(|lane| {
                    let upper = between(a[lane], b[lane], across[lane]);
                    let lower = between(c[lane], d[lane], across[lane]);
                    between(upper, lower, down[lane])
                });
            }
            colors
        }
    }
}

/// Texels by their indices.
#[inline(always)]
fn gather(texels: &[[u8; 4]], indices: Lanes<u32>) -> Lanes<u32> {
    each(|lane| texels.get(indices[lane] as usize).map_or(0, |texel| u32::from_le_bytes(*texel)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Coordinates that are hard, on axes of hard sizes, in all ways of reading: each lane is what it is alone, on all
    /// levels of instructions.
    #[test]
    fn lanes_are_what_they_are_alone() {
        let odd = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            0.999_999_94,
            1e-30,
            -1e-30,
            -1e-9,
            1e-40,
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            1e30,
            -7.3,
            16_777_215.0,
            16_777_216.0,
            -16_777_217.0,
            33_554_432.0,
            1.0 / 512.0,
            -1.0 / 512.0,
            8_388_607.5,
        ];
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f32 / (1 << 24) as f32
        };
        let mut number = |scale: f32| match random() {
            choice if choice < 0.3 => odd[(random() * odd.len() as f32) as usize],
            _ => (random() - 0.5) * scale,
        };
        let texture = |width: u32, height: u32, float: bool| {
            let byte = |index: u32| index.wrapping_mul(2_654_435_761).to_le_bytes();
            let texels = (0..width * height).map(byte);
            let texels = match float {
                true => Texels::Float(texels.map(|texel| texel.map(|byte| f32::from(byte) - 99.5)).collect()),
                false => Texels::Rgba8(texels.collect()),
            };
            Texture::from(Level::new(width, height, texels).unwrap()).with_mipmaps().unwrap()
        };
        let sizes = [(1, 1), (5, 3), (16, 16), (257, 2), (3, 100)];
        let textures: Vec<Texture> =
            sizes.iter().flat_map(|&(w, h)| [texture(w, h, false), texture(w, h, true)]).collect();
        let wraps = [Wrap::Clamp, Wrap::Repeat, Wrap::Mirror];
        let mips = [MipFilter::Base, MipFilter::Nearest, MipFilter::Ceiling, MipFilter::Linear];
        for (round, texture) in textures.iter().cycle().take(400).enumerate() {
            let sampler = Sampler {
                filter: [Filter::Nearest, Filter::Linear][round / 3 % 2],
                wrap: [wraps[round % 3], wraps[round / 7 % 3]],
            };
            let mips = mips[round / 5 % 4];
            let count = 1 + round % 40;
            let mut column = |scale: f32| (0..count).map(|_| number(scale)).collect::<Vec<f32>>();
            let (s, t, mut details) = (column(6.0), column(1e3), column(12.0));
            match round % 3 {
                0 => details = vec![details[0]; count],
                1 => details.clear(),
                _ => {}
            }
            let expected = |lane: usize| {
                let detail = details.get(lane).copied().unwrap_or(0.0);
                sampler.sample_lod(texture, [s[lane], t[lane]], detail, mips).map(f32::to_bits)
            };
            for level in gpuzoo_simd::Level::ALL {
                let mut to = [0, 1, 2, 3].map(|_| vec![7.0; count]);
                let [red, green, blue, alpha] = to.each_mut();
                let some: [&mut [f32]; 4] = [red, green, if round % 4 == 0 { &mut [] } else { blue }, alpha];
                sampler.sample_all(level, texture, mips, [&s, &t], &details, some);
                for lane in 0..count {
                    let mut expected = expected(lane);
                    if round % 4 == 0 {
                        expected[2] = 7.0f32.to_bits();
                    }
                    let got = to.each_ref().map(|column| column[lane].to_bits());
                    assert_eq!(got, expected, "{level:?} {sampler:?} {mips:?} at {} {}", s[lane], t[lane]);
                }
            }
        }
    }
}

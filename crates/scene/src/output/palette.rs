//! Pictures with at most 256 colours.
//!
//! A picture that has no more keeps its own. For others colours are chosen by variance cut (Celebi, Wen, Hwang: "An effective
//! real-time color quantization method based on divisive hierarchical clustering", 2015): the box with the largest squared
//! error is cut at its mean, along the axis on which its colours differ most, until there are 256 boxes, whose means are the
//! palette. Each pixel gets the nearest of them. What was chosen for one frame is used for those that follow as long as they
//! are nearly as well served by it: that is faster, and colours do not flicker.

use gpuzoo_machine::limits::budget::Refusal;
use gpuzoo_machine::limits::memory;

/// The most colours of a picture.
const MOST: usize = 256;

/// The most colours that are told apart while a palette is chosen.
const DISTINCT: usize = 1 << 16;

/// How much larger a frame's mean squared error may be, with a palette that was chosen for another one.
const WORSE: f64 = 1.5;

/// A picture as places in a palette.
pub(super) struct Indexed {
    /// Red, green and blue of each colour.
    pub palette: Vec<u8>,
    /// The colour of each pixel.
    pub indices: Vec<u8>,
}

/// What makes [`Indexed`] pictures of the frames of an animation.
#[derive(Default)]
pub(super) struct Palettes {
    /// The palette of an earlier frame that had more colours.
    kept: Option<Chosen>,
}

impl Palettes {
    /// The next frame. Alpha is not looked at.
    pub fn next(&mut self, pixels: &[[u8; 4]]) -> Result<Indexed, Refusal> {
        if let Some(exact) = exact(pixels)? {
            return Ok(exact);
        }
        if let Some(kept) = &mut self.kept
            && let Some((indices, error)) = kept.indices(pixels)?
            && error <= kept.error * WORSE
        {
            return Ok(Indexed { palette: kept.bytes(), indices });
        }
        let mut chosen = Chosen::of(pixels)?;
        // A new palette's table takes all colours of its own picture.
        let (indices, error) = chosen.indices(pixels)?.unwrap_or_default();
        chosen.error = error;
        let indexed = Indexed { palette: chosen.bytes(), indices };
        self.kept = Some(chosen);
        Ok(indexed)
    }
}

/// A colour: red in the lowest byte, then green and blue.
fn color([red, green, blue, _]: [u8; 4]) -> u32 {
    u32::from_le_bytes([red, green, blue, 0])
}

/// Red, green and blue.
fn components(color: u32) -> [u8; 3] {
    let [red, green, blue, _] = color.to_le_bytes();
    [red, green, blue]
}

/// One of the components.
fn component(color: u32, axis: usize) -> u32 {
    (color >> (8 * axis)) & 0xff
}

/// The squared distance of two colours.
fn distance(one: u32, other: u32) -> u32 {
    (0..3).map(|axis| component(one, axis).abs_diff(component(other, axis)).pow(2)).sum()
}

/// A number for each of some colours.
struct Table {
    /// A colour plus 1, or 0 for none, and its number. At least half of them have none.
    slots: Vec<(u32, u32)>,
    /// What leaves the bits of a 32-bit hash that are a place.
    shift: u32,
    /// How many colours more there may be.
    left: usize,
}

impl Table {
    fn new(most: usize) -> Result<Table, Refusal> {
        let places = (2 * most).next_power_of_two();
        let shift = u32::BITS - places.trailing_zeros();
        Ok(Table { slots: memory::filled((0, 0), places)?, shift, left: most })
    }

    /// The number of a colour, for a new one `first`; nothing if there would be too many.
    fn number(&mut self, color: u32, first: impl FnOnce() -> u32) -> Option<&mut u32> {
        let mask = self.slots.len() - 1;
        // The fraction of a multiple of the golden ratio, which scatters colours that differ little.
        let mut at = (color.wrapping_mul(0x9e37_79b1) >> self.shift) as usize;
        while self.slots[at].0 != color + 1 {
            if self.slots[at].0 == 0 {
                self.left = self.left.checked_sub(1)?;
                self.slots[at] = (color + 1, first());
                break;
            }
            at = (at + 1) & mask;
        }
        Some(&mut self.slots[at].1)
    }
}

/// The picture with its own colours, if they are few enough.
fn exact(pixels: &[[u8; 4]]) -> Result<Option<Indexed>, Refusal> {
    let mut table = Table::new(MOST)?;
    let (mut palette, mut indices) = (Vec::new(), memory::room(pixels.len())?);
    let mut last = (u32::MAX, 0);
    for pixel in pixels {
        let color = color(*pixel);
        if color != last.0 {
            let number = table.number(color, || {
                palette.extend(components(color));
                palette.len() as u32 / 3 - 1
            });
            let Some(number) = number else { return Ok(None) };
            last = (color, *number as u8);
        }
        indices.push(last.1);
    }
    Ok(Some(Indexed { palette, indices }))
}

/// A colour, and how many pixels have it.
type Counted = (u32, u32);

/// The colours of a picture, told apart by as many bits as leave at most [`DISTINCT`] of them, and the mask of these bits.
fn count(pixels: &[[u8; 4]]) -> Result<(Vec<Counted>, u32), Refusal> {
    let mut mask = 0xff_ff_ff;
    loop {
        let mut table = Table::new(DISTINCT)?;
        let fits = pixels
            .iter()
            .all(|pixel| table.number(color(*pixel) & mask, || 0).map(|count| *count += 1).is_some());
        if fits {
            let known = table.slots.iter().filter(|(color, _)| *color > 0);
            let known = known.map(|(color, count)| (color - 1, *count));
            return Ok((memory::collect(DISTINCT - table.left, known)?, mask));
        }
        // It ends with five bits of each component at the latest, which are 32,768 colours.
        mask &= (mask << 1) & 0xfe_fe_fe;
    }
}

/// Some of the colours, and what they differ by.
#[derive(Clone, Copy)]
struct Cluster {
    start: usize,
    end: usize,
    /// The pixels, and the sums of their components.
    pixels: u64,
    sums: [u64; 3],
    /// The squared error if the mean stands for all, and the axis that has most of it.
    error: f64,
    axis: usize,
}

impl Cluster {
    fn of(colors: &[Counted], start: usize, end: usize) -> Cluster {
        let (mut pixels, mut sums, mut squares) = (0, [0; 3], [0; 3]);
        for (color, count) in &colors[start..end] {
            let count = u64::from(*count);
            pixels += count;
            for axis in 0..3 {
                let value = u64::from(component(*color, axis));
                sums[axis] += value * count;
                squares[axis] += value * value * count;
            }
        }
        // Without a rounding, so that it is zero where nothing differs.
        let spreads: [u128; 3] = std::array::from_fn(|axis| {
            u128::from(squares[axis]) * u128::from(pixels) - u128::from(sums[axis]).pow(2)
        });
        let axis = (1..3).fold(0, |most, axis| if spreads[axis] > spreads[most] { axis } else { most });
        let error = spreads.iter().sum::<u128>() as f64 / pixels as f64;
        Cluster { start, end, pixels, sums, error, axis }
    }

    /// Cuts it at its mean. There are colours on either side, since they differ.
    fn cut(&self, colors: &mut [Counted]) -> [Cluster; 2] {
        let mut middle = self.start;
        for at in self.start..self.end {
            if u64::from(component(colors[at].0, self.axis)) * self.pixels <= self.sums[self.axis] {
                colors.swap(at, middle);
                middle += 1;
            }
        }
        [Cluster::of(colors, self.start, middle), Cluster::of(colors, middle, self.end)]
    }

    fn mean(&self) -> u32 {
        let [red, green, blue] = self.sums.map(|sum| ((sum + self.pixels / 2) / self.pixels) as u8);
        color([red, green, blue, 0])
    }
}

/// A palette for a picture that has more colours.
struct Chosen {
    /// In the order of one of the components.
    palette: Vec<u32>,
    axis: usize,
    /// For each value of the component, how many of the palette have a smaller one.
    smaller: [usize; 256],
    /// The bits of colours that count.
    mask: u32,
    /// The places of the nearest colours in the palette, as far as they were looked for.
    known: Table,
    /// The mean squared error of the picture that it is for.
    error: f64,
}

impl Chosen {
    fn of(pixels: &[[u8; 4]]) -> Result<Chosen, Refusal> {
        let (mut colors, mask) = count(pixels)?;
        let whole = Cluster::of(&colors, 0, colors.len());
        let mut clusters = vec![whole];
        while clusters.len() < MOST {
            let at = (1..clusters.len())
                .fold(0, |most, at| if clusters[at].error > clusters[most].error { at } else { most });
            if clusters[at].error <= 0.0 {
                break;
            }
            let [low, high] = clusters[at].cut(&mut colors);
            clusters[at] = low;
            clusters.push(high);
        }
        let axis = whole.axis;
        let mut palette: Vec<u32> = clusters.iter().map(Cluster::mean).collect();
        palette.sort_unstable_by_key(|color| (component(*color, axis), *color));
        let smaller = std::array::from_fn(|value| {
            palette.partition_point(|color| (component(*color, axis) as usize) < value)
        });
        Ok(Chosen { palette, axis, smaller, mask, known: Table::new(DISTINCT)?, error: 0.0 })
    }

    fn bytes(&self) -> Vec<u8> {
        self.palette.iter().flat_map(|color| components(*color)).collect()
    }

    /// The pixels as places in the palette, and their mean squared error; nothing if there are too many colours.
    fn indices(&mut self, pixels: &[[u8; 4]]) -> Result<Option<(Vec<u8>, f64)>, Refusal> {
        let Chosen { palette, axis, smaller, mask, known, .. } = self;
        let (mut indices, mut error) = (memory::room(pixels.len())?, 0);
        let mut last = (u32::MAX, 0, 0);
        for pixel in pixels {
            let color = color(*pixel);
            if color != last.0 {
                let searched = color & *mask;
                let index = known.number(searched, || nearest(palette, *axis, smaller, searched));
                let Some(index) = index.copied() else { return Ok(None) };
                last = (color, index as u8, u64::from(distance(color, palette[index as usize])));
            }
            indices.push(last.1);
            error += last.2;
        }
        Ok(Some((indices, error as f64 / pixels.len() as f64)))
    }
}

/// The place of the colour that is nearest to another, in a palette that is in the order of a component.
fn nearest(palette: &[u32], axis: usize, smaller: &[usize; 256], color: u32) -> u32 {
    let value = component(color, axis);
    let middle = smaller[value as usize];
    let mut best = (u32::MAX, 0);
    // What differs more in the component alone is farther, and so is all behind it.
    let mut is_near = |at: &usize| {
        let other = palette[*at];
        let is_near = component(other, axis).abs_diff(value).pow(2) < best.0;
        if is_near {
            best = best.min((distance(color, other), *at as u32));
        }
        is_near
    };
    (middle..palette.len()).take_while(&mut is_near).for_each(drop);
    (0..middle).rev().take_while(&mut is_near).for_each(drop);
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pixels with the red, green and blue of a function of their number.
    fn picture(count: u32, color: impl Fn(u32) -> [u32; 3]) -> Vec<[u8; 4]> {
        let pixel = |number| {
            let [red, green, blue] = color(number).map(|value| value as u8);
            [red, green, blue, number as u8]
        };
        (0..count).map(pixel).collect()
    }

    /// The largest difference of a component, and how many colours there are.
    fn difference(pixels: &[[u8; 4]], Indexed { palette, indices }: &Indexed) -> (u8, usize) {
        assert_eq!(indices.len(), pixels.len());
        let of_pixel = |(pixel, index): (&[u8; 4], &u8)| {
            let color = &palette[usize::from(*index) * 3..][..3];
            color.iter().zip(pixel).map(|(one, other)| one.abs_diff(*other)).max()
        };
        (pixels.iter().zip(indices).filter_map(of_pixel).max().unwrap_or(0), palette.len() / 3)
    }

    #[test]
    fn as_many_colours_as_a_palette_has_are_exact() {
        let mut palettes = Palettes::default();
        let exact = picture(4096, |n| [n % 256, 255 - n % 256, 7]);
        assert_eq!(difference(&exact, &palettes.next(&exact).unwrap()), (0, 256));
        // One more: two of them share a colour, or the mean of them.
        let more = picture(4096, |n| if n == 4095 { [200, 255, 255] } else { [n % 256, 255 - n % 256, 7] });
        let (error, colors) = difference(&more, &palettes.next(&more).unwrap());
        assert!(error <= 1 && colors == 256, "{error} {colors}");
    }

    /// 64 × 64 × 64 colours on a palette of 256, which are 6.35 for each axis: at best as far as half of 256 / 6.35.
    #[test]
    fn the_whole_cube_is_covered_evenly() {
        let cube = picture(1 << 18, |n| [n % 64 * 4, n / 64 % 64 * 4, n / 4096 * 4]);
        let (error, colors) = difference(&cube, &Palettes::default().next(&cube).unwrap());
        assert!((18..=40).contains(&error) && colors == 256, "{error} {colors}");
    }

    /// More colours than are told apart, in a range of 64 shades: five bits would leave two.
    #[test]
    fn many_colours_of_one_region_are_told_apart() {
        let dark = picture(1 << 18, |n| [n % 64, n / 64 % 64, n / 4096]);
        let (error, colors) = difference(&dark, &Palettes::default().next(&dark).unwrap());
        assert!(error <= 12 && colors == 256, "{error} {colors}");
    }

    #[test]
    fn each_pixel_has_the_nearest_colour() {
        let pixels = picture(1 << 14, |n| [n.wrapping_mul(0x9e37_79b1) >> 24, n >> 6, n % 97]);
        let Indexed { palette, indices } = Palettes::default().next(&pixels).unwrap();
        let distance = |pixel: &[u8; 4], index: usize| -> u32 {
            palette[3 * index..3 * index + 3]
                .iter()
                .zip(pixel)
                .map(|(one, other)| u32::from(one.abs_diff(*other)).pow(2))
                .sum()
        };
        for (pixel, index) in pixels.iter().zip(indices) {
            let least = (0..palette.len() / 3).map(|index| distance(pixel, index)).min();
            assert_eq!(Some(distance(pixel, index.into())), least);
        }
    }

    #[test]
    fn a_palette_is_kept_as_long_as_it_fits() {
        let mut palettes = Palettes::default();
        let mut of = |blue: u32| {
            let pixels = picture(1 << 14, |n| [n % 128, n / 128, blue]);
            palettes.next(&pixels).unwrap().palette
        };
        let first = of(100);
        assert!(of(100) == first && of(101) == first);
        let other = of(200);
        assert!(other != first && of(200) == other);
        // A frame of few colours between them has its own and changes nothing.
        let few = picture(100, |n| [n, n, n]);
        assert_eq!(difference(&few, &palettes.next(&few).unwrap()), (0, 100));
        let pixels = picture(1 << 14, |n| [n % 128, n / 128, 200]);
        assert!(palettes.next(&pixels).unwrap().palette == other);
    }
}

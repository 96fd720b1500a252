//! Blocks of 4 × 4 texels between two colours: BC1 and BC2.

use super::packed::{alpha4, fields565, to_rgb565};
use crate::image::Image;
use crate::size::{SizeError, collected, filled};

/// Texels of a block, row by row.
type Block<T> = [T; 16];

/// The texels of all blocks of `N` bytes. Blocks at the right and bottom may stick out.
pub(crate) fn decode<const N: usize>(
    width: u32,
    height: u32,
    bytes: &[u8],
    block: impl Fn(&[u8; N]) -> Block<[f32; 4]>,
) -> Result<Vec<[f32; 4]>, SizeError> {
    let (width, height) = (width as usize, height as usize);
    let mut texels = filled([0.0; 4], width * height)?;
    let blocks = bytes.as_chunks().0.iter();
    for (index, bytes) in blocks.enumerate() {
        let (left, top) = (index % width.div_ceil(4) * 4, index / width.div_ceil(4) * 4);
        for (at, texel) in block(bytes).into_iter().enumerate() {
            let (x, y) = (left + at % 4, top + at / 4);
            if x < width && y < height {
                texels[y * width + x] = texel;
            }
        }
    }
    Ok(texels)
}

/// The bytes of all blocks. Where a block sticks out, its texels are `None`.
pub(crate) fn encode<const N: usize>(
    image: &Image,
    block: impl Fn(&Block<Option<[u8; 4]>>) -> [u8; N],
) -> Result<Vec<u8>, SizeError> {
    let (across, down) = (image.width().div_ceil(4), image.height().div_ceil(4));
    let blocks = (0..down).flat_map(|row| (0..across).map(move |column| (column * 4, row * 4)));
    let texels = |(x, y)| std::array::from_fn(|at| image.get(x + at as u32 % 4, y + at as u32 / 4));
    let count = across as usize * down as usize;
    collected(count * N, blocks.flat_map(|at| block(&texels(at))))
}

/// The four colours between and including two. Those between are exact fractions, rounded once.
fn palette(ends: [u16; 2], four: bool) -> [[f32; 4]; 4] {
    let [a, b] = ends.map(fields565);
    let tops = [31u16, 63, 31];
    let mix = |a_share: u16, b_share: u16| {
        let component =
            |i: usize| f32::from(a_share * a[i] + b_share * b[i]) / f32::from((a_share + b_share) * tops[i]);
        [component(0), component(1), component(2), 1.0]
    };
    let between = if four { [mix(2, 1), mix(1, 2)] } else { [mix(1, 1), [0.0; 4]] };
    [mix(1, 0), mix(0, 1), between[0], between[1]]
}

fn ends_of(bytes: &[u8; 8]) -> [u16; 2] {
    [u16::from_le_bytes([bytes[0], bytes[1]]), u16::from_le_bytes([bytes[2], bytes[3]])]
}

fn colors(bytes: &[u8; 8], four: bool) -> Block<[f32; 4]> {
    let palette = palette(ends_of(bytes), four);
    let choices = u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]);
    std::array::from_fn(|at| palette[(choices >> (2 * at) & 3) as usize])
}

pub(crate) fn bc1(bytes: &[u8; 8]) -> Block<[f32; 4]> {
    let [a, b] = ends_of(bytes);
    colors(bytes, a > b)
}

pub(crate) fn bc2(bytes: &[u8; 16]) -> Block<[f32; 4]> {
    let (alphas, rest) = bytes.split_at(8);
    let mut block = rest.first_chunk().map_or([[0.0; 4]; 16], |rest| colors(rest, true));
    for (at, texel) in block.iter_mut().enumerate() {
        texel[3] = f32::from(alphas[at / 2] >> (at % 2 * 4) & 15) / 15.0;
    }
    block
}

pub(crate) fn to_bc1(block: &Block<Option<[u8; 4]>>) -> [u8; 8] {
    let solid = block.map(|texel| texel.filter(|texel| texel[3] >= 128));
    let transparent = block.iter().flatten().any(|texel| texel[3] < 128);
    let [low, high] = fit(&solid);
    let (low, high) = (low.min(high), low.max(high));
    // The order of the ends says which palette it is.
    let ends = if transparent { [low, high] } else { [high, low] };
    to_colors(&solid, ends, ends[0] > ends[1])
}

pub(crate) fn to_bc2(block: &Block<Option<[u8; 4]>>) -> [u8; 16] {
    let mut bytes = [0; 16];
    for (at, texel) in block.iter().enumerate() {
        bytes[at / 2] |= alpha4(texel.map_or(0, |texel| texel[3])) << (at % 2 * 4);
    }
    bytes[8..].copy_from_slice(&to_colors(block, fit(block), true));
    bytes
}

/// Two ends and the nearest choice for each texel. Texels without a colour take the last choice, which is the
/// transparent one if there are not four colours.
fn to_colors(block: &Block<Option<[u8; 4]>>, ends: [u16; 2], four: bool) -> [u8; 8] {
    let palette = palette(ends, four);
    let count = if four { 4 } else { 3 };
    let mut choices = 0u32;
    for (at, texel) in block.iter().enumerate() {
        let distance = |color: &[f32; 4], texel: &[u8; 4]| -> f32 {
            let squares = (0..3).map(|i| {
                let difference = color[i] * 255.0 - f32::from(texel[i]);
                difference * difference
            });
            squares.sum()
        };
        let nearest = |texel: &[u8; 4]| {
            let measured = palette[..count].iter().map(|color| distance(color, texel)).enumerate();
            measured.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(choice, _)| choice as u32)
        };
        choices |= texel.as_ref().map_or(3, nearest) << (2 * at);
    }
    let mut bytes = [0; 8];
    bytes[..2].copy_from_slice(&ends[0].to_le_bytes());
    bytes[2..4].copy_from_slice(&ends[1].to_le_bytes());
    bytes[4..].copy_from_slice(&choices.to_le_bytes());
    bytes
}

/// The two texels that are farthest apart along the line on which the colours vary most, as 5-6-5.
fn fit(block: &Block<Option<[u8; 4]>>) -> [u16; 2] {
    let texels = || block.iter().flatten();
    let color = |texel: &[u8; 4]| [0, 1, 2].map(|i| f32::from(texel[i]));
    let count = texels().count().max(1) as f32;
    let mean = [0, 1, 2].map(|i| texels().map(|texel| color(texel)[i]).sum::<f32>() / count);
    let mut covariance = [[0.0f32; 3]; 3];
    for texel in texels() {
        let from_mean = [0, 1, 2].map(|i| color(texel)[i] - mean[i]);
        for (row, a) in covariance.iter_mut().zip(from_mean) {
            for (entry, b) in row.iter_mut().zip(from_mean) {
                *entry += a * b;
            }
        }
    }
    // Power iteration, begun with the row of the channel that varies most: it cannot be at right angles to the axis.
    let most =
        [0, 1, 2].into_iter().max_by(|&a, &b| covariance[a][a].total_cmp(&covariance[b][b])).unwrap_or(0);
    let mut axis = covariance[most];
    for _ in 0..8 {
        let next = covariance.map(|row| row[0] * axis[0] + row[1] * axis[1] + row[2] * axis[2]);
        let length = next.iter().fold(0.0f32, |most, component| most.max(component.abs()));
        if length == 0.0 {
            break;
        }
        axis = next.map(|component| component / length);
    }
    let along = |texel: &&[u8; 4]| {
        let [r, g, b] = color(texel);
        r * axis[0] + g * axis[1] + b * axis[2]
    };
    let end = |texel: Option<&[u8; 4]>| texel.map_or(0, |&texel| to_rgb565(texel));
    let least = texels().min_by(|a, b| along(a).total_cmp(&along(b)));
    let greatest = texels().max_by(|a, b| along(a).total_cmp(&along(b)));
    [end(least), end(greatest)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: u16 = 0xf800;
    const BLUE: u16 = 0x001f;

    fn block(a: u16, b: u16, choices: u32) -> [u8; 8] {
        let (a, b, c) = (a.to_le_bytes(), b.to_le_bytes(), choices.to_le_bytes());
        [a[0], a[1], b[0], b[1], c[0], c[1], c[2], c[3]]
    }

    #[test]
    fn bc1_by_hand() {
        // Texel 0 takes colour 0, texel 1 colour 1, and so on; all others colour 0.
        let texels = bc1(&block(RED, BLUE, 0b11_10_01_00));
        let third = 1.0 / 3.0f32;
        let between = [[2.0 * third, 0.0, third, 1.0], [third, 0.0, 2.0 * third, 1.0]];
        assert_eq!(
            texels[..5],
            [[1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0], between[0], between[1], [1.0, 0.0, 0.0, 1.0]]
        );
        let texels = bc1(&block(BLUE, RED, 0b11_10_01_00));
        assert_eq!(texels[..4], [[0.0, 0.0, 1.0, 1.0], [1.0, 0.0, 0.0, 1.0], [0.5, 0.0, 0.5, 1.0], [0.0; 4]]);
        let texels = bc1(&block(RED, RED, 0b11));
        assert_eq!(texels[0], [0.0; 4], "equal ends have a transparent fourth");
        // (2 · 10/31 + 21/31) / 3 = 41/93, (2 · 5/63 + 60/63) / 3 = 70/189.
        let ends = [10 << 11 | 5 << 5, 21 << 11 | 60 << 5];
        assert_eq!(palette(ends, true)[2], [41.0 / 93.0, 70.0 / 189.0, 0.0, 1.0]);
        // The last texel's choice is in the two highest bits.
        assert_eq!(bc1(&block(RED, BLUE, 1 << 30))[15], [0.0, 0.0, 1.0, 1.0]);
    }

    #[test]
    fn bc2_by_hand() {
        let mut bytes = [0; 16];
        bytes[0] = 0xf3; // texel 0: 3, texel 1: 15
        bytes[7] = 0x50; // texel 15: 5
        bytes[8..].copy_from_slice(&block(BLUE, RED, 0b11));
        let texels = bc2(&bytes);
        let third = 1.0 / 3.0f32;
        assert_eq!(texels[0], [2.0 * third, 0.0, third, 3.0 / 15.0], "four colours in any order of the ends");
        assert_eq!(texels[1], [0.0, 0.0, 1.0, 1.0]);
        assert_eq!(texels[15], [0.0, 0.0, 1.0, 5.0 / 15.0]);
    }

    /// Two channels that rise together: the ends are the darkest and the brightest texel, wherever they are. 200 is 24 of
    /// 31, and 49 of 63.
    #[test]
    fn ends_are_the_texels_farthest_apart() {
        let (red, green, blue) = (24 << 11, 49 << 5, 24);
        for (channels, expected) in
            [([1, 1, 0], red | green), ([0, 1, 1], green | blue), ([1, 0, 1], red | blue)]
        {
            let mut block = [Some([0; 4]); 16];
            for (at, texel) in block.iter_mut().enumerate() {
                let value = [50, 0, 200, 100][at % 4];
                *texel = Some([channels[0] * value, channels[1] * value, channels[2] * value, 255]);
            }
            assert_eq!(fit(&block), [0, expected], "{channels:?}");
        }
    }

    /// Colours that differ by one: of those along (1, -1, 0), four with a variance of 8 in all, and those along (1, 1, 1), two with
    /// one of 6, the former are the ends. 137, 127, 128 is 17, 31, 16 as 5-6-5, and 135, 129, 128 is 16, 32, 16.
    #[test]
    fn ends_of_nearly_equal_colours() {
        let block: Block<_> = std::array::from_fn(|at| match at {
            0 | 5 => Some([137, 127, 128, 255]),
            3 | 9 => Some([135, 129, 128, 255]),
            6 => Some([137, 129, 129, 255]),
            12 => Some([135, 127, 127, 255]),
            _ => Some([136, 128, 128, 255]),
        });
        let mut ends = fit(&block);
        ends.sort_unstable();
        assert_eq!(ends, [16 << 11 | 32 << 5 | 16, 17 << 11 | 31 << 5 | 16]);
    }

    /// A choice looks at each channel: two colours that differ in one stay apart.
    #[test]
    fn choices_look_at_each_channel() {
        for channel in 0..3 {
            let mut light = [0, 0, 0, 255];
            light[channel] = 255;
            let block: Block<[u8; 4]> = std::array::from_fn(|at| if at < 6 { light } else { [0, 0, 0, 255] });
            let expected = block.map(|color| color.map(|byte| f32::from(byte) / 255.0));
            assert_eq!(bc1(&to_bc1(&block.map(Some))), expected, "channel {channel}");
        }
    }

    /// Colours that vary in all channels, each in its own way. The line that fits them best has the direction
    /// (0.14, 1, -0.66), along which these three lie at 178, -33 and 50: the axis decides which are the ends.
    #[test]
    fn ends_follow_the_axis_of_all_three_channels() {
        for turn in 0..3 {
            let turned = |mut color: [u8; 3]| {
                color.rotate_left(turn);
                [color[0], color[1], color[2], 255]
            };
            let [greatest, least, between] = [[50, 210, 60], [20, 70, 160], [210, 40, 30]].map(turned);
            let block: Block<_> = std::array::from_fn(|at| match at {
                0 | 9 => Some(between),
                _ if at % 2 == 0 => Some(greatest),
                _ => Some(least),
            });
            assert_eq!(fit(&block), [to_rgb565(least), to_rgb565(greatest)], "{turn}");
        }
    }

    #[test]
    fn partial_blocks() {
        let texels = decode(5, 2, &[block(RED, BLUE, 0), block(BLUE, RED, 0)].concat(), bc1).unwrap();
        let (red, blue) = ([1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]);
        assert_eq!(texels, [red, red, red, red, blue, red, red, red, red, blue]);
    }

    /// Root of the mean square error per channel, in bytes.
    fn error(image: &Image, texels: &[[f32; 4]]) -> f64 {
        let pairs = image.pixels().as_flattened().iter().zip(texels.as_flattened());
        let differences = pairs.map(|(&a, &b)| f64::from(a) - f64::from(b) * 255.0);
        let sum: f64 = differences.map(|difference| difference * difference).sum();
        (sum / (texels.len() * 4) as f64).sqrt()
    }

    #[test]
    fn encoding_is_near() {
        // One colour that 5-6-5 holds is exact; a ramp along any direction has an error of a few bytes.
        let flat = Image::new(4, 4, [255, 0, 255, 255]).unwrap();
        assert_eq!(error(&flat, &decode(4, 4, &encode(&flat, to_bc1).unwrap(), bc1).unwrap()), 0.0);
        assert_eq!(error(&flat, &decode(4, 4, &encode(&flat, to_bc2).unwrap(), bc2).unwrap()), 0.0);
        let ramp = (0..256)
            .map(|i| (i % 16 * 8, i / 16 * 8))
            .map(|(x, y)| [x + y, 255 - x, 40 + y, 255].map(|v| v as u8));
        let ramp = Image::from_pixels(16, 16, ramp.collect()).unwrap();
        let errors = [
            error(&ramp, &decode(16, 16, &encode(&ramp, to_bc1).unwrap(), bc1).unwrap()),
            error(&ramp, &decode(16, 16, &encode(&ramp, to_bc2).unwrap(), bc2).unwrap()),
        ];
        assert!(errors.iter().all(|&error| error < 6.0), "{errors:?}");
        assert!(errors.iter().all(|&error| error > 0.0), "{errors:?}");
    }

    #[test]
    fn transparency_survives() {
        let pixels: Vec<[u8; 4]> =
            (0..16).map(|i| if i % 3 == 0 { [0; 4] } else { [i * 16, 255, 0, 255] }).collect();
        let image = Image::from_pixels(4, 4, pixels).unwrap();
        let texels = decode(4, 4, &encode(&image, to_bc1).unwrap(), bc1).unwrap();
        for (pixel, texel) in image.pixels().iter().zip(&texels) {
            assert_eq!(f32::from(pixel[3]) / 255.0, texel[3]);
        }
        let clear = Image::new(4, 4, [200, 100, 50, 0]).unwrap();
        assert_eq!(decode(4, 4, &encode(&clear, to_bc1).unwrap(), bc1).unwrap(), [[0.0; 4]; 16]);
        // Every 4-bit alpha is exact in BC2.
        let alphas = Image::from_pixels(4, 4, (0..16).map(|i| [0, 0, 0, i * 17]).collect()).unwrap();
        let texels = decode(4, 4, &encode(&alphas, to_bc2).unwrap(), bc2).unwrap();
        for (i, texel) in texels.iter().enumerate() {
            assert_eq!(texel[3], i as f32 / 15.0);
        }
    }
}

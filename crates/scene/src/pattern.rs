//! Pictures from formulas: checkers, gradients, noise, bricks. All of them repeat without a seam, since textures do.

use gpuzoo_raster::{Image, SizeError};

/// A colour: red, green, blue, alpha from 0 to 1.
pub type Color = [f64; 4];

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pattern {
    /// One colour, the first.
    Solid,
    /// Squares, this many across.
    Checker(u32),
    /// From the first colour at the top to the second at the bottom.
    Gradient,
    /// A disc of the first colour that fades into the second at the border.
    Glow,
    /// Bricks of the first colour in mortar of the second, this many across.
    Bricks(u32),
    /// Clouds: [`fractal`] noise of this many cells across, from the first colour to the second.
    Noise {
        /// Cells of the coarsest noise across the picture.
        cells: u32,
        /// Which of the many such noises.
        seed: u32,
    },
    /// The texture coordinates themselves as red and green, on a grid of this many cells across.
    Uv(u32),
}

/// Draws a pattern.
///
/// # Errors
/// [`SizeError`] for sizes that no image can have.
///
/// ```
/// use gpuzoo_scene::pattern::{Pattern, draw};
///
/// let (white, black) = ([1.0; 4], [0.0, 0.0, 0.0, 1.0]);
/// let image = draw(Pattern::Checker(2), 4, 4, [white, black])?;
/// assert_eq!(image.get(1, 1), Some([255; 4]));
/// assert_eq!(image.get(2, 1), Some([0, 0, 0, 255]));
/// # Ok::<(), gpuzoo_raster::SizeError>(())
/// ```
pub fn draw(pattern: Pattern, width: u32, height: u32, colors: [Color; 2]) -> Result<Image, SizeError> {
    let mut image = Image::new(width, height, [0; 4])?;
    for (index, pixel) in image.pixels_mut().iter_mut().enumerate() {
        let (x, y) = (index % width as usize, index / width as usize);
        let (u, v) = ((x as f64 + 0.5) / f64::from(width), (y as f64 + 0.5) / f64::from(height));
        *pixel = bytes(color_at(pattern, u, v, colors));
    }
    Ok(image)
}

/// The colour at a place; u to the right and v down, from 0 to 1.
fn color_at(pattern: Pattern, u: f64, v: f64, colors: [Color; 2]) -> Color {
    let blend = match pattern {
        Pattern::Solid => 0.0,
        Pattern::Gradient => v,
        Pattern::Checker(cells) => parity(u, v, cells),
        Pattern::Glow => {
            let (x, y) = (2.0 * u - 1.0, 2.0 * v - 1.0);
            smooth((x * x + y * y).sqrt().min(1.0))
        }
        Pattern::Bricks(across) => mortar(u, v, f64::from(across)),
        Pattern::Noise { cells, seed } => fractal(u * f64::from(cells), v * f64::from(cells), cells, seed),
        Pattern::Uv(cells) => {
            let light = 1.0 - 0.25 * parity(u, v, cells);
            return [u * light, v * light, 0.25 * light, 1.0];
        }
    };
    [0, 1, 2, 3].map(|component| mix(colors[0][component], colors[1][component], blend))
}

/// 0 and 1 in turn, in squares.
fn parity(u: f64, v: f64, cells: u32) -> f64 {
    let cells = f64::from(cells);
    ((u * cells).floor() + (v * cells).floor()).rem_euclid(2.0)
}

/// 1 in the joints between bricks that are twice as wide as high, 0 inside, rising over a short way. Every second row
/// is shifted by half a brick.
fn mortar(u: f64, v: f64, across: f64) -> f64 {
    let row = (v * across * 2.0).floor();
    let x = (u * across + row.rem_euclid(2.0) / 2.0).rem_euclid(1.0);
    let y = v * across * 2.0 - row;
    // In heights of bricks.
    let distance = (x.min(1.0 - x) * 2.0).min(y.min(1.0 - y));
    1.0 - smooth(((distance - 0.04) / 0.05).clamp(0.0, 1.0))
}

fn mix(a: f64, b: f64, t: f64) -> f64 {
    a + (b - a) * t
}

/// 3x² - 2x³: flat at 0 and 1.
fn smooth(x: f64) -> f64 {
    x * x * (3.0 - 2.0 * x)
}

/// A colour as bytes, rounded to nearest; NaN is 0.
pub fn bytes(color: Color) -> [u8; 4] {
    color.map(|component| (component * 255.0 + 0.5) as u8)
}

/// Random values at the corners of a grid, smooth between them, from 0 to 1; repeats after `period` cells.
fn value(x: f64, y: f64, period: u32, seed: u32) -> f64 {
    // Whole numbers: where the host divides floats in software, their remainder is most of what a texture takes.
    let place = |at: f64| (at.floor() as i64).rem_euclid(i64::from(period.max(1))) as u32;
    let ([left, right], [top, bottom]) = ([x, x + 1.0].map(place), [y, y + 1.0].map(place));
    let corner = |x: u32, y: u32| f64::from(hash(x, y, seed)) / f64::from(u32::MAX);
    let (across, down) = (smooth(x - x.floor()), smooth(y - y.floor()));
    let above = mix(corner(left, top), corner(right, top), across);
    let below = mix(corner(left, bottom), corner(right, bottom), across);
    mix(above, below, down)
}

/// Four octaves of value noise, each twice as fine and half as strong as the one before, from 0 to 1. Repeats after
/// `period` cells in x and y.
pub fn fractal(x: f64, y: f64, period: u32, seed: u32) -> f64 {
    let octave = |k: u32| {
        let scale = f64::from(1u32 << k);
        value(x * scale, y * scale, period.saturating_mul(1 << k), seed.wrapping_add(k)) / scale
    };
    (octave(0) + octave(1) + octave(2) + octave(3)) / 1.875
}

/// Scatters its arguments over 32 bits: multiplications by odd numbers, with the high bits folded into the low ones.
fn hash(x: u32, y: u32, seed: u32) -> u32 {
    let mut h = seed.wrapping_mul(0x9e37_79b9) ^ x.wrapping_mul(0x85eb_ca6b) ^ y.wrapping_mul(0xc2b2_ae35);
    for _ in 0..2 {
        h = (h ^ h >> 15).wrapping_mul(0x2c1b_3c6d);
    }
    h ^ h >> 16
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLORS: [Color; 2] = [[1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.5]];

    #[test]
    fn gradients_and_solids_by_hand() {
        let image = draw(Pattern::Gradient, 1, 2, COLORS).unwrap();
        // Centres at 1/4 and 3/4: 191.25 and 63.75 of red, alpha 0.875 and 0.625.
        assert_eq!(image.pixels(), [[191, 0, 64, 223], [64, 0, 191, 159]]);
        assert_eq!(draw(Pattern::Solid, 1, 1, COLORS).unwrap().pixels(), [[255, 0, 0, 255]]);
        assert_eq!(bytes([f64::NAN, -1.0, 2.0, 0.5]), [0, 0, 255, 128]);
    }

    #[test]
    fn uv_shows_the_coordinates() {
        let image = draw(Pattern::Uv(1), 2, 2, COLORS).unwrap();
        assert_eq!(image.get(1, 0), Some([191, 64, 64, 255]));
        assert_eq!(image.get(0, 1), Some([64, 191, 64, 255]));
        // Of two cells every second one has three quarters of the light: (191.25, 63.75, 63.75) × 3/4.
        let image = draw(Pattern::Uv(2), 2, 2, COLORS).unwrap();
        assert_eq!([image.get(0, 0), image.get(1, 0)], [[64, 64, 64, 255], [143, 48, 48, 255]].map(Some));
    }

    #[test]
    fn bricks_are_shifted_row_by_row() {
        let image = draw(Pattern::Bricks(2), 64, 64, COLORS).unwrap();
        let (brick, mortar) = ([255, 0, 0, 255], [0, 0, 255, 128]);
        // A brick is 32 × 16; joints are 0 and 32 in the first row, 16 and 48 in the second.
        assert_eq!([image.get(0, 8), image.get(16, 8), image.get(32, 8)], [mortar, brick, mortar].map(Some));
        assert_eq!(
            [image.get(0, 24), image.get(16, 24), image.get(32, 24)],
            [brick, mortar, brick].map(Some)
        );
        assert_eq!(image.get(16, 0), Some(mortar));
    }

    #[test]
    fn a_glow_is_bright_in_the_middle_and_dark_at_the_border() {
        let image = draw(Pattern::Glow, 65, 65, COLORS).unwrap();
        assert_eq!(image.get(32, 32), Some([255, 0, 0, 255]));
        assert_eq!(image.get(0, 0), Some([0, 0, 255, 128]));
        // Of 10 × 10 pixels that at (7, 7) is at (1/2, 1/2) from the middle, r = √½: 3r² - 2r³ = 0.7929 of the second colour.
        let image = draw(Pattern::Glow, 10, 10, COLORS).unwrap();
        assert_eq!(image.get(7, 7), Some([53, 0, 202, 154]));
    }

    #[test]
    fn noise_has_no_seam_and_no_bias() {
        // Each octave has corners of its own, by the seeds that follow.
        let octaves = [(1, 7), (2, 8), (4, 9), (8, 10)];
        let sum: f64 = octaves.iter().map(|&(k, seed)| value(0.0, 0.0, 4 * k, seed) / f64::from(k)).sum();
        assert_eq!(fractal(0.0, 0.0, 4, 7), sum / 1.875);
        for (x, y) in [(0.3, 0.7), (2.2, 3.9), (1.0, 1.0)] {
            assert!((fractal(x, y, 4, 7) - fractal(x + 4.0, y + 8.0, 4, 7)).abs() < 1e-12);
            assert!((fractal(x, y, 4, 7) - fractal(x + 1e-6, y, 4, 7)).abs() < 1e-4);
        }
        let samples: Vec<f64> = (0..10_000)
            .map(|i| fractal(f64::from(i % 100) * 0.37, f64::from(i / 100) * 0.41, 64, 3))
            .collect();
        let mean = samples.iter().sum::<f64>() / samples.len() as f64;
        assert!((mean - 0.5).abs() < 0.03, "{mean}");
        assert!(samples.iter().all(|sample| (0.0..=1.0).contains(sample)));
        let low = samples.iter().filter(|&&sample| sample < 0.35).count();
        let high = samples.iter().filter(|&&sample| sample > 0.65).count();
        assert!(low > 500 && high > 500, "{low} {high}");
        assert_ne!(fractal(0.5, 0.5, 4, 1), fractal(0.5, 0.5, 4, 2));
    }
}

//! Brightness and two colour differences in planes: YUV 4:2:0.

use crate::image::Image;
use crate::size::{SizeError, collected};

/// The size is even and the bytes fit it; [`Format::decode`](super::Format::decode) has looked.
pub(crate) fn decode(width: u32, height: u32, bytes: &[u8]) -> Result<Vec<[u8; 4]>, SizeError> {
    let (width, height) = (width as usize, height as usize);
    let (brightness, colors) = bytes.split_at(width * height);
    let (blue, red) = colors.split_at(width * height / 4);
    let texel = |at: usize| {
        let (x, y) = (at % width, at / width);
        let square = y / 2 * (width / 2) + x / 2;
        rgb(brightness[at], blue[square], red[square])
    };
    collected(width * height, (0..width * height).map(texel))
}

/// In 64ths, in which the formula has whole coefficients; rounded to nearest, halves up.
fn rgb(y: u8, blue: u8, red: u8) -> [u8; 4] {
    let [y, blue, red] = [i32::from(y), i32::from(blue) - 128, i32::from(red) - 128];
    let byte = |sixty_fourths: i32| ((sixty_fourths + 32) >> 6).clamp(0, 255) as u8;
    [byte(64 * y + 90 * red), byte(64 * y - 22 * blue - 46 * red), byte(64 * y + 113 * blue), 255]
}

pub(crate) fn encode(image: &Image) -> Result<Vec<u8>, SizeError> {
    let (width, height) = (image.width() as usize, image.height() as usize);
    let pixels = image.pixels();
    let squares = || (0..height / 2).flat_map(|row| (0..width / 2).map(move |x| 2 * row * width + 2 * x));
    let mean = |at: usize, difference: &dyn Fn([u8; 4]) -> f64| {
        [at, at + 1, at + width, at + width + 1].map(|at| difference(pixels[at])).iter().sum::<f64>() / 4.0
    };
    let blue = |pixel: [u8; 4]| (f64::from(pixel[2]) - brightness(pixel)) * 64.0 / 113.0;
    let red = |pixel: [u8; 4]| (f64::from(pixel[0]) - brightness(pixel)) * 32.0 / 45.0;
    let bytes = pixels.iter().map(|&pixel| byte(brightness(pixel)));
    let bytes = bytes.chain(squares().map(|at| byte(mean(at, &blue) + 128.0)));
    collected(pixels.len() / 2 * 3, bytes.chain(squares().map(|at| byte(mean(at, &red) + 128.0))))
}

/// The Y for which the decoder's three formulas hold at once: with B and R eliminated from that of green,
/// G = Y - 22/113 (blue - Y) - 23/45 (red - Y).
fn brightness([red, green, blue, _]: [u8; 4]) -> f64 {
    const RED: f64 = 23.0 / 45.0;
    const BLUE: f64 = 22.0 / 113.0;
    (f64::from(green) + RED * f64::from(red) + BLUE * f64::from(blue)) / (1.0 + RED + BLUE)
}

fn byte(value: f64) -> u8 {
    (value + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        assert_eq!(rgb(100, 128, 128), [100, 100, 100, 255]);
        // R = 32: red 100 + 45, green 100 - 23. B = 64: blue 100 + 113, green - 22.
        assert_eq!(rgb(100, 192, 160), [145, 55, 213, 255]);
        // R = 1: 45/32 = 1.41, 23/32 = 0.72. B = -1: 11/32 = 0.34, 113/64 = 1.77.
        assert_eq!(rgb(100, 128, 129), [101, 99, 100, 255]);
        assert_eq!(rgb(100, 127, 128), [100, 100, 98, 255]);
        // Halves go up: R = 16 is 22.5 of red and -11.5 of green, B = 32 is 56.5 of blue and -11 of green.
        assert_eq!(rgb(100, 128, 144), [123, 89, 100, 255]);
        assert_eq!(rgb(100, 160, 128), [100, 89, 157, 255]);
        assert_eq!(rgb(255, 255, 255), [255, 120, 255, 255]);
        assert_eq!(rgb(0, 0, 0), [0, 136, 0, 255]);
    }

    #[test]
    fn planes_and_squares() {
        let bytes = [1, 2, 3, 4, 5, 6, 7, 8, 128, 192, 128, 128];
        let texels = decode(4, 2, &bytes).unwrap();
        assert_eq!(texels[0], [1, 1, 1, 255]);
        assert_eq!(texels[5], [6, 6, 6, 255]);
        // The right-hand square has B = 64.
        assert_eq!(texels[2], [3, 0, 116, 255]);
        assert_eq!(texels[7], [8, 0, 121, 255]);
    }

    #[test]
    fn there_and_back() {
        // One colour per square comes back but for rounding: half a step of brightness and 113/128 of a blue one.
        let colors = [[200, 30, 60, 255], [10, 240, 90, 255], [128, 128, 128, 255], [255, 255, 255, 255]];
        let image = Image::from_pixels(8, 2, (0..16).map(|at| colors[at % 8 / 2]).collect()).unwrap();
        let texels = decode(8, 2, &encode(&image).unwrap()).unwrap();
        for (a, b) in image.pixels().iter().zip(&texels) {
            for component in 0..4 {
                assert!(a[component].abs_diff(b[component]) <= 2, "{a:?} {b:?}");
            }
        }
    }
}

//! Pictures for terminals that show more than letters: in kitty's protocol, or as sixels.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use gpuzoo::machine::session::Picture;
use ratatui::layout::Rect;
use std::collections::BTreeMap;
use std::fmt::Write;

/// How a terminal takes pictures.
///
/// ```
/// use gpuzoo_tui::Graphics;
/// assert_eq!(Graphics::of_answer(b"\x1b_Gi=31;OK\x1b\\\x1b[?62;c"), Some(Graphics::Kitty));
/// assert_eq!(Graphics::of_answer(b"\x1b[?62;4;22c"), Some(Graphics::Sixel));
/// assert_eq!(Graphics::of_answer(b"\x1b[?1;2c"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Graphics {
    /// kitty's graphics protocol.
    Kitty,
    /// Sixels, of 216 colours.
    Sixel,
}

/// The number by which kitty knows the picture.
const NUMBER: u32 = 31;
/// The most letters of a piece of a picture, by kitty's protocol.
const PIECE: usize = 4096;
/// The most pixels in a direction: more take long on their way, and show nothing more.
const MOST: u32 = 960;
/// Steps of a colour's part in the 216.
const STEPS: u32 = 6;

impl Graphics {
    /// What asks a terminal: whether it knows kitty's protocol, and what else it is, which all answer.
    pub const QUESTION: &'static str = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[c";

    /// True if an answer is there as a whole.
    pub fn is_answered(answer: &[u8]) -> bool {
        attributes(answer).is_some()
    }

    /// What the answer to [`QUESTION`](Graphics::QUESTION) says.
    pub fn of_answer(answer: &[u8]) -> Option<Graphics> {
        if answer.windows(9).any(|part| part == b"_Gi=31;OK") {
            return Some(Graphics::Kitty);
        }
        let has_sixels = attributes(answer)?.split(';').any(|attribute| attribute == "4");
        has_sixels.then_some(Graphics::Sixel)
    }

    /// What shows a picture in some letters' place, each of so many pixels, with the marked pixel crossed.
    pub fn show(self, picture: &Picture, place: Rect, (width, height): (u16, u16)) -> String {
        let mut text = format!("\x1b[{};{}H", place.y + 1, place.x + 1);
        let size = [(place.width, width), (place.height, height)]
            .map(|(count, pixels)| (u32::from(count) * u32::from(pixels)).clamp(1, MOST));
        let pixels = scaled(picture, size);
        match self {
            Graphics::Kitty => kitty(&mut text, &pixels, size, place),
            Graphics::Sixel => sixels(&mut text, &pixels, size),
        }
        text
    }

    /// What takes it away; none for sixels, over which letters are written.
    pub fn hide(self) -> Option<String> {
        (self == Graphics::Kitty).then(|| format!("\x1b_Ga=d,d=I,i={NUMBER},q=2\x1b\\"))
    }
}

/// The attributes that a terminal says it has: `62;4` of `ESC [ ? 62;4 c`.
fn attributes(answer: &[u8]) -> Option<&str> {
    let start = answer.windows(3).position(|part| part == b"\x1b[?")? + 3;
    let length = answer[start..].iter().position(|byte| *byte == b'c')?;
    std::str::from_utf8(&answer[start..start + length]).ok()
}

/// The picture in another size, each pixel the nearest, with a cross around the marked one.
fn scaled(picture: &Picture, [width, height]: [u32; 2]) -> Vec<[u8; 3]> {
    let (own_width, own_height) = (picture.image.width(), picture.image.height());
    let at = |to: u32, count: u32, own: u32| (u64::from(to) * u64::from(own) / u64::from(count)) as u32;
    let mut pixels = Vec::with_capacity(width as usize * height as usize);
    for y in 0..height {
        for x in 0..width {
            let pixel = picture.image.get(at(x, width, own_width), at(y, height, own_height));
            let [red, green, blue, _] = pixel.unwrap_or_default();
            pixels.push([red, green, blue]);
        }
    }
    if let Some((x, y)) = picture.mark {
        let middle = |to: u32, count: u32, own: u32| {
            (u64::from(to) * 2 + 1) as i64 * i64::from(count) / (2 * i64::from(own.max(1)))
        };
        let (x, y) = (middle(x, width, own_width), middle(y, height, own_height));
        for far in 3..=12i64 {
            let color = if far % 2 == 0 { [0; 3] } else { [255; 3] };
            for (x, y) in [(x - far, y), (x + far, y), (x, y - far), (x, y + far)] {
                if (0..i64::from(width)).contains(&x) && (0..i64::from(height)).contains(&y) {
                    pixels[(y * i64::from(width) + x) as usize] = color;
                }
            }
        }
    }
    pixels
}

fn kitty(text: &mut String, pixels: &[[u8; 3]], [width, height]: [u32; 2], place: Rect) {
    let encoded = BASE64_STANDARD.encode(pixels.as_flattened());
    let count = encoded.len().div_ceil(PIECE);
    for (number, piece) in encoded.as_bytes().chunks(PIECE).enumerate() {
        let more = u8::from(number + 1 < count);
        let _ = match number {
            0 => write!(
                text,
                "\x1b_Ga=T,i={NUMBER},p=1,q=2,C=1,f=24,s={width},v={height},c={},r={},m={more};",
                place.width, place.height
            ),
            _ => write!(text, "\x1b_Gm={more};"),
        };
        text.push_str(std::str::from_utf8(piece).unwrap_or_default());
        text.push_str("\x1b\\");
    }
}

/// The number of a colour's nearest among 216.
fn number([red, green, blue]: [u8; 3]) -> u32 {
    let step = |byte: u8| (u32::from(byte) * (STEPS - 1) + 127) / 255;
    (step(red) * STEPS + step(green)) * STEPS + step(blue)
}

fn sixels(text: &mut String, pixels: &[[u8; 3]], [width, height]: [u32; 2]) {
    let colors: Vec<u32> = pixels.iter().map(|pixel| number(*pixel)).collect();
    let _ = write!(text, "\x1bP0;1;0q\"1;1;{width};{height}");
    let mut is_used = [false; (STEPS * STEPS * STEPS) as usize];
    colors.iter().for_each(|color| is_used[*color as usize] = true);
    let used = || (0..).zip(is_used).filter(|(_, is_used)| *is_used).map(|(color, _): (u32, _)| color);
    for color in used() {
        // In per cent.
        let part = |divisor: u32| color / divisor % STEPS * 100 / (STEPS - 1);
        let _ = write!(text, "#{color};2;{};{};{}", part(STEPS * STEPS), part(STEPS), part(1));
    }
    let width = width as usize;
    for band in colors.chunks(6 * width) {
        // For each colour its rows in each column, as bits.
        let mut rows: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
        for (row, line) in band.chunks(width).enumerate() {
            for (x, color) in line.iter().enumerate() {
                rows.entry(*color).or_insert_with(|| vec![0; width])[x] |= 1 << row;
            }
        }
        for (color, columns) in rows {
            let _ = write!(text, "#{color}");
            for run in columns.chunk_by(|one, other| one == other) {
                let letter = char::from(63 + run[0]);
                let _ = match run.len() {
                    1..=3 => write!(text, "{}", letter.to_string().repeat(run.len())),
                    count => write!(text, "!{count}{letter}"),
                };
            }
            text.push('$');
        }
        text.push('-');
    }
    text.push_str("\x1b\\");
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuzoo::raster::Image;

    fn picture() -> Picture {
        // Red, blue; blue, red.
        let (red, blue) = ([255, 0, 0, 255], [0, 0, 255, 255]);
        Picture { image: Image::from_pixels(2, 2, vec![red, blue, blue, red]).unwrap(), mark: None }
    }

    /// By kitty's documentation: 2 × 2 pixels of 24 bits, shown in 2 × 1 letters, without an answer and without moving the cursor.
    #[test]
    fn kitty_gets_pixels_in_base64() {
        let text = Graphics::Kitty.show(&picture(), Rect::new(4, 2, 2, 1), (1, 2));
        let data = "/wAAAAD/AAD//wAA";
        let head = "\x1b[3;5H\x1b_Ga=T,i=31,p=1,q=2,C=1,f=24,s=2,v=2,c=2,r=1,m=0;";
        assert_eq!(text, format!("{head}{data}\x1b\\"));
        let large = Graphics::Kitty.show(&picture(), Rect::new(0, 0, 40, 20), (8, 16));
        let pieces: Vec<&str> = large.split("\x1b\\").filter(|piece| !piece.is_empty()).collect();
        assert_eq!(pieces.len(), (320 * 320 * 4usize).div_ceil(PIECE));
        assert!(pieces[1].starts_with("\x1b_Gm=1;") && pieces[pieces.len() - 1].starts_with("\x1b_Gm=0;"));
    }

    /// A band of two rows: red is 180 with bit 0 in the first column and bit 1 in the second, blue is 5 the other way round.
    #[test]
    fn sixels_are_bands_of_colors() {
        let text = Graphics::Sixel.show(&picture(), Rect::new(0, 0, 2, 1), (1, 2));
        let colors = "#5;2;0;0;100#180;2;100;0;0";
        assert_eq!(text, format!("\x1b[1;1H\x1bP0;1;0q\"1;1;2;2{colors}#5A@$#180@A$-\x1b\\"));
        let wide = Graphics::Sixel.show(&picture(), Rect::new(0, 0, 10, 1), (1, 1));
        assert!(wide.contains("#180!5@!5?$"), "{wide}");
    }

    #[test]
    fn the_marked_pixel_is_crossed() {
        let image = Image::from_pixels(64, 64, vec![[9; 4]; 64 * 64]).unwrap();
        let pixels = scaled(&Picture { image, mark: Some((60, 30)) }, [64, 64]);
        let marked: Vec<usize> = (0..64).filter(|x| pixels[30 * 64 + x] != [9; 3]).collect();
        assert_eq!(marked, [48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 63]);
        assert_eq!(pixels[27 * 64 + 60], [255; 3]);
    }
}

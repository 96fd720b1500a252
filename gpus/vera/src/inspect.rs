//! Pictures of what is in VERA: its memory, a layer's tiles, the sprites and the palette.
//!
//! They show what is stored, not what is on the screen, so that an empty picture has an explanation.

use crate::sprites::Sprite;
use crate::{VRAM_BYTES, VRAM_MASK, Vera};

/// What to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The 128 KB, a byte for a pixel: 512 × 256, by the palette. Bitmaps of 320 pixels show as stripes, text as a
    /// pattern.
    Vram,
    /// The tiles of a layer (0 or 1) at its depth and size, 16 in a row; 256 of one bit, 1024 of more. Palette offset
    /// 0; one bit shows in the colours 0 and 1. A layer that is a bitmap shows that, 320 × 240 or 640 × 480.
    Tiles(usize),
    /// The 128 sprites in cells of 64 × 64, 16 in a row, at their size, depth, palette offset and flips. Those that are
    /// off (Z is 0) are dimmed to a quarter.
    Sprites,
    /// The 256 colours as squares of 16 × 16 pixels, 16 in a row.
    Palette,
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Red, green, blue and alpha, row by row. What is transparent has alpha 0.
    pub pixels: Vec<[u8; 4]>,
}

const TILES_IN_A_ROW: usize = 16;
const CELL: usize = 64;
const SWATCH: usize = 16;
const CLEAR: [u8; 4] = [0; 4];

impl View {
    /// The picture. Layers other than 0 count as 1.
    pub fn image(self, vera: &Vera) -> Image {
        match self {
            View::Vram => {
                let colors = vera.vram.iter().map(|byte| vera.palette.rgba(*byte));
                Image { width: 512, height: VRAM_BYTES / 512, pixels: colors.collect() }
            }
            View::Tiles(layer) => tiles(vera, layer.min(1)),
            View::Sprites => sprites(vera),
            View::Palette => Image::new(16 * SWATCH, 16 * SWATCH, |x, y| {
                vera.palette.rgba((y / SWATCH * 16 + x / SWATCH) as u8)
            }),
        }
    }
}

impl Image {
    fn new(width: usize, height: usize, pixel: impl Fn(usize, usize) -> [u8; 4]) -> Image {
        let pixel = &pixel;
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| pixel(x, y)));
        Image { width, height, pixels: pixels.collect() }
    }
}

/// Pixel `index` of a picture that starts at `base`; `depth` is log2 of its bits, most significant first.
fn sample(vera: &Vera, base: u32, index: usize, depth: u32) -> u8 {
    let bit = index << depth;
    let byte = vera.vram[((base + (bit >> 3) as u32) & VRAM_MASK) as usize];
    let bits = 1 << depth;
    let value = byte >> (8 - bits - (bit & 7));
    value & (0xff >> (8 - bits))
}

fn tiles(vera: &Vera, layer: usize) -> Image {
    let layer = &vera.layers[layer];
    let (depth, base) = (layer.depth(), layer.tile_base());
    let color = |index: usize| vera.palette.rgba(sample(vera, base, index, depth));
    if layer.is_bitmap() {
        let (width, height) = if layer.registers[2] & 1 == 0 { (320, 240) } else { (640, 480) };
        return Image::new(width, height, |x, y| color(y * width + x));
    }
    let (width, height) = layer.tile();
    let (width, height) = (1usize << width, 1usize << height);
    let count = if depth == 0 { 256 } else { 1024 };
    Image::new(TILES_IN_A_ROW * width, count / TILES_IN_A_ROW * height, |x, y| {
        let tile = y / height * TILES_IN_A_ROW + x / width;
        color((tile * height + y % height) * width + x % width)
    })
}

fn sprites(vera: &Vera) -> Image {
    let sprites: Vec<(Sprite, bool)> = vera.sprites.decoded().collect();
    Image::new(16 * CELL, 8 * CELL, |x, y| {
        let Some((sprite, is_on)) = sprites.get(y / CELL * 16 + x / CELL) else { return CLEAR };
        match sprite.pixel(&vera.vram, x % CELL, y % CELL) {
            None | Some(0) => CLEAR,
            Some(color) => {
                let [red, green, blue, alpha] = vera.palette.rgba(color);
                if *is_on { [red, green, blue, alpha] } else { [red / 4, green / 4, blue / 4, alpha] }
            }
        }
    })
}

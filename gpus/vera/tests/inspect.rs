//! Pictures of what is in VERA, pixels by hand.

use gpuzoo_vera::Vera;
use gpuzoo_vera::inspect::{Image, View};

fn pixel(image: &Image, x: usize, y: usize) -> [u8; 4] {
    image.pixels[y * image.width + x]
}

fn size(image: &Image) -> (usize, usize) {
    assert_eq!(image.pixels.len(), image.width * image.height);
    (image.width, image.height)
}

// Entries 0, 1, 2 and 6 of the power-on palette: $000, $FFF, $800, $00A.
const BLACK: [u8; 4] = [0, 0, 0, 255];
const WHITE: [u8; 4] = [255; 4];
const RED: [u8; 4] = [0x88, 0, 0, 255];
const BLUE: [u8; 4] = [0, 0, 0xaa, 255];

#[test]
fn the_memory_is_512_bytes_wide() {
    let mut vera = Vera::default();
    vera.vram_mut()[512 * 3 + 7] = 6;
    vera.vram_mut()[0x1ffff] = 1;
    let image = View::Vram.image(&vera);
    assert_eq!(size(&image), (512, 256));
    assert_eq!((pixel(&image, 7, 3), pixel(&image, 511, 255), pixel(&image, 8, 3)), (BLUE, WHITE, BLACK));
}

#[test]
fn the_palette_is_swatches() {
    let mut vera = Vera::default();
    // Entry $25: green $A, blue $5, red $F.
    for (register, value) in [(0x00, 0x4a), (0x01, 0xfa), (0x02, 0x11), (0x03, 0xa5), (0x03, 0x0f)] {
        vera.write(register, value);
    }
    let image = View::Palette.image(&vera);
    assert_eq!(size(&image), (256, 256));
    assert_eq!((pixel(&image, 15, 15), pixel(&image, 16, 15), pixel(&image, 32, 0)), (BLACK, WHITE, RED));
    assert_eq!(pixel(&image, 5 * 16, 2 * 16), [255, 0xaa, 0x55, 255]);
}

#[test]
fn tiles_have_their_layers_size_and_depth() {
    let mut vera = Vera::default();
    // Layer 1: 4 bpp, tiles of 16 × 8 at $0800: 64 bytes each, 8 a row.
    vera.write(0x14, 2);
    vera.write(0x16, 0x0800u32.wrapping_shr(9) as u8 | 1);
    let tile = 0x800 + 17 * 64 + 3 * 8;
    vera.vram_mut()[tile..tile + 2].copy_from_slice(&[0x16, 0x02]);
    let image = View::Tiles(1).image(&vera);
    assert_eq!(size(&image), (16 * 16, 64 * 8));
    // Tile 17 is the second of the second row.
    let row: Vec<_> = (0..5).map(|x| pixel(&image, 16 + x, 8 + 3)).collect();
    assert_eq!(row, [WHITE, BLUE, BLACK, RED, BLACK]);

    // Layer 0: one bit, 8 × 16, of which there are 256.
    vera.write(0x0d, 0);
    vera.write(0x0f, 2);
    vera.vram_mut()[15] = 0b1000_0001;
    let image = View::Tiles(0).image(&vera);
    assert_eq!(size(&image), (128, 256));
    assert_eq!((pixel(&image, 0, 15), pixel(&image, 1, 15), pixel(&image, 7, 15)), (WHITE, BLACK, WHITE));

    // 2 bpp: %00_01_10_11.
    vera.write(0x0d, 1);
    vera.write(0x0f, 0);
    vera.vram_mut()[0] = 0b0001_1011;
    let image = View::Tiles(0).image(&vera);
    assert_eq!(size(&image), (128, 512));
    assert_eq!([0, 1, 2].map(|x| pixel(&image, x, 0)), [BLACK, WHITE, RED]);
}

#[test]
fn a_bitmap_shows_as_itself() {
    let mut vera = Vera::default();
    vera.write(0x0d, 7);
    vera.vram_mut()[320 * 2 + 5] = 2;
    let image = View::Tiles(0).image(&vera);
    assert_eq!((size(&image), pixel(&image, 5, 2)), ((320, 240), RED));
    // 640 wide at 1 bpp: 80 bytes a row. What follows the end of the memory is its beginning.
    vera.write(0x0d, 4);
    vera.write(0x0f, 0xfc | 1);
    vera.vram_mut()[0x1f800 + 80] = 0x40;
    vera.vram_mut()[0] = 0x80;
    let image = View::Tiles(0).image(&vera);
    assert_eq!((size(&image), pixel(&image, 1, 1)), ((640, 480), WHITE));
    let at = 0x800 * 8;
    assert_eq!(pixel(&image, at % 640, at / 640), WHITE);
}

#[test]
fn sprites_stand_in_cells() {
    let mut vera = Vera::default();
    let mut sprite = |index: u32, bytes: [u8; 8]| {
        let [low, middle, high, _] = (0x1fc00 + index * 8).to_le_bytes();
        for (register, value) in [(0x00, low), (0x01, middle), (0x02, 0x10 | high)] {
            vera.write(register, value);
        }
        bytes.into_iter().for_each(|byte| vera.write(0x03, byte));
    };
    // 17: 8 bpp, 16 × 8 at $1000, in front. 18: the same, off. 19: both flips. 20: 4 bpp 8 × 8 at $2000, palette offset
    // 1.
    sprite(17, [0x80, 0x80, 9, 0, 9, 0, 0x0c, 0x10]);
    sprite(18, [0x80, 0x80, 9, 0, 9, 0, 0x00, 0x10]);
    sprite(19, [0x80, 0x80, 9, 0, 9, 0, 0x0f, 0x10]);
    sprite(20, [0x00, 0x01, 9, 0, 9, 0, 0x0c, 0x01]);
    vera.vram_mut()[0x1000..0x1003].copy_from_slice(&[2, 0, 1]);
    vera.vram_mut()[0x2000] = 0x0f;
    let image = View::Sprites.image(&vera);
    assert_eq!(size(&image), (1024, 512));
    let cell = |index: usize, x: usize, y: usize| pixel(&image, index % 16 * 64 + x, index / 16 * 64 + y);
    assert_eq!([0, 1, 2, 16].map(|x| cell(17, x, 0)), [RED, [0; 4], WHITE, [0; 4]]);
    assert_eq!((cell(18, 0, 0), cell(18, 2, 0)), ([0x22, 0, 0, 255], [63, 63, 63, 255]));
    assert_eq!((cell(19, 15, 7), cell(19, 13, 7), cell(19, 0, 0)), (RED, WHITE, [0; 4]));
    // Colour 15 with offset 1 is entry 31, the last of the greys.
    assert_eq!((cell(20, 0, 0), cell(20, 1, 0)), ([0; 4], WHITE));
}

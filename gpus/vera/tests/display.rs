//! The display composer: what DC_VIDEO switches, what lies over what, the window and the scales. All is what the specification says
//! (section 7).

use gpuzoo_vera::{HEIGHT, Vera, WIDTH};

const CTRL: u8 = 0x05;
const VIDEO: u8 = 0x09;
const HSCALE: u8 = 0x0a;
const VSCALE: u8 = 0x0b;
const BORDER: u8 = 0x0c;

/// A device with bitmaps of 8 bits in both layers: layer 0 at 0, layer 1 at $10000.
fn bitmaps() -> Vera {
    let mut vera = Vera::default();
    for (register, value) in [(0x0d, 7), (0x0f, 0), (0x14, 7), (0x16, 0x80), (VIDEO, 1)] {
        vera.write(register, value);
    }
    vera
}

/// Video memory as the CPU writes it, with the attributes of sprites.
fn store(vera: &mut Vera, address: u32, bytes: &[u8]) {
    let [low, middle, high, _] = address.to_le_bytes();
    for (register, value) in [(0, low), (1, middle), (2, 0x10 | high)] {
        vera.write(register, value);
    }
    bytes.iter().for_each(|byte| vera.write(3, *byte));
}

/// A sprite of 8 by 8 pixels of 8 bits, whose image is at $C000.
fn sprite(vera: &mut Vera, number: u32, [x, y]: [u16; 2], z: u8) {
    let ([x, x_high], [y, y_high]) = (x.to_le_bytes(), y.to_le_bytes());
    store(vera, 0x1_fc00 + 8 * number, &[0x00, 0x86, x, x_high, y, y_high, z << 2, 0]);
}

/// A whole picture, after the one in which the counters begin.
fn drawn(vera: &mut Vera) {
    vera.advance_frame();
    vera.advance_frame();
}

/// An entry of the palette as a pixel: green and blue, then red, of four bits each.
fn color(vera: &Vera, index: u8) -> [u8; 4] {
    let entry = &vera.palette()[2 * usize::from(index)..];
    let [red, green, blue] = [entry[1] & 15, entry[0] >> 4, entry[0] & 15].map(|part| part * 17);
    [red, green, blue, 255]
}

fn line(vera: &Vera, y: usize) -> &[[u8; 4]] {
    &vera.picture()[y * WIDTH..(y + 1) * WIDTH]
}

/// Sprites of Z 1, layer 0, sprites of Z 2, layer 1, sprites of Z 3 lie over each other; a sprite of Z 0 is off. In each group of eight columns are
/// all ways in which something may be there or not.
#[test]
fn each_bit_of_dc_video_switches_its_part() {
    let mut vera = bitmaps();
    let there = |bit: usize, index: u8| {
        (0..32).map(|x| if x >> bit & 1 != 0 { index } else { 0 }).collect::<Vec<u8>>()
    };
    store(&mut vera, 320 * 10, &there(0, 2));
    store(&mut vera, 0x1_0000 + 320 * 10, &there(1, 5));
    store(&mut vera, 0xc000, &[0, 0, 0, 0, 7, 7, 7, 7].repeat(8));
    (0..4).for_each(|z| sprite(&mut vera, z, [8 * z as u16, 10], z as u8));
    let [black, below, above, front] = [0, 2, 5, 7].map(|index| color(&vera, index));
    for switches in 0..8u8 {
        let [layer_0, layer_1, sprites] = [0, 1, 2].map(|bit| switches >> bit & 1 != 0);
        let expected: Vec<[u8; 4]> = (0..32)
            .map(|x| {
                let (z, sprite) = (x / 8, sprites && x & 4 != 0);
                match (layer_0 && x & 1 != 0, layer_1 && x & 2 != 0) {
                    _ if sprite && z == 3 => front,
                    (_, true) => above,
                    _ if sprite && z == 2 => front,
                    (true, _) => below,
                    _ if sprite && z == 1 => front,
                    _ => black,
                }
            })
            .collect();
        let mut plain = None;
        // Neither the chroma of a composite signal nor its number of lines is seen in this picture.
        for others in [0x00, 0x04, 0x08, 0x80] {
            vera.write(VIDEO, switches << 4 | others | 1);
            drawn(&mut vera);
            assert_eq!(line(&vera, 10)[..32], expected, "{switches:03b} {others:02x}");
            assert!(line(&vera, 9)[..320].iter().all(|pixel| *pixel == black));
            assert!(*plain.get_or_insert_with(|| vera.picture().to_vec()) == vera.picture());
        }
        vera.write(VIDEO, switches << 4);
        drawn(&mut vera);
        assert!(vera.picture().iter().all(|pixel| *pixel == [0, 0, 0, 255]), "no output");
    }
}

#[test]
fn dc_video_is_read_as_it_was_written() {
    let mut vera = Vera::default();
    assert_eq!(vera.peek(VIDEO), 8, "240P after a reset");
    for value in 0..=0xff {
        vera.write(VIDEO, value);
        assert_eq!(vera.peek(VIDEO) & 0x7f, value & 0x7f);
    }
    // Those of the other banks are not touched.
    vera.write(CTRL, 2);
    assert_eq!([0x09, 0x0a, 0x0b, 0x0c].map(|at| vera.peek(at)), [0, 160, 0, 240]);
}

/// The active window in pixels and lines: outside of it is the border, and inside it begins with the first column and row.
#[test]
fn the_window_has_four_edges() {
    for [left, right, top, bottom] in [
        [0, 160, 0, 240],
        [1, 160, 0, 240],
        [0, 159, 0, 240],
        [0, 160, 1, 240],
        [0, 160, 0, 239],
        [20, 100, 10, 200],
        [50, 50, 0, 240],
    ] {
        let mut vera = bitmaps();
        // Four bits, so that all rows are in the memory.
        store(&mut vera, 0, &[0x20]);
        for (register, value) in [
            (0x0d, 6),
            (VIDEO, 0x11),
            (BORDER, 6),
            (CTRL, 2),
            (9, left),
            (10, right),
            (11, top),
            (12, bottom),
        ] {
            vera.write(register, value);
        }
        drawn(&mut vera);
        let [black, dot, border] = [0, 2, 6].map(|index| color(&vera, index));
        let [left, right] = [left, right].map(|edge| 4 * usize::from(edge));
        let [top, bottom] = [top, bottom].map(|edge| 2 * usize::from(edge));
        for y in 0..HEIGHT {
            for (x, pixel) in line(&vera, y).iter().enumerate().take(320 + left) {
                let expected = match (left..right).contains(&x) && (top..bottom).contains(&y) {
                    false => border,
                    true if (x, y) == (left, top) => dot,
                    true => black,
                };
                assert_eq!(*pixel, expected, "{x},{y} of {left}..{right}, {top}..{bottom}");
            }
            assert!(line(&vera, y)[right..].iter().all(|pixel| *pixel == border));
        }
    }
}

/// Column (x - HSTART) × HSCALE / 128; behind the last one, where no layer is, the palette's first entry.
#[test]
fn columns_are_scaled() {
    for start in [0u8, 20] {
        for scale in [0u8, 1, 63, 64, 100, 127, 128, 129, 200, 255] {
            let mut vera = bitmaps();
            let row: Vec<u8> = (0..640).map(|column| 1 + (column % 255) as u8).collect();
            store(&mut vera, 0, &row);
            // 640 columns, of which the first row is drawn again and again.
            for (register, value) in
                [(0x0f, 1), (VIDEO, 0x11), (HSCALE, scale), (VSCALE, 0), (CTRL, 2), (9, start), (CTRL, 0)]
            {
                vera.write(register, value);
            }
            drawn(&mut vera);
            let left = 4 * usize::from(start);
            for (x, pixel) in line(&vera, 100).iter().enumerate().skip(left) {
                let column = ((x - left) * usize::from(scale)) >> 7;
                let expected = row.get(column).copied().unwrap_or(0);
                assert_eq!(*pixel, color(&vera, expected), "{x} with {scale} from {left}");
            }
        }
    }
}

/// Row (y - VSTART) × VSCALE / 128, up to the last one.
#[test]
fn rows_are_scaled() {
    for start in [0u8, 15] {
        for scale in [0u8, 1, 64, 100, 128, 129, 255] {
            let mut vera = bitmaps();
            // Four bits: 160 bytes a row, in which the first pixel tells its number.
            for row in 0..480 {
                store(&mut vera, 160 * row, &[(1 + row % 15) as u8 * 0x10]);
            }
            for (register, value) in
                [(0x0d, 6), (VIDEO, 0x11), (VSCALE, scale), (CTRL, 2), (11, start), (CTRL, 0)]
            {
                vera.write(register, value);
            }
            drawn(&mut vera);
            let top = 2 * usize::from(start);
            for y in top..HEIGHT {
                let row = ((y - top) * usize::from(scale)) >> 7;
                if row < 480 {
                    assert_eq!(
                        line(&vera, y)[0],
                        color(&vera, 1 + (row % 15) as u8),
                        "{y} with {scale} from {top}"
                    );
                }
            }
        }
    }
}

/// With HSCALE above 128 the counter stops at column 640 or 641, where only sprites write, and nobody erases; not where they are off.
#[test]
fn sprites_over_the_right_edge_smear() {
    let mut vera = bitmaps();
    store(&mut vera, 0xc000, &[3, 4, 5, 7, 8, 9, 10, 11].repeat(8));
    sprite(&mut vera, 0, [638, 10], 1);
    vera.write(HSCALE, 255);
    for (sprites, index) in [(0x40, 7), (0x00, 0)] {
        vera.write(VIDEO, sprites | 1);
        drawn(&mut vera);
        // Column 639 is that of x 321; the next one is 641.
        let expected = color(&vera, index);
        for y in [10, 17, 18, 400] {
            assert!(line(&vera, y)[322..].iter().all(|pixel| *pixel == expected), "line {y}");
        }
        let inside = if sprites == 0 { 0 } else { 4 };
        assert_eq!((line(&vera, 12)[321], line(&vera, 18)[321]), (color(&vera, inside), color(&vera, 0)));
    }
}

//! The driver of the frame buffer, pixel by pixel. What it does is that of `graphics/drivers/framebuffer.s` in x16-rom 251608b.

use crate::graphics::{Calls, FRAME_BUFFER};
use crate::kernal::ran;
use crate::machine::machine;
use gpuzoo_x16::{Ending, Limits, X16};

const SET_PALETTE: u16 = 0xfefc;
const CURSOR_POSITION: u16 = 0xfeff;
const CURSOR_NEXT_LINE: u16 = 0xff02;
const GET_PIXELS: u16 = 0xff08;
const SET_PIXEL: u16 = 0xff0b;
const SET_PIXELS: u16 = 0xff0e;
const SET_8_PIXELS: u16 = 0xff11;
const SET_8_PIXELS_OPAQUE: u16 = 0xff14;
const FILL_PIXELS: u16 = 0xff17;
const MOVE_PIXELS: u16 = 0xff1d;

/// Where the memory is that pixels are taken from.
const MEMORY: u16 = 0x6000;

fn called(calls: &Calls, before: impl FnOnce(&mut X16)) -> X16 {
    let mut machine = machine(&calls.text());
    before(&mut machine);
    let ending = machine.run(&Limits::frames(200));
    assert!(matches!(ending, Ending::Stopped { .. }), "{ending:?}");
    machine
}

fn poke_all(machine: &mut X16, at: u16, bytes: &[u8]) {
    for (at, byte) in (at..).zip(bytes) {
        machine.poke(at, *byte);
    }
}

fn some(count: usize) -> Vec<u8> {
    (0..count).map(|at| (at * 5 + 3) as u8).collect()
}

/// The frame buffer as it begins, white, with pixels in it.
fn with(pixels: impl IntoIterator<Item = (usize, u8)>) -> Vec<u8> {
    let mut all = vec![1; FRAME_BUFFER];
    pixels.into_iter().for_each(|(at, pixel)| all[at] = pixel);
    all
}

fn assert_pixels(machine: &X16, expected: &[u8], what: &str) {
    let pixels = &machine.vera().vram()[..FRAME_BUFFER];
    let differs = pixels.iter().zip(expected).position(|(one, other)| one != other);
    assert_eq!(differs, None, "{what}");
}

/// So many pixels, each a step behind the one before; then the cursor is a step behind the last one, and moves on by one. Steps that VERA
/// has, and others; over the ends of 8 and of 16 bits of the address.
#[test]
fn pixels_are_filled_in_steps() {
    let steps = (0..10)
        .chain([15, 16, 17, 32, 33, 40, 63, 64, 65, 80, 127, 128, 160, 161, 255, 256, 257])
        .chain([319, 320, 321, 511, 512, 513, 639, 640, 641, 1000]);
    for step in steps {
        for (x, y) in [(5u16, 3u16), (100, 204)] {
            let start = usize::from(y) * 320 + usize::from(x);
            for count in [1, 20] {
                let (pixels, distance) = (usize::from(count), usize::from(step.max(1)));
                let next = start + pixels * distance;
                if next + 1 >= FRAME_BUFFER {
                    continue;
                }
                let mut calls = Calls::new();
                calls.call(CURSOR_POSITION, &[x, y]);
                calls.row(FILL_PIXELS, [0x55, 0, 0], 0, &[count, step]);
                let mut expected = with((0..pixels).map(|at| (start + at * distance, 0x55)));
                // The pixel behind the last one is as it was.
                assert_pixels(&called(&calls, |_| {}), &expected, &format!("{count} by {step} from {x},{y}"));
                calls.with(SET_PIXEL, 0x99, 0, 0);
                calls.with(SET_PIXEL, 0x98, 0, 0);
                (expected[next], expected[next + 1]) = (0x99, 0x98);
                assert_pixels(
                    &called(&calls, |_| {}),
                    &expected,
                    &format!("behind {count} by {step} from {x},{y}"),
                );
            }
        }
    }
    // None, where VERA counts.
    let mut calls = Calls::new();
    for step in [0, 1, 2, 320] {
        calls.row(FILL_PIXELS, [0x55, 0, 0], 0, &[0, step]);
    }
    assert_pixels(&called(&calls, |_| {}), &with([]), "none");
}

/// From column 256 of line 204 on the address has bit 16, and 3 is no step of VERA's.
#[test]
fn the_last_lines_are_filled_in_steps() {
    let mut calls = Calls::new();
    calls.call(CURSOR_POSITION, &[5, 210]);
    calls.row(FILL_PIXELS, [0x55, 0, 0], 0, &[4, 3]);
    let expected = with((0..4).map(|at| (320 * 210 + 5 + 3 * at, 0x55)));
    assert_pixels(&called(&calls, |_| {}), &expected, "line 210");
}

/// Pixels from memory and to it; 0 are 256.
#[test]
fn pixels_go_to_and_from_memory() {
    for count in [1u16, 2, 255, 256, 257, 300, 511, 513, 0] {
        let pixels = if count == 0 { 256 } else { usize::from(count) };
        let block = some(pixels + 1);
        let mut calls = Calls::new();
        calls.call(CURSOR_POSITION, &[200, 100]);
        calls.call(SET_PIXELS, &[MEMORY, count]);
        calls.with(SET_PIXEL, 0x99, 0, 0);
        calls.call(CURSOR_POSITION, &[200, 100]);
        calls.call(GET_PIXELS, &[0x7000, count]);
        let machine = called(&calls, |machine| poke_all(machine, MEMORY, &block));
        let start = 320 * 100 + 200;
        let shown = (start..).zip(block[..pixels].iter().copied());
        assert_pixels(&machine, &with(shown.chain([(start + pixels, 0x99)])), &format!("{count}"));
        let back: Vec<u8> = (0x7000..).take(pixels + 1).map(|at| machine.peek(at)).collect();
        assert_eq!((&back[..pixels], back[pixels]), (&block[..pixels], 0), "{count}");
        // The registers stay.
        assert_eq!([2, 3, 4, 5].map(|at| machine.peek(at)), [0, 0x70, count as u8, (count >> 8) as u8]);
    }
}

/// Behind $BFFF the next bank of RAM goes on; the bank is as before.
#[test]
fn pixels_come_from_several_banks() {
    let mut calls = Calls::new();
    calls.call(CURSOR_POSITION, &[0, 0]);
    calls.call(SET_PIXELS, &[0xbff0, 0x20]);
    calls.call(SET_PIXELS, &[0xbfff, 2]);
    calls.call(SET_PIXELS, &[0xbffd, 3]);
    let machine = called(&calls, |machine| {
        for (bank, at, byte) in [(7, 0xbff0, 0x20), (8, 0xa000, 0x40)] {
            machine.poke(0, bank);
            poke_all(machine, at, &(byte..byte + 16).collect::<Vec<u8>>());
        }
        machine.poke(0, 7);
    });
    let expected: Vec<u8> = (0x20..0x30).chain(0x40..0x50).chain([0x2f, 0x40, 0x2d, 0x2e, 0x2f]).collect();
    assert_eq!((&machine.vera().vram()[..expected.len()], machine.peek(0)), (&expected[..], 7));
}

/// Where A has a 1 is a pixel, the highest bit first; eight are passed by in any case.
#[test]
fn eight_pixels_have_a_mask_and_a_pattern() {
    const MASKS: [u8; 10] = [0x00, 0x01, 0x80, 0xff, 0x0f, 0xf0, 0xa5, 0x7e, 0x81, 0x40];
    let pixels = |mask: u8, from: usize, color: &dyn Fn(u8) -> u8| -> Vec<(usize, u8)> {
        (0..8).filter(|at| mask << at & 0x80 != 0).map(|at| (from + at, color(at as u8))).collect()
    };
    let (mut plain, mut opaque) = (Calls::new(), Calls::new());
    let (mut of_plain, mut of_opaque) = (Vec::new(), Vec::new());
    for calls in [&mut plain, &mut opaque] {
        calls.call(CURSOR_POSITION, &[12, 0]);
    }
    for (at, mask) in MASKS.into_iter().enumerate() {
        plain.with(SET_8_PIXELS, mask, 0x33, 0x44);
        of_plain.extend(pixels(mask, 12 + 8 * at, &|_| 0x33));
        for (place, pattern) in MASKS.into_iter().enumerate() {
            opaque.row(SET_8_PIXELS_OPAQUE, [mask, 0x33, 0x44], 0, &[0x1200 | u16::from(pattern)]);
            let color = |bit: u8| if pattern << bit & 0x80 != 0 { 0x33 } else { 0x44 };
            of_opaque.extend(pixels(mask, 12 + 8 * (MASKS.len() * at + place), &color));
        }
    }
    assert_pixels(&called(&plain, |_| {}), &with(of_plain), "masks");
    let machine = called(&opaque, |_| {});
    assert_pixels(&machine, &with(of_opaque), "patterns");
    // The pattern is shifted out.
    assert_eq!([2, 3].map(|at| machine.peek(at)), [0, 0x12]);
    let left = ran("  lda #$a5\n  jsr $ff11\n  sta $30\n  lda #$a5\n  jsr $ff14\n  sta $31\n  stp");
    assert_eq!([0x30, 0x31].map(|at| left.peek(at)), [0, 0]);
}

/// Column r0 of line r1, of which the low byte counts; the next line is below that place, wherever pixels have led since.
#[test]
fn the_cursor_goes_where_it_is_told() {
    let places = [(0u16, 0u16), (319, 0), (0, 239), (319, 239), (256, 204), (257, 205), (0x120, 0x110)];
    let mut calls = Calls::new();
    let mut pixels = Vec::new();
    for (color, (x, y)) in (2u8..).zip(places) {
        calls.call(CURSOR_POSITION, &[x, y]);
        calls.with(SET_PIXEL, color, 0, 0);
        pixels.push((320 * usize::from(y & 0xff) + usize::from(x), color));
    }
    calls.call(CURSOR_POSITION, &[17, 50]);
    for line in 51..56usize {
        calls.with(CURSOR_NEXT_LINE, 0, 0, 0);
        for x in [17, 18] {
            calls.with(SET_PIXEL, line as u8, 0, 0);
            pixels.push((320 * line + x, line as u8));
        }
    }
    assert_pixels(&called(&calls, |_| {}), &with(pixels), "the cursor");
}

#[test]
fn pixels_are_read_and_moved() {
    // FB_GET_PIXEL sets flags as LDA does, and moves on.
    let text = |pixel: u8| {
        format!(
            "  lda #$80\n  clc\n  jsr $ff5f\n  stz 2\n  stz 3\n  stz 4\n  stz 5\n  jsr $feff\n  lda #{pixel}\n  jsr $ff0b\n  lda #7\n  jsr $ff0b\n  jsr $feff\n\
             \x20 jsr $ff05\n  php\n  sta $30\n  pla\n  sta $31\n  jsr $ff05\n  sta $32\n  stp"
        )
    };
    for (pixel, flags) in [(0x80, 0x80), (0, 2), (5, 0)] {
        let machine = ran(&text(pixel));
        assert_eq!(
            [0x30, 0x31, 0x32].map(|at| machine.peek(at) & if at == 0x31 { 0x82 } else { 0xff }),
            [pixel, flags, 7]
        );
    }
    for count in [1u16, 5, 255, 256, 300] {
        let block = some(usize::from(count));
        let mut calls = Calls::new();
        calls.call(CURSOR_POSITION, &[300, 20]);
        calls.call(SET_PIXELS, &[MEMORY, count]);
        calls.call(MOVE_PIXELS, &[300, 20, 7, 230, count]);
        calls.with(SET_PIXEL, 0x99, 0, 0);
        let machine = called(&calls, |machine| poke_all(machine, MEMORY, &block));
        let at = |start: usize| (start..).zip(block.iter().copied());
        let to = 320 * 230 + 7;
        let expected = with(at(320 * 20 + 300).chain(at(to)).chain([(to + block.len(), 0x99)]));
        assert_pixels(&machine, &expected, &format!("{count} are moved"));
    }
}

/// X colours from A on; 0 are 256. r0 goes on.
#[test]
fn the_palette_is_set() {
    for (first, count) in [(0u8, 1u8), (1, 2), (127, 3), (128, 127), (16, 240), (0, 0), (255, 1)] {
        let colors = if count == 0 { 256 } else { usize::from(count) };
        let block = some(2 * colors);
        let mut calls = Calls::new();
        calls.row(SET_PALETTE, [first, count, 0], 0, &[MEMORY]);
        let before = called(&Calls::new(), |_| {}).vera().palette().to_vec();
        let machine = called(&calls, |machine| poke_all(machine, MEMORY, &block));
        let mut expected = before;
        for (at, byte) in (2 * usize::from(first)..).zip(&block) {
            // Of the second byte four bits are red.
            expected[at] = if at % 2 == 0 { *byte } else { byte & 15 };
        }
        assert_eq!(
            machine
                .vera()
                .palette()
                .iter()
                .enumerate()
                .map(|(at, byte)| if at % 2 == 0 { *byte } else { byte & 15 })
                .collect::<Vec<u8>>(),
            expected,
            "{first} {count}"
        );
        assert_eq!(u16::from_le_bytes([machine.peek(2), machine.peek(3)]), MEMORY + 2 * colors as u16);
    }
    let info = ran("  jsr $fef9\n  stp");
    assert_eq!((info.cpu().a, [2, 3, 4, 5].map(|at| info.peek(at))), (8, [0x40, 1, 240, 0]));
}

/// FB_INIT: layer 0 is a bitmap of 320 × 240 in 256 colours at 0; the text stays.
#[test]
fn the_driver_sets_up_its_layer() {
    let machine = ran("  lda #$ff\n  sta $9f2d\n  sta $9f2f\n  sta $9f31\n  jsr $fef6\n  stp");
    let vera = machine.vera();
    assert_eq!(
        [0x05, 0x09, 0x0a, 0x0b, 0x0d, 0x0f, 0x11].map(|at| vera.peek(at)),
        [0, 0x31, 64, 64, 7, 0, 0]
    );
    assert_eq!((0x14..0x17).map(|at| vera.peek(at)).collect::<Vec<u8>>(), [0x60, 0xd8, 0xf8]);
}

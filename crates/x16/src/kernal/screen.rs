//! The screen as the KERNAL sets it up: the text layer, its modes, its characters.

use super::answer::missing;
use super::editor::Editor;
use super::video::register::{BORDER, CTRL, HSCALE, IEN, LAYER_1, VIDEO, VSCALE, WINDOW};
use super::video::{CHARACTERS, PALETTE, SPRITES, TEXT, aim, characters, pour};
use super::{charset, graphics, variables};
use crate::board::bus::Bus;
use gpuzoo_65c02::Cpu;
use gpuzoo_65c02::status::CARRY;
use gpuzoo_vera::{Profile, Vera};
/// White on blue.
const COLOR: u8 = 0x61;
/// Light blue on the bitmap.
const COLOR_ON_BITMAP: u8 = 0x0e;

/// A mode of the screen.
struct Mode {
    number: u8,
    /// Columns and lines of text.
    size: (u8, u8),
    /// How often both scales are halved.
    halved: (u8, u8),
    /// What is left free at the left and the right, in four pixels, and above and below, in two lines.
    border: (u8, u8),
}

const fn mode(number: u8, size: (u8, u8), halved: (u8, u8), border: (u8, u8)) -> Mode {
    Mode { number, size, halved, border }
}

/// A bitmap of 320 × 240 in 256 colours under text of 40 × 30.
const BITMAP: u8 = 0x80;

static MODES: [Mode; 13] = [
    mode(0, (80, 60), (0, 0), (0, 0)),
    mode(1, (80, 30), (0, 1), (0, 0)),
    mode(2, (40, 60), (1, 0), (0, 0)),
    mode(3, (40, 30), (1, 1), (0, 0)),
    mode(4, (40, 15), (1, 2), (0, 0)),
    mode(5, (20, 30), (2, 1), (0, 0)),
    mode(6, (20, 15), (2, 2), (0, 0)),
    mode(7, (22, 23), (1, 1), (36, 28)),
    mode(8, (64, 50), (0, 0), (16, 20)),
    mode(9, (64, 25), (0, 1), (16, 20)),
    mode(10, (32, 50), (1, 0), (16, 20)),
    mode(11, (32, 25), (1, 1), (16, 20)),
    mode(BITMAP, (40, 30), (1, 1), (0, 0)),
];

/// All that the KERNAL sets up when it starts. The palette is as after power-on.
pub(crate) fn set_up(bus: &mut Bus) {
    bus.write_for_kernal([(CTRL, 0)]);
    characters(bus, 2);
    aim(bus, PALETTE);
    pour(bus, Vera::new(Profile::Rtl).palette().iter().copied());
    layers(bus);
    Editor::new(bus).set_up(COLOR);
    choose(bus, &MODES[0]);
    bus.write_for_kernal([(VIDEO, 0x21), (IEN, 1)]);
}

/// The text layer, the window, no sprites.
fn layers(bus: &mut Bus) {
    let [maps, tiles] = [(TEXT >> 9) as u8, (CHARACTERS >> 11 << 2) as u8];
    let text = [0x60, maps, tiles, 0, 0, 0, 0].into_iter().zip(LAYER_1..).map(|(value, at)| (at, value));
    bus.write_for_kernal(text);
    bus.write_for_kernal([(CTRL, 0), (VIDEO, 0x21), (HSCALE, 128), (VSCALE, 128), (BORDER, 0)]);
    aim(bus, SPRITES);
    pour(bus, [0; 1024]);
}

/// CINT: the screen as at the start. What was typed stays.
pub(super) fn cint(bus: &mut Bus, _: &mut Cpu) {
    set_up(bus);
}

/// IOINIT: only VSYNC may interrupt.
pub(super) fn ioinit(bus: &mut Bus, _: &mut Cpu) {
    bus.write_for_kernal([(IEN, 1)]);
}

/// SCREEN_MODE: with C set, what is on; else sets up the mode and clears the text.
pub(super) fn screen_mode(bus: &mut Bus, cpu: &mut Cpu) {
    let asks = cpu.p & CARRY != 0;
    let number = if asks { bus.peek(variables::MODE_OF_SCREEN) } else { cpu.a };
    let Some(mode) = MODES.iter().find(|mode| mode.number == number) else {
        cpu.p |= CARRY;
        return;
    };
    cpu.p &= !CARRY;
    if asks {
        (cpu.a, cpu.x, cpu.y) = (number, mode.size.0, mode.size.1);
        return;
    }
    choose(bus, mode);
}

fn choose(bus: &mut Bus, mode: &Mode) {
    let before = bus.peek(variables::MODE_OF_SCREEN);
    bus.poke(variables::MODE_OF_SCREEN, mode.number);
    bus.write_for_kernal([(HSCALE, 128 >> mode.halved.0), (VSCALE, 128 >> mode.halved.1), (CTRL, 2)]);
    let (sides, ends) = mode.border;
    let window = [sides, 160 - sides, ends, 240 - ends].into_iter().zip(WINDOW..);
    bus.write_for_kernal(window.map(|(value, at)| (at, value)));
    bus.write_for_kernal([(CTRL, 0)]);
    // Few lines are drawn twice each in any case, so that the output need not be interlaced.
    let progressive = if mode.halved.1 > 0 { 8 } else { 0 };
    let video = bus.vera.peek(VIDEO) & !0x18 | progressive;
    let has_bitmap = mode.number == BITMAP;
    bus.write_for_kernal([(VIDEO, video)]);
    if has_bitmap {
        graphics::start(bus);
    }
    if (before ^ mode.number) & BITMAP != 0 {
        bus.poke(variables::COLOR, if has_bitmap { COLOR_ON_BITMAP } else { COLOR });
    }
    Editor::new(bus).resize(mode.size.0, mode.size.1);
}

/// SCREEN_SET_CHARSET: one of ours by its number, or 2048 bytes of the program's at X and Y.
pub(super) fn set_charset(bus: &mut Bus, cpu: &mut Cpu) {
    if cpu.a == 0 {
        let from = u16::from_le_bytes([cpu.x, cpu.y]);
        let bytes: Vec<u8> = (0..charset::BYTES as u16).map(|at| bus.peek(from.wrapping_add(at))).collect();
        aim(bus, CHARACTERS);
        pour(bus, bytes);
    } else if !characters(bus, cpu.a) && cpu.a <= 12 {
        missing(0xff62, bus.caller(cpu), bus);
    }
}

//! The driver of the frame buffer: pixels at a cursor, which is VERA's port 0.

use super::super::answer::set_nz;
use super::super::video::register::{ADDRESS, CTRL, DATA0, HSCALE, LAYER_0, VIDEO, VSCALE};
use super::super::video::{PALETTE, aim, pour};
use crate::board::bus::Bus;
use gpuzoo_65c02::Cpu;
use std::iter::repeat_n;

pub(super) const WIDTH: u16 = 320;
pub(super) const HEIGHT: u16 = 240;
/// A port's increment of one, in the third byte of an address.
const STEP_BY_ONE: u8 = 0x10;
/// The zero page's place for a jump to the program's filter.
const FILTER_JUMP: u16 = super::register(15) - 1;
const JMP: u8 = 0x4c;

/// Steps that a port takes by itself, with their numbers.
static STEPS: [(u16, u8); 14] = [
    (2, 2),
    (4, 3),
    (8, 4),
    (16, 5),
    (32, 6),
    (64, 7),
    (128, 8),
    (256, 9),
    (512, 10),
    (40, 11),
    (80, 12),
    (160, 13),
    (320, 14),
    (640, 15),
];

/// FB_INIT: layer 0 becomes the bitmap.
pub(in super::super) fn init(bus: &mut Bus, _: &mut Cpu) {
    enter(bus);
}

pub(super) fn enter(bus: &mut Bus) {
    let video = bus.vera.peek(VIDEO) | 0x10;
    bus.write_for_kernal([(LAYER_0, 7), (LAYER_0 + 4, 0), (LAYER_0 + 2, 0), (VIDEO, video)]);
    bus.write_for_kernal([(CTRL, 0), (HSCALE, 64), (VSCALE, 64)]);
}

/// FB_GET_INFO: r0 by r1 pixels of A bits.
pub(in super::super) fn get_info(bus: &mut Bus, cpu: &mut Cpu) {
    bus.set_r(0, WIDTH);
    bus.set_r(1, HEIGHT);
    cpu.a = 8;
}

/// FB_SET_PALETTE: X colours from A on, as r0 points to them.
pub(in super::super) fn set_palette(bus: &mut Bus, cpu: &mut Cpu) {
    bus.write_for_kernal([(CTRL, 0)]);
    aim(bus, PALETTE + 2 * u32::from(cpu.a));
    let count = if cpu.x == 0 { 256 } else { u16::from(cpu.x) };
    let from = bus.r(0);
    for at in 0..2 * count {
        let byte = bus.load_for_kernal(from.wrapping_add(at));
        pour(bus, [byte]);
    }
    bus.set_r(0, from.wrapping_add(2 * count));
    cpu.x = 0;
}

/// FB_CURSOR_POSITION: column r0 of line r1.
pub(in super::super) fn cursor_position(bus: &mut Bus, _: &mut Cpu) {
    let (x, y) = (bus.r(0), bus.r(1));
    go_to(bus, x, y);
}

/// Puts the cursor somewhere. Of the line a byte counts.
pub(super) fn go_to(bus: &mut Bus, x: u16, y: u16) {
    let pixel = u32::from(WIDTH) * u32::from(y & 0xff) + u32::from(x);
    move_to(bus, u32::from(STEP_BY_ONE) << 16 | pixel);
}

fn move_to(bus: &mut Bus, cursor: u32) {
    bus.kernal.graphics.cursor = cursor & 0xff_ffff;
    bus.write_for_kernal((ADDRESS..).zip(cursor.to_le_bytes()).take(3));
}

/// FB_CURSOR_NEXT_LINE: below where the cursor was put last.
pub(in super::super) fn cursor_next_line(bus: &mut Bus, _: &mut Cpu) {
    next_line(bus);
}

pub(super) fn next_line(bus: &mut Bus) {
    move_to(bus, bus.kernal.graphics.cursor.wrapping_add(WIDTH.into()));
}

/// FB_GET_PIXEL.
pub(in super::super) fn get_pixel(bus: &mut Bus, cpu: &mut Cpu) {
    cpu.a = look(bus);
    set_nz(cpu, cpu.a);
}

fn look(bus: &mut Bus) -> u8 {
    bus.load_for_kernal(gpuzoo_vera::BASE + u16::from(DATA0))
}

/// FB_SET_PIXEL.
pub(in super::super) fn set_pixel(bus: &mut Bus, cpu: &mut Cpu) {
    pour(bus, [cpu.a]);
}

/// A point of a shape.
pub(super) fn plot(bus: &mut Bus, x: u16, y: u16) {
    go_to(bus, x, y);
    let color = bus.colors().stroke;
    pour(bus, [color]);
}

/// So many pixels; 0 is 256, as the KERNAL counts.
fn pixels(count: u16) -> u16 {
    if count == 0 { 256 } else { count }
}

/// FB_SET_PIXELS: r1 pixels from r0 on. Behind the last bank's end the next bank goes on.
pub(in super::super) fn set_pixels(bus: &mut Bus, _: &mut Cpu) {
    let (from, count) = (bus.r(0), bus.r(1));
    show(bus, from, count);
}

pub(super) fn show(bus: &mut Bus, mut from: u16, count: u16) {
    let bank = bus.ram_bank();
    for _ in 0..pixels(count) {
        let byte = bus.load_for_kernal(from);
        pour(bus, [byte]);
        from = from.wrapping_add(1);
        if from & 0xff == 0 && from >= 0xc000 {
            from -= 0x2000;
            bus.poke(0, bus.ram_bank().wrapping_add(1));
        }
    }
    bus.poke(0, bank);
}

/// FB_GET_PIXELS: r1 pixels to r0 on.
pub(in super::super) fn get_pixels(bus: &mut Bus, _: &mut Cpu) {
    let to = bus.r(0);
    for at in 0..pixels(bus.r(1)) {
        let pixel = look(bus);
        bus.store_for_kernal(to.wrapping_add(at), pixel);
    }
}

/// FB_SET_8_PIXELS: where A has a 1 the colour X.
pub(in super::super) fn set_8_pixels(bus: &mut Bus, cpu: &mut Cpu) {
    eight(bus, cpu.a, cpu.a, [cpu.x, cpu.y]);
    cpu.a = 0;
}

/// FB_SET_8_PIXELS_OPAQUE: where A has a 1 the colour X or, where r0 has a 0, Y.
pub(in super::super) fn set_8_pixels_opaque(bus: &mut Bus, cpu: &mut Cpu) {
    let [pattern, high] = bus.r(0).to_le_bytes();
    eight(bus, cpu.a, pattern, [cpu.x, cpu.y]);
    cpu.a = 0;
    // The pattern is shifted out.
    bus.set_r(0, u16::from_le_bytes([0, high]));
}

/// Eight pixels: those of the mask get one of two colours, the others are passed by.
pub(super) fn eight(bus: &mut Bus, mask: u8, pattern: u8, [set, clear]: [u8; 2]) {
    for bit in (0..8).rev().map(|bit| 1 << bit) {
        match (mask & bit != 0, pattern & bit != 0) {
            (false, _) => {
                look(bus);
            }
            (true, true) => pour(bus, [set]),
            (true, false) => pour(bus, [clear]),
        }
    }
}

/// FB_FILL_PIXELS: r0 pixels, each r1 behind the one before, get the colour A.
pub(in super::super) fn fill_pixels(bus: &mut Bus, cpu: &mut Cpu) {
    let (count, step) = (bus.r(0), bus.r(1));
    fill(bus, count, step, cpu.a);
}

pub(super) fn fill(bus: &mut Bus, count: u16, step: u16, color: u8) {
    if step < 2 {
        return pour(bus, repeat_n(color, count.into()));
    }
    let high = bus.vera.peek(ADDRESS + 2);
    if let Some((_, number)) = STEPS.iter().find(|(known, _)| *known == step) {
        bus.write_for_kernal([(ADDRESS + 2, high ^ STEP_BY_ONE ^ number << 4)]);
        pour(bus, repeat_n(color, count.into()));
    } else {
        let [low, middle] = [0, 1].map(|at| bus.vera.peek(ADDRESS + at));
        let mut at = u32::from_le_bytes([low, middle, high & 1, 0]);
        // The KERNAL counts down before it looks: 0 is 65,536.
        for _ in 0..=count.wrapping_sub(1) {
            bus.write_for_kernal((ADDRESS..).zip(at.to_le_bytes()).take(3));
            pour(bus, [color]);
            at = at.wrapping_add(step.into()) & 0x1_ffff;
        }
        bus.write_for_kernal((ADDRESS..).zip(at.to_le_bytes()).take(3));
    }
    let high = bus.vera.peek(ADDRESS + 2) & 1;
    bus.write_for_kernal([(ADDRESS + 2, STEP_BY_ONE | high)]);
}

/// How many pixels are copied or filtered. The KERNAL's counter of blocks is not set again: from the second on they have 2048 pixels, not 256.
fn blocks(count: u16) -> u32 {
    let [rest, blocks] = count.to_le_bytes();
    let more = u32::from(blocks.saturating_sub(1)) * 2048;
    u32::from(rest) + more + if blocks > 0 { 256 } else { 0 }
}

/// FB_MOVE_PIXELS: r4 pixels from r0, r1 to r2, r3.
pub(in super::super) fn move_pixels(bus: &mut Bus, _: &mut Cpu) {
    let [from_x, from_y, to_x, to_y, count] = [0, 1, 2, 3, 4].map(|number| bus.r(number));
    copy(bus, (from_x, from_y), (to_x, to_y), count);
}

pub(super) fn copy(bus: &mut Bus, from: (u16, u16), to: (u16, u16), count: u16) {
    bus.write_for_kernal([(CTRL, 1)]);
    go_to(bus, from.0, from.1);
    bus.write_for_kernal([(CTRL, 0)]);
    go_to(bus, to.0, to.1);
    for _ in 0..blocks(count) {
        let pixel = bus.load_for_kernal(gpuzoo_vera::BASE + u16::from(DATA0) + 1);
        pour(bus, [pixel]);
    }
}

/// FB_FILTER_PIXELS: r0 pixels go through the program's routine at r1, in A; Z if there are none. Bit 16 of the cursor's address is lost,
/// as with the KERNAL: lines from 204 on cannot be filtered.
pub(in super::super) fn filter_pixels(bus: &mut Bus, cpu: &mut Cpu) {
    bus.set_r(15, bus.r(1));
    bus.poke(FILTER_JUMP, JMP);
    let [low, middle] = [0, 1].map(|at| bus.vera.peek(ADDRESS + at));
    let port = [(ADDRESS, low), (ADDRESS + 1, middle), (ADDRESS + 2, STEP_BY_ONE)];
    let control = bus.vera.peek(CTRL);
    bus.write_for_kernal([(CTRL, control.wrapping_add(1))]);
    bus.write_for_kernal(port);
    bus.write_for_kernal([(CTRL, 0), (ADDRESS + 2, STEP_BY_ONE)]);
    bus.kernal.graphics.unfiltered = blocks(bus.r(0)).min(u32::from(u16::MAX)) as u16;
    filter_next(bus, cpu);
}

/// The program has filtered one pixel.
pub(in super::super) fn filtered(bus: &mut Bus, cpu: &mut Cpu) {
    bus.write_for_kernal([(DATA0 + 1, cpu.a)]);
    filter_next(bus, cpu);
}

fn filter_next(bus: &mut Bus, cpu: &mut Cpu) {
    let left = bus.kernal.graphics.unfiltered;
    set_nz(cpu, u8::from(left > 0));
    if left > 0 {
        bus.kernal.graphics.unfiltered = left - 1;
        cpu.a = look(bus);
    }
}

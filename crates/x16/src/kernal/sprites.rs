//! The KERNAL's two routines for sprites.

use super::answer::set_carry;
use super::video::{SPRITES, aim, pour, register};
use crate::board::bus::Bus;
use gpuzoo_65c02::Cpu;

/// Where the KERNAL has the images of sprites, 4 KB for each.
pub(super) const IMAGES: u32 = 0x1_3000;

fn attribute(sprite: u8, offset: u32) -> u32 {
    SPRITES + 8 * u32::from(sprite) + offset
}

fn image(sprite: u8) -> u32 {
    IMAGES + 0x1000 * u32::from(sprite % 8)
}

/// Image, depth of colour and size: 16 by 16 pixels of 8 bits.
pub(super) fn describe(bus: &mut Bus, sprite: u8) {
    let [low, high, ..] = (image(sprite) >> 5).to_le_bytes();
    aim(bus, attribute(sprite, 0));
    pour(bus, [low, high | 0x80]);
    aim(bus, attribute(sprite, 7));
    pour(bus, [0x50]);
}

/// A byte of an attribute.
fn look(bus: &Bus, address: u32) -> u8 {
    bus.vera.vram().get(address as usize).copied().unwrap_or(0)
}

/// Behind all layers, where nothing shows.
pub(super) fn hide(bus: &mut Bus, sprite: u8) {
    let at = attribute(sprite, 6);
    let depth = look(bus, at);
    aim(bus, at);
    pour(bus, [depth & 0xf3]);
}

/// Shows a sprite at a place, in front of all if it was hidden.
pub(super) fn show(bus: &mut Bus, sprite: u8, x: u16, y: u16) {
    aim(bus, attribute(sprite, 2));
    let ([x_low, x_high], [y_low, y_high]) = (x.to_le_bytes(), y.to_le_bytes());
    pour(bus, [x_low, x_high, y_low, y_high]);
    let depth = look(bus, attribute(sprite, 6));
    if depth & 0x0c == 0 {
        pour(bus, [depth | 0x0c]);
    }
    let video = bus.vera.peek(register::VIDEO) & 0x7f;
    bus.write_for_kernal([(register::VIDEO, video | 0x40)]);
}

/// SPRITE_SET_IMAGE: sprite A gets the image at r0 through the mask at r1: 16 by 16 pixels of one bit, black and white, as with the KERNAL; C if it is another.
pub(super) fn set_image(bus: &mut Bus, cpu: &mut Cpu) {
    let masked = cpu.p & gpuzoo_65c02::status::CARRY != 0;
    let is_known = masked && (cpu.x, cpu.y, bus.peek(0x06)) == (16, 16, 1);
    set_carry(cpu, !is_known);
    if !is_known {
        return;
    }
    let (pixels, mask) = (bus.word(0x02), bus.word(0x04));
    aim(bus, image(cpu.a));
    let bytes = (0..32).map(|at| [pixels, mask].map(|from: u16| bus.peek(from.wrapping_add(at))));
    let colors = bytes.flat_map(|[pixels, mask]| {
        (0..8).rev().map(move |bit| match (mask >> bit & 1, pixels >> bit & 1) {
            (0, _) => 0,
            (_, 0) => 16,
            _ => 1,
        })
    });
    let colors: Vec<u8> = colors.collect();
    pour(bus, colors);
    describe(bus, cpu.a);
}

/// The image of a black line downwards at the left edge.
pub(super) fn draw_line(bus: &mut Bus, sprite: u8, height: u16) {
    aim(bus, image(sprite));
    pour(bus, (0..256).map(|at| if at % 16 == 0 && at / 16 < height { 16 } else { 0 }));
    describe(bus, sprite);
}

/// SPRITE_SET_POSITION: sprite A goes to r0, r1; a negative r0 hides it.
pub(super) fn set_position(bus: &mut Bus, cpu: &mut Cpu) {
    let (sprite, x, y) = (cpu.a & 31, bus.word(0x02), bus.word(0x04));
    if x >= 0x8000 { hide(bus, sprite) } else { show(bus, sprite, x, y) }
}

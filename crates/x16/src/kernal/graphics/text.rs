//! Proportional text: characters at a place of the screen, in styles, within the window.

use super::super::editor::COLORS;
use super::font::Font;
use super::frame_buffer::{eight, go_to, next_line};
use super::{Window, wipe};
use crate::board::bus::Bus;
use gpuzoo_65c02::Cpu;
use gpuzoo_65c02::status::CARRY;

const UNDERLINED: u8 = 0x80;
const BOLD: u8 = 0x40;
const REVERSED: u8 = 0x20;
const ITALIC: u8 = 0x10;
const OUTLINED: u8 = 0x08;
/// An italic character leans by a column every so many rows.
const LEAN: u8 = 4;
const DELETE: u8 = 0x7f;

/// What a character takes in a style.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Size {
    pub baseline: u8,
    pub width: u8,
    pub height: u8,
}

/// True for codes that show nothing.
fn is_control(character: u8) -> bool {
    character & 0x7f < 0x20
}

/// The style behind a control code.
fn style_after(character: u8, style: u8) -> u8 {
    match character {
        0x04 => style | UNDERLINED,
        0x06 => style | BOLD,
        0x0b => style | ITALIC,
        0x0c => style | OUTLINED,
        0x92 => 0,
        _ => style,
    }
}

/// A character's size; nothing for a control code.
pub(in super::super) fn size(bus: &Bus, character: u8, style: u8) -> Option<Size> {
    (!is_control(character)).then(|| measure(bus, character, style))
}

/// The size of what a font has by a number, which may be a control code's.
fn measure(bus: &Bus, character: u8, style: u8) -> Size {
    let graphics = &bus.kernal.graphics;
    let Font { baseline, height, .. } = graphics.font;
    let width = if character == DELETE { graphics.advanced } else { graphics.font.width(bus, character) };
    let bold = u8::from(style & BOLD != 0);
    let outline = if style & OUTLINED != 0 { 2 } else { 0 };
    Size {
        baseline: baseline.wrapping_add(outline),
        width: width.wrapping_add(bold + outline),
        height: height.wrapping_add(outline),
    }
}

/// The style that is on.
pub(in super::super) fn style(bus: &mut Bus) -> &mut u8 {
    &mut bus.kernal.graphics.style
}

/// GRAPH_GET_CHAR_SIZE: of A in the style X, base line, width and height; or C and the style behind a control code.
pub(in super::super) fn get_char_size(bus: &mut Bus, cpu: &mut Cpu) {
    match size(bus, cpu.a, cpu.x) {
        Some(Size { baseline, width, height }) => {
            (cpu.a, cpu.x, cpu.y) = (baseline, width, height);
            cpu.p &= !CARRY;
        }
        None => {
            let style = style_after(cpu.a, cpu.x);
            if matches!(cpu.a, 0x04 | 0x06 | 0x0b | 0x0c) {
                // The KERNAL works it out there.
                cpu.a = style;
            }
            cpu.x = style;
            cpu.p |= CARRY;
        }
    }
}

/// GRAPH_PUT_CHAR: A at r0, r1, which move on; C if it is outside of the window.
pub(in super::super) fn put_char(bus: &mut Bus, cpu: &mut Cpu) {
    let fits = put(bus, cpu.a);
    cpu.p = cpu.p & !CARRY | u8::from(!fits);
}

/// Prints a character at r0, r1; false if it does not fit into the window.
pub(in super::super) fn put(bus: &mut Bus, character: u8) -> bool {
    if is_control(character) {
        control(bus, character);
        return true;
    }
    // The last code is GEOS's sign, behind the letters.
    let character = if character == 0xff { 0x80 } else { character };
    let style = *style(bus);
    let width = measure(bus, character, style).width;
    let (x, Window { left, right, .. }) = (bus.r(0), bus.window());
    let last = x.wrapping_add(width.wrapping_sub(1).into());
    if right < last {
        return false;
    }
    if left > x {
        bus.set_r(0, last.wrapping_add(1));
        return false;
    }
    draw(bus, character);
    true
}

fn column(bus: &mut Bus, x: u16) {
    bus.set_r(0, x);
}

/// The line, of which a byte counts.
fn move_line(bus: &mut Bus, by: impl FnOnce(u8) -> u8) {
    let [low, high] = bus.r(1).to_le_bytes();
    bus.set_r(1, u16::from_le_bytes([by(low), high]));
}

fn control(bus: &mut Bus, code: u8) {
    if let Some(color) = COLORS.iter().position(|own| *own == code) {
        bus.colors().stroke = color as u8;
        return;
    }
    let (style, height, window) = (*style(bus), bus.kernal.graphics.font.height, bus.window());
    *self::style(bus) = match code {
        0x12 => style | REVERSED,
        0x0d | 0x8d => 0,
        _ => style_after(code, style),
    };
    match code {
        0x01 => {
            let colors = bus.colors();
            (colors.stroke, colors.fill) = (colors.fill, colors.stroke);
        }
        0x08 | 0x14 | 0x9d => {
            let back = u16::from(bus.kernal.graphics.advanced);
            column(bus, bus.r(0).wrapping_sub(back));
        }
        0x0a | 0x0d | 0x8d => {
            column(bus, window.left);
            move_line(bus, |line| line.wrapping_add(height).wrapping_add(1));
        }
        0x11 => move_line(bus, |line| line.wrapping_add(height).wrapping_add(1)),
        0x91 => move_line(bus, |line| line.wrapping_sub(height)),
        0x1d => {
            put(bus, b' ');
        }
        0x13 | 0x93 => {
            let kept = [1, 2].map(|number| bus.r(number));
            if code == 0x93 {
                wipe(bus);
            }
            bus.set_r(1, kept[0]);
            bus.set_r(2, kept[1]);
            column(bus, window.left);
            move_line(bus, |_| (window.top as u8).wrapping_add(height));
        }
        _ => {}
    }
}

/// What a character shows in a style, in rows of columns.
fn shape(font: &Font, bus: &Bus, character: u8, style: u8, size: Size) -> Vec<Vec<bool>> {
    let pixels = font.pixels(bus, character);
    let at = |row: i32, column: i32| {
        let row = usize::try_from(row).ok().and_then(|row| pixels.get(row));
        let pixel = usize::try_from(column).ok().and_then(|column| row?.get(column));
        pixel.copied().unwrap_or(false)
    };
    let plain = |row, column| at(row, column) || style & BOLD != 0 && at(row, column - 1);
    let around = |row: i32, column: i32| {
        (row - 1..=row + 1).any(|row| (column - 1..=column + 1).any(|column| plain(row, column)))
    };
    let seen = |row: i32, column: i32| match style & OUTLINED != 0 {
        true => around(row - 1, column - 1) && !plain(row - 1, column - 1),
        false => plain(row, column),
    };
    let columns = 0..i32::from(size.width);
    (0..i32::from(size.height)).map(|row| columns.clone().map(|column| seen(row, column)).collect()).collect()
}

/// Draws a character whose base line is at r1, and moves r0 on.
fn draw(bus: &mut Bus, character: u8) {
    let (style, font, window) = (*style(bus), bus.kernal.graphics.font, bus.window());
    let size = measure(bus, character, style);
    let x = bus.r(0);
    column(bus, x.wrapping_add(size.width.into()));
    bus.kernal.graphics.advanced = size.width;
    let leans = style & ITALIC != 0;
    let mut start = x.wrapping_add(if leans { u16::from(size.height / LEAN) } else { 0 });
    let end = |start: u16| start.wrapping_add(size.width.into());
    let is_outside = |x: u16| x >= 0x8000;
    if !is_outside(x) && window.right < x || is_outside(end(start)) || window.left >= end(start) {
        return;
    }
    let shape = shape(&font, bus, character, style, size);
    let [base, _] = bus.r(1).to_le_bytes();
    let mut line = base.wrapping_sub(size.baseline);
    let first = |start: u16| if is_outside(start) || start < window.left { window.left } else { start };
    go_to(bus, first(start) & !7, line.into());
    let mut is_inverted = style & REVERSED != 0;
    for (row, left) in shape.iter().zip((1..=size.height).rev()) {
        if style & UNDERLINED != 0 && matches!(line.wrapping_sub(base), 1 | 2) {
            is_inverted = !is_inverted;
        }
        if leans && left % LEAN == 0 {
            start = start.wrapping_sub(1);
            go_to(bus, first(start) & !7, line.into());
        }
        let is_seen = !leans || window.right >= start && window.left < end(start);
        if is_seen && (window.top as u8..=window.bottom as u8).contains(&line) {
            let seen = first(start)..=end(start).wrapping_sub(1).min(window.right);
            row_of_pixels(bus, row, start, seen, is_inverted);
        }
        next_line(bus);
        line = line.wrapping_add(1);
    }
}

/// A row of a character from the cursor on, which is at the first of eight columns.
fn row_of_pixels(
    bus: &mut Bus,
    row: &[bool],
    start: u16,
    seen: std::ops::RangeInclusive<u16>,
    is_inverted: bool,
) {
    let colors = *bus.colors();
    for card in seen.start() / 8..=seen.end() / 8 {
        let bits = |is_set: &dyn Fn(u16) -> bool| {
            (0..8u16).map(|bit| u8::from(is_set(8 * card + bit)) << (7 - bit)).sum::<u8>()
        };
        let mask = bits(&|x| seen.contains(&x));
        let pixels = bits(&|x| row.get(usize::from(x.wrapping_sub(start))).copied().unwrap_or(false));
        match is_inverted {
            true => eight(bus, mask, pixels, [colors.stroke, colors.fill]),
            false => eight(bus, mask & pixels, pixels, [colors.stroke, colors.fill]),
        }
    }
}

//! Lines, rectangles and images.

use super::frame_buffer::{self, WIDTH, copy, fill, go_to, next_line, plot};
use super::oval;
use crate::board::bus::Bus;
use gpuzoo_65c02::Cpu;
use gpuzoo_65c02::status::CARRY;

/// The most lines that a call draws. Memory has 410 of them; what a program that asks for 65,536 gets is chance with the KERNAL, too.
const MOST_LINES: u16 = 1024;

/// GRAPH_DRAW_LINE: from r0, r1 to r2, r3, which then are as the drawing has moved them.
pub(in super::super) fn draw_line(bus: &mut Bus, _: &mut Cpu) {
    line(bus);
}

pub(super) fn line(bus: &mut Bus) {
    let [x, y, to_x, to_y] = [0, 1, 2, 3].map(|number| bus.r(number));
    if y == to_y {
        let (x, to_x) = horizontal(bus, x, y, to_x);
        bus.set_r(0, x);
        bus.set_r(2, to_x);
    } else if x == to_x {
        let (y, to_y) = vertical(bus, x, y, to_y);
        bus.set_r(1, y);
        bus.set_r(3, to_y);
    } else {
        slanted(bus, [x, y, to_x, to_y]);
    }
}

/// From left to right. Returns the ends in that order.
fn horizontal(bus: &mut Bus, x: u16, y: u16, to_x: u16) -> (u16, u16) {
    let (first, last) = (x.min(to_x), x.max(to_x));
    go_to(bus, first, y);
    let color = bus.colors().stroke;
    fill(bus, (last - first).wrapping_add(1), 0, color);
    (first, last)
}

/// Downwards. Of lines a byte counts. Returns the ends in that order.
fn vertical(bus: &mut Bus, x: u16, y: u16, to_y: u16) -> (u16, u16) {
    let [y_low, y_high] = y.to_le_bytes();
    let [to_low, to_high] = to_y.to_le_bytes();
    let (first, last) = (y_low.min(to_low), y_low.max(to_low));
    let count = (last - first).wrapping_add(1);
    if count > 0 {
        go_to(bus, x, first.into());
        let color = bus.colors().stroke;
        fill(bus, count.into(), WIDTH, color);
    }
    (u16::from_le_bytes([first, y_high]), u16::from_le_bytes([last, to_high]))
}

/// Bresenham's line, from left to right, or from the top down where it is steep.
fn slanted(bus: &mut Bus, [mut x, y, mut to_x, to_y]: [u16; 4]) {
    let ([mut y, y_high], [mut to_y, to_high]) = (y.to_le_bytes(), to_y.to_le_bytes());
    let rise = u16::from(y.abs_diff(to_y));
    let run = to_x.wrapping_sub(x).cast_signed().unsigned_abs();
    let is_steep = run < rise;
    let (long, short) = if is_steep { (rise, run) } else { (run, rise) };
    let straight = short.wrapping_mul(2);
    let aside = short.wrapping_sub(long).wrapping_mul(2);
    let mut error = straight.wrapping_sub(long);
    if is_steep {
        let goes_right = (x < to_x) == (y < to_y);
        if y >= to_y {
            (x, y, to_y) = (to_x, to_y, y);
        }
        loop {
            plot(bus, x, y.into());
            if y >= to_y {
                break;
            }
            y += 1;
            if error.cast_signed() >= 0 {
                x = if goes_right { x.wrapping_add(1) } else { x.wrapping_sub(1) };
                error = error.wrapping_add(aside);
            } else {
                error = error.wrapping_add(straight);
            }
        }
    } else {
        let goes_down = if x < to_x { to_y >= y } else { y >= to_y };
        if x >= to_x {
            (x, to_x, y) = (to_x, x, to_y);
        }
        loop {
            plot(bus, x, y.into());
            if x >= to_x {
                break;
            }
            x += 1;
            if error.cast_signed() >= 0 {
                y = if goes_down { y.wrapping_add(1) } else { y.wrapping_sub(1) };
                error = error.wrapping_add(aside);
            } else {
                error = error.wrapping_add(straight);
            }
        }
    }
    let after = [x, u16::from_le_bytes([y, y_high]), to_x, u16::from_le_bytes([to_y, to_high])];
    for (number, value) in (0..).zip(after) {
        bus.set_r(number, value);
    }
}

/// GRAPH_DRAW_RECT: at r0, r1, of r2 by r3 pixels; with C set its area is filled.
pub(in super::super) fn draw_rectangle(bus: &mut Bus, cpu: &mut Cpu) {
    let [x, y, width, height] = [0, 1, 2, 3].map(|number| bus.r(number));
    rectangle(bus, (x, y), (width, height), cpu.p & CARRY != 0);
}

/// Draws a rectangle; one without width or height is nothing.
pub(super) fn rectangle(bus: &mut Bus, (x, y): (u16, u16), (width, height): (u16, u16), is_filled: bool) {
    if width == 0 || height == 0 {
        return;
    }
    if is_filled {
        go_to(bus, x, y);
        for _ in 0..height.min(MOST_LINES) {
            let color = bus.colors().fill;
            fill(bus, width, 0, color);
            next_line(bus);
        }
    }
    let right = x.wrapping_add(width).wrapping_sub(1);
    let bottom = y.wrapping_add(height).wrapping_sub(1);
    horizontal(bus, x, y, right);
    horizontal(bus, x, bottom & 0xff | y & 0xff00, right);
    vertical(bus, x, y, bottom);
    vertical(bus, right, y, bottom);
}

/// GRAPH_DRAW_IMAGE: at r0, r1, from r2, of r3 by r4 pixels, line by line; a bank's end leads to the next bank.
pub(in super::super) fn draw_image(bus: &mut Bus, _: &mut Cpu) {
    let [x, y, from, width, height] = [0, 1, 2, 3, 4].map(|number| bus.r(number));
    image(bus, (x, y), from, (width, height));
}

pub(in super::super) fn image(bus: &mut Bus, (x, y): (u16, u16), mut from: u16, (width, height): (u16, u16)) {
    let bank = bus.ram_bank();
    go_to(bus, x, y);
    for _ in 0..lines(height) {
        frame_buffer::show(bus, from, width);
        let before = from >> 8;
        from = from.wrapping_add(width);
        if from >> 8 != before && from >= 0xc000 {
            from -= 0x2000;
            bus.poke(0, bus.ram_bank().wrapping_add(1));
        }
        next_line(bus);
    }
    bus.poke(0, bank);
}

/// So many lines; the KERNAL counts down before it looks, so that 0 is 65,536.
fn lines(height: u16) -> u16 {
    height.wrapping_sub(1).min(MOST_LINES - 1) + 1
}

/// GRAPH_MOVE_RECT: from r0, r1 to r2, r3, of r4 by r5 pixels. r1, r3 and r5 count along.
pub(in super::super) fn move_rectangle(bus: &mut Bus, _: &mut Cpu) {
    let [from_x, from_y, to_x, to_y, width, height] = [0, 1, 2, 3, 4, 5].map(|number| bus.r(number));
    let (from_y, to_y) = move_area(bus, (from_x, from_y), (to_x, to_y), (width, height));
    for (number, value) in [(1, from_y), (3, to_y), (5, 0)] {
        bus.set_r(number, value);
    }
}

/// Moves an area: upwards from its first line, else from the line below its last one, which as with the KERNAL is moved as well. Returns
/// the two lines at which it ends.
pub(in super::super) fn move_area(
    bus: &mut Bus,
    from: (u16, u16),
    to: (u16, u16),
    (width, height): (u16, u16),
) -> (u16, u16) {
    let is_up = to.1 < from.1;
    let count = if is_up { height } else { height.wrapping_add(1) };
    let line = |first: u16, at: u16| match is_up {
        true => first.wrapping_add(at),
        false => first.wrapping_add(height).wrapping_sub(at),
    };
    for at in 0..lines(count) {
        copy(bus, (from.0, line(from.1, at)), (to.0, line(to.1, at)), width);
    }
    (line(from.1, count), line(to.1, count))
}

/// GRAPH_DRAW_OVAL: at r0, r1, of r2 by r3 pixels; with C set its area is filled. All registers stay.
pub(in super::super) fn draw_oval(bus: &mut Bus, cpu: &mut Cpu) {
    let before = [0, 1, 2, 3].map(|number| bus.r(number));
    let [x, y, width, height] = before;
    if width == 1 || height == 1 {
        // A line.
        bus.set_r(2, x.wrapping_add(width).wrapping_sub(1));
        bus.set_r(3, y.wrapping_add(height).wrapping_sub(1));
        line(bus);
        for (number, value) in (0..).zip(before) {
            bus.set_r(number, value);
        }
    } else {
        oval::draw(bus, (x, y), (width, height), cpu.p & CARRY != 0);
    }
    cpu.p &= !CARRY;
}

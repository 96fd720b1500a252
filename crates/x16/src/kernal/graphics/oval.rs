//! Ovals: an ellipse in a box, by the error of its four quarters (after A. Zingl, "A Rasterizing Algorithm for Drawing Curves", 2012).
//!
//! The numbers are as long as the KERNAL's, 32 bits and 24 for the increments; and where the horizontal gradient passes zero, the carry of
//! its sum stays in the error, as there.

use super::frame_buffer::{fill, go_to, plot};
use crate::board::bus::Bus;

/// What is added to a gradient: four times a square, of which 24 bits count.
fn increment(side: u16) -> u32 {
    square(side).wrapping_mul(4) & 0xff_ffff
}

fn square(side: u16) -> u32 {
    u32::from(side) * u32::from(side)
}

fn is_less(one: u32, other: u32) -> bool {
    one.cast_signed() < other.cast_signed()
}

/// The outline in the colour of lines, and with `is_filled` what is in it. An oval without width or height has no pixels.
pub(super) fn draw(bus: &mut Bus, (x, y): (u16, u16), (width, height): (u16, u16), is_filled: bool) {
    if width == 0 || height == 0 {
        return;
    }
    let (width, height) = (width - 1, height - 1);
    let odd = height & 1;
    let (mut left, mut right) = (x, x.wrapping_add(width));
    let mut low = y.wrapping_add(height.wrapping_add(1) / 2);
    let mut high = low.wrapping_sub(odd);
    let mut dx = square(height).wrapping_mul(2).wrapping_mul(u32::from(width).wrapping_sub(1)).wrapping_neg();
    let mut dy = square(width) << (1 + odd);
    let mut error = (if odd == 1 { square(width) } else { 0 }).wrapping_add(dx).wrapping_add(dy);
    let (for_x, for_y) = (increment(height), increment(width));
    // Each step narrows the box or makes it higher: no oval of the screen has more.
    for _ in 0..=u16::MAX {
        if is_filled {
            let color = bus.colors().fill;
            for line in [low, high] {
                go_to(bus, left, line);
                fill(bus, right.wrapping_sub(left), 1, color);
            }
        }
        for (column, line) in [(right, low), (left, low), (left, high), (right, high)] {
            plot(bus, column, line);
        }
        let before = error;
        if !is_less(dy, error) {
            (low, high) = (low.wrapping_add(1), high.wrapping_sub(1));
            dy = dy.wrapping_add(for_y);
            error = error.wrapping_add(dy);
        }
        if !is_less(before, dx) || is_less(dy, error) {
            (left, right) = (left.wrapping_add(1), right.wrapping_sub(1));
            let (sum, carry) = dx.overflowing_add(for_x);
            dx = sum;
            error = error.wrapping_add(dx).wrapping_add(carry.into());
        }
        if left > right {
            break;
        }
    }
    // The ends of flat ovals.
    while low.wrapping_sub(high) < height {
        for (line, next) in [(&mut low, 1), (&mut high, u16::MAX)] {
            plot(bus, left.wrapping_sub(1), *line);
            plot(bus, right.wrapping_add(1), *line);
            *line = line.wrapping_add(next);
        }
    }
}

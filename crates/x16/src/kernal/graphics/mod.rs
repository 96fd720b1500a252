//! The KERNAL's graphics: the frame buffer of 320 × 240 pixels in 256 colours, shapes, and proportional text in a window.
//!
//! What the routines draw, and what they leave in the registers r0 to r15, is what the Programmer's Reference Guide says (chapter 5), and beyond it what
//! the KERNAL of x16-rom 251608b was seen to do: programs are made with it, and `tests/graphics.rs` has pictures of it.

pub(super) mod font;
pub(super) mod frame_buffer;
pub(super) mod oval;
pub(super) mod shapes;
pub(super) mod text;

use super::answer::missing;
use crate::board::bus::Bus;
use font::Font;
use frame_buffer::{HEIGHT, WIDTH};
use gpuzoo_65c02::Cpu;
use gpuzoo_stored::stored;

/// One of the sixteen registers in zero page, of 16 bits.
pub(super) const fn register(number: u16) -> u16 {
    2 + 2 * number
}

/// What the routines keep from one call to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Graphics {
    window: Window,
    colors: Colors,
    /// The address of the pixel at the cursor, with the increment of VERA's port in the third byte.
    cursor: u32,
    /// Pixels that FB_FILTER_PIXELS has yet to do.
    unfiltered: u16,
    font: Font,
    style: u8,
    /// Columns of the character that was drawn last.
    advanced: u8,
}

stored! { Graphics { window, colors, cursor, unfiltered, font, style, advanced } }

/// Where text is seen, and what GRAPH_CLEAR clears: the first and the last column and line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Window {
    pub left: u16,
    pub top: u16,
    pub right: u16,
    pub bottom: u16,
}

stored! { Window { left, top, right, bottom } }

/// Colours of lines and letters, of areas, and of what is behind text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Colors {
    pub stroke: u8,
    pub fill: u8,
    pub background: u8,
}

stored! { Colors { stroke, fill, background } }

impl Bus {
    /// The value of one of the sixteen registers.
    pub(super) fn r(&self, number: u16) -> u16 {
        self.word(register(number))
    }

    pub(super) fn set_r(&mut self, number: u16, value: u16) {
        self.set_word(register(number), value);
    }

    pub(super) fn window(&self) -> Window {
        self.kernal.graphics.window
    }

    pub(super) fn colors(&mut self) -> &mut Colors {
        &mut self.kernal.graphics.colors
    }

    /// Does something with an area as the registers r0 to r3 say it, which stay as they are.
    pub(super) fn paint_background(&mut self, (x, y): (u16, u16), (width, height): (u16, u16)) {
        let colors = *self.colors();
        let background = colors.background;
        *self.colors() = Colors { stroke: background, fill: background, background };
        shapes::rectangle(self, (x, y), (width, height), true);
        *self.colors() = colors;
    }
}

/// GRAPH_INIT: with r0 = 0 the driver of 320 × 240 pixels; others are code that we would have to call.
pub(super) fn init(bus: &mut Bus, cpu: &mut Cpu) {
    if bus.r(0) != 0 {
        let caller = bus.caller(cpu);
        return missing(super::rom::GRAPH_INIT, caller, bus);
    }
    start(bus);
}

/// Enters graphics, with nothing drawn.
pub(super) fn start(bus: &mut Bus) {
    frame_buffer::enter(bus);
    full_window(bus);
    *bus.colors() = Colors { stroke: 0, fill: 10, background: 1 };
    wipe(bus);
    font::choose(bus, 0);
}

/// All of the screen; the registers have it, too.
fn full_window(bus: &mut Bus) {
    for (number, value) in (0..).zip([0, 0, WIDTH, HEIGHT]) {
        bus.set_r(number, value);
    }
    bus.kernal.graphics.window = Window { left: 0, top: 0, right: WIDTH - 1, bottom: HEIGHT - 1 };
}

/// GRAPH_SET_WINDOW: from r0, r1, r2 wide and r3 high; all of the screen if all are 0.
pub(super) fn set_window(bus: &mut Bus, _: &mut Cpu) {
    choose_window(bus);
}

pub(super) fn choose_window(bus: &mut Bus) {
    let [left, top, width, height] = [0, 1, 2, 3].map(|number| bus.r(number));
    if [left, top, width, height] == [0; 4] {
        return full_window(bus);
    }
    let last = |first: u16, count: u16| first.wrapping_add(count).wrapping_sub(1);
    bus.kernal.graphics.window = Window { left, top, right: last(left, width), bottom: last(top, height) };
}

/// GRAPH_SET_COLORS.
pub(super) fn set_colors(bus: &mut Bus, cpu: &mut Cpu) {
    *bus.colors() = Colors { stroke: cpu.a, fill: cpu.x, background: cpu.y };
}

/// GRAPH_CLEAR.
pub(super) fn clear(bus: &mut Bus, _: &mut Cpu) {
    wipe(bus);
}

/// Clears the window; r0 to r3 then have it. Its lines count as bytes.
pub(super) fn wipe(bus: &mut Bus) {
    let Window { left, top, right, bottom } = bus.window();
    let (top, bottom) = (top & 0xff, bottom & 0xff);
    let count = |first: u16, last: u16| last.wrapping_sub(first).wrapping_add(1);
    let area = [left, top, count(left, right), count(top, bottom)];
    for (number, value) in (0..).zip(area) {
        bus.set_r(number, value);
    }
    bus.paint_background((area[0], area[1]), (area[2], area[3]));
}

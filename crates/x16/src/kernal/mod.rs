//! What stands in for the Commander's ROM when there is none: the KERNAL's vectors, its interrupt handler, and its routines for
//! text, graphics, keys, controllers, the mouse, time and memory.
//!
//! What a routine does, it does at once: it takes the cycles of its call and its return. Anything that is not there ends the run with a
//! message: silence would be a wrong result. Entries and what they do are those of the Programmer's Reference Guide, chapter 5; what the machine
//! is left with was compared with one that the KERNAL has set up.

mod access;
mod answer;
mod call;
mod charset;
mod clock;
mod console;
mod cursor;
mod editor;
pub(super) mod files;
mod graphics;
mod keys;
mod line;
mod lzsa;
mod memory;
mod mouse;
mod names;
mod pads;
mod power_on;
mod rom;
mod screen;
mod sprites;
mod text;
mod variables;
mod video;

use crate::input::Event;
pub(super) use call::{call, is_asking};
pub(super) use cursor::leave_prompt;
use gpuzoo_stored::stored;
pub(crate) use names::NAMES;
pub use names::name;
pub(super) use power_on::IMAGE;
pub(super) use screen::set_up;

/// What the stand-ins keep that is in no register and no RAM.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Kernal {
    keyboard: keys::Keyboard,
    pads: pads::Pads,
    mouse: mouse::Mouse,
    pub clock: clock::Clock,
    line: line::Line,
    graphics: graphics::Graphics,
    console: console::Console,
}

stored! { Kernal { keyboard, pads, mouse, clock, line, graphics, console } }

impl Kernal {
    /// Which controllers are there.
    pub fn connect(&mut self, there: [bool; 4]) {
        self.pads.connect(there);
    }

    /// Passes a user's input to the devices.
    pub fn receive(&mut self, event: Event) {
        match event {
            Event::Press(key) => self.keyboard.send(key.number()),
            Event::Release(key) => self.keyboard.send(key.number() | 0x80),
            Event::Buttons { controller, down } => self.pads.hold(controller, down),
            Event::Mouse { dx, dy, wheel, down } => self.mouse.receive(dx, dy, wheel, down),
        }
    }
}

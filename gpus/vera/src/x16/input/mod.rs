//! What a user does while a program runs: keys, controllers, the mouse, and when.
//!
//! An [`Input`] is a list of events, each at a CPU cycle after the program's start, so that a run with it is as deterministic as one
//! without. Where an event goes is the machine's matter: to the stand-ins of the KERNAL's routines, or to the hardware that a ROM asks.
//!
//! ```
//! use gpuzoo_vera::x16::{Event, Input, Key};
//! let input = Input::typed("A").unwrap();
//! let a = Key::find("A").unwrap();
//! let events: Vec<Event> = input.events().iter().map(|(_, event)| *event).collect();
//! assert_eq!(events, [Event::Press(a), Event::Release(a)]);
//! // What was read can be written, and is read again.
//! assert_eq!(Input::read(&input.text()), Ok(input));
//! ```

mod keys;
mod read;
mod steps;

pub use keys::{Key, modifier};
pub use read::Unread;

use super::CYCLES_PER_FRAME;
use std::fmt::Write;
use std::sync::Arc;

/// Something that happens at the machine's sockets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A key goes down.
    Press(Key),
    /// A key comes up.
    Release(Key),
    /// From now on these buttons of a controller are down, and no others.
    Buttons {
        /// 1 to 4.
        controller: u8,
        /// The low byte is what the controller sends first, B Y SELECT START UP DOWN LEFT RIGHT from bit 7 on, the high nibble what
        /// follows, A X L R from bit 15 on; 1 is down.
        down: u16,
    },
    /// The mouse moves, its wheel turns, and from now on these buttons are down, and no others.
    Mouse {
        /// To the right.
        dx: i16,
        /// Down.
        dy: i16,
        /// Towards the user.
        wheel: i8,
        /// Left is bit 0, right 1, middle 2, the fourth and the fifth are 4 and 5.
        down: u8,
    },
}

/// The most events that an input has.
pub const MAX_EVENTS: usize = 1 << 20;

/// The frame after the start in which the options' first event comes: programs need time to set up.
pub const FIRST_FRAME: u64 = 30;

/// A controller's buttons by name.
pub static BUTTONS: [(&str, u16); 12] = [
    ("RIGHT", 0x0001),
    ("LEFT", 0x0002),
    ("DOWN", 0x0004),
    ("UP", 0x0008),
    ("START", 0x0010),
    ("SELECT", 0x0020),
    ("Y", 0x0040),
    ("B", 0x0080),
    ("R", 0x1000),
    ("L", 0x2000),
    ("X", 0x4000),
    ("A", 0x8000),
];

/// The mouse's buttons by name.
pub static MOUSE_BUTTONS: [(&str, u16); 5] =
    [("LEFT", 0x01), ("RIGHT", 0x02), ("MIDDLE", 0x04), ("FOURTH", 0x10), ("FIFTH", 0x20)];

/// What a user does, from the start of a program on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// In the order of time; of events in the same cycle the first comes first.
    events: Vec<(u64, Event)>,
}

impl Input {
    /// Adds an event, so many cycles after the start. Behind [`MAX_EVENTS`] nothing is added; false then.
    pub fn add(&mut self, cycle: u64, event: Event) -> bool {
        let is_room = self.events.len() < MAX_EVENTS;
        if is_room {
            let at = self.events.partition_point(|(known, _)| *known <= cycle);
            self.events.insert(at, (cycle, event));
        }
        is_room
    }

    /// The events, each with the cycles from the start.
    pub fn events(&self) -> &[(u64, Event)] {
        &self.events
    }

    /// True if there are no events.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Both, by time.
    #[must_use]
    pub fn with(mut self, other: &Input) -> Input {
        self.events.extend_from_slice(&other.events);
        self.events.sort_by_key(|(cycle, _)| *cycle);
        self
    }

    /// The controllers that are there: those with an event.
    pub fn controllers(&self) -> [bool; 4] {
        let mut there = [false; 4];
        for (_, event) in &self.events {
            if let Event::Buttons { controller, .. } = event
                && let Some(one) = there.get_mut(usize::from(controller.wrapping_sub(1)))
            {
                *one = true;
            }
        }
        there
    }

    /// A text with a line for each event, in cycles; [`Input::read`] reads it again.
    pub fn text(&self) -> String {
        let mut text = String::from("# cycles after the program's start, and what happens\n");
        for (cycle, event) in &self.events {
            let line = match event {
                Event::Press(key) => writeln!(text, "@{cycle} press {}", key.name()),
                Event::Release(key) => writeln!(text, "@{cycle} release {}", key.name()),
                Event::Buttons { controller, down } => {
                    writeln!(text, "@{cycle} buttons {controller} {}", named(&BUTTONS, *down))
                }
                Event::Mouse { dx, dy, wheel, down } => {
                    writeln!(
                        text,
                        "@{cycle} motion {dx},{dy},{wheel} {}",
                        named(&MOUSE_BUTTONS, (*down).into())
                    )
                }
            };
            // A `String` takes everything.
            line.unwrap_or_default();
        }
        text
    }
}

/// What a user is about to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct User {
    /// Each with its cycle since power-on. Shared by all copies: it never changes.
    events: Arc<[(u64, Event)]>,
    /// The first that is to come.
    next: usize,
}

impl Default for User {
    /// Nobody.
    fn default() -> User {
        User { events: Arc::new([]), next: 0 }
    }
}

impl User {
    pub(super) fn new(start: u64, input: &Input) -> User {
        let events = input.events.iter().map(|(cycle, event)| (start.saturating_add(*cycle), *event));
        User { events: events.collect(), next: 0 }
    }

    /// The cycle of the next event.
    pub(super) fn when(&self) -> Option<u64> {
        self.events.get(self.next).map(|(cycle, _)| *cycle)
    }

    /// An event whose time has come.
    pub(super) fn due(&mut self, cycle: u64) -> Option<Event> {
        let (_, event) = self.events.get(self.next).filter(|(time, _)| *time <= cycle)?;
        self.next += 1;
        Some(*event)
    }
}

/// The cycle in which a frame begins, counted from the start.
fn cycle_of(frame: u64) -> u64 {
    frame.saturating_mul(CYCLES_PER_FRAME)
}

/// Buttons by their names, joined by `+`.
fn named(names: &[(&str, u16)], down: u16) -> String {
    let held: Vec<&str> = names.iter().filter(|(_, bit)| down & bit != 0).map(|(name, _)| *name).collect();
    if held.is_empty() { "NONE".to_owned() } else { held.join("+") }
}

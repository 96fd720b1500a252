//! What a user does while a program runs: keys, controllers, the mouse, and when.
//!
//! An [`Input`] is a list of events, each at a CPU cycle after the program's start, so that a run with it is as deterministic as one
//! without. Where an event goes is the machine's matter: to the stand-ins of the KERNAL's routines, or to the hardware that a ROM asks.
//!
//! ```
//! use gpuzoo_x16::{Event, Input, Key};
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

use crate::{CYCLES_PER_FRAME, CYCLES_PER_SECOND};
use gpuzoo_stored::stored;
use std::fmt::Write;
use std::ops::Range;
use std::sync::Arc;

/// A problem of a line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The line, from 1 on.
    pub line: usize,
    /// The bytes of the line that are wrong.
    pub place: Range<usize>,
    /// The problem.
    pub message: String,
    /// The remedy.
    pub help: String,
}

impl std::fmt::Display for Unread {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "line {}: {}; {}", self.line, self.message, self.help)
    }
}

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

stored! {
    enum Event {
        Press(key: Key), Release(key: Key), Buttons { controller: u8, down: u16 }, Mouse { dx: i16, dy: i16, wheel: i8, down: u8 },
    }
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

    /// Adds an event behind all others, whatever its time: [`sort`](Input::sort) brings them into their order once all are there.
    fn push(&mut self, cycle: u64, event: Event) -> bool {
        let is_room = self.events.len() < MAX_EVENTS;
        if is_room {
            self.events.push((cycle, event));
        }
        is_room
    }

    fn sort(&mut self) {
        self.events.sort_by_key(|(cycle, _)| *cycle);
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
        self.sort();
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

/// Cycles until a key that is held repeats, and between repeats: half a second, and 10.9 times a second, as keyboards have it at first.
const DELAY: u64 = CYCLES_PER_SECOND / 2;
const PERIOD: u64 = CYCLES_PER_SECOND * 10 / 109;

/// What a user is about to do, and the keyboard that repeats keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct User {
    /// Each with its cycle since power-on. Shared by all copies: it never changes.
    events: Arc<[(u64, Event)]>,
    /// The first that is to come.
    next: usize,
    /// The key that is held, and when it repeats.
    held: Option<(u64, Key)>,
}

stored! { User { events, next, held } if |own: &User| own.events.len() <= MAX_EVENTS }

impl Default for User {
    /// Nobody.
    fn default() -> User {
        User { events: Arc::new([]), next: 0, held: None }
    }
}

impl User {
    pub(super) fn new(start: u64, input: &Input) -> User {
        let events = input.events.iter().map(|(cycle, event)| (start.saturating_add(*cycle), *event));
        User { events: events.collect(), next: 0, held: None }
    }

    /// True if no key that is held should have repeated before a cycle.
    pub(super) fn is_at(&self, cycle: u64) -> bool {
        self.held.is_none_or(|(when, _)| when >= cycle)
    }

    /// The cycle of the next event.
    pub(super) fn when(&self) -> Option<u64> {
        let event = self.events.get(self.next).map(|(cycle, _)| *cycle);
        event.into_iter().chain(self.held.map(|(cycle, _)| cycle)).min()
    }

    /// An event whose time has come.
    pub(super) fn due(&mut self, cycle: u64) -> Option<Event> {
        let when = self.when().filter(|when| *when <= cycle)?;
        let (event, repeats) = match self.events.get(self.next).filter(|(time, _)| *time == when) {
            Some((_, event)) => {
                self.next += 1;
                (*event, when + DELAY)
            }
            None => (Event::Press(self.held?.1), when + PERIOD),
        };
        match event {
            Event::Press(key) if key.modifier().is_none() => self.held = Some((repeats, key)),
            Event::Release(key) if self.held.is_some_and(|(_, held)| held == key) => self.held = None,
            _ => {}
        }
        Some(event)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A key that is held for a second comes six times: after half a second it repeats every 734 thousand cycles.
    #[test]
    fn held_keys_repeat_until_another_one() {
        let input = Input::read(
            "0 press SHIFT\n0 press A\n1s release A\n2s press B\n@19900000 press C\n@20000000 release B",
        )
        .unwrap();
        let mut user = User::new(1000, &input);
        let mut all = Vec::new();
        while let Some(when) = user.when().filter(|when| *when < 28_000_000) {
            assert_eq!(user.due(when - 1), None);
            all.push((when, user.due(when).unwrap()));
        }
        let presses = |name: &str| {
            let key = Key::find(name).unwrap();
            let of = all.iter().filter(|(_, event)| *event == Event::Press(key)).map(|(when, _)| *when);
            of.collect::<Vec<u64>>()
        };
        assert_eq!(
            presses("A"),
            [0, 4_000_000, 4_733_944, 5_467_888, 6_201_832, 6_935_776, 7_669_720].map(|cycle| cycle + 1000)
        );
        assert_eq!((presses("SHIFT").len(), presses("B").len()), (1, 1));
        assert_eq!(presses("C")[..2], [19_901_000, 23_901_000]);
    }
}

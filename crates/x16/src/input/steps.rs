//! What is done one after the other: keys that are typed, buttons that are held, a mouse that is moved. It is how options and the
//! lines of a file say it.

use super::{BUTTONS, Event, FIRST_FRAME, Input, Key, MOUSE_BUTTONS, Unread, cycle_of};
use gpuzoo_diag::suggest;
use std::ops::Range;

/// What a text cannot be read for: where, what, and what to do.
pub(super) type Wrong = (Range<usize>, String, String);

/// Frames that a button is held where nothing else is said.
const HELD: u64 = 2;
/// The most frames that something lasts: a day.
const LONGEST: u64 = 60 * 60 * 60 * 24;

/// A pen that adds events to an input: what is written starts at its frame, and moves it on.
pub(super) struct Pen<'a> {
    pub input: &'a mut Input,
    /// In cycles.
    pub cycle: u64,
}

impl Input {
    /// Keys that are typed, an event each frame, from frame [`FIRST_FRAME`](super::FIRST_FRAME) on. Letters press the key that has them on
    /// a US keyboard, capitals and small ones alike; `{F1}`, `{SHIFT+A}`, `{LEFT:30}` (held for 30 frames) and `{WAIT:60}` are the rest.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn typed(text: &str) -> Result<Input, Unread> {
        Input::typed_at(FIRST_FRAME, text)
    }

    /// The same from another frame on.
    pub(crate) fn typed_at(frame: u64, text: &str) -> Result<Input, Unread> {
        Input::by(frame, |pen| pen.keys(text))
    }

    /// A controller's buttons, 1 to 4: steps like `RIGHT+B:60` (held for 60 frames) and `WAIT:20`.
    ///
    /// # Errors
    /// As for [`typed`](Input::typed).
    pub fn played(controller: u8, text: &str) -> Result<Input, Unread> {
        Input::by(FIRST_FRAME, |pen| pen.joystick(controller, text))
    }

    /// The mouse: steps like `40,-10` (right and up), `LEFT:5` (held for 5 frames), `LEFT+8,0:5` (both) and `WAIT:20`. A third number is the
    /// wheel's.
    ///
    /// # Errors
    /// As for [`typed`](Input::typed).
    pub fn moved(text: &str) -> Result<Input, Unread> {
        Input::by(FIRST_FRAME, |pen| pen.mouse(text))
    }

    fn by(frame: u64, write: impl FnOnce(&mut Pen<'_>) -> Result<(), Wrong>) -> Result<Input, Unread> {
        let mut input = Input::default();
        let written = write(&mut Pen { input: &mut input, cycle: cycle_of(frame) });
        // A pen goes forward, so that they are in their order.
        written.map(|()| input).map_err(|(place, message, help)| Unread { line: 1, place, message, help })
    }
}

impl Pen<'_> {
    fn wait(&mut self, frames: u64) {
        self.cycle = self.cycle.saturating_add(cycle_of(frames));
    }

    fn add(&mut self, event: Event, place: &Range<usize>) -> Result<(), Wrong> {
        if self.input.push(self.cycle, event) {
            return Ok(());
        }
        Err((
            place.clone(),
            "there are too many events".to_owned(),
            "an input has at most 1,048,576".to_owned(),
        ))
    }

    /// Types a text.
    pub fn keys(&mut self, text: &str) -> Result<(), Wrong> {
        let mut at = 0;
        while let Some(letter) = text[at..].chars().next() {
            if letter != '{' {
                let place = at..at + letter.len_utf8();
                let Some((key, shifted)) = Key::typed(letter) else {
                    let help = "keys are those of a US keyboard; others have names, such as {F1}, {LEFT} and {SHIFT+A}";
                    return Err((place, format!("no key shows `{letter}`"), help.to_owned()));
                };
                self.stroke(if shifted { &[Key::SHIFT] } else { &[] }, key, 1, &place)?;
                at = place.end;
                continue;
            }
            let Some(length) = text[at..].find('}') else {
                let help =
                    "a key's name is written {RETURN}; for the key `[` with SHIFT write {SHIFT+[}".to_owned();
                return Err((at..text.len(), "`{` has no `}`".to_owned(), help));
            };
            self.named_key(text, at + 1..at + length)?;
            at += length + 1;
        }
        Ok(())
    }

    /// What stands in braces.
    fn named_key(&mut self, text: &str, place: Range<usize>) -> Result<(), Wrong> {
        let (name, frames) = lasting(text, place)?;
        let written = &text[name.clone()];
        if written.eq_ignore_ascii_case("WAIT") {
            self.wait(frames.unwrap_or(1));
            return Ok(());
        }
        let shifted = [("CLR", "HOME"), ("RUN", "STOP")].into_iter();
        let shifted = shifted.filter(|(own, _)| own.eq_ignore_ascii_case(written));
        if let Some(key) = shifted.filter_map(|(_, key)| Key::find(key)).next() {
            return self.stroke(&[Key::SHIFT], key, frames.unwrap_or(1), &name);
        }
        let mut held = Vec::new();
        for part in parts(text, name.clone()) {
            let written = &text[part.clone()];
            let shown = written.chars().next().filter(|letter| written.len() == letter.len_utf8());
            if let Some((key, shifted)) = shown.and_then(Key::typed) {
                held.extend(shifted.then_some(Key::SHIFT).into_iter().chain([key]));
                continue;
            }
            let Some(key) = Key::find(written) else {
                let near = suggest::nearest(written, Key::names());
                let help = near.map(|near| format!("did you mean `{near}`?"));
                let help = help.unwrap_or_else(|| {
                    "keys are called by what they show, or RETURN, DEL, LEFT, SPACE, F1 …".to_owned()
                });
                return Err((part, format!("there is no key `{written}`"), help));
            };
            held.push(key);
        }
        match held.split_last() {
            Some((key, held)) => self.stroke(held, *key, frames.unwrap_or(1), &name),
            None => Ok(()),
        }
    }

    /// Presses keys one after the other, a frame apart, holds the last one, and lets go of all.
    fn stroke(&mut self, held: &[Key], key: Key, frames: u64, place: &Range<usize>) -> Result<(), Wrong> {
        for modifier in held {
            self.add(Event::Press(*modifier), place)?;
            self.wait(1);
        }
        self.add(Event::Press(key), place)?;
        self.wait(frames);
        for key in std::iter::once(&key).chain(held.iter().rev()) {
            self.add(Event::Release(*key), place)?;
            self.wait(1);
        }
        Ok(())
    }

    /// Holds a controller's buttons.
    pub fn joystick(&mut self, controller: u8, text: &str) -> Result<(), Wrong> {
        let mut place = 0..0;
        for step in words(text) {
            let (names, frames) = lasting(text, step.clone())?;
            let down = if text[names.clone()].eq_ignore_ascii_case("WAIT") {
                0
            } else {
                buttons(text, names, &BUTTONS)?
            };
            self.add(Event::Buttons { controller, down }, &step)?;
            self.wait(frames.unwrap_or(HELD));
            place = step;
        }
        self.add(Event::Buttons { controller, down: 0 }, &place)
    }

    /// Moves the mouse, and holds its buttons.
    pub fn mouse(&mut self, text: &str) -> Result<(), Wrong> {
        let mut before = 0;
        let mut place = 0..0;
        for step in words(text) {
            let (names, frames) = lasting(text, step.clone())?;
            let (mut motion, mut down) = ([0; 3], 0);
            let waits = text[names.clone()].eq_ignore_ascii_case("WAIT");
            for part in parts(text, names).take_while(|_| !waits) {
                if text[part.clone()].contains(',') {
                    motion = numbers(text, part)?;
                } else {
                    down |= buttons(text, part, &MOUSE_BUTTONS)? as u8;
                }
            }
            let [dx, dy, wheel] = motion;
            if motion != [0; 3] || down != before {
                self.add(Event::Mouse { dx, dy, wheel: wheel as i8, down }, &step)?;
            }
            (before, place) = (down, step);
            self.wait(frames.unwrap_or(if down == 0 { 1 } else { HELD }));
        }
        if before == 0 {
            return Ok(());
        }
        self.add(Event::Mouse { dx: 0, dy: 0, wheel: 0, down: 0 }, &place)
    }
}

/// The places of a text's words.
pub(super) fn words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    text.split_whitespace().map(|word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        start..start + word.len()
    })
}

/// The places of what stands between `+`; a `+` that stands alone is the key.
fn parts(text: &str, place: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = place.start;
    for (at, letter) in text[place.clone()].char_indices() {
        let at = place.start + at;
        if letter == '+' && at > start {
            ranges.push(start..at);
            start = at + 1;
        }
    }
    ranges.push(start..place.end);
    ranges.into_iter()
}

/// Takes the frames off that a step lasts: `RIGHT:60`.
fn lasting(text: &str, place: Range<usize>) -> Result<(Range<usize>, Option<u64>), Wrong> {
    let written = &text[place.clone()];
    // A colon that ends the name is the key.
    let Some(colon) = written.rfind(':').filter(|colon| *colon > 0 && colon + 1 < written.len()) else {
        return Ok((place, None));
    };
    let number = place.start + colon + 1..place.end;
    let name = place.start..place.start + colon;
    match text[number.clone()].parse() {
        Ok(frames) if (1..=LONGEST).contains(&frames) => Ok((name, Some(frames))),
        _ => {
            let message = format!("`{}` is not a number of frames", &text[number.clone()]);
            Err((
                number,
                message,
                "frames are a number from 1 on: there are nearly 60 in a second".to_owned(),
            ))
        }
    }
}

/// The bits of buttons.
pub(super) fn buttons(text: &str, place: Range<usize>, names: &'static [(&str, u16)]) -> Result<u16, Wrong> {
    if text[place.clone()].eq_ignore_ascii_case("NONE") {
        return Ok(0);
    }
    let mut down = 0;
    for part in parts(text, place) {
        let written = &text[part.clone()];
        let Some((_, bit)) = names.iter().find(|(name, _)| name.eq_ignore_ascii_case(written)) else {
            let known: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
            let help = format!(
                "buttons are {}, joined by `+`; a step holds them for 60 frames as `RIGHT+B:60`",
                known.join(", ")
            );
            return Err((part, format!("there is no button `{written}`"), help));
        };
        down |= bit;
    }
    Ok(down)
}

/// A motion: `DX,DY` or `DX,DY,WHEEL`.
pub(super) fn numbers(text: &str, place: Range<usize>) -> Result<[i16; 3], Wrong> {
    let mut motion = [0; 3];
    let mut count = 0;
    for (index, number) in text[place.clone()].split(',').enumerate() {
        let most = if index == 2 { 127 } else { 10_000 };
        let read = number.trim().parse().ok().filter(|number| (-most..=most).contains(number));
        match (motion.get_mut(index), read) {
            (Some(one), Some(number)) => *one = number,
            _ => count = 3,
        }
        count += 1;
    }
    if matches!(count, 2 | 3) {
        return Ok(motion);
    }
    let message = format!("`{}` is not a motion", &text[place.clone()]);
    let help =
        "a motion is DX,DY in pixels, right and down, up to 10,000; a third number is the wheel's, up to 127";
    Err((place, message, help.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CYCLES_PER_FRAME;

    fn frames(input: &Input) -> Vec<(u64, Event)> {
        input.events().iter().map(|(cycle, event)| (cycle / CYCLES_PER_FRAME - FIRST_FRAME, *event)).collect()
    }

    fn key(name: &str) -> Key {
        Key::find(name).unwrap()
    }

    #[test]
    fn keys_follow_each_other_frame_by_frame() {
        let (a, left) = (key("A"), key("LEFT"));
        let typed = Input::typed("a{WAIT:10}!{LEFT:30}{CTRL+ALT+a}{:}").unwrap();
        let (one, shift) = (key("1"), Key::SHIFT);
        let expected = [
            (0, Event::Press(a)),
            (1, Event::Release(a)),
            (12, Event::Press(shift)),
            (13, Event::Press(one)),
            (14, Event::Release(one)),
            (15, Event::Release(shift)),
            (16, Event::Press(left)),
            (46, Event::Release(left)),
        ];
        assert_eq!(frames(&typed)[..8], expected);
    }

    #[test]
    fn a_controller_holds_its_buttons_until_the_next_step() {
        let played = Input::played(2, "RIGHT+B:60 WAIT:5 start").unwrap();
        let down = |down| Event::Buttons { controller: 2, down };
        assert_eq!(frames(&played), [(0, down(0x81)), (60, down(0)), (65, down(0x10)), (67, down(0))]);
        assert_eq!(played.controllers(), [false, true, false, false]);
    }

    #[test]
    fn a_mouse_moves_with_buttons_or_without() {
        let moved = Input::moved("40,-10 LEFT+8,0,1:5 RIGHT").unwrap();
        let of = |dx, dy, wheel, down| Event::Mouse { dx, dy, wheel, down };
        let expected =
            [(0, of(40, -10, 0, 0)), (1, of(8, 0, 1, 1)), (6, of(0, 0, 0, 2)), (8, of(0, 0, 0, 0))];
        assert_eq!(frames(&moved), expected);
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        let place = |read: Result<Input, Unread>| read.err().map(|unread| unread.place);
        assert_eq!(place(Input::typed("ab{RETRUN}")), Some(3..9));
        assert_eq!(place(Input::typed("ab{")), Some(2..3));
        assert_eq!(place(Input::typed("aé")), Some(1..3));
        assert_eq!(place(Input::typed("{LEFT:0}")), Some(6..7));
        assert_eq!(place(Input::typed("{}")), Some(1..1));
        assert_eq!(place(Input::played(1, "B C")), Some(2..3));
        assert_eq!(place(Input::moved("1,2 1,2,3,4")), Some(4..11));
        assert_eq!(place(Input::moved("1,20000")), Some(0..7));
        assert_eq!(place(Input::moved("-10000,10000,-127")), None);
        for over in ["-10001,0", "-32768,0", "0,32767", "0,0,-128", "0,0,-32768"] {
            assert_eq!(place(Input::moved(over)), Some(0..over.len()), "{over}");
        }
    }
}

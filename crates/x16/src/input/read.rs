//! Inputs as files: a line for each thing that is done, with its time.
//!
//! ```text
//! # frame  what is done
//! 30       keys LOAD{RETURN}
//! 1.5s     press LEFT
//! +20      release LEFT
//! 120      joystick 1 RIGHT+B:60 WAIT:10 START
//! 250      mouse 40,-10 LEFT:5
//! @1344000 buttons 1 UP
//! @1345000 motion 3,0,0 LEFT
//! ```

use super::steps::{Pen, Wrong, buttons, numbers, words};
use super::{BUTTONS, Event, Input, Key, MOUSE_BUTTONS, Unread, cycle_of};
use crate::CYCLES_PER_SECOND;
use gpuzoo_diag::suggest;
use std::ops::Range;

/// The most problems that are reported.
const MOST: usize = 100;
/// Times end here: a year.
const LAST: u64 = CYCLES_PER_SECOND * 60 * 60 * 24 * 365;

static ACTS: [&str; 7] = ["keys", "joystick", "mouse", "press", "release", "buttons", "motion"];

impl Input {
    /// Reads a file: lines with a time and what is done then. A time is a frame, seconds (`1.5s`, `20ms`), CPU cycles (`@8000`), all from the
    /// program's start, or frames after the line before (`+10`). What is done is `keys TEXT`, `joystick NUMBER STEPS` or `mouse STEPS`,
    /// as [`typed`](Input::typed), [`played`](Input::played) and [`moved`](Input::moved) read them, or a single event: `press KEY`,
    /// `release KEY`, `buttons NUMBER BUTTONS`, `motion DX,DY BUTTONS`. Behind `#` at the start of a line is a comment.
    ///
    /// # Errors
    /// What is wrong, line by line.
    pub fn read(text: &str) -> Result<Input, Vec<Unread>> {
        let (mut input, mut problems) = (Input::default(), Vec::new());
        let (mut start, mut before) = (0, 0);
        for (index, line) in text.split_inclusive('\n').enumerate() {
            let written = line.trim_end();
            if !written.trim_start().is_empty() && !written.trim_start().starts_with('#') {
                match act(&mut input, written, before) {
                    Ok(time) => before = time,
                    Err((place, message, help)) => {
                        let place = start + place.start..start + place.end;
                        problems.push(Unread { line: index + 1, place, message, help });
                    }
                }
            }
            start += line.len();
            if problems.len() >= MOST {
                break;
            }
        }
        // Lines may go back in time. All at once: to put each into its place moves those behind it.
        input.sort();
        if problems.is_empty() { Ok(input) } else { Err(problems) }
    }
}

/// Does what a line says; returns its time.
fn act(input: &mut Input, line: &str, before: u64) -> Result<u64, Wrong> {
    let mut words = words(line);
    let when = words.next().unwrap_or_default();
    let cycle = time(&line[when.clone()], before).ok_or_else(|| {
        let message = format!("`{}` is not a time", &line[when.clone()]);
        let help = "a time is a frame (60), seconds (1.5s, 20ms), cycles (@8000), or frames after the line before (+10)";
        (when.clone(), message, help.to_owned())
    })?;
    let end = line.len()..line.len();
    let Some(what) = words.next() else {
        let help = format!("a line is a time and one of {}", ACTS.join(", "));
        return Err((end, "nothing is done here".to_owned(), help));
    };
    // Of what follows, spaces count where keys are typed: all but the first.
    let start = what.end + line[what.end..].chars().next().map_or(0, char::len_utf8);
    let rest = &line[start..];
    let there = |place: Range<usize>| place.start + start..place.end + start;
    let moved = |(place, message, help): Wrong| (there(place), message, help);
    let mut pen = Pen { input, cycle };
    let mut single = |event: Event| {
        let there = pen.input.push(cycle, event);
        let message = "there are too many events".to_owned();
        if there { Ok(()) } else { Err((what.clone(), message, "an input has at most 1,048,576".to_owned())) }
    };
    let name = &line[what.clone()];
    match name {
        "keys" => pen.keys(rest).map_err(moved)?,
        "mouse" => pen.mouse(rest).map_err(moved)?,
        "joystick" => {
            let (controller, place) = controller(line, words.next(), end)?;
            let from = place.end;
            let steps = pen.joystick(controller, line.get(from..).unwrap_or_default());
            steps.map_err(|(place, message, help)| (place.start + from..place.end + from, message, help))?;
        }
        "press" | "release" => {
            let place = words.next().unwrap_or(end);
            let written = &line[place.clone()];
            let key = Key::find(written).ok_or_else(|| {
                let near = suggest::nearest(written, Key::names());
                let help = near.map_or_else(
                    || "keys are called A, F1, RETURN …".to_owned(),
                    |near| format!("did you mean `{near}`?"),
                );
                (place, format!("there is no key `{written}`"), help)
            })?;
            single(if name == "press" { Event::Press(key) } else { Event::Release(key) })?;
        }
        "buttons" => {
            let (controller, _) = controller(line, words.next(), end.clone())?;
            let down = buttons(line, words.next().unwrap_or(end), &BUTTONS)?;
            single(Event::Buttons { controller, down })?;
        }
        "motion" => {
            let [dx, dy, wheel] = numbers(line, words.next().unwrap_or(end))?;
            let down = words.next().map_or(Ok(0), |place| buttons(line, place, &MOUSE_BUTTONS))? as u8;
            single(Event::Mouse { dx, dy, wheel: wheel as i8, down })?;
        }
        _ => {
            let near = suggest::nearest(name, ACTS);
            let help = near.map_or_else(
                || format!("there are {}", ACTS.join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            return Err((what.clone(), format!("`{name}` is nothing that a user does"), help));
        }
    }
    match (matches!(name, "keys" | "mouse" | "joystick"), words.next()) {
        (false, Some(place)) => {
            let message = format!("`{}` is too much here", &line[place.clone()]);
            Err((place, message, "a line is one event".to_owned()))
        }
        _ => Ok(cycle),
    }
}

/// Reads a time, in cycles from the start.
fn time(written: &str, before: u64) -> Option<u64> {
    let seconds = |number: &str, unit: f64| {
        let number: f64 = number.parse().ok()?;
        (number >= 0.0 && number * unit <= LAST as f64).then_some((number * unit) as u64)
    };
    let cycle = if let Some(cycles) = written.strip_prefix('@') {
        cycles.parse().ok()?
    } else if let Some(frames) = written.strip_prefix('+') {
        before.saturating_add(cycle_of(frames.parse().ok()?))
    } else if let Some(number) = written.strip_suffix("ms") {
        seconds(number, CYCLES_PER_SECOND as f64 / 1000.0)?
    } else if let Some(number) = written.strip_suffix('s') {
        seconds(number, CYCLES_PER_SECOND as f64)?
    } else {
        cycle_of(written.parse().ok()?)
    };
    (cycle <= LAST).then_some(cycle)
}

/// Reads a controller's number.
fn controller(
    line: &str,
    place: Option<Range<usize>>,
    end: Range<usize>,
) -> Result<(u8, Range<usize>), Wrong> {
    let place = place.unwrap_or(end);
    match line[place.clone()].parse() {
        Ok(number @ 1..=4) => Ok((number, place)),
        _ => {
            let message = format!("`{}` is not a controller", &line[place.clone()]);
            Err((place, message, "controllers are 1 to 4".to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_frames_seconds_and_cycles() {
        let of = |text| time(text, 1000);
        assert_eq!(
            (of("2"), of("1.5s"), of("20ms"), of("@7"), of("+1")),
            (Some(268_800), Some(12_000_000), Some(160_000), Some(7), Some(135_400))
        );
        assert_eq!(
            (of("x"), of("-1"), of("1e99s"), of("@"), of("18446744073709551615")),
            (None, None, None, None, None)
        );
    }

    #[test]
    fn times_are_not_before_the_start() {
        for text in ["-1s", "-0.5ms", "nans"] {
            assert_eq!(time(text, 1000), None, "{text}");
        }
    }

    #[test]
    fn files_are_read_and_written() {
        let text = "# a comment\n\n10 keys  a\n20 joystick 1 B\n+5 mouse 3,4 LEFT\n40 press F1\n41 release F1\n\
                    @9 buttons 2 UP+A\n@9 motion -3,0,1 RIGHT\n";
        let input = Input::read(text).unwrap();
        assert_eq!(input.events()[0], (9, Event::Buttons { controller: 2, down: 0x8008 }));
        assert_eq!(input.events()[1], (9, Event::Mouse { dx: -3, dy: 0, wheel: 1, down: 2 }));
        // The second space is typed.
        assert_eq!(input.events()[2], (1_344_000, Event::Press(Key::find("SPACE").unwrap())));
        assert_eq!(Input::read(&input.text()), Ok(input));
    }

    /// Lines are brought into their order, those of a time in the file's; any blank parts words.
    #[test]
    fn lines_may_come_in_any_order() {
        let input = Input::read("20 press B\n3 press A\n@7 press X\n3 release A\n").unwrap();
        let [x, a, b] = ["X", "A", "B"].map(|name| Key::find(name).unwrap());
        let (third, last) = (3 * 134_400, 20 * 134_400);
        assert_eq!(
            input.events(),
            [
                (7, Event::Press(x)),
                (third, Event::Press(a)),
                (third, Event::Release(a)),
                (last, Event::Press(b))
            ]
        );
        assert_eq!(Input::read("1 keys\u{a0}a"), Input::read("1 keys a"));
        assert_eq!(Input::read("1 keys"), Ok(Input::default()));
    }

    /// A file that is none has a problem in each line: the first hundred are reported.
    #[test]
    fn a_hundred_problems_are_told() {
        for (lines, told) in [(1, 1), (99, 99), (100, 100), (101, 100), (1000, 100)] {
            let problems = Input::read(&"x\n".repeat(lines)).unwrap_err();
            assert_eq!((problems.len(), problems.last().map(|one| one.line)), (told, Some(told)));
        }
    }

    #[test]
    fn what_is_wrong_has_its_line() {
        let problems = Input::read("1 keys a\nx press A\n3\n4 pres A\n5 press AA\n6 buttons 5 A\n7 press A B\n8 motion 1\n9 joystick 1 Q").unwrap_err();
        let told: Vec<(usize, usize)> = problems.iter().map(|one| (one.line, one.place.start)).collect();
        assert_eq!(told, [(2, 9), (3, 20), (4, 23), (5, 38), (6, 51), (7, 65), (8, 76), (9, 91)]);
    }
}

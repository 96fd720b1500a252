//! What the arguments let a user do while a program runs.

use crate::rules::INPUT;
use crate::{Input, Unread};
use gpuzoo_diag::{Diagnostic, Sources, Span};
use gpuzoo_machine::options::arguments::{Arguments, Kind, Parameter, Verb};

use super::RUNS;

/// The options.
pub(super) const KEYS: Parameter = Parameter::new(
    "keys",
    Kind::Name,
    RUNS,
    "type keys from frame 30 on: `HELLO{RETURN}`; `{WAIT:60}` waits, `{LEFT:30}` is held, `{SHIFT+A}` goes with others",
);
pub(super) const JOYSTICK: Parameter = Parameter::new(
    "joystick",
    Kind::Name,
    RUNS,
    "hold a controller's buttons from frame 30 on: `RIGHT+B:60 WAIT:20 START`; given again, the next controller's",
);
pub(super) const MOUSE: Parameter =
    Parameter::new("mouse", Kind::Name, RUNS, "move the mouse from frame 30 on: `40,-10 LEFT:5 WAIT:20`");
pub(super) const INPUT_FILE: Parameter =
    Parameter::new("input", Kind::File, RUNS, "keys, controllers and the mouse, a line with a time for each");
pub(super) const WRITE_INPUT: Parameter = Parameter::new(
    "write-input",
    Kind::Output,
    &[Verb::Run],
    "write what the user did, event by event, as `--input` reads it",
);

/// Controllers that options can play.
const CONTROLLERS: usize = 4;

/// What each option says, by the name that messages call it.
fn given(arguments: &Arguments) -> Vec<(String, String, Result<Input, Vec<Unread>>)> {
    let mut all = Vec::new();
    let mut add = |name: &str, text: &str, read: Result<Input, Vec<Unread>>| {
        all.push((name.to_owned(), text.to_owned(), read));
    };
    let one = |read: Result<Input, Unread>| read.map_err(|unread| vec![unread]);
    if let Some((name, bytes)) = arguments.file("input") {
        let text = String::from_utf8_lossy(bytes);
        add(name, &text, Input::read(&text));
    }
    for text in arguments.names("keys") {
        add("--keys", text, one(Input::typed(text)));
    }
    for (number, text) in arguments.names("joystick").enumerate() {
        let read = match number {
            0..CONTROLLERS => one(Input::played(number as u8 + 1, text)),
            _ => Err(vec![Unread {
                line: 1,
                place: 0..text.len(),
                message: "there are four controllers".to_owned(),
                help: "give `--joystick` up to four times".to_owned(),
            }]),
        };
        add("--joystick", text, read);
    }
    for text in arguments.names("mouse") {
        add("--mouse", text, one(Input::moved(text)));
    }
    all
}

fn problem(message: String, unread: &Unread) -> Diagnostic {
    Diagnostic::error(&INPUT, message).help(unread.help.as_str())
}

/// All that is wrong with what was given; the texts are added to `sources`.
pub(super) fn problems(arguments: &Arguments, sources: &mut Sources) -> Vec<Diagnostic> {
    let wrong = given(arguments).into_iter().filter_map(|(name, text, read)| Some((name, text, read.err()?)));
    let told = wrong.flat_map(|(name, text, all)| {
        let file = sources.add(&name, &text);
        let told = all.into_iter().map(move |unread| {
            let span = Span { file, start: unread.place.start as u32, end: unread.place.end as u32 };
            problem(unread.message.clone(), &unread).label(span, "")
        });
        told.collect::<Vec<_>>()
    });
    told.collect()
}

/// What the arguments say.
///
/// # Errors
/// The first thing that is wrong.
pub(super) fn input(arguments: &Arguments) -> Result<Input, Diagnostic> {
    let mut all = Input::default();
    for (name, _, read) in given(arguments) {
        match read {
            Ok(input) => all = all.with(&input),
            Err(unread) => {
                let Some(first) = unread.first() else { continue };
                return Err(problem(format!("{name}, line {}: {}", first.line, first.message), first));
            }
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_has_a_place_where_there_are_sources() {
        let arguments = Arguments::default().set("keys", "A{RETRUN}").set("joystick", "B");
        let mut sources = Sources::default();
        let problems = problems(&arguments, &mut sources);
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].help, ["did you mean `RETURN`?"]);
        assert!(problems[0].span().is_some());
        let told = input(&arguments).unwrap_err();
        assert_eq!((told.code.id, &told.message[..]), ("V0326", "--keys, line 1: there is no key `RETRUN`"));
        let five = ["B"; 5].iter().fold(Arguments::default(), |all, text| all.set("joystick", *text));
        assert_eq!(input(&five).unwrap_err().code.id, "V0326");
    }

    #[test]
    fn all_options_come_together() {
        let arguments = Arguments::default().set("keys", "A").set("joystick", "B").set("joystick", "START");
        let arguments = arguments.set("mouse", "1,2").set("input", b"1 press F1\n".to_vec());
        let input = input(&arguments).unwrap();
        assert_eq!(input.events().len(), 2 + 2 + 2 + 1 + 1);
        assert_eq!(input.controllers(), [true, true, false, false]);
    }
}

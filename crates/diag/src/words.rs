//! Words of messages.

use std::borrow::Cow;
use std::fmt::Display;

/// A number of things in words.
///
/// ```
/// use gpuzoo_diag::counted;
/// assert_eq!(counted(1, "cell"), "1 cell");
/// assert_eq!(counted("1,200", "byte"), "1,200 bytes");
/// assert_eq!([counted(0, "vertex"), counted(2, "index")], ["0 vertices", "2 indices"]);
/// ```
pub fn counted(count: impl Display, one: &str) -> String {
    let count = count.to_string();
    if count == "1" {
        return format!("1 {one}");
    }
    match one.strip_suffix("ex") {
        Some(stem) => format!("{count} {stem}ices"),
        None => format!("{count} {one}s"),
    }
}

/// True for what changes how a terminal shows other text, or where: control characters, line separators, and the marks that
/// turn the direction of writing.
fn is_control(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text, such as a file's name, for a terminal: control characters, and marks that turn the direction of writing, are
/// written as escapes, so that it stays on its line and does nothing.
///
/// ```
/// use gpuzoo_diag::printable;
/// assert_eq!(printable("a\u{1b}[2J\n\u{202e}b"), "a\\u{1b}[2J\\n\\u{202e}b");
/// assert_eq!(printable("naïve.toml"), "naïve.toml");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_control) {
        return text.into();
    }
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match is_control(letter) {
            true => safe.extend(letter.escape_debug()),
            false => safe.push(letter),
        }
    }
    safe.into()
}

/// As [`printable`], of a JSON value on one line: the escapes are JSON's, so that a program reads the same characters.
///
/// ```
/// assert_eq!(gpuzoo_diag::printable_json("[\"\u{9b}1m\"]"), r#"["\u009b1m"]"#);
/// ```
pub fn printable_json(json: &str) -> Cow<'_, str> {
    if !json.contains(is_control) {
        return json.into();
    }
    let mut safe = String::with_capacity(json.len());
    for letter in json.chars() {
        match is_control(letter) {
            true => safe += &format!("\\u{:04x}", u32::from(letter)),
            false => safe.push(letter),
        }
    }
    safe.into()
}

/// As [`printable`], with a character of as many bytes in place of each that is left over by the renderer, so that places stay
/// what they are.
pub(crate) fn same_places(text: &str) -> Cow<'_, str> {
    let is_bad = |letter: char| is_control(letter) && !letter.is_ascii();
    if !text.contains(is_bad) {
        return text.into();
    }
    let stand_in = |letter: char| match (is_bad(letter), letter.len_utf8()) {
        (true, 2) => '\u{b7}',
        (true, _) => '\u{fffd}',
        (false, _) => letter,
    };
    text.chars().map(stand_in).collect()
}

/// The longest word, or text in backticks, that a message shows whole, in characters.
const LONGEST_WORD: usize = 200;
/// How much of a longer one is shown: its beginning and its end.
const SHOWN_OF_WORD: (usize, usize) = (120, 40);
/// The longest message.
const LONGEST_MESSAGE: usize = 8000;

/// A message as it is shown: [`printable`], and short, whatever an input has for a name. Of long words, and of long texts in
/// backticks, the beginning and the end are there.
pub(crate) fn message(text: &str) -> String {
    if text.len() <= LONGEST_WORD {
        return printable(text).into_owned();
    }
    let mut short = String::new();
    for (index, part) in text.split('`').enumerate() {
        if index > 0 {
            short.push('`');
        }
        if short.len() > LONGEST_MESSAGE {
            short.push('…');
            break;
        }
        if index % 2 == 1 {
            shorten(part, &mut short);
        } else {
            for word in part.split_inclusive(' ') {
                shorten(word, &mut short);
                if short.len() > LONGEST_MESSAGE {
                    break;
                }
            }
        }
    }
    printable(&short).into_owned()
}

fn shorten(word: &str, short: &mut String) {
    let (first, last) = SHOWN_OF_WORD;
    if word.len() <= LONGEST_WORD || word.chars().nth(LONGEST_WORD).is_none() {
        *short += word;
        return;
    }
    short.extend(word.chars().take(first));
    short.push('…');
    let from = word.char_indices().rev().nth(last - 1).map_or(0, |(at, _)| at);
    *short += &word[from..];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_stay_short_whatever_a_name_is() {
        let long = "n".repeat(400_000);
        let (first, last) = ("n".repeat(120), "n".repeat(40));
        assert_eq!(
            message(&format!("there is no `{long}` here")),
            format!("there is no `{first}…{last}` here")
        );
        assert_eq!(message(&format!("{long} is too large")), format!("{first}…{} is too large", &last[..39]));
        // Blanks in backticks, and backticks in backticks, and many names.
        for text in
            [format!("`{}` is odd", "a b ".repeat(100_000)), "`".repeat(400_000), "`a`, ".repeat(99_999)]
        {
            assert!(message(&text).len() < LONGEST_MESSAGE + 1000, "{}", &text[..20]);
        }
        let usual = format!("one of {}", "`name`, ".repeat(100));
        assert_eq!(message(&usual), usual);
    }

    #[test]
    fn json_keeps_what_it_says() {
        let value = serde_json::json!({ "file": "a\u{202e}\u{9b}\u{7f}b\n" });
        let text = value.to_string();
        let safe = printable_json(&text);
        assert!(safe.is_ascii() && safe.contains("\\u202e\\u009b\\u007f"), "{safe}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&safe).unwrap(), value);
    }

    #[test]
    fn stand_ins_are_as_long_as_what_they_stand_for() {
        for text in ["a\u{9b}b", "a\u{61c}b", "a\u{202e}\u{200f}b"] {
            assert_eq!(same_places(text).len(), text.len());
            assert!(!same_places(text).contains(is_control));
        }
    }
}

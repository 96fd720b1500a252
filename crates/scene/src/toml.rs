//! From the text of a TOML file to settings with places.
//!
//! Dates have no use in a scene and are reported. So are integers beyond 64 bits, which TOML leaves to the reader.

use gpuzoo_diag::{Diagnostic, File, Span, counted};
use gpuzoo_machine::options::settings::{Setting, Table, Value};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

gpuzoo_diag::codes! {
    SYNTAX = "R0301", "not TOML",
        "The file is not a TOML text. TOML is lines of `key = value` under headers such as `[camera]`; texts are \
         written in quotes, lists in brackets, tables in braces. <https://toml.io> has the rules on one page.";
    NO_SETTING = "R0302", "value that no setting can have",
        "Settings are texts, true or false, 64-bit integers, numbers, lists and tables. TOML also has dates and \
         larger integers; no setting takes them.";
}

/// The most syntax errors that are reported; further ones are rarely useful.
pub const MAX_ERRORS: usize = 20;

/// Reads a TOML text. With errors the table holds what could be read.
///
/// ```
/// use gpuzoo_diag::File;
/// use gpuzoo_machine::options::settings::Value;
///
/// let file = File::new("a.toml", "[mesh.pot]\nshape = \"teapot\"\n");
/// let (table, problems) = gpuzoo_scene::toml::parse(&file);
/// assert!(problems.is_empty());
/// let Some(Value::Table(meshes)) = table.get("mesh").map(|setting| &setting.value) else { panic!() };
/// assert_eq!(file.slice(meshes.entries[0].1), "pot");
/// ```
pub fn parse(file: &File) -> (Table, Vec<Diagnostic>) {
    let (document, errors) = DeTable::parse_recoverable(file.text());
    let mut reader = Converter { file, problems: Vec::new() };
    for error in errors.iter().take(MAX_ERRORS) {
        let span = file.span(error.span().unwrap_or(0..0));
        // One line; the rest of such a message is a list of what would have been possible.
        let message = error.message().lines().next().unwrap_or("this is not TOML");
        reader.problems.push(Diagnostic::error(&SYNTAX, message).label(span, ""));
    }
    if let Some(last) = reader.problems.last_mut()
        && errors.len() > MAX_ERRORS
    {
        last.notes.push(format!("{} not shown", counted(errors.len() - MAX_ERRORS, "more syntax error")));
    }
    let table = reader.table(document.span(), document.into_inner());
    (table, reader.problems)
}

/// A text in quotes, as TOML writes it.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            _ if letter.is_control() => quoted += &format!("\\u{:04x}", u32::from(letter)),
            _ => quoted.push(letter),
        }
    }
    quoted + "\""
}

struct Converter<'a> {
    file: &'a File,
    problems: Vec<Diagnostic>,
}

impl Converter<'_> {
    /// The entries in the order of the file; the parser keeps them in the order of their names.
    fn table(&mut self, place: Range<usize>, table: DeTable) -> Table {
        let mut entries: Vec<(String, Span, Setting)> = Vec::with_capacity(table.len());
        for (key, value) in table {
            let span = self.file.span(key.span());
            if let Some(setting) = self.setting(value) {
                entries.push((key.into_inner().into_owned(), span, setting));
            }
        }
        entries.sort_by_key(|(_, span, _)| span.start);
        Table { span: self.file.span(place), entries }
    }

    fn setting(&mut self, value: Spanned<DeValue>) -> Option<Setting> {
        let place = value.span();
        let span = self.file.span(place.clone());
        let value = match value.into_inner() {
            DeValue::String(text) => Value::Text(text.into_owned()),
            DeValue::Boolean(bool) => Value::Bool(bool),
            DeValue::Integer(int) => match i64::from_str_radix(int.as_str(), int.radix()) {
                Ok(int) => Value::Int(int),
                Err(_) => return self.refuse(span, "an integer beyond 64 bits"),
            },
            DeValue::Float(float) => match float.as_str().parse() {
                Ok(float) => Value::Float(float),
                Err(_) => return self.refuse(span, "no number"),
            },
            DeValue::Datetime(_) => return self.refuse(span, "a date"),
            DeValue::Array(items) => {
                Value::List(items.into_iter().filter_map(|item| self.setting(item)).collect())
            }
            DeValue::Table(table) => Value::Table(self.table(place, table)),
        };
        Some(Setting { span, value })
    }

    fn refuse(&mut self, span: Span, what: &str) -> Option<Setting> {
        let problem = Diagnostic::error(&NO_SETTING, format!("no setting can be {what}"));
        self.problems.push(problem.label(span, ""));
        None
    }
}

/// Where the text of a setting begins in its file, if it is there letter by letter: then places in the text are
/// places in the file. A text with escapes does not.
pub fn verbatim(file: &File, setting: &Setting) -> Option<u32> {
    let Value::Text(text) = &setting.value else { return None };
    let raw = file.slice(setting.span);
    let quotes = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|&quotes| raw.starts_with(quotes))?;
    // A line break right after three quotes does not belong to the text.
    let inner = &raw[quotes.len()..];
    let skipped = match quotes.len() {
        3 if inner.starts_with("\r\n") => 2,
        3 if inner.starts_with('\n') => 1,
        _ => 0,
    };
    inner[skipped..].starts_with(text.as_str()).then(|| setting.span.start + (quotes.len() + skipped) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_places_and_their_order() {
        let text = "z = 1\na = [true, 2.5, \"x\"]\n[b.c]\nd = { e = -0x1f }\n";
        let file = File::new("t", text);
        let (table, problems) = parse(&file);
        // TOML has no negative hexadecimal numbers.
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert_eq!(file.place(problems[0].labels[0].span.start).line, 4);
        let keys: Vec<&str> = table.entries.iter().map(|(key, ..)| key.as_str()).collect();
        assert_eq!(keys, ["z", "a", "b"]);
        let a = table.get("a").unwrap();
        assert_eq!(file.slice(a.span), "[true, 2.5, \"x\"]");
        let Value::List(list) = &a.value else { panic!() };
        let kinds: Vec<&str> = list.iter().map(|item| item.value.kind()).collect();
        assert_eq!(kinds, ["true or false", "a number", "a text"]);
        assert_eq!(file.slice(list[2].span), "\"x\"");
    }

    #[test]
    fn a_header_is_the_place_of_its_table() {
        let file = File::new("t", "[camera]\nfov = 45\n");
        let (table, _) = parse(&file);
        assert_eq!(file.slice(table.get("camera").unwrap().span), "[camera]");
    }

    #[test]
    fn every_syntax_error_is_reported() {
        let file = File::new("t", "a = \nb = [1\nc == 3\nd = 2020-01-01\ne = 99999999999999999999\n");
        let (_, problems) = parse(&file);
        let lines: Vec<usize> =
            problems.iter().map(|problem| file.place(problem.labels[0].span.start).line).collect();
        assert!(lines.contains(&1) && lines.len() >= 2, "{problems:?}");
        let file = File::new("t", "d = 2020-01-01\ne = 99999999999999999999\n");
        let codes: Vec<&str> = parse(&file).1.iter().map(|problem| problem.code.id).collect();
        assert_eq!(codes, ["R0302", "R0302"]);
    }

    #[test]
    fn deep_nesting_is_an_error_and_no_overflow() {
        let deep = format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(!parse(&File::new("t", &deep)).1.is_empty());
        let dotted = format!("{}a = 1", "a.".repeat(100_000));
        parse(&File::new("t", &dotted));
        let header = format!("[{}a]\nb = 1", "a.".repeat(100_000));
        parse(&File::new("t", &header));
    }

    #[test]
    fn texts_that_stand_in_the_file() {
        let text = "a = \"t+1\"\nb = '''\nld r0 0\n'''\nc = \"x\\ty\"\nd = 3\n";
        let file = File::new("t", text);
        let (table, _) = parse(&file);
        let at = |key| verbatim(&file, table.get(key).unwrap()).map(|at| at as usize);
        assert_eq!(at("a"), text.find("t+1"));
        assert_eq!(at("b"), text.find("ld r0 0"));
        assert_eq!(at("c"), None);
        assert_eq!(at("d"), None);
    }
}

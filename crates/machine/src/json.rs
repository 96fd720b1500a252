//! JSON with places, so that what is wrong in it can be shown where it stands.
//!
//! The tree is that of [`settings`](crate::settings), as for scene files. The text of a number is what its span covers;
//! whoever wants it exact reads that.

use crate::settings::{Setting, Table, Value};
use gpuzoo_diag::{Diagnostic, File, MAX_SOURCE_BYTES, Span};
use gpuzoo_isa::codes::SOURCE_TOO_LARGE;
use std::collections::HashSet;

gpuzoo_diag::codes! {
    JSON_SYNTAX = "G0204", "not JSON",
        "The text is not what JSON allows at this place, or an object has a name twice. Numbers that JSON does not have (`nan`, \
         `inf`, bit patterns) stand in quotes.";
}

/// How deep lists and objects may be nested.
pub const MAX_DEPTH: usize = 64;

/// Reads a text that is one JSON value, or several one after the other (JSON Lines), which come as a list.
///
/// ```
/// use gpuzoo_diag::File;
/// use gpuzoo_machine::json::parse;
/// use gpuzoo_machine::settings::Value;
///
/// let file = File::new("x.json", "{\"c4\": [1, 2.5]}");
/// let Value::Table(table) = parse(&file).unwrap().value else { panic!() };
/// let Value::List(list) = &table.get("c4").unwrap().value else { panic!() };
/// assert_eq!(file.slice(list[1].span), "2.5");
/// ```
///
/// # Errors
/// `G0204` at the first place that is not JSON, `A0116` for a text of more than 64 MiB. A member that is
/// `null` is not there; anywhere else `null` is refused.
pub fn parse(file: &File) -> Result<Setting, Diagnostic> {
    if file.text().len() > MAX_SOURCE_BYTES {
        let problem =
            Diagnostic::error(&SOURCE_TOO_LARGE, format!("the text has {} bytes", file.text().len()));
        return Err(problem.label(file.span(0..0), "").help("a text may have up to 64 MiB"));
    }
    let mut parser = Parser { file, bytes: file.text().as_bytes(), at: 0 };
    let mut values = Vec::new();
    parser.blanks();
    while parser.at < parser.bytes.len() || values.is_empty() {
        values.push(parser.value(0)?);
        parser.blanks();
    }
    match values.len() {
        1 => Ok(values.remove(0)),
        _ => Ok(Setting { span: file.whole(), value: Value::List(values) }),
    }
}

struct Parser<'a> {
    file: &'a File,
    bytes: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn blanks(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Takes a byte if it comes next.
    fn take(&mut self, byte: u8) -> bool {
        self.blanks();
        let found = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn fail<T>(&self, wanted: &str) -> Result<T, Diagnostic> {
        let rest = &self.file.text()[self.at..];
        let found = match rest.chars().next() {
            Some(letter) => format!("`{}`", letter.escape_debug()),
            None => "the end".to_owned(),
        };
        let length = rest.chars().next().map_or(0, char::len_utf8);
        let problem = Diagnostic::error(&JSON_SYNTAX, format!("expected {wanted}, found {found}"));
        Err(problem.label(self.file.span(self.at..self.at + length), ""))
    }

    fn value(&mut self, depth: usize) -> Result<Setting, Diagnostic> {
        self.blanks();
        let start = self.at;
        if depth > MAX_DEPTH {
            return self.fail(&format!("at most {MAX_DEPTH} levels of lists and objects"));
        }
        let value = match self.bytes.get(self.at) {
            Some(b'{') => Value::Table(self.table(depth)?),
            Some(b'[') => Value::List(self.list(depth)?),
            Some(b'"') => Value::Text(self.text()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => {
                match ["true", "false"].iter().find(|word| self.file.text()[self.at..].starts_with(**word)) {
                    Some(word) => {
                        self.at += word.len();
                        Value::Bool(*word == "true")
                    }
                    None => return self.fail("a JSON value"),
                }
            }
        };
        Ok(Setting { span: self.file.span(start..self.at), value })
    }

    fn list(&mut self, depth: usize) -> Result<Vec<Setting>, Diagnostic> {
        self.at += 1;
        let mut list = Vec::new();
        if self.take(b']') {
            return Ok(list);
        }
        loop {
            list.push(self.value(depth + 1)?);
            if self.take(b']') {
                return Ok(list);
            }
            if !self.take(b',') {
                return self.fail("`,` or `]`");
            }
        }
    }

    fn table(&mut self, depth: usize) -> Result<Table, Diagnostic> {
        let start = self.at;
        self.at += 1;
        let mut entries: Vec<(String, Span, Setting)> = Vec::new();
        let mut names = HashSet::new();
        while !self.take(b'}') {
            if !names.is_empty() && !self.take(b',') {
                return self.fail("`,` or `}`");
            }
            self.blanks();
            let key_start = self.at;
            if self.bytes.get(self.at) != Some(&b'"') {
                return self.fail("a name in quotes");
            }
            let key = self.text()?;
            let span = self.file.span(key_start..self.at);
            if names.contains(&key) {
                let problem = Diagnostic::error(&JSON_SYNTAX, format!("`{key}` stands here a second time"));
                return Err(problem.label(span, ""));
            }
            if !self.take(b':') {
                return self.fail("`:`");
            }
            names.insert(key.clone());
            self.blanks();
            if self.file.text()[self.at..].starts_with("null") {
                self.at += 4;
            } else {
                entries.push((key, span, self.value(depth + 1)?));
            }
        }
        Ok(Table { span: self.file.span(start..self.at), entries })
    }

    fn text(&mut self) -> Result<String, Diagnostic> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.bytes.get(self.at) {
                Some(b'"') => break,
                Some(b'\\') => self.at += 2,
                Some(byte) if *byte >= b' ' => self.at += 1,
                _ => {
                    self.at = self.at.min(self.bytes.len());
                    return self.fail("`\"`");
                }
            }
        }
        self.at += 1;
        // Escapes are rare; the library that knows them all takes over.
        let text = self.file.text().get(start..self.at).unwrap_or("");
        serde_json::from_str(text).map_err(|_| {
            let problem = Diagnostic::error(&JSON_SYNTAX, "the text holds an escape that JSON does not have");
            problem.label(self.file.span(start..self.at), "")
        })
    }

    fn number(&mut self) -> Result<Value, Diagnostic> {
        let start = self.at;
        while matches!(self.bytes.get(self.at), Some(b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')) {
            self.at += 1;
        }
        let text = &self.file.text()[start..self.at];
        // What a number may look like, and which are too large, the library says.
        let number = serde_json::from_str::<serde_json::Number>(text).ok();
        let value = match number.as_ref().and_then(serde_json::Number::as_i64) {
            Some(int) => Some(Value::Int(int)),
            None => number.and_then(|number| number.as_f64()).map(Value::Float),
        };
        match value {
            Some(value) => Ok(value),
            None => {
                self.at = start;
                self.fail("a number")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> (&'static str, String, u32) {
        let problem = parse(&File::new("x", text)).unwrap_err();
        (problem.code.id, problem.message.clone(), problem.span().map_or(0, |span| span.start))
    }

    #[test]
    fn mistakes_are_shown_where_they_stand() {
        for (text, message, at) in [
            ("", "expected a JSON value, found the end", 0),
            ("[1, 2", "expected `,` or `]`, found the end", 5),
            ("[1 2]", "expected `,` or `]`, found `2`", 3),
            ("{\"a\" 1}", "expected `:`, found `1`", 5),
            ("{a: 1}", "expected a name in quotes, found `a`", 1),
            ("{\"a\": 1,}", "expected a name in quotes, found `}`", 8),
            ("[1e]", "expected a number, found `1`", 1),
            ("[01]", "expected a number, found `0`", 1),
            ("[1.]", "expected a number, found `1`", 1),
            ("[-]", "expected a number, found `-`", 1),
            ("[1e999]", "expected a number, found `1`", 1),
            ("\"abc", "expected `\"`, found the end", 4),
            ("\"\\", "expected `\"`, found the end", 2),
            ("null", "expected a JSON value, found `n`", 0),
        ] {
            assert_eq!(problem(text), ("G0204", message.to_owned(), at), "{text}");
        }
        assert_eq!(problem("\"\\q\"").0, "G0204");
        assert_eq!(problem("{\"a\": 1, \"a\": 2}"), ("G0204", "`a` stands here a second time".to_owned(), 9));
        assert_eq!(problem("\"\\\u{e9}\"").0, "G0204");
    }

    #[test]
    fn a_member_that_is_null_is_not_there() {
        let object = parse(&File::new("x", "{\"a\": null, \"b\": 1}")).unwrap();
        let Value::Table(table) = object.value else { panic!("a table") };
        assert_eq!((table.get("a"), table.entries.len()), (None, 1));
        assert_eq!(problem("{\"a\": nul}"), ("G0204", "expected a JSON value, found `n`".to_owned(), 6));
        assert_eq!(problem("{\"a\": nulls}").0, "G0204");
    }

    #[test]
    fn numbers_keep_their_kind_and_sign() {
        let number = |text: &str| parse(&File::new("x", text)).unwrap().value;
        assert_eq!(number("-12"), Value::Int(-12));
        assert_eq!(number("1e2"), Value::Float(100.0));
        let Value::Float(zero) = number("-0") else { panic!("a float") };
        assert!(zero == 0.0 && zero.is_sign_negative());
        assert_eq!(number("18446744073709551615"), Value::Float(18_446_744_073_709_551_615.0));
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(parse(&File::new("x", &nested(MAX_DEPTH + 1))).is_ok());
        assert!(problem(&nested(100_000)).1.starts_with("expected at most 64 levels"));
    }

    #[test]
    fn lines_are_a_list() {
        let lines = parse(&File::new("x", "{\"a\": \"\\u0041\"}\n{}\n")).unwrap();
        let Value::List(records) = lines.value else { panic!("a list") };
        let Value::Table(first) = &records[0].value else { panic!("a table") };
        assert_eq!(first.get("a").map(|setting| &setting.value), Some(&Value::Text("A".into())));
        assert_eq!(records.len(), 2);
    }
}

//! JSON with places, so that what is wrong in it can be shown where it stands.
//!
//! The tree is that of [`settings`](gpuzoo_machine::settings), as for scene files. The text of a number is what its
//! span covers; whoever wants it exact reads that.

use crate::codes::{JSON_SYNTAX, TOO_LARGE};
use gpuzoo_diag::{Diagnostic, File, MAX_SOURCE_BYTES, Span};
use gpuzoo_machine::settings::{Setting, Table, Value};

/// How deep lists and objects may be nested.
pub const MAX_DEPTH: usize = 64;

/// Reads a text that is one JSON value, or several one after the other (JSON Lines), which come as a list.
///
/// ```
/// use gpuzoo::diag::File;
/// use gpuzoo::json::parse;
/// use gpuzoo::machine::settings::Value;
///
/// let file = File::new("x.json", "{\"c4\": [1, 2.5]}");
/// let Value::Table(table) = parse(&file).unwrap().value else { panic!() };
/// let Value::List(list) = &table.get("c4").unwrap().value else { panic!() };
/// assert_eq!(file.slice(list[1].span), "2.5");
/// ```
///
/// # Errors
/// `G0204` at the first place that is not JSON, `G0211` for a text of more than 64 MiB. `null` is refused too: nothing
/// that gpuzoo reads has a use for it.
pub fn parse(file: &File) -> Result<Setting, Diagnostic> {
    if file.text().len() > MAX_SOURCE_BYTES {
        let problem = Diagnostic::error(&TOO_LARGE, format!("the text has {} bytes", file.text().len()));
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
        while !self.take(b'}') {
            if !entries.is_empty() && !self.take(b',') {
                return self.fail("`,` or `}`");
            }
            self.blanks();
            let key_start = self.at;
            if self.bytes.get(self.at) != Some(&b'"') {
                return self.fail("a name in quotes");
            }
            let key = self.text()?;
            let span = self.file.span(key_start..self.at);
            if !self.take(b':') {
                return self.fail("`:`");
            }
            entries.push((key, span, self.value(depth + 1)?));
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
        if let Ok(int) = text.parse::<i64>()
            && text != "-0"
        {
            return Ok(Value::Int(int));
        }
        text.parse().map(Value::Float).or_else(|_| {
            self.at = start;
            self.fail("a number")
        })
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
            ("\"abc", "expected `\"`, found the end", 4),
            ("\"\\", "expected `\"`, found the end", 2),
            ("null", "expected a JSON value, found `n`", 0),
        ] {
            assert_eq!(problem(text), ("G0204", message.to_owned(), at), "{text}");
        }
        assert_eq!(problem("\"\\q\"").0, "G0204");
        assert_eq!(problem("\"\\\u{e9}\"").0, "G0204");
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

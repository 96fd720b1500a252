//! Reading JSON into settings with places, so that whoever reads them can say where something is wrong.

use gpuzoo_diag::{Diagnostic, File, Span};
use gpuzoo_machine::settings::{Setting, Table, Value};

gpuzoo_diag::codes! {
    NOT_JSON = "P0301", "not JSON",
        "The text breaks the rules of JSON at this place. Keys and texts stand in double quotes, nothing follows the last \
         member of a list or an object, and a key stands in an object once.";
}

/// How deep lists and objects may lie in each other.
const MAX_DEPTH: usize = 64;

/// Reads a file of one object.
///
/// # Errors
/// [`NOT_JSON`], with the first place that is none.
pub fn parse(file: &File) -> Result<Table, Diagnostic> {
    let mut reader = Reader { text: file.text(), file, at: 0 };
    let setting = reader.value(0)?;
    reader.blanks();
    if reader.at < reader.text.len() {
        return Err(reader.wrong(reader.at, "something follows the object"));
    }
    match setting.value {
        Value::Table(table) => Ok(table),
        _ => Err(reader.wrong(0, "expected an object in braces")),
    }
}

struct Reader<'a> {
    text: &'a str,
    file: &'a File,
    at: usize,
}

impl Reader<'_> {
    fn wrong(&self, at: usize, why: &str) -> Diagnostic {
        // To the next whole character.
        let end = self.text[at..].chars().next().map_or(at, |letter| at + letter.len_utf8());
        Diagnostic::error(&NOT_JSON, why).label(self.file.span(at..end), "")
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8) -> Result<(), Diagnostic> {
        self.blanks();
        if self.peek() != Some(byte) {
            return Err(self.wrong(self.at, &format!("expected `{}`", byte as char)));
        }
        self.at += 1;
        Ok(())
    }

    fn value(&mut self, depth: usize) -> Result<Setting, Diagnostic> {
        self.blanks();
        let start = self.at;
        if depth > MAX_DEPTH {
            return Err(self.wrong(start, "lists and objects lie too deep in each other"));
        }
        let value = match self.peek() {
            Some(b'{') => Value::Table(self.object(depth)?),
            Some(b'[') => Value::List(self.list(depth)?),
            Some(b'"') => Value::Text(self.string()?),
            _ => self.word()?,
        };
        let span = self.file.span(start..self.at);
        Ok(match value {
            Value::Table(table) => Setting { span, value: Value::Table(Table { span, ..table }) },
            value => Setting { span, value },
        })
    }

    /// Members up to the closing bracket, which is read too.
    fn members(
        &mut self,
        close: u8,
        mut member: impl FnMut(&mut Self) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        self.at += 1;
        self.blanks();
        if self.peek() == Some(close) {
            self.at += 1;
            return Ok(());
        }
        loop {
            member(self)?;
            self.blanks();
            if self.peek() == Some(b',') {
                self.at += 1;
            } else {
                return self.expect(close);
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Vec<Setting>, Diagnostic> {
        let mut list = Vec::new();
        self.members(b']', |reader| {
            list.push(reader.value(depth + 1)?);
            Ok(())
        })?;
        Ok(list)
    }

    fn object(&mut self, depth: usize) -> Result<Table, Diagnostic> {
        let mut entries: Vec<(String, Span, Setting)> = Vec::new();
        self.members(b'}', |reader| {
            reader.blanks();
            let start = reader.at;
            let key = reader.string()?;
            let span = reader.file.span(start..reader.at);
            if entries.iter().any(|(known, ..)| *known == key) {
                return Err(reader.wrong(start, &format!("`{key}` stands here a second time")));
            }
            reader.expect(b':')?;
            entries.push((key, span, reader.value(depth + 1)?));
            Ok(())
        })?;
        Ok(Table { span: Span::default(), entries })
    }

    /// A text, whose escapes are left to the JSON crate.
    fn string(&mut self) -> Result<String, Diagnostic> {
        let start = self.at;
        self.expect(b'"')?;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.at += 2,
                Some(_) => self.at += 1,
                None => return Err(self.wrong(start, "the text has no end")),
            }
        }
        self.at += 1;
        // Brackets, quotes and backslashes are single bytes of UTF-8, so these are whole characters.
        let text = self.text.get(start..self.at).unwrap_or_default();
        serde_json::from_str(text)
            .map_err(|_| self.wrong(start, "this text has a letter or escape that it may not have"))
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> Result<Value, Diagnostic> {
        let rest = &self.text[self.at..];
        let end = rest.find([',', ']', '}', ':', ' ', '\t', '\r', '\n', '"', '[', '{']).unwrap_or(rest.len());
        let word = &rest[..end];
        let value = match serde_json::from_str(word) {
            Ok(serde_json::Value::Bool(bool)) => Some(Value::Bool(bool)),
            // What is not there.
            Ok(serde_json::Value::Null) => Some(Value::List(Vec::new())),
            Ok(serde_json::Value::Number(number)) => match number.as_i64() {
                Some(int) => Some(Value::Int(int)),
                None => number.as_f64().map(Value::Float),
            },
            _ => None,
        };
        let value = value.ok_or_else(|| self.wrong(self.at, "expected a value"))?;
        self.at += end;
        Ok(value)
    }
}

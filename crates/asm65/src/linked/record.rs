//! A line of ld65's debug information: `sym id=2,name="start",val=0x80D,def=14+15`.

use crate::rules::NOT_SYMBOLS;
use gpuzoo_diag::{Diagnostic, File, Span};
use std::ops::Range;

/// A line: what it is about, and what it says of it.
pub(super) struct Record<'a> {
    file: &'a File,
    at: Range<usize>,
    /// What it is about.
    pub what: &'a str,
    fields: Vec<(&'a str, &'a str)>,
}

impl<'a> Record<'a> {
    /// Takes a line apart.
    pub fn read(file: &'a File, at: Range<usize>) -> Result<Record<'a>, Diagnostic> {
        let line = &file.text()[at.clone()];
        let (what, rest) = line.split_once(|letter: char| letter.is_ascii_whitespace()).unwrap_or((line, ""));
        let mut record = Record { file, at, what, fields: Vec::new() };
        let mut rest = rest.trim();
        while !rest.is_empty() {
            let Some((key, value)) = rest.split_once('=') else {
                return Err(record.wrong("expected `name=value`"));
            };
            let (value, more) = match value.strip_prefix('"') {
                Some(text) => text.split_once('"').ok_or_else(|| record.wrong("a name is not closed"))?,
                None => value.split_at(value.find(',').unwrap_or(value.len())),
            };
            record.fields.push((key, value));
            rest = match more.strip_prefix(',') {
                Some(more) => more,
                None if more.is_empty() => "",
                None => return Err(record.wrong("expected `,`")),
            };
        }
        Ok(record)
    }

    /// Where it is.
    pub fn span(&self) -> Span {
        self.file.span(self.at.clone())
    }

    /// A problem of this line.
    pub fn wrong(&self, message: impl Into<String>) -> Diagnostic {
        let problem = Diagnostic::error(&NOT_SYMBOLS, message).label(self.span(), "");
        problem.help("a line of ld65's debug information is a word and `name=value` separated by commas")
    }

    /// A field, which may be missing.
    pub fn text(&self, key: &str) -> Option<&'a str> {
        self.fields.iter().find(|(own, _)| *own == key).map(|(_, value)| *value)
    }

    fn need(&self, key: &str) -> Result<&'a str, Diagnostic> {
        self.text(key).ok_or_else(|| self.wrong(format!("`{key}` is missing")))
    }

    /// A name.
    pub fn name(&self) -> Result<&'a str, Diagnostic> {
        self.need("name")
    }

    /// A number, which may be missing.
    pub fn some(&self, key: &str) -> Result<Option<u32>, Diagnostic> {
        let Some(text) = self.text(key) else { return Ok(None) };
        let number = match text.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => text.parse(),
        };
        number.map(Some).map_err(|_| self.wrong(format!("`{key}={text}` is not a number")))
    }

    /// A number.
    pub fn number(&self, key: &str) -> Result<u32, Diagnostic> {
        self.need(key)?;
        self.some(key).map(Option::unwrap_or_default)
    }

    /// Numbers with `+` between them; none if the field is missing.
    pub fn numbers(&self, key: &str) -> Result<Vec<u32>, Diagnostic> {
        let Some(text) = self.text(key) else { return Ok(Vec::new()) };
        let numbers: Result<_, _> = text.split('+').map(str::parse).collect();
        numbers.map_err(|_| self.wrong(format!("`{key}={text}` are no numbers")))
    }
}

//! Reading one line, left to right.

use crate::codes;
use gpuzoo_diag::{Diagnostic, File, Span};

/// What was read, or the one error of this line.
pub(super) type Parsed<T> = Result<T, Box<Diagnostic>>;

/// The rest of a line.
pub(super) struct Cursor<'a> {
    file: &'a File,
    /// What is left, without blanks before it.
    rest: &'a str,
    /// The place of `rest` in the file.
    at: usize,
}

impl<'a> Cursor<'a> {
    /// The line that begins at byte `at` of the file; its comment is cut off.
    pub fn new(file: &'a File, at: usize, line: &'a str) -> Cursor<'a> {
        let code = line.split(';').next().unwrap_or("");
        let mut cursor = Cursor { file, rest: code.trim_end(), at };
        cursor.skip(0);
        cursor
    }

    /// Passes `length` bytes and the blanks behind them.
    fn skip(&mut self, length: usize) {
        let rest = self.rest[length..].trim_start();
        self.at += self.rest.len() - rest.len();
        self.rest = rest;
    }

    /// True if nothing is left.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The letters that follow, as far as `belongs` says; empty if the first one does not belong.
    pub fn take(&mut self, belongs: impl Fn(char) -> bool) -> (&'a str, Span) {
        let length = self.rest.find(|letter| !belongs(letter)).unwrap_or(self.rest.len());
        let taken = (&self.rest[..length], self.file.span(self.at..self.at + length));
        self.skip(length);
        taken
    }

    /// A name or number: ASCII letters, digits and `_`.
    pub fn word(&mut self) -> (&'a str, Span) {
        self.take(is_word)
    }

    /// The next word, without taking it.
    pub fn peek_word(&self) -> &'a str {
        let length = self.rest.find(|letter| !is_word(letter)).unwrap_or(self.rest.len());
        &self.rest[..length]
    }

    /// Takes `sign` if it is next.
    pub fn eat(&mut self, sign: char) -> bool {
        let found = self.rest.starts_with(sign);
        if found {
            self.skip(sign.len_utf8());
        }
        found
    }

    /// Takes `sign`, or complains.
    pub fn expect(&mut self, sign: char) -> Parsed<()> {
        if self.eat(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    /// Complains if anything is left.
    pub fn expect_end(&mut self) -> Parsed<()> {
        if self.is_empty() { Ok(()) } else { Err(self.unexpected("the end of the line")) }
    }

    /// A decimal number from 0 to `max`.
    pub fn number(&mut self, what: &str, max: u32) -> Parsed<u32> {
        if !self.rest.starts_with(|letter: char| letter.is_ascii_digit()) {
            return Err(self.unexpected(what));
        }
        let (word, span) = self.word();
        number_in(word, max).ok_or_else(|| {
            let message = format!("{} is not a number from 0 to {max}", quote(word));
            Box::new(Diagnostic::error(&codes::NUMBER, message).label(span, format!("expected {what}")))
        })
    }

    /// "Expected this, found that", at what is next.
    pub fn unexpected(&self, expected: &str) -> Box<Diagnostic> {
        let word = self.peek_word().len();
        let length = if word > 0 { word } else { self.rest.chars().next().map_or(0, char::len_utf8) };
        let found = if length == 0 { "the end of the line".to_owned() } else { quote(&self.rest[..length]) };
        let message = format!("expected {expected}, found {found}");
        let span = self.file.span(self.at..self.at + length);
        Box::new(Diagnostic::error(&codes::SYNTAX, message).label(span, format!("expected {expected}")))
    }
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// The decimal number that `word` is, if it is one up to `max`. (A word holds no sign, which `parse` would accept.)
pub(super) fn number_in(word: &str, max: u32) -> Option<u32> {
    word.parse().ok().filter(|&number| number <= max)
}

/// `text` between back-quotes; long junk is not repeated.
pub(super) fn quote(text: &str) -> String {
    if text.len() <= 40 { format!("`{text}`") } else { "a long word".to_owned() }
}

//! A place in the tokens of a text, and the problems found so far.

use crate::codes::*;
use crate::lexer::Lexer;
use crate::number::{NumberError, integer};
use crate::syntax::{Case, Syntax};
use crate::token::{Token, TokenKind};
use gpuzoo_diag::{Diagnostic, File, MAX_SOURCE_BYTES, Severity, Span};
use std::cmp::Ordering;

/// Reading stops after this many errors, and reports as many warnings.
pub const MAX_ERRORS: usize = 1000;

/// Something could not be read; the problem has been reported.
#[derive(Clone, Copy, Debug)]
pub struct Failed;

/// A place in the tokens of a text.
pub struct Cursor<'a> {
    /// The text.
    pub file: &'a File,
    /// How it is written.
    pub syntax: &'a Syntax,
    lexer: Lexer<'a>,
    /// The second part of a token that was split.
    rest: Option<Token>,
    /// The token at the place.
    pub token: Token,
    /// Where the token before it ends.
    pub previous_end: usize,
    /// What is wrong so far.
    pub problems: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor at the beginning of `file`; of a text that is too long, at its end.
    pub fn new(file: &'a File, syntax: &'a Syntax) -> Cursor<'a> {
        let size = file.text().len();
        let mut lexer = Lexer::new(file.text(), syntax);
        let mut problems = Vec::new();
        let token = if size > MAX_SOURCE_BYTES {
            let problem = Diagnostic::error(&SOURCE_TOO_LARGE, format!("the source has {size} bytes"));
            problems.push(problem.at(file.span(0..0)).help("a source may have up to 64 MiB"));
            Token { kind: TokenKind::End, start: size, end: size, first: true }
        } else {
            lexer.next_token()
        };
        Cursor { file, syntax, lexer, rest: None, token, previous_end: 0, problems, errors: 0, warnings: 0 }
    }

    /// True, and reported, after so many errors that this is hardly assembly text.
    pub fn gives_up(&mut self) -> bool {
        let up = self.errors >= MAX_ERRORS && !self.at_end();
        if up {
            let problem = Diagnostic::error(&TOO_MANY_ERRORS, "too many errors; the rest was not read");
            self.problems.push(problem.label(self.span(), "reading stopped here"));
        }
        up
    }

    /// True if an error has been reported.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// The token's text.
    pub fn text(&self) -> &'a str {
        &self.file.text()[self.token.start..self.token.end]
    }

    /// The token's place.
    pub fn span(&self) -> Span {
        self.file.span(self.token.start..self.token.end)
    }

    /// The place right behind the token before.
    pub fn here(&self) -> Span {
        self.file.span(self.previous_end..self.previous_end)
    }

    /// From `start` to the end of the token before.
    pub fn since(&self, start: usize) -> Span {
        self.file.span(start..self.previous_end.max(start))
    }

    /// The token and the letters and digits that follow it without a blank, for messages.
    pub fn word(&self) -> (&'a str, Span) {
        let rest = &self.file.text()[self.token.start..];
        let word = rest.find(|next: char| !next.is_ascii_alphanumeric() && next != '_').unwrap_or(rest.len());
        let length = word.max(self.token.end - self.token.start);
        (&rest[..length], self.file.span(self.token.start..self.token.start + length))
    }

    /// True if nothing but blanks follows the token on its line.
    pub fn ends_line(&self) -> bool {
        let mut rest = self.file.text()[self.token.end..].chars();
        rest.find(|letter| *letter == '\n' || !letter.is_whitespace()).is_none_or(|letter| letter == '\n')
    }

    /// To the next token.
    pub fn advance(&mut self) {
        self.previous_end = self.token.end;
        self.token = self.rest.take().unwrap_or_else(|| self.lexer.next_token());
    }

    /// Makes two tokens of a number with a dot in it: the 38 of `c-38.xyz`, and `.xyz`.
    pub fn split_number(&mut self) {
        if let (TokenKind::Number, Some(dot)) = (self.token.kind, self.text().find('.')) {
            let dot = self.token.start + dot;
            self.rest = Some(Token { kind: TokenKind::Directive, start: dot, first: false, ..self.token });
            self.token.end = dot;
        }
    }

    /// A decimal number up to `most`.
    ///
    /// # Errors
    /// What is not one has been reported.
    pub fn number(&mut self, what: &str, most: u64) -> Result<u64, Failed> {
        let (text, span) = (self.text(), self.span());
        let plain = self.token.kind == TokenKind::Number && text.bytes().all(|byte| byte.is_ascii_digit());
        if !plain {
            return self.unexpected(what, "it is a decimal number");
        }
        self.advance();
        match text.parse() {
            Ok(value) if value <= most => Ok(value),
            _ => {
                let problem = Diagnostic::error(&OUT_OF_RANGE, format!("{text} is too large for {what}"));
                self.fail(problem.label(span, format!("at most {most}")))
            }
        }
    }

    /// The value of the token, an integer literal.
    pub(crate) fn integer(&self) -> Result<u64, NumberError> {
        if self.token.kind == TokenKind::Number { integer(self.text()) } else { Err(NumberError::Malformed) }
    }

    /// Takes this text or reports that it is missing.
    ///
    /// # Errors
    /// It is missing.
    pub fn expect(&mut self, text: &str, why: &str) -> Result<(), Failed> {
        if self.eat(text) { Ok(()) } else { self.unexpected(&format!("`{text}`"), why) }
    }

    /// To the first token of the next line.
    pub fn skip_line(&mut self) {
        self.rest = None;
        self.lexer.skip_line();
        self.advance();
    }

    /// True at the end of the text.
    pub fn at_end(&self) -> bool {
        self.token.kind == TokenKind::End
    }

    /// True if the token is just this text.
    pub fn is(&self, text: &str) -> bool {
        self.text() == text && !self.at_end()
    }

    /// True if nothing stands between the token and the one before.
    pub fn adjacent(&self) -> bool {
        self.token.start == self.previous_end && !self.at_end()
    }

    /// Takes the token if it is this text.
    pub fn eat(&mut self, text: &str) -> bool {
        let is = self.is(text);
        if is {
            self.advance();
        }
        is
    }

    /// Reports a problem; of warnings the first thousand.
    pub fn report(&mut self, problem: Diagnostic) {
        let is_warning = problem.severity == Severity::Warning;
        self.errors += usize::from(problem.severity == Severity::Error);
        self.warnings += usize::from(is_warning);
        match self.warnings.cmp(&MAX_ERRORS) {
            Ordering::Greater if is_warning => {}
            Ordering::Equal if is_warning => {
                self.problems.push(problem.note("further warnings are not reported"));
            }
            _ => self.problems.push(problem),
        }
    }

    /// Reports a problem that keeps something from being read.
    pub fn fail<T>(&mut self, problem: Diagnostic) -> Result<T, Failed> {
        self.report(problem);
        Err(Failed)
    }

    /// Reports that something else was expected here.
    pub fn unexpected<T>(&mut self, wanted: &str, help: &str) -> Result<T, Failed> {
        let (found, span) = match self.at_end() {
            true => ("the end of the text".to_owned(), self.here()),
            false => (format!("`{}`", self.text().escape_debug()), self.span()),
        };
        let problem = Diagnostic::error(&UNEXPECTED, format!("expected {wanted}, found {found}"));
        self.fail(problem.at(span).help(help))
    }

    /// The letters behind a dot that belongs to what was just read, with the dot's place. Where the language has
    /// tokens of its own, blanks may stand between the letters.
    pub fn letters(&mut self) -> Option<(String, Span)> {
        let start = self.token.start;
        let own_tokens = self.syntax.token.is_some();
        if !(self.adjacent() || own_tokens || self.syntax.loose_dots) || self.at_end() {
            return None;
        }
        let known = || self.syntax.all_directives().any(|own| own.name == self.text());
        if self.token.kind == TokenKind::Directive && !own_tokens && !known() {
            let letters = self.text()[1..].to_owned();
            self.advance();
            return Some((self.folded(letters), self.since(start)));
        }
        if !self.eat(".") {
            return None;
        }
        let mut letters = String::new();
        while self.token.kind == TokenKind::Word {
            let is_component = self.text().chars().all(|letter| self.syntax.components.contains(letter));
            let glued = self.adjacent() || self.syntax.loose_dots;
            if !(glued && letters.is_empty() || own_tokens && is_component) {
                break;
            }
            letters += self.text();
            self.advance();
        }
        Some((self.folded(letters), self.since(start)))
    }

    fn folded(&self, letters: String) -> String {
        match self.syntax.case {
            Case::Any | Case::Either => letters.to_ascii_lowercase(),
            Case::Table | Case::Upper => letters,
        }
    }

    /// To the end of the text: what follows is not read.
    pub fn stop(&mut self) {
        self.lexer.skip_all();
        self.rest = None;
        self.advance();
    }
}

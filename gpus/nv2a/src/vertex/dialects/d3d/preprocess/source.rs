//! The tokens of a file, as the preprocessor sees them.

use crate::vertex::syntax::D3D;
use gpuzoo_diag::{FileId, Span};
use gpuzoo_isa::{Lexer, Syntax, Token as Raw, TokenKind};
use std::ops::Range;
use std::rc::Rc;

/// Tokens of the dialect, but that a dot is one of its own, and a backslash with the end of its line, too.
pub static SYNTAX: Syntax = Syntax { token: Some(own), ..D3D };

/// Where spans lie that belong to no file.
pub const NOWHERE: FileId = FileId(u32::MAX);

fn own(text: &str) -> Option<(TokenKind, usize)> {
    let bytes = text.as_bytes();
    match bytes {
        [b'\\', b'\n', ..] => Some((TokenKind::Junk, 2)),
        [b'\\', b'\r', b'\n', ..] => Some((TokenKind::Junk, 3)),
        [b'.', ..] => Some((TokenKind::Junk, 1)),
        [b'0'..=b'9', ..] => {
            let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
            let mut end = bytes.iter().take_while(|byte| is_word(byte)).count();
            // The 38 of `38.MASK`, but all of `0.5`.
            if bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
                end += 1 + bytes[end + 1..].iter().take_while(|byte| is_word(byte)).count();
            }
            Some((TokenKind::Number, end))
        }
        _ => None,
    }
}

/// Where a token comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Where it is written.
    pub span: Span,
    /// The expansion whose body it was in; 0 for none.
    pub expansion: u32,
}

/// A token of a macro's body or arguments.
#[derive(Clone, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub text: Rc<str>,
    pub origin: Origin,
    /// Something stands between it and the token before: blanks, or the end of a line.
    pub gap: Gap,
    /// It names a macro that is being expanded, and is not expanded again.
    pub fixed: bool,
}

/// What stands before a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gap {
    #[default]
    None,
    Blank,
    Line,
}

impl Token {
    pub fn is(&self, text: &str) -> bool {
        &*self.text == text
    }
}

/// A file, and how far it has been read.
pub struct Source<'t> {
    pub file: FileId,
    pub text: &'t Rc<str>,
    lexer: Lexer<'t>,
    /// The token at the place.
    pub next: Raw,
    /// Where the token before ends.
    pub at: usize,
    /// How far the text has been copied.
    pub copied: usize,
}

impl<'t> Source<'t> {
    pub fn new(file: FileId, text: &'t Rc<str>) -> Source<'t> {
        let mut lexer = Lexer::new(text, &SYNTAX);
        let next = lexer.next_token();
        Source { file, text, lexer, next, at: 0, copied: 0 }
    }

    /// The text of the token at the place.
    pub fn word(&self) -> &'t str {
        &self.text[self.next.start..self.next.end]
    }

    /// The place of the token at the place.
    pub fn span(&self) -> Span {
        self.range(self.next.start, self.next.end)
    }

    pub fn range(&self, start: usize, end: usize) -> Span {
        Span { file: self.file, start: start as u32, end: end as u32 }
    }

    pub fn advance(&mut self) {
        self.at = self.next.end;
        self.next = self.lexer.next_token();
    }

    /// True at a backslash that continues the line.
    pub fn is_continuation(&self) -> bool {
        self.next.kind == TokenKind::Junk && self.next.end - self.next.start > 1
    }

    /// True before a token that is written so; backslashes that continue the line may be before it.
    pub fn is_before(&self, token: &str) -> bool {
        let mut rest = &self.text[self.next.start..];
        while let Some(more) = ["\\\n", "\\\r\n"].iter().find_map(|own| rest.strip_prefix(own)) {
            rest = more.trim_start_matches([' ', '\t']);
        }
        rest.starts_with(token)
    }

    /// Takes the token at the place.
    pub fn take(&mut self) -> Token {
        let gap = match self.next {
            Raw { first: true, .. } => Gap::Line,
            Raw { start, .. } if start > self.at => Gap::Blank,
            _ => Gap::None,
        };
        let origin = Origin { span: self.span(), expansion: 0 };
        let token = Token { kind: self.next.kind, text: self.word().into(), origin, gap, fixed: false };
        self.advance();
        token
    }

    /// True where the line ends.
    pub fn at_line_end(&self) -> bool {
        self.next.first || matches!(self.next.kind, TokenKind::End | TokenKind::OpenComment)
    }

    /// The rest of the line; what is on continuing lines begins with a gap that says so.
    pub fn rest_of_line(&mut self) -> Vec<Token> {
        let mut tokens: Vec<Token> = Vec::new();
        let mut continued = false;
        while !self.at_line_end() {
            if self.is_continuation() {
                continued = true;
                self.advance();
                continue;
            }
            let token = self.take();
            let gap = if std::mem::take(&mut continued) { Gap::Line } else { token.gap };
            tokens.push(Token { gap, ..token });
        }
        tokens
    }

    /// The rest of the line as it is written, with its place.
    pub fn raw_line(&mut self) -> (&'t str, Span) {
        let begin = self.at;
        let text: &'t str = self.text;
        let line_end = |from: usize| text[from..].find('\n').map_or(text.len(), |end| from + end);
        let mut end = line_end(begin);
        while !self.at_line_end() {
            self.advance();
            // The line goes on behind a backslash.
            end = if self.at > end { line_end(self.at) } else { end };
        }
        let line = &text[begin..end];
        let start = begin + line.len() - line.trim_start().len();
        let line = line.trim();
        (line, self.range(start, start + line.len()))
    }
}

/// The preprocessor lines of a text, each from its `#` on with the lines that it goes on to.
pub fn lines(text: &str) -> Vec<Range<usize>> {
    let text: Rc<str> = text.into();
    let mut source = Source::new(NOWHERE, &text);
    let mut lines = Vec::new();
    while source.next.kind != TokenKind::End {
        let is_directive = source.next.first && source.word() == "#";
        let start = source.next.start;
        source.advance();
        if is_directive {
            let (_, rest) = source.raw_line();
            lines.push(start..rest.range().end.max(start + 1));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number has the digits and letters behind it, and behind a dot those of a fraction, which begins with a digit: what else is behind
    /// a dot is a mask, which macros may stand for.
    #[test]
    fn tokens_of_the_preprocessors_own() {
        use TokenKind::{Junk, Number};
        for (text, expected) in [
            ("38.MASK", Some((Number, 2))),
            ("3.x", Some((Number, 1))),
            ("3.x1", Some((Number, 1))),
            ("3.x15", Some((Number, 1))),
            ("3._1", Some((Number, 1))),
            ("0.5", Some((Number, 3))),
            ("0.5, 1", Some((Number, 3))),
            ("0.5f.x", Some((Number, 4))),
            ("12.75e3+1", Some((Number, 7))),
            ("1_a2.3b_c d", Some((Number, 9))),
            ("7", Some((Number, 1))),
            ("7.", Some((Number, 1))),
            ("7..5", Some((Number, 1))),
            ("9z", Some((Number, 2))),
            ("0", Some((Number, 1))),
            (".5", Some((Junk, 1))),
            (".", Some((Junk, 1))),
            ("..", Some((Junk, 1))),
            ("\\\n5", Some((Junk, 2))),
            ("\\\r\n5", Some((Junk, 3))),
            ("\\\r5", None),
            ("\\ \n", None),
            ("\\", None),
            ("\n", None),
            ("a.5", None),
            ("-1.5", None),
            ("", None),
        ] {
            assert_eq!(own(text), expected, "{text:?}");
        }
    }

    #[test]
    fn lines_of_the_preprocessor_end_where_they_do() {
        for (text, expected) in [
            ("", &[][..]),
            ("vs.1.1\nmov r0, v0\n", &[]),
            ("#", &["#"]),
            ("#\n#\n", &["#", "#"]),
            ("#define A\nmov r0, A", &["#define A"]),
            ("a\n  # define A  \n", &["# define A"]),
            ("x #define A\n", &[]),
            ("#define A \\\n 1\nb\n#undef A", &["#define A \\\n 1", "#undef A"]),
            ("#define A \\\r\n 1 \\\r\n 2\r\nb", &["#define A \\\r\n 1 \\\r\n 2"]),
            ("#if 0\nx\n#endif", &["#if 0", "#endif"]),
        ] {
            let lines: Vec<&str> = lines(text).into_iter().map(|line| &text[line]).collect();
            assert_eq!(lines, expected, "{text:?}");
        }
    }
}

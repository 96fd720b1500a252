//! From text to tokens, one at a time and without allocation.

use crate::syntax::Syntax;
use crate::token::{Token, TokenKind};
use gpuzoo_diag::work::spend;

/// Reads tokens from a text.
#[derive(Clone, Debug)]
pub struct Lexer<'a> {
    text: &'a str,
    at: usize,
    syntax: &'a Syntax,
    first: bool,
}

impl<'a> Lexer<'a> {
    /// A lexer at the beginning of `text`.
    pub fn new(text: &'a str, syntax: &'a Syntax) -> Lexer<'a> {
        // A byte order mark is how some editors begin a file; it means nothing.
        let at = if text.starts_with('\u{feff}') && syntax.byte_order_mark { 3 } else { 0 };
        Lexer { text, at, syntax, first: true }
    }

    /// The next token; after the last one always [`TokenKind::End`].
    pub fn next_token(&mut self) -> Token {
        loop {
            let piece = self.next_piece();
            if piece.kind != TokenKind::Comment {
                return piece;
            }
        }
    }

    /// The next token or comment: what lies between two of them is blank. After the last one always [`TokenKind::End`].
    pub fn next_piece(&mut self) -> Token {
        self.skip_blanks();
        if let Some(comment) = self.comment() {
            return comment;
        }
        let bytes = self.text.as_bytes();
        let start = self.at;
        let run = |from: usize, accept: fn(u8) -> bool| {
            from + bytes[from..].iter().take_while(|&&byte| accept(byte)).count()
        };
        let own = self.syntax.token.and_then(|token| token(&self.text[start..]));
        let (kind, end) = match bytes.get(start) {
            _ if let Some((kind, length)) = own => (kind, start + length),
            None => (TokenKind::End, start),
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') => (TokenKind::Word, run(start, is_word)),
            Some(b'0'..=b'9') => (TokenKind::Number, run(start, |byte| is_word(byte) || byte == b'.')),
            Some(b'.') if bytes.get(start + 1).is_some_and(|byte| byte.is_ascii_alphabetic()) => {
                (TokenKind::Directive, run(start + 1, is_word))
            }
            Some(_) => {
                let width = self.text[start..].chars().next().map_or(1, char::len_utf8);
                (TokenKind::Junk, start + width)
            }
        };
        spend(end - self.at);
        self.at = end;
        Token { kind, start, end, first: std::mem::replace(&mut self.first, false) }
    }

    /// Moves to the end of the line.
    pub fn skip_line(&mut self) {
        self.at = self.text[self.at..].find('\n').map_or(self.text.len(), |offset| self.at + offset);
    }

    /// Moves to the end of the text.
    pub(crate) fn skip_all(&mut self) {
        self.at = self.text.len();
    }

    fn skip_blanks(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at).filter(|byte| self.syntax.blanks.as_bytes().contains(byte))
        {
            self.first |= *byte == b'\n';
            self.at += 1;
        }
    }

    /// The comment at the place, which is passed; one that is never closed is a token of its own.
    fn comment(&mut self) -> Option<Token> {
        let (start, first) = (self.at, self.first);
        let comment = |end| Token { kind: TokenKind::Comment, start, end, first };
        if self.syntax.block_comments && self.text.as_bytes()[start..].starts_with(b"/*") {
            if self.skip_block_comment() {
                return Some(comment(self.at));
            }
            self.at = self.text.len();
            return Some(Token { kind: TokenKind::OpenComment, ..comment(start + 2) });
        }
        self.at_line_comment().then(|| {
            self.skip_line();
            comment(self.at)
        })
    }

    fn at_line_comment(&self) -> bool {
        let rest = &self.text.as_bytes()[self.at..];
        self.syntax.line_comments.iter().any(|mark| rest.starts_with(mark.as_bytes()))
    }

    /// Skips a block comment and those nested in it; false if the text ends first.
    fn skip_block_comment(&mut self) -> bool {
        let bytes = self.text.as_bytes();
        let mut depth = 0usize;
        while self.at < bytes.len() {
            let rest = &bytes[self.at..];
            let (opens, closes) = (rest.starts_with(b"/*"), rest.starts_with(b"*/"));
            depth = depth + usize::from(opens) - usize::from(closes);
            self.first |= rest[0] == b'\n';
            self.at += if opens || closes { 2 } else { 1 };
            if depth == 0 {
                return true;
            }
        }
        false
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

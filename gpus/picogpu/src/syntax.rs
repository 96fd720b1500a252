//! From text to tokens (spec section 2.1).
//!
//! Blanks are never needed between tokens that cannot run together: `mov r1.xyr2` is `mov`, `r1`, `.`, `x`, `y`, `r2`, and
//! a mask's letters are a token each. What is no token is gathered into words, so that messages can name it.

use crate::ops::OPS;
use gpuzoo_isa::Syntax;

/// A slot's words as they stand; ours.
pub const WORD: &str = ".word";
/// The store command as it stands, before a text to which nothing is added; ours.
pub const HEADER: &str = ".header";

/// The directives of the document.
pub const DIRECTIVES: &[&str] =
    &["#input", "#output", "#uniform", "#vertexShader", "#fragmentShader", "#undefinedRegs"];

/// Comments, for the kit.
pub static SYNTAX: Syntax = Syntax { line_comments: &["//"], block_comments: false, directives: &[HEADER] };

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A mnemonic.
    Mnemonic,
    /// `#` and a word.
    Directive,
    /// `.word` or `.header`.
    Raw,
    /// `r` and digits.
    Register,
    /// Digits, perhaps with a minus.
    Int,
    /// Digits, a dot, perhaps digits, perhaps `f`.
    Float,
    /// `0x` and digits, for `.word`.
    Hex,
    /// x, y, z or w.
    Component,
    /// `.`
    Dot,
    /// Something like a number that is none here: `1e3`, `.5`.
    BadNumber,
    /// Letters and digits that are nothing.
    Word,
    /// Any other character.
    Junk,
    /// The end of the text.
    End,
}

/// A token: its kind and its byte range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Its first byte.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// True if it is the first token of its line.
    pub first: bool,
}

/// Reads tokens from a text.
pub struct Lexer<'a> {
    text: &'a str,
    at: usize,
    first: bool,
    /// As the reference's scanner has it: a carriage return is no blank, and `r16` is `r1` and `6`.
    reference: bool,
}

impl<'a> Lexer<'a> {
    /// A lexer at the beginning of `text`.
    pub fn new(text: &'a str, reference: bool) -> Lexer<'a> {
        // A byte order mark is how some editors begin a file; it means nothing.
        let at = if text.starts_with('\u{feff}') && !reference { 3 } else { 0 };
        Lexer { text, at, first: true, reference }
    }

    /// To the end of the line.
    pub fn skip_line(&mut self) {
        self.at = self.text[self.at..].find('\n').map_or(self.text.len(), |offset| self.at + offset);
    }

    /// The next token; after the last one always [`Kind::End`].
    pub fn next_token(&mut self) -> Token {
        self.skip_blanks();
        let (kind, len) = token(&self.text[self.at..], self.reference);
        let start = self.at;
        self.at += len;
        Token { kind, start, end: self.at, first: std::mem::replace(&mut self.first, false) }
    }

    fn skip_blanks(&mut self) {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at) {
                Some(b'\n') => {
                    self.first = true;
                    self.at += 1;
                }
                Some(b' ' | b'\t') => self.at += 1,
                Some(b'\r') if !self.reference => self.at += 1,
                Some(b'/') if bytes.get(self.at + 1) == Some(&b'/') => self.skip_line(),
                _ => return,
            }
        }
    }
}

/// The kind and length of the token that `rest` begins with.
fn token(rest: &str, reference: bool) -> (Kind, usize) {
    let bytes = rest.as_bytes();
    let Some(&first) = bytes.first() else { return (Kind::End, 0) };
    let second = bytes.get(1).copied().unwrap_or(0);
    match first {
        b'#' => match longest(rest, DIRECTIVES.iter().copied()) {
            Some(name) => (Kind::Directive, name.len()),
            None => (Kind::Directive, 1 + word(&bytes[1..])),
        },
        b'.' => match longest(rest, [WORD, HEADER].into_iter()) {
            Some(name) => (Kind::Raw, name.len()),
            None if second.is_ascii_digit() => (Kind::BadNumber, 1 + word(&bytes[1..])),
            None => (Kind::Dot, 1),
        },
        b'x' | b'y' | b'z' | b'w' => (Kind::Component, 1),
        b'r' if second.is_ascii_digit() => (Kind::Register, register(bytes, reference)),
        b'0'..=b'9' => number(rest, 0),
        b'-' if second.is_ascii_digit() => number(rest, 1),
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => match longest(rest, OPS.iter().map(|op| op.name)) {
            Some(name) if begins_token(&rest[name.len()..]) => (Kind::Mnemonic, name.len()),
            _ => (Kind::Word, word(bytes)),
        },
        _ => (Kind::Junk, rest.chars().next().map_or(1, char::len_utf8)),
    }
}

fn longest<'a>(rest: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    names.filter(|name| rest.starts_with(name)).max_by_key(|name| name.len())
}

/// The length of letters, digits and underscores.
fn word(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count()
}

/// True if what follows a mnemonic without a blank can be a token: a register, or after `trap` an instruction.
fn begins_token(rest: &str) -> bool {
    match rest.as_bytes() {
        [b'r', b'0'..=b'9', ..] => true,
        [b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'0'..=b'9', ..] => begins_instruction(rest),
        _ => true,
    }
}

fn begins_instruction(rest: &str) -> bool {
    OPS.iter().any(|op| rest.starts_with(op.name))
}

fn register(bytes: &[u8], reference: bool) -> usize {
    let digits = bytes[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    match bytes[1..] {
        [b'1', b'0'..=b'5', ..] if reference => 3,
        _ if reference => 2,
        _ => 1 + digits,
    }
}

/// A number that begins at `from`, behind its sign.
fn number(rest: &str, from: usize) -> (Kind, usize) {
    let bytes = rest.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if bytes[from..].starts_with(b"0x") && bytes.get(from + 2).is_some_and(u8::is_ascii_hexdigit) {
        return (Kind::Hex, from + word(&bytes[from..]));
    }
    let mut end = from + digits(from);
    let mut kind = Kind::Int;
    if bytes.get(end) == Some(&b'.') {
        kind = Kind::Float;
        end += 1;
        end += digits(end);
        end += usize::from(bytes.get(end) == Some(&b'f'));
    }
    let behind = &rest[end..];
    let glued = behind.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_');
    let second_dot = behind.starts_with('.') && !behind.starts_with(WORD);
    if glued && !begins_instruction(behind) || second_dot {
        return (Kind::BadNumber, end + behind.bytes().take_while(|byte| is_numeric(*byte)).count());
    }
    (kind, end)
}

fn is_numeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_')
}

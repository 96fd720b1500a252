//! From a line of text to tokens.

use crate::token::{Interner, Junk, Kind, Mark, Name, Token};
use gpuzoo_diag::{FileId, Span};

/// What `.feature` changes in how text is read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Dialect {
    /// `/* */` and `//`.
    pub c_comments: bool,
    /// `"` and `\` in strings after a `\`.
    pub string_escapes: bool,
    /// `1_000`
    pub underlines: bool,
    /// A line goes on behind a `\` at its end.
    pub continuation: bool,
}

/// A place in a file, a line at a time.
pub(crate) struct Lexer<'a> {
    pub text: &'a str,
    pub at: usize,
    pub file: FileId,
    pub dialect: Dialect,
    pub names: &'a mut Interner,
}

impl<'a> Lexer<'a> {
    /// Adds the tokens of the next line to `out`, with an end, and moves behind its line break. False at the end of the
    /// text.
    pub fn line(&mut self, out: &mut Vec<Token>) -> bool {
        let bytes = self.text.as_bytes();
        if self.at >= bytes.len() {
            return false;
        }
        let mut last = self.at;
        loop {
            let before = self.at;
            let open = self.skip_blanks();
            let blank = self.at > before || self.at == 0;
            let start = self.at;
            if let Some(span) = open {
                out.push(Token { kind: Kind::Junk(Junk::OpenComment), span, blank });
            }
            match bytes.get(start) {
                None | Some(b'\n') => {
                    // The end is where the last word ends: a comment does not count.
                    out.push(Token { kind: Kind::End, span: self.span(last, last), blank });
                    self.at = start + 1;
                    return true;
                }
                Some(&first) => {
                    let kind = self.token(first);
                    last = self.at;
                    out.push(Token { kind, span: self.span(start, last), blank: blank && start != 0 });
                }
            }
        }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span { file: self.file, start: start as u32, end: end as u32 }
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(b'\n')
    }

    /// Skips blanks and comments; a block comment that is never closed is returned.
    fn skip_blanks(&mut self) -> Option<Span> {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at) {
                Some(b' ' | b'\t' | b'\r' | 0x0b | 0x0c) => self.at += 1,
                Some(0xef) if self.at == 0 && self.text.starts_with('\u{feff}') => self.at = 3,
                Some(b'\\') if self.dialect.continuation && self.continuation() > 0 => {
                    self.at += self.continuation();
                }
                Some(b';') => self.skip_comment(),
                Some(b'/') if self.dialect.c_comments && bytes.get(self.at + 1) == Some(&b'/') => {
                    self.skip_comment();
                }
                Some(b'/') if self.dialect.c_comments && bytes.get(self.at + 1) == Some(&b'*') => {
                    let start = self.at;
                    match self.text.get(start + 2..).and_then(|rest| rest.find("*/")) {
                        Some(offset) => self.at = start + 2 + offset + 2,
                        None => {
                            self.at = bytes.len();
                            return Some(self.span(start, start + 2));
                        }
                    }
                }
                _ => return None,
            }
        }
    }

    /// How many bytes a backslash and the end of its line have; 0 if it is not at the end.
    fn continuation(&self) -> usize {
        let rest = self.text.as_bytes().get(self.at + 1..).unwrap_or(&[]);
        match rest {
            [b'\n', ..] => 2,
            [b'\r', b'\n', ..] => 3,
            _ => 0,
        }
    }

    fn skip_comment(&mut self) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or(&[]);
        self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    }

    fn run(&mut self, accept: fn(u8) -> bool) -> &'a str {
        let start = self.at;
        let rest = self.text.as_bytes().get(start..).unwrap_or(&[]);
        self.at += rest.iter().take_while(|&&byte| accept(byte)).count();
        self.text.get(start..self.at).unwrap_or("")
    }

    fn token(&mut self, first: u8) -> Kind {
        match first {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(),
            b'0'..=b'9' | b'$' | b'%' => self.number(first),
            b'.' => {
                let start = self.at;
                self.at += 1;
                self.run(is_word);
                if self.at == start + 1 {
                    return Kind::Junk(Junk::Character);
                }
                let text = self.text;
                self.names.directive(text.get(start..self.at).unwrap_or(""))
            }
            b'@' => {
                let start = self.at;
                self.at += 1;
                self.run(is_word);
                if self.at == start + 1 {
                    return Kind::Junk(Junk::Character);
                }
                let text = self.text;
                Kind::Cheap(self.names.intern(text.get(start..self.at).unwrap_or("")))
            }
            b'"' => self.string(),
            b'\'' => self.character(),
            b':' => self.colon(),
            _ => self.mark(first),
        }
    }

    fn word(&mut self) -> Kind {
        let start = self.at;
        self.run(is_word);
        let text = self.text;
        let word = text.get(start..self.at).unwrap_or("");
        if let [letter] = *word.as_bytes() {
            let letter = letter.to_ascii_lowercase();
            let is_prefix = matches!(letter, b'a' | b'z') && self.byte(0) == b':';
            if is_prefix && !matches!(self.byte(1), b'=' | b':') {
                self.at += 1;
                return Kind::Prefix(letter);
            }
            if matches!(letter, b'a' | b'x' | b'y') {
                return Kind::Register(letter);
            }
        }
        Kind::Name(self.names.intern(word))
    }

    fn number(&mut self, first: u8) -> Kind {
        let radix = match first {
            b'$' => 16,
            b'%' => 2,
            _ => 10,
        };
        if radix != 10 {
            self.at += 1;
        }
        let underlines = self.dialect.underlines;
        let digits = self.run(is_word);
        // `0ffh` is hexadecimal as well.
        let (digits, radix) = match digits.strip_suffix(['h', 'H']) {
            Some(hexadecimal) if radix == 10 => (hexadecimal, 16),
            _ => (digits, radix),
        };
        let mut value = 0i64;
        if digits.is_empty() {
            return Kind::Junk(Junk::Number);
        }
        for digit in digits.bytes() {
            if digit == b'_' && underlines {
                continue;
            }
            let Some(digit) = char::from(digit).to_digit(radix) else { return Kind::Junk(Junk::Number) };
            value = value * i64::from(radix) + i64::from(digit);
            if value > 0xffff_ffff {
                return Kind::Junk(Junk::TooLarge);
            }
        }
        Kind::Number(value)
    }

    fn string(&mut self) -> Kind {
        let mut text = String::new();
        self.at += 1;
        let mut from = self.at;
        loop {
            match self.byte(0) {
                b'"' => break,
                b'\n' => return Kind::Junk(Junk::OpenText),
                b'\\' if self.dialect.string_escapes && matches!(self.byte(1), b'"' | b'\\' | b'\'') => {
                    text += self.text.get(from..self.at).unwrap_or("");
                    from = self.at + 1;
                    self.at += 2;
                }
                _ => self.at += 1,
            }
        }
        text += self.text.get(from..self.at).unwrap_or("");
        self.at += 1;
        Kind::Text(self.names.intern(&text))
    }

    fn character(&mut self) -> Kind {
        let rest = self.text.get(self.at + 1..).unwrap_or("");
        let mut letters = rest.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), Some('\'')) if letter != '\n' => {
                self.at += letter.len_utf8() + 2;
                // Beyond ASCII a character is not a byte; it is reported as what it is.
                u8::try_from(letter)
                    .ok()
                    .filter(u8::is_ascii)
                    .map_or(Kind::Junk(Junk::OpenCharacter), Kind::Character)
            }
            (first, _) => {
                self.at += 1 + first.filter(|&letter| letter != '\n').map_or(0, char::len_utf8);
                Kind::Junk(Junk::OpenCharacter)
            }
        }
    }

    fn colon(&mut self) -> Kind {
        self.at += 1;
        match self.byte(0) {
            b':' => {
                self.at += 1;
                Kind::Mark(Mark::Scope)
            }
            b'=' => {
                self.at += 1;
                Kind::Mark(Mark::Assign)
            }
            b'+' => Kind::Unnamed(self.run(|byte| byte == b'+').len().min(1 << 20) as i32),
            b'-' => Kind::Unnamed(-(self.run(|byte| byte == b'-').len().min(1 << 20) as i32)),
            _ => Kind::Mark(Mark::Colon),
        }
    }

    fn mark(&mut self, first: u8) -> Kind {
        let (mark, length) = match (first, self.byte(1)) {
            (b'&', b'&') => (Mark::AndAnd, 2),
            (b'|', b'|') => (Mark::OrOr, 2),
            (b'<', b'>') => (Mark::Unequal, 2),
            (b'<', b'=') => (Mark::LessEqual, 2),
            (b'>', b'=') => (Mark::GreaterEqual, 2),
            (b'<', b'<') => (Mark::ShiftLeft, 2),
            (b'>', b'>') => (Mark::ShiftRight, 2),
            (b'+', _) => (Mark::Plus, 1),
            (b'-', _) => (Mark::Minus, 1),
            (b'*', _) => (Mark::Star, 1),
            (b'/', _) => (Mark::Slash, 1),
            (b'&', _) => (Mark::And, 1),
            (b'|', _) => (Mark::Pipe, 1),
            (b'^', _) => (Mark::Caret, 1),
            (b'~', _) => (Mark::Tilde, 1),
            (b'!', _) => (Mark::Bang, 1),
            (b'=', _) => (Mark::Equal, 1),
            (b'<', _) => (Mark::Less, 1),
            (b'>', _) => (Mark::Greater, 1),
            (b'(', _) => (Mark::Open, 1),
            (b')', _) => (Mark::Close, 1),
            (b'[', _) => (Mark::OpenBracket, 1),
            (b']', _) => (Mark::CloseBracket, 1),
            (b'{', _) => (Mark::OpenBrace, 1),
            (b'}', _) => (Mark::CloseBrace, 1),
            (b',', _) => (Mark::Comma, 1),
            (b'#', _) => (Mark::Hash, 1),
            _ => {
                let rest = self.text.get(self.at..).unwrap_or("");
                self.at += rest.chars().next().map_or(1, char::len_utf8);
                return Kind::Junk(Junk::Character);
            }
        };
        self.at += length;
        Kind::Mark(mark)
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// A word's text as a string constant has it, to be turned into bytes.
pub(crate) fn bytes_of(names: &Interner, text: Name) -> Vec<u8> {
    names.text(text).bytes().collect()
}

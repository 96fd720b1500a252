//! The words of a configuration.

use super::{Outcome, wrong};
use gpuzoo_diag::{FileId, Span};

/// A word, or a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Name(String),
    Number(i64),
    Text(String),
    Mark(u8),
    /// `%O`
    Output,
    /// `%S`
    Start,
}

pub(super) struct Scanner<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    ahead: Option<Option<(Word, Span)>>,
}

impl<'a> Scanner<'a> {
    pub fn new(file: FileId, text: &'a str) -> Scanner<'a> {
        Scanner { file, text, at: 0, ahead: None }
    }

    fn span(&self, start: usize) -> Span {
        Span { file: self.file, start: start as u32, end: self.at as u32 }
    }

    /// How many bytes from here on are of a kind.
    fn run(&self, of: impl Fn(u8) -> bool) -> usize {
        self.text.as_bytes()[self.at..].iter().take_while(|byte| of(**byte)).count()
    }

    pub fn peek(&mut self) -> Outcome<Option<(Word, Span)>> {
        if self.ahead.is_none() {
            self.ahead = Some(self.read()?);
        }
        Ok(self.ahead.clone().flatten())
    }

    pub fn next(&mut self) -> Outcome<Option<(Word, Span)>> {
        match self.ahead.take() {
            Some(word) => Ok(word),
            None => self.read(),
        }
    }

    /// The next word, where the text must not end.
    pub fn need(&mut self, what: &str) -> Outcome<(Word, Span)> {
        match self.next()? {
            Some(word) => Ok(word),
            None => Err(wrong(self.span(self.at), &format!("the configuration ends where {what} is needed"))),
        }
    }

    pub fn expect(&mut self, word: Word, what: &str) -> Outcome<()> {
        match self.need(what)? {
            (found, _) if found == word => Ok(()),
            (_, span) => Err(wrong(span, &format!("expected {what}"))),
        }
    }

    pub fn accept(&mut self, word: &Word) -> bool {
        let is_next = matches!(self.peek(), Ok(Some((found, _))) if found == *word);
        if is_next {
            self.ahead = None;
        }
        is_next
    }

    fn read(&mut self) -> Outcome<Option<(Word, Span)>> {
        loop {
            self.at += self.run(|byte| byte.is_ascii_whitespace());
            if self.run(|byte| byte == b'#') == 0 {
                break;
            }
            self.at += self.run(|byte| byte != b'\n');
        }
        let start = self.at;
        let bytes = self.text.as_bytes();
        let Some(&first) = bytes.get(start) else { return Ok(None) };
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let word = match first {
            b'$' => {
                self.at += 1;
                let digits = self.run(|byte| byte.is_ascii_hexdigit());
                self.number(start, digits, 16)?
            }
            b'0'..=b'9' => {
                let digits = self.run(|byte| byte.is_ascii_digit());
                self.number(start, digits, 10)?
            }
            b'%' => match bytes.get(start + 1) {
                Some(b'O' | b'o') => {
                    self.at += 2;
                    Word::Output
                }
                Some(b'S' | b's') => {
                    self.at += 2;
                    Word::Start
                }
                _ => {
                    self.at += 1;
                    let digits = self.run(|byte| matches!(byte, b'0' | b'1'));
                    self.number(start, digits, 2)?
                }
            },
            b'"' => {
                self.at += 1;
                let length = self.run(|byte| byte != b'"' && byte != b'\n');
                let text = self.text.get(self.at..self.at + length).unwrap_or("").to_owned();
                self.at += length;
                if bytes.get(self.at) != Some(&b'"') {
                    return Err(wrong(self.span(start), "the string is not closed in its line"));
                }
                self.at += 1;
                Word::Text(text)
            }
            first if is_word(first) => {
                self.at += self.run(is_word);
                Word::Name(self.text.get(start..self.at).unwrap_or("").to_owned())
            }
            b'{' | b'}' | b':' | b';' | b',' | b'=' | b'+' | b'-' | b'*' | b'/' | b'(' | b')' => {
                self.at += 1;
                Word::Mark(first)
            }
            _ => {
                self.at += self.text[start..].chars().next().map_or(1, char::len_utf8);
                return Err(wrong(self.span(start), "this character means nothing here"));
            }
        };
        Ok(Some((word, self.span(start))))
    }

    fn number(&mut self, start: usize, digits: usize, radix: u32) -> Outcome<Word> {
        let from = self.at;
        self.at += digits;
        let number = self.text.get(from..self.at).and_then(|text| i64::from_str_radix(text, radix).ok());
        match number.filter(|number| *number <= 0xffff_ffff) {
            Some(number) => Ok(Word::Number(number)),
            None => Err(wrong(self.span(start), "this is not a number of up to 32 bits")),
        }
    }
}

/// What `STARTADDRESS: default = …;` says, wherever it is.
pub(super) fn start_address(file: FileId, text: &str) -> Option<i64> {
    let mut scan = Scanner::new(file, text);
    let mut before: [Option<Word>; 3] = [None, None, None];
    while let Ok(Some((word, _))) = scan.next() {
        let [name, colon, default] = &before;
        let is = |word: &Option<Word>, text: &str| matches!(word, Some(Word::Name(name)) if name.eq_ignore_ascii_case(text));
        if is(name, "STARTADDRESS") && *colon == Some(Word::Mark(b':')) && is(default, "default") {
            match word {
                Word::Mark(b'=') => continue,
                Word::Number(number) => return Some(number),
                _ => return None,
            }
        }
        before.rotate_left(1);
        before[2] = Some(word);
    }
    None
}

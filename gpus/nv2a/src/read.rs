//! What the readers of the three dialects share: a cursor over tokens, and registers, masks and swizzles.

use crate::dialect::ConstantMap;
use crate::listing::Item;
use crate::regs::{C, OPOS, R, V};
use crate::rules::{BAD_MASK, UNEXPECTED};
use gpuzoo_diag::{Diagnostic, File, MAX_SOURCE_BYTES, Severity, Span};
use gpuzoo_isa::codes::{
    BAD_SWIZZLE, EXPECTED_NUMBER, NO_SUCH_REGISTER, OUT_OF_RANGE, SOURCE_TOO_LARGE, TOO_MANY_ERRORS,
};
use gpuzoo_isa::number::{NumberError, integer};
use gpuzoo_isa::{Bits, Lexer, MAX_ERRORS, Mask, Reg, Swizzle, Syntax, Token, TokenKind, lane};

/// A failed part; the problem has been reported.
pub struct Failed;

/// A place in the tokens of a text.
pub struct Cursor<'a> {
    /// The text.
    pub file: &'a File,
    lexer: Lexer<'a>,
    /// The second part of a token that was split.
    rest: Option<Token>,
    /// The token at the place.
    pub token: Token,
    /// Where the token before it ends.
    pub previous_end: usize,
    /// How the text counts constants.
    pub map: ConstantMap,
    /// What is wrong so far.
    pub problems: Vec<Diagnostic>,
    /// How many of the problems were looked at, and how many of these are errors.
    looked_at: usize,
    errors: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor at the beginning of `file`, which is lexed as `syntax` says; of a text that is too long, at its end.
    pub fn new(file: &'a File, syntax: &'a Syntax, map: ConstantMap) -> Cursor<'a> {
        let mut lexer = Lexer::new(file.text(), syntax);
        let token = lexer.next_token();
        let problems = Vec::new();
        let mut cursor = Cursor {
            file,
            lexer,
            rest: None,
            token,
            previous_end: 0,
            map,
            problems,
            looked_at: 0,
            errors: 0,
        };
        let size = file.text().len();
        if size > MAX_SOURCE_BYTES {
            let problem = Diagnostic::error(&SOURCE_TOO_LARGE, format!("the source has {size} bytes"));
            cursor.problems.push(problem.label(file.span(0..0), "").help("a source may have up to 64 MiB"));
            cursor.token = Token { kind: TokenKind::End, start: size, end: size, first: true };
        }
        cursor
    }

    /// True, and reported, after so many errors that this is hardly assembly text.
    pub fn gives_up(&mut self) -> bool {
        let new = self.problems.get(self.looked_at..).unwrap_or_default();
        self.errors += new.iter().filter(|problem| problem.severity == Severity::Error).count();
        self.looked_at = self.problems.len();
        let up = self.errors >= MAX_ERRORS && !self.at_end();
        if up {
            let problem = Diagnostic::error(&TOO_MANY_ERRORS, "too many errors; the rest was not read");
            self.problems.push(problem.label(self.span(), "reading stopped here"));
        }
        up
    }

    /// The token's text.
    pub fn text(&self) -> &'a str {
        &self.file.text()[self.token.start..self.token.end]
    }

    /// The token's place.
    pub fn span(&self) -> Span {
        self.file.span(self.token.start..self.token.end)
    }

    /// From `start` to the end of the token before.
    pub fn since(&self, start: usize) -> Span {
        self.file.span(start..self.previous_end.max(start))
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

    /// After a failure in the item that began at `start`: to the next line, or the next word on this one that begins
    /// an item.
    pub fn recover(&mut self, start: usize, begins: impl Fn(&str) -> bool) {
        if self.token.start == start {
            self.advance();
        }
        while !(self.at_end() || begins(self.text()) || self.token.first && !self.is("+")) {
            self.advance();
        }
    }

    /// True at the end of the text.
    pub fn at_end(&self) -> bool {
        self.token.kind == TokenKind::End
    }

    /// True if the token is just this text.
    pub fn is(&self, text: &str) -> bool {
        self.text() == text
    }

    /// True if nothing stands between the token and the one before.
    pub fn adjacent(&self) -> bool {
        self.token.start == self.previous_end
    }

    /// Takes the token if it is this text.
    pub fn eat(&mut self, text: &str) -> bool {
        let is = self.is(text) && !self.at_end();
        if is {
            self.advance();
        }
        is
    }

    /// Takes this text or reports that it is missing.
    pub fn expect(&mut self, text: &str, why: &str) -> Result<(), Failed> {
        if self.eat(text) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{text}`"), why))
    }

    /// Takes the comma before a source of an instruction of `count` sources, or reports that it is missing.
    pub fn comma(&mut self, name: &str, count: usize) -> Result<(), Failed> {
        if self.eat(",") {
            return Ok(());
        }
        let sources = if count == 1 { "one source".to_owned() } else { format!("{count} sources") };
        Err(self
            .unexpected("`,`", &format!("`{name}` takes a destination and {sources}, with commas between")))
    }

    /// Reports that something else was expected here.
    pub fn unexpected(&mut self, wanted: &str, why: &str) -> Failed {
        let found = match self.at_end() {
            true => "the end of the text".to_owned(),
            false => format!("`{}`", self.text().escape_debug()),
        };
        let problem = Diagnostic::error(&UNEXPECTED, format!("expected {wanted}, found {found}"));
        let span =
            if self.at_end() { self.file.span(self.previous_end..self.previous_end) } else { self.span() };
        self.fail(problem.label(span, "").help(why))
    }

    /// Reports a problem.
    pub fn fail(&mut self, problem: Diagnostic) -> Failed {
        self.problems.push(problem);
        Failed
    }

    /// A decimal number.
    pub fn number(&mut self, what: &str, most: u64) -> Result<u64, Failed> {
        let text = self.text();
        let plain = self.token.kind == TokenKind::Number && text.bytes().all(|byte| byte.is_ascii_digit());
        if !plain {
            return Err(self.unexpected(what, "it is a decimal number"));
        }
        let span = self.span();
        self.advance();
        match text.parse() {
            Ok(value) if value <= most => Ok(value),
            _ => {
                let problem = Diagnostic::error(&OUT_OF_RANGE, format!("{text} is too large for {what}"));
                Err(self.fail(problem.label(span, format!("at most {most}"))))
            }
        }
    }

    /// The constant of a number as the text counts them.
    pub fn constant(&mut self, number: i64, span: Span) -> Result<Reg, Failed> {
        if let Some(index) = self.map.to_machine(number) {
            return Ok(Reg { file: C, index });
        }
        let (least, greatest) = self.map.range();
        let problem = Diagnostic::error(&OUT_OF_RANGE, format!("there is no constant {number}"));
        let problem = problem.label(span, format!("constants are {least} to {greatest}"));
        let note = format!("constants are counted as `{}` does", self.map.name());
        Err(self.fail(problem.note(note)))
    }

    /// `.word w0 w1 w2 w3`: a slot's bits as they stand. Every dialect has it, so that every program has a text.
    pub fn raw(&mut self) -> Result<Item, Failed> {
        let start = self.token.start;
        let directive = self.span();
        self.advance();
        let mut bits = Bits::default();
        for word in &mut bits.words[..4] {
            let span = self.span();
            let value = (self.token.kind == TokenKind::Number).then(|| integer(self.text()));
            *word = match value.map(|value| value.map(u32::try_from)) {
                Some(Ok(Ok(value))) => value,
                Some(Ok(Err(_)) | Err(NumberError::TooLarge)) => {
                    let problem =
                        Diagnostic::error(&OUT_OF_RANGE, "a word has 32 bits").label(span, "too large");
                    return Err(self.fail(problem.help("write 0 to 0xffffffff")));
                }
                _ => {
                    let problem =
                        Diagnostic::error(&EXPECTED_NUMBER, "expected one of the slot's four words");
                    let place = if self.at_end() { self.since(self.previous_end) } else { span };
                    let problem = problem.label(place, "").label(directive, "of this");
                    return Err(self.fail(
                        problem.help("for example `.word 0x00000000 0x0020001b 0x0836106c 0x2070f801`"),
                    ));
                }
            };
            self.advance();
        }
        Ok(Item::Raw(bits, self.since(start)))
    }

    /// True at `.word`.
    pub fn at_raw(&self) -> bool {
        self.token.kind == TokenKind::Directive && self.is(".word")
    }

    /// The register that a letter and a number name; r12 is oPos, read.
    pub fn numbered(&mut self, word: &str, span: Span) -> Result<Reg, Failed> {
        let (letter, digits) = word.split_at(1);
        let leading_zero = digits.len() > 1 && digits.starts_with('0');
        let (file, most) = match letter {
            "r" | "R" => (R, 12),
            "v" | "V" => (V, 15),
            _ if leading_zero => (C, self.map.range().1 as u16),
            _ => return self.constant(digits.parse().unwrap_or(i64::MAX), span),
        };
        match digits.parse::<u16>() {
            Ok(12) if file == R && !leading_zero => Ok(OPOS),
            Ok(index) if index <= most && !leading_zero => Ok(Reg { file, index }),
            _ => {
                let lower = letter.to_ascii_lowercase();
                let problem = Diagnostic::error(&NO_SUCH_REGISTER, format!("there is no register `{word}`"));
                let most = if file == R { 11 } else { most };
                Err(self.fail(
                    problem
                        .label(span, "")
                        .help(format!("they are {lower}0 to {lower}{most}, without leading zeros")),
                ))
            }
        }
    }

    /// The lanes after a dot that sticks to a destination; all without one.
    pub fn mask(&mut self) -> Result<Mask, Failed> {
        let Some((letters, span)) = self.letters()? else { return Ok(Mask::ALL) };
        let mut mask = 0u8;
        for letter in letters.bytes() {
            match lane(letter.to_ascii_lowercase()) {
                // In order and none twice: each lane is above all before it.
                Some(lane) if mask >> lane == 0 => mask |= 1 << lane,
                _ => {
                    let problem = Diagnostic::error(&BAD_MASK, format!("`.{letters}` is not a write mask"));
                    return Err(self.fail(
                        problem.label(span, "").help("letters of xyzw or rgba, in order, none twice"),
                    ));
                }
            }
        }
        Ok(Mask(mask))
    }

    /// The lanes after a dot that sticks to a source; the last letter repeats.
    pub fn swizzle(&mut self) -> Result<Swizzle, Failed> {
        let Some((letters, span)) = self.letters()? else { return Ok(Swizzle::IDENTITY) };
        let lower = letters.to_ascii_lowercase();
        let last = lower.chars().last().unwrap_or('x').to_string();
        let full = format!("{lower}{}", last.repeat(4usize.saturating_sub(lower.len())));
        Swizzle::from_letters(&full).ok_or_else(|| {
            let problem = Diagnostic::error(&BAD_SWIZZLE, format!("`.{letters}` is not a swizzle"));
            self.fail(
                problem.label(span, "").help("one to four letters of xyzw or rgba; the last one repeats"),
            )
        })
    }

    /// What follows a dot without blanks.
    fn letters(&mut self) -> Result<Option<(&'a str, Span)>, Failed> {
        // A number that was split may have nothing behind its dot: `c-38.`.
        if self.token.kind == TokenKind::Directive && self.adjacent() && !self.is(".") {
            let (letters, span) = (&self.text()[1..], self.span());
            self.advance();
            return Ok(Some((letters, span)));
        }
        if self.is(".") || self.token.kind == TokenKind::Directive && !self.at_raw() {
            return Err(self.unexpected("lanes right after the register", "write `r0.xyz` without blanks"));
        }
        Ok(None)
    }
}

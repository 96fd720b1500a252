//! From tokens to slots: one loop over the rows' parts, with recovery, so that every mistake is reported at once.

use crate::bits::Bits;
use crate::codes::*;
use crate::isa::{Isa, Op, Part, PartKind, RegFile};
use crate::lexer::{Lexer, Token, TokenKind};
use crate::number::{NumberError, integer};
use crate::operand::{Immediates, Mask, Operand, Reg, Swizzle};
use crate::program::{Inst, MAX_OPERANDS, Slot};
use gpuzoo_diag::{Diagnostic, File, MAX_SOURCE_BYTES, Severity, Span, suggest};

/// Reading stops after this many errors.
pub const MAX_ERRORS: usize = 1000;

/// What a text holds.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The slots, in order. An instruction with an error has none.
    pub slots: Vec<Slot>,
    /// The machine's own directives, in order.
    pub directives: Vec<Span>,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a text. Never fails: what cannot be read is reported and skipped.
pub fn parse(isa: &Isa, file: &File) -> Parsed {
    let mut parsed = Parsed::default();
    if file.text().len() > MAX_SOURCE_BYTES {
        let message = format!("the source has {} bytes", file.text().len());
        let problem = Diagnostic::error(&SOURCE_TOO_LARGE, message).label(file.span(0..0), "");
        parsed.diagnostics.push(problem.help("a source may have up to 64 MiB"));
        return parsed;
    }
    let mut lexer = Lexer::new(file.text(), &isa.syntax);
    let token = lexer.next_token();
    let mut parser = Parser { isa, file, lexer, token, previous_end: 0, last: None, parsed };
    parser.run();
    parser.parsed
}

/// A failed part; the problem has been reported.
struct Failed;

struct Parser<'a> {
    isa: &'a Isa,
    file: &'a File,
    lexer: Lexer<'a>,
    token: Token,
    /// Where the token before ends.
    previous_end: usize,
    /// The row of the instruction just read.
    last: Option<&'static Op>,
    parsed: Parsed,
}

impl<'a> Parser<'a> {
    fn run(&mut self) {
        while self.token.kind != TokenKind::End {
            let errors = self.parsed.diagnostics.len();
            if errors >= MAX_ERRORS {
                let problem = Diagnostic::error(&TOO_MANY_ERRORS, "too many errors; the rest was not read");
                self.report(problem.label(self.span(self.token), "reading stopped here"));
                return;
            }
            if self.statement().is_err() {
                self.last = None;
                self.recover();
            }
        }
    }

    fn statement(&mut self) -> Result<(), Failed> {
        let token = self.token;
        match token.kind {
            TokenKind::Word => {
                let Some(op) = self.isa.op(self.text(token)) else { return Err(self.not_an_instruction()) };
                self.advance();
                let inst = self.operands(op, token)?;
                let span = self.file.span(token.start..self.previous_end);
                self.parsed.slots.push(Slot {
                    bits: self.isa.encode(&inst),
                    inst: Some(inst),
                    paired: None,
                    span,
                });
                self.last = Some(op);
                Ok(())
            }
            TokenKind::Directive => self.directive(),
            TokenKind::Number => Err(self.not_an_instruction()),
            _ => {
                self.stray()?;
                Ok(())
            }
        }
    }

    fn operands(&mut self, op: &'static Op, mnemonic: Token) -> Result<Inst, Failed> {
        let mut operands = [Operand::default(); MAX_OPERANDS];
        let mut failed = false;
        for part in op.format.parts {
            while matches!(self.token.kind, TokenKind::Junk | TokenKind::OpenComment) {
                self.stray()?;
                failed = true;
            }
            if self.ends_operands(part) {
                return Err(self.missing(op, part, mnemonic));
            }
            // The other operands are looked at too: they may have mistakes of their own.
            failed |= self.part(op, part, &mut operands[part.operand as usize]).is_err();
            self.advance();
        }
        if failed { Err(Failed) } else { Ok(Inst { op, operands }) }
    }

    /// True if the token cannot be an operand because it begins the next statement. A mnemonic that could be this
    /// part (none of today's machines has one) would be taken as the operand.
    fn ends_operands(&self, part: &Part) -> bool {
        match self.token.kind {
            TokenKind::End | TokenKind::Directive => true,
            TokenKind::Word => {
                let word = self.text(self.token);
                let accepted = part.kind == PartKind::Name && self.regs(part).find(word).is_some();
                !accepted && self.isa.op(word).is_some()
            }
            _ => false,
        }
    }

    fn part(&mut self, op: &Op, part: &Part, operand: &mut Operand) -> Result<(), Failed> {
        let token = self.token;
        let text = self.text(token);
        let reg = |index| Reg { file: part.file, index };
        match part.kind {
            PartKind::Reg | PartKind::Name => match self.regs(part).find(text) {
                Some(index) if token.kind == TokenKind::Word => operand.reg = reg(index),
                _ => return Err(self.not_a_register(op, part)),
            },
            PartKind::Number => {
                let file = self.regs(part);
                operand.reg = reg(self.number(part, file.name, u64::from(file.count) - 1)? as u16);
            }
            PartKind::Mask => operand.mask = Mask(self.number(part, "write mask", 15)? as u8),
            PartKind::Immediates => {
                let mut values = vec![self.number(part, "value", u64::from(u32::MAX))? as u32];
                while values.len() < 4 && self.lexer.clone().next_token().kind == TokenKind::Number {
                    self.advance();
                    values.push(self.number(part, "value", u64::from(u32::MAX))? as u32);
                }
                operand.immediates = Immediates::new(&values);
            }
            PartKind::Swizzle => match Swizzle::from_letters(text) {
                Some(swizzle) => operand.swizzle = swizzle,
                None => return Err(self.not_a_swizzle()),
            },
        }
        Ok(())
    }

    fn number(&mut self, part: &Part, what: &str, most: u64) -> Result<u64, Failed> {
        let token = self.token;
        let span = self.span(token);
        let value = match token.kind {
            TokenKind::Number => integer(self.text(token)),
            _ => Err(NumberError::Malformed),
        };
        let help = format!("`{}` is a number from 0 to {most}", part.name);
        match value {
            Ok(value) if value <= most => Ok(value),
            Ok(_) | Err(NumberError::TooLarge) => {
                let message = format!("there is no {what} {}", self.text(token));
                self.fail(Diagnostic::error(&OUT_OF_RANGE, message).label(span, "too large").help(help))
            }
            Err(NumberError::Malformed) => {
                let message = format!("expected an integer, found `{}`", self.text(token));
                let mut problem = Diagnostic::error(&EXPECTED_NUMBER, message).label(span, "not an integer");
                // `ldc r0 c3` and `ld r0 v3` are what users of other assemblers write.
                let digits = self.text(token).trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
                if integer(digits).is_ok_and(|value| value <= most) {
                    problem = problem.fix("write the number alone", span, digits);
                }
                self.fail(problem.help(help))
            }
        }
    }

    fn directive(&mut self) -> Result<(), Failed> {
        let token = self.token;
        let name = self.text(token);
        if name == ".word" {
            self.advance();
            return self.raw_word(token);
        }
        let span = self.span(token);
        if self.isa.syntax.directives.contains(&name) {
            self.parsed.directives.push(span);
            self.advance();
            return Ok(());
        }
        let mut problem =
            Diagnostic::error(&UNKNOWN_DIRECTIVE, format!("there is no directive `{name}`")).label(span, "");
        let known = self.isa.syntax.directives.iter().copied().chain([".word"]);
        problem = problem.help(format!("directives are {}", list(known.clone())));
        if let Some(near) = suggest::nearest(name, known) {
            problem = problem.fix(format!("did you mean `{near}`?"), span, near);
        }
        self.advance();
        self.fail(problem)
    }

    /// `.word N…`: the slot's words, lowest first.
    fn raw_word(&mut self, directive: Token) -> Result<(), Failed> {
        let mut bits = Bits::default();
        for word in &mut bits.words[..self.isa.slot_words] {
            let token = self.token;
            let value = (token.kind == TokenKind::Number).then(|| integer(self.text(token)));
            match value {
                Some(Ok(value)) if value <= u64::from(u32::MAX) => *word = value as u32,
                Some(Ok(_) | Err(NumberError::TooLarge)) => {
                    let problem = Diagnostic::error(&OUT_OF_RANGE, "a word has 32 bits");
                    let problem = problem.label(self.span(token), "too large").help("write 0 to 0xffffffff");
                    self.advance();
                    return self.fail(problem);
                }
                _ => {
                    let problem = Diagnostic::error(&EXPECTED_NUMBER, "expected the value of the word");
                    let problem = problem.label(self.span(token), "").label(self.span(directive), "of this");
                    return self.fail(problem.help("for example `.word 0x0000003f`"));
                }
            }
            self.advance();
        }
        self.parsed.slots.push(self.isa.slot(bits, self.file.span(directive.start..self.previous_end)));
        Ok(())
    }

    /// A character that the language has no use for. Commas, semicolons and other machines' comments are skipped,
    /// so that what stands around them is still checked.
    fn stray(&mut self) -> Result<(), Failed> {
        let token = self.token;
        let span = self.span(token);
        if token.kind == TokenKind::OpenComment {
            let problem =
                Diagnostic::error(&OPEN_COMMENT, "comment is never closed").label(span, "opened here");
            self.advance();
            return self.fail(problem.help("close it with `*/`"));
        }
        let text = self.text(token);
        let problem =
            Diagnostic::error(&STRAY_CHARACTER, format!("`{}` means nothing here", text.escape_debug()));
        let problem = problem.label(span, "");
        let rest = self.file.text()[token.end..].lines().next().unwrap_or("").trim();
        match text {
            "," => {
                self.advance();
                self.report(problem.help("operands are separated by blanks alone").fix(
                    "leave it out",
                    span,
                    "",
                ));
                Ok(())
            }
            ";" if rest.is_empty() => {
                self.advance();
                self.report(problem.help("instructions need no end mark").fix("leave it out", span, ""));
                Ok(())
            }
            ";" | "#" => {
                self.lexer.skip_line();
                self.advance();
                let problem = problem.help("comments begin with `//`").fix("make it a comment", span, "//");
                self.report(problem);
                Ok(())
            }
            _ => {
                self.lexer.skip_line();
                self.advance();
                let problem = match text {
                    "-" | "+" => problem.help("numbers have no sign"),
                    _ => problem,
                };
                self.fail(problem.note("the rest of the line was not read"))
            }
        }
    }

    fn missing(&mut self, op: &Op, part: &Part, mnemonic: Token) -> Failed {
        let at = self.file.span(self.previous_end..self.previous_end);
        let message = format!("`{}` needs `{}`, {}", op.name, part.name, self.wanted(part));
        let problem = Diagnostic::error(&MISSING_OPERAND, message)
            .label(at, "expected here")
            .label(self.span(mnemonic), "of this instruction")
            .help(format!("it is written `{}`", self.isa.usage(op)));
        self.report(problem);
        Failed
    }

    fn not_an_instruction(&mut self) -> Failed {
        let token = self.token;
        let (word, span) = (self.text(token), self.span(token));
        // Right after an instruction, on its line, an operand-like word is one operand too many.
        if let Some(op) = self.last
            && !token.first
            && self.looks_like_operand(token)
        {
            let problem =
                Diagnostic::error(&TOO_MANY_OPERANDS, format!("`{}` takes no further operand", op.name))
                    .label(span, "one too many")
                    .help(format!("it is written `{}`", self.isa.usage(op)));
            self.report(problem);
            self.advance();
            return Failed;
        }
        let problem = Diagnostic::error(&UNKNOWN_MNEMONIC, format!("there is no instruction `{word}`"));
        let mut problem = problem.label(span, "not a mnemonic");
        if let Some(near) = suggest::nearest(word, self.isa.ops.iter().map(|op| op.name)) {
            problem = problem.fix(format!("did you mean `{near}`?"), span, near);
        } else {
            problem =
                problem.help(format!("instructions are {}", list(self.isa.ops.iter().map(|op| op.name))));
        }
        self.report(problem);
        self.advance();
        Failed
    }

    fn not_a_register(&mut self, op: &Op, part: &Part) -> Failed {
        let token = self.token;
        let (word, span) = (self.text(token), self.span(token));
        let file = self.regs(part);
        let numbered = word.strip_prefix(file.prefix).is_some_and(|rest| {
            !rest.is_empty() && file.names.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit())
        });
        let problem = if numbered {
            Diagnostic::error(&NO_SUCH_REGISTER, format!("there is no {} `{word}`", file.name))
                .label(span, "")
        } else {
            let code = if part.kind == PartKind::Name { &EXPECTED_NAME } else { &EXPECTED_REGISTER };
            let message =
                format!("`{}` of `{}` must be {}, found `{word}`", part.name, op.name, self.wanted(part));
            Diagnostic::error(code, message).label(span, "")
        };
        let mut problem = problem.help(match file.names {
            [] => format!("{}s are {} to {}", file.name, file.reg_name(0), file.reg_name(file.count - 1)),
            _ => format!("{}s are {}", file.name, list(file.real_names())),
        });
        let near = match file.names {
            [] => Some(word.to_ascii_lowercase()).filter(|lower| file.find(lower).is_some()),
            _ => suggest::nearest(word, file.real_names()).map(str::to_owned),
        };
        if let Some(near) = near {
            problem = problem.fix(format!("did you mean `{near}`?"), span, near);
        }
        self.report(problem);
        Failed
    }

    fn not_a_swizzle(&mut self) -> Failed {
        let token = self.token;
        let (word, span) = (self.text(token), self.span(token));
        let mut problem = Diagnostic::error(&BAD_SWIZZLE, format!("`{word}` is not a swizzle"))
            .label(span, "")
            .help("four letters of x y z w or r g b a: for each lane of the result the lane to read");
        // `.x` and `.xy` repeat their last letter in most shader assemblers.
        let lower = word.to_ascii_lowercase();
        if let Some(last) = lower.chars().last()
            && lower.len() <= 4
        {
            let full = format!("{lower}{}", last.to_string().repeat(4 - lower.len()));
            if Swizzle::from_letters(&full).is_some() {
                problem = problem.fix(format!("did you mean `{full}`?"), span, full);
            }
        }
        self.report(problem);
        Failed
    }

    /// Skips to what looks like the next statement: a mnemonic, a directive, or a first word of a line that cannot
    /// be an operand.
    fn recover(&mut self) {
        loop {
            let token = self.token;
            match token.kind {
                TokenKind::End | TokenKind::Directive => return,
                TokenKind::Word if self.isa.op(self.text(token)).is_some() => return,
                TokenKind::Word if token.first && !self.looks_like_operand(token) => return,
                TokenKind::Junk | TokenKind::OpenComment if token.first => return,
                _ => self.advance(),
            }
        }
    }

    fn looks_like_operand(&self, token: Token) -> bool {
        let word = self.text(token);
        let numbered = |file: &RegFile| {
            let rest = word.strip_prefix(file.prefix);
            rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
        };
        token.kind == TokenKind::Number
            || Swizzle::from_letters(word).is_some()
            || self.isa.files.iter().any(|file| file.find(word).is_some() || numbered(file))
    }

    /// What a part must be, in words.
    fn wanted(&self, part: &Part) -> String {
        let file = self.regs(part);
        match part.kind {
            PartKind::Reg => format!("a {}", file.name),
            PartKind::Number => format!("the number of {}", file.name),
            PartKind::Name => format!("one of {}", list(file.real_names())),
            PartKind::Swizzle => "a swizzle of four letters".into(),
            PartKind::Mask => "a write mask from 0 to 15".into(),
            PartKind::Immediates => "one to four integers".into(),
        }
    }

    fn regs(&self, part: &Part) -> &'a RegFile {
        &self.isa.files[part.file as usize]
    }

    fn advance(&mut self) {
        self.previous_end = self.token.end;
        self.token = self.lexer.next_token();
    }

    fn text(&self, token: Token) -> &'a str {
        &self.file.text()[token.start..token.end]
    }

    fn span(&self, token: Token) -> Span {
        self.file.span(token.start..token.end)
    }

    fn report(&mut self, problem: Diagnostic) {
        debug_assert_eq!(problem.severity, Severity::Error);
        self.parsed.diagnostics.push(problem);
    }

    fn fail<T>(&mut self, problem: Diagnostic) -> Result<T, Failed> {
        self.report(problem);
        Err(Failed)
    }
}

/// `a`, `b` and `c`, in backticks.
pub fn list<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.map(|word| format!("`{word}`")).collect();
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}

//! From tokens to instructions: one loop over the rows' parts, with recovery, so that every mistake is reported at once.

use crate::bits::{Bits, MAX_WORDS};
use crate::codes::*;
use crate::cursor::{Cursor, Failed};
use crate::isa::{Isa, Op, RegFile, Room};
use crate::lexer::TokenKind;
use crate::number::{NumberError, integer};
use crate::operand::{Operand, Reg, Swizzle};
use crate::part::Part;
use crate::program::{Inst, MAX_OPERANDS, Slot};
use crate::syntax::{Case, End, Form, Numbering, Syntax};
use gpuzoo_diag::{Diagnostic, File, Span, suggest};
use std::collections::HashMap;
use std::ops::{Deref, DerefMut};

/// What a text holds, in order. An instruction with an error is left out.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "nearly all items are instructions")]
pub enum Item {
    /// An instruction.
    Inst(Written),
    /// Words of `.word`.
    Raw(Vec<u32>, Span),
}

impl Item {
    /// The instruction, if it is one.
    pub fn written(&self) -> Option<&Written> {
        match self {
            Item::Inst(written) => Some(written),
            Item::Raw(..) => None,
        }
    }
}

/// An instruction with its places in the text.
#[derive(Clone, Copy, Debug)]
pub struct Written {
    /// The instruction.
    pub inst: Inst,
    /// The places of its operands, by their indices.
    pub spans: [Span; MAX_OPERANDS],
    /// Its place.
    pub span: Span,
    /// True if it runs in the slot of the one before it: a `+` stands between.
    pub joined: bool,
}

/// A text, read.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// What it holds.
    pub items: Vec<Item>,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
}

/// What a language has beside instructions, and what it knows better than the kit.
pub trait Language {
    /// Reads a directive, a declaration or a macro; none if the token begins nothing of the kind.
    fn statement(&mut self, _parser: &mut Parser) -> Option<Result<(), Failed>> {
        None
    }

    /// Checks an instruction that was read, beyond what its row says: whether its operands share bits. `form` is the form
    /// that it was written in, if it is not its row's own.
    fn instruction(
        &mut self,
        parser: &mut Parser,
        written: &Written,
        _form: Option<&'static Form>,
    ) -> Result<(), Failed> {
        parser.check_bits(written)
    }

    /// Checks the plus sign of a source.
    fn plus(&mut self, _: &mut Parser, _: Span) {}

    /// Reads a register that the kit has no way to write; none if the token begins none.
    fn register(&mut self, _: &mut Parser) -> Option<Result<Reg, Failed>> {
        None
    }

    /// Checks a register that was read: the operand's register and whether it is relative, whether it is written, and
    /// its place. A number between brackets comes as the text has it.
    fn check(
        &mut self,
        _: &mut Parser,
        _: &Operand,
        _written: bool,
        _: Option<i64>,
        _: Span,
    ) -> Result<(), Failed> {
        Ok(())
    }

    /// Checks the components that are written behind the address register as a destination; `whole` is its place.
    fn address(
        &mut self,
        parser: &mut Parser,
        letters: Option<(String, Span)>,
        _whole: Span,
    ) -> Result<(), Failed> {
        match letters {
            Some((_, span)) => parser.no_components("the address register", span),
            None => Ok(()),
        }
    }

    /// Adds to the message about a swizzle that the machine cannot say: of `reg`, whose text with the swizzle is at
    /// `whole`.
    fn swizzle(&mut self, _: &Parser, problem: Diagnostic, _: Reg, _: Swizzle, _whole: Span) -> Diagnostic {
        problem
    }
}

/// A language without statements of its own.
pub struct Plain;

impl Language for Plain {}

/// Reads a text. Never fails: what cannot be read is reported and skipped.
pub fn parse(isa: &'static Isa, syntax: &Syntax, file: &File, language: &mut dyn Language) -> Parsed {
    let mut parser = Parser::new(isa, Cursor::new(file, syntax));
    parser.run(language);
    Parsed { items: parser.items, diagnostics: parser.cursor.problems }
}

/// A row, how it is written, and the form that it is written in if that is not its own.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub op: &'static Op,
    pub parts: &'static [Part],
    form: Option<&'static Form>,
}

/// A text that is being read.
pub struct Parser<'a> {
    /// The instruction set.
    pub isa: &'static Isa,
    /// The place in the text.
    pub cursor: Cursor<'a>,
    /// Where the statement begins.
    pub statement: usize,
    /// What was read.
    pub items: Vec<Item>,
    /// True to read instructions that only the assembler may write.
    pub internal: bool,
    /// How the text counts the registers of a file, where it does not count as the machine.
    pub numbering: Option<Numbering>,
    mnemonics: HashMap<String, Vec<Candidate>>,
    /// The row of the instruction just read.
    last: Option<&'static Op>,
}

/// A parser is the cursor in its text.
impl<'a> Deref for Parser<'a> {
    type Target = Cursor<'a>;

    fn deref(&self) -> &Cursor<'a> {
        &self.cursor
    }
}

impl DerefMut for Parser<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.cursor
    }
}

impl<'a> Parser<'a> {
    /// A parser at the place of a cursor.
    pub fn new(isa: &'static Isa, cursor: Cursor<'a>) -> Parser<'a> {
        let mut mnemonics: HashMap<String, Vec<Candidate>> = HashMap::new();
        let syntax = cursor.syntax;
        for op in isa.ops().filter(|op| !op.name_in(syntax).is_empty()) {
            let rows = mnemonics.entry(syntax.written(op.name_in(syntax))).or_default();
            rows.push(Candidate { op, parts: op.parts, form: None });
        }
        for form in syntax.forms {
            let op = isa.op(form.row);
            let rows = mnemonics.entry(syntax.written(form.name)).or_default();
            rows.extend(op.map(|op| Candidate { op, parts: form.parts, form: Some(form) }));
        }
        let (items, numbering) = (Vec::new(), None);
        Parser { isa, cursor, statement: 0, items, internal: false, numbering, mnemonics, last: None }
    }

    /// Reads to the end of the text.
    pub fn run(&mut self, language: &mut dyn Language) {
        while !self.at_end() && !self.gives_up() {
            self.statement = self.token.start;
            if self.read(language).is_err() {
                self.last = None;
                self.recover();
            }
        }
    }

    fn read(&mut self, language: &mut dyn Language) -> Result<(), Failed> {
        let semicolons = matches!(self.syntax.end, End::LineOrSemicolon | End::Semicolon);
        if semicolons && self.eat(";") {
            return Ok(());
        }
        if let Some(result) = language.statement(self) {
            self.last = None;
            result?;
            return self.end();
        }
        match self.token.kind {
            TokenKind::Directive if self.is(".word") => self.raw_words()?,
            TokenKind::Directive => return self.unknown_directive(),
            TokenKind::Word | TokenKind::Number => self.instruction(language, false)?,
            _ if self.syntax.joins && self.is("+") => self.join(language)?,
            _ => return self.stray(),
        }
        self.end()
    }

    /// `+` and an instruction, which runs in the slot of the one before.
    fn join(&mut self, language: &mut dyn Language) -> Result<(), Failed> {
        let span = self.span();
        let after_one = self.last.is_some();
        self.advance();
        self.instruction(language, after_one)?;
        if !after_one && !gpuzoo_diag::has_errors(&self.problems) {
            let problem = Diagnostic::error(&UNEXPECTED, "there is no instruction before the `+`");
            let help = "a `+` joins an instruction to the one before";
            return self.fail(problem.at(span).help(help));
        }
        Ok(())
    }

    fn candidates(&self, word: &str) -> Option<&Vec<Candidate>> {
        match self.syntax.case {
            Case::Table | Case::Upper => self.mnemonics.get(word),
            _ => self.mnemonics.get(&self.syntax.folded(word)),
        }
    }

    fn instruction(&mut self, language: &mut dyn Language, joined: bool) -> Result<(), Failed> {
        let start = self.token.start;
        let Some(rows) = self.candidates(self.text()).cloned() else { return self.unknown() };
        if rows.iter().all(|row| row.op.internal) && !self.internal {
            let message = format!("`{}` is written by the assembler alone", self.text());
            let problem = Diagnostic::error(&UNKNOWN_MNEMONIC, message).at(self.span());
            return self.fail(problem.note("it puts it where it belongs"));
        }
        self.advance();
        let (row, mut written) = self.operands(rows, start, language)?;
        if let Some(form) = row.form {
            (form.complete)(&mut written.inst);
        }
        (written.span, written.joined) = (self.since(start), joined);
        language.instruction(self, &written, row.form)?;
        self.items.push(Item::Inst(written));
        self.last = Some(row.op);
        Ok(())
    }

    /// Reports an operand that the bits of its instruction do not say, because another one has the same bits.
    ///
    /// # Errors
    /// There is one.
    pub fn check_bits(&mut self, written: &Written) -> Result<(), Failed> {
        let inst = &written.inst;
        let said = self.isa.decode_as(inst.op, &self.isa.encode(inst));
        let there = |part: &&Part| !part.is_absent(inst.operand(part));
        let mut parts = inst.op.parts.iter().filter(there);
        let Some(part) = parts.find(|part| inst.operand(part) != said.operand(part)) else { return Ok(()) };
        let mut text = String::new();
        self.isa.printer().operand(part, inst.operand(part), &mut text);
        let name = self.shown(inst.op);
        let message = format!("`{text}` cannot be `{}` beside the other operands of `{name}`", part.name);
        let problem = Diagnostic::error(&SHARED_BITS, message).at(written.span);
        self.fail(problem.help("use one register for both, or copy one of them first"))
    }

    /// The end of a statement.
    fn end(&mut self) -> Result<(), Failed> {
        let first = self.token.first || self.at_end();
        let ended = match self.syntax.end {
            End::Next => true,
            End::Line => first || self.syntax.joins && self.is("+"),
            End::Semicolon => self.eat(";") || self.at_end(),
            End::LineOrSemicolon => first || self.eat(";"),
        };
        if ended {
            return Ok(());
        }
        match self.last {
            Some(op) if self.is(",") => {
                let span = self.span();
                self.too_many(op, span)
            }
            _ => match self.syntax.end {
                End::Semicolon => self.unexpected("`;`", "every statement ends with a semicolon"),
                End::Line => self.unexpected("the end of the line", "each instruction has a line of its own"),
                _ => {
                    let help = "a statement ends with its line or with a semicolon";
                    self.unexpected("`;` or the end of the line", help)
                }
            },
        }
    }

    fn too_many(&mut self, op: &'static Op, span: Span) -> Result<(), Failed> {
        let name = self.shown(op);
        let message = format!("`{name}` takes no further operand");
        let problem = Diagnostic::error(&TOO_MANY_OPERANDS, message).label(span, "one too many");
        let usage = self.isa.usage_of(&name, op.parts, self.syntax);
        self.fail(problem.help(format!("it is written `{usage}`")))
    }

    /// To what looks like the next statement: a mnemonic, a directive, or a first word of a line that cannot be an
    /// operand. At least one token on from where the statement begins.
    fn recover(&mut self) {
        if self.token.start == self.statement {
            self.advance();
        }
        while !self.at_end() {
            let (kind, first) = (self.token.kind, self.token.first);
            let stop = match self.syntax.end {
                End::LineOrSemicolon => first || self.is(";"),
                End::Line => first,
                End::Semicolon => first || self.is(";") || self.begins_instruction(),
                End::Next if self.syntax.commas => first && !self.is("+") || self.begins_instruction(),
                End::Next => match kind {
                    TokenKind::Directive => true,
                    TokenKind::Word => {
                        self.begins_instruction() || first && !self.looks_like_operand(self.text())
                    }
                    TokenKind::Junk | TokenKind::OpenComment => first && !self.is("."),
                    _ => false,
                },
            };
            if stop {
                return;
            }
            self.advance();
        }
    }

    pub(crate) fn begins_instruction(&self) -> bool {
        self.token.kind == TokenKind::Word && self.candidates(self.text()).is_some()
    }

    fn looks_like_operand(&self, word: &str) -> bool {
        let numbered = |file: &RegFile| {
            let rest = word.strip_prefix(file.prefix);
            rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
        };
        self.token.kind == TokenKind::Number
            || Swizzle::from_letters(word).is_some()
            || self.isa.files.iter().any(|file| file.find(word).is_some() || numbered(file))
    }

    /// A mnemonic as messages show it.
    pub(crate) fn shown(&self, op: &Op) -> String {
        let syntax = self.syntax;
        let form = || syntax.forms.iter().find(|form| form.row == op.name).map_or(op.name, |form| form.name);
        let name = op.name_in(syntax);
        let name = if name.is_empty() { form() } else { name };
        if syntax.case == Case::Upper { name.to_ascii_uppercase() } else { name.to_owned() }
    }

    /// The mnemonics that a text may use.
    fn mnemonics(&self) -> Vec<String> {
        let syntax = self.syntax;
        let rows = self.isa.ops().filter(|op| !op.internal).map(|op| op.name_in(syntax));
        let mut names: Vec<String> = Vec::new();
        for name in rows.chain(syntax.forms.iter().map(|form| form.name)).filter(|name| !name.is_empty()) {
            let name = syntax.written(name);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// What begins no statement.
    fn unknown(&mut self) -> Result<(), Failed> {
        let (word, span) = self.word();
        // Right after an instruction, an operand-like word is one operand too many.
        if let Some(op) = self.last
            && !self.token.first
            && self.looks_like_operand(word)
        {
            return self.too_many(op, span);
        }
        let shown = word.escape_debug();
        if let Some(help) = (self.syntax.elsewhere)(word) {
            let problem = Diagnostic::error(&NOT_HERE, format!("there is no `{shown}` here"));
            return self.fail(problem.at(span).help(help));
        }
        let problem = Diagnostic::error(&UNKNOWN_MNEMONIC, format!("there is no instruction `{shown}`"));
        let problem = problem.label(span, "not a mnemonic");
        let names = self.mnemonics();
        let names = || names.iter().map(String::as_str);
        let other_case = names().find(|name| name.eq_ignore_ascii_case(word));
        let problem = match other_case.or_else(|| suggest::nearest(word, names())) {
            Some(near) => problem.fix(format!("did you mean `{near}`?"), span, near),
            None => problem.help(format!("instructions are {}", list(names()))),
        };
        self.fail(problem)
    }

    fn unknown_directive(&mut self) -> Result<(), Failed> {
        let start = self.token.start;
        let name = self.text();
        if name == "." {
            self.advance();
        }
        let end = if self.token.start == start { self.token.end } else { self.word().1.end as usize };
        let span = self.file.span(start..end);
        let name = self.file.slice(span);
        let known = || self.syntax.all_directives();
        let problem = Diagnostic::error(&UNKNOWN_DIRECTIVE, format!("there is no directive `{name}`"));
        let problem = problem.at(span);
        let comment = self.syntax.comment();
        let problem = match suggest::nearest(name, known()) {
            Some(near) => problem.fix(format!("did you mean `{near}`?"), span, near),
            None if name == "#" => problem.help(format!("comments begin with `{comment}`")).fix(
                "make it a comment",
                span,
                comment,
            ),
            None => problem.help(format!("directives are {}", list(known()))),
        };
        self.fail(problem)
    }

    /// `.word N…`: a slot's words, lowest first; of a machine whose slots differ in length, any number of words.
    fn raw_words(&mut self) -> Result<(), Failed> {
        let slot = self.isa.slot_words * 32 / self.syntax.word_bits as usize;
        let most = if matches!(self.isa.room, Room::Words(_)) { usize::MAX } else { slot };
        let words = self.words(slot, most)?;
        self.items.push(Item::Raw(words, self.since(self.statement)));
        Ok(())
    }

    /// From `least` to `most` whole numbers behind the directive at the place, as 32-bit words, the lower half of a
    /// 64-bit number first.
    ///
    /// # Errors
    /// What is not such a number has been reported.
    pub fn words(&mut self, least: usize, most: usize) -> Result<Vec<u32>, Failed> {
        let directive = self.span();
        self.advance();
        let wide = self.syntax.word_bits == 64;
        let mut words = Vec::new();
        for index in 0..most {
            let is_number = self.token.kind == TokenKind::Number;
            if index >= least && !is_number {
                break;
            }
            let value = if is_number { integer(self.text()) } else { Err(NumberError::Malformed) };
            let too_large = |value: u64| !wide && value > u64::from(u32::MAX);
            match value {
                Ok(value) if too_large(value) => return self.word_too_large(),
                Err(NumberError::TooLarge) => return self.word_too_large(),
                Ok(value) if wide => words.extend([value as u32, (value >> 32) as u32]),
                Ok(value) => words.push(value as u32),
                Err(NumberError::Malformed) => {
                    let what = if least == 1 { "the value of the word" } else { "the value of a word" };
                    let problem = Diagnostic::error(&EXPECTED_NUMBER, format!("expected {what}"));
                    let gone = self.token.first || self.at_end();
                    let place = if gone { self.here() } else { self.span() };
                    let problem = problem.at(place).label(directive, "of this");
                    let help = format!("for example `{}`", self.word_example());
                    return self.fail(problem.help(help));
                }
            }
            self.advance();
        }
        Ok(words)
    }

    /// A `.word` that holds the first row with operands.
    fn word_example(&self) -> String {
        let op = self.isa.ops().find(|op| !op.parts.is_empty());
        let bits = op.map_or(Bits::default(), |op| self.isa.encode(&self.isa.example(op)));
        let mut text = String::new();
        self.isa.print_words(&bits.words[..self.isa.slot_words.min(MAX_WORDS)], &mut text);
        text
    }

    fn word_too_large<T>(&mut self) -> Result<T, Failed> {
        let bits = self.syntax.word_bits;
        let problem = Diagnostic::error(&OUT_OF_RANGE, format!("a word has {bits} bits"));
        let problem = problem.label(self.span(), "too large");
        self.fail(problem.help(format!("write 0 to 0x{}", "f".repeat(bits as usize / 4))))
    }

    /// A character that the language has no use for. Commas, semicolons and other machines' comments are skipped,
    /// so that what is around them is still checked.
    pub(crate) fn stray(&mut self) -> Result<(), Failed> {
        let (text, span) = (self.text(), self.span());
        if self.token.kind == TokenKind::OpenComment {
            self.advance();
            let problem = Diagnostic::error(&OPEN_COMMENT, "comment is never closed");
            return self.fail(problem.label(span, "opened here").help("close it with `*/`"));
        }
        if self.syntax.commas {
            if let Some(op) = self.last.filter(|_| text == ",") {
                self.advance();
                return self.too_many(op, span);
            }
            if let Some(help) = (self.syntax.elsewhere)(text) {
                let message = format!("there is no `{}` here", text.escape_debug());
                let problem = Diagnostic::error(&NOT_HERE, message);
                return self.fail(problem.at(span).help(help));
            }
            return self.unexpected("an instruction", "a statement begins with an instruction's name");
        }
        let message = format!("`{}` means nothing here", text.escape_debug());
        let problem = Diagnostic::error(&STRAY_CHARACTER, message).at(span);
        let comment = self.syntax.comment();
        let comments = format!("comments begin with `{comment}`");
        match text {
            "," => {
                let problem = problem.help("operands are separated by blanks alone");
                self.advance();
                let holds_apart = self.adjacent() && !self.at_end();
                let (fix, blank) = if holds_apart { ("write a blank", " ") } else { ("leave it out", "") };
                self.report(problem.fix(fix, span, blank));
                Ok(())
            }
            ";" if self.rest_of_line().is_empty() => {
                let problem = problem.help("instructions need no end mark");
                self.advance();
                self.report(problem.fix("leave it out", span, ""));
                Ok(())
            }
            ";" | "#" => {
                self.skip_line();
                self.report(problem.help(comments).fix("make it a comment", span, comment));
                Ok(())
            }
            "." if self.token.first => self.unknown_directive(),
            "." => {
                let components = self.letters().map_or(span, |(_, place)| place);
                if self.token.start == span.start as usize {
                    self.advance();
                }
                self.no_components("an instruction", components)
            }
            _ => {
                self.skip_line();
                let problem = match text {
                    "-" | "+" => problem.help("numbers have no such sign here"),
                    "/" => problem.help(comments),
                    _ => problem,
                };
                self.fail(problem.note("the rest of the line was not read"))
            }
        }
    }

    /// Components behind `what`, which has none.
    pub(crate) fn no_components(&mut self, what: &str, span: Span) -> Result<(), Failed> {
        let problem = Diagnostic::error(&NO_COMPONENTS, format!("{what} has no components to choose"));
        let problem = problem.at(span).fix("leave them out", span, "");
        let reads_any = |op: &&'static Op| op.parts.iter().any(|part| part.swizzle.is_some());
        let help = match self.isa.ops().find(reads_any) {
            Some(op) => format!("`{}` reads components in another order", op.name),
            None => "it is read and written whole".to_owned(),
        };
        self.fail(problem.help(help))
    }
}

impl Isa {
    /// The slots of what a text holds, of a language that does not join instructions: one for each of them, and those that
    /// the words of each `.word` are.
    pub fn slots_of(&self, items: &[Item]) -> Vec<Slot> {
        let mut slots = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Item::Inst(Written { inst, span, .. }) => {
                    slots.push(Slot {
                        bits: self.encode(inst),
                        inst: Some(*inst),
                        paired: None,
                        span: *span,
                    });
                }
                Item::Raw(words, span) => slots.extend(self.slots(words, |_| *span)),
            }
        }
        slots
    }
}

/// `a`, `b` and `c`, in backticks.
pub fn list<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.map(|word| format!("`{word}`")).collect();
    joined(&words, "and")
}

/// a, b and c; in place of `and`, another word.
pub(crate) fn joined(words: &[String], and: &str) -> String {
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {and} {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}

//! A text that is being read: its items so far, the place in it, and messages about unexpected words.

use crate::bits::{Bits, MAX_WORDS};
use crate::codes::*;
use crate::cursor::{Cursor, Failed};
use crate::files::RegFile;
use crate::isa::Isa;
use crate::item::{Item, Written};
use crate::number::NumberError;
use crate::op::Op;
use crate::operand::Swizzle;
use crate::part::Part;
use crate::syntax::{Case, Form, Numbering, Syntax, text};
use crate::token::TokenKind;
use gpuzoo_diag::{Diagnostic, Span, suggest};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::{Deref, DerefMut};

/// A row, how it is written, and the form that it is written in if that is not its own.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub op: &'static Op,
    pub parts: &'static [Part],
    pub form: Option<&'static Form>,
}

/// What may be written in a language, with the mnemonics.
pub(crate) fn candidates(isa: &Isa, syntax: &Syntax) -> impl Iterator<Item = (&'static str, Candidate)> {
    let rows =
        isa.ops().filter_map(|op| Some((op.name_in(syntax)?, Candidate { op, parts: op.parts, form: None })));
    let forms = syntax.forms.iter().filter_map(|form| {
        let op = isa.op(form.row)?;
        Some((form.name, Candidate { op, parts: op.parts_in(form), form: Some(form) }))
    });
    rows.chain(forms)
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
    pub(crate) last: Option<&'static Op>,
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
        for (name, row) in candidates(isa, cursor.syntax) {
            mnemonics.entry(cursor.syntax.written(name)).or_default().push(row);
        }
        let (items, numbering) = (Vec::new(), None);
        Parser { isa, cursor, statement: 0, items, internal: false, numbering, mnemonics, last: None }
    }

    /// Reports a problem that keeps something from being read.
    pub fn fail<T>(&mut self, problem: Diagnostic) -> Result<T, Failed> {
        self.cursor.fail(problem)
    }

    pub(crate) fn candidates(&self, word: &str) -> Option<&Vec<Candidate>> {
        self.mnemonics.get(&*self.syntax.folded(word))
    }

    /// Reports an operand that the bits of its instruction do not say, because another one has the same bits.
    ///
    /// # Errors
    /// There is one.
    pub fn check_bits(&mut self, written: &Written) -> Result<(), Failed> {
        let inst = &written.inst;
        let said = self.isa.decode_as(inst.op, &self.isa.encode(inst));
        let differs = |part: &&Part| inst.has(part) && inst.operand(part) != said.operand(part);
        let Some(part) = inst.op.parts.iter().find(differs) else { return Ok(()) };
        let text = text(|out| self.isa.printer().operand(part, inst.operand(part), out));
        let name = self.shown(inst.op);
        let message = format!("`{text}` cannot be `{}` beside the other operands of `{name}`", part.name);
        let problem = Diagnostic::error(&SHARED_BITS, message).at(written.span);
        self.fail(problem.help("use one register for both, or copy one of them first"))
    }

    pub(crate) fn too_many(&mut self, op: &'static Op, span: Span) -> Result<(), Failed> {
        let name = self.shown(op);
        let problem = Diagnostic::error(&TOO_MANY_OPERANDS, format!("`{name}` takes no further operand"));
        let usage = self.isa.usage_of(&name, op.parts, self.syntax);
        self.fail(problem.label(span, "one too many").help(format!("it is written `{usage}`")))
    }

    pub(crate) fn begins_instruction(&self) -> bool {
        self.token.kind == TokenKind::Word && self.candidates(self.text()).is_some()
    }

    pub(crate) fn looks_like_operand(&self, word: &str) -> bool {
        let digits = |file: &RegFile| word.strip_prefix(file.prefix).unwrap_or_default();
        let numbered = |file: &RegFile| {
            !digits(file).is_empty() && digits(file).bytes().all(|byte| byte.is_ascii_digit())
        };
        self.token.kind == TokenKind::Number
            || Swizzle::from_letters(word).is_some()
            || self.isa.files.iter().any(|file| file.find(word).is_some() || numbered(file))
    }

    /// A mnemonic as messages show it.
    pub(crate) fn shown(&self, op: &Op) -> Cow<'static, str> {
        let name = op.mnemonic(self.syntax);
        if self.syntax.case == Case::Upper { name.to_ascii_uppercase().into() } else { name.into() }
    }

    /// The instruction that writes registers of a file.
    pub(crate) fn writer(&self, file: u8) -> Option<Cow<'static, str>> {
        let writes = |part: &Part| part.is_written() && part.may_be(file);
        let mut rows = candidates(self.isa, self.syntax).filter(|(_, row)| row.parts.iter().any(writes));
        rows.next().map(|(name, row)| if row.form.is_some() { name.into() } else { self.shown(row.op) })
    }

    /// What users of related languages try, and what to write.
    pub(crate) fn elsewhere(&self, word: &str, span: Span) -> Option<Diagnostic> {
        let help = (self.syntax.elsewhere)(word)?;
        let message = format!("there is no `{}` here", word.escape_debug());
        Some(Diagnostic::error(&NOT_HERE, message).at(span).help(help))
    }

    pub(crate) fn unknown_directive(&mut self) -> Result<(), Failed> {
        let start = self.token.start;
        if self.text() == "." {
            self.advance();
        }
        let end = if self.token.start == start { self.token.end } else { self.word().1.end as usize };
        let span = self.file.span(start..end);
        let name = self.file.slice(span);
        let problem =
            Diagnostic::error(&UNKNOWN_DIRECTIVE, format!("there is no directive `{name}`")).at(span);
        let known = || self.syntax.all_directives().map(|own| own.name);
        self.fail(match suggest::nearest(name, known()) {
            Some(near) => problem.did_you_mean(near, span, near),
            None if name == "#" => self.commented(problem.help(self.comments()), span),
            None => problem.help(format!("directives are {}", list(known()))),
        })
    }

    fn comments(&self) -> String {
        format!("comments begin with `{}`", self.syntax.comment())
    }

    fn commented(&self, problem: Diagnostic, mark: Span) -> Diagnostic {
        problem.fix("make it a comment", mark, self.syntax.comment())
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
            if index >= least && self.token.kind != TokenKind::Number {
                break;
            }
            match self.integer() {
                Ok(value) if wide => words.extend([value as u32, (value >> 32) as u32]),
                Ok(value) if value <= u64::from(u32::MAX) => words.push(value as u32),
                Ok(_) | Err(NumberError::TooLarge) => {
                    let bits = self.syntax.word_bits;
                    let problem = Diagnostic::error(&OUT_OF_RANGE, format!("a word has {bits} bits"));
                    let help = format!("write 0 to 0x{}", "f".repeat(bits as usize / 4));
                    return self.fail(problem.label(self.span(), "too large").help(help));
                }
                Err(NumberError::Malformed) => {
                    let what = if least == 1 { "the value of the word" } else { "the value of a word" };
                    let problem = Diagnostic::error(&EXPECTED_NUMBER, format!("expected {what}"));
                    let gone = self.token.first || self.at_end();
                    let place = if gone { self.here() } else { self.span() };
                    let help = format!("for example `{}`", self.word_example());
                    return self.fail(problem.at(place).label(directive, "of this").help(help));
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
        text(|out| self.isa.print_words(&bits.words[..self.isa.slot_words.min(MAX_WORDS)], out))
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
            return match self.elsewhere(text, span) {
                Some(problem) => self.fail(problem),
                None => self.unexpected("an instruction", "a statement begins with an instruction's name"),
            };
        }
        let problem =
            Diagnostic::error(&STRAY_CHARACTER, format!("`{}` means nothing here", text.escape_debug()));
        let problem = problem.at(span);
        let skipped = match text {
            "," => {
                self.advance();
                let holds_apart = self.adjacent() && !self.at_end();
                let (fix, blank) = if holds_apart { ("write a blank", " ") } else { ("leave it out", "") };
                problem.help("operands are separated by blanks alone").fix(fix, span, blank)
            }
            ";" if self.ends_line() => {
                self.advance();
                problem.help("instructions need no end mark").fix("leave it out", span, "")
            }
            ";" | "#" => {
                self.skip_line();
                self.commented(problem.help(self.comments()), span)
            }
            "." if self.token.first => return self.unknown_directive(),
            "." => {
                let components = self.letters().map_or(span, |(_, place)| place);
                if self.token.start == span.start as usize {
                    self.advance();
                }
                return self.no_components("an instruction", components);
            }
            _ => {
                self.skip_line();
                let problem = match text {
                    "-" | "+" => problem.help("numbers have no such sign here"),
                    "/" => problem.help(self.comments()),
                    _ => problem,
                };
                return self.fail(problem.note("the rest of the line was not read"));
            }
        };
        self.report(skipped);
        Ok(())
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

//! The statements of a text, one after the other, with recovery, so that every mistake is reported at once.

use crate::codes::*;
use crate::cursor::{Cursor, Failed};
use crate::isa::{Isa, Room};
use crate::item::{Item, Parsed, Written};
use crate::language::Language;
use crate::parser::{Parser, candidates, list};
use crate::part::each_once;
use crate::program::Slot;
use crate::syntax::{End, Syntax};
use crate::token::TokenKind;
use gpuzoo_diag::{Diagnostic, File, suggest};

/// Reads a text. Never fails: what cannot be read is reported and skipped.
pub fn parse(isa: &'static Isa, syntax: &Syntax, file: &File, language: &mut dyn Language) -> Parsed {
    let mut parser = Parser::new(isa, Cursor::new(file, syntax));
    parser.run(language);
    Parsed { items: parser.items, diagnostics: parser.cursor.problems }
}

impl Parser<'_> {
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
        if let Some(result) = language.joined(self) {
            return result;
        }
        if self.token.kind != TokenKind::Word {
            return self.unexpected("an instruction", "a `+` joins an instruction to the one before");
        }
        self.instruction(language, after_one)?;
        if !after_one && !self.has_errors() {
            let problem = Diagnostic::error(&UNEXPECTED, "there is no instruction before the `+`").at(span);
            return self.fail(problem.help("a `+` joins an instruction to the one before"));
        }
        Ok(())
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
            (form.complete)(&mut written.inst.operands);
        }
        (written.span, written.joined, written.form) = (self.since(start), joined, row.form);
        language.instruction(self, &written)?;
        self.items.push(Item::Inst(written));
        self.last = Some(row.op);
        Ok(())
    }

    /// The end of a statement.
    fn end(&mut self) -> Result<(), Failed> {
        let first = self.token.first || self.at_end();
        let (ended, mark, help) = match self.syntax.end {
            End::Next => return Ok(()),
            End::Line => {
                let ended = first || self.syntax.joins && self.is("+");
                (ended, "the end of the line", "each instruction has a line of its own")
            }
            End::Semicolon => {
                (self.eat(";") || self.at_end(), "`;`", "every statement ends with a semicolon")
            }
            End::LineOrSemicolon => {
                let help = "a statement ends with its line or with a semicolon";
                (first || self.eat(";"), "`;` or the end of the line", help)
            }
        };
        match self.last {
            _ if ended => Ok(()),
            Some(op) if self.is(",") => self.too_many(op, self.span()),
            // What begins a statement is not what is wrong: the one before it has no end.
            _ if self.syntax.end_mark() == ";" && (first || self.begins_instruction()) => {
                let message = format!("expected {mark}, found `{}`", self.text().escape_debug());
                let problem =
                    Diagnostic::error(&UNEXPECTED, message).label(self.here(), "the statement ends here");
                self.fail(problem.fix(help, self.here(), ";"))
            }
            _ => self.unexpected(mark, help),
        }
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

    /// Tokens that begin no statement.
    fn unknown(&mut self) -> Result<(), Failed> {
        let (word, span) = self.word();
        // Right after an instruction, an operand-like word is one operand too many.
        if let Some(op) = self.last.filter(|_| !self.token.first && self.looks_like_operand(word)) {
            return self.too_many(op, span);
        }
        if let Some(problem) = self.elsewhere(word, span) {
            return self.fail(problem);
        }
        let message = format!("there is no instruction `{}`", word.escape_debug());
        let problem = Diagnostic::error(&UNKNOWN_MNEMONIC, message).label(span, "not a mnemonic");
        let rows = candidates(self.isa, self.syntax).filter(|(_, row)| !row.op.internal);
        let names = each_once(rows.map(|(name, _)| self.syntax.written(name)));
        let names = || names.iter().map(String::as_str);
        self.fail(match suggest::nearest(word, names()) {
            Some(near) => problem.did_you_mean(near, span, near),
            None => problem.help(format!("instructions are {}", list(names()))),
        })
    }

    /// `.word N…`: a slot's words, lowest first; of a machine whose slots differ in length, any number of words.
    fn raw_words(&mut self) -> Result<(), Failed> {
        let slot = self.isa.slot_words * 32 / self.syntax.word_bits as usize;
        let most = if matches!(self.isa.room, Room::Words(_)) { usize::MAX } else { slot };
        let words = self.words(slot, most)?;
        self.items.push(Item::Raw(words, self.since(self.statement)));
        Ok(())
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
                    let bits = self.encode(inst);
                    slots.push(Slot { bits, inst: Some(*inst), paired: None, span: *span });
                }
                Item::Raw(words, span) => slots.extend(self.slots(words, |_| *span)),
            }
        }
        slots
    }
}

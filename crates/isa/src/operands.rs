//! Reading the operands of an instruction.

use crate::codes::*;
use crate::cursor::Failed;
use crate::item::Written;
use crate::language::Language;
use crate::number::{NumberError, integer};
use crate::op::Inst;
use crate::operand::MAX_OPERANDS;
use crate::operand::Operand;
use crate::parser::{Candidate, Parser};
use crate::part::{Choice, Kind, Part, ValuePlace, Values};
use crate::syntax::End;
use crate::token::TokenKind;
use gpuzoo_diag::{Diagnostic, Span};

/// The parts of a row, grouped by the places in which they are written: in one place, at most one part is there.
pub(crate) fn places(parts: &'static [Part]) -> impl Iterator<Item = &'static [Part]> {
    parts.chunk_by(|_, next| next.instead)
}

impl Parser<'_> {
    /// Reads operands. Of the rows that share a mnemonic, those that cannot be what is written are left out.
    pub(crate) fn operands(
        &mut self,
        mut rows: Vec<Candidate>,
        mnemonic: usize,
        language: &mut dyn Language,
    ) -> Result<(Candidate, Written), Failed> {
        let mnemonic = self.since(mnemonic);
        let (inst, spans) = (Inst::new(rows[0].op), [mnemonic; MAX_OPERANDS]);
        let mut written = Written { inst, spans, span: mnemonic, joined: false, form: None };
        let mut failed = false;
        for at in 0.. {
            let here = |row: &Candidate| places(row.parts).nth(at);
            let wants_more = |row: &Candidate| here(row).is_some();
            if !rows.iter().any(wants_more) {
                break;
            }
            let fits = |parser: &Self, row: &Candidate| here(row).is_some_and(|place| parser.begins(place));
            while !self.syntax.commas && self.is_stray() && !rows.iter().any(|row| fits(self, row)) {
                self.stray()?;
                failed = true;
            }
            if rows.iter().any(|row| !wants_more(row)) {
                let go_on = match self.syntax.commas && at > 0 {
                    true => self.is(","),
                    false => rows.iter().any(|row| fits(self, row)),
                };
                rows.retain(|row| wants_more(row) == go_on);
                if !go_on {
                    break;
                }
            }
            if let Some(place) = here(&rows[0]).filter(|_| self.syntax.commas && at > 0) {
                self.comma(&rows[0], place, mnemonic)?;
            }
            if rows.iter().any(|row| fits(self, row)) {
                rows.retain(|row| fits(self, row));
            }
            let row = rows[0];
            let Some(place) = here(&row) else { break };
            if self.ends_operands(place) {
                return self.missing(&row, place, mnemonic);
            }
            let before = self.token.start;
            let read = self.operand(&self.shown(row.op), place, &mut written.inst, language);
            for part in place {
                written.spans[part.operand as usize] = self.since(before);
            }
            if read.is_err() {
                if self.syntax.commas {
                    return Err(Failed);
                }
                // The other operands are looked at too: they may have mistakes of their own.
                failed = true;
                if self.token.start == before {
                    self.advance();
                }
            }
        }
        written.inst.op = rows[0].op;
        if failed { Err(Failed) } else { Ok((rows[0], written)) }
    }

    fn is_stray(&self) -> bool {
        matches!(self.token.kind, TokenKind::Junk | TokenKind::OpenComment)
    }

    /// True if the token looks like what may be in a place.
    fn begins(&self, place: &[Part]) -> bool {
        let text = self.text();
        let marked = |part: &Part| text == "-" && part.is_signed() || text == "|" && part.abs.is_some();
        let is = |choice: &Choice| match choice.kind {
            Kind::Values(values) => (values.begins)(text),
            Kind::Reg { bare: true, .. } => self.token.kind == TokenKind::Number,
            Kind::Reg { file, .. } => {
                self.find(file, text, place[0].is_written()).is_some() || self.opens(file)
            }
            Kind::Nothing => self.syntax.nothing == Some(text),
        };
        place.iter().any(|part| marked(part) || part.writable().any(is))
    }

    /// True if the token cannot be an operand because a statement begins or ends with it.
    fn ends_operands(&self, place: &[Part]) -> bool {
        match self.token.kind {
            TokenKind::End => true,
            TokenKind::Directive if !self.syntax.commas => true,
            _ if self.syntax.end != End::Next => {
                self.is(";") && self.syntax.end_mark() == ";"
                    || self.token.first
                        && (self.begins_instruction() || self.token.kind == TokenKind::Directive)
            }
            _ => self.begins_instruction() && !self.begins(place),
        }
    }

    fn comma(&mut self, row: &Candidate, place: &[Part], mnemonic: Span) -> Result<(), Failed> {
        if self.eat(",") {
            return Ok(());
        }
        if self.at_end() || self.token.first || self.is(";") {
            return self.missing(row, place, mnemonic);
        }
        let message = format!("expected `,` before `{}` of `{}`", place[0].name, self.shown(row.op));
        let problem = Diagnostic::error(&UNEXPECTED, message).at(self.span());
        self.fail(problem.fix("write a comma", self.here(), ","))
    }

    fn missing<T>(&mut self, row: &Candidate, place: &[Part], mnemonic: Span) -> Result<T, Failed> {
        let name = self.shown(row.op);
        let message = format!("`{name}` needs `{}`, {}", place[0].name, self.isa.wanted(place));
        let problem = Diagnostic::error(&MISSING_OPERAND, message)
            .label(self.here(), "expected here")
            .label(mnemonic, "of this instruction");
        let usage = self.isa.usage_of(&name, row.parts, self.syntax);
        self.fail(problem.help(format!("it is written `{usage}`")))
    }

    /// Reads what is written in a place of `of`, a mnemonic or a macro's name, into the operand of the part that it is.
    ///
    /// # Errors
    /// What is wrong has been reported.
    pub fn operand(
        &mut self,
        of: &str,
        place: &'static [Part],
        inst: &mut Inst,
        language: &mut dyn Language,
    ) -> Result<(), Failed> {
        let part = &place[0];
        if part.choices.is_empty() {
            return self.modifier(part, &mut inst.operands[part.operand as usize], language);
        }
        for part in place {
            inst.operands[part.operand as usize] = Operand::absent();
        }
        let start = self.token.start;
        let operand = &mut inst.operands[part.operand as usize];
        let may_be_nothing = part.writable().any(|choice| matches!(choice.kind, Kind::Nothing));
        let nothing = self.syntax.nothing.filter(|_| may_be_nothing);
        if nothing.is_some_and(|nothing| self.eat(nothing)) {
            *operand = Operand::nothing();
            return Ok(());
        }
        let negate = part.is_signed() && self.eat("-");
        let sign = self.span();
        if self.syntax.plus_signs && part.negate.is_some() && !negate && self.eat("+") {
            language.plus(self, sign);
        }
        if let Some(values) = part.values().filter(|values| (values.begins)(self.text())) {
            *operand = self.values(of, values, negate, start)?;
            return Ok(());
        }
        if negate && part.negate.is_none() {
            let wanted = part.values().map_or("", |values| values.name);
            return self.unexpected(wanted, "a register has no sign here");
        }
        let abs = part.abs.is_some() && self.eat("|");
        let at = self.token.start;
        let (part, found) = self.register(of, place, language)?;
        let mut operand = Operand { negate, abs, ..found };
        let name = self.since(at);
        if part.is_written() && self.isa.address == Some(operand.reg) {
            self.address_components(name, language)?;
        } else {
            self.components(of, part, &mut operand, name, language)?;
            if abs && !self.eat("|") {
                return self.unexpected("`|`", "an absolute value is written `|r0|`");
            }
        }
        inst.operands[part.operand as usize] = operand;
        Ok(())
    }

    /// The components behind the address register, whose name is at `name`.
    fn address_components(&mut self, name: Span, language: &mut dyn Language) -> Result<(), Failed> {
        let letters = self.letters();
        let whole = self.since(name.start as usize);
        if !self.syntax.address_component() {
            return language.address(self, letters, whole);
        }
        if letters.is_some_and(|(letters, _)| letters == "x") {
            return Ok(());
        }
        let problem = Diagnostic::error(&BAD_MASK, "the address register has one component").at(whole);
        self.fail(problem.fix("name it", whole, format!("{}.x", self.file.slice(name))))
    }

    fn values(&mut self, of: &str, values: &Values, negated: bool, start: usize) -> Result<Operand, Failed> {
        let most = usize::from(values.most);
        let lines = matches!(self.syntax.end, End::Line | End::LineOrSemicolon);
        let mut all = Vec::new();
        let mut failed = false;
        let mut place = ValuePlace { mnemonic: of, negated, start };
        while (values.begins)(self.text()) && !self.at_end() {
            if !all.is_empty() && lines && self.token.first {
                break;
            }
            if all.len() >= most {
                let problem =
                    Diagnostic::error(&TOO_MANY_VALUES, format!("`{of}` takes at most {most} values"));
                return self.fail(problem.label(self.span(), "one too many"));
            }
            let read = (values.read)(&mut self.cursor, &place);
            if most == 1 {
                return Ok(Operand::of_values([read?]));
            }
            failed |= read.is_err();
            all.push(read.unwrap_or(0));
            let start = self.token.start;
            let more = all.len() < most && (values.begins)("-");
            place = ValuePlace { negated: more && self.eat("-"), start, ..place };
        }
        if failed { Err(Failed) } else { Ok(Operand::of_values(all)) }
    }

    /// A whole number from 0 to `most`.
    pub(crate) fn bounded(&mut self, part: &Part, what: &str, most: u64) -> Result<u64, Failed> {
        let (text, span) = (self.text(), self.span());
        let help = format!("`{}` is a number from 0 to {most}", part.name);
        match self.integer() {
            Ok(value) if value <= most => {
                self.advance();
                Ok(value)
            }
            Ok(_) | Err(NumberError::TooLarge) => {
                let problem = Diagnostic::error(&OUT_OF_RANGE, format!("there is no {what} {text}"));
                self.fail(problem.label(span, "too large").help(help))
            }
            Err(NumberError::Malformed) => {
                let message = format!("expected an integer, found `{}`", text.escape_debug());
                let problem =
                    Diagnostic::error(&EXPECTED_NUMBER, message).label(span, "not an integer").help(help);
                // `ldc r0 c3` and `ld r0 v3` are what users of other assemblers write.
                let digits = text.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
                let known = integer(digits).is_ok_and(|value| value <= most);
                self.fail(if known { problem.fix("write the number alone", span, digits) } else { problem })
            }
        }
    }
}

//! Reading the operands of an instruction.

use crate::codes::*;
use crate::cursor::Failed;
use crate::lexer::TokenKind;
use crate::number::{NumberError, integer};
use crate::operand::Operand;
use crate::parser::{Candidate, Language, Parser, Written};
use crate::part::{Choice, Kind, Part, ValuePlace, Values};
use crate::program::{Inst, MAX_OPERANDS};
use crate::syntax::End;
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
        let mut written = Written { inst, spans, span: mnemonic, joined: false };
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
            let complete = rows.iter().any(|row| !wants_more(row));
            if self.syntax.commas && at > 0 {
                if complete && !self.is(",") {
                    rows.retain(|row| !wants_more(row));
                    break;
                }
                rows.retain(wants_more);
                self.comma(&rows[0], at, mnemonic)?;
            } else if complete {
                let go_on = rows.iter().any(|row| fits(self, row));
                rows.retain(|row| wants_more(row) == go_on);
                if !go_on {
                    break;
                }
            }
            if rows.iter().any(|row| fits(self, row)) {
                rows.retain(|row| fits(self, row));
            }
            let row = rows[0];
            let Some(place) = places(row.parts).nth(at) else { break };
            if self.ends_operands(place) {
                return self.missing(&row, &place[0], mnemonic);
            }
            let before = self.token.start;
            let read = self.operand(&self.shown(row.op), place, &mut written.inst, language);
            for part in place {
                written.spans[part.operand as usize] = self.since(before);
            }
            match read {
                Ok(()) => {}
                Err(Failed) if self.syntax.commas => return Err(Failed),
                // The other operands are looked at too: they may have mistakes of their own.
                Err(Failed) => {
                    failed = true;
                    if self.token.start == before {
                        self.advance();
                    }
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

    fn comma(&mut self, row: &Candidate, at: usize, mnemonic: Span) -> Result<(), Failed> {
        if self.eat(",") {
            return Ok(());
        }
        let Some(part) = places(row.parts).nth(at).map(|place| &place[0]) else { return Ok(()) };
        if self.at_end() || self.token.first || self.is(";") {
            return self.missing(row, part, mnemonic);
        }
        let message = format!("expected `,` before `{}` of `{}`", part.name, self.shown(row.op));
        let problem = Diagnostic::error(&UNEXPECTED, message).at(self.span());
        let here = self.here();
        self.fail(problem.fix("write a comma", here, ","))
    }

    fn missing<T>(&mut self, row: &Candidate, part: &Part, mnemonic: Span) -> Result<T, Failed> {
        let place = places(row.parts).find(|place| place[0].name == part.name).unwrap_or_default();
        let message = format!("`{}` needs `{}`, {}", self.shown(row.op), part.name, self.isa.wanted(place));
        let problem = Diagnostic::error(&MISSING_OPERAND, message)
            .label(self.here(), "expected here")
            .label(mnemonic, "of this instruction");
        let usage = self.isa.usage_of(&self.shown(row.op), row.parts, self.syntax);
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
        if place[0].choices.is_empty() {
            let operand = &mut inst.operands[place[0].operand as usize];
            return self.modifier(&place[0], operand, language);
        }
        for part in place {
            inst.operands[part.operand as usize] = Operand::absent();
        }
        let start = self.token.start;
        let part = &place[0];
        if part.writable().any(|choice| matches!(choice.kind, Kind::Nothing))
            && self.syntax.nothing.is_some_and(|nothing| self.eat(nothing))
        {
            inst.operands[part.operand as usize] = Operand::nothing();
            return Ok(());
        }
        let negate = part.is_signed() && self.eat("-");
        let sign = self.span();
        if self.syntax.plus_signs && part.negate.is_some() && !negate && self.eat("+") {
            language.plus(self, sign);
        }
        if let Some(values) = part.values().filter(|values| (values.begins)(self.text())) {
            let operand = self.values(of, values, negate, start)?;
            inst.operands[part.operand as usize] = operand;
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
            let letters = self.letters();
            let whole = self.since(at);
            if self.syntax.address_component && letters.as_ref().is_none_or(|(letters, _)| letters != "x") {
                let problem = Diagnostic::error(&BAD_MASK, "the address register has one component");
                let fixed = format!("{}.x", self.file.slice(name));
                return self.fail(problem.at(whole).fix("name it", whole, fixed));
            }
            if !self.syntax.address_component {
                language.address(self, letters, whole)?;
            }
            inst.operands[part.operand as usize] = operand;
            return Ok(());
        }
        self.components(of, part, &mut operand, name, language)?;
        if abs && !self.eat("|") {
            return self.unexpected("`|`", "an absolute value is written `|r0|`");
        }
        inst.operands[part.operand as usize] = operand;
        Ok(())
    }

    fn values(&mut self, of: &str, values: &Values, negated: bool, start: usize) -> Result<Operand, Failed> {
        let mut all = Vec::new();
        let mut failed = false;
        let mut place = ValuePlace { mnemonic: of, negated, start };
        while (values.begins)(self.text()) && !self.at_end() {
            let lines = matches!(self.syntax.end, End::Line | End::LineOrSemicolon);
            if !all.is_empty() && lines && self.token.first {
                break;
            }
            if !all.is_empty() && all.len() >= usize::from(values.most) {
                if values.most == 1 {
                    break;
                }
                let message = format!("`{of}` takes at most {} values", values.most);
                let problem = Diagnostic::error(&TOO_MANY_VALUES, message);
                let span = self.span();
                return self.fail(problem.label(span, "one too many"));
            }
            match (values.read)(&mut self.cursor, &place) {
                Ok(value) => all.push(value),
                Err(Failed) if values.most == 1 => return Err(Failed),
                Err(Failed) => {
                    failed = true;
                    all.push(0);
                }
            }
            let start = self.token.start;
            let more = all.len() < usize::from(values.most) && (values.begins)("-");
            place = ValuePlace { negated: more && self.eat("-"), start, ..place };
        }
        if failed { Err(Failed) } else { Ok(Operand::of_values(&all)) }
    }

    /// A whole number from 0 to `most`.
    pub(crate) fn bounded(&mut self, part: &Part, what: &str, most: u64) -> Result<u64, Failed> {
        let (text, span) = (self.text(), self.span());
        let is_number = self.token.kind == TokenKind::Number;
        let value = if is_number { integer(text) } else { Err(NumberError::Malformed) };
        let help = format!("`{}` is a number from 0 to {most}", part.name);
        match value {
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
                let mut problem = Diagnostic::error(&EXPECTED_NUMBER, message).label(span, "not an integer");
                // `ldc r0 c3` and `ld r0 v3` are what users of other assemblers write.
                let digits = text.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
                if integer(digits).is_ok_and(|value| value <= most) {
                    problem = problem.fix("write the number alone", span, digits);
                }
                self.fail(problem.help(help))
            }
        }
    }
}

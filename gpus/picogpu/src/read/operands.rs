//! The operands of a statement: registers, masks, swizzles, values.

use super::{Failed, Reader};
use crate::ISA;
use crate::lints::OUT_OF_RANGE_LITERAL;
use crate::ops::{FCROSS, rows, takes_floats};
use crate::regs::{COUNT, r};
use crate::rules::*;
use crate::syntax::Kind;
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_isa::codes::*;
use gpuzoo_isa::{Immediates, MAX_ERRORS, Mask, Op, PartKind, Reg, Swizzle, lane};

impl Reader<'_> {
    /// The mask of a destination, where there can be one.
    pub(super) fn write_mask(&mut self, op: &Op) -> Result<Mask, Failed> {
        let start = self.token.start;
        if !op.format.parts.iter().any(|part| part.kind == PartKind::Mask) {
            let problem = Diagnostic::error(&NO_MASK_HERE, format!("`{}` writes all four lanes", op.name));
            return Err(self.fail(problem.label(self.span(), "no mask here")));
        }
        let (mask, _) = self.mask()?;
        if op.code == FCROSS {
            self.refuse(self.since(start), "a mask of `fcross`")?;
        }
        Ok(mask)
    }

    /// A dot and one to four letters, none twice; and whether they stand in order.
    pub(super) fn mask(&mut self) -> Result<(Mask, bool), Failed> {
        let (start, lanes) = (self.token.start, self.letters());
        let mut span = self.since(start);
        if lanes.is_empty() && self.token.kind == Kind::Word && self.token.start == self.previous_end {
            span = span.to(self.span());
        }
        let set = lanes.iter().fold(0u8, |set, lane| set | 1 << lane);
        let text = self.file.slice(span).to_owned();
        let problem =
            |help| Diagnostic::error(&BAD_MASK, format!("`{text}` is not a mask")).label(span, "").help(help);
        if lanes.is_empty() {
            return Err(self.fail(problem("a mask is a dot and one to four of the letters x, y, z, w")));
        }
        if lanes.len() > set.count_ones() as usize {
            let right: String =
                (0..4).filter(|lane| set >> lane & 1 == 1).map(|lane| gpuzoo_isa::LANES[lane]).collect();
            let fixed = problem("no letter can stand in a mask twice");
            return Err(self.fail(fixed.fix(format!("write `.{right}`"), span, format!(".{right}"))));
        }
        Ok((Mask(set), lanes.is_sorted()))
    }

    pub(super) fn swizzle(&mut self) -> Result<Swizzle, Failed> {
        let start = self.token.start;
        let lanes = if self.token.kind == Kind::Dot { self.letters() } else { Vec::new() };
        let [x, y, z, w] = lanes[..] else {
            let span = if lanes.is_empty() {
                self.file.span(self.previous_end..self.previous_end)
            } else {
                self.since(start)
            };
            let problem =
                Diagnostic::error(&BAD_SWIZZLE, "`swizzle` needs exactly four lanes").label(span, "");
            return Err(self.fail(problem.help("for example `.wzyx` or `.xxxx`")));
        };
        Ok(Swizzle(x | y << 2 | z << 4 | w << 6))
    }

    /// The lanes of a dot and letters; blanks between them mean nothing.
    fn letters(&mut self) -> Vec<u8> {
        let mut lanes = Vec::new();
        self.advance();
        while self.token.kind == Kind::Component {
            lanes.extend(lane(self.text().as_bytes()[0]));
            self.advance();
        }
        lanes
    }

    pub(super) fn values(
        &mut self,
        op: &'static Op,
        reference_takes_one: bool,
    ) -> Result<Immediates, Failed> {
        let mut values = Vec::new();
        let mut failed = false;
        while let Kind::Int | Kind::Float | Kind::Hex | Kind::BadNumber = self.token.kind {
            let span = self.span();
            if values.len() == 4 {
                let problem =
                    Diagnostic::error(&TOO_MANY_VALUES, format!("`{}` takes at most four values", op.name));
                return Err(self.fail(problem.label(span, "one too many")));
            }
            if reference_takes_one && values.len() == 1 {
                self.refuse(span, "more than one value here")?;
            }
            match self.value(op) {
                Some(value) => values.push(value),
                None => {
                    failed = true;
                    values.push(0);
                }
            }
            self.advance();
        }
        if values.is_empty() {
            let wanted = if takes_floats(op) { "a float" } else { "an integer" };
            return Err(self.missing(op.name, wanted));
        }
        if failed { Err(Failed) } else { Ok(Immediates::new(&values)) }
    }

    /// The value of the number at the place.
    fn value(&mut self, op: &Op) -> Option<u32> {
        let (text, span, floats) = (self.text(), self.span(), takes_floats(op));
        match (self.token.kind, floats) {
            (Kind::Float, true) => {
                // Twice rounded, as the reference does: to double, then to single.
                let value = text.trim_end_matches('f').parse::<f64>().unwrap_or(0.0) as f32;
                if value.is_infinite() {
                    self.out_of_range(span, "it becomes an infinity");
                }
                Some(value.to_bits())
            }
            (Kind::Int, false) => {
                // Kept in 64 bits, of which the low 32 are used (spec section 2.1).
                let edge = if text.starts_with('-') { i64::MIN } else { i64::MAX };
                let value = text.parse::<i64>().unwrap_or(edge);
                if i32::try_from(value).is_err() && u32::try_from(value).is_err() {
                    self.out_of_range(span, &format!("its low 32 bits are {}", value as i32));
                }
                Some(value as u32)
            }
            _ => {
                let wanted = if floats { "a float" } else { "an integer" };
                let problem = Diagnostic::error(&BAD_NUMBER, format!("`{}` takes {wanted} here", op.name));
                let mut problem = problem.label(span, format!("not {wanted}"));
                if let (Kind::Int, true) = (self.token.kind, floats) {
                    problem = problem.fix("write it as a float", span, format!("{text}.0"));
                } else {
                    let help = if floats {
                        "for example `1.0`, `-0.5` or `2.5f`"
                    } else {
                        "for example `7` or `-1`"
                    };
                    problem = problem.help(help);
                }
                self.report(problem);
                None
            }
        }
    }

    fn out_of_range(&mut self, span: Span, note: &str) {
        self.out_of_range += 1;
        if self.out_of_range > MAX_ERRORS {
            return;
        }
        let text = self.file.slice(span);
        let problem = Diagnostic::warning(&OUT_OF_RANGE_LITERAL, format!("`{text}` does not fit 32 bits"));
        let problem = problem.label(span, "").note(note);
        let last = self.out_of_range == MAX_ERRORS;
        self.report(if last { problem.note("further ones are not told") } else { problem });
    }

    pub(super) fn register(&mut self, of: &str) -> Result<Reg, Failed> {
        let (text, span) = (self.text(), self.span());
        match self.token.kind {
            Kind::Register => {
                let number = text[1..].parse::<u16>().ok().filter(|number| *number < COUNT);
                let zeros = text.len() > 2 && text.as_bytes()[1] == b'0';
                self.advance();
                match number.filter(|_| !zeros) {
                    Some(number) => Ok(r(number)),
                    None => {
                        let problem =
                            Diagnostic::error(&NO_SUCH_REGISTER, format!("there is no register `{text}`"));
                        let problem =
                            problem.label(span, "").help("registers are r0 to r15, without leading zeros");
                        Err(self.fail(problem))
                    }
                }
            }
            Kind::End | Kind::Mnemonic | Kind::Directive | Kind::Raw => Err(self.missing(of, "a register")),
            Kind::Dot => {
                let problem = Diagnostic::error(&NO_MASK_HERE, format!("`{of}` takes no lanes of a source"));
                Err(self
                    .fail(problem.label(span, "").help("sources are read lane by lane; use `swizzle` first")))
            }
            _ => {
                let text = self.word_at();
                let problem = Diagnostic::error(
                    &EXPECTED_REGISTER,
                    format!("`{of}` takes a register here, not `{text}`"),
                );
                let mut problem =
                    problem.label(self.file.span(span.start as usize..span.start as usize + text.len()), "");
                let lower = text.to_ascii_lowercase();
                if text != lower && ISA.reg(&lower).is_some() {
                    problem = problem.fix(format!("did you mean `{lower}`?"), span, lower);
                } else if text == "+" {
                    problem = problem.help("numbers have no plus sign").fix("leave it out", span, "");
                } else if text == "," {
                    problem =
                        problem.help("operands are separated by blanks alone").fix("leave it out", span, "");
                }
                Err(self.fail(problem))
            }
        }
    }

    fn missing(&mut self, of: &str, wanted: &str) -> Failed {
        let at = self.file.span(self.previous_end..self.previous_end);
        let mut problem =
            Diagnostic::error(&MISSING_OPERAND, format!("`{of}` needs {wanted}")).label(at, "expected here");
        if let Some(op) = rows(of).next() {
            problem = problem.help(format!("it is written `{}`", crate::print::usage(op)));
        }
        self.fail(problem)
    }
}

//! Reading masks and swizzles.

use crate::codes::*;
use crate::cursor::Failed;
use crate::describe::swizzle_text;
use crate::operand::{COMPONENTS, Mask, Operand, Reg, Swizzle, component};
use crate::parser::{Language, Parser, joined};
use crate::part::{Part, SwizzleCode};
use crate::syntax::{Letters, Scalars};
use gpuzoo_diag::{Diagnostic, Span};

impl Parser<'_> {
    /// The swizzle or mask that is a word of its own.
    pub(crate) fn modifier(
        &mut self,
        part: &Part,
        operand: &mut Operand,
        language: &mut dyn Language,
    ) -> Result<(), Failed> {
        if part.mask.is_some() {
            operand.mask = Mask(self.bounded(part, "write mask", 15)? as u8);
            return Ok(());
        }
        let (word, span) = (self.text(), self.span());
        if let Some(swizzle) = Swizzle::from_letters(word) {
            self.advance();
            if let Some((_, code)) = part.swizzle.filter(|(_, code)| code.encode(swizzle).is_none()) {
                return self.unsupported(code, swizzle, span, operand.reg, span, language);
            }
            operand.swizzle = swizzle;
            return Ok(());
        }
        let mut problem = Diagnostic::error(&BAD_SWIZZLE, format!("`{word}` is not a swizzle"))
            .at(span)
            .help("four letters of x y z w or r g b a: for each component of the result the one to read");
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
        self.fail(problem)
    }

    /// The mask or swizzle behind a register, whose name is at `name`.
    pub(crate) fn components(
        &mut self,
        of: &str,
        part: &Part,
        operand: &mut Operand,
        name: Span,
        language: &mut dyn Language,
    ) -> Result<(), Failed> {
        let behind = self.here();
        let found = self.letters();
        if part.mask.is_some() {
            operand.mask = match found {
                None => Mask::ALL,
                Some((letters, _)) if self.syntax.nothing == Some(&letters) => Mask(0),
                Some((letters, span)) => self.mask(&letters, span)?,
            };
            return Ok(());
        }
        let Some((_, code)) = part.swizzle else {
            return match found {
                None => Ok(()),
                Some((_, span)) => self.no_components(&format!("`{}` of `{of}`", part.name), span),
            };
        };
        operand.swizzle = match found {
            None if self.syntax.letters == Letters::Four => {
                let problem = Diagnostic::error(&BAD_SWIZZLE, format!("`{of}` needs four components"));
                return self.fail(problem.at(behind).help("for example `.wzyx` or `.xxxx`"));
            }
            None => Swizzle::IDENTITY,
            Some((letters, span)) => {
                let swizzle = self.swizzle(&letters, span)?;
                if code.encode(swizzle).is_none() || self.is_long(&letters) {
                    return self.unsupported(code, swizzle, span, operand.reg, name.to(span), language);
                }
                swizzle
            }
        };
        if part.scalar && self.syntax.scalars == Scalars::Named && operand.swizzle.single().is_none() {
            let whole = self.since(name.start as usize);
            let message = format!("`{}` of `{of}` must be one component", part.name);
            let problem = Diagnostic::error(&NEEDS_ONE_COMPONENT, message).at(whole);
            let first = COMPONENTS[usize::from(operand.swizzle.components()[0])];
            let fixed = format!("{}.{first}", self.file.slice(name));
            return self.fail(problem.fix("name it", whole, fixed));
        }
        Ok(())
    }

    /// True for four times the same letter where one says it.
    fn is_long(&self, letters: &str) -> bool {
        self.syntax.letters == Letters::OneOrFour
            && letters.len() == 4
            && Swizzle::from_letters(letters).is_some_and(|swizzle| swizzle.single().is_some())
    }

    /// Letters behind a destination: each component at most once.
    pub fn mask(&mut self, letters: &str, span: Span) -> Result<Mask, Failed> {
        let in_order = !self.syntax.mask_in_any_order;
        let mut mask = 0u8;
        for letter in letters.bytes() {
            let known = self.syntax.components.as_bytes().contains(&letter);
            match component(letter).filter(|_| known) {
                // In order, each component is above all before it.
                Some(at) if if in_order { mask >> at == 0 } else { mask >> at & 1 == 0 } => mask |= 1 << at,
                Some(_) if letters.bytes().all(|letter| component(letter).is_some()) => {
                    let all = letters.bytes().filter_map(component).fold(0, |all, at| all | 1 << at);
                    let problem = self.bad_mask(letters, span);
                    let fixed = format!(".{}", Mask(all));
                    return self.fail(problem.fix(format!("write `{fixed}`"), span, fixed));
                }
                _ => {
                    let problem = self.bad_mask(letters, span);
                    return self.fail(problem);
                }
            }
        }
        if mask == 0 {
            let problem = self.bad_mask(letters, span);
            return self.fail(problem);
        }
        Ok(Mask(mask))
    }

    fn bad_mask(&self, letters: &str, span: Span) -> Diagnostic {
        let problem = Diagnostic::error(&BAD_MASK, format!("`.{letters}` is not a write mask")).at(span);
        let order = if self.syntax.mask_in_any_order { "" } else { " in this order" };
        let nothing =
            self.syntax.nothing.map_or(String::new(), |nothing| format!(", or `{nothing}` for none"));
        problem.help(format!("one to four of x, y, z, w{order}, none twice{nothing}"))
    }

    /// Letters behind a source.
    fn swizzle(&mut self, letters: &str, span: Span) -> Result<Swizzle, Failed> {
        let known = letters.bytes().all(|letter| self.syntax.components.as_bytes().contains(&letter));
        let one = match letters.as_bytes() {
            [letter] if self.syntax.letters == Letters::OneOrFour => component(*letter),
            _ => None,
        };
        let repeats = matches!(self.syntax.letters, Letters::Repeating | Letters::Lossy);
        let last = letters.chars().last().filter(|_| repeats && letters.len() < 4);
        let full = last.map(|last| format!("{letters}{}", last.to_string().repeat(4 - letters.len())));
        let letters = full.as_deref().unwrap_or(letters);
        let swizzle = one.map(Swizzle::broadcast).or_else(|| Swizzle::from_letters(letters));
        if let Some(swizzle) = swizzle.filter(|_| known) {
            return Ok(swizzle);
        }
        let problem = Diagnostic::error(&BAD_SWIZZLE, format!("`.{letters}` is not a swizzle"));
        let help = match self.syntax.letters {
            Letters::Four => "four of x, y, z, w: for each component of the result the one to read",
            Letters::OneOrFour => "one of x, y, z, w for all components, or four of them",
            Letters::Repeating | Letters::Lossy => "one to four of x, y, z, w, of which the last repeats",
        };
        self.fail(problem.at(span).help(help))
    }

    fn unsupported(
        &mut self,
        code: SwizzleCode,
        swizzle: Swizzle,
        span: Span,
        reg: Reg,
        whole: Span,
        language: &mut dyn Language,
    ) -> Result<(), Failed> {
        let message = format!("a source cannot be read as `{}`", self.file.slice(span));
        let problem = Diagnostic::error(&UNSUPPORTED_SWIZZLE, message).at(span);
        let problem = match code {
            SwizzleCode::Listed(all) => {
                let texts: Vec<String> = all.iter().map(|swizzle| swizzle_text(*swizzle)).collect();
                problem.help(format!("a source has {}", joined(&texts, "and")))
            }
            _ => problem,
        };
        // It has a code, and failed for its length.
        let one = swizzle.single().filter(|_| code.encode(swizzle).is_some());
        let problem = match one {
            Some(at) => {
                let one = format!(".{}", COMPONENTS[usize::from(at)]);
                problem.fix("one letter is read for all components", span, one)
            }
            None => language.swizzle(self, problem, reg, swizzle, whole),
        };
        self.fail(problem)
    }
}

//! Reading masks and swizzles.

use crate::codes::*;
use crate::cursor::Failed;
use crate::describe::swizzle_text;
use crate::language::Language;
use crate::operand::{COMPONENTS, Mask, Operand, Swizzle, component};
use crate::parser::{Parser, joined};
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
        let Some(swizzle) = Swizzle::from_letters(word) else {
            let problem = Diagnostic::error(&BAD_SWIZZLE, format!("`{word}` is not a swizzle"))
                .at(span)
                .help("four letters of x y z w or r g b a: for each component of the result the one to read");
            // `.x` and `.xy` repeat their last letter in most shader assemblers.
            let full = filled(&word.to_ascii_lowercase());
            let meant = Swizzle::from_letters(&full).is_some();
            return self.fail(match meant {
                true => problem.did_you_mean(&full, span, full.clone()),
                false => problem,
            });
        };
        self.advance();
        if let Some((_, code)) = part.swizzle.filter(|(_, code)| code.encode(swizzle).is_none()) {
            let problem = self.unsupported(code, span);
            return self.fail(language.swizzle(self, problem, operand.reg, swizzle, span));
        }
        operand.swizzle = swizzle;
        Ok(())
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
                if code.encode(swizzle).is_none() {
                    let problem = self.unsupported(code, span);
                    return self.fail(language.swizzle(self, problem, operand.reg, swizzle, name.to(span)));
                }
                // Four equal letters are a vector's; where one component is read, one is named.
                let one = part.scalar && self.syntax.letters == Letters::OneOrFour;
                if let Some(at) = swizzle.single().filter(|_| one && letters.len() == 4) {
                    let one = format!(".{}", COMPONENTS[usize::from(at)]);
                    let problem = self.unsupported(code, span);
                    return self.fail(problem.fix("one component is read", span, one));
                }
                swizzle
            }
        };
        if part.scalar && self.syntax.scalars == Scalars::Named && operand.swizzle.single().is_none() {
            let whole = self.since(name.start as usize);
            let message = format!("`{}` of `{of}` must be one component", part.name);
            let problem = Diagnostic::error(&NEEDS_ONE_COMPONENT, message).at(whole);
            let first = COMPONENTS[usize::from(operand.swizzle.components()[0])];
            return self.fail(problem.guess("name it", whole, format!("{}.{first}", self.file.slice(name))));
        }
        Ok(())
    }

    /// True if all letters name components.
    fn are_components(&self, letters: &str) -> bool {
        letters.bytes().all(|letter| self.syntax.components.as_bytes().contains(&letter))
    }

    /// Letters behind a destination: each component at most once.
    pub fn mask(&mut self, letters: &str, span: Span) -> Result<Mask, Failed> {
        let all: Vec<u8> = letters.bytes().filter_map(component).collect();
        let mask = Mask(all.iter().fold(0, |mask, at| mask | 1 << at));
        let any_order = self.syntax.mask_in_any_order;
        let known = self.are_components(letters) && !mask.is_empty();
        let once = mask.0.count_ones() as usize == all.len();
        if known && once && (any_order || all.is_sorted()) {
            return Ok(mask);
        }
        let order = if any_order { "" } else { " in this order" };
        let nothing =
            self.syntax.nothing.map_or(String::new(), |nothing| format!(", or `{nothing}` for none"));
        let problem = Diagnostic::error(&BAD_MASK, format!("`.{letters}` is not a write mask")).at(span);
        let problem = problem.help(format!("one to four of x, y, z, w{order}, none twice{nothing}"));
        self.fail(if known {
            problem.guess(format!("write `.{mask}`"), span, format!(".{mask}"))
        } else {
            problem
        })
    }

    /// Letters behind a source.
    fn swizzle(&mut self, letters: &str, span: Span) -> Result<Swizzle, Failed> {
        let (all, help) = match self.syntax.letters {
            Letters::Four => {
                (letters.to_owned(), "four of x, y, z, w: for each component of the result the one to read")
            }
            Letters::OneOrFour => {
                let all = if letters.len() == 1 { filled(letters) } else { letters.to_owned() };
                (all, "one of x, y, z, w for all components, or four of them")
            }
            Letters::Repeating | Letters::Lossy => {
                (filled(letters), "one to four of x, y, z, w, of which the last repeats")
            }
        };
        match Swizzle::from_letters(&all).filter(|_| self.are_components(letters)) {
            Some(swizzle) => Ok(swizzle),
            None => {
                let problem = Diagnostic::error(&BAD_SWIZZLE, format!("`.{letters}` is not a swizzle"));
                self.fail(problem.at(span).help(help))
            }
        }
    }

    /// The problem of a swizzle that the machine cannot say, or not with so many letters.
    fn unsupported(&self, code: SwizzleCode, span: Span) -> Diagnostic {
        let message = format!("a source cannot be read as `{}`", self.file.slice(span));
        let problem = Diagnostic::error(&UNSUPPORTED_SWIZZLE, message).at(span);
        let SwizzleCode::Listed(all) = code else { return problem };
        let all: Vec<String> = all.iter().map(|swizzle| swizzle_text(*swizzle)).collect();
        problem.help(format!("a source has {}", joined(&all, "and")))
    }
}

/// Four letters, of which the last repeats.
fn filled(letters: &str) -> String {
    let last = letters.chars().last().into_iter();
    letters.chars().chain(last.cycle()).take(letters.len().max(4)).collect()
}

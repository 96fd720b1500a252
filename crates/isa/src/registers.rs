//! Finding the register that a text names.

use crate::codes::*;
use crate::cursor::Failed;
use crate::describe::with_article;
use crate::files::{FileKind, NO_NAME, RegFile};
use crate::item::Named;
use crate::language::Language;
use crate::operand::{Operand, Reg};
use crate::parser::{Parser, list};
use crate::part::{Kind, Part};
use crate::printer::Printer;
use crate::syntax::{Case, Indexed, Name, Numbering, text};
use crate::token::TokenKind;
use gpuzoo_diag::{Diagnostic, Span, suggest};

/// A register and whether the address register is added, and the number that was written between brackets.
type Found = (Operand, Option<i64>);

impl Parser<'_> {
    /// The register of a name in a file, as a destination or as a source.
    pub(crate) fn find(&self, file: u8, word: &str, written: bool) -> Option<u16> {
        let syntax = self.syntax;
        let same = |name: &str| name == word || syntax.case == Case::Any && name.eq_ignore_ascii_case(word);
        let named = |name: &&Name| name.reg.file == file && name.writes == written && same(name.text);
        if let Some(name) = syntax.names.iter().find(named) {
            return Some(name.reg.index);
        }
        let description = &self.isa.files[file as usize];
        // An output that can be read has a name for it.
        let output = matches!(description.kind, FileKind::Output(_)) && !written;
        if output || syntax.indexed.iter().any(|index| index.file == file && !index.plain) {
            return None;
        }
        if !description.names.is_empty() {
            let at = description.names.iter().position(|name| same(name) && *name != NO_NAME);
            return at.map(|at| at as u16);
        }
        let prefixes = syntax.prefixes.iter().filter(|(of, _)| *of == file).map(|(_, prefix)| *prefix);
        let mut numbers =
            prefixes.chain([description.prefix]).filter_map(|prefix| syntax.number(prefix, word));
        self.counting(file).to_machine(numbers.next()?)
    }

    /// How the text counts the registers of a file.
    fn counting(&self, file: u8) -> Numbering {
        let greatest = i64::from(self.isa.files[file as usize].count) - 1;
        let machine = Numbering { file, name: "", offset: 0, least: 0, greatest };
        self.numbering.filter(|numbering| numbering.file == file).unwrap_or(machine)
    }

    /// The file that is written with brackets behind the word at the place.
    fn indexed(&self) -> Option<&'static Indexed> {
        let is = |index: &&Indexed| self.syntax.same(index.prefix, self.text());
        self.syntax.indexed.iter().find(is).filter(|_| self.token.kind == TokenKind::Word)
    }

    /// True at the prefix of a file that is written with brackets.
    pub(crate) fn opens(&self, file: u8) -> bool {
        self.indexed().is_some_and(|index| index.file == file)
    }

    /// A register that may be in a place of `of`, an instruction or a directive, and the part that it is.
    ///
    /// # Errors
    /// What is not one has been reported.
    pub fn register(
        &mut self,
        of: &str,
        place: &'static [Part],
        language: &mut dyn Language,
    ) -> Result<(&'static Part, Operand), Failed> {
        let start = self.token.start;
        let (part, (operand, number)) = match self.numbered_register(language)? {
            None => self.named_register(of, place)?,
            Some(found) => {
                let file = found.0.reg.file;
                // An output that can be read has a name for it.
                let output = matches!(self.isa.files[file as usize].kind, FileKind::Output(_));
                let part = place.iter().find(|part| part.may_be(file));
                match part.filter(|part| part.is_written() || !output) {
                    Some(part) => (part, found),
                    None => return self.wrong_file(of, place, found.0.reg, self.since(start)),
                }
            }
        };
        let span = self.since(start);
        language.check(self, &Named { operand, written: part.is_written(), number, span })?;
        if operand.relative && part.relative.is_none_or(|(_, file)| file != operand.reg.file) {
            let message = format!("`{}` of `{of}` cannot be relative to the address register", part.name);
            return self.fail(Diagnostic::error(&UNEXPECTED, message).at(span));
        }
        Ok((part, operand))
    }

    /// A register whose number is between brackets, or could be, or that the language reads itself.
    fn numbered_register(&mut self, language: &mut dyn Language) -> Result<Option<Found>, Failed> {
        let (word, start) = (self.text(), self.token.start);
        if let Some(index) = self.indexed() {
            self.advance();
            return self.between_brackets(index, language).map(Some);
        }
        let mut plain = self.syntax.indexed.iter().filter(|index| index.plain);
        let number = plain.find_map(|index| Some((index.file, self.syntax.number(index.prefix, word)?)));
        if let Some((file, number)) = number.filter(|_| self.token.kind == TokenKind::Word) {
            self.advance();
            let reg = self.numbered(file, number, false, self.since(start))?;
            return Ok(Some((Operand::of(reg), Some(number))));
        }
        let found = language.register(self).transpose()?;
        Ok(found.map(|reg| (Operand::of(reg), None)))
    }

    /// A register that is written by its name, or by its bare number.
    fn named_register(&mut self, of: &str, place: &'static [Part]) -> Result<(&'static Part, Found), Failed> {
        let word = self.text();
        let is_word = self.token.kind == TokenKind::Word;
        let written = place[0].is_written();
        let several = place.iter().flat_map(Part::writable).count() > 1;
        for (part, choice) in
            place.iter().flat_map(|part| part.choices.iter().map(move |choice| (part, choice)))
        {
            let Kind::Reg { file, map, bare } = choice.kind else { continue };
            let description = &self.isa.files[file as usize];
            if bare {
                if is_word && several {
                    continue;
                }
                let index = self.bounded(part, description.name, u64::from(description.count) - 1)? as u16;
                return Ok((part, (Operand::of(Reg { file, index }), None)));
            }
            let Some(index) = self.find(file, word, written) else { continue };
            // A number that an earlier choice has belongs to it: X260 is U4.
            let number = map.encode(index);
            let mut owners = part.choices.iter().filter_map(|owner| {
                let Kind::Reg { file, map, .. } = owner.kind else { return None };
                let same = owner.select == choice.select && owner.fields == choice.fields;
                let index = map.decode(number, self.isa.files[file as usize].count).filter(|_| same)?;
                Some((owner, Reg { file, index }))
            });
            let (choice, reg) = owners.next().unwrap_or((choice, Reg { file, index }));
            if !choice.writable {
                return self.wrong_file(of, place, reg, self.span());
            }
            self.advance();
            return Ok((part, (Operand::of(reg), None)));
        }
        let find = |file| self.find(file, word, true).or_else(|| self.find(file, word, false));
        match (0..self.isa.files.len() as u8).find_map(|file| Some(Reg { file, index: find(file)? })) {
            Some(reg) => self.wrong_file(of, place, reg, self.span()),
            None => {
                let (word, span) = self.word();
                self.not_a_register(of, place, word, span)
            }
        }
    }

    /// A register that cannot be in this place.
    fn wrong_file<T>(&mut self, of: &str, place: &[Part], reg: Reg, span: Span) -> Result<T, Failed> {
        let name = self.file.slice(span);
        let written = place[0].is_written();
        let (code, what) = if written { (&READ_ONLY, "written") } else { (&WRITE_ONLY, "read") };
        let cannot = |what| Diagnostic::error(code, format!("`{name}` cannot be {what}")).at(span);
        let problem = match self.isa.file(reg).kind {
            _ if self.isa.address == Some(reg) => {
                let by = self.writer(reg.file).unwrap_or_default();
                let help = format!("`{by}` writes it; it is added to the numbers of constants that are read");
                cannot(if written { "written here" } else { what }).help(help)
            }
            FileKind::Constant | FileKind::Input if written => cannot(what).help(self.isa.accepted(place)),
            FileKind::Output(_) if written => {
                let printer = Printer { isa: self.isa, syntax: self.syntax, numbering: None };
                let own = text(|out| printer.register(reg, false, true, out));
                cannot(what).fix(format!("it is a name of `{own}`"), span, own)
            }
            FileKind::Output(_) => {
                // Some outputs can be read, under another name.
                let other = self.syntax.names.iter().find(|name| name.reg == reg && !name.writes);
                let problem = cannot(what).help(self.isa.accepted(place));
                match other {
                    Some(other) => problem.fix(format!("it is read as `{}`", other.text), span, other.text),
                    None => problem,
                }
            }
            _ => return self.not_a_register(of, place, name, span),
        };
        self.fail(problem)
    }

    /// `[5]`, `[-38]`, `[OPOS]`, `[A0+5]`, `[5 + A0]` behind the prefix of a file; the 38 of `c-38`. The register, whether
    /// the address register is added, and the number that was written.
    fn between_brackets(&mut self, index: &Indexed, language: &mut dyn Language) -> Result<Found, Failed> {
        let start = self.previous_end - index.prefix.len();
        let what = with_article(self.isa.files[index.file as usize].name);
        let bracket = self.eat("[");
        if !(bracket || index.signed && self.is("-")) {
            return self.unexpected("`[`", &format!("{what} is written `{}[…]`", index.prefix));
        }
        let named = self.token.kind == TokenKind::Word || !index.numbers;
        if bracket && named && !self.at_address(index) {
            let reg = self.name_between(index)?;
            self.expect("]", "the name ends here")?;
            return Ok((Operand::of(reg), None));
        }
        if bracket && index.sums {
            return self.sum_between(index, start);
        }
        let mut relative = bracket && self.address_between(index)?;
        let minus = self.is("-");
        let sign = (index.signed || relative) && self.eat("-") || relative && self.eat("+");
        let mut number = None;
        let mut at = self.span();
        if sign || !relative || index.offset {
            if relative && !sign {
                return self.unexpected("`+`", "a number must follow the address register");
            }
            if !bracket {
                self.split_number();
            }
            at = self.span();
            let value = self.number(&format!("the number of {what}"), u64::from(u16::MAX))? as i64;
            number = Some(if minus { -value } else { value });
        }
        if bracket && !relative && self.eat("+") {
            relative = self.address_between(index)?;
            if !relative {
                return self
                    .unexpected(&format!("`{}`", index.address), "only the address register can be added");
            }
        }
        if bracket {
            self.expect("]", "the number ends here")?;
        }
        let place = if index.signed { self.since(start) } else { at };
        let own = number.and_then(|number| language.numbered(self, index.file, number, place));
        let reg = match own {
            Some(reg) => reg?,
            None => self.numbered(index.file, number.unwrap_or(0), relative, place)?,
        };
        Ok((Operand { relative, ..Operand::of(reg) }, number))
    }

    /// `1 + 2]`, `a0.x + 4*N - 1]`: products, of which the address register may be one.
    fn sum_between(&mut self, index: &Indexed, start: usize) -> Result<Found, Failed> {
        let (mut relative, mut number) = (false, None);
        let mut minus = self.eat("-");
        loop {
            if !minus && !relative && self.address_between(index)? {
                relative = true;
            } else {
                let product = i128::from(self.product()?);
                number = Some(number.unwrap_or(0i128) + if minus { -product } else { product });
            }
            minus = self.is("-");
            if !(minus || self.is("+")) {
                break;
            }
            self.advance();
        }
        self.expect("]", "the number ends here")?;
        let place = self.since(start);
        let number = number.map(|number| number.clamp(i64::MIN.into(), i64::MAX.into()) as i64);
        let reg = self.numbered(index.file, number.unwrap_or(0), relative, place)?;
        Ok((Operand { relative, ..Operand::of(reg) }, number))
    }

    fn name_between(&mut self, index: &Indexed) -> Result<Reg, Failed> {
        let (word, span) = (self.text(), self.span());
        let file = index.file;
        if index.names.is_empty() {
            let address = index.address;
            let or = if address.is_empty() { String::new() } else { format!(" or `{address}`") };
            let help = "the number of a register is between the brackets";
            return self.unexpected(&format!("a number{or}"), help);
        }
        if let Some((_, number)) = index.names.iter().find(|(name, _)| *name == word) {
            self.advance();
            return Ok(Reg { file, index: *number });
        }
        let what = self.isa.files[file as usize].name;
        let names = || index.names.iter().map(|(name, _)| *name);
        let letters = without_digits(word);
        let numbered = letters.len() < word.len() && names().any(|name| without_digits(name) == letters);
        let code = if numbered { &NO_SUCH_REGISTER } else { &EXPECTED_NAME };
        let problem = Diagnostic::error(code, format!("there is no {what} `{word}`"));
        let problem = problem.at(span).help(format!("{what}s are {}", list(names())));
        self.fail(match suggest::nearest(word, names()) {
            Some(near) if !numbered => problem.did_you_mean(near, span, near),
            _ => problem,
        })
    }

    fn at_address(&self, index: &Indexed) -> bool {
        let name = index.address.split('.').next().unwrap_or("");
        !name.is_empty() && self.text().eq_ignore_ascii_case(name) && self.syntax.case != Case::Upper
            || self.is(name)
    }

    /// Takes the address register, if it is there.
    fn address_between(&mut self, index: &Indexed) -> Result<bool, Failed> {
        if !self.at_address(index) {
            return Ok(false);
        }
        self.advance();
        let component = index.address.split_once('.').map(|(_, component)| component);
        let dot = self.token.kind == TokenKind::Directive || self.is(".");
        let letters = if dot { self.letters() } else { None };
        let same = match (component, &letters) {
            (None, None) => true,
            (Some(wanted), Some((found, _))) => found.eq_ignore_ascii_case(wanted),
            _ => false,
        };
        if same {
            return Ok(true);
        }
        let help = format!("the address register is written `{}`", index.address);
        match letters {
            Some((_, span)) => self.fail(Diagnostic::error(&UNEXPECTED, help).at(span)),
            None => self.unexpected(&format!("`.{}`", component.unwrap_or("x")), &help),
        }
    }

    /// The register of a number as the text counts them; of a relative one, any that lies in the file.
    ///
    /// # Errors
    /// There is none, which has been reported at `span`.
    pub fn numbered(&mut self, file: u8, number: i64, relative: bool, span: Span) -> Result<Reg, Failed> {
        let Numbering { name, offset, least, greatest, .. } = self.counting(file);
        let RegFile { name: what, count, .. } = self.isa.files[file as usize];
        let in_file = relative && (0..i64::from(count)).contains(&number.saturating_add(offset));
        if in_file || !relative && (least..=greatest).contains(&number) {
            return Ok(Reg { file, index: (number + offset) as u16 });
        }
        let greatest = greatest.min(i64::from(count) - 1 - offset);
        let problem = Diagnostic::error(&OUT_OF_RANGE, format!("there is no {what} {number}"));
        let problem = problem.label(span, format!("{what}s are {least} to {greatest}"));
        let counted = || format!("{what}s are counted as `{name}` does");
        self.fail(if name.is_empty() { problem } else { problem.note(counted()) })
    }

    fn not_a_register<T>(&mut self, of: &str, place: &[Part], word: &str, span: Span) -> Result<T, Failed> {
        let wanted = self.isa.wanted(place);
        if word.is_empty() {
            let problem = Diagnostic::error(&MISSING_OPERAND, format!("`{of}` needs {wanted}"));
            let problem = problem.label(self.here(), "expected here");
            return self.fail(problem.help(self.isa.accepted(place)));
        }
        let files = self.isa.files_in(place);
        let letters = without_digits(word);
        let same = |prefix: &str| self.syntax.same(prefix, letters);
        // `r99` where registers are r0 to r15, `oT9` where they are oT0 to oT3.
        let numbered = |file: &&&RegFile| match file.names {
            [] => same(file.prefix),
            names => names
                .iter()
                .map(|name| (*name, without_digits(name)))
                .any(|(name, own)| own.len() < name.len() && !own.is_empty() && same(own)),
        };
        if let Some(file) = files.iter().find(numbered).filter(|_| letters.len() < word.len()) {
            let what = if files.len() > 1 { "register" } else { file.name };
            let problem = Diagnostic::error(&NO_SUCH_REGISTER, format!("there is no {what} `{word}`"));
            let zeros = if file.names.is_empty() { ", without leading zeros" } else { "" };
            return self.fail(problem.at(span).help(format!("they are {}{zeros}", file.range())));
        }
        if files.is_empty() {
            return self.unexpected(&wanted, &format!("`{}` of `{of}` is {wanted}", place[0].name));
        }
        let all_named = files.iter().all(|file| !file.names.is_empty());
        let code = if all_named { &EXPECTED_NAME } else { &EXPECTED_REGISTER };
        let message =
            format!("`{}` of `{of}` must be {wanted}, found `{}`", place[0].name, word.escape_debug());
        let problem = Diagnostic::error(code, message).at(span).help(self.isa.accepted(place));
        let cases = [word.to_ascii_lowercase(), word.to_ascii_uppercase()];
        let same = cases.into_iter().find(|other| files.iter().any(|file| file.find(other).is_some()));
        let near = same.or_else(|| {
            let other = self.syntax.names.iter().filter(|name| name.writes == place[0].is_written());
            let names = files.iter().flat_map(|file| file.real_names()).chain(other.map(|name| name.text));
            suggest::nearest(word, names).map(str::to_owned)
        });
        self.fail(match near {
            Some(near) => problem.did_you_mean(&near, span, near.as_str()),
            None if word == "+" => problem.help("numbers have no plus sign").fix("leave it out", span, ""),
            None => problem,
        })
    }
}

/// What is before the digits that a name ends with.
fn without_digits(name: &str) -> &str {
    name.trim_end_matches(|digit: char| digit.is_ascii_digit())
}

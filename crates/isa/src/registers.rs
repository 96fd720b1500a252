//! Finding the register that a text names.

use crate::codes::*;
use crate::cursor::Failed;
use crate::describe::with_article;
use crate::isa::{FileKind, NO_NAME, RegFile};
use crate::lexer::TokenKind;
use crate::operand::{Operand, Reg};
use crate::parser::{Language, Parser, list};
use crate::part::{Choice, Kind, Part};
use crate::syntax::{Case, Indexed, Name};
use gpuzoo_diag::{Diagnostic, Span, suggest};

/// A register, the part of its place that it is, and the number that was written between brackets.
type Found = (&'static Part, Operand, Option<i64>);

/// True for digits without leading zeros.
fn is_plain(digits: &str) -> bool {
    let plain = digits == "0" || !digits.starts_with('0');
    plain && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

impl Parser<'_> {
    /// The register of a name in a file, as a destination or as a source.
    pub(crate) fn find(&self, file: u8, word: &str, written: bool) -> Option<u16> {
        let syntax = self.syntax;
        let same = |name: &str| name == word || syntax.case == Case::Any && name.eq_ignore_ascii_case(word);
        let fits = |name: &&Name| name.reg.file == file && if written { name.writes } else { name.reads };
        if let Some(name) = syntax.names.iter().filter(fits).find(|name| same(name.text)) {
            return Some(name.reg.index);
        }
        let description = &self.isa.files[file as usize];
        // An output that can be read has a name for it.
        let output = matches!(description.kind, FileKind::Output(_)) && !written;
        if output || syntax.indexed.iter().any(|index| index.file == file && !index.plain) {
            return None;
        }
        if !description.names.is_empty() {
            let at = description.names.iter().position(|name| same(name) && *name != NO_NAME)?;
            return Some(at as u16);
        }
        let prefixes = syntax.prefixes.iter().filter(|(of, _)| *of == file).map(|(_, prefix)| *prefix);
        prefixes.chain([description.prefix]).find_map(|prefix| {
            let digits = syntax.behind(prefix, word)?;
            match self.numbering.filter(|numbering| numbering.file == file) {
                Some(numbering) => {
                    numbering.to_machine(Some(digits).filter(|digits| is_plain(digits))?.parse().ok()?)
                }
                None => description.number(digits),
            }
        })
    }

    /// True at the prefix of a file that is written with brackets.
    pub(crate) fn opens(&self, file: u8) -> bool {
        self.syntax.indexed.iter().any(|index| index.file == file && self.is_prefix(index))
    }

    /// The file and the number of `c5`, where brackets are not needed.
    fn plain_number(&self, word: &str) -> Option<(&'static Indexed, i64)> {
        let syntax = self.syntax;
        syntax.indexed.iter().filter(|index| index.plain).find_map(|index| {
            let digits = syntax.behind(index.prefix, word).filter(|digits| is_plain(digits))?;
            Some((index, digits.parse().unwrap_or(i64::from(u16::MAX))))
        })
    }

    /// A register that was read from `start` on, with the part of the place that it is.
    fn in_place(
        &mut self,
        of: &str,
        place: &'static [Part],
        operand: Operand,
        number: Option<i64>,
        start: usize,
    ) -> Result<Found, Failed> {
        let file = operand.reg.file;
        // An output that can be read has a name for it.
        let output = matches!(self.isa.files[file as usize].kind, FileKind::Output(_));
        let part = place.iter().find(|part| part.may_be(file));
        match part.filter(|part| part.is_written() || !output) {
            Some(part) => Ok((part, operand, number)),
            None => self.wrong_file(of, place, operand.reg, self.since(start)),
        }
    }

    fn is_prefix(&self, index: &Indexed) -> bool {
        self.syntax.same(index.prefix, self.text())
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
        let (part, operand, number) = self.unchecked_register(of, place, language)?;
        let span = self.since(start);
        language.check(self, &operand, part.is_written(), number, span)?;
        let can_be_relative = part.relative.is_some_and(|(_, file)| file == operand.reg.file);
        if operand.relative && !can_be_relative {
            let message = format!("`{}` of `{of}` cannot be relative to the address register", part.name);
            return self.fail(Diagnostic::error(&UNEXPECTED, message).at(span));
        }
        Ok((part, operand))
    }

    fn unchecked_register(
        &mut self,
        of: &str,
        place: &'static [Part],
        language: &mut dyn Language,
    ) -> Result<Found, Failed> {
        let word = self.text();
        let is_word = self.token.kind == TokenKind::Word;
        let written = place[0].is_written();
        let whole = |reg: Reg| Operand { reg, ..Operand::default() };
        let several = place.iter().flat_map(Part::writable).count() > 1;
        let start = self.token.start;
        if let Some(index) = self.syntax.indexed.iter().find(|index| is_word && self.is_prefix(index)) {
            self.advance();
            let (reg, relative, number) = self.between_brackets(index)?;
            let operand = Operand { relative, ..whole(reg) };
            return self.in_place(of, place, operand, number, start);
        }
        if let Some((index, number)) = self.plain_number(word).filter(|_| is_word) {
            self.advance();
            let reg = self.numbered(index.file, number, false, self.since(start))?;
            return self.in_place(of, place, whole(reg), Some(number), start);
        }
        if let Some(found) = language.register(self) {
            return self.in_place(of, place, whole(found?), None, start);
        }
        for part in place {
            for choice in part.choices {
                let Kind::Reg { file, map, bare } = choice.kind else { continue };
                let description = &self.isa.files[file as usize];
                if bare {
                    if is_word && several {
                        continue;
                    }
                    let most = u64::from(description.count) - 1;
                    let index = self.bounded(part, description.name, most)? as u16;
                    return Ok((part, whole(Reg { file, index }), None));
                }
                let Some(index) = self.find(file, word, written).filter(|_| is_word) else { continue };
                // A number that an earlier choice has belongs to it: X260 is U4.
                let number = map.encode(index);
                let reg = part.choices.iter().find_map(|earlier| {
                    let Kind::Reg { file, map, .. } = earlier.kind else { return None };
                    let same = earlier.select == choice.select && earlier.fields == choice.fields;
                    let index = map.decode(number, self.isa.files[file as usize].count).filter(|_| same)?;
                    Some((earlier, Reg { file, index }))
                });
                let (choice, reg) = reg.unwrap_or((choice, Reg { file, index }));
                if !choice.writable {
                    return self.wrong_file(of, place, reg, self.span());
                }
                self.advance();
                return Ok((part, whole(reg), None));
            }
        }
        let other = || {
            let files = 0..self.isa.files.len() as u8;
            let find = |file| self.find(file, word, true).or_else(|| self.find(file, word, false));
            files.into_iter().find_map(|file| Some(Reg { file, index: find(file)? }))
        };
        match other().filter(|_| is_word) {
            Some(reg) => self.wrong_file(of, place, reg, self.span()),
            None => {
                let (word, span) = self.word();
                self.not_a_register(of, place, word, span)
            }
        }
    }

    /// A register that cannot be in this place.
    fn wrong_file<T>(&mut self, of: &str, place: &[Part], reg: Reg, span: Span) -> Result<T, Failed> {
        let name = self.file.slice(span).to_owned();
        let written = place[0].is_written();
        let cannot = |code, what| Diagnostic::error(code, format!("`{name}` cannot be {what}")).at(span);
        let problem = match self.isa.file(reg).kind {
            _ if self.isa.address == Some(reg) => {
                let writes =
                    |parts: &[Part]| parts.iter().any(|part| part.is_written() && part.may_be(reg.file));
                let form = self.syntax.forms.iter().find(|form| writes(form.parts));
                let row = || self.isa.ops().find(|op| writes(op.parts)).map(|op| self.shown(op));
                let by = form.map(|form| form.name.to_owned()).or_else(row).unwrap_or_default();
                let help = format!("`{by}` writes it; it is added to the numbers of constants that are read");
                cannot(
                    if written { &READ_ONLY } else { &WRITE_ONLY },
                    if written { "written here" } else { "read" },
                )
                .help(help)
            }
            FileKind::Constant | FileKind::Input if written => {
                cannot(&READ_ONLY, "written").help(self.isa.accepted(place))
            }
            FileKind::Output(_) if written => {
                let own = self.isa.reg_name(reg);
                let title = format!("it is a name of `{own}`");
                cannot(&READ_ONLY, "written").fix(title, span, own)
            }
            FileKind::Output(_) => {
                // Some outputs can be read, under another name.
                let other = self.syntax.names.iter().find(|name| name.reg == reg && name.reads);
                let problem = cannot(&WRITE_ONLY, "read").help(self.isa.accepted(place));
                match other {
                    Some(other) => problem.fix(format!("it is read as `{}`", other.text), span, other.text),
                    None => problem,
                }
            }
            _ => return self.not_a_register(of, place, &name, span),
        };
        self.fail(problem)
    }

    /// `[5]`, `[-38]`, `[OPOS]`, `[A0+5]`, `[5 + A0]` behind the prefix of a file; the 38 of `c-38`. The register, whether
    /// the address register is added, and the number that was written.
    fn between_brackets(&mut self, index: &Indexed) -> Result<(Reg, bool, Option<i64>), Failed> {
        let start = self.previous_end - index.prefix.len();
        let what = with_article(self.isa.files[index.file as usize].name);
        let example = format!("{what} is written `{}[…]`", index.prefix);
        let bracket = self.eat("[");
        if !(bracket || index.signed && self.is("-")) {
            return self.unexpected("`[`", &example);
        }
        let named = self.token.kind == TokenKind::Word || !index.numbers;
        if bracket && named && !self.at_address(index) {
            let reg = self.name_between(index)?;
            self.expect("]", "the name ends here")?;
            return Ok((reg, false, None));
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
                let wanted = format!("`{}`", index.address);
                return self.unexpected(&wanted, "only the address register can be added");
            }
        }
        if bracket {
            self.expect("]", "the number ends here")?;
        }
        let place = if index.signed { self.since(start) } else { at };
        let reg = self.numbered(index.file, number.unwrap_or(0), relative, place)?;
        Ok((reg, relative, number))
    }

    fn name_between(&mut self, index: &Indexed) -> Result<Reg, Failed> {
        let (word, span) = (self.text(), self.span());
        let file = index.file;
        if index.names.is_empty() {
            let address = index.address;
            let wanted =
                if address.is_empty() { "a number".to_owned() } else { format!("a number or `{address}`") };
            return self.unexpected(&wanted, "the number of a register is between the brackets");
        }
        if let Some((_, number)) = index.names.iter().find(|(name, _)| *name == word) {
            self.advance();
            return Ok(Reg { file, index: *number });
        }
        let what = self.isa.files[file as usize].name;
        let names = || index.names.iter().map(|(name, _)| *name);
        let letters = word.trim_end_matches(|digit: char| digit.is_ascii_digit());
        let numbered = letters.len() < word.len()
            && names().any(|name| name.trim_end_matches(|digit: char| digit.is_ascii_digit()) == letters);
        let code = if numbered { &NO_SUCH_REGISTER } else { &EXPECTED_NAME };
        let problem = Diagnostic::error(code, format!("there is no {what} `{word}`"));
        let problem = problem.at(span).help(format!("{what}s are {}", list(names())));
        self.fail(match suggest::nearest(word, names()) {
            Some(near) if !numbered => problem.fix(format!("did you mean `{near}`?"), span, near),
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
        if let Some((_, span)) = letters {
            let problem = Diagnostic::error(&UNEXPECTED, help).at(span);
            return self.fail(problem);
        }
        self.unexpected(&format!("`.{}`", component.unwrap_or("x")), &help)
    }

    /// The register of a number as the text counts them; of a relative one, any that lies in the file.
    ///
    /// # Errors
    /// There is none, which has been reported at `span`.
    pub fn numbered(&mut self, file: u8, number: i64, relative: bool, span: Span) -> Result<Reg, Failed> {
        let description = &self.isa.files[file as usize];
        let numbering = self.numbering.filter(|numbering| numbering.file == file);
        let count = i64::from(description.count);
        let (offset, least, greatest) = numbering
            .map_or((0, 0, count - 1), |numbering| (numbering.offset, numbering.least, numbering.greatest));
        let fits = if relative {
            (0..count).contains(&(number + offset))
        } else {
            (least..=greatest).contains(&number)
        };
        if fits {
            return Ok(Reg { file, index: (number + offset) as u16 });
        }
        let what = description.name;
        let problem = Diagnostic::error(&OUT_OF_RANGE, format!("there is no {what} {number}"));
        let problem = problem.label(span, format!("{what}s are {least} to {greatest}"));
        self.fail(match numbering {
            Some(numbering) => problem.note(format!("{what}s are counted as `{}` does", numbering.name)),
            None => problem,
        })
    }

    fn not_a_register<T>(&mut self, of: &str, place: &[Part], word: &str, span: Span) -> Result<T, Failed> {
        if word.is_empty() {
            let message = format!("`{of}` needs {}", self.isa.wanted(place));
            let problem = Diagnostic::error(&MISSING_OPERAND, message).label(self.here(), "expected here");
            let problem = problem.help(self.isa.accepted(place));
            return self.fail(problem);
        }
        let choices = || place.iter().flat_map(Part::writable);
        let files = || choices().filter_map(Choice::file).map(|file| &self.isa.files[file as usize]);
        let digits = word.trim_start_matches(|letter: char| !letter.is_ascii_digit());
        let letters = &word[..word.len() - digits.len()];
        let same = |prefix: &str| self.syntax.same(prefix, letters);
        let all_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        // `r99` where registers are r0 to r15, `oT9` where they are oT0 to oT3.
        let numbered = |file: &&RegFile| match file.names {
            [] => same(file.prefix),
            names => names.iter().any(|name| {
                let own = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
                own.len() < name.len() && !own.is_empty() && same(own)
            }),
        };
        if let Some(file) = files().find(|file| all_digits && numbered(file)) {
            let several = files().count() > 1;
            let what = if several { "register" } else { file.name };
            let problem = Diagnostic::error(&NO_SUCH_REGISTER, format!("there is no {what} `{word}`"));
            let zeros = if file.names.is_empty() { ", without leading zeros" } else { "" };
            return self.fail(problem.at(span).help(format!("they are {}{zeros}", file.range())));
        }
        let wanted = self.isa.wanted(place);
        if files().next().is_none() {
            return self.unexpected(&wanted, &format!("`{}` of `{of}` is {wanted}", place[0].name));
        }
        let all_named = files().all(|file| !file.names.is_empty());
        let code = if all_named { &EXPECTED_NAME } else { &EXPECTED_REGISTER };
        let shown = word.escape_debug();
        let message = format!("`{}` of `{of}` must be {wanted}, found `{shown}`", place[0].name);
        let problem = Diagnostic::error(code, message).at(span).help(self.isa.accepted(place));
        let cases = [word.to_ascii_lowercase(), word.to_ascii_uppercase()];
        let same = cases.into_iter().find(|other| files().any(|file| file.find(other).is_some()));
        let near = same.or_else(|| {
            let written = place[0].is_written();
            let fits = |name: &&Name| if written { name.writes } else { name.reads };
            let other = self.syntax.names.iter().filter(fits).map(|name| name.text);
            let names: Vec<&str> = files().flat_map(RegFile::real_names).chain(other).collect();
            suggest::nearest(word, names).map(str::to_owned)
        });
        let problem = match near {
            Some(near) => problem.fix(format!("did you mean `{near}`?"), span, near),
            None if word == "+" => problem.help("numbers have no plus sign").fix("leave it out", span, ""),
            None => problem,
        };
        self.fail(problem)
    }
}

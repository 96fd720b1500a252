//! From text to slots (spec section F).

use crate::encoding::{ORDERS, UNITS, broadcast, is_scalar, is_unit, of_number};
use crate::immediate::{self, LiteralError};
use crate::limits::Limits;
use crate::regs::{self, P, R, U, X};
use crate::rules::*;
use crate::syntax::{FRAGMENT, LIMITS, SYNTAX, VERTEX};
use crate::{ISA, arb};
use gpuzoo_diag::{Diagnostic, Edit, File, Fix, MAX_SOURCE_BYTES, Severity, Span, suggest};
use gpuzoo_isa::codes::*;
use gpuzoo_isa::number::integer;
use gpuzoo_isa::{
    Bits, Inst, Lexer, MAX_ERRORS, MAX_OPERANDS, Mask, Op, Operand, Part, Reg, Role, Slot, Stage, Swizzle,
    Token, TokenKind, lane, list,
};

/// What a text says.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// The slots, in order. An instruction with an error has none.
    pub slots: Vec<Slot>,
    /// The stage, if it says so.
    pub stage: Option<(Stage, Span)>,
    /// The limits that it asks to be held to.
    pub limits: Vec<(&'static Limits, Span)>,
    /// What is wrong.
    pub problems: Vec<Diagnostic>,
}

/// A failed part; the problem has been reported.
struct Failed;

/// Reads a text. Never fails: what cannot be read is reported and skipped.
pub fn read(file: &File) -> Listing {
    let mut listing = Listing::default();
    let size = file.text().len();
    if size > MAX_SOURCE_BYTES {
        let problem = Diagnostic::error(&SOURCE_TOO_LARGE, format!("the source has {size} bytes"));
        listing.problems.push(problem.label(file.span(0..0), "").help("a source may have up to 64 MiB"));
        return listing;
    }
    let mut lexer = Lexer::new(file.text(), &SYNTAX);
    let token = lexer.next_token();
    let mut reader =
        Reader { file, lexer, token, previous_end: 0, statement: 0, spare: None, listing, errors: 0 };
    reader.run();
    reader.listing
}

struct Reader<'a> {
    file: &'a File,
    lexer: Lexer<'a>,
    token: Token,
    /// Where the token before ends.
    previous_end: usize,
    /// Where the statement begins.
    statement: usize,
    /// A temporary that the text does not name, once it has been looked for.
    spare: Option<u16>,
    listing: Listing,
    /// How many of the problems are errors: of notes there may be one for each number.
    errors: usize,
}

impl<'a> Reader<'a> {
    fn run(&mut self) {
        while self.token.kind != TokenKind::End {
            if self.errors >= MAX_ERRORS {
                let problem = Diagnostic::error(&TOO_MANY_ERRORS, "too many errors; the rest was not read");
                self.report(problem.label(self.span(), "reading stopped here"));
                return;
            }
            self.statement = self.token.start;
            if self.eat(";") {
                continue;
            }
            if self.statement().and_then(|()| self.end()).is_err() {
                self.recover();
            }
        }
    }

    fn text(&self) -> &'a str {
        &self.file.text()[self.token.start..self.token.end]
    }

    fn span(&self) -> Span {
        self.file.span(self.token.start..self.token.end)
    }

    /// From `start` to the end of the token before.
    fn since(&self, start: usize) -> Span {
        self.file.span(start..self.previous_end.max(start))
    }

    fn advance(&mut self) {
        self.previous_end = self.token.end;
        self.token = self.lexer.next_token();
    }

    fn eat(&mut self, text: &str) -> bool {
        let is = self.token.kind != TokenKind::End && self.text() == text;
        if is {
            self.advance();
        }
        is
    }

    /// True if nothing stands between the token and the one before.
    fn adjacent(&self) -> bool {
        self.token.start == self.previous_end && self.token.kind != TokenKind::End
    }

    fn report(&mut self, problem: Diagnostic) {
        self.errors += usize::from(problem.severity == Severity::Error);
        self.listing.problems.push(problem);
    }

    fn fail<T>(&mut self, problem: Diagnostic) -> Result<T, Failed> {
        self.report(problem);
        Err(Failed)
    }

    /// Something else stands where `wanted` was expected.
    fn unexpected<T>(&mut self, wanted: &str, help: &str) -> Result<T, Failed> {
        let end = self.token.kind == TokenKind::End;
        let found =
            if end { "the end of the text".into() } else { format!("`{}`", self.text().escape_debug()) };
        let span = if end { self.file.span(self.previous_end..self.previous_end) } else { self.span() };
        let problem = Diagnostic::error(&UNEXPECTED, format!("expected {wanted}, found {found}"));
        self.fail(problem.label(span, "").help(help))
    }

    /// To the end of the statement, but at least one token on.
    fn recover(&mut self) {
        if self.token.start == self.statement {
            self.advance();
        }
        while !(self.token.kind == TokenKind::End || self.token.first || self.text() == ";") {
            self.advance();
        }
    }

    /// The end of a statement.
    fn end(&mut self) -> Result<(), Failed> {
        if self.eat(";") || self.token.first || self.token.kind == TokenKind::End {
            return Ok(());
        }
        if self.text() == "," {
            let problem = Diagnostic::error(&TOO_MANY_OPERANDS, "the instruction takes no further operand");
            let span = self.span();
            return self.fail(problem.label(span, "one too many"));
        }
        self.unexpected("`;` or the end of the line", "a statement ends with its line or with a semicolon")
    }

    fn statement(&mut self) -> Result<(), Failed> {
        match self.token.kind {
            TokenKind::Word => self.instruction(),
            TokenKind::Directive => self.directive(),
            _ if self.file.text()[self.token.start..].starts_with("!!") => {
                let problem = Diagnostic::error(&NOT_HERE, "a text has no header");
                let problem = problem.label(self.span(), "").help(
                    "`.vertex` or `.fragment` says what a program is for; registers have their numbers for names",
                );
                self.fail(problem)
            }
            _ => self.unexpected("an instruction", "an instruction begins with its name, in capitals"),
        }
    }

    fn instruction(&mut self) -> Result<(), Failed> {
        let mnemonic = self.span();
        let Some(op) = ISA.op(self.text()) else { return self.unknown() };
        self.advance();
        let mut inst = Inst { op, operands: [Operand::default(); MAX_OPERANDS] };
        for (index, part) in op.format.parts.iter().enumerate() {
            if index > 0 {
                self.comma(op, part, mnemonic)?;
            }
            if self.token.kind == TokenKind::End || self.token.first && self.begins_statement() {
                return self.missing(op, part, mnemonic);
            }
            inst.operands[part.operand as usize] = match part.role {
                Role::Write => self.destination(op)?,
                _ if is_unit(part) => self.unit(op)?,
                _ => self.source(op, part)?,
            };
        }
        let span = self.since(self.statement);
        self.listing.slots.push(Slot { bits: ISA.encode(&inst), inst: Some(inst), paired: None, span });
        Ok(())
    }

    fn begins_statement(&self) -> bool {
        self.token.kind == TokenKind::Directive || ISA.op(self.text()).is_some()
    }

    fn comma(&mut self, op: &Op, part: &Part, mnemonic: Span) -> Result<(), Failed> {
        if self.eat(",") {
            return Ok(());
        }
        if self.token.kind == TokenKind::End || self.token.first || self.text() == ";" {
            return self.missing(op, part, mnemonic);
        }
        let at = self.file.span(self.previous_end..self.previous_end);
        let message = format!("expected `,` before `{}` of `{}`", part.name, op.name);
        let problem = Diagnostic::error(&UNEXPECTED, message).label(self.span(), "");
        self.fail(problem.fix("write a comma", at, ","))
    }

    fn missing(&mut self, op: &Op, part: &Part, mnemonic: Span) -> Result<(), Failed> {
        let at = self.file.span(self.previous_end..self.previous_end);
        let problem = Diagnostic::error(&MISSING_OPERAND, format!("`{}` needs `{}`", op.name, part.name));
        let problem = problem.label(at, "expected here").label(mnemonic, "of this instruction");
        self.fail(problem.help(format!("it is written `{}`", usage(op))))
    }

    fn unknown(&mut self) -> Result<(), Failed> {
        let (word, span) = (self.text(), self.span());
        let names = || ISA.ops.iter().map(|op| op.name);
        if let Some(help) = arb::replacement(word) {
            let problem = Diagnostic::error(&NOT_HERE, format!("there is no `{word}` here"));
            return self.fail(problem.label(span, "").help(help));
        }
        let problem = Diagnostic::error(&UNKNOWN_MNEMONIC, format!("there is no instruction `{word}`"));
        let problem = problem.label(span, "not a mnemonic");
        let capitals = names().find(|name| name.eq_ignore_ascii_case(word));
        self.fail(match capitals.or_else(|| suggest::nearest(word, names())) {
            Some(near) => problem.fix(format!("did you mean `{near}`?"), span, near),
            None => problem.help(format!("instructions are {}", list(names()))),
        })
    }

    /// The register of a name, with the address of an unnamed one: `R3`, `P9`, `S9`, `U4`, `X40`.
    fn register(&mut self, op: &Op, what: &str) -> Result<Reg, Failed> {
        let (word, span) = (self.text(), self.span());
        let files = [("R", R), ("P", P), ("S", P), ("U", U), ("X", X)];
        let named = files.iter().find_map(|(prefix, file)| Some((*file, word.strip_prefix(prefix)?)));
        let digits = |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
        let named = named.filter(|(_, rest)| self.token.kind == TokenKind::Word && digits(rest));
        let Some((file, number)) = named else {
            let message =
                format!("`{what}` of `{}` must be a register, found `{}`", op.name, word.escape_debug());
            let problem = Diagnostic::error(&EXPECTED_REGISTER, message).label(span, "");
            let upper = word.to_ascii_uppercase();
            return self.fail(match upper.split_at_checked(1) {
                Some((first, rest)) if "RPSUX".contains(first) && digits(rest) => {
                    problem.fix("names are in capitals", span, upper)
                }
                _ => problem.help("registers are R0 to R31, P0 to P31 and U0 to U127"),
            });
        };
        let count = ISA.files[file as usize].count;
        let plain = number == "0" || !number.starts_with('0');
        match number.parse::<u16>() {
            Ok(index) if index < count && plain => {
                self.advance();
                Ok(if file == X { regs::at(index) } else { Reg { file, index } })
            }
            _ => {
                let problem = Diagnostic::error(&NO_SUCH_REGISTER, format!("there is no register `{word}`"));
                let prefix = &word[..1];
                let help = format!("they are {prefix}0 to {prefix}{}, without leading zeros", count - 1);
                self.fail(problem.label(span, "").help(help))
            }
        }
    }

    /// What follows a dot that sticks to a register; `_` is one of the letters.
    fn letters(&mut self) -> Result<Option<(&'a str, Span)>, Failed> {
        if !self.adjacent() {
            return Ok(None);
        }
        let start = self.token.start;
        if self.token.kind == TokenKind::Directive {
            self.advance();
        } else if self.eat(".") {
            if !(self.adjacent() && self.token.kind == TokenKind::Word) {
                return self.unexpected("lanes behind the dot", "write `R0.xyz` without blanks");
            }
            self.advance();
        } else {
            return Ok(None);
        }
        Ok(Some((&self.file.text()[start + 1..self.previous_end], self.since(start))))
    }

    fn destination(&mut self, op: &Op) -> Result<Operand, Failed> {
        if self.eat("_") {
            return Ok(Operand { mask: Mask(0), ..of_number(0) });
        }
        let start = self.token.start;
        let reg = self.register(op, "dst")?;
        if reg.file == U {
            let message = format!("{} cannot be written", ISA.reg_name(reg));
            let problem = Diagnostic::error(&READ_ONLY, message).label(self.since(start), "");
            return self.fail(problem.help("write a temporary, R0 to R31, or a shared register, P0 to P31"));
        }
        let mask = match self.letters()? {
            None => Mask::ALL,
            Some(("_", _)) => Mask(0),
            Some((letters, span)) => self.mask(letters, span)?,
        };
        Ok(Operand { reg, mask, ..Operand::default() })
    }

    fn mask(&mut self, letters: &str, span: Span) -> Result<Mask, Failed> {
        let mut mask = 0u8;
        for letter in letters.bytes() {
            match lane(letter) {
                // In order and none twice: each lane is above all before it.
                Some(lane) if mask >> lane == 0 => mask |= 1 << lane,
                _ => {
                    let problem = Diagnostic::error(&BAD_MASK, format!("`.{letters}` is not a write mask"));
                    return self
                        .fail(problem.label(span, "").help("letters of xyzw in order, or `_` for none"));
                }
            }
        }
        Ok(Mask(mask))
    }

    fn unit(&mut self, op: &Op) -> Result<Operand, Failed> {
        let (word, span) = (self.text(), self.span());
        let number = word.strip_prefix('T').and_then(|digit| digit.parse::<usize>().ok());
        match number.and_then(|number| UNITS.get(number)) {
            Some(field) if word.len() == 2 => {
                self.advance();
                Ok(of_number(*field))
            }
            _ => {
                let message =
                    format!("`unit` of `{}` must be T0 to T3, found `{}`", op.name, word.escape_debug());
                self.fail(Diagnostic::error(&TEXTURE_UNIT, message).label(span, ""))
            }
        }
    }

    fn source(&mut self, op: &Op, part: &Part) -> Result<Operand, Failed> {
        let start = self.token.start;
        let negate = self.eat("-");
        let is_number = self.token.kind == TokenKind::Number || self.text() == ".";
        if is_number || matches!(self.text(), "inf" | "nan") {
            return self.number(negate, start);
        }
        let at = self.token.start;
        let reg = self.register(op, part.name)?;
        let name = self.since(at);
        let swizzle = match self.letters()? {
            None => Swizzle::IDENTITY,
            Some((letters, span)) => self.swizzle(letters, span, reg, self.since(at))?,
        };
        let lanes = swizzle.lanes();
        if is_scalar(part) && lanes != [lanes[0]; 4] {
            let message = format!("`{}` of `{}` must be one lane", part.name, op.name);
            let problem = Diagnostic::error(&NEEDS_ONE_LANE, message).label(self.since(at), "");
            let fixed = format!("{}.{}", self.file.slice(name), gpuzoo_isa::LANES[lanes[0] as usize & 3]);
            return self.fail(problem.fix("name it", self.since(at), fixed));
        }
        Ok(Operand { reg, swizzle, negate, ..Operand::default() })
    }

    fn swizzle(&mut self, letters: &str, span: Span, reg: Reg, whole: Span) -> Result<Swizzle, Failed> {
        if let [letter] = letters.as_bytes()
            && let Some(lane) = lane(*letter)
        {
            return Ok(broadcast(lane));
        }
        let Some(swizzle) = Swizzle::from_letters(letters) else {
            let problem = Diagnostic::error(&BAD_SWIZZLE, format!("`.{letters}` is not a swizzle"));
            let help = "x, y, z, w, xyzw, yzxw, zxyw or zwxy, or the same with rgba";
            return self.fail(problem.label(span, "").help(help));
        };
        if ORDERS.contains(&swizzle) {
            return Ok(swizzle);
        }
        let problem =
            Diagnostic::error(&UNSUPPORTED_SWIZZLE, format!("a source cannot be read as `.{letters}`"));
        let problem = problem.label(span, "").help("a source has x, y, z, w, xyzw, yzxw, zxyw or zwxy");
        let lanes = swizzle.lanes();
        if lanes == [lanes[0]; 4] {
            let one = format!(".{}", gpuzoo_isa::LANES[lanes[0] as usize & 3]);
            return self.fail(problem.fix("one letter is one lane for all", span, one));
        }
        let problem = match self.spare() {
            None => problem,
            Some(spare) => {
                let place = self.file.span(self.statement..self.statement);
                let moves = moves(spare, reg, swizzle);
                let edits = vec![
                    Edit { span: place, text: moves.clone() },
                    Edit { span: whole, text: format!("R{spare}") },
                ];
                let mut problem = problem.help(format!("copy it in parts: `{}`", moves.trim_end()));
                problem.fixes.push(Fix { title: format!("copy it to R{spare} first"), edits });
                problem
            }
        };
        self.fail(problem)
    }

    /// A temporary that the text does not name.
    fn spare(&mut self) -> Option<u16> {
        if self.spare.is_none() {
            let mut named = [false; 32];
            let words = self.file.text().split(|letter: char| !letter.is_ascii_alphanumeric());
            for word in words {
                let number = word.strip_prefix('R').and_then(|number| number.parse::<usize>().ok());
                if let Some(named) = number.and_then(|number| named.get_mut(number)) {
                    *named = true;
                }
            }
            // 32 stands for none.
            self.spare = Some((0..32u16).rev().find(|index| !named[usize::from(*index)]).unwrap_or(32));
        }
        self.spare.filter(|index| *index < 32)
    }

    /// A number, whose sign has been read and began at `start`.
    fn number(&mut self, negate: bool, start: usize) -> Result<Operand, Failed> {
        let at = self.token.start;
        let dot = self.eat(".");
        if !dot || self.token.kind == TokenKind::Number && self.adjacent() {
            self.advance();
        }
        // The lexer ends a number before the sign of its exponent.
        let ends_open = self.file.text()[at..self.previous_end].ends_with(['e', 'E']);
        if ends_open && self.adjacent() && matches!(self.text(), "+" | "-") {
            self.advance();
            if self.adjacent() && self.token.kind == TokenKind::Number {
                self.advance();
            }
        }
        let text = &self.file.text()[at..self.previous_end];
        let whole = self.since(start);
        let shown = format!("{}{}", if negate { "-" } else { "" }, clip(text));
        if self.adjacent() && self.token.kind == TokenKind::Directive {
            let problem = Diagnostic::error(&BAD_LITERAL, "a number has no lanes").label(self.span(), "");
            return self.fail(problem.help("it is the same in all four").fix(
                "leave them out",
                self.span(),
                "",
            ));
        }
        let sign = if negate { immediate::SIGN } else { 0 };
        match (text, immediate::from_text(text)) {
            ("inf", _) => Ok(of_number(immediate::INFINITY | sign)),
            ("nan", _) if !negate => Ok(of_number(immediate::NAN)),
            (_, Ok(rounded)) => {
                let field = rounded.field | sign;
                if !rounded.exact {
                    self.inexact(&shown, field, whole);
                }
                Ok(of_number(field))
            }
            (_, Err(LiteralError::TooLarge)) => {
                let problem = Diagnostic::error(&LITERAL_TOO_LARGE, format!("{shown} is too large"));
                self.fail(problem.label(whole, "at most 65280").help("a uniform holds it; infinity is `inf`"))
            }
            (_, Err(LiteralError::Malformed)) => {
                let problem = Diagnostic::error(&BAD_LITERAL, format!("`{shown}` is not a number"));
                self.fail(
                    problem.label(whole, "").help("numbers are decimal: `2`, `0.5`, `1e-3`, `inf`, `nan`"),
                )
            }
        }
    }

    fn inexact(&mut self, shown: &str, field: u16, span: Span) {
        let stored = immediate::text(field).unwrap_or_default();
        let problem = match field & !immediate::SIGN {
            0 => Diagnostic::warning(&UNDERFLOW, format!("{shown} is stored as {stored}")),
            _ => Diagnostic::new(Severity::Note, &INEXACT, format!("{shown} is stored as {stored}")),
        };
        self.report(problem.label(span, "").help("a uniform holds it exactly"));
    }

    fn directive(&mut self) -> Result<(), Failed> {
        let (name, span) = (self.text(), self.span());
        self.advance();
        match name {
            ".word" => self.word(),
            VERTEX | FRAGMENT => {
                let stage = if name == VERTEX { Stage::Vertex } else { Stage::Fragment };
                if let Some((_, first)) = self.listing.stage.replace((stage, span)) {
                    let problem = Diagnostic::error(&DIRECTIVE_TWICE, "the stage has been said before");
                    return self.fail(problem.label(span, "").label(first, "first said here"));
                }
                Ok(())
            }
            LIMITS => match Limits::find(self.text()) {
                Some(limits) if !self.token.first => {
                    self.advance();
                    let place = self.since(self.statement);
                    // Asked for twice, they are still one check.
                    if !self.listing.limits.iter().any(|(known, _)| known.name == limits.name) {
                        self.listing.limits.push((limits, place));
                    }
                    Ok(())
                }
                _ => self.unexpected("the name of limits", "they are `ps_1_4`, `vs_1_1` and `arb`"),
            },
            _ => {
                let problem =
                    Diagnostic::error(&UNKNOWN_DIRECTIVE, format!("there is no directive `{name}`"));
                let known = || SYNTAX.directives.iter().copied().chain([".word"]);
                let problem = problem.label(span, "").help(format!("directives are {}", list(known())));
                self.fail(match suggest::nearest(name, known()) {
                    Some(near) => problem.fix(format!("did you mean `{near}`?"), span, near),
                    None => problem,
                })
            }
        }
    }

    /// `.word 0x…`: 64 bits as they stand.
    fn word(&mut self) -> Result<(), Failed> {
        let (text, span) = (self.text(), self.span());
        let number = (self.token.kind == TokenKind::Number && !self.token.first).then(|| integer(text));
        match number {
            Some(Ok(word)) => {
                self.advance();
                let bits = Bits { words: [word as u32, (word >> 32) as u32, 0, 0, 0] };
                let span = self.since(self.statement);
                self.listing.slots.push(ISA.slot(bits, span));
                Ok(())
            }
            Some(Err(gpuzoo_isa::number::NumberError::TooLarge)) => {
                self.fail(Diagnostic::error(&OUT_OF_RANGE, "a word has 64 bits").label(span, "too large"))
            }
            _ => {
                let problem = Diagnostic::error(&EXPECTED_NUMBER, "expected the value of the word");
                let place = self.file.span(self.previous_end..self.previous_end);
                self.fail(problem.label(place, "").help("for example `.word 0x12803c7000000000`"))
            }
        }
    }
}

/// How an instruction is written.
fn usage(op: &Op) -> String {
    let parts: Vec<&str> = op.format.parts.iter().map(|part| part.name).collect();
    format!("{} {};", op.name, parts.join(", "))
}

/// The beginning of a long number.
fn clip(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Instructions that put a register's lanes into a temporary in any order: as few as there are.
fn moves(spare: u16, reg: Reg, swizzle: Swizzle) -> String {
    let choices: Vec<Swizzle> = ORDERS.into_iter().chain((0..4).map(broadcast)).collect();
    let wanted = swizzle.lanes();
    let mut left = Mask::ALL.0;
    let mut text = String::new();
    while left != 0 {
        let covers = |choice: &Swizzle| {
            let lanes = choice.lanes();
            (0..4)
                .filter(|&lane| left >> lane & 1 == 1 && lanes[lane] == wanted[lane])
                .fold(0, |m, l| m | 1 << l)
        };
        // A broadcast covers at least one lane of those that are left.
        let Some(best) = choices.iter().rev().max_by_key(|choice| u8::count_ones(covers(choice))) else {
            break;
        };
        let lanes = covers(best);
        let source = crate::print::operand(
            &crate::encoding::PLAIN,
            &Operand { reg, swizzle: *best, ..Operand::default() },
        );
        text += &format!("MOV R{spare}.{}, {source}; ", Mask(lanes));
        left &= !lanes;
    }
    text
}

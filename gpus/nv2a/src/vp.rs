//! The `NV_vertex_program` dialect: `!!VP1.0`, `!!VP1.1` and `!!VSP1.0` (spec section 10).

use crate::dialect::ConstantMap;
use crate::listing::{Item, Listing};
use crate::read::{Cursor, Failed};
use crate::regs::{A0, C, O, OPOS, R, V};
use crate::rules::{
    BAD_MASK, HEADER, INPUT_NUMBERS, INVARIANT, LANES, NEEDS_VP11, POSITION, READ_ONLY, RELATIVE_WRITE,
};
use crate::rules::{STATE_PROGRAM, WRITE_ONLY};
use crate::statement::{Source, Statement, Target};
use crate::syntax::VP;
use crate::vp_names::{Form, INPUTS, LIMIT, OFFSETS, OUTPUTS, ROWS};
use gpuzoo_diag::{Diagnostic, File, Severity, Span, suggest};
use gpuzoo_isa::codes::{EXPECTED_NAME, EXPECTED_REGISTER, NO_SUCH_REGISTER, OUT_OF_RANGE, UNKNOWN_MNEMONIC};
use gpuzoo_isa::{Constant, Mask, Operand, Reg, Swizzle, TokenKind, lane};

#[derive(Clone, Copy, PartialEq)]
enum Version {
    Vp10,
    Vp11,
    State,
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    items: Vec<Item>,
    version: Version,
    header: Span,
    /// `OPTION NV_position_invariant;`
    invariant: Option<Span>,
    writes_position: bool,
    writes_constant: bool,
    /// The first input from 8 on that is written as a number.
    numbered: Option<Span>,
}

/// Reads a text; what cannot be read is reported and skipped. `position` is the number, as the text counts, of the first
/// of the four constants that `OPTION NV_position_invariant` reads.
pub fn read(file: &File, map: ConstantMap, position: u16) -> Listing {
    let cursor = Cursor::new(file, &VP, map);
    let header = cursor.span();
    let mut reader = Reader {
        cursor,
        items: Vec::new(),
        version: Version::Vp10,
        header,
        invariant: None,
        writes_position: false,
        writes_constant: false,
        numbered: None,
    };
    let known = reader.header();
    if known.is_ok() {
        reader.body();
    }
    let mut listing = Listing { limit: Some(LIMIT), ..Listing::default() };
    if known.is_ok() {
        reader.whole();
        if let Some(span) = reader.invariant {
            reader.transform(position, span, &mut listing);
        }
    }
    listing.items.append(&mut reader.items);
    listing.problems = reader.cursor.problems;
    listing
}

impl<'a> Reader<'a> {
    fn header(&mut self) -> Result<(), Failed> {
        let start = self.cursor.token.start;
        let rest = &self.cursor.file.text()[start..];
        let end = rest.find(|c: char| c.is_whitespace() || c == '#').unwrap_or(rest.len());
        let word = &rest[..end];
        self.header = self.cursor.file.span(start..start + end);
        self.version = match word {
            "!!VP1.0" => Version::Vp10,
            "!!VP1.1" => Version::Vp11,
            "!!VSP1.0" => Version::State,
            _ => {
                let lower = word.to_ascii_lowercase();
                let why = match lower.as_str() {
                    "!!vp2.0" | "!!vp3.0" => {
                        "it needs branches and condition codes, which came after this chip"
                    }
                    "!!vsp1.1" => "state programs have only version 1.0",
                    _ if lower.starts_with("!!arbvp") => "ARB_vertex_program is another language",
                    _ if lower.starts_with("!!fp") || lower.starts_with("!!arbfp") => {
                        "it is a fragment program"
                    }
                    _ => "a text begins with `!!VP1.0`, `!!VP1.1` or `!!VSP1.0`",
                };
                let shown: String = word.chars().take(40).collect();
                let problem = match shown.as_str() {
                    "" => Diagnostic::error(&HEADER, "the header is missing"),
                    _ => Diagnostic::error(&HEADER, format!("`{}` cannot run here", shown.escape_debug())),
                };
                let known = ["!!VP1.0", "!!VP1.1", "!!VSP1.0"]
                    .into_iter()
                    .find(|known| known.eq_ignore_ascii_case(word));
                let problem =
                    problem.label(self.header, why).help("write `!!VP1.0`, `!!VP1.1` or `!!VSP1.0`");
                let problem = match known {
                    Some(known) => problem.fix("capitals matter", self.header, known),
                    None => problem,
                };
                return Err(self.cursor.fail(problem));
            }
        };
        while !self.cursor.at_end() && self.cursor.token.start < start + end {
            self.cursor.advance();
        }
        Ok(())
    }

    /// Options, instructions, END.
    fn body(&mut self) {
        while !self.cursor.at_end() && !self.cursor.gives_up() {
            if self.cursor.is("END") {
                self.cursor.advance();
                if !self.cursor.at_end() {
                    self.cursor.unexpected(
                        "nothing behind `END`",
                        "the program ends here; what follows was not read",
                    );
                }
                return;
            }
            let start = self.cursor.token.start;
            if self.item().is_err() {
                let begins =
                    |word: &str| word == "END" || word == "OPTION" || ROWS.iter().any(|row| row.0 == word);
                self.cursor.recover(start, begins);
            }
        }
        if self.cursor.at_end() {
            self.cursor.unexpected("`END`", "a program ends with `END`");
        }
    }

    fn item(&mut self) -> Result<(), Failed> {
        if self.cursor.eat(";") {
            return Ok(());
        }
        let item = match self.cursor.text() {
            "OPTION" => return self.option(),
            _ if self.cursor.at_raw() => self.cursor.raw()?,
            _ => Item::Group(vec![self.instruction()?]),
        };
        // Missing the semicolon does not make the instruction wrong.
        self.items.push(item);
        self.cursor.expect(";", "every instruction ends with a semicolon")
    }

    fn option(&mut self) -> Result<(), Failed> {
        let start = self.cursor.token.start;
        self.cursor.advance();
        let name = self.cursor.span();
        if !self.cursor.eat("NV_position_invariant") {
            return Err(self.cursor.unexpected("`NV_position_invariant`", "there is no other option"));
        }
        let span = self.cursor.since(start);
        self.needs_11("the option", name);
        if let Some(first) = self.items.first() {
            let place = match first {
                Item::Group(group) => group.first().map_or(span, |statement| statement.span),
                Item::Raw(_, place) => *place,
            };
            let problem = Diagnostic::error(&POSITION, "an option stands before the first instruction");
            self.cursor.problems.push(problem.label(span, "").label(place, "the first instruction"));
        }
        self.invariant = Some(span);
        self.cursor.expect(";", "an option ends with a semicolon")
    }

    /// Reports what `!!VP1.0` does not have.
    fn needs_11(&mut self, what: &str, span: Span) {
        if self.version == Version::Vp11 {
            return;
        }
        let problem = Diagnostic::error(&NEEDS_VP11, format!("{what} needs `!!VP1.1`")).label(span, "");
        let problem = problem.label(self.header, "this text is older");
        let problem = match self.version {
            Version::State => problem.help("there is no later version of state programs"),
            _ => problem.fix("make it 1.1", self.header, "!!VP1.1"),
        };
        self.cursor.problems.push(problem);
    }

    fn instruction(&mut self) -> Result<Statement, Failed> {
        let start = self.cursor.token.start;
        let (word, span) = (self.cursor.text(), self.cursor.span());
        let Some(&(shown, name, count, form, is_new)) = ROWS.iter().find(|row| row.0 == word) else {
            return Err(self.unknown(word, span));
        };
        self.cursor.advance();
        if is_new {
            self.needs_11(&format!("`{shown}`"), span);
        }
        let target = self.target(name)?;
        let mut sources = Vec::with_capacity(3);
        for _ in 0..count {
            self.cursor.comma(shown, count)?;
            sources.push(self.source(shown, form == Form::Scalar)?);
        }
        let negated = |source: Source| {
            let operand = Operand { negate: !source.operand.negate, ..source.operand };
            Source { operand, ..source }
        };
        match (form, sources.last().copied()) {
            (Form::Minus, Some(last)) => sources[1] = negated(last),
            (Form::Both, Some(only)) => sources.push(negated(only)),
            _ => {}
        }
        Ok(Statement { name, target, sources, span: self.cursor.since(start) })
    }

    fn unknown(&mut self, word: &str, span: Span) -> Failed {
        if self.cursor.token.kind != TokenKind::Word {
            return self
                .cursor
                .unexpected("an instruction", "an instruction begins with its name, in capitals");
        }
        let problem = Diagnostic::error(&UNKNOWN_MNEMONIC, format!("there is no instruction `{word}`"));
        let problem = problem.label(span, "not a mnemonic");
        let later = [
            "COS", "SIN", "FLR", "FRC", "SSG", "STR", "SFL", "SEQ", "SGT", "SLE", "SNE", "BRA", "CAL", "RET",
            "EX2", "LG2", "ARR", "ARA", "RCH", "POW", "XPD", "SWZ",
        ];
        let problem = match word {
            "PRINT" => problem.help("a leftover of Mesa's parser; leave it out"),
            _ if later.contains(&word) => problem.help("it came with later chips and later headers"),
            _ => match suggest::nearest(word, ROWS.iter().map(|row| row.0)) {
                Some(near) => problem.fix(format!("did you mean `{near}`?"), span, near),
                None => problem.help("names are in capitals"),
            },
        };
        self.cursor.fail(problem)
    }

    fn target(&mut self, name: &str) -> Result<Target, Failed> {
        let start = self.cursor.token.start;
        if name == "arl" {
            if !self.cursor.eat("A0") {
                return Err(self.cursor.unexpected("`A0.x`", "`ARL` writes the address register"));
            }
            let span = self.cursor.since(start);
            match self.suffix()? {
                Some(("x", _)) => {}
                _ => {
                    let problem =
                        Diagnostic::error(&LANES, "the address register has one lane").label(span, "");
                    self.cursor.problems.push(problem.fix("write", self.cursor.since(start), "A0.x"));
                }
            }
            return Ok(Target {
                operand: Operand { reg: A0, ..Operand::default() },
                span: self.cursor.since(start),
            });
        }
        let reg = self.written()?;
        let mask = match self.suffix()? {
            None => Mask::ALL,
            Some((letters, span)) => self.mask(letters, span)?,
        };
        Ok(Target { operand: Operand { reg, mask, ..Operand::default() }, span: self.cursor.since(start) })
    }

    /// A register that can be written.
    fn written(&mut self) -> Result<Reg, Failed> {
        let start = self.cursor.token.start;
        let is_state = self.version == Version::State;
        match self.cursor.text() {
            "o" => {
                let reg = self.output()?;
                let span = self.cursor.since(start);
                if is_state {
                    let problem = Diagnostic::error(&STATE_PROGRAM, "a state program writes no outputs")
                        .label(span, "");
                    self.cursor.problems.push(problem.help("it writes constants: `c[0]`"));
                } else if let (OPOS, Some(option)) = (reg, self.invariant) {
                    let problem = Diagnostic::error(&POSITION, "the option writes o[HPOS], not the program")
                        .label(span, "");
                    self.cursor.problems.push(problem.label(option, "the option"));
                }
                self.writes_position |= reg == OPOS;
                Ok(reg)
            }
            "c" => {
                let (reg, relative) = self.parameter()?;
                let span = self.cursor.since(start);
                if relative {
                    let problem = Diagnostic::error(&RELATIVE_WRITE, "a constant that is written has no A0");
                    self.cursor.problems.push(problem.label(span, ""));
                } else if !is_state {
                    let problem = Diagnostic::error(&STATE_PROGRAM, "only state programs write constants")
                        .label(span, "");
                    self.cursor
                        .problems
                        .push(problem.label(self.header, "`!!VSP1.0` begins a state program"));
                }
                self.writes_constant = true;
                Ok(reg)
            }
            "v" => {
                self.input()?;
                let problem = Diagnostic::error(&READ_ONLY, "inputs are read only");
                Err(self.cursor.fail(problem.label(self.cursor.since(start), "")))
            }
            "A0" => {
                let problem = Diagnostic::error(&READ_ONLY, "A0 is written by `ARL` alone");
                Err(self.cursor.fail(problem.label(self.cursor.span(), "").help("`ARL A0.x, src.x;`")))
            }
            _ => self.temporary("a destination", "destinations are R0 to R11 and outputs as o[HPOS]"),
        }
    }

    fn source(&mut self, mnemonic: &str, scalar: bool) -> Result<Source, Failed> {
        let start = self.cursor.token.start;
        let sign = self.cursor.span();
        let negate = self.cursor.eat("-");
        if !negate && self.cursor.eat("+") {
            self.needs_11("a `+` sign", sign);
        }
        let at = self.cursor.token.start;
        let (reg, relative) = match self.cursor.text() {
            "c" => self.parameter()?,
            "v" => (self.input()?, false),
            "o" => {
                self.output()?;
                let problem =
                    Diagnostic::error(&WRITE_ONLY, "outputs cannot be read").label(self.cursor.since(at), "");
                return Err(self.cursor.fail(problem.help("keep the value in a temporary")));
            }
            _ => (
                self.temporary(
                    "a source",
                    "sources are R0 to R11, v[0] to v[15], v[OPOS], c[0] and c[A0.x+0]",
                )?,
                false,
            ),
        };
        let swizzle = self.swizzle(mnemonic, scalar, at)?;
        let operand = Operand { reg, swizzle, negate, relative, ..Operand::default() };
        Ok(Source { operand, span: self.cursor.since(start) })
    }

    fn temporary(&mut self, what: &str, why: &str) -> Result<Reg, Failed> {
        let (word, span) = (self.cursor.text(), self.cursor.span());
        let Some(digits) = word
            .strip_prefix('R')
            .filter(|rest| rest.bytes().all(|b| b.is_ascii_digit()) && !rest.is_empty())
        else {
            if self.cursor.token.kind != TokenKind::Word {
                return Err(self.cursor.unexpected(what, why));
            }
            let problem =
                Diagnostic::error(&EXPECTED_REGISTER, format!("`{word}` is no register")).label(span, why);
            let upper = word.to_ascii_uppercase();
            let problem = match upper.strip_prefix('R') {
                Some(rest) if rest.parse::<u8>().is_ok_and(|index| index < 12) => {
                    problem.fix("capitals matter", span, upper)
                }
                _ => problem,
            };
            return Err(self.cursor.fail(problem));
        };
        self.cursor.advance();
        match digits.parse() {
            Ok(index) if index < 12 => Ok(Reg { file: R, index }),
            _ => {
                let problem = Diagnostic::error(&NO_SUCH_REGISTER, format!("there is no register `{word}`"));
                Err(self.cursor.fail(problem.label(span, "").help("they are R0 to R11")))
            }
        }
    }

    /// `o[HPOS]`
    fn output(&mut self) -> Result<Reg, Failed> {
        self.cursor.advance();
        self.cursor.expect("[", "an output is written `o[HPOS]`")?;
        let reg = self.named("output", &OUTPUTS, O)?;
        self.cursor.expect("]", "the name ends here")?;
        Ok(reg)
    }

    /// `v[OPOS]` or `v[0]`
    fn input(&mut self) -> Result<Reg, Failed> {
        let start = self.cursor.token.start;
        self.cursor.advance();
        self.cursor.expect("[", "an input is written `v[OPOS]` or `v[0]`")?;
        let is_number = self.cursor.token.kind == TokenKind::Number;
        let reg = match is_number {
            true => Reg { file: V, index: self.cursor.number("an input's number", 15)? as u16 },
            false => self.named("input", &INPUTS, V)?,
        };
        self.cursor.expect("]", "the input ends here")?;
        let span = self.cursor.since(start);
        if self.version == Version::State && reg.index != 0 {
            let problem =
                Diagnostic::error(&STATE_PROGRAM, "a state program reads v[0] alone").label(span, "");
            self.cursor
                .problems
                .push(problem.help("it holds the four numbers that the program is launched with"));
        }
        if is_number && reg.index >= 8 {
            self.numbered = self.numbered.or(Some(span));
        }
        Ok(reg)
    }

    fn named(&mut self, what: &str, names: &[(&'static str, u16)], file: u8) -> Result<Reg, Failed> {
        let (word, span) = (self.cursor.text(), self.cursor.span());
        if let Some((_, index)) = names.iter().find(|(name, _)| *name == word) {
            self.cursor.advance();
            return Ok(Reg { file, index: *index });
        }
        if self.cursor.token.kind != TokenKind::Word {
            return Err(self.cursor.unexpected(&format!("an {what}'s name"), "for example OPOS or HPOS"));
        }
        if ["TEX4", "TEX5", "TEX6", "TEX7"].contains(&word) {
            let problem = Diagnostic::error(&NO_SUCH_REGISTER, format!("there is no {what} `{word}` here"));
            return Err(self.cursor.fail(problem.label(span, "").help("this machine has TEX0 to TEX3")));
        }
        let problem =
            Diagnostic::error(&EXPECTED_NAME, format!("there is no {what} `{word}`")).label(span, "");
        let all = || names.iter().map(|(name, _)| *name);
        let problem = match suggest::nearest(word, all()) {
            Some(near) => problem.fix(format!("did you mean `{near}`?"), span, near),
            None => problem.help(format!("{what}s are {}", gpuzoo_isa::list(all()))),
        };
        Err(self.cursor.fail(problem))
    }

    /// `c[5]`, `c[A0.x]`, `c[A0.x+5]`, `c[A0.x-5]`: the constant, and whether A0 is added to its number.
    fn parameter(&mut self) -> Result<(Reg, bool), Failed> {
        let start = self.cursor.token.start;
        self.cursor.advance();
        self.cursor.expect("[", "a constant is written `c[5]` or `c[A0.x+5]`")?;
        let relative = self.cursor.eat("A0");
        let mut number = 0;
        let mut at = self.cursor.span();
        if relative {
            match self.suffix()? {
                Some(("x", _)) => {}
                _ => return Err(self.cursor.unexpected("`.x`", "the address register is written `A0.x`")),
            }
            let minus = self.cursor.is("-");
            if self.cursor.eat("+") || self.cursor.eat("-") {
                at = self.cursor.span();
                number = self.cursor.number("an offset", u64::from(u16::MAX))? as i64;
                number = if minus { -number } else { number };
            }
            if self.cursor.map == ConstantMap::Gl && !(OFFSETS.0..=OFFSETS.1).contains(&number) {
                let problem = Diagnostic::error(&OUT_OF_RANGE, format!("{number} is too far from A0.x"));
                let problem = problem.label(at, "offsets are -64 to +63");
                self.cursor.problems.push(problem.help("add a multiple of it to the value that `ARL` takes"));
                number = number.clamp(OFFSETS.0, OFFSETS.1);
            }
        } else {
            at = self.cursor.span();
            number = self.cursor.number("a constant's number", u64::from(u16::MAX))? as i64;
        }
        self.cursor.expect("]", "the constant ends here")?;
        let span = self.cursor.since(start);
        if let (true, Some(option)) = (relative, self.invariant) {
            let problem =
                Diagnostic::error(&POSITION, "a program with the option reads no constants relative to A0.x");
            self.cursor.problems.push(problem.label(span, "").label(option, "the option"));
        }
        match relative && self.cursor.map == ConstantMap::Gl {
            // -64 to 63 around c[0], which is the machine's c96.
            true => Ok((Reg { file: C, index: (number + i64::from(self.cursor.map.offset())) as u16 }, true)),
            false => Ok((self.cursor.constant(number, at)?, relative)),
        }
    }

    /// A dot and what follows it; blanks may stand anywhere.
    fn suffix(&mut self) -> Result<Option<(&'a str, Span)>, Failed> {
        if self.cursor.token.kind == TokenKind::Directive && !self.cursor.at_raw() {
            let found = (&self.cursor.text()[1..], self.cursor.span());
            self.cursor.advance();
            return Ok(Some(found));
        }
        if !self.cursor.eat(".") {
            return Ok(None);
        }
        if self.cursor.token.kind != TokenKind::Word {
            return Err(self.cursor.unexpected("lanes", "write letters of x, y, z and w behind the dot"));
        }
        let found = (self.cursor.text(), self.cursor.span());
        self.cursor.advance();
        Ok(Some(found))
    }

    fn mask(&mut self, letters: &str, span: Span) -> Result<Mask, Failed> {
        let mut mask = 0u8;
        for letter in letters.bytes() {
            match lane(letter).filter(|_| b"xyzw".contains(&letter)) {
                Some(lane) if mask >> lane == 0 => mask |= 1 << lane,
                _ => {
                    let problem = Diagnostic::error(&BAD_MASK, format!("`.{letters}` is not a write mask"));
                    return Err(self
                        .cursor
                        .fail(problem.label(span, "").help("letters of xyzw, in order, none twice")));
                }
            }
        }
        Ok(Mask(mask))
    }

    fn swizzle(&mut self, mnemonic: &str, scalar: bool, start: usize) -> Result<Swizzle, Failed> {
        let suffix = self.suffix()?;
        let letters = suffix.map_or("", |(letters, _)| letters);
        let fits = if scalar { letters.len() == 1 } else { [0, 1, 4].contains(&letters.len()) };
        if fits && letters.bytes().all(|letter| b"xyzw".contains(&letter)) {
            let full = if letters.len() == 1 { letters.repeat(4) } else { letters.to_owned() };
            return Ok(Swizzle::from_letters(&full).unwrap_or(Swizzle::IDENTITY));
        }
        let problem = if scalar {
            let problem =
                Diagnostic::error(&LANES, format!("`{mnemonic}` reads one lane, which must be named"));
            problem
                .label(suffix.map_or(self.cursor.since(start), |(_, span)| span), "")
                .help("for example `R0.x`")
        } else {
            let problem = Diagnostic::error(&LANES, format!("`.{letters}` is not a swizzle"));
            problem
                .label(suffix.map_or(self.cursor.since(start), |(_, span)| span), "")
                .help("one or four letters of xyzw")
        };
        Err(self.cursor.fail(problem))
    }

    /// What concerns the whole program.
    fn whole(&mut self) {
        if let Some(span) = self.numbered {
            let problem =
                Diagnostic::new(Severity::Note, &INPUT_NUMBERS, "inputs by number keep their numbers");
            let problem = problem.label(span, "OpenGL's 8 is TEX0, which is 9 here");
            self.cursor.problems.push(problem.help("write the name: v[TEX0]"));
        }
        // Of a text with errors the part that writes the position may not have been understood, and `.word` may do it.
        let raw = self.items.iter().any(|item| matches!(item, Item::Raw(..)));
        if raw || gpuzoo_diag::has_errors(&self.cursor.problems) {
            return;
        }
        let problem = match self.version {
            Version::State if !self.writes_constant => {
                let problem = Diagnostic::error(&STATE_PROGRAM, "the state program writes no constant");
                problem.label(self.header, "").help("nothing else that it does can be seen")
            }
            Version::Vp10 | Version::Vp11 if !self.writes_position && self.invariant.is_none() => {
                let problem = Diagnostic::error(&POSITION, "the program never writes o[HPOS]");
                let problem = problem.label(self.header, "");
                match self.version {
                    Version::Vp11 => problem.help("write it, or let `OPTION NV_position_invariant;` do it"),
                    _ => problem.help("without a position nothing is drawn"),
                }
            }
            _ => return,
        };
        self.cursor.problems.push(problem);
    }

    /// What stands for the fixed transformation: four dot products with the rows of the modelview-projection matrix.
    fn transform(&mut self, position: u16, span: Span, listing: &mut Listing) {
        let (first, last) = (i64::from(position), i64::from(position) + 3);
        let (Ok(first_row), Ok(_)) = (self.cursor.constant(first, span), self.cursor.constant(last, span))
        else {
            return;
        };
        let problem = Diagnostic::new(
            Severity::Note,
            &INVARIANT,
            "four DP4 transform the position, before the program",
        );
        let problem = problem.label(span, format!("with c[{first}] to c[{last}]"));
        self.cursor.problems.push(problem.note("nothing fixed runs beside a program on this chip"));
        for lane in 0..4 {
            let source = |reg| Source { operand: Operand { reg, ..Operand::default() }, span };
            let row = Reg { file: C, index: first_row.index + lane };
            let target =
                Target { operand: Operand { reg: OPOS, mask: Mask(1 << lane), ..Operand::default() }, span };
            let sources = vec![source(Reg { file: V, index: 0 }), source(row)];
            listing.items.push(Item::Group(vec![Statement { name: "dp4", target, sources, span }]));
        }
        let name = Some("modelview_projection".to_owned());
        listing.constants.push(Constant { name, reg: first_row, count: 4, values: Vec::new(), span });
    }
}

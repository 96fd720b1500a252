//! What the `NV_vertex_program` dialect has beside instructions: `!!VP1.0`, `!!VP1.1`, `!!VSP1.0`, its option, and rules
//! about whole programs (spec section 10).

use crate::dialect::{ConstantMap, Limit};
use crate::regs::{C, O, OPOS, V};
use crate::rules::{HEADER, INPUT_NUMBERS, INVARIANT, NEEDS_VP11, POSITION, STATE_PROGRAM};
use crate::vsh::written;
use gpuzoo_diag::{Diagnostic, Severity, Span, has_errors};
use gpuzoo_isa::codes::OUT_OF_RANGE;
use gpuzoo_isa::{Constant, Failed, Form, Item, Language, Mask, Operand, Parser, Reg, Written};

/// Offsets that may be added to A0.x where constants are counted as in OpenGL.
pub const OFFSETS: std::ops::RangeInclusive<i64> = -64..=63;

/// Instructions that the extension allows; with the option four less, for the four that the option becomes.
pub const LIMIT: Limit = Limit { slots: 128, who: "NV_vertex_program allows 128 instructions" };

/// A header that is known.
const VERSIONS: [&str; 3] = ["!!VP1.0", "!!VP1.1", "!!VSP1.0"];

/// What a text says of itself.
pub struct Vp {
    /// One of [`VERSIONS`].
    version: &'static str,
    header: Span,
    /// `OPTION NV_position_invariant;`
    invariant: Option<Span>,
    writes_position: bool,
    writes_constant: bool,
    /// The first input from 8 on that is written as a number.
    numbered: Option<Span>,
    ended: bool,
}

impl Language for Vp {
    fn statement(&mut self, parser: &mut Parser) -> Option<Result<(), Failed>> {
        match parser.text() {
            "OPTION" => Some(self.option(parser)),
            "END" => {
                parser.advance();
                self.ended = true;
                if parser.at_end() {
                    return Some(Ok(()));
                }
                let why = "the program ends here; what follows was not read";
                let failed = parser.unexpected("nothing behind `END`", why);
                parser.stop();
                Some(failed)
            }
            _ => None,
        }
    }

    fn instruction(
        &mut self,
        parser: &mut Parser,
        written: &Written,
        form: Option<&'static Form>,
    ) -> Result<(), Failed> {
        let (op, file) = (written.inst.op, parser.file);
        let since = form.map_or_else(
            || op.since.iter().find(|(name, _)| *name == parser.syntax.name).map_or("", |(_, since)| since),
            |form| form.since,
        );
        if !since.is_empty() {
            let start = written.span.start as usize;
            let name = file.slice(written.span).split_whitespace().next().unwrap_or_default();
            self.needs_11(parser, &format!("`{name}`"), file.span(start..start + name.len()));
        }
        // Missing the semicolon does not make the instruction wrong.
        Ok(())
    }

    fn plus(&mut self, parser: &mut Parser, sign: Span) {
        self.needs_11(parser, "a `+` sign", sign);
    }

    fn check(
        &mut self,
        parser: &mut Parser,
        operand: &Operand,
        written: bool,
        number: Option<i64>,
        span: Span,
    ) -> Result<(), Failed> {
        let is_state = self.is_state();
        let mut report = |code, message: &str, other: Option<(Span, &str)>, help: &str| {
            let problem = Diagnostic::error(code, message).at(span);
            let problem = if let Some((place, text)) = other { problem.label(place, text) } else { problem };
            parser.report(if help.is_empty() { problem } else { problem.help(help) });
        };
        let option = self.invariant.map(|option| (option, "the option"));
        match operand.reg.file {
            O if is_state => {
                report(
                    &STATE_PROGRAM,
                    "a state program writes no outputs",
                    None,
                    "it writes constants: `c[0]`",
                );
            }
            O if operand.reg == OPOS && option.is_some() => {
                report(&POSITION, "the option writes o[HPOS], not the program", option, "");
            }
            C if written && operand.relative => return crate::program::relative_write(parser, span),
            C if written && !is_state => {
                let header = Some((self.header, "`!!VSP1.0` begins a state program"));
                report(&STATE_PROGRAM, "only state programs write constants", header, "");
            }
            C if operand.relative && option.is_some() => {
                let message = "a program with the option reads no constants relative to A0.x";
                report(&POSITION, message, option, "");
            }
            V if is_state && operand.reg.index != 0 => {
                let help = "it holds the four numbers that the program is launched with";
                report(&STATE_PROGRAM, "a state program reads v[0] alone", None, help);
            }
            _ => {}
        }
        if operand.relative && parser.numbering.is_some_and(|map| map.name == ConstantMap::Gl.name()) {
            offset(parser, number.unwrap_or(0), span)?;
        }
        self.writes_position |= written && operand.reg == OPOS;
        self.writes_constant |= written && operand.reg.file == C;
        if operand.reg.file == V && number.is_some_and(|number| number >= 8) {
            self.numbered = self.numbered.or(Some(span));
        }
        Ok(())
    }
}

impl Vp {
    /// Reads the header.
    ///
    /// # Errors
    /// It is not one that runs here, which has been reported.
    pub fn begin(parser: &mut Parser) -> Result<Vp, Failed> {
        let start = parser.token.start;
        let rest = &parser.file.text()[start..];
        let end = rest.find(|c: char| c.is_whitespace() || c == '#').unwrap_or(rest.len());
        let word = &rest[..end];
        let header = parser.file.span(start..start + end);
        while !parser.at_end() && parser.token.start < start + end {
            parser.advance();
        }
        if let Some(version) = VERSIONS.into_iter().find(|version| *version == word) {
            let (invariant, numbered) = (None, None);
            let (writes_position, writes_constant, ended) = (false, false, false);
            return Ok(Vp { version, header, invariant, writes_position, writes_constant, numbered, ended });
        }
        let lower = word.to_ascii_lowercase();
        let why = match lower.as_str() {
            "!!vp2.0" | "!!vp3.0" => "it needs branches and condition codes, which came after this chip",
            "!!vsp1.1" => "state programs have only version 1.0",
            _ if lower.starts_with("!!arbvp") => "ARB_vertex_program is another language",
            _ if lower.starts_with("!!fp") || lower.starts_with("!!arbfp") => "it is a fragment program",
            _ => "a text begins with `!!VP1.0`, `!!VP1.1` or `!!VSP1.0`",
        };
        let shown: String = word.chars().take(40).collect();
        let problem = match shown.as_str() {
            "" => Diagnostic::error(&HEADER, "the header is missing"),
            _ => Diagnostic::error(&HEADER, format!("`{}` cannot run here", shown.escape_debug())),
        };
        let problem = problem.label(header, why).help("write `!!VP1.0`, `!!VP1.1` or `!!VSP1.0`");
        let known = VERSIONS.into_iter().find(|known| known.eq_ignore_ascii_case(word));
        parser.fail(match known {
            Some(known) => problem.fix("capitals matter", header, known),
            None => problem,
        })
    }

    /// True for a state program.
    pub fn is_state(&self) -> bool {
        self.version == "!!VSP1.0"
    }

    fn option(&mut self, parser: &mut Parser) -> Result<(), Failed> {
        let start = parser.token.start;
        parser.advance();
        let name = parser.span();
        if !parser.eat("NV_position_invariant") {
            return parser.unexpected("`NV_position_invariant`", "there is no other option");
        }
        let span = parser.since(start);
        self.needs_11(parser, "the option", name);
        if let Some(first) = parser.items.first() {
            let (Item::Inst(Written { span: place, .. }) | Item::Raw(_, place)) = first;
            let problem = Diagnostic::error(&POSITION, "an option stands before the first instruction");
            let problem = problem.at(span).label(*place, "the first instruction");
            parser.report(problem);
        }
        self.invariant = Some(span);
        Ok(())
    }

    /// Reports what `!!VP1.0` does not have.
    fn needs_11(&mut self, parser: &mut Parser, what: &str, span: Span) {
        if self.version == "!!VP1.1" {
            return;
        }
        let problem = Diagnostic::error(&NEEDS_VP11, format!("{what} needs `!!VP1.1`")).at(span);
        let problem = problem.label(self.header, "this text is older");
        parser.report(match self.is_state() {
            true => problem.help("there is no later version of state programs"),
            false => problem.fix("make it 1.1", self.header, "!!VP1.1"),
        });
    }

    /// What concerns the whole program. `position` is the number, as the text counts, of the first of the four constants
    /// that `OPTION NV_position_invariant` reads.
    pub fn end(&mut self, parser: &mut Parser, position: u16) -> Vec<Constant> {
        if !self.ended && parser.at_end() {
            let _: Result<(), Failed> = parser.unexpected("`END`", "a program ends with `END`");
        }
        if let Some(span) = self.numbered {
            let message = "inputs by number keep their numbers";
            let problem = Diagnostic::new(Severity::Note, &INPUT_NUMBERS, message);
            let problem = problem.label(span, "OpenGL's 8 is TEX0, which is 9 here");
            parser.report(problem.help("write the name: v[TEX0]"));
        }
        // Of a text with errors the part that writes the position may not have been understood, and `.word` may do it.
        let raw = parser.items.iter().any(|item| matches!(item, Item::Raw(..)));
        if !raw && !has_errors(&parser.problems) {
            self.must_write(parser);
        }
        self.invariant.and_then(|span| transform(parser, position, span)).into_iter().collect()
    }

    fn must_write(&self, parser: &mut Parser) {
        if self.is_state() && !self.writes_constant {
            let problem = Diagnostic::error(&STATE_PROGRAM, "the state program writes no constant");
            parser.report(problem.at(self.header).help("nothing else that it does can be seen"));
        } else if !self.is_state() && !self.writes_position && self.invariant.is_none() {
            let problem = Diagnostic::error(&POSITION, "the program never writes o[HPOS]");
            let help = match self.version {
                "!!VP1.1" => "write it, or let `OPTION NV_position_invariant;` do it",
                _ => "without a position nothing is drawn",
            };
            parser.report(problem.at(self.header).help(help));
        }
    }
}

/// A number that is added to A0.x, in the constant at `span`.
fn offset(parser: &mut Parser, number: i64, span: Span) -> Result<(), Failed> {
    if OFFSETS.contains(&number) {
        return Ok(());
    }
    let text = parser.file.slice(span);
    let digits = text.trim_end_matches(|end: char| !end.is_ascii_digit());
    let length = digits.bytes().rev().take_while(u8::is_ascii_digit).count();
    let end = span.start as usize + digits.len();
    let problem = Diagnostic::error(&OUT_OF_RANGE, format!("{number} is too far from A0.x"));
    let problem = problem.label(parser.file.span(end - length..end), "offsets are -64 to +63");
    parser.fail(problem.help("add a multiple of it to the value that `ARL` takes"))
}

/// What the option becomes: four dot products with the rows of the modelview-projection matrix, before the program.
fn transform(parser: &mut Parser, position: u16, span: Span) -> Option<Constant> {
    let (first, last) = (i64::from(position), i64::from(position) + 3);
    let first_row = parser.numbered(C, first, false, span).ok()?;
    parser.numbered(C, last, false, span).ok()?;
    let message = "four DP4 transform the position, before the program";
    let problem = Diagnostic::new(Severity::Note, &INVARIANT, message);
    let problem = problem.label(span, format!("with c[{first}] to c[{last}]"));
    parser.report(problem.note("nothing fixed runs beside a program on this chip"));
    let input = Operand { reg: Reg { file: V, index: 0 }, ..Operand::default() };
    let row = |component: u16| {
        let reg = Reg { file: C, index: first_row.index + component };
        let to = Operand { reg: OPOS, mask: Mask(1 << component), ..Operand::default() };
        written("dp4", (to, true), &[input, Operand { reg, ..Operand::default() }], span)
    };
    let rows: Vec<Item> = (0..4).filter_map(row).map(Item::Inst).collect();
    parser.items.splice(0..0, rows);
    let name = Some("modelview_projection".to_owned());
    Some(Constant { name, reg: first_row, count: 4, values: Vec::new(), span })
}

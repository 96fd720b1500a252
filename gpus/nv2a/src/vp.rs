//! What the `NV_vertex_program` dialect has beside instructions: `!!VP1.0`, `!!VP1.1`, `!!VSP1.0`, its option, and rules
//! about whole programs (spec section 10).

use crate::dialect::{ConstantMap, Kind, numbering};
use crate::header::{Header, Version, Versions, is_understood};
use crate::macros::product;
use crate::regs::{C, OPOS, V};
use crate::rules::{INPUT_NUMBERS, INVARIANT, NEEDS_VP11, POSITION};
use gpuzoo_diag::{Diagnostic, Severity, Span};
use gpuzoo_isa::codes::OUT_OF_RANGE;
use gpuzoo_isa::{Constant, Failed, Item, Language, Named, Operand, Parser, Reg, Written};

/// Offsets that may be added to A0.x where constants are counted as in OpenGL.
pub const OFFSETS: std::ops::RangeInclusive<i64> = -64..=63;

const ALL: [Version; 3] = {
    let version = Version {
        name: "!!VP1.0",
        kind: Kind::Vertex,
        writes_constants: false,
        newest: false,
        // With the option four less, for the four that the option becomes.
        limit: Some("NV_vertex_program allows 128 instructions"),
    };
    [
        version,
        Version { name: "!!VP1.1", newest: true, ..version },
        Version { name: "!!VSP1.0", kind: Kind::State, writes_constants: true, ..version },
    ]
};

/// The headers, and the words for them.
pub static VERSIONS: Versions = Versions {
    all: &ALL,
    called: "header",
    ends: |letter| letter.is_whitespace() || letter == '#',
    any_case: false,
    why: |header| match header {
        "!!vp2.0" | "!!vp3.0" => "it needs branches and condition codes, which came after this chip",
        "!!vsp1.1" => "state programs have only version 1.0",
        _ if header.starts_with("!!arbvp") => "ARB_vertex_program is another language",
        _ if header.starts_with("!!fp") || header.starts_with("!!arbfp") => "it is a fragment program",
        _ => "a text begins with `!!VP1.0`, `!!VP1.1` or `!!VSP1.0`",
    },
    help: "write `!!VP1.0`, `!!VP1.1` or `!!VSP1.0`",
    code: &NEEDS_VP11,
    newest: "!!VP1.1",
    older: "this text is older",
    upgrade: "make it 1.1",
    constants: ["only state programs write constants", "`!!VSP1.0` begins a state program"],
    one_input: "a state program reads v[0] alone",
};

/// What a text says of itself.
pub struct Vp {
    header: Header,
    /// `OPTION NV_position_invariant;`
    invariant: Option<Span>,
    writes_position: bool,
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

    fn instruction(&mut self, parser: &mut Parser, written: &Written) -> Result<(), Failed> {
        self.header.instruction(parser, written);
        // Missing the semicolon does not make the instruction wrong.
        Ok(())
    }

    fn plus(&mut self, parser: &mut Parser, sign: Span) {
        self.header.needs_newest(parser, "a `+` sign", sign);
    }

    fn check(&mut self, parser: &mut Parser, named: &Named) -> Result<(), Failed> {
        let Named { operand, written, number, span } = *named;
        self.header.operand(parser, named)?;
        let broken = match operand.reg.file {
            _ if operand.reg == OPOS => Some("the option writes o[HPOS], not the program"),
            C if operand.relative => Some("a program with the option reads no constants relative to A0.x"),
            _ => None,
        };
        if let (Some(message), Some(option)) = (broken, self.invariant) {
            let problem = Diagnostic::error(&POSITION, message).at(span);
            parser.report(problem.label(option, "the option"));
        }
        if operand.relative && numbering(parser) == ConstantMap::Gl.numbering() {
            offset(parser, number.unwrap_or(0), span)?;
        }
        self.writes_position |= written && operand.reg == OPOS;
        if operand.reg.file == V && number.is_some_and(|number| number >= 8) {
            self.numbered = self.numbered.or(Some(span));
        }
        Ok(())
    }
}

impl Vp {
    /// Reads a text, and returns its version and the constants that the option names. `position` is the number, as the text
    /// counts, of the first of the four that `OPTION NV_position_invariant` reads.
    ///
    /// # Errors
    /// The header is not one that runs here, which has been reported.
    pub fn read(
        parser: &mut Parser,
        position: u16,
    ) -> Result<(Option<&'static Version>, Vec<Constant>), Failed> {
        let header = Header::read(parser, &VERSIONS)?;
        let mut vp = Vp { header, invariant: None, writes_position: false, numbered: None, ended: false };
        parser.run(&mut vp);
        vp.end(parser);
        let constants = vp.invariant.and_then(|span| transform(parser, position, span));
        Ok((Some(vp.header.version), constants.into_iter().collect()))
    }

    fn option(&mut self, parser: &mut Parser) -> Result<(), Failed> {
        let start = parser.token.start;
        parser.advance();
        let name = parser.span();
        if !parser.eat("NV_position_invariant") {
            return parser.unexpected("`NV_position_invariant`", "there is no other option");
        }
        let span = parser.since(start);
        self.header.needs_newest(parser, "the option", name);
        if let Some(first) = parser.items.first() {
            let (Item::Inst(Written { span: place, .. }) | Item::Raw(_, place)) = first;
            let problem = Diagnostic::error(&POSITION, "an option stands before the first instruction");
            let problem = problem.at(span).label(*place, "the first instruction");
            parser.report(problem);
        }
        self.invariant = Some(span);
        Ok(())
    }

    /// What concerns the whole program.
    fn end(&self, parser: &mut Parser) {
        if !self.ended && parser.at_end() {
            let _: Result<(), Failed> = parser.unexpected("`END`", "a program ends with `END`");
        }
        if let Some(span) = self.numbered {
            let message = "inputs by number keep their numbers";
            let problem = Diagnostic::new(Severity::Note, &INPUT_NUMBERS, message);
            let problem = problem.label(span, "OpenGL's 8 is TEX0, which is 9 here");
            parser.report(problem.help("write the name: v[TEX0]"));
        }
        self.header.end(parser);
        let writes = self.header.is_state() || self.writes_position || self.invariant.is_some();
        // Of a text with errors the part that writes the position may not have been understood, and `.word` may do it.
        if !writes && is_understood(parser) {
            let problem = Diagnostic::error(&POSITION, "the program never writes o[HPOS]");
            let help = match self.header.version.newest {
                true => "write it, or let `OPTION NV_position_invariant;` do it",
                false => "without a position nothing is drawn",
            };
            parser.report(problem.at(self.header.span).help(help));
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
    let of = |reg: Reg| Operand { reg, ..Operand::default() };
    let input = of(Reg { file: V, index: 0 });
    parser.items.splice(0..0, product("dp4", of(OPOS), input, of(first_row), 4, span));
    let name = Some("modelview_projection".to_owned());
    Some(Constant { name, reg: first_row, count: 4, values: Vec::new(), span })
}

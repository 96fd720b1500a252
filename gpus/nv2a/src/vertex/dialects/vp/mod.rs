//! What the `NV_vertex_program` dialect has beside instructions: `!!VP1.0`, `!!VP1.1`, `!!VSP1.0`, its option, and rules
//! about whole programs (spec section 10).

pub mod print;

use crate::vertex::dialects::counting::{ConstantMap, OFFSETS, numbering};
use crate::vertex::dialects::dialect::{Dialect, Read};
use crate::vertex::dialects::header::{Header, Version, Versions};
use crate::vertex::dialects::macros::product;
use crate::vertex::dialects::reading::{is_understood, skip_comments};
use crate::vertex::program::facts::Kind;
use crate::vertex::regs::{C, OPOS, V};
use crate::vertex::rules::{INPUT_NUMBERS, INVARIANT, NEEDS_VP11, POSITION};
use crate::vertex::syntax::{self, VP_INPUTS};
use gpuzoo_diag::{Diagnostic, Severity, Span, counted};
use gpuzoo_isa::codes::OUT_OF_RANGE;
use gpuzoo_isa::{Constant, Failed, Item, Language, Mask, Named, Operand, Parser, Reg, Written};
use gpuzoo_machine::Dialect as Described;

/// `NV_vertex_program`'s dialect: `!!VP1.0`, `!!VP1.1`, `!!VSP1.0` (spec section 10).
pub static VP: Dialect = Dialect {
    described: Described {
        name: syntax::VP.name,
        about: "NV_vertex_program's, OpenGL's for this generation of chips; Cg writes it",
        syntax: &syntax::VP,
        example: "!!VP1.0\nMOV o[HPOS], v[OPOS];\nMOV o[COL0], v[COL0];\nEND\n",
        headers: || VERSIONS.described(),
    },
    constants: ConstantMap::Gl,
    begins,
    preprocess: |_, _| None,
    lines: |_| Vec::new(),
    symbols: |_, _, _| Vec::new(),
    // Without a header there is nothing more to read, and it has been reported.
    read: |parser, position| Vp::read(parser, position).unwrap_or_default(),
    page: print::page,
    slot: |page, _, group| print::slot(page, group),
    constant: "# ",
    end: "END\n",
    is_reference: false,
    every_slot: false,
    needs_position: true,
    clip_space: false,
};

/// True if a text begins with a header, behind comments of any dialect; lines that begin with `#` are such here.
fn begins(text: &str) -> bool {
    let first = skip_comments(text, false);
    first.starts_with("!!") || skip_comments(first, true).starts_with("!!")
}

const VP11: &str =
    "begins a vertex program of NV_vertex_program1_1, which adds `ABS`, `DPH`, `RCC`, `SUB` and an option";
const VSP: &str = "begins a state program, which reads v[0] alone and writes constants";

const ALL: [Version; 3] = {
    let version = Version {
        name: "!!VP1.0",
        about: "begins a vertex program of NV_vertex_program",
        kind: Kind::Vertex,
        writes_constants: false,
        newest: false,
        // With the option four less, for the four that the option becomes.
        limit: Some("NV_vertex_program allows 128 instructions"),
    };
    [
        version,
        Version { name: "!!VP1.1", about: VP11, newest: true, ..version },
        Version { name: "!!VSP1.0", about: VSP, kind: Kind::State, writes_constants: true, ..version },
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
    /// The first input that is written as a number which is another one here, its attribute, and how many there are.
    renumbered: Option<(Span, &'static str)>,
    renumberings: usize,
    /// The first input that is written as a number because it has no name.
    nameless: Option<(Span, i64)>,
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

    /// OpenGL's inputs 8 to 15 are TEX0 to TEX7; here TEX0 to TEX3 are 9 to 12. vp20compiler counts them so, too.
    fn numbered(
        &mut self,
        parser: &mut Parser,
        file: u8,
        number: i64,
        span: Span,
    ) -> Option<Result<Reg, Failed>> {
        let own = file == V && numbering(parser) == ConstantMap::Gl.numbering() && !self.header.is_state();
        let textures = VP_INPUTS.iter().filter(|(name, _)| name.starts_with("TEX"));
        match (number, textures.zip(8..).find(|(_, gl)| *gl == number)) {
            _ if !own => None,
            (6 | 7, _) => {
                self.nameless = self.nameless.or(Some((span, number)));
                None
            }
            (_, Some((&(name, index), _))) => {
                self.renumbered = self.renumbered.or(Some((span, name)));
                self.renumberings += 1;
                Some(Ok(Reg { file, index }))
            }
            (12..=15, None) => {
                let message = format!("there is no input {number}: it is TEX{}", number - 8);
                let problem = Diagnostic::error(&OUT_OF_RANGE, message);
                let problem = problem.label(span, "this machine has TEX0 to TEX3, v[8] to v[11]");
                let help = "use another attribute; `--numbering d3d` takes inputs by the machine's numbers";
                Some(parser.fail(problem.help(help)))
            }
            _ => None,
        }
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
        Ok(())
    }
}

impl Vp {
    /// Reads a text, and returns its header and the constants that the option names. `position` is the number, as the text
    /// counts, of the first of the four that `OPTION NV_position_invariant` reads.
    ///
    /// # Errors
    /// The header is not one that runs here, which has been reported.
    pub fn read(parser: &mut Parser, position: u16) -> Result<Read, Failed> {
        let header = Header::read(parser, &VERSIONS)?;
        let mut vp = Vp {
            header,
            invariant: None,
            writes_position: false,
            renumbered: None,
            renumberings: 0,
            nameless: None,
            ended: false,
        };
        parser.run(&mut vp);
        vp.end(parser);
        let constants = vp.invariant.and_then(|span| transform(parser, position, span));
        Ok((Some(vp.header), constants.into_iter().collect()))
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
        self.input_numbers(parser);
        self.header.end(parser);
        let writes = self.header.is_state() || self.writes_position || self.invariant.is_some();
        // Of a text with errors the part that writes the position may not have been understood, and `.word` may do it.
        if !writes && is_understood(parser) {
            let problem = Diagnostic::error(
                &POSITION,
                match parser.items.is_empty() {
                    true => "the program is empty: it never writes o[HPOS]",
                    false => "the program never writes o[HPOS]",
                },
            );
            let help = match self.header.version.newest {
                true => "write it, or let `OPTION NV_position_invariant;` do it",
                false => "without a position nothing is drawn",
            };
            parser.report(problem.at(self.header.span).help(help));
        }
    }
}

impl Vp {
    /// What became of inputs that are written as numbers, once for all of them.
    fn input_numbers(&self, parser: &mut Parser) {
        let note = |message: String| Diagnostic::new(Severity::Note, &INPUT_NUMBERS, message);
        if let Some((span, name)) = self.renumbered {
            let are = if self.renumberings == 1 { "is" } else { "are" };
            let inputs = counted(self.renumberings, "input");
            let message = format!("{inputs} {are} given by number, which counts as in OpenGL");
            let label = format!("{} is {name}", parser.file.slice(span));
            let problem = note(message).label(span, label).help(format!("write the name: v[{name}]"));
            let other = "`--numbering d3d` takes inputs by the machine's numbers, and constants as before";
            parser.report(problem.note(other));
        }
        if let Some((span, number)) = self.nameless {
            let message = format!("input {number} has no name in NV_vertex_program");
            let what = if number == 6 { "the point size" } else { "the back diffuse colour" };
            let problem = note(message).label(span, format!("this machine's input {number} is {what}"));
            parser.report(problem.note("vp20compiler refuses inputs 6 and 7"));
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
    Some(Constant { name, reg: first_row, count: 4, mask: Mask::ALL, values: Vec::new(), matrix: None, span })
}

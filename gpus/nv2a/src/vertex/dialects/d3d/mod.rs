//! What the Direct3D 8 dialect, and the Xbox's form of it, has beside instructions (spec section 11): version lines,
//! `def`, `dcl`, `nop`, macros, and rules about whole programs.

pub mod macros;
pub mod names;
pub mod preprocess;
pub mod print;
pub mod symbols;

use crate::ISA;
use crate::vertex::dialects::counting::{ConstantMap, numbering};
use crate::vertex::dialects::dialect::{Dialect, Read};
use crate::vertex::dialects::header::{Header, Version, Versions};
use crate::vertex::dialects::reading::skip_comments;
use crate::vertex::encoding::FILLER;
use crate::vertex::program::facts::Kind;
use crate::vertex::regs::{A0, C, O, V};
use crate::vertex::rules::{A0_NOT_SET, DECLARATION, DEFINITION, XBOX_ONLY};
use crate::vertex::syntax;
use gpuzoo_diag::{Diagnostic, Severity, suggest};
use gpuzoo_isa::codes::{EXPECTED_NUMBER, EXPECTED_REGISTER, OUT_OF_RANGE, UNKNOWN_MNEMONIC};
use gpuzoo_isa::{
    Choice, Constant, Failed, Item, Language, Mask, Named, Operand, Parser, Part, Reg, Written, list,
};
use gpuzoo_machine::Dialect as Described;
use macros::mentioned;
use preprocess::{directives, is_plain};
use std::collections::HashSet;

/// Direct3D 8's dialect and the Xbox's form of it: `vs.1.1`, `xvs.1.1`, `xvss.1.1`, `xvsw.1.1` (spec section 11).
pub static D3D: Dialect = Dialect {
    described: Described {
        name: syntax::D3D.name,
        about: "Direct3D 8's, and the Xbox's form of it, with a preprocessor",
        syntax: &syntax::D3D,
        example: "xvs.1.1\nm4x4 oPos, v0, c0\nmov oD0, v3\n",
        headers: || VERSIONS.described(),
    },
    constants: ConstantMap::D3d,
    begins,
    preprocess: |file, given| {
        (!is_plain(file.text(), given.defines)).then(|| preprocess::preprocess(file, given))
    },
    lines: preprocess::lines,
    symbols: symbols::macros,
    read,
    page: print::page,
    slot: print::slot,
    constant: "def ",
    end: "",
    is_reference: false,
    every_slot: false,
    needs_position: false,
    clip_space: true,
};

/// True if a text begins with a version, behind comments, or with a preprocessor line, behind which the version may be in a file
/// that is included.
fn begins(text: &str) -> bool {
    let first = skip_comments(text, false);
    let version = ["xvss", "xvsw", "xvs", "vs", "ps"].into_iter().any(|tag| {
        let is_tag = first.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
        is_tag && first[tag.len()..].starts_with(['.', '_'])
    });
    version || begins_with_directive(first)
}

/// True if a text begins with a preprocessor line. A uniform may have the name of one: `#line vector 5` is none.
fn begins_with_directive(text: &str) -> bool {
    let Some(line) = text.strip_prefix('#').and_then(|rest| rest.lines().next()) else { return false };
    let mut words = line.split_whitespace();
    let (Some(first), second) = (words.next(), words.next().unwrap_or("")) else { return false };
    let known = directives().any(|own| own == first) || first.bytes().all(|byte| byte.is_ascii_digit());
    known && !["vector", "matrix4"].contains(&second)
}

/// Reads a text. Names that nothing explains are reported once.
fn read(parser: &mut Parser, _: u16) -> Read {
    // Without a header there is nothing more to read, and it has been reported.
    let read = D3d::read(parser).unwrap_or_default();
    names::once(parser.file, &mut parser.cursor.problems);
    read
}

/// Usages of Direct3D 9's `dcl_usage`, each of which may have a number behind it.
#[rustfmt::skip]
const USAGES: [&str; 10] = [
    "position", "blendweight", "blendindices", "normal", "psize", "texcoord", "tangent", "binormal", "fog", "color",
];

const XVS: &str =
    "begins a vertex shader for the Xbox: pairs with `+`, `dph`, `rcc`, r12, back colours, constants below 0";
const XVSW: &str = "begins a vertex shader for the Xbox that may write constants, too";
const XVSS: &str = "begins a state shader of the Xbox, which reads v0 alone and writes constants";

const ALL: [Version; 7] = {
    let version = Version {
        name: "vs.1.1",
        about: "begins a vertex shader for any Direct3D 8",
        kind: Kind::Vertex,
        writes_constants: false,
        newest: false,
        limit: Some("vs.1.1 allows 128 instructions"),
    };
    let xbox = Version { name: "xvs.1.1", about: XVS, newest: true, limit: None, ..version };
    let writing = Version { name: "xvsw.1.1", about: XVSW, writes_constants: true, ..xbox };
    [
        version,
        Version { name: "vs_1_1", about: "`vs.1.1` as Direct3D 9 writes it", ..version },
        Version { name: "vs.1.0", about: "taken as `vs.1.1`", ..version },
        xbox,
        Version { name: "xvs.1.0", about: "taken as `xvs.1.1`", ..xbox },
        writing,
        Version { name: "xvss.1.1", about: XVSS, kind: Kind::State, ..writing },
    ]
};

/// The version lines, and the words for them.
pub static VERSIONS: Versions = Versions {
    all: &ALL,
    called: "version line",
    ends: |letter| !(letter.is_ascii_alphanumeric() || letter == '.' || letter == '_'),
    any_case: true,
    why: |line| match line.get(..4).unwrap_or(line) {
        "vs.2" | "vs_2" => "vs 2 needs hardware that came after this chip",
        "vs.3" | "vs_3" => "vs 3 needs hardware that came after this chip",
        _ if line.starts_with("ps") => "it is a pixel shader",
        _ => "a text begins with its version: `vs.1.1` or `xvs.1.1`",
    },
    help: "versions are `vs.1.0`, `vs.1.1`, `xvs.1.0`, `xvs.1.1`, `xvss.1.1` and `xvsw.1.1`",
    code: &XBOX_ONLY,
    newest: "xvs.1.1",
    older: "this says that any Direct3D 8 can run it",
    upgrade: "make it the Xbox's",
    constants: ["this kind of program writes no constants", "`xvsw.1.1` and `xvss.1.1` do"],
    one_input: "a state program reads v0 alone",
};

/// What a text has said so far.
pub struct D3d {
    header: Header,
    /// The constants so far.
    pub constants: Vec<Constant>,
    sets_a0: bool,
    /// `a0` read unset, and `dcl`, are reported once.
    reported_a0: bool,
    reported_dcl: bool,
    mentioned: Option<HashSet<Reg>>,
}

impl Language for D3d {
    fn statement(&mut self, parser: &mut Parser) -> Option<Result<(), Failed>> {
        let word = parser.text().to_ascii_lowercase();
        match word.as_str() {
            "nop" => {
                parser.items.push(Item::Raw(FILLER.words[..4].to_vec(), parser.span()));
                parser.advance();
                Some(Ok(()))
            }
            "def" => Some(self.define(parser)),
            _ if word.starts_with("dcl") => Some(self.declare(parser, &word)),
            _ if parser.syntax.has_macro(&word) => Some(macros::read(self, parser, &word)),
            _ => None,
        }
    }

    /// `+ nop` adds nothing to the slot.
    fn joined(&mut self, parser: &mut Parser) -> Option<Result<(), Failed>> {
        if !parser.text().eq_ignore_ascii_case("nop") {
            return None;
        }
        let plus = parser.since(parser.statement);
        self.header.needs_newest(parser, "a pair", plus);
        parser.advance();
        Some(Ok(()))
    }

    fn instruction(&mut self, parser: &mut Parser, written: &Written) -> Result<(), Failed> {
        self.header.instruction(parser, written);
        if written.joined {
            let start = written.span.start as usize;
            let plus = parser.file.text()[..start].rfind('+').unwrap_or(start);
            self.header.needs_newest(parser, "a pair", parser.file.span(plus..plus + 1));
        }
        self.sets_a0 |= written.inst.operands[0].reg == A0;
        Ok(())
    }

    fn check(&mut self, parser: &mut Parser, named: &Named) -> Result<(), Failed> {
        let Named { operand, written, number, span } = *named;
        self.header.operand(parser, named)?;
        let number = number.filter(|_| numbering(parser).least < 0);
        if let Some(what) = xbox_only(&operand, written, number) {
            self.header.needs_newest(parser, &what, span);
        }
        // Behind an error nobody knows what is set.
        if operand.relative
            && !self.sets_a0
            && !parser.has_errors()
            && !std::mem::replace(&mut self.reported_a0, true)
        {
            let problem = Diagnostic::warning(&A0_NOT_SET, "a0 is read before it is set").at(span);
            parser.report(problem.help("set it with `mov a0.x, src.x`; it starts as 0"));
        }
        Ok(())
    }
}

impl D3d {
    /// Reads a text, and returns its header and the constants that it defines.
    ///
    /// # Errors
    /// The version is not one that runs here, which has been reported.
    pub fn read(parser: &mut Parser) -> Result<Read, Failed> {
        let mut d3d = D3d {
            header: Header::read(parser, &VERSIONS)?,
            constants: Vec::new(),
            sets_a0: false,
            reported_a0: false,
            reported_dcl: false,
            mentioned: None,
        };
        parser.run(&mut d3d);
        d3d.header.end(parser);
        Ok((Some(d3d.header), d3d.constants))
    }

    /// `def c5, 1, 0.5, -2, 0`
    fn define(&mut self, parser: &mut Parser) -> Result<(), Failed> {
        static CONSTANT: &[Part] = &[Part::read("constant", 0, &[Choice::reg(C, 0, &[])])];
        let start = parser.token.start;
        parser.advance();
        let at = parser.token.start;
        let (_, Operand { reg, relative, .. }) = parser.register("def", CONSTANT, self)?;
        if relative {
            let span = parser.since(at);
            let problem = Diagnostic::error(&EXPECTED_REGISTER, "`def` sets a constant").at(span);
            return parser.fail(problem.help("it is written `def c5, 1, 0.5, -2, 0`"));
        }
        let mut value = [0; 4];
        for component in &mut value {
            parser.expect(",", "`def` takes a constant and four numbers, with commas between")?;
            *component = float(parser)?.to_bits();
        }
        let span = parser.since(start);
        if let Some(at) = self.constants.iter().position(|constant| constant.reg == reg) {
            let earlier = self.constants.remove(at);
            let problem = Diagnostic::warning(&DEFINITION, "the constant is defined twice");
            let problem = problem.label(span, "this holds").label(earlier.span, "this is lost");
            parser.report(problem.help("leave one out"));
        }
        self.constants.push(Constant {
            name: None,
            reg,
            count: 1,
            mask: Mask::ALL,
            values: vec![value],
            matrix: None,
            span,
        });
        Ok(())
    }

    /// `dcl_position v0`, which Direct3D 9 demands and Direct3D 8 does not know.
    fn declare(&mut self, parser: &mut Parser, word: &str) -> Result<(), Failed> {
        static INPUT: &[Part] = &[Part::read("input", 0, &[Choice::reg(V, 0, &[])])];
        let (start, span) = (parser.token.start, parser.span());
        let usage = word.strip_prefix("dcl_").unwrap_or("").trim_end_matches(|c: char| c.is_ascii_digit());
        if !USAGES.contains(&usage) {
            let problem = Diagnostic::error(&UNKNOWN_MNEMONIC, format!("there is no declaration `{word}`"));
            let problem = problem.at(span);
            return parser.fail(match suggest::nearest(usage, USAGES) {
                Some(near) => problem.did_you_mean(&format!("dcl_{near}"), span, format!("dcl_{near}")),
                None => problem.help(format!("usages are {}", list(USAGES.into_iter()))),
            });
        }
        parser.advance();
        let (_, Operand { reg, .. }) = parser.register(word, INPUT, self)?;
        if let Some((letters, place)) = parser.letters() {
            parser.mask(&letters, place)?;
        }
        if !std::mem::replace(&mut self.reported_dcl, true) {
            let problem = Diagnostic::new(Severity::Note, &DECLARATION, "declared inputs keep their numbers");
            let text = format!("v{} is input {0}, whatever its usage", reg.index);
            let problem = problem.label(parser.since(start), text);
            parser.report(problem.note("on the Xbox the application says which data goes to which input"));
        }
        Ok(())
    }

    /// What the whole text mentions, also behind the place where the parser is.
    pub fn mentioned(&mut self, parser: &Parser) -> &mut HashSet<Reg> {
        self.mentioned.get_or_insert_with(|| mentioned(parser))
    }
}

/// What only the Xbox has about an operand; of a constant, with its number where numbers may be below 0.
pub fn xbox_only(operand: &Operand, written: bool, number: Option<i64>) -> Option<String> {
    match operand.reg {
        Reg { file: O, .. } if !written => Some("r12".to_owned()),
        // oB0 and oB1.
        Reg { file: O, index: 7 | 8 } => Some(format!("`{}`", ISA.reg_name(operand.reg))),
        Reg { file: C, .. } if number.is_some_and(|number| number < 0) => {
            Some("a constant below 0".to_owned())
        }
        _ => None,
    }
}

/// `-1.5e-3`, `.5`, `2.0f`
fn float(parser: &mut Parser) -> Result<f32, Failed> {
    let start = parser.token.start;
    let rest = &parser.file.text()[start..];
    let ends = |letter: char| !(letter.is_ascii_alphanumeric() || "_.+-".contains(letter));
    let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
    while !parser.at_end() && parser.token.start < start + word.len() {
        parser.advance();
    }
    let number = word.strip_suffix(['f', 'F']).unwrap_or(word);
    // Rust takes `inf` and `nan`, too.
    let digits = !number.contains(|letter: char| letter.is_ascii_alphabetic() && !"eE".contains(letter));
    match number.parse::<f32>().ok().filter(|_| digits) {
        Some(value) if value.is_finite() => Ok(value),
        Some(_) => {
            let message = "the number is too large for 32-bit floating point";
            let problem = Diagnostic::error(&OUT_OF_RANGE, message).at(parser.since(start));
            parser.fail(problem.help("the largest is 3.4028235e38"))
        }
        None => {
            let place = if word.is_empty() { parser.span() } else { parser.since(start) };
            let problem = Diagnostic::error(&EXPECTED_NUMBER, "expected a number").at(place);
            parser.fail(problem.help("for example `1`, `-0.5` or `2.5e-3`"))
        }
    }
}

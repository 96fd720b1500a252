//! What the Direct3D 8 dialect, and the Xbox's form of it, has beside instructions (spec section 11): version lines,
//! `def`, `dcl`, `nop`, macros, and rules about whole programs.

use crate::d3d_macros::{self, Mentioned};
use crate::dialect::Kind;
use crate::dialect::Limit;
use crate::encoding::FILLER;
use crate::regs::{A0, C, O, V, is_xbox_output};
use crate::rules::{A0_NOT_SET, DECLARATION, DEFINITION, HEADER, STATE_PROGRAM, XBOX_ONLY};
use gpuzoo_diag::{Diagnostic, Severity, Span, has_errors, suggest};
use gpuzoo_isa::codes::{EXPECTED_NUMBER, EXPECTED_REGISTER, OUT_OF_RANGE, UNKNOWN_MNEMONIC};
use gpuzoo_isa::{Choice, Constant, Failed, Form, Item, Language, Operand, Parser, Part, Written, list};

/// Usages of Direct3D 9's `dcl_usage`, each of which may have a number behind it.
#[rustfmt::skip]
const USAGES: [&str; 10] = [
    "position", "blendweight", "blendindices", "normal", "psize", "texcoord", "tangent", "binormal", "fog", "color",
];

/// Instructions that vs.1.1 allows.
pub const LIMIT: Limit = Limit { slots: 128, who: "vs.1.1 allows 128 instructions" };

/// What a version line allows.
#[derive(Clone, Copy)]
struct Version {
    xbox: bool,
    kind: Kind,
    writes_constants: bool,
}

const VERSIONS: [(&str, Version); 6] = {
    let version = Version { xbox: false, kind: Kind::Vertex, writes_constants: false };
    let xbox = Version { xbox: true, ..version };
    [
        ("vs.1.0", version),
        ("vs.1.1", version),
        ("vs_1_1", version),
        ("xvs.1.1", xbox),
        ("xvss.1.1", Version { kind: Kind::State, writes_constants: true, ..xbox }),
        ("xvsw.1.1", Version { writes_constants: true, ..xbox }),
    ]
};

/// What a text has said so far.
pub struct D3d {
    /// The constants so far.
    pub constants: Vec<Constant>,
    version: Version,
    header: Span,
    sets_a0: bool,
    /// `a0` read unset, and `dcl`, are reported once.
    reported_a0: bool,
    reported_dcl: bool,
    writes_constant: bool,
    mentioned: Option<Mentioned>,
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
            _ if d3d_macros::is_macro(&word) => Some(d3d_macros::read(self, parser, &word)),
            _ => None,
        }
    }

    fn instruction(
        &mut self,
        parser: &mut Parser,
        written: &Written,
        _form: Option<&'static Form>,
    ) -> Result<(), Failed> {
        let (op, file) = (written.inst.op, parser.file);
        let start = written.span.start as usize;
        if op.since.iter().any(|(name, _)| *name == parser.syntax.name) {
            let place = file.span(start..start + op.name.len());
            self.xbox_only(parser, &format!("`{}`", op.name), place);
        }
        if written.joined {
            let plus = file.text()[..start].rfind('+').unwrap_or(start);
            self.xbox_only(parser, "a pair", file.span(plus..plus + 1));
        }
        self.sets_a0 |= written.inst.operands[0].reg == A0;
        Ok(())
    }

    fn check(
        &mut self,
        parser: &mut Parser,
        operand: &Operand,
        written: bool,
        number: Option<i64>,
        span: Span,
    ) -> Result<(), Failed> {
        let is_state = self.version.kind == Kind::State;
        let fatal = match operand.reg.file {
            C if written && operand.relative => return crate::program::relative_write(parser, span),
            C if written && !self.version.writes_constants => {
                let message = "this kind of program writes no constants";
                Some((message, "`xvsw.1.1` and `xvss.1.1` do"))
            }
            O if written && is_state => {
                Some(("a state program writes no outputs", "this begins a state program"))
            }
            _ => None,
        };
        if let Some((message, why)) = fatal {
            let problem = Diagnostic::error(&STATE_PROGRAM, message).at(span);
            return parser.fail(problem.label(self.header, why));
        }
        self.writes_constant |= written && operand.reg.file == C;
        if operand.reg.file == O && !written {
            self.xbox_only(parser, "r12", span);
        } else if operand.reg.file == O && is_xbox_output(operand.reg.index) {
            self.xbox_only(parser, &format!("`{}`", parser.isa.reg_name(operand.reg)), span);
        } else if operand.reg.file == V && is_state && operand.reg.index != 0 {
            let problem = Diagnostic::error(&STATE_PROGRAM, "a state program reads v0 alone").at(span);
            parser.report(problem.help("it holds the four numbers that the program is launched with"));
        }
        if number.is_some_and(|number| number < 0) && parser.numbering.is_some_and(|map| map.least < 0) {
            self.xbox_only(parser, "a constant below 0", span);
        }
        if operand.relative && !self.sets_a0 && !std::mem::replace(&mut self.reported_a0, true) {
            let problem = Diagnostic::warning(&A0_NOT_SET, "a0 is read before it is set").at(span);
            parser.report(problem.help("set it with `mov a0.x, src.x`; it starts as 0"));
        }
        Ok(())
    }
}

impl D3d {
    /// Reads the version line.
    ///
    /// # Errors
    /// It is not one that runs here, which has been reported.
    pub fn begin(parser: &mut Parser) -> Result<D3d, Failed> {
        let start = parser.token.start;
        let rest = &parser.file.text()[start..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '_'));
        let word = &rest[..end.unwrap_or(rest.len())];
        let header = parser.file.span(start..start + word.len());
        while !parser.at_end() && parser.token.start < start + word.len() {
            parser.advance();
        }
        if let Some((_, version)) = VERSIONS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)) {
            return Ok(D3d {
                constants: Vec::new(),
                version: *version,
                header,
                sets_a0: false,
                reported_a0: false,
                reported_dcl: false,
                writes_constant: false,
                mentioned: None,
            });
        }
        let lower = word.to_ascii_lowercase();
        let later =
            |number| lower.starts_with(&format!("vs.{number}")) || lower.starts_with(&format!("vs_{number}"));
        let why = match lower.as_str() {
            _ if lower.starts_with("ps") => "it is a pixel shader",
            _ if later(2) => "vs 2 needs hardware that came after this chip",
            _ if later(3) => "vs 3 needs hardware that came after this chip",
            _ => "a text begins with its version: `vs.1.1` or `xvs.1.1`",
        };
        let shown: String = word.chars().take(40).collect();
        let problem = match shown.as_str() {
            "" => Diagnostic::error(&HEADER, "the version line is missing"),
            _ => Diagnostic::error(&HEADER, format!("`{shown}` cannot run here")),
        };
        let known = "versions are `vs.1.0`, `vs.1.1`, `xvs.1.1`, `xvss.1.1` and `xvsw.1.1`";
        parser.fail(problem.label(header, why).help(known))
    }

    /// The dialect's limit, where it is not the machine's.
    pub fn limit(&self) -> Option<Limit> {
        (!self.version.xbox).then_some(LIMIT)
    }

    /// True for a state program.
    pub fn is_state(&self) -> bool {
        self.version.kind == Kind::State
    }

    fn xbox_only(&self, parser: &mut Parser, what: &str, span: Span) {
        if self.version.xbox {
            return;
        }
        let problem = Diagnostic::error(&XBOX_ONLY, format!("{what} needs `xvs.1.1`")).at(span);
        let problem = problem.label(self.header, "this says that any Direct3D 8 can run it");
        parser.report(problem.fix("make it the Xbox's", self.header, "xvs.1.1"));
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
        self.constants.push(Constant { name: None, reg, count: 1, values: vec![value], span });
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
                Some(near) => problem.fix(format!("did you mean `dcl_{near}`?"), span, format!("dcl_{near}")),
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

    /// What concerns the whole program.
    pub fn end(&self, parser: &mut Parser) {
        let raw = parser.items.iter().any(|item| matches!(item, Item::Raw(..)));
        let silent = self.version.kind == Kind::State && !self.writes_constant && !raw;
        if silent && !has_errors(&parser.problems) {
            let problem = Diagnostic::error(&STATE_PROGRAM, "the state program writes no constant");
            parser.report(problem.at(self.header).help("nothing else that it does can be seen"));
        }
    }

    /// What the whole text mentions, also behind the place where the parser is.
    pub fn mentioned(&mut self, parser: &Parser) -> &mut Mentioned {
        self.mentioned.get_or_insert_with(|| Mentioned::of(parser))
    }
}

/// `-1.5e-3`, `.5`, `2.0f`
fn float(parser: &mut Parser) -> Result<f32, Failed> {
    let cursor = &mut parser.cursor;
    let start = cursor.token.start;
    let rest = &cursor.file.text()[start..];
    let bytes = rest.as_bytes();
    let digits = |from: usize| from + bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = digits(usize::from(rest.starts_with(['-', '+'])));
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'-' | b'+')));
        end = digits(end + 1 + sign);
    }
    let value = rest[..end].parse::<f32>();
    let end = start + end + usize::from(matches!(bytes.get(end), Some(b'f' | b'F')));
    // The number must be whole tokens: `1.5x` is not one.
    while !cursor.at_end() && cursor.token.start < end {
        cursor.advance();
    }
    match value {
        Ok(value) if cursor.previous_end == end && value.is_finite() => Ok(value),
        Ok(_) if cursor.previous_end == end => {
            let problem =
                Diagnostic::error(&OUT_OF_RANGE, "the number is too large for 32-bit floating point");
            cursor.fail(problem.at(cursor.file.span(start..end)).help("the largest is 3.4028235e38"))
        }
        _ => {
            let taken = cursor.file.span(start..cursor.previous_end.max(start));
            let place = if cursor.previous_end > start { taken } else { cursor.span() };
            let problem = Diagnostic::error(&EXPECTED_NUMBER, "expected a number").at(place);
            cursor.fail(problem.help("for example `1`, `-0.5` or `2.5e-3`"))
        }
    }
}

//! The Direct3D 8 dialect, and the Xbox's form of it (spec section 11).

use crate::d3d_macros::{self, Mentioned};
use crate::dialect::{ConstantMap, Kind};
use crate::encoding::encode;
use crate::listing::{Item, Limit, Listing};
use crate::read::{Cursor, Failed};
use crate::regs::{A, A0, C, O, OPOS, V};
use crate::rules::{
    A0_NOT_SET, DECLARATION, DEFINITION, HEADER, READ_ONLY, RELATIVE_WRITE, STATE_PROGRAM, WRITE_ONLY,
    XBOX_ONLY,
};
use crate::statement::{Source, Statement, Target};
use crate::syntax::D3D;
use gpuzoo_diag::{Diagnostic, File, Severity, Span, suggest};
use gpuzoo_isa::codes::{
    EXPECTED_NUMBER, EXPECTED_REGISTER, NO_SUCH_REGISTER, OUT_OF_RANGE, UNKNOWN_MNEMONIC,
};
use gpuzoo_isa::{Constant, Mask, Operand, Reg, TokenKind};

/// Mnemonic, row of the machine, number of sources, and whether it is the Xbox's alone.
type Row = (&'static str, &'static str, usize, bool);

#[rustfmt::skip]
const ROWS: [Row; 19] = [
    ("add", "add", 2, false), ("dp3", "dp3", 2, false), ("dp4", "dp4", 2, false), ("dph", "dph", 2, true),
    ("dst", "dst", 2, false), ("expp", "expp", 1, false), ("lit", "lit", 1, false), ("logp", "logp", 1, false),
    ("mad", "mad", 3, false), ("max", "max", 2, false), ("min", "min", 2, false), ("mov", "mov", 1, false),
    ("mul", "mul", 2, false), ("rcc", "rcc", 1, true), ("rcp", "rcp", 1, false), ("rsq", "rsq", 1, false),
    ("sge", "sge", 2, false), ("slt", "slt", 2, false), ("sub", "add", 2, false),
];

/// Output names with the machine's number; the last two are the Xbox's alone.
pub const OUTPUTS: [(&str, u16); 11] = [
    ("oPos", 0),
    ("oD0", 3),
    ("oD1", 4),
    ("oFog", 5),
    ("oPts", 6),
    ("oT0", 9),
    ("oT1", 10),
    ("oT2", 11),
    ("oT3", 12),
    ("oB0", 7),
    ("oB1", 8),
];

/// Usages of Direct3D 9's `dcl_usage`, each of which may have a number behind it.
const USAGES: [&str; 10] = [
    "position",
    "blendweight",
    "blendindices",
    "normal",
    "psize",
    "texcoord",
    "tangent",
    "binormal",
    "fog",
    "color",
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

/// A text that is being read.
pub struct Reader<'a> {
    /// The place in it.
    pub cursor: Cursor<'a>,
    /// The slots so far.
    pub items: Vec<Item>,
    /// The constants so far.
    pub constants: Vec<Constant>,
    version: Version,
    header: Span,
    sets_a0: bool,
    /// `a0` read unset, and `dcl`, are told once.
    told_a0: bool,
    told_dcl: bool,
    writes_constant: bool,
    mentioned: Option<Mentioned>,
}

/// Reads a text; what cannot be read is reported and skipped.
pub fn read(file: &File, map: ConstantMap) -> Listing {
    let cursor = Cursor::new(file, &D3D, map);
    let header = cursor.span();
    let mut reader = Reader {
        cursor,
        items: Vec::new(),
        constants: Vec::new(),
        version: VERSIONS[0].1,
        header,
        sets_a0: false,
        told_a0: false,
        told_dcl: false,
        writes_constant: false,
        mentioned: None,
    };
    if reader.header().is_ok() {
        while !reader.cursor.at_end() && !reader.cursor.gives_up() {
            let start = reader.cursor.token.start;
            if reader.item().is_err() {
                reader.cursor.recover(start, |_| false);
            }
        }
        reader.whole();
    }
    let limit = (!reader.version.xbox).then_some(LIMIT);
    let Reader { cursor, items, constants, .. } = reader;
    Listing { items, constants, problems: cursor.problems, limit }
}

impl Reader<'_> {
    fn header(&mut self) -> Result<(), Failed> {
        let start = self.cursor.token.start;
        let rest = &self.cursor.file.text()[start..];
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '_')).unwrap_or(rest.len());
        let word = &rest[..end];
        self.header = self.cursor.file.span(start..start + end);
        let Some((_, version)) = VERSIONS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)) else {
            let lower = word.to_ascii_lowercase();
            let why = match lower.as_str() {
                _ if lower.starts_with("ps") => "it is a pixel shader",
                _ if lower.starts_with("vs.2") || lower.starts_with("vs_2") => {
                    "vs 2 needs hardware that came after this chip"
                }
                _ if lower.starts_with("vs.3") || lower.starts_with("vs_3") => {
                    "vs 3 needs hardware that came after this chip"
                }
                _ => "a text begins with its version: `vs.1.1` or `xvs.1.1`",
            };
            let shown: String = word.chars().take(40).collect();
            let problem = match shown.as_str() {
                "" => Diagnostic::error(&HEADER, "the version line is missing"),
                _ => Diagnostic::error(&HEADER, format!("`{shown}` cannot run here")),
            };
            let problem = problem.label(self.header, why);
            let known = "versions are `vs.1.0`, `vs.1.1`, `xvs.1.1`, `xvss.1.1` and `xvsw.1.1`";
            return Err(self.cursor.fail(problem.help(known)));
        };
        self.version = *version;
        while !self.cursor.at_end() && self.cursor.token.start < start + end {
            self.cursor.advance();
        }
        Ok(())
    }

    fn item(&mut self) -> Result<(), Failed> {
        if self.cursor.at_raw() {
            let item = self.cursor.raw()?;
            self.items.push(item);
            return self.line_ends();
        }
        let plus = self.cursor.span();
        if self.cursor.eat("+") {
            let statement = self.instruction()?;
            if !self.version.xbox {
                self.xbox_only("a pair", plus);
            }
            match self.items.last_mut() {
                Some(Item::Group(group)) => group.push(statement),
                _ => {
                    let problem = Diagnostic::error(
                        &crate::rules::UNEXPECTED,
                        "there is no instruction before the `+`",
                    );
                    return Err(self
                        .cursor
                        .fail(problem.label(plus, "").help("a `+` joins an instruction to the one before")));
                }
            }
            return self.line_ends();
        }
        let word = self.cursor.text().to_ascii_lowercase();
        match word.as_str() {
            "nop" => {
                let span = self.cursor.span();
                self.cursor.advance();
                self.items.push(Item::Raw(encode(None, None), span));
            }
            "def" => self.define()?,
            _ if word.starts_with("dcl") => self.declare()?,
            _ if d3d_macros::is_macro(&word) => d3d_macros::read(self, &word)?,
            _ => {
                let statement = self.instruction()?;
                self.items.push(Item::Group(vec![statement]));
            }
        }
        self.line_ends()
    }

    /// One instruction a line.
    fn line_ends(&mut self) -> Result<(), Failed> {
        if self.cursor.at_end() || self.cursor.token.first || self.cursor.is("+") {
            return Ok(());
        }
        Err(self.cursor.unexpected("the end of the line", "each instruction has a line of its own"))
    }

    fn xbox_only(&mut self, what: &str, span: Span) {
        let problem = Diagnostic::error(&XBOX_ONLY, format!("{what} needs `xvs.1.1`")).label(span, "");
        let problem = problem.label(self.header, "this says that any Direct3D 8 can run it");
        self.cursor.problems.push(problem.fix("make it the Xbox's", self.header, "xvs.1.1"));
    }

    /// `def c5, 1, 0.5, -2, 0`
    fn define(&mut self) -> Result<(), Failed> {
        let start = self.cursor.token.start;
        self.cursor.advance();
        let at = self.cursor.token.start;
        let (reg, relative) = self.register()?;
        let span = self.cursor.since(at);
        if reg.file != C || relative {
            let problem = Diagnostic::error(&EXPECTED_REGISTER, "`def` sets a constant").label(span, "");
            return Err(self.cursor.fail(problem.help("it is written `def c5, 1, 0.5, -2, 0`")));
        }
        let mut value = [0; 4];
        for lane in &mut value {
            self.cursor.expect(",", "`def` takes a constant and four numbers, with commas between")?;
            *lane = self.float()?.to_bits();
        }
        let span = self.cursor.since(start);
        if let Some(at) = self.constants.iter().position(|constant| constant.reg == reg) {
            let earlier = self.constants.remove(at);
            let problem =
                Diagnostic::warning(&DEFINITION, "the constant is defined twice").label(span, "this holds");
            self.cursor.problems.push(problem.label(earlier.span, "this is lost").help("leave one out"));
        }
        self.constants.push(Constant { name: None, reg, count: 1, values: vec![value], span });
        Ok(())
    }

    /// `-1.5e-3`, `.5`, `2.0f`
    fn float(&mut self) -> Result<f32, Failed> {
        let start = self.cursor.token.start;
        let rest = &self.cursor.file.text()[start..];
        let bytes = rest.as_bytes();
        let digits =
            |from: usize| from + bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let mut end = digits(usize::from(rest.starts_with(['-', '+'])));
        if bytes.get(end) == Some(&b'.') {
            end = digits(end + 1);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'-' | b'+')));
            end = digits(end + 1 + sign);
        }
        let number = &rest[..end];
        let end = start + end + usize::from(matches!(bytes.get(end), Some(b'f' | b'F')));
        let value = number.parse::<f32>();
        // The number must be whole tokens: `1.5x` is none.
        while !self.cursor.at_end() && self.cursor.token.start < end {
            self.cursor.advance();
        }
        match value {
            Ok(value) if self.cursor.previous_end == end && value.is_finite() => Ok(value),
            Ok(_) if self.cursor.previous_end == end => {
                let problem =
                    Diagnostic::error(&OUT_OF_RANGE, "the number is too large for 32-bit floating point");
                Err(self.cursor.fail(
                    problem.label(self.cursor.file.span(start..end), "").help("the largest is 3.4028235e38"),
                ))
            }
            _ => {
                let taken = self.cursor.file.span(start..self.cursor.previous_end.max(start));
                let place = if self.cursor.previous_end > start { taken } else { self.cursor.span() };
                let problem = Diagnostic::error(&EXPECTED_NUMBER, "expected a number").label(place, "");
                Err(self.cursor.fail(problem.help("for example `1`, `-0.5` or `2.5e-3`")))
            }
        }
    }

    /// `dcl_position v0`, which Direct3D 9 demands and Direct3D 8 does not know.
    fn declare(&mut self) -> Result<(), Failed> {
        let start = self.cursor.token.start;
        let (word, span) = (self.cursor.text().to_ascii_lowercase(), self.cursor.span());
        let usage = word.strip_prefix("dcl_").unwrap_or("").trim_end_matches(|c: char| c.is_ascii_digit());
        if !USAGES.contains(&usage) {
            let problem = Diagnostic::error(&UNKNOWN_MNEMONIC, format!("there is no declaration `{word}`"))
                .label(span, "");
            let usages = format!("usages are {}", gpuzoo_isa::list(USAGES.into_iter()));
            let problem = match suggest::nearest(usage, USAGES) {
                Some(near) => problem.fix(format!("did you mean `dcl_{near}`?"), span, format!("dcl_{near}")),
                None => problem.help(usages),
            };
            return Err(self.cursor.fail(problem));
        }
        self.cursor.advance();
        let at = self.cursor.token.start;
        let (reg, _) = self.register()?;
        let (place, span) = (self.cursor.since(at), self.cursor.since(start));
        if reg.file != V {
            let problem =
                Diagnostic::error(&EXPECTED_REGISTER, "a declaration names an input").label(place, "");
            return Err(self.cursor.fail(problem.help(format!("for example `{word} v0`"))));
        }
        self.cursor.mask()?;
        if !std::mem::replace(&mut self.told_dcl, true) {
            let problem = Diagnostic::new(Severity::Note, &DECLARATION, "declared inputs keep their numbers");
            let problem = problem.label(span, format!("v{} is input {0}, whatever its usage", reg.index));
            self.cursor
                .problems
                .push(problem.note("on the Xbox the application says which data goes to which input"));
        }
        Ok(())
    }

    fn instruction(&mut self) -> Result<Statement, Failed> {
        let start = self.cursor.token.start;
        let (word, span) = (self.cursor.text().to_ascii_lowercase(), self.cursor.span());
        let Some(&(shown, name, count, xbox)) = ROWS.iter().find(|row| row.0 == word) else {
            return Err(self.unknown(&word, span));
        };
        self.cursor.advance();
        if xbox && !self.version.xbox {
            self.xbox_only(&format!("`{shown}`"), span);
        }
        let target = self.target(shown)?;
        let mut sources = Vec::with_capacity(3);
        for _ in 0..count {
            self.cursor.comma(shown, count)?;
            sources.push(self.source()?);
        }
        if shown == "sub" {
            sources[1].operand.negate ^= true;
        }
        let is_address = target.operand.reg == A0;
        self.sets_a0 |= is_address;
        let name = if is_address { "arl" } else { name };
        Ok(Statement { name, target, sources, span: self.cursor.since(start) })
    }

    fn unknown(&mut self, word: &str, span: Span) -> Failed {
        if self.cursor.token.kind != TokenKind::Word {
            return self
                .cursor
                .unexpected("an instruction", "a line begins with an instruction, `def` or `+`");
        }
        let problem = Diagnostic::error(&UNKNOWN_MNEMONIC, format!("there is no instruction `{word}`"));
        let problem = problem.label(span, "not a mnemonic");
        let names = ROWS.iter().map(|row| row.0).chain(d3d_macros::NAMES).chain(["def", "nop"]);
        let problem = match word {
            "arl" | "mova" => problem.fix("the address register is written by `mov`", span, "mov"),
            "abs" => problem.help("`abs d, a` is `max d, a, -a`"),
            _ if d3d_macros::is_macro(word) => {
                problem.help("a macro stands for several slots and cannot be paired")
            }
            _ => match suggest::nearest(word, names) {
                Some(near) => problem.fix(format!("did you mean `{near}`?"), span, near),
                None => problem.help("vs.1.1 has no such instruction"),
            },
        };
        self.cursor.fail(problem)
    }

    /// A destination.
    pub fn target(&mut self, name: &str) -> Result<Target, Failed> {
        let start = self.cursor.token.start;
        let (reg, relative) = self.register()?;
        let span = self.cursor.since(start);
        let is_r12 = reg == OPOS && self.cursor.file.slice(span).starts_with(['r', 'R']);
        let fatal = match reg.file {
            V => Some(Diagnostic::error(&READ_ONLY, "inputs are read only").label(span, "")),
            A if name != "mov" => {
                let problem = Diagnostic::error(&READ_ONLY, "a0 is written by `mov` alone").label(span, "");
                Some(problem.help("`mov a0.x, src.x`"))
            }
            O if is_r12 => {
                let problem = Diagnostic::error(&READ_ONLY, "r12 is read only").label(span, "");
                Some(problem.fix("it is a name of oPos", span, "oPos"))
            }
            C if relative => Some(
                Diagnostic::error(&RELATIVE_WRITE, "a constant that is written has no a0").label(span, ""),
            ),
            C if !self.version.writes_constants => {
                let problem = Diagnostic::error(&STATE_PROGRAM, "this kind of program writes no constants")
                    .label(span, "");
                let problem = problem.label(self.header, "`xvsw.1.1` and `xvss.1.1` do");
                Some(problem)
            }
            O if self.version.kind == Kind::State => {
                let problem =
                    Diagnostic::error(&STATE_PROGRAM, "a state program writes no outputs").label(span, "");
                Some(problem.label(self.header, "this begins a state program"))
            }
            _ => None,
        };
        if let Some(problem) = fatal {
            return Err(self.cursor.fail(problem));
        }
        self.writes_constant |= reg.file == C;
        let mask = self.cursor.mask()?;
        let span = self.cursor.since(start);
        if reg == A0 && mask != Mask(1) {
            let problem = Diagnostic::error(&crate::rules::BAD_MASK, "the address register has one lane")
                .label(span, "");
            return Err(self.cursor.fail(problem.fix("write", span, "a0.x")));
        }
        let mask = if reg == A0 { Mask::ALL } else { mask };
        Ok(Target { operand: Operand { reg, mask, ..Operand::default() }, span })
    }

    /// A source.
    pub fn source(&mut self) -> Result<Source, Failed> {
        let start = self.cursor.token.start;
        let negate = self.cursor.eat("-");
        let at = self.cursor.token.start;
        let (reg, relative) = self.register()?;
        let span = self.cursor.since(at);
        let is_r12 = reg == OPOS && self.cursor.file.slice(span).starts_with(['r', 'R']);
        if reg.file == O && !is_r12 || reg == A0 {
            let problem =
                Diagnostic::error(&WRITE_ONLY, format!("`{}` cannot be read", self.cursor.file.slice(span)));
            let problem = problem.label(span, "");
            let problem = match reg == OPOS && self.version.xbox {
                true => problem.fix("oPos is read as r12", span, "r12"),
                false => problem.help("keep the value in a temporary"),
            };
            return Err(self.cursor.fail(problem));
        }
        if is_r12 && !self.version.xbox {
            self.xbox_only("r12", span);
        }
        if reg.file == V && self.version.kind == Kind::State && reg.index != 0 {
            let problem = Diagnostic::error(&STATE_PROGRAM, "a state program reads v0 alone").label(span, "");
            self.cursor
                .problems
                .push(problem.help("it holds the four numbers that the program is launched with"));
        }
        if relative && !self.sets_a0 && !std::mem::replace(&mut self.told_a0, true) {
            let problem = Diagnostic::warning(&A0_NOT_SET, "a0 is read before it is set").label(span, "");
            self.cursor.problems.push(problem.help("set it with `mov a0.x, src.x`; it starts as 0"));
        }
        let swizzle = self.cursor.swizzle()?;
        let operand = Operand { reg, swizzle, negate, relative, ..Operand::default() };
        Ok(Source { operand, span: self.cursor.since(start) })
    }

    /// A register of any kind, and whether a0 is added to its number.
    fn register(&mut self) -> Result<(Reg, bool), Failed> {
        let (word, span) = (self.cursor.text(), self.cursor.span());
        if self.cursor.token.kind != TokenKind::Word {
            return Err(self.cursor.unexpected("a register", "r0, v0, c0, c[a0.x + 1], oPos"));
        }
        self.cursor.advance();
        let numbered = word.len() > 1 && word.as_bytes()[1..].iter().all(|byte| byte.is_ascii_digit());
        match word.as_bytes()[0] {
            b'r' | b'R' | b'v' | b'V' if numbered => return Ok((self.cursor.numbered(word, span)?, false)),
            b'c' | b'C' if numbered => {
                return Ok((self.cursor.constant(word[1..].parse().unwrap_or(i64::MAX), span)?, false));
            }
            b'c' | b'C' if word.len() == 1 => return self.constant(),
            b'a' | b'A' if word.eq_ignore_ascii_case("a0") => return Ok((A0, false)),
            _ => {}
        }
        if let Some((name, index)) = OUTPUTS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)) {
            if name.starts_with("oB") && !self.version.xbox {
                self.xbox_only(&format!("`{name}`"), span);
            }
            return Ok((Reg { file: O, index: *index }, false));
        }
        let numbered_output =
            word.len() == 3 && ["od", "ot", "ob"].contains(&word[..2].to_ascii_lowercase().as_str());
        if numbered_output && word.as_bytes()[2].is_ascii_digit() {
            let problem =
                Diagnostic::error(&NO_SUCH_REGISTER, format!("there is no output `{word}`")).label(span, "");
            return Err(self
                .cursor
                .fail(problem.help("they are oD0, oD1, oT0 to oT3, and on the Xbox oB0 and oB1")));
        }
        let problem =
            Diagnostic::error(&EXPECTED_REGISTER, format!("`{word}` is no register")).label(span, "");
        let problem = match suggest::nearest(word, OUTPUTS.iter().map(|(name, _)| *name)) {
            Some(near) => problem.fix(format!("did you mean `{near}`?"), span, near),
            None => problem
                .help("registers are r0 to r11, v0 to v15, c0 to c95, a0.x and names as oPos, oD0, oT0"),
        };
        Err(self.cursor.fail(problem))
    }

    /// What follows a `c`: `-38`, `[5]`, `[-38]`, `[a0.x]`, `[a0.x + 5]`, `[a0.x - 5]`, `[5 + a0.x]`.
    fn constant(&mut self) -> Result<(Reg, bool), Failed> {
        let start = self.cursor.previous_end - 1;
        let bracket = self.cursor.eat("[");
        let mut relative = bracket && self.address()?;
        let minus = self.cursor.is("-");
        let signed = self.cursor.eat("-") || relative && self.cursor.eat("+");
        let mut number = 0;
        if signed || !relative {
            if !bracket {
                self.cursor.split_number();
            }
            number = self.cursor.number("a constant's number", u64::from(u16::MAX))? as i64;
            number = if minus { -number } else { number };
        }
        if bracket && !relative && self.cursor.eat("+") {
            relative = self.address()?;
            if !relative {
                return Err(self.cursor.unexpected("`a0.x`", "only the address register can be added"));
            }
        }
        if bracket {
            self.cursor.expect("]", "the number ends here")?;
        }
        let span = self.cursor.since(start);
        if number < 0 && !self.version.xbox && self.cursor.map == ConstantMap::D3d {
            self.xbox_only("a constant below 0", span);
        }
        Ok((self.cursor.constant(number, span)?, relative))
    }

    fn address(&mut self) -> Result<bool, Failed> {
        if !self.cursor.text().eq_ignore_ascii_case("a0") {
            return Ok(false);
        }
        self.cursor.advance();
        if !(self.cursor.eat(".x") || self.cursor.eat(".X")) {
            return Err(self.cursor.unexpected("`.x`", "the address register is written `a0.x`"));
        }
        Ok(true)
    }

    /// What concerns the whole program.
    fn whole(&mut self) {
        let raw = self.items.iter().any(|item| matches!(item, Item::Raw(..)));
        if self.version.kind == Kind::State
            && !self.writes_constant
            && !raw
            && !gpuzoo_diag::has_errors(&self.cursor.problems)
        {
            let problem = Diagnostic::error(&STATE_PROGRAM, "the state program writes no constant")
                .label(self.header, "");
            self.cursor.problems.push(problem.help("nothing else that it does can be seen"));
        }
    }

    /// What the whole text mentions, also behind the place where the reader is.
    pub fn mentioned(&mut self) -> &mut Mentioned {
        let (file, map) = (self.cursor.file, self.cursor.map);
        self.mentioned.get_or_insert_with(|| Mentioned::of(file, map))
    }
}

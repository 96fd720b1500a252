//! The nv2a_vsh_asm dialect (spec section 9): pairing with `+`, uniforms, two macros.

use crate::dialect::ConstantMap;
use crate::listing::{Item, Listing};
use crate::pair::refused;
use crate::read::{Cursor, Failed};
use crate::regs::{A0, C, CONSTANTS, O, OPOS, R, V};
use crate::rules::{IGNORED_MASK, MACRO, READ_ONLY, RELATIVE_WRITE, UNIFORM, WRITE_ONLY};
use crate::statement::{Source, Statement, Target};
use crate::syntax::VSH;
use gpuzoo_diag::{Diagnostic, File, Span, suggest};
use gpuzoo_isa::codes::{EXPECTED_REGISTER, UNKNOWN_MNEMONIC};
use gpuzoo_isa::{Constant, Mask, Operand, Reg, Swizzle, TokenKind};
use std::collections::HashMap;

/// Every mnemonic, with its number of sources.
const MNEMONICS: [(&str, usize); 19] = [
    ("add", 2),
    ("arl", 1),
    ("dp3", 2),
    ("dp4", 2),
    ("dph", 2),
    ("dst", 2),
    ("expp", 1),
    ("lit", 1),
    ("logp", 1),
    ("mad", 3),
    ("max", 2),
    ("min", 2),
    ("mov", 1),
    ("mul", 2),
    ("rcc", 1),
    ("rcp", 1),
    ("rsq", 1),
    ("sge", 2),
    ("slt", 2),
];

/// Input names by number.
pub const INPUT_NAMES: [&str; 13] = [
    "iPos",
    "iWeight",
    "iNormal",
    "iDiffuse",
    "iSpecular",
    "iFog",
    "iPts",
    "iBackDiffuse",
    "iBackSpecular",
    "iTex0",
    "iTex1",
    "iTex2",
    "iTex3",
];

/// Output names with their hardware index.
const OUTPUTS: [(&str, u16); 19] = [
    ("oPos", 0),
    ("oD0", 3),
    ("oDiffuse", 3),
    ("oD1", 4),
    ("oSpecular", 4),
    ("oFog", 5),
    ("oPts", 6),
    ("oB0", 7),
    ("oBackDiffuse", 7),
    ("oB1", 8),
    ("oBackSpecular", 8),
    ("oT0", 9),
    ("oT1", 10),
    ("oT2", 11),
    ("oT3", 12),
    ("oTex0", 9),
    ("oTex1", 10),
    ("oTex2", 11),
    ("oTex3", 12),
];

/// A named range of constants.
#[derive(Clone, Debug, PartialEq)]
pub struct Uniform {
    /// Its name, without `#`.
    pub name: String,
    /// The machine's number of its first constant; past the last one if that has been reported.
    pub first: u32,
    /// 1 for a vector, 4 for a matrix.
    pub rows: u16,
    /// Where it is defined.
    pub span: Span,
}

impl Uniform {
    /// The constant of a row. An index past c191 has been reported at the definition.
    fn row(&self, row: u16) -> Reg {
        Reg { file: C, index: (self.first + u32::from(row)).min(u32::from(CONSTANTS) - 1) as u16 }
    }
}

/// Reads a text; what cannot be read is reported and skipped.
pub fn read(file: &File, map: ConstantMap) -> Listing {
    let cursor = Cursor::new(file, &VSH, map);
    let mut reader = Reader { cursor, items: Vec::new(), uniforms: Vec::new(), by_name: HashMap::new() };
    reader.comments();
    while !reader.cursor.at_end() && !reader.cursor.gives_up() {
        let start = reader.cursor.token.start;
        if reader.item().is_err() {
            reader
                .cursor
                .recover(start, |word| MNEMONICS.iter().any(|(name, _)| name.eq_ignore_ascii_case(word)));
        }
    }
    let constant = |uniform: Uniform| Constant {
        reg: uniform.row(0),
        name: Some(uniform.name),
        count: uniform.rows,
        values: Vec::new(),
        span: uniform.span,
    };
    let constants = reader.uniforms.into_iter().map(constant).collect();
    Listing { items: reader.items, constants, problems: reader.cursor.problems, ..Listing::default() }
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    items: Vec<Item>,
    uniforms: Vec<Uniform>,
    by_name: HashMap<String, usize>,
}

impl Reader<'_> {
    /// Comments that the reference refuses: a block with something behind it, a line at the end of the file.
    fn comments(&mut self) {
        let file = self.cursor.file;
        let text = file.text();
        let (mut at, mut blocks) = (0, 0);
        while let Some(found) = text[at..].find([';', '/']) {
            let start = at + found;
            let rest = &text[start..];
            if rest.starts_with(';') || rest.starts_with("//") {
                let Some(end) = rest.find('\n') else {
                    let place = file.span(start..text.len());
                    let problem = refused(place, "a comment without a line break behind it");
                    return self.cursor.problems.push(problem);
                };
                at = start + end;
            } else if let Some(inner) = rest.strip_prefix("/*") {
                // One that the text ends in is reported where it is read.
                let Some(length) = inner.find("*/") else { return };
                let end = start + 2 + length;
                at = end + 2;
                if at < text.len() && !text[at..].starts_with(['\n', '\r']) && blocks < 100 {
                    blocks += 1;
                    let what = "a block comment without a line break right behind it";
                    self.cursor.problems.push(refused(file.span(end..at), what));
                }
            } else {
                at = start + 1;
            }
        }
    }

    fn item(&mut self) -> Result<(), Failed> {
        match self.cursor.text() {
            "#" => self.uniform(),
            "%" => self.shorthand(),
            _ if self.cursor.at_raw() => {
                let item = self.cursor.raw()?;
                self.items.push(item);
                Ok(())
            }
            _ => self.group(),
        }
    }

    /// `#name vector N` or `#name matrix4 N`
    fn uniform(&mut self) -> Result<(), Failed> {
        let start = self.cursor.token.start;
        let (name, span) = self.uniform_name()?;
        let kind = self.cursor.text().to_ascii_lowercase();
        let rows = match kind.as_str() {
            "vector" => 1,
            "matrix4" => 4,
            _ => {
                return Err(self
                    .cursor
                    .unexpected("`vector` or `matrix4`", "a definition is `#name vector 5`"));
            }
        };
        self.cursor.advance();
        let number = self.cursor.span();
        let first = self.cursor.number("the number of the uniform's first constant", u64::from(u16::MAX))?;
        let first = first as u32 + self.cursor.map.offset();
        if let Some(known) = self.find(&name) {
            let problem =
                Diagnostic::error(&UNIFORM, format!("`#{name}` is defined twice")).label(span, "again here");
            let problem = problem.label(known.span, "first here");
            return Err(self.cursor.fail(problem));
        }
        if first + u32::from(rows) > u32::from(CONSTANTS) {
            let last = first + u32::from(rows) - 1 - self.cursor.map.offset();
            let problem = Diagnostic::error(&UNIFORM, format!("`#{name}` ends at c{last}"));
            let problem = problem.label(number, format!("constants end at c{}", self.cursor.map.range().1));
            self.cursor.problems.push(problem.note("nv2a_vsh_asm lets it wrap to 8 bits"));
        }
        self.by_name.insert(name.clone(), self.uniforms.len());
        self.uniforms.push(Uniform { name, first, rows, span: self.cursor.since(start) });
        Ok(())
    }

    fn uniform_name(&mut self) -> Result<(String, Span), Failed> {
        let start = self.cursor.token.start;
        self.cursor.expect("#", "a uniform's name begins with `#`")?;
        let word =
            matches!(self.cursor.token.kind, TokenKind::Word | TokenKind::Number) && self.cursor.adjacent();
        // A name may begin with a digit: `#2nd.xyz`.
        self.cursor.split_number();
        if !word {
            return Err(self
                .cursor
                .unexpected("a name", "letters, digits and underscores right after the `#`"));
        }
        let name = self.cursor.text().to_owned();
        self.cursor.advance();
        Ok((name, self.cursor.since(start)))
    }

    /// A use: its uniform and its place.
    fn find(&self, name: &str) -> Option<&Uniform> {
        self.by_name.get(name).map(|index| &self.uniforms[*index])
    }

    fn known_uniform(&mut self) -> Result<(Uniform, Span), Failed> {
        let (name, span) = self.uniform_name()?;
        if let Some(uniform) = self.find(&name) {
            return Ok((uniform.clone(), span));
        }
        let problem =
            Diagnostic::error(&UNIFORM, format!("`#{name}` is not defined")).label(span, "not known here");
        // So many can have constants of their own; to look at more for each of many unknown names would take long.
        let known = self.uniforms.iter().take(usize::from(CONSTANTS));
        let names: Vec<String> = known.map(|uniform| uniform.name.clone()).collect();
        let problem = match suggest::nearest(&name, names.iter().map(String::as_str)) {
            Some(near) => problem.fix(format!("did you mean `#{near}`?"), span, format!("#{near}")),
            None => problem.help(format!("define it first: `#{name} vector 0`")),
        };
        Err(self.cursor.fail(problem))
    }

    /// `stmt + stmt`
    fn group(&mut self) -> Result<(), Failed> {
        let mut group = vec![self.statement()?];
        while self.cursor.eat("+") {
            group.push(self.statement()?);
        }
        self.items.push(Item::Group(group));
        Ok(())
    }

    fn statement(&mut self) -> Result<Statement, Failed> {
        let start = self.cursor.token.start;
        let word = self.cursor.text();
        let known = MNEMONICS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
        let is_lower = |byte: u8| byte.is_ascii_lowercase();
        let one_case = !word.bytes().any(is_lower) || !word.bytes().any(|byte| byte.is_ascii_uppercase());
        let Some(&(name, count)) = known.filter(|_| one_case) else {
            return Err(self.unknown(word));
        };
        self.cursor.advance();
        let target = self.target(name)?;
        let mut sources = Vec::with_capacity(count);
        for _ in 0..count {
            self.cursor.comma(name, count)?;
            sources.push(self.source()?);
        }
        if self.cursor.is(",") {
            return Err(self
                .cursor
                .unexpected("the next instruction", &format!("`{name}` takes {count} sources")));
        }
        Ok(Statement { name, target, sources, span: self.cursor.since(start) })
    }

    fn unknown(&mut self, word: &str) -> Failed {
        if self.cursor.token.kind != TokenKind::Word {
            return self
                .cursor
                .unexpected("an instruction", "a statement begins with a mnemonic, `#` or `%`");
        }
        let problem = Diagnostic::error(&UNKNOWN_MNEMONIC, format!("there is no instruction `{word}`"));
        let problem = problem.label(self.cursor.span(), "not a mnemonic");
        let lower = word.to_ascii_lowercase();
        let other = match lower.as_str() {
            "sub" => Some("`sub d, a, b` is `add d, a, -b`"),
            "abs" => Some("`abs d, a` is `max d, a, -a`"),
            "nop" => Some("leave it out; no statement stands for an empty slot"),
            "def" => Some("constants are set by the program that draws; `#name vector N` gives one a name"),
            _ => None,
        };
        let problem = match (other, suggest::nearest(&lower, MNEMONICS.iter().map(|(name, _)| *name))) {
            (Some(help), _) => problem.help(help),
            (None, Some(near)) => problem.fix(format!("did you mean `{near}`?"), self.cursor.span(), near),
            (None, None) => problem.help("mnemonics are all lower or all upper case"),
        };
        self.cursor.fail(problem)
    }

    fn target(&mut self, name: &str) -> Result<Target, Failed> {
        let start = self.cursor.token.start;
        let (reg, relative) = self.register(true)?;
        let span = self.cursor.since(start);
        let named = |problem: Diagnostic, text: &str| problem.label(span, text);
        let problem = if (reg == A0) != (name == "arl") {
            let text = if name == "arl" { "`arl` writes A0" } else { "A0 is written by `arl` alone" };
            Some(
                named(Diagnostic::error(&READ_ONLY, text), "")
                    .help("the address register is written `arl a0, src`"),
            )
        } else if reg.file == V {
            Some(named(Diagnostic::error(&READ_ONLY, "inputs are read only"), ""))
        } else if reg == OPOS && self.cursor.file.slice(span).starts_with(['r', 'R']) {
            Some(
                named(Diagnostic::error(&READ_ONLY, "r12 is read only"), "")
                    .help("it is a name of oPos; write `oPos`"),
            )
        } else if relative {
            Some(named(Diagnostic::error(&RELATIVE_WRITE, "a constant that is written has no A0"), ""))
        } else {
            None
        };
        if let Some(problem) = problem {
            return Err(self.cursor.fail(problem));
        }
        let mask = self.cursor.mask()?;
        let span = self.cursor.since(start);
        if reg == A0 && mask != Mask::ALL && mask != Mask(1) {
            let problem =
                Diagnostic::warning(&IGNORED_MASK, "A0 has no lanes; the mask is ignored").label(span, "");
            self.cursor.problems.push(problem.note("the first lane of the source's swizzle is used"));
        } else if reg == A0 && mask == Mask::ALL && self.cursor.file.slice(span).contains('.') {
            let problem =
                Diagnostic::warning(&IGNORED_MASK, "A0 has no lanes; the mask is ignored").label(span, "");
            self.cursor.problems.push(problem);
        }
        Ok(Target { operand: Operand { reg, mask, ..Operand::default() }, span })
    }

    fn source(&mut self) -> Result<Source, Failed> {
        let start = self.cursor.token.start;
        let negate = self.cursor.eat("-");
        let at = self.cursor.token.start;
        let (reg, relative) = self.register(false)?;
        let span = self.cursor.since(at);
        let is_output = reg.file == O && !self.cursor.file.slice(span).starts_with(['r', 'R']);
        if is_output || reg == A0 {
            let problem =
                Diagnostic::error(&WRITE_ONLY, format!("`{}` cannot be read", self.cursor.file.slice(span)));
            let problem = problem.label(span, "");
            let problem = if reg == OPOS { problem.fix("oPos is read as r12", span, "r12") } else { problem };
            return Err(self.cursor.fail(problem));
        }
        let swizzle = self.cursor.swizzle()?;
        let operand = Operand { reg, swizzle, negate, relative, ..Operand::default() };
        Ok(Source { operand, span: self.cursor.since(start) })
    }

    /// A register of any kind, and whether A0 is added to its number.
    fn register(&mut self, destination: bool) -> Result<(Reg, bool), Failed> {
        if self.cursor.is("#") {
            return Ok((self.uniform_register()?, false));
        }
        let (word, span) = (self.cursor.text(), self.cursor.span());
        if self.cursor.token.kind != TokenKind::Word {
            return Err(self
                .cursor
                .unexpected("a register", "r0 to r12, v0 to v15, c0 to c191, or a name as iPos and oPos"));
        }
        self.cursor.advance();
        let numbered =
            word.len() > 1 && word.is_char_boundary(1) && word[1..].bytes().all(|byte| byte.is_ascii_digit());
        match word.as_bytes()[0] {
            b'r' | b'R' | b'v' | b'V' | b'c' | b'C' if numbered => {
                return Ok((self.cursor.numbered(word, span)?, false));
            }
            b'c' | b'C' if word.len() == 1 => return self.bracketed(),
            b'a' | b'A' if word.eq_ignore_ascii_case("a0") => return Ok((A0, false)),
            _ => {}
        }
        if let Some(index) = INPUT_NAMES.iter().position(|name| *name == word) {
            return Ok((Reg { file: V, index: index as u16 }, false));
        }
        if let Some((_, index)) = OUTPUTS.iter().find(|(name, _)| *name == word) {
            return Ok((Reg { file: O, index: *index }, false));
        }
        let names = OUTPUTS.iter().map(|(name, _)| *name).chain(INPUT_NAMES);
        let problem =
            Diagnostic::error(&EXPECTED_REGISTER, format!("`{word}` is no register")).label(span, "");
        let problem = match suggest::nearest(word, names) {
            Some(near) => problem.fix(format!("did you mean `{near}`?"), span, near),
            None if destination => {
                problem.help("destinations are r0 to r11, c0 to c191 and names as oPos, oD0, oT0")
            }
            None => {
                problem.help("sources are r0 to r12, v0 to v15, c0 to c191, c[A0+n] and names as iPos, iTex0")
            }
        };
        Err(self.cursor.fail(problem))
    }

    /// `[5]`, `[A0+5]`, `[5+A0]` after a `c`.
    fn bracketed(&mut self) -> Result<(Reg, bool), Failed> {
        self.cursor.expect("[", "a constant is `c5`, `c[5]` or `c[A0+5]`")?;
        let tight = self.cursor.adjacent();
        let inner = self.cursor.token.start;
        let mut relative = self.address()?;
        if relative {
            self.cursor.expect("+", "an offset is required: `c[A0+0]`")?;
        }
        let at = self.cursor.span();
        let number = self.cursor.number("a constant's number", u64::from(u16::MAX))?;
        let reg = self.cursor.constant(number as i64, at)?;
        if !relative && self.cursor.eat("+") {
            relative = self.address()?;
            if !relative {
                return Err(self.cursor.unexpected("`A0`", "only the address register can be added"));
            }
        }
        let spaced = !(relative || tight && self.cursor.adjacent());
        if spaced {
            let problem = Diagnostic::error(&crate::rules::UNEXPECTED, "blanks in a plain index");
            return Err(self.cursor.fail(problem.label(self.cursor.since(inner), "write `c[5]`")));
        }
        self.cursor.expect("]", "the index ends here")?;
        Ok((reg, relative))
    }

    fn address(&mut self) -> Result<bool, Failed> {
        if !self.cursor.text().eq_ignore_ascii_case("a0") {
            return Ok(false);
        }
        let span = self.cursor.span();
        if self.cursor.is("a0") {
            self.cursor.problems.push(refused(span, "a lower case `a0` in brackets"));
        }
        self.cursor.advance();
        if self.cursor.token.kind == TokenKind::Directive {
            return Err(self
                .cursor
                .unexpected("`+` or `]`", "the address register is written `A0`, without a lane"));
        }
        Ok(true)
    }

    /// `#vector`, `#vector[0]` or `#matrix[row]`
    fn uniform_register(&mut self) -> Result<Reg, Failed> {
        let (uniform, _) = self.known_uniform()?;
        let mut row = 0;
        if self.cursor.is("[") && self.cursor.adjacent() {
            self.cursor.advance();
            if !self.cursor.text().bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(self.cursor.unexpected("a row", "rows of a uniform are plain numbers"));
            }
            let at = self.cursor.span();
            row = self.cursor.number("a row", u64::from(u16::MAX))? as u16;
            self.cursor.expect("]", "the row ends here")?;
            if row >= uniform.rows {
                let message = format!("`#{}` has no row {row}", uniform.name);
                let problem =
                    Diagnostic::error(&UNIFORM, message).label(at, format!("at most {}", uniform.rows - 1));
                return Err(self.cursor.fail(problem.label(uniform.span, "defined here")));
            }
        }
        Ok(uniform.row(row))
    }

    /// `%matmul4x4 dst src #matrix` and `%norm3 dst src temporary`
    fn shorthand(&mut self) -> Result<(), Failed> {
        let start = self.cursor.token.start;
        self.cursor.advance();
        let name = self.cursor.text().to_ascii_lowercase();
        if !self.cursor.adjacent() || !["matmul4x4", "norm3"].contains(&name.as_str()) {
            return Err(self.cursor.unexpected("`%matmul4x4` or `%norm3`", "there are these two macros"));
        }
        self.cursor.advance();
        let target = self.target(&name)?;
        self.no_comma()?;
        let source = self.source()?;
        self.no_comma()?;
        if name == "norm3" { self.norm3(start, target, source) } else { self.matmul(start, target, source) }
    }

    fn no_comma(&mut self) -> Result<(), Failed> {
        if !self.cursor.is(",") {
            return Ok(());
        }
        let problem = Diagnostic::error(&MACRO, "a macro's operands have no commas between them");
        let problem = problem.label(self.cursor.span(), "").fix("leave it out", self.cursor.span(), "");
        Err(self.cursor.fail(problem))
    }

    fn ignored(&mut self, target: &Target, writes: &str) {
        if target.operand.mask != Mask::ALL {
            let problem =
                Diagnostic::warning(&IGNORED_MASK, format!("the mask is ignored: the macro writes {writes}"));
            self.cursor.problems.push(problem.label(target.span, ""));
        }
    }

    fn matmul(&mut self, start: usize, target: Target, source: Source) -> Result<(), Failed> {
        if !self.cursor.is("#") {
            let problem = Diagnostic::error(&MACRO, "the matrix must be a uniform");
            let problem =
                problem.label(self.cursor.span(), "").help("`#m matrix4 96`, then `%matmul4x4 oPos v0 #m`");
            return Err(self.cursor.fail(problem));
        }
        let (matrix, span) = self.known_uniform()?;
        if matrix.rows != 4 || self.cursor.is("[") && self.cursor.adjacent() {
            let problem = Diagnostic::error(&MACRO, "the matrix must be a whole matrix4").label(span, "");
            return Err(self.cursor.fail(problem.label(matrix.span, "defined here")));
        }
        self.ignored(&target, "x, y, z and w");
        let whole = self.cursor.since(start);
        for lane in 0..4 {
            let reg = matrix.row(lane);
            let row = Source { operand: Operand { reg, ..Operand::default() }, span };
            let operand = Operand { mask: Mask(1 << lane), ..target.operand };
            let target = Target { operand, ..target };
            let statement = Statement { name: "dp4", target, sources: vec![source, row], span: whole };
            self.items.push(Item::Group(vec![statement]));
        }
        Ok(())
    }

    fn norm3(&mut self, start: usize, target: Target, source: Source) -> Result<(), Failed> {
        let scratch = self.source()?;
        let operand = scratch.operand;
        if operand.reg.file != R
            || operand.swizzle != Swizzle::IDENTITY
            || self.cursor.file.slice(scratch.span).contains('.')
        {
            let problem =
                Diagnostic::error(&MACRO, "the scratch register must be one of r0 to r11 without lanes");
            return Err(self
                .cursor
                .fail(problem.label(scratch.span, "").help("it is written: x and w are lost")));
        }
        if operand.negate {
            let problem =
                Diagnostic::warning(&IGNORED_MASK, "the sign of the scratch register makes no sense");
            self.cursor.problems.push(problem.label(scratch.span, "it negates the squared length"));
        }
        self.ignored(&target, "x, y and z");
        let whole = self.cursor.since(start);
        let to = |mask: u8| Target {
            operand: Operand { reg: operand.reg, mask: Mask(mask), ..Operand::default() },
            span: scratch.span,
        };
        let lane = |lanes: &str, negate: bool| Source {
            operand: Operand {
                swizzle: Swizzle::from_letters(lanes).unwrap_or(Swizzle::IDENTITY),
                negate,
                ..operand
            },
            span: scratch.span,
        };
        let statement =
            |name, target, sources| Item::Group(vec![Statement { name, target, sources, span: whole }]);
        self.items.push(statement("dp3", to(1), vec![source, source]));
        self.items.push(statement("rsq", to(8), vec![lane("xxxx", operand.negate)]));
        let target = Target { operand: Operand { mask: Mask(7), ..target.operand }, ..target };
        self.items.push(statement("mul", target, vec![source, lane("wwww", operand.negate)]));
        Ok(())
    }
}

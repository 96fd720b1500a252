//! What the nv2a_vsh_asm dialect has beside instructions (spec section 9): uniforms and two macros.

pub mod listing;
pub mod print;
pub mod symbols;

use crate::vertex::dialects::counting::{ConstantMap, numbering};
use crate::vertex::dialects::dialect::Dialect;
use crate::vertex::dialects::macros::{From, Macro, Step, product, source};
use crate::vertex::dialects::page::Page;
use crate::vertex::dialects::reading::relative_write;
use crate::vertex::dialects::vsh::listing::listing;
use crate::vertex::issue::pair::refused;
use crate::vertex::regs::{C, CONSTANTS, R};
use crate::vertex::rules::{IGNORED_MASK, MACRO, NO_CONSTANT, UNIFORM, WHOLE_MATRIX};
use crate::vertex::syntax;
use gpuzoo_diag::{Diagnostic, Span, suggest};
use gpuzoo_isa::codes::UNEXPECTED;
use gpuzoo_isa::{
    Constant, Failed, Language, Mask, Named, Numbering, Operand, Parser, Reg, Swizzle, TokenKind, Written,
};
use gpuzoo_machine::Dialect as Described;
use std::collections::{HashMap, HashSet};

/// nv2a_vsh_asm's dialect: no header, pairing with `+`, uniforms (spec section 9). A text whose beginning tells nothing is in it.
pub static VSH: Dialect = Dialect {
    described: Described {
        name: syntax::VSH.name,
        about: "nv2a_vsh_asm's, for programs of the Xbox that are written today: no header, uniforms with names, pairs with `+`",
        syntax: &syntax::VSH,
        example: "#mvp matrix4 96\n%matmul4x4 oPos v0 #mvp\nmov oD0, v3\n",
        headers: Vec::new,
    },
    constants: ConstantMap::Hw,
    begins: |_| false,
    preprocess: |_, _| None,
    lines: |_| Vec::new(),
    symbols: symbols::uniforms,
    read: |parser, _| (None, Vsh::read(parser)),
    page: |_, _, map| Page::plain(map),
    slot: print::slot,
    constant: "; ",
    end: "",
    is_reference: true,
    every_slot: true,
    needs_position: false,
    clip_space: false,
};

/// The uniforms that a text has defined so far.
#[derive(Default)]
pub struct Vsh {
    /// A vector takes one constant, a matrix four. Numbers past c255, which slots cannot hold, have been reported.
    uniforms: Vec<Constant>,
    by_name: HashMap<String, usize>,
    /// Names whose definitions are wrong, which has been reported.
    failed: HashSet<String>,
}

impl Language for Vsh {
    fn statement(&mut self, parser: &mut Parser) -> Option<Result<(), Failed>> {
        match parser.text() {
            "#" => {
                let name = uniform_name(parser);
                Some(name.and_then(|(name, span)| {
                    let defined = self.define(parser, &name, span);
                    if defined.is_err() {
                        self.failed.insert(name);
                    }
                    defined
                }))
            }
            "%" => Some(self.shorthand(parser)),
            _ => None,
        }
    }

    /// What shares bits is looked at when slots are made.
    fn instruction(&mut self, _: &mut Parser, _: &Written) -> Result<(), Failed> {
        Ok(())
    }

    /// `#vector`, `#vector[0]` or `#matrix[row]`
    fn register(&mut self, parser: &mut Parser) -> Option<Result<Reg, Failed>> {
        parser.is("#").then(|| self.row(parser))
    }

    fn check(&mut self, parser: &mut Parser, named: &Named) -> Result<(), Failed> {
        let Named { operand, written, number, span } = *named;
        if written && operand.relative {
            return relative_write(parser, span);
        }
        if operand.reg.file == C && operand.reg.index >= CONSTANTS && number.is_some() {
            let message = format!("the machine has no constant {}", operand.reg.index);
            let problem = Diagnostic::warning(&NO_CONSTANT, message);
            parser.report(problem.label(span, "it has c0 to c191").note("nv2a_vsh_asm refuses it"));
        }
        let text = parser.file.slice(span);
        let brackets = text.split_once('[').and_then(|(_, rest)| rest.strip_suffix(']'));
        let plain = brackets.filter(|_| number.is_some() && !operand.relative);
        if let Some(inner) = plain.filter(|inner| inner.contains(char::is_whitespace)) {
            let start = span.end as usize - 1 - inner.trim_start().len();
            let place = parser.file.span(start..start + inner.trim().len());
            let problem = Diagnostic::error(&UNEXPECTED, "blanks in a plain index");
            return parser.fail(problem.label(place, "write `c[5]`"));
        }
        if let Some(at) = text.find("a0").filter(|_| operand.relative) {
            let place = span.start as usize + at;
            let place = parser.file.span(place..place + 2);
            parser.report(refused(place, "a lower case `a0` in brackets"));
        }
        Ok(())
    }

    fn address(
        &mut self,
        parser: &mut Parser,
        letters: Option<(String, Span)>,
        whole: Span,
    ) -> Result<(), Failed> {
        let Some((letters, span)) = letters else { return Ok(()) };
        if parser.mask(&letters, span)? != Mask(1) {
            let message = "A0 has one component; the mask is ignored";
            let problem = Diagnostic::warning(&IGNORED_MASK, message).at(whole);
            parser.report(problem.note("the first component of the source's swizzle is used"));
        }
        Ok(())
    }
}

impl Vsh {
    /// Reads a text, and returns the constants that it names.
    pub fn read(parser: &mut Parser) -> Vec<Constant> {
        let mut vsh = Vsh::default();
        Vsh::comments(parser);
        parser.run(&mut vsh);
        if let Some(problem) = parser.has_errors().then(|| listing(parser.file)).flatten() {
            // Nothing in it is written as this dialect has it, which is one cause.
            parser.cursor.problems = vec![problem];
        }
        // What the machine has not cannot be given a value.
        vsh.uniforms.retain(|uniform| uniform.reg.index + uniform.count <= CONSTANTS);
        vsh.uniforms
    }

    /// Comments that the reference refuses: a block with something behind it, a line at the end of the file.
    fn comments(parser: &mut Parser) {
        let file = parser.file;
        let text = file.text();
        let (mut at, mut blocks) = (0, 0);
        while let Some(found) = text[at..].find([';', '/']) {
            let start = at + found;
            let rest = &text[start..];
            if rest.starts_with(';') || rest.starts_with("//") {
                let Some(end) = rest.find('\n') else {
                    let place = file.span(start..text.len());
                    return parser.report(refused(place, "a comment without a line break behind it"));
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
                    parser.report(refused(file.span(end..at), what));
                }
            } else {
                at = start + 1;
            }
        }
    }

    /// `#name vector N` or `#name matrix4 N`
    fn define(&mut self, parser: &mut Parser, name: &str, span: Span) -> Result<(), Failed> {
        let count = match parser.text().to_ascii_lowercase().as_str() {
            "vector" => 1,
            "matrix4" => 4,
            _ => {
                return parser.unexpected("`vector` or `matrix4`", "a definition is `#name vector 5`");
            }
        };
        parser.advance();
        let number = parser.span();
        let first = parser.number("the number of the uniform's first constant", u64::from(u16::MAX))? as i64;
        let Numbering { offset, greatest, .. } = numbering(parser);
        if let Some(known) = self.find(name) {
            let problem = Diagnostic::error(&UNIFORM, format!("`#{name}` is defined twice"));
            return parser.fail(problem.label(span, "again here").label(known.span, "first here"));
        }
        let last = first + i64::from(count) - 1;
        if last > greatest {
            let problem = Diagnostic::error(&UNIFORM, format!("`#{name}` ends at c{last}"));
            let problem = problem.label(number, format!("constants end at c{greatest}"));
            parser.report(problem.note("nv2a_vsh_asm lets it wrap to 8 bits"));
        } else if last >= i64::from(CONSTANTS) {
            let problem = Diagnostic::warning(&NO_CONSTANT, format!("`#{name}` ends at c{last}"));
            parser.report(problem.label(number, "the machine has c0 to c191"));
        }
        self.by_name.insert(name.to_owned(), self.uniforms.len());
        let reg = Reg { file: C, index: (first + offset).min(greatest + offset) as u16 };
        let span = parser.since(parser.statement);
        self.uniforms.push(Constant {
            name: Some(name.to_owned()),
            reg,
            count,
            mask: Mask::ALL,
            values: Vec::new(),
            matrix: None,
            span,
        });
        Ok(())
    }

    fn find(&self, name: &str) -> Option<&Constant> {
        self.by_name.get(name).and_then(|index| self.uniforms.get(*index))
    }

    /// A uniform by its name, with the name and its place.
    fn known(&self, parser: &mut Parser) -> Result<(&Constant, String, Span), Failed> {
        let (name, span) = uniform_name(parser)?;
        if let Some(uniform) = self.find(&name) {
            return Ok((uniform, name, span));
        }
        if self.failed.contains(&name) {
            return Err(Failed);
        }
        let problem = Diagnostic::error(&UNIFORM, format!("`#{name}` is not defined"));
        let problem = problem.label(span, "not known here");
        // So many can have constants of their own; to look at more for each of many unknown names would take long.
        let known =
            self.uniforms.iter().take(usize::from(CONSTANTS)).filter_map(|known| known.name.as_deref());
        parser.fail(match suggest::nearest(&name, known) {
            Some(near) => problem.did_you_mean(&format!("#{near}"), span, format!("#{near}")),
            None => problem.help(format!("define it first: `#{name} vector 0`")),
        })
    }

    fn row(&self, parser: &mut Parser) -> Result<Reg, Failed> {
        let (uniform, name, span) = self.known(parser)?;
        if !(parser.is("[") && parser.adjacent()) {
            if uniform.count > 1 {
                let problem = Diagnostic::warning(&WHOLE_MATRIX, format!("`#{name}` is a matrix"));
                let problem = problem.label(span, "only its row 0 is read here");
                parser.report(problem.fix("name the row", span, format!("#{name}[0]")));
            }
            return Ok(uniform.reg);
        }
        parser.advance();
        if !parser.text().bytes().all(|byte| byte.is_ascii_digit()) {
            return parser.unexpected("a row", "rows of a uniform are plain numbers");
        }
        let at = parser.span();
        let row = parser.number("a row", u64::from(u16::MAX))? as u16;
        parser.expect("]", "the row ends here")?;
        if row < uniform.count {
            let index = (uniform.reg.index + row).min(u16::from(u8::MAX));
            return Ok(Reg { index, ..uniform.reg });
        }
        let problem = Diagnostic::error(&UNIFORM, format!("`#{name}` has no row {row}"));
        let problem = problem.label(at, format!("at most {}", uniform.count - 1));
        parser.fail(problem.label(uniform.span, "defined here"))
    }

    /// `%matmul4x4 dst src #matrix` and `%norm3 dst src temporary`
    fn shorthand(&mut self, parser: &mut Parser) -> Result<(), Failed> {
        parser.advance();
        let name = parser.text().to_ascii_lowercase();
        if !parser.adjacent() || !parser.syntax.has_macro(&format!("%{name}")) {
            return parser.unexpected("`%matmul4x4` or `%norm3`", "there are these two macros");
        }
        parser.advance();
        let given = Macro::read(parser, self, &name, no_comma)?;
        no_comma(parser)?;
        if name == "norm3" { self.norm3(parser, given) } else { self.matmul(parser, given) }
    }

    fn matmul(&mut self, parser: &mut Parser, given: Macro) -> Result<(), Failed> {
        if !parser.is("#") {
            let problem = Diagnostic::error(&MACRO, "the matrix must be a uniform");
            let problem = problem.at(parser.span());
            return parser.fail(problem.help("`#m matrix4 96`, then `%matmul4x4 oPos v0 #m`"));
        }
        let (matrix, _, span) = self.known(parser)?;
        if matrix.count != 4 || parser.is("[") && parser.adjacent() {
            let problem = Diagnostic::error(&MACRO, "the matrix must be a whole matrix4").at(span);
            return parser.fail(problem.label(matrix.span, "defined here"));
        }
        mask_is_ignored(parser, given, "x, y, z and w");
        let first = Operand { reg: matrix.reg, ..Operand::default() };
        let span = parser.since(parser.statement);
        parser.items.extend(product("dp4", given.target, given.source, first, 4, span));
        Ok(())
    }

    fn norm3(&mut self, parser: &mut Parser, given: Macro) -> Result<(), Failed> {
        let (scratch, span) = source(parser, self, "norm3")?;
        let whole = scratch.swizzle == Swizzle::IDENTITY && !parser.file.slice(span).contains('.');
        if scratch.reg.file != R || !whole {
            let message = "the scratch register must be one of r0 to r11 without components";
            let problem = Diagnostic::error(&MACRO, message).at(span);
            return parser.fail(problem.help("it is written: x and w are lost"));
        }
        if scratch.negate {
            let message = "the sign of the scratch register makes no sense";
            let problem = Diagnostic::warning(&IGNORED_MASK, message);
            parser.report(problem.label(span, "it negates the squared length"));
        }
        mask_is_ignored(parser, given, "x, y and z");
        Macro { target: given.to(0b0111), ..given }.steps(parser, NORM3, scratch);
        Ok(())
    }
}

const NORM3: &[Step] = &[
    Step("dp3", 0b0001, &[From::Source, From::Source]),
    Step("rsq", 0b1000, &[From::Temp(0)]),
    Step("mul", 0, &[From::Source, From::Temp(3)]),
];

fn mask_is_ignored(parser: &mut Parser, given: Macro, writes: &str) {
    if given.target.mask != Mask::ALL {
        let message = format!("the mask is ignored: the macro writes {writes}");
        parser.report(Diagnostic::warning(&IGNORED_MASK, message).at(given.target_span));
    }
}

fn uniform_name(parser: &mut Parser) -> Result<(String, Span), Failed> {
    let start = parser.token.start;
    parser.expect("#", "a uniform's name begins with `#`")?;
    let kind = parser.token.kind;
    let word = matches!(kind, TokenKind::Word | TokenKind::Number) && parser.adjacent();
    // A name may begin with a digit: `#2nd.xyz`.
    parser.split_number();
    if !word {
        return parser.unexpected("a name", "letters, digits and underscores right after the `#`");
    }
    let name = parser.text().to_owned();
    parser.advance();
    Ok((name, parser.since(start)))
}

fn no_comma(parser: &mut Parser) -> Result<(), Failed> {
    if !parser.is(",") {
        return Ok(());
    }
    let span = parser.span();
    let problem = Diagnostic::error(&MACRO, "a macro's operands have no commas between them");
    parser.fail(problem.at(span).fix("leave it out", span, ""))
}

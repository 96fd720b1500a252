//! What the nv2a_vsh_asm dialect has beside instructions (spec section 9): uniforms and two macros.

use crate::encoding::{FIRST_SOURCE, PORT, any_source, destination};
use crate::ops::rows;
use crate::pair::refused;
use crate::regs::{C, CONSTANTS, R};
use crate::rules::{IGNORED_MASK, MACRO, UNIFORM};
use gpuzoo_diag::{Diagnostic, Span, suggest};
use gpuzoo_isa::codes::UNEXPECTED;
use gpuzoo_isa::{
    Constant, Failed, Form, Inst, Item, Language, Mask, Operand, Parser, Reg, Swizzle, TokenKind, Written,
};
use std::collections::HashMap;

/// A named range of constants.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Uniform {
    /// The machine's number of its first constant; past the last one if that has been reported.
    first: u32,
    /// 1 for a vector, 4 for a matrix.
    rows: u16,
    /// Where it is defined.
    span: Span,
}

impl Uniform {
    /// The constant of a row. An index past c191 has been reported at the definition.
    fn row(&self, row: u16) -> Reg {
        Reg { file: C, index: (self.first + u32::from(row)).min(u32::from(CONSTANTS) - 1) as u16 }
    }
}

/// The uniforms that a text has defined so far.
#[derive(Default)]
pub struct Vsh {
    uniforms: Vec<(String, Uniform)>,
    by_name: HashMap<String, usize>,
}

impl Language for Vsh {
    fn statement(&mut self, parser: &mut Parser) -> Option<Result<(), Failed>> {
        match parser.text() {
            "#" => Some(self.define(parser)),
            "%" => Some(self.shorthand(parser)),
            _ => None,
        }
    }

    /// What shares bits is looked at when slots are made.
    fn instruction(&mut self, _: &mut Parser, _: &Written, _: Option<&'static Form>) -> Result<(), Failed> {
        Ok(())
    }

    /// `#vector`, `#vector[0]` or `#matrix[row]`
    fn register(&mut self, parser: &mut Parser) -> Option<Result<Reg, Failed>> {
        parser.is("#").then(|| self.row(parser))
    }

    fn check(
        &mut self,
        parser: &mut Parser,
        operand: &Operand,
        written: bool,
        number: Option<i64>,
        span: Span,
    ) -> Result<(), Failed> {
        let text = parser.file.slice(span);
        if written && operand.relative {
            return crate::program::relative_write(parser, span);
        }
        if let (Some(_), false, Some(open)) = (number, operand.relative, text.find('['))
            && text.ends_with(']')
            && text[open..].contains(|blank: char| blank.is_whitespace())
        {
            let problem = Diagnostic::error(&UNEXPECTED, "blanks in a plain index");
            let inner = &text[open + 1..text.len() - 1];
            let start = span.start as usize + open + 1 + inner.len() - inner.trim_start().len();
            let place = parser.file.span(start..start + inner.trim().len());
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
    /// The constants that the text names.
    pub fn constants(self) -> Vec<Constant> {
        let constant = |(name, uniform): (String, Uniform)| Constant {
            reg: uniform.row(0),
            name: Some(name),
            count: uniform.rows,
            values: Vec::new(),
            span: uniform.span,
        };
        self.uniforms.into_iter().map(constant).collect()
    }

    /// Comments that the reference refuses: a block with something behind it, a line at the end of the file.
    pub fn comments(parser: &mut Parser) {
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
    fn define(&mut self, parser: &mut Parser) -> Result<(), Failed> {
        let start = parser.token.start;
        let (name, span) = uniform_name(parser)?;
        let rows = match parser.text().to_ascii_lowercase().as_str() {
            "vector" => 1,
            "matrix4" => 4,
            _ => {
                return parser.unexpected("`vector` or `matrix4`", "a definition is `#name vector 5`");
            }
        };
        parser.advance();
        let number = parser.span();
        let first = parser.number("the number of the uniform's first constant", u64::from(u16::MAX))? as i64;
        let (offset, greatest) =
            parser.numbering.map_or((0, i64::from(CONSTANTS) - 1), |map| (map.offset, map.greatest));
        if let Some((_, known)) = self.by_name.get(&name).map(|index| &self.uniforms[*index]) {
            let problem = Diagnostic::error(&UNIFORM, format!("`#{name}` is defined twice"));
            return parser.fail(problem.label(span, "again here").label(known.span, "first here"));
        }
        let last = first + i64::from(rows) - 1;
        if last > greatest {
            let problem = Diagnostic::error(&UNIFORM, format!("`#{name}` ends at c{last}"));
            let problem = problem.label(number, format!("constants end at c{greatest}"));
            parser.report(problem.note("nv2a_vsh_asm lets it wrap to 8 bits"));
        }
        self.by_name.insert(name.clone(), self.uniforms.len());
        let uniform = Uniform { first: (first + offset) as u32, rows, span: parser.since(start) };
        self.uniforms.push((name, uniform));
        Ok(())
    }

    fn known(&self, parser: &mut Parser) -> Result<(String, Uniform, Span), Failed> {
        let (name, span) = uniform_name(parser)?;
        if let Some((_, uniform)) = self.by_name.get(&name).map(|index| &self.uniforms[*index]) {
            return Ok((name, *uniform, span));
        }
        let problem = Diagnostic::error(&UNIFORM, format!("`#{name}` is not defined"));
        let problem = problem.label(span, "not known here");
        // So many can have constants of their own; to look at more for each of many unknown names would take long.
        let known = self.uniforms.iter().take(usize::from(CONSTANTS)).map(|(name, _)| name.as_str());
        parser.fail(match suggest::nearest(&name, known) {
            Some(near) => problem.fix(format!("did you mean `#{near}`?"), span, format!("#{near}")),
            None => problem.help(format!("define it first: `#{name} vector 0`")),
        })
    }

    fn row(&self, parser: &mut Parser) -> Result<Reg, Failed> {
        let (name, uniform, _) = self.known(parser)?;
        if !(parser.is("[") && parser.adjacent()) {
            return Ok(uniform.row(0));
        }
        parser.advance();
        if !parser.text().bytes().all(|byte| byte.is_ascii_digit()) {
            return parser.unexpected("a row", "rows of a uniform are plain numbers");
        }
        let at = parser.span();
        let row = parser.number("a row", u64::from(u16::MAX))? as u16;
        parser.expect("]", "the row ends here")?;
        if row < uniform.rows {
            return Ok(uniform.row(row));
        }
        let problem = Diagnostic::error(&UNIFORM, format!("`#{name}` has no row {row}"));
        let problem = problem.label(at, format!("at most {}", uniform.rows - 1));
        parser.fail(problem.label(uniform.span, "defined here"))
    }

    /// `%matmul4x4 dst src #matrix` and `%norm3 dst src temporary`
    fn shorthand(&mut self, parser: &mut Parser) -> Result<(), Failed> {
        let start = parser.token.start;
        parser.advance();
        let name = parser.text().to_ascii_lowercase();
        if !parser.adjacent() || !["matmul4x4", "norm3"].contains(&name.as_str()) {
            return parser.unexpected("`%matmul4x4` or `%norm3`", "there are these two macros");
        }
        parser.advance();
        let Some(mov) = rows("mov")[0] else { return Err(Failed) };
        // Destination and first source are those of a `mov`.
        let mut inst = Inst::new(mov);
        let place = parser.token.start;
        parser.operand(&name, destination(), &mut inst, self)?;
        let target = parser.since(place);
        no_comma(parser)?;
        parser.operand(&name, any_source(), &mut inst, self)?;
        no_comma(parser)?;
        let made = Macro { inst, target, start };
        if name == "norm3" { self.norm3(parser, made) } else { self.matmul(parser, made) }
    }

    fn matmul(&mut self, parser: &mut Parser, made: Macro) -> Result<(), Failed> {
        if !parser.is("#") {
            let problem = Diagnostic::error(&MACRO, "the matrix must be a uniform");
            let problem = problem.at(parser.span());
            return parser.fail(problem.help("`#m matrix4 96`, then `%matmul4x4 oPos v0 #m`"));
        }
        let (_, matrix, span) = self.known(parser)?;
        if matrix.rows != 4 || parser.is("[") && parser.adjacent() {
            let problem = Diagnostic::error(&MACRO, "the matrix must be a whole matrix4").at(span);
            return parser.fail(problem.label(matrix.span, "defined here"));
        }
        made.mask_is_ignored(parser, "x, y, z and w");
        for component in 0..4 {
            let row = Operand { reg: matrix.row(component), ..Operand::default() };
            made.push(parser, "dp4", made.to(Mask(1 << component)), &[made.source(), row]);
        }
        Ok(())
    }

    fn norm3(&mut self, parser: &mut Parser, made: Macro) -> Result<(), Failed> {
        let mut scratch = made.inst;
        let start = parser.token.start;
        parser.operand("norm3", any_source(), &mut scratch, self)?;
        let span = parser.since(start);
        let operand = scratch.operands[FIRST_SOURCE];
        let whole = operand.swizzle == Swizzle::IDENTITY && !parser.file.slice(span).contains('.');
        if operand.reg.file != R || !whole {
            let message = "the scratch register must be one of r0 to r11 without components";
            let problem = Diagnostic::error(&MACRO, message).at(span);
            return parser.fail(problem.help("it is written: x and w are lost"));
        }
        if operand.negate {
            let message = "the sign of the scratch register makes no sense";
            let problem = Diagnostic::warning(&IGNORED_MASK, message);
            parser.report(problem.label(span, "it negates the squared length"));
        }
        made.mask_is_ignored(parser, "x, y and z");
        let to = |mask: u8| Operand { reg: operand.reg, mask: Mask(mask), ..Operand::default() };
        let read = |component: u8| Operand { swizzle: Swizzle::broadcast(component), ..operand };
        let source = made.source();
        made.push(parser, "dp3", (to(1), false), &[source, source]);
        made.push(parser, "rsq", (to(8), false), &[read(0)]);
        made.push(parser, "mul", made.to(Mask(7)), &[source, read(3)]);
        Ok(())
    }
}

/// A macro's destination and first source, as those of a `mov`.
struct Macro {
    inst: Inst,
    target: Span,
    start: usize,
}

impl Macro {
    fn source(&self) -> Operand {
        self.inst.operands[FIRST_SOURCE]
    }

    /// The destination with another mask, and whether it is the port's.
    fn to(&self, mask: Mask) -> (Operand, bool) {
        let is_port = !self.inst.operands[PORT].mask.is_empty();
        (Operand { mask, ..self.inst.operands[usize::from(is_port)] }, is_port)
    }

    fn mask_is_ignored(&self, parser: &mut Parser, writes: &str) {
        let mask = crate::encoding::targets(&self.inst).next().map_or(Mask::ALL, |target| target.mask);
        if mask != Mask::ALL {
            let message = format!("the mask is ignored: the macro writes {writes}");
            parser.report(Diagnostic::warning(&IGNORED_MASK, message).at(self.target));
        }
    }

    fn push(&self, parser: &mut Parser, name: &str, to: (Operand, bool), from: &[Operand]) {
        let span = parser.since(self.start);
        parser.items.extend(written(name, to, from, span).map(Item::Inst));
    }
}

/// An instruction that a macro becomes: a mnemonic, a destination and whether it is the port's, sources.
pub fn written(
    name: &str,
    (target, is_port): (Operand, bool),
    from: &[Operand],
    span: Span,
) -> Option<Written> {
    let [mac, ilu] = rows(name);
    let mut inst = Inst::new(mac.or(ilu)?);
    inst.operands[usize::from(!is_port)].mask = Mask(0);
    inst.operands[usize::from(is_port)] = target;
    inst.operands[FIRST_SOURCE..].iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    Some(Written { inst, spans: [span; gpuzoo_isa::MAX_OPERANDS], span, joined: false })
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

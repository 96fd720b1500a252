//! What the macros of the dialects have in common: operands that are read as those of a `mov`, and the instructions that
//! they become.

use crate::vertex::encoding::{FIRST_SOURCE, PORT, TEMP, any_source, destination, target};
use crate::vertex::ops::rows;
use crate::vertex::regs::R;
use gpuzoo_diag::Span;
use gpuzoo_isa::{
    Failed, Inst, Item, Language, MAX_OPERANDS, Mask, Operand, Parser, Part, Reg, Swizzle, Written,
};

/// A macro's destination and first source as written, with their places.
#[derive(Clone, Copy)]
pub struct Macro {
    /// The destination.
    pub target: Operand,
    /// Its place.
    pub target_span: Span,
    /// The source.
    pub source: Operand,
    /// Its place.
    pub source_span: Span,
}

/// An instruction of a macro: its name, the components of a temporary that it writes or, where there are none, the macro's
/// destination, and what it reads.
pub struct Step(pub &'static str, pub u8, pub &'static [From]);

/// What an instruction of a macro reads.
pub enum From {
    /// The macro's source.
    Source,
    /// The first component of it.
    Scalar,
    /// A component of the temporary that the macro works in.
    Temp(u8),
    /// The same with its sign flipped.
    Minus(u8),
}

impl Macro {
    /// Reads destination and source, and with `comma` what is between them.
    ///
    /// # Errors
    /// What is wrong has been reported.
    pub fn read(
        parser: &mut Parser,
        language: &mut dyn Language,
        name: &str,
        comma: impl FnOnce(&mut Parser) -> Result<(), Failed>,
    ) -> Result<Macro, Failed> {
        let (inst, target_span) = operand(parser, language, name, destination())?;
        comma(parser)?;
        let (source, source_span) = source(parser, language, name)?;
        Ok(Macro { target: *target(&inst), target_span, source, source_span })
    }

    /// The destination with another mask.
    pub fn to(&self, mask: u8) -> Operand {
        Operand { mask: Mask(mask), ..self.target }
    }

    /// Appends an instruction to what was read.
    pub fn push(&self, parser: &mut Parser, name: &str, to: Operand, from: &[Operand]) {
        let span = parser.since(parser.statement);
        parser.items.extend(written(name, to, from, span).map(Item::Inst));
    }

    /// Appends instructions that work in a temporary.
    pub fn steps(&self, parser: &mut Parser, steps: &[Step], temp: Operand) {
        for Step(name, mask, from) in steps {
            let read = |from: &From| match *from {
                From::Source => self.source,
                From::Scalar => of(self.source, self.source.swizzle.components()[0]),
                From::Temp(at) => of(temp, at),
                From::Minus(at) => Operand { negate: !temp.negate, ..of(temp, at) },
            };
            let from: Vec<Operand> = from.iter().map(read).collect();
            let temporary = Operand { reg: temp.reg, mask: Mask(*mask), ..Operand::default() };
            self.push(parser, name, if *mask == 0 { self.target } else { temporary }, &from);
        }
    }
}

/// Reads a further source of a macro.
///
/// # Errors
/// What is wrong has been reported.
pub fn source(
    parser: &mut Parser,
    language: &mut dyn Language,
    name: &str,
) -> Result<(Operand, Span), Failed> {
    let (inst, span) = operand(parser, language, name, any_source())?;
    Ok((inst.operands[FIRST_SOURCE], span))
}

fn operand(
    parser: &mut Parser,
    language: &mut dyn Language,
    name: &str,
    place: &'static [Part],
) -> Result<(Inst, Span), Failed> {
    let Some(mov) = rows("mov")[0] else { return Err(Failed) };
    let mut inst = Inst::new(mov);
    let start = parser.token.start;
    parser.operand(name, place, &mut inst, language)?;
    Ok((inst, parser.since(start)))
}

/// The product of a source and a matrix whose rows are in registers from `first` on: a dot product for each component.
pub fn product(
    dot: &str,
    to: Operand,
    source: Operand,
    first: Operand,
    rows: u16,
    span: Span,
) -> impl Iterator<Item = Item> {
    let row = move |row: u16| {
        let reg = Reg { index: first.reg.index + row, ..first.reg };
        let matrix = Operand { reg, ..first };
        written(dot, Operand { mask: Mask(1 << row), ..to }, &[source, matrix], span)
    };
    (0..rows).filter_map(row).map(Item::Inst)
}

/// An instruction that no text has: a mnemonic, a destination, sources.
pub fn written(name: &str, to: Operand, from: &[Operand], span: Span) -> Option<Written> {
    let [mac, ilu] = rows(name);
    let mut inst = Inst::new(mac.or(ilu)?);
    let (here, other) = if to.reg.file == R { (TEMP, PORT) } else { (PORT, TEMP) };
    (inst.operands[here], inst.operands[other].mask) = (to, Mask(0));
    inst.operands[FIRST_SOURCE..].iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    Some(Written { inst, spans: [span; MAX_OPERANDS], span, joined: false, form: None })
}

/// One component of an operand, in all four.
pub fn of(operand: Operand, component: u8) -> Operand {
    Operand { swizzle: Swizzle::broadcast(component), ..operand }
}

/// One component of a register, in all four.
pub fn component(reg: Reg, component: u8) -> Operand {
    of(Operand { reg, ..Operand::default() }, component)
}

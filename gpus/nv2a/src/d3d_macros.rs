//! Direct3D's macro instructions (spec section 11): matrix products, `frc`, `exp`, `log`.
//!
//! The published slot counts are upper limits. What the machine has not in one slot is put together from what it has:
//!
//! - `m4x4 d, s, cN` and its smaller forms: a `dp4` or `dp3` for each component, with cN, cN+1, …
//! - `frc d.xy, s`: `expp` leaves the fraction of one component in y, so x is made first and moved.
//! - `exp d, s`: `expp` gives 2^⌊s⌋ and the fraction f; 2^f is a polynomial of degree 5.
//! - `log d, s`: `logp` gives the exponent and the mantissa m; log₂ m is a polynomial of degree 8 in m - 1.

use crate::d3d::D3d;
use crate::encoding::{FIRST_SOURCE, PORT, any_source, destination};
use crate::ops::rows;
use crate::regs::{C, CONSTANTS, R};
use crate::rules::{MACRO, MADE_CONSTANTS};
use crate::vsh::written;
use gpuzoo_diag::{Diagnostic, Severity, Span};
use gpuzoo_isa::codes::{BAD_MASK, OUT_OF_RANGE};
use gpuzoo_isa::{Constant, Cursor, Failed, Inst, Item, Mask, Operand, Parser, Reg, Swizzle};

/// The names of the macros.
const NAMES: [&str; 8] = ["m4x4", "m4x3", "m3x4", "m3x3", "m3x2", "frc", "exp", "log"];

/// 2^f = 1 + f·(c1 + f·(c2 + f·(c3 + f·(c4 + f·c5)))) on \[0, 1\]: relative error below 2^-23.5. Minimax, from our own
/// exchange iteration; the order is the one of use.
const EXP: [[f32; 4]; 2] =
    [[0.001_867_13, 0.009_017_031, 0.055_799_913, 0.240_164_44], [0.693_151_3, 0.0, 0.0, 0.0]];

/// log₂(1 + u) = u·(q0 + u·(q1 + … u·q7)) on \[0, 1\], with the q adding to 1: absolute error below 2^-24.2. Minimax, from
/// our own exchange iteration; the order is the one of use.
const LOG: [[f32; 4]; 2] = [
    [-0.009_136_402, 0.051_421_38, -0.136_573_98, 0.241_140_49],
    [-0.346_999_35, 0.478_617_16, -0.721_158_9, 1.442_689_7],
];

/// True for the name of a macro.
pub fn is_macro(word: &str) -> bool {
    NAMES.contains(&word)
}

/// A macro's destination and source as written, with their places.
#[derive(Clone, Copy)]
struct Given {
    /// The destination, and whether it is written through the port.
    target: (Operand, bool),
    target_span: Span,
    source: Operand,
    source_span: Span,
    /// The whole macro.
    span: Span,
}

/// Reads a macro and appends the instructions that it becomes.
pub fn read(d3d: &mut D3d, parser: &mut Parser, word: &str) -> Result<(), Failed> {
    let start = parser.token.start;
    parser.advance();
    let Some(mov) = rows("mov")[0] else { return Err(Failed) };
    // Destination and sources are those of a `mov`.
    let mut inst = Inst::new(mov);
    let mut operand = |parser: &mut Parser, d3d: &mut D3d, place| {
        let at = parser.token.start;
        parser.operand(word, place, &mut inst, d3d)?;
        Ok((inst, parser.since(at)))
    };
    let (to, target_span) = operand(parser, d3d, destination())?;
    let is_port = !to.operands[PORT].mask.is_empty();
    let target = (to.operands[usize::from(is_port)], is_port);
    let count = if word.starts_with('m') { "two sources" } else { "one source" };
    let comma = format!("`{word}` takes a destination and {count}, with commas between");
    parser.expect(",", &comma)?;
    let (from, source_span) = operand(parser, d3d, any_source())?;
    let source = from.operands[FIRST_SOURCE];
    let mut given = Given { target, target_span, source, source_span, span: parser.since(start) };
    match word {
        "frc" => return frc(d3d, parser, given),
        "exp" => return exp(d3d, parser, given),
        "log" => return log(d3d, parser, given),
        _ => parser.expect(",", &comma)?,
    }
    let (matrix, matrix_span) = operand(parser, d3d, any_source())?;
    given.span = parser.since(start);
    product(parser, word, given, matrix.operands[FIRST_SOURCE], matrix_span)
}

/// A matrix product: a dot product for each row.
fn product(
    parser: &mut Parser,
    name: &str,
    given: Given,
    matrix: Operand,
    matrix_span: Span,
) -> Result<(), Failed> {
    let digit = |at: usize| name.as_bytes()[at] - b'0';
    let (columns, rows) = (digit(1), digit(3));
    let (target, is_port) = given.target;
    let all = Mask(((1u16 << rows) - 1) as u8);
    if target.mask != all && target.mask != Mask::ALL {
        let problem = Diagnostic::error(&BAD_MASK, format!("`{name}` writes {all}")).at(given.target_span);
        return parser.fail(problem.help(format!("write the mask `.{all}`, or none")));
    }
    let last = matrix.reg.index + u16::from(rows) - 1;
    let in_matrix =
        target.reg.file == matrix.reg.file && (matrix.reg.index..=last).contains(&target.reg.index);
    let problem = if matrix.swizzle != Swizzle::IDENTITY || matrix.negate {
        Diagnostic::error(&MACRO, "the matrix has neither sign nor components").at(matrix_span)
    } else if ![C, R].contains(&matrix.reg.file) {
        Diagnostic::error(&MACRO, "the matrix lies in constants or temporaries").at(matrix_span)
    } else if last >= parser.isa.file(matrix.reg).count {
        let message = format!("the matrix has {rows} rows and ends past the last register");
        Diagnostic::error(&OUT_OF_RANGE, message).label(matrix_span, "the first row")
    } else if target.reg == given.source.reg || in_matrix {
        let place = if target.reg == given.source.reg { given.source_span } else { matrix_span };
        let problem = Diagnostic::error(&MACRO, format!("`{name}` writes what it still has to read"));
        let problem = problem.label(given.target_span, "written component by component");
        problem.label(place, "read for every component").help("give the result another register")
    } else {
        let dot = if columns == 4 { "dp4" } else { "dp3" };
        for component in 0..rows {
            let reg = Reg { index: matrix.reg.index + u16::from(component), ..matrix.reg };
            let to = Operand { mask: Mask(1 << component), ..target };
            push(parser, dot, (to, is_port), &[given.source, Operand { reg, ..matrix }], given.span);
        }
        return Ok(());
    };
    parser.fail(problem)
}

/// The fraction of x and y, or of y alone (the masks that Direct3D 8 and 9 allow for vs.1.1).
fn frc(d3d: &mut D3d, parser: &mut Parser, given: Given) -> Result<(), Failed> {
    let (target, is_port) = given.target;
    if target.mask != Mask(3) && target.mask != Mask(2) {
        let problem = Diagnostic::error(&BAD_MASK, "`frc` writes y, or x and y").at(given.target_span);
        return parser.fail(problem.help("write the mask `.xy` or `.y`"));
    }
    let [x, y, ..] = given.source.swizzle.components();
    let to = |mask: u8| (Operand { mask: Mask(mask), ..target }, is_port);
    let in_y = |reg: Reg| (Operand { reg, mask: Mask(2), ..Operand::default() }, false);
    let fraction = |parser: &mut Parser, to, component| {
        push(parser, "expp", to, &[of(given.source, component)], given.span);
    };
    if target.mask == Mask(2) {
        fraction(parser, to(2), y);
        return Ok(());
    }
    let (reg, from) = (target.reg, given.source.reg);
    if reg.file == R && (reg != from || x == y || y > 1) {
        fraction(parser, in_y(reg), x);
        push(parser, "mov", to(1), &[component(reg, 1)], given.span);
        if x != y {
            fraction(parser, to(2), y);
        }
        return Ok(());
    }
    // The source's y would be lost, or the destination cannot be read: x takes a detour.
    let scratch = scratch(d3d, parser, "frc", given.target_span)?;
    fraction(parser, in_y(scratch), x);
    fraction(parser, to(2), y);
    push(parser, "mov", to(1), &[component(scratch, 1)], given.span);
    Ok(())
}

/// 2^s, ten slots. The result is 1 exactly for a tiny negative s, whose fraction the machine rounds up to 1 while it takes
/// ⌊s⌋ for 0 (spec section 6; the `cpu` profile takes it for -1): where f = 1, f becomes 0 and 2^⌊s⌋ at least 1.
fn exp(d3d: &mut D3d, parser: &mut Parser, given: Given) -> Result<(), Failed> {
    let t = working(d3d, parser, "exp", given)?;
    let [k, l] = made(d3d, parser, "exp", &EXP, given.span)?;
    let [t0, t1, t2, t3] = [0, 1, 2, 3].map(|at| component(t, at));
    let mut step = |name, mask, from: &[Operand]| {
        push(
            parser,
            name,
            (Operand { reg: t, mask: Mask(mask), ..Operand::default() }, false),
            from,
            given.span,
        );
    };
    step("expp", 15, &[of(given.source, given.source.swizzle.components()[0])]);
    step("sge", 4, &[t1, t3]);
    step("max", 1, &[t0, t2]);
    step("add", 2, &[t1, negated(t2)]);
    step("mad", 4, &[t1, component(k, 0), component(k, 1)]);
    for coefficient in [component(k, 2), component(k, 3), component(l, 0), t3] {
        step("mad", 4, &[t2, t1, coefficient]);
    }
    push(parser, "mul", given.target, &[t2, t0], given.span);
    Ok(())
}

/// log₂ |s|, ten slots. Near 1 from below the exponent -1 cancels, so the error is absolute. Powers of two are exact, 0
/// gives -infinity.
fn log(d3d: &mut D3d, parser: &mut Parser, given: Given) -> Result<(), Failed> {
    let t = working(d3d, parser, "log", given)?;
    let [k, l] = made(d3d, parser, "log", &LOG, given.span)?;
    let [t0, t1, t2, t3] = [0, 1, 2, 3].map(|at| component(t, at));
    let mut step = |name, mask, from: &[Operand]| {
        push(
            parser,
            name,
            (Operand { reg: t, mask: Mask(mask), ..Operand::default() }, false),
            from,
            given.span,
        );
    };
    step("logp", 15, &[of(given.source, given.source.swizzle.components()[0])]);
    step("add", 2, &[t1, negated(t3)]);
    step("mad", 4, &[t1, component(k, 0), component(k, 1)]);
    let rest = [(k, 2), (k, 3), (l, 0), (l, 1), (l, 2), (l, 3)];
    for (reg, at) in rest {
        step("mad", 4, &[t2, t1, component(reg, at)]);
    }
    push(parser, "mad", given.target, &[t2, t1, t0], given.span);
    Ok(())
}

fn push(parser: &mut Parser, name: &str, to: (Operand, bool), from: &[Operand], span: Span) {
    parser.items.extend(written(name, to, from, span).map(Item::Inst));
}

/// One component of an operand, in all four.
fn of(operand: Operand, component: u8) -> Operand {
    Operand { swizzle: Swizzle::broadcast(component), ..operand }
}

/// One component of a register, in all four.
fn component(reg: Reg, component: u8) -> Operand {
    of(Operand { reg, ..Operand::default() }, component)
}

fn negated(operand: Operand) -> Operand {
    Operand { negate: true, ..operand }
}

/// The temporary that all components of are free to work in: the destination, or one that the text does not mention.
fn working(d3d: &mut D3d, parser: &mut Parser, name: &str, given: Given) -> Result<Reg, Failed> {
    let (Operand { reg, mask, .. }, _) = given.target;
    let whole = reg.file == R && mask == Mask::ALL;
    if whole { Ok(reg) } else { scratch(d3d, parser, name, given.target_span) }
}

/// A temporary that the text does not mention.
fn scratch(d3d: &mut D3d, parser: &mut Parser, name: &str, target: Span) -> Result<Reg, Failed> {
    if let Some(index) = d3d.mentioned(parser).temporaries.iter().rposition(|used| !used) {
        return Ok(Reg { file: R, index: index as u16 });
    }
    let problem = Diagnostic::error(&MACRO, format!("`{name}` needs a temporary, and all twelve are in use"));
    let problem = problem.label(target, "it cannot work in its destination");
    parser.fail(problem.help("give the result a whole temporary of its own, or free one"))
}

/// Two constants that hold a macro's coefficients, made on first use.
fn made(
    d3d: &mut D3d,
    parser: &mut Parser,
    name: &str,
    values: &[[f32; 4]; 2],
    span: Span,
) -> Result<[Reg; 2], Failed> {
    let label = format!("{name} coefficients");
    let known = d3d.constants.iter().find(|constant| constant.name.as_ref() == Some(&label));
    if let Some(constant) = known {
        return Ok([constant.reg, Reg { index: constant.reg.index + 1, ..constant.reg }]);
    }
    let map = parser.numbering;
    let constants = &mut d3d.mentioned(parser).constants;
    // The highest that the text can count come first: loops over matrices grow from below.
    let least = map.filter(|map| map.least == 0).map_or(0, |map| map.offset as usize);
    let free = |index: &usize| !constants[*index] && !constants[*index + 1];
    let Some(first) = (least..constants.len() - 1).rev().find(free) else {
        let message = format!("`{name}` needs two constants, and all are in use");
        let problem = Diagnostic::error(&MADE_CONSTANTS, message).at(span);
        return parser.fail(problem.help("free two that follow one another"));
    };
    constants[first..first + 2].fill(true);
    let reg = Reg { file: C, index: first as u16 };
    let number = |index: u16| map.and_then(|map| map.from_machine(index)).unwrap_or(i64::from(index));
    let (one, other) = (number(reg.index), number(reg.index + 1));
    let message = format!("`{name}` takes c{one} and c{other} for its coefficients");
    let problem = Diagnostic::new(Severity::Note, &MADE_CONSTANTS, message).at(span);
    parser.report(problem.help("load them with the program, as those of `def`"));
    let values = values.iter().map(|value| value.map(f32::to_bits)).collect();
    d3d.constants.push(Constant { name: Some(label), reg, count: 2, values, span });
    Ok([reg, Reg { index: reg.index + 1, ..reg }])
}

/// The machine's constants and temporaries that a text mentions, rows of matrices included: what is left is free.
pub struct Mentioned {
    /// By number.
    pub temporaries: [bool; 12],
    /// By the machine's number.
    pub constants: [bool; CONSTANTS as usize],
}

impl Mentioned {
    /// What the whole text mentions.
    pub fn of(parser: &Parser) -> Mentioned {
        let mut found = Mentioned { temporaries: [false; 12], constants: [false; CONSTANTS as usize] };
        let to_machine = |number: i64| match parser.numbering {
            Some(map) => map.to_machine(number),
            None => u16::try_from(number).ok().filter(|index| *index < CONSTANTS),
        };
        let mut words = Cursor::new(parser.file, parser.syntax);
        while !words.at_end() {
            let word = words.text();
            words.advance();
            let (letter, digits) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
            let number = digits.parse::<i64>().ok();
            match letter {
                "r" | "R" => {
                    let place =
                        number.and_then(|index| found.temporaries.get_mut(usize::try_from(index).ok()?));
                    place.into_iter().for_each(|used| *used = true);
                }
                // A matrix macro reads up to three more.
                "c" | "C" if digits.is_empty() || number.is_some() => {
                    let number = number.unwrap_or_else(|| behind(&mut words));
                    let rows = (0..4).filter_map(|row| to_machine(number.saturating_add(row)));
                    rows.for_each(|index| found.constants[usize::from(index)] = true);
                }
                _ => {}
            }
        }
        found
    }
}

/// The number behind a `c` that stands alone: behind brackets, a sign, `a0.x +`.
fn behind(words: &mut Cursor) -> i64 {
    let mut sign = 1;
    while ["[", "-", "+", "a0", "A0", ".x", ".X"].contains(&words.text()) {
        sign = if words.is("-") { -1 } else { sign };
        words.advance();
    }
    words.split_number();
    sign * words.text().parse::<i64>().map_or(0, |number| number.min(i64::from(u16::MAX)))
}

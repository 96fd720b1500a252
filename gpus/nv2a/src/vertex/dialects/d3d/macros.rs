//! Direct3D's macro instructions (spec section 11): matrix products, `frc`, `exp`, `log`.
//!
//! The published slot counts are upper limits. What the machine has not in one slot is put together from what it has:
//!
//! - `m4x4 d, s, cN` and its smaller forms: a `dp4` or `dp3` for each component, with cN, cN+1, …
//! - `frc d.xy, s`: `expp` leaves the fraction of one component in y, so x is made first and moved.
//! - `exp d, s`: `expp` gives 2^⌊s⌋ and the fraction f; 2^f is a polynomial of degree 5.
//! - `log d, s`: `logp` gives the exponent and the mantissa m; log₂ m is a polynomial of degree 8 in m - 1.

use crate::vertex::dialects::counting::numbering;
use crate::vertex::dialects::d3d::D3d;
use crate::vertex::dialects::macros::From::{Minus, Scalar, Temp};
use crate::vertex::dialects::macros::{self, Macro, Step, component, of};
use crate::vertex::regs::{C, CONSTANTS, R, VIEWPORT};
use crate::vertex::rules::{MACRO, MADE_CONSTANTS};
use gpuzoo_diag::{Diagnostic, Severity, Span};
use gpuzoo_isa::codes::{BAD_MASK, OUT_OF_RANGE};
use gpuzoo_isa::{Constant, Cursor, Failed, Mask, Operand, Parser, Reg, Swizzle, TokenKind};
use std::collections::HashSet;

/// A macro that computes a polynomial of y in z of a temporary.
struct Series {
    name: &'static str,
    /// What comes before it.
    first: &'static [Step],
    /// Its coefficients in the order of use; they take two constants.
    coefficients: &'static [f32],
    /// What comes behind it.
    last: &'static [Step],
}

/// 2^s, ten slots. The result is 1 exactly for a tiny negative s, whose fraction the machine rounds up to 1 while it takes
/// ⌊s⌋ for 0 (spec section 6; the `cpu` profile takes it for -1): where f = 1, f becomes 0 and 2^⌊s⌋ at least 1.
///
/// 2^f = 1 + f·(c1 + f·(c2 + f·(c3 + f·(c4 + f·c5)))) on \[0, 1\]: relative error below 2^-23.5. Minimax, from our own
/// exchange iteration.
static EXP: Series = Series {
    name: "exp",
    first: &[
        Step("expp", 0b1111, &[Scalar]),
        Step("sge", 0b0100, &[Temp(1), Temp(3)]),
        Step("max", 0b0001, &[Temp(0), Temp(2)]),
        Step("add", 0b0010, &[Temp(1), Minus(2)]),
    ],
    coefficients: &[0.001_867_13, 0.009_017_031, 0.055_799_913, 0.240_164_44, 0.693_151_3],
    last: &[Step("mad", 0b0100, &[Temp(2), Temp(1), Temp(3)]), Step("mul", 0, &[Temp(2), Temp(0)])],
};

/// log₂ |s|, ten slots. Near 1 from below the exponent -1 cancels, so the error is absolute. Powers of two are exact, 0
/// gives -infinity.
///
/// log₂(1 + u) = u·(q0 + u·(q1 + … u·q7)) on \[0, 1\], with the q adding to 1: absolute error below 2^-24.2. Minimax, from
/// our own exchange iteration.
static LOG: Series = Series {
    name: "log",
    first: &[Step("logp", 0b1111, &[Scalar]), Step("add", 0b0010, &[Temp(1), Minus(3)])],
    #[rustfmt::skip]
    coefficients: &[
        -0.009_136_402, 0.051_421_38, -0.136_573_98, 0.241_140_49,
        -0.346_999_35, 0.478_617_16, -0.721_158_9, 1.442_689_7,
    ],
    last: &[Step("mad", 0, &[Temp(2), Temp(1), Temp(0)])],
};

/// Reads a macro and appends the instructions that it becomes.
pub fn read(d3d: &mut D3d, parser: &mut Parser, word: &str) -> Result<(), Failed> {
    parser.advance();
    let count = if word.starts_with('m') { "two sources" } else { "one source" };
    let why = format!("`{word}` takes a destination and {count}, with commas between");
    let comma = |parser: &mut Parser| parser.expect(",", &why);
    let given = Macro::read(parser, d3d, word, comma)?;
    match word {
        "frc" => frc(d3d, parser, given),
        "exp" => series(d3d, parser, given, &EXP),
        "log" => series(d3d, parser, given, &LOG),
        _ => {
            comma(parser)?;
            let (matrix, matrix_span) = macros::source(parser, d3d, word)?;
            product(parser, word, given, matrix, matrix_span)
        }
    }
}

/// A matrix product: a dot product for each row.
fn product(
    parser: &mut Parser,
    name: &str,
    given: Macro,
    matrix: Operand,
    matrix_span: Span,
) -> Result<(), Failed> {
    let digit = |at: usize| name.as_bytes()[at] - b'0';
    let (columns, rows) = (digit(1), u16::from(digit(3)));
    let Macro { target, target_span, source, source_span } = given;
    let all = Mask(((1u16 << rows) - 1) as u8);
    if target.mask != all && target.mask != Mask::ALL {
        let problem = Diagnostic::error(&BAD_MASK, format!("`{name}` writes {all}")).at(target_span);
        return parser.fail(problem.help(format!("write the mask `.{all}`, or none")));
    }
    let last = matrix.reg.index + rows - 1;
    let in_matrix =
        target.reg.file == matrix.reg.file && (matrix.reg.index..=last).contains(&target.reg.index);
    let problem = if matrix.swizzle != Swizzle::IDENTITY || matrix.negate {
        Diagnostic::error(&MACRO, "the matrix has neither sign nor components").at(matrix_span)
    } else if ![C, R].contains(&matrix.reg.file) {
        Diagnostic::error(&MACRO, "the matrix lies in constants or temporaries").at(matrix_span)
    } else if last >= parser.isa.file(matrix.reg).count {
        let message = format!("the matrix has {rows} rows and ends past the last register");
        Diagnostic::error(&OUT_OF_RANGE, message).label(matrix_span, "the first row")
    } else if target.reg == source.reg || in_matrix {
        let place = if target.reg == source.reg { source_span } else { matrix_span };
        let problem = Diagnostic::error(&MACRO, format!("`{name}` writes what it still has to read"));
        let problem = problem.label(target_span, "written component by component");
        problem.label(place, "read for every component").help("give the result another register")
    } else {
        let dot = if columns == 4 { "dp4" } else { "dp3" };
        let span = parser.since(parser.statement);
        parser.items.extend(macros::product(dot, target, source, matrix, rows, span));
        return Ok(());
    };
    parser.fail(problem)
}

/// The fraction of x and y, or of y alone (the masks that Direct3D 8 and 9 allow for vs.1.1).
fn frc(d3d: &mut D3d, parser: &mut Parser, given: Macro) -> Result<(), Failed> {
    let Macro { target, target_span, source, .. } = given;
    if target.mask != Mask(3) && target.mask != Mask(2) {
        let problem = Diagnostic::error(&BAD_MASK, "`frc` writes y, or x and y").at(target_span);
        return parser.fail(problem.help("write the mask `.xy` or `.y`"));
    }
    let [x, y, ..] = source.swizzle.components();
    let fraction = |parser: &mut Parser, reg: Reg, component| {
        let to = Operand { reg, mask: Mask(2), ..Operand::default() };
        given.push(parser, "expp", to, &[of(source, component)]);
    };
    let to_x = |parser: &mut Parser, from: Reg| given.push(parser, "mov", given.to(1), &[component(from, 1)]);
    if target.mask == Mask(2) {
        fraction(parser, target.reg, y);
    } else if target.reg.file == R && (target.reg != source.reg || x == y || y > 1) {
        fraction(parser, target.reg, x);
        to_x(parser, target.reg);
        if x != y {
            fraction(parser, target.reg, y);
        }
    } else {
        // The source's y would be lost, or the destination cannot be read: x takes a detour.
        let scratch = scratch(d3d, parser, "frc", target_span)?;
        fraction(parser, scratch, x);
        fraction(parser, target.reg, y);
        to_x(parser, scratch);
    }
    Ok(())
}

/// A series in a temporary that all components of are free to work in: the destination, or one that the text does not
/// mention.
fn series(d3d: &mut D3d, parser: &mut Parser, given: Macro, series: &Series) -> Result<(), Failed> {
    let Operand { reg, mask, .. } = given.target;
    let whole = reg.file == R && mask == Mask::ALL;
    let reg = if whole { reg } else { scratch(d3d, parser, series.name, given.target_span)? };
    let first = made(d3d, parser, series)?;
    let temp = Operand { reg, ..Operand::default() };
    given.steps(parser, series.first, temp);
    let coefficient =
        |at: usize| component(Reg { index: first.index + at as u16 / 4, ..first }, at as u8 % 4);
    let (y, z) = (component(reg, 1), component(reg, 2));
    for at in 1..series.coefficients.len() {
        let [a, b] = if at == 1 { [y, coefficient(0)] } else { [z, y] };
        let to = Operand { mask: Mask(4), ..temp };
        given.push(parser, "mad", to, &[a, b, coefficient(at)]);
    }
    given.steps(parser, series.last, temp);
    Ok(())
}

/// A temporary that the text does not mention.
fn scratch(d3d: &mut D3d, parser: &mut Parser, name: &str, target: Span) -> Result<Reg, Failed> {
    let mentioned = d3d.mentioned(parser);
    let mut all = (0..parser.isa.files[usize::from(R)].count).rev().map(|index| Reg { file: R, index });
    if let Some(free) = all.find(|reg| !mentioned.contains(reg)) {
        return Ok(free);
    }
    let problem = Diagnostic::error(&MACRO, format!("`{name}` needs a temporary, and all twelve are in use"));
    let problem = problem.label(target, "it cannot work in its destination");
    parser.fail(problem.help("give the result a whole temporary of its own, or free one"))
}

/// The first of two constants that hold a macro's coefficients, made on first use.
fn made(d3d: &mut D3d, parser: &mut Parser, series: &Series) -> Result<Reg, Failed> {
    let name = series.name;
    let label = format!("{name} coefficients");
    let known = d3d.constants.iter().find(|constant| constant.name.as_ref() == Some(&label));
    if let Some(constant) = known {
        return Ok(constant.reg);
    }
    let span = parser.since(parser.statement);
    let map = numbering(parser);
    let mentioned = d3d.mentioned(parser);
    // The highest that the text can count come first: loops over matrices grow from below.
    let least = if map.least == 0 { map.offset as u16 } else { 0 };
    let two = |index: u16| [index, index + 1].map(|index| Reg { file: C, index });
    let free = |two: &[Reg; 2]| two.iter().all(|reg| !mentioned.contains(reg));
    let Some(two) = (least..CONSTANTS - 1).rev().map(two).find(free) else {
        let message = format!("`{name}` needs two constants, and all are in use");
        let problem = Diagnostic::error(&MADE_CONSTANTS, message).at(span);
        return parser.fail(problem.help("free two that follow one another"));
    };
    mentioned.extend(two);
    let reg = two[0];
    let [one, other] = two.map(|reg| map.from_machine(reg.index).unwrap_or_default());
    let message = format!("`{name}` takes c{one} and c{other} for its coefficients");
    let problem = Diagnostic::new(Severity::Note, &MADE_CONSTANTS, message).at(span);
    parser.report(problem.help("load them with the program, as those of `def`"));
    let mut values = vec![[0; 4]; 2];
    let bits = series.coefficients.iter().map(|value| value.to_bits());
    values.as_flattened_mut().iter_mut().zip(bits).for_each(|(component, bits)| *component = bits);
    d3d.constants.push(Constant {
        name: Some(label),
        reg,
        count: 2,
        mask: Mask::ALL,
        values,
        matrix: None,
        span,
    });
    Ok(reg)
}

/// The constants and temporaries that a whole text mentions, rows of matrices included: what is left is free.
pub fn mentioned(parser: &Parser) -> HashSet<Reg> {
    // The viewport's are the application's, whether the text names them or not.
    let mut found: HashSet<Reg> = VIEWPORT.map(|index| Reg { file: C, index }).collect();
    let map = numbering(parser);
    let mut words = Cursor::new(parser.file, parser.syntax);
    while !words.at_end() {
        let word = words.text();
        words.advance();
        let (letter, digits) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        let number = digits.parse::<i64>().ok();
        match letter {
            "r" | "R" => {
                let index = number.and_then(|number| u16::try_from(number).ok());
                found.extend(index.map(|index| Reg { file: R, index }));
            }
            // A matrix macro reads up to three more.
            "c" | "C" if digits.is_empty() || number.is_some() => {
                let number = number.unwrap_or_else(|| behind(&mut words));
                let rows = (0..4).filter_map(|row| map.to_machine(number.saturating_add(row)));
                found.extend(rows.map(|index| Reg { file: C, index }));
            }
            _ => {}
        }
    }
    found
}

/// The number behind a `c` that stands alone: behind a sign, or a sum between brackets, which `a0.x` is not part of. What
/// the sum cannot go on with ends it; whether that may stand there is the reader's to say.
fn behind(words: &mut Cursor) -> i64 {
    words.eat("[");
    let mut sum = 0i64;
    loop {
        let mut minus = false;
        while ["-", "+", "a0", "A0", ".x", ".X"].contains(&words.text()) {
            minus = words.is("-");
            words.advance();
        }
        words.split_number();
        if words.token.kind != TokenKind::Number && !words.is("(") {
            return sum;
        }
        let Ok(product) = words.product() else { return sum };
        sum = if minus { sum.saturating_sub(product) } else { sum.saturating_add(product) };
    }
}

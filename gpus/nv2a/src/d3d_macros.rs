//! Direct3D's macro instructions (spec section 11): matrix products, `frc`, `exp`, `log`.
//!
//! The published slot counts are upper limits. What the machine has not in one slot is put together from what it has:
//!
//! - `m4x4 d, s, cN` and its smaller forms: a `dp4` or `dp3` for each lane, with cN, cN+1, …
//! - `frc d.xy, s`: `expp` leaves the fraction of one lane in y, so x is made first and moved.
//! - `exp d, s`: `expp` gives 2^⌊s⌋ and the fraction f; 2^f is a polynomial of degree 5.
//! - `log d, s`: `logp` gives the exponent and the mantissa m; log₂ m is a polynomial of degree 8 in m - 1.

use crate::d3d::Reader;
use crate::dialect::ConstantMap;
use crate::listing::Item;
use crate::read::{Cursor, Failed};
use crate::regs::{C, CONSTANTS, R};
use crate::rules::{BAD_MASK, MACRO, MADE_CONSTANTS};
use crate::statement::{Source, Statement, Target, first_lane};
use crate::syntax::D3D;
use gpuzoo_diag::{Diagnostic, File, Severity, Span};
use gpuzoo_isa::codes::OUT_OF_RANGE;
use gpuzoo_isa::{Constant, Mask, Operand, Reg, Swizzle};

/// The names of the macros.
pub const NAMES: [&str; 8] = ["m4x4", "m4x3", "m3x4", "m3x3", "m3x2", "frc", "exp", "log"];

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

/// Reads a macro and appends what it stands for.
pub fn read(reader: &mut Reader, word: &str) -> Result<(), Failed> {
    let Some(name) = NAMES.into_iter().find(|name| *name == word) else { return Err(Failed) };
    let start = reader.cursor.token.start;
    reader.cursor.advance();
    let target = reader.target(name)?;
    let count = if name.starts_with('m') { 2 } else { 1 };
    reader.cursor.comma(name, count)?;
    let source = reader.source()?;
    if count == 1 {
        let span = reader.cursor.since(start);
        return match name {
            "frc" => frc(reader, target, source, span),
            "exp" => exp(reader, target, source, span),
            _ => log(reader, target, source, span),
        };
    }
    reader.cursor.comma(name, count)?;
    let matrix = reader.source()?;
    product(reader, name, target, source, matrix, start)
}

fn product(
    reader: &mut Reader,
    name: &'static str,
    target: Target,
    source: Source,
    matrix: Source,
    start: usize,
) -> Result<(), Failed> {
    let digit = |at: usize| name.as_bytes()[at] - b'0';
    let (columns, rows) = (digit(1), digit(3));
    let span = reader.cursor.since(start);
    let all = Mask(((1u16 << rows) - 1) as u8);
    if target.operand.mask != all && target.operand.mask != Mask::ALL {
        let problem = Diagnostic::error(&BAD_MASK, format!("`{name}` writes {all}")).label(target.span, "");
        return Err(reader.cursor.fail(problem.help(format!("write the mask `.{all}`, or none"))));
    }
    let operand = matrix.operand;
    let bare = operand.swizzle == Swizzle::IDENTITY && !operand.negate;
    let last = operand.reg.index + u16::from(rows) - 1;
    let most = match operand.reg.file {
        C => CONSTANTS - 1,
        R => 11,
        _ => 15,
    };
    let problem = if !bare {
        Some(Diagnostic::error(&MACRO, "the matrix has neither sign nor lanes").label(matrix.span, ""))
    } else if ![C, R].contains(&operand.reg.file) {
        Some(Diagnostic::error(&MACRO, "the matrix lies in constants or temporaries").label(matrix.span, ""))
    } else if last > most {
        let problem = Diagnostic::error(
            &OUT_OF_RANGE,
            format!("the matrix has {rows} rows and ends past the last register"),
        );
        Some(problem.label(matrix.span, "the first row"))
    } else {
        let reg = target.operand.reg;
        let in_matrix = reg.file == operand.reg.file && (operand.reg.index..=last).contains(&reg.index);
        let overwritten =
            if reg == source.operand.reg { Some(source.span) } else { in_matrix.then_some(matrix.span) };
        overwritten.map(|place| {
            let problem = Diagnostic::error(&MACRO, format!("`{name}` writes what it still has to read"));
            let problem =
                problem.label(target.span, "written lane by lane").label(place, "read for every lane");
            problem.help("give the result another register")
        })
    };
    if let Some(problem) = problem {
        return Err(reader.cursor.fail(problem));
    }
    let row = if columns == 4 { "dp4" } else { "dp3" };
    for lane in 0..rows {
        let reg = Reg { index: operand.reg.index + u16::from(lane), ..operand.reg };
        let matrix = Source { operand: Operand { reg, ..operand }, ..matrix };
        let target = with_mask(target, 1 << lane);
        push(reader, Statement { name: row, target, sources: vec![source, matrix], span });
    }
    Ok(())
}

/// The fraction of x and y, or of y alone (the masks that Direct3D 8 and 9 allow for vs.1.1).
fn frc(reader: &mut Reader, target: Target, source: Source, span: Span) -> Result<(), Failed> {
    let mask = target.operand.mask;
    if mask != Mask(3) && mask != Mask(2) {
        let problem = Diagnostic::error(&BAD_MASK, "`frc` writes y, or x and y").label(target.span, "");
        return Err(reader.cursor.fail(problem.help("write the mask `.xy` or `.y`")));
    }
    let [x, y, ..] = source.operand.swizzle.lanes();
    let fraction = |target: Target, lane: u8| Statement {
        name: "expp",
        target,
        sources: vec![of_lane(source, lane)],
        span,
    };
    if mask == Mask(2) {
        push(reader, fraction(target, y));
        return Ok(());
    }
    let of_x = |reg: Reg| Target { operand: Operand { reg, mask: Mask(2), ..Operand::default() }, ..target };
    let moved = |reg: Reg| Statement {
        name: "mov",
        target: with_mask(target, 1),
        sources: vec![read_lane(reg, 1, target.span)],
        span,
    };
    let (reg, from) = (target.operand.reg, source.operand.reg);
    if reg.file == R && (reg != from || x == y || y > 1) {
        push(reader, fraction(of_x(reg), x));
        push(reader, moved(reg));
        if x != y {
            push(reader, fraction(with_mask(target, 2), y));
        }
        return Ok(());
    }
    // The source's y would be lost, or the destination cannot be read: x takes a detour.
    let scratch = scratch(reader, "frc", target)?;
    push(reader, fraction(of_x(scratch), x));
    push(reader, fraction(with_mask(target, 2), y));
    push(reader, moved(scratch));
    Ok(())
}

/// 2^s, ten slots. The result is 1 exactly for a tiny negative s, whose fraction the machine rounds up to 1 while it takes
/// ⌊s⌋ for 0 (spec section 6; the `cpu` profile takes it for -1): where f = 1, f becomes 0 and 2^⌊s⌋ at least 1.
fn exp(reader: &mut Reader, target: Target, source: Source, span: Span) -> Result<(), Failed> {
    let t = working(reader, "exp", target)?;
    let [k, l] = made(reader, "exp", &EXP, span)?;
    let mut step = Steps { reader, span, t };
    step.to("expp", 15, vec![of_lane(source, first_lane(source.operand.swizzle))]);
    step.to("sge", 4, vec![step.lane(1), step.lane(3)]);
    step.to("max", 1, vec![step.lane(0), step.lane(2)]);
    step.to("add", 2, vec![step.lane(1), negated(step.lane(2))]);
    step.to("mad", 4, vec![step.lane(1), step.of(k, 0), step.of(k, 1)]);
    for coefficient in [step.of(k, 2), step.of(k, 3), step.of(l, 0), step.lane(3)] {
        step.to("mad", 4, vec![step.lane(2), step.lane(1), coefficient]);
    }
    let sources = vec![step.lane(2), step.lane(0)];
    push(reader, Statement { name: "mul", target, sources, span });
    Ok(())
}

/// log₂ |s|, ten slots. Near 1 from below the exponent -1 cancels, so the error is absolute. Powers of two are exact, 0
/// gives -infinity.
fn log(reader: &mut Reader, target: Target, source: Source, span: Span) -> Result<(), Failed> {
    let t = working(reader, "log", target)?;
    let [k, l] = made(reader, "log", &LOG, span)?;
    let mut step = Steps { reader, span, t };
    step.to("logp", 15, vec![of_lane(source, first_lane(source.operand.swizzle))]);
    step.to("add", 2, vec![step.lane(1), negated(step.lane(3))]);
    step.to("mad", 4, vec![step.lane(1), step.of(k, 0), step.of(k, 1)]);
    let rest = [step.of(k, 2), step.of(k, 3), step.of(l, 0), step.of(l, 1), step.of(l, 2), step.of(l, 3)];
    for coefficient in rest {
        step.to("mad", 4, vec![step.lane(2), step.lane(1), coefficient]);
    }
    let sources = vec![step.lane(2), step.lane(1), step.lane(0)];
    push(reader, Statement { name: "mad", target, sources, span });
    Ok(())
}

/// Statements that work in one temporary.
struct Steps<'r, 'a> {
    reader: &'r mut Reader<'a>,
    span: Span,
    t: Reg,
}

impl Steps<'_, '_> {
    fn to(&mut self, name: &'static str, mask: u8, sources: Vec<Source>) {
        let operand = Operand { reg: self.t, mask: Mask(mask), ..Operand::default() };
        let target = Target { operand, span: self.span };
        push(self.reader, Statement { name, target, sources, span: self.span });
    }

    fn lane(&self, lane: u8) -> Source {
        read_lane(self.t, lane, self.span)
    }

    fn of(&self, reg: Reg, lane: u8) -> Source {
        read_lane(reg, lane, self.span)
    }
}

fn push(reader: &mut Reader, statement: Statement) {
    reader.items.push(Item::Group(vec![statement]));
}

fn with_mask(target: Target, mask: u8) -> Target {
    Target { operand: Operand { mask: Mask(mask), ..target.operand }, ..target }
}

/// A swizzle that is one lane four times.
fn replicated(lane: u8) -> Swizzle {
    Swizzle(lane * 0b01_01_01_01)
}

fn of_lane(source: Source, lane: u8) -> Source {
    Source { operand: Operand { swizzle: replicated(lane), ..source.operand }, ..source }
}

fn read_lane(reg: Reg, lane: u8, span: Span) -> Source {
    Source { operand: Operand { reg, swizzle: replicated(lane), ..Operand::default() }, span }
}

fn negated(source: Source) -> Source {
    Source { operand: Operand { negate: true, ..source.operand }, ..source }
}

/// The temporary that all lanes of are free to work in: the destination, or one that the text does not mention.
fn working(reader: &mut Reader, name: &str, target: Target) -> Result<Reg, Failed> {
    let Operand { reg, mask, .. } = target.operand;
    if reg.file == R && mask == Mask::ALL { Ok(reg) } else { scratch(reader, name, target) }
}

/// A temporary that the text does not mention.
fn scratch(reader: &mut Reader, name: &str, target: Target) -> Result<Reg, Failed> {
    match reader.mentioned().temporaries.iter().rposition(|used| !used) {
        Some(index) => Ok(Reg { file: R, index: index as u16 }),
        None => {
            let problem =
                Diagnostic::error(&MACRO, format!("`{name}` needs a temporary, and all twelve are in use"));
            let problem = problem.label(target.span, "it cannot work in its destination");
            Err(reader.cursor.fail(problem.help("give the result a whole temporary of its own, or free one")))
        }
    }
}

/// Two constants that hold a macro's coefficients, made on first use.
fn made(reader: &mut Reader, name: &str, values: &[[f32; 4]; 2], span: Span) -> Result<[Reg; 2], Failed> {
    let label = format!("{name} coefficients");
    let known = reader.constants.iter().find(|constant| constant.name.as_ref() == Some(&label));
    if let Some(constant) = known {
        return Ok([constant.reg, Reg { index: constant.reg.index + 1, ..constant.reg }]);
    }
    let constants = reader.mentioned().constants;
    // The highest that the text can count come first: loops over matrices grow from below.
    let least = if reader.cursor.map.range().0 == 0 { reader.cursor.map.offset() as usize } else { 0 };
    let Some(first) =
        (least..constants.len() - 1).rev().find(|&index| !constants[index] && !constants[index + 1])
    else {
        let problem =
            Diagnostic::error(&MADE_CONSTANTS, format!("`{name}` needs two constants, and all are in use"));
        return Err(reader.cursor.fail(problem.label(span, "").help("free two that follow one another")));
    };
    reader.mentioned().constants[first..first + 2].fill(true);
    let reg = Reg { file: C, index: first as u16 };
    let number = |index| reader.cursor.map.from_machine(index).unwrap_or(0);
    let message =
        format!("`{name}` takes c{} and c{} for its coefficients", number(reg.index), number(reg.index + 1));
    let problem = Diagnostic::new(Severity::Note, &MADE_CONSTANTS, message).label(span, "");
    reader.cursor.problems.push(problem.help("load them with the program, as those of `def`"));
    let values = values.iter().map(|value| value.map(f32::to_bits)).collect();
    reader.constants.push(Constant { name: Some(label), reg, count: 2, values, span });
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
    pub fn of(file: &File, map: ConstantMap) -> Mentioned {
        let mut found = Mentioned { temporaries: [false; 12], constants: [false; CONSTANTS as usize] };
        let mut words = Cursor::new(file, &D3D, map);
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
                    let rows = (0..4).filter_map(|row| map.to_machine(number.saturating_add(row)));
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

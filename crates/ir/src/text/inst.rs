//! One instruction as text, and back: the part after `=`.

use super::cursor::{Cursor, Parsed, quote};
use super::parse::{Parser, number16};
use crate::codes;
use crate::function::{Inst, Pick};
use crate::op::{Dot, Op1, Op2, Op3};
use gpuzoo_diag::{Diagnostic, Span, suggest};
use std::fmt::{self, Display, Formatter};

/// The instructions that are not operations.
const KEYWORDS: [&str; 5] = ["const", "input", "uniform", "sample", "kill"];

/// `fadd v1, v2`.
impl Display for Inst {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Inst::Const(bits) => {
                let [x, y, z, w] = bits.map(Component);
                write!(f, "const ({x}, {y}, {z}, {w})")
            }
            Inst::Input(index) => write!(f, "input {index}"),
            Inst::Uniform(index) => write!(f, "uniform {index}"),
            Inst::UniformAt { index, base, count } => {
                write!(f, "uniform[{index}.x")?;
                if base != 0 {
                    write!(f, " {} {}", if base < 0 { '-' } else { '+' }, base.unsigned_abs())?;
                }
                write!(f, " < {count}]")
            }
            Inst::Map1(op, a) => write!(f, "{} {a}", op.name()),
            Inst::Map2(op, [a, b]) => write!(f, "{} {a}, {b}", op.name()),
            Inst::Map3(op, [a, b, c]) => write!(f, "{} {a}, {b}, {c}", op.name()),
            Inst::Dot(dot, [a, b]) => write!(f, "{} {a}, {b}", dot.name()),
            Inst::Shuffle([a, b], picks) => {
                write!(f, "{a}.")?;
                picks.iter().try_for_each(|pick| match *pick {
                    Pick::A(component) => component_letter(component).fmt(f),
                    Pick::B(_) => '_'.fmt(f),
                    Pick::Zero => '0'.fmt(f),
                    Pick::One => '1'.fmt(f),
                })?;
                if a == b && !picks.iter().any(|pick| matches!(pick, Pick::B(_))) {
                    return Ok(());
                }
                write!(f, " | {b}.")?;
                picks.iter().try_for_each(|pick| match *pick {
                    Pick::B(component) => component_letter(component).fmt(f),
                    _ => '_'.fmt(f),
                })
            }
            Inst::Sample(unit, at) => write!(f, "sample {unit}, {at}"),
            Inst::Kill(a) => write!(f, "kill {a}"),
        }
    }
}

impl Parser {
    /// What [`Display`] prints, but for shuffles.
    pub(super) fn operation(&self, cursor: &mut Cursor) -> Parsed<Inst> {
        if cursor.peek_word().is_empty() {
            return Err(cursor.unexpected("an instruction"));
        }
        let (word, span) = cursor.word();
        Ok(match word {
            "const" => constant(cursor)?,
            "input" => Inst::Input(number16(cursor, "the number of the input")?),
            "uniform" if cursor.eat('[') => self.uniform_at(cursor)?,
            "uniform" => Inst::Uniform(number16(cursor, "the number of the uniform")?),
            "sample" => {
                let unit = cursor.number("the number of the texture unit", u8::MAX.into())? as u8;
                cursor.expect(',')?;
                Inst::Sample(unit, self.value(cursor)?.0)
            }
            "kill" => Inst::Kill(self.value(cursor)?.0),
            _ => {
                if let Some(op) = Op1::from_name(word) {
                    Inst::Map1(op, self.value(cursor)?.0)
                } else if let Some(op) = Op2::from_name(word) {
                    Inst::Map2(op, self.values(cursor)?)
                } else if let Some(op) = Op3::from_name(word) {
                    Inst::Map3(op, self.values(cursor)?)
                } else if let Some(dot) = Dot::from_name(word) {
                    Inst::Dot(dot, self.values(cursor)?)
                } else {
                    return Err(unknown(word, span));
                }
            }
        })
    }

    /// `[` was taken; `v2.x + 5 < 192]` follows.
    fn uniform_at(&self, cursor: &mut Cursor) -> Parsed<Inst> {
        let index = self.value(cursor)?.0;
        cursor.expect('.')?;
        if cursor.peek_word() != "x" {
            return Err(cursor.unexpected("`x`, the component of the index"));
        }
        cursor.word();
        const WHAT: &str = "what is added to the index";
        let base = if cursor.eat('-') {
            -i64::from(cursor.number(WHAT, i32::MIN.unsigned_abs())?)
        } else if cursor.eat('+') {
            i64::from(cursor.number(WHAT, i32::MAX as u32)?)
        } else {
            0
        };
        cursor.expect('<')?;
        let count = number16(cursor, "the number of uniforms")?;
        cursor.expect(']')?;
        Ok(Inst::UniformAt { index, base: base as i32, count })
    }

    /// `v1.xy01` or `v1.xy__ | v2.__zw`.
    pub(super) fn shuffle(&self, cursor: &mut Cursor) -> Parsed<Inst> {
        let a = self.value(cursor)?.0;
        cursor.expect('.')?;
        let (from_a, span_a) = components(cursor, Pick::A)?;
        if !cursor.eat('|') {
            return match from_a {
                [Some(x), Some(y), Some(z), Some(w)] => Ok(Inst::Shuffle([a, a], [x, y, z, w])),
                _ => Err(wrong_components("a component is left open, and there is no second value", span_a)),
            };
        }
        let b = self.value(cursor)?.0;
        cursor.expect('.')?;
        let (from_b, span_b) = components(cursor, Pick::B)?;
        let mut picks = [Pick::Zero; 4];
        for component in 0..4 {
            picks[component] = match (from_a[component], from_b[component]) {
                (Some(pick), None) | (None, Some(pick)) => pick,
                (found, _) => {
                    let how = if found.is_some() { "both values give" } else { "no value gives" };
                    let message = format!("{how} component {}", ['x', 'y', 'z', 'w'][component]);
                    return Err(wrong_components(&message, span_a.to(span_b)));
                }
            };
        }
        Ok(Inst::Shuffle([a, b], picks))
    }
}

/// `?` for a component that does not exist; such a function does not verify, and its text does not parse.
fn component_letter(component: u8) -> char {
    *['x', 'y', 'z', 'w'].get(component as usize).unwrap_or(&'?')
}

/// One component of a constant.
struct Component(u32);

impl Display for Component {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let float = f32::from_bits(self.0);
        match self.0 {
            crate::NAN => f.write_str("nan"),
            // Subnormal numbers are really small integers (components have no type), and read better as bits.
            bits if float.is_nan() || float.is_subnormal() => write!(f, "{bits:#x}"),
            // Rust prints the shortest decimal that reads back as the same float.
            _ => write!(f, "{float:?}"),
        }
    }
}

/// Four letters that pick components; `None` for a component that is left to the other value.
fn components(cursor: &mut Cursor, pick: fn(u8) -> Pick) -> Parsed<([Option<Pick>; 4], Span)> {
    let (word, span) = cursor.word();
    let wrong = || wrong_components(&format!("{} does not pick four components", quote(word)), span);
    let letters: &[u8; 4] = word.as_bytes().try_into().map_err(|_| wrong())?;
    let mut picks = [None; 4];
    for (found, letter) in picks.iter_mut().zip(letters) {
        *found = match letter {
            b'x' => Some(pick(0)),
            b'y' => Some(pick(1)),
            b'z' => Some(pick(2)),
            b'w' => Some(pick(3)),
            b'0' => Some(Pick::Zero),
            b'1' => Some(Pick::One),
            b'_' => None,
            _ => return Err(wrong()),
        };
    }
    Ok((picks, span))
}

/// `(1.0, -0.0, nan, 0x7)`.
fn constant(cursor: &mut Cursor) -> Parsed<Inst> {
    let mut bits = [0; 4];
    for (index, component) in bits.iter_mut().enumerate() {
        cursor.expect(if index == 0 { '(' } else { ',' })?;
        let (word, span) =
            cursor.take(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '+' | '-'));
        if word.is_empty() {
            return Err(cursor.unexpected("a constant component"));
        }
        *component = component_bits(word).ok_or_else(|| {
            let message = format!("{} is not a 32-bit component", quote(word));
            let error =
                Diagnostic::error(&codes::CONSTANT, message).label(span, "expected a float or its bits");
            Box::new(error.help("write `1.5`, `inf`, `nan`, or bits such as `0x3f800000`"))
        })?;
    }
    cursor.expect(')')?;
    Ok(Inst::Const(bits))
}

fn component_bits(word: &str) -> Option<u32> {
    match word {
        "nan" => return Some(crate::NAN),
        "inf" => return Some(f32::INFINITY.to_bits()),
        "-inf" => return Some(f32::NEG_INFINITY.to_bits()),
        _ => {}
    }
    if let Some(digits) = word.strip_prefix("0x") {
        // `from_str_radix` alone would accept a sign.
        let hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        return u32::from_str_radix(digits, 16).ok().filter(|_| hex);
    }
    // Rust's parser knows more spellings of infinity and NaN; numbers too large to be rounded are refused with them.
    word.parse::<f32>().ok().filter(|float| float.is_finite()).map(f32::to_bits)
}

fn unknown(word: &str, span: Span) -> Box<Diagnostic> {
    let ops = Op1::ALL.iter().map(|op| op.name());
    let ops = ops.chain(Op2::ALL.iter().map(|op| op.name())).chain(Op3::ALL.iter().map(|op| op.name()));
    let ops = ops.chain(Dot::ALL.iter().map(|dot| dot.name()));
    let message = format!("there is no instruction {}", quote(word));
    let error = Diagnostic::error(&codes::UNKNOWN_INSTRUCTION, message).label(span, "not an instruction");
    Box::new(match suggest::nearest(word, KEYWORDS.into_iter().chain(ops)) {
        Some(near) => error.did_you_mean(near, span, near),
        None => error,
    })
}

fn wrong_components(message: &str, span: Span) -> Box<Diagnostic> {
    Box::new(
        Diagnostic::error(&codes::COMPONENTS, message)
            .label(span, "")
            .help("write four of `x`, `y`, `z`, `w`, `0`, `1`, or two values: `v1.xy__ | v2.__zw`"),
    )
}

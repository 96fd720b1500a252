//! Text to functions.

use super::cursor::{Cursor, Parsed, number_in, quote};
use crate::codes;
use crate::function::{Function, Inst, Origin, Pick, Value};
use crate::op::{Dot, Op1, Op2, Op3};
use crate::verify::verify;
use gpuzoo_diag::{Diagnostic, File, MAX_SOURCE_BYTES, Span, has_errors, suggest};
use std::collections::{BTreeMap, HashMap};

/// After so many errors the rest of the text is not read.
pub const MAX_ERRORS: usize = 1000;

/// The instructions that are not operations.
const KEYWORDS: [&str; 5] = ["const", "input", "uniform", "sample", "kill"];

/// Reads the text form.
///
/// All errors are reported, one a line at most. If there are any, the function holds constant zeros for the lines
/// that could not be read, and is not to be used; if there are none, it verifies.
///
/// Texts of more than [`MAX_SOURCE_BYTES`] are not read, nor is what follows the first [`MAX_ERRORS`] errors.
///
/// ```
/// use gpuzoo_diag::File;
/// use gpuzoo_ir::{eval, text, vec4};
///
/// let file = File::new("double.ir", "v0 = input 0\nv1 = fadd v0, v0\noutput 0 = v1\n");
/// let (f, diagnostics) = text::parse(&file);
/// assert!(diagnostics.is_empty());
/// assert_eq!(eval::outputs(&f, &[vec4([1.0, 2.0, 3.0, -0.0])], &[]), [vec4([2.0, 4.0, 6.0, -0.0])]);
/// assert_eq!(f.to_string(), file.text());
/// ```
pub fn parse(file: &File) -> (Function, Vec<Diagnostic>) {
    if file.text().len() > MAX_SOURCE_BYTES {
        let message = format!("the text is {} bytes long, more than {MAX_SOURCE_BYTES}", file.text().len());
        return (
            Function::default(),
            vec![Diagnostic::error(&codes::TOO_LONG, message).label(file.span(0..0), "")],
        );
    }
    let mut parser = Parser::default();
    let mut diagnostics = Vec::new();
    let mut at = 0;
    for line in file.text().split_inclusive('\n') {
        if let Err(error) = parser.line(&mut Cursor::new(file, at, line)) {
            diagnostics.push(*error);
            if diagnostics.len() == MAX_ERRORS {
                let message = format!("{MAX_ERRORS} errors: the rest is not read");
                let end = file.span(at + line.len()..at + line.len());
                diagnostics.push(Diagnostic::error(&codes::TOO_MANY, message).label(end, ""));
                break;
            }
        }
        at += line.len();
    }
    let mut function = parser.function;
    function.outputs = parser.outputs.into_iter().map(|(index, (value, _))| (index, value)).collect();
    debug_assert!(has_errors(&diagnostics) || verify(&function).is_ok());
    (function, diagnostics)
}

#[derive(Default)]
struct Parser {
    function: Function,
    /// The values by their numbers in the text, and where they are defined.
    names: HashMap<u32, (Value, Span)>,
    outputs: BTreeMap<u16, (Value, Span)>,
}

impl Parser {
    fn line(&mut self, cursor: &mut Cursor) -> Parsed<()> {
        if cursor.is_empty() {
            return Ok(());
        }
        let word = cursor.peek_word();
        if word == "output" {
            return self.output(cursor);
        }
        if !is_value(word) {
            let error = cursor.unexpected("`v0 = …` or `output 0 = …`");
            let near = suggest::nearest(word, ["output"]);
            return Err(Box::new(
                near.iter().fold(*error, |error, near| error.help(format!("did you mean `{near}`?"))),
            ));
        }
        let (name, span) = value_name(cursor)?;
        let read = self.instruction(cursor);
        // A line that cannot be read still defines its value, so that its uses are not reported as well.
        let (inst, origin) = *read.as_ref().unwrap_or(&(Inst::Const([0; 4]), None));
        let value = Value(self.function.insts.len() as u32);
        self.function.insts.push(inst);
        self.function.origins.push(origin);
        let first = *self.names.entry(name).or_insert((value, span));
        read?;
        if first.0 == value {
            Ok(())
        } else {
            Err(twice(&codes::DEFINED_TWICE, &format!("v{name}"), span, first.1))
        }
    }

    fn output(&mut self, cursor: &mut Cursor) -> Parsed<()> {
        let keyword = cursor.word().1;
        let index = number16(cursor, "the number of the output")?;
        cursor.expect('=')?;
        let (value, span) = self.value(cursor)?;
        cursor.expect_end()?;
        let here = keyword.to(span);
        match self.outputs.insert(index, (value, here)) {
            None => Ok(()),
            Some((_, first)) => Err(twice(&codes::OUTPUT_TWICE, &format!("output {index}"), here, first)),
        }
    }

    /// What follows the name of the value.
    fn instruction(&self, cursor: &mut Cursor) -> Parsed<(Inst, Origin)> {
        cursor.expect('=')?;
        let inst = if is_value(cursor.peek_word()) { self.shuffle(cursor)? } else { self.operation(cursor)? };
        let origin = match cursor.eat('@') {
            true => Some(cursor.number("the number of a machine instruction", u32::MAX)?),
            false => None,
        };
        cursor.expect_end()?;
        Ok((inst, origin))
    }

    fn operation(&self, cursor: &mut Cursor) -> Parsed<Inst> {
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
    fn shuffle(&self, cursor: &mut Cursor) -> Parsed<Inst> {
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

    /// A value that was defined above.
    fn value(&self, cursor: &mut Cursor) -> Parsed<(Value, Span)> {
        let (name, span) = value_name(cursor)?;
        match self.names.get(&name) {
            Some(&(value, _)) => Ok((value, span)),
            None => {
                let message = format!("v{name} is not defined above this line");
                Err(Box::new(Diagnostic::error(&codes::UNDEFINED, message).label(span, "not defined yet")))
            }
        }
    }

    /// `N` values with commas between them.
    fn values<const N: usize>(&self, cursor: &mut Cursor) -> Parsed<[Value; N]> {
        let mut values = [Value(0); N];
        for (index, value) in values.iter_mut().enumerate() {
            if index > 0 {
                cursor.expect(',')?;
            }
            *value = self.value(cursor)?.0;
        }
        Ok(values)
    }
}

/// `v` and a digit, followed by anything.
fn is_value(word: &str) -> bool {
    word.strip_prefix('v').is_some_and(|number| number.starts_with(|first: char| first.is_ascii_digit()))
}

/// `v12`, as a number.
fn value_name(cursor: &mut Cursor) -> Parsed<(u32, Span)> {
    if !is_value(cursor.peek_word()) {
        return Err(cursor.unexpected("a value such as `v0`"));
    }
    let (word, span) = cursor.word();
    match number_in(&word[1..], u32::MAX) {
        Some(name) => Ok((name, span)),
        None => {
            let message = format!("{} is not a value: the number is wrong or too large", quote(word));
            Err(Box::new(
                Diagnostic::error(&codes::NUMBER, message).label(span, "expected a value such as `v0`"),
            ))
        }
    }
}

fn number16(cursor: &mut Cursor, what: &str) -> Parsed<u16> {
    cursor.number(what, u16::MAX.into()).map(|number| number as u16)
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
        Some(near) => error.fix(format!("did you mean `{near}`?"), span, near),
        None => error,
    })
}

fn twice(code: &'static gpuzoo_diag::Code, what: &str, here: Span, first: Span) -> Box<Diagnostic> {
    let message = format!("{what} is there already");
    Box::new(Diagnostic::error(code, message).label(here, "again here").label(first, "first here"))
}

fn wrong_components(message: &str, span: Span) -> Box<Diagnostic> {
    Box::new(
        Diagnostic::error(&codes::COMPONENTS, message)
            .label(span, "")
            .help("write four of `x`, `y`, `z`, `w`, `0`, `1`, or two values: `v1.xy__ | v2.__zw`"),
    )
}

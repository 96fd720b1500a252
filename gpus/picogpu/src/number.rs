//! The values of instructions: `1.0`, `2.5f`, `-7` (spec section 2.1).

use crate::rules::{BAD_NUMBER, OUT_OF_RANGE_LITERAL};
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_isa::{Cursor, Failed, ValuePlace, Values};

/// Floating-point numbers.
pub const FLOAT: Values = Values {
    name: "a float",
    most: 4,
    count: None,
    begins,
    read: read_float,
    print: print_float,
    sample: 0x3f00_0000,
};

/// Whole numbers.
pub const INTEGER: Values = Values {
    name: "an integer",
    read: read_integer,
    print: |value| Some((value as i32).to_string()),
    sample: 7,
    ..FLOAT
};

fn begins(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.strip_prefix('.').unwrap_or(digits).starts_with(|first: char| first.is_ascii_digit())
}

/// Digits, perhaps behind a minus.
fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The text that Rust reads as the number: digits, a dot, perhaps digits, perhaps `f`.
fn float_digits(text: &str) -> Option<&str> {
    let number = text.strip_suffix('f').unwrap_or(text);
    let (whole, fraction) = number.split_once('.')?;
    (is_integer(whole) && (fraction.is_empty() || is_integer(fraction)) && !fraction.starts_with('-'))
        .then_some(number)
}

fn read_float(cursor: &mut Cursor, place: &ValuePlace) -> Result<u32, Failed> {
    let Some(digits) = float_digits(cursor.text()) else {
        return wrong(cursor, place, "a float", "for example `1.0`, `-0.5` or `2.5f`");
    };
    // Twice rounded, as the reference does: to double, then to single.
    let value = digits.parse::<f64>().unwrap_or(0.0) as f32;
    let span = cursor.span();
    cursor.advance();
    if value.is_infinite() {
        out_of_range(cursor, span, "it becomes an infinity");
    }
    Ok(value.to_bits())
}

fn read_integer(cursor: &mut Cursor, place: &ValuePlace) -> Result<u32, Failed> {
    let (text, span) = (cursor.text(), cursor.span());
    if !is_integer(text) {
        return wrong(cursor, place, "an integer", "for example `7` or `-1`");
    }
    cursor.advance();
    // Kept in 64 bits, of which the low 32 are used (spec section 2.1).
    let edge = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    let value = text.parse::<i64>().unwrap_or(edge);
    if i32::try_from(value).is_err() && u32::try_from(value).is_err() {
        out_of_range(cursor, span, &format!("its low 32 bits are {}", value as i32));
    }
    Ok(value as u32)
}

fn wrong(cursor: &mut Cursor, place: &ValuePlace, wanted: &str, help: &str) -> Result<u32, Failed> {
    let (text, span) = (cursor.text(), cursor.span());
    cursor.advance();
    let problem = Diagnostic::error(&BAD_NUMBER, format!("`{}` takes {wanted} here", place.mnemonic));
    let problem = problem.label(span, format!("not {wanted}"));
    cursor.fail(match is_integer(text) {
        true => problem.fix("write it as a float", span, format!("{text}.0")),
        false => problem.help(help),
    })
}

fn out_of_range(cursor: &mut Cursor, span: Span, note: &str) {
    let text = cursor.file.slice(span).to_owned();
    let problem = Diagnostic::warning(&OUT_OF_RANGE_LITERAL, format!("`{text}` does not fit 32 bits"));
    cursor.report(problem.at(span).note(note));
}

/// The shortest text that the assembler reads as these bits; none for infinities and NaN, which have no text.
fn print_float(bits: u32) -> Option<String> {
    let value = f32::from_bits(bits);
    if !value.is_finite() {
        return None;
    }
    // The assembler rounds twice, by way of f64: digits that are enough for an f32 might not do.
    let texts = [value.to_string(), f64::from(value).to_string()];
    let reads_back = |text: &String| text.parse::<f64>().is_ok_and(|value| (value as f32).to_bits() == bits);
    let text = texts.into_iter().find(reads_back)?;
    Some(if text.contains('.') { text } else { text + ".0" })
}

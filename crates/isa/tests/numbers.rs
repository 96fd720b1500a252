//! The values that the test machines' instructions hold.

use gpuzoo_diag::Diagnostic;
use gpuzoo_isa::codes::{EXPECTED_NUMBER, OUT_OF_RANGE};
use gpuzoo_isa::number::integer;
use gpuzoo_isa::{Cursor, Failed, Field, ValuePlace, Values};

/// Up to four floats.
pub const FLOATS: Values = Values {
    name: "a float",
    most: 4,
    count: None,
    begins: |text| text == "-" || text.starts_with(|first: char| first.is_ascii_digit()),
    read: read_float,
    print: |bits| Some(f32::from_bits(bits)).filter(|value| value.is_finite()).map(|value| value.to_string()),
    sample: 0x3f00_0000,
};

/// Up to four integers.
pub const INTEGERS: Values = Values {
    name: "an integer",
    read: read_integer,
    print: |bits| Some((bits as i32).to_string()),
    sample: 7,
    ..FLOATS
};

/// An integer of eight bits without a sign.
pub static BYTE: Values = Values {
    name: "a byte",
    most: 1,
    begins: |text| text.starts_with(|first: char| first.is_ascii_digit()),
    read: read_byte,
    print: |bits| Some(bits.to_string()),
    ..INTEGERS
};

/// With the field that counts them.
pub const fn counted(values: Values, count: Field) -> Values {
    Values { count: Some(count), ..values }
}

fn read_float(cursor: &mut Cursor, place: &ValuePlace) -> Result<u32, Failed> {
    let value = cursor.text().parse::<f32>();
    cursor.advance();
    match value {
        Ok(value) => Ok(if place.negated { -value } else { value }.to_bits()),
        Err(_) => wrong(cursor, place, "a float"),
    }
}

fn read_integer(cursor: &mut Cursor, place: &ValuePlace) -> Result<u32, Failed> {
    let value = integer(cursor.text());
    cursor.advance();
    match value {
        Ok(value) => Ok(if place.negated { value.wrapping_neg() } else { value } as u32),
        Err(_) => wrong(cursor, place, "an integer"),
    }
}

fn read_byte(cursor: &mut Cursor, place: &ValuePlace) -> Result<u32, Failed> {
    let value = read_integer(cursor, place)?;
    if value > 255 {
        let problem = Diagnostic::error(&OUT_OF_RANGE, format!("{value} is not a byte"));
        return cursor.fail(problem.label(cursor.since(place.start), "too large"));
    }
    Ok(value)
}

fn wrong(cursor: &mut Cursor, place: &ValuePlace, wanted: &str) -> Result<u32, Failed> {
    let message = format!("`{}` takes {wanted}", place.mnemonic);
    let problem = Diagnostic::error(&EXPECTED_NUMBER, message).at(cursor.since(place.start));
    cursor.fail(problem)
}

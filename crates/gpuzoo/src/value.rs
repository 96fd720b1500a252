//! Components as people write them.

use crate::codes::BAD_NUMBER;
use gpuzoo_diag::{Diagnostic, File};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::Mask;
use serde::Serialize;
use serde_json::Number;
use std::io::Write;

/// A component as results have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Component {
    /// A signed integer of 32 bits.
    Integer(i32),
    /// The shortest number that is the same 32-bit float.
    Float(Number),
    /// A float that JSON has no number for, `inf`, `-inf` or `nan`, or a pattern: `0x3f800000`.
    Text(String),
}

/// Reads a component: a decimal number (`1`, `-0.5`, `1e-3`), `inf`, `-inf`, `nan`, or a bit pattern of eight
/// hexadecimal digits (`0x3f800000`). Decimal numbers are rounded once, to the nearest 32-bit float.
///
/// ```
/// use gpuzoo::value::parse;
/// assert_eq!(parse("1"), Some(0x3f800000));
/// assert_eq!(parse("-0"), Some(0x80000000));
/// assert_eq!(parse("0x7fc00001"), Some(0x7fc00001));
/// assert_eq!(parse("nan"), Some(0x7fc00000));
/// assert_eq!(parse("0x1"), None); // seven digits too few to be sure
/// ```
pub fn parse(text: &str) -> Option<u32> {
    if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        let digits = hex.len() == 8 && hex.bytes().all(|digit| digit.is_ascii_hexdigit());
        return digits.then(|| u32::from_str_radix(hex, 16).ok()).flatten();
    }
    if let Some((bits, end)) = leading(text.as_bytes())
        && end == text.len()
    {
        return Some(bits);
    }
    match text {
        "nan" | "NaN" => Some(gpuzoo_ir::NAN),
        _ => text.parse::<f32>().ok().filter(|value| !value.is_nan()).map(f32::to_bits),
    }
}

/// Reads the decimal number that a text begins with, and how long it is: perhaps a `-`, then digits, perhaps a point with
/// digits, and an exponent. None for other texts, and where it takes more to round the number; [`parse`] reads all of them.
///
/// ```
/// use gpuzoo::value::leading;
/// assert_eq!(leading(b"0.5,1"), Some((0x3f000000, 3)));
/// assert_eq!(leading(b"nan"), None);
/// ```
pub fn leading(text: &[u8]) -> Option<(u32, usize)> {
    let is_negative = text.first() == Some(&b'-');
    let whole = usize::from(is_negative);
    let (mut digits, mut end) = digits(text, whole, 0);
    let (mut count, mut power) = (end - whole, 0);
    if count == 0 {
        return None;
    }
    if text.get(end) == Some(&b'.') {
        let start = end + 1;
        (digits, end) = self::digits(text, start, digits);
        count += end - start;
        power = -i64::try_from(end - start).ok()?;
    }
    if let Some(b'e' | b'E') = text.get(end) {
        let sign = text.get(end + 1);
        let start = end + 1 + usize::from(matches!(sign, Some(b'-' | b'+')));
        let exponent;
        (exponent, end) = self::digits(text, start, 0);
        if !(1..=3).contains(&(end - start)) {
            return None;
        }
        power += if sign == Some(&b'-') { -(exponent as i64) } else { exponent as i64 };
    }
    // Digits and power of ten are exact in f64, so that the quotient or product is the f64 nearest to the number.
    let ten = TENS.get(usize::try_from(power.unsigned_abs()).ok()?)?;
    if count > 19 || digits >= 1 << 53 {
        return None;
    }
    let value = if power < 0 { digits as f64 / ten } else { digits as f64 * ten };
    // The f32 nearest to that is the nearest to the number, unless it lies exactly between two: then what was rounded away
    // decides. It is 0 or from 1e-22 to 1e38, and so not subnormal.
    const BETWEEN: u64 = 1 << 28;
    if value.to_bits() % (2 * BETWEEN) == BETWEEN {
        return None;
    }
    let value = value as f32;
    Some((if is_negative { -value } else { value }.to_bits(), end))
}

/// Appends the digits of a text from a place on to a number, which wraps, and finds their end.
fn digits(text: &[u8], start: usize, mut number: u64) -> (u64, usize) {
    let mut end = start;
    while let Some(digit) = text.get(end).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
        number = number.wrapping_mul(10).wrapping_add(u64::from(digit));
        end += 1;
    }
    (number, end)
}

/// The powers of ten that an f64 holds exactly.
const TENS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// The shortest text that [`parse`] reads back as the same bits.
///
/// ```
/// use gpuzoo::value::show;
/// assert_eq!(show(0x3dcccccd), "0.1");
/// assert_eq!(show(0x7f7fffff), "3.4028235e38");
/// assert_eq!(show(0x80000000), "-0");
/// assert_eq!(show(0x7fc00001), "0x7fc00001");
/// ```
pub fn show(bits: u32) -> String {
    let mut text = Vec::new();
    push(bits, &mut text);
    text.into_iter().map(char::from).collect()
}

/// Appends what [`show`] gives.
pub fn push(bits: u32, out: &mut Vec<u8>) {
    let value = f32::from_bits(bits);
    match bits {
        // What most outputs hold that no instruction writes.
        0 => return out.push(b'0'),
        0x3f80_0000 => return out.push(b'1'),
        0x8000_0000 => return out.extend_from_slice(b"-0"),
        gpuzoo_ir::NAN => return out.extend_from_slice(b"nan"),
        _ if value.is_nan() => return push_pattern(bits, out),
        _ if value.is_infinite() => return out.extend_from_slice(if value < 0.0 { b"-inf" } else { b"inf" }),
        _ => {}
    }
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(value).as_bytes();
    let mut text = text.strip_suffix(b".0").unwrap_or(text);
    let tie;
    if is_tie(value, text) {
        // Of the two texts that are as short and as near, this is the one away from zero, and zmij's the even one.
        tie = value.to_string();
        text = tie.as_bytes();
    }
    // Outside of these, the exponent may be the shorter form.
    let is_plain = (0.01..1e7).contains(&value.abs()) && !text.ends_with(b"000");
    if is_plain { out.extend_from_slice(text) } else { push_extreme(text, out) }
}

/// Whether a number lies exactly between two texts of this length: then it has one digit more behind the point, a 5.
fn is_tie(value: f32, text: &[u8]) -> bool {
    let (mantissa, exponent) = (value.to_bits() & 0x7f_ffff | 0x80_0000, value.to_bits() >> 23 & 0xff);
    // As many bits behind the point as a number has there, it has digits.
    let digits = 150 - (exponent + mantissa.trailing_zeros()) as i32;
    // Those of other numbers are longer than any text.
    if !(1..=12).contains(&digits) {
        return false;
    }
    let point = text.iter().rposition(|byte| *byte == b'.').unwrap_or(text.len() - 1);
    text.len() - point == digits as usize
}

/// Appends a number, of which `text` has the shortest digits in some form, in the shorter one of two: `1200`, `1.2e3`.
fn push_extreme(text: &[u8], out: &mut Vec<u8>) {
    let (mut digits, mut count) = ([0; 16], 0);
    // The power of ten of the first digit.
    let (mut power, mut is_fraction) = (-1, false);
    let mut bytes = text.iter();
    for byte in bytes.by_ref() {
        match byte {
            b'-' => out.push(b'-'),
            b'.' => is_fraction = true,
            b'e' => break,
            b'0' if count == 0 => power -= i32::from(is_fraction),
            digit => {
                digits.get_mut(count).into_iter().for_each(|to| *to = *digit);
                (count, power) = (count + 1, power + i32::from(!is_fraction));
            }
        }
    }
    let exponent = std::str::from_utf8(bytes.as_slice()).unwrap_or_default();
    power += exponent.parse::<i32>().unwrap_or(0);
    let digits = &digits[..count.min(digits.len())];
    let count = digits.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last + 1);
    let digits = &digits[..count];

    let zeros = |count: i32| std::iter::repeat_n(b'0', usize::try_from(count).unwrap_or(0));
    let (first, others) = digits.split_at(count.min(1));
    let extreme = count + usize::from(count > 1) + 2 + usize::from(power < 0) + usize::from(power.abs() > 9);
    let whole = usize::try_from(power + 1).unwrap_or(0);
    let plain = if power < 0 {
        1 + count + power.unsigned_abs() as usize
    } else {
        whole.max(count + usize::from(count > whole))
    };
    if extreme < plain {
        out.extend_from_slice(first);
        if !others.is_empty() {
            out.push(b'.');
            out.extend_from_slice(others);
        }
        // Writing to a vector cannot fail.
        let _ = write!(out, "e{power}");
    } else if power < 0 {
        out.extend_from_slice(b"0.");
        out.extend(zeros(-1 - power));
        out.extend_from_slice(digits);
    } else {
        let (whole_digits, fraction) = digits.split_at(count.min(whole));
        out.extend_from_slice(whole_digits);
        out.extend(zeros(whole as i32 - count as i32));
        if !fraction.is_empty() {
            out.push(b'.');
            out.extend_from_slice(fraction);
        }
    }
}

/// The bit pattern: `0x3f800000`.
pub fn pattern(bits: u32) -> String {
    format!("{bits:#010x}")
}

/// Appends what [`pattern`] gives.
pub fn push_pattern(bits: u32, out: &mut Vec<u8>) {
    let digit = |at: u32| b"0123456789abcdef"[(bits >> (28 - 4 * at)) as usize & 15];
    out.extend_from_slice(b"0x");
    out.extend_from_slice(&[0, 1, 2, 3, 4, 5, 6, 7].map(digit));
}

/// A float as results have it, or with `bits` its pattern.
///
/// ```
/// use gpuzoo::diag::json::text;
/// use gpuzoo::value::json_component;
/// assert_eq!(text(&json_component(0x3dcccccd, false)), "0.1");
/// assert_eq!(text(&json_component(0x7f800000, false)), "\"inf\"");
/// assert_eq!(text(&json_component(0x3f800000, true)), "\"0x3f800000\"");
/// ```
pub fn json_component(component: u32, bits: bool) -> Component {
    let text = if bits { pattern(component) } else { show(component) };
    match text.parse::<Number>() {
        Ok(number) if !bits => Component::Float(number),
        _ => Component::Text(text),
    }
}

/// A component by its type, or with `bits` its pattern: a signed integer, or the shortest number that is the same
/// float.
///
/// ```
/// use gpuzoo::value::typed;
/// assert_eq!(typed(20, true, false), "20");
/// assert_eq!(typed(0xffff_fffd, true, false), "-3");
/// assert_eq!(typed(0x41a0_0000, false, false), "20");
/// assert_eq!(typed(20, true, true), "0x00000014");
/// ```
pub fn typed(component: u32, is_integer: bool, bits: bool) -> String {
    match (bits, is_integer) {
        (true, _) => pattern(component),
        (false, true) => component.cast_signed().to_string(),
        (false, false) => show(component),
    }
}

/// A component by its type, for results, or with `bits` its pattern: an integer is a number without a point.
pub fn json_typed(component: u32, is_integer: bool, bits: bool) -> Component {
    match is_integer && !bits {
        true => Component::Integer(component.cast_signed()),
        false => json_component(component, bits),
    }
}

/// Four components, of which some are integers.
pub fn json_components(value: Vec4, integers: Mask, bits: bool) -> [Component; 4] {
    [0, 1, 2, 3].map(|at: u8| json_typed(value[usize::from(at)], integers.has(at), bits))
}

/// True for a number that is written with a decimal comma.
pub(crate) fn has_decimal_comma(cell: &str) -> bool {
    cell.contains(',') && parse(&cell.replacen(',', ".", 1)).is_some()
}

/// The problem of a part of a file that is no component.
pub(crate) fn bad_number(file: &File, at: usize, text: &str) -> Diagnostic {
    let problem = Diagnostic::error(&BAD_NUMBER, format!("`{text}` is not a number"));
    let problem = problem.label(file.span(at..at + text.len()), "");
    if has_decimal_comma(text) {
        return problem
            .help(format!("write numbers with a decimal point: `{}`", text.replacen(',', ".", 1)))
            .help("fields are separated by commas; with semicolons or tabs, too, numbers have no comma");
    }
    if text == "---" {
        return problem.help("RenderDoc writes this where the buffer ends before the vertex");
    }
    problem.help("write `0.5`, `1e-3`, `inf`, `nan`, or a bit pattern of eight digits: `0x3f800000`")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a number's text is, said with std's digits: the shorter one of its two forms, `1200` and `1.2e3`.
    fn plainly(bits: u32) -> String {
        let value = f32::from_bits(bits);
        match bits {
            gpuzoo_ir::NAN => "nan".to_owned(),
            _ if value.is_nan() => format!("{bits:#010x}"),
            _ => {
                let (plain, exponent) = (format!("{value}"), format!("{value:e}"));
                if exponent.len() < plain.len() { exponent } else { plain }
            }
        }
    }

    /// Bits where something may change: all exponents with the smallest and largest digits, powers of two and of ten, what lies
    /// between two decimals, integers.
    fn edges() -> impl Iterator<Item = u32> {
        let digits = [0, 1, 2, 3, 0x2000, 0x4000, 0x40_0000, 0x55_5555, 0x7f_fffe, 0x7f_ffff];
        let exponents = (0..=255_u32).flat_map(move |exponent| digits.map(|digits| exponent << 23 | digits));
        let tens = (-45..39).map(|power| format!("1e{power}").parse::<f32>().unwrap_or(0.0).to_bits());
        let ties = (1..2000_u32)
            .flat_map(|odd| (1..13).map(move |power| (odd as f32 / (1 << power) as f32).to_bits()));
        let integers = (0..30_000_u32).map(|number| (number as f32 * 1000.0).to_bits());
        let all = exponents.chain(tens).chain(ties).chain(integers);
        all.flat_map(|bits| [bits, bits.wrapping_add(1), bits.wrapping_sub(1)])
            .flat_map(|bits| [bits, bits ^ 1 << 31])
    }

    /// A step that is coprime to 2^32 visits every exponent.
    fn spread() -> impl Iterator<Item = u32> {
        (0..1_000_000_u32).map(|index| index.wrapping_mul(0x9e37_79b1))
    }

    #[test]
    fn numbers_have_the_shortest_text_and_read_back() {
        let mut text = Vec::new();
        for bits in edges().chain(spread()) {
            text.clear();
            push(bits, &mut text);
            let text = std::str::from_utf8(&text).unwrap();
            assert_eq!(text, plainly(bits), "{bits:08x}");
            assert_eq!(parse(text), Some(bits), "{bits:08x} {text}");
            if let Some((read, end)) = leading(text.as_bytes()).filter(|_| f32::from_bits(bits).is_finite()) {
                assert_eq!((read, end), (bits, text.len()), "{bits:08x} {text}");
            }
            assert_eq!(parse(&pattern(bits)), Some(bits));
        }
    }

    /// Numbers as others write them, with digits that a float does not hold: std's reader is right.
    #[test]
    fn numbers_are_rounded_as_they_should_be() {
        let check = |text: &str| {
            let expected = text.parse::<f32>().unwrap().to_bits();
            assert_eq!(parse(text), Some(expected), "{text}");
            if let Some((bits, end)) = leading(text.as_bytes()) {
                assert!(bits == expected && end == text.len(), "{text}");
            }
        };
        for bits in spread().take(50_000).chain(edges().step_by(7)) {
            let value = f32::from_bits(bits);
            if value.is_finite() {
                let next = f32::from_bits(bits + 1);
                let between = (f64::from(value) + f64::from(next)) / 2.0;
                check(&format!("{value:.6}"));
                check(&format!("{value:.3e}"));
                check(&format!("{value:.12e}"));
                // Exactly between two floats, and next to that.
                if between.is_finite() {
                    check(&format!("{between}"));
                    check(&format!("{between:e}"));
                    check(&format!("{:e}", f64::from_bits(between.to_bits() + 1)));
                    check(&format!("{:.15e}", f64::from_bits(between.to_bits() - 1)));
                }
            }
        }
        for text in [
            "0",
            "-0",
            "00012",
            "1.",
            "007.250",
            "1E5",
            "1e+5",
            "-1e-5",
            "1e22",
            "1e23",
            "9007199254740991",
            "9007199254740993",
            "16777217",
            "16777219",
            "1.00000005960464477540",
            "1.00000005960464477539",
            "123456789012345678901234567890",
            "0.000000000000000000000000000001",
            "1e-45",
            "7e-46",
            "3.4028236e38",
            "3.4028235677973366e38",
            "1e999",
            "0e99999",
            "1e-999",
            ".5",
            "+1",
            "5.e1",
            "inf",
            "-inf",
            "infinity",
        ] {
            check(text);
        }
    }

    #[test]
    fn only_plain_numbers_are_read_at_a_beginning() {
        for (text, expected) in [
            ("1,2", Some(1)),
            ("-0.5e1\n", Some(6)),
            ("1e", None),
            ("1ex", None),
            ("-", None),
            ("", None),
            (".5", None),
            ("inf", None),
            ("0x3f800000", Some(1)),
            ("12.x", Some(3)),
        ] {
            assert_eq!(leading(text.as_bytes()).map(|(_, end)| end), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in
            ["", "x", "0x", "0x123456789", "0x3f80000g", "0x+f800000", "1,5", "--1", " 1", "1f", "1e", "1e+"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}

//! The registers of a run, by what they are for.

use crate::seen::{Facts, Now};
use gpuzoo::isa::{FileKind, Mask};
use gpuzoo::machine::session::{Name, Register, VARIABLES, Value};
use gpuzoo::value;
use std::collections::BTreeSet;

/// A row of the list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Row {
    /// A heading.
    Head(&'static str),
    /// A register.
    Register(Register),
}

impl Row {
    pub fn register(&self) -> Option<&Register> {
        match self {
            Row::Register(register) => Some(register),
            Row::Head(_) => None,
        }
    }
}

/// The rows: what the program computes, then what it is given, of which only what it uses is shown; integers from when they are
/// used or not 0. Variables of a source stand by themselves.
pub(crate) fn rows(facts: &Facts, now: &Now, touched: &BTreeSet<Name>) -> Vec<Row> {
    let mut groups =
        ["outputs", "variables", "registers", "inputs", "constants"].map(|name| (name, Vec::new()));
    for register in &now.registers {
        if facts.trace.is_some() && !facts.used.contains(&register.name) && register.written.is_empty() {
            continue;
        }
        let group = match (facts.kind(&register.name), register.value) {
            (Some(FileKind::Output(_)), _) => 0,
            (Some(FileKind::Input), _) => 3,
            // Machines whose registers are what they are used for.
            (Some(FileKind::Temporary(_)), _) if facts.outputs.contains(&register.name) => 0,
            (Some(FileKind::Temporary(_)), _) if facts.is_input(register) => 3,
            (Some(FileKind::Constant), _) => 4,
            (None, Value::Vec4(..)) if register.group == VARIABLES => 1,
            (None, Value::Integer { value: 0, .. }) if !touched.contains(&register.name) => continue,
            _ => 2,
        };
        groups[group].1.push(Row::Register(register.clone()));
    }
    let groups = groups.into_iter().filter(|(_, rows)| !rows.is_empty());
    groups.flat_map(|(name, rows)| std::iter::once(Row::Head(name)).chain(rows)).collect()
}

/// The components of a register that have a value: inputs and constants always, others when they were written.
pub(crate) fn known(facts: &Facts, register: &Register) -> Mask {
    match facts.kind(&register.name) {
        Some(FileKind::Input | FileKind::Constant) | None => register.components,
        Some(_) if facts.given.contains(&register.name) => register.components,
        Some(_) => register.written,
    }
}

/// A component in so many columns, rounded if they are too few; `~` where even that is too long.
pub(crate) fn fit((bits, is_integer): (u32, bool), width: usize, as_bits: bool) -> String {
    if as_bits {
        let whole = value::pattern(bits);
        return if whole.len() <= width { whole } else { short(whole[2..].to_owned(), width) };
    }
    let whole = value::typed(bits, is_integer, false);
    if whole.len() <= width {
        return whole;
    }
    if is_integer {
        return short(whole, width);
    }
    let float = f32::from_bits(bits);
    let rounded = |text: &String| text.len() <= width;
    let plain = (0..width).rev().map(|digits| format!("{float:.digits$}")).find(rounded);
    // What is nearly nothing must not look like nothing.
    let plain =
        plain.filter(|text| float.abs() >= 0.001 && !text.trim_start_matches(['-', '0', '.']).is_empty());
    let scientific = || (0..width).rev().map(|digits| format!("{float:.digits$e}")).find(rounded);
    plain.or_else(scientific).unwrap_or_else(|| short(whole, width))
}

/// A text in so many columns.
pub(crate) fn short(text: String, width: usize) -> String {
    if text.chars().count() <= width {
        return text;
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    if width == 0 { kept } else { kept + "~" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_rounded_to_their_columns() {
        let fit = |float: f32, width| fit((float.to_bits(), false), width, false);
        for (float, width, text) in [
            (0.209_398_05, 7, "0.20940"),
            (-0.209_398_05, 7, "-0.2094"),
            (0.209_398_05, 10, "0.20939805"),
            (-16_311_212.0, 7, "-1.63e7"),
            (0.000_123_456, 7, "1.23e-4"),
            (1.0e-38, 4, "~"),
            (f32::INFINITY, 3, "inf"),
            (123.456, 3, "123"),
            (0.0, 1, "0"),
        ] {
            let shown = fit(float, width);
            let expected = if text == "~" { shown.ends_with('~') } else { shown == text };
            assert!(expected && shown.len() <= width, "{float}: {shown}");
        }
        assert_eq!(super::fit((20, true), 5, false), "20");
        assert_eq!(super::fit(((-1_234_567i32).cast_unsigned(), true), 5, false), "-123~");
        assert_eq!(super::fit((0x3f80_0000, false), 10, true), "0x3f800000");
        assert_eq!(super::fit((0x3f80_0000, false), 8, true), "3f800000");
        assert_eq!(super::fit((0x3f80_0000, false), 5, true), "3f80~");
    }
}

//! Lines of a log: a method and its parameter each.
//!
//! xemu prints them as QEMU's event `nv2a_pgraph_method` (`hw/xbox/nv2a/trace-events`), in another form before 2022 (its issue 1095), and
//! the scripts that make a log readable in a third (its issue 788):
//!
//! ```text
//! nv2a_pgraph_method 0: 0x97 -> 0x0b14 NV097_SET_TRANSFORM_PROGRAM[20] 0x20141b
//! nv2a_pgraph_method 0: 0x97 -> NV097_SET_TRANSFORM_PROGRAM[28]<0xb70> (0 <0x0>)
//! nv2a_pgraph_method 0: NV20_KELVIN_PRIMITIVE<0x97> -> NV097_SET_TRANSFORM_CONSTANT[0]<0xB80> (0x44200000 => 640.000000)
//! ```
//!
//! QEMU's time stamps before them, and other events between them, are passed over.

/// A method of the 3D class, and what it was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    /// The method's address.
    pub method: u32,
    /// Its parameter.
    pub parameter: u32,
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// A command of the 3D class.
    Command(Command),
    /// So many commands of a method whose parameters the log leaves out.
    LeftOut(u32),
    /// Something else that may be in a log.
    Other,
    /// A command that cannot be read.
    Broken,
}

/// How the event is called.
const EVENT: &str = "nv2a_pgraph_method";
/// Such an event without parameters: so many commands of a kind that is left out.
const LEFT_OUT: &str = "_abbrev";
/// The 3D class.
const KELVIN: u32 = 0x97;

/// Reads a line.
pub fn line(text: &str) -> Line {
    let Some(at) = text.find(EVENT) else { return Line::Other };
    let rest = &text[at + EVENT.len()..];
    let Some((class, command)) = rest.split_once("->") else { return Line::Broken };
    match last_number(class) {
        Some(KELVIN) if rest.starts_with(LEFT_OUT) => left_out(command).map_or(Line::Broken, Line::LeftOut),
        Some(KELVIN) => command_of(command.trim()).map_or(Line::Broken, Line::Command),
        Some(_) => Line::Other,
        None => Line::Broken,
    }
}

/// The method of `0x1800 NV097_ARRAY_ELEMENT16 * 96` or `NV097_ARRAY_ELEMENT16<0x1800> * 96`.
fn left_out(text: &str) -> Option<u32> {
    let word = text.split_whitespace().next()?;
    number(word).or_else(|| last_number(word))
}

fn command_of(text: &str) -> Option<Command> {
    if text.starts_with("0x") {
        // The address, the name if it is known, the parameter.
        let mut words = text.split_whitespace();
        let method = number(words.next()?)?;
        let parameter = words.map(|word| word.trim_matches(['(', ')'])).find_map(number)?;
        return Some(Command { method, parameter });
    }
    // The name, the address behind it, the parameter.
    let (name, parameter) = text.split_once('(')?;
    let method = last_number(name)?;
    let parameter = match number(parameter.split([' ', ')']).next()?) {
        Some(parameter) => parameter,
        None => number(parameter.split_once('<')?.1.split('>').next()?)?,
    };
    Some(Command { method, parameter })
}

/// A hexadecimal number with `0x`.
fn number(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("0x").filter(|digits| !digits.starts_with('+'))?;
    u32::from_str_radix(digits, 16).ok()
}

/// The number that a text ends with, perhaps in `<` and `>`.
fn last_number(text: &str) -> Option<u32> {
    let text = text.trim().trim_end_matches('>');
    number(&text[text.rfind("0x")?..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_are_read() {
        let command = |method, parameter| Line::Command(Command { method, parameter });
        for (text, expected) in [
            (
                "nv2a_pgraph_method 0: 0x97 -> 0x0b14 NV097_SET_TRANSFORM_PROGRAM[20] 0x20141b",
                command(0xb14, 0x20_141b),
            ),
            ("2211@1656543.25:nv2a_pgraph_method 0: 0x97 -> 0x1800 0x11000F\r", command(0x1800, 0x11_000f)),
            ("nv2a_pgraph_method_unhandled 0: 0x97 -> 0x1e80 0x3f800000", command(0x1e80, 0x3f80_0000)),
            (
                "nv2a_pgraph_method 0: 0x97 -> NV097_SET_TRANSFORM_PROGRAM[29]<0xb74> (2244693 <0x224055>)",
                command(0xb74, 0x22_4055),
            ),
            (
                "nv2a_pgraph_method 0: NV20_KELVIN_PRIMITIVE<0x97> -> NV097_SET_TRANSFORM_CONSTANT[0]<0xB80> (0x44200000 => 640.000000)",
                command(0xb80, 0x4420_0000),
            ),
            (
                "nv2a_pgraph_method 0: NV20_KELVIN_PRIMITIVE<0x97> -> NV097_SET_SHADER_OTHER_STAGE_INPUT<0x1E78> (NV097_SET_SHADER_OTHER_STAGE_INPUT_STAGE3_INSTAGE_0<0x0>)",
                command(0x1e78, 0),
            ),
            (
                "nv2a_pgraph_method 0: 0x97 -> 0x1e60 NV097_SET_COMBINER_CONTROL[0] (0x101)",
                command(0x1e60, 0x101),
            ),
            ("nv2a_pgraph_method 0: 0x9f -> 0x0300 0x0", Line::Other),
            ("nv2a_pgraph_method_abbrev 0: 0x97 -> 0x1818 NV097_INLINE_ARRAY * 96", Line::LeftOut(0x1818)),
            ("nv2a_pgraph_method_abbrev 0: 0x97 -> NV097_ARRAY_ELEMENT16<0x1800> * 7", Line::LeftOut(0x1800)),
            ("nv2a_pgraph_method_abbrev 0: 0x9f -> 0x0300 NAME * 3", Line::Other),
            ("nv2a_pgraph_method_abbrev 0: 0x97 -> ", Line::Broken),
            ("nv2a_pgraph_surface_migrate_type Migrating surface type to linear", Line::Other),
            ("nv2a_pgraph_method 0: 0x97 -> 0x0b14 NV097_SET_TRANSF", Line::Broken),
            ("nv2a_pgraph_method 0: 0x97", Line::Broken),
            ("nv2a_pgraph_method 0: 0x97 -> 0x123456789 0x1", Line::Broken),
            ("", Line::Other),
        ] {
            assert_eq!(line(text), expected, "{text}");
        }
    }
}

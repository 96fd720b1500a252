//! Options as a table, for documents and for the types of other languages. It is made of the arguments of the command line, which
//! have the name, the help and the values of each field.

#[cfg(feature = "language-names")]
use super::CompileOptions;
#[cfg(feature = "target-names")]
use super::TranslateOptions;
use super::{DisassembleOptions, ReadOptions, StateOptions};
use clap::{Arg, ArgAction, Args, Command};
use gpuzoo_machine::options::assignment::Assignment;
use std::any::TypeId;

/// A field of an options struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionRow {
    /// Name in snake case: `fast_math`.
    pub name: String,
    /// Name on the command line: `--fast-math`, or `-O` for one without a long name.
    pub flag: String,
    /// Description.
    pub about: String,
    /// Type of the value.
    pub value: OptionType,
    /// Default on the command line; empty if there is none.
    pub default: String,
}

/// Type of an option's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionType {
    /// `true` or `false`.
    Flag,
    /// A whole number.
    Number,
    /// A text.
    Text,
    /// A list of texts.
    Texts,
    /// One of some names.
    Choice(Vec<String>),
    /// Names and texts.
    Assignments,
    /// Names and whole numbers.
    NumberAssignments,
}

/// An options struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionGroup {
    /// Name of the struct.
    pub name: &'static str,
    /// Description, as a sentence.
    pub about: &'static str,
    /// Fields, in their order.
    pub rows: Vec<OptionRow>,
}

/// All options structs of programs, compilations and translations.
pub fn groups() -> Vec<OptionGroup> {
    let group = |name, about, rows| OptionGroup { name, about, rows };
    let mut all = vec![group("ReadOptions", "Options of reading a program.", rows::<ReadOptions>())];
    #[cfg(feature = "language-names")]
    all.push(group(
        "CompileOptions",
        "Options of compiling a source in a shading language.",
        rows::<CompileOptions>(),
    ));
    all.push(group(
        "DisassembleOptions",
        "Options of disassembling a program.",
        rows::<DisassembleOptions>(),
    ));
    #[cfg(feature = "target-names")]
    all.push(group("TranslateOptions", "Options of translating a program.", rows::<TranslateOptions>()));
    all.push(group("StateOptions", "Options of the state in which a program runs.", rows::<StateOptions>()));
    all
}

/// The fields of an options struct, in their order.
///
/// ```
/// use gpuzoo::options::TranslateOptions;
/// use gpuzoo::options::table::{OptionType, rows};
/// let rows = rows::<TranslateOptions>();
/// let group = rows.iter().find(|row| row.name == "group").unwrap();
/// assert_eq!((group.flag.as_str(), &group.value), ("--group", &OptionType::Number));
/// ```
pub fn rows<T: Args>() -> Vec<OptionRow> {
    let command = T::augment_args(Command::default());
    command.get_arguments().map(row).collect()
}

fn row(argument: &Arg) -> OptionRow {
    let flag = match (argument.get_long(), argument.get_short()) {
        (Some(long), _) => format!("--{long}"),
        (None, Some(short)) => format!("-{short}"),
        (None, None) => String::new(),
    };
    let default =
        argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect::<Vec<_>>();
    OptionRow {
        name: argument.get_id().to_string(),
        flag,
        about: argument.get_help().map(ToString::to_string).unwrap_or_default(),
        value: value(argument),
        default: default.join(","),
    }
}

fn value(argument: &Arg) -> OptionType {
    let names: Vec<String> =
        argument.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    let id = argument.get_value_parser().type_id();
    let is_number = [
        TypeId::of::<u8>(),
        TypeId::of::<u16>(),
        TypeId::of::<u32>(),
        TypeId::of::<u64>(),
        TypeId::of::<usize>(),
    ]
    .iter()
    .any(|known| id == *known);
    match argument.get_action() {
        ArgAction::SetTrue => OptionType::Flag,
        _ if id == TypeId::of::<Assignment>() => OptionType::Assignments,
        _ if id == TypeId::of::<Assignment<u32>>() => OptionType::NumberAssignments,
        _ if !names.is_empty() => OptionType::Choice(names),
        _ if is_number => OptionType::Number,
        ArgAction::Append => OptionType::Texts,
        _ => OptionType::Text,
    }
}

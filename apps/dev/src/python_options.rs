//! Options as types of the Python package; written by `cargo xtask gen`.

use gpuzoo::options::table::{OptionGroup, OptionRow, OptionType, groups};
use std::fmt::Write;
use std::path::PathBuf;

const PATH: &str = "apps/python/python/gpuzoo/_options.py";

/// The longest line, as the package's formatter has it.
const LONGEST: usize = 140;

/// Types of functions that take two groups of options: name, groups, description.
const BOTH: [(&str, [&str; 2], &str); 2] = [
    ("CompileArguments", ["ReadOptions", "CompileOptions"], "Options of `ShaderUnit.compile`."),
    ("TranslateArguments", ["TranslateOptions", "StateOptions"], "Options of `Program.translate`."),
];

/// Names that Python keeps for itself; an option of such a name ends in an underscore.
const KEYWORDS: [&str; 8] = ["as", "class", "def", "from", "global", "import", "in", "with"];

/// The file, and where it belongs.
pub fn types() -> (PathBuf, String) {
    let mut text = "\"\"\"Options of functions, by name. Written by `cargo xtask gen` from the options in the sources; edit those.\"\"\"\n\n\
        from __future__ import annotations\n\n\
        from collections.abc import Mapping, Sequence\n\
        from typing import Literal, TypedDict\n"
        .to_owned();
    for OptionGroup { name, about, rows } in groups() {
        let _ = write!(text, "\n\nclass {name}(TypedDict, total=False):\n");
        docstring(about, "", &mut text);
        text.push('\n');
        rows.iter().for_each(|row| member(row, &mut text));
    }
    for (name, [first, second], about) in BOTH {
        let _ = write!(text, "\n\nclass {name}({first}, {second}, total=False):\n");
        docstring(about, "", &mut text);
    }
    (PATH.into(), text)
}

fn member(row: &OptionRow, text: &mut String) {
    let mut name = row.name.clone();
    if KEYWORDS.contains(&name.as_str()) {
        name.push('_');
    }
    let line = format!("    {name}: {}", type_of(&row.value));
    match &row.value {
        OptionType::Choice(names) if line.len() > LONGEST => {
            let _ = writeln!(text, "    {name}: Literal[");
            names.iter().for_each(|name| _ = writeln!(text, "        {name:?},"));
            text.push_str("    ]\n");
        }
        _ => {
            let _ = writeln!(text, "{line}");
        }
    }
    let default = match (&row.value, row.default.as_str()) {
        (_, "") | (OptionType::Flag, _) => String::new(),
        (OptionType::Choice(_), default) => format!("; by default `{default}`"),
        (_, default) => format!("; by default {default}"),
    };
    docstring(&row.about, &format!("{default}."), text);
}

fn type_of(value: &OptionType) -> String {
    match value {
        OptionType::Flag => "bool".to_owned(),
        OptionType::Number => "int".to_owned(),
        OptionType::Text => "str".to_owned(),
        OptionType::Texts => "Sequence[str]".to_owned(),
        OptionType::Choice(names) => {
            let names: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
            format!("Literal[{}]", names.join(", "))
        }
        OptionType::Assignments => "Mapping[str, str]".to_owned(),
        OptionType::NumberAssignments => "Mapping[str, int]".to_owned(),
    }
}

/// A docstring of a class or of the member before it, in lines that are not too long.
fn docstring(about: &str, end: &str, text: &mut String) {
    const QUOTES: &str = "\"\"\"";
    let about = format!("{about}{end}").replace('`', "``").replace('\\', "\\\\");
    let mut line = format!("    {QUOTES}");
    let mut is_first = true;
    for word in about.split(' ') {
        // Closing quotes have room behind it.
        if line.len() + 1 + word.len() + QUOTES.len() > LONGEST {
            let _ = writeln!(text, "{line}");
            line = format!("    {word}");
        } else {
            let space = if is_first { "" } else { " " };
            let _ = write!(line, "{space}{word}");
        }
        is_first = false;
    }
    let _ = writeln!(text, "{line}{QUOTES}");
}

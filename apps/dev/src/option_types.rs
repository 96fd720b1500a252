//! The book's page of options.

use gpuzoo::options::table::{OptionGroup, OptionType, groups};
use std::fmt::Write;
use std::path::PathBuf;

const PATH: &str = "docs/reference/options.md";

/// The book's page, and where it belongs.
pub fn page() -> (PathBuf, String) {
    let mut page = format!("{}\n# Options\n\n", crate::reference::MARK);
    page += "Options of verbs have the same names, values and defaults in all languages: on the command line (`--fast-math`), in C and \
             JSON (`fast_math`), in Python (`fast_math`, and `from_` for `from`), in JavaScript (`fastMath`). A name that does not exist is \
             [`G0141`](diagnostics.md#g0141), and a value that an option does not take is [`G0140`](diagnostics.md#g0140).\n";
    for OptionGroup { name, about, rows } in groups() {
        let _ = write!(
            page,
            "\n## {name}\n\n{about}\n\n| name | command line | value | default | about |\n|---|---|---|---|---|\n"
        );
        for row in rows {
            let default = match row.default.as_str() {
                "" | "false" => String::new(),
                default => format!("`{default}`"),
            };
            let (value, about) = (value(&row.value), crate::reference::cell(&row.about));
            let _ = writeln!(page, "| `{}` | `{}` | {value} | {default} | {about} |", row.name, row.flag);
        }
    }
    (PATH.into(), page)
}

fn value(value: &OptionType) -> String {
    match value {
        OptionType::Flag => "true or false".to_owned(),
        OptionType::Number => "a whole number".to_owned(),
        OptionType::Text => "a text".to_owned(),
        OptionType::Texts => "texts".to_owned(),
        OptionType::Choice(names) => {
            names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        }
        OptionType::Assignments => "`NAME=TEXT`, several".to_owned(),
        OptionType::NumberAssignments => "`NAME=NUMBER`, several".to_owned(),
    }
}

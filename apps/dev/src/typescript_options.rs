//! The npm package's types of options, and the settings and launch attributes of VS Code's extension; written by `cargo xtask gen`.

use gpuzoo::options::table::{OptionGroup, OptionRow, OptionType, groups, rows};
use gpuzoo::options::{ReadOptions, StateOptions};
use serde_json::{Value as Json, json};
use std::fmt::Write;
use std::path::PathBuf;

const OPTIONS: &str = "apps/web/npm/src/options.ts";
const EXTENSION: &str = "editors/vscode/package.json";

/// Options of reading that are about one program, and no setting of an editor.
const OF_ONE_PROGRAM: [&str; 3] = ["from", "draw", "launch"];

/// The file with the interfaces, and its place.
pub fn options() -> (PathBuf, String) {
    let mut text =
        "// Written by `cargo xtask gen` from the options in the sources; edit those.\n".to_owned();
    for OptionGroup { name, about, rows } in groups() {
        let _ = writeln!(text, "\n/** {about} */\nexport interface {name} {{");
        for row in &rows {
            let _ = writeln!(
                text,
                "  /** {} */\n  {}?: {};",
                sentence(&row.about),
                camel_case(&row.name),
                type_of(&row.value)
            );
        }
        text += "}\n";
    }
    (OPTIONS.into(), text)
}

/// The description of an option, as a sentence of documentation.
fn sentence(about: &str) -> String {
    format!("{}.", about.trim_end_matches('.').replace("*/", "* /"))
}

fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let (letter, rest) = word.split_at(word.len().min(1));
        name + &letter.to_ascii_uppercase() + rest
    })
}

fn type_of(value: &OptionType) -> String {
    match value {
        OptionType::Flag => "boolean".to_owned(),
        OptionType::Number => "number".to_owned(),
        OptionType::Text => "string".to_owned(),
        OptionType::Texts => "readonly string[]".to_owned(),
        OptionType::Choice(names) => {
            names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(" | ")
        }
        OptionType::Assignments => "Readonly<Record<string, string>>".to_owned(),
        OptionType::NumberAssignments => "Readonly<Record<string, number>>".to_owned(),
    }
}

/// The manifest of VS Code's extension with the options of reading and of the state: a line for each before the attributes and settings
/// that are written by hand. None if it is not there.
pub fn extension() -> Option<(PathBuf, String)> {
    let text = std::fs::read_to_string(crate::root().join(EXTENSION)).ok()?;
    let launch = rows::<ReadOptions>().into_iter().chain(rows::<StateOptions>());
    let launch = launch.map(|row| (camel_case(&row.name), schema(&row)));
    let machines: Vec<&str> = gpuzoo::GPUS.iter().map(|gpu| gpu.about().id).collect();
    let machine = |about: &str| json!({ "type": "string", "enum": machines, "description": about });
    let of_launch = machine("The machine, where the program's extension does not name it.");
    let of_server = or_none(machine("The machine of files whose extension names none."));
    let settings = rows::<ReadOptions>().into_iter();
    let settings = settings
        .filter(|row| !OF_ONE_PROGRAM.contains(&row.name.as_str()))
        .map(|row| (format!("gpuzoo.read.{}", camel_case(&row.name)), or_none(schema(&row))));
    let launch = [("gpu".to_owned(), of_launch)].into_iter().chain(launch);
    let settings = [("gpuzoo.gpu".to_owned(), of_server)].into_iter().chain(settings);
    let text = spliced(&text, "              \"program\": {", launch)?;
    Some((EXTENSION.into(), spliced(&text, "        \"gpuzoo.path\": {", settings)?))
}

/// The schema of a setting that is not set by default.
fn or_none(mut schema: Json) -> Json {
    if let Some(kind) = schema["type"].as_str().filter(|kind| ["string", "integer"].contains(kind)) {
        schema["type"] = json!([kind, "null"]);
        schema["default"] = Json::Null;
    }
    if let Some(names) = schema["enum"].as_array_mut() {
        names.push(Json::Null);
    }
    schema
}

/// A text in which the lines between the nearest line `"properties": {` and another one are those of some members.
fn spliced(text: &str, before: &str, members: impl Iterator<Item = (String, Json)>) -> Option<String> {
    let end = text.find(&format!("\n{before}"))? + 1;
    let start = text[..end].rfind("\"properties\": {\n")? + "\"properties\": {\n".len();
    let indent = before.len() - before.trim_start().len();
    let line = |(name, schema): (String, Json)| {
        format!("{:indent$}{}: {},\n", "", Json::from(name), on_a_line(&schema))
    };
    Some(format!("{}{}{}", &text[..start], members.map(line).collect::<String>(), &text[end..]))
}

/// JSON on one line, with blanks between its parts.
fn on_a_line(json: &Json) -> String {
    match json {
        Json::Object(members) => {
            let members = members
                .iter()
                .map(|(name, value)| format!("{}: {}", Json::from(name.as_str()), on_a_line(value)));
            format!("{{ {} }}", members.collect::<Vec<_>>().join(", "))
        }
        Json::Array(list) => format!("[{}]", list.iter().map(on_a_line).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

/// The JSON schema of an option.
fn schema(row: &OptionRow) -> Json {
    let mut schema = match &row.value {
        OptionType::Flag => json!({ "type": "boolean", "default": false }),
        OptionType::Number => json!({ "type": "integer" }),
        OptionType::Text => json!({ "type": "string" }),
        OptionType::Texts => json!({ "type": "array", "items": { "type": "string" } }),
        OptionType::Choice(names) => json!({ "type": "string", "enum": names }),
        OptionType::Assignments => json!({ "type": "object", "additionalProperties": { "type": "string" } }),
        OptionType::NumberAssignments => {
            json!({ "type": "object", "additionalProperties": { "type": "integer" } })
        }
    };
    schema["description"] = sentence(&row.about).into();
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interface_has_the_names_types_and_descriptions_of_the_options() {
        let (_, text) = options();
        for line in [
            "export interface CompileOptions {",
            "  level?: \"source\" | \"quick\" | \"usual\" | \"longest\";",
            "  hostConstants?: boolean;",
            "  bind?: Readonly<Record<string, number>>;",
            "  bindOutput?: Readonly<Record<string, string>>;",
            "  /** Numeric profile; by default the machine's first. */",
        ] {
            assert!(text.lines().any(|own| own == line), "{line}:\n{text}");
        }
    }

    #[test]
    fn the_extension_has_the_options() {
        let (_, text) = extension().unwrap();
        let package: Json = serde_json::from_str(&text).unwrap();
        let launch =
            &package["contributes"]["debuggers"][0]["configurationAttributes"]["launch"]["properties"];
        let settings = &package["contributes"]["configuration"]["properties"];
        assert_eq!(launch["stage"]["enum"], json!(["vertex", "fragment"]));
        assert_eq!(settings["gpuzoo.read.stage"]["type"], json!(["string", "null"]));
        assert!(launch["modes"].is_object() && launch["program"].is_object());
        assert!(settings["gpuzoo.read.draw"].is_null() && settings["gpuzoo.path"].is_object());
    }
}

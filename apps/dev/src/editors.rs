//! What editors without a language server colour texts by: TextMate grammars, written from the tables by `cargo xtask gen`.

use gpuzoo::{list, shader_units};
use gpuzoo_isa::Syntax;
use gpuzoo_machine::{Gpu, TextOptions};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A language, as editors divide them.
struct Language {
    /// Its name in file names and in `editors/vscode/package.json`.
    id: &'static str,
    name: &'static str,
    gpu: &'static str,
    /// The dialect, and how a text of it begins; empty where a machine has one.
    dialect: [&'static str; 2],
}

const LANGUAGES: [Language; 7] = [
    Language { id: "dreambox", name: "Dreambox assembly", gpu: "dreambox", dialect: ["", ""] },
    Language { id: "nv2a-vsh", name: "NV2A assembly", gpu: "nv2a", dialect: ["vsh", ""] },
    Language { id: "nv2a-vp", name: "NV_vertex_program", gpu: "nv2a", dialect: ["vp", "!!VP1.1"] },
    Language { id: "nv2a-d3d", name: "Direct3D 8 vertex shader", gpu: "nv2a", dialect: ["d3d", "xvs.1.1"] },
    Language { id: "picogpu", name: "PicoGpu assembly", gpu: "picogpu", dialect: ["", ""] },
    Language { id: "servaru", name: "Servaru-I assembly", gpu: "servaru", dialect: ["", ""] },
    Language { id: "x16", name: "65C02 assembly (ca65)", gpu: "vera", dialect: ["", ""] },
];

/// The grammars, by path from the repository's root.
pub fn grammars() -> Vec<(PathBuf, String)> {
    let folder = Path::new("editors/vscode/syntaxes");
    let file = |language: &Language| {
        let gpu = gpuzoo::GPUS.iter().find(|gpu| gpu.about().id == language.gpu)?;
        let text = serde_json::to_string_pretty(&grammar(language, *gpu)).ok()?;
        Some((folder.join(format!("{}.tmLanguage.json", language.id)), text + "\n"))
    };
    LANGUAGES.iter().filter_map(file).collect()
}

fn grammar(language: &Language, gpu: &'static dyn Gpu) -> Json {
    let [dialect, start] = language.dialect;
    let unit = shader_units().find(|unit| unit.about().id == gpu.about().id);
    let syntax = unit.map(|unit| unit.syntax(start, &TextOptions::default()));
    let gpus: &[&'static dyn Gpu] = &[gpu];
    // The column `name` of the rows that this dialect has.
    let statements = |listing: list::Listing| -> Vec<String> {
        let own = |row: &Vec<String>| {
            row[2].is_empty() || row[2].split(' ').any(|name| name == dialect) || dialect.is_empty()
        };
        listing.rows.into_iter().filter(own).map(|row| row[1].clone()).collect()
    };
    let mut operations: Vec<String> = list::ops(gpus).rows.into_iter().map(|row| row[2].clone()).collect();
    operations.extend(syntax.iter().flat_map(|syntax| syntax.forms).map(|form| form.name.to_owned()));
    let registers: Vec<String> = match unit {
        Some(_) => list::single_registers(gpus)
            .rows
            .into_iter()
            .flat_map(|row| {
                [row[1].clone()].into_iter().chain(row[4].split(' ').map(str::to_owned)).collect::<Vec<_>>()
            })
            .collect(),
        None => list::registers(gpus).rows.into_iter().map(|row| row[1].clone()).collect(),
    };
    let mut patterns = comments(syntax);
    patterns.push(json!({ "name": "string.quoted.double", "match": "\"[^\"\\n]*\"?" }));
    patterns.extend(words("keyword.control", statements(list::directives(gpus))));
    patterns.extend(words("support.function", statements(list::macros(gpus))));
    patterns.extend(words("keyword.operator.word", operations));
    if !start.is_empty() {
        patterns
            .push(json!({ "name": "keyword.control", "match": "^\\s*(!![A-Z0-9.]+|[a-z]+[._]\\d[._]\\d)" }));
    }
    if syntax.is_some_and(|syntax| !syntax.indexed.is_empty()) {
        patterns.push(json!({ "name": "variable.language", "match": "\\b[A-Za-z]+(?=\\[)" }));
    }
    patterns.extend(words("variable.language", registers));
    patterns.push(match unit {
        Some(_) => {
            json!({ "name": "variable.parameter", "match": "(?<=\\.)[xyzwrgba]{1,4}\\b|\\b[xyzw]{4}\\b" })
        }
        None => json!({ "name": "entity.name.function", "match": "^\\s*@?[A-Za-z_]\\w*:" }),
    });
    patterns.push(json!({
        "name": "constant.numeric",
        "match": "(?<![\\w.])(\\$[0-9A-Fa-f]+|%[01]+|0[xX][0-9A-Fa-f]+|0b[01]+|\\d+(\\.\\d*)?([eE][-+]?\\d+)?|\\.\\d+([eE][-+]?\\d+)?)",
    }));
    json!({
        "name": language.name,
        "scopeName": format!("source.gpuzoo.{}", language.id),
        "information_for_contributors": "Written by `cargo xtask gen` from the tables in the sources; edit those.",
        "patterns": patterns,
    })
}

/// Comments of a language; of the 65C02's where it is none of the kit's.
fn comments(syntax: Option<&Syntax>) -> Vec<Json> {
    let marks = syntax.map_or(&[";"][..], |syntax| syntax.line_comments);
    let marks: Vec<String> = marks.iter().map(|mark| escaped(mark)).collect();
    // A preprocessor's line is no comment, and a name behind `#` neither.
    let line = json!({ "name": "comment.line", "match": format!("({}).*$", marks.join("|")) });
    let block = json!({ "name": "comment.block", "begin": "/\\*", "end": "\\*/" });
    let has_blocks = syntax.is_some_and(|syntax| syntax.block_comments);
    [line].into_iter().chain(has_blocks.then_some(block)).collect()
}

/// Any of some words, in any case; none if there are no words.
fn words(scope: &str, words: Vec<String>) -> Option<Json> {
    let mut alike: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for word in &words {
        // Names that a user chooses are not words of the language (`#NAME vector`), and what is between brackets is named alone.
        let word = word.rsplit(' ').next().unwrap_or_default();
        if !word.is_empty() && !word.contains("NAME") && !word.contains('[') {
            let letters = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
            alike.entry(letters).or_default().insert(word);
        }
    }
    // Registers of a file differ in their numbers alone.
    let pattern = |(letters, words): (&&str, &BTreeSet<&str>)| match words.len() {
        0..=2 => words.iter().map(|word| escaped(word)).collect(),
        _ => vec![format!("{}\\d+", escaped(letters))],
    };
    let mut patterns: Vec<String> = alike.iter().flat_map(pattern).collect();
    // The longest that fits.
    patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.len()));
    let any = format!("(?i)(?<![\\w.#%])({})(?!\\w)", patterns.join("|"));
    (!patterns.is_empty()).then(|| json!({ "name": scope, "match": any }))
}

/// A text as a regular expression for it.
fn escaped(text: &str) -> String {
    let mut to = String::new();
    for letter in text.chars() {
        if !letter.is_alphanumeric() && letter != '_' {
            to.push('\\');
        }
        to.push(letter);
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;

    /// VS Code's extension has each language once, with its grammar, and all extensions of texts that the machines have.
    #[test]
    fn the_extension_has_all_languages() {
        let package = std::fs::read(crate::root().join("editors/vscode/package.json")).unwrap();
        let package: Json = serde_json::from_slice(&package).unwrap();
        let list = |key: &str| package["contributes"][key].as_array().unwrap().clone();
        let text = |value: &Json| value.as_str().unwrap().to_owned();
        let ids: Vec<String> = LANGUAGES.iter().map(|language| language.id.to_owned()).collect();
        assert_eq!(list("languages").iter().map(|own| text(&own["id"])).collect::<Vec<_>>(), ids);
        let scopes = |own: &Json| [text(&own["language"]), text(&own["scopeName"]), text(&own["path"])];
        let expected = ids.iter().map(|id| {
            [id.clone(), format!("source.gpuzoo.{id}"), format!("./syntaxes/{id}.tmLanguage.json")]
        });
        assert_eq!(list("grammars").iter().map(scopes).collect::<Vec<_>>(), expected.collect::<Vec<_>>());
        let extensions =
            |own: &Json| own["extensions"].as_array().unwrap().iter().map(text).collect::<Vec<_>>();
        let known: BTreeSet<String> = list("languages").iter().flat_map(extensions).collect();
        let of_texts = |gpu: &&'static dyn Gpu| {
            let about = gpu.about();
            let binaries: Vec<&str> = about
                .forms
                .iter()
                .filter(|form| form.is_binary)
                .flat_map(|form| form.extensions)
                .copied()
                .collect();
            let texts = about.extensions.iter().filter(move |extension| !binaries.contains(extension));
            texts.map(|extension| format!(".{extension}")).collect::<Vec<_>>()
        };
        let expected: BTreeSet<String> = gpuzoo::GPUS.iter().flat_map(of_texts).collect();
        // A trace is a text that nobody writes.
        assert_eq!(known, expected.into_iter().filter(|extension| extension != ".trace").collect());
    }
}

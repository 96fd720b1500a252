//! Citations of the machines' specifications: every section and item that a source names must exist.
//!
//! Below `gpus/ID`, `(spec section 8.2)` is a section of `gpus/ID/docs/spec.md`; elsewhere the machine is named before it,
//! `(ID spec section 8.2)`. Lists and ranges are read (`sections 2, 4 and 9`, `section B, items 1 to 5`), and citations that
//! go on in the next line of a comment. In a `spec.md` every `section 3` is one of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The sections of a specification by their numbers or letters, each with the items of its lists and the rows of its tables.
type Sections = BTreeMap<String, BTreeSet<String>>;

/// Adds what is wrong with the citations in these files.
pub fn check(files: &[PathBuf], root: &Path, problems: &mut Vec<String>) {
    let text = |path: &PathBuf| {
        let name = path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/");
        // The texts of this file's tests cite sections that do not exist.
        let cites = name != "xtask/src/citations.rs" && !name.starts_with("xtask/templates/");
        // What is not UTF-8 is not a text.
        Some((name, std::fs::read_to_string(path).ok()?)).filter(|_| cites)
    };
    problems.extend(wrong(&files.iter().filter_map(text).collect::<Vec<_>>()));
}

/// The machine in whose folder a file is.
fn machine(path: &str) -> Option<&str> {
    Some(path.strip_prefix("gpus/")?.split_once('/')?.0)
}

/// What is wrong in these files, which are paths from the root with texts.
fn wrong(files: &[(String, String)]) -> Vec<String> {
    let machines: BTreeSet<&str> = files.iter().filter_map(|(path, _)| machine(path)).collect();
    let specs: BTreeMap<&str, Sections> = files
        .iter()
        .filter(|(path, _)| path.ends_with("/docs/spec.md"))
        .filter_map(|(path, text)| Some((machine(path)?, sections(text))))
        .collect();
    let mut problems = Vec::new();
    for (path, text) in files {
        for Citation { line, machine: named, places } in citations(text, path.ends_with("/docs/spec.md")) {
            let mut report = |what: String| problems.push(format!("{path}:{line}: {what}"));
            let Some(id) = named.filter(|name| machines.contains(name)).or(machine(path)) else {
                report("names no machine: write `nv2a spec section 5`".into());
                continue;
            };
            let Some(sections) = specs.get(id) else {
                report(format!("cites gpus/{id}/docs/spec.md, which does not exist"));
                continue;
            };
            if places.is_empty() {
                report("names no section of the spec".into());
            }
            for (section, item) in places {
                match (sections.get(&section), item) {
                    (None, _) => report(format!("gpus/{id}/docs/spec.md has no section {section}")),
                    (Some(items), Some(item)) if !items.contains(&item) => {
                        report(format!("section {section} of gpus/{id}/docs/spec.md has no item {item}"));
                    }
                    _ => {}
                }
            }
        }
    }
    problems
}

/// Reads headings as `## 4. Title`, `### 8.2 Title` and `### G1. Title`, and below them lines as `3. …` and table rows as
/// `| 3 | …`.
fn sections(text: &str) -> Sections {
    let mut found = Sections::new();
    let mut items: Option<&mut BTreeSet<String>> = None;
    for line in text.lines() {
        let is_plain =
            |word: &&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if line.starts_with('#') {
            let word = line.trim_start_matches('#').split_whitespace().next().unwrap_or("");
            let label = word.trim_end_matches('.');
            items = is_label(label).then(|| found.entry(label.to_owned()).or_default());
        } else if let Some(items) = &mut items {
            let row = line.strip_prefix('|').and_then(|row| row.split('|').next()).map(str::trim);
            let number = line.trim_start().split_once(". ").map(|(number, _)| number);
            items.extend(row.or(number).filter(is_plain).map(str::to_owned));
        }
    }
    found
}

/// True for `4`, `8.2`, `B` and `G1`.
fn is_label(word: &str) -> bool {
    let number = word.strip_prefix(|first: char| first.is_ascii_uppercase()).unwrap_or(word);
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    !word.is_empty() && (number.is_empty() || number.split('.').all(is_number))
}

/// One mention of a specification.
#[derive(Debug, PartialEq)]
struct Citation<'a> {
    line: usize,
    /// The word before `spec`.
    machine: Option<&'a str>,
    /// Sections, with an item where one is named.
    places: Vec<(String, Option<String>)>,
}

/// The citations of a text. In a specification `section 3` is one; elsewhere `spec section 3` is.
fn citations(text: &str, is_spec: bool) -> Vec<Citation<'_>> {
    let marks = ["//!", "///", "//", ";", "#"];
    let words: Vec<(usize, &str)> = (1..)
        .zip(text.lines().map(str::trim_start))
        .flat_map(|(number, line)| {
            let line = marks.iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line);
            line.split_whitespace().map(move |word| (number, word))
        })
        .collect();
    let bare = |at: usize| words[at].1.trim_matches(|letter: char| !letter.is_alphanumeric());
    let is = |at: usize, name: &str| bare(at).eq_ignore_ascii_case(name);
    let mut found = Vec::new();
    let mut read = 0;
    for at in 1..words.len() {
        let cites = is(at - 1, "spec");
        if at < read || !(is(at, "section") || is(at, "sections")) || !(cites || is_spec) {
            continue;
        }
        let (places, count) = places(words[at + 1..].iter().map(|(_, word)| *word));
        read = at + 1 + count;
        if cites || !places.is_empty() {
            let machine = (cites && at > 1).then(|| bare(at - 2));
            found.push(Citation { line: words[at].0, machine, places });
        }
    }
    found
}

/// The list of sections and items that begins here, `2, 4 and 9`, `4 to 6`, `B, items 1 to 5 and 15, and section G`, and how
/// many words it has.
fn places<'a>(words: impl Iterator<Item = &'a str>) -> (Vec<(String, Option<String>)>, usize) {
    let mut places: Vec<(String, Option<String>)> = Vec::new();
    let (mut wants_items, mut is_range, mut separated) = (false, false, true);
    let mut count = 0;
    for word in words {
        let label = word.trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric());
        let (label, behind) = (label.strip_suffix("'s").unwrap_or(label), &word[label.len()..]);
        match label {
            "and" | "or" => separated = true,
            "to" => (is_range, separated) = (true, true),
            "section" | "sections" if separated => wants_items = false,
            "item" | "items" | "row" | "rows" => (wants_items, separated) = (true, true),
            _ if separated && is_label(label) => {
                let last = places.last().cloned();
                let place = |label: String| match (wants_items, &last) {
                    (true, Some((section, _))) => (section.clone(), Some(label)),
                    _ => (label, None),
                };
                let before = last.as_ref().map(|(section, item)| item.as_ref().unwrap_or(section));
                match (before.and_then(|before| before.parse::<u32>().ok()), label.parse::<u32>()) {
                    (Some(first), Ok(end)) if is_range => {
                        places.extend((first + 1..=end).map(|number| place(number.to_string())));
                    }
                    _ => places.push(place(label.to_owned())),
                }
                (is_range, separated) = (false, behind == ",");
            }
            _ => break,
        }
        count += 1;
        if !(behind.is_empty() || behind == ",") {
            break;
        }
    }
    (places, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = "# Toy\n\n## 1. Words\n\n1. one\n2. two\n\n### 1.1 Bits\n\n## B. Holes\n\n| # | what |\n|---|---|\n\
        | 1 | a |\n| 2 | b |\n| E7 | c |\n\n## G\n\n### G1. Emulator\n\nSection 1 and section B say more.\n";

    /// What is wrong with a text at a path, beside the specification.
    fn problems(path: &str, text: &str) -> Vec<String> {
        let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
        wrong(&[file("gpus/toy/docs/spec.md", SPEC), file(path, text)])
    }

    #[test]
    fn headings_items_and_rows_are_read() {
        let found = sections(SPEC);
        assert_eq!(found.keys().collect::<Vec<_>>(), ["1", "1.1", "B", "G", "G1"]);
        assert_eq!(found["1"].iter().collect::<Vec<_>>(), ["1", "2"]);
        assert!(["1", "2", "E7"].iter().all(|row| found["B"].contains(*row)));
    }

    #[test]
    fn what_exists_may_be_cited() {
        for text in [
            "//! Words (spec section 1).",
            "// Bits (spec sections 1, 1.1 and B): all of them.",
            "; Spec section B, items 1 and 2, and section G1.",
            "/// Spec section 1, items 1 to 2; 3 is none.",
            "# spec section B, row E7",
            "// (spec\n    // section G), 7 of them",
            "the spec has sections, section 9 of which it lacks",
        ] {
            assert_eq!(problems("gpus/toy/tests/a.toy", text), [""; 0], "{text}");
        }
        assert_eq!(problems("apps/a.rs", "// (toy spec section 1.1)"), [""; 0]);
        assert_eq!(problems("gpus/other/src/a.rs", "// (toy spec section 1.1)"), [""; 0]);
    }

    #[test]
    fn what_is_missing_is_reported() {
        let at = "gpus/toy/src/a.rs";
        for (text, what) in [
            ("\n// (spec section 2)", "a.rs:2: gpus/toy/docs/spec.md has no section 2"),
            ("// (spec sections 1, B\n// and C)", "a.rs:1: gpus/toy/docs/spec.md has no section C"),
            ("// (spec\n// section 8.2)", "a.rs:2: gpus/toy/docs/spec.md has no section 8.2"),
            ("// spec section 1, item 3.", "section 1 of gpus/toy/docs/spec.md has no item 3"),
            ("// (spec section B, rows 1 to 3)", "section B of gpus/toy/docs/spec.md has no item 3"),
            ("// (spec section B, item 1, and section H)", "gpus/toy/docs/spec.md has no section H"),
            ("// the spec section on words", "names no section of the spec"),
        ] {
            let found = problems(at, text);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert!(found[0].ends_with(what), "{text}: {found:?}");
        }
        assert_eq!(problems(at, "// (spec sections 2 to 4)").len(), 3);
    }

    #[test]
    fn the_machine_must_be_known_and_have_a_spec() {
        let found = problems("crates/a/src/lib.rs", "// (spec section 1)");
        assert_eq!(found, ["crates/a/src/lib.rs:1: names no machine: write `nv2a spec section 5`"]);
        let found = problems("gpus/other/src/a.rs", "// (spec section 1)");
        assert_eq!(found, ["gpus/other/src/a.rs:1: cites gpus/other/docs/spec.md, which does not exist"]);
    }

    #[test]
    fn a_spec_may_cite_itself_without_a_word() {
        let spec = SPEC.replace("section B", "section C");
        let found = wrong(&[("gpus/toy/docs/spec.md".into(), spec)]);
        assert_eq!(found, ["gpus/toy/docs/spec.md:22: gpus/toy/docs/spec.md has no section C"]);
    }
}

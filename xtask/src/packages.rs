//! What `cargo xtask tidy` asks of packages: complete, closed, and small where they are said to be.

use crate::sources::{Tracked, code, is_library_source};
use std::collections::BTreeSet;
use std::path::Path;

/// The most crates that an assembler for one machine takes, itself included. Six of them compress saved states, and
/// four are the Commander X16, VERA, the 65C02 and its assembler; six are serde, whose derives read options and write results.
const MOST_CRATES: usize = 40;

/// What none of them is.
const HEAVY: [&str; 6] = ["gif", "gltf", "gpuzoo-scene", "image", "png", "rayon"];

/// Adds what is wrong with the packages.
pub(crate) fn check(sources: &[Tracked], root: &Path, problems: &mut Vec<String>) {
    complete(sources, root, problems);
    closed(sources, problems);
    for unit in machines(sources) {
        match crates_of(unit) {
            Ok(crates) => small(unit, &crates, problems),
            Err(problem) => problems.push(format!("cargo tree for {unit}: {problem}")),
        }
    }
}

/// A crate that is published says what it is, and has the licences and a page.
fn complete(sources: &[Tracked], root: &Path, problems: &mut Vec<String>) {
    let read = |path: &str| std::fs::read_to_string(root.join(path)).ok();
    for file in sources {
        let Some(folder) = file.path.strip_suffix("/Cargo.toml") else { continue };
        let Ok(manifest) = file.text.parse::<toml::Table>() else { continue };
        let Some(package) = manifest.get("package").and_then(|package| package.as_table()) else { continue };
        if package.get("publish").is_some_and(|publish| publish.as_bool() == Some(false)) {
            continue;
        }
        for (key, most) in [("keywords", 5), ("categories", 5)] {
            let count = package.get(key).and_then(|list| list.as_array()).map_or(0, Vec::len);
            if count == 0 || count > most {
                problems.push(format!("{}: {count} {key}, where 1 to {most} are right", file.path));
            }
        }
        if read(&format!("{folder}/README.md")).is_none() {
            problems.push(format!("{folder}: lacks a README.md"));
        }
        for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
            if read(&format!("{folder}/{licence}")).is_none_or(|text| Some(text) != read(licence)) {
                problems.push(format!("{folder}: lacks a link to {licence}"));
            }
        }
    }
}

/// A package ends at its own folder, and so does what its library includes.
fn closed(sources: &[Tracked], problems: &mut Vec<String>) {
    for file in sources.iter().filter(|file| is_library_source(file) || file.path.starts_with("apps/")) {
        let depth = file.path.split('/').count() - 2;
        for (number, line) in
            code(file).filter(|(_, line)| line.contains("include_") || line.starts_with("#[path"))
        {
            if line.contains(&"../".repeat(depth)) {
                problems.push(format!("{}:{number}: includes a file outside the package", file.path));
            }
        }
    }
}

/// The machines that the facade has a feature for.
fn machines(sources: &[Tracked]) -> impl Iterator<Item = &str> {
    let facade = sources.iter().find(|file| file.path == "crates/gpuzoo/src/machines.rs");
    let lines = facade.into_iter().flat_map(|file| file.text.lines());
    lines.filter_map(|line| Some(line.split_once("::GPU, \"")?.1.split_once('"')?.0))
}

/// The crates that the facade takes with one feature alone.
fn crates_of(feature: &str) -> Result<BTreeSet<String>, String> {
    let line = "tree --quiet --offline -p gpuzoo --edges normal,build --prefix none --no-default-features --features";
    let output =
        crate::cargo().args(line.split(' ')).arg(feature).output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let name = |line: &str| {
        Some(line.split(' ').take(2).collect::<Vec<_>>().join(" ")).filter(|name| !name.is_empty())
    };
    Ok(String::from_utf8_lossy(&output.stdout).lines().filter_map(name).collect())
}

/// An assembler for one machine needs few crates, and no pictures.
fn small(unit: &str, crates: &BTreeSet<String>, problems: &mut Vec<String>) {
    if crates.len() > MOST_CRATES {
        problems.push(format!(
            "gpuzoo with the feature {unit} alone takes {} crates, more than {MOST_CRATES}",
            crates.len()
        ));
    }
    let names = crates.iter().filter_map(|name| name.split(' ').next());
    for name in names.filter(|name| HEAVY.contains(name)) {
        problems.push(format!("gpuzoo with the feature {unit} alone takes {name}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> Tracked {
        Tracked { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn what_a_package_lacks_is_found() {
        let mut problems = Vec::new();
        let toy =
            |rest: &str| file("gpus/toy/Cargo.toml", &format!("[package]\nname = \"gpuzoo-toy\"\n{rest}\n"));
        complete(&[toy("publish = false")], &crate::root(), &mut problems);
        assert_eq!(problems, [""; 0]);
        complete(&[toy("")], &crate::root(), &mut problems);
        assert_eq!(problems.len(), 5, "{problems:?}");
    }

    #[test]
    fn what_is_outside_a_package_is_found() {
        let mut problems = Vec::new();
        let inside = "include_str!(\"../../README.md\")";
        let outside = "include_str!(\"../../../README.md\")";
        closed(&[file("gpus/toy/src/a/b.rs", inside)], &mut problems);
        assert_eq!(problems, [""; 0]);
        closed(&[file("gpus/toy/src/a/b.rs", outside), file("gpus/toy/src/a.rs", inside)], &mut problems);
        assert_eq!(problems.len(), 2, "{problems:?}");
    }

    #[test]
    fn crates_that_are_too_many_or_heavy_are_found() {
        let line = "    toy: Machine = gpuzoo_toy::GPU, \"toy\" { gpuzoo_toy as toy }\n";
        let sources = [file("crates/gpuzoo/src/machines.rs", line)];
        assert_eq!(machines(&sources).collect::<Vec<_>>(), ["toy"]);
        let mut problems = Vec::new();
        let crates =
            |names: &[&str]| names.iter().map(|name| format!("{name} v1.0.0")).collect::<BTreeSet<_>>();
        small("toy", &crates(&["gpuzoo", "serde_json"]), &mut problems);
        assert_eq!(problems, [""; 0]);
        small("toy", &crates(&["gpuzoo", "rayon"]), &mut problems);
        small("toy", &(0..=MOST_CRATES).map(|index| index.to_string()).collect(), &mut problems);
        assert_eq!(problems.len(), 2, "{problems:?}");
    }
}

//! `SECURITY.md`: every promise has tests that exist, and nothing but `bench` starts a process.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The Rust files of the repository's crates.
fn sources() -> Vec<(PathBuf, String)> {
    fn add(folder: &Path, all: &mut Vec<(PathBuf, String)>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && !matches!(&*name, "target" | "node_modules") {
                add(&path, all);
            } else if name.ends_with(".rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                all.push((path, text));
            }
        }
    }
    let mut all = Vec::new();
    ["apps", "crates", "gpus"].iter().for_each(|folder| add(&root().join(folder), &mut all));
    all
}

/// The names of test functions in a text.
fn tests(text: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    let mut is_test = false;
    for line in text.lines().map(str::trim) {
        match line.strip_prefix("fn ").or_else(|| line.strip_prefix("pub fn ")) {
            Some(rest) if is_test => drop(found.insert(rest.split('(').next().unwrap_or(""))),
            _ => {}
        }
        is_test = line == "#[test]" || is_test && (line.starts_with("#[") || line.starts_with("///"));
    }
    found
}

/// What stands between backticks in a text.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// True for the name of a test.
fn is_test_name(word: &str) -> bool {
    word.contains('_')
        && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// The rows of the table below a heading, each as its cells, without the first two rows.
fn table<'a>(text: &'a str, heading: &str) -> Vec<Vec<&'a str>> {
    let (_, rest) = text.split_once(heading).unwrap_or_else(|| panic!("no heading {heading}"));
    let rows =
        rest.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    rows.skip(2).map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

#[test]
fn promises_have_tests_that_exist() {
    let text = std::fs::read_to_string(root().join("SECURITY.md")).unwrap();
    let sources = sources();
    let known: BTreeSet<&str> = sources.iter().flat_map(|(_, text)| tests(text)).collect();
    assert!(known.contains("promises_have_tests_that_exist") && known.len() > 1000);
    for name in quoted(&text).filter(|word| is_test_name(word)) {
        assert!(known.contains(name), "SECURITY.md names the test `{name}`, which does not exist");
    }
    for path in quoted(&text).filter(|word| word.contains('/') && !word.contains([' ', '*'])) {
        let is_ours = ["apps/", "crates/", "gpus/", "docs/"].iter().any(|folder| path.starts_with(folder));
        assert!(!is_ours || root().join(path).exists(), "SECURITY.md names `{path}`, which does not exist");
    }
}

#[test]
fn each_cell_of_who_may_name_what_has_a_test() {
    let text = std::fs::read_to_string(root().join("SECURITY.md")).unwrap();
    let rows = table(&text, "## Who may name what");
    let names: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    for row in [
        "the command line",
        "a project file",
        "a linker configuration",
        "a scene",
        "a source",
        "a program at run time",
    ] {
        assert!(names.contains(&row), "there is no row for {row}: {names:?}");
    }
    for row in &rows {
        assert_eq!(row.len(), 4, "{row:?}");
        for cell in &row[1..] {
            assert!(quoted(cell).any(is_test_name), "{}: no test in `{cell}`", row[0]);
        }
    }
}

/// No input can have a process started, because nothing else starts one.
#[test]
fn only_the_yardstick_starts_a_process() {
    let mut found = BTreeSet::new();
    for (path, text) in sources() {
        let name = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
        // What users run, and not what is for tests and for development.
        let is_shipped = name.contains("/src/")
            && !["apps/dev/", "apps/fuzz-targets/", "crates/golden/", "crates/bench/", "crates/skipped/"]
                .iter()
                .any(|folder| name.starts_with(folder));
        let starts = ["process::Command", "Command::new(", "libc::system", "execv"];
        if is_shipped && starts.iter().any(|start| text.contains(start)) {
            found.insert(name);
        }
    }
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["apps/cli/src/verbs/bench.rs"]);
}

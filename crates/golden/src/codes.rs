//! Which codes of diagnostics a crate's tests show.
//!
//! A code is shown by a golden file in a folder `err` that is named after it, or by a test that [`LIST`] names: lines
//! `CODE FILE TEST`, where the file is relative to the crate's folder and the test mentions the code. A machine that cannot
//! report a code which the kit has for all machines says `CODE never REASON`; one whose texts the kit reads says `kit`, and
//! leaves the kit's codes to the files of other machines. `#` begins a comment.

use crate::{FOLDERS, entries, stem};
use gpuzoo_diag::File;
use gpuzoo_machine::ShaderUnit;
use gpuzoo_machine::TextOptions;
use std::collections::BTreeMap;
use std::path::Path;

/// Codes of the kit that need no file of a machine: [`limits`] holds the first two for each, and what is not text never
/// reaches a machine.
const NO_FILE: [&str; 3] = ["A0114", "A0116", "A0115"];

/// The list of a crate, in its folder.
pub const LIST: &str = "tests/codes.txt";

/// How a code is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// By a golden file.
    File,
    /// By a test.
    Test,
    /// By files of other machines: the kit reads this one's texts, too.
    Kit,
    /// Not at all: the machine cannot report it.
    Never,
}

/// The codes that the tests of a crate show.
///
/// # Errors
/// Lines of the list that are wrong: a test that does not exist or does not mention the code, a code that has a file.
pub fn shown(folder: &Path) -> Result<BTreeMap<String, Shown>, String> {
    let mut shown = BTreeMap::new();
    files(&folder.join("tests"), &mut shown);
    let text = std::fs::read_to_string(folder.join(LIST)).unwrap_or_default();
    let (mut wrong, mut kit) = (Vec::new(), false);
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (code, how) = match words[..] {
            ["kit"] => {
                kit = true;
                continue;
            }
            [code, "never", _, ..] => (code, Ok(Shown::Never)),
            [code, file, test] => (code, named_test(&folder.join(file), test, code).map(|()| Shown::Test)),
            _ => ("", Err("not `CODE FILE TEST`, `CODE never REASON` or `kit`".to_owned())),
        };
        match how {
            Err(problem) => wrong.push(format!("{LIST}: `{line}`: {problem}")),
            Ok(_) if shown.contains_key(code) => {
                wrong.push(format!("{LIST}: `{line}`: the code is shown already"))
            }
            Ok(how) => drop(shown.insert(code.to_owned(), how)),
        }
    }
    for code in gpuzoo_isa::codes::CODES.iter().filter(|_| kit) {
        shown.entry(code.id.to_owned()).or_insert(Shown::Kit);
    }
    if wrong.is_empty() { Ok(shown) } else { Err(wrong.join("\n")) }
}

/// The golden files of all folders `err` below a folder.
fn files(folder: &Path, shown: &mut BTreeMap<String, Shown>) {
    for path in entries(folder).iter().filter(|path| path.is_dir()) {
        if stem(path) == "err" {
            let codes =
                entries(path).into_iter().filter_map(|path| Some(stem(&path).split('_').next()?.to_owned()));
            shown.extend(codes.map(|code| (code, Shown::File)));
        }
        files(path, shown);
    }
}

/// A test of a source file mentions a code.
fn named_test(file: &Path, test: &str, code: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let lines: Vec<&str> = text.lines().collect();
    let head = format!("fn {test}(");
    let first = lines.iter().position(|line| line.trim_start().starts_with(&head));
    let first = first.ok_or("the file has no such function")?;
    let attributes = lines[..first].iter().rev().take_while(|line| line.trim_start().starts_with(['#', '/']));
    if !attributes.clone().any(|line| line.trim() == "#[test]") {
        return Err("the function is not a test".into());
    }
    let indent = &lines[first][..lines[first].len() - lines[first].trim_start().len()];
    let end = format!("{indent}}}");
    let mut body = lines[first..].iter().take_while(|line| **line != end);
    match body.any(|line| line.contains(code) && !line.trim_start().starts_with("//")) {
        true => Ok(()),
        false => Err("the test does not mention the code".into()),
    }
}

/// Every code that a machine can report, its own and the kit's, is shown by its tests; so is each that small mistakes in its
/// golden files provoke.
///
/// # Errors
/// Those that are not.
pub fn every(gpu: &dyn ShaderUnit, folder: &Path) -> Result<(), String> {
    let shown = shown(folder)?;
    let is_shown = |code: &str| shown.get(code).is_some_and(|how| *how != Shown::Never);
    let own = gpu.about().codes.iter().copied().flatten().map(|code| code.id).filter(|code| !is_shown(code));
    let kit = gpuzoo_isa::codes::CODES.iter().map(|code| code.id);
    let kit = kit.filter(|code| !NO_FILE.contains(code) && !shown.contains_key(*code));
    let missing: Vec<&str> = own.chain(kit).collect();
    if !missing.is_empty() {
        return Err(format!("neither a file in err/ nor a line of {LIST}: {}", missing.join(" ")));
    }
    let provoked = provoked(gpu, folder);
    let missing = provoked.iter().filter(|(code, _)| !is_shown(code) && !NO_FILE.contains(code));
    let missing: Vec<String> = missing.map(|(code, text)| format!("{code}:\n{text}")).collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(format!("mistakes give codes that no test shows:\n{}", missing.join("\n"))),
    }
}

/// Texts have limits: 1,000 errors, and 64 MiB.
///
/// # Errors
/// Which is not held.
pub fn limits(gpu: &dyn ShaderUnit, folder: &Path) -> Result<(), String> {
    let gives = |text: &str, code: &str| {
        let problems = gpu.assemble(&File::new("golden", text), &TextOptions::default()).diagnostics;
        // What is said about the whole text comes on top.
        problems.len() < 1_010 && problems.iter().any(|problem| problem.code.id == code)
    };
    let unknown =
        entries(&folder.join("tests/err")).into_iter().filter(|path| stem(path).starts_with("A0101"));
    let mut unknown = unknown.filter_map(|path| std::fs::read_to_string(path).ok());
    if !unknown.any(|text| gives(&text.repeat(1_500), "A0114")) {
        return Err("no text of err/A0101 gives A0114 when it is repeated 1,500 times".into());
    }
    match gives(&"\n".repeat((64 << 20) + 1), "A0116") {
        true => Ok(()),
        false => Err("64 MiB and a byte do not give A0116".into()),
    }
}

/// The codes that mistakes in the golden files give, each with a text that does: every word of every line is left out, and
/// replaced by each of a few.
fn provoked(gpu: &dyn ShaderUnit, folder: &Path) -> BTreeMap<&'static str, String> {
    const MISTAKES: [&str; 12] =
        ["", "zz", "7", "1.5", "-1", "99999999999999999999", ",", ".zz", "@", "/*", "r99", "\""];
    let mut provoked = BTreeMap::new();
    for path in FOLDERS.iter().flat_map(|kind| entries(&folder.join("tests").join(kind))) {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let Some(leader) = text.split_once("test:").map(|(leader, _)| leader.trim()) else { continue };
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with(leader)).collect();
        // What is repeated to be too much gives nothing new.
        for at in 0..lines.len().min(24) {
            let words: Vec<&str> = lines[at].split_whitespace().collect();
            for (word, mistake) in (0..words.len()).flat_map(|word| MISTAKES.map(|mistake| (word, mistake))) {
                let mut words = words.clone();
                words[word] = mistake;
                let line = words.join(" ");
                let mut lines = lines.clone();
                lines[at] = &line;
                let text = lines.join("\n");
                for problem in gpu.assemble(&File::new("golden", &text), &TextOptions::default()).diagnostics
                {
                    provoked.entry(problem.code.id).or_insert_with(|| text.clone());
                }
            }
        }
    }
    provoked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_must_exist_be_one_and_mention_the_code() {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/codes.rs");
        let named = |test, code| named_test(&own, test, code);
        assert_eq!(named("a_test_must_exist_be_one_and_mention_the_code", "Q9999"), Ok(()));
        let absent = format!("Q{}", 8888);
        let wrong = |test, code| named(test, code).unwrap_err();
        assert_eq!(
            wrong("a_test_must_exist_be_one_and_mention_the_code", &absent),
            "the test does not mention the code"
        );
        assert_eq!(wrong("named_test", "code"), "the function is not a test");
        assert_eq!(wrong("nothing", "code"), "the file has no such function");
    }
}

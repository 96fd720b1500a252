//! Every command on the pages for users works as it is typed, in the repository's root, and prints what the page shows.
#![cfg(unix)]

use crate::common::scratch;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Commands that a test cannot run.
const NOT_RUN: [&str; 1] = ["cargo xtask test"];

/// Commands that are shown because they fail, and their exit codes.
const FAIL: [(&str, i32); 6] = [
    ("echo 'ld r16 0' | gpuzoo check --gpu dreambox -", 1),
    ("printf 'ld r16 0\\nadd r0, r1\\nst pos r0' | gpuzoo check --gpu dreambox -", 1),
    ("gpuzoo conform --gpu dreambox mine.jsonl --junit results.xml", 1),
    ("gpuzoo conform gpus/vera/tests/vectors/traces/p02_base_wrap.trace --profile x16emu", 1),
    ("gpuzoo diff hw.png cpu.png -o difference.png", 1),
    ("gpuzoo render examples/dreambox/teapot.toml --limit primitives=8k -o teapot.png", 1),
];

/// The one command that is shown for its warnings: it says what a mode does not allow.
const WARNS: &str = "gpuzoo run examples/nv2a/state.xvs examples/nv2a/launch.csv \
                     --mode program=vertex --mode constants=read-only --output-start oD0=1,0,0,1";

/// A command and the lines that the page shows as its output.
struct Shown {
    command: String,
    output: Vec<String>,
}

/// The commands of a page: in blocks `sh` every line but comments, in blocks `console` what follows `$ `.
fn commands(page: &str) -> Vec<Shown> {
    let mut commands: Vec<Shown> = Vec::new();
    let mut block = None;
    for line in page.lines() {
        if let Some(language) = line.strip_prefix("```") {
            block = if block.is_some() { None } else { Some(language) };
            continue;
        }
        let command = match block {
            Some("sh") if !line.is_empty() && !line.starts_with('#') => Some(line),
            Some("console") => line.strip_prefix("$ "),
            Some("sh") => continue,
            _ => {
                let text = line.trim_start();
                let typed = ["gpuzoo ", "cargo ", "$ "].iter().any(|start| text.starts_with(start));
                assert!(!typed || line == text, "a command outside of `sh` and `console`: {line}");
                continue;
            }
        };
        match (command, commands.last_mut()) {
            (Some(command), _) => commands.push(Shown { command: command.to_owned(), output: Vec::new() }),
            (None, Some(last)) => last.output.push(line.to_owned()),
            (None, None) => panic!("output without a command: {line}"),
        }
    }
    commands
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        std::fs::create_dir_all(to).expect("a folder can be made");
        for entry in std::fs::read_dir(from).expect("a folder") {
            let name = entry.expect("an entry").file_name();
            copy(&from.join(&name), &to.join(&name));
        }
    } else {
        std::fs::copy(from, to).expect("a file can be copied");
    }
}

/// Runs the commands of a page in a copy of what they read; returns how many there were.
fn run(page: &str) -> usize {
    let tests = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests");
    let text = std::fs::read_to_string(tests.join("pages").join(page)).expect("the page is there");
    let root = scratch(&format!("page-{page}"));
    copy(&tests.join("checkout"), &root);
    let program = Path::new(env!("CARGO_BIN_EXE_gpuzoo"));
    let folder = program.parent().expect("the program is in a folder");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let commands = commands(&text);
    for Shown { command, output } in &commands {
        if NOT_RUN.contains(&command.as_str()) {
            continue;
        }
        let typed = command.replace("cargo run --release -- ", "gpuzoo ");
        let mut shell = Command::new("sh");
        shell.args(["-c", &typed]).current_dir(&root).env("PATH", &path).stdin(Stdio::null());
        let done = shell.output().expect("there is a shell");
        let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        let expected = FAIL.iter().find(|(known, _)| known == command).map_or(0, |(_, code)| *code);
        assert_eq!(done.status.code(), Some(expected), "{page}: {command}\n{out}{err}");
        // What works is shown without a message, apart from notes.
        if expected == 0 {
            assert_eq!(err.contains("warning["), command == WARNS, "{page}: {command}\n{err}");
        }
        if !output.is_empty() {
            let all = format!("{out}{err}");
            let printed: Vec<&str> = all.lines().map(str::trim_end).collect();
            let first = printed.iter().position(|line| *line == output[0]).unwrap_or(printed.len());
            let shown = printed.iter().skip(first).take(output.len());
            assert!(shown.eq(output.iter()), "{page}: {command}\n{all}");
        }
    }
    commands.len()
}

#[test]
fn the_readme_works_as_typed() {
    assert!(run("README.md") >= 20);
}

#[test]
fn the_tour_works_as_typed() {
    assert!(run("tour.md") >= 25);
}

#[test]
fn the_page_of_vectors_works_as_typed() {
    assert!(run("conformance.md") >= 20);
}

#[test]
fn the_page_of_reports_works_as_typed() {
    assert!(run("reports.md") >= 6);
}

#[test]
fn the_pages_of_packages_work_as_typed() {
    assert!(run("cli.md") >= 8);
    assert!(run("picogpu.md") >= 2);
}

/// No scene among the examples has a message.
#[test]
fn scenes_in_the_examples_have_no_messages() {
    let examples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/checkout/examples");
    let mut scenes = 0;
    for machine in ["dreambox", "nv2a", "picogpu", "servaru"] {
        for entry in std::fs::read_dir(examples.join(machine)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                let args = ["render", path.to_str().expect("text"), "--frame", "0", "-o", "-"];
                let mut done = crate::common::command(&args);
                let done = done.output().expect("the program ends");
                assert_eq!(String::from_utf8_lossy(&done.stderr), "", "{}", path.display());
                assert!(done.status.success(), "{}", path.display());
                scenes += 1;
            }
        }
    }
    assert!(scenes >= 15, "{scenes}");
}

//! Development tasks: `cargo xtask TASK …`. Tasks that need gpuzoo itself are in `apps/dev`; the others are files here.
#![forbid(unsafe_code)]

mod book;
mod capi;
mod circles;
mod citations;
mod mutants;
mod new_gpu;
mod packages;
mod python;
mod sanitize;
mod sources;
mod system;
mod test;
mod tidy;
mod web;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

type Task = fn(&[String]) -> ExitCode;

const TASKS: [(&str, Task, &str); 11] = [
    ("test", test::run, "everything that must pass (--fast: what a change breaks first)"),
    ("tidy", tidy::run, "check the invariants of the sources that no other tool knows"),
    ("book", book::run, "check the pages' links, and make a website of them where mdbook is installed"),
    ("python", python::run, "build the Python package, and test it (--bench: measure it)"),
    ("capi", capi::run, "build the C library, install it (--prefix DIR), and try it from there"),
    ("asan", sanitize::asan, "run the tests around unsafe code under AddressSanitizer"),
    ("miri", sanitize::miri, "run the engine's tests under Miri, where it is installed"),
    ("mutants", mutants::run, "change the code here and there, and see whether a test notices"),
    ("npm", web::npm, "build the npm package, and test it in node (--bench: measure it)"),
    ("studio", web::studio, "build the studio in the browser, and try it in Chromium"),
    ("new-gpu", new_gpu::run, "write the folder of a new machine"),
];

/// Tasks of `apps/dev`, and whether they compute long enough to be worth a release build.
const DEV_TASKS: [(&str, bool, &str); 7] = [
    (
        "gen",
        false,
        "write the reference pages from the tables, and the contact sheet (--check: only compare)",
    ),
    ("fuzz", false, "run the fuzzer on every reader and fast path (--minutes N [TARGET…])"),
    ("math", true, "check the numeric functions of the IR on all inputs"),
    ("engine-exact", true, "check the engine's bits against the evaluator's"),
    (
        "programs",
        true,
        "compile random programs, and compare what they compute (--language NAME, --count N, --from SEED)",
    ),
    ("versus", true, "measure pictures against those of llvmpipe, in alternation"),
    ("words", true, "check that every instruction word survives disassembly and assembly"),
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let Some((name, args)) = args.split_first() {
        if let Some((_, task, _)) = TASKS.iter().find(|(known, ..)| known == name) {
            return task(args);
        }
        if let Some((_, release, _)) = DEV_TASKS.iter().find(|(known, ..)| known == name) {
            return dev(name, *release, args);
        }
    }
    eprintln!("usage: cargo xtask TASK …\n");
    let tasks = TASKS.iter().map(|(name, _, what)| (name, what));
    for (name, what) in tasks.chain(DEV_TASKS.iter().map(|(name, _, what)| (name, what))) {
        eprintln!("  {name:<12} {what}");
    }
    ExitCode::from(2)
}

/// Whether there is a task of this name.
#[cfg(test)]
fn is_task(name: &str) -> bool {
    TASKS.iter().any(|(known, ..)| *known == name) || DEV_TASKS.iter().any(|(known, ..)| *known == name)
}

/// Runs a task of `apps/dev`.
fn dev(task: &str, release: bool, args: &[String]) -> ExitCode {
    let mut command = cargo();
    command.args(["run", "--quiet", "--package", "gpuzoo-dev"]).args(release.then_some("--release"));
    match command.args(["--", task]).args(args).status() {
        Ok(status) => {
            status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from)
        }
        Err(error) => {
            eprintln!("cargo cannot be run: {error}");
            ExitCode::from(2)
        }
    }
}

/// The cargo that runs this, at the repository's root.
fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// The repository's root.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").components().collect()
}

/// Where builds go.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

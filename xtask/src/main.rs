//! Development tasks: `cargo xtask TASK …`. Each task is a file.
#![forbid(unsafe_code)]

mod citations;
mod engine;
mod math;
mod new_gpu;
#[path = "../../crates/ir/tests/oracle/mod.rs"]
mod oracle;
mod reference;
mod test;
mod tidy;
mod words;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

type Task = fn(&[String]) -> ExitCode;

const TASKS: [(&str, Task, &str); 7] = [
    ("test", test::run, "everything that must pass: formatting, lints, documentation, tests"),
    ("tidy", tidy::run, "check the invariants of the house on the sources"),
    ("gen", reference::run, "write the reference pages from the tables (--check: only compare)"),
    ("new-gpu", new_gpu::run, "write the folder of a new machine"),
    ("math", math::run, "check the numeric functions of the IR on all inputs"),
    ("engine-exact", engine::run, "check the engine's bits against the evaluator's"),
    ("words", words::run, "check that every instruction word survives disassembly and assembly"),
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let Some((name, args)) = args.split_first()
        && let Some((_, task, _)) = TASKS.iter().find(|(known, ..)| known == name)
    {
        return task(args);
    }
    eprintln!("usage: cargo xtask TASK …\n");
    for (name, _, what) in TASKS {
        eprintln!("  {name:<12} {what}");
    }
    ExitCode::from(2)
}

/// The repository's root.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").components().collect()
}

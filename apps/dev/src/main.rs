//! Development tasks that need gpuzoo itself: `cargo xtask TASK …` runs them. They are apart from xtask so that
//! `cargo xtask test` compiles nothing before it begins that it compiles again later.
#![forbid(unsafe_code)]

mod editors;
mod engine;
mod fuzz;
mod math;
mod option_types;
mod oracle;
mod programs;
mod python_options;
mod reference;
mod sheet;
mod typescript;
mod typescript_options;
#[cfg(unix)]
mod versus;
mod words;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.split_first().map(|(name, args)| (name.as_str(), args)) {
        Some(("gen", args)) => reference::run(args),
        Some(("fuzz", args)) => fuzz::run(args),
        Some(("math", args)) => math::run(args),
        Some(("engine-exact", args)) => engine::run(args),
        Some(("programs", args)) => programs::run(args),
        Some(("words", args)) => words::run(args),
        #[cfg(unix)]
        Some(("versus", args)) => versus::run(args),
        _ => {
            eprintln!("`cargo xtask` lists the tasks");
            ExitCode::from(2)
        }
    }
}

/// The repository's root.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").components().collect()
}

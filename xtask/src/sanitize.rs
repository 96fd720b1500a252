//! `cargo xtask asan` and `cargo xtask miri`: what watches over `unsafe` code while tests run.

use std::process::{Command, ExitCode};

/// The sanitizer needs to know what it compiles for.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Tests of the crates with `unsafe` code and of the one that draws, on all levels of the engine, and the fuzzer's targets.
/// AddressSanitizer does not see into machine code that the engine wrote; it has what lies around it.
pub fn asan(args: &[String]) -> ExitCode {
    let mut command = crate::cargo();
    command.args(["test", "--target", TARGET, "--lib", "--tests"]);
    for package in ["gpuzoo-simd", "gpuzoo-engine", "gpuzoo-raster", "gpuzoo-fuzz-targets"] {
        command.args(["--package", package]);
    }
    command.args(["--features", "gpuzoo-engine/jit"]).args(args);
    // The flag is for nightly compilers; others take it with this variable.
    command.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", "-Zsanitizer=address");
    // Tests ask for more memory than there is, and look at what becomes of that.
    command.env("ASAN_OPTIONS", "allocator_may_return_null=1");
    finish(&mut command)
}

/// The engine without machine code and threads. Tests over hundreds of thousands of operands would take days.
pub fn miri(args: &[String]) -> ExitCode {
    if !crate::cargo().args(["miri", "--version"]).output().is_ok_and(|output| output.status.success()) {
        eprintln!("Miri is not installed; with `rustup component add miri` a nightly toolchain has it");
        return ExitCode::from(2);
    }
    let mut command = crate::cargo();
    command.args(["miri", "test", "--package", "gpuzoo-engine", "--no-default-features", "--lib", "--tests"]);
    command.args(args).args(["--", "--skip", "ops::", "--skip", "random::"]);
    finish(&mut command)
}

fn finish(command: &mut Command) -> ExitCode {
    match command.status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("cargo cannot be run: {error}");
            ExitCode::from(2)
        }
    }
}

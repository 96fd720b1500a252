//! `cargo xtask test`: everything that must pass, in the order in which it fails fastest.

use std::process::{Command, ExitCode};

/// Formatting and lints (where their tools are installed), then all tests and the documentation's links.
pub fn run(args: &[String]) -> ExitCode {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let has = |tool: &str| {
        Command::new(&cargo).args([tool, "--version"]).output().is_ok_and(|output| output.status.success())
    };
    let mut steps: Vec<Vec<&str>> = Vec::new();
    for (tool, step) in [
        ("fmt", vec!["fmt", "--all", "--check"]),
        ("clippy", vec!["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"]),
    ] {
        if has(tool) {
            steps.push(step);
        } else {
            println!("cargo {tool} is not installed; skipped");
        }
    }
    steps.push(vec!["doc", "--workspace", "--no-deps", "--quiet"]);
    steps.push(vec!["test", "--workspace"]);
    for step in steps {
        println!("cargo {}", step.join(" "));
        let extra: &[String] = if step[0] == "test" { args } else { &[] };
        let status = Command::new(&cargo).args(&step).args(extra).env("RUSTDOCFLAGS", "-D warnings").status();
        match status {
            Ok(status) if status.success() => {}
            Ok(_) => return ExitCode::FAILURE,
            Err(error) => {
                eprintln!("cargo cannot be run: {error}");
                return ExitCode::from(2);
            }
        }
    }
    ExitCode::SUCCESS
}

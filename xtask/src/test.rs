//! `cargo xtask test`: everything that must pass, in the order in which it fails fastest.

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

const USAGE: &str = "usage: cargo xtask test [--fast] [ARGUMENT…]

  --fast    only formatting and the tests that are not slow: no dependencies, lints or documentation
  ARGUMENT  for `cargo test`: a part of a test's name, or what follows `--`";

/// Tests of many seconds, by file and path in their test program; `--fast` leaves them out.
const SLOW: [(&str, &str); 9] = [
    ("crates/engine/tests/ops.rs", "ops::binary"),
    ("crates/engine/tests/ops.rs", "ops::ternary"),
    ("crates/engine/tests/ops.rs", "ops::dots"),
    ("crates/engine/tests/random.rs", "random::long_loops"),
    ("crates/gpuzoo/tests/c_kernel.rs", "c_kernel::operations_on_two_values"),
    ("crates/gpuzoo/tests/c_kernel.rs", "c_kernel::operations_on_three_values_and_dots"),
    ("crates/gpuzoo/tests/c_kernel.rs", "c_kernel::standard_programs"),
    ("crates/gpuzoo/tests/c_kernel.rs", "c_kernel::example_programs"),
    ("crates/asm65/tests/asm.rs", "memory_and_time_are_bounded"),
];

/// Targets that are checked where their standard library is installed, and what there is for them.
const TARGETS: [(&str, &str); 2] = [
    ("aarch64-unknown-linux-gnu", "-p gpuzoo-cli"),
    ("wasm32-unknown-unknown", "-p gpuzoo --no-default-features --features machines,render"),
];

/// A command of cargo's.
struct Step {
    args: Vec<String>,
    needs: Needs,
}

/// What need not be installed.
#[derive(Clone, Copy, PartialEq)]
enum Needs {
    Nothing,
    /// The tool that the command is.
    Tool,
    /// The standard library of a target.
    Target(&'static str),
}

fn step(line: &str, needs: Needs) -> Step {
    Step { args: line.split(' ').map(str::to_owned).collect(), needs }
}

/// Formatting, lints and dependencies (where their tools are installed), then the documentation's links, the book, and all tests.
pub fn run(args: &[String]) -> ExitCode {
    if args.iter().any(|arg| arg == "--help") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let fast = args.iter().any(|arg| arg == "--fast");
    let chosen: Vec<String> = args.iter().filter(|arg| *arg != "--fast").cloned().collect();
    // cargo would test the whole workspace all the same, and not say so.
    if chosen
        .iter()
        .take_while(|arg| *arg != "--")
        .any(|arg| arg.starts_with("-p") || arg.starts_with("--package"))
    {
        eprintln!("all crates are tested here; one crate's tests run with `cargo test {}`", chosen.join(" "));
        return ExitCode::from(2);
    }
    let file = crate::target().join("skipped.txt");
    // What another run has left there is not of this one.
    let _ = std::fs::remove_file(&file);
    let mut skipped = Vec::new();
    for Step { args, needs } in steps(fast, &chosen) {
        let missing = match needs {
            Needs::Tool if !is_installed(&args[0]) => Some(format!("cargo {}", args[0])),
            Needs::Target(target) if !has_library(target) => {
                Some(format!("the standard library of {target}"))
            }
            _ => None,
        };
        if let Some(missing) = missing {
            println!("{missing} is not installed; skipped");
            skipped.push(format!("{missing} is not installed: `cargo {}`", args.join(" ")));
            continue;
        }
        println!("cargo {}", args.join(" "));
        let start = Instant::now();
        let mut cargo = crate::cargo();
        let status =
            cargo.args(&args).env("RUSTDOCFLAGS", "-D warnings").env(gpuzoo_skipped::FILE, &file).status();
        println!("{:.0} s\n", start.elapsed().as_secs_f64());
        match status {
            Ok(status) if status.success() => {}
            Ok(_) => return ExitCode::FAILURE,
            Err(error) => {
                eprintln!("cargo cannot be run: {error}");
                return ExitCode::from(2);
            }
        }
    }
    skipped.extend(std::fs::read_to_string(&file).unwrap_or_default().lines().map(str::to_owned));
    println!("{}", counted(skipped));
    ExitCode::SUCCESS
}

/// What was not checked, each once, and how many there are.
fn counted(mut skipped: Vec<String>) -> String {
    skipped.sort();
    skipped.dedup();
    match skipped.len() {
        0 => "all checks were made, none skipped".to_owned(),
        count => format!("{count} kinds of checks were skipped:\n  {}", skipped.join("\n  ")),
    }
}

fn steps(fast: bool, chosen: &[String]) -> Vec<Step> {
    let mut steps = vec![step("fmt --all --check", Needs::Tool)];
    // The benchmarks have nothing to test, and their harness need not be compiled.
    let mut tests = step("test --workspace --exclude gpuzoo-bench --lib --bins --tests", Needs::Nothing);
    if fast {
        // Mutations of inputs take most of a minute.
        tests.args.extend(["--exclude".to_owned(), "gpuzoo-fuzz-targets".to_owned()]);
    }
    tests.args.extend_from_slice(chosen);
    if fast {
        if !chosen.iter().any(|arg| arg == "--") {
            tests.args.push("--".to_owned());
        }
        for (_, name) in SLOW {
            tests.args.extend(["--skip".to_owned(), name.to_owned()]);
        }
        steps.push(tests);
        return steps;
    }
    // Its advisories are left out: they need a network.
    steps.push(step("deny check licenses bans sources", Needs::Tool));
    steps.push(step("clippy --workspace --all-targets --quiet -- -D warnings", Needs::Tool));
    // What the manifests say of features holds: a shader unit alone, and what is not one.
    for feature in ["nv2a", "vera"] {
        let line = format!("check -p gpuzoo --no-default-features --features {feature} --quiet");
        steps.push(step(&line, Needs::Nothing));
    }
    for (target, what) in TARGETS {
        steps.push(step(&format!("check --target {target} {what} --quiet"), Needs::Target(target)));
    }
    steps.push(step("doc --workspace --no-deps --quiet", Needs::Nothing));
    steps.push(step("xtask book", Needs::Nothing));
    steps.push(tests);
    let mut examples = step("test --workspace --exclude gpuzoo-bench --doc --quiet", Needs::Nothing);
    examples.args.extend_from_slice(chosen);
    steps.push(examples);
    steps
}

fn is_installed(tool: &str) -> bool {
    crate::cargo().args([tool, "--version"]).output().is_ok_and(|output| output.status.success())
}

/// Whether something can be compiled for a target.
fn has_library(target: &str) -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let asked = Command::new(rustc).args(["--print", "target-libdir", "--target", target]).output();
    asked.is_ok_and(|output| Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_skipped_is_counted_once() {
        assert_eq!(counted(Vec::new()), "all checks were made, none skipped");
        let said = ["no tool: that", "no driver: this", "no tool: that"].map(str::to_owned).to_vec();
        assert_eq!(counted(said), "2 kinds of checks were skipped:\n  no driver: this\n  no tool: that");
    }

    #[test]
    fn only_the_fast_form_leaves_tests_out() {
        let lines = |fast, chosen: &[&str]| -> Vec<String> {
            let chosen: Vec<String> = chosen.iter().map(|arg| (*arg).to_owned()).collect();
            steps(fast, &chosen).into_iter().map(|step| step.args.join(" ")).collect()
        };
        let tests = "test --workspace --exclude gpuzoo-bench --lib --bins --tests";
        let fast = lines(true, &["-q", "--", "ops"]);
        assert!(
            fast.len() == 2
                && fast[1].starts_with(&format!(
                    "{tests} --exclude gpuzoo-fuzz-targets -q -- ops --skip ops::binary "
                )),
            "{fast:?}"
        );
        let full = lines(false, &[]);
        assert!(full.contains(&tests.to_owned()), "{full:?}");
        assert!(!has_library("no-such-target"));
        for tool in ["deny", "clippy", "doc", "xtask book", "test --workspace --exclude gpuzoo-bench --doc"] {
            assert!(full.iter().any(|line| line.starts_with(tool)), "{tool}");
        }
        for (file, name) in SLOW {
            let text = std::fs::read_to_string(crate::root().join(file)).unwrap();
            let function = name.rsplit("::").next().unwrap();
            assert!(text.contains(&format!("fn {function}(")), "{file} has no test {name}");
        }
    }
}

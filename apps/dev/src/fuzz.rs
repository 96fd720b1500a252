//! `cargo xtask fuzz`: libFuzzer on every target of `apps/fuzz-targets`, one after the other.

use gpuzoo_fuzz_targets::{TARGETS, Target, target};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

const USAGE: &str = "usage: cargo xtask fuzz --minutes N [TARGET…]

  --minutes N  for all targets together
  TARGET       one of apps/fuzz-targets/src/lib.rs; without one, all

Inputs that find something are left in fuzz/artifacts, new ones for the next run in fuzz/corpus.";

const INSTALL: &str = "cargo-fuzz is not installed; `cargo install cargo-fuzz` does that. It needs a C++ compiler for libFuzzer.";

/// An input that takes longer than so many seconds is a finding: the longest ones take milliseconds in linear time.
const LONGEST_SECONDS: u32 = 10;

/// So is one that takes more memory.
const MOST_MEBIBYTES: u32 = 2048;

/// How targets are built. No sanitizer: nearly all is safe code, and inputs run several times as fast; `cargo xtask asan` has
/// the rest. Comparisons are not traced: calls for each take more than half of the time, and dictionaries have the words.
const FLAGS: [&str; 3] = ["--sanitizer", "none", "--no-trace-compares"];

/// What libFuzzer leaves out for each input: weights of inputs by how rare their features are, the search for smaller ones
/// that reach the same, and what `memcmp` compares, as above. It runs up to 1.8 times as many inputs in the same time, and
/// reaches more in it.
const CHEAP: [&str; 3] = ["-entropic=0", "-reduce_inputs=0", "-use_memcmp=0"];

/// Runs the targets that are named, or all.
pub fn run(args: &[String]) -> ExitCode {
    let Some((minutes, targets)) = arguments(args) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    if !cargo_fuzz(&["--version"]).output().is_ok_and(|output| output.status.success()) {
        eprintln!("{INSTALL}");
        return ExitCode::from(2);
    }
    for target in &targets {
        let mut build = cargo_fuzz(&["build"]);
        if !build.args(FLAGS).arg(target.name).status().is_ok_and(|status| status.success()) {
            return ExitCode::FAILURE;
        }
    }
    let seconds = (minutes * 60.0 / targets.len() as f64).max(1.0) as u64;
    println!(
        "{:<16} {:>12} {:>10} {:>9} {:>9}  findings",
        "target", "executions", "a second", "coverage", "slowest"
    );
    let mut found = false;
    for target in targets {
        match Outcome::of(target, seconds) {
            Ok(outcome) => {
                found |= !outcome.findings.is_empty();
                println!("{outcome}");
            }
            Err(error) => {
                found = true;
                println!("{:<16} {error}", target.name);
            }
        }
    }
    if found { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn arguments(args: &[String]) -> Option<(f64, Vec<&'static Target>)> {
    let (mut minutes, mut targets) = (None, Vec::new());
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--minutes" => minutes = args.next()?.parse().ok().filter(|minutes| *minutes > 0.0),
            name => targets.push(target(name)?),
        }
    }
    if targets.is_empty() {
        targets = TARGETS.iter().collect();
    }
    Some((minutes?, targets))
}

fn cargo_fuzz(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.arg("fuzz").args(args).current_dir(folder());
    command
}

fn folder() -> PathBuf {
    crate::root().join("fuzz")
}

/// What became of a target.
struct Outcome {
    name: &'static str,
    executions: u64,
    per_second: u64,
    coverage: u64,
    slowest: u64,
    findings: Vec<String>,
}

impl Outcome {
    fn of(target: &Target, seconds: u64) -> std::io::Result<Outcome> {
        let corpus = format!("corpus/{}", target.name);
        std::fs::create_dir_all(folder().join(&corpus))?;
        let mut command = cargo_fuzz(&["run"]);
        command.args(FLAGS).args([target.name, &corpus]).args(folders(target.seeds)).args([
            "--".to_owned(),
            format!("-max_total_time={seconds}"),
            format!("-max_len={}", target.longest),
            format!("-timeout={LONGEST_SECONDS}"),
            format!("-rss_limit_mb={MOST_MEBIBYTES}"),
            "-print_final_stats=1".to_owned(),
        ]);
        command.args(CHEAP);
        if let Some(dictionary) = target.dictionary {
            command.arg(format!("-dict=dictionaries/{dictionary}.dict"));
        }
        let start = Instant::now();
        let output = command.output()?;
        let log = String::from_utf8_lossy(&output.stderr);
        let mut outcome = Outcome::read(target.name, &log);
        outcome.per_second = outcome.executions / start.elapsed().as_secs().max(1);
        if !output.status.success() && outcome.findings.is_empty() {
            let last = log.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it did not run");
            outcome.findings.push(last.to_owned());
        }
        Ok(outcome)
    }

    /// What libFuzzer's log says.
    fn read(name: &'static str, log: &str) -> Outcome {
        let stat = |stat: &str| {
            let value = log.lines().find_map(|line| line.strip_prefix("stat::")?.strip_prefix(stat));
            value.and_then(|value| value.trim_start_matches(':').trim().parse().ok()).unwrap_or(0)
        };
        let coverage =
            log.lines().filter_map(|line| line.split_once(" cov: ")?.1.split(' ').next()?.parse().ok());
        let written =
            log.lines().filter_map(|line| line.split_once("Test unit written to ").map(|(_, path)| path));
        Outcome {
            name,
            executions: stat("number_of_executed_units"),
            per_second: 0,
            coverage: coverage.max().unwrap_or(0),
            slowest: stat("slowest_unit_time_sec"),
            findings: written.map(str::to_owned).collect(),
        }
    }
}

/// libFuzzer takes folders: a file is in one.
fn folders(seeds: &[&str]) -> Vec<PathBuf> {
    let folder = |place: &&str| {
        let path = crate::root().join(place);
        if path.is_file() { path.parent().map(Path::to_owned).unwrap_or(path) } else { path }
    };
    seeds.iter().map(folder).collect()
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Outcome { name, executions, per_second, coverage, slowest, findings } = self;
        let findings = if findings.is_empty() { "none".to_owned() } else { findings.join(", ") };
        write!(f, "{name:<16} {executions:>12} {per_second:>10} {coverage:>9} {slowest:>7} s  {findings}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines as libFuzzer of LLVM 22 prints them.
    #[test]
    fn the_log_of_a_crash_is_read() {
        let log = "#1023\tNEW    cov: 812 ft: 4018 corp: 77/3Kb lim: 32 exec/s: 511 rss: 61Mb L: 7/32 MS: 1 EraseBytes-\n\
                   #2048\tpulse  cov: 820 ft: 4100 corp: 80/3Kb lim: 32 exec/s: 682 rss: 64Mb\n\
                   artifact_prefix='a/'; Test unit written to a/crash-0f\n\
                   stat::number_of_executed_units: 2077\n\
                   stat::slowest_unit_time_sec:    3\n";
        let outcome = Outcome::read("obj", log);
        assert_eq!((outcome.executions, outcome.coverage, outcome.slowest), (2077, 820, 3));
        assert_eq!(outcome.findings, ["a/crash-0f"]);
    }

    #[test]
    fn arguments_name_targets() {
        let read = |line: &str| {
            let args: Vec<String> = line.split(' ').map(str::to_owned).collect();
            arguments(&args)
                .map(|(minutes, targets)| (minutes, targets.iter().map(|target| target.name).collect()))
        };
        assert_eq!(read("--minutes 0.5 obj csv"), Some((0.5, vec!["obj", "csv"])));
        assert_eq!(read("--minutes 9").map(|(_, names): (f64, Vec<_>)| names.len()), Some(TARGETS.len()));
        for wrong in ["", "obj", "--minutes", "--minutes x", "--minutes 0", "--minutes 1 obi"] {
            assert_eq!(read(wrong), None::<(f64, Vec<&str>)>, "{wrong}");
        }
    }
}

//! A copy of the repository in which cargo-mutants changes one thing after the other.

use super::mutant::{Mutant, Verdict, hash};
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Which tests judge.
#[derive(Clone, Copy)]
pub struct Tests<'a> {
    /// The packages whose tests run.
    pub packages: &'a [&'a str],
    /// Tests that do not.
    pub skipped: &'a [&'a str],
}

/// What no process may use more of, since a changed loop may not end: KiB of memory, and seconds of the processor's time,
/// which do not depend on what else the machine does.
const MEMORY: u32 = 8 << 20;
const SECONDS: u32 = 120;

/// The copy, a git worktree, and what is built from it.
pub struct Tree {
    folder: PathBuf,
}

impl Tree {
    /// Makes the copy what the repository is now: all that git tracks, committed or not.
    ///
    /// # Errors
    /// What git cannot do, as a message.
    pub fn check_out(folder: &Path) -> Result<Tree, String> {
        let tree = Tree { folder: folder.to_owned() };
        let root = crate::root();
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let changed = git(&root, &["stash", "create"])?;
        let state = if changed.is_empty() { git(&root, &["rev-parse", "HEAD"])? } else { changed };
        let copy = tree.copy();
        if copy.join(".git").exists() {
            git(&copy, &["checkout", "--quiet", "--force", "--detach", &state])?;
        } else {
            git(&root, &["worktree", "prune"])?;
            git(
                &root,
                &["worktree", "add", "--quiet", "--force", "--detach", &copy.to_string_lossy(), &state],
            )?;
        }
        Ok(tree)
    }

    /// Where the copy, its build and the verdicts are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn copy(&self) -> PathBuf {
        self.folder.join("tree")
    }

    fn cargo(&self) -> Command {
        let mut command = Command::new("sh");
        let script = format!("ulimit -v {MEMORY} && ulimit -t {SECONDS} && exec nice -n 4 \"$@\"");
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        command.args(["-c", &script, "sh"]).arg(cargo).current_dir(self.copy());
        command.env("CARGO_TARGET_DIR", self.folder.join("build"));
        command
    }

    /// All mutants of a package.
    ///
    /// # Errors
    /// A cargo-mutants that is not there or fails, as a message.
    pub fn mutants(&self, package: &str) -> Result<Vec<Mutant>, String> {
        let mut command = self.cargo();
        command.args(["mutants", "--no-config", "--list", "--json", "-p", package]);
        let output = command.output().map_err(|error| format!("cargo cannot be run: {error}"))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("cargo mutants fails (`cargo install cargo-mutants` installs it):\n{said}"));
        }
        let list: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
        let mut sources = HashMap::new();
        let list = list.as_array().map_or(&[][..], Vec::as_slice);
        let mut mutants = Vec::new();
        for (number, value) in list.iter().enumerate() {
            let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
            let (name, file) = (text("name"), text("file"));
            let line = value["span"]["start"]["line"].as_u64().unwrap_or(0) as usize;
            if !sources.contains_key(&file) {
                let path = self.copy().join(&file);
                let source = std::fs::read_to_string(&path);
                sources.insert(file.clone(), source.map_err(|error| format!("{}: {error}", path.display()))?);
            }
            let source = &sources[&file];
            let code = source.lines().nth(line.saturating_sub(1)).unwrap_or_default().to_owned();
            let state = hash(source.split("\n#[cfg(test)]").next().unwrap_or_default());
            let change = name.splitn(4, ':').nth(3).unwrap_or_default().trim_start().to_owned();
            let place = (number, list.len());
            mutants.push(Mutant { name, file, line, change, code, state, place });
        }
        Ok(mutants)
    }

    /// Builds and runs tests without a change. Returns the seconds after which a changed program does not end.
    ///
    /// # Errors
    /// Tests that fail, as a message.
    pub fn baseline(&self, packages: &[&str]) -> Result<u64, String> {
        let mut seconds = 0;
        for build in [true, false] {
            let mut command = self.cargo();
            command.args(["test", "--quiet", "--lib", "--tests"]).args(build.then_some("--no-run"));
            command.args(packages.iter().flat_map(|package| ["-p", package]));
            let start = Instant::now();
            let output = command.output().map_err(|error| format!("cargo cannot be run: {error}"))?;
            if !output.status.success() {
                let [said, why] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
                return Err(format!(
                    "{}: the tests fail without a change:\n{said}{why}",
                    packages.join(", ")
                ));
            }
            seconds = start.elapsed().as_secs();
        }
        // Ample, as other work may slow the machine; what computes for ever ends by [`SECONDS`].
        Ok(120 + 5 * seconds)
    }

    /// Makes one change and runs tests.
    ///
    /// # Errors
    /// A cargo-mutants that fails, as a message.
    pub fn judge(
        &self,
        package: &str,
        mutant: &Mutant,
        tests: Tests,
        timeout: u64,
    ) -> Result<Verdict, String> {
        let mut command = self.cargo();
        command.args([
            "mutants",
            "--no-config",
            "--in-place",
            "--baseline",
            "skip",
            "--no-times",
            "-p",
            package,
        ]);
        command.args(["--timeout", &timeout.to_string(), "--build-timeout", "600"]);
        command.arg("--output").arg(&self.folder);
        command.args(tests.packages.iter().flat_map(|package| ["--test-package", package]));
        // As many shards as mutants: this one is a shard.
        let (number, all) = mutant.place;
        command.args(["--shard", &format!("{number}/{all}"), "--", "--lib", "--tests"]);
        if !tests.skipped.is_empty() {
            command.arg("--").args(tests.skipped.iter().flat_map(|test| ["--skip", test]));
        }
        // It ends with an error where mutants survive; what it wrote says whether it did its work.
        let path = self.folder.join("mutants.out/outcomes.json");
        let _ = std::fs::remove_file(&path);
        let output = command.stdin(Stdio::null()).output();
        let output = output.map_err(|error| format!("cargo cannot be run: {error}"))?;
        let said = || String::from_utf8_lossy(&output.stderr);
        let text = std::fs::read_to_string(&path);
        let text = text.map_err(|error| format!("{}: {error}\n{}", path.display(), said()))?;
        let outcomes: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        let outcome = &outcomes["outcomes"][0];
        if outcome["scenario"]["Mutant"]["name"] != mutant.name.as_str() {
            return Err(format!("cargo mutants judged another mutant than {}: {outcome}", mutant.name));
        }
        match outcome["summary"].as_str() {
            Some("CaughtMutant" | "Timeout") => Ok(Verdict::Killed),
            Some("MissedMutant") => Ok(Verdict::Survived),
            Some("Unviable") => Ok(Verdict::Unviable),
            other => Err(format!("cargo mutants says {other:?} of {}:\n{}", mutant.name, said())),
        }
    }
}

/// What git says.
fn git(folder: &Path, args: &[&str]) -> Result<String, String> {
    let output = Command::new("git").args(args).current_dir(folder).output();
    let output = output.map_err(|error| format!("git cannot be run: {error}"))?;
    if !output.status.success() {
        return Err(format!("git {}: {}", args.join(" "), String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

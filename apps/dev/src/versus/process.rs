//! A side of a comparison: a process that has drawn its scene, and draws it as often as it is asked to.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// What runs took, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Took {
    /// Of the process's time on all processors.
    pub cpu: f64,
    /// By the clock.
    pub wall: f64,
}

/// Nanoseconds that a part of a round lasts, if a run is shorter.
const PART: f64 = 50e6;

/// A process that answers numbers of runs with what they took.
pub struct Side {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    /// The number that it began with, which says whether sides did the same.
    pub count: u64,
    /// Who answers.
    pub name: String,
    /// Runs in a part of a round.
    runs: u64,
}

impl Side {
    /// Starts the process, which says what it did and who it is, and warms it up.
    pub fn start(command: &mut Command) -> Result<Side, String> {
        let program = command.get_program().to_string_lossy().into_owned();
        let failed = |error: std::io::Error| format!("{program}: {error}");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
        let (to, from) = (child.stdin.take(), child.stdout.take());
        let from = BufReader::new(from.ok_or("there is no pipe")?);
        let mut side = Side { child, to, from, count: 0, name: String::new(), runs: 1 };
        let first = side.line()?;
        let (count, name) = first.split_once(' ').unwrap_or((&first, ""));
        side.count =
            count.parse().map_err(|_| format!("{program} begins with `{first}`, not with a number"))?;
        side.name = name.to_owned();
        side.round()?;
        let once = side.round()?;
        side.runs = (PART / once.wall.max(1.0)).clamp(1.0, 1e6) as u64;
        Ok(side)
    }

    /// A part of a round: what each of its runs took.
    pub fn round(&mut self) -> Result<Took, String> {
        let (all, runs) = (self.runs(self.runs)?, self.runs as f64);
        Ok(Took { cpu: all.cpu / runs, wall: all.wall / runs })
    }

    /// So many runs.
    pub fn runs(&mut self, runs: u64) -> Result<Took, String> {
        let to = self.to.as_mut().ok_or("there is no pipe")?;
        let asked = writeln!(to, "{runs}").and_then(|()| to.flush());
        asked.map_err(|error| format!("{}: {error}", self.name))?;
        let line = self.line()?;
        let took = line.split_once(' ').and_then(|(cpu, wall)| {
            let each = |total: &str| Some(total.parse::<f64>().ok()?.max(1.0));
            Some(Took { cpu: each(cpu)?, wall: each(wall)? })
        });
        took.ok_or_else(|| format!("{} answers `{line}`, not two numbers", self.name))
    }

    fn line(&mut self) -> Result<String, String> {
        let mut line = String::new();
        match self.from.read_line(&mut line) {
            Ok(1..) => Ok(line.trim_end().to_owned()),
            Ok(0) => Err(format!("{} has ended", if self.name.is_empty() { "a side" } else { &self.name })),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Drop for Side {
    fn drop(&mut self) {
        // It ends with its input.
        self.to = None;
        let _ = self.child.wait();
    }
}

/// Compiles a program of ours, and returns where it is.
///
/// # Errors
/// What is missing and how it is installed.
pub fn compile(source: &Path, more: &[String], folder: &Path, install: &str) -> Result<PathBuf, String> {
    let compiler = std::env::var("CC").ok().filter(|name| !name.trim().is_empty());
    let compiler = compiler.unwrap_or_else(|| "cc".to_owned());
    let name = Path::new(source.file_name().unwrap_or_default());
    let binary = folder.join(name.with_extension(""));
    let output = Command::new(&compiler)
        .args(["-O3", "-march=native", "-ffp-contract=off", "-o"])
        .arg(&binary)
        .arg(source)
        .args(more)
        .output();
    match output {
        Err(error) => {
            Err(format!("the C compiler `{compiler}` does not run ({error}): set `CC` to one, or {install}"))
        }
        Ok(output) if !output.status.success() => {
            let said = String::from_utf8_lossy(&output.stderr);
            let first = said.lines().find(|line| line.contains("error")).or(said.lines().next());
            Err(format!(
                "{} is not compiled: {}\n  {install}",
                source.display(),
                first.unwrap_or("no reason")
            ))
        }
        Ok(_) => Ok(binary),
    }
}

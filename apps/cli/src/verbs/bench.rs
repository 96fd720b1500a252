//! `bench`: what is measured, and the process of the yardstick.

use super::load;
use crate::args::{self, MOST_THREADS};
use crate::io;
use crate::output;
use crate::session::{Session, Stop};
use gpuzoo::bench::yardstick::{self, FLAGS, Yardstick};
use gpuzoo::bench::{self, Case, MAX_LANES, Options, Report};
use gpuzoo::codes::{BAD_ARGUMENT, OTHER_BITS, YARDSTICK};
use gpuzoo::diag::{Diagnostic, json, printable};
use gpuzoo::read::Form;
use gpuzoo::registry;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Speeds of programs and scenes.
pub fn bench(args: &args::Bench, session: &mut Session) -> Result<(), Stop> {
    // More than cores are measured, too.
    let cores = || std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
    let threads = session.threads.unwrap_or_else(cores);
    let mut report = Report { level: bench::level(), threads, ..Report::default() };
    let cases = cases(args, session)?;
    let compiler = if args.yardstick { Compiler::find(session)? } else { None };
    report.compiler = compiler.as_ref().map(|compiler| compiler.name.clone());
    let steps = cases.len() * args.lanes.len();
    let bar = session.bar(steps as u64, "{pos} of {len} [{bar:30}] {msg}");
    let options = Options { threads: report.threads, rounds: args.rounds, ..Options::default() };
    for case in &cases {
        for &lanes in &args.lanes {
            bar.set_message(format!("{} {}, {lanes} lanes", case.gpu.about().id, case.name));
            let options = Options { lanes, ..options };
            let process = match &compiler {
                Some(compiler) => compiler.start(case, lanes, session)?,
                None => None,
            };
            let row = bench::measure(case, &options, process)?;
            if row.same == Some(false) {
                let message = format!("{} {} gives other bits as C", row.gpu, row.program);
                session.report(vec![Diagnostic::error(&OTHER_BITS, message)]);
            }
            report.rows.push(row);
            bar.inc(1);
        }
    }
    bar.set_message("scenes");
    if args.source.input.is_none() {
        report.scenes = bench::scenes(args.source.reading.gpu.as_deref(), args.program.as_deref(), &options)?;
    }
    bar.finish_and_clear();
    let text = if args.json { json::pretty(&report.json()) + "\n" } else { report.text() };
    output::write(args.output.as_deref(), false, text.as_bytes())
}

/// The user's program, or standard ones.
fn cases(args: &args::Bench, session: &mut Session) -> Result<Vec<Case>, Stop> {
    if let Some(lanes) = args.lanes.iter().find(|lanes| !(1..=MAX_LANES).contains(lanes)) {
        let problem = Diagnostic::error(&BAD_ARGUMENT, format!("`--lanes {lanes}` cannot be measured"));
        return Err(problem.help(format!("it is a number from 1 to {MAX_LANES}")).into());
    }
    let (gpu, profile) = (args.source.reading.gpu.as_deref(), args.profile.as_deref());
    if args.source.input.is_none() {
        return Ok(bench::standard_cases(&session.registry, gpu, args.program.as_deref(), profile)?);
    }
    if args.program.is_some() {
        let problem = Diagnostic::error(&BAD_ARGUMENT, "both a file and `--program` are given");
        return Err(problem.help("`--program` names a standard program; leave one of the two out").into());
    }
    let path = args.source.input.as_deref();
    let gpu =
        session.registry.shader_unit(gpu, &io::name(path, args.source.reading.stdin_name.as_deref()))?;
    let loaded = load(gpu, &args.source, None, Form::of_bytes, session)?;
    let name = loaded.name.rsplit(['/', '\\']).next().unwrap_or(&loaded.name).to_owned();
    let program = loaded.program(session)?;
    let profile = registry::profile(program.gpu(), profile)?;
    Ok(vec![Case::new(&printable(&name), &program, profile)])
}

/// The C compiler, and where it works: a folder that nobody else can write to, so that neither another user nor a file where
/// gpuzoo runs decides what is compiled and run.
struct Compiler {
    name: String,
    folder: PathBuf,
}

impl Compiler {
    /// The compiler of the environment; none, and a warning, if none works.
    fn find(session: &mut Session) -> Result<Option<Compiler>, Stop> {
        let name = std::env::var("CC").ok().filter(|name| !name.trim().is_empty());
        let name = name.unwrap_or_else(|| "cc".to_owned());
        let folder = output::private_folder()
            .map_err(|error| no_yardstick(&format!("there is no folder for it: {error}")))?;
        let compiler = Compiler { name, folder };
        if compiler.command().arg("--version").output().is_ok_and(|output| output.status.success()) {
            return Ok(Some(compiler));
        }
        let problem = Diagnostic::warning(&YARDSTICK, format!("there is no C compiler `{}`", compiler.name));
        session.require(vec![problem.help("set `CC` to one, or leave `--yardstick` out")])?;
        Ok(None)
    }

    /// The compiler's command, without arguments.
    fn command(&self) -> Command {
        // A name is looked up in `PATH`; a path is one from where gpuzoo runs.
        let path = Some(Path::new(&self.name)).filter(|path| path.components().count() > 1);
        let path = path.and_then(|path| std::path::absolute(path).ok());
        let mut command = Command::new(path.unwrap_or_else(|| PathBuf::from(&self.name)));
        // Its own temporary files are there, too.
        command.current_dir(&self.folder).env("TMPDIR", &self.folder);
        command
    }

    /// Compiles the C of a case and starts it; none, and a warning, if that does not work.
    fn start(
        &self,
        case: &Case,
        lanes: usize,
        session: &mut Session,
    ) -> Result<Option<Box<dyn Yardstick>>, Stop> {
        match self.try_start(case, lanes) {
            Ok(process) => Ok(Some(Box::new(process))),
            Err(problem) => {
                session.require(vec![problem])?;
                Ok(None)
            }
        }
    }

    fn try_start(&self, case: &Case, lanes: usize) -> Result<Process, Diagnostic> {
        let text = yardstick::program(case, lanes)?;
        let (source, binary) = (self.folder.join("kernel.c"), self.folder.join("kernel"));
        let failed = |error: std::io::Error| no_yardstick(&error.to_string());
        // The binary of the case before may still be running.
        let _ = std::fs::remove_file(&binary);
        std::fs::write(&source, text).map_err(failed)?;
        let output = self.command().args(FLAGS).arg("-o").arg(&binary).arg(&source).arg("-lm").output();
        let output = output.map_err(failed)?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(no_yardstick(&format!(
                "{} says: {}",
                self.name,
                said.lines().next().unwrap_or("nothing")
            )));
        }
        Process::start(&binary, &self.folder).map_err(failed)
    }
}

fn no_yardstick(why: &str) -> Diagnostic {
    Diagnostic::warning(&YARDSTICK, format!("the yardstick cannot be measured: {why}"))
}

/// The running yardstick.
struct Process {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    hash: u64,
}

impl Process {
    fn start(binary: &Path, folder: &Path) -> std::io::Result<Process> {
        let mut command = Command::new(binary);
        command.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let (to, from) = (child.stdin.take(), child.stdout.take());
        let from = from.ok_or_else(|| std::io::Error::other("no pipe"))?;
        let mut process = Process { child, to, from: BufReader::new(from), hash: 0 };
        process.hash = process.number().ok_or_else(|| std::io::Error::other("it does not answer"))?;
        Ok(process)
    }

    fn number(&mut self) -> Option<u64> {
        let mut line = String::new();
        self.from.read_line(&mut line).ok()?;
        line.trim().parse().ok()
    }
}

impl Yardstick for Process {
    fn hash(&self) -> u64 {
        self.hash
    }

    fn nanoseconds(&mut self, runs: u64) -> Option<u64> {
        let to = self.to.as_mut()?;
        writeln!(to, "{runs}").ok()?;
        to.flush().ok()?;
        self.number()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It ends with its input.
        self.to = None;
        let _ = self.child.wait();
    }
}

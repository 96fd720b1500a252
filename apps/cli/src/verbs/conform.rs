//! `conform`: finds the vector files, checks them, and prints what came out.

use super::{parameters, report};
use crate::args::{self, TextFormat};
use crate::io::{self, Input};
use crate::output::{self, Output};
use crate::session::{READING, Session, Stop};
use gpuzoo::codes::{BAD_ARGUMENT, NO_VECTORS};
use gpuzoo::conform::{self, Companions, Files, Options, Report, Summary, junit};
use gpuzoo::diag::{Diagnostic, File, Sources, json, printable, printable_json};
use gpuzoo::machine::options::arguments::Verb;
use gpuzoo::{Gpu, report as facade_report};
use indicatif::ProgressBar;
use serde::Serialize;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Compares gpuzoo with vectors.
pub fn conform(args: &args::Conform, session: &mut Session) -> Result<(), Stop> {
    io::one_standard_input(args.files.iter().map(PathBuf::as_path))?;
    report::begin(&args.page, false, session)?;
    if args.junit.as_deref().is_some_and(io::is_standard) {
        let problem = Diagnostic::error(&BAD_ARGUMENT, "`--junit` writes a file of its own");
        return Err(problem.help("for example `--junit results.xml`; what is printed is the summary").into());
    }
    let mut candidates = candidates(&args.files, session)?;
    let first = args.files.first().map_or(String::new(), |path| path.display().to_string());
    let gpu = session.registry.choose(args.gpu.as_deref(), &first)?;
    let own = parameters::own(gpu, Verb::Conform, args.profile.as_deref(), None, session)?;
    candidates.retain(|candidate| !candidate.found || !is_beside(gpu, &candidate.path));
    let companions = companions(gpu, &mut candidates);
    let (arguments, none) = (&own.arguments, Files::default());
    let budget = session.budget.clone();
    let options = Options {
        arguments,
        companions: &companions,
        files: &none,
        failures: args.differences,
        every: args.junit.is_some() || args.page.report.is_some(),
        budget: &budget,
    };
    let check = |candidate, session: &Session| check(gpu, candidate, &options, session);
    all(gpu.about().id, candidates, check, args, session)
}

/// True for files that belong to others in their folder.
fn is_beside(gpu: &dyn Gpu, path: &Path) -> bool {
    path.file_name().is_some_and(|name| conform::is_beside(gpu, &name.to_string_lossy()))
}

/// What became of a file, and the sources that its diagnostics are about.
type Checked = (Sources, Report);

/// Checks files and prints what came out of each and of all.
fn all(
    id: &str,
    candidates: Vec<Candidate>,
    check: impl Fn(Candidate, &Session) -> Result<Option<Checked>, Stop>,
    args: &args::Conform,
    session: &mut Session,
) -> Result<(), Stop> {
    let mut output = Output::open(None, false)?;
    let mut totals = Totals::default();
    for candidate in candidates {
        let name = candidate.path.display().to_string();
        let Some((sources, mut report)) = check(candidate, session)? else {
            totals.skipped.push(name);
            continue;
        };
        session.report_about(&sources, std::mem::take(&mut report.diagnostics));
        if args.format == TextFormat::Text {
            output.write(report.text(session.paint(None)).as_bytes())?;
        }
        totals.add(report);
    }
    match args.format {
        TextFormat::Text => output.write(totals.text().as_bytes())?,
        TextFormat::Json => {
            output.write(format!("{}\n", printable_json(&json::text(&totals.json()))).as_bytes())?
        }
    }
    output.finish()?;
    if let Some(path) = &args.junit {
        output::write(Some(path), false, junit::document(id, &totals.reports).as_bytes())?;
    }
    let name = args.files.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" ");
    report::write(
        &args.page,
        || facade_report::page("conform", &name, Some(id)),
        session,
        |page, _| {
            page.section("Records", |html| facade_report::conform(html, &totals.reports));
            Ok(())
        },
    )?;
    if totals.reports.is_empty() {
        let problem = Diagnostic::error(&NO_VECTORS, format!("no file holds vectors of {id}"));
        return Err(problem.help("`gpuzoo list formats` names the kinds of records").into());
    }
    if totals.reports.iter().any(|report| !report.ok()) {
        session.fail();
    }
    Ok(())
}

/// A file that may hold vectors.
struct Candidate {
    path: PathBuf,
    /// True if it was found in a folder rather than named.
    found: bool,
    /// Its bytes, if they were wanted before its turn: a pipe can be read only once.
    input: Option<Input>,
}

/// The files named, and those of the folders named.
fn candidates(paths: &[PathBuf], session: &mut Session) -> Result<Vec<Candidate>, Stop> {
    let mut candidates = Vec::new();
    for path in paths {
        let found = !io::is_standard(path) && path.is_dir();
        let files = if found { io::of_folder(path, session)? } else { vec![path.clone()] };
        candidates.extend(files.into_iter().map(|path| Candidate { path, found, input: None }));
    }
    Ok(candidates)
}

/// The records of all files, for machines whose records are in two. What cannot be read is reported when its turn
/// comes.
fn companions(gpu: &'static dyn Gpu, candidates: &mut [Candidate]) -> Companions {
    let mut companions = Companions::default();
    if !Companions::needed(gpu) {
        return companions;
    }
    for candidate in candidates {
        let Ok(input) = io::read(Some(&candidate.path), None) else { continue };
        let mut sources = Sources::default();
        if let Ok(id) = conform::read(&mut sources, &input.name, &input.bytes) {
            companions.note(gpu, sources.get(id));
        }
        candidate.input = Some(input);
    }
    companions
}

/// Checks a file; nothing for one that was found in a folder and is not for this machine.
fn check(
    gpu: &'static dyn Gpu,
    Candidate { path, found, input }: Candidate,
    options: &Options,
    session: &Session,
) -> Result<Option<Checked>, Stop> {
    let Input { name, bytes, .. } = match input {
        Some(input) => input,
        None => io::read(Some(&path), None)?,
    };
    let mut sources = Sources::default();
    let file = match conform::read(&mut sources, &name, &bytes) {
        Ok(file) => sources.get(file),
        Err(_) if found => return Ok(None),
        Err(problem) => {
            return Ok(Some((sources, Report::unread(name, problem, options))));
        }
    };
    drop(bytes);
    // Records are read line by line.
    let longest = file.text().lines().map(str::len).max().unwrap_or(0);
    options.budget.ask_text(longest).map_err(|refusal| refusal.at(file.whole()))?;
    if found && !conform::known(gpu, file.text()) {
        return Ok(None);
    }
    let files = named_files(gpu, &path, file)?;
    let options = Options { files: &files, ..*options };
    let bar = named(session.bar(file.text().len() as u64, READING), &name);
    let report = conform::check(gpu, file, &options, |done| bar.set_position(done as u64));
    bar.finish_and_clear();
    Ok(Some((sources, report)))
}

/// The files that records of a vector file name, from the same folder. The records report those that are not there; others
/// that cannot be read are errors.
fn named_files(gpu: &dyn Gpu, path: &Path, file: &File) -> Result<Files, Stop> {
    if io::is_standard(path) {
        return Ok(Files::default());
    }
    let names = conform::files(gpu, file).into_iter();
    let folders = io::reach(path, &[]);
    let read = |name: String| {
        let path = path.with_file_name(&name);
        match io::named_file(&folders, &path) {
            Ok(bytes) => Some(Ok((name, bytes))),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => Some(Err(io::unreadable(&path.display().to_string(), &error).into())),
        }
    };
    names.filter_map(read).collect()
}

/// What came out of all files.
#[derive(Default)]
struct Totals {
    reports: Vec<Report>,
    skipped: Vec<String>,
}

impl Totals {
    fn add(&mut self, report: Report) {
        self.reports.push(report);
    }

    fn sum(&self, count: impl Fn(&Report) -> usize) -> usize {
        self.reports.iter().map(count).sum()
    }

    fn text(&self) -> String {
        let mut text: String =
            self.skipped.iter().map(|name| format!("{}  skipped\n", printable(name))).collect();
        if self.reports.len() != 1 {
            let passed = self.sum(|report| report.passed);
            let all = passed + self.sum(|report| report.failed + report.malformed);
            text += &format!("{passed}/{all} records of {} files passed\n", self.reports.len());
        }
        text
    }

    fn json(&self) -> Sums<'_> {
        Sums {
            passed: self.sum(|report| report.passed),
            failed: self.sum(|report| report.failed),
            malformed: self.sum(|report| report.malformed),
            files: self.reports.iter().map(Report::json).collect(),
            skipped: &self.skipped,
        }
    }
}

/// The outcome of all files, for scripts.
#[derive(Serialize)]
struct Sums<'a> {
    /// Numbers of records.
    passed: usize,
    failed: usize,
    malformed: usize,
    files: Vec<Summary<'a>>,
    /// The names of files without vectors.
    skipped: &'a [String],
}

/// A bar beside the name of a file.
fn named(bar: ProgressBar, name: &str) -> ProgressBar {
    bar.with_message(printable(name).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_beside_a_bar_does_nothing_to_the_terminal() {
        assert_eq!(named(ProgressBar::hidden(), "a\u{1b}[2J.jsonl").message(), "a\\u{1b}[2J.jsonl");
    }
}

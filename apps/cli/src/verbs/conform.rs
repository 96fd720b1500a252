//! `conform`: finds the vector files, checks them, and prints what came out.

use crate::args::{self, TextFormat};
use crate::io::{self, Input, Output};
use crate::session::{Session, Stop};
use gpuzoo::codes::NO_VECTORS;
use gpuzoo::conform::{self, Companions, Files, Options, Report};
use gpuzoo::diag::{Diagnostic, File, Sources};
use gpuzoo::{Gpu, registry};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value as Json, json};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Compares gpuzoo with vectors.
pub fn conform(args: &args::Conform, session: &mut Session) -> Result<(), Stop> {
    let gpu = registry::choose(args.gpu.as_deref(), "")?;
    let profile = registry::profile(gpu, args.profile.as_deref())?;
    io::one_standard_input(args.files.iter().map(PathBuf::as_path))?;
    let companions = companions(gpu, &args.files)?;
    let none = Files::default();
    let options = Options { profile, companions: &companions, files: &none, failures: args.differences };
    let mut output = Output::open(None, false)?;
    let mut totals = Totals::default();
    for path in &args.files {
        let mut files = Vec::new();
        let folder = !io::is_standard(path) && path.is_dir();
        if folder {
            walk(path, &mut files)?
        } else {
            files.push(path.clone())
        }
        for file in files {
            let Some(report) = check(gpu, &file, folder, &options, session)? else {
                totals.skipped.push(file.display().to_string());
                continue;
            };
            if args.format == TextFormat::Text {
                output.write(report.text().as_bytes())?;
            }
            totals.add(report);
        }
    }
    match args.format {
        TextFormat::Text => output.write(totals.text().as_bytes())?,
        TextFormat::Json => output.write(format!("{}\n", totals.json()).as_bytes())?,
    }
    output.finish()?;
    if totals.reports.is_empty() {
        let problem = Diagnostic::error(&NO_VECTORS, format!("no file holds vectors of {}", gpu.about().id));
        return Err(problem.help("`gpuzoo list formats` names the kinds of records").into());
    }
    if totals.reports.iter().any(|report| !report.ok()) {
        session.fail();
    }
    Ok(())
}

/// The records of all files, for machines whose records are in two. Standard input can be read once only and has none;
/// what cannot be read is told when its turn comes.
fn companions(gpu: &'static dyn Gpu, paths: &[PathBuf]) -> Result<Companions, Stop> {
    let mut companions = Companions::default();
    if !Companions::needed(gpu) {
        return Ok(companions);
    }
    for path in paths.iter().filter(|path| !io::is_standard(path)) {
        let mut files = vec![path.clone()];
        if path.is_dir() {
            files.clear();
            walk(path, &mut files)?;
        }
        for file in files {
            let Ok(Input { name, bytes }) = io::read(Some(&file), None) else { continue };
            let mut sources = Sources::default();
            if let Ok(id) = conform::read(&mut sources, &name, &bytes) {
                companions.note(gpu, sources.get(id));
            }
        }
    }
    Ok(companions)
}

/// Checks a file; nothing for one that was found in a folder and is not for this machine.
fn check(
    gpu: &'static dyn Gpu,
    path: &Path,
    found: bool,
    options: &Options,
    session: &mut Session,
) -> Result<Option<Report>, Stop> {
    let Input { name, bytes } = io::read(Some(path), None)?;
    let mut sources = Sources::default();
    let file = match conform::read(&mut sources, &name, &bytes) {
        Ok(file) => sources.get(file),
        Err(_) if found => return Ok(None),
        Err(problem) => {
            session.report_about(&sources, vec![problem]);
            return Ok(Some(Report { name, malformed: 1, ..Report::default() }));
        }
    };
    drop(bytes);
    if found && !conform::known(gpu, file.text()) {
        return Ok(None);
    }
    let files = beside(gpu, path, file);
    let options = Options { files: &files, ..*options };
    let bar = progress(&name, file.text().len());
    let mut report = conform::check(gpu, file, &options, |done| bar.set_position(done as u64));
    bar.finish_and_clear();
    let diagnostics = std::mem::take(&mut report.diagnostics);
    session.report_about(&sources, diagnostics);
    Ok(Some(report))
}

/// The files that records of a vector file name, from the same folder. Those that are not there are told by the records.
fn beside(gpu: &dyn Gpu, path: &Path, file: &File) -> Files {
    let names = conform::files(gpu, file).into_iter();
    names.filter_map(|name| Some((name.clone(), std::fs::read(path.with_file_name(name)).ok()?))).collect()
}

/// A bar on a terminal, nothing elsewhere.
fn progress(name: &str, bytes: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(bytes as u64).with_message(name.to_owned());
    match ProgressStyle::with_template("{msg} [{bar:30}] {percent}% {eta}") {
        Ok(style) => bar.with_style(style.progress_chars("=> ")),
        Err(_) => bar,
    }
}

/// The files of a folder and of the folders in it, sorted by name. Links to folders are not followed: they may lead
/// back.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Stop> {
    let failed = |error: std::io::Error| io::unreadable(&folder.display().to_string(), &error);
    let entries = std::fs::read_dir(folder).map_err(failed)?;
    let mut paths = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(failed)?;
    paths.sort();
    for path in paths {
        let link = path.is_symlink();
        if path.is_dir() {
            if !link {
                walk(&path, files)?;
            }
        } else if path.is_file() {
            files.push(path);
        }
    }
    Ok(())
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
        let mut text: String = self.skipped.iter().map(|name| format!("{name}  skipped\n")).collect();
        if self.reports.len() != 1 {
            let passed = self.sum(|report| report.passed);
            let all = passed + self.sum(|report| report.failed + report.malformed);
            text += &format!("{passed}/{all} records of {} files passed\n", self.reports.len());
        }
        text
    }

    fn json(&self) -> Json {
        json!({
            "passed": self.sum(|report| report.passed),
            "failed": self.sum(|report| report.failed),
            "malformed": self.sum(|report| report.malformed),
            "files": self.reports.iter().map(Report::json).collect::<Vec<_>>(),
            "skipped": self.skipped,
        })
    }
}

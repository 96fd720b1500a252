//! One invocation: its sources, its messages and its exit code.

use crate::args::{Color, Given, Limits, MessageFormat, Messages};
use crate::confined::Root;
use crate::paths::is_standard;
use gpuzoo::Registry;
use gpuzoo::diag::{Diagnostic, FileId, Severity, Sources, capped, json, render};
use gpuzoo::level::{Level, Levels};
use gpuzoo::machine::limits::budget::{Budget, Resource};
use gpuzoo::paint::Paint;
use gpuzoo::report::{Html, messages};
use indicatif::{ProgressBar, ProgressStyle};
use std::cell::RefCell;
use std::collections::HashSet;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub use crate::stop::Stop;

/// A bar of a file that is read, whose name is the message.
pub const READING: &str = "{msg} [{bar:30}] {percent}% {eta}";

/// One invocation.
pub struct Session {
    /// The machines that there are.
    pub registry: Registry,
    /// Every file that was read.
    pub sources: Sources,
    /// Options of machines that were given.
    pub given: Vec<Given>,
    /// What may be used.
    pub budget: Budget,
    /// Folders below which linker configurations may write.
    pub allow_write: Vec<Root>,
    /// The folder that a project file names as the program's disk: its path, and the folder as it was opened when it
    /// was checked, if it exists.
    pub project_disk: Option<(PathBuf, Option<Root>)>,
    /// How many threads are wanted, if that is said.
    pub threads: Option<usize>,
    /// Those of `sources` that are arguments, not files.
    arguments: Vec<FileId>,
    levels: Levels,
    format: MessageFormat,
    color: bool,
    /// When there are colours, for what is not a message.
    choice: Color,
    /// The messages that have been printed: none is printed twice.
    printed: HashSet<String>,
    /// How many errors and warnings are among them.
    shown: Tally,
    /// How many there are if each counts as often as it was found.
    found: Tally,
    /// There were more than may be printed.
    is_cut: bool,
    /// What was printed, for a report, if there is to be one, and whether it shows files as a whole.
    kept: Option<(Vec<Html>, bool)>,
    /// What would go to standard error, if it is kept instead.
    captured: Option<RefCell<String>>,
    /// The last bar, which may be gone.
    bar: RefCell<ProgressBar>,
    code: u8,
}

/// How many errors and warnings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub errors: usize,
    pub warnings: usize,
}

impl Tally {
    fn add(&mut self, severity: Severity) {
        match severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Note => {}
        }
    }

    /// Those since another tally was taken.
    pub fn since(self, before: Tally) -> Tally {
        Tally { errors: self.errors - before.errors, warnings: self.warnings - before.warnings }
    }
}

impl Session {
    /// Nothing read and nothing wrong yet.
    pub fn new(registry: Registry, messages: &Messages) -> Session {
        Session {
            registry,
            sources: Sources::default(),
            given: Vec::new(),
            budget: Budget::default(),
            allow_write: Vec::new(),
            project_disk: None,
            threads: None,
            arguments: Vec::new(),
            levels: Levels::default(),
            format: messages.message_format,
            color: colored(messages.color, std::io::stderr().is_terminal()),
            choice: messages.color,
            printed: HashSet::new(),
            shown: Tally::default(),
            found: Tally::default(),
            is_cut: false,
            kept: None,
            captured: None,
            bar: RefCell::new(ProgressBar::hidden()),
            code: 0,
        }
    }

    /// The same for one whose messages are kept, for somebody who does not see standard error.
    #[cfg(feature = "dap")]
    pub fn captured(mut self) -> Session {
        (self.captured, self.color) = (Some(RefCell::default()), false);
        self
    }

    /// The messages that were kept since this was asked last.
    #[cfg(feature = "dap")]
    pub fn captured_text(&self) -> String {
        self.captured.as_ref().map(RefCell::take).unwrap_or_default()
    }

    /// The colours of a text that is written to standard output, or to a file, which gets none.
    pub fn paint(&self, output: Option<&Path>) -> Paint {
        let is_standard = output.is_none_or(is_standard);
        Paint::new(is_standard && colored(self.choice, std::io::stdout().is_terminal()))
    }

    /// From now on keeps messages for a report, `whole` with all lines of the files that they are about.
    pub fn keep(&mut self, whole: bool) {
        self.kept = Some((Vec::new(), whole));
    }

    /// The messages that were kept.
    pub fn kept(&self) -> &[Html] {
        self.kept.as_ref().map(|(all, _)| all.as_slice()).unwrap_or_default()
    }

    /// Takes over `-W`, `-A` and `-D`.
    pub fn levels(&mut self, messages: &Messages) -> Result<(), Stop> {
        let settings =
            [(&messages.allow, Level::Allow), (&messages.warn, Level::Warn), (&messages.deny, Level::Deny)];
        for (codes, level) in settings {
            for code in codes {
                self.levels.set(&self.registry, code, level)?;
            }
        }
        Ok(())
    }

    /// Takes over `--limit`.
    pub fn limits(&mut self, limits: &Limits) -> Result<(), Stop> {
        for text in &limits.limits {
            let file = self.argument("--limit", text);
            self.budget = self.budget.read(self.sources.get(file))?;
        }
        Ok(())
    }

    /// Adds the text of an argument to the sources. An error that lies in it is one of usage.
    pub fn argument(&mut self, name: &str, text: &str) -> FileId {
        let id = self.sources.add(name, text);
        self.arguments.push(id);
        id
    }

    /// Does something with sources of its own, which are dropped after it.
    pub fn apart<T>(&mut self, work: impl FnOnce(&mut Session) -> T) -> T {
        let before = (std::mem::take(&mut self.sources), std::mem::take(&mut self.arguments));
        let done = work(self);
        (self.sources, self.arguments) = before;
        done
    }

    /// Prints diagnostics about files of [`sources`](Session::sources) and remembers what they mean for the exit
    /// code. Returns whether there was an error.
    pub fn report(&mut self, diagnostics: Vec<Diagnostic>) -> bool {
        let sources = std::mem::take(&mut self.sources);
        let arguments = std::mem::take(&mut self.arguments);
        let errors = self.print(&sources, &arguments, diagnostics);
        (self.sources, self.arguments) = (sources, arguments);
        errors
    }

    /// As [`report`](Session::report), for files of other sources.
    pub fn report_about(&mut self, sources: &Sources, diagnostics: Vec<Diagnostic>) -> bool {
        self.print(sources, &[], diagnostics)
    }

    fn print(&mut self, sources: &Sources, arguments: &[FileId], mut diagnostics: Vec<Diagnostic>) -> bool {
        self.levels.apply(&mut diagnostics);
        let mut worst = 0;
        for diagnostic in &diagnostics {
            self.found.add(diagnostic.severity);
            if diagnostic.severity == Severity::Error {
                // The group `G01` is about the command line and files, all others about what is in them.
                let is_usage = diagnostic.code.id.starts_with("G01")
                    || diagnostic.span().is_some_and(|span| arguments.contains(&span.file));
                worst = worst.max(if is_usage { 2 } else { 1 });
            }
        }
        let (mut text, mut fresh) = (String::new(), Vec::new());
        for diagnostic in capped(diagnostics) {
            let one = self.text(sources, &diagnostic);
            if self.is_cut || self.printed.contains(&one) {
                continue;
            }
            if let Err(refusal) = self.budget.spend(Resource::Diagnostics, 1) {
                text += &self.text(sources, &refusal.problem().note("the others are not shown"));
                (self.is_cut, worst) = (true, worst.max(1));
                continue;
            }
            text += &one;
            self.shown.add(diagnostic.severity);
            self.printed.insert(one);
            fresh.push(diagnostic);
        }
        if let Some((kept, whole)) = self.kept.as_mut().filter(|_| !fresh.is_empty()) {
            let mut html = Html::default();
            messages(&mut html, sources, &fresh, *whole);
            kept.push(html);
        }
        self.write(&text);
        self.code = self.code.max(worst);
        worst > 0
    }

    fn text(&self, sources: &Sources, diagnostic: &Diagnostic) -> String {
        let one = std::slice::from_ref(diagnostic);
        match self.format {
            MessageFormat::Human => {
                let style = if self.color { render::Style::colored() } else { render::Style::plain() };
                render::human(sources, one, &style)
            }
            MessageFormat::Short => render::short(sources, one),
            MessageFormat::Json => json::lines(sources, one),
        }
    }

    /// As [`report_about`](Session::report_about), and stops at errors.
    pub fn require_about(&mut self, sources: &Sources, diagnostics: Vec<Diagnostic>) -> Result<(), Stop> {
        if self.report_about(sources, diagnostics) { Err(Stop::Reported) } else { Ok(()) }
    }

    /// As [`report`](Session::report), and stops at errors.
    pub fn require(&mut self, diagnostics: Vec<Diagnostic>) -> Result<(), Stop> {
        if self.report(diagnostics) { Err(Stop::Reported) } else { Ok(()) }
    }

    /// A bar for something that takes long: for people at a terminal, nothing elsewhere.
    pub fn bar(&self, length: u64, template: &str) -> ProgressBar {
        if self.captured.is_some() || self.format == MessageFormat::Json || !std::io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::new(length);
        let bar = match ProgressStyle::with_template(template) {
            Ok(style) => bar.with_style(style.progress_chars("=> ")),
            Err(_) => bar,
        };
        *self.bar.borrow_mut() = bar.clone();
        bar
    }

    /// Writes to standard error, where a bar may be.
    fn write(&self, text: &str) {
        // If the messages cannot be written, the exit code still says it.
        let write = || drop(std::io::stderr().lock().write_all(text.as_bytes()));
        if let Some(captured) = &self.captured {
            *captured.borrow_mut() += text;
        } else if !text.is_empty() {
            self.bar.borrow().suspend(write);
        }
    }

    /// Prints something that is neither a diagnostic nor output.
    pub fn remark(&self, text: &str) {
        self.write(text);
    }

    /// The input is wrong in a way that standard output shows.
    pub fn fail(&mut self) {
        self.code = self.code.max(1);
    }

    /// What has been printed.
    pub fn shown(&self) -> Tally {
        self.shown
    }

    /// What has been found, whether or not it had been printed before.
    pub fn found(&self) -> Tally {
        self.found
    }

    /// Reports why a verb ended early.
    pub fn settle(&mut self, stop: Stop) {
        match stop {
            Stop::Reported => {}
            Stop::Problem(problem) => drop(self.report(vec![*problem])),
            Stop::ClosedPipe => self.code = 0,
        }
    }

    /// The number of the exit code as it is now.
    pub fn code(&self) -> u8 {
        self.code
    }

    /// The exit code.
    pub fn finish(mut self, result: Result<(), Stop>) -> ExitCode {
        if let Err(stop) = result {
            self.settle(stop);
        }
        ExitCode::from(self.code)
    }
}

/// Whether a stream gets colours: `--color` first, then `NO_COLOR`, then `FORCE_COLOR`, then whether it is a terminal.
fn colored(choice: Color, terminal: bool) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    match choice {
        Color::Always => true,
        Color::Never => false,
        // Any value of NO_COLOR counts, says no-color.org.
        Color::Auto if std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) => false,
        Color::Auto => terminal || set("FORCE_COLOR"),
    }
}

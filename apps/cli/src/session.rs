//! One invocation: its sources, its messages and its exit code.

use crate::args::{Color, Given, MessageFormat, Messages};
use gpuzoo::Registry;
use gpuzoo::diag::{Diagnostic, Severity, Sources, json, render};
use gpuzoo::level::{Level, Levels};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

/// Why a verb ends early.
#[derive(Debug)]
pub enum Stop {
    /// Something is wrong; it has not been reported yet.
    Problem(Box<Diagnostic>),
    /// Something is wrong; it has been reported.
    Reported,
    /// The reader of our output has closed it. That is not an error.
    ClosedPipe,
}

impl From<Diagnostic> for Stop {
    fn from(problem: Diagnostic) -> Stop {
        Stop::Problem(Box::new(problem))
    }
}

/// One invocation.
pub struct Session {
    /// The machines that there are.
    pub registry: Registry,
    /// Every file that was read.
    pub sources: Sources,
    /// Options of machines that were given.
    pub given: Vec<Given>,
    levels: Levels,
    format: MessageFormat,
    color: bool,
    code: u8,
}

impl Session {
    /// Nothing read and nothing wrong yet.
    pub fn new(registry: Registry, messages: &Messages) -> Session {
        Session {
            registry,
            sources: Sources::default(),
            given: Vec::new(),
            levels: Levels::default(),
            format: messages.message_format,
            color: colored(messages.color, std::io::stderr().is_terminal()),
            code: 0,
        }
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

    /// Prints diagnostics about files of [`sources`](Session::sources) and remembers what they mean for the exit
    /// code. Returns whether there was an error.
    pub fn report(&mut self, diagnostics: Vec<Diagnostic>) -> bool {
        let sources = std::mem::take(&mut self.sources);
        let errors = self.report_about(&sources, diagnostics);
        self.sources = sources;
        errors
    }

    /// As [`report`](Session::report), for files of other sources.
    pub fn report_about(&mut self, sources: &Sources, mut diagnostics: Vec<Diagnostic>) -> bool {
        self.levels.apply(&mut diagnostics);
        let text = match self.format {
            MessageFormat::Human => {
                let style = if self.color { render::Style::colored() } else { render::Style::plain() };
                render::human(sources, &diagnostics, &style)
            }
            MessageFormat::Short => render::short(sources, &diagnostics),
            MessageFormat::Json => json::lines(sources, &diagnostics),
        };
        // If the messages cannot be written, the exit code still says it.
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
        let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        // The group `G01` is about the command line and files, all others about what is in them.
        let codes = errors.map(|error| if error.code.id.starts_with("G01") { 2 } else { 1 });
        let worst = codes.max().unwrap_or(0);
        self.code = self.code.max(worst);
        worst > 0
    }

    /// As [`report_about`](Session::report_about), and stops at errors.
    pub fn require_about(&mut self, sources: &Sources, diagnostics: Vec<Diagnostic>) -> Result<(), Stop> {
        if self.report_about(sources, diagnostics) { Err(Stop::Reported) } else { Ok(()) }
    }

    /// As [`report`](Session::report), and stops at errors.
    pub fn require(&mut self, diagnostics: Vec<Diagnostic>) -> Result<(), Stop> {
        if self.report(diagnostics) { Err(Stop::Reported) } else { Ok(()) }
    }

    /// Prints something that is neither a diagnostic nor output.
    pub fn remark(&self, text: &str) {
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }

    /// The input is wrong in a way that standard output shows.
    pub fn fail(&mut self) {
        self.code = self.code.max(1);
    }

    /// The exit code.
    pub fn finish(mut self, result: Result<(), Stop>) -> ExitCode {
        match result {
            Ok(()) | Err(Stop::Reported) => {}
            Err(Stop::Problem(problem)) => drop(self.report(vec![*problem])),
            Err(Stop::ClosedPipe) => return ExitCode::SUCCESS,
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

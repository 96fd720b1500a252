//! The debuggee: its runs, its sources and lines, its variables, and the state that the client knows.

use crate::dap::launch::Launched;
use crate::dap::message::{Arguments, Problem};
use crate::dap::points::Breaks;
use crate::wire::uri::{path_of, plain, uri_of};
use gpuzoo::diag::{File, FileId, Span};
use gpuzoo::machine::session::Name;
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

/// The client's ways to count and write, and its abilities.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client {
    /// The number of its first line.
    pub first_line: i64,
    /// The number of its first column.
    pub first_column: i64,
    /// Paths are URIs.
    pub uris: bool,
    /// It understands the event `invalidated`.
    pub invalidated: bool,
}

/// The runs that are debugged, and the state that the client knows.
pub(crate) struct Debuggee {
    /// The runs and their sources.
    pub own: Launched,
    /// The client.
    pub client: Client,
    /// The breakpoints.
    pub breaks: Breaks,
    /// The run that goes on.
    pub going: Option<Going>,
    /// The holders that variables' references stand for: a reference is the number behind the place.
    pub holders: Vec<Holder>,
    /// For each run why it stopped last, if by something that happened: its word, and what it was.
    pub happened: Vec<Option<(&'static str, String)>>,
    /// The client wants no stops.
    pub no_debug: bool,
    /// The program has ended and the client has gone on.
    pub is_over: bool,
    /// Events to send behind the answer.
    pub events: Vec<Json>,
}

/// A run that goes on.
#[derive(Clone, Debug)]
pub(crate) struct Going {
    /// Its number.
    pub run: usize,
    /// It goes forward, or else back.
    pub forward: bool,
    /// The place that it goes to.
    pub aim: Aim,
}

/// The aim of a run that goes on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Aim {
    /// To a breakpoint, or the end.
    Anywhere,
    /// Out of the subroutine: less than so much of the stack is in use then.
    Out(u64),
    /// To another line than this one; without a line to the next instruction.
    Step { line: Option<Line>, over: bool, inside: Option<u64>, has_moved: bool },
}

/// A line of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// The text.
    pub file: FileId,
    /// The line's number, from 1.
    pub number: usize,
}

/// The variables that a reference stands for. It stays valid as long as the runs; its values are those of the moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Holder {
    /// The run.
    pub run: usize,
    /// The kind of variables.
    pub what: What,
}

/// A kind of variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// Registers with a heading.
    Group(&'static str),
    /// Components of a register.
    Register(Name),
    /// The reads and writes of the step before.
    Last,
    /// The memories.
    Memory,
}

/// The last part of a path.
fn base(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

impl Client {
    /// A line, from 1, as the client counts it.
    pub fn line(self, line: usize) -> i64 {
        line as i64 - 1 + self.first_line
    }

    /// A column, from 1, as the client counts it.
    pub fn column(self, column: usize) -> i64 {
        column as i64 - 1 + self.first_column
    }

    /// A line of the client's, from 1.
    pub fn own_line(self, line: i64) -> Option<usize> {
        usize::try_from(line.saturating_sub(self.first_line).saturating_add(1)).ok()
    }

    fn path(self, path: &Path) -> String {
        if self.uris { uri_of(path) } else { path.to_string_lossy().into_owned() }
    }
}

impl Debuggee {
    /// Number of runs.
    pub fn runs(&self) -> usize {
        self.own.console.names().len()
    }

    /// The run of a frame or a thread.
    pub fn frame(&self, number: i64) -> Result<usize, Problem> {
        let run = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        let run = run.filter(|run| *run < self.runs());
        run.ok_or_else(|| Problem::not_there(format!("there is no thread or frame {number}")))
    }

    /// The line that comes next after so many steps of a run.
    pub fn line(&mut self, run: usize, step: u64) -> Option<Line> {
        let span = self.own.console.choose(run)?.session().place(step)?.span?;
        let file = self.own.console.sources().find(span.file).filter(|file| !file.is_binary())?;
        Some(Line { file: span.file, number: file.place(span.start).line })
    }

    /// `light.vsh:5`
    pub fn text_of_line(&self, line: Line) -> String {
        let file = self.own.console.sources().find(line.file);
        file.map_or_else(String::new, |file| format!("{}:{}", base(file.name()), line.number))
    }

    /// The source and the line of a run's position, as the protocol has them.
    pub fn stack_source(&mut self, run: usize) -> Option<(Json, i64)> {
        let position = self.own.console.choose(run)?.session().position();
        let Line { file, number } = self.line(run, position)?;
        let file = self.own.console.sources().find(file)?;
        Some((self.source_of(file), self.client.line(number)))
    }

    /// A source as the protocol has it: by its path, or by a number with which its text can be asked for.
    pub fn source_of(&self, file: &File) -> Json {
        let number = file.id().0 as usize;
        match self.own.paths.get(number).and_then(Option::as_ref) {
            Some(path) => json!({ "name": base(file.name()), "path": self.client.path(path) }),
            None => json!({ "name": base(file.name()), "sourceReference": number + 1 }),
        }
    }

    /// The texts that a source of the client's means; the same file may have been read more than once.
    pub fn files_of(&self, source: &Json) -> Vec<FileId> {
        let source = Arguments(source);
        let wanted = source.text("path").map(|path| {
            plain(&if self.client.uris || path.starts_with("file:") {
                path_of(path)
            } else {
                PathBuf::from(path)
            })
        });
        let reference = source.number("sourceReference").filter(|reference| *reference > 0);
        let is_meant = |file: &&File| {
            let path = self.own.paths.get(file.id().0 as usize).and_then(Option::as_ref);
            let is_named =
                wanted.as_ref().is_some_and(|wanted| path.is_some_and(|path| plain(path) == *wanted));
            is_named || reference == Some(i64::from(file.id().0) + 1)
        };
        let is_text = |file: &&File| !file.is_binary();
        self.own.console.sources().iter().filter(is_text).filter(is_meant).map(File::id).collect()
    }

    /// Slots or addresses of a run with the lines, from 1, on which their text begins and ends, in a file.
    pub fn lines_of(&mut self, run: usize, file: FileId) -> Vec<(u64, usize, usize)> {
        let lines = self.own.console.choose(run).map(|debugger| debugger.session().lines());
        let Some(file) = self.own.console.sources().find(file) else { return Vec::new() };
        let own = lines.into_iter().flatten().filter(|(_, span)| span.file == file.id());
        let end = |span: Span| file.place(span.end.max(span.start + 1) - 1).line;
        own.map(|(at, span)| (at, file.place(span.start).line, end(span))).collect()
    }

    /// The number of a holder, which it keeps.
    pub fn reference(&mut self, run: usize, what: What) -> usize {
        let holder = Holder { run, what };
        let known = self.holders.iter().position(|known| *known == holder);
        known.unwrap_or_else(|| {
            self.holders.push(holder);
            self.holders.len() - 1
        }) + 1
    }

    /// The holder that a reference stands for.
    pub fn holder(&self, reference: i64) -> Result<Holder, Problem> {
        let at = usize::try_from(reference).ok().and_then(|reference| reference.checked_sub(1));
        let holder = at.and_then(|at| self.holders.get(at)).cloned();
        holder.ok_or_else(|| Problem::not_there(format!("there are no variables of number {reference}")))
    }

    /// The run of a variable, and the expression for it.
    pub fn named(&self, reference: i64, name: &str) -> Result<(usize, String), Problem> {
        let Holder { run, what } = self.holder(reference)?;
        Ok(match what {
            What::Register(register) => (run, format!("{register}.{name}")),
            _ => (run, name.to_owned()),
        })
    }

    /// The run of the frame that a request names; else the one that was looked at last.
    pub fn run_of_frame(&self, arguments: Arguments) -> Result<usize, Problem> {
        match arguments.number("frameId") {
            Some(frame) => self.frame(frame),
            None => Ok(self.own.console.current()),
        }
    }
}

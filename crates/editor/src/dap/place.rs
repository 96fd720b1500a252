//! Where things are: sources, lines, stack frames, targets of `goto`.

use crate::dap::message::{Answer, Arguments, Problem};
use crate::dap::server::{Client, Debuggee};
use crate::wire::uri::{path_of, plain, uri_of};
use gpuzoo::diag::{File, FileId, Span};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

/// A line of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    file: FileId,
    number: usize,
}

/// The last part of a path.
pub(crate) fn base(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

impl Client {
    /// A line or column, from 1, as the client counts it.
    pub fn line(self, line: usize) -> i64 {
        line as i64 - 1 + self.first_line
    }

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

    /// Where a run is, as the protocol has sources and lines.
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
}

/// `threads`.
pub(crate) fn threads(debuggee: &mut Debuggee, _: Arguments) -> Answer {
    let names = debuggee.own.console.names().enumerate();
    let threads: Vec<Json> = names.map(|(run, name)| json!({ "id": run + 1, "name": name })).collect();
    Ok(json!({ "threads": threads }))
}

/// `stackTrace`: what comes next. A frame's number is the thread's.
pub(crate) fn stack(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    let thread = arguments.the_number("threadId")?;
    let run = debuggee.frame(thread)?;
    if arguments.number("startFrame").is_some_and(|start| start > 0) {
        return Ok(json!({ "stackFrames": [], "totalFrames": 1 }));
    }
    let Some(debugger) = debuggee.own.console.choose(run) else { return Ok(Json::Null) };
    let session = debugger.session();
    let position = session.position();
    let next = session.place(position);
    let is_killed = session.shader().is_some_and(|shader| shader.killed());
    // Behind the last instruction its end is where the run is.
    let last = position.checked_sub(1).and_then(|last| session.place(last)).and_then(|place| place.span);
    let (name, span, is_end) = match &next {
        Some(place) => (place.text.clone(), place.span, false),
        None if is_killed => ("the end: killed".to_owned(), last, true),
        None => ("the end".to_owned(), last, true),
    };
    let pointer = next.as_ref().map(|place| crate::dap::memory::pointer(session, place));
    let mut frame = json!({ "id": run + 1, "name": name, "line": 0, "column": 0 });
    if let Some(pointer) = pointer {
        frame["instructionPointerReference"] = pointer.into();
    }
    let file = span.and_then(|span| Some((span, debuggee.own.console.sources().find(span.file)?)));
    if let Some((span, file)) = file.filter(|(_, file)| !file.is_binary()) {
        let [start, end] = [if is_end { span.end } else { span.start }, span.end].map(|at| file.place(at));
        frame["source"] = debuggee.source_of(file);
        frame["line"] = debuggee.client.line(start.line).into();
        frame["column"] = debuggee.client.column(start.column_utf16).into();
        frame["endLine"] = debuggee.client.line(end.line).into();
        frame["endColumn"] = debuggee.client.column(end.column_utf16).into();
    }
    Ok(json!({ "stackFrames": [frame], "totalFrames": 1 }))
}

impl Debuggee {
    /// How many runs there are.
    pub fn runs(&self) -> usize {
        self.own.console.names().len()
    }

    /// The run of a frame or a thread.
    pub fn frame(&self, number: i64) -> Result<usize, Problem> {
        let run = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        let run = run.filter(|run| *run < self.runs());
        run.ok_or_else(|| Problem::not_there(format!("there is no thread or frame {number}")))
    }
}

/// `loadedSources`.
pub(crate) fn loaded(debuggee: &mut Debuggee, _: Arguments) -> Answer {
    let files = debuggee.own.console.sources().iter();
    let texts = files.filter(|file| !file.is_binary() && !file.text().is_empty());
    let sources: Vec<Json> = texts.map(|file| debuggee.source_of(file)).collect();
    Ok(json!({ "sources": sources }))
}

/// `source`.
pub(crate) fn source(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    let reference = arguments.0.pointer("/source/sourceReference").and_then(Json::as_i64);
    let reference = reference.or_else(|| arguments.number("sourceReference")).unwrap_or(0);
    let id = u32::try_from(reference).ok().and_then(|reference| reference.checked_sub(1));
    let file = id.and_then(|id| debuggee.own.console.sources().find(FileId(id)));
    match file.filter(|file| !file.is_binary()) {
        Some(file) => Ok(json!({ "content": file.text() })),
        None => Err(Problem::not_there(format!("there is no source {reference}"))),
    }
}

/// `breakpointLocations`: the lines that have code.
pub(crate) fn locations(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    let first = arguments.the_number("line")?;
    let last = arguments.number("endLine").unwrap_or(first);
    let (first, last) = (debuggee.client.own_line(first), debuggee.client.own_line(last));
    let mut lines = std::collections::BTreeSet::new();
    let files = arguments.0.get("source").map(|source| debuggee.files_of(source)).unwrap_or_default();
    for file in files {
        for run in 0..debuggee.runs() {
            let own = debuggee.lines_of(run, file).into_iter().map(|(_, line, _)| line);
            lines.extend(own.filter(|line| first <= Some(*line) && Some(*line) <= last));
        }
    }
    let lines: Vec<Json> = lines.iter().map(|line| json!({ "line": debuggee.client.line(*line) })).collect();
    Ok(json!({ "breakpoints": lines }))
}

/// `gotoTargets`: the steps of a shader's run that come from a line. In a CPU's program a line is met any number of times.
pub(crate) fn targets(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    let line = arguments.the_number("line")?;
    let wanted = debuggee.client.own_line(line);
    let files = arguments.0.get("source").map(|source| debuggee.files_of(source)).unwrap_or_default();
    let run = debuggee.own.console.current();
    let Some(debugger) = debuggee.own.console.choose(run) else { return Ok(Json::Null) };
    let Some(shader) = debugger.session().shader().cloned() else {
        let help = "run to the line: a breakpoint there, or `run line N` in the console";
        return Err(Problem::new(
            &crate::dap::message::NOT_NOW,
            "a CPU's program is not at a line once",
            help,
        ));
    };
    let mut found = Vec::new();
    for (step, place) in shader.places().enumerate() {
        let Some(span) = place.span.filter(|span| files.contains(&span.file)) else { continue };
        let Some(file) = debuggee.own.console.sources().find(span.file) else { continue };
        let start = file.place(span.start);
        if Some(start.line) == wanted {
            let (line, column) =
                (debuggee.client.line(start.line), debuggee.client.column(start.column_utf16));
            found.push(json!({ "id": step, "label": place.text, "line": line, "column": column }));
        }
    }
    Ok(json!({ "targets": found }))
}

//! Where things are: sources, lines, stack frames, targets of `goto`.

use crate::dap::debuggee::Debuggee;
use crate::dap::memory::pointer;
use crate::dap::message::{Answer, Arguments, NOT_NOW, Problem};
use gpuzoo::diag::FileId;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

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
    let pointer = next.as_ref().map(|place| pointer(session, place));
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
    let mut lines = BTreeSet::new();
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
        return Err(Problem::new(&NOT_NOW, "a CPU's program is not at a line once", help));
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

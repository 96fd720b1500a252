//! Runs that were traced, and sessions that go through one in both directions.

use crate::errors::{poisoned, refused};
use gpuzoo::debugger::{Console, Run};
use gpuzoo::diag::{File, Sources};
use gpuzoo::isa::Mask;
use gpuzoo::machine::session::{Cell, Event, Value};
use gpuzoo::paint::Paint;
use gpuzoo::why::{Question, answer, no_such_register};
use gpuzoo::{report, trace};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::{Value as Json, json};
use std::sync::{Arc, Mutex, MutexGuard};

/// What one vertex did.
#[pyclass(frozen, module = "gpuzoo._native")]
pub struct Trace {
    trace: trace::Trace,
    sources: Arc<Sources>,
}

impl Trace {
    /// A run of a program whose texts are in some sources.
    pub fn new(trace: trace::Trace, sources: Arc<Sources>) -> Trace {
        Trace { trace, sources }
    }

    /// A session over it.
    pub fn session(self) -> Session {
        Session::new(Run::of_trace(self.trace), self.sources)
    }
}

#[pymethods]
impl Trace {
    /// As `gpuzoo trace` prints it.
    fn text(&self, bits: bool) -> String {
        self.trace.text(bits, Paint::PLAIN)
    }

    /// Its steps and outputs as lines of JSON, in bits.
    fn lines(&self) -> String {
        self.trace.json_lines(&self.sources, true)
    }

    /// A page of it: outputs, where they come from, steps.
    fn html(&self) -> String {
        let mut page = report::page("trace", &self.trace.subject.text(), Some(""));
        report::trace_page(&mut page, &self.trace, false);
        page.finish()
    }

    /// Where a register's components come from: in words, as JSON, and as a picture.
    fn why(&self, question: &str) -> PyResult<(String, String, String)> {
        let file = File::new("question", question);
        let question = Question::read(&file).map_err(refused)?;
        let traces = std::slice::from_ref(&self.trace);
        let answer = answer(&self.trace, &question)
            .ok_or_else(|| refused(no_such_register(traces, &question, &file)))?;
        let text = answer.text(&self.sources, false, Paint::PLAIN);
        Ok((text, gpuzoo::diag::json::text(&answer.json(false)), report::svg(&answer, false)))
    }
}

/// A run that goes forward and back.
#[pyclass(frozen, module = "gpuzoo._native")]
pub struct Session {
    console: Mutex<Console>,
    sources: Arc<Sources>,
}

/// Bits of floats are a list, integers of 32 bits an object with a list.
fn value(value: Value) -> Json {
    match value {
        Value::Vec4(bits, Mask::ALL) => json!({ "integers": bits.map(u32::cast_signed) }),
        Value::Vec4(bits, _) => json!(bits),
        Value::Integer { value, .. } => json!(value),
    }
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Register(name) => name.to_string(),
        Cell::Memory(address) => format!("{}[${:04X}]", address.space, address.at),
    }
}

impl Session {
    /// Over a run.
    pub fn new(run: Run, sources: Arc<Sources>) -> Session {
        let console = Console::new(vec![run], sources.clone(), false, Paint::PLAIN);
        Session { console: Mutex::new(console), sources }
    }

    fn console(&self) -> PyResult<MutexGuard<'_, Console>> {
        self.console.lock().map_err(poisoned)
    }

    /// Looks at the session.
    fn with<T>(&self, look: impl FnOnce(&mut dyn gpuzoo::machine::session::Session) -> T) -> PyResult<T> {
        let mut console = self.console()?;
        let debugger = console.choose(0).ok_or_else(|| PyIndexError::new_err("there is no run"))?;
        Ok(look(debugger.session()))
    }
}

#[pymethods]
impl Session {
    /// Steps from the start to here.
    #[getter]
    fn position(&self) -> PyResult<u64> {
        self.with(|session| session.position())
    }

    /// How many steps the run has, if that is known.
    #[getter]
    fn total(&self) -> PyResult<Option<u64>> {
        self.with(|session| session.total())
    }

    /// Takes a step; false at the end.
    fn step(&self) -> PyResult<bool> {
        self.with(|session| session.step())
    }

    /// Takes a step back; false at the start.
    fn back(&self) -> PyResult<bool> {
        self.with(|session| session.back())
    }

    /// Goes to a position, or as near as can be; returns where that is.
    fn seek(&self, py: Python<'_>, position: u64) -> PyResult<u64> {
        py.detach(|| self.with(|session| session.seek(position)))
    }

    /// What comes next, as JSON: the slot or address, the text, and the line that it comes from; `null` at the end.
    fn place(&self) -> PyResult<String> {
        let place = self.with(|session| {
            let position = session.position();
            session.place(position)
        })?;
        let line = |span: gpuzoo::diag::Span| {
            let file = self.sources.find(span.file).filter(|file| !file.is_binary())?;
            Some(file.place(span.start).line)
        };
        Ok(place
            .map_or(
                Json::Null,
                |place| json!({ "at": place.at, "text": place.text, "line": place.span.and_then(line) }),
            )
            .to_string())
    }

    /// The registers here: a JSON list of name, group and value, in bits or as an integer.
    fn registers(&self) -> PyResult<String> {
        let state = self.with(|session| {
            let position = session.position();
            session.state(position).unwrap_or_default()
        })?;
        let register =
            |own: &gpuzoo::machine::session::Register| json!([own.name, own.group, value(own.value)]);
        Ok(state.iter().map(register).collect::<Json>().to_string())
    }

    /// What the step before did, as JSON: what it changed, what it read, and what was remarkable.
    fn last(&self) -> PyResult<String> {
        let last = self.with(|session| {
            let step = session.position().checked_sub(1)?;
            Some((session.changes(step)?, session.reads(step)?, session.events(step)?))
        })?;
        let Some((changes, reads, events)) = last else { return Ok("null".to_owned()) };
        let changes = changes.iter().map(|change| {
            let components = change.components.to_string();
            json!([cell(&change.cell), components, value(change.before), value(change.after)])
        });
        let reads = reads
            .iter()
            .map(|read| json!([cell(&read.cell), read.components.to_string(), value(read.value)]));
        let is_odd = |event: &&Event| !matches!(event, Event::RegisterWrite { .. } | Event::MemoryWrite(_));
        let events = events.iter().filter(is_odd).map(|event| format!("{:?}", event.kind()));
        Ok(json!({
            "changes": changes.collect::<Vec<_>>(),
            "reads": reads.collect::<Vec<_>>(),
            "events": events.collect::<Vec<_>>(),
        })
        .to_string())
    }

    /// Carries out a command of `gpuzoo debug`; returns what it prints.
    fn command(&self, py: Python<'_>, line: &str) -> PyResult<String> {
        py.detach(|| {
            let file = File::new("command", line);
            let reply = self.console()?.obey(&file, file.whole().range());
            reply.map(|reply| reply.text).map_err(|problem| {
                let mut sources = Sources::default();
                sources.add("command", line);
                refused(gpuzoo::Diagnostics::new(vec![problem], sources))
            })
        })
    }

    /// Bytes of a memory, without side effects; none if it is not there.
    fn peek<'py>(
        &self,
        py: Python<'py>,
        space: &str,
        start: u32,
        end: u32,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let bytes = self.with(|session| session.peek(space, start..end))?;
        Ok(bytes.map(|bytes| PyBytes::new(py, &bytes)))
    }
}

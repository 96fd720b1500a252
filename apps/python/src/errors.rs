//! Diagnostics as Python's exceptions and as JSON.

use gpuzoo::diag::{Diagnostic, Diagnostics, Sources, capped, json};
use gpuzoo::report::{messages, page};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use serde_json::Value as Json;

/// What the caller wanted, which says the exception's class.
#[derive(Clone, Copy)]
pub enum Wanted {
    /// A program of a text or of words.
    Program,
    /// A program of a source in a shading language.
    Compiled,
    /// Something else.
    Other,
}

/// A list of diagnostics as JSON.
pub fn list(sources: &Sources, problems: &[Diagnostic]) -> Json {
    serde_json::to_value(json::problems(sources, problems)).unwrap_or_default()
}

/// An exception that shows problems as the command line does, and has them as data and as a page.
pub fn raised(wanted: Wanted, problems: Diagnostics) -> PyErr {
    let kind = match wanted {
        Wanted::Program => "assemble",
        Wanted::Compiled => "compile",
        Wanted::Other => "",
    };
    Python::attach(|py| {
        let shown = capped(problems.list.clone());
        let mut html = page("errors", "", None);
        html.section("Messages", |html| messages(html, &problems.sources, &shown, false));
        let arguments =
            (kind, problems.to_string(), list(&problems.sources, &shown).to_string(), html.finish());
        let make = py.import("gpuzoo._diagnostics").and_then(|module| module.getattr("refused"));
        match make.and_then(|make| make.call1(arguments)) {
            Ok(error) => PyErr::from_value(error),
            Err(error) => error,
        }
    })
}

/// As [`raised`], of what was wanted otherwise.
pub fn refused(problems: impl Into<Diagnostics>) -> PyErr {
    raised(Wanted::Other, problems.into())
}

/// A lock that a thread has left behind by a panic.
pub fn poisoned<T>(_: T) -> PyErr {
    PyRuntimeError::new_err("an earlier call has failed; make a new object")
}

//! Programs of a CPU that drives a machine.

use crate::arrays::picture;
use crate::errors::{Wanted, list, poisoned, raised, refused};
use crate::program::named;
use crate::session::Session;
use gpuzoo::computer::{Input, ScreenOptions};
use gpuzoo::debugger::Run;
use gpuzoo::machine::options::arguments::Value;
use gpuzoo::{Arguments, Diagnostics, Registry};
use numpy::PyArray3;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;
use std::sync::Mutex;

/// The value of a machine's parameter.
#[derive(FromPyObject)]
pub enum Given {
    /// A flag, or a file that is wanted.
    Flag(bool),
    /// A number.
    Number(u64),
    /// A name.
    Name(String),
    /// A file: its name, and its bytes.
    File(String, Vec<u8>),
}

/// A profile, and the machine's parameters by name.
type Parameters = (String, Vec<(String, Given)>);

fn arguments((profile, given): Parameters) -> Arguments {
    given.into_iter().fold(Arguments::new(&profile), |arguments, (name, given)| match given {
        Given::Flag(false) => arguments,
        Given::Flag(true) => arguments.with(&name),
        Given::Number(number) => arguments.set(&name, number),
        Given::Name(text) => arguments.set(&name, text.as_str()),
        Given::File(file, bytes) => arguments.set(&name, Value::File(file, bytes)),
    })
}

/// A program of a CPU.
#[pyclass(frozen, module = "gpuzoo._native")]
pub struct Software {
    software: gpuzoo::computer::Software,
}

impl Software {
    /// An error with the program's texts.
    fn refused(&self, problem: gpuzoo::diag::Diagnostic) -> PyErr {
        refused(Diagnostics::new(vec![problem], self.software.sources().clone()))
    }

    fn report(&self, report: gpuzoo::computer::Report) -> String {
        let sources = self.software.sources();
        json!({ "text": report.text, "facts": report.json, "remarks": list(sources, &report.remarks) })
            .to_string()
    }
}

#[pymethods]
impl Software {
    /// Reads a program of a machine in one of its forms, or in the one that the name or the bytes say. `include` gives the bytes of
    /// files that a text names.
    #[staticmethod]
    fn read(
        py: Python<'_>,
        machine: &str,
        name: &str,
        bytes: &[u8],
        form: Option<&str>,
        parameters: Parameters,
        include: Py<PyAny>,
    ) -> PyResult<Software> {
        let computer = Registry::default().computer(Some(machine), "").map_err(refused)?;
        let arguments = arguments(parameters);
        let read = py.detach(|| {
            let mut include = |wanted: &str| named(&include, wanted);
            computer.read(Input { name, bytes, form, include: &mut include }, &arguments)
        });
        read.map(|software| Software { software }).map_err(|problems| raised(Wanted::Program, problems))
    }

    /// The bytes of one of the machine's forms.
    fn emit<'py>(&self, py: Python<'py>, form: &str) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.software.emit(form).map_err(|problem| self.refused(problem))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// A text that assembles to the same bytes.
    fn disassemble(&self) -> PyResult<String> {
        self.software.disassemble().map_err(|problem| self.refused(problem))
    }

    /// How large it is, and what is suspicious about it, as JSON.
    fn check(&self, py: Python<'_>, parameters: Parameters) -> PyResult<String> {
        let arguments = arguments(parameters);
        let report =
            py.detach(|| self.software.check(&arguments)).map_err(|problem| self.refused(problem))?;
        Ok(self.report(report))
    }

    /// Runs it to the end, or to the limits among the parameters; the report as JSON.
    fn run(&self, py: Python<'_>, parameters: Parameters) -> PyResult<String> {
        let arguments = arguments(parameters);
        let report = py.detach(|| self.software.run(&arguments)).map_err(|problem| self.refused(problem))?;
        Ok(self.report(report))
    }

    /// A session over its run.
    fn session(&self, py: Python<'_>, parameters: Parameters) -> PyResult<Session> {
        let arguments = arguments(parameters);
        let session =
            py.detach(|| self.software.session(&arguments)).map_err(|problem| self.refused(problem))?;
        Ok(Session::new(Run::of_session("the program", session), self.software.sources().clone()))
    }

    /// Its pictures, one after the other.
    fn screen(&self, parameters: Parameters, view: Option<&str>) -> PyResult<Screen> {
        let arguments = arguments(parameters);
        let options = ScreenOptions { view, ..ScreenOptions::default() };
        let screen = self.software.screen(&arguments, &options).map_err(|problem| self.refused(problem))?;
        let (count, rate) = (screen.count(), screen.rate());
        Ok(Screen { screen: Mutex::new((screen, 0)), count, rate })
    }
}

/// Pictures of a program, one after the other.
#[pyclass(frozen, module = "gpuzoo._native")]
pub struct Screen {
    screen: Mutex<(Box<dyn gpuzoo::computer::Screen>, u32)>,
    /// How many pictures there are.
    #[pyo3(get)]
    count: u32,
    /// Pictures a second.
    #[pyo3(get)]
    rate: u32,
}

#[pymethods]
impl Screen {
    /// The next picture; none behind the last.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray3<u8>>>> {
        let image = py.detach(|| {
            let mut screen = self.screen.lock().map_err(poisoned)?;
            let (screen, done) = &mut *screen;
            if *done == self.count {
                return Ok(None);
            }
            *done += 1;
            screen.advance();
            screen.image().map(Some).map_err(PyValueError::new_err)
        })?;
        image.map(|image| picture(py, image)).transpose()
    }
}

//! Programs of shader units, and their kernels.

use crate::arrays::{words, words_mut};
use crate::errors::{Wanted, list, raised, refused};
use crate::session::{Session, Trace};
use gpuzoo::compile::Options;
use gpuzoo::diag::Diagnostics;
use gpuzoo::ir::Vec4;
use gpuzoo::isa::Stage;
use gpuzoo::machine::TextOptions;
use gpuzoo::read::Form;
use gpuzoo::translate::{self, explain};
use gpuzoo::{Buffer, Inputs, Machine, Registry, State};
use numpy::{PyReadonlyArray2, PyReadwriteArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;

/// How a text is read: what Python gives by name.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Reading {
    dialect: Option<String>,
    numbering: Option<String>,
    positions: Option<String>,
    defines: Vec<String>,
    entry: Option<String>,
    stage: Option<String>,
    host_constants: bool,
}

/// How a source is compiled: what Python gives by name.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Compiling {
    level: String,
    fast_math: bool,
    raw_position: bool,
    constants_at: Option<u16>,
    outputs: Vec<(String, String)>,
}

/// The bytes of a file that a text names, from a function of Python's.
pub fn named(read: &Py<PyAny>, name: &str) -> Result<Vec<u8>, String> {
    Python::attach(|py| {
        let bytes = read.call1(py, (name,)).and_then(|bytes| bytes.extract::<Vec<u8>>(py));
        bytes.map_err(|error| error.value(py).to_string())
    })
}

impl Reading {
    /// Calls `then` with what the facade takes.
    fn with<T>(&self, include: &Py<PyAny>, then: impl FnOnce(&TextOptions) -> T) -> PyResult<T> {
        let stage = match self.stage.as_deref() {
            None => None,
            Some("vertex") => Some(Stage::Vertex),
            Some("fragment") => Some(Stage::Fragment),
            Some(other) => {
                return Err(PyValueError::new_err(format!(
                    "there is no stage {other:?}; there are 'vertex' and 'fragment'"
                )));
            }
        };
        let defines: Vec<&str> = self.defines.iter().map(String::as_str).collect();
        let include = |name: &str| named(include, name);
        Ok(then(&TextOptions {
            dialect: self.dialect.as_deref(),
            numbering: self.numbering.as_deref(),
            positions: self.positions.as_deref(),
            include: Some(&include),
            defines: &defines,
            entry: self.entry.as_deref(),
            stage,
            host_constants: self.host_constants,
            ..TextOptions::default()
        }))
    }
}

fn unit(id: &str) -> PyResult<Machine> {
    Registry::default().shader_unit(Some(id), "").map(Machine::new).map_err(refused)
}

/// A program of a machine from the bytes of a file, in a form or in the one that the name or the bytes say. `include` gives
/// the bytes of files that a text names.
#[pyfunction]
pub fn read(
    py: Python<'_>,
    machine: &str,
    name: &str,
    bytes: &[u8],
    form: Option<&str>,
    reading: Reading,
    include: Py<PyAny>,
) -> PyResult<Program> {
    let machine = unit(machine)?;
    let gpu = Registry::default().choose(Some(machine.about().id), "").map_err(refused)?;
    let form = form.map(|form| Form::named(gpu, form)).transpose().map_err(refused)?;
    let program = py.detach(|| reading.with(&include, |options| machine.read(name, bytes, form, options)))?;
    program.map(|program| Program { program }).map_err(|problems| raised(Wanted::Program, problems))
}

/// A program of a machine from a source in a shading language, and JSON with the uniforms, the warnings and a text of it.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "Python's files give them all, in this order")]
pub fn compile(
    py: Python<'_>,
    machine: &str,
    name: &str,
    source: &[u8],
    language: Option<&str>,
    reading: Reading,
    compiling: Compiling,
    include: Py<PyAny>,
) -> PyResult<(Program, String)> {
    let machine = unit(machine)?;
    let gpu = Registry::default().choose(Some(machine.about().id), "").map_err(refused)?;
    let language = match language.map(|language| Form::named(gpu, language)).transpose().map_err(refused)? {
        Some(Form::Source(language)) => Some(language),
        None => None,
        Some(_) => return Err(PyValueError::new_err("languages are 'wgsl', 'glsl', 'spv' and 'cg'")),
    };
    let outputs: Vec<(&str, &str)> =
        compiling.outputs.iter().map(|(name, register)| (name.as_str(), register.as_str())).collect();
    use gpuzoo::compile::Level;
    let levels = [
        ("source", Level::Source),
        ("quick", Level::Quick),
        ("usual", Level::Usual),
        ("longest", Level::Longest),
    ];
    let level = levels.into_iter().find(|(name, _)| *name == compiling.level).map(|(_, level)| level);
    let level = level.ok_or_else(|| {
        let known = levels.map(|(name, _)| name).join(", ");
        PyValueError::new_err(format!("there is no level {:?}; levels are {known}", compiling.level))
    })?;
    let compiled = py.detach(|| {
        reading.with(&include, |text| {
            let Compiling { fast_math, raw_position, constants_at, .. } = compiling;
            let options = Options {
                language,
                text: *text,
                level,
                fast_math,
                constants_at,
                raw_position,
                outputs: &outputs,
            };
            machine.compile(name, source, &options)
        })
    })?;
    let compiled = compiled.map_err(|problems| raised(Wanted::Compiled, problems))?;
    let program = compiled.program().clone();
    let uniform = |uniform: &gpuzoo::compile::Uniform| json!({ "name": uniform.name, "type": uniform.ty, "registers": uniform.count });
    let facts = json!({
        "uniforms": compiled.uniforms().iter().map(uniform).collect::<Vec<_>>(),
        "warnings": list(program.sources(), compiled.warnings()),
        "text": compiled.text(program.sources()),
    });
    Ok((Program { program }, facts.to_string()))
}

/// A program without errors.
#[pyclass(frozen, module = "gpuzoo._native")]
pub struct Program {
    program: gpuzoo::Program,
}

/// A profile, modes, and what outputs hold before: everything by name.
type Given = (Option<String>, Vec<(String, String)>, Vec<(String, Vec4)>);

fn state(given: &Given) -> State<'_> {
    let (profile, modes, outputs) = given;
    let state = profile.as_deref().map_or_else(State::new, State::from);
    let state = modes.iter().fold(state, |state, (name, choice)| state.mode(name, choice));
    outputs.iter().fold(state, |state, (name, value)| state.output(name, *value))
}

/// Inputs and constants by name.
fn inputs<'a>(
    columns: &'a [(String, PyReadonlyArray2<'_, u32>)],
    constants: &[(String, Vec<Vec4>)],
    zeros: bool,
) -> PyResult<Inputs<'a>> {
    let mut inputs = if zeros { Inputs::new().zeros() } else { Inputs::new() };
    for (name, array) in columns {
        let (words, rows) = words(array)?;
        inputs = inputs.borrow(name, words, rows.stride, rows.width, rows.count).map_err(refused)?;
    }
    Ok(constants.iter().fold(inputs, |inputs, (name, value)| inputs.constants(name, value)))
}

#[pymethods]
impl Program {
    /// The words of its binary, the lowest byte first.
    fn words<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes: Vec<u8> = self.program.words().into_iter().flat_map(u32::to_le_bytes).collect();
        PyBytes::new(py, &bytes)
    }

    /// A text that does the same, or with `exact` one that assembles to the same words, and JSON of what there is to say.
    fn disassemble(
        &self,
        exact: bool,
        dialect: Option<&str>,
        numbering: Option<&str>,
    ) -> PyResult<(String, String)> {
        let options = TextOptions { exact, dialect, numbering, ..TextOptions::default() };
        let (text, problems) = self.program.disassemble(&options).map_err(refused)?;
        Ok((text, list(&gpuzoo::diag::Sources::default(), &problems).to_string()))
    }

    /// Size, costs, and what is suspicious, as JSON.
    fn check(&self) -> String {
        let program = &self.program;
        let problems: Vec<_> = program.warnings().iter().cloned().chain(program.check()).collect();
        let text = Diagnostics::new(problems.clone(), program.sources().clone()).to_string();
        let figures = gpuzoo::check::figures(program);
        json!({
            "figures": figures,
            "diagnostics": list(program.sources(), &problems),
            "text": format!("{}{}{text}", figures.text(), if text.is_empty() { "" } else { "\n" }),
        })
        .to_string()
    }

    /// A page of its figures and slots.
    fn html(&self) -> String {
        let mut page = gpuzoo::report::page("program", "", Some(self.program.gpu().about().name));
        page.section("Slots", |html| gpuzoo::report::program(html, &self.program));
        page.finish()
    }

    /// Its constants: for each a name or none, the register, how many registers there are, their components, and values as bits; as
    /// JSON.
    fn constants(&self) -> String {
        let (isa, code) = (self.program.isa(), self.program.code());
        let constant = |own: &gpuzoo::isa::Constant| {
            json!({
                "name": own.name,
                "register": code.reg_name(isa, own.reg),
                "count": own.count,
                "components": own.mask.to_string(),
                "values": own.values,
            })
        };
        code.constants.iter().map(constant).collect::<serde_json::Value>().to_string()
    }

    /// Compiles it for a state.
    fn kernel(&self, py: Python<'_>, given: Given) -> PyResult<Kernel> {
        let kernel = py.detach(|| self.program.kernel(state(&given)));
        kernel.map(|kernel| Kernel { kernel }).map_err(refused)
    }

    /// The run of one vertex.
    #[pyo3(signature = (given, columns, constants, zeros, vertex))]
    fn trace(
        &self,
        py: Python<'_>,
        given: Given,
        columns: Vec<(String, PyReadonlyArray2<'_, u32>)>,
        constants: Vec<(String, Vec<Vec4>)>,
        zeros: bool,
        vertex: usize,
    ) -> PyResult<Trace> {
        let inputs = inputs(&columns, &constants, zeros)?;
        let trace = py.detach(|| self.program.trace(state(&given), &inputs, vertex));
        Ok(Trace::new(trace.map_err(refused)?, self.program.sources().clone()))
    }

    /// A session over the run of one vertex.
    #[pyo3(signature = (given, columns, constants, zeros, vertex))]
    fn session(
        &self,
        py: Python<'_>,
        given: Given,
        columns: Vec<(String, PyReadonlyArray2<'_, u32>)>,
        constants: Vec<(String, Vec<Vec4>)>,
        zeros: bool,
        vertex: usize,
    ) -> PyResult<Session> {
        Ok(self.trace(py, given, columns, constants, zeros, vertex)?.session())
    }

    /// The program as a shader of the host: the bytes of its file, what it needs as JSON, and that in words.
    #[pyo3(signature = (given, to, shape, fidelity, flags, group, bindings, prefix))]
    #[expect(clippy::too_many_arguments, reason = "Python's wrapper gathers them from named arguments")]
    fn translate<'py>(
        &self,
        py: Python<'py>,
        given: Given,
        to: &str,
        shape: Option<&str>,
        fidelity: &str,
        flags: (bool, bool, bool, bool),
        group: u32,
        bindings: Vec<(String, u32)>,
        prefix: String,
    ) -> PyResult<(Bound<'py, PyBytes>, String, String)> {
        let (raw_position, all_outputs, point_size, strip) = flags;
        let options = translate::Options {
            target: translate::target(to).map_err(refused)?,
            shape: match shape {
                Some(shape) => translate::shape(shape).map_err(refused)?,
                None => self.program.shape(&gpuzoo::machine::RunState::default()),
            },
            fidelity: translate::fidelity(fidelity).map_err(refused)?,
            raw_position,
            group,
            bindings,
            all_outputs,
            point_size,
            prefix,
            strip,
        };
        let made = py.detach(|| self.program.translate(state(&given), &options)).map_err(refused)?;
        Ok((PyBytes::new(py, &made.bytes()), made.reflection().to_string(), explain(&made)))
    }
}

/// A program that is compiled for a state.
#[pyclass(frozen, module = "gpuzoo._native")]
pub struct Kernel {
    kernel: gpuzoo::Kernel,
}

#[pymethods]
impl Kernel {
    /// The names of its outputs.
    #[getter]
    fn outputs(&self) -> Vec<String> {
        self.kernel.output_names().to_vec()
    }

    /// The same with these outputs alone.
    fn only(&self, names: Vec<String>) -> PyResult<Kernel> {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        self.kernel.only(&names).map(|kernel| Kernel { kernel }).map_err(refused)
    }

    /// Runs it over rows of words, into rows of four words. Returns a byte for each vertex, 1 for one that was killed, nothing
    /// if none can be; and JSON with the constants that the program changed and what is worth knowing.
    fn run<'py>(
        &self,
        py: Python<'py>,
        columns: Vec<(String, PyReadonlyArray2<'py, u32>)>,
        constants: Vec<(String, Vec<Vec4>)>,
        zeros: bool,
        mut outputs: Vec<(String, PyReadwriteArray2<'py, u32>)>,
    ) -> PyResult<(Bound<'py, PyBytes>, String)> {
        let inputs = inputs(&columns, &constants, zeros)?;
        let mut buffers = Vec::new();
        for (name, array) in &mut outputs {
            let (words, rows) = words_mut(array)?;
            buffers.push(Buffer::bits(name, words, rows.stride, rows.width));
        }
        let (killed, ran) = py.detach(|| self.kernel.run_noting(&inputs, buffers)).map_err(refused)?;
        let killed: Vec<u8> = killed.into_iter().map(u8::from).collect();
        let sources = self.kernel.program().sources();
        let facts = json!({ "constants": ran.constants(), "remarks": list(sources, &ran.remarks()) });
        Ok((PyBytes::new(py, &killed), facts.to_string()))
    }
}

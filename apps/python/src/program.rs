//! Programs of shader units, and their kernels.

use crate::arrays::{words, words_mut};
use crate::errors::{Wanted, list, raised, refused};
use crate::session::{Session, Trace};
use gpuzoo::diag::{Diagnostic, Diagnostics};
use gpuzoo::ir::Vec4;
use gpuzoo::options::{
    CompileOptions, DisassembleOptions, OptionMap, ReadOptions, StateOptions, TranslateOptions,
};
use gpuzoo::translate::explain;
use gpuzoo::{Buffer, Inputs, Machine, Registry, State};
use numpy::{PyReadonlyArray2, PyReadwriteArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;

/// Takes options out of a JSON object, which holds no others.
fn options<T>(text: &str, take: impl FnOnce(&mut OptionMap) -> Result<T, Diagnostic>) -> PyResult<T> {
    let json = serde_json::from_str(text).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let taken = OptionMap::from_json(json).and_then(|mut options| {
        let taken = take(&mut options)?;
        options.finish().map(|()| taken)
    });
    taken.map_err(refused)
}

/// The bytes of a file that a text names, from a function of Python's.
pub fn named(read: &Py<PyAny>, name: &str) -> Result<Vec<u8>, String> {
    Python::attach(|py| {
        let bytes = read.call1(py, (name,)).and_then(|bytes| bytes.extract::<Vec<u8>>(py));
        bytes.map_err(|error| error.value(py).to_string())
    })
}

fn unit(id: &str) -> PyResult<Machine> {
    Registry::default().shader_unit(Some(id), "").map(Machine::new).map_err(refused)
}

/// A program of a machine from the bytes of a file. `options` are those of reading, as JSON, and `include` gives the bytes of files that a
/// text names.
#[pyfunction]
pub fn read(
    py: Python<'_>,
    machine: &str,
    name: &str,
    bytes: &[u8],
    options: &str,
    include: Py<PyAny>,
) -> PyResult<Program> {
    let machine = unit(machine)?;
    let read: ReadOptions = self::options(options, OptionMap::take)?;
    let program = py.detach(|| machine.read(name, bytes, &read, Some(&|name: &str| named(&include, name))));
    program.map(|program| Program { program }).map_err(|problems| raised(Wanted::Program, problems))
}

/// A program of a machine from a source in a shading language, and JSON with the uniforms, the warnings and a text of it. `options` are
/// those of reading and of compiling, as JSON.
#[pyfunction]
pub fn compile(
    py: Python<'_>,
    machine: &str,
    name: &str,
    source: &[u8],
    options: &str,
    include: Py<PyAny>,
) -> PyResult<(Program, String)> {
    let machine = unit(machine)?;
    let (read, compile): (ReadOptions, CompileOptions) =
        self::options(options, |options| Ok((options.take()?, options.take()?)))?;
    let compiled = py
        .detach(|| machine.compile(name, source, &read, &compile, Some(&|name: &str| named(&include, name))));
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

/// The options of a state as JSON, and what outputs hold before.
type Given = (String, Vec<(String, Vec4)>);

/// A state whose names are kept.
struct Owned {
    options: StateOptions,
    outputs: Vec<(String, Vec4)>,
}

impl Owned {
    fn new((text, outputs): Given) -> PyResult<Owned> {
        Ok(Owned { options: options(&text, OptionMap::take)?, outputs })
    }

    fn state(&self) -> State<'_> {
        self.outputs.iter().fold(self.options.state(), |state, (name, value)| state.output(name, *value))
    }
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

    /// A text that does the same, and JSON of what there is to say. `options` are those of disassembling, as JSON.
    fn disassemble(&self, options: &str) -> PyResult<(String, String)> {
        let options: DisassembleOptions = self::options(options, OptionMap::take)?;
        let (text, problems) = self.program.disassemble(&options.text()).map_err(refused)?;
        Ok((text, list(&gpuzoo::diag::Sources::default(), &problems).to_string()))
    }

    /// The same in fewer slots, where there is a way; it is run on so many vectors besides the proof.
    fn optimize(&self, py: Python<'_>, vectors: Option<u64>) -> PyResult<Program> {
        let packed = py.detach(|| match vectors {
            None => self.program.pack(),
            Some(vectors) => self.program.pack_and_run(vectors),
        });
        let packed = packed
            .map_err(|problem| refused(Diagnostics::new(vec![problem], self.program.sources().clone())))?;
        Ok(Program { program: packed.program })
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
        let state = Owned::new(given)?;
        let kernel = py.detach(|| self.program.kernel(state.state()));
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
        let (given, inputs) = (Owned::new(given)?, inputs(&columns, &constants, zeros)?);
        let trace = py.detach(|| self.program.trace(given.state(), &inputs, vertex));
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

    /// The program as a shader of the host: the language, the bytes of its file, whether they are words and no text, what it needs as JSON,
    /// and that in words. `options` are those of translating and of the state, as JSON.
    fn translate<'py>(
        &self,
        py: Python<'py>,
        options: &str,
    ) -> PyResult<(&'static str, Bound<'py, PyBytes>, bool, String, String)> {
        let (translate, state): (TranslateOptions, StateOptions) =
            self::options(options, |options| Ok((options.take()?, options.take()?)))?;
        let made = py.detach(|| self.program.translate(state.state(), &translate)).map_err(refused)?;
        let (bytes, is_words) = (PyBytes::new(py, &made.bytes()), made.words().is_some());
        Ok((
            translate.target().name(),
            bytes,
            is_words,
            gpuzoo::diag::json::text(&made.reflection()),
            explain(&made),
        ))
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

//! A reader of NVIDIA's Cg: vertex programs become a [`naga::Module`].
//!
//! Files are preprocessed (`preprocess`), parsed (`parser`) and lowered (`lower`): the entry point and what it calls. Functions
//! for other stages, and what only they use, may stand in the same file.
//!
//! - Every uniform is a global variable of its own, in the order of declaration, with the [register](Uniform::register) that the
//!   source gives it, if it does.
//! - Inputs and outputs have the locations of `semantics`.
//! - `floatRxC` is a matrix of which naga's columns are Cg's rows; see `types`.
//! - Variables are in memory, names are kept, and spans lead back through [`Places`].
//!
//! Of the language there are no textures, `discard`, interfaces, or arrays without a size as parameters.

pub mod codes;
pub mod lexer;
mod lower;
mod number;
pub mod parser;
mod places;
pub mod preprocess;
mod semantics;
pub mod tree;
mod types;

pub use places::Places;

use crate::front;
use crate::shader::Shader;
use crate::walk::Selection;
use gpuzoo_diag::{Diagnostic, FileId, Sources, Span, has_errors};
use gpuzoo_isa::MatrixOrder;
use gpuzoo_machine::Include;

/// What there is besides a source.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// Reads files that are included; without it none can be.
    pub include: Option<&'a Include<'a>>,
    /// Macros: `NAME` is 1, `NAME=VALUE`, `NAME=` is nothing.
    pub defines: &'a [&'a str],
}

/// A source, read.
#[derive(Clone, Debug)]
pub struct Program {
    /// The program: one entry point, which naga's validator accepts.
    pub module: naga::Module,
    /// From the module's spans to those of the sources.
    pub places: Places,
    /// The uniforms, in the order of their bindings.
    pub uniforms: Vec<Uniform>,
    /// The outputs by name, and where each is declared: its semantic, where it has one.
    pub outputs: Vec<(String, Span)>,
    /// What is odd.
    pub warnings: Vec<Diagnostic>,
}

/// A uniform.
#[derive(Clone, Debug)]
pub struct Uniform {
    /// Its variable.
    pub variable: naga::Handle<naga::GlobalVariable>,
    /// Its type, as Cg writes it.
    pub ty: String,
    /// The first of its constant registers, if the source says it: 4 of `register(c4)`.
    pub register: Option<u16>,
    /// Its first value, if the source gives one that is known: the numbers in the order of its type.
    pub first: Option<Vec<f32>>,
    /// Where it is declared.
    pub span: Span,
}

impl Program {
    /// The program as a straight line, with all warnings. `whole` is the place of the source.
    ///
    /// # Errors
    /// Diagnostics for what no machine can do.
    pub fn shader(&self, whole: Span) -> Result<(Shader, Vec<Diagnostic>), Vec<Diagnostic>> {
        let bindings = self.uniforms.iter().zip(0..);
        let registers =
            bindings.filter_map(|(uniform, binding)| Some((binding, uniform.register?))).collect();
        let selection = Selection { registers, ..Selection::default() };
        let spans = |span, _: Option<&str>| self.places.of(span).unwrap_or(whole);
        let (mut shader, found) = front::checked(&self.module, &selection, &spans, whole)?;
        // The module's columns are Cg's rows.
        for uniform in &mut shader.uniforms {
            uniform.matrix = uniform.matrix.map(MatrixOrder::transposed);
        }
        for own in &self.uniforms {
            let (Some(name), Some(first)) = (&self.module.global_variables[own.variable].name, &own.first)
            else {
                continue;
            };
            // Elements of an array may be uniforms of their own, one after the other.
            let is_part = |part: &str| {
                part.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
            };
            let mut numbers = first.as_slice();
            for found in shader.uniforms.iter_mut().filter(|found| is_part(&found.name)) {
                let each = (found.mask.0.count_ones() as usize).max(1);
                let (these, rest) = numbers.split_at((each * usize::from(found.count)).min(numbers.len()));
                numbers = rest;
                let row =
                    |numbers: &[f32]| [0, 1, 2, 3].map(|at| numbers.get(at).map_or(0, |own| own.to_bits()));
                found.values = these.chunks(each).map(row).collect();
            }
        }
        for output in &mut shader.outputs {
            let own = self.outputs.iter().find(|(name, _)| *name == output.name);
            output.span = own.map_or(output.span, |(_, span)| *span);
        }
        Ok((shader, [self.warnings.clone(), found].concat()))
    }
}

/// Reads a vertex program of a file, which is among the sources already; files that it includes are added.
///
/// ```
/// use gpuzoo_compile::front::cg::{Options, parse};
/// use gpuzoo_diag::Sources;
/// let mut sources = Sources::default();
/// let text = "void main(float4 p : POSITION, uniform float4x4 m, out float4 o : POSITION) { o = mul(m, p); }";
/// let file = sources.add("a.vs.cg", text);
/// let program = parse(&mut sources, file, "main", &Options::default()).unwrap();
/// assert_eq!(program.module.entry_points[0].name, "main");
/// assert_eq!(program.uniforms[0].ty, "float4x4");
/// ```
///
/// # Errors
/// Everything that is wrong, with codes of [`codes`].
pub fn parse(
    sources: &mut Sources,
    file: FileId,
    entry: &str,
    options: &Options,
) -> Result<Program, Vec<Diagnostic>> {
    let mut problems = Vec::new();
    let dialect = preprocess::Dialect::Cg;
    let preprocessed = preprocess::preprocess(sources, file, options, dialect, &mut problems);
    let preprocess::Preprocessed { tokens, files, .. } = preprocessed;
    if has_errors(&problems) {
        return Err(problems);
    }
    let whole = sources.get(file).whole();
    let end = Span { start: whole.end, ..whole };
    let unit = parser::parse(tokens, end, &mut problems);
    if has_errors(&problems) {
        return Err(problems);
    }
    let places = Places::new(sources, &files);
    let lowered = lower::lower(&unit, entry, whole, places, &mut problems);
    match lowered {
        Some(program) if !has_errors(&problems) => Ok(Program { warnings: problems, ..program }),
        _ => Err(problems),
    }
}

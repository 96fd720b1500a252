//! Programs of small graphics processors as shaders of the host.
//!
//! An emulator does not interpret shaders, it translates them. This crate translates a program of any machine to WGSL, SPIR-V,
//! GLSL, HLSL and MSL, as a whole vertex or fragment shader, as a compute shader over many runs, or as a function to include.
//!
//! ```
//! use gpuzoo_machine::{RunState, ShaderUnit, TextOptions};
//! use gpuzoo_translate::{TranslateOptions, Program, Target, translate};
//! # use gpuzoo_diag::File;
//! let gpu: &dyn ShaderUnit = &gpuzoo_dreambox::GPU;
//! let code = gpu.assemble(&File::new("copy.vu", "ld r0 0\nst pos r0\n"), &TextOptions::default()).program;
//! let program = Program::of(gpu, &code, &RunState::default()).unwrap();
//! let shader = translate(&program, &TranslateOptions { to: Some(Target::Wgsl), ..TranslateOptions::default() }).unwrap();
//! assert!(shader.text().unwrap().contains("@builtin(position)"));
//! ```
//!
//! # Two fidelities
//!
//! [`Fidelity::Fast`] computes with the host's floats: what the machine rounds, the host rounds its own way. [`Fidelity::Exact`]
//! keeps every number as its bits and computes with integers alone. No float of the host takes part, so neither contraction nor
//! flushed subnormal numbers nor NaN can change a bit, on any GPU.
//!
//! # How it works
//!
//! The shader is written in WGSL, a statement for each operation of the program's [graph](gpuzoo_ir), named after the register
//! and the slot. [`naga`] reads that text, checks it, and writes the other languages. The comments with the machine's
//! instructions go along.
#![forbid(unsafe_code)]

mod body;
pub mod codes;
pub mod exact;
mod fast;
mod kept;
mod library;
mod names;
mod pipeline;
mod place;
mod program;
mod reflection;
mod resources;
mod shader;
mod target;
mod values;
mod words;
mod write;

pub use place::{At, Place};
pub use program::{HostConstants, Input, Output, Program, Sample};
pub use reflection::{ReflectedBinding, ReflectedConstant, ReflectedPlace, Reflection};
pub use resources::{Binding, Resource};
pub use shader::{ROW, Shader, WORKGROUP};
pub use target::{Fidelity, Shape, Target, TranslateOptions};

use gpuzoo_diag::Diagnostic;
use gpuzoo_ir::record::Operation;
use gpuzoo_isa::Constant;

/// A shader in a language of the host.
#[derive(Debug)]
pub struct Translation {
    code: Code,
    shader: Shader,
    options: TranslateOptions,
    /// What the entry point is called; none for a function.
    entry: Option<String>,
    /// Constants to which the program gives values or names.
    given: Vec<Constant>,
    /// What the host computes of its constants.
    host: Option<HostConstants>,
    /// What resources are called in the language, where that is not their name in WGSL.
    names: Vec<(String, String)>,
}

#[derive(Debug)]
enum Code {
    Text(String),
    Words(Vec<u32>),
}

/// Translates a program.
///
/// # Errors
/// `T0101` to `T0108` for what the shape, the language or the fidelity cannot express, with what can.
pub fn translate(program: &Program, options: &TranslateOptions) -> Result<Translation, Diagnostic> {
    let options = &options.for_stage(program.stage);
    target::check(options).map_err(|problem| match problem.code.id == codes::NO_FORM.id {
        true => problem.at(program.span),
        false => problem,
    })?;
    let shader = shader::shader(program, options)?;
    let written = write::write(program, &shader, options)?;
    Ok(Translation {
        code: written.code,
        shader,
        options: options.clone(),
        entry: written.entry,
        given: program.given.clone(),
        host: program.host.clone(),
        names: written.names,
    })
}

impl Translation {
    /// The text; none for SPIR-V's words.
    pub fn text(&self) -> Option<&str> {
        match &self.code {
            Code::Text(text) => Some(text),
            Code::Words(_) => None,
        }
    }

    /// The words of SPIR-V; none for text.
    pub fn words(&self) -> Option<&[u32]> {
        match &self.code {
            Code::Text(_) => None,
            Code::Words(words) => Some(words),
        }
    }

    /// What a file of it holds; words have their lowest byte first.
    pub fn bytes(&self) -> Vec<u8> {
        match &self.code {
            Code::Text(text) => text.clone().into_bytes(),
            Code::Words(words) => words.iter().flat_map(|word| word.to_le_bytes()).collect(),
        }
    }

    /// The kind of shader.
    pub fn shape(&self) -> Shape {
        self.options.shape()
    }

    /// What the entry point is called; none for a function.
    pub fn entry(&self) -> Option<&str> {
        self.entry.as_deref()
    }

    /// The inputs of the shader.
    pub fn inputs(&self) -> &[Place] {
        &self.shader.inputs
    }

    /// The outputs of the shader.
    pub fn outputs(&self) -> &[Place] {
        &self.shader.outputs
    }

    /// What the host must bind.
    pub fn bindings(&self) -> &[Binding] {
        &self.shader.bindings
    }

    /// Constants to which the program gives values or names: what the host must put there.
    pub fn given(&self) -> &[Constant] {
        &self.given
    }

    /// What the host computes of them, once for a draw.
    pub fn host(&self) -> Option<&HostConstants> {
        self.host.as_ref()
    }

    /// Each operation with how often it is written, and how far the host may be from the machine in it; none where it cannot be.
    pub fn operations(&self) -> impl Iterator<Item = (&'static str, usize, Option<&'static str>)> {
        self.shader.body.operations.iter().map(|(operation, count)| {
            let doubt = match self.options.fidelity {
                Fidelity::Fast => fast::doubt(*operation),
                Fidelity::Exact => None,
            };
            (Operation::name(*operation), *count, doubt)
        })
    }

    /// With the host's floats: sums that are computed in integers as the machine does, with how often they are written, since what
    /// they add is taken back, and hosts' compilers leave both out.
    pub fn kept(&self) -> impl Iterator<Item = (&'static str, usize)> {
        self.shader.body.kept.iter().map(|(operation, count)| (operation.name(), *count))
    }
}

/// The example of the package's page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

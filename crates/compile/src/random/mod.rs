//! Random programs, which the compiler is tested with.
//!
//! A [`Program`] is a tree of functions with typed expressions and statements: branches, loops, switches with cases
//! in any order, side effects, matrices, arrays of arrays, `inout` parameters, early returns, and operations behind
//! conditions under which they have a value. An interpreter of that tree, which shares nothing with the compiler,
//! says what it computes. It is written in WGSL, GLSL, Cg or SPIR-V, in what the language has and defines;
//! [`check`](fn@check) compares what comes of the source, and the programs of machines, with the interpreter's
//! results. A program with a fault can be made [smaller](Program::shrunk).
//!
//! ```
//! use gpuzoo_compile::front::Language;
//! use gpuzoo_compile::options::Level;
//! use gpuzoo_compile::random::{Program, check};
//! let program = Program::random(7, Language::Wgsl);
//! assert!(String::from_utf8(program.source(Language::Wgsl)).unwrap().contains("@vertex"));
//! let checked = check(&program, Language::Wgsl, &[&gpuzoo_servaru::GPU], &[Level::Quick]).unwrap();
//! assert_eq!(checked.refused, None);
//! ```

mod check;
mod features;
mod generate;
mod interpret;
mod number;
mod shrink;
mod spirv;
mod tree;
mod write;

pub use check::{Checked, Fault, FaultKind, Fit, check, refusal};
pub use tree::Program;

use crate::front::Language;

/// A vector of four.
type V = [f32; 4];

/// The uniform vectors of all runs.
const UNIFORMS: [V; 8] = [
    [1.0, 2.0, 3.0, 4.0],
    [5.0, 6.0, 7.0, 8.0],
    [-1.0, -2.0, -3.0, -4.0],
    [0.5, 0.25, 0.125, 0.0625],
    [10.0, 20.0, 30.0, 40.0],
    [2.0, 0.0, 1.0, 3.0],
    [0.0, 1.0, 0.0, 1.0],
    [9.0, 8.0, 7.0, 6.0],
];

/// The columns of the uniform matrix.
const MATRIX: [V; 4] =
    [[1.0, 0.5, 0.0, -1.0], [0.0, 2.0, 1.0, 0.0], [-0.5, 0.0, 1.0, 3.0], [0.25, -2.0, 0.0, 1.0]];

/// The inputs of the runs.
const VECTORS: [[V; 2]; 5] = [
    [[1.5, -2.0, 3.25, 0.5], [4.0, 0.25, -1.0, 2.0]],
    [[4.0, 0.25, -1.0, 2.0], [1.5, -2.0, 3.25, 0.5]],
    [[0.0, 1.0, -1.0, 0.5], [1.5, -2.0, 3.25, 0.5]],
    [[7.25, -3.5, 2.0, -0.25], [1.0; 4]],
    [[0.0; 4], [-1.0, 2.0, 0.0, 3.0]],
];

impl Program {
    /// The program in a language; words of SPIR-V with their lowest byte first.
    pub fn source(&self, language: Language) -> Vec<u8> {
        match language {
            Language::SpirV => self.words().into_iter().flat_map(u32::to_le_bytes).collect(),
            _ => self.text(language).into_bytes(),
        }
    }

    /// The program for a reader: in the language, or what is near to SPIR-V in GLSL.
    pub fn listing(&self, language: Language) -> String {
        match language {
            Language::SpirV => self.text(Language::Glsl),
            _ => self.text(language),
        }
    }
}

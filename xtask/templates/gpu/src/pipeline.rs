//! The fixed function around the shader.

use crate::lowered;
use gpuzoo_diag::Diagnostic;
use gpuzoo_isa::Program;
use gpuzoo_machine::Cost;
use gpuzoo_machine::draw::{Draw, DrawReport};
use gpuzoo_machine::layout::{Layout, VertexFormat};
use gpuzoo_raster::Target;

/// How vertex attributes can be stored.
pub static FORMATS: &[VertexFormat] = &[];

/// What a program costs.
pub fn costs(program: &Program) -> Vec<Cost> {
    let per_run = lowered(program).steps.len() as u64;
    let (name, note) = ("instructions executed", "up to and including `end`");
    vec![Cost { name, per_run, frame_budget: None, note }]
}

/// The vertex layout that the machine starts with.
pub fn default_layout() -> Layout {
    Layout::default()
}

/// This machine has no pipeline yet, so a draw leaves the target as it is.
pub fn draw(_: &mut Target, _: &Draw, _: &mut Vec<Diagnostic>) -> DrawReport {
    DrawReport::default()
}

//! Sources compiled for a machine whose slots have two halves: how many slots, and what they compute.
#![cfg(feature = "sources")]

mod rows;

use gpuzoo_compile::front::{Language, Reading, read};
use gpuzoo_compile::options::{Built, Options};
use gpuzoo_compile::paired::build;
use gpuzoo_compile::shader::Shader;
use gpuzoo_diag::{Diagnostic, Sources};
use gpuzoo_machine::{ShaderUnit, TextOptions};
use gpuzoo_nv2a::GPU;

/// Reads a WGSL text.
fn shader(text: &str) -> Shader {
    let mut sources = Sources::default();
    let file = sources.add("t.wgsl", text);
    let (language, stage) = Language::of("t.wgsl").unwrap();
    let reading = Reading { language, entry: None, stage, defines: &[] };
    read(&sources, file, text.as_bytes(), &reading).unwrap_or_else(|problems| panic!("{problems:#?}")).0
}

/// The program of a WGSL text that leaves positions as they are.
fn raw(text: &str) -> Result<Built, Vec<Diagnostic>> {
    build(&GPU, &shader(text), &Options { raw_position: true, ..Options::default() })
}

/// How many slots a text has, and the program as text.
fn slots(text: &str) -> (usize, String) {
    let built = raw(text).unwrap_or_else(|problems| panic!("{problems:#?}"));
    (built.program.slots.len(), GPU.disassemble(&built.program, &TextOptions::default()).0)
}

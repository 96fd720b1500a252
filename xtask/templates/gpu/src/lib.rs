//! {{name}}.
//!
//! Write here what is peculiar about this machine, so that somebody who knows another one knows this one too.
#![forbid(unsafe_code)]

mod encoding;
mod lower;
mod ops;
mod pipeline;
mod regs;
mod rules;
mod syntax;

use gpuzoo_diag::Diagnostic;
use gpuzoo_isa::{Isa, Lowered, Program};
use gpuzoo_machine::draw::{Draw, DrawReport};
use gpuzoo_machine::layout::Layout;
use gpuzoo_machine::{About, Cost, Gpu, WritingNames};
use gpuzoo_raster::Target;
use std::sync::OnceLock;

/// The instruction set.
pub static ISA: Isa = Isa {
    ops: ops::OPS,
    opcode: encoding::OP,
    fields: encoding::FIELDS,
    files: regs::FILES,
    slot_words: 1,
    max_slots: encoding::MAX_SLOTS,
    syntax: syntax::SYNTAX,
    paired_ops: &[],
    address: None,
    custom: None,
    index: OnceLock::new(),
};

/// The only numeric profile.
pub const PROFILE: &str = "document";

/// What a program means.
pub fn lowered(program: &Program) -> Lowered {
    ISA.lower(program, PROFILE, &[])
}

static ABOUT: About = About {
    id: "{{id}}",
    name: "{{name}}",
    summary: "a machine that nobody has described yet",
    extensions: &["{{id}}"],
    writing: WritingNames::NONE,
    isa: &ISA,
    profiles: &[PROFILE],
    modes: &[],
    keeps_outputs: false,
    fragment_programs: false,
    jobs: false,
    codes: rules::CODES,
    vertex_formats: pipeline::FORMATS,
    texture_formats: &[],
    texture_units: 0,
    vectors: &[],
    screen: (320, 240),
};

/// The machine, for the registry.
pub static GPU: Machine = Machine;

/// The machine.
#[derive(Clone, Copy, Debug)]
pub struct Machine;

impl Gpu for Machine {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self, program: &Program) -> Vec<Diagnostic> {
        rules::check(program)
    }

    fn lower(&self, program: &Program, _profile: &str) -> Lowered {
        lowered(program)
    }

    fn costs(&self, program: &Program) -> Vec<Cost> {
        pipeline::costs(program)
    }

    fn default_layout(&self) -> Layout {
        pipeline::default_layout()
    }

    fn draw(&self, target: &mut Target, draw: &Draw, problems: &mut Vec<Diagnostic>) -> DrawReport {
        pipeline::draw(target, draw, problems)
    }
}

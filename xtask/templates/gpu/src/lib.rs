//! Template GPU.
//!
//! Write here what is peculiar about this machine, so that a reader who knows another machine knows this one too.
#![forbid(unsafe_code)]

mod encoding;
mod lower;
mod ops;
mod pipeline;
mod regs;
mod rules;
mod syntax;

use gpuzoo_diag::Diagnostic;
use gpuzoo_isa::{Bits, Half, Isa, Lowered, Profile, Program, Room};
use gpuzoo_machine::limits::budget::Refusal;
use gpuzoo_machine::unit::draw::{Draw, DrawReport};
use gpuzoo_machine::unit::layout::Layout;
use gpuzoo_machine::{About, Cost, Gpu, RunState, ShaderUnit};
use gpuzoo_raster::Target;

/// The instruction set.
pub static ISA: Isa = Isa {
    halves: &[Half { ops: ops::OPS, opcode: encoding::OP, undefined: "the machine does nothing" }],
    other_fields: &[],
    files: regs::FILES,
    slot_words: 1,
    room: Room::Slots(encoding::MAX_SLOTS),
    last: None,
    filler: Bits::word(0),
    syntax: &syntax::SYNTAX,
    address: None,
};

/// The only numeric profile, `document`.
pub const PROFILE: Profile = Profile(0);

/// What a program means.
pub fn lowered(program: &Program) -> Lowered {
    ISA.lower(program, PROFILE, &[])
}

static ABOUT: About = About::new("template", "Template GPU", "a machine without a description yet")
    .extensions(&["template"])
    .codes(&[rules::CODES])
    .vertex_formats(pipeline::FORMATS)
    .screen((320, 240));

/// The machine, for the registry.
pub static GPU: Machine = Machine;

/// The machine.
#[derive(Clone, Copy, Debug)]
pub struct Machine;

impl Gpu for Machine {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn shader_unit(&'static self) -> Option<&'static dyn ShaderUnit> {
        Some(self)
    }
}

impl ShaderUnit for Machine {
    fn isa(&self) -> &'static Isa {
        &ISA
    }

    fn check(&self, program: &Program) -> Vec<Diagnostic> {
        rules::check(program)
    }

    fn lower(&self, program: &Program, run_state: &RunState) -> (Lowered, Vec<Diagnostic>) {
        (ISA.lower(program, PROFILE, run_state.start), Vec::new())
    }

    fn costs(&self, program: &Program) -> Vec<Cost> {
        pipeline::costs(program)
    }

    fn default_layout(&self) -> Layout {
        pipeline::default_layout()
    }

    fn draw(
        &self,
        target: &mut Target,
        draw: &Draw,
        problems: &mut Vec<Diagnostic>,
    ) -> Result<DrawReport, Refusal> {
        pipeline::draw(target, draw, problems)
    }
}

/// The example of the package's page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

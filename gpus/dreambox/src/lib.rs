//! The Vertex Unit of the Dreambox fantasy console.
//!
//! A Dreambox program is at most 64 instructions long, works on sixteen vec4 registers, and has no branches. Two
//! things are peculiar about it:
//!
//! - **Two operands, the first of which is also the result.** `add r0 r1` is `r0 = r0 + r1`. There are no swizzles on
//!   operands and no write masks, but for `shf`, which is nothing else. So most programs are loads, `mulm` (a 4×4
//!   matrix in four consecutive registers) and stores.
//! - **It runs as GLSL.** The console's runtime interprets the words in a vertex shader on the host's GPU, so what
//!   GLSL leaves open is open here: registers that were never written, `mulm` above r12, the precision of `pow` and the
//!   trigonometric functions. gpuzoo gives all of it a value, reports what is undefined, and computes the rest to
//!   half a unit in the last place.
//!
//! The runtime's cost model still thinks that opcodes have 4 bits, so it takes `max` for the end of the program. The
//! sources of every fact, and what was decided where they differ, are in this crate's `docs` folder.
#![forbid(unsafe_code)]

mod combiner;
mod conventions;
mod cost;
mod encoding;
pub mod fetch;
mod host;
mod issue;
mod lints;
mod lower;
mod ops;
mod pipeline;
mod regs;
mod rules;
mod stimulus;
mod syntax;
mod vectors;

use gpuzoo_diag::{Diagnostic, File};
use gpuzoo_isa::{Assembled, Bits, Half, Isa, Lowered, Profile, Program, Room};
use gpuzoo_machine::limits::budget::Refusal;
use gpuzoo_machine::options::settings::Table;
use gpuzoo_machine::target::conventions::Conventions;
use gpuzoo_machine::target::host::HostDraw;
use gpuzoo_machine::target::sequence::Sequence;
use gpuzoo_machine::unit::draw::{Draw, DrawReport};
use gpuzoo_machine::unit::layout::Layout;
use gpuzoo_machine::unit::starter::Starter;
use gpuzoo_machine::vectors::stimulus::ProgramVectors;
use gpuzoo_machine::{About, Cost, Gpu, RunState, ShaderUnit, TextOptions};
use gpuzoo_raster::Target;

pub use cost::{FRAME_BUDGET, billed};

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

static ABOUT: About = About::new(
    "dreambox",
    "Dreambox Vertex Unit",
    "the vertex shader of the Dreambox fantasy console: 64 instructions, 16 vec4 registers",
)
.extensions(&["vu"])
.profiles(&[("document", "what the documents and the runtime's shaders say")])
.sample(&[("main.vu", include_str!("sample/main.vu"))])
.settings(pipeline::KEYS)
.codes(&[rules::CODES])
.vertex_formats(fetch::FORMATS)
.textures(2, pipeline::TEXTURE_FORMATS)
.vectors(vectors::KINDS);

/// The machine.
#[derive(Clone, Copy, Debug)]
pub struct Dreambox;

/// The machine, for the registry.
pub static GPU: Dreambox = Dreambox;

impl Gpu for Dreambox {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn shader_unit(&'static self) -> Option<&'static dyn ShaderUnit> {
        Some(self)
    }
}

impl ShaderUnit for Dreambox {
    fn isa(&self) -> &'static Isa {
        &ISA
    }

    fn assemble(&self, file: &File, _: &TextOptions) -> Assembled {
        rules::assemble(file)
    }

    fn disassemble(&self, program: &Program, options: &TextOptions) -> (String, Vec<Diagnostic>) {
        let note = ISA.other_words(&program.slots, program.span).filter(|_| !options.exact);
        (rules::disassemble(program, options.exact), note.into_iter().collect())
    }

    fn check(&self, program: &Program) -> Vec<Diagnostic> {
        rules::check(program)
    }

    fn lower(&self, program: &Program, run_state: &RunState) -> (Lowered, Vec<Diagnostic>) {
        (ISA.lower(program, PROFILE, run_state.start), Vec::new())
    }

    fn conventions(&self) -> Option<&dyn Conventions> {
        Some(&conventions::PORTS)
    }

    fn sequence(&self) -> Option<&dyn Sequence> {
        Some(&issue::PROGRAMS)
    }

    fn costs(&self, program: &Program) -> Vec<Cost> {
        cost::costs(program)
    }

    fn default_layout(&self) -> Layout {
        fetch::default_layout()
    }

    fn complete_layout(&self, layout: Layout) -> Layout {
        fetch::with_unset_inputs(&layout)
    }

    fn starter(&self, _: &Program, _: (u32, u32)) -> Starter {
        Starter::new(0)
            .formats(&[
                ("position", "Float3"),
                ("normal", "Float3"),
                ("texcoord", "Float2"),
                ("color", "UNorm4"),
            ])
            .texcoords(&[1])
            .state("depth_compare", "\"less\"")
            .state("depth_write", "true")
    }

    fn program_vectors(&self) -> Option<&dyn ProgramVectors> {
        Some(self)
    }

    fn reads_texture(&self, unit: usize, state: &Table) -> bool {
        pipeline::reads_texture(unit, state)
    }

    fn host_draw(&self, target: &Target, draw: &Draw) -> Result<HostDraw, Vec<Diagnostic>> {
        host::host_draw(target, draw)
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

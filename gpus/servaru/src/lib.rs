//! The shader unit of Servaru-I, which existed only on paper.
//!
//! Servaru is a small GPU by zephray. For two months its repository held a document that describes a shader instruction
//! set, "loosely DX 8.1 SM 1.4 / OpenGL 1.3 with ARB shader"; then the document made way for a RISC-V core, and nothing was
//! ever built to it. This crate closes what the document leaves open, so that each of the 2⁶⁴ words has one meaning. Four
//! things are peculiar about it:
//!
//! - **One word form.** An opcode, a destination and three sources, each 14 bits, in all 31 instructions. A source is a
//!   register or a 13-bit floating-point number that stands for all four lanes.
//! - **Four bits for sign and swizzle.** They say the orders that ARB programs use: one lane for all, or xyzw, yzxw, zxyw,
//!   zwxy, plain or negated.
//! - **Shared registers.** P0 to P31 lie between the stages: a vertex shader leaves its varyings where the interpolator
//!   takes them. Uniforms and shared registers have one read port each; more reads take more cycles.
//! - **Fragments run in quads**, four in step, each with registers of its own. Texture reads take the level of detail from
//!   the differences between them.
//!
//! No jump, no flag, no memory: a program is a straight line, and `EXC`, whose word is 0, ends a run with an error. The
//! sources of every fact, and what was decided where the document is silent, are in this crate's `docs` folder.
#![forbid(unsafe_code)]

mod arb;
mod conventions;
mod encoding;
mod fetch;
mod host;
mod issue;
mod limits;
mod lints;
mod lower;
mod meaning;
mod modes;
mod number;
mod ops;
mod pipeline;
mod program;
mod quad;
mod regs;
mod rules;
mod shade;
mod stimulus;
mod syntax;
mod units;
mod vectors;

pub use number::immediate;

use gpuzoo_diag::{Diagnostic, File};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{Assembled, Bits, Half, Isa, Lowered, Profile, Program, Room, Slot, Stage};
use gpuzoo_machine::limits::budget::Refusal;
use gpuzoo_machine::session::ShaderSession;
use gpuzoo_machine::target::conventions::Conventions;
use gpuzoo_machine::target::host::HostDraw;
use gpuzoo_machine::target::sequence::Sequence;
use gpuzoo_machine::unit::draw::{Draw, DrawReport};
use gpuzoo_machine::unit::layout::Layout;
use gpuzoo_machine::unit::starter::Starter;
use gpuzoo_machine::vectors::stimulus::{ProgramVectors, Stimulus};
use gpuzoo_machine::{
    About, Cost, FragmentPrograms, Gpu, Lowering, RunState, ShaderUnit, TextOptions, TextureRead,
};
use gpuzoo_raster::{Target, Touch};
use std::sync::Arc;

pub use limits::Limits;
pub use meaning::{Fault, cycles, fault, lowered, stage};

/// The instruction set.
pub static ISA: Isa = Isa {
    halves: &[Half { ops: ops::OPS, opcode: encoding::OP, undefined: "the instruction is illegal" }],
    other_fields: &[encoding::RSVD],
    files: regs::FILES,
    slot_words: 2,
    room: Room::Unknown,
    last: None,
    filler: Bits::word(0),
    syntax: &syntax::SYNTAX,
    address: None,
};

/// The only numeric profile, `ieee`: single precision as IEEE 754 has it.
pub const PROFILE: Profile = Profile(0);

static ABOUT: About = About::new(
    "servaru",
    "Servaru-I shader unit",
    "a shader instruction set of DirectX 8.1 class that existed only as a document",
)
.extensions(&["svs"])
.profiles(&[("ieee", "single precision as IEEE 754 has it")])
.settings(pipeline::KEYS)
.modes(modes::MODES)
.sample(&[("main.svs", include_str!("sample/main.svs")), ("light.svs", include_str!("sample/light.svs"))])
.codes(&[rules::CODES])
.vertex_formats(fetch::FORMATS)
.textures(units::UNITS, pipeline::TEXTURE_FORMATS)
.vectors(vectors::KINDS);

/// The vertex program of a fragment program that comes alone.
const STARTER_VERTEX: &str = "\
.vertex
DP4 P9.x, P0, U0;       # the place in clip space
DP4 P9.y, P0, U1;
DP4 P9.z, P0, U2;
DP4 P9.w, P0, U3;
MOV P10, P2;            # texture coordinates
DP3 P11.x, P1, U4;      # the normal, seen from the eye
DP3 P11.y, P1, U5;
DP3 P11.z, P1, U6;
DP4 R0.x, P0, U4;       # the direction to the eye
DP4 R0.y, P0, U5;
DP4 R0.z, P0, U6;
MOV P12.xyz, -R0;
MOV P13, P3;            # colour
";

/// The machine.
#[derive(Clone, Copy, Debug)]
pub struct Servaru;

/// The machine, for the registry.
pub static GPU: Servaru = Servaru;

impl Gpu for Servaru {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn shader_unit(&'static self) -> Option<&'static dyn ShaderUnit> {
        Some(self)
    }
}

impl ShaderUnit for Servaru {
    fn isa(&self) -> &'static Isa {
        &ISA
    }

    fn assemble(&self, file: &File, _: &TextOptions) -> Assembled {
        program::assemble(file)
    }

    fn disassemble(&self, program: &Program, options: &TextOptions) -> (String, Vec<Diagnostic>) {
        let note = ISA.other_words(&program.slots, program.span).filter(|_| !options.exact);
        (program::disassemble(program, options.exact), note.into_iter().collect())
    }

    fn check(&self, program: &Program) -> Vec<Diagnostic> {
        lints::check(program)
    }

    fn lower(&self, program: &Program, run_state: &RunState) -> (Lowered, Vec<Diagnostic>) {
        let stage = modes::stage(run_state.modes).unwrap_or_else(|| stage(program));
        let mut problems: Vec<Diagnostic> = Vec::new();
        if let Some(limits) = modes::limits(run_state.modes) {
            problems.extend(limits.check(program, stage, program.span));
        }
        problems.extend(fault(program, stage).map(|fault| fault.error(program)));
        (meaning::lowered_in(program, stage, run_state), problems)
    }

    fn conventions(&self) -> Option<&dyn Conventions> {
        Some(&conventions::PORTS)
    }

    fn sequence(&self) -> Option<&dyn Sequence> {
        Some(&issue::PROGRAMS)
    }

    fn costs(&self, program: &Program) -> Vec<Cost> {
        meaning::costs(program)
    }

    fn cycles(&self, slot: &Slot) -> u64 {
        meaning::slot_cycles(slot)
    }

    fn default_layout(&self) -> Layout {
        fetch::default_layout()
    }

    fn complete_layout(&self, layout: Layout) -> Layout {
        fetch::complete(layout)
    }

    fn starter(&self, program: &Program, _: (u32, u32)) -> Starter {
        let starter = Starter::new(regs::COLOR.index)
            .input(0, "position", "FLOAT3")
            .input(1, "normal", "FLOAT3")
            .input(2, "texcoord", "FLOAT2")
            .input(3, "color", "FLOAT4")
            .state("sample", "\"centre\"")
            .state("cull", "\"none\"");
        match stage(program) {
            // Its varyings are in the order of the documents' own examples.
            Stage::Fragment => starter.partner(STARTER_VERTEX.to_owned()),
            Stage::Vertex => starter,
        }
    }

    fn vertex_stage(&'static self, _target: &Target, draw: &Draw) -> (Lowering, Vec<Vec4>) {
        (Arc::new(|program: &Program| lowered(program, Stage::Vertex)), draw.constants.to_vec())
    }

    fn program_vectors(&self) -> Option<&dyn ProgramVectors> {
        Some(self)
    }

    fn fragment_programs(&self) -> Option<&dyn FragmentPrograms> {
        Some(self)
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

impl FragmentPrograms for Servaru {
    fn interpolated(&self, input: u16) -> Option<u16> {
        pipeline::interpolated(input)
    }

    fn unit(&self, sample: u8) -> usize {
        lower::Read::of_sample(sample).1
    }

    fn read(&self, sample: u8) -> TextureRead {
        match lower::Read::of_sample(sample).0 {
            lower::Read::Filtered => TextureRead::Filtered,
            lower::Read::Biased => TextureRead::Biased,
            lower::Read::Texel => TextureRead::Texel,
        }
    }

    fn stimulus(&self, draw: &Draw, touch: &Touch) -> Option<Stimulus> {
        pipeline::stimulus(draw, touch)
    }

    fn session(&self, target: &Target, draw: &Draw, touch: &Touch) -> Result<Option<ShaderSession>, Refusal> {
        pipeline::fragment_session(target, draw, touch)
    }
}

/// The example of the package's page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

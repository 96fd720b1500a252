//! PicoGpu: its shader units, and everything around them.
//!
//! PicoGpu is a small GPU, written as a SystemC model, that draws triangles with vertex and fragment shaders. Its shader
//! unit runs up to 32 threads in lock step, on sixteen vec4 registers each. There are no branches, no memory accesses
//! and no flags: one instruction is one cycle, and a program of I instructions answers I + 1 cycles after its last
//! input. Peculiar about it:
//!
//! - **Programs say what they take and give.** `#input r0.xyz` puts three floats of the vertex buffer into r0. The
//!   declarations become the three dwords of the command that stores the program in a unit; a program's binary is this
//!   command with the program behind it.
//! - **Interpolation is code.** A fragment shader gets the pixel's x and y and the triangle's vertices. The assembler puts
//!   22 to 32 instructions in front of the program that compute its inputs from them, perspective correct. The
//!   disassembler shows them as what they are: comments.
//! - **Registers have no type.** `fadd` and `iadd` work on the same 32 bits; `finit` and `iinit` are one opcode, and the
//!   disassembler has to guess which was written.
//! - **Values are words of their own.** `fadd r0.xyz r1 1.0 2.0` is three dwords; the last value repeats for further
//!   lanes, and none costs a cycle.
//!
//! - **Around the units everything is plain.** A [`Device`] is the whole machine: 21,000 dwords of memory, pins, a blitter,
//!   lists of triangles, a rasterizer that tries every pixel with rounded edge functions, batches of 32 fragments, a depth
//!   test. There is no clipping, no culling, no viewport and no blending. [`Job`] is a draw as raw words.
//! - **Its cycles are known.** A draw tells how many it takes and where they go ([`Part`]), and what the blocks do can be
//!   recorded and looked at as waveforms ([`write_vcd`]).
//!
//! Its document and its implementation differ in nineteen places. Profile `document` has the document's view; profile
//! `unit` does as the implementation does, bit for bit.
#![forbid(unsafe_code)]

mod conventions;
mod declarations;
mod device;
mod draw;
mod encoding;
mod fetch;
mod frame;
mod header;
mod host;
mod issue;
mod job;
mod lints;
mod lower;
mod meaning;
mod memory;
mod number;
mod ops;
mod picture;
mod pins;
mod pipeline;
mod problems;
mod profile;
mod program;
mod regs;
mod rules;
mod scan;
mod shade;
mod starter;
mod stimulus;
mod syntax;
mod timeline;
mod timing;
mod unit;
mod vcd;
mod vectors;

use gpuzoo_diag::{Diagnostic, File, Span};
use gpuzoo_isa::{Assembled, Bits, Half, Isa, Lowered, Program, Room};
use gpuzoo_machine::limits::budget::Refusal;
use gpuzoo_machine::options::keys::Key;
use gpuzoo_machine::options::settings::Table;
use gpuzoo_machine::session::ShaderSession;
use gpuzoo_machine::target::conventions::Conventions;
use gpuzoo_machine::target::host::HostDraw;
use gpuzoo_machine::target::sequence::Sequence;
use gpuzoo_machine::unit::cache::Cache;
use gpuzoo_machine::unit::draw::{Draw, DrawReport};
use gpuzoo_machine::unit::job::{JobDone, JobHead, JobOptions, PixelRuns, WrittenDraw};
use gpuzoo_machine::unit::layout::Layout;
use gpuzoo_machine::unit::starter::Starter;
use gpuzoo_machine::vectors::stimulus::{ProgramVectors, Stimulus};
use gpuzoo_machine::{
    About, Cost, FragmentPrograms, Gpu, Jobs, RunState, ShaderUnit, TextOptionNames, TextOptions,
};
use gpuzoo_raster::{Target, Touch};
use std::sync::LazyLock;

pub use device::{Device, DeviceError, MAX_BLIT, Options};
pub use draw::{Drawn, TriangleReport};
pub use encoding::MAX_DWORDS;
pub use header::{HeaderError, descriptor, execute};
pub use job::{Done, Job, JobDraw, Recording};
pub use lints::{check, check_pair};
pub use meaning::{costs, descriptors, lowered};
pub use memory::{Faults, MAX_DWORDS_WITHOUT_LIMIT, MEMORY_DWORDS, Memory};
pub use pins::{MAX_SIDE, MAX_VERTICES, Pins};
pub use profile::{DOCUMENT, UNIT};
pub use program::{assemble, body, disassemble, dwords as program_dwords, load, save};
pub use timeline::{Block, MAX_INTERVALS, MAX_RUNS, Run, Timeline};
pub use timing::{Breakdown, Part};
pub use unit::{Execution, MAX_THREADS, Unit, UnitError};
pub use vcd::{MAX_CHANGES, VcdOptions, write_vcd};
pub use vectors::KINDS;

/// The instruction set.
pub static ISA: Isa = Isa {
    halves: &[Half { ops: ops::OPS, opcode: encoding::OP, undefined: "the unit stops with an error" }],
    other_fields: &[],
    files: regs::FILES,
    slot_words: 1,
    room: Room::Words(encoding::MAX_DWORDS),
    last: None,
    filler: Bits::word(0),
    syntax: &syntax::SYNTAX,
    address: None,
};

static ABOUT: About = About::new(
    "picogpu",
    "PicoGpu",
    "a small GPU with vertex and fragment shaders on two units of 32 threads, cycle by cycle",
)
.extensions(&["pico"])
// The reference's assembler reads other texts than the document describes.
.text_options(TextOptionNames { dialects: syntax::DIALECTS, ..TextOptionNames::NONE })
.profiles(profile::PROFILES)
.sample(&[("main.pico", include_str!("sample/main.pico")), ("light.pico", include_str!("sample/light.pico"))])
.settings(pipeline::KEYS)
.codes(&[rules::CODES])
.vertex_formats(fetch::FORMATS)
.vectors(KINDS)
.screen((100, 100));

/// The machine. It outlives jobs, so it is what keeps their programs; those of scenes are kept by the scene.
#[derive(Debug)]
pub struct PicoGpu {
    jobs: LazyLock<Cache>,
}

/// The machine, for the registry.
pub static GPU: PicoGpu = PicoGpu { jobs: LazyLock::new(Cache::default) };

impl Gpu for PicoGpu {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn shader_unit(&'static self) -> Option<&'static dyn ShaderUnit> {
        Some(self)
    }

    fn jobs(&self) -> Option<&dyn Jobs> {
        Some(self)
    }
}

impl ShaderUnit for PicoGpu {
    fn isa(&self) -> &'static Isa {
        &ISA
    }

    fn positions_are_pixels(&self, _: &Table) -> bool {
        true
    }

    fn assemble(&self, file: &File, options: &TextOptions) -> Assembled {
        let dialect = options.dialect.and_then(|name| ABOUT.profile(name));
        assemble(file, dialect.unwrap_or(DOCUMENT))
    }

    fn load(&self, bytes: &[u8], span: Span) -> Assembled {
        load(bytes, span)
    }

    fn save(&self, program: &Program) -> Vec<u8> {
        save(program)
    }

    fn disassemble(&self, program: &Program, options: &TextOptions) -> (String, Vec<Diagnostic>) {
        let note = ISA.other_words(&program.slots, program.span).filter(|_| !options.exact);
        let (text, problem) = match options.dialect {
            Some(profile::UNIT_NAME) => program::disassemble_for_unit(program, options.exact),
            _ => (disassemble(program, options.exact), None),
        };
        (text, note.into_iter().chain(problem).collect())
    }

    fn check(&self, program: &Program) -> Vec<Diagnostic> {
        check(program)
    }

    fn lower(&self, program: &Program, run_state: &RunState) -> (Lowered, Vec<Diagnostic>) {
        (meaning::lowered_in(program, run_state), Vec::new())
    }

    fn added(&self, program: &Program) -> usize {
        program::body(program).map_or(0, |own| program.slots.len() - own.len())
    }

    fn conventions(&self) -> Option<&dyn Conventions> {
        Some(&conventions::PORTS)
    }

    fn sequence(&self) -> Option<&dyn Sequence> {
        Some(&issue::PROGRAMS)
    }

    fn costs(&self, program: &Program) -> Vec<Cost> {
        costs(program)
    }

    fn default_layout(&self) -> Layout {
        fetch::default_layout()
    }

    fn starter(&self, program: &Program, size: (u32, u32)) -> Starter {
        starter::starter(program, size)
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

    fn program_vectors(&self) -> Option<&dyn ProgramVectors> {
        Some(self)
    }

    fn fragment_programs(&self) -> Option<&dyn FragmentPrograms> {
        Some(self)
    }
}

impl Jobs for PicoGpu {
    fn run(&self, file: &File, options: &JobOptions) -> (Option<JobDone>, Vec<Diagnostic>) {
        job::run(file, options, &self.jobs)
    }

    fn check(&self, file: &File, options: &JobOptions) -> Vec<Diagnostic> {
        job::Job::read(file, options).1
    }

    fn is_job(&self, file: &File) -> bool {
        job::is_job(file)
    }

    fn pick(
        &self,
        file: &File,
        options: &JobOptions,
        pixel: (u32, u32),
    ) -> (Option<PixelRuns>, Vec<Diagnostic>) {
        job::runs::pick(file, options, pixel, &self.jobs)
    }

    fn vertex(
        &self,
        file: &File,
        options: &JobOptions,
        vertex: usize,
    ) -> (Option<Result<ShaderSession, usize>>, Vec<Diagnostic>) {
        job::runs::vertex(file, options, vertex)
    }

    fn of_draw(&self, draw: &Draw) -> Result<WrittenDraw, Vec<Diagnostic>> {
        pipeline::written(draw)
    }

    fn document(&self, head: &JobHead, draws: Vec<WrittenDraw>) -> Result<String, Diagnostic> {
        job::written::document(head, draws)
    }

    fn keys(&self) -> &'static [&'static dyn Key] {
        job::keys::JOB
    }
}

impl FragmentPrograms for PicoGpu {
    fn sets(&self, constant: u16) -> bool {
        constant >= regs::FIRST_PLANE
    }

    fn stimulus(&self, draw: &Draw, touch: &Touch) -> Option<Stimulus> {
        pipeline::stimulus(draw, touch)
    }

    fn session(
        &self,
        _target: &Target,
        draw: &Draw,
        touch: &Touch,
    ) -> Result<Option<ShaderSession>, Refusal> {
        Ok(pipeline::fragment_session(draw, touch))
    }
}

/// The example of the package's page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

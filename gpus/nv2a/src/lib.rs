//! The vertex shader of the original Xbox.
//!
//! A program is up to 136 slots of 128 bits, without branches, on twelve vec4 temporaries, sixteen inputs and 192
//! constants. Three things are peculiar about it:
//!
//! - **A slot has two halves that run at once**: the MAC (multiply, add, dot products, comparisons) and the ILU (inverses,
//!   exponent, logarithm, light). They share one input number, one constant number, one source C and one output port, and
//!   beside a MAC operation the ILU writes r1, whatever the slot says. What fits together is one rule (`pair.rs`).
//! - **Its arithmetic is its own**: it truncates, adds all products of a dot product at once, takes 0 times anything for
//!   +0, orders NaN beyond infinity, and gets inverses from tables and Newton steps. The profile `hw` is that; `cpu` is the
//!   emulator nv2a_vsh_cpu, which is IEEE with edges of its own.
//! - **People write for it in three dialects**: nv2a_vsh_asm's, `NV_vertex_program`'s and Direct3D 8's. All three are read
//!   and written; a text's header tells which it is.
//!
//! The sources of every fact, and what was decided where they differ, are in this crate's `docs` folder.
#![forbid(unsafe_code)]

mod log;
mod vertex;

use gpuzoo_diag::{Diagnostic, File, FileId, Lexeme, Role, Sources, Symbol};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{Assembled, Isa, Lowered, Program, Syntax};
use gpuzoo_machine::limits::budget::Refusal;
use gpuzoo_machine::options::settings::Table;
use gpuzoo_machine::target::conventions::Conventions;
use gpuzoo_machine::target::host::HostDraw;
use gpuzoo_machine::target::slots::Slots;
use gpuzoo_machine::unit::draw::{Draw, DrawReport};
use gpuzoo_machine::unit::layout::Layout;
use gpuzoo_machine::unit::logged::Logged;
use gpuzoo_machine::unit::starter::Starter;
use gpuzoo_machine::vectors::stimulus::ProgramVectors;
use gpuzoo_machine::{About, Cost, Gpu, Lowering, RunState, ShaderUnit, TextOptionNames, TextOptions};
use gpuzoo_raster::Target;
use std::ops::Range;

pub use gpuzoo_machine::unit::PositionSpace;
pub use vertex::ISA;
pub use vertex::dialects::DIALECTS;
pub use vertex::dialects::counting::ConstantMap;
pub use vertex::dialects::d3d::D3D;
pub use vertex::dialects::d3d::preprocess::{Given, Map, Preprocessed, preprocess};
pub use vertex::dialects::dialect::Dialect;
pub use vertex::dialects::vp::VP;
pub use vertex::dialects::vsh::VSH;
pub use vertex::dialects::vsh::print::reference;
pub use vertex::lower::{CPU, HW};
pub use vertex::pipeline::lowered;
pub use vertex::program::disassemble::{Disassembled, disassemble, disassemble_exactly};
pub use vertex::program::facts::{Kind, kind};
pub use vertex::program::{Final, Options, assemble, check};

use vertex::{conventions, dialects, fetch, host, issue, lower, modes, pipeline, program, rules, vectors};

static ABOUT: About = About::new(
    "nv2a",
    "NV2A vertex shader",
    "the vertex shader of the original Xbox: 136 paired slots, 192 constants",
)
.extensions(&["vsh", "vp", "xvs"])
.text_options(TextOptionNames {
    dialects: &dialects::DESCRIBED,
    numberings: dialects::counting::NUMBERINGS,
    positions: true,
    macros: true,
    logs: true,
})
.profiles(lower::PROFILES)
.modes(modes::MODES)
.settings(pipeline::KEYS)
.outputs_persist()
.sample(&[("main.vsh", include_str!("sample/main.vsh"))])
.codes(&[rules::CODES])
.vertex_formats(fetch::FORMATS)
.textures(1, pipeline::TEXTURE_FORMATS)
.vectors(vectors::KINDS);

/// The machine.
#[derive(Clone, Copy, Debug)]
pub struct Nv2a;

/// How a text is to be read.
fn reading(options: &TextOptions) -> Options {
    let dialect = options.dialect.and_then(Dialect::find);
    let constants = options.numbering.and_then(ConstantMap::find);
    let positions = options.position.unwrap_or_default();
    Options { dialect, constants, positions, ..Options::default() }
}

/// The dialect of a text.
fn dialect(text: &str, options: &TextOptions) -> &'static Dialect {
    reading(options).dialect.unwrap_or_else(|| Dialect::of(text))
}

/// The machine, for the registry.
pub static GPU: Nv2a = Nv2a;

impl Gpu for Nv2a {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn shader_unit(&'static self) -> Option<&'static dyn ShaderUnit> {
        Some(self)
    }
}

impl ShaderUnit for Nv2a {
    fn positions_are_pixels(&self, state: &Table) -> bool {
        pipeline::positions_are_pixels(state)
    }

    fn isa(&self) -> &'static Isa {
        &ISA
    }

    fn assemble(&self, file: &File, options: &TextOptions) -> Assembled {
        let given = Given { defines: options.defines, ..Given::default() };
        program::assemble_with(file, &reading(options), given)
    }

    fn assemble_in(&self, sources: &mut Sources, file: FileId, options: &TextOptions) -> Assembled {
        // A copy, because files that are included are added.
        let file = sources.get(file).clone();
        let given = Given { sources: Some(sources), include: options.include, defines: options.defines };
        program::assemble_with(&file, &reading(options), given)
    }

    fn syntax(&self, text: &str, options: &TextOptions) -> &'static Syntax {
        dialect(text, options).syntax()
    }

    fn lexemes(&self, text: &str, options: &TextOptions) -> Vec<Lexeme> {
        let dialect = dialect(text, options);
        let mut words = ISA.lexemes(dialect.syntax(), text);
        let mut lines = (dialect.lines)(text);
        if !lines.is_empty() {
            let mut at = 0;
            words.retain(|word| {
                at += lines[at..].iter().take_while(|line| line.end <= word.start).count();
                let Some(line) = lines.get_mut(at).filter(|line| line.start < word.end) else { return true };
                // A comment may go on behind the line.
                line.end = line.end.max(word.end);
                false
            });
            let whole = |line: Range<usize>| Lexeme {
                role: Role::Directive,
                start: line.start,
                end: line.end,
                begins: true,
            };
            words.extend(lines.into_iter().map(whole));
            words.sort_by_key(|word| word.start);
        }
        words
    }

    fn symbols(&self, sources: &mut Sources, file: FileId, options: &TextOptions) -> Vec<Symbol> {
        (dialect(sources.get(file).text(), options).symbols)(sources, file, options)
    }

    fn logged(&self, log: &File, options: &TextOptions) -> Option<Result<Logged, Diagnostic>> {
        Some(log::read(log, options))
    }

    fn disassemble(&self, program: &Program, options: &TextOptions) -> (String, Vec<Diagnostic>) {
        let dialect = options.dialect.and_then(Dialect::find).unwrap_or(&VSH);
        let constants = options.numbering.and_then(ConstantMap::find);
        let way = if options.exact { disassemble_exactly } else { disassemble };
        let Disassembled { text, diagnostics } = way(program, dialect, constants);
        (text, diagnostics)
    }

    fn check(&self, program: &Program) -> Vec<Diagnostic> {
        program::check(program)
    }

    fn lower(&self, program: &Program, run_state: &RunState) -> (Lowered, Vec<Diagnostic>) {
        modes::lowered(program, run_state)
    }

    fn costs(&self, program: &Program) -> Vec<Cost> {
        pipeline::costs(&lowered(program, HW))
    }

    fn slots(&self) -> Option<&dyn Slots> {
        Some(&issue::Pairs)
    }

    fn conventions(&self) -> Option<&dyn Conventions> {
        Some(&conventions::Ports)
    }

    fn coordinates(&self, unit: usize) -> Option<u16> {
        (unit == 0).then_some(pipeline::TEXTURE0)
    }

    fn default_layout(&self) -> Layout {
        fetch::default_layout()
    }

    fn starter(&self, program: &Program, size: (u32, u32)) -> Starter {
        pipeline::starter(program, size)
    }

    fn program_vectors(&self) -> Option<&dyn ProgramVectors> {
        Some(self)
    }

    fn vertex_stage(&'static self, target: &Target, draw: &Draw) -> (Lowering, Vec<Vec4>) {
        pipeline::vertex_stage(target, draw)
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

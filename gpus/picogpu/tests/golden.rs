//! The golden files of this folder; see the crate `gpuzoo-golden`.

use gpuzoo_diag::{Diagnostic, File, Span};
use gpuzoo_golden::{KIT_CODES, Suite};
use gpuzoo_isa::{Assembled, Lowered, Program};
use gpuzoo_machine::draw::{Draw, DrawReport};
use gpuzoo_machine::layout::Layout;
use gpuzoo_machine::{About, Cost, Gpu, WritingNames};
use gpuzoo_picogpu::{CODES, DOCUMENT, ISA, KINDS, PROFILES};
use gpuzoo_raster::Target;
use std::path::Path;
use std::process::ExitCode;

/// The shader unit alone, which draws nothing.
struct ShaderUnit;

static ABOUT: About = About {
    id: "picogpu",
    name: "PicoGpu",
    summary: "the shader unit of PicoGpu",
    extensions: &["pico"],
    writing: WritingNames::NONE,
    isa: &ISA,
    profiles: PROFILES,
    codes: CODES,
    vertex_formats: &[],
    texture_formats: &[],
    texture_units: 0,
    vectors: KINDS,
    screen: (0, 0),
};

impl Gpu for ShaderUnit {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn assemble(&self, file: &File) -> Assembled {
        gpuzoo_picogpu::assemble(file, DOCUMENT)
    }

    fn load(&self, bytes: &[u8], span: Span) -> Assembled {
        gpuzoo_picogpu::load(bytes, span)
    }

    fn save(&self, program: &Program) -> Vec<u8> {
        gpuzoo_picogpu::save(program)
    }

    fn disassemble(&self, program: &Program) -> String {
        gpuzoo_picogpu::disassemble(program)
    }

    fn check(&self, program: &Program) -> Vec<Diagnostic> {
        gpuzoo_picogpu::check(program)
    }

    fn lower(&self, program: &Program, profile: &str) -> Lowered {
        gpuzoo_picogpu::lowered(program, profile)
    }

    fn costs(&self, program: &Program) -> Vec<Cost> {
        gpuzoo_picogpu::costs(program)
    }

    fn default_layout(&self) -> Layout {
        Layout { stride: 0, attributes: Vec::new() }
    }

    fn draw(&self, _: &mut Target, _: &Draw, _: &mut Vec<Diagnostic>) -> DrawReport {
        DrawReport::default()
    }
}

fn main() -> ExitCode {
    let mut elsewhere = KIT_CODES.to_vec();
    // Only pairs of programs can have it: tests/programs.rs.
    elsewhere.push("P0212");
    // Only the reference's profile has it: tests/programs.rs and the vectors.
    elsewhere.push("P0119");
    gpuzoo_golden::main(Suite {
        gpu: &ShaderUnit,
        folder: Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"),
        examples: Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/picogpu"),
        tested_elsewhere: elsewhere.leak(),
    })
}

//! The fixed function around the shader: vertices in, triangles with a colour at each corner out.

use crate::lowered;
use gpuzoo_diag::{Diagnostic, has_errors};
use gpuzoo_ir::{Vec4, vec4};
use gpuzoo_isa::Program;
use gpuzoo_machine::limits::budget::Refusal;
use gpuzoo_machine::options::settings::Reader;
use gpuzoo_machine::unit::cache::same_program;
use gpuzoo_machine::unit::draw::{Draw, DrawReport, VertexProgram};
use gpuzoo_machine::unit::layout::{Attribute, Layout, VertexFormat, to_words, words};
use gpuzoo_machine::{Cost, vertex_format};
use gpuzoo_raster::{Fragment, PerFragment, Rules, State, Target, Vertices};

/// How vertex attributes can be stored.
pub static FORMATS: &[VertexFormat] = &[
    vertex_format!("Float3", 12, floats, to_floats, "(x, y, z, 1)"),
    vertex_format!("Float4", 16, floats, to_floats, "(x, y, z, w)"),
];

fn floats(bytes: &[u8]) -> Vec4 {
    words(bytes, vec4([0.0, 0.0, 0.0, 1.0]))
}

fn to_floats(components: [f32; 4]) -> [u8; 16] {
    to_words(components.map(f32::to_bits))
}

/// What a program costs.
pub fn costs(program: &Program) -> Vec<Cost> {
    let per_run = lowered(program).steps.len() as u64;
    let (name, note) = ("instructions executed", "up to and including `end`");
    vec![Cost { name, per_run, frame_budget: None, note }]
}

/// The vertex layout that the machine starts with.
pub fn default_layout() -> Layout {
    Layout { stride: 16, attributes: vec![Attribute { input: 0, offset: 0, format: &FORMATS[1] }] }
}

/// A program as draws need it.
struct Prepared {
    program: Program,
    vertex: VertexProgram,
}

/// Carries out a draw: `pos` is the place in clip space, `col` the colour.
pub fn draw(target: &mut Target, draw: &Draw, problems: &mut Vec<Diagnostic>) -> Result<DrawReport, Refusal> {
    let before = problems.len();
    // There is no state yet; what a scene says of one is reported.
    Reader::new(draw.state, problems).finish();
    if has_errors(&problems[before..]) {
        return Ok(DrawReport::default());
    }
    let prepare = || {
        let vertex = VertexProgram::new(&lowered(draw.vertex).function);
        Prepared { program: draw.vertex.clone(), vertex }
    };
    let prepared = draw.cache.get(|known: &Prepared| same_program(&known.program, draw.vertex), prepare);
    let state = State::sized(target.width(), target.height());
    let stage = PerFragment(|fragment: Fragment| Some(fragment.varying(0)));
    let mut report = DrawReport { vertices: draw.vertex_count() as u64, ..DrawReport::default() };
    prepared.vertex.run(&draw.uses(draw.layout), draw.constants, draw.budget, |runs| {
        let output = |number: usize| {
            runs.collect(draw.budget, 1, |outputs, all| all.push(outputs[number].map(f32::from_bits)))
        };
        let (positions, colors) = (output(0)?, output(1)?);
        report.runs += runs.runs();
        // One varying a vertex, so this does not fail.
        if let Ok(vertices) = Vertices::new(&positions, &colors, 1) {
            let rules = Rules::default();
            report.stats += draw.rasterize(target, &rules, &state, vertices, runs.primitives(), &stage)?;
        }
        Ok(())
    })?;
    Ok(report)
}

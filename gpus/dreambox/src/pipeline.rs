//! The fixed function around the Vertex Unit: the console's VDP (spec sections 6 and 8).

use crate::combiner::{Combine, Combiner, Unit};
use crate::cost::billed;
use crate::{fetch, lowered};
use gpuzoo_diag::Diagnostic;
use gpuzoo_ir::Vec4;
use gpuzoo_isa::Program;
use gpuzoo_machine::cache::same_program;
use gpuzoo_machine::draw::{Draw, DrawReport, TextureFormat, VertexProgram};
use gpuzoo_machine::settings::{Reader, Table};
use gpuzoo_machine::words::{self, COMPARES, FILTERS, WINDINGS};
use gpuzoo_raster::{
    Blend, ClipRules, Compare, Cull, DepthRules, DepthTest, Equation, Factor, Filter, Format, Primitives,
    Rules, Sampler, State, Target, Vertices, Viewport, Wrap,
};

const fn format(name: &'static str, format: Format, power_of_two: bool, doc: &'static str) -> TextureFormat {
    TextureFormat { name, format, power_of_two, doc }
}

/// The texture formats, by the number that the runtime's API gives them. All are linear; there is no sRGB.
pub static TEXTURE_FORMATS: &[TextureFormat] = &[
    format("RGB565", Format::Rgb565, true, "16-bit words, red in the highest 5 bits"),
    format(
        "RGBA4444",
        Format::Argb4444,
        true,
        "16-bit words: alpha, red, green, blue from the highest bits down",
    ),
    format("RGBA8888", Format::Rgba8888, true, "bytes red, green, blue, alpha"),
    format("DXT1", Format::Bc1, true, "4 × 4 blocks of 8 bytes, 1 bit of alpha"),
    format("DXT3", Format::Bc2, true, "4 × 4 blocks of 16 bytes, 4 bits of alpha"),
    format("YUV420", Format::Yuv420, false, "planes Y, V, U; sides are even"),
];

/// The rules that no program can change. Depth is not clipped but clamped: the runtime leaves depth clipping off, and
/// its Vulkan backend then turns clamping on. The rest is Vulkan's.
fn rules() -> Rules {
    let usual = Rules::default();
    Rules {
        clip: ClipRules { near: false, far: false, ..usual.clip },
        depth: DepthRules { clamp: true, ..usual.depth },
        ..usual
    }
}

/// What a scene's `state` table says.
struct Settings {
    state: State,
    combiner: [Combine; 2],
    samplers: [Sampler; 2],
}

const EQUATIONS: [(&str, Equation); 3] = [
    ("add", Equation::Add),
    ("subtract", Equation::Subtract),
    ("reverse_subtract", Equation::ReverseSubtract),
];

const FACTORS: [(&str, Factor); 10] = [
    ("zero", Factor::Zero),
    ("one", Factor::One),
    ("src_color", Factor::SourceColor),
    ("one_minus_src_color", Factor::OneMinusSourceColor),
    ("src_alpha", Factor::SourceAlpha),
    ("one_minus_src_alpha", Factor::OneMinusSourceAlpha),
    ("dst_alpha", Factor::DestinationAlpha),
    ("one_minus_dst_alpha", Factor::OneMinusDestinationAlpha),
    ("dst_color", Factor::DestinationColor),
    ("one_minus_dst_color", Factor::OneMinusDestinationColor),
];

const COMBINES: [(&str, Combine); 6] = [
    ("none", Combine::None),
    ("mul", Combine::Mul),
    ("add", Combine::Add),
    ("sub", Combine::Sub),
    ("mix", Combine::Mix),
    ("dot3", Combine::Dot3),
];

/// Reads the table over the console's power-on state.
fn settings(table: &Table, target: &Target, problems: &mut Vec<Diagnostic>) -> Settings {
    let mut reader = Reader::new(table, problems);
    let mut state = State::sized(target.width(), target.height());
    let mut depth = DepthTest { compare: Compare::Always, write: false };
    if let Some(compare) = reader.choice("depth_compare", &COMPARES) {
        depth.compare = compare;
    }
    if let Some(write) = reader.bool("depth_write") {
        depth.write = write;
    }
    state.depth = Some(depth);
    if reader.bool("cull") == Some(true) {
        state.cull = Cull::Back;
    }
    if let Some(front) = reader.choice("front", &WINDINGS) {
        state.front = front;
    }
    // The scissor is always the viewport's rectangle, and nothing is drawn outside the viewport anyway.
    if let Some(rect) = words::rect(&mut reader, "viewport") {
        state.viewport = Viewport { rect, ..state.viewport };
    }
    if let Some(table) = reader.table("blend") {
        state.blend = blend(table, reader.problems());
    }
    let mut combiner = [Combine::Mul; 2];
    for (combine, key) in combiner.iter_mut().zip(["combine_texture", "combine_vertex"]) {
        if let Some(choice) = reader.choice(key, &COMBINES) {
            *combine = choice;
        }
    }
    let usual = Sampler { filter: Filter::Linear, wrap: [Wrap::Repeat; 2] };
    let mut samplers = [usual; 2];
    for (sampler, key) in samplers.iter_mut().zip(["sampler0", "sampler1"]) {
        if let Some(table) = reader.table(key) {
            *sampler = sampler_settings(table, usual, reader.problems());
        }
    }
    reader.finish();
    Settings { state, combiner, samplers }
}

/// One equation and one pair of factors serve colour and alpha.
fn blend(table: &Table, problems: &mut Vec<Diagnostic>) -> Blend {
    let mut reader = Reader::new(table, problems);
    let equation = reader.choice("equation", &EQUATIONS).unwrap_or(Equation::Add);
    let source = reader.choice("src", &FACTORS).unwrap_or(Factor::One);
    let destination = reader.choice("dst", &FACTORS).unwrap_or(Factor::Zero);
    reader.finish();
    Blend::new(equation, source, destination)
}

/// `{ filter = "nearest", wrap = "clamp" }`, or `wrap = ["clamp", "repeat"]` for u and v.
fn sampler_settings(table: &Table, usual: Sampler, problems: &mut Vec<Diagnostic>) -> Sampler {
    let mut reader = Reader::new(table, problems);
    let mut sampler = usual;
    if let Some(filter) = reader.choice("filter", &FILTERS) {
        sampler.filter = filter;
    }
    sampler.wrap = words::wrap(&mut reader).unwrap_or(sampler.wrap);
    reader.finish();
    sampler
}

/// A colour as it leaves the vertex stage: clamped per component, NaN as 0, which GLSL leaves open.
fn clamped(color: Vec4) -> [f32; 4] {
    color.map(|component| f32::from_bits(component).max(0.0).min(1.0))
}

/// A program as draws need it.
struct Prepared {
    program: Program,
    vertex: VertexProgram,
}

impl Prepared {
    fn new(program: &Program) -> Prepared {
        Prepared { program: program.clone(), vertex: VertexProgram::new(&lowered(program).function) }
    }
}

/// Carries out a draw.
pub fn draw(target: &mut Target, draw: &Draw, problems: &mut Vec<Diagnostic>) -> DrawReport {
    let before = problems.len();
    let Settings { state, combiner, samplers } = settings(draw.state, target, problems);
    if gpuzoo_diag::has_errors(&problems[before..]) {
        return DrawReport::default();
    }
    let layout = fetch::with_unset_inputs(draw.layout);
    let known = |known: &Prepared| same_program(&known.program, draw.vertex);
    let prepared = draw.cache.get(known, || Prepared::new(draw.vertex));
    let runs = prepared.vertex.run(&layout, draw.vertices, draw.indices, draw.constants);
    let outputs = || runs.outputs().filter_map(|outputs| outputs.first_chunk::<4>());
    let floats = |bits: Vec4| bits.map(f32::from_bits);
    let positions: Vec<[f32; 4]> = outputs().map(|[pos, ..]| floats(*pos)).collect();
    let varyings = outputs().flat_map(|[_, tex, col, ocol]| [floats(*tex), clamped(*col), clamped(*ocol)]);
    let varyings: Vec<[f32; 4]> = varyings.collect();
    let mut report = DrawReport {
        vertices: runs.vertices(),
        runs: runs.runs(),
        cost: billed(draw.vertex) * runs.vertices(),
        ..DrawReport::default()
    };
    // Three varyings a vertex, as collected above, so this does not fail.
    if let Ok(vertices) = Vertices::new(&positions, &varyings, 3) {
        let unit = |index: usize| {
            let texture = draw.textures.get(index).and_then(Option::as_deref);
            Unit { texture, sampler: samplers[index] }
        };
        let stage = Combiner { units: [unit(0), unit(1)], texture: combiner[0], vertex: combiner[1] };
        let primitives = Primitives { topology: draw.topology, indices: runs.indices() };
        report.stats = gpuzoo_raster::draw(target, &rules(), &state, vertices, primitives, &stage);
    }
    report
}

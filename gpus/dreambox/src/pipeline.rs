//! The fixed function around the Vertex Unit: the console's VDP (spec sections 6 and 8).

use crate::combiner::{Combine, Combiner, Unit};
use crate::cost::billed;
use crate::{fetch, lowered};
use gpuzoo_diag::Diagnostic;
use gpuzoo_ir::Vec4;
use gpuzoo_isa::Program;
use gpuzoo_machine::limits::budget::Refusal;
use gpuzoo_machine::options::keys::{Choice, Flag, Key, Section};
use gpuzoo_machine::options::settings::{Reader, Table};
use gpuzoo_machine::options::words;
use gpuzoo_machine::unit::cache::same_program;
use gpuzoo_machine::unit::draw::{Draw, DrawReport, TextureFormat, VertexProgram};
use gpuzoo_raster::{
    Blend, ClipRules, Compare, Cull, DepthRules, DepthTest, Equation, Factor, Filter, Format, Rules, Sampler,
    State, Target, Vertices, Viewport, Winding, Wrap,
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
pub(crate) fn rules() -> Rules {
    let usual = Rules::default();
    Rules {
        clip: ClipRules { near: false, far: false, ..usual.clip },
        depth: DepthRules { clamp: true, ..usual.depth },
        ..usual
    }
}

/// What a scene's `state` table says.
pub(crate) struct Settings {
    pub state: State,
    pub combiner: [Combine; 2],
    pub samplers: [Sampler; 2],
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

static DEPTH_COMPARE: Choice<Compare> = words::depth_compare(Compare::Always);
static DEPTH_WRITE: Flag = words::depth_write(false);
static CULL: Flag = Flag::new("cull", false, "whether triangles are drawn only where their front is seen");
static FRONT: Choice<Winding> = words::front(Winding::CounterClockwise);
static BLEND: Section = Section::new(
    "blend",
    &[&EQUATION, &SRC, &DST],
    "the fragment's colour replaces what is there",
    "how a fragment's colour and the one that is there are combined: src × the fragment's, dst × the other",
);
static EQUATION: Choice<Equation> =
    Choice::new("equation", &EQUATIONS, Equation::Add, "what is done with the two products");
static SRC: Choice<Factor> = Choice::new("src", &FACTORS, Factor::One, "the factor of the fragment's colour");
static DST: Choice<Factor> =
    Choice::new("dst", &FACTORS, Factor::Zero, "the factor of the colour that is there");
static COMBINES_OF: [Choice<Combine>; 2] = [
    Choice::new("combine_texture", &COMBINES, Combine::Mul, "how the texels of the two units are combined"),
    Choice::new(
        "combine_vertex",
        &COMBINES,
        Combine::Mul,
        "how the result and the output `col` are combined",
    ),
];
static SAMPLERS: [Section; 2] = [
    Section::new(
        "sampler0",
        SAMPLER,
        USUAL_SAMPLER,
        "how texture unit 0 reads, at x and y of the output `tex`",
    ),
    Section::new(
        "sampler1",
        SAMPLER,
        USUAL_SAMPLER,
        "how texture unit 1 reads, at z and w of the output `tex`",
    ),
];
const USUAL_SAMPLER: &str = "linear, repeating";
const SAMPLER: &[&dyn Key] = &[&SAMPLER_FILTER, &words::WRAP];
static SAMPLER_FILTER: Choice<Filter> = words::filter(Filter::Linear);

/// What a scene's `state` table can say.
pub static KEYS: &[&dyn Key] = &[
    &DEPTH_COMPARE,
    &DEPTH_WRITE,
    &CULL,
    &FRONT,
    &words::VIEWPORT,
    &BLEND,
    &COMBINES_OF[0],
    &COMBINES_OF[1],
    &SAMPLERS[0],
    &SAMPLERS[1],
];

/// Reads the table over the console's power-on state.
pub(crate) fn settings(table: &Table, target: &Target, problems: &mut Vec<Diagnostic>) -> Settings {
    let mut reader = Reader::new(table, problems);
    let mut state = State::sized(target.width(), target.height());
    let (compare, write) = (DEPTH_COMPARE.read(&mut reader), DEPTH_WRITE.read(&mut reader));
    state.depth = Some(DepthTest { compare, write });
    state.cull = if CULL.read(&mut reader) { Cull::Back } else { Cull::None };
    state.front = FRONT.read(&mut reader);
    // The scissor is always the viewport's rectangle, and nothing is drawn outside the viewport anyway.
    if let Some(rect) = words::rect(&mut reader, words::VIEWPORT.name) {
        state.viewport = Viewport { rect, ..state.viewport };
    }
    if let Some(table) = BLEND.read(&mut reader) {
        state.blend = blend(table, reader.problems());
    }
    let combiner = COMBINES_OF.each_ref().map(|key| key.read(&mut reader));
    let samplers = SAMPLERS.each_ref().map(|key| {
        let usual = Sampler { filter: Filter::Linear, wrap: [Wrap::Repeat; 2] };
        key.read(&mut reader).map_or(usual, |table| sampler_settings(table, reader.problems()))
    });
    reader.finish();
    Settings { state, combiner, samplers }
}

/// One equation and one pair of factors serve colour and alpha.
fn blend(table: &Table, problems: &mut Vec<Diagnostic>) -> Blend {
    let mut reader = Reader::new(table, problems);
    let equation = EQUATION.read(&mut reader);
    let (source, destination) = (SRC.read(&mut reader), DST.read(&mut reader));
    reader.finish();
    Blend::new(equation, source, destination)
}

/// `{ filter = "nearest", wrap = "clamp" }`, or `wrap = ["clamp", "repeat"]` for u and v.
fn sampler_settings(table: &Table, problems: &mut Vec<Diagnostic>) -> Sampler {
    let mut reader = Reader::new(table, problems);
    let filter = SAMPLER_FILTER.read(&mut reader);
    let wrap = words::wrap(&mut reader).unwrap_or([Wrap::Repeat; 2]);
    reader.finish();
    Sampler { filter, wrap }
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

/// Whether the combiner reads a texture unit: it has the second one's texel as B, which `none` passes over.
pub fn reads_texture(unit: usize, state: &Table) -> bool {
    unit == 0 || COMBINES_OF[0].read(&mut Reader::new(state, &mut Vec::new())) != Combine::None
}

/// Carries out a draw.
pub fn draw(target: &mut Target, draw: &Draw, problems: &mut Vec<Diagnostic>) -> Result<DrawReport, Refusal> {
    let before = problems.len();
    let Settings { state, combiner, samplers } = settings(draw.state, target, problems);
    if gpuzoo_diag::has_errors(&problems[before..]) {
        return Ok(DrawReport::default());
    }
    let layout = fetch::with_unset_inputs(draw.layout);
    let known = |known: &Prepared| same_program(&known.program, draw.vertex);
    let prepared = draw.cache.get(known, || Prepared::new(draw.vertex));
    let unit = |index: usize| {
        let texture = draw.textures.get(index).and_then(Option::as_deref);
        Unit { texture, sampler: samplers[index] }
    };
    let stage = Combiner { units: [unit(0), unit(1)], texture: combiner[0], vertex: combiner[1] };
    let vertices = draw.vertex_count() as u64;
    let mut report = DrawReport { vertices, cost: billed(draw.vertex) * vertices, ..DrawReport::default() };
    prepared.vertex.run(&draw.uses(&layout), draw.constants, draw.budget, |runs| {
        let floats = |bits: Vec4| bits.map(f32::from_bits);
        let positions = runs.collect(draw.budget, 1, |outputs, all| all.push(floats(outputs[0])))?;
        let varyings = runs.collect(draw.budget, 3, |outputs, all| {
            all.extend_from_slice(&[floats(outputs[1]), clamped(outputs[2]), clamped(outputs[3])]);
        })?;
        report.runs += runs.runs();
        // Three varyings a vertex, as collected above, so this does not fail.
        if let Ok(vertices) = Vertices::new(&positions, &varyings, 3) {
            report.stats += draw.rasterize(target, &rules(), &state, vertices, runs.primitives(), &stage)?;
        }
        Ok(())
    })?;
    Ok(report)
}

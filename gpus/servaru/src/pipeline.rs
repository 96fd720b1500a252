//! The fixed function around the shaders (spec section G4): clipping, s24.8 snapping, the top-left rule, a float depth
//! buffer with LESS, colours cut off to bytes.

use crate::ISA;
use crate::meaning::{self, fault, lowered};
use crate::quad::{Quad, QuadProgram};
use crate::regs::{FIRST_OUTPUT, INPUTS};
use crate::rules::WRONG_STAGE;
use crate::shade::{self, Shader, VARYINGS, inputs, reads_textures};
use crate::units::{UNITS, USUAL_SAMPLER, Unit, Units};
use gpuzoo_diag::{Diagnostic, has_errors};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{Program, Stage};
use gpuzoo_machine::limits::budget::{Refusal, Resource};
use gpuzoo_machine::options::keys::{Choice, Flag, Int, Key, Section};
use gpuzoo_machine::options::settings::{Reader, Table};
use gpuzoo_machine::options::words;
use gpuzoo_machine::session::{Dataflow, ShaderSession};
use gpuzoo_machine::unit::cache::same_program;
use gpuzoo_machine::unit::draw::{Draw, DrawReport, TextureFormat, VertexProgram};
use gpuzoo_machine::vectors::stimulus::Stimulus;
use gpuzoo_raster::{
    ClipRules, ColorRounding, Compare, Cull, DepthTest, Filter, Format, Fragment, FragmentStage, Invocation,
    Level, MipFilter, PerFragment, Rop, RopChannels, RopEquation, RopFormat, Rounding, Rules, Sample,
    Sampler, Sides, Snap, State, Target, Texels, Touch, Vertices, Viewport, Winding,
};
use std::sync::Arc;

/// The texture formats. The emulator knows 8-bit colours; the ROP stores 5-6-5, too.
pub static TEXTURE_FORMATS: &[TextureFormat] = &[
    TextureFormat {
        name: "RGBA8888",
        format: Format::Rgba8888,
        power_of_two: false,
        doc: "bytes red, green, blue, alpha",
    },
    TextureFormat {
        name: "RGB565",
        format: Format::Rgb565,
        power_of_two: false,
        doc: "16-bit words, red in the highest 5 bits",
    },
];

/// The rules that no program can change: clipping as the emulator's and at the far plane, snapping and coverage as the
/// rasterizer test bench's, colours as the emulator's.
pub fn rules(sample: Sample) -> Rules {
    let usual = Rules::default();
    Rules {
        clip: ClipRules { sides: Sides::Cut, near: true, far: true },
        snap: Snap { bits: 8, rounding: Rounding::NearestAway },
        sample,
        color: ColorRounding::Truncate,
        ..usual
    }
}

/// What a scene's `state` table says.
pub(crate) struct Settings {
    pub sample: Sample,
    pub state: State,
    pub units: [(Sampler, MipFilter); UNITS],
}

/// Level choices by name.
pub const MIPS: [(&str, MipFilter); 4] = [
    ("none", MipFilter::Base),
    ("nearest", MipFilter::Nearest),
    ("ceiling", MipFilter::Ceiling),
    ("linear", MipFilter::Linear),
];

const TARGETS: [(&str, RopFormat); 3] =
    [("Y8", RopFormat::Y8), ("RGB16", RopFormat::Rgb565), ("ARGB32", RopFormat::Argb8888)];
const EQUATIONS: [(&str, RopEquation); 6] = [
    ("nop", RopEquation::Replace),
    ("add", RopEquation::Add),
    ("subtract", RopEquation::Subtract),
    ("reverse_subtract", RopEquation::ReverseSubtract),
    ("min", RopEquation::Min),
    ("max", RopEquation::Max),
];

static SAMPLE: Choice<Sample> = Choice::new(
    "sample",
    &[("corner", Sample::Corner), ("centre", Sample::Centre)],
    Sample::Corner,
    "the place in a pixel that must be inside of a triangle",
);
static DEPTH_TEST: Flag = Flag::new(
    "depth_test",
    true,
    "whether what is not nearer than the stored depth is hidden, and depths are stored",
);
static CULL: Choice<Cull> = words::cull(Cull::Back);
static FRONT: Choice<Winding> = words::front(Winding::CounterClockwise);
static TARGET: Choice<RopFormat> =
    Choice::new("target", &TARGETS, RopFormat::Argb8888, "how the colours that are there are stored");
static BLEND: Section = Section::new(
    "blend",
    CHANNELS,
    "the fragment's colour replaces what is there",
    "how a fragment's colour and the one that is there are combined: src × the fragment's, dst × the other",
);
static BLEND_ALPHA: Section = Section::new("blend_alpha", CHANNELS, "as `blend`", "the same for alpha");
const CHANNELS: &[&dyn Key] = &[&EQUATION, &SRC, &DST];
static EQUATION: Choice<RopEquation> =
    Choice::new("equation", &EQUATIONS, RopEquation::Add, "what is done with the two products");
static SRC: Int = Int::new("src", (0, 511), 256, "the factor of the fragment's colour, in 256ths");
static DST: Int = Int::new("dst", (0, 511), 0, "the factor of the colour that is there, in 256ths");
static SAMPLERS: [Section; UNITS] = [
    Section::new("sampler0", SAMPLER, SAMPLER_DEFAULT, "how texture unit 0 reads"),
    Section::new("sampler1", SAMPLER, SAMPLER_DEFAULT, "how texture unit 1 reads"),
    Section::new("sampler2", SAMPLER, SAMPLER_DEFAULT, "how texture unit 2 reads"),
    Section::new("sampler3", SAMPLER, SAMPLER_DEFAULT, "how texture unit 3 reads"),
];
const SAMPLER_DEFAULT: &str = "linear within one level, which is chosen upwards; repeating";
const SAMPLER: &[&dyn Key] = &[&FILTER, &MIP, &words::WRAP];
static FILTER: Choice<Filter> = words::filter(USUAL_SAMPLER.filter);
static MIP: Choice<MipFilter> = Choice::new(
    "mip",
    &MIPS,
    MipFilter::Ceiling,
    "which level of a texture is read; a texture that brings one level alone gets the others, but for `none`",
);

/// What a scene's `state` table can say.
pub static KEYS: &[&dyn Key] = &[
    &SAMPLE,
    &DEPTH_TEST,
    &CULL,
    &FRONT,
    &words::VIEWPORT,
    &TARGET,
    &BLEND,
    &BLEND_ALPHA,
    &SAMPLERS[0],
    &SAMPLERS[1],
    &SAMPLERS[2],
    &SAMPLERS[3],
];

/// `{ equation = "add", src = 256, dst = 128 }`: factors have 9 bits, 256 is one.
fn channels(table: &Table, problems: &mut Vec<Diagnostic>) -> RopChannels {
    let mut reader = Reader::new(table, problems);
    let channels = RopChannels {
        equation: EQUATION.read(&mut reader),
        source: SRC.read(&mut reader) as u16,
        destination: DST.read(&mut reader) as u16,
    };
    reader.finish();
    channels
}

/// Reads the table over the emulator's start: depth test on, back faces dropped, samples at the corners of pixels.
pub(crate) fn settings(table: &Table, target: &Target, problems: &mut Vec<Diagnostic>) -> Settings {
    let mut reader = Reader::new(table, problems);
    let mut state = State::sized(target.width(), target.height());
    let sample = SAMPLE.read(&mut reader);
    let tested = DEPTH_TEST.read(&mut reader);
    state.depth = tested.then_some(DepthTest { compare: Compare::Less, write: true });
    (state.cull, state.front) = (CULL.read(&mut reader), FRONT.read(&mut reader));
    if let Some(rect) = words::rect(&mut reader, words::VIEWPORT.name) {
        state.viewport = Viewport { rect, ..state.viewport };
    }
    let format = TARGET.read(&mut reader);
    let mut rop = Rop { format, rgb: RopChannels::REPLACE, alpha: RopChannels::REPLACE };
    if let Some(table) = BLEND.read(&mut reader) {
        // One table serves alpha, too, unless that has its own.
        rop.rgb = channels(table, reader.problems());
        rop.alpha = rop.rgb;
    }
    if let Some(table) = BLEND_ALPHA.read(&mut reader) {
        rop.alpha = channels(table, reader.problems());
    }
    state.rop = Some(rop);
    let units = SAMPLERS.each_ref().map(|key| {
        let usual = (USUAL_SAMPLER, MipFilter::Ceiling);
        key.read(&mut reader).map_or(usual, |table| unit_settings(table, reader.problems()))
    });
    reader.finish();
    Settings { sample, state, units }
}

/// `{ filter = "nearest", mip = "linear", wrap = "clamp" }`, or `wrap = ["clamp", "repeat"]` for s and t.
fn unit_settings(table: &Table, problems: &mut Vec<Diagnostic>) -> (Sampler, MipFilter) {
    let mut reader = Reader::new(table, problems);
    let (filter, mips) = (FILTER.read(&mut reader), MIP.read(&mut reader));
    let wrap = words::wrap(&mut reader).unwrap_or(USUAL_SAMPLER.wrap);
    reader.finish();
    (Sampler { filter, wrap }, mips)
}

/// The units of a draw. A texture of one level gets the smaller ones if they can be asked for.
fn units(draw: &Draw, settings: &[(Sampler, MipFilter); UNITS], reads: bool) -> Result<Units, Refusal> {
    let mut units: [Unit; UNITS] = std::array::from_fn(|index| {
        let (sampler, mips) = settings[index];
        let texture = draw.textures.get(index).cloned().flatten().filter(|_| reads);
        Unit { texture, sampler, mips }
    });
    for unit in units.iter_mut().filter(|unit| unit.mips != MipFilter::Base) {
        if let Some(texture) = unit.texture.as_mut().filter(|texture| texture.levels().len() == 1) {
            // They go with the draw.
            draw.budget.ask(Resource::Memory, mip_bytes(texture.base()))?;
            *texture = Arc::new(texture.with_mipmaps()?);
        }
    }
    Ok(Units(units))
}

/// The bytes of a level and all smaller ones.
fn mip_bytes(base: &Level) -> u64 {
    let texel: u64 = match base.texels() {
        Texels::Rgba8(_) => 4,
        Texels::Float(_) => 16,
    };
    let (mut width, mut height) = (base.width(), base.height());
    let mut texels = 1;
    while width.max(height) > 1 {
        texels += u64::from(width) * u64::from(height);
        (width, height) = ((width / 2).max(1), (height / 2).max(1));
    }
    texels * texel
}

/// A vertex program as draws need it.
struct Prepared {
    program: Program,
    vertex: VertexProgram,
}

impl Prepared {
    fn new(program: &Program) -> Prepared {
        let vertex = VertexProgram::new(&lowered(program, Stage::Vertex).function);
        Prepared { program: program.clone(), vertex }
    }
}

/// Carries out a draw.
pub fn draw(target: &mut Target, draw: &Draw, problems: &mut Vec<Diagnostic>) -> Result<DrawReport, Refusal> {
    let before = problems.len();
    let settings = settings(draw.state, target, problems);
    for (program, stage, name) in
        [(Some(draw.vertex), Stage::Vertex, "vertex"), (draw.fragment, Stage::Fragment, "fragment")]
    {
        problems.extend(program.and_then(|program| wrong_stage(program, stage, name)));
    }
    let layout = crate::fetch::complete(draw.layout.clone());
    if let Some(fault) = fault(draw.vertex, Stage::Vertex).filter(|_| draw.vertex_count() > 0) {
        problems.push(fault.error(draw.vertex));
    }
    if has_errors(&problems[before..]) {
        return Ok(DrawReport::default());
    }
    let known = |known: &Prepared| same_program(&known.program, draw.vertex);
    let prepared = draw.cache.get(known, || Prepared::new(draw.vertex));
    let noted = target.notes().is_some();
    let fragment = draw.fragment.map(|fragment| {
        let known = |known: &shade::Prepared| known.is_of(fragment, noted);
        draw.cache.get(known, || shade::Prepared::new(fragment, noted))
    });
    let stage = fragment.as_deref().map(|fragment| {
        let units = units(draw, &settings.units, fragment.reads_textures())?;
        Ok::<_, Refusal>(Shader::new(fragment, draw.fragment_constants, units))
    });
    let stage = stage.transpose()?;
    // Who watches a pixel wants to see them all.
    let count = match &stage {
        _ if noted => VARYINGS,
        Some(stage) => stage.varyings(),
        None => 1,
    };
    // Without a fragment program gpuzoo takes the first varying as the colour.
    let first = PerFragment(|fragment: Fragment<'_>| Some(fragment.varying(0)));
    let (rules, state) = (rules(settings.sample), &settings.state);
    let mut report = DrawReport { vertices: draw.vertex_count() as u64, ..DrawReport::default() };
    prepared.vertex.run(&draw.uses(&layout), draw.constants, draw.budget, |runs| {
        let floats = |bits: &Vec4| bits.map(f32::from_bits);
        let positions = runs.collect(draw.budget, 1, |vertex, all| all.push(floats(&vertex[0])))?;
        let varyings = runs.collect(draw.budget, count, |vertex, all| {
            all.extend(vertex[1..=count].iter().map(floats));
        })?;
        report.runs += runs.runs();
        // As many varyings as were collected above, so this does not fail.
        if let Ok(vertices) = Vertices::new(&positions, &varyings, count) {
            let stage: &dyn FragmentStage = stage.as_ref().map_or(&first, |stage| stage);
            report.stats += draw.rasterize(target, &rules, state, vertices, runs.primitives(), stage)?;
        }
        Ok(())
    })?;
    problems.extend(stage.and_then(|stage| stage.failure()));
    Ok(report)
}

/// P10 and those behind it are interpolated into P0 and those behind it.
pub fn interpolated(input: u16) -> Option<u16> {
    (usize::from(input) < VARYINGS).then_some(FIRST_OUTPUT + 1 + input)
}

/// A program that says that it is for the other stage. Without a word from it, its use decides.
fn wrong_stage(program: &Program, stage: Stage, name: &str) -> Option<Diagnostic> {
    let said = program.interface.as_ref().map(|interface| interface.stage)?;
    let message = format!("this is not a {name} program");
    (said != stage).then(|| Diagnostic::error(&WRONG_STAGE, message).label(program.span, "used as one"))
}

/// The inputs of the four fragments of a quad.
fn touched(lanes: &[Invocation]) -> [[Vec4; 4]; INPUTS as usize] {
    inputs(
        |input, lane| lanes[lane].varyings.get(input).copied().unwrap_or_default(),
        |lane| [lanes[lane].x as f32, lanes[lane].y as f32, lanes[lane].depth, lanes[lane].inverse_w],
    )
}

/// What the fragment program is run with at a fragment that was shaded, if it reads no texture.
pub fn stimulus(draw: &Draw, touch: &Touch) -> Option<Stimulus> {
    let reads = draw.fragment?.slots.iter().filter_map(|slot| slot.inst.as_ref()).any(meaning::reads_texture);
    let inputs = (touch.invocations.len() == 4 && !reads).then(|| touched(&touch.invocations))?;
    let inputs = inputs.iter().filter_map(|lanes| lanes.get(touch.lane).copied()).collect();
    Some(Stimulus { inputs, constants: draw.fragment_constants.to_vec() })
}

/// The fragment program at a fragment of a draw, step by step; none without a program. A fragment that was hidden before it
/// was shaded did nothing.
pub fn fragment_session(
    target: &Target,
    draw: &Draw,
    touch: &Touch,
) -> Result<Option<ShaderSession>, Refusal> {
    let Some(fragment) = draw.fragment else { return Ok(None) };
    if touch.invocations.len() != 4 {
        return Ok(Some(ShaderSession::default()));
    }
    let settings = settings(draw.state, target, &mut Vec::new());
    let reads = reads_textures(&lowered(fragment, Stage::Fragment).function);
    let units = units(draw, &settings.units, reads)?;
    let (inputs, lane) = (touched(&touch.invocations), touch.lane);
    let constants = draw.fragment_constants.to_vec();
    let run = move |fragment: &Program| {
        let lowered = lowered(fragment, Stage::Fragment);
        let slot = fault(fragment, Stage::Fragment).map(|fault| fault.slot);
        let program = QuadProgram::whole(lowered.function.clone(), slot, &constants);
        let mut quad = Quad::default();
        quad.run(&program, &inputs, &units);
        let killed = quad.stopped[lane].map(|slot| slot as usize);
        Dataflow::new(lowered, killed, |value| quad.value(value, lane))
    };
    Ok(Some(ShaderSession::new(&ISA, fragment, run)))
}

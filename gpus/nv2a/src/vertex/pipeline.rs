//! The fixed function around the vertex shader: from what it writes to a picture (spec sections 5 and 8).
//!
//! The shader leaves screen coordinates: nearly every program ends with the same two slots, which scale by c58, divide
//! by w and add c59. What follows on the console are the register combiners, which are another unit. In their place
//! there is a simple one, texture 0 × diffuse + specular, then fog.

use crate::vertex::encoding::targets;
use crate::vertex::lower::HW;
use crate::vertex::modes::{self, MODES};
use crate::vertex::regs::{C, O, OFOG, OPOS, OUTPUT_NAMES, OUTPUT_START, VIEWPORT};
use crate::vertex::rules::{NOT_SCALED, SCALED_TWICE, STATE_DRAWN};
use gpuzoo_diag::Diagnostic;
use gpuzoo_ir::{Function, Inst, Vec4, vec4};
use gpuzoo_isa::{COMPONENTS, Lowered, Output, Profile, Program, Reg, Slot};
use gpuzoo_machine::limits::budget::Refusal;
use gpuzoo_machine::options::keys::{Choice, Flag, Key, Number, Plain, Section};
use gpuzoo_machine::options::settings::{Reader, Table};
use gpuzoo_machine::options::words;
use gpuzoo_machine::unit::PositionSpace;
use gpuzoo_machine::unit::cache::same_program;
use gpuzoo_machine::unit::draw::{Draw, DrawReport, TextureFormat, VertexProgram, VertexRuns};
use gpuzoo_machine::unit::reach::ReachWatch;
use gpuzoo_machine::unit::starter::Starter;
use gpuzoo_machine::{Cost, Lowering, Modes, RunState};
use gpuzoo_raster::{
    BATCH, Blend, Compare, Cull, DepthTest, Equation, Factor, Filter, Format, FragmentBatch, FragmentStage,
    MipFilter, NearPlane, Placement, Rounding, Rules, Sampler, Shaded, Snap, State, Target, Texture,
    Vertices, Winding, Wrap,
};
use gpuzoo_simd::Work;
use std::sync::Arc;

/// Texture formats of the substitute for the combiners: linear, as these would see them.
pub static TEXTURE_FORMATS: &[TextureFormat] = &[
    texture("R5G6B5", Format::Rgb565, "16-bit words, red highest"),
    texture("A4R4G4B4", Format::Argb4444, "16-bit words, alpha highest"),
    texture("R8G8B8A8", Format::Rgba8888, "bytes red, green, blue, alpha"),
    texture("DXT1", Format::Bc1, "4 × 4 blocks of 8 bytes"),
    texture("DXT3", Format::Bc2, "4 × 4 blocks of 16 bytes"),
];

const fn texture(name: &'static str, format: Format, doc: &'static str) -> TextureFormat {
    TextureFormat { name, format, power_of_two: false, doc }
}

/// oT0, the coordinates of the one texture.
pub const TEXTURE0: u16 = 9;

/// The largest value of a 24-bit depth buffer: what c58.z scales to.
pub(crate) const DEPTH_STEPS: f32 = 16_777_215.0;

/// oPos.xy are pixels and are truncated to 1/16 (xemu, from console results); the picture's depth is z over the range.
///
/// Programs that end in clip space are placed as the two slots would that others end with (`screen.rs`).
pub(crate) fn rules(positions: PositionSpace) -> Rules {
    Rules {
        placement: match positions {
            PositionSpace::Clip => Placement::Clip { near: NearPlane::Zero, y_up: true },
            PositionSpace::Screen => Placement::Screen,
        },
        snap: Snap { bits: 4, rounding: Rounding::Truncate },
        ..Rules::default()
    }
}

/// What a program costs: its slots, one cycle each.
pub fn costs(lowered: &Lowered) -> Vec<Cost> {
    vec![Cost {
        name: "slots executed",
        per_run: lowered.steps.iter().filter(|step| step.part == 0).count() as u64,
        frame_budget: None,
        note: "up to and including the one with FINAL; how long a slot takes on the console is not known",
    }]
}

pub(crate) struct Settings {
    pub state: State,
    pub sampler: Sampler,
    pub viewport_constants: bool,
    /// Where the program leaves positions.
    pub positions: PositionSpace,
    /// Outputs keep what the draw before left in them.
    pub carry_over: bool,
    pub modes: Modes,
    pub fog: Option<Fog>,
}

/// Linear fog: none at `start`, all at `end`, in units of oFog.
#[derive(Clone, Copy)]
pub(crate) struct Fog {
    pub color: [f32; 3],
    pub start: f32,
    pub end: f32,
}

static DEPTH_COMPARE: Choice<Compare> = words::depth_compare(Compare::LessEqual);
static DEPTH_WRITE: Flag = words::depth_write(true);
static CULL: Choice<Cull> = words::cull(Cull::None);
static FRONT: Choice<Winding> = words::front(Winding::Clockwise);
static ALPHA_BLEND: Flag = Flag::new(
    "alpha_blend",
    false,
    "whether a fragment's colour counts by its alpha, and the one that is there by what is left of 1",
);
static FILTER: Choice<Filter> = words::filter(Filter::Linear);
static VIEWPORT_CONSTANTS: Flag = Flag::new(
    "viewport_constants",
    true,
    "whether c58 and c59 hold scale and offset from clip space to pixels, as the console's driver sets them; else they are the scene's",
);
/// Spaces of positions, with their names.
const POSITION_SPACES: [(&str, PositionSpace); 2] = {
    let [(screen, ..), (clip, ..)] = <PositionSpace as gpuzoo_diag::Choice>::ALL else {
        panic!("positions are in one of two spaces")
    };
    [(*screen, PositionSpace::Screen), (*clip, PositionSpace::Clip)]
};

static POSITIONS: Choice<PositionSpace> = Choice::new(
    "positions",
    &POSITION_SPACES,
    PositionSpace::Screen,
    "where programs leave positions: in pixels, as all that runs on a console does, or in clip space, as `vs.1.1` programs of a PC do",
);
static CARRY_OVER: Flag = Flag::new(
    "carry_over",
    false,
    "whether outputs that the program does not write keep what the draw before left in them",
);
static FOG: Section =
    Section::new("fog", &[&FOG_COLOR, &FOG_START, &FOG_END], "no fog", "linear fog, by the output oFog");
static FOG_COLOR: Plain = Plain {
    name: "color",
    takes: "a list of red, green and blue from 0 to 1",
    default: "",
    example: "[0.5, 0.6, 0.7]",
    about: "the colour of the fog",
};
static FOG_START: Number = Number::new("start", 0.0, "the oFog at which fog begins");
static FOG_END: Number = Number::new("end", 1.0, "the oFog from which on there is nothing but fog");

/// What a scene's `state` table can say.
pub static KEYS: &[&dyn Key] = &[
    &DEPTH_COMPARE,
    &DEPTH_WRITE,
    &CULL,
    &FRONT,
    &ALPHA_BLEND,
    &FILTER,
    &words::WRAP,
    &VIEWPORT_CONSTANTS,
    &POSITIONS,
    &CARRY_OVER,
    &MODES[0],
    &MODES[1],
    &MODES[2],
    &FOG,
];

pub(crate) fn settings(table: &Table, target: &Target, problems: &mut Vec<Diagnostic>) -> Settings {
    let mut reader = Reader::new(table, problems);
    let mut state = State::sized(target.width(), target.height());
    state.depth =
        Some(DepthTest { compare: DEPTH_COMPARE.read(&mut reader), write: DEPTH_WRITE.read(&mut reader) });
    (state.cull, state.front) = (CULL.read(&mut reader), FRONT.read(&mut reader));
    if ALPHA_BLEND.read(&mut reader) {
        state.blend = Blend::new(Equation::Add, Factor::SourceAlpha, Factor::OneMinusSourceAlpha);
    }
    let sampler = Sampler {
        filter: FILTER.read(&mut reader),
        wrap: words::wrap(&mut reader).unwrap_or([Wrap::Repeat; 2]),
    };
    let viewport_constants = VIEWPORT_CONSTANTS.read(&mut reader);
    let positions = POSITIONS.read(&mut reader);
    let carry_over = CARRY_OVER.read(&mut reader);
    let mut modes = Modes::default();
    for (place, mode) in MODES.iter().enumerate() {
        let choices: Vec<_> = mode.choices.iter().map(|(name, _)| *name).zip(0..).collect();
        modes.set(place, reader.choice(mode.name, &choices).unwrap_or(0));
    }
    let fog = FOG.read(&mut reader).map(|table| {
        let mut reader = Reader::new(table, reader.problems());
        reader.require(FOG_COLOR.name, "red, green and blue from 0 to 1");
        let color = reader.floats::<3>(FOG_COLOR.name).unwrap_or_default().map(|component| component as f32);
        let (start, end) = (FOG_START.read(&mut reader) as f32, FOG_END.read(&mut reader) as f32);
        reader.finish();
        Fog { color, start, end }
    });
    reader.finish();
    Settings { state, sampler, viewport_constants, positions, carry_over, modes, fog }
}

/// True if the program leads positions to pixels with constants of its own; what is wrong with the state is reported where
/// it is read for a draw.
pub(crate) fn positions_are_pixels(state: &Table) -> bool {
    !VIEWPORT_CONSTANTS.read(&mut Reader::new(state, &mut Vec::new()))
}

/// c58 and c59 for a target, as the console's driver sets them: scale and offset from clip space to pixels and depth.
fn viewport_constants(target: &Target) -> [Vec4; 2] {
    let (half_width, half_height) = (target.width() as f32 / 2.0, target.height() as f32 / 2.0);
    [vec4([half_width, -half_height, DEPTH_STEPS, 0.0]), vec4([half_width, half_height, 0.0, 0.0])]
}

/// Colours leave the vertex stage clamped to 0 to 1, with NaN as 1 (console results, xemu).
fn clamped(bits: Vec4) -> [f32; 4] {
    bits.map(f32::from_bits)
        .map(|component| if component.is_nan() { 1.0 } else { component.max(0.0).min(1.0) })
}

/// The constants that vertices find.
pub(crate) fn constants(settings: &Settings, target: &Target, draw: &Draw) -> Vec<Vec4> {
    let mut constants = draw.constants.to_vec();
    if settings.viewport_constants {
        constants.resize(constants.len().max(60), [0; 4]);
        constants[58..60].copy_from_slice(&viewport_constants(target));
    }
    constants
}

/// What outputs hold before a draw, other than they start.
fn start(settings: &Settings, draw: &Draw) -> Vec<(Reg, Vec4)> {
    if settings.carry_over { kept(draw.carried) } else { Vec::new() }
}

/// What a draw runs for every vertex, and its constants.
pub fn vertex_stage(target: &Target, draw: &Draw) -> (Lowering, Vec<Vec4>) {
    let settings = settings(draw.state, target, &mut Vec::new());
    let (profile, modes, start) = (draw.profile, settings.modes, start(&settings, draw));
    let lowering =
        move |program: &Program| modes::lowered(program, &RunState { profile, modes, start: &start }).0;
    (Arc::new(lowering), constants(&settings, target, draw))
}

/// A program in a state of the machine, as draws need it.
struct Prepared {
    program: Program,
    profile: Profile,
    modes: Modes,
    start: Vec<(Reg, Vec4)>,
    /// Diagnostics for what the modes do not allow.
    forbidden: Vec<Diagnostic>,
    /// What vertices run, with what is watched among its outputs.
    vertex: VertexProgram,
    watch: ReachWatch,
    fog_component: usize,
}

impl Prepared {
    fn new(program: &Program, run_state: &RunState) -> Prepared {
        let (lowered, forbidden) = modes::lowered(program, run_state);
        let (function, watch) = ReachWatch::new(&lowered);
        Prepared {
            program: program.clone(),
            profile: run_state.profile,
            modes: run_state.modes,
            start: run_state.start.to_vec(),
            forbidden,
            vertex: VertexProgram::new(&function),
            watch,
            fog_component: fog_component(&lowered),
        }
    }

    fn is_of(&self, program: &Program, run_state: &RunState) -> bool {
        (self.profile, self.modes, self.start.as_slice())
            == (run_state.profile, run_state.modes, run_state.start)
            && same_program(&self.program, program)
    }
}

/// Carries out a draw.
pub fn draw(target: &mut Target, draw: &Draw, problems: &mut Vec<Diagnostic>) -> Result<DrawReport, Refusal> {
    let before = problems.len();
    let settings = settings(draw.state, target, problems);
    if gpuzoo_diag::has_errors(&problems[before..]) {
        return Ok(DrawReport::default());
    }
    let start = start(&settings, draw);
    let run_state = RunState { profile: draw.profile, modes: settings.modes, start: &start };
    let known = |known: &Prepared| known.is_of(draw.vertex, &run_state);
    let prepared = draw.cache.get(known, || Prepared::new(draw.vertex, &run_state));
    // Without vertices this is but a look at the state.
    if !draw.vertices.is_empty() {
        problems.extend_from_slice(&prepared.forbidden);
    }
    let function = prepared.vertex.function();
    let place = |register: u16| function.outputs.iter().position(|(index, _)| *index == register);
    let [Some(pos), Some(diffuse), Some(specular), Some(fog), Some(texture)] =
        [0, 3, 4, OFOG.index, TEXTURE0].map(place)
    else {
        problems.push(state_drawn(draw.vertex));
        return Ok(DrawReport::default());
    };
    let constants = constants(&settings, target, draw);
    let depth_steps = if settings.positions == PositionSpace::Clip { 1.0 } else { DEPTH_STEPS };
    let place = |vertex: &[Vec4]| position(vertex[pos], depth_steps);
    let texture_unit = draw.textures.first().and_then(Option::as_deref);
    let stage = Stage { texture: texture_unit, sampler: settings.sampler, fog: settings.fog };
    let mut report = DrawReport {
        vertices: draw.vertex_count() as u64,
        outputs: draw.carried.to_vec(),
        ..DrawReport::default()
    };
    let mut reach = Reach::new(&prepared);
    prepared.vertex.run(&draw.uses(draw.layout), &constants, draw.budget, |runs| {
        reach.see(runs);
        let positions = runs.collect(draw.budget, 1, |vertex, all| all.push(place(vertex)))?;
        let varyings = runs.collect(draw.budget, 4, |vertex, all| {
            let fog = [f32::from_bits(vertex[fog][prepared.fog_component]); 4];
            let texture = vertex[texture].map(f32::from_bits);
            all.extend_from_slice(&[texture, clamped(vertex[diffuse]), clamped(vertex[specular]), fog]);
        })?;
        report.runs += runs.runs();
        if let Some(last) = (0..runs.vertices()).rev().find_map(|vertex| runs.output(vertex)) {
            report.outputs = by_number(function, last);
        }
        // Four varyings a vertex, as collected above, so this does not fail.
        if let Ok(vertices) = Vertices::new(&positions, &varyings, 4) {
            let (rules, state) = (rules(settings.positions), &settings.state);
            report.stats += draw.rasterize(target, &rules, state, vertices, runs.primitives(), &stage)?;
        }
        Ok(())
    })?;
    problems.extend(reach.watch.report(&crate::ISA, &prepared.program));
    if settings.viewport_constants && !draw.vertices.is_empty() {
        problems.extend(out_of_place(settings.positions, function, draw.vertex));
    }
    Ok(report)
}

/// The error of a draw whose program is a state program, which has no outputs.
fn state_drawn(program: &Program) -> Diagnostic {
    let message = "a state program has no outputs, so no draw can run it";
    let problem = Diagnostic::error(&STATE_DRAWN, message);
    let writer = program.slots.iter().find(|slot| slot.insts().flat_map(targets).any(|to| to.reg.file == C));
    let problem = match writer {
        Some(slot) => problem.label(slot.span, "a constant is written here"),
        None => problem.at(program.span),
    };
    problem.help("a draw needs a vertex program; `gpuzoo run` runs a state program and shows what it leaves")
}

/// Reads beyond the constants, by what the runs gave.
struct Reach {
    /// Where among the outputs, and their numbers.
    watched: Vec<(usize, u16)>,
    watch: ReachWatch,
}

impl Reach {
    fn new(prepared: &Prepared) -> Reach {
        let outputs = prepared.vertex.function().outputs.iter().enumerate();
        let watched = outputs.filter(|(_, (number, _))| matches!(Output::of(*number), Output::Watch(_)));
        let watched = watched.map(|(place, (number, _))| (place, *number)).collect();
        Reach { watched, watch: prepared.watch.clone() }
    }

    fn see(&mut self, runs: &VertexRuns) {
        if self.watched.is_empty() {
            return;
        }
        for vertex in 0..runs.vertices() {
            let Some(outputs) = runs.output(vertex) else { continue };
            for (place, number) in &self.watched {
                self.watch.see(runs.first() + vertex, *number, outputs[*place][0]);
            }
        }
    }
}

/// What the outputs hold after a vertex, by number.
fn by_number(function: &Function, values: &[Vec4]) -> Vec<Vec4> {
    let mut outputs = vec![OUTPUT_START; OUTPUT_NAMES.len()];
    for ((number, _), value) in function.outputs.iter().zip(values) {
        if let Some(output) = outputs.get_mut(usize::from(*number)) {
            *output = *value;
        }
    }
    outputs
}

/// The outputs that an earlier draw left other than they start.
fn kept(outputs: &[Vec4]) -> Vec<(Reg, Vec4)> {
    let outputs = (0..).zip(outputs.iter().copied()).take(OUTPUT_NAMES.len());
    let changed = outputs.filter(|(_, value)| *value != OUTPUT_START);
    changed.map(|(index, value)| (Reg { file: O, index }, value)).collect()
}

/// A warning for a program that seems to leave positions elsewhere than the draw says.
fn out_of_place(positions: PositionSpace, function: &Function, program: &Program) -> Option<Diagnostic> {
    let reads = |such: &dyn Fn(&Inst) -> bool| function.insts.iter().any(such);
    let scales = reads(&|inst| matches!(inst, Inst::Uniform(index) if VIEWPORT.contains(index)));
    let own_way = "if it does something else with them: `viewport_constants = false` in `[draw.state]`";
    match positions {
        PositionSpace::Clip if scales => {
            let message = "the program uses c58 or c59, and what it writes to oPos is taken as clip space";
            let problem = Diagnostic::warning(&SCALED_TWICE, message).at(program.span);
            Some(problem.help("if it leads to pixels: leave out `positions = \"clip\"`").help(own_way))
        }
        PositionSpace::Screen if !scales && !reads(&|inst| matches!(inst, Inst::UniformAt { .. })) => {
            let message =
                "the program uses neither c58 nor c59, so what it writes to oPos is taken as pixels";
            let problem = Diagnostic::warning(&NOT_SCALED, message).at(program.span);
            let problem = problem.help("if it ends in clip space: `positions = \"clip\"` in `[draw.state]`");
            Some(problem.help("if it computes pixels in another way: `viewport_constants = false` there"))
        }
        _ => None,
    }
}

/// What a program without a scene is drawn with: inputs as the console's vertex formats number them. A program that does
/// not use the viewport's constants leaves its position in clip space, unless it has the clamped reciprocal, which is there
/// for the division by w: then its matrix leads to pixels.
pub fn starter(program: &Program, (width, height): (u32, u32)) -> Starter {
    const OWN: &[u16] = &[*VIEWPORT.start(), *VIEWPORT.end()];
    let starter = Starter::new(OPOS.index)
        .input(0, "position", "FLOAT3")
        .input(2, "normal", "FLOAT3")
        .input(3, "color", "FLOAT4")
        .input(4, "color", "FLOAT4")
        .texcoords(&[9, 10, 11, 12])
        .own_constants(OWN);
    let starter = (9..13).fold(starter, |starter, input| starter.input(input, "texcoord", "FLOAT2"));
    let function = lowered(program, HW).function;
    let divides = program.slots.iter().flat_map(Slot::insts).any(|inst| inst.op.name == "rcc");
    let [x, y] = [f64::from(width) / 2.0, f64::from(height) / 2.0];
    let to_screen =
        [[x, 0.0, 0.0, 0.0], [0.0, -y, 0.0, 0.0], [0.0, 0.0, DEPTH_STEPS.into(), 0.0], [x, y, 0.0, 1.0]];
    match (
        function.insts.iter().any(|inst| matches!(inst, Inst::Uniform(index) if VIEWPORT.contains(index))),
        divides,
    ) {
        (true, _) => starter,
        (_, true) => starter.to_screen(to_screen, 4).state("viewport_constants", "false"),
        _ => starter.state("positions", "\"clip\""),
    }
}

/// Pixels, depth from 0 to 1, and |w| between 2^-64 and 2^64 (xemu, from console results).
fn position(bits: Vec4, depth_steps: f32) -> [f32; 4] {
    let [x, y, z, w] = bits.map(f32::from_bits);
    let limit = f32::from_bits(0x5f80_0000);
    let magnitude = w.abs().max(1.0 / limit).min(limit);
    [x, y, z / depth_steps, magnitude.copysign(w)]
}

/// The component of oFog that counts: the first one that its last write enabled (console results, spec section 4).
pub(crate) fn fog_component(lowered: &Lowered) -> usize {
    let writes = lowered.steps.iter().rev().flat_map(|step| &step.writes);
    let mask = writes.filter(|(reg, ..)| *reg == OFOG).map(|(.., mask)| *mask).next();
    mask.and_then(|mask| (0..COMPONENTS.len()).find(|component| mask.has(*component as u8))).unwrap_or(0)
}

/// The substitute for the register combiners.
struct Stage<'a> {
    texture: Option<&'a Texture>,
    sampler: Sampler,
    fog: Option<Fog>,
}

/// Varyings.
mod varying {
    pub const TEXCOORD: usize = 0;
    pub const DIFFUSE: usize = 1;
    pub const SPECULAR: usize = 2;
    pub const FOG: usize = 3;
}

impl FragmentStage for Stage<'_> {
    fn kills(&self) -> bool {
        false
    }

    fn shade(&self, batch: &FragmentBatch<'_>, out: &mut Shaded) {
        // Texels first, in the colours' place; without a texture they are white.
        match self.texture {
            None => out.color.iter_mut().for_each(|column| column.fill(1.0)),
            Some(texture) => {
                let mut at = [[0.0; BATCH]; 2];
                let [s, t] = at.each_mut().map(|column| &mut column[..]);
                batch.interpolate(varying::TEXCOORD, 0, [s, t, &mut [], &mut []]);
                let len = batch.len();
                let at = at.each_ref().map(|column| &column[..len]);
                let to = out.color.each_mut().map(|column| &mut column[..len]);
                self.sampler.sample_all(batch.level(), texture, MipFilter::Base, at, &[], to);
            }
        }
        let colors = out.color.each_mut().map(|column| &mut column[..]);
        batch.interpolate_with(varying::DIFFUSE, colors, |color, diffuse| color * diffuse);
        let [red, green, blue, _] = out.color.each_mut().map(|column| &mut column[..]);
        // The specular colour has no alpha.
        let colors = [red, green, blue, &mut []];
        batch.interpolate_with(varying::SPECULAR, colors, |color, specular| color + specular);
        if let Some(fog) = self.fog {
            let mut coordinates = [0.0; BATCH];
            batch.interpolate(varying::FOG, 0, [&mut coordinates[..], &mut [], &mut [], &mut []]);
            let [red, green, blue, _] = out.color.each_mut();
            batch.level().run(Fogged { fog, colors: [red, green, blue], coordinates: &coordinates });
        }
    }
}

/// Columns of colours behind fog, of which only the first fragments count.
struct Fogged<'a> {
    fog: Fog,
    colors: [&'a mut [f32; BATCH]; 3],
    coordinates: &'a [f32; BATCH],
}

impl Work for Fogged<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Fogged { fog: Fog { color: far, start, end }, colors, coordinates } = self;
        let mut amounts = [0.0; BATCH];
        for lane in 0..BATCH {
            amounts[lane] = ((coordinates[lane] - start) / (end - start)).max(0.0).min(1.0);
        }
        for (near, far) in colors.into_iter().zip(far) {
            for lane in 0..BATCH {
                near[lane] = near[lane] * (1.0 - amounts[lane]) + far * amounts[lane];
            }
        }
    }
}

/// What a program means under a profile, the machine's modes at their defaults.
pub fn lowered(program: &Program, profile: Profile) -> Lowered {
    modes::lowered(program, &profile.into()).0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spec section 11: |w| is clamped to 2^-64 to 2^64, which are 0x1f800000 and 0x5f800000; the sign stays.
    #[test]
    fn w_is_kept_from_zero_and_infinity() {
        let (least, most) = (0x1f80_0000, 0x5f80_0000);
        let table = [
            (0, least),
            (0x8000_0000, least | 1 << 31),
            // The neighbours of the bounds, and 1.
            (least - 1, least),
            (least + 1, least + 1),
            (most - 1, most - 1),
            (most + 1, most),
            (0xbf80_0000, 0xbf80_0000),
            (0x7f80_0000, most),
            (0xff80_0000, most | 1 << 31),
        ];
        for (w, expected) in table {
            let placed = position([0x3f80_0000, 0x4000_0000, 0x4040_0000, w], 4.0);
            assert_eq!(placed[..3], [1.0, 2.0, 0.75]);
            assert_eq!(placed[3].to_bits(), expected, "{w:08x}");
        }
    }
}

//! The fixed function around the vertex shader: from what it writes to a picture (spec sections 5 and 8).
//!
//! The shader leaves screen coordinates: nearly every program ends with the same two slots, which scale by c58, divide by
//! w and add c59. What follows on the console are the register combiners, which are another unit. In their place stands
//! a simple one, texture 0 × diffuse + specular, then fog.

use crate::ISA;
use crate::regs::OFOG;
use gpuzoo_diag::Diagnostic;
use gpuzoo_ir::{Vec4, passes, vec4};
use gpuzoo_isa::{LANES, Lowered, Program};
use gpuzoo_machine::Cost;
use gpuzoo_machine::draw::{Draw, DrawReport, TextureFormat, run_vertices};
use gpuzoo_machine::settings::{Reader, Table};
use gpuzoo_raster::{
    Blend, Compare, Cull, DepthTest, Equation, Factor, Filter, Format, FragmentBatch, FragmentStage,
    Placement, Primitives, Rounding, Rules, Sampler, Shaded, Snap, State, Target, Texture, Vertices, Winding,
    Wrap,
};

/// Texture formats of the stand-in: linear, as the combiners would see them.
pub static TEXTURE_FORMATS: &[TextureFormat] = &[
    TextureFormat {
        name: "R5G6B5",
        format: Format::Rgb565,
        power_of_two: false,
        doc: "16-bit words, red highest",
    },
    TextureFormat {
        name: "A4R4G4B4",
        format: Format::Argb4444,
        power_of_two: false,
        doc: "16-bit words, alpha highest",
    },
    TextureFormat {
        name: "R8G8B8A8",
        format: Format::Rgba8888,
        power_of_two: false,
        doc: "bytes red, green, blue, alpha",
    },
    TextureFormat { name: "DXT1", format: Format::Bc1, power_of_two: false, doc: "4 × 4 blocks of 8 bytes" },
    TextureFormat {
        name: "DXT3", format: Format::Bc2, power_of_two: false, doc: "4 × 4 blocks of 16 bytes"
    },
];

/// The largest value of a 24-bit depth buffer: what c58.z scales to.
const DEPTH_STEPS: f32 = 16_777_215.0;

/// oPos.xy are pixels and are truncated to 1/16 (xemu, from console results); the picture's depth is z over the range.
fn rules() -> Rules {
    Rules {
        placement: Placement::Screen,
        snap: Snap { bits: 4, rounding: Rounding::Truncate },
        ..Rules::default()
    }
}

/// What a program costs: its slots, one cycle each.
pub fn costs(lowered: &Lowered) -> Vec<Cost> {
    vec![Cost {
        name: "slots executed",
        per_run: lowered.steps.len() as u64,
        frame_budget: None,
        note: "up to and including the one with FINAL; how long a slot takes on the console is not known",
    }]
}

struct Settings {
    state: State,
    sampler: Sampler,
    viewport_constants: bool,
    fog: Option<Fog>,
}

/// Linear fog: none at `start`, all at `end`, in units of oFog.
struct Fog {
    color: [f32; 3],
    start: f32,
    end: f32,
}

const COMPARES: [(&str, Compare); 8] = [
    ("never", Compare::Never),
    ("less", Compare::Less),
    ("equal", Compare::Equal),
    ("lequal", Compare::LessEqual),
    ("greater", Compare::Greater),
    ("notequal", Compare::NotEqual),
    ("gequal", Compare::GreaterEqual),
    ("always", Compare::Always),
];

fn settings(table: &Table, target: &Target, problems: &mut Vec<Diagnostic>) -> Settings {
    let mut reader = Reader::new(table, problems);
    let mut state = State::sized(target.width(), target.height());
    state.depth = Some(DepthTest {
        compare: reader.choice("depth_compare", &COMPARES).unwrap_or(Compare::LessEqual),
        write: reader.bool("depth_write").unwrap_or(true),
    });
    let culls = [("none", Cull::None), ("front", Cull::Front), ("back", Cull::Back)];
    state.cull = reader.choice("cull", &culls).unwrap_or(Cull::None);
    let windings = [("cw", Winding::Clockwise), ("ccw", Winding::CounterClockwise)];
    state.front = reader.choice("front", &windings).unwrap_or(Winding::Clockwise);
    if reader.bool("alpha_blend") == Some(true) {
        state.blend = Blend::new(Equation::Add, Factor::SourceAlpha, Factor::OneMinusSourceAlpha);
    }
    let filters = [("nearest", Filter::Nearest), ("linear", Filter::Linear)];
    let wraps = [("clamp", Wrap::Clamp), ("repeat", Wrap::Repeat), ("mirror", Wrap::Mirror)];
    let sampler = Sampler {
        filter: reader.choice("filter", &filters).unwrap_or(Filter::Linear),
        wrap: [reader.choice("wrap", &wraps).unwrap_or(Wrap::Repeat); 2],
    };
    let viewport_constants = reader.bool("viewport_constants").unwrap_or(true);
    let fog = reader.table("fog").map(|table| {
        let mut reader = Reader::new(table, reader.problems());
        reader.require("color", "red, green and blue from 0 to 1");
        let color = reader.floats::<3>("color").unwrap_or_default().map(|lane| lane as f32);
        let start = reader.float("start").unwrap_or(0.0) as f32;
        let end = reader.float("end").unwrap_or(1.0) as f32;
        reader.finish();
        Fog { color, start, end }
    });
    reader.finish();
    Settings { state, sampler, viewport_constants, fog }
}

/// c58 and c59 for a target, as the console's driver sets them: scale and offset from clip space to pixels and depth.
fn viewport_constants(target: &Target) -> [Vec4; 2] {
    let (half_width, half_height) = (target.width() as f32 / 2.0, target.height() as f32 / 2.0);
    [vec4([half_width, -half_height, DEPTH_STEPS, 0.0]), vec4([half_width, half_height, 0.0, 0.0])]
}

/// Colours leave the vertex stage clamped to 0 to 1, with NaN as 1 (console results, xemu).
fn clamped(bits: Vec4) -> [f32; 4] {
    bits.map(f32::from_bits).map(|lane| if lane.is_nan() { 1.0 } else { lane.max(0.0).min(1.0) })
}

/// Carries out a draw.
pub fn draw(
    target: &mut Target,
    draw: &Draw,
    lowered: &Lowered,
    problems: &mut Vec<Diagnostic>,
) -> DrawReport {
    let before = problems.len();
    let settings = settings(draw.state, target, problems);
    if gpuzoo_diag::has_errors(&problems[before..]) {
        return DrawReport::default();
    }
    let mut uniforms = draw.uniforms.to_vec();
    if settings.viewport_constants {
        uniforms.resize(uniforms.len().max(60), [0; 4]);
        uniforms[58..60].copy_from_slice(&viewport_constants(target));
    }
    let function = passes::optimize(&lowered.function);
    let outputs = run_vertices(&function, draw.layout, draw.vertices, &uniforms);
    let place = |register: u16| function.outputs.iter().position(|(index, _)| *index == register);
    let [pos, diffuse, specular, fog, texture] =
        [0, 3, 4, OFOG.index, 9].map(|register| place(register).unwrap_or(0));
    let fog_lane = fog_lane(lowered);
    let vertices = outputs.chunks_exact(function.outputs.len().max(1));
    let positions: Vec<[f32; 4]> = vertices.clone().map(|vertex| position(vertex[pos])).collect();
    let varyings = vertices.flat_map(|vertex| {
        let fog = [f32::from_bits(vertex[fog][fog_lane]); 4];
        [vertex[texture].map(f32::from_bits), clamped(vertex[diffuse]), clamped(vertex[specular]), fog]
    });
    let varyings: Vec<[f32; 4]> = varyings.collect();
    let mut report = DrawReport { vertices: positions.len() as u64, ..DrawReport::default() };
    // Four varyings a vertex, as collected above, so this does not fail.
    if let Ok(vertices) = Vertices::new(&positions, &varyings, 4) {
        let texture = draw.textures.first().and_then(Option::as_deref);
        let stage = Stage { texture, sampler: settings.sampler, fog: settings.fog };
        let primitives = Primitives { topology: draw.topology, indices: draw.indices };
        report.stats = gpuzoo_raster::draw(target, &rules(), &settings.state, vertices, primitives, &stage);
    }
    report
}

/// Pixels, depth from 0 to 1, and |w| between 2^-64 and 2^64 (xemu, from console results).
fn position(bits: Vec4) -> [f32; 4] {
    let [x, y, z, w] = bits.map(f32::from_bits);
    let limit = f32::from_bits(0x5f80_0000);
    let magnitude = w.abs().max(1.0 / limit).min(limit);
    [x, y, z / DEPTH_STEPS, magnitude.copysign(w)]
}

/// The lane of oFog that counts: the first one that its last write enabled (console results, spec section 4).
fn fog_lane(lowered: &Lowered) -> usize {
    let writes = lowered.steps.iter().rev().flat_map(|step| &step.writes);
    let mask = writes.filter(|(reg, ..)| *reg == OFOG).map(|(.., mask)| *mask).next();
    mask.and_then(|mask| (0..LANES.len()).find(|lane| mask.has(*lane as u8))).unwrap_or(0)
}

/// The stand-in for the register combiners.
struct Stage<'a> {
    texture: Option<&'a Texture>,
    sampler: Sampler,
    fog: Option<Fog>,
}

impl FragmentStage for Stage<'_> {
    fn shade(&self, batch: &FragmentBatch, out: &mut [Shaded]) {
        for (index, shaded) in out.iter_mut().enumerate() {
            let [coordinates, diffuse, specular, fog] = [0, 1, 2, 3].map(|slot| batch.varying(slot, index));
            let texel = self
                .texture
                .map_or([1.0; 4], |texture| self.sampler.sample(texture, [coordinates[0], coordinates[1]]));
            let mut color = [0, 1, 2].map(|lane| texel[lane] * diffuse[lane] + specular[lane]);
            if let Some(Fog { color: far, start, end }) = &self.fog {
                let amount = ((fog[0] - start) / (end - start)).max(0.0).min(1.0);
                color = [0, 1, 2].map(|lane| color[lane] * (1.0 - amount) + far[lane] * amount);
            }
            shaded.color = [color[0], color[1], color[2], texel[3] * diffuse[3]];
        }
    }
}

/// What a program means under a profile: slots up to the one with FINAL.
pub fn lowered(program: &Program, profile: &str) -> Lowered {
    let last = program.slots.iter().position(|slot| crate::encoding::is_final(&slot.bits));
    let slots = &program.slots[..last.map_or(program.slots.len(), |last| last + 1)];
    let executed = Program { slots: slots.to_vec(), ..Program::default() };
    let mut lowered = ISA.lower(&executed, profile, &[]);
    lowered.end = last;
    lowered
}

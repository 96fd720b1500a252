//! The rasterizer's fast paths against its plain one: notes are about each fragment, so a draw that takes them refuses nothing
//! by blocks; and it uses no more than the instructions that every processor has.

use crate::bytes::{Bytes, EDGES};
use gpuzoo_engine::Level;
use gpuzoo_raster::*;

/// No multiple of a block.
const SIZE: [u32; 2] = [75, 53];

/// A stage that asks for quads and depth as its fields say, kills some and uses all it gets.
#[derive(Clone, Copy)]
struct Stage {
    quads: bool,
    writes_depth: bool,
    kills: bool,
}

impl FragmentStage for Stage {
    fn shade(&self, batch: &FragmentBatch<'_>, out: &mut Shaded) {
        let count = batch.len();
        assert!((1..=BATCH).contains(&count));
        let mut columns = [[0.0; BATCH]; 4];
        batch.interpolate(0, 0, columns.each_mut().map(|column| &mut column[..count]));
        let varying = |at: usize| [0, 1, 2, 3].map(|component: usize| columns[component][at]);
        // A fragment alone has what it has among all.
        let last = count - 1;
        assert_eq!(batch.varying(0, last).map(f32::to_bits), varying(last).map(f32::to_bits));
        for at in 0..count {
            let mut color = varying(at);
            // A helper that should not be there shows in the colours of its quad.
            if self.quads {
                let [a, b, c, d] = batch.quad_of(at).map(|at| columns[0][at]);
                color[3] = (b - a) + (d - c) + (c - a);
            }
            out.set_color(at, color);
            let [x, y] = batch.pixel(at);
            out.killed[at] = self.kills && (x / 3 + y / 5 + batch.primitive(at)).is_multiple_of(3);
            out.depth[at] = out.depth[at] * 0.5 + 0.25;
        }
    }

    fn needs_quads(&self) -> bool {
        self.quads
    }

    fn kills(&self) -> bool {
        self.kills
    }

    fn writes_depth(&self) -> bool {
        self.writes_depth
    }
}

/// Draws, clears and writes of any kind leave the same pixels, depths and counts.
pub(crate) fn fast_paths(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let rules = rules(&mut bytes);
    let mut fast = Target::new(SIZE[0], SIZE[1]).expect("a small target");
    fast.clear([0; 4], depth(&mut bytes));
    let mut plain = fast.clone();
    plain.take_notes().expect("there is memory");
    for _ in 0..bytes.below(6) + 1 {
        let step = Step::of(&mut bytes);
        let stats = step.apply(&rules, &mut fast);
        assert_eq!(stats, step.apply(&rules, &mut plain));
        assert_eq!(stats.primitives, stats.invalid + stats.outside + stats.culled + stats.drawn);
        assert_eq!(stats.fragments, stats.depth_failed + stats.killed + stats.written);
        assert!(fast.color() == plain.color());
        assert!(depth_bits(&fast) == depth_bits(&plain));
    }
}

fn depth_bits(target: &Target) -> Vec<u32> {
    target.depth().values().iter().map(|depth| depth.to_bits()).collect()
}

fn rules(bytes: &mut Bytes) -> Rules {
    Rules {
        placement: bytes.of(&[
            Placement::Clip { near: NearPlane::Zero, y_up: true },
            Placement::Clip { near: NearPlane::MinusOne, y_up: false },
            Placement::Divided,
            Placement::Screen,
        ]),
        clip: ClipRules {
            sides: bytes.of(&[Sides::GuardBand, Sides::Cut]),
            near: bytes.bool(),
            far: bytes.bool(),
        },
        snap: Snap {
            bits: bytes.byte(),
            rounding: bytes.of(&[
                Rounding::NearestEven,
                Rounding::NearestAway,
                Rounding::Truncate,
                Rounding::Floor,
            ]),
        },
        sample: bytes.of(&[Sample::Centre, Sample::Corner]),
        fill: bytes.of(&[Fill::TopLeft, Fill::Inclusive]),
        zero_area: bytes.of(&[ZeroArea::Nothing, ZeroArea::Unbounded]),
        interpolation: bytes.of(&[Interpolation::Perspective, Interpolation::Linear]),
        depth: DepthRules {
            clamp: bytes.bool(),
            unordered: bytes.of(&[Unordered::Fails, Unordered::Passes]),
        },
        color: bytes.of(&[ColorRounding::Nearest, ColorRounding::Truncate]),
    }
}

/// Few depths, so that many are equal; some that are hard to handle.
fn depth(bytes: &mut Bytes) -> f32 {
    match bytes.byte() {
        0 => f32::from_bits(bytes.word_near(&EDGES)),
        eighths @ 1..128 => f32::from(eighths % 9) / 8.0,
        _ => bytes.unit().abs(),
    }
}

/// What happens to the buffers.
enum Step {
    Draw {
        positions: Vec<[f32; 4]>,
        topology: Topology,
        state: Box<State>,
        stage: Stage,
    },
    Clear(f32),
    /// The caller writes a depth to every pixel from one on.
    Fill(usize, f32),
}

impl Step {
    fn of(bytes: &mut Bytes) -> Step {
        match bytes.below(8) {
            0 => Step::Clear(depth(bytes)),
            1 => Step::Fill(bytes.word() as usize % (SIZE[0] * SIZE[1]) as usize, depth(bytes)),
            _ => Step::Draw {
                state: Box::new(state(bytes)),
                topology: bytes.of(&[
                    Topology::TriangleList,
                    Topology::TriangleStrip,
                    Topology::LineList,
                    Topology::LineStrip,
                ]),
                stage: Stage { quads: bytes.bool(), writes_depth: bytes.bool(), kills: bytes.bool() },
                positions: positions(bytes),
            },
        }
    }

    fn apply(&self, rules: &Rules, target: &mut Target) -> Stats {
        match self {
            Step::Clear(depth) => target.clear([1, 2, 3, 4], *depth),
            Step::Fill(from, depth) => target.depth_mut().values_mut()[*from..].fill(*depth),
            Step::Draw { positions, topology, state, stage } => {
                let positions: Vec<_> = positions.iter().map(|at| placed(rules.placement, *at)).collect();
                let varyings: Vec<_> =
                    (0..positions.len()).map(|at| [at as f32 / 60.0, 0.5, 0.25, 1.0]).collect();
                let vertices = Vertices::new(&positions, &varyings, 1).expect("a varying for each");
                let level = match target.notes() {
                    Some(_) => Level::Portable,
                    None => Level::chosen(),
                };
                let limits = Limits { level, ..Limits::default() };
                let primitives = Primitives::all(*topology);
                return draw_within(limits, target, rules, state, vertices, primitives, stage)
                    .expect("no limit of pixels");
            }
        }
        Stats::default()
    }
}

/// Pixels, depth and w as the rules take them.
fn placed(placement: Placement, [x, y, z, w]: [f32; 4]) -> [f32; 4] {
    match placement {
        Placement::Screen => [x, y, z, w],
        _ => [(x / SIZE[0] as f32 * 2.0 - 1.0) * w, (y / SIZE[1] as f32 * 2.0 - 1.0) * w, z * w, w],
    }
}

/// Large triangles, small ones, and some that are hard to handle.
fn positions(bytes: &mut Bytes) -> Vec<[f32; 4]> {
    let [width, height] = SIZE.map(|side| side as f32);
    let mut positions: Vec<[f32; 4]> = Vec::new();
    for _ in 0..bytes.below(30) {
        let kind = bytes.byte();
        let z = if kind & 4 == 0 { positions.last().map_or(0.5, |last| last[2]) } else { depth(bytes) };
        let w = if kind & 8 == 0 { 1.0 } else { bytes.unit() * 2.0 + 2.25 };
        positions.push(match (kind & 3, positions.last()) {
            (0, Some([x, y, ..])) => [x + bytes.unit() * 9.0, y + bytes.unit() * 9.0, z, w],
            (1, _) if kind > 240 => bytes.vec4(&EDGES).map(f32::from_bits),
            _ => [(bytes.unit() + 0.5) * width, (bytes.unit() + 0.5) * height, z, w],
        });
    }
    positions
}

fn state(bytes: &mut Bytes) -> State {
    let mut state = State::sized(SIZE[0], SIZE[1]);
    if bytes.below(10) != 0 {
        state.depth = Some(DepthTest { compare: bytes.of(&Compare::ALL), write: bytes.below(5) != 0 });
    }
    state.blend = bytes.of(&[
        Blend::REPLACE,
        Blend::REPLACE,
        Blend::new(Equation::Add, Factor::One, Factor::One),
        Blend::new(Equation::Max, Factor::One, Factor::One),
        Blend::new(Equation::Add, Factor::SourceAlpha, Factor::OneMinusSourceAlpha),
    ]);
    state.viewport.depth = bytes.of(&[[0.0, 1.0], [0.0, 1.0], [1.0, 0.0], [0.25, 0.5]]);
    state.cull = bytes.of(&[Cull::None, Cull::None, Cull::Back]);
    if bytes.below(4) == 0 {
        let [x, y] = [bytes.byte() as i8, bytes.byte() as i8].map(i32::from);
        state.scissor = Some(Rect { x, y, width: bytes.byte().into(), height: bytes.byte().into() });
    }
    state
}

//! What is refused by blocks is what would be refused pixel by pixel. Notes are about each fragment, so a draw that
//! takes them refuses nothing by blocks.

use gpuzoo_raster::*;
use proptest::prelude::*;
use proptest::sample::select;

/// No multiple of a block.
const SIZE: [u32; 2] = [75, 53];

/// Gives its varying and kills some fragments.
#[derive(Clone, Copy, Debug)]
struct Stage {
    quads: bool,
    writes_depth: bool,
    kills: bool,
}

impl FragmentStage for Stage {
    fn shade(&self, batch: &FragmentBatch<'_>, out: &mut Shaded) {
        for at in 0..batch.len() {
            let mut color = batch.varying(0, at);
            // A helper that should not be there shows in the colours of its quad.
            if self.quads {
                let [a, b, c, d] = batch.quad_of(at).map(|at| batch.varying(0, at)[0]);
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

fn stage() -> impl Strategy<Value = Stage> {
    any::<[bool; 3]>().prop_map(|[quads, writes_depth, kills]| Stage {
        quads,
        writes_depth: writes_depth && kills,
        kills,
    })
}

/// Few depths, so that many are equal; some that are hard to handle.
fn depth() -> impl Strategy<Value = f32> {
    let hard = vec![-0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN];
    prop_oneof![
        20 => (0..=8u8).prop_map(|eighths| f32::from(eighths) / 8.0),
        20 => 0.0f32..1.0,
        1 => select(hard)
    ]
}

/// Corners in pixels and depth, often one depth for all: large triangles, and small ones.
fn triangle() -> impl Strategy<Value = [[f32; 4]; 3]> {
    let flat = depth().prop_map(|depth| [depth; 3]);
    let depths = prop_oneof![flat, [depth(), depth(), depth()]];
    let [width, height] = SIZE.map(|side| side as f32);
    let corner = move || (-0.5 * width..1.5 * width, -0.5 * height..1.5 * height, 0.25f32..4.0);
    let large = [corner(), corner(), corner()];
    let step = || (-9.0f32..9.0, -9.0f32..9.0, 0.25f32..4.0);
    let small = [corner(), step(), step()].prop_map(|[a, b, c]| {
        let beside = |step: (f32, f32, f32)| (a.0 + step.0, a.1 + step.1, step.2);
        [a, beside(b), beside(c)]
    });
    let corners = prop_oneof![3 => large, 1 => small];
    (corners, depths).prop_map(|(corners, depths)| {
        std::array::from_fn(|at| [corners[at].0, corners[at].1, depths[at], corners[at].2])
    })
}

/// What happens to the buffers.
#[derive(Clone, Debug)]
enum Step {
    Draw {
        triangles: Vec<[[f32; 4]; 3]>,
        test: Option<DepthTest>,
        stage: Stage,
        replace: bool,
        range: [f32; 2],
    },
    Clear(f32),
    /// The caller writes a depth to every pixel from one on.
    Fill(usize, f32),
}

fn step() -> impl Strategy<Value = Step> {
    let test = (select(&Compare::ALL[..]), prop::bool::weighted(0.8))
        .prop_map(|(compare, write)| DepthTest { compare, write });
    let range = prop_oneof![4 => Just([0.0, 1.0]), 1 => Just([1.0, 0.0]), 1 => Just([0.25, 0.5])];
    let draw = (
        prop::collection::vec(triangle(), 1..20),
        prop::option::weighted(0.9, test),
        stage(),
        any::<bool>(),
        range,
    );
    prop_oneof![
        6 => draw.prop_map(|(triangles, test, stage, replace, range)| Step::Draw { triangles, test, stage, replace, range }),
        1 => depth().prop_map(Step::Clear),
        1 => (0..(SIZE[0] * SIZE[1]) as usize, depth()).prop_map(|(from, depth)| Step::Fill(from, depth)),
    ]
}

/// Does a step, and returns what became of its fragments.
fn apply(step: &Step, rules: &Rules, target: &mut Target) -> Stats {
    match step {
        Step::Clear(depth) => target.clear([1, 2, 3, 4], *depth),
        Step::Fill(from, depth) => target.depth_mut().values_mut()[*from..].fill(*depth),
        Step::Draw { triangles, test, stage, replace, range } => {
            let blend = if *replace { Blend::REPLACE } else { crate::common::COUNT };
            let mut state = State { depth: *test, blend, ..State::sized(SIZE[0], SIZE[1]) };
            state.viewport.depth = *range;
            let mut positions = triangles.as_flattened().to_vec();
            if let Placement::Clip { .. } = rules.placement {
                for [x, y, z, w] in &mut positions {
                    *x = (*x / SIZE[0] as f32 * 2.0 - 1.0) * *w;
                    *y = (*y / SIZE[1] as f32 * 2.0 - 1.0) * *w;
                    *z *= *w;
                }
            }
            let varyings: Vec<_> = (0..positions.len()).map(|i| [i as f32 / 60.0, 0.5, 0.25, 1.0]).collect();
            let vertices = Vertices::new(&positions, &varyings, 1).unwrap();
            return draw(target, rules, &state, vertices, Primitives::all(Topology::TriangleList), stage);
        }
    }
    Stats::default()
}

fn depth_bits(target: &Target) -> Vec<u32> {
    target.depth().values().iter().map(|depth| depth.to_bits()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn blocks_change_nothing(
        steps in prop::collection::vec(step(), 1..6),
        start in depth(),
        on_screen in any::<bool>(),
        clamp in any::<bool>(),
        unordered in select(vec![Unordered::Fails, Unordered::Passes]),
        fill in select(vec![Fill::TopLeft, Fill::Inclusive]),
        zero_area in select(vec![ZeroArea::Nothing, ZeroArea::Unbounded]),
    ) {
        let mut rules = Rules { fill, zero_area, depth: DepthRules { clamp, unordered }, ..crate::common::screen_rules() };
        if !on_screen {
            rules.placement = Placement::Clip { near: NearPlane::Zero, y_up: false };
        }
        let mut blocks = Target::new(SIZE[0], SIZE[1]).unwrap();
        blocks.clear([0; 4], start);
        let mut plain = blocks.clone();
        plain.take_notes().unwrap();
        for (at, step) in steps.iter().enumerate() {
            let stats = apply(step, &rules, &mut blocks);
            prop_assert_eq!(stats, apply(step, &rules, &mut plain), "step {}", at);
            prop_assert!(blocks.color() == plain.color(), "colours after step {at}");
            prop_assert!(depth_bits(&blocks) == depth_bits(&plain), "depths after step {at}");
        }
    }
}

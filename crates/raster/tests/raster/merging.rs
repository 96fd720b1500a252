//! What becomes of fragments on their way to the target, against a reference that takes one after the other: depth test, kill,
//! blending, masks and counts, on every level of instructions.

use crate::common::screen_rules;
use gpuzoo_raster::*;
use gpuzoo_simd::Level;
use proptest::prelude::*;
use proptest::sample::select;

/// No multiple of a group of lanes, nor of a band.
const SIZE: [u32; 2] = [37, 19];

/// A rectangle of whole pixels at one depth: its fragments are known without rasterizing.
#[derive(Clone, Debug)]
struct Layer {
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
    depth: f32,
}

impl Layer {
    /// Two triangles.
    fn corners(&self) -> [[f32; 4]; 6] {
        let [left, top, right, bottom] = [self.left, self.top, self.right, self.bottom].map(|at| at as f32);
        let corner = |x: f32, y: f32| [x, y, self.depth, 1.0];
        let [a, b, c, d] =
            [corner(left, top), corner(right, top), corner(left, bottom), corner(right, bottom)];
        [a, b, c, c, b, d]
    }
}

/// What a stage gives depends on pixel and layer alone.
#[derive(Clone, Copy, Debug)]
struct Stage {
    seed: u32,
    quads: bool,
    kills: bool,
    writes_depth: bool,
}

struct Given {
    color: [f32; 4],
    depth: f32,
    killed: bool,
}

impl Stage {
    fn given(&self, [x, y]: [u32; 2], layer: u32) -> Given {
        const ODD: [f32; 8] = [0.0, -0.0, 1.0, 0.5, -3.0, 2.0, f32::NAN, f32::INFINITY];
        let noise = |salt: u32| {
            let mixed = (x ^ y << 8 ^ layer << 16 ^ salt << 24 ^ self.seed).wrapping_mul(2_654_435_761);
            (mixed ^ mixed >> 15).wrapping_mul(2_246_822_519) >> 8
        };
        let number = |salt: u32| match noise(salt) % 8 {
            0 => ODD[noise(salt + 9) as usize % 8],
            _ => (noise(salt + 9) % 1021) as f32 / 1020.0,
        };
        Given {
            color: [number(0), number(1), number(2), number(3)],
            depth: number(4),
            killed: self.kills && noise(5).is_multiple_of(3),
        }
    }
}

impl FragmentStage for Stage {
    fn shade(&self, batch: &FragmentBatch<'_>, out: &mut Shaded) {
        for at in 0..batch.len() {
            let given = self.given(batch.pixel(at), batch.primitive(at) / 2);
            out.set_color(at, given.color);
            out.depth[at] = given.depth;
            out.killed[at] = given.killed;
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

/// The picture, depths and counts, a fragment at a time.
fn reference(target: &mut Target, rules: &Rules, state: &State, layers: &[Layer], stage: &Stage) -> Stats {
    let mut stats = Stats::default();
    for (number, layer) in (0..).zip(layers) {
        for (y, x) in (layer.top..layer.bottom).flat_map(|y| (layer.left..layer.right).map(move |x| (y, x))) {
            stats.fragments += 1;
            let at = (y * SIZE[0] + x) as usize;
            let given = stage.given([x, y], number);
            let depth = if stage.writes_depth { given.depth } else { layer.depth };
            let depth = if rules.depth.clamp { depth.max(0.0).min(1.0) } else { depth };
            let stored = target.depth().values()[at];
            if state.depth.is_some_and(|test| !test.compare.passes(depth, stored, rules.depth.unordered)) {
                stats.depth_failed += 1;
                continue;
            }
            if given.killed {
                stats.killed += 1;
                continue;
            }
            stats.written += 1;
            if state.depth.is_some_and(|test| test.write) {
                target.depth_mut().values_mut()[at] = depth;
            }
            let old = target.color().pixels()[at];
            let new = match state.rop {
                Some(rop) => rop.apply(given.color.map(|value| to_unorm8(value, rules.color)), old),
                None => state.blend.apply(given.color, old, rules.color),
            };
            for channel in (0..4).filter(|channel| state.color_mask[*channel]) {
                target.color_mut().pixels_mut()[at][channel] = new[channel];
            }
        }
    }
    stats
}

fn layer() -> impl Strategy<Value = Layer> {
    let depth = prop_oneof![
        8 => (0..=8u8).prop_map(|eighths| f32::from(eighths) / 8.0),
        1 => select(vec![-7.0, 3.0, 1e-40])
    ];
    (0..SIZE[0], 0..SIZE[1], 1..=SIZE[0], 1..=SIZE[1], depth).prop_map(|(left, top, width, height, depth)| {
        let (right, bottom) = ((left + width).min(SIZE[0]), (top + height).min(SIZE[1]));
        Layer { left, top, right, bottom, depth }
    })
}

fn state() -> impl Strategy<Value = State> {
    use Factor::*;
    let factors = vec![
        Zero,
        One,
        SourceColor,
        OneMinusSourceColor,
        SourceAlpha,
        OneMinusSourceAlpha,
        DestinationAlpha,
        OneMinusDestinationAlpha,
        DestinationColor,
        OneMinusDestinationColor,
    ];
    let equations = vec![
        Equation::Add,
        Equation::Add,
        Equation::Subtract,
        Equation::ReverseSubtract,
        Equation::Min,
        Equation::Max,
    ];
    let channels = (select(equations), select(factors.clone()), select(factors))
        .prop_map(|(equation, source, destination)| BlendChannels { equation, source, destination });
    let blend = prop_oneof![
        1 => Just(Blend::REPLACE),
        1 => Just(Blend::new(Equation::Add, SourceAlpha, OneMinusSourceAlpha)),
        4 => (channels.clone(), channels).prop_map(|(rgb, alpha)| Blend { rgb, alpha }),
    ];
    let equations = vec![
        RopEquation::Replace,
        RopEquation::Add,
        RopEquation::Subtract,
        RopEquation::ReverseSubtract,
        RopEquation::Min,
        RopEquation::Max,
    ];
    let channels = (select(equations), any::<u16>(), any::<u16>())
        .prop_map(|(equation, source, destination)| RopChannels { equation, source, destination });
    let formats = vec![RopFormat::Y8, RopFormat::Rgb565, RopFormat::Argb8888];
    let rop = prop_oneof![
        1 => Just(Rop::REPLACE),
        3 => (select(formats), channels.clone(), channels).prop_map(|(format, rgb, alpha)| Rop { format, rgb, alpha }),
    ];
    let test =
        (select(&Compare::ALL[..]), any::<bool>()).prop_map(|(compare, write)| DepthTest { compare, write });
    let mask = prop_oneof![3 => Just([true; 4]), 1 => any::<[bool; 4]>()];
    (blend, prop::option::weighted(0.3, rop), prop::option::weighted(0.8, test), mask).prop_map(
        |(blend, rop, depth, color_mask)| State {
            blend,
            rop,
            depth,
            color_mask,
            ..State::sized(SIZE[0], SIZE[1])
        },
    )
}

/// What all corners have is there at all pixels, by the formula: -0 and two zeros more are 0, 2 is 2.
#[test]
fn what_all_corners_have_is_everywhere() {
    let positions = [[0.0, 0.0, 0.5, 1.0], [9.0, 0.0, 0.5, 1.0], [0.0, 9.0, 0.5, 1.0]];
    let varyings = [[-0.0, 2.0, 0.0, -2.0]; 3];
    let vertices = Vertices::new(&positions, &varyings, 1).unwrap();
    let stage = PerFragment(|fragment: Fragment<'_>| {
        let found = fragment.varying(0).map(f32::to_bits);
        Some(if found == [0.0, 2.0, 0.0, -2.0].map(f32::to_bits) { [1.0; 4] } else { [0.0; 4] })
    });
    let mut target = Target::new(SIZE[0], SIZE[1]).unwrap();
    target.clear([0; 4], 1.0);
    let state = State::sized(SIZE[0], SIZE[1]);
    let all = Primitives::all(Topology::TriangleList);
    let stats = draw(&mut target, &screen_rules(), &state, vertices, all, &stage);
    let white = target.color().pixels().iter().filter(|pixel| **pixel == [255; 4]).count();
    assert_eq!((stats.written, white > 30), (white as u64, true));
}

/// The second fragment differs from the depth that the first has left, not from the one before the draw: with "not equal"
/// none may be dropped early, though both may be in one batch.
#[test]
fn not_equal_to_what_the_fragment_before_has_left() {
    let corners = |depth: f32| [[0.0, 0.0, depth, 1.0], [8.0, 0.0, depth, 1.0], [0.0, 8.0, depth, 1.0]];
    let positions = [corners(0.25), corners(0.5)].concat();
    let vertices = Vertices::new(&positions, &[], 0).unwrap();
    let state = State {
        depth: Some(DepthTest { compare: Compare::NotEqual, write: true }),
        ..State::sized(SIZE[0], SIZE[1])
    };
    // A stage that may kill, so that depths are stored after it.
    let stage = PerFragment(|fragment: Fragment<'_>| Some([fragment.primitive() as f32; 4]));
    let mut target = Target::new(SIZE[0], SIZE[1]).unwrap();
    target.clear([9; 4], 0.5);
    let stats =
        draw(&mut target, &screen_rules(), &state, vertices, Primitives::all(Topology::TriangleList), &stage);
    assert_eq!(stats.written, stats.fragments);
    assert_eq!(target.color().pixels()[0], [255; 4]);
    assert_eq!(target.depth().values()[0], 0.5);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn fragments_side_by_side_are_what_they_are_alone(
        layers in prop::collection::vec(layer(), 1..8),
        state in state(),
        (seed, quads, kills, writes_depth) in any::<(u32, bool, bool, bool)>(),
        clear in prop_oneof![4 => 0.0f32..1.0, 1 => Just(f32::NAN)],
        clamp in any::<bool>(),
        unordered in select(vec![Unordered::Fails, Unordered::Passes]),
        color in select(vec![ColorRounding::Nearest, ColorRounding::Truncate]),
        noted in any::<bool>(),
    ) {
        let stage = Stage { seed, quads, kills, writes_depth };
        let rules = Rules { depth: DepthRules { clamp, unordered }, color, ..screen_rules() };
        let mut start = Target::new(SIZE[0], SIZE[1]).unwrap();
        start.clear([9, 80, 170, 255], clear);
        let mut expected = start.clone();
        let wanted = reference(&mut expected, &rules, &state, &layers, &stage);
        let positions: Vec<_> = layers.iter().flat_map(Layer::corners).collect();
        let vertices = Vertices::new(&positions, &[], 0).unwrap();
        if noted {
            start.take_notes().unwrap();
        }
        for level in Level::ALL {
            let mut target = start.clone();
            let limits = Limits { level, ..Limits::default() };
            let all = Primitives::all(Topology::TriangleList);
            let stats = draw_within(limits, &mut target, &rules, &state, vertices, all, &stage).unwrap();
            let Stats { fragments, depth_failed, killed, written, .. } = stats;
            let counts = Stats { fragments, depth_failed, killed, written, ..Stats::default() };
            prop_assert_eq!(counts, wanted);
            prop_assert!(target.color() == expected.color(), "{level:?}");
            let bits = |target: &Target| target.depth().values().iter().map(|depth| depth.to_bits()).collect::<Vec<_>>();
            prop_assert!(bits(&target) == bits(&expected), "{level:?}");
        }
    }
}

/// Each batch of fragments begins with none of them killed, whatever became of those that were in it before.
#[test]
fn what_is_killed_is_this_fragment_alone() {
    let mut target = Target::new(256, 128).unwrap();
    let state = State::sized(256, 128);
    let whole = Layer { left: 0, top: 0, right: 256, bottom: 128, depth: 0.5 };
    let corners = whole.corners();
    let stage = PerFragment(|fragment: Fragment<'_>| (fragment.pixel()[1] % 2 == 1).then_some([1.0; 4]));
    let vertices = Vertices::new(&corners, &[], 0).unwrap();
    let stats =
        draw(&mut target, &screen_rules(), &state, vertices, Primitives::all(Topology::TriangleList), &stage);
    assert_eq!((stats.fragments, stats.killed, stats.written), (256 * 128, 256 * 64, 256 * 64));
    let rows = target.color().pixels().chunks(256).map(|row| row.iter().all(|pixel| pixel[0] == 255));
    assert!(rows.eq((0..128).map(|y| y % 2 == 1)));
}

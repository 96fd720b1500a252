//! No input panics, and the number of threads changes nothing.

use gpuzoo_raster::*;
use proptest::prelude::*;
use proptest::sample::select;

/// Any bits, with the awkward ones more often.
fn number() -> impl Strategy<Value = f32> {
    let odd =
        vec![0.0, -0.0, 1.0, -1.0, f32::MAX, f32::MIN, f32::MIN_POSITIVE, 1e-45, f32::NAN, f32::INFINITY];
    prop_oneof![3 => -2.0f32..2.0, 2 => any::<u32>().prop_map(f32::from_bits), 1 => select(odd), 1 => -1e6f32..1e6]
}

fn components() -> impl Strategy<Value = [f32; 4]> {
    [number(), number(), number(), number()]
}

fn rect() -> impl Strategy<Value = Rect> {
    let side = || prop_oneof![0..100u32, Just(u32::MAX)];
    let start = || prop_oneof![-50..50i32, any::<i32>()];
    (start(), start(), side(), side()).prop_map(|(x, y, width, height)| Rect { x, y, width, height })
}

fn rules() -> impl Strategy<Value = Rules> {
    let placement = select(vec![
        Placement::Clip { near: NearPlane::Zero, y_up: true },
        Placement::Clip { near: NearPlane::MinusOne, y_up: false },
        Placement::Divided,
        Placement::Screen,
    ]);
    let rounding = vec![Rounding::NearestEven, Rounding::NearestAway, Rounding::Truncate, Rounding::Floor];
    let geometry = (
        placement,
        select(vec![Sides::GuardBand, Sides::Cut]),
        any::<[bool; 3]>(),
        any::<u8>(),
        select(rounding),
        select(vec![Sample::Centre, Sample::Corner]),
        select(vec![Fill::TopLeft, Fill::Inclusive]),
        select(vec![ZeroArea::Nothing, ZeroArea::Unbounded]),
    );
    let colors = (
        select(vec![Interpolation::Perspective, Interpolation::Linear]),
        select(vec![Unordered::Fails, Unordered::Passes]),
        select(vec![ColorRounding::Nearest, ColorRounding::Truncate]),
    );
    (geometry, colors).prop_map(
        |(
            (placement, sides, [near, far, clamp], bits, rounding, sample, fill, zero_area),
            (interpolation, unordered, color),
        )| Rules {
            placement,
            clip: ClipRules { sides, near, far },
            snap: Snap { bits, rounding },
            sample,
            fill,
            zero_area,
            interpolation,
            depth: DepthRules { clamp, unordered },
            color,
        },
    )
}

fn state() -> impl Strategy<Value = State> {
    let compare = select(&Compare::ALL[..]);
    let test =
        prop::option::of((compare, any::<bool>()).prop_map(|(compare, write)| DepthTest { compare, write }));
    let viewport = prop_oneof![2 => Just(Rect::sized(40, 50)), 1 => rect()];
    let blend = select(vec![
        Blend::REPLACE,
        crate::common::COUNT,
        Blend::new(Equation::Max, Factor::One, Factor::One),
    ]);
    (
        viewport,
        [number(), number()],
        prop::option::weighted(0.2, rect()),
        test,
        blend,
        select(vec![Cull::None, Cull::Back]),
    )
        .prop_map(|(rect, depth, scissor, depth_test, blend, cull)| State {
            viewport: Viewport { rect, depth },
            scissor,
            cull,
            front: Winding::CounterClockwise,
            depth: depth_test,
            blend,
            rop: None,
            color_mask: [true; 4],
        })
}

/// A stage that asks for quads and depth as its fields say, kills some and uses all it gets.
struct Odd {
    quads: bool,
    depth: bool,
}

impl FragmentStage for Odd {
    fn shade(&self, batch: &FragmentBatch<'_>, out: &mut Shaded) {
        assert!(!batch.is_empty() && batch.len() <= BATCH);
        for i in 0..batch.len() {
            let [red, green, blue, _] = batch.varying(0, i);
            out.set_color(i, [red, green, blue, batch.varying(99, i)[0] + batch.inverse_w(i)]);
            let [x, y] = batch.pixel(i);
            out.killed[i] = (x + y + batch.primitive(i)).is_multiple_of(7);
            out.depth[i] = red;
        }
    }

    fn needs_quads(&self) -> bool {
        self.quads
    }

    fn writes_depth(&self) -> bool {
        self.depth
    }
}

fn bits(target: &Target) -> Vec<u32> {
    target.depth().values().iter().map(|depth| depth.to_bits()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]

    #[test]
    fn garbage_is_drawn_or_dropped(
        positions in prop::collection::vec(components(), 0..24),
        varying in components(),
        indices in prop::option::of(prop::collection::vec(0..26u32, 0..40)),
        rules in rules(),
        state in state(),
        topology in select(vec![Topology::LineList, Topology::LineStrip, Topology::TriangleList, Topology::TriangleStrip]),
        quads in any::<bool>(),
        depth in any::<bool>(),
    ) {
        let varyings: Vec<_> = positions.iter().zip(0..).map(|(_, i)| varying.map(|component| component + i as f32)).collect();
        let vertices = Vertices::new(&positions, &varyings, 1).unwrap();
        let primitives = Primitives { topology, indices: indices.as_deref(), first: 0 };
        let mut target = Target::new(37, 41).unwrap();
        let stats = draw(&mut target, &rules, &state, vertices, primitives, &Odd { quads, depth });
        prop_assert_eq!(stats.primitives, stats.invalid + stats.outside + stats.culled + stats.drawn);
        prop_assert_eq!(stats.fragments, stats.depth_failed + stats.killed + stats.written);
        // What is left to cover is never less than what is covered: one fragment less is too many.
        let within = |pixels: u64, level: gpuzoo_simd::Level| {
            let mut again = Target::new(37, 41).unwrap();
            let (limits, stage) = (Limits { pixels, level }, Odd { quads, depth });
            let drawn = draw_within(limits, &mut again, &rules, &state, vertices, primitives, &stage);
            drawn.map(|stats| (stats, again))
        };
        if let Some(less) = stats.fragments.checked_sub(1) {
            prop_assert!(within(less, gpuzoo_simd::Level::chosen()).is_err());
        }
        // A cut triangle is drawn as a few.
        for level in gpuzoo_simd::Level::ALL {
            let (all, again) = within(37 * 41 * 10 * stats.drawn, level).unwrap();
            prop_assert_eq!(all, stats);
            prop_assert_eq!(again.color(), target.color());
            prop_assert_eq!(bits(&again), bits(&target));
        }
    }

    #[test]
    fn samplers_take_any_coordinates(s in number(), t in number(), size in [1..9u32, 1..9u32]) {
        let texels = vec![[0.25, 0.5, 0.75, 1.0]; (size[0] * size[1]) as usize];
        let texture = Texture::from(Level::new(size[0], size[1], Texels::Float(texels)).unwrap());
        for filter in [Filter::Nearest, Filter::Linear] {
            for s_wrap in [Wrap::Clamp, Wrap::Repeat, Wrap::Mirror] {
                for t_wrap in [Wrap::Clamp, Wrap::Repeat, Wrap::Mirror] {
                    let sampler = Sampler { filter, wrap: [s_wrap, t_wrap] };
                    // All texels are alike, so every mixture must be.
                    prop_assert_eq!(sampler.sample(&texture, [s, t]), [0.25, 0.5, 0.75, 1.0]);
                }
            }
        }
    }

    #[test]
    fn any_bytes_decode(width in 1..20u32, height in 1..20u32, bytes in prop::collection::vec(any::<u8>(), 1600)) {
        for format in
            [Format::Rgb565, Format::Argb4444, Format::Rgba8888, Format::Bc1, Format::Bc2, Format::Yuv420]
        {
            let Ok(length) = format.byte_len(width, height) else { continue };
            let level = format.decode(width, height, &bytes[..length]).unwrap();
            let image = level.to_image();
            prop_assert_eq!(format.encode(&image).unwrap().len(), length);
        }
    }
}

/// Numbers that look random and are the same every time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }
}

#[test]
fn threads_do_not_matter() {
    let mut numbers = Numbers(7);
    let mut position = || {
        let [x, y, z, w] = [(); 4].map(|()| numbers.next());
        [x * 1.5, y * 1.5, z, w * 0.5 + 0.75]
    };
    let positions: Vec<_> = (0..3000).map(|_| position()).collect();
    let varyings: Vec<_> = (0..6000).map(|_| position().map(f32::abs)).collect();
    let vertices = Vertices::new(&positions, &varyings, 2).unwrap();
    let blend = Blend::new(Equation::Add, Factor::SourceAlpha, Factor::OneMinusSourceAlpha);
    for (topology, quads, depth, compare) in [
        (Topology::TriangleList, false, false, Compare::Less),
        (Topology::TriangleList, true, false, Compare::NotEqual),
        (Topology::TriangleStrip, true, true, Compare::GreaterEqual),
        (Topology::LineStrip, false, false, Compare::LessEqual),
    ] {
        let state =
            State { depth: Some(DepthTest { compare, write: true }), blend, ..State::sized(150, 130) };
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut target = Target::new(150, 130).unwrap();
            target.clear([10, 20, 30, 40], 0.5);
            let primitives = Primitives::all(topology);
            let stage = Odd { quads, depth };
            let stats =
                pool.install(|| draw(&mut target, &Rules::default(), &state, vertices, primitives, &stage));
            (target, stats)
        };
        let one = run(1);
        assert!(one.1.written > 1000 && one.1.killed > 100, "{:?}", one.1);
        assert!(one.1.depth_failed > 1000 || compare == Compare::NotEqual, "{:?}", one.1);
        for threads in [2, 7] {
            let many = run(threads);
            assert_eq!(one.1, many.1, "{topology:?} with {threads} threads");
            assert!(one.0 == many.0, "{topology:?} with {threads} threads");
        }
    }
}

#[test]
fn a_level_is_a_picture_of_its_width_and_height() {
    let texels: Vec<[u8; 4]> = (0..6).map(|at| [at; 4]).collect();
    let picture = Level::new(3, 2, Texels::Rgba8(texels)).unwrap().to_image();
    assert_eq!((picture.width(), picture.height()), (3, 2));
    assert_eq!(
        (picture.get(2, 0), picture.get(0, 1), picture.get(2, 1)),
        (Some([2; 4]), Some([3; 4]), Some([5; 4]))
    );
}

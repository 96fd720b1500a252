//! The way of primitives from vertices to pixels, with expectations worked out by hand.

use crate::common::{screen_rules, white};
use gpuzoo_raster::*;
use std::sync::atomic::{AtomicU32, Ordering};

const WHITE: [u8; 4] = [255; 4];
const NOTHING: [u8; 4] = [0; 4];

/// Draws positions without varyings in white.
fn draw_white(
    target: &mut Target,
    rules: &Rules,
    state: &State,
    topology: Topology,
    positions: &[[f32; 4]],
) -> Stats {
    let vertices = Vertices::new(positions, &[], 0).unwrap();
    draw(target, rules, state, vertices, Primitives::all(topology), &white())
}

/// The two triangles of a rectangle in clip space.
fn rectangle([left, bottom]: [f32; 2], [right, top]: [f32; 2], z: f32, w: f32) -> [[f32; 4]; 4] {
    [[left, bottom, z, w], [right, bottom, z, w], [left, top, z, w], [right, top, z, w]]
}

fn covered(target: &Target) -> usize {
    target.color().pixels().iter().filter(|&&pixel| pixel != NOTHING).count()
}

#[test]
fn clip_space_is_y_up_and_fills_the_viewport() {
    let mut target = Target::new(8, 4).unwrap();
    let state = State::sized(8, 4);
    // The upper right quarter.
    let positions = rectangle([0.0, 0.0], [1.0, 1.0], 0.0, 1.0);
    let stats = draw_white(&mut target, &Rules::default(), &state, Topology::TriangleStrip, &positions);
    for y in 0..4 {
        for x in 0..8 {
            let expected = if x >= 4 && y < 2 { WHITE } else { NOTHING };
            assert_eq!(target.color().get(x, y), Some(expected), "({x}, {y})");
        }
    }
    assert_eq!((stats.primitives, stats.drawn, stats.fragments, stats.written), (2, 2, 8, 8));
}

#[test]
fn faces() {
    // Counter-clockwise as seen: right, up, left.
    let triangle = [[-1.0, -1.0, 0.0, 1.0], [1.0, -1.0, 0.0, 1.0], [-1.0, 1.0, 0.0, 1.0]];
    let mirrored = [triangle[0], triangle[2], triangle[1]];
    let y_down = Placement::Clip { near: NearPlane::Zero, y_up: false };
    for (cull, front, drawn) in [
        (Cull::None, Winding::CounterClockwise, [true, true]),
        (Cull::Back, Winding::CounterClockwise, [true, false]),
        (Cull::Back, Winding::Clockwise, [false, true]),
        (Cull::Front, Winding::CounterClockwise, [false, true]),
        (Cull::Front, Winding::Clockwise, [true, false]),
    ] {
        let state = State { cull, front, ..State::sized(4, 4) };
        for (positions, drawn) in [triangle, mirrored].into_iter().zip(drawn) {
            for (rules, drawn) in [
                (Rules::default(), drawn),
                // Upside down, the viewer sees the other winding.
                (Rules { placement: y_down, ..Rules::default() }, drawn != (cull != Cull::None)),
            ] {
                let mut target = Target::new(4, 4).unwrap();
                let stats = draw_white(&mut target, &rules, &state, Topology::TriangleList, &positions);
                assert_eq!(covered(&target) > 0, drawn, "{cull:?} {front:?}");
                assert_eq!(stats.culled, u64::from(!drawn));
            }
        }
    }
    // All triangles of a strip wind alike.
    let state = State { cull: Cull::Back, ..State::sized(4, 4) };
    let mut target = Target::new(4, 4).unwrap();
    let strip = rectangle([-1.0, -1.0], [1.0, 1.0], 0.0, 1.0);
    draw_white(&mut target, &Rules::default(), &state, Topology::TriangleStrip, &strip);
    assert_eq!(covered(&target), 16);
}

#[test]
fn viewport_and_scissor_across_and_outside() {
    let all = rectangle([-1.0, -1.0], [1.0, 1.0], 0.5, 1.0);
    let rules = Rules::default();
    for (viewport, scissor, expected) in [
        (Rect { x: 4, y: 4, width: 100, height: 2 }, None, 12 * 2),
        (Rect { x: -4, y: -4, width: 8, height: 8 }, None, 16),
        (Rect { x: -4, y: -4, width: 8, height: 8 }, Some(Rect { x: 1, y: 3, width: 9, height: 9 }), 3),
        (Rect { x: 100, y: 0, width: 8, height: 8 }, None, 0),
        (Rect { x: 0, y: 0, width: 0, height: 8 }, None, 0),
        (Rect { x: i32::MIN, y: i32::MIN, width: u32::MAX, height: u32::MAX }, None, 256),
        (Rect { x: i32::MAX, y: i32::MAX, width: u32::MAX, height: u32::MAX }, None, 0),
        (Rect::sized(16, 16), Some(Rect { x: -5, y: -5, width: 3, height: 3 }), 0),
    ] {
        for sides in [Sides::GuardBand, Sides::Cut] {
            let mut target = Target::new(16, 16).unwrap();
            let viewport = Viewport { rect: viewport, depth: [0.0, 1.0] };
            let state = State { viewport, scissor, ..State::sized(16, 16) };
            let rules = Rules { clip: ClipRules { sides, ..rules.clip }, ..rules };
            draw_white(&mut target, &rules, &state, Topology::TriangleStrip, &all);
            assert_eq!(covered(&target), expected, "{viewport:?} {scissor:?} {sides:?}");
        }
    }
    // What is outside the viewport is not drawn, though the target goes on.
    let mut target = Target::new(16, 16).unwrap();
    let viewport = Viewport { rect: Rect { x: 4, y: 4, width: 8, height: 8 }, depth: [0.0, 1.0] };
    let state = State { viewport, ..State::sized(16, 16) };
    let large = rectangle([-3.0, -3.0], [3.0, 3.0], 0.5, 1.0);
    draw_white(&mut target, &rules, &state, Topology::TriangleStrip, &large);
    draw_white(
        &mut target,
        &rules,
        &state,
        Topology::LineList,
        &[[-3.0, 0.1, 0.0, 1.0], [3.0, 0.1, 0.0, 1.0]],
    );
    assert_eq!(covered(&target), 64);
}

#[test]
fn near_and_far_are_cut_or_clamped() {
    // Depth goes from -1 at the left to 2 at the right: 0 at a third, 1 at two thirds of 48 columns.
    let ramp = [[-1.0, -1.0, -1.0, 1.0], [1.0, -1.0, 2.0, 1.0], [-1.0, 1.0, -1.0, 1.0], [1.0, 1.0, 2.0, 1.0]];
    let state =
        State { depth: Some(DepthTest { compare: Compare::Always, write: true }), ..State::sized(48, 4) };
    let draw_ramp = |near, far, clamp| {
        let clip = ClipRules { near, far, ..Rules::default().clip };
        let depth = DepthRules { clamp, ..Rules::default().depth };
        let mut target = Target::new(48, 4).unwrap();
        let rules = Rules { clip, depth, ..Rules::default() };
        let stats = draw_white(&mut target, &rules, &state, Topology::TriangleStrip, &ramp);
        let row: Vec<_> = (0..48).map(|x| target.color().get(x, 2) == Some(WHITE)).collect();
        (row, target.depth().get(0, 2).unwrap(), target.depth().get(47, 2).unwrap(), stats)
    };
    let Rules { clip, depth, .. } = Rules::default();
    assert_eq!((clip.near, clip.far, depth.clamp), (true, true, false));
    let (row, _, _, stats) = draw_ramp(true, true, false);
    assert!((0..48).all(|x| row[x] == (16..32).contains(&x)));
    assert_eq!((stats.drawn, stats.cut), (2, 2));
    let (row, ..) = draw_ramp(true, false, false);
    assert!((0..48).all(|x| row[x] == (x >= 16)));
    let (row, ..) = draw_ramp(false, true, false);
    assert!((0..48).all(|x| row[x] == (x < 32)));
    let (row, left, right, stats) = draw_ramp(false, false, true);
    assert!(row.iter().all(|&covered| covered));
    assert_eq!((left, right, stats.cut), (0.0, 1.0, 0));
    let (_, left, right, _) = draw_ramp(false, false, false);
    // 3/48 per column; centres are half a column in.
    assert_eq!((left, right), (-1.0 + 1.0 / 32.0, 2.0 - 1.0 / 32.0));
}

/// The near plane makes a quad of the triangle A B C: C lies as far behind it as the others before. Corners snap to whole
/// pixels, which turns the fan's second part over:
///
/// | corner | at | snapped |
/// |---|---|---|
/// | A | (4, 1.8) | (4, 2) |
/// | B | (16, 3) | (16, 3) |
/// | Q, half way from A to C (12, 2.2) | (8, 2) | (8, 2) |
/// | P, half way from B to C | (14, 2.6) | (14, 3) |
///
/// Q A B remains. At y = 2.5 it goes from x = 10 to 12, which are two centres; Q B P would go from 11 to 12.
#[test]
fn a_part_that_snapping_turns_over_is_left_out() {
    let positions = [[4.0, 1.8, 1.0, 1.0], [16.0, 3.0, 1.0, 1.0], [12.0, 2.2, -1.0, 1.0]];
    let snap = Snap { bits: 0, rounding: Rounding::NearestEven };
    let clip = ClipRules { near: true, ..screen_rules().clip };
    let rules = Rules { snap, clip, ..screen_rules() };
    let mut target = Target::new(20, 6).unwrap();
    let stats = draw_white(&mut target, &rules, &State::sized(20, 6), Topology::TriangleList, &positions);
    assert_eq!((stats.drawn, stats.cut, stats.fragments), (1, 1, 2));
    let shown: Vec<bool> = (0..20).map(|x| target.color().get(x, 2) == Some(WHITE)).collect();
    assert!((0..20).all(|x| shown[x] == (10..12).contains(&x)), "{shown:?}");
    // From the other side it is the same.
    let turned = [positions[0], positions[2], positions[1]];
    let stats = draw_white(&mut target, &rules, &State::sized(20, 6), Topology::TriangleList, &turned);
    assert_eq!((stats.drawn, stats.fragments), (1, 2));
}

#[test]
fn depth_range_and_the_other_near_plane() {
    let mut state =
        State { depth: Some(DepthTest { compare: Compare::Always, write: true }), ..State::sized(4, 4) };
    state.viewport.depth = [0.75, 0.25];
    for (near, z, expected) in [
        (NearPlane::Zero, 0.5, Some(0.5)),
        (NearPlane::Zero, 0.0, Some(0.75)),
        (NearPlane::Zero, -0.5, None),
        (NearPlane::MinusOne, -0.5, Some(0.625)),
        (NearPlane::MinusOne, 1.0, Some(0.25)),
        (NearPlane::MinusOne, -1.5, None),
    ] {
        let rules = Rules { placement: Placement::Clip { near, y_up: true }, ..Rules::default() };
        let mut target = Target::new(4, 4).unwrap();
        target.clear(NOTHING, 9.0);
        let positions = rectangle([-1.0, -1.0], [1.0, 1.0], z, 1.0);
        draw_white(&mut target, &rules, &state, Topology::TriangleStrip, &positions);
        assert_eq!(target.depth().get(1, 1), Some(expected.unwrap_or(9.0)), "{near:?} {z}");
    }
}

#[test]
fn odd_vertices_are_dropped_and_counted() {
    let mut target = Target::new(8, 8).unwrap();
    let state = State::sized(8, 8);
    let [a, b, c] = [[-1.0, -1.0, 0.5, 1.0], [1.0, -1.0, 0.5, 1.0], [0.0, 1.0, 0.5, 1.0]];
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for component in 0..4 {
            let mut broken = c;
            broken[component] = bad;
            for topology in [Topology::TriangleList, Topology::LineStrip] {
                let stats = draw_white(&mut target, &Rules::default(), &state, topology, &[b, a, broken]);
                assert_eq!(stats.invalid, 1, "{bad} in component {component}, {topology:?}");
            }
        }
    }
    // Behind the eye, on it, and beside the view.
    let w = |w: f32| [a, b, c].map(|position| [position[0], position[1], position[2], w]);
    let beside = [a, b, c].map(|position| [position[0] + 5.0, position[1], 0.5, 1.0]);
    target.clear(NOTHING, 1.0);
    for positions in [w(0.0), w(-1.0), beside] {
        let stats = draw_white(&mut target, &Rules::default(), &state, Topology::TriangleList, &positions);
        assert_eq!((stats.outside, stats.drawn), (1, 0));
    }
    assert_eq!(covered(&target), 0);
    // So large that the guard band cuts it, it still covers all.
    let huge = [[-1e30, -1e30, 0.5, 1.0], [3e30, -1e30, 0.5, 1.0], [-1e30, 3e30, 0.5, 1.0]];
    let stats = draw_white(&mut target, &Rules::default(), &state, Topology::TriangleList, &huge);
    assert_eq!((stats.cut, covered(&target)), (1, 64));
    // An index that no vertex has.
    let positions = [a, b, c];
    let vertices = Vertices::new(&positions, &[], 0).unwrap();
    let indexed =
        Primitives { topology: Topology::TriangleList, indices: Some(&[0, 1, 3, 0, 1, 2]), first: 0 };
    let stats = draw(&mut target, &Rules::default(), &state, vertices, indexed, &white());
    assert_eq!((stats.primitives, stats.invalid, stats.drawn), (2, 1, 1));
}

/// A stage that writes a varying as colour.
fn varying_stage() -> impl FragmentStage {
    PerFragment(|fragment: Fragment<'_>| Some(fragment.varying(0)))
}

#[test]
fn later_primitives_meet_what_earlier_ones_left() {
    // Seven layers over everything, with depths; who stays depends on the test. Byte i is the layer's number.
    let depths = [0.5, 0.25, 0.75, 0.25, 0.125, 0.875, 0.5];
    let positions: Vec<_> =
        depths.iter().flat_map(|&z| rectangle([-1.0, -1.0], [1.0, 1.0], z, 1.0)).collect();
    let varyings: Vec<_> = (0..28).map(|vertex| [(vertex / 4) as f32 / 255.0; 4]).collect();
    let indices: Vec<u32> =
        (0..7u32).flat_map(|layer| [0, 1, 2, 2, 1, 3].map(|corner| layer * 4 + corner)).collect();
    let vertices = Vertices::new(&positions, &varyings, 1).unwrap();
    let primitives = Primitives { topology: Topology::TriangleList, indices: Some(&indices), first: 0 };
    for (compare, clear, layer, depth, written) in [
        (Compare::Never, 0.6, 99, 0.6, 0),
        (Compare::Less, 1.0, 4, 0.125, 3),
        (Compare::LessEqual, 1.0, 4, 0.125, 4),
        (Compare::Equal, 0.5, 6, 0.5, 2),
        (Compare::Greater, 0.0, 5, 0.875, 3),
        (Compare::GreaterEqual, 0.25, 5, 0.875, 3),
        (Compare::NotEqual, 0.5, 6, 0.5, 6),
        (Compare::Always, 0.5, 6, 0.5, 7),
    ] {
        let state = State { depth: Some(DepthTest { compare, write: true }), ..State::sized(20, 20) };
        let mut target = Target::new(20, 20).unwrap();
        target.clear([99; 4], clear);
        let stats = draw(&mut target, &Rules::default(), &state, vertices, primitives, &varying_stage());
        assert!(target.color().pixels().iter().all(|&pixel| pixel == [layer; 4]), "{compare:?}");
        assert!(target.depth().values().iter().all(|&value| value == depth), "{compare:?}");
        assert_eq!((stats.fragments, stats.written), (7 * 400, written * 400), "{compare:?}");
    }
    // Without writing, each is compared with what was there at first.
    let state = State {
        depth: Some(DepthTest { compare: Compare::Less, write: false }),
        blend: crate::common::COUNT,
        ..State::sized(20, 20)
    };
    let mut target = Target::new(20, 20).unwrap();
    target.clear(NOTHING, 0.5);
    draw(&mut target, &Rules::default(), &state, vertices, primitives, &varying_stage());
    // Layers 1, 3 and 4.
    assert!(target.color().pixels().iter().all(|&pixel| pixel == [8; 4]));
}

#[test]
fn masks_and_rounding() {
    let mut target = Target::new(2, 2).unwrap();
    target.clear([1, 2, 3, 4], 1.0);
    let state = State { color_mask: [true, false, false, true], ..State::sized(2, 2) };
    let rules = Rules { color: ColorRounding::Truncate, ..Rules::default() };
    let all = rectangle([-1.0, -1.0], [1.0, 1.0], 0.5, 1.0);
    let vertices = Vertices::new(&all, &[], 0).unwrap();
    let stage = PerFragment(|_: Fragment<'_>| Some([0.5, 1.0, 1.0, 0.999]));
    draw(&mut target, &rules, &state, vertices, Primitives::all(Topology::TriangleStrip), &stage);
    assert_eq!(target.color().get(1, 1), Some([127, 2, 3, 254]));
}

/// Kills every second column, and puts fragments of the lower rows behind everything.
struct KillAndSink;

impl FragmentStage for KillAndSink {
    fn shade(&self, batch: &FragmentBatch<'_>, out: &mut Shaded) {
        for i in 0..batch.len() {
            let [x, y] = batch.pixel(i);
            if batch.covered(i) {
                assert_eq!(out.depth[i], 0.5);
            }
            out.set_color(i, [1.0; 4]);
            out.killed[i] = x % 2 == 1;
            out.depth[i] = if y < 4 { 0.25 } else { 7.0 };
        }
    }

    fn writes_depth(&self) -> bool {
        true
    }
}

#[test]
fn stages_kill_and_replace_depth() {
    let all = rectangle([-1.0, -1.0], [1.0, 1.0], 0.5, 1.0);
    let state =
        State { depth: Some(DepthTest { compare: Compare::Less, write: true }), ..State::sized(8, 8) };
    let vertices = Vertices::new(&all, &[], 0).unwrap();
    let strip = Primitives::all(Topology::TriangleStrip);
    let mut target = Target::new(8, 8).unwrap();
    // 0.3 would hide the interpolated 0.5.
    target.clear(NOTHING, 0.3);
    let stats = draw(&mut target, &Rules::default(), &state, vertices, strip, &KillAndSink);
    for y in 0..8 {
        for x in 0..8 {
            let expected = if x % 2 == 0 && y < 4 { (WHITE, 0.25) } else { (NOTHING, 0.3) };
            let got = (target.color().get(x, y).unwrap(), target.depth().get(x, y).unwrap());
            assert_eq!(got, expected, "({x}, {y})");
        }
    }
    assert_eq!((stats.depth_failed, stats.killed, stats.written), (32, 16, 16));
    // Clamped, 7 becomes 1, which is still not less than 0.3; with 1.5 in the buffer it is, and 1 is stored.
    let rules = Rules { depth: DepthRules { clamp: true, ..Rules::default().depth }, ..Rules::default() };
    target.clear(NOTHING, 1.5);
    draw(&mut target, &rules, &state, vertices, strip, &KillAndSink);
    assert_eq!(target.depth().get(0, 7), Some(1.0));
}

/// Checks that interpolation into columns of any length gives what it gives for each fragment, and leaves the rest.
struct Combined;

impl FragmentStage for Combined {
    fn shade(&self, batch: &FragmentBatch<'_>, out: &mut Shaded) {
        assert_eq!(batch.varying_count(), 2);
        for length in [BATCH, batch.len(), batch.len() / 2 + 1] {
            let mut columns = [[2.0; BATCH]; 4];
            let to = columns.each_mut().map(|column| &mut column[..length]);
            batch.interpolate_with(1, to, |old, value| old * 8.0 + value);
            for fragment in 0..BATCH {
                let expected = match fragment < batch.len().min(length) {
                    true => batch.varying(1, fragment).map(|value| 16.0 + value),
                    false => [2.0; 4],
                };
                assert_eq!(columns.each_ref().map(|column| column[fragment]), expected, "{fragment}");
            }
        }
        // There is none behind the last.
        let mut columns = [[2.0; BATCH]; 4];
        batch.interpolate(2, 0, columns.each_mut().map(|column| &mut column[..]));
        for (fragment, component) in columns[3].iter().enumerate() {
            assert_eq!(*component, if fragment < batch.len() { 0.0 } else { 2.0 }, "{fragment}");
        }
        assert_eq!(batch.varying(2, 0), [0.0; 4]);
        (0..batch.len()).for_each(|fragment| out.set_color(fragment, [0.0; 4]));
    }
}

#[test]
fn varyings_meet_what_columns_have() {
    // Triangles of 1 to 28 pixels in a batch, each with varyings of its own.
    let mut state = 1u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32
    };
    let positions: Vec<_> = (0..90).map(|_| [random() * 31.0, random() * 9.0, 0.5, 1.0 + random()]).collect();
    let varyings: Vec<_> = (0..180).map(|_| [0; 4].map(|_| random())).collect();
    let vertices = Vertices::new(&positions, &varyings, 2).unwrap();
    let mut target = Target::new(32, 9).unwrap();
    let list = Primitives::all(Topology::TriangleList);
    let stats = draw(&mut target, &screen_rules(), &State::sized(32, 9), vertices, list, &Combined);
    assert!(stats.written > 500, "{stats:?}");
}

/// Checks the shape of quads and colours a pixel by the differences of a varying within its quad.
struct Differences(AtomicU32);

impl FragmentStage for Differences {
    fn shade(&self, batch: &FragmentBatch<'_>, out: &mut Shaded) {
        assert_eq!(batch.len() % 4, 0);
        let mut value = [0.0; BATCH];
        batch.interpolate(0, 0, [&mut value[..batch.len()], &mut [], &mut [], &mut []]);
        for first in (0..batch.len() / 2).step_by(2) {
            let quad = batch.quad_of(first);
            let [x, y] = batch.pixel(first);
            assert!(x % 2 == 0 && y % 2 == 0);
            assert_eq!(quad.map(|at| batch.pixel(at)), [[x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]]);
            assert!(quad.iter().all(|at| batch.quad_of(*at) == quad));
            let helpers = quad.iter().filter(|&&at| !batch.covered(at)).count();
            self.0.fetch_add(helpers as u32, Ordering::Relaxed);
            for i in 0..4 {
                let across = value[quad[i | 1]] - value[quad[i & 2]];
                let down = value[quad[i | 2]] - value[quad[i & 1]];
                out.set_color(quad[i], [across, down, 0.0, 1.0]);
            }
        }
    }

    fn needs_quads(&self) -> bool {
        true
    }
}

#[test]
fn quads_have_helpers_with_continued_varyings() {
    // In pixels; the varying is x / 16 + y / 4, so the differences are bytes 15.9 and 63.75 everywhere.
    let corners = [[1.0, 0.0], [9.0, 3.0], [3.0, 20.0]];
    let positions = corners.map(|[x, y]: [f32; 2]| [x, y, 0.5, 1.0]);
    let varyings = corners.map(|[x, y]: [f32; 2]| [x / 16.0 + y / 4.0, 0.0, 0.0, 0.0]);
    let vertices = Vertices::new(&positions, &varyings, 1).unwrap();
    let state =
        State { depth: Some(DepthTest { compare: Compare::Less, write: true }), ..State::sized(11, 21) };
    let list = Primitives::all(Topology::TriangleList);
    let mut whole = Target::new(11, 21).unwrap();
    let alone = draw(&mut whole, &screen_rules(), &state, vertices, list, &varying_stage());
    let mut target = Target::new(11, 21).unwrap();
    let stage = Differences(AtomicU32::new(0));
    let stats = draw(&mut target, &screen_rules(), &state, vertices, list, &stage);
    assert_eq!(stats, alone, "helpers do not count");
    assert!(stage.0.load(Ordering::Relaxed) > 20);
    for (pixel, whole) in target.color().pixels().iter().zip(whole.color().pixels()) {
        let covered = *whole != NOTHING;
        assert_eq!(*pixel, if covered { [16, 64, 0, 255] } else { NOTHING });
    }
    // All hidden now: nothing is shaded, nothing changes.
    let before = target.clone();
    let stats = draw(&mut target, &screen_rules(), &state, vertices, list, &Differences(AtomicU32::new(0)));
    assert_eq!((stats.depth_failed, stats.written), (stats.fragments, 0));
    assert_eq!(target, before);
}

#[test]
fn lines_interpolate_and_join() {
    // From the centre of (1, 2) to the centre of (9, 2) with w from 1 to 3.
    let ends = [[1.5, 2.5, 0.0, 1.0], [9.5, 2.5, 1.0, 3.0], [9.5, 6.5, 1.0, 3.0]];
    let varyings = [[0.0; 4], [1.0; 4], [1.0; 4]];
    let vertices = Vertices::new(&ends, &varyings, 1).unwrap();
    let state =
        State { depth: Some(DepthTest { compare: Compare::Always, write: true }), ..State::sized(12, 8) };
    let mut target = Target::new(12, 8).unwrap();
    let strip = Primitives::all(Topology::LineStrip);
    let stats = draw(&mut target, &screen_rules(), &state, vertices, strip, &varying_stage());
    assert_eq!((stats.primitives, stats.fragments), (2, 8 + 4), "the joint once, the very last pixel not");
    // Half way on the screen is a quarter of the way in space: 255 / 4 = 63.75.
    assert_eq!(target.color().get(5, 2), Some([64; 4]));
    assert_eq!(target.depth().get(5, 2), Some(0.5));
    assert_eq!(target.color().get(9, 2), Some(WHITE));
    assert_eq!(target.color().get(9, 5), Some(WHITE));
    assert_eq!(target.color().get(9, 6), Some(NOTHING));
    // Quads make no difference to what is drawn.
    let mut quads = Target::new(12, 8).unwrap();
    let stats = draw(&mut quads, &screen_rules(), &state, vertices, strip, &Differences(AtomicU32::new(0)));
    assert_eq!(stats.fragments, 12);
    assert_eq!(quads.depth(), target.depth());
}

/// A line between centres crosses diamonds of the row that it lies in, and is cut where it leaves the view.
#[test]
fn lines_beside_centres_and_cut_ones() {
    let mut target = Target::new(8, 8).unwrap();
    let state = State::sized(8, 8);
    let beside = [[1.5, 2.25, 0.0, 1.0], [5.5, 2.25, 0.0, 1.0]];
    let stats = draw_white(&mut target, &screen_rules(), &state, Topology::LineList, &beside);
    assert_eq!((stats.written, stats.cut), (4, 0));
    assert!((1..5).all(|x| target.color().get(x, 2) == Some(WHITE)));
    let clip = ClipRules { sides: Sides::Cut, ..Rules::default().clip };
    let rules = Rules { clip, ..Rules::default() };
    for (x, cut) in [(1.0, 0), (3.0, 1)] {
        let line = [[-0.5, 0.1, 0.5, 1.0], [x, 0.1, 0.5, 1.0]];
        let stats = draw_white(&mut target, &rules, &state, Topology::LineList, &line);
        assert_eq!((stats.drawn, stats.cut), (1, cut));
    }
}

#[test]
fn the_largest_targets() {
    let all = rectangle([-1.0, -1.0], [1.0, 1.0], 0.5, 1.0);
    for [width, height] in [[16384, 3], [3, 16384]] {
        let mut target = Target::new(width, height).unwrap();
        let state = State::sized(width, height);
        let stats = draw_white(&mut target, &Rules::default(), &state, Topology::TriangleStrip, &all);
        assert_eq!(stats.written, 3 * 16384);
        let diagonal = [[-1.0, -1.0, 0.5, 1.0], [1.0, 1.0, 0.5, 1.0]];
        let stats = draw_white(&mut target, &Rules::default(), &state, Topology::LineList, &diagonal);
        assert_eq!(stats.written, 16384);
    }
}

/// Of two triangles over a pixel the nearer one comes first, and hides the other before that is shaded.
#[test]
fn touches_are_in_order_whatever_early_z_drops() {
    let [near, far] = [0.25, 0.75].map(|z| [[0.0, 0.0, z, 1.0], [4.0, 0.0, z, 1.0], [0.0, 4.0, z, 1.0]]);
    let mut target = Target::new(2, 2).unwrap();
    target.clear(NOTHING, 0.5);
    target.take_notes().unwrap();
    target.notes_mut().unwrap().watched = Some(0);
    let state =
        State { depth: Some(DepthTest { compare: Compare::Less, write: true }), ..State::sized(2, 2) };
    let positions = [near, far].concat();
    let vertices = Vertices::new(&positions, &[], 0).unwrap();
    draw(&mut target, &screen_rules(), &state, vertices, Primitives::all(Topology::TriangleList), &white());
    let touches = &target.notes().unwrap().touches;
    let seen: Vec<_> = touches.iter().map(|touch| (touch.primitive, touch.fate)).collect();
    assert_eq!(seen, [(0, Fate::Written), (1, Fate::Hidden(0.25))]);
}

#[test]
fn notes_tell_who_covered_and_who_wrote() {
    // Two triangles over the left column, then one behind them over everything, which the depth test hides there.
    let positions = [
        [0.0, 0.0, 0.2, 1.0],
        [1.0, 0.0, 0.2, 1.0],
        [0.0, 2.0, 0.2, 1.0],
        [1.0, 0.0, 0.2, 1.0],
        [1.0, 2.0, 0.2, 1.0],
        [0.0, 2.0, 0.2, 1.0],
        [0.0, 0.0, 0.6, 1.0],
        [4.0, 0.0, 0.6, 1.0],
        [0.0, 4.0, 0.6, 1.0],
    ];
    struct White {
        quads: bool,
        kills: bool,
    }
    impl FragmentStage for White {
        fn needs_quads(&self) -> bool {
            self.quads
        }
        fn kills(&self) -> bool {
            self.kills
        }
        fn shade(&self, _: &FragmentBatch<'_>, out: &mut Shaded) {
            out.color.iter_mut().for_each(|column| column.fill(1.0));
        }
    }
    let draw_with = |stage: &dyn FragmentStage| {
        let mut target = Target::new(2, 2).unwrap();
        target.take_notes().unwrap();
        target.notes_mut().unwrap().watched = Some(2);
        let depth = Some(DepthTest { compare: Compare::Less, write: true });
        let state = State { depth, ..State::sized(2, 2) };
        let vertices = Vertices::new(&positions, &[], 0).unwrap();
        for _ in 0..2 {
            let all = Primitives::all(Topology::TriangleList);
            draw(&mut target, &screen_rules(), &state, vertices, all, stage);
        }
        target.notes().unwrap().clone()
    };
    let plain = draw_with(&white());
    assert_eq!(plain.primitives, 6);
    let of = |notes: &Notes, at: usize| {
        let Note { fragments, written, primitive, .. } = notes.pixels[at];
        (fragments, written, primitive)
    };
    // Each pixel of the left column: one of the pair and the big one, twice; written once, by the first draw.
    assert_eq!((of(&plain, 0), of(&plain, 2)), ((4, 1, 1), (4, 1, 2)));
    assert_eq!((of(&plain, 1), of(&plain, 3)), ((2, 1, 3), (2, 1, 3)));
    let quads = draw_with(&White { quads: true, kills: true });
    for at in 0..4 {
        assert_eq!(of(&quads, at), of(&plain, at));
        assert_eq!((plain.pixels[at].lane, quads.pixels[at].lane), (0, at as u32 + 1));
    }
    // The pixel at the bottom left: its triangle, then the big one behind it; the second draw finds equal depths.
    let story = |notes: &Notes| -> Vec<_> {
        notes.touches.iter().map(|touch| (touch.primitive, touch.corners, touch.fate, touch.color)).collect()
    };
    let hidden = Fate::Hidden(0.2);
    let (own, big) = ([3, 4, 5], [6, 7, 8]);
    assert_eq!(plain.touches[0].invocations.len(), 1);
    let expected = [
        (1, own, Fate::Written, Some([1.0; 4])),
        (2, big, hidden, Some([1.0; 4])),
        (1, own, hidden, None),
        (2, big, hidden, None),
    ];
    assert_eq!(story(&plain), expected);
    // A stage that kills nothing lets depths be stored at once, so the big one is hidden before it is shaded.
    for quads in [false, true] {
        let settled = draw_with(&White { quads, kills: false });
        let at_once = [expected[0], (2, big, hidden, None), expected[2], expected[3]];
        assert_eq!(story(&settled), at_once);
        for at in 0..4 {
            assert_eq!(of(&settled, at), of(&plain, at));
        }
    }
    assert_eq!(story(&quads), expected);
    let quad = &quads.touches[0];
    assert_eq!((quad.lane, quad.invocations.len()), (2, 4));
    assert_eq!(
        quad.invocations.iter().map(|one| (one.x, one.y)).collect::<Vec<_>>(),
        [(0, 0), (1, 0), (0, 1), (1, 1)]
    );
}

//! Coverage against a naive reference: every pixel, every edge, in 128-bit integers.

use crate::common::{counts, screen_rules};
use gpuzoo_raster::*;
use proptest::prelude::*;

const SIZE: [u32; 2] = [48, 40];

/// A corner in units of 1/256 pixel.
type Corner = [i32; 2];

/// True if the triangle covers the sample at `(x, y) + offset`. Written from the rule's words: a sample is covered if
/// it is inside, or on an edge that is a top edge (level, with the triangle below) or a left edge (with it to the
/// right).
fn covers(triangle: [Corner; 3], [x, y]: [i32; 2], offset: i32, fill: Fill) -> bool {
    let cross = |a: Corner, b: Corner, p: [i128; 2]| {
        let [a, b] = [a, b].map(|corner| corner.map(i128::from));
        (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
    };
    let wide = |corner: Corner| corner.map(i128::from);
    if cross(triangle[0], triangle[1], wide(triangle[2])) == 0 {
        return false;
    }
    let sample = [x * 256 + offset, y * 256 + offset].map(i128::from);
    (0..3).all(|i| {
        let (a, b, third) = (triangle[i], triangle[(i + 1) % 3], triangle[(i + 2) % 3]);
        let side = cross(a, b, sample) * cross(a, b, wide(third)).signum();
        let level = a[1] == b[1];
        let top = level && third[1] > a[1];
        // The edge's column at the third corner's height, compared without division.
        let left = !level && {
            let [dx, dy] = [i128::from(b[0] - a[0]), i128::from(b[1] - a[1])];
            let from_edge = i128::from(third[0] - a[0]) * dy - dx * i128::from(third[1] - a[1]);
            from_edge * dy.signum() > 0
        };
        side > 0 || (side == 0 && (fill == Fill::Inclusive || top || left))
    })
}

fn naive(triangles: &[[Corner; 3]], offset: i32, fill: Fill) -> Vec<u8> {
    let pixel = |x: i32, y: i32| triangles.iter().filter(|&&t| covers(t, [x, y], offset, fill)).count() as u8;
    (0..SIZE[1] as i32).flat_map(|y| (0..SIZE[0] as i32).map(move |x| pixel(x, y))).collect()
}

fn drawn(triangles: &[[Corner; 3]], sample: Sample, fill: Fill) -> Vec<u8> {
    let rules = Rules { sample, fill, ..screen_rules() };
    let positions: Vec<_> =
        triangles.as_flattened().iter().map(|corner| corner.map(|value| value as f32 / 256.0)).collect();
    counts(&rules, Topology::TriangleList, &positions, SIZE).0
}

/// Corners on the target and around it, often level with each other, on samples, or far away.
fn corner() -> impl Strategy<Value = Corner> {
    let near = prop_oneof![
        3 => -20 * 256..70 * 256,
        2 => (-4i32..52).prop_map(|pixel| pixel * 128),
        1 => -200_000 * 256..200_000 * 256,
    ];
    // A single holds 24 bits: far corners are whole pixels.
    [near.clone(), near]
        .prop_map(|corner: Corner| corner.map(|v| if v.abs() > 1 << 22 { v & !255 } else { v }))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn triangles_match_the_reference(triangle in [corner(), corner(), corner()]) {
        for (sample, offset) in [(Sample::Centre, 128), (Sample::Corner, 0)] {
            for fill in [Fill::TopLeft, Fill::Inclusive] {
                prop_assert_eq!(drawn(&[triangle], sample, fill), naive(&[triangle], offset, fill));
            }
        }
    }

    /// Around a point in the middle go triangles whose outer corners lie on the border of the target, with samples on
    /// many edges: together they are the target, and the top-left rule gives every pixel to one of them.
    #[test]
    fn fans_cover_every_pixel_once(
        middle in [0..=2 * 48i32, 0..=2 * 40i32],
        cuts in prop::collection::vec((0..4usize, 0..=64i32), 0..8),
    ) {
        let [right, bottom] = [48 * 256, 40 * 256];
        // The border once around, beginning at the top left.
        let mut around: Vec<(i32, Corner)> = cuts.iter().map(|&(side, at)| match side {
            0 => (at, [right * at / 64, 0]),
            1 => (64 + at, [right, bottom * at / 64]),
            2 => (128 + at, [right - right * at / 64, bottom]),
            _ => (192 + at, [0, bottom - bottom * at / 64]),
        }).collect();
        around.extend([(0, [0, 0]), (64, [right, 0]), (128, [right, bottom]), (192, [0, bottom])]);
        around.sort();
        let middle = middle.map(|half| half * 128);
        let triangles: Vec<_> = (0..around.len())
            .map(|i| [middle, around[i].1, around[(i + 1) % around.len()].1])
            .collect();
        for sample in [Sample::Centre, Sample::Corner] {
            let once = drawn(&triangles, sample, Fill::TopLeft);
            prop_assert!(once.iter().all(|&count| count == 1));
            let inclusive = drawn(&triangles, sample, Fill::Inclusive);
            prop_assert!(inclusive.iter().all(|&count| count >= 1));
        }
    }
}

/// The inclusive rule draws a shared edge twice: here the diagonal, which goes through 8 centres.
#[test]
fn inclusive_draws_shared_edges_twice() {
    let halves = [[[0, 0], [2048, 0], [2048, 2048]], [[0, 0], [2048, 2048], [0, 2048]]];
    let pixels = drawn(&halves, Sample::Centre, Fill::Inclusive);
    for y in 0..8 {
        for x in 0..8 {
            assert_eq!(pixels[y * 48 + x], if x == y { 2 } else { 1 });
        }
    }
}

/// Edge functions without a look at the area: a triangle that collapsed to a line covers the whole line, one that
/// collapsed to a point covers everything.
#[test]
fn degenerate_triangles() {
    let rules = Rules {
        sample: Sample::Corner,
        fill: Fill::Inclusive,
        zero_area: ZeroArea::Unbounded,
        ..screen_rules()
    };
    let (pixels, stats) = counts(&rules, Topology::TriangleList, &[[3.0, 3.0], [5.0, 5.0], [4.0, 4.0]], SIZE);
    assert_eq!(stats.fragments, 40);
    assert!((0..40).all(|i| pixels[i * 48 + i] == 1));
    let (pixels, _) = counts(&rules, Topology::TriangleList, &[[3.25, 3.5]; 3], SIZE);
    assert!(pixels.iter().all(|&count| count == 1));
    let rules = Rules { zero_area: ZeroArea::Nothing, ..rules };
    let (_, stats) = counts(&rules, Topology::TriangleList, &[[3.25, 3.5]; 3], SIZE);
    assert_eq!((stats.culled, stats.fragments), (1, 0));
}

/// Sub-pixel bits: with none, 0.6 snaps to 1 and the sample at 0.5 is outside.
#[test]
fn snapping_decides() {
    let corners = [[0.3, -5.0], [0.3, 9.0], [0.7, 2.0]];
    let covered = |bits, rounding| {
        let rules = Rules { snap: Snap { bits, rounding }, ..screen_rules() };
        counts(&rules, Topology::TriangleList, &corners, SIZE).1.fragments
    };
    // Exactly, the middle of row 2 has samples from 0.3 to about 0.69.
    assert!(covered(8, Rounding::NearestEven) > 0);
    assert_eq!(covered(0, Rounding::Floor), 0, "all columns become 0");
    // With no bits the corners are (0, -5), (0, 9), (1, 2): half a pixel from the left edge the triangle has the rows
    // from -1.5 to 5.5, whose samples are 0.5 to 4.5.
    assert_eq!(covered(0, Rounding::NearestAway), 5);
}

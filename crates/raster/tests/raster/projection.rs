//! Clipping and perspective against a rasterizer that does neither: for every pixel it solves for the point of the
//! triangle's plane that lies on the ray through the pixel, in homogeneous coordinates (after Olano and Greer).

use gpuzoo_raster::*;
use proptest::prelude::*;

const SIZE: u32 = 24;

/// What the ray through a place in pixels meets on the triangle's plane: the varying there, and whether the place is on
/// the inner side of each edge and between near and far.
fn meets(corners: &[[f64; 4]; 3], values: [f64; 3], place: [f64; 2], depth: bool) -> (f64, [bool; 5]) {
    let ray = [place[0] / f64::from(SIZE) * 2.0 - 1.0, 1.0 - place[1] / f64::from(SIZE) * 2.0, 1.0];
    let column = |i: usize| [corners[i][0], corners[i][1], corners[i][3]];
    let det = |a: [f64; 3], b: [f64; 3], c: [f64; 3]| {
        a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1])
            + c[0] * (a[1] * b[2] - a[2] * b[1])
    };
    // Cramer: ray = m0 corner0 + m1 corner1 + m2 corner2.
    let whole = det(column(0), column(1), column(2));
    let weights = [
        det(ray, column(1), column(2)) / whole,
        det(column(0), ray, column(2)) / whole,
        det(column(0), column(1), ray) / whole,
    ];
    let sum: f64 = weights.iter().sum();
    let mix = |values: [f64; 3]| (0..3).map(|i| weights[i] * values[i]).sum::<f64>();
    // ray has w = 1, so the point in space is ray / sum, and its depth by w is that of the mix itself.
    let z = mix([0, 1, 2].map(|i| corners[i][2]));
    let [a, b, c] = weights.map(|weight| weight > 0.0);
    (mix(values) / sum, [a, b, c, !depth || z >= 0.0, !depth || z <= 1.0])
}

fn position() -> impl Strategy<Value = [f32; 4]> {
    [-2.0f32..2.0, -2.0f32..2.0, -0.5f32..1.5, -1.0f32..2.0]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn pixels_show_what_their_rays_meet(
        corners in [position(), position(), position()],
        values in [0.0f32..1.0, 0.0f32..1.0, 0.0f32..1.0],
        depth in any::<bool>(),
        cut in any::<bool>(),
    ) {
        let exact = corners.map(|corner| corner.map(f64::from));
        let exact_values = values.map(f64::from);
        // Seen from its edge, a triangle is all border.
        let volume: f64 = {
            let c = |i: usize| [exact[i][0], exact[i][1], exact[i][3]];
            let [a, b, d] = [c(0), c(1), c(2)];
            a[0] * (b[1] * d[2] - b[2] * d[1]) - b[0] * (a[1] * d[2] - a[2] * d[1]) + d[0] * (a[1] * b[2] - a[2] * b[1])
        };
        if volume.abs() < 0.02 {
            return Ok(());
        }
        let clip = ClipRules { sides: if cut { Sides::Cut } else { Sides::GuardBand }, near: depth, far: depth };
        let rules = Rules { clip, ..Rules::default() };
        let mut target = Target::new(SIZE, SIZE).unwrap();
        let varyings = values.map(|value| [value, 1.0, 1.0, 1.0]);
        let vertices = Vertices::new(&corners, &varyings, 1).unwrap();
        let stage = PerFragment(|fragment: Fragment<'_>| Some(fragment.varying(0)));
        let list = Primitives::all(Topology::TriangleList);
        draw(&mut target, &rules, &State::sized(SIZE, SIZE), vertices, list, &stage);
        for y in 0..SIZE {
            for x in 0..SIZE {
                // Snapping moves corners by up to 1/512 pixel: what changes within a little more than that is open.
                let around = [[0.0, 0.0], [-0.03, 0.0], [0.03, 0.0], [0.0, -0.03], [0.0, 0.03]];
                let found = around.map(|[dx, dy]| {
                    let place = [f64::from(x) + 0.5 + dx, f64::from(y) + 0.5 + dy];
                    meets(&exact, exact_values, place, depth)
                });
                let [value, covered, ..] = target.color().get(x, y).unwrap();
                // All places around a pixel lie beyond one border, or none lies beyond any; else it may go either way.
                if (0..5).any(|border| found.iter().all(|(_, within)| !within[border])) {
                    prop_assert_eq!(covered, 0, "({}, {}) is not in it", x, y);
                } else if found.iter().all(|(_, within)| within.iter().all(|&within| within)) {
                    prop_assert_eq!(covered, 255, "({}, {}) is in it", x, y);
                    let found = found.map(|(value, _)| value * 255.0);
                    let low = found.iter().copied().fold(f64::MAX, f64::min);
                    let high = found.iter().copied().fold(f64::MIN, f64::max);
                    let value = f64::from(value);
                    prop_assert!((low - 0.6..=high + 0.6).contains(&value), "({}, {}): {} in {}..{}", x, y, value, low, high);
                }
            }
        }
    }
}

/// A floor from the viewer's feet to the horizon: the varying is the distance, and each row shows the distance that its
/// ray has. Row centres are at 1 - (2 y + 1) / 64 below the horizon, where the ray is 1 / that far away.
#[test]
fn a_floor_to_the_horizon() {
    let far = 1000.0f32;
    // One below the eye, looking along w.
    let corner = |x: f32, w: f32| [x * w * 4.0, -1.0, 0.5 * w, w];
    let positions = [corner(-1.0, 0.5), corner(1.0, 0.5), corner(-1.0, far), corner(1.0, far)];
    let varyings = [0.5, 0.5, far, far].map(|w| [w; 4]);
    let vertices = Vertices::new(&positions, &varyings, 1).unwrap();
    let mut target = Target::new(4, 64).unwrap();
    let stage = PerFragment(|fragment: Fragment<'_>| {
        let [_, y] = fragment.pixel();
        let below = (2.0 * f64::from(y) + 1.0) / 64.0 - 1.0;
        let expected = 1.0 / below;
        let off = (f64::from(fragment.varying(0)[0]) - expected).abs() / expected;
        // Snapping moves the far edge by 1/512 pixel, which is 1/16384 below the horizon.
        assert!(off < 0.004, "row {y}: {:?} should be {expected}", fragment.varying(0));
        Some([1.0; 4])
    });
    let strip = Primitives::all(Topology::TriangleStrip);
    let stats = draw(&mut target, &Rules::default(), &State::sized(4, 64), vertices, strip, &stage);
    assert_eq!(stats.fragments, 4 * 32);
}

/// Cut by the near plane, and all that is left of it lies right of the picture: it is not drawn, and not cut either.
#[test]
fn what_is_left_beside_the_picture_is_outside() {
    let clip = ClipRules { sides: Sides::GuardBand, near: true, far: false };
    let rules = Rules { clip, ..Rules::default() };
    let positions = |x: f32| [[x, 0.0, -0.5, 1.0], [x + 1.0, 0.0, 0.5, 1.0], [x, 1.0, 0.5, 1.0]];
    let stats = |x: f32| {
        let mut target = Target::new(8, 8).unwrap();
        let positions = positions(x);
        let vertices = Vertices::new(&positions, &[], 0).unwrap();
        let all = Primitives::all(Topology::TriangleList);
        let stats = draw(&mut target, &rules, &State::sized(8, 8), vertices, all, &crate::common::white());
        (stats.primitives, stats.drawn, stats.cut, stats.outside)
    };
    assert_eq!(stats(3.0), (1, 0, 0, 1));
    assert_eq!(stats(-0.5), (1, 1, 1, 0));
}

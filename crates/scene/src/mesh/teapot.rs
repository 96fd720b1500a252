//! The teapot of Martin Newell (University of Utah, 1975): 32 bicubic Bézier patches.
//!
//! The list of 306 control points that has gone around the world since F. Crow, The Origins of the Teapot (IEEE
//! Computer Graphics and Applications, 1987), is full of symmetry, and this is what is left without it. Rim, body, lid
//! and bottom are profiles that turn around the axis, in quarters; a quarter of a circle of radius 1 has the control
//! points (1, 0), (1, 0.56), (0.56, 1), (0, 1). Handle and spout are cross-sections, four points for the half on one
//! side and their mirror image. The one place where the list differs is the knob, where it has 0.45 for 0.8 × 0.56 =
//! 0.448. The bottom is not Newell's, whose pot had none. Heights are those of the published list, in which the pot is
//! squeezed to 3/4 for the pixels of the time.

use super::shapes::{Builder, Point};
use super::{Mesh, MeshError};
use crate::matrix::{Vector, cross, dot, normalize};

/// Profiles: radius and height of four control points each.
#[rustfmt::skip]
const PROFILES: [[[f64; 2]; 4]; 6] = [
    [[1.4, 2.4], [1.3375, 2.53125], [1.4375, 2.53125], [1.5, 2.4]], // rim
    [[1.5, 2.4], [1.75, 1.875],     [2.0, 1.35],       [2.0, 0.9]], // body
    [[2.0, 0.9], [2.0, 0.45],       [1.5, 0.225],      [1.5, 0.15]],
    [[0.0, 3.15], [0.8, 3.15],      [0.0, 2.85],       [0.2, 2.7]], // lid
    [[0.2, 2.7], [0.4, 2.55],       [1.3, 2.55],       [1.3, 2.4]],
    [[1.5, 0.15], [1.5, 0.075],     [1.425, 0.0],      [0.0, 0.0]], // bottom
];

/// A cross-section of handle or spout: the inner point (x, z), the outer one, and how far each reaches to the side.
type Section = [f64; 5];

#[rustfmt::skip]
const HANDLE: [Section; 7] = [
    [-1.6, 2.025, -1.5,  2.25,   0.3],
    [-2.3, 2.025, -2.5,  2.25,   0.3],
    [-2.7, 2.025, -3.0,  2.25,   0.3],
    [-2.7, 1.8,   -3.0,  1.8,    0.3],
    [-2.7, 1.575, -3.0,  1.35,   0.3],
    [-2.5, 1.125, -2.65, 0.9375, 0.3],
    [-2.0, 0.9,   -1.9,  0.6,    0.3],
];

#[rustfmt::skip]
const SPOUT: [Section; 7] = [
    [1.7, 1.425, 1.7,   0.6,     0.66],
    [2.6, 1.425, 3.1,   0.825,   0.66],
    [2.3, 2.1,   2.4,   2.025,   0.25],
    [2.7, 2.4,   3.3,   2.4,     0.25],
    [2.8, 2.475, 3.525, 2.49375, 0.25],
    [2.9, 2.475, 3.45,  2.5125,  0.15],
    [2.8, 2.4,   3.2,   2.4,     0.15],
];

/// The second control point of a quarter circle of radius 1.
const ARC: f64 = 0.56;

/// Four rows of four control points. Columns go around, rows along the profile.
type Patch = [[Vector; 4]; 4];

/// All 32 patches, with z up, each with the part of the texture that it takes: left, top, width, height.
fn patches() -> Vec<(Patch, [f64; 4])> {
    let mut patches = Vec::new();
    for (index, profile) in PROFILES.iter().enumerate() {
        for quarter in 0..4 {
            // The first quarter begins at +x and goes to +y, counter-clockwise from above.
            let corner = |x: f64, y: f64| match quarter {
                0 => [x, y],
                1 => [-y, x],
                2 => [-x, -y],
                _ => [y, -x],
            };
            let arc = [corner(1.0, 0.0), corner(1.0, ARC), corner(ARC, 1.0), corner(0.0, 1.0)];
            let patch = profile.map(|[radius, height]| arc.map(|[x, y]| [x * radius, y * radius, height]));
            // The body's two profiles are one band of the texture; the other parts have it all.
            let [top, height] = match index {
                1 => [0.0, 0.5],
                2 => [0.5, 0.5],
                _ => [0.0, 1.0],
            };
            patches.push((patch, [f64::from(quarter) * 0.25, top, 0.25, height]));
        }
    }
    for sections in [HANDLE, SPOUT] {
        for (half, rows) in [(0.0, 0..4), (0.5, 3..7)] {
            for side in [-1.0, 1.0] {
                // Each side runs so that it is seen from outside.
                let patch = [0, 1, 2, 3].map(|row| {
                    let [x, z, outer_x, outer_z, reach] = sections[rows.start + row];
                    let y = side * reach;
                    let section = [[x, 0.0, z], [x, y, z], [outer_x, y, outer_z], [outer_x, 0.0, outer_z]];
                    if side > 0.0 { section } else { [section[3], section[2], section[1], section[0]] }
                });
                patches.push((patch, [if side < 0.0 { 0.0 } else { 0.5 }, half, 0.5, 0.5]));
            }
        }
    }
    patches
}

/// Cubic Bernstein polynomials, and their derivatives.
fn bernstein(t: f64) -> ([f64; 4], [f64; 4]) {
    let s = 1.0 - t;
    (
        [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t],
        [-3.0 * s * s, 3.0 * s * s - 6.0 * s * t, 6.0 * s * t - 3.0 * t * t, 3.0 * t * t],
    )
}

fn blend(patch: &Patch, across: [f64; 4], down: [f64; 4]) -> Vector {
    let mut sum = [0.0; 3];
    for (row, weight) in patch.iter().zip(down) {
        for (point, other) in row.iter().zip(across) {
            for (sum, component) in sum.iter_mut().zip(point) {
                *sum += component * weight * other;
            }
        }
    }
    sum
}

/// The place and the direction outward at (u, v).
fn surface(patch: &Patch, u: f64, v: f64) -> (Vector, Vector) {
    let ((across, across_change), (down, down_change)) = (bernstein(u), bernstein(v));
    let along_v = blend(patch, across, down_change);
    let mut along_u = blend(patch, across_change, down);
    if dot(along_u, along_u) < 1e-12 {
        // A pole: all of the row is one point. Next to it the surface changes with u by v times the mixed derivative,
        // which points the same way where v grows from the pole and the opposite way where it ends there.
        let sign = if v < 0.5 { 1.0 } else { -1.0 };
        along_u = blend(patch, across_change, down_change).map(|component| component * sign);
    }
    (blend(patch, across, down), normalize(cross(along_v, along_u)))
}

/// The teapot, of 32 patches of `divisions` × `divisions` quads: y up, spout to +x, the body two units wide around the
/// axis, the bottom as far below the ground plane as the top of the lid is above it.
///
/// # Errors
/// [`MeshError::TooLarge`]
pub fn teapot(divisions: u32) -> Result<Mesh, MeshError> {
    let mut builder = Builder::default();
    for (patch, [left, top, width, height]) in &patches() {
        builder.net(divisions, divisions, |u, v| {
            let ([x, y, z], normal) = surface(patch, u, v);
            let texcoord = [left + u * width, top + v * height];
            let position = [x / 2.0, (z - 3.15 / 2.0) / 2.0, -y / 2.0];
            Point { position, normal: [normal[0], normal[2], -normal[1]], texcoord }
        })?;
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::shapes::tests::volume;

    #[test]
    fn control_points_of_the_published_list() {
        let patches = patches();
        assert_eq!(patches.len(), 32);
        let has = |point: Vector| {
            let near = |other: &Vector| point.iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-9);
            patches.iter().any(|(patch, _)| patch.iter().flatten().any(near))
        };
        // Some points of Crow's list: rim, body, handle, spout, lid, bottom.
        for point in [
            [0.784, -1.4, 2.4],
            [1.3375, -0.749, 2.53125],
            [-0.98, 1.75, 1.875],
            [2.0, -1.12, 0.45],
            [-2.65, -0.3, 0.9375],
            [-1.9, 0.3, 0.6],
            [1.7, -0.66, 1.425],
            [3.525, 0.25, 2.49375],
            [0.0, 0.0, 2.85],
            [-0.112, 0.2, 2.7],
            [0.728, 1.3, 2.4],
            [-1.425, 0.798, 0.0],
        ] {
            assert!(has(point), "{point:?}");
        }
        // 306 points, less 12 that the list has twice for the bottom, and 4 next to the pole that no patch uses.
        let all = patches.iter().flat_map(|(patch, _)| patch.iter().flatten());
        let mut points: Vec<[i64; 3]> = all.map(|point| point.map(|x| (x * 1e9).round() as i64)).collect();
        points.sort_unstable();
        points.dedup();
        assert_eq!(points.len(), 306 - 12 - 4);
    }

    #[test]
    fn fronts_are_outside_and_normals_fit() {
        let mesh = teapot(8).unwrap();
        assert_eq!(mesh.vertex_count(), 32 * 81);
        // The body alone is a drop of radius 1 and height 1.2; limbs and lid add to it.
        let volume = volume(&mesh);
        assert!((2.0..4.0).contains(&volume), "{volume}");
    }

    #[test]
    fn poles_point_up_and_down() {
        let mesh = teapot(4).unwrap();
        let positions = mesh.attribute("position").unwrap();
        let normals = mesh.attribute("normal").unwrap();
        let mut poles = 0;
        for (position, normal) in positions.iter().zip(normals.iter()) {
            let height = if position[1] > 0.0 { 1.0 } else { -1.0 };
            if position[0] == 0.0 && position[2] == 0.0 {
                poles += 1;
                assert!((normal[1] - height).abs() < 1e-6, "{position:?} {normal:?}");
            }
        }
        assert_eq!(poles, 2 * 4 * 5);
    }
}

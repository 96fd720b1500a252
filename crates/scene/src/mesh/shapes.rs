//! Shapes from formulas. Each has normals and texture coordinates, and is about two units large around the origin.

use super::{Mesh, MeshError, check_size, direction, position};
use crate::angle::sin_cos;
use crate::matrix::{Vector, cross, normalize};
use crate::pattern;
use gpuzoo_machine::limits::memory;
use gpuzoo_raster::Topology;

/// A point of a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub position: Vector,
    pub normal: Vector,
    /// From 0 at the left and at the top.
    pub texcoord: [f64; 2],
}

/// Points and triangles as they are collected.
#[derive(Default)]
pub(crate) struct Builder {
    positions: Vec<[f32; 4]>,
    normals: Vec<[f32; 4]>,
    texcoords: Vec<[f32; 4]>,
    indices: Vec<u32>,
}

impl Builder {
    /// Adds a net of `columns` × `rows` quads over 0 ≤ u, v ≤ 1. Its front is where u goes right and v goes down.
    /// Triangles with two equal corners, as at the poles of a sphere, are left out.
    pub fn net(
        &mut self,
        columns: u32,
        rows: u32,
        point: impl Fn(f64, f64) -> Point,
    ) -> Result<(), MeshError> {
        let (across, down) = (columns as usize + 1, rows as usize + 1);
        let count = across.saturating_mul(down);
        check_size(self.positions.len().saturating_add(count), count.saturating_mul(6))?;
        let first = self.positions.len();
        memory::reserve(&mut self.positions, count)?;
        memory::reserve(&mut self.normals, count)?;
        memory::reserve(&mut self.texcoords, count)?;
        memory::reserve(&mut self.indices, (across - 1) * (down - 1) * 6)?;
        for j in 0..down {
            for i in 0..across {
                let (u, v) = (i as f64 / f64::from(columns), j as f64 / f64::from(rows));
                let Point { position: place, normal, texcoord } = point(u, v);
                self.positions.push(position(place));
                self.normals.push(direction(normal, [0.0, 1.0, 0.0]));
                self.texcoords.push([texcoord[0] as f32, texcoord[1] as f32, 0.0, 1.0]);
            }
        }
        for j in 0..down - 1 {
            for i in 0..across - 1 {
                let a = first + j * across + i;
                let (b, c, d) = (a + across, a + 1, a + across + 1);
                for corners in [[a, b, c], [c, b, d]] {
                    let [p, q, r] = corners.map(|corner| self.positions[corner]);
                    if p != q && q != r && r != p {
                        self.indices.extend(corners.map(|corner| corner as u32));
                    }
                }
            }
        }
        Ok(())
    }

    pub fn finish(self) -> Result<Mesh, MeshError> {
        Mesh::new(self.positions, self.indices, Topology::TriangleList)?
            .with("normal", self.normals)?
            .with("texcoord", self.texcoords)?
            .complete()
    }
}

/// One net.
fn net(columns: u32, rows: u32, point: impl Fn(f64, f64) -> Point) -> Result<Mesh, MeshError> {
    let mut builder = Builder::default();
    builder.net(columns, rows, point)?;
    builder.finish()
}

/// A sphere, poles up and down; the texture's middle faces +z.
///
/// # Errors
/// [`MeshError::TooLarge`], as for all shapes.
pub fn sphere(radius: f64, columns: u32, rows: u32) -> Result<Mesh, MeshError> {
    net(columns, rows, |u, v| {
        let ((s, c), (sine, cosine)) = (sin_cos(360.0 * u - 180.0), sin_cos(180.0 * v));
        let normal = [sine * s, cosine, sine * c];
        Point { position: normal.map(|component| component * radius), normal, texcoord: [u, v] }
    })
}

/// A ring around the y axis: `radius` to the middle of a tube of radius `tube`.
///
/// # Errors
/// [`MeshError::TooLarge`]
pub fn torus(radius: f64, tube: f64, columns: u32, rows: u32) -> Result<Mesh, MeshError> {
    net(columns, rows, |u, v| {
        let ((s, c), (height, out)) = (sin_cos(360.0 * u - 180.0), sin_cos(180.0 - 360.0 * v));
        let normal = [out * s, height, out * c];
        let position = [(radius + tube * out) * s, tube * height, (radius + tube * out) * c];
        Point { position, normal, texcoord: [u, v] }
    })
}

/// A tube that goes `p` times around the y axis while it goes `q` times around the ring of a torus. The texture repeats
/// along it.
///
/// # Errors
/// [`MeshError::TooLarge`]
pub fn torus_knot(
    p: u32,
    q: u32,
    radius: f64,
    tube: f64,
    columns: u32,
    rows: u32,
) -> Result<Mesh, MeshError> {
    let (p, q) = (f64::from(p), f64::from(q));
    // The ring's own tube is half as wide as the ring.
    let ring = radius / 1.5;
    net(columns, rows, |u, v| {
        let ((s, c), (sine, cosine)) = (sin_cos(360.0 * p * u), sin_cos(360.0 * q * u));
        let reach = ring * (1.0 + cosine / 2.0);
        let centre = [reach * s, ring / 2.0 * sine, reach * c];
        // The derivative of the curve, and the normal of the torus that it lies on: at right angles everywhere.
        let along = [
            p * reach * c - q * ring / 2.0 * sine * s,
            q * ring / 2.0 * cosine,
            -p * reach * s - q * ring / 2.0 * sine * c,
        ];
        let out = [cosine * s, sine, cosine * c];
        let side = normalize(cross(normalize(along), out));
        let (sine, cosine) = sin_cos(360.0 * v);
        let normal = [0, 1, 2].map(|i| out[i] * cosine + side[i] * sine);
        let position = [0, 1, 2].map(|i| centre[i] + normal[i] * tube);
        Point { position, normal, texcoord: [u * 2.0 * (p + q), v] }
    })
}

/// A cube with sides of length `size`, each the whole texture, of `columns` × `columns` quads.
///
/// # Errors
/// [`MeshError::TooLarge`]
pub fn cube(size: f64, columns: u32) -> Result<Mesh, MeshError> {
    let mut builder = Builder::default();
    // For each face, what is outside, right and up as seen from outside.
    let faces: [[Vector; 3]; 6] = [
        [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]],
        [[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        [[-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]],
        [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]],
        [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
    ];
    for [out, right, up] in faces {
        builder.net(columns, columns, |u, v| {
            let at = |i: usize| out[i] / 2.0 + right[i] * (u - 0.5) + up[i] * (0.5 - v);
            Point { position: [0, 1, 2].map(|i| at(i) * size), normal: out, texcoord: [u, v] }
        })?;
    }
    builder.finish()
}

/// A rectangle on the ground, its front up, the texture's top away from the viewer.
///
/// # Errors
/// [`MeshError::TooLarge`]
pub fn plane([width, depth]: [f64; 2], columns: u32, rows: u32) -> Result<Mesh, MeshError> {
    net(columns, rows, |u, v| Point {
        position: [(u - 0.5) * width, 0.0, (v - 0.5) * depth],
        normal: [0.0, 1.0, 0.0],
        texcoord: [u, v],
    })
}

/// Hills between 0 and `height` on a rectangle on the ground: [`pattern::fractal`] noise of `cells` cells across.
///
/// # Errors
/// [`MeshError::TooLarge`]
pub fn heightfield(
    [width, depth]: [f64; 2],
    height: f64,
    cells: u32,
    seed: u32,
    columns: u32,
    rows: u32,
) -> Result<Mesh, MeshError> {
    let scale = f64::from(cells);
    let at = |u: f64, v: f64| height * pattern::fractal(u * scale, v * scale, cells, seed);
    net(columns, rows, |u, v| {
        // Slopes over a thousandth of the whole: finer than any bump, coarser than rounding.
        let step = 0.001;
        let slope_x = (at(u + step, v) - at(u - step, v)) / (2.0 * step * width);
        let slope_z = (at(u, v + step) - at(u, v - step)) / (2.0 * step * depth);
        Point {
            position: [(u - 0.5) * width, at(u, v), (v - 0.5) * depth],
            normal: [-slope_x, 1.0, -slope_z],
            texcoord: [u, v],
        }
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::matrix::{dot, sub};

    /// Every triangle faces the way of its vertices' normals, normals have length 1, texture coordinates are in 0 to 1
    /// unless they repeat. Gives the volume inside, by the theorem of Gauss.
    pub(crate) fn volume(mesh: &Mesh) -> f64 {
        let vector = |[x, y, z, _]: [f32; 4]| [x, y, z].map(f64::from);
        let positions = mesh.attribute("position").unwrap();
        let normals = mesh.attribute("normal").unwrap();
        let mut volume = 0.0;
        for corners in mesh.indices().chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|i| vector(positions.get(corners[i] as usize)));
            let face = cross(sub(b, a), sub(c, a));
            for &corner in corners {
                let normal = vector(normals.get(corner as usize));
                assert!((dot(normal, normal) - 1.0).abs() < 1e-6);
                assert!(dot(normal, face) > 0.0, "{a:?} {b:?} {c:?}: {normal:?}");
            }
            volume += dot(a, cross(b, c)) / 6.0;
        }
        volume
    }

    #[test]
    fn volumes_and_fronts() {
        let pi = std::f64::consts::PI;
        assert!((volume(&cube(2.0, 3).unwrap()) - 8.0).abs() < 1e-6);
        // A fine net has almost the volume of the body.
        assert!((volume(&sphere(1.0, 96, 48).unwrap()) / (4.0 / 3.0 * pi) - 1.0).abs() < 0.005);
        assert!((volume(&torus(1.0, 0.4, 96, 48).unwrap()) / (2.0 * pi * pi * 0.16) - 1.0).abs() < 0.005);
        // A thin knot's volume is its cross-section times its length; (1, 0) is a circle of radius 1.
        let ring = volume(&torus_knot(1, 0, 1.0, 0.1, 96, 48).unwrap());
        assert!((ring / (2.0 * pi * pi * 0.01) - 1.0).abs() < 0.005, "{ring}");
        assert!(volume(&torus_knot(2, 3, 1.0, 0.2, 256, 24).unwrap()) > 0.0);
        volume(&plane([2.0, 3.0], 4, 4).unwrap());
        volume(&heightfield([2.0, 2.0], 0.5, 4, 1, 64, 64).unwrap());
    }

    #[test]
    fn poles_have_no_empty_triangles() {
        let mesh = sphere(1.0, 8, 4).unwrap();
        assert_eq!(mesh.vertex_count(), 9 * 5);
        assert_eq!(mesh.indices().len(), 3 * 8 * (2 * 4 - 2));
        // The middle of the texture faces the viewer.
        assert_eq!(mesh.attribute("position").unwrap().get(2 * 9 + 4), [0.0, 0.0, 1.0, 1.0]);
        assert_eq!(mesh.attribute("texcoord").unwrap().get(2 * 9 + 4), [0.5, 0.5, 0.0, 1.0]);
    }

    #[test]
    fn the_tops_of_textures_are_up() {
        let mesh = cube(2.0, 1).unwrap();
        assert_eq!(mesh.attribute("position").unwrap().get(0), [-1.0, 1.0, 1.0, 1.0]);
        assert_eq!(mesh.attribute("texcoord").unwrap().get(0), [0.0, 0.0, 0.0, 1.0]);
        let mesh = plane([4.0, 2.0], 1, 1).unwrap();
        assert_eq!(mesh.attribute("position").unwrap().get(0), [-2.0, 0.0, -1.0, 1.0]);
    }

    /// Normals stand at right angles to the way from one neighbour to the other, on hills of any shape.
    #[test]
    fn hills_have_the_normals_of_their_slopes() {
        let side = 200;
        let mesh = heightfield([8.0, 2.0], 1.5, 2, 1, side, side).unwrap();
        let vector = |name: &str, i: u32, j: u32| {
            let [x, y, z, _] = mesh.attribute(name).unwrap().get((j * (side + 1) + i) as usize);
            [x, y, z].map(f64::from)
        };
        // Away from the borders of the finest cells, of which there are 16 across, where slopes bend.
        const PLACES: [u32; 8] = [4, 19, 31, 56, 82, 106, 143, 171];
        let mut steepest = [0.0_f64; 2];
        for (i, j) in PLACES.into_iter().flat_map(|i| PLACES.map(|j| (i, j))) {
            let normal = vector("normal", i, j);
            let pairs = [[(i - 1, j), (i + 1, j)], [(i, j - 1), (i, j + 1)]];
            for ([from, to], steepest) in pairs.into_iter().zip(&mut steepest) {
                let way = sub(vector("position", to.0, to.1), vector("position", from.0, from.1));
                assert!(dot(normal, normalize(way)).abs() < 0.03, "{i} {j}: {normal:?} {way:?}");
                *steepest = steepest.max(way[1].abs() / (way[0] + way[2]));
            }
        }
        assert!(steepest[0] > 0.1 && steepest[1] > 0.3, "{steepest:?}");
    }

    /// Along a knot its texture repeats twice for each turn, so that it is not stretched.
    /// A ring of 1 with its own tube of ½ around it. At the beginning, where it is farthest out, the knot runs along (3, 3/2, 0);
    /// a twelfth of the way, on top at 60°, along (1 - ¾√3, 0, -√3 - ¾). A quarter around it is at right angles to that.
    #[test]
    fn a_knot_by_hand() {
        let mesh = torus_knot(2, 3, 1.5, 0.25, 12, 4).unwrap();
        let root = 3.0f64.sqrt();
        let side = [(root + 0.75) / 2.5, 0.0, (1.0 - 0.75 * root) / 2.5];
        let fifth = 5.0f64.sqrt();
        let table = [
            (0, [0.0, 0.0, 1.75], [0.0, 0.0, 1.0]),
            (1, [root / 2.0, 0.75, 0.5], [0.0, 1.0, 0.0]),
            (13, [0.25 / fifth, -0.5 / fifth, 1.5], [1.0 / fifth, -2.0 / fifth, 0.0]),
            (14, [root / 2.0 + side[0] / 4.0, 0.5, 0.5 + side[2] / 4.0], side),
        ];
        for (vertex, position, normal) in table {
            for (name, expected) in [("position", position), ("normal", normal)] {
                let got = mesh.attribute(name).unwrap().get(vertex);
                let near = |axis: usize| (f64::from(got[axis]) - expected[axis]).abs() < 1e-6;
                assert!((0..3).all(near), "{name} {vertex}: {got:?} {expected:?}");
            }
        }
    }

    #[test]
    fn a_cubes_vertices_are_its_corners() {
        let mesh = cube(2.0, 1).unwrap();
        for vertex in 0..mesh.vertex_count() {
            let [x, y, z, _] = mesh.attribute("position").unwrap().get(vertex);
            assert_eq!([x, y, z].map(f32::abs), [1.0; 3], "{vertex}");
        }
    }

    #[test]
    fn a_knots_texture_repeats() {
        let mesh = torus_knot(2, 3, 1.0, 0.2, 100, 10).unwrap();
        let texcoord = |index: usize| mesh.attribute("texcoord").unwrap().get(index);
        assert_eq!([texcoord(0)[0], texcoord(50)[0], texcoord(100)[0]], [0.0, 5.0, 10.0]);
    }

    #[test]
    fn too_many_quads_are_refused() {
        assert!(matches!(sphere(1.0, u32::MAX, u32::MAX), Err(MeshError::TooLarge { .. })));
        assert!(matches!(cube(1.0, 4096), Err(MeshError::TooLarge { .. })));
        assert!(plane([1.0, 1.0], 2048, 1024).is_ok());
    }
}

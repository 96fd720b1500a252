//! Clipping in homogeneous coordinates, after Sutherland and Hodgman: plane after plane, the part on the right side
//! stays.
//!
//! Everything is in double precision, into which positions convert exactly. A new corner is always computed from the
//! inner towards the outer end of its edge, so that two triangles that share the edge get the same corner from it, and
//! is then put on the plane exactly, so that corners out of all proportion to the view do not shake it.

use gpuzoo_simd::lanes::{Mask, each, mask};

/// x, y, z and w of positions in homogeneous coordinates, in columns.
pub(crate) type Homogeneous<const N: usize> = [[f64; N]; 4];

/// The most corners that a triangle can have after seven planes have each cut one off.
const MAX_CORNERS: usize = 3 + MAX_PLANES;
/// w, four sides, near and far.
const MAX_PLANES: usize = 7;

/// What w becomes where an edge passes through w = 0. It lies below every positive single, so that no vertex is cut
/// that could be divided, and far from where a double under- or overflows.
const LEAST_W: f64 = 1e-60;

/// A corner of the polygon.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Corner {
    /// x, y, z, w.
    pub position: [f64; 4],
    /// Its barycentric coordinates b1 and b2 in the triangle that is clipped.
    pub weights: [f64; 2],
}

impl Corner {
    fn between(inner: &Corner, outer: &Corner, t: f64) -> Corner {
        let mix = |a: f64, b: f64| a + t * (b - a);
        Corner {
            position: std::array::from_fn(|i| mix(inner.position[i], outer.position[i])),
            weights: std::array::from_fn(|i| mix(inner.weights[i], outer.weights[i])),
        }
    }
}

/// A plane: the right side is where `scale * coordinate + w_scale * w` is not negative.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Plane {
    /// The coordinate: 0 to 2 for x, y, z.
    pub axis: usize,
    pub scale: f64,
    pub w_scale: f64,
}

impl Plane {
    #[inline(always)]
    fn distance(&self, position: &[f64; 4]) -> f64 {
        let [distance] = self.distances(&position.map(|component| [component]));
        distance
    }

    #[inline(always)]
    fn distances<const N: usize>(&self, position: &Homogeneous<N>) -> [f64; N] {
        each(|lane| self.scale * position[self.axis][lane] + self.w_scale * position[3][lane])
    }

    /// The corner where an edge meets the plane.
    fn meet(&self, inner: &Corner, outer: &Corner) -> Corner {
        let [a, b] = [self.distance(&inner.position), self.distance(&outer.position)];
        let mut corner = Corner::between(inner, outer, a / (a - b));
        // A plane that an edge crosses has a scale, unless w alone crosses it.
        if self.scale != 0.0 {
            corner.position[self.axis] = -self.w_scale * corner.position[3] / self.scale;
        }
        corner
    }
}

/// The corner where an edge meets w = 0, or almost.
fn meet_eye(inner: &Corner, outer: &Corner) -> Corner {
    let [a, b] = [inner.position[3], outer.position[3]];
    let mut corner = Corner::between(inner, outer, a / (a - b));
    corner.position[3] = LEAST_W;
    corner
}

/// The planes that cut, w > 0 before all others.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Planes {
    planes: [Plane; MAX_PLANES - 1],
    len: usize,
}

impl Planes {
    /// Adds a plane; there is room for the four sides, near and far.
    pub fn push(&mut self, plane: Plane) {
        if let Some(free) = self.planes.get_mut(self.len) {
            *free = plane;
            self.len += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = &Plane> {
        self.planes[..self.len].iter()
    }

    /// The positions on the right side of all planes.
    #[inline(always)]
    pub fn contain<const N: usize>(&self, position: &Homogeneous<N>) -> Mask<N> {
        let mut inside: Mask<N> = mask(|lane| position[3][lane] > 0.0);
        for plane in self.iter() {
            let distance = plane.distances(position);
            let right: Mask<N> = mask(|lane| distance[lane] >= 0.0);
            inside = each(|lane| inside[lane] & right[lane]);
        }
        inside
    }

    /// What remains of a triangle.
    pub fn clip(&self, triangle: [[f64; 4]; 3]) -> Polygon {
        let mut polygon = Polygon::default();
        for (position, weights) in triangle.into_iter().zip([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]) {
            polygon.push(Corner { position, weights });
        }
        polygon = polygon.cut(|position| position[3] > 0.0, meet_eye);
        for plane in self.iter() {
            polygon = polygon.cut(|position| plane.distance(position) >= 0.0, |a, b| plane.meet(a, b));
        }
        polygon
    }

    /// What remains of a line.
    pub fn clip_line(&self, [start, end]: [[f64; 4]; 2]) -> Option<[Corner; 2]> {
        let ends =
            [Corner { position: start, weights: [0.0, 0.0] }, Corner { position: end, weights: [1.0, 0.0] }];
        let front = cut_line(ends, |position| position[3] > 0.0, meet_eye);
        self.iter().fold(front, |ends, plane| {
            cut_line(ends?, |position| plane.distance(position) >= 0.0, |a, b| plane.meet(a, b))
        })
    }
}

fn cut_line(
    [start, end]: [Corner; 2],
    inside: impl Fn(&[f64; 4]) -> bool,
    meet: impl Fn(&Corner, &Corner) -> Corner,
) -> Option<[Corner; 2]> {
    match [inside(&start.position), inside(&end.position)] {
        [true, true] => Some([start, end]),
        [true, false] => Some([start, meet(&start, &end)]),
        [false, true] => Some([meet(&end, &start), end]),
        [false, false] => None,
    }
}

/// A convex polygon; fewer than three corners mean that nothing is left.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Polygon {
    corners: [Corner; MAX_CORNERS],
    len: usize,
}

impl Polygon {
    pub fn corners(&self) -> &[Corner] {
        &self.corners[..self.len]
    }

    /// A convex polygon has room for the corners of every cut. Rounding could make it cross a plane more than twice;
    /// the corners that then do not fit are left out.
    fn push(&mut self, corner: Corner) {
        if let Some(free) = self.corners.get_mut(self.len) {
            *free = corner;
            self.len += 1;
        }
    }

    fn cut(&self, inside: impl Fn(&[f64; 4]) -> bool, meet: impl Fn(&Corner, &Corner) -> Corner) -> Polygon {
        let mut kept = Polygon::default();
        let Some(mut previous) = self.corners().last() else { return kept };
        let mut was_inside = inside(&previous.position);
        for corner in self.corners() {
            let is_inside = inside(&corner.position);
            match [was_inside, is_inside] {
                [true, false] => kept.push(meet(previous, corner)),
                [false, true] => {
                    kept.push(meet(corner, previous));
                    kept.push(*corner);
                }
                [true, true] => kept.push(*corner),
                [false, false] => {}
            }
            (previous, was_inside) = (corner, is_inside);
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planes(list: &[Plane]) -> Planes {
        let mut planes = Planes::default();
        list.iter().for_each(|plane| planes.push(*plane));
        planes
    }

    fn positions(polygon: &Polygon) -> Vec<[f64; 4]> {
        polygon.corners().iter().map(|corner| corner.position).collect()
    }

    /// x ≤ w
    const RIGHT: Plane = Plane { axis: 0, scale: -1.0, w_scale: 1.0 };

    #[test]
    fn one_corner_cut_off() {
        let polygon =
            planes(&[RIGHT]).clip([[0.0, 0.0, 0.0, 1.0], [2.0, 0.0, 4.0, 1.0], [0.0, 2.0, 0.0, 1.0]]);
        let expected =
            [[0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 2.0, 1.0], [1.0, 1.0, 2.0, 1.0], [0.0, 2.0, 0.0, 1.0]];
        assert_eq!(positions(&polygon), expected);
        assert_eq!(polygon.corners()[1].weights, [0.5, 0.0]);
        assert_eq!(polygon.corners()[2].weights, [0.5, 0.5]);
    }

    #[test]
    fn two_corners_cut_off_and_all_of_them() {
        let polygon =
            planes(&[RIGHT]).clip([[0.0, 0.0, 0.0, 1.0], [4.0, 0.0, 0.0, 1.0], [4.0, 4.0, 0.0, 1.0]]);
        assert_eq!(positions(&polygon), [[1.0, 1.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0]]);
        let polygon =
            planes(&[RIGHT]).clip([[2.0, 0.0, 0.0, 1.0], [4.0, 0.0, 0.0, 1.0], [4.0, 4.0, 0.0, 1.0]]);
        assert_eq!(polygon.corners(), []);
    }

    #[test]
    fn behind_the_eye() {
        let none = planes(&[]);
        for w in [0.0, -1.0] {
            let polygon = none.clip([[0.0, 0.0, 0.0, w], [1.0, 0.0, 0.0, w], [0.0, 1.0, 0.0, w]]);
            assert_eq!(polygon.corners(), []);
        }
        // One corner behind: w passes through 0 in the middle of two edges.
        let polygon = none.clip([[0.0, 0.0, 0.0, 1.0], [2.0, 0.0, 0.0, -1.0], [0.0, 2.0, 0.0, 1.0]]);
        let expected =
            [[0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, LEAST_W], [1.0, 1.0, 0.0, LEAST_W], [0.0, 2.0, 0.0, 1.0]];
        assert_eq!(positions(&polygon), expected);
        // The smallest single is not cut.
        let w = f64::from(f32::from_bits(1));
        assert_eq!(none.contain(&[[0.0], [0.0], [0.0], [w]]), [!0]);
        assert_eq!(none.contain(&[[0.0], [0.0], [0.0], [0.0]]), [0]);
        let polygon = none.clip([[0.0, 0.0, 0.0, w], [1.0, 0.0, 0.0, w], [0.0, 1.0, 0.0, w]]);
        assert_eq!(polygon.corners()[0].position[3], w);
    }

    /// A neighbour that has the shared edge the other way round gets the same corners.
    #[test]
    fn shared_edges_are_cut_alike() {
        let planes = planes(&[RIGHT, Plane { axis: 1, scale: -0.7, w_scale: 1.1 }]);
        let [a, b] = [[0.1, 0.2, 0.3, 1.0], [7.7, 9.1, 0.9, 2.3]];
        let left = planes.clip([a, b, [0.0, -8.0, 0.0, 1.0]]);
        let right = planes.clip([b, a, [-9.0, 8.0, 0.0, 1.0]]);
        let shared = |polygon: &Polygon| {
            polygon
                .corners()
                .iter()
                .filter(|corner| corner.weights[1] == 0.0)
                .map(|c| c.position)
                .collect::<Vec<_>>()
        };
        let (mut one, mut other) = (shared(&left), shared(&right));
        one.sort_by(|a, b| a[0].total_cmp(&b[0]));
        other.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let [there, back] = [[a, b], [b, a]].map(|ends| planes.clip_line(ends).unwrap());
        assert_eq!(there.map(|end| end.position), [back[1].position, back[0].position]);
        assert_eq!(one.len(), 2);
        assert_eq!(one, other);
    }

    #[test]
    fn lines() {
        let planes = planes(&[RIGHT, Plane { axis: 0, scale: 1.0, w_scale: 1.0 }]);
        let ends = planes.clip_line([[-3.0, 0.0, 0.0, 1.0], [3.0, 6.0, 0.0, 1.0]]).unwrap();
        assert_eq!(ends[0].position, [-1.0, 2.0, 0.0, 1.0]);
        assert_eq!(ends[1].position, [1.0, 4.0, 0.0, 1.0]);
        assert!((ends[0].weights[0] - 1.0 / 3.0).abs() < 1e-15);
        assert!(planes.clip_line([[2.0, 0.0, 0.0, 1.0], [3.0, 6.0, 0.0, 1.0]]).is_none());
        assert!(planes.clip_line([[0.0, 0.0, 0.0, -1.0], [0.0, 6.0, 0.0, 0.0]]).is_none());
    }
}

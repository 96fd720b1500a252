//! Which samples a triangle covers, in exact integers.
//!
//! Screen positions are fixed-point numbers of [`FRACTION_BITS`] bits after the point, whatever the machine's grid is:
//! a coarser grid is a subset, and half a pixel is always on it. An edge function is linear in the pixel's column and
//! row and not negative inside; how a sample on the edge counts is folded into its constant. The columns inside all
//! three edges of a row are one span, whose ends are quotients of integers: no pixel outside is ever looked at. From row to
//! row quotient and remainder are stepped, not divided anew.
//!
//! Nothing overflows: positions are within 2^18 pixels, which are 2^29 units. So the coefficients of an edge are below
//! 2^30, its constant and its value at a sample below 2^62.

use crate::rules::{Fill, Sample};
use crate::state::Bounds;

/// Bits after the binary point of all screen positions: one more than a machine may have, so that the centre of a pixel
/// is on the grid.
pub(crate) const FRACTION_BITS: u32 = MAX_SUB_PIXEL_BITS as u32 + 1;

/// The finest sub-pixel grid: 1024 positions in a pixel.
pub const MAX_SUB_PIXEL_BITS: u8 = 10;

/// Primitives that reach farther than this many pixels from the origin are cut there: 16 times the largest target.
pub const GUARD_BAND: u32 = 1 << 18;

/// One pixel.
pub(crate) const ONE: i64 = 1 << FRACTION_BITS;

/// Where in a pixel its sample is, in fixed point.
pub(crate) fn sample_offset(sample: Sample) -> i64 {
    match sample {
        Sample::Centre => ONE / 2,
        Sample::Corner => 0,
    }
}

/// The columns or rows whose samples lie between two positions, both included: first and one past the last.
pub(crate) fn samples_between(low: i64, high: i64, offset: i64) -> (i32, i32) {
    let first = (low - offset + ONE - 1) >> FRACTION_BITS;
    let last = (high - offset) >> FRACTION_BITS;
    (first as i32, last as i32 + 1)
}

/// An edge function: `x * column + y * row + constant`.
#[derive(Clone, Copy, Debug)]
struct Edge {
    x: i64,
    y: i64,
    constant: i64,
}

/// The edges of a triangle whose corners go clockwise on the screen, where y goes down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Triangle {
    edges: [Edge; 3],
}

/// Twice the area; positive if the corners go clockwise on the screen, where y goes down.
pub(crate) fn doubled_area([a, b, c]: [[i64; 2]; 3]) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

impl Triangle {
    /// The triangle with these corners, of which [`doubled_area`] must not be negative.
    pub fn new(corners: [[i64; 2]; 3], fill: Fill, sample: Sample) -> Triangle {
        let offset = sample_offset(sample);
        let edge = |[px, py]: [i64; 2], [qx, qy]: [i64; 2]| {
            let (x, y) = (py - qy, qx - px);
            // Clockwise, a left edge goes up and has the inside at larger x; a top edge goes right, with the inside
            // below.
            let top_left = x > 0 || (x == 0 && y > 0);
            let on_edge = match fill {
                Fill::TopLeft if !top_left => -1,
                Fill::TopLeft | Fill::Inclusive => 0,
            };
            let constant = x * (offset - px) + y * (offset - py) + on_edge;
            Edge { x: x * ONE, y: y * ONE, constant }
        };
        let [a, b, c] = corners;
        Triangle { edges: [edge(a, b), edge(b, c), edge(c, a)] }
    }

    /// The columns of `bounds` that a row covers: first and one past the last, equal if there are none.
    #[inline]
    pub fn row(&self, row: i32, bounds: Bounds) -> (i32, i32) {
        self.rows(row).columns(bounds)
    }

    /// True if a pixel is covered.
    #[inline]
    pub fn covers(&self, column: i32, row: i32) -> bool {
        let at = |edge: &Edge| edge.x * i64::from(column) + edge.y * i64::from(row) + edge.constant;
        let [a, b, c] = &self.edges;
        at(a) >= 0 && at(b) >= 0 && at(c) >= 0
    }

    /// The rows from one on.
    #[inline(always)]
    pub fn rows(&self, row: i32) -> Rows {
        let [a, b, c] = &self.edges;
        Rows { edges: [Crossing::new(a, row), Crossing::new(b, row), Crossing::new(c, row)] }
    }
}

/// Where a row crosses the line of an edge.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    edge: Edge,
    /// The edge function at column 0, by the size of its x: quotient, rounded down, and remainder. Where x is 0 the quotient
    /// is the function itself.
    quotient: i64,
    remainder: i64,
    /// What a row adds to both; known from the second row on.
    step: Option<[i64; 2]>,
}

impl Crossing {
    #[inline(always)]
    fn new(edge: &Edge, row: i32) -> Crossing {
        let [quotient, remainder] = edge.by_x(edge.y * i64::from(row) + edge.constant);
        Crossing { edge: *edge, quotient, remainder, step: None }
    }

    #[inline(always)]
    fn next(&mut self) {
        let [quotient, remainder] = *self.step.get_or_insert_with(|| self.edge.by_x(self.edge.y));
        self.quotient += quotient;
        self.remainder += remainder;
        let size = self.edge.x.abs();
        if self.remainder >= size && size > 0 {
            self.remainder -= size;
            self.quotient += 1;
        }
    }
}

impl Edge {
    /// A number by the size of x: quotient, rounded down, and remainder; itself and 0 where x is 0.
    #[inline(always)]
    fn by_x(&self, number: i64) -> [i64; 2] {
        match self.x.abs() {
            0 => [number, 0],
            size => [number.div_euclid(size), number.rem_euclid(size)],
        }
    }
}

/// The columns that a triangle covers, row after row, without a division from the third row on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    edges: [Crossing; 3],
}

impl Rows {
    /// Those of the current row within `bounds`: first and one past the last, equal if there are none.
    #[inline(always)]
    fn columns(&self, bounds: Bounds) -> (i32, i32) {
        let (mut left, mut right) = (i64::from(bounds.left), i64::from(bounds.right));
        // Choices of numbers, not of ways: which edges are left ones differs from triangle to triangle.
        for Crossing { edge, quotient, .. } in &self.edges {
            // x column + here ≥ 0, so column ≥ ceil(-here / x) if x is positive.
            left = left.max(if edge.x > 0 { -quotient } else { i64::MIN });
            let level = if *quotient < 0 { i64::MIN } else { i64::MAX };
            right = right.min(match edge.x.signum() {
                -1 => quotient + 1,
                0 => level,
                _ => i64::MAX,
            });
        }
        if left < right { (left as i32, right as i32) } else { (bounds.left, bounds.left) }
    }

    /// The same, and goes on to the next row.
    #[inline(always)]
    pub fn next(&mut self, bounds: Bounds) -> (i32, i32) {
        let columns = self.columns(bounds);
        self.edges[0].next();
        self.edges[1].next();
        self.edges[2].next();
        columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds { left: -8, right: 24, top: -8, bottom: 24 };

    fn pixels(corners: [[i64; 2]; 3], fill: Fill, sample: Sample) -> Vec<(i32, i32)> {
        let mut corners = corners.map(|corner| corner.map(|value| value * ONE / 2));
        if doubled_area(corners) < 0 {
            corners.swap(1, 2);
        }
        let triangle = Triangle::new(corners, fill, sample);
        let row = |y| {
            let (left, right) = triangle.row(y, BOUNDS);
            (left..right).map(move |x| (x, y))
        };
        (BOUNDS.top..BOUNDS.bottom).flat_map(row).collect()
    }

    /// A right triangle with legs of two pixels. Corners are in halves of a pixel.
    #[test]
    fn edges_by_hand() {
        // Its long side runs through the centres (1.5, 0.5) and (0.5, 1.5); it is a right edge.
        let triangle = [[0, 0], [4, 0], [0, 4]];
        assert_eq!(pixels(triangle, Fill::TopLeft, Sample::Centre), [(0, 0)]);
        assert_eq!(pixels(triangle, Fill::Inclusive, Sample::Centre), [(0, 0), (1, 0), (0, 1)]);
        // Corner samples: the top and left legs are included, the long side's (2,0), (1,1), (0,2) are not.
        assert_eq!(pixels(triangle, Fill::TopLeft, Sample::Corner), [(0, 0), (1, 0), (0, 1)]);
        let all = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (0, 2)];
        assert_eq!(pixels(triangle, Fill::Inclusive, Sample::Corner), all);
        // The other half of the square has the long side on its left, and gets what the first did not.
        let other = [[4, 0], [4, 4], [0, 4]];
        assert_eq!(pixels(other, Fill::TopLeft, Sample::Centre), [(1, 0), (0, 1), (1, 1)]);
        assert_eq!(pixels(other, Fill::TopLeft, Sample::Corner), [(1, 1)]);
    }

    #[test]
    fn without_area() {
        // On the line y = x through the corners; all samples of it, however far.
        let line = [[0, 0], [4, 4], [2, 2]];
        assert_eq!(pixels(line, Fill::TopLeft, Sample::Corner), []);
        let diagonal: Vec<_> = (BOUNDS.top..BOUNDS.bottom).map(|y| (y, y)).collect();
        assert_eq!(pixels(line, Fill::Inclusive, Sample::Corner), diagonal);
        let point = pixels([[5, 3]; 3], Fill::Inclusive, Sample::Corner);
        assert_eq!(point.len(), 32 * 32);
    }

    #[test]
    fn corners_at_the_guard_band() {
        let far = i64::from(GUARD_BAND) * ONE;
        for fill in [Fill::TopLeft, Fill::Inclusive] {
            for sample in [Sample::Centre, Sample::Corner] {
                let triangle = Triangle::new([[-far, -far], [far, -far], [far, far]], fill, sample);
                let bounds = Bounds { left: 0, right: 16384, top: 0, bottom: 16384 };
                // The long side is y = x, a left edge from below: included.
                assert_eq!(triangle.row(0, bounds), (0, 16384));
                assert_eq!(triangle.row(16383, bounds), (16383, 16384));
            }
        }
    }

    /// Steep, flat, upright and level edges, from rows above and below their corners: stepping is dividing anew.
    #[test]
    fn rows_follow_each_other() {
        let far = i64::from(GUARD_BAND) * ONE;
        let triangles = [
            [[0, 0], [4 * ONE, 0], [0, 4 * ONE]],
            [[3, -5 * ONE + 1], [7 * ONE + 77, 2 * ONE + 9], [-3 * ONE - 1, 20 * ONE]],
            [[-far, -far], [far, -far + 1], [far - 12345, far]],
            [[1, 1], [2, 1], [1, 3000]],
            [[5 * ONE / 2, 3 * ONE / 2]; 3],
        ];
        for corners in triangles {
            for fill in [Fill::TopLeft, Fill::Inclusive] {
                let triangle = Triangle::new(corners, fill, Sample::Centre);
                let mut rows = triangle.rows(BOUNDS.top);
                for row in BOUNDS.top..BOUNDS.bottom {
                    assert_eq!(rows.next(BOUNDS), triangle.row(row, BOUNDS), "{corners:?} {row}");
                }
            }
        }
    }

    #[test]
    fn sample_ranges() {
        assert_eq!(samples_between(0, 2 * ONE, 0), (0, 3));
        assert_eq!(samples_between(0, 2 * ONE, ONE / 2), (0, 2));
        assert_eq!(samples_between(1, 2 * ONE - 1, 0), (1, 2));
        assert_eq!(samples_between(-ONE / 2, -ONE / 2, ONE / 2), (-1, 0));
        assert_eq!(samples_between(1, 2, ONE / 2), (0, 0));
    }
}

//! Which samples a triangle covers, in exact integers.
//!
//! Screen positions are fixed-point numbers of [`FRACTION_BITS`] bits after the point, whatever the machine's grid is:
//! a coarser grid is a subset, and half a pixel is always on it. An edge function is linear in the pixel's column and
//! row and not negative inside; how a sample on the edge counts is folded into its constant. The columns inside all
//! three edges of a row are one span, whose ends are quotients of integers: no pixel outside is ever looked at. Where the
//! numbers are small enough for double precision to be exact, the rows of a band are divided side by side.
//!
//! Nothing overflows: positions are within 2^18 pixels, which are 2^29 units. So the coefficients of an edge are below
//! 2^30, its constant and its value at a sample below 2^62.

use crate::round::{below, integer};
use crate::rules::{Fill, Sample};
use crate::state::Bounds;
use gpuzoo_simd::lanes::{GROUP, each, group_mut};

/// Bits after the binary point of all screen positions: one more than a machine may have, so that the centre of a pixel
/// is on the grid.
pub(crate) const FRACTION_BITS: u32 = MAX_SUB_PIXEL_BITS as u32 + 1;

/// The finest sub-pixel grid: 1024 positions in a pixel.
pub const MAX_SUB_PIXEL_BITS: u8 = 10;

/// Primitives that reach farther than this many pixels from the origin are cut there: 16 times the largest target.
pub const GUARD_BAND: u32 = 1 << 18;

/// One pixel.
pub(crate) const ONE: i32 = 1 << FRACTION_BITS;

/// Where in a pixel its sample is, in fixed point.
pub(crate) fn sample_offset(sample: Sample) -> i32 {
    match sample {
        Sample::Centre => ONE / 2,
        Sample::Corner => 0,
    }
}

/// The columns or rows whose samples lie between two positions, both included: first and one past the last.
#[inline(always)]
pub(crate) fn samples_between(low: i32, high: i32, offset: i32) -> (i32, i32) {
    let first = (low - offset + ONE - 1) >> FRACTION_BITS;
    let last = (high - offset) >> FRACTION_BITS;
    (first, last + 1)
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
#[inline(always)]
pub(crate) fn doubled_area([a, b, c]: [[i32; 2]; 3]) -> i64 {
    product(b[0] - a[0], c[1] - a[1]) - product(b[1] - a[1], c[0] - a[0])
}

/// Differences of places have 31 bits, their products 62.
#[inline(always)]
fn product(a: i32, b: i32) -> i64 {
    i64::from(a) * i64::from(b)
}

impl Triangle {
    /// The triangle with these corners, of which [`doubled_area`] must not be negative.
    #[inline(always)]
    pub fn new([a, b, c]: [[i32; 2]; 3], fill: Fill, sample: Sample) -> Triangle {
        Triangle {
            edges: [
                Edge::new(a, b, fill, sample),
                Edge::new(b, c, fill, sample),
                Edge::new(c, a, fill, sample),
            ],
        }
    }

    /// The columns of `bounds` that a row covers: first and one past the last, equal if there are none.
    pub fn row(&self, row: i32, bounds: Bounds) -> (i32, i32) {
        let (mut left, mut right) = (i64::from(bounds.left), i64::from(bounds.right));
        for edge in &self.edges {
            // x column + here ≥ 0, so column ≥ ceil(-here / x) if x is positive.
            let quotient = edge.by_x(edge.y * i64::from(row) + edge.constant);
            match edge.x.signum() {
                1 => left = left.max(-quotient),
                -1 => right = right.min(quotient + 1),
                _ if quotient < 0 => right = left,
                _ => {}
            }
        }
        if left < right { (left as i32, right as i32) } else { (bounds.left, bounds.left) }
    }

    /// True if a pixel is covered.
    #[inline(always)]
    pub fn covers(&self, column: i32, row: i32) -> bool {
        let [a, b, c] = &self.edges;
        (a.at(column, row) >= 0) & (b.at(column, row) >= 0) & (c.at(column, row) >= 0)
    }

    /// What the rows of `bounds` cover, at most [`GROUP`] of them: first columns and those past the last, equal in a row
    /// that covers none, and behind the last row.
    #[inline(always)]
    pub fn spans(&self, bounds: Bounds) -> [[i32; GROUP]; 2] {
        let [a, b, c] = &self.edges;
        // All rows take as long as three of them one after the other.
        if bounds.bottom - bounds.top > 2
            && let (Some(a), Some(b), Some(c)) = (a.from(bounds), b.from(bounds), c.from(bounds))
        {
            return spans([a, b, c], bounds);
        }
        let mut spans = [[bounds.left; GROUP]; 2];
        for (lane, row) in (bounds.top..bounds.bottom).enumerate().take(GROUP) {
            (spans[0][lane], spans[1][lane]) = self.row(row, bounds);
        }
        spans
    }
}

impl Edge {
    /// From one corner to the next, clockwise.
    #[inline(always)]
    fn new([px, py]: [i32; 2], [qx, qy]: [i32; 2], fill: Fill, sample: Sample) -> Edge {
        let (x, y) = (py - qy, qx - px);
        // Clockwise, a left edge goes up and has the inside at larger x; a top edge goes right, with the inside
        // below.
        let top_left = (x > 0) | (x == 0) & (y > 0);
        let on_edge = -i64::from((fill == Fill::TopLeft) & !top_left);
        let offset = sample_offset(sample);
        let constant = product(x, offset - px) + product(y, offset - py) + on_edge;
        Edge { x: product(x, ONE), y: product(y, ONE), constant }
    }

    /// The value at the sample of a pixel.
    #[inline(always)]
    fn at(&self, column: i32, row: i32) -> i64 {
        self.x * i64::from(column) + self.y * i64::from(row) + self.constant
    }

    /// A number by the size of x, rounded down; where x is 0 the number itself.
    fn by_x(&self, number: i64) -> i64 {
        match self.x.abs() {
            0 => number,
            size => number.div_euclid(size),
        }
    }

    /// The edge seen from the first pixel of `bounds`, of which [`GROUP`] rows count; none if a value in them might not be exact
    /// in double precision.
    #[inline(always)]
    fn from(&self, bounds: Bounds) -> Option<EdgeOfRows> {
        // Quotients of numbers below 2^53 are farther from the next whole number than they are rounded, unless they are whole.
        // The other rows add less than 2^46 to the first one's.
        const LIMIT: i64 = 1 << 52;
        let first = self.x * i64::from(bounds.left) + self.y * i64::from(bounds.top) + self.constant;
        if first.abs() >= LIMIT {
            return None;
        }
        let (left, right) = (self.x > 0, self.x < 0);
        Some(EdgeOfRows {
            // An edge without x has all columns on one side: half above the whole number, and far from column 0.
            first: first as f64 + if left | right { 0.0 } else { 0.5 },
            step: self.y as f64,
            size: if left | right { self.x.abs() as f64 } else { 1.0 / FAR },
            left: if left { 0.0 } else { -FAR },
            right: if left { FAR } else { 1.0 },
        })
    }
}

/// Farther than any column.
const FAR: f64 = (1u64 << 40) as f64;

/// An edge for some rows. Its values are whole.
#[derive(Clone, Copy)]
struct EdgeOfRows {
    /// In the first row.
    first: f64,
    /// From row to row.
    step: f64,
    /// By how much a value changes from column to column.
    size: f64,
    /// What the columns inside begin with is this less the quotient, what they end before is that and the quotient; far away
    /// for the side that the edge is not on.
    left: f64,
    right: f64,
}

/// Rows that are divided at a time: most triangles have fewer than a group.
const ROWS: usize = GROUP / 2;

/// The columns inside three edges, row after row, side by side.
#[inline(always)]
fn spans(edges: [EdgeOfRows; 3], bounds: Bounds) -> [[i32; GROUP]; 2] {
    let mut spans = [[bounds.left; GROUP]; 2];
    let (columns, rows) = (bounds.right - bounds.left, bounds.bottom - bounds.top);
    for first in (0..GROUP).step_by(ROWS).take_while(|first| (*first as i32) < rows) {
        let mut left = [0.0; ROWS];
        let mut right: [f64; ROWS] =
            each(|lane| f64::from(if ((first + lane) as i32) < rows { columns } else { 0 }));
        for edge in edges {
            for lane in 0..ROWS {
                // x column + value ≥ 0, so column ≥ ceil(-value / x) if x is positive.
                let quotient = below((edge.first + edge.step * (first + lane) as f64) / edge.size);
                let (from, to) = (edge.left - quotient, edge.right + quotient);
                left[lane] = if from > left[lane] { from } else { left[lane] };
                right[lane] = if to < right[lane] { to } else { right[lane] };
            }
        }
        let column = |covered: bool, column: f64| bounds.left + integer(if covered { column } else { 0.0 });
        *group_mut(&mut spans[0], first) =
            each::<_, ROWS>(|lane| column(left[lane] < right[lane], left[lane]));
        *group_mut(&mut spans[1], first) =
            each::<_, ROWS>(|lane| column(left[lane] < right[lane], right[lane]));
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds { left: -8, right: 24, top: -8, bottom: 24 };

    fn pixels(corners: [[i32; 2]; 3], fill: Fill, sample: Sample) -> Vec<(i32, i32)> {
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
        let far = GUARD_BAND as i32 * ONE;
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

    /// Steep, flat, upright and level edges, in rows above and below their corners; some too far away for double precision: rows
    /// side by side are what they are alone. And random ones of all sizes, whose ends lie on samples more often than not.
    #[test]
    fn rows_side_by_side_are_what_they_are_alone() {
        let far = GUARD_BAND as i32 * ONE;
        let mut triangles = vec![
            [[0, 0], [4 * ONE, 0], [0, 4 * ONE]],
            [[3, -5 * ONE + 1], [7 * ONE + 77, 2 * ONE + 9], [-3 * ONE - 1, 20 * ONE]],
            [[-far, -far], [far, -far + 1], [far - 12345, far]],
            [[1, 1], [2, 1], [1, 3000]],
            [[5 * ONE / 2, 3 * ONE / 2]; 3],
        ];
        // Upright edges through samples, so that the column before is the last one inside: by one in a value of 2^54.
        let upright = |column: i32| column * ONE + ONE / 2;
        let thin = |at: i32| [[upright(at), -far], [upright(at), far], [upright(at) - 40 * ONE, 0]];
        triangles.extend([4001, 8001, 8002, 12_001, 16_001].map(thin));
        let mut state = 1u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((state >> 33) % below) as i32
        };
        for round in 0..3000 {
            let size = 1 << random(28);
            let grid = if round % 2 == 0 { 1 } else { ONE / 2 };
            let mut corner = || {
                [random(size) - size as i32 / 2, random(size) - size as i32 / 2].map(|at| at / grid * grid)
            };
            triangles.push([corner(), corner(), corner()]);
        }
        let mut quick = 0;
        for mut corners in triangles {
            if doubled_area(corners) < 0 {
                corners.swap(1, 2);
            }
            let left = random(16_000) - 8_000;
            let near = Bounds { left: -8, right: 24, top: -8, bottom: 8 };
            let wide = Bounds { left, right: left + 16_384, top: left, bottom: left + GROUP as i32 };
            let target = Bounds { left: 0, right: 16_384, top: 0, bottom: GROUP as i32 };
            let cases = [
                (Fill::TopLeft, near),
                (Fill::Inclusive, near),
                (Fill::TopLeft, wide),
                (Fill::TopLeft, target),
            ];
            for (fill, bounds) in cases {
                let triangle = Triangle::new(corners, fill, Sample::Centre);
                for bottom in [bounds.bottom, bounds.top + 5, bounds.top + 1] {
                    let bounds = Bounds { bottom, ..bounds };
                    let [left, right] = triangle.spans(bounds);
                    let spans: Vec<(i32, i32)> = left.into_iter().zip(right).collect();
                    let row = |row| match row < bounds.bottom {
                        true => triangle.row(row, bounds),
                        false => (bounds.left, bounds.left),
                    };
                    let expected: Vec<(i32, i32)> = (bounds.top..).take(GROUP).map(row).collect();
                    assert_eq!(spans, expected, "{corners:?} {bounds:?}");
                }
                quick += u32::from(triangle.edges.iter().all(|edge| edge.from(bounds).is_some()));
            }
        }
        assert!(quick > 8000, "{quick} of 12,040 are divided side by side");
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

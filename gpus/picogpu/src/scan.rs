//! Which pixels a triangle covers, as the rasterizer finds it: by trying every pixel, in single precision (spec section
//! 8).
//!
//! With s(p, q, r) = (p.x−r.x)·(q.y−r.y) − (q.x−r.x)·(p.y−r.y), each step rounded, a pixel at integer coordinates is
//! inside unless one of s(p, v1, v2), s(p, v2, v3), s(p, v3, v1) is below zero and another above. So both windings are
//! drawn, all edges belong to the triangle, one without area covers the infinite line through its corners, and one that
//! is a point, or has a NaN, covers everything.
//!
//! # Spans instead of pixels
//!
//! Along a row only p.x changes. Rounded subtraction and multiplication by a constant are monotonic, so s is monotonic
//! in p.x, and its sign (NaN counted as zero) changes at most twice on a row: at two columns that a search finds with
//! few evaluations of the same rounded s. What is inside, "no s below zero, or none above", is then a union of two
//! intersections of three intervals. No pixel is decided by anything but the test itself.
//!
//! NaN does not spoil this. p.x − r.x is NaN for all columns or for none. The product is NaN for all columns, or, if
//! q.y − r.y is infinite, where p.x = r.x, between −∞ and +∞. And the final difference is NaN where a product that has
//! reached an infinity meets the same infinity, which is at one end of the row, next to columns of the other sign.
//!
//! # Rows that need no look
//!
//! Let M bound all coordinates and u = 2⁻²⁴. Each factor of s is at most 2M with a relative error u, so s is off by
//! less than 33 u M². With twice the area A = Σ s in exact numbers: if |A| is above three times that, the s cannot all
//! be on the side against A, and one of the two intersections is empty in every row. Where all s are on A's side or
//! zero, exact barycentric coordinates are at least −33 u M² / |A|, so the pixel is not farther outside the triangle's
//! bounding box than 66 u M² / |A| times the box's size. Below, 128 u M² replaces the 33, which also covers the
//! rounding of this estimate in double precision. Triangles that are too flat for it are looked for in all rows.
//!
//! # Why this is not a policy of `gpuzoo_raster`
//!
//! That crate snaps corners to a grid and decides in exact integers; here the rounding errors of the test are part of
//! what the machine draws. The conventional rule, which this machine lacks, does come from there ([`Fill::TopLeft`]).

use gpuzoo_raster::{Fill, Rounding, Sample, Snap, Spans};
use std::ops::Range;

/// How finely corners are snapped for the conventional fill rule: 1/256 of a pixel.
const SNAP: Snap = Snap { bits: 8, rounding: Rounding::NearestEven };

/// A triangle, ready to be scanned.
#[derive(Clone, Debug)]
pub struct Scan {
    width: u32,
    rows: Range<u32>,
    rule: Rule,
}

#[derive(Clone, Debug)]
enum Rule {
    /// The machine's test.
    Rounded { edges: [Edge; 3], sides: Sides },
    /// Exact, with the conventional fill rule; none for a triangle that has no place on the grid.
    Exact(Option<Spans>),
}

/// On which sides of all edges there may be pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sides {
    NotBelow,
    NotAbove,
    Both,
}

/// The function s(p, q, r) of a pixel.
#[derive(Clone, Copy, Debug)]
struct Edge {
    r: [f32; 2],
    /// q.x − r.x and q.y − r.y
    along: [f32; 2],
}

impl Edge {
    fn new(q: [f32; 2], r: [f32; 2]) -> Edge {
        Edge { r, along: [q[0] - r[0], q[1] - r[1]] }
    }

    /// The second product, the same for a whole row.
    #[inline]
    fn row(&self, y: u32) -> f32 {
        self.along[0] * (y as f32 - self.r[1])
    }

    #[inline]
    fn at(&self, x: u32, row: f32) -> f32 {
        (x as f32 - self.r[0]) * self.along[1] - row
    }

    /// The columns that are not below zero (or, if `above`, not above zero): an interval that begins or ends the row.
    fn side(&self, row: f32, width: u32, above: bool) -> Range<u32> {
        let wrong = |x| if above { self.at(x, row) > 0.0 } else { self.at(x, row) < 0.0 };
        let slope = self.along[1];
        // Where s grows, what is below zero comes first.
        let wrong_first = if above { slope < 0.0 } else { slope > 0.0 };
        let guess = self.r[0] + row / slope;
        if wrong_first {
            first(guess, width, |x| !wrong(x))..width
        } else if slope == 0.0 || slope.is_nan() {
            // The same in all columns.
            if wrong(0) { 0..0 } else { 0..width }
        } else {
            0..first(guess, width, wrong)
        }
    }
}

/// The first column for which `holds`, which no column before one for which it holds does not follow; `width` if there
/// is none. The search starts at `guess`, which may be anything.
fn first(guess: f32, width: u32, holds: impl Fn(u32) -> bool) -> u32 {
    // Conversion brings it into range, NaN to 0.
    let guess = (guess as u32).min(width);
    let (mut low, mut high);
    let mut step = 1;
    // The answer lies from `low` to `high`.
    if guess < width && !holds(guess) {
        (low, high) = (guess + 1, width);
        while low < width {
            let probe = (low + step - 1).min(width - 1);
            if holds(probe) {
                high = probe;
                break;
            }
            low = probe + 1;
            step *= 2;
        }
    } else {
        (low, high) = (0, guess);
        while high > 0 {
            let probe = high.saturating_sub(step);
            if !holds(probe) {
                low = probe + 1;
                break;
            }
            high = probe;
            step *= 2;
        }
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    high
}

impl Scan {
    /// A triangle over a framebuffer of this size, up to 16384 pixels a side.
    pub fn new(corners: [[f32; 2]; 3], width: u32, height: u32, fill: Fill) -> Scan {
        if fill == Fill::TopLeft {
            let spans = Spans::new(corners, SNAP, fill, Sample::Corner);
            return Scan { width, rows: covered(corners, height), rule: Rule::Exact(spans) };
        }
        let [v1, v2, v3] = corners;
        let edges = [Edge::new(v1, v2), Edge::new(v2, v3), Edge::new(v3, v1)];
        let (sides, rows) = pruned(corners, width, height);
        Scan { width, rows, rule: Rule::Rounded { edges, sides } }
    }

    /// How many pixels it covers at most: all of its rows.
    pub fn most_pixels(&self) -> u64 {
        self.rows.len() as u64 * u64::from(self.width)
    }

    /// Calls `span` for every run of covered pixels with its row and columns, in the order in which the machine finds
    /// them.
    pub fn spans(&self, mut span: impl FnMut(u32, Range<u32>)) {
        for y in self.rows.clone() {
            match &self.rule {
                Rule::Rounded { edges, sides } => self.rounded(y, edges, *sides, &mut span),
                Rule::Exact(spans) => {
                    let columns = spans.map_or(0..0, |spans| spans.row(y, self.width));
                    if !columns.is_empty() {
                        span(y, columns);
                    }
                }
            }
        }
    }

    fn rounded(&self, y: u32, edges: &[Edge; 3], sides: Sides, span: &mut impl FnMut(u32, Range<u32>)) {
        let side = |above: bool| {
            let (mut left, mut right) = (0, self.width);
            for edge in edges {
                let columns = edge.side(edge.row(y), self.width, above);
                (left, right) = (columns.start.max(left), columns.end.min(right));
                if left >= right {
                    return 0..0;
                }
            }
            left..right
        };
        let below = if sides == Sides::NotAbove { 0..0 } else { side(false) };
        let above = if sides == Sides::NotBelow { 0..0 } else { side(true) };
        let (one, two) = if above.start < below.start { (above, below) } else { (below, above) };
        if one.is_empty() || two.is_empty() || one.end < two.start {
            [one, two].into_iter().filter(|columns| !columns.is_empty()).for_each(|columns| span(y, columns));
        } else {
            span(y, one.start..one.end.max(two.end));
        }
    }
}

/// The rows that corners lie in, and one more on each side for what snapping moves.
fn covered(corners: [[f32; 2]; 3], height: u32) -> Range<u32> {
    let [a, b, c] = corners.map(|corner| corner[1]);
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    // Conversions bring what is out of range into it, and NaN to 0.
    (low - 1.0) as u32..(high + 2.0).min(height as f32) as u32
}

/// On which side, and in which rows, there can be covered pixels; see the head of this file.
fn pruned(corners: [[f32; 2]; 3], width: u32, height: u32) -> (Sides, Range<u32>) {
    let everything = (Sides::Both, 0..height);
    let [a, b, c] = corners.map(|corner| corner.map(f64::from));
    let components = corners.as_flattened().iter().map(|component| component.abs());
    // Beyond this, products could overflow in single precision.
    if !components.clone().all(|component| component <= 1e15) {
        return everything;
    }
    let bound = components.fold(width.max(height) as f32, f32::max);
    let area = (c[0] - b[0]) * (a[1] - b[1]) - (a[0] - b[0]) * (c[1] - b[1]);
    let error = 128.0 * f64::from(f32::EPSILON / 2.0) * f64::from(bound) * f64::from(bound);
    if area.abs() <= 3.0 * error {
        return everything;
    }
    let (low, high) = (a[1].min(b[1]).min(c[1]), a[1].max(b[1]).max(c[1]));
    let margin = 2.0 * error / area.abs() * (high - low);
    // Conversions bring negative numbers to 0.
    let rows = (low - margin).ceil() as u32..((high + margin).floor() + 1.0).min(f64::from(height)) as u32;
    (if area > 0.0 { Sides::NotBelow } else { Sides::NotAbove }, rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The reference's test, for every pixel.
    fn plain(corners: [[f32; 2]; 3], width: u32, height: u32) -> Vec<(u32, u32)> {
        let s = |p: [f32; 2], q: [f32; 2], r: [f32; 2]| {
            (p[0] - r[0]) * (q[1] - r[1]) - (q[0] - r[0]) * (p[1] - r[1])
        };
        let [v1, v2, v3] = corners;
        let inside = |&(x, y): &(u32, u32)| {
            let pixel = [x as f32, y as f32];
            let signs = [s(pixel, v1, v2), s(pixel, v2, v3), s(pixel, v3, v1)];
            !(signs.iter().any(|sign| *sign < 0.0) && signs.iter().any(|sign| *sign > 0.0))
        };
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).filter(inside).collect()
    }

    fn scanned(corners: [[f32; 2]; 3], width: u32, height: u32, fill: Fill) -> Vec<(u32, u32)> {
        let mut pixels = Vec::new();
        Scan::new(corners, width, height, fill).spans(|y, columns| {
            assert!(columns.end <= width && columns.start < columns.end);
            pixels.extend(columns.map(|x| (x, y)));
        });
        pixels
    }

    fn coordinate() -> impl Strategy<Value = f32> {
        prop_oneof![
            4 => -20.0f32..60.0,
            4 => (-10..50i32).prop_map(|whole| whole as f32),
            2 => (-40..200i32).prop_map(|quarters| quarters as f32 / 4.0),
            1 => (0..40i32, -3..4i32).prop_map(|(whole, ulps)| {
                f32::from_bits((whole as f32).to_bits().wrapping_add(ulps as u32))
            }),
            1 => -1e4f32..1e4,
            1 => any::<f32>(),
            1 => prop::sample::select(vec![
                f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 1e38, -3e38, 1.8e19, -1.9e19, 1e-40, -0.0, 1e15,
            ]),
        ]
    }

    fn corner() -> impl Strategy<Value = [f32; 2]> {
        [coordinate(), coordinate()]
    }

    /// Corners that lie nearly, or just, on a line.
    fn flat() -> impl Strategy<Value = [[f32; 2]; 3]> {
        (corner(), corner(), -2.0f32..3.0, -3..4i32).prop_map(|(a, b, t, ulps)| {
            let mut c = [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
            c[0] = f32::from_bits(c[0].to_bits().wrapping_add(ulps as u32));
            [a, b, c]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn spans_are_the_pixels_of_the_plain_loop(
            corners in prop_oneof![4 => [corner(), corner(), corner()], 2 => flat()],
            width in 1..40u32,
            height in 1..40u32,
        ) {
            prop_assert_eq!(scanned(corners, width, height, Fill::Inclusive), plain(corners, width, height));
        }

        #[test]
        fn the_search_finds_the_first(width in 0..50u32, at in 0..60u32, guess in any::<f32>()) {
            let at = at.min(width);
            prop_assert_eq!(first(guess, width, |x| x >= at), at);
            prop_assert_eq!(first(at as f32 + 0.5, width, |x| x >= at), at);
        }

        /// Four triangles around a point, and a frame around them: each pixel of the square is in one of them, none in
        /// two.
        #[test]
        fn the_conventional_rule_draws_shared_edges_once(
            inner in [0.5f32..30.5, 0.5f32..30.5],
            corners in prop::array::uniform4(prop::array::uniform2(-1.0f32..0.0)),
        ) {
            let [a, b, c, d] = [
                [corners[0][0], corners[0][1]],
                [33.0 + corners[1][0], corners[1][1]],
                [33.0 + corners[2][0], 33.0 + corners[2][1]],
                [corners[3][0], 33.0 + corners[3][1]],
            ];
            let mut count = [[0; 32]; 32];
            for (p, q) in [(a, b), (b, c), (c, d), (d, a)] {
                for (x, y) in scanned([p, q, inner], 32, 32, Fill::TopLeft) {
                    count[y as usize][x as usize] += 1;
                }
            }
            for row in &count[..32] {
                for times in row {
                    prop_assert_eq!(*times, 1);
                }
            }
        }
    }

    /// What spec section 8 says was seen.
    #[test]
    fn triangles_without_area() {
        let line = scanned([[2.0, 2.0], [4.0, 4.0], [3.0, 3.0]], 10, 10, Fill::Inclusive);
        assert_eq!(line, (0..10).map(|at| (at, at)).collect::<Vec<_>>());
        assert_eq!(scanned([[3.25, 4.5]; 3], 10, 10, Fill::Inclusive).len(), 100);
        let not_a_number = [[f32::NAN, 1.0], [5.0, 1.0], [1.0, 5.0]];
        // The one edge without NaN has a sign, and nothing contradicts it.
        assert_eq!(scanned(not_a_number, 10, 10, Fill::Inclusive).len(), 100);
        assert_eq!(scanned(not_a_number, 10, 10, Fill::TopLeft), []);
        assert_eq!(scanned([[3.25, 4.5]; 3], 10, 10, Fill::TopLeft), []);
    }

    /// Wide pictures, small triangles in them: rows far away are not even looked at.
    #[test]
    fn rows_are_pruned() {
        let corners = [[100.0, 1000.0], [140.0, 1010.0], [90.0, 1030.0]];
        let (sides, rows) = pruned(corners, 4096, 4096);
        assert!(sides != Sides::Both && rows.start > 800 && rows.end < 1230, "{rows:?}");
        assert_eq!(pruned([[0.0, 0.0], [1e4, 1e4], [1.0, 1.0]], 64, 64), (Sides::Both, 0..64));
    }
}

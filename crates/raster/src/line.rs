//! Which pixels a line of width 1 covers: the diamond-exit rule, in exact integers.
//!
//! A pixel's diamond is what lies within half a pixel of its centre, horizontal and vertical distance added. A line
//! colours the pixels whose diamond it leaves. So the last pixel of a line belongs to the line that goes on from there,
//! and the joints of a strip are drawn once. It is what GL and Vulkan ask for, or come close to, and needs no choice of
//! ours beyond ties: a line that passes exactly between two pixels colours the lower or the right one.

use crate::coverage::FRACTION_BITS;
use crate::state::Bounds;

const ONE: i64 = crate::coverage::ONE as i64;
const HALF: i64 = ONE / 2;

/// A line between two snapped positions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    /// Start and end, with the longer axis first, moved so that the samples of pixels are at their centres.
    ends: [[i64; 2]; 2],
    /// True if that axis is y.
    steep: bool,
}

impl Line {
    /// `offset` is where in a pixel its sample is; the diamond is around it.
    pub fn new(ends: [[i32; 2]; 2], offset: i32) -> Line {
        let ends = ends.map(|end| end.map(i64::from));
        let [a, b] = ends;
        let steep = (b[1] - a[1]).abs() > (b[0] - a[0]).abs();
        let turn = |[x, y]: [i64; 2]| if steep { [y, x] } else { [x, y] };
        Line { ends: ends.map(|end| turn(end).map(|value| value - i64::from(offset) + HALF)), steep }
    }

    /// Calls `pixel` with column and row of each pixel within `bounds`.
    #[inline(always)]
    pub fn for_each(&self, bounds: Bounds, mut pixel: impl FnMut(i32, i32)) {
        let [start, end] = self.ends;
        let length = [end[0] - start[0], end[1] - start[1]];
        if length[0] == 0 {
            return;
        }
        let along = if self.steep { (bounds.top, bounds.bottom) } else { (bounds.left, bounds.right) };
        let across = if self.steep { (bounds.left, bounds.right) } else { (bounds.top, bounds.bottom) };
        let (first, last) = self.reach(along, across);
        for step in first..=last {
            let centre = (step << FRACTION_BITS) + HALF;
            // The height of the line at this centre: at most 2^30 · 2^30 before the division.
            let rise = (centre - start[0]) * length[1] * length[0].signum();
            let other = (start[1] + rise.div_euclid(length[0].abs())) >> FRACTION_BITS;
            if other < across.0.into() || other >= across.1.into() {
                continue;
            }
            // Within a diamond a line of slope up to 1 crosses its upright diagonal, so only the ends need a look.
            let forward = length[0] > 0;
            let in_diamond = |end: [i64; 2]| {
                let across_centre = (other << FRACTION_BITS) + HALF;
                (end[0] - centre).abs() + (end[1] - across_centre).abs() < HALF
            };
            let begun = if forward { start[0] <= centre } else { start[0] >= centre };
            let left = if forward { end[0] > centre } else { end[0] < centre };
            if (begun || in_diamond(start)) && left && !in_diamond(end) {
                let [x, y] = if self.steep { [other, step] } else { [step, other] };
                pixel(x as i32, y as i32);
            }
        }
    }

    /// The steps along the longer axis that can be within both ranges. Exact for the first; for the second with a few
    /// steps to spare, which spares a band of a picture the rest of a long line.
    fn reach(&self, along: (i32, i32), across: (i32, i32)) -> (i64, i64) {
        let [start, end] = self.ends;
        let mut low = (start[0].min(end[0]) >> FRACTION_BITS).max(along.0.into());
        let mut high = (start[0].max(end[0]) >> FRACTION_BITS).min(i64::from(along.1) - 1);
        let slope = end[1] - start[1];
        if slope != 0 {
            let at = |other: i32| {
                let distance = (i64::from(other) << FRACTION_BITS) - start[1];
                (start[0] + (distance * (end[0] - start[0])).div_euclid(slope)) >> FRACTION_BITS
            };
            let (a, b) = (at(across.0), at(across.1));
            low = low.max(a.min(b) - 2);
            high = high.min(a.max(b) + 2);
        }
        (low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds { left: 0, right: 32, top: 0, bottom: 32 };

    /// Ends in eighths of a pixel.
    fn line(a: [i32; 2], b: [i32; 2]) -> Vec<(i32, i32)> {
        let mut pixels = Vec::new();
        let scale = |end: [i32; 2]| end.map(|value| value * ONE as i32 / 8);
        Line::new([scale(a), scale(b)], HALF as i32).for_each(BOUNDS, |x, y| pixels.push((x, y)));
        pixels
    }

    #[test]
    fn from_centre_to_centre() {
        assert_eq!(line([12, 12], [36, 12]), [(1, 1), (2, 1), (3, 1)], "without the last pixel");
        assert_eq!(
            line([36, 12], [12, 12]),
            [(2, 1), (3, 1), (4, 1)],
            "each direction leaves out its own last"
        );
        assert_eq!(line([12, 12], [12, 36]), [(1, 1), (1, 2), (1, 3)]);
        assert_eq!(line([12, 12], [36, 36]), [(1, 1), (2, 2), (3, 3)]);
        assert_eq!(line([36, 12], [12, 36]).len(), 3);
        assert_eq!(line([12, 12], [44, 28]), [(1, 1), (2, 2), (3, 2), (4, 3)], "half way goes down");
        assert_eq!(line([12, 12], [12, 12]), []);
    }

    #[test]
    fn ends_within_a_pixel() {
        // The diamond of pixel (1, 1) is around (12, 12) with reach 4.
        assert_eq!(line([14, 12], [28, 12]), [(1, 1), (2, 1)], "starts inside and leaves");
        assert_eq!(line([15, 15], [28, 15]), [(2, 1)], "starts past the diamond");
        assert_eq!(line([12, 12], [15, 12]), [], "never leaves");
        assert_eq!(line([9, 15], [14, 12]), [], "ends inside");
        assert_eq!(line([9, 12], [15, 15]), [(1, 1)], "passes through and out within the pixel");
    }

    /// What is exactly half a pixel from the centre, both distances added, is outside: 3 + 1 and 4 + 0 eighths.
    #[test]
    fn the_edge_of_a_diamond_is_outside() {
        assert_eq!(line([15, 13], [28, 13]), [(2, 1)], "starts past the diamond");
        assert_eq!(line([4, 12], [15, 13]), [(0, 1), (1, 1)], "has left it");
        assert_eq!(line([12, 12], [16, 12]), [(1, 1)], "has left it at its corner");
        assert_eq!(line([13, 15], [13, 28]), [(1, 2)], "a steep one starts past it");
        assert_eq!(line([12, 12], [9, 11]), [(1, 1)], "has left it backwards");
    }

    #[test]
    fn a_strip_draws_its_joints_once() {
        let turns = [[13, 11], [43, 20], [60, 61], [91, 77], [100, 150], [181, 201]];
        let mut pixels: Vec<_> = turns.windows(2).flat_map(|pair| line(pair[0], pair[1])).collect();
        let count = pixels.len();
        pixels.sort();
        pixels.dedup();
        assert_eq!(pixels.len(), count);
        // All of them hang together: no step is longer than one pixel each way.
        pixels.sort_by_key(|&(x, y)| (y, x));
        for pair in pixels.windows(2) {
            assert!((pair[0].1 - pair[1].1).abs() <= 1, "{pair:?}");
        }
    }

    /// A picture drawn in bands gets the same pixels as one drawn at once.
    #[test]
    fn bands_do_not_matter() {
        let ends = [[3, 5], [250, 200], [17, 240], [128, 1], [-700, -300], [900, 511], [0, 256], [256, 0]];
        for a in ends {
            for b in ends {
                let mut whole = line(a, b);
                whole.sort();
                let mut banded = Vec::new();
                for top in (0..32).step_by(4) {
                    let scale = |end: [i32; 2]| end.map(|value| value * ONE as i32 / 8);
                    let band = Bounds { top, bottom: top + 4, ..BOUNDS };
                    Line::new([scale(a), scale(b)], HALF as i32).for_each(band, |x, y| banded.push((x, y)));
                }
                banded.sort();
                assert_eq!(whole, banded, "{a:?} {b:?}");
            }
        }
    }
}

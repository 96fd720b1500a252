//! Which triangles are drawn, side by side: the side that they show, what they may cover.

use crate::coverage::{Triangle, doubled_area, sample_offset, samples_between};
use crate::rules::{Fill, Rules, Sample, ZeroArea};
use crate::state::{Bounds, Cull, State, Winding};
use gpuzoo_simd::lanes::{Mask, any, each, mask};

/// x and y of the three corners of triangles in fixed point, in columns.
pub(crate) type Corners<const N: usize> = [[[i32; N]; 2]; 3];

/// Which triangles a draw takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Faces {
    /// Whether those whose corners go clockwise, counter-clockwise, or along a line are drawn.
    clockwise: bool,
    counter_clockwise: bool,
    without_area: bool,
    fill: Fill,
    sample: Sample,
    /// What of the target may be drawn on.
    bounds: Bounds,
}

/// What is known of triangles before they are set up, in columns.
pub(crate) struct Judged<const N: usize> {
    /// Twice the area, negative if the corners go counter-clockwise.
    pub area: [i64; N],
    /// Left, right, top and bottom of what they may cover.
    bounds: [[i32; N]; 4],
    /// Those that show a side that is drawn.
    pub shown: Mask<N>,
    /// Those whose bounds are not empty.
    pub within: Mask<N>,
    /// Those that may cover a sample.
    pub covering: Mask<N>,
}

impl<const N: usize> Judged<N> {
    pub fn bounds(&self, lane: usize) -> Bounds {
        let [left, right, top, bottom] = self.bounds.each_ref().map(|column| column[lane]);
        Bounds { left, right, top, bottom }
    }
}

impl Faces {
    pub fn new(rules: &Rules, state: &State, bounds: Bounds) -> Faces {
        let shows = |winding: Winding| match state.cull {
            Cull::None => true,
            Cull::Front => winding != state.front,
            Cull::Back => winding == state.front,
        };
        Faces {
            clockwise: shows(Winding::Clockwise),
            counter_clockwise: shows(Winding::CounterClockwise),
            without_area: rules.zero_area == ZeroArea::Unbounded,
            fill: rules.fill,
            sample: rules.sample,
            bounds,
        }
    }

    /// True if a polygon is drawn whose corners go clockwise or, if its area is negative, counter-clockwise.
    #[inline(always)]
    pub fn shows(&self, area: i64) -> bool {
        (area > 0) & self.clockwise | (area < 0) & self.counter_clockwise | (area == 0) & self.without_area
    }

    // Functions, not closures, which are not inlined where the instructions of a level are.
    #[inline(always)]
    pub fn judge<const N: usize>(&self, corners: &Corners<N>) -> Judged<N> {
        let area: [i64; N] =
            each(|lane| doubled_area([at(corners, 0, lane), at(corners, 1, lane), at(corners, 2, lane)]));
        let Bounds { left, right, top, bottom } = self.bounds;
        let [left, right] = self.between(corners, 0, &area, [left, right]);
        let [top, bottom] = self.between(corners, 1, &area, [top, bottom]);
        // Half of the triangles that are smaller than a pixel lie beside the one sample that they might cover.
        let one: Mask<N> = mask(|lane| (left[lane] + 1 == right[lane]) & (top[lane] + 1 == bottom[lane]));
        let mut covering = [!0; N];
        if any(&one) {
            let covers = self.covers(corners, &area, &left, &top);
            covering = each(|lane| covers[lane] | !one[lane]);
        }
        Judged {
            area,
            shown: mask(|lane| self.shows(area[lane])),
            within: mask(|lane| (left[lane] < right[lane]) & (top[lane] < bottom[lane])),
            covering,
            bounds: [left, right, top, bottom],
        }
    }

    /// The columns or rows among `bounds` whose samples may be covered. What has no area may be drawn over all of them.
    #[inline(always)]
    fn between<const N: usize>(
        &self,
        corners: &Corners<N>,
        axis: usize,
        area: &[i64; N],
        [first, end]: [i32; 2],
    ) -> [[i32; N]; 2] {
        let [a, b, c] = [&corners[0][axis], &corners[1][axis], &corners[2][axis]];
        let low: [i32; N] = each(|lane| a[lane].min(b[lane]).min(c[lane]));
        let high: [i32; N] = each(|lane| a[lane].max(b[lane]).max(c[lane]));
        let offset = sample_offset(self.sample);
        let flat: Mask<N> = mask(|lane| area[lane] == 0);
        [
            each(|lane| {
                let (from, _) = samples_between(low[lane], high[lane], offset);
                if flat[lane] != 0 { first } else { from.max(first) }
            }),
            each(|lane| {
                let (_, to) = samples_between(low[lane], high[lane], offset);
                if flat[lane] != 0 { end } else { to.min(end) }
            }),
        ]
    }

    /// The triangles that cover a pixel.
    #[inline(always)]
    fn covers<const N: usize>(
        &self,
        corners: &Corners<N>,
        area: &[i64; N],
        column: &[i32; N],
        row: &[i32; N],
    ) -> Mask<N> {
        mask(|lane| {
            let [a, b, c] = [at(corners, 0, lane), at(corners, 1, lane), at(corners, 2, lane)];
            let turned = area[lane] < 0;
            let second = [if turned { c[0] } else { b[0] }, if turned { c[1] } else { b[1] }];
            let third = [if turned { b[0] } else { c[0] }, if turned { b[1] } else { c[1] }];
            Triangle::new([a, second, third], self.fill, self.sample).covers(column[lane], row[lane])
        })
    }
}

/// Where a corner of a triangle is.
#[inline(always)]
fn at<const N: usize>(corners: &Corners<N>, corner: usize, lane: usize) -> [i32; 2] {
    [corners[corner][0][lane], corners[corner][1][lane]]
}

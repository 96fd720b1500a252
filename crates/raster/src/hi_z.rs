//! Hi-Z: blocks of pixels in which the depth test must refuse a triangle, found without looking at its fragments.
//!
//! For each block the least and the greatest stored depth are known as they were at some time of the draw. They stay
//! valid: a draw has one comparison, and a depth is replaced only by one that passed it. "Less" stores lesser depths
//! alone, so the greatest of then is not less than any of now, which is all that "less" requires; "greater" is the
//! mirror image, "equal" changes no depth. A fragment that is refused here would have failed the [early-Z
//! test](crate::depth::Compare::failure_lasts) as well.
//!
//! Looking at blocks costs time, so nobody does where little was hidden so far. Nothing is kept from draw to draw, since a program may write to the depths between them.

use crate::batch::Place;
use crate::bins::BAND_ROWS;
use crate::depth::Compare;
use crate::shape::Shape;
use crate::state::Bounds;
use crate::stats::Stats;
use gpuzoo_simd::lanes::{GROUP, each};

/// Rows of a block: a part of a band. Even, as are the columns, so that no quad lies in two blocks.
const ROWS: usize = 16;

/// Columns of a block. With 8 × 16 pixels draws of hidden triangles took 8 to 22 % longer, with 8 × 32 up to 7 %.
const COLUMNS: usize = GROUP;

const _: () = assert!(BAND_ROWS.is_multiple_of(ROWS) && ROWS.is_multiple_of(2) && COLUMNS.is_multiple_of(2));

/// Triangles whose bounds have fewer pixels than this are drawn untested: testing them would cost more than it saves.
const LEAST_PIXELS: i32 = 64;

/// What is known of a block.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// No stored depth is less than the first or greater than the second.
    depths: [f32; 2],
    /// Pixels that triangles may have changed since.
    seen: u32,
    /// Rescan the depths after this many block-fuls of `seen` pixels; it doubles on failure.
    patience: u32,
}

/// The stored depths of a band.
#[derive(Clone, Copy)]
pub(crate) struct Surface<'a> {
    pub depth: &'a [f32],
    /// Columns.
    pub width: usize,
    /// The first row.
    pub top: usize,
}

impl Surface<'_> {
    /// The least and the greatest depth of a block. NaN is neither: no early-Z test lets anything pass a stored NaN.
    #[inline(always)]
    fn depths(self, row: usize, column: usize) -> [f32; 2] {
        let (mut low, mut high) = ([f32::INFINITY; COLUMNS], [f32::NEG_INFINITY; COLUMNS]);
        for row in self.depth.chunks_exact(self.width).skip(row).take(ROWS) {
            let depths = match row[column..].first_chunk() {
                Some(depths) => *depths,
                None => {
                    let mut depths = [f32::NAN; COLUMNS];
                    depths.iter_mut().zip(&row[column..]).for_each(|(to, from)| *to = *from);
                    depths
                }
            };
            low = each(|lane| if depths[lane] < low[lane] { depths[lane] } else { low[lane] });
            high = each(|lane| if depths[lane] > high[lane] { depths[lane] } else { high[lane] });
        }
        // Halves against each other, which are four steps where lane after lane were sixteen.
        let mut half = COLUMNS / 2;
        while half > 0 {
            for lane in 0..half {
                let (other_low, other_high) = (low[lane + half], high[lane + half]);
                low[lane] = if other_low < low[lane] { other_low } else { low[lane] };
                high[lane] = if other_high > high[lane] { other_high } else { high[lane] };
            }
            half /= 2;
        }
        [low[0], high[0]]
    }
}

/// Cuts bounds into the rows of blocks.
pub(crate) fn rows(bounds: Bounds) -> impl Iterator<Item = Bounds> {
    let first = bounds.top & -(ROWS as i32);
    (first..bounds.bottom).step_by(ROWS).map(move |top| Bounds {
        top: top.max(bounds.top),
        bottom: (top + ROWS as i32).min(bounds.bottom),
        ..bounds
    })
}

/// What is known of a band.
#[derive(Debug, Default)]
pub(crate) struct HiZ {
    /// Row by row. There are none before the first test.
    blocks: Vec<Block>,
    /// Fragments of the draw so far, and those of them that were hidden.
    fragments: u64,
    hidden: u64,
}

/// One hidden fragment in so many is worth a look at blocks.
const RARE: u64 = 8;

impl HiZ {
    /// True if so many fragments were hidden that looking for more of them may save time. `stats` are those that are not
    /// [counted](HiZ::count) yet.
    #[inline(always)]
    pub fn pays(&self, stats: &Stats) -> bool {
        (self.hidden + stats.depth_failed) * RARE > self.fragments + stats.fragments
    }

    /// Counts fragments.
    pub fn count(&mut self, stats: &Stats) {
        self.fragments += stats.fragments;
        self.hidden += stats.depth_failed;
    }

    /// Puts the columns of `bounds`, which lie in one row of blocks, where the shape may pass the test into `visible`.
    #[inline(always)]
    pub fn visible(
        &mut self,
        surface: Surface,
        test: Compare,
        shape: &Shape,
        place: &Place,
        bounds: Bounds,
        visible: &mut Vec<(i32, i32)>,
    ) {
        visible.clear();
        let height = bounds.bottom - bounds.top;
        if (bounds.right - bounds.left) * height < LEAST_PIXELS {
            visible.push((bounds.left, bounds.right));
            return;
        }
        let across = surface.width.div_ceil(COLUMNS);
        if self.blocks.is_empty() {
            let unknown = Block { depths: [f32::NEG_INFINITY, f32::INFINITY], seen: 0, patience: 1 };
            self.blocks.resize(across * (BAND_ROWS / ROWS), unknown);
        }
        let row = (bounds.top as usize - surface.top) / ROWS;
        let samples = |first: i32, end: i32| [first, end - 1].map(|at| f64::from(at) + place.offset);
        let y = samples(bounds.top, bounds.bottom);
        // Blocks at the right and at the bottom of the target may be cut off.
        let rows = (surface.depth.len() / surface.width - row * ROWS).min(ROWS);
        let first = bounds.left as usize / COLUMNS;
        let end = (bounds.right as usize).div_ceil(COLUMNS);
        for (column, block) in (first..).zip(&mut self.blocks[row * across..][first..end]) {
            let left = ((column * COLUMNS) as i32).max(bounds.left);
            let right = (((column + 1) * COLUMNS) as i32).min(bounds.right);
            let fragments = shape.barycentric.depths_between(samples(left, right), y);
            // What is not finite may be NaN at some pixel, of which clamping makes a number.
            if fragments.iter().all(|depth| depth.is_finite()) {
                let fragments = fragments.map(|depth| place.clamp(depth as f32));
                if test.refuses_all(fragments, block.depths) {
                    continue;
                }
                let pixels = rows * (surface.width - column * COLUMNS).min(COLUMNS);
                block.seen += (height * (right - left)).unsigned_abs();
                if block.seen >= block.patience * pixels as u32 {
                    block.depths = surface.depths(row * ROWS, column * COLUMNS);
                    block.seen = 0;
                    if test.refuses_all(fragments, block.depths) {
                        block.patience = 1;
                        continue;
                    }
                    block.patience = (block.patience * 2).min(16);
                }
            }
            match visible.last_mut() {
                Some((_, end)) if *end == left => *end = right,
                _ => visible.push((left, right)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::{ONE, Triangle};
    use crate::interpolate::{Barycentric, Projected};
    use crate::rules::{Fill, Interpolation, Sample};
    use crate::shape::Coverage;

    const WIDTH: usize = 40;

    /// Over all of a band of three blocks, of which the last is cut off, with this depth.
    fn shape(depth: f64) -> Shape {
        let corner = |x, y| Projected { at: [x * ONE, y * ONE], depth, w: 1.0 };
        let corners = [corner(0, 0), corner(200, 0), corner(0, 200)];
        Shape {
            coverage: Coverage::Triangle(Triangle::new(
                corners.map(|corner| corner.at),
                Fill::TopLeft,
                Sample::Centre,
            )),
            bounds: Bounds { left: 0, right: WIDTH as i32, top: 0, bottom: 16 },
            barycentric: Barycentric::triangle(corners, Interpolation::Linear),
            varyings: 0,
            primitive: 0,
        }
    }

    fn visible(
        hi_z: &mut HiZ,
        depth: &[f32],
        test: Compare,
        fragments: f64,
        right: usize,
    ) -> Vec<(i32, i32)> {
        let place = Place { offset: 0.5, range: [0.0, 1.0] };
        let surface = Surface { depth, width: WIDTH, top: 0 };
        let mut visible = vec![(7, 7)];
        let shape = shape(fragments);
        let bounds = Bounds { right: right as i32, ..shape.bounds };
        hi_z.visible(surface, test, &shape, &place, bounds, &mut visible);
        visible
    }

    #[test]
    fn hidden_columns_are_left_out() {
        let mut depth = vec![0.5; WIDTH * 16];
        let find =
            |depth: &[f32], test, fragments| visible(&mut HiZ::default(), depth, test, fragments, WIDTH);
        assert_eq!(find(&depth, Compare::Less, 0.5), []);
        assert_eq!(find(&depth, Compare::LessEqual, 0.5), [(0, 40)]);
        assert_eq!(find(&depth, Compare::Greater, 0.25), []);
        assert_eq!(find(&depth, Compare::Equal, 0.25), []);
        assert_eq!(find(&depth, Compare::Less, f64::NAN), [(0, 40)], "clamping makes a number of it");
        // One pixel in the middle block, then one in the last.
        depth[WIDTH * 15 + 31] = 1.0;
        assert_eq!(find(&depth, Compare::Less, 0.75), [(16, 32)]);
        depth[WIDTH * 3 + 39] = 1.0;
        assert_eq!(find(&depth, Compare::Less, 0.75), [(16, 40)]);
        depth.fill(f32::NAN);
        assert_eq!(find(&depth, Compare::Less, 0.0), [], "nothing is less than NaN");
        depth.fill(f32::INFINITY);
        assert_eq!(find(&depth, Compare::Less, 1.0), [(0, 40)], "all is less than infinity");
        assert_eq!(find(&depth, Compare::GreaterEqual, 1.0), []);
        depth.fill(f32::NEG_INFINITY);
        assert_eq!(find(&depth, Compare::Greater, 0.0), [(0, 40)], "all is greater than minus infinity");
        assert_eq!(find(&depth, Compare::LessEqual, 0.0), []);
        assert_eq!(
            find(&depth, Compare::LessEqual, f64::INFINITY),
            [(0, 40)],
            "no finite range of fragments"
        );
    }

    #[test]
    fn blocks_are_rescanned_after_as_many_pixels_as_they_have() {
        let mut depth = vec![1.0; WIDTH * 16];
        let mut hi_z = HiZ::default();
        assert_eq!(visible(&mut hi_z, &depth, Compare::Less, 0.5, 4), [(0, 4)], "64 pixels are tested");
        assert_eq!(visible(&mut hi_z, &depth, Compare::Less, 0.5, 16), [(0, 16)], "rescanned in vain");
        depth.fill(0.25);
        let mut test = |right| visible(&mut hi_z, &depth, Compare::Less, 0.5, right);
        assert_eq!(test(16), [(0, 16)], "256 of 512 pixels");
        assert_eq!(test(16), []);
        assert_eq!(test(3), [(0, 3)], "48 pixels are not tested");
    }

    #[test]
    fn bounds_are_cut_into_rows_of_blocks() {
        let bounds = Bounds { left: 1, right: 9, top: 5, bottom: 40 };
        let cut: Vec<_> = rows(bounds).map(|part| (part.left, part.right, part.top, part.bottom)).collect();
        assert_eq!(cut, [(1, 9, 5, 16), (1, 9, 16, 32), (1, 9, 32, 40)]);
    }
}

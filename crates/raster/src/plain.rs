//! The two loops over fragments that take the time of most draws, compiled for each depth comparison.

use crate::depth::Visitor;
use crate::draw::Stats;
use crate::fragment::{FragmentBatch, Place, Shaded};
use crate::rules::ColorRounding;
use crate::setup::Shape;
use crate::unorm::pack;

/// Adds the pixels of a run that pass the test against the stored depths of their row.
pub(crate) struct PushKept<'a> {
    pub batch: &'a mut FragmentBatch,
    pub shape: &'a Shape,
    /// The first pixel.
    pub place: (u32, u32),
    pub count: usize,
    pub offsets: &'a Place,
    /// From the first column of the row on.
    pub stored: &'a [f32],
}

impl Visitor for PushKept<'_> {
    type Output = ();

    fn visit(self, passes: impl Fn(f32, f32) -> bool + Copy) {
        let PushKept { batch, shape, place, count, offsets, stored } = self;
        batch.push_kept(shape, place, count, offsets, |x, depth| passes(depth, stored[x as usize]));
    }
}

/// Brings a batch to the target where colours are stored as they are.
pub(crate) struct Plain<'a> {
    pub batch: &'a FragmentBatch,
    pub shaded: &'a [Shaded],
    pub color: &'a mut [[u8; 4]],
    pub depth: &'a mut [f32],
    /// The first row, and columns of a row.
    pub place: (usize, usize),
    /// Whether depths are stored.
    pub write: bool,
    pub rounding: ColorRounding,
}

impl Visitor for Plain<'_> {
    type Output = Stats;

    fn visit(self, passes: impl Fn(f32, f32) -> bool + Copy) -> Stats {
        let (top, width) = self.place;
        let batch = self.batch;
        let places = batch.x().iter().zip(batch.y()).zip(batch.depth()).zip(batch.covered());
        let mut stats = Stats::default();
        for ((((x, y), depth), covered), shaded) in places.zip(self.shaded) {
            if !covered {
                continue;
            }
            let pixel = (*y as usize - top) * width + *x as usize;
            if !passes(*depth, self.depth[pixel]) {
                stats.depth_failed += 1;
                continue;
            }
            if shaded.killed {
                stats.killed += 1;
                continue;
            }
            stats.written += 1;
            if self.write {
                self.depth[pixel] = *depth;
            }
            self.color[pixel] = pack(shaded.color, self.rounding);
        }
        stats
    }
}

//! Fragments in batches, and the stage that gives them colours.

use crate::interpolate::Point;
use crate::setup::Shape;

/// The most fragments of a batch.
pub const BATCH: usize = 256;

/// Zeros for a varying that the vertices do not have.
static ABSENT: [f32; BATCH] = [0.0; BATCH];

/// Fragments of one draw as a structure of arrays: element i of every column belongs to fragment i.
///
/// Fragments of several primitives share a batch; those of one pixel are in the order of their primitives. If the
/// stage asks for quads, each four fragments are the pixels (x, y), (x+1, y), (x, y+1), (x+1, y+1) of one primitive
/// with x and y even. Those that the primitive does not cover, or that are hidden, are there for differences alone:
/// their varyings continue those of the primitive, and their colours are dropped.
#[derive(Debug)]
pub struct FragmentBatch {
    len: usize,
    varying_count: usize,
    x: Vec<u32>,
    y: Vec<u32>,
    primitive: Vec<u32>,
    depth: Vec<f32>,
    inverse_w: Vec<f32>,
    covered: Vec<bool>,
    barycentric: [Vec<f32>; 2],
    /// [`BATCH`] elements for each component of each varying.
    varyings: Vec<f32>,
}

impl FragmentBatch {
    pub(crate) fn new(varying_count: usize) -> FragmentBatch {
        FragmentBatch {
            len: 0,
            varying_count,
            x: vec![0; BATCH],
            y: vec![0; BATCH],
            primitive: vec![0; BATCH],
            depth: vec![0.0; BATCH],
            inverse_w: vec![0.0; BATCH],
            covered: vec![false; BATCH],
            barycentric: [vec![0.0; BATCH], vec![0.0; BATCH]],
            varyings: vec![0.0; BATCH * varying_count * 4],
        }
    }

    /// The number of fragments, at most [`BATCH`].
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if there are none. A stage never gets an empty batch.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Pixel columns.
    pub fn x(&self) -> &[u32] {
        &self.x[..self.len]
    }

    /// Pixel rows, from the top.
    pub fn y(&self) -> &[u32] {
        &self.y[..self.len]
    }

    /// The numbers of the primitives in the draw, from 0.
    pub fn primitive(&self) -> &[u32] {
        &self.primitive[..self.len]
    }

    /// Depths, clamped if the machine clamps them.
    pub fn depth(&self) -> &[f32] {
        &self.depth[..self.len]
    }

    /// 1/w, linear on the screen.
    pub fn inverse_w(&self) -> &[f32] {
        &self.inverse_w[..self.len]
    }

    /// True for fragments that may reach the target.
    pub fn covered(&self) -> &[bool] {
        &self.covered[..self.len]
    }

    /// Varyings of each fragment.
    pub fn varying_count(&self) -> usize {
        self.varying_count
    }

    /// One component (0 to 3) of a varying, for all fragments; zeros if there is no such varying.
    pub fn component(&self, varying: usize, component: usize) -> &[f32] {
        if varying < self.varying_count && component < 4 {
            &self.varyings[(varying * 4 + component) * BATCH..][..self.len]
        } else {
            &ABSENT[..self.len]
        }
    }

    /// A varying of one fragment; zeros if there is no such varying or fragment.
    pub fn varying(&self, varying: usize, fragment: usize) -> [f32; 4] {
        std::array::from_fn(|component| {
            self.component(varying, component).get(fragment).copied().unwrap_or_default()
        })
    }

    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// The fragments that still fit.
    pub(crate) fn room(&self) -> usize {
        BATCH - self.len
    }

    /// Adds `count` pixels from (x, y) to the right; their varyings follow with [`FragmentBatch::interpolate`].
    #[inline]
    pub(crate) fn push_run(&mut self, shape: &Shape, x: u32, y: u32, count: usize, place: &Place) {
        let run = self.len..self.len + count;
        self.len += count;
        self.y[run.clone()].fill(y);
        self.primitive[run.clone()].fill(shape.primitive);
        self.covered[run.clone()].fill(true);
        let row = f64::from(y) + place.offset;
        let [second, third] = &mut self.barycentric;
        let columns = self.x[run.clone()].iter_mut().zip(&mut self.depth[run.clone()]);
        let columns = columns.zip(&mut self.inverse_w[run.clone()]);
        let columns = columns.zip(second[run.clone()].iter_mut().zip(&mut third[run]));
        for (column, (((out, depth), inverse_w), (second, third))) in (x..).zip(columns) {
            let point = shape.barycentric.at(f64::from(column) + place.offset, row);
            *out = column;
            *depth = place.clamp(point.depth);
            *inverse_w = point.inverse_w;
            [*second, *third] = point.barycentric;
        }
    }

    /// Adds the quad at (x, y); `mask` has a bit for each covered pixel.
    pub(crate) fn push_quad(&mut self, shape: &Shape, x: u32, y: u32, mask: u8, place: &Place) {
        let at = self.len..self.len + 4;
        self.len += 4;
        let point = |x: u32, y: u32| {
            let point = shape.barycentric.at(f64::from(x) + place.offset, f64::from(y) + place.offset);
            Point { depth: place.clamp(point.depth), ..point }
        };
        let (a, b, c, d) = (point(x, y), point(x + 1, y), point(x, y + 1), point(x + 1, y + 1));
        self.x[at.clone()].copy_from_slice(&[x, x + 1, x, x + 1]);
        self.y[at.clone()].copy_from_slice(&[y, y, y + 1, y + 1]);
        self.primitive[at.clone()].fill(shape.primitive);
        self.depth[at.clone()].copy_from_slice(&[a.depth, b.depth, c.depth, d.depth]);
        let inverse_w = [a.inverse_w, b.inverse_w, c.inverse_w, d.inverse_w];
        self.inverse_w[at.clone()].copy_from_slice(&inverse_w);
        let covered = [mask & 1 != 0, mask & 2 != 0, mask & 4 != 0, mask & 8 != 0];
        self.covered[at.clone()].copy_from_slice(&covered);
        for (i, barycentric) in self.barycentric.iter_mut().enumerate() {
            barycentric[at.clone()].copy_from_slice(&[
                a.barycentric[i],
                b.barycentric[i],
                c.barycentric[i],
                d.barycentric[i],
            ]);
        }
    }

    /// Adds those of `count` pixels from (x, y) to the right that `keep` accepts, by their column and depth. Hidden
    /// pixels cost no more than their depth.
    #[inline]
    pub(crate) fn push_kept(
        &mut self,
        shape: &Shape,
        (x, y): (u32, u32),
        count: usize,
        place: &Place,
        keep: impl Fn(u32, f32) -> bool,
    ) {
        let start = self.len;
        let run = start..start + count;
        let row = f64::from(y) + place.offset;
        for (column, depth) in (x..).zip(&mut self.depth[run.clone()]) {
            *depth = place.clamp(shape.barycentric.depth_at(f64::from(column) + place.offset, row));
        }
        let mut end = start;
        for (column, at) in (x..).zip(run) {
            let depth = self.depth[at];
            // Written in any case: an unpredictable branch costs more.
            self.x[end] = column;
            self.depth[end] = depth;
            end += usize::from(keep(column, depth));
        }
        let run = start..end;
        self.len = end;
        self.y[run.clone()].fill(y);
        self.primitive[run.clone()].fill(shape.primitive);
        self.covered[run.clone()].fill(true);
        let [second, third] = &mut self.barycentric;
        let columns = self.x[run.clone()].iter().zip(&mut self.inverse_w[run.clone()]);
        let columns = columns.zip(second[run.clone()].iter_mut().zip(&mut third[run]));
        for ((column, inverse_w), (second, third)) in columns {
            let point = shape.barycentric.at(f64::from(*column) + place.offset, row);
            *inverse_w = point.inverse_w;
            [*second, *third] = point.barycentric;
        }
    }

    /// Uncovers fragments of the last quad, and drops it if none is left.
    pub(crate) fn uncover(&mut self, mut keep: impl FnMut(u32, u32, f32) -> bool) {
        let quad = self.len - 4..self.len;
        for at in quad.clone() {
            self.covered[at] = self.covered[at] && keep(self.x[at], self.y[at], self.depth[at]);
        }
        if !self.covered[quad.clone()].contains(&true) {
            self.len = quad.start;
        }
    }

    /// Fills in the varyings of the fragments from `start`. `corners` are those of
    /// [`Shapes::varyings`](crate::setup::Shapes::varyings) that belong to their shape.
    #[inline]
    pub(crate) fn interpolate(&mut self, start: usize, corners: &[f32]) {
        let count = self.varying_count * 4;
        let (first, rest) = corners.split_at(count);
        let (second, third) = rest.split_at(count);
        let barycentric = [&self.barycentric[0][start..self.len], &self.barycentric[1][start..self.len]];
        let columns = self.varyings.chunks_exact_mut(BATCH);
        for (column, ((first, second), third)) in columns.zip(first.iter().zip(second).zip(third)) {
            let out = &mut column[start..self.len];
            for (out, (b1, b2)) in out.iter_mut().zip(barycentric[0].iter().zip(barycentric[1])) {
                *out = first + b1 * second + b2 * third;
            }
        }
    }
}

/// What places a fragment: where in a pixel its sample is, in pixels, and the range of depths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub offset: f64,
    pub range: [f32; 2],
}

impl Place {
    /// NaN becomes the lower end of the range: `max` gives the operand that is a number.
    #[inline]
    pub fn clamp(&self, depth: f32) -> f32 {
        depth.max(self.range[0]).min(self.range[1])
    }
}

/// What a stage gives for a fragment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shaded {
    /// R, G, B, A; any numbers.
    pub color: [f32; 4],
    /// Its depth; starts as the interpolated one. Read only if the stage [writes depth](FragmentStage::writes_depth).
    pub depth: f32,
    /// True if it leaves no trace.
    pub killed: bool,
    /// For views: one more than the level of the last texture read; 0 where none is known.
    pub level: u8,
}

/// Gives fragments their colours.
///
/// Batches are shaded on several threads at once, in any order, so what a stage gives must depend on the batch alone.
pub trait FragmentStage: Sync {
    /// Shades a batch. `out` has an element for each fragment, transparent black at first.
    fn shade(&self, batch: &FragmentBatch, out: &mut [Shaded]);

    /// True if fragments must come as quads; see [`FragmentBatch`].
    fn needs_quads(&self) -> bool {
        false
    }

    /// True if [`Shaded::depth`] counts.
    fn writes_depth(&self) -> bool {
        false
    }
}

/// One fragment of a batch.
#[derive(Clone, Copy, Debug)]
pub struct Fragment<'a> {
    batch: &'a FragmentBatch,
    index: usize,
}

impl Fragment<'_> {
    /// Pixel column and row.
    pub fn pixel(&self) -> [u32; 2] {
        [self.batch.x[self.index], self.batch.y[self.index]]
    }

    /// Its depth.
    pub fn depth(&self) -> f32 {
        self.batch.depth[self.index]
    }

    /// The number of its primitive in the draw.
    pub fn primitive(&self) -> u32 {
        self.batch.primitive[self.index]
    }

    /// A varying; zeros if there is no such varying.
    pub fn varying(&self, varying: usize) -> [f32; 4] {
        self.batch.varying(varying, self.index)
    }
}

/// A stage that looks at one fragment at a time: a function from it to its colour, or to nothing if it is killed.
pub struct PerFragment<F>(pub F);

impl<F: Fn(Fragment<'_>) -> Option<[f32; 4]> + Sync> FragmentStage for PerFragment<F> {
    fn shade(&self, batch: &FragmentBatch, out: &mut [Shaded]) {
        for (index, out) in out.iter_mut().enumerate() {
            match (self.0)(Fragment { batch, index }) {
                Some(color) => out.color = color,
                None => out.killed = true,
            }
        }
    }
}

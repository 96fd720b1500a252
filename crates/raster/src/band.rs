//! A band of the target: the fragments of its shapes in batches.

use crate::batch::{FragmentBatch, Group, Run};
use crate::coverage::Triangle;
use crate::draw::{Pass, Stats};
use crate::fragment::Shaded;
use crate::hi_z::{self, HiZ, Surface};
use crate::merge::Merge;
use crate::notes::{Fate, Invocation, Note, Touch};
use crate::setup::{Coverage, Shape};
use crate::state::Bounds;
use gpuzoo_simd::Work;
use gpuzoo_simd::lanes::{GROUP, each, load};

/// Rows of the target that one task owns. Even, so that no quad lies in two bands.
pub(crate) const BAND_ROWS: usize = 16;

/// Memory that a thread takes from band to band. Shapes live for `'s`.
pub(crate) struct Memory<'s> {
    pub batch: FragmentBatch<'s>,
    pub shaded: Box<Shaded>,
    /// Those of the batch that primitives cover: the others are helpers of quads.
    pub fragments: u64,
    /// Columns of the current triangle that are not known to be hidden, from left to right.
    visible: Vec<(i32, i32)>,
}

impl<'s> Memory<'s> {
    pub fn new(pass: &Pass) -> Memory<'s> {
        let batch = FragmentBatch::new(pass.level, pass.place, pass.varying_count, pass.quads);
        Memory { batch, shaded: Shaded::new(), fragments: 0, visible: Vec::new() }
    }
}

/// A band of the target, and the fragments on their way to it.
pub(crate) struct Band<'a, 's> {
    pub pass: &'a Pass<'a>,
    pub color: &'a mut [[u8; 4]],
    pub depth: &'a mut [f32],
    pub notes: Option<&'a mut [Note]>,
    pub touches: Vec<Touch>,
    /// The first row.
    pub top: usize,
    /// What is known of the stored depths.
    pub hi_z: &'a mut HiZ,
    pub memory: &'a mut Memory<'s>,
    pub stats: Stats,
}

/// What a shape covers of `bounds`.
struct Covered<'b, 'a, 's> {
    band: &'b mut Band<'a, 's>,
    shape: &'s Shape,
    varyings: &'s [f32],
    bounds: Bounds,
}

impl Work for Covered<'_, '_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Covered { band, shape, varyings, bounds } = self;
        match &shape.coverage {
            Coverage::Triangle(triangle) => band.triangle(triangle, shape, varyings, bounds),
            Coverage::Line(line) => line.for_each(
                bounds,
                #[inline(always)]
                |x, y| band.pixel(shape, varyings, x, y),
            ),
        }
    }
}

impl<'s> Band<'_, 's> {
    /// Draws what a shape covers of `bounds`, which lie in the band.
    pub fn shape(&mut self, shape: &'s Shape, varyings: &'s [f32], bounds: Bounds) {
        let level = self.pass.level;
        if self.pass.hi_z && matches!(shape.coverage, Coverage::Triangle(_)) {
            for bounds in hi_z::rows(bounds) {
                let surface = Surface { depth: self.depth, width: self.pass.width, top: self.top };
                let test = self.pass.compare;
                self.hi_z.visible(surface, test, shape, &self.pass.place, bounds, &mut self.memory.visible);
                level.run(Covered { band: self, shape, varyings, bounds });
            }
        } else {
            self.memory.visible.clear();
            self.memory.visible.push((bounds.left, bounds.right));
            level.run(Covered { band: self, shape, varyings, bounds });
        }
    }

    /// Draws one pixel of a line.
    #[inline(always)]
    fn pixel(&mut self, shape: &'s Shape, varyings: &'s [f32], x: i32, y: i32) {
        let (pixel, nothing) = ((x, x + 1), (x, x));
        self.count(y, pixel);
        match self.pass.quads {
            true if y & 1 == 0 => self.quads(shape, varyings, y, [pixel, nothing]),
            true => self.quads(shape, varyings, y - 1, [nothing, pixel]),
            false => self.run(shape, varyings, y, pixel),
        }
    }

    /// Draws what a triangle covers of `bounds` in the visible columns; in the others its fragments fail the depth
    /// test.
    #[inline(always)]
    fn triangle(&mut self, triangle: &Triangle, shape: &'s Shape, varyings: &'s [f32], bounds: Bounds) {
        let nothing = (bounds.left, bounds.left);
        let step = if self.pass.quads { 2 } else { 1 };
        let mut row = bounds.top & -step;
        let mut rows = triangle.rows(bounds.top);
        while row < bounds.bottom {
            let first = if row < bounds.top { nothing } else { rows.next(bounds) };
            let second = self.pass.quads && row + 1 < bounds.bottom;
            let spans = [first, if second { rows.next(bounds) } else { nothing }];
            self.count(row, spans[0]);
            self.count(row + 1, spans[1]);
            let mut hidden = length(spans[0]) + length(spans[1]);
            for at in 0..self.memory.visible.len() {
                let (start, end) = self.memory.visible[at];
                let seen = spans.map(|(left, right)| (left.max(start), right.min(end)));
                hidden -= length(seen[0]) + length(seen[1]);
                match self.pass.quads {
                    true => self.quads(shape, varyings, row, seen),
                    false => self.run(shape, varyings, row, seen[0]),
                }
            }
            self.stats.depth_failed += hidden;
            row += step;
        }
    }

    /// Counts the fragments of a span.
    #[inline(always)]
    fn count(&mut self, row: i32, (left, right): (i32, i32)) {
        self.stats.fragments += length((left, right));
        if let Some(notes) = &mut self.notes
            && left < right
        {
            let start = (row as usize - self.top) * self.pass.width;
            let covered = &mut notes[start + left as usize..start + right as usize];
            covered.iter_mut().for_each(|note| note.fragments += 1);
        }
    }

    /// Fragments of columns `left..right` of a row.
    #[inline(always)]
    fn run(&mut self, shape: &'s Shape, varyings: &'s [f32], y: i32, (left, right): (i32, i32)) {
        self.rows(shape, varyings, y, (left, right), [(left, right)]);
    }

    /// Quads of a pair of rows.
    #[inline(always)]
    fn quads(&mut self, shape: &'s Shape, varyings: &'s [f32], y: i32, spans: [(i32, i32); 2]) {
        let used = spans.iter().filter(|(left, right)| left < right);
        let Some(left) = used.clone().map(|span| span.0).min() else { return };
        let right = used.map(|span| span.1).max().unwrap_or(left);
        self.rows(shape, varyings, y, (left & !1, (right + 1) & !1), spans);
    }

    /// Puts columns `left..right` of one row or two into the batch, of which `spans` are covered. Groups of which nothing
    /// is covered, or nothing passes the depth test, are left out.
    #[inline(always)]
    fn rows<const ROWS: usize>(
        &mut self,
        shape: &'s Shape,
        varyings: &'s [f32],
        y: i32,
        (left, right): (i32, i32),
        spans: [(i32, i32); ROWS],
    ) {
        let Pass { place, test, early_z, .. } = *self.pass;
        let mut x = left;
        // Whether the batch's last run ends at this column.
        let mut goes_on = false;
        while x < right {
            let lanes = ((right - x) as usize).min(GROUP);
            if self.memory.batch.room() < lanes {
                self.flush();
                goes_on = false;
            }
            let columns: [f64; GROUP] = each(|lane| f64::from(x + lane as i32) + place.offset);
            let (mut fragments, mut seen) = (0, false);
            // A loop: an array's `map` is not always inlined.
            let mut groups = [Group::EMPTY; ROWS];
            for (row, group) in groups.iter_mut().enumerate() {
                let (first, end) = (spans[row].0.max(x) - x, spans[row].1.min(x + lanes as i32) - x);
                let line = shape.barycentric.row(f64::from(y + row as i32) + place.offset);
                let depth = line.depths(columns);
                group.depth = each(|lane| place.clamp(depth[lane]));
                group.covered = each(|lane| (lane as i32 >= first) & ((lane as i32) < end));
                let count = (end - first).max(0) as u64;
                fragments += count;
                if early_z && count > 0 {
                    let start = ((y as usize + row) - self.top) * self.pass.width;
                    let stored = load(self.depth, start + x as usize);
                    group.covered =
                        each(|lane| group.covered[lane] & test.passes(group.depth[lane], stored[lane]));
                }
                seen |= group.covered.iter().fold(false, |any, lane| any | lane);
                group.shares = line.shares(columns);
            }
            if early_z && self.pass.watched.is_some() && self.note_hidden(shape, &groups, spans, x, y) {
                goes_on = false;
            }
            if seen {
                if !goes_on {
                    self.memory.batch.start(x as u32, y as u32, shape, varyings);
                    goes_on = true;
                }
                self.memory.batch.push(lanes, &groups);
                self.memory.fragments += fragments;
            } else {
                self.stats.depth_failed += fragments;
                goes_on = false;
            }
            x += lanes as i32;
        }
    }

    /// Shades the batch and brings it to the target.
    #[inline(never)]
    pub fn flush(&mut self) {
        if self.memory.batch.is_empty() {
            return;
        }
        let Memory { batch, shaded, .. } = &mut *self.memory;
        batch.complete();
        shaded.reset(batch);
        self.pass.stage.shade(batch, shaded);
        self.pass.level.run(Merge(self));
        self.memory.batch.clear();
        self.memory.fragments = 0;
    }
}

/// Columns of a span: none if it ends before it starts.
#[inline(always)]
fn length((left, right): (i32, i32)) -> u64 {
    u64::from((right - left).max(0).unsigned_abs())
}

/// Notes.
impl Band<'_, '_> {
    /// Notes the watched fragment of a group, which starts at pixel (x, y), if early-Z drops it. Fragments that came before
    /// it are noted first, so the batch is flushed then; true if it was.
    fn note_hidden<const ROWS: usize>(
        &mut self,
        shape: &Shape,
        groups: &[Group; ROWS],
        spans: [(i32, i32); ROWS],
        x: i32,
        y: i32,
    ) -> bool {
        let Some((column, row)) = self.pass.watched else { return false };
        for (index, (group, (left, right))) in groups.iter().zip(spans).enumerate() {
            let lane = column.wrapping_sub(x as usize);
            let inside = row == y as usize + index && (left..right).contains(&(column as i32));
            if inside && lane < GROUP && !group.covered[lane] {
                self.flush();
                let stored = self.depth[(row - self.top) * self.pass.width + column];
                self.touches.push(Touch {
                    primitive: shape.primitive,
                    corners: [0; 3],
                    fate: Fate::Hidden(stored),
                    depth: group.depth[lane],
                    color: None,
                    invocations: Vec::new(),
                    lane: 0,
                });
                return true;
            }
        }
        false
    }

    /// Notes what became of a fragment of a run that was shaded.
    pub fn note_merged(&mut self, run: &Run, fragment: usize, fate: Fate, depth: f32) {
        let Memory { batch, shaded, .. } = &*self.memory;
        let [x, y] = [run.x + (fragment - run.first) as u32, run.y];
        let lane = if self.pass.quads { (x & 1) + (y & 1) * 2 } else { 0 };
        if let Some(notes) = &mut self.notes
            && fate == Fate::Written
        {
            let note = &mut notes[(y as usize - self.top) * self.pass.width + x as usize];
            note.written += 1;
            note.primitive = self.pass.first.saturating_add(run.shape.primitive).saturating_add(1);
            note.level = shaded.level[fragment].into();
            note.lane = if self.pass.quads { lane + 1 } else { 0 };
        }
        if self.pass.watched != Some((x as usize, y as usize)) {
            return;
        }
        let invocation = |fragment: usize| {
            let [x, y] = batch.pixel(fragment);
            Invocation {
                x,
                y,
                depth: batch.depth()[fragment],
                inverse_w: batch.inverse_w(fragment),
                varyings: (0..batch.varying_count())
                    .map(|varying| batch.varying(varying, fragment))
                    .collect(),
            }
        };
        self.touches.push(Touch {
            primitive: run.shape.primitive,
            corners: [0; 3],
            fate,
            depth,
            color: Some(shaded.color.each_ref().map(|column| column[fragment])),
            invocations: match self.pass.quads {
                true => batch.quad_of(fragment).map(invocation).to_vec(),
                false => vec![invocation(fragment)],
            },
            lane: lane as usize,
        });
    }
}

//! A band of the target: the fragments of its shapes in batches.

use crate::batch::{BATCH, FragmentBatch, Group, Run};
use crate::coverage::Triangle;
use crate::draw::{Pass, Stats};
use crate::fragment::Shaded;
use crate::hi_z::{self, HiZ, Surface};
use crate::interpolate::Row;
use crate::line::Line;
use crate::merge::{Ends, Merge};
use crate::notes::{Fate, Invocation, Note, Touch};
use crate::setup::{Coverage, Shape};
use crate::state::Bounds;
use gpuzoo_simd::Work;
use gpuzoo_simd::lanes::{GROUP, Mask, any, choose, each, mask, prefetch};

/// Rows of the target that one task owns. Even, so that no quad lies in two bands.
pub(crate) const BAND_ROWS: usize = GROUP;

/// Memory that a thread takes from band to band. Shapes live for `'s`.
pub(crate) struct Memory<'s> {
    pub batch: FragmentBatch<'s>,
    pub shaded: Box<Shaded>,
    /// Those of the batch that primitives cover: the others are helpers of quads.
    pub fragments: u64,
    /// The colours of the batch as bytes, where they do not depend on what is stored.
    pub packed: Box<[u32; BATCH]>,
    pub ends: Ends,
    /// Columns of the current triangle that are not known to be hidden, from left to right.
    visible: Vec<(i32, i32)>,
}

impl<'s> Memory<'s> {
    pub fn new(pass: &Pass) -> Memory<'s> {
        let batch = FragmentBatch::new(pass.level, pass.place, pass.varying_count, pass.quads);
        Memory {
            batch,
            shaded: Shaded::new(),
            fragments: 0,
            packed: Box::new([0; BATCH]),
            ends: Ends::default(),
            visible: Vec::new(),
        }
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

/// A group of a row on its way to the batch.
struct Lanes {
    /// b1 and b2, linear on the screen.
    linear: [[f64; GROUP]; 2],
    group: Group,
    /// The fragments that its primitive covers, hidden ones included.
    fragments: u64,
}

impl Lanes {
    const EMPTY: Lanes = Lanes { linear: [[0.0; GROUP]; 2], group: Group::EMPTY, fragments: 0 };
}

/// What a shape covers of `bounds`, in rows or, with two rows at a time, in quads.
struct Covered<'b, 'a, 's, const ROWS: usize> {
    band: &'b mut Band<'a, 's>,
    shape: &'s Shape,
    varyings: &'s [f32],
    bounds: Bounds,
}

impl<const ROWS: usize> Work for Covered<'_, '_, '_, ROWS> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Covered { band, shape, varyings, bounds } = self;
        match &shape.coverage {
            Coverage::Triangle(triangle) if band.pass.hi_z => {
                for bounds in hi_z::rows(bounds) {
                    let surface = Surface { depth: band.depth, width: band.pass.width, top: band.top };
                    let (test, place) = (band.pass.compare, &band.pass.place);
                    band.hi_z.visible(surface, test, shape, place, bounds, &mut band.memory.visible);
                    band.triangle::<ROWS>(triangle, shape, varyings, bounds);
                }
            }
            Coverage::Triangle(triangle) => {
                band.memory.visible.clear();
                band.memory.visible.push((bounds.left, bounds.right));
                band.triangle::<ROWS>(triangle, shape, varyings, bounds);
            }
            Coverage::Line(line) => band.line::<ROWS>(line, shape, varyings, bounds),
        }
    }
}

impl<'s> Band<'_, 's> {
    /// Draws what a shape covers of `bounds`, which lie in the band.
    pub fn shape(&mut self, shape: &'s Shape, varyings: &'s [f32], bounds: Bounds) {
        match self.pass.quads {
            true => self.pass.level.run(Covered::<2> { band: self, shape, varyings, bounds }),
            false => self.pass.level.run(Covered::<1> { band: self, shape, varyings, bounds }),
        }
    }

    /// Draws what a line covers of `bounds`. Pixels beside each other are drawn together.
    #[inline(always)]
    fn line<const ROWS: usize>(
        &mut self,
        line: &Line,
        shape: &'s Shape,
        varyings: &'s [f32],
        bounds: Bounds,
    ) {
        let mut last: Option<(i32, (i32, i32))> = None;
        line.for_each(
            bounds,
            #[inline(always)]
            |x, y| match &mut last {
                Some((row, (_, right))) if *row == y && *right == x => *right += 1,
                Some((row, (left, _))) if *row == y && *left == x + 1 => *left = x,
                _ => {
                    if let Some((row, span)) = last.replace((y, (x, x + 1))) {
                        self.span::<ROWS>(shape, varyings, row, span);
                    }
                }
            },
        );
        if let Some((row, span)) = last {
            self.span::<ROWS>(shape, varyings, row, span);
        }
    }

    /// Draws columns of one row.
    #[inline(always)]
    fn span<const ROWS: usize>(&mut self, shape: &'s Shape, varyings: &'s [f32], y: i32, span: (i32, i32)) {
        self.count(y, span);
        let top = y & -(ROWS as i32);
        let mut spans = [(span.0, span.0); ROWS];
        spans[(y - top) as usize] = span;
        self.rows(shape, varyings, top, spans);
    }

    /// Draws what a triangle covers of `bounds` in the visible columns; in the others its fragments fail the depth
    /// test.
    #[inline(always)]
    fn triangle<const ROWS: usize>(
        &mut self,
        triangle: &Triangle,
        shape: &'s Shape,
        varyings: &'s [f32],
        bounds: Bounds,
    ) {
        // The bounds lie in the band, so that they have no more rows.
        let [left, right] = triangle.spans(bounds);
        for top in (bounds.top & -(ROWS as i32)..bounds.bottom).step_by(ROWS) {
            let mut spans = [(bounds.left, bounds.left); ROWS];
            let mut hidden = 0;
            for (y, span) in (top..).zip(&mut spans) {
                if y >= bounds.top && y < bounds.bottom {
                    let row = (y - bounds.top) as usize % BAND_ROWS;
                    *span = (left[row], right[row]);
                    hidden += length(*span);
                    self.count(y, *span);
                }
            }
            for at in 0..self.memory.visible.len() {
                let (start, end) = self.memory.visible[at];
                let mut seen = spans;
                for span in &mut seen {
                    *span = (span.0.max(start), span.1.min(end));
                    hidden -= length(*span);
                }
                self.rows(shape, varyings, top, seen);
            }
            self.stats.depth_failed += hidden;
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

    /// Puts spans of one row or two into the batch; those of two become quads. Groups of which nothing is covered, or
    /// nothing passes the depth test, are left out.
    #[inline(always)]
    fn rows<const ROWS: usize>(
        &mut self,
        shape: &'s Shape,
        varyings: &'s [f32],
        y: i32,
        spans: [(i32, i32); ROWS],
    ) {
        let (mut left, mut right) = (i32::MAX, i32::MIN);
        for span in spans.iter().filter(|span| span.0 < span.1) {
            (left, right) = (left.min(span.0), right.max(span.1));
        }
        if ROWS == 2 && left < right {
            (left, right) = (left & !1, (right + 1) & !1);
        }
        let watched = self.pass.early_z && self.pass.watched.is_some();
        let line = |row: usize| shape.barycentric.row(f64::from(y + row as i32) + self.pass.place.offset);
        let lines = [line(0), line(ROWS - 1)];
        let mut x = left;
        // Whether the batch's last run ends at this column.
        let mut goes_on = false;
        while x < right {
            let lanes = ((right - x) as usize).min(GROUP);
            if self.memory.batch.room() < lanes {
                self.flush();
                goes_on = false;
            }
            // Both rows written out: a loop over them would keep all of their lanes in memory.
            let mut upper = self.cover(&lines[0], [x, y], lanes, spans[0]);
            let mut lower = match ROWS {
                1 => Lanes::EMPTY,
                _ => self.cover(&lines[1], [x, y + 1], lanes, spans[ROWS - 1]),
            };
            let fragments = upper.fragments + lower.fragments;
            let seen: Mask = each(|lane| upper.group.covered[lane] | lower.group.covered[lane]);
            if watched {
                let groups = [upper.group, lower.group];
                if self.note_hidden(shape, &groups[..ROWS], &spans, x, y) {
                    goes_on = false;
                }
            }
            if any(&seen) {
                if !goes_on {
                    self.memory.batch.start(x as u32, y as u32, shape, varyings);
                    goes_on = true;
                }
                upper.group.shares = lines[0].shares(&upper.linear);
                let batch = &mut self.memory.batch;
                batch.put(0, &upper.group);
                if ROWS == 2 {
                    lower.group.shares = lines[1].shares(&lower.linear);
                    batch.put(1, &lower.group);
                }
                batch.push(lanes);
                self.memory.fragments += fragments;
            } else {
                self.stats.depth_failed += fragments;
                goes_on = false;
            }
            x += lanes as i32;
        }
    }

    /// What a span covers of `lanes` columns from a pixel on and, with early-Z, passes the depth test. Depths that are settled
    /// are stored.
    #[inline(always)]
    fn cover(&mut self, line: &Row<'_>, [x, y]: [i32; 2], lanes: usize, span: (i32, i32)) -> Lanes {
        let Pass { place, test, early_z, settled, stores_depth, width, .. } = *self.pass;
        let columns: [f64; GROUP] = each(|lane| f64::from(x + lane as i32) + place.offset);
        let linear = line.linear(&columns);
        let depth = line.depths(&linear);
        let depth: [f32; GROUP] = each(|lane| place.clamp(depth[lane]));
        let (first, end) = (span.0.max(x) - x, span.1.min(x + lanes as i32) - x);
        let mut covered: Mask = mask(|lane| (lane as i32 >= first) & ((lane as i32) < end));
        let fragments = (end - first).max(0) as u64;
        // The colours are needed when the batch is full, the depths below when this row is done.
        let pixel = (y as usize - self.top) * width + x as usize;
        prefetch(self.color, pixel);
        prefetch(self.depth, pixel + 2 * width);
        if early_z && fragments > 0 {
            let stored = self.memory.ends.depth.at(self.depth, pixel);
            let before = *stored;
            let passed = test.passes(&depth, &before);
            covered = each(|lane| covered[lane] & passed[lane]);
            if settled && stores_depth {
                *stored = choose(&covered, &depth, &before);
                self.memory.ends.depth.put_back(self.depth, pixel);
            }
        }
        Lanes { linear, group: Group { depth, covered, shares: [[0.0; GROUP]; 2] }, fragments }
    }

    /// Shades the batch and brings it to the target.
    #[inline(never)]
    pub fn flush(&mut self) {
        if self.memory.batch.is_empty() {
            return;
        }
        let Memory { batch, shaded, .. } = &mut *self.memory;
        batch.complete();
        shaded.reset(batch, self.pass);
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
    #[cold]
    #[inline(never)]
    fn note_hidden(&mut self, shape: &Shape, groups: &[Group], spans: &[(i32, i32)], x: i32, y: i32) -> bool {
        let Some((column, row)) = self.pass.watched else { return false };
        for (index, (group, &(left, right))) in groups.iter().zip(spans).enumerate() {
            let lane = column.wrapping_sub(x as usize);
            let inside = row == y as usize + index && (left..right).contains(&(column as i32));
            if inside && lane < GROUP && group.covered[lane] == 0 {
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

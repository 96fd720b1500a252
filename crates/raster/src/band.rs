//! A band of the target: the fragments of its shapes in batches, depth test, blending.

use crate::coverage::Triangle;
use crate::draw::{Pass, Stats};
use crate::fragment::{FragmentBatch, Place, Shaded};
use crate::hi_z::{self, HiZ, Surface};
use crate::notes::{Fate, Invocation, Note, Touch};
use crate::plain::{Plain, PushKept};
use crate::setup::{Coverage, Shape};
use crate::state::Bounds;
use crate::unorm::pack;

/// Rows of the target that one task owns. Even, so that no quad lies in two bands.
pub(crate) const BAND_ROWS: usize = 16;

/// Memory that a thread takes from band to band.
pub(crate) struct Work {
    batch: FragmentBatch,
    shaded: Vec<Shaded>,
    /// Columns of the current triangle that are not known to be hidden, from left to right.
    visible: Vec<(i32, i32)>,
}

impl Work {
    pub fn new(varying_count: usize) -> Work {
        Work { batch: FragmentBatch::new(varying_count), shaded: Vec::new(), visible: Vec::new() }
    }
}

/// A band of the target, and the fragments on their way to it.
pub(crate) struct Band<'a> {
    pub pass: &'a Pass<'a>,
    pub color: &'a mut [[u8; 4]],
    pub depth: &'a mut [f32],
    pub notes: Option<&'a mut [Note]>,
    pub touches: Vec<Touch>,
    /// The first row.
    pub top: usize,
    /// What is known of the stored depths.
    pub hi_z: &'a mut HiZ,
    pub work: &'a mut Work,
    pub stats: Stats,
}

impl Band<'_> {
    /// Draws what a shape covers of `bounds`, which lie in the band.
    pub fn shape(&mut self, shape: &Shape, varyings: &[f32], bounds: Bounds) {
        match &shape.coverage {
            Coverage::Triangle(triangle) if self.pass.hi_z => {
                for part in hi_z::rows(bounds) {
                    let surface = Surface { depth: self.depth, width: self.pass.width, top: self.top };
                    let test = self.pass.compare();
                    self.hi_z.visible(surface, test, shape, &self.pass.place, part, &mut self.work.visible);
                    self.triangle(triangle, shape, varyings, part);
                }
            }
            Coverage::Triangle(triangle) => {
                self.work.visible.clear();
                self.work.visible.push((bounds.left, bounds.right));
                self.triangle(triangle, shape, varyings, bounds);
            }
            Coverage::Line(line) => line.for_each(bounds, |x, y| {
                self.count(y, (x, x + 1));
                match self.pass.quads {
                    true => self.quad(shape, varyings, x & !1, y & !1, 1 << ((x & 1) + (y & 1) * 2)),
                    false => self.run(shape, varyings, y, x, x + 1),
                }
            }),
        }
    }

    /// Draws what a triangle covers of `bounds` in the visible columns; in the others its fragments fail the depth
    /// test.
    fn triangle(&mut self, triangle: &Triangle, shape: &Shape, varyings: &[f32], bounds: Bounds) {
        let step = if self.pass.quads { 2 } else { 1 };
        let mut row = bounds.top & -step;
        while row < bounds.bottom {
            let span = |row| {
                let inside = (bounds.top..bounds.bottom).contains(&row);
                if inside { triangle.row(row, bounds) } else { (bounds.left, bounds.left) }
            };
            let spans = [span(row), if self.pass.quads { span(row + 1) } else { (bounds.left, bounds.left) }];
            self.count(row, spans[0]);
            self.count(row + 1, spans[1]);
            let mut hidden = length(spans[0]) + length(spans[1]);
            for at in 0..self.work.visible.len() {
                let (start, end) = self.work.visible[at];
                let seen = spans.map(|(left, right)| (left.max(start), right.min(end)));
                hidden -= length(seen[0]) + length(seen[1]);
                match self.pass.quads {
                    true => self.quads(shape, varyings, row, seen),
                    false => self.run(shape, varyings, row, seen[0].0, seen[0].1),
                }
            }
            self.stats.depth_failed += hidden;
            row += step;
        }
    }

    /// Counts the fragments of a span.
    #[inline]
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
    #[inline]
    fn run(&mut self, shape: &Shape, varyings: &[f32], row: i32, mut left: i32, right: i32) {
        while left < right {
            let count = ((right - left) as usize).min(self.work.batch.room());
            let start = self.work.batch.len();
            let place = (left as u32, row as u32);
            if self.pass.early_z {
                self.note_hidden_run(shape, place, count);
                let stored = &self.depth[(row as usize - self.top) * self.pass.width..];
                let (batch, offsets) = (&mut self.work.batch, &self.pass.place);
                let push = PushKept { batch, shape, place, count, offsets, stored };
                self.pass.compare().visit(self.pass.rules.depth.unordered, push);
                self.stats.depth_failed += (start + count - self.work.batch.len()) as u64;
            } else {
                self.work.batch.push_run(shape, place.0, place.1, count, &self.pass.place);
            }
            self.work.batch.interpolate(start, varyings);
            if self.work.batch.room() == 0 {
                self.flush();
            }
            left += count as i32;
        }
    }

    /// Quads of a pair of rows.
    fn quads(&mut self, shape: &Shape, varyings: &[f32], row: i32, spans: [(i32, i32); 2]) {
        let used = spans.iter().filter(|(left, right)| left < right);
        let Some(left) = used.clone().map(|span| span.0).min() else { return };
        let right = used.map(|span| span.1).max().unwrap_or(left);
        for x in (left & !1..right).step_by(2) {
            let bit = |i: i32| {
                let (left, right) = spans[i as usize / 2];
                u8::from((left..right).contains(&(x + i % 2))) << i
            };
            let mask = bit(0) | bit(1) | bit(2) | bit(3);
            if mask != 0 {
                self.quad(shape, varyings, x, row, mask);
            }
        }
    }

    fn quad(&mut self, shape: &Shape, varyings: &[f32], x: i32, y: i32, mask: u8) {
        let start = self.work.batch.len();
        self.work.batch.push_quad(shape, x as u32, y as u32, mask, &self.pass.place);
        if self.pass.early_z {
            if let Some((wx, wy)) = self.pass.watched
                && let Some(at) = (start..start + 4).find(|&at| {
                    let place = (self.work.batch.x()[at] as usize, self.work.batch.y()[at] as usize);
                    place == (wx, wy) && self.work.batch.covered()[at]
                })
            {
                self.note_hidden(self.work.batch.primitive()[at], (wx, wy), self.work.batch.depth()[at]);
            }
            let (depth, pass, top) = (&*self.depth, self.pass, self.top);
            self.work.batch.uncover(|x, y, fragment| {
                pass.passes(fragment, depth[(y as usize - top) * pass.width + x as usize])
            });
            let left = self.work.batch.covered()[start..].iter().filter(|&&covered| covered).count();
            self.stats.depth_failed += u64::from(mask.count_ones()) - left as u64;
        }
        self.work.batch.interpolate(start, varyings);
        if self.work.batch.room() == 0 {
            self.flush();
        }
    }

    /// Shades the batch and brings it to the target.
    pub fn flush(&mut self) {
        if self.work.batch.is_empty() {
            return;
        }
        self.work.shaded.clear();
        let blank = |&depth: &f32| Shaded { color: [0.0; 4], depth, killed: false, level: 0 };
        self.work.shaded.extend(self.work.batch.depth().iter().map(blank));
        self.pass.stage.shade(&self.work.batch, &mut self.work.shaded);
        if self.pass.is_plain(self.notes.is_some()) {
            let plain = Plain {
                batch: &self.work.batch,
                shaded: &self.work.shaded,
                color: self.color,
                depth: self.depth,
                place: (self.top, self.pass.width),
                write: self.pass.state.depth.is_some_and(|test| test.write),
                rounding: self.pass.rules.color,
            };
            self.stats += self.pass.compare().visit(self.pass.rules.depth.unordered, plain);
        } else {
            for at in 0..self.work.batch.len() {
                if self.work.batch.covered()[at] {
                    self.merge(at);
                }
            }
        }
        self.work.batch.clear();
    }

    /// Brings a fragment to the target. The early-Z test has seen the depths that were stored then; fragments of the
    /// same batch may have changed them since, so this test is the one that counts.
    #[inline]
    fn merge(&mut self, at: usize) {
        let Pass { state, rules, .. } = self.pass;
        let shaded = self.work.shaded[at];
        let pixel = (self.work.batch.y()[at] as usize - self.top) * self.pass.width
            + self.work.batch.x()[at] as usize;
        let depth = match self.pass.fixed_depth {
            true => self.work.batch.depth()[at],
            false if rules.depth.clamp => self.pass.place.clamp(shaded.depth),
            false => shaded.depth,
        };
        let passes = self.pass.passes(depth, self.depth[pixel]);
        if self.is_watched(at) {
            let fate = match (passes, shaded.killed) {
                (false, _) => Fate::Hidden(self.depth[pixel]),
                (true, true) => Fate::Killed,
                (true, false) => Fate::Written,
            };
            self.note_shaded(at, fate, depth);
        }
        if !passes {
            self.stats.depth_failed += 1;
            return;
        }
        if shaded.killed {
            self.stats.killed += 1;
            return;
        }
        self.stats.written += 1;
        if let Some(notes) = &mut self.notes {
            let note = &mut notes[pixel];
            note.written += 1;
            note.primitive =
                self.pass.first.saturating_add(self.work.batch.primitive()[at]).saturating_add(1);
            note.level = u32::from(shaded.level);
            note.lane = if self.pass.quads { at as u32 % 4 + 1 } else { 0 };
        }
        if state.depth.is_some_and(|test| test.write) {
            self.depth[pixel] = depth;
        }
        let stored = &mut self.color[pixel];
        let color = match (state.rop, self.pass.replace) {
            (Some(rop), _) => rop.apply(pack(shaded.color, rules.color), *stored),
            (None, true) => pack(shaded.color, rules.color),
            (None, false) => state.blend.apply(shaded.color, *stored, rules.color),
        };
        match state.color_mask {
            [true, true, true, true] => *stored = color,
            mask => {
                *stored = std::array::from_fn(
                    |channel| if mask[channel] { color[channel] } else { stored[channel] },
                )
            }
        }
    }
}

/// Columns of a span: none if it ends before it starts.
fn length((left, right): (i32, i32)) -> u64 {
    u64::from((right - left).max(0).unsigned_abs())
}

/// The watched pixel.
impl Band<'_> {
    fn is_watched(&self, at: usize) -> bool {
        self.pass.watched == Some((self.work.batch.x()[at] as usize, self.work.batch.y()[at] as usize))
    }

    /// Notes the watched fragment of a run if early-Z is going to drop it.
    fn note_hidden_run(&mut self, shape: &Shape, (x, y): (u32, u32), count: usize) {
        let Some(watched) = self.pass.watched else { return };
        if watched.1 == y as usize && (x as usize..x as usize + count).contains(&watched.0) {
            let Place { offset, .. } = self.pass.place;
            let depth = shape.barycentric.depth_at(watched.0 as f64 + offset, f64::from(y) + offset);
            self.note_hidden(shape.primitive, watched, self.pass.place.clamp(depth));
        }
    }

    /// Notes a fragment if early-Z drops it.
    fn note_hidden(&mut self, primitive: u32, (x, y): (usize, usize), depth: f32) {
        let stored = self.depth[(y - self.top) * self.pass.width + x];
        if !self.pass.passes(depth, stored) {
            self.touches.push(Touch {
                primitive,
                corners: [0; 3],
                fate: Fate::Hidden(stored),
                depth,
                color: None,
                invocations: Vec::new(),
                lane: 0,
            });
        }
    }

    /// Notes a fragment that was shaded.
    fn note_shaded(&mut self, at: usize, fate: Fate, depth: f32) {
        let batch = &self.work.batch;
        let first = if self.pass.quads { at & !3 } else { at };
        let side_by_side = if self.pass.quads { 4 } else { 1 };
        let invocation = |at: usize| Invocation {
            x: batch.x()[at],
            y: batch.y()[at],
            depth: batch.depth()[at],
            inverse_w: batch.inverse_w()[at],
            varyings: (0..batch.varying_count()).map(|varying| batch.varying(varying, at)).collect(),
        };
        self.touches.push(Touch {
            primitive: batch.primitive()[at],
            corners: [0; 3],
            fate,
            depth,
            color: Some(self.work.shaded[at].color),
            invocations: (first..first + side_by_side).map(invocation).collect(),
            lane: at - first,
        });
    }
}

//! The draw: set-up, bands of the target in parallel, fragments in batches, depth test, blending.

use crate::blend::Blend;
use crate::coverage::sample_offset;
use crate::depth::Compare;
use crate::fragment::{FragmentBatch, FragmentStage, Place, Shaded};
use crate::image::Target;
use crate::notes::{Fate, Invocation, Note, Touch};
use crate::plain::{Plain, PushKept};
use crate::rules::{Placement, Rules};
use crate::setup::{Coverage, Setup, Shape, Shapes, depth_range};
use crate::state::{Bounds, State};
use crate::topology::{Primitives, Vertices};
use crate::unorm::pack;
use rayon::prelude::*;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Range};

/// Rows of the target that one task owns. Even, so that no quad lies in two bands.
const BAND_ROWS: usize = 16;

/// Primitives that one task sets up.
const JOB: usize = 128;

/// Primitives that are set up before their fragments are drawn, which bounds the memory that a draw takes.
const CHUNK: usize = 4096;

/// What became of the primitives and the fragments of a draw. It is the same however many threads drew.
///
/// `primitives = invalid + outside + culled + drawn`, and `fragments = depth_failed + killed + written`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Primitives that the vertices made.
    pub primitives: u64,
    /// Dropped for a position that is not finite or has no place on the screen, or for an index that no vertex has.
    pub invalid: u64,
    /// Dropped because nothing of them is in the view volume and over the target.
    pub outside: u64,
    /// Dropped for the side that they show, or for want of area.
    pub culled: u64,
    /// Rasterized, which does not say that they cover a sample.
    pub drawn: u64,
    /// Those among the drawn that a plane cut.
    pub cut: u64,
    /// Fragments: samples that primitives cover, helpers not counted.
    pub fragments: u64,
    /// Fragments that failed the depth test. They may or may not have been shaded before.
    pub depth_failed: u64,
    /// Fragments that passed the depth test and that the stage killed.
    pub killed: u64,
    /// Fragments that reached the target.
    pub written: u64,
}

impl Add for Stats {
    type Output = Stats;

    fn add(self, other: Stats) -> Stats {
        Stats {
            primitives: self.primitives + other.primitives,
            invalid: self.invalid + other.invalid,
            outside: self.outside + other.outside,
            culled: self.culled + other.culled,
            drawn: self.drawn + other.drawn,
            cut: self.cut + other.cut,
            fragments: self.fragments + other.fragments,
            depth_failed: self.depth_failed + other.depth_failed,
            killed: self.killed + other.killed,
            written: self.written + other.written,
        }
    }
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Stats) {
        *self = *self + other;
    }
}

impl Sum for Stats {
    fn sum<I: Iterator<Item = Stats>>(iter: I) -> Stats {
        iter.fold(Stats::default(), Add::add)
    }
}

/// Draws primitives on a target.
///
/// Primitives are drawn in their order: of two that cover a pixel the later one meets what the earlier one left.
pub fn draw(
    target: &mut Target,
    rules: &Rules,
    state: &State,
    vertices: Vertices<'_>,
    primitives: Primitives<'_>,
    stage: &dyn FragmentStage,
) -> Stats {
    let bounds = drawable(target, rules, state);
    let setup = Setup::new(rules, state, vertices, bounds);
    let first = target.notes().map_or(0, |notes| notes.primitives);
    let mut pass = Pass::new(rules, state, stage, target.width() as usize, vertices.slots(), first);
    pass.watched = target.notes().and_then(|notes| {
        let at = notes.watched?;
        Some((at % pass.width, at / pass.width))
    });
    let mut touches = Vec::new();
    let count = primitives.count(vertices.len());
    let mut stats = Stats { primitives: count as u64, ..Stats::default() };
    let mut bins = vec![Vec::new(); (target.height() as usize).div_ceil(BAND_ROWS)];
    let mut jobs = Vec::new();
    for chunk in (0..count).step_by(CHUNK) {
        set_up(&setup, primitives, vertices.len(), chunk..(chunk + CHUNK).min(count), &mut jobs);
        stats += jobs.iter().map(|job| job.stats).sum();
        sort_into_bands(&jobs, &mut bins);
        stats += pass.draw(target, &jobs, &bins, &mut touches);
    }
    if let Some(notes) = target.notes_mut() {
        for touch in &mut touches {
            touch.corners = primitives.get(touch.primitive as usize, vertices.len()).unwrap_or_default();
        }
        notes.touches.append(&mut touches);
        notes.primitives = first.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
    }
    stats
}

/// The part of the target that the state lets a draw change.
fn drawable(target: &Target, rules: &Rules, state: &State) -> Bounds {
    let mut bounds = Bounds::of_target(target.width(), target.height());
    if matches!(rules.placement, Placement::Clip { .. }) {
        bounds = bounds.within(state.viewport.rect);
    }
    state.scissor.map_or(bounds, |scissor| bounds.within(scissor))
}

/// Shapes of a range of primitives, job after job. Uses the memory of the jobs that were there again.
fn set_up(
    setup: &Setup,
    primitives: Primitives,
    vertices: usize,
    range: Range<usize>,
    jobs: &mut Vec<Shapes>,
) {
    jobs.resize_with(range.len().div_ceil(JOB), Shapes::default);
    jobs.par_iter_mut().enumerate().for_each(|(job, shapes)| {
        shapes.clear();
        let start = range.start + job * JOB;
        for primitive in start..(start + JOB).min(range.end) {
            let number = u32::try_from(primitive).unwrap_or(u32::MAX);
            match primitives.get(primitive, vertices) {
                None => shapes.stats.invalid += 1,
                Some(corners) if primitives.topology.is_lines() => setup.line(corners, number, shapes),
                Some(corners) => setup.triangle(corners, number, shapes),
            }
        }
    });
}

/// Names a shape: its job and its place there.
type ShapeId = (u32, u32);

/// For each band, which shapes touch it, in order.
fn sort_into_bands(jobs: &[Shapes], bins: &mut [Vec<ShapeId>]) {
    bins.iter_mut().for_each(Vec::clear);
    for (job, shapes) in (0..).zip(jobs) {
        for (index, shape) in (0..).zip(&shapes.shapes) {
            let bands =
                shape.bounds.top as usize / BAND_ROWS..=(shape.bounds.bottom as usize - 1) / BAND_ROWS;
            bins[bands].iter_mut().for_each(|bin| bin.push((job, index)));
        }
    }
}

/// What all bands of a draw share.
struct Pass<'a> {
    rules: &'a Rules,
    state: &'a State,
    stage: &'a dyn FragmentStage,
    place: Place,
    quads: bool,
    /// True if the depth that counts is the interpolated one.
    fixed_depth: bool,
    /// True if hidden fragments can be dropped before they are shaded.
    early: bool,
    /// True if blending gives the fragment's colour. 1 S + 0 D is S exactly, so it needs no arithmetic.
    replace: bool,
    width: usize,
    slots: usize,
    /// The number that the first primitive has in notes.
    first: u32,
    /// Column and row of the pixel whose fragments are noted.
    watched: Option<(usize, usize)>,
}

impl<'a> Pass<'a> {
    fn new(
        rules: &'a Rules,
        state: &'a State,
        stage: &'a dyn FragmentStage,
        width: usize,
        slots: usize,
        first: u32,
    ) -> Pass<'a> {
        let offset = sample_offset(rules.sample) as f64 / crate::coverage::ONE as f64;
        let fixed_depth = !stage.writes_depth();
        let tells =
            |compare: Compare| compare != Compare::Always && compare.failure_lasts(rules.depth.unordered);
        Pass {
            rules,
            state,
            stage,
            place: Place { offset, range: depth_range(rules, state) },
            quads: stage.needs_quads(),
            fixed_depth,
            early: fixed_depth && state.depth.is_some_and(|test| tells(test.compare)),
            replace: state.blend == Blend::REPLACE,
            width,
            slots,
            first,
            watched: None,
        }
    }

    fn draw(
        &self,
        target: &mut Target,
        jobs: &[Shapes],
        bins: &[Vec<ShapeId>],
        touches: &mut Vec<Touch>,
    ) -> Stats {
        let (color, depth, notes) = target.planes_mut();
        let rows = self.width * BAND_ROWS;
        let notes: Vec<Option<&mut [Note]>> = match notes {
            Some(notes) => notes.chunks_mut(rows).map(Some).collect(),
            None => bins.iter().map(|_| None).collect(),
        };
        let bands = color.par_chunks_mut(rows).zip(depth.par_chunks_mut(rows)).zip(notes).zip(bins);
        let drawn = bands.enumerate().filter(|(_, (_, bin))| !bin.is_empty()).map_init(
            || (FragmentBatch::new(self.slots), Vec::new()),
            |(batch, shaded), (index, (((color, depth), notes), bin))| {
                let top = index * BAND_ROWS;
                let rows = top as i32..(top + color.len() / self.width) as i32;
                let stats = Stats::default();
                let touches = Vec::new();
                let mut band = Band { pass: self, color, depth, notes, touches, top, batch, shaded, stats };
                for &(job, index) in bin {
                    let shapes = &jobs[job as usize];
                    let shape = &shapes.shapes[index as usize];
                    let bounds = Bounds {
                        top: shape.bounds.top.max(rows.start),
                        bottom: shape.bounds.bottom.min(rows.end),
                        ..shape.bounds
                    };
                    band.shape(shape, &shapes.lanes[shape.lanes..][..self.slots * 12], bounds);
                }
                band.flush();
                (band.stats, band.touches)
            },
        );
        // Touches come from the one band that has the watched pixel, so their order is that of the fragments.
        let nothing = || (Stats::default(), Vec::new());
        let (stats, mut seen) = drawn.reduce(nothing, |(stats, mut touches), (more, mut others)| {
            touches.append(&mut others);
            (stats + more, touches)
        });
        touches.append(&mut seen);
        stats
    }

    /// The comparison of the depth test.
    fn compare(&self) -> Compare {
        self.state.depth.map_or(Compare::Always, |test| test.compare)
    }

    /// True if a fragment that passes is stored as it is, and nobody takes notes.
    fn is_plain(&self, band_notes: bool) -> bool {
        let plain = self.replace && self.state.rop.is_none() && self.state.color_mask == [true; 4];
        plain && self.fixed_depth && self.watched.is_none() && !band_notes
    }

    /// The depth test; passes if there is none.
    #[inline]
    fn passes(&self, fragment: f32, stored: f32) -> bool {
        self.state.depth.is_none_or(|test| test.compare.passes(fragment, stored, self.rules.depth.unordered))
    }
}

/// A band of the target, and the fragments on their way to it.
struct Band<'a> {
    pass: &'a Pass<'a>,
    color: &'a mut [[u8; 4]],
    depth: &'a mut [f32],
    notes: Option<&'a mut [Note]>,
    touches: Vec<Touch>,
    /// The first row.
    top: usize,
    batch: &'a mut FragmentBatch,
    shaded: &'a mut Vec<Shaded>,
    stats: Stats,
}

impl Band<'_> {
    /// Draws what a shape covers of `bounds`, which lie in the band.
    fn shape(&mut self, shape: &Shape, lanes: &[f32], bounds: Bounds) {
        match &shape.coverage {
            Coverage::Triangle(triangle) if self.pass.quads => {
                let mut row = bounds.top & !1;
                while row < bounds.bottom {
                    let span = |row| {
                        let inside = (bounds.top..bounds.bottom).contains(&row);
                        if inside { triangle.row(row, bounds) } else { (bounds.left, bounds.left) }
                    };
                    self.quads(shape, lanes, row, [span(row), span(row + 1)]);
                    row += 2;
                }
            }
            Coverage::Triangle(triangle) => {
                for row in bounds.top..bounds.bottom {
                    let (left, right) = triangle.row(row, bounds);
                    self.run(shape, lanes, row, left, right);
                }
            }
            Coverage::Line(line) if self.pass.quads => line.for_each(bounds, |x, y| {
                self.quad(shape, lanes, x & !1, y & !1, 1 << ((x & 1) + (y & 1) * 2));
            }),
            Coverage::Line(line) => line.for_each(bounds, |x, y| self.run(shape, lanes, y, x, x + 1)),
        }
    }

    /// Fragments of columns `left..right` of a row.
    #[inline]
    fn run(&mut self, shape: &Shape, lanes: &[f32], row: i32, mut left: i32, right: i32) {
        self.stats.fragments += (right - left) as u64;
        if let Some(notes) = &mut self.notes {
            let start = (row as usize - self.top) * self.pass.width;
            let covered = &mut notes[start + left as usize..start + right as usize];
            covered.iter_mut().for_each(|note| note.fragments += 1);
        }
        while left < right {
            let count = ((right - left) as usize).min(self.batch.room());
            let start = self.batch.len();
            let place = (left as u32, row as u32);
            if self.pass.early {
                self.note_hidden_run(shape, place, count);
                let stored = &self.depth[(row as usize - self.top) * self.pass.width..];
                let (batch, offsets) = (&mut *self.batch, &self.pass.place);
                let push = PushKept { batch, shape, place, count, offsets, stored };
                self.pass.compare().visit(self.pass.rules.depth.unordered, push);
                self.stats.depth_failed += (start + count - self.batch.len()) as u64;
            } else {
                self.batch.push_run(shape, place.0, place.1, count, &self.pass.place);
            }
            self.batch.interpolate(start, lanes);
            if self.batch.room() == 0 {
                self.flush();
            }
            left += count as i32;
        }
    }

    /// Quads of a pair of rows.
    fn quads(&mut self, shape: &Shape, lanes: &[f32], row: i32, spans: [(i32, i32); 2]) {
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
                self.quad(shape, lanes, x, row, mask);
            }
        }
    }

    fn quad(&mut self, shape: &Shape, lanes: &[f32], x: i32, y: i32, mask: u8) {
        let covered = u64::from(mask.count_ones());
        self.stats.fragments += covered;
        if let Some(notes) = &mut self.notes {
            for lane in (0..4).filter(|lane| mask >> lane & 1 != 0) {
                let row = (y + lane / 2) as usize - self.top;
                notes[row * self.pass.width + (x + lane % 2) as usize].fragments += 1;
            }
        }
        let start = self.batch.len();
        self.batch.push_quad(shape, x as u32, y as u32, mask, &self.pass.place);
        if self.pass.early {
            if let Some((wx, wy)) = self.pass.watched
                && let Some(at) = (start..start + 4).find(|&at| {
                    let place = (self.batch.x()[at] as usize, self.batch.y()[at] as usize);
                    place == (wx, wy) && self.batch.covered()[at]
                })
            {
                self.note_hidden(self.batch.primitive()[at], (wx, wy), self.batch.depth()[at]);
            }
            let (depth, pass, top) = (&*self.depth, self.pass, self.top);
            self.batch.uncover(|x, y, fragment| {
                pass.passes(fragment, depth[(y as usize - top) * pass.width + x as usize])
            });
            let left = self.batch.covered()[start..].iter().filter(|&&covered| covered).count();
            self.stats.depth_failed += covered - left as u64;
        }
        self.batch.interpolate(start, lanes);
        if self.batch.room() == 0 {
            self.flush();
        }
    }

    /// Shades the batch and brings it to the target.
    fn flush(&mut self) {
        if self.batch.is_empty() {
            return;
        }
        self.shaded.clear();
        let blank = |&depth: &f32| Shaded { color: [0.0; 4], depth, killed: false, level: 0 };
        self.shaded.extend(self.batch.depth().iter().map(blank));
        self.pass.stage.shade(self.batch, self.shaded);
        if self.pass.is_plain(self.notes.is_some()) {
            let plain = Plain {
                batch: self.batch,
                shaded: self.shaded,
                color: self.color,
                depth: self.depth,
                place: (self.top, self.pass.width),
                write: self.pass.state.depth.is_some_and(|test| test.write),
                rounding: self.pass.rules.color,
            };
            self.stats += self.pass.compare().visit(self.pass.rules.depth.unordered, plain);
        } else {
            for at in 0..self.batch.len() {
                if self.batch.covered()[at] {
                    self.merge(at);
                }
            }
        }
        self.batch.clear();
    }

    /// Brings a fragment to the target. The early test has seen the depths that were stored then; fragments of the
    /// same batch may have changed them since, so this test is the one that counts.
    #[inline]
    fn merge(&mut self, at: usize) {
        let Pass { state, rules, .. } = self.pass;
        let shaded = self.shaded[at];
        let pixel = (self.batch.y()[at] as usize - self.top) * self.pass.width + self.batch.x()[at] as usize;
        let depth = match self.pass.fixed_depth {
            true => self.batch.depth()[at],
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
            note.primitive = self.pass.first.saturating_add(self.batch.primitive()[at]).saturating_add(1);
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
            mask => *stored = std::array::from_fn(|lane| if mask[lane] { color[lane] } else { stored[lane] }),
        }
    }
}

/// The watched pixel.
impl Band<'_> {
    fn is_watched(&self, at: usize) -> bool {
        self.pass.watched == Some((self.batch.x()[at] as usize, self.batch.y()[at] as usize))
    }

    /// Notes the watched fragment of a run if the early test is going to drop it.
    fn note_hidden_run(&mut self, shape: &Shape, (x, y): (u32, u32), count: usize) {
        let Some(watched) = self.pass.watched else { return };
        if watched.1 == y as usize && (x as usize..x as usize + count).contains(&watched.0) {
            let Place { offset, .. } = self.pass.place;
            let depth = shape.shares.depth_at(watched.0 as f64 + offset, f64::from(y) + offset);
            self.note_hidden(shape.primitive, watched, self.pass.place.clamp(depth));
        }
    }

    /// Notes a fragment if the early test drops it.
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
        let batch = &*self.batch;
        let first = if self.pass.quads { at & !3 } else { at };
        let side_by_side = if self.pass.quads { 4 } else { 1 };
        let invocation = |at: usize| Invocation {
            x: batch.x()[at],
            y: batch.y()[at],
            depth: batch.depth()[at],
            inverse_w: batch.inverse_w()[at],
            varyings: (0..batch.slots()).map(|slot| batch.varying(slot, at)).collect(),
        };
        self.touches.push(Touch {
            primitive: batch.primitive()[at],
            corners: [0; 3],
            fate,
            depth,
            color: Some(self.shaded[at].color),
            invocations: (first..first + side_by_side).map(invocation).collect(),
            lane: at - first,
        });
    }
}

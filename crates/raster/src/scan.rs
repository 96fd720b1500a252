//! The shapes of a band, row by row: what they cover goes to batches of fragments.

use crate::band::{Band, Memory};
use crate::batch::{Group, HALF};
use crate::bins::BAND_ROWS;
use crate::coverage::Triangle;
use crate::hi_z::{self, Surface};
use crate::interpolate::Row;
use crate::line::Line;
use crate::merge::Merge;
use crate::notes::{Fate, Touch};
use crate::pass::Pass;
use crate::setup::Shapes;
use crate::shape::{Coverage, Shape};
use crate::state::Bounds;
use gpuzoo_simd::Work;
use gpuzoo_simd::lanes::{GROUP, Mask, any, choose, each, first_lanes, group_or_copy, prefetch, store};

/// Rows of fewer pixels than this are short.
const SHORT: usize = 4;

/// Rows of more pixels than this are long.
const LONG: usize = 4 * GROUP;

/// Some columns of a row on their way to the batch.
struct Lanes<const LANES: usize> {
    /// b1 and b2, linear on the screen.
    linear: [[f64; LANES]; 2],
    group: Group<LANES>,
    /// The fragments that its primitive covers, hidden ones included.
    fragments: u64,
}

impl<const LANES: usize> Lanes<LANES> {
    const EMPTY: Lanes<LANES> = Lanes { linear: [[0.0; LANES]; 2], group: Group::EMPTY, fragments: 0 };
}

/// The shapes of some jobs in a band, in rows or, with two rows at a time, in quads.
struct Draw<'b, 'a, 's, const ROWS: usize> {
    band: &'b mut Band<'a, 's>,
    jobs: &'s [Shapes],
}

impl<const ROWS: usize> Work for Draw<'_, '_, '_, ROWS> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.by::<HALF>();
    }

    #[inline(always)]
    fn run_wide(self) {
        self.by::<GROUP>();
    }
}

impl<const ROWS: usize> Draw<'_, '_, '_, ROWS> {
    #[inline(always)]
    fn by<const LANES: usize>(self) {
        let Draw { band, jobs } = self;
        let Pass { width, varying_count, .. } = *band.pass;
        let rows = band.top as i32..(band.top + band.color.len() / width) as i32;
        let within = |bounds: Bounds| Bounds {
            top: bounds.top.max(rows.start),
            bottom: bounds.bottom.min(rows.end),
            ..bounds
        };
        for job in jobs {
            let mut shapes = job.of_band(band.top / BAND_ROWS).peekable();
            while let Some(shape) = shapes.next() {
                if let Some(next) = shapes.peek() {
                    band.fetch(within(next.bounds));
                }
                let bounds = within(shape.bounds);
                let varyings = &job.varyings[shape.varyings..][..varying_count * 12];
                band.shape::<ROWS, LANES>(shape, varyings, bounds);
            }
        }
        band.flush();
        band.hi_z.count(&band.stats);
    }
}

impl<'s> Band<'_, 's> {
    /// Draws shapes of some jobs.
    pub fn draw(&mut self, jobs: &'s [Shapes]) {
        match self.pass.quads {
            false => self.pass.level.run(Draw::<1> { band: self, jobs }),
            true => self.pass.level.run(Draw::<2> { band: self, jobs }),
        }
    }

    /// Fetches what is stored in `bounds`, which will be drawn next. Of long rows the processor does that itself; short ones are
    /// near others.
    #[inline(always)]
    fn fetch(&self, bounds: Bounds) {
        let columns = (bounds.right - bounds.left) as usize;
        if !(SHORT..=LONG).contains(&columns) {
            return;
        }
        for row in bounds.top as usize..bounds.bottom as usize {
            let first = (row - self.top) * self.pass.width + bounds.left as usize;
            for pixel in (first..first + columns).step_by(GROUP) {
                prefetch(self.color, pixel);
                prefetch(self.depth, pixel);
            }
            prefetch(self.color, first + columns);
            prefetch(self.depth, first + columns);
        }
    }

    /// Draws what a shape covers of `bounds`, which lie in the band.
    #[inline(always)]
    fn shape<const ROWS: usize, const LANES: usize>(
        &mut self,
        shape: &'s Shape,
        varyings: &'s [f32],
        bounds: Bounds,
    ) {
        match &shape.coverage {
            Coverage::Triangle(triangle) => {
                for bounds in hi_z::rows(bounds) {
                    self.memory.visible.clear();
                    if self.pass.hi_z && self.hi_z.pays(&self.stats) {
                        let surface = Surface { depth: self.depth, width: self.pass.width, top: self.top };
                        let (test, place) = (self.pass.compare, &self.pass.place);
                        self.hi_z.visible(surface, test, shape, place, bounds, &mut self.memory.visible);
                    } else {
                        self.memory.visible.push((bounds.left, bounds.right));
                    }
                    self.triangle::<ROWS, LANES>(triangle, shape, varyings, bounds);
                }
            }
            Coverage::Line(line) => self.line::<ROWS, LANES>(line, shape, varyings, bounds),
        }
    }

    /// Draws what a line covers of `bounds`. Pixels beside each other are drawn together.
    #[inline(always)]
    fn line<const ROWS: usize, const LANES: usize>(
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
                // Columns come from left to right.
                Some((row, (_, right))) if *row == y && *right == x => *right += 1,
                _ => {
                    if let Some((row, span)) = last.replace((y, (x, x + 1))) {
                        self.span::<ROWS, LANES>(shape, varyings, row, span);
                    }
                }
            },
        );
        if let Some((row, span)) = last {
            self.span::<ROWS, LANES>(shape, varyings, row, span);
        }
    }

    /// Draws columns of one row.
    #[inline(always)]
    fn span<const ROWS: usize, const LANES: usize>(
        &mut self,
        shape: &'s Shape,
        varyings: &'s [f32],
        y: i32,
        span: (i32, i32),
    ) {
        self.stats.fragments += length(span);
        self.note_covered(y, span);
        let top = y & -(ROWS as i32);
        let mut spans = [(span.0, span.0); ROWS];
        spans[(y - top) as usize] = span;
        self.rows::<ROWS, LANES>(shape, varyings, top, spans);
    }

    /// Draws what a triangle covers of `bounds` in the visible columns; in the others its fragments fail the depth
    /// test.
    #[inline(always)]
    fn triangle<const ROWS: usize, const LANES: usize>(
        &mut self,
        triangle: &Triangle,
        shape: &'s Shape,
        varyings: &'s [f32],
        bounds: Bounds,
    ) {
        // The bounds lie in the band, so that they have no more rows.
        let spans = triangle.spans(bounds);
        if self.notes.is_some() {
            for (y, (left, right)) in (bounds.top..bounds.bottom).zip(spans[0].iter().zip(spans[1])) {
                self.note_covered(y, (*left, right));
            }
        }
        let covered = total(&spans);
        let mut hidden = covered;
        for at in 0..self.memory.visible.len() {
            let (start, end) = self.memory.visible[at];
            let left: [i32; BAND_ROWS] = each(|row| spans[0][row].max(start));
            let right: [i32; BAND_ROWS] = each(|row| spans[1][row].min(end));
            hidden -= total(&[left, right]);
            for top in (bounds.top & -(ROWS as i32)..bounds.bottom).step_by(ROWS) {
                let mut seen = [(bounds.left, bounds.left); ROWS];
                for (y, span) in (top..).zip(&mut seen) {
                    if ROWS == 1 || (bounds.top..bounds.bottom).contains(&y) {
                        let row = (y - bounds.top) as usize % BAND_ROWS;
                        *span = (left[row], right[row]);
                    }
                }
                self.rows::<ROWS, LANES>(shape, varyings, top, seen);
            }
        }
        self.stats.fragments += u64::from(covered);
        self.stats.depth_failed += u64::from(hidden);
    }

    /// Puts spans of one row or two into the batch; those of two become quads. Lanes of which nothing is covered, or
    /// nothing passes the depth test, are left out.
    #[inline(always)]
    fn rows<const ROWS: usize, const LANES: usize>(
        &mut self,
        shape: &'s Shape,
        varyings: &'s [f32],
        y: i32,
        spans: [(i32, i32); ROWS],
    ) {
        let (mut left, mut right) = spans[0];
        if ROWS == 2 {
            (left, right) = (i32::MAX, i32::MIN);
            for span in spans.iter().filter(|span| span.0 < span.1) {
                (left, right) = (left.min(span.0 & !1), right.max((span.1 + 1) & !1));
            }
        }
        if left >= right {
            return;
        }
        let pass = self.pass;
        let watched = pass.early_z && pass.watched.is_some();
        let line = |row: usize| shape.barycentric.row(f64::from(y + row as i32) + pass.place.offset);
        let lines = [line(0), line(ROWS - 1)];
        let start = (y as usize - self.top) * pass.width;
        // The colours are needed when the batch is full, the depths below when this row is done.
        if right - left > LONG as i32 {
            for pixel in (start + left as usize..start + right as usize).step_by(GROUP) {
                prefetch(self.color, pixel);
                prefetch(self.depth, pixel + 2 * pass.width);
            }
        }
        // A single row is covered wherever it is looked at.
        let span = |row: usize| (ROWS > 1).then(|| spans[row]);
        // Whether the batch's last run ends at this column.
        let mut goes_on = false;
        let mut x = left;
        while x < right {
            let lanes = ((right - x) as usize).min(LANES);
            if self.memory.batch.room::<ROWS>() < lanes {
                self.flush();
                goes_on = false;
            }
            let pixel = start + x as usize;
            // Both rows written out: a loop over them would keep all of their lanes in memory.
            let mut upper: Lanes<LANES> = cover(pass, &lines[0], x, lanes, span(0), self.depth, pixel);
            let mut lower: Lanes<LANES> = match ROWS {
                1 => Lanes::EMPTY,
                _ => cover(pass, &lines[1], x, lanes, span(1), self.depth, pixel + pass.width),
            };
            let fragments = upper.fragments + lower.fragments;
            let seen: Mask<LANES> = each(|lane| upper.group.covered[lane] | lower.group.covered[lane]);
            if watched {
                let groups = [upper.group, lower.group];
                if self.note_hidden(shape, &groups[..ROWS], &spans, x, y) {
                    goes_on = false;
                }
            }
            if any(&seen) {
                let batch = &mut self.memory.batch;
                if !goes_on {
                    batch.start(x as u32, y as u32, shape, varyings);
                    goes_on = true;
                }
                upper.group.shares = lines[0].shares(&upper.linear);
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
            x += LANES as i32;
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
        self.pass.reset(shaded, batch);
        self.pass.stage.shade(batch, shaded);
        self.pass.level.run(Merge(self));
        self.memory.batch.clear();
        self.memory.fragments = 0;
    }
}

impl Band<'_, '_> {
    /// Notes the watched fragment of a group, which starts at pixel (x, y), if early-Z drops it. Fragments that came before
    /// it are noted first, so the batch is flushed then; true if it was.
    #[cold]
    #[inline(never)]
    fn note_hidden<const LANES: usize>(
        &mut self,
        shape: &Shape,
        groups: &[Group<LANES>],
        spans: &[(i32, i32)],
        x: i32,
        y: i32,
    ) -> bool {
        let Some((column, row)) = self.pass.watched else { return false };
        for (index, (group, &(left, right))) in groups.iter().zip(spans).enumerate() {
            let lane = column.wrapping_sub(x as usize);
            let inside = row == y as usize + index && (left..right).contains(&(column as i32));
            if inside && lane < LANES && group.covered[lane] == 0 {
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
}

/// Coverage of `lanes` columns from x on, by a span or all of them, that passes the depth test with early-Z. Depths
/// that are settled are stored; `pixel` is where the first of them is.
#[inline(always)]
fn cover<const LANES: usize>(
    pass: &Pass<'_>,
    line: &Row<'_>,
    x: i32,
    lanes: usize,
    span: Option<(i32, i32)>,
    depths: &mut [f32],
    pixel: usize,
) -> Lanes<LANES> {
    let linear = line.linear(f64::from(x) + pass.place.offset);
    let depth = line.depths(&linear);
    let depth: [f32; LANES] = each(|lane| pass.place.clamp(depth[lane]));
    let mut covered: Mask<LANES> = *first_lanes(lanes);
    let mut fragments = lanes;
    if let Some((left, right)) = span {
        let [first, end] = [left, right].map(|column| (column - x).clamp(0, lanes as i32) as usize);
        let (before, within) = (first_lanes::<LANES>(first), first_lanes::<LANES>(end));
        covered = each(|lane| within[lane] & !before[lane]);
        fragments = end.saturating_sub(first);
    }
    if pass.early_z && fragments > 0 {
        // The planes of a band may end within these lanes.
        let mut copy = [0.0; LANES];
        let (stored, is_copy) = group_or_copy(depths, pixel, &mut copy);
        let before = *stored;
        let passed = pass.test.passes(&depth, &before);
        covered = each(|lane| covered[lane] & passed[lane]);
        if pass.settled && pass.stores_depth {
            *stored = choose(&covered, &depth, &before);
            if is_copy {
                store(depths, pixel, copy);
            }
        }
    }
    let fragments = fragments as u64;
    Lanes { linear, group: Group { depth, covered, shares: [[0.0; LANES]; 2] }, fragments }
}

/// Columns of a span: none if it ends before it starts.
#[inline(always)]
fn length((left, right): (i32, i32)) -> u64 {
    u64::from((right - left).max(0).unsigned_abs())
}

/// Columns of the spans of a band's rows.
#[inline(always)]
fn total([left, right]: &[[i32; BAND_ROWS]; 2]) -> u32 {
    let lengths: [i32; BAND_ROWS] = each(|row| (right[row] - left[row]).max(0));
    lengths.iter().sum::<i32>().unsigned_abs()
}

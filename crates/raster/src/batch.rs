//! Fragments in batches.
//!
//! A batch is a list of runs, each some columns of a row of one primitive. What every stage needs is computed as the runs
//! come (depth, barycentric coordinates, coverage); varyings are interpolated where a stage asks for them, right into its
//! own columns, so that nobody pays for those that it does not read.

use crate::shape::Shape;
use gpuzoo_simd::lanes::{GROUP, Mask, choose, each, first_lanes, group, group_mut, group_or_copy, store};
use gpuzoo_simd::{Level, Supported, Work};
use std::ops::Range;

/// The most fragments of a batch.
const MOST: usize = 256;

/// Columns that are covered at a time where vectors are not as wide as a group: rows of small triangles end sooner.
pub(crate) const HALF: usize = GROUP / 2;

/// Lanes of a batch's columns: those of the most fragments that it has, and what its last group reaches behind them.
pub const BATCH: usize = MOST + GROUP;

/// Where the lower rows of quads are while a batch is filled: behind what the last group of the upper ones reaches.
const LOWER: usize = MOST / 2 + GROUP;

/// Lanes of the columns that a batch is filled into.
const ROOM: usize = LOWER + MOST / 2 + GROUP;

const _: () = assert!((MOST / 2).is_multiple_of(2));

/// Where in a pixel its sample is, and between which ends depths are clamped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub offset: f64,
    pub range: [f32; 2],
}

impl Place {
    /// NaN becomes the lower end of the range.
    #[inline(always)]
    pub fn clamp(&self, depth: f32) -> f32 {
        let [low, high] = self.range;
        let depth = if depth >= low { depth } else { low };
        if depth > high { high } else { depth }
    }
}

/// Fragments side by side: columns of a row of one primitive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run<'a> {
    /// The first of its fragments.
    pub first: usize,
    pub x: u32,
    pub y: u32,
    pub shape: &'a Shape,
}

/// All fragments of a primitive that follow each other, whatever their rows.
#[derive(Clone, Copy, Debug)]
struct Part<'a> {
    /// The first of its fragments.
    first: usize,
    shape: &'a Shape,
    /// The components of its varyings, as in [`Shapes::varyings`](crate::setup::Shapes::varyings).
    varyings: &'a [f32],
}

impl Part<'_> {
    /// What the corners have of a varying: the first, and the differences of the others from it.
    #[inline(always)]
    fn corners_of(&self, varying: usize, varying_count: usize) -> [&[f32; 4]; 3] {
        let (corners, _) = self.varyings.as_chunks();
        [&corners[varying], &corners[varying_count + varying], &corners[2 * varying_count + varying]]
    }

    /// True if interpolating between corners gives what the first has, to the bit: differences are 0, shares finite, and
    /// the first is not -0, which a product that is 0 may change.
    #[inline(always)]
    fn is_constant(&self, [first, second, third]: [f32; 3]) -> bool {
        (second == 0.0)
            & (third == 0.0)
            & (first.to_bits() != 1 << 31)
            & !self.shape.barycentric.is_perspective()
    }
}

/// The columns that all stages need.
#[derive(Debug)]
#[repr(align(64))]
struct Columns {
    depth: [f32; ROOM],
    /// b1 and b2.
    shares: [[f32; ROOM]; 2],
    covered: Mask<ROOM>,
}

/// What some lanes of a run have in these columns.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Group<const LANES: usize> {
    pub depth: [f32; LANES],
    pub shares: [[f32; LANES]; 2],
    pub covered: Mask<LANES>,
}

impl<const LANES: usize> Group<LANES> {
    pub const EMPTY: Group<LANES> =
        Group { depth: [0.0; LANES], shares: [[0.0; LANES]; 2], covered: [0; LANES] };
}

/// Fragments of one draw.
///
/// Fragments of several primitives share a batch; those of one pixel are in the order of their primitives. Some are not
/// [covered](FragmentBatch::covered): what a stage gives for them is dropped. If the stage asks for quads, the first half
/// of the fragments are pixels of even rows, and each has the pixel below it as many fragments later as a half has; two
/// fragments of a row are beside each other, the one in the even column first.
#[derive(Debug)]
pub struct FragmentBatch<'a> {
    level: Supported,
    place: Place,
    varying_count: usize,
    quads: bool,
    /// Of quads these are the upper rows, until the batch is [complete](FragmentBatch::complete).
    len: usize,
    runs: Vec<Run<'a>>,
    parts: Vec<Part<'a>>,
    columns: Box<Columns>,
}

impl<'a> FragmentBatch<'a> {
    pub(crate) fn new(
        level: Supported,
        place: Place,
        varying_count: usize,
        quads: bool,
    ) -> FragmentBatch<'a> {
        let columns = Columns { depth: [0.0; ROOM], shares: [[0.0; ROOM]; 2], covered: [0; ROOM] };
        let (runs, parts) = (Vec::with_capacity(BATCH), Vec::with_capacity(BATCH));
        let columns = Box::new(columns);
        FragmentBatch { level, place, varying_count, quads, len: 0, runs, parts, columns }
    }

    /// The number of fragments, fewer than [`BATCH`].
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if there are none. A stage never gets an empty batch.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The instructions that the draw uses. The picture does not depend on them.
    pub fn level(&self) -> Level {
        self.level.level()
    }

    /// Depths, clamped if the machine clamps them.
    pub fn depth(&self) -> &[f32] {
        &self.columns.depth[..self.len]
    }

    /// True if a fragment may reach the target.
    ///
    /// # Panics
    /// If there is no such fragment.
    pub fn covered(&self, fragment: usize) -> bool {
        self.columns.covered[..self.len][fragment] != 0
    }

    /// Varyings of each fragment.
    pub fn varying_count(&self) -> usize {
        self.varying_count
    }

    /// Puts the components of a varying into columns, of the fragments from number `first` on; zeros if there is no such
    /// varying. A column that is not wanted is empty. What is behind the last fragment in a column stays. Columns of
    /// [`BATCH`] lanes, which have room for a group behind them, are filled fastest.
    ///
    /// # Panics
    /// If there is no fragment `first`, or columns that are not empty differ in length.
    pub fn interpolate(&self, varying: usize, first: usize, to: [&mut [f32]; 4]) {
        self.interpolate_from(varying, first, to, |_, value| value);
    }

    /// [`interpolate`](FragmentBatch::interpolate) from the first fragment on; what becomes of a component is what
    /// `combine` makes of what its column has and its value.
    pub fn interpolate_with(
        &self,
        varying: usize,
        to: [&mut [f32]; 4],
        combine: impl Fn(f32, f32) -> f32 + Copy,
    ) {
        self.interpolate_from(varying, 0, to, combine);
    }

    #[inline(always)]
    fn interpolate_from<F: Fn(f32, f32) -> f32 + Copy>(
        &self,
        varying: usize,
        first: usize,
        to: [&mut [f32]; 4],
        combine: F,
    ) {
        let [x, y, z, w] = &to;
        let room = x.len().max(y.len()).max(z.len()).max(w.len());
        assert!(first < self.len, "a fragment that the batch does not have");
        let fits = |column: &[f32]| column.len() == room || column.is_empty();
        assert!(fits(x) & fits(y) & fits(z) & fits(w), "columns of different lengths");
        let lanes = first..(first + room).min(self.len);
        if varying < self.varying_count {
            self.level.run(Interpolate { batch: self, varying, lanes, to, combine });
        } else {
            let wanted = to.into_iter().flat_map(|column| column.iter_mut().take(lanes.len()));
            wanted.for_each(|to| *to = combine(*to, 0.0));
        }
    }

    /// Column and row of a fragment's pixel.
    ///
    /// # Panics
    /// If there is no such fragment.
    pub fn pixel(&self, fragment: usize) -> [u32; 2] {
        let run = self.run_of(fragment);
        [run.x + (fragment - run.first) as u32, run.y]
    }

    /// The number of a fragment's primitive in the draw, from 0.
    ///
    /// # Panics
    /// If there is no such fragment.
    pub fn primitive(&self, fragment: usize) -> u32 {
        self.run_of(fragment).shape.primitive
    }

    /// 1/w of a fragment, linear on the screen.
    ///
    /// # Panics
    /// If there is no such fragment.
    pub fn inverse_w(&self, fragment: usize) -> f32 {
        let [x, y] = self.pixel(fragment).map(|at| f64::from(at) + self.place.offset);
        self.run_of(fragment).shape.barycentric.inverse_w_at(x, y)
    }

    /// A varying of one fragment; zeros if there is no such varying.
    ///
    /// # Panics
    /// If there is no such fragment.
    pub fn varying(&self, varying: usize, fragment: usize) -> [f32; 4] {
        let mut value = [[0.0]; 4];
        self.interpolate(varying, fragment, value.each_mut().map(|component| &mut component[..]));
        value.map(|[component]| component)
    }

    /// The fragments of a quad that a fragment is one of: (x, y), (x+1, y), (x, y+1), (x+1, y+1) with x and y even.
    ///
    /// # Panics
    /// If there is no such fragment, or the stage did not ask for quads.
    pub fn quad_of(&self, fragment: usize) -> [usize; 4] {
        assert!(self.quads && fragment < self.len, "a quad that the batch does not have");
        let half = self.len / 2;
        let first = (fragment % half) & !1;
        [first, first + 1, first + half, first + half + 1]
    }

    fn run_of(&self, fragment: usize) -> &Run<'a> {
        let next = self.runs.partition_point(|run| run.first <= fragment);
        match next.checked_sub(1).and_then(|index| self.runs.get(index)) {
            Some(run) if fragment < self.len => run,
            _ => panic!("a batch of {} has no fragment {fragment}", self.len),
        }
    }

    /// The runs, in the order in which they came.
    #[inline(always)]
    pub(crate) fn runs(&self) -> &[Run<'a>] {
        &self.runs
    }

    /// A run and its fragments.
    #[inline(always)]
    pub(crate) fn run(&self, index: usize) -> (Run<'a>, Range<usize>) {
        let end = self.runs.get(index + 1).map_or(self.len, |next| next.first);
        (self.runs[index], self.runs[index].first..end)
    }

    /// A part, and those of its fragments that are among `lanes`.
    #[inline(always)]
    fn part(&self, index: usize, lanes: &Range<usize>) -> (Part<'a>, Range<usize>) {
        let end = self.parts.get(index + 1).map_or(self.len, |next| next.first);
        let part = self.parts[index];
        (part, part.first.max(lanes.start)..end.min(lanes.end))
    }

    /// Depths and coverage of a group.
    #[inline(always)]
    pub(crate) fn group<const LANES: usize>(&self, first: usize) -> (&[f32; LANES], &Mask<LANES>) {
        (group(&self.columns.depth, first), group(&self.columns.covered, first))
    }
}

/// Filling a batch.
impl<'a> FragmentBatch<'a> {
    pub(crate) fn clear(&mut self) {
        self.len = 0;
        self.runs.clear();
        self.parts.clear();
    }

    /// The fragments of a row, or of each row of quads, that still fit.
    #[inline(always)]
    pub(crate) fn room<const ROWS: usize>(&self) -> usize {
        MOST / ROWS - self.len
    }

    /// Starts a run at a pixel, the upper one of quads.
    #[inline(always)]
    pub(crate) fn start(&mut self, x: u32, y: u32, shape: &'a Shape, varyings: &'a [f32]) {
        let first = self.len;
        self.runs.push(Run { first, x, y, shape });
        if self.parts.last().is_none_or(|part| !std::ptr::eq(part.shape, shape)) {
            self.parts.push(Part { first, shape, varyings });
        }
    }

    /// Writes lanes behind the last run, in row 0 or 1 of quads. There must be [room](Self::room).
    #[inline(always)]
    pub(crate) fn put<const LANES: usize>(&mut self, row: usize, lanes: &Group<LANES>) {
        let first = self.len + row * LOWER;
        // One check for all columns.
        assert!(first <= ROOM - LANES, "no room in the batch");
        *group_mut(&mut self.columns.depth, first) = lanes.depth;
        *group_mut(&mut self.columns.shares[0], first) = lanes.shares[0];
        *group_mut(&mut self.columns.shares[1], first) = lanes.shares[1];
        *group_mut(&mut self.columns.covered, first) = lanes.covered;
    }

    /// Makes the first `lanes` of what was written a part of the last run.
    #[inline(always)]
    pub(crate) fn push(&mut self, lanes: usize) {
        self.len += lanes;
    }

    /// To be called before the batch is shaded: brings the lower rows of quads behind the upper ones.
    pub(crate) fn complete(&mut self) {
        if !self.quads {
            return;
        }
        let (half, lower) = (self.len, LOWER..LOWER + self.len);
        let columns = &mut *self.columns;
        columns.depth.copy_within(lower.clone(), half);
        columns.shares.iter_mut().for_each(|column| column.copy_within(lower.clone(), half));
        columns.covered.copy_within(lower, half);
        for run in 0..self.runs.len() {
            let above = self.runs[run];
            self.runs.push(Run { first: above.first + half, y: above.y + 1, ..above });
        }
        for part in 0..self.parts.len() {
            let above = self.parts[part];
            self.parts.push(Part { first: above.first + half, ..above });
        }
        self.len = 2 * half;
    }
}

/// A varying of some fragments.
struct Interpolate<'b, 'a, F> {
    batch: &'b FragmentBatch<'a>,
    varying: usize,
    lanes: Range<usize>,
    to: [&'b mut [f32]; 4],
    combine: F,
}

impl<F: Fn(f32, f32) -> f32 + Copy> Work for Interpolate<'_, '_, F> {
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

/// Parts of fewer fragments than this are not worth vectors of their own.
const FEW: usize = 8;

impl<F: Fn(f32, f32) -> f32 + Copy> Interpolate<'_, '_, F> {
    #[inline(always)]
    fn by<const LANES: usize>(mut self) {
        let Interpolate { batch, ref lanes, .. } = self;
        let first = batch.parts.partition_point(|part| part.first <= lanes.start).saturating_sub(1);
        let end = batch.parts.partition_point(|part| part.first < lanes.end);
        match (end - first) * FEW > lanes.len() {
            true => self.fragment_by_fragment(first..end),
            false => self.part_by_part::<LANES>(first..end),
        }
    }

    #[inline(always)]
    fn part_by_part<const LANES: usize>(&mut self, parts: Range<usize>) {
        let Interpolate { batch, varying, ref lanes, ref mut to, combine } = *self;
        for index in parts {
            let (part, fragments) = batch.part(index, lanes);
            let shares = batch.columns.shares.each_ref().map(|column| &column[fragments.start..]);
            let first = fragments.start - lanes.start;
            let [a, b, c] = part.corners_of(varying, batch.varying_count);
            let corners = |component: usize| [a[component], b[component], c[component]];
            let [x, y, z, w] = to.each_mut().map(|column| column.get_mut(first..).unwrap_or_default());
            let count = fragments.len();
            // Usually all are wanted, or the first ones: shares are loaded once for them.
            match [&*x, &*y, &*z, &*w].map(|column| !column.is_empty()) {
                [true, true, true, true] => {
                    mix::<4, LANES>([x, y, z, w], count, shares, part, each(corners), combine);
                }
                [true, true, true, false] => {
                    mix::<3, LANES>([x, y, z], count, shares, part, each(corners), combine);
                }
                [true, true, false, false] => {
                    mix::<2, LANES>([x, y], count, shares, part, each(corners), combine);
                }
                _ => {
                    for (component, to) in
                        [x, y, z, w].into_iter().enumerate().filter(|(_, to)| !to.is_empty())
                    {
                        mix::<1, LANES>([to], count, shares, part, [corners(component)], combine);
                    }
                }
            }
        }
    }

    /// The components of a fragment side by side.
    #[inline(always)]
    fn fragment_by_fragment(&mut self, parts: Range<usize>) {
        let Interpolate { batch, varying, ref lanes, ref mut to, combine } = *self;
        let [b1, b2] = &batch.columns.shares;
        for index in parts {
            let (part, fragments) = batch.part(index, lanes);
            let [first, second, third] = part.corners_of(varying, batch.varying_count);
            for fragment in fragments {
                let shares = [b1[fragment], b2[fragment]];
                let values: [f32; 4] = each(|at| between([first[at], second[at], third[at]], shares));
                for (to, value) in to.iter_mut().zip(values) {
                    if let Some(to) = to.get_mut(fragment - lanes.start) {
                        *to = combine(*to, value);
                    }
                }
            }
        }
    }
}

/// `v0 + b1 (v1 - v0) + b2 (v2 - v0)`
#[inline(always)]
fn between([first, second, third]: [f32; 3], [b1, b2]: [f32; 2]) -> f32 {
    first + b1 * second + b2 * third
}

/// Makes of `N` components for `count` fragments of a part what `combine` makes of them and of what lies between the corners. What
/// is behind the fragments stays.
#[inline(always)]
fn mix<const N: usize, const LANES: usize>(
    to: [&mut [f32]; N],
    count: usize,
    shares: [&[f32]; 2],
    part: Part<'_>,
    corners: [[f32; 3]; N],
    combine: impl Fn(f32, f32) -> f32 + Copy,
) {
    match corners.iter().all(|corners| part.is_constant(*corners)) {
        true => mix_by::<N, LANES>(to, count, shares, corners, |old, [first, _, _], _| combine(old, first)),
        false => {
            mix_by::<N, LANES>(to, count, shares, corners, |old, corners, shares| {
                combine(old, between(corners, shares))
            });
        }
    }
}

/// The same by a function of a component, its corners and shares, some lanes at a time.
#[inline(always)]
fn mix_by<const N: usize, const LANES: usize>(
    to: [&mut [f32]; N],
    count: usize,
    [b1, b2]: [&[f32]; 2],
    corners: [[f32; 3]; N],
    mixed: impl Fn(f32, [f32; 3], [f32; 2]) -> f32 + Copy,
) {
    let whole = count / LANES;
    let to = to.map(|to| to.split_at_mut(whole * LANES));
    for at in 0..whole {
        // Columns of shares are longer than the compiler knows: the checks keep it from making vectors of lanes of several groups,
        // by gathers and scatters.
        let (b1, b2) = (group::<_, LANES>(b1, at * LANES), group::<_, LANES>(b2, at * LANES));
        for (component, corners) in corners.iter().enumerate() {
            let to = &mut to[component].0.as_chunks_mut::<LANES>().0[at];
            *to = each(|lane| mixed(to[lane], *corners, [b1[lane], b2[lane]]));
        }
    }
    let left = count % LANES;
    if left > 0 {
        let (b1, b2) = (group::<_, LANES>(b1, whole * LANES), group::<_, LANES>(b2, whole * LANES));
        for (component, corners) in corners.iter().enumerate() {
            let mut copy = [0.0; LANES];
            let (last, is_copy) = group_or_copy(to[component].1, 0, &mut copy);
            let old = *last;
            let all = each(|lane| mixed(old[lane], *corners, [b1[lane], b2[lane]]));
            *last = choose(first_lanes(left), &all, &old);
            if is_copy {
                store(to[component].1, 0, copy);
            }
        }
    }
}

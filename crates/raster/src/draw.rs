//! The draw: set-up of the primitives, and bands of the target in parallel.

use crate::band::{BAND_ROWS, Band, Memory};
use crate::batch::Place;
use crate::coverage::sample_offset;
use crate::depth::{Compare, Test};
use crate::fragment::FragmentStage;
use crate::hi_z::HiZ;
use crate::image::Target;
use crate::merge::Coloring;
use crate::notes::{Note, Touch};
use crate::places::{JOB, Places};
use crate::projection::depth_range;
use crate::rules::{Placement, Rules};
use crate::setup::{Setup, Shapes};
use crate::state::{Bounds, State};
use crate::threads;
use crate::topology::{Primitives, Vertices};
use crate::unorm::Bytes;
use gpuzoo_simd::{Level, Supported};
use std::iter::Sum;
use std::ops::{Add, AddAssign, Range};

/// Primitives that are set up before their fragments are drawn, which bounds the memory that a draw takes.
const CHUNK: usize = 16_384;

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

/// The rest of a draw would cover more pixels than it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyPixels {
    /// How many the draw has covered, and those that its next primitives would cover at most.
    pub wanted: u64,
}

impl std::fmt::Display for TooManyPixels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the draw covers {} pixels and more", self.wanted)
    }
}

impl std::error::Error for TooManyPixels {}

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
    // Nothing is more than all that can be counted.
    draw_within(Limits::default(), target, rules, state, vertices, primitives, stage).unwrap_or_default()
}

/// What a draw may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most pixels that its primitives may cover, each counted as often as it is covered. That is looked at some
    /// thousand primitives at a time, before they are drawn.
    pub pixels: u64,
    /// The instructions. The picture does not depend on them.
    pub level: Level,
}

impl Default for Limits {
    /// Any number of pixels, and the instructions that are [chosen](Level::chosen).
    fn default() -> Limits {
        Limits { pixels: u64::MAX, level: Level::chosen() }
    }
}

/// As [`draw`], within limits.
///
/// # Errors
/// [`TooManyPixels`]; the primitives before those that would be too many are drawn.
pub fn draw_within(
    limits: Limits,
    target: &mut Target,
    rules: &Rules,
    state: &State,
    vertices: Vertices<'_>,
    primitives: Primitives<'_>,
    stage: &dyn FragmentStage,
) -> Result<Stats, TooManyPixels> {
    let bounds = drawable(target, rules, state);
    let first = target.notes().map_or(0, |notes| notes.primitives);
    let level = Supported::or_portable(limits.level);
    let setup = Setup::new(level, rules, state, vertices, bounds);
    let mut pass =
        Pass::new(level, rules, state, stage, target.width() as usize, vertices.varying_count(), first);
    pass.hi_z &= target.notes().is_none();
    pass.watched = target.notes().and_then(|notes| {
        let at = notes.watched?;
        Some((at % pass.width, at / pass.width))
    });
    let mut touches = Vec::new();
    let count = primitives.count(vertices.len());
    let mut stats = Stats { primitives: count as u64, ..Stats::default() };
    let mut hi_z = Vec::new();
    hi_z.resize_with((target.height() as usize).div_ceil(BAND_ROWS), HiZ::default);
    let set_up_chunk = |start: usize, jobs: &mut Vec<Shapes>| {
        set_up(&setup, primitives, start..(start + CHUNK).min(count), jobs);
    };
    let (mut jobs, mut next) = (Vec::new(), Vec::new());
    threads::inside(|| {
        set_up_chunk(0, &mut jobs);
        for start in (0..count).step_by(CHUNK) {
            let wanted =
                jobs.iter().fold(stats.fragments, |sum, job: &Shapes| sum.saturating_add(job.most_pixels));
            if wanted > limits.pixels {
                return Err(TooManyPixels { wanted });
            }
            stats += jobs.iter().map(|job: &Shapes| job.stats).sum();
            // A chunk may lie in one band, which one thread draws: so others get on with the next chunk.
            let (drawn, ()) = threads::join(
                || pass.draw(target, &jobs, &mut hi_z, &mut touches),
                || set_up_chunk(start.saturating_add(CHUNK).min(count), &mut next),
            );
            stats += drawn;
            std::mem::swap(&mut jobs, &mut next);
        }
        Ok(())
    })?;
    if let Some(notes) = target.notes_mut() {
        for touch in &mut touches {
            let number = touch.primitive as usize + primitives.first;
            touch.primitive = u32::try_from(number).unwrap_or(u32::MAX);
            touch.corners = primitives.topology.corners(number);
        }
        notes.touches.append(&mut touches);
        notes.primitives = first.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
    }
    Ok(stats)
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
fn set_up(setup: &Setup, primitives: Primitives, range: Range<usize>, jobs: &mut Vec<Shapes>) {
    jobs.resize_with(range.len().div_ceil(JOB), Shapes::default);
    let each = |places: &mut Box<Places>, (job, shapes): (usize, &mut Shapes)| {
        shapes.clear();
        let start = range.start + job * JOB;
        setup.add(primitives, start..(start + JOB).min(range.end), places, shapes);
        shapes.sort_into_bands();
    };
    threads::map(jobs.iter_mut().enumerate().collect(), Places::new, each);
}

/// What all bands of a draw share.
#[derive(Clone, Copy)]
pub(crate) struct Pass<'a> {
    pub level: Supported,
    pub rules: &'a Rules,
    pub stage: &'a dyn FragmentStage,
    pub place: Place,
    pub quads: bool,
    /// True if the depth that counts is the interpolated one.
    pub fixed_depth: bool,
    /// True if the depth test is done and depths are stored before fragments are shaded, once and for all: the stage changes
    /// neither depth nor coverage.
    pub settled: bool,
    /// True if hidden fragments are dropped before they are shaded (early-Z).
    pub early_z: bool,
    /// True if they can be dropped a block at a time as well (Hi-Z). Notes are about each fragment, so with them they
    /// cannot.
    pub hi_z: bool,
    /// The depth test; everything passes if there is none.
    pub test: Test,
    /// The comparison in it.
    pub compare: Compare,
    /// How colours become bytes.
    pub bytes: Bytes,
    /// True if it stores the depths of what passes.
    pub stores_depth: bool,
    pub coloring: Coloring,
    /// The bits of colours that are written.
    pub color_mask: u32,
    pub width: usize,
    pub varying_count: usize,
    /// The number that the first primitive has in notes.
    pub first: u32,
    /// Column and row of the pixel whose fragments are noted.
    pub watched: Option<(usize, usize)>,
}

impl<'a> Pass<'a> {
    fn new(
        level: Supported,
        rules: &'a Rules,
        state: &State,
        stage: &'a dyn FragmentStage,
        width: usize,
        varying_count: usize,
        first: u32,
    ) -> Pass<'a> {
        let offset = sample_offset(rules.sample) as f64 / crate::coverage::ONE as f64;
        let fixed_depth = !stage.writes_depth();
        let settled = fixed_depth && !stage.kills();
        let compare = state.depth.map_or(Compare::Always, |test| test.compare);
        let failure_lasts =
            |compare: Compare| compare != Compare::Always && compare.failure_lasts(rules.depth.unordered);
        Pass {
            level,
            rules,
            stage,
            place: Place { offset, range: depth_range(rules, state) },
            quads: stage.needs_quads(),
            fixed_depth,
            settled,
            early_z: fixed_depth && state.depth.is_some_and(|test| settled || failure_lasts(test.compare)),
            hi_z: fixed_depth && failure_lasts(compare),
            test: Test::new(compare, rules.depth.unordered),
            compare,
            bytes: Bytes::new(rules.color, level.fuses()),
            stores_depth: state.depth.is_some_and(|test| test.write),
            coloring: Coloring::of(state),
            color_mask: u32::from_le_bytes(state.color_mask.map(|written| if written { 0xff } else { 0 })),
            width,
            varying_count,
            first,
            watched: None,
        }
    }

    fn draw(
        &self,
        target: &mut Target,
        jobs: &[Shapes],
        hi_z: &mut [HiZ],
        touches: &mut Vec<Touch>,
    ) -> Stats {
        let (color, depth, notes) = target.planes_mut();
        let rows = self.width * BAND_ROWS;
        let notes: Vec<Option<&mut [Note]>> = match notes {
            Some(notes) => notes.chunks_mut(rows).map(Some).collect(),
            None => hi_z.iter().map(|_| None).collect(),
        };
        let first = jobs.iter().map(|job| job.bands().start).min().unwrap_or(0);
        let end = jobs.iter().map(|job| job.bands().end).max().unwrap_or(0);
        let bands = color.chunks_mut(rows).zip(depth.chunks_mut(rows)).zip(notes).zip(hi_z);
        let drawn = threads::map(
            bands.enumerate().take(end).skip(first).collect(),
            || Memory::new(self),
            |memory, (index, (((color, depth), notes), hi_z))| {
                let top = index * BAND_ROWS;
                let (touches, stats) = (Vec::new(), Stats::default());
                let mut band = Band { pass: self, color, depth, notes, touches, top, hi_z, memory, stats };
                band.draw(jobs);
                (band.stats, band.touches)
            },
        );
        // Touches come from the one band that has the watched pixel, so their order is that of the fragments.
        let mut stats = Stats::default();
        for (more, mut seen) in drawn {
            stats += more;
            touches.append(&mut seen);
        }
        stats
    }
}

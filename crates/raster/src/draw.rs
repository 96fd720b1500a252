//! The draw: set-up of the primitives, and bands of the target in parallel.

use crate::band::{Band, Memory};
use crate::bins::BAND_ROWS;
use crate::fragment::FragmentStage;
use crate::hi_z::HiZ;
use crate::image::Target;
use crate::notes::{Note, Touch};
use crate::pass::Pass;
use crate::places::{JOB, Places};
use crate::rules::{Placement, Rules};
use crate::setup::{Setup, Shapes};
use crate::state::{Bounds, State};
use crate::stats::Stats;
use crate::threads;
use crate::topology::{Primitives, Vertices};
use gpuzoo_simd::{Level, Supported};
use std::ops::Range;

/// Primitives that are set up before their fragments are drawn, which bounds the memory that a draw takes.
const CHUNK: usize = 16_384;

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
                || draw_bands(&pass, target, &jobs, &mut hi_z, &mut touches),
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

/// Draws what jobs have on the target, several bands at a time.
fn draw_bands(
    pass: &Pass,
    target: &mut Target,
    jobs: &[Shapes],
    hi_z: &mut [HiZ],
    touches: &mut Vec<Touch>,
) -> Stats {
    let (color, depth, notes) = target.planes_mut();
    let rows = pass.width * BAND_ROWS;
    let notes: Vec<Option<&mut [Note]>> = match notes {
        Some(notes) => notes.chunks_mut(rows).map(Some).collect(),
        None => hi_z.iter().map(|_| None).collect(),
    };
    let first = jobs.iter().map(|job| job.bands().start).min().unwrap_or(0);
    let end = jobs.iter().map(|job| job.bands().end).max().unwrap_or(0);
    let bands = color.chunks_mut(rows).zip(depth.chunks_mut(rows)).zip(notes).zip(hi_z);
    let drawn = threads::map(
        bands.enumerate().take(end).skip(first).collect(),
        || Memory::new(pass),
        |memory, (index, (((color, depth), notes), hi_z))| {
            let top = index * BAND_ROWS;
            let (touches, stats) = (Vec::new(), Stats::default());
            let mut band = Band { pass, color, depth, notes, touches, top, hi_z, memory, stats };
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

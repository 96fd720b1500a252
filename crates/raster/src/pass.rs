//! A draw as all its bands share it: its stage, and the choices that its state and rules lead to.

use crate::batch::{FragmentBatch, Place};
use crate::blend::Blend;
use crate::coverage::{ONE, sample_offset};
use crate::depth::{Compare, Test};
use crate::fragment::{FragmentStage, Shaded};
use crate::projection::depth_range;
use crate::rop::Rop;
use crate::rules::Rules;
use crate::state::State;
use crate::unorm::Bytes;
use gpuzoo_simd::Supported;

/// Combination of fragments' colours with the stored ones, chosen once for a draw.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Coloring {
    /// They are stored as they are. 1 S + 0 D is S exactly, so it needs no arithmetic.
    Replace,
    Blend(Blend),
    Rop(Rop),
}

impl Coloring {
    pub fn of(state: &State) -> Coloring {
        match (state.rop, state.blend) {
            (Some(Rop::REPLACE), _) | (None, Blend::REPLACE) => Coloring::Replace,
            (Some(rop), _) => Coloring::Rop(rop),
            (None, blend) => Coloring::Blend(blend),
        }
    }
}

/// State that all bands of a draw share.
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
    /// Conversion of colours to bytes.
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
    pub fn new(
        level: Supported,
        rules: &'a Rules,
        state: &State,
        stage: &'a dyn FragmentStage,
        width: usize,
        varying_count: usize,
        first: u32,
    ) -> Pass<'a> {
        let offset = sample_offset(rules.sample) as f64 / ONE as f64;
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

    /// Resets the columns for the next batch, except those that the draw does not read.
    pub fn reset(&self, shaded: &mut Shaded, batch: &FragmentBatch) {
        let len = batch.len();
        if !self.fixed_depth {
            shaded.depth[..len].copy_from_slice(batch.depth());
        }
        if !self.settled {
            shaded.killed[..len].fill(false);
        }
        shaded.level[..len].fill(0);
    }
}

//! A band of the target, with the fragments on their way to it and the notes about them.

use crate::batch::{BATCH, FragmentBatch, Run};
use crate::fragment::Shaded;
use crate::hi_z::HiZ;
use crate::notes::{Fate, Invocation, Note, Touch};
use crate::pass::Pass;
use crate::stats::Stats;

/// Memory that a thread takes from band to band. Shapes live for `'s`.
pub(crate) struct Memory<'s> {
    pub batch: FragmentBatch<'s>,
    pub shaded: Box<Shaded>,
    /// Those of the batch that primitives cover: the others are helpers of quads.
    pub fragments: u64,
    /// The colours of the batch as bytes, where they do not depend on what is stored.
    pub packed: Box<[u32; BATCH]>,
    /// Columns of the current triangle that are not known to be hidden, from left to right.
    pub visible: Vec<(i32, i32)>,
}

impl<'s> Memory<'s> {
    pub fn new(pass: &Pass) -> Memory<'s> {
        let batch = FragmentBatch::new(pass.level, pass.place, pass.varying_count, pass.quads);
        Memory {
            batch,
            shaded: Shaded::new(),
            fragments: 0,
            packed: Box::new([0; BATCH]),
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

/// Notes.
impl Band<'_, '_> {
    /// Notes the fragments of a span.
    #[inline(always)]
    pub fn note_covered(&mut self, row: i32, (left, right): (i32, i32)) {
        if let Some(notes) = &mut self.notes
            && left < right
        {
            let start = (row as usize - self.top) * self.pass.width;
            let covered = &mut notes[start + left as usize..start + right as usize];
            covered.iter_mut().for_each(|note| note.fragments += 1);
        }
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

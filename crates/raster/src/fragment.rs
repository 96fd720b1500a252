//! The stage that gives fragments their colours.

use crate::batch::{BATCH, FragmentBatch};

/// What a stage gives for the fragments of a batch, in columns: element i of each is that of fragment i. Elements behind the
/// batch's last fragment do not count.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Shaded {
    /// R, G, B, A; any numbers. Those of all fragments are read, and at first they are what an earlier batch has left.
    pub color: [[f32; BATCH]; 4],
    /// Depths; at first the interpolated ones. Read only if the stage [writes depth](FragmentStage::writes_depth).
    pub depth: [f32; BATCH],
    /// True for fragments that leave no trace; at first none does. Read only if the stage [kills](FragmentStage::kills).
    pub killed: [bool; BATCH],
    /// For views: one more than the level of the last texture read; 0, as at first, where none is known.
    pub level: [u8; BATCH],
    /// Columns for a stage's own numbers on the way to these, so that it need not clear some for each batch. Nobody reads what
    /// it leaves; at first they are what an earlier batch has left.
    pub scratch: [[f32; BATCH]; 6],
}

impl Shaded {
    pub(crate) fn new() -> Box<Shaded> {
        Box::new(Shaded {
            color: [[0.0; BATCH]; 4],
            depth: [0.0; BATCH],
            killed: [false; BATCH],
            level: [0; BATCH],
            scratch: [[0.0; BATCH]; 6],
        })
    }

    /// Sets the colour of one fragment.
    ///
    /// # Panics
    /// If there is no such fragment.
    pub fn set_color(&mut self, fragment: usize, color: [f32; 4]) {
        self.color.iter_mut().zip(color).for_each(|(column, value)| column[fragment] = value);
    }
}

/// Gives fragments their colours.
///
/// Batches are shaded on several threads at once, in any order, so what a stage gives must depend on the batch alone.
pub trait FragmentStage: Sync {
    /// Shades a batch.
    fn shade(&self, batch: &FragmentBatch<'_>, out: &mut Shaded);

    /// False if no fragment is ever killed: then its depth can be stored before it is shaded, which is faster. Kills of
    /// such a stage do not count.
    fn kills(&self) -> bool {
        true
    }

    /// True if fragments must come as quads; see [`FragmentBatch`].
    fn needs_quads(&self) -> bool {
        false
    }

    /// True if [`Shaded::depth`] counts.
    fn writes_depth(&self) -> bool {
        false
    }
}

/// One fragment of a batch.
#[derive(Clone, Copy, Debug)]
pub struct Fragment<'a> {
    batch: &'a FragmentBatch<'a>,
    index: usize,
}

impl Fragment<'_> {
    /// Pixel column and row.
    pub fn pixel(&self) -> [u32; 2] {
        self.batch.pixel(self.index)
    }

    /// Its depth.
    pub fn depth(&self) -> f32 {
        self.batch.depth()[self.index]
    }

    /// The number of its primitive in the draw.
    pub fn primitive(&self) -> u32 {
        self.batch.primitive(self.index)
    }

    /// A varying; zeros if there is no such varying.
    pub fn varying(&self, varying: usize) -> [f32; 4] {
        self.batch.varying(varying, self.index)
    }
}

/// A stage that looks at one fragment at a time: a function from it to its colour, or to nothing if it is killed.
pub struct PerFragment<F>(pub F);

impl<F: Fn(Fragment<'_>) -> Option<[f32; 4]> + Sync> FragmentStage for PerFragment<F> {
    fn shade(&self, batch: &FragmentBatch<'_>, out: &mut Shaded) {
        for index in 0..batch.len() {
            match (self.0)(Fragment { batch, index }) {
                Some(color) => out.set_color(index, color),
                None => out.killed[index] = true,
            }
        }
    }
}

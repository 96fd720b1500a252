//! Notes of draws about each pixel besides colour and depth.

use crate::size::{SizeError, filled};

/// What happened at a pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// Fragments that covered it, written or not.
    pub fragments: u32,
    /// Those that reached the target.
    pub written: u32,
    /// One more than the number of the primitive that wrote it last; 0 if none did. Numbers go on from draw to draw.
    pub primitive: u32,
    /// One more than the number of the batch in which that fragment was shaded, for machines that have batches.
    pub batch: u32,
    /// One more than its lane in the batch or quad, for machines that have lanes.
    pub lane: u32,
    /// One more than the level of the last texture that it read, for machines that choose levels.
    pub level: u32,
}

/// What became of a fragment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fate {
    /// It reached the target.
    Written,
    /// It failed the depth test against this stored depth.
    Hidden(f32),
    /// The stage killed it.
    Killed,
}

/// One of the fragments that were shaded side by side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Invocation {
    /// Column.
    pub x: u32,
    /// Row from the top.
    pub y: u32,
    /// The interpolated depth.
    pub depth: f32,
    /// 1/w.
    pub inverse_w: f32,
    /// The varyings.
    pub varyings: Vec<[f32; 4]>,
}

/// A fragment that met the watched pixel.
#[derive(Clone, Debug, PartialEq)]
pub struct Touch {
    /// The number of its primitive in the draw.
    pub primitive: u32,
    /// The numbers of the primitive's vertices in the draw, in the order of their use: with indices, their places among
    /// those.
    pub corners: [usize; 3],
    /// What became of it.
    pub fate: Fate,
    /// The depth that was tested.
    pub depth: f32,
    /// Its colour, if it was shaded.
    pub color: Option<[f32; 4]>,
    /// The fragments that were shaded with it: itself, or the four of its quad. Empty if it was hidden before.
    pub invocations: Vec<Invocation>,
    /// Which of them it is.
    pub lane: usize,
}

/// The notes of all pixels, row by row from the top.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notes {
    /// A note for each pixel.
    pub pixels: Vec<Note>,
    /// Primitives of the draws so far: the number of the next draw's first one.
    pub primitives: u32,
    /// Batches of the draws so far.
    pub batches: u32,
    /// A pixel whose fragments are all noted, by its index in `pixels`.
    pub watched: Option<usize>,
    /// Those fragments, in their order.
    pub touches: Vec<Touch>,
}

impl Notes {
    /// Blank notes for `pixels` pixels.
    ///
    /// # Errors
    /// [`SizeError::Memory`]
    pub fn new(pixels: usize) -> Result<Notes, SizeError> {
        Ok(Notes { pixels: filled(Note::default(), pixels)?, ..Notes::default() })
    }
}

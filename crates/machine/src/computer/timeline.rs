//! What the blocks of a machine did, and when, for people to look at.

use std::ops::Range;

/// All blocks, from 0 to the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// What part of a run it is, where there are several; empty for the whole.
    pub name: &'static str,
    /// What time is counted in: `cycles`.
    pub unit: &'static str,
    /// How long it is.
    pub end: u64,
    /// The blocks, in the order of the pipeline.
    pub tracks: Vec<Track>,
    /// What the height of a track means, and what its second colour.
    pub about: &'static str,
    /// A heading for the first spans of the second kind of work, where they are to be shown enlarged, too.
    pub enlarged: Option<&'static str>,
    /// True if not all that happened is there.
    pub is_cut: bool,
}

/// A block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Track {
    /// Its name.
    pub name: &'static str,
    /// When it was busy. Spans may overlap.
    pub spans: Vec<Busy>,
}

/// A time in which a block was busy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Busy {
    /// From when to when.
    pub time: Range<u64>,
    /// How much of the block, in thousandths.
    pub share: u16,
    /// True for the second of two kinds of work.
    pub is_second: bool,
}

//! Counts of primitives and fragments, by their fate.

use std::iter::Sum;
use std::ops::{Add, AddAssign};

/// Counts of a draw's primitives and fragments. They do not depend on the number of threads.
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

//! How near `fast` is to the machine's numbers over many components.

use std::fmt;
use std::ops::AddAssign;

/// How far a number may be to be near: relative to the machine's, or to 1 where that is less.
pub const NEAR: f64 = 1.0 / 1024.0;

/// Components by how far they are away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All of them.
    pub all: usize,
    /// Those with the same bits, and NaN for NaN.
    pub same: usize,
    /// Others that are [`NEAR`], an infinity for an infinity included.
    pub near: usize,
    /// Others of which one is no number, or infinite, or so small or large that hosts differ: beyond 2^±60.
    pub special: usize,
}

impl Tally {
    /// Counts a component.
    pub fn add(&mut self, expected: u32, got: u32) {
        let (machine, host) = (f64::from(f32::from_bits(expected)), f64::from(f32::from_bits(got)));
        let is_special = |number: f64| number.is_nan() || number.abs() > 2f64.powi(60);
        self.all += 1;
        if expected == got || machine.is_nan() && host.is_nan() {
            self.same += 1;
        } else if machine == host || (machine - host).abs() <= NEAR * machine.abs().max(1.0) {
            self.near += 1;
        } else if is_special(machine) || is_special(host) {
            self.special += 1;
        }
    }

    /// Those that are neither near nor special.
    pub fn far(&self) -> usize {
        self.all - self.same - self.near - self.special
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.all += other.all;
        self.same += other.same;
        self.near += other.near;
        self.special += other.special;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Tally { all, same, near, special } = self;
        write!(f, "{all} components, {same} the same, {near} near, {special} special, {} far", self.far())
    }
}

//! What a run can be stopped by.

use crate::x16::{Bus, Observer};
use gpuzoo_65c02::Cpu;
use std::ops::RangeInclusive;

/// What a run goes on to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Until {
    /// The program counter is here: the instruction is the next one, if no interrupt comes first.
    Address(u16),
    /// A write to one of these addresses as the CPU sees them, VERA's registers included. The step that wrote is over.
    Write(RangeInclusive<u16>),
    /// A store in one of these places of video memory, whether it changed the byte or not.
    Store(RangeInclusive<u32>),
    /// The beam enters this line, 0 to 524; not if it is in it already. A greater one is never met.
    Line(u16),
    /// So many CPU cycles since power-on are over.
    Cycle(u64),
}

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// What it was to go on to has happened.
    Met,
    /// The program has ended.
    Ended,
    /// So many steps were allowed.
    Limit,
}

/// Stops a run when a condition is met.
pub(super) struct Watcher<'a> {
    until: &'a Until,
    wrote: bool,
    pub met: bool,
}

impl Watcher<'_> {
    pub fn new(until: &Until) -> Watcher<'_> {
        Watcher { until, wrote: false, met: false }
    }
}

impl Observer for Watcher<'_> {
    #[inline(always)]
    fn writes(&mut self, _: &Bus, address: u16) {
        if let Until::Write(range) = self.until {
            self.wrote |= range.contains(&address);
        }
    }

    #[inline(always)]
    fn stops(&mut self, cpu: &Cpu, bus: &mut Bus) -> bool {
        self.met = match self.until {
            Until::Address(address) => cpu.pc == *address,
            Until::Write(_) => self.wrote,
            Until::Store(range) => bus.vera.take_stores().any(|store| range.contains(&store.address)),
            // A line is a cycle for who knows where the beam is.
            Until::Line(_) => false,
            Until::Cycle(cycle) => bus.cycles >= *cycle,
        };
        self.met
    }
}

//! What a run can be stopped by.

use super::record::{self, Place};
use crate::{Bus, Observer, X16};
use gpuzoo_65c02::Cpu;
use gpuzoo_vera::{Item, Vera};
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
    /// An interrupt was entered.
    Interrupt,
    /// A picture is complete.
    Frame,
    /// A register of the CPU, or a state of VERA, has another value than before the step. Of other places it is never met.
    Change(Place),
    /// One of these, of which none is another list.
    Any(Vec<Until>),
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

impl Until {
    /// It, or what is in the list.
    pub(super) fn each(&self) -> &[Until] {
        match self {
            Until::Any(all) => all,
            one => std::slice::from_ref(one),
        }
    }

    /// What may change.
    fn value(&self, cpu: &Cpu, vera: &Vera) -> u32 {
        match self {
            Until::Change(Place::Cpu(name)) => record::register(cpu, name),
            Until::Change(Place::Vera(name)) => Item::find(name).map_or(0, |item| (item.get)(vera)),
            _ => 0,
        }
    }
}

/// Stops a run when one of some conditions is met.
pub(super) struct Watcher<'a> {
    all: &'a [Until],
    /// For each condition what may change as it was before the step, and whether the step has met it.
    values: Vec<u32>,
    wrote: Option<usize>,
    interrupted: bool,
    /// The number of the one that is met.
    pub met: Option<usize>,
}

impl Watcher<'_> {
    /// Of a machine that is about to run.
    pub fn new<'a>(all: &'a [Until], machine: &X16) -> Watcher<'a> {
        let values = all.iter().map(|one| one.value(machine.cpu(), machine.vera())).collect();
        Watcher { all, values, wrote: None, interrupted: false, met: None }
    }

    /// True if it has to do with stores.
    pub fn stores(&self) -> bool {
        self.all.iter().any(|one| matches!(one, Until::Store(_)))
    }

    #[inline(always)]
    fn holds(&mut self, number: usize, cpu: &Cpu, bus: &Bus) -> bool {
        match &self.all[number] {
            Until::Address(address) => cpu.pc == *address,
            Until::Cycle(cycle) => bus.cycles >= *cycle,
            Until::Interrupt => self.interrupted,
            Until::Write(_) => self.wrote == Some(number),
            change @ Until::Change(_) => {
                let now = change.value(cpu, &bus.vera);
                std::mem::replace(&mut self.values[number], now) != now
            }
            // Stores are looked at for all of them together, and what the beam does is a cycle.
            Until::Store(_) | Until::Line(_) | Until::Frame | Until::Any(_) => false,
        }
    }
}

impl Observer for Watcher<'_> {
    #[inline(always)]
    fn writes(&mut self, _: &Bus, address: u16) {
        let written = |one: &Until| matches!(one, Until::Write(range) if range.contains(&address));
        self.wrote = self.wrote.or_else(|| self.all.iter().position(written));
    }

    #[inline(always)]
    fn interrupted(&mut self, enters: bool) {
        self.interrupted |= enters;
    }

    #[inline(always)]
    fn stops(&mut self, cpu: &Cpu, bus: &mut Bus) -> bool {
        let mut met = None;
        for store in bus.vera.take_stores() {
            let stored = |one: &Until| matches!(one, Until::Store(range) if range.contains(&store.address));
            met = met.or_else(|| self.all.iter().position(stored));
        }
        for number in 0..self.all.len() {
            // Each sees each step, so that what changes is compared with the step before.
            let holds = self.holds(number, cpu, bus);
            met = met.or(holds.then_some(number));
        }
        (self.wrote, self.interrupted, self.met) = (None, false, met);
        met.is_some()
    }
}

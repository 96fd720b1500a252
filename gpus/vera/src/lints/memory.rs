//! RAM that is read before anything has written it. A machine that has just been switched on holds anything there, and emulators
//! often zeros: such a program works here and not there.

use super::Place;
use crate::x16::{Bus, Observer};
use std::collections::BTreeMap;

/// The end of the RAM that is always there, and the start of the banks.
const LOW_END: u16 = 0x9f00;
const KERNAL: std::ops::Range<u16> = 0x0200..0x0400;
const BANKS: std::ops::Range<u16> = 0xa000..0xc000;

/// A read of what nothing has written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Unwritten {
    pub place: Place,
    /// The first address that the instruction read so.
    pub address: u16,
    pub dcsel: u8,
    pub cycle: u64,
    pub count: u64,
}

/// Which bytes of RAM have been written.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Memory {
    /// A bit for each byte, those of the banks behind those of the addresses below them.
    written: Vec<u64>,
    /// By the address of the instruction.
    found: BTreeMap<u16, Unwritten>,
}

impl Memory {
    /// What is not zero in the machine counts as written: the program, and what a ROM has set up; and the KERNAL's own variables.
    pub(crate) fn new(bus: &Bus) -> Memory {
        let mut memory = Memory::default();
        for address in 0..LOW_END {
            if bus.peek(address) != 0 || address < 2 || KERNAL.contains(&address) {
                memory.mark(address.into());
            }
        }
        for (at, _) in bus.banks.iter().enumerate().filter(|(_, byte)| **byte != 0) {
            memory.mark(usize::from(LOW_END) + at);
        }
        memory
    }

    /// Counts bytes as written.
    pub(crate) fn loaded(&mut self, bus: &Bus, address: u16, length: u16) {
        (address..address.saturating_add(length))
            .filter_map(|at| index(bus, at))
            .for_each(|at| self.mark(at));
    }

    fn mark(&mut self, at: usize) {
        if at / 64 >= self.written.len() {
            self.written.resize(at / 64 + 1, 0);
        }
        self.written[at / 64] |= 1 << (at % 64);
    }

    pub(crate) fn found(&self) -> impl Iterator<Item = &Unwritten> {
        self.found.values()
    }
}

/// Where a byte of RAM is among the bits.
fn index(bus: &Bus, address: u16) -> Option<usize> {
    match address {
        ..LOW_END => Some(address.into()),
        _ if BANKS.contains(&address) => {
            let bank = usize::from(bus.ram_bank()) * BANKS.len();
            Some(usize::from(LOW_END) + bank + usize::from(address - BANKS.start))
        }
        _ => None,
    }
}

impl Observer for Memory {
    fn reads(&mut self, bus: &Bus, address: u16, _value: u8) {
        let Some(at) = index(bus, address) else { return };
        if self.written.get(at / 64).is_some_and(|bits| bits >> (at % 64) & 1 != 0) {
            return;
        }
        let (pc, dcsel, cycle) = (bus.pc, bus.vera.dcsel, bus.cycles);
        let bytes = [0, 1, 2].map(|offset| bus.peek(pc.wrapping_add(offset)));
        let place = Place { pc, bytes };
        let found = self.found.entry(pc).or_insert(Unwritten { place, address, dcsel, cycle, count: 0 });
        found.count += 1;
    }

    fn writes(&mut self, bus: &Bus, address: u16) {
        if let Some(at) = index(bus, address) {
            self.mark(at);
        }
    }
}

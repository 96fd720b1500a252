//! Who watches what the CPU does, access by access and step by step.
//!
//! An observer stands between CPU and bus while a run goes on; the run is compiled for it, so that one without an
//! observer pays nothing.

use crate::board::bus::Bus;
use gpuzoo_65c02::Cpu;

/// Sees a run. All that it does not ask for costs nothing.
pub(crate) trait Observer {
    /// Whether it wants to know what stand-ins for a ROM write, and that a step is over with what they do.
    #[inline(always)]
    fn watches(&self) -> bool {
        true
    }

    /// A read whose value the CPU uses, opcodes left out.
    #[inline(always)]
    fn reads(&mut self, _bus: &Bus, _address: u16, _value: u8) {}

    /// A write that is about to happen.
    #[inline(always)]
    fn writes(&mut self, _bus: &Bus, _address: u16) {}

    /// A stand-in for a ROM has written to memory or to a register of VERA, where this was before.
    #[inline(always)]
    fn poked(&mut self, bus: &Bus, address: u16, _before: u8) {
        self.writes(bus, address);
    }

    /// An interrupt comes; `enters` is false if the CPU goes on without it.
    #[inline(always)]
    fn interrupted(&mut self, _enters: bool) {}

    /// Called after each step; true ends the run.
    #[inline(always)]
    fn stops(&mut self, _cpu: &Cpu, _bus: &mut Bus) -> bool {
        false
    }
}

/// Nobody.
impl Observer for () {
    #[inline(always)]
    fn watches(&self) -> bool {
        false
    }
}

/// Stops a run after a number of steps. Where it stops, the step is over, so that it watches whatever its observer does.
pub(super) struct Counted<'a, O: ?Sized> {
    pub left: u64,
    pub observer: &'a mut O,
    /// The observer wanted it.
    pub stopped: bool,
}

impl<O: Observer + ?Sized> Observer for Counted<'_, O> {
    #[inline(always)]
    fn reads(&mut self, bus: &Bus, address: u16, value: u8) {
        self.observer.reads(bus, address, value);
    }

    #[inline(always)]
    fn writes(&mut self, bus: &Bus, address: u16) {
        self.observer.writes(bus, address);
    }

    #[inline(always)]
    fn poked(&mut self, bus: &Bus, address: u16, before: u8) {
        self.observer.poked(bus, address, before);
    }

    #[inline(always)]
    fn interrupted(&mut self, enters: bool) {
        self.observer.interrupted(enters);
    }

    #[inline(always)]
    fn stops(&mut self, cpu: &Cpu, bus: &mut Bus) -> bool {
        self.left -= 1;
        self.stopped = self.observer.stops(cpu, bus);
        self.stopped || self.left == 0
    }
}

/// A bus that is watched.
pub(super) struct Observed<'a, O: ?Sized> {
    pub bus: &'a mut Bus,
    pub observer: &'a mut O,
}

impl<O: Observer + ?Sized> gpuzoo_65c02::Bus for Observed<'_, O> {
    #[inline(always)]
    fn read(&mut self, address: u16) -> u8 {
        let value = self.bus.read(address);
        self.observer.reads(self.bus, address, value);
        value
    }

    #[inline(always)]
    fn write(&mut self, address: u16, value: u8) {
        self.observer.writes(self.bus, address);
        self.bus.write(address, value);
    }

    #[inline(always)]
    fn dummy(&mut self, address: u16) {
        self.bus.dummy(address);
    }

    #[inline(always)]
    fn write_back(&mut self, address: u16, value: u8) {
        self.observer.writes(self.bus, address);
        self.bus.write_back(address, value);
    }

    #[inline(always)]
    fn fetch(&mut self, pc: u16) -> u8 {
        self.bus.fetch(pc)
    }

    #[inline(always)]
    fn vector(&mut self, address: u16) -> u8 {
        let value = self.bus.vector(address);
        self.observer.reads(self.bus, address, value);
        value
    }

    fn halted(&mut self) {
        self.bus.halted();
    }

    fn interrupted(&mut self, enters: bool) {
        self.observer.interrupted(enters);
        self.bus.interrupted(enters);
    }

    #[inline(always)]
    fn irq(&self) -> bool {
        self.bus.irq()
    }
}

//! The addressing modes: each reads what it needs and returns the operand's address.

use crate::bus::Bus;
use crate::cpu::Cpu;

impl Cpu {
    #[inline(always)]
    pub(crate) fn immediate<B: Bus>(&mut self, _: &mut B) -> u16 {
        let at = self.pc;
        self.pc = at.wrapping_add(1);
        at
    }

    #[inline(always)]
    pub(crate) fn zero_page<B: Bus>(&mut self, bus: &mut B) -> u16 {
        u16::from(self.operand(bus))
    }

    #[inline(always)]
    pub(crate) fn zero_page_x<B: Bus>(&mut self, bus: &mut B) -> u16 {
        let base = self.operand(bus);
        self.linger(bus);
        u16::from(base.wrapping_add(self.x))
    }

    #[inline(always)]
    pub(crate) fn zero_page_y<B: Bus>(&mut self, bus: &mut B) -> u16 {
        let base = self.operand(bus);
        self.linger(bus);
        u16::from(base.wrapping_add(self.y))
    }

    #[inline(always)]
    pub(crate) fn absolute<B: Bus>(&mut self, bus: &mut B) -> u16 {
        let low = self.operand(bus);
        let high = self.operand(bus);
        u16::from_le_bytes([low, high])
    }

    /// An index costs a cycle where it crosses a page. `always`: also where it does not, and then the operand's own
    /// address is read, so a store with an index touches a device twice.
    #[inline(always)]
    fn indexed<B: Bus>(&mut self, index: u8, always: bool, bus: &mut B) -> u16 {
        let base = self.absolute(bus);
        let at = base.wrapping_add(u16::from(index));
        if (base ^ at) & 0xff00 != 0 {
            self.linger(bus);
        } else if always {
            bus.dummy(at);
        }
        at
    }

    #[inline(always)]
    pub(crate) fn absolute_x<B: Bus>(&mut self, bus: &mut B) -> u16 {
        self.indexed(self.x, false, bus)
    }

    #[inline(always)]
    pub(crate) fn absolute_y<B: Bus>(&mut self, bus: &mut B) -> u16 {
        self.indexed(self.y, false, bus)
    }

    #[inline(always)]
    pub(crate) fn absolute_x_slow<B: Bus>(&mut self, bus: &mut B) -> u16 {
        self.indexed(self.x, true, bus)
    }

    #[inline(always)]
    pub(crate) fn absolute_y_slow<B: Bus>(&mut self, bus: &mut B) -> u16 {
        self.indexed(self.y, true, bus)
    }

    /// A pointer in the zero page; it wraps there.
    #[inline(always)]
    fn pointer<B: Bus>(&mut self, at: u8, bus: &mut B) -> u16 {
        let low = bus.read(u16::from(at));
        let high = bus.read(u16::from(at.wrapping_add(1)));
        u16::from_le_bytes([low, high])
    }

    #[inline(always)]
    pub(crate) fn indirect<B: Bus>(&mut self, bus: &mut B) -> u16 {
        let at = self.operand(bus);
        self.pointer(at, bus)
    }

    #[inline(always)]
    pub(crate) fn indirect_x<B: Bus>(&mut self, bus: &mut B) -> u16 {
        let at = self.operand(bus).wrapping_add(self.x);
        self.linger(bus);
        self.pointer(at, bus)
    }

    #[inline(always)]
    fn indirect_indexed<B: Bus>(&mut self, always: bool, bus: &mut B) -> u16 {
        let pointer = self.operand(bus);
        let base = self.pointer(pointer, bus);
        let at = base.wrapping_add(u16::from(self.y));
        if always || (base ^ at) & 0xff00 != 0 {
            bus.dummy(u16::from(pointer.wrapping_add(1)));
        }
        at
    }

    #[inline(always)]
    pub(crate) fn indirect_y<B: Bus>(&mut self, bus: &mut B) -> u16 {
        self.indirect_indexed(false, bus)
    }

    #[inline(always)]
    pub(crate) fn indirect_y_slow<B: Bus>(&mut self, bus: &mut B) -> u16 {
        self.indirect_indexed(true, bus)
    }
}

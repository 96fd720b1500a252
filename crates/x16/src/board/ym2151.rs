//! The YM2151 as the bus shows it (Yamaha's data sheet): its registers are written, the busy flag and two timers are read. It makes no sound.
//!
//! It has a clock of 3.579545 MHz of its own. A write of data takes 64 of its clocks, and what is written meanwhile is lost. A timer
//! sets its flag only with its interrupt enabled, and goes on with the value that its registers have then. The interrupt is on
//! the CPU's line.

use crate::CYCLES_PER_SECOND;
use gpuzoo_stored::{LATEST, stored};

/// Clocks a second.
const CLOCKS_PER_SECOND: u64 = 3_579_545;
/// Clocks that a write of data takes.
const BUSY: u64 = 64;

/// Registers of the timers.
const TIMER_A_HIGH: usize = 0x10;
const TIMER_A_LOW: usize = 0x11;
const TIMER_B: usize = 0x12;
const CONTROL: usize = 0x14;

/// The chip.
#[derive(Clone, PartialEq)]
pub(crate) struct Ym2151 {
    address: u8,
    registers: [u8; 0x100],
    /// Clocks up to which all of this is worked out.
    now: u64,
    /// The clock at which the chip takes data again.
    free: u64,
    /// The clocks at which timers A and B overflow next, if they run.
    overflows: [Option<u64>; 2],
    /// Bit 0 for timer A, 1 for B.
    flags: u8,
}

stored! { Ym2151 { address, registers, now, free, overflows, flags } if |own: &Ym2151| own.now < LATEST }

impl Default for Ym2151 {
    fn default() -> Ym2151 {
        Ym2151 { address: 0, registers: [0; 0x100], now: 0, free: 0, overflows: [None; 2], flags: 0 }
    }
}

/// The clock that a cycle begins in.
fn clock_of(cycle: u64) -> u64 {
    (u128::from(cycle) * u128::from(CLOCKS_PER_SECOND) / u128::from(CYCLES_PER_SECOND)) as u64
}

/// The first cycle that begins in a clock or after it.
fn cycle_of(clock: u64) -> u64 {
    (u128::from(clock) * u128::from(CYCLES_PER_SECOND)).div_ceil(u128::from(CLOCKS_PER_SECOND)) as u64
}

impl Ym2151 {
    /// Works out what has happened up to a cycle.
    pub fn advance(&mut self, cycle: u64) {
        self.now = self.now.max(clock_of(cycle));
        for timer in 0..2 {
            let Some(next) = self.overflows[timer].filter(|next| *next <= self.now) else { continue };
            let period = self.period(timer);
            self.overflows[timer] = Some(next + ((self.now - next) / period + 1) * period);
            self.flags |= self.enabled() & 1 << timer;
        }
    }

    /// Clocks from one overflow to the next.
    fn period(&self, timer: usize) -> u64 {
        let register = |at: usize| u64::from(self.registers[at]);
        match timer {
            0 => 64 * (1024 - (register(TIMER_A_HIGH) << 2 | register(TIMER_A_LOW) & 3)),
            _ => 1024 * (256 - register(TIMER_B)),
        }
    }

    /// The timers whose interrupts are enabled.
    fn enabled(&self) -> u8 {
        self.registers[CONTROL] >> 2 & 3
    }

    /// True while it asks for an interrupt.
    pub fn irq(&self) -> bool {
        self.flags & self.enabled() != 0
    }

    /// The cycle in which it will next ask for an interrupt, if nobody does anything before.
    pub fn next_irq(&self) -> Option<u64> {
        let wanted = self.enabled() & !self.flags;
        let timers = self.overflows.iter().enumerate().filter(|(timer, _)| wanted >> timer & 1 != 0);
        timers.filter_map(|(_, overflow)| *overflow).min().map(cycle_of)
    }

    /// The status, at either address: busy, and the timers' flags.
    pub fn status(&self, cycle: u64) -> u8 {
        let mut then = self.clone();
        then.advance(cycle);
        u8::from(then.now < then.free) << 7 | then.flags
    }

    /// A write by the CPU: the register's address (0), or data (1).
    pub fn write(&mut self, port: u16, value: u8, cycle: u64) {
        self.advance(cycle);
        if port == 0 {
            self.address = value;
        } else if self.now >= self.free {
            self.free = self.now + BUSY;
            self.set(usize::from(self.address), value);
        }
    }

    fn set(&mut self, register: usize, value: u8) {
        let before = std::mem::replace(&mut self.registers[register], value);
        if register != CONTROL {
            return;
        }
        self.flags &= !(value >> 4 & 3);
        for timer in 0..2 {
            let [ran, runs] = [before, value].map(|control| control >> timer & 1 != 0);
            self.overflows[timer] = match (ran, runs) {
                (_, false) => None,
                (false, true) => Some(self.now + self.period(timer)),
                (true, true) => self.overflows[timer],
            };
        }
    }

    /// The reset line: all registers are 0.
    pub fn reset(&mut self) {
        *self = Ym2151 { now: self.now, ..Ym2151::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes registers, each when the chip is free.
    fn write(chip: &mut Ym2151, cycle: &mut u64, registers: &[(u8, u8)]) {
        for (register, value) in registers {
            *cycle += 150;
            chip.write(0, *register, *cycle);
            chip.write(1, *value, *cycle);
        }
    }

    #[test]
    fn busy_for_64_clocks() {
        let mut chip = Ym2151::default();
        chip.write(0, 0x14, 1000);
        assert_eq!(chip.status(1000), 0, "an address takes no time");
        chip.write(1, 0x00, 1000);
        // 64 clocks are 143.03 cycles; the write was within one.
        assert_eq!((chip.status(1142), chip.status(1144)), (0x80, 0));
        chip.write(1, 0x55, 1100);
        assert_eq!(chip.registers[0x14], 0, "lost");
        chip.write(1, 0x55, 1144);
        assert_eq!(chip.registers[0x14], 0x55);
    }

    #[test]
    fn timers_overflow() {
        // Timer A: 64 clocks; timer B: 1024.
        let mut chip = Ym2151::default();
        let mut cycle = 0;
        write(&mut chip, &mut cycle, &[(0x10, 0xff), (0x11, 3), (0x12, 0xff), (0x14, 0x0f)]);
        assert_eq!((chip.irq(), chip.next_irq().is_some_and(|next| next - cycle <= 144)), (false, true));
        assert_eq!(chip.status(cycle + 140) & 3, 0);
        assert_eq!(chip.status(cycle + 150) & 3, 1);
        assert_eq!(chip.status(cycle + 2285) & 3, 1);
        assert_eq!(chip.status(cycle + 2290) & 3, 3);
        chip.advance(cycle + 2290);
        assert!(chip.irq());
        // Both flags fall; timer A is there again soon.
        cycle += 2290;
        chip.write(0, 0x14, cycle);
        chip.write(1, 0x3f, cycle);
        assert!(!chip.irq());
        let next = chip.next_irq().unwrap();
        chip.advance(next - 1);
        assert!(!chip.irq());
        chip.advance(next);
        assert!(chip.irq());
    }

    #[test]
    fn flags_need_the_interrupt() {
        let mut chip = Ym2151::default();
        let mut cycle = 0;
        write(&mut chip, &mut cycle, &[(0x10, 0xff), (0x14, 0x01)]);
        assert_eq!((chip.status(cycle + 100_000), chip.next_irq()), (0, None));
        write(&mut chip, &mut cycle, &[(0x14, 0x04)]);
        assert_eq!((chip.status(cycle + 100_000), chip.next_irq()), (0, None), "stopped");
        write(&mut chip, &mut cycle, &[(0x14, 0x05)]);
        assert_eq!(chip.status(cycle + 100_000), 1);
        chip.advance(cycle + 100_000);
        chip.reset();
        assert_eq!((chip.irq(), chip.next_irq(), chip.status(cycle + 200_000)), (false, None, 0));
    }
}

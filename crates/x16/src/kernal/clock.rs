//! Time: the clock of a sixtieth of a second, date and time, and what is somewhat random.

use super::rom;
use crate::CYCLES_PER_SECOND;
use crate::board::bus::Bus;
use crate::date::Date;
use gpuzoo_65c02::Cpu;
use gpuzoo_stored::stored;

/// Date and time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Clock {
    /// What it was set to.
    pub start: Date,
    /// The cycle in which it was set.
    pub since: u64,
}

stored! { Clock { start, since } }

impl Bus {
    fn time(&self) -> u32 {
        u32::from_le_bytes([0, 1, 2, 3].map(|at| if at < 3 { self.peek(rom::TIME + at) } else { 0 }))
    }

    fn set_time(&mut self, time: u32) {
        for (at, byte) in (rom::TIME..).zip(time.to_le_bytes()).take(3) {
            self.set_cell(at, byte);
        }
    }
}

/// VSYNC: the clock goes on by one.
pub(super) fn tick(bus: &mut Bus) {
    bus.set_time(bus.time().wrapping_add(1));
}

/// UDTIM.
pub(super) fn udtim(bus: &mut Bus, _: &mut Cpu) {
    tick(bus);
}

/// SETTIM: A is the lowest byte.
pub(super) fn settim(bus: &mut Bus, cpu: &mut Cpu) {
    bus.set_time(u32::from_le_bytes([cpu.a, cpu.x, cpu.y, 0]));
}

/// CLOCK_GET_DATE_TIME: to r0 to r3.
pub(super) fn get_date_time(bus: &mut Bus, _: &mut Cpu) {
    let clock = bus.kernal.clock;
    let now = clock.start.after((bus.cycles - clock.since) / CYCLES_PER_SECOND);
    let Date { year, month, day, hour, minute, second } = now;
    let year = year.saturating_sub(1900).min(255) as u8;
    for (at, byte) in (0x02..).zip([year, month, day, hour, minute, second, 0, now.weekday()]) {
        bus.poke(at, byte);
    }
}

/// CLOCK_SET_DATE_TIME: from r0 to r3.
pub(super) fn set_date_time(bus: &mut Bus, _: &mut Cpu) {
    let [year, month, day, hour, minute, second] = [2, 3, 4, 5, 6, 7].map(|at| bus.peek(at));
    let start = Date { year: 1900 + u16::from(year), month, day, hour, minute, second };
    bus.kernal.clock = Clock { start: start.limited(), since: bus.cycles };
}

/// ENTROPY_GET: of the time, as the KERNAL's; the same in each run.
pub(super) fn entropy_get(bus: &mut Bus, cpu: &mut Cpu) {
    let mut number = gpuzoo_isa::numbers(bus.cycles);
    [cpu.a, cpu.x, cpu.y] = [(); 3].map(|()| number(0x100) as u8);
}

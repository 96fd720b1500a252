//! The clock: an MCP7940N as its data sheet (Microchip DS20005010) has it, with two alarms and 64 bytes of memory, in the machine's time.
//!
//! At power-on it runs, on its battery, and has the date that the machine was given. Its output MFP goes nowhere on the board, so
//! that alarms set only their flags; the oscillator is exact, and trimming does nothing. There is no battery in the model that
//! would log when power failed.

use crate::CYCLES_PER_SECOND;
use crate::date::{Date, days_of};
use gpuzoo_stored::stored;

/// Registers.
const SECONDS: usize = 0;
const MINUTES: usize = 1;
const HOURS: usize = 2;
const WEEKDAY: usize = 3;
const DAY: usize = 4;
const MONTH: usize = 5;
const YEAR: usize = 6;
const CONTROL: usize = 7;
const ALARMS: [usize; 2] = [0x0a, 0x11];
const MEMORY: usize = 0x20;
const END: usize = 0x60;

/// The oscillator runs (SECONDS); it ran (WEEKDAY); the battery is in use.
const RUN: u8 = 0x80;
const RUNS: u8 = 0x20;
const BATTERY: u8 = 0x08;
/// Hours of 1 to 12, and the second half of the day.
const TWELVE: u8 = 0x40;
const PM: u8 = 0x20;
/// The year has 366 days.
const LEAP: u8 = 0x20;
/// An alarm's flag.
const ALARMED: u8 = 0x08;

/// The bits of a register that the CPU can write.
#[rustfmt::skip]
const WRITABLE: [u8; MEMORY] = [
    0xff, 0x7f, 0x7f, 0x0f, 0x3f, 0x1f, 0xff, 0xff, 0xff, 0x00,
    0x7f, 0x7f, 0x3f, 0xff, 0x3f, 0x1f, 0x00,
    0x7f, 0x7f, 0x3f, 0x7f, 0x3f, 0x1f, 0x00,
    0, 0, 0, 0, 0, 0, 0, 0,
];

/// Binary-coded decimal, both ways; digits that are none count what they are worth.
fn bcd(number: u8) -> u8 {
    ((number / 10) << 4) | (number % 10)
}

fn binary(bcd: u8) -> u8 {
    (bcd >> 4) * 10 + (bcd & 15)
}

/// The clock.
#[derive(Clone, PartialEq)]
pub(crate) struct Rtc {
    registers: [u8; END],
    pointer: u8,
    /// The next byte from the CPU is an address.
    wants_address: bool,
    /// The cycle in which the second began.
    since: u64,
}

stored! { Rtc { registers, pointer, wants_address, since } }

impl Rtc {
    pub fn new(date: Date) -> Rtc {
        let mut registers = [0; END];
        let Date { year, month, day, hour, minute, second } = date;
        for (at, number) in [
            (SECONDS, second),
            (MINUTES, minute),
            (HOURS, hour),
            (DAY, day),
            (MONTH, month),
            (YEAR, (year % 100) as u8),
        ] {
            registers[at] = bcd(number);
        }
        registers[SECONDS] |= RUN;
        registers[WEEKDAY] = date.weekday() | BATTERY;
        registers[CONTROL] = 0x80;
        // Alarms are for the first of January, a Monday.
        for alarm in ALARMS {
            registers[alarm + 3..alarm + 6].fill(1);
        }
        Rtc { registers, pointer: 0, wants_address: false, since: 0 }
    }

    /// True if its second began before a cycle.
    pub fn is_at(&self, cycle: u64) -> bool {
        self.since <= cycle
    }

    /// Fills the memory, which no reset touches.
    pub fn memory_mut(&mut self) -> &mut [u8] {
        &mut self.registers[MEMORY..]
    }

    pub fn begin_write(&mut self) -> bool {
        self.wants_address = true;
        true
    }

    /// A byte from the CPU: the address, then what goes there and behind. False if there is no such place.
    pub fn write(&mut self, byte: u8, now: u64) -> bool {
        if std::mem::take(&mut self.wants_address) {
            self.pointer = byte;
            return usize::from(byte) < END;
        }
        self.advance(now);
        let at = usize::from(self.pointer);
        match at {
            ..MEMORY => {
                let mask = WRITABLE[at];
                self.registers[at] = self.registers[at] & !mask | byte & mask;
                // The oscillator's divider starts anew with the seconds.
                if at == SECONDS {
                    self.since = now;
                }
            }
            MEMORY..END => self.registers[at] = byte,
            _ => return false,
        }
        self.count();
        true
    }

    pub fn read(&mut self, now: u64) -> u8 {
        self.advance(now);
        let at = usize::from(self.pointer);
        let runs = self.registers[SECONDS] & RUN != 0;
        let hours = self.registers[HOURS] & TWELVE;
        let value = match at {
            WEEKDAY => self.registers[at] | if runs { RUNS } else { 0 },
            MONTH => {
                self.registers[at] | if binary(self.registers[YEAR]).is_multiple_of(4) { LEAP } else { 0 }
            }
            // Alarms have copies of what the clock has.
            0x0c | 0x13 => self.registers[at] & !TWELVE | hours,
            0x14 => self.registers[at] | self.registers[0x0d] & 0x80,
            _ => self.registers.get(at).copied().unwrap_or(0xff),
        };
        self.count();
        value
    }

    /// The next address: the clock's registers and the memory are rings of their own.
    fn count(&mut self) {
        self.pointer = match self.pointer {
            0x1f => 0,
            0x5f => MEMORY as u8,
            other => other.saturating_add(1),
        };
    }

    fn advance(&mut self, now: u64) {
        if self.registers[SECONDS] & RUN == 0 {
            self.since = now;
        }
        while now - self.since >= CYCLES_PER_SECOND {
            self.since += CYCLES_PER_SECOND;
            self.tick();
        }
    }

    /// A second is over.
    fn tick(&mut self) {
        let before = ALARMS.map(|alarm| self.matches(alarm));
        self.count_up();
        for (alarm, before) in ALARMS.into_iter().zip(before) {
            let is_enabled = self.registers[CONTROL] & if alarm == ALARMS[0] { 0x10 } else { 0x20 } != 0;
            if is_enabled && !before && self.matches(alarm) {
                self.registers[alarm + 3] |= ALARMED;
            }
        }
    }

    fn count_up(&mut self) {
        if !self.step(SECONDS, 0x7f, 59, 0) || !self.step(MINUTES, 0x7f, 59, 0) || !self.next_hour() {
            return;
        }
        let of = |at: usize, mask: u8| binary(self.registers[at] & mask);
        let last = days_of(2000 + u16::from(of(YEAR, 0xff)), of(MONTH, 0x1f));
        self.step(WEEKDAY, 0x07, 7, 1);
        if self.step(DAY, 0x3f, last, 1) && self.step(MONTH, 0x1f, 12, 1) {
            self.step(YEAR, 0xff, 99, 0);
        }
    }

    /// Counts a field of a register; true if it was at its last value, and begins anew with its first.
    fn step(&mut self, at: usize, mask: u8, last: u8, first: u8) -> bool {
        let register = &mut self.registers[at];
        let value = binary(*register & mask);
        let next = if value >= last { first } else { value + 1 };
        *register = *register & !mask | bcd(next);
        value >= last
    }

    /// True if a day is over.
    fn next_hour(&mut self) -> bool {
        let register = self.registers[HOURS];
        let (next, is_over) = match register & TWELVE {
            0 => match binary(register & 0x3f) {
                23.. => (0, true),
                hour => (bcd(hour + 1), false),
            },
            _ => match (binary(register & 0x1f), register & PM) {
                (11, half) => (TWELVE | half ^ PM | 0x12, half != 0),
                (12.., half) => (TWELVE | half | 1, false),
                (hour, half) => (TWELVE | half | bcd(hour + 1), false),
            },
        };
        self.registers[HOURS] = next;
        is_over
    }

    /// True while the clock is where an alarm's mask says.
    fn matches(&self, alarm: usize) -> bool {
        let equal = |field: usize, mask: u8| {
            // An alarm has no year: its registers are those of the clock up to the month.
            (self.registers[field] ^ self.registers[alarm + field]) & mask == 0
        };
        let fields =
            [(SECONDS, 0x7f), (MINUTES, 0x7f), (HOURS, 0x3f), (WEEKDAY, 0x07), (DAY, 0x3f), (MONTH, 0x1f)];
        match usize::from(self.registers[alarm + 3] >> 4 & 7) {
            7 => fields.iter().all(|(field, mask)| equal(*field, *mask)),
            mode @ 0..=4 => equal(fields[mode].0, fields[mode].1),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::i2c::tests::Host;

    const CLOCK: u8 = 0x6f;

    /// A bus whose clock says a date, and a second later.
    fn a_second_after(registers: &[u8; 7]) -> Vec<u8> {
        let mut host = Host::new();
        host.write(CLOCK, &[&[0][..], registers].concat());
        host.now += CYCLES_PER_SECOND;
        host.read_at(CLOCK, 0, 7).unwrap()
    }

    #[test]
    fn it_runs_from_its_date() {
        let mut host = Host::new();
        // Thursday, 1 January 2026, not a leap year; the oscillator runs, the battery is in use.
        assert_eq!(host.read_at(CLOCK, 0, 7), Some(vec![0x80, 0, 0, 0x2c, 1, 1, 0x26]));
        host.now += 3661 * CYCLES_PER_SECOND;
        assert_eq!(host.read_at(CLOCK, 0, 3), Some(vec![0x81, 0x01, 0x01]));
        // Stopped, it stays.
        host.write(CLOCK, &[0, 0x30]);
        host.now += 100 * CYCLES_PER_SECOND;
        assert_eq!(host.read_at(CLOCK, 0, 1), Some(vec![0x30]));
        assert_eq!(host.read_at(CLOCK, 3, 1), Some(vec![0x0c]));
        host.write(CLOCK, &[0, 0xb0]);
        host.now += CYCLES_PER_SECOND;
        assert_eq!(host.read_at(CLOCK, 0, 1), Some(vec![0xb1]));
    }

    #[test]
    fn days_months_and_years_end() {
        let year = a_second_after(&[0xd9, 0x59, 0x23, 0x0f, 0x31, 0x12, 0x99]);
        assert_eq!(year, [0x80, 0, 0, 0x29, 1, 0x21, 0]);
        let leap = a_second_after(&[0xd9, 0x59, 0x23, 0x0b, 0x28, 0x02, 0x28]);
        assert_eq!(leap[3..], [0x2c, 0x29, 0x22, 0x28]);
        // Of the year 12 the digits are no number that 4 divides.
        let twelve = a_second_after(&[0xd9, 0x59, 0x23, 0x0b, 0x28, 0x02, 0x12]);
        assert_eq!(twelve[4..], [0x29, 0x22, 0x12]);
        let plain = a_second_after(&[0xd9, 0x59, 0x23, 0x0b, 0x28, 0x02, 0x27]);
        assert_eq!(plain[3..], [0x2c, 1, 3, 0x27]);
    }

    #[test]
    fn twelve_hours() {
        let hours = |hours: u8| {
            let after = a_second_after(&[0xd9, 0x59, hours, 1, 1, 1, 1]);
            (after[2], after[4])
        };
        assert_eq!(hours(0x51), (0x72, 1), "11 AM, then 12 PM");
        assert_eq!(hours(0x72), (0x61, 1), "12 PM, then 1 PM");
        assert_eq!(hours(0x71), (0x52, 2), "11 PM, then 12 AM of the next day");
        assert_eq!(hours(0x49), (0x50, 1));
        assert_eq!(hours(0x19), (0x20, 1));
    }

    #[test]
    fn memory_and_registers_are_rings() {
        let mut host = Host::new();
        host.write(CLOCK, &[0x5f, 7, 8]);
        assert_eq!(host.read_at(CLOCK, 0x20, 1), Some(vec![8]));
        assert_eq!(host.read_at(CLOCK, 0x5f, 2), Some(vec![7, 8]));
        assert_eq!(host.read_at(CLOCK, 0x1f, 2), Some(vec![0, 0x80]));
        // Behind the memory is nothing.
        assert_eq!(host.write(CLOCK, &[0x60, 1]), [true, false, false]);
        // Reserved bits stay 0.
        host.write(CLOCK, &[0x08, 0x12, 0xff]);
        assert_eq!(host.read_at(CLOCK, 8, 2), Some(vec![0x12, 0]));
    }

    /// Bit 6 of an alarm's hours is a copy of the clock's, and cannot be written (register 5-10 of the data sheet). So is bit 7 of the second
    /// alarm's day of the week one of the first's.
    #[test]
    fn alarms_have_copies_of_the_clocks_bits() {
        for (hours, copy) in [(0x23, 0), (0x00, 0), (0x52, TWELVE), (0x72, TWELVE)] {
            let mut host = Host::new();
            host.write(CLOCK, &[0x02, hours]);
            for at in [0x0c, 0x13] {
                for written in [0x00, 0x05, 0x31, 0x7f, 0xff] {
                    host.write(CLOCK, &[at, written]);
                    assert_eq!(
                        host.read_at(CLOCK, at, 1),
                        Some(vec![written & 0x3f | copy]),
                        "{at:02x} {hours:02x}"
                    );
                }
            }
        }
        let mut host = Host::new();
        for first in [0x80, 0x00] {
            host.write(CLOCK, &[0x0d, first | 1]);
            for second in [0x71, 0xf1] {
                host.write(CLOCK, &[0x14, second]);
                assert_eq!(host.read_at(CLOCK, 0x14, 1), Some(vec![first | 0x71]));
            }
        }
    }

    /// What can be written to each register of the clock and of its alarms, with the oscillator at rest. The bits that tell of the
    /// oscillator, of a leap year and the like are not among them.
    #[test]
    fn registers_keep_the_bits_that_they_have() {
        let kept = [
            0x7f, 0x7f, 0x7f, 0x0f, 0x3f, 0x1f, 0xff, 0xff, 0xff, 0, 0x7f, 0x7f, 0x3f, 0xff, 0x3f, 0x1f, 0,
            0x7f, 0x7f, 0x3f, 0x7f, 0x3f, 0x1f, 0,
        ];
        for (at, kept) in (0u8..).zip(kept).filter(|(at, _)| *at != 5) {
            let mut host = Host::new();
            host.write(CLOCK, &[0, 0]);
            for bit in (0..8).map(|bit| 1u8 << bit).filter(|bit| (at, *bit) != (0, 0x80)) {
                host.write(CLOCK, &[at, bit]);
                assert_eq!(host.read_at(CLOCK, at, 1), Some(vec![bit & kept]), "{at:02x} {bit:02x}");
            }
        }
        let mut host = Host::new();
        for at in 0x20..0x60 {
            host.write(CLOCK, &[at, at ^ 0xff]);
        }
        assert_eq!(host.read_at(CLOCK, 0x20, 64), Some((0x20..0x60).map(|at: u8| at ^ 0xff).collect()));
        assert_eq!(host.read_at(CLOCK, 0x18, 8), Some(vec![0; 8]));
    }

    /// What an alarm's mask compares (table 5-5 of the data sheet): seconds, minutes, hours, day of the week, day, and all of them; 5 and 6 are
    /// nothing. After 23:59:59 of Tuesday, the 10th of March, all but the month are others than before.
    #[test]
    fn alarms_compare_what_their_mask_says() {
        let date = [0x00, 0x00, 0x00, 0x03, 0x11, 0x03];
        for (alarm, enable) in [(0x0a, 0x10), (0x11, 0x20), (0x0a, 0x20), (0x11, 0x10)] {
            for (mask, wrong) in (0..8usize).flat_map(|mask| (0..=6).map(move |wrong| (mask, wrong))) {
                let mut host = Host::new();
                host.write(CLOCK, &[0, 0xd9, 0x59, 0x23, 0x0a, 0x10, 0x03, 0x26, enable]);
                let mut wanted = date;
                if let Some(field) = wanted.get_mut(wrong) {
                    *field ^= 4;
                }
                wanted[3] |= (mask as u8) << 4;
                host.write(CLOCK, &[&[alarm], &wanted[..]].concat());
                host.now += CYCLES_PER_SECOND + 5000;
                let flag = host.read_at(CLOCK, alarm + 3, 1).unwrap()[0] & ALARMED != 0;
                let is_enabled = (alarm == 0x0a) == (enable == 0x10);
                let matches = match mask {
                    0..=4 => wrong != mask,
                    7 => wrong == 6,
                    _ => false,
                };
                assert_eq!(flag, is_enabled && matches, "alarm {alarm:02x}, mask {mask}, {wrong} is wrong");
            }
        }
    }

    #[test]
    fn alarms_set_their_flags() {
        let mut host = Host::new();
        // Alarm 0 at second 5, alarm 1 at minute 1; both enabled.
        host.write(CLOCK, &[0x0a, 0x05, 0, 0, 0x00]);
        host.write(CLOCK, &[0x11, 0, 1, 0, 0x10]);
        host.write(CLOCK, &[0x07, 0xb0]);
        let mut flags = |seconds: u64| {
            host.now = seconds * CYCLES_PER_SECOND + 5000;
            [0x0d, 0x14].map(|at| host.read_at(CLOCK, at, 1).unwrap()[0] & ALARMED != 0)
        };
        assert_eq!(flags(4), [false, false]);
        assert_eq!(flags(5), [true, false]);
        assert_eq!(flags(59), [true, false]);
        assert_eq!(flags(60), [true, true]);
        host.write(CLOCK, &[0x0d, 0]);
        host.now = 64 * CYCLES_PER_SECOND;
        assert_eq!(host.read_at(CLOCK, 0x0d, 1), Some(vec![0]));
        host.now = 66 * CYCLES_PER_SECOND;
        assert_eq!(host.read_at(CLOCK, 0x0d, 1), Some(vec![ALARMED]));
    }
}

//! A 65C22, as its data sheet (WDC W65C22, 2018) has it: two ports, two timers, a shift register, handshake lines, interrupts.
//!
//! Time is the CPU's cycles. Between accesses nothing happens here: what the timers have done since is worked out when somebody
//! asks. A timer that is loaded in one cycle is seen with its value in the next; its interrupt is seen in the cycle in which the
//! count passes 0, and a reload takes one more.
//!
//! What is left out: pulses at PB6, which nothing makes, so that timer 2 stands still while it counts them; clocks from outside at CB1; and the
//! count of timer 2 while it paces the shift register, which goes on as if it did not.

use gpuzoo_stored::stored;

/// Registers, by their numbers.
const PORT_B: usize = 0;
const PORT_A: usize = 1;
const DIRECTION_B: usize = 2;
const DIRECTION_A: usize = 3;
/// Auxiliary control and peripheral control.
const ACR: usize = 11;
const PCR: usize = 12;

/// Interrupts, as bits of IFR and IER.
const CA2: u8 = 0x01;
const CA1: u8 = 0x02;
const SHIFTED: u8 = 0x04;
const CB2: u8 = 0x08;
const CB1: u8 = 0x10;
const TIMER_2: u8 = 0x20;
const TIMER_1: u8 = 0x40;

/// A counter of 16 bits that is one cycle at $FFFF after 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Timer {
    latch: u16,
    /// The count and 1: 0 is $FFFF.
    left: u32,
    /// Its next timeout is an interrupt.
    armed: bool,
}

impl Timer {
    /// Starts with the latch. The cycle of the write does not count.
    fn start(&mut self) {
        self.left = u32::from(self.latch) + 2;
        self.armed = true;
    }

    fn count(self) -> u16 {
        self.left.wrapping_sub(1) as u16
    }

    /// Lets cycles pass; `reload` is the count that follows $FFFF. Returns how often the count has passed 0.
    fn advance(&mut self, cycles: u64, reload: u16) -> u64 {
        if cycles < u64::from(self.left) {
            self.left -= cycles as u32;
            return 0;
        }
        let first = u64::from(self.left > 0);
        let (since, period) = (cycles - u64::from(self.left), u64::from(reload) + 2);
        let into = since % period;
        self.left = if into == 0 { 0 } else { (period - into) as u32 };
        first + since / period
    }

    /// Cycles to the next timeout.
    fn to_timeout(self, reload: u16) -> u64 {
        if self.left > 0 { u64::from(self.left) } else { u64::from(reload) + 2 }
    }
}

/// What follows $FFFF in timer 2, which has no reload.
const GOES_ON: u16 = 0xfffe;

/// A pair of handshake lines: C1 is an input, C2 either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lines {
    /// Levels that come from outside.
    c1: bool,
    c2: bool,
    /// The level of C2 as an output in the modes of handshake.
    out: bool,
    /// The port as it was at the active edge of C1.
    latched: u8,
}

/// A VIA. Its registers belong to the program; devices that somebody connects see and change its pins.
///
/// ```
/// use gpuzoo_x16::{Config, X16};
/// let mut machine = X16::new(Config::default())?;
/// // All of VIA 2 is for the user's devices: one that pulls PB0 down.
/// machine.via_mut(1).set_inputs(1, 0xfe);
/// assert_eq!(machine.peek(0x9f10), 0xfe);
/// # Ok::<(), gpuzoo_diag::Diagnostic>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Via {
    /// As they were written; of those with a meaning of their own what is not elsewhere.
    registers: [u8; 16],
    flags: u8,
    enabled: u8,
    timer_1: Timer,
    timer_2: Timer,
    /// PB7 as timer 1 drives it.
    pb7: bool,
    shift: u8,
    /// The cycles that shifting goes on for; 0 if it does not.
    shifting: u64,
    /// Port A, port B.
    lines: [Lines; 2],
    /// Levels at the pins that are inputs, port A and port B.
    inputs: [u8; 2],
    /// The cycle up to which all of this is worked out.
    now: u64,
}

stored! { Timer { latch, left, armed } }
stored! { Lines { c1, c2, out, latched } }
stored! { Via { registers, flags, enabled, timer_1, timer_2, pb7, shift, shifting, lines, inputs, now } }

impl Default for Via {
    /// After a reset, with nothing connected: pull-ups make all inputs 1.
    fn default() -> Via {
        let lines = Lines { c1: true, c2: true, out: true, latched: 0xff };
        Via {
            registers: [0; 16],
            flags: 0,
            enabled: 0,
            timer_1: Timer::default(),
            timer_2: Timer::default(),
            pb7: true,
            shift: 0,
            shifting: 0,
            lines: [lines; 2],
            inputs: [0xff; 2],
            now: 0,
        }
    }
}

impl Via {
    /// Works out what has happened up to a cycle.
    pub(crate) fn advance(&mut self, cycle: u64) {
        let cycles = cycle.saturating_sub(self.now);
        self.now = self.now.max(cycle);
        let timeouts = self.timer_1.advance(cycles, self.timer_1.latch);
        if timeouts > 0 {
            let runs_freely = self.registers[ACR] & 0x40 != 0;
            if self.timer_1.armed {
                self.flags |= TIMER_1;
                self.pb7 = if runs_freely { self.pb7 ^ (timeouts % 2 == 1) } else { true };
            }
            self.timer_1.armed &= runs_freely;
        }
        if !self.counts_pulses() && self.timer_2.advance(cycles, GOES_ON) > 0 && self.timer_2.armed {
            self.flags |= TIMER_2;
            self.timer_2.armed = false;
        }
        if self.shifting > 0 {
            self.shift_for(cycles);
        }
    }

    /// True if timer 2 counts pulses at PB6.
    fn counts_pulses(&self) -> bool {
        self.registers[ACR] & 0x20 != 0
    }

    /// True while it asks for an interrupt.
    pub(crate) fn irq(&self) -> bool {
        self.flags & self.enabled != 0
    }

    /// The cycle in which it will next ask for an interrupt, if nobody does anything before.
    pub(crate) fn next_irq(&self) -> Option<u64> {
        let wanted = self.enabled & !self.flags;
        let timer_1 = (wanted & TIMER_1 != 0 && self.timer_1.armed)
            .then(|| self.timer_1.to_timeout(self.timer_1.latch));
        let timer_2 = (wanted & TIMER_2 != 0 && self.timer_2.armed && !self.counts_pulses())
            .then(|| self.timer_2.to_timeout(GOES_ON));
        let shifted = (wanted & SHIFTED != 0 && self.shifting > 0).then_some(self.shifting);
        let next = [timer_1, timer_2, shifted].into_iter().flatten().min()?;
        Some(self.now.saturating_add(next))
    }

    /// True if no interrupt can come without an access.
    pub(crate) fn is_quiet(&self) -> bool {
        !self.irq() && self.next_irq().is_none()
    }

    /// What a read of a register gives, now.
    pub(crate) fn peek(&self, register: usize) -> u8 {
        match register % 16 {
            PORT_B => self.port(1),
            PORT_A | 15 => self.port(0),
            4 => self.timer_1.count() as u8,
            5 => (self.timer_1.count() >> 8) as u8,
            6 => self.timer_1.latch as u8,
            7 => (self.timer_1.latch >> 8) as u8,
            8 => self.timer_2.count() as u8,
            9 => (self.timer_2.count() >> 8) as u8,
            10 => self.shift,
            13 => self.flags | if self.irq() { 0x80 } else { 0 },
            14 => self.enabled | 0x80,
            other => self.registers[other],
        }
    }

    /// A read by the CPU.
    pub(crate) fn read(&mut self, register: usize) -> u8 {
        let value = self.peek(register);
        match register % 16 {
            PORT_B => self.acknowledge(1, false),
            PORT_A => self.acknowledge(0, true),
            4 => self.flags &= !TIMER_1,
            8 => self.flags &= !TIMER_2,
            10 => self.start_shifting(),
            _ => {}
        }
        value
    }

    /// A write by the CPU.
    pub(crate) fn write(&mut self, register: usize, value: u8) {
        let [low, high] = [u16::from(value), u16::from(value) << 8];
        match register % 16 {
            PORT_B => {
                self.registers[PORT_B] = value;
                self.acknowledge(1, true);
            }
            PORT_A => {
                self.registers[PORT_A] = value;
                self.acknowledge(0, true);
            }
            15 => self.registers[PORT_A] = value,
            4 | 6 => self.timer_1.latch = self.timer_1.latch & 0xff00 | low,
            5 => {
                self.timer_1.latch = self.timer_1.latch & 0xff | high;
                self.flags &= !TIMER_1;
                self.timer_1.start();
                self.pb7 = false;
            }
            7 => {
                self.timer_1.latch = self.timer_1.latch & 0xff | high;
                self.flags &= !TIMER_1;
            }
            8 => self.timer_2.latch = low,
            9 => {
                self.flags &= !TIMER_2;
                self.timer_2.latch = self.timer_2.latch & 0xff | high;
                self.timer_2.start();
                // No cycle takes it to its value where it counts pulses.
                self.timer_2.left -= u32::from(self.counts_pulses());
            }
            10 => {
                self.shift = value;
                self.start_shifting();
            }
            13 => self.flags &= !value,
            14 if value & 0x80 != 0 => self.enabled |= value & 0x7f,
            14 => self.enabled &= !value,
            other => self.registers[other] = value,
        }
    }

    /// The levels that devices put on the pins of port A (0) or B (1); those that are outputs keep their own.
    ///
    /// # Panics
    /// If there is no such port.
    pub fn set_inputs(&mut self, port: usize, levels: u8) {
        self.inputs[port] = levels;
    }

    /// The levels of the pins of port A (0) or B (1).
    ///
    /// # Panics
    /// If there is no such port.
    pub fn pins(&self, port: usize) -> u8 {
        let [data, direction] = [[PORT_A, DIRECTION_A], [PORT_B, DIRECTION_B]][port];
        let direction = self.registers[direction];
        let pins = self.registers[data] & direction | self.inputs[port] & !direction;
        match port == 1 && self.registers[ACR] & 0x80 != 0 && direction & 0x80 != 0 {
            true => pins & 0x7f | u8::from(self.pb7) << 7,
            false => pins,
        }
    }

    /// The levels that the chip gives the pins of port A (0) or B (1); those that are inputs are pulled up.
    ///
    /// # Panics
    /// If there is no such port.
    pub(crate) fn driven(&self, port: usize) -> u8 {
        let [data, direction] = [[PORT_A, DIRECTION_A], [PORT_B, DIRECTION_B]][port];
        self.registers[data] | !self.registers[direction]
    }

    /// The pins of port A (0) or B (1) that are outputs.
    ///
    /// # Panics
    /// If there is no such port.
    pub(crate) fn direction(&self, port: usize) -> u8 {
        self.registers[[DIRECTION_A, DIRECTION_B][port]]
    }

    /// The reset line: registers are 0 but for the timers and the shift register, and the levels at the pins stay.
    pub(crate) fn reset(&mut self) {
        let (lines, inputs, now) = (self.lines, self.inputs, self.now);
        let (mut timer_1, mut timer_2) = (self.timer_1, self.timer_2);
        (timer_1.armed, timer_2.armed) = (false, false);
        let lines = lines.map(|line| Lines { out: true, ..line });
        *self = Via { timer_1, timer_2, shift: self.shift, lines, inputs, now, ..Via::default() };
    }

    /// Port A is read at its pins. Outputs of port B are read as they were written, which its pins are here, too: no device
    /// forces one.
    fn port(&self, port: usize) -> u8 {
        let [c1, _] = Via::flags_of(port);
        let is_latched = self.registers[ACR] >> port & 1 != 0 && self.flags & c1 != 0;
        if is_latched { self.lines[port].latched } else { self.pins(port) }
    }
}

/// Handshake. A port's lines have four bits of PCR: the active edge of C1, and the mode of C2.
impl Via {
    fn mode_of(&self, port: usize) -> u8 {
        self.registers[PCR] >> (4 * port) & 15
    }

    fn flags_of(port: usize) -> [u8; 2] {
        if port == 0 { [CA1, CA2] } else { [CB1, CB2] }
    }

    /// An access of a port: its flags fall, unless C2 is an independent input; `is_taken` starts a handshake, which a read of
    /// port B does not.
    fn acknowledge(&mut self, port: usize, is_taken: bool) {
        let ([c1, c2], mode) = (Via::flags_of(port), self.mode_of(port) >> 1);
        self.flags &= !c1;
        if !matches!(mode, 1 | 3) {
            self.flags &= !c2;
        }
        // A pulse is over a cycle later, when nobody looks at it.
        if mode == 4 && is_taken {
            self.lines[port].out = false;
        }
    }

    /// The level that a device puts on CA1 (0) or CB1 (1).
    ///
    /// # Panics
    /// If there is no such port.
    pub fn set_c1(&mut self, port: usize, level: bool) {
        let ([c1, _], mode) = (Via::flags_of(port), self.mode_of(port));
        let before = std::mem::replace(&mut self.lines[port].c1, level);
        let rises = mode & 1 != 0;
        if before != level && level == rises {
            if self.flags & c1 == 0 {
                self.lines[port].latched = self.pins(port);
            }
            self.flags |= c1;
            self.lines[port].out = true;
        }
    }

    /// The level that a device puts on CA2 (0) or CB2 (1), while that is an input.
    ///
    /// # Panics
    /// If there is no such port.
    pub fn set_c2(&mut self, port: usize, level: bool) {
        let ([_, c2], mode) = (Via::flags_of(port), self.mode_of(port) >> 1);
        let before = std::mem::replace(&mut self.lines[port].c2, level);
        let rises = mode & 2 != 0;
        if mode < 4 && before != level && level == rises {
            self.flags |= c2;
        }
    }

    /// The level of CA2 (0) or CB2 (1).
    ///
    /// # Panics
    /// If there is no such port.
    pub fn c2(&self, port: usize) -> bool {
        match self.mode_of(port) >> 1 {
            4 => self.lines[port].out,
            5 | 7 => true,
            6 => false,
            _ => self.lines[port].c2,
        }
    }
}

/// The shift register. Its data line is CB2.
impl Via {
    fn shift_mode(&self) -> u8 {
        self.registers[ACR] >> 2 & 7
    }

    /// Cycles of a bit, if the chip has the clock.
    fn bit_cycles(&self) -> Option<u64> {
        match self.shift_mode() {
            1 | 4 | 5 => Some(2 * (u64::from(self.timer_2.latch & 0xff) + 2)),
            2 | 6 => Some(2),
            _ => None,
        }
    }

    fn start_shifting(&mut self) {
        self.flags &= !SHIFTED;
        self.shifting = self.bit_cycles().map_or(0, |cycles| 8 * cycles);
    }

    fn shift_for(&mut self, cycles: u64) {
        let Some(bit) = self.bit_cycles() else {
            self.shifting = 0;
            return;
        };
        let gone = (8 * bit).saturating_sub(self.shifting);
        let (before, after) = (gone / bit, (gone + cycles) / bit);
        let mode = self.shift_mode();
        // Free running has no end, and no interrupt.
        if mode == 4 {
            self.shift = self.shift.rotate_left(((after - before) % 8) as u32);
            self.shifting = 8 * bit - (gone + cycles) % (8 * bit);
            return;
        }
        for _ in before..after.min(8) {
            let next = if mode < 4 { u8::from(self.lines[1].c2) } else { self.shift >> 7 };
            self.shift = self.shift << 1 | next;
        }
        self.shifting = self.shifting.saturating_sub(cycles);
        if self.shifting == 0 {
            self.flags |= SHIFTED;
        }
    }
}

#[cfg(test)]
mod tests;

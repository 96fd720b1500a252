//! The SPI controller as the bus shows it. What is connected belongs to the machine around VERA; of nothing, every byte received is $FF.

use crate::Vera;
use gpuzoo_stored::stored;

/// 25 MHz clocks for a bit: two of 1 or of 32.
const FAST: u64 = 2;
const SLOW: u64 = 64;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Spi {
    /// Bits 2:0: auto-TX, slow, select.
    control: u8,
    /// The byte that arrives, and the one before: the register shifts.
    received: u8,
    previous: u8,
    /// The clock at which the byte on its way has arrived, and clocks for each of its bits.
    done: u64,
    bit: u64,
    /// Bytes started since reset; for tests and debuggers.
    pub sent: u32,
    /// The byte that was started last, until a device takes it.
    sending: Option<u8>,
}

stored! { Spi { control, received, previous, done, bit, sent, sending } if |own: &Spi| matches!(own.bit, 0 | FAST | SLOW) }

impl Spi {
    /// True if a byte that is on its way arrives when its bits have come.
    pub(crate) fn is_at(&self, clock: u64) -> bool {
        self.done.saturating_sub(clock) <= 8 * self.bit
    }

    pub(crate) fn control(&self, clock: u64) -> u8 {
        u8::from(clock < self.done) << 7 | self.control
    }

    pub(crate) fn write_control(&mut self, value: u8) {
        self.control = value & 7;
    }

    /// The register at a clock: with so many bits of the byte that is on its way. Each comes in the middle of its time.
    fn at(&self, clock: u64) -> u8 {
        if clock >= self.done {
            return self.received;
        }
        let bits = 8 - (self.done - clock + self.bit / 2 - 1) / self.bit;
        ((u16::from(self.previous) << 8 | u16::from(self.received)) >> (8 - bits)) as u8
    }

    /// A byte that is started while another is on its way is lost.
    fn start(&mut self, byte: u8, clock: u64) {
        if clock >= self.done {
            self.bit = if self.control & 2 == 0 { FAST } else { SLOW };
            self.done = clock + 8 * self.bit;
            (self.previous, self.received) = (self.received, 0xff);
            self.sending = Some(byte);
            self.sent = self.sent.wrapping_add(1);
        }
    }
}

impl Vera {
    pub(crate) fn peek_spi(&self) -> u8 {
        self.spi.at(self.clock())
    }

    /// With auto-TX, reading starts the next byte.
    pub(crate) fn read_spi(&mut self) -> u8 {
        let value = self.peek_spi();
        if self.spi.control & 4 != 0 {
            let clock = self.clock();
            self.spi.start(0xff, clock);
        }
        value
    }

    pub(crate) fn write_spi(&mut self, value: u8) {
        let clock = self.clock();
        self.spi.start(value, clock);
    }

    /// True while the device is selected.
    pub fn selects_card(&self) -> bool {
        self.spi.control & 1 != 0
    }

    /// The byte that was started, once.
    pub fn take_sent(&mut self) -> Option<u8> {
        self.spi.sending.take()
    }

    /// The device's answer to it.
    pub fn receive(&mut self, byte: u8) {
        self.spi.received = byte;
    }
}

#[cfg(test)]
mod tests {
    use crate::Vera;

    #[test]
    fn busy_for_eight_bits() {
        for (control, clocks) in [(1, 16), (3, 512)] {
            let mut vera = Vera::default();
            vera.write(0x1f, control);
            vera.write(0x1e, 0x12);
            vera.advance_clocks(clocks - 1);
            assert_eq!(vera.read(0x1f), 0x80 | control);
            vera.advance_clocks(1);
            assert_eq!((vera.read(0x1f), vera.read(0x1e)), (control, 0xff));
            assert_eq!(vera.spi.sent, 1);
        }
    }

    #[test]
    fn the_register_shifts() {
        let mut vera = Vera::default();
        vera.write(0x1f, 1);
        vera.write(0x1e, 0);
        let mut seen = vec![vera.peek(0x1e)];
        for _ in 0..16 {
            vera.advance_clocks(1);
            seen.push(vera.peek(0x1e));
        }
        let ones = |count: u32| (0xffu16 >> (8 - count)) as u8;
        assert_eq!(seen, (0..=16u32).map(|clock| ones(clock.div_ceil(2))).collect::<Vec<u8>>());
        vera.write(0x1e, 0x55);
        assert_eq!(vera.take_sent(), Some(0x55));
        vera.receive(0xa5);
        vera.advance_clocks(7);
        assert_eq!(vera.peek(0x1e), 0xfa);
        vera.advance_clocks(9);
        assert_eq!((vera.peek(0x1e), vera.take_sent()), (0xa5, None));
    }

    #[test]
    fn auto_tx_starts_with_a_read() {
        let mut vera = Vera::default();
        vera.write(0x1f, 5);
        vera.peek(0x1e);
        assert_eq!(vera.spi.sent, 0);
        vera.read(0x1e);
        assert_eq!((vera.spi.sent, vera.read(0x1f)), (1, 0x85));
    }
}

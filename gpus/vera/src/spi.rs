//! The SPI controller as the bus shows it. Nothing is connected, so every byte received is $FF.

use crate::Vera;

/// 25 MHz clocks for a bit: two of 1 or of 32.
const FAST: u64 = 2;
const SLOW: u64 = 64;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Spi {
    /// Bits 2:0: auto-TX, slow, select.
    control: u8,
    received: u8,
    /// The clock at which the byte on its way has arrived.
    done: u64,
    /// Bytes started since reset; for tests and debuggers.
    pub sent: u32,
}

impl Spi {
    pub(crate) fn control(&self, clock: u64) -> u8 {
        u8::from(clock < self.done) << 7 | self.control
    }

    pub(crate) fn write_control(&mut self, value: u8) {
        self.control = value & 7;
    }

    /// A byte that is started while another is on its way is lost.
    fn start(&mut self, clock: u64) {
        if clock >= self.done {
            self.done = clock + 8 * if self.control & 2 == 0 { FAST } else { SLOW };
            self.received = 0xff;
            self.sent = self.sent.wrapping_add(1);
        }
    }
}

impl Vera {
    pub(crate) fn peek_spi(&self) -> u8 {
        self.spi.received
    }

    /// With auto-TX, reading starts the next byte.
    pub(crate) fn read_spi(&mut self) -> u8 {
        let value = self.spi.received;
        if self.spi.control & 4 != 0 {
            let clock = self.clock();
            self.spi.start(clock);
        }
        value
    }

    pub(crate) fn write_spi(&mut self, _value: u8) {
        let clock = self.clock();
        self.spi.start(clock);
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
    fn auto_tx_starts_with_a_read() {
        let mut vera = Vera::default();
        vera.write(0x1f, 5);
        vera.peek(0x1e);
        assert_eq!(vera.spi.sent, 0);
        vera.read(0x1e);
        assert_eq!((vera.spi.sent, vera.read(0x1f)), (1, 0x85));
    }
}

//! What the bus shows of sound: the PCM FIFO's level. Nothing is played.

/// Bytes of the FIFO; one place stays free.
const CAPACITY: u16 = 4095;
/// AFLOW is asked for below this level.
const LOW: u16 = 1024;
/// 25 MHz clocks from one sample to the next: 48,828.125 Hz.
const SAMPLE_CLOCKS: u64 = 512;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Audio {
    /// Bits 5:0 of AUDIO_CTRL: 16-bit, stereo, volume.
    mode: u8,
    pub rate: u8,
    /// Bytes in the FIFO.
    pub level: u16,
    /// The rate divider; a sample is due when its top bit changes.
    divider: u8,
    /// The clock of the next step of the divider.
    due: u64,
}

impl Audio {
    /// Audio that starts at a clock.
    pub(crate) fn new(clock: u64) -> Audio {
        Audio { due: clock, ..Audio::default() }
    }

    pub(crate) fn control(&self) -> u8 {
        u8::from(self.level == CAPACITY) << 7 | u8::from(self.level == 0) << 6 | self.mode
    }

    pub(crate) fn write_control(&mut self, value: u8) {
        self.mode = value & 0x3f;
        if value & 0x80 != 0 {
            self.level = 0;
        }
    }

    /// AUDIO_DATA: one byte more, unless it is full.
    pub(crate) fn push(&mut self) {
        self.level = (self.level + 1).min(CAPACITY);
    }

    pub(crate) fn is_low(&self) -> bool {
        self.level < LOW
    }

    /// Takes the samples out that are due until now.
    #[inline]
    pub(crate) fn run_to(&mut self, clock: u64) {
        while self.due <= clock {
            self.due += SAMPLE_CLOCKS;
            let before = self.divider;
            self.divider = before.wrapping_add(self.rate);
            if (before ^ self.divider) & 0x80 != 0 {
                let bytes = (1 + u16::from(self.mode >> 5 & 1)) << (self.mode >> 4 & 1);
                self.level = self.level.saturating_sub(bytes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vera;

    #[test]
    fn the_fifo_is_full_at_4095_and_low_below_1024() {
        let mut vera = Vera::default();
        assert_eq!(vera.read(0x1b), 0x40);
        for _ in 0..1023 {
            vera.write(0x1d, 0);
        }
        assert_eq!(vera.read(0x07), 8);
        vera.write(0x1d, 0);
        assert_eq!(vera.read(0x07), 0);
        for _ in 0..4000 {
            vera.write(0x1d, 0);
        }
        vera.write(0x1b, 0x3f);
        assert_eq!((vera.audio.level, vera.read(0x1b)), (4095, 0xbf));
        vera.write(0x1b, 0x80);
        assert_eq!(vera.read(0x1b), 0x40);
    }

    /// Bit 5 is 16 bits, and bit 4 stereo. A rate of 128 takes a sample every 512 clocks, the first one at once.
    #[test]
    fn samples_have_one_to_four_bytes() {
        for (mode, bytes) in [(0x0f, 1), (0x1f, 2), (0x2f, 2), (0x3f, 4)] {
            let mut audio = Audio { level: 100, mode, rate: 128, ..Audio::default() };
            audio.run_to(9 * 512 - 1);
            assert_eq!(audio.level, 100 - 9 * bytes);
            audio.run_to(9 * 512);
            assert_eq!(audio.level, 100 - 10 * bytes);
        }
        // Rate 64 takes one sample in two.
        let mut audio = Audio { level: 100, rate: 64, ..Audio::default() };
        audio.run_to(9 * SAMPLE_CLOCKS + 1);
        assert_eq!(audio.level, 95);
    }
}

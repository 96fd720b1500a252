//! Interrupts: three events that stay until they are cleared, and the audio FIFO's level.

use crate::Vera;
use gpuzoo_stored::stored;

/// Bits of IEN and ISR.
pub(crate) const VSYNC: u8 = 1;
pub(crate) const LINE: u8 = 2;
pub(crate) const SPRCOL: u8 = 4;
pub(crate) const AFLOW: u8 = 8;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Interrupts {
    /// Bits 3:0 of IEN.
    pub enable: u8,
    /// Bits 2:0 of ISR; events set them for any IEN.
    pub status: u8,
    /// IRQLINE, 9 bits.
    pub line: u16,
}

stored! { Interrupts { enable, status, line } }

impl Interrupts {
    /// IEN also holds bit 8 of IRQLINE and of SCANLINE.
    pub(crate) fn read_enable(&self, scanline: u16) -> u8 {
        (self.line >> 8 << 7) as u8 | (scanline >> 8 << 6) as u8 & 0x40 | self.enable
    }

    pub(crate) fn write_enable(&mut self, value: u8) {
        self.line = (self.line & 0xff) | u16::from(value >> 7) << 8;
        self.enable = value & 0x0f;
    }
}

impl Vera {
    /// ISR. AFLOW is a level: the FIFO holds less than 1024 bytes, as it does after reset.
    pub(crate) fn interrupt_status(&self) -> u8 {
        let aflow = if self.audio.is_low() { AFLOW } else { 0 };
        self.video.collisions << 4 | aflow | self.interrupts.status
    }

    /// True if AFLOW is enabled and has not come: it is the one event that comes within a line.
    #[inline]
    pub fn waits_for_audio(&self) -> bool {
        self.interrupts.enable & AFLOW != 0 && !self.audio.is_low()
    }

    /// IRQLINE.
    pub fn irq_line(&self) -> u16 {
        self.interrupts.line
    }

    /// The line is shown whose beginning is the LINE interrupt.
    pub fn is_in_irq_line(&self) -> bool {
        self.video.shown_line == self.interrupts.line
    }

    /// The state of the interrupt pin: true while the CPU is asked for attention.
    pub fn irq(&self) -> bool {
        self.interrupt_status() & self.interrupts.enable & 0x0f != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bit_8_of_the_line_sits_in_ien() {
        let mut vera = Vera::default();
        vera.write(0x06, 0x85);
        vera.write(0x08, 0xff);
        assert_eq!(vera.interrupts.line, 0x1ff);
        assert_eq!(vera.read(0x06), 0x85);
        vera.write(0x06, 0x0a);
        assert_eq!((vera.interrupts.line, vera.read(0x06)), (0xff, 0x0a));
    }

    #[test]
    fn events_stay_until_cleared_and_the_level_does_not() {
        let mut vera = Vera::default();
        vera.interrupts.status = VSYNC | LINE | SPRCOL;
        vera.write(0x06, VSYNC);
        assert!(vera.irq());
        vera.write(0x07, !LINE);
        assert_eq!(vera.read(0x07), AFLOW | LINE);
        assert!(!vera.irq());
        vera.write(0x06, AFLOW);
        assert!(vera.irq());
    }
}

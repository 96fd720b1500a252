//! Four SNES controllers at VIA 1: PA2 latches their buttons, PA3 clocks them out, PA7 to PA4 are the data of the first to the fourth.
//!
//! A controller is a shift register of 16 bits. The last four are 1, and what follows is 0; a line without a controller is
//! pulled up. So 24 bits tell whether one is there.

use gpuzoo_stored::stored;

/// How many there can be.
const CONTROLLERS: usize = 4;

/// The buttons, as an [`Event`](crate::Event) has them.
const BUTTONS: u16 = 0xf0ff;

/// The controllers and the lines that they share.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Controllers {
    /// Buttons that are down, bit 15 the first that is sent.
    pads: [Option<u16>; CONTROLLERS],
    /// What is shifted out.
    latched: [u16; CONTROLLERS],
    /// Bits that are out.
    shifted: u8,
    latch: bool,
    clock: bool,
}

stored! { Controllers { pads, latched, shifted, latch, clock } }

impl Controllers {
    /// Connects a controller, 1 to 4, with no button down.
    pub fn connect(&mut self, number: u8) {
        self.press(number, 0);
    }

    /// Connects a controller, 1 to 4, with these buttons down. Bits are in the order in which they are sent, from the low byte's bit 7
    /// on, then the high byte's.
    pub fn press(&mut self, number: u8, down: u16) {
        let index = usize::from(number.wrapping_sub(1));
        if let (Some(pad), Some(latched)) = (self.pads.get_mut(index), self.latched.get_mut(index)) {
            let bits = (down & BUTTONS).swap_bytes();
            *pad = Some(bits);
            if self.latch {
                *latched = bits;
            }
        }
    }

    /// Takes the levels of the latch and the clock.
    pub fn set(&mut self, latch: bool, clock: bool) {
        if latch {
            self.latched = self.pads.map(Option::unwrap_or_default);
            self.shifted = 0;
        } else if clock && !self.clock {
            self.shifted = self.shifted.saturating_add(1);
        }
        (self.latch, self.clock) = (latch, clock);
    }

    /// The data lines, bits 7 to 4.
    pub fn lines(&self) -> u8 {
        let level = |index: usize| match (self.pads[index], self.shifted) {
            (None, _) => true,
            (Some(_), shifted @ 0..16) => self.latched[index] << shifted & 0x8000 == 0,
            _ => false,
        };
        (0..CONTROLLERS).fold(0, |lines, index| lines | u8::from(level(index)) << (7 - index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bits of all controllers, as the KERNAL reads them.
    fn read(controllers: &mut Controllers) -> [u32; CONTROLLERS] {
        controllers.set(false, true);
        controllers.set(true, true);
        controllers.set(false, false);
        let mut bits = [0; CONTROLLERS];
        for _ in 0..24 {
            controllers.set(false, false);
            let lines = controllers.lines();
            for (index, bits) in bits.iter_mut().enumerate() {
                *bits = *bits << 1 | u32::from(lines >> (7 - index) & 1);
            }
            controllers.set(false, true);
        }
        bits
    }

    #[test]
    fn buttons_come_in_their_order() {
        let mut controllers = Controllers::default();
        controllers.connect(1);
        // B, RIGHT and R, and bits that mean nothing.
        controllers.press(3, 0x1081 | 0x0f00);
        controllers.press(5, 0x1081);
        assert_eq!(read(&mut controllers), [0xffff00, 0xffffff, 0x7eef00, 0xffffff]);
        controllers.press(3, 0);
        controllers.press(4, 0xffff);
        assert_eq!(read(&mut controllers), [0xffff00, 0xffffff, 0xffff00, 0x000f00]);
    }

    /// What is pressed while the bits are on their way is seen the next time.
    #[test]
    fn the_latch_holds() {
        let mut controllers = Controllers::default();
        controllers.press(2, 0x40);
        controllers.set(true, false);
        controllers.press(2, 0x80);
        assert_eq!(controllers.lines(), 0xb0, "the latch is open");
        controllers.set(false, false);
        controllers.press(2, 0);
        assert_eq!(controllers.lines(), 0xb0);
        controllers.set(false, true);
        assert_eq!(controllers.lines(), 0xf0);
    }
}

//! The line helper: ADDR1 always steps by its own increment, and sometimes by ADDR0's as well.

use crate::ports::Step;
use crate::profile::Deviation;
use crate::{PORT0, PORT1, Vera};

/// Bit 9 of X: set when the fraction ran over, so only its parity counts (a slope of 2.0 never runs over).
const OVERFLOW: u32 = super::PIXEL;

impl Vera {
    /// The step of a DATA1 access in mode 1 (ad:574-577, 899-905).
    pub(crate) fn line_step(&mut self) {
        if self.deviates(Deviation::LineLeavesY) {
            self.advance_x();
        } else {
            self.advance_positions();
        }
        let always = self.step_of(PORT1);
        let sometimes = self.step_of(PORT0);
        self.move_port(PORT1, always);
        if self.fx.x.position & OVERFLOW != 0 {
            self.fx.x.position &= !OVERFLOW;
            self.sometimes_step(sometimes);
        }
    }

    /// RTL computes a half-byte step from ADDR0's nibble bit, so that it moves ADDR1 by a whole byte or not at all. The
    /// reference's octant table wants half a byte.
    fn sometimes_step(&mut self, step: Step) {
        let from = self.ports[PORT0];
        let half = self.fx.four_bit && from.nibble_increment;
        let moves_nibble = self.deviates(Deviation::HalfByteLine)
            || (self.deviates(Deviation::DocumentedHalfByteLine) && from.code == 0);
        if half && moves_nibble {
            let half_byte = self.ports[PORT1].half_byte(from.decrement);
            self.move_port(PORT1, half_byte);
            self.move_port(PORT1, Step { bytes: from.stride, flips: false });
        } else {
            // The sometimes step never hops and never flips ADDR1's nibble (ad:280, 917-921).
            self.move_port(PORT1, Step { bytes: step.bytes, flips: false });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::test::{banks, line_machine};
    use crate::{Profile, Vera};

    fn walk(vera: &mut Vera, steps: usize) -> Vec<u32> {
        let mut path = Vec::new();
        for _ in 0..steps {
            vera.write(0x04, 1);
            path.push(vera.ports[1].address);
        }
        path
    }

    #[test]
    fn a_slope_of_three_quarters() {
        // X starts at ½; each step adds ¾: 1.25 over, 1.0 over (0.25 + 0.75), 0.75 not, 1.5 over, and so on.
        let mut vera = line_machine(Profile::Rtl, 0x10, 0xe0, 0x0180, 0);
        assert_eq!(walk(&mut vera, 4), [321, 642, 643, 964]);
    }

    #[test]
    fn slope_two_never_overflows_and_slope_one_always_does() {
        let mut vera = line_machine(Profile::Rtl, 0x10, 0xe0, 0x0400, 0);
        assert_eq!(walk(&mut vera, 3), [1, 2, 3]);
        let mut vera = line_machine(Profile::Rtl, 0x10, 0xe0, 0x0200, 0);
        assert_eq!(walk(&mut vera, 3), [321, 642, 963]);
    }

    #[test]
    fn half_byte_sideways_steps_differ_by_source() {
        // Octant 6 in 4-bit mode with slope 1: ADDR1 goes down 160 bytes, ADDR0's increment is half a byte.
        // RTL: ADDR0's nibble is 0, so nothing is added. Documented: half a byte, so two lines make one byte.
        let mut vera = line_machine(Profile::Rtl, 0xd0, 0x04, 0x0200, 4);
        assert_eq!(walk(&mut vera, 2), [160, 320]);
        assert!(!vera.ports[1].nibble);
        for profile in [Profile::Documented, Profile::X16Emu] {
            let mut vera = line_machine(profile, 0xd0, 0x04, 0x0200, 4);
            assert_eq!(walk(&mut vera, 1), [160], "{}", profile.name());
            assert!(vera.ports[1].nibble);
            assert_eq!(walk(&mut vera, 1), [321]);
            assert!(!vera.ports[1].nibble);
        }
    }

    #[test]
    fn y_advances_as_well() {
        let mut vera = line_machine(Profile::Rtl, 0x10, 0xe0, 0x0180, 0);
        banks(&mut vera, &[(3, 0x0b, 0x01)]);
        walk(&mut vera, 2);
        assert_eq!(vera.fx.y.position, 258);
        let mut vera = line_machine(Profile::X16Emu, 0x10, 0xe0, 0x0180, 0);
        banks(&mut vera, &[(3, 0x0b, 0x01)]);
        walk(&mut vera, 2);
        assert_eq!(vera.fx.y.position, 256);
    }
}

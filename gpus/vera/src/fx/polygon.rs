//! The polygon filler: ADDR1 is ADDR0 plus X, and the distance to the second X is the fill length. Its 2-bit mode pokes
//! single pixels at the two ends.

use crate::profile::Deviation;
use crate::{Mode, PORT0, PORT1, Vera};

/// `FX_POLY_FILL_L` and `FX_POLY_FILL_H`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FillLength {
    /// The register at DCSEL 5, 0B.
    pub low: u8,
    /// The register at DCSEL 5, 0C.
    pub high: u8,
}

impl Vera {
    /// ADDR1 = ADDR0 + X, and the latch is refilled (ad:873-881).
    pub(crate) fn aim_polygon(&mut self) {
        let pixels = self.pixels(self.fx.x.position, !self.deviates(Deviation::UnsignedAim));
        let base = self.ports[PORT0].address;
        let bytes = if self.fx.four_bit { pixels >> 1 } else { pixels };
        let nibble = if self.fx.four_bit {
            pixels & 1 != 0
        } else if self.deviates(Deviation::AimKeepsNibble) {
            self.ports[PORT1].nibble
        } else {
            false
        };
        self.ports[PORT1].address = base.wrapping_add(bytes as u32) & self.address_bits();
        self.ports[PORT1].nibble = nibble;
        self.refill(PORT1);
    }

    /// The whole pixels of a position: 11 bits, or 16 where positions wrap late.
    fn pixels(&self, position: u32, signed: bool) -> i32 {
        let unused = if self.deviates(Deviation::LatePositionWrap) { 16 } else { 21 };
        let top = position >> 9 << unused;
        if signed { top as i32 >> unused } else { (top >> unused) as i32 }
    }

    /// What a DATA0 read does besides stepping, and a DATA1 read in place of it.
    pub(crate) fn polygon_advance(&mut self) {
        self.advance_positions();
        self.fx.latched_length = self.difference();
    }

    /// Y minus X in whole pixels, 16 bits.
    fn difference(&self) -> u16 {
        let [x, y] = [self.fx.x, self.fx.y].map(|axis| self.pixels(axis.position, true));
        (y - x) as u16
    }

    /// The fill length registers, live from the two positions (ad:352-377).
    pub fn fill_length(&self) -> FillLength {
        let fx = &self.fx;
        let length =
            if self.deviates(Deviation::LatchedFillLength) { fx.latched_length } else { self.difference() };
        let bit = |position: u32, from: u32, to: u32| (position >> from & 1) as u8 * (1 << to);
        let (x, y) = (fx.x.position, fx.y.position);
        let n = length & 0x3ff;
        let high = (n >> 3 << 1) as u8;
        let two_bit = fx.is_two_bit_polygon();
        if self.deviates(Deviation::WideBadLength) {
            if length >= 768 {
                let is_two_bit = fx.two_bit && fx.mode == Mode::Polygon;
                return FillLength { low: if is_two_bit { 0 } else { 0x80 }, high };
            }
        } else if n >> 8 == 3 {
            let low = if two_bit { bit(y, 8, 7) | bit(x, 8, 0) } else { 0x80 };
            return FillLength { low, high };
        }
        let ends = bit(x, 10, 6) | bit(x, 9, 5);
        let low = if !fx.four_bit {
            u8::from(n >= 16) << 7 | ends | ((n & 15) << 1) as u8
        } else if two_bit {
            bit(y, 8, 7) | ends | bit(x, 11, 4) | ((n & 7) << 1) as u8 | bit(x, 8, 0)
        } else {
            u8::from(n >= 8) << 7 | ends | bit(x, 11, 4) | ((n & 7) << 1) as u8
        };
        FillLength { low, high }
    }

    /// True if a DATA write on this port is a poke (ad:664).
    #[inline]
    pub fn pokes(&self, port: usize) -> bool {
        if !self.fx.poke_armed {
            return false;
        }
        if self.deviates(Deviation::EagerPoke) {
            return self.fx.mode != Mode::Normal;
        }
        port == PORT1 && self.fx.mode == Mode::Polygon
    }

    /// Two bits of the cache byte go into the latched byte, which is stored plainly; nothing steps (ad:663-685).
    pub(crate) fn poke(&mut self, value: u8) {
        let mask = 0xc0u8 >> (value >> 6 << 1);
        let latch = self.ports[PORT1].latch;
        let byte = (latch & !mask) | (self.fx.cache[self.fx.cache_byte & 3] & mask);
        let address = self.ports[PORT1].address;
        self.fx.poke_armed = false;
        if self.deviates(Deviation::EagerPoke) {
            self.store_in_vram(address, byte);
        } else {
            self.store_plain(address, byte);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FillLength;
    use crate::test::banks;
    use crate::{Profile, Vera};

    fn polygon(control: u8, tile: u8, x: u32, y: u32) -> Vera {
        let mut vera = Vera::default();
        banks(&mut vera, &[(2, 0x09, control), (2, 0x0a, tile)]);
        vera.fx.x.position = x & 0xf_ffff;
        vera.fx.y.position = y & 0xf_ffff;
        vera
    }

    #[test]
    fn fill_lengths_by_hand() {
        let length = |control, tile, x, y| polygon(control, tile, x, y).fill_length();
        // 8-bit: X = 5, Y = 12: n = 7, X bits 1:0 = 01.
        assert_eq!(length(2, 0, 5 << 9, 12 << 9), FillLength { low: 0b0010_1110, high: 0 });
        // n = 100 = %0001100100: at least 16, low four bits 0100, high bits 9:3 = 0001100.
        assert_eq!(length(2, 0, 0, 100 << 9), FillLength { low: 0b1000_1000, high: 0b0001_1000 });
        // 4-bit: X = 6 = %110, n = 9: at least 8, X bit 2 set, n bits 2:0 = 1.
        assert_eq!(length(6, 0, 6 << 9, 15 << 9), FillLength { low: 0b1101_0010, high: 2 });
        // Where bit 7 says that there is more: from 16 on with bytes, from 8 on with nibbles.
        for (control, most) in [(2, 15), (6, 7)] {
            assert_eq!(
                length(control, 0, 0, most << 9),
                FillLength { low: (most << 1) as u8, high: (most >> 3 << 1) as u8 }
            );
            assert_eq!(
                length(control, 0, 0, (most + 1) << 9),
                FillLength { low: 0x80, high: ((most + 1) >> 3 << 1) as u8 }
            );
        }
        // Negative: bits 6:1 are 0 and bit 7 is set; n = 1023, the high byte is not suppressed.
        assert_eq!(length(2, 0, 1 << 9, 0), FillLength { low: 0x80, high: 0xfe });
        // -257 = 767 is not recognised: %10_1111_1111.
        assert_eq!(length(2, 0, 257 << 9, 0), FillLength { low: 0x80 | 0x20 | 0x1e, high: 0xbe });
        // 2-bit: the halves of Y and X are in bits 7 and 0, also for a bad length.
        assert_eq!(length(6, 1, 1 << 9 | 256, 3 << 9 | 256), FillLength { low: 0b1010_0101, high: 0 });
        assert_eq!(length(6, 1, 3 << 9 | 256, 1 << 9), FillLength { low: 1, high: 0xfe });
    }

    #[test]
    fn aiming_adds_a_signed_x() {
        // X = -3: 8-bit ADDR1 = ADDR0 - 3; 4-bit: -3 >> 1 = -2 with the nibble set.
        let mut vera = polygon(2, 0, (-3i32 << 9) as u32, 0);
        vera.ports[0].address = 0x1000;
        vera.ports[1].nibble = true;
        vera.aim_polygon();
        assert_eq!((vera.ports[1].address, vera.ports[1].nibble), (0xffd, false));
        banks(&mut vera, &[(2, 0x09, 6)]);
        vera.aim_polygon();
        assert_eq!((vera.ports[1].address, vera.ports[1].nibble), (0xffe, true));
    }

    #[test]
    fn pokes_replace_two_bits_of_the_latched_byte() {
        for (number, mask) in [(0u8, 0xc0u8), (1, 0x30), (2, 0x0c), (3, 0x03)] {
            let mut vera = polygon(6, 1, 0, 0);
            vera.vram[0x1002] = 0x5a;
            banks(&mut vera, &[(6, 0x09, 0xe7)]);
            vera.write(0x05, 1);
            vera.write(0x01, 0x10);
            // Only bits 1:0 of the low byte are taken.
            vera.write(0x00, 0xfe);
            assert_eq!(vera.ports[1].address, 0x1002);
            vera.vram[0x1002] = 0; // The latch counts, not the memory.
            vera.write(0x04, number << 6);
            assert_eq!(vera.vram[0x1002], 0x5a & !mask | 0xe7 & mask);
            assert_eq!(vera.ports[1].latch, 0x5a);
        }
    }

    #[test]
    fn an_armed_poke_blocks_reads_and_survives_other_modes() {
        let mut vera = polygon(6, 1, 0, 0);
        vera.write(0x05, 1);
        vera.write(0x00, 0);
        let x = vera.fx.x.position;
        banks(&mut vera, &[(3, 0x09, 7)]);
        vera.read(0x04);
        assert_eq!(vera.fx.x.position, x);
        banks(&mut vera, &[(2, 0x09, 0)]);
        vera.write(0x04, 0xff);
        assert!(vera.fx.poke_armed);
        banks(&mut vera, &[(2, 0x09, 6)]);
        vera.write(0x04, 0);
        assert!(!vera.fx.poke_armed);
    }

    #[test]
    fn the_emulators_length_is_that_of_the_last_read() {
        let mut vera = Vera::new(Profile::X16Emu);
        banks(&mut vera, &[(2, 0x09, 2)]);
        vera.fx.y.position = 9 << 9;
        assert_eq!(vera.fill_length().low, 0);
        vera.read(0x03);
        assert_eq!(vera.fill_length().low, 18);
    }
}

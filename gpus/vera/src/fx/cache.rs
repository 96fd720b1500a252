//! The 32-bit cache: reads fill it, writes may store it, and its byte index cycles.

use crate::profile::Deviation;
use crate::{Mode, PORT0, SHADOWS, VRAM_BYTES, VRAM_MASK, Vera};

/// The bits of a 32-bit word that a byte of nibble bits selects.
const NIBBLES: [u32; 256] = {
    let mut masks = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                masks[byte] |= 0xf << (4 * bit);
            }
            bit += 1;
        }
        byte += 1;
    }
    masks
};

/// The bits of the nibbles (or bytes) of a word that are not zero.
fn opaque(word: u32, four_bit: bool) -> u32 {
    let any = word | word >> 1;
    let any = (any | any >> 2) & 0x1111_1111;
    let any = if four_bit { any } else { (any | any >> 4) & 0x0101_0101 };
    any * if four_bit { 0xf } else { 0xff }
}

impl Vera {
    /// What a DATA read leaves in the cache (ad:598-655). `nibble` is the port's nibble bit before it steps.
    #[inline]
    pub(crate) fn note_read(&mut self, port: usize, value: u8, nibble: bool) {
        if self.fx.cache_fill {
            self.fill(value, nibble);
        } else if self.fx.one_byte_cycling && self.fx.mode == Mode::Polygon && port == PORT0 {
            let pairs = self.fx.two_byte && !self.deviates(Deviation::CyclingIgnoresPairs);
            self.next_byte(pairs);
        }
    }

    fn fill(&mut self, value: u8, nibble: bool) {
        let fx = &mut self.fx;
        let byte = &mut fx.cache[fx.cache_byte & 3];
        if !fx.four_bit {
            *byte = value;
            self.next_byte(self.fx.two_byte);
            return;
        }
        let four = if nibble { value & 15 } else { value >> 4 };
        *byte = if fx.cache_nibble { (*byte & 0xf0) | four } else { (*byte & 0x0f) | four << 4 };
        // Three bits count on; the two-byte mode has no effect here.
        fx.cache_byte = (fx.cache_byte + usize::from(fx.cache_nibble)) & 3;
        fx.cache_nibble = !fx.cache_nibble;
    }

    fn next_byte(&mut self, pairs: bool) {
        let index = self.fx.cache_byte;
        self.fx.cache_byte = if pairs { index ^ 1 } else { (index + 1) & 3 };
    }

    /// What a DATA write stores (spec section 8.7); `value` is the CPU's byte.
    #[inline]
    pub(crate) fn store(&mut self, port: usize, value: u8) {
        let address = self.ports[port].address;
        let in_window = (SHADOWS..VRAM_BYTES as u32).contains(&address);
        let fx_acts = !in_window || self.deviates(Deviation::FxInWindows);
        // Bits 7, 6, 4 and 2 of FX_CTRL are those that change a store.
        if self.fx.control & 0xd4 == 0 || !fx_acts {
            self.store_plain(address, value);
            return;
        }
        let fx = &self.fx;
        let byte = if fx.one_byte_cycling { fx.cache[fx.cache_byte & 3] } else { value };
        if fx.cache_write {
            let word = if fx.one_byte_cycling { u32::from(byte) * 0x0101_0101 } else { self.output() };
            let mask = if fx.transparent { opaque(word, fx.four_bit) } else { !NIBBLES[usize::from(value)] };
            self.store_word(address, word, mask);
            return;
        }
        let nibbles = match (fx.four_bit, self.ports[port].nibble) {
            (false, _) => 0xff,
            (true, false) => 0xf0,
            (true, true) => 0x0f,
        };
        if !(fx.transparent && byte & nibbles == 0) {
            self.note_store(address);
            let place = &mut self.vram[(address & VRAM_MASK) as usize];
            *place = (*place & !nibbles) | (byte & nibbles);
        }
        if in_window {
            self.store_in_shadow(address, byte);
        }
    }

    fn store_word(&mut self, address: u32, word: u32, mask: u32) {
        if self.stores.is_some() {
            let written = mask.to_le_bytes();
            (0..4)
                .filter(|&at| written[at as usize] != 0)
                .for_each(|at| self.note_store((address & !3) + at));
        }
        let index = ((address & VRAM_MASK) >> 2) as usize;
        if let Some(bytes) = self.vram.as_chunks_mut::<4>().0.get_mut(index) {
            let old = u32::from_le_bytes(*bytes);
            *bytes = ((old & !mask) | (word & mask)).to_le_bytes();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test::banks;

    #[test]
    fn masks_by_hand() {
        // Bit 2i is the low nibble and 2i + 1 the high nibble of byte i.
        assert_eq!(NIBBLES[0b0000_1111], 0x0000_ffff);
        assert_eq!(NIBBLES[0b1000_0001], 0xf000_000f);
        assert_eq!(opaque(0x1000_0203, false), 0xff00_ffff);
        assert_eq!(opaque(0x1000_0803, true), 0xf000_0f0f);
    }

    #[test]
    fn cache_writes_keep_masked_nibbles() {
        let mut vera = Vera::default();
        banks(
            &mut vera,
            &[(6, 0x09, 0x11), (6, 0x0a, 0x22), (6, 0x0b, 0x33), (6, 0x0c, 0x44), (2, 0x09, 0x40)],
        );
        vera.write(0x00, 0x12);
        // The reference's example: %00001111 writes the bytes at offsets 2 and 3.
        vera.write(0x03, 0b0000_1111);
        assert_eq!(vera.vram[0x10..0x14], [0, 0, 0x33, 0x44]);
        vera.write(0x03, 0b1111_1001);
        assert_eq!(vera.vram[0x10..0x14], [0x10, 0x02, 0x33, 0x44]);
    }

    #[test]
    fn reads_fill_the_cache() {
        let mut vera = Vera::default();
        vera.vram[..4].copy_from_slice(&[0x12, 0x34, 0x56, 0x78]);
        banks(&mut vera, &[(2, 0x09, 0x20)]);
        vera.write(0x02, 0x10);
        for _ in 0..5 {
            vera.read(0x03);
        }
        // Four bytes, then index 0 again with the byte at 4.
        assert_eq!((vera.fx.cache, vera.fx.cache_byte), ([0, 0x34, 0x56, 0x78], 1));
        banks(&mut vera, &[(2, 0x09, 0x24), (2, 0x0c, 0b0110)]);
        vera.write(0x00, 1);
        vera.write(0x02, 0x04);
        // Nibble 3 of eight: the high nibble of $34 goes to the low nibble of byte 1.
        vera.read(0x03);
        assert_eq!((vera.fx.cache[1], vera.fx.cache_byte, vera.fx.cache_nibble), (0x33, 2, false));
        vera.read(0x03);
        assert_eq!(vera.fx.cache[2], 0x46);
    }

    #[test]
    fn shadow_windows_take_plain_bytes() {
        for (profile, in_vram) in [(crate::Profile::Rtl, 0x0f), (crate::Profile::X16Emu, 0x00)] {
            let mut vera = Vera::new(profile);
            banks(&mut vera, &[(2, 0x09, 0x84)]);
            vera.write(0x01, 0xfa);
            vera.write(0x02, 1);
            vera.write(0x03, 0x0f);
            // The high nibble is addressed and 0: transparent, but not in a window.
            assert_eq!(vera.vram[0x1fa00], in_vram);
            assert_eq!(vera.palette.bytes()[0], 0x0f);
        }
    }
}

//! The two data ports: addresses that step, and the byte that each has fetched ahead.

use crate::profile::Deviation;
use crate::{Mode, PORT0, PORT1, SHADOWS, VRAM_BYTES, VRAM_MASK, Vera};
use gpuzoo_stored::stored;

/// Bytes of each increment code.
const STRIDES: [i32; 16] = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 40, 80, 160, 320, 640];

/// First addresses of the palette's and the sprites' shadow windows; the PSG's is [`SHADOWS`].
const PALETTE: u32 = 0x1fa00;
const SPRITES: u32 = 0x1fc00;

/// A data port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Port {
    /// 17 bits (more under a profile whose addresses wrap late).
    pub address: u32,
    /// In 4-bit mode: the low nibble, which is the right pixel.
    pub nibble: bool,
    /// Increment code, 0 to 15.
    pub code: u8,
    /// Steps go down.
    pub decrement: bool,
    /// With code 0 and 4-bit mode: steps of half a byte.
    pub nibble_increment: bool,
    /// The byte that the next DATA read returns. It was read when the address last changed.
    pub latch: u8,
    /// Bytes of a step by the code.
    pub(crate) stride: i32,
}

stored! { Port { address, nibble, code, decrement, nibble_increment, latch, stride } }

/// How far an access moves a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub bytes: i32,
    pub flips: bool,
}

impl Port {
    /// `ADDRx_H`.
    pub(crate) fn high(&self) -> u8 {
        // More than 17 bits would show over the bits above.
        (self.address >> 16) as u8
            | u8::from(self.nibble) << 1
            | u8::from(self.nibble_increment) << 2
            | u8::from(self.decrement) << 3
            | self.code << 4
    }

    fn set_high(&mut self, value: u8) {
        self.address = (self.address & 0xffff) | u32::from(value & 1) << 16;
        self.nibble = value & 2 != 0;
        self.nibble_increment = value & 4 != 0;
        self.decrement = value & 8 != 0;
        self.code = value >> 4;
        let stride = STRIDES[usize::from(self.code)];
        self.stride = if self.decrement { -stride } else { stride };
    }

    /// Half a byte up or down: the address moves when the nibble bit runs over.
    pub(crate) fn half_byte(&self, down: bool) -> Step {
        let bytes = match (down, self.nibble) {
            (false, true) => 1,
            (true, false) => -1,
            _ => 0,
        };
        Step { bytes, flips: true }
    }
}

impl Vera {
    /// The step that a port's increment asks for, the 16-bit hop included (ad:178-222).
    #[inline]
    pub(crate) fn step_of(&self, index: usize) -> Step {
        let port = &self.ports[index];
        if self.fx.control & 0x0c == 0 {
            return Step { bytes: port.stride, flips: false };
        }
        if port.code == 0 && port.nibble_increment && self.fx.four_bit {
            return port.half_byte(port.decrement);
        }
        let hops = index == PORT1 && self.fx.hop && matches!(port.stride, 4 | 320);
        let bytes = match hops {
            true if port.address as u8 & 3 == self.fx.hop_start => 1,
            true => port.stride - 1,
            false => port.stride,
        };
        Step { bytes, flips: false }
    }

    #[inline]
    pub(crate) fn move_port(&mut self, index: usize, step: Step) {
        let bits = self.address_bits();
        let port = &mut self.ports[index];
        port.address = port.address.wrapping_add(step.bytes as u32) & bits;
        port.nibble ^= step.flips;
    }

    /// The bits of a stepped address.
    #[inline]
    pub(crate) fn address_bits(&self) -> u32 {
        if self.deviates(Deviation::LateAddressWrap) { u32::MAX } else { VRAM_MASK }
    }

    /// Fetches ahead. Nothing but an address that is written, stepped or computed does this.
    #[inline]
    pub(crate) fn refill(&mut self, index: usize) {
        let address = self.ports[index].address & VRAM_MASK;
        self.ports[index].latch = self.vram[address as usize];
    }

    #[inline]
    fn step(&mut self, index: usize) {
        let step = self.step_of(index);
        self.move_port(index, step);
    }

    /// A read of DATA0 or DATA1 (spec section 8.3): the latch as it was, then the port moves and refills.
    #[inline]
    pub(crate) fn read_data(&mut self, index: usize) -> u8 {
        let Port { latch, nibble, .. } = self.ports[index];
        self.note_read(index, latch, nibble);
        match (self.fx.mode, index) {
            (Mode::Line, PORT1) => self.line_step(),
            (Mode::Affine, PORT1) => {
                self.advance_positions();
                self.aim_affine();
                return latch;
            }
            (Mode::Polygon, PORT1) => {
                if self.fx.poke_armed && !self.deviates(Deviation::PokeAllowsReads) {
                    return latch;
                }
                self.polygon_advance();
                self.aim_polygon();
                return latch;
            }
            (Mode::Polygon, PORT0) => {
                self.polygon_advance();
                self.step(index);
            }
            _ => self.step(index),
        }
        self.refill(index);
        latch
    }

    /// A write to DATA0 or DATA1: stores at the port's address, then the port moves and refills.
    #[inline]
    pub(crate) fn write_data(&mut self, index: usize, value: u8) {
        if self.pokes(index) {
            self.poke(value);
            return;
        }
        self.store(index, value);
        match (self.fx.mode, index) {
            (Mode::Line, PORT1) => self.line_step(),
            (Mode::Affine, PORT1) if !self.deviates(Deviation::AffineWritesStep) => {
                self.advance_positions();
                self.aim_affine();
                return;
            }
            _ => self.step(index),
        }
        self.refill(index);
    }

    /// A write to `ADDRx_L`, `_M` or `_H` (`part` 0, 1, 2) of the port that ADDRSEL shows.
    pub(crate) fn write_address(&mut self, part: u8, value: u8) {
        let index = self.addrsel;
        let arms = part == 0 && index == PORT1 && self.fx.is_two_bit_polygon();
        if part == 0 && index == PORT1 && self.fx.hop && !(arms && self.deviates(Deviation::PokeKeepsHop)) {
            self.fx.hop_start = value & 3;
        }
        let port = &mut self.ports[index];
        match part {
            0 if arms => {
                port.address = (port.address & VRAM_MASK & !3) | u32::from(value & 3);
                self.fx.poke_armed = true;
            }
            0 => port.address = (port.address & VRAM_MASK & !0xff) | u32::from(value),
            1 => port.address = (port.address & 0x1_00ff) | u32::from(value) << 8,
            _ => port.set_high(value),
        }
        self.refill(index);
    }

    #[inline]
    pub(crate) fn store_in_vram(&mut self, address: u32, value: u8) {
        self.note_store(address);
        self.vram[(address & VRAM_MASK) as usize] = value;
    }

    /// A plain byte: into VRAM, and into the shadow if there is one at the address.
    #[inline]
    pub fn store_plain(&mut self, address: u32, value: u8) {
        self.store_in_vram(address, value);
        if address >= SHADOWS {
            self.store_in_shadow(address, value);
        }
    }

    /// The three write-only windows at the end of VRAM.
    pub(crate) fn store_in_shadow(&mut self, address: u32, value: u8) {
        match address {
            SHADOWS..PALETTE => {
                let index = (address & 0x3f) as usize;
                self.psg[index] = value;
                self.audio.write_voice(index, value, self.clock());
            }
            PALETTE..SPRITES => {
                self.show_to_beam();
                self.palette.write((address & 0x1ff) as usize, value);
            }
            _ if address < VRAM_BYTES as u32 => self.sprites.write((address & 0x3ff) as usize, value),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Vera;
    use crate::test::banks;

    #[test]
    fn increments_go_up_and_down() {
        let mut vera = Vera::default();
        for (code, stride) in super::STRIDES.into_iter().enumerate() {
            for down in [0, 8] {
                vera.write(0x00, 0);
                vera.write(0x01, 0x10);
                vera.write(0x02, (code as u8) << 4 | down);
                vera.read(0x03);
                let moved = if down == 0 { 0x1000 + stride } else { 0x1000 - stride };
                assert_eq!(vera.ports[0].address as i32, moved);
            }
        }
    }

    #[test]
    fn addresses_wrap_at_seventeen_bits() {
        let mut vera = Vera::default();
        vera.write(0x02, 0x18);
        vera.read(0x03);
        assert_eq!(vera.ports[0].address, 0x1ffff);
        vera.write(0x02, 0x11);
        vera.read(0x03);
        assert_eq!((vera.ports[0].address, vera.peek(0x02)), (0, 0x10));
    }

    #[test]
    fn a_latch_is_as_old_as_its_address() {
        let mut vera = Vera::default();
        vera.write(0x05, 1);
        vera.write(0x00, 0); // Port 1 fetches the 0 at address 0.
        vera.write(0x03, 0x55); // Port 0 sees its own write, port 1 does not.
        assert_eq!((vera.read(0x03), vera.read(0x04), vera.read(0x04)), (0x55, 0, 0x55));
    }

    #[test]
    fn half_bytes_step_in_both_directions() {
        let mut vera = Vera::default();
        banks(&mut vera, &[(2, 0x09, 4)]);
        vera.write(0x00, 0x10);
        vera.write(0x02, 0x04);
        for nibble in [0x1fu8, 0x2f, 0x3f, 0x4f] {
            vera.write(0x03, nibble.rotate_left(4));
        }
        // High nibbles of $f1 and $f3, low nibbles of $f2 and $f4.
        assert_eq!(vera.vram[0x10..0x12], [0xf2, 0xf4]);
        vera.write(0x02, 0x0c);
        vera.read(0x03);
        assert_eq!((vera.ports[0].address, vera.ports[0].nibble), (0x11, true));
    }

    #[test]
    fn hops_alternate_on_port_1_only() {
        for (code, far) in [(3, 3), (14, 319)] {
            let mut vera = Vera::default();
            banks(&mut vera, &[(2, 0x09, 8)]);
            vera.write(0x05, 1);
            vera.write(0x00, 0x08);
            vera.write(0x02, code << 4);
            let path: Vec<u32> = (0..4)
                .map(|_| {
                    vera.read(0x04);
                    vera.ports[1].address - 8
                })
                .collect();
            // 319 more than 1 is 320, a multiple of four again.
            assert_eq!(path, [1, 1 + far, 2 + far, 2 + 2 * far]);
        }
    }

    #[test]
    fn windows_write_through() {
        let mut vera = Vera::default();
        vera.write(0x00, 0x02);
        vera.write(0x01, 0xfa);
        vera.write(0x02, 0x11);
        assert_eq!(vera.read(0x03), 0, "the power-on palette is not in VRAM");
        vera.write(0x00, 0x02);
        vera.write(0x03, 0x34);
        vera.write(0x03, 0x12);
        // Entry 1: red 2, green 3, blue 4.
        assert_eq!(vera.palette.rgba(1), [0x22, 0x33, 0x44, 0xff]);
        assert_eq!(vera.vram[0x1fa02..0x1fa04], [0x34, 0x12]);
    }
}

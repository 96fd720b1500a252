//! VERA FX: helpers that compute addresses and rewrite stores. Its registers sit in the DCSEL banks 2 to 6.
//!
//! FX has no engine of its own. Every helper hangs on a DATA access: before it, after it, or in place of what is
//! stored.

mod affine;
mod cache;
mod line;
mod multiplier;
mod polygon;

pub use polygon::FillLength;

use crate::profile::Deviation;
use crate::{VRAM_MASK, Vera};
use gpuzoo_stored::stored;

/// Positions are 11.9 fixed point: a pixel is 512.
pub(crate) const PIXEL: u32 = 512;
const HALF_PIXEL: u32 = 256;
const POSITION_BITS: u32 = 0xf_ffff;
const LATE_POSITION_BITS: u32 = 0x1ff_ffff;

/// What computes ADDR1: bits 1:0 of `FX_CTRL`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Nothing: the ports step as they did before FX.
    #[default]
    Normal,
    /// The line helper.
    Line,
    /// The polygon filler.
    Polygon,
    /// The affine helper.
    Affine,
}

stored! { enum Mode { Normal, Line, Polygon, Affine } }

impl Mode {
    fn from_bits(bits: u8) -> Mode {
        [Mode::Normal, Mode::Line, Mode::Polygon, Mode::Affine][usize::from(bits & 3)]
    }
}

/// Where a helper is (position) and how far it goes with each access (increment).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Axis {
    /// 15 bits, signed 6.9, and the times-32 bit above them: the two registers as they were written.
    pub increment: u16,
    /// 20 bits, 11.9.
    pub position: u32,
}

stored! { Axis { increment, position } }

impl Axis {
    /// The increment in 1/512 pixels, sign-extended and multiplied.
    pub(crate) fn step(self) -> i32 {
        // The sign is bit 14: shift it to the top and back.
        let signed = i32::from((self.increment << 1) as i16 >> 1);
        if self.increment & 0x8000 == 0 { signed } else { signed << 5 }
    }

    fn advance(&mut self, bits: u32) {
        self.position = self.position.wrapping_add(self.step() as u32) & bits;
    }

    /// Sets some bits; what was above 20 bits is lost.
    fn set(&mut self, bits: u32, value: u32) {
        self.position = (self.position & !bits & POSITION_BITS) | (value & bits);
    }

    fn set_increment(&mut self, high: bool, value: u8) {
        let [low, top] = self.increment.to_le_bytes();
        self.increment = u16::from_le_bytes(if high { [low, value] } else { [value, top] });
    }
}

/// Every register and hidden register of FX (spec section 8.1).
#[derive(Clone, Debug, PartialEq)]
pub struct Fx {
    /// `FX_CTRL` as it was written; it can be read.
    pub control: u8,
    /// The helper that computes addresses.
    pub mode: Mode,
    /// Data ports move by nibbles (`FX_CTRL` bit 2).
    pub four_bit: bool,
    /// ADDR1 advances as if 16-bit values were accessed (bit 3).
    pub hop: bool,
    /// A cache write stores one byte of the cache (bit 4).
    pub one_byte_cycling: bool,
    /// Reads fill the cache (bit 5).
    pub cache_fill: bool,
    /// Writes store the cache (bit 6).
    pub cache_write: bool,
    /// Zeros are not stored (bit 7).
    pub transparent: bool,
    /// Byte address of tile 0.
    pub tile_base: u32,
    /// Look-ups outside of the map return tile 0 (`FX_TILEBASE` bit 1).
    pub clip: bool,
    /// Polygons have 2 bits per pixel (`FX_TILEBASE` bit 0).
    pub two_bit: bool,
    /// Byte address of the tile map.
    pub map_base: u32,
    /// log2 of the map's side in tiles: 1, 3, 5 or 7.
    pub map_side: u32,
    /// The accumulator subtracts products (`FX_MULT` bit 5).
    pub subtract: bool,
    /// Cache writes store products (`FX_MULT` bit 4).
    pub multiplier: bool,
    /// Reads fill two bytes of the cache (`FX_MULT` bit 0).
    pub two_byte: bool,
    /// Byte index, 0 to 3.
    pub cache_byte: usize,
    /// Nibble index; true is the low nibble.
    pub cache_nibble: bool,
    /// The X position, and its increment.
    pub x: Axis,
    /// The Y position, and its increment.
    pub y: Axis,
    /// The four bytes of the cache, lowest first.
    pub cache: [u8; 4],
    /// The sum of products.
    pub accumulator: u32,
    /// The accumulator is not connected to the reset: until software resets it, its value is chance.
    pub accumulator_known: bool,
    /// ADDR1 bits 1:0 when the hop began.
    pub hop_start: u8,
    /// The next write to DATA1 replaces two bits of the latch (2-bit polygons).
    pub poke_armed: bool,
    /// A helper has yet to aim ADDR1.
    pub aim_pending: bool,
    /// Only [`Deviation::LatchedFillLength`] reads it.
    pub latched_length: u16,
}

stored! {
    Fx {
        control, mode, four_bit, hop, one_byte_cycling, cache_fill, cache_write, transparent, tile_base, clip, two_bit, map_base, map_side,
        subtract, multiplier, two_byte, cache_byte, cache_nibble, x, y, cache, accumulator, accumulator_known, hop_start, poke_armed,
        aim_pending, latched_length,
    } if |own: &Fx| {
        own.tile_base <= VRAM_MASK && own.map_base <= VRAM_MASK && matches!(own.map_side, 1 | 3 | 5 | 7) && own.cache_byte < 4
    }
}

impl Fx {
    pub(crate) fn new() -> Fx {
        let half = Axis { increment: 0, position: HALF_PIXEL };
        Fx {
            control: 0,
            mode: Mode::Normal,
            four_bit: false,
            hop: false,
            one_byte_cycling: false,
            cache_fill: false,
            cache_write: false,
            transparent: false,
            tile_base: 0,
            clip: false,
            two_bit: false,
            map_base: 0,
            map_side: 1,
            subtract: false,
            multiplier: false,
            two_byte: false,
            cache_byte: 0,
            cache_nibble: false,
            x: half,
            y: half,
            cache: [0; 4],
            accumulator: 0,
            accumulator_known: false,
            hop_start: 0,
            poke_armed: false,
            aim_pending: false,
            latched_length: 0,
        }
    }

    /// Mode 2, 4-bit mode and the 2-bit flag together.
    pub(crate) fn is_two_bit_polygon(&self) -> bool {
        self.mode == Mode::Polygon && self.four_bit && self.two_bit
    }

    /// `FX_TILEBASE` as it was written.
    pub(crate) fn tile_register(&self) -> u8 {
        (self.tile_base >> 9) as u8 | u8::from(self.clip) << 1 | u8::from(self.two_bit)
    }

    /// `FX_MAPBASE` as it was written.
    pub(crate) fn map_register(&self) -> u8 {
        (self.map_base >> 9) as u8 | (self.map_side >> 1) as u8
    }

    /// `FX_MULT` as it is: the two pulses read 0, the indices are those of now.
    pub(crate) fn mult_register(&self) -> u8 {
        u8::from(self.subtract) << 5
            | u8::from(self.multiplier) << 4
            | (self.cache_byte as u8) << 2
            | u8::from(self.cache_nibble) << 1
            | u8::from(self.two_byte)
    }
}

impl Vera {
    /// Both positions add their increments.
    pub(crate) fn advance_positions(&mut self) {
        let bits = self.position_bits();
        self.fx.x.advance(bits);
        self.fx.y.advance(bits);
    }

    pub(crate) fn advance_x(&mut self) {
        let bits = self.position_bits();
        self.fx.x.advance(bits);
    }

    fn position_bits(&self) -> u32 {
        if self.deviates(Deviation::LatePositionWrap) { LATE_POSITION_BITS } else { POSITION_BITS }
    }

    /// A write to 09 to 0C while DCSEL is 2 to 6; `index` counts from 09.
    pub(crate) fn write_fx(&mut self, index: u8, value: u8) {
        match (self.dcsel, index) {
            (2, 0) => self.write_control(value),
            (2, 1) => {
                self.fx.tile_base = u32::from(value & 0xfc) << 9;
                self.fx.clip = value & 2 != 0;
                self.fx.two_bit = value & 1 != 0;
            }
            (2, 2) => {
                self.fx.map_base = u32::from(value & 0xfc) << 9;
                self.fx.map_side = u32::from(value & 3) * 2 + 1;
            }
            (2, _) => self.write_mult(value),
            (3, _) => self.write_increment(index, value),
            (4, _) => self.write_position(index, value),
            (5, 0) => self.fx.x.set(0x1fe, u32::from(value) << 1),
            (5, 1) => self.fx.y.set(0x1fe, u32::from(value) << 1),
            (6, _) => self.fx.cache[usize::from(index & 3)] = value,
            _ => {}
        }
    }

    fn write_control(&mut self, value: u8) {
        let fx = &mut self.fx;
        fx.control = value;
        fx.transparent = value & 0x80 != 0;
        fx.cache_write = value & 0x40 != 0;
        fx.cache_fill = value & 0x20 != 0;
        fx.one_byte_cycling = value & 0x10 != 0;
        fx.hop = value & 8 != 0;
        fx.four_bit = value & 4 != 0;
        fx.mode = Mode::from_bits(value);
        self.aim_if_pending();
    }

    fn write_mult(&mut self, value: u8) {
        let fx = &mut self.fx;
        fx.subtract = value & 0x20 != 0;
        fx.multiplier = value & 0x10 != 0;
        fx.cache_byte = usize::from(value >> 2 & 3);
        fx.cache_nibble = value & 2 != 0;
        fx.two_byte = value & 1 != 0;
        // The new bits apply to the pulses of the same write, and the reset wins.
        if value & 0x40 != 0 {
            self.accumulate();
        }
        if value & 0x80 != 0 {
            self.reset_accumulator();
        }
    }

    fn write_increment(&mut self, index: u8, value: u8) {
        let high = index & 1 != 0;
        let mode = self.fx.mode;
        let keeps_overflow = self.deviates(Deviation::LineKeepsOverflow);
        let axis = if index < 2 { &mut self.fx.x } else { &mut self.fx.y };
        axis.set_increment(high, value);
        if high && matches!(mode, Mode::Line | Mode::Polygon) {
            axis.set(PIXEL - 1, HALF_PIXEL);
            if mode == Mode::Line && index < 2 && !keeps_overflow {
                axis.set(PIXEL, 0);
            }
        }
    }

    fn write_position(&mut self, index: u8, value: u8) {
        let axis = if index < 2 { &mut self.fx.x } else { &mut self.fx.y };
        let value = u32::from(value);
        if index & 1 == 0 {
            axis.set(0x1_fe00, value << 9);
        } else {
            axis.set(0xe_0001, value << 17 | value >> 7);
        }
        if self.deviates(Deviation::PositionsAimAffineOnly) {
            if self.fx.mode == Mode::Affine {
                self.aim_affine();
            }
        } else {
            self.fx.aim_pending = true;
            self.aim_if_pending();
        }
    }

    /// A pending aim waits for mode 2 or 3.
    fn aim_if_pending(&mut self) {
        if !self.fx.aim_pending {
            return;
        }
        match self.fx.mode {
            Mode::Polygon => self.aim_polygon(),
            Mode::Affine => self.aim_affine(),
            _ => return,
        }
        self.fx.aim_pending = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn increments_are_signed_and_may_be_multiplied() {
        // 6.9: $0200 is 1 pixel; $7fff is -1/512; times 32 shifts by five.
        for (register, step) in
            [(0x0200, 512), (0x7fff, -1), (0x4000, -16384), (0x8200, 16384), (0xffff, -32)]
        {
            assert_eq!(Axis { increment: register, position: 0 }.step(), step, "{register:04x}");
        }
    }

    #[test]
    fn positions_wrap_at_twenty_bits() {
        let mut axis = Axis { increment: 0x0001, position: 0xf_ffff };
        axis.advance(POSITION_BITS);
        assert_eq!(axis.position, 0);
        axis.increment = 0x7fff;
        axis.advance(POSITION_BITS);
        assert_eq!(axis.position, 0xf_ffff);
    }

    #[test]
    fn registers_give_back_what_was_written() {
        let mut vera = Vera::default();
        vera.write(0x05, 2 << 1);
        for value in 0..=255 {
            vera.write(0x0a, value);
            vera.write(0x0b, value);
            vera.write(0x0c, value);
            assert_eq!(vera.fx.tile_register(), value);
            assert_eq!(vera.fx.map_register(), value);
            assert_eq!(vera.fx.mult_register(), value & 0x3f);
        }
    }

    #[test]
    fn position_registers_meet_the_bits_of_the_specification() {
        // POS_L 16:9, POS_H bits 2:0 are 19:17 and bit 7 is bit 0, POS_S 8:1.
        let mut vera = Vera::default();
        vera.write(0x05, 4 << 1);
        vera.write(0x09, 0xff);
        assert_eq!(vera.fx.x.position, 0x1_fe00 | 0x100);
        vera.write(0x0a, 0x85);
        assert_eq!(vera.fx.x.position, 0xa_0000 | 0x1_fe00 | 0x100 | 1);
        vera.write(0x05, 5 << 1);
        vera.write(0x0a, 0xaa);
        assert_eq!(vera.fx.y.position, 0x154);
    }

    #[test]
    fn increments_reset_fractions_in_two_modes() {
        // (mode, X after, Y after) from X = Y = $00bff: in mode 1 bit 9 of X goes as well.
        for (mode, x, y) in [(0, 0xbff, 0xbff), (1, 0x900, 0xb00), (2, 0xb00, 0xb00), (3, 0xbff, 0xbff)] {
            let mut vera = Vera::default();
            vera.write(0x05, 2 << 1);
            vera.write(0x09, mode);
            vera.fx.x.position = 0xbff;
            vera.fx.y.position = 0xbff;
            vera.write(0x05, 3 << 1);
            vera.write(0x0a, 0);
            vera.write(0x0c, 0);
            assert_eq!((vera.fx.x.position, vera.fx.y.position), (x, y), "mode {mode}");
        }
    }
}

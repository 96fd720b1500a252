//! The 32 registers and their names, in both spellings of the documents.

use crate::profile::Deviation;
use crate::{Mode, PORT0, PORT1, Vera};

/// The address of register 0 in a Commander X16.
pub const BASE: u16 = 0x9f20;

/// What a register allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Read and write.
    Both,
    /// Write only: reading returns the version (or what another bank's rule says).
    WriteOnly,
    /// Read only: writing does nothing.
    ReadOnly,
    /// A write stores, a read does something else: see the other register at this place.
    Strobe,
}

/// A register's place and name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// The name without prefix: `FX_CTRL`. `VERA_` before it is understood as well.
    pub name: &'static str,
    /// 0 to 31, from [`BASE`].
    pub number: u8,
    /// The DCSEL value for which it is there; `None` for all.
    pub dcsel: Option<u8>,
    /// Who may read and write.
    pub access: Access,
    /// What its bits are, 7 first.
    pub bits: &'static str,
}

const fn at(number: u8, name: &'static str, bits: &'static str) -> Register {
    Register { name, number, dcsel: None, access: Access::Both, bits }
}

const fn bank(dcsel: u8, number: u8, name: &'static str, access: Access, bits: &'static str) -> Register {
    Register { name, number, dcsel: Some(dcsel), access, bits }
}

use Access::{Both, ReadOnly, Strobe, WriteOnly};

/// Every register, by number and bank (spec section 1).
#[rustfmt::skip]
pub static REGISTERS: &[Register] = &[
    at(0x00, "ADDRx_L", "address 7:0 of the port that ADDRSEL chooses"),
    at(0x01, "ADDRx_M", "address 15:8"),
    at(0x02, "ADDRx_H", "7:4 increment code (0 1 2 4 8 16 32 64 128 256 512 40 80 160 320 640), 3 DECR, 2 nibble increment, 1 nibble address, 0 address 16"),
    at(0x03, "DATA0", "the byte at port 0; an access steps the address"),
    at(0x04, "DATA1", "the byte at port 1; the FX helpers act here"),
    at(0x05, "CTRL", "7 reset, 6:1 DCSEL, 0 ADDRSEL"),
    at(0x06, "IEN", "7 interrupt line 8, 6 scanline 8 (read), 3 AFLOW, 2 SPRCOL, 1 LINE, 0 VSYNC"),
    at(0x07, "ISR", "7:4 sprite collisions (read), 3 AFLOW (read), 2 SPRCOL, 1 LINE, 0 VSYNC; writing 1 clears"),
    at(0x08, "IRQLINE_L", "line of the LINE interrupt, 7:0"),
    Register { access: ReadOnly, ..at(0x08, "SCANLINE_L", "line that is scanned out, 7:0") },
    bank(0, 0x09, "DC_VIDEO", Both, "7 field (read), 6 sprites, 5 layer 1, 4 layer 0, 3 240P, 2 chroma off, 1:0 output (0 none, 1 VGA)"),
    bank(0, 0x0a, "DC_HSCALE", Both, "columns per pixel, 128 is 1"),
    bank(0, 0x0b, "DC_VSCALE", Both, "lines per line, 128 is 1"),
    bank(0, 0x0c, "DC_BORDER", Both, "palette index of the border"),
    bank(1, 0x09, "DC_HSTART", Both, "first column of the window, 9:2"),
    bank(1, 0x0a, "DC_HSTOP", Both, "column after the window, 9:2"),
    bank(1, 0x0b, "DC_VSTART", Both, "first line of the window, 8:1"),
    bank(1, 0x0c, "DC_VSTOP", Both, "line after the window, 8:1"),
    bank(2, 0x09, "FX_CTRL", Both, "7 transparent writes, 6 cache write, 5 cache fill, 4 one-byte cycling, 3 16-bit hop, 2 4-bit mode, 1:0 ADDR1 mode (0 plain, 1 line, 2 polygon, 3 affine)"),
    bank(2, 0x0a, "FX_TILEBASE", WriteOnly, "7:2 tiles' address 16:11, 1 affine clip, 0 2-bit polygons"),
    bank(2, 0x0b, "FX_MAPBASE", WriteOnly, "7:2 map's address 16:11, 1:0 map size (2, 8, 32, 128 tiles square)"),
    bank(2, 0x0c, "FX_MULT", WriteOnly, "7 reset accumulator, 6 accumulate, 5 subtract, 4 multiplier, 3:2 cache byte index, 1 cache nibble index, 0 two-byte cycling"),
    bank(3, 0x09, "FX_X_INCR_L", WriteOnly, "X increment 7:0, in 1/512 pixel"),
    bank(3, 0x0a, "FX_X_INCR_H", WriteOnly, "7 times 32, 6:0 X increment 14:8, signed"),
    bank(3, 0x0b, "FX_Y_INCR_L", WriteOnly, "Y (X2) increment 7:0"),
    bank(3, 0x0c, "FX_Y_INCR_H", WriteOnly, "7 times 32, 6:0 Y (X2) increment 14:8, signed"),
    bank(4, 0x09, "FX_X_POS_L", WriteOnly, "X position 7:0, in pixels"),
    bank(4, 0x0a, "FX_X_POS_H", WriteOnly, "7 lowest bit of the fraction, 2:0 X position 10:8"),
    bank(4, 0x0b, "FX_Y_POS_L", WriteOnly, "Y (X2) position 7:0, in pixels"),
    bank(4, 0x0c, "FX_Y_POS_H", WriteOnly, "7 lowest bit of the fraction, 2:0 Y (X2) position 10:8"),
    bank(5, 0x09, "FX_X_POS_S", WriteOnly, "upper eight bits of X's fraction"),
    bank(5, 0x0a, "FX_Y_POS_S", WriteOnly, "upper eight bits of Y's (X2's) fraction"),
    bank(5, 0x0b, "FX_POLY_FILL_L", ReadOnly, "7 length is 16 (8 in 4-bit mode) or more, 6:5 X 1:0, 4 length 3 (4-bit: X 2), 3:1 length 2:0; 2-bit polygons: 7 and 0 the pokes"),
    bank(5, 0x0c, "FX_POLY_FILL_H", ReadOnly, "7:1 length 9:3"),
    bank(6, 0x09, "FX_CACHE_L", Strobe, "cache byte 0; multiplicand 7:0"),
    bank(6, 0x0a, "FX_CACHE_M", Strobe, "cache byte 1; multiplicand 15:8"),
    bank(6, 0x0b, "FX_CACHE_H", WriteOnly, "cache byte 2; multiplier 7:0"),
    bank(6, 0x0c, "FX_CACHE_U", WriteOnly, "cache byte 3; multiplier 15:8"),
    bank(6, 0x09, "FX_ACCUM_RESET", Strobe, "reading sets the accumulator to 0"),
    bank(6, 0x0a, "FX_ACCUM", Strobe, "reading accumulates"),
    at(0x0d, "L0_CONFIG", "7:6 map height, 5:4 map width, 3 T256C, 2 bitmap, 1:0 colour depth (1, 2, 4, 8 bits)"),
    at(0x0e, "L0_MAPBASE", "map's address 16:9"),
    at(0x0f, "L0_TILEBASE", "7:2 tiles' or bitmap's address 16:11, 1 tile height 16, 0 tile width 16 (bitmap: 640)"),
    at(0x10, "L0_HSCROLL_L", "7:0"), at(0x11, "L0_HSCROLL_H", "3:0 horizontal scroll 11:8; bitmaps: palette offset"),
    at(0x12, "L0_VSCROLL_L", "7:0"), at(0x13, "L0_VSCROLL_H", "3:0 vertical scroll 11:8"),
    at(0x14, "L1_CONFIG", "as L0_CONFIG"), at(0x15, "L1_MAPBASE", "as L0_MAPBASE"),
    at(0x16, "L1_TILEBASE", "as L0_TILEBASE"), at(0x17, "L1_HSCROLL_L", "7:0"),
    at(0x18, "L1_HSCROLL_H", "as L0_HSCROLL_H"), at(0x19, "L1_VSCROLL_L", "7:0"),
    at(0x1a, "L1_VSCROLL_H", "as L0_VSCROLL_H"),
    at(0x1b, "AUDIO_CTRL", "7 FIFO full (read), reset (write), 6 FIFO empty (read), 5 16-bit, 4 stereo, 3:0 volume"),
    at(0x1c, "AUDIO_RATE", "128 is 48.8 kHz"),
    Register { access: WriteOnly, ..at(0x1d, "AUDIO_DATA", "a byte for the FIFO") },
    at(0x1e, "SPI_DATA", "writing sends a byte"), at(0x1f, "SPI_CTRL", "7 busy (read), 2 auto-TX, 1 slow, 0 select"),
];

impl Register {
    /// The register of a name, with or without `VERA_`, in any case.
    ///
    /// ```
    /// use gpuzoo_vera::Register;
    /// let fx = Register::find("VERA_FX_CTRL").unwrap();
    /// assert_eq!((fx.address(), fx.dcsel), (0x9f29, Some(2)));
    /// assert_eq!(Register::find("fx_accum").unwrap().number, 0x0a);
    /// ```
    pub fn find(name: &str) -> Option<&'static Register> {
        let has_prefix = name.get(..5).is_some_and(|prefix| prefix.eq_ignore_ascii_case("VERA_"));
        let bare = if has_prefix { &name[5..] } else { name };
        REGISTERS.iter().find(|register| register.name.eq_ignore_ascii_case(bare))
    }

    /// The first register at a place, given the bank.
    pub fn at(number: u8, dcsel: u8) -> Option<&'static Register> {
        let fits = |register: &&Register| register.dcsel.is_none_or(|own| own == dcsel);
        REGISTERS.iter().filter(|register| register.number == number & 0x1f).find(fits)
    }

    /// Its address on a Commander X16.
    pub const fn address(&self) -> u16 {
        BASE + self.number as u16
    }
}

/// What write-only places return by the low two bits of the number, from 09: the version 48.0.1.
const VERSION: [u8; 4] = [b'V', 48, 0, 1];

impl Vera {
    /// Reads a register as the CPU does, side effects included. Only the low five bits of `register` count, so that
    /// both `0x09` and the low byte of `$9F29` mean `DC_VIDEO` and its banks.
    pub fn read(&mut self, register: u8) -> u8 {
        match register & 0x1f {
            0x03 => self.read_data(PORT0),
            0x04 => self.read_data(PORT1),
            0x09 if self.dcsel == 6 => {
                self.reset_accumulator();
                VERSION[0]
            }
            0x0a if self.dcsel == 6 => {
                self.accumulate();
                VERSION[1]
            }
            0x1e => self.read_spi(),
            _ => self.peek(register),
        }
    }

    /// What [`Vera::read`] would return, without the side effects.
    pub fn peek(&self, register: u8) -> u8 {
        let register = register & 0x1f;
        match register {
            0x00 => self.ports[self.addrsel].address as u8,
            0x01 => (self.ports[self.addrsel].address >> 8) as u8,
            0x02 => self.ports[self.addrsel].high(),
            0x03 => self.ports[PORT0].latch,
            0x04 => self.ports[PORT1].latch,
            0x05 => self.dcsel << 1 | self.addrsel as u8,
            0x06 => self.interrupts.read_enable(self.scanline()),
            0x07 => self.interrupt_status(),
            0x08 => self.scanline() as u8,
            0x09..=0x0c => self.peek_bank(register - 0x09),
            0x0d..=0x13 => self.peek_layer(0, register - 0x0d),
            0x14..=0x1a => self.peek_layer(1, register - 0x14),
            0x1b => self.audio.control(),
            0x1c => self.audio.rate(),
            0x1e => self.peek_spi(),
            0x1f => self.spi.control(self.clock()),
            _ => 0,
        }
    }

    fn peek_bank(&self, index: u8) -> u8 {
        let fx = &self.fx;
        match (self.dcsel, index) {
            (0 | 1, _) => self.composer.read(self.dcsel, index) | self.field_bit(self.dcsel, index),
            (2, 0) => fx.control,
            (5, 2) => self.fill_length().low,
            (5, 3) => self.fill_length().high,
            _ => VERSION[usize::from(index & 3)],
        }
    }

    fn peek_layer(&self, layer: usize, index: u8) -> u8 {
        let value = self.layers[layer].registers[usize::from(index)];
        let is_scroll_high = matches!(index, 4 | 6);
        if is_scroll_high && !self.deviates(Deviation::WideScroll) { value & 0x0f } else { value }
    }

    /// Writes a register as the CPU does. Only the low five bits of `register` count.
    pub fn write(&mut self, register: u8, value: u8) {
        match register & 0x1f {
            part @ 0x00..=0x02 => self.write_address(part, value),
            0x03 => self.write_data(PORT0, value),
            0x04 => self.write_data(PORT1, value),
            0x05 => self.write_ctrl(value),
            0x06 => self.interrupts.write_enable(value),
            0x07 => self.interrupts.status &= !(value & 7),
            0x08 => self.interrupts.line = (self.interrupts.line & 0x100) | u16::from(value),
            part @ 0x09..=0x0c if self.dcsel < 2 => {
                self.show_to_beam();
                self.composer.write(self.dcsel, part - 0x09, value);
            }
            part @ 0x09..=0x0c => self.write_fx(part - 0x09, value),
            part @ 0x0d..=0x13 => self.layers[0].registers[usize::from(part - 0x0d)] = value,
            part @ 0x14..=0x1a => self.layers[1].registers[usize::from(part - 0x14)] = value,
            0x1b => self.audio.write_control(value, self.clock()),
            0x1c => self.audio.write_rate(value, self.clock()),
            0x1d => self.audio.push(value, self.clock()),
            0x1e => self.write_spi(value),
            _ => self.spi.write_control(value),
        }
    }

    fn write_ctrl(&mut self, value: u8) {
        if value & 0x80 != 0 {
            // The FPGA configures itself anew; how long it is away from the bus is not modelled.
            self.reset();
            if !self.deviates(Deviation::ResetTakesSelects) {
                return;
            }
        }
        self.dcsel = value >> 1 & 0x3f;
        self.addrsel = usize::from(value & 1);
    }

    /// What is in the mode bits of `FX_CTRL`.
    pub fn mode(&self) -> Mode {
        self.fx.mode
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_both_spellings() {
        for register in REGISTERS {
            assert_eq!(Register::find(register.name), Some(register));
            assert_eq!(Register::find(&format!("vera_{}", register.name.to_lowercase())), Some(register));
        }
        assert_eq!(Register::find("VERA_FX"), None);
        assert_eq!(Register::find("é"), None);
        assert_eq!(Register::at(0x09, 2).map(|register| register.name), Some("FX_CTRL"));
        assert_eq!(Register::at(0x09, 9), None);
    }

    #[test]
    fn every_bank_without_registers_returns_the_version() {
        let mut vera = Vera::default();
        for dcsel in 7..64 {
            vera.write(0x05, dcsel << 1);
            let read: Vec<u8> = (0x09..=0x0c).map(|register| vera.read(register)).collect();
            assert_eq!(read, [0x56, 48, 0, 1]);
            assert_eq!(vera.read(0x05), dcsel << 1);
        }
    }

    #[test]
    fn write_only_registers_return_the_version() {
        for register in REGISTERS.iter().filter(|register| register.access == Access::WriteOnly) {
            let Some(dcsel) = register.dcsel else { continue };
            let mut vera = Vera::default();
            vera.write(0x05, dcsel << 1);
            vera.write(register.number, 0xa5);
            assert_eq!(
                vera.read(register.number),
                VERSION[usize::from(register.number - 9)],
                "{}",
                register.name
            );
        }
    }

    #[test]
    fn reset_values() {
        let vera = Vera::default();
        let bank = |dcsel: u8| {
            let mut vera = vera.clone();
            vera.write(0x05, dcsel << 1);
            [0x09, 0x0a, 0x0b, 0x0c].map(|register| vera.peek(register))
        };
        assert_eq!(bank(0), [8, 128, 128, 0]);
        assert_eq!(bank(1), [0, 640u16.div_euclid(4) as u8, 0, 240]);
        assert_eq!(vera.peek(0x07), 8, "AFLOW: the FIFO is empty");
    }

    #[test]
    fn reset_forgets_the_selects_but_not_the_memory() {
        let mut vera = Vera::default();
        vera.write(0x03, 0x77);
        vera.write(0x05, 0x85);
        assert_eq!((vera.peek(0x05), vera.vram()[0]), (0, 0x77));
        let mut vera = Vera::new(crate::Profile::X16Emu);
        vera.write(0x05, 0x85);
        assert_eq!(vera.peek(0x05), 0x05);
    }
}

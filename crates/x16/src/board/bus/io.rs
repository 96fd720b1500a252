//! Memory and devices by their addresses: with side effects, as the CPU reads and writes them, and without.

use super::{BANKS, Bus, IO, IO_END, RAM_BANK, ROM, ROM_BANK, SPI_DATA, VERA_END};
use crate::access::{Access, Kind};
use crate::board::via::Via;
use crate::lints::Place;
use gpuzoo_vera::BASE;

impl Bus {
    /// The bank of RAM at $A000.
    pub(crate) fn ram_bank(&self) -> u8 {
        self.ram[0]
    }

    /// Where an address is in the banked memories.
    #[inline]
    pub(super) fn bank_at(&self, address: u16) -> usize {
        usize::from(self.ram[0]) * RAM_BANK + usize::from(address - BANKS)
    }

    pub(super) fn rom_at(&self, address: u16) -> usize {
        usize::from(self.rom_bank) * ROM_BANK + usize::from(address - ROM)
    }

    /// A read above RAM: of a ROM and of the banks at once, since a KERNAL reads little else.
    #[inline(never)]
    pub(super) fn read_above(&mut self, address: u16) -> u8 {
        let byte = match address {
            ROM.. => self.rom.get(self.rom_at(address)),
            BANKS.. => self.banks.get(self.bank_at(address)),
            _ => None,
        };
        match byte {
            Some(byte) => *byte,
            None => self.read_high(address, Kind::Read),
        }
    }

    #[inline(never)]
    pub(crate) fn read_high(&mut self, address: u16, kind: Kind) -> u8 {
        match address {
            BASE..=VERA_END => self.read_vera((address - BASE) as u8, kind),
            0x9f00..=0x9f1f => {
                self.meet();
                self.sync_vias();
                let value = self.vias[usize::from(address >> 4 & 1)].read(usize::from(address & 15));
                self.follow_vias();
                value
            }
            _ => self.peek(address),
        }
    }

    /// A read without side effects, and without time.
    pub(crate) fn peek(&self, address: u16) -> u8 {
        match address {
            0..IO => self.ram[usize::from(address)],
            0x9f00..=0x9f1f => self.peek_via(usize::from(address >> 4 & 1), address & 15),
            BASE..=VERA_END => self.vera.peek((address - BASE) as u8),
            0x9f40 | 0x9f41 => self.board.sound.status(self.cycles),
            // Nothing answers: the bus still holds the high byte of the address.
            0x9f42..=IO_END => (address >> 8) as u8,
            BANKS..=0xbfff => self.banks.get(self.bank_at(address)).copied().unwrap_or((address >> 8) as u8),
            _ if !self.has_rom() => self.ram[usize::from(address)],
            _ => self.rom.get(self.rom_at(address)).copied().unwrap_or((address >> 8) as u8),
        }
    }

    pub(super) fn peek_via(&self, index: usize, register: u16) -> u8 {
        let mut via = self.vias[index].clone();
        via.advance(self.cycles);
        via.peek(usize::from(register))
    }

    pub(crate) fn via_mut(&mut self, index: usize) -> &mut Via {
        self.sync_vias();
        &mut self.vias[index]
    }

    /// After a change of what VIA 1 or a device puts on their lines.
    pub(crate) fn follow_board(&mut self) {
        let now = self.cycles;
        self.board.follow(&mut self.vias[0], now);
        self.request = self.board.i2c.smc.request.take().or(self.request);
        self.follow_vias();
    }

    /// The reset line.
    pub(crate) fn reset(&mut self) {
        self.sync_vias();
        self.vias.iter_mut().for_each(Via::reset);
        self.board.reset();
        // VERA has a bit for what its reset line does, so that recordings can have it.
        self.write_for_kernal([(0x05, 0x80)]);
        self.select_rom(0);
        self.follow_board();
    }

    /// After an access of a VIA: its interrupts may have changed, or when they come.
    pub(super) fn follow_vias(&mut self) {
        self.follow_irq(self.cycles);
        self.plan();
    }

    #[inline(never)]
    pub(crate) fn write_high(&mut self, address: u16, value: u8, kind: Kind) {
        match address {
            BASE..=VERA_END => self.write_vera((address - BASE) as u8, value, kind),
            0 => self.ram[0] = value,
            1 => self.select_rom(value),
            0x9f00..=0x9f1f => {
                self.meet();
                self.sync_vias();
                self.vias[usize::from(address >> 4 & 1)].write(usize::from(address & 15), value);
                // Ports and their directions, of the VIA that has something connected.
                match address {
                    0x9f00..=0x9f03 | 0x9f0f => self.follow_board(),
                    _ => self.follow_vias(),
                }
            }
            0x9f40 | 0x9f41 => {
                self.meet();
                let cycles = self.cycles;
                self.board.sound.write(address & 1, value, cycles);
                self.follow_vias();
            }
            BANKS..=0xbfff => {
                let at = self.bank_at(address);
                match self.banks.get_mut(at) {
                    Some(byte) => *byte = value,
                    // The KERNAL finds out how much there is by writing.
                    None if self.pc >= ROM => {}
                    None => drop(self.no_bank.get_or_insert((self.ram[0], self.pc))),
                }
            }
            _ => {}
        }
    }

    pub(super) fn select_rom(&mut self, bank: u8) {
        (self.ram[1], self.rom_bank) = (bank, bank);
    }

    /// Writes memory without time: RAM, or the bank that is chosen.
    pub(crate) fn poke(&mut self, address: u16, value: u8) {
        self.note_poke(address);
        match address {
            1 => self.select_rom(value),
            0..IO => self.ram[usize::from(address)] = value,
            BANKS..=0xbfff => self.write_high(address, value, Kind::Write),
            _ => {}
        }
    }

    #[inline]
    pub(super) fn read_vera(&mut self, register: u8, kind: Kind) -> u8 {
        self.meet();
        self.sync();
        if self.watch.is_some() {
            self.watch_access(register, kind, None);
        }
        let value = self.vera.read(register);
        if register == SPI_DATA {
            self.board.exchange(&mut self.vera);
        }
        if let Some(watch) = &mut self.watch {
            watch.after(register, kind, value, self.cycles);
        }
        value
    }

    /// Notes what a stand-in is about to write, if somebody watches.
    pub(crate) fn note_poke(&mut self, address: u16) {
        if self.poked.is_some() {
            let before = self.peek(address);
            self.poked.get_or_insert_default().push((address, before));
        }
    }

    #[inline]
    pub(super) fn write_vera(&mut self, register: u8, value: u8, kind: Kind) {
        self.meet();
        self.sync();
        if self.watch.is_some() {
            self.watch_access(register, kind, Some(value));
        }
        self.vera.write(register, value);
        if register >= SPI_DATA {
            self.board.exchange(&mut self.vera);
        }
        if matches!(register, 0x05..=0x08 | 0x1b..=0x1d) {
            self.follow_irq(self.cycles);
            self.plan();
        }
        if let Some(watch) = &mut self.watch {
            watch.after(register, kind, value, self.cycles);
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn watch_access(&mut self, register: u8, kind: Kind, written: Option<u8>) {
        let access = Access { cycle: self.cycles, register, kind, value: written.unwrap_or(0) };
        let pc = self.pc;
        let bytes = [0, 1, 2].map(|offset| self.peek(pc.wrapping_add(offset)));
        if let Some(watch) = &mut self.watch {
            watch.before(&self.vera, &access, Place { pc, bytes });
        }
    }
}

//! What stand-ins of the KERNAL do to the machine: accesses that are recorded, but not subject to lints, and without time.

use crate::access::Kind;
use crate::board::bus::{Bus, VERA_END};
use gpuzoo_65c02::Cpu;
use gpuzoo_vera::BASE;

impl Bus {
    /// Writes that a stand-in of the KERNAL makes: recorded, but not subject to lints, and without time.
    pub(crate) fn write_for_kernal(&mut self, writes: impl IntoIterator<Item = (u8, u8)>) {
        self.sync();
        for (register, value) in writes {
            self.note_poke(BASE + u16::from(register));
            self.vera.write(register, value);
            if let Some(watch) = &mut self.watch {
                watch.after(register, Kind::Write, value, self.cycles);
            }
        }
        self.follow_irq(self.cycles);
        self.plan();
    }

    /// The same for any place of memory.
    pub(crate) fn store_for_kernal(&mut self, address: u16, value: u8) {
        match address {
            BASE..=VERA_END => self.write_for_kernal([((address - BASE) as u8, value)]),
            0x9f00..=0x9f1f => self.write_high(address, value, Kind::Write),
            _ => self.poke(address, value),
        }
    }

    /// A read that a stand-in makes.
    pub(crate) fn load_for_kernal(&mut self, address: u16) -> u8 {
        match address {
            BASE..=VERA_END => {
                self.sync();
                let register = (address - BASE) as u8;
                let value = self.vera.read(register);
                if let Some(watch) = &mut self.watch {
                    watch.after(register, Kind::Read, value, self.cycles);
                }
                value
            }
            0x9f00..=0x9f1f => self.read_high(address, Kind::Read),
            _ => self.peek(address),
        }
    }

    /// Changes a byte of what stands in for the ROM.
    pub(crate) fn set_cell(&mut self, address: u16, value: u8) {
        self.ram[usize::from(address)] = value;
    }

    /// Two bytes of memory, the low one first.
    pub(crate) fn word(&self, address: u16) -> u16 {
        u16::from_le_bytes([self.peek(address), self.peek(address.wrapping_add(1))])
    }

    pub(crate) fn set_word(&mut self, address: u16, value: u16) {
        let [low, high] = value.to_le_bytes();
        self.poke(address, low);
        self.poke(address.wrapping_add(1), high);
    }

    pub(crate) fn push(&mut self, cpu: &mut Cpu, value: u8) {
        self.poke(cpu.stack(), value);
        cpu.s = cpu.s.wrapping_sub(1);
    }

    /// What the call that the CPU is in has put on the stack: the last byte of the call.
    pub(crate) fn return_address(&self, cpu: &Cpu) -> u16 {
        let at = |offset: u8| self.peek(0x100 | u16::from(cpu.s.wrapping_add(offset)));
        u16::from_le_bytes([at(1), at(2)])
    }

    pub(crate) fn set_return_address(&mut self, cpu: &Cpu, address: u16) {
        for (offset, byte) in (1..).zip(address.to_le_bytes()) {
            self.poke(0x100 | u16::from(cpu.s.wrapping_add(offset)), byte);
        }
    }

    /// The call that the CPU is in.
    pub(crate) fn caller(&self, cpu: &Cpu) -> u16 {
        self.return_address(cpu).wrapping_sub(2)
    }
}

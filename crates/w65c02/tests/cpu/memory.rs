//! Memory that notes every access.

use gpuzoo_65c02::{Bus, Cpu};
use std::sync::OnceLock;

/// Memory, and every access: address, value, true for a write.
#[derive(Clone)]
pub struct Memory {
    pub bytes: Box<[u8; 0x1_0000]>,
    pub log: Vec<(u16, u8, bool)>,
    pub irq: bool,
}

impl Memory {
    pub fn random() -> Memory {
        let mut seed = 1u64;
        let mut bytes = Box::new([0; 0x1_0000]);
        for byte in bytes.iter_mut() {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            *byte = (seed >> 56) as u8;
        }
        Memory { bytes, log: Vec::new(), irq: false }
    }

    pub fn word(&self, at: u16) -> u16 {
        u16::from_le_bytes([self.at(at), self.at(at.wrapping_add(1))])
    }

    pub fn page_word(&self, at: u8) -> u16 {
        u16::from_le_bytes([self.at(u16::from(at)), self.at(u16::from(at.wrapping_add(1)))])
    }

    pub fn at(&self, at: u16) -> u8 {
        self.bytes[usize::from(at)]
    }

    pub fn set(&mut self, at: u16, value: u8) {
        self.bytes[usize::from(at)] = value;
    }
}

impl Bus for Memory {
    fn read(&mut self, address: u16) -> u8 {
        let value = self.at(address);
        self.log.push((address, value, false));
        value
    }

    fn write(&mut self, address: u16, value: u8) {
        self.set(address, value);
        self.log.push((address, value, true));
    }

    fn irq(&self) -> bool {
        self.irq
    }
}

/// A case: memory, and registers at random.
pub fn start(seed: u64, opcode: u8) -> (Memory, Cpu) {
    static MEMORY: OnceLock<Memory> = OnceLock::new();
    let mut memory = MEMORY.get_or_init(Memory::random).clone();
    // Seven bytes of the memory, elsewhere for each case.
    let from = (seed.wrapping_mul(7 * 257) + u64::from(opcode) * 1031) as u16;
    let [a, x, y, s, p] = [0, 1, 2, 3, 4].map(|offset| memory.at(from.wrapping_add(offset)));
    let pc = memory.word(from.wrapping_add(5));
    memory.set(pc, opcode);
    let mut cpu = Cpu::default();
    (cpu.pc, cpu.a, cpu.x, cpu.y, cpu.s, cpu.p) = (pc, a, x, y, s, p & 0xcf | 0x20);
    (memory, cpu)
}

//! Blocks of memory, other banks, and where memory ends.

use super::answer::set_nz;
use super::rom;
use crate::Ending;
use crate::board::bus::{Bus, IO, RAM_BANK, ROM};
use gpuzoo_65c02::Cpu;
use gpuzoo_65c02::status::CARRY;

/// The first three of the registers in zero page, of 16 bits.
pub(super) const R0: u16 = 0x02;
pub(super) const R1: u16 = 0x04;
const R2: u16 = 0x06;
/// Where RAM begins that is free, and where it ends.
const BOTTOM: u16 = 0x0257;
const TOP: u16 = 0x0259;
/// The zero page pointer that STASH uses.
const STASH_POINTER: u16 = 0x03b2;

/// True for addresses of devices, which do not move on with a block.
fn is_port(address: u16) -> bool {
    (IO..0xa000).contains(&address)
}

/// An address that moves on, unless it is a port.
pub(super) struct Pointer(pub u16);

impl Pointer {
    pub fn next(&mut self) -> u16 {
        let address = self.0;
        if !is_port(address) {
            self.0 = address.wrapping_add(1);
        }
        address
    }
}

/// The address of a byte of a block: where the block begins decides whether it moves on.
fn place(start: u16, at: u16) -> u16 {
    if is_port(start) { start } else { start.wrapping_add(at) }
}

/// MEMORY_FILL: r1 bytes from r0 on get A. The registers stay, as with the KERNAL.
pub(super) fn fill(bus: &mut Bus, cpu: &mut Cpu) {
    let to = bus.word(R0);
    for at in 0..bus.word(R1) {
        bus.store_for_kernal(place(to, at), cpu.a);
    }
}

/// MEMORY_COPY: r2 bytes from r0 to r1, which may overlap. The registers stay.
pub(super) fn copy(bus: &mut Bus, _: &mut Cpu) {
    let (from, to, count) = (bus.word(R0), bus.word(R1), bus.word(R2));
    let copy = |at: u16| {
        let byte = bus.load_for_kernal(place(from, at));
        bus.store_for_kernal(place(to, at), byte);
    };
    if from < to && !is_port(from) && !is_port(to) {
        (0..count).rev().for_each(copy);
    } else {
        (0..count).for_each(copy);
    }
}

/// MEMORY_CRC: of r1 bytes from r0 on, to r2: CRC-16/IBM-3740. The KERNAL counts r1 down to 0, of a port its high byte only.
pub(super) fn crc(bus: &mut Bus, _: &mut Cpu) {
    let (from, count, mut crc) = (bus.word(R0), bus.word(R1), 0xffffu16);
    for at in 0..count {
        crc ^= u16::from(bus.load_for_kernal(place(from, at))) << 8;
        for _ in 0..8 {
            let carry = crc & 0x8000 != 0;
            crc = crc << 1 ^ if carry { 0x1021 } else { 0 };
        }
    }
    bus.set_word(R1, if is_port(from) { count & 0xff } else { 0 });
    bus.set_word(R2, crc);
}

/// Where a pointer in zero page and Y lead to.
fn indirect(bus: &Bus, pointer: u8, offset: u8) -> u16 {
    let [low, high] = [pointer, pointer.wrapping_add(1)].map(|at| bus.peek(at.into()));
    u16::from_le_bytes([low, high]).wrapping_add(offset.into())
}

/// With another bank of RAM.
fn in_bank<T>(bus: &mut Bus, bank: u8, act: impl FnOnce(&mut Bus) -> T) -> T {
    let before = bus.ram_bank();
    bus.poke(0, bank);
    let result = act(bus);
    bus.poke(0, before);
    result
}

/// FETCH: LDA (A),Y in bank X.
pub(super) fn fetch(bus: &mut Bus, cpu: &mut Cpu) {
    let address = indirect(bus, cpu.a, cpu.y);
    cpu.a = in_bank(bus, cpu.x, |bus| bus.load_for_kernal(address));
    set_nz(cpu, cpu.a);
}

/// STASH: STA (stavec),Y in bank X.
pub(super) fn stash(bus: &mut Bus, cpu: &mut Cpu) {
    let address = indirect(bus, bus.peek(STASH_POINTER), cpu.y);
    in_bank(bus, cpu.x, |bus| bus.store_for_kernal(address, cpu.a));
}

/// What the KERNAL has found of memory.
pub(super) fn limits() -> [(u16, u16); 2] {
    [(BOTTOM, 0x0800), (TOP, IO)]
}

/// MEMTOP: with C set the banks of RAM in A and the end of RAM in X, Y; else sets the end.
pub(super) fn memtop(bus: &mut Bus, cpu: &mut Cpu) {
    if cpu.p & CARRY != 0 {
        cpu.a = (bus.banks.len() / RAM_BANK) as u8;
    }
    limit(bus, cpu, TOP);
}

/// MEMBOT: the same for the start.
pub(super) fn membot(bus: &mut Bus, cpu: &mut Cpu) {
    limit(bus, cpu, BOTTOM);
}

fn limit(bus: &mut Bus, cpu: &mut Cpu, at: u16) {
    if cpu.p & CARRY != 0 {
        [cpu.x, cpu.y] = bus.word(at).to_le_bytes();
    } else {
        bus.set_word(at, u16::from_le_bytes([cpu.x, cpu.y]));
    }
}

/// IOBASE: where devices begin.
pub(super) fn iobase(_: &mut Bus, cpu: &mut Cpu) {
    [cpu.x, cpu.y] = IO.to_le_bytes();
}

/// JSRFAR: calls the address behind the call in the bank behind that, which below the ROM is one of RAM, wherever the address is.
pub(super) fn jsrfar(bus: &mut Bus, cpu: &mut Cpu) {
    let behind = bus.return_address(cpu);
    let [low, high, bank] = [1, 2, 3].map(|at| bus.peek(behind.wrapping_add(at)));
    let (address, caller) = (u16::from_le_bytes([low, high]), bus.caller(cpu));
    bus.set_return_address(cpu, behind.wrapping_add(3));
    if address >= ROM {
        // The KERNAL's bank is the one that there is something of.
        match bank {
            0 => cpu.pc = address,
            _ => bus.end(Ending::RomCall { address, pc: caller }),
        }
        return;
    }
    bus.push(cpu, bus.ram_bank());
    for byte in (rom::FAR_BACK - 1).to_be_bytes() {
        bus.push(cpu, byte);
    }
    bus.poke(0, bank);
    cpu.pc = address;
}

/// Back from there.
pub(super) fn back(bus: &mut Bus, cpu: &mut Cpu) {
    cpu.s = cpu.s.wrapping_add(1);
    let bank = bus.peek(cpu.stack());
    bus.poke(0, bank);
}

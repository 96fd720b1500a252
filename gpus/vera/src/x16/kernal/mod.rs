//! What stands in for the Commander's ROM when there is none: vectors, an interrupt entry in the KERNAL's order, and a
//! handful of its routines.
//!
//! Each routine is an RTS, so that it costs six cycles and returns; what it does, it does after that. Anything else in
//! the ROM's place ends the run with a message: silence would be a wrong result. The entry points are those of the
//! Programmer's Reference Guide, chapter 5.

pub(super) mod files;
mod names;
mod screen;

use super::bus::Bus;
use super::dos::Caller;
use super::ending::Ending;
use super::observe::Observer;
use files::Files;
use gpuzoo_65c02::Cpu;
use gpuzoo_65c02::status::{CARRY, ZERO};
pub use names::name;
pub(super) use screen::petscii;

/// The program's own return address: a fetch here ends the run. No program has code there: no I/O device is at this
/// address.
pub(super) const RETURN: u16 = 0x9ff0;
/// Where the ROM begins.
pub(super) const ROM: u16 = 0xc000;

/// The interrupt entry: A, X and Y go onto the stack, then through ($0314), or through ($0316) after a BRK.
const ENTRY: u16 = ROM;
/// What $0314 holds at first: VSYNC is acknowledged, Y, X and A come back.
const HANDLER: u16 = ROM + 0x20;
/// What $0316 holds at first: the end of the run.
const BREAK: u16 = ROM + 0x30;
/// What $0318 holds. There is no source of NMI.
const NMI: u16 = ROM + 0x2a;

#[rustfmt::skip]
static CODE: [u8; 0x2b] = [
    0x48, 0xda, 0x5a,               // pha, phx, phy
    0xba, 0xbd, 0x04, 0x01,         // tsx, lda $0104,x: the status that was pushed
    0x29, 0x10, 0xd0, 0x03,         // and #B, bne
    0x6c, 0x14, 0x03,               // jmp ($0314)
    0x6c, 0x16, 0x03,               // jmp ($0316)
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0xa9, 0x01, 0x8d, 0x27, 0x9f,   // HANDLER: lda #VSYNC, sta ISR
    0x7a, 0xfa, 0x68, 0x40,         // ply, plx, pla, rti
    0,
    0x40,                           // NMI: rti
];

/// The routines that are there.
const CHROUT: u16 = 0xffd2;
const CHRIN: u16 = 0xffcf;
const GETIN: u16 = 0xffe4;
const STOP: u16 = 0xffe1;
const RDTIM: u16 = 0xffde;
const SCREEN_MODE: u16 = 0xff5f;

/// RTS.
pub(super) const RTS: u8 = 0x60;
/// One byte, one cycle, no effect: what a fetch gets that ends the run.
pub(super) const NOTHING: u8 = 0x03;

/// A byte of the ROM's place as a read sees it.
pub(super) fn byte(address: u16) -> u8 {
    match address {
        0xfffa | 0xfffc => NMI as u8,
        0xfffb | 0xfffd => (NMI >> 8) as u8,
        0xfffe => ENTRY as u8,
        0xffff => (ENTRY >> 8) as u8,
        _ => CODE.get(usize::from(address.wrapping_sub(ROM))).copied().unwrap_or(0),
    }
}

/// The KERNAL's vectors in RAM.
pub(super) fn vectors() -> [(u16, u16); 3] {
    [(0x0314, HANDLER), (0x0316, BREAK), (0x0318, NMI)]
}

/// What a fetch from the ROM's place returns, and whether [`call`] has to follow the instruction.
pub(super) fn fetch(address: u16) -> (u8, bool) {
    match address {
        _ if usize::from(address.wrapping_sub(ROM)) < CODE.len() => (byte(address), false),
        CHROUT | CHRIN | GETIN | STOP | RDTIM | SCREEN_MODE => (RTS, true),
        _ if files::is_here(address) => (RTS, true),
        _ => (NOTHING, true),
    }
}

/// What the ROM's place leads to with a ROM that is the KERNAL, and a drive: RTS, and [`call`] follows.
pub(super) fn answers(address: u16, bus: &Bus) -> bool {
    bus.drive.as_ref().is_some_and(|drive| {
        files::is_of_bus(address) && (files::calls(address) || drive.listens() || drive.talks())
    })
}

/// Does what is asked for by a fetch at an address, after its RTS.
pub(super) fn call(address: u16, caller: u16, bus: &mut Bus, cpu: &mut Cpu, observer: &mut dyn Observer) {
    if address >= ROM {
        let caller = Caller { routine: address, pc: caller };
        let status = bus.status;
        let mut files = Files { bus, cpu, observer, status, caller };
        if files.bus.has_rom() {
            return files::answer(files);
        }
        // Input and output are files, or else screen and keyboard.
        let is_done = match address {
            CHROUT => files::output(&mut files),
            CHRIN | GETIN => files::input(&mut files),
            _ => false,
        };
        if is_done {
            return;
        }
        if files::is_here(address) {
            return files::call(files);
        }
    }
    match address {
        RETURN => bus.end(Ending::Returned),
        BREAK => {
            // Y, X, A and P lie above S, then the address after BRK's second byte.
            let at = |offset: u8| bus.peek(0x100 | u16::from(cpu.s.wrapping_add(offset)));
            let back = u16::from_le_bytes([at(5), at(6)]);
            bus.end(Ending::Broke { pc: back.wrapping_sub(2) });
        }
        CHROUT => {
            bus.print(cpu.a);
            cpu.p &= !CARRY;
        }
        // No key is pressed.
        GETIN => {
            cpu.a = 0;
            cpu.p = cpu.p & !CARRY | ZERO;
        }
        STOP => cpu.p &= !ZERO,
        // A jiffy is a frame; Y has the high byte.
        RDTIM => [cpu.a, cpu.x, cpu.y, _] = (bus.vera.frames() as u32).to_le_bytes(),
        SCREEN_MODE => screen::screen_mode(bus, cpu),
        _ => bus.end(Ending::RomCall { address, pc: caller }),
    }
}

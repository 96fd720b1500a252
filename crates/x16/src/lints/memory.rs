//! Memory that is read before anything has written it. A machine that has just been switched on holds anything there, and emulators
//! often zeros: such a program works here and not there.
//!
//! RAM counts when it is read. Of video memory a read counts when something comes of it: programs read DATA0 and DATA1 to move on, too,
//! and drop the byte.

use super::{Place, scanline};
use crate::{Bus, Observer};
use gpuzoo_65c02::{Cpu, OPCODES, Opcode};
use gpuzoo_vera::{BASE, Mode, VRAM_BYTES};
use std::collections::BTreeMap;

/// The end of the RAM that is always there, and the start of the banks.
const LOW_END: u16 = 0x9f00;
const KERNAL: std::ops::Range<u16> = 0x0200..0x0400;
const BANKS: std::ops::Range<u16> = 0xa000..0xc000;
/// The data ports, and the line that is shown.
const DATA0: u16 = BASE + 3;
const DATA1: u16 = BASE + 4;
const SCANLINE: u16 = BASE + 8;

/// A byte of one of the memories.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Byte {
    Ram(u16),
    Vram(u32),
}

/// A read of what nothing has written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Unwritten {
    pub place: Place,
    /// The first byte that the instruction read so.
    pub byte: Byte,
    pub dcsel: u8,
    pub cycle: u64,
    pub count: u64,
}

/// A bit for each byte that has been written.
#[derive(Clone, Debug, Default, PartialEq)]
struct Written(Vec<u64>);

impl Written {
    fn mark(&mut self, at: usize) {
        if at / 64 >= self.0.len() {
            self.0.resize(at / 64 + 1, 0);
        }
        self.0[at / 64] |= 1 << (at % 64);
    }

    fn has(&self, at: usize) -> bool {
        self.0.get(at / 64).is_some_and(|bits| bits >> (at % 64) & 1 != 0)
    }
}

/// A byte of video memory that is in a register, and of which nothing has come yet.
#[derive(Clone, Debug, PartialEq)]
struct Held {
    register: char,
    /// N and Z are still those of the byte.
    flags: bool,
    /// The instruction that has loaded it is not over.
    is_new: bool,
    found: Unwritten,
}

/// Which bytes have been written, and what else can be seen between instructions only.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Memory {
    /// Those of the banks lie behind those of the addresses below them.
    ram: Written,
    vram: Written,
    held: Option<Held>,
    /// By the address of the instruction.
    found: BTreeMap<u16, Unwritten>,
    pub(super) scanline: scanline::Comparisons,
}

impl Memory {
    /// What is not zero in RAM counts as written: the program, and what a ROM has set up; and the KERNAL's own variables. Of video memory
    /// that is what somebody knows of; all of it where nobody does.
    pub(crate) fn new(bus: &Bus, vram: Option<impl Iterator<Item = u32>>) -> Memory {
        let mut memory = Memory::default();
        for address in 0..LOW_END {
            if bus.peek(address) != 0 || address < 2 || KERNAL.contains(&address) {
                memory.ram.mark(address.into());
            }
        }
        for (at, _) in bus.banks.iter().enumerate().filter(|(_, byte)| **byte != 0) {
            memory.ram.mark(usize::from(LOW_END) + at);
        }
        match vram {
            Some(known) => known.for_each(|address| memory.vram.mark(address as usize)),
            None => memory.vram = Written(vec![u64::MAX; VRAM_BYTES / 64]),
        }
        memory
    }

    /// Counts all bytes as written: of a machine that goes on from a state nobody knows which are.
    pub(crate) fn know_all(&mut self, bus: &Bus) {
        let all = |bytes: usize| Written(vec![u64::MAX; bytes.div_ceil(64)]);
        (self.ram, self.vram) = (all(usize::from(LOW_END) + bus.banks.len()), all(VRAM_BYTES));
    }

    /// Counts bytes as written.
    pub(crate) fn loaded(&mut self, bus: &Bus, address: u16, length: u16) {
        (address..address.saturating_add(length))
            .filter_map(|at| index(bus, at))
            .for_each(|at| self.ram.mark(at));
    }

    /// The bytes of video memory that nothing has written.
    pub(crate) fn unwritten_vram(&self) -> impl Iterator<Item = usize> {
        (0..VRAM_BYTES).filter(|at| !self.vram.has(*at))
    }

    pub(crate) fn found(&self) -> impl Iterator<Item = &Unwritten> {
        self.found.values()
    }

    fn find(&mut self, found: Unwritten) {
        self.found.entry(found.place.pc).or_insert(found).count += 1;
    }

    /// A read of a data port: of what was fetched when its address changed last.
    fn reads_vram(&mut self, bus: &Bus) {
        let fetched =
            bus.watch.as_ref().and_then(|watch| watch.lints.as_ref()).and_then(|lints| lints.fetched);
        let Some(address) = fetched.filter(|address| !self.vram.has(*address as usize)) else { return };
        let found = unwritten(bus, Byte::Vram(address));
        if bus.vera.fx().cache_fill {
            return self.find(found);
        }
        // The reads with which a line or a polygon goes on are for no byte.
        if matches!(bus.vera.fx().mode, Mode::Line | Mode::Polygon) {
            return;
        }
        match OPCODES[usize::from(found.place.bytes[0])].mnemonic {
            "bit" => {}
            load @ ("lda" | "ldx" | "ldy") => {
                let register = load.chars().last().map_or('A', |letter| letter.to_ascii_uppercase());
                self.held = Some(Held { register, flags: true, is_new: true, found });
            }
            _ => self.find(found),
        }
    }

    /// What comes of a byte in an instruction that has been run.
    fn follow(&mut self, opcode: &Opcode) {
        let Some(held) = &mut self.held else { return };
        if std::mem::take(&mut held.is_new) {
            return;
        }
        let decides = held.flags && matches!(opcode.mnemonic, "beq" | "bne" | "bmi" | "bpl");
        held.flags &= !opcode.flags.contains(['N', 'Z']);
        // What is pushed is mostly saved and pulled again.
        let is_push = matches!(opcode.mnemonic, "pha" | "phx" | "phy");
        let uses = decides || !is_push && opcode.reads().any(|register| register == held.register);
        let loads = match opcode.mnemonic {
            "lda" | "pla" | "txa" | "tya" => 'A',
            "ldx" | "plx" | "tax" | "tsx" => 'X',
            "ldy" | "ply" | "tay" => 'Y',
            _ => ' ',
        };
        let (found, is_over) = (held.found, uses || is_push || loads == held.register);
        if uses {
            self.find(found);
        }
        if is_over {
            self.held = None;
        }
    }
}

fn unwritten(bus: &Bus, byte: Byte) -> Unwritten {
    let (pc, dcsel, cycle) = (bus.pc, bus.vera.dcsel(), bus.cycles);
    let bytes = [0, 1, 2].map(|offset| bus.peek(pc.wrapping_add(offset)));
    Unwritten { place: Place { pc, bytes }, byte, dcsel, cycle, count: 0 }
}

/// Where a byte of RAM is among the bits.
fn index(bus: &Bus, address: u16) -> Option<usize> {
    match address {
        ..LOW_END => Some(address.into()),
        _ if BANKS.contains(&address) => {
            let bank = usize::from(bus.ram_bank()) * BANKS.len();
            Some(usize::from(LOW_END) + bank + usize::from(address - BANKS.start))
        }
        _ => None,
    }
}

impl Observer for Memory {
    fn reads(&mut self, bus: &Bus, address: u16, value: u8) {
        match address {
            DATA0 | DATA1 => return self.reads_vram(bus),
            SCANLINE => return self.scanline.read(bus, value),
            _ => {}
        }
        let Some(at) = index(bus, address) else { return };
        if !self.ram.has(at) {
            self.find(unwritten(bus, Byte::Ram(address)));
        }
    }

    fn writes(&mut self, bus: &Bus, address: u16) {
        if let Some(at) = index(bus, address) {
            self.ram.mark(at);
        }
    }

    /// What was loaded waits for the end of the handler.
    fn interrupted(&mut self, _enters: bool) {
        self.held = None;
    }

    fn stops(&mut self, cpu: &Cpu, bus: &mut Bus) -> bool {
        bus.vera.take_stores().for_each(|store| self.vram.mark(store.address as usize));
        self.scanline.follow(cpu, bus);
        if self.held.is_some() {
            self.follow(&OPCODES[usize::from(bus.peek(bus.pc))]);
        }
        false
    }
}

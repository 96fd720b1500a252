//! What the CPU sees: RAM, banks, ROM, I/O, and VERA in step with it.
//!
//! | address | what |
//! |---|---|
//! | `$0000`, `$0001` | the RAM bank and the ROM bank |
//! | `$0002`–`$9EFF` | RAM |
//! | `$9F00`–`$9FFF` | I/O: two VIAs, VERA at `$9F20`, the sound chip at `$9F40` |
//! | `$A000`–`$BFFF` | a bank of 8 KB of RAM |
//! | `$C000`–`$FFFF` | a bank of 16 KB of ROM, or what stands in for it |
//!
//! VERA's time advances only when that can be observed: at an access, and at the start of each line, where interrupts
//! begin.

use super::board::Board;
use super::dos::{Caller, Drive};
use super::ending::Ending;
use super::input::{Event, User};
use super::kernal::{self, Kernal};
use super::prompt::Prompt;
use super::smc::Request;
use super::via::Via;
use super::watch::{Access, Kind, Watch};
use crate::lints::Place;
use crate::{BASE, Deviations, Vera};
use std::sync::Arc;

/// Bytes of a RAM bank and of a ROM bank.
pub(super) const RAM_BANK: usize = 0x2000;
pub(super) const ROM_BANK: usize = 0x4000;
/// Where I/O begins.
pub(super) const IO: u16 = 0x9f00;
const IO_END: u16 = 0x9fff;
const BANKS: u16 = 0xa000;
/// VERA's registers of the SPI controller: this one and the next.
const SPI_DATA: u8 = 0x1e;
/// The last address of VERA.
pub(super) const VERA_END: u16 = BASE + 0x1f;

/// Where the KERNAL has code in RAM, by which it goes from one bank of its ROM to another.
const KERNAL_CODE: std::ops::Range<u16> = 0x0200..0x0400;

/// The most bytes of text that a program may print; more is dropped.
pub const MAX_OUTPUT: usize = 1 << 20;

#[derive(Clone, PartialEq)]
pub(crate) struct Bus {
    /// The whole address space, of which the first 40 KB are RAM, and the last 16 KB what stands in for a ROM: an index of 16 bits then needs
    /// no check.
    pub(super) ram: Box<[u8; 0x1_0000]>,
    pub banks: Vec<u8>,
    /// Shared by all copies: it never changes.
    pub(super) rom: Arc<[u8]>,
    /// From here on reads are of `ram` again: the start of what stands in for a ROM, or no address.
    pub(super) flat: u32,
    /// The bank at $C000. What was written to $0001 is in the RAM there as well.
    pub(super) rom_bank: u8,
    pub(super) vias: [Via; 2],
    pub(super) board: Board,
    /// What the board does to the machine before the next instruction.
    pub(super) request: Option<Request>,
    pub vera: Vera,
    /// Cycles since power-on, the one that runs included.
    pub cycles: u64,
    /// The cycles that VERA has seen.
    pub(super) vera_cycles: u64,
    /// The cycle at which VERA has to be asked again.
    pub(super) event: u64,
    /// The cycle from which instructions do not simply follow each other: that of the event, or 0 if something is up.
    pub deadline: u64,
    pub(super) irq: bool,
    /// The cycle in which the line changed last.
    pub(super) irq_changed: u64,
    /// The instruction that runs.
    pub pc: u16,
    /// A fetch from where the KERNAL would be, and the instruction before it.
    pub trap: Option<(u16, u16)>,
    /// The CPU waits or has stopped.
    pub is_halted: bool,
    /// Interrupts that were entered.
    pub interrupts: u64,
    pub frame_limit: u64,
    pub cycle_limit: u64,
    pub ending: Option<Ending>,
    pub output: String,
    /// Device 8, if there are files.
    pub drive: Option<Box<Drive>>,
    /// The first bank that was written to and that is not there, and by which instruction.
    pub no_bank: Option<(u8, u16)>,
    /// Where the KERNAL has its status byte.
    pub status: u16,
    pub(super) kernal: Kernal,
    pub watch: Option<Box<Watch>>,
    /// What the stand-in that is at work has written to memory: the address, and what was there before.
    pub(super) poked: Option<Vec<(u16, u8)>>,
    pub(super) user: User,
    /// The program has returned, and what it has left goes on.
    pub(super) has_returned: bool,
    /// What the CPU was about before the program was started, and the vectors of then.
    pub(super) prompt: Option<Prompt>,
}

impl Bus {
    pub(super) fn new(deviations: Deviations, ram_banks: usize, rom: Vec<u8>, board: Board) -> Bus {
        let mut bus = Bus {
            ram: Box::new([0; 0x1_0000]),
            banks: vec![0; ram_banks * RAM_BANK],
            flat: if rom.is_empty() { kernal::ROM.into() } else { 0x1_0000 },
            rom: rom.into(),
            rom_bank: 0,
            vias: [Via::default(), Via::default()],
            board,
            request: None,
            vera: Vera::with(deviations),
            cycles: 0,
            vera_cycles: 0,
            event: 0,
            deadline: 0,
            irq: false,
            irq_changed: u64::MAX,
            pc: 0,
            trap: None,
            is_halted: false,
            interrupts: 0,
            frame_limit: u64::MAX,
            cycle_limit: u64::MAX,
            ending: None,
            output: String::new(),
            drive: None,
            no_bank: None,
            status: kernal::files::STATUS,
            kernal: Kernal::default(),
            watch: None,
            poked: None,
            user: User::default(),
            prompt: None,
            has_returned: false,
        };
        bus.set_up();
        bus.follow_board();
        bus
    }

    /// What the KERNAL would have left in RAM and in VERA.
    pub(super) fn set_up(&mut self) {
        if self.has_rom() {
            return;
        }
        self.ram[usize::from(kernal::ROM)..].copy_from_slice(&kernal::IMAGE[..]);
        // Bank 1 is the user's.
        (self.ram[0], self.ram[1]) = (1, 0);
        self.ram[0x0200..0x0400].fill(0);
        for (at, vector) in kernal::vectors().chain(kernal::limits()) {
            self.set_word(at, vector);
        }
        for (at, value) in kernal::files::start() {
            self.ram[usize::from(at)] = value;
        }
        kernal::set_up(self);
    }

    /// The places of video memory that the KERNAL writes in [`set_up`](Bus::set_up).
    pub(super) fn written_at_power_on(&self) -> Vec<u32> {
        let mut vera = Vera::default();
        vera.watch_stores(true);
        let mut fresh = Bus { vera, ..self.clone() };
        (fresh.watch, fresh.vera_cycles) = (None, fresh.cycles);
        kernal::set_up(&mut fresh);
        fresh.vera.take_stores().map(|store| store.address).collect()
    }

    /// RAM and video memory as they may be at power-on.
    pub(super) fn fill_randomly(&mut self, seed: u64) {
        let mut number = gpuzoo_isa::numbers(seed);
        let mut fill = |bytes: &mut [u8]| bytes.iter_mut().for_each(|byte| *byte = number(0x100) as u8);
        fill(&mut self.ram[..usize::from(IO)]);
        fill(&mut self.banks);
        fill(self.vera.vram_mut());
        fill(self.board.i2c.rtc.memory_mut());
        // The latch of the ROM's bank is reset.
        self.ram[1] = 0;
        self.set_up();
    }

    pub(super) fn has_rom(&self) -> bool {
        !self.rom.is_empty()
    }

    /// The bank 0 of the ROM.
    pub(super) fn kernal_rom(&self) -> &[u8] {
        self.rom.get(..ROM_BANK).unwrap_or_default()
    }

    /// A byte of a bank of RAM, or of what there is without banks.
    pub(super) fn peek_in(&self, address: u16, bank: u8) -> Option<u8> {
        let at = usize::from(bank) * RAM_BANK + usize::from(address.checked_sub(BANKS)?);
        self.banks.get(at).copied()
    }

    pub(super) fn end(&mut self, ending: Ending) {
        self.ending.get_or_insert(ending);
        self.deadline = 0;
    }

    pub(super) fn print(&mut self, byte: u8) {
        let letter = kernal::petscii(byte);
        if let Some(letter) = letter.filter(|letter| self.output.len() + letter.len_utf8() <= MAX_OUTPUT) {
            self.output.push(letter);
        }
    }

    /// Lets VERA catch up.
    #[inline]
    pub(super) fn sync(&mut self) {
        let behind = self.cycles - self.vera_cycles;
        self.vera_cycles = self.cycles;
        // The event is at most a line away, and an instruction is short: there are never many.
        self.vera.advance_cycles(behind as u32);
    }

    fn sync_vias(&mut self) {
        let cycles = self.cycles;
        self.vias.iter_mut().for_each(|via| via.advance(cycles));
        self.board.sound.advance(cycles);
    }

    pub(super) fn follow_irq(&mut self, since: u64) {
        let irq = self.vera.irq() || self.vias.iter().any(Via::irq) || self.board.sound.irq();
        if irq != self.irq {
            self.irq = irq;
            self.irq_changed = since;
        }
    }

    /// Meets the event if it is due: a line begins, or a limit is reached.
    #[inline]
    pub(super) fn meet(&mut self) {
        if self.cycles < self.event {
            return;
        }
        self.sync();
        self.sync_vias();
        self.follow_irq(self.event);
        while let Some(event) = self.user.due(self.cycles) {
            self.receive(event);
        }
        if self.vera.frames() >= self.frame_limit {
            self.end(Ending::Frames { frames: 0, pc: 0, idle: false, returned: false });
        }
        if self.cycles >= self.cycle_limit {
            self.end(Ending::Cycles { cycles: 0, pc: 0 });
        }
        self.plan();
    }

    /// What the user does reaches those who listen.
    fn receive(&mut self, event: Event) {
        self.board.receive(event, self.cycles);
        self.board.follow(&mut self.vias[0], self.cycles);
        if !self.has_rom() {
            kernal::receive(self, event);
        }
    }

    /// Sets the event and the deadline. AFLOW may come at any time within a line; the other events come at its start.
    pub(super) fn plan(&mut self) {
        let wait = if self.vera.waits_for_audio() { 1 } else { u64::from(self.vera.cycles_to_line()) };
        let mut next = self.cycles + wait;
        let irqs = [self.vias[0].next_irq(), self.vias[1].next_irq(), self.board.sound.next_irq()];
        // What is due already was met.
        next = irqs.into_iter().flatten().filter(|irq| *irq > self.cycles).fold(next, u64::min);
        next = self.user.when().map_or(next, |when| next.min(when.max(self.cycles)));
        self.event = if self.cycles < self.cycle_limit { next.min(self.cycle_limit) } else { next };
        self.arm();
    }

    /// Sets the deadline.
    pub(super) fn arm(&mut self) {
        // A request that has just ended still counts for the instruction in which it did.
        let is_up = self.irq_is_near()
            || self.is_halted
            || self.trap.is_some()
            || self.ending.is_some()
            || self.request.is_some();
        self.deadline = if is_up { 0 } else { self.event };
    }

    /// The line asks for an interrupt, or has just ceased to.
    pub(super) fn irq_is_near(&self) -> bool {
        self.irq || self.irq_changed == self.cycles
    }

    /// After a run or a step: VERA is where the CPU is.
    pub(super) fn catch_up(&mut self) {
        // An event that is due keeps its own time.
        self.meet();
        self.sync();
        self.sync_vias();
    }

    /// Before a run or a step: the caller may have used VERA without the bus.
    pub(super) fn begin(&mut self) {
        self.follow_irq(self.cycles);
        self.plan();
    }

    /// Lets cycles pass in which the CPU waits: up to the one before the next event, unless there is a request already.
    pub(super) fn skip(&mut self) {
        if !self.irq {
            self.cycles = self.cycles.max(self.event.saturating_sub(1));
        }
    }

    /// True if no event can change the interrupt line while the CPU waits.
    pub(super) fn is_quiet(&self) -> bool {
        !self.irq
            && self.vera.peek(0x06) & 0x0f == 0
            && self.vias.iter().all(Via::is_quiet)
            && self.board.sound.next_irq().is_none()
    }

    /// The bank of RAM at $A000.
    pub(crate) fn ram_bank(&self) -> u8 {
        self.ram[0]
    }

    /// Where an address is in the banked memories.
    #[inline]
    fn bank_at(&self, address: u16) -> usize {
        usize::from(self.ram[0]) * RAM_BANK + usize::from(address - BANKS)
    }

    fn rom_at(&self, address: u16) -> usize {
        usize::from(self.rom_bank) * ROM_BANK + usize::from(address - kernal::ROM)
    }

    /// A read above RAM: of a ROM and of the banks at once, since a KERNAL reads little else.
    #[inline(never)]
    fn read_above(&mut self, address: u16) -> u8 {
        let byte = match address {
            kernal::ROM.. => self.rom.get(self.rom_at(address)),
            BANKS.. => self.banks.get(self.bank_at(address)),
            _ => None,
        };
        match byte {
            Some(byte) => *byte,
            None => self.read_high(address, Kind::Read),
        }
    }

    #[inline(never)]
    pub(super) fn read_high(&mut self, address: u16, kind: Kind) -> u8 {
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

    fn peek_via(&self, index: usize, register: u16) -> u8 {
        let mut via = self.vias[index].clone();
        via.advance(self.cycles);
        via.peek(usize::from(register))
    }

    pub(super) fn via_mut(&mut self, index: usize) -> &mut Via {
        self.sync_vias();
        &mut self.vias[index]
    }

    /// After a change of what VIA 1 or a device puts on their lines.
    pub(super) fn follow_board(&mut self) {
        let now = self.cycles;
        self.board.follow(&mut self.vias[0], now);
        self.request = self.board.i2c.smc.request.take().or(self.request);
        self.follow_vias();
    }

    /// The reset line.
    pub(super) fn reset(&mut self) {
        self.sync_vias();
        self.vias.iter_mut().for_each(Via::reset);
        self.board.reset();
        // VERA has a bit for what its reset line does, so that recordings can have it.
        self.write_for_kernal([(0x05, 0x80)]);
        self.select_rom(0);
        self.follow_board();
    }

    /// After an access of a VIA: its interrupts may have changed, or when they come.
    fn follow_vias(&mut self) {
        self.follow_irq(self.cycles);
        self.plan();
    }

    #[inline(never)]
    pub(super) fn write_high(&mut self, address: u16, value: u8, kind: Kind) {
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
                    None if self.pc >= kernal::ROM => {}
                    None => drop(self.no_bank.get_or_insert((self.ram[0], self.pc))),
                }
            }
            _ => {}
        }
    }

    fn select_rom(&mut self, bank: u8) {
        (self.ram[1], self.rom_bank) = (bank, bank);
    }

    /// Writes memory without time: RAM, or the bank that is chosen.
    pub(super) fn poke(&mut self, address: u16, value: u8) {
        if self.poked.is_some() {
            let before = self.peek(address);
            self.poked.get_or_insert_default().push((address, before));
        }
        match address {
            1 => self.select_rom(value),
            0..IO => self.ram[usize::from(address)] = value,
            BANKS..=0xbfff => self.write_high(address, value, Kind::Write),
            _ => {}
        }
    }

    #[inline]
    fn read_vera(&mut self, register: u8, kind: Kind) -> u8 {
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

    #[inline]
    fn write_vera(&mut self, register: u8, value: u8, kind: Kind) {
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
    fn watch_access(&mut self, register: u8, kind: Kind, written: Option<u8>) {
        let access = Access { cycle: self.cycles, register, kind, value: written.unwrap_or(0) };
        let pc = self.pc;
        let bytes = [0, 1, 2].map(|offset| self.peek(pc.wrapping_add(offset)));
        if let Some(watch) = &mut self.watch {
            watch.before(&self.vera, &access, Place { pc, bytes });
        }
    }
}

/// True for memory that is nothing but memory when it is written: the banks' numbers are not.
#[inline(always)]
fn is_plain(address: u16) -> bool {
    address.wrapping_sub(2) < IO - 2
}

impl gpuzoo_65c02::Bus for Bus {
    #[inline(always)]
    fn read(&mut self, address: u16) -> u8 {
        self.cycles += 1;
        if address < IO || u32::from(address) >= self.flat {
            self.ram[usize::from(address)]
        } else {
            self.read_above(address)
        }
    }

    #[inline(always)]
    fn write(&mut self, address: u16, value: u8) {
        self.cycles += 1;
        if is_plain(address) {
            self.ram[usize::from(address)] = value;
        } else {
            self.write_high(address, value, Kind::Write);
        }
    }

    #[inline(always)]
    fn dummy(&mut self, address: u16) {
        self.cycles += 1;
        if address >= IO {
            self.read_high(address, Kind::Dummy);
        }
    }

    #[inline(always)]
    fn write_back(&mut self, address: u16, value: u8) {
        self.cycles += 1;
        if is_plain(address) {
            self.ram[usize::from(address)] = value;
        } else {
            self.write_high(address, value, Kind::WriteBack);
        }
    }

    #[inline(always)]
    fn fetch(&mut self, pc: u16) -> u8 {
        self.cycles += 1;
        let opcode = if pc < IO {
            self.ram[usize::from(pc)]
        } else if u32::from(pc) >= self.flat {
            let opcode = self.ram[usize::from(pc)];
            if opcode == kernal::TRAP {
                self.trap_at(pc);
            }
            opcode
        } else {
            self.fetch_high(pc)
        };
        self.pc = pc;
        opcode
    }

    /// VPB resets the latch of the ROM's bank: vectors are those of bank 0, and so is what they lead to. $0001 still has the number of
    /// the bank before.
    #[inline(always)]
    fn vector(&mut self, address: u16) -> u8 {
        self.rom_bank = 0;
        self.read(address)
    }

    fn halted(&mut self) {
        self.is_halted = true;
        self.deadline = 0;
    }

    fn interrupted(&mut self, enters: bool) {
        self.interrupts += u64::from(enters);
        if let Some(watch) = &mut self.watch {
            watch.interrupted(enters);
        }
    }

    #[inline(always)]
    fn irq(&self) -> bool {
        // A change in the last cycle comes too late for this instruction.
        self.irq != (self.irq_changed == self.cycles)
    }
}

impl Bus {
    /// True if a routine of a ROM's KERNAL is answered here, because it talks to the drive. All of the KERNAL calls it where programs do.
    fn is_answered(&mut self, pc: u16) -> bool {
        if kernal::files::asks(pc) && !KERNAL_CODE.contains(&self.pc) && self.pc < kernal::ROM {
            let caller = Caller { routine: pc, pc: self.pc };
            self.drive.iter_mut().for_each(|drive| drive.caller = caller);
        }
        self.rom_bank == 0 && kernal::answers(pc, self)
    }

    #[inline(never)]
    fn fetch_high(&mut self, pc: u16) -> u8 {
        let answered = pc >= kernal::ROM && self.drive.is_some() && self.is_answered(pc);
        if pc == kernal::RETURN || answered {
            self.trap_at(pc);
            return if answered { kernal::RTS } else { kernal::TRAP };
        }
        self.read_above(pc)
    }

    /// After this instruction a stand-in does its work.
    #[cold]
    fn trap_at(&mut self, pc: u16) {
        self.trap = Some((pc, self.pc));
        self.deadline = 0;
    }
}

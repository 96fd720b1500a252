//! What the CPU sees: RAM, banks, ROM, I/O, and VERA in step with it.
//!
//! | address | what |
//! |---|---|
//! | `$0000`, `$0001` | the RAM bank and the ROM bank |
//! | `$0002`–`$9EFF` | RAM |
//! | `$9F00`–`$9FFF` | I/O: two VIAs, VERA at `$9F20`, the sound chip at `$9F40` |
//! | `$A000`–`$BFFF` | a bank of 8 KB of RAM |
//! | `$C000`–`$FFFF` | a bank of 16 KB of ROM, or what stands in for it |

mod io;
mod time;

use crate::access::Kind;
use crate::board::Board;
use crate::board::smc::Request;
use crate::board::via::Via;
use crate::dos::{Caller, Drive};
use crate::ending::Ending;
use crate::input::User;
use crate::kernal::Kernal;
use crate::kernal::files::{STATUS, asks, calls, is_of_bus};
use crate::watch::Watch;
use gpuzoo_65c02::Cpu;
use gpuzoo_stored::stored;
use gpuzoo_vera::{BASE, Deviations, Vera};
use std::sync::Arc;

/// Bytes of a RAM bank and of a ROM bank.
pub(crate) const RAM_BANK: usize = 0x2000;
pub(crate) const ROM_BANK: usize = 0x4000;
/// Where I/O begins.
pub(crate) const IO: u16 = 0x9f00;
const IO_END: u16 = 0x9fff;
const BANKS: u16 = 0xa000;
/// VERA's registers of the SPI controller: this one and the next.
const SPI_DATA: u8 = 0x1e;
/// The last address of VERA.
pub(crate) const VERA_END: u16 = BASE + 0x1f;

/// First address of the ROM.
pub(crate) const ROM: u16 = 0xc000;

/// A byte that is fetched where a stand-in for a routine does its work: one byte, one cycle, no effect on the CPU.
pub(crate) const TRAP: u8 = 0x03;
/// RTS, which is fetched instead of a ROM's routine that is answered here.
const RTS: u8 = 0x60;
/// The program's own return address: a fetch here ends the run. No program has code there: no I/O device is at this
/// address.
pub(crate) const RETURN: u16 = 0x9ff0;

/// Where the KERNAL has code in RAM, by which it goes from one bank of its ROM to another.
const KERNAL_CODE: std::ops::Range<u16> = 0x0200..0x0400;

/// The most bytes of text that a program may print; more is dropped.
pub const MAX_OUTPUT: usize = 1 << 20;

/// Return address of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Prompt {
    pub cpu: Cpu,
    /// RAM and ROM.
    pub banks: [u8; 2],
    /// The vector of interrupts, and that of keys.
    pub vectors: [u16; 2],
    /// The cycle in which the program was started.
    pub cycle: u64,
}

stored! { Prompt { cpu, banks, vectors, cycle } }

#[derive(Clone, PartialEq)]
pub(crate) struct Bus {
    /// The whole address space, of which the first 40 KB are RAM, and the last 16 KB what stands in for a ROM: an index of 16 bits then needs
    /// no check.
    pub(crate) ram: Box<[u8; 0x1_0000]>,
    pub banks: Vec<u8>,
    /// Shared by all copies: it never changes.
    pub(crate) rom: Arc<[u8]>,
    /// From here on reads are of `ram` again: the start of what stands in for a ROM, or no address.
    pub(crate) flat: u32,
    /// The bank at $C000. What was written to $0001 is in the RAM there as well.
    pub(crate) rom_bank: u8,
    pub(crate) vias: [Via; 2],
    pub(crate) board: Board,
    /// What the board does to the machine before the next instruction.
    pub(crate) request: Option<Request>,
    pub vera: Vera,
    /// Cycles since power-on, the one that runs included.
    pub cycles: u64,
    /// The cycles that VERA has seen.
    pub(crate) vera_cycles: u64,
    /// The cycle at which VERA has to be asked again.
    pub(crate) event: u64,
    /// The cycle from which instructions do not simply follow each other: that of the event, or 0 if something is up.
    pub deadline: u64,
    pub(crate) irq: bool,
    /// The cycle in which the line changed last.
    pub(crate) irq_changed: u64,
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
    pub(crate) kernal: Kernal,
    pub watch: Option<Box<Watch>>,
    /// What the stand-in that is at work has written to memory: the address, and what was there before.
    pub(crate) poked: Option<Vec<(u16, u8)>>,
    pub(crate) user: User,
    /// The program has returned, and what it has left goes on.
    pub(crate) has_returned: bool,
    /// What the CPU was about before the program was started, and the vectors of then.
    pub(crate) prompt: Option<Prompt>,
}

impl Bus {
    /// A bus at power-on. Memory is not set up, and the board is not connected yet.
    pub(crate) fn new(deviations: Deviations, ram_banks: usize, rom: Vec<u8>, board: Board) -> Bus {
        Bus {
            ram: Box::new([0; 0x1_0000]),
            banks: vec![0; ram_banks * RAM_BANK],
            flat: if rom.is_empty() { ROM.into() } else { 0x1_0000 },
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
            status: STATUS,
            kernal: Kernal::default(),
            watch: None,
            poked: None,
            user: User::default(),
            prompt: None,
            has_returned: false,
        }
    }

    pub(crate) fn has_rom(&self) -> bool {
        !self.rom.is_empty()
    }

    /// The bank 0 of the ROM.
    pub(crate) fn kernal_rom(&self) -> &[u8] {
        self.rom.get(..ROM_BANK).unwrap_or_default()
    }

    /// A byte of a bank of RAM, or of what there is without banks.
    pub(crate) fn peek_in(&self, address: u16, bank: u8) -> Option<u8> {
        let at = usize::from(bank) * RAM_BANK + usize::from(address.checked_sub(BANKS)?);
        self.banks.get(at).copied()
    }

    pub(crate) fn end(&mut self, ending: Ending) {
        self.ending.get_or_insert(ending);
        self.deadline = 0;
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
            if opcode == TRAP {
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
        if asks(pc) && !KERNAL_CODE.contains(&self.pc) && self.pc < ROM {
            let caller = Caller { routine: pc, pc: self.pc };
            self.drive.iter_mut().for_each(|drive| drive.caller = caller);
        }
        self.rom_bank == 0 && self.answers(pc)
    }

    /// True for a routine of a ROM that is the KERNAL, with a drive for which it is answered here.
    fn answers(&self, pc: u16) -> bool {
        self.drive
            .as_ref()
            .is_some_and(|drive| is_of_bus(pc) && (calls(pc) || drive.listens() || drive.talks()))
    }

    #[inline(never)]
    fn fetch_high(&mut self, pc: u16) -> u8 {
        let answered = pc >= ROM && self.drive.is_some() && self.is_answered(pc);
        if pc == RETURN || answered {
            self.trap_at(pc);
            return if answered { RTS } else { TRAP };
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

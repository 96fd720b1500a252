//! The KERNAL's routines for files: without a ROM all of them, with one those that talk to the drive.
//!
//! Their variables are in RAM where the KERNAL has them, because programs and libraries look there. Device 8 is the
//! drive; there is no other but the keyboard (0) and the screen (3).

mod addresses;
mod bus;
mod channels;
mod transfer;

use crate::board::bus::{Bus, ROM};
use crate::dos::Caller;
use crate::ending::Ending;
use addresses::{
    ACPTR, BSAVE, CHKIN, CHKOUT, CIOUT, CLALL, CLOSE, CLOSE_ALL, CLRCHN, DEVICE_NUMBER, INPUT, LISTEN,
    LKUPLA, LKUPSA, LOAD, MACPTR, MCIOUT, MESSAGES, NAME, NAME_LENGTH, NUMBER, NUMBERS, OPEN, OPEN_FILES,
    OUTPUT, READST, SAVE, SECOND, SECONDARIES, SECONDARY, SETLFS, SETMSG, SETNAM, TALK, TKSA, UNLSN, UNTLK,
};
pub(crate) use addresses::{STATUS, asks, calls, is_here, is_of_bus};
use gpuzoo_65c02::Cpu;
use gpuzoo_65c02::status::{CARRY, NEGATIVE, ZERO};

const KEYBOARD: u8 = 0;
const SCREEN: u8 = 3;
/// The first device that is on the bus.
const FIRST_ON_BUS: u8 = 4;

/// What A holds when C is set.
mod error {
    pub const TOO_MANY_FILES: u8 = 1;
    pub const FILE_OPEN: u8 = 2;
    pub const FILE_NOT_OPEN: u8 = 3;
    pub const FILE_NOT_FOUND: u8 = 4;
    pub const DEVICE_NOT_PRESENT: u8 = 5;
    pub const NOT_INPUT: u8 = 6;
    pub const NOT_OUTPUT: u8 = 7;
    pub const NO_NAME: u8 = 8;
    pub const BAD_DEVICE: u8 = 9;
    pub const OUT_OF_MEMORY: u8 = 16;
}

/// Opcodes.
const JMP: u8 = 0x4c;
const LDA: u8 = 0xad;
const ORA: u8 = 0x0d;
const STA: u8 = 0x8d;

/// VERA's data port, where LOAD into video memory writes.
const DATA0: u16 = 0x9f23;

/// Where a ROM's KERNAL has its variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Variables {
    pub status: u16,
    /// Which messages of the KERNAL are printed.
    pub messages: u16,
}

/// Finds them, if the ROM is the Commander's. READST is known since R44, and tells: LDA, ORA and STA of the status; before it is
/// SETMSG, an STA.
pub(crate) fn variables(rom: &[u8]) -> Option<Variables> {
    let byte = |address: u16| rom.get(usize::from(address.checked_sub(ROM)?)).copied();
    let word = |address: u16| Some(u16::from_le_bytes([byte(address)?, byte(address + 1)?]));
    let jump = |address: u16| word(address + 1).filter(|to| byte(address) == Some(JMP) && *to >= ROM);
    let bus = [SECOND, TKSA, ACPTR, CIOUT, UNTLK, UNLSN, LISTEN, TALK];
    if bus.into_iter().any(|routine| jump(routine).is_none()) {
        return None;
    }
    let set_messages = jump(SETMSG).filter(|start| *start < READST && byte(*start) == Some(STA))?;
    let start = jump(READST).filter(|start| *start < READST)?;
    let (messages, status) = (word(set_messages + 1)?, word(start + 1)?);
    let parts = [(LDA, 0), (ORA, 3), (STA, 6)];
    let is_it =
        |(opcode, at): (u8, u16)| byte(start + at) == Some(opcode) && word(start + at + 1) == Some(status);
    parts.into_iter().all(is_it).then_some(Variables { status, messages })
}

/// What the KERNAL leaves in its variables at the start: no file is open, input and output are keyboard and screen.
pub(crate) fn start() -> [(u16, u8); 5] {
    [(STATUS, 0), (OPEN_FILES, 0), (INPUT, KEYBOARD), (OUTPUT, SCREEN), (MESSAGES, 0)]
}

/// Why a routine did not do what it was asked for: the error's number, or the run is over.
enum Fault {
    Number(u8),
    Over,
}

type Outcome = Result<(), Fault>;

/// The KERNAL at work: what a routine needs.
pub(super) struct Files<'a> {
    pub bus: &'a mut Bus,
    pub cpu: &'a mut Cpu,
    pub caller: Caller,
}

/// Does what a routine does, before its RTS.
pub(super) fn call(mut files: Files) {
    let address = files.caller.routine;
    if asks(address) {
        let caller = files.caller;
        if let Some(drive) = &mut files.bus.drive {
            drive.caller = caller;
        }
    }
    let outcome = files.routine(address);
    match outcome {
        Ok(()) => {}
        Err(Fault::Number(number)) => {
            // Errors close what goes on, and leave the files open.
            files.clear_channels();
            files.cpu.a = number;
            files.cpu.p |= CARRY;
        }
        Err(Fault::Over) => {}
    }
}

/// Does what the ROM's routine would do, after an RTS in its place, if it is for the drive; else the routine goes on.
pub(super) fn answer(mut files: Files) {
    let address = files.caller.routine;
    let device = files.cpu.a;
    if calls(address) && !files.bus.drive.as_ref().is_some_and(|drive| drive.is_device(device)) {
        // The return address is still there.
        files.cpu.s = files.cpu.s.wrapping_sub(2);
        let [low, high] = [1, 2].map(|at| files.bus.peek(address + at));
        files.cpu.pc = u16::from_le_bytes([low, high]);
        return;
    }
    // None of these ends with an error.
    let _ = files.routine(address);
}

/// True if input comes from a file.
pub(in crate::kernal) fn is_input(bus: &Bus) -> bool {
    bus.peek(INPUT) >= FIRST_ON_BUS
}

/// A byte for a program that reads from a file; none if what it reads from is the keyboard or the screen.
pub(super) fn input(files: &mut Files) -> bool {
    let device = files.variable(INPUT);
    if matches!(device, KEYBOARD | SCREEN) {
        return false;
    }
    if device < FIRST_ON_BUS {
        files.cpu.p |= CARRY;
    } else if files.bus.peek(files.bus.status) != 0 {
        // After the end there is nothing but ends of lines.
        files.cpu.a = b'\r';
        files.cpu.p &= !CARRY;
    } else {
        let byte = files.receive();
        files.cpu.a = byte;
        files.flags(byte);
    }
    true
}

/// Writes A to a file; false if the output is the screen.
pub(super) fn output(files: &mut Files) -> bool {
    match files.variable(OUTPUT) {
        SCREEN => return false,
        ..SCREEN => files.cpu.p |= CARRY,
        _ => {
            files.transmit(files.cpu.a);
            files.cpu.p &= !CARRY;
        }
    }
    true
}

impl Files<'_> {
    fn routine(&mut self, address: u16) -> Outcome {
        let Cpu { a, x, y, .. } = *self.cpu;
        match address {
            SETNAM => {
                self.set(NAME_LENGTH, a);
                self.set(NAME, x);
                self.set(NAME + 1, y);
            }
            SETLFS => {
                self.set(NUMBER, a);
                self.set(DEVICE_NUMBER, x);
                self.set(SECONDARY, y);
            }
            SETMSG => {
                self.set(MESSAGES, a);
                self.read_status();
            }
            READST => self.read_status(),
            OPEN => self.open()?,
            CLOSE => {
                self.close(a)?;
                self.cpu.p &= !CARRY;
            }
            CHKIN => self.choose_input(x)?,
            CHKOUT => self.choose_output(x)?,
            CLRCHN => self.clear_channels(),
            CLALL => {
                self.set(OPEN_FILES, 0);
                self.clear_channels();
            }
            CLOSE_ALL => self.close_all(a)?,
            LKUPLA => self.look_up(NUMBERS, a),
            LKUPSA => self.look_up(SECONDARIES, y),
            LOAD => self.load()?,
            SAVE => self.save(true)?,
            BSAVE => self.save(false)?,
            LISTEN => self.listen(a)?,
            TALK => self.talk(a)?,
            SECOND => self.second(a),
            TKSA => self.talk_second(a),
            UNLSN => self.unlisten(),
            UNTLK => self.untalk(),
            ACPTR => {
                let byte = self.receive();
                self.cpu.a = byte;
                self.flags(byte);
            }
            CIOUT => {
                self.transmit(a);
                self.cpu.p &= !CARRY;
            }
            MACPTR => self.receive_block(a, u16::from_le_bytes([x, y])),
            MCIOUT => self.transmit_block(a, u16::from_le_bytes([x, y])),
            _ => {}
        }
        Ok(())
    }

    /// Reads memory for the KERNAL. Who looks for memory that nothing has written is not told: what is saved may be anything.
    fn load_byte(&mut self, address: u16) -> u8 {
        self.bus.load_for_kernal(address)
    }

    /// Writes memory for the KERNAL.
    fn store(&mut self, address: u16, value: u8) {
        self.bus.store_for_kernal(address, value);
    }

    /// A variable of the KERNAL.
    fn variable(&self, address: u16) -> u8 {
        self.bus.peek(address)
    }

    fn set(&mut self, address: u16, value: u8) {
        self.store(address, value);
        if address == INPUT {
            self.bus.show_keys();
        }
    }

    fn set_status(&mut self, value: u8) {
        if self.bus.peek(self.bus.status) != value {
            self.store(self.bus.status, value);
        }
    }

    /// Adds bits to the status.
    fn raise(&mut self, more: u8) {
        self.set_status(self.bus.peek(self.bus.status) | more);
    }

    /// N and Z as a byte has them; C is clear.
    fn flags(&mut self, byte: u8) {
        let zero = if byte == 0 { ZERO } else { 0 };
        self.cpu.p = self.cpu.p & !(CARRY | NEGATIVE | ZERO) | byte & NEGATIVE | zero;
    }

    fn read_status(&mut self) {
        let status = self.bus.peek(self.bus.status);
        let carry = self.cpu.p & CARRY;
        self.cpu.a = status;
        self.flags(status);
        self.cpu.p |= carry;
    }
}

//! The KERNAL's routines for files: without a ROM all of them, with one those that talk to the drive.
//!
//! Their variables are in RAM where the KERNAL has them, because programs and libraries look there. Device 8 is the
//! [`Drive`]; there is no other but the keyboard (0) and the screen (3).

use super::super::bus::{Bus, IO};
use super::super::dos::{Caller, DEVICE, Drive, bits};
use super::super::ending::Ending;
use gpuzoo_65c02::Cpu;
use gpuzoo_65c02::status::{CARRY, NEGATIVE, ZERO};

/// The routines that talk to the drive. With a ROM these are answered for it.
const MCIOUT: u16 = 0xfeb1;
const MACPTR: u16 = 0xff44;
const SECOND: u16 = 0xff93;
const TKSA: u16 = 0xff96;
const ACPTR: u16 = 0xffa5;
const CIOUT: u16 = 0xffa8;
const UNTLK: u16 = 0xffab;
const UNLSN: u16 = 0xffae;
const LISTEN: u16 = 0xffb1;
const TALK: u16 = 0xffb4;
/// The others.
const BSAVE: u16 = 0xfeba;
const CLOSE_ALL: u16 = 0xff4a;
const LKUPLA: u16 = 0xff59;
const LKUPSA: u16 = 0xff5c;
const SETMSG: u16 = 0xff90;
const SETTMO: u16 = 0xffa2;
const READST: u16 = 0xffb7;
const SETLFS: u16 = 0xffba;
const SETNAM: u16 = 0xffbd;
const OPEN: u16 = 0xffc0;
const CLOSE: u16 = 0xffc3;
const CHKIN: u16 = 0xffc6;
const CHKOUT: u16 = 0xffc9;
const CLRCHN: u16 = 0xffcc;
const LOAD: u16 = 0xffd5;
const SAVE: u16 = 0xffd8;
const CLALL: u16 = 0xffe7;

/// The KERNAL's variables: tables of ten open files, then what was set last.
const NUMBERS: u16 = 0x0269;
const DEVICES: u16 = 0x0273;
const SECONDARIES: u16 = 0x027d;
pub(in crate::x16) const STATUS: u16 = 0x0287;
const OPEN_FILES: u16 = 0x028a;
const INPUT: u16 = 0x028b;
const OUTPUT: u16 = 0x028c;
const MESSAGES: u16 = 0x028d;
const NAME_LENGTH: u16 = 0x028f;
const NUMBER: u16 = 0x0290;
const SECONDARY: u16 = 0x0291;
const DEVICE_NUMBER: u16 = 0x0292;
const NAME: u16 = 0x008a;
const MAX_OPEN: u8 = 10;

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

/// True for a routine that talks to the drive.
pub(in crate::x16) fn is_of_bus(address: u16) -> bool {
    matches!(address, MCIOUT | MACPTR | SECOND | TKSA | ACPTR | CIOUT | UNTLK | UNLSN | LISTEN | TALK)
}

/// True for those of them that call a device.
pub(super) fn calls(address: u16) -> bool {
    matches!(address, LISTEN | TALK)
}

/// True for a routine with which a program asks for a file.
pub(in crate::x16) fn asks(address: u16) -> bool {
    matches!(address, OPEN | LOAD | SAVE | BSAVE)
}

/// Where a ROM's KERNAL has its variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::x16) struct Variables {
    pub status: u16,
    /// Which messages of the KERNAL are printed.
    pub messages: u16,
}

/// Finds them, if the ROM is the Commander's. READST is known since R44, and tells: LDA, ORA and STA of the status; before it is
/// SETMSG, an STA.
pub(in crate::x16) fn variables(rom: &[u8]) -> Option<Variables> {
    let byte = |address: u16| rom.get(usize::from(address.checked_sub(super::ROM)?)).copied();
    let word = |address: u16| Some(u16::from_le_bytes([byte(address)?, byte(address + 1)?]));
    let jump = |address: u16| word(address + 1).filter(|to| byte(address) == Some(JMP) && *to >= super::ROM);
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

/// True for a routine that is here.
pub(super) fn is_here(address: u16) -> bool {
    is_of_bus(address)
        || asks(address)
        || matches!(
            address,
            CLOSE_ALL
                | LKUPLA
                | LKUPSA
                | SETMSG
                | SETTMO
                | READST
                | SETLFS
                | SETNAM
                | CLOSE
                | CHKIN
                | CHKOUT
                | CLRCHN
                | CLALL
        )
}

/// What the KERNAL leaves in its variables at the start: no file is open, input and output are keyboard and screen.
pub(in crate::x16) fn start() -> [(u16, u8); 5] {
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
pub(super) fn is_input(bus: &Bus) -> bool {
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

    /// The drive, if it is spoken to.
    fn drive(&mut self, is_spoken_to: fn(&Drive) -> bool) -> Option<&mut Drive> {
        self.bus.drive.as_deref_mut().filter(|drive| is_spoken_to(drive))
    }

    /// Calls a device. Of device 8 a program expects that it is there: without files the run is over.
    fn call_device(&mut self, device: u8) -> Result<Option<&mut Drive>, Fault> {
        let is_there = self.bus.drive.as_ref().is_some_and(|drive| drive.is_device(device));
        if !is_there && self.bus.drive.is_none() && device & 0x1f == DEVICE {
            let Caller { routine, pc } = self.caller;
            let name = self.name();
            self.bus.end(Ending::NoFiles { address: routine, pc, name: super::super::dos::shown(&name) });
            return Err(Fault::Over);
        }
        if !is_there {
            self.raise(bits::NO_DEVICE);
        }
        Ok(self.bus.drive.as_deref_mut().filter(|_| is_there))
    }

    fn listen(&mut self, device: u8) -> Outcome {
        if let Some(drive) = self.call_device(device)? {
            drive.listen();
        }
        self.cpu.p &= !CARRY;
        Ok(())
    }

    fn talk(&mut self, device: u8) -> Outcome {
        if let Some(drive) = self.call_device(device)? {
            drive.talk();
        }
        self.cpu.p &= !CARRY;
        Ok(())
    }

    fn second(&mut self, command: u8) {
        if let Some(status) = self.drive(Drive::listens).and_then(|drive| drive.second(command)) {
            self.set_status(status);
        }
    }

    fn talk_second(&mut self, command: u8) {
        if let Some(status) = self.drive(Drive::talks).and_then(|drive| drive.talk_second(command)) {
            self.set_status(status);
        }
    }

    fn unlisten(&mut self) {
        if let Some(drive) = self.drive(Drive::listens) {
            drive.unlisten();
        }
    }

    fn untalk(&mut self) {
        if let Some(drive) = self.drive(Drive::talks) {
            drive.untalk();
        }
    }

    fn receive(&mut self) -> u8 {
        let (byte, status) = match self.drive(Drive::talks) {
            Some(drive) => drive.send(),
            None => (0, bits::NO_DEVICE),
        };
        self.set_status(status);
        byte
    }

    fn transmit(&mut self, byte: u8) {
        let status = self.drive(Drive::listens).map_or(bits::NO_DEVICE, |drive| drive.take(byte));
        self.set_status(status);
    }

    /// The next address of memory that is read or written in a row: banks of RAM follow each other.
    fn next(&mut self, address: u16) -> u16 {
        if address != 0xbfff {
            return address.wrapping_add(1);
        }
        let bank = self.bus.ram_bank().wrapping_add(1);
        self.store(0, bank);
        0xa000
    }

    /// MACPTR: so many bytes of a file, 0 for as many as come at once. With C all of them go to one address.
    fn receive_block(&mut self, count: u8, mut address: u16) {
        let is_port = self.cpu.p & CARRY != 0;
        let Some(block) = self.drive(Drive::talks).and_then(|drive| drive.block()) else {
            self.cpu.p |= CARRY;
            return;
        };
        let most = if count == 0 { block } else { usize::from(count) };
        let mut got: u16 = 0;
        while usize::from(got) < most {
            let Some((byte, status)) = self.bus.drive.as_deref_mut().map(|drive| drive.send()) else { break };
            self.set_status(status);
            self.store(address, byte);
            got += 1;
            if !is_port {
                address = self.next(address);
            }
            if status != 0 {
                break;
            }
        }
        [self.cpu.x, self.cpu.y] = got.to_le_bytes();
        self.cpu.p &= !CARRY;
    }

    /// MCIOUT: so many bytes to a file, 0 for 256. With C all of them come from one address.
    fn transmit_block(&mut self, count: u8, mut address: u16) {
        let is_port = self.cpu.p & CARRY != 0;
        if self.drive(Drive::listens).and_then(|drive| drive.block()).is_none() {
            self.cpu.p |= CARRY;
            return;
        }
        let most = if count == 0 { 256 } else { u16::from(count) };
        let mut sent: u16 = 0;
        while sent < most {
            let byte = self.load_byte(address);
            self.transmit(byte);
            if self.bus.peek(self.bus.status) != 0 {
                break;
            }
            sent += 1;
            if !is_port {
                address = self.next(address);
            }
        }
        [self.cpu.x, self.cpu.y] = sent.to_le_bytes();
        self.cpu.p &= !CARRY;
    }

    /// The name that SETNAM set.
    fn name(&self) -> Vec<u8> {
        let at = u16::from_le_bytes([self.variable(NAME), self.variable(NAME + 1)]);
        (0..u16::from(self.variable(NAME_LENGTH)))
            .map(|place| self.bus.peek(at.wrapping_add(place)))
            .collect()
    }

    /// Sends a name to a device, which opens it.
    fn send_name(&mut self, device: u8, secondary: u8, name: &[u8]) -> Outcome {
        if secondary & 0x80 != 0 || name.is_empty() {
            return Ok(());
        }
        self.set_status(0);
        self.listen(device)?;
        self.second(secondary | 0xf0);
        if self.bus.peek(self.bus.status) & bits::NO_DEVICE != 0 {
            return Err(Fault::Number(error::DEVICE_NOT_PRESENT));
        }
        for byte in name {
            self.transmit(*byte);
        }
        self.unlisten();
        Ok(())
    }

    /// Tells a device that a file is closed.
    fn send_close(&mut self, device: u8, secondary: u8) -> Outcome {
        if secondary & 0x80 == 0 {
            self.listen(device)?;
            self.second(secondary & 0xef | 0xe0);
            self.unlisten();
        }
        Ok(())
    }

    /// The place of a number among the open files, the last one first.
    fn find(&self, table: u16, wanted: u8) -> Option<u16> {
        let count = self.variable(OPEN_FILES).min(MAX_OPEN);
        (0..u16::from(count)).rev().find(|place| self.variable(table + place) == wanted)
    }

    /// An open file becomes the current one: its device and secondary address.
    fn fetch(&mut self, place: u16) -> (u8, u8) {
        let of = |table: u16| table + place;
        let (number, device) = (self.variable(of(NUMBERS)), self.variable(of(DEVICES)));
        let secondary = self.variable(of(SECONDARIES));
        self.set(NUMBER, number);
        self.set(DEVICE_NUMBER, device);
        self.set(SECONDARY, secondary);
        (device, secondary)
    }

    fn open(&mut self) -> Outcome {
        let (number, device) = (self.variable(NUMBER), self.variable(DEVICE_NUMBER));
        if number == 0 {
            return Err(Fault::Number(error::NOT_INPUT));
        }
        self.set_status(0);
        if self.find(NUMBERS, number).is_some() {
            return Err(Fault::Number(error::FILE_OPEN));
        }
        let place = self.variable(OPEN_FILES);
        if place >= MAX_OPEN {
            return Err(Fault::Number(error::TOO_MANY_FILES));
        }
        let secondary = self.variable(SECONDARY) | 0x60;
        self.set(OPEN_FILES, place + 1);
        self.set(SECONDARY, secondary);
        for (table, value) in [(NUMBERS, number), (DEVICES, device), (SECONDARIES, secondary)] {
            self.set(table + u16::from(place), value);
        }
        if matches!(device, KEYBOARD | SCREEN) {
        } else if device < FIRST_ON_BUS {
            return Err(Fault::Number(error::BAD_DEVICE));
        } else {
            let name = self.name();
            self.send_name(device, secondary, &name)?;
        }
        self.cpu.p &= !CARRY;
        Ok(())
    }

    fn close(&mut self, number: u8) -> Outcome {
        let Some(place) = self.find(NUMBERS, number) else { return Ok(()) };
        let (device, secondary) = self.fetch(place);
        if device >= FIRST_ON_BUS {
            self.send_close(device, secondary)?;
        }
        // The last one takes its place.
        let last = self.variable(OPEN_FILES).saturating_sub(1);
        self.set(OPEN_FILES, last);
        for table in [NUMBERS, DEVICES, SECONDARIES] {
            let value = self.variable(table + u16::from(last));
            self.set(table + place, value);
        }
        Ok(())
    }

    fn close_all(&mut self, device: u8) -> Outcome {
        self.set(DEVICE_NUMBER, device);
        if self.variable(OUTPUT) == device {
            self.set(OUTPUT, SCREEN);
        } else if self.variable(INPUT) == device {
            self.set(INPUT, KEYBOARD);
        }
        while let Some(place) = self.find(DEVICES, device) {
            let number = self.variable(NUMBERS + place);
            self.close(number)?;
        }
        Ok(())
    }

    /// LKUPLA and LKUPSA: C is set if there is none.
    fn look_up(&mut self, table: u16, wanted: u8) {
        if table == NUMBERS {
            self.set_status(0);
        }
        match self.find(table, wanted) {
            Some(place) => {
                (self.cpu.x, self.cpu.y) = self.fetch(place);
                self.cpu.a = self.variable(NUMBER);
                self.cpu.p &= !CARRY;
            }
            None => self.cpu.p |= CARRY,
        }
    }

    /// The device and secondary address of an open file.
    fn opened(&mut self, number: u8) -> Result<(u8, u8), Fault> {
        self.set_status(0);
        let place = self.find(NUMBERS, number).ok_or(Fault::Number(error::FILE_NOT_OPEN))?;
        Ok(self.fetch(place))
    }

    fn choose_input(&mut self, number: u8) -> Outcome {
        let (device, secondary) = self.opened(number)?;
        match device {
            KEYBOARD | SCREEN => {}
            2 => return Err(Fault::Number(error::DEVICE_NOT_PRESENT)),
            ..FIRST_ON_BUS => return Err(Fault::Number(error::NOT_INPUT)),
            _ => {
                self.talk(device)?;
                if secondary & 0x80 == 0 {
                    self.talk_second(secondary);
                }
                self.expect_device()?;
            }
        }
        self.set(INPUT, device);
        self.cpu.a = device;
        self.cpu.p &= !CARRY;
        Ok(())
    }

    fn choose_output(&mut self, number: u8) -> Outcome {
        let (device, secondary) = self.opened(number)?;
        match device {
            SCREEN => {}
            2 => return Err(Fault::Number(error::DEVICE_NOT_PRESENT)),
            ..FIRST_ON_BUS => return Err(Fault::Number(error::NOT_OUTPUT)),
            _ => {
                self.listen(device)?;
                if secondary & 0x80 == 0 {
                    self.second(secondary);
                }
                self.expect_device()?;
            }
        }
        self.set(OUTPUT, device);
        self.cpu.a = device;
        self.cpu.p &= !CARRY;
        Ok(())
    }

    fn expect_device(&self) -> Outcome {
        match self.bus.peek(self.bus.status) & bits::NO_DEVICE {
            0 => Ok(()),
            _ => Err(Fault::Number(error::DEVICE_NOT_PRESENT)),
        }
    }

    /// CLRCHN: input and output are keyboard and screen again.
    fn clear_channels(&mut self) {
        if self.variable(OUTPUT) > SCREEN {
            self.unlisten();
        }
        if self.variable(INPUT) > SCREEN {
            self.untalk();
        }
        self.set(OUTPUT, SCREEN);
        self.set(INPUT, KEYBOARD);
    }

    /// A device for LOAD and SAVE.
    fn disk(&self) -> Result<u8, Fault> {
        let device = self.variable(DEVICE_NUMBER);
        if device < FIRST_ON_BUS { Err(Fault::Number(error::BAD_DEVICE)) } else { Ok(device) }
    }

    fn load(&mut self) -> Outcome {
        let kind = self.cpu.a & 0x1f;
        let mut to = u16::from_le_bytes([self.cpu.x, self.cpu.y]);
        self.set_status(0);
        let device = self.disk()?;
        let name = match self.variable(NAME_LENGTH) {
            // The first program that there is.
            0 => b":*".to_vec(),
            _ => self.name(),
        };
        let secondary = self.variable(SECONDARY);
        self.set(SECONDARY, 0x60);
        self.send_name(device, 0x60, &name)?;
        self.talk(device)?;
        self.talk_second(0x60);
        let mut header = [0; 2];
        let is_headless = secondary & 2 != 0;
        if !is_headless {
            header[0] = self.receive();
            if self.bus.peek(self.bus.status) & bits::NOT_READ != 0 {
                return Err(Fault::Number(error::FILE_NOT_FOUND));
            }
            header[1] = self.receive();
            if secondary & 1 != 0 {
                to = u16::from_le_bytes(header);
            }
        }
        let end = self.load_bytes(kind, to);
        self.untalk();
        self.send_close(device, 0x60)?;
        let end = end?;
        if kind > 1 {
            let address = [2, 1, 0].map(|register| self.bus.peek(0x9f20 + register));
            [self.cpu.a, self.cpu.y, self.cpu.x] = address;
            self.cpu.a &= 1;
        } else {
            [self.cpu.x, self.cpu.y] = end.to_le_bytes();
            self.cpu.a = 0;
        }
        self.cpu.p &= !CARRY;
        Ok(())
    }

    /// The bytes of a file that is open: to RAM (0), compared (1), or to video memory. Returns the address behind the last.
    fn load_bytes(&mut self, kind: u8, mut to: u16) -> Result<u16, Fault> {
        if kind > 1 {
            let [low, high] = to.to_le_bytes();
            // One after the other; the bank is what is left of the kind.
            for (register, value) in [(0x9f22, 0x10 | kind & 1), (0x9f20, low), (0x9f21, high)] {
                self.store(register, value);
            }
        }
        let mut is_first = true;
        // A header alone is a file without bytes.
        while self.bus.peek(self.bus.status) & bits::END == 0 {
            let (byte, status) = match self.drive(Drive::talks) {
                // A file without bytes ends at once.
                Some(drive) if is_first && drive.is_at_end() => (None, bits::END),
                Some(drive) => {
                    let (byte, status) = drive.send();
                    (Some(byte), status)
                }
                None => (None, bits::END | bits::NOT_READ),
            };
            self.set_status(status);
            if is_first && status & bits::NOT_READ != 0 {
                return Err(Fault::Number(error::FILE_NOT_FOUND));
            }
            is_first = false;
            let Some(byte) = byte else { break };
            if kind > 1 {
                self.store(DATA0, byte);
                continue;
            }
            // I/O and ROM cannot be loaded to.
            if !matches!(to, ..IO | 0xa000..=0xbfff) {
                return Err(Fault::Number(error::OUT_OF_MEMORY));
            }
            if kind == 0 {
                self.store(to, byte);
            } else if self.load_byte(to) != byte {
                self.raise(bits::DIFFERS);
                break;
            }
            to = self.next(to);
        }
        Ok(to)
    }

    fn save(&mut self, has_header: bool) -> Outcome {
        let pointer = u16::from(self.cpu.a);
        let end = u16::from_le_bytes([self.cpu.x, self.cpu.y]);
        let device = self.disk()?;
        self.set(SECONDARY, 0x61);
        let name = self.name();
        if name.is_empty() {
            return Err(Fault::Number(error::NO_NAME));
        }
        let start = [pointer, (pointer + 1) & 0xff].map(|at| self.load_byte(at));
        let mut from = u16::from_le_bytes(start);
        self.send_name(device, 0x61, &name)?;
        self.listen(device)?;
        self.second(0x61);
        if has_header {
            start.into_iter().for_each(|byte| self.transmit(byte));
        }
        let mut left = end.saturating_sub(from);
        while left > 0 {
            let byte = self.load_byte(from);
            self.transmit(byte);
            from = self.next(from);
            left -= 1;
        }
        self.unlisten();
        self.send_close(device, 0x61)?;
        self.cpu.p &= !CARRY;
        Ok(())
    }
}

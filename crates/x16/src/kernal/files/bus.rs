//! What is said on the bus: devices are called, and bytes come and go, one by one and in blocks.

use super::addresses::{NAME, NAME_LENGTH};
use super::{Caller, Ending, Fault, Files, Outcome, error};
use crate::dos::{DEVICE, Drive, bits, shown};
use gpuzoo_65c02::status::CARRY;

impl Files<'_> {
    /// The drive, if it is spoken to.
    pub(super) fn drive(&mut self, is_spoken_to: fn(&Drive) -> bool) -> Option<&mut Drive> {
        self.bus.drive.as_deref_mut().filter(|drive| is_spoken_to(drive))
    }

    /// Calls a device. Of device 8 a program expects that it is there: without files the run is over.
    pub(super) fn call_device(&mut self, device: u8) -> Result<Option<&mut Drive>, Fault> {
        let is_there = self.bus.drive.as_ref().is_some_and(|drive| drive.is_device(device));
        if !is_there && self.bus.drive.is_none() && device & 0x1f == DEVICE {
            let Caller { routine, pc } = self.caller;
            let name = self.name();
            self.bus.end(Ending::NoFiles { address: routine, pc, name: shown(&name) });
            return Err(Fault::Over);
        }
        if !is_there {
            self.raise(bits::NO_DEVICE);
        }
        Ok(self.bus.drive.as_deref_mut().filter(|_| is_there))
    }

    pub(super) fn listen(&mut self, device: u8) -> Outcome {
        if let Some(drive) = self.call_device(device)? {
            drive.listen();
        }
        self.cpu.p &= !CARRY;
        Ok(())
    }

    pub(super) fn talk(&mut self, device: u8) -> Outcome {
        if let Some(drive) = self.call_device(device)? {
            drive.talk();
        }
        self.cpu.p &= !CARRY;
        Ok(())
    }

    pub(super) fn second(&mut self, command: u8) {
        if let Some(status) = self.drive(Drive::listens).and_then(|drive| drive.second(command)) {
            self.set_status(status);
        }
    }

    pub(super) fn talk_second(&mut self, command: u8) {
        if let Some(status) = self.drive(Drive::talks).and_then(|drive| drive.talk_second(command)) {
            self.set_status(status);
        }
    }

    pub(super) fn unlisten(&mut self) {
        if let Some(drive) = self.drive(Drive::listens) {
            drive.unlisten();
        }
    }

    pub(super) fn untalk(&mut self) {
        if let Some(drive) = self.drive(Drive::talks) {
            drive.untalk();
        }
    }

    pub(super) fn receive(&mut self) -> u8 {
        let (byte, status) = match self.drive(Drive::talks) {
            Some(drive) => drive.send(),
            None => (0, bits::NO_DEVICE),
        };
        self.set_status(status);
        byte
    }

    pub(super) fn transmit(&mut self, byte: u8) {
        let status = self.drive(Drive::listens).map_or(bits::NO_DEVICE, |drive| drive.take(byte));
        self.set_status(status);
    }

    /// The next address of memory that is read or written in a row: banks of RAM follow each other.
    pub(super) fn next(&mut self, address: u16) -> u16 {
        if address != 0xbfff {
            return address.wrapping_add(1);
        }
        let bank = self.bus.ram_bank().wrapping_add(1);
        self.store(0, bank);
        0xa000
    }

    /// MACPTR: so many bytes of a file, 0 for as many as come at once. With C all of them go to one address.
    pub(super) fn receive_block(&mut self, count: u8, mut address: u16) {
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
    pub(super) fn transmit_block(&mut self, count: u8, mut address: u16) {
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
    pub(super) fn name(&self) -> Vec<u8> {
        let at = u16::from_le_bytes([self.variable(NAME), self.variable(NAME + 1)]);
        (0..u16::from(self.variable(NAME_LENGTH)))
            .map(|place| self.bus.peek(at.wrapping_add(place)))
            .collect()
    }

    /// Sends a name to a device, which opens it.
    pub(super) fn send_name(&mut self, device: u8, secondary: u8, name: &[u8]) -> Outcome {
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
    pub(super) fn send_close(&mut self, device: u8, secondary: u8) -> Outcome {
        if secondary & 0x80 == 0 {
            self.listen(device)?;
            self.second(secondary & 0xef | 0xe0);
            self.unlisten();
        }
        Ok(())
    }
}

//! LOAD and SAVE: files as a whole.

use super::addresses::{DEVICE_NUMBER, NAME_LENGTH, SECONDARY};
use super::{DATA0, FIRST_ON_BUS, Fault, Files, Outcome, error};
use crate::board::bus::IO;
use crate::dos::{Drive, bits};
use gpuzoo_65c02::status::CARRY;

impl Files<'_> {
    /// A device for LOAD and SAVE.
    pub(super) fn disk(&self) -> Result<u8, Fault> {
        let device = self.variable(DEVICE_NUMBER);
        if device < FIRST_ON_BUS { Err(Fault::Number(error::BAD_DEVICE)) } else { Ok(device) }
    }

    pub(super) fn load(&mut self) -> Outcome {
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
    pub(super) fn load_bytes(&mut self, kind: u8, mut to: u16) -> Result<u16, Fault> {
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

    pub(super) fn save(&mut self, has_header: bool) -> Outcome {
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

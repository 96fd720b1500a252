//! Files by their numbers: ten of them can be open, and one of them is read or written in place of keyboard and screen.

use super::addresses::{
    DEVICE_NUMBER, DEVICES, INPUT, MAX_OPEN, NUMBER, NUMBERS, OPEN_FILES, OUTPUT, SECONDARIES, SECONDARY,
};
use super::{FIRST_ON_BUS, Fault, Files, KEYBOARD, Outcome, SCREEN, error};
use crate::dos::bits;
use gpuzoo_65c02::status::CARRY;

impl Files<'_> {
    /// The place of a number among the open files, the last one first.
    pub(super) fn find(&self, table: u16, wanted: u8) -> Option<u16> {
        let count = self.variable(OPEN_FILES).min(MAX_OPEN);
        (0..u16::from(count)).rev().find(|place| self.variable(table + place) == wanted)
    }

    /// An open file becomes the current one: its device and secondary address.
    pub(super) fn fetch(&mut self, place: u16) -> (u8, u8) {
        let of = |table: u16| table + place;
        let (number, device) = (self.variable(of(NUMBERS)), self.variable(of(DEVICES)));
        let secondary = self.variable(of(SECONDARIES));
        self.set(NUMBER, number);
        self.set(DEVICE_NUMBER, device);
        self.set(SECONDARY, secondary);
        (device, secondary)
    }

    pub(super) fn open(&mut self) -> Outcome {
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

    pub(super) fn close(&mut self, number: u8) -> Outcome {
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

    pub(super) fn close_all(&mut self, device: u8) -> Outcome {
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
    pub(super) fn look_up(&mut self, table: u16, wanted: u8) {
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
    pub(super) fn opened(&mut self, number: u8) -> Result<(u8, u8), Fault> {
        self.set_status(0);
        let place = self.find(NUMBERS, number).ok_or(Fault::Number(error::FILE_NOT_OPEN))?;
        Ok(self.fetch(place))
    }

    pub(super) fn choose_input(&mut self, number: u8) -> Outcome {
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

    pub(super) fn choose_output(&mut self, number: u8) -> Outcome {
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

    pub(super) fn expect_device(&self) -> Outcome {
        match self.bus.peek(self.bus.status) & bits::NO_DEVICE {
            0 => Ok(()),
            _ => Err(Fault::Number(error::DEVICE_NOT_PRESENT)),
        }
    }

    /// CLRCHN: input and output are keyboard and screen again.
    pub(super) fn clear_channels(&mut self) {
        if self.variable(OUTPUT) > SCREEN {
            self.unlisten();
        }
        if self.variable(INPUT) > SCREEN {
            self.untalk();
        }
        self.set(OUTPUT, SCREEN);
        self.set(INPUT, KEYBOARD);
    }
}

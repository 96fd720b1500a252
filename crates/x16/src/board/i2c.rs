//! The I2C bus at VIA 1: PA0 is the data line, PA1 the clock, both pulled up. The CPU moves them by hand; on the bus are the system
//! management controller and the clock.
//!
//! Devices answer at once: none holds the clock line, as the controller of the board does for some microseconds.

use crate::board::rtc::Rtc;
use crate::board::smc::Smc;
use gpuzoo_stored::stored;

/// Addresses, of 7 bits.
const SMC: u8 = 0x42;
const RTC: u8 = 0x6f;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Device {
    Smc,
    Rtc,
}

stored! { enum Device { Smc, Rtc } }

/// What the next edges of the clock are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No message, or one for somebody else.
    Idle,
    /// A byte comes from the CPU: a device's address, or data.
    Address,
    Receive(Device),
    /// The device acknowledges.
    Acknowledge(Device, Direction),
    /// A byte goes to the CPU.
    Send(Device),
    /// The CPU acknowledges, or does not.
    Acknowledged(Device, bool),
}

stored! {
    enum Phase {
        Idle, Address, Receive(device: Device), Acknowledge(device: Device, direction: Direction), Send(device: Device),
        Acknowledged(device: Device, more: bool),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    ToDevice,
    FromDevice,
}

stored! { enum Direction { ToDevice, FromDevice } }

/// The bus with its devices.
#[derive(Clone, PartialEq)]
pub(crate) struct I2c {
    pub smc: Smc,
    pub rtc: Rtc,
    /// The levels of the lines.
    data: bool,
    clock: bool,
    /// A device holds the data line down.
    pulls: bool,
    phase: Phase,
    /// Bits of the byte that are over, and the byte.
    bits: u8,
    byte: u8,
}

stored! { I2c { smc, rtc, data, clock, pulls, phase, bits, byte } if |own: &I2c| own.bits <= 8 }

impl I2c {
    pub fn new(rtc: Rtc) -> I2c {
        I2c {
            smc: Smc::default(),
            rtc,
            data: true,
            clock: true,
            pulls: false,
            phase: Phase::Idle,
            bits: 0,
            byte: 0,
        }
    }

    /// Takes the levels at which the CPU leaves the lines in a cycle; returns that of the data line.
    pub fn set(&mut self, data: bool, clock: bool, now: u64) -> bool {
        let level = data && !self.pulls;
        match (self.clock, clock) {
            (true, true) if self.data != level => self.condition(level, now),
            (false, true) => self.rise(level),
            (true, false) => self.fall(now),
            _ => {}
        }
        self.clock = clock;
        self.data = data && !self.pulls;
        self.data
    }

    /// The data line changes while the clock is high: a message starts (down) or ends (up). Either ends the one before.
    fn condition(&mut self, level: bool, now: u64) {
        self.smc.end(now);
        self.pulls = false;
        self.bits = 0;
        self.phase = if level { Phase::Idle } else { Phase::Address };
    }

    fn rise(&mut self, level: bool) {
        match self.phase {
            Phase::Address | Phase::Receive(_) => {
                self.byte = self.byte << 1 | u8::from(level);
                self.bits += 1;
            }
            Phase::Acknowledged(device, _) => self.phase = Phase::Acknowledged(device, !level),
            _ => {}
        }
    }

    fn fall(&mut self, now: u64) {
        match self.phase {
            Phase::Address if self.bits == 8 => {
                let direction = if self.byte & 1 == 0 { Direction::ToDevice } else { Direction::FromDevice };
                let device = match self.byte >> 1 {
                    SMC => Some(Device::Smc),
                    RTC => Some(Device::Rtc),
                    _ => None,
                };
                let device = device.filter(|device| self.begin(*device, direction, now));
                self.acknowledge(device, direction);
            }
            Phase::Receive(device) if self.bits == 8 => {
                let byte = self.byte;
                let taken = match device {
                    Device::Smc => self.smc.write(byte),
                    Device::Rtc => self.rtc.write(byte, now),
                };
                self.acknowledge(taken.then_some(device), Direction::ToDevice);
            }
            Phase::Acknowledge(device, Direction::ToDevice) => {
                self.pulls = false;
                (self.phase, self.bits) = (Phase::Receive(device), 0);
            }
            Phase::Acknowledge(device, Direction::FromDevice) | Phase::Acknowledged(device, true) => {
                self.byte = match device {
                    Device::Smc => self.smc.read(),
                    Device::Rtc => self.rtc.read(now),
                };
                (self.phase, self.bits) = (Phase::Send(device), 0);
                self.pulls = self.byte & 0x80 == 0;
            }
            Phase::Acknowledged(_, false) => self.phase = Phase::Idle,
            Phase::Send(device) => {
                self.bits += 1;
                self.byte <<= 1;
                self.pulls = self.bits < 8 && self.byte & 0x80 == 0;
                if self.bits == 8 {
                    self.phase = Phase::Acknowledged(device, false);
                }
            }
            _ => {}
        }
    }

    /// A device is addressed; false if it does not answer.
    fn begin(&mut self, device: Device, direction: Direction, now: u64) -> bool {
        match (device, direction) {
            (Device::Smc, Direction::ToDevice) => true,
            (Device::Smc, Direction::FromDevice) => self.smc.begin_read(now),
            (Device::Rtc, Direction::ToDevice) => self.rtc.begin_write(),
            (Device::Rtc, Direction::FromDevice) => true,
        }
    }

    fn acknowledge(&mut self, device: Option<Device>, direction: Direction) {
        self.pulls = device.is_some();
        self.phase = device.map_or(Phase::Idle, |device| Phase::Acknowledge(device, direction));
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::Date;

    /// A CPU at the bus that does what the I2C specification says.
    pub struct Host {
        pub bus: I2c,
        pub now: u64,
    }

    impl Host {
        pub fn new() -> Host {
            Host { bus: I2c::new(Rtc::new(Date::default())), now: 0 }
        }

        fn set(&mut self, data: bool, clock: bool) -> bool {
            self.now += 20;
            self.bus.set(data, clock, self.now)
        }

        pub fn start(&mut self) {
            self.set(true, false);
            self.set(true, true);
            self.set(false, true);
            self.set(false, false);
        }

        pub fn stop(&mut self) {
            self.set(false, false);
            self.set(false, true);
            self.set(true, true);
        }

        fn bit(&mut self, bit: bool) -> bool {
            self.set(bit, false);
            let level = self.set(bit, true);
            self.set(bit, false);
            level
        }

        /// True if it was acknowledged.
        pub fn send(&mut self, byte: u8) -> bool {
            (0..8).rev().for_each(|bit| {
                self.bit(byte >> bit & 1 != 0);
            });
            !self.bit(true)
        }

        pub fn receive(&mut self, more: bool) -> u8 {
            let byte = (0..8).fold(0, |byte, _| byte << 1 | u8::from(self.bit(true)));
            self.bit(!more);
            byte
        }

        pub fn write(&mut self, device: u8, bytes: &[u8]) -> Vec<bool> {
            self.start();
            let address = [device << 1];
            let acknowledged = address.iter().chain(bytes).map(|byte| self.send(*byte)).collect();
            self.stop();
            acknowledged
        }

        /// Reads from where the device is; nothing if it does not answer.
        pub fn read(&mut self, device: u8, count: usize) -> Option<Vec<u8>> {
            self.start();
            let is_there = self.send(device << 1 | 1);
            let bytes = is_there.then(|| (1..=count).map(|at| self.receive(at < count)).collect());
            self.stop();
            bytes
        }

        pub fn read_at(&mut self, device: u8, register: u8, count: usize) -> Option<Vec<u8>> {
            self.write(device, &[register]);
            self.read(device, count)
        }
    }

    #[test]
    fn only_those_that_are_there_answer() {
        let mut host = Host::new();
        for device in 0..0x80 {
            let expected = matches!(device, SMC | RTC);
            assert_eq!(host.write(device, &[]), [expected], "{device:x}");
        }
        assert_eq!(host.read(0x50, 1), None);
    }

    /// A stop, or a start, ends a message wherever it is; without a start there is none.
    #[test]
    fn a_start_begins_a_message_and_a_stop_ends_it() {
        let memory = |host: &mut Host| host.read_at(RTC, 0x20, 2);
        let mut host = Host::new();
        // At power-on, and after a stop.
        for _ in 0..2 {
            assert_eq!([RTC << 1, 0x20, 9].map(|byte| host.send(byte)), [false; 3]);
            host.stop();
            assert_eq!(memory(&mut host), Some(vec![0, 0]));
        }
        // What comes behind the stop does not belong to the message before.
        host.start();
        assert_eq!([RTC << 1, 0x20, 1].map(|byte| host.send(byte)), [true; 3]);
        host.stop();
        assert!(!host.send(2));
        assert_eq!(memory(&mut host), Some(vec![1, 0]));
        // A byte that is not whole counts for nothing, whether a stop or a start ends it.
        for starts in [false, true] {
            host.start();
            assert!(host.send(RTC << 1) && host.send(0x20));
            (0..7).for_each(|_| _ = host.bit(true));
            match starts {
                true => host.start(),
                false => host.stop(),
            }
            assert_eq!(memory(&mut host), Some(vec![1, 0]), "{starts}");
        }
        // In the middle of a byte of ones, which leaves the line to the CPU: the controller's lock bits.
        host.write(SMC, &[0x0b]);
        host.start();
        assert!(host.send(SMC << 1 | 1));
        (0..3).for_each(|_| assert!(host.bit(true)));
        assert_eq!(host.read(RTC, 1), Some(vec![0]));
        // A byte that the CPU did not acknowledge was the last one, even if it pulls the line down later.
        host.start();
        assert!(host.send(RTC << 1 | 1));
        assert_eq!(host.receive(false), 0);
        assert!(!host.bit(false));
        assert_eq!((host.receive(true), host.receive(true)), (0xff, 0xff));
        host.stop();
        // One that was not acknowledged is not spoken to until the next start.
        host.start();
        assert_eq!([0x50 << 1, RTC << 1, 0x20].map(|byte| host.send(byte)), [false; 3]);
        host.stop();
        assert_eq!(memory(&mut host), Some(vec![1, 0]));
    }

    /// A read goes on for as long as the CPU acknowledges, and a start in a message begins another.
    #[test]
    fn messages_follow_each_other() {
        let mut host = Host::new();
        host.write(RTC, &[0x20, 1, 2, 3]);
        host.start();
        assert!(host.send(RTC << 1) && host.send(0x21));
        host.start();
        assert!(host.send(RTC << 1 | 1));
        assert_eq!((host.receive(true), host.receive(false)), (2, 3));
        // Nobody drives the line behind the byte that was not acknowledged.
        assert_eq!(host.receive(false), 0xff);
        host.stop();
        assert_eq!(host.read(RTC, 1), Some(vec![0]));
    }
}

//! Bus traces that are made rather than recorded: accesses at random, or to each register and each setting in turn.

use crate::trace::{CYCLES, Recorder};
use crate::{Deviations, REGISTERS, Register, Vera};
use gpuzoo_isa::numbers;
use gpuzoo_machine::vectors::stimulus::{Accesses, MadeFile};

/// CTRL, whose bits 6:1 choose the bank of registers and bit 0 the port whose address is there.
const CTRL: u8 = 0x05;
/// The bit of CTRL that resets the device.
const RESET: u8 = 0x80;
/// The registers of an address; the third has its increment, too.
const ADDRESS: [u8; 3] = [0, 1, 2];
/// The data ports.
const DATA: [u8; 2] = [3, 4];
/// The first bank of the FX unit, and its registers there: what it does, and its multiplier.
const FX_BANK: u8 = 2;
const FX_CTRL: u8 = 0x09;
const FX_MULT: u8 = 0x0c;
/// How many registers a bank has.
const BANKED: u8 = 4;

/// A trace that is being made, on the device.
struct Maker {
    recorder: Recorder,
    /// The bank that CTRL chooses, and the port.
    control: u8,
    accesses: u64,
    registers: Vec<(&'static Register, u64)>,
}

/// A trace of the device with these deviations: what reads return, and the memory at the end.
pub fn trace(accesses: Accesses, deviations: Deviations) -> MadeFile {
    let registers = REGISTERS.iter().map(|register| (register, 0)).collect();
    let recorder = Recorder::new(Vera::with(deviations));
    let mut maker = Maker { recorder, control: 0, accesses: 0, registers };
    match accesses {
        Accesses::Random { seed, count } => maker.random(seed, count),
        Accesses::Directed => maker.directed(),
    }
    let Maker { recorder, accesses, registers, .. } = maker;
    let registers = registers.into_iter().map(|(register, count)| (register.name, count)).collect();
    MadeFile { text: recorder.finish(), accesses, registers }
}

impl Maker {
    fn write(&mut self, register: u8, value: u8) {
        self.recorder.write(register, value);
        self.count(register);
        if register == CTRL {
            self.control = if value & RESET == 0 { value } else { 0 };
        }
    }

    fn read(&mut self, register: u8) {
        self.recorder.read(register);
        self.count(register);
    }

    /// Counts an access, and lets as much time pass as a replay does.
    fn count(&mut self, register: u8) {
        self.accesses += 1;
        self.recorder.advance_cycles(CYCLES);
        let bank = self.control >> 1;
        let is = |own: &Register| own.number == register && own.dcsel.is_none_or(|own| own == bank);
        self.registers.iter_mut().filter(|(own, _)| is(own)).for_each(|(_, count)| *count += 1);
    }

    fn random(&mut self, seed: u64, count: u64) {
        let mut pick = numbers(seed);
        let mut below = |end: u32| pick(end) as u8;
        while self.accesses < count {
            let register = match below(8) {
                // The data ports and the registers around them are what programs use most.
                0..3 => DATA[usize::from(below(2))],
                3 => below(6),
                4 => FX_CTRL + below(BANKED.into()),
                _ => below(32),
            };
            match below(16) {
                0..6 => self.read(register),
                6..9 => self.write(CTRL, below(16)),
                // A reset now and then.
                9 if below(64) == 0 => self.write(CTRL, RESET),
                _ if register == CTRL => self.write(CTRL, below(128)),
                _ => self.write(register, below(256)),
            }
        }
    }

    /// Points a port at an address, with the upper bits of its third register.
    fn point(&mut self, port: u8, address: u32, upper: u8) {
        self.write(CTRL, self.control & 0x7e | port);
        let [low, middle, top, _] = address.to_le_bytes();
        for (register, value) in ADDRESS.into_iter().zip([low, middle, top & 1 | upper]) {
            self.write(register, value);
        }
    }

    fn directed(&mut self) {
        self.each_register();
        self.write(CTRL, RESET);
        self.each_increment();
        self.write(CTRL, RESET);
        self.each_setting();
    }

    /// Each register: zeros, ones, stripes, and each bit alone, read back after each.
    fn each_register(&mut self) {
        let values = [0x00, 0xff, 0x55, 0xaa].into_iter().chain((0..8).map(|bit| 1 << bit));
        for register in REGISTERS {
            for value in values.clone() {
                self.write(CTRL, register.dcsel.unwrap_or(0) << 1);
                self.write(register.number, value);
                self.read(register.number);
            }
        }
    }

    /// Each increment, up and down, by bytes and nibbles, at both ports, at the ends of the memory and at registers in it.
    fn each_increment(&mut self) {
        for upper in (0..=0xff).step_by(2) {
            for (port, data) in (0..).zip(DATA) {
                for address in [0x0_0000, 0x1_0800, 0x1_f9c0] {
                    self.point(port, address, upper);
                    (1..5).for_each(|at| self.write(data, upper ^ (0x11 * at)));
                    self.point(port, address, upper);
                    (1..5).for_each(|_| self.read(data));
                }
            }
        }
    }

    /// Each setting of the FX unit, on a little data and a slanted line.
    fn each_setting(&mut self) {
        let bank = |bank: u8| (FX_BANK + bank) << 1;
        for setting in 0..=0xff {
            self.write(CTRL, bank(1));
            (0..BANKED).for_each(|at| self.write(FX_CTRL + at, 0x35 * (at + 1)));
            self.write(CTRL, bank(0));
            self.write(FX_CTRL, setting);
            self.write(FX_MULT, u8::rotate_left(setting, 3) & 0x7f);
            for (port, address) in [(0, 0x0_4000), (1, 0x0_4100)] {
                self.point(port, address, 0x10);
            }
            for (port, data) in (0..).zip(DATA) {
                self.write(CTRL, bank(0) | port);
                (0..2).for_each(|at| self.write(data, setting ^ at));
                (0..2).for_each(|_| self.read(data));
            }
            self.write(CTRL, bank(3));
            (0..BANKED).for_each(|at| self.read(FX_CTRL + at));
            self.write(CTRL, bank(0));
            self.write(FX_CTRL, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Trace;
    use crate::vectors::check_trace;
    use gpuzoo_diag::File;

    #[test]
    fn what_is_made_passes_and_what_is_changed_does_not() {
        for accesses in [Accesses::Random { seed: 1, count: 2000 }, Accesses::Directed] {
            let made = trace(accesses, Deviations::default());
            let (mut read, problems) = Trace::parse(&File::new("t", &made.text));
            assert_eq!((read.operations.len() as u64, problems), (made.accesses, Vec::new()));
            let checked = check_trace(&read, Deviations::default());
            assert_eq!((checked.count, checked.differences), (0, Vec::new()), "{accesses:?}");
            let last = read.operations.iter_mut().rfind(|operation| !operation.is_write).unwrap();
            last.value ^= 1;
            assert_eq!(check_trace(&read, Deviations::default()).count, 1);
        }
    }

    /// What accesses at random are: three in eight are reads; of the registers the data ports most of all, CTRL with every bank that there is, and a reset now
    /// and then.
    #[test]
    fn accesses_at_random_are_mixed() {
        let count = 40_000;
        let made = trace(Accesses::Random { seed: 3, count }, Deviations::default());
        let (read, _) = Trace::parse(&File::new("t", &made.text));
        let share = |is: &dyn Fn(bool, u8, u8) -> bool| {
            let fits = read.operations.iter().filter(|one| is(one.is_write, one.register, one.value)).count();
            (fits * 1000) as u64 / count
        };
        let reads = share(&|writes, _, _| !writes);
        assert!((365..385).contains(&reads), "{reads}");
        // Three in eight go to the two data ports, and what is for any register does as well; an access of CTRL comes in between.
        let ports = share(&|_, register, _| DATA.contains(&register));
        assert!((300..400).contains(&ports), "{ports}");
        assert!((0..=0x1f).all(|register| share(&|_, other, _| other == register) > 2));
        let banks = |bank: u8| {
            read.operations.iter().any(|one| one.is_write && one.register == CTRL && one.value >> 1 == bank)
        };
        assert!((0..64).all(banks));
        let resets = read
            .operations
            .iter()
            .filter(|one| one.is_write && one.register == CTRL && one.value == RESET)
            .count();
        assert!((20..70).contains(&resets), "{resets}");
    }

    /// Each increment, up and down, at both ports: at the first address, so that both ends of the memory are met, and at registers in it.
    #[test]
    fn increments_are_tried_at_the_ends() {
        let made = trace(Accesses::Directed, Deviations::default());
        let (read, _) = Trace::parse(&File::new("t", &made.text));
        let mut vera = Vera::default();
        let mut met = std::collections::BTreeSet::new();
        for one in &read.operations {
            if let Some(port) = DATA.iter().position(|data| *data == one.register) {
                let own = vera.ports()[port];
                met.insert((port, own.high() & 0xfe, own.address, one.is_write));
            }
            match one.is_write {
                true => vera.write(one.register, one.value),
                false => _ = vera.read(one.register),
            }
        }
        for port in 0..2 {
            for upper in (0..=0xffu8).step_by(2) {
                for (address, writes) in [0, 0x1_0800, 0x1_f9c0]
                    .into_iter()
                    .flat_map(|address| [(address, true), (address, false)])
                {
                    assert!(
                        met.contains(&(port, upper, address, writes)),
                        "{port} {upper:02x} {address:05x}"
                    );
                }
            }
        }
        assert!(met.iter().any(|(_, _, address, _)| *address == 0x1_ffff));
    }

    #[test]
    fn all_registers_are_accessed() {
        for accesses in [Accesses::Random { seed: 7, count: 5000 }, Accesses::Directed] {
            let made = trace(accesses, Deviations::default());
            let missing: Vec<_> = made.registers.iter().filter(|(_, count)| *count == 0).collect();
            assert!(missing.is_empty(), "{accesses:?}: {missing:?}");
            assert_eq!(made, trace(accesses, Deviations::default()));
        }
        let of = |seed| trace(Accesses::Random { seed, count: 100 }, Deviations::default());
        assert_ne!(of(1).text, of(2).text);
        assert_eq!(of(1).accesses, 100);
    }

    /// Before each of the 256 settings, the line is given its increments: four registers of the second bank of FX.
    #[test]
    fn each_setting_has_a_slanted_line() {
        let made = trace(Accesses::Directed, Deviations::default());
        let (read, _) = Trace::parse(&File::new("t", &made.text));
        let all: Vec<_> = read.operations.iter().map(|one| (one.is_write, one.register, one.value)).collect();
        let line = [(CTRL, 3 << 1), (9, 0x35), (10, 0x6a), (11, 0x9f), (12, 0xd4)];
        let line = line.map(|(register, value)| (true, register, value));
        assert_eq!(all.windows(5).filter(|own| *own == line).count(), 256);
        // Each has a setting of FX_MULT, too, and all of these come twice: without the reset, which is not one, there are 128.
        for mult in 0..0x80 {
            let settings =
                all.windows(2).filter(|own| own[0].1 == FX_CTRL && own[1] == (true, FX_MULT, mult));
            assert_eq!(settings.count(), 2, "{mult:02x}");
        }
    }
}

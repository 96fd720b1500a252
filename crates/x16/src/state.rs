//! A machine's state as a file: all that it holds, in the middle of a line or an instruction's wait, so that it goes on as if it had not stopped.
//!
//! What belongs to the user is not in it but by its length and its sum: the ROM, the SD card's image, the program's file. The machine that
//! goes on has to have the same. What programs have written to the card and to the folder of device 8 is in it, and so are the folder's
//! files that are open.
//!
//! [`gpuzoo_vera::saved`] has the file around its bytes.

use crate::board::bus::{Bus, RAM_BANK};
use crate::rules::OTHER_STATE;
use crate::{MAX_OUTPUT, MAX_RAM_BANKS, X16, kernal};
use gpuzoo_diag::Diagnostic;
use gpuzoo_stored::{LATEST, Reader, Stored, stored};
use gpuzoo_vera::saved::{Format, MAX_STATE, impossible, unsaved};

/// No state is older, in CPU cycles: a year.
const OLDEST: u64 = 1 << 48;
/// Cycles that VERA and the user are behind the CPU at most.
const BEHIND: u64 = 1 << 10;

stored! {
    Bus {
        ram, banks, rom_bank, vias, board, request, vera, cycles, vera_cycles, event, deadline, irq, irq_changed, pc, trap, is_halted,
        interrupts, frame_limit, cycle_limit, ending, output, drive, no_bank, status, kernal, user, has_returned, prompt,
    } without { rom: [].into(), flat: 0, watch: None, poked: None }
    if |own: &Bus| {
        own.cycles < OLDEST
            && own.interrupts < LATEST
            && own.cycles.checked_sub(own.vera_cycles).is_some_and(|behind| behind <= BEHIND)
            && (1..=MAX_RAM_BANKS).contains(&(own.banks.len() / RAM_BANK))
            && own.banks.len().is_multiple_of(RAM_BANK)
            && own.output.len() <= MAX_OUTPUT
            && own.kernal.clock.since <= own.cycles
            && own.board.i2c.rtc.is_at(own.cycles)
            && own.user.is_at(own.cycles.saturating_sub(BEHIND))
    }
}

stored! { X16 { cpu, bus, ended, loaded } without { program: None, typed_run: None, memory: None } }

/// By what bytes are known: their number and their sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    bytes: usize,
    sum: u32,
}

stored! { Known { bytes, sum } }

impl Known {
    pub fn of(bytes: &[u8]) -> Known {
        Known { bytes: bytes.len(), sum: crc32fast::hash(bytes) }
    }

    /// Of runs of bytes, each with the number of its place.
    pub fn of_runs<'a>(runs: impl Iterator<Item = (u32, &'a [u8])>) -> Known {
        let (mut bytes, mut sum) = (0, crc32fast::Hasher::new());
        for (place, run) in runs {
            bytes += run.len();
            sum.update(&place.to_le_bytes());
            sum.update(&(run.len() as u64).to_le_bytes());
            sum.update(run);
        }
        Known { bytes, sum: sum.finalize() }
    }
}

/// What a state belongs to.
#[derive(Clone, Debug, PartialEq)]
struct Belongs {
    rom: Option<Known>,
    card: Option<Known>,
    program: Option<Known>,
    /// There is a folder at device 8.
    files: bool,
}

stored! { Belongs { rom, card, program, files } }

impl Belongs {
    fn of(machine: &X16) -> Belongs {
        let bus = &machine.bus;
        Belongs {
            rom: bus.has_rom().then(|| Known::of(&bus.rom)),
            card: bus.board.card.as_ref().map(|card| card.made_from()),
            program: machine.program,
            files: bus.drive.is_some(),
        }
    }

    /// What is not as another one says.
    fn differences(&self, other: &Belongs) -> Vec<&'static str> {
        let all = [
            ("the program", self.program == other.program),
            ("the ROM", self.rom == other.rom),
            ("the SD card", self.card == other.card),
            ("the folder of device 8", self.files == other.files),
        ];
        all.into_iter().filter(|(_, is_same)| !is_same).map(|(name, _)| name).collect()
    }
}

/// The kind of these states. The stand-ins for the KERNAL are in RAM, and continue there.
fn format() -> Format {
    let mut text = String::new();
    Belongs::layout(&mut text);
    X16::layout(&mut text);
    let mut sum = crc32fast::Hasher::new();
    sum.update(text.as_bytes());
    sum.update(&kernal::IMAGE[..]);
    Format { magic: b"X16STATE", layout: sum.finalize() }
}

impl X16 {
    /// Draws all of the picture and follows the sound's voices from now on, which [`save_state`](X16::save_state) needs and which takes time. To
    /// be called at power-on, before anything runs.
    pub fn expect_state(&mut self) {
        self.bus.vera.expect_state();
    }

    /// All that the machine holds, as a file from which [`load_state`](X16::load_state) goes on. What watches it, lints and recordings, is not
    /// in it.
    ///
    /// ```
    /// use gpuzoo_x16::{Config, Ending, Limits, X16};
    ///
    /// // At $0801: inx, bne back to it, lda #$2A, sta DATA1, rts.
    /// let prg = [0x01, 0x08, 0xe8, 0xd0, 0xfd, 0xa9, 0x2a, 0x8d, 0x24, 0x9f, 0x60];
    /// let mut machine = X16::new(Config::default())?;
    /// machine.expect_state();
    /// machine.load_prg(&prg)?;
    /// machine.run(&Limits::cycles(100));
    /// let state = machine.save_state()?;
    ///
    /// // Another machine of the same kind, with the same program.
    /// let mut other = X16::new(Config::default())?;
    /// other.load_prg(&prg)?;
    /// other.load_state(&state)?;
    /// assert_eq!((other.cycles(), other.cpu()), (machine.cycles(), machine.cpu()));
    /// assert_eq!(other.run(&Limits::default()), Ending::Returned);
    /// assert_eq!(other.vera().vram()[0], 0x2a);
    /// # Ok::<(), gpuzoo_diag::Diagnostic>(())
    /// ```
    ///
    /// # Errors
    /// V0342 if not all was drawn since power-on ([`expect_state`](X16::expect_state)), and for more than [`MAX_STATE`] bytes.
    pub fn save_state(&self) -> Result<Vec<u8>, Diagnostic> {
        if !self.bus.vera.is_whole() {
            let problem = unsaved("not all of the picture was drawn, or of the sound made, since power-on");
            return Err(problem.help("call `expect_state` before the machine runs"));
        }
        let mut bytes = Vec::new();
        Belongs::of(self).write(&mut bytes);
        self.write(&mut bytes);
        if bytes.len() > MAX_STATE || self.bus.cycles >= OLDEST {
            let message = format!("the state has {} bytes, after {} cycles", bytes.len(), self.bus.cycles);
            return Err(unsaved(message).help("it may have 256 MiB, and run for 405 days"));
        }
        format().packed(&bytes)
    }

    /// Goes on from a state. The machine has to have the same ROM and SD card, a folder at device 8 if there was one, and the same
    /// program loaded; all else becomes that of the state, its RAM banks and its deviations included. What watches the machine goes on.
    ///
    /// # Errors
    /// V0339 for what is no state, V0340 for one of another version, V0341 for one that belongs to another program, ROM or card. The
    /// machine is then as it was.
    pub fn load_state(&mut self, file: &[u8]) -> Result<(), Diagnostic> {
        self.go_on(&format().unpacked(file)?)
    }

    /// The same of what is in a file.
    fn go_on(&mut self, bytes: &[u8]) -> Result<(), Diagnostic> {
        let mut input = Reader::new(bytes);
        let belongs = Belongs::read(&mut input).ok_or_else(impossible)?;
        let differing = belongs.differences(&Belongs::of(self));
        if !differing.is_empty() {
            let differ = if differing.len() == 1 { "differs" } else { "differ" };
            let message =
                format!("the state belongs to something else: {} {differ}", differing.join(" and "));
            let help = "give the same program, `--rom`, `--sdcard` and `--files` as when it was saved";
            return Err(Diagnostic::error(&OTHER_STATE, message).help(help));
        }
        let read = X16::read(&mut input).filter(|_| input.is_empty());
        let mut machine = read.filter(|read| read.fits(self)).ok_or_else(impossible)?;
        machine.take_over(self);
        *self = machine;
        Ok(())
    }

    /// True if it can have another one's devices.
    fn fits(&self, other: &X16) -> bool {
        let blocks = |machine: &X16| machine.bus.board.card.as_ref().map(|card| card.blocks());
        blocks(self) == blocks(other) && self.bus.drive.is_some() == other.bus.drive.is_some()
    }

    /// Takes from another one what no state has.
    fn take_over(&mut self, other: &mut X16) {
        (self.program, self.memory) = (other.program, other.memory.take());
        let (own, other) = (&mut self.bus, &mut other.bus);
        (own.rom, own.flat, own.watch) = (other.rom.clone(), other.flat, other.watch.take());
        if let (Some(own), Some(other)) = (&mut own.board.card, &other.board.card) {
            own.is_made_as(other);
        }
        if let (Some(own), Some(other)) = (&mut own.drive, &other.drive) {
            own.insert(other);
        }
        own.vera.go_on_for(&mut other.vera);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CardSource, Config, Input, Limits};
    use flate2::Compression;
    use flate2::write::ZlibEncoder;
    use gpuzoo_isa::numbers;
    use gpuzoo_machine::computer::disk::Disk;
    use gpuzoo_vera::saved::HEAD;
    use std::io::Write;

    /// A machine that has a bit of everything, in the middle of it.
    fn machine() -> X16 {
        let sd_card = Some(CardSource::Image(vec![7; 4096]));
        let mut machine =
            X16::new(Config { ram_banks: 1, sd_card, random_memory: Some(1), ..Config::default() }).unwrap();
        machine.expect_state();
        // At $0801: the next number is written to registers of VERA and of the devices before it, and so on: lda $30, asl, bcc +2, eor #$1d,
        // sta $30, tax, and #$1f, tay, txa, sta $9f20,y, sta $9f00,y, jsr GETIN, bra back.
        let program = [
            0xa5, 0x30, 0x0a, 0x90, 0x02, 0x49, 0x1d, 0x85, 0x30, 0xaa, 0x29, 0x1f, 0xa8, 0x8a, 0x99, 0x20,
            0x9f, 0x99, 0x00, 0x9f, 0x20, 0xe4, 0xff, 0x80, 0xe7,
        ];
        machine.load_at(0x0801, &program).unwrap();
        machine.insert(Disk::of([("A", vec![1, 2, 3])])).unwrap();
        machine.give(
            &Input::read("@10 press A\n@20 motion 900,3 LEFT\n@30 buttons 2 B\n@40 press B\n9 press C")
                .unwrap(),
        );
        machine.run(&Limits::cycles(40_123));
        machine
    }

    fn bytes_of(machine: &X16) -> Vec<u8> {
        let mut bytes = Vec::new();
        Belongs::of(machine).write(&mut bytes);
        machine.write(&mut bytes);
        bytes
    }

    /// What a file holds that somebody has changed, with the right sums: it is refused, or makes a machine that runs.
    #[test]
    fn nothing_that_is_read_stops_elsewhere() {
        let mut machine = machine();
        let bytes = bytes_of(&machine);
        // Memory and the picture may hold anything: what is not in them is changed most.
        let mut run = 0;
        let is_small = bytes.iter().enumerate().skip(4).filter(|(at, byte)| {
            run = if **byte == bytes[at - 4] { run + 1 } else { 0 };
            run < 64
        });
        let places: Vec<usize> = is_small.map(|(at, _)| at).collect();
        let (mut number, mut taken) = (numbers(2), 0);
        for _ in 0..ROUNDS {
            let mut other = bytes.clone();
            for _ in 0..=number(3) {
                let at = places[number(places.len() as u32) as usize];
                other[at] = [0, 1, 0x7f, 0x80, 0xff, number(0x100) as u8][number(6) as usize];
            }
            if machine.go_on(&other).is_ok() {
                taken += 1;
                machine.run(&Limits::cycles(3000));
                machine.run(&Limits::cycles(3000));
                machine.changes();
                machine.sd_card().ok();
            }
        }
        assert!(taken > ROUNDS / 4 && taken < ROUNDS, "{taken}");
    }

    const ROUNDS: u32 = 2000;

    /// What is behind an end is not read, and what is behind the whole is refused.
    #[test]
    fn bytes_are_neither_too_few_nor_too_many() {
        let mut machine = machine();
        let bytes = bytes_of(&machine);
        assert!(machine.go_on(&bytes).is_ok());
        for length in (0..400).chain((400..bytes.len()).step_by(20_011)) {
            assert!(machine.go_on(&bytes[..length]).is_err(), "{length}");
        }
        assert!(machine.go_on(&[&bytes[..], &[0]].concat()).is_err());
        // A list that would be longer than all memory.
        assert!(<Vec<u8>>::read(&mut Reader::new(&[0xff; 16])).is_none());
    }

    #[test]
    fn a_file_of_another_layout_is_told_from_a_damaged_one() {
        let machine = machine();
        let file = machine.save_state().unwrap();
        let code = |at: usize| {
            let mut other = file.clone();
            other[at] ^= 1;
            format().unpacked(&other).unwrap_err().code.id
        };
        assert_eq!(
            [0, 8, 12, 16, HEAD, file.len() - 1].map(code),
            ["V0339", "V0340", "V0340", "V0339", "V0339", "V0339"]
        );
    }

    /// A build in which anything of the machine, of what a state belongs to, or of the KERNAL's stand-ins is another has another layout.
    #[test]
    fn the_layout_is_all_that_a_state_depends_on() {
        let (mut belongs, mut machine) = (String::new(), String::new());
        Belongs::layout(&mut belongs);
        X16::layout(&mut machine);
        let of = |belongs: &str, machine: &str, image: &[u8]| {
            crc32fast::hash(&[belongs.as_bytes(), machine.as_bytes(), image].concat())
        };
        let image = &kernal::IMAGE[..];
        assert_eq!(format().layout, of(&belongs, &machine, image));
        let mut patched = image.to_vec();
        patched[0x3fff] ^= 1;
        let others = [of(&belongs, "", image), of("", &machine, image), of(&belongs, &machine, &patched)];
        assert!(others.iter().all(|other| *other != format().layout));
        // Fields of all parts, however deep.
        for field in [
            "pc",
            "ram",
            "accumulator",
            "hscale",
            "wants_address",
            "overrun",
            "is_protected",
            "modifiers",
            "unfiltered",
        ] {
            assert!(machine.contains(&format!("{field}:")), "{field}");
        }
        assert!(["rom:", "card:", "program:", "files:"].iter().all(|field| belongs.contains(field)));
    }

    /// A stream that would fill all memory.
    #[test]
    fn what_is_too_large_is_not_unpacked() {
        let mut stream = ZlibEncoder::new(Vec::new(), Compression::best());
        let zeros = vec![0; 1 << 20];
        (0..=MAX_STATE >> 20).for_each(|_| stream.write_all(&zeros).unwrap());
        let problem = format().unpacked(&format().around(&stream.finish().unwrap())).unwrap_err();
        assert_eq!((problem.code.id, &problem.message[..]), ("V0339", "the state is larger than one can be"));
        let problem = format().unpacked(&format().around(b"no stream")).unwrap_err();
        assert_eq!(&problem.message[..], "the state is damaged: it cannot be decompressed");
    }

    /// A list whose entries take a byte of the file and more in memory.
    #[test]
    fn what_is_larger_in_memory_is_not_read() {
        #[derive(Clone)]
        enum Entry {
            Short,
            Long(u64),
        }
        stored! { enum Entry { Short, Long(number: u64) } }
        let list = |count: usize| {
            let mut bytes = (count as u64).to_le_bytes().to_vec();
            bytes.resize(8 + count, 0);
            <Vec<Entry>>::read(&mut Reader::new(&bytes)).map(|list| list.len())
        };
        let most = MAX_STATE / size_of::<Entry>();
        assert_eq!((list(most), list(most + 1)), (Some(most), None));
    }

    /// A state with more than can be in a file.
    #[test]
    fn what_is_too_large_is_not_saved() {
        let mut machine = machine();
        machine.bus.cycles = OLDEST;
        assert_eq!(machine.save_state().unwrap_err().code.id, "V0342");
    }
}

//! A Commander X16, headless: the 65C02 at 8 MHz around VERA, with its memory and what else is on its board.
//!
//! It runs programs as they are, PRG files or raw binaries, until they end or meet a limit. Each CPU cycle is 3 ⅛
//! clocks of VERA, and each access reaches VERA at the end of its cycle, those included that the CPU makes without
//! need. (In the FPGA a write takes effect three clocks later, which nothing but a change in the middle of a line can
//! show.) `docs/machine.md` says what is not there.
//!
//! ```
//! use gpuzoo_x16::{Config, Ending, Limits, X16};
//!
//! let mut machine = X16::new(Config::default()).unwrap();
//! // At $0801: lda #$2A, sta DATA1, rts: the KERNAL leaves the address of port 1 at 0.
//! machine.load_prg(&[0x01, 0x08, 0xa9, 0x2a, 0x8d, 0x24, 0x9f, 0x60]).unwrap();
//! assert_eq!(machine.run(&Limits::default()), Ending::Returned);
//! assert_eq!(machine.vera().vram()[0], 0x2a);
//! // 2 + 4 + 6 cycles, and one for the fetch at the address that it returned to.
//! assert_eq!(machine.cycles(), 13);
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod access;
mod activity;
pub mod asm;
mod basic;
mod board;
mod compare;
mod date;
mod disks;
mod dos;
mod ending;
mod input;
mod kernal;
pub mod lints;
mod observe;
mod program;
mod prompt;
mod rules;
mod run;
pub mod session;
mod spent;
mod state;
mod verbs;
mod watch;
mod watched;

pub use access::{Access, Kind};
pub(crate) use board::bus::Bus;
pub use board::bus::MAX_OUTPUT;
pub(crate) use board::bus::RETURN;
pub use board::via::Via;
pub use date::Date;
pub use disks::CardSource;
pub use dos::{Caller, MAX_CHANGES, MAX_WRITTEN, Missed, Why};
pub use ending::{Ending, Limits};
pub use gpuzoo_65c02::{Cpu, State};
pub use gpuzoo_vera::saved::MAX_STATE;
pub use input::{BUTTONS, Event, FIRST_FRAME, Input, Key, MAX_EVENTS, MOUSE_BUTTONS, Unread, modifier};
pub(crate) use kernal::NAMES as ROUTINES;
pub use kernal::name as kernal_name;
pub(crate) use observe::Observer;
pub(crate) use program::addressable;
pub use program::{Loaded, split};
pub use rules::{UNHEARD, UNSEEN};
pub use run::Step;
pub use spent::Spent;
pub use verbs::{CommanderX16, DEFAULT_ADDRESS, GPU, MachineSession, Program};

use activity::Activity;
use board::bus::{Prompt, ROM_BANK};
use board::{Board, sdcard};
use gpuzoo_diag::Diagnostic;
use gpuzoo_machine::computer::timeline::Timeline;
use gpuzoo_vera::{Deviations, Vera};
use input::User;
use state::Known;
use watch::Watch;

/// The diagnostic codes: of VERA, the assembler, the machine, and the lints.
pub static CODES: [&[&gpuzoo_diag::Code]; 4] =
    [gpuzoo_vera::CODES, gpuzoo_asm65::CODES, rules::CODES, lints::CODES];

/// The most banks of RAM: 2 MB.
pub const MAX_RAM_BANKS: usize = 256;
/// The largest ROM image in bytes.
pub const MAX_ROM: usize = 0x8_0000;
/// The largest image of an SD card in bytes.
pub const MAX_SD_CARD: usize = 2 << 30;
/// CPU cycles in a second.
pub const CYCLES_PER_SECOND: u64 = 8_000_000;
/// CPU cycles in a frame: 525 lines of 256.
pub const CYCLES_PER_FRAME: u64 = 134_400;

/// What a machine is made of.
#[derive(Clone, Debug)]
pub struct Config {
    /// VERA's deviations from the RTL.
    pub deviations: Deviations,
    /// Banks of 8 KB at $A000, 1 to [`MAX_RAM_BANKS`].
    pub ram_banks: usize,
    /// An image of the Commander's ROM, bank 0 first. Without one there are stand-ins for a few routines.
    pub rom: Option<Vec<u8>>,
    /// What RAM and video memory hold at power-on: random bytes of this seed, as chips hold any, or zeros.
    pub random_memory: Option<u64>,
    /// What the clock shows at power-on. Runs are to be the same each time, so it is not that of the host.
    pub date: Date,
    /// What an SD card is made from.
    pub sd_card: Option<CardSource>,
}

impl Default for Config {
    /// 512 KB of banked RAM, no ROM, VERA as the RTL has it, memory that is zero, no SD card.
    fn default() -> Config {
        Config {
            deviations: Deviations::default(),
            ram_banks: 64,
            rom: None,
            random_memory: None,
            date: Date::default(),
            sd_card: None,
        }
    }
}

/// A Commander X16. A `Clone` of it is a saved state; `==` compares all that there is, down to the beam.
#[derive(Clone, PartialEq)]
pub struct X16 {
    cpu: Cpu,
    bus: Bus,
    /// How the program ended, once it cannot go on.
    ended: Option<Ending>,
    /// The program that was loaded last, and by what its address and bytes are known.
    loaded: Option<Loaded>,
    program: Option<Known>,
    /// The cycle in which the program was loaded that a ROM's BASIC is to run.
    typed_run: Option<u64>,
    /// Which bytes of memory have been written, with lints.
    memory: Option<lints::Memory>,
}

/// What is large in a machine and changes little from one snapshot to the next.
pub(crate) struct Bulk {
    pub banks: Vec<u8>,
    pub output: String,
    pub picture: Box<[[u8; 4]]>,
}

impl X16 {
    /// A machine just powered on. A, X and Y are zero. With a ROM it is about to start at its reset
    /// vector.
    ///
    /// # Errors
    /// For a ROM image or an SD card of a wrong size, and for no RAM or too much.
    pub fn new(config: Config) -> Result<X16, Diagnostic> {
        let is_empty = config.rom.as_ref().is_some_and(Vec::is_empty);
        let rom = config.rom.unwrap_or_default();
        if is_empty || !rom.len().is_multiple_of(ROM_BANK) || rom.len() > MAX_ROM {
            let message = format!("the ROM image has {} bytes", rom.len());
            return Err(Diagnostic::error(&rules::ROM_SIZE, message)
                .help("an image is a multiple of 16384 bytes and at most 524288"));
        }
        if !(1..=MAX_RAM_BANKS).contains(&config.ram_banks) {
            let message = format!("{} banks of RAM", config.ram_banks);
            return Err(
                Diagnostic::error(&rules::RAM_SIZE, message).help("there may be 1 to 256 banks of 8 KB")
            );
        }
        let card = config.sd_card.map(sdcard::made).transpose()?;
        let board = Board::new(config.date, card);
        let mut machine = X16 {
            cpu: Cpu::default(),
            bus: Bus::new(config.deviations, config.ram_banks, rom, board),
            ended: None,
            loaded: None,
            program: None,
            typed_run: None,
            memory: None,
        };
        machine.bus.set_up();
        machine.bus.follow_board();
        machine.bus.kernal.clock.start = config.date;
        if let Some(seed) = config.random_memory {
            machine.bus.fill_randomly(seed);
        }
        if machine.bus.has_rom() {
            machine.cpu.reset(&mut machine.bus);
        }
        Ok(machine)
    }

    /// Loads a PRG file and makes it the program that runs next. With a ROM, [`run`](X16::run) some frames before: its
    /// routines need what they set up at the start.
    ///
    /// # Errors
    /// If it is too short, or does not fit into RAM.
    pub fn load_prg(&mut self, prg: &[u8]) -> Result<Loaded, Diagnostic> {
        let (address, program) = program::split(prg)?;
        self.load_at(address, program)
    }

    /// Loads a program without a header and makes it the one that runs next. One that is BASIC is run by a ROM's BASIC, which gets the
    /// command RUN; it needs to be at its prompt.
    ///
    /// # Errors
    /// If it is empty, does not fit into RAM, or is BASIC without a ROM.
    pub fn load_at(&mut self, address: u16, program: &[u8]) -> Result<Loaded, Diagnostic> {
        self.load_and_start(address, program, None)
    }

    /// The same, started at an address if there is one.
    pub(crate) fn load_and_start(
        &mut self,
        address: u16,
        program: &[u8],
        start: Option<u16>,
    ) -> Result<Loaded, Diagnostic> {
        let mut loaded = program::place(address, program)?;
        loaded.is_basic &= start.is_none();
        let runs_basic = loaded.is_basic && (self.has_rom() || !loaded.has_basic_start);
        if runs_basic && !self.has_rom() {
            return Err(basic::no_rom());
        }
        for (at, byte) in (address..).zip(program) {
            self.bus.poke(at, *byte);
        }
        if runs_basic {
            basic::take(&mut self.bus, &loaded)?;
            self.typed_run = Some(self.bus.cycles);
            self.ended = None;
            self.mark_start();
            self.give(&Input::default());
        } else {
            self.start_at(start.unwrap_or(loaded.start));
        }
        let known = Known::of(&[&address.to_le_bytes()[..], program].concat());
        (self.loaded, self.program) = (Some(loaded), Some(known));
        Ok(loaded)
    }

    /// Starts the program at an address, as RUN and SYS do: interrupts are allowed, and the KERNAL says nothing of its own. RTS ends it, unless
    /// it has left a handler of interrupts: that goes on, as at BASIC's prompt, which is what a ROM then goes back to.
    pub fn start_at(&mut self, pc: u16) {
        // Started twice at once, it is at the same prompt.
        let prompt = self.bus.prompt.filter(|prompt| prompt.cycle == self.bus.cycles);
        let prompt = prompt.unwrap_or_else(|| Prompt::of(&self.bus, self.cpu));
        self.bus.prompt = Some(prompt);
        self.bus.has_returned = false;
        self.cpu = Cpu::at(pc);
        if self.bus.has_rom() {
            self.cpu.s = prompt.cpu.s;
            kernal::leave_prompt(&mut self.bus);
        }
        if let Some(variables) = kernal::files::variables(self.bus.kernal_rom()) {
            self.bus.poke(variables.messages, 0);
        }
        self.bus.no_bank = None;
        let [low, high] = (RETURN - 1).to_le_bytes();
        for byte in [high, low] {
            let at = self.cpu.stack();
            self.bus.poke(at, byte);
            self.cpu.s = self.cpu.s.wrapping_sub(1);
        }
        self.ended = None;
        self.bus.ending = None;
        self.bus.trap = None;
        self.mark_start();
    }

    /// Lets a user do something, from now on. What was to come before is forgotten.
    pub fn give(&mut self, input: &Input) {
        self.give_later(0, input);
    }

    /// The same so many cycles from now.
    pub fn give_later(&mut self, cycles: u64, input: &Input) {
        // A BASIC program that was just loaded is still to be run.
        let runs = self.typed_run == Some(self.bus.cycles) && cycles == 0;
        let with_run = runs.then(|| basic::with_run(input));
        self.bus.user = User::new(self.bus.cycles.saturating_add(cycles), with_run.as_ref().unwrap_or(input));
        let controllers = input.controllers();
        for (number, _) in (1..).zip(controllers).filter(|(_, is_there)| *is_there) {
            self.bus.board.controllers.connect(number);
        }
        self.bus.kernal.connect(controllers);
        self.bus.follow_board();
    }

    /// Takes out what is large, so that a copy of the rest is small.
    pub(crate) fn take_bulk(&mut self) -> Bulk {
        let mut picture = Box::default();
        self.bus.vera.swap_picture(&mut picture);
        let bus = &mut self.bus;
        Bulk { banks: std::mem::take(&mut bus.banks), output: std::mem::take(&mut bus.output), picture }
    }

    /// Puts it back.
    pub(crate) fn put_bulk(&mut self, bulk: Bulk) {
        let Bulk { banks, output, mut picture } = bulk;
        (self.bus.banks, self.bus.output) = (banks, output);
        self.bus.vera.swap_picture(&mut picture);
    }

    /// Whether the program has BASIC statements to run.
    pub(crate) fn has_basic(&self) -> bool {
        self.loaded.is_some_and(|loaded| loaded.is_basic)
    }

    /// Whether there is a ROM, rather than stand-ins for its routines.
    pub(crate) fn has_rom(&self) -> bool {
        self.bus.has_rom()
    }

    /// The CPU's registers.
    pub fn cpu(&self) -> &Cpu {
        &self.cpu
    }

    /// The CPU's registers, to be changed.
    pub fn cpu_mut(&mut self) -> &mut Cpu {
        &mut self.cpu
    }

    /// VERA.
    pub fn vera(&self) -> &Vera {
        &self.bus.vera
    }

    /// VERA, for a picture of the line that the beam is in or the like. Register writes belong to programs: these would
    /// be recorded nowhere.
    pub fn vera_mut(&mut self) -> &mut Vera {
        &mut self.bus.vera
    }

    /// Reads memory as the CPU would, without side effects.
    pub fn peek(&self, address: u16) -> u8 {
        self.bus.peek(address)
    }

    /// A byte of a bank of RAM, if there is one.
    pub(crate) fn peek_in(&self, address: u16, bank: u8) -> Option<u8> {
        self.bus.peek_in(address, bank)
    }

    /// Writes RAM; other places stay as they are.
    pub fn poke(&mut self, address: u16, value: u8) {
        self.bus.poke(address, value);
    }

    /// The bank of RAM at $A000.
    pub(crate) fn ram_bank(&self) -> u8 {
        self.bus.ram_bank()
    }

    /// Writes one of VERA's registers, without time.
    pub(crate) fn write_register(&mut self, register: u8, value: u8) {
        self.bus.write_for_kernal([(register, value)]);
    }

    /// Writes a byte of video memory, and of what VERA keeps of it besides; false beyond its end.
    pub(crate) fn store(&mut self, address: u32, value: u8) -> bool {
        let is_there = (address as usize) < self.vera().vram().len();
        if is_there {
            self.bus.sync();
            self.bus.vera.store_plain(address, value);
        }
        is_there
    }

    /// A VIA, 0 or 1 for the first or the second, to connect devices to.
    ///
    /// # Panics
    /// If there is no such VIA.
    pub fn via_mut(&mut self, index: usize) -> &mut Via {
        self.bus.via_mut(index)
    }

    /// The keyboard's lights: bit 0 is scroll lock, 1 num lock, 2 caps lock; bit 7 is the board's activity light.
    pub fn lights(&self) -> u8 {
        let smc = &self.bus.board.i2c.smc;
        smc.leds() | u8::from(smc.light) << 7
    }

    /// CPU cycles since power-on.
    pub fn cycles(&self) -> u64 {
        self.bus.cycles
    }

    /// What the program has printed with CHROUT, at most [`MAX_OUTPUT`] bytes.
    pub fn output(&self) -> &str {
        &self.bus.output
    }

    /// Counts from now on which registers are used when.
    pub(crate) fn note_activity(&mut self) {
        let activity = Activity::new(self.bus.cycles, &self.bus.vera);
        self.watch().activity = Some(activity);
    }

    /// What was counted; nothing if it was not asked for.
    pub(crate) fn timelines(&self) -> Vec<Timeline> {
        let activity = self.bus.watch.as_ref().and_then(|watch| watch.activity.as_ref());
        activity.map_or_else(Vec::new, |activity| activity.timelines(self.bus.cycles))
    }

    /// Notes accesses of VERA from now on, or ends it.
    pub(crate) fn log(&mut self, on: bool) {
        self.watch().log = on.then(Vec::new);
        self.drop_idle_watch();
    }

    /// What was noted; nothing more is.
    pub(crate) fn logged(&mut self) -> Vec<Access> {
        let log = self.bus.watch.as_mut().and_then(|watch| watch.log.take());
        self.drop_idle_watch();
        log.unwrap_or_default()
    }

    fn watch(&mut self) -> &mut Watch {
        self.bus.watch.get_or_insert_default()
    }

    fn drop_idle_watch(&mut self) {
        if self.bus.watch.as_ref().is_some_and(|watch| watch.is_idle()) {
            self.bus.watch = None;
        }
    }
}

/// The example of the package's page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

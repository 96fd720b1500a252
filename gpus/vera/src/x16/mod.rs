//! The machine around VERA: a Commander X16's 65C02 at 8 MHz with its memory and what else is on its board, headless.
//!
//! It runs programs as they are, PRG files or raw binaries, until they end or meet a limit. Each CPU cycle is 3 ⅛
//! clocks of VERA, and each access reaches VERA at the end of its cycle, those included that the CPU makes without
//! need. (In the FPGA a write takes effect three clocks later, which nothing but a change in the middle of a line can
//! show.) `docs/machine.md` says what is not there.
//!
//! ```
//! use gpuzoo_vera::x16::{Config, Ending, Limits, X16};
//!
//! let mut machine = X16::new(Config::default()).unwrap();
//! // At $0801: lda #$2A, sta DATA1, rts: the KERNAL leaves the address of port 1 at 0.
//! machine.load_prg(&[0x01, 0x08, 0xa9, 0x2a, 0x8d, 0x24, 0x9f, 0x60]).unwrap();
//! assert_eq!(machine.run(&Limits::default()), Ending::Returned);
//! assert_eq!(machine.vera().vram()[0], 0x2a);
//! // 2 + 4 + 6 cycles, and one for the fetch at the address that it returned to.
//! assert_eq!(machine.cycles(), 13);
//! ```

mod activity;
mod board;
mod bus;
mod controllers;
mod date;
mod disks;
mod dos;
mod ending;
mod fat;
mod i2c;
mod input;
mod kernal;
mod observe;
mod program;
mod prompt;
mod rtc;
pub(crate) mod rules;
mod sdcard;
mod smc;
mod state;
mod via;
mod watch;
mod ym2151;

pub(crate) use bus::Bus;
pub use bus::MAX_OUTPUT;
pub use date::Date;
pub use disks::CardSource;
pub use dos::{Caller, MAX_CHANGES, MAX_WRITTEN, Missed, Why};
pub use ending::{Ending, Limits};
pub use gpuzoo_65c02::{Cpu, State};
pub use input::{BUTTONS, Event, FIRST_FRAME, Input, Key, MAX_EVENTS, MOUSE_BUTTONS, Unread, modifier};
pub use kernal::name as kernal_name;
pub(crate) use observe::Observer;
pub(crate) use program::addressable;
pub use program::{Loaded, split};
pub use rules::{UNHEARD, UNSEEN};
pub use state::MAX_STATE;
pub use via::Via;
pub use watch::{Access, Kind};

use crate::asm::{Labels, instruction};
use crate::{Deviations, Vera};
use activity::Activity;
use board::Board;
use bus::ROM_BANK;
use gpuzoo_diag::Diagnostic;
use gpuzoo_machine::timeline::Timeline;
use input::User;
use observe::{Counted, Observed};
use prompt::Prompt;
use smc::Request;
use state::Known;
use watch::Watch;

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

/// What one step did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The instruction's address.
    pub pc: u16,
    /// Its bytes as they were before; the opcode says how many belong to it. All zero for an interrupt.
    pub bytes: [u8; 3],
    /// It was not an instruction: an interrupt was entered.
    pub is_interrupt: bool,
    /// CPU cycles that it took.
    pub cycles: u64,
    /// The registers before.
    pub before: Cpu,
    /// The registers after.
    pub after: Cpu,
    /// What it did with VERA, in order.
    pub accesses: Vec<Access>,
    /// Set if the run is over.
    pub ending: Option<Ending>,
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
}

/// What is large in a machine and changes little from one snapshot to the next.
pub(crate) struct Bulk {
    pub banks: Vec<u8>,
    pub output: String,
    pub picture: Box<[[u8; 4]]>,
}

impl Step {
    /// The instruction as an assembler writes it; `dcsel` chooses the names of VERA's registers, `labels` has those of the program.
    pub fn text(&self, dcsel: Option<u8>, labels: &Labels) -> String {
        if self.is_interrupt {
            return "interrupt".to_owned();
        }
        instruction(self.bytes, self.pc, dcsel, labels)
    }
}

impl X16 {
    /// A machine just powered on. A, X and Y are zero. With a ROM it is about to start at its reset
    /// vector.
    ///
    /// # Errors
    /// For a ROM image or an SD card of a wrong size, and for no RAM or too much.
    pub fn new(config: Config) -> Result<X16, Diagnostic> {
        let rom = config.rom.unwrap_or_default();
        if !rom.len().is_multiple_of(ROM_BANK) || rom.len() > MAX_ROM {
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
        };
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

    /// Loads a program without a header and makes it the one that runs next.
    ///
    /// # Errors
    /// If it is empty, or does not fit into RAM.
    pub fn load_at(&mut self, address: u16, program: &[u8]) -> Result<Loaded, Diagnostic> {
        let loaded = program::place(address, program)?;
        for (at, byte) in (address..).zip(program) {
            self.bus.poke(at, *byte);
        }
        self.start_at(loaded.start);
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
        let [low, high] = (kernal::RETURN - 1).to_le_bytes();
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
        self.bus.user = User::new(self.bus.cycles.saturating_add(cycles), input);
        let controllers = input.controllers();
        for (number, _) in (1..).zip(controllers).filter(|(_, is_there)| *is_there) {
            self.bus.board.controllers.connect(number);
        }
        self.bus.kernal.connect(controllers);
        self.bus.follow_board();
    }

    /// Runs until the program ends or a limit is met. After a limit it can be called again and goes on; after the end
    /// it returns that end again.
    pub fn run(&mut self, limits: &Limits) -> Ending {
        if let Some(ending) = &self.ended {
            return ending.clone();
        }
        let (frames, cycles) = (self.bus.vera.frames(), self.bus.cycles);
        let far =
            |start: u64, count: Option<u64>| count.map_or(u64::MAX, |count| start.saturating_add(count));
        self.bus.frame_limit = far(frames, limits.frames);
        self.bus.cycle_limit = far(cycles, limits.most_cycles());
        if limits.frames == Some(0) || limits.cycles == Some(0) {
            self.bus.end(Ending::Cycles { cycles: 0, pc: 0 });
        }
        // With lints, memory is watched as well.
        match self.bus.watch.as_mut().and_then(|watch| watch.memory.take()) {
            Some(mut memory) => {
                self.advance(&mut memory);
                let watch = self.watch();
                watch.lints.iter_mut().for_each(|lints| lints.memory(&memory));
                watch.memory = Some(memory);
            }
            None => self.advance(&mut ()),
        }
        (self.bus.frame_limit, self.bus.cycle_limit) = (u64::MAX, u64::MAX);
        let (frames, cycles) = (self.bus.vera.frames() - frames, self.bus.cycles - cycles);
        let mut pc = self.cpu.pc;
        let idle = self.is_idle();
        if kernal::is_asking(pc) && !self.bus.has_rom() {
            // The program is in its call.
            pc = self.bus.caller(&self.cpu);
        }
        match self.bus.ending.take() {
            Some(Ending::Frames { .. }) => {
                let returned = self.bus.has_returned;
                Ending::Frames { frames, pc, idle, returned }
            }
            Some(ending) if ending.is_final() => self.finish(ending),
            _ => limits.spent(frames, cycles, pc),
        }
    }

    /// Runs until an end is met or the observer stops it. A step is an instruction, or the entry of an interrupt, or
    /// waiting up to the next line of the picture.
    fn advance<O: Observer>(&mut self, observer: &mut O) {
        self.bus.begin();
        'run: while self.bus.ending.is_none() {
            // A copy, which the compiler can keep in registers.
            let mut cpu = self.cpu;
            while self.bus.cycles < self.bus.deadline {
                cpu.instruction(&mut Observed { bus: &mut self.bus, observer });
                // What a stand-in does belongs to the step that calls it.
                if O::WATCHES && self.bus.trap.is_some() {
                    self.cpu = cpu;
                    self.bus.meet();
                    self.settle(observer);
                    cpu = self.cpu;
                }
                if observer.stops(&cpu, &mut self.bus) {
                    self.cpu = cpu;
                    break 'run;
                }
            }
            self.cpu = cpu;
            let cycles = self.bus.cycles;
            self.attend(observer);
            if self.bus.cycles != cycles && observer.stops(&self.cpu, &mut self.bus) {
                break;
            }
        }
        self.bus.meet();
        self.settle(observer);
        self.bus.arm();
        self.bus.catch_up();
    }

    /// Takes steps as [`step`](X16::step) does, but tells only the observer. Returns how many, fewer at an end, and
    /// whether it was the observer that stopped them.
    pub(crate) fn steps<O: Observer>(&mut self, steps: u64, observer: &mut O) -> (u64, bool) {
        if self.ended.is_some() || steps == 0 {
            return (0, false);
        }
        let mut counted = Counted { left: steps, observer, stopped: false };
        self.advance(&mut counted);
        let Counted { left, stopped, .. } = counted;
        if let Some(ending) = self.bus.ending.take() {
            self.finish(ending);
        }
        (steps - left, stopped)
    }

    /// How the program ended, once it cannot go on.
    pub fn ended(&self) -> Option<&Ending> {
        self.ended.as_ref()
    }

    /// Runs one instruction, or enters an interrupt, or waits up to the next line of the picture; returns what it did.
    pub fn step(&mut self) -> Step {
        self.observed_step(&mut ())
    }

    /// The same with an observer.
    pub(crate) fn observed_step<O: Observer>(&mut self, observer: &mut O) -> Step {
        let (before, cycles) = (self.cpu, self.bus.cycles);
        let bytes = [0, 1, 2].map(|offset| self.peek(before.pc.wrapping_add(offset)));
        let mut step = Step {
            pc: before.pc,
            bytes,
            is_interrupt: false,
            cycles: 0,
            before,
            after: before,
            accesses: Vec::new(),
            ending: self.ended.clone(),
        };
        if step.ending.is_some() {
            return step;
        }
        self.watch().log = Some(Vec::new());
        let interrupts = self.bus.interrupts;
        self.steps(1, observer);
        step.accesses = self.watch().log.take().unwrap_or_default();
        self.drop_idle_watch();
        step.is_interrupt = self.bus.interrupts != interrupts;
        if step.is_interrupt {
            step.bytes = [0; 3];
        }
        step.cycles = self.bus.cycles - cycles;
        step.ending = self.ended.clone();
        step.after = self.cpu;
        step
    }

    /// Does what is up besides instructions that follow each other: an event, a trap, a request for an interrupt, a CPU
    /// that waits. Makes at most one step of the CPU.
    #[inline(never)]
    fn attend<O: Observer>(&mut self, observer: &mut O) {
        self.bus.meet();
        self.settle(observer);
        if self.bus.ending.is_some() {
            return;
        }
        if let Some(request) = self.bus.request.take() {
            self.follow_request(request, observer);
            self.bus.arm();
            return self.settle(observer);
        }
        let waits = self.cpu.state == State::Waiting;
        if waits {
            self.bus.skip();
        }
        if waits || self.bus.irq_is_near() {
            self.cpu.step(&mut Observed { bus: &mut self.bus, observer });
            if O::WATCHES && self.bus.trap.is_some() {
                self.settle(observer);
            }
        }
        self.bus.is_halted = self.cpu.state != State::Running;
        self.bus.arm();
    }

    /// What the system management controller does to the machine.
    fn follow_request<O: Observer>(&mut self, request: Request, observer: &mut O) {
        let pc = self.cpu.pc;
        match request {
            Request::PowerOff => self.bus.end(Ending::PoweredOff { pc }),
            Request::Reset if !self.bus.has_rom() => self.bus.end(Ending::Reset { pc }),
            Request::Reset => {
                self.bus.reset();
                self.cpu.reset(&mut Observed { bus: &mut self.bus, observer });
            }
            Request::Nmi => self.cpu.nmi(&mut Observed { bus: &mut self.bus, observer }),
        }
        self.bus.is_halted = self.cpu.state != State::Running;
    }

    /// What an instruction leads to: the work of a stand-in, or the end.
    fn settle<O: Observer>(&mut self, observer: &mut O) {
        if self.bus.ending.is_some() {
            // A limit was met in the same cycle: this is for the next run.
            return;
        }
        if let Some((address, caller)) = self.bus.trap.take() {
            self.bus.poked = O::WATCHES.then(Vec::new);
            kernal::call(address, caller, &mut self.bus, &mut self.cpu);
            for (address, before) in self.bus.poked.take().unwrap_or_default() {
                observer.poked(&self.bus, address, before);
            }
        }
        let pc = self.cpu.pc;
        if self.cpu.state == State::Stopped {
            self.bus.end(Ending::Stopped { pc: pc.wrapping_sub(1) });
        } else if self.cpu.state == State::Waiting && self.bus.is_quiet() {
            self.bus.end(Ending::Asleep { pc });
        }
    }

    fn finish(&mut self, ending: Ending) -> Ending {
        if matches!(
            ending,
            Ending::Returned | Ending::RomCall { .. } | Ending::NoFiles { .. } | Ending::Broke { .. }
        ) {
            // These are met by a fetch, which the CPU has passed.
            self.cpu.pc = self.cpu.pc.wrapping_sub(1);
        }
        self.ended = Some(ending.clone());
        ending
    }

    /// In WAI, or at a jump to itself.
    fn is_idle(&self) -> bool {
        let pc = self.cpu.pc;
        let [low, high] = pc.to_le_bytes();
        match [0, 1, 2].map(|offset| self.peek(pc.wrapping_add(offset))) {
            [0x4c, to_low, to_high] => [to_low, to_high] == [low, high],
            [0x80, 0xfe, _] => true,
            _ => self.cpu.state == State::Waiting,
        }
    }

    /// Takes out what is large, so that a copy of the rest is small.
    pub(crate) fn take_bulk(&mut self) -> Bulk {
        Bulk {
            banks: std::mem::take(&mut self.bus.banks),
            output: std::mem::take(&mut self.bus.output),
            picture: std::mem::take(&mut self.bus.vera.video.frame),
        }
    }

    /// Puts it back.
    pub(crate) fn put_bulk(&mut self, bulk: Bulk) {
        (self.bus.banks, self.bus.output, self.bus.vera.video.frame) =
            (bulk.banks, bulk.output, bulk.picture);
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

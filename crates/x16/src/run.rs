//! How the machine runs: instructions that follow each other up to the next event, and what is up besides them.

use crate::asm::{Labels, instruction};
use crate::board::smc::Request;
use crate::observe::{Counted, Observed};
use crate::{Access, Cpu, Ending, Limits, Observer, Spent, State, X16, kernal};

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
    /// Runs until the program ends or a limit is met. After a limit it can be called again and goes on; after the end
    /// it returns that end again.
    pub fn run(&mut self, limits: &Limits) -> Ending {
        self.limited(limits, |machine| {
            // With lints, memory is watched as well.
            match machine.memory.take() {
                Some(mut memory) => {
                    machine.advance_watched(u64::MAX, &mut memory);
                    machine.watch().lints.iter_mut().for_each(|lints| lints.memory(&memory));
                    machine.memory = Some(memory);
                }
                None => machine.advance(&mut ()),
            }
        })
    }

    /// The same, and counts the cycles of each instruction.
    pub fn run_counted(&mut self, limits: &Limits, spent: &mut Spent) -> Ending {
        self.limited(limits, |machine| {
            machine.advance_watched(u64::MAX, spent);
        })
    }

    /// Runs with limits; `advance` goes on up to an end or a limit.
    fn limited(&mut self, limits: &Limits, advance: impl FnOnce(&mut X16)) -> Ending {
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
        advance(self);
        (self.bus.frame_limit, self.bus.cycle_limit) = (u64::MAX, u64::MAX);
        let (frames, cycles) = (self.bus.vera.frames() - frames, self.bus.cycles - cycles);
        let mut pc = self.cpu.pc;
        let idle = self.is_idle();
        if self.cpu.state == State::Waiting {
            // In WAI, which it has read.
            pc = pc.wrapping_sub(1);
        }
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

    /// [`advance`](X16::advance) for an observer, so many steps at most; how many are left, and whether it was the observer that stopped
    /// it.
    fn advance_watched<O: Observer>(&mut self, steps: u64, observer: &mut O) -> (u64, bool) {
        // Each copy of `advance` holds all instructions of the CPU. Where the size of code counts, one serves all that watch.
        #[cfg(target_arch = "wasm32")]
        let observer: &mut dyn Observer = observer;
        let mut counted = Counted { left: steps, observer, stopped: false };
        self.advance(&mut counted);
        (counted.left, counted.stopped)
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
                if observer.watches() && self.bus.trap.is_some() {
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
        let (left, stopped) = self.advance_watched(steps, observer);
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
    /// that waits. Makes at most one step of the CPU. This is rare, so that one copy serves all observers.
    #[inline(never)]
    fn attend(&mut self, observer: &mut dyn Observer) {
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
            if observer.watches() && self.bus.trap.is_some() {
                self.settle(observer);
            }
        }
        self.bus.is_halted = self.cpu.state != State::Running;
        self.bus.arm();
    }

    /// What the system management controller does to the machine.
    fn follow_request(&mut self, request: Request, observer: &mut dyn Observer) {
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
    fn settle(&mut self, observer: &mut dyn Observer) {
        if self.bus.ending.is_some() {
            // A limit was met in the same cycle: this is for the next run.
            return;
        }
        if let Some((address, caller)) = self.bus.trap.take() {
            self.bus.poked = observer.watches().then(Vec::new);
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
}

//! Where the cycles of a run go.

use crate::{Bus, Cpu, Observer, State, X16};

/// CPU cycles of a run: those of each instruction, by its address, and those between instructions.
///
/// Banks are not told apart: what ran at an address of $A000 to $FFFF in several banks is counted together.
///
/// ```
/// use gpuzoo_x16::{Config, Limits, Spent, X16};
///
/// let mut machine = X16::new(Config::default()).unwrap();
/// // At $0801: ldx #3, dex, bne back to it, rts.
/// machine.load_prg(&[0x01, 0x08, 0xa2, 3, 0xca, 0xd0, 0xfd, 0x60]).unwrap();
/// let mut spent = Spent::new(&machine);
/// machine.run_counted(&Limits::default(), &mut spent);
/// assert_eq!([spent.cycles(0x0801), spent.cycles(0x0803)], [2, 3 * 2]);
/// // A branch takes a cycle more if it is taken.
/// assert_eq!([spent.cycles(0x0804), spent.times(0x0804)], [3 + 3 + 2, 3]);
/// ```
#[derive(Clone, Debug)]
pub struct Spent {
    cycles: Vec<u64>,
    times: Vec<u64>,
    waiting: u64,
    entering: u64,
    /// The next instruction, and the cycle at which it begins.
    pc: u16,
    since: u64,
    /// It is not one: the CPU waits.
    waits: bool,
    /// The step enters an interrupt.
    enters: bool,
}

/// CPU cycles from an interrupt to the first instruction of its handler.
const ENTRY: u64 = 7;
const ADDRESSES: usize = 1 << 16;

impl Spent {
    /// Nothing yet, of a machine that is about to run.
    pub fn new(machine: &X16) -> Spent {
        Spent {
            cycles: vec![0; ADDRESSES],
            times: vec![0; ADDRESSES],
            waiting: 0,
            entering: 0,
            pc: machine.cpu.pc,
            since: machine.bus.cycles,
            waits: machine.cpu.state == State::Waiting,
            enters: false,
        }
    }

    /// Cycles of the instruction at an address.
    pub fn cycles(&self, address: u16) -> u64 {
        self.cycles[usize::from(address)]
    }

    /// How often it ran.
    pub fn times(&self, address: u16) -> u64 {
        self.times[usize::from(address)]
    }

    /// Cycles in which the CPU waited for an interrupt, in `WAI`.
    pub fn waiting(&self) -> u64 {
        self.waiting
    }

    /// Cycles in which interrupts were entered, before the first instruction of their handler.
    pub fn entering(&self) -> u64 {
        self.entering
    }

    /// All cycles.
    pub fn total(&self) -> u64 {
        self.waiting + self.entering + self.cycles.iter().sum::<u64>()
    }

    /// Addresses of instructions that ran, in their order.
    pub fn addresses(&self) -> impl Iterator<Item = u16> {
        let ran = self.times.iter().enumerate().filter(|(_, times)| **times > 0);
        ran.filter_map(|(address, _)| u16::try_from(address).ok())
    }
}

impl Observer for Spent {
    #[inline(always)]
    fn interrupted(&mut self, enters: bool) {
        self.enters |= enters;
    }

    #[inline(always)]
    fn stops(&mut self, cpu: &Cpu, bus: &mut Bus) -> bool {
        let mut cycles = bus.cycles - self.since;
        self.since = bus.cycles;
        if self.enters {
            // It may end a wait, which belongs to the same step.
            self.entering += cycles.min(ENTRY);
            cycles = cycles.saturating_sub(ENTRY);
        }
        if self.waits {
            self.waiting += cycles;
        } else if !self.enters {
            self.cycles[usize::from(self.pc)] += cycles;
            self.times[usize::from(self.pc)] += 1;
        }
        self.pc = cpu.pc;
        self.waits = cpu.state == State::Waiting;
        self.enters = false;
        false
    }
}

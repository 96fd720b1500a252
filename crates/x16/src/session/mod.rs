//! A run that can be looked at step by step, forward and backward: what a debugger stands on.
//!
//! A step is an instruction of the CPU, or the entry of an interrupt, or waiting up to the next line of the picture. The
//! machine is deterministic, so a [`Session`] keeps snapshots of it, and any other state is the run from the nearest
//! one. What a step changed and read is found by running it once more under observation, and kept for its neighbours.
//!
//! ```
//! use gpuzoo_x16::session::{Place, Session, Stop, Until};
//! use gpuzoo_x16::{Config, X16};
//!
//! let mut machine = X16::new(Config::default()).unwrap();
//! // At $0801: lda #$2A, sta DATA1, dec $22, bra back to the sta.
//! let program = [0xa9, 0x2a, 0x8d, 0x24, 0x9f, 0xc6, 0x22, 0x80, 0xf9];
//! machine.load_at(0x0801, &program).unwrap();
//!
//! let mut session = Session::new(machine);
//! assert_eq!(session.run_until(&Until::Store(0..=0x1ffff), 100), Stop::Met);
//! assert_eq!((session.position(), session.machine().vera().vram()[0]), (2, 0x2a));
//!
//! let stored = session.changes(1).unwrap().iter().find(|change| change.place == Place::Vram(0)).unwrap();
//! assert_eq!((stored.before, stored.after), (0, 0x2a));
//!
//! session.back();
//! assert_eq!(session.machine().vera().vram()[0], 0);
//! // Forward again, as far as one likes, and to the start.
//! assert_eq!(session.seek(1_000_000), 1_000_000);
//! assert_eq!((session.seek(0), session.len()), (0, 1_000_000));
//! ```

mod history;
mod record;
mod until;

pub use record::{Change, Place, Read, Record};
pub use until::{Stop, Until};

use crate::{CYCLES_PER_FRAME, Ending, Observer, X16};
use gpuzoo_65c02::Cpu;
use gpuzoo_vera::{HEIGHT, LINES, Port, STATE};
use history::History;
use std::collections::{BTreeMap, VecDeque};
use until::Watcher;

/// Bytes of snapshots that a session keeps if not told otherwise.
pub const MEMORY: usize = 64 << 20;
/// The most records that are kept, and how far before the wanted one they begin.
const RECORDS: usize = 1024;
const BEFORE: u64 = 256;
/// CPU cycles in a line.
const LINE: u64 = CYCLES_PER_FRAME / LINES as u64;

/// A machine's state after a number of steps. What is not here is in [`Session::machine`] and [`Session::at`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Steps since the start.
    pub step: u64,
    /// CPU cycles since power-on.
    pub cycles: u64,
    /// Pictures that are complete.
    pub frame: u64,
    /// The line that the beam is in.
    pub line: u16,
    /// The CPU's registers.
    pub cpu: Cpu,
    /// VERA's 32 registers as the CPU would read them.
    pub registers: [u8; 32],
    /// VERA's data ports.
    pub ports: [Port; 2],
    /// VERA's state by name, the FX helpers' and the hidden ones included, in the order of [`STATE`].
    pub vera: Vec<(&'static str, u32)>,
    /// How the program ended, if it has.
    pub ending: Option<Ending>,
}

impl State {
    fn of(step: u64, machine: &X16) -> State {
        let vera = machine.vera();
        State {
            step,
            cycles: machine.cycles(),
            frame: vera.frames(),
            line: vera.line(),
            cpu: *machine.cpu(),
            registers: std::array::from_fn(|register| vera.peek(register as u8)),
            ports: *vera.ports(),
            vera: STATE.iter().map(|item| (item.name, (item.get)(vera))).collect(),
            ending: machine.ended().cloned(),
        }
    }
}

/// A run with its past.
///
/// Snapshots take up to [`MEMORY`] bytes, or what [`Session::with_memory`] says (but there are always two). No step is
/// ever lost: when the memory is full, every second snapshot is dropped, and going back runs up to twice as many steps
/// ([`Session::spacing`]); what was run again for that leaves snapshots in between, for the next step back.
pub struct Session {
    now: X16,
    position: u64,
    /// The furthest step that was reached.
    length: u64,
    history: History,
    window: Option<Window>,
    /// What was poked, and before which step.
    pokes: BTreeMap<u64, Vec<(Place, u32)>>,
}

/// Records of neighbouring steps.
struct Window {
    /// The step of the first.
    first: u64,
    records: VecDeque<Record>,
    /// After the last.
    machine: X16,
}

/// The position behind another at which something was poked next.
fn next_poke(pokes: &BTreeMap<u64, Vec<(Place, u32)>>, position: u64) -> u64 {
    pokes.range(position.saturating_add(1)..).next().map_or(u64::MAX, |(next, _)| *next)
}

/// Pokes what was poked before a step.
fn poke(pokes: &BTreeMap<u64, Vec<(Place, u32)>>, position: u64, machine: &mut X16) {
    for &(place, value) in pokes.get(&position).into_iter().flatten() {
        machine.set(place, value);
    }
}

impl Window {
    fn end(&self) -> u64 {
        self.first + self.records.len() as u64
    }
}

impl Session {
    /// A session that starts with a machine as it is. A recording of the bus ends here; lints go on.
    pub fn new(machine: X16) -> Session {
        Session::with_memory(machine, MEMORY)
    }

    /// A session whose snapshots take up to so many bytes.
    pub fn with_memory(mut machine: X16, bytes: usize) -> Session {
        machine.recorded();
        let history = History::new(&mut machine, bytes);
        Session { now: machine, position: 0, length: 0, history, window: None, pokes: BTreeMap::new() }
    }

    /// The machine at the present position: its memory, its picture and all else.
    pub fn machine(&self) -> &X16 {
        &self.now
    }

    /// Ends the session; the machine goes on from the present position.
    pub fn into_machine(self) -> X16 {
        self.now
    }

    /// Steps that lead from the start to here.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// The furthest position that was reached. Steps below it have records.
    #[allow(clippy::len_without_is_empty, reason = "a run is never without its start")]
    pub fn len(&self) -> u64 {
        self.length
    }

    /// The most steps that going back runs again.
    pub fn spacing(&self) -> u64 {
        self.history.spacing()
    }

    /// Bytes that the snapshots take.
    pub fn memory(&self) -> usize {
        self.history.used()
    }

    /// How the program ended, if it has, here.
    pub fn ending(&self) -> Option<&Ending> {
        self.now.ended()
    }

    /// Takes a step. False if the program has ended.
    pub fn step(&mut self) -> bool {
        self.forward(1, &mut ()) == 1
    }

    /// Takes a step back. False at the start.
    pub fn back(&mut self) -> bool {
        let Some(step) = self.position.checked_sub(1) else { return false };
        self.seek(step) == step
    }

    /// Goes to a position, forward or back; returns the position, which is before the wanted one if the program ends
    /// before.
    pub fn seek(&mut self, step: u64) -> u64 {
        let from = self.history.before(step);
        if (step < self.position || from > self.position)
            && let Some(machine) = self.history.restore(step)
        {
            (self.now, self.position) = (machine, from);
        }
        self.forward(step - self.position, &mut ());
        self.position
    }

    /// Goes on, by at least one step and at most `limit`, until a condition is met. For a line that the beam does not
    /// have, it does not go on.
    pub fn run_until(&mut self, until: &Until, limit: u64) -> Stop {
        if until.each().iter().any(|one| matches!(one, Until::Line(line) if *line >= LINES)) {
            return Stop::Limit;
        }
        let end = self.position.saturating_add(limit);
        loop {
            let frames = self.now.vera().frames();
            // What the beam does is a cycle for who knows where it is.
            let cycle = |line| Until::Cycle(self.now.cycles() + self.cycles_to(line));
            let watched = until.each().iter().map(|one| match one {
                Until::Line(line) => cycle(*line),
                Until::Frame => cycle(HEIGHT as u16),
                other => other.clone(),
            });
            let watched: Vec<Until> = watched.collect();
            let mut watcher = Watcher::new(&watched, &self.now);
            self.now.vera_mut().watch_stores(watcher.stores());
            self.forward(end - self.position, &mut watcher);
            let met = watcher.met;
            self.now.vera_mut().watch_stores(false);
            let vera = self.now.vera();
            return match met.and_then(|met| until.each().get(met)) {
                // A reset of VERA moves the beam.
                Some(Until::Line(line)) if vera.line() != *line && self.now.ended().is_none() => continue,
                Some(Until::Frame) if vera.frames() == frames && self.now.ended().is_none() => continue,
                Some(Until::Line(line)) if vera.line() != *line => Stop::Ended,
                Some(Until::Frame) if vera.frames() == frames => Stop::Ended,
                Some(_) => Stop::Met,
                None if self.now.ended().is_some() => Stop::Ended,
                None => Stop::Limit,
            };
        }
    }

    /// Cycles until the beam enters a line.
    fn cycles_to(&self, line: u16) -> u64 {
        let vera = self.now.vera();
        let lines = (u64::from(line) + 2 * u64::from(LINES) - u64::from(vera.line()) - 1) % u64::from(LINES);
        u64::from(vera.cycles_to_line()) + lines * LINE
    }

    /// Runs steps, and takes the snapshots that are due; returns how many steps.
    fn forward<O: Observer>(&mut self, steps: u64, observer: &mut O) -> u64 {
        let start = self.position;
        let end = start.saturating_add(steps);
        while self.position < end {
            let due = self.history.due();
            // What lies behind was run before.
            let is_again = self.position < self.length;
            let near = if is_again { self.history.next_near(self.position) } else { u64::MAX };
            let next = due.max(self.position + 1).min(near).min(next_poke(&self.pokes, self.position));
            let part = end.min(next) - self.position;
            let (done, stopped) = self.now.steps(part, observer);
            self.position += done;
            if done > 0 {
                poke(&self.pokes, self.position, &mut self.now);
            }
            if self.position == due {
                self.history.add(due, &mut self.now);
            } else if self.position == near {
                self.history.note(near, &mut self.now);
            }
            if stopped || done < part {
                break;
            }
        }
        self.length = self.length.max(self.position);
        self.position - start
    }

    /// The machine after so many steps, if that many are known.
    pub fn at(&self, step: u64) -> Option<X16> {
        if step == self.position {
            return Some(self.now.clone());
        }
        let mut machine = (step <= self.length).then(|| self.history.restore(step))??;
        let mut position = self.history.before(step);
        while position < step {
            let next = step.min(next_poke(&self.pokes, position));
            machine.steps(next - position, &mut ());
            poke(&self.pokes, next, &mut machine);
            position = next;
        }
        Some(machine)
    }

    /// Gives a place another value here, whatever the program does. What comes after is run again: of steps behind this one,
    /// and of what was poked there, nothing is known any more. VERA's registers are written as the CPU would. False for ROM, for VERA's
    /// state, which programs reach through its registers, and for a value that is too large.
    pub fn poke(&mut self, place: Place, value: u32) -> bool {
        if !self.now.set(place, value) {
            return false;
        }
        self.pokes.split_off(&(self.position + 1));
        self.pokes.entry(self.position).or_default().push((place, value));
        self.length = self.position;
        self.window = None;
        self.history.restart(self.position, &mut self.now);
        true
    }

    /// The state after so many steps, if that many are known.
    pub fn state(&self, step: u64) -> Option<State> {
        if step == self.position {
            return Some(State::of(step, &self.now));
        }
        self.at(step).map(|machine| State::of(step, &machine))
    }

    /// What a step did, counted from 0; `None` if it was not reached yet.
    pub fn record(&mut self, step: u64) -> Option<&Record> {
        if step >= self.length {
            return None;
        }
        let is_near = |window: &Window| (window.first..window.end() + BEFORE).contains(&step);
        let mut window = match self.window.take().filter(is_near) {
            Some(window) => window,
            None => {
                let first = (step - step % BEFORE).max(self.history.before(step));
                Window { first, records: VecDeque::new(), machine: self.at(first)? }
            }
        };
        while window.end() <= step {
            window.records.push_back(Record::of(&mut window.machine));
            poke(&self.pokes, window.end(), &mut window.machine);
            if window.records.len() > RECORDS {
                window.records.pop_front();
                window.first += 1;
            }
        }
        let window = self.window.insert(window);
        window.records.get((step - window.first) as usize)
    }

    /// What a step changed.
    pub fn changes(&mut self, step: u64) -> Option<&[Change]> {
        self.record(step).map(|record| record.changes.as_slice())
    }

    /// What a step read.
    pub fn reads(&mut self, step: u64) -> Option<&[Read]> {
        self.record(step).map(|record| record.reads.as_slice())
    }

    /// A byte of memory here, as the CPU would read it, without side effects.
    pub fn peek(&self, address: u16) -> u8 {
        self.now.peek(address)
    }

    /// A byte of video memory here.
    pub fn peek_vram(&self, address: u32) -> Option<u8> {
        self.now.vera().vram().get(address as usize).copied()
    }
}

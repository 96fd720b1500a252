//! A run that can be looked at step by step, forward and backward: what a debugger stands on, for any machine.
//!
//! Steps are counted from 0. [`state(k)`](Session::state) is what the machine holds before step k, and after it
//! `state(k + 1)`; [`changes`](Session::changes), [`reads`](Session::reads) and [`events`](Session::events) say what step k
//! did. All of it is data: what is where ([`Cell`]) and which bits it holds ([`Value`]), the same for a register of four
//! components and a byte of memory.
//!
//! A shader's session ([`ShaderSession`]) is one run in which any state is a look-up. A machine with a memory keeps
//! snapshots, and its [`history`](Session::history) says what that costs.
//!
//! ```
//! use gpuzoo_isa::{Bits, FileKind, Isa, Lowered, Mask, Program, Reg, RegFile, Room, Slot, Step, Syntax};
//! use gpuzoo_machine::session::{Condition, Dataflow, EventKind, Session, ShaderSession, Stop, Value};
//! # static ISA: Isa = Isa {
//! #     halves: &[],
//! #     other_fields: &[],
//! #     files: &[RegFile::new("register", "r", 2, FileKind::Temporary([0; 4]))],
//! #     slot_words: 1,
//! #     room: Room::Slots(64),
//! #     last: None,
//! #     filler: Bits::word(0),
//! #     syntax: &Syntax::PLAIN,
//! #     address: None,
//! # };
//!
//! // A machine's lowering makes this: slot 0 writes the logarithm of 0 to r1.
//! let mut b = gpuzoo_ir::Builder::default();
//! let zero = b.floats([0.0; 4]);
//! b.set_origin(Some(0));
//! let logarithm = b.map1(gpuzoo_ir::Op1::FLog, zero);
//! let r1 = Reg { file: 0, index: 1 };
//! let step = Step { writes: vec![(r1, logarithm, Mask::ALL)], ..Step::default() };
//! let lowered =
//!     Lowered { function: b.finish(), steps: vec![step], initial: vec![(r1, zero)], ..Lowered::default() };
//!
//! let run = move |_: &Program| Dataflow::run(lowered.clone(), &[], &[]);
//! let mut session = ShaderSession::new(&ISA, &Program::default(), run);
//! let infinite = Condition::Event(EventKind::Infinite);
//! assert_eq!(session.run_until(&[infinite], 100), Stop::Met(0));
//! assert_eq!((session.position(), session.total()), (1, Some(1)));
//! let minus_infinity = Value::floats([0xff80_0000; 4]);
//! assert_eq!(session.changes(0).unwrap()[0].after, minus_infinity);
//! assert!(session.back());
//! assert_eq!(session.state(0).unwrap()[0].value, Value::floats([0; 4]));
//! ```

mod shader;
pub mod trace;

pub use shader::{Dataflow, ShaderSession, VARIABLES};

use crate::computer::Files;
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::Mask;
use gpuzoo_raster::Image;
use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};

/// A name of a register: `r3`, `oPos`, `A`, `cache`. No two registers of a machine have the same.
pub type Name = Cow<'static, str>;

/// Where a value is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// A register.
    Register(Name),
    /// A byte of a memory.
    Memory(Address),
}

/// A byte of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// The [`Space`]'s name.
    pub space: &'static str,
    /// The bank that is seen there, where there are banks.
    pub bank: Option<u8>,
    /// The address.
    pub at: u32,
}

/// Bits, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Four components of 32 bits, and which of them are signed integers; the others are floats.
    Vec4(Vec4, Mask),
    /// An integer.
    Integer {
        /// Its value.
        value: u64,
        /// How many bits it has.
        bits: u8,
    },
}

impl Value {
    /// Four floats, by their bits.
    pub fn floats(bits: Vec4) -> Value {
        Value::Vec4(bits, Mask(0))
    }

    /// An integer of so many bits.
    pub fn integer(value: impl Into<u64>, bits: u8) -> Value {
        Value::Integer { value: value.into(), bits }
    }
}

/// A register and what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// Its name.
    pub name: Name,
    /// What it holds.
    pub value: Value,
    /// The components that it has: all, or x alone.
    pub components: Mask,
    /// The components that the steps so far have written; an integer is component x.
    pub written: Mask,
    /// What it is among the machine's registers, as a heading: `Inputs`, `CPU`.
    pub group: &'static str,
}

/// A write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where.
    pub cell: Cell,
    /// The components that were written, whether their value changed or not; an integer is component x.
    pub components: Mask,
    /// The whole value before the step.
    pub before: Value,
    /// The whole value after the step.
    pub after: Value,
}

/// A read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// Where.
    pub cell: Cell,
    /// The components that were used; an integer is component x.
    pub components: Mask,
    /// The whole value that the read returned.
    pub value: Value,
}

/// What comes next at some point of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The slot of a program, or the address of an instruction.
    pub at: u64,
    /// Which of the slot's instructions it is: 0, or 1 for the second.
    pub part: u8,
    /// The text that it comes from, if there is one.
    pub span: Option<Span>,
    /// The instruction as text.
    pub text: String,
}

/// An instruction as it stands in memory, whether it is run or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// What comes next where it is about to run.
    pub place: Place,
    /// Its bytes, lowest address first. Of a slot with two instructions the first one has them all.
    pub bytes: Vec<u8>,
}

/// What is worth stopping at.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// An operation on numbers gave a NaN, and it was written. (A NaN that was read and passed on is not reported again.)
    NotANumber {
        /// The register.
        register: Name,
        /// Its components.
        components: Mask,
    },
    /// A computation without infinities gave one, and it was written.
    Infinite {
        /// The register.
        register: Name,
        /// Its components.
        components: Mask,
    },
    /// The run ended here without results.
    Killed,
    /// Components were read that nothing had written.
    UndefinedRead {
        /// The register.
        register: Name,
        /// The components.
        components: Mask,
    },
    /// A constant at a computed number is not there; zeros were read.
    OutOfReach {
        /// The register that would be meant if the computed part were 0.
        register: Name,
        /// The number that was meant.
        number: i64,
    },
    /// A texture was read.
    TextureRead {
        /// The machine's number of the read, or of the unit.
        number: u8,
    },
    /// An interrupt was entered.
    Interrupt,
    /// A picture was completed.
    Frame,
    /// A register was written; a CPU's, if its value changed. Program counters do not count.
    RegisterWrite {
        /// The register.
        register: Name,
        /// The components; an integer is component x.
        components: Mask,
    },
    /// A byte of memory was written, whether its value changed or not. A device's registers count as memory of those that
    /// reach them so.
    MemoryWrite(Address),
}

/// The kinds of [`Event`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs, reason = "they are the events'")]
pub enum EventKind {
    NotANumber,
    Infinite,
    Killed,
    UndefinedRead,
    OutOfReach,
    TextureRead,
    Interrupt,
    Frame,
    RegisterWrite,
    MemoryWrite,
}

impl Event {
    /// Its kind.
    pub fn kind(&self) -> EventKind {
        match self {
            Event::NotANumber { .. } => EventKind::NotANumber,
            Event::Infinite { .. } => EventKind::Infinite,
            Event::Killed => EventKind::Killed,
            Event::UndefinedRead { .. } => EventKind::UndefinedRead,
            Event::OutOfReach { .. } => EventKind::OutOfReach,
            Event::TextureRead { .. } => EventKind::TextureRead,
            Event::Interrupt => EventKind::Interrupt,
            Event::Frame => EventKind::Frame,
            Event::RegisterWrite { .. } => EventKind::RegisterWrite,
            Event::MemoryWrite(_) => EventKind::MemoryWrite,
        }
    }
}

/// What a run goes on to, or back to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// This slot or address comes next.
    At(u64),
    /// The step before has written some of these components of this register, as [`Event::RegisterWrite`] says.
    Register(Name, Mask),
    /// The step before has written a byte of a space, at one of these addresses.
    Memory {
        /// The space's name.
        space: Name,
        /// The addresses.
        range: RangeInclusive<u32>,
    },
    /// In the step before there was such an event.
    Event(EventKind),
    /// So many steps are done.
    Step(u64),
    /// The step before has left less than so much of the stack in use, as [`Session::depth`] counts: a subroutine or an interrupt has
    /// returned. Without a stack never.
    Unwound(u64),
}

impl Condition {
    /// True if an event of the step before is what is waited for.
    pub fn is_met_by(&self, event: &Event) -> bool {
        match (self, event) {
            (Condition::Register(name, wanted), Event::RegisterWrite { register, components }) => {
                register == name && components.0 & wanted.0 != 0
            }
            (Condition::Memory { space, range }, Event::MemoryWrite(address)) => {
                address.space == space && range.contains(&address.at)
            }
            (Condition::Event(kind), event) => event.kind() == *kind,
            _ => false,
        }
    }
}

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The condition of this number is met.
    Met(usize),
    /// There are no more steps.
    Ended,
    /// So many steps were allowed.
    Limit,
}

/// A memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    /// Its name: `ram`.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// How many bytes it has.
    pub bytes: u32,
}

/// A picture, and the pixel of it that a run is about: the one that its fragment made, or the one that the beam is at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// What is seen.
    pub image: Image,
    /// Column and row from the top left; none if the pixel is not on the picture.
    pub mark: Option<(u32, u32)>,
}

/// What a session keeps of what was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The first step that can still be shown; above 0, those before it were dropped.
    pub oldest: u64,
    /// The most steps that are run again to go back to one; 0 if each state is kept. It grows where states between were
    /// dropped.
    pub rerun: u64,
    /// Bytes that are kept.
    pub bytes: usize,
}

/// A run with its past. Steps that can be shown are those from [`History::oldest`] up to the furthest that was reached, or
/// all, if [`total`](Session::total) knew them from the start; of others there is nothing to tell.
pub trait Session: Send {
    /// Steps that lead from the start to here.
    fn position(&self) -> u64;

    /// How many steps the run has, if that is known.
    fn total(&self) -> Option<u64>;

    /// What is kept of what was.
    fn history(&self) -> History;

    /// Takes a step. False at the end.
    fn step(&mut self) -> bool;

    /// Takes a step back. False at the start, or at the oldest step that is kept.
    fn back(&mut self) -> bool;

    /// Goes to a position, or as near as the run and its history allow; returns where that is.
    fn seek(&mut self, position: u64) -> u64;

    /// What comes next after so many steps; none at the end.
    fn place(&mut self, step: u64) -> Option<Place>;

    /// The registers after so many steps.
    fn state(&mut self, step: u64) -> Option<Vec<Register>>;

    /// What a step wrote. What changes by itself, such as time, is left out.
    fn changes(&mut self, step: u64) -> Option<Vec<Change>>;

    /// What a step read.
    fn reads(&mut self, step: u64) -> Option<Vec<Read>>;

    /// What was remarkable about a step.
    fn events(&mut self, step: u64) -> Option<Vec<Event>>;

    /// The memories.
    fn spaces(&self) -> &'static [Space] {
        &[]
    }

    /// The session of a shader's run, for what it has beside.
    fn shader(&self) -> Option<&ShaderSession> {
        None
    }

    /// Slots or addresses with the texts that they come from, in their order.
    fn lines(&self) -> Vec<(u64, Span)> {
        Vec::new()
    }

    /// The address that a name of the program or of the machine stands for: a label, a device's register.
    fn symbol(&self, _name: &str) -> Option<u64> {
        None
    }

    /// What the program calls an address.
    fn label(&self, _address: u64) -> Option<&str> {
        None
    }

    /// True if writes to a register are events: not of a program counter, nor of what counts or changes by itself, nor of a
    /// [variable](VARIABLES).
    fn reports(&self, _register: &str) -> bool {
        true
    }

    /// How much of the stack is in use here: a call or an interrupt adds more than 1, any other step at most 1. 0 without a stack.
    fn depth(&self) -> u64 {
        0
    }

    /// The instructions that begin at slots or addresses of a range, as memory holds them here, in their order. Where they have
    /// different lengths they are read so that one begins at `at`, if that can be.
    fn listing(&self, _range: Range<u64>, _at: u64) -> Vec<Instruction> {
        Vec::new()
    }

    /// Bytes of a memory here, without side effects; none for what is not there.
    fn peek(&self, _space: &str, _range: Range<u32>) -> Option<Vec<u8>> {
        None
    }

    /// What there is to write at the present position.
    ///
    /// # Errors
    /// Why there is not what the arguments want.
    fn files(&self) -> Result<Files, Diagnostic> {
        Ok(Files::new())
    }

    /// What a device that makes pictures shows here.
    fn picture(&self) -> Option<Picture> {
        None
    }

    /// True if a condition is met here.
    fn meets(&mut self, condition: &Condition) -> bool {
        let position = self.position();
        match condition {
            Condition::At(at) => self.place(position).is_some_and(|place| place.at == *at && place.part == 0),
            Condition::Step(step) => position == *step,
            Condition::Unwound(_) => false,
            _ => {
                let events = position.checked_sub(1).and_then(|step| self.events(step));
                events.is_some_and(|events| events.iter().any(|event| condition.is_met_by(event)))
            }
        }
    }

    /// Goes on, by at least one step and at most `limit`, until one of the conditions is met.
    fn run_until(&mut self, conditions: &[Condition], limit: u64) -> Stop {
        step_until(self, conditions, limit)
    }

    /// Goes back, by at least one step and at most `limit`, to the last place before this one where one of the conditions is
    /// met. [`Stop::Ended`] is at the oldest step that is kept.
    fn back_until(&mut self, conditions: &[Condition], limit: u64) -> Stop {
        let start = self.position();
        let oldest = self.history().oldest.max(start.saturating_sub(limit));
        // Forward through one stretch after the other, since that is what a session does fast.
        let stretch = self.history().rerun.max(LEAST_STRETCH);
        let mut end = start;
        while end > oldest {
            let begin = oldest.max((end - 1) / stretch * stretch);
            let mut last = None;
            self.seek(begin);
            while self.position() < end {
                if let Some(met) = conditions.iter().position(|condition| self.meets(condition)) {
                    last = Some((self.position(), met));
                }
                // A place that is met is looked at above, when it is known to be before the end.
                if self.run_until(conditions, end - self.position()) == Stop::Ended {
                    break;
                }
            }
            if let Some((position, met)) = last {
                self.seek(position);
                return Stop::Met(met);
            }
            end = begin;
        }
        self.seek(oldest);
        if oldest > self.history().oldest { Stop::Limit } else { Stop::Ended }
    }

    /// Gives some components of a cell another value here, whatever the program does; an integer is component x. What comes
    /// after is run again from here: what was known of it, later pokes included, is forgotten. False for what cannot be set, and for a
    /// value of another size.
    fn poke(&mut self, _cell: &Cell, _components: Mask, _value: Value) -> bool {
        false
    }
}

/// The fewest steps that [`Session::back_until`] looks through at a time.
const LEAST_STRETCH: u64 = 1 << 10;

/// [`Session::run_until`], one step after the other, for sessions that have a faster way for some conditions.
pub fn step_until<S: Session + ?Sized>(session: &mut S, conditions: &[Condition], limit: u64) -> Stop {
    for _ in 0..limit {
        if !session.step() {
            return Stop::Ended;
        }
        if let Some(met) = conditions.iter().position(|condition| session.meets(condition)) {
            return Stop::Met(met);
        }
    }
    Stop::Limit
}

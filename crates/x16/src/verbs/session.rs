//! Sessions in the words of all machines.

use super::{Program, state};
use crate::asm::{self, Labels, OPCODES};
use crate::session::{self as own, Record, Until};
use crate::{Cpu, State, Step, X16};
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_isa::Mask;
use gpuzoo_machine::computer::Files;
use gpuzoo_machine::options::arguments::Arguments;
use gpuzoo_machine::session::{
    Address, Cell, Change, Condition, Event, EventKind, History, Instruction, Picture, Place, Read, Register,
    Session, Space, Stop, Value, step_until,
};
use gpuzoo_raster::Image;
use gpuzoo_vera::{BASE, HEIGHT, Item, REGISTERS, STATE, VRAM_BYTES, WIDTH};
use std::ops::Range;

/// What the CPU reaches, and VERA's own memory.
const RAM: &str = "ram";
const VRAM: &str = "vram";
static SPACES: [Space; 2] = [
    Space { name: RAM, about: "memory as the CPU sees it, with VERA's registers at $9F20", bytes: 0x1_0000 },
    Space { name: VRAM, about: "video memory", bytes: VRAM_BYTES as u32 },
];

/// All of a value that is not a vector.
const X: Mask = Mask(1);

/// A session of the Commander X16: the CPU's registers, VERA's state by the names in [`STATE`], and two memories. A step is
/// an instruction, the entry of an interrupt, or waiting up to the next line of the picture.
///
/// ```
/// use gpuzoo_machine::session::{Condition, Session, Stop};
/// use gpuzoo_x16::MachineSession;
/// use gpuzoo_x16::{Config, X16};
///
/// let mut machine = X16::new(Config::default()).unwrap();
/// // At $0801: lda #$2A, sta DATA1, rts.
/// machine.load_at(0x0801, &[0xa9, 0x2a, 0x8d, 0x24, 0x9f, 0x60]).unwrap();
/// let mut session = MachineSession::new(machine);
/// let stored = Condition::Memory { space: "vram".into(), range: 0..=0xff };
/// assert_eq!(session.run_until(&[stored], 100), Stop::Met(0));
/// assert_eq!(session.peek("vram", 0..2), Some(vec![0x2a, 0]));
/// // The beam is still in the first line.
/// assert!(matches!(session.picture().unwrap().mark, Some((_, 0))));
/// assert!(session.back());
/// assert_eq!(session.peek("vram", 0..2), Some(vec![0, 0]));
/// assert_eq!(session.place(1).unwrap().text, "sta VERA_DATA1");
/// ```
pub struct MachineSession {
    own: own::Session,
    program: Option<Program>,
    total: Option<u64>,
}

impl Program {
    /// A run that goes forward and back.
    ///
    /// # Errors
    /// Those of [`machine`](Program::machine).
    pub fn session(&self, arguments: &Arguments) -> Result<MachineSession, Diagnostic> {
        Ok(MachineSession { program: Some(self.clone()), ..MachineSession::new(self.machine(arguments)?) })
    }
}

impl MachineSession {
    /// A session that starts with a machine as it is.
    pub fn new(machine: X16) -> MachineSession {
        MachineSession { own: own::Session::new(machine), program: None, total: None }
    }

    /// A session whose snapshots take up to so many bytes.
    pub fn with_memory(machine: X16, bytes: usize) -> MachineSession {
        MachineSession { own: own::Session::with_memory(machine, bytes), program: None, total: None }
    }

    /// The machine at the present position, for what only it has: the picture, what was printed, cycles.
    pub fn machine(&self) -> &X16 {
        self.own.machine()
    }

    /// A step that was made, or the one that comes next.
    fn next(&mut self, step: u64) -> Option<Step> {
        if let Some(record) = self.own.record(step) {
            return Some(record.step.clone());
        }
        let mut machine = self.own.at(step)?;
        machine.ended().is_none().then(|| machine.step())
    }

    /// After a move: with the end the number of steps is known.
    fn moved(&mut self) {
        if self.own.ending().is_some() {
            self.total = Some(self.own.position());
        }
    }

    /// What the machine itself can run to, at full speed.
    fn until(condition: &Condition) -> Option<Until> {
        match condition {
            Condition::At(at) => Some(Until::Address(u16::try_from(*at).ok()?)),
            Condition::Memory { space, range } if space == RAM => {
                let address = |at: u32| u16::try_from(at).unwrap_or(u16::MAX);
                (*range.start() <= u16::MAX.into())
                    .then(|| Until::Write(address(*range.start())..=address(*range.end())))
            }
            Condition::Memory { space, range } if space == VRAM => Some(Until::Store(range.clone())),
            Condition::Event(EventKind::Interrupt) => Some(Until::Interrupt),
            Condition::Event(EventKind::Frame) => Some(Until::Frame),
            // Nothing else changes how much of the stack is in use.
            Condition::Unwound(_) => Some(Until::Change(own::Place::Cpu(S))),
            Condition::Register(name, _) => {
                let cpu = CPU.iter().find(|known| **known == *name).map(|name| own::Place::Cpu(name));
                let state = || Item::find(name).map(|item| own::Place::Vera(item.name));
                cpu.or_else(state).map(Until::Change)
            }
            _ => None,
        }
    }
}

fn cell(place: own::Place) -> Cell {
    let memory = |space, bank, at| Cell::Memory(Address { space, bank, at });
    match place {
        own::Place::Cpu(name) | own::Place::Vera(name) => Cell::Register(name.into()),
        own::Place::Memory(address, bank) => memory(RAM, bank, address.into()),
        own::Place::Register(register) => memory(RAM, None, u32::from(BASE) + u32::from(register)),
        own::Place::Vram(address) => memory(VRAM, None, address),
    }
}

fn value(place: own::Place, value: u32) -> Value {
    let bits = match place {
        own::Place::Cpu(PC) => 16,
        own::Place::Vera(name) => Item::find(name).map_or(32, |item| item.bits),
        _ => 8,
    };
    Value::integer(value, bits)
}

const PC: &str = "PC";
const S: &str = "S";
/// The CPU's registers but for PC, whose writes are not reported.
const CPU: [&str; 5] = ["A", "X", "Y", S, "P"];

/// What happened in a step.
pub(super) fn events(record: &Record) -> Vec<Event> {
    let mut events = Vec::new();
    events.extend(record.step.is_interrupt.then_some(Event::Interrupt));
    events.extend(record.frame.then_some(Event::Frame));
    for change in &record.changes {
        match cell(change.place) {
            Cell::Register(register) if register == PC => {}
            Cell::Register(register) => events.push(Event::RegisterWrite { register, components: X }),
            Cell::Memory(address) => events.push(Event::MemoryWrite(address)),
        }
    }
    let written = record.step.accesses.iter().filter(|access| access.kind.is_write());
    events.extend(written.filter_map(|access| match cell(own::Place::Register(access.register)) {
        Cell::Memory(address) => Some(Event::MemoryWrite(address)),
        Cell::Register(_) => None,
    }));
    events
}

impl Session for MachineSession {
    fn position(&self) -> u64 {
        self.own.position()
    }

    fn total(&self) -> Option<u64> {
        self.total
    }

    /// No step is ever lost: when the memory is full, every second snapshot goes, and there is more to run again.
    fn history(&self) -> History {
        History { oldest: 0, rerun: self.own.spacing(), bytes: self.own.memory() }
    }

    fn step(&mut self) -> bool {
        let goes = self.own.step();
        self.moved();
        goes
    }

    fn back(&mut self) -> bool {
        self.own.back()
    }

    fn seek(&mut self, position: u64) -> u64 {
        let position = self.own.seek(position);
        self.moved();
        position
    }

    /// The address is that of the instruction that would be next, also where an interrupt comes first, or the CPU waits.
    fn place(&mut self, step: u64) -> Option<Place> {
        let next = self.next(step)?;
        let dcsel = self.own.at(step).map(|machine| machine.vera().peek(0x05) >> 1);
        let text = match next.before.state {
            State::Running => match &self.program {
                Some(program) => next.text(dcsel, &program.labels),
                None => next.text(dcsel, &Labels::default()),
            },
            _ => "waiting".to_owned(),
        };
        let span = self.program.as_ref().and_then(|program| program.place(next.pc));
        Some(Place { at: next.pc.into(), part: 0, span, text })
    }

    fn state(&mut self, step: u64) -> Option<Vec<Register>> {
        let state = self.own.state(step)?;
        let register = |name: &'static str, group: &'static str, value: Value| Register {
            name: name.into(),
            value,
            components: X,
            written: X,
            group,
        };
        let Cpu { pc, a, x, y, s, p, .. } = state.cpu;
        let mut all: Vec<Register> = [("A", a), ("X", x), ("Y", y), ("S", s), ("P", p)]
            .map(|(name, byte)| register(name, "CPU", Value::integer(byte, 8)))
            .into();
        all.push(register(PC, "CPU", Value::integer(pc, 16)));
        let vera = STATE.iter().zip(&state.vera);
        all.extend(vera.map(|(item, (_, value))| {
            let group = if item.is_of_fx() { "FX" } else { "VERA" };
            register(item.name, group, Value::integer(*value, item.bits))
        }));
        all.push(register("cycle", "CPU", Value::integer(state.cycles, 64)));
        all.push(register("frame", "VERA", Value::integer(state.frame, 64)));
        Some(all)
    }

    fn changes(&mut self, step: u64) -> Option<Vec<Change>> {
        let change = |change: &own::Change| Change {
            cell: cell(change.place),
            components: X,
            before: value(change.place, change.before),
            after: value(change.place, change.after),
        };
        self.own.changes(step).map(|changes| changes.iter().map(change).collect())
    }

    fn reads(&mut self, step: u64) -> Option<Vec<Read>> {
        let read = |read: &own::Read| Read {
            cell: cell(read.place),
            components: X,
            value: value(read.place, read.value),
        };
        self.own.reads(step).map(|reads| reads.iter().map(read).collect())
    }

    fn events(&mut self, step: u64) -> Option<Vec<Event>> {
        self.own.record(step).map(events)
    }

    /// A register of the CPU, RAM, video memory, or one of VERA's registers, which is written as the CPU would.
    fn poke(&mut self, cell: &Cell, _components: Mask, value: Value) -> bool {
        let Value::Integer { value, .. } = value else { return false };
        let place = match cell {
            Cell::Register(name) => {
                let cpu = CPU.into_iter().chain([PC]).find(|known| *known == *name);
                cpu.map(own::Place::Cpu)
            }
            Cell::Memory(Address { space: VRAM, at, .. }) => Some(own::Place::Vram(*at)),
            Cell::Memory(Address { space: RAM, bank, at }) => {
                let address = u16::try_from(*at).ok();
                address.map(|address| match address.checked_sub(BASE).filter(|register| *register < 0x20) {
                    Some(register) => own::Place::Register(register as u8),
                    None => own::Place::Memory(address, *bank),
                })
            }
            Cell::Memory(_) => None,
        };
        let done =
            place.zip(u32::try_from(value).ok()).is_some_and(|(place, value)| self.own.poke(place, value));
        if done {
            self.total = None;
            self.moved();
        }
        done
    }

    fn spaces(&self) -> &'static [Space] {
        &SPACES
    }

    fn lines(&self) -> Vec<(u64, Span)> {
        let source = self.program.as_ref().and_then(|program| program.source.as_ref());
        let lines = source.into_iter().flat_map(|source| &source.lines);
        lines.map(|line| (line.address.into(), line.call.unwrap_or(line.span))).collect()
    }

    /// A label, with its scopes as the program's listing has it, a constant, which may be an address, or one of VERA's registers.
    fn symbol(&self, name: &str) -> Option<u64> {
        let source = self.program.as_ref().and_then(|program| program.source.as_ref());
        let symbols =
            || source.into_iter().flat_map(|source| &source.symbols).filter(|symbol| symbol.name == name);
        let label = symbols().find(|symbol| symbol.is_label).or_else(|| symbols().next());
        let own = name.strip_prefix("VERA_").unwrap_or(name);
        let register = || REGISTERS.iter().find(|register| register.name.eq_ignore_ascii_case(own));
        let register = || register().map(|register| register.address().into());
        label.and_then(|label| u64::try_from(label.value).ok()).or_else(register)
    }

    fn label(&self, address: u64) -> Option<&str> {
        self.program.as_ref()?.labels.at(u16::try_from(address).ok()?)
    }

    fn reports(&self, register: &str) -> bool {
        CPU.contains(&register) || Item::find(register).is_some_and(|item| !item.is_of_time())
    }

    fn depth(&self) -> u64 {
        u64::from(0xff - self.machine().cpu().s)
    }

    fn listing(&self, range: Range<u64>, at: u64) -> Vec<Instruction> {
        let dcsel = self.machine().vera().peek(0x05) >> 1;
        let end = u16::try_from(range.end).unwrap_or(u16::MAX);
        let nameless = Labels::default();
        let labels = self.program.as_ref().map_or(&nameless, |program| &program.labels);
        let from = |start: u16| {
            let mut all = Vec::new();
            let mut next = Some(start);
            while let Some(pc) = next.filter(|pc| *pc < end) {
                let bytes = [0, 1, 2].map(|offset| self.own.peek(pc.wrapping_add(offset)));
                let length = OPCODES[usize::from(bytes[0])].mode.length();
                let text = asm::instruction(bytes, pc, Some(dcsel), labels);
                let span = self.program.as_ref().and_then(|program| program.place(pc));
                let place = Place { at: pc.into(), part: 0, span, text };
                all.push(Instruction { place, bytes: bytes[..usize::from(length)].to_vec() });
                next = pc.checked_add(length.into());
            }
            all
        };
        let Ok(start) = u16::try_from(range.start) else { return Vec::new() };
        // What is before `at` may be read in three ways.
        let ways = (0..3).filter_map(|skipped| start.checked_add(skipped)).map(from);
        let fits = |all: &Vec<Instruction>| {
            all.binary_search_by_key(&at, |instruction| instruction.place.at).is_ok()
        };
        let is_inside = range.contains(&at);
        ways.into_iter().find(|all| !is_inside || fits(all)).unwrap_or_else(|| from(start))
    }

    fn peek(&self, space: &str, range: Range<u32>) -> Option<Vec<u8>> {
        match space {
            RAM if range.end <= 0x1_0000 => Some(range.map(|at| self.own.peek(at as u16)).collect()),
            VRAM => range.map(|at| self.own.peek_vram(at)).collect(),
            _ => None,
        }
    }

    fn files(&self) -> Result<Files, Diagnostic> {
        state::files(self.machine())
    }

    /// What the beam has drawn: above it this picture, below it the one before.
    fn picture(&self) -> Option<Picture> {
        let vera = self.machine().vera();
        let image = Image::from_pixels(WIDTH as u32, HEIGHT as u32, vera.picture().to_vec()).ok()?;
        let beam = (u32::from(vera.beam_x()), u32::from(vera.line()));
        Some(Picture { image, mark: Some(beam).filter(|(x, y)| *x < WIDTH as u32 && *y < HEIGHT as u32) })
    }

    fn meets(&mut self, condition: &Condition) -> bool {
        let position = self.own.position();
        match condition {
            Condition::At(at) => self.own.ending().is_none() && u64::from(self.machine().cpu().pc) == *at,
            Condition::Step(step) => position == *step,
            Condition::Unwound(depth) => {
                // Most steps are known to be others without looking at what they did.
                self.depth() < *depth && self.meets(&Condition::Register(S.into(), X))
            }
            _ => {
                let record = position.checked_sub(1).and_then(|step| self.own.record(step));
                record.is_some_and(|record| events(record).iter().any(|event| condition.is_met_by(event)))
            }
        }
    }

    fn run_until(&mut self, conditions: &[Condition], limit: u64) -> Stop {
        let untils: Option<Vec<Until>> = conditions.iter().map(MachineSession::until).collect();
        let Some(untils) = untils else { return step_until(self, conditions, limit) };
        let until = Until::Any(untils);
        let end = self.position().saturating_add(limit);
        loop {
            let stop = self.own.run_until(&until, end - self.position());
            self.moved();
            match stop {
                // What changed by itself is no write, and there is no instruction at the end.
                own::Stop::Met => match conditions.iter().position(|condition| self.meets(condition)) {
                    Some(met) => return Stop::Met(met),
                    None if self.own.ending().is_some() => return Stop::Ended,
                    None if self.position() == end => return Stop::Limit,
                    None => {}
                },
                own::Stop::Ended => return Stop::Ended,
                own::Stop::Limit => return Stop::Limit,
            }
        }
    }
}

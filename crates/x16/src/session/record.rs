//! What one step did, as data.

use crate::{Bus, Kind, Observer, State, Step, X16};
use gpuzoo_65c02::{Cpu, OPCODES};
use gpuzoo_vera::{BASE, STATE, Vera};
use std::collections::{BTreeSet, HashSet};

/// A place whose value a step reads or changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A register of the CPU: `A`, `X`, `Y`, `S`, `P` or `PC`.
    Cpu(&'static str),
    /// An address as the CPU sees it, VERA's left out; and the bank, from $A000 to $BFFF.
    Memory(u16, Option<u8>),
    /// One of VERA's 32 registers.
    Register(u8),
    /// A state of VERA by its name in [`STATE`].
    Vera(&'static str),
    /// A byte of video memory.
    Vram(u32),
}

/// A change. Writes to memory are changes even if the value is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// What changed.
    pub place: Place,
    /// Its value before the step.
    pub before: u32,
    /// Its value after the step.
    pub after: u32,
}

/// A read whose value the step used. (Reads whose value the CPU drops are in [`Step::accesses`] if VERA saw them.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    /// What was read.
    pub place: Place,
    /// What the read returned.
    pub value: u32,
}

/// What a step did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// CPU cycles since power-on, before it.
    pub cycle: u64,
    /// The instruction, its time, and its accesses of VERA in order.
    pub step: Step,
    /// True if it completed a picture.
    pub frame: bool,
    /// First the CPU's registers, then memory, video memory, and VERA's state. What changes by itself, such as the beam's
    /// place, is left out.
    pub changes: Vec<Change>,
    /// Registers of the CPU that the instruction uses, then memory and VERA's registers.
    pub reads: Vec<Read>,
}

impl Record {
    /// Lets a machine take a step.
    pub(crate) fn of(machine: &mut X16) -> Record {
        let (cycle, frames) = (machine.cycles(), machine.vera().frames());
        let state = values(machine.vera());
        let mut log = Log::new(machine);
        machine.vera_mut().watch_stores(true);
        let step = machine.observed_step(&mut log);
        let mut changes = registers(&step.before, &step.after);
        let mut known = HashSet::new();
        log.writes.retain(|(place, _)| known.insert(*place));
        for (place, before) in log.writes {
            if let Place::Memory(address, bank) = place {
                // A stand-in may have gone on to another bank.
                let after = bank.and_then(|bank| machine.peek_in(address, bank));
                let after = after.unwrap_or_else(|| machine.peek(address)).into();
                changes.push(Change { place, before, after });
            }
        }
        let mut stores: Vec<_> = machine.vera_mut().take_stores().collect();
        machine.vera_mut().watch_stores(false);
        // A stand-in may store to a place again and again; before the step is before the first time.
        let mut known = BTreeSet::new();
        stores.retain(|store| known.insert(store.address));
        for store in stores {
            let after = machine.vera().vram()[store.address as usize].into();
            changes.push(Change { place: Place::Vram(store.address), before: store.before.into(), after });
        }
        if !step.accesses.is_empty() {
            for (item, (before, after)) in STATE.iter().zip(state.into_iter().zip(values(machine.vera()))) {
                if before != after && !item.is_of_time() {
                    changes.push(Change { place: Place::Vera(item.name), before, after });
                }
            }
        }
        let mut reads = used(&step);
        reads.extend(log.reads);
        for access in step.accesses.iter().filter(|access| access.kind == Kind::Read) {
            reads.push(Read { place: Place::Register(access.register), value: access.value.into() });
        }
        Record { cycle, step, frame: machine.vera().frames() != frames, changes, reads }
    }
}

impl X16 {
    /// Gives a place another value; false if it cannot have it.
    pub(super) fn set(&mut self, place: Place, value: u32) -> bool {
        let (byte, word) = (u8::try_from(value), u16::try_from(value));
        match (place, byte, word) {
            (Place::Cpu("PC"), _, Ok(word)) => self.cpu_mut().pc = word,
            (Place::Cpu("A"), Ok(byte), _) => self.cpu_mut().a = byte,
            (Place::Cpu("X"), Ok(byte), _) => self.cpu_mut().x = byte,
            (Place::Cpu("Y"), Ok(byte), _) => self.cpu_mut().y = byte,
            (Place::Cpu("S"), Ok(byte), _) => self.cpu_mut().s = byte,
            (Place::Cpu("P"), Ok(byte), _) => self.cpu_mut().p = byte,
            (Place::Memory(address, bank), Ok(byte), _) => {
                if bank.is_some_and(|bank| bank != self.ram_bank()) {
                    return false;
                }
                self.poke(address, byte);
                return self.peek(address) == byte;
            }
            (Place::Register(register), Ok(byte), _) => self.write_register(register & 0x1f, byte),
            (Place::Vram(address), Ok(byte), _) => return self.store(address, byte),
            _ => return false,
        }
        true
    }
}

fn values(vera: &Vera) -> Vec<u32> {
    STATE.iter().map(|item| (item.get)(vera)).collect()
}

fn named(cpu: &Cpu) -> [(&'static str, u32); 6] {
    let Cpu { pc, a, x, y, s, p, .. } = *cpu;
    [("A", a.into()), ("X", x.into()), ("Y", y.into()), ("S", s.into()), ("P", p.into()), ("PC", pc.into())]
}

/// A register of the CPU by its name.
pub(super) fn register(cpu: &Cpu, name: &str) -> u32 {
    named(cpu).into_iter().find(|(known, _)| *known == name).map_or(0, |(_, value)| value)
}

fn registers(before: &Cpu, after: &Cpu) -> Vec<Change> {
    let both = named(before).into_iter().zip(named(after));
    let changed = both.filter(|((_, before), (_, after))| before != after);
    changed.map(|((name, before), (_, after))| Change { place: Place::Cpu(name), before, after }).collect()
}

/// The registers that the instruction uses; an interrupt saves P, and waiting uses none.
fn used(step: &Step) -> Vec<Read> {
    if step.before.state != State::Running && !step.is_interrupt {
        return Vec::new();
    }
    let reads: String = match step.is_interrupt {
        true => "SP".to_owned(),
        false => OPCODES[usize::from(step.bytes[0])].reads().collect(),
    };
    let read = named(&step.before).into_iter().filter(|(name, _)| reads.contains(name));
    read.map(|(name, value)| Read { place: Place::Cpu(name), value }).collect()
}

/// Notes accesses of memory.
struct Log {
    /// The instruction's own bytes, which are not operands.
    pc: u16,
    length: u16,
    reads: Vec<Read>,
    writes: Vec<(Place, u32)>,
}

impl Log {
    fn new(machine: &X16) -> Log {
        let pc = machine.cpu().pc;
        let length = OPCODES[usize::from(machine.peek(pc))].length();
        Log { pc, length: length.into(), reads: Vec::new(), writes: Vec::new() }
    }

    /// The place of an address that is not VERA's.
    fn place(bus: &Bus, address: u16) -> Option<Place> {
        let bank = (0xa000..0xc000).contains(&address).then(|| bus.ram_bank());
        (!(BASE..BASE + 0x20).contains(&address)).then_some(Place::Memory(address, bank))
    }
}

impl Observer for Log {
    fn reads(&mut self, bus: &Bus, address: u16, value: u8) {
        if address.wrapping_sub(self.pc) >= self.length
            && let Some(place) = Log::place(bus, address)
        {
            self.reads.push(Read { place, value: value.into() });
        }
    }

    fn writes(&mut self, bus: &Bus, address: u16) {
        if let Some(place) = Log::place(bus, address) {
            self.writes.push((place, bus.peek(address).into()));
        }
    }

    fn poked(&mut self, bus: &Bus, address: u16, before: u8) {
        if let Some(place) = Log::place(bus, address) {
            self.writes.push((place, before.into()));
        }
    }
}

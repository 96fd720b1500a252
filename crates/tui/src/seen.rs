//! What there is to see: of a run, until something is poked, and of the point where it is.

use gpuzoo::debug::Oddity;
use gpuzoo::debugger::Console;
use gpuzoo::debugger::command::{Command, ODD};
use gpuzoo::diag::{FileId, Sources, Span};
use gpuzoo::isa::{FileKind, Mask};
use gpuzoo::machine::session::{Cell, Condition, Event, EventKind, Name, Place, Register};
use gpuzoo::trace::Trace;
use std::collections::{BTreeMap, BTreeSet};

/// A line of a text.
pub(crate) type TextLine = (FileId, usize);

/// What is known of a run as it is, from its start to its end.
#[derive(Default)]
pub(crate) struct Facts {
    /// A shader's run.
    pub trace: Option<Trace>,
    /// The slots or addresses of each line.
    pub lines: BTreeMap<TextLine, Vec<u64>>,
    /// Steps of a shader's run in which something odd happens.
    pub odd: BTreeSet<u64>,
    /// The steps of a shader's run by the lines that they come from.
    pub steps: BTreeMap<TextLine, Vec<u64>>,
    /// The registers that a shader's run reads or writes.
    pub used: BTreeSet<Name>,
    /// Those that have a value before the first step, though they are neither inputs nor constants.
    pub given: BTreeSet<Name>,
    /// Those that are outputs.
    pub outputs: BTreeSet<Name>,
    /// Inputs and constants that nobody gives.
    pub missing: BTreeSet<Name>,
    /// The names of a memory's addresses are asked for so.
    pub is_memory: bool,
}

/// The line of a text that a span begins on; none of a file of bytes.
pub(crate) fn line_of(sources: &Sources, span: Option<Span>) -> Option<TextLine> {
    let span = span?;
    let file = sources.find(span.file).filter(|file| !file.is_binary() && !file.text().is_empty())?;
    Some((span.file, file.place(span.start).line))
}

impl Facts {
    pub fn of(console: &mut Console) -> Facts {
        let sources = console.sources().clone();
        let trace = console.trace();
        let Some(session) = console.look() else { return Facts::default() };
        let mut lines: BTreeMap<TextLine, Vec<u64>> = BTreeMap::new();
        for (at, span) in session.lines() {
            if let Some(line) = line_of(&sources, Some(span)) {
                lines.entry(line).or_default().push(at);
            }
        }
        let is_memory = !session.spaces().is_empty();
        let (mut odd, mut used) = (BTreeSet::new(), BTreeSet::new());
        let mut steps: BTreeMap<TextLine, Vec<u64>> = BTreeMap::new();
        let register = |cell| match cell {
            Cell::Register(name) => Some(name),
            Cell::Memory(_) => None,
        };
        if let Some(shader) = session.shader() {
            for (step, place) in (0..).zip(shader.places()) {
                if let Some(line) = line_of(&sources, place.span) {
                    steps.entry(line).or_default().push(step);
                }
            }
            let count = shader.steps().len() as u64;
            for step in 0..count {
                let events = session.events(step).unwrap_or_default();
                if events.iter().any(|event| ODD.contains(&event.kind())) {
                    odd.insert(step);
                }
                let read = session.reads(step).unwrap_or_default().into_iter().map(|read| read.cell);
                let written = session.changes(step).unwrap_or_default().into_iter().map(|change| change.cell);
                used.extend(read.chain(written).filter_map(register));
            }
        }
        let name = |reg: &_| trace.as_ref().map(|trace: &Trace| trace.session.name(*reg));
        let missing = trace.iter().flat_map(|trace| &trace.missing).filter_map(name).collect();
        let given = trace.iter().flat_map(|trace| &trace.session.dataflow().lowered().given);
        let given = given.filter_map(name).collect();
        let outputs = trace.iter().flat_map(|trace| &trace.outputs).filter_map(|output| name(&output.reg?));
        let outputs = outputs.collect();
        Facts { trace, lines, odd, steps, used, given, outputs, missing, is_memory }
    }

    /// True for one that has a value before the first step, and has it still.
    pub fn is_input(&self, register: &Register) -> bool {
        self.given.contains(&register.name) && register.written.is_empty()
    }

    /// What kind of register one of a shader's run is.
    pub fn kind(&self, name: &str) -> Option<FileKind> {
        let trace = self.trace.as_ref()?;
        let (reg, _) = trace.session.registers().find(|(_, known)| *known == name)?;
        Some(trace.isa.file(reg).kind)
    }
}

/// A line about the last step, and whether it tells of something odd.
pub(crate) type Told = (String, bool);

/// What there is to see at a point of a run.
#[derive(Default)]
pub(crate) struct Now {
    pub position: u64,
    pub total: Option<u64>,
    /// The next instruction; none at the end.
    pub place: Option<Place>,
    /// The line that it comes from.
    pub line: Option<TextLine>,
    /// At the end, the line of the last instruction.
    pub last_line: Option<TextLine>,
    pub is_killed: bool,
    pub registers: Vec<Register>,
    /// What the step before wrote, and whether the value changed.
    pub written: BTreeMap<Name, Mask>,
    /// The addresses that it wrote, by space.
    pub stored: Vec<(&'static str, u32)>,
    /// What it read.
    pub read: BTreeSet<Name>,
    /// About the step before.
    pub told: Vec<Told>,
    pub watches: Vec<String>,
    /// Slots and addresses at which runs stop.
    pub breaks: BTreeSet<u64>,
}

impl Now {
    pub fn of(console: &mut Console) -> Now {
        let sources = console.sources().clone();
        let told = console.carry_on(Command::Last).map(|reply| reply.text).unwrap_or_default();
        let watches = console.watched();
        let at = |condition: &Condition| match condition {
            Condition::At(at) => Some(*at),
            _ => None,
        };
        let breaks = console.breakpoints().iter().filter_map(|one| at(&one.condition)).collect();
        let Some(session) = console.look() else { return Now::default() };
        let position = session.position();
        let place = session.place(position);
        let mut now = Now {
            position,
            total: session.total(),
            line: line_of(&sources, place.as_ref().and_then(|place| place.span)),
            place,
            is_killed: session.shader().is_some_and(|shader| shader.killed()),
            registers: session.state(position).unwrap_or_default(),
            watches,
            breaks,
            ..Now::default()
        };
        let Some(last) = position.checked_sub(1) else { return now };
        if now.place.is_none() {
            now.last_line = line_of(&sources, session.place(last).and_then(|place| place.span));
        }
        let happened = session.events(last).unwrap_or_default();
        let count = happened.iter().filter(|event| is_told(event)).count();
        let lines: Vec<&str> = told.lines().collect();
        let odd = lines.len().saturating_sub(count);
        now.told =
            lines.iter().enumerate().map(|(number, line)| (line.trim().to_owned(), number >= odd)).collect();
        for change in session.changes(last).unwrap_or_default() {
            match change.cell {
                Cell::Register(name) => now.written.entry(name).or_insert(Mask(0)).0 |= change.components.0,
                Cell::Memory(address) => now.stored.push((address.space, address.at)),
            }
        }
        for read in session.reads(last).unwrap_or_default() {
            if let Cell::Register(name) = read.cell {
                now.read.insert(name);
            }
        }
        now
    }

    /// `step 2 of 5`
    pub fn count(&self) -> String {
        match self.total {
            Some(total) => format!("step {} of {total}", self.position),
            None => format!("step {}", self.position),
        }
    }

    /// The next instruction, or that there is none.
    pub fn next(&self) -> &str {
        match &self.place {
            Some(place) => &place.text,
            None if self.is_killed => "the end: killed",
            None => "the end",
        }
    }
}

/// True for what is worth a sentence about a step.
fn is_told(event: &Event) -> bool {
    !matches!(event.kind(), EventKind::RegisterWrite | EventKind::MemoryWrite | EventKind::TextureRead)
}

/// True for a component that is a NaN or infinite.
pub(crate) fn is_odd(bits: u32) -> bool {
    matches!(Oddity::of(bits), Some(Oddity::NotANumber | Oddity::Infinite))
}

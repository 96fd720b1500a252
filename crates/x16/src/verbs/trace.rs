//! What each instruction does to the CPU, on the bus, and inside VERA.

use super::run::{Registers, flags};
use super::session::events;
use super::{Program, files, limits, state};
use crate::asm::{OPCODES, instruction};
use crate::session::{Change, Place, Record, Session};
use crate::{Access, Ending, Kind, Limits, X16};
use gpuzoo_diag::{Diagnostic, Sources, json};
use gpuzoo_machine::Arguments;
use gpuzoo_machine::computer::{self, Files, TraceOptions};
use gpuzoo_vera::Register;
use serde::Serialize;
use std::fmt::Write;

/// So many steps are skipped at once.
const AHEAD: u64 = 1 << 16;

/// The pieces of a trace, one for each step and one for the end.
pub struct Steps<'a> {
    program: &'a Program,
    machine: X16,
    options: TraceOptions<'a>,
    /// Only steps that reach VERA are shown.
    of_vera: bool,
    limits: Limits,
    /// Frames and cycles at the start.
    start: (u64, u64),
    /// Steps that were made, and those that were shown.
    made: u64,
    shown: u64,
    /// How it ended, once it has.
    ending: Option<Ending>,
    over: bool,
}

impl<'a> Steps<'a> {
    /// Of a program on its machine.
    pub fn new(
        program: &'a Program,
        machine: X16,
        arguments: &Arguments,
        options: TraceOptions<'a>,
    ) -> Steps<'a> {
        let (limits, of_vera) = (limits(arguments), arguments.names("only").next().is_some());
        let start = (machine.vera().frames(), machine.cycles());
        let (made, shown, ending, over) = (0, 0, None, false);
        let mut steps =
            Steps { program, machine, options, of_vera, limits, start, made, shown, ending, over };
        steps.go_to_start();
        steps
    }

    /// Goes on at full speed where the limits are far, and step by step to them.
    fn go_to_start(&mut self) {
        while self.options.skip - self.made >= AHEAD {
            let mut session = Session::with_memory(self.machine.clone(), 0);
            let is_done = session.seek(AHEAD) == AHEAD && session.ending().is_none();
            let here = std::mem::replace(&mut self.machine, session.into_machine());
            if !is_done || self.limit().is_some() {
                self.machine = here;
                break;
            }
            self.made += AHEAD;
        }
        while self.made < self.options.skip && self.ending.is_none() {
            self.made += 1;
            let ending = self.machine.step().ending;
            self.ending = ending.or_else(|| self.limit());
        }
    }

    /// True if a step is one of those that are wanted.
    fn is_wanted(&self, record: &Record) -> bool {
        let meets = || {
            let events = events(record);
            self.options.only.iter().any(|condition| events.iter().any(|event| condition.is_met_by(event)))
        };
        (!self.of_vera || !record.step.accesses.is_empty()) && (self.options.only.is_empty() || meets())
    }

    /// The end, if the machine is at its limits.
    fn limit(&self) -> Option<Ending> {
        let (frames, cycles) = self.start;
        let frames = self.machine.vera().frames().saturating_sub(frames);
        let cycles = self.machine.cycles().saturating_sub(cycles);
        let pc = self.machine.cpu().pc;
        if self.limits.frames.is_some_and(|limit| frames >= limit) {
            return Some(Ending::Frames { frames, pc, idle: false, returned: false });
        }
        let is_spent = self.limits.most_cycles().is_some_and(|most| cycles >= most);
        is_spent.then(|| self.limits.spent(frames, cycles, pc))
    }
}

impl Iterator for Steps<'_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        if let Some(ending) = self.ending.take() {
            self.over = true;
            // What was written is not kept: it is said what it was.
            let changes = files::text(&self.machine.changes());
            return (!self.options.json).then(|| format!("{}\n{changes}", ending.text()));
        }
        let (dcsel, missed, record) = loop {
            let is_at_end = self.options.until.is_some_and(|until| self.made >= until);
            if self.over || is_at_end || self.shown == self.options.steps {
                return None;
            }
            self.made += 1;
            let dcsel = self.machine.vera().peek(0x05) >> 1;
            let missed = self.machine.missed().len();
            let record = Record::of(&mut self.machine);
            if self.is_wanted(&record) {
                break (dcsel, missed, record);
            }
            if let Some(ending) = record.step.ending.clone().or_else(|| self.limit()) {
                self.ending = Some(ending);
                return self.next();
            }
        };
        self.shown += 1;
        let missed = self.machine.missed().get(missed..).unwrap_or_default();
        let missed: String =
            missed.iter().map(|missed| format!("    not as asked for: `{}`\n", missed.name)).collect();
        self.ending = record.step.ending.clone().or_else(|| self.limit());
        let step = Traced { record, dcsel, program: self.program };
        Some(match self.options.json {
            false => step.text() + &missed,
            true => json::text(&step.line(self.options.sources)) + "\n",
        })
    }
}

impl computer::Steps for Steps<'_> {
    fn files(&self) -> Result<Files, Diagnostic> {
        state::files(&self.machine)
    }
}

/// A step of a program, and DCSEL before it, to name registers.
struct Traced<'a> {
    record: Record,
    dcsel: u8,
    program: &'a Program,
}

impl Traced<'_> {
    /// The registers that changed, as `A=2A`.
    fn registers(&self) -> String {
        let (before, after) = (&self.record.step.before, &self.record.step.after);
        let mut text = String::new();
        for (name, before, after) in [
            ("A", before.a, after.a),
            ("X", before.x, after.x),
            ("Y", before.y, after.y),
            ("S", before.s, after.s),
        ] {
            if before != after {
                let _ = write!(text, "{name}={after:02X} ");
            }
        }
        if before.p != after.p {
            let _ = write!(text, "P={}", flags(after.p));
        }
        text.trim_end().to_owned()
    }

    fn instruction(&self) -> (String, String) {
        if self.record.step.is_interrupt {
            return (String::new(), "(interrupt)".to_owned());
        }
        let length = OPCODES[usize::from(self.record.step.bytes[0])].length();
        let bytes = self.record.step.bytes.iter().take(length.into()).map(|byte| format!("{byte:02X}"));
        (
            bytes.collect::<Vec<_>>().join(" "),
            instruction(self.record.step.bytes, self.record.step.pc, Some(self.dcsel), &self.program.labels),
        )
    }

    /// What the program calls the instruction's address.
    fn label(&self) -> Option<&str> {
        self.program.labels.at(self.record.step.pc).filter(|_| !self.record.step.is_interrupt)
    }

    fn access(&self, access: &Access) -> String {
        let letter = if access.kind.is_write() { 'W' } else { 'R' };
        let odd = match access.kind {
            Kind::Read | Kind::Write => "",
            Kind::Dummy => "  the value is dropped",
            Kind::WriteBack => "  of a read-modify-write",
        };
        let name = Register::at(access.register, self.dcsel).map_or("", |register| register.name);
        format!("{letter} {:02X} {:02X}  {name}{odd}", 0x20 + access.register, access.value)
    }

    /// What changed inside VERA: name, before, after.
    fn changes(&self) -> impl Iterator<Item = (&'static str, u32, u32)> {
        let changes = self.record.changes.iter();
        changes.filter_map(|&Change { place, before, after }| match place {
            Place::Vera(name) => Some((name, before, after)),
            _ => None,
        })
    }

    /// Lines for people.
    fn text(&self) -> String {
        let (bytes, instruction) = self.instruction();
        let line = format!(
            "{:>10}  ${:04X}  {bytes:<8}  {instruction:<28}  {}",
            self.record.cycle,
            self.record.step.pc,
            self.registers()
        );
        let label = self.label().map(|label| format!("{:>12}{label}:\n", "")).unwrap_or_default();
        let mut text = format!("{label}{}\n", line.trim_end());
        for access in &self.record.step.accesses {
            let _ = writeln!(text, "{:>30}{}", "", self.access(access));
        }
        for (name, before, after) in self.changes() {
            let _ = writeln!(text, "{:>30}{name} ${before:X} -> ${after:X}", "");
        }
        text
    }

    /// The step for scripts.
    fn line<'a>(&'a self, sources: &'a Sources) -> StepLine<'a> {
        let (bytes, instruction) = self.instruction();
        let step = &self.record.step;
        let accesses = step.accesses.iter().map(|access| StepAccess {
            cycle: access.cycle,
            register: access.register,
            name: Register::at(access.register, self.dcsel).map(|register| register.name),
            write: access.kind.is_write(),
            value: access.value,
        });
        let changes = self.changes().map(|(name, before, after)| StateChange { name, before, after });
        StepLine {
            cycle: self.record.cycle,
            pc: step.pc,
            label: self.label(),
            bytes,
            instruction,
            cycles: step.cycles,
            registers: Registers::from(&step.after),
            accesses: accesses.collect(),
            changes: changes.collect(),
            place: SourceLine::of(self.program, step.pc, sources),
        }
    }
}

/// An instruction, or an interrupt, as a line for scripts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StepLine<'a> {
    /// The CPU cycle at which it begins, counted from power-on.
    pub cycle: u64,
    /// Its address.
    pub pc: u16,
    /// The program's name of the address, if it has one.
    pub label: Option<&'a str>,
    /// Its bytes in hexadecimal, with blanks between them; empty for an interrupt.
    pub bytes: String,
    /// The instruction as text; `(interrupt)` for an interrupt.
    pub instruction: String,
    /// The CPU cycles that it takes.
    pub cycles: u64,
    /// The CPU after it.
    pub registers: Registers,
    /// Its accesses to VERA.
    pub accesses: Vec<StepAccess>,
    /// The changes inside of VERA.
    pub changes: Vec<StateChange>,
    /// The line of the program's text, if it has one.
    pub place: Option<SourceLine<'a>>,
}

/// An access to a register of VERA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StepAccess {
    /// Its CPU cycle, counted from power-on.
    pub cycle: u64,
    /// The register, an offset from $9F20.
    pub register: u8,
    /// The register's name, if one is there.
    pub name: Option<&'static str>,
    /// True for a write, false for a read.
    pub write: bool,
    /// The value that was written or read.
    pub value: u8,
}

/// A change of VERA's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StateChange {
    /// The name of the state.
    pub name: &'static str,
    /// Its bits before the instruction.
    pub before: u32,
    /// Its bits after the instruction.
    pub after: u32,
}

/// A line of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SourceLine<'a> {
    /// The file's name.
    pub file: &'a str,
    /// The line, from 1.
    pub line: usize,
}

impl<'a> SourceLine<'a> {
    /// The line of the instruction at an address.
    pub(super) fn of(program: &Program, pc: u16, sources: &'a Sources) -> Option<SourceLine<'a>> {
        let span = program.place(pc)?;
        let file = sources.find(span.file)?;
        Some(SourceLine { file: file.name(), line: file.place(span.start).line })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value as Json, json};

    /// `lda #` takes 2 cycles and an absolute `sta` 4. ADDRx_H's bits 7:4 are the increment's code, of which 1 is 1.
    #[test]
    fn lines_by_hand() {
        let prg = [0x01, 0x08, 0xa9, 0x10, 0x8d, 0x22, 0x9f, 0x8d, 0x23, 0x9f, 0x60];
        let program = Program::prg(&prg);
        let sources = Sources::default();
        let lines = |skip, json| -> Vec<String> {
            let machine = program.machine(&Arguments::default()).unwrap();
            let options =
                TraceOptions { skip, steps: 3, until: None, only: Vec::new(), json, sources: &sources };
            Steps::new(&program, machine, &Arguments::default(), options).collect()
        };
        let [load, high, data] = &lines(0, false)[..] else { panic!() };
        let columns = |text: &str| {
            text.split("  ")
                .map(str::trim)
                .filter(|part| !part.is_empty())
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(columns(load), ["0", "$0801", "A9 10", "lda #$10", "A=10"]);
        let stored = [
            "2",
            "$0803",
            "8D 22 9F",
            "sta VERA_ADDRx_H",
            "W 22 10",
            "ADDRx_H",
            "ADDR0 $1B0A0 -> $B0A0",
            "ADDR0_H $11 -> $10",
        ];
        assert_eq!(columns(high), stored);
        assert_eq!(
            columns(data),
            ["6", "$0806", "8D 23 9F", "sta VERA_DATA0", "W 23 10", "DATA0", "ADDR0 $B0A0 -> $B0A1"]
        );
        // Three lines and the end, of which two are skipped.
        assert_eq!(lines(2, false)[0], *data);
        let json: Json = serde_json::from_str(&lines(1, true)[0]).unwrap();
        assert_eq!((&json["cycle"], &json["cycles"], &json["pc"]), (&2.into(), &4.into(), &0x0803.into()));
        // Cycles so far: 2 of the instruction before, and this one's 4, of which the write is the last.
        let access = json!({ "cycle": 6, "register": 2, "name": "ADDRx_H", "write": true, "value": 16 });
        assert_eq!(json["accesses"], json!([access]));
        let changes = json!([{ "name": "ADDR0", "before": 0x1_b0a0, "after": 0xb0a0 }, { "name": "ADDR0_H", "before": 17, "after": 16 }]);
        assert_eq!(json["changes"], changes);
    }
}

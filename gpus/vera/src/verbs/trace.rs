//! What each instruction does to the CPU, on the bus, and inside VERA.

use super::Program;
use super::run::flags;
use crate::Register;
use crate::asm::{OPCODES, instruction};
use crate::session::{Change, Place, Record};
use crate::x16::{Access, Ending, Kind, Limits, X16};
use gpuzoo_diag::Sources;
use gpuzoo_machine::computer::TraceOptions;
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// The pieces of a trace, one for each step and one for the end.
pub struct Steps<'a> {
    program: &'a Program,
    machine: X16,
    options: TraceOptions<'a>,
    limits: Limits,
    /// Frames and cycles at the start.
    start: (u64, u64),
    /// Steps that were shown.
    shown: u64,
    /// How it ended, once it has.
    ending: Option<Ending>,
    over: bool,
}

impl<'a> Steps<'a> {
    /// Of a program on its machine.
    pub fn new(program: &'a Program, machine: X16, limits: Limits, options: TraceOptions<'a>) -> Steps<'a> {
        let start = (machine.vera().frames(), machine.cycles());
        let mut steps =
            Steps { program, machine, options, limits, start, shown: 0, ending: None, over: false };
        for _ in 0..options.skip {
            let ending = steps.machine.step().ending;
            steps.ending = ending.or_else(|| steps.limit());
            if steps.ending.is_some() {
                break;
            }
        }
        steps
    }

    /// The end, if the machine is at its limits.
    fn limit(&self) -> Option<Ending> {
        let (frames, cycles) = self.start;
        let frames = self.machine.vera().frames().saturating_sub(frames);
        let cycles = self.machine.cycles().saturating_sub(cycles);
        let pc = self.machine.cpu().pc;
        if self.limits.frames.is_some_and(|limit| frames >= limit) {
            return Some(Ending::Frames { frames, pc, idle: false });
        }
        self.limits.cycles.is_some_and(|limit| cycles >= limit).then_some(Ending::Cycles { cycles, pc })
    }
}

impl Iterator for Steps<'_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        if let Some(ending) = self.ending.take() {
            self.over = true;
            return (!self.options.json).then(|| format!("{}\n", ending.text()));
        }
        if self.over || self.shown == self.options.steps {
            return None;
        }
        self.shown += 1;
        let dcsel = self.machine.vera().peek(0x05) >> 1;
        let record = Record::of(&mut self.machine);
        self.ending = record.step.ending.clone().or_else(|| self.limit());
        let step = Traced { record, dcsel };
        Some(match self.options.json {
            false => step.text(),
            true => format!("{}\n", step.json(self.program, self.options.sources)),
        })
    }
}

/// A step, and DCSEL before it, to name registers.
struct Traced {
    record: Record,
    dcsel: u8,
}

impl Traced {
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
            instruction(self.record.step.bytes, self.record.step.pc, Some(self.dcsel)),
        )
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
        let mut text = format!("{}\n", line.trim_end());
        for access in &self.record.step.accesses {
            let _ = writeln!(text, "{:>30}{}", "", self.access(access));
        }
        for (name, before, after) in self.changes() {
            let _ = writeln!(text, "{:>30}{name} ${before:X} -> ${after:X}", "");
        }
        text
    }

    /// An object for scripts; `place` is the source line, if there is one.
    fn json(&self, program: &Program, sources: &Sources) -> Json {
        let (bytes, instruction) = self.instruction();
        let after = &self.record.step.after;
        let accesses = self.record.step.accesses.iter().map(|access| {
            json!({
                "cycle": access.cycle,
                "register": access.register,
                "name": Register::at(access.register, self.dcsel).map(|register| register.name),
                "write": access.kind.is_write(),
                "value": access.value,
            })
        });
        let changes = self.changes();
        let changes =
            changes.map(|(name, before, after)| json!({ "name": name, "before": before, "after": after }));
        let place = program.place(self.record.step.pc).map(|span| {
            let file = sources.find(span.file);
            file.map(|file| json!({ "file": file.name(), "line": file.place(span.start).line }))
        });
        json!({
            "cycle": self.record.cycle,
            "pc": self.record.step.pc,
            "bytes": bytes,
            "instruction": instruction,
            "cycles": self.record.step.cycles,
            "registers": { "a": after.a, "x": after.x, "y": after.y, "s": after.s, "p": after.p, "pc": after.pc },
            "accesses": accesses.collect::<Vec<_>>(),
            "changes": changes.collect::<Vec<_>>(),
            "place": place,
        })
    }
}

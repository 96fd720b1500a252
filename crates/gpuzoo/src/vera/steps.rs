//! `trace` for VERA: what each instruction does to the CPU, on the bus, and inside VERA.

use crate::vera::program::Program;
use crate::vera::run::flags;
use gpuzoo_diag::Sources;
use gpuzoo_vera::asm::{OPCODES, instruction};
use gpuzoo_vera::x16::{Access, Ending, Kind, Limits, Step, X16};
use gpuzoo_vera::{Register, STATE, Vera};
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// A step with what it changed.
#[non_exhaustive]
pub struct Traced {
    /// CPU cycles before it.
    pub cycle: u64,
    /// What happened.
    pub step: Step,
    /// VERA's state that changed: name, before, after.
    pub changes: Vec<(&'static str, u32, u32)>,
    /// DCSEL before it, to name registers.
    dcsel: u8,
}

fn state(vera: &Vera) -> Vec<u32> {
    STATE.iter().map(|item| (item.get)(vera)).collect()
}

/// One instruction.
pub fn step(machine: &mut X16) -> Traced {
    let cycle = machine.cycles();
    let before = state(machine.vera());
    let dcsel = machine.vera().peek(0x05) >> 1;
    let step = machine.step();
    let mut changes = Vec::new();
    if !step.accesses.is_empty() {
        let after = state(machine.vera());
        for (item, (before, after)) in STATE.iter().zip(before.into_iter().zip(after)) {
            if before != after && !item.is_of_time() {
                changes.push((item.name, before, after));
            }
        }
    }
    Traced { cycle, step, changes, dcsel }
}

/// The end of a run of single steps that began at so many frames and cycles, if it is at its limits.
pub fn limit(machine: &X16, (frames, cycles): (u64, u64), limits: &Limits) -> Option<Ending> {
    let frames = machine.vera().frames().saturating_sub(frames);
    let cycles = machine.cycles().saturating_sub(cycles);
    let pc = machine.cpu().pc;
    if limits.frames.is_some_and(|limit| frames >= limit) {
        return Some(Ending::Frames { frames, pc, idle: false });
    }
    limits.cycles.is_some_and(|limit| cycles >= limit).then_some(Ending::Cycles { cycles, pc })
}

impl Traced {
    /// The registers that changed, as `A=2A`.
    fn registers(&self) -> String {
        let (before, after) = (&self.step.before, &self.step.after);
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
        if self.step.is_interrupt {
            return (String::new(), "(interrupt)".to_owned());
        }
        let length = OPCODES[usize::from(self.step.bytes[0])].length();
        let bytes = self.step.bytes.iter().take(length.into()).map(|byte| format!("{byte:02X}"));
        (bytes.collect::<Vec<_>>().join(" "), instruction(self.step.bytes, self.step.pc, Some(self.dcsel)))
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

    /// Lines for people.
    pub fn text(&self) -> String {
        let (bytes, instruction) = self.instruction();
        let line = format!(
            "{:>10}  ${:04X}  {bytes:<8}  {instruction:<28}  {}",
            self.cycle,
            self.step.pc,
            self.registers()
        );
        let mut text = format!("{}\n", line.trim_end());
        for access in &self.step.accesses {
            let _ = writeln!(text, "{:>30}{}", "", self.access(access));
        }
        for (name, before, after) in &self.changes {
            let _ = writeln!(text, "{:>30}{name} ${before:X} -> ${after:X}", "");
        }
        text
    }

    /// An object for scripts; `place` is the source line, if there is one.
    pub fn json(&self, program: &Program, sources: &Sources) -> Json {
        let (bytes, instruction) = self.instruction();
        let after = &self.step.after;
        let accesses = self.step.accesses.iter().map(|access| {
            json!({
                "cycle": access.cycle,
                "register": access.register,
                "name": Register::at(access.register, self.dcsel).map(|register| register.name),
                "write": access.kind.is_write(),
                "value": access.value,
            })
        });
        let changes = self
            .changes
            .iter()
            .map(|(name, before, after)| json!({ "name": name, "before": before, "after": after }));
        let place = program.place(self.step.pc).map(|span| {
            let file = sources.get(span.file);
            json!({ "file": file.name(), "line": file.place(span.start).line })
        });
        json!({
            "cycle": self.cycle,
            "pc": self.step.pc,
            "bytes": bytes,
            "instruction": instruction,
            "cycles": self.step.cycles,
            "registers": { "a": after.a, "x": after.x, "y": after.y, "s": after.s, "p": after.p, "pc": after.pc },
            "accesses": accesses.collect::<Vec<_>>(),
            "changes": changes.collect::<Vec<_>>(),
            "place": place,
        })
    }
}

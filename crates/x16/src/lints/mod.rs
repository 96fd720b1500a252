//! Lints: misuse of VERA, seen while a program runs.
//!
//! A lint is about what the program does, not about what it looks like, so that each has a place, a cycle and a
//! register, and code that never runs has none. What is found is kept once for each rule and instruction, and counted.

mod memory;
mod rules;
mod scanline;

pub(crate) use memory::Memory;
pub use rules::CODES;
pub(crate) use rules::UNWRITTEN;

use crate::asm::{Labels, instruction};
use crate::{Access, Kind};
use gpuzoo_diag::{Code, Diagnostic, Span};
use gpuzoo_vera::{Access as Allowed, Mode, PORT1, REGISTERS, Register, SHADOWS, VRAM_MASK, Vera};
use memory::Byte;
use rules::{ACCUMULATOR, BANK, HANDLER, NEGATIVE, READ_ONLY, SCANLINE, TOO_FAST, TWICE, WRITE_ONLY};
use std::collections::BTreeMap;

/// The most different findings; more are counted.
pub const MAX_FINDINGS: usize = 1000;
/// CPU cycles in which an affine look-up is surely done (vera spec section 4).
const SETTLED: u64 = 4;

/// DCSEL of FX_CTRL and FX_MULT, and of the cache.
const BANK_CONTROL: u8 = 2;
const BANK_CACHE: u8 = 6;

/// The instruction that makes an access.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub pc: u16,
    pub bytes: [u8; 3],
}

/// A rule that an instruction broke.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule.
    pub code: &'static Code,
    /// The instruction's address.
    pub pc: u16,
    /// Its bytes; the opcode says how many belong to it.
    pub bytes: [u8; 3],
    /// DCSEL at that time, before the access.
    pub dcsel: u8,
    /// CPU cycles since power-on when it happened first.
    pub cycle: u64,
    /// The register's name, as DCSEL was; `memory` if it is about that.
    pub register: &'static str,
    /// What happened.
    pub message: String,
    /// How often.
    pub count: u64,
}

impl Finding {
    /// As a warning. `place` finds the source line of an address; where there is none, the message shows the
    /// instruction, with the names of `labels`.
    pub fn diagnostic(&self, place: &dyn Fn(u16) -> Option<Span>, labels: &Labels) -> Diagnostic {
        let times = if self.count == 1 { String::new() } else { format!(", {} times", self.count) };
        let note = format!("at ${:04X}, first in cycle {}{times}", self.pc, self.cycle);
        match place(self.pc) {
            Some(span) => Diagnostic::warning(self.code, self.message.clone()).label(span, "").note(note),
            None => {
                let text = instruction(self.bytes, self.pc, Some(self.dcsel), labels);
                let message = format!("${:04X} `{text}`: {}", self.pc, self.message);
                Diagnostic::warning(self.code, message).note(note)
            }
        }
    }
}

/// Looks at each access before VERA does.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Lints {
    findings: Vec<Finding>,
    /// Where each is, by its address and code.
    known: BTreeMap<(u16, &'static str), usize>,
    /// How often something was found that is not among them.
    left_out: u64,
    /// Interrupts that are not over.
    depth: u32,
    /// The handler has written FX_CTRL.
    handler_set_fx: bool,
    /// The cycle of the last affine look-up.
    aimed: Option<u64>,
    touched: Option<Touch>,
    /// The place of video memory whose byte the last read of a data port returned.
    fetched: Option<u32>,
    /// The registers of banks that instructions name in the program's text, by address.
    named: Vec<(u16, &'static Register)>,
}

/// The last access of a data port.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Touch {
    pc: u16,
    register: u8,
    cycle: u64,
    /// How many accesses of the instruction it follows, itself included.
    count: u8,
}

impl Touch {
    fn is_followed_by(&self, pc: u16, register: u8, cycle: u64) -> bool {
        self.pc == pc && self.register == register && cycle.wrapping_sub(self.cycle) == 1
    }
}

impl Lints {
    pub(crate) fn new(mut named: Vec<(u16, &'static Register)>) -> Lints {
        named.sort_by_key(|(pc, _)| *pc);
        Lints { named, ..Lints::default() }
    }

    pub(crate) fn findings(&self) -> &[Finding] {
        &self.findings
    }

    pub(crate) fn left_out(&self) -> u64 {
        self.left_out
    }

    pub(crate) fn interrupted(&mut self, enters: bool) {
        self.depth = if enters { self.depth.saturating_add(1) } else { self.depth.saturating_sub(1) };
        self.handler_set_fx = false;
    }

    pub(crate) fn access(&mut self, vera: &Vera, access: &Access, place: Place) {
        let seen = Seen { vera, access, place, name: name(access, vera.dcsel()) };
        self.rights(&seen);
        self.bank(&seen);
        self.accumulator(&seen);
        match access.register {
            0x03 | 0x04 => self.data(&seen),
            0x09 if vera.dcsel() == BANK_CONTROL && access.kind.is_write() => self.handler_set_fx = true,
            _ => {}
        }
        if seen.aims() {
            self.aimed = Some(access.cycle);
        }
    }

    /// The text names a register of another bank than DCSEL chooses.
    fn bank(&mut self, seen: &Seen) {
        let at = self.named.binary_search_by_key(&seen.place.pc, |(pc, _)| *pc);
        let Some((_, named)) = at.ok().and_then(|at| self.named.get(at)) else { return };
        let (Some(bank), dcsel) = (named.dcsel, seen.vera.dcsel()) else { return };
        if named.number == seen.access.register && bank != dcsel {
            let message =
                format!("{} is at DCSEL {bank}, but DCSEL is {dcsel}: this is {}", named.name, seen.name);
            self.add(&BANK, seen, message);
        }
    }

    fn rights(&mut self, seen: &Seen) {
        let Access { register, kind, .. } = *seen.access;
        let allowed = Register::at(register, seen.vera.dcsel()).map(|register| register.access);
        match (kind, allowed) {
            (Kind::Read, Some(Allowed::WriteOnly)) => {
                self.add(
                    &WRITE_ONLY,
                    seen,
                    format!("{} is write-only: the read returns something else", seen.name),
                );
            }
            (Kind::Write | Kind::WriteBack, Some(Allowed::ReadOnly)) => {
                self.add(&READ_ONLY, seen, format!("{} is read-only: the write is lost", seen.name));
            }
            (Kind::Write | Kind::WriteBack, None) => {
                let message = format!(
                    "there is no register ${:04X} at DCSEL {}: the write is lost",
                    gpuzoo_vera::BASE + u16::from(register),
                    seen.vera.dcsel()
                );
                self.add(&READ_ONLY, seen, message);
            }
            _ => {}
        }
    }

    fn accumulator(&mut self, seen: &Seen) {
        if !seen.vera.fx().accumulator_known && seen.uses_accumulator() {
            let message = format!("{} uses the accumulator, which has not been reset", seen.name);
            self.add(&ACCUMULATOR, seen, message);
        }
    }

    fn data(&mut self, seen: &Seen) {
        let Access { register, kind, cycle, .. } = *seen.access;
        let fx = seen.vera.fx();
        let port = &seen.vera.ports()[usize::from(register == 0x04)];
        self.fetched = (kind == Kind::Read).then_some(port.address & VRAM_MASK);
        // An instruction's accesses are a cycle apart.
        let before = self.touched.filter(|touch| touch.is_followed_by(seen.place.pc, register, cycle));
        let count = before.map_or(1, |touch| touch.count.saturating_add(1));
        self.touched = Some(Touch { pc: seen.place.pc, register, cycle, count });
        if count == 2 {
            self.add(&TWICE, seen, format!("the instruction touches {} more than once", seen.name));
        }
        if self.depth > 0 && !self.handler_set_fx && fx.control != 0 {
            let message =
                format!("the interrupt handler uses {} while FX_CTRL is ${:02X}", seen.name, fx.control);
            self.add(&HANDLER, seen, message);
        }
        if fx.mode == Mode::Affine && self.aimed.is_some_and(|aimed| cycle.wrapping_sub(aimed) < SETTLED) {
            let message = format!("{} is used less than four cycles after an affine look-up", seen.name);
            self.add(&TOO_FAST, seen, message);
        }
        if kind.is_write() && register == 0x04 && fx.mode == Mode::Polygon && !seen.vera.pokes(PORT1) {
            // Bits 9:8 of the length are bits 7:6 of the high register; 11 is a length below 0.
            if seen.vera.fill_length().high >> 6 == 3 {
                let message = "a polygon line is drawn though its length is negative".to_owned();
                self.add(&NEGATIVE, seen, message);
            }
        }
    }

    /// Takes over what was found between instructions. To be called again, with all of it, after each run.
    pub(crate) fn memory(&mut self, memory: &Memory) {
        let unwritten = memory.found().map(|found| {
            let byte = match found.byte {
                Byte::Ram(address) => format!("${address:04X}"),
                Byte::Vram(address) => format!("${address:05X} of video memory"),
            };
            let message = format!("{byte} is read, and nothing has written it");
            let Place { pc, bytes } = found.place;
            let (code, dcsel, cycle) = (&UNWRITTEN, found.dcsel, found.cycle);
            Finding { code, pc, bytes, dcsel, cycle, register: "memory", message, count: found.count }
        });
        let compared = memory.scanline.found().map(|found| {
            let message = format!(
                "SCANLINE is ${:02X} in the line of the interrupt, and ${:04X} asks whether it is IRQLINE, ${:02X}",
                found.value, found.at, found.line as u8
            );
            let Place { pc, bytes } = found.place;
            let (code, dcsel, cycle) = (&SCANLINE, found.dcsel, found.cycle);
            Finding { code, pc, bytes, dcsel, cycle, register: "SCANLINE_L", message, count: found.count }
        });
        let all: Vec<Finding> = unwritten.chain(compared).collect();
        for finding in all {
            let known = self.known.get(&(finding.pc, finding.code.id)).copied();
            self.find(known, finding);
        }
    }

    fn add(&mut self, code: &'static Code, seen: &Seen, message: String) {
        let Place { pc, bytes } = seen.place;
        let (cycle, register, dcsel) = (seen.access.cycle, seen.name, seen.vera.dcsel());
        let known = self.known.get(&(pc, code.id)).copied();
        let before = known.and_then(|at| self.findings.get(at)).map_or(0, |finding| finding.count);
        self.find(known, Finding { code, pc, bytes, dcsel, cycle, register, message, count: before + 1 });
    }

    /// Keeps a finding, or the new count of one that is known.
    fn find(&mut self, known: Option<usize>, finding: Finding) {
        if let Some(known) = known.and_then(|at| self.findings.get_mut(at)) {
            known.count = finding.count;
        } else if self.findings.len() >= MAX_FINDINGS {
            self.left_out += 1;
        } else {
            self.known.insert((finding.pc, finding.code.id), self.findings.len());
            self.findings.push(finding);
        }
    }
}

/// The register's name. Where reading and writing are two registers, the table has that of reading last.
pub(crate) fn name(access: &Access, dcsel: u8) -> &'static str {
    let is_here = |register: &&Register| {
        register.number == access.register && register.dcsel.is_none_or(|own| own == dcsel)
    };
    let register = if access.kind.is_write() {
        REGISTERS.iter().find(is_here)
    } else {
        REGISTERS.iter().rev().find(is_here)
    };
    register.map_or("no register", |register| register.name)
}

/// An access, and what is around it.
struct Seen<'a> {
    vera: &'a Vera,
    access: &'a Access,
    place: Place,
    name: &'static str,
}

impl Seen<'_> {
    /// The access makes the affine helper compute ADDR1 (vera spec sections 8.2 and 8.3).
    fn aims(&self) -> bool {
        let Access { register, kind, value, .. } = *self.access;
        let fx = self.vera.fx();
        match (register, self.vera.dcsel()) {
            (0x04, _) => fx.mode == Mode::Affine,
            (0x09..=0x0c, 4) => fx.mode == Mode::Affine && kind.is_write(),
            (0x09, 2) => kind.is_write() && value & 3 == 3 && fx.aim_pending,
            _ => false,
        }
    }

    /// The access accumulates, or stores a sum.
    fn uses_accumulator(&self) -> bool {
        let Access { register, kind, value, .. } = *self.access;
        let fx = self.vera.fx();
        match (register, self.vera.dcsel()) {
            // FX_MULT: the bits of the same write count, and a reset wins.
            (0x0c, BANK_CONTROL) => kind.is_write() && value & 0xd0 == 0x50,
            (0x0a, BANK_CACHE) => !kind.is_write() && fx.multiplier,
            (0x03 | 0x04, _)
                if kind.is_write() && fx.multiplier && fx.cache_write && !fx.one_byte_cycling =>
            {
                let port = usize::from(register == 0x04);
                let masked = !fx.transparent && value == 0xff;
                !masked && !self.vera.pokes(port) && self.vera.ports()[port].address < SHADOWS
            }
            _ => false,
        }
    }
}

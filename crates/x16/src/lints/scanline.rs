//! Handlers that look whether SCANLINE is IRQLINE. In the line of the interrupt it is one more (vera spec section 2), so that they never
//! find it; emulators show the line itself.

use super::Place;
use crate::Bus;
use gpuzoo_65c02::{Cpu, Mode, OPCODES};
use gpuzoo_vera::Deviation;
use std::collections::BTreeMap;

/// The most instructions that are looked at behind the read.
const FAR: usize = 16;

/// A comparison that never holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Compared {
    /// The instruction that reads SCANLINE.
    pub place: Place,
    /// The one that compares.
    pub at: u16,
    /// IRQLINE, and what SCANLINE_L was.
    pub line: u16,
    pub value: u8,
    pub dcsel: u8,
    pub cycle: u64,
    pub count: u64,
}

/// Those that were found, by the address of the instruction that reads.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Comparisons {
    /// What was read in the instruction that runs.
    read: Option<u8>,
    found: BTreeMap<u16, Compared>,
}

impl Comparisons {
    pub(crate) fn found(&self) -> impl Iterator<Item = &Compared> {
        self.found.values()
    }

    /// A read of SCANLINE_L, which counts in a handler, in the line of the LINE interrupt.
    pub(crate) fn read(&mut self, bus: &Bus, value: u8) {
        let handles =
            bus.watch.as_ref().and_then(|watch| watch.lints.as_ref()).is_some_and(|lints| lints.depth > 0);
        let is_next = value == (bus.vera.irq_line() as u8).wrapping_add(1);
        let never_holds =
            is_next && bus.vera.is_in_irq_line() && !bus.vera.deviations().has(Deviation::ScanlineIsLine);
        self.read = (handles && never_holds).then_some(value);
    }

    /// The instruction that has read it is over: looks at what comes next.
    pub(crate) fn follow(&mut self, cpu: &Cpu, bus: &Bus) {
        let Some(value) = self.read.take() else { return };
        let pc = bus.pc;
        let bytes = [0, 1, 2].map(|offset| bus.peek(pc.wrapping_add(offset)));
        let (line, opcode) = (bus.vera.irq_line(), &OPCODES[usize::from(bytes[0])]);
        let equal = |held: u8| (held == line as u8 && decides(bus, cpu.pc).is_some()).then_some(pc);
        let at = match opcode.mnemonic {
            "cmp" => equal(cpu.a),
            "cpx" => equal(cpu.x),
            "cpy" => equal(cpu.y),
            "lda" => compared(bus, cpu.pc, "cmp"),
            "ldx" => compared(bus, cpu.pc, "cpx"),
            "ldy" => compared(bus, cpu.pc, "cpy"),
            _ => None,
        };
        let Some(at) = at else { return };
        let (place, dcsel, cycle) = (Place { pc, bytes }, bus.vera.dcsel(), bus.cycles);
        let found = Compared { place, at, line, value, dcsel, cycle, count: 0 };
        self.found.entry(pc).or_insert(found).count += 1;
    }
}

/// Where a program goes on that has compared two different numbers, if it asks whether they are equal.
fn decides(bus: &Bus, at: u16) -> Option<u16> {
    let (target, next) = (bus.peek(at.wrapping_add(1)), at.wrapping_add(2));
    match OPCODES[usize::from(bus.peek(at))].mnemonic {
        "beq" => Some(next),
        "bne" => Some(next.wrapping_add_signed((target as i8).into())),
        _ => None,
    }
}

/// The instruction that compares what was read with IRQLINE for equality.
fn compared(bus: &Bus, mut at: u16, compares: &str) -> Option<u16> {
    for _ in 0..FAR {
        let byte = |offset: u16| bus.peek(at.wrapping_add(offset));
        let opcode = &OPCODES[usize::from(byte(0))];
        let next = at.wrapping_add(opcode.length().into());
        match opcode.mnemonic {
            "sta" | "stx" | "sty" | "stz" | "nop" | "pha" | "phx" | "phy" | "clc" | "sec" => at = next,
            own if own == compares || own == "eor" && compares == "cmp" => {
                let operand = match opcode.mode {
                    Mode::Immediate => byte(1),
                    Mode::Zp => bus.peek(byte(1).into()),
                    Mode::Abs => bus.peek(u16::from_le_bytes([byte(1), byte(2)])),
                    _ => return None,
                };
                let goes_on = decides(bus, next)?;
                if operand == bus.vera.irq_line() as u8 {
                    return Some(at);
                }
                // Another line's: a handler of several. What EOR leaves is no line any more.
                if own == "eor" {
                    return None;
                }
                at = goes_on;
            }
            _ => return None,
        }
    }
    None
}

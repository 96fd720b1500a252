//! The KERNAL's routines for text.

use super::editor::Editor;
use super::variables;
use crate::board::bus::{Bus, MAX_OUTPUT};
use gpuzoo_65c02::Cpu;
use gpuzoo_65c02::status::{CARRY, MASK};

/// CHROUT: prints A. As the KERNAL's, it allows interrupts.
pub(super) fn chrout(bus: &mut Bus, cpu: &mut Cpu) {
    print(bus, cpu.a);
    cpu.p &= !(CARRY | MASK);
}

fn print(bus: &mut Bus, byte: u8) {
    bus.print(byte);
    Editor::new(bus).print(byte);
}

/// PRIMM: prints what stands behind the call up to a zero, and returns behind that.
pub(super) fn primm(bus: &mut Bus, cpu: &mut Cpu) {
    let mut at = bus.return_address(cpu);
    // The KERNAL's takes 255 bytes at most.
    for _ in 0..255 {
        at = at.wrapping_add(1);
        match bus.peek(at) {
            0 => break,
            byte => print(bus, byte),
        }
    }
    bus.set_return_address(cpu, at);
    cpu.p &= !(CARRY | MASK);
}

/// PLOT: with C set where the cursor is, else puts it there; X is the line, Y the column.
pub(super) fn plot(bus: &mut Bus, cpu: &mut Cpu) {
    let mut editor = Editor::new(bus);
    if cpu.p & CARRY == 0 {
        editor.go_to(cpu.x, cpu.y);
    }
    (cpu.x, cpu.y) = (editor.get(variables::LINE), editor.get(variables::COLUMN));
}

/// SCREEN: columns and lines.
pub(super) fn screen(bus: &mut Bus, cpu: &mut Cpu) {
    (cpu.x, cpu.y) = (bus.peek(variables::COLUMNS), bus.peek(variables::LINES));
}

impl Bus {
    /// Adds a byte to the text that the program has printed.
    pub(super) fn print(&mut self, byte: u8) {
        let letter = petscii(byte);
        if let Some(letter) = letter.filter(|letter| self.output.len() + letter.len_utf8() <= MAX_OUTPUT) {
            self.output.push(letter);
        }
    }
}

/// How a byte of PETSCII shows in a text: both cases of letters as capitals where the set has no others, control codes
/// not at all.
fn petscii(byte: u8) -> Option<char> {
    match byte {
        0x0d => Some('\n'),
        0x20..=0x7e => Some(byte as char),
        0xc1..=0xda => Some((byte - 0x80) as char),
        0xa0 => Some(' '),
        0..=0x1f | 0x80..=0x9f => None,
        _ => Some('\u{fffd}'),
    }
}

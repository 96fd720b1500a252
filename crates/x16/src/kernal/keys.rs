//! The keyboard: what the keys send becomes characters in a buffer of ten.

use super::answer::set_nz;
use super::editor::Editor;
use super::{files, rom};
use crate::board::bus::Bus;
use crate::input::{Key, modifier};
use gpuzoo_65c02::Cpu;
use gpuzoo_65c02::status::{CARRY, ZERO};
use gpuzoo_stored::stored;
use std::collections::VecDeque;

/// What the system management controller keeps; more is lost.
const SENT: usize = 16;
/// The KERNAL's buffer.
const BUFFER: usize = 10;
const STOP: u8 = 0x03;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Keyboard {
    /// Numbers of keys that nobody has fetched yet; bit 7 is set for those that came up.
    sent: VecDeque<u8>,
    /// Characters that no program has taken yet.
    buffer: VecDeque<u8>,
    /// What is held.
    modifiers: u8,
    /// The last character was STOP.
    is_stopped: bool,
    /// The bank of RAM that the program had chosen when a key was fetched.
    bank: u8,
}

stored! {
    Keyboard { sent, buffer, modifiers, is_stopped, bank } if |own: &Keyboard| own.sent.len() <= SENT && own.buffer.len() <= BUFFER
}

impl Keyboard {
    pub(super) fn send(&mut self, number: u8) {
        if self.sent.len() < SENT {
            self.sent.push_back(number);
        }
    }

    fn put(&mut self, character: u8) {
        if self.buffer.len() < BUFFER {
            self.buffer.push_back(character);
        }
        self.is_stopped = character == STOP;
    }

    /// Forgets what was typed.
    pub(super) fn clear(&mut self) {
        self.buffer.clear();
        self.is_stopped = false;
    }
}

impl Bus {
    /// Takes a character.
    pub(super) fn take_key(&mut self) -> Option<u8> {
        let key = self.kernal.keyboard.buffer.pop_front();
        self.show_keys();
        key
    }

    /// Tells the code at GETIN how many characters there are, and cc65's library, which looks into bank 0 of RAM for it: where the KERNAL has it
    /// since R44, and where it had it before. In a file there may always be one.
    pub(super) fn show_keys(&mut self) {
        let count = self.kernal.keyboard.buffer.len() as u8;
        self.set_cell(rom::KEYS, count | u8::from(files::is_input(self)));
        for at in [0x080a, 0x000a] {
            if let Some(byte) = self.banks.get_mut(at) {
                *byte = count;
            }
        }
    }
}

/// The next number that was sent, in A, for the handler at ($032E), which has bank 0 of RAM; Z if there is none.
pub(super) fn fetch(bus: &mut Bus, cpu: &mut Cpu) {
    cpu.a = bus.kernal.keyboard.sent.pop_front().unwrap_or(0);
    set_nz(cpu, cpu.a);
    if cpu.a != 0 {
        bus.kernal.keyboard.bank = bus.ram_bank();
        bus.poke(0, 0);
    }
}

/// What the handler has left in A.
pub(super) fn handle(bus: &mut Bus, cpu: &mut Cpu) {
    bus.poke(0, bus.kernal.keyboard.bank);
    let Some(key) = Key::new(cpu.a & 0x7f) else { return };
    let is_down = cpu.a < 0x80;
    bus.kernal.pads.key(key, is_down);
    let keyboard = &mut bus.kernal.keyboard;
    if let Some(bit) = key.modifier() {
        keyboard.modifiers = match (is_down, bit) {
            (true, modifier::CAPS) => keyboard.modifiers ^ bit,
            (false, modifier::CAPS) => keyboard.modifiers,
            (true, _) => keyboard.modifiers | bit,
            (false, _) => keyboard.modifiers & !bit,
        };
        // CAPS, which is on or off, is not held.
        let held = keyboard.modifiers & !modifier::CAPS;
        if is_down && bit != modifier::CAPS && held == modifier::SHIFT | modifier::ALT {
            Editor::new(bus).change_letters();
        }
        return;
    }
    let modifiers = keyboard.modifiers;
    let iso = Editor::new(bus).is_iso();
    if let Some(code) = key.code(modifiers, iso).filter(|_| is_down) {
        bus.kernal.keyboard.put(code);
        bus.show_keys();
    }
}

/// GETIN, where there is a character.
pub(super) fn getin(bus: &mut Bus, cpu: &mut Cpu) {
    cpu.a = bus.take_key().unwrap_or(0);
    set_nz(cpu, cpu.a);
    cpu.p &= !CARRY;
}

/// STOP: Z if the last key was STOP; then what was typed is forgotten.
pub(super) fn stop(bus: &mut Bus, cpu: &mut Cpu) {
    let is_stopped = bus.kernal.keyboard.is_stopped;
    cpu.a = if is_stopped { 0 } else { 0xff };
    set_nz(cpu, cpu.a);
    if is_stopped {
        bus.kernal.keyboard.clear();
        bus.show_keys();
    }
}

/// KBDBUF_PEEK: the next character in A, how many there are in X.
pub(super) fn peek(bus: &mut Bus, cpu: &mut Cpu) {
    let buffer = &bus.kernal.keyboard.buffer;
    cpu.a = buffer.front().copied().unwrap_or(0);
    cpu.x = buffer.len() as u8;
    cpu.p = cpu.p & !ZERO | if buffer.is_empty() { ZERO } else { 0 };
}

/// KBDBUF_GET_MODIFIERS.
pub(super) fn get_modifiers(bus: &mut Bus, cpu: &mut Cpu) {
    cpu.a = bus.kernal.keyboard.modifiers;
    set_nz(cpu, cpu.a);
}

/// KBDBUF_PUT: A is as if it were typed.
pub(super) fn put(bus: &mut Bus, cpu: &mut Cpu) {
    bus.kernal.keyboard.put(cpu.a);
    bus.show_keys();
}

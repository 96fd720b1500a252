//! Controllers: four of the SNES's, and the keyboard, which counts as one.

use crate::board::bus::Bus;
use crate::input::Key;
use gpuzoo_65c02::Cpu;
use gpuzoo_stored::stored;

/// The keys that are buttons of controller 0 (the guide's table at `joystick_get`), by number.
static KEYS: [(u8, u16); 14] = [
    (0x59, 0x0001), // →
    (0x4f, 0x0002), // ←
    (0x54, 0x0004), // ↓
    (0x53, 0x0008), // ↑
    (0x2b, 0x0010), // RETURN: START
    (0x2c, 0x0020), // SHIFT: SELECT
    (0x1f, 0x0040), // A: Y
    (0x2e, 0x0080), // Z: B
    (0x3c, 0x0080), // ALT: B
    (0x30, 0x1000), // C: R
    (0x21, 0x2000), // D: L
    (0x20, 0x4000), // S: X
    (0x2f, 0x8000), // X: A
    (0x3a, 0x8000), // CTRL: A
];

/// What a controller sends that is not there.
const ABSENT: [u8; 3] = [0xff; 3];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pads {
    /// What the buttons are now, if there is a controller.
    now: [Option<u16>; 4],
    /// What JOYSTICK_GET tells: the keyboard's first, which is there once a key was pressed.
    told: [[u8; 3]; 5],
}

stored! { Pads { now, told } }

impl Default for Pads {
    fn default() -> Pads {
        Pads { now: [None; 4], told: [ABSENT; 5] }
    }
}

/// The three bytes of buttons that are down.
fn bytes(down: u16) -> [u8; 3] {
    let [first, second] = (!down).to_le_bytes();
    [first, second | 0x0f, 0]
}

impl Pads {
    /// Which controllers are there.
    pub(super) fn connect(&mut self, there: [bool; 4]) {
        self.now = there.map(|is_there| is_there.then_some(0));
    }

    pub(super) fn hold(&mut self, controller: u8, down: u16) {
        if let Some(now) = self.now.get_mut(usize::from(controller.wrapping_sub(1))) {
            *now = Some(down);
        }
    }

    /// A key that may be a button.
    pub(super) fn key(&mut self, key: Key, is_down: bool) {
        let [first, second, there] = &mut self.told[0];
        *there = 0;
        let button = KEYS.iter().find(|(number, _)| *number == key.number()).map_or(0, |(_, button)| *button);
        for (byte, bits) in [first, second].into_iter().zip(button.to_le_bytes()) {
            *byte = if is_down { *byte & !bits } else { *byte | bits };
        }
    }
}

/// JOYSTICK_SCAN.
pub(super) fn scan(bus: &mut Bus, _: &mut Cpu) {
    let pads = &mut bus.kernal.pads;
    for (told, now) in pads.told[1..].iter_mut().zip(pads.now) {
        *told = now.map_or(ABSENT, bytes);
    }
}

/// JOYSTICK_GET: the controller in A; 0 is the keyboard.
pub(super) fn get(bus: &mut Bus, cpu: &mut Cpu) {
    let told = bus.kernal.pads.told.get(usize::from(cpu.a)).copied().unwrap_or(ABSENT);
    [cpu.a, cpu.x, cpu.y] = told;
}

//! VERA as stand-ins use it: where things are in video memory, and writing there.

use super::charset;
use super::variables::MODE;
use crate::board::bus::Bus;

/// Address of the text: 128 columns by 64 lines, of which a mode shows a part.
pub(super) const TEXT: u32 = 0x1_b000;

/// Address of its characters.
pub(super) const CHARACTERS: u32 = 0x1_f000;

pub(super) const PALETTE: u32 = 0x1_fa00;

/// The attributes of sprites.
pub(super) const SPRITES: u32 = 0x1_fc00;

/// VERA's registers.
pub(super) mod register {
    pub const ADDRESS: u8 = 0x00;
    pub const DATA0: u8 = 0x03;
    pub const CTRL: u8 = 0x05;
    pub const IEN: u8 = 0x06;
    pub const VIDEO: u8 = 0x09;
    pub const HSCALE: u8 = 0x0a;
    pub const VSCALE: u8 = 0x0b;
    pub const BORDER: u8 = 0x0c;
    /// The four edges of the window, with DCSEL 1.
    pub const WINDOW: u8 = 0x09;
    pub const LAYER_0: u8 = 0x0d;
    pub const LAYER_1: u8 = 0x14;
}

use register::{ADDRESS, CTRL, DATA0, VIDEO};

/// Aims port 0 at an address; it moves on by one with each access.
pub(super) fn aim(bus: &mut Bus, address: u32) {
    let [low, middle, high, _] = (address & 0x1_ffff).to_le_bytes();
    bus.write_for_kernal([(ADDRESS, low), (ADDRESS + 1, middle), (ADDRESS + 2, 0x10 | high)]);
}

/// Writes bytes through port 0.
pub(super) fn pour(bus: &mut Bus, bytes: impl IntoIterator<Item = u8>) {
    bus.write_for_kernal(bytes.into_iter().map(|byte| (DATA0, byte)));
}

/// Loads a set; false if there is none.
pub(super) fn characters(bus: &mut Bus, number: u8) -> bool {
    let Some(set) = charset::set(number) else { return false };
    bus.poke(MODE, bus.peek(MODE) & 0xf0 | number);
    aim(bus, CHARACTERS);
    pour(bus, set.iter().copied());
    true
}

/// VERA's registers that an interrupt must leave as they are.
pub(super) fn undisturbed(bus: &mut Bus, act: impl FnOnce(&mut Bus)) {
    let control = bus.vera.peek(CTRL);
    bus.write_for_kernal([(CTRL, 4)]);
    let fx = bus.vera.peek(VIDEO);
    bus.write_for_kernal([(VIDEO, 0), (CTRL, 0)]);
    let address = [0, 1, 2].map(|at| (ADDRESS + at, bus.vera.peek(ADDRESS + at)));
    act(bus);
    bus.write_for_kernal(address.into_iter().rev());
    bus.write_for_kernal([(CTRL, 4), (VIDEO, fx), (CTRL, control)]);
}

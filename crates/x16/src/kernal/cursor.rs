//! The cursor: it blinks while a key is awaited, and what it covers comes back.

use super::editor::Editor;
use super::variables::{BLINK, COLOR, COLOR_UNDER, COLUMN, NO_CURSOR, SHOWS, TYPED, UNDER};
use super::video::undisturbed;
use crate::board::bus::{Bus, ROM};
/// What the cursor shows in ISO mode.
const ISO_CURSOR: u8 = 0x9f;
/// LDA of an absolute address.
const LDA: u8 = 0xad;

impl Editor<'_> {
    /// A frame is over: the cursor blinks.
    fn tick(&mut self) {
        let left = self.get(BLINK).wrapping_sub(1);
        self.set(BLINK, left);
        if left != 0 {
            return;
        }
        self.set(BLINK, 20);
        if self.get(SHOWS) != 0 {
            return self.hide();
        }
        let (character, color) = self.look(self.get(COLUMN));
        self.set(UNDER, character);
        self.set(COLOR_UNDER, color);
        self.set(SHOWS, 1);
        let cursor = if self.is_iso() { ISO_CURSOR } else { character ^ 0x80 };
        self.show(self.get(COLUMN), cursor, self.get(COLOR));
    }

    /// The cursor blinks from now on.
    pub(super) fn await_key(&mut self) {
        self.set(NO_CURSOR, 0);
        self.set(TYPED, 0);
    }
}

/// A program starts at a ROM's prompt, which waits for a key: as after RETURN, the cursor is off. Other ROMs than the Commander's, which
/// PLOT tells by where it looks for the cursor, stay as they are.
pub(crate) fn leave_prompt(bus: &mut Bus) {
    let byte = |address: u16| bus.kernal_rom().get(usize::from(address.checked_sub(ROM)?)).copied();
    let plot = byte(0xfff1).zip(byte(0xfff2)).map_or(0, |(low, high)| u16::from_le_bytes([low, high]));
    let [low, high] = SHOWS.to_le_bytes();
    let code: Vec<u8> = (plot..plot.saturating_add(12)).filter_map(byte).collect();
    if code.windows(3).any(|three| three == [LDA, low, high]) {
        bus.poke(NO_CURSOR, 1);
        undisturbed(bus, |bus| Editor::new(bus).hide());
    }
}

/// VSYNC: the cursor blinks if there is one.
pub(super) fn blink(bus: &mut Bus) {
    if bus.peek(NO_CURSOR) == 0 {
        undisturbed(bus, |bus| Editor::new(bus).tick());
    }
}

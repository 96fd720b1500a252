//! The machine as the KERNAL would have left it at power-on: in the place of its ROM, in RAM, and in VERA.

use super::call::ROUTINES;
use super::memory::limits;
use super::rom::{CODE, FIRST_ENTRY, JUMPS, VECTORED, vectors};
use super::{files, screen};
use crate::board::bus::{Bus, IO, ROM, TRAP};
use gpuzoo_vera::Vera;
use std::sync::LazyLock;

/// The image, as long as [`ROUTINES`] say.
pub(crate) static IMAGE: LazyLock<Box<[u8; 0x4000]>> = LazyLock::new(|| {
    let mut image = Box::new([TRAP; 0x4000]);
    let mut put = |address: u16, bytes: &[u8]| {
        for (at, byte) in (usize::from(address - ROM)..).zip(bytes) {
            if let Some(place) = image.get_mut(at) {
                *place = *byte;
            }
        }
    };
    let own = ROUTINES.iter().map(|(address, _)| *address).filter(|address| *address > FIRST_ENTRY);
    for address in own.chain((FIRST_ENTRY..=0xffff).filter(|address| files::is_here(*address))) {
        put(address, &[TRAP, 0x60]);
    }
    for (address, bytes) in CODE {
        put(*address, bytes);
    }
    for (entry, vector, _) in VECTORED {
        let [low, high] = vector.to_le_bytes();
        put(*entry, &[0x6c, low, high]);
    }
    for (entry, code) in JUMPS {
        let [low, high] = code.to_le_bytes();
        put(*entry, &[0x4c, low, high]);
    }
    image
});

impl Bus {
    /// Contents that the KERNAL would have left in RAM and in VERA.
    pub(crate) fn set_up(&mut self) {
        if self.has_rom() {
            return;
        }
        self.ram[usize::from(ROM)..].copy_from_slice(&IMAGE[..]);
        // Bank 1 is the user's.
        (self.ram[0], self.ram[1]) = (1, 0);
        self.ram[0x0200..0x0400].fill(0);
        for (at, vector) in vectors().chain(limits()) {
            self.set_word(at, vector);
        }
        for (at, value) in files::start() {
            self.ram[usize::from(at)] = value;
        }
        screen::set_up(self);
    }

    /// The places of video memory that the KERNAL writes in [`set_up`](Bus::set_up).
    pub(crate) fn written_at_power_on(&self) -> Vec<u32> {
        let mut vera = Vera::default();
        vera.watch_stores(true);
        let mut fresh = Bus { vera, ..self.clone() };
        (fresh.watch, fresh.vera_cycles) = (None, fresh.cycles);
        screen::set_up(&mut fresh);
        fresh.vera.take_stores().map(|store| store.address).collect()
    }

    /// RAM and video memory as they may be at power-on.
    pub(crate) fn fill_randomly(&mut self, seed: u64) {
        let mut number = gpuzoo_isa::numbers(seed);
        let mut fill = |bytes: &mut [u8]| bytes.iter_mut().for_each(|byte| *byte = number(0x100) as u8);
        fill(&mut self.ram[..usize::from(IO)]);
        fill(&mut self.banks);
        fill(self.vera.vram_mut());
        fill(self.board.i2c.rtc.memory_mut());
        // The latch of the ROM's bank is reset.
        self.ram[1] = 0;
        self.set_up();
    }
}

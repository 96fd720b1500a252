//! MEMORY_DECOMPRESS: a raw block of LZSA2 (the format's description is lzsa's `BlockFormat_LZSA2.md`, version 1.4).
//!
//! A block is a list of commands: a token, literals, and a match, which is bytes that came before. Its nibbles are taken from bytes of their own,
//! the high one first. The last command's match has the length 0.

use super::memory::{Pointer, R0, R1};
use crate::board::bus::{Bus, IO};
use gpuzoo_65c02::Cpu;

/// The most that a token says of a length itself: there is more behind it.
const LITERALS: u16 = 3;
const MATCH: u16 = 7;
/// A shorter match would not be one.
const LEAST: u16 = 2;
/// What a nibble says of which a byte follows.
const LONG: u16 = 15;

/// VERA's registers: the address that CTRL chooses, CTRL, and the data port at which matches are read.
const ADDRESS: [u16; 3] = [0x9f20, 0x9f21, 0x9f22];
const CTRL: u16 = 0x9f25;
const DATA1: u16 = 0x9f24;

/// The most commands and bytes of a block, more than there is memory: what is none comes to an end.
const MOST: u32 = 1 << 18;

/// A block that is read.
struct Source<'a> {
    bus: &'a mut Bus,
    from: Pointer,
    /// The low nibble of a byte whose high one was taken.
    nibble: Option<u8>,
}

impl Source<'_> {
    fn byte(&mut self) -> u16 {
        self.bus.load_for_kernal(self.from.next()).into()
    }

    fn nibble(&mut self) -> u16 {
        match self.nibble.take() {
            Some(nibble) => nibble.into(),
            None => {
                let byte = self.byte();
                self.nibble = Some(byte as u8 & 15);
                byte >> 4
            }
        }
    }

    /// A length of which the token has said the most that it can; nothing for the end of the block.
    fn length(&mut self, token: u16) -> Option<u16> {
        let nibble = self.nibble();
        if nibble < LONG {
            return Some(token + nibble);
        }
        match token + LONG + self.byte() {
            256 => None,
            257.. => Some(self.byte() | self.byte() << 8),
            length => Some(length),
        }
    }

    /// The distance of a match, which is negative; that of the match before for some tokens.
    fn offset(&mut self, token: u16, before: u16) -> u16 {
        // The bit Z is stored the other way round.
        let z = !token >> 5 & 1;
        match token >> 6 {
            0 => 0xffe0 | self.nibble() << 1 | z,
            1 => 0xfe00 | z << 8 | self.byte(),
            2 => {
                let high = 0xe000 | self.nibble() << 9 | z << 8;
                (high | self.byte()).wrapping_sub(512)
            }
            _ if z == 1 => self.byte() << 8 | self.byte(),
            _ => before,
        }
    }
}

/// r0 is where the block is, r1 where its bytes go; both are behind their ends then. To a port of VERA goes byte after byte, and matches are read
/// back from video memory by the other port.
pub(super) fn decompress(bus: &mut Bus, _: &mut Cpu) {
    let (from, mut to) = (Pointer(bus.word(R0)), Pointer(bus.word(R1)));
    let is_port = to.0 >> 8 == IO >> 8;
    let before = is_port.then(|| Registers::of(bus));
    let mut source = Source { bus, from, nibble: None };
    let (mut offset, mut done) = (0, 0);
    while done < MOST {
        let token = source.byte();
        let literals = match token >> 3 & 3 {
            LITERALS => source.length(LITERALS).unwrap_or(0),
            few => few,
        };
        for _ in 0..literals {
            let byte = source.byte() as u8;
            source.bus.store_for_kernal(to.next(), byte);
        }
        offset = source.offset(token, offset);
        let Some(length) = (match token & 7 {
            MATCH => source.length(MATCH + LEAST),
            few => Some(few + LEAST),
        }) else {
            break;
        };
        done += 1 + u32::from(literals) + u32::from(length);
        let mut back = Pointer(to.0.wrapping_add(offset));
        if is_port {
            aim(source.bus, offset);
            back = Pointer(DATA1);
        }
        for _ in 0..length {
            let byte = source.bus.load_for_kernal(back.next());
            source.bus.store_for_kernal(to.next(), byte);
            if is_port {
                // What has just been stored may be what comes next.
                let low = source.bus.load_for_kernal(ADDRESS[0]);
                source.bus.store_for_kernal(ADDRESS[0], low);
            }
        }
    }
    let from = source.from.0;
    before.iter().for_each(|before| before.restore(bus));
    bus.set_word(R0, from);
    bus.set_word(R1, to.0);
}

/// Lets port 1 read at a distance from where port 0 writes.
fn aim(bus: &mut Bus, offset: u16) {
    bus.store_for_kernal(CTRL, 0);
    let [low, middle, high] = ADDRESS.map(|register| bus.load_for_kernal(register));
    let (place, carry) = u16::from_le_bytes([low, middle]).overflowing_add(offset);
    bus.store_for_kernal(CTRL, 1);
    let [low, middle] = place.to_le_bytes();
    // Backward: bit 16 falls unless the sum runs over.
    let high = high.wrapping_add(1 + u8::from(carry));
    for (register, value) in ADDRESS.into_iter().zip([low, middle, high]) {
        bus.store_for_kernal(register, value);
    }
}

/// What of VERA is as it was behind the block.
struct Registers {
    control: u8,
    address: [u8; 3],
}

impl Registers {
    fn of(bus: &mut Bus) -> Registers {
        let control = bus.load_for_kernal(CTRL);
        bus.store_for_kernal(CTRL, 1);
        Registers { control, address: ADDRESS.map(|register| bus.load_for_kernal(register)) }
    }

    fn restore(&self, bus: &mut Bus) {
        bus.store_for_kernal(CTRL, 1);
        for (register, value) in ADDRESS.into_iter().zip(self.address) {
            bus.store_for_kernal(register, value);
        }
        bus.store_for_kernal(CTRL, self.control);
    }
}

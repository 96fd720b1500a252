//! What is at $C000 to $FFFF where there is no ROM: the vectors, the entries that the Programmer's Reference Guide has (chapter 5), and a
//! little code for what has to take time or can be looked at often.
//!
//! A byte [`TRAP`] that is fetched is where a stand-in does its work; the code goes on behind it. All that is nothing else is a trap, so that a
//! call of something that is not there is noticed.

use crate::board::bus::{ROM, TRAP};
/// The interrupt entry: A, X and Y go onto the stack, then through ($0314), or through ($0316) after a BRK.
const ENTRY: u16 = ROM;
/// What $0314 holds at first: all that the KERNAL does at VSYNC.
pub(super) const HANDLER: u16 = ROM + 0x20;
/// In it, time and devices; A is what a key sends.
pub(super) const FRAME: u16 = HANDLER;
/// In it, the key that A holds after the program's own handler ($032E) has seen it.
pub(super) const FRAME_KEY: u16 = HANDLER + 6;
/// What $0318 holds. There is no source of NMI.
const NMI: u16 = ROM + 0x30;
/// What $0316 holds at first: the end of the run.
pub(super) const BREAK: u16 = ROM + 0x34;
/// Calls through ($032E).
const KEY_CALL: u16 = ROM + 0x38;
/// What $032E holds at first: nothing is done.
pub(super) const KEY_HANDLER: u16 = ROM + 0x3b;
/// The same as the two above, for programs that call SCNKEY.
const SCNKEY: u16 = ROM + 0x40;
pub(super) const SCAN: u16 = SCNKEY;
pub(super) const SCAN_KEY: u16 = SCNKEY + 6;
/// The prompt to which a program has returned.
pub(super) const IDLE: u16 = ROM + 0x50;
/// GETIN: returns 0 by itself where no key is in the buffer.
pub(super) const GETIN: u16 = ROM + 0x60;
/// Takes a key.
pub(super) const TAKE: u16 = GETIN + 7;
/// CHRIN: is asked again after each interrupt until there is a line.
pub(super) const CHRIN: u16 = ROM + 0x70;
/// In it, waiting.
pub(super) const CHRIN_WAIT: u16 = CHRIN + 2;
/// What the console goes on with when it has waited for a key.
pub(super) const CONSOLE: u16 = ROM + 0x78;
/// In it, waiting.
pub(super) const CONSOLE_WAIT: u16 = CONSOLE + 2;
const RDTIM: u16 = ROM + 0x80;
/// Where a routine in another bank returns to.
pub(super) const FAR_BACK: u16 = ROM + 0x90;
pub(super) const PRINT: u16 = ROM + 0x98;
pub(super) const STOP: u16 = ROM + 0x9c;
/// FB_FILTER_PIXELS: calls the jump that it has made for each pixel.
pub(super) const FILTER: u16 = ROM + 0xa0;
/// In it, what has come back.
pub(super) const FILTERED: u16 = FILTER + 6;
pub(super) const GRAPH_INIT: u16 = 0xff20;

/// Keys in the buffer, and the clock's three bytes: changed while the machine runs, and out of reach for programs.
pub(super) const KEYS: u16 = ROM + 0xf0;
pub(super) const TIME: u16 = ROM + 0xf1;

#[rustfmt::skip]
pub(super) static CODE: &[(u16, &[u8])] = &[
    (ENTRY, &[
        0x48, 0xda, 0x5a,               // pha, phx, phy
        0xba, 0xbd, 0x04, 0x01,         // tsx, lda $0104,x: the status that was pushed
        0x29, 0x10, 0xd0, 0x03,         // and #B, bne
        0x6c, 0x14, 0x03,               // jmp ($0314)
        0x6c, 0x16, 0x03,               // jmp ($0316)
    ]),
    (HANDLER, &[
        TRAP, 0xf0, 0x04,               // beq: no key
        0x20, 0x38, 0xc0, TRAP,         // jsr KEY_CALL
        0xa9, 0x01, 0x8d, 0x27, 0x9f,   // lda #VSYNC, sta ISR
        0x7a, 0xfa, 0x68, 0x40,         // ply, plx, pla, rti
    ]),
    (NMI, &[0x40]),                     // rti
    (KEY_CALL, &[0x6c, 0x2e, 0x03]),    // jmp ($032e)
    (KEY_HANDLER, &[0x60]),             // rts
    (SCNKEY, &[
        TRAP, 0xf0, 0x04,               // beq: no key
        0x20, 0x38, 0xc0, TRAP, 0x60,   // jsr KEY_CALL, rts
    ]),
    (IDLE, &[0xcb, 0x80, 0xfd]),        // wai, bra IDLE
    (GETIN, &[
        0xad, 0xf0, 0xc0, 0xd0, 0x02,   // lda KEYS, bne
        0x18, 0x60, TRAP, 0x60,         // clc, rts; rts
    ]),
    (CHRIN, &[
        TRAP, 0x60,                     // rts
        0xcb, 0x80, 0xfb,               // wai, bra CHRIN
    ]),
    (RDTIM, &[
        0xad, 0xf1, 0xc0, 0xae, 0xf2, 0xc0, 0xac, 0xf3, 0xc0, 0x60, // lda TIME, ldx TIME+1, ldy TIME+2, rts
    ]),
    (CONSOLE, &[
        TRAP, 0x60,                     // rts
        0xcb, 0x80, 0xfb,               // wai, bra CONSOLE
    ]),
    (FILTER, &[
        TRAP, 0xf0, 0x06,               // beq: no pixel
        0x20, 0x1f, 0x00,               // jsr $001F, which has a jump
        TRAP, 0x80, 0xf8, 0x60,         // bra: the next one; rts
    ]),
    (FAR_BACK, &[TRAP, 0x60]),          // rts
    (PRINT, &[TRAP, 0x60]),             // rts
    (STOP, &[TRAP, 0x60]),              // rts
    (KEYS, &[0, 0, 0, 0]),
    // The KERNAL's version: a custom build.
    (0xff80, &[0xff]),
    (0xfffa, &NMI.to_le_bytes()),
    (0xfffc, &NMI.to_le_bytes()),
    (0xfffe, &ENTRY.to_le_bytes()),
];

/// Entries that lead through a vector of RAM, and what the vector holds at first.
pub(super) static VECTORED: &[(u16, u16, u16)] =
    &[(0xffcf, 0x0324, CHRIN), (0xffd2, 0x0326, PRINT), (0xffe1, 0x0328, STOP), (0xffe4, 0x032a, GETIN)];

/// Vectors whose routines are where their entries are, there or not.
static UNVECTORED: &[(u16, u16)] = &[
    (0x031a, 0xffc0),
    (0x031c, 0xffc3),
    (0x031e, 0xffc6),
    (0x0320, 0xffc9),
    (0x0322, 0xffcc),
    (0x032c, 0xffe7),
    (0x0330, 0xffd5),
    (0x0332, 0xffd8),
];

/// Entries that lead to code.
pub(super) static JUMPS: &[(u16, u16)] = &[(0xff1a, FILTER), (0xff9f, SCNKEY), (0xffde, RDTIM)];

/// Below the first of the KERNAL's entries.
pub(super) const FIRST_ENTRY: u16 = 0xfe00;

/// The entry that programs call, for what it leads to.
pub(super) fn entry(address: u16) -> u16 {
    VECTORED.iter().find(|(_, _, code)| *code == address).map_or(address, |(entry, ..)| *entry)
}

/// The KERNAL's vectors in RAM.
pub(super) fn vectors() -> impl Iterator<Item = (u16, u16)> {
    let own = [(0x0314, HANDLER), (0x0316, BREAK), (0x0318, NMI), (0x032e, KEY_HANDLER)].into_iter();
    let through = VECTORED.iter().map(|(_, vector, code)| (*vector, *code));
    own.chain(through).chain(UNVECTORED.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernal::IMAGE;

    /// No piece of code runs into another.
    #[test]
    fn pieces_have_room() {
        let mut pieces: Vec<(usize, usize)> =
            CODE.iter().map(|(at, bytes)| (usize::from(*at), usize::from(*at) + bytes.len())).collect();
        pieces.push((usize::from(BREAK), usize::from(BREAK) + 1));
        pieces.sort_unstable();
        assert!(pieces.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{pieces:04x?}");
        let at = |address: u16| IMAGE[usize::from(address - ROM)];
        for trap in [
            FRAME, FRAME_KEY, SCAN, SCAN_KEY, TAKE, CHRIN, CONSOLE, FILTER, FILTERED, FAR_BACK, BREAK, 0xffba,
        ] {
            assert_eq!(at(trap), TRAP, "{trap:04x}");
        }
        assert_eq!((at(CHRIN_WAIT), at(IDLE), at(0xffd2)), (0xcb, 0xcb, 0x6c));
    }
}

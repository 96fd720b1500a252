//! What the KERNAL's screen routines do to VERA, without its ROM.

use super::super::bus::Bus;
use gpuzoo_65c02::Cpu;
use gpuzoo_65c02::status::CARRY;

/// Columns and lines of text of the modes 0 to 6 as powers of two of the scale.
const MODES: [(u8, u8); 7] = [(128, 128), (128, 64), (64, 128), (64, 64), (64, 32), (32, 64), (32, 32)];
/// A bitmap of 320 × 240 in 256 colours under text of 40 × 30.
const BITMAP: u8 = 0x80;

/// SCREEN_MODE: with C set, what is on; else sets up the registers. The text layer is where the KERNAL has it, but its
/// characters and its contents are not: the Commander's character set is not ours to ship.
pub(super) fn screen_mode(bus: &mut Bus, cpu: &mut Cpu) {
    let asks = cpu.p & CARRY != 0;
    let mode = if asks { bus.screen_mode } else { cpu.a };
    let scales = if mode == BITMAP { Some((64, 64)) } else { MODES.get(usize::from(mode)).copied() };
    let Some((hscale, vscale)) = scales else {
        cpu.p |= CARRY;
        return;
    };
    cpu.p &= !CARRY;
    if asks {
        // 80 columns and 60 lines at scale 128.
        cpu.a = mode;
        cpu.x = (u16::from(hscale) * 80 / 128) as u8;
        cpu.y = (u16::from(vscale) * 60 / 128) as u8;
        return;
    }
    bus.screen_mode = mode;
    let control = bus.vera.peek(0x05);
    let video = if mode == BITMAP { 0x31 } else { 0x21 };
    let window = [(0x05, 2), (0x09, 0), (0x0a, 160), (0x0b, 0), (0x0c, 240)];
    let scale = [(0x05, 0), (0x09, video), (0x0a, hscale), (0x0b, vscale), (0x0c, 0)];
    // 128 × 64 tiles of text at $1B000 with characters at $1F000.
    let text = [(0x14, 0x60), (0x15, 0xd8), (0x16, 0xf8), (0x17, 0), (0x18, 0), (0x19, 0), (0x1a, 0)];
    let bitmap = [(0x0d, 0x07), (0x0f, 0), (0x11, 0)];
    let bitmap: &[(u8, u8)] = if mode == BITMAP { &bitmap } else { &[] };
    for &(register, value) in window.iter().chain(&scale).chain(&text).chain(bitmap) {
        bus.write_for_kernal(register, value);
    }
    bus.write_for_kernal(0x05, control);
}

/// How a byte of PETSCII shows in a text: both cases of letters as capitals where the set has no others, control codes
/// not at all.
pub(in crate::x16) fn petscii(byte: u8) -> Option<char> {
    match byte {
        0x0d => Some('\n'),
        0x20..=0x7e => Some(byte as char),
        0xc1..=0xda => Some((byte - 0x80) as char),
        0xa0 => Some(' '),
        0..=0x1f | 0x80..=0x9f => None,
        _ => Some('\u{fffd}'),
    }
}

//! What stands in for the Commander's ROM when there is none: vectors, an interrupt entry in the KERNAL's order, and a
//! handful of its routines.
//!
//! Each routine is an RTS, so that it costs six cycles and returns; what it does, it does after that. Anything else in
//! the ROM's place ends the run with a message: silence would be a wrong result. The entry points are those of the
//! Programmer's Reference Guide, chapter 5.

use super::bus::Bus;
use super::ending::Ending;
use gpuzoo_65c02::Cpu;
use gpuzoo_65c02::status::{CARRY, ZERO};

/// The program's own return address: a fetch here ends the run. No program has code there: no I/O device is at this
/// address.
pub(super) const RETURN: u16 = 0x9ff0;
/// Where the ROM begins.
pub(super) const ROM: u16 = 0xc000;

/// The interrupt entry: A, X and Y go onto the stack, then through ($0314), or through ($0316) after a BRK.
const ENTRY: u16 = ROM;
/// What $0314 holds at first: VSYNC is acknowledged, Y, X and A come back.
const HANDLER: u16 = ROM + 0x20;
/// What $0316 holds at first: the end of the run.
const BREAK: u16 = ROM + 0x30;
/// What $0318 holds. There is no source of NMI.
const NMI: u16 = ROM + 0x2a;

#[rustfmt::skip]
static CODE: [u8; 0x2b] = [
    0x48, 0xda, 0x5a,               // pha, phx, phy
    0xba, 0xbd, 0x04, 0x01,         // tsx, lda $0104,x: the status that was pushed
    0x29, 0x10, 0xd0, 0x03,         // and #B, bne
    0x6c, 0x14, 0x03,               // jmp ($0314)
    0x6c, 0x16, 0x03,               // jmp ($0316)
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0xa9, 0x01, 0x8d, 0x27, 0x9f,   // HANDLER: lda #VSYNC, sta ISR
    0x7a, 0xfa, 0x68, 0x40,         // ply, plx, pla, rti
    0,
    0x40,                           // NMI: rti
];

/// The routines that are there.
const CHROUT: u16 = 0xffd2;
const GETIN: u16 = 0xffe4;
const STOP: u16 = 0xffe1;
const RDTIM: u16 = 0xffde;
const SCREEN_MODE: u16 = 0xff5f;

/// RTS.
const RTS: u8 = 0x60;
/// One byte, one cycle, no effect: what a fetch gets that ends the run.
pub(super) const NOTHING: u8 = 0x03;

/// A byte of the ROM's place as a read sees it.
pub(super) fn byte(address: u16) -> u8 {
    match address {
        0xfffa | 0xfffc => NMI as u8,
        0xfffb | 0xfffd => (NMI >> 8) as u8,
        0xfffe => ENTRY as u8,
        0xffff => (ENTRY >> 8) as u8,
        _ => CODE.get(usize::from(address.wrapping_sub(ROM))).copied().unwrap_or(0),
    }
}

/// The KERNAL's vectors in RAM.
pub(super) fn vectors() -> [(u16, u16); 3] {
    [(0x0314, HANDLER), (0x0316, BREAK), (0x0318, NMI)]
}

/// What a fetch from the ROM's place returns, and whether [`call`] has to follow the instruction.
pub(super) fn fetch(address: u16) -> (u8, bool) {
    match address {
        _ if usize::from(address.wrapping_sub(ROM)) < CODE.len() => (byte(address), false),
        CHROUT | GETIN | STOP | RDTIM | SCREEN_MODE => (RTS, true),
        _ => (NOTHING, true),
    }
}

/// Does what is asked for by a fetch at an address, after its RTS.
pub(super) fn call(address: u16, caller: u16, bus: &mut Bus, cpu: &mut Cpu) {
    match address {
        RETURN => bus.end(Ending::Returned),
        BREAK => {
            // Y, X, A and P lie above S, then the address after BRK's second byte.
            let at = |offset: u8| bus.peek(0x100 | u16::from(cpu.s.wrapping_add(offset)));
            let back = u16::from_le_bytes([at(5), at(6)]);
            bus.end(Ending::Broke { pc: back.wrapping_sub(2) });
        }
        CHROUT => {
            bus.print(cpu.a);
            cpu.p &= !CARRY;
        }
        // No key is pressed.
        GETIN => {
            cpu.a = 0;
            cpu.p = cpu.p & !CARRY | ZERO;
        }
        STOP => cpu.p &= !ZERO,
        // A jiffy is a frame; Y has the high byte.
        RDTIM => [cpu.a, cpu.x, cpu.y, _] = (bus.vera.frames() as u32).to_le_bytes(),
        SCREEN_MODE => screen_mode(bus, cpu),
        _ => bus.end(Ending::RomCall { address, pc: caller }),
    }
}

/// Columns and lines of text of the modes 0 to 6 as powers of two of the scale.
const MODES: [(u8, u8); 7] = [(128, 128), (128, 64), (64, 128), (64, 64), (64, 32), (32, 64), (32, 32)];
/// A bitmap of 320 × 240 in 256 colours under text of 40 × 30.
const BITMAP: u8 = 0x80;

/// SCREEN_MODE: with C set, what is on; else sets up the registers. The text layer is where the KERNAL has it, but its
/// characters and its contents are not: the Commander's character set is not ours to ship.
fn screen_mode(bus: &mut Bus, cpu: &mut Cpu) {
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
pub(super) fn petscii(byte: u8) -> Option<char> {
    match byte {
        0x0d => Some('\n'),
        0x20..=0x7e => Some(byte as char),
        0xc1..=0xda => Some((byte - 0x80) as char),
        0xa0 => Some(' '),
        0..=0x1f | 0x80..=0x9f => None,
        _ => Some('\u{fffd}'),
    }
}

/// The KERNAL's routines by their addresses.
#[rustfmt::skip]
static NAMES: &[(u16, &str)] = &[
    (0xfea8, "EXTAPI16"), (0xfeab, "EXTAPI"), (0xfeb1, "MCIOUT"), (0xfeb4, "I2C_BATCH_READ"),
    (0xfeb7, "I2C_BATCH_WRITE"), (0xfeba, "BSAVE"), (0xfebd, "KBDBUF_PEEK"),
    (0xfec0, "KBDBUF_GET_MODIFIERS"), (0xfec3, "KBDBUF_PUT"), (0xfec6, "I2C_READ_BYTE"),
    (0xfec9, "I2C_WRITE_BYTE"), (0xfecc, "MONITOR"), (0xfecf, "ENTROPY_GET"), (0xfed2, "KEYMAP"),
    (0xfed5, "CONSOLE_SET_PAGING_MESSAGE"), (0xfed8, "CONSOLE_PUT_IMAGE"), (0xfedb, "CONSOLE_INIT"),
    (0xfede, "CONSOLE_PUT_CHAR"), (0xfee1, "CONSOLE_GET_CHAR"), (0xfee4, "MEMORY_FILL"),
    (0xfee7, "MEMORY_COPY"), (0xfeea, "MEMORY_CRC"), (0xfeed, "MEMORY_DECOMPRESS"),
    (0xfef0, "SPRITE_SET_IMAGE"), (0xfef3, "SPRITE_SET_POSITION"), (0xfef6, "FB_INIT"),
    (0xfef9, "FB_GET_INFO"), (0xfefc, "FB_SET_PALETTE"), (0xfeff, "FB_CURSOR_POSITION"),
    (0xff02, "FB_CURSOR_NEXT_LINE"), (0xff05, "FB_GET_PIXEL"), (0xff08, "FB_GET_PIXELS"),
    (0xff0b, "FB_SET_PIXEL"), (0xff0e, "FB_SET_PIXELS"), (0xff11, "FB_SET_8_PIXELS"),
    (0xff14, "FB_SET_8_PIXELS_OPAQUE"), (0xff17, "FB_FILL_PIXELS"), (0xff1a, "FB_FILTER_PIXELS"),
    (0xff1d, "FB_MOVE_PIXELS"), (0xff20, "GRAPH_INIT"), (0xff23, "GRAPH_CLEAR"),
    (0xff26, "GRAPH_SET_WINDOW"), (0xff29, "GRAPH_SET_COLORS"), (0xff2c, "GRAPH_DRAW_LINE"),
    (0xff2f, "GRAPH_DRAW_RECT"), (0xff32, "GRAPH_MOVE_RECT"), (0xff35, "GRAPH_DRAW_OVAL"),
    (0xff38, "GRAPH_DRAW_IMAGE"), (0xff3b, "GRAPH_SET_FONT"), (0xff3e, "GRAPH_GET_CHAR_SIZE"),
    (0xff41, "GRAPH_PUT_CHAR"), (0xff44, "MACPTR"), (0xff47, "ENTER_BASIC"), (0xff4a, "CLOSE_ALL"),
    (0xff4d, "CLOCK_SET_DATE_TIME"), (0xff50, "CLOCK_GET_DATE_TIME"), (0xff53, "JOYSTICK_SCAN"),
    (0xff56, "JOYSTICK_GET"), (0xff59, "LKUPLA"), (0xff5c, "LKUPSA"), (0xff5f, "SCREEN_MODE"),
    (0xff62, "SCREEN_SET_CHARSET"), (0xff68, "MOUSE_CONFIG"), (0xff6b, "MOUSE_GET"), (0xff6e, "JSRFAR"),
    (0xff71, "MOUSE_SCAN"), (0xff74, "FETCH"), (0xff77, "STASH"), (0xff7d, "PRIMM"), (0xff81, "CINT"),
    (0xff84, "IOINIT"), (0xff90, "SETMSG"), (0xff93, "SECOND"), (0xff96, "TKSA"), (0xff99, "MEMTOP"),
    (0xff9c, "MEMBOT"), (0xff9f, "SCNKEY"), (0xffa2, "SETTMO"), (0xffa5, "ACPTR"), (0xffa8, "CIOUT"),
    (0xffab, "UNTLK"), (0xffae, "UNLSN"), (0xffb1, "LISTEN"), (0xffb4, "TALK"), (0xffb7, "READST"),
    (0xffba, "SETLFS"), (0xffbd, "SETNAM"), (0xffc0, "OPEN"), (0xffc3, "CLOSE"), (0xffc6, "CHKIN"),
    (0xffc9, "CHKOUT"), (0xffcc, "CLRCHN"), (0xffcf, "CHRIN"), (0xffd2, "CHROUT"), (0xffd5, "LOAD"),
    (0xffd8, "SAVE"), (0xffdb, "SETTIM"), (0xffde, "RDTIM"), (0xffe1, "STOP"), (0xffe4, "GETIN"),
    (0xffe7, "CLALL"), (0xffea, "UDTIM"), (0xffed, "SCREEN"), (0xfff0, "PLOT"), (0xfff3, "IOBASE"),
];

/// The name of the routine at an address.
pub fn name(address: u16) -> Option<&'static str> {
    let index = NAMES.binary_search_by_key(&address, |(at, _)| *at).ok()?;
    NAMES.get(index).map(|(_, name)| *name)
}

//! What stands in for the Commander's ROM when there is none: the KERNAL's vectors, its interrupt handler, and its routines for
//! text, graphics, keys, controllers, the mouse, time and memory.
//!
//! What a routine does, it does at once: it takes the cycles of its call and its return. Anything that is not there ends the run with a
//! message: silence would be a wrong result. Entries and what they do are those of the Programmer's Reference Guide, chapter 5; what the machine
//! is left with was compared with one that the KERNAL has set up.

mod access;
mod charset;
mod clock;
mod console;
mod cursor;
mod editor;
pub(super) mod files;
mod graphics;
mod keys;
mod line;
mod lzsa;
mod memory;
mod mouse;
mod names;
mod pads;
mod rom;
mod screen;
mod sprites;
mod text;

use crate::board::bus::Bus;
use crate::dos::Caller;
use crate::ending::Ending;
use crate::input::Event;
pub(super) use cursor::leave_prompt;
use files::Files;
use gpuzoo_65c02::Cpu;
use gpuzoo_65c02::status::{CARRY, MASK, NEGATIVE, ZERO};
use gpuzoo_stored::stored;
use graphics::{frame_buffer, shapes};
pub(super) use memory::limits;
pub(crate) use names::NAMES;
pub use names::name;
pub(super) use rom::{IMAGE, ROM, TRAP, vectors};
pub(super) use screen::set_up;
pub(super) use text::petscii;

/// The program's own return address: a fetch here ends the run. No program has code there: no I/O device is at this
/// address.
pub(crate) const RETURN: u16 = 0x9ff0;

/// What the stand-ins keep that is in no register and no RAM.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Kernal {
    keyboard: keys::Keyboard,
    pads: pads::Pads,
    mouse: mouse::Mouse,
    pub clock: clock::Clock,
    line: line::Line,
    graphics: graphics::Graphics,
    console: console::Console,
}

stored! { Kernal { keyboard, pads, mouse, clock, line, graphics, console } }

impl Kernal {
    /// Which controllers are there.
    pub fn connect(&mut self, there: [bool; 4]) {
        self.pads.connect(there);
    }
}

/// What is done at a trap. The CPU is behind it.
type Routine = fn(&mut Bus, &mut Cpu);

/// All that can be done, by address.
#[rustfmt::skip]
static ROUTINES: &[(u16, Routine)] = &[
    (rom::FRAME, frame), (rom::FRAME_KEY, keys::handle),
    (rom::BREAK, broke),
    (rom::SCAN, keys::fetch), (rom::SCAN_KEY, keys::handle),
    (rom::TAKE, keys::getin),
    (rom::CHRIN, line::chrin),
    (rom::CONSOLE, console::resume),
    (rom::FAR_BACK, memory::back),
    (rom::PRINT, text::chrout), (rom::STOP, keys::stop),
    (rom::FILTER, frame_buffer::filter_pixels), (rom::FILTERED, frame_buffer::filtered),
    (0xfebd, keys::peek), (0xfec0, keys::get_modifiers), (0xfec3, keys::put),
    (0xfecf, clock::entropy_get),
    (0xfed5, console::set_paging_message), (0xfed8, console::put_image), (0xfedb, console::init),
    (0xfede, console::put_char), (0xfee1, console::get_char),
    (0xfee4, memory::fill), (0xfee7, memory::copy), (0xfeea, memory::crc), (0xfeed, lzsa::decompress),
    (0xfef0, sprites::set_image), (0xfef3, sprites::set_position),
    (0xfef6, frame_buffer::init), (0xfef9, frame_buffer::get_info), (0xfefc, frame_buffer::set_palette),
    (0xfeff, frame_buffer::cursor_position), (0xff02, frame_buffer::cursor_next_line),
    (0xff05, frame_buffer::get_pixel), (0xff08, frame_buffer::get_pixels),
    (0xff0b, frame_buffer::set_pixel), (0xff0e, frame_buffer::set_pixels),
    (0xff11, frame_buffer::set_8_pixels), (0xff14, frame_buffer::set_8_pixels_opaque),
    (0xff17, frame_buffer::fill_pixels), (0xff1d, frame_buffer::move_pixels),
    (rom::GRAPH_INIT, graphics::init), (0xff23, graphics::clear), (0xff26, graphics::set_window),
    (0xff29, graphics::set_colors), (0xff2c, shapes::draw_line), (0xff2f, shapes::draw_rectangle),
    (0xff32, shapes::move_rectangle), (0xff35, shapes::draw_oval), (0xff38, shapes::draw_image),
    (0xff3b, graphics::font::set), (0xff3e, graphics::text::get_char_size), (0xff41, graphics::text::put_char),
    (0xff47, returned),
    (0xff4d, clock::set_date_time), (0xff50, clock::get_date_time),
    (0xff53, pads::scan), (0xff56, pads::get),
    (0xff5f, screen::screen_mode), (0xff62, screen::set_charset),
    (0xff68, mouse::config), (0xff6b, mouse::get),
    (0xff6e, memory::jsrfar),
    (0xff71, mouse::scan),
    (0xff74, memory::fetch), (0xff77, memory::stash),
    (0xff7d, text::primm),
    (0xff81, screen::cint), (0xff84, screen::ioinit),
    (0xff99, memory::memtop), (0xff9c, memory::membot),
    (0xffdb, clock::settim), (0xffea, clock::udtim),
    (0xffed, text::screen), (0xfff0, text::plot), (0xfff3, memory::iobase),
];

/// Does what is asked for by the trap at an address.
pub(super) fn call(address: u16, caller: u16, bus: &mut Bus, cpu: &mut Cpu) {
    if address == RETURN {
        return returned(bus, cpu);
    }
    let mut files = Files { bus, cpu, caller: Caller { routine: address, pc: caller } };
    if files.bus.has_rom() {
        return files::answer(files);
    }
    // Input and output are files, or else screen and keyboard.
    let is_done = match address {
        rom::PRINT => files::output(&mut files),
        rom::CHRIN | rom::TAKE => files::input(&mut files),
        _ => false,
    };
    if is_done {
        return;
    }
    if files::is_here(address) {
        return files::call(files);
    }
    match ROUTINES.binary_search_by_key(&address, |(at, _)| *at).ok().and_then(|index| ROUTINES.get(index)) {
        Some((_, routine)) => routine(bus, cpu),
        None => missing(address, caller, bus),
    }
}

/// True within the stand-ins in which programs wait: for keys, for a line, for the clock.
pub(super) fn is_asking(pc: u16) -> bool {
    matches!(pc, rom::GETIN..rom::FAR_BACK) || pc >= rom::FIRST_ENTRY
}

/// The end of a run that calls what is not there.
fn missing(address: u16, caller: u16, bus: &mut Bus) {
    bus.end(Ending::RomCall { address: rom::entry(address), pc: caller });
}

/// The program's first routine has returned, to BASIC's prompt if there is one. What it has left for interrupts and keys goes on there.
pub(super) fn returned(bus: &mut Bus, cpu: &mut Cpu) {
    if !bus.goes_on() {
        return bus.end(Ending::Returned);
    }
    bus.has_returned = true;
    match bus.prompt.filter(|_| bus.has_rom()) {
        Some(prompt) => {
            let s = cpu.s;
            *cpu = prompt.cpu;
            cpu.s = s;
            for (at, bank) in (0..).zip(prompt.banks) {
                bus.poke(at, bank);
            }
        }
        None => {
            cpu.p &= !MASK;
            cpu.pc = rom::IDLE;
        }
    }
}

/// BRK, with no handler but ours.
fn broke(bus: &mut Bus, cpu: &mut Cpu) {
    // Y, X, A and P lie above S, then the address after BRK's second byte.
    let at = |offset: u8| bus.peek(0x100 | u16::from(cpu.s.wrapping_add(offset)));
    let back = u16::from_le_bytes([at(5), at(6)]);
    bus.end(Ending::Broke { pc: back.wrapping_sub(2) });
}

/// VSYNC: what the KERNAL does in its order.
fn frame(bus: &mut Bus, cpu: &mut Cpu) {
    mouse::scan(bus, cpu);
    pads::scan(bus, cpu);
    clock::tick(bus);
    cursor::blink(bus);
    keys::fetch(bus, cpu);
}

/// N and Z as loading a value sets them.
fn set_nz(cpu: &mut Cpu, value: u8) {
    cpu.p = cpu.p & !(NEGATIVE | ZERO) | value & NEGATIVE | if value == 0 { ZERO } else { 0 };
}

fn set_carry(cpu: &mut Cpu, carry: bool) {
    cpu.p = cpu.p & !CARRY | u8::from(carry);
}

/// What a user does reaches the devices.
pub(super) fn receive(bus: &mut Bus, event: Event) {
    match event {
        Event::Press(key) => bus.kernal.keyboard.send(key.number()),
        Event::Release(key) => bus.kernal.keyboard.send(key.number() | 0x80),
        Event::Buttons { controller, down } => bus.kernal.pads.hold(controller, down),
        Event::Mouse { dx, dy, wheel, down } => bus.kernal.mouse.receive(dx, dy, wheel, down),
    }
}

/// RTS.
pub(super) const RTS: u8 = 0x60;

/// What the ROM's place leads to with a ROM that is the KERNAL, and a drive: RTS, and [`call`] follows.
pub(super) fn answers(address: u16, bus: &Bus) -> bool {
    bus.drive.as_ref().is_some_and(|drive| {
        files::is_of_bus(address) && (files::calls(address) || drive.listens() || drive.talks())
    })
}

//! The stand-ins by their traps, and those that belong to no group.

use super::answer::missing;
use super::files::Files;
use super::graphics::{self, frame_buffer, shapes};
use super::{
    clock, console, cursor, files, keys, line, lzsa, memory, mouse, pads, rom, screen, sprites, text,
};
use crate::board::bus::{Bus, RETURN};
use crate::dos::Caller;
use crate::ending::Ending;
use gpuzoo_65c02::Cpu;
use gpuzoo_65c02::status::MASK;

/// Answers a trap. The CPU is behind it.
pub(super) type Routine = fn(&mut Bus, &mut Cpu);

/// All that can be done, by address.
#[rustfmt::skip]
pub(super) static ROUTINES: &[(u16, Routine)] = &[
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
pub(crate) fn call(address: u16, caller: u16, bus: &mut Bus, cpu: &mut Cpu) {
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
pub(crate) fn is_asking(pc: u16) -> bool {
    matches!(pc, rom::GETIN..rom::FAR_BACK) || pc >= rom::FIRST_ENTRY
}

/// The program's first routine has returned, to BASIC's prompt if there is one. What it has left for interrupts and keys goes on there.
fn returned(bus: &mut Bus, cpu: &mut Cpu) {
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

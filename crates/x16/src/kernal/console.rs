//! The KERNAL's console: text in a window of the graphics, wrapped between words, that scrolls, waits at the end of a page, and takes
//! a line from the keyboard.
//!
//! What is to be printed is a list: a page's end waits for a key, and what is left is done after it.

use super::answer::set_nz;
use super::editor::Editor;
use super::graphics::{choose_window, shapes, text};
use super::{rom, sprites};
use crate::board::bus::Bus;
use gpuzoo_65c02::Cpu;
use gpuzoo_65c02::status::CARRY;
use gpuzoo_stored::stored;
use std::collections::VecDeque;

const LINE_FEED: u8 = 0x0a;
const RETURN: u8 = 0x0d;
const BACKSPACE: u8 = 0x08;
const DELETE: u8 = 0x14;
const PLAIN: u8 = 0x92;
/// The most characters of a word, and of a line that is typed.
const LONGEST: usize = 80;
/// The sprite that is the cursor.
const CURSOR: u8 = 1;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Console {
    at: (u16, u16),
    /// A word that is not complete.
    word: Vec<u8>,
    /// What is yet to be done.
    steps: VecDeque<Step>,
    /// Lines of pixels of an image, below which the next text is.
    tallest: u16,
    /// Lines of pixels since the page began.
    height: u16,
    /// The text that stands at the end of a page; 0 for none.
    message: u16,
    /// A line that was typed, and how far it has been read.
    line: Vec<u8>,
    read: Option<u8>,
}

stored! {
    Console { at, word, steps, tallest, height, message, line, read }
    if |own: &Console| own.word.len() <= LONGEST && own.line.len() <= LONGEST
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Adds a character to its word, and whether it waits there for the word's end.
    Add(u8, bool),
    /// Draws a character, and whether a new line was begun for it.
    Draw(u8, bool),
    NewLine,
    /// Waits for a key behind a message, and takes it away.
    Page,
    /// Moves the text up if the next line does not fit.
    Scroll,
    /// An image: where it is, and its size.
    Image(u16, u16, u16),
    /// A line that was asked for is typed.
    Type,
    /// Its next character is told.
    Tell,
}

stored! {
    enum Step {
        Add(code: u8, waits: bool), Draw(code: u8, again: bool), NewLine, Page, Scroll, Image(from: u16, width: u16, height: u16), Type, Tell,
    }
}

/// CONSOLE_INIT: the window is r0 to r3.
pub(super) fn init(bus: &mut Bus, cpu: &mut Cpu) {
    choose_window(bus);
    Editor::new(bus).print(0x0f);
    bus.kernal.console = Console::default();
    bus.set_r(0, 0);
    go_on(bus, cpu, [Step::Add(0x93, false), Step::Add(PLAIN, false)]);
}

/// CONSOLE_SET_PAGING_MESSAGE: the text at r0, or none.
pub(super) fn set_paging_message(bus: &mut Bus, _: &mut Cpu) {
    bus.kernal.console.message = bus.r(0);
    bus.kernal.console.height = 0;
}

/// CONSOLE_PUT_CHAR: A; with C set it waits for the end of its word.
pub(super) fn put_char(bus: &mut Bus, cpu: &mut Cpu) {
    let waits = cpu.p & CARRY != 0;
    cpu.p &= !CARRY;
    go_on(bus, cpu, [Step::Add(cpu.a, waits)]);
}

/// CONSOLE_PUT_IMAGE: r1 by r2 pixels from r0 on, as a character.
pub(super) fn put_image(bus: &mut Bus, cpu: &mut Cpu) {
    let [from, width, height] = [0, 1, 2].map(|number| bus.r(number));
    let last = bus.kernal.console.at.0.wrapping_add(width).wrapping_sub(1);
    let line = if last > bus.window().right { LINE_FEED } else { 0 };
    go_on(bus, cpu, [Step::Add(line, false), Step::Add(0, false), Step::Image(from, width, height)]);
}

/// CONSOLE_GET_CHAR: of a line, which is typed first.
pub(super) fn get_char(bus: &mut Bus, cpu: &mut Cpu) {
    if bus.kernal.console.read.is_some() {
        return go_on(bus, cpu, [Step::Tell]);
    }
    bus.kernal.console.line.clear();
    go_on(bus, cpu, [Step::Add(PLAIN, false), Step::Type, Step::Tell]);
}

/// A key that was waited for may be there.
pub(super) fn resume(bus: &mut Bus, cpu: &mut Cpu) {
    go_on(bus, cpu, []);
}

/// Does what is to be done, or waits for a key.
fn go_on<const N: usize>(bus: &mut Bus, cpu: &mut Cpu, more: [Step; N]) {
    bus.kernal.console.steps.extend(more);
    let kept = [0, 1].map(|number| bus.r(number));
    let mut waits = false;
    while let Some(step) = bus.kernal.console.steps.pop_front() {
        let (x, y) = bus.kernal.console.at;
        bus.set_r(0, x);
        bus.set_r(1, y);
        waits = !take(bus, cpu, step);
        bus.kernal.console.at = (bus.r(0), bus.r(1));
        if waits {
            bus.kernal.console.steps.push_front(step);
            break;
        }
    }
    bus.set_r(0, kept[0]);
    bus.set_r(1, kept[1]);
    if waits {
        cpu.pc = rom::CONSOLE_WAIT;
    }
}

/// The next character of the line that was typed, or RETURN behind the last.
fn tell(bus: &mut Bus, cpu: &mut Cpu) {
    let console = &mut bus.kernal.console;
    let at = console.read.unwrap_or(0);
    let next = console.line.get(usize::from(at)).copied();
    console.read = next.map(|_| at.saturating_add(1));
    cpu.a = next.unwrap_or(RETURN);
    set_nz(cpu, cpu.a);
}

/// Does a step at r0, r1; false if it needs a key and there is none.
fn take(bus: &mut Bus, cpu: &mut Cpu, step: Step) -> bool {
    match step {
        Step::Add(character, waits) => add(bus, character, waits),
        Step::Draw(LINE_FEED | RETURN, _) => do_next(bus, [Step::NewLine]),
        Step::Draw(character, again) => {
            if !text::put(bus, character) && !again {
                do_next(bus, [Step::NewLine, Step::Draw(character, true)]);
            }
        }
        Step::NewLine => new_line(bus),
        Step::Page => {
            if bus.take_key().is_none() {
                return false;
            }
            end_page(bus);
        }
        Step::Scroll => scroll(bus, line_height(bus).0),
        Step::Image(from, width, height) => image(bus, from, (width, height)),
        Step::Type => return edit(bus),
        Step::Tell => tell(bus, cpu),
    }
    true
}

/// Steps that come before all others.
fn do_next(bus: &mut Bus, steps: impl IntoIterator<Item = Step, IntoIter: DoubleEndedIterator>) {
    steps.into_iter().rev().for_each(|step| bus.kernal.console.steps.push_front(step));
}

/// Adds a character to its word, and the word to what is to be done if it is complete. RETURN ends the style of the text.
fn add(bus: &mut Bus, character: u8, waits: bool) {
    if character == RETURN {
        return do_next(bus, [Step::Add(PLAIN, false), Step::Add(LINE_FEED, false)]);
    }
    let word = &mut bus.kernal.console.word;
    word.push(character);
    if waits && !matches!(character, b' ' | LINE_FEED) && word.len() < LONGEST {
        return;
    }
    let word = std::mem::take(word);
    let (mut x, style) = (bus.r(0), *text::style(bus));
    for character in word.iter().filter(|character| **character != b' ') {
        x = x.wrapping_add(text::size(bus, *character, style).map_or(0, |size| size.width.into()));
    }
    let is_too_wide = x > bus.window().right;
    let line = is_too_wide.then_some(Step::NewLine);
    let steps: Vec<Step> =
        line.into_iter().chain(word.into_iter().map(|character| Step::Draw(character, false))).collect();
    do_next(bus, steps);
}

/// The lines of pixels that a line of text has, and its base line.
fn line_height(bus: &Bus) -> (u16, u16) {
    text::size(bus, b' ', 0).map_or((1, 0), |size| (u16::from(size.height) + 1, size.baseline.into()))
}

/// The left edge of the next line, below all that stands in this one. A page that is full waits.
fn new_line(bus: &mut Bus) {
    let (line, window) = (line_height(bus).0, bus.window());
    let console = &mut bus.kernal.console;
    let height = std::mem::take(&mut console.tallest).max(line);
    console.height = console.height.wrapping_add(height);
    let page = window.bottom.wrapping_sub(window.top).wrapping_sub(4 * line);
    let is_full = console.height >= page;
    if is_full {
        console.height = 0;
    }
    let message = console.message;
    bus.set_r(0, window.left);
    bus.set_r(1, bus.r(1).wrapping_add(height));
    do_next(bus, [Step::Scroll]);
    if is_full && message != 0 {
        let style = std::mem::take(text::style(bus));
        let colors = *bus.colors();
        for at in 0..=u8::MAX {
            match bus.peek(message.wrapping_add(at.into())) {
                0 => break,
                character => text::put(bus, character),
            };
        }
        *text::style(bus) = style;
        *bus.colors() = colors;
        do_next(bus, [Step::Page]);
    }
}

/// Takes away the message at a page's end.
fn end_page(bus: &mut Bus) {
    let (left, (line, base)) = (bus.window().left, line_height(bus));
    let width = bus.r(0).wrapping_sub(left);
    bus.paint_background((left.wrapping_add(1), bus.r(1).wrapping_sub(base)), (width, line));
    bus.set_r(0, left);
}

/// Moves the window's contents up if there is no room for so many lines of pixels.
fn scroll(bus: &mut Bus, height: u16) {
    let window = bus.window();
    if bus.r(1) < window.bottom.wrapping_sub(height) {
        return;
    }
    let at = [0, 1].map(|number| bus.r(number));
    let way = height.wrapping_add(2);
    let width = window.right.wrapping_sub(window.left).wrapping_add(1);
    let rest = window.bottom.wrapping_sub(window.top).wrapping_sub(way).wrapping_add(1);
    let (from, to) = ((window.left, window.top.wrapping_add(way)), (window.left, window.top));
    shapes::move_area(bus, from, to, (width, rest));
    bus.paint_background((window.left, window.bottom.wrapping_sub(way).wrapping_add(1)), (width, way));
    bus.set_r(0, at[0]);
    bus.set_r(1, at[1].wrapping_sub(way));
}

/// Draws an image on the base line's height, and moves on by its width.
fn image(bus: &mut Bus, from: u16, (width, height): (u16, u16)) {
    scroll(bus, height);
    bus.kernal.console.tallest = height;
    let (x, y) = (bus.r(0), bus.r(1));
    shapes::image(bus, (x, y.wrapping_sub(line_height(bus).1)), from, (width, height));
    bus.set_r(0, x.wrapping_add(width));
}

/// The keyboard's characters become a line, up to RETURN.
fn edit(bus: &mut Bus) -> bool {
    loop {
        point(bus);
        let Some(key) = bus.take_key() else { return false };
        match key {
            BACKSPACE | DELETE => take_back(bus),
            LINE_FEED | RETURN => break,
            0x20..=0x7f | 0xa0.. => type_in(bus, key),
            _ => {}
        }
    }
    bus.kernal.console.read = Some(0);
    sprites::hide(bus, CURSOR);
    do_next(bus, [Step::Add(RETURN, false)]);
    true
}

/// Adds a character to the line, if it fits into it and the window.
fn type_in(bus: &mut Bus, key: u8) {
    if bus.kernal.console.line.len() < LONGEST && text::put(bus, key) {
        bus.kernal.console.line.push(key);
    }
}

/// Takes the last character away: it is drawn in the background's colour.
fn take_back(bus: &mut Bus) {
    let Some(character) = bus.kernal.console.line.pop() else { return };
    let width = text::size(bus, character, 0).map_or(0, |size| size.width);
    let x = bus.r(0).wrapping_sub(width.into());
    let colors = *bus.colors();
    bus.colors().stroke = colors.background;
    bus.set_r(0, x);
    text::put(bus, character);
    *bus.colors() = colors;
    bus.set_r(0, x);
}

/// The cursor is a black line, as high as a character, in a sprite at r0, r1.
fn point(bus: &mut Bus) {
    let (line, base) = line_height(bus);
    let (x, y) = (bus.r(0).wrapping_add(1), bus.r(1).wrapping_sub(base));
    sprites::draw_line(bus, CURSOR, line);
    sprites::show(bus, CURSOR, x, y);
}

//! CHRIN from the keyboard: a line is edited on the screen until RETURN, and then read character by character.

use super::answer::set_nz;
use super::editor::{Editor, petscii_of};
use super::{rom, variables};
use crate::board::bus::Bus;
use gpuzoo_65c02::Cpu;
use gpuzoo_65c02::status::CARRY;
use gpuzoo_stored::stored;

const RETURN: u8 = 0x0d;

/// How far a line has got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Line {
    /// None is asked for.
    #[default]
    None,
    /// It is edited.
    Edited,
    /// It is read, up to this column of the logical line.
    Read(u8),
}

stored! { enum Line { None, Edited, Read(end: u8) } }

/// CHRIN: the next character of a line. Where there is none, waits for keys.
pub(super) fn chrin(bus: &mut Bus, cpu: &mut Cpu) {
    if let Line::Read(end) = bus.kernal.line {
        return next(bus, cpu, end);
    }
    if bus.kernal.line == Line::None {
        bus.kernal.line = Line::Edited;
        let mut editor = Editor::new(bus);
        editor.set(variables::INPUT_LINE, editor.get(variables::LINE));
        editor.set(variables::INPUT_COLUMN, editor.get(variables::COLUMN));
    }
    while let Some(key) = bus.take_key() {
        let mut editor = Editor::new(bus);
        editor.hide();
        editor.set(variables::NO_CURSOR, key);
        editor.set(variables::TYPED, key);
        if key == RETURN {
            let end = enter(bus);
            return next(bus, cpu, end);
        }
        editor.print(key);
    }
    Editor::new(bus).await_key();
    cpu.pc = rom::CHRIN_WAIT;
}

/// RETURN: the line is what stands on the screen, from where the input began if that is in it. Returns its end.
fn enter(bus: &mut Bus) -> u8 {
    let mut editor = Editor::new(bus);
    editor.set(variables::TYPED, 0);
    editor.set(variables::QUOTED, 0);
    let end = editor.length().max(1);
    let begun = editor.get(variables::INPUT_LINE);
    let is_here = begun < 0x80 && (begun == editor.get(variables::LINE) || begun == editor.start());
    let start = if is_here { editor.get(variables::INPUT_COLUMN).min(end) } else { 0 };
    editor.set(variables::COLUMN, start);
    let (line, mut quoted): (Vec<u8>, bool) =
        ((start..end).map(|column| editor.look(column).0).collect(), false);
    let iso = editor.is_iso();
    for character in line {
        let letter = if iso { character } else { petscii_of(character, quoted) };
        quoted ^= letter == b'"';
        bus.print(letter);
    }
    bus.print(RETURN);
    bus.kernal.line = Line::Read(end);
    end
}

fn next(bus: &mut Bus, cpu: &mut Cpu, end: u8) {
    let mut editor = Editor::new(bus);
    let column = editor.get(variables::COLUMN);
    cpu.a = if column < end {
        let (character, quoted) = (editor.look(column).0, editor.get(variables::QUOTED));
        let letter = if editor.is_iso() { character } else { petscii_of(character, quoted != 0) };
        editor.set(variables::QUOTED, quoted ^ u8::from(letter == b'"'));
        editor.set(variables::COLUMN, column.saturating_add(1));
        letter
    } else {
        editor.print(RETURN);
        bus.kernal.line = Line::None;
        RETURN
    };
    set_nz(cpu, cpu.a);
    cpu.p &= !CARRY;
}

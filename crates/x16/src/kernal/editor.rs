//! The text on the screen and the cursor in it: what is printed, and what control codes do.
//!
//! Text has logical lines of up to 80 columns, of one line of the screen or more: what is printed beyond the right edge goes on in the next one.
//! What the editor remembers is in RAM where cc65's library looks for it; the codes are those of the Programmer's Reference
//! Guide, chapter 3.

use super::variables::{
    BEGINS, BLINK, COLOR, COLOR_UNDER, COLUMN, COLUMNS, INPUT_LINE, INSERTED, LAST, LINE, LINES, MODE,
    NO_CURSOR, QUOTED, REVERSED, SHOWS, START, TYPED, UNDER, VERBATIM,
};
use super::video::{TEXT, aim, characters, pour};
use crate::board::bus::Bus;

/// ISO.
const ISO: u8 = 0x40;
/// The longest logical line.
const LONGEST: u8 = 80;
const SPACE: u8 = 0x20;
/// Lines of which the bits tell.
const MOST_LINES: u8 = 64;
/// Lines of the screen in the longest logical line.
const MOST_ROWS: usize = 4;

/// The codes of colours 0 to 15.
pub(super) static COLORS: [u8; 16] =
    [0x90, 0x05, 0x1c, 0x9f, 0x9c, 0x1e, 0x1f, 0x9e, 0x81, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0x9b];

/// The editor of a machine.
pub(super) struct Editor<'a> {
    bus: &'a mut Bus,
}

impl<'a> Editor<'a> {
    pub(super) fn new(bus: &'a mut Bus) -> Editor<'a> {
        Editor { bus }
    }

    pub(super) fn get(&self, at: u16) -> u8 {
        self.bus.peek(at)
    }

    pub(super) fn set(&mut self, at: u16, value: u8) {
        self.bus.poke(at, value);
    }

    /// Takes the cursor off the text.
    pub(super) fn hide(&mut self) {
        if self.get(SHOWS) != 0 {
            self.set(SHOWS, 0);
            let (character, color) = (self.get(UNDER), self.get(COLOR_UNDER));
            self.show(self.get(COLUMN), character, color);
        }
    }

    /// As at the start; the text is not cleared.
    pub(super) fn set_up(&mut self, color: u8) {
        for at in BEGINS..=VERBATIM {
            self.set(at, 0);
        }
        self.set(MODE, 2);
        self.set(COLOR, color);
        self.set(NO_CURSOR, 12);
        self.set(BLINK, 12);
    }

    /// Another size, cleared.
    pub(super) fn resize(&mut self, columns: u8, lines: u8) {
        self.set(COLUMNS, columns);
        for (at, value) in (LINES..).zip([lines, lines + 1, lines - 1]) {
            self.set(at, value);
        }
        self.clear();
    }

    /// The line of the screen with which the logical line begins.
    pub(super) fn start(&self) -> u8 {
        self.get(START).min(MOST_LINES - 1)
    }

    pub(super) fn is_iso(&self) -> bool {
        self.get(MODE) & ISO != 0
    }

    /// The size, with which nothing goes wrong whatever a program writes there.
    fn columns(&self) -> u8 {
        self.get(COLUMNS).max(1)
    }

    fn lines(&self) -> u8 {
        self.get(LINES).clamp(1, MOST_LINES)
    }

    fn begins(&self, line: u8) -> bool {
        line >= MOST_LINES || self.get(BEGINS + u16::from(line / 8)) >> (line % 8) & 1 == 1
    }

    fn set_begins(&mut self, line: u8, begins: bool) {
        if line < MOST_LINES {
            let at = BEGINS + u16::from(line / 8);
            let others = self.get(at) & !(1 << (line % 8));
            self.set(at, others | u8::from(begins) << (line % 8));
        }
    }

    /// Where a column of the logical line is in video memory.
    fn place(&self, column: u8) -> u32 {
        let (columns, start) = (self.columns(), self.start());
        let line = start.wrapping_add(column / columns);
        TEXT & !0xffff | (TEXT + u32::from(line) * 256 + 2 * u32::from(column % columns)) & 0xffff
    }

    /// The character and the color in a column.
    pub(super) fn look(&self, column: u8) -> (u8, u8) {
        let at = self.place(column) as usize;
        let byte = |at: usize| self.bus.vera.vram().get(at).copied().unwrap_or(0);
        (byte(at), byte(at + 1))
    }

    /// Writes a column.
    pub(super) fn show(&mut self, column: u8, character: u8, color: u8) {
        let at = self.place(column);
        aim(self.bus, at);
        pour(self.bus, [character, color]);
    }

    /// Finds the logical line of the cursor, whose column is one of the screen.
    fn locate(&mut self) {
        let line = self.get(LINE);
        let start = self.first_of(line);
        let before = self.columns().wrapping_mul(line - start);
        self.set(COLUMN, self.get(COLUMN).wrapping_add(before));
        self.set(START, start);
        self.measure();
    }

    /// The line of the screen with which the logical line of another one begins.
    fn first_of(&self, line: u8) -> u8 {
        (1..=line).rev().find(|line| self.begins(*line)).unwrap_or(0)
    }

    /// Finds the last column of the logical line.
    fn measure(&mut self) {
        let (columns, start) = (self.columns(), self.start());
        let more = (start + 1..).take_while(|line| !self.begins(*line)).count().min(3) as u8;
        self.set(LAST, (columns - 1).saturating_add(columns.saturating_mul(more)));
    }

    /// Puts the cursor somewhere.
    pub(super) fn go_to(&mut self, line: u8, column: u8) {
        self.hide();
        self.set(LINE, line);
        self.set(COLUMN, column);
        self.locate();
    }

    fn home(&mut self) {
        self.go_to(0, 0);
    }

    /// Clears the screen.
    pub(super) fn clear(&mut self) {
        self.set(SHOWS, 0);
        (0..MOST_LINES / 8).for_each(|at| self.set(BEGINS + u16::from(at), 0xff));
        (0..self.lines()).rev().for_each(|line| self.clear_line(line));
        self.home();
    }

    fn clear_line(&mut self, line: u8) {
        let (columns, color) = (self.columns(), self.get(COLOR));
        aim(self.bus, TEXT + 256 * u32::from(line));
        pour(self.bus, std::iter::repeat_n([SPACE, color], columns.into()).flatten());
    }

    fn copy_line(&mut self, from: u8, to: u8) {
        let from = TEXT as usize + 256 * usize::from(from);
        let length = 2 * usize::from(self.columns());
        let line = self.bus.vera.vram().get(from..from + length).unwrap_or_default().to_vec();
        aim(self.bus, TEXT + 256 * u32::from(to));
        pour(self.bus, line);
    }

    /// Moves all up by the first logical line, and the cursor with them.
    fn scroll(&mut self) {
        for _ in 0..MOST_LINES {
            let lines = self.lines();
            for line in 1..lines {
                self.copy_line(line, line - 1);
            }
            self.clear_line(lines - 1);
            for line in 0..MOST_LINES {
                let next = self.begins(line + 1);
                self.set_begins(line, next);
            }
            self.set(LINE, self.get(LINE).wrapping_sub(1));
            self.set(INPUT_LINE, self.get(INPUT_LINE).wrapping_sub(1));
            if self.begins(0) {
                break;
            }
        }
    }

    /// Moves what is below a line down by one, and clears it; whether a logical line begins there, the caller says.
    fn push_down(&mut self, line: u8) {
        let lines = self.lines();
        for to in (line.saturating_add(1)..lines).rev() {
            self.copy_line(to - 1, to);
            let begins = self.begins(to - 1);
            self.set_begins(to, begins);
        }
        self.clear_line(line);
    }

    /// The first column of the next logical line, or the same one of it.
    fn next_line(&mut self) {
        self.set(INPUT_LINE, self.get(INPUT_LINE) >> 1);
        let mut line = self.get(LINE);
        loop {
            line = line.saturating_add(1);
            if line == self.lines() {
                self.set(LINE, line);
                self.scroll();
                line = self.get(LINE);
            }
            if self.begins(line) {
                break;
            }
        }
        self.set(LINE, line);
        self.locate();
    }

    /// The columns of a logical line at which lines of the screen begin, with `first` for the first line.
    fn edges(&self, first: u8) -> impl Iterator<Item = u8> + use<> {
        let columns = self.columns();
        std::iter::successors(Some(first), move |edge| edge.checked_add(columns)).take(MOST_ROWS)
    }

    /// The line of the screen, before the cursor moves right from a column: the next one at the right edge.
    fn leave(&mut self, column: u8) {
        let line = self.get(LINE);
        if self.edges(self.columns() - 1).any(|edge| edge == column) && line != self.lines() {
            self.set(LINE, line.wrapping_add(1));
        }
    }

    /// One to the right, in the same logical line or the next one. From a place that the logical line does not have, to the start of this line.
    fn right(&mut self) {
        let column = self.get(COLUMN);
        self.leave(column);
        match column < self.get(LAST) {
            true => self.set(COLUMN, column + 1),
            false => self.wrap(),
        }
    }

    /// To the start of the next logical line, after [`leave`](Editor::leave).
    fn wrap(&mut self) {
        self.set(LINE, self.get(LINE).wrapping_sub(1));
        self.next_line();
        self.set(COLUMN, 0);
    }

    /// One to the left; at the start of a logical line the end of the one before. False if there is none.
    fn left(&mut self) -> bool {
        let (column, line) = (self.get(COLUMN), self.get(LINE));
        if column > 0 {
            if self.edges(0).any(|edge| edge == column) {
                self.set(LINE, line.wrapping_sub(1));
            }
            self.set(COLUMN, column - 1);
            return true;
        }
        if line == 0 {
            return false;
        }
        self.set(LINE, line - 1);
        self.locate();
        self.set(COLUMN, self.get(LAST));
        true
    }

    fn down(&mut self) {
        let below = self.get(COLUMN).wrapping_add(self.columns());
        if below <= self.get(LAST) {
            self.set(COLUMN, below);
            self.set(LINE, self.get(LINE).wrapping_add(1));
        } else {
            self.set(COLUMN, below % self.columns());
            self.next_line();
        }
    }

    fn up(&mut self) {
        let (column, line) = (self.get(COLUMN), self.get(LINE));
        if line == 0 {
            self.push_down(0);
            self.set_begins(0, true);
            return self.locate();
        }
        self.set(LINE, line - 1);
        let above = column.checked_sub(self.columns());
        self.set(COLUMN, above.unwrap_or(column));
        // The KERNAL takes half of the columns for negative.
        if above.is_none_or(|above| above >= 0x80) {
            self.locate();
        }
    }

    /// After a character: the next column, for which the logical line may have to grow.
    fn advance(&mut self) {
        let (column, last) = (self.get(COLUMN), self.get(LAST));
        self.leave(column);
        self.set(COLUMN, column.wrapping_add(1));
        if column.wrapping_add(1) <= last {
            return;
        }
        match last >= LONGEST - 1 {
            true => self.wrap(),
            false => self.grow(self.get(LINE), self.get(TYPED) != 0),
        }
    }

    /// The logical line gets another line of the screen: this one, or a new one before it.
    fn grow(&mut self, next: u8, pushes: bool) {
        let mut next = next;
        if next >= self.lines() {
            let before = self.get(LINE);
            self.scroll();
            next = next.saturating_sub(before.wrapping_sub(self.get(LINE)));
        } else if pushes {
            self.push_down(next);
        }
        self.set_begins(next, false);
        self.set_begins(next.saturating_add(1), true);
        self.set(LAST, self.get(LAST).wrapping_add(self.columns()));
        self.set(START, self.first_of(next));
    }

    /// Moves a column of the logical line with its color.
    fn copy(&mut self, from: u8, to: u8) {
        let (character, color) = self.look(from);
        self.show(to, character, color);
    }

    /// Removes the character before the cursor; what follows in the logical line moves left. Where the line has no such place, columns are counted on
    /// from 255 to 0.
    fn delete(&mut self) {
        let at_start = self.get(COLUMN) == 0;
        if !self.left() {
            return;
        }
        let (first, last) = (self.get(COLUMN), self.get(LAST));
        // From the place that is removed on, at least one, unless it is the end of the line before.
        let moved = if at_start { 0 } else { u16::from(last.wrapping_sub(first).wrapping_sub(1)) + 1 };
        for to in (0..moved).map(|count| first.wrapping_add(count as u8)) {
            self.copy(to.wrapping_add(1), to);
        }
        self.show(last, SPACE, self.get(COLOR));
    }

    /// Makes room at the cursor.
    fn insert(&mut self) {
        let (column, last) = (self.get(COLUMN), self.get(LAST));
        if self.look(last).0 != SPACE || column == last {
            if last >= LONGEST - 1 {
                return;
            }
            let rows = last / self.columns() + 1;
            self.grow(self.start().saturating_add(rows), true);
        }
        let mut to = self.get(LAST);
        while to != column {
            self.copy(to.wrapping_sub(1), to);
            to = to.wrapping_sub(1);
        }
        self.show(column, SPACE, self.get(COLOR));
        self.set(INSERTED, self.get(INSERTED).saturating_add(1));
    }

    /// Prints a character that is on the screen as it is.
    fn put(&mut self, character: u8) {
        self.set(INSERTED, self.get(INSERTED).saturating_sub(1));
        self.show(self.get(COLUMN), character, self.get(COLOR));
        self.advance();
    }

    fn carriage_return(&mut self) {
        for at in [INSERTED, REVERSED, QUOTED, COLUMN] {
            self.set(at, 0);
        }
        self.next_line();
    }

    /// Prints a byte.
    pub(super) fn print(&mut self, byte: u8) {
        self.hide();
        if self.get(VERBATIM) != 0 {
            let character = self.character(byte);
            // In ISO mode it does not count as one of those for which there is room.
            let inserted = self.get(INSERTED).saturating_add(u8::from(self.is_iso()));
            self.set(INSERTED, inserted);
            self.put(character);
            return [VERBATIM, REVERSED, QUOTED].into_iter().for_each(|at| self.set(at, 0));
        }
        if byte == 0x80 {
            return self.set(VERBATIM, 0x80);
        }
        self.print_or_obey(byte);
        // Where room was made, quotation marks mean nothing.
        if self.get(INSERTED) != 0 {
            self.set(QUOTED, self.get(QUOTED) >> 1);
        }
    }

    /// The character of a byte that is not obeyed: control codes are reversed letters, but not in ISO mode.
    fn character(&self, byte: u8) -> u8 {
        let (is_control, is_iso) = (byte & 0x7f < 0x20, self.is_iso());
        let is_reversed = if is_control { !is_iso } else { self.get(REVERSED) != 0 };
        let character = if is_iso { byte } else { screen_code(byte) };
        character | if is_reversed { 0x80 } else { 0 }
    }

    fn print_or_obey(&mut self, byte: u8) {
        let is_control = byte & 0x7f < 0x20;
        let is_quoted = self.get(QUOTED) != 0;
        let stays = match byte {
            0x0d | 0x8d => false,
            0x14 => self.get(INSERTED) != 0,
            0x94 => is_quoted,
            _ => is_quoted || self.get(INSERTED) != 0,
        };
        if is_control && !stays {
            return self.control(byte);
        }
        if byte == b'"' {
            self.set(QUOTED, u8::from(!is_quoted));
        }
        self.put(self.character(byte));
    }

    fn control(&mut self, code: u8) {
        if let Some(color) = COLORS.iter().position(|own| *own == code) {
            self.set(COLOR, self.get(COLOR) & 0xf0 | color as u8);
            return;
        }
        match code {
            0x01 => self.set(COLOR, self.get(COLOR).rotate_left(4)),
            0x0d | 0x8d => self.carriage_return(),
            0x04 => self.end_of_line(),
            0x84 => self.go_to(self.lines() - 1, 0),
            0x08 => self.set(MODE, self.get(MODE) | 0x80),
            0x09 => self.set(MODE, self.get(MODE) & 0x7f),
            0x0e | 0x8e => self.choose_letters(code == 0x0e),
            0x0f | 0x8f => self.choose_iso(code == 0x0f),
            0x11 => self.down(),
            0x91 => self.up(),
            0x12 if self.is_iso() => {}
            0x12 => self.set(REVERSED, code),
            0x92 => self.set(REVERSED, 0),
            0x13 => self.home(),
            0x93 => self.clear(),
            0x14 => self.delete(),
            0x94 => self.insert(),
            0x19 => {
                self.right();
                self.delete();
            }
            0x1d => self.right(),
            0x9d => {
                self.left();
            }
            // The bell is silent, and keys have no place on the screen.
            _ => {}
        }
    }

    /// Behind the last character of the logical line, the first of which is not looked at; from a full line to the next one.
    fn end_of_line(&mut self) {
        let (last, mut line) = (self.get(LAST), self.start());
        let full = (1..=last).rev().find(|column| self.look(*column).0 != SPACE);
        let mut column = full.map_or(0, |full| full.wrapping_add(1));
        if column > last {
            column = 0;
            line = (line + 1..).find(|line| self.begins(*line)).unwrap_or(line);
            if line >= self.lines() {
                (line, column) = (self.lines() - 1, self.columns() - 1);
            }
        }
        self.go_to(line, column);
    }

    /// Columns of the logical line up to the last that is not a space.
    pub(super) fn length(&self) -> u8 {
        (0..=self.get(LAST))
            .rev()
            .find(|column| self.look(*column).0 != SPACE)
            .map_or(0, |column| column.saturating_add(1))
    }

    /// Small and capital letters, or capitals and graphics.
    fn choose_letters(&mut self, small: bool) {
        if !self.is_iso() {
            let number = self.get(MODE) & 0x0e | u8::from(small);
            characters(self.bus, number);
        }
    }

    fn choose_iso(&mut self, iso: bool) {
        let is_thin = self.get(MODE) & 4 != 0;
        let number = match (iso, is_thin) {
            (true, false) => 1,
            (true, true) => 6,
            (false, false) => 2,
            (false, true) => 4,
        };
        characters(self.bus, number);
        self.set(MODE, self.get(MODE) & !ISO | if iso { ISO } else { 0 });
        self.clear();
    }

    /// SHIFT and ALT change the character set, unless that is forbidden.
    pub(super) fn change_letters(&mut self) {
        if self.get(MODE) & (0x80 | ISO) == 0 {
            let number = self.get(MODE) & 0x0f ^ 1;
            characters(self.bus, number);
        }
    }
}

/// The character of a byte of PETSCII; control codes have those of the letters that stand for them.
fn screen_code(byte: u8) -> u8 {
    match byte {
        0..=0x1f => byte,
        0x20..=0x3f => byte,
        0x40..=0x5f => byte - 0x40,
        0x60..=0x7f => byte - 0x20,
        0x80..=0x9f => byte - 0x40,
        0xa0..=0xbf => byte - 0x40,
        0xc0..=0xfe => byte - 0x80,
        0xff => 0x5e,
    }
}

/// The byte of PETSCII that a character stands for; reversed ones are control codes between quotation marks.
pub(super) fn petscii_of(character: u8, is_quoted: bool) -> u8 {
    match character & 0x7f {
        code @ 0..=0x1f if is_quoted && character >= 0x80 => code,
        code @ 0x40..=0x5f if is_quoted && character >= 0x80 => code + 0x40,
        code @ 0..=0x1f => code + 0x40,
        code @ 0x20..=0x3f => code,
        0x5e => 0xff,
        code @ 0x40..=0x5f => code + 0x80,
        code => code + 0x40,
    }
}

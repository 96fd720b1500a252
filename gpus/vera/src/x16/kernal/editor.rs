//! The text on the screen and the cursor in it: what is printed, and what control codes do.
//!
//! Text has logical lines of up to 80 columns, of one line of the screen or more: what is printed beyond the right edge goes on in the next one.
//! What the editor remembers is in RAM where cc65's library looks for it; the codes are those of the Programmer's Reference
//! Guide, chapter 3.

use super::super::bus::Bus;
use super::screen::{TEXT, aim, characters, pour, undisturbed};

/// The mode of the screen.
pub(super) const MODE_OF_SCREEN: u16 = 0x0261;
/// The line of the screen with which the logical line begins, as the high byte of a pointer.
const START: u16 = 0x0263;
/// A bit for each line of the screen: a logical line begins there.
const BEGINS: u16 = 0x036a;
/// The character set in bits 3 to 0; bit 6 is set for ISO, bit 7 where SHIFT and ALT may not change it.
pub(super) const MODE: u16 = 0x0372;
/// The color under the cursor.
const COLOR_UNDER: u16 = 0x0373;
/// Not 0 while a character is typed: lines that grow then push others down.
pub(super) const TYPED: u16 = 0x0374;
/// The color of what is printed: background, foreground.
pub(super) const COLOR: u16 = 0x0376;
const REVERSED: u16 = 0x0377;
/// The cursor's place when input began: line, column.
pub(super) const INPUT_LINE: u16 = 0x0379;
pub(super) const INPUT_COLUMN: u16 = 0x037a;
/// Not 0 while the cursor is off.
pub(super) const NO_CURSOR: u16 = 0x037b;
/// Frames until the cursor changes.
const BLINK: u16 = 0x037c;
/// The character under the cursor.
const UNDER: u16 = 0x037d;
/// The cursor shows.
const SHOWS: u16 = 0x037e;
/// The column in the logical line.
pub(super) const COLUMN: u16 = 0x0380;
/// What is printed is between quotation marks.
pub(super) const QUOTED: u16 = 0x0381;
/// The last column of the logical line.
pub(super) const LAST: u16 = 0x0382;
/// The line of the screen.
pub(super) const LINE: u16 = 0x0383;
/// Places that INSERT has made.
const INSERTED: u16 = 0x0385;
pub(super) const COLUMNS: u16 = 0x0386;
pub(super) const LINES: u16 = 0x0387;
/// The next character is printed as it is.
const VERBATIM: u16 = 0x038a;

/// ISO.
const ISO: u8 = 0x40;
/// The longest logical line.
const LONGEST: u8 = 80;
/// What the cursor shows in ISO mode.
const ISO_CURSOR: u8 = 0x9f;
const SPACE: u8 = 0x20;
/// Lines of which the bits tell.
const MOST_LINES: u8 = 64;

/// The codes of colours 0 to 15.
static COLORS: [u8; 16] =
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
        let line = u32::from(start) + u32::from(column / columns);
        TEXT + line * 256 + 2 * u32::from(column % columns)
    }

    /// The character and the color in a column.
    pub(super) fn look(&self, column: u8) -> (u8, u8) {
        let at = self.place(column) as usize;
        let byte = |at: usize| self.bus.vera.vram().get(at).copied().unwrap_or(0);
        (byte(at), byte(at + 1))
    }

    /// Writes a column.
    fn show(&mut self, column: u8, character: u8, color: u8) {
        let at = self.place(column);
        aim(self.bus, at);
        pour(self.bus, [character, color]);
    }

    /// Takes the cursor off the text.
    pub(super) fn hide(&mut self) {
        if self.get(SHOWS) != 0 {
            self.set(SHOWS, 0);
            let (character, color) = (self.get(UNDER), self.get(COLOR_UNDER));
            self.show(self.get(COLUMN), character, color);
        }
    }

    /// Finds the logical line of the cursor, whose column is one of the screen.
    fn locate(&mut self) {
        let (columns, mut start) = (self.columns(), self.get(LINE));
        while start > 0 && !self.begins(start) {
            start -= 1;
            self.set(COLUMN, self.get(COLUMN).saturating_add(columns));
        }
        self.set(START, start);
        self.measure();
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

    /// Moves what is below a line down by one, and clears it; it belongs to the logical line before.
    fn push_down(&mut self, line: u8) {
        let lines = self.lines();
        for to in (line.saturating_add(1)..lines).rev() {
            self.copy_line(to - 1, to);
            let begins = self.begins(to - 1);
            self.set_begins(to, begins);
        }
        self.clear_line(line);
        self.set_begins(line, false);
    }

    /// The first column of the next logical line, or the same one of it.
    fn next_line(&mut self) {
        self.set(INPUT_LINE, self.get(INPUT_LINE) >> 1);
        let mut line = self.get(LINE);
        loop {
            line = line.saturating_add(1);
            if line >= self.lines() {
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

    /// The cursor is at the right edge of the screen.
    fn is_at_edge(&self) -> bool {
        self.get(COLUMN) % self.columns() == self.columns() - 1
    }

    /// One to the right, in the same logical line or the next one.
    fn right(&mut self) {
        let column = self.get(COLUMN);
        if column >= self.get(LAST) {
            self.set(COLUMN, 0);
            return self.next_line();
        }
        if self.is_at_edge() {
            self.set(LINE, self.get(LINE).saturating_add(1));
        }
        self.set(COLUMN, column + 1);
    }

    /// One to the left; at the start of a logical line the end of the one before. False if there is none.
    fn left(&mut self) -> bool {
        let (column, line) = (self.get(COLUMN), self.get(LINE));
        if column > 0 {
            if column.is_multiple_of(self.columns()) {
                self.set(LINE, line.saturating_sub(1));
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
        let (column, columns) = (self.get(COLUMN), self.columns());
        if column.saturating_add(columns) <= self.get(LAST) {
            self.set(COLUMN, column.saturating_add(columns));
            self.set(LINE, self.get(LINE).saturating_add(1));
        } else {
            self.set(COLUMN, column % columns);
            self.next_line();
        }
    }

    fn up(&mut self) {
        let (column, line, columns) = (self.get(COLUMN), self.get(LINE), self.columns());
        if line == 0 {
            self.push_down(0);
            self.set_begins(0, true);
            self.set(COLUMN, column % columns);
            self.locate();
        } else if column >= columns {
            self.set(LINE, line - 1);
            self.set(COLUMN, column - columns);
        } else {
            self.set(LINE, line - 1);
            self.locate();
        }
    }

    /// After a character: the next column, for which the logical line may have to grow.
    fn advance(&mut self) {
        let last = self.get(LAST);
        if self.get(COLUMN) < last {
            return self.right();
        }
        if last >= LONGEST - 1 {
            self.set(COLUMN, 0);
            return self.next_line();
        }
        self.grow(self.get(TYPED) != 0);
        self.set(LINE, self.get(LINE).saturating_add(1));
        self.set(COLUMN, last + 1);
    }

    /// The logical line gets another line of the screen: the next one, or a new one before that.
    fn grow(&mut self, pushes: bool) {
        let columns = self.columns();
        let mut end = self.start().saturating_add(self.get(LAST) / columns).min(MOST_LINES);
        if end + 1 >= self.lines() {
            let before = self.get(LINE);
            self.scroll();
            let lines = before.wrapping_sub(self.get(LINE));
            end = end.saturating_sub(lines);
            self.set(START, self.start().saturating_sub(lines));
        } else if pushes {
            self.push_down(end + 1);
        }
        self.set_begins(end + 1, false);
        self.set_begins(end.saturating_add(2), true);
        self.measure();
    }

    /// Removes the character before the cursor; what follows in the logical line moves left.
    fn delete(&mut self) {
        let at_start = self.get(COLUMN) == 0;
        if !self.left() {
            return;
        }
        let (column, last) = (self.get(COLUMN), self.get(LAST));
        for to in column..if at_start { column } else { last } {
            let (character, color) = self.look(to + 1);
            self.show(to, character, color);
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
            self.grow(true);
        }
        for to in (column.saturating_add(1)..=self.get(LAST)).rev() {
            let (character, color) = self.look(to - 1);
            self.show(to, character, color);
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

    /// Behind the last character of the logical line.
    fn end_of_line(&mut self) {
        let length = self.length();
        let column = length.min(self.get(LAST));
        self.set(LINE, self.start().saturating_add(column / self.columns()));
        self.set(COLUMN, column);
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

    /// A frame is over: the cursor blinks.
    fn tick(&mut self) {
        let left = self.get(BLINK).wrapping_sub(1);
        self.set(BLINK, left);
        if left != 0 {
            return;
        }
        self.set(BLINK, 20);
        if self.get(SHOWS) != 0 {
            return self.hide();
        }
        let (character, color) = self.look(self.get(COLUMN));
        self.set(UNDER, character);
        self.set(COLOR_UNDER, color);
        self.set(SHOWS, 1);
        let cursor = if self.is_iso() { ISO_CURSOR } else { character ^ 0x80 };
        self.show(self.get(COLUMN), cursor, self.get(COLOR));
    }

    /// The cursor blinks from now on.
    pub(super) fn await_key(&mut self) {
        self.set(NO_CURSOR, 0);
        self.set(TYPED, 0);
    }
}

/// VSYNC: the cursor blinks if there is one.
pub(super) fn blink(bus: &mut Bus) {
    if bus.peek(NO_CURSOR) == 0 {
        undisturbed(bus, |bus| Editor::new(bus).tick());
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

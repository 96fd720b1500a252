//! Addresses of the editor's variables in RAM. Programs and cc65's library use them.

/// The mode of the screen.
pub(super) const MODE_OF_SCREEN: u16 = 0x0261;
/// The line of the screen with which the logical line begins, as the high byte of a pointer.
pub(super) const START: u16 = 0x0263;
/// A bit for each line of the screen: a logical line begins there.
pub(super) const BEGINS: u16 = 0x036a;
/// The character set in bits 3 to 0; bit 6 is set for ISO, bit 7 where SHIFT and ALT may not change it.
pub(super) const MODE: u16 = 0x0372;
/// The color under the cursor.
pub(super) const COLOR_UNDER: u16 = 0x0373;
/// Not 0 while a character is typed: lines that grow then push others down.
pub(super) const TYPED: u16 = 0x0374;
/// The color of what is printed: background, foreground.
pub(super) const COLOR: u16 = 0x0376;
pub(super) const REVERSED: u16 = 0x0377;
/// The cursor's place when input began: line, column.
pub(super) const INPUT_LINE: u16 = 0x0379;
pub(super) const INPUT_COLUMN: u16 = 0x037a;
/// Not 0 while the cursor is off.
pub(super) const NO_CURSOR: u16 = 0x037b;
/// Frames until the cursor changes.
pub(super) const BLINK: u16 = 0x037c;
/// The character under the cursor.
pub(super) const UNDER: u16 = 0x037d;
/// The cursor shows.
pub(super) const SHOWS: u16 = 0x037e;
/// The column in the logical line.
pub(super) const COLUMN: u16 = 0x0380;
/// Characters are printed between quotation marks.
pub(super) const QUOTED: u16 = 0x0381;
/// The last column of the logical line.
pub(super) const LAST: u16 = 0x0382;
/// The line of the screen.
pub(super) const LINE: u16 = 0x0383;
/// Places that INSERT has made.
pub(super) const INSERTED: u16 = 0x0385;
pub(super) const COLUMNS: u16 = 0x0386;
pub(super) const LINES: u16 = 0x0387;
/// The next character is printed as it is.
pub(super) const VERBATIM: u16 = 0x038a;

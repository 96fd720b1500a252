//! Fonts of the graphics routines: the program's, in the format of GEOS, or our own in the same format.
//!
//! A font has the row of its base line, the bytes of a row of all characters side by side, its height, and two offsets: to where
//! each character begins in a row, in bits, and to the rows.

use super::register;
use crate::board::bus::Bus;
use gpuzoo_65c02::Cpu;
use gpuzoo_stored::stored;
use std::sync::LazyLock;

/// The first character, and how many a font has.
pub(super) const FIRST: u8 = 0x20;
const COUNT: u16 = 97;
/// Rows of our own font.
const HEIGHT: usize = 9;
const BASELINE: u8 = 6;
const HEADER: u16 = 8;

/// What the header of the chosen font says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Font {
    /// 0 is our own.
    address: u16,
    pub baseline: u8,
    row: u16,
    pub height: u8,
    index: u16,
    rows: u16,
}

stored! { Font { address, baseline, row, height, index, rows } }

/// Our own font, drawn in `letters.txt`.
static OWN: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut letters: Vec<[&str; HEIGHT]> = Vec::new();
    let mut row = 0;
    for line in include_str!("letters.txt").lines().filter(|line| !line.starts_with("# ")) {
        if let Some(names) = line.strip_prefix("= ") {
            letters.extend(names.split(' ').map(|_| [""; HEIGHT]));
            row = 0;
            continue;
        }
        let pixels: Vec<&str> = line.split(' ').collect();
        let first = letters.len() - pixels.len();
        for (letter, pixels) in letters.iter_mut().skip(first).zip(pixels) {
            letter[row % HEIGHT] = pixels;
        }
        row += 1;
    }
    let bits: usize = letters.iter().map(|letter| letter[0].len()).sum();
    let row_bytes = bits.div_ceil(8);
    let [low, high, ..] = row_bytes.to_le_bytes();
    let [rows_low, rows_high] = (HEADER + 2 * (COUNT + 1)).to_le_bytes();
    let mut bytes = vec![BASELINE, low, high, HEIGHT as u8, HEADER as u8, 0, rows_low, rows_high];
    let mut begin = 0u16;
    for letter in &letters {
        bytes.extend(begin.to_le_bytes());
        begin += letter[0].len() as u16;
    }
    bytes.extend(begin.to_le_bytes());
    for row in 0..HEIGHT {
        let pixels: Vec<u8> = letters.iter().flat_map(|letter| letter[row].bytes()).collect();
        bytes.extend(pixels.chunks(8).map(|eight| {
            eight.iter().zip((0..8).rev()).map(|(pixel, bit)| u8::from(*pixel == b'#') << bit).sum::<u8>()
        }));
    }
    bytes
});

impl Font {
    fn is_own(&self) -> bool {
        self.address == 0
    }

    fn byte(&self, bus: &Bus, at: u16) -> u8 {
        match self.is_own() {
            true => OWN.get(usize::from(at)).copied().unwrap_or(0),
            false => bus.peek(at),
        }
    }

    /// Where a character begins in a row. The KERNAL's index is a byte: $A0 is $20 again, and so on.
    fn begin(&self, bus: &Bus, character: u8) -> u16 {
        let at = |offset: u8| {
            self.byte(
                bus,
                self.index
                    .wrapping_add(character.wrapping_sub(FIRST).wrapping_mul(2).wrapping_add(offset).into()),
            )
        };
        u16::from_le_bytes([at(0), at(1)])
    }

    /// Columns of a character.
    pub fn width(&self, bus: &Bus, character: u8) -> u8 {
        let [begin, end] = [character, character.wrapping_add(1)].map(|one| self.begin(bus, one) as u8);
        end.wrapping_sub(begin)
    }

    /// The pixels of a character: rows of columns.
    pub fn pixels(&self, bus: &Bus, character: u8) -> Vec<Vec<bool>> {
        let (begin, width) = (self.begin(bus, character), self.width(bus, character));
        let pixel = |row: u8, column: u8| {
            let at = begin.wrapping_add(column.into());
            let line = self.rows.wrapping_add(self.row.wrapping_mul(row.into()));
            self.byte(bus, line.wrapping_add(at / 8)) & 0x80 >> (at % 8) != 0
        };
        (0..self.height).map(|row| (0..width).map(|column| pixel(row, column)).collect()).collect()
    }
}

/// GRAPH_SET_FONT: the one at r0; 0 is ours.
pub(in super::super) fn set(bus: &mut Bus, _: &mut Cpu) {
    choose(bus, bus.word(register(0)));
}

pub(super) fn choose(bus: &mut Bus, address: u16) {
    let font = Font { address, ..Font::default() };
    let byte = |at: u16| font.byte(bus, address.wrapping_add(at));
    let word = |at: u16| u16::from_le_bytes([byte(at), byte(at + 1)]);
    bus.kernal.graphics.font = Font {
        address,
        baseline: byte(0),
        row: word(1),
        height: byte(3),
        index: address.wrapping_add(word(4)),
        rows: address.wrapping_add(word(6)),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As wide as the KERNAL's letters, so that text is where it is with the ROM, and all of them drawn.
    #[test]
    fn letters_are_as_wide_as_the_kernals() {
        let widths = "3 2 4 6 6 9 7 2 4 4 6 6 2 4 2 6 5 3 5 5 5 5 5 5 5 5 2 3 6 6 6 5 \
                      8 6 6 6 6 5 5 6 6 2 5 6 5 8 6 6 5 6 6 6 6 6 6 10 6 6 5 3 6 3 6 6 \
                      3 5 5 5 5 5 5 5 5 2 3 5 2 8 5 5 5 5 5 5 4 5 6 8 6 6 5 4 2 4 6 2 12";
        let begin = |at: usize| {
            let at = usize::from(HEADER) + 2 * at;
            u16::from_le_bytes([OWN[at], OWN[at + 1]])
        };
        let own: Vec<String> =
            (0..usize::from(COUNT)).map(|at| (begin(at + 1) - begin(at)).to_string()).collect();
        assert_eq!(own, widths.split_whitespace().collect::<Vec<_>>());
        assert_eq!(OWN.len(), usize::from(HEADER + 2 * (COUNT + 1)) + HEIGHT * 62);
        // The space and DEL are empty, and of the others only I and l look the same.
        let shape = |at: usize| {
            let pixel =
                |row: usize, bit: u16| OWN[204 + 62 * row + usize::from(bit / 8)] & 0x80 >> (bit % 8) != 0;
            let columns = begin(at)..begin(at + 1);
            (0..HEIGHT)
                .map(|row| columns.clone().map(|bit| pixel(row, bit)).collect())
                .collect::<Vec<Vec<bool>>>()
        };
        let shapes: Vec<_> = (0..usize::from(COUNT)).map(shape).collect();
        let is_empty = |at: &usize| shapes[*at].iter().flatten().all(|pixel| !pixel);
        assert_eq!((0..97).filter(is_empty).collect::<Vec<_>>(), [0, 95]);
        let twice = (0..97).filter(|at| shapes[..*at].contains(&shapes[*at])).collect::<Vec<_>>();
        assert_eq!(twice, [usize::from(b'l' - FIRST)]);
    }
}

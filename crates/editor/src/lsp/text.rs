//! A document's text, and its places as the protocol counts them: lines from 0, and UTF-16 units in a line.

use serde_json::{Value as Json, json};
use std::ops::Range;

/// A text with the places where its lines begin.
///
/// ```
/// use gpuzoo_editor::lsp::Text;
/// let text = Text::new("a\n\u{1F600}b\n");
/// // The emoji is four bytes and two units.
/// assert_eq!(text.offset(1, 2), 6);
/// assert_eq!(text.place(6), (1, 2));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Text {
    text: String,
    starts: Vec<usize>,
    /// UTF-16 units before each byte whose number is a multiple of [`STEP`]: places on a long line cost no more than others.
    units: Vec<usize>,
}

/// Bytes between two counts of UTF-16 units.
const STEP: usize = 256;

/// UTF-16 units of the characters that begin in these bytes: two for those of four bytes, else one.
fn units(bytes: &[u8]) -> usize {
    bytes.iter().map(|&byte| usize::from(byte & 0xc0 != 0x80) + usize::from(byte >= 0xf0)).sum()
}

impl Text {
    /// A text. Lines end with `\n`, `\r\n` or `\r`.
    pub fn new(text: impl Into<String>) -> Text {
        let text = text.into();
        let bytes = text.as_bytes();
        let ends = (0..bytes.len()).filter(|at| match bytes[*at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        });
        let starts = std::iter::once(0).chain(ends.map(|at| at + 1)).collect();
        let units = bytes.chunks(STEP).scan(0, |before, chunk| {
            let own = *before;
            *before += units(chunk);
            Some(own)
        });
        Text { units: units.collect(), starts, text }
    }

    /// All of it.
    pub fn all(&self) -> &str {
        &self.text
    }

    /// How many lines there are; behind a last line break there is an empty one.
    pub fn lines(&self) -> usize {
        self.starts.len().max(1)
    }

    /// The bytes of a line without its line break; empty behind the last one.
    pub fn line(&self, line: usize) -> Range<usize> {
        let start = |line: usize| self.starts.get(line).copied().unwrap_or(self.text.len());
        let text = self.text.get(start(line)..start(line.saturating_add(1))).unwrap_or("");
        let text = text.strip_suffix('\n').unwrap_or(text);
        start(line)..start(line) + text.strip_suffix('\r').unwrap_or(text).len()
    }

    /// The byte of a place. Behind the end of a line it is that end; inside of a character, its beginning.
    pub fn offset(&self, line: usize, unit: usize) -> usize {
        let Range { start, end } = self.line(line);
        let mut units = 0;
        for (at, letter) in self.text.get(start..end).unwrap_or("").char_indices() {
            units += letter.len_utf16();
            if units > unit {
                return start + at;
            }
        }
        end
    }

    /// Line and unit of a byte, which is the text's end at most.
    pub fn place(&self, offset: usize) -> (usize, usize) {
        let at = self.text.floor_char_boundary(offset);
        let line = self.starts.partition_point(|start| *start <= at).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or(0);
        (line, self.units_before(at) - self.units_before(start))
    }

    fn units_before(&self, at: usize) -> usize {
        let mark = (at / STEP).min(self.units.len().saturating_sub(1));
        let rest = self.text.as_bytes().get(mark * STEP..at).unwrap_or(&[]);
        self.units.get(mark).copied().unwrap_or(0) + units(rest)
    }

    /// The range of some bytes, as the protocol writes it.
    pub fn range(&self, bytes: Range<usize>) -> Json {
        let place = |offset| {
            let (line, character) = self.place(offset);
            json!({ "line": line, "character": character })
        };
        json!({ "start": place(bytes.start), "end": place(bytes.end) })
    }

    /// The byte of a position; none for what is no position.
    pub fn position(&self, position: &Json) -> Option<usize> {
        let number = |name: &str| usize::try_from(position.get(name)?.as_u64()?).ok();
        Some(self.offset(number("line")?, number("character")?))
    }

    /// The bytes of a range; none for what is no range. One whose end is before its start is empty.
    pub fn bytes(&self, range: &Json) -> Option<Range<usize>> {
        let [start, end] = [self.position(range.get("start")?)?, self.position(range.get("end")?)?];
        Some(start..end.max(start))
    }

    /// The text with another one in place of a range, or of all.
    pub fn changed(&self, range: Option<Range<usize>>, new: &str) -> Text {
        match range {
            Some(Range { start, end }) => {
                let [before, behind] =
                    [self.text.get(..start), self.text.get(end..)].map(Option::unwrap_or_default);
                Text::new([before, new, behind].concat())
            }
            None => Text::new(new),
        }
    }
}

/// The byte at which the word begins that ends at a byte.
pub(crate) fn word_start(text: &str, at: usize) -> usize {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '@';
    text.get(..at).map_or(at, |before| before.trim_end_matches(is_word).len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A character of each length in UTF-8 and UTF-16, and every line break.
    #[test]
    fn places_and_offsets_are_each_others_inverse() {
        let text = Text::new("aé\u{20ac}\u{1F600}z\r\nb\rc\n\n\u{1F600}");
        for (at, letter) in text.all().char_indices() {
            if letter != '\n' || at == 0 || text.all().as_bytes()[at - 1] != b'\r' {
                let (line, unit) = text.place(at);
                assert_eq!(text.offset(line, unit), at, "{at}");
            }
        }
        assert_eq!(text.lines(), 5);
        assert_eq!(text.place(1 + 2 + 3), (0, 3));
        assert_eq!(text.place(1 + 2 + 3 + 4), (0, 5));
        // Between the two halves of the emoji: its beginning.
        assert_eq!(text.offset(0, 4), 6);
        // Behind the end of a line, and of the text.
        assert_eq!(&text.all()[text.line(0)], "aé\u{20ac}\u{1F600}z");
        assert_eq!(text.offset(0, 99), 11);
        assert_eq!(text.offset(99, 0), text.all().len());
        assert_eq!(text.place(999), (4, 2));
    }

    #[test]
    fn places_on_a_long_line_count_as_on_a_short_one() {
        let text = Text::new(format!("x\n{}", "aé\u{20ac}\u{1F600}".repeat(200)));
        for (at, _) in text.all().char_indices().skip(2) {
            assert_eq!(text.place(at), (1, text.all()[2..at].encode_utf16().count()));
        }
    }

    #[test]
    fn changes_replace_what_was_there() {
        let text = Text::new("ld r0 \u{1F600}0\nend\n");
        let range = json!({ "start": { "line": 0, "character": 6 }, "end": { "line": 1, "character": 1 } });
        let bytes = text.bytes(&range).unwrap();
        assert_eq!(text.changed(Some(bytes), "1\n e").all(), "ld r0 1\n end\n");
        assert_eq!(text.changed(None, "x").all(), "x");
        let backward =
            json!({ "start": { "line": 1, "character": 0 }, "end": { "line": 0, "character": 0 } });
        assert_eq!(text.bytes(&backward), Some(12..12));
        assert_eq!(text.bytes(&json!({ "start": 1 })), None);
        assert_eq!(text.position(&json!({ "line": -1, "character": 0 })), None);
    }
}

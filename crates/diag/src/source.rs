//! Source files, byte ranges in them, and lines and columns.

use crate::work::spend;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

/// The largest source text that is accepted: 64 MiB. Spans are 32-bit, and no shader is longer by accident.
pub const MAX_SOURCE_BYTES: usize = 64 << 20;

/// Names a file of a [`Sources`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A byte range in a file. `start == end` marks a place between two bytes, such as the end of the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The file that the range lies in.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The smallest span that holds both; `other` must lie in the same file.
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty span at the end of this one.
    pub fn after(self) -> Span {
        Span { start: self.end, ..self }
    }

    /// The range for indexing the file's text.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A place for people: 1-based line, and the 1-based column counted in UTF-8 bytes and in UTF-16 units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in UTF-8 bytes, from 1.
    pub column: usize,
    /// Column in UTF-16 code units, from 1, as editors that speak LSP count.
    pub column_utf16: usize,
}

/// One source: its name and its text (or, for a binary file, its length alone).
#[derive(Clone, Debug)]
pub struct File {
    id: FileId,
    name: String,
    text: String,
    binary: bool,
    /// Made for the first place that is asked for: nothing is said of most files.
    index: OnceLock<Index>,
    /// What lies before a part of a file: lines, and bytes.
    before: (usize, u64),
}

/// Where lines begin.
#[derive(Clone, Debug)]
struct Index {
    line_starts: Vec<u32>,
    /// UTF-16 units before each byte whose number is a multiple of [`STEP`], so that a place on a line of megabytes costs
    /// no more than one on a short line.
    units: Vec<u32>,
}

impl Index {
    fn new(text: &str) -> Index {
        let line_starts =
            std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1)).collect();
        let units = text.as_bytes().chunks(STEP).scan(0, |before, chunk| {
            let own = *before;
            *before += utf16_units(chunk);
            Some(own)
        });
        Index { line_starts, units: units.collect() }
    }
}

impl File {
    /// A file that belongs to no [`Sources`]; its id is 0.
    pub fn new(name: &str, text: &str) -> File {
        File::with_id(FileId(0), name, text.to_owned(), false)
    }

    fn with_id(id: FileId, name: &str, text: String, binary: bool) -> File {
        spend(text.len());
        File { id, name: name.to_owned(), binary, index: OnceLock::new(), text, before: (0, 0) }
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::new(&self.text))
    }

    /// The id that spans of this file carry.
    pub fn id(&self) -> FileId {
        self.id
    }

    /// The name given by the user.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text; empty for a binary file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// True for a file whose spans count bytes that are not text.
    pub fn is_binary(&self) -> bool {
        self.binary
    }

    /// The place of a byte offset in the whole file, of which this may be a part.
    pub fn offset(&self, offset: u32) -> u64 {
        self.before.1 + u64::from(offset)
    }

    /// The span of a byte range of this file.
    pub fn span(&self, range: Range<usize>) -> Span {
        Span { file: self.id, start: range.start as u32, end: range.end as u32 }
    }

    /// The span of the whole file.
    pub fn whole(&self) -> Span {
        self.span(0..self.text.len())
    }

    /// The text of a span; empty where the span does not fit the text.
    pub fn slice(&self, span: Span) -> &str {
        let text = self.text.get(span.range()).unwrap_or("");
        spend(text.len());
        text
    }

    /// Line and column of a byte offset. An offset past the end, or inside a character, counts as the last place
    /// before it.
    pub fn place(&self, offset: u32) -> Place {
        let at = self.text.floor_char_boundary(offset as usize);
        let line = self.index_of_line(at);
        let start = self.index().line_starts[line] as usize;
        let column_utf16 = (self.units_before(at) - self.units_before(start)) as usize + 1;
        Place { line: line + self.before.0 + 1, column: at - start + 1, column_utf16 }
    }

    /// The text of a 1-based line without its line break; empty where there is no such line.
    pub fn line(&self, line: usize) -> &str {
        let index = line.wrapping_sub(self.before.0).wrapping_sub(1);
        if index >= self.index().line_starts.len() {
            return "";
        }
        let text = &self.text[self.line_range(index)];
        let text = text.strip_suffix('\n').unwrap_or(text);
        text.strip_suffix('\r').unwrap_or(text)
    }

    /// Which line, from 0, a byte of the text is on.
    pub(crate) fn index_of_line(&self, at: usize) -> usize {
        self.index().line_starts.partition_point(|&start| start as usize <= at) - 1
    }

    /// The bytes of a line, counted from 0, with its line break; empty behind the last one.
    pub(crate) fn line_range(&self, index: usize) -> Range<usize> {
        let start =
            |index: usize| self.index().line_starts.get(index).map_or(self.text.len(), |&at| at as usize);
        start(index)..start(index + 1)
    }

    fn units_before(&self, at: usize) -> u32 {
        let mark = (at / STEP).min(self.index().units.len().saturating_sub(1));
        let rest = &self.text.as_bytes()[mark * STEP..at];
        spend(rest.len());
        self.index().units.get(mark).copied().unwrap_or(0) + utf16_units(rest)
    }
}

/// Bytes between two counts of UTF-16 units.
const STEP: usize = 256;

/// UTF-16 units of the characters that begin in these bytes: two for those of four bytes, else one.
fn utf16_units(bytes: &[u8]) -> u32 {
    bytes.iter().map(|&byte| u32::from(byte & 0xc0 != 0x80) + u32::from(byte >= 0xf0)).sum()
}

/// Every file that was read, by id.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<File>,
}

impl Sources {
    /// Adds a text and returns its id.
    pub fn add(&mut self, name: &str, text: &str) -> FileId {
        self.push(name, text.to_owned(), false)
    }

    /// Adds a binary file: spans of it count bytes, and diagnostics show offsets in place of lines.
    pub fn add_binary(&mut self, name: &str) -> FileId {
        self.push(name, String::new(), true)
    }

    /// Says that a file is a part of one that is read piece by piece, behind so many lines and bytes, which are counted on.
    ///
    /// ```
    /// use gpuzoo_diag::Sources;
    /// let mut sources = Sources::default();
    /// let id = sources.add("v.csv", "5\n6\n");
    /// sources.begins_behind(id, 4, 8);
    /// let part = sources.get(id);
    /// assert_eq!((part.place(2).line, part.line(6), part.offset(2)), (6, "6", 10));
    /// sources.take_back(id);
    /// assert!(sources.find(id).is_none());
    /// ```
    pub fn begins_behind(&mut self, id: FileId, lines: usize, bytes: u64) {
        if let Some(file) = self.files.get_mut(id.0 as usize) {
            file.before = (lines, bytes);
        }
    }

    /// Removes the file that was added last, of which nothing is to be said.
    pub fn take_back(&mut self, id: FileId) {
        if id.0 as usize + 1 == self.files.len() {
            self.files.pop();
        }
    }

    fn push(&mut self, name: &str, text: String, binary: bool) -> FileId {
        let id = FileId(self.files.len() as u32);
        self.files.push(File::with_id(id, name, text, binary));
        id
    }

    /// The file of an id that this `Sources` gave out.
    ///
    /// # Panics
    /// If the id comes from another `Sources`.
    pub fn get(&self, id: FileId) -> &File {
        &self.files[id.0 as usize]
    }

    /// The file of an id, if it is one of ours.
    pub fn find(&self, id: FileId) -> Option<&File> {
        self.files.get(id.0 as usize)
    }

    /// All files, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &File> {
        self.files.iter()
    }
}

impl<'a> From<&'a Sources> for Cow<'a, Sources> {
    fn from(sources: &'a Sources) -> Cow<'a, Sources> {
        Cow::Borrowed(sources)
    }
}

impl From<Sources> for Cow<'_, Sources> {
    fn from(sources: Sources) -> Self {
        Cow::Owned(sources)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_both_columns() {
        let file = File::new("t", "a\n\u{1F600}b\r\n");
        assert_eq!(file.place(0), Place { line: 1, column: 1, column_utf16: 1 });
        // The emoji is four bytes and two UTF-16 units.
        assert_eq!(file.place(6), Place { line: 2, column: 5, column_utf16: 3 });
        // Inside the emoji and past the end: the last place before.
        assert_eq!(file.place(4), Place { line: 2, column: 1, column_utf16: 1 });
        assert_eq!(file.place(99).line, 3);
        assert_eq!(file.line(2), "\u{1F600}b");
        assert_eq!(file.line(0), "");
        assert_eq!(file.line(9), "");
    }

    /// A character of each length, again and again on one line: every place is what counting from its start gives.
    #[test]
    fn places_on_a_long_line_count_as_on_a_short_one() {
        let text = format!("first\r\n{}\nlast", "a\u{e9}\u{20ac}\u{1F600}".repeat(200));
        let file = File::new("t", &text);
        let start = "first\r\n".len();
        for (at, _) in text.char_indices().filter(|&(at, _)| at >= start && at < text.len() - 4) {
            let before = &text[start..at];
            let column_utf16 = before.encode_utf16().count() + 1;
            assert_eq!(file.place(at as u32), Place { line: 2, column: before.len() + 1, column_utf16 });
        }
        assert_eq!(file.place(text.len() as u32), Place { line: 3, column: 5, column_utf16: 5 });
    }

    /// Of a line of a megabyte, no more than a step is looked at for a place.
    #[test]
    #[cfg(debug_assertions)]
    fn a_place_on_a_long_line_costs_no_more_than_elsewhere() {
        let file = File::new("t", &"\u{e9}".repeat(500_000));
        let before = crate::work::spent();
        file.place(999_998);
        assert!(crate::work::spent() - before <= 2 * STEP as u64);
    }

    #[test]
    fn spans_join_and_slice() {
        let file = File::new("t", "add r0 r1");
        let span = file.span(0..3).to(file.span(4..6));
        assert_eq!(file.slice(span), "add r0");
        assert_eq!(file.slice(file.span(5..99)), "");
        assert_eq!(span.after(), file.span(6..6));
    }
}

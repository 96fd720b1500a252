//! Source files, byte ranges in them, and lines and columns.

use std::ops::Range;

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
    line_starts: Vec<u32>,
    /// What lies before a part of a file: lines, and bytes.
    before: (usize, u64),
}

impl File {
    /// A file that belongs to no [`Sources`]; its id is 0.
    pub fn new(name: &str, text: &str) -> File {
        File::with_id(FileId(0), name, text.to_owned(), false)
    }

    fn with_id(id: FileId, name: &str, text: String, binary: bool) -> File {
        let line_starts =
            std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1)).collect();
        File { id, name: name.to_owned(), text, binary, line_starts, before: (0, 0) }
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
        self.text.get(span.range()).unwrap_or("")
    }

    /// Line and column of a byte offset. An offset past the end, or inside a character, counts as the last place
    /// before it.
    pub fn place(&self, offset: u32) -> Place {
        let mut at = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        let line = self.line_starts.partition_point(|&start| start as usize <= at) - 1;
        let before = &self.text[self.line_starts[line] as usize..at];
        let line = line + self.before.0;
        Place { line: line + 1, column: before.len() + 1, column_utf16: before.encode_utf16().count() + 1 }
    }

    /// The text of a 1-based line without its line break; empty where there is no such line.
    pub fn line(&self, line: usize) -> &str {
        let line = line.wrapping_sub(self.before.0);
        let Some(&start) = line.checked_sub(1).and_then(|index| self.line_starts.get(index)) else {
            return "";
        };
        let end = self.line_starts.get(line).map_or(self.text.len(), |&next| next as usize);
        self.text[start as usize..end].trim_end_matches(['\n', '\r'])
    }
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

    #[test]
    fn spans_join_and_slice() {
        let file = File::new("t", "add r0 r1");
        let span = file.span(0..3).to(file.span(4..6));
        assert_eq!(file.slice(span), "add r0");
        assert_eq!(file.slice(file.span(5..99)), "");
        assert_eq!(span.after(), file.span(6..6));
    }
}

//! naga's spans are of one text; those of a source and the files that it includes are numbered one behind the other.

use gpuzoo_diag::{FileId, Sources, Span};

/// From naga's spans to those of the sources, and back.
///
/// The source itself begins at 0, so that its spans are the same in both.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// Where files begin, in order.
    starts: Vec<(u32, FileId)>,
}

impl Places {
    /// The places of files, one behind the other, with one more place at the end of each.
    pub fn new(sources: &Sources, files: &[FileId]) -> Places {
        let mut starts = Vec::with_capacity(files.len());
        let mut start = 0_u32;
        for file in files {
            starts.push((start, *file));
            let length = sources.find(*file).map_or(0, |file| file.text().len());
            start = start.saturating_add(u32::try_from(length).unwrap_or(u32::MAX)).saturating_add(1);
        }
        Places { starts }
    }

    /// The place of a span of the sources; undefined for files that are not among these.
    pub fn to_naga(&self, span: Span) -> naga::Span {
        let found = self.starts.iter().find(|(_, file)| *file == span.file);
        found.map_or(naga::Span::UNDEFINED, |(start, _)| {
            naga::Span::new(start.saturating_add(span.start), start.saturating_add(span.end))
        })
    }

    /// The place in the sources; nothing where naga has none.
    pub fn of(&self, span: naga::Span) -> Option<Span> {
        let range = span.is_defined().then(|| span.to_range()).flatten()?;
        let (from, to) = (u32::try_from(range.start).ok()?, u32::try_from(range.end).ok()?);
        let at = self.starts.partition_point(|(start, _)| *start <= from).checked_sub(1)?;
        let (start, file) = *self.starts.get(at)?;
        Some(Span { file, start: from - start, end: to.saturating_sub(start) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let mut sources = Sources::default();
        let files = ["abc", "de", "fghi"].map(|text| sources.add("t", text));
        let places = Places::new(&sources, &files);
        for file in files {
            let span = sources.get(file).span(1..2);
            assert_eq!(places.of(places.to_naga(span)), Some(span));
        }
        assert_eq!(places.of(naga::Span::UNDEFINED), None);
        let other = Span { file: FileId(9), start: 0, end: 1 };
        assert!(!places.to_naga(other).is_defined());
        assert_eq!(places.to_naga(sources.get(files[0]).span(1..3)).to_range(), Some(1..3));
    }
}

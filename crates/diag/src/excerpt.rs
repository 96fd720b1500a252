//! The part of a file that is shown with spans.
//!
//! The renderer goes through all that it is given, so it is given little: the whole text for each of many diagnostics, or
//! the whole of a line of megabytes, would take quadratic time.

use crate::words::same_places;
use crate::work::spend;
use crate::{File, Place, Span};
use annotate_snippets::Snippet;
use std::borrow::Cow;
use std::ops::Range;

/// The longest span that is shown whole, in bytes.
const LONGEST_SPAN: usize = 1000;
/// Bytes of a line on either side of spans, where there are more than three times as many: more than the renderer has room for.
pub(crate) const BESIDE_SPANS: usize = 300;
/// The same of a line that a fix changes, which the renderer does not cut.
pub(crate) const BESIDE_EDITS: usize = 50;
/// Spans that are farther from each other are shown apart.
const FAR: usize = 1000;
/// Stands where a line is cut.
const CUT: char = '…';

/// The lines of a file that spans are in, and the one behind them. Long lines are cut.
pub(crate) struct Excerpt<'a> {
    file: &'a File,
    /// The number of the first line.
    first: usize,
    /// Where it begins, and how much of the text stands for what is cut there.
    start: usize,
    cut: usize,
    text: Cow<'a, str>,
}

impl<'a> Excerpt<'a> {
    /// The lines around places that are not far from each other, with so many bytes on either side of long lines.
    pub fn around(file: &'a File, ranges: impl Iterator<Item = Range<usize>>, beside: usize) -> Excerpt<'a> {
        let text = file.text();
        let (mut least, mut most) = (text.len(), 0);
        for range in ranges {
            (least, most) = (least.min(range.start), most.max(range.end));
        }
        let mut index = file.index_of_line(least);
        // The end of the text is shown behind its last line break, not as a line of its own.
        if least == text.len() && index > 0 && file.line_range(index).is_empty() {
            index -= 1;
        }
        let mut start = file.line_range(index).start;
        let is_cut = least - start > 3 * beside;
        if is_cut {
            start = text.floor_char_boundary(least - beside);
        }
        // To the end of the line behind the last one, if there are so many.
        let mut end = file.line_range(file.index_of_line(most) + 1).end;
        let is_cut_behind = end - most > 3 * beside;
        if is_cut_behind {
            end = text.floor_char_boundary(most + beside);
        }
        let shown = &text[start..end.max(start)];
        spend(shown.len());
        let shown = match (is_cut, is_cut_behind) {
            (false, false) => Cow::Borrowed(shown),
            (true, false) => format!("{CUT}{shown}").into(),
            (false, true) => format!("{shown}{CUT}").into(),
            (true, true) => format!("{CUT}{shown}{CUT}").into(),
        };
        let text = match same_places(&shown) {
            Cow::Owned(text) => text.into(),
            Cow::Borrowed(_) => shown,
        };
        let cut = if is_cut { CUT.len_utf8() } else { 0 };
        Excerpt { file, first: file.place(start as u32).line, start, cut, text }
    }

    /// True if the first line's beginning is not there, so that columns in it say nothing.
    pub fn is_cut(&self) -> bool {
        self.cut > 0
    }

    pub fn snippet<T: Clone>(self) -> Snippet<'a, T> {
        Snippet::source(self.text).line_start(self.first)
    }

    /// Where a place of the file is in the text.
    pub fn range(&self, range: Range<usize>) -> Range<usize> {
        let at = |place: usize| (place.max(self.start) - self.start + self.cut).min(self.text.len());
        at(range.start)..at(range.end)
    }

    pub fn place(&self, range: &Range<usize>) -> Place {
        self.file.place(range.start as u32)
    }
}

/// What is shown of a span: on character boundaries inside the text, as the renderer needs it, and of a long one what is on its
/// first line.
pub(crate) fn shown(file: &File, span: Span) -> Range<usize> {
    let text = file.text();
    let start = text.floor_char_boundary(span.range().start);
    let mut end = text.ceil_char_boundary(span.range().end.clamp(start, text.len()));
    if end - start > LONGEST_SPAN {
        let line = file.line_range(file.index_of_line(start)).end;
        end = text.floor_char_boundary(end.min(line).min(start + LONGEST_SPAN));
        end = text[start..end].trim_end_matches('\n').len() + start;
    }
    start..end
}

/// True if all of a span is [`shown`].
pub(crate) fn is_short(span: Span) -> bool {
    span.range().len() <= LONGEST_SPAN
}

/// Puts together what is near: each group's places are to be shown as one. The groups are in the order of their first items.
pub(crate) fn near<T>(items: impl Iterator<Item = (Range<usize>, T)>) -> Vec<Vec<(Range<usize>, T)>> {
    let mut groups: Vec<Vec<(Range<usize>, T)>> = Vec::new();
    for (range, item) in items {
        let is_near = |group: &Vec<(Range<usize>, T)>| {
            let start = group.iter().fold(range.start, |start, (own, _)| start.min(own.start));
            let end = group.iter().fold(range.end, |end, (own, _)| end.max(own.end));
            end - start <= FAR
        };
        match groups.iter_mut().find(|group| is_near(group)) {
            Some(group) => group.push((range, item)),
            None => groups.push(vec![(range, item)]),
        }
    }
    groups
}

//! Where the pieces of a changed text or module were before.

use std::ops::Range;

/// Pieces in the order of the changed text; changes may follow one another.
#[derive(Clone, Debug, Default)]
pub struct Moved {
    pieces: Vec<Piece>,
    /// The change before this one.
    first: Option<Box<Moved>>,
}

/// A piece of a changed text, up to the next one.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// The first byte now.
    now: usize,
    /// The first byte before.
    before: usize,
    /// The end, before, of what it took the place of; none of a copy.
    end: Option<usize>,
}

impl Moved {
    /// From here on everything is a copy of what was there before, until the next piece.
    pub fn copied(&mut self, now: usize, before: usize) {
        self.pieces.push(Piece { now, before, end: None });
    }

    /// From here on everything took the place of a part of what was there before, until the next piece.
    pub fn replaced(&mut self, now: usize, before: Range<usize>) {
        self.pieces.push(Piece { now, before: before.start, end: Some(before.end) });
    }

    /// This change, behind another one.
    pub fn behind(self, first: Moved) -> Moved {
        Moved { first: Some(Box::new(first)), ..self }
    }

    fn piece(&self, at: usize) -> Piece {
        let piece = self.pieces.partition_point(|piece| piece.now <= at).checked_sub(1);
        piece.map_or(Piece { now: 0, before: 0, end: None }, |piece| self.pieces[piece])
    }

    /// Where a byte was before; where nothing was changed, it is where it was.
    #[cfg(test)]
    pub fn before(&self, at: usize) -> usize {
        self.range(at..at).start
    }

    /// Where a part was before. The end of what took the place of something is the end of that.
    pub fn range(&self, range: Range<usize>) -> Range<usize> {
        let at = self.piece(range.start);
        let start = at.before + if at.end.is_none() { range.start - at.now } else { 0 };
        let end = match range.end.checked_sub(1).filter(|last| *last >= range.start) {
            None => start,
            Some(last) => {
                let piece = self.piece(last);
                piece.end.unwrap_or(piece.before + (last - piece.now) + 1)
            }
        };
        let range = start..end.max(start);
        match &self.first {
            Some(first) => first.range(range),
            None => range,
        }
    }

    /// A span of naga's, as it was before.
    pub fn span(&self, span: naga::Span) -> naga::Span {
        let before = span.to_range().map(|range| self.range(range));
        before.map_or(span, |range| naga::Span::new(range.start as u32, range.end as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_follow_one_another() {
        // `a MACRO b` became `a (x + y) b`, and then `a (x + yy) b`.
        let mut first = Moved::default();
        first.copied(0, 0);
        first.replaced(2, 2..7);
        first.copied(9, 7);
        let mut second = Moved::default();
        second.copied(0, 0);
        second.replaced(7, 7..8);
        second.copied(9, 8);
        let both = second.behind(first);
        assert_eq!(both.range(0..1), 0..1);
        assert_eq!(both.range(3..4), 2..7);
        assert_eq!(both.range(7..9), 2..7);
        assert_eq!(both.range(0..12), 0..9);
        assert_eq!(both.range(11..12), 8..9);
        assert_eq!(both.before(12), 9);
    }
}

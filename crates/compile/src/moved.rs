//! Where the pieces of a changed text or module were before.

/// Pieces, by where they begin now, where they began before, and whether they are copies: what was added is where it was put.
#[derive(Debug, Default)]
pub struct Moved {
    pieces: Vec<(usize, usize, bool)>,
}

impl Moved {
    /// From here on everything is a copy of what was there before, until the next piece.
    pub fn copied(&mut self, now: usize, before: usize) {
        self.pieces.push((now, before, true));
    }

    /// From here on everything was added at a place, until the next piece.
    pub fn added(&mut self, now: usize, before: usize) {
        self.pieces.push((now, before, false));
    }

    /// Where a byte was before; where nothing was changed, it is where it was.
    pub fn before(&self, at: usize) -> usize {
        let piece = self.pieces.partition_point(|(start, ..)| *start <= at);
        match piece.checked_sub(1).map(|piece| self.pieces[piece]) {
            Some((start, before, true)) => before + (at - start),
            Some((_, before, false)) => before,
            None => at,
        }
    }

    /// A span of naga's, as it was before.
    pub fn span(&self, span: naga::Span) -> naga::Span {
        let before =
            |range: std::ops::Range<usize>| [range.start, range.end].map(|at| self.before(at) as u32);
        span.to_range().map(before).map_or(span, |[start, end]| naga::Span::new(start, end))
    }
}

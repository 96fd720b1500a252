//! Which line of which source each byte of a program comes from.

use crate::program::Line;
use gpuzoo_diag::Span;
use std::ops::Range;

/// The most bytes that all lines together are said to have made: a line of a macro is among those of its uses.
const MOST_BYTES: usize = 1 << 24;

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Of an assembly text.
    Own,
    /// Of a macro, which is so deep in others.
    Macro(u32),
    /// Of a C text, which the assembly text was made from.
    C,
}

/// Bytes of a line.
type Made = Option<(Kind, Span)>;

/// What each address comes from: the line that says most, and the assembly line that a macro was used in.
pub(super) struct Layout {
    best: Vec<Made>,
    outermost: Vec<Option<Span>>,
    painted: usize,
}

impl Layout {
    pub fn new() -> Layout {
        Layout { best: vec![None; 0x1_0000], outermost: vec![None; 0x1_0000], painted: 0 }
    }

    /// Notes that some bytes come from a line; false if there are too many.
    pub fn add(&mut self, range: Range<u32>, kind: Kind, span: Span) -> bool {
        let range = range.start.min(0x1_0000) as usize..range.end.min(0x1_0000) as usize;
        self.painted += range.len();
        if self.painted > MOST_BYTES {
            return false;
        }
        for at in range {
            if kind == Kind::Own {
                self.outermost[at] = Some(span);
            }
            if self.best[at].is_none_or(|(known, _)| known <= kind) {
                self.best[at] = Some((kind, span));
            }
        }
        true
    }

    /// True if the line of an address is known.
    pub fn has(&self, address: u32) -> bool {
        self.best.get(address as usize).is_some_and(Option::is_some)
    }

    /// The lines by address.
    pub fn lines(&self) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        for (at, (made, outermost)) in self.best.iter().zip(&self.outermost).enumerate() {
            let Some((kind, span)) = *made else { continue };
            let call = if let Kind::Macro(_) = kind { *outermost } else { None };
            match lines.last_mut() {
                Some(last)
                    if (last.span, last.call) == (span, call)
                        && usize::from(last.address) + usize::from(last.length) == at
                        && last.length < u16::MAX =>
                {
                    last.length += 1;
                }
                _ => lines.push(Line { address: at as u16, length: 1, span, call }),
            }
        }
        lines
    }
}

//! A window on a memory.

use gpuzoo::machine::session::{Session, Space};
use ratatui::layout::Rect;

/// Which memory is seen, and from where on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Window {
    /// The number of the space.
    pub space: usize,
    /// The first address that is seen.
    pub top: u32,
}

/// Columns of a row without its bytes: `$1F9C0 `.
const ADDRESS: u16 = 7;

/// Bytes of a row: a power of two, so that addresses are round.
pub(crate) fn bytes_of_row(body: Rect) -> u32 {
    let room = u32::from(body.width.saturating_sub(ADDRESS)) / 3;
    [16, 8, 4, 2].into_iter().find(|count| *count <= room).unwrap_or(1)
}

/// A row: its address, and its bytes.
pub(crate) type Row = (u32, Vec<u8>);

impl Window {
    /// The space that is seen.
    pub fn space(&self, session: &dyn Session) -> Option<Space> {
        session.spaces().get(self.space).copied()
    }

    /// The next space, from its start.
    pub fn turn(&mut self, session: &dyn Session) {
        let count = session.spaces().len().max(1);
        *self = Window { space: (self.space + 1) % count, top: 0 };
    }

    /// With so many rows further on, or back.
    pub fn scroll(&mut self, session: &dyn Session, body: Rect, rows: i64) {
        let Some(space) = self.space(session) else { return };
        let row = bytes_of_row(body);
        let seen = row.saturating_mul(body.height.into());
        let last = i64::from(space.bytes.saturating_sub(seen));
        let top = i64::from(self.top) + rows.saturating_mul(row.into());
        let top = u32::try_from(top.clamp(0, last.max(0))).unwrap_or(0);
        self.top = top - top % row;
    }

    /// So that an address is seen.
    pub fn show(&mut self, session: &dyn Session, body: Rect, space: &str, at: u32) {
        let Some(number) = session.spaces().iter().position(|known| known.name == space) else { return };
        let row = bytes_of_row(body);
        let seen = row.saturating_mul(body.height.into());
        if self.space != number || at < self.top || at - self.top >= seen {
            *self = Window { space: number, top: at - at % row };
            // Not beyond the end.
            self.scroll(session, body, 0);
        }
    }

    /// The rows that are seen.
    pub fn rows(&self, session: &dyn Session, body: Rect) -> Vec<Row> {
        let Some(space) = self.space(session) else { return Vec::new() };
        let row = bytes_of_row(body);
        let starts = (0..u32::from(body.height)).map(|number| self.top.saturating_add(number * row));
        let starts = starts.take_while(|start| *start < space.bytes);
        let bytes = |start: u32| session.peek(space.name, start..start.saturating_add(row).min(space.bytes));
        starts.map(|start| (start, bytes(start).unwrap_or_default())).collect()
    }
}

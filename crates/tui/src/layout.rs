//! Which pane is where.

use ratatui::layout::Rect;

/// A part of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pane {
    /// The text of the program, or the instructions one after the other.
    Program,
    /// What the step before read and wrote.
    Step,
    /// Registers, outputs, inputs, constants.
    Registers,
    /// Expressions that are watched.
    Watches,
    /// A memory.
    Memory,
    /// The picture.
    Picture,
}

impl Pane {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Pane::Program => "program",
            Pane::Step => "last step",
            Pane::Registers => "registers",
            Pane::Watches => "watches",
            Pane::Memory => "memory",
            Pane::Picture => "picture",
        }
    }

    /// True for those that share a place where there is little room.
    pub(crate) fn is_aside(self) -> bool {
        matches!(self, Pane::Watches | Pane::Memory | Pane::Picture)
    }
}

/// Where panes are. The first row of each is its title.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The first row.
    pub head: Rect,
    /// The panes that are seen.
    pub panes: Vec<(Pane, Rect)>,
    /// The last row but one: messages, and what is typed.
    pub message: Rect,
    /// The last row: keys.
    pub keys: Rect,
    /// Columns between panes, where a line is drawn.
    pub lines: Vec<Rect>,
}

/// Columns and rows that are enough for several panes, and for all of them.
const SEVERAL: (u16, u16) = (56, 14);
const ALL: (u16, u16) = (120, 24);

impl Layout {
    /// Of panes that a run has, of which one has the keys and one is seen among those that share a place.
    pub fn of(area: Rect, has: &[Pane], focus: Pane, aside: Pane, is_zoomed: bool) -> Layout {
        let rows = |from: u16, count: u16| {
            let from = from.min(area.height);
            Rect { y: area.y + from, height: count.min(area.height - from), ..area }
        };
        // Of a few rows a pane has the first claim.
        let below = [0, 0, 1, 1][usize::from(area.height.min(3))] + u16::from(area.height >= 5);
        let above = u16::from(area.height >= 4);
        let (head, main) = (rows(0, above), rows(above, area.height.saturating_sub(above + below)));
        let message = rows(area.height.saturating_sub(below), u16::from(below > 0));
        let keys = rows(area.height.saturating_sub(1), u16::from(below > 1));
        let mut layout = Layout { head, panes: Vec::new(), message, keys, lines: Vec::new() };
        let is_small = area.width < SEVERAL.0 || area.height < SEVERAL.1;
        if is_zoomed || is_small {
            layout.panes.push((focus, main));
            return layout;
        }
        let others: Vec<Pane> = has.iter().copied().filter(|pane| pane.is_aside()).collect();
        let is_wide = area.width >= ALL.0 && area.height >= ALL.1 && !others.is_empty();
        let columns = if is_wide {
            let first = (area.width - 2) * 2 / 5;
            let second = (area.width - 2 - first) / 2;
            vec![first, second, area.width - 2 - first - second]
        } else {
            let first = area.width / 2;
            vec![first, area.width - 1 - first]
        };
        let mut x = main.x;
        let mut rects = Vec::new();
        for (number, width) in columns.iter().enumerate() {
            if number > 0 {
                layout.lines.push(Rect { x, width: 1, ..main });
                x += 1;
            }
            rects.push(Rect { x, width: *width, ..main });
            x += width;
        }
        let split = |rect: Rect, lower: u16| {
            let upper = rect.height.saturating_sub(lower);
            (Rect { height: upper, ..rect }, Rect { y: rect.y + upper, height: rect.height - upper, ..rect })
        };
        let (program, step) = split(rects[0], (main.height / 3).clamp(5, 12));
        layout.panes.extend([(Pane::Program, program), (Pane::Step, step)]);
        if !is_wide {
            let lower = if others.is_empty() { 0 } else { (main.height * 2 / 5).clamp(5, 20) };
            let (registers, lower) = split(rects[1], lower);
            layout.panes.push((Pane::Registers, registers));
            if !others.is_empty() {
                layout.panes.push((aside, lower));
            }
            return layout;
        }
        layout.panes.push((Pane::Registers, rects[1]));
        let mut rest = rects[2];
        for (number, pane) in others.iter().enumerate() {
            let left = (others.len() - number) as u16;
            // A picture wants more than a list.
            let share = if *pane == Pane::Picture { rest.height } else { rest.height / left };
            let (upper, lower) = split(rest, rest.height - share);
            layout.panes.push((*pane, upper));
            rest = lower;
        }
        layout
    }

    /// Where a pane is, if it is seen.
    pub fn of_pane(&self, pane: Pane) -> Option<Rect> {
        self.panes.iter().find(|(known, _)| *known == pane).map(|(_, rect)| *rect)
    }

    /// The rows of a pane below its title.
    pub fn body(&self, pane: Pane) -> Rect {
        self.of_pane(pane).map(below_title).unwrap_or_default()
    }

    /// The pane at a place.
    pub fn at(&self, x: u16, y: u16) -> Option<(Pane, Rect)> {
        self.panes.iter().copied().find(|(_, rect)| rect.contains((x, y).into()))
    }
}

/// A pane without its title; one of a single row is all title, unless that is all there is.
pub(crate) fn below_title(rect: Rect) -> Rect {
    let title = u16::from(rect.height > 1);
    Rect { y: rect.y + title, height: rect.height - title, ..rect }
}

/// The room of a text over the panes, without its frame.
pub(crate) fn overlay_body(area: Rect) -> Rect {
    let outer = overlay_area(area);
    let rows = outer.height.saturating_sub(2);
    Rect {
        x: outer.x + 1.min(outer.width),
        y: outer.y + 1.min(outer.height),
        width: outer.width.saturating_sub(2),
        height: rows,
    }
}

/// The place of a text over the panes.
pub(crate) fn overlay_area(area: Rect) -> Rect {
    Rect { height: area.height.saturating_sub(1), ..area }
}

//! What the mouse does.

use crate::app::{App, Typing};
use crate::draw::{self, GUTTER};
use crate::layout::{Pane, below_title};
use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

/// Rows that the wheel goes.
const WHEEL: i64 = 3;

impl App {
    /// The mouse did something.
    pub fn mouse(&mut self, event: MouseEvent) {
        let (x, y) = (event.column, event.row);
        match event.kind {
            MouseEventKind::ScrollUp => self.wheel(x, y, -WHEEL),
            MouseEventKind::ScrollDown => self.wheel(x, y, WHEEL),
            MouseEventKind::Down(MouseButton::Left) => self.click(x, y),
            // That it moves says nothing.
            _ => return,
        }
        self.settle();
    }

    fn wheel(&mut self, x: u16, y: u16, by: i64) {
        let room = self.overlay_room();
        if let Some(overlay) = &mut self.overlay {
            return overlay.scroll(room, by);
        }
        match self.layout.at(x, y) {
            // What is selected stays.
            Some((Pane::Registers, _)) => {
                let last = self.rows.len().saturating_sub(1) as i64;
                self.row = (self.row as i64 + by).clamp(0, last) as usize;
            }
            Some((pane, _)) => {
                let focus = std::mem::replace(&mut self.focus, pane);
                self.move_by(by);
                self.focus = focus;
            }
            None => {}
        }
    }

    fn click(&mut self, x: u16, y: u16) {
        if self.stop() {
            return;
        }
        if self.overlay.take().is_some() || self.typing != Typing::Nothing {
            return self.typing = Typing::Nothing;
        }
        let Some((pane, rect)) = self.layout.at(x, y) else { return };
        let body = below_title(rect);
        if !body.contains((x, y).into()) {
            let tab = draw::tab_at(self, pane, rect, x);
            return self.focus_on(tab.unwrap_or(pane));
        }
        self.focus_on(pane);
        let row = usize::from(y - body.y);
        match pane {
            Pane::Program => {
                let row = self.program.top + row;
                if row < self.program.rows.len() {
                    self.program.cursor = row;
                    if x - body.x < GUTTER {
                        self.toggle_break();
                    }
                }
            }
            Pane::Registers => {
                let row = self.first_row + row;
                if row < self.rows.len() {
                    let component = draw::component_at(self, body, x);
                    self.choose_row(row, component);
                }
            }
            Pane::Step | Pane::Watches | Pane::Memory | Pane::Picture => {}
        }
    }
}

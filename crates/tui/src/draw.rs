//! Drawing: from what is seen to letters. It changes nothing, and takes any room.

use crate::app::{App, Typing};
use crate::keys::{KEYS, Key};
use crate::layout::{Pane, below_title, overlay_area, overlay_body};
use crate::program;
use crate::registers::{self, Row, fit, short};
use crate::seen::is_odd;
use gpuzoo::isa::Mask;
use gpuzoo::machine::session::{Register, Value};
use gpuzoo::paint::Ink;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

/// Columns left of a program's lines in which a click makes a breakpoint.
pub(crate) const GUTTER: u16 = 3;
/// The widest name of a register that is shown as a whole.
const WIDEST_NAME: usize = 17;
/// The widest component.
const WIDEST: u16 = 15;

const PLAIN: Style = Style::new();

/// Writes a text, cut where the room ends; returns the column behind it.
fn put(buffer: &mut Buffer, room: Rect, x: u16, y: u16, text: &str, style: Style) -> u16 {
    if y < room.y || y >= room.bottom() || x >= room.right() || !buffer.area.contains((x, y).into()) {
        return x;
    }
    let width = room.right().min(buffer.area.right()) - x;
    buffer.set_stringn(x, y, text, width.into(), style).0
}

/// The same for what may be too long, which is marked where it is cut.
fn put_cut(buffer: &mut Buffer, room: Rect, x: u16, y: u16, text: &str, style: Style) {
    let width = usize::from(room.right().saturating_sub(x));
    put(buffer, room, x, y, &short(text.to_owned(), width), style);
}

/// The columns of a list of registers: of names, and of each component.
fn columns(app: &App, body: Rect) -> (u16, u16) {
    let shown =
        app.rows.iter().filter_map(|row| row.register()).map(|register| register.name.chars().count());
    // Where rows appear as registers are used, no column moves.
    let names = if app.facts.is_memory { WIDEST_NAME } else { shown.max().unwrap_or(1) };
    let name = names.min(WIDEST_NAME).min(usize::from(body.width) / 2) as u16;
    let component = (body.width.saturating_sub(name + 1) / 4).min(WIDEST);
    (name, component)
}

/// The component of a register that is drawn at a column.
pub(crate) fn component_at(app: &App, body: Rect, x: u16) -> Option<u8> {
    let (name, component) = columns(app, body);
    let at = x.checked_sub(body.x + 1 + name)?.checked_div(component)?;
    u8::try_from(at).ok().filter(|at| *at < 4)
}

/// The names in the title of a pane that shares its place, each with its first column.
fn tabs(app: &App, pane: Pane, rect: Rect) -> Vec<(Pane, u16)> {
    if !pane.is_aside() || app.layout.panes.iter().filter(|(pane, _)| pane.is_aside()).count() > 1 {
        return vec![(pane, rect.x + 1)];
    }
    let mut x = rect.x + 1;
    let mut tabs = Vec::new();
    for tab in app.has.iter().copied().filter(|pane| pane.is_aside()) {
        tabs.push((tab, x));
        x += tab.name().len() as u16 + 2;
    }
    tabs
}

/// The pane whose name in a title is at a column.
pub(crate) fn tab_at(app: &App, pane: Pane, rect: Rect, x: u16) -> Option<Pane> {
    let tabs = tabs(app, pane, rect);
    tabs.into_iter()
        .find(|(tab, start)| (*start..*start + tab.name().len() as u16).contains(&x))
        .map(|tab| tab.0)
}

impl App {
    /// Draws it as it is.
    pub fn draw(&self, buffer: &mut Buffer) {
        buffer.reset();
        self.draw_head(buffer);
        for line in &self.layout.lines {
            for y in line.y..line.bottom() {
                put(buffer, *line, line.x, y, "│", self.dim());
            }
        }
        for (pane, rect) in self.layout.panes.clone() {
            self.draw_title(pane, rect, buffer);
            let body = below_title(rect);
            match pane {
                Pane::Program => self.draw_program(body, buffer),
                Pane::Step => self.draw_step(body, buffer),
                Pane::Registers => self.draw_registers(body, buffer),
                Pane::Watches => self.draw_watches(body, buffer),
                Pane::Memory => self.draw_memory(body, buffer),
                Pane::Picture => {
                    if let Some(picture) = self.picture.as_ref().filter(|_| !self.leaves_pictures) {
                        crate::picture::draw(picture, self.colors, body, buffer);
                    }
                }
            }
        }
        self.draw_message(buffer);
        self.draw_keys(buffer);
        self.draw_overlay(buffer);
    }

    fn dim(&self) -> Style {
        self.colors.ink(Ink::Dim)
    }

    fn ink(&self, ink: Option<Ink>) -> Style {
        ink.map_or(PLAIN, |ink| self.colors.ink(ink))
    }

    /// Whose run it is, how far it is, and what is next.
    fn draw_head(&self, buffer: &mut Buffer) {
        let room = self.layout.head;
        let reversed = PLAIN.add_modifier(Modifier::REVERSED);
        put(buffer, room, room.x, room.y, &" ".repeat(room.width.into()), reversed);
        let name = self.console.name(self.console.chosen());
        let x = put(buffer, room, room.x + 1, room.y, &name, reversed.add_modifier(Modifier::BOLD));
        let x = put(buffer, room, x + 2, room.y, &self.now.count(), reversed);
        let at = self.now.place.as_ref().map(|place| match self.facts.is_memory {
            true => format!("${:04X}", place.at),
            false => format!("slot {}", place.at),
        });
        let text = match at {
            Some(at) => format!("{at}: {}", self.now.next()),
            None => self.now.next().to_owned(),
        };
        put_cut(buffer, room, x + 2, room.y, &text, reversed);
    }

    fn draw_title(&self, pane: Pane, rect: Rect, buffer: &mut Buffer) {
        if rect.height < 2 {
            return;
        }
        put(buffer, rect, rect.x, rect.y, &"─".repeat(rect.width.into()), self.dim());
        let mut x = rect.x + 1;
        for (tab, start) in tabs(self, pane, rect) {
            let style = match tab {
                tab if tab == self.focus => PLAIN.add_modifier(Modifier::BOLD | Modifier::REVERSED),
                tab if tab == pane => PLAIN.add_modifier(Modifier::BOLD),
                _ => self.dim(),
            };
            x = put(buffer, rect, start, rect.y, tab.name(), style) + 1;
        }
        let about = match pane {
            Pane::Program => self.about_program(),
            Pane::Memory => {
                let spaces = self.bytes_space();
                spaces.map_or_else(String::new, |space| format!(" {space} "))
            }
            Pane::Registers if self.facts.trace.is_some() => " x y z w ".to_owned(),
            _ => String::new(),
        };
        put_cut(buffer, rect, x, rect.y, &about, self.dim());
    }

    /// The file, and what is marked in it.
    fn about_program(&self) -> String {
        let file = self.program.file.filter(|_| self.program.shows_text(&self.facts));
        let file = file.and_then(|file| self.console.sources().find(file));
        let file = file.map_or("steps", |file| file.name().rsplit(['/', '\\']).next().unwrap_or_default());
        let asked = self.asked.as_ref().filter(|_| !self.ancestors.is_empty());
        let asked = asked.map_or_else(String::new, |asked| match &self.locked {
            Some(_) => format!("• {} locked at {} ", asked.text(), asked.position),
            None => format!("• {} ", asked.text()),
        });
        let filter = if self.program.is_filtered { "only " } else { "" };
        format!(" {file} {filter}{asked}")
    }

    fn draw_program(&self, body: Rect, buffer: &mut Buffer) {
        let rows = self.program.rows.len();
        let digits = self.program.rows.last().map_or(1, |last| last.to_string().len());
        if rows == 0 {
            put_cut(buffer, body, body.x, body.y, "nothing", self.dim());
        }
        for (y, row) in (body.y..body.bottom()).zip(self.program.top..rows) {
            let sources = self.console.sources();
            let shown = self.program.row(&self.facts, &self.now, sources, &self.ancestors, row);
            self.draw_program_row(
                &shown,
                row == self.program.cursor,
                digits,
                Rect { y, height: 1, ..body },
                buffer,
            );
        }
    }

    fn draw_program_row(
        &self,
        row: &program::Row,
        is_chosen: bool,
        digits: usize,
        room: Rect,
        buffer: &mut Buffer,
    ) {
        let y = room.y;
        let focus = is_chosen && self.focus == Pane::Program;
        if row.stops {
            put(buffer, room, room.x, y, "●", self.colors.ink(Ink::Bad));
        }
        if row.is_next {
            put(buffer, room, room.x + 1, y, ">", self.colors.ink(Ink::Head));
        }
        match (row.is_odd, row.is_ancestor) {
            (true, _) => drop(put(buffer, room, room.x + 2, y, "!", self.colors.ink(Ink::Odd))),
            (false, true) => drop(put(buffer, room, room.x + 2, y, "•", self.colors.ink(Ink::New))),
            _ => {}
        }
        let number = format!("{:>digits$}", row.number);
        let number_style = if row.is_ancestor { self.colors.ink(Ink::New) } else { self.dim() };
        let x = put(buffer, room, room.x + GUTTER, y, &number, number_style) + 1;
        let mut style = if row.has_code { PLAIN } else { self.dim() };
        if row.is_next {
            style = style.add_modifier(Modifier::BOLD);
        }
        if focus {
            style = style.add_modifier(Modifier::REVERSED);
        }
        // What was written goes to the right, if the line leaves room for it.
        let length = row.text.chars().count() as u16;
        put_cut(buffer, room, x, y, &row.text, style);
        let Some((wrote, is_odd)) = &row.wrote else { return };
        let wide = wrote.chars().count() as u16;
        let free = room.right().saturating_sub(x.saturating_add(length).saturating_add(2));
        if wide <= free {
            let style = if *is_odd { self.colors.ink(Ink::Odd) } else { self.dim() };
            put(buffer, room, room.right() - wide, y, wrote, style);
        }
    }

    fn draw_step(&self, body: Rect, buffer: &mut Buffer) {
        if self.now.position == 0 {
            return put_cut(buffer, body, body.x + 1, body.y, "nothing is done yet: → is a step", self.dim());
        }
        let lines = self.now.told.iter().skip(self.first_told);
        for (y, (line, is_odd)) in (body.y..body.bottom()).zip(lines) {
            let style = if *is_odd { self.colors.ink(Ink::Odd) } else { PLAIN };
            let style = if line.starts_with("writes") { self.colors.ink(Ink::New) } else { style };
            put_cut(buffer, body, body.x + 1, y, line, style);
        }
        if self.now.told.is_empty() {
            put_cut(buffer, body, body.x + 1, body.y, "it read and wrote nothing", self.dim());
        }
    }

    fn draw_registers(&self, body: Rect, buffer: &mut Buffer) {
        let (name, component) = columns(self, body);
        for (y, row) in (body.y..body.bottom()).zip(self.first_row..self.rows.len()) {
            let room = Rect { y, height: 1, ..body };
            match &self.rows[row] {
                Row::Head(head) => {
                    put_cut(buffer, room, room.x, y, head, self.colors.ink(Ink::Head));
                }
                Row::Register(register) => {
                    let is_chosen = row == self.row;
                    self.draw_register(register, is_chosen, (name, component), room, buffer);
                }
            }
        }
        if self.rows.is_empty() {
            put_cut(buffer, body, body.x + 1, body.y, "none is used", self.dim());
        }
    }

    fn draw_register(
        &self,
        register: &Register,
        is_chosen: bool,
        (name, width): (u16, u16),
        room: Rect,
        buffer: &mut Buffer,
    ) {
        let y = room.y;
        let written = self.now.written.get(&register.name).copied().unwrap_or(Mask(0));
        let is_missing = self.facts.missing.contains(&register.name);
        let mark = if is_missing { "?" } else { " " };
        put(buffer, room, room.x, y, mark, self.colors.ink(Ink::Odd));
        let mut style = PLAIN;
        if is_chosen && self.focus == Pane::Registers {
            style = style.add_modifier(Modifier::REVERSED);
        }
        let label = short(register.name.to_string(), name.into());
        put(buffer, room, room.x + 1, y, &label, style);
        let at = room.x + 1 + name;
        let (bits, integers) = match register.value {
            Value::Vec4(bits, integers) => (bits, integers),
            Value::Integer { value, bits } => {
                let digits = usize::from(bits.div_ceil(4));
                let (mark, style) = self.marked(!written.is_empty(), false, false);
                let hex = if bits > 32 { String::new() } else { format!("${value:0digits$X}") };
                put(buffer, room, at, y, mark, style);
                put(buffer, room, at + 1, y, &hex, style);
                return put_cut(buffer, room, at + 12, y, &value.to_string(), style);
            }
        };
        let known = registers::known(&self.facts, register);
        let asked = self.asked.as_ref().filter(|asked| asked.name == register.name);
        for index in 0..4u8 {
            let x = at + u16::from(index) * width;
            let (value, is_integer) = (bits[usize::from(index)], integers.has(index));
            if !register.components.has(index) {
                continue;
            }
            let is_known = known.has(index) || written.has(index);
            let is_asked = asked.is_some_and(|asked| asked.components.has(index));
            let (mark, style) =
                self.marked(written.has(index), is_known && !is_integer && is_odd(value), is_asked);
            let text = match is_known {
                true => {
                    fit((value, is_integer), usize::from(width.saturating_sub(2)), self.console.shows_bits())
                }
                false => "_".to_owned(),
            };
            let style = if is_known { style } else { self.dim() };
            let room = Rect { width: (x + width).min(room.right()).saturating_sub(room.x), ..room };
            put(buffer, room, x, y, mark, style);
            put(buffer, room, x + 1, y, &text, style);
        }
    }

    /// The mark before a value, and how it looks.
    fn marked(&self, is_written: bool, is_odd: bool, is_asked: bool) -> (&'static str, Style) {
        let style = match (is_odd, is_written) {
            (true, _) => self.colors.ink(Ink::Odd),
            (false, true) => self.colors.ink(Ink::New),
            _ => PLAIN,
        };
        let style =
            if is_asked && self.locked.is_some() { style.add_modifier(Modifier::UNDERLINED) } else { style };
        (if is_written { "*" } else { " " }, style)
    }

    fn draw_watches(&self, body: Rect, buffer: &mut Buffer) {
        if self.now.watches.is_empty() {
            let hint =
                if body.width > 36 { "none: + watches what is selected," } else { "none: + adds one," };
            put_cut(buffer, body, body.x + 1, body.y, hint, self.dim());
            put_cut(buffer, body, body.x + 1, body.y + 1, ":watch EXPRESSION any value", self.dim());
        }
        let lines = self.now.watches.iter().flat_map(|watch| watch.lines()).skip(self.first_watch);
        for (y, line) in (body.y..body.bottom()).zip(lines) {
            put_cut(buffer, body, body.x + 1, y, line, PLAIN);
        }
    }

    /// The name of the memory that is seen.
    fn bytes_space(&self) -> Option<&'static str> {
        self.spaces.get(self.window.space).map(|space| space.name)
    }

    fn draw_memory(&self, body: Rect, buffer: &mut Buffer) {
        let space = self.bytes_space();
        for (y, (start, bytes)) in (body.y..body.bottom()).zip(&self.bytes) {
            let mut x = put(buffer, body, body.x, y, &format!("${start:05X}"), self.dim());
            for (at, byte) in (*start..).zip(bytes) {
                let is_new =
                    self.now.stored.iter().any(|(known, stored)| Some(*known) == space && *stored == at);
                let (mark, style) = self.marked(is_new, false, false);
                x = put(buffer, body, x, y, mark, style);
                let style = if *byte == 0 && !is_new { self.dim() } else { style };
                x = put(buffer, body, x, y, &format!("{byte:02X}"), style);
            }
        }
    }

    /// What was said last, or what is typed.
    fn draw_message(&self, buffer: &mut Buffer) {
        let room = self.layout.message;
        let (mark, input) = match self.typing {
            Typing::Command => (":", &self.command_line),
            Typing::Search => ("/", &self.search_line),
            Typing::Nothing => {
                let style = self.ink(self.message.1);
                return put_cut(buffer, room, room.x, room.y, &self.message.0, style);
            }
        };
        let x = put(buffer, room, room.x, room.y, mark, self.colors.ink(Ink::Head));
        // Of a long line the part around the cursor.
        let width = usize::from(room.right().saturating_sub(x)).max(1);
        let skipped = (input.at() + 1).saturating_sub(width);
        let text: String = input.text().chars().skip(skipped).collect();
        put(buffer, room, x, room.y, &text, PLAIN);
        let cursor = x.saturating_add((input.at() - skipped) as u16);
        if let Some(cell) =
            buffer.cell_mut((cursor, room.y)).filter(|_| room.contains((cursor, room.y).into()))
        {
            cell.modifier.insert(Modifier::REVERSED);
        }
    }

    fn draw_keys(&self, buffer: &mut Buffer) {
        let room = self.layout.keys;
        let pairs: Vec<(&str, &str)> = match (&self.overlay, self.typing) {
            (Some(overlay), _) => {
                let leads = overlay.leads.as_ref().map(|(_, what)| ("Enter", what.as_str()));
                [("Esc", "close"), ("↑ ↓", "scroll")].into_iter().chain(leads).collect()
            }
            (None, Typing::Command) => {
                vec![("Enter", "obey"), ("Esc", "leave"), ("↑ ↓", "lines before"), ("help", "lists all")]
            }
            (None, Typing::Search) => vec![("Enter", "search"), ("Esc", "leave")],
            (None, Typing::Nothing) => {
                let word = |key: &Key| if self.facts.trace.is_some() { key.short } else { key.of_cpu };
                let words = KEYS.iter().map(|key| (key.written, word(key)));
                words.filter(|(_, word)| !word.is_empty()).collect()
            }
        };
        let mut x = room.x;
        for (key, word) in pairs {
            let end = x + (key.chars().count() + word.chars().count() + 1) as u16;
            if end > room.right() {
                break;
            }
            x = put(buffer, room, x, room.y, key, PLAIN.add_modifier(Modifier::BOLD));
            x = put(buffer, room, x + 1, room.y, word, self.dim()) + 2;
        }
    }

    fn draw_overlay(&self, buffer: &mut Buffer) {
        let Some(overlay) = &self.overlay else { return };
        let (area, body) = (overlay_area(self.area), overlay_body(self.area));
        // Pictures and reversed lines below it are not seen through.
        for at in area.positions() {
            if let Some(cell) = buffer.cell_mut(at) {
                cell.reset();
            }
        }
        let rows = overlay.rows(body.width.into());
        let line = "─".repeat(area.width.into());
        put(buffer, area, area.x, area.y, &line, self.dim());
        put_cut(
            buffer,
            area,
            area.x + 1,
            area.y,
            &format!(" {} ", overlay.title),
            self.colors.ink(Ink::Head),
        );
        for (y, (row, ink)) in (body.y..body.bottom()).zip(rows.iter().skip(overlay.top)) {
            put(buffer, body, body.x, y, &program::plain(row), self.ink(*ink));
        }
        let last = area.bottom().saturating_sub(1);
        put(buffer, area, area.x, last, &line, self.dim());
        let below = rows.len().saturating_sub(overlay.top + usize::from(body.height));
        if below > 0 {
            let more = format!(" {below} more below: ↓ ");
            let x = area.right().saturating_sub(more.chars().count() as u16 + 1).max(area.x);
            put(buffer, area, x, last, &more, self.colors.ink(Ink::Head));
        }
    }
}

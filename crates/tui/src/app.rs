//! The state of the face: what is seen of a run, and what is chosen.

use crate::asked::Asked;
use crate::colors::Colors;
use crate::input::Input;
use crate::layout::{Layout, Pane};
use crate::memory::Window;
use crate::overlay::Overlay;
use crate::program::Program;
use crate::registers::{self, Row};
use crate::seen::{Facts, Now};
use gpuzoo::debug::Halt;
use gpuzoo::debugger::command::{self, Command};
use gpuzoo::debugger::{Console, Reply};
use gpuzoo::diag::{Diagnostic, File};
use gpuzoo::isa::Mask;
use gpuzoo::machine::session::{Name, Picture, Space};
use gpuzoo::paint::Ink;
use gpuzoo::why;
use ratatui::layout::Rect;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Steps that a key goes through before it is looked whether there is another one.
const FIRST_STEPS: u64 = 1 << 14;

/// What is typed below the panes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Typing {
    Nothing,
    Command,
    Search,
}

/// The debugger on a terminal, without the terminal.
pub struct App {
    pub(crate) console: Console,
    pub(crate) colors: Colors,
    /// The place of a picture stays empty.
    pub(crate) leaves_pictures: bool,
    pub(crate) area: Rect,
    pub(crate) layout: Layout,
    /// The panes that the run has.
    pub(crate) has: Vec<Pane>,
    pub(crate) focus: Pane,
    /// Which of the panes is seen that share a place.
    pub(crate) aside: Pane,
    pub(crate) is_zoomed: bool,
    pub(crate) facts: Facts,
    pub(crate) now: Now,
    pub(crate) program: Program,
    pub(crate) rows: Vec<Row>,
    /// The row of the registers that keys are about, and the first that is seen.
    pub(crate) row: usize,
    pub(crate) first_row: usize,
    /// The first line of what the last step did, and the first watch, that is seen.
    pub(crate) first_told: usize,
    pub(crate) first_watch: usize,
    pub(crate) window: Window,
    /// The memories, and the rows of one that are seen.
    pub(crate) spaces: &'static [Space],
    pub(crate) bytes: Vec<crate::memory::Row>,
    pub(crate) picture: Option<Arc<Picture>>,
    /// Registers that were used since the face opened.
    touched: BTreeSet<Name>,
    /// Components that were selected.
    pub(crate) chosen: Option<(Name, Mask)>,
    pub(crate) locked: Option<Asked>,
    /// The components that are asked about, and the steps that they come from.
    pub(crate) asked: Option<Asked>,
    pub(crate) ancestors: BTreeSet<u64>,
    pub(crate) message: (String, Option<Ink>),
    pub(crate) overlay: Option<Overlay>,
    pub(crate) typing: Typing,
    pub(crate) command_line: Input,
    pub(crate) search_line: Input,
    pub(crate) searched: String,
    /// What is left of a command that takes long.
    pending: Option<Command>,
    save: Option<Save>,
    is_done: bool,
}

/// Writes a session: a file's name, and the commands that lead to where it is. Gives what there is to say of it.
pub type Save = Box<dyn FnMut(&str, Vec<String>) -> Result<String, Diagnostic>>;

impl App {
    /// Of a console, for a screen of some size.
    pub fn new(console: Console, colors: Colors, area: Rect) -> App {
        let mut app = App {
            console,
            colors,
            leaves_pictures: false,
            area,
            layout: Layout::default(),
            has: Vec::new(),
            focus: Pane::Program,
            aside: Pane::Watches,
            is_zoomed: false,
            facts: Facts::default(),
            now: Now::default(),
            program: Program::default(),
            rows: Vec::new(),
            row: 0,
            first_row: 0,
            first_told: 0,
            first_watch: 0,
            window: Window::default(),
            spaces: &[],
            bytes: Vec::new(),
            picture: None,
            touched: BTreeSet::new(),
            chosen: None,
            locked: None,
            asked: None,
            ancestors: BTreeSet::new(),
            message: (String::new(), None),
            overlay: None,
            typing: Typing::Nothing,
            command_line: Input::default(),
            search_line: Input::default(),
            searched: String::new(),
            pending: None,
            save: None,
            is_done: false,
        };
        app.begin_run();
        let last = app.has.last().copied().filter(|pane| pane.is_aside());
        app.aside = last.unwrap_or(Pane::Watches);
        app.greet();
        app.settle();
        app
    }

    /// The size of the screen.
    pub fn area(&self) -> Rect {
        self.area
    }

    /// The screen has another size.
    pub fn resize(&mut self, area: Rect) {
        self.area = area;
        self.settle();
    }

    /// With somebody who writes the sessions that are saved.
    #[must_use]
    pub fn saving(mut self, save: Save) -> App {
        self.save = Some(save);
        self
    }

    /// With something to say first.
    #[must_use]
    pub fn saying(mut self, text: &str) -> App {
        if !text.is_empty() {
            self.overlay = Some(Overlay::of("what was opened", text));
        }
        self
    }

    /// What it has shown, as it is now.
    pub fn into_console(self) -> Console {
        self.console
    }

    /// True if there is nothing more to see.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// True if a program runs: [`work`](App::work) goes on with it.
    pub fn is_running(&self) -> bool {
        self.pending.is_some()
    }

    /// Goes on with what runs, by so many steps at most.
    pub fn work(&mut self, steps: u64) {
        let Some(command) = self.pending.take() else { return };
        self.console.limit(steps.max(1));
        let done = self.console.carry_on(command.clone());
        self.answer(command, done);
    }

    /// From now on the place of a picture stays empty, for who shows what [`picture`](App::picture) has.
    pub fn leave_pictures(&mut self) {
        self.leaves_pictures = true;
    }

    /// The picture, and where on the screen it is, if it is seen: for terminals that take [`Graphics`](crate::Graphics).
    pub fn picture(&self) -> Option<(Arc<Picture>, Rect)> {
        let room = self.layout.body(Pane::Picture);
        let picture = self.picture.as_ref().filter(|_| self.overlay.is_none() && !room.is_empty())?;
        let size = (picture.image.width(), picture.image.height());
        Some((picture.clone(), crate::picture::place(room, size.0, size.1)))
    }

    pub(crate) fn quit(&mut self) {
        self.is_done = true;
        self.pending = None;
    }

    /// Stops what runs; true if anything did.
    pub(crate) fn stop(&mut self) -> bool {
        let was_running = self.pending.take().is_some();
        if was_running {
            self.say("stopped".to_owned(), None);
        }
        was_running
    }

    pub(crate) fn say(&mut self, text: String, ink: Option<Ink>) {
        self.message = (text, ink);
    }

    /// What a newcomer is to know of a run.
    fn greet(&mut self) {
        let suspicion = self.facts.trace.as_ref().and_then(why::suspicion);
        let bits = self.console.shows_bits();
        if let Some(suspicion) = suspicion {
            let text = format!("{} at the end: press o to see why", suspicion.head(bits));
            self.say(text, Some(Ink::Odd));
        } else if self.console.count() > 1 {
            self.say(format!("{} runs: u goes to the next", self.console.count()), None);
        } else {
            self.say("? shows what keys do".to_owned(), None);
        }
    }

    /// Another run is looked at, or the same is another from here on.
    fn begin_run(&mut self) {
        self.facts = Facts::of(&mut self.console);
        self.program.forget();
        self.has = vec![Pane::Program, Pane::Step, Pane::Registers, Pane::Watches];
        if self.facts.is_memory {
            self.has.push(Pane::Memory);
        }
        self.picture = self.console.picture();
        if self.picture.is_some() {
            self.has.push(Pane::Picture);
        }
        if !self.has.contains(&self.focus) {
            self.focus = Pane::Program;
        }
        if !self.has.contains(&self.aside) {
            self.aside = Pane::Watches;
        }
        self.arrive();
    }

    /// Looks at the point where the run is.
    fn arrive(&mut self) {
        self.now = Now::of(&mut self.console);
        self.touched.extend(self.now.written.keys().chain(&self.now.read).cloned());
        self.first_told = 0;
        self.ask();
        let sources = self.console.sources();
        self.program.follow(&self.facts, &self.now, sources, &self.ancestors);
        self.list_registers();
        if let Some((space, at)) = self.now.stored.last().copied()
            && let Some(session) = self.console.look()
        {
            self.window.show(session, self.layout.body(Pane::Memory), space, at);
        }
        // Where it is seen, `settle` gets the new one.
        self.picture = None;
    }

    /// Lists the registers anew, with the cursor on the one that is selected.
    fn list_registers(&mut self) {
        self.rows = registers::rows(&self.facts, &self.now, &self.touched);
        let place = |name: &Name| {
            self.rows.iter().position(|row| row.register().is_some_and(|register| register.name == *name))
        };
        let wanted = match &self.chosen {
            Some((name, _)) => place(name),
            None => self.now.written.keys().find_map(place),
        };
        self.row = wanted.unwrap_or(self.row).min(self.rows.len().saturating_sub(1));
    }

    /// Finds out which components are asked about, and where they come from.
    pub(crate) fn ask(&mut self) {
        let position = self.now.position;
        let chosen = self.chosen.as_ref().map(|(name, components)| Asked {
            name: name.clone(),
            components: *components,
            position,
        });
        self.asked = self.locked.clone().or(chosen).or_else(|| Asked::last(&self.now));
        self.ancestors = self.asked.as_ref().map(|asked| asked.steps(&self.facts)).unwrap_or_default();
    }

    /// What is asked about has changed: so have the marks, and what a filter lets pass.
    pub(crate) fn mark_again(&mut self) {
        self.ask();
        let sources = self.console.sources();
        let here = self.program.rows.get(self.program.cursor).copied();
        self.program.remake(&self.facts, &self.now, sources, &self.ancestors);
        if let Some(here) = here {
            let row = self.program.rows.partition_point(|row| *row < here);
            self.program.cursor = row.min(self.program.rows.len().saturating_sub(1));
        }
    }

    /// Keeps what the cursors are on in sight, and finds what is about to be seen.
    pub(crate) fn settle(&mut self) {
        self.layout = Layout::of(self.area, &self.has, self.focus, self.aside, self.is_zoomed);
        let height = |pane| usize::from(self.layout.body(pane).height);
        let program = height(Pane::Program);
        scroll_to(&mut self.program.top, self.program.cursor, program, self.program.rows.len());
        scroll_to(&mut self.first_row, self.row, height(Pane::Registers), self.rows.len());
        // The heading above the first register comes with it.
        if self.first_row == 1 && self.row < height(Pane::Registers) {
            self.first_row = 0;
        }
        self.first_told = self.first_told.min(self.now.told.len().saturating_sub(height(Pane::Step).max(1)));
        self.first_watch =
            self.first_watch.min(self.now.watches.len().saturating_sub(height(Pane::Watches).max(1)));
        let room = self.overlay_room();
        if let Some(overlay) = &mut self.overlay {
            overlay.scroll(room, 0);
        }
        let memory = self.layout.body(Pane::Memory);
        if self.layout.of_pane(Pane::Picture).is_some() && self.picture.is_none() {
            self.picture = self.console.picture();
        }
        let Some(session) = self.console.look() else { return };
        self.spaces = session.spaces();
        self.program.find_places(&self.facts, session, program as u16);
        self.window.scroll(session, memory, 0);
        self.bytes = self.window.rows(session, memory);
    }

    /// Columns and rows of a text over the panes.
    pub(crate) fn overlay_room(&self) -> (usize, usize) {
        let room = crate::layout::overlay_body(self.area);
        (room.width.into(), room.height.into())
    }

    /// Begins a command of the console; it goes on with [`work`](App::work) if it takes long.
    pub(crate) fn begin(&mut self, command: Command) {
        self.pending = Some(command);
        self.say(String::new(), None);
        self.work(FIRST_STEPS);
    }

    /// Obeys a line that was typed.
    pub(crate) fn obey(&mut self, line: &str) {
        let file = File::new("command", line);
        match command::read(&file, 0..line.len()) {
            Ok(Some(command)) => self.begin(command),
            Ok(None) => {}
            Err(problem) => self.complain(&problem),
        }
        self.settle();
    }

    pub(crate) fn complain(&mut self, problem: &Diagnostic) {
        let help = problem.help.first().map(|help| format!("; {help}")).unwrap_or_default();
        self.say(format!("{}{help}", problem.message), Some(Ink::Bad));
    }

    /// Shows what a command came to.
    fn answer(&mut self, command: Command, done: Result<Reply, Diagnostic>) {
        let reply = match done {
            Ok(reply) => reply,
            Err(problem) => {
                self.complain(&problem);
                self.arrive();
                return self.settle();
            }
        };
        self.pending = reply.rest;
        let saved = reply.save.and_then(|(path, commands)| Some(self.save.as_mut()?(&path, commands)));
        if reply.done {
            self.quit();
        }
        match saved {
            Some(Ok(text)) => return self.say(text.trim_end().to_owned(), None),
            Some(Err(problem)) => return self.complain(&problem),
            None => {}
        }
        if matches!(command, Command::Save(_)) {
            return self.say("sessions cannot be saved here".to_owned(), Some(Ink::Bad));
        }
        if let Some(text) = reply.halt.and_then(|halt| told(halt, &command)) {
            self.say(text, None);
        }
        match command {
            Command::Poke(..) | Command::Use(_) => {
                self.locked = None;
                self.begin_run();
            }
            Command::Step(_)
            | Command::Back(_)
            | Command::Run(_)
            | Command::RunBack(_)
            | Command::Goto(_) => {
                self.arrive();
            }
            other => {
                self.show(&other, &reply.text);
                let (cursor, top) = (self.program.cursor, self.program.top);
                self.arrive();
                (self.program.cursor, self.program.top) = (cursor, top);
            }
        }
        self.settle();
    }

    /// Shows the text of a reply: a line below the panes, a longer one over them.
    fn show(&mut self, command: &Command, text: &str) {
        match text.lines().count() {
            0 => self.say("done".to_owned(), None),
            1 => self.say(text.trim_end().to_owned(), None),
            _ => self.overlay = Some(Overlay::of(title(command), text)),
        }
        if matches!(command, Command::Watch(_)) {
            (self.overlay, self.aside) = (None, Pane::Watches);
        }
    }
}

/// What is said of a run that stopped.
fn told(halt: Halt, command: &Command) -> Option<String> {
    let has_target = matches!(command, Command::Run(Some(_)) | Command::RunBack(Some(_)));
    match halt {
        Halt::Breakpoint(number) => Some(format!("breakpoint {number}")),
        Halt::End if has_target => Some("not met up to the end".to_owned()),
        Halt::Start if has_target => Some("not met down to the start".to_owned()),
        Halt::Limit => Some("running: Esc stops".to_owned()),
        Halt::Met(_) | Halt::End | Halt::Start => Some(String::new()),
    }
}

/// What a reply is called that is looked at by itself.
fn title(command: &Command) -> &'static str {
    match command {
        Command::Why(_) => "where it comes from",
        Command::Influence(_) => "what comes from it",
        Command::Breaks => "breakpoints and watches",
        Command::Registers(_) => "registers",
        Command::Runs(_) => "runs",
        Command::Help => "commands",
        _ => "answer",
    }
}

/// Moves what is seen of a list so far that a row is in sight, with a few around it.
fn scroll_to(top: &mut usize, row: usize, height: usize, count: usize) {
    if height == 0 {
        return;
    }
    let around = (height / 4).min(3);
    let lowest = (row + 1 + around).saturating_sub(height);
    let highest = row.saturating_sub(around);
    *top = (*top).clamp(lowest.min(highest), highest.max(lowest)).min(count.saturating_sub(height));
    // The last rows have no more behind them.
    *top = (*top).max((row + 1).saturating_sub(height)).min(row);
}

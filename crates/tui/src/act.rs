//! What keys do to the face.

use crate::app::{App, Typing};
use crate::asked::Asked;
use crate::input::Typed;
use crate::keys::{Action, KEYS, action};
use crate::layout::Pane;
use crate::overlay::Overlay;
use crate::program::View;
use gpuzoo::debug::{Expression, expression};
use gpuzoo::debugger::command::{Command, EVENTS, ODD, Target, Which};
use gpuzoo::isa::Mask;
use gpuzoo::machine::session::{Condition, EventKind, Value};
use gpuzoo::paint::{Ink, Paint};
use gpuzoo::why::{self, Answer};
use ratatui::crossterm::event::{KeyCode, KeyModifiers};

/// What is asked of runs that have no answer.
const OF_SHADERS: &str = "where values come from is known of shader programs";

impl App {
    /// A key was pressed.
    pub fn key(&mut self, code: KeyCode, modifiers: KeyModifiers) {
        let action = action(code, modifiers);
        if modifiers.contains(KeyModifiers::CONTROL) && action == Some(Action::Quit) {
            return self.quit();
        }
        if self.stop() {
            return self.settle();
        }
        match self.typing {
            Typing::Command => self.type_command(code, modifiers),
            Typing::Search => self.type_search(code, modifiers),
            Typing::Nothing => match action {
                Some(action) if self.overlay.is_some() => self.over(action),
                Some(action) => self.act(action),
                None => {}
            },
        }
        self.settle();
    }

    fn type_command(&mut self, code: KeyCode, modifiers: KeyModifiers) {
        match self.command_line.key(code, modifiers) {
            Typed::Going => {}
            Typed::Left => self.typing = Typing::Nothing,
            Typed::Entered(line) => {
                self.typing = Typing::Nothing;
                self.obey(&line);
            }
        }
    }

    fn type_search(&mut self, code: KeyCode, modifiers: KeyModifiers) {
        match self.search_line.key(code, modifiers) {
            Typed::Going => {}
            Typed::Left => self.typing = Typing::Nothing,
            Typed::Entered(text) => {
                self.typing = Typing::Nothing;
                if !text.is_empty() {
                    self.searched = text;
                }
                self.search();
            }
        }
    }

    /// A key while there is a text over the panes.
    fn over(&mut self, action: Action) {
        let room = self.overlay_room();
        let page = room.1.saturating_sub(1).max(1) as i64;
        let Some(overlay) = &mut self.overlay else { return };
        match action {
            Action::Up => overlay.scroll(room, -1),
            Action::Down => overlay.scroll(room, 1),
            Action::PageUp => overlay.scroll(room, -page),
            Action::PageDown | Action::Lock => overlay.scroll(room, page),
            Action::First => overlay.scroll(room, i64::MIN / 2),
            Action::Last => overlay.scroll(room, i64::MAX / 2),
            Action::Go => {
                let leads = overlay.leads.take();
                self.overlay = None;
                if let Some((step, _)) = leads {
                    self.begin(Command::Goto(step));
                }
            }
            _ => self.overlay = None,
        }
    }

    fn act(&mut self, action: Action) {
        match action {
            Action::StepOn => self.begin(Command::Step(1)),
            Action::StepBack => self.begin(Command::Back(1)),
            Action::RunOn => self.begin(Command::Run(None)),
            Action::RunBack => self.begin(Command::RunBack(None)),
            Action::OddOn => self.begin(Command::Run(Some(self.odd()))),
            Action::OddBack => self.begin(Command::RunBack(Some(self.odd()))),
            Action::Start => self.begin(Command::Goto(0)),
            Action::End => match self.now.total {
                Some(total) => self.begin(Command::Goto(total)),
                None => self.begin(Command::Run(None)),
            },
            Action::Go => self.go(),
            Action::Break => self.toggle_break(),
            Action::Why => self.why(),
            Action::Suspect => self.suspect(),
            Action::Lock => self.lock(),
            Action::Filter => self.filter(),
            Action::Search => {
                self.typing = Typing::Search;
                self.search_line.begin();
            }
            Action::Command => self.type_line(""),
            Action::Poke => match self.register() {
                Some(name) => self.type_line(&format!("poke {name} = ")),
                None => self.say("no register is selected".to_owned(), None),
            },
            Action::Watch => match self.asked.clone() {
                Some(asked) => self.obey(&format!("watch {}", asked.text())),
                None => self.say("no register is selected".to_owned(), None),
            },
            Action::NextPane => self.turn(1),
            Action::PreviousPane => self.turn(self.has.len() - 1),
            Action::Zoom => self.is_zoomed = !self.is_zoomed,
            Action::View => {
                let view = self.program.view;
                self.program.view = if view == View::Text { View::Steps } else { View::Text };
                let sources = self.console.sources();
                self.program.follow(&self.facts, &self.now, sources, &self.ancestors);
            }
            Action::OtherRun => match self.console.count() {
                0 | 1 => self.say("there is one run only".to_owned(), None),
                count => {
                    let next = (self.console.chosen() + 1) % count;
                    self.begin(Command::Use(Which::Number(next)));
                    let name = self.console.name(next);
                    self.say(format!("run {next} of {count}: {name}"), None);
                }
            },
            Action::Up => self.move_by(-1),
            Action::Down => self.move_by(1),
            Action::PageUp => self.move_by(-self.page()),
            Action::PageDown => self.move_by(self.page()),
            Action::First => self.move_by(i64::from(i32::MIN)),
            Action::Last => self.move_by(i64::from(i32::MAX)),
            Action::Component(component) => self.choose_component(component),
            Action::Leave => {
                (self.chosen, self.locked, self.is_zoomed) = (None, None, false);
                self.say(String::new(), None);
                self.mark_again();
            }
            Action::Help => self.overlay = Some(help()),
            Action::Quit => self.quit(),
        }
    }

    /// What is odd on the machine: a CPU's program has pictures instead.
    fn odd(&self) -> Target {
        let kinds = if self.facts.trace.is_some() { &ODD[..] } else { &[EventKind::Frame] };
        let known = EVENTS.iter().map(|(_, known, _)| *known).find(|known| *known == kinds);
        Target::Events(known.unwrap_or(&ODD))
    }

    fn type_line(&mut self, text: &str) {
        self.typing = Typing::Command;
        self.command_line.begin();
        for letter in text.chars() {
            self.command_line.key(KeyCode::Char(letter), KeyModifiers::NONE);
        }
    }

    /// Another pane gets the keys.
    fn turn(&mut self, by: usize) {
        let at = self.has.iter().position(|pane| *pane == self.focus).unwrap_or(0);
        let next = self.has.get((at + by) % self.has.len().max(1)).copied();
        self.focus_on(next.unwrap_or(Pane::Program));
    }

    pub(crate) fn focus_on(&mut self, pane: Pane) {
        self.focus = pane;
        if pane.is_aside() {
            self.aside = pane;
        }
    }

    fn page(&self) -> i64 {
        i64::from(self.layout.body(self.focus).height).saturating_sub(1).max(1)
    }

    /// Moves in the pane that has the keys.
    pub(crate) fn move_by(&mut self, by: i64) {
        let moved = |at: usize, count: usize| {
            (at as i64).saturating_add(by).clamp(0, count.saturating_sub(1) as i64) as usize
        };
        match self.focus {
            Pane::Program => self.program.cursor = moved(self.program.cursor, self.program.rows.len()),
            Pane::Step => self.first_told = moved(self.first_told, self.now.told.len()),
            Pane::Watches => self.first_watch = moved(self.first_watch, self.now.watches.len()),
            Pane::Registers => {
                let row = moved(self.row, self.rows.len());
                // Over a heading, to what is behind it.
                let is_register =
                    |row: &usize| self.rows.get(*row).is_some_and(|row| row.register().is_some());
                let beyond = if by < 0 { row.saturating_sub(1) } else { row + 1 };
                let found = [row, beyond, row + 1].into_iter().find(is_register);
                self.choose_row(found.unwrap_or(row), None);
            }
            Pane::Memory => {
                let body = self.layout.body(Pane::Memory);
                if let Some(session) = self.console.look() {
                    self.window.scroll(session, body, by);
                }
            }
            Pane::Picture => {}
        }
    }

    /// Selects the register of a row: all that it has, or one component.
    pub(crate) fn choose_row(&mut self, row: usize, component: Option<u8>) {
        self.row = row;
        let Some(register) = self.rows.get(row).and_then(|row| row.register()) else { return };
        let components = match (component, register.value) {
            (_, Value::Integer { .. }) => Mask::ALL,
            (Some(component), _) => Mask(1 << (component & 3)),
            (None, _) => match crate::registers::known(&self.facts, register) {
                none if none.is_empty() => Mask::ALL,
                some => some,
            },
        };
        self.chosen = Some((register.name.clone(), components));
        self.tell_chosen();
        self.mark_again();
    }

    /// Says what the selected components are, exactly.
    fn tell_chosen(&mut self) {
        let Some((name, components)) = &self.chosen else { return };
        let register = self.now.registers.iter().find(|register| register.name == *name);
        let Some(register) = register else { return };
        let mut text = match register.value {
            Value::Vec4(bits, integers) => {
                let shown = why::named(name, *components, (bits, integers), self.console.shows_bits());
                let all = (0..4u8).filter(|at| components.has(*at));
                let bits: Vec<String> = all.map(|at| format!("{:08x}", bits[usize::from(at)])).collect();
                if self.console.shows_bits() { shown } else { format!("{shown}  bits {}", bits.join(" ")) }
            }
            Value::Integer { value, .. } => format!("{name} = ${value:X} = {value}"),
        };
        if self.facts.missing.contains(name) {
            text += ", which is not given";
        } else if self.facts.trace.is_some() && register.written.is_empty() {
            text += ", not written so far";
        }
        self.say(text, None);
    }

    fn choose_component(&mut self, component: u8) {
        let bit = 1 << (component & 3);
        self.chosen = match self.chosen.take() {
            // The first letter takes it out of all, the others add and remove.
            Some((name, Mask::ALL)) => Some((name, Mask(bit))),
            Some((name, Mask(some))) if some == bit => Some((name, Mask::ALL)),
            Some((name, Mask(some))) => Some((name, Mask(some ^ bit))),
            None => self.register().map(|name| (name.into(), Mask(bit))),
        };
        self.tell_chosen();
        self.mark_again();
    }

    /// The selected register, or the one that the last step wrote.
    fn register(&self) -> Option<String> {
        let asked = self.asked.as_ref().map(|asked| asked.name.to_string());
        self.chosen.as_ref().map(|(name, _)| name.to_string()).or(asked)
    }

    fn go(&mut self) {
        match self.focus {
            Pane::Program => self.go_to_cursor(),
            Pane::Memory => {
                if let Some(session) = self.console.look() {
                    self.window.turn(session);
                }
            }
            Pane::Registers | Pane::Step => self.why(),
            Pane::Watches | Pane::Picture => {}
        }
    }

    fn go_to_cursor(&mut self) {
        let cursor = self.program.cursor;
        let line = self.program.line(&self.facts, cursor);
        if self.facts.trace.is_some() || line.is_none() {
            let steps = self.program.steps(&self.facts, cursor);
            let after = steps.iter().find(|step| **step > self.now.position);
            return match after.or(steps.first()) {
                Some(step) => self.begin(Command::Goto(*step)),
                None => self.say("the run does nothing on this line".to_owned(), None),
            };
        }
        match self.program.addresses(&self.facts, cursor).first() {
            Some(at) => {
                let place = Target::Place(expression::Place::Number(*at));
                self.begin(Command::Run(Some(place)));
            }
            None => self.say("there is no instruction on this line".to_owned(), None),
        }
    }

    /// Makes a breakpoint, or takes away those that there are.
    pub(crate) fn toggle_break(&mut self) {
        let addresses = self.program.addresses(&self.facts, self.program.cursor);
        let chosen = self.chosen.clone().filter(|_| self.focus == Pane::Registers);
        let is_same = |condition: &Condition| match (condition, &chosen) {
            (Condition::Register(name, components), Some(chosen)) => {
                (name, components) == (&chosen.0, &chosen.1)
            }
            (Condition::At(at), None) => addresses.contains(at),
            _ => false,
        };
        let own = self.console.breakpoints().iter().filter(|one| is_same(&one.condition));
        let own: Vec<u32> = own.map(|one| one.number).collect();
        if !own.is_empty() {
            for number in &own {
                self.begin(Command::Delete(*number));
            }
            let numbers: Vec<String> = own.iter().map(u32::to_string).collect();
            return self.say(format!("without breakpoint {}", numbers.join(", ")), None);
        }
        let (target, text) = match chosen {
            Some((name, components)) => {
                let text = Asked { name, components, position: 0 }.text();
                match Expression::read(&text) {
                    Ok(expression) => (Target::Write(Box::new(expression)), format!("break write {text}")),
                    Err(_) => return self.say(format!("`{text}` is not written by programs"), None),
                }
            }
            None => match addresses.first() {
                Some(at) => (Target::Place(expression::Place::Number(*at)), format!("break {at}")),
                None => return self.say("there is no instruction on this line".to_owned(), None),
            },
        };
        self.begin(Command::Break(target, None, text.into()));
    }

    fn why(&mut self) {
        let answer = self.facts.trace.as_ref().zip(self.asked.as_ref());
        let answer = answer.and_then(|(trace, asked)| asked.answer(trace));
        let overlay = answer.map(|answer| self.told(&answer));
        match overlay {
            Some(overlay) => self.overlay = Some(overlay),
            None if self.facts.trace.is_none() => self.say(OF_SHADERS.to_owned(), None),
            None => self.say("select a register, or take a step that writes one".to_owned(), None),
        }
    }

    fn suspect(&mut self) {
        let Some(trace) = &self.facts.trace else { return self.say(OF_SHADERS.to_owned(), None) };
        let overlay = match why::suspicion(trace) {
            Some(answer) => self.told(&answer),
            None => {
                let trace = std::slice::from_ref(trace);
                let text = why::unsuspicious(trace, self.console.shows_bits(), Paint::PLAIN);
                Overlay::of("nothing is suspicious", &text)
            }
        };
        self.overlay = Some(overlay);
    }

    /// An answer, and the step that it leads to: behind the one where what is odd began, so that it is the last.
    fn told(&self, answer: &Answer) -> Overlay {
        let bits = self.console.shows_bits();
        let mut overlay =
            Overlay::of(&answer.head(bits), &answer.text(self.console.sources(), bits, Paint::PLAIN));
        if !answer.sentence(bits).is_empty()
            && let Some(line) = overlay.lines.get_mut(1)
        {
            line.1 = Some(Ink::Odd);
        }
        let last = answer.because().last().map(|cause| cause.step);
        let newest = answer.ancestry.steps().last();
        overlay.leads = match last {
            Some(Some(step)) => Some((step as u64 + 1, "to where it began".to_owned())),
            // It was there before the first step.
            Some(None) => Some((0, "to the start".to_owned())),
            None => newest.map(|step| (step as u64 + 1, "to where it was written".to_owned())),
        };
        overlay
    }

    fn lock(&mut self) {
        if self.facts.trace.is_none() {
            return self.say(OF_SHADERS.to_owned(), None);
        }
        self.locked = if self.locked.is_some() { None } else { self.asked.clone() };
        let text = match &self.locked {
            Some(asked) => format!("{} of step {} stays asked about", asked.text(), asked.position),
            None => "what is asked about follows the run".to_owned(),
        };
        self.say(text, None);
        self.mark_again();
    }

    fn filter(&mut self) {
        if self.facts.trace.is_none() {
            return self.say(OF_SHADERS.to_owned(), None);
        }
        if self.asked.is_none() && !self.program.is_filtered {
            return self.say("select a register, or take a step that writes one".to_owned(), None);
        }
        self.program.is_filtered = !self.program.is_filtered;
        let asked = self.asked.as_ref().map(Asked::text).unwrap_or_default();
        let text =
            if self.program.is_filtered { format!("only what {asked} comes from") } else { String::new() };
        self.say(text, None);
        self.mark_again();
    }

    /// Looks for what was typed: behind the cursor, then from the start.
    fn search(&mut self) {
        let wanted = self.searched.trim().to_lowercase();
        if wanted.is_empty() {
            return;
        }
        let (cursor, count) = match self.focus {
            Pane::Memory => return self.search_memory(),
            Pane::Registers => (self.row, self.rows.len()),
            _ => (self.program.cursor, self.program.rows.len()),
        };
        let sources = self.console.sources();
        let is_met = |row: &usize| match self.focus {
            Pane::Registers => {
                let register = self.rows[*row].register();
                register.is_some_and(|register| register.name.to_lowercase().contains(&wanted))
            }
            _ => {
                let row = self.program.row(&self.facts, &self.now, sources, &self.ancestors, *row);
                row.text.to_lowercase().contains(&wanted)
            }
        };
        let found = (cursor + 1..count).chain(0..count.min(cursor + 1)).find(is_met);
        match found {
            Some(row) if self.focus == Pane::Registers => self.choose_row(row, None),
            Some(row) => self.program.cursor = row,
            None => self.say(format!("`{}` is not there", self.searched.trim()), Some(Ink::Bad)),
        }
    }

    fn search_memory(&mut self) {
        let body = self.layout.body(Pane::Memory);
        let searched = self.searched.trim().to_owned();
        let Some(session) = self.console.look() else { return };
        let hex = searched.strip_prefix('$').or_else(|| searched.strip_prefix("0x"));
        let at = match hex {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => searched.parse().ok().or_else(|| session.symbol(&searched)),
        };
        let space = self.window.space(session);
        match at.and_then(|at| u32::try_from(at).ok()).zip(space).filter(|(at, space)| *at < space.bytes) {
            Some((at, space)) => self.window.show(session, body, space.name, at),
            None => self.say(format!("there is neither an address nor a label `{searched}`"), Some(Ink::Bad)),
        }
    }
}

/// What keys do, and where to read of commands.
fn help() -> Overlay {
    let mut text = String::new();
    for key in &KEYS {
        text += &format!("{:<8} {}\n", key.written, key.about);
    }
    text += "\nMarks: > is next, ● stops runs, • is where what is asked about comes from, ! is where something odd happens; \
             * was written by the last step, ? is not given, _ was not written.\n\
             Mouse: a click selects a line or a component, one on the left edge makes a breakpoint, the wheel scrolls.\n";
    Overlay { indent: 9, ..Overlay::of("keys", &text) }
}

//! What was typed and still counts, so that commands can lead back to where a run is.

use super::Console;
use super::command::Command;

/// What is remembered of a command, to be saved.
pub(super) enum Noted {
    /// A poke, and where.
    Poke(u64, String),
    /// A breakpoint.
    Break(String),
}

impl Console {
    /// What is to be remembered of a command once it is carried out.
    pub(super) fn noted(&mut self, command: &Command) -> Option<Noted> {
        match command {
            Command::Poke(.., line) => Some(Noted::Poke(self.session().position(), line.to_string())),
            Command::Break(.., line) => Some(Noted::Break(line.to_string())),
            _ => None,
        }
    }

    /// Remembers it.
    pub(super) fn note(&mut self, noted: Option<Noted>) {
        let Some(run) = self.run() else { return };
        match noted {
            Some(Noted::Poke(position, line)) => {
                // Those behind it are forgotten by the run, too.
                run.pokes.retain(|(known, _)| *known <= position);
                run.pokes.push((position, line));
            }
            Some(Noted::Break(line)) => {
                let last = run.debugger.breakpoints().last().map(|breakpoint| breakpoint.number);
                run.typed.extend(last.map(|number| (number, line)));
            }
            None => {}
        }
    }

    /// Commands that lead from the start to here: pokes, breakpoints and positions of each run, and watches.
    pub(super) fn commands(&mut self) -> Vec<String> {
        let (most, current, several) = (self.most, self.current, self.runs.len() > 1);
        let mut commands = Vec::new();
        if self.batch.is_some() {
            // Said in any case: with expectations it would be the first lane that differs.
            commands.push(format!("use {}", self.lane));
        }
        for (number, run) in self.runs.iter_mut().enumerate() {
            let position = run.debugger.session().position();
            let is_touched = position > 0 || !run.pokes.is_empty() || !run.typed.is_empty();
            if several && is_touched {
                commands.push(format!("use {number}"));
            }
            let mut at = 0;
            let mut go = |to: u64, commands: &mut Vec<String>| {
                // No command goes further than so many steps.
                while at < to {
                    at = to.min(at.saturating_add(most.max(1)));
                    commands.push(format!("goto {at}"));
                }
            };
            for (position, poke) in &run.pokes {
                go(*position, &mut commands);
                commands.push(poke.clone());
            }
            let numbers: Vec<u32> = run.debugger.breakpoints().iter().map(|own| own.number).collect();
            let typed = run.typed.iter().filter(|(number, _)| numbers.contains(number));
            commands.extend(typed.map(|(_, line)| line.clone()));
            match run.pokes.last() {
                // Behind the last poke, and then back to where it was.
                Some((last, _)) if *last > position => commands.push(format!("goto {position}")),
                _ => go(position, &mut commands),
            }
        }
        commands.extend(self.watches.iter().map(|watch| format!("watch {}", watch.text)));
        if several && (current > 0 || !commands.is_empty()) {
            commands.push(format!("use {current}"));
        }
        commands
    }
}

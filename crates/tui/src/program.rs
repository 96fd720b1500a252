//! The program: the text that the instructions come from, or the instructions one after the other.

use crate::seen::{Facts, Now, TextLine};
use gpuzoo::diag::{FileId, Sources};
use gpuzoo::machine::session::{Place, Session};
use gpuzoo::why;
use std::collections::{BTreeMap, BTreeSet};

/// How a program is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum View {
    /// As its text.
    #[default]
    Text,
    /// As instructions in the order in which they are carried out.
    Steps,
}

/// Steps before this one that are listed of a run without an end.
const BEFORE: u64 = 200;

/// The program as it is seen.
#[derive(Default)]
pub(crate) struct Program {
    pub view: View,
    /// The file, if its text is seen.
    pub file: Option<FileId>,
    /// The numbers of lines, or of steps.
    pub rows: Vec<u64>,
    /// The row that keys are about.
    pub cursor: usize,
    /// The first row that is seen.
    pub top: usize,
    /// Only what the components that are asked about come from.
    pub is_filtered: bool,
    /// Instructions of a run whose steps are found one by one.
    places: BTreeMap<u64, Place>,
}

/// A row, as it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Row {
    pub number: u64,
    pub text: String,
    /// Runs stop there.
    pub stops: bool,
    /// It is next.
    pub is_next: bool,
    /// It has instructions.
    pub has_code: bool,
    /// What is asked about comes from it.
    pub is_ancestor: bool,
    /// Something odd happens there.
    pub is_odd: bool,
    /// It was carried out, and wrote this; true if that is odd.
    pub wrote: Option<(String, bool)>,
}

impl Program {
    /// Forgets what may have changed with a poke, or is of another run.
    pub fn forget(&mut self) {
        self.places.clear();
    }

    /// Follows the run: its line, or its step, is where the cursor is.
    pub fn follow(&mut self, facts: &Facts, now: &Now, sources: &Sources, ancestors: &BTreeSet<u64>) {
        let line = now.line.or(now.last_line);
        if let Some((file, _)) = line {
            self.file = Some(file);
        }
        let has_text = self.file.is_some() && !facts.lines.is_empty();
        self.remake(facts, now, sources, ancestors);
        let here = match (self.is_text(has_text), line) {
            (true, Some((_, line))) => Some(line as u64),
            (true, None) => None,
            (false, _) => Some(now.position),
        };
        if let Some(here) = here {
            self.cursor = self.rows.partition_point(|row| *row < here);
        }
        self.cursor = self.cursor.min(self.rows.len().saturating_sub(1));
    }

    fn is_text(&self, has_text: bool) -> bool {
        self.view == View::Text && has_text
    }

    /// True if the text is seen.
    pub fn shows_text(&self, facts: &Facts) -> bool {
        self.is_text(self.file.is_some() && !facts.lines.is_empty())
    }

    /// Lists the rows anew.
    pub fn remake(&mut self, facts: &Facts, now: &Now, sources: &Sources, ancestors: &BTreeSet<u64>) {
        if self.file.is_none() {
            // Where nothing is next, the first file that has instructions.
            self.file = facts.lines.keys().next().map(|(file, _)| *file);
        }
        let is_filtered = self.is_filtered && facts.trace.is_some();
        self.rows = match (self.file.filter(|_| self.shows_text(facts)), is_filtered) {
            (Some(file), true) => {
                let own = facts.steps.range((file, 0)..=(file, usize::MAX));
                let own = own.filter(|(_, steps)| steps.iter().any(|step| ancestors.contains(step)));
                own.map(|((_, line), _)| *line as u64).collect()
            }
            (Some(file), false) => {
                let last = sources.find(file).map_or(0, |file| file.text().lines().count());
                (1..=last as u64).collect()
            }
            (None, true) => ancestors.iter().copied().collect(),
            (None, false) if facts.trace.is_some() => (0..=now.total.unwrap_or(0)).collect(),
            (None, false) => (now.position.saturating_sub(BEFORE)..=now.position).collect(),
        };
        self.cursor = self.cursor.min(self.rows.len().saturating_sub(1));
    }

    /// Finds the instructions of the rows that are about to be seen.
    pub fn find_places(&mut self, facts: &Facts, session: &mut dyn Session, height: u16) {
        if self.shows_text(facts) || facts.trace.is_some() {
            return;
        }
        // The next one may be another as soon as something is poked, and costs one look.
        self.places.remove(&session.position());
        for step in self.rows.iter().skip(self.top).take(height.into()) {
            if !self.places.contains_key(step)
                && let Some(place) = session.place(*step)
            {
                self.places.insert(*step, place);
            }
        }
    }

    /// The line of a row, if the text is seen.
    pub fn line(&self, facts: &Facts, row: usize) -> Option<TextLine> {
        let file = self.file.filter(|_| self.shows_text(facts))?;
        Some((file, *self.rows.get(row)? as usize))
    }

    /// The instruction of a step.
    fn place<'s>(&'s self, facts: &'s Facts, step: u64) -> Option<&'s Place> {
        match &facts.trace {
            Some(trace) => trace.session.places().nth(usize::try_from(step).ok()?),
            None => self.places.get(&step),
        }
    }

    /// The slots or addresses of a row.
    pub fn addresses(&self, facts: &Facts, row: usize) -> Vec<u64> {
        match self.line(facts, row) {
            Some(line) => facts.lines.get(&line).cloned().unwrap_or_default(),
            None => {
                let place = self.rows.get(row).and_then(|step| self.place(facts, *step));
                place.map(|place| place.at).into_iter().collect()
            }
        }
    }

    /// The steps of a row, of a shader's run.
    pub fn steps(&self, facts: &Facts, row: usize) -> Vec<u64> {
        match self.line(facts, row) {
            Some(line) => facts.steps.get(&line).cloned().unwrap_or_default(),
            None => self.rows.get(row).copied().into_iter().collect(),
        }
    }

    /// A row as it is shown.
    pub fn row(
        &self,
        facts: &Facts,
        now: &Now,
        sources: &Sources,
        ancestors: &BTreeSet<u64>,
        row: usize,
    ) -> Row {
        let Some(number) = self.rows.get(row).copied() else { return Row::default() };
        let addresses = self.addresses(facts, row);
        let steps = if facts.trace.is_some() { self.steps(facts, row) } else { Vec::new() };
        let line = self.line(facts, row);
        let (text, is_next) = match line {
            Some((file, line)) => {
                let file = sources.find(file);
                (file.map_or("", |file| file.line(line)).to_owned(), now.line == self.line(facts, row))
            }
            None => {
                let place = self.place(facts, number);
                let text = match place {
                    Some(place) if facts.is_memory => format!("${:04X}  {}", place.at, place.text),
                    Some(place) => place.text.clone(),
                    None if number == now.position => now.next().to_owned(),
                    None => "the end".to_owned(),
                };
                (text, number == now.position)
            }
        };
        Row {
            number,
            text: plain(&text),
            stops: addresses.iter().any(|at| now.breaks.contains(at)),
            is_next,
            has_code: line.is_none() || !addresses.is_empty(),
            is_ancestor: steps.iter().any(|step| ancestors.contains(step)),
            is_odd: steps.iter().any(|step| facts.odd.contains(step)),
            wrote: wrote(facts, now, &steps),
        }
    }
}

/// What the last of some steps wrote that are done.
fn wrote(facts: &Facts, now: &Now, steps: &[u64]) -> Option<(String, bool)> {
    let trace = facts.trace.as_ref()?;
    let step = *steps.iter().rfind(|step| **step < now.position)?;
    let changes = &trace.session.steps().get(step as usize)?.changes;
    let one = |change: &gpuzoo::machine::session::trace::Change| {
        let value = (change.after, change.integers[1]);
        why::named(&trace.session.name(change.reg), change.components, value, false)
    };
    let text: Vec<String> = changes.iter().map(one).collect();
    (!text.is_empty()).then(|| (text.join("  "), facts.odd.contains(&step)))
}

/// A line with blanks in place of tabs, and without what a terminal would obey.
pub(crate) fn plain(line: &str) -> String {
    let mut text = String::new();
    let mut columns = 0;
    for letter in line.chars() {
        match letter {
            '\t' => {
                let blanks = 8 - columns % 8;
                text.extend(std::iter::repeat_n(' ', blanks));
                columns += blanks;
            }
            control if control.is_control() => {}
            letter => {
                text.push(letter);
                columns += 1;
            }
        }
    }
    text
}

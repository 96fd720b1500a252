//! Several runs: those behind a pixel, or the vertices of a batch, which share one program counter.

use super::batch::Batch;
use super::command::{Watch, Which};
use super::show::told;
use super::{Console, NOT_IN_THE_RUN, Refused, Run};
use crate::paint::Ink;
use gpuzoo_debug::Quantity;
use gpuzoo_diag::counted;
use std::fmt::Write;

/// The most runs that are listed.
const MOST_LISTED: usize = 32;

impl Console {
    /// With the vertices of a batch, of which the first run is one: the first that differs from what is expected, or else the first.
    #[must_use]
    pub fn of_batch(mut self, batch: Batch) -> Console {
        let first = batch.differences().first().map_or(0, |(lane, _)| *lane);
        self.runs = batch.trace(first).map(Run::of_trace).into_iter().collect();
        (self.current, self.lane, self.batch) = (0, first, Some(batch));
        self
    }

    /// How many runs there are to choose from.
    pub fn count(&self) -> usize {
        self.batch.as_ref().map_or(self.runs.len(), Batch::count)
    }

    /// The number of the run.
    pub fn chosen(&self) -> usize {
        if self.batch.is_some() { self.lane } else { self.current }
    }

    /// How the batch is beside what is expected, and this lane of it.
    pub(super) fn compared(&self) -> String {
        self.batch.as_ref().map_or_else(String::new, |batch| batch.compared() + &self.unlike())
    }

    fn unlike(&self) -> String {
        let trace = self.runs.get(self.current).and_then(|run| run.trace.as_ref());
        let batch = self.batch.as_ref().zip(trace);
        let text = batch.map_or_else(String::new, |(batch, trace)| batch.unlike(self.lane, trace, self.bits));
        let lines = text.lines().map(|line| format!("{}\n", self.paint.ink(Ink::Odd, line)));
        lines.collect()
    }

    /// Goes on with another run. Of a batch it is where this one is: breakpoints stay, what was poked is gone.
    pub(super) fn change_to(&mut self, which: Which) -> Result<String, Refused> {
        let chosen = self.chosen();
        let number = match which {
            Which::Number(number) if number < self.count() => number,
            Which::Number(_) => {
                let message = format!("there is no run of this number: {}", counted(self.count(), "run"));
                return Err(Refused(&NOT_IN_THE_RUN, message));
            }
            Which::Differing => {
                let all = self.batch.as_ref().map_or(&[][..], Batch::differences);
                let behind = all.partition_point(|(lane, _)| *lane <= chosen);
                let next = all.get(behind).or(all.first()).map(|(lane, _)| *lane);
                next.ok_or_else(|| {
                    let message = "no lane differs from what is expected, or nothing is: `--expect FILE`";
                    Refused(&NOT_IN_THE_RUN, message.to_owned())
                })?
            }
        };
        let Some(trace) = self.batch.as_ref().map(|batch| batch.trace(number)) else {
            self.current = number;
            return Ok(self.here());
        };
        let position = self.session().position();
        if let Some((trace, run)) = trace.zip(self.runs.get_mut(self.current)) {
            run.replace(trace);
            self.lane = number;
        }
        let reached = self.session().seek(position);
        let short = match reached == position {
            true => String::new(),
            false => format!("step {position} is not reached\n"),
        };
        let name = self.runs.get(self.current).map_or_else(String::new, |run| run.name.clone());
        let name = self.paint.ink(Ink::Head, name);
        Ok(format!("{name}\n{}{short}{}", self.unlike(), self.here()))
    }

    /// All runs by name.
    pub(super) fn list_of_runs(&self) -> String {
        let (chosen, count) = (self.chosen(), self.count());
        let mut text = String::new();
        for number in 0..count.min(MOST_LISTED) {
            let mark = if number == chosen { '>' } else { ' ' };
            let _ = writeln!(text, "{mark} {number}  {}", self.name(number));
        }
        if count > MOST_LISTED {
            let _ = writeln!(text, "  and {} more", count - MOST_LISTED);
        }
        text + &self.compared()
    }

    /// What a run is called.
    pub fn name(&self, number: usize) -> String {
        match (&self.batch, self.runs.first()) {
            (Some(_), Some(run)) => run.lane_name(number),
            _ => self.runs.get(number).map_or_else(String::new, |run| run.name.clone()),
        }
    }

    /// A value in each run, where it stands; of a comparison the runs in which it holds.
    pub(super) fn values(&mut self, watch: &Watch) -> Result<String, Refused> {
        // What is not there in this run has no value in any.
        let (chosen, position) = (self.chosen(), self.session().position());
        watch.expression.value(self.session())?;
        let (mut lines, mut found, mut all) = (Vec::new(), 0, 0);
        for number in 0..self.count() {
            let mut lane =
                self.batch.as_ref().filter(|_| number != chosen).and_then(|batch| batch.trace(number));
            let session = match (&mut lane, &self.batch) {
                (Some(trace), _) => {
                    let session: &mut dyn gpuzoo_machine::session::Session = &mut trace.session;
                    session.seek(position);
                    session
                }
                (None, Some(_)) => self.runs[self.current].debugger.session(),
                (None, None) => self.runs[number].debugger.session(),
            };
            let Ok(value) = watch.expression.value(session) else { continue };
            all += 1;
            let holds = !matches!(value, Quantity::Truth(false));
            found += usize::from(holds);
            if !holds || lines.len() >= MOST_LISTED {
                continue;
            }
            let mark = if number == chosen { '>' } else { ' ' };
            let shown = match value {
                Quantity::Truth(_) => String::new(),
                value => format!("  {}", told(watch, value, self.bits).trim_end()),
            };
            lines.push(format!("{mark} {number}  {}{shown}\n", self.name(number)));
        }
        let more = found - lines.len();
        let mut text = lines.concat();
        if more > 0 {
            let _ = writeln!(text, "  and {more} more");
        }
        if found < all {
            let _ = writeln!(text, "it holds in {found} of {all}");
        }
        Ok(text)
    }
}

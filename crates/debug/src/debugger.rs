//! Breakpoints on a run, in both directions.

use crate::expression::{Expression, Unclear};
use gpuzoo_machine::session::{Condition, Session, Stop};
use std::collections::HashSet;

/// A run that stops at breakpoints.
///
/// ```
/// use gpuzoo_debug::{Debugger, Expression, Halt};
/// use gpuzoo_machine::session::{Condition, ShaderSession};
///
/// let mut debugger = Debugger::new(Box::new(ShaderSession::default()));
/// let first = debugger.add(Condition::At(3), None);
/// assert_eq!(debugger.run(&[], 1_000), Ok(Halt::End));
/// assert_eq!(debugger.run_back(&[], 1_000), Ok(Halt::Start));
/// assert!(debugger.remove(first) && !debugger.remove(first));
/// ```
pub struct Debugger {
    session: Box<dyn Session>,
    breakpoints: Vec<Breakpoint>,
    last: u32,
    /// The most comparisons of a run.
    most_compared: u64,
}

/// The steps in whose time a comparison is made: it makes the registers' names and values anew.
const STEPS_OF_A_COMPARISON: u64 = 256;

/// Where a run stops.
#[derive(Clone, Debug, PartialEq)]
pub struct Breakpoint {
    /// Its number, from 1, which no other one of the debugger has or had.
    pub number: u32,
    /// What it waits for.
    pub condition: Condition,
    /// What must hold there, too.
    pub only_if: Option<Expression>,
}

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// At the breakpoint of this number.
    Breakpoint(u32),
    /// Where this one of the conditions is met that were given for this run.
    Met(usize),
    /// The program has ended.
    End,
    /// At the start of the run, or the oldest step that is kept.
    Start,
    /// So many steps were allowed.
    Limit,
}

impl Debugger {
    /// Of a session, from where it is.
    pub fn new(session: Box<dyn Session>) -> Debugger {
        Debugger { session, breakpoints: Vec::new(), last: 0, most_compared: u64::MAX }
    }

    /// Takes another session in the place of this one; breakpoints stay.
    pub fn replace(&mut self, session: Box<dyn Session>) {
        self.session = session;
    }

    /// The session.
    pub fn session(&mut self) -> &mut dyn Session {
        &mut *self.session
    }

    /// The breakpoints, in the order of their numbers.
    pub fn breakpoints(&self) -> &[Breakpoint] {
        &self.breakpoints
    }

    /// Adds a breakpoint; returns its number.
    pub fn add(&mut self, condition: Condition, only_if: Option<Expression>) -> u32 {
        self.last += 1;
        self.breakpoints.push(Breakpoint { number: self.last, condition, only_if });
        self.last
    }

    /// Removes a breakpoint; false if there is none of this number.
    pub fn remove(&mut self, number: u32) -> bool {
        let before = self.breakpoints.len();
        self.breakpoints.retain(|breakpoint| breakpoint.number != number);
        self.breakpoints.len() < before
    }

    /// Removes several breakpoints.
    pub fn remove_all(&mut self, numbers: &HashSet<u32>) {
        self.breakpoints.retain(|breakpoint| !numbers.contains(&breakpoint.number));
    }

    /// Lets a run end as at a limit where the comparisons of its breakpoints have taken the time of so many steps.
    pub fn compare_in_time_of(&mut self, steps: u64) {
        self.most_compared = steps / STEPS_OF_A_COMPARISON;
    }

    /// Goes on, by at least a step and at most `limit`, to a breakpoint or to where one of some conditions is met.
    ///
    /// # Errors
    /// If a breakpoint asks for what the session has not got; the run has stopped there.
    pub fn run(&mut self, to: &[Condition], limit: u64) -> Result<Halt, Unclear> {
        self.go(to, limit, true)
    }

    /// The same the other way.
    ///
    /// # Errors
    /// As for [`run`](Debugger::run).
    pub fn run_back(&mut self, to: &[Condition], limit: u64) -> Result<Halt, Unclear> {
        self.go(to, limit, false)
    }

    fn go(&mut self, to: &[Condition], limit: u64, forward: bool) -> Result<Halt, Unclear> {
        let own = self.breakpoints.iter().map(|breakpoint| breakpoint.condition.clone());
        let conditions: Vec<Condition> = to.iter().cloned().chain(own).collect();
        let asked = self.breakpoints.iter().filter_map(|breakpoint| breakpoint.only_if.as_ref());
        let comparisons = asked.map(Expression::comparisons).sum::<usize>() as u64;
        let (start, mut compared) = (self.session.position(), 0);
        loop {
            let left = limit.saturating_sub(self.session.position().abs_diff(start));
            if compared > self.most_compared {
                return Ok(Halt::Limit);
            }
            let stop = match forward {
                true => self.session.run_until(&conditions, left),
                false => self.session.back_until(&conditions, left),
            };
            match stop {
                Stop::Met(met) if met < to.len() => return Ok(Halt::Met(met)),
                Stop::Met(_) => {}
                Stop::Ended => return Ok(if forward { Halt::End } else { Halt::Start }),
                Stop::Limit => return Ok(Halt::Limit),
            }
            if let Some(number) = self.met().next().transpose()? {
                return Ok(Halt::Breakpoint(number));
            }
            compared += comparisons;
        }
    }

    /// The numbers of the breakpoints that a run stops at here: of several that are met, some may ask for more than what is.
    ///
    /// # Errors
    /// In place of the number of one that asks for what the session has not got.
    pub fn met(&mut self) -> impl Iterator<Item = Result<u32, Unclear>> {
        let Debugger { session, breakpoints, .. } = self;
        breakpoints.iter().filter_map(|breakpoint| {
            let holds = match &breakpoint.only_if {
                _ if !session.meets(&breakpoint.condition) => Ok(false),
                Some(expression) => expression.holds(&mut **session),
                None => Ok(true),
            };
            holds.map(|holds| holds.then_some(breakpoint.number)).transpose()
        })
    }
}

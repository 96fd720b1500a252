//! The search for the shortest program: over forms of a graph, and for each over orders of urgency, and then by branch and bound.

use crate::graph::Code;
use crate::schedule::allocate::{Homes, allocate};
use crate::schedule::branch_and_bound::{Answer, within};
use crate::schedule::draft::{Draft, join};
use crate::schedule::problem::Problem;
use crate::schedule::{Order, Schedule, schedule};
use gpuzoo_diag::Span;
use gpuzoo_isa::{Isa, Slot};
use gpuzoo_machine::target::slots::Slots;
use std::ops::Range;

/// The shortest program that was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its slots.
    pub slots: Vec<Slot>,
    /// Which form of the graph it is of.
    pub form: usize,
    /// What each half of each slot does.
    pub schedule: Schedule,
    /// Where each value is.
    pub homes: Homes,
}

/// What a search gave.
#[derive(Clone, Debug)]
pub struct Search {
    /// The shortest program, if there is one of the length that was allowed.
    pub found: Option<Found>,
    /// No schedule of any form has fewer slots than this.
    pub bound: usize,
}

/// How long is searched.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Orders of urgency for each form.
    pub orders: u64,
    /// And so many more for each that has given nothing shorter than the others.
    pub more: u64,
    /// Nodes that [branch and bound](crate::schedule::branch_and_bound) places, in all branches of all forms together.
    pub placed: usize,
}

/// The shortest program of at most `most` slots of one of several forms of a graph.
pub fn search(isa: &Isa, slots: &dyn Slots, forms: &[&Code], most: usize, effort: Effort) -> Search {
    let problems: Vec<Problem> = forms.iter().map(|form| Problem::new(isa, slots, form)).collect();
    let bounds = problems.iter().map(Problem::bound).collect();
    let mut hunt = Hunt { isa, slots, problems, bounds, most, found: None };
    for form in 0..hunt.problems.len() {
        if !hunt.orders(form, 0..effort.orders, true) {
            hunt.orders(form, effort.orders..effort.orders + effort.more, true);
        }
    }
    if hunt.found.is_none() {
        // Where there is no room for pairs, there may be some for single nodes, and then a length for pairs to stay below.
        (0..hunt.problems.len()).for_each(|form| _ = hunt.orders(form, 0..ALONE, false));
        if hunt.found.is_some() {
            let first = effort.orders + effort.more;
            (0..hunt.problems.len()).for_each(|form| _ = hunt.orders(form, first..first + PATIENT, true));
        }
    }
    hunt.branches(effort.placed);
    Search { bound: hunt.bounds.into_iter().min().unwrap_or(usize::MAX), found: hunt.found }
}

/// Orders without pairs that are tried when no other one leads anywhere.
const ALONE: u64 = 8;

/// Orders with pairs that are tried once more when only one without them led anywhere.
const PATIENT: u64 = 60;

/// A search under way.
struct Hunt<'a> {
    isa: &'a Isa,
    slots: &'a dyn Slots,
    /// One for each form.
    problems: Vec<Problem<'a>>,
    /// No schedule of a form has fewer slots.
    bounds: Vec<usize>,
    /// The most slots that are allowed.
    most: usize,
    /// The shortest program so far.
    found: Option<Found>,
}

impl Hunt<'_> {
    /// The most slots of a program that is shorter than what was found, and that a form may have. None if it can have none.
    fn room(&self, form: usize) -> Option<usize> {
        let most = self.found.as_ref().map_or(Some(self.most), |found| found.slots.len().checked_sub(1));
        most.filter(|most| *most >= self.bounds[form])
    }

    /// Tries orders of urgency for a form. True if they give something shorter.
    fn orders(&mut self, form: usize, seeds: Range<u64>, pairs: bool) -> bool {
        let mut is_shorter = false;
        for seed in seeds {
            let Some(most) = self.room(form) else { break };
            let problem = &self.problems[form];
            let schedule = schedule(problem, &Order::new(problem, seed, pairs), most);
            let better = schedule.and_then(|schedule| complete(self.isa, self.slots, problem, schedule));
            if let Some(found) = better {
                (self.found, is_shorter) = (Some(Found { form, ..found }), true);
            }
        }
        is_shorter
    }

    /// Looks for shorter programs by branch and bound, and for proofs that there are none. It needs a length to stay below.
    fn branches(&mut self, placed: usize) {
        if self.found.is_none() && self.most == usize::MAX {
            return;
        }
        let most_nodes = self.problems.iter().map(|problem| problem.code.nodes.len()).max();
        let mut branches = placed / most_nodes.unwrap_or(0).max(1);
        for form in 0..self.problems.len() {
            let mut share = branches / (self.problems.len() - form);
            branches -= share;
            while let Some(most) = self.room(form).filter(|_| share > 0) {
                let (isa, slots, problem) = (self.isa, self.slots, &self.problems[form]);
                match within(problem, most, &mut share, |schedule| complete(isa, slots, problem, schedule)) {
                    Answer::Found(better) => self.found = Some(Found { form, ..better }),
                    Answer::Impossible => self.bounds[form] = most.saturating_add(1),
                    Answer::Unknown => break,
                }
            }
            branches += share;
        }
    }
}

/// The program of a schedule, if there are registers for it.
pub fn complete(isa: &Isa, slots: &dyn Slots, problem: &Problem, schedule: Schedule) -> Option<Found> {
    let homes = allocate(problem, &schedule)?;
    let slots = write(isa, slots, problem, &schedule, &homes)?;
    Some(Found { slots, form: 0, schedule, homes })
}

/// The slots of a schedule. None if what was to fit does not with the registers that were chosen.
fn write(
    isa: &Isa,
    slots: &dyn Slots,
    problem: &Problem,
    schedule: &Schedule,
    homes: &Homes,
) -> Option<Vec<Slot>> {
    let slot = |nodes: &[Option<usize>; 2]| {
        let nodes = nodes.iter().flatten().map(|node| &problem.code.nodes[*node]);
        let span = nodes.clone().map(|node| node.span).reduce(Span::to).unwrap_or_default();
        let drafts =
            nodes.map(|node| Draft::new(node, |value| homes[value.index()].unwrap_or((problem.paired, 0))));
        let insts = join(slots, drafts.collect::<Option<_>>()?)?;
        Some(isa.slot(isa.encode_all(insts.iter()), span))
    };
    schedule.iter().map(slot).collect()
}

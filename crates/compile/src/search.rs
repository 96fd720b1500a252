//! The search for the shortest program: over forms of a graph, and for each over orders of urgency, and then by branch and bound.

use crate::allocate::{Homes, allocate};
use crate::code::Code;
use crate::draft::{Draft, join};
use crate::exact::{Answer, within};
use crate::problem::Problem;
use crate::schedule::{Order, Schedule, schedule};
use gpuzoo_diag::Span;
use gpuzoo_isa::{Isa, Slot, numbers};
use gpuzoo_machine::slots::Slots;

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
    /// Nodes that [branch and bound](crate::exact) places, in all branches of all forms together.
    pub placed: usize,
}

/// The shortest program of at most `most` slots of one of several forms of a graph.
pub fn search(isa: &Isa, slots: &dyn Slots, forms: &[Code], most: usize, effort: Effort) -> Search {
    let mut found: Option<Found> = None;
    let shorter = |found: &Option<Found>| match found {
        Some(found) => found.slots.len().checked_sub(1),
        None => Some(most),
    };
    let problems: Vec<Problem> = forms.iter().map(|form| Problem::new(isa, slots, form)).collect();
    let mut bounds: Vec<usize> = problems.iter().map(Problem::bound).collect();
    for (at, problem) in problems.iter().enumerate() {
        let better =
            shorter(&found).and_then(|most| shortest(isa, slots, problem, bounds[at], most, effort.orders));
        found = better.map(|found| Found { form: at, ..found }).or(found);
    }
    let most_nodes = forms.iter().map(|form| form.nodes.len()).max().unwrap_or(0).max(1);
    let mut branches = effort.placed / most_nodes;
    for (at, problem) in problems.iter().enumerate() {
        let mut share = branches / (problems.len() - at);
        branches -= share;
        while let Some(most) = shorter(&found).filter(|most| *most >= bounds[at] && share > 0) {
            match within(problem, most, &mut share, |schedule| complete(isa, slots, problem, schedule)) {
                Answer::Found(better) => found = Some(Found { form: at, ..better }),
                Answer::Impossible => bounds[at] = most.saturating_add(1),
                Answer::Unknown => break,
            }
        }
        branches += share;
    }
    Search { found, bound: bounds.into_iter().min().unwrap_or(usize::MAX) }
}

/// Orders with more thrift that are tried when no other one leads anywhere.
const THRIFTY: u64 = 16;

/// Orders without pairs that are tried when no other one leads anywhere.
const ALONE: u64 = 8;

/// Orders with pairs that are tried once more when only one without them led anywhere.
const PATIENT: u64 = 150;

/// The shortest slots that some orders of urgency lead to, if there are any of at most `most`.
fn shortest(
    isa: &Isa,
    slots: &dyn Slots,
    problem: &Problem,
    bound: usize,
    most: usize,
    orders: u64,
) -> Option<Found> {
    let mut best: Option<Found> = None;
    // Where the usual orders leave no room for all values, more thrift may, and then single nodes.
    let (thrifty, alone) = (orders + orders.min(THRIFTY), orders + orders.min(THRIFTY) + ALONE);
    let mut is_unpaired = false;
    for seed in 0..alone + PATIENT {
        let pairs = !(thrifty..alone).contains(&seed);
        if seed >= orders && best.is_some() && !is_unpaired {
            break;
        }
        if !pairs && best.is_some() {
            continue;
        }
        let most = best.as_ref().map_or(Some(most), |found| found.slots.len().checked_sub(1));
        let Some(most) = most.filter(|most| *most >= bound) else { break };
        let mut order = order(problem, seed, pairs);
        if (orders..thrifty).contains(&seed) {
            order.thrift = 64 << (seed % 4);
        }
        let Some(schedule) = schedule(problem, &order, most) else { continue };
        if let Some(found) = complete(isa, slots, problem, schedule) {
            is_unpaired |= !pairs;
            best = Some(found);
        }
    }
    best
}

/// An order by number: by what waits for a node, or by the order of the graph, which keeps few values alive.
fn order(problem: &Problem, seed: u64, pairs: bool) -> Order {
    let mut number = numbers(seed);
    let noise = [1, 4, 12, 24, 48][(seed % 5) as usize];
    let count = problem.height.len() as u32;
    let is_waited_for = seed % 4 != 3;
    let rank = |at: usize| if is_waited_for { problem.height[at] } else { count - at as u32 };
    let urgency = (0..problem.height.len()).map(|at| 64 + rank(at) * 8 + number(noise)).collect();
    let thrift = [0, 2, 8, 32][(seed / 4 % 4) as usize];
    Order { urgency, late: seed % 2 == 1, pairs, thrift }
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

//! Registers and components for the values of a schedule.

use crate::graph::shape::Kind;
use crate::graph::{Origin, Value};
use crate::schedule::problem::Problem;
use crate::schedule::{Schedule, paired_webs};
use gpuzoo_isa::Reg;
use std::cmp::Reverse;

/// The most placements that are tried for a web before another register is.
const TRIES: u32 = 2_000;

/// For each value its register and component; values of webs that nothing uses have none.
pub type Homes = Vec<Option<(Reg, u8)>>;

/// From the slot behind the write to that of the last read, both included.
#[derive(Clone, Copy)]
struct Span {
    from: u32,
    to: u32,
}

impl Span {
    fn meets(&self, other: &Span) -> bool {
        self.from <= other.to && other.from <= self.to
    }
}

/// Where each value lives. None if there is no room; another schedule may have some.
pub fn allocate(problem: &Problem, schedule: &Schedule) -> Option<Homes> {
    // What is large has the least choice; but what is as large as a register fits best in the order of time.
    [First::Largest, First::Whole, First::Earliest]
        .into_iter()
        .find_map(|first| allocated(problem, schedule, first))
}

/// What is placed first, behind that which has no choice.
#[derive(Clone, Copy)]
enum First {
    /// The largest web, then by time.
    Largest,
    /// What leaves no room beside it in a register, then by time.
    Whole,
    /// By time alone.
    Earliest,
}

fn allocated(problem: &Problem, schedule: &Schedule, first: First) -> Option<Homes> {
    let code = problem.code;
    let spans = spans(problem, schedule);
    let paired = paired_webs(problem, schedule);
    // Values of slots whose second half writes the paired temporary cannot be there.
    let mut elsewhere = vec![false; code.values.len()];
    for slot in schedule {
        if let [Some(first), Some(second)] = slot
            && code.nodes[*second].results.iter().any(Option::is_some)
        {
            for value in code.nodes[*first].results.iter().flatten() {
                elsewhere[problem.web[value.index()] as usize] = true;
            }
        }
    }
    let mut webs: Vec<Vec<Value>> = vec![Vec::new(); code.values.len()];
    for (at, span) in spans.iter().enumerate() {
        if span.is_some() {
            webs[problem.web[at] as usize].push(Value(at as u32));
        }
    }
    let mut order: Vec<usize> = (0..webs.len()).filter(|web| !webs[*web].is_empty()).collect();
    let pin = |web: usize| {
        let start = webs[web].iter().find_map(|value| match code.values[value.index()] {
            Origin::Start(reg, _) => Some(reg),
            Origin::Node(..) | Origin::Gone => None,
        });
        start.or(paired[web].then_some(problem.paired))
    };
    let size = |web: usize| match first {
        First::Largest => webs[web].len(),
        First::Whole => usize::from(webs[web].len() > 2),
        First::Earliest => 0,
    };
    let begin =
        |web: usize| webs[web].iter().filter_map(|value| spans[value.index()]).map(|span| span.from).min();
    order.sort_by_key(|web| (pin(*web).is_none(), Reverse(size(*web)), begin(*web)));
    let mut room = Room {
        problem,
        spans: &spans,
        homes: vec![None; code.values.len()],
        taken: vec![Default::default(); usize::from(problem.registers)],
    };
    for web in order {
        let mut values = webs[web].clone();
        values.sort_by_key(|value| spans[value.index()].map(|span| span.from));
        let placed = match pin(web) {
            Some(reg) if paired[web] && (reg != problem.paired || elsewhere[web]) => false,
            Some(reg) => room.place(&values, reg),
            None => (0..problem.registers).any(|index| {
                let reg = Reg { index, ..problem.paired };
                !(elsewhere[web] && reg == problem.paired) && room.place(&values, reg)
            }),
        };
        if !placed {
            return None;
        }
    }
    Some(room.homes)
}

fn spans(problem: &Problem, schedule: &Schedule) -> Vec<Option<Span>> {
    let code = problem.code;
    let mut spans: Vec<Option<Span>> = vec![None; code.values.len()];
    let mut written = vec![0; code.values.len()];
    for (slot, nodes) in (0u32..).zip(schedule) {
        for node in nodes.iter().flatten() {
            for value in code.nodes[*node].results.iter().flatten() {
                written[value.index()] = slot + 1;
            }
        }
    }
    for (slot, nodes) in (0u32..).zip(schedule) {
        for value in nodes.iter().flatten().flat_map(|node| code.nodes[*node].reads()) {
            let from = written[value.index()];
            let span = spans[value.index()].get_or_insert(Span { from, to: slot });
            span.to = span.to.max(slot);
        }
    }
    spans
}

struct Room<'a> {
    problem: &'a Problem<'a>,
    spans: &'a [Option<Span>],
    homes: Homes,
    /// For each component of each temporary, when it is taken.
    taken: Vec<[Vec<Span>; 4]>,
}

impl Room<'_> {
    /// Places all values of a web in a register, or none of them.
    fn place(&mut self, values: &[Value], reg: Reg) -> bool {
        let mut tries = TRIES;
        self.place_from(values, reg, &mut tries)
    }

    fn place_from(&mut self, values: &[Value], reg: Reg, tries: &mut u32) -> bool {
        let Some((value, rest)) = values.split_first() else { return true };
        let Some(span) = self.spans[value.index()] else { return self.place_from(rest, reg, tries) };
        let (home, moves) = match self.problem.code.values[value.index()] {
            Origin::Start(own, _) if own != reg => return false,
            Origin::Start(_, component) => (component, false),
            Origin::Gone => return false,
            Origin::Node(node, component) => {
                (component, self.problem.code.nodes[node].shape.kind != Kind::Own)
            }
        };
        let others = (0..4).filter(|component| moves && *component != home);
        for component in [home].into_iter().chain(others) {
            if *tries == 0 {
                return false;
            }
            *tries -= 1;
            let cell = &self.taken[usize::from(reg.index)][usize::from(component)];
            if cell.iter().any(|other| other.meets(&span)) || !self.fits(*value, component) {
                continue;
            }
            self.taken[usize::from(reg.index)][usize::from(component)].push(span);
            self.homes[value.index()] = Some((reg, component));
            if self.place_from(rest, reg, tries) {
                return true;
            }
            self.taken[usize::from(reg.index)][usize::from(component)].pop();
            self.homes[value.index()] = None;
        }
        false
    }

    /// True if a node's result can have a value at a component: neither what the node writes besides nor another value needs
    /// something else there.
    fn fits(&self, value: Value, component: u8) -> bool {
        let code = self.problem.code;
        let Origin::Node(node, own) = code.values[value.index()] else { return true };
        let node = &code.nodes[node];
        let place = node.place.and_then(|place| place.from[usize::from(component)]);
        let is_same = node.shape.kind == Kind::Same;
        let others = node.results.iter().flatten().filter(|other| **other != value);
        let mut others = others.filter_map(|other| self.homes[other.index()]);
        (is_same || place.is_none_or(|from| from == own)) && others.all(|(_, taken)| taken != component)
    }
}

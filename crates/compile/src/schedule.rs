//! List scheduling: slot by slot from the first, what is most urgent of that which is ready, two nodes where they fit.

use crate::code::{Origin, Value};
use crate::problem::Problem;

/// What each half of each slot does.
pub type Schedule = Vec<[Option<usize>; 2]>;

/// The most values that the paired temporary holds: its components.
const COMPONENTS: usize = 4;

/// In what order nodes are taken.
#[derive(Clone, Debug)]
pub struct Order {
    /// Of each node; the greatest goes first.
    pub urgency: Vec<u32>,
    /// What waits for nothing waits until something needs nothing else: it takes a register for a shorter time.
    pub late: bool,
    /// Two nodes share a slot where they fit.
    pub pairs: bool,
}

/// A schedule of at most so many slots, or none if this order leads to none.
pub fn schedule(problem: &Problem, order: &Order, most: usize) -> Option<Schedule> {
    let mut list = List::new(problem);
    while list.left > 0 {
        if list.schedule.len() >= most {
            return None;
        }
        list.slot(order)?;
    }
    Some(list.schedule)
}

/// Webs that are in the paired temporary: those that the second half of a slot writes beside the first.
pub fn paired_webs(problem: &Problem, schedule: &Schedule) -> Vec<bool> {
    let mut paired = vec![false; problem.code.values.len()];
    for slot in schedule {
        if let [Some(_), Some(second)] = slot {
            for value in problem.code.nodes[*second].results.iter().flatten() {
                paired[problem.web[value.index()] as usize] = true;
            }
        }
    }
    paired
}

struct List<'a> {
    problem: &'a Problem<'a>,
    schedule: Schedule,
    /// Of each node, its slot.
    slot_of: Vec<Option<u32>>,
    /// How many nodes are not scheduled yet.
    left: usize,
    /// Of each value, how many reads are not scheduled yet.
    reads: Vec<u32>,
    /// Webs that are in the paired temporary, and their values.
    paired: Vec<bool>,
    /// For each web, its values.
    members: Vec<Vec<Value>>,
}

impl<'a> List<'a> {
    fn new(problem: &'a Problem<'a>) -> List<'a> {
        let code = problem.code;
        let mut reads = vec![0; code.values.len()];
        code.nodes.iter().flat_map(|node| node.reads()).for_each(|value| reads[value.index()] += 1);
        let mut members = vec![Vec::new(); code.values.len()];
        let mut paired = vec![false; code.values.len()];
        for (at, web) in problem.web.iter().enumerate() {
            members[*web as usize].push(Value(at as u32));
            if let Origin::Start(reg, _) = code.values[at]
                && reg == problem.paired
            {
                paired[*web as usize] = true;
            }
        }
        let left = code.nodes.len();
        List { problem, schedule: Vec::new(), slot_of: vec![None; left], left, reads, paired, members }
    }

    /// The nodes that a node still waits for in the slot at hand.
    fn waits(&self, node: usize) -> impl Iterator<Item = (usize, u32)> + '_ {
        let now = self.schedule.len() as u32;
        let is_open = move |(earlier, distance): &(usize, u32)| {
            self.slot_of[*earlier].is_none_or(|slot| slot + distance > now)
        };
        self.problem.before[node].iter().copied().filter(is_open)
    }

    /// Fills the next slot.
    fn slot(&mut self, order: &Order) -> Option<()> {
        let problem = self.problem;
        let urgency = &order.urgency;
        let open = (0..problem.code.nodes.len()).filter(|node| self.slot_of[*node].is_none());
        // What is ready, and what waits only for one that may run in the same slot.
        let mut ready = Vec::new();
        let mut almost = Vec::new();
        for node in open {
            let mut waits = self.waits(node);
            match (waits.next(), waits.next()) {
                (None, _) => ready.push(node),
                (Some((earlier, 0)), None) => almost.push((node, earlier)),
                _ => {}
            }
        }
        if order.late && ready.iter().any(|node| !self.is_early(*node)) {
            ready.retain(|node| !self.is_early(*node));
        }
        ready.sort_by_key(|node| std::cmp::Reverse(urgency[*node]));
        let mut best: Option<(u32, [Option<usize>; 2])> = None;
        let mut offer = |list: &Self, pair: [Option<usize>; 2]| {
            let score = pair.iter().flatten().map(|node| urgency[*node]).sum();
            let is_wanted = order.pairs || pair.contains(&None);
            if is_wanted && best.is_none_or(|(known, _)| score > known) && list.has_room(pair) {
                best = Some((score, pair));
            }
        };
        for &node in &ready {
            let [first, second] = problem.halves[node];
            if first {
                offer(self, [Some(node), None]);
                let others = ready
                    .iter()
                    .copied()
                    .chain(almost.iter().filter(|(_, earlier)| *earlier == node).map(|(other, _)| *other));
                for other in others
                    .filter(|other| *other != node && problem.halves[*other][1] && problem.fits(node, *other))
                {
                    offer(self, [Some(node), Some(other)]);
                }
            }
            if second {
                offer(self, [None, Some(node)]);
                let others = almost.iter().filter(|(_, earlier)| *earlier == node).map(|(other, _)| *other);
                for other in others.filter(|other| problem.halves[*other][0] && problem.fits(*other, node)) {
                    offer(self, [Some(other), Some(node)]);
                }
            }
        }
        let (_, pair) = best?;
        self.put(pair);
        Some(())
    }

    /// True for a node that waits for nothing, while all that wait for it wait for something that does.
    fn is_early(&self, node: usize) -> bool {
        let problem = self.problem;
        let waits = |other: usize| {
            self.waits(other).any(|(before, _)| before != node && !problem.before[before].is_empty())
        };
        let after = &problem.after[node];
        problem.before[node].is_empty() && !after.is_empty() && after.iter().all(|(other, _)| waits(*other))
    }

    fn put(&mut self, pair: [Option<usize>; 2]) {
        let code = self.problem.code;
        let now = self.schedule.len() as u32;
        for node in pair.into_iter().flatten() {
            self.slot_of[node] = Some(now);
            self.left -= 1;
            code.nodes[node].reads().for_each(|value| self.reads[value.index()] -= 1);
        }
        if let [Some(_), Some(second)] = pair {
            for value in code.nodes[second].results.iter().flatten() {
                self.paired[self.problem.web[value.index()] as usize] = true;
            }
        }
        self.schedule.push(pair);
    }

    fn web(&self, node: usize) -> Option<usize> {
        let value = self.problem.code.nodes[node].results.iter().flatten().next()?;
        Some(self.problem.web[value.index()] as usize)
    }

    /// True if the paired temporary has room for what it then holds.
    fn has_room(&self, pair: [Option<usize>; 2]) -> bool {
        let [first, second] = pair.map(|node| node.and_then(|node| self.web(node)));
        let is_pair = pair.iter().all(Option::is_some);
        let fresh = second.filter(|_| is_pair);
        let in_paired = |web: usize| self.paired[web] || fresh == Some(web);
        if !first.iter().chain(&second).any(|web| in_paired(*web)) {
            return true;
        }
        if fresh.is_some() && first.is_some_and(in_paired) {
            // Both halves would write it.
            return false;
        }
        if let Some(web) = fresh.filter(|web| !self.paired[*web])
            && self.members[web].iter().any(|value| self.is_beside_paired(*value))
        {
            return false;
        }
        let code = self.problem.code;
        let now = |node: usize| pair.contains(&Some(node));
        let webs = (0..self.paired.len()).filter(|web| in_paired(*web));
        let live = webs.flat_map(|web| &self.members[web]).filter(|value| {
            let is_there = match code.values[value.index()] {
                Origin::Node(node, _) => self.slot_of[node].is_some() || now(node),
                Origin::Start(..) => true,
                Origin::Gone => false,
            };
            let gone = || {
                pair.into_iter()
                    .flatten()
                    .flat_map(|node| code.nodes[node].reads())
                    .filter(|read| read == *value)
                    .count()
            };
            is_there && self.reads[value.index()] as usize > gone()
        });
        // Some can be at one component alone.
        let (mut count, mut taken) = (0, 0u8);
        for value in live {
            count += 1;
            if let Some(component) = code.fixed(*value) {
                if taken >> component & 1 == 1 {
                    return false;
                }
                taken |= 1 << component;
            }
        }
        count <= COMPONENTS
    }

    /// True if a value was written by the first half of a slot whose second half wrote the paired temporary.
    fn is_beside_paired(&self, value: Value) -> bool {
        let Some((node, _)) = self.problem.code.writer(value) else { return false };
        let Some(slot) = self.slot_of[node] else { return false };
        matches!(self.schedule[slot as usize], [Some(first), Some(second)] if first == node && self.web(second).is_some())
    }
}

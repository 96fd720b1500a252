//! List scheduling: slot by slot from the first, what is most urgent of that which is ready, two nodes where they fit.

pub mod allocate;
pub mod branch_and_bound;
pub mod draft;
mod pressure;
pub mod problem;
pub mod search;

use crate::graph::{Origin, Value};
use crate::schedule::pressure::Pressure;
use crate::schedule::problem::Problem;
use gpuzoo_isa::numbers;
use std::cmp::Reverse;

/// What each half of a slot does.
pub type Pair = [Option<usize>; 2];

/// What each half of each slot does.
pub type Schedule = Vec<Pair>;

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
    /// What would take up more registers waits, or what takes up the fewest more goes first.
    pub registers: u32,
}

impl Order {
    /// An order by number: by what waits for a node, or by the order of the graph, which keeps few values alive.
    pub fn new(problem: &Problem, seed: u64, pairs: bool) -> Order {
        let mut number = numbers(seed);
        let noise = [1, 4, 12, 24, 48][(seed % 5) as usize];
        let count = problem.height.len() as u32;
        let is_waited_for = seed % 4 != 3;
        let rank = |at: usize| if is_waited_for { problem.height[at] } else { count - at as u32 };
        let urgency = (0..problem.height.len()).map(|at| 64 + rank(at) * 8 + number(noise)).collect();
        // What is estimated may not come true.
        let spare = [0, 2, 1, 4][(seed / 2 % 4) as usize];
        let registers = u32::from(problem.registers).saturating_sub(spare);
        Order { urgency, late: seed % 2 == 1, pairs, registers }
    }
}

/// The most registers that a slot takes up more than the one before: one for each half.
const MOST_MORE: u32 = 2;

/// A schedule of at most so many slots, or none if this order leads to none.
pub fn schedule(problem: &Problem, order: &Order, most: usize) -> Option<Schedule> {
    match filled(problem, order, most, false) {
        // What is kept free in time leads on, but may keep out what would have had room.
        End::Stuck => match filled(problem, order, most, true) {
            End::Complete(schedule) => Some(schedule),
            End::Stuck | End::Long => None,
        },
        End::Complete(schedule) => Some(schedule),
        End::Long => None,
    }
}

/// Where an order leads.
enum End {
    /// To a schedule.
    Complete(Schedule),
    /// To more slots than there may be.
    Long,
    /// To values of the paired temporary that wait for each other.
    Stuck,
}

fn filled(problem: &Problem, order: &Order, most: usize, reserves: bool) -> End {
    let mut list = List { reserves, ..List::new(problem) };
    while list.left > 0 {
        // The bound looks at all nodes, and nothing is above the largest number.
        if most < usize::MAX && list.schedule.len().saturating_add(list.bound()) > most {
            return End::Long;
        }
        if list.slot(order).is_none() {
            return End::Stuck;
        }
    }
    End::Complete(list.schedule)
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

/// A schedule that is not complete yet.
#[derive(Clone)]
pub struct List<'a> {
    problem: &'a Problem<'a>,
    /// The slots so far.
    pub schedule: Schedule,
    /// Of each node, its slot.
    pub slot_of: Vec<Option<u32>>,
    /// Of each node, for how many that are not scheduled yet it waits.
    waits: Vec<u32>,
    /// And for how many of those that wait themselves.
    waits_deep: Vec<u32>,
    /// How many nodes are not scheduled yet.
    pub left: usize,
    /// Of each value, how many reads are not scheduled yet.
    reads: Vec<u32>,
    /// What they take up.
    pressure: Pressure,
    /// Webs that are in the paired temporary.
    paired: Vec<bool>,
    /// The same as a list.
    paired_webs: Vec<usize>,
    /// The paired temporary keeps room for what will be written to the registers of its values.
    reserves: bool,
}

impl<'a> List<'a> {
    /// No slot is filled yet.
    pub fn new(problem: &'a Problem<'a>) -> List<'a> {
        let code = problem.code;
        let mut reads = vec![0; code.values.len()];
        code.nodes.iter().flat_map(|node| node.reads()).for_each(|value| reads[value.index()] += 1);
        let mut paired = vec![false; code.values.len()];
        for (at, web) in problem.web.iter().enumerate() {
            if let Origin::Start(reg, _) = code.values[at]
                && reg == problem.paired
            {
                paired[*web as usize] = true;
            }
        }
        let paired_webs = (0..paired.len()).filter(|web| paired[*web]).collect();
        let left = code.nodes.len();
        let count = |before: &Vec<(usize, u32)>, is_deep: bool| {
            let deep = before.iter().filter(|(at, _)| !is_deep || !problem.before[*at].is_empty());
            deep.count() as u32
        };
        List {
            problem,
            schedule: Vec::new(),
            slot_of: vec![None; left],
            waits: problem.before.iter().map(|before| count(before, false)).collect(),
            waits_deep: problem.before.iter().map(|before| count(before, true)).collect(),
            left,
            pressure: Pressure::new(problem),
            reads,
            paired,
            paired_webs,
            reserves: false,
        }
    }

    /// At least so many slots more are needed: two nodes a slot, and the longest chain of those that wait for each other.
    fn bound(&self) -> usize {
        let heights = self.problem.height.iter().zip(&self.slot_of);
        let chain = heights.filter(|(_, slot)| slot.is_none()).map(|(height, _)| *height).max();
        chain.map_or(0, |chain| self.left.div_ceil(2).max(chain as usize))
    }

    /// Fills the next slot.
    fn slot(&mut self, order: &Order) -> Option<()> {
        let problem = self.problem;
        let urgency = &order.urgency;
        let (mut ready, almost) = self.open();
        if order.late && ready.iter().any(|node| !self.is_early(*node)) {
            ready.retain(|node| !self.is_early(*node));
        }
        ready.sort_by_key(|node| Reverse(urgency[*node]));
        let mut best: Option<((Reverse<u32>, u32), Pair)> = None;
        let is_tight = self.pressure.registers() + MOST_MORE > order.registers;
        self.offers(&ready, &almost, |pair| {
            let urgent: u32 = pair.iter().flatten().map(|node| urgency[*node]).sum();
            let is_better = |score| best.is_none_or(|(known, _)| score > known);
            // What takes more time is asked later.
            if !is_better((Reverse(0), urgent)) {
                return;
            }
            let over = match is_tight {
                true => self.pressure.behind(problem, &self.reads, pair).saturating_sub(order.registers),
                false => 0,
            };
            let score = (Reverse(over), urgent);
            let fits = || match pair {
                [Some(first), Some(second)] => order.pairs && problem.fits(first, second),
                _ => true,
            };
            if is_better(score) && fits() && self.has_room(pair) {
                best = Some((score, pair));
            }
        });
        let (_, pair) = best?;
        self.put(pair);
        Some(())
    }

    /// What can be in the next slot as far as the order of operations goes.
    pub fn choices(&self) -> Vec<Pair> {
        let (ready, almost) = self.open();
        let mut all = Vec::new();
        self.offers(&ready, &almost, |pair| all.push(pair));
        all
    }

    /// Nodes that are ready, and those that wait only for one that may run in the same slot, with that one.
    fn open(&self) -> (Vec<usize>, Vec<(usize, usize)>) {
        let problem = self.problem;
        let mut ready = Vec::new();
        let mut almost = Vec::new();
        for node in (0..self.waits.len()).filter(|node| self.slot_of[*node].is_none()) {
            match self.waits[node] {
                0 => ready.push(node),
                1 => {
                    let open = problem.before[node].iter().find(|(other, _)| self.slot_of[*other].is_none());
                    almost
                        .extend(open.filter(|(_, distance)| *distance == 0).map(|(other, _)| (node, *other)));
                }
                _ => {}
            }
        }
        (ready, almost)
    }

    fn offers(&self, ready: &[usize], almost: &[(usize, usize)], mut offer: impl FnMut(Pair)) {
        let halves = &self.problem.halves;
        let behind =
            |node: usize| almost.iter().filter(move |(_, earlier)| *earlier == node).map(|(other, _)| *other);
        for &node in ready {
            let [first, second] = halves[node];
            if first {
                offer([Some(node), None]);
                let others = ready.iter().copied().chain(behind(node));
                for other in others.filter(|other| *other != node && halves[*other][1]) {
                    offer([Some(node), Some(other)]);
                }
            }
            if second {
                offer([None, Some(node)]);
                for other in behind(node).filter(|other| halves[*other][0]) {
                    offer([Some(other), Some(node)]);
                }
            }
        }
    }

    /// True for a node that waits for nothing, while all that wait for it wait for something that does.
    fn is_early(&self, node: usize) -> bool {
        let problem = self.problem;
        let after = &problem.after[node];
        let is_waiting = after.iter().all(|(other, _)| self.waits_deep[*other] > 0);
        problem.before[node].is_empty() && !after.is_empty() && is_waiting
    }

    /// Fills the next slot with what is ready.
    pub fn put(&mut self, pair: Pair) {
        let code = self.problem.code;
        let now = self.schedule.len() as u32;
        self.pressure.put(self.problem, &self.reads, pair);
        for node in pair.into_iter().flatten() {
            self.slot_of[node] = Some(now);
            self.left -= 1;
            let is_deep = !self.problem.before[node].is_empty();
            for (later, _) in &self.problem.after[node] {
                self.waits[*later] -= 1;
                self.waits_deep[*later] -= u32::from(is_deep);
            }
            code.nodes[node].reads().for_each(|value| self.reads[value.index()] -= 1);
        }
        if let [Some(_), Some(second)] = pair
            && let Some(web) = self.web(second)
            && !std::mem::replace(&mut self.paired[web], true)
        {
            self.paired_webs.push(web);
        }
        self.schedule.push(pair);
    }

    fn web(&self, node: usize) -> Option<usize> {
        let value = self.problem.code.nodes[node].results.iter().flatten().next()?;
        Some(self.problem.web[value.index()] as usize)
    }

    /// True if the paired temporary has room for what it then holds.
    pub fn has_room(&self, pair: Pair) -> bool {
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
            && self.problem.members[web].iter().any(|value| self.is_beside_paired(*value))
        {
            return false;
        }
        let code = self.problem.code;
        let now = |node: usize| pair.contains(&Some(node));
        let more = fresh.filter(|web| !self.paired[*web]);
        let webs = self.paired_webs.iter().copied().chain(more);
        let live = webs.flat_map(|web| &self.problem.members[web]).filter(|value| {
            let is_there = match code.values[value.index()] {
                Origin::Node(node, _) => self.reserves || self.slot_of[node].is_some() || now(node),
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

    /// What decides how the schedule can go on: the nodes that are in it, and which values that may be met again are in the paired
    /// temporary or cannot be there.
    pub fn state(&self) -> Vec<u32> {
        let code = self.problem.code;
        let is_open = |value: &Value| match code.values[value.index()] {
            Origin::Node(node, _) => self.slot_of[node].is_none() || self.reads[value.index()] > 0,
            Origin::Start(..) => self.reads[value.index()] > 0,
            Origin::Gone => false,
        };
        let mut state = vec![0; self.slot_of.len().div_ceil(32)];
        for (at, _) in self.slot_of.iter().enumerate().filter(|(_, slot)| slot.is_some()) {
            state[at / 32] |= 1 << (at % 32);
        }
        for (web, members) in self.problem.members.iter().enumerate() {
            if !members.iter().any(is_open) {
                continue;
            }
            if self.paired[web] {
                state.push(web as u32);
            } else if members.iter().any(|value| self.is_beside_paired(*value)) {
                state.push(u32::MAX - web as u32);
            }
        }
        state
    }

    /// True if a value was written by the first half of a slot whose second half wrote the paired temporary.
    fn is_beside_paired(&self, value: Value) -> bool {
        let Some((node, _)) = self.problem.code.writer(value) else { return false };
        let Some(slot) = self.slot_of[node] else { return false };
        matches!(self.schedule[slot as usize], [Some(first), Some(second)] if first == node && self.web(second).is_some())
    }
}

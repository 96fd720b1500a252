//! Branch and bound: the shortest schedule, or the proof that there is none shorter.
//!
//! Slot by slot, all that can be in it is tried, the most urgent first. A branch is left where what remains needs more slots than
//! there are, or where the same nodes remained before with as many slots. So many branches are looked at and no more: the answer does
//! not depend on time.

use crate::schedule::problem::Problem;
use crate::schedule::{List, Pair, Schedule};
use rustc_hash::FxHashMap as HashMap;

/// What branch and bound found out.
#[derive(Clone, Debug)]
pub enum Answer<T> {
    /// There is one.
    Found(T),
    /// There is none.
    Impossible,
    /// The limit was reached, or a schedule was found for which no registers were.
    Unknown,
}

/// Looks for a schedule of at most so many slots that something can be made of. `branches` is how many may be looked at; what is left of it
/// comes back there.
pub fn within<T>(
    problem: &Problem,
    slots: usize,
    branches: &mut usize,
    complete: impl FnMut(Schedule) -> Option<T>,
) -> Answer<T> {
    let mut search = Exact { problem, slots, branches, failed: HashMap::default(), is_sure: true, complete };
    match search.from(&List::new(problem)) {
        Some(found) => Answer::Found(found),
        None if search.is_sure => Answer::Impossible,
        None => Answer::Unknown,
    }
}

struct Exact<'a, 'b, C> {
    problem: &'a Problem<'a>,
    slots: usize,
    branches: &'b mut usize,
    /// States from which so many slots lead to no end.
    failed: HashMap<Vec<u32>, usize>,
    /// True as long as no end was left out.
    is_sure: bool,
    complete: C,
}

impl<'a, T, C: FnMut(Schedule) -> Option<T>> Exact<'a, '_, C> {
    fn from(&mut self, list: &List<'a>) -> Option<T> {
        if list.left == 0 {
            let found = (self.complete)(list.schedule.clone());
            self.is_sure &= found.is_some();
            return found;
        }
        let room = self.slots - list.schedule.len();
        if needs(self.problem, list) > room {
            return None;
        }
        let state = list.state();
        if self.failed.get(&state).is_some_and(|failed| room <= *failed) {
            return None;
        }
        let problem = self.problem;
        let mut choices = list.choices();
        // Two instead of one, and what most waits for.
        let urgency = |pair: &Pair| {
            let all: u32 = pair.iter().flatten().map(|node| 1 + problem.height[*node]).sum();
            let longest = pair.iter().flatten().map(|node| problem.height[*node]).max();
            std::cmp::Reverse((longest, all))
        };
        choices.sort_by_key(urgency);
        for pair in choices {
            let fits = match pair {
                [Some(first), Some(second)] => problem.may_fit(first, second),
                _ => true,
            };
            if !fits || !list.has_room(pair) {
                continue;
            }
            if *self.branches == 0 {
                self.is_sure = false;
                return None;
            }
            *self.branches -= 1;
            let mut next = list.clone();
            next.put(pair);
            if let Some(found) = self.from(&next) {
                return Some(found);
            }
        }
        self.failed.insert(state, room);
        None
    }
}

/// So many slots at least are needed for what is left: of nodes that share something, the k-th from the highest can only run when k - 1
/// others have, and its height is still to come.
fn needs(problem: &Problem, list: &List) -> usize {
    let longest = problem.height.iter().max().map_or(0, |height| *height as usize);
    let mut counts = vec![[0usize; 4]; longest + 1];
    for (at, _) in list.slot_of.iter().enumerate().filter(|(_, slot)| slot.is_none()) {
        let counts = &mut counts[problem.height[at] as usize];
        let [first, second] = problem.halves[at];
        let shares = [true, first && !second, second && !first, problem.code.nodes[at].place.is_some()];
        counts.iter_mut().zip(shares).for_each(|(count, shares)| *count += usize::from(shares));
    }
    let mut total = [0; 4];
    let mut most = 0;
    for (height, counts) in counts.iter().enumerate().rev() {
        for (kind, (total, count)) in total.iter_mut().zip(counts).enumerate() {
            *total += count;
            let slots = if kind == 0 { total.div_ceil(2) } else { *total };
            if *count > 0 {
                most = most.max(slots + height - 1);
            }
        }
    }
    most
}

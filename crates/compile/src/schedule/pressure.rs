//! How many registers a schedule takes up as it grows: an estimate, since which components values get is not known yet.

use crate::graph::{Origin, Value};
use crate::schedule::Pair;
use crate::schedule::problem::Problem;

/// Components of a register.
const COMPONENTS: usize = 4;

/// More webs than a slot touches: each half has up to three sources and a result, and each of these is of one web.
const TOUCHED: usize = 8;

/// Webs that are in registers, by how many components each takes up: what is alive, and what will be written to the same register.
#[derive(Clone)]
pub struct Pressure {
    /// Of each web the components that it takes up now; none of one of which nothing is written.
    sizes: Vec<Option<u8>>,
    /// How many webs take up so many components.
    counts: [u32; COMPONENTS + 1],
}

impl Pressure {
    /// What is taken up before the first slot.
    pub fn new(problem: &Problem) -> Pressure {
        let webs = problem.sizes.len();
        let mut pressure = Pressure { sizes: vec![None; webs], counts: [webs as u32, 0, 0, 0, 0] };
        for (at, web) in problem.web.iter().enumerate() {
            if matches!(problem.code.values[at], Origin::Start(..)) {
                pressure.resize(*web as usize, problem.sizes[*web as usize]);
            }
        }
        pressure
    }

    fn resize(&mut self, web: usize, size: u8) {
        self.counts[bin(self.sizes[web].unwrap_or(0))] -= 1;
        self.counts[bin(size)] += 1;
        self.sizes[web] = Some(size);
    }

    /// The registers that are taken up.
    pub fn registers(&self) -> u32 {
        registers(&self.counts)
    }

    /// The registers that are taken up behind a slot. `reads` says of each value how often it is still read.
    pub fn behind(&self, problem: &Problem, reads: &[u32], pair: Pair) -> u32 {
        let mut counts = self.counts;
        for (web, size) in self.changes(problem, reads, pair) {
            counts[bin(self.sizes[web].unwrap_or(0))] -= 1;
            counts[bin(size)] += 1;
        }
        registers(&counts)
    }

    /// Goes on behind a slot whose reads are still counted in `reads`.
    pub fn put(&mut self, problem: &Problem, reads: &[u32], pair: Pair) {
        let changes: Vec<(usize, u8)> = self.changes(problem, reads, pair).collect();
        changes.into_iter().for_each(|(web, size)| self.resize(web, size));
    }

    /// The webs that a slot touches, and what they take up behind it.
    fn changes(&self, problem: &Problem, reads: &[u32], pair: Pair) -> impl Iterator<Item = (usize, u8)> {
        let mut all = [(0, 0); TOUCHED];
        let mut count = 0;
        let mut touch = |value: Value, less: u8| {
            let web = problem.web[value.index()] as usize;
            let known = all[..count].iter().position(|(own, _)| *own == web);
            let at = known.unwrap_or_else(|| {
                all[count] = (web, self.sizes[web].unwrap_or(problem.sizes[web]));
                count += 1;
                count - 1
            });
            all[at].1 = all[at].1.saturating_sub(less);
        };
        for node in pair.into_iter().flatten() {
            problem.code.nodes[node].results.into_iter().flatten().for_each(|value| touch(value, 0));
        }
        let [first, second] = pair.map(|node| node.map_or(&[][..], |node| &problem.reads[node]));
        let other =
            |value: Value| second.iter().find(|(own, _)| *own == value).map_or(0, |(_, count)| *count);
        let alone = second.iter().filter(|(value, _)| first.iter().all(|(own, _)| own != value));
        let both = first.iter().map(|(value, count)| (*value, count + other(*value)));
        both.chain(alone.copied())
            .filter(|(value, count)| reads[value.index()] == *count)
            .for_each(|(value, _)| touch(value, 1));
        all.into_iter().take(count)
    }
}

fn bin(size: u8) -> usize {
    usize::from(size).min(COMPONENTS)
}

/// The registers into which webs of these sizes fit, if components can be chosen freely.
fn registers(counts: &[u32; COMPONENTS + 1]) -> u32 {
    let [_, ones, twos, threes, fours] = *counts;
    let beside = threes + 2 * (twos % 2);
    fours + threes + twos.div_ceil(2) + ones.saturating_sub(beside).div_ceil(COMPONENTS as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_webs_share_registers() {
        assert_eq!(registers(&[9, 0, 0, 0, 0]), 0);
        assert_eq!(registers(&[0, 1, 0, 1, 0]), 1);
        assert_eq!(registers(&[0, 2, 1, 0, 0]), 1);
        assert_eq!(registers(&[0, 3, 1, 0, 0]), 2);
        assert_eq!(registers(&[0, 5, 3, 2, 1]), 1 + 2 + 2 + 1);
        assert_eq!(registers(&[0, 4, 0, 0, 2]), 3);
    }
}

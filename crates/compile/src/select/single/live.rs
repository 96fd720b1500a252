//! When components of a draft's registers hold something, and which registers can be one.

use super::draft::{Arg, Draft, Vreg};
use super::rules::Rule;
use rustc_hash::FxHashSet;
use std::ops::RangeInclusive;

/// The time before the first step.
const START: i32 = -1;

/// An instruction's effect on a register.
#[derive(Clone, Copy, Debug)]
struct Write {
    time: i32,
    overwrites: u8,
    computes: u8,
}

/// Registers that one cannot be one with.
pub type Row = FxHashSet<Vreg>;

/// Steps of a block: registers are looked for in the blocks in which they are written or hold something.
const BLOCK: i32 = 64;

/// When registers hold something.
#[derive(Clone, Debug)]
pub struct Live {
    /// For each component, when it is written and when it is last read.
    spans: Vec<[Option<(i32, i32)>; 4]>,
    writes: Vec<Vec<Write>>,
    /// Of each register, the first and last time that is in a span, and the first and last one at which it is written.
    ends: Vec<[(i32, i32); 2]>,
    /// The registers of each block of steps.
    blocks: Vec<Vec<Vreg>>,
    /// Of each register those that may not be one with it, whatever they hold.
    apart: Vec<Vec<Vreg>>,
}

impl Live {
    /// The spans of a draft.
    pub fn new(draft: &Draft, rules: &[Rule]) -> Live {
        let end = draft.steps.len() as i32;
        let mut live = Live {
            spans: vec![[None; 4]; draft.vregs.len()],
            writes: vec![Vec::new(); draft.vregs.len()],
            ends: Vec::new(),
            blocks: vec![Vec::new(); ((end - START) / BLOCK) as usize + 1],
            apart: vec![Vec::new(); draft.vregs.len()],
        };
        for (vreg, own) in draft.vregs.iter().enumerate().filter(|(_, own)| own.given) {
            live.spans[vreg] = [Some((START, START)); 4];
            live.writes[vreg].push(Write { time: START, overwrites: 15, computes: own.filled() });
        }
        for (time, step) in (0..).zip(&draft.steps) {
            for arg in &step.args {
                let Arg::Vreg { vreg, reads, .. } = arg else { continue };
                live.read(*vreg, *reads, time);
                let alone = rules.get(step.rule).is_some_and(|rule| !rule.in_place);
                if let Some(target) = step.target.filter(|target| alone && target != vreg) {
                    live.apart[target].push(*vreg);
                    live.apart[*vreg].push(target);
                }
            }
            if let Some(target) = step.target {
                let computes = step.mask.0 | draft.vregs[target].nearly_zero;
                for place in (0..4).filter(|place| computes >> place & 1 == 1) {
                    live.spans[target][place] = Some((time, time));
                }
                live.writes[target].push(Write { time, overwrites: step.overwrites.0, computes });
            }
        }
        for (vreg, own) in draft.vregs.iter().enumerate() {
            live.read(vreg, own.leaves, end);
        }
        live.ends = live.spans.iter().zip(&live.writes).map(|(spans, writes)| ends(spans, writes)).collect();
        for vreg in 0..draft.vregs.len() {
            live.blocks_of(vreg).for_each(|block| live.blocks[block].push(vreg));
        }
        live
    }

    fn read(&mut self, vreg: Vreg, components: u8, time: i32) {
        for place in (0..4).filter(|place| components >> place & 1 == 1) {
            if let Some((_, last)) = &mut self.spans[vreg][place] {
                *last = (*last).max(time);
            }
        }
    }

    /// The blocks of steps that a register is in; none if nothing is ever in it.
    fn blocks_of(&self, vreg: Vreg) -> RangeInclusive<usize> {
        let [(first, last), (earliest, latest)] = self.ends[vreg];
        let (first, last) = (first.min(earliest), last.max(latest));
        let block = |time: i32| ((time - START) / BLOCK) as usize;
        if first > last { RangeInclusive::new(1, 0) } else { block(first)..=block(last) }
    }

    /// The registers that share a block with one, each once.
    fn near(&self, one: Vreg) -> impl Iterator<Item = Vreg> {
        let blocks = self.blocks_of(one);
        let first = *blocks.start();
        blocks.flat_map(move |block| {
            let others = self.blocks[block].iter().copied();
            others.filter(move |other| *other != one && block == first.max(*self.blocks_of(*other).start()))
        })
    }

    /// The number of counted registers that hold something, from each step to the next.
    pub fn counts(&self, steps: usize, is_counted: impl Fn(Vreg) -> bool) -> Vec<usize> {
        let mut changes = vec![0i32; steps + 2];
        for vreg in (0..self.spans.len()).filter(|vreg| is_counted(*vreg)) {
            let mut spans: Vec<(i32, i32)> = self.spans[vreg].iter().flatten().copied().collect();
            spans.sort_unstable();
            // Components that are held at the same time count once.
            let mut until = 0;
            for (first, last) in spans {
                let first = first.max(until);
                if first < last {
                    changes[first as usize] += 1;
                    changes[last as usize] -= 1;
                    until = last;
                }
            }
        }
        let mut count = 0;
        let all = changes.into_iter().map(|change| {
            count += change;
            count as usize
        });
        all.collect()
    }

    /// A register that is held where more than so many are. Those that are given or have a place do not count.
    pub fn crowded(&self, draft: &Draft, most: usize) -> Option<Vreg> {
        let is_counted = |vreg: Vreg| draft.vregs[vreg].fixed.is_none() && !draft.vregs[vreg].given;
        let counts = self.counts(draft.steps.len(), is_counted);
        let time = counts.iter().position(|count| *count > most)?;
        (0..draft.vregs.len()).find(|vreg| is_counted(*vreg) && self.held(*vreg, time) != 0)
    }

    /// The conflicts of all registers with all.
    pub fn conflicts(&self, draft: &Draft) -> Vec<Row> {
        (0..draft.vregs.len()).map(|vreg| self.row(draft, vreg)).collect()
    }

    /// The conflicts of a register.
    pub fn row(&self, draft: &Draft, one: Vreg) -> Row {
        let others = self.near(one).filter(|other| self.conflict(draft, one, *other));
        others.chain(self.apart[one].iter().copied()).collect()
    }

    /// True if two registers cannot be one, because of what they hold.
    fn conflict(&self, draft: &Draft, one: Vreg, other: Vreg) -> bool {
        let both_given = draft.vregs[one].given && draft.vregs[other].given;
        both_given || self.overwritten(draft, one, other) || self.overwritten(draft, other, one)
    }

    /// True if a write to `other` would destroy something of `one` that is still read.
    fn overwritten(&self, draft: &Draft, one: Vreg, other: Vreg) -> bool {
        let ([(first, last), _], [_, (earliest, latest)]) = (self.ends[one], self.ends[other]);
        if latest <= first || last <= earliest {
            return false;
        }
        let (mine, theirs) = (&draft.vregs[one].content, &draft.vregs[other].content);
        self.writes[other].iter().any(|write| {
            (0..4).any(|place| {
                let Some((first, last)) = self.spans[one][place] else { return false };
                let same =
                    write.computes >> place & 1 == 1 && mine[place].is_some() && mine[place] == theirs[place];
                write.overwrites >> place & 1 == 1 && first < write.time && write.time < last && !same
            })
        })
    }

    /// The components that are held between a step and the next.
    pub fn held(&self, vreg: Vreg, time: usize) -> u8 {
        let time = time as i32;
        let is = |place: &usize| {
            self.spans[vreg][*place].is_some_and(|(first, last)| first <= time && time < last)
        };
        (0..4).filter(is).fold(0, |all, place| all | 1 << place)
    }

    /// The time of the first write and of the last read of a register.
    pub fn whole(&self, vreg: Vreg) -> (i32, i32) {
        let spans = || self.spans[vreg].iter().flatten();
        let first = spans().map(|span| span.0).min().unwrap_or(START);
        (first, spans().map(|span| span.1).max().unwrap_or(first))
    }

    /// Moves the one component that a register has from x to another place.
    pub fn shift(&mut self, vreg: Vreg, to: usize) {
        let spans = &mut self.spans[vreg];
        let own = spans.iter().flatten().next().copied();
        *spans = [None; 4];
        spans[to & 3] = own;
        for write in &mut self.writes[vreg] {
            (write.overwrites, write.computes) = (1 << to, 1 << to);
        }
    }
}

/// The ends of all spans together, and of all writes; of none of them, what is outside of nothing.
fn ends(spans: &[Option<(i32, i32)>; 4], writes: &[Write]) -> [(i32, i32); 2] {
    const NONE: (i32, i32) = (i32::MAX, i32::MIN);
    let wider = |all: (i32, i32), own: (i32, i32)| (all.0.min(own.0), all.1.max(own.1));
    let spans = spans.iter().flatten().copied().fold(NONE, wider);
    [spans, writes.iter().map(|write| (write.time, write.time)).fold(NONE, wider)]
}

impl super::draft::Virtual {
    /// The components that hold something known.
    pub fn filled(&self) -> u8 {
        (0..4).filter(|place| self.content[*place].is_some()).fold(0, |all, place| all | 1 << place)
    }
}

//! From terms to instructions: components that are computed alike are computed together, and what an instruction cannot read where it
//! is, is copied.

use super::bundle::{Bundle, Class, Source};
use super::terms::{Id, Made, Operand, Term, Terms};
use super::webs::Webs;
use crate::graph::shape::{Kind, Shape};
use bit_set::BitSet;
use gpuzoo_isa::Reg;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// What an output gets.
pub type Output = (Reg, [Option<Operand>; 4]);

/// Attempts to put instructions together, each times the number of instructions: enough for what fits into a machine.
const MERGING: usize = 1 << 23;

/// The shapes of instructions, by name.
pub type Shapes = HashMap<&'static str, Shape>;

/// The instructions of a program, in no order.
#[derive(Clone)]
pub struct Plan<'a> {
    /// What they compute.
    pub terms: Terms,
    /// The instructions.
    pub bundles: Vec<Bundle>,
    /// For each term the instruction that computes it.
    pub writer: Vec<Option<usize>>,
    /// Numbers that are known, four to a constant.
    pub literals: Vec<Vec<u32>>,
    shapes: &'a Shapes,
    copies: u32,
}

/// From which instruction of the function on terms can lead to one of the program. What a term is computed from is made by the same
/// or an earlier one; only where terms of two are computed together, an old term leads to newer ones.
#[derive(Default)]
struct Ages {
    /// The first and the last of those.
    joined: Vec<[u32; 2]>,
}

impl Ages {
    fn join(&mut self, first: u32, last: u32) {
        if first < last {
            self.joined.push([first, last]);
        }
    }

    /// Of what an instruction of the function makes.
    fn since(&self, inst: u32) -> u32 {
        let mut since = inst;
        let earlier = |since: u32| self.joined.iter().find(|[first, last]| *first < since && since <= *last);
        while let Some([first, _]) = earlier(since) {
            since = *first;
        }
        since
    }
}

impl<'a> Plan<'a> {
    /// Instructions for outputs, some of which may read two inputs or two constants. Those of different places are put together if
    /// there are at most `merged`. None if an instruction has no shape.
    pub fn new(terms: &Terms, outputs: &[Output], shapes: &'a Shapes, merged: usize) -> Option<Plan<'a>> {
        let mut plan = Plan {
            terms: terms.clone(),
            bundles: Vec::new(),
            writer: vec![None; terms.len()],
            literals: Vec::new(),
            shapes,
            copies: 0,
        };
        plan.gather(outputs)?;
        for output in outputs {
            plan.write(output)?;
        }
        if plan.bundles.len() <= merged {
            plan.merge();
        }
        plan.drop_dead();
        plan.untangle()?;
        plan.place_literals();
        Some(plan)
    }

    /// Terms that outputs need, with those of the same instruction of the source together.
    fn gather(&mut self, outputs: &[Output]) -> Option<()> {
        let mut is_live = vec![false; self.terms.len()];
        outputs.iter().flat_map(|(_, lanes)| lanes).flatten().for_each(|own| self.mark(own.id, &mut is_live));
        let mut known: HashMap<(&'static str, u32, u32), Vec<usize>> = HashMap::default();
        let mut ages = Ages::default();
        for (id, _) in is_live.iter().enumerate().filter(|(_, is_live)| **is_live) {
            let Term::Result { name, from, .. } = self.terms.term(id) else { continue };
            let (name, made) = (*name, self.terms.made(id));
            let shape = *self.shapes.get(name)?;
            let key = match shape.kind {
                Kind::Own => (name, u32::MAX, from.first()?.id as u32),
                _ => (name, made.inst, made.role),
            };
            let single = Bundle::of(&self.terms, &shape, id)?;
            let candidates = known.get(&key).cloned().unwrap_or_default();
            let found = candidates.into_iter().find_map(|at| {
                let both = self.bundles[at].with(&self.terms, &single)?;
                (!self.depends(&single, at, ages.since(self.bundles[at].inst))).then_some((at, both))
            });
            let at = match found {
                Some((at, both)) => {
                    ages.join(self.bundles[at].inst, made.inst);
                    self.bundles[at] = both;
                    at
                }
                None => {
                    known.entry(key).or_default().push(self.bundles.len());
                    self.bundles.push(single);
                    self.bundles.len() - 1
                }
            };
            self.writer[id] = Some(at);
        }
        Some(())
    }

    /// Marks a term and all that it is computed from.
    fn mark(&self, id: Id, is_live: &mut [bool]) {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut is_live[id], true) {
                continue;
            }
            match self.terms.term(id) {
                Term::Result { from, .. } => open.extend(from.iter().map(|operand| operand.id)),
                Term::Relative(index, ..) => open.push(index.id),
                _ => {}
            }
        }
    }

    /// The instructions whose results one reads.
    pub fn before(&self, bundle: &Bundle) -> Vec<usize> {
        let writers = self.reads(bundle).filter_map(|id| self.writer.get(id).copied().flatten());
        let mut all: Vec<usize> = writers.collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// True if an instruction needs the results of another one, by way of any others. Terms of earlier instructions of the function than
    /// `since` do not lead there.
    fn depends(&self, bundle: &Bundle, on: usize, since: u32) -> bool {
        let mut seen: HashSet<usize> = HashSet::default();
        let mut open: Vec<Id> = self.reads(bundle).collect();
        while let Some(id) = open.pop() {
            let is_old = self.terms.made(id).inst < since;
            let Some(at) = self.writer.get(id).copied().flatten().filter(|_| !is_old) else { continue };
            if at == on {
                return true;
            }
            if seen.insert(at) {
                open.extend(self.reads(&self.bundles[at]));
            }
        }
        false
    }

    /// The terms that an instruction reads, as numbers or as indices.
    fn reads<'b>(&'b self, bundle: &'b Bundle) -> impl Iterator<Item = Id> + 'b {
        bundle.operands().map(|operand| match self.terms.term(operand.id) {
            Term::Relative(index, ..) => index.id,
            _ => operand.id,
        })
    }

    /// Lets the instructions that compute what an output gets write it; the rest is copied.
    fn write(&mut self, (reg, lanes): &Output) -> Option<()> {
        let mut left = *lanes;
        let mut writers: Vec<usize> =
            lanes.iter().flatten().filter_map(|operand| self.writer[operand.id]).collect();
        writers.sort_unstable();
        writers.dedup();
        for at in writers {
            let wanted = left.map(|operand| {
                operand
                    .filter(|operand| !operand.negate && self.writer[operand.id] == Some(at))
                    .map(|operand| operand.id)
            });
            if wanted != [None; 4] && self.bundles[at].write(*reg, wanted) {
                for (left, wanted) in left.iter_mut().zip(wanted) {
                    *left = left.filter(|_| wanted.is_none());
                }
            }
        }
        while let Some(first) = left.iter().flatten().next().copied() {
            let class = |operand: &Operand| {
                let class = Class::of(&self.terms, operand.id);
                (class, operand.negate && class != Class::Literal)
            };
            let group = class(&first);
            let part = left.map(|operand| operand.filter(|operand| class(operand) == group));
            let made = self.terms.made(first.id);
            let copy = self.copy(part, made)?;
            self.bundles[copy].place = Some((*reg, [0, 1, 2, 3].map(|at: usize| part[at].map(|_| at as u8))));
            for (left, part) in left.iter_mut().zip(part) {
                *left = left.filter(|_| part.is_none());
            }
        }
        Some(())
    }

    /// A new instruction that copies operands, each to its place.
    pub(super) fn copy(&mut self, source: Source, made: Made) -> Option<usize> {
        let shape = *self.shapes.get("mov")?;
        let (parts, sources) = ([None; 4], vec![[None; 4]]);
        self.bundles.push(Bundle { name: "mov", shape, parts, sources, place: None, inst: made.inst });
        let copy = self.bundles.len() - 1;
        for (part, operand) in source.into_iter().enumerate() {
            operand.into_iter().for_each(|operand| self.copy_to(copy, part, operand, made));
        }
        Some(copy)
    }

    /// Lets an instruction that copies copy one more operand.
    pub(super) fn copy_to(&mut self, copy: usize, part: usize, operand: Operand, made: Made) {
        self.copies += 1;
        let term = Term::Result { name: "mov", component: 0, from: vec![operand], copy: self.copies };
        let id = self.terms.add(term, made).id;
        self.writer.resize(self.terms.len(), None);
        self.writer[id] = Some(copy);
        self.bundles[copy].parts[part] = Some(id);
        self.bundles[copy].sources[0][part] = Some(operand);
    }

    /// Puts instructions together that compute the same way, where nothing has to be copied for it.
    fn merge(&mut self) {
        let mut leads = self.leads();
        let mut least = Webs::failures(&self.bundles, &self.terms);
        let mut left = MERGING;
        let mut at = 0;
        while at < self.bundles.len() {
            let mut other = at + 1;
            while other < self.bundles.len() {
                let (one, two) = (&self.bundles[at], &self.bundles[other]);
                let found = if one.shape.kind == Kind::Each { one.with(&self.terms, two) } else { None };
                let found = found.filter(|_| !leads[at].contains(other) && !leads[other].contains(at));
                let Some(both) = found else {
                    other += 1;
                    continue;
                };
                let Some(rest) = left.checked_sub(self.bundles.len()) else { return };
                left = rest;
                let before = (self.bundles.clone(), self.writer.clone());
                self.bundles[at] = both;
                self.remove(other);
                let failures = Webs::failures(&self.bundles, &self.terms);
                if failures > least {
                    (self.bundles, self.writer) = before;
                    other += 1;
                } else {
                    (least, leads) = (failures, self.leads());
                }
            }
            at += 1;
        }
    }

    /// For each instruction those whose results it needs, by way of any others.
    fn leads(&self) -> Vec<BitSet> {
        let mut leads = vec![BitSet::default(); self.bundles.len()];
        let mut is_done = vec![false; self.bundles.len()];
        let mut open: Vec<usize> = (0..self.bundles.len()).collect();
        while let Some(&at) = open.last() {
            let before = self.before(&self.bundles[at]);
            let missing = before.iter().copied().filter(|before| !is_done[*before]);
            let count = open.len();
            if !is_done[at] {
                open.extend(missing);
            }
            if open.len() == count {
                open.pop();
                if !std::mem::replace(&mut is_done[at], true) {
                    let mut all = BitSet::default();
                    for before in before {
                        all.insert(before);
                        all.union_with(&leads[before]);
                    }
                    leads[at] = all;
                }
            }
        }
        leads
    }

    /// Takes out an instruction whose terms others compute.
    fn remove(&mut self, gone: usize) {
        self.bundles.remove(gone);
        self.index();
    }

    /// Says anew which instruction computes what.
    fn index(&mut self) {
        self.writer = vec![None; self.terms.len()];
        for (at, bundle) in self.bundles.iter().enumerate() {
            for id in bundle.results() {
                self.writer[id] = Some(at);
            }
        }
    }

    /// Leaves out instructions whose results nothing reads.
    fn drop_dead(&mut self) {
        let mut is_live = vec![false; self.bundles.len()];
        let mut open: Vec<usize> =
            (0..self.bundles.len()).filter(|at| self.bundles[*at].place.is_some()).collect();
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut is_live[at], true) {
                open.extend(self.before(&self.bundles[at]));
            }
        }
        let mut at = 0;
        self.bundles.retain(|_| {
            at += 1;
            is_live[at - 1]
        });
        self.index();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Terms that are computed together with older ones lead from these to what the newer ones are computed from.
    #[test]
    fn old_terms_lead_to_newer_ones_where_both_are_one_instruction() {
        let mut ages = Ages::default();
        ages.join(3, 3);
        ages.join(2, 5);
        ages.join(1, 2);
        ages.join(8, 9);
        let since = [0, 1, 2, 3, 5, 6, 8, 9].map(|inst| ages.since(inst));
        assert_eq!(since, [0, 1, 1, 1, 1, 6, 8, 8]);
    }
}

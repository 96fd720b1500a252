//! Which results have to be in one register, and whether they can.

use super::bundle::{Bundle, Source};
use super::terms::{Id, Terms};
use rustc_hash::FxHashMap as HashMap;

/// Sets of results, each of which is in one register: those of an instruction, and those that a source reads.
#[derive(Clone, Debug, Default)]
pub struct Webs {
    /// For each term one of the same set, in the end the set's own.
    parent: HashMap<Id, Id>,
    /// For each set its members, and the components that some of them must be at.
    members: HashMap<Id, (u32, u8)>,
}

impl Webs {
    /// How many sources of instructions would have to be in a register without room.
    pub fn failures(bundles: &[Bundle], terms: &Terms) -> usize {
        let mut webs = Webs::default();
        bundles.iter().for_each(|bundle| webs.results(bundle));
        let sources = bundles.iter().flat_map(|bundle| &bundle.sources);
        let is_temporary =
            |source: &Source| source.iter().flatten().all(|operand| terms.is_result(operand.id));
        sources.filter(|source| is_temporary(source) && !webs.source(source)).count()
    }

    /// The set of a term.
    pub fn web(&self, id: Id) -> Id {
        let mut id = id;
        while let Some(parent) = self.parent.get(&id).filter(|parent| **parent != id) {
            id = *parent;
        }
        id
    }

    /// Adds the results of an instruction, as a set.
    pub fn results(&mut self, bundle: &Bundle) {
        for (part, id) in bundle.parts.iter().enumerate() {
            let Some(id) = *id else { continue };
            let fixed = bundle.fixed(part).map_or(0, |component| 1 << component);
            if self.parent.insert(id, id).is_none() {
                self.members.insert(id, (1, fixed));
            }
        }
        let mut ids = bundle.results();
        let Some(first) = ids.next() else { return };
        for id in ids {
            self.unite(first, id);
        }
    }

    /// Puts what a source reads into one set. False, and nothing is done, if that has no room in a register.
    pub fn source(&mut self, source: &Source) -> bool {
        let mut webs: Vec<Id> = source.iter().flatten().map(|operand| self.web(operand.id)).collect();
        webs.sort_unstable();
        webs.dedup();
        let (mut count, mut fixed) = (0, 0u8);
        for web in &webs {
            let (members, own) = self.members.get(web).copied().unwrap_or((1, 0));
            if fixed & own != 0 {
                return false;
            }
            count += members;
            fixed |= own;
        }
        if count > 4 && webs.len() > 1 {
            return false;
        }
        webs.windows(2).for_each(|pair| self.unite(pair[0], pair[1]));
        true
    }

    fn unite(&mut self, one: Id, other: Id) {
        let (one, other) = (self.web(one), self.web(other));
        if one == other {
            return;
        }
        let (count, fixed) = self.members.remove(&other).unwrap_or((1, 0));
        self.parent.insert(other, one);
        let own = self.members.entry(one).or_insert((0, 0));
        *own = (own.0 + count, own.1 | fixed);
    }
}

//! Sources that read components of different places, signs or registers: what keeps them from being one register is copied.

use super::bundle::{Class, Source};
use super::plan::Plan;
use super::terms::{Made, Operand};
use super::webs::Webs;

impl Plan<'_> {
    /// Copies what a source cannot read as it is: components of different places or signs, and those that cannot be in one register.
    pub(super) fn untangle(&mut self) -> Option<()> {
        let mut at = 0;
        while at < self.bundles.len() {
            for index in 0..self.bundles[at].sources.len() {
                self.even(at, index)?;
            }
            at += 1;
        }
        let mut webs = Webs::default();
        for at in 0..self.bundles.len() {
            webs.results(&self.bundles[at]);
        }
        let mut at = 0;
        while at < self.bundles.len() {
            for index in 0..self.bundles[at].sources.len() {
                let source = self.bundles[at].sources[index];
                let Some(first) = source.iter().flatten().next() else { continue };
                if Class::of(&self.terms, first.id) != Class::Temporary || webs.source(&source) {
                    continue;
                }
                // What cannot join the others gets a register of its own; if that is not enough, all does.
                let others = apart(&webs, &source);
                self.copy_places(at, index, &others, &mut webs)?;
                if !webs.source(&self.bundles[at].sources[index]) {
                    self.copy_places(at, index, &[0, 1, 2, 3], &mut webs)?;
                    if !webs.source(&self.bundles[at].sources[index]) {
                        return None;
                    }
                }
            }
            at += 1;
        }
        Some(())
    }

    /// Copies what a source reads at some of its places, each on its own.
    fn copy_places(&mut self, at: usize, index: usize, places: &[usize], webs: &mut Webs) -> Option<()> {
        let made = Made { inst: self.bundles[at].inst, role: 0, lane: 0 };
        for place in places {
            let Some(operand) = self.bundles[at].sources[index][*place] else { continue };
            let mut part = [None; 4];
            part[*place] = Some(Operand { negate: false, ..operand });
            let copy = self.copy(part, made)?;
            webs.results(&self.bundles[copy]);
            let id = self.bundles[copy].parts[*place]?;
            self.bundles[at].sources[index][*place] = Some(Operand { id, ..operand });
        }
        Some(())
    }

    /// Makes a source of one class and one sign.
    fn even(&mut self, at: usize, index: usize) -> Option<()> {
        let source = self.bundles[at].sources[index];
        let class = |plan: &Plan<'_>, operand: &Operand| {
            let class = Class::of(&plan.terms, operand.id);
            (class, operand.negate && class != Class::Literal)
        };
        let mut groups: Vec<(Class, bool)> =
            source.iter().flatten().map(|operand| class(self, operand)).collect();
        groups.sort_unstable();
        groups.dedup();
        if groups.len() < 2 {
            return Some(());
        }
        let made = Made { inst: self.bundles[at].inst, role: 0, lane: 0 };
        // The sign of what stays.
        let kept = groups.iter().find(|(class, _)| *class == Class::Temporary).copied();
        for group in groups.into_iter().filter(|group| Some(*group) != kept) {
            let part = source.map(|operand| operand.filter(|operand| class(self, operand) == group));
            let part = part
                .map(|operand| operand.map(|operand| operand.with(kept.is_some_and(|(_, negate)| negate))));
            let copy = self.copy(part, made)?;
            let negate = kept.is_some_and(|(_, negate)| negate);
            for place in (0..4).filter(|place| part[*place].is_some()) {
                let id = self.bundles[copy].parts[place];
                self.bundles[at].sources[index][place] = id.map(|id| Operand { id, negate });
            }
        }
        Some(())
    }
}

/// The places of a source whose numbers are not in the register of most of the others.
fn apart(webs: &Webs, source: &Source) -> Vec<usize> {
    let web = |place: &usize| source[*place].map(|operand| webs.web(operand.id));
    let count = |place: &usize| (0..4).filter(|other| web(other) == web(place)).count();
    let places = || (0..4).filter(|place| source[*place].is_some());
    let Some(most) = places().max_by_key(|place| (count(place), std::cmp::Reverse(*place))) else {
        return Vec::new();
    };
    places().filter(|place| web(place) != web(&most)).collect()
}

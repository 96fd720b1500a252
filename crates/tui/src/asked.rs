//! Which components are asked about: where they come from is marked in the program.

use crate::seen::{Facts, Now};
use gpuzoo::isa::{Mask, Reg};
use gpuzoo::machine::session::Name;
use gpuzoo::trace::Trace;
use gpuzoo::why::Answer;
use std::collections::BTreeSet;

/// Components of a register, at a point of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    pub name: Name,
    pub components: Mask,
    pub position: u64,
}

impl Asked {
    /// What the last step wrote, which is asked about if nothing else is chosen.
    pub fn last(now: &Now) -> Option<Asked> {
        let (name, components) = now.written.iter().next()?;
        Some(Asked { name: name.clone(), components: *components, position: now.position })
    }

    /// `R0.xyz`; of all components `R0`.
    pub fn text(&self) -> String {
        match self.components {
            Mask::ALL => self.name.to_string(),
            some => format!("{}.{some}", self.name),
        }
    }

    fn reg(&self, trace: &Trace) -> Option<Reg> {
        trace.session.registers().find(|(_, known)| **known == self.name).map(|(reg, _)| reg)
    }

    /// Where they come from.
    pub fn answer<'t>(&self, trace: &'t Trace) -> Option<Answer<'t>> {
        Some(Answer::of(trace, self.reg(trace)?, self.components, self.position as usize))
    }

    /// The steps among where they come from.
    pub fn steps(&self, facts: &Facts) -> BTreeSet<u64> {
        let answer = facts.trace.as_ref().and_then(|trace| self.answer(trace));
        answer.map(|answer| answer.ancestry.steps().map(|step| step as u64).collect()).unwrap_or_default()
    }
}

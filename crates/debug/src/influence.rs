//! The forward slice of register components.

use crate::ancestry::{Parents, Writes};
use gpuzoo_isa::{Isa, Mask, Reg};
use gpuzoo_machine::session::ShaderSession;
use std::collections::BTreeSet;

/// A write that something had a part in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Influenced {
    /// The step.
    pub step: usize,
    /// The register that it wrote.
    pub reg: Reg,
    /// Those of the written components that were computed from it.
    pub components: Mask,
}

/// What was computed from components of a register as they are before step `position`, in the order of the run.
pub fn influence(
    isa: &Isa,
    session: &ShaderSession,
    reg: Reg,
    components: Mask,
    position: usize,
) -> Vec<Influenced> {
    let (flow, steps) = (session.dataflow(), session.steps());
    let parents = Parents::new(isa, session);
    // Who wrote a component, and which; what nobody wrote is there from the start.
    let mut reached: BTreeSet<(Option<usize>, Reg, u8)> = BTreeSet::new();
    for ((writer, reg), mask) in Writes::of(flow, steps.len()).before(position, reg, components) {
        let all = (0..4).filter(|component| mask.has(*component));
        reached.extend(all.map(|component| (writer.step(), reg, component)));
    }
    let mut found = Vec::new();
    for (step, own) in steps.iter().enumerate().skip(position) {
        for change in &own.changes {
            let written = (0..4).filter(|component| change.components.has(*component));
            let reaches = |component: &u8| {
                let all = parents.of(step, change.reg, *component);
                all.iter().any(|parent| reached.contains(&(parent.step, parent.reg, parent.component)))
            };
            let components = Mask(written.filter(reaches).fold(0, |mask, component| mask | 1 << component));
            if !components.is_empty() {
                let all = (0..4).filter(|component| components.has(*component));
                reached.extend(all.map(|component| (Some(step), change.reg, component)));
                found.push(Influenced { step, reg: change.reg, components });
            }
        }
    }
    found
}

//! What each instruction changed.

use gpuzoo_ir::eval::Run;
use gpuzoo_ir::{Value, Vec4};
use gpuzoo_isa::{Lowered, Mask, Reg};

/// A register that an instruction wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// The register.
    pub reg: Reg,
    /// The components that were written, whether their value changed or not.
    pub components: Mask,
    /// Its value before.
    pub before: Vec4,
    /// Its value after.
    pub after: Vec4,
    /// The components that are integers before, and after; the others are floats.
    pub integers: [Mask; 2],
}

/// One executed instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TraceStep {
    /// The index of its slot in the program.
    pub slot: usize,
    /// Which of the slot's instructions it is.
    pub part: u8,
    /// What it wrote.
    pub changes: Vec<Change>,
}

/// The steps of a run of a lowered program, in order. `run` must be a run of `lowered.function`.
pub fn steps(lowered: &Lowered, run: &Run) -> Vec<TraceStep> {
    steps_of(lowered, |value| run.value(value))
}

/// As [`steps`], for runs that were not made by the evaluator alone: `value_of` gives the values of `lowered.function`.
pub fn steps_of(lowered: &Lowered, value_of: impl Fn(Value) -> Vec4) -> Vec<TraceStep> {
    let types = lowered.integers();
    let typed = |value: Value| (value_of(value), types.get(value.index()).copied().unwrap_or(Mask(0)));
    let mut now: Vec<(Reg, (Vec4, Mask))> =
        lowered.initial.iter().map(|&(reg, value)| (reg, typed(value))).collect();
    let mut steps = Vec::with_capacity(lowered.steps.len());
    for (number, step) in lowered.steps.iter().enumerate() {
        for poked in lowered.pokes.iter().filter(|poked| poked.step == number) {
            if let Some(cell) = now.iter_mut().find(|(known, _)| *known == poked.reg) {
                cell.1 = typed(poked.value);
            }
        }
        let changes = step.writes.iter().filter_map(|&(reg, value, components)| {
            let cell = now.iter_mut().find(|(known, _)| *known == reg)?;
            let (before, after) = (cell.1, typed(value));
            cell.1 = after;
            let integers = [before.1, after.1];
            Some(Change { reg, components, before: before.0, after: after.0, integers })
        });
        steps.push(TraceStep { slot: step.slot, part: step.part, changes: changes.collect() });
    }
    steps
}

//! A program's meaning as IR, with what was noticed on the way.

use crate::interface::Stage;
use crate::operand::{Mask, Reg};
use gpuzoo_ir::{Function, Value, Vec4};
use std::ops::Range;

/// A program as IR, with what was noticed on the way.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    /// The meaning. Its inputs, uniforms and outputs have the numbers of the registers of those files.
    pub function: Function,
    /// The stage that it was lowered for.
    pub stage: Stage,
    /// Changes of each executed instruction, in order of execution.
    pub steps: Vec<Step>,
    /// Reads of the slots, in order of execution.
    pub reads: Vec<RegRead>,
    /// The value before the first slot of every temporary and output register, and of each uniform that the program
    /// writes.
    pub initial: Vec<(Reg, Value)>,
    /// The registers that were given a value before the first slot, instead of the one that they start with.
    pub given: Vec<Reg>,
    /// Values that [`Program::pokes`](crate::Program::pokes) put into registers, in order.
    pub pokes: Vec<Poked>,
    /// Reads of components that were never written.
    pub undefined_reads: Vec<UndefinedRead>,
    /// For each output register the components that were never written.
    pub unwritten_outputs: Vec<(Reg, Mask)>,
    /// Reads of registers at a computed number.
    pub relative_reads: Vec<RelativeRead>,
    /// Uniforms that the program writes, with their last values.
    pub constant_writes: Vec<(Reg, Value)>,
    /// The slot that ended the program; none if it ran past the last one.
    pub end: Option<usize>,
    /// Constants of the function that an instruction has as integers, with their components.
    pub integer_literals: Vec<(Value, Mask)>,
}

/// Changes of an instruction: the registers it wrote and their values after it. A slot without one is a step, too.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// The slot's index in the program.
    pub slot: usize,
    /// Which of the slot's instructions it is: 0, or 1 for the paired one. Both read what there was before the slot.
    pub part: u8,
    /// Each register written, with its whole new value and the components that were written.
    pub writes: Vec<(Reg, Value, Mask)>,
}

/// A read of register components that nothing has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UndefinedRead {
    /// The slot that reads.
    pub slot: usize,
    /// The instruction of the slot, as in [`Step::part`].
    pub part: u8,
    /// The register.
    pub reg: Reg,
    /// The components read before any write.
    pub components: Mask,
}

/// A read of a register. What a register holds is what it held before the slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegRead {
    /// The slot that reads.
    pub slot: usize,
    /// The instruction of the slot, as in [`Step::part`].
    pub part: u8,
    /// The register; of a read at a computed number, the one that is meant when the address register is 0.
    pub reg: Reg,
    /// The components that are used.
    pub components: Mask,
    /// Value of the read.
    pub value: Value,
    /// Value of the address register, whose x component is added, for a read at a computed number.
    pub index: Option<Value>,
}

/// A read of a register at a computed number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelativeRead {
    /// The slot that reads.
    pub slot: usize,
    /// The register that is meant when the address register is 0.
    pub base: Reg,
    /// The value of the address register, whose x component is added.
    pub index: Value,
    /// The numbers of the registers that such a read gets; zeros for all others.
    pub reach: Range<u16>,
}

/// Components of a register that get other bits between two steps of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Poke {
    /// The number of the step before which they get them, as in [`Lowered::steps`].
    pub step: usize,
    /// The register.
    pub reg: Reg,
    /// The components.
    pub components: Mask,
    /// The bits; those of other components do not count.
    pub bits: Vec4,
    /// The components that are integers; the others are floats.
    pub integers: Mask,
}

/// A value that a register got between two steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Poked {
    /// The step before which it got it.
    pub step: usize,
    /// The register.
    pub reg: Reg,
    /// The components that were poked.
    pub components: Mask,
    /// The register's whole value after it.
    pub value: Value,
}

impl Lowered {
    /// The value after the last slot of a register that [`initial`](Lowered::initial) or a step has.
    pub fn last(&self, reg: Reg) -> Option<Value> {
        let writes = self.steps.iter().rev().flat_map(|step| &step.writes);
        let mut values = writes.map(|&(reg, value, _)| (reg, value)).chain(self.initial.iter().copied());
        values.find(|(known, _)| *known == reg).map(|(_, value)| value)
    }
}

/// An output of [`Lowered::function`]. The IR knows it by a number.
///
/// ```
/// use gpuzoo_isa::Output;
/// assert_eq!(Output::of(3), Output::Register(3));
/// assert_eq!(Output::of(Output::Constant(96).number()), Output::Constant(96));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// An output register, by its number.
    Register(u16),
    /// A value that somebody watches, and that is not a result of the program.
    Watch(u16),
    /// A constant that the program writes, by its number; it counts for the next vertex.
    Constant(u16),
}

impl Output {
    /// Upper bound of registers, watched values or constants.
    pub const MOST: u16 = 0x4000;

    /// The output of a number.
    pub const fn of(number: u16) -> Output {
        match number / Output::MOST {
            0 => Output::Register(number),
            1 => Output::Watch(number - Output::MOST),
            _ => Output::Constant(number - 2 * Output::MOST),
        }
    }

    /// Its number; those of registers come first, those of constants last.
    pub const fn number(self) -> u16 {
        match self {
            Output::Register(index) => index,
            Output::Watch(index) => Output::MOST + index,
            Output::Constant(index) => 2 * Output::MOST + index,
        }
    }
}

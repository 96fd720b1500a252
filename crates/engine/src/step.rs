//! Steps: operations on whole columns.

use gpuzoo_ir::{Dot, Op1, Op2, Op3};

/// A column: a register of the block, or beyond those an input.
pub(crate) type Column = u16;

/// A scalar register: a value that is the same in all lanes.
pub(crate) type Scalar = u16;

/// No column: that component is never read.
pub(crate) const NONE: Column = Column::MAX;

/// The bit that distinguishes inputs from registers.
pub(crate) const INPUTS: u16 = 0x8000;

/// One operation on whole columns. The destination comes first; it is never one of the sources.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Splat(Column, Scalar),
    /// A node that has no loop of its own, lane by lane: its place in [`Program::each`](crate::program::Program::each).
    Each(Column, u32),
    Map1(Op1, Column, Column),
    Map2(Op2, Column, [Column; 2]),
    Map3(Op3, Column, [Column; 3]),
    /// An operation of [`takes_scalar`](crate::scalars::takes_scalar) whose second operand is the same in all lanes.
    Map2Right(Op2, Column, Column, Scalar),
    /// … whose first operand is.
    Map2Left(Op2, Column, Scalar, Column),
    /// `fmad` of a column, a scalar and a column …
    MadScale(Column, Column, Scalar, Column),
    /// … of two columns and a scalar …
    MadOffset(Column, [Column; 2], Scalar),
    /// … of a column and two scalars.
    MadBoth(Column, Column, [Scalar; 2]),
    /// All factors are columns.
    Dot(Dot, Column, [[Column; 4]; 2]),
    /// The second factors are the same in all lanes.
    DotScalars(Dot, Column, [Column; 4], [Scalar; 4]),
    Sample {
        unit: u8,
        to: [Column; 4],
        at: [Column; 4],
    },
    Kill([Column; 4]),
    /// A loop of machine code instead of several steps; only [`Jit`](crate::compiled::Jit) has them.
    #[cfg_attr(not(feature = "jit"), expect(dead_code))]
    Loop(u16),
}

impl Step {
    /// The same step with its destination, if it has one.
    pub(crate) fn with_destination(mut self, register: Column) -> Step {
        match &mut self {
            Step::Splat(to, _)
            | Step::Each(to, _)
            | Step::Map1(_, to, _)
            | Step::Map2(_, to, _)
            | Step::Map3(_, to, _)
            | Step::Map2Right(_, to, ..)
            | Step::Map2Left(_, to, ..)
            | Step::MadScale(to, ..)
            | Step::MadOffset(to, ..)
            | Step::MadBoth(to, ..)
            | Step::Dot(_, to, _)
            | Step::DotScalars(_, to, ..) => *to = register,
            Step::Sample { .. } | Step::Kill(_) | Step::Loop(_) => {}
        }
        self
    }
}

//! Values, instructions and functions.

use crate::op::{Dot, Op1, Op2, Op3};
use crate::vec4::Vec4;

/// The bits of 1.0, which [`Pick::One`] gives.
pub const ONE: u32 = 0x3f80_0000;

/// The bits of every NaN that an operation computes (but for the truncating ones, see [`arith`](crate::arith));
/// operations that move bits keep other NaNs as they are.
pub const NAN: u32 = 0x7fc0_0000;

/// The result of an instruction: its index in the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub u32);

impl Value {
    /// The index of the instruction that defines it.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a component of a shuffle's result comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pick {
    /// A component (0 to 3) of the first value.
    A(u8),
    /// A component (0 to 3) of the second value.
    B(u8),
    /// +0.0, which is also the integer 0.
    Zero,
    /// 1.0.
    One,
}

/// One instruction; it defines the [`Value`] of its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Inst {
    /// The same four components for every run.
    Const(Vec4),
    /// An input of the run (a vertex attribute, a varying).
    Input(u16),
    /// A uniform: the same for all runs of a draw.
    Uniform(u16),
    /// The uniform at `base` + component x of `index` as a signed integer, if that is below `count`; else four zeros.
    UniformAt {
        /// Component x is a signed integer.
        index: Value,
        /// Added to it, without wrapping.
        base: i32,
        /// Indices from 0 to one below this exist.
        count: u16,
    },
    /// A component-wise operation on one value.
    Map1(Op1, Value),
    /// A component-wise operation on two values.
    Map2(Op2, [Value; 2]),
    /// A component-wise operation on three values.
    Map3(Op3, [Value; 3]),
    /// A dot product, the same in all four components.
    Dot(Dot, [Value; 2]),
    /// Each component picked from two values, 0 and 1: swizzle, mask and merge in one.
    Shuffle([Value; 2], [Pick; 4]),
    /// A texture read: the unit and the coordinates. What the components mean is up to the sampler.
    Sample(u8, Value),
    /// Ends the run without outputs if any component is below zero; -0 and NaN are not. Its value is its operand's.
    Kill(Value),
}

impl Inst {
    /// The values it reads.
    pub fn operands(&self) -> impl Iterator<Item = Value> + use<> {
        let (values, count) = match *self {
            Inst::Const(_) | Inst::Input(_) | Inst::Uniform(_) => ([Value(0); 3], 0),
            Inst::UniformAt { index: a, .. } | Inst::Map1(_, a) | Inst::Sample(_, a) | Inst::Kill(a) => {
                ([a; 3], 1)
            }
            Inst::Map2(_, [a, b]) | Inst::Dot(_, [a, b]) | Inst::Shuffle([a, b], _) => ([a, b, b], 2),
            Inst::Map3(_, values) => (values, 3),
        };
        values.into_iter().take(count)
    }

    /// The same instruction with every operand replaced.
    pub fn map_operands(self, mut f: impl FnMut(Value) -> Value) -> Inst {
        match self {
            Inst::Const(_) | Inst::Input(_) | Inst::Uniform(_) => self,
            Inst::UniformAt { index, base, count } => Inst::UniformAt { index: f(index), base, count },
            Inst::Map1(op, a) => Inst::Map1(op, f(a)),
            Inst::Map2(op, values) => Inst::Map2(op, values.map(f)),
            Inst::Map3(op, values) => Inst::Map3(op, values.map(f)),
            Inst::Dot(dot, values) => Inst::Dot(dot, values.map(f)),
            Inst::Shuffle(values, picks) => Inst::Shuffle(values.map(f), picks),
            Inst::Sample(unit, at) => Inst::Sample(unit, f(at)),
            Inst::Kill(a) => Inst::Kill(f(a)),
        }
    }

    /// Calls `f` with each operand and those of its components that the components `mask` of the value are computed from;
    /// bit 0 is x. An operand of which none is read may be left out.
    pub fn reads(&self, mask: u8, mut f: impl FnMut(Value, u8)) {
        const ALL: u8 = 0b1111;
        if mask & ALL == 0 {
            return;
        }
        match *self {
            Inst::Const(_) | Inst::Input(_) | Inst::Uniform(_) => {}
            Inst::UniformAt { index, .. } => f(index, 0b0001),
            Inst::Map1(..) | Inst::Map2(..) | Inst::Map3(..) | Inst::Kill(_) => {
                self.operands().for_each(|operand| f(operand, mask));
            }
            Inst::Dot(dot, values) => values.into_iter().for_each(|value| f(value, dot.mask())),
            Inst::Shuffle([a, b], picks) => {
                let read = picks.iter().enumerate().filter(|(component, _)| mask >> component & 1 == 1);
                read.for_each(|(_, pick)| match pick {
                    Pick::A(component) => f(a, 1 << (component & 3)),
                    Pick::B(component) => f(b, 1 << (component & 3)),
                    Pick::Zero | Pick::One => {}
                });
            }
            // Which coordinates a sampler looks at is up to the sampler.
            Inst::Sample(_, at) => f(at, ALL),
        }
    }

    /// True if it must stay even when its value is never read.
    pub fn has_effect(&self) -> bool {
        matches!(self, Inst::Kill(_))
    }
}

/// The machine instruction that an IR instruction comes from: its index in the program, or none for what a machine
/// sets up before its first instruction.
pub type Origin = Option<u32>;

/// A straight line of instructions and the values that leave it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Function {
    /// The instructions; each reads only values defined before it.
    pub insts: Vec<Inst>,
    /// For each instruction, where it comes from.
    pub origins: Vec<Origin>,
    /// The outputs: number and final value, in the order of the numbers.
    pub outputs: Vec<(u16, Value)>,
}

impl Function {
    /// One more than the highest input read.
    pub fn input_count(&self) -> usize {
        let inputs = self.insts.iter().filter_map(|inst| match inst {
            Inst::Input(index) => Some(*index as usize + 1),
            _ => None,
        });
        inputs.max().unwrap_or(0)
    }

    /// One more than the highest uniform that can be read.
    pub fn uniform_count(&self) -> usize {
        let uniforms = self.insts.iter().filter_map(|inst| match inst {
            Inst::Uniform(index) => Some(*index as usize + 1),
            Inst::UniformAt { count, .. } => Some(*count as usize),
            _ => None,
        });
        uniforms.max().unwrap_or(0)
    }
}

//! Numbers as the walk knows them: before a run, or as a component of a value of the function that it builds.

use gpuzoo_ir::Value;
use naga::{Literal, ScalarKind};

/// One number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// Nothing was written yet. It reads as zero, and any other value may take its place.
    Nothing,
    /// A float that is known.
    Float(f32),
    /// A signed integer that is known.
    Int(i32),
    /// An unsigned integer that is known.
    Uint(u32),
    /// A condition that is known.
    Bool(bool),
    /// A component of a value. Integers are floats there, conditions 1 or +0.
    Lane(Value, u8),
}

/// The components of something, in the order of its type.
pub type Numbers = Vec<Number>;

impl Number {
    /// The number of a literal; none for those of types that no machine has.
    pub fn literal(literal: Literal) -> Option<Number> {
        match literal {
            Literal::F32(value) => Some(Number::Float(value)),
            Literal::I32(value) => Some(Number::Int(value)),
            Literal::U32(value) => Some(Number::Uint(value)),
            Literal::Bool(value) => Some(Number::Bool(value)),
            Literal::AbstractFloat(value) => Some(Number::Float(value as f32)),
            Literal::AbstractInt(value) => i32::try_from(value).ok().map(Number::Int),
            _ => None,
        }
    }

    /// The zero of a kind.
    pub fn zero(kind: ScalarKind) -> Number {
        match kind {
            ScalarKind::Sint | ScalarKind::AbstractInt => Number::Int(0),
            ScalarKind::Uint => Number::Uint(0),
            ScalarKind::Bool => Number::Bool(false),
            ScalarKind::Float | ScalarKind::AbstractFloat => Number::Float(0.0),
        }
    }

    /// The float that stands for it in a register, if it is known.
    pub fn known(self) -> Option<f32> {
        match self {
            Number::Nothing => Some(0.0),
            Number::Float(value) => Some(value),
            Number::Int(value) => Some(value as f32),
            Number::Uint(value) => Some(value as f32),
            Number::Bool(value) => Some(f32::from(u8::from(value))),
            Number::Lane(..) => None,
        }
    }

    /// The integer that it is, if it is a known one.
    pub fn integer(self) -> Option<i64> {
        match self {
            Number::Nothing => Some(0),
            Number::Int(value) => Some(value.into()),
            Number::Uint(value) => Some(value.into()),
            Number::Bool(value) => Some(value.into()),
            Number::Float(_) | Number::Lane(..) => None,
        }
    }

    /// True for a known integer that a float does not hold exactly.
    pub fn is_inexact(self) -> bool {
        matches!(self, Number::Int(_) | Number::Uint(_))
            && self.integer().is_some_and(|value| self.known().is_none_or(|float| float as i64 != value))
    }

    /// True for this bit pattern of a float.
    pub fn is(self, value: f32) -> bool {
        self.known().is_some_and(|known| known.to_bits() == value.to_bits())
    }

    /// A known float as a number of a kind, as its machine would hold it.
    pub fn of_kind(value: f32, kind: ScalarKind) -> Number {
        match kind {
            ScalarKind::Sint | ScalarKind::AbstractInt => Number::Int(value as i32),
            ScalarKind::Uint => Number::Uint(value as u32),
            ScalarKind::Bool => Number::Bool(value != 0.0),
            ScalarKind::Float | ScalarKind::AbstractFloat => Number::Float(value),
        }
    }
}

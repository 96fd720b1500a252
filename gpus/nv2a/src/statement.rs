//! What the three dialects have in common: statements, before they are paired into slots.

use gpuzoo_diag::Span;
use gpuzoo_isa::{Operand, Swizzle};

/// A destination as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Register and mask. For `arl` the address register.
    pub operand: Operand,
    /// Its text.
    pub span: Span,
}

/// A source as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Source {
    /// Register, swizzle, sign, and whether A0 is added.
    pub operand: Operand,
    /// Its text.
    pub span: Span,
}

/// One instruction as written: an operation, a destination, its sources.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The mnemonic of a row: `mov`, `dp4`, `expp`.
    pub name: &'static str,
    /// What it writes.
    pub target: Target,
    /// What it reads, as many as the row does.
    pub sources: Vec<Source>,
    /// Its text.
    pub span: Span,
}

impl Statement {
    /// True if another statement computes the same value.
    pub fn same_value(&self, other: &Statement) -> bool {
        let mut pairs = self.sources.iter().zip(&other.sources);
        self.name == other.name && pairs.all(|(one, other)| one.operand == other.operand)
    }
}

/// Statements that are to run in one slot: one, or several joined by `+`.
pub type Group = Vec<Statement>;

/// The lane that a scalar operation reads.
pub fn first_lane(swizzle: Swizzle) -> u8 {
    swizzle.lanes()[0]
}

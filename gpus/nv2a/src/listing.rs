//! What a text holds, whichever dialect it is written in.

use crate::statement::Group;
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_isa::{Bits, Constant};

/// What becomes one slot.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Statements that are to run together.
    Group(Group),
    /// Bits as they stand: `.word`, or Direct3D's `nop`.
    Raw(Bits, Span),
}

/// The most slots that a dialect allows, where that is less than the machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// How many.
    pub slots: usize,
    /// Who says so.
    pub who: &'static str,
}

/// What a text holds.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// The slots, in order.
    pub items: Vec<Item>,
    /// Constants that the text names or gives values to.
    pub constants: Vec<Constant>,
    /// What is wrong.
    pub problems: Vec<Diagnostic>,
    /// The dialect's own limit.
    pub limit: Option<Limit>,
}

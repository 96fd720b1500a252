//! Items of a text that was read: instructions and raw words, with their places.

use crate::op::Inst;
use crate::operand::{MAX_OPERANDS, Operand};
use crate::syntax::Form;
use gpuzoo_diag::{Diagnostic, Span};

/// Contents of a source, in order. An instruction with an error is left out.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "nearly all items are instructions")]
pub enum Item {
    /// An instruction.
    Inst(Written),
    /// Words of `.word`.
    Raw(Vec<u32>, Span),
}

impl Item {
    /// The instruction, if it is one.
    pub fn written(&self) -> Option<&Written> {
        match self {
            Item::Inst(written) => Some(written),
            Item::Raw(..) => None,
        }
    }
}

/// An instruction with its places in the text.
#[derive(Clone, Copy, Debug)]
pub struct Written {
    /// The instruction.
    pub inst: Inst,
    /// The places of its operands, by their indices.
    pub spans: [Span; MAX_OPERANDS],
    /// Its place.
    pub span: Span,
    /// True if it runs in the slot of the one before it: a `+` stands between.
    pub joined: bool,
    /// The form that it was written in, if it is not its row's own.
    pub form: Option<&'static Form>,
}

/// A register that a text names.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// The register, and whether it is relative.
    pub operand: Operand,
    /// True if it is named as a destination.
    pub written: bool,
    /// The number between brackets, or behind a prefix that may have them, as the text has it.
    pub number: Option<i64>,
    /// Its place.
    pub span: Span,
}

/// A text, read.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// Contents.
    pub items: Vec<Item>,
    /// Problems.
    pub diagnostics: Vec<Diagnostic>,
}

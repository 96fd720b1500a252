//! An assembly dialect as a value: data, and functions that read and print texts. Each dialect's folder has one.

use crate::vertex::dialects::counting::ConstantMap;
use crate::vertex::dialects::d3d::preprocess::{Given, Preprocessed};
use crate::vertex::dialects::header::Header;
use crate::vertex::dialects::page::{Page, Said};
use gpuzoo_diag::{File, FileId, Sources, Symbol};
use gpuzoo_isa::{Constant, Inst, Numbering, Parser, Program, Slot, Syntax};
use gpuzoo_machine::{Dialect as Described, TextOptions};
use std::fmt;
use std::ops::Range;

/// The header of a text, in the dialects that have one and if it runs here, and the constants that the text names.
pub type Read = (Option<Header>, Vec<Constant>);

/// An assembly dialect.
pub struct Dialect {
    /// Name, description, syntax, example and headers.
    pub(crate) described: Described,
    /// The way to count constants that it has unless the user says another.
    pub(crate) constants: ConstantMap,
    /// True if the beginning of a text tells that the text is in this dialect.
    pub(crate) begins: fn(&str) -> bool,
    /// The result of its preprocessor; none for a text that is read as it is.
    pub(crate) preprocess: fn(&File, Given) -> Option<Preprocessed>,
    /// The lines of a text that its preprocessor carries out.
    pub(crate) lines: fn(&str) -> Vec<Range<usize>>,
    /// The names in a text, with their places.
    pub(crate) symbols: fn(&mut Sources, FileId, &TextOptions) -> Vec<Symbol>,
    /// Reads a text. The number is that of the first of the four constants that `OPTION NV_position_invariant` reads, as the
    /// text counts.
    pub(crate) read: fn(&mut Parser, u16) -> Read,
    /// The page of a program of which these slots are printed.
    pub(crate) page: fn(&Program, &[Slot], Numbering) -> Page,
    /// The text of a slot that consists of these instructions.
    pub(crate) slot: fn(&Page, &Slot, Vec<Inst>) -> Said,
    /// The beginning of a line with the value of a constant.
    pub(crate) constant: &'static str,
    /// The last line of a text.
    pub(crate) end: &'static str,
    /// True for nv2a_vsh_asm's: a text that this assembler refuses is reported, and numbers of constants have all eight bits
    /// that a slot has for them.
    pub(crate) is_reference: bool,
    /// True if it has a line for every slot: pairs stay pairs, and `.word` is part of the dialect.
    pub(crate) every_slot: bool,
    /// True if a vertex program must write the position.
    pub(crate) needs_position: bool,
    /// True if vertex programs end in clip space unless they say otherwise, so that two slots are added to them.
    pub(crate) clip_space: bool,
}

impl Dialect {
    /// The name that users give: `vsh`, `vp`, `d3d`.
    pub fn name(&self) -> &'static str {
        self.described.name
    }

    /// Syntax.
    pub fn syntax(&self) -> &'static Syntax {
        self.described.syntax
    }

    /// Default numbering of constants.
    pub fn constants(&self) -> ConstantMap {
        self.constants
    }
}

impl PartialEq for Dialect {
    fn eq(&self, other: &Dialect) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Dialect {}

impl fmt::Debug for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dialect({})", self.name())
    }
}

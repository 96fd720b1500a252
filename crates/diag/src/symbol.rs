//! What a text names, for editors.

use crate::Span;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A place in the program.
    Label,
    /// A number, or another text.
    Constant,
    /// Constant registers that are given when the program is drawn.
    Uniform,
    /// Statements.
    Macro,
    /// Names of its own.
    Scope,
    /// A file; its definition is the file's beginning.
    File,
}

impl SymbolKind {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            SymbolKind::Label => "label",
            SymbolKind::Constant => "constant",
            SymbolKind::Uniform => "uniform",
            SymbolKind::Macro => "macro",
            SymbolKind::Scope => "scope",
            SymbolKind::File => "file",
        }
    }
}

/// A name, where it is defined, and where it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// As it is written.
    pub name: String,
    /// What it stands for.
    pub kind: SymbolKind,
    /// More about it, such as its value; may be empty.
    pub about: String,
    /// The name where it is defined; none for one that the text does not define.
    pub definition: Option<Span>,
    /// The name where it is used, each place once.
    pub uses: Vec<Span>,
}

impl Symbol {
    /// All places of the name, that of the definition first.
    pub fn places(&self) -> impl Iterator<Item = Span> + '_ {
        self.definition.into_iter().chain(self.uses.iter().copied())
    }
}

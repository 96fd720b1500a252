//! What the words of a text are, for what shows or lays out texts: editors and the formatter.

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A comment, with its marks.
    Comment,
    /// An instruction's name, or a macro's.
    Mnemonic,
    /// What is written beside instructions; a preprocessor line as a whole.
    Directive,
    /// The name of a place, where it is defined.
    Label,
    /// Another name.
    Name,
    /// A register.
    Register,
    /// Components of a register, with or without their dot.
    Components,
    /// A number.
    Number,
    /// A text in quotes.
    Text,
    /// Any other sign.
    Mark,
}

/// A word of a text and what it is. All bytes of a text that belong to none are blanks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lexeme {
    /// What it is.
    pub role: Role,
    /// Its first byte.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// It begins a statement; if none of a line does, the line goes on with the one before.
    pub begins: bool,
}

impl Lexeme {
    /// Its text.
    pub fn text<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.start..self.end).unwrap_or("")
    }
}

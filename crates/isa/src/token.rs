//! Tokens of a text.

/// Kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenKind {
    /// Letters, digits and underscores, not beginning with a digit.
    Word,
    /// A dot and a word.
    Directive,
    /// A digit and what sticks to it: letters, digits, underscores, dots.
    Number,
    /// Any other single character.
    Junk,
    /// A comment; only [`Lexer::next_piece`](crate::Lexer::next_piece) gives it.
    Comment,
    /// A block comment that the text ends in.
    OpenComment,
    /// The end of the text.
    End,
}

/// A token: its kind and its byte range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Token {
    /// Kind of the token.
    pub kind: TokenKind,
    /// Its first byte.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// True if it is the first token of its line.
    pub first: bool,
}

//! How the text of an assembly language is written.

/// The lexical habits of one assembly language.
#[derive(Clone, Copy, Debug)]
pub struct Syntax {
    /// What begins a comment that runs to the end of the line.
    pub line_comments: &'static [&'static str],
    /// True if `/* */` comments exist; they nest, as in Rust.
    pub block_comments: bool,
    /// Directives of this language beside the kit's `.word`, with their dot.
    pub directives: &'static [&'static str],
}

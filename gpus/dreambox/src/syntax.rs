//! The text form (spec section 9): a stream of tokens as the published `vu_asm!` macro takes it.
//!
//! Two things are ours: `.word N` for words that no instruction encodes to, and `.exact`, which keeps the assembler
//! from appending an `end`.

use gpuzoo_isa::{Statement, Syntax};

/// The directive after which the assembler appends nothing.
pub const EXACT: &str = ".exact";

const DIRECTIVES: &[Statement] =
    &[Statement::new(EXACT, EXACT, "nothing is appended to the program, not even an `end` that it lacks")];

/// Rust's comments, and no separators at all.
pub static SYNTAX: Syntax = Syntax { block_comments: true, directives: DIRECTIVES, ..Syntax::PLAIN };

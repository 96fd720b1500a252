//! The text form (spec section 9): a stream of tokens as the published `vu_asm!` macro takes it.
//!
//! Two things are ours: `.word N` for words that no instruction encodes to, and `.exact`, which keeps the assembler
//! from appending an `end`.

use gpuzoo_isa::Syntax;

/// The directive after which the assembler appends nothing.
pub const EXACT: &str = ".exact";

/// Rust's comments, and no separators at all.
pub static SYNTAX: Syntax = Syntax { block_comments: true, directives: &[EXACT], ..Syntax::PLAIN };

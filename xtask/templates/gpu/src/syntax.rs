//! Where this assembly departs from the kit's.

use gpuzoo_isa::Syntax;

/// Comments and directives.
pub static SYNTAX: Syntax = Syntax { block_comments: true, ..Syntax::PLAIN };

//! Where this assembly departs from the kit's.

use gpuzoo_isa::Syntax;

/// Comments and directives.
pub static SYNTAX: Syntax = Syntax { line_comments: &["//"], block_comments: true, directives: &[] };

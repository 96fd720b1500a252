//! How the text is written (spec section F): a statement a line or ended by `;`, comments from `#` or `//` on.

use crate::arb;
use crate::regs::P;
use gpuzoo_isa::{End, Letters, Statement, Syntax};

/// The program runs for vertices.
pub const VERTEX: &str = ".vertex";
/// The program runs for fragments.
pub const FRAGMENT: &str = ".fragment";
/// The program is to keep within the minimum of an older interface.
pub const LIMITS: &str = ".limits";

const DIRECTIVES: &[Statement] = &[
    Statement::new(VERTEX, VERTEX, "the program runs for vertices"),
    Statement::new(FRAGMENT, FRAGMENT, "the program runs for fragments"),
    Statement::new(
        LIMITS,
        ".limits NAME",
        "the program is to keep within the minimum of an older interface: one of those of the mode `limits`",
    )
    .example(".limits arb"),
];

/// The language of ARB programs, nearly.
pub static SYNTAX: Syntax = Syntax {
    line_comments: &["#", "//"],
    directives: DIRECTIVES,
    commas: true,
    end: End::LineOrSemicolon,
    letters: Letters::OneOrFour,
    nothing: Some("_"),
    prefixes: &[(P, "S")],
    word_bits: 64,
    elsewhere: arb::replacement,
    ..Syntax::PLAIN
};

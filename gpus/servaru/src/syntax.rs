//! How the text is written (spec section F): a statement a line or ended by `;`, comments from `#` or `//` on.

use crate::arb;
use crate::regs::P;
use gpuzoo_isa::{End, Letters, Syntax};

/// The program runs for vertices.
pub const VERTEX: &str = ".vertex";
/// The program runs for fragments.
pub const FRAGMENT: &str = ".fragment";
/// The program is to keep within the minimum of an older interface.
pub const LIMITS: &str = ".limits";

/// The language of ARB programs, nearly.
pub static SYNTAX: Syntax = Syntax {
    line_comments: &["#", "//"],
    directives: &[VERTEX, FRAGMENT, LIMITS],
    commas: true,
    end: End::LineOrSemicolon,
    letters: Letters::OneOrFour,
    nothing: Some("_"),
    prefixes: &[(P, "S")],
    word_bits: 64,
    elsewhere: arb::replacement,
    ..Syntax::PLAIN
};

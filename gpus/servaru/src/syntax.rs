//! How the text is written (spec section F): a statement a line or ended by `;`, comments from `#` or `//` on.

use gpuzoo_isa::Syntax;

/// The program runs for vertices.
pub const VERTEX: &str = ".vertex";
/// The program runs for fragments.
pub const FRAGMENT: &str = ".fragment";
/// The program shall keep within the minimum of an older interface.
pub const LIMITS: &str = ".limits";

/// For the kit's lexer.
pub static SYNTAX: Syntax =
    Syntax { line_comments: &["#", "//"], block_comments: false, directives: &[VERTEX, FRAGMENT, LIMITS] };

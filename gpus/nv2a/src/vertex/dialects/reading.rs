//! Parts that the readers of all dialects share.

use crate::vertex::rules::RELATIVE_WRITE;
use gpuzoo_diag::{Diagnostic, File, Span, has_errors};
use gpuzoo_isa::{Failed, Item, Parser};

/// Rest of a source behind whitespace and comments; with `hash`, lines that begin with `#` are comments.
pub fn skip_comments(text: &str, hash: bool) -> &str {
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    loop {
        rest = rest.trim_start();
        let line = rest.starts_with(';') || rest.starts_with("//") || hash && rest.starts_with('#');
        let end = match rest {
            _ if line => rest.find('\n'),
            _ if rest.starts_with("/*") => rest.find("*/").map(|at| at + 1),
            _ => return rest,
        };
        rest = end.map_or("", |end| &rest[end + 1..]);
    }
}

/// True for `.word`, whose bits the text says. (`nop` is words, too, but not those of the text.)
pub fn is_word(file: &File, item: &Item) -> bool {
    matches!(item, Item::Raw(_, span) if file.slice(*span).starts_with('.'))
}

/// True if nothing in a text has an error, and nothing is `.word`: then what it never does is known.
pub fn is_understood(parser: &Parser) -> bool {
    !has_errors(&parser.problems) && !parser.items.iter().any(|item| is_word(parser.file, item))
}

/// Reports a constant that is written with the address register.
pub fn relative_write(parser: &mut Parser, span: Span) -> Result<(), Failed> {
    let problem = Diagnostic::error(&RELATIVE_WRITE, "a constant that is written has no A0");
    parser.fail(problem.at(span))
}

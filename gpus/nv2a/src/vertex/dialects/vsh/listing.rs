//! Listings of programs that look like texts and are not: what older emulators print for a program's words.

use crate::vertex::ops::rows;
use crate::vertex::rules::LISTING;
use crate::vertex::syntax::VSH;
use gpuzoo_diag::{Diagnostic, File, Span};
use gpuzoo_isa::{Cursor, TokenKind};

/// The problem of a listing, which its first instruction tells: `DP4(oPos,x, v0, c[0])` or `dp4 oPos,x, v0, c[0]`.
pub fn listing(file: &File) -> Option<Diagnostic> {
    let place = first(file)?;
    let message = "this is what emulators list, and no text of an assembler";
    let problem = Diagnostic::error(&LISTING, message).label(place, "a mask stands behind a comma here");
    Some(problem.help("its words, which such listings have in comments, are read with `--from hex`"))
}

fn first(file: &File) -> Option<Span> {
    let mut cursor = Cursor::new(file, &VSH);
    let start = cursor.token.start;
    let name = cursor.text().to_ascii_lowercase();
    cursor.advance();
    if rows(&name).iter().all(Option::is_none) {
        return None;
    }
    let call = cursor.is("(") && cursor.adjacent();
    if call {
        cursor.advance();
    }
    let is_word = cursor.token.kind == TokenKind::Word;
    cursor.advance();
    let comma = is_word && cursor.eat(",");
    let mask = cursor.text();
    let is_mask = comma && cursor.adjacent() && mask.bytes().all(|letter| b"xyzw".contains(&letter));
    cursor.advance();
    (is_mask && cursor.is(",")).then(|| cursor.since(start))
}

//! What the words of a text are, whether or not it can be assembled.

use crate::lexer::{Dialect, Lexer};
use crate::token::{Interner, Kind, Mark, Token};
use gpuzoo_diag::{FileId, Lexeme, Role};

/// The words of a text. What C takes for comments counts as comments everywhere, and a line with something that is no
/// token is one word: how such a line is read may depend on a `.feature` of another file.
///
/// ```
/// use gpuzoo_asm65::lexemes;
/// use gpuzoo_diag::Role;
/// let text = "loop: dex ; down";
/// let words: Vec<_> = lexemes(text).iter().map(|own| (own.role, own.text(text))).collect();
/// assert_eq!(words[0], (Role::Label, "loop"));
/// assert_eq!(words[2..], [(Role::Mnemonic, "dex"), (Role::Comment, "; down")]);
/// ```
pub fn lexemes(text: &str) -> Vec<Lexeme> {
    let string_escapes = text.to_ascii_lowercase().contains("string_escapes");
    // A backslash at the end of a line is a word here, so that it stays where it is.
    let dialect = Dialect { c_comments: true, string_escapes, underlines: true, continuation: false };
    let mut names = Interner::default();
    let (mut all, mut tokens, mut at) = (Vec::new(), Vec::new(), 0);
    loop {
        let mut lexer = Lexer { text, at, file: FileId::default(), dialect, names: &mut names };
        tokens.clear();
        if !lexer.line(&mut tokens) {
            return all;
        }
        let end = lexer.at;
        line(text, at..end.min(text.len()), &tokens, &names, &mut all);
        at = end;
    }
}

/// Adds the words of a line, with the comments between and behind its tokens.
fn line(
    text: &str,
    range: std::ops::Range<usize>,
    tokens: &[Token],
    names: &Interner,
    all: &mut Vec<Lexeme>,
) {
    let tokens = tokens.split_last().map_or(tokens, |(_, tokens)| tokens);
    let mut at = range.start;
    if let Some(open) = tokens.iter().position(|token| matches!(token.kind, Kind::Junk(_))) {
        let (first, last) = (tokens[0].span.range(), tokens[tokens.len() - 1].span.range());
        let is_comment = matches!(tokens[open].kind, Kind::Junk(crate::token::Junk::OpenComment));
        comments(text, at, first.start, all);
        let end = if is_comment { text.trim_end().len() } else { last.end };
        all.push(Lexeme { role: Role::Mark, start: first.start, end, begins: true });
        at = end;
    } else {
        for (index, token) in tokens.iter().enumerate() {
            let span = token.span.range();
            comments(text, at, span.start, all);
            let role = role(tokens, index, names);
            all.push(Lexeme { role, start: span.start, end: span.end, begins: index == 0 });
            at = span.end;
        }
    }
    comments(text, at, range.end, all);
}

/// Adds what is not blank between two tokens.
fn comments(text: &str, start: usize, end: usize, all: &mut Vec<Lexeme>) {
    let gap = text.get(start..end).unwrap_or("");
    let gap = gap.strip_prefix('\u{feff}').filter(|_| start == 0).unwrap_or(gap);
    let comment = gap.trim();
    if !comment.is_empty() {
        let start = end - gap.trim_start().len();
        all.push(Lexeme { role: Role::Comment, start, end: start + comment.len(), begins: false });
    }
}

/// What the token of an index is.
fn role(tokens: &[Token], index: usize, names: &Interner) -> Role {
    let colon = |at: usize| tokens.get(at).is_some_and(|token| token.is(Mark::Colon));
    let first = index == 0 || (1..=2).contains(&index) && colon(index - 1);
    match tokens[index].kind {
        Kind::Name(_) | Kind::Cheap(_) if index == 0 && colon(1) => Role::Label,
        Kind::Mark(Mark::Colon) if index == 0 => Role::Label,
        Kind::Name(name) if first && names.mnemonic(name).is_some() => Role::Mnemonic,
        Kind::Name(_) | Kind::Cheap(_) | Kind::Unnamed(_) => Role::Name,
        Kind::Directive(_) | Kind::Unknown(_) => Role::Directive,
        Kind::Register(_) => Role::Register,
        Kind::Number(_) | Kind::Character(_) => Role::Number,
        Kind::Text(_) => Role::Text,
        Kind::Prefix(_) | Kind::Mark(_) | Kind::Junk(_) | Kind::End => Role::Mark,
    }
}

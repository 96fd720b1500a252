//! Sources of lines: files, macros, repetitions; and the words that `.define`s put into them.

use crate::lexer::{Dialect, Lexer};
use crate::token::{Interner, Kind, Mark, Name, Token};
use gpuzoo_diag::{FileId, Span};
use hashbrown::HashMap;
use std::rc::Rc;

/// The most files and the most expansions that may be under way.
pub(crate) const MAX_FILES: usize = 32;
pub(crate) const MAX_EXPANSIONS: usize = 128;
/// The most lines altogether.
pub(crate) const MAX_LINES: usize = 4_000_000;
/// The most tokens altogether, and of a block that is stored.
pub(crate) const MAX_ALL_TOKENS: usize = 1 << 26;
pub(crate) const MAX_BODY_TOKENS: usize = 1 << 22;
/// The most local names of all expansions.
pub(crate) const MAX_LOCALS: usize = 1 << 20;
/// The most bytes of files, each time they are read.
pub(crate) const MAX_TEXT: usize = 1 << 30;
/// The most tokens of a line.
pub(crate) const MAX_TOKENS: usize = 1 << 16;

/// The most bytes of all names with their scopes.
pub(crate) const MAX_NAMES: usize = 1 << 26;

/// Lines of tokens, each with its end.
#[derive(Default)]
pub(crate) struct Body {
    pub tokens: Vec<Token>,
    /// One past each line's last token.
    pub ends: Vec<usize>,
}

impl Body {
    fn line(&self, index: usize) -> Option<&[Token]> {
        let end = *self.ends.get(index)?;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.tokens.get(start..end)
    }
}

/// A `.macro`.
pub(crate) struct Macro {
    pub parameters: Vec<Name>,
    pub locals: Vec<Name>,
    pub body: Body,
    /// The name's place.
    pub span: Span,
}

/// A `.define`.
pub(crate) struct Define {
    pub parameters: Vec<Name>,
    pub body: Vec<Token>,
    /// The name's place.
    pub span: Span,
}

/// An expansion that is under way, or was: for messages and for the source line of bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    /// The use.
    pub call: Span,
    /// The macro's name where it is defined; none for a repetition.
    pub definition: Option<Span>,
    /// The expansion around; 0 is none.
    pub parent: u32,
}

pub(crate) enum Origin {
    File { file: FileId, text: Rc<str>, at: usize },
    Macro { of: Rc<Macro>, line: usize, arguments: Vec<Vec<Token>>, locals: HashMap<Name, Name> },
    Repeat { body: Rc<Body>, line: usize, round: i64, rounds: i64, variable: Option<Name> },
}

/// A source of lines.
pub(crate) struct Frame {
    pub origin: Origin,
    pub context: u32,
    /// Conditions that were open when it began.
    pub conditions: usize,
}

impl Frame {
    /// Adds the next line to `out`. False at the end.
    pub fn next_line(&mut self, names: &mut Interner, dialect: Dialect, out: &mut Vec<Token>) -> bool {
        match &mut self.origin {
            Origin::File { file, text, at } => {
                let mut lexer = Lexer { text, at: *at, file: *file, dialect, names };
                let more = lexer.line(out);
                *at = lexer.at;
                more
            }
            Origin::Macro { of, line, arguments, locals } => {
                let Some(tokens) = of.body.line(*line) else { return false };
                *line += 1;
                let start = out.len();
                for token in tokens {
                    // Arguments may double from call to call; the caller reports that the line is too long.
                    if out.len() - start > MAX_TOKENS {
                        break;
                    }
                    match token.kind {
                        Kind::Name(name) => {
                            if let Some(index) = of.parameters.iter().position(|&other| other == name) {
                                out.extend_from_slice(arguments.get(index).map_or(&[], Vec::as_slice));
                            } else if let Some(new) = locals.get(&name) {
                                out.push(Token { kind: Kind::Name(*new), ..*token });
                            } else {
                                out.push(*token);
                            }
                        }
                        Kind::Cheap(name) => {
                            let kind = Kind::Cheap(locals.get(&name).copied().unwrap_or(name));
                            out.push(Token { kind, ..*token });
                        }
                        _ => out.push(*token),
                    }
                }
                true
            }
            Origin::Repeat { body, line, round, rounds, variable } => loop {
                if *round >= *rounds {
                    return false;
                }
                if let Some(tokens) = body.line(*line) {
                    *line += 1;
                    let number = Kind::Number(*round);
                    out.extend(tokens.iter().map(|token| match token.kind {
                        Kind::Name(name) if Some(name) == *variable => Token { kind: number, ..*token },
                        _ => *token,
                    }));
                    return true;
                }
                *line = 0;
                *round += 1;
                if body.ends.is_empty() {
                    return false;
                }
            },
        }
    }
}

/// The tokens up to a comma or the end, or those between braces; and where they end.
pub(crate) fn argument(line: &[Token], at: usize) -> (&[Token], usize) {
    let rest = line.get(at..).unwrap_or(&[]);
    if rest.first().is_some_and(|token| token.is(Mark::OpenBrace)) {
        let mut depth = 0usize;
        for (index, token) in rest.iter().enumerate() {
            match token.kind {
                Kind::Mark(Mark::OpenBrace) => depth += 1,
                Kind::Mark(Mark::CloseBrace) => {
                    depth -= 1;
                    if depth == 0 {
                        return (&rest[1..index], at + index + 1);
                    }
                }
                Kind::End => return (&rest[1..index], at + index),
                _ => {}
            }
        }
    }
    let is_end = |token: &Token| token.is(Mark::Comma) || token.kind == Kind::End;
    let length = rest.iter().position(is_end).unwrap_or(rest.len());
    (&rest[..length], at + length)
}

//! From tokens to a tree.
//!
//! Everything is read, whether or not the entry point uses it; what names mean is found later, but for names of types, which
//! tell declarations and casts from expressions.

mod declarations;
mod expressions;
mod statements;

use super::codes::{LIMIT, SYNTAX};
use super::lexer::{Kind, Token};
use super::preprocess::{MAX_PROBLEMS, unexpected};
use super::tree::{Name, Typedef, Unit};
use super::types;
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_isa::Failed;
use rustc_hash::FxHashSet as HashSet;
use std::rc::Rc;

/// How deep expressions and statements may be nested.
pub const MAX_NESTED: usize = 96;

/// Reads tokens; behind them, the source ends at `end`.
pub fn parse(tokens: Vec<Token>, end: Span, problems: &mut Vec<Diagnostic>) -> Unit {
    let kind = Kind::End;
    let end = Token { kind, text: "".into(), span: end, is_first: true, is_apart: true, hidden: None };
    let mut parser = Parser {
        tokens,
        end,
        at: 0,
        problems,
        types: HashSet::default(),
        aliases: Vec::new(),
        depth: 0,
        made: 0,
        unit: Unit::default(),
    };
    while parser.peek().kind != Kind::End && parser.problems.len() < MAX_PROBLEMS {
        let start = parser.at;
        parser.depth = 0;
        if parser.global().is_err() {
            parser.skip_declaration();
            // A token that begins nothing is left behind.
            parser.at = parser.at.max(start + 1);
        }
    }
    parser.unit
}

struct Parser<'a> {
    tokens: Vec<Token>,
    end: Token,
    at: usize,
    problems: &'a mut Vec<Diagnostic>,
    /// Names of structs and other declared types.
    types: HashSet<Rc<str>>,
    /// What the blocks around call types, the innermost last.
    aliases: Vec<Typedef>,
    /// How deep what is read is nested.
    depth: usize,
    /// How many structs without a name there are.
    made: usize,
    unit: Unit,
}

impl Parser<'_> {
    fn fail<T>(&mut self, problem: Diagnostic) -> Result<T, Failed> {
        self.problems.push(problem);
        Err(Failed)
    }

    /// Fails at the next token.
    fn expected<T>(&mut self, expected: &str) -> Result<T, Failed> {
        let problem = unexpected(self.peek(), expected);
        self.fail(problem)
    }

    /// Fails where a semicolon is missing: behind the line that it ends, if the next token is in another one.
    fn unfinished<T>(&mut self) -> Result<T, Failed> {
        let last = self.last();
        if !self.peek().is_first || self.peek().span.file != last.file {
            return self.expected("`;`");
        }
        let behind = Span { start: last.end, ..last };
        self.fail(Diagnostic::error(&SYNTAX, "a `;` is missing").label(behind, "expected `;` here"))
    }

    fn peek(&self) -> &Token {
        self.ahead(0)
    }

    fn ahead(&self, count: usize) -> &Token {
        self.tokens.get(self.at + count).unwrap_or(&self.end)
    }

    fn take(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    /// The place of the token that was taken last.
    fn last(&self) -> Span {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(self.end.span, |token| token.span)
    }

    /// From a place to the token that was taken last.
    fn since(&self, start: Span) -> Span {
        joined(start, self.last())
    }

    fn takes(&mut self, text: &str) -> bool {
        let is_next = self.peek().is(text);
        if is_next {
            self.at += 1;
        }
        is_next
    }

    fn wants(&mut self, text: &str) -> Result<Span, Failed> {
        match text {
            _ if self.takes(text) => Ok(self.last()),
            ";" => self.unfinished(),
            _ => self.expected(&format!("`{text}`")),
        }
    }

    fn name(&mut self, what: &str) -> Result<Name, Failed> {
        if self.peek().kind != Kind::Word {
            return self.expected(what);
        }
        let Token { text, span, .. } = self.take();
        Ok(Name { text, span })
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Failed>) -> Result<T, Failed> {
        if self.depth >= MAX_NESTED {
            let problem = too_deep(self.peek().span);
            return self.fail(problem);
        }
        self.depth += 1;
        let done = read(self);
        self.depth -= 1;
        done
    }

    /// True if this token begins a type.
    fn is_type(&self, token: &Token) -> bool {
        token.kind == Kind::Word && (types::named(&token.text).is_some() || self.types.contains(&token.text))
    }

    /// Behind a mistake: skips up to the end of a declaration.
    fn skip_declaration(&mut self) {
        let mut depth = 0_usize;
        loop {
            let token = self.take();
            match &*token.text {
                _ if token.kind == Kind::End => return,
                "{" => depth += 1,
                "}" if depth <= 1 => {
                    self.takes(";");
                    return;
                }
                "}" => depth -= 1,
                ";" if depth == 0 => return,
                _ => {}
            }
        }
    }

    /// Behind a mistake: skips up to the end of a statement.
    fn skip_statement(&mut self) {
        let mut depth = 0_usize;
        loop {
            match &*self.peek().text {
                _ if self.peek().kind == Kind::End => return,
                "}" if depth == 0 => return,
                "{" => depth += 1,
                "}" => depth -= 1,
                ";" if depth == 0 => {
                    self.at += 1;
                    return;
                }
                _ => {}
            }
            self.at += 1;
        }
    }
}

/// The problem of what is nested too deep.
pub fn too_deep(span: Span) -> Diagnostic {
    let message = format!("expressions or statements are nested more than {MAX_NESTED} deep");
    Diagnostic::error(&LIMIT, message).at(span).help("give parts of it names: variables or functions")
}

/// From one place to another, if both are in one file; else the first one.
pub fn joined(from: Span, to: Span) -> Span {
    if from.file == to.file { from.to(to) } else { from }
}

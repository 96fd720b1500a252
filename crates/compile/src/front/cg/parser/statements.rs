//! Statements.

use super::Parser;
use crate::front::cg::codes::{SYNTAX, UNSUPPORTED};
use crate::front::cg::lexer::Kind;
use crate::front::cg::preprocess::MAX_PROBLEMS;
use crate::front::cg::tree;
use crate::front::cg::tree::{Case, Stmt, StmtKind};
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_isa::Failed;

impl Parser<'_> {
    /// Statements up to a `}`, which is taken. What cannot be read is reported and left out.
    pub(super) fn block(&mut self) -> Result<Vec<Stmt>, Failed> {
        let outside = self.aliases.len();
        let statements = self.statements();
        self.aliases.truncate(outside);
        statements
    }

    fn statements(&mut self) -> Result<Vec<Stmt>, Failed> {
        let mut statements = Vec::new();
        while !self.takes("}") {
            if self.peek().kind == Kind::End {
                return self.expected("`}`");
            }
            let (start, depth) = (self.at, self.depth);
            match self.statement() {
                Ok(statement) => statements.extend(statement),
                Err(Failed) if self.problems.len() >= MAX_PROBLEMS => return Err(Failed),
                Err(Failed) => {
                    self.depth = depth;
                    self.skip_statement();
                    if self.at == start {
                        return Err(Failed);
                    }
                }
            }
        }
        Ok(statements)
    }

    /// A statement; nothing for a semicolon alone.
    fn statement(&mut self) -> Result<Option<Stmt>, Failed> {
        if self.takes(";") {
            return Ok(None);
        }
        let start = self.peek().span;
        let kind = self.nested(|parser| parser.statement_kind(start))?;
        Ok(Some(Stmt { kind, span: self.since(start) }))
    }

    /// A statement where one has to be.
    fn body(&mut self) -> Result<Box<Stmt>, Failed> {
        let start = self.peek().span;
        let nothing = Stmt { kind: StmtKind::Block(Vec::new()), span: start };
        Ok(Box::new(self.statement()?.unwrap_or(nothing)))
    }

    fn statement_kind(&mut self, start: Span) -> Result<StmtKind, Failed> {
        if self.peek().kind == Kind::Mark {
            if self.takes("{") {
                return self.block().map(StmtKind::Block);
            }
            return self.expression_statement();
        }
        match &*self.peek().text {
            "if" => {
                self.take();
                let condition = self.parenthesized()?;
                let accept = self.body()?;
                let reject = if self.takes("else") { Some(self.body()?) } else { None };
                Ok(StmtKind::If(condition, accept, reject))
            }
            "for" => {
                self.take();
                self.wants("(")?;
                let init = match self.peek().is(";") {
                    true => {
                        self.take();
                        None
                    }
                    false => self.statement()?.map(Box::new),
                };
                let condition = if self.peek().is(";") { None } else { Some(self.expression()?) };
                self.wants(";")?;
                let step = if self.peek().is(")") { None } else { Some(self.expression()?) };
                self.wants(")")?;
                Ok(StmtKind::Loop { init, condition, step, body: self.body()? })
            }
            "while" => {
                self.take();
                let condition = Some(self.parenthesized()?);
                Ok(StmtKind::Loop { init: None, condition, step: None, body: self.body()? })
            }
            "do" => {
                self.take();
                let body = self.body()?;
                self.wants("while")?;
                let condition = self.parenthesized()?;
                self.wants(";")?;
                Ok(StmtKind::DoWhile(body, condition))
            }
            "switch" => {
                self.take();
                let on = self.parenthesized()?;
                self.wants("{")?;
                let mut cases = Vec::new();
                while !self.takes("}") {
                    cases.push(self.case()?);
                }
                Ok(StmtKind::Switch(on, cases))
            }
            "break" => self.word_statement(StmtKind::Break),
            "continue" => self.word_statement(StmtKind::Continue),
            "discard" => self.word_statement(StmtKind::Discard),
            "return" => {
                self.take();
                let value = if self.peek().is(";") { None } else { Some(self.expression()?) };
                self.wants(";")?;
                Ok(StmtKind::Return(value))
            }
            word @ ("case" | "default") => {
                let problem = Diagnostic::error(&SYNTAX, format!("`{word}` outside of a `switch`"));
                self.fail(
                    problem.at(start).help("labels stand in the braces of a `switch`, before its statements"),
                )
            }
            "typedef" => {
                let alias = self.typedef()?;
                self.aliases.push(alias);
                Ok(StmtKind::Block(Vec::new()))
            }
            word @ ("goto" | "asm" | "struct") => {
                let message = format!("`{word}` is not supported in functions");
                let help = match word {
                    "struct" => "declare the type outside of the function",
                    _ => "write a chain of `if` and `else`",
                };
                self.fail(Diagnostic::error(&UNSUPPORTED, message).at(start).help(help))
            }
            _ if self.is_declaration() => {
                let qualifiers = self.qualifiers()?;
                let ty = self.type_name()?;
                let name = self.name("a variable's name")?;
                self.variables(qualifiers, ty, name).map(StmtKind::Declare)
            }
            _ => self.expression_statement(),
        }
    }

    /// Labels of a `switch`, and the statements behind them.
    fn case(&mut self) -> Result<Case, Failed> {
        let is_label = |parser: &Self| parser.peek().is("case") || parser.peek().is("default");
        let (mut labels, mut body) = (Vec::new(), Vec::new());
        while is_label(self) {
            let start = self.peek().span;
            let value = if self.takes("default") {
                None
            } else {
                self.take();
                Some(self.expression()?)
            };
            self.wants(":")?;
            labels.push((value, self.since(start)));
        }
        if labels.is_empty() {
            return self.expected("`case`, `default` or `}`");
        }
        while !is_label(self) && !self.peek().is("}") {
            if self.peek().kind == Kind::End {
                return self.expected("`}`");
            }
            body.extend(self.statement()?);
        }
        Ok(Case { labels, body })
    }

    /// True if a declaration begins here: qualifiers, or two words, the first of which names a type.
    fn is_declaration(&self) -> bool {
        let [first, second] = [self.peek(), self.ahead(1)];
        let is_qualifier = matches!(&*first.text, "const" | "static" | "uniform" | "varying");
        is_qualifier || (first.kind == Kind::Word && second.kind == Kind::Word)
    }

    fn word_statement(&mut self, kind: StmtKind) -> Result<StmtKind, Failed> {
        self.take();
        self.wants(";")?;
        Ok(kind)
    }

    fn expression_statement(&mut self) -> Result<StmtKind, Failed> {
        let expression = self.expression()?;
        self.wants(";")?;
        Ok(StmtKind::Expr(expression))
    }

    fn parenthesized(&mut self) -> Result<tree::Expr, Failed> {
        self.wants("(")?;
        let condition = self.expression()?;
        self.wants(")")?;
        Ok(condition)
    }
}

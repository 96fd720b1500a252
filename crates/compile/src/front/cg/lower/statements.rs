//! Statements.

use super::constants;
use super::values::{Place, Value};
use super::writer::{Inside, Item, Writer};
use crate::front::cg::codes::{SYNTAX, TYPE, UNSUPPORTED};
use crate::front::cg::tree::{Expr, Stmt, StmtKind, TypeName, Variable};
use crate::front::cg::types::{Base, Type};
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_isa::Failed;
use naga::{Block, Expression, Statement, UnaryOperator};

impl Writer<'_, '_> {
    /// Statements one after the other; what is wrong with one is reported, and the next one is tried.
    pub fn statements(&mut self, all: &[Stmt]) {
        for statement in all {
            // What is wrong has been reported.
            let _ = self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) -> Result<(), Failed> {
        self.nested(statement.span, |writer| writer.statement_here(statement))
    }

    fn statement_here(&mut self, statement: &Stmt) -> Result<(), Failed> {
        let span = statement.span;
        match &statement.kind {
            StmtKind::Declare(variables) => {
                let failed = variables.iter().filter(|variable| self.declaration(variable).is_err()).count();
                if failed == 0 { Ok(()) } else { Err(Failed) }
            }
            StmtKind::Expr(expression) => self.effect(expression),
            StmtKind::If(condition, accept, reject) => {
                let condition = self.condition(condition);
                let (accept, never) = self.inner(|writer| writer.statement(accept));
                let (reject, nor) = match reject {
                    Some(reject) => self.inner(|writer| writer.statement(reject)),
                    None => (Block::new(), false),
                };
                let condition = condition?.expr;
                self.push(Statement::If { condition, accept, reject }, span);
                if never && nor {
                    self.kill();
                }
                Ok(())
            }
            StmtKind::Loop { init, condition, step, body } => {
                self.scopes.push(Default::default());
                if let Some(init) = init {
                    // What is wrong has been reported.
                    let _ = self.statement(init);
                }
                let done = self.turns(condition.as_ref(), step.as_ref(), body, span);
                // As in the C of its time, what a loop declares is there behind it, until it is declared again.
                for (name, item) in self.scopes.pop().unwrap_or_default() {
                    let is_free = !self.is_declared(&name);
                    if let Some(scope) = self.scopes.last_mut().filter(|_| is_free) {
                        scope.insert(name, Item { is_left: true, ..item });
                    }
                }
                done
            }
            StmtKind::DoWhile(body, condition) => {
                self.inside.push(Inside::Loop);
                let (body, _) = self.inner(|writer| writer.statement(body));
                self.inside.pop();
                self.open();
                let again = self.condition(condition);
                let done = again.map(|again| {
                    let not = Expression::Unary { op: UnaryOperator::LogicalNot, expr: again.expr };
                    self.emit(not, condition.span)
                });
                let (continuing, _) = self.close();
                self.push(Statement::Loop { body, continuing, break_if: Some(done?) }, span);
                Ok(())
            }
            StmtKind::Switch(on, cases) => self.switch(on, cases, span),
            StmtKind::Break => self.leave(Statement::Break, "break", span),
            StmtKind::Continue => self.leave(Statement::Continue, "continue", span),
            StmtKind::Return(value) => self.returned(value.as_ref(), span),
            StmtKind::Discard => {
                let problem = Diagnostic::error(&UNSUPPORTED, "`discard` is for fragment programs").at(span);
                self.fail(problem.help("a vertex program moves what is not to be seen out of the picture"))
            }
            StmtKind::Block(all) => {
                self.scopes.push(Default::default());
                self.statements(all);
                self.scopes.pop();
                Ok(())
            }
        }
    }

    /// A block of its own, with its own names, and whether its end is never reached. What is wrong has been reported.
    pub(super) fn inner(&mut self, write: impl FnOnce(&mut Self) -> Result<(), Failed>) -> (Block, bool) {
        self.open();
        self.scopes.push(Default::default());
        let _ = write(self);
        self.scopes.pop();
        self.close()
    }

    /// `for` and `while`.
    fn turns(
        &mut self,
        condition: Option<&Expr>,
        step: Option<&Expr>,
        body: &Stmt,
        span: Span,
    ) -> Result<(), Failed> {
        self.open();
        let asked = condition.map(|condition| (self.condition(condition), condition.span));
        let is_failed = matches!(asked, Some((Err(Failed), _)));
        if let Some((Ok(asked), place)) = asked {
            self.open();
            self.push(Statement::Break, place);
            let (reject, _) = self.close();
            self.push(Statement::If { condition: asked.expr, accept: Block::new(), reject }, place);
        }
        self.inside.push(Inside::Loop);
        let (inside, _) = self.inner(|writer| writer.statement(body));
        self.inside.pop();
        self.push(Statement::Block(inside), body.span);
        let (body, _) = self.close();
        self.open();
        let stepped = step.map_or(Ok(()), |step| self.effect(step));
        let (continuing, _) = self.close();
        self.push(Statement::Loop { body, continuing, break_if: None }, span);
        if is_failed { Err(Failed) } else { stepped }
    }

    fn leave(&mut self, statement: Statement, word: &str, span: Span) -> Result<(), Failed> {
        let is_left = match (&statement, self.inside.last_mut()) {
            (Statement::Break, Some(Inside::Switch(left))) => {
                *left = true;
                true
            }
            _ => self.inside.contains(&Inside::Loop),
        };
        if !is_left {
            let problem = Diagnostic::error(&SYNTAX, format!("`{word}` outside of a loop")).at(span);
            return self.fail(problem.help("`return` ends a function"));
        }
        self.push(statement, span);
        self.kill();
        Ok(())
    }

    fn returned(&mut self, value: Option<&Expr>, span: Span) -> Result<(), Failed> {
        let result = self.result.clone();
        let value = match (value, &result) {
            (None, Type::Void) => None,
            (Some(value), Type::Void) => {
                let problem = Diagnostic::error(&TYPE, "a `void` function gives no value");
                let problem = problem.label(value.span, "expected `;`");
                return self.fail(problem.help("give the function a type, or leave the value out"));
            }
            (None, wanted) => {
                let problem = Diagnostic::error(&TYPE, "the function gives a value");
                let problem = problem.label(span, format!("expected a `{wanted}`"));
                return self.fail(problem.help("write the value behind `return`"));
            }
            (Some(value), wanted) => Some(self.initial(wanted, value)?.expr),
        };
        self.push(Statement::Return { value }, span);
        self.kill();
        Ok(())
    }

    /// A variable, with its first value.
    fn declaration(&mut self, of: &Variable) -> Result<(), Failed> {
        let span = of.name.span;
        if of.qualifiers.is_static && !of.qualifiers.is_const {
            let problem =
                Diagnostic::error(&UNSUPPORTED, "variables that outlive their function are not supported");
            return self.fail(problem.at(span).help("declare it outside of the function"));
        }
        if of.qualifiers.is_uniform {
            let problem = Diagnostic::error(&UNSUPPORTED, "uniforms are not declared in functions").at(span);
            return self.fail(problem.help("make it a parameter of the entry point"));
        }
        let ty = self.declared_type(of)?;
        let place = if matches!(ty, Type::Opaque(_)) {
            return self.fail(super::texture(&ty.to_string(), span));
        } else {
            self.local(Some(&of.name.text), &ty, span)?
        };
        let value = of.init.as_ref().map(|init| self.initial(&ty, init));
        let (is_const, is_int) =
            (of.qualifiers.is_const, ty.numeric().is_some_and(|numeric| numeric.base == Base::Int));
        let known = of.init.as_ref().filter(|_| is_const && is_int);
        let constant = known.and_then(|init| constants::integer(init, &|name| self.constant(name)));
        if let (Some(Ok(value)), Some(init)) = (&value, &of.init) {
            self.store(&place, value, init.span);
        }
        let fixed = is_const.then_some("a constant");
        self.declare(
            &of.name,
            Item { place: Some(Place { fixed, ..place }), constant, is_left: false, span },
        )?;
        value.transpose().map(|_: Option<Value>| ())
    }

    /// The type of a variable, whose array may take its size from its list.
    fn declared_type(&mut self, of: &Variable) -> Result<Type, Failed> {
        let count = of.init.as_ref().and_then(|init| init.count());
        if let ([None, inner @ ..], Some(count)) = (of.ty.sizes.as_slice(), count) {
            let inner = self.resolve(&TypeName { name: of.ty.name.clone(), sizes: inner.to_vec() })?;
            let count = u32::try_from(count).unwrap_or(0).max(1);
            return self.lowering.array(inner, count, of.name.span);
        }
        self.resolve(&of.ty)
    }
}

//! Expressions.

use super::values::{Operand, Place, Value};
use super::writer::{Item, Writer};
use crate::front::cg::codes::{SYNTAX, TYPE};
use crate::front::cg::tree::{Expr, ExprKind, Name, TypeName};
use crate::front::cg::types::{BOOL, INT};
use crate::front::cg::{tree, types};
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_isa::Failed;
use naga::{Expression, Literal};

impl Writer<'_, '_> {
    /// The value of an expression.
    pub fn value(&mut self, expression: &Expr) -> Result<Value, Failed> {
        let operand = self.operand(expression)?;
        Ok(self.loaded(operand, expression.span))
    }

    /// An expression for what it changes.
    pub fn effect(&mut self, expression: &Expr) -> Result<(), Failed> {
        match &expression.kind {
            ExprKind::Call(name, arguments) => {
                self.nested(expression.span, |writer| writer.call(name, arguments, expression.span)).map(drop)
            }
            ExprKind::Comma(first, last) => self.nested(expression.span, |writer| {
                writer.effect(first)?;
                writer.effect(last)
            }),
            _ => self.operand(expression).map(drop),
        }
    }

    /// An expression, as the place that it names if it names one.
    pub fn operand(&mut self, expression: &Expr) -> Result<Operand, Failed> {
        self.nested(expression.span, |writer| writer.operand_here(expression))
    }

    fn operand_here(&mut self, expression: &Expr) -> Result<Operand, Failed> {
        let span = expression.span;
        match &expression.kind {
            ExprKind::Float(value) => Ok(Operand::Value(self.float(*value, span))),
            ExprKind::Int(value) => {
                let expr = self.emit(Expression::Literal(Literal::I32(*value)), span);
                Ok(Operand::Value(Value::new(expr, INT)))
            }
            ExprKind::Bool(value) => {
                let expr = self.emit(Expression::Literal(Literal::Bool(*value)), span);
                Ok(Operand::Value(Value::new(expr, BOOL)))
            }
            ExprKind::Name(name) => self.named(&Name { text: name.clone(), span }).map(Operand::Place),
            ExprKind::Member(of, name) => {
                let of = self.operand(of)?;
                self.member(of, name, span)
            }
            ExprKind::Index(of, index) => {
                let of = self.operand(of)?;
                self.indexed(of, index, span)
            }
            ExprKind::Call(name, arguments) => match self.call(name, arguments, span)? {
                Some(value) => Ok(Operand::Value(value)),
                None => {
                    let problem = Diagnostic::error(&TYPE, format!("`{}` gives no value", name.text));
                    let problem = problem.label(span, "used as a value");
                    self.fail(problem.help("it is `void`: its `out` parameters have what it computes"))
                }
            },
            ExprKind::Construct(ty, arguments) => {
                let ty = match (ty.sizes.as_slice(), expression.count()) {
                    ([None, inner @ ..], Some(count)) => {
                        let inner =
                            self.resolve(&TypeName { name: ty.name.clone(), sizes: inner.to_vec() })?;
                        self.lowering.array(inner, u32::try_from(count).unwrap_or(0).max(1), span)?
                    }
                    _ => self.resolve(ty)?,
                };
                self.constructed(&ty, arguments, span).map(Operand::Value)
            }
            ExprKind::Cast(ty, value) => {
                let ty = self.resolve(ty)?;
                if ty.numeric().is_none() && matches!(value.kind, ExprKind::Int(0)) {
                    return self.zero(&ty, span).map(Operand::Value);
                }
                let from = self.value(value)?;
                self.converted(&from, &ty, true, span).map(Operand::Value)
            }
            ExprKind::Unary(operator, of) => self.unary(*operator, of, span).map(Operand::Value),
            ExprKind::Step { target, by, after } => self.step(target, *by, *after, span),
            ExprKind::Binary(operator, left, right) => {
                let left = (self.value(left)?, left.span);
                let right = (self.value(right)?, right.span);
                self.binary(*operator, left, right, span).map(Operand::Value)
            }
            ExprKind::Assign(operator, target, value) => self.assigned(*operator, target, value, span),
            ExprKind::Select(parts) => self.choice(parts, span).map(Operand::Value),
            ExprKind::Comma(first, last) => {
                self.effect(first)?;
                self.operand(last)
            }
            ExprKind::List(_) => {
                let problem =
                    Diagnostic::error(&SYNTAX, "a list in braces is for the first value of a variable");
                let problem = problem.label(span, "expected an expression");
                self.fail(problem.help("write the type before it, as in `float4(…)`"))
            }
        }
    }

    /// The type that a name stands for here.
    pub fn resolve(&mut self, ty: &tree::TypeName) -> Result<types::Type, Failed> {
        let scopes = &self.scopes;
        let known = |name: &str| scopes.iter().rev().find_map(|scope| scope.get(name))?.constant;
        self.lowering.resolve(ty, &known)
    }

    /// The value of an integer that is known, by its name.
    pub fn constant(&self, name: &str) -> Option<i64> {
        match self.scopes.iter().rev().find_map(|scope| scope.get(name)) {
            Some(item) => item.constant,
            None => self.lowering.globals.get(name)?.constant,
        }
    }

    /// The place of a variable.
    fn named(&mut self, name: &Name) -> Result<Place, Failed> {
        let found = self.scopes.iter().rev().find_map(|scope| scope.get(&name.text));
        if let Some(Item { place, .. }) = found.cloned() {
            return match place {
                Some(place) => Ok(place),
                None => self.fail(super::texture(&name.text, name.span)),
            };
        }
        if let Some(global) = self.lowering.globals.get(&name.text).cloned() {
            return self.global_place(&global, name.span);
        }
        let mut known = Vec::new();
        if self.lowering.seeks() {
            known.extend(self.scopes.iter().flat_map(|scope| scope.keys().cloned()));
            known.extend(self.lowering.globals.keys().cloned());
        }
        self.lowering.unknown("variable", name, known)
    }

    /// True for a name that has a meaning.
    pub fn is_declared(&self, name: &str) -> bool {
        let is_there = self.scopes.iter().any(|scope| scope.get(name).is_some_and(|item| !item.is_left));
        is_there || self.lowering.globals.contains_key(name)
    }

    /// Gives a name a meaning in the innermost scope.
    pub fn declare(&mut self, name: &Name, item: Item) -> Result<(), Failed> {
        let other = self.scopes.last().and_then(|scope| scope.get(&name.text));
        let other = other.filter(|item| !item.is_left).map(|item| item.span);
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.text.clone(), item);
        }
        match other {
            Some(other) => self.fail(super::globals::twice(name, other)),
            None => Ok(()),
        }
    }

    /// The first value of a variable of a type.
    pub fn initial(&mut self, ty: &types::Type, init: &Expr) -> Result<Value, Failed> {
        if let ExprKind::List(values) = &init.kind {
            return self.listed(ty, values, init.span);
        }
        let value = self.value(init)?;
        self.converted(&value, ty, false, init.span)
    }

    /// Says that something is of no use here.
    pub fn mismatch<T>(
        &mut self,
        message: String,
        span: Span,
        label: String,
        help: &str,
    ) -> Result<T, Failed> {
        self.fail(Diagnostic::error(&TYPE, message).label(span, label).help(help))
    }
}

//! Calls: which function is meant, and what goes in and out.

use super::convert::fits;
use super::functions::{Parameter, Signature};
use super::values::{Operand, Value};
use super::writer::Writer;
use crate::front::cg::codes::{CALL, UNSUPPORTED};
use crate::front::cg::lower::{builtins, functions};
use crate::front::cg::tree::{Expr, Name};
use crate::front::cg::types::{Base, Type};
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_isa::Failed;
use naga::{Expression, Statement};
use std::rc::Rc;

impl Writer<'_, '_> {
    /// `name(arguments)`; no value of a `void` function.
    pub fn call(&mut self, name: &Name, arguments: &[Expr], span: Span) -> Result<Option<Value>, Failed> {
        let candidates = self.lowering.functions.get(&name.text).cloned().unwrap_or_default();
        if candidates.is_empty() {
            return self.library(name, arguments, span);
        }
        let mut operands = Vec::new();
        for argument in arguments {
            operands.push((self.operand(argument)?, argument.span));
        }
        let (at, signature) = self.chosen(name, &candidates, &operands, span)?;
        let function = self.lowering.function(at, span)?;
        let (mut passed, mut kept) = (Vec::new(), Vec::new());
        for ((operand, place), parameter) in operands.into_iter().zip(&signature.parameters) {
            if !parameter.is_out {
                let value = self.loaded(operand, place);
                passed.push(self.converted(&value, &parameter.ty, false, place)?.expr);
                continue;
            }
            let target = self.target(operand, place)?;
            let own = self.local(None, &parameter.ty, place)?;
            if parameter.is_in {
                let value = self.load(&target, place);
                let value = self.converted(&value, &parameter.ty, false, place)?;
                self.store(&own, &value, place);
            }
            passed.push(own.pointer);
            kept.push((own, target, place));
        }
        let result = match &signature.result {
            Type::Void => None,
            ty => Some(Value { expr: self.emit(Expression::CallResult(function), span), ty: ty.clone() }),
        };
        let result_expr = result.as_ref().map(|value| value.expr);
        self.push(Statement::Call { function, arguments: passed, result: result_expr }, span);
        for (own, target, place) in kept {
            let value = self.load(&own, place);
            let value = self.converted(&value, &target.ty, false, place)?;
            self.store(&target, &value, place);
        }
        Ok(result)
    }

    /// A function of the library.
    fn library(&mut self, name: &Name, arguments: &[Expr], span: Span) -> Result<Option<Value>, Failed> {
        if builtins::count(&name.text).is_some() {
            return self.builtin(name, arguments, span);
        }
        if name.text.starts_with("tex") {
            return self.fail(super::texture(&name.text, name.span));
        }
        if builtins::ABSENT.contains(&&*name.text) {
            let message = format!("`{}` is not for vertex programs of these machines", name.text);
            let problem = Diagnostic::error(&UNSUPPORTED, message).at(name.span);
            return self.fail(problem.help("compute it with arithmetic"));
        }
        let mut known: Vec<Rc<str>> = Vec::new();
        if self.lowering.seeks() {
            known.extend(builtins::names().map(Rc::from));
            known.extend(self.lowering.functions.keys().cloned());
        }
        self.lowering.unknown("function", name, known)
    }

    /// The function of a name to which arguments fit best.
    fn chosen(
        &mut self,
        name: &Name,
        candidates: &[usize],
        operands: &[(Operand, Span)],
        span: Span,
    ) -> Result<(usize, Rc<Signature>), Failed> {
        let mut best: Option<(u32, usize, Rc<Signature>)> = None;
        let mut same: Option<usize> = None;
        for at in candidates {
            let signature = self.lowering.signature(*at)?;
            let Some(cost) = cost(&signature, operands) else { continue };
            match &best {
                Some((least, ..)) if *least < cost => {}
                Some((least, other, known)) if *least == cost => {
                    let has_body = |at: usize| {
                        self.lowering.unit.functions.get(at).is_some_and(|function| function.body.is_some())
                    };
                    let is_twin = same_parameters(known, &signature);
                    match (has_body(*other), has_body(*at)) {
                        // A prototype, and what it is of.
                        (false, true) if is_twin => best = Some((cost, *at, signature)),
                        (_, false) if is_twin => {}
                        _ => same = Some(*at),
                    }
                }
                _ => {
                    best = Some((cost, *at, signature));
                    same = None;
                }
            }
        }
        let unit = self.lowering.unit;
        let declared = |at: usize| unit.functions.get(at).map(|function| function.name.span).unwrap_or(span);
        let found: Vec<String> = operands.iter().map(|(operand, _)| operand.ty().to_string()).collect();
        let Some((_, at, signature)) = best else {
            let message = format!("no `{}` takes ({})", name.text, found.join(", "));
            let mut problem = Diagnostic::error(&CALL, message).label(span, "these arguments");
            for at in candidates.iter().take(4) {
                problem = problem.label(declared(*at), "this one does not");
            }
            return self.fail(problem.help("give what its parameters ask for"));
        };
        if let Some(other) = same {
            let message = format!("`{}` of ({}) is not clear", name.text, found.join(", "));
            let problem = Diagnostic::error(&CALL, message).label(span, "which function is meant?");
            let problem =
                problem.label(declared(at), "this one fits").label(declared(other), "as this one does");
            return self.fail(problem.help("cast the arguments to the types of one"));
        }
        if unit.functions.get(at).is_none_or(|function| function.body.is_none()) {
            let problem = Diagnostic::error(&CALL, format!("`{}` has no body", name.text));
            let problem = problem.label(span, "called here").label(declared(at), "only declared here");
            return self.fail(problem.help("write what it does"));
        }
        Ok((at, signature))
    }
}

fn same_parameters(one: &Signature, other: &Signature) -> bool {
    let types = |signature: &Signature| -> Vec<Type> {
        signature.parameters.iter().map(|parameter| parameter.ty.clone()).collect()
    };
    types(one) == types(other)
}

/// How far arguments are from parameters; nothing if they do not fit.
fn cost(signature: &functions::Signature, operands: &[(Operand, Span)]) -> Option<u32> {
    if signature.parameters.len() != operands.len() {
        return None;
    }
    let costs = signature.parameters.iter().zip(operands).map(|(parameter, (operand, _))| {
        let Parameter { ty, is_in, is_out } = parameter;
        let into = if *is_in { distance(operand.ty(), ty)? } else { 0 };
        let back = if *is_out { distance(ty, operand.ty())? } else { 0 };
        Some(into + back)
    });
    costs.sum()
}

/// What it costs to turn one type into another.
fn distance(from: &Type, to: &Type) -> Option<u32> {
    if from == to {
        return Some(0);
    }
    let (from, to) = (from.numeric()?, to.numeric()?);
    if !fits(from.shape, to.shape) {
        return None;
    }
    let base = match (from.base, to.base) {
        (one, other) if one == other => 0,
        (Base::Bool, Base::Int) | (Base::Int, Base::Float) => 1,
        (one, other) if one < other => 2,
        _ => 3,
    };
    let shape = match (from.shape.count(), to.shape.count()) {
        (one, other) if one == other => 0,
        (one, other) if one < other => 4,
        _ => 16,
    };
    Some(base + shape)
}

//! Constructs of a program, by which faults are sorted.

use super::tree::{Argument, Binary, Expr, ExprKind, Program, Statement, Type};
use std::collections::BTreeSet;

impl Program {
    /// Names of the constructs that a program is made of, beyond assignments and sums.
    pub fn features(&self) -> Vec<&'static str> {
        let mut features = BTreeSet::new();
        let last = self.functions.len() - 1;
        for (number, function) in self.functions.iter().enumerate() {
            let is_called = number == last || self.functions.iter().any(|other| other.calls(number));
            if !is_called {
                continue;
            }
            for statement in &function.body {
                if let Statement::Eval(expr) = statement {
                    // The statement itself is no effect in an expression.
                    expr.parts()
                        .into_iter()
                        .for_each(|part| part.visit(&mut |expr| see(expr, &mut features)));
                    if matches!(expr.kind, ExprKind::Call(..)) {
                        see(expr, &mut features);
                    }
                }
            }
            function.visit(&mut |expr| see_shape(expr, &mut features), &mut |_| ());
            function.visit(&mut |_| (), &mut |statement| {
                let names: &[&str] = match statement {
                    Statement::Loop(_) => &["loop"],
                    Statement::Switch(_, cases) => {
                        if cases.iter().any(|case| case.falls) {
                            features.insert("fall-through");
                        }
                        let default = cases.iter().position(|case| case.labels.contains(&None));
                        if default.is_some_and(|at| at + 1 < cases.len()) {
                            features.insert("default not last");
                        }
                        &["switch"]
                    }
                    Statement::If(..) => &["if"],
                    Statement::Continue => &["continue"],
                    Statement::Break => &["break"],
                    Statement::Leave => &["leave"],
                    Statement::Return(_) => &["return"],
                    Statement::Eval(_) => &[],
                };
                features.extend(names);
                if let Statement::If(expr, ..) | Statement::Switch(expr, _) | Statement::Return(expr) =
                    statement
                {
                    expr.visit(&mut |expr| see(expr, &mut features));
                }
            });
            function.result.visit(&mut |expr| see(expr, &mut features));
        }
        features.into_iter().collect()
    }
}

/// Side effects and calls.
fn see(expr: &Expr, features: &mut BTreeSet<&'static str>) {
    match &expr.kind {
        ExprKind::Assign(..) | ExprKind::Step { .. } => drop(features.insert("side effect")),
        ExprKind::Call(_, arguments) => {
            features.insert("call");
            if arguments.iter().any(|argument| matches!(argument, Argument::Inout(_))) {
                features.insert("inout");
            }
        }
        _ => {}
    }
}

/// Types and operators of an expression.
fn see_shape(expr: &Expr, features: &mut BTreeSet<&'static str>) {
    if expr.is_partial() {
        features.insert("partial operation");
    }
    match expr.ty {
        Type::Matrix { .. } => drop(features.insert("matrix")),
        Type::Array(Type::Array(..), _) => drop(features.insert("array of arrays")),
        Type::Array(..) => drop(features.insert("array")),
        _ => {}
    }
    match &expr.kind {
        ExprKind::Binary(Binary::And | Binary::Or, _) => drop(features.insert("&& ||")),
        ExprKind::Choose(_) => drop(features.insert("?:")),
        _ => {}
    }
}

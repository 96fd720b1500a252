//! Smaller programs with the same fault.

use super::tree::{Expr, ExprKind, Function, Loop, Place, Program, Statement, Style};

/// Programs that are tried at most.
const MOST_TRIES: usize = 4000;

impl Program {
    /// The smallest program that was found for which a condition holds: without statements, and with smaller
    /// expressions.
    pub fn shrunk(&self, holds: &mut dyn FnMut(&Program) -> bool) -> Program {
        let mut tries = 0;
        let mut holds = |program: &Program| {
            tries += 1;
            tries <= MOST_TRIES && !program.has_partial_of_literal() && holds(program)
        };
        let mut program = self.clone();
        loop {
            let mut is_changed = false;
            for candidates in
                [Program::without_parts, Program::with_other_statement, Program::with_other_expr]
            {
                let mut at = 0;
                while let Some(candidates) = candidates(&program, at) {
                    match candidates.into_iter().find(|candidate| holds(candidate)) {
                        Some(candidate) => {
                            program = candidate;
                            is_changed = true;
                        }
                        None => at += 1,
                    }
                }
            }
            if !is_changed {
                return program;
            }
        }
    }

    /// True if an operation without a value for some operands is of a literal: that is another fault, or none.
    fn has_partial_of_literal(&self) -> bool {
        let mut has = false;
        for function in &self.functions {
            function.visit(&mut |expr| has |= expr.is_partial_of_literal(), &mut |_| ());
        }
        has
    }

    /// Programs without an unused function or variable, and with the plain style.
    fn without_parts(&self, at: usize) -> Option<Vec<Program>> {
        let mut candidates = Vec::new();
        if at == 0 {
            for style in [Style { swapped: false, ..self.style }, Style { phi: false, ..self.style }] {
                if style != self.style {
                    candidates.push(Program { style, ..self.clone() });
                }
            }
            return Some(candidates);
        }
        let function = at - 1;
        if function >= self.functions.len() {
            return None;
        }
        if function + 1 < self.functions.len() && !self.functions.iter().any(|other| other.calls(function)) {
            let mut program = self.clone();
            program.functions.remove(function);
            program.each_expr(&mut |expr, _| {
                if let ExprKind::Call(number, _) = &mut expr.kind
                    && *number > function
                {
                    *number -= 1;
                }
            });
            candidates.push(program);
        }
        let first = self.functions[function].parameters.len();
        for local in 0..self.functions[function].locals.len() {
            let mut program = self.clone();
            if !program.functions[function].uses(first + local) {
                program.functions[function].remove(first + local);
                candidates.push(program);
            }
        }
        Some(candidates)
    }

    /// Calls a function with all expressions, those that contain others first. The second argument is true for a
    /// statement.
    fn each_expr(&mut self, see: &mut dyn FnMut(&mut Expr, bool)) {
        self.functions.iter_mut().for_each(|function| function.each_expr(see));
    }

    /// Programs with something else in the place of a statement.
    fn with_other_statement(&self, at: usize) -> Option<Vec<Program>> {
        let mut statement = None;
        self.clone().at_statement(at, &mut |block, index| statement = Some(block[index].clone()));
        let candidates = others(&statement?).into_iter().map(|others| {
            let mut program = self.clone();
            program.at_statement(at, &mut |block, index| {
                block.splice(index..=index, others.clone());
            });
            program
        });
        Some(candidates.collect())
    }

    /// Calls a function with the block and the index of a statement, of those of all functions.
    fn at_statement(&mut self, at: usize, change: &mut dyn FnMut(&mut Vec<Statement>, usize)) {
        fn inside(
            block: &mut Vec<Statement>,
            left: &mut usize,
            change: &mut dyn FnMut(&mut Vec<Statement>, usize),
        ) -> bool {
            for index in 0..block.len() {
                if *left == 0 {
                    change(block, index);
                    return true;
                }
                *left -= 1;
                if block[index].blocks_mut().into_iter().any(|block| inside(block, left, change)) {
                    return true;
                }
            }
            false
        }
        let mut left = at;
        self.functions.iter_mut().any(|function| inside(&mut function.body, &mut left, change));
    }

    /// Programs with something smaller in the place of an expression.
    fn with_other_expr(&self, at: usize) -> Option<Vec<Program>> {
        let mut expr = None;
        let mut number = 0;
        self.clone().each_expr(&mut |here, is_statement| {
            if number == at {
                expr = Some((here.clone(), is_statement));
            }
            number += 1;
        });
        let (expr, is_statement) = expr?;
        let candidates = smaller(&expr, is_statement).into_iter().map(|other| {
            let mut program = self.clone();
            let mut number = 0;
            let mut other = Some(other);
            program.each_expr(&mut |here, _| {
                if number == at
                    && let Some(other) = other.take()
                {
                    *here = other;
                }
                number += 1;
            });
            program
        });
        Some(candidates.collect())
    }
}

impl Function {
    fn each_expr(&mut self, see: &mut dyn FnMut(&mut Expr, bool)) {
        for local in &mut self.locals {
            local.first.iter_mut().for_each(|first| each(first, false, see));
        }
        fn block(statements: &mut [Statement], see: &mut dyn FnMut(&mut Expr, bool)) {
            for statement in statements {
                let is_statement = matches!(statement, Statement::Eval(_));
                statement.exprs_mut().into_iter().for_each(|expr| each(expr, is_statement, see));
                statement.blocks_mut().into_iter().for_each(|inner| block(inner, see));
            }
        }
        block(&mut self.body, see);
        each(&mut self.result, false, see);
    }

    fn each_variable(&mut self, see: &mut dyn FnMut(&mut usize)) {
        self.each_expr(&mut |expr, _| match &mut expr.kind {
            ExprKind::Read(place) | ExprKind::Assign(place, ..) | ExprKind::Step { place, .. } => {
                see(&mut place.variable);
            }
            ExprKind::Call(_, arguments) => {
                for argument in arguments {
                    if let super::tree::Argument::Inout(Place { variable, .. }) = argument {
                        see(variable);
                    }
                }
            }
            _ => {}
        });
        fn counters(statements: &mut [Statement], see: &mut dyn FnMut(&mut usize)) {
            for statement in statements {
                if let Statement::Loop(inner) = statement {
                    see(&mut inner.counter);
                }
                statement.blocks_mut().into_iter().for_each(|inner| counters(inner, see));
            }
        }
        counters(&mut self.body, see);
    }

    fn uses(&mut self, variable: usize) -> bool {
        let mut is_used = false;
        self.each_variable(&mut |number| is_used |= *number == variable);
        is_used
    }

    /// Removes a variable that nothing uses.
    fn remove(&mut self, variable: usize) {
        self.locals.remove(variable - self.parameters.len());
        self.each_variable(&mut |number| *number -= usize::from(*number > variable));
    }
}

fn each(expr: &mut Expr, is_statement: bool, see: &mut dyn FnMut(&mut Expr, bool)) {
    see(expr, is_statement);
    expr.parts_mut().into_iter().for_each(|part| each(part, false, see));
}

/// Replacements of a statement.
fn others(statement: &Statement) -> Vec<Vec<Statement>> {
    let mut all = vec![Vec::new()];
    let mut push = |block: Vec<Statement>| all.push(block);
    match statement {
        Statement::If(condition, yes, no) => {
            push(yes.clone());
            if !no.is_empty() {
                push(no.clone());
                push(vec![Statement::If(condition.clone(), yes.clone(), Vec::new())]);
            }
        }
        Statement::Loop(inner) => {
            if !jumps(&inner.body) {
                push(inner.body.clone());
            }
            if inner.also.is_some() {
                push(vec![Statement::Loop(Box::new(Loop { also: None, ..(**inner).clone() }))]);
            }
            if (inner.end - inner.first).abs() > 1 {
                let end = inner.end - inner.step();
                push(vec![Statement::Loop(Box::new(Loop { end, ..(**inner).clone() }))]);
            }
        }
        Statement::Switch(selector, cases) => {
            for (at, case) in cases.iter().enumerate() {
                if !jumps(&case.body) {
                    push(case.body.clone());
                }
                let mut fewer = cases.clone();
                fewer.remove(at);
                if let Some(last) = fewer.last_mut() {
                    last.falls = false;
                    push(vec![Statement::Switch(selector.clone(), fewer)]);
                }
                if case.labels.len() > 1 {
                    let mut fewer = cases.clone();
                    fewer[at].labels.pop();
                    push(vec![Statement::Switch(selector.clone(), fewer)]);
                }
                if case.falls {
                    let mut other = cases.clone();
                    other[at].falls = false;
                    push(vec![Statement::Switch(selector.clone(), other)]);
                }
            }
        }
        _ => {}
    }
    all
}

/// True if a block may leave the loop or switch around it.
fn jumps(block: &[Statement]) -> bool {
    let mut jumps = false;
    for statement in block {
        statement.visit(&mut |_| (), &mut |inner| {
            jumps |= matches!(inner, Statement::Break | Statement::Continue | Statement::Leave);
        });
    }
    jumps
}

/// Expressions that are smaller. A statement stays something that has an effect.
fn smaller(expr: &Expr, is_statement: bool) -> Vec<Expr> {
    let mut all = Vec::new();
    if let ExprKind::Assign(place, Some(_), value) = &expr.kind
        && value.ty == place.ty
    {
        all.push(Expr::new(expr.ty, ExprKind::Assign(place.clone(), None, value.clone())));
    }
    if is_statement {
        return all;
    }
    let is_array = matches!(expr.ty, super::tree::Type::Array(..));
    if !matches!(expr.kind, ExprKind::Literal(_)) && !is_array {
        all.extend([0.0, 1.0].map(|value| Expr::literal(expr.ty, value)));
    }
    all.extend(expr.parts().into_iter().filter(|part| part.ty == expr.ty).cloned());
    all
}

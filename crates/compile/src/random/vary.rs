//! Ways to write a program that mean the same.

use super::{Expr, Program, Statement};

/// How a program is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// In WGSL, as it is.
    Plain,
    /// Statements that do not depend on each other have changed places.
    Reordered,
    /// The ways of an `if` and of a `select` have changed places, and the condition is negated.
    Swapped,
    /// Loops that nothing leaves are written out.
    Unrolled,
    /// Everything has another name.
    Renamed,
    /// The whole is a function that the entry point calls.
    Wrapped,
    /// In GLSL.
    Glsl,
}

impl Way {
    /// All ways but the plain one.
    pub const OTHERS: [Way; 6] =
        [Way::Reordered, Way::Swapped, Way::Unrolled, Way::Renamed, Way::Wrapped, Way::Glsl];
}

impl Program {
    /// The same with other statements, where a way asks for them.
    pub(super) fn varied(&self, way: Way) -> Program {
        let block = match way {
            Way::Reordered => reordered(&self.block),
            Way::Unrolled => unrolled(&self.block),
            _ => self.block.clone(),
        };
        Program { function: self.function.clone(), block }
    }
}

/// Exchanges neighbours wherever it makes no difference.
fn reordered(block: &[Statement]) -> Vec<Statement> {
    let inner = |statement: &Statement| match statement {
        Statement::If(a, b, yes, no) => Statement::If(a.clone(), b.clone(), reordered(yes), reordered(no)),
        Statement::For(turn, count, body) => Statement::For(*turn, *count, reordered(body)),
        other => other.clone(),
    };
    let mut block: Vec<Statement> = block.iter().map(inner).collect();
    for at in 1..block.len() {
        let [one, other] = [&block[at - 1], &block[at]].map(Effects::of);
        if one.are_apart(&other) {
            block.swap(at - 1, at);
        }
    }
    block
}

/// What a statement does to variables, a bit for each.
#[derive(Default)]
struct Effects {
    reads: u8,
    writes: u8,
    /// It may leave the block.
    leaves: bool,
}

impl Effects {
    fn of(statement: &Statement) -> Effects {
        let mut effects = Effects::default();
        effects.add(statement);
        effects
    }

    fn add(&mut self, statement: &Statement) {
        match statement {
            Statement::Set(number, value) | Statement::SetPart(number, _, value) => {
                self.writes |= 1 << number;
                self.read(value);
            }
            Statement::If(a, b, yes, no) => {
                [a, b].into_iter().for_each(|expr| self.read(expr));
                yes.iter().chain(no).for_each(|statement| self.add(statement));
            }
            Statement::For(_, _, body) => body.iter().for_each(|statement| self.add(statement)),
            Statement::BreakIf(..) | Statement::ContinueIf(..) | Statement::ReturnIf(..) => {
                self.leaves = true;
            }
        }
    }

    fn read(&mut self, expr: &Expr) {
        if let Expr::Variable(number) = expr {
            self.reads |= 1 << number;
        }
        expr.parts().into_iter().for_each(|part| self.read(part));
    }

    fn are_apart(&self, other: &Effects) -> bool {
        let touches = |one: &Effects, other: &Effects| one.writes & (other.reads | other.writes) != 0;
        !self.leaves && !other.leaves && !touches(self, other) && !touches(other, self)
    }
}

/// Writes out the loops that nothing leaves.
fn unrolled(block: &[Statement]) -> Vec<Statement> {
    let mut all = Vec::new();
    for statement in block {
        match statement {
            Statement::For(turn, count, body) if !jumps(body) => {
                for number in 0..*count {
                    let mut body = unrolled(body);
                    body.iter_mut().for_each(|statement| know(statement, *turn, number));
                    all.extend(body);
                }
            }
            Statement::For(turn, count, body) => all.push(Statement::For(*turn, *count, unrolled(body))),
            Statement::If(a, b, yes, no) => {
                all.push(Statement::If(a.clone(), b.clone(), unrolled(yes), unrolled(no)));
            }
            other => all.push(other.clone()),
        }
    }
    all
}

/// True if the loop around a block may be left or shortened in it.
fn jumps(block: &[Statement]) -> bool {
    block.iter().any(|statement| match statement {
        Statement::BreakIf(..) | Statement::ContinueIf(..) => true,
        Statement::If(_, _, yes, no) => jumps(yes) || jumps(no),
        _ => false,
    })
}

/// Puts the number of a turn where a statement asks for it.
fn know(statement: &mut Statement, turn: usize, number: u32) {
    fn inside(expr: &mut Expr, turn: usize, number: u32) {
        if matches!(expr, Expr::Turn(own) if *own == turn) {
            *expr = Expr::Known(number as f32);
        }
        expr.parts_mut().into_iter().for_each(|part| inside(part, turn, number));
    }
    let all = |exprs: &mut [&mut Expr]| exprs.iter_mut().for_each(|expr| inside(expr, turn, number));
    match statement {
        Statement::Set(_, value) | Statement::SetPart(_, _, value) => all(&mut [value]),
        Statement::BreakIf(a, b) | Statement::ContinueIf(a, b) => all(&mut [a, b]),
        Statement::ReturnIf(a, b, value) => all(&mut [a, b, value]),
        Statement::If(a, b, yes, no) => {
            all(&mut [a, b]);
            yes.iter_mut().chain(no).for_each(|statement| know(statement, turn, number));
        }
        Statement::For(_, _, body) => {
            body.iter_mut().for_each(|statement| know(statement, turn, number));
        }
    }
}

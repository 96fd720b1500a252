//! From a seed to a program.

use super::{Expr, One, Program, Statement, Two, VARIABLES};
use gpuzoo_isa::numbers;

const ONES: [One; 4] = [One::Minus, One::Abs, One::Floor, One::Saturate];
const TWOS: [Two; 5] = [Two::Plus, Two::Minus, Two::Times, Two::Min, Two::Max];

impl Program {
    /// The program of a seed.
    pub fn random(seed: u64) -> Program {
        let mut number = numbers(seed);
        let mut random = Random { number: &mut number, turns: 0, in_function: true, room: 12 };
        let function = random.expr(2);
        random.in_function = false;
        random.room = 40;
        Program { function, block: random.block(3, false) }
    }
}

struct Random<'n> {
    number: &'n mut dyn FnMut(u32) -> u32,
    turns: usize,
    in_function: bool,
    /// What is left to be written.
    room: usize,
}

impl Random<'_> {
    fn pick(&mut self, count: usize) -> usize {
        (self.number)(count as u32) as usize
    }

    fn expr(&mut self, depth: usize) -> Expr {
        let leaf = depth == 0 || self.room == 0;
        self.room = self.room.saturating_sub(1);
        let boxed = |random: &mut Self| Box::new(random.expr(depth.saturating_sub(1)));
        match self.pick(if leaf { 6 } else { 14 }) {
            0 => Expr::Known([0.0, 1.0, 0.5, 2.0, -1.0, 3.0][self.pick(6)]),
            1 => Expr::A,
            2 => Expr::B,
            3 => Expr::Uniform(self.pick(8)),
            4 if !self.in_function => Expr::Variable(self.pick(VARIABLES)),
            5 if self.turns > 0 => Expr::Turn(self.pick(self.turns)),
            6 | 7 => Expr::Unary(ONES[self.pick(ONES.len())], boxed(self)),
            8..=10 => Expr::Binary(TWOS[self.pick(TWOS.len())], boxed(self), boxed(self)),
            11 => Expr::Select(Box::new([*boxed(self), *boxed(self), *boxed(self), *boxed(self)])),
            12 => Expr::Swizzle(boxed(self), [0; 4].map(|_: u8| self.pick(4) as u8)),
            13 if !self.in_function => match self.pick(2) {
                0 => Expr::Call(boxed(self), boxed(self)),
                _ => Expr::Indexed(boxed(self)),
            },
            _ => Expr::A,
        }
    }

    fn block(&mut self, depth: usize, in_loop: bool) -> Vec<Statement> {
        (0..1 + self.pick(3)).map(|_| self.statement(depth, in_loop)).collect()
    }

    fn statement(&mut self, depth: usize, in_loop: bool) -> Statement {
        match self.pick(10) {
            0..=2 => Statement::Set(self.pick(VARIABLES), self.expr(3)),
            3 => Statement::SetPart(self.pick(VARIABLES), self.pick(4) as u8, self.expr(2)),
            4 | 5 if depth > 0 => {
                let (a, b) = (self.expr(1), self.expr(1));
                let (yes, no) = (self.block(depth - 1, in_loop), self.block(depth - 1, in_loop));
                Statement::If(a, b, yes, no)
            }
            6 if depth > 0 => {
                let turn = self.turns;
                self.turns += 1;
                let count = self.pick(4) as u32;
                let body = self.block(depth - 1, true);
                self.turns -= 1;
                Statement::For(turn, count, body)
            }
            7 if in_loop => Statement::BreakIf(self.expr(1), self.expr(1)),
            8 if in_loop => Statement::ContinueIf(self.expr(1), self.expr(1)),
            9 => Statement::ReturnIf(self.expr(1), self.expr(1), self.expr(2)),
            _ => Statement::Set(self.pick(VARIABLES), self.expr(2)),
        }
    }
}

//! What a program computes: an interpreter that shares nothing with the compiler.

use super::{Expr, One, Program, Statement, Two, V, VARIABLES};

impl Program {
    /// The result for two inputs and the uniforms.
    pub fn run(&self, a: V, b: V, uniforms: &[V; 8]) -> V {
        let variables = [a, b, [0.0; 4]];
        let mut run = Run { a, b, variables, turns: [0; 8], uniforms, function: &self.function };
        match block(&self.block, &mut run) {
            End::Return(value) => value,
            _ => {
                let [v0, v1, v2] = run.variables;
                std::array::from_fn(|at| v0[at] + v1[at] * v2[at])
            }
        }
    }
}

struct Run<'p> {
    a: V,
    b: V,
    variables: [V; VARIABLES],
    turns: [u32; 8],
    uniforms: &'p [V; 8],
    function: &'p Expr,
}

/// How a block ends.
enum End {
    Behind,
    Break,
    Continue,
    Return(V),
}

impl One {
    fn of(self, a: f32) -> f32 {
        match self {
            One::Minus => -a,
            One::Abs => a.abs(),
            One::Floor => a.floor(),
            One::Saturate => a.clamp(0.0, 1.0),
        }
    }
}

impl Two {
    fn of(self, a: f32, b: f32) -> f32 {
        match self {
            Two::Plus => a + b,
            Two::Minus => a - b,
            Two::Times => a * b,
            Two::Min => a.min(b),
            Two::Max => a.max(b),
        }
    }
}

impl Expr {
    fn run(&self, run: &Run) -> V {
        match self {
            Expr::Known(value) => [*value; 4],
            Expr::A => run.a,
            Expr::B => run.b,
            Expr::Uniform(number) => run.uniforms[*number],
            Expr::Indexed(index) => run.uniforms[index.run(run)[0].abs().min(7.0) as usize],
            Expr::Variable(number) => run.variables[*number],
            Expr::Turn(number) => [run.turns[*number] as f32; 4],
            Expr::Unary(op, a) => a.run(run).map(|a| op.of(a)),
            Expr::Binary(op, a, b) => {
                let (a, b) = (a.run(run), b.run(run));
                std::array::from_fn(|at| op.of(a[at], b[at]))
            }
            Expr::Select(all) => {
                let [a, b, c, d] = all.each_ref().map(|expr| expr.run(run));
                std::array::from_fn(|at| if a[at] < b[at] { c[at] } else { d[at] })
            }
            Expr::Swizzle(a, order) => {
                let a = a.run(run);
                order.map(|at| a[usize::from(at)])
            }
            Expr::Call(a, b) => {
                let (a, b) = (a.run(run), b.run(run));
                run.function.run(&Run { a, b, variables: [[0.0; 4]; VARIABLES], turns: [0; 8], ..*run })
            }
        }
    }
}

fn block(statements: &[Statement], run: &mut Run) -> End {
    for statement in statements {
        match statement {
            Statement::Set(number, value) => run.variables[*number] = value.run(run),
            Statement::SetPart(number, part, value) => {
                let part = usize::from(*part);
                run.variables[*number][part] = value.run(run)[part];
            }
            Statement::If(a, b, yes, no) => {
                let way = if a.run(run)[0] < b.run(run)[0] { yes } else { no };
                match block(way, run) {
                    End::Behind => {}
                    end => return end,
                }
            }
            Statement::For(turn, count, body) => {
                for number in 0..*count {
                    run.turns[*turn] = number;
                    match block(body, run) {
                        End::Behind | End::Continue => {}
                        End::Break => break,
                        end => return end,
                    }
                }
            }
            Statement::BreakIf(a, b) if a.run(run)[1] < b.run(run)[1] => return End::Break,
            Statement::ContinueIf(a, b) if a.run(run)[2] < b.run(run)[2] => return End::Continue,
            Statement::ReturnIf(a, b, value) if a.run(run)[3] < b.run(run)[3] => {
                return End::Return(value.run(run));
            }
            _ => {}
        }
    }
    End::Behind
}

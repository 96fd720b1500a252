//! Random programs, run by an interpreter of their own and as what they are walked into.
//!
//! `GPUZOO_PROGRAMS=100000 cargo test -p gpuzoo-compile --features sources --test front --release random` runs more of them.

use super::{A, B, U, shader};
use gpuzoo_compile::build;
use gpuzoo_compile::options::Options;
use gpuzoo_ir::{eval, vec4};
use gpuzoo_isa::numbers;
use gpuzoo_machine::ShaderUnit;
use std::fmt::Write;

/// How many are run if nothing else is said.
const USUAL: u64 = 100;

/// A vector of four; scalars are vectors of four equal numbers here.
type V = [f32; 4];

#[derive(Clone, Debug)]
enum Expr {
    Known(f32),
    A,
    B,
    Uniform(usize),
    /// The uniform at |x| rounded down, of 0 to 7.
    Indexed(Box<Expr>),
    Variable(usize),
    /// The number of a loop's turn.
    Turn(usize),
    Unary(&'static str, fn(f32) -> f32, Box<Expr>),
    Binary(&'static str, fn(f32, f32) -> f32, Box<Expr>, Box<Expr>),
    /// a < b ? c : d, component by component.
    Select(Box<[Expr; 4]>),
    Swizzle(Box<Expr>, [u8; 4]),
    Call(Box<Expr>, Box<Expr>),
}

#[derive(Clone, Debug)]
enum Statement {
    Set(usize, Expr),
    SetPart(usize, u8, Expr),
    If(Expr, Expr, Vec<Statement>, Vec<Statement>),
    For(usize, u32, Vec<Statement>),
    BreakIf(Expr, Expr),
    ContinueIf(Expr, Expr),
    ReturnIf(Expr, Expr, Expr),
}

/// A name, and what it computes.
type One = (&'static str, fn(f32) -> f32);
type Two = (&'static str, fn(f32, f32) -> f32);

const UNARY: [One; 4] =
    [("-", |a| -a), ("abs", f32::abs), ("floor", f32::floor), ("saturate", |a| a.clamp(0.0, 1.0))];
const BINARY: [Two; 5] =
    [("+", |a, b| a + b), ("-", |a, b| a - b), ("*", |a, b| a * b), ("min", f32::min), ("max", f32::max)];
const VARIABLES: usize = 3;

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
            6 | 7 => {
                let (name, f) = UNARY[self.pick(UNARY.len())];
                Expr::Unary(name, f, boxed(self))
            }
            8..=10 => {
                let (name, f) = BINARY[self.pick(BINARY.len())];
                Expr::Binary(name, f, boxed(self), boxed(self))
            }
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

impl Expr {
    fn text(&self) -> String {
        match self {
            Expr::Known(value) => format!("vec4f({value:?})"),
            Expr::A => "a".to_owned(),
            Expr::B => "b".to_owned(),
            Expr::Uniform(number) => format!("u[{number}]"),
            Expr::Indexed(index) => format!("u[u32(min(abs(({}).x), 7.0))]", index.text()),
            Expr::Variable(number) => format!("v{number}"),
            Expr::Turn(number) => format!("vec4f(f32(i{number}))"),
            Expr::Unary("-", _, a) => format!("(-{})", a.text()),
            Expr::Unary(name, _, a) => format!("{name}({})", a.text()),
            Expr::Binary(name @ ("min" | "max"), _, a, b) => format!("{name}({}, {})", a.text(), b.text()),
            Expr::Binary(name, _, a, b) => format!("({} {name} {})", a.text(), b.text()),
            Expr::Select(all) => {
                let [a, b, c, d] = &**all;
                format!("select({}, {}, {} < {})", d.text(), c.text(), a.text(), b.text())
            }
            Expr::Swizzle(a, order) => {
                let letters: String = order.iter().map(|at| char::from(b"xyzw"[usize::from(*at)])).collect();
                format!("({}).{letters}", a.text())
            }
            Expr::Call(a, b) => format!("call({}, {})", a.text(), b.text()),
        }
    }

    fn run(&self, run: &Run) -> V {
        match self {
            Expr::Known(value) => [*value; 4],
            Expr::A => run.a,
            Expr::B => run.b,
            Expr::Uniform(number) => U[*number],
            Expr::Indexed(index) => U[index.run(run)[0].abs().min(7.0) as usize],
            Expr::Variable(number) => run.variables[*number],
            Expr::Turn(number) => [run.turns[*number] as f32; 4],
            Expr::Unary(_, f, a) => a.run(run).map(f),
            Expr::Binary(_, f, a, b) => {
                let (a, b) = (a.run(run), b.run(run));
                std::array::from_fn(|at| f(a[at], b[at]))
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
                let inner =
                    Run { a, b, variables: [[0.0; 4]; VARIABLES], turns: [0; 8], function: run.function };
                inner.function.run(&inner)
            }
        }
    }
}

struct Run<'f> {
    a: V,
    b: V,
    variables: [V; VARIABLES],
    turns: [u32; 8],
    function: &'f Expr,
}

/// How a block ends.
enum End {
    Behind,
    Break,
    Continue,
    Return(V),
}

fn write(block: &[Statement], text: &mut String) {
    for statement in block {
        let _ = match statement {
            Statement::Set(number, value) => writeln!(text, "v{number} = {};", value.text()),
            Statement::SetPart(number, part, value) => {
                let letter = char::from(b"xyzw"[usize::from(*part)]);
                writeln!(text, "v{number}.{letter} = ({}).{letter};", value.text())
            }
            Statement::If(a, b, yes, no) => {
                let _ = writeln!(text, "if ({}).x < ({}).x {{", a.text(), b.text());
                write(yes, text);
                text.push_str("} else {\n");
                write(no, text);
                writeln!(text, "}}")
            }
            Statement::For(turn, count, body) => {
                let _ = writeln!(text, "for (var i{turn} = 0; i{turn} < {count}; i{turn}++) {{");
                write(body, text);
                writeln!(text, "}}")
            }
            Statement::BreakIf(a, b) => writeln!(text, "if ({}).y < ({}).y {{ break; }}", a.text(), b.text()),
            Statement::ContinueIf(a, b) => {
                writeln!(text, "if ({}).z < ({}).z {{ continue; }}", a.text(), b.text())
            }
            Statement::ReturnIf(a, b, value) => {
                writeln!(text, "if ({}).w < ({}).w {{ return {}; }}", a.text(), b.text(), value.text())
            }
        };
    }
}

fn walk(block: &[Statement], run: &mut Run) -> End {
    for statement in block {
        match statement {
            Statement::Set(number, value) => run.variables[*number] = value.run(run),
            Statement::SetPart(number, part, value) => {
                let part = usize::from(*part);
                run.variables[*number][part] = value.run(run)[part];
            }
            Statement::If(a, b, yes, no) => {
                let way = if a.run(run)[0] < b.run(run)[0] { yes } else { no };
                match walk(way, run) {
                    End::Behind => {}
                    end => return end,
                }
            }
            Statement::For(turn, count, body) => {
                for number in 0..*count {
                    run.turns[*turn] = number;
                    match walk(body, run) {
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

fn machines() -> [&'static dyn ShaderUnit; 4] {
    [&gpuzoo_nv2a::GPU, &gpuzoo_dreambox::GPU, &gpuzoo_servaru::GPU, &gpuzoo_picogpu::GPU]
}

#[test]
fn random_programs_do_what_they_say() {
    #[expect(clippy::disallowed_methods, reason = "more programs are asked for in this way")]
    let asked = std::env::var("GPUZOO_PROGRAMS").ok();
    let count = asked.and_then(|count| count.parse().ok()).unwrap_or(USUAL);
    let mut built = [0; 4];
    for seed in 0..count {
        let mut number = numbers(seed);
        let mut random = Random { number: &mut number, turns: 0, in_function: true, room: 12 };
        let function = random.expr(2);
        random.in_function = false;
        random.room = 40;
        let block = random.block(3, false);
        let mut text = format!(
            "@group(0) @binding(0) var<uniform> u: array<vec4f, 8>;\n\
             fn call(a: vec4f, b: vec4f) -> vec4f {{ return {}; }}\n\
             @vertex fn vs(@location(0) a: vec4f, @location(1) b: vec4f) -> @builtin(position) vec4f {{\n\
             var v0 = a; var v1 = b; var v2 = vec4f(0.0);\n",
            function.text()
        );
        write(&block, &mut text);
        text.push_str("return v0 + v1 * v2;\n}\n");
        let (shader, _) =
            shader("r.wgsl", &text).unwrap_or_else(|problems| panic!("{seed}: {text}\n{problems:#?}"));
        let vectors = [[A, B], [B, A], [[0.0, 1.0, -1.0, 0.5], A], [[7.25, -3.5, 2.0, -0.25], [1.0; 4]]];
        for [a, b] in vectors {
            let mut run = Run { a, b, variables: [a, b, [0.0; 4]], turns: [0; 8], function: &function };
            let expected = match walk(&block, &mut run) {
                End::Return(value) => value,
                _ => std::array::from_fn(|at| {
                    run.variables[0][at] + run.variables[1][at] * run.variables[2][at]
                }),
            };
            let got = eval::outputs(&shader.function, &[a, b].map(vec4), &U.map(vec4))[0].map(f32::from_bits);
            // Rules of real numbers for zeros and ones change signs of zeros, and make numbers of what would be none.
            let is_same = |at: usize| expected[at] == got[at] || !expected[at].is_finite();
            assert!((0..4).all(is_same), "{seed}: {expected:?} {got:?}\n{text}\n{}", shader.function);
        }
        for (machine, built) in machines().into_iter().zip(&mut built) {
            match build(machine, &shader, &Options::default()) {
                Ok(_) => *built += 1,
                Err(problems) => {
                    // Too long, too many registers or constants: but never wrong.
                    let code = problems[0].code.id;
                    assert!(!FAULTS.contains(&code), "{seed} {}: {text}\n{problems:#?}", machine.about().id);
                }
            }
        }
    }
    // The programs are such that most fit.
    assert!(built.iter().all(|built| *built as u64 > count / 20), "{built:?} of {count}");
}

/// Codes of the compiler's own faults.
const FAULTS: [&str; 1] = ["K0307"];

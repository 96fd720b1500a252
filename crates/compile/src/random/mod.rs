//! Random programs, which the compiler is tested with.
//!
//! A [`Program`] says itself what it computes ([`Program::run`]), without naga, the walk or the IR. It is written in several [ways](Way) that
//! mean the same, so that they have to give the same; [`check`](fn@check) compares all of that with what machines' programs give.
//!
//! ```
//! use gpuzoo_compile::random::{Program, Way, check};
//! let (_, text) = Program::random(7).source(Way::Plain);
//! assert!(text.contains("@vertex"));
//! let fits = check(7, &[&gpuzoo_servaru::GPU])?;
//! assert!(fits[0].is_ok());
//! # Ok::<(), String>(())
//! ```

mod check;
mod generate;
mod interpret;
mod vary;
mod write;

pub use check::{UNIFORMS, VECTORS, check};
pub use vary::Way;

/// A vector of four; scalars are vectors of four equal numbers here.
pub type V = [f32; 4];

/// A program of two inputs and eight uniforms, with one result: its position.
#[derive(Clone, Debug)]
pub struct Program {
    /// The value of a function of two arguments, which the program calls.
    function: Expr,
    block: Vec<Statement>,
}

/// The variables: the first two begin as the inputs, the last one as zero. The result is `v0 + v1 * v2`.
const VARIABLES: usize = 3;

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
    Unary(One, Box<Expr>),
    Binary(Two, Box<Expr>, Box<Expr>),
    /// a < b ? c : d, component by component.
    Select(Box<[Expr; 4]>),
    Swizzle(Box<Expr>, [u8; 4]),
    Call(Box<Expr>, Box<Expr>),
}

#[derive(Clone, Debug)]
enum Statement {
    Set(usize, Expr),
    SetPart(usize, u8, Expr),
    /// If a.x < b.x.
    If(Expr, Expr, Vec<Statement>, Vec<Statement>),
    For(usize, u32, Vec<Statement>),
    /// If a.y < b.y.
    BreakIf(Expr, Expr),
    /// If a.z < b.z.
    ContinueIf(Expr, Expr),
    /// If a.w < b.w, this is the result.
    ReturnIf(Expr, Expr, Expr),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum One {
    Minus,
    Abs,
    Floor,
    Saturate,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Two {
    Plus,
    Minus,
    Times,
    Min,
    Max,
}

impl Expr {
    /// The expressions that it is made of.
    fn parts(&self) -> Vec<&Expr> {
        match self {
            Expr::Known(_) | Expr::A | Expr::B | Expr::Uniform(_) | Expr::Variable(_) | Expr::Turn(_) => {
                Vec::new()
            }
            Expr::Indexed(a) | Expr::Unary(_, a) | Expr::Swizzle(a, _) => vec![a],
            Expr::Binary(_, a, b) | Expr::Call(a, b) => vec![a, b],
            Expr::Select(all) => all.iter().collect(),
        }
    }

    /// The same, to be changed.
    fn parts_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Expr::Known(_) | Expr::A | Expr::B | Expr::Uniform(_) | Expr::Variable(_) | Expr::Turn(_) => {
                Vec::new()
            }
            Expr::Indexed(a) | Expr::Unary(_, a) | Expr::Swizzle(a, _) => vec![a],
            Expr::Binary(_, a, b) | Expr::Call(a, b) => vec![a, b],
            Expr::Select(all) => all.iter_mut().collect(),
        }
    }
}

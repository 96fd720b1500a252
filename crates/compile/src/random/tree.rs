//! Trees of random programs: functions of typed expressions and statements.

/// A type. The numbers of a value stand one behind the other: matrices column by column, arrays element by element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Type {
    Bool,
    Int,
    Float,
    /// So many floats.
    Vector(usize),
    Matrix {
        columns: usize,
        rows: usize,
    },
    Array(&'static Type, usize),
}

/// A vector of four floats.
pub(super) const VEC4: Type = Type::Vector(4);

/// The type of the uniform matrix.
pub(super) const MAT4: Type = Type::Matrix { columns: 4, rows: 4 };

impl Type {
    /// The count of numbers of a value.
    pub fn size(self) -> usize {
        match self {
            Type::Bool | Type::Int | Type::Float => 1,
            Type::Vector(size) => size,
            Type::Matrix { columns, rows } => columns * rows,
            Type::Array(element, count) => element.size() * count,
        }
    }

    /// The elements' type and their count: columns of a matrix, components of a vector.
    pub fn elements(self) -> Option<(Type, usize)> {
        match self {
            Type::Bool | Type::Int | Type::Float => None,
            Type::Vector(size) => Some((Type::Float, size)),
            Type::Matrix { columns, rows } => Some((Type::Vector(rows), columns)),
            Type::Array(element, count) => Some((*element, count)),
        }
    }

    /// True for floats and vectors of floats.
    pub fn is_floats(self) -> bool {
        matches!(self, Type::Float | Type::Vector(_))
    }
}

/// A program of two inputs, uniform vectors and perhaps a uniform matrix, with one result: its position.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// Functions call those before them. The last one takes the two inputs and has the result.
    pub(super) functions: Vec<Function>,
    /// The form of the source, among those that mean the same.
    pub(super) style: Style,
}

/// A choice among forms that mean the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Style {
    /// Conditions are negated, and the branches of an `if` exchanged.
    pub swapped: bool,
    /// The last function is called by the entry point, and not the entry point itself.
    pub wrapped: bool,
    /// SPIR-V: a choice between values is an `OpPhi`, not a variable.
    pub phi: bool,
    /// The count of uniform vectors, and whether there is a uniform matrix: some machines have few constants.
    pub uniforms: usize,
    pub has_matrix: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Function {
    /// Variables: parameters first.
    pub parameters: Vec<Parameter>,
    /// Those behind the parameters.
    pub locals: Vec<Local>,
    pub body: Vec<Statement>,
    /// The value at the end of the body.
    pub result: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Parameter {
    pub ty: Type,
    /// Written back to the caller's variable at the end.
    pub inout: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Local {
    pub ty: Type,
    /// The first value; none for the counter of a `for`, which the loop declares.
    pub first: Option<Expr>,
}

impl Function {
    /// The type of a variable.
    pub fn variable(&self, number: usize) -> Type {
        match self.parameters.get(number) {
            Some(parameter) => parameter.ty,
            None => self.locals[number - self.parameters.len()].ty,
        }
    }

    /// Calls functions with each expression and each statement.
    pub fn visit(&self, see: &mut dyn FnMut(&Expr), statement: &mut dyn FnMut(&Statement)) {
        self.locals.iter().flat_map(|local| &local.first).for_each(|first| first.visit(see));
        self.body.iter().for_each(|inner| inner.visit(see, statement));
        self.result.visit(see);
    }

    /// True if the function with a number is called by this one.
    pub fn calls(&self, function: usize) -> bool {
        let mut calls = false;
        let mut see =
            |expr: &Expr| calls |= matches!(expr.kind, ExprKind::Call(number, _) if number == function);
        self.visit(&mut see, &mut |_| ());
        calls
    }

    /// True for a parameter that is written back.
    pub fn is_inout(&self, number: usize) -> bool {
        self.parameters.get(number).is_some_and(|parameter| parameter.inout)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Expr {
    pub ty: Type,
    pub kind: ExprKind,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum ExprKind {
    /// Every number of the value.
    Literal(f32),
    /// A uniform vector; the index is an integer below their count.
    Uniform(Box<Expr>),
    UniformMatrix,
    Read(Place),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<[Expr; 2]>),
    Builtin(Builtin, Vec<Expr>),
    /// The second if the first is true, else the third; the other one is not evaluated.
    Choose(Box<[Expr; 3]>),
    Swizzle(Box<Expr>, Vec<usize>),
    /// An element of a vector or matrix that is no variable.
    Element(Box<Expr>, usize),
    /// A vector of scalars and vectors, a matrix of columns, an array of elements.
    Construct(Vec<Expr>),
    /// Between `bool`, `int` and `float`.
    Convert(Box<Expr>),
    Call(usize, Vec<Argument>),
    /// Its value is the new value.
    Assign(Place, Option<Binary>, Box<Expr>),
    /// `++` and `--`.
    Step {
        place: Place,
        up: bool,
        post: bool,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Argument {
    Value(Expr),
    Inout(Place),
}

/// A variable or a part of one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Place {
    pub variable: usize,
    pub path: Vec<Part>,
    pub ty: Type,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    /// An element of an array, a column of a matrix, a component of a vector.
    Index(Expr),
    /// Components of a vector; different ones.
    Swizzle(Vec<usize>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    Minus,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Add,
    Subtract,
    /// Also of matrices and vectors.
    Multiply,
    Divide,
    /// The operands are integers that are not negative.
    Remainder,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    /// The second operand is only evaluated if the first is true.
    And,
    /// The second operand is only evaluated if the first is false.
    Or,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Builtin {
    Abs,
    Floor,
    Fract,
    Saturate,
    Min,
    Max,
    Clamp,
    Mix,
    /// 0 if the second is less than the first, else 1.
    Step,
    Dot,
    /// Component by component: the third if the first is less than the second, else the fourth.
    SelectLess,
    Transpose,
    Sqrt,
    InverseSqrt,
    Pow,
    Log2,
    Exp2,
    Length,
    Normalize,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Statement {
    /// An assignment, a step or a call.
    Eval(Expr),
    If(Expr, Vec<Statement>, Vec<Statement>),
    Loop(Box<Loop>),
    Switch(Expr, Vec<Case>),
    /// Leaves the innermost loop or switch.
    Break,
    Continue,
    /// Leaves the innermost loop from a switch in it, which SPIR-V alone can write.
    Leave,
    Return(Expr),
}

/// A loop that is left when its counter reaches the end, or by what is in its body.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Loop {
    pub form: LoopForm,
    /// The variable; nothing in the body writes to it.
    pub counter: usize,
    pub first: i32,
    pub end: i32,
    /// A condition beside the counter's.
    pub also: Option<Expr>,
    pub body: Vec<Statement>,
}

impl Loop {
    /// 1 or -1.
    pub fn step(&self) -> i32 {
        if self.end >= self.first { 1 } else { -1 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoopForm {
    /// The counter is stepped at the end of a turn, also of one that `continue` ends.
    For,
    /// The counter is stepped at the beginning of a turn, and asked before it.
    While,
    /// The counter is stepped at the beginning of a turn, and asked behind it.
    DoWhile,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Case {
    /// `None` is `default`.
    pub labels: Vec<Option<i32>>,
    pub body: Vec<Statement>,
    /// The end of the body goes on with the next case.
    pub falls: bool,
}

impl Expr {
    pub fn new(ty: Type, kind: ExprKind) -> Expr {
        Expr { ty, kind }
    }

    pub fn literal(ty: Type, value: f32) -> Expr {
        Expr::new(ty, ExprKind::Literal(value))
    }

    pub fn binary(ty: Type, op: Binary, a: Expr, b: Expr) -> Expr {
        Expr::new(ty, ExprKind::Binary(op, Box::new([a, b])))
    }

    pub fn builtin(ty: Type, builtin: Builtin, operands: Vec<Expr>) -> Expr {
        Expr::new(ty, ExprKind::Builtin(builtin, operands))
    }

    /// A whole variable.
    pub fn variable(variable: usize, ty: Type) -> Expr {
        Expr::new(ty, ExprKind::Read(Place { variable, path: Vec::new(), ty }))
    }

    /// The expressions in it.
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Literal(_) | ExprKind::UniformMatrix => Vec::new(),
            ExprKind::Read(place) | ExprKind::Step { place, .. } => place.parts().collect(),
            ExprKind::Uniform(a)
            | ExprKind::Unary(_, a)
            | ExprKind::Swizzle(a, _)
            | ExprKind::Element(a, _)
            | ExprKind::Convert(a) => vec![a],
            ExprKind::Binary(_, operands) => operands.iter().collect(),
            ExprKind::Choose(operands) => operands.iter().collect(),
            ExprKind::Builtin(_, operands) | ExprKind::Construct(operands) => operands.iter().collect(),
            ExprKind::Call(_, arguments) => arguments.iter().flat_map(Argument::parts).collect(),
            ExprKind::Assign(place, _, value) => place.parts().chain([&**value]).collect(),
        }
    }

    /// The same, to be changed.
    pub fn parts_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            ExprKind::Literal(_) | ExprKind::UniformMatrix => Vec::new(),
            ExprKind::Read(place) | ExprKind::Step { place, .. } => place.parts_mut().collect(),
            ExprKind::Uniform(a)
            | ExprKind::Unary(_, a)
            | ExprKind::Swizzle(a, _)
            | ExprKind::Element(a, _)
            | ExprKind::Convert(a) => vec![a],
            ExprKind::Binary(_, operands) => operands.iter_mut().collect(),
            ExprKind::Choose(operands) => operands.iter_mut().collect(),
            ExprKind::Builtin(_, operands) | ExprKind::Construct(operands) => operands.iter_mut().collect(),
            ExprKind::Call(_, arguments) => arguments.iter_mut().flat_map(Argument::parts_mut).collect(),
            ExprKind::Assign(place, _, value) => place.parts_mut().chain([&mut **value]).collect(),
        }
    }

    /// Calls a function with this expression and all in it.
    pub fn visit(&self, see: &mut dyn FnMut(&Expr)) {
        see(self);
        self.parts().into_iter().for_each(|part| part.visit(see));
    }

    /// The variables that it reads and writes.
    pub fn access(&self) -> Access {
        let mut access = Access::default();
        self.visit(&mut |expr| match &expr.kind {
            ExprKind::Read(place) => access.reads |= place.bit(),
            ExprKind::Step { place, .. } | ExprKind::Assign(place, ..) => {
                access.reads |= place.bit();
                access.writes |= place.bit();
            }
            ExprKind::Call(_, arguments) => {
                for argument in arguments {
                    if let Argument::Inout(place) = argument {
                        access.reads |= place.bit();
                        access.writes |= place.bit();
                    }
                }
            }
            _ => {}
        });
        access
    }

    /// True if it may be left out, or evaluated without need.
    pub fn is_pure(&self) -> bool {
        let mut is_pure = true;
        self.visit(&mut |expr| {
            is_pure &=
                !matches!(expr.kind, ExprKind::Assign(..) | ExprKind::Step { .. } | ExprKind::Call(..))
                    && !expr.is_partial();
        });
        is_pure
    }

    /// True for such an operation of a literal, which compilers refuse or compute.
    pub fn is_partial_of_literal(&self) -> bool {
        let operand = match &self.kind {
            ExprKind::Binary(_, operands) => &operands[1],
            ExprKind::Builtin(_, operands) => &operands[0],
            _ => return false,
        };
        self.is_partial() && operand.access().reads == 0
    }

    /// True for an operation that has no value for some operands.
    pub fn is_partial(&self) -> bool {
        use Builtin::{InverseSqrt, Length, Log2, Normalize, Pow, Sqrt};
        match &self.kind {
            ExprKind::Binary(Binary::Divide | Binary::Remainder, operands) => {
                !matches!(operands[1].kind, ExprKind::Literal(_))
            }
            ExprKind::Builtin(builtin, _) => {
                matches!(builtin, Sqrt | InverseSqrt | Pow | Log2 | Length | Normalize)
            }
            _ => false,
        }
    }
}

impl Argument {
    fn parts(&self) -> Vec<&Expr> {
        match self {
            Argument::Value(value) => vec![value],
            Argument::Inout(place) => place.parts().collect(),
        }
    }

    fn parts_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Argument::Value(value) => vec![value],
            Argument::Inout(place) => place.parts_mut().collect(),
        }
    }
}

impl Place {
    fn parts(&self) -> impl Iterator<Item = &Expr> {
        self.path.iter().filter_map(|part| match part {
            Part::Index(index) => Some(index),
            Part::Swizzle(_) => None,
        })
    }

    fn parts_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        self.path.iter_mut().filter_map(|part| match part {
            Part::Index(index) => Some(index),
            Part::Swizzle(_) => None,
        })
    }

    /// The variable's bit in an [`Access`].
    pub fn bit(&self) -> u64 {
        1 << self.variable
    }
}

/// Variables, a bit for each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Access {
    pub reads: u64,
    pub writes: u64,
}

impl Statement {
    /// The expressions of the statement itself.
    pub fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Statement::Eval(expr)
            | Statement::Return(expr)
            | Statement::If(expr, ..)
            | Statement::Switch(expr, _) => {
                vec![expr]
            }
            Statement::Loop(inner) => inner.also.iter_mut().collect(),
            Statement::Break | Statement::Continue | Statement::Leave => Vec::new(),
        }
    }

    /// The blocks in it.
    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<Statement>> {
        match self {
            Statement::If(_, yes, no) => vec![yes, no],
            Statement::Loop(inner) => vec![&mut inner.body],
            Statement::Switch(_, cases) => cases.iter_mut().map(|case| &mut case.body).collect(),
            _ => Vec::new(),
        }
    }

    /// Calls a function with each expression of the statement and of the statements in it.
    pub fn visit(&self, see: &mut dyn FnMut(&Expr), statement: &mut dyn FnMut(&Statement)) {
        statement(self);
        let mut block = |all: &[Statement]| all.iter().for_each(|inner| inner.visit(see, statement));
        match self {
            Statement::If(_, yes, no) => {
                block(yes);
                block(no);
            }
            Statement::Loop(inner) => block(&inner.body),
            Statement::Switch(_, cases) => cases.iter().for_each(|case| block(&case.body)),
            _ => {}
        }
        match self {
            Statement::Eval(expr)
            | Statement::Return(expr)
            | Statement::If(expr, ..)
            | Statement::Switch(expr, _) => expr.visit(see),
            Statement::Loop(inner) => inner.also.iter().for_each(|expr| expr.visit(see)),
            Statement::Break | Statement::Continue | Statement::Leave => {}
        }
    }
}

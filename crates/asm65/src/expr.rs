//! Expressions as trees, and the arithmetic of their operators.

/// The index of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Piece(pub u32);

/// The index of a name in a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sym(pub u32);

/// Operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    Negate,
    Complement,
    Not,
    LoByte,
    HiByte,
    BankByte,
    LoWord,
    HiWord,
}

/// Operators of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    Equal,
    Unequal,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    And,
    Or,
    Xor,
    Min,
    Max,
}

/// An expression. What was known when it was read has been worked out.
#[derive(Clone, Debug)]
pub(crate) enum Expr {
    Number(i64),
    /// A place in a piece whose address is not known yet.
    Place(Piece, i64),
    Symbol(Sym),
    /// An unnamed label that is still to come, by its index.
    Unnamed(usize),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<(Expr, Expr)>),
}

/// What an expression is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Number(i64),
    Place(Piece, i64),
    /// Not yet, or for a reason that has been reported.
    Unknown,
    DivisionByZero,
    Circular,
}

/// How large an address an expression may be, as ca65 reckons: a name that is not known has no size, and so has all
/// that is made from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Size {
    Unknown,
    Zp,
    Abs,
}
impl Expr {
    /// The expression, worked out if it can be.
    pub fn unary(op: Unary, value: Expr) -> Expr {
        match &value {
            Expr::Number(number) => Expr::Number(one(op, *number)),
            _ => Expr::Unary(op, Box::new(value)),
        }
    }

    /// The expression, worked out if it can be.
    pub fn binary(op: Binary, left: Expr, right: Expr) -> Expr {
        let leaf = |expr: &Expr| match *expr {
            Expr::Number(number) => Some(Value::Number(number)),
            Expr::Place(piece, offset) => Some(Value::Place(piece, offset)),
            _ => None,
        };
        match leaf(&left).zip(leaf(&right)).map(|(left, right)| two(op, left, right)) {
            Some(Value::Number(number)) => Expr::Number(number),
            Some(Value::Place(piece, offset)) => Expr::Place(piece, offset),
            _ => Expr::Binary(op, Box::new((left, right))),
        }
    }
}

/// The value of an operator and a number.
pub(crate) fn one(op: Unary, value: i64) -> i64 {
    match op {
        Unary::Negate => value.wrapping_neg(),
        Unary::Complement => !value,
        Unary::Not => i64::from(value == 0),
        Unary::LoByte => value & 0xff,
        Unary::HiByte => value >> 8 & 0xff,
        Unary::BankByte => value >> 16 & 0xff,
        Unary::LoWord => value & 0xffff,
        Unary::HiWord => value >> 16 & 0xffff,
    }
}

/// The value of an operator and two values.
pub(crate) fn two(op: Binary, left: Value, right: Value) -> Value {
    use Value::{Number, Place};
    match (left, right) {
        // As in ca65, what decides is not asked further: `.defined(name) && name > 5`.
        (Number(0), _) if op == Binary::And => Number(0),
        (Number(first), _) if op == Binary::Or && first != 0 => Number(1),
        (Number(left), Number(right)) => numbers(op, left, right),
        (Place(piece, offset), Number(number)) => match op {
            Binary::Add => Place(piece, offset.wrapping_add(number)),
            Binary::Subtract => Place(piece, offset.wrapping_sub(number)),
            _ => Value::Unknown,
        },
        (Number(number), Place(piece, offset)) if op == Binary::Add => {
            Place(piece, offset.wrapping_add(number))
        }
        (Place(one, left), Place(other, right)) if one == other => match op {
            Binary::Subtract
            | Binary::Equal
            | Binary::Unequal
            | Binary::Less
            | Binary::Greater
            | Binary::LessEqual
            | Binary::GreaterEqual => numbers(op, left, right),
            _ => Value::Unknown,
        },
        (fault @ (Value::DivisionByZero | Value::Circular), _)
        | (_, fault @ (Value::DivisionByZero | Value::Circular)) => fault,
        _ => Value::Unknown,
    }
}

fn numbers(op: Binary, left: i64, right: i64) -> Value {
    let shift = |by: i64| u32::try_from(by).ok().filter(|&by| by < 64);
    Value::Number(match op {
        Binary::Add => left.wrapping_add(right),
        Binary::Subtract => left.wrapping_sub(right),
        Binary::Multiply => left.wrapping_mul(right),
        Binary::Divide | Binary::Modulo if right == 0 => return Value::DivisionByZero,
        Binary::Divide => left.wrapping_div(right),
        Binary::Modulo => left.wrapping_rem(right),
        Binary::BitAnd => left & right,
        Binary::BitOr => left | right,
        Binary::BitXor => left ^ right,
        Binary::ShiftLeft => shift(right).map_or(0, |by| left << by),
        Binary::ShiftRight => shift(right).map_or(0, |by| left >> by),
        Binary::Equal => i64::from(left == right),
        Binary::Unequal => i64::from(left != right),
        Binary::Less => i64::from(left < right),
        Binary::Greater => i64::from(left > right),
        Binary::LessEqual => i64::from(left <= right),
        Binary::GreaterEqual => i64::from(left >= right),
        Binary::And => i64::from(left != 0 && right != 0),
        Binary::Or => i64::from(left != 0 || right != 0),
        Binary::Xor => i64::from((left != 0) != (right != 0)),
        Binary::Min => left.min(right),
        Binary::Max => left.max(right),
    })
}

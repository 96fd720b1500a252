//! Expressions as trees, and what they are worth.

use crate::section::{Piece, Sections};
use crate::symbols::{Sym, Symbols};

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

/// The deepest tree, through names as well.
const MAX_DEPTH: u32 = 500;
/// The most nodes that are visited for a value while reading; beyond, it counts as not known yet.
const MAX_VISITS: u32 = 10_000;

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

fn one(op: Unary, value: i64) -> i64 {
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

fn two(op: Binary, left: Value, right: Value) -> Value {
    use Value::{Number, Place};
    match (left, right) {
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

/// Works out expressions.
pub(crate) struct Evaluator<'a> {
    pub symbols: &'a Symbols,
    pub sections: &'a Sections,
    /// Unnamed labels so far.
    pub unnamed: &'a [Expr],
    /// What names are worth at the end, as far as it was needed; without it, names are looked through each time.
    memo: Option<Vec<Memo>>,
    visits: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Memo {
    New,
    Busy,
    Done(Value),
}

impl<'a> Evaluator<'a> {
    /// For values that are needed while reading.
    pub fn early(symbols: &'a Symbols, sections: &'a Sections, unnamed: &'a [Expr]) -> Evaluator<'a> {
        Evaluator { symbols, sections, unnamed, memo: None, visits: 0 }
    }

    /// For values at the end, when all addresses are known.
    pub fn last(symbols: &'a Symbols, sections: &'a Sections, unnamed: &'a [Expr]) -> Evaluator<'a> {
        Evaluator {
            memo: Some(vec![Memo::New; symbols.len()]),
            ..Evaluator::early(symbols, sections, unnamed)
        }
    }

    /// What an expression is worth.
    pub fn value(&mut self, expr: &Expr) -> Value {
        self.visits = 0;
        self.at_depth(expr, 0)
    }

    fn at_depth(&mut self, expr: &Expr, depth: u32) -> Value {
        self.visits += 1;
        if depth > MAX_DEPTH {
            return Value::Circular;
        }
        if self.memo.is_none() && self.visits > MAX_VISITS {
            return Value::Unknown;
        }
        match expr {
            Expr::Number(number) => Value::Number(*number),
            Expr::Place(piece, offset) => match self.sections.base(*piece) {
                Some(base) => Value::Number(base.wrapping_add(*offset)),
                None => Value::Place(*piece, *offset),
            },
            Expr::Symbol(symbol) => self.symbol(*symbol, depth),
            Expr::Unnamed(index) => match self.unnamed.get(*index) {
                Some(place) => self.at_depth(place, depth + 1),
                None => Value::Unknown,
            },
            Expr::Unary(op, operand) => match self.at_depth(operand, depth + 1) {
                Value::Number(number) => Value::Number(one(*op, number)),
                Value::Place(..) => Value::Unknown,
                other => other,
            },
            Expr::Binary(op, operands) => {
                let left = self.at_depth(&operands.0, depth + 1);
                let right = self.at_depth(&operands.1, depth + 1);
                two(*op, left, right)
            }
        }
    }

    fn symbol(&mut self, symbol: Sym, depth: u32) -> Value {
        let Some(definition) = self.symbols.definition(symbol) else { return Value::Unknown };
        if let Some(memo) = &mut self.memo {
            match memo.get_mut(symbol.0 as usize) {
                Some(Memo::Done(value)) => return *value,
                Some(Memo::Busy) => return Value::Circular,
                Some(slot) => *slot = Memo::Busy,
                None => return Value::Unknown,
            }
        }
        let value = self.at_depth(definition, depth + 1);
        if let Some(slot) = self.memo.as_mut().and_then(|memo| memo.get_mut(symbol.0 as usize)) {
            *slot = Memo::Done(value);
        }
        value
    }

    /// How large an address it may be.
    pub fn size(&mut self, expr: &Expr) -> Size {
        match self.value(expr) {
            Value::Number(number) if (0..=0xff).contains(&number) => Size::Zp,
            Value::Number(_) => Size::Abs,
            _ => {
                self.visits = 0;
                self.size_of(expr, 0)
            }
        }
    }

    fn size_of(&mut self, expr: &Expr, depth: u32) -> Size {
        self.visits += 1;
        if depth > MAX_DEPTH || self.visits > MAX_VISITS {
            return Size::Unknown;
        }
        match expr {
            Expr::Number(number) if (0..=0xff).contains(number) => Size::Zp,
            Expr::Number(_) => Size::Abs,
            Expr::Place(piece, _) if self.sections.is_zero_page(*piece) => Size::Zp,
            Expr::Place(..) => Size::Abs,
            Expr::Symbol(symbol) => match self.symbols.definition(*symbol) {
                Some(definition) => self.size_of(definition, depth + 1),
                None if self.symbols.is_declared_zp(*symbol) => Size::Zp,
                None => Size::Unknown,
            },
            Expr::Unnamed(_) => Size::Abs,
            Expr::Unary(Unary::LoByte | Unary::HiByte | Unary::BankByte, _) => Size::Zp,
            Expr::Unary(_, operand) => self.size_of(operand, depth + 1),
            Expr::Binary(_, operands) => {
                let sizes = [self.size_of(&operands.0, depth + 1), self.size_of(&operands.1, depth + 1)];
                if sizes.contains(&Size::Unknown) { Size::Unknown } else { sizes[0].max(sizes[1]) }
            }
        }
    }
}

//! Values of expressions, by the names and the addresses that are known.

use crate::expr::{Binary, Expr, Piece, Size, Sym, Unary, Value, one, two};
use crate::section::Sections;
use crate::symbols::Symbols;
use gpuzoo_diag::work::spend;
use hashbrown::HashMap;

/// The most steps for a value while reading; beyond, it counts as not known yet.
const MAX_VISITS: usize = 10_000;

/// A value takes this many steps before they count as [`Symbols::long_steps`].
const SHORT: usize = 64;

/// The most steps of long values while reading, of a program altogether.
pub(crate) const MAX_LONG_STEPS: usize = 1 << 22;

/// Works out expressions. Each name is looked through once, whatever leads to it, and a list of what is still to do takes the
/// place of recursion: neither depth nor doubling (`a = b + b`, `b = c + c`) costs more than the definitions are long.
pub(crate) struct Evaluator<'a> {
    pub symbols: &'a Symbols,
    pub sections: &'a Sections,
    /// Unnamed labels so far.
    pub unnamed: &'a [Expr],
    /// Names that were looked through; none while that goes on.
    memo: HashMap<Sym, Option<Worth>>,
    /// The most steps for a value.
    most: usize,
}

/// Value of an expression, and the largest size of the address by its form.
#[derive(Clone, Copy)]
struct Worth {
    value: Value,
    size: Size,
}

const UNKNOWN: Worth = Worth { value: Value::Unknown, size: Size::Unknown };
const CIRCULAR: Worth = Worth { value: Value::Circular, size: Size::Unknown };

/// Work that is left for a value.
enum Step<'a> {
    Visit(&'a Expr),
    Unary(Unary),
    Binary(Binary),
    /// The last value is the name's.
    Define(Sym),
}

impl<'a> Evaluator<'a> {
    /// For values that are needed while reading.
    pub fn early(symbols: &'a Symbols, sections: &'a Sections, unnamed: &'a [Expr]) -> Evaluator<'a> {
        Evaluator { symbols, sections, unnamed, memo: HashMap::default(), most: MAX_VISITS }
    }

    /// For values at the end, when all addresses are known.
    pub fn last(symbols: &'a Symbols, sections: &'a Sections, unnamed: &'a [Expr]) -> Evaluator<'a> {
        Evaluator { most: usize::MAX, ..Evaluator::early(symbols, sections, unnamed) }
    }

    /// Value of an expression.
    pub fn value(&mut self, expr: &Expr) -> Value {
        self.worth(expr).value
    }

    /// Largest size of the address.
    pub fn size(&mut self, expr: &Expr) -> Size {
        let worth = self.worth(expr);
        match worth.value {
            Value::Number(number) => size_of(number),
            _ => worth.size,
        }
    }

    fn worth(&mut self, expr: &Expr) -> Worth {
        let mut steps = vec![Step::Visit(expr)];
        let mut worths: Vec<Worth> = Vec::new();
        for count in 0..self.most {
            spend(1);
            let Some(step) = steps.pop() else { return worths.pop().unwrap_or(UNKNOWN) };
            if count >= SHORT && self.most == MAX_VISITS {
                self.symbols.count_long_step();
            }
            let worth = match step {
                Step::Visit(Expr::Unary(op, operand)) => {
                    steps.extend([Step::Unary(*op), Step::Visit(operand)]);
                    continue;
                }
                Step::Visit(Expr::Binary(op, operands)) => {
                    steps.extend([Step::Binary(*op), Step::Visit(&operands.1), Step::Visit(&operands.0)]);
                    continue;
                }
                Step::Visit(Expr::Symbol(symbol)) => {
                    match (self.memo.get(symbol), self.symbols.definition(*symbol)) {
                        (Some(known), _) => known.unwrap_or(CIRCULAR),
                        (None, Some(definition)) => {
                            self.memo.insert(*symbol, None);
                            steps.extend([Step::Define(*symbol), Step::Visit(definition)]);
                            continue;
                        }
                        (None, None) if self.symbols.is_declared_zp(*symbol) => {
                            Worth { size: Size::Zp, ..UNKNOWN }
                        }
                        (None, None) => UNKNOWN,
                    }
                }
                Step::Visit(Expr::Unnamed(index)) => match self.unnamed.get(*index) {
                    Some(place) => {
                        steps.push(Step::Visit(place));
                        continue;
                    }
                    None => Worth { size: Size::Abs, ..UNKNOWN },
                },
                Step::Visit(Expr::Number(number)) => {
                    Worth { value: Value::Number(*number), size: size_of(*number) }
                }
                Step::Visit(Expr::Place(piece, offset)) => self.place(*piece, *offset),
                Step::Unary(op) => of_unary(op, worths.pop().unwrap_or(UNKNOWN)),
                Step::Binary(op) => {
                    let (right, left) = (worths.pop().unwrap_or(UNKNOWN), worths.pop().unwrap_or(UNKNOWN));
                    of_binary(op, left, right)
                }
                Step::Define(symbol) => {
                    let worth = worths.pop().unwrap_or(UNKNOWN);
                    self.memo.insert(symbol, Some(worth));
                    worth
                }
            };
            worths.push(worth);
        }
        // What was begun is not a circle.
        self.memo.retain(|_, worth| worth.is_some());
        UNKNOWN
    }

    fn place(&self, piece: Piece, offset: i64) -> Worth {
        let value = match self.sections.base(piece) {
            Some(base) => Value::Number(base.wrapping_add(offset)),
            None => Value::Place(piece, offset),
        };
        Worth { value, size: if self.sections.is_zero_page(piece) { Size::Zp } else { Size::Abs } }
    }
}

fn size_of(number: i64) -> Size {
    if (0..=0xff).contains(&number) { Size::Zp } else { Size::Abs }
}

fn of_unary(op: Unary, operand: Worth) -> Worth {
    let value = match operand.value {
        Value::Number(number) => Value::Number(one(op, number)),
        Value::Place(..) => Value::Unknown,
        other => other,
    };
    let is_byte = matches!(op, Unary::LoByte | Unary::HiByte | Unary::BankByte);
    Worth { value, size: if is_byte { Size::Zp } else { operand.size } }
}

fn of_binary(op: Binary, left: Worth, right: Worth) -> Worth {
    let sizes = [left.size, right.size];
    let size = if sizes.contains(&Size::Unknown) { Size::Unknown } else { left.size.max(right.size) };
    Worth { value: two(op, left.value, right.value), size }
}

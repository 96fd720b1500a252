//! Symbols in place of numbers: an arithmetic function that is executed on them leaves a record of what it computes.

use super::nan::nan_uses;
use super::{Id, Node, Record, Type};
use crate::arith::{Lane, Real, Wide};
use hashbrown::HashMap;
use std::cell::RefCell;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub};

thread_local! {
    /// What [`record`] records; `splat` gets a number alone, and no reference to it.
    static RECORD: RefCell<Record> = RefCell::default();
}

/// Records a function of `N` arguments.
pub fn record<const N: usize>(function: impl FnOnce([Single; N]) -> Single) -> Record {
    RECORD.take();
    let arguments = std::array::from_fn(|index| Single(add(Node::Argument(index), Type::Single)));
    let Single(result) = function(arguments);
    let record = Record { result, ..RECORD.take() };
    Record { nan_uses: nan_uses(&record), known: HashMap::default(), ..record }
}

fn add(node: Node, is: Type) -> Id {
    RECORD.with_borrow_mut(|record| record.add(node, is))
}

/// A symbol of an `f32`.
#[derive(Clone, Copy, Debug)]
pub struct Single(Id);

/// A symbol of an `f64`.
#[derive(Clone, Copy, Debug)]
pub struct Double(Id);

/// A symbol of a truth value.
#[derive(Clone, Copy, Debug)]
pub struct Truth(Id);

impl BitAnd for Truth {
    type Output = Truth;

    fn bitand(self, other: Truth) -> Truth {
        Truth(add(Node::Logic('&', [self.0, other.0]), Type::Truth))
    }
}

impl BitOr for Truth {
    type Output = Truth;

    fn bitor(self, other: Truth) -> Truth {
        Truth(add(Node::Logic('|', [self.0, other.0]), Type::Truth))
    }
}

impl Not for Truth {
    type Output = Truth;

    fn not(self) -> Truth {
        Truth(add(Node::Not(self.0), Type::Truth))
    }
}

macro_rules! numbers {
    ($symbol:ident, $scalar:ty) => {
        numbers! { @operators $symbol Add add '+', Sub sub '-', Mul mul '*', Div div '/' }

        impl Real for $symbol {
            type Scalar = $scalar;
            type Mask = Truth;

            fn splat(value: $scalar) -> $symbol {
                $symbol(add(Node::$symbol(value.to_bits()), Type::$symbol))
            }

            fn sqrt(self) -> $symbol {
                $symbol(add(Node::Sqrt(self.0), Type::$symbol))
            }

            fn less(self, other: $symbol) -> Truth {
                Truth(add(Node::Less([self.0, other.0]), Type::Truth))
            }

            fn same(self, other: $symbol) -> Truth {
                Truth(add(Node::Same([self.0, other.0]), Type::Truth))
            }

            fn less_total(self, other: $symbol) -> Truth {
                Truth(add(Node::LessTotal([self.0, other.0]), Type::Truth))
            }

            fn select(mask: Truth, yes: $symbol, no: $symbol) -> $symbol {
                $symbol(add(Node::Select([mask.0, yes.0, no.0]), Type::$symbol))
            }

            fn and(self, other: $symbol) -> $symbol {
                $symbol(add(Node::Bits('&', [self.0, other.0]), Type::$symbol))
            }

            fn xor(self, other: $symbol) -> $symbol {
                $symbol(add(Node::Bits('^', [self.0, other.0]), Type::$symbol))
            }
        }
    };
    (@operators $symbol:ident $($operator:ident $method:ident $sign:literal),+) => { $(
        impl $operator for $symbol {
            type Output = $symbol;

            fn $method(self, other: $symbol) -> $symbol {
                $symbol(add(Node::Arithmetic($sign, [self.0, other.0]), Type::$symbol))
            }
        }
    )+ };
}

numbers!(Single, f32);
numbers!(Double, f64);

impl Lane for Single {
    type Wide = Double;

    fn widen(self) -> Double {
        Double(add(Node::Widen(self.0), Type::Double))
    }

    fn widen_bits(self) -> Double {
        Double(add(Node::WidenBits(self.0), Type::Double))
    }

    fn with_nan(self, nan: f32) -> Single {
        Single(add(Node::WithNan(self.0, nan.to_bits()), Type::Single))
    }
}

impl Wide for Double {
    type Narrow = Single;

    fn narrow(self) -> Single {
        Single(add(Node::Narrow(self.0), Type::Single))
    }

    fn narrow_bits(self) -> Single {
        Single(add(Node::NarrowBits(self.0), Type::Single))
    }

    fn add_bits(self, other: Double) -> Double {
        Double(add(Node::Bits('+', [self.0, other.0]), Type::Double))
    }

    fn sub_bits(self, other: Double) -> Double {
        Double(add(Node::Bits('-', [self.0, other.0]), Type::Double))
    }

    fn shift_left(self, count: u32) -> Double {
        Double(add(Node::Shift('<', self.0, count), Type::Double))
    }

    fn shift_right(self, count: u32) -> Double {
        Double(add(Node::Shift('>', self.0, count), Type::Double))
    }

    fn pick(self, table: &[f64; 128]) -> Double {
        let table = table.map(f64::to_bits);
        let number = RECORD.with_borrow_mut(|record| {
            let known = record.tables.iter().position(|other| *other == table);
            known.unwrap_or_else(|| {
                record.tables.push(table);
                record.tables.len() - 1
            })
        });
        Double(add(Node::Pick(number, self.0), Type::Double))
    }
}

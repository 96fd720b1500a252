//! Symbolic execution: what operations compute, step by step.
//!
//! The functions of [`arith`](crate::arith) are generic over their lanes and never branch on a value, so that one run
//! on symbols records all that they compute. C and machine code are generated from this record of the evaluator's own
//! function; there is no second definition that could differ.
//!
//! ```
//! use gpuzoo_ir::Op2;
//! use gpuzoo_ir::record::{Node, Operation};
//!
//! let record = Operation::Two(Op2::FSub).record();
//! // Two arguments, a difference, and the rule that makes every NaN the same.
//! assert_eq!(record.nodes[2], Node::Arithmetic('-', [0, 1]));
//! assert_eq!(record.nodes[record.result], Node::WithNan(2, 0x7fc0_0000));
//! ```

mod nan;
mod symbols;

pub use nan::NanUse;
pub use symbols::{Double, Single, Truth, record};

use crate::{Dot, Op1, Op2, Op3};
use hashbrown::HashMap;
use std::sync::OnceLock;

/// Names a node of a [`Record`].
pub type Id = usize;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// An `f32`.
    Single,
    /// An `f64`.
    Double,
    /// A truth value.
    Truth,
}

/// One step of a computation; operands come before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// An argument of the function.
    Argument(usize),
    /// A number, as bits.
    Single(u32),
    /// A wide number, as bits.
    Double(u64),
    /// An operation on two numbers of the same type: `+ - * /`.
    Arithmetic(char, [Id; 2]),
    /// The square root.
    Sqrt(Id),
    /// True where the first is less.
    Less([Id; 2]),
    /// True where they are equal as numbers.
    Same([Id; 2]),
    /// True where the first comes first in the total order of bits.
    LessTotal([Id; 2]),
    /// `&` or `|` of truth values.
    Logic(char, [Id; 2]),
    /// The other truth value.
    Not(Id),
    /// The second where the first is true, else the third.
    Select([Id; 3]),
    /// `&`, `^` of bits; `+`, `-` of bits as integers.
    Bits(char, [Id; 2]),
    /// A shift of bits, `<` left or `>` right.
    Shift(char, Id, u32),
    /// The same number as f64.
    Widen(Id),
    /// The same bits, zeros above.
    WidenBits(Id),
    /// The nearest f32.
    Narrow(Id),
    /// The lower 32 bits.
    NarrowBits(Id),
    /// These bits for NaN, else the operand.
    WithNan(Id, u32),
    /// The entry of a table that the lowest 7 bits name.
    Pick(usize, Id),
}

impl Node {
    /// Calls `f` with each operand.
    pub fn operands(&self, mut f: impl FnMut(Id)) {
        match *self {
            Node::Argument(_) | Node::Single(_) | Node::Double(_) => {}
            Node::Arithmetic(_, ids)
            | Node::Less(ids)
            | Node::Same(ids)
            | Node::LessTotal(ids)
            | Node::Logic(_, ids)
            | Node::Bits(_, ids) => ids.into_iter().for_each(f),
            Node::Select(ids) => ids.into_iter().for_each(f),
            Node::Sqrt(id)
            | Node::Not(id)
            | Node::Shift(_, id, _)
            | Node::Widen(id)
            | Node::WidenBits(id)
            | Node::Narrow(id)
            | Node::NarrowBits(id)
            | Node::WithNan(id, _)
            | Node::Pick(_, id) => f(id),
        }
    }
}

/// A function's computation, in order: the arguments first. The last node is not always the result.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The steps.
    pub nodes: Vec<Node>,
    /// What each step gives.
    pub types: Vec<Type>,
    /// How the result uses a NaN in each of them.
    pub nan_uses: Vec<NanUse>,
    /// The tables that it looks things up in, as bits.
    pub tables: Vec<[u64; 128]>,
    /// The result.
    pub result: Id,
    known: HashMap<Node, Id>,
}

impl Record {
    /// A node, which may be there already.
    fn add(&mut self, node: Node, is: Type) -> Id {
        *self.known.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.types.push(is);
            self.nodes.len() - 1
        })
    }
}

/// An operation of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    /// On one value.
    One(Op1),
    /// On two values.
    Two(Op2),
    /// On three values.
    Three(Op3),
    /// A sum of products; its arguments are the factors, pair by pair.
    Dot(Dot),
}

impl Operation {
    /// Its name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            Operation::One(op) => op.name(),
            Operation::Two(op) => op.name(),
            Operation::Three(op) => op.name(),
            Operation::Dot(dot) => dot.name(),
        }
    }

    /// How many operations there are.
    pub const COUNT: usize = Op1::ALL.len() + Op2::ALL.len() + Op3::ALL.len() + Dot::ALL.len();

    /// Every operation; its place is its [number](Operation::number).
    pub fn all() -> impl Iterator<Item = Operation> {
        let ones = Op1::ALL.iter().map(|op| Operation::One(*op));
        let twos = Op2::ALL.iter().map(|op| Operation::Two(*op));
        let threes = Op3::ALL.iter().map(|op| Operation::Three(*op));
        ones.chain(twos).chain(threes).chain(Dot::ALL.iter().map(|dot| Operation::Dot(*dot)))
    }

    /// Below [`COUNT`](Operation::COUNT), another one for each: for tables.
    pub const fn number(self) -> usize {
        let (ones, twos, threes) = (Op1::ALL.len(), Op2::ALL.len(), Op3::ALL.len());
        match self {
            Operation::One(op) => op as usize,
            Operation::Two(op) => ones + op as usize,
            Operation::Three(op) => ones + twos + op as usize,
            Operation::Dot(dot) => ones + twos + threes + dot as usize,
        }
    }

    /// What it computes; recorded once in a process.
    pub fn record(self) -> &'static Record {
        static RECORDS: [OnceLock<Record>; Operation::COUNT] = [const { OnceLock::new() }; Operation::COUNT];
        RECORDS[self.number()].get_or_init(|| match self {
            Operation::One(op) => record(|[a]| op.apply(a)),
            Operation::Two(op) => record(|[a, b]| op.apply(a, b)),
            Operation::Three(op) => record(|[a, b, c]| op.apply(a, b, c)),
            Operation::Dot(dot) => {
                record(|[ax, bx, ay, by, az, bz, aw, bw]| dot.apply([ax, ay, az, aw], [bx, by, bz, bw]))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_places() {
        let numbers: Vec<usize> = Operation::all().map(Operation::number).collect();
        assert_eq!(numbers, (0..Operation::COUNT).collect::<Vec<_>>());
    }
}

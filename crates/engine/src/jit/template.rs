//! Operations as instructions of the processor, made from the record of the evaluator's own function.

use super::{Column, Scalar};
use gpuzoo_ir::record::{NanUse, Node, Operation, Record};
use std::sync::OnceLock;

/// The number of an instruction, and of the value that it computes.
pub(super) type Id = u32;

/// Instructions of two operands that are vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    And,
    Xor,
    AddBits,
    SubBits,
    /// The first where it is less, else the second.
    Min,
    /// The first where the second is less, else the second.
    Max,
}

/// Comparisons of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Compare {
    Less,
    NotLess,
    Same,
    NotSame,
}

/// Where a value comes from that is not computed here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Source {
    /// An argument of the operation; only templates have them.
    Argument(usize),
    Column(Column),
    /// The same in all lanes.
    Scalar(Scalar),
    Const(u32),
    /// The same truth value in all lanes; its readers are simplified.
    Truth(bool),
}

/// An instruction; its operands come before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Inst {
    Source(Source),
    Binary(Binary, [Id; 2]),
    Sqrt(Id),
    /// The bits as an integer that is ordered as IEEE 754's total order has it.
    Key(Id),
    /// These bits for NaN, else the operand.
    Canonical(Id, u32),
    // The others compute masks, or choose by one.
    Compare(Compare, [Id; 2]),
    /// The same where a mask is set, else false.
    CompareWhere(Compare, [Id; 2], Id),
    LessBits([Id; 2]),
    And([Id; 2]),
    Or([Id; 2]),
    Not(Id),
    /// The second where the first is true, else the third.
    Select([Id; 3]),
    /// Puts a value into a column.
    Store(Id, Column),
}

impl Inst {
    /// Its operands; unused places have none.
    pub(super) fn operands(&self) -> [Option<Id>; 3] {
        match *self {
            Inst::Source(_) => [None; 3],
            Inst::Sqrt(a) | Inst::Key(a) | Inst::Canonical(a, _) => [Some(a), None, None],
            Inst::Not(a) | Inst::Store(a, _) => [Some(a), None, None],
            Inst::Binary(_, [a, b])
            | Inst::Compare(_, [a, b])
            | Inst::LessBits([a, b])
            | Inst::And([a, b])
            | Inst::Or([a, b]) => [Some(a), Some(b), None],
            Inst::CompareWhere(_, [a, b], c) | Inst::Select([a, b, c]) => [Some(a), Some(b), Some(c)],
        }
    }

    /// True if it computes a mask.
    pub(super) fn is_mask(&self) -> bool {
        use Inst::{And, Compare, CompareWhere, LessBits, Not, Or};
        matches!(self, Compare(..) | CompareWhere(..) | LessBits(_) | And(_) | Or(_) | Not(_))
    }

    /// The same with other operands.
    pub(super) fn map(self, id: impl Fn(Id) -> Id) -> Inst {
        match self {
            Inst::Source(_) => self,
            Inst::Binary(op, ids) => Inst::Binary(op, ids.map(id)),
            Inst::Sqrt(a) => Inst::Sqrt(id(a)),
            Inst::Key(a) => Inst::Key(id(a)),
            Inst::Canonical(a, nan) => Inst::Canonical(id(a), nan),
            Inst::Compare(how, ids) => Inst::Compare(how, ids.map(&id)),
            Inst::CompareWhere(how, ids, mask) => Inst::CompareWhere(how, ids.map(&id), id(mask)),
            Inst::LessBits(ids) => Inst::LessBits(ids.map(id)),
            Inst::And(ids) => Inst::And(ids.map(id)),
            Inst::Or(ids) => Inst::Or(ids.map(id)),
            Inst::Not(a) => Inst::Not(id(a)),
            Inst::Select(ids) => Inst::Select(ids.map(id)),
            Inst::Store(a, column) => Inst::Store(id(a), column),
        }
    }
}

/// An operation as instructions.
#[derive(Debug)]
pub(super) struct Template {
    pub(super) insts: Vec<Inst>,
    pub(super) result: Id,
}

impl Template {
    /// That of an operation, made once in a process; none for those that compute in f64, whose loops are as good. Where
    /// the result need not be `exact`, a NaN in it may be any.
    pub(super) fn of(operation: Operation, exact: bool) -> Option<&'static Template> {
        type Table = [OnceLock<Option<Template>>; Operation::COUNT];
        static ANY_NAN: Table = [const { OnceLock::new() }; Operation::COUNT];
        static EXACT: Table = [const { OnceLock::new() }; Operation::COUNT];
        let table = if exact { &EXACT } else { &ANY_NAN };
        table[operation.number()].get_or_init(|| Template::new(operation.record(), exact)).as_ref()
    }

    fn new(record: &Record, exact: bool) -> Option<Template> {
        let known = vec![None; record.nodes.len()];
        let mut writer = Writer { record, exact, insts: Vec::new(), known };
        let result = writer.single(record.result)?;
        Some(Template { insts: writer.insts, result })
    }
}

struct Writer<'r> {
    record: &'r Record,
    /// True where the bits of a NaN in the result can be observed.
    exact: bool,
    insts: Vec<Inst>,
    known: Vec<Option<Id>>,
}

impl Writer<'_> {
    fn add(&mut self, inst: Inst) -> Id {
        self.insts.push(inst);
        self.insts.len() as Id - 1
    }

    /// A node that is an f32 or a truth value.
    fn single(&mut self, node: usize) -> Option<Id> {
        if let Some(id) = self.known[node] {
            return Some(id);
        }
        let inst = match self.record.nodes[node] {
            Node::Argument(index) => Inst::Source(Source::Argument(index)),
            Node::Single(bits) => Inst::Source(Source::Const(bits)),
            Node::Arithmetic(sign, ids) => {
                let op = match sign {
                    '+' => Binary::Add,
                    '-' => Binary::Sub,
                    '*' => Binary::Mul,
                    _ => Binary::Div,
                };
                Inst::Binary(op, self.singles(ids)?)
            }
            Node::Bits('&', ids) => Inst::Binary(Binary::And, self.singles(ids)?),
            Node::Bits('^', ids) => Inst::Binary(Binary::Xor, self.singles(ids)?),
            Node::Sqrt(id) => Inst::Sqrt(self.single(id)?),
            Node::Less(ids) => Inst::Compare(Compare::Less, self.singles(ids)?),
            Node::Same(ids) => Inst::Compare(Compare::Same, self.singles(ids)?),
            Node::LessTotal(ids) => {
                let keys = self.singles(ids)?.map(|id| self.add(Inst::Key(id)));
                Inst::LessBits(keys)
            }
            Node::Logic('&', ids) => Inst::And(self.singles(ids)?),
            Node::Logic(_, ids) => Inst::Or(self.singles(ids)?),
            Node::Not(id) => match self.record.nodes[id] {
                Node::Less(ids) => Inst::Compare(Compare::NotLess, self.singles(ids)?),
                Node::Same(ids) => Inst::Compare(Compare::NotSame, self.singles(ids)?),
                _ => Inst::Not(self.single(id)?),
            },
            Node::Select(ids) => Inst::Select(self.singles(ids)?),
            Node::WithNan(id, nan) => match self.record.nan_uses[node] {
                NanUse::None => return self.single(id),
                NanUse::Passes if !self.exact => return self.single(id),
                NanUse::Passes | NanUse::Observes => Inst::Canonical(self.single(id)?, nan),
            },
            Node::NarrowBits(id) => return self.low(id),
            _ => return None,
        };
        let id = self.add(inst);
        self.known[node] = Some(id);
        Some(id)
    }

    fn singles<const N: usize>(&mut self, nodes: [usize; N]) -> Option<[Id; N]> {
        let mut ids = [0; N];
        for (id, node) in ids.iter_mut().zip(nodes) {
            *id = self.single(node)?;
        }
        Some(ids)
    }

    /// The lower 32 bits of a node that is an f64, where they depend on nothing but other lower 32 bits.
    fn low(&mut self, node: usize) -> Option<Id> {
        let inst = match self.record.nodes[node] {
            Node::WidenBits(id) => return self.single(id),
            Node::Double(bits) => Inst::Source(Source::Const(bits as u32)),
            Node::Bits(sign, [a, b]) => {
                let op = match sign {
                    '&' => Binary::And,
                    '^' => Binary::Xor,
                    '+' => Binary::AddBits,
                    _ => Binary::SubBits,
                };
                Inst::Binary(op, [self.low(a)?, self.low(b)?])
            }
            _ => return None,
        };
        Some(self.add(inst))
    }
}

//! From an operation's record to a function that calls the library's primitives, step by step.

use super::library::{import, known};
use gpuzoo_ir::NAN;
use gpuzoo_ir::record::{Id, Node, Operation, Record, Type as Kind};
use naga::{
    BinaryOperator, Expression, Function, FunctionArgument, FunctionResult, Handle, Literal, Module, Scalar,
    Span, Statement, Type, TypeInner, UnaryOperator, VectorSize,
};

/// Appends the function of an operation under a name, behind those that it calls.
pub(super) fn build(module: &mut Module, operation: Operation, name: &str) -> Handle<Function> {
    let record = operation.record();
    let mut builder = Builder::new(module, name);
    let count = record.nodes.iter().filter(|node| matches!(node, Node::Argument(_))).count();
    for index in 0..count {
        builder.argument(index);
    }
    let live = live(record);
    let mut values: Vec<Option<Handle<Expression>>> = vec![None; record.nodes.len()];
    for (id, node) in record.nodes.iter().enumerate().filter(|(id, _)| live[*id]) {
        values[id] = builder.node(record, *node, &values);
    }
    builder.finish(values.get(record.result).copied().flatten())
}

/// The nodes that the result depends on.
fn live(record: &Record) -> Vec<bool> {
    let mut live = vec![false; record.nodes.len()];
    live[record.result] = true;
    for (id, node) in record.nodes.iter().enumerate().rev() {
        if live[id] {
            node.operands(|operand| live[operand] = true);
        }
    }
    live
}

/// A function that grows by one statement at a time. Each value has a name, so that writers do not nest expressions.
struct Builder<'a> {
    module: &'a mut Module,
    function: Function,
    word: Handle<Type>,
    pair: Handle<Type>,
}

impl Builder<'_> {
    fn new<'a>(module: &'a mut Module, name: &str) -> Builder<'a> {
        let word = ty(module, TypeInner::Scalar(Scalar::U32));
        let pair = ty(module, TypeInner::Vector { size: VectorSize::Bi, scalar: Scalar::U32 });
        let result = Some(FunctionResult { ty: word, binding: None });
        let function = Function { name: Some(name.to_owned()), result, ..Function::default() };
        Builder { module, function, word, pair }
    }

    fn argument(&mut self, index: usize) {
        let name = char::from_u32('a' as u32 + index as u32).map(String::from);
        self.function.arguments.push(FunctionArgument { name, ty: self.word, binding: None });
    }

    fn finish(mut self, result: Option<Handle<Expression>>) -> Handle<Function> {
        self.function.body.push(Statement::Return { value: result }, Span::UNDEFINED);
        self.module.functions.append(self.function, Span::UNDEFINED)
    }

    /// The value of a node. None if an operand has none: operands come first, so that no record has such a node.
    fn node(
        &mut self,
        record: &Record,
        node: Node,
        values: &[Option<Handle<Expression>>],
    ) -> Option<Handle<Expression>> {
        let value = |id: Id| values.get(id).copied().flatten();
        let kind = |id: Id| record.types[id];
        let all = |ids: [Id; 2]| Some([value(ids[0])?, value(ids[1])?]);
        Some(match node {
            Node::Argument(index) => self.constant(Expression::FunctionArgument(index as u32)),
            Node::Single(bits) => self.literal(bits),
            Node::Double(bits) => self.double(bits),
            Node::Arithmetic(sign, ids) => {
                let name = match (kind(ids[0]), sign) {
                    (Kind::Double, '+') => "double_add",
                    (Kind::Double, '-') => "double_sub",
                    (Kind::Double, '*') => "double_mul",
                    (Kind::Double, _) => "double_div",
                    (_, '+') => "single_add",
                    (_, '-') => "single_sub",
                    (_, '*') => "single_mul",
                    (_, _) => "single_div",
                };
                self.call(name, &all(ids)?)?
            }
            Node::Sqrt(id) if kind(id) == Kind::Double => self.call("double_sqrt", &[value(id)?])?,
            Node::Sqrt(id) => self.call("single_sqrt", &[value(id)?])?,
            Node::Less(ids) => self.compare(kind(ids[0]), ["single_less", "double_less"], all(ids)?)?,
            Node::Same(ids) => self.compare(kind(ids[0]), ["single_same", "double_same"], all(ids)?)?,
            Node::LessTotal(ids) => {
                self.compare(kind(ids[0]), ["single_less_total", "double_less_total"], all(ids)?)?
            }
            Node::Logic('&', ids) => self.binary(BinaryOperator::LogicalAnd, all(ids)?),
            Node::Logic(_, ids) => self.binary(BinaryOperator::LogicalOr, all(ids)?),
            Node::Not(id) => {
                let expr = value(id)?;
                self.named(Expression::Unary { op: UnaryOperator::LogicalNot, expr })
            }
            Node::Select([condition, yes, no]) => {
                if let (Node::Single(yes), Node::Single(no)) = (record.nodes[yes], record.nodes[no]) {
                    return Some(self.either(value(condition)?, yes, no));
                }
                let (condition, accept, reject) = (value(condition)?, value(yes)?, value(no)?);
                self.named(Expression::Select { condition, accept, reject })
            }
            Node::Bits('&', ids) => self.binary(BinaryOperator::And, all(ids)?),
            Node::Bits('^', ids) => self.binary(BinaryOperator::ExclusiveOr, all(ids)?),
            Node::Bits('+', ids) => self.call("add64", &all(ids)?)?,
            Node::Bits(_, ids) => self.call("sub64", &all(ids)?)?,
            Node::Shift(direction, id, count) => self.shift(direction, value(id)?, count),
            Node::Widen(id) => self.call("widen", &[value(id)?])?,
            Node::WidenBits(id) => {
                let zero = self.literal(0);
                self.pair(value(id)?, zero)
            }
            Node::Narrow(id) => self.call("narrow", &[value(id)?])?,
            Node::NarrowBits(id) => self.half(value(id)?, 0),
            // The primitives for arithmetic have this NaN already.
            Node::WithNan(id, nan) if nan == NAN && computes(record.nodes[id]) => value(id)?,
            Node::WithNan(id, nan) => {
                let nan = self.literal(nan);
                self.call("with_nan", &[value(id)?, nan])?
            }
            Node::Pick(number, id) => {
                let low = self.half(value(id)?, 0);
                let table = table(self.module, &record.tables[number]);
                self.result(table, vec![low])
            }
        })
    }

    /// The word that bits name, the lowest bit first: a tree of choices, without those between the same words.
    ///
    /// GPUs would keep an array that is indexed by a value in memory, each lane its own: that is slower than the tree,
    /// and Mesa's lavapipe needs seconds to compile it.
    fn choice(&mut self, bits: &[Handle<Expression>], words: &[u32]) -> Handle<Expression> {
        let (same, half) = (words.iter().all(|word| *word == words[0]), words.len() / 2);
        match bits.split_last() {
            Some((highest, lower)) if !same => {
                if words[..half] == words[half..] {
                    return self.choice(lower, &words[..half]);
                }
                let [reject, accept] =
                    [&words[..half], &words[half..]].map(|words| self.choice(lower, words));
                self.named(Expression::Select { condition: *highest, accept, reject })
            }
            _ => self.literal(words[0]),
        }
    }

    /// One of two patterns, by bits: a choice between the patterns of -1 and 0 Mesa 22 takes for one of floats that may
    /// as well have -0.
    fn either(&mut self, condition: Handle<Expression>, yes: u32, no: u32) -> Handle<Expression> {
        let [one, zero, differ, no] = [1, 0, yes ^ no, no].map(|word| self.literal(word));
        let chosen = self.named(Expression::Select { condition, accept: one, reject: zero });
        let mask = self.binary(BinaryOperator::Subtract, [zero, chosen]);
        let change = self.binary(BinaryOperator::And, [mask, differ]);
        self.binary(BinaryOperator::ExclusiveOr, [change, no])
    }

    fn compare(
        &mut self,
        kind: Kind,
        [single, double]: [&str; 2],
        operands: [Handle<Expression>; 2],
    ) -> Option<Handle<Expression>> {
        self.call(if kind == Kind::Double { double } else { single }, &operands)
    }

    fn shift(&mut self, direction: char, value: Handle<Expression>, count: u32) -> Handle<Expression> {
        let [low, high] = [self.half(value, 0), self.half(value, 1)];
        let zero = self.literal(0);
        let step = count & 31;
        // `near` is the word that bits come into from the other one.
        let (along, back, near, far) = if direction == '<' {
            (BinaryOperator::ShiftLeft, BinaryOperator::ShiftRight, high, low)
        } else {
            (BinaryOperator::ShiftRight, BinaryOperator::ShiftLeft, low, high)
        };
        let ordered = |near, far| if direction == '<' { (far, near) } else { (near, far) };
        let (low, high) = if count >= 32 {
            ordered(self.shifted(along, far, step), zero)
        } else if step == 0 {
            ordered(near, far)
        } else {
            let [kept, comes] = [self.shifted(along, near, step), self.shifted(back, far, 32 - step)];
            let near = self.binary(BinaryOperator::InclusiveOr, [kept, comes]);
            ordered(near, self.shifted(along, far, step))
        };
        self.pair(low, high)
    }

    fn shifted(&mut self, op: BinaryOperator, value: Handle<Expression>, count: u32) -> Handle<Expression> {
        if count == 0 {
            return value;
        }
        let count = self.literal(count);
        self.binary(op, [value, count])
    }

    fn literal(&mut self, bits: u32) -> Handle<Expression> {
        self.constant(Expression::Literal(Literal::U32(bits)))
    }

    fn double(&mut self, bits: u64) -> Handle<Expression> {
        let [low, high] = [self.literal(bits as u32), self.literal((bits >> 32) as u32)];
        self.pair(low, high)
    }

    fn pair(&mut self, low: Handle<Expression>, high: Handle<Expression>) -> Handle<Expression> {
        self.named(Expression::Compose { ty: self.pair, components: vec![low, high] })
    }

    fn half(&mut self, base: Handle<Expression>, index: u32) -> Handle<Expression> {
        self.named(Expression::AccessIndex { base, index })
    }

    fn binary(&mut self, op: BinaryOperator, [left, right]: [Handle<Expression>; 2]) -> Handle<Expression> {
        self.named(Expression::Binary { op, left, right })
    }

    /// Calls a primitive. None if the library lacks it.
    fn call(&mut self, name: &str, arguments: &[Handle<Expression>]) -> Option<Handle<Expression>> {
        let function = known(self.module, name).or_else(|| import(self.module, name))?;
        Some(self.result(function, arguments.to_vec()))
    }

    fn result(
        &mut self,
        function: Handle<Function>,
        arguments: Vec<Handle<Expression>>,
    ) -> Handle<Expression> {
        // A result belongs to its call and is not emitted.
        let result = self.constant(Expression::CallResult(function));
        self.name(result);
        self.function
            .body
            .push(Statement::Call { function, arguments, result: Some(result) }, Span::UNDEFINED);
        result
    }

    /// What is there without being emitted: literals, arguments, results of calls.
    fn constant(&mut self, expression: Expression) -> Handle<Expression> {
        self.function.expressions.append(expression, Span::UNDEFINED)
    }

    fn named(&mut self, expression: Expression) -> Handle<Expression> {
        let handle = self.unnamed(expression);
        self.name(handle);
        handle
    }

    /// Emitted, but without a name: pointers have none.
    fn unnamed(&mut self, expression: Expression) -> Handle<Expression> {
        let before = self.function.expressions.len();
        let handle = self.function.expressions.append(expression, Span::UNDEFINED);
        let range = self.function.expressions.range_from(before);
        self.function.body.push(Statement::Emit(range), Span::UNDEFINED);
        handle
    }

    fn name(&mut self, handle: Handle<Expression>) {
        let name = format!("t{}", self.function.named_expressions.len());
        self.function.named_expressions.insert(handle, name);
    }
}

/// True for what gives [`NAN`] for every NaN by itself.
fn computes(node: Node) -> bool {
    matches!(node, Node::Arithmetic(..) | Node::Sqrt(_))
}

/// The function that looks a pair of words up by the lowest 7 bits of its argument. Tables are known by what is in
/// them, since several operations look things up in the same ones.
fn table(module: &mut Module, entries: &[u64; 128]) -> Handle<Function> {
    // Fowler, Noll and Vo's hash (FNV-1a) of the words.
    let words = entries.iter().flat_map(|entry| entry.to_le_bytes());
    let hash = words.fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    let name = format!("table_{hash:08x}");
    if let Some(function) = known(module, &name) {
        return function;
    }
    let mut builder = Builder::new(module, &name);
    builder.argument(0);
    if let Some(result) = &mut builder.function.result {
        result.ty = builder.pair;
    }
    let index = builder.constant(Expression::FunctionArgument(0));
    let zero = builder.literal(0);
    let bits: [Handle<Expression>; 7] = std::array::from_fn(|bit| {
        let mask = builder.literal(1 << bit);
        let bit = builder.binary(BinaryOperator::And, [index, mask]);
        builder.binary(BinaryOperator::NotEqual, [bit, zero])
    });
    let low = builder.choice(&bits, &entries.map(|entry| entry as u32));
    let high = builder.choice(&bits, &entries.map(|entry| (entry >> 32) as u32));
    let entry = builder.pair(low, high);
    builder.finish(Some(entry))
}

fn ty(module: &mut Module, inner: TypeInner) -> Handle<Type> {
    module.types.insert(Type { name: None, inner }, Span::UNDEFINED)
}

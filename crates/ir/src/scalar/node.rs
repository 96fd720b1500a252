//! Nodes: the operations of a graph, and the bits that they give.

use super::Id;
use crate::eval::uniform_index;
use crate::op::{Dot, Op1, Op2, Op3};
use crate::record::{NanUse, Operation};
use crate::vec4::Vec4;

/// One component of a value, or an effect. Operands come before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// These bits.
    Const(u32),
    /// A component of a uniform.
    Uniform {
        /// Number of the uniform.
        number: u16,
        /// 0 is x.
        component: u8,
    },
    /// A component of an input.
    Input {
        /// Number of the input.
        number: u16,
        /// 0 is x.
        component: u8,
    },
    /// A component of [`Inst::UniformAt`](crate::Inst::UniformAt).
    UniformAt {
        /// A signed integer.
        index: Id,
        /// Added to it, without wrapping.
        base: i32,
        /// Indices from 0 to one below this exist.
        count: u16,
        /// 0 is x.
        component: u8,
    },
    /// An operation on one number.
    Map1(Op1, Id),
    /// An operation on two numbers.
    Map2(Op2, [Id; 2]),
    /// An operation on three numbers.
    Map3(Op3, [Id; 3]),
    /// Pairs of factors; those that the product does not read are [`ZERO`](super::ZERO).
    Dot(Dot, [[Id; 2]; 4]),
    /// A texture read; the four nodes that follow are its texel's components.
    Sample {
        /// The texture unit.
        unit: u8,
        /// The coordinates.
        at: [Id; 4],
        /// No two reads have the same.
        number: u32,
    },
    /// A component of the texel that a [`Sample`](Node::Sample) reads.
    Texel(Id, u8),
    /// Kills lanes in which one of the four is below zero.
    Kill([Id; 4]),
}

impl Node {
    /// Calls `f` with each operand, in the order of the operation's arguments.
    #[inline]
    pub fn operands(&self, mut f: impl FnMut(Id)) {
        match self {
            Node::Const(_) | Node::Uniform { .. } | Node::Input { .. } => {}
            Node::UniformAt { index: a, .. } | Node::Map1(_, a) | Node::Texel(a, _) => f(*a),
            Node::Map2(_, ids) => ids.iter().copied().for_each(f),
            Node::Map3(_, ids) => ids.iter().copied().for_each(f),
            Node::Dot(dot, pairs) => pairs[..dot.terms()].as_flattened().iter().copied().for_each(f),
            Node::Sample { at, .. } | Node::Kill(at) => at.iter().copied().for_each(f),
        }
    }

    /// The same node with other operands.
    #[inline]
    pub fn map_operands(self, mut f: impl FnMut(Id) -> Id) -> Node {
        match self {
            Node::Const(_) | Node::Uniform { .. } | Node::Input { .. } => self,
            Node::UniformAt { index, base, count, component } => {
                Node::UniformAt { index: f(index), base, count, component }
            }
            Node::Map1(op, a) => Node::Map1(op, f(a)),
            Node::Map2(op, ids) => Node::Map2(op, ids.map(f)),
            Node::Map3(op, ids) => Node::Map3(op, ids.map(f)),
            Node::Dot(dot, mut pairs) => {
                pairs[..dot.terms()].as_flattened_mut().iter_mut().for_each(|id| *id = f(*id));
                Node::Dot(dot, pairs)
            }
            Node::Sample { unit, at, number } => Node::Sample { unit, at: at.map(f), number },
            Node::Texel(sample, component) => Node::Texel(f(sample), component),
            Node::Kill(at) => Node::Kill(at.map(f)),
        }
    }

    /// What it computes, if that depends on nothing but its operands, which are the operation's arguments.
    pub fn operation(&self) -> Option<Operation> {
        match *self {
            Node::Map1(op, _) => Some(Operation::One(op)),
            Node::Map2(op, _) => Some(Operation::Two(op)),
            Node::Map3(op, _) => Some(Operation::Three(op)),
            Node::Dot(dot, _) => Some(Operation::Dot(dot)),
            _ => None,
        }
    }

    /// Its bits, as the evaluator computes them; `get` gives those of its operands. Inputs and uniforms that are not
    /// there read as zeros.
    ///
    /// # Panics
    /// On texture reads and kills: they are up to a sampler, and no numbers.
    #[inline]
    pub fn eval(&self, get: impl Fn(Id) -> u32, inputs: &[Vec4], uniforms: &[Vec4]) -> u32 {
        let component = |vectors: &[Vec4], number: u16, component: u8| {
            vectors.get(usize::from(number)).map_or(0, |vector| vector[usize::from(component & 3)])
        };
        match *self {
            Node::Const(bits) => bits,
            Node::Uniform { number, component: c } => component(uniforms, number, c),
            Node::Input { number, component: c } => component(inputs, number, c),
            Node::UniformAt { index, base, count, component: c } => {
                uniform_index(get(index), base, count).map_or(0, |number| component(uniforms, number, c))
            }
            Node::Map1(op, a) => op.eval(get(a)),
            Node::Map2(op, [a, b]) => op.eval(get(a), get(b)),
            Node::Map3(op, [a, b, c]) => op.eval(get(a), get(b), get(c)),
            Node::Dot(dot, pairs) => {
                let mut factors = [[0; 4]; 2];
                for (term, [a, b]) in pairs.into_iter().enumerate().take(dot.terms()) {
                    factors[0][term] = get(a);
                    factors[1][term] = get(b);
                }
                dot.eval(factors[0], factors[1])
            }
            Node::Sample { .. } | Node::Texel(..) | Node::Kill(_) => {
                unreachable!("{self:?} is up to a sampler")
            }
        }
    }

    /// Its bits in several lanes, as [`eval`](Node::eval) gives them one by one; `column` has those of an operand.
    ///
    /// # Panics
    /// As [`eval`](Node::eval).
    #[inline(always)]
    pub fn eval_lanes<'c, const N: usize>(
        &self,
        to: &mut [u32; N],
        column: impl Fn(Id) -> &'c [u32; N],
        uniforms: &[Vec4],
    ) {
        match *self {
            // Apart from the others, so that the loop has nothing to decide but this: an index below one limit.
            Node::UniformAt { index, base, count, component } => {
                let uniforms = &uniforms[..uniforms.len().min(usize::from(count))];
                for (to, index) in to.iter_mut().zip(column(index)) {
                    let at = usize::try_from(i64::from(base) + i64::from(*index as i32));
                    let uniform = at.ok().and_then(|at| uniforms.get(at));
                    *to = uniform.map_or(0, |uniform| uniform[usize::from(component & 3)]);
                }
            }
            node => {
                for (lane, to) in to.iter_mut().enumerate() {
                    *to = node.eval(|operand| column(operand)[lane], &[], uniforms);
                }
            }
        }
    }

    /// How it uses a NaN in its operand number `argument`.
    pub(super) fn nan_use(&self, argument: usize) -> NanUse {
        match self {
            // A kill compares.
            Node::Kill(_) => NanUse::None,
            _ => self.operation().map_or(NanUse::Observes, |operation| operation.record().nan_uses[argument]),
        }
    }
}

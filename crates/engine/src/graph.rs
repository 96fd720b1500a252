//! From vec4 values to their components: a graph of scalar nodes.
//!
//! Only components that are read become nodes. Shuffles vanish: they say which node a component is. Equal nodes
//! are one, nodes of constants are computed here, and each node knows whether it can differ from lane to lane.

use gpuzoo_ir::passes::demand;
use gpuzoo_ir::{Dot, Function, Inst, ONE, Op1, Op2, Op3, Pick};
use rustc_hash::FxHashMap;

use crate::kernel::Options;

/// A node's place in [`Graph::nodes`].
pub(crate) type Id = u32;

/// One component of a value, or an effect. Operands come before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    Const(u32),
    Uniform {
        number: u16,
        component: u8,
    },
    Input {
        number: u16,
        component: u8,
    },
    UniformAt {
        index: Id,
        base: i32,
        count: u16,
        component: u8,
    },
    Map1(Op1, Id),
    Map2(Op2, [Id; 2]),
    Map3(Op3, [Id; 3]),
    /// Pairs of factors; those that the product does not read are zeros.
    Dot(Dot, [[Id; 2]; 4]),
    /// The four nodes that follow are its texel's components. No two reads have the same number: samplers may keep
    /// notes, and of two equal reads the second may see fewer lanes alive.
    Sample {
        unit: u8,
        at: [Id; 4],
        number: u32,
    },
    /// A component of the sample whose node is this far before it, less one.
    Texel(Id, u8),
    Kill([Id; 4]),
}

impl Node {
    /// Calls `f` with each operand.
    pub(crate) fn operands(&self, mut f: impl FnMut(Id)) {
        match self {
            Node::Const(_) | Node::Uniform { .. } | Node::Input { .. } => {}
            Node::UniformAt { index: a, .. } | Node::Map1(_, a) | Node::Texel(a, _) => f(*a),
            Node::Map2(_, ids) => ids.iter().copied().for_each(f),
            Node::Map3(_, ids) => ids.iter().copied().for_each(f),
            Node::Dot(dot, pairs) => {
                pairs[..terms(*dot)].iter().flatten().copied().for_each(f);
            }
            Node::Sample { at, .. } | Node::Kill(at) => at.iter().copied().for_each(f),
        }
    }
}

/// How many products a dot has.
pub(crate) fn terms(dot: Dot) -> usize {
    dot.mask().count_ones() as usize
}

/// The scalar form of a function.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    /// For each node, whether lanes can differ.
    pub(crate) varying: Vec<bool>,
    /// The components of the outputs, in the order of [`Function::outputs`].
    pub(crate) outputs: Vec<[Id; 4]>,
    reads: u32,
    known: FxHashMap<Node, Id>,
}

/// The constant 0 is always the first node.
pub(crate) const ZERO: Id = 0;

impl Graph {
    /// Of a verified function.
    pub(crate) fn new(function: &Function, options: &Options) -> Graph {
        let mut graph = Graph::default();
        let size = function.insts.len() * 3;
        graph.nodes.reserve(size);
        graph.varying.reserve(size);
        graph.known.reserve(size);
        graph.add(Node::Const(0), false);
        let masks = demand(function);
        let mut values: Vec<[Id; 4]> = Vec::with_capacity(function.insts.len());
        for (inst, mask) in function.insts.iter().zip(masks) {
            let unread = mask == 0 && !inst.has_effect();
            values.push(if unread { [ZERO; 4] } else { graph.value(inst, mask, &values, options) });
        }
        graph.outputs = function.outputs.iter().map(|(_, value)| values[value.index()]).collect();
        graph.fuse();
        graph
    }

    fn value(&mut self, inst: &Inst, mask: u8, values: &[[Id; 4]], options: &Options) -> [Id; 4] {
        let mut result = [ZERO; 4];
        let wanted = (0..4u8).filter(|component| mask >> component & 1 == 1);
        match *inst {
            Inst::Const(bits) => {
                wanted.for_each(|c| result[c as usize] = self.add(Node::Const(bits[c as usize]), false));
            }
            Inst::Input(number) => {
                let varying = !options.invariant.contains(&number);
                wanted.for_each(|component| {
                    result[component as usize] = self.add(Node::Input { number, component }, varying);
                });
            }
            Inst::Uniform(number) => wanted.for_each(|component| {
                result[component as usize] = self.add(Node::Uniform { number, component }, false);
            }),
            Inst::UniformAt { index, base, count } => {
                let index = values[index.index()][0];
                wanted.for_each(|component| {
                    let node = Node::UniformAt { index, base, count, component };
                    result[component as usize] = self.add(node, self.varying[index as usize]);
                });
            }
            Inst::Map1(op, a) => {
                let a = values[a.index()];
                wanted.for_each(|c| result[c as usize] = self.map1(op, a[c as usize]));
            }
            Inst::Map2(op, operands) => {
                let [a, b] = operands.map(|value| values[value.index()]);
                wanted.for_each(|c| result[c as usize] = self.map2(op, [a[c as usize], b[c as usize]]));
            }
            Inst::Map3(op, operands) => {
                let abc = operands.map(|value| values[value.index()]);
                wanted.for_each(|c| result[c as usize] = self.map3(op, abc.map(|ids| ids[c as usize])));
            }
            Inst::Dot(dot, operands) => {
                let [a, b] = operands.map(|value| values[value.index()]);
                result = [self.dot(dot, a, b); 4];
            }
            Inst::Shuffle(operands, picks) => {
                let [a, b] = operands.map(|value| values[value.index()]);
                wanted.for_each(|c| {
                    result[c as usize] = match picks[c as usize] {
                        Pick::A(from) => a[from as usize & 3],
                        Pick::B(from) => b[from as usize & 3],
                        Pick::Zero => ZERO,
                        Pick::One => self.add(Node::Const(ONE), false),
                    };
                });
            }
            Inst::Sample(unit, at) => {
                // Its result is up to the sampler, so it always counts as varying.
                let looked_at = options.coordinates.map_or(0b1111, |coordinates| coordinates(unit));
                let mut at = values[at.index()];
                let ignored = (0..4).filter(|component| looked_at >> component & 1 == 0);
                ignored.for_each(|component: usize| at[component] = ZERO);
                self.reads += 1;
                let sample = self.add(Node::Sample { unit, at, number: self.reads }, true);
                (0..4).for_each(|c| result[c as usize] = self.add(Node::Texel(sample, c), true));
            }
            Inst::Kill(a) => {
                result = values[a.index()];
                self.add(Node::Kill(result), true);
            }
        }
        result
    }

    /// The node, which may be known already.
    fn add(&mut self, node: Node, varying: bool) -> Id {
        let next = self.nodes.len() as Id;
        *self.known.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.varying.push(varying);
            next
        })
    }

    fn constant(&self, id: Id) -> Option<u32> {
        match self.nodes[id as usize] {
            Node::Const(bits) => Some(bits),
            _ => None,
        }
    }

    fn any_varies(&self, ids: &[Id]) -> bool {
        ids.iter().any(|id| self.varying[*id as usize])
    }

    fn map1(&mut self, op: Op1, a: Id) -> Id {
        match self.constant(a) {
            Some(a) => self.add(Node::Const(op.eval(a)), false),
            None => self.add(Node::Map1(op, a), self.varying[a as usize]),
        }
    }

    fn map2(&mut self, op: Op2, [a, b]: [Id; 2]) -> Id {
        if let (Some(a), Some(b)) = (self.constant(a), self.constant(b)) {
            return self.add(Node::Const(op.eval(a, b)), false);
        }
        self.add(Node::Map2(op, [a, b]), self.any_varies(&[a, b]))
    }

    fn map3(&mut self, op: Op3, [a, b, c]: [Id; 3]) -> Id {
        if let (Some(a), Some(b), Some(c)) = (self.constant(a), self.constant(b), self.constant(c)) {
            return self.add(Node::Const(op.eval(a, b, c)), false);
        }
        if op == Op3::FMad && self.varying[c as usize] && !self.any_varies(&[a, b]) {
            // The product is the same in all lanes; the same two roundings give the same bits.
            let product = self.map2(Op2::FMul, [a, b]);
            return self.map2(Op2::FAdd, [product, c]);
        }
        self.add(Node::Map3(op, [a, b, c]), self.any_varies(&[a, b, c]))
    }

    fn dot(&mut self, dot: Dot, a: [Id; 4], b: [Id; 4]) -> Id {
        let mut pairs = [[ZERO; 2]; 4];
        for term in 0..terms(dot) {
            pairs[term] = [a[term], b[term]];
        }
        let varying = self.any_varies(pairs.as_flattened());
        self.add(Node::Dot(dot, pairs), varying)
    }

    /// Sums of a product that nothing else reads become `fmad`. It rounds twice, as they do, and a NaN of the product
    /// makes a NaN of the sum; so the bits are the same.
    fn fuse(&mut self) {
        let mut uses = self.uses();
        for id in 0..self.nodes.len() {
            let Node::Map2(Op2::FAdd, [a, b]) = self.nodes[id] else { continue };
            if uses[id] == 0 {
                continue;
            }
            let product = |id: Id| match self.nodes[id as usize] {
                Node::Map2(Op2::FMul, factors) if self.varying[id as usize] => Some(factors),
                _ => None,
            };
            // A node that is both operands has two uses.
            let single = |id: Id| product(id).filter(|_| uses[id as usize] == 1);
            let (gone, [x, y], addend) = match (single(a), single(b)) {
                (Some(factors), _) => (a, factors, b),
                (None, Some(factors)) => (b, factors, a),
                (None, None) => continue,
            };
            self.nodes[id] = Node::Map3(Op3::FMad, [x, y, addend]);
            uses[gone as usize] = 0;
        }
    }

    /// How many live nodes and outputs read each node; 0 for dead ones, but effects count as read.
    pub(crate) fn uses(&self) -> Vec<u32> {
        let mut uses = vec![0; self.nodes.len()];
        self.outputs.iter().flatten().for_each(|id| uses[*id as usize] += 1);
        for (id, node) in self.nodes.iter().enumerate().rev() {
            uses[id] += u32::from(matches!(node, Node::Kill(_)));
            if uses[id] > 0 {
                node.operands(|operand| uses[operand as usize] += 1);
            }
        }
        uses
    }
}

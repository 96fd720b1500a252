//! From a function to its graph, in one pass.

use super::{Graph, Id, Node, Options, ZERO};
use crate::ONE;
use crate::function::{Function, Inst, Pick};
use crate::op::{Op2, Op3};
use crate::passes::demand;
use hashbrown::HashMap;

/// A graph while it grows, and the nodes that it has already.
struct Build<'a> {
    options: &'a Options<'a>,
    graph: Graph,
    known: HashMap<Node, Id>,
    /// Texture reads so far.
    reads: u32,
}

impl Graph {
    /// The graph of a [verified](crate::verify::verify) function.
    ///
    /// # Panics
    /// If the function is not well formed.
    pub fn new(function: &Function, options: &Options) -> Graph {
        let mut build = Build { graph: Graph::default(), known: HashMap::default(), options, reads: 0 };
        let size = function.insts.len() * 3;
        build.graph.nodes.reserve(size);
        build.graph.varying.reserve(size);
        build.known.reserve(size);
        build.add(Node::Const(0));
        let masks = demand(function);
        let mut values: Vec<[Id; 4]> = Vec::with_capacity(function.insts.len());
        for (inst, mask) in function.insts.iter().zip(masks) {
            let unread = mask == 0 && !inst.has_effect();
            values.push(if unread { [ZERO; 4] } else { build.value(inst, mask, &values) });
        }
        build.graph.outputs = function.outputs.iter().map(|(_, value)| values[value.index()]).collect();
        build.graph
    }
}

impl Build<'_> {
    /// The nodes of a value's components; [`ZERO`] for those that are not read.
    fn value(&mut self, inst: &Inst, mask: u8, values: &[[Id; 4]]) -> [Id; 4] {
        match *inst {
            Inst::Const(bits) => each(mask, |c| self.add(Node::Const(bits[usize::from(c)]))),
            Inst::Input(number) => each(mask, |component| self.add(Node::Input { number, component })),
            Inst::Uniform(number) => each(mask, |component| self.add(Node::Uniform { number, component })),
            Inst::UniformAt { index, base, count } => {
                let index = values[index.index()][0];
                each(mask, |component| self.add(Node::UniformAt { index, base, count, component }))
            }
            Inst::Map1(op, a) => {
                let a = values[a.index()];
                each(mask, |c| self.add(Node::Map1(op, a[usize::from(c)])))
            }
            Inst::Map2(op, operands) => {
                let [a, b] = operands.map(|value| values[value.index()]);
                each(mask, |c| self.add(Node::Map2(op, [a[usize::from(c)], b[usize::from(c)]])))
            }
            Inst::Map3(op, operands) => {
                let abc = operands.map(|value| values[value.index()]);
                each(mask, |c| self.map3(op, abc.map(|ids| ids[usize::from(c)])))
            }
            Inst::Dot(dot, operands) => {
                let [a, b] = operands.map(|value| values[value.index()]);
                let mut pairs = [[ZERO; 2]; 4];
                for term in 0..dot.terms() {
                    pairs[term] = [a[term], b[term]];
                }
                [self.add(Node::Dot(dot, pairs)); 4]
            }
            Inst::Shuffle(operands, picks) => {
                let [a, b] = operands.map(|value| values[value.index()]);
                each(mask, |c| match picks[usize::from(c)] {
                    Pick::A(from) => a[usize::from(from & 3)],
                    Pick::B(from) => b[usize::from(from & 3)],
                    Pick::Zero => ZERO,
                    Pick::One => self.add(Node::Const(ONE)),
                })
            }
            Inst::Sample(unit, at) => {
                let looked_at = self.options.coordinates.map_or(0b1111, |coordinates| coordinates(unit));
                let mut at = values[at.index()];
                let ignored = (0..4).filter(|component| looked_at >> component & 1 == 0);
                ignored.for_each(|component: usize| at[component] = ZERO);
                self.reads += 1;
                let sample = self.add(Node::Sample { unit, at, number: self.reads });
                [0, 1, 2, 3].map(|component| self.add(Node::Texel(sample, component)))
            }
            Inst::Kill(a) => {
                self.add(Node::Kill(values[a.index()]));
                values[a.index()]
            }
        }
    }

    fn map3(&mut self, op: Op3, [a, b, c]: [Id; 3]) -> Id {
        let varies = |id: Id| self.graph.varies(id);
        if op == Op3::FMad && varies(c) && !varies(a) && !varies(b) {
            // The product is the same in all lanes; the same two roundings give the same bits.
            let product = self.add(Node::Map2(Op2::FMul, [a, b]));
            return self.add(Node::Map2(Op2::FAdd, [product, c]));
        }
        self.add(Node::Map3(op, [a, b, c]))
    }

    /// A node, or the constant that it is; it may be there already.
    fn add(&mut self, node: Node) -> Id {
        let node = self.folded(node).map_or(node, Node::Const);
        let Graph { nodes, varying, .. } = &mut self.graph;
        *self.known.entry(node).or_insert_with(|| {
            let varies = match node {
                Node::Input { number, .. } => !self.options.invariant.contains(&number),
                // What they give is up to the sampler.
                Node::Sample { .. } | Node::Texel(..) | Node::Kill(_) => true,
                _ => {
                    let mut any = false;
                    node.operands(|operand| any |= varying[operand as usize]);
                    any
                }
            };
            nodes.push(node);
            varying.push(varies);
            nodes.len() as Id - 1
        })
    }

    /// The bits of an operation on constants.
    fn folded(&self, node: Node) -> Option<u32> {
        if !matches!(node, Node::Map1(..) | Node::Map2(..) | Node::Map3(..) | Node::Dot(..)) {
            return None;
        }
        let constant = |id: Id| match self.graph.nodes[id as usize] {
            Node::Const(bits) => Some(bits),
            _ => None,
        };
        let mut known = true;
        node.operands(|operand| known = known && constant(operand).is_some());
        known.then(|| node.eval(|id| constant(id).unwrap_or_default(), &[], &[]))
    }
}

/// One node for each component of the mask, [`ZERO`] for the others.
#[inline(always)]
fn each(mask: u8, mut node: impl FnMut(u8) -> Id) -> [Id; 4] {
    let mut ids = [ZERO; 4];
    for component in (0..4u8).filter(|component| mask >> component & 1 == 1) {
        ids[usize::from(component)] = node(component);
    }
    ids
}

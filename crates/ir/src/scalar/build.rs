//! From a function to its graph, in one pass.

use super::{Graph, Id, Node, Options, ZERO};
use crate::function::Function;
use crate::op::{Op2, Op3};
use crate::passes::demand;
use hashbrown::HashMap;

/// A graph while it grows, and the nodes that it has already.
pub(super) struct Build<'a> {
    pub(super) options: &'a Options<'a>,
    graph: Graph,
    known: HashMap<Node, Id>,
    /// Texture reads so far.
    pub(super) reads: u32,
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
    pub(super) fn map3(&mut self, op: Op3, [a, b, c]: [Id; 3]) -> Id {
        let varies = |id: Id| self.graph.varies(id);
        if op == Op3::FMad && varies(c) && !varies(a) && !varies(b) {
            // The product is the same in all lanes; the same two roundings give the same bits.
            let product = self.add(Node::Map2(Op2::FMul, [a, b]));
            return self.add(Node::Map2(Op2::FAdd, [product, c]));
        }
        self.add(Node::Map3(op, [a, b, c]))
    }

    /// A node, or the constant that it is; it may be there already.
    pub(super) fn add(&mut self, node: Node) -> Id {
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

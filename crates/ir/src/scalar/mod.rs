//! Functions component by component: the graph that every back end reads.
//!
//! A [`Function`](crate::Function) computes vec4s, because machines do. A back end (the engine's loops, machine
//! code, C) computes single numbers, and asks the same questions of it: which components are read at all, where
//! does one come from behind its swizzles and masks, which values are the same, which are the same for all lanes, and
//! where does it matter *which* NaN a NaN is. The answers are a [`Graph`]: a list of [`Node`]s, each of which is
//! one 32-bit number of one lane, and its operands are nodes above it.
//!
//! ```
//! use gpuzoo_ir::scalar::{Graph, Node, Options};
//! use gpuzoo_ir::{Builder, Op1, Op2, Pick};
//!
//! // output 0 = (x · scale, x · scale, |x · scale|, 1), of which a sine and three components of the product are not read
//! let mut b = Builder::default();
//! let (x, scale) = (b.input(0), b.uniform(0));
//! let product = b.map2(Op2::FMul, x, scale);
//! let _unread = b.map1(Op1::FSin, product);
//! let magnitude = b.map1(Op1::FAbs, product);
//! let result = b.shuffle(product, magnitude, [Pick::A(0), Pick::A(0), Pick::B(0), Pick::One]);
//! b.output(0, result);
//! let graph = Graph::new(&b.finish(), &Options::default());
//!
//! // Six nodes are all there is: no shuffle, no sine, of each value only component x.
//! assert_eq!(graph.nodes(), [
//!     Node::Const(0),
//!     Node::Input { number: 0, component: 0 },
//!     Node::Uniform { number: 0, component: 0 },
//!     Node::Map2(Op2::FMul, [1, 2]),
//!     Node::Map1(Op1::FAbs, 3),
//!     Node::Const(0x3f80_0000),
//! ]);
//! assert_eq!(graph.outputs(), [[3, 3, 4, 5]]);
//! // A uniform is the same in all lanes, and what is computed from an input is not.
//! assert_eq!([1, 2, 3].map(|id| graph.varies(id)), [true, false, true]);
//! // Two outputs and the magnitude read the product; nothing reads the zero.
//! assert_eq!(graph.uses(), [0, 1, 1, 3, 1, 1]);
//! // A NaN of the product can be seen in an output; which NaN the input is, can be seen nowhere.
//! assert_eq!([1, 3].map(|id| graph.exact()[id]), [false, true]);
//! ```
//!
//! # What a graph knows
//!
//! - **Demand.** A component that nothing reads has no node ([`demand`](crate::passes::demand)).
//! - **Shuffles are gone.** They say which node a component is, and nothing else.
//! - **Equal nodes are one**, but for texture reads: samplers may keep notes, and of two equal reads the second may see
//!   fewer lanes alive.
//! - **Operations on constants alone are constants**, computed as the evaluator computes them.
//! - **Varying and invariant.** What depends on constants, on uniforms, and on inputs that the caller declares
//!   [invariant](Options::invariant) is the same in all lanes ([`Graph::varies`]): a back end computes it once. A product
//!   of two such factors is therefore kept apart from a sum that varies.
//! - **Uses** ([`Graph::uses`]): how many live nodes and outputs read a node; none reads a dead one.
//! - **Exact NaNs** ([`Graph::exact`]): whether anything can tell one NaN in this node from another. Operations that
//!   compute give one certain NaN, processors any; putting the right one in its place costs more than a sum, and is left out
//!   where it cannot be observed. What an operation does with a NaN is found in its [record](crate::record).
//!
//! Everything here keeps every bit of every output. What pays for one back end only is a method that the others do not
//! call: [`Graph::fuse`].

mod build;
mod node;

pub use node::Node;

use crate::op::{Op2, Op3};
use crate::record::NanUse;

/// A node's place in [`Graph::nodes`].
pub type Id = u32;

/// The constant 0, which is always the first node.
pub const ZERO: Id = 0;

/// What a graph depends on besides its function.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// Inputs that are the same in all lanes.
    pub invariant: &'a [u16],
    /// The coordinates that the sampler looks at when it reads a unit, as a mask (bit 0 is x); the others are zeros. All
    /// four if this is not given.
    pub coordinates: Option<fn(unit: u8) -> u8>,
}

/// The scalar form of a function.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    varying: Vec<bool>,
    outputs: Vec<[Id; 4]>,
}

impl Graph {
    /// All nodes; operands come before what reads them.
    #[inline]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// One node.
    ///
    /// # Panics
    /// If the graph has no such node.
    #[inline]
    pub fn node(&self, id: Id) -> Node {
        self.nodes[id as usize]
    }

    /// True for what can differ from lane to lane; effects and texels count as varying.
    ///
    /// # Panics
    /// If the graph has no such node.
    #[inline]
    pub fn varies(&self, id: Id) -> bool {
        self.varying[id as usize]
    }

    /// The components of the outputs, in the order of [`Function::outputs`](crate::Function::outputs).
    #[inline]
    pub fn outputs(&self) -> &[[Id; 4]] {
        &self.outputs
    }

    /// For each node how many live nodes and outputs read it: 0 for dead ones, but a kill counts as read.
    pub fn uses(&self) -> Vec<u32> {
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

    /// For each node whether the bits of a NaN in it can be observed: in an output, by a sampler, or by an operation that
    /// sees bits. Where they cannot, any NaN will do.
    pub fn exact(&self) -> Vec<bool> {
        let uses = self.uses();
        let mut exact = vec![false; self.nodes.len()];
        self.outputs.iter().flatten().for_each(|id| exact[*id as usize] = true);
        for (id, node) in self.nodes.iter().enumerate().rev().filter(|(id, _)| uses[*id] > 0) {
            let own = exact[id];
            let mut argument = 0;
            node.operands(|operand| {
                exact[operand as usize] |= match node.nan_use(argument) {
                    NanUse::None => false,
                    NanUse::Passes => own,
                    NanUse::Observes => true,
                };
                argument += 1;
            });
        }
        exact
    }

    /// Makes one `fmad` of a sum and a product that nothing else reads, where the product varies. It rounds twice, as they
    /// do, and a NaN of the product makes a NaN of the sum; so the bits are the same. For back ends that would
    /// otherwise write the product to memory.
    pub fn fuse(&mut self) {
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
}

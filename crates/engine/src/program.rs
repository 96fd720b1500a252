//! The steps of a function, and which column holds what.

use gpuzoo_ir::scalar::{Graph, Id, Node, Options, ZERO};
use gpuzoo_ir::{Dot, Function, Op3};

use crate::scalars::takes_scalar;
use crate::step::{Column, INPUTS, NONE, Scalar, Step};

/// Where a component of an output is in the end.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// In this register, which can lie where the output goes.
    Home(Column),
    /// In this register, whose home is another output.
    Copy(Column),
    Input(Column),
    Scalar(Scalar),
}

/// What a kernel does: once per run the scalar nodes, then for each block the steps.
#[derive(Debug, Default)]
pub(crate) struct Program {
    /// Start values of all scalar registers: constants, else 0.
    pub(crate) scalars: Vec<u32>,
    /// The scalars to compute at the start of a run, in this order. Operands are scalars.
    pub(crate) once: Vec<(Scalar, Node)>,
    pub(crate) steps: Vec<Step>,
    /// Nodes that have no loops of their own; their operands are columns.
    pub(crate) each: Vec<Node>,
    /// Registers; columns from this number on are inputs.
    pub(crate) registers: u16,
    /// The components of inputs that are read, ordered by number; their place is their column less `registers`.
    pub(crate) inputs: Vec<(u16, u8)>,
    pub(crate) outputs: Vec<[Place; 4]>,
    pub(crate) kills: bool,
    #[cfg(feature = "jit")]
    pub(crate) origin: Box<Origin>,
}

/// What a program was made of: machine code is made of the same.
#[cfg(feature = "jit")]
#[derive(Debug, Default)]
pub(crate) struct Origin {
    pub(crate) graph: Graph,
    /// For each step the node that it computes or, of a splat, the node that reads the copy.
    pub(crate) nodes: Vec<Id>,
    at: Vec<At>,
}

/// Where a node's value is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum At {
    Nowhere,
    Register(u16),
    Input(u16),
    Scalar(Scalar),
}

/// Allocates registers in one linear pass over the nodes.
struct Allocator<'g> {
    graph: &'g Graph,
    program: Program,
    /// For each step its node; see [`Origin::nodes`].
    nodes: Vec<Id>,
    current: Id,
    at: Vec<At>,
    /// Reads that are still to come.
    uses: Vec<u32>,
    /// Registers that hold nothing; the one used last is taken first, because it is in the cache.
    free: Vec<u16>,
    count: usize,
    /// Registers that the current step borrows for copies of scalars.
    borrowed: Vec<u16>,
}

impl Program {
    /// The program of a function; `None` if it needs 2¹⁵ registers, 2¹⁵ - 1 inputs, or more than 2¹⁶ scalars.
    pub(crate) fn new(function: &Function, options: &Options) -> Option<Program> {
        let mut graph = Graph::new(function, options);
        graph.fuse();
        let size = graph.nodes().len();
        let mut allocator = Allocator {
            graph: &graph,
            program: Program::default(),
            nodes: Vec::with_capacity(size),
            current: ZERO,
            at: vec![At::Nowhere; size],
            uses: graph.uses(),
            free: Vec::new(),
            count: 0,
            borrowed: Vec::new(),
        };
        allocator.program.steps.reserve(size);
        allocator.find_inputs()?;
        for id in 0..size {
            if allocator.uses[id] > 0 {
                allocator.current = id as Id;
                allocator.node(id as Id)?;
            }
        }
        let mut homes = std::collections::HashSet::new();
        let mut place = |id: &Id| match allocator.at[*id as usize] {
            At::Scalar(scalar) => Place::Scalar(scalar),
            At::Register(register) if homes.insert(register) => Place::Home(register),
            At::Register(register) => Place::Copy(register),
            At::Input(input) => Place::Input(INPUTS | input),
            At::Nowhere => unreachable!("outputs are live"),
        };
        let outputs: Vec<[Place; 4]> = graph
            .outputs()
            .iter()
            .map(|ids| std::array::from_fn(|component| place(&ids[component])))
            .collect();
        let mut program = allocator.program;
        program.outputs = outputs;
        program.registers = u16::try_from(allocator.count).ok().filter(|count| *count < INPUTS)?;
        #[cfg(feature = "jit")]
        {
            let Allocator { nodes, at, .. } = allocator;
            program.origin = Box::new(Origin { graph, nodes, at });
        }
        Some(program)
    }

    /// Where a live node's value is, before and after its readers.
    #[cfg(feature = "jit")]
    pub(crate) fn place(&self, id: Id) -> crate::jit::Place {
        match self.origin.at[id as usize] {
            At::Register(register) => crate::jit::Place::Column(register),
            At::Input(input) => crate::jit::Place::Column(INPUTS | input),
            At::Scalar(scalar) => crate::jit::Place::Scalar(scalar),
            At::Nowhere => unreachable!("node {id} is not live"),
        }
    }
}

impl Allocator<'_> {
    fn find_inputs(&mut self) -> Option<()> {
        let mut found = Vec::new();
        for (id, node) in self.graph.nodes().iter().enumerate() {
            if let Node::Input { number, component } = *node
                && self.uses[id] > 0
                && self.graph.varies(id as Id)
            {
                found.push(((number, component), id));
            }
        }
        found.sort_unstable();
        if found.len() >= usize::from(INPUTS - 1) {
            return None;
        }
        for (index, (input, id)) in found.into_iter().enumerate() {
            self.at[id] = At::Input(index as u16);
            self.program.inputs.push(input);
        }
        Some(())
    }

    fn node(&mut self, id: Id) -> Option<()> {
        let node = self.graph.node(id);
        if !self.graph.varies(id) {
            return self.compute_once(id, node);
        }
        match node {
            Node::Const(_) | Node::Uniform { .. } | Node::Input { .. } => return Some(()),
            Node::Texel(sample, component) => {
                // The sample put it there, if it had readers then.
                debug_assert_eq!(sample + 1 + Id::from(component), id);
                return Some(());
            }
            Node::Sample { unit, at, .. } => {
                // What is not there reads as zeros.
                let at = at.map(|operand| if operand == ZERO { NONE } else { self.column(operand) });
                let mut to = [NONE; 4];
                for (texel, to) in (id as usize + 1..).zip(&mut to) {
                    if self.uses[texel] > 0 {
                        *to = self.take();
                        self.at[texel] = At::Register(*to);
                    }
                }
                self.push(Step::Sample { unit, to, at });
            }
            Node::Kill(at) => {
                let at = at.map(|operand| self.column(operand));
                self.push(Step::Kill(at));
                self.program.kills = true;
            }
            _ => {
                let step = self.step(node);
                let to = self.take();
                self.at[id as usize] = At::Register(to);
                self.push(step.with_destination(to));
            }
        }
        self.release(node);
        Some(())
    }

    /// A node that is computed once per run.
    fn compute_once(&mut self, id: Id, node: Node) -> Option<()> {
        let scalar = u16::try_from(self.program.scalars.len()).ok()?;
        self.at[id as usize] = At::Scalar(scalar);
        if let Node::Const(bits) = node {
            self.program.scalars.push(bits);
            return Some(());
        }
        let node = node.map_operands(|operand| match self.at[operand as usize] {
            At::Scalar(scalar) => Id::from(scalar),
            _ => unreachable!("what does not vary reads nothing that varies"),
        });
        self.program.scalars.push(0);
        self.program.once.push((scalar, node));
        Some(())
    }

    /// The step of a node that computes, its destination still open.
    fn step(&mut self, node: Node) -> Step {
        match node {
            Node::Map1(op, a) => Step::Map1(op, NONE, self.column(a)),
            Node::Map2(op, [a, b]) if takes_scalar(op) => match (self.scalar(a), self.scalar(b)) {
                (Some(a), _) if op.commutes() => Step::Map2Right(op, NONE, self.column(b), a),
                (Some(a), _) => Step::Map2Left(op, NONE, a, self.column(b)),
                (None, Some(b)) => Step::Map2Right(op, NONE, self.column(a), b),
                (None, None) => Step::Map2(op, NONE, [self.column(a), self.column(b)]),
            },
            Node::Map2(op, ids) => Step::Map2(op, NONE, ids.map(|id| self.column(id))),
            Node::Map3(Op3::FMad, [a, b, c]) => {
                let (a, b) = if self.scalar(a).is_some() { (b, a) } else { (a, b) };
                match (self.scalar(b), self.scalar(c)) {
                    (None, None) => Step::Map3(Op3::FMad, NONE, [a, b, c].map(|id| self.column(id))),
                    (Some(b), None) => Step::MadScale(NONE, self.column(a), b, self.column(c)),
                    (None, Some(c)) => Step::MadOffset(NONE, [a, b].map(|id| self.column(id)), c),
                    (Some(b), Some(c)) => Step::MadBoth(NONE, self.column(a), [b, c]),
                }
            }
            Node::Map3(op, ids) => Step::Map3(op, NONE, ids.map(|id| self.column(id))),
            Node::Dot(dot, pairs) => self.dot(dot, pairs),
            other => {
                let node = other.map_operands(|operand| Id::from(self.column(operand)));
                self.program.each.push(node);
                Step::Each(NONE, self.program.each.len() as u32 - 1)
            }
        }
    }

    fn dot(&mut self, dot: Dot, pairs: [[Id; 2]; 4]) -> Step {
        let terms = dot.terms();
        // Products commute, so the scalar may come second.
        let pairs = pairs.map(|[a, b]| if self.scalar(a).is_some() { [b, a] } else { [a, b] });
        if pairs[..terms].iter().all(|[_, b]| self.scalar(*b).is_some()) {
            let (mut columns, mut scalars) = ([NONE; 4], [0; 4]);
            for term in 0..terms {
                columns[term] = self.column(pairs[term][0]);
                scalars[term] = self.scalar(pairs[term][1]).unwrap_or(0);
            }
            return Step::DotScalars(dot, NONE, columns, scalars);
        }
        let mut columns = [[NONE; 4]; 2];
        for term in 0..terms {
            columns[0][term] = self.column(pairs[term][0]);
            columns[1][term] = self.column(pairs[term][1]);
        }
        Step::Dot(dot, NONE, columns)
    }

    fn scalar(&self, id: Id) -> Option<Scalar> {
        match self.at[id as usize] {
            At::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// The column of a node; a scalar is copied to one for the current step.
    fn column(&mut self, id: Id) -> Column {
        match self.at[id as usize] {
            At::Register(register) => register,
            At::Input(input) => INPUTS | input,
            At::Scalar(scalar) => {
                let register = self.take();
                self.borrowed.push(register);
                self.push(Step::Splat(register, scalar));
                register
            }
            At::Nowhere => unreachable!("operands come before what reads them"),
        }
    }

    fn push(&mut self, step: Step) {
        self.program.steps.push(step);
        self.nodes.push(self.current);
    }

    fn take(&mut self) -> u16 {
        self.free.pop().unwrap_or_else(|| {
            self.count += 1;
            // Too many are detected in the end.
            (self.count - 1) as u16
        })
    }

    /// Frees the registers that are not read after this node.
    fn release(&mut self, node: Node) {
        self.free.append(&mut self.borrowed);
        node.operands(|operand| {
            let uses = &mut self.uses[operand as usize];
            *uses -= 1;
            if *uses == 0
                && let At::Register(register) = self.at[operand as usize]
            {
                self.free.push(register);
            }
        });
    }
}

//! A program as a graph of operations on components: what is left of it when registers are only names.
//!
//! Each component of a temporary that an instruction writes is a [`Value`] of its own, which is written once. Outputs,
//! constants and the address register stay what they are: places, whose reads and writes keep their order.

pub mod lanes;
pub mod proof;
pub mod reference;
pub mod shape;
pub mod simplify;
pub mod tidy;

use crate::graph::shape::{Kind, SOURCES, Shape};
use gpuzoo_diag::Span;
use gpuzoo_isa::{FileKind, Inst, Isa, Mask, Operand, Program, Reg, Slot};
use gpuzoo_machine::target::slots::Slots;
use rustc_hash::FxHashMap as HashMap;

/// One component of a temporary, from where it is written to its last read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub u32);

impl Value {
    /// Its place in [`Code::values`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A component of a node's result.
    Node(usize, u8),
    /// A component of a temporary that nothing has written yet.
    Start(Reg, u8),
    /// Nothing reads it, and what wrote it is gone.
    Gone,
}

/// What stands in the place of a source.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// The operand as it was written. For a source that reads values, its register and its swizzle no longer count.
    pub operand: Operand,
    /// Of a temporary, what each place behind the swizzle reads, where it is needed.
    pub values: [Option<Value>; 4],
}

impl Source {
    /// True if it reads a temporary.
    pub fn is_temporary(&self) -> bool {
        self.values.iter().any(Option::is_some)
    }
}

/// What a node writes beside temporaries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The register: an output, a constant, the address register.
    pub reg: Reg,
    /// For each component that is written, the component of the result that it gets.
    pub from: [Option<u8>; 4],
}

impl Place {
    /// The components that are written.
    pub fn mask(&self) -> Mask {
        Mask((0..4).fold(0, |mask, at| mask | u8::from(self.from[at].is_some()) << at))
    }
}

/// One operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The mnemonic, which may be in both halves.
    pub name: &'static str,
    /// How its result depends on its sources.
    pub shape: Shape,
    /// Its sources.
    pub sources: Vec<Source>,
    /// The components of its result that go to temporaries.
    pub results: [Option<Value>; 4],
    /// Where its result goes besides.
    pub place: Option<Place>,
    /// The text it comes from.
    pub span: Span,
}

impl Node {
    /// The components of the result that something needs.
    pub fn wanted(&self) -> Mask {
        let results = (0..4).filter(|at| self.results[*at].is_some()).fold(0, |mask, at| mask | 1 << at);
        let placed = self.place.iter().flat_map(|place| place.from).flatten();
        Mask(placed.fold(results, |mask, at| mask | 1 << at))
    }

    /// The values it reads, each once for each place that reads it.
    pub fn reads(&self) -> impl Iterator<Item = Value> + '_ {
        self.sources.iter().flat_map(|source| source.values).flatten()
    }

    /// True if a source reads a constant at a computed number.
    pub fn is_relative(&self) -> bool {
        self.sources.iter().any(|source| source.operand.relative)
    }

    /// Leaves out of the sources what no component that is wanted needs.
    pub fn narrow(&mut self) {
        let wanted = self.wanted();
        for (at, source) in self.sources.iter_mut().enumerate() {
            let needs = self.shape.needs(at, wanted);
            for (component, value) in source.values.iter_mut().enumerate() {
                if !needs.has(component as u8) {
                    *value = None;
                }
            }
        }
    }
}

/// The graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Code {
    /// Operations; what a node reads is written before it.
    pub nodes: Vec<Node>,
    /// Where each value comes from.
    pub values: Vec<Origin>,
}

/// Why a program is not a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Odd {
    /// Part of a slot is undefined.
    Undefined(Span),
    /// An instruction is none of a plain machine's.
    Instruction(Span),
}

impl Code {
    /// The graph of a program.
    ///
    /// # Errors
    /// If the program has parts whose meaning is not that of plain instructions.
    pub fn new(isa: &Isa, slots: &dyn Slots, program: &Program, profiles: usize) -> Result<Code, Odd> {
        let mut build = Build {
            isa,
            slots,
            profiles,
            code: Code { nodes: Vec::new(), values: Vec::new() },
            now: HashMap::default(),
            shapes: HashMap::default(),
        };
        for slot in slots.running(program) {
            build.slot(slot)?;
        }
        let mut code = build.code;
        code.remove_dead();
        Ok(code)
    }

    /// A new value.
    fn value(&mut self, origin: Origin) -> Value {
        self.values.push(origin);
        Value(self.values.len() as u32 - 1)
    }

    /// The node that writes a value.
    pub fn writer(&self, value: Value) -> Option<(usize, u8)> {
        match self.values[value.index()] {
            Origin::Node(node, component) => Some((node, component)),
            Origin::Start(..) | Origin::Gone => None,
        }
    }

    /// The component of its register at which a value must be, if there is one.
    pub fn fixed(&self, value: Value) -> Option<u8> {
        let (node, component) = self.writer(value)?;
        let node = &self.nodes[node];
        let is_placed = || node.place.is_some_and(|place| place.from.contains(&Some(component)));
        let is_fixed = node.shape.kind == Kind::Own || node.shape.kind == Kind::Each && is_placed();
        is_fixed.then_some(component)
    }

    /// Takes out what nothing needs: components of results, and nodes of which nothing is left.
    pub fn remove_dead(&mut self) {
        let mut read = vec![false; self.values.len()];
        let mut kept = vec![false; self.nodes.len()];
        for (at, node) in self.nodes.iter_mut().enumerate().rev() {
            for result in &mut node.results {
                *result = result.filter(|value| read[value.index()]);
            }
            if node.wanted().is_empty() {
                continue;
            }
            kept[at] = true;
            node.narrow();
            node.reads().for_each(|value| read[value.index()] = true);
        }
        self.keep(&kept);
    }

    /// Leaves out nodes.
    pub fn keep(&mut self, kept: &[bool]) {
        let mut moved = Vec::with_capacity(kept.len());
        let mut count = 0;
        for kept in kept {
            moved.push(count);
            count += usize::from(*kept);
        }
        let mut at = 0;
        self.nodes.retain(|_| {
            at += 1;
            kept[at - 1]
        });
        for origin in &mut self.values {
            if let Origin::Node(node, component) = *origin {
                *origin = if kept[node] { Origin::Node(moved[node], component) } else { Origin::Gone };
            }
        }
    }
}

struct Build<'a> {
    isa: &'a Isa,
    slots: &'a dyn Slots,
    profiles: usize,
    code: Code,
    /// What each component of each temporary holds.
    now: HashMap<(Reg, u8), Value>,
    shapes: HashMap<(&'static str, usize), Option<Shape>>,
}

impl Build<'_> {
    fn is_temporary(&self, reg: Reg) -> bool {
        matches!(self.isa.file(reg).kind, FileKind::Temporary(_)) && self.isa.address != Some(reg)
    }

    fn shape(&mut self, name: &'static str, sources: usize) -> Option<Shape> {
        let Build { isa, slots, profiles, shapes, .. } = self;
        *shapes.entry((name, sources)).or_insert_with(|| Shape::of(isa, *slots, name, sources, *profiles))
    }

    /// The value of a component as it is now.
    fn read(&mut self, reg: Reg, component: u8) -> Value {
        if let Some(value) = self.now.get(&(reg, component)) {
            return *value;
        }
        let value = self.code.value(Origin::Start(reg, component));
        self.now.insert((reg, component), value);
        value
    }

    fn slot(&mut self, slot: &Slot) -> Result<(), Odd> {
        let statements = self.slots.statements(slot).ok_or(Odd::Undefined(slot.span))?;
        // Statements of the slot that compute the same are one node.
        let mut nodes: Vec<(Inst, Node)> = Vec::new();
        let mut written: Vec<(usize, Operand)> = Vec::new();
        for inst in &statements {
            let same = |known: &Inst| {
                known.op.name == inst.op.name
                    && known.reads().map(|(_, o)| *o).eq(inst.reads().map(|(_, o)| *o))
            };
            let at = match nodes.iter().position(|(known, _)| same(known)) {
                Some(at) => at,
                None => {
                    let node = self.node(inst, slot.span)?;
                    nodes.push((*inst, node));
                    nodes.len() - 1
                }
            };
            written.push((at, self.slots.destination(inst)));
        }
        let first = self.code.nodes.len();
        self.code.nodes.extend(nodes.into_iter().map(|(_, node)| node));
        for (at, destination) in written {
            self.write(first + at, &destination, slot.span)?;
        }
        Ok(())
    }

    fn node(&mut self, inst: &Inst, span: Span) -> Result<Node, Odd> {
        let sources: Vec<Operand> = inst.reads().map(|(_, operand)| *operand).collect();
        let shape = self.shape(inst.op.name, sources.len()).filter(|_| sources.len() <= SOURCES);
        let shape = shape.ok_or(Odd::Instruction(span))?;
        let mut source = |operand: Operand| {
            let mut values = [None; 4];
            if self.is_temporary(operand.reg) {
                for (value, component) in values.iter_mut().zip(operand.swizzle.components()) {
                    *value = Some(self.read(operand.reg, component));
                }
            }
            Source { operand, values }
        };
        let sources = sources.into_iter().map(&mut source).collect();
        Ok(Node { name: inst.op.name, shape, sources, results: [None; 4], place: None, span })
    }

    fn write(&mut self, node: usize, destination: &Operand, span: Span) -> Result<(), Odd> {
        let components = (0..4u8).filter(|component| destination.mask.has(*component));
        if !self.is_temporary(destination.reg) {
            let place = &mut self.code.nodes[node].place;
            if place.is_some() {
                return Err(Odd::Instruction(span));
            }
            let mut from = [None; 4];
            components.for_each(|component| from[usize::from(component)] = Some(component));
            *place = Some(Place { reg: destination.reg, from });
            return Ok(());
        }
        for component in components {
            let known = self.code.nodes[node].results[usize::from(component)];
            let value = known.unwrap_or_else(|| self.code.value(Origin::Node(node, component)));
            self.code.nodes[node].results[usize::from(component)] = Some(value);
            self.now.insert((destination.reg, component), value);
        }
        Ok(())
    }
}

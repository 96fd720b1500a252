//! Which components of its sources each component of an instruction's result is computed from.
//!
//! The answer is read off the instruction's own meaning, in every profile, and nowhere else: it is lowered alone, and its
//! [graph](gpuzoo_ir::scalar) says what each component is.

use crate::graph::proof::expressions;
use gpuzoo_diag::Span;
use gpuzoo_ir::scalar::{Graph, Id, Node, Options};
use gpuzoo_ir::{Function, Value};
use gpuzoo_isa::{FileKind, Isa, Lowered, Mask, Operand, Profile, Program, Reg, Slot, Swizzle};
use gpuzoo_machine::target::slots::Slots;
use rustc_hash::FxHashMap as HashMap;

/// The most sources of an instruction.
pub const SOURCES: usize = 3;

/// How the components of a result relate to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All four are the same number: a dot product, a reciprocal.
    Same,
    /// Each is computed from the components at its own place, in the same way: a sum, a copy.
    Each,
    /// Each has a meaning of its own: `lit`.
    Own,
}

/// The shape of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// How the components relate.
    pub kind: Kind,
    /// For each component of the result, the places of each source, behind its swizzle, that it is computed from.
    pub reads: [[Mask; SOURCES]; 4],
    /// True if the first two sources can change places.
    pub commutes: bool,
}

impl Shape {
    /// The places of a source that are read for some components of the result.
    pub fn needs(&self, source: usize, results: Mask) -> Mask {
        let of = |component: usize| self.reads[component].get(source).map_or(0, |mask| mask.0);
        Mask((0..4).filter(|component| results.has(*component as u8)).fold(0, |mask, own| mask | of(own)))
    }

    /// The shape of an instruction with so many sources, the same for all `profiles`. None if the machine has no such
    /// instruction, or its meaning is not that of a plain one.
    pub fn of(isa: &Isa, slots: &dyn Slots, name: &str, sources: usize, profiles: usize) -> Option<Shape> {
        let shapes =
            (0..profiles).map(|profile| Shape::in_profile(isa, slots, name, sources, Profile(profile as u8)));
        let shapes: Vec<Shape> = shapes.collect::<Option<_>>()?;
        let first = *shapes.first()?;
        // A copy in one profile may be less than that in another.
        let kind = if shapes.iter().all(|shape| shape.kind == first.kind) { first.kind } else { Kind::Own };
        let mut reads = first.reads;
        for (component, reads) in reads.iter_mut().enumerate() {
            for (source, mask) in reads.iter_mut().enumerate() {
                *mask = Mask(shapes.iter().fold(0, |all, shape| all | shape.reads[component][source].0));
            }
        }
        let commutes = shapes.iter().all(|shape| shape.commutes);
        Some(Shape { kind, reads, commutes })
    }

    fn in_profile(
        isa: &Isa,
        slots: &dyn Slots,
        name: &str,
        sources: usize,
        profile: Profile,
    ) -> Option<Shape> {
        let inputs: Vec<Reg> = isa.regs(|kind| kind == FileKind::Input).take(sources).collect();
        let output = isa.regs(|kind| matches!(kind, FileKind::Output(_))).next()?;
        // As it is, with the first two sources exchanged, and with each component in all places.
        let swizzles = [Swizzle::IDENTITY; 2].into_iter().chain((0..4).map(Swizzle::broadcast));
        let all = swizzles.enumerate().map(|(at, swizzle)| {
            let mut sources: Vec<Operand> =
                inputs.iter().map(|reg| Operand { swizzle, ..Operand::of(*reg) }).collect();
            if at == 1 && sources.len() > 1 {
                sources.swap(0, 1);
            }
            let inst = slots.statement(name, Operand::of(output), &sources)?;
            Some(Slot { bits: isa.filler, inst: Some(inst), paired: None, span: Span::default() })
        });
        let program = Program { slots: all.collect::<Option<_>>()?, ..Program::default() };
        let Lowered { function, steps, .. } = isa.lower(&program, profile, &[]);
        // What is written may be another register than an output: that is up to the instruction.
        let written = steps.iter().map(|step| step.writes.first().map(|(_, value, _)| *value));
        let written: Vec<Value> = written.collect::<Option<_>>()?;
        let outputs = (0..).zip(written).collect();
        let graph = Graph::new(&Function { outputs, ..function }, &Options::default());
        let results = graph.outputs();
        let (plain, others) = results.split_first()?;
        let (exchanged, spread) = others.split_first()?;
        let same = expressions(&graph, &mut HashMap::default());
        let is_same = |(one, other): (&Id, &Id)| same[*one as usize] == same[*other as usize];
        let commutes = sources > 1 && plain.iter().zip(exchanged).all(is_same);
        let kind = if plain.iter().all(|id| *id == plain[0]) {
            Kind::Same
        } else if plain.iter().zip(spread).all(|(id, spread)| spread.iter().all(|other| other == id)) {
            Kind::Each
        } else {
            Kind::Own
        };
        let mut reads = [[Mask(0); SOURCES]; 4];
        for (id, reads) in plain.iter().zip(&mut reads) {
            leaves(&graph, *id, &mut |number, component| {
                if let Some(source) = inputs.iter().position(|input| input.index == number) {
                    reads[source].0 |= 1 << component;
                }
            });
        }
        Some(Shape { kind, reads, commutes })
    }
}

/// The components of inputs that a node is computed from.
fn leaves(graph: &Graph, id: Id, found: &mut dyn FnMut(u16, u8)) {
    match graph.node(id) {
        Node::Input { number, component } => found(number, component),
        node => node.operands(|operand| leaves(graph, operand, found)),
    }
}

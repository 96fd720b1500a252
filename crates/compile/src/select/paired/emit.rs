//! From a plan to the graph that is scheduled: instructions in an order, constants with their numbers, the address register set where
//! it has to be.

use super::bundle::{Bundle, Class, Source};
use super::plan::{Plan, Shapes};
use super::terms::{Id, Operand, Term};
use crate::graph::shape::Shape;
use crate::graph::simplify::filled;
use crate::graph::{Code, Node, Origin, Place, Source as Read, Value};
use gpuzoo_diag::Span;
use gpuzoo_isa::{FileKind, Isa, Operand as Written, Reg};
use rustc_hash::FxHashMap as HashMap;

/// A graph and where its parts come from.
#[derive(Clone, Debug)]
pub struct Emitted {
    /// The graph.
    pub code: Code,
    /// For each value the instruction of the function that it comes from, and the component.
    pub labels: Vec<(u32, u8)>,
    /// Numbers that are known, from the first constant behind the uniforms on.
    pub literals: Vec<[u32; 4]>,
}

/// The graph of a plan. `first` is the constant of the first literals, `span` the place of an instruction of the function.
pub fn emit(
    isa: &Isa,
    plan: &Plan,
    shapes: &Shapes,
    first: u16,
    span: &dyn Fn(u32) -> Span,
) -> Option<Emitted> {
    let constant = isa.regs(|kind| kind == FileKind::Constant).next()?;
    let temporary = isa.regs(|kind| matches!(kind, FileKind::Temporary(_))).next()?;
    let mut emit = Emit {
        isa,
        plan,
        constant: Reg { index: first, ..constant },
        temporary,
        span,
        code: Code { nodes: Vec::new(), values: Vec::new() },
        labels: Vec::new(),
        values: HashMap::default(),
        is_read: vec![false; plan.terms.len()],
    };
    for operand in plan.bundles.iter().flat_map(Bundle::operands) {
        emit.is_read[operand.id] = true;
        if let Term::Relative(index, ..) = plan.terms.term(operand.id) {
            emit.is_read[index.id] = true;
        }
    }
    emit.all(shapes)?;
    let mut literals = Vec::new();
    for known in &plan.literals {
        let mut all = [0; 4];
        all.iter_mut().zip(known).for_each(|(own, bits)| *own = *bits);
        literals.push(all);
    }
    Some(Emitted { code: emit.code, labels: emit.labels, literals })
}

struct Emit<'a> {
    isa: &'a Isa,
    plan: &'a Plan<'a>,
    /// The first constant of literals.
    constant: Reg,
    /// What stands for any temporary.
    temporary: Reg,
    span: &'a dyn Fn(u32) -> Span,
    code: Code,
    labels: Vec<(u32, u8)>,
    values: HashMap<Id, Value>,
    is_read: Vec<bool>,
}

impl Emit<'_> {
    /// All instructions, each behind those that it needs. Those that read constants at a computed number come while the address
    /// register holds it; it is set when nothing else can go on.
    fn all(&mut self, shapes: &Shapes) -> Option<()> {
        let plan = self.plan;
        let before: Vec<Vec<usize>> = plan.bundles.iter().map(|bundle| plan.before(bundle)).collect();
        let index = |at: usize| {
            plan.bundles[at].operands().find_map(|operand| match plan.terms.term(operand.id) {
                Term::Relative(index, ..) => Some(*index),
                _ => None,
            })
        };
        let indices: Vec<Option<Operand>> = (0..plan.bundles.len()).map(index).collect();
        let mut left: Vec<usize> = (0..plan.bundles.len()).collect();
        left.sort_by_key(|at| plan.bundles[*at].inst);
        let mut done = vec![false; plan.bundles.len()];
        let mut address: Option<Operand> = None;
        while !left.is_empty() {
            let is_ready = |at: &usize| before[*at].iter().all(|before| done[*before]);
            let is_free = |at: &usize| indices[*at].is_none_or(|index| Some(index) == address);
            if let Some(place) = left.iter().position(|at| is_free(at) && is_ready(at)) {
                let at = left.remove(place);
                self.bundle(&plan.bundles[at])?;
                done[at] = true;
                continue;
            }
            let next = left.iter().copied().find(is_ready)?;
            address = indices[next];
            self.set_address(address?, plan.bundles[next].inst, shapes)?;
        }
        Some(())
    }

    fn set_address(&mut self, index: Operand, inst: u32, shapes: &Shapes) -> Option<()> {
        let shape = *shapes.get("arl")?;
        let reg = self.isa.address?;
        let mut source = [None; 4];
        source[0] = Some(index);
        let source = self.source(None, &source)?;
        let from = [0, 1, 2, 3].map(Some);
        let place = Some(Place { reg, from });
        self.push("arl", &shape, vec![source], [None; 4], place, inst);
        Some(())
    }

    fn bundle(&mut self, bundle: &Bundle) -> Option<()> {
        let sources: Option<Vec<Read>> =
            bundle.sources.iter().map(|source| self.source(Some(bundle), source)).collect();
        let mut results = [None; 4];
        for (part, id) in bundle.parts.iter().enumerate() {
            let Some(id) = id.filter(|id| self.is_read[*id] && !self.values.contains_key(id)) else {
                continue;
            };
            let value = Value(self.code.values.len() as u32);
            self.code.values.push(Origin::Node(self.code.nodes.len(), part as u8));
            let made = self.plan.terms.made(id);
            self.labels.push((made.inst, made.lane));
            self.values.insert(id, value);
            results[part] = Some(value);
        }
        let place = bundle.place.map(|(reg, from)| Place { reg, from });
        self.push(bundle.name, &bundle.shape, sources?, results, place, bundle.inst);
        Some(())
    }

    fn push(
        &mut self,
        name: &'static str,
        shape: &Shape,
        sources: Vec<Read>,
        results: [Option<Value>; 4],
        place: Option<Place>,
        inst: u32,
    ) {
        let mut node = Node { name, shape: *shape, sources, results, place, span: (self.span)(inst) };
        node.narrow();
        self.code.nodes.push(node);
    }

    fn source(&self, bundle: Option<&Bundle>, source: &Source) -> Option<Read> {
        let first = source.iter().flatten().next()?;
        let class = Class::of(&self.plan.terms, first.id);
        let (reg, relative) = match class {
            Class::Temporary => {
                let operand = Written { negate: first.negate, ..Written::of(self.temporary) };
                let value = |operand: Operand| self.values.get(&operand.id).copied();
                let mut values = [None; 4];
                for (own, operand) in values.iter_mut().zip(source) {
                    if let Some(operand) = operand {
                        *own = Some(value(*operand)?);
                    }
                }
                return Some(Read { operand, values });
            }
            Class::Literal => {
                let literal = match bundle {
                    Some(bundle) => self.plan.literal(bundle, source)?,
                    None => return None,
                };
                (Reg { index: self.constant.index + literal as u16, ..self.constant }, false)
            }
            Class::Input(reg) | Class::Constant(reg) => (reg, false),
            Class::Relative(_, reg) => (reg, true),
        };
        let mut components = [None; 4];
        for (own, operand) in components.iter_mut().zip(source) {
            let Some(operand) = operand else { continue };
            *own = Some(match self.plan.terms.term(operand.id) {
                Term::Input(_, component)
                | Term::Constant(_, component)
                | Term::Relative(_, _, component) => *component,
                Term::Bits(bits) => {
                    let bits = bits ^ u32::from(operand.negate) << 31;
                    let known = &self.plan.literals[usize::from(reg.index - self.constant.index)];
                    known.iter().position(|own| *own == bits)? as u8
                }
                Term::Result { .. } => return None,
            });
        }
        let negate = first.negate && class != Class::Literal;
        let operand = Written { swizzle: filled(components), negate, relative, ..Written::of(reg) };
        Some(Read { operand, values: [None; 4] })
    }
}

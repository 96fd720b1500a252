//! From nodes that follow one another to the instructions of one loop.

use super::Place;
use super::template::{Binary, Compare, Id as InstId, Inst, Source, Template};
use gpuzoo_ir::scalar::{Graph, Id, Node};
use hashbrown::HashMap;

/// A loop: instructions in order.
#[derive(Debug, Default)]
pub(super) struct Segment {
    pub(super) insts: Vec<Inst>,
    known: HashMap<Inst, InstId>,
}

/// What is known of a graph's nodes.
pub(super) struct Facts<'g> {
    pub(super) graph: &'g Graph,
    /// Where the bits of a NaN can be observed: making it canonical takes longer than a sum.
    exact: Vec<bool>,
    /// The last node that reads each; outputs are read after all of them.
    last_reader: Vec<Id>,
}

impl Facts<'_> {
    pub(super) fn new(graph: &Graph) -> Facts<'_> {
        let uses = graph.uses();
        let mut last_reader = vec![0; uses.len()];
        for (id, node) in (0..).zip(graph.nodes()).filter(|(id, _)| uses[*id as usize] > 0) {
            node.operands(|operand| last_reader[operand as usize] = id);
        }
        graph.outputs().iter().flatten().for_each(|id| last_reader[*id as usize] = Id::MAX);
        Facts { graph, exact: graph.exact(), last_reader }
    }
}

impl Segment {
    /// The loop of some nodes, in their order, which have templates. What is read after the last of them is stored.
    pub(super) fn new(facts: &Facts, nodes: &[Id], place: impl Fn(Id) -> Place) -> Segment {
        let mut segment = Segment::default();
        segment.insts.reserve(nodes.len() * 4);
        segment.known.reserve(nodes.len() * 4);
        let end = nodes.last().copied().unwrap_or(0);
        let mut results: Vec<InstId> = Vec::with_capacity(nodes.len());
        let (mut arguments, mut ids) = (Vec::new(), Vec::new());
        for &node in nodes {
            arguments.clear();
            facts.graph.node(node).operands(|operand| {
                arguments.push(match (nodes.binary_search(&operand), facts.graph.node(operand)) {
                    (Ok(inside), _) => Argument::Inside(results[inside]),
                    (Err(_), Node::Const(bits)) => Argument::Outside(Source::Const(bits)),
                    (Err(_), _) => Argument::Outside(match place(operand) {
                        Place::Column(column) => Source::Column(column),
                        Place::Scalar(scalar) => Source::Scalar(scalar),
                    }),
                });
            });
            let operation = facts.graph.node(node).operation();
            let template = operation.and_then(|op| Template::of(op, facts.exact[node as usize]));
            let Some(template) = template else { unreachable!("node {node} has no template") };
            let result = segment.write(template, &arguments, &mut ids);
            results.push(result);
            if facts.last_reader[node as usize] > end {
                let Place::Column(column) = place(node) else { unreachable!("node {node} varies") };
                segment.add(Inst::Store(result, column));
            }
        }
        segment
    }

    /// Writes the instructions of an operation; `ids` is a buffer.
    fn write(&mut self, template: &Template, arguments: &[Argument], ids: &mut Vec<InstId>) -> InstId {
        ids.clear();
        for inst in &template.insts {
            ids.push(match *inst {
                Inst::Source(Source::Argument(argument)) => match arguments[argument] {
                    Argument::Inside(result) => result,
                    Argument::Outside(source) => self.add(Inst::Source(source)),
                },
                inst => self.add(inst.map(|id| ids[id as usize])),
            });
        }
        let result = ids[template.result as usize];
        // An operand as it is (of a minimum with NaN): it must be read now, before its column gets another value.
        match self.insts[result as usize] {
            Inst::Source(Source::Column(_)) => self.insert(Inst::Binary(Binary::And, [result; 2])),
            _ => result,
        }
    }

    /// An instruction, or a cheaper one that gives the same (peephole rules); it may be there already.
    fn add(&mut self, inst: Inst) -> InstId {
        match self.simplified(inst) {
            Ok(inst) => self.insert(inst),
            Err(id) => id,
        }
    }

    /// A shorter instruction, or a value that is there.
    fn simplified(&mut self, inst: Inst) -> Result<Inst, InstId> {
        let truth = |is: bool| Inst::Source(Source::Truth(is));
        match inst {
            // Comparisons that ask whether a number is NaN, of a number that is known.
            Inst::Compare(Compare::NotSame, [a, b]) if a == b => match self.insts[a as usize] {
                Inst::Source(Source::Const(bits)) => Ok(truth(f32::from_bits(bits).is_nan())),
                _ => Ok(inst),
            },
            Inst::And([a, b]) => match (self.truth(a), self.truth(b)) {
                (Some(true), _) => Err(b),
                (_, Some(true)) => Err(a),
                (Some(false), _) | (_, Some(false)) => Ok(truth(false)),
                _ => match self.insts[b as usize] {
                    Inst::Compare(how, pair) => Ok(Inst::CompareWhere(how, pair, a)),
                    _ => Ok(inst),
                },
            },
            Inst::Or([a, b]) => match (self.truth(a), self.truth(b)) {
                (Some(false), _) => Err(b),
                (_, Some(false)) => Err(a),
                (Some(true), _) | (_, Some(true)) => Ok(truth(true)),
                _ => Ok(inst),
            },
            Inst::Not(a) => Ok(self.truth(a).map_or(inst, |is| truth(!is))),
            Inst::Select([mask, yes, no]) => match (self.insts[mask as usize], self.truth(mask)) {
                (_, Some(is)) => Err(if is { yes } else { no }),
                // What the processor has in one instruction.
                (Inst::Compare(Compare::Less, pair), _) if pair == [yes, no] => {
                    Ok(Inst::Binary(Binary::Min, [yes, no]))
                }
                (Inst::Compare(Compare::Less, pair), _) if pair == [no, yes] => {
                    Ok(Inst::Binary(Binary::Max, [yes, no]))
                }
                // One of them may be that.
                (Inst::Or([a, b]), _)
                    if matches!(self.insts[a as usize], Inst::Compare(Compare::Less, _)) =>
                {
                    let inner = self.add(Inst::Select([a, yes, no]));
                    Ok(Inst::Select([b, yes, inner]))
                }
                _ => Ok(inst),
            },
            _ => Ok(inst),
        }
    }

    /// A truth value that is known.
    fn truth(&self, id: InstId) -> Option<bool> {
        match self.insts[id as usize] {
            Inst::Source(Source::Truth(is)) => Some(is),
            _ => None,
        }
    }

    fn insert(&mut self, inst: Inst) -> InstId {
        // Masks are made anew: there are too few registers to keep them from one operation to another.
        if inst.is_mask() {
            self.insts.push(inst);
            return self.insts.len() as InstId - 1;
        }
        *self.known.entry(inst).or_insert_with(|| {
            self.insts.push(inst);
            self.insts.len() as InstId - 1
        })
    }
}

/// An operand of an operation.
#[derive(Clone, Copy)]
enum Argument {
    /// What the loop computed before.
    Inside(InstId),
    Outside(Source),
}

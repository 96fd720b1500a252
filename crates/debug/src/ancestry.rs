//! The backward slice of register components.

use crate::slot::Computation;
use gpuzoo_ir::{self as ir, Inst, Pick, Vec4};
use gpuzoo_isa::{FileKind, Isa, Mask, Reg, RegRead, Step};
use gpuzoo_machine::session::{Dataflow, Name, ShaderSession};
use std::collections::BTreeMap;

/// Where a value comes from: a graph of writes, in the order of the run, each with what it was computed from.
///
/// ```
/// use gpuzoo_debug::{Ancestry, Origin};
/// use gpuzoo_isa::{Bits, FileKind, Isa, Lowered, Mask, Program, Reg, RegFile, RegRead, Room, Step, Syntax};
/// use gpuzoo_machine::session::{Dataflow, ShaderSession};
/// # static ISA: Isa = Isa {
/// #     halves: &[],
/// #     other_fields: &[],
/// #     files: &[RegFile::new("register", "r", 2, FileKind::Temporary([0; 4]))],
/// #     slot_words: 1,
/// #     room: Room::Slots(64),
/// #     last: None,
/// #     filler: Bits::word(0),
/// #     syntax: &Syntax::PLAIN,
/// #     address: None,
/// # };
///
/// // A machine's lowering makes this: slot 0 writes 2 to r0, and slot 1 its square root to r1.x.
/// let mut b = gpuzoo_ir::Builder::default();
/// let zero = b.floats([0.0; 4]);
/// b.set_origin(Some(0));
/// let two = b.floats([2.0; 4]);
/// b.set_origin(Some(1));
/// let root = b.map1(gpuzoo_ir::Op1::FSqrt, two);
/// let merged = b.merge(zero, root, 0b0001);
/// let [r0, r1] = [0, 1].map(|index| Reg { file: 0, index });
/// let steps = vec![
///     Step { slot: 0, part: 0, writes: vec![(r0, two, Mask::ALL)] },
///     Step { slot: 1, part: 0, writes: vec![(r1, merged, Mask(0b0001))] },
/// ];
/// let reads = vec![RegRead { slot: 1, part: 0, reg: r0, components: Mask(0b0001), value: two, index: None }];
/// let initial = vec![(r0, zero), (r1, zero)];
/// let lowered = Lowered { function: b.finish(), steps, reads, initial, ..Lowered::default() };
/// let run = move |_: &Program| Dataflow::run(lowered.clone(), &[], &[]);
/// let session = ShaderSession::new(&ISA, &Program::default(), run);
///
/// let ancestry = Ancestry::of(&ISA, &session, r1, Mask(0b0001), 2);
/// let origins: Vec<Origin> = ancestry.nodes.iter().map(|node| node.origin).collect();
/// assert_eq!(origins, [Origin::Step(0), Origin::Step(1)]);
/// assert_eq!((ancestry.nodes[0].components, ancestry.nodes[1].sources[0].node), (Mask(0b0001), 0));
/// // Component y was never written: it is what was there at the start.
/// let start = Ancestry::of(&ISA, &session, r1, Mask(0b0010), 2);
/// assert_eq!(start.nodes[0].origin, Origin::Start);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Ancestry {
    /// What was there before the run, then what its steps wrote, each register of a step once.
    pub nodes: Vec<Node>,
    /// What holds the components that were asked for.
    pub of: Vec<Link>,
}

/// A register that a step wrote, or that had its value before.
#[derive(Clone, Debug)]
pub struct Node {
    /// Who wrote it.
    pub origin: Origin,
    /// The register.
    pub reg: Reg,
    /// Its name.
    pub name: Name,
    /// Those of its components that matter.
    pub components: Mask,
    /// The whole value.
    pub value: Vec4,
    /// Its components that are integers; the others are floats.
    pub integers: Mask,
    /// What the components that matter were computed from.
    pub sources: Vec<Link>,
    /// The texture units that were read for it.
    pub samples: Vec<u8>,
}

/// Components of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its place among [`Ancestry::nodes`].
    pub node: usize,
    /// The components.
    pub components: Mask,
}

/// Who wrote a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// It is an input of the vertex or the fragment.
    Input,
    /// It is a constant.
    Constant,
    /// Nobody: it holds what it held before the first slot.
    Start,
    /// It was poked before the step of this number.
    Poke(usize),
    /// The step of this number.
    Step(usize),
}

/// Who gave a register its value, in the order of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Writer(usize);

impl Writer {
    /// It had the value before the first step.
    const NOBODY: Writer = Writer(0);

    /// Somebody who poked it before a step.
    const fn poke(step: usize) -> Writer {
        Writer(2 * step + 1)
    }

    const fn of_step(step: usize) -> Writer {
        Writer(2 * step + 2)
    }

    /// The step, if it is one.
    pub fn step(self) -> Option<usize> {
        (self.0 > 0 && self.0.is_multiple_of(2)).then(|| self.0 / 2 - 1)
    }

    /// The step before which it was poked, if it was.
    pub fn poked(self) -> Option<usize> {
        (!self.0.is_multiple_of(2)).then_some(self.0 / 2)
    }
}

/// A node before all are numbered.
type Key = (Writer, Reg);

struct Unnumbered {
    components: Mask,
    value: Vec4,
    integers: Mask,
    sources: Vec<(Key, Mask)>,
    samples: Vec<u8>,
}

/// Who wrote registers, by component. Who wrote what it read there, `r2.x` by a move of `r2.xxxx` to `r2`, is not among them.
pub(crate) struct Writes(BTreeMap<(Reg, u8), Vec<Writer>>);

impl Writes {
    pub fn of(flow: &Dataflow, steps: usize) -> Writes {
        let mut all: BTreeMap<(Reg, u8), Vec<Writer>> = BTreeMap::new();
        // What each register holds.
        let mut held: BTreeMap<Reg, ir::Value> = BTreeMap::new();
        for number in 0..=steps {
            for poked in flow.lowered().pokes.iter().filter(|poked| poked.step == number) {
                held.insert(poked.reg, poked.value);
                for component in (0..4).filter(|component| poked.components.has(*component)) {
                    all.entry((poked.reg, component)).or_default().push(Writer::poke(number));
                }
            }
            let step = flow.lowered().steps.get(number).filter(|_| number < steps);
            for &(reg, value, mask) in step.iter().flat_map(|step| &step.writes) {
                let before = held.insert(reg, value).or_else(|| start(flow, reg));
                let others = read_elsewhere(flow, step, reg);
                let stays = |component| stays(flow, value, component, before, &others);
                for component in (0..4).filter(|component| mask.has(*component) && !stays(*component)) {
                    all.entry((reg, component)).or_default().push(Writer::of_step(number));
                }
            }
        }
        Writes(all)
    }

    /// For each component who wrote it last before a step.
    pub fn before(&self, step: usize, reg: Reg, components: Mask) -> BTreeMap<Key, Mask> {
        let mut found: BTreeMap<Key, Mask> = BTreeMap::new();
        for component in (0..4).filter(|component| components.has(*component)) {
            let writers = self.0.get(&(reg, component)).map(Vec::as_slice).unwrap_or_default();
            let before = writers.partition_point(|known| *known <= Writer::poke(step));
            let writer = before.checked_sub(1).map_or(Writer::NOBODY, |last| writers[last]);
            found.entry((writer, reg)).or_insert(Mask(0)).0 |= 1 << component;
        }
        found
    }
}

/// What single components were computed from, for all steps of a run: one link of an ancestry at a time.
pub struct Parents<'a> {
    isa: &'a Isa,
    flow: &'a Dataflow,
    writes: Writes,
}

/// A component that another was computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parent {
    /// The step that wrote it; none for what was there before, and for what was poked.
    pub step: Option<usize>,
    /// The register.
    pub reg: Reg,
    /// The component.
    pub component: u8,
}

impl<'a> Parents<'a> {
    /// Of a run.
    pub fn new(isa: &'a Isa, session: &'a ShaderSession) -> Parents<'a> {
        let flow = session.dataflow();
        Parents { isa, flow, writes: Writes::of(flow, session.steps().len()) }
    }

    /// Of a component of a register that a step wrote.
    pub fn of(&self, step: usize, reg: Reg, component: u8) -> Vec<Parent> {
        let mut parents = Vec::new();
        let Some((slot, value)) = written(self.flow, step, reg) else { return parents };
        let own = Computation::of(self.flow, slot, value, Mask(1 << (component & 3)));
        let first = self.flow.first_step(step);
        let read =
            own.boundaries.iter().filter_map(|boundary| Some((first, boundary.reg?, boundary.components)));
        let sources =
            own.sources.iter().filter_map(|(inst, mask)| Some((0, register(self.isa, inst)?, *mask)));
        for (before, reg, components) in read.chain(sources) {
            for ((writer, reg), mask) in self.writes.before(before, reg, components) {
                let step = writer.step();
                let all = (0..4).filter(|component| mask.has(*component));
                parents.extend(all.map(|component| Parent { step, reg, component }));
            }
        }
        parents
    }
}

/// What a step reads of other registers.
fn read_elsewhere(flow: &Dataflow, step: Option<&Step>, reg: Reg) -> Vec<ir::Value> {
    let Some(step) = step else { return Vec::new() };
    let own = |read: &&RegRead| (read.slot, read.part) == (step.slot, step.part);
    let reads = flow.lowered().reads.iter().filter(own);
    reads.filter(|read| flow.found(read) != Some(reg)).map(|read| read.value).collect()
}

/// True if a component is moved from the same one of what was there `before`, and not by way of another register, whose writer would
/// matter.
fn stays(
    flow: &Dataflow,
    mut value: ir::Value,
    own: u8,
    before: Option<ir::Value>,
    others: &[ir::Value],
) -> bool {
    let mut component = own;
    loop {
        if others.contains(&value) {
            return false;
        }
        if before == Some(value) {
            return component == own;
        }
        match flow.lowered().function.insts.get(value.index()) {
            Some(Inst::Shuffle([a, b], picks)) => match picks[usize::from(component & 3)] {
                Pick::A(from) => (value, component) = (*a, from),
                Pick::B(from) => (value, component) = (*b, from),
                Pick::Zero | Pick::One => return false,
            },
            _ => return false,
        }
    }
}

/// What a step wrote to a register.
pub(crate) fn written(flow: &Dataflow, step: usize, reg: Reg) -> Option<(usize, ir::Value)> {
    let step = flow.lowered().steps.get(step)?;
    let write = step.writes.iter().find(|write| write.0 == reg)?;
    Some((step.slot, write.1))
}

/// The value that a register got from a writer.
pub(crate) fn held(flow: &Dataflow, writer: Writer, reg: Reg) -> Option<ir::Value> {
    if let Some(step) = writer.poked() {
        let mut pokes = flow.lowered().pokes.iter().rev();
        return pokes.find(|poked| poked.step == step && poked.reg == reg).map(|poked| poked.value);
    }
    let written = writer.step().and_then(|step| written(flow, step, reg));
    written.map(|(_, value)| value).or_else(|| start(flow, reg))
}

/// The value of a register before the first slot: of one that no slot reads or writes there is none.
fn start(flow: &Dataflow, reg: Reg) -> Option<ir::Value> {
    let initial = flow.lowered().initial.iter().find(|(known, _)| *known == reg);
    let read = || flow.lowered().reads.iter().find(|read| flow.found(read) == Some(reg));
    initial.map(|(_, value)| *value).or_else(|| read().map(|read| read.value))
}

/// The register of a file of a kind.
fn register(isa: &Isa, inst: &Inst) -> Option<Reg> {
    let (kind, index) = match inst {
        Inst::Input(index) => (FileKind::Input, *index),
        Inst::Uniform(index) => (FileKind::Constant, *index),
        _ => return None,
    };
    let file = isa.files.iter().position(|file| file.kind == kind)?;
    Some(Reg { file: u8::try_from(file).ok()?, index })
}

impl Ancestry {
    /// Of components of a register as they are before step `position` of a run; after all steps it is their number.
    pub fn of(isa: &Isa, session: &ShaderSession, reg: Reg, components: Mask, position: usize) -> Ancestry {
        let flow = session.dataflow();
        let writes = Writes::of(flow, session.steps().len());
        let mut open: BTreeMap<Key, Unnumbered> = BTreeMap::new();
        let mut done: BTreeMap<Key, Unnumbered> = BTreeMap::new();
        let want = |open: &mut BTreeMap<Key, Unnumbered>, step, reg, components| -> Vec<(Key, Mask)> {
            let found = writes.before(step, reg, components);
            for (key, mask) in &found {
                let node = open.entry(*key).or_insert_with(|| {
                    let value = held(flow, key.0, reg);
                    let integers = value.map_or(Mask(0), |value| flow.integers(value));
                    let integers = isa.integers(reg, integers);
                    let value = value.map_or([0; 4], |value| flow.value(value));
                    let (sources, samples) = (Vec::new(), Vec::new());
                    Unnumbered { components: Mask(0), value, integers, sources, samples }
                });
                node.components.0 |= mask.0;
            }
            found.into_iter().collect()
        };
        let asked = want(&mut open, position, reg, components);
        // From the last step to the first: when its turn comes, all that is wanted of a step is known.
        while let Some((key, mut node)) = open.pop_last() {
            let step = key.0.step();
            if let Some((step, (slot, value))) =
                step.and_then(|step| Some((flow.first_step(step), written(flow, step, key.1)?)))
            {
                let own = Computation::of(flow, slot, value, node.components);
                for boundary in &own.boundaries {
                    let Some(reg) = boundary.reg else { continue };
                    node.sources.extend(want(&mut open, step, reg, boundary.components));
                }
                for (inst, components) in &own.sources {
                    let Some(reg) = register(isa, inst) else { continue };
                    node.sources.extend(want(&mut open, 0, reg, *components));
                }
                node.samples = own.samples;
            }
            done.insert(key, node);
        }
        let numbers: BTreeMap<Key, usize> =
            done.keys().enumerate().map(|(number, key)| (*key, number)).collect();
        let links = |all: &[(Key, Mask)]| {
            let mut links: Vec<Link> = Vec::new();
            for (key, components) in all {
                let node = numbers.get(key).copied().unwrap_or_default();
                match links.iter_mut().find(|link| link.node == node) {
                    Some(link) => link.components.0 |= components.0,
                    None => links.push(Link { node, components: *components }),
                }
            }
            links.sort_by_key(|link| link.node);
            links
        };
        let node = |((writer, reg), node): (&Key, &Unnumbered)| Node {
            origin: match (writer.step(), writer.poked(), isa.file(*reg).kind) {
                (Some(step), ..) => Origin::Step(step),
                (_, Some(step), _) => Origin::Poke(step),
                (.., FileKind::Input) => Origin::Input,
                (.., FileKind::Constant) => Origin::Constant,
                _ => Origin::Start,
            },
            reg: *reg,
            name: session.name(*reg),
            components: node.components,
            value: node.value,
            integers: node.integers,
            sources: links(&node.sources),
            samples: node.samples.clone(),
        };
        Ancestry { of: links(&asked), nodes: done.iter().map(node).collect() }
    }

    /// The numbers of the steps among it, in their order.
    pub fn steps(&self) -> impl Iterator<Item = usize> {
        let mut last = None;
        let steps = self.nodes.iter().filter_map(|node| match node.origin {
            Origin::Step(step) => Some(step),
            _ => None,
        });
        steps.filter(move |step| last.replace(*step) != Some(*step))
    }
}

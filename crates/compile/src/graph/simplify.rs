//! What makes a graph smaller without a change of any bit: repeated operations, copies, writes that nobody sees.

use crate::graph::shape::Kind;
use crate::graph::{Code, Origin, Place, Source, Value};
use gpuzoo_isa::{FileKind, Isa, Mask, Operand, Reg, Swizzle};
use gpuzoo_machine::target::slots::Slots;
use rustc_hash::FxHashMap as HashMap;

/// A number that stands for what a component is: two with the same number have the same bits in every run.
type Number = u32;

/// What a number stands for.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    /// A component of a register that is not a temporary, after so many writes to such registers that may have changed it.
    Read { reg: Reg, component: u8, writes: u32 },
    /// A component of a constant at a computed number, after so many writes to such registers.
    Relative { reg: Reg, component: u8, writes: u32 },
    /// A temporary that nothing has written.
    Start(Reg, u8),
    /// Its sign cleared.
    Positive(Number),
    /// Its sign flipped.
    Negative(Number),
    /// A component of a result: the numbers that it is computed from, each source's in the order of its places.
    Result { name: &'static str, component: u8, from: Vec<Number> },
}

/// The numbers of a graph.
pub struct Numbers {
    known: HashMap<Key, Number>,
    /// Of each value.
    of: Vec<Number>,
    /// Of each component of each node's result.
    results: Vec<[Number; 4]>,
    /// What a number is, if that is a component of an input, or of a constant that nothing writes.
    plain: HashMap<Number, (Reg, u8)>,
}

impl Numbers {
    /// The numbers of all components.
    pub fn new(isa: &Isa, code: &Code) -> Numbers {
        let mut numbers = Numbers {
            known: HashMap::default(),
            of: vec![0; code.values.len()],
            results: Vec::new(),
            plain: HashMap::default(),
        };
        for (at, origin) in code.values.iter().enumerate() {
            if let Origin::Start(reg, component) = *origin {
                numbers.of[at] = numbers.number(Key::Start(reg, component));
            }
        }
        let constants_change = code
            .nodes
            .iter()
            .flat_map(|node| node.place)
            .any(|place| isa.file(place.reg).kind == FileKind::Constant);
        let mut writes = 0;
        for node in &code.nodes {
            let sources: Vec<[Number; 4]> = node
                .sources
                .iter()
                .map(|source| numbers.source(isa, source, writes, constants_change))
                .collect();
            let copies = node.name == "mov";
            let result = [0, 1, 2, 3].map(|component: usize| {
                if copies {
                    return sources[0][component];
                }
                let mut from = Vec::new();
                for (source, reads) in sources.iter().zip(node.shape.reads[component]) {
                    from.extend(
                        (0..4).filter(|place| reads.has(*place)).map(|place| source[usize::from(place)]),
                    );
                }
                let own = if node.shape.kind == Kind::Own { component as u8 } else { 0 };
                numbers.number(Key::Result { name: node.name, component: own, from })
            });
            for (component, value) in node.results.iter().enumerate() {
                if let Some(value) = value {
                    numbers.of[value.index()] = result[component];
                }
            }
            numbers.results.push(result);
            writes += u32::from(node.place.is_some());
        }
        numbers
    }

    fn number(&mut self, key: Key) -> Number {
        let next = self.known.len() as Number;
        *self.known.entry(key).or_insert(next)
    }

    fn source(&mut self, isa: &Isa, source: &Source, writes: u32, constants_change: bool) -> [Number; 4] {
        let operand = &source.operand;
        let kind = isa.file(operand.reg).kind;
        let changes = match kind {
            FileKind::Constant => constants_change,
            FileKind::Output(_) => true,
            _ => false,
        };
        let mut all = [0; 4];
        for (place, number) in all.iter_mut().enumerate() {
            let (reg, component) = (operand.reg, operand.swizzle.components()[place]);
            *number = match source.values[place] {
                Some(value) => self.of[value.index()],
                None if operand.relative => self.number(Key::Relative { reg, component, writes }),
                None => {
                    let number =
                        self.number(Key::Read { reg, component, writes: if changes { writes } else { 0 } });
                    if !changes {
                        self.plain.insert(number, (reg, component));
                    }
                    number
                }
            };
            if operand.abs {
                *number = self.number(Key::Positive(*number));
            }
            if operand.negate {
                *number = self.number(Key::Negative(*number));
            }
        }
        all
    }
}

/// Lets all that read a value read the first one of its number.
pub fn merge_equal(isa: &Isa, code: &mut Code) {
    let numbers = Numbers::new(isa, code);
    let mut first: HashMap<Number, Value> = HashMap::default();
    let mut instead: Vec<Value> = (0..code.values.len() as u32).map(Value).collect();
    for node in &code.nodes {
        for value in node.results.iter().flatten() {
            instead[value.index()] = *first.entry(numbers.of[value.index()]).or_insert(*value);
        }
    }
    for node in &mut code.nodes {
        let read = node.sources.iter_mut().flat_map(|source| &mut source.values).flatten();
        read.for_each(|value| *value = instead[value.index()]);
    }
    code.remove_dead();
}

/// Leaves out what is written to an output or to the address register and written again before anything reads it.
pub fn remove_overwritten(isa: &Isa, slots: &dyn Slots, code: &mut Code) {
    // Of each component, whether what is there now will be read.
    let mut needed: HashMap<(Reg, u8), bool> = HashMap::default();
    for node in code.nodes.iter_mut().rev() {
        if let Some(place) = &mut node.place {
            let is_address = isa.address == Some(place.reg);
            let is_output =
                matches!(isa.file(place.reg).kind, FileKind::Output(_)) && !slots.keeps_order(place.reg);
            if is_address {
                // Only its x component is ever read.
                let is_needed = needed.insert((place.reg, 0), false).unwrap_or(false);
                if !is_needed {
                    node.place = None;
                }
            } else if is_output {
                for component in 0..4u8 {
                    let from = &mut place.from[usize::from(component)];
                    if from.is_some() && !needed.insert((place.reg, component), false).unwrap_or(true) {
                        *from = None;
                    }
                }
                if place.mask().is_empty() {
                    node.place = None;
                }
            }
        }
        if node.is_relative()
            && let Some(address) = isa.address
        {
            needed.insert((address, 0), true);
        }
        for source in node
            .sources
            .iter()
            .filter(|source| matches!(isa.file(source.operand.reg).kind, FileKind::Output(_)))
        {
            for component in source.operand.swizzle.components() {
                needed.insert((source.operand.reg, component), true);
            }
        }
    }
    code.remove_dead();
}

/// Lets nodes that compute what another one writes to an output write it themselves. `wanted` chooses, by the place of the one that is
/// spared.
pub fn fuse_places(isa: &Isa, slots: &dyn Slots, code: &mut Code, mut wanted: impl FnMut(usize) -> bool) {
    let numbers = Numbers::new(isa, code);
    for at in 0..code.nodes.len() {
        let Some(place) =
            code.nodes[at].place.filter(|place| matches!(isa.file(place.reg).kind, FileKind::Output(_)))
        else {
            continue;
        };
        if code.nodes[at].results != [None; 4] || !is_alone(slots, code, at, &place) || !wanted(at) {
            continue;
        }
        // For each component that is written, who computes it before.
        let mut groups: Vec<(usize, [Option<u8>; 4])> = Vec::new();
        let mut all = true;
        for (component, from) in place.from.iter().enumerate() {
            let Some(from) = from else { continue };
            let number = numbers.results[at][usize::from(*from)];
            match computed_before(code, &numbers, at, number, component) {
                Some((node, own)) => {
                    let group = match groups.iter().position(|(known, _)| *known == node) {
                        Some(group) => group,
                        None => {
                            groups.push((node, [None; 4]));
                            groups.len() - 1
                        }
                    };
                    groups[group].1[component] = Some(own);
                }
                None => all = false,
            }
        }
        if !all || groups.len() > 1 && slots.keeps_order(place.reg) {
            continue;
        }
        for (node, from) in groups {
            code.nodes[node].place = Some(Place { reg: place.reg, from });
        }
        code.nodes[at].place = None;
    }
    code.remove_dead();
}

/// True if nothing else writes what a node writes to a place, and nothing before it reads it.
fn is_alone(slots: &dyn Slots, code: &Code, at: usize, place: &Place) -> bool {
    let others = code.nodes.iter().enumerate().filter(|(other, _)| *other != at);
    let mut writes = others.filter_map(|(_, node)| node.place).filter(|other| other.reg == place.reg);
    let writes = writes.any(|other| slots.keeps_order(place.reg) || other.mask().0 & place.mask().0 != 0);
    let mut before = code.nodes[..at].iter().flat_map(|node| &node.sources);
    !writes && !before.any(|source| source.operand.reg == place.reg)
}

/// The node before another one, free to write a place, that computes a number, and its component; that component's place in the
/// result is to be free for `component`.
fn computed_before(
    code: &Code,
    numbers: &Numbers,
    at: usize,
    number: Number,
    component: usize,
) -> Option<(usize, u8)> {
    for (index, node) in code.nodes[..at].iter().enumerate() {
        if node.place.is_some() || node.name == "mov" && node.results == [None; 4] {
            continue;
        }
        let wanted = node.wanted();
        let own = |own: &u8| wanted.has(*own) && numbers.results[index][usize::from(*own)] == number;
        let fits = |own: &u8| match node.shape.kind {
            Kind::Same => true,
            Kind::Each => usize::from(*own) == component || node.results[component].is_none(),
            Kind::Own => usize::from(*own) == component,
        };
        // Its own component first.
        let order = [component as u8, 0, 1, 2, 3];
        if let Some(own) = order.into_iter().find(|component| own(component) && fits(component)) {
            return Some((index, own));
        }
    }
    None
}

/// Lets sources that read copies of an input or of a constant read that itself, where an instruction may. `wanted` chooses, by the
/// node's place and the source's.
pub fn read_directly(
    isa: &Isa,
    slots: &dyn Slots,
    code: &mut Code,
    mut wanted: impl FnMut(usize, usize) -> bool,
) {
    let numbers = Numbers::new(isa, code);
    for at in 0..code.nodes.len() {
        for index in 0..code.nodes[at].sources.len() {
            let source = &code.nodes[at].sources[index];
            let Some(operand) = plain_operand(&numbers, source) else { continue };
            if !wanted(at, index) {
                continue;
            }
            let before = source.clone();
            code.nodes[at].sources[index] = Source { operand, values: [None; 4] };
            let node = &code.nodes[at];
            let output = isa.regs(|kind| matches!(kind, FileKind::Output(_))).next();
            let sources: Vec<Operand> = node.sources.iter().map(|source| source.operand).collect();
            let statement = output.and_then(|reg| slots.statement(node.name, Operand::of(reg), &sources));
            if statement.and_then(|statement| slots.join(&[statement])).is_none() {
                code.nodes[at].sources[index] = before;
            }
        }
    }
    code.remove_dead();
}

/// The operand that reads what a source reads, if all of it is of one input or constant.
fn plain_operand(numbers: &Numbers, source: &Source) -> Option<Operand> {
    let mut components = [None; 4];
    let mut register = None;
    for (place, value) in source.values.iter().enumerate() {
        let Some(value) = value else { continue };
        let (reg, component) = *numbers.plain.get(&numbers.of[value.index()])?;
        if *register.get_or_insert(reg) != reg {
            return None;
        }
        components[place] = Some(component);
    }
    let swizzle = filled(components);
    Some(Operand { reg: register?, swizzle, relative: false, ..source.operand })
}

/// A swizzle that has these components where they count: no swizzle if that will do, else what is written shortest.
pub fn filled(components: [Option<u8>; 4]) -> Swizzle {
    let fits = |swizzle: &Swizzle| {
        components
            .iter()
            .zip(swizzle.components())
            .all(|(wanted, own)| wanted.is_none_or(|wanted| wanted == own))
    };
    let first = components.iter().flatten().next().copied().unwrap_or(0);
    let candidates = [Swizzle::IDENTITY, Swizzle::broadcast(first)];
    candidates.into_iter().find(fits).unwrap_or_else(|| {
        let mut last = first;
        Swizzle::of(components.map(|component| {
            last = component.unwrap_or(last);
            last
        }))
    })
}

/// The components of a swizzle that count.
pub fn counted(operand: &Operand, places: Mask) -> [Option<u8>; 4] {
    let all = operand.swizzle.components();
    [0, 1, 2, 3].map(|place: usize| places.has(place as u8).then_some(all[place]))
}

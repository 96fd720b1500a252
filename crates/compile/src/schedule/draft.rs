//! Nodes as instructions whose registers are chosen, or stand for choices to come.

use crate::graph::shape::Kind;
use crate::graph::simplify::filled;
use crate::graph::{Code, Node, Origin, Value};
use gpuzoo_isa::{Inst, Mask, Operand, Reg};
use gpuzoo_machine::target::slots::Slots;

/// A source, and at each place behind its swizzle the component that counts.
#[derive(Clone, Copy)]
struct Read {
    operand: Operand,
    counts: [Option<u8>; 4],
}

impl Read {
    fn operand(&self) -> Operand {
        Operand { swizzle: filled(self.counts), ..self.operand }
    }

    /// True if both read the same register in the same way, but for components.
    fn is_like(&self, other: &Read) -> bool {
        let form =
            |read: &Read| (read.operand.reg, read.operand.negate, read.operand.abs, read.operand.relative);
        form(self) == form(other)
    }

    /// One order of components that does for both.
    fn merged(&self, other: &Read) -> Option<[Option<u8>; 4]> {
        let mut merged = self.counts;
        for (own, other) in merged.iter_mut().zip(other.counts) {
            if own.is_some() && other.is_some() && *own != other {
                return None;
            }
            *own = own.or(other);
        }
        Some(merged)
    }
}

/// An instruction with all its destinations.
#[derive(Clone)]
pub struct Draft {
    commutes: bool,
    name: &'static str,
    destinations: Vec<Operand>,
    sources: Vec<Read>,
}

impl Draft {
    /// A node as an instruction. `home` says where each value is; all results of the node are in one register. None if the result
    /// cannot be put where it is wanted.
    pub fn new(node: &Node, home: impl Fn(Value) -> (Reg, u8)) -> Option<Draft> {
        // At each place of the result, which of its components is computed there.
        let mut at = [None; 4];
        let mut put = |place: u8, component: u8| {
            let place = &mut at[usize::from(place)];
            let is_same = place.is_none_or(|known| known == component) || node.shape.kind == Kind::Same;
            *place = Some(component);
            is_same
        };
        let mut destinations = Vec::new();
        if let Some(place) = &node.place {
            for (component, from) in (0..).zip(place.from) {
                if let Some(from) = from
                    && !put(component, from)
                {
                    return None;
                }
            }
            destinations.push(Operand { mask: place.mask(), ..Operand::of(place.reg) });
        }
        let mut mask = 0;
        let mut register = None;
        for (component, value) in (0..).zip(node.results) {
            let Some(value) = value else { continue };
            let (reg, place) = home(value);
            if *register.get_or_insert(reg) != reg || mask >> place & 1 == 1 || !put(place, component) {
                return None;
            }
            mask |= 1 << place;
        }
        if let Some(reg) = register {
            destinations.push(Operand { mask: Mask(mask), ..Operand::of(reg) });
        }
        let moved = |place: u8, component: u8| place != component;
        let is_own = node.shape.kind == Kind::Own;
        if is_own
            && (0..)
                .zip(at)
                .any(|(place, component)| component.is_some_and(|component| moved(place, component)))
        {
            return None;
        }
        let sources = node.sources.iter().enumerate().map(|(index, source)| {
            let component = |place: u8| match source.values[usize::from(place)] {
                Some(value) => home(value),
                None => (source.operand.reg, source.operand.swizzle.components()[usize::from(place)]),
            };
            let mut counts = [None; 4];
            let mut reg = source.operand.reg;
            let mut count = |place: u8, from: u8| {
                let (register, component) = component(from);
                (reg, counts[usize::from(place)]) = (register, Some(component));
            };
            if node.shape.kind == Kind::Each {
                for (place, component) in (0..).zip(at) {
                    component.into_iter().for_each(|component| count(place, component));
                }
            } else {
                let needs = node.shape.needs(index, node.wanted());
                (0..4).filter(|place| needs.has(*place)).for_each(|place| count(place, place));
            }
            Read { operand: Operand { reg, ..source.operand }, counts }
        });
        let (name, commutes) = (node.name, node.shape.commutes);
        Some(Draft { commutes, name, destinations, sources: sources.collect() })
    }

    fn statements(&self, slots: &dyn Slots) -> Option<Vec<Inst>> {
        let sources: Vec<Operand> = self.sources.iter().map(Read::operand).collect();
        self.destinations
            .iter()
            .map(|destination| slots.statement(self.name, *destination, &sources))
            .collect()
    }
}

/// The instructions of a slot that does what two drafts say, or one; the first is for the first half. None if they do not fit.
///
/// Components that do not count are chosen so that both can read the same source, and sources change places for it where they can.
pub fn join(slots: &dyn Slots, mut drafts: Vec<Draft>) -> Option<Vec<Inst>> {
    let plain = join_as_written(slots, drafts.clone());
    if plain.is_some() || drafts.len() < 2 {
        return plain;
    }
    (0..drafts.len()).find_map(|at| {
        if !drafts[at].commutes {
            return None;
        }
        drafts[at].sources.swap(0, 1);
        let joined = join_as_written(slots, drafts.clone());
        drafts[at].sources.swap(0, 1);
        joined
    })
}

/// A draft for many questions: in each order of its sources that it can have, with its instructions.
pub struct Ready(Vec<(Draft, Option<Vec<Inst>>)>);

impl Ready {
    /// A draft, made ready.
    pub fn new(slots: &dyn Slots, draft: &Draft) -> Ready {
        let turned = draft.commutes.then(|| {
            let mut turned = draft.clone();
            turned.sources.swap(0, 1);
            turned
        });
        let all = std::iter::once(draft.clone()).chain(turned);
        Ready(all.map(|draft| (draft.clone(), draft.statements(slots))).collect())
    }

    /// Whether [`join`] finds a slot for both.
    pub fn fits(&self, slots: &dyn Slots, second: &Ready) -> bool {
        [(0, 0), (1, 0), (0, 1)].into_iter().any(|(one, other)| {
            let (Some((one, own)), Some((other, others))) = (self.0.get(one), second.0.get(other)) else {
                return false;
            };
            let plain = own
                .iter()
                .zip(others)
                .any(|(own, others)| slots.join(&[&own[..], others].concat()).is_some());
            plain || shared(slots, vec![one.clone(), other.clone()]).is_some()
        })
    }
}

/// The drafts as if all values that they read were at the same places of one register, so far as sources can be read together.
pub fn one_register(mut drafts: Vec<Draft>) -> Vec<Draft> {
    let temporaries = drafts.iter_mut().flat_map(|draft| &mut draft.sources);
    for read in temporaries.filter(|read| read.operand.reg.index >= FIRST_VIRTUAL) {
        read.operand.reg.index = FIRST_VIRTUAL;
        read.counts = [None; 4];
    }
    drafts
}

/// As [`join`], with sources in their places.
fn join_as_written(slots: &dyn Slots, drafts: Vec<Draft>) -> Option<Vec<Inst>> {
    let plain = together(slots, &drafts);
    if plain.is_some() { plain } else { shared(slots, drafts) }
}

fn together(slots: &dyn Slots, drafts: &[Draft]) -> Option<Vec<Inst>> {
    let statements: Vec<Vec<Inst>> =
        drafts.iter().map(|draft| draft.statements(slots)).collect::<Option<_>>()?;
    slots.join(&statements.concat())
}

/// Two drafts that read sources together.
fn shared(slots: &dyn Slots, mut drafts: Vec<Draft>) -> Option<Vec<Inst>> {
    let [first, second] = &mut drafts[..] else { return None };
    let mut shares = false;
    for own in &mut first.sources {
        for other in &mut second.sources {
            if own.is_like(other)
                && let Some(merged) = own.merged(other)
            {
                (own.counts, other.counts, shares) = (merged, merged, true);
            }
        }
    }
    if shares { together(slots, &drafts) } else { None }
}

/// Where values are before registers are chosen: each in a register of its web, at the place that it was written at.
pub fn virtual_home(code: &Code, web: &[u32], file: u8) -> impl Fn(Value) -> (Reg, u8) {
    let place = |value: Value| match code.values[value.index()] {
        Origin::Node(_, component) | Origin::Start(_, component) => component,
        Origin::Gone => 0,
    };
    move |value| (Reg { file, index: FIRST_VIRTUAL + web[value.index()] as u16 }, place(value))
}

/// Registers from this number on are none of a machine's.
const FIRST_VIRTUAL: u16 = 1 << 12;

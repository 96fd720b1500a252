//! Terms that an instruction computes together, and what each of its sources reads.

use super::terms::{Id, Operand, Term, Terms, placed};
use crate::graph::shape::{Kind, Shape};
use gpuzoo_isa::Reg;

/// Where an operand is read from: one source of an instruction reads one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Numbers that are known, in a constant of the compiler's choice.
    Literal,
    /// An input.
    Input(Reg),
    /// A constant.
    Constant(Reg),
    /// A constant at a computed number.
    Relative(Operand, Reg),
    /// A temporary.
    Temporary,
}

impl Class {
    /// The class of a term.
    pub fn of(terms: &Terms, id: Id) -> Class {
        match *terms.term(id) {
            Term::Bits(_) => Class::Literal,
            Term::Input(reg, _) => Class::Input(reg),
            Term::Constant(reg, _) => Class::Constant(reg),
            Term::Relative(index, reg, _) => Class::Relative(index, reg),
            Term::Result { .. } => Class::Temporary,
        }
    }
}

/// What stands at each place of a source.
pub type Source = [Option<Operand>; 4];

/// One instruction to be.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// The mnemonic.
    pub name: &'static str,
    /// Its shape.
    pub shape: Shape,
    /// What each component of the result is.
    pub parts: [Option<Id>; 4],
    /// What it reads.
    pub sources: Vec<Source>,
    /// An output, and for each of its components the one of the result that it gets.
    pub place: Option<(Reg, [Option<u8>; 4])>,
    /// Where it comes from: an instruction of the function.
    pub inst: u32,
}

impl Bundle {
    /// A term as an instruction of its own.
    pub fn of(terms: &Terms, shape: &Shape, id: Id) -> Option<Bundle> {
        let Term::Result { name, component, from, .. } = terms.term(id) else { return None };
        let mut parts = [None; 4];
        parts[usize::from(*component)] = Some(id);
        let sources = placed(shape, *component, from);
        Some(Bundle { name, shape: *shape, parts, sources, place: None, inst: terms.made(id).inst })
    }

    /// The terms that it computes.
    pub fn results(&self) -> impl Iterator<Item = Id> + '_ {
        self.parts.iter().flatten().copied()
    }

    /// What it reads.
    pub fn operands(&self) -> impl Iterator<Item = Operand> + '_ {
        self.sources.iter().flatten().flatten().copied()
    }

    /// The operand that all places of a source could be.
    fn class(&self, terms: &Terms, source: usize) -> Option<(Class, bool)> {
        // A literal has any sign.
        let operand = self.sources[source].iter().flatten().next()?;
        Some((Class::of(terms, operand.id), operand.negate))
    }

    /// The two as one: the components of the other one where they are free. None if no instruction computes both.
    pub fn with(&self, terms: &Terms, other: &Bundle) -> Option<Bundle> {
        let is_alike = self.name == other.name && self.sources.len() == other.sources.len();
        if !is_alike || self.shape.kind == Kind::Same {
            return None;
        }
        let place = match (self.place, other.place) {
            // Components of one output.
            (Some((reg, one)), Some((own, two))) => {
                let both = [0, 1, 2, 3].map(|at: usize| one[at].or(two[at]));
                let is_free = (0..4).all(|at| one[at].is_none() || two[at].is_none());
                Some((reg, both)).filter(|_| reg == own && is_free && self.shape.kind == Kind::Each)
            }
            (one, two) => one.or(two),
        };
        if place.is_none() && (self.place.is_some() || other.place.is_some()) {
            return None;
        }
        for source in 0..self.sources.len() {
            let (one, two) = (self.class(terms, source)?, other.class(terms, source)?);
            if one.0 != two.0 || one.0 != Class::Literal && one.1 != two.1 {
                return None;
            }
        }
        let mut both = self.clone();
        both.inst = both.inst.min(other.inst);
        both.place = place;
        for (component, id) in other.parts.iter().enumerate() {
            let Some(id) = *id else { continue };
            let at = match self.shape.kind {
                Kind::Own => component,
                // What goes to an output stays at its place.
                _ if other.place.is_some() => component,
                _ => [component, 0, 1, 2, 3].into_iter().find(|at| both.parts[*at].is_none())?,
            };
            if both.parts[at].is_some() {
                return None;
            }
            both.parts[at] = Some(id);
            for (own, source) in both.sources.iter_mut().zip(&other.sources) {
                match self.shape.kind {
                    Kind::Each => own[at] = source[component],
                    _ => {
                        for (own, place) in own.iter_mut().zip(source) {
                            if own.is_some() && place.is_some() && own != place {
                                return None;
                            }
                            *own = own.or(*place);
                        }
                    }
                }
            }
        }
        // Results that stand at a certain component of their registers cannot be read as one source if that is the same.
        let is_one = |source: &Source| {
            let mut fixed: Vec<(u8, Id)> = source
                .iter()
                .flatten()
                .filter_map(|operand| Some((fixed(terms, operand.id)?, operand.id)))
                .collect();
            fixed.sort_unstable();
            fixed.dedup();
            fixed.windows(2).all(|pair| pair[0].0 != pair[1].0)
        };
        both.sources.iter().all(is_one).then_some(both)
    }

    /// Puts the result where components of an output want it. `wanted` has for each component of the output a part of this.
    pub fn write(&mut self, reg: Reg, wanted: [Option<Id>; 4]) -> bool {
        if self.place.is_some() {
            return false;
        }
        let own = |id: Id| self.parts.iter().position(|part| *part == Some(id)).map(|at| at as u8);
        if self.shape.kind != Kind::Each {
            let from = wanted.map(|id| id.and_then(own));
            let fits = self.shape.kind == Kind::Same
                || (0..).zip(from).all(|(at, from)| from.is_none_or(|from| from == at));
            if fits {
                self.place = Some((reg, from));
            }
            return fits;
        }
        // Each part at the component that it is wanted at, the others where there is room.
        let mut order: [Option<usize>; 4] = [None; 4];
        for (at, id) in wanted.iter().enumerate() {
            let Some(id) = id else { continue };
            let Some(part) = own(*id) else { return false };
            order[at] = Some(part.into());
        }
        let mut from = [None; 4];
        for (at, part) in order.iter().enumerate() {
            from[at] = part.map(|_| at as u8);
        }
        for part in (0..4).filter(|part| self.parts[*part].is_some()) {
            if !order.contains(&Some(part)) {
                let Some(free) = order.iter().position(Option::is_none) else { return false };
                order[free] = Some(part);
            }
        }
        self.parts = order.map(|part| part.and_then(|part| self.parts[part]));
        for source in &mut self.sources {
            *source = order.map(|part| part.and_then(|part| source[part]));
        }
        self.place = Some((reg, from));
        true
    }

    /// The component of its register at which a part must be, if there is one.
    pub fn fixed(&self, part: usize) -> Option<u8> {
        let placed = self.place.is_some_and(|(_, from)| from[part].is_some());
        (self.shape.kind == Kind::Own || placed && self.shape.kind == Kind::Each).then_some(part as u8)
    }
}

/// The component at which a result stands that has a meaning of its own.
fn fixed(terms: &Terms, id: Id) -> Option<u8> {
    match terms.term(id) {
        Term::Result { name: "expp" | "logp" | "lit", component, .. } => Some(*component),
        _ => None,
    }
}

//! What a program computes, component by component, in the machine's own operations.

use crate::graph::shape::Shape;
use gpuzoo_isa::Reg;
use rustc_hash::FxHashMap as HashMap;

/// A term's place in [`Terms`].
pub type Id = usize;

/// A term, or what it is with its sign flipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Operand {
    /// The term.
    pub id: Id,
    /// True if its sign is flipped.
    pub negate: bool,
}

impl Operand {
    /// The same with the other sign.
    pub fn flipped(self) -> Operand {
        Operand { negate: !self.negate, ..self }
    }

    /// The same, its sign flipped if `negate` says so.
    pub fn with(self, negate: bool) -> Operand {
        Operand { negate: self.negate != negate, ..self }
    }
}

/// One number of a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// These bits.
    Bits(u32),
    /// A component of an input.
    Input(Reg, u8),
    /// A component of a constant.
    Constant(Reg, u8),
    /// A component of the constant that lies so many behind one as an operand's floor says.
    Relative(Operand, Reg, u8),
    /// A component of an instruction's result.
    Result {
        /// The mnemonic.
        name: &'static str,
        /// The component, where they differ in meaning ([`Kind::Own`](crate::graph::shape::Kind::Own)); else 0.
        component: u8,
        /// What it is computed from: of each source the places that count, from x on.
        from: Vec<Operand>,
        /// Results with another number here are computed apart from this one, though they are equal.
        copy: u32,
    },
}

/// Where a term was first wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Made {
    /// The instruction of the function.
    pub inst: u32,
    /// How many terms of the same name that component of the instruction had before.
    pub role: u32,
    /// The component of the instruction.
    pub lane: u8,
}

/// All terms; what a term is computed from comes before it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Terms {
    all: Vec<Term>,
    made: Vec<Made>,
    known: HashMap<Term, Id>,
}

impl Terms {
    /// A term by its place.
    pub fn term(&self, id: Id) -> &Term {
        &self.all[id]
    }

    /// Where it was first wanted.
    pub fn made(&self, id: Id) -> Made {
        self.made[id]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// The place of a term, which is new if there is none like it.
    pub fn add(&mut self, term: Term, made: Made) -> Operand {
        let Terms { all, made: places, known } = self;
        let id = *known.entry(term).or_insert_with_key(|term| {
            all.push(term.clone());
            places.push(made);
            all.len() - 1
        });
        Operand { id, negate: false }
    }

    /// The number that an operand always is.
    pub fn known(&self, operand: Operand) -> Option<f32> {
        match self.all[operand.id] {
            Term::Bits(bits) if operand.negate => Some(-f32::from_bits(bits)),
            Term::Bits(bits) => Some(f32::from_bits(bits)),
            _ => None,
        }
    }

    /// The operands of a result of this name, component 0.
    pub fn result<const N: usize>(&self, operand: Operand, name: &str) -> Option<[Operand; N]> {
        self.result_at(operand, name, 0)
    }

    /// The operands of a component of a result of this name.
    pub fn result_at<const N: usize>(&self, operand: Operand, name: &str, at: u8) -> Option<[Operand; N]> {
        match &self.all[operand.id] {
            Term::Result { name: own, component, from, .. } if *own == name && *component == at => {
                <[Operand; N]>::try_from(from.as_slice()).ok()
            }
            _ => None,
        }
    }

    /// A result with these operands, component 0, if there is one.
    pub fn find_result(&self, name: &'static str, from: &[Operand]) -> Option<Id> {
        let term = Term::Result { name, component: 0, from: from.to_vec(), copy: 0 };
        self.known.get(&term).copied()
    }

    /// True for results, which are in temporaries.
    pub fn is_result(&self, id: Id) -> bool {
        matches!(self.all[id], Term::Result { .. })
    }
}

/// The operands of a component of a result by source and place: what [`Term::Result`] lists one after the other.
pub fn placed(shape: &Shape, component: u8, from: &[Operand]) -> Vec<[Option<Operand>; 4]> {
    let mut from = from.iter();
    // Those of a component-wise result stand at the place of the component.
    let reads = shape.reads[usize::from(component)];
    reads
        .iter()
        .map(|mask| {
            let mut places = [None; 4];
            for (at, place) in places.iter_mut().enumerate() {
                if mask.has(at as u8) {
                    *place = from.next().copied();
                }
            }
            places
        })
        .filter(|places| places.iter().any(Option::is_some))
        .collect()
}

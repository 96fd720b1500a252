//! A slot has one input and one constant: numbers that are known are put into constants, and of two inputs or constants that an
//! instruction reads one is copied.

use super::bundle::{Bundle, Class, Source};
use super::plan::Plan;
use super::terms::{Made, Operand, Term};
use gpuzoo_isa::Reg;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// What a slot can read one of: an input, or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Read {
    /// An input.
    Input(Reg),
    /// A constant.
    Constant(Reg),
    /// A constant at a computed number.
    Relative(Operand, Reg),
    /// A constant of numbers that are known.
    Literal(usize),
}

impl Plan<'_> {
    /// Numbers of one instruction are in one constant, if that has room for them.
    pub(super) fn place_literals(&mut self) {
        let mut sets: Vec<Vec<u32>> = Vec::new();
        for bundle in &self.bundles {
            let all = self.literals_of(bundle);
            if all.len() <= 4 {
                sets.push(all);
                continue;
            }
            // Those of one source at least; all but one of them will be copied.
            for source in &bundle.sources {
                let mut own = self.literals_in(source);
                own.sort_unstable();
                own.dedup();
                sets.push(own);
            }
        }
        sets.retain(|set| !set.is_empty());
        sets.sort_by(|one, other| other.len().cmp(&one.len()).then(one.cmp(other)));
        sets.dedup();
        for set in sets {
            let missing = |known: &Vec<u32>| set.iter().filter(|bits| !known.contains(bits)).count();
            let room = |known: &&mut Vec<u32>| known.len() + missing(known) <= 4;
            match self.literals.iter_mut().filter(room).min_by_key(|known| missing(known)) {
                Some(known) => {
                    for bits in set {
                        if !known.contains(&bits) {
                            known.push(bits);
                        }
                    }
                }
                None => self.literals.push(set),
            }
        }
    }

    /// The numbers that an instruction reads, each once.
    fn literals_of(&self, bundle: &Bundle) -> Vec<u32> {
        let mut all: Vec<u32> =
            (0..bundle.sources.len()).flat_map(|index| self.literals_in(&bundle.sources[index])).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The numbers that a source reads. They stand in the constant with the sign that they have.
    pub fn literals_in(&self, source: &Source) -> Vec<u32> {
        let bits = |operand: &Operand| match self.terms.term(operand.id) {
            Term::Bits(bits) => Some(bits ^ u32::from(operand.negate) << 31),
            _ => None,
        };
        source.iter().flatten().filter_map(bits).collect()
    }

    /// The constant of a source that reads numbers.
    pub fn literal(&self, bundle: &Bundle, source: &Source) -> Option<usize> {
        let holds =
            |set: &[u32]| self.literals.iter().position(|known| set.iter().all(|bits| known.contains(bits)));
        holds(&self.literals_of(bundle)).or_else(|| holds(&self.literals_in(source)))
    }

    /// What a source reads besides temporaries.
    fn read(&self, bundle: &Bundle, source: &Source) -> Option<Read> {
        let operand = source.iter().flatten().next()?;
        match Class::of(&self.terms, operand.id) {
            Class::Literal => self.literal(bundle, source).map(Read::Literal),
            Class::Input(reg) => Some(Read::Input(reg)),
            Class::Constant(reg) => Some(Read::Constant(reg)),
            Class::Relative(index, reg) => Some(Read::Relative(index, reg)),
            Class::Temporary => None,
        }
    }

    /// The plan with copies of inputs and constants where an instruction reads two; `seed` decides between those that serve as many
    /// instructions.
    pub fn resolved(&self, seed: u64) -> Option<Self> {
        let mut plan = self.clone();
        plan.resolve(seed)?;
        Some(plan)
    }

    fn resolve(&mut self, seed: u64) -> Option<()> {
        let mut number = gpuzoo_isa::numbers(seed);
        let mut weights: HashMap<Read, u32> = HashMap::default();
        // What has been copied, component by component.
        let mut copied: HashMap<Read, usize> = HashMap::default();
        loop {
            let mut conflicts: HashMap<Read, u32> = HashMap::default();
            for bundle in &self.bundles {
                for is_input in [true, false] {
                    let reads = self.places_of(bundle, is_input);
                    if reads.len() > 1 {
                        reads.into_iter().for_each(|read| *conflicts.entry(read).or_default() += 1);
                    }
                }
            }
            let mut all: Vec<(Read, u32)> = conflicts.into_iter().collect();
            all.sort_unstable();
            for (read, _) in &all {
                weights.entry(*read).or_insert_with(|| if seed == 0 { 0 } else { number(8) });
            }
            let copies = |read: &Read| u32::from(copied.contains_key(read)) * 1_000;
            let Some((read, _)) =
                all.iter().max_by_key(|(read, count)| copies(read) + count * 4 + weights[read])
            else {
                return Some(());
            };
            let read = *read;
            for at in 0..self.bundles.len() {
                let bundle = &self.bundles[at];
                let reads = self.places_of(bundle, matches!(read, Read::Input(_)));
                if reads.len() > 1 && reads.contains(&read) {
                    self.read_copy(at, read, &mut copied)?;
                }
            }
        }
    }

    /// The inputs, or the constants, that an instruction reads.
    fn places_of(&self, bundle: &Bundle, inputs: bool) -> HashSet<Read> {
        let reads = bundle.sources.iter().filter_map(|source| self.read(bundle, source));
        reads.filter(|read| matches!(read, Read::Input(_)) == inputs).collect()
    }

    /// Lets an instruction read a copy.
    fn read_copy(&mut self, at: usize, read: Read, copied: &mut HashMap<Read, usize>) -> Option<()> {
        for index in 0..self.bundles[at].sources.len() {
            let source = self.bundles[at].sources[index];
            if self.read(&self.bundles[at], &source) != Some(read) {
                continue;
            }
            let made = Made { inst: self.bundles[at].inst, role: 0, lane: 0 };
            let is_literal = matches!(read, Read::Literal(_));
            let copy = match copied.get(&read) {
                Some(copy) => *copy,
                None => {
                    let copy = self.copy([None; 4], made)?;
                    copied.insert(read, copy);
                    copy
                }
            };
            for (place, operand) in source.iter().enumerate() {
                let Some(operand) = *operand else { continue };
                // Numbers are copied with their signs, all else is turned where it is read.
                let plain = Operand { negate: is_literal && operand.negate, ..operand };
                let bundle = &self.bundles[copy];
                let same = |own: Operand| match (self.terms.known(own), self.terms.known(plain)) {
                    (Some(own), Some(plain)) => own.to_bits() == plain.to_bits(),
                    _ => own == plain,
                };
                let known = (0..4).find(|part| bundle.sources[0][*part].is_some_and(same));
                let part = known.or_else(|| (0..4).find(|part| bundle.parts[*part].is_none()))?;
                if known.is_none() {
                    self.copy_to(copy, part, plain, made);
                }
                let id = self.bundles[copy].parts[part]?;
                let negate = !is_literal && operand.negate;
                self.bundles[at].sources[index][place] = Some(Operand { id, negate });
            }
        }
        Some(())
    }
}

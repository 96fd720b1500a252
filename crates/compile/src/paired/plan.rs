//! From terms to instructions: components that are computed alike are computed together, and what an instruction cannot read where it
//! is, is copied.

use super::bundle::{Bundle, Class, Source};
use super::terms::{Id, Made, Operand, Term, Terms};
use super::webs::Webs;
use crate::shape::{Kind, Shape};
use gpuzoo_isa::Reg;
use std::collections::{HashMap, HashSet};

/// What an output gets.
pub type Output = (Reg, [Option<Operand>; 4]);

/// The shapes of instructions, by name.
pub type Shapes = HashMap<&'static str, Shape>;

/// What a plan can choose.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// Instructions of different places are put together.
    pub merges: bool,
    /// Decides between copies that serve as many instructions.
    pub seed: u64,
}

/// The instructions of a program, in no order.
pub struct Plan<'a> {
    /// What they compute.
    pub terms: Terms,
    /// The instructions.
    pub bundles: Vec<Bundle>,
    /// For each term the instruction that computes it.
    pub writer: Vec<Option<usize>>,
    /// Numbers that are known, four to a constant.
    pub literals: Vec<Vec<u32>>,
    shapes: &'a Shapes,
    copies: u32,
}

impl<'a> Plan<'a> {
    /// Instructions for outputs. None if an instruction has no shape.
    pub fn new(terms: &Terms, outputs: &[Output], shapes: &'a Shapes, way: Way) -> Option<Plan<'a>> {
        let mut plan = Plan {
            terms: terms.clone(),
            bundles: Vec::new(),
            writer: vec![None; terms.len()],
            literals: Vec::new(),
            shapes,
            copies: 0,
        };
        plan.gather(outputs)?;
        for output in outputs {
            plan.write(output)?;
        }
        if way.merges {
            plan.merge();
        }
        plan.drop_dead();
        plan.untangle()?;
        plan.place_literals();
        plan.resolve(way.seed)?;
        Some(plan)
    }

    /// Terms that outputs need, with those of the same instruction of the source together.
    fn gather(&mut self, outputs: &[Output]) -> Option<()> {
        let mut is_live = vec![false; self.terms.len()];
        outputs.iter().flat_map(|(_, lanes)| lanes).flatten().for_each(|operand| is_live[operand.id] = true);
        for id in (0..self.terms.len()).rev().filter(|id| self.terms.is_result(*id)).collect::<Vec<_>>() {
            if let Term::Result { from, .. } = self.terms.term(id).clone()
                && is_live[id]
            {
                for operand in from {
                    is_live[operand.id] = true;
                    if let Term::Relative(index, ..) = self.terms.term(operand.id) {
                        is_live[index.id] = true;
                    }
                }
            } else {
                is_live[id] = false;
            }
        }
        for operand in outputs.iter().flat_map(|(_, lanes)| lanes).flatten() {
            if let Term::Relative(index, ..) = *self.terms.term(operand.id) {
                self.mark(index.id, &mut is_live);
            }
        }
        let mut known: HashMap<(&'static str, u32, u32), Vec<usize>> = HashMap::new();
        for id in 0..self.terms.len() {
            let Term::Result { name, from, .. } = self.terms.term(id) else { continue };
            if !is_live[id] {
                continue;
            }
            let (name, made) = (*name, self.terms.made(id));
            let shape = *self.shapes.get(name)?;
            let key = match shape.kind {
                Kind::Own => (name, u32::MAX, from.first()?.id as u32),
                _ => (name, made.inst, made.role),
            };
            let single = Bundle::of(&self.terms, &shape, id)?;
            let candidates = known.get(&key).cloned().unwrap_or_default();
            let found = candidates.into_iter().find_map(|at| {
                let both = self.bundles[at].with(&self.terms, &single)?;
                (!self.depends(&single, at)).then_some((at, both))
            });
            let at = match found {
                Some((at, both)) => {
                    self.bundles[at] = both;
                    at
                }
                None => {
                    known.entry(key).or_default().push(self.bundles.len());
                    self.bundles.push(single);
                    self.bundles.len() - 1
                }
            };
            self.writer[id] = Some(at);
        }
        Some(())
    }

    /// Marks a term and all that it is computed from.
    fn mark(&self, id: Id, is_live: &mut [bool]) {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut is_live[id], true) {
                continue;
            }
            match self.terms.term(id) {
                Term::Result { from, .. } => open.extend(from.iter().map(|operand| operand.id)),
                Term::Relative(index, ..) => open.push(index.id),
                _ => {}
            }
        }
    }

    /// The instructions whose results one reads.
    pub fn before(&self, bundle: &Bundle) -> Vec<usize> {
        let indices = bundle.operands().filter_map(|operand| match self.terms.term(operand.id) {
            Term::Relative(index, ..) => Some(index.id),
            _ => None,
        });
        let ids = bundle.operands().map(|operand| operand.id).chain(indices);
        let mut all: Vec<usize> = ids.filter_map(|id| self.writer.get(id).copied().flatten()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// True if an instruction needs the results of another one, by way of any others.
    fn depends(&self, bundle: &Bundle, on: usize) -> bool {
        let mut seen = vec![false; self.bundles.len()];
        let mut open = self.before(bundle);
        while let Some(at) = open.pop() {
            if at == on {
                return true;
            }
            if !std::mem::replace(&mut seen[at], true) {
                open.extend(self.before(&self.bundles[at]));
            }
        }
        false
    }

    /// Lets the instructions that compute what an output gets write it; the rest is copied.
    fn write(&mut self, (reg, lanes): &Output) -> Option<()> {
        let mut left = *lanes;
        let mut writers: Vec<usize> =
            lanes.iter().flatten().filter_map(|operand| self.writer[operand.id]).collect();
        writers.sort_unstable();
        writers.dedup();
        for at in writers {
            let wanted = left.map(|operand| {
                operand
                    .filter(|operand| !operand.negate && self.writer[operand.id] == Some(at))
                    .map(|operand| operand.id)
            });
            if wanted != [None; 4] && self.bundles[at].write(*reg, wanted) {
                for (left, wanted) in left.iter_mut().zip(wanted) {
                    *left = left.filter(|_| wanted.is_none());
                }
            }
        }
        while let Some(first) = left.iter().flatten().next().copied() {
            let class = |operand: &Operand| {
                let class = Class::of(&self.terms, operand.id);
                (class, operand.negate && class != Class::Literal)
            };
            let group = class(&first);
            let part = left.map(|operand| operand.filter(|operand| class(operand) == group));
            let made = self.terms.made(first.id);
            let copy = self.copy(part, made)?;
            self.bundles[copy].place = Some((*reg, [0, 1, 2, 3].map(|at: usize| part[at].map(|_| at as u8))));
            for (left, part) in left.iter_mut().zip(part) {
                *left = left.filter(|_| part.is_none());
            }
        }
        Some(())
    }

    /// A new instruction that copies operands, each to its place.
    fn copy(&mut self, source: Source, made: Made) -> Option<usize> {
        let shape = *self.shapes.get("mov")?;
        self.copies += 1;
        let mut parts = [None; 4];
        for (part, operand) in parts.iter_mut().zip(source) {
            let Some(operand) = operand else { continue };
            let term = Term::Result { name: "mov", component: 0, from: vec![operand], copy: self.copies };
            let id = self.terms.add(term, made).id;
            self.writer.resize(self.terms.len(), None);
            self.writer[id] = Some(self.bundles.len());
            *part = Some(id);
        }
        self.bundles.push(Bundle {
            name: "mov",
            shape,
            parts,
            sources: vec![source],
            place: None,
            inst: made.inst,
        });
        Some(self.bundles.len() - 1)
    }

    /// Puts instructions together that compute the same way, where nothing has to be copied for it.
    fn merge(&mut self) {
        let mut at = 0;
        while at < self.bundles.len() {
            let mut other = at + 1;
            while other < self.bundles.len() {
                let (one, two) = (&self.bundles[at], &self.bundles[other]);
                let found = if one.shape.kind == Kind::Each { one.with(&self.terms, two) } else { None };
                let found = found.filter(|_| {
                    !self.depends(&self.bundles[at], other) && !self.depends(&self.bundles[other], at)
                });
                let Some(both) = found else {
                    other += 1;
                    continue;
                };
                let before = (self.bundles.clone(), self.writer.clone());
                self.bundles[at] = both;
                self.remove(other);
                let failures = |bundles: &[Bundle]| Webs::failures(bundles, &self.terms);
                if failures(&self.bundles) > failures(&before.0) {
                    (self.bundles, self.writer) = before;
                    other += 1;
                }
            }
            at += 1;
        }
    }

    /// Takes out an instruction whose terms others compute.
    fn remove(&mut self, gone: usize) {
        self.bundles.remove(gone);
        self.index();
    }

    /// Says anew which instruction computes what.
    fn index(&mut self) {
        self.writer = vec![None; self.terms.len()];
        for (at, bundle) in self.bundles.iter().enumerate() {
            for id in bundle.results() {
                self.writer[id] = Some(at);
            }
        }
    }

    /// Leaves out instructions whose results nothing reads.
    fn drop_dead(&mut self) {
        let mut is_live = vec![false; self.bundles.len()];
        let mut open: Vec<usize> =
            (0..self.bundles.len()).filter(|at| self.bundles[*at].place.is_some()).collect();
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut is_live[at], true) {
                open.extend(self.before(&self.bundles[at]));
            }
        }
        let mut at = 0;
        self.bundles.retain(|_| {
            at += 1;
            is_live[at - 1]
        });
        self.index();
    }

    /// Copies what a source cannot read as it is: components of different places or signs, and those that cannot be in one register.
    fn untangle(&mut self) -> Option<()> {
        let mut at = 0;
        while at < self.bundles.len() {
            for index in 0..self.bundles[at].sources.len() {
                self.even(at, index)?;
            }
            at += 1;
        }
        let mut webs = Webs::default();
        for at in 0..self.bundles.len() {
            webs.results(&self.bundles[at]);
        }
        let mut at = 0;
        while at < self.bundles.len() {
            for index in 0..self.bundles[at].sources.len() {
                let source = self.bundles[at].sources[index];
                let Some(first) = source.iter().flatten().next() else { continue };
                if Class::of(&self.terms, first.id) != Class::Temporary || webs.source(&source) {
                    continue;
                }
                // What cannot join the others gets a register of its own.
                let made = Made { inst: self.bundles[at].inst, role: 0, lane: 0 };
                let plain = source.map(|operand| operand.map(|operand| Operand { negate: false, ..operand }));
                for (place, part) in self.apart(&webs, plain) {
                    let copy = self.copy(part, made)?;
                    webs.results(&self.bundles[copy]);
                    for place in place {
                        let id = self.bundles[copy].parts[place];
                        if let (Some(operand), Some(id)) = (&mut self.bundles[at].sources[index][place], id) {
                            operand.id = id;
                        }
                    }
                }
                if !webs.source(&self.bundles[at].sources[index]) {
                    // All of it.
                    let source = self.bundles[at].sources[index]
                        .map(|operand| operand.map(|o| Operand { negate: false, ..o }));
                    self.copy_each(at, index, source, &mut webs)?;
                }
            }
            at += 1;
        }
        Some(())
    }

    /// The parts of a source that keep it from being in one register: those that are not with most of the others.
    fn apart(&self, webs: &Webs, source: Source) -> Vec<(Vec<usize>, Source)> {
        let mut groups: Vec<(usize, Vec<usize>)> = Vec::new();
        for (place, operand) in source.iter().enumerate() {
            let Some(operand) = operand else { continue };
            let web = webs.web(operand.id);
            match groups.iter_mut().find(|(own, _)| *own == web) {
                Some((_, places)) => places.push(place),
                None => groups.push((web, vec![place])),
            }
        }
        // The largest stays; a register of its own is what the others get.
        groups.sort_by_key(|(_, places)| std::cmp::Reverse(places.len()));
        let moved: Vec<usize> = groups.iter().skip(1).flat_map(|(_, places)| places.clone()).collect();
        moved
            .into_iter()
            .map(|place| {
                let mut part = [None; 4];
                part[place] = source[place];
                (vec![place], part)
            })
            .collect()
    }

    /// Copies each register that a source reads into a new one.
    fn copy_each(&mut self, at: usize, index: usize, source: Source, webs: &mut Webs) -> Option<()> {
        let made = Made { inst: self.bundles[at].inst, role: 0, lane: 0 };
        for place in 0..4 {
            let Some(operand) = source[place] else { continue };
            let mut part = [None; 4];
            part[place] = Some(operand);
            let copy = self.copy(part, made)?;
            webs.results(&self.bundles[copy]);
            let id = self.bundles[copy].parts[place];
            if let (Some(own), Some(id)) = (&mut self.bundles[at].sources[index][place], id) {
                own.id = id;
            }
        }
        webs.source(&self.bundles[at].sources[index]).then_some(())
    }

    /// Makes a source of one class and one sign.
    fn even(&mut self, at: usize, index: usize) -> Option<()> {
        let source = self.bundles[at].sources[index];
        let class = |plan: &Plan, operand: &Operand| {
            let class = Class::of(&plan.terms, operand.id);
            (class, operand.negate && class != Class::Literal)
        };
        let mut groups: Vec<(Class, bool)> =
            source.iter().flatten().map(|operand| class(self, operand)).collect();
        groups.sort_unstable();
        groups.dedup();
        if groups.len() < 2 {
            return Some(());
        }
        let made = Made { inst: self.bundles[at].inst, role: 0, lane: 0 };
        // The sign of what stays.
        let kept = groups.iter().find(|(class, _)| *class == Class::Temporary).copied();
        for group in groups.into_iter().filter(|group| Some(*group) != kept) {
            let part = source.map(|operand| operand.filter(|operand| class(self, operand) == group));
            let part = part
                .map(|operand| operand.map(|operand| operand.with(kept.is_some_and(|(_, negate)| negate))));
            let copy = self.copy(part, made)?;
            let negate = kept.is_some_and(|(_, negate)| negate);
            for place in (0..4).filter(|place| part[*place].is_some()) {
                let id = self.bundles[copy].parts[place];
                self.bundles[at].sources[index][place] = id.map(|id| Operand { id, negate });
            }
        }
        Some(())
    }

    /// Numbers of one instruction are in one constant, if that has room for them.
    fn place_literals(&mut self) {
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

    /// Copies inputs and constants where an instruction reads two.
    fn resolve(&mut self, seed: u64) -> Option<()> {
        let mut number = gpuzoo_isa::numbers(seed);
        let mut weights: HashMap<Read, u32> = HashMap::new();
        // What has been copied, component by component.
        let mut copied: HashMap<Read, usize> = HashMap::new();
        loop {
            let mut conflicts: HashMap<Read, u32> = HashMap::new();
            for bundle in &self.bundles {
                for is_input in [true, false] {
                    let reads = self.reads(bundle, is_input);
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
                let reads = self.reads(bundle, matches!(read, Read::Input(_)));
                if reads.len() > 1 && reads.contains(&read) {
                    self.read_copy(at, read, &mut copied)?;
                }
            }
        }
    }

    /// The inputs, or the constants, that an instruction reads.
    fn reads(&self, bundle: &Bundle, inputs: bool) -> HashSet<Read> {
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
            for place in 0..4 {
                let Some(operand) = source[place] else { continue };
                // Numbers are copied with their signs, all else is turned where it is read.
                let plain = Operand { negate: is_literal && operand.negate, ..operand };
                let bundle = &self.bundles[copy];
                let same = |own: Operand| match (self.terms.known(own), self.terms.known(plain)) {
                    (Some(own), Some(plain)) => own.to_bits() == plain.to_bits(),
                    _ => own == plain,
                };
                let known = (0..4).find(|part| bundle.sources[0][*part].is_some_and(same));
                let part = match known.or_else(|| (0..4).find(|part| bundle.parts[*part].is_none())) {
                    Some(part) => part,
                    None => return None,
                };
                if known.is_none() {
                    self.copies += 1;
                    let term =
                        Term::Result { name: "mov", component: 0, from: vec![plain], copy: self.copies };
                    let id = self.terms.add(term, made).id;
                    self.writer.resize(self.terms.len(), None);
                    self.writer[id] = Some(copy);
                    self.bundles[copy].parts[part] = Some(id);
                    self.bundles[copy].sources[0][part] = Some(plain);
                }
                let id = self.bundles[copy].parts[part]?;
                let negate = !is_literal && operand.negate;
                self.bundles[at].sources[index][place] = Some(Operand { id, negate });
            }
        }
        Some(())
    }
}

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

//! What an operand is: a register that has what is wanted, values, or a register that it is brought to.

use super::cover::Wanted;
use super::draft::{Arg, Virtual, Vreg};
use super::emit::{Emitter, Stuck};
use super::rules::{Kind, Pattern, Source, Swizzles};
use crate::graph::lanes::Lane;
use gpuzoo_isa::{Mask, Reg, Swizzle};

impl Emitter<'_> {
    /// A register that an operand can be and that holds what is wanted, and how it is read.
    pub(super) fn locate(&self, pack: &Wanted, source: &Source, nearly: bool) -> Option<(Vreg, Swizzle)> {
        let first = pack.iter().flatten().find(|lane| matches!(lane, Lane::Of(..)));
        let first = first.or_else(|| pack.iter().flatten().next())?;
        let mut homes = self.homes.get(first)?.iter().copied();
        homes.find_map(|vreg| {
            if !source.files.contains(&self.file(vreg)) {
                return None;
            }
            self.read(pack, source, vreg, nearly).map(|swizzle| (vreg, swizzle))
        })
    }

    /// How a register is read to give what is wanted.
    pub(super) fn read(&self, pack: &Wanted, source: &Source, vreg: Vreg, nearly: bool) -> Option<Swizzle> {
        let holds = |component: u8, lane: Lane| self.draft.holds(vreg, component, lane, nearly);
        let fits = |swizzle: &Swizzle| {
            let mut pairs = swizzle.components().into_iter().zip(pack);
            pairs.all(|(component, lane)| lane.is_none_or(|lane| holds(component, lane)))
        };
        let from = |place: usize| {
            let lane = pack[place]?;
            let own = place as u8;
            // At its own place, if it is there too.
            std::iter::once(own).chain(0..4).find(|component| holds(*component, lane))
        };
        match source.swizzle {
            None => Some(Swizzle::IDENTITY).filter(fits),
            Some(Swizzles::Any) => {
                let found = [0, 1, 2, 3].map(from);
                source.swizzle_for(found).filter(fits)
            }
            Some(Swizzles::Listed(list)) => {
                let single = list.iter().find(|swizzle| swizzle.single().is_some() && fits(swizzle));
                single.or_else(|| list.iter().find(|swizzle| fits(swizzle))).copied()
            }
        }
    }

    /// What an operand is that gives what is wanted, in an instruction that writes some components.
    pub(super) fn fetch(
        &mut self,
        pack: &Wanted,
        negate: bool,
        source: &Source,
        mask: Mask,
        nearly: bool,
    ) -> Result<Arg, Stuck> {
        let bits = |lane: &Lane| match lane {
            Lane::Bits(bits) => Some(*bits),
            Lane::Of(..) => None,
        };
        let values: Option<Vec<u32>> = pack.iter().flatten().map(bits).collect();
        if let Some(values) = values.filter(|values| !values.is_empty() && !negate) {
            if let Some(arg) = self.values(&values, pack, source, mask) {
                return Ok(arg);
            }
            if self.locate(pack, source, nearly).is_none() {
                match self.literal(pack, source) {
                    // Another register may have them in other places.
                    Err(Stuck::Constants(_)) if pack.iter().flatten().all(|lane| self.is_held(*lane)) => {}
                    other => other?,
                }
            }
        }
        if pack.iter().all(Option::is_none) {
            // Nothing of it counts: any register will do.
            let vreg = (0..self.draft.vregs.len()).find(|vreg| source.files.contains(&self.file(*vreg)));
            let vreg = vreg.unwrap_or_else(|| self.vreg(Virtual { given: true, ..Virtual::default() }));
            let swizzle = source.swizzle_for([None; 4]).unwrap_or(Swizzle::IDENTITY);
            return Ok(Arg::Vreg { vreg, swizzle, negate: false, reads: 0 });
        }
        if let Some((vreg, swizzle)) = self.locate(pack, source, nearly) {
            return Ok(self.arg(vreg, swizzle, pack, negate));
        }
        for lane in pack.iter().flatten() {
            self.bring(*lane, source)?;
        }
        if let Some((vreg, swizzle)) = self.locate(pack, source, nearly) {
            return Ok(self.arg(vreg, swizzle, pack, negate));
        }
        let vreg = self.vreg(Virtual::default());
        // One number everywhere costs no more than at some places, where instructions write whole registers anyway.
        let first = pack.iter().flatten().next().copied();
        let spreads = !self.machine.masks && pack.iter().flatten().all(|lane| Some(*lane) == first);
        self.gather(vreg, &if spreads { [first; 4] } else { *pack })?;
        let swizzle = self.read(pack, source, vreg, nearly).unwrap_or(Swizzle::IDENTITY);
        Ok(self.arg(vreg, swizzle, pack, negate))
    }

    /// Values in the instruction itself.
    pub(super) fn values(&self, values: &[u32], pack: &Wanted, source: &Source, mask: Mask) -> Option<Arg> {
        let (most, op) = source.values?;
        let number = |bits: &u32| self.machine.sequence.number(op, *bits);
        let first = *values.first()?;
        if values.iter().all(|value| *value == first) {
            return Some(Arg::Values(vec![number(&first)?]));
        }
        if most == 1 {
            return None;
        }
        // They go to the components that are written, in order; the last one repeats.
        let places = (0..4u8).filter(|place| mask.has(*place));
        let mut all: Vec<u32> = places
            .map(|place| match pack[usize::from(place)] {
                Some(Lane::Bits(bits)) => number(&bits),
                Some(Lane::Of(..)) => None,
                None => number(&first),
            })
            .collect::<Option<_>>()?;
        while all.len() > 1 && all.last() == all.get(all.len() - 2) {
            all.pop();
        }
        Some(Arg::Values(all))
    }

    /// True if a temporary has something.
    fn is_held(&self, lane: Lane) -> bool {
        let homes = self.homes.get(&lane).into_iter().flatten();
        homes.into_iter().any(|vreg| self.file(*vreg) == self.machine.temporary_file)
    }

    /// Zeros from an instruction that gives zeros in some components, whatever it reads.
    fn make_zero(&mut self) -> Option<()> {
        let machine = self.machine;
        let zero = |pattern: &Pattern| *pattern == Pattern::Bits(0);
        let rule = machine.rules.iter().position(|rule| {
            rule.kind == Kind::Own
                && rule.roots.iter().any(zero)
                && rule.sources.iter().all(|source| source.consecutive == 1)
        })?;
        let own = machine.rules.get(rule)?;
        let held = |vreg: &Vreg| {
            self.file(*vreg) == machine.temporary_file && self.draft.vregs[*vreg].filled() == 15
        };
        let from = (0..self.draft.vregs.len()).rev().find(held)?;
        let pack = self.draft.vregs[from].content;
        let arg = self.arg(from, Swizzle::IDENTITY, &pack, false);
        let mut args = vec![arg; own.sources.len()];
        let vreg = self.vreg(Virtual::default());
        if let Some(tied) = own.sources.iter().position(|source| source.tied) {
            self.tie(&mut args[tied], &pack).ok()?;
            if let Arg::Vreg { vreg: copy, .. } = args[tied] {
                self.draft.same.push([copy, vreg]);
            }
        }
        let content = own.roots.each_ref().map(|root| zero(root).then_some(Lane::Bits(0)));
        self.write(rule, vreg, content, args, false);
        Some(())
    }

    /// Puts literals where instructions can read them.
    pub(super) fn literal(&mut self, pack: &Wanted, source: &Source) -> Result<(), Stuck> {
        let zeros = pack.iter().flatten().all(|lane| *lane == Lane::Bits(0));
        if zeros && self.machine.sequence.starts_with_zeros() && self.zero.is_none() {
            let content = [Some(Lane::Bits(0)); 4];
            self.zero = Some(self.vreg(Virtual { content, given: true, ..Virtual::default() }));
            return Ok(());
        }
        if let Some(rule) = self.machine.initializer {
            let vreg = self.vreg(Virtual::default());
            // A number for all components serves wherever it is wanted next.
            let first = pack.iter().flatten().next().copied();
            let same = pack.iter().flatten().all(|lane| Some(*lane) == first);
            let whole = if same { [first; 4] } else { *pack };
            let mask =
                Mask((0..4).filter(|place| whole[*place].is_some()).fold(0, |all, place| all | 1 << place));
            let values: Vec<u32> = whole
                .iter()
                .flatten()
                .filter_map(|lane| match lane {
                    Lane::Bits(bits) => Some(*bits),
                    Lane::Of(..) => None,
                })
                .collect();
            let sources = &self.machine.rules[rule].sources;
            let arg = sources.first().and_then(|source| self.values(&values, &whole, source, mask));
            let arg = arg.ok_or(Stuck::Component(first.unwrap_or(Lane::Bits(0))))?;
            self.write(rule, vreg, whole, vec![arg], false);
            return Ok(());
        }
        let vreg = match self.constant(pack, source) {
            Err(_) if zeros && !self.is_held(Lane::Bits(0)) && self.make_zero().is_some() => return Ok(()),
            other => other?,
        };
        if !source.files.contains(&self.file(vreg)) {
            self.load(vreg)?;
        }
        Ok(())
    }

    /// A constant that holds literals: one that has room for them, or a new one.
    fn constant(&mut self, pack: &Wanted, source: &Source) -> Result<Vreg, Stuck> {
        let file = self.machine.sequence.constant_file();
        let first = pack.iter().flatten().next().copied();
        let single = pack.iter().flatten().all(|lane| Some(*lane) == first) && source.broadcasts();
        let bits = pack.map(|lane| match lane {
            Some(Lane::Bits(bits)) => Some(bits),
            _ => None,
        });
        let fits = |own: &[Option<u32>; 4]| {
            own.iter().zip(&bits).all(|(own, new)| own.is_none() || new.is_none() || own == new)
        };
        let free = |own: &[Option<u32>; 4]| own.iter().any(Option::is_none);
        let at = self.draft.literals.iter().position(|own| if single { free(own) } else { fits(own) });
        let at = at.unwrap_or(self.draft.literals.len());
        let number = self.machine.literal_constant(at);
        if number.is_none() {
            // All that is there may hold it, if another instruction brings each component to its place.
            return Err(Stuck::Constants(at + 1));
        }
        if at == self.draft.literals.len() {
            self.draft.literals.push([None; 4]);
        }
        let reg = Reg { file, index: number.unwrap_or(0) };
        let known = self.known.get(&reg).copied();
        let vreg = known
            .unwrap_or_else(|| self.vreg(Virtual { fixed: Some(reg), given: true, ..Virtual::default() }));
        let own = &mut self.draft.literals[at];
        let places: Vec<(usize, u32)> = if single {
            let place = own.iter().position(Option::is_none).unwrap_or(0);
            bits.iter().flatten().take(1).map(|bits| (place, *bits)).collect()
        } else {
            bits.iter().enumerate().filter_map(|(place, bits)| Some((place, (*bits)?))).collect()
        };
        for (place, bits) in places {
            self.draft.literals[at][place] = Some(bits);
            let also = self.loaded.get(&vreg).copied();
            for vreg in std::iter::once(vreg).chain(also) {
                self.draft.vregs[vreg].content[place] = Some(Lane::Bits(bits));
                self.home(Lane::Bits(bits), vreg);
            }
        }
        Ok(vreg)
    }

    /// Copies a register that few instructions can read to a temporary.
    pub(super) fn load(&mut self, from: Vreg) -> Result<Vreg, Stuck> {
        if let Some(vreg) = self.loaded.get(&from).filter(|_| !self.machine.reloads) {
            return Ok(*vreg);
        }
        let to = self.fresh_load(from)?;
        self.loaded.insert(from, to);
        Ok(to)
    }

    fn fresh_load(&mut self, from: Vreg) -> Result<Vreg, Stuck> {
        let file = self.file(from);
        let rule = self.machine.copies.iter().copied().find(|rule| {
            let rule = &self.machine.rules[*rule];
            let writes = rule
                .destination
                .as_ref()
                .is_some_and(|(_, files)| files.contains(&self.machine.temporary_file));
            writes && rule.sources.first().is_some_and(|source| source.files.contains(&file))
        });
        let content = self.draft.vregs[from].content;
        let lane = content.iter().flatten().next().copied().unwrap_or(Lane::Bits(0));
        let rule = rule.ok_or(Stuck::Component(lane))?;
        let vreg = self.vreg(Virtual::default());
        let arg = Arg::Vreg { vreg: from, swizzle: Swizzle::IDENTITY, negate: false, reads: 15 };
        self.write(rule, vreg, content, vec![arg], false);
        if let Some(step) = self.draft.steps.last_mut() {
            (step.mask, step.overwrites) = (Mask::ALL, Mask::ALL);
        }
        Ok(vreg)
    }

    /// Makes sure that something is in a register of a file that a source can be.
    pub(super) fn bring(&mut self, lane: Lane, source: &Source) -> Result<(), Stuck> {
        let homes = self.homes.get(&lane).cloned().unwrap_or_default();
        if homes.iter().any(|vreg| source.files.contains(&self.file(*vreg))) {
            return Ok(());
        }
        match homes.first() {
            Some(vreg) => self.load(*vreg).map(|_| ()),
            None if matches!(lane, Lane::Bits(_)) => Ok(()),
            None => Err(Stuck::Component(lane)),
        }
    }

    /// A register of its own with what is wanted.
    fn own(&mut self, pack: &Wanted) -> Result<Vreg, Stuck> {
        let lanes: Vec<Lane> = pack.iter().flatten().copied().collect();
        let whole = lanes.first().and_then(|lane| self.homes.get(lane)).and_then(|homes| {
            homes.iter().copied().find(|vreg| {
                let own = &self.draft.vregs[*vreg];
                own.given && own.content.iter().zip(pack).all(|(own, lane)| lane.is_none() || own == lane)
            })
        });
        if let Some(from) = whole.filter(|vreg| self.file(*vreg) != self.machine.temporary_file) {
            return self.fresh_load(from);
        }
        let source = self.machine.plain_source.clone();
        if lanes.iter().all(|lane| matches!(lane, Lane::Bits(_))) && !lanes.is_empty() {
            let from = self.constant(pack, &source)?;
            return self.fresh_load(from);
        }
        for lane in lanes {
            self.bring(lane, &source)?;
        }
        let vreg = self.vreg(Virtual::default());
        self.gather(vreg, pack)?;
        Ok(vreg)
    }

    /// Consecutive registers.
    pub(super) fn group(&mut self, packs: Vec<Wanted>) -> Result<Vec<Vreg>, Stuck> {
        if let Some(known) = self.groups.get(&packs) {
            return Ok(known.clone());
        }
        let vregs: Vec<Vreg> = packs.iter().map(|pack| self.own(pack)).collect::<Result<_, _>>()?;
        self.draft.groups.push(vregs.clone());
        self.groups.insert(packs, vregs.clone());
        Ok(vregs)
    }
}

//! From tiles to a draft: every operand is found in a register, or brought into one.

use super::components::Components;
use super::cover::{Cover, Tile, Wanted, is_dot};
use super::draft::{Arg, Draft, Step, Virtual, Vreg};
use super::machine::Machine;
use super::rules::{Kind, Pattern, Rule, Source, Swizzles};
use crate::lanes::Lane;
use gpuzoo_ir::{Inst, Op2, Origin};
use gpuzoo_isa::{FileKind, Mask, Reg, Swizzle};
use std::collections::HashMap;

/// Why there is no draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// There are more constants than the machine has; so many are needed at least.
    Constants(usize),
    /// No instruction brings a component where it is needed.
    Component(Lane),
}

/// What is emitted, in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A tile.
    Tile(usize),
    /// An output, by its place among the function's.
    Output(usize),
}

/// A draft while it grows.
pub struct Emitter<'a> {
    machine: &'a Machine<'a>,
    components: &'a Components,
    cover: &'a Cover,
    outputs: &'a [Wanted],
    /// The places at which tiles with one number compute it.
    places: Vec<u8>,
    /// How often each component is still read.
    left: HashMap<Lane, usize>,
    homes: HashMap<Lane, Vec<Vreg>>,
    /// Registers of given values and constants.
    known: HashMap<Reg, Vreg>,
    /// Temporaries that hold all of a register that instructions cannot read.
    loaded: HashMap<Vreg, Vreg>,
    groups: HashMap<Vec<Wanted>, Vec<Vreg>>,
    zero: Option<Vreg>,
    origin: Origin,
    draft: Draft,
    /// Decides where both ways are as good.
    coin: Box<dyn FnMut(u32) -> u32>,
}

impl<'a> Emitter<'a> {
    /// An emitter of tiles.
    pub fn new(
        machine: &'a Machine<'a>,
        components: &'a Components,
        cover: &'a Cover,
        outputs: &'a [Wanted],
        coin: Box<dyn FnMut(u32) -> u32>,
    ) -> Emitter<'a> {
        let mut left: HashMap<Lane, usize> = HashMap::new();
        let uses = cover.tiles.iter().flat_map(|tile| &tile.uses);
        let packs = uses.map(|own| own.lanes).chain(outputs.iter().copied());
        for pack in packs {
            let mut seen: Vec<Lane> = Vec::new();
            for lane in pack.into_iter().flatten() {
                if !seen.contains(&lane) {
                    seen.push(lane);
                    *left.entry(lane).or_default() += 1;
                }
            }
        }
        let mut emitter = Emitter {
            machine,
            components,
            cover,
            outputs,
            places: vec![0; cover.tiles.len()],
            left,
            homes: HashMap::new(),
            known: HashMap::new(),
            loaded: HashMap::new(),
            groups: HashMap::new(),
            zero: None,
            origin: None,
            draft: Draft::default(),
            coin,
        };
        emitter.choose_places();
        emitter.place_given();
        emitter
    }

    /// The draft of all items, in their order.
    ///
    /// # Errors
    /// [`Stuck`], if something is in no register and no instruction can bring it there.
    pub fn emit(mut self, items: &[Item]) -> Result<Draft, Stuck> {
        self.draft.outputs = vec![0; self.outputs.len()];
        for item in items {
            match item {
                Item::Tile(tile) => self.tile(*tile)?,
                Item::Output(output) => self.output(*output)?,
            }
        }
        Ok(self.draft)
    }

    /// Where users want numbers that can be anywhere.
    fn choose_places(&mut self) {
        let one_by_one = self.machine.masks;
        let alone = |pack: &Wanted| {
            let mut lanes = pack.iter().flatten();
            let first = lanes.next();
            lanes.all(|lane| Some(lane) == first)
        };
        let mut wants: Vec<(Wanted, bool)> = Vec::new();
        for (number, pack) in self.outputs.iter().enumerate() {
            let joined = self.machine.output_is_joined(number);
            wants.push((*pack, alone(pack) && !joined || one_by_one && joined));
        }
        let want = |places: &mut Vec<u8>, pack: &Wanted, counts: bool| {
            for (place, lane) in pack.iter().enumerate() {
                let tile = lane.and_then(|lane| self.cover.by.get(&lane)).filter(|_| counts);
                if let Some(tile) = tile
                    && self.cover.tiles.get(*tile).is_some_and(|tile| tile.anywhere)
                    && let Some(places) = places.get_mut(*tile)
                {
                    *places |= 1 << place;
                }
            }
        };
        let mut places = std::mem::take(&mut self.places);
        wants.iter().for_each(|(pack, counts)| want(&mut places, pack, *counts));
        for (at, tile) in self.cover.tiles.iter().enumerate().rev() {
            let own = self.own_places(tile, places.get(at).copied().unwrap_or(0));
            let Some(rule) = self.machine.rules.get(tile.rule) else { continue };
            for (source, own_use) in rule.sources.iter().zip(&tile.uses) {
                let pack = self.pack(tile, rule, &own_use.lanes, own);
                let single = alone(&pack);
                want(&mut places, &pack, if single { !source.broadcasts() } else { one_by_one });
            }
        }
        self.places = places;
    }

    /// The places at which a tile computes something.
    fn own_places(&self, tile: &Tile, places: u8) -> u8 {
        if tile.anywhere {
            return if places == 0 { 1 } else { places };
        }
        (0..4).filter(|place| tile.results[*place].is_some()).fold(0, |all, place| all | 1 << place)
    }

    /// What a tile reads of a source.
    fn pack(&self, tile: &Tile, rule: &Rule, lanes: &Wanted, places: u8) -> Wanted {
        let follows = tile.anywhere && rule.kind == Kind::Each;
        let at = |place: usize| lanes[place].filter(|_| !follows || places >> place & 1 == 1);
        [0, 1, 2, 3].map(at)
    }

    /// Registers of what is there when the program begins.
    fn place_given(&mut self) {
        let function = &self.components.function;
        let mut read: Vec<Inst> = Vec::new();
        let packs = self.cover.tiles.iter().flat_map(|tile| tile.uses.iter().map(|own| own.lanes));
        for lane in packs.chain(self.outputs.iter().copied()).flatten().flatten() {
            let inst = self.components.inst(lane).filter(|_| self.components.is_given(lane));
            if let Some((inst, _)) = inst
                && !read.contains(&inst)
            {
                read.push(inst);
            }
        }
        // What is declared is there even if nothing reads it.
        let mut given = self.machine.declared();
        for inst in read {
            if !given.iter().any(|own| own.inst == Some(inst)) {
                given.extend(self.machine.given(inst));
            }
        }
        for own in given {
            let value = function.insts.iter().position(|inst| own.inst == Some(*inst));
            let value = value.map(|value| gpuzoo_ir::Value(value as u32));
            let content = [0u8, 1, 2, 3].map(|component| match value {
                _ if own.zeros >> component & 1 == 1 => Some(Lane::Bits(0)),
                Some(value) => Some(Lane::Of(value, component)),
                None => None,
            });
            let vreg = Virtual { content, fixed: own.reg, given: true, leaves: own.kept, ..Virtual::default() };
            let vreg = self.vreg(vreg);
            let list = if own.uniform { &mut self.draft.uniforms } else { &mut self.draft.inputs };
            list.push((own.order, vreg));
        }
    }

    fn vreg(&mut self, own: Virtual) -> Vreg {
        let vreg = self.draft.vregs.len();
        for lane in own.content.into_iter().flatten() {
            self.home(lane, vreg);
        }
        if let Some(reg) = own.fixed {
            self.known.insert(reg, vreg);
        }
        self.draft.vregs.push(own);
        vreg
    }

    fn home(&mut self, lane: Lane, vreg: Vreg) {
        let homes = self.homes.entry(lane).or_default();
        if !homes.contains(&vreg) {
            homes.push(vreg);
        }
    }

    fn file(&self, vreg: Vreg) -> u8 {
        let fixed = self.draft.vregs.get(vreg).and_then(|own| own.fixed);
        fixed.map_or(self.machine.temporary_file, |reg| reg.file)
    }

    /// A register that an operand can be and that holds what is wanted, and how it is read.
    fn locate(&self, pack: &Wanted, source: &Source, nearly: bool) -> Option<(Vreg, Swizzle)> {
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
    fn read(&self, pack: &Wanted, source: &Source, vreg: Vreg, nearly: bool) -> Option<Swizzle> {
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

    fn arg(&self, vreg: Vreg, swizzle: Swizzle, pack: &Wanted, negate: bool) -> Arg {
        let places = (0..4u8).filter(|place| pack[usize::from(*place)].is_some());
        let reads = swizzle.reads(Mask(places.fold(0, |all, place| all | 1 << place))).0;
        Arg::Vreg { vreg, swizzle, negate, reads }
    }

    /// What an operand is that gives what is wanted, in an instruction that writes some components.
    fn fetch(&mut self, pack: &Wanted, negate: bool, source: &Source, mask: Mask, nearly: bool) -> Result<Arg, Stuck> {
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
    fn values(&self, values: &[u32], pack: &Wanted, source: &Source, mask: Mask) -> Option<Arg> {
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
        let mut all: Vec<u32> = places.map(|place| match pack[usize::from(place)] {
            Some(Lane::Bits(bits)) => number(&bits),
            Some(Lane::Of(..)) => None,
            None => number(&first),
        }).collect::<Option<_>>()?;
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
            rule.kind == Kind::Own && rule.roots.iter().any(zero) && rule.sources.iter().all(|source| source.consecutive == 1)
        })?;
        let own = machine.rules.get(rule)?;
        let held = |vreg: &Vreg| self.file(*vreg) == machine.temporary_file && self.draft.vregs[*vreg].filled() == 15;
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
    fn literal(&mut self, pack: &Wanted, source: &Source) -> Result<(), Stuck> {
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
            let mask = Mask((0..4).filter(|place| whole[*place].is_some()).fold(0, |all, place| all | 1 << place));
            let values: Vec<u32> = whole.iter().flatten().filter_map(|lane| match lane {
                Lane::Bits(bits) => Some(*bits),
                Lane::Of(..) => None,
            }).collect();
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
        let vreg = known.unwrap_or_else(|| {
            self.vreg(Virtual { fixed: Some(reg), given: true, ..Virtual::default() })
        });
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
    fn load(&mut self, from: Vreg) -> Result<Vreg, Stuck> {
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
            let writes = rule.destination.as_ref().is_some_and(|(_, files)| files.contains(&self.machine.temporary_file));
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
    fn bring(&mut self, lane: Lane, source: &Source) -> Result<(), Stuck> {
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

    /// Appends an instruction that writes components of a register.
    fn write(&mut self, rule: usize, vreg: Vreg, content: Wanted, args: Vec<Arg>, in_place_copy: bool) {
        let mask = (0..4).filter(|place| content[*place].is_some()).fold(0, |all, place| all | 1 << place);
        let masked = self.machine.rules.get(rule).is_some_and(|rule| rule.masked);
        let overwrites = if masked { Mask(mask) } else { Mask::ALL };
        for (place, lane) in content.iter().enumerate() {
            if let Some(lane) = lane {
                self.draft.vregs[vreg].content[place] = Some(*lane);
                self.home(*lane, vreg);
            }
        }
        let origin = self.origin;
        let target = Some(vreg);
        self.draft.steps.push(Step { rule, target, mask: Mask(mask), overwrites, args, origin, in_place_copy });
    }

    /// Brings components to their places in a register, piece by piece.
    fn gather(&mut self, to: Vreg, pack: &Wanted) -> Result<(), Stuck> {
        let mut left = *pack;
        // Each turn puts a component in its place, or brings one nearer to it.
        for _ in 0..16 {
            if left.iter().all(Option::is_none) {
                return Ok(());
            }
            match self.best_piece(to, pack, &left) {
                Some(piece) => {
                    self.write(piece.rule, to, piece.content, vec![piece.arg], piece.in_place);
                    left.iter_mut().zip(piece.content).for_each(|(left, done)| *left = left.filter(|_| done.is_none()));
                }
                None => self.approach(&left)?,
            }
        }
        let lane = left.iter().flatten().next().copied();
        lane.map_or(Ok(()), |lane| Err(Stuck::Component(lane)))
    }

    /// The copy that puts the most components in their places.
    fn best_piece(&self, to: Vreg, pack: &Wanted, left: &Wanted) -> Option<Piece> {
        let file = self.file(to);
        let whole = left == pack;
        let mut best: Option<(usize, Piece)> = None;
        let mut offer = |score: usize, piece: Piece| {
            if best.as_ref().is_none_or(|(most, _)| score > *most) {
                best = Some((score, piece));
            }
        };
        for rule in self.machine.copies.iter().copied() {
            let own = &self.machine.rules[rule];
            let Some(source) = own.sources.first() else { continue };
            if own.destination.as_ref().is_none_or(|(_, files)| !files.contains(&file)) {
                continue;
            }
            for content in self.literal_pieces(source, left) {
                let count = content.iter().flatten().count();
                let all = content == *left && whole;
                let mask = (0..4).filter(|place| content[*place].is_some()).fold(0, |all, place| all | 1 << place);
                let values: Vec<u32> = content.iter().flatten().filter_map(|lane| match lane {
                    Lane::Bits(bits) => Some(*bits),
                    Lane::Of(..) => None,
                }).collect();
                let arg = self.values(&values, &content, source, Mask(mask));
                if let Some(arg) = arg.filter(|_| own.masked || all) {
                    offer(count * 4 + 1, Piece { rule, content, arg, in_place: false });
                }
            }
            let mut seen: Vec<Vreg> = Vec::new();
            for vreg in left.iter().flatten().filter_map(|lane| self.homes.get(lane)).flatten().copied() {
                if seen.contains(&vreg) || vreg == to || !source.files.contains(&self.file(vreg)) {
                    continue;
                }
                seen.push(vreg);
                for swizzle in self.swizzles(source, vreg, left) {
                    let from = swizzle.components();
                    let at = |place: usize| left[place].filter(|lane| self.draft.holds(vreg, from[place], *lane, false));
                    let content = [0, 1, 2, 3].map(at);
                    let count = content.iter().flatten().count();
                    if count == 0 || !own.masked && !(whole && content == *left) {
                        continue;
                    }
                    let in_place = (0..4).all(|place| content[place].is_none() || from[place] == place as u8);
                    let swizzle = if in_place { Swizzle::IDENTITY } else { swizzle };
                    let arg = self.arg(vreg, swizzle, &content, false);
                    // A copy that may be left out comes before one that may not.
                    let simple = usize::from(own.in_place);
                    offer(count * 4 + usize::from(in_place) * 2 + simple, Piece { rule, content, arg, in_place });
                }
            }
        }
        best.map(|(_, piece)| piece)
    }

    /// Literals that one instruction can write.
    fn literal_pieces(&self, source: &Source, left: &Wanted) -> Vec<Wanted> {
        let literal = |lane: &Option<Lane>| lane.filter(|lane| matches!(lane, Lane::Bits(_)));
        let all = left.each_ref().map(|lane| literal(lane));
        match source.values {
            None => Vec::new(),
            Some((1, _)) => {
                let one = |lane: Lane| all.map(|own| own.filter(|own| *own == lane));
                all.iter().flatten().map(|lane| one(*lane)).collect()
            }
            _ if all.iter().all(Option::is_none) => Vec::new(),
            _ => vec![all],
        }
    }

    /// Ways to read a register that bring something to its place.
    fn swizzles(&self, source: &Source, vreg: Vreg, left: &Wanted) -> Vec<Swizzle> {
        let from = |place: usize| {
            let lane = left[place]?;
            let own = place as u8;
            std::iter::once(own).chain(0..4).find(|component| self.draft.holds(vreg, *component, lane, false))
        };
        match source.swizzle {
            None => vec![Swizzle::IDENTITY],
            Some(Swizzles::Listed(list)) => list.to_vec(),
            Some(Swizzles::Any) => {
                let found = [0, 1, 2, 3].map(from);
                let other = found.iter().flatten().next().copied().unwrap_or(0);
                let in_place = [0, 1, 2, 3].map(|place: usize| found[place].filter(|from| usize::from(*from) == place));
                let mut all = vec![Swizzle::of(found.map(|component| component.unwrap_or(other)))];
                if in_place.iter().any(Option::is_some) {
                    all.push(Swizzle::IDENTITY);
                }
                all
            }
        }
    }

    /// Brings something that is left nearer to its place: into a register that copies can read, or to its place in a register of
    /// its own.
    fn approach(&mut self, left: &Wanted) -> Result<(), Stuck> {
        let Some(lane) = left.iter().flatten().next().copied() else { return Ok(()) };
        let readable = |emitter: &Emitter, vreg: Vreg| {
            let file = emitter.file(vreg);
            let reads = |rule: &usize| emitter.machine.rules[*rule].sources.iter().any(|source| source.files.contains(&file));
            emitter.machine.copies.iter().any(|rule| reads(rule) && emitter.machine.moves(*rule))
        };
        let home = self.homes.get(&lane).and_then(|homes| homes.iter().copied().find(|vreg| readable(self, *vreg)));
        let Some(home) = home else {
            return match lane {
                Lane::Bits(_) => {
                    // With all other literals that are left, which may be in one constant.
                    let pack = left.map(|lane| lane.filter(|lane| matches!(lane, Lane::Bits(_))));
                    let source = self.machine.plain_source.clone();
                    self.literal(&pack, &source)
                }
                Lane::Of(..) => {
                    let source = self.machine.plain_source.clone();
                    self.bring(lane, &source)
                }
            };
        };
        let shuffle = self.machine.copies.iter().copied().find(|rule| {
            self.machine.rules[*rule].sources.first().is_some_and(|source| source.swizzle == Some(Swizzles::Any))
        });
        let rule = shuffle.ok_or(Stuck::Component(lane))?;
        let source = self.machine.rules[rule].sources.first().cloned().ok_or(Stuck::Component(lane))?;
        let swizzle = self.swizzles(&source, home, left).first().copied().unwrap_or(Swizzle::IDENTITY);
        let from = swizzle.components();
        let content = [0, 1, 2, 3].map(|place: usize| {
            left[place].filter(|lane| self.draft.holds(home, from[place], *lane, false))
        });
        let arg = self.arg(home, swizzle, &content, false);
        let vreg = self.vreg(Virtual::default());
        self.write(rule, vreg, content, vec![arg], false);
        Ok(())
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
    fn group(&mut self, packs: Vec<Wanted>) -> Result<Vec<Vreg>, Stuck> {
        if let Some(known) = self.groups.get(&packs) {
            return Ok(known.clone());
        }
        let vregs: Vec<Vreg> = packs.iter().map(|pack| self.own(pack)).collect::<Result<_, _>>()?;
        self.draft.groups.push(vregs.clone());
        self.groups.insert(packs, vregs.clone());
        Ok(vregs)
    }

    /// Appends a tile.
    fn tile(&mut self, at: usize) -> Result<(), Stuck> {
        let cover = self.cover;
        let Some(tile) = cover.tiles.get(at) else { return Ok(()) };
        let machine = self.machine;
        let Some(rule) = machine.rules.get(tile.rule) else { return Ok(()) };
        self.origin = self.components.function.origins.get(tile.value.index()).copied().flatten();
        let places = self.own_places(tile, self.places[at]);
        let packs: Vec<Wanted> = tile.uses.iter().map(|own| self.pack(tile, rule, &own.lanes, places)).collect();
        let mut order: Vec<usize> = (0..rule.sources.len()).collect();
        if self.swaps(rule, &packs) {
            order.swap(0, 1);
        }
        let nearly = is_dot(rule);
        let mut args: Vec<Arg> = Vec::new();
        let mut tied = None;
        let mut from = 0;
        while from < rule.sources.len() {
            let source = &rule.sources[from];
            let count = usize::from(source.consecutive);
            if count > 1 {
                let group = self.group(packs.iter().skip(from).take(count).copied().collect())?;
                let full = |(vreg, pack): (Vreg, &Wanted)| self.arg(vreg, Swizzle::IDENTITY, pack, false);
                args.extend(group.into_iter().zip(&packs[from..]).map(full));
            } else {
                let used = order[from];
                let arg = self.fetch(&packs[used], tile.uses[used].negate, source, Mask(places), nearly)?;
                args.push(arg);
                if source.tied {
                    tied = Some(from);
                }
            }
            from += count;
        }
        if let Some(tied) = tied {
            self.tie(&mut args[tied], &packs[order[tied]])?;
        }
        for pack in &packs {
            let is_first = |place: &usize| pack[..*place].iter().all(|lane| *lane != pack[*place]);
            for lane in (0..4).filter(is_first).filter_map(|place| pack[place]) {
                self.left.entry(lane).and_modify(|left| *left = left.saturating_sub(1));
            }
        }
        if rule.destination.is_none() {
            let step = Step {
                rule: tile.rule,
                target: None,
                mask: Mask(0),
                overwrites: Mask(0),
                args,
                origin: self.origin,
                in_place_copy: false,
            };
            self.draft.steps.push(step);
            return Ok(());
        }
        let first = tile.results[0];
        let content = [0, 1, 2, 3].map(|place: usize| {
            if tile.anywhere { first.filter(|_| places >> place & 1 == 1) } else { tile.results[place] }
        });
        let vreg = self.vreg(Virtual { nearly_zero: nearly_zero(tile, rule), ..Virtual::default() });
        if let Some(Arg::Vreg { vreg: own, .. }) = tied.and_then(|tied| args.get(tied)) {
            self.draft.same.push([*own, vreg]);
        }
        self.write(tile.rule, vreg, content, args, false);
        Ok(())
    }

    /// A copy for an instruction that writes over what it reads.
    fn tie(&mut self, arg: &mut Arg, pack: &Wanted) -> Result<(), Stuck> {
        let Arg::Vreg { vreg, .. } = arg else { return Ok(()) };
        let own = self.vreg(Virtual::default());
        let lane = pack.iter().flatten().next().copied().unwrap_or(Lane::Bits(0));
        let piece = self.machine.copies.iter().copied().find(|rule| self.machine.moves(*rule));
        let rule = piece.ok_or(Stuck::Component(lane))?;
        let copied = self.arg(*vreg, Swizzle::IDENTITY, pack, false);
        // The copy is no home: it is overwritten at once.
        let mask = (0..4).filter(|place| pack[*place].is_some()).fold(0, |all, place| all | 1 << place);
        self.draft.vregs[own].content = *pack;
        self.draft.steps.push(Step {
            rule,
            target: Some(own),
            mask: Mask(mask),
            overwrites: if self.machine.rules[rule].masked { Mask(mask) } else { Mask::ALL },
            args: vec![copied],
            origin: self.origin,
            in_place_copy: true,
        });
        *arg = self.arg(own, Swizzle::IDENTITY, pack, false);
        Ok(())
    }

    /// True if the two sources of an instruction that writes over the first had better change places.
    fn swaps(&mut self, rule: &Rule, packs: &[Wanted]) -> bool {
        let [first, second] = rule.sources.as_slice() else { return false };
        let commutes = match &rule.roots[0] {
            Pattern::Two(op, both) => {
                let leaves = both.iter().all(|part| matches!(part, Pattern::Leaf { .. }));
                leaves && op.commutes() && *op != Op2::IXor
            }
            Pattern::Dot(..) => true,
            _ => false,
        };
        if !first.tied || !commutes || second.files != first.files {
            return false;
        }
        let uses = |pack: &Wanted| {
            pack.iter().flatten().map(|lane| match lane {
                // A constant is there for all.
                Lane::Bits(_) => 2,
                lane => self.left.get(lane).copied().unwrap_or(0),
            }).max().unwrap_or(0)
        };
        let (one, other) = (uses(&packs[0]), uses(&packs[1]));
        if one == other { (self.coin)(2) == 1 } else { other < one }
    }

    /// Appends what leaves an output's values in its register.
    fn output(&mut self, number: usize) -> Result<(), Stuck> {
        let Some(pack) = self.outputs.get(number).copied() else { return Ok(()) };
        let reg = self.machine.output_reg(number);
        let is_output = reg.is_some_and(|reg| matches!(self.machine.isa.file(reg).kind, FileKind::Output(_)));
        let origin = self.components.function.outputs.get(number);
        let origin = origin.and_then(|(_, value)| self.components.function.origins.get(value.index()).copied().flatten());
        self.origin = origin.or(self.origin);
        let leaves = (0..4).filter(|place| pack[*place].is_some()).fold(0, |all, place| all | 1 << place);
        let vreg = self.draft.vregs.len();
        self.draft.vregs.push(Virtual { fixed: reg, leaves, ..Virtual::default() });
        self.draft.outputs[number] = vreg;
        if !is_output {
            for lane in pack.iter().flatten() {
                let source = self.machine.plain_source.clone();
                self.bring(*lane, &source)?;
            }
            return self.gather(vreg, &pack);
        }
        let file = reg.map_or(0, |reg| reg.file);
        let rule = self.machine.copies.iter().copied().find(|rule| {
            self.machine.rules[*rule].destination.as_ref().is_some_and(|(_, files)| files.contains(&file))
        });
        let lane = pack.iter().flatten().next().copied().unwrap_or(Lane::Bits(0));
        let rule = rule.ok_or(Stuck::Component(lane))?;
        let source = self.machine.rules[rule].sources.first().cloned().ok_or(Stuck::Component(lane))?;
        let arg = self.fetch(&pack, false, &source, Mask::ALL, false)?;
        let step = Step {
            rule,
            target: Some(vreg),
            mask: Mask(leaves),
            overwrites: Mask::ALL,
            args: vec![arg],
            origin: self.origin,
            in_place_copy: false,
        };
        self.draft.vregs[vreg].content = pack;
        self.draft.steps.push(step);
        Ok(())
    }
}

/// A copy that puts components in their places.
struct Piece {
    rule: usize,
    content: Wanted,
    arg: Arg,
    in_place: bool,
}

/// Components of a result that are zero where the others are numbers: zeros times or over what all are.
fn nearly_zero(tile: &Tile, rule: &Rule) -> u8 {
    let zero = |place: usize| match &rule.roots[place] {
        Pattern::Two(Op2::FMul | Op2::FDiv, both) => match both[0] {
            Pattern::Leaf { source, component } => {
                let lane = tile.uses.get(source).and_then(|own| own.lanes[usize::from(component & 3)]);
                usize::from(component) == place && lane == Some(Lane::Bits(0)) && tile.results[place].is_none()
            }
            _ => false,
        },
        _ => false,
    };
    if rule.kind != Kind::Own {
        return 0;
    }
    (0..4).filter(|place| zero(*place)).fold(0, |all, place| all | 1 << place)
}

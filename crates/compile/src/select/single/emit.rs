//! From tiles to a draft: every operand is found in a register, or brought into one.

use super::components::Components;
use super::cover::{Cover, Tile, Wanted, is_dot};
use super::draft::{Arg, Draft, Step, Virtual, Vreg};
use super::machine::Machine;
use super::rules::{Kind, Pattern, Rule};
use crate::graph::lanes::Lane;
use gpuzoo_ir::{Op2, Origin};
use gpuzoo_isa::{FileKind, Mask, Reg, Swizzle};
use rustc_hash::FxHashMap as HashMap;

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
    pub(super) machine: &'a Machine<'a>,
    pub(super) components: &'a Components,
    pub(super) cover: &'a Cover,
    pub(super) outputs: &'a [Wanted],
    /// The places at which tiles with one number compute it.
    pub(super) places: Vec<u8>,
    /// How often each component is still read.
    pub(super) left: HashMap<Lane, usize>,
    pub(super) homes: HashMap<Lane, Vec<Vreg>>,
    /// Registers of given values and constants.
    pub(super) known: HashMap<Reg, Vreg>,
    /// Temporaries that hold all of a register that instructions cannot read.
    pub(super) loaded: HashMap<Vreg, Vreg>,
    pub(super) groups: HashMap<Vec<Wanted>, Vec<Vreg>>,
    pub(super) zero: Option<Vreg>,
    pub(super) origin: Origin,
    pub(super) draft: Draft,
    /// Decides where both ways are as good.
    pub(super) coin: Box<dyn FnMut(u32) -> u32>,
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
        let mut left: HashMap<Lane, usize> = HashMap::default();
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
            homes: HashMap::default(),
            known: HashMap::default(),
            loaded: HashMap::default(),
            groups: HashMap::default(),
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

    pub(super) fn vreg(&mut self, own: Virtual) -> Vreg {
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

    pub(super) fn home(&mut self, lane: Lane, vreg: Vreg) {
        let homes = self.homes.entry(lane).or_default();
        if !homes.contains(&vreg) {
            homes.push(vreg);
        }
    }

    pub(super) fn file(&self, vreg: Vreg) -> u8 {
        let fixed = self.draft.vregs.get(vreg).and_then(|own| own.fixed);
        fixed.map_or(self.machine.temporary_file, |reg| reg.file)
    }

    pub(super) fn arg(&self, vreg: Vreg, swizzle: Swizzle, pack: &Wanted, negate: bool) -> Arg {
        let places = (0..4u8).filter(|place| pack[usize::from(*place)].is_some());
        let reads = swizzle.reads(Mask(places.fold(0, |all, place| all | 1 << place))).0;
        Arg::Vreg { vreg, swizzle, negate, reads }
    }

    /// Appends an instruction that writes components of a register.
    pub(super) fn write(
        &mut self,
        rule: usize,
        vreg: Vreg,
        content: Wanted,
        args: Vec<Arg>,
        in_place_copy: bool,
    ) {
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
        self.draft.steps.push(Step {
            rule,
            target,
            mask: Mask(mask),
            overwrites,
            args,
            origin,
            in_place_copy,
            is_result: false,
        });
    }

    /// Appends a tile.
    fn tile(&mut self, at: usize) -> Result<(), Stuck> {
        let cover = self.cover;
        let Some(tile) = cover.tiles.get(at) else { return Ok(()) };
        let machine = self.machine;
        let Some(rule) = machine.rules.get(tile.rule) else { return Ok(()) };
        self.origin = self.components.function.origins.get(tile.value.index()).copied().flatten();
        let places = self.own_places(tile, self.places[at]);
        let packs: Vec<Wanted> =
            tile.uses.iter().map(|own| self.pack(tile, rule, &own.lanes, places)).collect();
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
                is_result: false,
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
        if let Some(step) = self.draft.steps.last_mut() {
            step.is_result = true;
        }
        Ok(())
    }

    /// A copy for an instruction that writes over what it reads.
    pub(super) fn tie(&mut self, arg: &mut Arg, pack: &Wanted) -> Result<(), Stuck> {
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
            is_result: false,
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
            pack.iter()
                .flatten()
                .map(|lane| match lane {
                    // A constant is there for all.
                    Lane::Bits(_) => 2,
                    lane => self.left.get(lane).copied().unwrap_or(0),
                })
                .max()
                .unwrap_or(0)
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
        let origin = origin
            .and_then(|(_, value)| self.components.function.origins.get(value.index()).copied().flatten());
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
            is_result: false,
        };
        self.draft.vregs[vreg].content = pack;
        self.draft.steps.push(step);
        Ok(())
    }
}

/// Components of a result that are zero where the others are numbers: zeros times or over what all are.
fn nearly_zero(tile: &Tile, rule: &Rule) -> u8 {
    let zero = |place: usize| match &rule.roots[place] {
        Pattern::Two(Op2::FMul | Op2::FDiv, both) => match both[0] {
            Pattern::Leaf { source, component } => {
                let lane = tile.uses.get(source).and_then(|own| own.lanes[usize::from(component & 3)]);
                usize::from(component) == place
                    && lane == Some(Lane::Bits(0))
                    && tile.results[place].is_none()
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

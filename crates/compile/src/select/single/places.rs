//! Where numbers are computed, and what is there before anything is.

use super::cover::{Tile, Wanted};
use super::draft::Virtual;
use super::emit::Emitter;
use super::rules::{Kind, Rule};
use crate::graph::lanes::Lane;
use gpuzoo_ir::Inst;

impl Emitter<'_> {
    /// Where users want numbers that can be anywhere.
    pub(super) fn choose_places(&mut self) {
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
    pub(super) fn own_places(&self, tile: &Tile, places: u8) -> u8 {
        if tile.anywhere {
            return if places == 0 { 1 } else { places };
        }
        (0..4).filter(|place| tile.results[*place].is_some()).fold(0, |all, place| all | 1 << place)
    }

    /// What a tile reads of a source.
    pub(super) fn pack(&self, tile: &Tile, rule: &Rule, lanes: &Wanted, places: u8) -> Wanted {
        let follows = tile.anywhere && rule.kind == Kind::Each;
        let at = |place: usize| lanes[place].filter(|_| !follows || places >> place & 1 == 1);
        [0, 1, 2, 3].map(at)
    }

    /// Registers of what is there when the program begins.
    pub(super) fn place_given(&mut self) {
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
            let vreg =
                Virtual { content, fixed: own.reg, given: true, leaves: own.kept, ..Virtual::default() };
            let vreg = self.vreg(vreg);
            let list = if own.uniform { &mut self.draft.uniforms } else { &mut self.draft.inputs };
            list.push((own.order, vreg));
        }
    }
}

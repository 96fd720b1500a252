//! Registers that are put together from components of others.

use super::cover::Wanted;
use super::draft::{Arg, Virtual, Vreg};
use super::emit::{Emitter, Stuck};
use super::rules::{Source, Swizzles};
use crate::graph::lanes::Lane;
use gpuzoo_isa::{Mask, Swizzle};
use rustc_hash::FxHashSet as HashSet;

impl Emitter<'_> {
    /// Brings components to their places in a register, piece by piece.
    pub(super) fn gather(&mut self, to: Vreg, pack: &Wanted) -> Result<(), Stuck> {
        let mut left = *pack;
        // Each turn puts a component in its place, or brings one nearer to it.
        for _ in 0..16 {
            if left.iter().all(Option::is_none) {
                return Ok(());
            }
            match self.best_piece(to, pack, &left) {
                Some(piece) => {
                    self.write(piece.rule, to, piece.content, vec![piece.arg], piece.in_place);
                    left.iter_mut()
                        .zip(piece.content)
                        .for_each(|(left, done)| *left = left.filter(|_| done.is_none()));
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
                let mask =
                    (0..4).filter(|place| content[*place].is_some()).fold(0, |all, place| all | 1 << place);
                let values: Vec<u32> = content
                    .iter()
                    .flatten()
                    .filter_map(|lane| match lane {
                        Lane::Bits(bits) => Some(*bits),
                        Lane::Of(..) => None,
                    })
                    .collect();
                let arg = self.values(&values, &content, source, Mask(mask));
                if let Some(arg) = arg.filter(|_| own.masked || all) {
                    offer(count * 4 + 1, Piece { rule, content, arg, in_place: false });
                }
            }
            let mut seen: HashSet<Vreg> = HashSet::default();
            for vreg in left.iter().flatten().filter_map(|lane| self.homes.get(lane)).flatten().copied() {
                if vreg == to || !source.files.contains(&self.file(vreg)) || !seen.insert(vreg) {
                    continue;
                }
                for swizzle in self.swizzles(source, vreg, left) {
                    let from = swizzle.components();
                    let at = |place: usize| {
                        left[place].filter(|lane| self.draft.holds(vreg, from[place], *lane, false))
                    };
                    let content = [0, 1, 2, 3].map(at);
                    let count = content.iter().flatten().count();
                    let free = own.masked || whole && content == *left;
                    if count == 0 || !free {
                        continue;
                    }
                    let in_place = (0..4).all(|place| content[place].is_none() || from[place] == place as u8);
                    let swizzle = if in_place { Swizzle::IDENTITY } else { swizzle };
                    let arg = self.arg(vreg, swizzle, &content, false);
                    // A copy that may be left out comes before one that may not.
                    let simple = usize::from(own.in_place);
                    offer(
                        count * 4 + usize::from(in_place) * 2 + simple,
                        Piece { rule, content, arg, in_place },
                    );
                }
            }
        }
        best.map(|(_, piece)| piece)
    }

    /// Literals that one instruction can write.
    fn literal_pieces(&self, source: &Source, left: &Wanted) -> Vec<Wanted> {
        let literal = |lane: &Option<Lane>| lane.filter(|lane| matches!(lane, Lane::Bits(_)));
        let all = left.each_ref().map(literal);
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
                let in_place =
                    [0, 1, 2, 3].map(|place: usize| found[place].filter(|from| usize::from(*from) == place));
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
            let reads = |rule: &usize| {
                emitter.machine.rules[*rule].sources.iter().any(|source| source.files.contains(&file))
            };
            emitter.machine.copies.iter().any(|rule| reads(rule) && emitter.machine.moves(*rule))
        };
        let home =
            self.homes.get(&lane).and_then(|homes| homes.iter().copied().find(|vreg| readable(self, *vreg)));
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
            self.machine.rules[*rule]
                .sources
                .first()
                .is_some_and(|source| source.swizzle == Some(Swizzles::Any))
        });
        let rule = shuffle.ok_or(Stuck::Component(lane))?;
        let source = self.machine.rules[rule].sources.first().cloned().ok_or(Stuck::Component(lane))?;
        let swizzle = self.swizzles(&source, home, left).first().copied().unwrap_or(Swizzle::IDENTITY);
        let from = swizzle.components();
        let content = [0, 1, 2, 3]
            .map(|place: usize| left[place].filter(|lane| self.draft.holds(home, from[place], *lane, false)));
        let arg = self.arg(home, swizzle, &content, false);
        let vreg = self.vreg(Virtual::default());
        self.write(rule, vreg, content, vec![arg], false);
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

//! Registers for a draft: copies that need not be made, and components of several values packed into one register.

use super::draft::{Arg, Draft, Vreg};
use super::live::{Conflicts, Live};
use super::machine::Machine;
use super::rules::Kind;
use gpuzoo_isa::{Mask, Reg, Swizzle};
use rustc_hash::FxHashMap as HashMap;

/// The most classes that are all compared with each other; more get registers in the order of their first writes.
const MOST_COMPARED: usize = 1_000;

/// Registers of a draft that are one.
#[derive(Clone, Debug)]
pub struct Homes {
    /// For each register of the draft, the class that it is in.
    class: Vec<usize>,
    /// The registers of each class.
    members: Vec<Vec<Vreg>>,
    /// What each class is.
    regs: Vec<Option<Reg>>,
    /// The registers that each class cannot be one with, and those that are in it, as bits.
    rows: Vec<[Vec<u64>; 2]>,
    /// What is in each of the machine's registers, as bits.
    held: HashMap<Reg, Vec<u64>>,
}

impl Homes {
    /// The register of the machine.
    pub fn reg(&self, vreg: Vreg) -> Option<Reg> {
        self.regs.get(*self.class.get(vreg)?).copied().flatten()
    }

    /// Every register for itself, but for those that have to be one.
    pub fn new(draft: &Draft, conflicts: &Conflicts) -> Homes {
        let count = draft.vregs.len();
        let own = |vreg: Vreg| {
            let mut bits = vec![0u64; count.div_ceil(64)];
            bits[vreg / 64] |= 1 << (vreg % 64);
            bits
        };
        let mut homes = Homes {
            class: (0..count).collect(),
            members: (0..count).map(|vreg| vec![vreg]).collect(),
            regs: draft.vregs.iter().map(|own| own.fixed).collect(),
            held: HashMap::default(),
            rows: (0..count).map(|vreg| [conflicts.row(vreg).to_vec(), own(vreg)]).collect(),
        };
        draft.same.iter().for_each(|[one, other]| homes.join(*one, *other));
        homes
    }

    fn join(&mut self, one: Vreg, other: Vreg) {
        let (to, from) = (self.class[one], self.class[other]);
        if to == from {
            return;
        }
        let moved = std::mem::take(&mut self.members[from]);
        moved.iter().for_each(|vreg| self.class[*vreg] = to);
        self.members[to].extend(moved);
        let gone = std::mem::take(&mut self.rows[from]);
        for (to, from) in self.rows[to].iter_mut().zip(gone) {
            to.iter_mut().zip(from).for_each(|(to, from)| *to |= from);
        }
        self.regs[to] = self.regs[to].or(self.regs[from]);
    }

    fn conflict(&self, one: usize, other: usize) -> bool {
        let [row, _] = &self.rows[one];
        let [_, members] = &self.rows[other];
        row.iter().zip(members).any(|(row, members)| row & members != 0)
    }

    /// Makes one register of the two of every copy that can be left out so; `order` has the steps of copies.
    pub fn coalesce(&mut self, draft: &Draft, machine: &Machine, order: &[usize]) {
        for step in order.iter().filter_map(|step| draft.steps.get(*step)) {
            let (Some(target), [Arg::Vreg { vreg, .. }]) = (step.target, step.args.as_slice()) else {
                continue;
            };
            let (one, other) = (self.class[target], self.class[*vreg]);
            let fixed = match (self.regs[one], self.regs[other]) {
                (Some(one), Some(other)) => one == other,
                (Some(reg), None) | (None, Some(reg)) => machine.computes_in(reg),
                (None, None) => true,
            };
            let grouped = |class: usize| draft.groups.iter().flatten().any(|vreg| self.class[*vreg] == class);
            if one == other || !fixed || grouped(one) && grouped(other) || self.conflict(one, other) {
                continue;
            }
            self.join(target, *vreg);
        }
    }

    /// Gives every class a register.
    ///
    /// # Errors
    /// The class that there is none for, by a register in it.
    pub fn allocate(&mut self, draft: &mut Draft, live: &mut Live, machine: &Machine) -> Result<(), Vreg> {
        let regs = machine.sequence.temporaries(machine.shader.stage);
        // The steps of each register.
        let mut steps: Vec<Vec<usize>> = vec![Vec::new(); draft.vregs.len()];
        for (at, step) in draft.steps.iter().enumerate() {
            let args = step.args.iter().filter_map(|arg| match arg {
                Arg::Vreg { vreg, .. } => Some(*vreg),
                Arg::Values(_) => None,
            });
            args.chain(step.target).for_each(|vreg| steps[vreg].push(at));
        }
        let mut used: Vec<bool> = steps.iter().map(|steps| !steps.is_empty()).collect();
        let declared = draft.inputs.iter().chain(&draft.uniforms).map(|(_, vreg)| *vreg);
        declared.chain(draft.outputs.iter().copied()).for_each(|vreg| used[vreg] = true);
        for class in 0..self.members.len() {
            if let Some(reg) = self.regs[class].filter(|_| !self.members[class].is_empty()) {
                self.place(class, reg);
            }
        }
        let mut classes: Vec<usize> = (0..self.members.len())
            .filter(|class| {
                self.regs[*class].is_none() && self.members[*class].iter().any(|vreg| used[*vreg])
            })
            .collect();
        let groups: Vec<Vec<usize>> =
            draft.groups.iter().map(|group| group.iter().map(|vreg| self.class[*vreg]).collect()).collect();
        for group in &groups {
            self.place_group(group, &regs).map_err(|class| self.members[class][0])?;
        }
        // What has the most that it cannot share a register with has the least choice.
        let degree = |class: usize, homes: &Homes| {
            if classes.len() > MOST_COMPARED {
                return 0;
            }
            classes.iter().filter(|other| **other != class && homes.conflict(class, **other)).count()
        };
        let degrees: Vec<usize> = classes.iter().map(|class| degree(*class, self)).collect();
        let mut order: Vec<usize> = (0..classes.len()).collect();
        order.sort_by_key(|at| (usize::MAX - degrees[*at], classes[*at]));
        classes = order.into_iter().map(|at| classes[at]).collect();
        for class in classes {
            if self.regs[class].is_some() {
                continue;
            }
            let vreg = self.members[class][0];
            let places: Vec<usize> =
                if self.is_movable(draft, &steps, machine, class) { (0..4).collect() } else { vec![] };
            let mut rows: Vec<(Option<usize>, Vec<u64>)> = Vec::new();
            for place in &places {
                move_component(draft, &steps[vreg], live, vreg, *place);
                rows.push((Some(*place), live.row(draft, vreg)));
            }
            if rows.is_empty() {
                rows.push((None, self.rows[class][0].clone()));
            }
            let found = regs.iter().find_map(|reg| {
                let row = rows.iter().find(|(_, row)| self.is_free(row, *reg))?;
                Some((*reg, row.0))
            });
            let (reg, place) = found.ok_or(vreg)?;
            if let Some(place) = place {
                move_component(draft, &steps[vreg], live, vreg, place);
                self.update(draft, live, class, vreg);
            }
            self.place(class, reg);
        }
        Ok(())
    }

    /// Gives a class a register.
    fn place(&mut self, class: usize, reg: Reg) {
        self.regs[class] = Some(reg);
        let [_, members] = &self.rows[class];
        let own = self.held.entry(reg).or_insert_with(|| vec![0; members.len()]);
        own.iter_mut().zip(members).for_each(|(own, members)| *own |= members);
    }

    /// True if nothing that conflicts is in a register.
    fn is_free(&self, row: &[u64], reg: Reg) -> bool {
        self.held.get(&reg).is_none_or(|held| held.iter().zip(row).all(|(held, row)| held & row == 0))
    }

    fn fits(&self, class: usize, reg: Reg) -> bool {
        self.is_free(&self.rows[class][0], reg)
    }

    fn place_group(&mut self, group: &[usize], regs: &[Reg]) -> Result<(), usize> {
        let found = regs.windows(group.len()).find(|window| {
            let follow = window
                .windows(2)
                .all(|pair| pair[0].file == pair[1].file && pair[0].index + 1 == pair[1].index);
            follow
                && group.iter().zip(*window).all(|(class, reg)| {
                    self.regs[*class].map_or_else(|| self.fits(*class, *reg), |own| own == *reg)
                })
        });
        let found = found.ok_or(group.first().copied().unwrap_or(0))?;
        for (class, reg) in group.iter().zip(found) {
            self.place(*class, *reg);
        }
        Ok(())
    }

    /// True for a register with one component that can be any: all who read it can read any.
    fn is_movable(&self, draft: &Draft, steps: &[Vec<usize>], machine: &Machine, class: usize) -> bool {
        let [vreg] = self.members[class].as_slice() else { return false };
        let own = &draft.vregs[*vreg];
        if own.given || own.leaves != 0 || own.filled() != 1 || own.nearly_zero != 0 {
            return false;
        }
        let single = |arg: &Arg| match arg {
            Arg::Vreg { swizzle, .. } => swizzle.single().is_some(),
            Arg::Values(_) => true,
        };
        steps[*vreg].iter().map(|step| &draft.steps[*step]).all(|step| {
            let Some(rule) = machine.rules.get(step.rule) else { return false };
            let reads =
                step.args.iter().filter(|arg| matches!(arg, Arg::Vreg { vreg: own, .. } if own == vreg));
            let written = step.target != Some(*vreg)
                || rule.masked
                    && (rule.kind == Kind::Same || rule.kind == Kind::Each && step.args.iter().all(single));
            written && { reads }.all(single)
        })
    }

    /// The conflicts of a register that has moved, computed again.
    fn update(&mut self, draft: &Draft, live: &Live, class: usize, vreg: Vreg) {
        let row = live.row(draft, vreg);
        for [conflicts, members] in &mut self.rows {
            let bit = 1 << (vreg % 64);
            let Some(word) = conflicts.get_mut(vreg / 64) else { continue };
            let conflicts = row.iter().zip(members.iter()).any(|(row, members)| row & members != 0);
            *word = if conflicts { *word | bit } else { *word & !bit };
        }
        self.rows[class][0] = row;
    }
}

/// Moves the one component of a register to another place.
fn move_component(draft: &mut Draft, steps: &[usize], live: &mut Live, vreg: Vreg, to: usize) {
    let content = &mut draft.vregs[vreg].content;
    let own = content.iter().flatten().next().copied();
    *content = [None; 4];
    content[to & 3] = own;
    live.shift(vreg, to);
    for step in steps {
        let step = &mut draft.steps[*step];
        if step.target == Some(vreg) {
            (step.mask, step.overwrites) = (Mask(1 << to), Mask(1 << to));
        }
        for arg in &mut step.args {
            if let Arg::Vreg { vreg: own, swizzle, reads, .. } = arg
                && *own == vreg
            {
                (*swizzle, *reads) = (Swizzle::broadcast(to as u8), 1 << to);
            }
        }
    }
}

impl Machine<'_> {
    /// True for a register that instructions can read and write.
    pub fn computes_in(&self, reg: Reg) -> bool {
        matches!(self.isa.file(reg).kind, gpuzoo_isa::FileKind::Temporary(_))
    }
}

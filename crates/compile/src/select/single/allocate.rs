//! Registers for a draft: copies that need not be made, and components of several values packed into one register.

use super::draft::{Arg, Draft, Vreg};
use super::live::{Live, Row};
use super::machine::Machine;
use super::rules::Kind;
use gpuzoo_isa::{Mask, Reg, Swizzle};
use rustc_hash::FxHashSet as HashSet;

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
    /// The registers that each class cannot be one with.
    rows: Vec<Row>,
}

impl Homes {
    /// The register of the machine.
    pub fn reg(&self, vreg: Vreg) -> Option<Reg> {
        self.regs.get(*self.class.get(vreg)?).copied().flatten()
    }

    /// Every register for itself, but for those that have to be one.
    pub fn new(draft: &Draft, conflicts: Vec<Row>) -> Homes {
        let count = draft.vregs.len();
        let mut homes = Homes {
            class: (0..count).collect(),
            members: (0..count).map(|vreg| vec![vreg]).collect(),
            regs: draft.vregs.iter().map(|own| own.fixed).collect(),
            rows: conflicts,
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
        self.rows[to].extend(gone);
        self.regs[to] = self.regs[to].or(self.regs[from]);
    }

    fn conflict(&self, one: usize, other: usize) -> bool {
        self.members[other].iter().any(|member| self.rows[one].contains(member))
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
        let degree = |class: usize| {
            if classes.len() > MOST_COMPARED {
                return 0;
            }
            let others = self.rows[class].iter().map(|other| self.class[*other]);
            let others = others.filter(|other| *other != class && classes.binary_search(other).is_ok());
            others.collect::<HashSet<usize>>().len()
        };
        let degrees: Vec<usize> = classes.iter().map(|class| degree(*class)).collect();
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
            let mut taken: Vec<(Option<usize>, HashSet<Reg>)> = Vec::new();
            for place in &places {
                move_component(draft, &steps[vreg], live, vreg, *place);
                taken.push((Some(*place), self.taken(&live.row(draft, vreg))));
            }
            if taken.is_empty() {
                taken.push((None, self.taken(&self.rows[class])));
            }
            let found = regs.iter().find_map(|reg| {
                let (place, _) = taken.iter().find(|(_, taken)| !taken.contains(reg))?;
                Some((*reg, *place))
            });
            let (reg, place) = found.ok_or(vreg)?;
            if let Some(place) = place {
                move_component(draft, &steps[vreg], live, vreg, place);
                self.update(draft, live, class, vreg);
            }
            self.regs[class] = Some(reg);
        }
        Ok(())
    }

    /// The machine's registers that hold something that conflicts.
    fn taken(&self, row: &Row) -> HashSet<Reg> {
        row.iter().filter_map(|other| self.regs[self.class[*other]]).collect()
    }

    fn place_group(&mut self, group: &[usize], regs: &[Reg]) -> Result<(), usize> {
        let taken: Vec<HashSet<Reg>> = group.iter().map(|class| self.taken(&self.rows[*class])).collect();
        let found = regs.windows(group.len()).find(|window| {
            let follow = window
                .windows(2)
                .all(|pair| pair[0].file == pair[1].file && pair[0].index + 1 == pair[1].index);
            follow
                && group.iter().zip(&taken).zip(*window).all(|((class, taken), reg)| {
                    self.regs[*class].map_or_else(|| !taken.contains(reg), |own| own == *reg)
                })
        });
        let found = found.ok_or(group.first().copied().unwrap_or(0))?;
        for (class, reg) in group.iter().zip(found) {
            self.regs[*class] = Some(*reg);
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
        for other in std::mem::take(&mut self.rows[class]) {
            self.rows[self.class[other]].remove(&vreg);
        }
        for other in &row {
            self.rows[self.class[*other]].insert(vreg);
        }
        self.rows[class] = row;
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

//! A check that naga reads the branches of a SPIR-V module as the module has them.
//!
//! naga assembles a tree of statements from the blocks of a function. Where the tree cannot hold a branch, its reader
//! makes another one of it without a word: `default` goes behind all other cases, a case falls through to the next one
//! in the order of `OpSwitch`, and a branch to a loop's merge block becomes a `break`, which leaves only the switch if
//! there is one in between.
//!
//! This module repeats on labels alone how the tree is assembled, and compares for every block where its branches lead
//! in the tree with where they lead in the module. What a block computes is the same in both, so a function whose
//! branches are the same is read as it is; every other one is refused.

use crate::front::BRANCHES;
use crate::front::spirv::{HEADER, instructions, is_module, words};
use gpuzoo_diag::{Diagnostic, File};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::ops::Range;

/// Instructions by their numbers (SPIR-V specification, section 3.52).
const FUNCTION: u32 = 54;
const FUNCTION_END: u32 = 56;
const LOOP_MERGE: u32 = 246;
const SELECTION_MERGE: u32 = 247;
const LABEL: u32 = 248;
const BRANCH: u32 = 249;
const BRANCH_CONDITIONAL: u32 = 250;
const SWITCH: u32 = 251;
/// Those that end a function or an invocation: `OpKill`, `OpReturn`, `OpReturnValue`, `OpUnreachable`.
const ENDS: Range<u32> = 252..256;

/// The problem of the first branch that naga reads as another one.
pub fn misread(file: &File, bytes: &[u8]) -> Option<Diagnostic> {
    let Misread { place, kind } = first_misread(bytes)?;
    let (message, help) = match kind {
        Kind::Switch => (
            "this switch cannot be read: `default` is not its last case, or a case is entered from within another one",
            "put `default` last, and end each case with `break`; cases that do the same may call one function",
        ),
        Kind::LeavesLoop => (
            "this branch cannot be read: it leaves a loop from a switch in it",
            "set a flag in the case, and leave the loop behind the switch: `if (done) break;`; or write `if` and `else` for the switch",
        ),
        Kind::Other => (
            "this branch cannot be read",
            "compile the source without optimisation, or write it in WGSL, GLSL or Cg",
        ),
    };
    Some(Diagnostic::error(&BRANCHES, message).at(file.span(place)).help(help))
}

/// A branch that naga reads as another one.
#[derive(Debug, PartialEq, Eq)]
struct Misread {
    /// The bytes of the instruction.
    place: Range<usize>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// To or from a case of a switch.
    Switch,
    /// Out of a loop.
    LeavesLoop,
    Other,
}

fn first_misread(bytes: &[u8]) -> Option<Misread> {
    if !is_module(bytes) {
        return None;
    }
    let mut tree = Tree::default();
    let (mut label, mut merges) = (None, Vec::new());
    let mut start = HEADER;
    for instruction in instructions(&bytes[HEADER..]) {
        let place = start..start + instruction.len();
        start = place.end;
        let words = words(instruction);
        let Some((first, operands)) = words.split_first() else { continue };
        let terminator = match (first & 0xffff, operands) {
            (FUNCTION, _) => {
                tree = Tree::default();
                label = None;
                continue;
            }
            (FUNCTION_END, _) => {
                if let Some(misread) = tree.misread() {
                    return Some(misread);
                }
                continue;
            }
            (LABEL, &[id]) => {
                label = Some(id);
                merges.clear();
                continue;
            }
            (SELECTION_MERGE, &[merge, _]) => {
                merges.push(Merge { merge, turn: None });
                continue;
            }
            (LOOP_MERGE, &[merge, turn, ..]) => {
                merges.push(Merge { merge, turn: Some(turn) });
                continue;
            }
            (BRANCH, &[target]) => Terminator::Branch(target),
            (BRANCH_CONDITIONAL, &[_, yes, no, ..]) => Terminator::Conditional(yes, no),
            (SWITCH, &[_, default, ref cases @ ..]) => {
                Terminator::Switch(default, cases.as_chunks().0.iter().map(|[_, target]| *target).collect())
            }
            (end, _) if ENDS.contains(&end) => Terminator::End,
            _ => continue,
        };
        if let Some(label) = label.take() {
            tree.add(label, &merges, terminator, place);
        }
    }
    None
}

/// `OpSelectionMerge`, or `OpLoopMerge` with its continue target.
struct Merge {
    merge: u32,
    turn: Option<u32>,
}

#[derive(Debug)]
enum Terminator {
    Branch(u32),
    /// The targets of a condition that holds, and of one that does not.
    Conditional(u32, u32),
    /// The default target, and those of the literals in their order.
    Switch(u32, Vec<u32>),
    End,
}

/// What naga makes of a branch to a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    LoopMerge,
    LoopContinue,
    SelectionMerge,
    SwitchMerge,
}

/// A list of statements of naga's.
#[derive(Debug, Default)]
struct Body {
    parent: usize,
    items: Vec<Item>,
    after: After,
}

#[derive(Debug)]
enum Item {
    Block(u32),
    If {
        accept: usize,
        reject: usize,
    },
    Switch {
        cases: Vec<(u32, usize)>,
        default: usize,
    },
    /// If `has_break_if`, a turn ends by a condition that leaves the loop or begins the next turn.
    Loop {
        body: usize,
        continuing: usize,
        has_break_if: bool,
    },
    Break,
    Continue,
}

/// An item of a body; the one behind the last is the end.
type Point = (usize, usize);

/// Where the statements of a body lead to.
#[derive(Clone, Copy, Debug, Default)]
struct After {
    end: Option<Point>,
    on_break: Option<Point>,
    on_continue: Option<Point>,
}

#[derive(Debug)]
struct Block {
    terminator: Terminator,
    place: Range<usize>,
    /// Where in the tree it is.
    point: Point,
    /// True if its condition is that of the loop whose turn it ends.
    is_break_if: bool,
}

/// A function as naga reads it.
#[derive(Debug)]
struct Tree {
    bodies: Vec<Body>,
    body_of: HashMap<u32, usize>,
    exits: HashMap<u32, Exit>,
    blocks: HashMap<u32, Block>,
    first: Option<u32>,
    /// Targets of switches.
    cases: HashSet<u32>,
    /// The first instruction of which naga's reader does not expect what it does.
    unexpected: Option<Range<usize>>,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree {
            bodies: vec![Body::default()],
            body_of: HashMap::default(),
            exits: HashMap::default(),
            blocks: HashMap::default(),
            first: None,
            cases: HashSet::default(),
            unexpected: None,
        }
    }
}

impl Tree {
    fn body(&mut self, parent: usize) -> usize {
        self.bodies.push(Body { parent, ..Body::default() });
        self.bodies.len() - 1
    }

    /// Appends a block, in the order of the module.
    fn add(&mut self, label: u32, merges: &[Merge], terminator: Terminator, place: Range<usize>) {
        self.first = self.first.or(Some(label));
        let mut body = *self.body_of.entry(label).or_default();
        let mut selection = None;
        for &Merge { merge, turn } in merges {
            self.body_of.entry(merge).or_insert(body);
            match turn {
                None => {
                    self.exits.insert(merge, Exit::SelectionMerge);
                    selection = Some(merge);
                }
                Some(turn) => {
                    self.exits.insert(merge, Exit::LoopMerge);
                    let inner = self.body(body);
                    let continuing = self.body(inner);
                    self.body_of.entry(turn).or_insert(continuing);
                    self.exits.insert(turn, Exit::LoopContinue);
                    self.body_of.insert(label, inner);
                    self.bodies[body].items.push(Item::Loop { body: inner, continuing, has_break_if: false });
                    body = inner;
                }
            }
        }
        let is_break_if = match terminator {
            Terminator::Conditional(yes, no) => self.break_if(body, yes, no),
            _ => false,
        };
        let point = (body, self.bodies[body].items.len());
        self.bodies[body].items.push(Item::Block(label));
        match &terminator {
            Terminator::Branch(target) => self.branch(body, *target),
            Terminator::Conditional(yes, no) if yes == no && !is_break_if => match self.exits.get(yes) {
                Some(exit) => self.bodies[body].leave(*exit),
                None => self.enter(*yes, body, &place),
            },
            Terminator::Conditional(yes, no) if !is_break_if => {
                let [accept, reject] = [*yes, *no].map(|target| {
                    let arm = self.body(body);
                    match self.exits.get(&target) {
                        Some(exit) => self.bodies[arm].leave(*exit),
                        None => self.enter(target, arm, &place),
                    }
                    arm
                });
                self.bodies[body].items.push(Item::If { accept, reject });
            }
            Terminator::Switch(default, targets) => {
                self.exits.extend(selection.map(|merge| (merge, Exit::SwitchMerge)));
                self.switch(body, *default, targets);
            }
            Terminator::Conditional(..) | Terminator::End => {}
        }
        let block = Block { terminator, place, point, is_break_if };
        if let Some(other) = self.blocks.insert(label, block) {
            self.unexpected.get_or_insert(other.place);
        }
    }

    fn branch(&mut self, body: usize, target: u32) {
        match self.exits.get(&target) {
            Some(exit) => self.bodies[body].leave(*exit),
            None => drop(self.body_of.entry(target).or_insert(body)),
        }
    }

    /// A branch of a condition, whose target naga expects to be nobody else's.
    fn enter(&mut self, target: u32, body: usize, place: &Range<usize>) {
        if self.body_of.insert(target, body).is_some() {
            self.unexpected.get_or_insert(place.clone());
        }
    }

    /// True if a condition at the end of a body is that of the loop whose turn the body ends.
    fn break_if(&mut self, body: usize, yes: u32, no: u32) -> bool {
        let above = self.bodies[self.bodies[body].parent].parent;
        let Some(&Item::Loop { body: inner, continuing, has_break_if: false }) =
            self.bodies[above].items.last()
        else {
            return false;
        };
        let is_condition = body == continuing
            && [(yes, no), (no, yes)].into_iter().any(|(leave, again)| {
                self.exits.get(&leave) == Some(&Exit::LoopMerge)
                    && !self.exits.contains_key(&again)
                    && self.body_of.get(&again) == Some(&inner)
            });
        if is_condition && let Some(Item::Loop { has_break_if, .. }) = self.bodies[above].items.last_mut() {
            *has_break_if = true;
        }
        is_condition
    }

    fn switch(&mut self, body: usize, default: u32, targets: &[u32]) {
        let default_body = self.body(body);
        self.body_of.entry(default).or_insert(default_body);
        self.cases.extend(targets.iter().chain([&default]));
        // By target: a target of several literals is one case, with empty ones before it.
        let mut order: Vec<(u32, usize)> = Vec::new();
        let mut counts: HashMap<u32, usize> = HashMap::default();
        for target in targets {
            let count = counts.entry(*target).or_default();
            *count += 1;
            if *count > 1 {
                continue;
            }
            let case = self.body(body);
            if let Some(exit) = self.exits.get(target) {
                self.bodies[case].leave(*exit);
            }
            self.body_of.entry(*target).or_insert(case);
            order.push((*target, case));
        }
        let mut cases = Vec::with_capacity(targets.len());
        for (target, case) in order {
            for _ in 1..counts[&target] {
                cases.push((target, self.body(body)));
            }
            cases.push((target, case));
        }
        self.bodies[body].items.push(Item::Switch { cases, default: default_body });
    }

    /// The first branch of a block that can be reached which leads elsewhere in the tree.
    fn misread(&mut self) -> Option<Misread> {
        self.connect();
        let mut labels = HashMap::default();
        let mut waiting: Vec<u32> = self.first.into_iter().collect();
        let mut seen: HashSet<u32> = waiting.iter().copied().collect();
        let mut found: Option<Misread> =
            self.unexpected.clone().map(|place| Misread { place, kind: Kind::Other });
        while let Some(label) = waiting.pop() {
            // A branch to where no block is, naga refuses.
            let Some(block) = self.blocks.get(&label) else { continue };
            if let Some(wrong) = self.wrong_target(block, &mut labels)
                && found.as_ref().is_none_or(|found| block.place.start < found.place.start)
            {
                found = Some(Misread { place: block.place.clone(), kind: self.kind(block, wrong) });
            }
            let targets = match &block.terminator {
                Terminator::Branch(target) => vec![*target],
                Terminator::Conditional(yes, no) => vec![*yes, *no],
                Terminator::Switch(default, targets) => targets.iter().copied().chain([*default]).collect(),
                Terminator::End => Vec::new(),
            };
            waiting.extend(targets.into_iter().filter(|target| seen.insert(*target)));
        }
        found
    }

    /// Sets where the statements of bodies lead to, from the outermost on.
    fn connect(&mut self) {
        let mut waiting = vec![0];
        while let Some(body) = waiting.pop() {
            let outer = self.bodies[body].after;
            let items = std::mem::take(&mut self.bodies[body].items);
            for (at, item) in items.iter().enumerate() {
                let behind = Some((body, at + 1));
                match item {
                    Item::If { accept, reject } => {
                        for arm in [*accept, *reject] {
                            self.bodies[arm].after = After { end: behind, ..outer };
                            waiting.push(arm);
                        }
                    }
                    Item::Switch { cases, default } => {
                        let all: Vec<usize> = cases.iter().map(|(_, case)| *case).chain([*default]).collect();
                        let ends = all[1..].iter().map(|next| Some((*next, 0))).chain([behind]);
                        for (case, end) in all.iter().zip(ends) {
                            self.bodies[*case].after = After { end, on_break: behind, ..outer };
                        }
                        waiting.extend(all);
                    }
                    Item::Loop { body: inner, continuing, has_break_if } => {
                        let turn = Some((*continuing, 0));
                        self.bodies[*inner].after = After { end: turn, on_break: behind, on_continue: turn };
                        // What ends a turn is left by its condition alone.
                        let end = if *has_break_if { None } else { Some((*inner, 0)) };
                        self.bodies[*continuing].after = After { end, on_break: None, on_continue: None };
                        waiting.extend([*inner, *continuing]);
                    }
                    Item::Block(_) | Item::Break | Item::Continue => {}
                }
            }
            self.bodies[body].items = items;
        }
    }

    /// The label of the block that is reached first from a point; none behind the end of the function. `labels` are
    /// those that are known.
    fn label(&self, point: Option<Point>, labels: &mut HashMap<Point, Option<u32>>) -> Option<u32> {
        let mut passed = Vec::new();
        let mut next = point;
        let label = loop {
            let Some(point @ (body, at)) = next else { break None };
            if let Some(label) = labels.get(&point) {
                break *label;
            }
            // Until it is known: what leads back to itself reaches no block.
            labels.insert(point, None);
            passed.push(point);
            let Body { items, after, .. } = &self.bodies[body];
            next = match items.get(at) {
                None => after.end,
                Some(Item::Break) => after.on_break,
                Some(Item::Continue) => after.on_continue,
                Some(Item::Loop { body, .. }) => Some((*body, 0)),
                Some(Item::Block(label)) => break Some(*label),
                // It is behind the block that has its condition.
                Some(Item::If { .. } | Item::Switch { .. }) => None,
            };
        };
        labels.extend(passed.into_iter().map(|point| (point, label)));
        label
    }

    /// A target of a block's branch that is another one in the tree.
    fn wrong_target(&self, block: &Block, labels: &mut HashMap<Point, Option<u32>>) -> Option<u32> {
        let (body, at) = block.point;
        let behind = (body, at + 1);
        let next = self.bodies[body].items.get(at + 1);
        let mut wrong =
            |point: Point, target: u32| (self.label(Some(point), labels) != Some(target)).then_some(target);
        match (&block.terminator, next) {
            (Terminator::End, _) => None,
            (Terminator::Branch(target), _) => wrong(behind, *target),
            (Terminator::Conditional(yes, no), None) if block.is_break_if => {
                let inner = self.bodies[body].parent;
                let leave = self.bodies[inner].after.on_break?;
                let [again, leave] = [(inner, 0), leave].map(|point| self.label(Some(point), labels));
                let targets = [Some(*yes), Some(*no)];
                (targets != [again, leave] && targets != [leave, again]).then_some(*yes)
            }
            (Terminator::Conditional(yes, no), _) if yes == no => wrong(behind, *yes),
            (Terminator::Conditional(yes, no), Some(Item::If { accept, reject })) => {
                wrong((*accept, 0), *yes).or_else(|| wrong((*reject, 0), *no))
            }
            (Terminator::Switch(default, _), Some(Item::Switch { cases, default: body })) => {
                let mut all = cases.iter().copied().chain([(*default, *body)]);
                all.find_map(|(target, case)| wrong((case, 0), target))
            }
            (Terminator::Conditional(target, _) | Terminator::Switch(target, _), _) => Some(*target),
        }
    }

    fn kind(&self, block: &Block, target: u32) -> Kind {
        let is_switch = matches!(block.terminator, Terminator::Switch(..));
        match self.exits.get(&target) {
            Some(Exit::LoopMerge) => Kind::LeavesLoop,
            _ if is_switch || self.cases.contains(&target) => Kind::Switch,
            _ => Kind::Other,
        }
    }
}

impl Body {
    /// Appends what naga makes of a branch that leaves something.
    fn leave(&mut self, exit: Exit) {
        match exit {
            Exit::LoopContinue => self.items.push(Item::Continue),
            Exit::LoopMerge | Exit::SwitchMerge => self.items.push(Item::Break),
            Exit::SelectionMerge => {}
        }
    }
}

//! Random control flow as SPIR-V: nested selections, switches with `default` in any place and with fall-through, loops
//! that are left and continued from anywhere, early returns, calls, and values in variables or in `OpPhi`. The words
//! are put together here; nothing of the compiler is in it.

use super::numbers::Random;

/// Ids of what every module declares.
const MAIN: u32 = 1;
const VOID: u32 = 2;
const OF_NOTHING: u32 = 3;
const FLOAT: u32 = 4;
const VEC4: u32 = 5;
const INT: u32 = 6;
const BOOL: u32 = 7;
const TO_INPUT: u32 = 8;
const TO_OUTPUT: u32 = 9;
const TO_FLOAT: u32 = 10;
const TO_INT: u32 = 11;
const INPUT: u32 = 12;
const POSITION: u32 = 13;
const OF_FLOAT: u32 = 14;
const HELPER: u32 = 15;
const FLOATS: u32 = 20;
const INTS: u32 = 30;
const FREE: u32 = 40;

/// The value that a path has computed, where it is an SSA value, and the counters of the loops around it.
#[derive(Clone, Debug)]
struct Path {
    value: u32,
    counters: Vec<u32>,
}

/// A block that is reached from others: its label, and what they bring.
#[derive(Clone, Debug)]
struct Join {
    label: u32,
    from: Vec<(u32, u32)>,
}

/// What is around a statement: numbers of [`Join`]s.
#[derive(Clone, Copy, Debug, Default)]
struct Around {
    merge: Option<usize>,
    turn: Option<usize>,
    /// The merge block of the switch, if no loop is within it.
    switch: Option<usize>,
    /// The next case.
    next: Option<usize>,
    depth: u32,
    /// True in a continue construct, which nothing leaves.
    is_continuing: bool,
}

struct Writer {
    random: Random,
    words: Vec<u32>,
    variables: Vec<u32>,
    joins: Vec<Join>,
    free: u32,
    /// The label of the block that is being written.
    label: u32,
    /// True as long as that block is empty.
    is_fresh: bool,
    is_ssa: bool,
    /// True if no switch is beyond what naga reads.
    is_ordinary: bool,
    /// The variable with the value, where it is in one.
    variable: u32,
    /// Four floats, and the same as integers.
    inputs: [u32; 4],
    selectors: [u32; 4],
    statements: u32,
    is_main: bool,
    has_helper: bool,
}

/// A module with a random seed. If `is_ordinary`, switches are as in a careful source: `default` last, and no case
/// leaves a loop or falls through.
pub fn module(seed: u64, is_ordinary: bool) -> Vec<u8> {
    let mut random = Random::new(seed);
    let is_ssa = random.once_in(2);
    let mut writer = Writer {
        random,
        words: Vec::new(),
        variables: Vec::new(),
        joins: Vec::new(),
        free: FREE,
        label: 0,
        is_fresh: false,
        is_ssa,
        is_ordinary,
        variable: 0,
        inputs: [0; 4],
        selectors: [0; 4],
        statements: 0,
        is_main: false,
        has_helper: false,
    };
    writer.has_helper = writer.random.once_in(3);
    let mut all = declarations();
    if writer.has_helper {
        all.extend(writer.function(HELPER));
    }
    all.extend(writer.function(MAIN));
    let header = [0x0723_0203, 0x1_0300, 0, writer.free, 0];
    header.into_iter().chain(all).flat_map(u32::to_le_bytes).collect()
}

fn put(words: &mut Vec<u32>, op: u32, operands: &[u32]) {
    words.push((operands.len() as u32 + 1) << 16 | op);
    words.extend_from_slice(operands);
}

fn declarations() -> Vec<u32> {
    let mut words = Vec::new();
    put(&mut words, 17, &[1]);
    put(&mut words, 14, &[0, 1]);
    put(&mut words, 15, &[0, MAIN, u32::from_le_bytes(*b"main"), 0, INPUT, POSITION]);
    put(&mut words, 71, &[INPUT, 30, 0]);
    put(&mut words, 71, &[POSITION, 11, 0]);
    put(&mut words, 19, &[VOID]);
    put(&mut words, 33, &[OF_NOTHING, VOID]);
    put(&mut words, 22, &[FLOAT, 32]);
    put(&mut words, 23, &[VEC4, FLOAT, 4]);
    put(&mut words, 21, &[INT, 32, 1]);
    put(&mut words, 20, &[BOOL]);
    put(&mut words, 32, &[TO_INPUT, 1, VEC4]);
    put(&mut words, 32, &[TO_OUTPUT, 3, VEC4]);
    put(&mut words, 32, &[TO_FLOAT, 7, FLOAT]);
    put(&mut words, 32, &[TO_INT, 7, INT]);
    put(&mut words, 33, &[OF_FLOAT, FLOAT, FLOAT]);
    for number in 0..10 {
        put(&mut words, 43, &[FLOAT, FLOATS + number, (number as f32).to_bits()]);
        put(&mut words, 43, &[INT, INTS + number, number]);
    }
    put(&mut words, 59, &[TO_INPUT, INPUT, 1]);
    put(&mut words, 59, &[TO_OUTPUT, POSITION, 3]);
    words
}

impl Writer {
    fn id(&mut self) -> u32 {
        self.free += 1;
        self.free - 1
    }

    fn put(&mut self, op: u32, operands: &[u32]) {
        put(&mut self.words, op, operands);
        self.is_fresh = false;
    }

    /// An instruction with a result.
    fn result(&mut self, op: u32, ty: u32, operands: &[u32]) -> u32 {
        let id = self.id();
        self.put(op, &[&[ty, id], operands].concat());
        id
    }

    fn function(&mut self, id: u32) -> Vec<u32> {
        self.is_main = id == MAIN;
        self.words.clear();
        self.variables.clear();
        self.statements = 0;
        let mut words = Vec::new();
        let parameter = self.id();
        if self.is_main {
            put(&mut words, 54, &[VOID, id, 0, OF_NOTHING]);
        } else {
            put(&mut words, 54, &[FLOAT, id, 0, OF_FLOAT]);
            put(&mut words, 55, &[FLOAT, parameter]);
        }
        self.label = self.id();
        put(&mut words, 248, &[self.label]);
        let vector = self.result(61, VEC4, &[INPUT]);
        self.inputs = [0, 1, 2, 3].map(|at| self.result(81, FLOAT, &[vector, at]));
        self.selectors = self.inputs.map(|input| self.result(110, INT, &[input]));
        let start = if self.is_main { FLOATS + 1 } else { parameter };
        self.variable = self.id();
        if !self.is_ssa {
            let variable = self.variable;
            put(&mut self.variables, 59, &[TO_FLOAT, variable, 7]);
            self.put(62, &[variable, start]);
        }
        let path = Path { value: start, counters: Vec::new() };
        if let Some(path) = self.statements(path, Around::default()) {
            self.leave(&path);
        }
        words.append(&mut self.variables);
        words.append(&mut self.words);
        put(&mut words, 56, &[]);
        words
    }

    /// Returns from the function.
    fn leave(&mut self, path: &Path) {
        let value = self.value(path);
        if self.is_main {
            let all = self.result(80, VEC4, &[value, value, FLOATS, FLOATS + 1]);
            self.put(62, &[POSITION, all]);
            self.put(253, &[]);
        } else {
            self.put(254, &[value]);
        }
    }

    fn value(&mut self, path: &Path) -> u32 {
        if self.is_ssa { path.value } else { self.result(61, FLOAT, &[self.variable]) }
    }

    fn set(&mut self, path: &mut Path, value: u32) {
        if self.is_ssa {
            path.value = value;
        } else {
            self.put(62, &[self.variable, value]);
        }
    }

    /// A step of the computation, in which the order of steps counts: c + x or c - x.
    fn step(&mut self, path: &mut Path) {
        let (before, number) = (self.value(path), FLOATS + 1 + self.random.below(9));
        let op = if self.random.once_in(2) { 129 } else { 131 };
        let after = self.result(op, FLOAT, &[number, before]);
        self.set(path, after);
    }

    fn condition(&mut self, path: &Path) -> u32 {
        match (self.random.below(3), path.counters.last().copied()) {
            (0, Some(counter)) => {
                let counter = self.counter(counter);
                let other = match self.random.once_in(2) {
                    true => INTS + self.random.below(3),
                    false => self.selectors[self.random.below(4) as usize],
                };
                let op = [170, 171, 177][self.random.below(3) as usize];
                self.result(op, BOOL, &[counter, other])
            }
            (1, _) => {
                let selector = self.selectors[self.random.below(4) as usize];
                let number = INTS + self.random.below(4);
                self.result(170, BOOL, &[selector, number])
            }
            _ => {
                let input = self.inputs[self.random.below(4) as usize];
                let number = FLOATS + 1 + self.random.below(3);
                self.result(184, BOOL, &[input, number])
            }
        }
    }

    fn counter(&mut self, counter: u32) -> u32 {
        if self.is_ssa { counter } else { self.result(61, INT, &[counter]) }
    }

    fn selector(&mut self, path: &Path) -> u32 {
        let selector = self.selectors[self.random.below(4) as usize];
        match (self.random.below(3), path.counters.last().copied()) {
            (0, Some(counter)) => self.counter(counter),
            (1, Some(counter)) => {
                let counter = self.counter(counter);
                self.result(128, INT, &[counter, selector])
            }
            _ => selector,
        }
    }

    fn join(&mut self) -> usize {
        let label = self.id();
        self.joins.push(Join { label, from: Vec::new() });
        self.joins.len() - 1
    }

    /// A join that is reached from the block that is being written; its label.
    fn reach(&mut self, join: usize, path: &Path) -> u32 {
        let from = (self.label, path.value);
        let join = &mut self.joins[join];
        if !join.from.contains(&from) {
            join.from.push(from);
        }
        join.label
    }

    fn branch(&mut self, join: usize, path: &Path) {
        let label = self.reach(join, path);
        self.put(249, &[label]);
    }

    fn begin(&mut self, label: u32) {
        self.put(248, &[label]);
        self.label = label;
        self.is_fresh = true;
    }

    /// Begins a join; nothing if no path reaches it.
    fn arrive(&mut self, join: usize, counters: &[u32]) -> Option<Path> {
        let Join { label, from } = self.joins[join].clone();
        self.begin(label);
        let Some((_, first)) = from.first().copied() else {
            self.put(255, &[]);
            return None;
        };
        let value = match self.is_ssa {
            true => {
                let pairs: Vec<u32> = from.iter().flat_map(|(label, value)| [*value, *label]).collect();
                self.result(245, FLOAT, &pairs)
            }
            false => first,
        };
        Some(Path { value, counters: counters.to_vec() })
    }

    /// Some statements; nothing if none of them goes on.
    fn statements(&mut self, path: Path, around: Around) -> Option<Path> {
        let mut path = path;
        let count = if around.depth == 0 { 3 } else { 1 + self.random.below(2) };
        for _ in 0..count {
            self.statements += 1;
            let is_deep = around.depth > 4 || self.statements > 14;
            path = match self.random.below(if is_deep { 4 } else { 14 }) {
                4..8 => self.selection(path, around)?,
                8..11 => self.switch(path, around)?,
                11..13 if around.depth < 3 => self.turns(path, around)?,
                13 if self.is_main && self.has_helper => {
                    let mut path = path;
                    let value = self.value(&path);
                    let value = self.result(57, FLOAT, &[HELPER, value]);
                    self.set(&mut path, value);
                    path
                }
                0 if around.depth > 0 && self.random.once_in(2) => self.exit(path, around)?,
                _ => {
                    self.step(&mut path);
                    path
                }
            };
        }
        Some(path)
    }

    /// Joins to which an exit may lead here.
    fn exits(&mut self, around: Around) -> Vec<usize> {
        if around.is_continuing {
            return Vec::new();
        }
        let is_free = !self.is_ordinary;
        let merge = around.merge.filter(|_| is_free || around.switch.is_none());
        let next = around.next.filter(|_| is_free && self.random.once_in(2));
        merge.into_iter().chain(around.turn).chain(around.switch).chain(next).collect()
    }

    /// Leaves for somewhere, if there is somewhere to go.
    fn exit(&mut self, path: Path, around: Around) -> Option<Path> {
        let exits = self.exits(around);
        let at = self.random.below(exits.len() as u32 + 1) as usize;
        match exits.get(at) {
            Some(exit) => self.branch(*exit, &path),
            None if around.is_continuing => return Some(path),
            None => self.leave(&path),
        }
        None
    }

    fn selection(&mut self, path: Path, around: Around) -> Option<Path> {
        let condition = self.condition(&path);
        let (merge, inner) = (self.join(), Around { depth: around.depth + 1, next: None, ..around });
        let exits = self.exits(Around { next: None, ..around });
        let label = self.joins[merge].label;
        let direct = exits.get(self.random.below(8) as usize).copied();
        match (direct, self.random.below(4)) {
            // A branch to an exit, with a merge block or without one.
            (Some(exit), kind) => {
                if kind < 2 {
                    self.put(247, &[label, 0]);
                }
                let [exit, stay] = [exit, merge].map(|join| self.reach(join, &path));
                let targets = if kind % 2 == 0 { [exit, stay] } else { [stay, exit] };
                self.put(250, &[&[condition], &targets[..]].concat());
            }
            (None, 0) => {
                self.put(247, &[label, 0]);
                let (yes, merge_label) = (self.id(), self.reach(merge, &path));
                let targets = if self.random.once_in(2) { [yes, merge_label] } else { [merge_label, yes] };
                self.put(250, &[&[condition], &targets[..]].concat());
                self.begin(yes);
                if let Some(path) = self.statements(path.clone(), inner) {
                    self.branch(merge, &path);
                }
            }
            (None, _) => {
                self.put(247, &[label, 0]);
                let [yes, no] = [self.id(), self.id()];
                self.put(250, &[condition, yes, no]);
                for arm in [yes, no] {
                    self.begin(arm);
                    if let Some(path) = self.statements(path.clone(), inner) {
                        self.branch(merge, &path);
                    }
                }
            }
        }
        self.arrive(merge, &path.counters)
    }

    fn switch(&mut self, path: Path, around: Around) -> Option<Path> {
        let selector = self.selector(&path);
        let merge = self.join();
        let count = 1 + self.random.below(4) as usize;
        let cases: Vec<usize> = (0..count).map(|_| self.join()).collect();
        let label = self.joins[merge].label;
        // The default is one of the cases, or where the switch ends.
        let default = match (self.is_ordinary, self.random.below(3)) {
            (true, 0) | (false, 0) => None,
            (true, _) => Some(count - 1),
            (false, _) => Some(self.random.below(count as u32) as usize),
        };
        let mut order: Vec<usize> = (0..count).collect();
        let is_swapped = !self.is_ordinary && self.random.once_in(4);
        if is_swapped {
            order.swap(0, count - 1);
        }
        // Only a target that is the next one in `OpSwitch` may be fallen into.
        let falls = !self.is_ordinary && !is_swapped && self.random.once_in(3);
        let default_label = match default {
            Some(default) => self.reach(cases[default], &path),
            None => self.reach(merge, &path),
        };
        let mut operands = vec![selector, default_label];
        // A case may not leave the switch around its own.
        let outside = self.exits(Around { next: None, switch: None, ..around });
        let mut literal = self.random.below(2);
        for case in order {
            // A default without a label of its own, and cases with two.
            let labels = if default == Some(case) && (self.is_ordinary || self.random.once_in(2)) {
                0
            } else {
                1 + self.random.below(5) / 4
            };
            for _ in 0..labels {
                let label = self.reach(cases[case], &path);
                operands.extend([literal, label]);
                literal += 1;
            }
        }
        if self.random.once_in(12) {
            // A case that only leaves.
            let exits: Vec<usize> = outside.into_iter().chain([merge]).collect();
            let join = exits[self.random.below(exits.len() as u32) as usize];
            let is_loop_merge = Some(join) == around.merge;
            if !(self.is_ordinary && is_loop_merge) {
                let label = self.reach(join, &path);
                operands.extend([literal, label]);
            }
        }
        self.put(247, &[label, 0]);
        self.put(251, &operands);
        for (at, case) in cases.iter().enumerate() {
            let next = cases.get(at + 1).copied().filter(|_| falls);
            let inner = Around { switch: Some(merge), next, depth: around.depth + 1, ..around };
            let Some(path) = self.arrive(*case, &path.counters) else { continue };
            if let Some(path) = self.statements(path, inner) {
                match next.filter(|_| self.random.once_in(2)) {
                    Some(next) => self.branch(next, &path),
                    None => self.branch(merge, &path),
                }
            }
        }
        self.arrive(merge, &path.counters)
    }

    fn turns(&mut self, path: Path, around: Around) -> Option<Path> {
        let [merge, turn] = [self.join(), self.join()];
        let count = INTS + 1 + self.random.below(3);
        let [before, back] = [path.value, self.id()];
        let next = self.id();
        // The header may be the block that is being written, if nothing is in it.
        let is_shared = !self.is_ssa && self.is_fresh && around.depth > 0 && self.random.once_in(2);
        let entry = self.label;
        let mut inner = path.clone();
        let variable = self.id();
        if !self.is_ssa {
            put(&mut self.variables, 59, &[TO_INT, variable, 7, INTS]);
            inner.counters.push(variable);
        }
        if !is_shared {
            if !self.is_ssa {
                self.put(62, &[variable, INTS]);
            }
            let header = self.id();
            self.put(249, &[header]);
            self.begin(header);
        }
        let header = self.label;
        // The block from which the next turn begins is not known yet.
        let mut places = Vec::new();
        if self.is_ssa {
            inner.value = self.result(245, FLOAT, &[before, entry, back, 0]);
            places.push(self.words.len() - 1);
            let counter = self.result(245, INT, &[INTS, entry, next, 0]);
            places.push(self.words.len() - 1);
            inner.counters.push(counter);
        }
        let counter = inner.counters[inner.counters.len() - 1];
        let [merge_label, turn_label] = [merge, turn].map(|join| self.joins[join].label);
        let at_end = self.random.below(3) == 0;
        if at_end || self.random.once_in(3) {
            let first = self.id();
            self.put(246, &[merge_label, turn_label, 0]);
            self.put(249, &[first]);
            self.begin(first);
            if !at_end {
                let body = self.id();
                let number = self.counter(counter);
                let is_on = self.result(177, BOOL, &[number, count]);
                self.reach(merge, &inner);
                self.put(250, &[is_on, body, merge_label]);
                self.begin(body);
            }
        } else {
            let body = self.id();
            let number = self.counter(counter);
            let is_on = self.result(177, BOOL, &[number, count]);
            self.put(246, &[merge_label, turn_label, 0]);
            self.reach(merge, &inner);
            self.put(250, &[is_on, body, merge_label]);
            self.begin(body);
        }
        let body = Around {
            merge: Some(merge),
            turn: Some(turn),
            switch: None,
            next: None,
            depth: around.depth + 1,
            is_continuing: false,
        };
        if let Some(path) = self.statements(inner.clone(), body) {
            self.branch(turn, &path);
        }
        // A continue target that nothing reaches still has a way back.
        let is_reached = !self.joins[turn].from.is_empty();
        let mut path = match is_reached {
            true => self.arrive(turn, &inner.counters)?,
            false => {
                self.begin(turn_label);
                inner.clone()
            }
        };
        if self.random.once_in(3) {
            self.step(&mut path);
        }
        if is_reached && self.random.once_in(8) {
            let around = Around { is_continuing: true, depth: around.depth + 2, ..Around::default() };
            path = self.selection(path, around)?;
        }
        if self.is_ssa {
            self.put(128, &[INT, next, counter, INTS + 1]);
            // The value under the id that the header has for it: x + 0.
            self.put(129, &[FLOAT, back, path.value, FLOATS]);
            path.value = back;
            let label = self.label;
            places.into_iter().for_each(|place| self.words[place] = label);
        } else {
            let number = self.result(61, INT, &[counter]);
            self.put(128, &[INT, next, number, INTS + 1]);
            self.put(62, &[counter, next]);
        }
        if at_end {
            let is_on = self.result(177, BOOL, &[next, count]);
            self.reach(merge, &path);
            let targets = if self.random.once_in(2) { Some([header, merge_label]) } else { None };
            match targets {
                Some([again, end]) => self.put(250, &[is_on, again, end]),
                None => {
                    let is_over = self.result(168, BOOL, &[is_on]);
                    self.put(250, &[is_over, merge_label, header]);
                }
            }
        } else {
            self.put(249, &[header]);
        }
        inner.counters.pop();
        self.arrive(merge, &inner.counters)
    }
}

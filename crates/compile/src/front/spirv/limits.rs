//! Limits of SPIR-V, looked at before naga reads a module: naga calls itself for each construct inside another one, and for each type of
//! types.

use crate::front::nesting::MOST_COPIED;
use crate::front::spirv::{HEADER, instructions, words};
use crate::walk::codes::TOO_LARGE;
use gpuzoo_diag::Diagnostic;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// The most constructs, types and constants inside one another.
pub const MOST_NESTED: usize = 64;

/// The most instructions of a module.
pub const MOST_INSTRUCTIONS: usize = 1 << 18;

/// The most blocks of a module.
pub const MOST_BLOCKS: usize = 8_192;

/// The most types of a module.
pub const MOST_TYPES: usize = 8_192;

/// The most functions of a module.
pub const MOST_FUNCTIONS: usize = 1_024;

/// Instructions by their numbers (SPIR-V, section 3.49).
const TYPE_VOID: u32 = 19;
const TYPE_FORWARD_POINTER: u32 = 39;
const TYPE_ARRAY: u32 = 28;
const TYPE_RUNTIME_ARRAY: u32 = 29;
const TYPE_STRUCT: u32 = 30;
const TYPE_POINTER: u32 = 32;
const CONSTANT_COMPOSITE: u32 = 44;
const SPEC_CONSTANT_COMPOSITE: u32 = 51;
const SPEC_CONSTANT_OP: u32 = 52;
const FUNCTION: u32 = 54;
const LOOP_MERGE: u32 = 246;
const SELECTION_MERGE: u32 = 247;
const LABEL: u32 = 248;
const BRANCH: u32 = 249;
const BRANCH_CONDITIONAL: u32 = 250;
const SWITCH: u32 = 251;

/// The first limit that a module exceeds. Nothing for bytes that are not SPIR-V, which are naga's to refuse.
pub fn exceeded(bytes: &[u8]) -> Option<Diagnostic> {
    if !bytes.starts_with(&[3, 2, 35, 7]) || bytes.len() < HEADER {
        return None;
    }
    let mut module = Module::default();
    for instruction in instructions(&bytes[HEADER..]) {
        let words = words(instruction);
        if let Some((first, operands)) = words.split_first()
            && let Some((what, most)) = module.add(first & 0xffff, operands)
        {
            let problem = Diagnostic::error(&TOO_LARGE, format!("the module has {what}: more than {most}"));
            return Some(problem.help("let `spirv-opt -O` make it smaller, or leave out what is not used"));
        }
    }
    gpuzoo_diag::work::spend(module.instructions);
    None
}

/// A type or a constant that is made of others.
#[derive(Clone, Copy, Default)]
struct Part {
    depth: usize,
    /// How many parts it has, each written out wherever it is named; an array of a type has one.
    parts: u64,
}

#[derive(Default)]
struct Module {
    instructions: usize,
    blocks: usize,
    functions: usize,
    types: usize,
    /// Types and constants that are made of others.
    parts: HashMap<u32, Part>,
    /// The largest depth and the largest number of parts of them.
    largest: Part,
    /// How many constructs the blocks of the function under way are in, as far as that is known.
    depths: HashMap<u32, usize>,
    /// Labels behind constructs, and of their continuing parts.
    behind: HashSet<u32>,
    /// The block under way, and its depth.
    block: u32,
    depth: usize,
}

impl Module {
    /// Adds an instruction: what there is too much of, and how much there may be.
    fn add(&mut self, operation: u32, operands: &[u32]) -> Option<(&'static str, usize)> {
        self.instructions += 1;
        self.types += usize::from((TYPE_VOID..=TYPE_FORWARD_POINTER).contains(&operation));
        match (operation, operands) {
            (TYPE_ARRAY, [id, of, ..]) | (TYPE_RUNTIME_ARRAY, [id, of]) | (TYPE_POINTER, [id, _, of]) => {
                self.made(*id, &[*of]);
            }
            (TYPE_STRUCT, [id, members @ ..]) => self.made(*id, members),
            (CONSTANT_COMPOSITE | SPEC_CONSTANT_COMPOSITE | SPEC_CONSTANT_OP, [_, id, parts @ ..]) => {
                self.made(*id, parts);
            }
            (FUNCTION, _) => {
                self.functions += 1;
                self.depths.clear();
                self.behind.clear();
            }
            (LABEL, [id]) => {
                self.blocks += 1;
                self.block = *id;
                self.depth = *self.depths.entry(*id).or_insert(0);
            }
            (SELECTION_MERGE, [merge, ..]) => self.merge(*merge, self.depth),
            (LOOP_MERGE, [merge, continuing, ..]) => {
                self.merge(*merge, self.depth);
                self.merge(*continuing, self.depth + 2);
                self.depth += 1;
                self.depths.insert(self.block, self.depth);
            }
            (BRANCH, [target]) => self.reach(*target, self.depth),
            (BRANCH_CONDITIONAL, [_, yes, no, ..]) => {
                self.reach(*yes, self.depth + 1);
                self.reach(*no, self.depth + 1);
            }
            (SWITCH, [_, default, cases @ ..]) => {
                self.reach(*default, self.depth + 1);
                // Numbers of cases have one word or two: a word that is no label reaches nothing.
                cases.iter().for_each(|case| self.reach(*case, self.depth + 1));
            }
            _ => {}
        }
        [
            (self.depth > MOST_NESTED, "constructs inside one another", MOST_NESTED),
            (self.largest.depth > MOST_NESTED, "types or constants inside one another", MOST_NESTED),
            (self.largest.parts > MOST_COPIED, "parts in one type or constant", MOST_COPIED as usize),
            (self.blocks > MOST_BLOCKS, "blocks", MOST_BLOCKS),
            (self.functions > MOST_FUNCTIONS, "functions", MOST_FUNCTIONS),
            (self.types > MOST_TYPES, "types", MOST_TYPES),
            (self.instructions > MOST_INSTRUCTIONS, "instructions", MOST_INSTRUCTIONS),
        ]
        .into_iter()
        .find_map(|(is_so, what, most)| is_so.then_some((what, most)))
    }

    /// A type or constant of others, which are declared before it.
    fn made(&mut self, id: u32, parts: &[u32]) {
        let below = || parts.iter().filter_map(|part| self.parts.get(part));
        let depth = 1 + below().map(|part| part.depth).max().unwrap_or(0);
        let parts = below().map(|part| part.parts).fold(parts.len() as u64, u64::saturating_add);
        self.largest = Part { depth: depth.max(self.largest.depth), parts: parts.max(self.largest.parts) };
        self.parts.insert(id, Part { depth, parts });
    }

    /// A label behind a construct is as deep as the construct.
    fn merge(&mut self, label: u32, depth: usize) {
        self.depths.entry(label).or_insert(depth);
        self.behind.insert(label);
    }

    /// A block is as deep as the deepest that leads to it.
    fn reach(&mut self, label: u32, depth: usize) {
        if !self.behind.contains(&label) {
            let known = self.depths.entry(label).or_insert(depth);
            *known = depth.max(*known);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front::spirv::put;

    /// A module of instructions, behind a header.
    fn module(instructions: &[(u32, &[u32])]) -> Vec<u8> {
        let mut words = vec![0x0723_0203, 0x1_0000, 0, 1 << 20, 0];
        instructions.iter().for_each(|(operation, operands)| put(&mut words, *operation, operands));
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn message(bytes: &[u8]) -> Option<String> {
        exceeded(bytes).map(|problem| problem.message)
    }

    /// Selections in one another, in two orders of their blocks: what is behind a construct may stand before what is in it.
    fn selections(count: u32, is_behind_first: bool) -> Vec<u8> {
        let mut words = vec![0x0723_0203, 0x1_0000, 0, 1 << 20, 0];
        put(&mut words, FUNCTION, &[1, 2, 0, 3]);
        let behind = |words: &mut Vec<u32>, at: u32| {
            put(words, LABEL, &[200_000 + at]);
            put(words, BRANCH, &[if at == 0 { 9 } else { 200_000 + at - 1 }]);
        };
        for at in 0..count {
            put(&mut words, LABEL, &[100_000 + at]);
            put(&mut words, SELECTION_MERGE, &[200_000 + at, 0]);
            put(&mut words, BRANCH_CONDITIONAL, &[8, 100_000 + at + 1, 200_000 + at]);
            if is_behind_first {
                behind(&mut words, at);
            }
        }
        put(&mut words, LABEL, &[100_000 + count]);
        put(&mut words, BRANCH, &[200_000 + count - 1]);
        if !is_behind_first {
            (0..count).rev().for_each(|at| behind(&mut words, at));
        }
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn constructs_are_counted_in_any_order() {
        let most = MOST_NESTED as u32;
        for is_behind_first in [false, true] {
            assert_eq!(message(&selections(most, is_behind_first)), None);
            let found = message(&selections(most + 1, is_behind_first)).unwrap();
            assert!(found.contains("constructs"), "{found}");
        }
        // One behind the other they are not deep.
        let one = |at: u32| {
            [
                (LABEL, vec![at]),
                (SELECTION_MERGE, vec![at + 2, 0]),
                (BRANCH_CONDITIONAL, vec![8, at + 1, at + 2]),
                (LABEL, vec![at + 1]),
                (BRANCH, vec![at + 2]),
            ]
        };
        let flat: Vec<(u32, Vec<u32>)> = (0..1_000).flat_map(|at| one(100 + 2 * at)).collect();
        let flat: Vec<(u32, &[u32])> =
            flat.iter().map(|(own, operands)| (*own, operands.as_slice())).collect();
        assert_eq!(message(&module(&flat)), None);
    }

    #[test]
    fn types_and_constants_of_types_and_constants_are_counted() {
        for (make, name) in [
            ((|at| (TYPE_STRUCT, vec![at + 1, at])) as fn(u32) -> (u32, Vec<u32>), "types"),
            (|at| (TYPE_ARRAY, vec![at + 1, at, 7]), "types"),
            (|at| (CONSTANT_COMPOSITE, vec![5, at + 1, at]), "types"),
        ] {
            let chain = |count: usize| {
                let all: Vec<(u32, Vec<u32>)> = (0..count as u32).map(|at| make(100 + at)).collect();
                let all: Vec<(u32, &[u32])> =
                    all.iter().map(|(own, operands)| (*own, operands.as_slice())).collect();
                message(&module(&all))
            };
            assert_eq!(chain(MOST_NESTED), None);
            assert!(chain(MOST_NESTED + 1).is_some_and(|found| found.contains(name)));
        }
    }

    #[test]
    fn parts_are_counted_where_they_are_named() {
        for make in [(|at| (TYPE_STRUCT, vec![at + 1, at, at])) as fn(u32) -> (u32, Vec<u32>), |at| {
            (CONSTANT_COMPOSITE, vec![5, at + 1, at, at])
        }] {
            let doubled = |count: u32| {
                let all: Vec<(u32, Vec<u32>)> = (0..count).map(|at| make(100 + at)).collect();
                let all: Vec<(u32, &[u32])> =
                    all.iter().map(|(own, operands)| (*own, operands.as_slice())).collect();
                message(&module(&all))
            };
            // 2 parts, 6, 14, …: 2^(n + 1) - 2.
            assert_eq!(doubled(17), None);
            assert!(doubled(18).is_some_and(|found| found.contains("262144")));
        }
    }

    /// naga takes a time for each type that grows with the number of types before it.
    #[test]
    fn types_are_counted() {
        let most = MOST_TYPES as u32;
        for count in [most, most + 1] {
            let all: Vec<[u32; 3]> = (0..count).map(|at| [100 + at, 5, 7]).collect();
            let all: Vec<(u32, &[u32])> = all.iter().map(|operands| (TYPE_ARRAY, &operands[..])).collect();
            let found = message(&module(&all));
            assert_eq!(found.is_some_and(|found| found.contains("has types")), count > most);
        }
    }

    #[test]
    fn other_bytes_are_not_looked_at() {
        for bytes in [&b""[..], b"abc", &[3, 2, 35, 7], &[3; 100]] {
            assert_eq!(message(bytes), None);
        }
    }
}

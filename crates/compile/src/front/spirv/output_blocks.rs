//! SPIR-V's blocks of outputs that have a location as a whole: naga leaves out members that say none, so each of them is given its own.

use crate::front::spirv::{put, words};
use rustc_hash::FxHashMap as HashMap;

/// Instructions by their numbers, and what they say (SPIR-V specification, sections 3.49, 3.20 and 3.7).
const TYPE_INT: u32 = 21;
const TYPE_FLOAT: u32 = 22;
const TYPE_VECTOR: u32 = 23;
const TYPE_MATRIX: u32 = 24;
const TYPE_STRUCT: u32 = 30;
const TYPE_POINTER: u32 = 32;
const VARIABLE: u32 = 59;
const DECORATE: u32 = 71;
const MEMBER_DECORATE: u32 = 72;
const LOCATION: u32 = 30;
const OUTPUT: u32 = 3;

/// Behind the decoration that says a block's location, those that say its members'.
pub struct Outputs {
    /// By the block's variable.
    members: HashMap<u32, Vec<u32>>,
}

impl Outputs {
    /// Those of a module's instructions.
    pub fn of<'a>(instructions: impl Iterator<Item = &'a [u8]>) -> Outputs {
        let mut sizes: HashMap<u32, u32> = HashMap::default();
        let mut structs: HashMap<u32, Vec<u32>> = HashMap::default();
        let mut pointers: HashMap<u32, u32> = HashMap::default();
        let mut locations: HashMap<u32, u32> = HashMap::default();
        let mut members = HashMap::default();
        for own in instructions {
            let words = words(own);
            let Some((first, operands)) = words.split_first() else { continue };
            match (first & 0xffff, operands) {
                (TYPE_INT | TYPE_FLOAT | TYPE_VECTOR, [id, ..]) => drop(sizes.insert(*id, 1)),
                (TYPE_MATRIX, &[id, _, columns]) => drop(sizes.insert(id, columns)),
                (TYPE_STRUCT, [id, all @ ..]) => drop(structs.insert(*id, all.to_vec())),
                (TYPE_POINTER, &[id, OUTPUT, of]) => drop(pointers.insert(id, of)),
                (DECORATE, &[id, LOCATION, at]) => drop(locations.insert(id, at)),
                // Members that say it themselves are naga's to read.
                (MEMBER_DECORATE, &[id, _, LOCATION, _]) => drop(locations.insert(id, u32::MAX)),
                (VARIABLE, [pointer, id, OUTPUT, ..]) => {
                    let block = pointers.get(pointer).filter(|block| !locations.contains_key(block));
                    if let (Some(block), Some(first)) = (block, locations.get(id))
                        && let Some(all) = structs.get(block)
                    {
                        members.insert(*id, decorations(*block, all, *first, &sizes));
                    }
                }
                _ => {}
            }
        }
        Outputs { members }
    }

    /// What stands in place of an instruction, if it says the location of a block.
    pub fn changed(&self, words: &[u32]) -> Option<Vec<u32>> {
        match words {
            [first, id, LOCATION, _] if first & 0xffff == DECORATE => {
                self.members.get(id).map(|members| [words, members].concat())
            }
            _ => None,
        }
    }
}

/// The decorations of all members, up to one whose type has no known number of locations.
fn decorations(block: u32, members: &[u32], first: u32, sizes: &HashMap<u32, u32>) -> Vec<u32> {
    let (mut all, mut next) = (Vec::new(), first);
    for (number, member) in (0..).zip(members) {
        put(&mut all, MEMBER_DECORATE, &[block, number, LOCATION, next]);
        let Some(size) = sizes.get(member) else { break };
        next = next.saturating_add(*size);
    }
    all
}

//! SPIR-V as naga reads it: without what says the lines of a source, and with each texture apart from its sampler and each output
//! at a location of its own.

pub mod branches;
pub mod limits;
mod output_blocks;

use crate::front::glsl::combined_samplers::SETS;
use crate::front::source_map::Moved;
use crate::front::spirv::output_blocks::Outputs;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// A module for naga.
#[derive(Debug, Default)]
pub struct Adapted {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Where they were.
    pub moved: Moved,
}

/// Bytes of a module before its instructions, and where in them the number is that no id reaches.
pub const HEADER: usize = 20;
const BOUND: usize = 12;

/// What is left out: `OpLine`, `OpNoLine` and `OpModuleProcessed` (SPIR-V specification, sections 3.49.2 and 3.49.9).
const LEFT_OUT: [u32; 3] = [8, 317, 330];

/// And a size of groups that lacks a number, which naga counts on.
const EXECUTION_MODE: u32 = 16;
const LOCAL_SIZE: u32 = 17;

/// Instructions by their numbers (section 3.49).
const TYPE_SAMPLER: u32 = 26;
const TYPE_SAMPLED_IMAGE: u32 = 27;
const TYPE_POINTER: u32 = 32;
const TYPE_FUNCTION: u32 = 33;
const FUNCTION_PARAMETER: u32 = 55;
const VARIABLE: u32 = 59;
const LOAD: u32 = 61;
const DECORATE: u32 = 71;
const SAMPLED_IMAGE: u32 = 86;
/// Those that declare types.
const TYPES: std::ops::RangeInclusive<u32> = 19..=39;

/// Decorations (section 3.20), and the storage class of textures (section 3.7).
const BINDING: u32 = 33;
const DESCRIPTOR_SET: u32 = 34;
const UNIFORM_CONSTANT: u32 = 0;

impl Adapted {
    /// Of bytes that are not SPIR-V, with the lowest byte of a word first, nothing is changed.
    pub fn of(bytes: &[u8]) -> Adapted {
        let mut adapted = Adapted { bytes: bytes.to_vec(), moved: Moved::default() };
        if !is_module(bytes) {
            return adapted;
        }
        adapted.bytes.truncate(HEADER);
        let mut combined = Combined::of(bytes);
        let outputs = Outputs::of(instructions(&bytes[HEADER..]));
        let mut before = HEADER;
        for own in instructions(&bytes[HEADER..]) {
            let words = words(own);
            let changed = match is_left_out(&words) {
                true => Some(Vec::new()),
                false => outputs.changed(&words).or_else(|| combined.changed(&words)),
            };
            match changed {
                Some(others) => {
                    adapted.moved.replaced(adapted.bytes.len(), before..before + own.len());
                    adapted.bytes.extend(others.iter().flat_map(|word| word.to_le_bytes()));
                    adapted.moved.copied(adapted.bytes.len(), before + own.len());
                }
                None => adapted.bytes.extend_from_slice(own),
            }
            before += own.len();
        }
        adapted.bytes[BOUND..BOUND + 4].copy_from_slice(&combined.bound.to_le_bytes());
        adapted.bytes.extend_from_slice(&bytes[before..]);
        adapted
    }
}

/// True for what begins as SPIR-V does, with the lowest byte of a word first.
pub fn is_module(bytes: &[u8]) -> bool {
    bytes.starts_with(&[3, 2, 35, 7]) && bytes.len() >= HEADER
}

/// The bytes of each instruction. One without a length, or beyond the end, has what is left: it is naga's to refuse.
pub fn instructions(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let (word, _) = rest.split_first_chunk()?;
        let length = match (u32::from_le_bytes(*word) >> 16) as usize * 4 {
            0 => rest.len(),
            length => length.min(rest.len()),
        };
        let (own, behind) = rest.split_at(length);
        rest = behind;
        Some(own)
    })
}

fn is_left_out(words: &[u32]) -> bool {
    let is_size = matches!(words, [first, _, LOCAL_SIZE, ..] if first & 0xffff == EXECUTION_MODE);
    words.first().is_some_and(|word| LEFT_OUT.contains(&(word & 0xffff))) || is_size && words.len() < 6
}

/// The words of an instruction.
pub fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// A texture with its sampler, which is declared as both: ids of the pointer to the image alone, of its type, and of the sampler.
#[derive(Clone, Copy)]
struct Texture {
    pointer: u32,
    image: u32,
    sampler: u32,
    /// Whether the module says where it is bound.
    is_bound: bool,
}

/// The textures with samplers of a module, and what their declarations and loads become.
struct Combined {
    /// No id is as large.
    bound: u32,
    /// For types of pointers to them, the type of a pointer to the image alone, and the image's.
    pointers: HashMap<u32, (u32, u32)>,
    /// The textures by the ids of their variables.
    textures: HashMap<u32, Texture>,
    /// Those ids, in their order.
    variables: Vec<u32>,
    /// The image's types of parameters, which are read with any sampler, since units have their own.
    parameters: HashMap<u32, u32>,
    /// The type of samplers, and of pointers to one.
    sampler: u32,
    sampler_pointer: u32,
    /// Whether their bindings have been said.
    is_decorated: bool,
    /// Whether the type of samplers, and the pointer to it, have been declared.
    has_sampler: bool,
    has_pointer: bool,
}

impl Combined {
    fn of(bytes: &[u8]) -> Combined {
        let mut bound = words(&bytes[BOUND..BOUND + 4])[0];
        let mut new = || {
            bound = bound.saturating_add(1);
            bound - 1
        };
        let mut images: HashMap<u32, u32> = HashMap::default();
        let mut pointers: HashMap<u32, (u32, u32)> = HashMap::default();
        let mut textures: HashMap<u32, Texture> = HashMap::default();
        let mut bindings: HashSet<u32> = HashSet::default();
        let (mut variables, mut sampler) = (Vec::new(), None);
        for own in instructions(&bytes[HEADER..]) {
            let words = words(own);
            let Some((first, operands)) = words.split_first() else { continue };
            match (first & 0xffff, operands) {
                (TYPE_SAMPLER, &[id]) => sampler = Some(id),
                (TYPE_SAMPLED_IMAGE, &[id, image]) => drop(images.insert(id, image)),
                (TYPE_POINTER, &[id, UNIFORM_CONSTANT, of]) => {
                    pointers.extend(images.get(&of).map(|image| (id, (new(), *image))));
                }
                (DECORATE, &[id, BINDING, _]) => drop(bindings.insert(id)),
                (VARIABLE, &[pointer, id, UNIFORM_CONSTANT]) => {
                    if let Some((pointer, image)) = pointers.get(&pointer).copied() {
                        let is_bound = bindings.contains(&id);
                        textures.insert(id, Texture { pointer, image, sampler: new(), is_bound });
                        variables.push(id);
                    }
                }
                _ => {}
            }
        }
        let (sampler, sampler_pointer) = match textures.is_empty() {
            true => (0, 0),
            false => (sampler.unwrap_or_else(&mut new), new()),
        };
        let is_decorated = textures.is_empty();
        let (has_sampler, has_pointer) = (false, false);
        Combined {
            bound,
            pointers,
            textures,
            variables,
            parameters: HashMap::default(),
            sampler,
            sampler_pointer,
            is_decorated,
            has_sampler,
            has_pointer,
        }
    }

    /// What an instruction becomes, if it does not stay.
    fn changed(&mut self, words: &[u32]) -> Option<Vec<u32>> {
        let (first, rest) = words.split_first()?;
        let mut all = Vec::new();
        if !self.is_decorated && TYPES.contains(&(first & 0xffff)) {
            self.is_decorated = true;
            self.decorate(&mut all);
        }
        match (first & 0xffff, rest) {
            (TYPE_SAMPLER, &[id]) if id == self.sampler => {
                if !std::mem::replace(&mut self.has_sampler, true) {
                    all.extend_from_slice(words);
                }
            }
            (TYPE_POINTER, &[id, ..]) if self.pointers.contains_key(&id) => {
                let (own, image) = self.pointers[&id];
                all.extend_from_slice(words);
                put(&mut all, TYPE_POINTER, &[own, UNIFORM_CONSTANT, image]);
            }
            (TYPE_FUNCTION, types) if types.iter().any(|id| self.pointers.contains_key(id)) => {
                let own = |id: &u32| self.pointers.get(id).map_or(*id, |(own, _)| *own);
                put(&mut all, TYPE_FUNCTION, &types.iter().map(own).collect::<Vec<_>>());
            }
            (FUNCTION_PARAMETER, &[pointer, id]) if self.pointers.contains_key(&pointer) => {
                let (own, image) = self.pointers[&pointer];
                self.parameters.insert(id, image);
                put(&mut all, FUNCTION_PARAMETER, &[own, id]);
            }
            (VARIABLE, &[_, id, class]) if self.textures.contains_key(&id) => {
                let Texture { pointer, sampler, .. } = self.textures[&id];
                if !std::mem::replace(&mut self.has_sampler, true) {
                    put(&mut all, TYPE_SAMPLER, &[self.sampler]);
                }
                if !std::mem::replace(&mut self.has_pointer, true) {
                    put(&mut all, TYPE_POINTER, &[self.sampler_pointer, UNIFORM_CONSTANT, self.sampler]);
                }
                put(&mut all, VARIABLE, &[pointer, id, class]);
                put(&mut all, VARIABLE, &[self.sampler_pointer, sampler, class]);
            }
            (LOAD, &[kind, id, from, ..]) if self.loaded(from).is_some() => {
                let (image, sampler) = self.loaded(from)?;
                let [one, other] = [self.bound, self.bound.saturating_add(1)];
                self.bound = self.bound.saturating_add(2);
                put(&mut all, LOAD, &[image, one, from]);
                put(&mut all, LOAD, &[self.sampler, other, sampler]);
                put(&mut all, SAMPLED_IMAGE, &[kind, id, one, other]);
            }
            _ if all.is_empty() => return None,
            _ => all.extend_from_slice(words),
        }
        Some(all)
    }

    /// The type of the image, and the sampler, that a texture with its sampler is loaded as.
    fn loaded(&self, from: u32) -> Option<(u32, u32)> {
        let own = self.textures.get(&from).map(|own| (own.image, own.sampler));
        let any = || self.textures.get(self.variables.first()?).map(|own| own.sampler);
        own.or_else(|| Some((*self.parameters.get(&from)?, any()?)))
    }

    /// Says where samplers are bound, and textures of which that is not said.
    fn decorate(&self, all: &mut Vec<u32>) {
        for (number, variable) in (0..).zip(&self.variables) {
            let Texture { sampler, is_bound, .. } = self.textures[variable];
            let own = (!is_bound).then_some((*variable, SETS[0]));
            for (id, set) in own.into_iter().chain([(sampler, SETS[1])]) {
                put(all, DECORATE, &[id, DESCRIPTOR_SET, set]);
                put(all, DECORATE, &[id, BINDING, number]);
            }
        }
    }
}

/// Appends an instruction.
pub fn put(all: &mut Vec<u32>, operation: u32, operands: &[u32]) {
    all.push((operands.len() as u32 + 1) << 16 | operation);
    all.extend_from_slice(operands);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_left_out() {
        let words = |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|word| word.to_le_bytes()).collect() };
        let header = [0x0723_0203, 0x1_0000, 0, 9, 0];
        // OpLine of four words, OpCapability of two, OpNoLine, OpCapability.
        let module = words(
            &[&header[..], &[4 << 16 | 8, 1, 2, 3, 2 << 16 | 17, 1, 1 << 16 | 317, 2 << 16 | 17, 2]].concat(),
        );
        let adapted = Adapted::of(&module);
        assert_eq!(adapted.bytes, words(&[&header[..], &[2 << 16 | 17, 1, 2 << 16 | 17, 2]].concat()));
        assert_eq!([0, 19, 20, 27, 28, 32].map(|at| adapted.moved.before(at)), [0, 19, 36, 43, 48, 52]);
        for other in [&b""[..], b"abc", &module[..22], &words(&[header[0], 0, 0, 0, 0, 0, 7])] {
            assert_eq!(Adapted::of(other).bytes, other);
        }
    }
}

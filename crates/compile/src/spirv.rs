//! SPIR-V as naga reads it: without what says the lines of a source, and with each texture apart from its sampler.

use rustc_hash::FxHashMap as HashMap;

/// A module's bytes with some instructions left out and others put in, and where those were.
#[derive(Debug, Default)]
pub struct Stripped {
    /// What is left.
    pub bytes: Vec<u8>,
    /// Places in what is left, and how many bytes more there were before each.
    cuts: Vec<(usize, isize)>,
}

/// Bytes of a module before its instructions, and where in them the number is that no id reaches.
const HEADER: usize = 20;
const BOUND: usize = 12;

/// What is left out: `OpLine`, `OpNoLine` and `OpModuleProcessed` (SPIR-V specification, sections 3.49.2 and 3.49.9).
const LEFT_OUT: [u32; 3] = [8, 317, 330];

/// Instructions by their numbers (section 3.49).
const TYPE_SAMPLER: u32 = 26;
const TYPE_SAMPLED_IMAGE: u32 = 27;
const TYPE_POINTER: u32 = 32;
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

/// Sets of bindings that no module of its own has: those of textures without one, and those of samplers.
const SETS: [u32; 2] = [1_000, 1_001];

impl Stripped {
    /// Of bytes that are not SPIR-V, with the lowest byte of a word first, nothing is left out.
    pub fn of(bytes: &[u8]) -> Stripped {
        let mut stripped = Stripped { bytes: bytes.to_vec(), cuts: Vec::new() };
        if !bytes.starts_with(&[3, 2, 35, 7]) || bytes.len() < HEADER {
            return stripped;
        }
        stripped.bytes.truncate(HEADER);
        let mut combined = Combined::of(bytes);
        let mut at = HEADER;
        for own in instructions(&bytes[HEADER..]) {
            at += own.len();
            match combined.changed(&words(own)) {
                _ if LEFT_OUT.contains(&operation(own)) => {}
                Some(others) => stripped.bytes.extend(others.iter().flat_map(|word| word.to_le_bytes())),
                None => {
                    stripped.bytes.extend_from_slice(own);
                    continue;
                }
            }
            stripped.cuts.push((stripped.bytes.len(), at as isize - stripped.bytes.len() as isize));
        }
        stripped.bytes[BOUND..BOUND + 4].copy_from_slice(&combined.bound.to_le_bytes());
        stripped.bytes.extend_from_slice(&bytes[at..]);
        stripped
    }

    /// Where a byte was before.
    pub fn before(&self, at: usize) -> usize {
        let cuts = self.cuts.partition_point(|(place, _)| *place <= at);
        cuts.checked_sub(1).map_or(at, |last| at.saturating_add_signed(self.cuts[last].1))
    }
}

/// The bytes of each instruction. One without a length, or beyond the end, has what is left: it is naga's to refuse.
fn instructions(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
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

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

fn operation(instruction: &[u8]) -> u32 {
    words(instruction).first().map_or(0, |word| word & 0xffff)
}

/// A texture with its sampler, which is declared as both.
struct Texture {
    image: u32,
    sampler: u32,
    is_bound: bool,
}

/// The textures with samplers of a module, and what their declarations and loads become.
struct Combined {
    /// No id is as large.
    bound: u32,
    /// For pointers to them, a pointer to the image alone.
    pointers: HashMap<u32, (u32, u32)>,
    textures: HashMap<u32, Texture>,
    /// In their order.
    variables: Vec<u32>,
    sampler: u32,
    sampler_pointer: u32,
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
        let (mut variables, mut bindings, mut sampler) = (Vec::new(), Vec::new(), None);
        for own in instructions(&bytes[HEADER..]) {
            match (operation(own), &words(own)[1..]) {
                (TYPE_SAMPLER, &[id]) => sampler = Some(id),
                (TYPE_SAMPLED_IMAGE, &[id, image]) => drop(images.insert(id, image)),
                (TYPE_POINTER, &[id, UNIFORM_CONSTANT, of]) => {
                    pointers.extend(images.get(&of).map(|image| (id, (new(), *image))));
                }
                (DECORATE, &[id, BINDING, _]) => bindings.push(id),
                (VARIABLE, &[pointer, id, UNIFORM_CONSTANT]) => {
                    if let Some((_, image)) = pointers.get(&pointer) {
                        let is_bound = bindings.contains(&id);
                        textures.insert(id, Texture { image: *image, sampler: new(), is_bound });
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
            (VARIABLE, &[pointer, id, class]) if self.textures.contains_key(&id) => {
                if !std::mem::replace(&mut self.has_sampler, true) {
                    put(&mut all, TYPE_SAMPLER, &[self.sampler]);
                }
                if !std::mem::replace(&mut self.has_pointer, true) {
                    put(&mut all, TYPE_POINTER, &[self.sampler_pointer, UNIFORM_CONSTANT, self.sampler]);
                }
                put(&mut all, VARIABLE, &[self.pointers[&pointer].0, id, class]);
                put(&mut all, VARIABLE, &[self.sampler_pointer, self.textures[&id].sampler, class]);
            }
            (LOAD, &[kind, id, from, ..]) if self.textures.contains_key(&from) => {
                let Texture { image, sampler, .. } = self.textures[&from];
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
fn put(all: &mut Vec<u32>, operation: u32, operands: &[u32]) {
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
        let stripped = Stripped::of(&module);
        assert_eq!(stripped.bytes, words(&[&header[..], &[2 << 16 | 17, 1, 2 << 16 | 17, 2]].concat()));
        assert_eq!([0, 19, 20, 27, 28, 32].map(|at| stripped.before(at)), [0, 19, 36, 43, 48, 52]);
        for other in [&b""[..], b"abc", &module[..22], &words(&[header[0], 0, 0, 0, 0, 0, 7])] {
            assert_eq!(Stripped::of(other).bytes, other);
        }
    }
}

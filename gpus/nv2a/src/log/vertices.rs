//! Vertices that are in the commands themselves: attributes that are set one by one, and arrays without an address.
//!
//! Methods and their parameters are those of envytools and xemu (`nv2a_regs.h`); what a setter leaves in the components that it does
//! not name is xemu's, which was compared with pictures of the console (nxdk_pgraph_tests, suite Attrib_setter).

use crate::vertex::fetch;
use gpuzoo_ir::{Vec4, vec4};
use gpuzoo_machine::limits::budget::{Budget, Refusal, Resource};

/// How many inputs there are.
pub const INPUTS: usize = 16;

/// The vertices of a draw, each with the inputs that had a value when it went off.
#[derive(Default)]
pub struct Rows {
    /// For each vertex, a bit for each input that has a value.
    given: Vec<u16>,
    /// The values, vertex after vertex, in the order of the inputs' numbers.
    values: Vec<Vec4>,
}

impl Rows {
    /// Forgets all vertices; the memory is used again.
    pub fn clear(&mut self) {
        self.given.clear();
        self.values.clear();
    }

    /// Adds a vertex with the present values.
    ///
    /// # Errors
    /// [`Refusal`] if the budget has not the memory into which the list grows.
    pub fn push(&mut self, current: &Current, budget: Option<&Budget>) -> Result<(), Refusal> {
        if self.values.len() + INPUTS > self.values.capacity() {
            // Lists grow to twice their size, and hold both while they do.
            let count = 3 * (self.values.len() + INPUTS) as u64;
            let bytes = count.saturating_mul(size_of::<Vec4>() as u64);
            budget.map_or(Ok(()), |budget| budget.ask(Resource::Memory, bytes))?;
        }
        self.given.push(current.given().fold(0, |given, (input, _)| given | 1 << input));
        self.values.extend(current.given().map(|(_, value)| value));
        Ok(())
    }

    /// The inputs that any vertex has, and the values of these for each; zeros where a vertex has none yet.
    ///
    /// # Errors
    /// [`Refusal`] if the budget has not the memory for the values.
    pub fn table(&self, budget: Option<&Budget>) -> Result<(Vec<u16>, Vec<Vec4>), Refusal> {
        let any = self.given.iter().fold(0, |any, given| any | given);
        let inputs: Vec<u16> = (0..INPUTS as u16).filter(|input| any >> input & 1 == 1).collect();
        let count = self.given.len() * inputs.len();
        let bytes = (count as u64).saturating_mul(size_of::<Vec4>() as u64);
        budget.map_or(Ok(()), |budget| budget.ask(Resource::Memory, bytes))?;
        let mut values = gpuzoo_machine::limits::memory::room(count)?;
        let mut own = self.values.iter();
        for given in &self.given {
            let value = |input: &u16| {
                let value = (given >> input & 1 == 1).then(|| own.next()).flatten();
                value.copied().unwrap_or_default()
            };
            values.extend(inputs.iter().map(value));
        }
        Ok((inputs, values))
    }

    /// True if there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.given.is_empty()
    }

    /// Calls `f` with the inputs of each vertex in turn; zeros for one that has no value.
    pub fn each(&self, mut f: impl FnMut(&[Vec4; INPUTS])) {
        let mut own = self.values.iter();
        for given in &self.given {
            let mut inputs = [[0; 4]; INPUTS];
            for (_, value) in inputs.iter_mut().enumerate().filter(|(input, _)| given >> input & 1 == 1) {
                *value = own.next().copied().unwrap_or_default();
            }
            f(&inputs);
        }
    }
}

/// How the parameters of a setter are read.
#[derive(Clone, Copy)]
enum Kind {
    /// So many floats.
    Floats(u8),
    /// So many floats, of which the last leaves w as 1.
    FloatsAndW(u8),
    /// So many pairs of signed 16-bit integers.
    Shorts(u8),
    /// Three signed 16-bit integers, normalized.
    NormShorts,
    /// Four bytes, red first.
    Bytes,
}

/// The setters of one input: the first method, the input, and the parameters.
#[rustfmt::skip]
static SETTERS: &[(u32, u8, Kind)] = &[
    (0x1500, 0, Kind::FloatsAndW(3)), (0x1518, 0, Kind::Floats(4)), (0x1528, 0, Kind::Shorts(2)),
    (0x1530, 2, Kind::Floats(3)), (0x1540, 2, Kind::NormShorts),
    (0x1550, 3, Kind::Floats(4)), (0x1560, 3, Kind::FloatsAndW(3)), (0x156c, 3, Kind::Bytes),
    (0x1570, 4, Kind::Floats(4)), (0x1580, 4, Kind::FloatsAndW(3)), (0x158c, 4, Kind::Bytes),
    (0x1590, 9, Kind::FloatsAndW(2)), (0x1598, 9, Kind::Shorts(1)), (0x15a0, 9, Kind::Floats(4)), (0x15b0, 9, Kind::Shorts(2)),
    (0x15b8, 10, Kind::FloatsAndW(2)), (0x15c0, 10, Kind::Shorts(1)), (0x15c8, 10, Kind::Floats(4)), (0x15d8, 10, Kind::Shorts(2)),
    (0x15e0, 11, Kind::FloatsAndW(2)), (0x15e8, 11, Kind::Shorts(1)), (0x15f0, 11, Kind::Floats(4)), (0x1600, 11, Kind::Shorts(2)),
    (0x1608, 12, Kind::FloatsAndW(2)), (0x1610, 12, Kind::Shorts(1)), (0x1620, 12, Kind::Floats(4)), (0x1630, 12, Kind::Shorts(2)),
    (0x1698, 5, Kind::FloatsAndW(1)), (0x169c, 1, Kind::FloatsAndW(1)),
    (0x16a0, 1, Kind::FloatsAndW(2)), (0x16b0, 1, Kind::FloatsAndW(3)), (0x16c0, 1, Kind::Floats(4)),
];

/// The setters that all inputs have, one behind the other: the first method, and the parameters of one.
static OF_ALL: [(u32, Kind); 5] = [
    (0x1880, Kind::FloatsAndW(2)),
    (0x1900, Kind::Shorts(1)),
    (0x1940, Kind::Bytes),
    (0x1980, Kind::Shorts(2)),
    (0x1a00, Kind::Floats(4)),
];

impl Kind {
    /// How many parameters it has.
    fn count(self) -> u32 {
        match self {
            Kind::Floats(count) | Kind::FloatsAndW(count) | Kind::Shorts(count) => count.into(),
            Kind::NormShorts => 2,
            Kind::Bytes => 1,
        }
    }
}

/// True if a method sets a part of an input.
pub fn is_setter(method: u32) -> bool {
    setter(method).is_some()
}

/// What a method sets: the input, which of its parameters, and how they are read.
fn setter(method: u32) -> Option<(usize, u32, Kind)> {
    let part = |first: u32, kind: Kind| {
        (method.wrapping_sub(first) < 4 * kind.count()).then(|| (method - first) / 4)
    };
    for &(first, kind) in &OF_ALL {
        let all = method.wrapping_sub(first) / 4;
        if all < kind.count() * INPUTS as u32 {
            return Some(((all / kind.count()) as usize, all % kind.count(), kind));
        }
    }
    SETTERS.iter().find_map(|&(first, input, kind)| Some((usize::from(input), part(first, kind)?, kind)))
}

/// The values of attributes, which last from vertex to vertex.
#[derive(Clone, Debug, Default)]
pub struct Current {
    /// The values, and whether anything set them.
    values: [Option<Vec4>; INPUTS],
}

impl Current {
    /// Takes a command that sets an attribute, and says whether that completes a vertex; none for other commands.
    pub fn set(&mut self, method: u32, parameter: u32) -> Option<bool> {
        let (input, part, kind) = setter(method)?;
        let value = self.values[input].get_or_insert([0, 0, 0, 1f32.to_bits()]);
        let shorts = |low: &mut [u32]| {
            for (component, half) in low.iter_mut().zip([parameter as u16, (parameter >> 16) as u16]) {
                *component = f32::from(half as i16).to_bits();
            }
        };
        let start = part as usize;
        match kind {
            Kind::Floats(_) => value[start] = parameter,
            Kind::FloatsAndW(count) => {
                value[start] = parameter;
                value[usize::from(count)..3].fill(0);
                value[3] = 1f32.to_bits();
            }
            Kind::Shorts(count) => {
                if count == 1 {
                    *value = vec4([0.0, 0.0, 0.0, 1.0]);
                }
                shorts(&mut value[2 * start..2 * start + 2]);
            }
            Kind::NormShorts => {
                let normal = fetch::decode(fetch::NORM_SHORTS, &parameter.to_le_bytes());
                let count = if part == 0 { 2 } else { 1 };
                value[2 * start..2 * start + count].copy_from_slice(&normal[..count]);
            }
            Kind::Bytes => *value = fetch::decode(fetch::BYTES, &parameter.to_le_bytes()),
        }
        // Input 0 is the position: with it the vertex goes off.
        Some(input == 0 && part + 1 == kind.count())
    }

    /// Takes the values of a vertex of an array.
    pub fn take(&mut self, input: usize, value: Option<Vec4>) {
        self.values[input] = value;
    }

    /// The values of the inputs that have one.
    pub fn given(&self) -> impl Iterator<Item = (u16, Vec4)> {
        (0..).zip(self.values).filter_map(|(input, value)| Some((input, value?)))
    }
}

/// An attribute of arrays: 0x1760 and the fifteen behind it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Array(pub u32);

impl Array {
    /// True if it takes part.
    pub fn is_on(self) -> bool {
        self.count() > 0
    }

    fn count(self) -> usize {
        (self.0 >> 4 & 15) as usize
    }

    /// How many bytes it takes.
    fn bytes(self) -> usize {
        let size = match self.0 & 15 {
            fetch::D3D_BYTES | fetch::BYTES => 1,
            fetch::NORM_SHORTS | fetch::SHORTS => 2,
            _ => 4,
        };
        size * self.count()
    }

    /// How many words it takes in an array without an address.
    pub fn words(self) -> usize {
        self.bytes().div_ceil(4)
    }

    /// The value in such words.
    pub fn value(self, words: &[u32]) -> Vec4 {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).take(self.bytes()).collect();
        fetch::decode(self.0 & 15, &bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The setters of one input, as `nv2a_regs.h` of xemu has them: the first and the last method, the input, and the end of the name.
    #[rustfmt::skip]
    const METHODS: [(u32, u32, usize, &str); 32] = [
        (0x1500, 0x1508, 0, "3F"), (0x1518, 0x1524, 0, "4F"), (0x1528, 0x152c, 0, "4S"),
        (0x1530, 0x1538, 2, "NORMAL3F"), (0x1540, 0x1544, 2, "NORMAL3S"),
        (0x1550, 0x155c, 3, "4F"), (0x1560, 0x1568, 3, "3F"), (0x156c, 0x156c, 3, "4UB"),
        (0x1570, 0x157c, 4, "4F"), (0x1580, 0x1588, 4, "3F"), (0x158c, 0x158c, 4, "4UB"),
        (0x1590, 0x1594, 9, "2F"), (0x1598, 0x1598, 9, "2S"), (0x15a0, 0x15ac, 9, "4F"), (0x15b0, 0x15b4, 9, "4S"),
        (0x15b8, 0x15bc, 10, "2F"), (0x15c0, 0x15c0, 10, "2S"), (0x15c8, 0x15d4, 10, "4F"), (0x15d8, 0x15dc, 10, "4S"),
        (0x15e0, 0x15e4, 11, "2F"), (0x15e8, 0x15e8, 11, "2S"), (0x15f0, 0x15fc, 11, "4F"), (0x1600, 0x1604, 11, "4S"),
        (0x1608, 0x160c, 12, "2F"), (0x1610, 0x1610, 12, "2S"), (0x1620, 0x162c, 12, "4F"), (0x1630, 0x1634, 12, "4S"),
        (0x1698, 0x1698, 5, "1F"), (0x169c, 0x169c, 1, "1F"),
        (0x16a0, 0x16a4, 1, "2F"), (0x16b0, 0x16b8, 1, "3F"), (0x16c0, 0x16cc, 1, "4F"),
    ];

    /// Of all inputs: the first method, how many there are for each input, and the end of the name.
    const OF_EACH: [(u32, u32, &str); 5] =
        [(0x1880, 2, "2F"), (0x1900, 1, "2S"), (0x1940, 1, "4UB"), (0x1980, 2, "4S"), (0x1a00, 4, "4F")];

    fn all() -> Vec<(u32, u32, usize, &'static str)> {
        let mut all = METHODS.to_vec();
        for (first, count, name) in OF_EACH {
            all.extend((0..16).map(|input| {
                let first = first + 4 * count * input;
                (first, first + 4 * (count - 1), input as usize, name)
            }));
        }
        all
    }

    #[test]
    fn every_method_sets_a_part_of_an_input() {
        let parts = |(first, last, input, _): (u32, u32, usize, _)| {
            (first..=last).step_by(4).zip(0..).map(move |(method, part)| (method, input, part))
        };
        let mut expected: Vec<(u32, usize, u32)> = all().into_iter().flat_map(parts).collect();
        expected.sort_unstable();
        let found = |method: u32| setter(method).map(|(input, part, _)| (method, input, part));
        // The class has methods up to 0x1ffc.
        assert_eq!((0..0x2000).step_by(4).filter_map(found).collect::<Vec<_>>(), expected);
        assert!([0x2000, 0x7fff_fffc, 0x8000_1500, 0xffff_fffc].map(found).iter().all(Option::is_none));
    }

    /// Numbers in the order of the components, the lower half of a word first; colours in bytes from red on. What has no number is 0,
    /// and w 1; but setters of normals say nothing of w, and leave it.
    #[test]
    fn every_setter_gives_the_components_that_it_names() {
        for (first, last, input, name) in all() {
            let mut current = Current::default();
            current.take(input, Some(vec4([7.0; 4])));
            let floats = name.ends_with('F');
            // 2, 3, 4, 5; as integers -2, 3, -4, 5; 51, 102, 153, 204 of 255.
            let words: Vec<u32> = match name {
                _ if floats => [2f32, 3.0, 4.0, 5.0].map(f32::to_bits).to_vec(),
                "4UB" => vec![0xcc99_6633],
                _ => vec![0x0003_fffe, 0x0005_fffc],
            };
            let methods = (first..=last).step_by(4).zip(words);
            let completes: Vec<Option<bool>> =
                methods.map(|(method, word)| current.set(method, word)).collect();
            let numbers = [2.0, 3.0, 4.0, 5.0];
            let expected = match name {
                "1F" => [2.0, 0.0, 0.0, 1.0],
                "2F" => [2.0, 3.0, 0.0, 1.0],
                "3F" => [2.0, 3.0, 4.0, 1.0],
                "NORMAL3F" => [2.0, 3.0, 4.0, 7.0],
                "4F" => numbers,
                "2S" => [-2.0, 3.0, 0.0, 1.0],
                "4S" => [-2.0, 3.0, -4.0, 5.0],
                "NORMAL3S" => [-2.0 / 32767.0, 3.0 / 32767.0, -4.0 / 32767.0, 7.0],
                _ => [0.2, 0.4, 0.6, 0.8],
            };
            assert_eq!(current.given().collect::<Vec<_>>(), [(input as u16, vec4(expected))], "{first:x}");
            // The last part of a position completes a vertex, whatever sets it.
            let (last, before) = completes.split_last().unwrap();
            assert_eq!(*last, Some(input == 0), "{first:x}");
            assert!(before.iter().all(|completes| *completes == Some(false)), "{first:x}");
        }
    }

    /// Bits 3:0 of an array are its type, bits 7:4 how many components it has; each begins at a word.
    #[test]
    fn arrays_take_the_words_that_their_components_need() {
        for (kind, bytes) in [(0, 1), (1, 2), (2, 4), (4, 1), (5, 2), (6, 4)] {
            for count in 0..=4 {
                let array = Array(0xffff_ff00 | count << 4 | kind);
                let words = (bytes * count as usize).div_ceil(4);
                assert_eq!((array.words(), array.is_on()), (words, count > 0), "{kind} {count}");
            }
        }
        // Of a word that is not full the rest is not looked at.
        let shorts = Array(0x35).value(&[0x0002_0001, 0x7777_0003]);
        assert_eq!(shorts, vec4([1.0, 2.0, 3.0, 1.0]));
        assert_eq!(Array(0x14).value(&[0x7777_7733]), vec4([0.2, 0.0, 0.0, 1.0]));
    }
}

//! Vertices that are in the commands themselves: attributes that are set one by one, and arrays without an address.
//!
//! Methods and their parameters are those of envytools and xemu (`nv2a_regs.h`); what a setter leaves in the components that it does
//! not name is xemu's, which was compared with pictures of the console (nxdk_pgraph_tests, suite Attrib_setter).

use crate::fetch;
use gpuzoo_ir::{Vec4, vec4};

/// How many inputs there are.
pub const INPUTS: usize = 16;

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

/// What a method sets: the input, which of its parameters, and how they are read.
fn setter(method: u32) -> Option<(usize, u32, Kind)> {
    let part = |first: u32, kind: Kind| {
        (method.wrapping_sub(first) < 4 * kind.count()).then(|| (method - first) / 4)
    };
    for &(first, kind) in &OF_ALL {
        let all = method.wrapping_sub(first) / 4;
        if method >= first && all < kind.count() * INPUTS as u32 {
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

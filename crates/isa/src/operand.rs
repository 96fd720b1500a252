//! Registers, swizzles, masks and operands.

use std::fmt;

/// The letters of the four lanes.
pub const LANES: [char; 4] = ['x', 'y', 'z', 'w'];

/// The lane that a letter names: `xyzw` or `rgba`, lower case.
pub fn lane(letter: u8) -> Option<u8> {
    match letter {
        b'x' | b'r' => Some(0),
        b'y' | b'g' => Some(1),
        b'z' | b'b' => Some(2),
        b'w' | b'a' => Some(3),
        _ => None,
    }
}

/// A register: the index of its file in [`Isa::files`](crate::Isa::files), and its number there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reg {
    /// Which register file.
    pub file: u8,
    /// Which register of it.
    pub index: u16,
}

/// For each lane of the result the lane it is read from: two bits each, x in the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Swizzle(pub u8);

impl Swizzle {
    /// `xyzw`: nothing moves.
    pub const IDENTITY: Swizzle = Swizzle(0b11_10_01_00);

    /// The source lanes of x, y, z and w.
    pub const fn lanes(self) -> [u8; 4] {
        [self.0 & 3, self.0 >> 2 & 3, self.0 >> 4 & 3, self.0 >> 6 & 3]
    }

    /// The swizzle that four letters spell.
    pub fn from_letters(text: &str) -> Option<Swizzle> {
        let [x, y, z, w] = text.as_bytes() else { return None };
        Some(Swizzle(lane(*x)? | lane(*y)? << 2 | lane(*z)? << 4 | lane(*w)? << 6))
    }

    /// The lanes that are read when only the result lanes of `mask` are wanted.
    pub fn reads(self, mask: Mask) -> Mask {
        let lanes = self.lanes();
        let wanted = (0..4).filter(|&lane| mask.has(lane));
        Mask(wanted.fold(0, |reads, lane| reads | 1 << lanes[lane as usize]))
    }
}

impl fmt::Display for Swizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lanes().iter().try_for_each(|&lane| write!(f, "{}", LANES[lane as usize]))
    }
}

/// A set of lanes; bit 0 is x.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mask(pub u8);

impl Mask {
    /// All four lanes.
    pub const ALL: Mask = Mask(15);

    /// True if the lane is in the set.
    pub const fn has(self, lane: u8) -> bool {
        self.0 >> lane & 1 == 1
    }

    /// The lanes of both sets' union without `other`.
    pub const fn without(self, other: Mask) -> Mask {
        Mask(self.0 & !other.0)
    }

    /// True if no lane is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 & 15 == 0
    }
}

/// The letters of the lanes, in order: `xz`.
impl fmt::Display for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = (0..4).filter(|&lane| self.has(lane)).map(|lane| LANES[lane as usize]);
        letters.into_iter().try_for_each(|letter| write!(f, "{letter}"))
    }
}

/// Values that stand in an instruction itself, up to four, in the order in which they are written.
///
/// ```
/// use gpuzoo_isa::Immediates;
/// assert_eq!(Immediates::new(&[7, 9]).values(), [7, 9]);
/// assert!(Immediates::default().is_empty());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Immediates {
    values: [u32; 4],
    count: u8,
}

impl Immediates {
    /// The first four of `values`.
    pub fn new(values: &[u32]) -> Immediates {
        let mut own = [0; 4];
        own.iter_mut().zip(values).for_each(|(own, value)| *own = *value);
        Immediates { values: own, count: values.len().min(4) as u8 }
    }

    /// The values.
    pub fn values(&self) -> &[u32] {
        &self.values[..self.count as usize]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// An operand: a register and how its lanes are read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The register.
    pub reg: Reg,
    /// For a source: which lanes are read.
    pub swizzle: Swizzle,
    /// For a destination: which lanes are written.
    pub mask: Mask,
    /// For a source: the sign of each lane is flipped after the swizzle.
    pub negate: bool,
    /// For a source: the register is the one that lies [`Isa::address`](crate::Isa::address) further.
    pub relative: bool,
    /// For a source that is no register: its values.
    pub immediates: Immediates,
}

impl Default for Operand {
    fn default() -> Operand {
        let reg = Reg::default();
        let immediates = Immediates::default();
        Operand {
            reg,
            swizzle: Swizzle::IDENTITY,
            mask: Mask::ALL,
            negate: false,
            relative: false,
            immediates,
        }
    }
}

//! Registers, swizzles, masks and operands.

use std::fmt;

/// The letters of the four components.
pub const COMPONENTS: [char; 4] = ['x', 'y', 'z', 'w'];

/// The component that a letter names: `xyzw` or `rgba`, lower case.
pub fn component(letter: u8) -> Option<u8> {
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

/// For each component of the result the one it is read from: two bits each, x in the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Swizzle(pub u8);

impl Swizzle {
    /// `xyzw`: nothing moves.
    pub const IDENTITY: Swizzle = Swizzle(0b11_10_01_00);

    /// One component for all four.
    pub const fn broadcast(component: u8) -> Swizzle {
        Swizzle((component & 3) * 0b01_01_01_01)
    }

    /// The swizzle that reads these components for x, y, z and w.
    pub const fn of([x, y, z, w]: [u8; 4]) -> Swizzle {
        Swizzle(x & 3 | (y & 3) << 2 | (z & 3) << 4 | (w & 3) << 6)
    }

    /// The source components of x, y, z and w.
    pub const fn components(self) -> [u8; 4] {
        [self.0 & 3, self.0 >> 2 & 3, self.0 >> 4 & 3, self.0 >> 6 & 3]
    }

    /// The component that is read for all four, if it is one.
    pub fn single(self) -> Option<u8> {
        let first = self.0 & 3;
        (self == Swizzle::broadcast(first)).then_some(first)
    }

    /// With x where w was: the code of machines that have x in the highest bits.
    pub(crate) const fn reversed(self) -> Swizzle {
        let [x, y, z, w] = self.components();
        Swizzle::of([w, z, y, x])
    }

    /// The swizzle that four letters spell.
    pub fn from_letters(text: &str) -> Option<Swizzle> {
        let [x, y, z, w] = text.as_bytes() else { return None };
        Some(Swizzle::of([component(*x)?, component(*y)?, component(*z)?, component(*w)?]))
    }

    /// The components that are read when only those of `mask` are wanted of the result.
    pub fn reads(self, mask: Mask) -> Mask {
        let sources = self.components();
        let wanted = (0..4).filter(|&component| mask.has(component));
        Mask(wanted.fold(0, |reads, component| reads | 1 << sources[component as usize]))
    }
}

impl fmt::Display for Swizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.components().iter().try_for_each(|&component| write!(f, "{}", COMPONENTS[component as usize]))
    }
}

/// A set of components; bit 0 is x.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mask(pub u8);

impl Mask {
    /// All four components.
    pub const ALL: Mask = Mask(15);

    /// True if the component is in the set.
    pub const fn has(self, component: u8) -> bool {
        self.0 >> component & 1 == 1
    }

    /// The components that are not in `other`.
    pub const fn without(self, other: Mask) -> Mask {
        Mask(self.0 & !other.0)
    }

    /// `old` with the components of the set replaced by the first ones of `new`, in order.
    ///
    /// ```
    /// use gpuzoo_isa::Mask;
    /// assert_eq!(Mask(0b1010).put([1, 2, 3, 4], [7, 8, 9, 0]), [1, 7, 3, 8]);
    /// ```
    pub fn put(self, old: [u32; 4], new: [u32; 4]) -> [u32; 4] {
        let mut all = old;
        let own = (0u8..4).filter(|component| self.has(*component));
        own.zip(new).for_each(|(component, new)| all[usize::from(component)] = new);
        all
    }

    /// True if the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 & 15 == 0
    }
}

/// The letters of the components, in order: `xz`.
impl fmt::Display for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut letters =
            (0..4).filter(|&component| self.has(component)).map(|component| COMPONENTS[component as usize]);
        letters.try_for_each(|letter| write!(f, "{letter}"))
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
        Operand::of_values(values.iter().copied()).immediates
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

/// The most operands an instruction has.
pub const MAX_OPERANDS: usize = 5;

/// An operand: a register and how its components are read or written, or values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The register.
    pub reg: Reg,
    /// For a source: which components are read.
    pub swizzle: Swizzle,
    /// For a destination: which components are written.
    pub mask: Mask,
    /// For a source: the sign of each component is flipped, after the swizzle and [`abs`](Operand::abs).
    pub negate: bool,
    /// For a source: the sign of each component is cleared.
    pub abs: bool,
    /// For a source: the register is the one that lies [`Isa::address`](crate::Isa::address) further.
    pub relative: bool,
    /// For a source that is not a register: its values.
    pub immediates: Immediates,
}

impl Default for Operand {
    fn default() -> Operand {
        Operand::of(Reg { file: 0, index: 0 })
    }
}

impl Operand {
    /// A whole register as it is.
    pub const fn of(reg: Reg) -> Operand {
        Operand {
            reg,
            swizzle: Swizzle::IDENTITY,
            mask: Mask::ALL,
            negate: false,
            abs: false,
            relative: false,
            immediates: Immediates { values: [0; 4], count: 0 },
        }
    }

    /// An operand that is not there.
    pub fn absent() -> Operand {
        Operand { mask: Mask(0), ..Operand::default() }
    }

    /// A destination that is not a register.
    pub fn nothing() -> Operand {
        Operand { mask: Mask(0), ..Operand::of_values([0]) }
    }

    /// True for a destination that is not a register.
    pub fn is_nothing(&self) -> bool {
        self.mask.is_empty() && !self.immediates.is_empty()
    }

    /// Up to four values.
    pub fn of_values(values: impl IntoIterator<Item = u32>) -> Operand {
        let mut operand = Operand::default();
        let Immediates { values: own, count } = &mut operand.immediates;
        for (own, value) in own.iter_mut().zip(values) {
            *own = value;
            *count += 1;
        }
        operand
    }
}

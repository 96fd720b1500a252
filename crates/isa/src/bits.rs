//! The bits of one program slot.

/// The most 32-bit words a slot has: one instruction word and four immediates.
pub const MAX_WORDS: usize = 5;

/// The encoded form of one slot: up to 160 bits, bit 0 the lowest of the first word.
///
/// ```
/// use gpuzoo_isa::Bits;
/// let mut bits = Bits::default();
/// bits.set(28, 14, 0x2abc);
/// assert_eq!(bits.get(28, 14), 0x2abc);
/// assert_eq!(bits.words[0], 0xc0000000);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bits {
    /// The words, lowest first; words that the slot does not have are 0.
    pub words: [u32; MAX_WORDS],
}

impl Bits {
    /// A slot of one word.
    pub const fn word(word: u32) -> Bits {
        Bits { words: [word, 0, 0, 0, 0] }
    }

    /// `width` bits (at most 32) from bit `lo` upward.
    #[inline]
    pub const fn get(&self, lo: u8, width: u8) -> u32 {
        let (word, shift) = (lo as usize / 32, lo % 32);
        let high = if word + 1 < MAX_WORDS { self.words[word + 1] } else { 0 };
        let both = (high as u64) << 32 | self.words[word] as u64;
        ((both >> shift) & ((1 << width) - 1)) as u32
    }

    /// Puts the low `width` bits of `value` at bit `lo`.
    #[inline]
    pub const fn set(&mut self, lo: u8, width: u8, value: u32) {
        let (word, shift) = (lo as usize / 32, lo % 32);
        let mask = ((1u64 << width) - 1) << shift;
        let both = ((value as u64) << shift) & mask;
        self.words[word] = self.words[word] & !(mask as u32) | both as u32;
        if word + 1 < MAX_WORDS {
            self.words[word + 1] = self.words[word + 1] & !((mask >> 32) as u32) | (both >> 32) as u32;
        }
    }
}

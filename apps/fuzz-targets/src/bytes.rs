//! Choices made by bytes: what a fuzzer changes when it looks for something new.

use gpuzoo_ir::Vec4;

/// Gives one choice after the other; zeros once the bytes are used up.
pub(crate) struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub fn new(bytes: &'a [u8]) -> Bytes<'a> {
        Bytes(bytes)
    }

    /// True where only zeros follow.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        let [byte] = self.array();
        byte
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        let count = N.min(self.0.len());
        let (taken, rest) = self.0.split_at(count);
        bytes[..count].copy_from_slice(taken);
        self.0 = rest;
        bytes
    }

    pub fn bool(&mut self) -> bool {
        self.byte() & 1 != 0
    }

    /// A number below `end`, of which one byte is enough for all.
    pub fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end
    }

    pub fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    pub fn word(&mut self) -> u32 {
        u32::from_le_bytes(self.array())
    }

    /// One of a list, or any 32 bits.
    pub fn word_near(&mut self, edges: &[u32]) -> u32 {
        let choice = self.below(2 * edges.len());
        edges.get(choice).copied().unwrap_or_else(|| self.word())
    }

    pub fn vec4(&mut self, edges: &[u32]) -> Vec4 {
        [(); 4].map(|()| self.word_near(edges))
    }

    /// From -1 to 1 in steps that small triangles notice.
    pub fn unit(&mut self) -> f32 {
        let [low, high] = self.array();
        f32::from(i16::from_le_bytes([low, high])) / 32768.0
    }

    /// What was not used.
    pub fn rest(&self) -> &'a [u8] {
        self.0
    }
}

/// Splits a choice off the end of a text. A line's end there, which texts have, is choice 0.
pub(crate) fn choice(bytes: &[u8]) -> (&[u8], usize) {
    match bytes.split_last() {
        Some((last, text)) => (text, usize::from(last ^ b'\n')),
        None => (bytes, 0),
    }
}

/// Zeros, ones, limits, infinities, NaNs of all kinds, and small integers.
#[rustfmt::skip]
pub(crate) const EDGES: [u32; 24] = [
    0x0000_0000, 0x8000_0000, 0x3f80_0000, 0xbf80_0000, 0x3f00_0000, 0x4000_0000, 0x3f80_0001, 0x7f7f_ffff,
    0xff7f_ffff, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xffc0_0000, 0x7f80_0001, 0x7fc1_2345, 0xffff_ffff,
    0x0000_0001, 0x8000_0001, 0x007f_ffff, 0x0080_0000, 2, 3, 0x7fff_ffff, 0x4049_0fdb,
];

//! A hash for names and numbers. The standard one withstands attackers; here a slow table only slows its own author.

use std::hash::{BuildHasherDefault, Hasher};

/// For maps with short keys.
pub(super) type Quick = BuildHasherDefault<Fnv>;

/// FNV-1a, 64 bits, whole words at a time where the key is one.
pub(super) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, value: u64) {
        self.0 = (self.0 ^ value).wrapping_mul(0x0000_0100_0000_01b3);
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.add(u64::from(byte));
        }
    }

    fn write_u32(&mut self, value: u32) {
        self.add(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.add(value);
    }

    /// The table looks at the top and the low bits; multiplication leaves the low ones weak.
    fn finish(&self) -> u64 {
        self.0 ^ self.0.rotate_right(29)
    }
}

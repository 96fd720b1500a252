//! The memory that everything lies in: programs, vertices, picture and depths (spec section 8).
//!
//! Its map is the host's business. The reference does not look where an address leads; here an access beyond the end
//! reads zero or is dropped, and is counted.

use gpuzoo_machine::limits::budget::{Budget, Refusal};

/// Dwords of the memory.
pub const MEMORY_DWORDS: usize = 21_000;

/// The most dwords of a memory without the machine's limit: 256 MiB.
pub const MAX_DWORDS_WITHOUT_LIMIT: usize = 1 << 26;

/// Accesses beyond the memory's end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Dwords read; they were taken for zeros.
    pub reads: u64,
    /// Dwords written; they were dropped.
    pub writes: u64,
    /// The byte address of the first one.
    pub first: Option<u64>,
}

impl Faults {
    /// True if there were none.
    pub fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    fn note(&mut self, dword: usize) {
        self.first.get_or_insert(dword as u64 * 4);
    }
}

/// The memory.
///
/// ```
/// use gpuzoo_picogpu::Memory;
/// let mut memory = Memory::default();
/// memory.write(3, 7);
/// assert_eq!((memory.read(3), memory.read(21_000)), (7, 0));
/// assert_eq!(memory.faults().first, Some(84_000));
/// ```
#[derive(Clone, Debug)]
pub struct Memory {
    dwords: Vec<u32>,
    faults: Faults,
}

impl Default for Memory {
    /// The machine's memory, all zeros.
    fn default() -> Memory {
        Memory { dwords: vec![0; MEMORY_DWORDS], faults: Faults::default() }
    }
}

impl Memory {
    /// A memory of another size: up to [`MAX_DWORDS_WITHOUT_LIMIT`], more count as that many.
    ///
    /// # Errors
    /// [`Refusal`] if there is less on the budget, or in this computer.
    pub fn new(dwords: usize, budget: &Budget) -> Result<Memory, Refusal> {
        let count = dwords.min(MAX_DWORDS_WITHOUT_LIMIT);
        let mut dwords = budget.room(count)?;
        dwords.resize(count, 0);
        Ok(Memory { dwords, faults: Faults::default() })
    }

    /// Its dwords.
    pub fn dwords(&self) -> &[u32] {
        &self.dwords
    }

    /// Accesses beyond its end so far.
    pub fn faults(&self) -> Faults {
        self.faults
    }

    /// The dword at an index; zero beyond the end.
    #[inline]
    pub fn read(&mut self, index: usize) -> u32 {
        if let Some(dword) = self.dwords.get(index) {
            return *dword;
        }
        self.faults.reads += 1;
        self.faults.note(index);
        0
    }

    /// Sets the dword at an index; nothing happens beyond the end.
    #[inline]
    pub fn write(&mut self, index: usize, value: u32) {
        if let Some(dword) = self.dwords.get_mut(index) {
            *dword = value;
            return;
        }
        self.faults.writes += 1;
        self.faults.note(index);
    }

    /// `count` dwords from an index on.
    pub fn read_all(&mut self, index: usize, count: usize) -> impl Iterator<Item = u32> {
        (index..index.saturating_add(count)).map(|index| self.read(index))
    }

    /// Sets dwords from an index on.
    pub fn write_all(&mut self, index: usize, values: impl IntoIterator<Item = u32>) {
        for (offset, value) in values.into_iter().enumerate() {
            self.write(index.saturating_add(offset), value);
        }
    }
}

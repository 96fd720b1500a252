//! Memory that the host fills: requests, and the bytes that belong to them.

/// Whole words, of which the first bytes are the host's. They begin at a word's address, so that the host may lay an array of floats over
/// them, and a program may run over them where they are.
pub struct Block {
    words: Box<[u32]>,
    size: usize,
}

impl Block {
    /// Room for so many bytes, which is the host's until it is [taken back](Block::taken).
    pub fn room(size: usize) -> *mut u8 {
        Box::leak(vec![0u32; size.div_ceil(4)].into_boxed_slice()).as_mut_ptr().cast()
    }

    /// Takes back what [`room`](Block::room) gave.
    ///
    /// # Safety
    /// `start` is from [`room`](Block::room), which got the same `size`, and is given back once.
    pub unsafe fn taken(start: *mut u8, size: usize) -> Block {
        let words = std::ptr::slice_from_raw_parts_mut(start.cast::<u32>(), size.div_ceil(4));
        // SAFETY: as the caller says, this is the box that was leaked.
        Block { words: unsafe { Box::from_raw(words) }, size }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        bytes(&self.words, self.size)
    }

    /// The words of which all bytes are the host's.
    pub fn words(&self) -> &[u32] {
        &self.words[..self.size / 4]
    }
}

/// The first bytes of words, at most all of them.
fn bytes(words: &[u32], size: usize) -> &[u8] {
    let size = size.min(size_of_val(words));
    // SAFETY: a word is four bytes that may hold anything, and the size is checked above.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), size) }
}

/// Bytes that belong to an answer.
#[derive(Default)]
pub enum Bytes {
    /// There are none.
    #[default]
    None,
    /// As they are.
    Raw(Vec<u8>),
    /// Words, the lowest byte first.
    Words(Vec<u32>),
}

impl Bytes {
    /// All of them.
    pub fn get(&self) -> &[u8] {
        match self {
            Bytes::None => &[],
            Bytes::Raw(own) => own,
            Bytes::Words(words) => bytes(words, usize::MAX),
        }
    }
}

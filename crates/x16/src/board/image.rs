//! What a card is made from: runs of bytes. What lies between them is zero and takes no memory.

use crate::state::Known;
use gpuzoo_machine::limits::budget::Refusal;
use gpuzoo_machine::limits::memory;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bytes of a block.
pub(crate) const BLOCK: usize = 512;

/// The first blocks of a card, shared by all copies; those behind the last run are zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Image {
    /// Runs by their first block. None reaches into the next one; what is left of a run's last block is zero.
    runs: Arc<BTreeMap<u32, Run>>,
}

#[derive(Clone, Debug, PartialEq)]
enum Run {
    Owned(Vec<u8>),
    /// A file, of which whoever has read it keeps the bytes.
    File(Arc<[u8]>),
}

impl Run {
    fn bytes(&self) -> &[u8] {
        match self {
            Run::Owned(bytes) => bytes,
            Run::File(bytes) => bytes,
        }
    }
}

impl Image {
    /// An image of bytes.
    pub fn of(bytes: Vec<u8>) -> Image {
        Image { runs: Arc::new([(0, Run::Owned(bytes))].into()) }
    }

    /// An image of runs of bytes and of files, each with its first block.
    pub fn of_runs(
        owned: impl IntoIterator<Item = (u32, Vec<u8>)>,
        files: impl IntoIterator<Item = (u32, Arc<[u8]>)>,
    ) -> Image {
        let owned = owned.into_iter().map(|(block, bytes)| (block, Run::Owned(bytes)));
        let files = files.into_iter().map(|(block, bytes)| (block, Run::File(bytes)));
        Image { runs: Arc::new(owned.chain(files).collect()) }
    }

    /// A block.
    pub fn block(&self, number: u32) -> [u8; BLOCK] {
        let mut block = [0; BLOCK];
        if let Some((first, run)) = self.runs.range(..=number).next_back() {
            let start = (number - first) as usize * BLOCK;
            let bytes = run.bytes();
            let bytes = bytes.get(start..bytes.len().min(start + BLOCK)).unwrap_or(&[]);
            block[..bytes.len()].copy_from_slice(bytes);
        }
        block
    }

    /// The bytes of so many blocks.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub fn bytes(&self, blocks: u32) -> Result<Vec<u8>, Refusal> {
        let mut bytes = memory::filled(0u8, blocks as usize * BLOCK)?;
        for (first, run) in &*self.runs {
            let place = bytes.get_mut(*first as usize * BLOCK..).unwrap_or(&mut []);
            place.iter_mut().zip(run.bytes()).for_each(|(to, from)| *to = *from);
        }
        Ok(bytes)
    }

    /// By what it is known.
    pub fn known(&self) -> Known {
        Known::of_runs(self.runs.iter().map(|(block, run)| (*block, run.bytes())))
    }

    /// Bytes that it keeps in memory itself.
    #[cfg(test)]
    pub fn owned(&self) -> usize {
        self.runs.values().map(|run| if let Run::Owned(bytes) = run { bytes.len() } else { 0 }).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_and_bytes_are_those_of_the_runs() {
        let file: Arc<[u8]> = vec![7; BLOCK + 3].into();
        let image = Image::of_runs([(0, vec![1; 2]), (2, vec![2; BLOCK])], [(5, file)]);
        let first = |number| image.block(number)[..4].to_vec();
        let expected = [[1, 1, 0, 0], [0; 4], [2; 4], [0; 4], [0; 4], [7; 4], [7, 7, 7, 0], [0; 4]];
        for (number, expected) in (0..).zip(expected) {
            assert_eq!(first(number), expected, "{number}");
        }
        let bytes = image.bytes(9).unwrap();
        assert_eq!(bytes.len(), 9 * BLOCK);
        for (number, block) in (0..).zip(bytes.chunks(BLOCK)) {
            assert_eq!(block, image.block(number), "{number}");
        }
        assert_eq!(image.owned(), BLOCK + 2);
    }

    #[test]
    fn images_are_known_by_what_they_hold_and_where() {
        let at = |block, byte| Image::of_runs([(block, vec![byte; BLOCK])], []).known();
        assert_eq!(at(1, 1), at(1, 1));
        assert!(at(1, 1) != at(2, 1) && at(1, 1) != at(1, 2));
    }
}

//! Vertices that are the same become one.

use gpuzoo_machine::limits::budget::Refusal;
use gpuzoo_machine::limits::memory;
use hashbrown::hash_table::{Entry, HashTable};
use std::hash::{BuildHasher, RandomState};

/// Vertices, each once, in the order of their first use, and the vertices by number in the order of their use.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Welded {
    pub buffer: Vec<u8>,
    pub indices: Vec<u32>,
}

/// Welds vertices that have the same bytes. `order` are the vertices of a mesh of `count` in the order of their use;
/// `write` writes one of them to its `stride` bytes, which are zeros.
///
/// # Errors
/// If there is no memory for them.
pub(crate) fn weld(
    order: &[u32],
    count: usize,
    stride: usize,
    mut write: impl FnMut(u32, &mut [u8]),
) -> Result<Welded, Refusal> {
    const NONE: u32 = u32::MAX;
    // First each vertex of the mesh that is used, once.
    let mut numbers = memory::filled(NONE, count)?;
    let mut rows = memory::room(order.len().min(count).saturating_mul(stride))?;
    let mut used = 0;
    for &vertex in order {
        let Some(number) = numbers.get_mut(vertex as usize).filter(|number| **number == NONE) else {
            continue;
        };
        *number = used;
        used += 1;
        let start = rows.len();
        rows.resize(start + stride, 0);
        write(vertex, &mut rows[start..]);
    }
    // Then of those with the same bytes the first. The table has numbers alone, since rows are found by them.
    let row = |number: u32| &rows[number as usize * stride..][..stride];
    let (hasher, mut firsts) = (RandomState::new(), HashTable::new());
    let hash = |number: &u32| hasher.hash_one(row(*number));
    firsts.try_reserve(used as usize, hash).map_err(|_| memory::refused::<u32>(used as usize))?;
    let (mut kept, mut next) = (memory::room(used as usize)?, 0);
    for number in 0..used {
        let known = |first: &u32| row(*first) == row(number);
        let same = match firsts.entry(hash(&number), known, hash) {
            Entry::Occupied(first) => kept[*first.get() as usize],
            Entry::Vacant(place) => {
                place.insert(number);
                next += 1;
                next - 1
            }
        };
        kept.push(same);
    }
    drop(firsts);
    // Of a vertex its number among all that are used becomes the one among those that are kept.
    for number in numbers.iter_mut().filter(|number| **number != NONE) {
        *number = kept[*number as usize];
    }
    let indices = || memory::collect(order.len(), order.iter().map(|vertex| numbers[*vertex as usize]));
    if next == used {
        // Before there is the list of the indices: both are as large as the mesh.
        drop(kept);
        return Ok(Welded { buffer: rows, indices: indices()? });
    }
    let mut buffer = memory::room(next as usize * stride)?;
    let mut next = 0;
    for (row, number) in rows.chunks_exact(stride.max(1)).zip(&kept) {
        if *number == next {
            buffer.extend_from_slice(row);
            next += 1;
        }
    }
    Ok(Welded { buffer, indices: indices()? })
}

impl Welded {
    /// Every use as a vertex of its own.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub fn written_out(self, stride: usize) -> Result<Welded, Refusal> {
        let row = |index: &u32| self.buffer.get(*index as usize * stride..)?.get(..stride);
        let count = self.indices.len();
        let bytes = self.indices.iter().filter_map(row).flatten().copied();
        let buffer = memory::collect(count.saturating_mul(stride), bytes)?;
        Ok(Welded { buffer, indices: memory::collect(count, 0..count as u32)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_bytes_are_one_vertex_and_the_first_use_is_the_number() {
        // Vertices 1 and 3 are equal, 4 is not used.
        let mesh = [[5, 6], [1, 2], [7, 8], [1, 2], [9, 9]];
        let mut written = Vec::new();
        let welded = weld(&[3, 0, 1, 3, 2, 1], 5, 2, |vertex, row| {
            written.push(vertex);
            row.copy_from_slice(&mesh[vertex as usize]);
        })
        .unwrap();
        assert_eq!(welded, Welded { buffer: vec![1, 2, 5, 6, 7, 8], indices: vec![0, 1, 0, 0, 2, 0] });
        assert_eq!(written, [3, 0, 1, 2]);
        assert_eq!(weld(&[], 5, 2, |_, _| {}).unwrap(), Welded::default());
    }

    proptest! {
        /// Written out, the welded vertices are the mesh's, and no two are equal.
        #[test]
        fn welded_vertices_are_the_same(
            mesh in prop::collection::vec(prop::array::uniform2(0..3u8), 1..20),
            order in prop::collection::vec(any::<prop::sample::Index>(), 0..60),
        ) {
            let order: Vec<u32> = order.iter().map(|index| index.index(mesh.len()) as u32).collect();
            let welded = weld(&order, mesh.len(), 2, |vertex, row| row.copy_from_slice(&mesh[vertex as usize])).unwrap();
            let rows: Vec<&[u8]> = welded.buffer.chunks(2).collect();
            let written_out = welded.clone().written_out(2).unwrap();
            let expected: Vec<u8> = order.iter().flat_map(|vertex| mesh[*vertex as usize]).collect();
            prop_assert_eq!(written_out.buffer, expected);
            prop_assert_eq!(written_out.indices, (0..order.len() as u32).collect::<Vec<_>>());
            let distinct: std::collections::BTreeSet<_> = rows.iter().collect();
            prop_assert_eq!(distinct.len(), rows.len());
            // Numbers appear in their order.
            let mut highest = 0;
            for index in welded.indices {
                prop_assert!(index <= highest);
                highest = highest.max(index + 1);
            }
            prop_assert_eq!(highest as usize, rows.len());
        }
    }
}

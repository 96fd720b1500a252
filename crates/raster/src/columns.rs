//! Lanes in columns, worked on a group at a time: the length of a loop over a group is known to the compiler, which makes
//! vectors of it, and there is no rest to do one by one.

/// Lanes of a group: a vector of AVX-512. Rows of small triangles are not much longer.
pub(crate) const GROUP: usize = 16;

/// What `f` gives for each lane.
#[inline(always)]
pub(crate) fn each<T: Copy + Default, const N: usize>(f: impl Fn(usize) -> T) -> [T; N] {
    let mut lanes = [T::default(); N];
    for (lane, to) in lanes.iter_mut().enumerate() {
        *to = f(lane);
    }
    lanes
}

/// The group of a column that starts with a lane. The column must have that much.
#[inline(always)]
pub(crate) fn group<T>(column: &[T], first: usize) -> &[T; GROUP] {
    match column[first..].first_chunk() {
        Some(group) => group,
        None => unreachable!("the column has room for the group"),
    }
}

/// The same, to write.
#[inline(always)]
pub(crate) fn group_mut<T>(column: &mut [T], first: usize) -> &mut [T; GROUP] {
    match column[first..].first_chunk_mut() {
        Some(group) => group,
        None => unreachable!("the column has room for the group"),
    }
}

/// The group of a column that starts with a lane; zeros where the column ends.
#[inline(always)]
pub(crate) fn load<T: Copy + Default>(column: &[T], first: usize) -> [T; GROUP] {
    match column[first..].first_chunk() {
        Some(group) => *group,
        None => {
            let mut group = [T::default(); GROUP];
            group.iter_mut().zip(&column[first..]).for_each(|(to, from)| *to = *from);
            group
        }
    }
}

/// Puts a group into a column, as far as that goes.
#[inline(always)]
pub(crate) fn store<T: Copy>(column: &mut [T], first: usize, group: [T; GROUP]) {
    match column[first..].first_chunk_mut() {
        Some(to) => *to = group,
        None => column[first..].iter_mut().zip(group).for_each(|(to, from)| *to = from),
    }
}

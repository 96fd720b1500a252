//! Lanes in columns, worked on a group at a time: the length of a loop over a group is known to the compiler, which makes
//! vectors of it, and there is no remainder to do one at a time.

/// Lanes of a group: a vector of AVX-512. Rows of small triangles are not much longer.
pub const GROUP: usize = 16;

/// What `f` gives for each lane.
#[inline(always)]
pub fn each<T: Copy + Default, const N: usize>(f: impl Fn(usize) -> T) -> [T; N] {
    let mut lanes = [T::default(); N];
    for (lane, to) in lanes.iter_mut().enumerate() {
        *to = f(lane);
    }
    lanes
}

/// A choice for each lane, as wide as a single: all bits are set where something holds, and none where it does not.
/// Loops make and use such lanes without going through bytes.
pub type Mask<const N: usize = GROUP> = [u32; N];

/// The mask of what holds for each lane.
#[inline(always)]
pub fn mask<const N: usize>(holds: impl Fn(usize) -> bool) -> Mask<N> {
    each(|lane| 0u32.wrapping_sub(u32::from(holds(lane))))
}

/// The mask of the first `count` lanes of some, at most a group.
///
/// # Panics
/// If there are fewer.
#[inline(always)]
pub fn first_lanes<const N: usize>(count: usize) -> &'static Mask<N> {
    const { assert!(N <= GROUP) };
    assert!(count <= N, "more lanes than there are");
    // A table, because the compiler makes more of a comparison than one instruction.
    static MASKS: [Mask; GROUP + 1] = {
        let mut masks = [[0; GROUP]; GROUP + 1];
        let mut at = 0;
        while at < (GROUP + 1) * GROUP {
            let (count, lane) = (at / GROUP, at % GROUP);
            masks[count][lane] = if lane < count { !0 } else { 0 };
            at += 1;
        }
        masks
    };
    group(&MASKS[count], 0)
}

/// True if a lane of a mask is set.
#[inline(always)]
pub fn any<const N: usize>(mask: &Mask<N>) -> bool {
    mask.iter().fold(0, |any, lane| any | lane) != 0
}

/// The lanes of a mask as bits of a number, the first lane as the lowest.
#[inline(always)]
pub fn bits(mask: &Mask) -> u32 {
    let bits: Mask = each(|lane| mask[lane] & 1 << lane);
    bits.iter().fold(0, |bits, lane| bits | lane)
}

/// For each lane the first number where the mask is set, else the second.
#[inline(always)]
pub fn choose<const N: usize>(mask: &Mask<N>, set: &[f32; N], clear: &[f32; N]) -> [f32; N] {
    each(|lane| f32::from_bits(set[lane].to_bits() & mask[lane] | clear[lane].to_bits() & !mask[lane]))
}

/// Says that an element of a column will be read soon. Where the column ends before it, that is of no use, and does no harm.
#[inline(always)]
pub fn prefetch<T>(column: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has SSE, and a prefetch changes nothing that a program sees, wherever its address leads.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(column.as_ptr().wrapping_add(at).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (column, at);
}

/// The group of a column that starts with a lane, or a smaller one.
///
/// # Panics
/// If the column ends before the group.
#[inline(always)]
pub fn group<T, const N: usize>(column: &[T], first: usize) -> &[T; N] {
    match column[first..].first_chunk() {
        Some(group) => group,
        None => panic!("a column of {} lanes has no group from {first} on", column.len()),
    }
}

/// The group of a column that starts with a lane, or a smaller one, to write.
///
/// # Panics
/// If the column ends before the group.
#[inline(always)]
pub fn group_mut<T, const N: usize>(column: &mut [T], first: usize) -> &mut [T; N] {
    let len = column.len();
    match column[first..].first_chunk_mut() {
        Some(group) => group,
        None => panic!("a column of {len} lanes has no group from {first} on"),
    }
}

/// The group of a column that starts with a lane, or a smaller one; zeros where the column ends.
///
/// # Panics
/// If it ends before the lane.
#[inline(always)]
pub fn load<T: Copy + Default, const N: usize>(column: &[T], first: usize) -> [T; N] {
    match column[first..].first_chunk() {
        Some(group) => *group,
        None => {
            let mut group = [T::default(); N];
            group.iter_mut().zip(&column[first..]).for_each(|(to, from)| *to = *from);
            group
        }
    }
}

/// The group of a column that starts with a lane, to change; where the column ends before that, a copy of it with zeros behind, and
/// true: what becomes of the copy is to be [stored](store).
///
/// # Panics
/// If the column ends before the lane.
#[inline(always)]
pub fn group_or_copy<'a, T: Copy + Default, const N: usize>(
    column: &'a mut [T],
    first: usize,
    copy: &'a mut [T; N],
) -> (&'a mut [T; N], bool) {
    if column[first..].len() >= N {
        (group_mut(column, first), false)
    } else {
        *copy = load(column, first);
        (copy, true)
    }
}

/// Puts a group into a column, as far as that goes.
///
/// # Panics
/// If it ends before the first lane.
#[inline(always)]
pub fn store<T: Copy, const N: usize>(column: &mut [T], first: usize, group: [T; N]) {
    match column[first..].first_chunk_mut() {
        Some(to) => *to = group,
        None => column[first..].iter_mut().zip(group).for_each(|(to, from)| *to = from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_choose() {
        let odd: Mask = mask(|lane| lane % 2 == 1);
        assert_eq!((odd[0], odd[1], any(&odd), any(&[0; GROUP])), (0, !0, true, false));
        let (ones, numbers) = ([1.0; GROUP], each(|lane| -(lane as f32)));
        assert_eq!(choose(&odd, &ones, &numbers)[..4], [-0.0, 1.0, -2.0, 1.0]);
        assert_eq!([bits(&odd), bits(&[0; GROUP]), bits(first_lanes(3))], [0xaaaa, 0, 7]);
        assert_eq!(first_lanes(0), &[0; GROUP]);
        assert_eq!(first_lanes(3), &mask::<GROUP>(|lane| lane < 3));
        assert_eq!(first_lanes(3), &mask::<8>(|lane| lane < 3));
        assert_eq!(first_lanes(GROUP), &[!0; GROUP]);
    }

    #[test]
    fn groups_end_with_their_column() {
        let mut column: [u8; 20] = std::array::from_fn(|lane| lane as u8 + 1);
        assert_eq!(load::<u8, GROUP>(&column, 3), each(|lane| lane as u8 + 4));
        assert_eq!(load::<u8, GROUP>(&column, 18), each(|lane| if lane < 2 { lane as u8 + 19 } else { 0 }));
        assert_eq!(load(&column, 20), [0; GROUP]);
        assert_eq!(*group::<u8, GROUP>(&column, 4), load(&column, 4));
        assert_eq!(*group(&column, 4), [5, 6, 7]);
        let mut copy = [0; GROUP];
        let (group, is_copy) = group_or_copy(&mut column, 4, &mut copy);
        assert_eq!((group[15], is_copy), (20, false));
        let (group, is_copy) = group_or_copy(&mut column, 18, &mut copy);
        assert_eq!((group[..3].to_vec(), is_copy), (vec![19, 20, 0], true));
        store(&mut column, 17, [7; GROUP]);
        assert_eq!(column[15..], [16, 17, 7, 7, 7]);
        *group_mut(&mut column, 4) = [9; GROUP];
        assert_eq!(column[2..], [[3, 4, 9, 9, 9, 9, 9, 9, 9], [9; 9]].concat());
    }
}

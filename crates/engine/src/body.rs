//! The loops over lanes. Every one is a plain loop that the compiler turns into vector code of the caller's
//! instruction set; the functions in it are the evaluator's own.

use crate::block::BLOCK;

/// Loops go over whole groups: their length is known to the compiler, and there is no rest to do one by one. 64 is no
/// faster, and too much for a batch of 32; of 16 the compiler leaves some loops unvectorised (docs/engine.md).
pub(crate) const GROUP: usize = 32;

/// Where an operand comes from: a column, or one number for all lanes.
pub(crate) trait Source: Copy {
    /// The lanes of a group.
    type Group: Copy;

    /// Group number `index`.
    fn group(self, index: usize) -> Self::Group;

    /// A lane of a group.
    fn lane(group: Self::Group, lane: usize) -> f32;
}

impl<'a> Source for &'a [u32; BLOCK] {
    type Group = &'a [u32; GROUP];

    #[inline(always)]
    fn group(self, index: usize) -> &'a [u32; GROUP] {
        &self.as_chunks().0[index]
    }

    #[inline(always)]
    fn lane(group: &[u32; GROUP], lane: usize) -> f32 {
        f32::from_bits(group[lane])
    }
}

impl Source for f32 {
    type Group = f32;

    #[inline(always)]
    fn group(self, _: usize) -> f32 {
        self
    }

    #[inline(always)]
    fn lane(group: f32, _: usize) -> f32 {
        group
    }
}

/// The first `groups` groups of a column.
#[inline(always)]
fn groups(to: &mut [u32; BLOCK], groups: usize) -> impl Iterator<Item = (usize, &mut [u32; GROUP])> {
    const { assert!(BLOCK.is_multiple_of(GROUP)) };
    to.as_chunks_mut().0.iter_mut().take(groups).enumerate()
}

/// Each lane through `f`.
#[inline(always)]
pub(crate) fn map1<A: Source>(to: &mut [u32; BLOCK], count: usize, a: A, f: impl Fn(f32) -> f32) {
    for (index, to) in groups(to, count) {
        let a = a.group(index);
        for (lane, to) in to.iter_mut().enumerate() {
            *to = f(A::lane(a, lane)).to_bits();
        }
    }
}

/// Each pair of lanes through `f`.
#[inline(always)]
pub(crate) fn map2<A: Source, B: Source>(
    to: &mut [u32; BLOCK],
    count: usize,
    (a, b): (A, B),
    f: impl Fn(f32, f32) -> f32,
) {
    for (index, to) in groups(to, count) {
        let (a, b) = (a.group(index), b.group(index));
        for (lane, to) in to.iter_mut().enumerate() {
            *to = f(A::lane(a, lane), B::lane(b, lane)).to_bits();
        }
    }
}

/// Three lanes each through `f`.
#[inline(always)]
pub(crate) fn map3<A: Source, B: Source, C: Source>(
    to: &mut [u32; BLOCK],
    count: usize,
    (a, b, c): (A, B, C),
    f: impl Fn(f32, f32, f32) -> f32,
) {
    for (index, to) in groups(to, count) {
        let (a, b, c) = (a.group(index), b.group(index), c.group(index));
        for (lane, to) in to.iter_mut().enumerate() {
            *to = f(A::lane(a, lane), B::lane(b, lane), C::lane(c, lane)).to_bits();
        }
    }
}

/// Marks the lanes in which one of four values is below zero.
#[inline(always)]
pub(crate) fn mark(to: &mut [u32], count: usize, values: [&[u32; BLOCK]; 4]) {
    for (index, to) in to.as_chunks_mut::<GROUP>().0.iter_mut().take(count).enumerate() {
        let [a, b, c, d] = values.map(
            #[inline(always)]
            |values| values.group(index),
        );
        for (lane, to) in to.iter_mut().enumerate() {
            let below = |values: &[u32; GROUP]| f32::from_bits(values[lane]) < 0.0;
            *to |= if below(a) | below(b) | below(c) | below(d) { u32::MAX } else { 0 };
        }
    }
}

/// What `all` makes of the lanes of each group. Neighbours often have the same operands: then `one` lane is enough.
#[inline(always)]
pub(crate) fn gather(
    to: &mut [u32; BLOCK],
    count: usize,
    from: &[&[u32; BLOCK]],
    one: impl Fn(usize) -> u32,
    all: impl Fn(usize, &mut [u32; GROUP]),
) {
    for (index, to) in groups(to, count) {
        let mut differ = 0;
        for column in from {
            let lanes: &[u32; GROUP] = column.group(index);
            differ = lanes.iter().fold(differ, |differ, lane| differ | (lane ^ lanes[0]));
        }
        if differ == 0 {
            to.fill(one(index * GROUP));
        } else {
            all(index, to);
        }
    }
}

/// Two vectors of lanes each through `f`.
#[inline(always)]
pub(crate) fn products<const N: usize, A: Source, B: Source>(
    to: &mut [u32; BLOCK],
    count: usize,
    (a, b): ([A; N], [B; N]),
    f: impl Fn([f32; N], [f32; N]) -> f32,
) {
    for (index, to) in groups(to, count) {
        let a = a.map(
            #[inline(always)]
            |a| a.group(index),
        );
        let b = b.map(
            #[inline(always)]
            |b| b.group(index),
        );
        for (lane, to) in to.iter_mut().enumerate() {
            let a = std::array::from_fn(
                #[inline(always)]
                |term| A::lane(a[term], lane),
            );
            let b = std::array::from_fn(
                #[inline(always)]
                |term| B::lane(b[term], lane),
            );
            *to = f(a, b).to_bits();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups whose operands are all the same, and groups in which a lane of the last operand is not.
    #[test]
    fn neighbours_that_differ_in_one_operand() {
        let same = [7; BLOCK];
        let mut other = [1; BLOCK];
        other[GROUP + 5] = 2;
        let mut to = [0; BLOCK];
        let sum = |lane: usize| same[lane] + other[lane];
        gather(&mut to, 2, &[&same, &other], sum, |group, to| {
            (group * GROUP..).zip(to).for_each(|(lane, to)| *to = sum(lane));
        });
        let expected = |lane: usize| match lane {
            lane if lane >= 2 * GROUP => 0,
            lane if lane == GROUP + 5 => 9,
            _ => 8,
        };
        assert!((0..BLOCK).all(|lane| to[lane] == expected(lane)));
    }
}

//! The depth test.

use crate::rules::Unordered;
use gpuzoo_simd::lanes::{Mask, any, each, mask};

/// How the depth of a fragment must compare with the stored one for the fragment to pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// Nothing passes.
    Never,
    /// fragment < stored
    Less,
    /// fragment = stored
    Equal,
    /// fragment ≤ stored
    LessEqual,
    /// fragment > stored
    Greater,
    /// fragment ≠ stored
    NotEqual,
    /// fragment ≥ stored
    GreaterEqual,
    /// Everything passes.
    Always,
}

impl Compare {
    /// Every comparison.
    pub const ALL: [Compare; 8] = [
        Compare::Never,
        Compare::Less,
        Compare::Equal,
        Compare::LessEqual,
        Compare::Greater,
        Compare::NotEqual,
        Compare::GreaterEqual,
        Compare::Always,
    ];

    /// Whether a fragment passes.
    #[inline]
    pub fn passes(self, fragment: f32, stored: f32, unordered: Unordered) -> bool {
        any(&Test::new(self, unordered).passes(&[fragment], &[stored]))
    }

    /// True if a fragment that fails now would also fail after other fragments have passed and been stored, so that it
    /// may be dropped before its colour is known (early-Z). "Not equal" is not such a test, nor is any that accepts
    /// NaN.
    pub(crate) fn failure_lasts(self, unordered: Unordered) -> bool {
        match self {
            Compare::Never | Compare::Always | Compare::Equal => true,
            Compare::NotEqual => false,
            _ => unordered == Unordered::Fails,
        }
    }
}

impl Compare {
    /// True if no depth between the first two passes against any between the second two (Hi-Z). It is for comparisons
    /// whose [failure lasts](Compare::failure_lasts): against NaN they all fail, so NaN needs no place in a range, and
    /// a range of no number at all goes from infinity down to minus infinity.
    pub(crate) fn refuses_all(self, [low, high]: [f32; 2], [stored_low, stored_high]: [f32; 2]) -> bool {
        match self {
            Compare::Never => true,
            Compare::Less => low >= stored_high,
            Compare::Equal => low > stored_high || high < stored_low,
            Compare::LessEqual => low > stored_high,
            Compare::Greater => high <= stored_low,
            Compare::GreaterEqual => high < stored_low,
            Compare::NotEqual | Compare::Always => false,
        }
    }
}

/// A comparison as a relation that holds for no NaN, and whether fragments pass where it holds or where it does not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Test {
    /// Neither [`Compare::NotEqual`] nor [`Compare::Always`].
    relation: Compare,
    /// All bits if they pass where it does not hold.
    inverted: u32,
}

impl Test {
    pub fn new(compare: Compare, unordered: Unordered) -> Test {
        use Compare::*;
        let (opposite, unordered_passes) = match compare {
            Never => (Always, false),
            Less => (GreaterEqual, unordered == Unordered::Passes),
            Equal => (NotEqual, false),
            LessEqual => (Greater, unordered == Unordered::Passes),
            Greater => (LessEqual, unordered == Unordered::Passes),
            NotEqual => (Equal, true),
            GreaterEqual => (Less, unordered == Unordered::Passes),
            Always => (Never, true),
        };
        match unordered_passes {
            true => Test { relation: opposite, inverted: !0 },
            false => Test { relation: compare, inverted: 0 },
        }
    }

    /// Which fragments pass.
    #[inline(always)]
    pub fn passes<const N: usize>(self, fragments: &[f32; N], stored: &[f32; N]) -> Mask<N> {
        // The choice before the loops.
        let holds: Mask<N> = match self.relation {
            Compare::Less => mask(|lane| fragments[lane] < stored[lane]),
            Compare::LessEqual => mask(|lane| fragments[lane] <= stored[lane]),
            Compare::Equal => mask(|lane| fragments[lane] == stored[lane]),
            Compare::GreaterEqual => mask(|lane| fragments[lane] >= stored[lane]),
            Compare::Greater => mask(|lane| fragments[lane] > stored[lane]),
            Compare::Never | Compare::NotEqual | Compare::Always => [0; N],
        };
        each(|lane| holds[lane] ^ self.inverted)
    }
}

/// The test and what it does to the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthTest {
    /// Who passes.
    pub compare: Compare,
    /// True if the depth of a fragment that passes is stored.
    pub write: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truth_table() {
        use Compare::*;
        // For each function: fragment below, equal to, above the stored depth; NaN under each rule.
        let table = [
            (Never, [false, false, false], [false, false]),
            (Less, [true, false, false], [false, true]),
            (Equal, [false, true, false], [false, false]),
            (LessEqual, [true, true, false], [false, true]),
            (Greater, [false, false, true], [false, true]),
            (NotEqual, [true, false, true], [true, true]),
            (GreaterEqual, [false, true, true], [false, true]),
            (Always, [true, true, true], [true, true]),
        ];
        for (compare, ordered, nan) in table {
            for (rule, expected) in [Unordered::Fails, Unordered::Passes].into_iter().zip(nan) {
                for (fragment, expected) in [0.25, 0.5, 0.75].into_iter().zip(ordered) {
                    assert_eq!(compare.passes(fragment, 0.5, rule), expected, "{compare:?} {fragment}");
                }
                assert_eq!(compare.passes(-0.0, 0.0, rule), ordered[1]);
                assert_eq!(compare.passes(f32::NAN, 0.5, rule), expected, "{compare:?} {rule:?}");
                assert_eq!(compare.passes(0.5, f32::NAN, rule), expected, "{compare:?} {rule:?}");
            }
        }
    }

    /// The claim behind early-Z, checked for every sequence of two fragments over a few depths.
    #[test]
    fn lasting_failures_last() {
        use Compare::*;
        let depths = [f32::NEG_INFINITY, -1.0, 0.0, 0.5, 1.0, f32::INFINITY, f32::NAN];
        for compare in [Never, Less, Equal, LessEqual, Greater, NotEqual, GreaterEqual, Always] {
            for rule in [Unordered::Fails, Unordered::Passes] {
                let mut counterexample = false;
                for stored in depths {
                    for first in depths.into_iter().filter(|&first| compare.passes(first, stored, rule)) {
                        for second in depths {
                            counterexample |=
                                !compare.passes(second, stored, rule) && compare.passes(second, first, rule);
                        }
                    }
                }
                assert_eq!(compare.failure_lasts(rule), !counterexample, "{compare:?} {rule:?}");
            }
        }
    }

    /// The claim behind blocks, for all pairs of ranges of a few depths: nothing in a refused range passes, and only
    /// comparisons whose failure lasts refuse any.
    #[test]
    fn refused_ranges_hold_nothing_that_passes() {
        use Compare::*;
        let depths = [f32::NEG_INFINITY, -1.0, -0.0, 0.0, 0.5, f32::INFINITY];
        let ends = || depths.iter().flat_map(|low| depths.map(|high| [*low, high]));
        let within = |[low, high]: [f32; 2]| {
            depths.into_iter().chain([f32::NAN]).filter(move |depth| !(*depth < low || *depth > high))
        };
        for compare in [Never, Less, Equal, LessEqual, Greater, NotEqual, GreaterEqual, Always] {
            let mut refused = 0;
            let pairs = ends().flat_map(|a| ends().map(move |b| (a, b)));
            for (fragments, stored) in pairs.filter(|(a, b)| compare.refuses_all(*a, *b)) {
                refused += 1;
                for (fragment, stored) in within(fragments).flat_map(|a| within(stored).map(move |b| (a, b)))
                {
                    assert!(
                        !compare.passes(fragment, stored, Unordered::Fails),
                        "{compare:?} {fragment} {stored}"
                    );
                }
            }
            assert_eq!(refused > 0, compare != Always && compare != NotEqual, "{compare:?}");
        }
    }
}

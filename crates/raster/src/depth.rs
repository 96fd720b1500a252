//! The depth test.

use crate::rules::Unordered;
use std::cmp::Ordering;

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
    /// Whether a fragment passes.
    #[inline]
    pub fn passes(self, fragment: f32, stored: f32, unordered: Unordered) -> bool {
        let Some(order) = fragment.partial_cmp(&stored) else {
            return match self {
                Compare::Never => false,
                Compare::Always => true,
                Compare::NotEqual => true,
                Compare::Equal => false,
                _ => unordered == Unordered::Passes,
            };
        };
        match self {
            Compare::Never => false,
            Compare::Less => order == Ordering::Less,
            Compare::Equal => order == Ordering::Equal,
            Compare::LessEqual => order != Ordering::Greater,
            Compare::Greater => order == Ordering::Greater,
            Compare::NotEqual => order != Ordering::Equal,
            Compare::GreaterEqual => order != Ordering::Less,
            Compare::Always => true,
        }
    }

    /// True if a fragment that fails now would also fail after other fragments have passed and been stored, so that it
    /// may be dropped before its colour is known. "Not equal" is no such test, nor is any that lets a NaN in.
    pub(crate) fn failure_lasts(self, unordered: Unordered) -> bool {
        match self {
            Compare::Never | Compare::Always | Compare::Equal => true,
            Compare::NotEqual => false,
            _ => unordered == Unordered::Fails,
        }
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

    /// The claim behind early rejection, checked for every sequence of two fragments over a few depths.
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
}

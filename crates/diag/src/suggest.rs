//! "Did you mean": the nearest of the accepted words.

use crate::work::spend;
use strsim::osa_distance;

/// For so many problems of an input a near name is searched for among the input's own names. There may be as many names as
/// problems, so that a search for each would take quadratic time.
pub const MAX_SEARCHES: usize = 100;

/// No near word is searched for one of more bytes: their distances would take long to find.
const LONGEST: usize = 40;

/// The accepted word that is nearest to `word`, if one is near enough to be a slip of the fingers: one letter changed, added,
/// dropped or swapped with its neighbour, of longer words one for every three of the shorter one's letters, but then not the
/// first. Capitals do not count, and a word that shares no letter is not near.
///
/// ```
/// use gpuzoo_diag::suggest::nearest;
/// assert_eq!(nearest("mlum", ["mul", "mulm", "add"]), Some("mulm"));
/// assert_eq!(nearest("LDC", ["ld", "ldc"]), Some("ldc"));
/// assert_eq!(nearest("viewprot", ["front", "viewport"]), Some("viewport"));
/// // As near as these are by their letters, nobody means one with the other.
/// assert_eq!(nearest("foo", ["fdot", "fadd"]), None);
/// assert_eq!(nearest("lrp", ["logp", "dp3"]), None);
/// assert_eq!(nearest("oCol", ["oPos", "oFog"]), None);
/// assert_eq!(nearest("frobnicate", ["ld", "ldc"]), None);
/// ```
pub fn nearest<'a>(word: &str, accepted: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST {
        return None;
    }
    let wanted = Word::of(word);
    let distance = |candidate: &'a str| {
        spend(candidate.len().min(LONGEST) * word.len());
        if candidate.len() > LONGEST {
            return None;
        }
        let other = Word::of(candidate);
        let most = match wanted.first == other.first {
            true => (other.length.min(wanted.length) / 3).max(1),
            false => 1,
        };
        if wanted.at_least(&other) > most {
            return None;
        }
        let distance = osa_distance(&wanted.lower, &other.lower);
        (distance <= most && distance < other.length).then_some((distance, candidate))
    };
    let near = accepted.into_iter().filter_map(distance).min_by_key(|(distance, _)| *distance);
    near.map(|(_, candidate)| candidate)
}

/// A word without capitals, and what a bound for distances needs.
struct Word {
    lower: String,
    length: usize,
    first: Option<char>,
    /// A bit for each letter that occurs; some letters share one.
    letters: u64,
}

impl Word {
    fn of(word: &str) -> Word {
        let lower = word.to_lowercase();
        let letters = lower.chars().fold(0, |set, letter| set | 1 << (u32::from(letter) % 64));
        Word { length: lower.chars().count(), first: lower.chars().next(), letters, lower }
    }

    /// At most the distance of two words, which takes longer to find: a change brings in one letter at most, and takes away
    /// one at most.
    fn at_least(&self, other: &Word) -> usize {
        let [gone, new] = [self.letters & !other.letters, other.letters & !self.letters];
        let letters = gone.count_ones().max(new.count_ones());
        self.length.abs_diff(other.length).max(letters as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_is_not_above_the_distance() {
        let words =
            ["", "a", "b", "ab", "ba", "abc", "acb", "cab", "mul", "mulm", "Mlum", "äb", "aaaa", "viewprot"];
        for one in words.map(Word::of) {
            for other in words.map(Word::of) {
                let distance = osa_distance(&one.lower, &other.lower);
                assert!(one.at_least(&other) <= distance, "{} {}", one.lower, other.lower);
            }
        }
        let bound = |one, other| Word::of(one).at_least(&Word::of(other));
        assert_eq!([bound("mul", "add"), bound("mul", "mulmul"), bound("mlum", "mulm")], [3, 3, 0]);
    }
}

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
    let wanted = word.to_lowercase();
    let letters = wanted.chars().count();
    let distance = |candidate: &'a str| {
        spend(candidate.len().min(LONGEST) * word.len());
        if candidate.len() > LONGEST {
            return None;
        }
        let lower = candidate.to_lowercase();
        let length = lower.chars().count();
        let distance = osa_distance(&wanted, &lower);
        let most = (length.min(letters) / 3).max(1);
        let same_start = distance < 2 || lower.chars().next() == wanted.chars().next();
        let near = distance <= most && distance < length && same_start;
        near.then_some((distance, candidate))
    };
    let near = accepted.into_iter().filter_map(distance).min_by_key(|(distance, _)| *distance);
    near.map(|(_, candidate)| candidate)
}

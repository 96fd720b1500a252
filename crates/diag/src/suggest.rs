//! "Did you mean": the nearest of the accepted words.

use strsim::osa_distance;

/// The accepted word that is nearest to `word`, if one is near enough to be a slip of the fingers: at most one
/// third of its letters changed, added, dropped or swapped with a neighbour; capitals do not count.
///
/// ```
/// use gpuzoo_diag::suggest::nearest;
/// assert_eq!(nearest("mlum", ["mul", "mulm", "add"]), Some("mulm"));
/// assert_eq!(nearest("LDC", ["ld", "ldc"]), Some("ldc"));
/// assert_eq!(nearest("frobnicate", ["ld", "ldc"]), None);
/// ```
pub fn nearest<'a>(word: &str, accepted: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Long junk is not a slip, and its distance would be slow to find.
    if word.len() > 40 {
        return None;
    }
    let wanted = word.to_lowercase();
    let letters = wanted.chars().count();
    accepted
        .into_iter()
        .map(|candidate| {
            let lower = candidate.to_lowercase();
            (osa_distance(&wanted, &lower), lower.chars().count(), candidate)
        })
        .filter(|&(distance, length, _)| distance <= length.max(letters).div_ceil(3))
        .filter(|&(distance, length, _)| distance < length)
        .min_by_key(|&(distance, ..)| distance)
        .map(|(.., candidate)| candidate)
}

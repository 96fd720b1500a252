//! "Did you mean": the nearest of the accepted words.

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
    // Long junk is no slip, and its distance would be slow to find.
    if word.len() > 40 {
        return None;
    }
    let wanted: Vec<char> = word.to_lowercase().chars().collect();
    accepted
        .into_iter()
        .map(|candidate| {
            let letters: Vec<char> = candidate.to_lowercase().chars().collect();
            (distance(&wanted, &letters), letters.len(), candidate)
        })
        .filter(|&(distance, length, _)| distance <= length.max(wanted.len()).div_ceil(3))
        .filter(|&(distance, length, _)| distance < length)
        .min_by_key(|&(distance, ..)| distance)
        .map(|(.., candidate)| candidate)
}

/// The optimal string alignment distance.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows: Vec<Vec<usize>> = (0..=a.len()).map(|i| (i..=i + b.len()).collect()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

//! Words of messages.

use std::fmt::Display;

/// A number of things in words.
///
/// ```
/// use gpuzoo_diag::counted;
/// assert_eq!(counted(1, "cell"), "1 cell");
/// assert_eq!(counted("1,200", "byte"), "1,200 bytes");
/// assert_eq!([counted(0, "vertex"), counted(2, "index")], ["0 vertices", "2 indices"]);
/// ```
pub fn counted(count: impl Display, one: &str) -> String {
    let count = count.to_string();
    if count == "1" {
        return format!("1 {one}");
    }
    match one.strip_suffix("ex") {
        Some(stem) => format!("{count} {stem}ices"),
        None => format!("{count} {one}s"),
    }
}

//! Names of files and folders that something other than the command line may write: a linker configuration, a project
//! file, a program
//! at run time.

/// The reason why a name is never written, as the end of a sentence; none for an ordinary name.
///
/// A name is one part of a path. The answer is the same on all systems: a name is refused wherever it is hidden, a
/// path, or another name for
/// something else on one of them.
///
/// ```
/// use gpuzoo::file_name::why_not_written;
/// assert_eq!(why_not_written("GAME.PRG"), None);
/// for name in ["", "..", ".git", "\u{200c}.git", "GIT~1", "a\\b", "c:", "a\0", "a.", "\u{202e}a", "a\u{200b}", "a*"] {
///     assert!(why_not_written(name).is_some(), "{name:?}");
/// }
/// ```
pub fn why_not_written(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        return Some("a part of it is empty");
    }
    // HFS+ skips these when it compares names.
    if name.trim_start_matches(is_ignored).starts_with('.') {
        return Some("a part of it begins with a dot");
    }
    if name.contains(|letter: char| letter.is_control()) || gpuzoo_diag::printable(name) != name {
        return Some("it has a control character");
    }
    if name.contains(is_ignored) {
        return Some("it has a character that some systems skip");
    }
    if name.contains(['*', '?', '"', '<', '>', '|']) {
        return Some("it has one of `* ? \" < > |`, which Windows does not allow");
    }
    if name.contains(['/', '\\', ':']) {
        return Some("a part of it has `/`, `\\` or `:`");
    }
    if name.ends_with(['.', ' ']) {
        return Some("a part of it ends with a dot or a space, which Windows drops");
    }
    let mut pairs = name.as_bytes().windows(2);
    if pairs.any(|pair| pair[0] == b'~' && pair[1].is_ascii_digit()) {
        return Some("a part of it has `~` and a digit, as short names of FAT do");
    }
    let stem = name.split('.').next().unwrap_or(name).trim_end();
    match cfg!(windows) && is_device(stem) {
        true => Some("it is a device of Windows"),
        false => None,
    }
}

/// Characters that some file systems skip in names.
fn is_ignored(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn is_device(stem: &str) -> bool {
    let stem = stem.to_ascii_uppercase();
    let numbered = |name: &str| {
        stem.strip_prefix(name).is_some_and(|rest| rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit())
    };
    matches!(&*stem, "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$")
        || numbered("COM")
        || numbered("LPT")
}

/// The parts of a path that leads strictly below the folder that it starts in, without `.`; none if it does not, or
/// if it has a part that is
/// never [written](why_not_written).
///
/// ```
/// use gpuzoo::file_name::parts_below;
/// assert_eq!(parts_below("./disk/one/"), Some(vec!["disk", "one"]));
/// for path in ["", ".", "./", "/disk", "disk/..", "../disk", ".git", "disk/.git", "c:/disk", "d\\.."] {
///     assert_eq!(parts_below(path), None, "{path}");
/// }
/// ```
pub fn parts_below(path: &str) -> Option<Vec<&str>> {
    if path.starts_with('/') {
        return None;
    }
    let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    let is_fine = !parts.is_empty() && parts.iter().all(|part| why_not_written(part).is_none());
    is_fine.then_some(parts)
}

/// A path or a text as a word for a shell, in quotes where it needs them.
///
/// ```
/// use gpuzoo::file_name::shell_word;
/// assert_eq!(shell_word("build/out"), "build/out");
/// assert_eq!(shell_word("my files"), "'my files'");
/// assert_eq!(shell_word("$(ls)'"), r"'$(ls)'\'''");
/// ```
pub fn shell_word(text: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-+,=@%".contains(letter);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

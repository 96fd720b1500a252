//! URIs of files, and plain paths.

use std::path::{Path, PathBuf};

/// The path of a `file:` URI; the URI itself as a name for anything else.
///
/// ```
/// use gpuzoo_editor::wire::uri::path_of;
/// use std::path::Path;
/// assert_eq!(path_of("file:///w/a%20b/c.vsh"), Path::new("/w/a b/c.vsh"));
/// assert_eq!(path_of("untitled:Untitled-1"), Path::new("untitled:Untitled-1"));
/// ```
pub fn path_of(uri: &str) -> PathBuf {
    let Some(rest) = uri.strip_prefix("file://") else { return uri.into() };
    // What is before the first slash is the host.
    let rest = rest.find('/').map_or("", |at| &rest[at..]);
    let mut bytes = Vec::with_capacity(rest.len());
    let mut rest = rest.as_bytes();
    while let [first, more @ ..] = rest {
        let digits = more.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &more[2..];
            }
            None => {
                bytes.push(*first);
                rest = more;
            }
        }
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    // `/c:/folder` is how Windows' paths are written.
    let is_drive = text.len() > 2 && text.as_bytes()[2] == b':' && text.as_bytes()[1].is_ascii_alphabetic();
    if is_drive && cfg!(windows) { text[1..].into() } else { text.into() }
}

/// The `file:` URI of a path.
pub fn uri_of(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "/");
    let mut uri = String::from(if text.starts_with('/') { "file://" } else { "file:///" });
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(char::from(byte))
            }
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

/// A path without `.` and with what `..` leads to, as far as that can be told without looking.
pub fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir if plain.file_name().is_some() => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_and_paths_are_each_others_inverse() {
        for (uri, path) in [
            ("file:///w/a%20b/c.vsh", "/w/a b/c.vsh"),
            ("file:///%C3%A4%25.s", "/ä%.s"),
            ("file:///a/%F0%9F%98%80", "/a/\u{1F600}"),
        ] {
            assert_eq!(path_of(uri), Path::new(path));
            assert_eq!(uri_of(Path::new(path)), uri);
        }
        // What no editor should send.
        for (uri, path) in [
            ("untitled:Untitled-1", "untitled:Untitled-1"),
            ("file://host/a", "/a"),
            ("file://host", ""),
            ("file:///%", "/%"),
            ("file:///%4", "/%4"),
            ("file:///%zz%+1", "/%zz%+1"),
            ("file:///%ff", "/\u{fffd}"),
            ("", ""),
        ] {
            assert_eq!(path_of(uri), Path::new(path), "{uri}");
        }
        assert_eq!(plain(Path::new("/a/./b/../c")), Path::new("/a/c"));
        assert_eq!(plain(Path::new("/../c")), Path::new("/../c"));
    }
}

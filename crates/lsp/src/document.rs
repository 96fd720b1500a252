//! Open documents: where they are, and the files that they name.

use crate::analysis::Analysis;
use crate::text::Text;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

/// Where the files come from that documents name.
pub trait Files {
    /// The bytes of a file that an assembly text names, or why there are none.
    ///
    /// # Errors
    /// The reason, in words.
    fn included(&self, text: &Path, wanted: &str) -> Result<Vec<u8>, String>;

    /// The bytes of a file that a scene names; `path` has the scene's folder in front.
    ///
    /// # Errors
    /// The reason.
    fn named(&self, scene: &Path, path: &Path) -> std::io::Result<Vec<u8>>;
}

/// No files.
#[derive(Clone, Copy, Debug)]
pub struct NoFiles;

impl Files for NoFiles {
    fn included(&self, _: &Path, _: &str) -> Result<Vec<u8>, String> {
        Err("no files are given".to_owned())
    }

    fn named(&self, _: &Path, _: &Path) -> std::io::Result<Vec<u8>> {
        Err(std::io::ErrorKind::NotFound.into())
    }
}

/// A document that is open in an editor.
#[derive(Default)]
pub(crate) struct Document {
    /// As the editor names it.
    pub uri: String,
    /// Where it is.
    pub path: PathBuf,
    /// What language the editor takes it for.
    pub language: String,
    /// The editor's number of this state.
    pub version: Option<i64>,
    /// What is in it.
    pub text: Text,
    /// What was found in it, once somebody has asked.
    pub analysis: OnceCell<Analysis>,
    /// What was found has not been shown yet.
    pub is_new: bool,
}

/// The path of a `file:` URI; the URI itself as a name for anything else.
///
/// ```text
/// file:///w/a%20b/c.vsh -> /w/a b/c.vsh
/// untitled:Untitled-1      -> untitled:Untitled-1
/// ```
pub(crate) fn path_of(uri: &str) -> PathBuf {
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
pub(crate) fn uri_of(path: &Path) -> String {
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
pub(crate) fn plain(path: &Path) -> PathBuf {
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

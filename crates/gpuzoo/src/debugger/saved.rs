//! Sessions of the debugger as files: what was debugged, and the commands that lead back to where it was.
//!
//! ```json
//! {
//!   "gpuzoo": "debugger session",
//!   "version": 1,
//!   "arguments": ["lit.vsh", "normals.csv", "--vertex", "1"],
//!   "files": [{"path": "lit.vsh", "bytes": 117, "crc32": "8bd69e52"}],
//!   "commands": ["goto 2", "poke r1.x = 0.5", "break line 4", "goto 5"]
//! }
//! ```

use gpuzoo_diag::{Diagnostic, File, Span};
use gpuzoo_machine::json;
use gpuzoo_machine::options::settings::{Setting, Value};
use serde_json::Value as Json;

gpuzoo_diag::codes! {
    NOT_A_SESSION = "G0305", "not a session of the debugger",
        "`save FILE` writes a session, which `gpuzoo debug FILE` opens again: JSON with `gpuzoo`, `version`, `arguments`, `files` and \
         `commands`, up to 1 MiB. This version of gpuzoo reads version 1. A session cannot say where something is written, nor what may be read.";
    CHANGED = "G0306", "file of a session has changed",
        "A file that was debugged is another one than when the session was saved, so that its breakpoints and pokes may be at other places. \
         Take the file as it was, or save the session anew.";
}

/// What the member `gpuzoo` says.
const KIND: &str = "debugger session";
/// The version that is written, and the only one that is read.
const VERSION: i64 = 1;
/// The most bytes of a session.
pub const MOST_BYTES: usize = 1 << 20;

/// A session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Saved {
    /// The arguments of `gpuzoo debug`.
    pub arguments: Vec<String>,
    /// The files that were read.
    pub files: Vec<Known>,
    /// The commands that lead to where it was, each with its place in the file that was read.
    pub commands: Vec<(String, Span)>,
}

/// A file as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// Where it is.
    pub path: String,
    /// How many bytes it has.
    pub bytes: u64,
    /// Their CRC-32, in eight hexadecimal digits.
    pub crc32: String,
    /// Where the session says so.
    pub at: Span,
}

impl Known {
    /// Of some bytes.
    ///
    /// ```
    /// use gpuzoo::debugger::saved::Known;
    /// let known = Known::of("lit.vsh", b"mov oPos, v0");
    /// assert!(known.is(b"mov oPos, v0") && !known.is(b"mov oPos, v1"));
    /// ```
    pub fn of(path: &str, bytes: &[u8]) -> Known {
        let crc32 = format!("{:08x}", checksum(bytes));
        Known { path: path.to_owned(), bytes: bytes.len() as u64, crc32, at: Span::default() }
    }

    /// True if it has these bytes.
    pub fn is(&self, bytes: &[u8]) -> bool {
        let now = Known::of("", bytes);
        (self.bytes, &self.crc32) == (now.bytes, &now.crc32)
    }

    /// The warning that it is not as it was: `why` ends the sentence.
    pub fn changed(&self, why: &str) -> Diagnostic {
        let message = format!("`{}` {why}", self.path);
        let problem = Diagnostic::warning(&CHANGED, message).label(self.at, "");
        problem.help("breakpoints and pokes may be at other places")
    }
}

/// The CRC-32 of PNG and zip. A crate for it would be one more for those who only assemble, and inputs are small.
fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        let bit = |sum: u32, _| (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg());
        (0..8).fold(sum ^ u32::from(*byte), bit)
    })
}

/// True for the beginning of a text that is a session.
///
/// ```
/// use gpuzoo::debugger::saved::is_session;
/// assert!(is_session(b"{ \"gpuzoo\": \"debugger session\", \"version\": 7"));
/// assert!(!is_session(b"{ \"words\": [] }"));
/// ```
pub fn is_session(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).trim_ascii_start();
    text.strip_prefix(b"{").is_some_and(|text| text.trim_ascii_start().starts_with(b"\"gpuzoo\""))
}

impl Saved {
    /// Reads a session.
    ///
    /// ```
    /// use gpuzoo::debugger::saved::{Known, Saved};
    /// use gpuzoo::diag::File;
    /// let saved = Saved { arguments: vec!["a.vu".into()], files: vec![Known::of("a.vu", b"end")], ..Saved::default() };
    /// let again = Saved::read(&File::new("a.session", &saved.text()))?;
    /// assert_eq!((again.arguments, again.files[0].is(b"end")), (saved.arguments, true));
    /// # Ok::<(), gpuzoo::diag::Diagnostic>(())
    /// ```
    ///
    /// # Errors
    /// `G0204` and `G0305`, at the place.
    pub fn read(file: &File) -> Result<Saved, Diagnostic> {
        if file.text().len() > MOST_BYTES {
            let message = format!("the session has {} bytes", file.text().len());
            return Err(wrong(message, file.span(0..0)).help("it may have 1 MiB"));
        }
        let whole = json::parse(file)?;
        let Value::Table(table) = &whole.value else { return Err(wrong("expected an object", whole.span)) };
        let known = ["gpuzoo", "version", "arguments", "files", "commands"];
        if let Some((name, span, _)) = table.entries.iter().find(|(name, ..)| !known.contains(&name.as_str()))
        {
            return Err(wrong(format!("a session has no `{name}`"), *span));
        }
        let member = |name: &str| {
            table.get(name).ok_or_else(|| wrong(format!("`{name}` is missing"), file.span(0..1)))
        };
        let kind = member("gpuzoo")?;
        if text(kind)?.0 != KIND {
            return Err(wrong(format!("expected \"{KIND}\""), kind.span));
        }
        let version = member("version")?;
        if version.value != Value::Int(VERSION) {
            let message = format!("this version of the format is not known: it is read in version {VERSION}");
            return Err(wrong(message, version.span));
        }
        let words = list(member("arguments")?)?.iter().map(|setting| Ok(text(setting)?.0));
        Ok(Saved {
            arguments: words.collect::<Result<_, Diagnostic>>()?,
            files: list(member("files")?)?.iter().map(of_file).collect::<Result<_, _>>()?,
            commands: list(member("commands")?)?.iter().map(text).collect::<Result<_, _>>()?,
        })
    }

    /// As it is written.
    pub fn text(&self) -> String {
        let lines = |all: Vec<String>| match all.is_empty() {
            true => "[]".to_owned(),
            false => format!("[\n    {}\n  ]", all.join(",\n    ")),
        };
        let quoted = |text: &String| Json::from(text.as_str()).to_string();
        let arguments: Vec<String> = self.arguments.iter().map(quoted).collect();
        let files = self.files.iter().map(|known| {
            let (path, crc32) = (quoted(&known.path), quoted(&known.crc32));
            format!("{{\"path\": {path}, \"bytes\": {}, \"crc32\": {crc32}}}", known.bytes)
        });
        let commands = self.commands.iter().map(|(command, _)| quoted(command));
        format!(
            "{{\n  \"gpuzoo\": \"{KIND}\",\n  \"version\": {VERSION},\n  \"arguments\": [{}],\n  \"files\": {},\n  \"commands\": {}\n}}\n",
            arguments.join(", "),
            lines(files.collect()),
            lines(commands.collect())
        )
    }
}

fn wrong(message: impl Into<String>, at: Span) -> Diagnostic {
    Diagnostic::error(&NOT_A_SESSION, message).label(at, "")
}

fn list(setting: &Setting) -> Result<&[Setting], Diagnostic> {
    match &setting.value {
        Value::List(list) => Ok(list),
        _ => Err(wrong("expected a list", setting.span)),
    }
}

fn text(setting: &Setting) -> Result<(String, Span), Diagnostic> {
    match &setting.value {
        Value::Text(text) if !text.contains(['\n', '\r', '\0']) => Ok((text.clone(), setting.span)),
        _ => Err(wrong("expected a text of one line", setting.span)),
    }
}

fn of_file(setting: &Setting) -> Result<Known, Diagnostic> {
    let (at, missing) = (setting.span, || wrong("expected `path`, `bytes` and `crc32`", setting.span));
    let Value::Table(table) = &setting.value else { return Err(missing()) };
    let member = |name: &str| table.get(name).ok_or_else(missing);
    let bytes = match member("bytes")?.value {
        Value::Int(bytes) => u64::try_from(bytes).map_err(|_| missing())?,
        _ => return Err(missing()),
    };
    Ok(Known { path: text(member("path")?)?.0, bytes, crc32: text(member("crc32")?)?.0, at })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value that the CRC's catalogue gives for these digits.
    #[test]
    fn checksums_are_those_of_others() {
        assert_eq!(Known::of("", b"123456789").crc32, "cbf43926");
    }

    #[test]
    fn what_is_no_session_has_a_code_and_a_place() {
        let good = Saved {
            arguments: vec!["a \"b\".vu".to_owned()],
            files: vec![Known::of("a", b"x")],
            commands: vec![("goto 1".to_owned(), Span::default())],
        };
        let text = good.text();
        let again = Saved::read(&File::new("t", &text)).unwrap();
        assert_eq!((again.text(), again.arguments), (text.clone(), good.arguments));
        for (from, to, code, at) in [
            ("{", "[", "G0204", 12),
            ("debugger session", "trace", "G0305", 14),
            ("\"version\": 1", "\"version\": 2", "G0305", 47),
            ("\"version\": 1,", "", "G0305", 0),
            ("\"arguments\": [", "\"arguments\": [3, ", "G0305", 66),
            ("\"goto 1\"", "\"goto\\n1\"", "G0305", 170),
            ("\"bytes\": 1", "\"bytes\": -1", "G0305", 98),
            ("\"files\"", "\"filse\"", "G0305", 84),
        ] {
            let problem = Saved::read(&File::new("t", &text.replacen(from, to, 1))).unwrap_err();
            let found = (problem.code.id, problem.span().map(|span| span.start as usize));
            assert_eq!(found, (code, Some(at)), "{to}: {}", problem.message);
        }
        let long = text.replace("goto 1", &"x".repeat(MOST_BYTES));
        assert_eq!(
            Saved::read(&File::new("t", &long)).unwrap_err().message,
            format!("the session has {} bytes", long.len())
        );
    }
}

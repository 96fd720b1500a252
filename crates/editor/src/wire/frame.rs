//! Messages on a stream: a header with the length, then JSON (LSP 3.17 and DAP 1.68, "Base Protocol").

use serde_json::Value as Json;
use std::io::{BufRead, Error, ErrorKind, Read, Write};

/// The longest message in bytes: a text of 64 MiB, written with escapes, and more.
pub const MAX_BYTES: u64 = 32 << 20;
/// The longest line of a header in bytes.
const MAX_HEADER: u64 = 4096;

/// Reads the bytes of the next message; none at the end of the stream.
///
/// ```
/// use gpuzoo_editor::wire::frame::read;
/// let mut stream = &b"Content-Length: 2\r\n\r\n{}"[..];
/// assert_eq!(read(&mut stream).unwrap(), Some(b"{}".to_vec()));
/// assert_eq!(read(&mut stream).unwrap(), None);
/// ```
///
/// # Errors
/// The stream's, and `InvalidData` for a header without a usable length, or with a line that is none (`POST / HTTP/1.1`: no page
/// in a browser is to speak with a server on a port): what follows cannot be told apart.
pub fn read(input: &mut impl BufRead) -> Result<Option<Vec<u8>>, Error> {
    let invalid = |why: &str| Error::new(ErrorKind::InvalidData, why);
    let mut length = None;
    for count in 0.. {
        let mut line = Vec::new();
        input.by_ref().take(MAX_HEADER).read_until(b'\n', &mut line)?;
        if line.is_empty() && count == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        if !line.ends_with('\n') {
            return Err(invalid("a header is cut off, or too long"));
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        match line.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse::<u64>().ok();
            }
            Some((name, _)) if name.chars().all(is_part) => {}
            _ => return Err(invalid("a line of a header is not `NAME: VALUE`")),
        }
    }
    let length = length.filter(|length| *length <= MAX_BYTES);
    let length = length.ok_or_else(|| invalid("a header has no usable Content-Length"))?;
    let mut bytes = Vec::new();
    input.by_ref().take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != length {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(bytes))
}

/// Writes a message.
///
/// # Errors
/// The stream's.
pub fn write(output: &mut impl Write, message: &Json) -> Result<(), Error> {
    let text = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn headers_without_a_length_end_the_stream() {
        let kind = |bytes: &[u8]| read(&mut &*bytes).err().map(|error| error.kind());
        assert_eq!(kind(b"Content-Type: x\r\n\r\n{}"), Some(ErrorKind::InvalidData));
        assert_eq!(kind(b"Content-Length: -1\r\n\r\n"), Some(ErrorKind::InvalidData));
        assert_eq!(kind(b"Content-Length: 999999999999\r\n\r\n"), Some(ErrorKind::InvalidData));
        assert_eq!(kind(b"Content-Length: 5"), Some(ErrorKind::InvalidData));
        assert_eq!(kind(b"Content-Length: 5\r\n\r\n{}"), Some(ErrorKind::UnexpectedEof));
        assert_eq!(kind(&[b'a'; 9000]), Some(ErrorKind::InvalidData));
    }

    /// What a page in a browser can send to a port has a length, too, and is refused by its first line.
    #[test]
    fn requests_of_browsers_are_no_messages() {
        for first in ["POST / HTTP/1.1", "POST /a:b HTTP/1.1"] {
            let bytes = format!("{first}\r\nHost: localhost:4711\r\nContent-Length: 2\r\n\r\n{{}}");
            let error = read(&mut bytes.as_bytes()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidData, "{first}");
        }
    }

    #[test]
    fn header_names_are_read_in_any_case_and_order() {
        let mut stream = &b"content-type: x\r\nCONTENT-LENGTH:2\n\n[]rest"[..];
        assert_eq!(read(&mut stream).unwrap(), Some(b"[]".to_vec()));
        assert_eq!(stream, b"rest");
    }

    #[test]
    fn lengths_are_counted_in_bytes() {
        let mut out = Vec::new();
        write(&mut out, &json!("é")).unwrap();
        assert_eq!(out, "Content-Length: 4\r\n\r\n\"é\"".as_bytes());
    }
}

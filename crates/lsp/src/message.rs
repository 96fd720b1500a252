//! Messages on a stream: a header with the length, then JSON (LSP 3.17, "Base Protocol").

use serde_json::{Value as Json, json};
use std::io::{BufRead, Error, ErrorKind, Read, Write};

/// The longest message in bytes: a text of 64 MiB, written with escapes, and more.
pub const MAX_BYTES: u64 = 256 << 20;
/// The longest line of a header in bytes.
const MAX_HEADER: u64 = 4096;

/// The codes of error replies, as JSON-RPC and LSP number them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorCode {
    /// The bytes are not JSON.
    Parse = -32700,
    /// The JSON is not a message.
    InvalidRequest = -32600,
    /// There is no such method.
    MethodNotFound = -32601,
    /// The parameters are not those of the method.
    InvalidParams = -32602,
    /// Nothing is answered before `initialize`.
    NotInitialized = -32002,
    /// What was asked for cannot be done; the message says why.
    RequestFailed = -32803,
}

/// Why a request has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// Which kind of failure.
    pub code: ErrorCode,
    /// What is wrong.
    pub message: String,
}

impl Failed {
    /// A failure.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Failed {
        Failed { code, message: message.into() }
    }
}

/// Reads the bytes of the next message; none at the end of the stream.
///
/// ```
/// use gpuzoo_lsp::message::read;
/// let mut stream = &b"Content-Length: 2\r\n\r\n{}"[..];
/// assert_eq!(read(&mut stream).unwrap(), Some(b"{}".to_vec()));
/// assert_eq!(read(&mut stream).unwrap(), None);
/// ```
///
/// # Errors
/// The stream's, and `InvalidData` for a header without a usable length: what follows cannot be told apart.
pub fn read(input: &mut impl BufRead) -> Result<Option<Vec<u8>>, Error> {
    let mut length = None;
    for count in 0.. {
        let mut line = Vec::new();
        input.by_ref().take(MAX_HEADER).read_until(b'\n', &mut line)?;
        if line.is_empty() && count == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        if !line.ends_with('\n') {
            return Err(Error::new(ErrorKind::InvalidData, "a header is cut off, or too long"));
        }
        match line.trim_end().split_once(':') {
            None if line.trim_end().is_empty() => break,
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse::<u64>().ok();
            }
            _ => {}
        }
    }
    let length = length.filter(|length| *length <= MAX_BYTES);
    let length =
        length.ok_or_else(|| Error::new(ErrorKind::InvalidData, "a header has no usable Content-Length"))?;
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

/// The reply to a request.
pub fn reply(id: &Json, result: Result<Json, Failed>) -> Json {
    match result {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(Failed { code, message }) => {
            let error = json!({ "code": code as i32, "message": message });
            json!({ "jsonrpc": "2.0", "id": id, "error": error })
        }
    }
}

/// What is said without being asked.
pub fn notification(method: &str, params: Json) -> Json {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

#[cfg(test)]
mod tests {
    use super::*;

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

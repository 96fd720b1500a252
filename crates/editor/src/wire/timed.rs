//! Streams of the network, whose other end may stop in the middle of a message.

#![allow(
    clippy::disallowed_types,
    reason = "the stream is the caller's, who has opened it; here it has time limits"
)]

use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Result, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Input that is told where messages begin and end.
pub trait Input: BufRead {
    /// A message has begun.
    fn begin(&mut self);
    /// A message was read to its end: the next one may take any time.
    fn end(&mut self);
}

/// Input without a limit of time.
pub struct Untimed<R>(pub R);

impl<R: Read> Read for Untimed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.0.read(buffer)
    }
}

impl<R: BufRead> BufRead for Untimed<R> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        self.0.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.0.consume(amount);
    }
}

impl<R: BufRead> Input for Untimed<R> {
    fn begin(&mut self) {}

    fn end(&mut self) {}
}

/// A connection on which the first message has to come, and each message has to be read or written as a whole, within a limit of time.
/// Between messages there is none: an editor may wait for its user.
pub struct Timed<S> {
    stream: S,
    limit: Duration,
    deadline: Option<Instant>,
}

impl Timed<TcpStream> {
    /// Reads from a connection that has just been made.
    pub fn reader(stream: TcpStream, limit: Duration) -> BufReader<Timed<TcpStream>> {
        BufReader::new(Timed { stream, limit, deadline: Some(Instant::now() + limit) })
    }
}

impl<'s> Timed<&'s TcpStream> {
    /// Writes to a connection; a message ends where it is flushed.
    pub fn writer(stream: &'s TcpStream, limit: Duration) -> Timed<&'s TcpStream> {
        Timed { stream, limit, deadline: None }
    }
}

impl<S> Timed<S> {
    fn begin(&mut self) {
        self.deadline = self.deadline.or_else(|| Some(Instant::now() + self.limit));
    }

    /// The time that is left; none without a limit.
    fn left(&self) -> Result<Option<Duration>> {
        let Some(deadline) = self.deadline else { return Ok(None) };
        match deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
            Some(left) => Ok(Some(left)),
            None => Err(self.late()),
        }
    }

    fn late(&self) -> Error {
        let seconds = self.limit.as_secs_f32();
        Error::new(ErrorKind::TimedOut, format!("a message did not come, or go, within {seconds} seconds"))
    }

    /// The error of a stream, by what it means here.
    fn meant(&self, error: Error) -> Error {
        match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => self.late(),
            _ => error,
        }
    }
}

impl Read for Timed<TcpStream> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        self.stream.read(buffer).map_err(|error| self.meant(error))
    }
}

impl Input for BufReader<Timed<TcpStream>> {
    fn begin(&mut self) {
        self.get_mut().begin();
    }

    fn end(&mut self) {
        self.get_mut().deadline = None;
    }
}

impl Write for Timed<&TcpStream> {
    fn write(&mut self, buffer: &[u8]) -> Result<usize> {
        self.begin();
        self.stream.set_write_timeout(self.left()?)?;
        self.stream.write(buffer).map_err(|error| self.meant(error))
    }

    fn flush(&mut self) -> Result<()> {
        self.deadline = None;
        self.stream.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Serve, serve_timed};
    use serde_json::{Value as Json, json};
    use std::net::TcpListener;

    /// Answers each message with itself.
    struct Echo;

    impl Serve for Echo {
        fn handle(&mut self, message: std::result::Result<Json, String>) -> Vec<Json> {
            vec![json!(message)]
        }

        fn idle(&mut self) -> (Vec<Json>, bool) {
            (Vec::new(), false)
        }

        fn ended(&self) -> bool {
            false
        }
    }

    const LIMIT: Duration = Duration::from_millis(200);

    /// Serves one client; how it ended.
    fn served(client: impl FnOnce(TcpStream) + Send + 'static) -> Result<()> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let client = std::thread::spawn(move || client(TcpStream::connect(address).unwrap()));
        let (stream, _) = listener.accept().unwrap();
        let input = Timed::reader(stream.try_clone().unwrap(), LIMIT);
        let done = serve_timed(&mut Echo, input, Timed::writer(&stream, LIMIT));
        let _ = stream.shutdown(std::net::Shutdown::Both);
        client.join().unwrap();
        done
    }

    #[test]
    fn a_message_that_never_ends_ends_the_service() {
        for begun in [&b""[..], b"Content-Le", b"Content-Length: 10\r\n\r\n{"] {
            let done = served(|mut stream| {
                stream.write_all(begun).unwrap();
                let _ = stream.read(&mut [0; 16]);
            });
            assert_eq!(done.unwrap_err().kind(), ErrorKind::TimedOut, "{begun:?}");
        }
    }

    /// A byte at a time is not a message in time either.
    #[test]
    fn a_message_that_trickles_ends_the_service() {
        let done = served(|mut stream| {
            for _ in 0..100_000 {
                if stream.write_all(b"a").is_err() {
                    return;
                }
                std::thread::sleep(LIMIT / 20);
            }
        });
        assert_eq!(done.unwrap_err().kind(), ErrorKind::TimedOut);
    }

    /// Between messages there is no limit.
    #[test]
    fn an_editor_may_wait() {
        let done = served(|mut stream| {
            let mut answers = BufReader::new(stream.try_clone().unwrap());
            for _ in 0..2 {
                stream.write_all(b"Content-Length: 2\r\n\r\n{}").unwrap();
                assert!(crate::wire::frame::read(&mut answers).unwrap().is_some());
                std::thread::sleep(LIMIT * 2);
            }
        });
        assert!(done.is_ok(), "{done:?}");
    }
}

//! States as files: what is around the bytes that `Stored` makes, the same for a whole machine and for a VERA alone.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | what it is a state of: `X16STATE` or `VERSTATE` |
//! | 4 | the format's version |
//! | 4 | the sum (CRC-32) of the layout: which fields there are, in which order |
//! | 4 | the sum of the bytes that follow |
//! | | a zlib stream of the bytes |

use crate::Vera;
use crate::rules::{STATE, STATE_VERSION, UNSAVED};
use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;
use gpuzoo_diag::Diagnostic;
use gpuzoo_stored::{Reader, Stored};
use std::io::{Read, Write};

pub use gpuzoo_stored::MAX_STATE;

/// Counted up where the bytes of the same fields mean something else.
const VERSION: u32 = 1;
/// Bytes before the stream.
pub const HEAD: usize = 8 + 3 * size_of::<u32>();

/// V0339: a file that is no state, or a damaged one.
pub fn damaged(message: &str) -> Diagnostic {
    Diagnostic::error(&STATE, message).help("a state is a file of `--save-state`, as it was written")
}

/// V0342: a state that cannot be saved.
pub fn unsaved(message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(&UNSAVED, message)
}

/// What holds what no machine can hold.
pub fn impossible() -> Diagnostic {
    damaged("the state holds what no machine can hold")
}

/// A kind of state.
#[derive(Clone, Copy)]
pub struct Format {
    /// The first bytes of a file.
    pub magic: &'static [u8; 8],
    /// The sum of what its bytes are.
    pub layout: u32,
}

impl Format {
    /// The file of some bytes.
    pub fn packed(self, bytes: &[u8]) -> Result<Vec<u8>, Diagnostic> {
        let mut stream = ZlibEncoder::new(Vec::new(), Compression::fast());
        let stream = stream.write_all(bytes).and_then(|()| stream.finish());
        // Memory takes all that is written to it.
        Ok(self.around(&stream.map_err(|error| unsaved(error.to_string()))?))
    }

    /// The file of a stream.
    pub fn around(self, stream: &[u8]) -> Vec<u8> {
        let numbers = [VERSION, self.layout, crc32fast::hash(stream)].map(u32::to_le_bytes);
        [self.magic, numbers.as_flattened(), stream].concat()
    }

    /// The bytes of a file.
    pub fn unpacked(self, file: &[u8]) -> Result<Vec<u8>, Diagnostic> {
        let mut bytes = Vec::new();
        let read = ZlibDecoder::new(self.stream(file)?).take(MAX_STATE as u64 + 1).read_to_end(&mut bytes);
        match read {
            Ok(0..=MAX_STATE) => Ok(bytes),
            Ok(_) => Err(damaged("the state is larger than one can be")),
            Err(_) => Err(damaged("the state is damaged: it cannot be decompressed")),
        }
    }

    /// The stream of a file.
    fn stream(self, file: &[u8]) -> Result<&[u8], Diagnostic> {
        let head = file
            .split_at_checked(HEAD)
            .and_then(|(head, stream)| Some((head.strip_prefix(self.magic)?, stream)));
        let Some((head, stream)) = head else { return Err(damaged("this is not a machine's state")) };
        let mut head = head.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
        let mut is = |expected: u32| head.next() == Some(expected);
        if !is(VERSION) || !is(self.layout) {
            let problem =
                Diagnostic::error(&STATE_VERSION, "the state was saved by another version of gpuzoo");
            return Err(problem.help("save it again with this one: run the program to the same place"));
        }
        if !is(crc32fast::hash(stream)) {
            return Err(damaged("the state is damaged: its sum is another one"));
        }
        Ok(stream)
    }
}

/// The kind of VERA's states.
fn format() -> Format {
    let mut layout = String::new();
    Vera::layout(&mut layout);
    Format { magic: b"VERSTATE", layout: crc32fast::hash(layout.as_bytes()) }
}

impl Vera {
    /// All that the device holds, as a file from which [`load_state`](Vera::load_state) goes on. Within a program a `Clone` is the
    /// faster way.
    ///
    /// ```
    /// use gpuzoo_vera::Vera;
    /// let mut vera = Vera::default();
    /// vera.expect_state();
    /// vera.write(0x03, 0x2a);
    /// vera.advance_cycles(1000);
    /// let state = vera.save_state()?;
    ///
    /// let mut other = Vera::default();
    /// other.load_state(&state)?;
    /// assert_eq!((other.clock(), other.vram()[0]), (vera.clock(), 0x2a));
    /// # Ok::<(), gpuzoo_diag::Diagnostic>(())
    /// ```
    ///
    /// # Errors
    /// V0342 if not all was drawn since power-on ([`expect_state`](Vera::expect_state)).
    pub fn save_state(&self) -> Result<Vec<u8>, Diagnostic> {
        if !self.is_whole() {
            let problem = unsaved("not all of the picture was drawn, or of the sound made, since power-on");
            return Err(problem.help("call `expect_state` at power-on"));
        }
        let mut bytes = Vec::new();
        self.write(&mut bytes);
        format().packed(&bytes)
    }

    /// Goes on from a state: all becomes that of the state, its deviations included. Who watches and listens goes on.
    ///
    /// # Errors
    /// V0339 for what is no state, V0340 for one of another version. The device is then as it was.
    pub fn load_state(&mut self, file: &[u8]) -> Result<(), Diagnostic> {
        let bytes = format().unpacked(file)?;
        let mut input = Reader::new(&bytes);
        let read = <Vera as Stored>::read(&mut input).filter(|_| input.is_empty());
        let mut vera = read.ok_or_else(impossible)?;
        vera.go_on_for(self);
        *self = vera;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_goes_on_as_it_would_have() {
        let mut vera = Vera::default();
        vera.expect_state();
        vera.listen();
        let run = |vera: &mut Vera, from: u32| {
            for step in from..from + 40_000 {
                let number = step.wrapping_mul(0x9e37_79b9).rotate_left(11);
                // Anything but a reset.
                Vera::write(vera, number as u8, (number >> 8) as u8 & 0x7f);
                vera.advance_cycles(number >> 29);
            }
            vera.take_samples()
        };
        run(&mut vera, 0);
        let state = vera.save_state().unwrap();
        let mut other = Vera::default();
        other.listen();
        other.load_state(&state).unwrap();
        assert!(run(&mut vera, 40_000) == run(&mut other, 40_000));
        assert!(vera == other);
    }

    #[test]
    fn what_is_no_state_leaves_the_device_as_it_was() {
        let mut vera = Vera::default();
        assert_eq!(vera.save_state().unwrap_err().code.id, "V0342");
        vera.expect_state();
        vera.advance_frame();
        let state = vera.save_state().unwrap();
        let before = vera.clone();
        let code = |file: &[u8], vera: &mut Vera| vera.load_state(file).unwrap_err().code.id;
        let mut other = state.clone();
        other[12] ^= 1;
        assert_eq!(code(&other, &mut vera), "V0340");
        for file in [&state[..state.len() - 1], &state[1..], b""] {
            assert_eq!(code(file, &mut vera), "V0339");
        }
        // The right envelope around half of what is needed.
        let half = format().unpacked(&state).unwrap();
        let half = format().packed(&half[..half.len() / 2]).unwrap();
        assert_eq!(code(&half, &mut vera), "V0339");
        assert!(vera == before);
    }
}

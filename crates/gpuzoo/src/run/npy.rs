//! NumPy's file of an array (`.npy`): a header that says what the numbers behind it are.
//!
//! [The format](https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html) has versions 1 to 3, which differ in the
//! length of the header and in its encoding. The header is a Python dictionary of the numbers' type, their order, and the
//! array's shape.

use crate::codes::NPY_HEADER;
use gpuzoo_diag::{Diagnostic, FileId, Span};
use std::ops::Range;

/// What every file begins with.
pub const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// How to get a file that is read, where a header says nothing better.
const SAVE: &str = "`numpy.save(\"v.npy\", array.astype(\"<f4\"))` writes what is read";

/// The bytes from a file's beginning that its header lies in.
pub const MOST: usize = 1 << 16;

/// The header of `rows` of 32-bit numbers, floats or their `bits`: of version 1, with as many bytes for any number of rows.
pub fn header(bits: bool, rows: usize, columns: usize) -> Vec<u8> {
    /// Room for any two numbers, in a multiple of 64 bytes, as the format wants it.
    const LENGTH: usize = 128;
    /// Magic bytes, the version, and the length of what follows.
    const BEFORE: usize = 10;
    let kind = if bits { "<u4" } else { "<f4" };
    let text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    let blanks = LENGTH - BEFORE - 1;
    let length = [(LENGTH - BEFORE) as u8, 0];
    [MAGIC, &[1, 0][..], &length, format!("{text:<blanks$}\n").as_bytes()].concat()
}

/// The type of an array's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `<f4`: 32-bit floats.
    F4,
    /// `<f8`: 64-bit floats, each of which becomes the nearest 32-bit one.
    F8,
    /// `<u4`: the bits of 32-bit floats.
    U4,
}

impl Kind {
    /// All types, by name.
    const ALL: [(&'static str, Kind); 3] = [("<f4", Kind::F4), ("<f8", Kind::F8), ("<u4", Kind::U4)];

    /// Bytes of a number.
    fn bytes(self) -> usize {
        if self == Kind::F8 { 8 } else { 4 }
    }

    /// Numbers in a file as 32-bit ones, lowest byte first.
    pub(super) fn words(self, mut bytes: Vec<u8>) -> Vec<u8> {
        if self == Kind::F8 {
            let count = bytes.len() / 8;
            for number in 0..count {
                if let Some(double) = bytes[8 * number..].first_chunk() {
                    let single = f64::from_le_bytes(*double) as f32;
                    bytes[4 * number..][..4].copy_from_slice(&single.to_le_bytes());
                }
            }
            bytes.truncate(4 * count);
        }
        bytes
    }
}

/// What a header says: an array of one dimension has one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The type of the numbers.
    pub kind: Kind,
    /// The length of the first dimension.
    pub rows: u64,
    /// The length of the second one, at least 1.
    pub columns: u32,
    /// Bytes of the header; the numbers follow it.
    pub length: usize,
}

impl Header {
    /// Bytes of a row in the file.
    pub(super) fn row(&self) -> usize {
        self.columns as usize * self.kind.bytes()
    }

    /// Reads a header in the first bytes of a file, all or at least [`MOST`] of them.
    ///
    /// ```
    /// use gpuzoo::diag::FileId;
    /// use gpuzoo::run::npy::{Header, Kind, header};
    /// let read = Header::read(&header(false, 7, 8), FileId(0)).unwrap();
    /// assert_eq!(read, Header { kind: Kind::F4, rows: 7, columns: 8, length: 128 });
    /// ```
    ///
    /// # Errors
    /// `G0226` where it is not such a header, or one of an array that is not read.
    pub fn read(bytes: &[u8], file: FileId) -> Result<Header, Diagnostic> {
        Header::parse(bytes, file).map_err(|problem| match problem.help.is_empty() {
            true => problem.help(SAVE),
            false => problem,
        })
    }

    fn parse(bytes: &[u8], file: FileId) -> Result<Header, Diagnostic> {
        let problem = |place: Range<usize>, message: &str| {
            let span = Span { file, start: place.start as u32, end: place.end as u32 };
            Diagnostic::error(&NPY_HEADER, message).label(span, "")
        };
        if !bytes.starts_with(MAGIC) {
            return Err(problem(0..0, "a file of an array begins with `\\x93NUMPY`"));
        }
        let (start, length) = match bytes[MAGIC.len()..] {
            [1, _, a, b, ..] => (10, u32::from(u16::from_le_bytes([a, b]))),
            [2 | 3, _, a, b, c, d, ..] => (12, u32::from_le_bytes([a, b, c, d])),
            [0..=3, ..] | [] => return Err(problem(bytes.len()..bytes.len(), "the header is cut off")),
            [version, ..] => {
                let message = format!("version {version} of the format is not known");
                return Err(problem(6..7, &message).help("versions are 1 to 3"));
            }
        };
        let end = start + length as usize;
        let Some(text) = bytes.get(..end) else {
            let problem = problem(MAGIC.len() + 2..start, &format!("the header has {length} bytes"));
            return Err(
                problem.help(format!("the file has fewer, or the header more than {MOST}, which are read"))
            );
        };
        let mut reader = Reader { text, at: start, problem: &problem };
        let (kind, rows, columns) = reader.dictionary()?;
        Ok(Header { kind, rows, columns, length: end })
    }
}

/// Reads the dictionary.
struct Reader<'a, P> {
    text: &'a [u8],
    at: usize,
    problem: P,
}

impl<'a, P: Fn(Range<usize>, &str) -> Diagnostic> Reader<'a, P> {
    fn dictionary(&mut self) -> Result<(Kind, u64, u32), Diagnostic> {
        let (mut kind, mut order, mut shape) = (None, None, None);
        self.expect(b'{')?;
        while !self.found(b'}') {
            let (name, place) = self.string()?;
            self.expect(b':')?;
            let is_first = match name {
                b"descr" => kind.replace(self.kind()?).is_none(),
                b"fortran_order" => order.replace(self.order()?).is_none(),
                b"shape" => shape.replace(self.shape()?).is_none(),
                _ => return Err((self.problem)(place, "keys are `descr`, `fortran_order` and `shape`")),
            };
            if !is_first {
                return Err((self.problem)(place, "this key is there twice"));
            }
            if !self.found(b',') {
                self.expect(b'}')?;
                break;
            }
        }
        let end = self.at;
        if !self.text[end..].trim_ascii().is_empty() {
            return Err((self.problem)(end..self.text.len(), "expected nothing behind the dictionary"));
        }
        let (Some(kind), Some(()), Some((rows, columns))) = (kind, order, shape) else {
            return Err((self.problem)(end..end, "`descr`, `fortran_order` or `shape` is missing"));
        };
        Ok((kind, rows, columns))
    }

    fn kind(&mut self) -> Result<Kind, Diagnostic> {
        let (name, place) = self.string()?;
        let found = Kind::ALL.iter().find(|(known, _)| known.as_bytes() == name);
        found.map(|(_, kind)| *kind).ok_or_else(|| {
            let message = format!("numbers of the type `{}` are not read", name.escape_ascii());
            (self.problem)(place, &message)
                .help("types are `<f4`, `<f8` and, for bits, `<u4`; in NumPy `array.astype(\"<f4\")` gives the first")
        })
    }

    fn order(&mut self) -> Result<(), Diagnostic> {
        let place = self.word(|byte| byte.is_ascii_alphabetic());
        match &self.text[place.clone()] {
            b"False" => Ok(()),
            b"True" => Err((self.problem)(place, "the array lies in Fortran's order, column after column")
                .help("save `numpy.ascontiguousarray(array)`")),
            _ => Err((self.problem)(place, "expected `True` or `False`")),
        }
    }

    fn shape(&mut self) -> Result<(u64, u32), Diagnostic> {
        self.expect(b'(')?;
        let start = self.at;
        let mut lengths = Vec::new();
        while !self.found(b')') {
            lengths.push(self.number()?);
            if !self.found(b',') {
                self.expect(b')')?;
                break;
            }
        }
        let place = start..self.at - 1;
        let (rows, columns) = match lengths[..] {
            [rows] => (rows, 1),
            [rows, columns] => (rows, columns),
            _ => {
                let problem = (self.problem)(place, "the array has not one or two dimensions");
                return Err(problem.help("the first one counts vertices, the second one their components"));
            }
        };
        let columns = u32::try_from(columns).ok().filter(|columns| (1..=MOST_COLUMNS).contains(columns));
        let columns = columns.ok_or_else(|| {
            (self.problem)(place, "the rows have too many columns, or none")
                .help(format!("a vertex has 1 to {MOST_COLUMNS} components"))
        })?;
        Ok((rows, columns))
    }

    fn number(&mut self) -> Result<u64, Diagnostic> {
        let place = self.word(|byte| byte.is_ascii_digit());
        let digits = std::str::from_utf8(&self.text[place.clone()]).unwrap_or_default();
        let number = digits.parse().map_err(|_| (self.problem)(place, "expected a length"));
        // Python 2 wrote `3L`.
        self.at += usize::from(self.text.get(self.at) == Some(&b'L'));
        number
    }

    fn string(&mut self) -> Result<(&'a [u8], Range<usize>), Diagnostic> {
        let text = self.text;
        self.skip();
        let start = self.at + 1;
        let quote = self.text.get(self.at).filter(|byte| matches!(byte, b'\'' | b'"'));
        let length = quote.and_then(|quote| self.text[start..].iter().position(|byte| byte == quote));
        let Some(length) = length else {
            let problem = (self.problem)(self.at..self.at, "expected a word in quotes");
            return Err(problem.help("arrays of several types, of records, are not read"));
        };
        let place = start..start + length;
        self.at = place.end + 1;
        Ok((&text[place.clone()], place))
    }

    /// The place of the next letters of a kind.
    fn word(&mut self, is_letter: impl Fn(&u8) -> bool) -> Range<usize> {
        self.skip();
        let start = self.at;
        self.at += self.text[start..].iter().take_while(|byte| is_letter(byte)).count();
        start..self.at
    }

    fn found(&mut self, mark: u8) -> bool {
        self.skip();
        let found = self.text.get(self.at) == Some(&mark);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, mark: u8) -> Result<(), Diagnostic> {
        if self.found(mark) {
            return Ok(());
        }
        Err((self.problem)(self.at..self.at, &format!("expected `{}`", char::from(mark))))
    }

    fn skip(&mut self) {
        self.at += self.text[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }
}

/// The most columns of an array: far more than any machine has components of inputs.
const MOST_COLUMNS: u32 = 4096;

#[cfg(test)]
mod tests {
    use super::*;

    fn file(version: u8, text: &str) -> Vec<u8> {
        let length = text.len() as u32;
        let length =
            if version == 1 { length.to_le_bytes()[..2].to_vec() } else { length.to_le_bytes().to_vec() };
        [MAGIC, &[version, 0][..], &length, text.as_bytes()].concat()
    }

    #[test]
    fn headers_are_read() {
        // What NumPy writes, and what else is the same dictionary.
        for (version, text, kind, rows, columns) in [
            (
                1,
                "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000, 8), }    \n",
                Kind::F4,
                1_000_000,
                8,
            ),
            (2, "{'descr': '<f8', 'fortran_order': False, 'shape': (5,), }\n", Kind::F8, 5, 1),
            (3, "{\"shape\":(0,3),\"descr\":\"<u4\",\"fortran_order\":False}", Kind::U4, 0, 3),
            (1, " { 'shape' : ( 2L , 4L ) , 'fortran_order':False,'descr':'<f4',}", Kind::F4, 2, 4),
        ] {
            let bytes = file(version, text);
            let expected = Header { kind, rows, columns, length: bytes.len() };
            assert_eq!(Header::read(&[&bytes[..], &[1, 2]].concat(), FileId(0)), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_written_is_read() {
        for rows in [0, 1, usize::MAX] {
            let bytes = header(true, rows, 61);
            assert_eq!(bytes.len() % 64, 0);
            let read = Header::read(&bytes, FileId(0)).unwrap();
            assert_eq!((read.kind, read.rows, read.columns, read.length), (Kind::U4, rows as u64, 61, 128));
        }
    }

    #[test]
    fn malformed_headers_are_shown_where_they_stand() {
        let good = file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4), }");
        for length in 0..good.len() {
            assert_eq!(Header::read(&good[..length], FileId(0)).unwrap_err().code.id, "G0226", "{length}");
        }
        for (text, at) in [
            ("", 0),
            ("[]", 0),
            ("{}", 2),
            ("{'descr': '<f4', 'shape': (1,)}", 31),
            ("{'descr': '>f4', 'fortran_order': False, 'shape': (1,)}", 11),
            ("{'descr': '<f2', 'fortran_order': False, 'shape': (1,)}", 11),
            ("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,)}", 10),
            ("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2)}", 34),
            ("{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 2)}", 34),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': ()}", 51),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 3)}", 51),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 0)}", 51),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 4097)}", 51),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", 51),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (18446744073709551616,)}", 51),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (1 2)}", 53),
            ("{'descr': '<f4', 'descr': '<f4'}", 18),
            ("{'order': '<f4'}", 2),
            ("{'descr' '<f4'}", 9),
            ("{'descr': '<f4' 'shape': (1,)}", 16),
            ("{'descr: <f4}", 1),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x", 55),
        ] {
            let problem = Header::read(&file(1, text), FileId(0)).unwrap_err();
            let span = problem.span().unwrap();
            assert_eq!((problem.code.id, span.start), ("G0226", 10 + at), "{text}: {problem:?}");
            assert!(!problem.help.is_empty(), "{text}");
        }
        let version = Header::read(&file(4, ""), FileId(0)).unwrap_err();
        assert_eq!((version.code.id, version.span().unwrap().start), ("G0226", 6));
        let long = Header::read(&file(2, "")[..8], FileId(0)).unwrap_err();
        assert_eq!(long.code.id, "G0226");
        assert!(Header::read(b"\x93NUMPY\x02\0\xff\xff\xff\xff{", FileId(0)).is_err());
        assert_eq!(Header::read(b"v0.x\n1\n", FileId(0)).unwrap_err().help, [SAVE]);
    }

    #[test]
    fn doubles_become_the_nearest_floats() {
        // 1 + 2^-24 lies between 1 and the next float, and the even one is 1.
        let numbers = [0.5, 1.0 + f64::EPSILON * f64::from(1 << 28), 1e300, -0.0_f64];
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let expected = [0.5, 1.0, f32::INFINITY, -0.0].map(f32::to_le_bytes);
        assert_eq!(Kind::F8.words(bytes), expected.as_flattened());
    }
}

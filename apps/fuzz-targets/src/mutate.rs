//! A fuzzer's mutations without its guidance: the same ones every time, for a test.

/// Makes inputs of others.
pub struct Mutator {
    state: u64,
}

/// Bytes that readers compare with.
const BYTES: &[u8] = b"\0\x01\x7f\x80\xff \n\t\r,.;:=+-*/()[]{}<>\"'\\#$%@_09azAZ";

/// The longest input that is made.
const LONGEST: usize = 1 << 13;

impl Mutator {
    /// One of many, by a number.
    pub fn new(seed: u64) -> Mutator {
        Mutator { state: seed ^ 0x9e37_79b9_7f4a_7c15 }
    }

    fn below(&mut self, end: usize) -> usize {
        // xorshift64*
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        let number = (self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as usize;
        number % end.max(1)
    }

    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        let most = if self.below(4) == 0 { length - start } else { (length - start).min(16) };
        start..start + self.below(most + 1)
    }

    /// An input like one of the seeds, of which there is at least one, with a few changes.
    pub fn next(&mut self, seeds: &[Vec<u8>], dictionary: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = seeds[self.below(seeds.len())].clone();
        for _ in 0..1 + self.below(5) {
            self.change(&mut bytes, seeds, dictionary);
        }
        bytes.truncate(LONGEST);
        bytes
    }

    fn change(&mut self, bytes: &mut Vec<u8>, seeds: &[Vec<u8>], dictionary: &[Vec<u8>]) {
        let at = self.below(bytes.len() + 1);
        match self.below(9) {
            0 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
            1 if at < bytes.len() => bytes[at] = BYTES[self.below(BYTES.len())],
            2 => bytes.insert(at, self.below(256) as u8),
            3 => drop(bytes.drain(self.range(bytes.len()))),
            4 => bytes.truncate(at),
            5 => {
                let again = bytes[self.range(bytes.len())].to_vec();
                bytes.splice(at..at, again);
            }
            6 => {
                let other = &seeds[self.below(seeds.len())];
                let piece = &other[self.range(other.len())];
                let old = self.range(bytes.len());
                bytes.splice(old, piece.iter().copied());
            }
            _ if !dictionary.is_empty() => {
                let token = &dictionary[self.below(dictionary.len())];
                let old = at..(at + if self.below(2) == 0 { 0 } else { token.len() }).min(bytes.len());
                bytes.splice(old, token.iter().copied());
            }
            _ => bytes.extend((0..self.below(8)).map(|_| self.below(256) as u8).collect::<Vec<_>>()),
        }
    }
}

/// The tokens of a dictionary in libFuzzer's format: a token in quotes a line, where `\xAB`, `\\` and `\"` are a byte each.
///
/// # Errors
/// The first line that is none, and not a comment.
///
/// ```
/// use gpuzoo_fuzz_targets::dictionary;
/// assert_eq!(dictionary("# two\n\"mov\"\n\"\\x00\\\"\""), Ok(vec![b"mov".to_vec(), b"\0\"".to_vec()]));
/// assert_eq!(dictionary("mov"), Err("mov".to_owned()));
/// ```
pub fn dictionary(text: &str) -> Result<Vec<Vec<u8>>, String> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| token(line).ok_or_else(|| line.to_owned())).collect()
}

fn token(line: &str) -> Option<Vec<u8>> {
    let mut rest = line.strip_prefix('"')?.strip_suffix('"')?.as_bytes();
    let mut bytes = Vec::new();
    while let [first, after @ ..] = rest {
        (rest, _) = match (first, after) {
            (b'\\', [b'x', digits @ ..]) => {
                let (digits, after) = digits.split_at_checked(2)?;
                let byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
                (after, bytes.push(byte))
            }
            (b'\\', [escaped, after @ ..]) => (after, bytes.push(*escaped)),
            (b'\\', []) => return None,
            _ => (after, bytes.push(*first)),
        };
    }
    (!bytes.is_empty()).then_some(bytes)
}

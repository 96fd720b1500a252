//! Bus traces: what was written to the registers, what reads returned, and the video memory and the sound at the end, as text.
//!
//! ```text
//! # a comment
//! W 25 04          write $04 to $9F25
//! R 29 00          a read of $9F29 returned $00
//! P 1F4            500 more CPU cycles pass
//! V 00010 1122     video memory at the end: $11 at $00010, $22 at $00011, zeros elsewhere
//! S 00003 00001FFFFF  sample 3: 1 on the left, -1 on the right; silence in no row
//! ```
//!
//! A trace starts at power-on with video memory of zeros. Accesses are four CPU cycles apart (8 MHz), the closest
//! distance at which every one is exact, and more where there is a pause. Numbers are hexadecimal.

use crate::rules::{NUMBER, REGISTER, ROW, TOO_LONG, UNEXPECTED};
use crate::{VRAM_BYTES, Vera};
use gpuzoo_diag::{Code, Diagnostic, File};
use std::fmt::Write as _;

/// The most operations of a trace.
pub const MAX_OPERATIONS: usize = 8 << 20;
/// The most rows of video memory, and of sound.
pub const MAX_ROWS: usize = 1 << 16;
/// The most CPU cycles of all pauses.
pub const MAX_PAUSE: u32 = 1 << 28;
/// The number of the last sample that a row can say.
const LAST_SAMPLE: u32 = 0xf_ffff;
/// Digits of a sample's side.
const SIDE_DIGITS: usize = 5;
/// CPU cycles from one access to the next.
pub const CYCLES: u32 = 4;
/// Bytes of a row that [`Recorder`] writes.
const ROW_BYTES: usize = 32;
/// The register byte of the first register.
const FIRST: u8 = 0x20;

/// An access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// True for a write.
    pub is_write: bool,
    /// 0 to 31.
    pub register: u8,
    /// What was written, or what the read returned.
    pub value: u8,
    /// CPU cycles until the next one, at least [`CYCLES`].
    pub cycles: u32,
    /// The line of the text, from 1.
    pub line: u32,
}

/// Video memory at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The first byte's address.
    pub address: u32,
    /// The bytes; the row ends within the memory.
    pub bytes: Vec<u8>,
    /// The line of the text, from 1.
    pub line: u32,
}

/// Sound from power-on on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sound {
    /// The first sample's number.
    pub first: u32,
    /// The samples, left and right.
    pub samples: Vec<[i32; 2]>,
    /// The line of the text, from 1.
    pub line: u32,
}

/// A trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// CPU cycles before the first access.
    pub start: u32,
    /// The accesses, in order.
    pub operations: Vec<Operation>,
    /// Video memory at the end. Without any row, the trace says nothing of it; with one, what is in no row is zero.
    pub rows: Vec<Row>,
    /// What is heard. Without any row, the trace says nothing of it; with one, what is in no row is silence.
    pub sound: Vec<Sound>,
}

/// True if a text is a bus trace: its first line that is not a comment is an access or a row.
pub fn known(text: &str) -> bool {
    let mut lines = text.lines().map(|line| line.split('#').next().unwrap_or("").trim());
    let first = lines.find(|line| !line.is_empty()).unwrap_or("");
    let mut words = first.split_whitespace();
    match words.next().map(str::to_ascii_uppercase).as_deref() {
        Some("W" | "R" | "V" | "S") => words.count() == 2,
        Some("P") => words.count() == 1,
        _ => false,
    }
}

impl Trace {
    /// Reads the text form. Lines that are wrong are left out and reported.
    ///
    /// ```
    /// use gpuzoo_diag::File;
    /// use gpuzoo_vera::trace::Trace;
    /// let (trace, problems) = Trace::parse(&File::new("t", "W 23 05\nR 2O 00\n"));
    /// assert_eq!((trace.operations.len(), problems[0].code.id), (1, "V0102"));
    /// ```
    pub fn parse(file: &File) -> (Trace, Vec<Diagnostic>) {
        let mut trace = Trace::default();
        let mut problems = Vec::new();
        let (mut start, mut paused) = (0, 0);
        for (index, line) in file.text().split('\n').enumerate() {
            let code = line.split('#').next().unwrap_or(line);
            let parser = Parser { file, line: index as u32 + 1, words: words(code, start) };
            start += line.len() + 1;
            match parser.read(&mut trace, &mut paused) {
                Ok(()) => {}
                Err(problem) => {
                    let is_last = problem.code == &TOO_LONG;
                    problems.push(*problem);
                    if is_last {
                        break;
                    }
                }
            }
        }
        (trace, problems)
    }

    /// What the rows say of the whole memory, if there are any. Later rows win.
    pub fn vram(&self) -> Option<Box<[u8; VRAM_BYTES]>> {
        if self.rows.is_empty() {
            return None;
        }
        let mut vram = Box::new([0; VRAM_BYTES]);
        for row in &self.rows {
            let at = row.address as usize;
            if let Some(place) = vram.get_mut(at..at + row.bytes.len()) {
                place.copy_from_slice(&row.bytes);
            }
        }
        Some(vram)
    }

    /// What the rows say of the sound, if there are any: so many samples. Later rows win.
    pub fn samples(&self, count: usize) -> Option<Vec<[i32; 2]>> {
        if self.sound.is_empty() {
            return None;
        }
        let last = self.sound.iter().map(|sound| sound.first as usize + sound.samples.len()).max();
        let mut samples = vec![[0; 2]; last.unwrap_or(0).max(count)];
        for Sound { first, samples: own, .. } in &self.sound {
            let at = *first as usize;
            samples[at..at + own.len()].copy_from_slice(own);
        }
        Some(samples)
    }

    /// Runs the accesses; `returned` gets each read and what it returned here.
    pub fn replay(&self, vera: &mut Vera, mut returned: impl FnMut(&Operation, u8)) {
        vera.advance_cycles(self.start);
        for operation in &self.operations {
            if operation.is_write {
                vera.write(operation.register, operation.value);
            } else {
                returned(operation, vera.read(operation.register));
            }
            vera.advance_cycles(operation.cycles);
        }
    }
}

/// Words with their byte offsets.
fn words(line: &str, start: usize) -> Vec<(usize, &str)> {
    let mut words = Vec::new();
    let mut rest = line;
    let mut at = start;
    while let Some(skip) = rest.find(|letter: char| !letter.is_whitespace()) {
        let word = rest[skip..].split(char::is_whitespace).next().unwrap_or("");
        words.push((at + skip, word));
        at += skip + word.len();
        rest = &rest[skip + word.len()..];
    }
    words
}

struct Parser<'a> {
    file: &'a File,
    line: u32,
    words: Vec<(usize, &'a str)>,
}

type Outcome<T> = Result<T, Box<Diagnostic>>;

impl<'a> Parser<'a> {
    fn read(&self, trace: &mut Trace, paused: &mut u32) -> Outcome<()> {
        match *self.words.as_slice() {
            [] => Ok(()),
            [(_, "W" | "w"), register, value] => self.operation(true, register, value, trace),
            [(_, "R" | "r"), register, value] => self.operation(false, register, value, trace),
            [(_, "P" | "p"), cycles] => self.pause(cycles, trace, paused),
            [(_, "V" | "v"), address, bytes] => self.row(address, bytes, trace),
            [(_, "S" | "s"), first, samples] => self.sound(first, samples, trace),
            [first, ..] => {
                let message = "a line is `W rr vv`, `R rr vv`, `P cycles`, `V aaaaa hex` or `S nnnnn hex`";
                Err(self.problem(&UNEXPECTED, first, message))
            }
        }
    }

    fn problem(&self, code: &'static Code, (at, word): (usize, &str), message: &str) -> Box<Diagnostic> {
        let span = self.file.span(at..at + word.len());
        Box::new(Diagnostic::error(code, message).label(span, ""))
    }

    fn byte(&self, word: (usize, &str)) -> Outcome<u8> {
        let digits = word.1.as_bytes();
        match digits {
            [high, low] => match (nibble(*high), nibble(*low)) {
                (Some(high), Some(low)) => Ok(high << 4 | low),
                _ => Err(self.problem(&NUMBER, word, "two hexadecimal digits are needed")),
            },
            _ => Err(self.problem(&NUMBER, word, "two hexadecimal digits are needed")),
        }
    }

    fn operation(
        &self,
        is_write: bool,
        at: (usize, &str),
        value: (usize, &str),
        trace: &mut Trace,
    ) -> Outcome<()> {
        let register = self.byte(at)?;
        if !(FIRST..FIRST + 0x20).contains(&register) {
            return Err(self.problem(&REGISTER, at, "registers are 20 to 3F"));
        }
        let value = self.byte(value)?;
        if trace.operations.len() == MAX_OPERATIONS {
            return Err(self.problem(&TOO_LONG, at, "the trace has more operations than are accepted"));
        }
        let register = register - FIRST;
        trace.operations.push(Operation { is_write, register, value, cycles: CYCLES, line: self.line });
        Ok(())
    }

    fn pause(&self, word: (usize, &str), trace: &mut Trace, paused: &mut u32) -> Outcome<()> {
        let Some(cycles) = number(word.1) else {
            return Err(self.problem(&NUMBER, word, "CPU cycles are a hexadecimal number"));
        };
        *paused = paused.saturating_add(cycles);
        if *paused > MAX_PAUSE {
            return Err(self.problem(&TOO_LONG, word, "the trace pauses longer than is accepted"));
        }
        match trace.operations.last_mut() {
            Some(operation) => operation.cycles += cycles,
            None => trace.start += cycles,
        }
        Ok(())
    }

    fn row(&self, at: (usize, &str), hex: (usize, &str), trace: &mut Trace) -> Outcome<()> {
        let Some(address) = number(at.1).filter(|address| (*address as usize) < VRAM_BYTES) else {
            return Err(self.problem(&ROW, at, "an address is hexadecimal and below 20000"));
        };
        let (pairs, odd) = hex.1.as_bytes().as_chunks::<2>();
        let bytes: Option<Vec<u8>> =
            pairs.iter().map(|[high, low]| Some(nibble(*high)? << 4 | nibble(*low)?)).collect();
        let Some(bytes) = bytes.filter(|_| odd.is_empty()) else {
            return Err(self.problem(&ROW, hex, "bytes are two hexadecimal digits each"));
        };
        if address as usize + bytes.len() > VRAM_BYTES {
            return Err(self.problem(&ROW, hex, "the row runs past the end of video memory"));
        }
        if trace.rows.len() == MAX_ROWS {
            return Err(self.problem(&TOO_LONG, at, "the trace has more rows than are accepted"));
        }
        trace.rows.push(Row { address, bytes, line: self.line });
        Ok(())
    }

    fn sound(&self, at: (usize, &str), hex: (usize, &str), trace: &mut Trace) -> Outcome<()> {
        let Some(first) = number(at.1).filter(|first| *first <= LAST_SAMPLE) else {
            return Err(self.problem(&ROW, at, "a sample's number is hexadecimal and below 100000"));
        };
        let (pairs, odd) = hex.1.as_bytes().as_chunks::<{ 2 * SIDE_DIGITS }>();
        let side = |digits: &[u8]| {
            let value =
                digits.iter().try_fold(0, |value, digit| Some(value << 4 | i32::from(nibble(*digit)?)))?;
            // Twenty bits with a sign.
            Some(value << 12 >> 12)
        };
        let sample = |pair: &[u8; 2 * SIDE_DIGITS]| {
            let (left, right) = pair.split_at(SIDE_DIGITS);
            Some([side(left)?, side(right)?])
        };
        let samples: Option<Vec<[i32; 2]>> = pairs.iter().map(sample).collect();
        let Some(samples) = samples.filter(|_| odd.is_empty()) else {
            return Err(self.problem(&ROW, hex, "a sample is ten hexadecimal digits, five for each side"));
        };
        if trace.sound.len() == MAX_ROWS {
            return Err(self.problem(&TOO_LONG, at, "the trace has more rows than are accepted"));
        }
        trace.sound.push(Sound { first, samples, line: self.line });
        Ok(())
    }
}

/// A hexadecimal number.
fn number(word: &str) -> Option<u32> {
    let is_hex = word.bytes().all(|digit| nibble(digit).is_some());
    u32::from_str_radix(word, 16).ok().filter(|_| is_hex)
}

fn nibble(digit: u8) -> Option<u8> {
    (digit as char).to_digit(16).map(|value| value as u8)
}

/// A trace that is being written.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    text: String,
    operations: usize,
}

impl Default for Recording {
    fn default() -> Recording {
        let text = "# VERA bus trace. When each access came is not in it: a replay makes one every four CPU cycles.\n";
        Recording { text: text.to_owned(), operations: 0 }
    }
}

impl Recording {
    /// Writes an access down. What exceeds [`MAX_OPERATIONS`] is left out.
    pub fn note(&mut self, is_write: bool, register: u8, value: u8) {
        if self.operations < MAX_OPERATIONS {
            self.operations += 1;
            let kind = if is_write { 'W' } else { 'R' };
            // Writing to a `String` does not fail.
            let _ = writeln!(self.text, "{kind} {:02X} {value:02X}", FIRST + (register & 0x1f));
        }
    }

    /// Says in a comment that the program starts here, once for each place.
    pub fn mark_start(&mut self) {
        const START: &str = "# The program starts here; what comes before has set up the machine.\n";
        if !self.text.ends_with(START) {
            self.text.push_str(START);
        }
    }

    /// A warning if it is full: what came after is not in it.
    pub fn remark(&self) -> Option<Diagnostic> {
        (self.operations == MAX_OPERATIONS).then(|| {
            Diagnostic::warning(&TOO_LONG, "the recording is full, and ends before the program")
                .help("record fewer frames or cycles: `--frames N`, `--cycles N`")
        })
    }

    /// The trace, with the rows of video memory that are not zero. A trace that is full says nothing of the memory: it
    /// is not the one that its accesses leave.
    pub fn finish(mut self, vera: &Vera) -> String {
        if self.operations == MAX_OPERATIONS {
            return self.text;
        }
        for (index, row) in vera.vram().chunks_exact(ROW_BYTES).enumerate() {
            if row.iter().any(|byte| *byte != 0) {
                let _ = write!(self.text, "V {:05X} ", index * ROW_BYTES);
                row.iter().for_each(|byte| {
                    let _ = write!(self.text, "{byte:02X}");
                });
                self.text.push('\n');
            }
        }
        self.text
    }
}

/// A device that writes down what is done with it.
///
/// ```
/// use gpuzoo_vera::{Vera, trace::Recorder};
/// let mut recorder = Recorder::new(Vera::default());
/// recorder.write(0x03, 0x2a);
/// recorder.read(0x05);
/// assert!(recorder.finish().contains("W 23 2A\nR 25 00\nV 00000 2A00"));
/// ```
pub struct Recorder {
    vera: Vera,
    recording: Recording,
}

impl Recorder {
    /// Records from now on. For a trace that others can replay, the device must be fresh.
    pub fn new(vera: Vera) -> Recorder {
        Recorder { vera, recording: Recording::default() }
    }

    /// The device, for reads that are not to be recorded.
    pub fn vera(&self) -> &Vera {
        &self.vera
    }

    /// Reads a register.
    pub fn read(&mut self, register: u8) -> u8 {
        let value = self.vera.read(register);
        self.recording.note(false, register, value);
        value
    }

    /// Writes a register.
    pub fn write(&mut self, register: u8, value: u8) {
        self.vera.write(register, value);
        self.recording.note(true, register, value);
    }

    /// Lets CPU cycles pass; a trace does not hold them.
    pub fn advance_cycles(&mut self, cycles: u32) {
        self.vera.advance_cycles(cycles);
    }

    /// The trace, with the rows of video memory that are not zero.
    pub fn finish(self) -> String {
        self.recording.finish(&self.vera)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_are_told_from_other_texts() {
        assert!(known("# a comment\n\nW 25 04 # write\n"));
        assert!(!known("# frame   ISR\nf00_text16  0B\n") && !known("") && !known("W 25"));
    }

    fn parse(text: &str) -> (Trace, Vec<(&'static str, String)>) {
        let file = File::new("t.trace", text);
        let (trace, problems) = Trace::parse(&file);
        let problems = problems
            .iter()
            .map(|problem| (problem.code.id, problem.span().map_or("", |span| file.slice(span)).to_owned()))
            .collect();
        (trace, problems)
    }

    #[test]
    fn problems_have_codes_and_places() {
        let (trace, problems) = parse(
            "W 20 00 # fine\r\n\nX\nW 40 00\nW 20 0\nR 2z 00\nV 20000 00\nV 1FFFF 0000\nV 0 0\nw 2f ff",
        );
        let expected = [
            ("V0101", "X"),
            ("V0103", "40"),
            ("V0102", "0"),
            ("V0102", "2z"),
            ("V0104", "20000"),
            ("V0104", "0000"),
            ("V0104", "0"),
        ];
        assert_eq!(problems, expected.map(|(code, text)| (code, text.to_owned())));
        assert_eq!(trace.operations.iter().map(|operation| operation.line).collect::<Vec<_>>(), [1, 10]);
    }

    #[test]
    fn too_many_rows_are_left_out() {
        let text = "V 0 00\n".repeat(MAX_ROWS + 2);
        let (trace, problems) = parse(&text);
        assert_eq!((trace.rows.len(), problems.len(), problems[0].0), (MAX_ROWS, 1, "V0105"));
    }

    #[test]
    fn a_full_recording_says_so() {
        let mut recording = Recording::default();
        (1..MAX_OPERATIONS).for_each(|_| recording.note(true, 0x25, 0));
        assert_eq!(recording.remark(), None);
        (0..2).for_each(|_| recording.note(true, 0x25, 0));
        assert_eq!(recording.remark().map(|problem| problem.code.id), Some("V0105"));
        assert_eq!(recording.finish(&Vera::default()).lines().count(), MAX_OPERATIONS + 1);
    }

    #[test]
    fn memory_is_zero_outside_of_rows() {
        let (trace, _) = parse("V 00010 1122");
        let vram = trace.vram().expect("there is a row");
        assert_eq!((vram[0x0f], vram[0x10], vram[0x11], vram[0x12]), (0, 0x11, 0x22, 0));
        assert_eq!(parse("W 23 01").0.vram(), None);
    }
}

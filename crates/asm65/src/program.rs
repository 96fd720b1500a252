//! What assembling makes: bytes with addresses, and where each came from.

use crate::basic::{BASIC, sys_address};
use crate::rules::EMPTY;
use gpuzoo_diag::{Diagnostic, Sources, Span, counted};
use std::collections::HashMap;
use std::fmt::Write as _;

/// Bytes without a gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Of the first byte.
    pub address: u16,
    /// The bytes; the last one lies at $FFFF or below.
    pub bytes: Vec<u8>,
}

/// The bytes of one statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Where the first byte is when the program runs.
    pub address: u16,
    /// How many bytes.
    pub length: u16,
    /// The statement; in a macro, the macro's own text.
    pub span: Span,
    /// The outermost use, if the statement is in a macro.
    pub call: Option<Span>,
}

/// A name of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// With its scopes: `draw::loop`; a cheap local follows its label: `draw@loop`.
    pub name: String,
    /// An address, or a number.
    pub value: i64,
    /// True for a place (`name:`, `.proc`, `:=`).
    pub is_label: bool,
    /// Where it is defined.
    pub span: Span,
}

/// A file that a linker configuration asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputFile {
    /// The name as the configuration has it.
    pub name: String,
    /// The place of the name; of an area without a name, the area.
    pub span: Span,
    /// The bytes of its areas.
    pub bytes: Vec<u8>,
}

impl OutputFile {
    /// The name as ld65 reads it: the texts between which the name of the program's own file, `%O`, stands. `%%` is a
    /// percent sign.
    ///
    /// ```
    /// use gpuzoo_asm65::OutputFile;
    /// let parts = |name: &str| OutputFile { name: name.to_owned(), ..OutputFile::default() }.name_parts();
    /// assert_eq!(parts("%O"), ["", ""]);
    /// assert_eq!(parts("%O.B01"), ["", ".B01"]);
    /// assert_eq!(parts("a%%O"), ["a%O"]);
    /// ```
    pub fn name_parts(&self) -> Vec<String> {
        let mut parts = vec![String::new()];
        let mut rest = self.name.as_str();
        while let Some(at) = rest.find('%') {
            let (before, after) = rest.split_at(at);
            let last = parts.len() - 1;
            parts[last] += before;
            rest = match after.as_bytes().get(1) {
                Some(b'O') => {
                    parts.push(String::new());
                    &after[2..]
                }
                Some(b'%') => {
                    parts[last].push('%');
                    &after[2..]
                }
                _ => {
                    parts[last].push('%');
                    &after[1..]
                }
            };
        }
        let last = parts.len() - 1;
        parts[last] += rest;
        parts
    }
}

/// An assembled program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The bytes, by address.
    pub chunks: Vec<Chunk>,
    /// The statements that made them, by address.
    pub lines: Vec<Line>,
    /// The names, in the order in which they were first met.
    pub symbols: Vec<Symbol>,
    /// Where a run begins: what the BASIC line's SYS says, or else the first byte.
    pub start: u16,
    /// The files that a linker configuration makes, as ld65 writes them; none without one. The first is the program's
    /// own, `%O`, if there is
    /// such a file. What is run is the first one.
    pub files: Vec<OutputFile>,
    /// The first of these begins with a load address.
    pub(crate) has_address: bool,
}

impl Program {
    /// A PRG file: the load address, low byte first, and the bytes from there, with zeros in the gaps. With a linker configuration the bytes
    /// are those of its file, and so is the address if it has one.
    ///
    /// # Errors
    /// V0228 if there are no bytes.
    pub fn prg(&self) -> Result<Vec<u8>, Diagnostic> {
        let Some(first) = self.chunks.first() else {
            let problem = Diagnostic::error(&EMPTY, "the program has no bytes");
            return Err(match self.files.first() {
                Some(file) => problem.label(file.span, "no segment puts bytes into this file"),
                None => problem.help("write instructions or data into the segment CODE"),
            });
        };
        let mut prg = first.address.to_le_bytes().to_vec();
        prg.extend(self.binary());
        Ok(prg)
    }

    /// The bytes from the first to the last, with zeros in the gaps; with a linker configuration those of its file.
    pub fn binary(&self) -> Vec<u8> {
        if let Some(file) = self.files.first() {
            return file.bytes.get(if self.has_address { 2 } else { 0 }..).unwrap_or(&[]).to_vec();
        }
        let mut bytes = Vec::new();
        let first = self.chunks.first().map_or(0, |chunk| usize::from(chunk.address));
        for chunk in &self.chunks {
            bytes.resize(usize::from(chunk.address).saturating_sub(first).max(bytes.len()), 0);
            bytes.extend_from_slice(&chunk.bytes);
        }
        bytes
    }

    /// The byte at an address, if the program has one there.
    pub fn byte(&self, address: u16) -> Option<u8> {
        let after = self.chunks.partition_point(|chunk| chunk.address <= address);
        let chunk = self.chunks.get(after.checked_sub(1)?)?;
        chunk.bytes.get(usize::from(address - chunk.address)).copied()
    }

    /// The statement whose bytes hold an address.
    pub fn line_at(&self, address: u16) -> Option<&Line> {
        let end = self.lines.partition_point(|line| line.address <= address);
        let line = self.lines.get(end.checked_sub(1)?)?;
        (address - line.address < line.length).then_some(line)
    }

    /// The value of a name.
    pub fn symbol(&self, name: &str) -> Option<&Symbol> {
        self.symbols.iter().find(|symbol| symbol.name == name)
    }

    /// The labels as VICE and the Commander X16's emulator read them: `al 000801 .name`, by address.
    pub fn symbol_text(&self) -> String {
        let is_address = |symbol: &&Symbol| symbol.is_label && (0..=0xffff).contains(&symbol.value);
        let mut labels: Vec<&Symbol> = self.symbols.iter().filter(is_address).collect();
        labels.sort_by(|left, right| (left.value, &left.name).cmp(&(right.value, &right.name)));
        let mut text = String::new();
        for label in labels {
            let _ = writeln!(text, "al {:06x} .{}", label.value, label.name);
        }
        text
    }

    /// Address, bytes and source, line by line; the lines of macros follow their use, with a `+`.
    pub fn listing(&self, sources: &Sources) -> String {
        let mut by_place: HashMap<(u32, usize), Vec<&Line>> = HashMap::new();
        let mut files = Vec::new();
        for line in &self.lines {
            let shown = line.call.unwrap_or(line.span);
            let Some(file) = sources.find(shown.file) else { continue };
            by_place.entry((shown.file.0, file.place(shown.start).line)).or_default().push(line);
            if !files.contains(&shown.file) {
                files.push(shown.file);
            }
        }
        files.sort();
        let mut text = String::new();
        for id in files {
            let Some(file) = sources.find(id) else { continue };
            if !text.is_empty() {
                text.push('\n');
            }
            let _ = writeln!(text, "; {}", file.name());
            for (index, source) in file.text().lines().enumerate() {
                let lines = by_place.get(&(id.0, index + 1)).map_or(&[][..], Vec::as_slice);
                let (own, expanded): (Vec<&Line>, Vec<&Line>) =
                    lines.iter().partition(|line| line.call.is_none());
                self.list(&mut text, own.first().copied(), source);
                for line in own.iter().skip(1) {
                    self.list(&mut text, Some(line), "");
                }
                for line in expanded {
                    let body = sources.find(line.span.file).map_or("", |file| file.slice(line.span));
                    self.list(&mut text, Some(line), &format!("+   {}", body.trim()));
                }
            }
        }
        text
    }

    /// A line of the listing, eight bytes in a row.
    fn list(&self, text: &mut String, line: Option<&Line>, source: &str) {
        const ROW: usize = 8;
        let Some(line) = line else {
            let _ = writeln!(text, "{}", format!("{:32}{source}", "").trim_end());
            return;
        };
        let bytes: Vec<String> = (0..line.length)
            .filter_map(|offset| self.byte(line.address.checked_add(offset)?))
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let rows = bytes.len().div_ceil(ROW).max(1);
        for row in 0..rows {
            let address = line.address.wrapping_add((row * ROW) as u16);
            let part = bytes.get(row * ROW..(row * ROW + ROW).min(bytes.len())).unwrap_or(&[]).join(" ");
            let source = if row == 0 { source } else { "" };
            let _ = writeln!(text, "{}", format!("{address:04x}  {part:26}{source}").trim_end());
            if row == 3 && rows > 5 {
                let _ = writeln!(text, "      … {}", counted(bytes.len(), "byte"));
                return;
            }
        }
    }
}

/// The address that a BASIC line `10 SYS 2061` in the first chunk calls, if it begins with one at $0801.
pub(crate) fn basic_start(chunks: &[Chunk]) -> Option<u16> {
    let first = chunks.first().filter(|chunk| chunk.address == BASIC)?;
    sys_address(&first.bytes)
}

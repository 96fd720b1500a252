//! Outputs, written: a table for people, CSV, JSON, numbers as they lie in memory.

use super::{Block, npy};
use crate::paint::{Ink, Paint};
use crate::{threads, value};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::COMPONENTS;
use gpuzoo_machine::unit::layout::to_words;
use std::io::Write;
use std::ops::Range;

/// How outputs are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Columns for people: a line for each output of each vertex.
    Table,
    /// A line for each vertex, a column for each component.
    Csv,
    /// A list of records, a line each. What JSON has no number for is in quotes.
    Json,
    /// For each vertex its components, 32-bit floats, lowest byte first.
    Raw,
    /// The same behind a header that says so: NumPy's file of an array, a row for each vertex.
    Npy,
}

/// The room of a component in a table, enough for nearly all: `-1.1754944e-38`. A few have nine digits.
const WIDTH: usize = 14;

/// Vertices that a thread writes at a time: enough that a file takes their text well.
const TOGETHER: usize = 512;

/// Writes outputs piece by piece, so that millions of vertices need no more memory than some thousand.
///
/// ```
/// use gpuzoo::paint::Paint;
/// use gpuzoo::run::Block;
/// use gpuzoo::run::output::{Format, Printer};
/// let printer = Printer { format: Format::Csv, bits: false, kills: false, names: &["pos".to_owned()], paint: Paint::PLAIN };
/// let mut text = Vec::new();
/// printer.begin(&mut text);
/// printer.block(&Block::new(0, 1, &[vec![[0x3f800000, 0, 0x7fc00000, 0x3dcccccd]]], &[]), &mut text);
/// printer.end(&mut text);
/// assert_eq!(text, b"vertex,pos.x,pos.y,pos.z,pos.w\n0,1,0,nan,0.1\n");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Printer<'a> {
    /// The form.
    pub format: Format,
    /// Bit patterns in place of numbers.
    pub bits: bool,
    /// True if vertices may be killed, for which there is a column before all others where each vertex is a row.
    pub kills: bool,
    /// The outputs' names.
    pub names: &'a [String],
    /// The colours of a table.
    pub paint: Paint,
}

// Writing to a vector cannot fail.
impl Printer<'_> {
    /// What comes before the first vertex. In NumPy's form that is the number of vertices, which is 0 here: at the end
    /// [`header`](Printer::header) takes its place.
    pub fn begin(&self, out: &mut Vec<u8>) {
        match self.format {
            Format::Table => {
                let head = format!("{:>7}  {:<6}{}", "vertex", "output", letters());
                let _ = writeln!(out, "{}", self.paint.ink(Ink::Head, head));
            }
            Format::Csv => {
                out.extend_from_slice(if self.kills { b"vertex,killed" } else { b"vertex" });
                for name in self.names {
                    for component in COMPONENTS {
                        let _ = write!(out, ",{name}.{component}");
                    }
                }
                out.push(b'\n');
            }
            Format::Json => out.push(b'['),
            Format::Raw => {}
            Format::Npy => out.extend_from_slice(&self.header(0)),
        }
    }

    /// What NumPy's form begins with for so many vertices: as many bytes for any number.
    pub fn header(&self, vertices: usize) -> Vec<u8> {
        let columns = usize::from(self.kills) + self.names.len() * COMPONENTS.len();
        npy::header(self.bits, vertices, columns)
    }

    /// The outputs of a block, in the order of the names.
    pub fn block(&self, block: &Block, out: &mut Vec<u8>) {
        match self.format {
            Format::Table => self.table(block, out),
            Format::Csv => self.csv(block, out),
            Format::Json => self.json(block, out),
            Format::Raw | Format::Npy => self.raw(block, out),
        }
    }

    /// The same in parts, one behind the other, written on all threads of the current pool.
    pub fn parts(&self, block: &Block, parts: &mut Vec<Vec<u8>>) {
        parts.resize_with(block.count().div_ceil(TOGETHER), Vec::new);
        threads::for_each(parts, |number, part| {
            part.clear();
            let first = number * TOGETHER;
            self.block(&block.part(first..first + TOGETHER), part);
        });
    }

    fn table(&self, block: &Block, out: &mut Vec<u8>) {
        for vertex in 0..block.count() {
            let number = block.first() + vertex;
            if block.is_killed(vertex) {
                let _ = writeln!(out, "{number:>7}  {}", self.paint.ink(Ink::Bad, "killed"));
                continue;
            }
            for (index, (name, values)) in self.names.iter().zip(block.outputs()).enumerate() {
                let number = if index == 0 { number.to_string() } else { String::new() };
                let _ = write!(out, "{number:>7}  {name:<6}");
                self.columns(values[vertex], out);
            }
        }
    }

    fn csv(&self, block: &Block, out: &mut Vec<u8>) {
        let outputs: Vec<&[Vec4]> = block.outputs().collect();
        let mut before = Before::new(&outputs);
        let mut number = itoa::Buffer::new();
        for vertex in 0..block.count() {
            out.extend_from_slice(number.format(block.first() + vertex).as_bytes());
            let is_killed = block.is_killed(vertex);
            if self.kills {
                out.extend_from_slice(if is_killed { b",1" } else { b",0" });
            }
            if is_killed {
                out.extend(std::iter::repeat_n(b',', outputs.len() * COMPONENTS.len()));
                before = Before::new(&outputs);
            } else {
                for output in 0..outputs.len() {
                    before.again(output, vertex, out, |value, out| self.cells(value, out));
                }
            }
            out.push(b'\n');
        }
    }

    fn json(&self, block: &Block, out: &mut Vec<u8>) {
        let outputs: Vec<&[Vec4]> = block.outputs().collect();
        let mut before = Before::new(&outputs);
        for vertex in 0..block.count() {
            let number = block.first() + vertex;
            out.extend_from_slice(if number == 0 { b"\n" } else { b",\n" });
            let _ = write!(out, "{{\"vertex\":{number}");
            if block.is_killed(vertex) {
                out.extend_from_slice(b",\"killed\":true}");
                before = Before::new(&outputs);
                continue;
            }
            for (output, name) in self.names.iter().enumerate() {
                before.again(output, vertex, out, |value, out| {
                    let _ = write!(out, ",\"{name}\":");
                    self.list(value, out);
                });
            }
            out.push(b'}');
        }
    }

    fn raw(&self, block: &Block, out: &mut Vec<u8>) {
        const ONE: u32 = 0x3f80_0000;
        let outputs: Vec<&[Vec4]> = block.outputs().collect();
        out.reserve(block.count() * (outputs.len() + 1) * size_of::<Vec4>());
        for vertex in 0..block.count() {
            let is_killed = block.is_killed(vertex);
            if self.kills {
                out.extend_from_slice(&if is_killed { ONE } else { 0 }.to_le_bytes());
            }
            for values in &outputs {
                let value = if is_killed { [gpuzoo_ir::NAN; 4] } else { values[vertex] };
                out.extend_from_slice(&to_words(value));
            }
        }
    }

    /// What comes after the last vertex.
    pub fn end(&self, out: &mut Vec<u8>) {
        if self.format == Format::Json {
            out.extend_from_slice(b"\n]\n");
        }
    }

    /// The constants that a program without outputs leaves, in a form that is read as constants again; as raw
    /// bytes their values alone.
    ///
    /// ```
    /// use gpuzoo::paint::Paint;
    /// use gpuzoo::run::output::{Format, Printer};
    /// let printer = Printer { format: Format::Csv, bits: false, kills: false, names: &[], paint: Paint::PLAIN };
    /// assert_eq!(printer.constants([("c5".to_owned(), [0x3f800000, 0, 0, 0])]), b"name,x,y,z,w\nc5,1,0,0,0\n");
    /// ```
    pub fn constants(&self, constants: impl IntoIterator<Item = (String, Vec4)>) -> Vec<u8> {
        let mut out = Vec::new();
        match self.format {
            Format::Table => {
                let _ = write!(out, "{:<8}", "constant");
                let _ = writeln!(out, "{}", letters());
            }
            Format::Csv => out.extend_from_slice(b"name,x,y,z,w\n"),
            Format::Json => out.push(b'{'),
            Format::Raw | Format::Npy => {}
        }
        for (index, (name, value)) in constants.into_iter().enumerate() {
            match self.format {
                Format::Table => {
                    let _ = write!(out, "{name:<8}");
                    self.columns(value, &mut out);
                }
                Format::Csv => {
                    out.extend_from_slice(name.as_bytes());
                    self.cells(value, &mut out);
                    out.push(b'\n');
                }
                Format::Json => {
                    out.extend_from_slice(if index == 0 { b"\n" } else { b",\n" });
                    let _ = write!(out, "\"{name}\":");
                    self.list(value, &mut out);
                }
                Format::Raw | Format::Npy => out.extend_from_slice(&to_words(value)),
            }
        }
        if self.format == Format::Json {
            out.extend_from_slice(b"\n}\n");
        }
        out
    }

    /// The rest of a table's line.
    fn columns(&self, value: Vec4, out: &mut Vec<u8>) {
        for component in value {
            let start = out.len();
            self.push(component, out);
            let blanks = (WIDTH + 1).saturating_sub(out.len() - start);
            if self.paint.is_colored() && !f32::from_bits(component).is_finite() {
                let odd = self.paint.ink(Ink::Odd, String::from_utf8_lossy(&out[start..]));
                out.splice(start.., odd.into_bytes());
            }
            out.splice(start..start, std::iter::repeat_n(b' ', blanks));
        }
        out.push(b'\n');
    }

    /// Cells of CSV, each with the comma before it.
    fn cells(&self, value: Vec4, out: &mut Vec<u8>) {
        for component in value {
            out.push(b',');
            self.push(component, out);
        }
    }

    /// A list in JSON.
    fn list(&self, value: Vec4, out: &mut Vec<u8>) {
        for (component, before) in value.into_iter().zip(*b"[,,,") {
            out.push(before);
            let is_text = self.bits || !f32::from_bits(component).is_finite();
            let quote: &[u8] = if is_text { b"\"" } else { b"" };
            out.extend_from_slice(quote);
            self.push(component, out);
            out.extend_from_slice(quote);
        }
        out.push(b']');
    }

    fn push(&self, bits: u32, out: &mut Vec<u8>) {
        if self.bits { value::push_pattern(bits, out) } else { value::push(bits, out) }
    }
}

/// The end of a table's first line.
fn letters() -> String {
    COMPONENTS.iter().map(|component| format!(" {component:>WIDTH$}")).collect()
}

/// What the outputs of the vertex before were written as: many stay the same from vertex to vertex, and then the text is
/// copied.
struct Before<'a> {
    outputs: &'a [&'a [Vec4]],
    /// Where the text of each lies; empty where there is none.
    texts: Vec<Range<usize>>,
}

impl<'a> Before<'a> {
    fn new(outputs: &'a [&'a [Vec4]]) -> Before<'a> {
        Before { outputs, texts: vec![0..0; outputs.len()] }
    }

    /// Writes an output of a vertex.
    fn again(&mut self, output: usize, vertex: usize, out: &mut Vec<u8>, write: impl Fn(Vec4, &mut Vec<u8>)) {
        let (values, text) = (self.outputs[output], &mut self.texts[output]);
        let start = out.len();
        if text.start == text.end || values[vertex - 1] != values[vertex] {
            write(values[vertex], out);
        } else {
            out.extend_from_within(text.clone());
        }
        *text = start..out.len();
    }
}

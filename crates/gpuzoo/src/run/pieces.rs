//! Vertices from a file of any length, piece by piece: no more than a piece of it is in memory.

use super::csv::Table;
use super::names::Names;
use super::npy::Header;
use super::registers::file;
use super::{Vertices, raw, records};
use crate::codes::NPY_LENGTH;
use gpuzoo_diag::{Diagnostic, MAX_SOURCE_BYTES, Sources, Span, counted, has_errors};
use gpuzoo_isa::FileKind;
use gpuzoo_machine::limits::budget::Budget;
use gpuzoo_machine::unit::layout::Layout;
use gpuzoo_machine::{ShaderUnit, text};
use memchr::memchr_iter;
use std::io::{self, Read};

/// About so many bytes are a piece.
const PIECE: usize = 1 << 20;

/// Reads vertices piece by piece.
///
/// Tables, JSON records that each begin on a line of their own, raw vertices and arrays come in pieces; a JSON object of
/// columns, and raw vertices that overlap, are one piece.
pub struct Pieces<'a> {
    gpu: &'static dyn ShaderUnit,
    name: String,
    read: Box<dyn Read + 'a>,
    form: Form,
    /// What was read and not handed on yet, and how much of it has no end of a piece.
    kept: Vec<u8>,
    searched: usize,
    ended: bool,
    /// Pieces, lines and bytes that were handed on.
    pieces: usize,
    lines: usize,
    bytes: u64,
}

enum Form {
    Table(Table),
    Records {
        inputs: Option<Vec<u16>>,
        /// They are in brackets, with commas between them.
        list: bool,
        /// Memory for what cannot be read in pieces.
        budget: Budget,
    },
    Raw {
        layout: Layout,
        span: Span,
        /// Of the whole file, where it is known.
        length: Option<u64>,
        /// No vertex reaches into the next one.
        is_cut: bool,
    },
    Array {
        layout: Layout,
        span: Span,
        header: Header,
        /// Rows that were not read yet.
        left: u64,
    },
}

/// Some vertices, and what is wrong with them.
pub type Piece = (Vertices<'static>, Vec<Diagnostic>);

impl<'a> Pieces<'a> {
    fn new(gpu: &'static dyn ShaderUnit, name: &str, read: impl Read + 'a, form: Form) -> Pieces<'a> {
        let (name, read) = (name.to_owned(), Box::new(read));
        let kept = Vec::new();
        Pieces { gpu, name, read, form, kept, searched: 0, ended: false, pieces: 0, lines: 0, bytes: 0 }
    }

    /// A table, as [`csv::vertices`](super::csv::vertices) reads it.
    pub fn csv(gpu: &'static dyn ShaderUnit, name: &str, read: impl Read + 'a) -> Pieces<'a> {
        Pieces::new(gpu, name, read, Form::Table(Table::default()))
    }

    /// With what a table calls inputs.
    pub fn named(mut self, names: &Names) -> Pieces<'a> {
        if let Form::Table(table) = &mut self.form {
            table.names = names.clone();
        }
        self
    }

    /// JSON, as [`json_vertices`](super::json_vertices) reads it. What is not a list of records is read as a whole, on the
    /// budget.
    pub fn json(
        gpu: &'static dyn ShaderUnit,
        name: &str,
        read: impl Read + 'a,
        budget: &Budget,
    ) -> Pieces<'a> {
        Pieces::new(gpu, name, read, Form::Records { inputs: None, list: false, budget: budget.clone() })
    }

    /// Bytes of a layout, which `span` is about; `length` is how many there are, if that is known.
    pub fn raw(
        gpu: &'static dyn ShaderUnit,
        layout: Layout,
        span: Span,
        read: impl Read + 'a,
        length: Option<u64>,
    ) -> Pieces<'a> {
        // What reaches into the next vertex would be cut off at the end of a piece.
        let complete = gpu.complete_layout(layout.clone());
        let within = complete.attributes.iter().all(|attribute| {
            u64::from(attribute.offset) + u64::from(attribute.format.bytes) <= u64::from(complete.stride)
        });
        let is_cut = within && layout.stride > 0;
        Pieces::new(gpu, "", read, Form::Raw { layout, span, length, is_cut })
    }

    /// The rows of an array in NumPy's form, behind its header, which `span` is about; of a layout in the row's numbers as
    /// 32-bit ones, or else four columns for each input.
    ///
    /// # Errors
    /// `G0226` if the machine has not so many inputs.
    pub fn npy(
        gpu: &'static dyn ShaderUnit,
        header: Header,
        layout: Option<Layout>,
        span: Span,
        read: impl Read + 'a,
    ) -> Result<Pieces<'a>, Diagnostic> {
        let layout = match layout {
            Some(layout) => Layout { stride: 4 * header.columns, ..layout },
            None => raw::rows(gpu, header.columns, span)?,
        };
        Ok(Pieces::new(gpu, "", read, Form::Array { layout, span, header, left: header.rows }))
    }

    /// The next vertices, with what is wrong with them; nothing behind the last ones. Problems point into files that are
    /// added to `sources`.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn next(&mut self, sources: &mut Sources) -> io::Result<Option<Piece>> {
        if self.ended && self.pieces > 0 {
            return Ok(None);
        }
        if let Form::Table(table) = &self.form
            && table.is_hopeless()
        {
            return Ok(None);
        }
        self.pieces += 1;
        match &self.form {
            Form::Raw { .. } => self.next_raw().map(Some),
            Form::Array { .. } => self.next_rows().map(Some),
            _ => self.next_text(sources).map(Some),
        }
    }

    fn next_raw(&mut self) -> io::Result<Piece> {
        let Form::Raw { layout, span, length, is_cut } = &self.form else {
            return Ok((Vertices::nothing(), Vec::new()));
        };
        let stride = layout.stride.max(1) as usize;
        let most = if *is_cut { (PIECE / stride).max(1).saturating_mul(stride) } else { usize::MAX };
        let mut bytes = Vec::new();
        let read = self.read.by_ref().take(most as u64).read_to_end(&mut bytes)?;
        self.ended = read < most;
        self.bytes += read as u64;
        // What is wrong concerns the whole, and is said once, as soon as the length is known.
        let whole = length.or(self.ended.then_some(self.bytes));
        let is_first = self.pieces == 1;
        let problems = match whole {
            Some(whole) if is_first || length.is_none() => self.check(layout, whole, *span),
            None if is_first => self.check(layout, 0, *span),
            _ => Vec::new(),
        };
        Ok(self.buffer(layout.clone(), bytes, problems))
    }

    fn next_rows(&mut self) -> io::Result<Piece> {
        let Form::Array { layout, span, header, left } = &mut self.form else {
            return Ok((Vertices::nothing(), Vec::new()));
        };
        let (layout, span, row) = (layout.clone(), *span, header.row());
        let rows = usize::try_from(*left).unwrap_or(usize::MAX).min((PIECE / row).max(1));
        *left -= rows as u64;
        let (header, left) = (*header, *left);
        let mut bytes = Vec::new();
        let read = self.read.by_ref().take((rows * row) as u64).read_to_end(&mut bytes)?;
        self.ended = left == 0 || read < rows * row;
        let mut problems = if self.pieces == 1 { self.check(&layout, 0, span) } else { Vec::new() };
        let wrong = if read < rows * row {
            let whole = header.rows - left - (rows - read / row) as u64;
            Some(format!("the array has {}, and the file {whole}", counted(header.rows, "row")))
        } else if self.ended && self.read.by_ref().take(1).read_to_end(&mut Vec::new())? > 0 {
            Some(format!("the array has {}, and the file goes on behind them", counted(header.rows, "row")))
        } else {
            None
        };
        problems.extend(wrong.map(|message| Diagnostic::error(&NPY_LENGTH, message).label(span, "")));
        Ok(self.buffer(layout, header.kind.words(bytes), problems))
    }

    /// What is wrong with a layout and with a buffer of so many bytes.
    fn check(&self, layout: &Layout, bytes: u64, span: Span) -> Vec<Diagnostic> {
        let inputs = file(self.gpu.isa(), |kind| kind == FileKind::Input).map_or(0, |(_, file)| file.count);
        layout.check(inputs, usize::try_from(bytes).unwrap_or(usize::MAX), span)
    }

    /// A piece of a buffer, if nothing is wrong with it.
    fn buffer(&mut self, layout: Layout, bytes: Vec<u8>, problems: Vec<Diagnostic>) -> Piece {
        if has_errors(&problems) {
            self.ended = true;
            return (Vertices::Columns { count: 0, columns: Vec::new() }, problems);
        }
        (Vertices::Buffer { layout: self.gpu.complete_layout(layout), bytes: bytes.into() }, problems)
    }

    fn next_text(&mut self, sources: &mut Sources) -> io::Result<Piece> {
        let mut bytes = self.take()?;
        let (lines, length) = (memchr_iter(b'\n', &bytes).count(), bytes.len());
        if let Form::Records { list: true, .. } = self.form {
            // A piece of a list is a list: it begins at a comma, and another one follows.
            if let (Some(first), true) = (bytes.first_mut(), self.pieces > 1) {
                *first = b'[';
            }
            if !self.ended {
                bytes.push(b']');
            }
        }
        let piece = match text::read(sources, &self.name, &bytes) {
            Ok(id) => {
                sources.begins_behind(id, self.lines, self.bytes);
                let file = sources.get(id);
                let isa = self.gpu.isa();
                let (vertices, problems) = match &mut self.form {
                    Form::Table(table) => table.read(isa, file, self.ended),
                    Form::Records { inputs, budget, .. } => {
                        let room = budget.ask_text(length).map_err(|refusal| refusal.at(file.whole()));
                        match room.and_then(|()| records::piece(isa, file, inputs)) {
                            Ok(vertices) => (vertices, Vec::new()),
                            Err(problem) => (Vertices::nothing(), vec![problem]),
                        }
                    }
                    Form::Raw { .. } | Form::Array { .. } => (Vertices::nothing(), Vec::new()),
                };
                if problems.is_empty() {
                    sources.take_back(id);
                }
                (vertices, problems)
            }
            Err(problem) => {
                if let Some(span) = problem.span() {
                    sources.begins_behind(span.file, self.lines, self.bytes);
                }
                // What follows cannot be understood without this piece.
                (self.ended, self.kept) = (true, Vec::new());
                (Vertices::nothing(), vec![problem])
            }
        };
        let is_table = matches!(self.form, Form::Table(_));
        if has_errors(&piece.1) && !is_table {
            // Only the first error is reported.
            (self.ended, self.kept) = (true, Vec::new());
        }
        (self.lines, self.bytes) = (self.lines + lines, self.bytes + length as u64);
        Ok(piece)
    }

    /// Bytes up to where a piece can end, or to the end.
    fn take(&mut self) -> io::Result<Vec<u8>> {
        while !self.ended {
            let read = self.read.by_ref().take(PIECE as u64).read_to_end(&mut self.kept)?;
            // What cannot be cut is a text as a whole, which has a limit.
            self.ended = read < PIECE || self.kept.len() > MAX_SOURCE_BYTES;
            if let Form::Records { list, .. } = &mut self.form
                && self.pieces == 1
            {
                let text = self.kept.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.kept);
                let inner = text.trim_ascii_start().strip_prefix(b"[");
                *list = inner.is_some_and(|inner| inner.trim_ascii_start().starts_with(b"{"));
            }
            if let Some(end) = self.end().filter(|_| !self.ended) {
                let rest = self.kept.split_off(end);
                self.searched = 0;
                return Ok(std::mem::replace(&mut self.kept, rest));
            }
            self.searched = self.kept.len();
        }
        self.searched = 0;
        Ok(std::mem::take(&mut self.kept))
    }

    /// Where the last piece of what was read can end: behind a line of a table, or between records on different lines.
    fn end(&self) -> Option<usize> {
        let Form::Records { list, .. } = self.form else {
            return self.kept.iter().rposition(|byte| *byte == b'\n').map(|at| at + 1);
        };
        let starts = (self.searched.max(1)..self.kept.len()).rev().filter(|at| self.kept[*at] == b'{');
        starts.filter_map(|start| self.between(start, list)).find(|end| *end > 0)
    }

    /// The end of what is before a record: its comma in a list, else its own beginning. Strings have no line breaks, so
    /// after one this is not inside a string.
    fn between(&self, start: usize, list: bool) -> Option<usize> {
        let before = self.kept[..start].trim_ascii_end();
        let is_line = self.kept[before.len()..start].contains(&b'\n');
        let end = if list { before.strip_suffix(b",")?.len() } else { start };
        (is_line && self.kept[..end].trim_ascii_end().ends_with(b"}")).then_some(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::unit;
    use crate::run::{csv, json_vertices, rows};
    use gpuzoo_diag::File;

    /// More than two pieces of `line`, numbered.
    fn long(begin: &str, line: impl Fn(usize) -> String, end: &str) -> String {
        let lines: String = (0..PIECE / 8).map(line).collect();
        assert!(lines.len() > 2 * PIECE);
        format!("{begin}{lines}{end}")
    }

    /// Codes and lines.
    type Told = Vec<(&'static str, usize)>;

    /// How many pieces there are, the inputs, all values, and what is wrong.
    fn all(mut pieces: Pieces) -> (usize, Vec<u16>, Vec<gpuzoo_ir::Vec4>, Told) {
        let mut sources = Sources::default();
        let (mut count, mut inputs, mut values, mut problems) = (0, Vec::new(), Vec::new(), Vec::new());
        while let Some((vertices, found)) = pieces.next(&mut sources).unwrap() {
            count += 1;
            if found.is_empty() {
                let (own, mut more) = rows(&vertices);
                inputs = own;
                values.append(&mut more);
            }
            let place = |problem: &Diagnostic| {
                let span = problem.span().unwrap();
                assert!(!sources.get(span.file).slice(span).contains('\n'), "{problem:?}");
                (problem.code.id, sources.get(span.file).place(span.start).line)
            };
            problems.extend(found.iter().map(place));
        }
        (count, inputs, values, problems)
    }

    #[test]
    fn pieces_are_the_whole() {
        let table = long("# a comment\nin0.x,in1.y\n", |n| format!("{n}.00000000,{}\n", n * 2), "");
        let (count, inputs, values, problems) = all(Pieces::csv(unit(), "t", table.as_bytes()));
        assert!(count > 2 && problems.is_empty());
        assert_eq!((inputs, values), rows(&csv::vertices(unit().isa(), &File::new("t", &table)).0));

        let record = |n: usize| format!("{{\"in0\": [{n}], \"in1\": [0, {n}]}}");
        let lines = long("", |n| format!("{}\n", record(n)), "");
        let list = long("[\n", |n| format!("{},\n", record(n)), &format!("{}\n]\n", record(1)));
        let object = format!("{{\"in0\": [[1]{}]}}", ",\n[2]".repeat(PIECE));
        for (text, pieces) in [(&lines, 3), (&list, 3), (&object, 1)] {
            let (count, inputs, values, problems) =
                all(Pieces::json(unit(), "t", text.as_bytes(), &Budget::default()));
            assert!(count >= pieces && (pieces > 1 || count == 1) && problems.is_empty(), "{problems:?}");
            assert_eq!((inputs, values), rows(&json_vertices(unit().isa(), &File::new("t", text)).unwrap()));
        }

        let layout = unit().default_layout();
        let bytes: Vec<u8> = (0..4 * PIECE).map(|at| at as u8).collect();
        let known = Some(bytes.len() as u64);
        for length in [known, None] {
            let (count, _, _, problems) =
                all(Pieces::raw(unit(), layout.clone(), Span::default(), &bytes[..], length));
            assert!(count > 3 && problems.is_empty());
        }
        // A vertex that reaches into the next one is an error.
        let over = Layout { stride: 4, ..layout };
        let mut pieces = Pieces::raw(unit(), over, Span::default(), &bytes[..], None);
        let (_, problems) = pieces.next(&mut Sources::default()).unwrap().unwrap();
        assert!(problems.iter().all(|problem| problem.code.id == "R0201") && !problems.is_empty());
        assert!(pieces.next(&mut Sources::default()).unwrap().is_none());
    }

    #[test]
    fn mistakes_are_told_with_their_lines() {
        let wrong = |n: usize| if n % 50_000 == 40_000 { "x\n" } else { "1234567890.12345678\n" };
        let table = long("in0.x\n", |n| wrong(n).to_owned(), "");
        let lines = |problems: &[(&str, usize)]| problems.iter().map(|(_, line)| *line).collect::<Vec<_>>();
        let problems = all(Pieces::csv(unit(), "t", table.as_bytes())).3;
        assert_eq!(lines(&problems), [40_002, 90_002]);

        let record = |n: usize| if n == 100_000 { "{\"in9\": [1]}\n" } else { "{\"in0\": [123456789]}\n" };
        let text = long("", |n| record(n).to_owned(), "");
        assert_eq!(
            all(Pieces::json(unit(), "t", text.as_bytes(), &Budget::default())).3,
            [("G0206", 100_001)]
        );
        // Inputs are those of the first record, however far it is.
        let other = text.replace("in9", "in1");
        assert_eq!(
            all(Pieces::json(unit(), "t", other.as_bytes(), &Budget::default())).3,
            [("G0205", 100_001)]
        );

        // A value after a list, and a list in a list, which are not records; the first line is marked.
        let list = |begin, end: &str| long(begin, |_| "{\"in0\": [123456789]},\n".to_owned(), end);
        let behind = list("[\n", "{\"in0\": [1]}\n]\n7\n");
        let last = behind.lines().count();
        assert_eq!(
            all(Pieces::json(unit(), "t", behind.as_bytes(), &Budget::default())).3,
            [("G0205", last)]
        );
        let nested = list("[[\n", "{\"in0\": [1]}\n]]\n");
        assert_eq!(all(Pieces::json(unit(), "t", nested.as_bytes(), &Budget::default())).3, [("G0205", 1)]);

        assert_eq!(all(Pieces::csv(unit(), "t", &b""[..])).3, [("G0201", 1)]);
        // The header may be as far.
        let comments = "# nothing\n".repeat(PIECE / 8);
        let far = format!("{comments}in0.x\n1\nx\n");
        let (_, inputs, values, problems) = all(Pieces::csv(unit(), "t", far.as_bytes()));
        assert_eq!((inputs, values, problems), (vec![], vec![], vec![("G0203", PIECE / 8 + 3)]));
        let far = far.replace("x\n", "2\n").replace("in0.2", "in0.x");
        let (count, inputs, values, problems) = all(Pieces::csv(unit(), "t", far.as_bytes()));
        assert_eq!((count, inputs, values.len(), problems), (2, vec![0], 2, vec![]));
        let none = all(Pieces::csv(unit(), "t", comments.as_bytes()));
        assert_eq!((none.0, none.3.len(), none.3[0].0), (2, 1, "G0201"));
        let many = format!("in0.x\n{}", "x\n".repeat(PIECE));
        assert_eq!(all(Pieces::csv(unit(), "t", many.as_bytes())).3.len(), csv::MAX_ERRORS);
    }
}

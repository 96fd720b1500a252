//! Vertices as a table: a line of column names, then a line for each vertex.

use super::{Vertices, component_of, file, register_names};
use crate::codes::{BAD_NUMBER, CSV_HEADER, CSV_ROW, UNKNOWN_REGISTER};
use crate::value;
use gpuzoo_diag::{Diagnostic, File, counted};
use gpuzoo_ir::{Vec4, vec4};
use gpuzoo_isa::{FileKind, Isa};

/// Reading stops after this many mistakes: a file of the wrong kind has one in every cell.
pub const MAX_ERRORS: usize = 100;

/// What separates the cells of a table: commas, or semicolons or tabs if the first line has no comma.
fn separator(text: &str) -> char {
    let first = text.lines().find(used).unwrap_or("");
    [',', ';', '\t'].into_iter().find(|mark| first.contains(*mark)).unwrap_or(',')
}

/// True for a line that is neither blank nor a comment (`#`).
fn used(line: &&str) -> bool {
    !line.trim().is_empty() && !line.trim_start().starts_with('#')
}

/// The lines of a table that are used, each as cells with their places; quotes around a cell are dropped.
pub(super) fn rows(file: &File) -> impl Iterator<Item = (usize, Vec<(usize, &str)>)> {
    cells(file, separator(file.text()))
}

fn cells(file: &File, separator: char) -> impl Iterator<Item = (usize, Vec<(usize, &str)>)> {
    let text = file.text();
    let base = text.as_ptr() as usize;
    text.lines().filter(used).map(move |line| {
        let cell = |cell: &'_ str| -> (usize, usize) {
            let trimmed = cell.trim();
            let inner = trimmed.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(trimmed);
            let inner = inner.trim();
            (inner.as_ptr() as usize - base, inner.len())
        };
        let cells = line.split(separator).map(|text_of| {
            let (at, length) = cell(text_of);
            (at, &text[at..at + length])
        });
        (line.as_ptr() as usize - base, cells.collect())
    })
}

/// Reads a table of vertices. Columns are components of inputs, `in0.x` (or `v0.x`); `in0` alone is its component x.
/// Components that have no column, of inputs that have one, are those of (0, 0, 0, 1), as in vertex formats with fewer
/// components. A column `vertex` is passed over: it is what `run --format csv` begins its lines with.
///
/// Returns the vertices that could be read and what is wrong with the others.
pub fn vertices(isa: &Isa, table: &File) -> (Vertices<'static>, Vec<Diagnostic>) {
    Table::default().read(isa, table, true)
}

/// A table that is read piece by piece; pieces end with lines.
#[derive(Debug, Default)]
pub(super) struct Table {
    header: Option<Header>,
    problems: usize,
}

#[derive(Clone, Debug)]
struct Header {
    separator: char,
    /// The inputs that have columns, in their order.
    inputs: Vec<u16>,
    /// For each column a place among the inputs, and the component.
    columns: Vec<Option<(usize, usize)>>,
}

impl Table {
    /// The vertices of the next piece, and what is wrong with it. The first line that is used is the header; without one in
    /// the `last` piece, the table is empty.
    pub fn read(&mut self, isa: &Isa, table: &File, last: bool) -> (Vertices<'static>, Vec<Diagnostic>) {
        let mut problems = Vec::new();
        let first = self.header.is_none();
        if first && !last && !table.text().lines().any(|line| used(&line)) {
            return (Vertices::of_rows(0, &[], &[]), problems);
        }
        let header = self.header.get_or_insert_with(|| Header::read(isa, table, &mut problems));
        let (mut values, mut count) = (Vec::new(), 0);
        let room = MAX_ERRORS.saturating_sub(self.problems);
        if !problems.is_empty() {
            // Without a header nothing can be said of the lines.
            self.problems = MAX_ERRORS;
        } else {
            let lines = cells(table, header.separator).skip(usize::from(first));
            count = header.vertices(table, lines, room, &mut values, &mut problems);
            // Then all numbers are written so, and the one error is said.
            let is_comma = problems.last().and_then(Diagnostic::span).map(|span| table.slice(span));
            if is_comma.is_some_and(has_decimal_comma) {
                self.problems = MAX_ERRORS;
            }
        }
        if problems.len() >= room {
            not_all(&mut problems);
        }
        self.problems += problems.len();
        (Vertices::of_rows(count, &header.inputs, &values), problems)
    }

    /// True if enough is wrong.
    pub fn is_hopeless(&self) -> bool {
        self.problems >= MAX_ERRORS
    }
}

impl Header {
    fn read(isa: &Isa, table: &File, problems: &mut Vec<Diagnostic>) -> Header {
        let separator = separator(table.text());
        let (start, header) = cells(table, separator).next().unwrap_or((0, Vec::new()));
        let columns = columns(isa, table, start, &header, problems);
        let mut inputs: Vec<u16> = columns.iter().flatten().map(|(input, _)| *input).collect();
        inputs.sort_unstable();
        inputs.dedup();
        let place = |input: u16| inputs.binary_search(&input).unwrap_or(0);
        let columns = columns.into_iter();
        let columns =
            columns.map(|column| column.map(|(input, component)| (place(input), component))).collect();
        Header { separator, inputs, columns }
    }

    /// Appends the values of lines; returns how many vertices there are.
    fn vertices<'a>(
        &self,
        table: &File,
        lines: impl Iterator<Item = (usize, Vec<(usize, &'a str)>)>,
        room: usize,
        values: &mut Vec<Vec4>,
        problems: &mut Vec<Diagnostic>,
    ) -> usize {
        let mut count = 0;
        for (start, cells) in lines {
            if problems.len() >= room {
                break;
            }
            if cells.len() != self.columns.len() {
                let message = format!(
                    "this row has {}, the header {}",
                    counted(cells.len(), "cell"),
                    self.columns.len()
                );
                let end = cells.last().map_or(start, |(at, cell)| at + cell.len());
                problems.push(Diagnostic::error(&CSV_ROW, message).label(table.span(start..end), ""));
                continue;
            }
            let first = values.len();
            values.resize(first + self.inputs.len(), vec4([0.0, 0.0, 0.0, 1.0]));
            for (column, (at, cell)) in self.columns.iter().zip(cells) {
                let Some((input, component)) = column else { continue };
                match value::parse(cell) {
                    Some(bits) => values[first + input][*component] = bits,
                    None => {
                        problems.push(bad_number(table, at, cell));
                        // Then all numbers are written so.
                        if has_decimal_comma(cell) {
                            return count;
                        }
                    }
                }
            }
            count += 1;
        }
        count
    }
}

/// Says behind the last of many problems that there may be more.
pub(super) fn not_all(problems: &mut [Diagnostic]) {
    if let Some(last) = problems.last_mut() {
        last.notes.push(format!("after {MAX_ERRORS} errors the rest of the table is not read"));
    }
}

/// What each column holds; none for the column of vertex numbers.
fn columns(
    isa: &Isa,
    table: &File,
    start: usize,
    header: &[(usize, &str)],
    problems: &mut Vec<Diagnostic>,
) -> Vec<Option<(u16, usize)>> {
    let Some((_, inputs)) = file(isa, |kind| kind == FileKind::Input) else { return Vec::new() };
    if header.is_empty() {
        let problem = Diagnostic::error(&CSV_HEADER, "the table is empty").label(table.span(0..0), "");
        problems.push(
            problem.help(format!("its first line names the columns: `{0}.x,{0}.y,…`", inputs.reg_name(0))),
        );
        return Vec::new();
    }
    if header.iter().all(|(_, cell)| value::parse(cell).is_some()) {
        let end = header.last().map_or(start, |(at, cell)| at + cell.len());
        let problem = Diagnostic::error(&CSV_HEADER, "the first line holds numbers, not the columns' names");
        let problem = problem.label(table.span(start..end), "");
        problems.push(problem.help(format!("put a line above it: `{0}.x,{0}.y,…`", inputs.reg_name(0))));
        return Vec::new();
    }
    let mut columns: Vec<Option<(u16, usize)>> = Vec::new();
    for (at, cell) in header {
        let span = table.span(*at..at + cell.len());
        if *cell == "vertex" {
            columns.push(None);
            continue;
        }
        let component = component_of(inputs, cell);
        if problems.len() >= MAX_ERRORS {
            break;
        }
        if component.is_none() {
            let problem =
                Diagnostic::error(&UNKNOWN_REGISTER, format!("`{cell}` is not a component of an input"));
            let problem = problem.label(span, "").help(register_names(inputs));
            problems.push(problem.help("components are `.x`, `.y`, `.z` and `.w`"));
        } else if columns.contains(&component) {
            let problem = Diagnostic::error(&CSV_HEADER, format!("there are two columns `{cell}`"));
            problems.push(problem.label(span, "the second one"));
        }
        columns.push(component);
    }
    columns
}

/// `1,5`, as spreadsheets write it in many languages, in a table with semicolons.
pub(super) fn has_decimal_comma(cell: &str) -> bool {
    cell.contains(',') && value::parse(&cell.replacen(',', ".", 1)).is_some()
}

pub(super) fn bad_number(file: &File, at: usize, text: &str) -> Diagnostic {
    let problem = Diagnostic::error(&BAD_NUMBER, format!("`{text}` is not a number"));
    let problem = problem.label(file.span(at..at + text.len()), "");
    if has_decimal_comma(text) {
        return problem
            .help(format!("write numbers with a decimal point: `{}`", text.replacen(',', ".", 1)))
            .help("fields are separated by commas; with semicolons or tabs, too, numbers have no comma");
    }
    problem.help("write `0.5`, `1e-3`, `inf`, `nan`, or a bit pattern of eight digits: `0x3f800000`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::unit;

    fn read(text: &str) -> (Vertices<'static>, Vec<Diagnostic>) {
        vertices(unit().isa(), &File::new("t.csv", text))
    }

    #[test]
    fn columns_may_come_in_any_order() {
        let (table, problems) = read("# two inputs\nv1.y; in0.x; 0.z\n1;2;0x40400000\n\n\"4\";5;-inf\n");
        assert_eq!(problems, []);
        let (inputs, values) = crate::run::rows(&table);
        assert_eq!(inputs, [0, 1]);
        let infinity = f32::NEG_INFINITY;
        let expected =
            [[2.0, 0.0, 3.0, 1.0], [0.0, 1.0, 0.0, 1.0], [5.0, 0.0, infinity, 1.0], [0.0, 4.0, 0.0, 1.0]];
        assert_eq!(values, expected.map(vec4));
    }

    #[test]
    fn mistakes_are_shown_where_they_stand() {
        for (text, code, at) in [
            ("", "G0201", 0),
            ("1,2\n", "G0201", 0),
            ("in0.x,in0.x\n", "G0201", 6),
            ("in0.q\n", "G0206", 0),
            ("in0.x, in8.x\n", "G0206", 7),
            ("in0.x,in0.y\n1\n", "G0202", 12),
            ("in0.x\n1,2\n", "G0202", 6),
            ("in0.x\n1\nx1\n", "G0203", 8),
        ] {
            let (_, problems) = read(text);
            assert_eq!(problems.len(), 1, "{text}");
            assert_eq!((problems[0].code.id, problems[0].span().unwrap().start), (code, at), "{text}");
        }
        let many = read(&format!("in0\n{}", "x\n".repeat(1000))).1;
        assert_eq!(many.len(), MAX_ERRORS);
        // The last says that there may be more.
        let noted = many.iter().map(|problem| problem.notes.len()).collect::<Vec<_>>();
        assert_eq!((noted[98], noted[99]), (0, 1));
        // A spreadsheet's decimal commas are one mistake.
        let commas = read("in0.x;in0.y\n1,5;2,5\n3,5;4\n").1;
        assert_eq!((commas.len(), commas[0].code.id), (1, "G0203"));
        assert_eq!(commas[0].help[0], "write numbers with a decimal point: `1.5`");
        assert_eq!(read("in0.x,in0.y\n1\n").1[0].message, "this row has 1 cell, the header 2");
    }
}

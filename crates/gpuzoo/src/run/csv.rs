//! Vertices as a table: a line of column names, then a line for each vertex.

use super::{Vertices, component_of, file, register_names};
use crate::codes::{BAD_NUMBER, CSV_HEADER, CSV_ROW, UNKNOWN_REGISTER};
use crate::value;
use gpuzoo_diag::{Diagnostic, File, counted};
use gpuzoo_ir::{Vec4, vec4};
use gpuzoo_isa::{FileKind, Isa};

/// Reading stops after this many mistakes: a file of the wrong kind has one in every cell.
pub const MAX_ERRORS: usize = 100;

/// The lines of a table that are neither blank nor a comment (`#`), each as cells with their places. Cells are
/// separated by commas, or by semicolons or tabs if the first line has no comma; quotes around a cell are dropped.
pub(super) fn rows(file: &File) -> impl Iterator<Item = (usize, Vec<(usize, &str)>)> {
    let text = file.text();
    let base = text.as_ptr() as usize;
    let used = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let first = text.lines().find(used).unwrap_or("");
    let separator = [',', ';', '\t'].into_iter().find(|mark| first.contains(*mark)).unwrap_or(',');
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
    let mut problems = Vec::new();
    let mut lines = rows(table);
    let (start, header) = lines.next().unwrap_or((0, Vec::new()));
    let columns = columns(isa, table, start, &header, &mut problems);
    let mut inputs: Vec<u16> = columns.iter().flatten().map(|(input, _)| *input).collect();
    inputs.sort_unstable();
    inputs.dedup();
    let mut values = Vec::new();
    if !problems.is_empty() {
        return (Vertices::of_rows(0, &inputs, &values), problems);
    }
    let place = |input: u16| inputs.binary_search(&input).unwrap_or(0);
    let columns: Vec<_> = columns
        .into_iter()
        .map(|column| column.map(|(input, component)| (place(input), component)))
        .collect();
    let mut count = 0;
    let unset = vec![vec4([0.0, 0.0, 0.0, 1.0]); inputs.len()];
    'rows: for (start, cells) in lines {
        if problems.len() >= MAX_ERRORS {
            break;
        }
        if cells.len() != columns.len() {
            let message =
                format!("this row has {}, the header {}", counted(cells.len(), "cell"), columns.len());
            let end = cells.last().map_or(start, |(at, cell)| at + cell.len());
            problems.push(Diagnostic::error(&CSV_ROW, message).label(table.span(start..end), ""));
            continue;
        }
        let mut vertex: Vec<Vec4> = unset.clone();
        for (column, (at, cell)) in columns.iter().zip(cells) {
            let Some((input, component)) = column else { continue };
            match value::parse(cell) {
                Some(bits) => vertex[*input][*component] = bits,
                None => {
                    problems.push(bad_number(table, at, cell));
                    // Then all numbers are written so.
                    if has_decimal_comma(cell) {
                        break 'rows;
                    }
                }
            }
        }
        values.append(&mut vertex);
        count += 1;
    }
    (Vertices::of_rows(count, &inputs, &values), problems)
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
            let short: String = cell.chars().take(40).collect();
            let problem =
                Diagnostic::error(&UNKNOWN_REGISTER, format!("`{short}` is not a component of an input"));
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
    let short: String = text.chars().take(40).collect();
    let problem = Diagnostic::error(&BAD_NUMBER, format!("`{short}` is not a number"));
    let problem = problem.label(file.span(at..at + text.len()), "");
    if has_decimal_comma(text) {
        return problem
            .help(format!("write numbers with a decimal point: `{}`", short.replacen(',', ".", 1)))
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
        assert_eq!(read(&format!("in0\n{}", "x\n".repeat(1000))).1.len(), MAX_ERRORS);
        // A spreadsheet's decimal commas are one mistake.
        let commas = read("in0.x;in0.y\n1,5;2,5\n3,5;4\n").1;
        assert_eq!((commas.len(), commas[0].code.id), (1, "G0203"));
        assert_eq!(commas[0].help[0], "write numbers with a decimal point: `1.5`");
        assert_eq!(read("in0.x,in0.y\n1\n").1[0].message, "this row has 1 cell, the header 2");
    }
}

//! Outputs as somebody else has them, and where a run gives others: in the forms that [`Printer`](super::output::Printer) writes, but for its
//! table for people.

use super::Kernel;
use super::csv::rows;
use super::npy::Header;
use super::records::components;
use super::registers::no_output;
use crate::codes::{CSV_HEADER, CSV_ROW, JSON_SHAPE, NO_SUCH_VERTEX, NO_VERTICES, NPY_LENGTH};
use crate::value::{self, bad_number};
use gpuzoo_diag::{Diagnostic, File, Span, counted};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::COMPONENTS;
use gpuzoo_machine::json;
use gpuzoo_machine::options::settings::Value;

/// Outputs that vertices should have.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    rows: Vec<Row>,
}

#[derive(Clone, Debug)]
struct Row {
    vertex: usize,
    /// Whether it should be killed, if that is said.
    killed: Option<bool>,
    /// Outputs by their place among the kernel's, with a component of each and its bits.
    components: Vec<(usize, usize, u32)>,
}

/// What a vertex has and should have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// A component of an output.
    Component {
        /// As `pos.x`.
        name: String,
        /// Its bits in the run.
        found: u32,
        /// As they should be.
        expected: u32,
    },
    /// It was killed and should not be, or the other way round.
    Killed {
        /// Whether it was.
        found: bool,
    },
}

/// What a cell of a table is.
enum Column {
    Vertex,
    Killed,
    Output(usize, usize),
}

impl Expected {
    /// How many vertices something is expected of.
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    /// A table: a line of column names, `vertex`, `killed` and components such as `pos.x`, then a line for each vertex. Without a column
    /// `vertex` the lines are those of all vertices from the first on; what is left out is not compared.
    ///
    /// # Errors
    /// `G0201` to `G0203`, `G0206` for an output that the program does not have.
    pub fn csv(kernel: &Kernel, file: &File) -> Result<Expected, Diagnostic> {
        let names = kernel.output_names();
        let mut rows = rows(file);
        let (_, head) = rows.next().unwrap_or_default();
        let at = |place: usize, text: &str| file.span(place..place + text.len());
        let column = |(place, name): &(usize, &str)| match *name {
            "vertex" => Ok(Column::Vertex),
            "killed" => Ok(Column::Killed),
            _ => {
                let (output, component) = name.rsplit_once('.').unwrap_or((name, "x"));
                let letter = COMPONENTS.iter().position(|letter| component == letter.to_string());
                let letter = letter.ok_or_else(|| {
                    let problem = Diagnostic::error(&CSV_HEADER, format!("`{name}` is not a component"));
                    problem.label(at(*place, name), "").help("for example `vertex`, `killed` or `pos.x`")
                })?;
                let known = names.iter().position(|known| known.eq_ignore_ascii_case(output));
                let known = known.ok_or_else(|| no_output(output, names).label(at(*place, name), ""))?;
                Ok(Column::Output(known, letter))
            }
        };
        let columns: Vec<Column> = head.iter().map(column).collect::<Result<_, Diagnostic>>()?;
        let mut expected = Expected::default();
        for (start, cells) in rows {
            if cells.len() != columns.len() {
                let (wanted, found) = (counted(columns.len(), "cell"), cells.len());
                let problem = Diagnostic::error(&CSV_ROW, format!("expected {wanted}, found {found}"));
                return Err(problem.label(file.span(start..start), ""));
            }
            let mut row = Row { vertex: expected.rows.len(), killed: None, components: Vec::new() };
            for ((place, text), column) in cells.iter().zip(&columns) {
                let bits = || value::parse(text).ok_or_else(|| bad_number(file, *place, text));
                match column {
                    Column::Vertex => {
                        row.vertex = text.parse().map_err(|_| bad_number(file, *place, text))?;
                    }
                    Column::Killed => row.killed = Some(bits()? != 0),
                    // Those that are killed have none.
                    Column::Output(..) if text.is_empty() => {}
                    Column::Output(output, component) => {
                        row.components.push((*output, *component, bits()?));
                    }
                }
            }
            expected.rows.push(row);
        }
        Ok(expected)
    }

    /// A list of records, `{"vertex": 0, "pos": [x, y, z, w]}` or `{"vertex": 1, "killed": true}`.
    ///
    /// # Errors
    /// `G0203`, `G0205`, `G0206`, and those of JSON.
    pub fn json(kernel: &Kernel, file: &File) -> Result<Expected, Diagnostic> {
        let names = kernel.output_names();
        let whole = json::parse(file)?;
        let shape = |span: Span, message: &str| Diagnostic::error(&JSON_SHAPE, message).label(span, "");
        let Value::List(records) = &whole.value else {
            return Err(shape(whole.span, "expected a list of records"));
        };
        let mut expected = Expected::default();
        for record in records {
            let Value::Table(table) = &record.value else {
                return Err(shape(record.span, "expected a record"));
            };
            let mut row = Row { vertex: expected.rows.len(), killed: None, components: Vec::new() };
            for (name, span, setting) in &table.entries {
                match (name.as_str(), &setting.value) {
                    ("vertex", Value::Int(vertex)) => {
                        let vertex = usize::try_from(*vertex);
                        row.vertex = vertex.map_err(|_| shape(setting.span, "expected a number from 0"))?;
                    }
                    ("vertex", _) => return Err(shape(setting.span, "expected a vertex's number")),
                    ("killed", Value::Bool(killed)) => row.killed = Some(*killed),
                    ("killed", _) => return Err(shape(setting.span, "expected `true` or `false`")),
                    _ => {
                        let known = names.iter().position(|known| known.eq_ignore_ascii_case(name));
                        let known = known.ok_or_else(|| no_output(name, names).label(*span, ""))?;
                        let given = match &setting.value {
                            Value::List(list) => list.len(),
                            _ => 0,
                        };
                        let value = components(file, setting)?;
                        let given = value.into_iter().enumerate().take(given);
                        row.components.extend(given.map(|(component, bits)| (known, component, bits)));
                    }
                }
            }
            expected.rows.push(row);
        }
        Ok(expected)
    }

    /// NumPy's array, or numbers without a header: for each vertex whether it is killed, if the program can kill, and the components of all
    /// outputs. `span` is about the file.
    ///
    /// # Errors
    /// `G0226` and `G0227` for a header that is none and for an array of another shape.
    pub fn numbers(
        kernel: &Kernel,
        bytes: &[u8],
        is_array: bool,
        span: Span,
    ) -> Result<Expected, Diagnostic> {
        let wrong = |message: String| Diagnostic::error(&NPY_LENGTH, message).label(span, "");
        let outputs = kernel.output_names().len();
        let columns = usize::from(kernel.kills()) + outputs * COMPONENTS.len();
        let mut words = bytes.to_vec();
        if is_array {
            let header = Header::read(bytes, span.file)?;
            if header.columns as usize != columns {
                let wanted = counted(columns, "column");
                return Err(wrong(format!(
                    "the program's outputs are {wanted}, and the array has {}",
                    header.columns
                )));
            }
            words = header.kind.words(bytes.get(header.length..).unwrap_or_default().to_vec());
        }
        if columns == 0 || !words.len().is_multiple_of(4 * columns) {
            let message =
                format!("a vertex has {}, and these are {} bytes", counted(4 * columns, "byte"), words.len());
            return Err(wrong(message));
        }
        let row = |(vertex, row): (usize, &[u8])| {
            let mut words = row.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
            let killed = kernel.kills().then(|| words.next() != Some(0));
            let components = words.enumerate().filter(|_| killed != Some(true));
            let components =
                components.map(|(at, bits)| (at / COMPONENTS.len(), at % COMPONENTS.len(), bits));
            Row { vertex, killed, components: components.collect() }
        };
        Ok(Expected { rows: words.chunks_exact(4 * columns).enumerate().map(row).collect() })
    }

    /// The vertices that differ among so many, in the order of their numbers, each with its first difference. `outputs` gives those of a vertex, or
    /// nothing for one that was killed.
    ///
    /// # Errors
    /// `G0212` where something is expected of a vertex that there is not, `G0213` where nothing is expected at all.
    pub fn differences(
        &self,
        kernel: &Kernel,
        outputs: &[Option<Vec<Vec4>>],
        span: Span,
    ) -> Result<Vec<(usize, Difference)>, Diagnostic> {
        if self.rows.iter().all(|row| row.killed.is_none() && row.components.is_empty()) {
            let problem = Diagnostic::error(&NO_VERTICES, "nothing is expected of any vertex");
            return Err(problem.label(span, "").help("`gpuzoo run` with `-o FILE` writes such a file"));
        }
        let mut all = Vec::new();
        for row in &self.rows {
            let Some(found) = outputs.get(row.vertex) else {
                let message = format!(
                    "something is expected of vertex {}, and there are {}",
                    row.vertex,
                    outputs.len()
                );
                return Err(Diagnostic::error(&NO_SUCH_VERTEX, message).label(span, ""));
            };
            let difference = match (found, row.killed) {
                (None, Some(true)) => None,
                (None, _) => Some(Difference::Killed { found: true }),
                (Some(_), Some(true)) => Some(Difference::Killed { found: false }),
                (Some(found), _) => row.components.iter().find_map(|&(output, component, expected)| {
                    let found = found.get(output).map_or(0, |value| value[component]);
                    let name = || format!("{}.{}", kernel.output_names()[output], COMPONENTS[component]);
                    (!same(found, expected)).then(|| Difference::Component { name: name(), found, expected })
                }),
            };
            all.extend(difference.map(|difference| (row.vertex, difference)));
        }
        all.sort_by_key(|(vertex, _)| *vertex);
        Ok(all)
    }
}

/// True for the same bits, and for two NaNs: texts have one.
pub fn same(one: u32, other: u32) -> bool {
    one == other || f32::from_bits(one).is_nan() && f32::from_bits(other).is_nan()
}

//! Vertices as JSON: an object of lists, one for each input, or a list of records, one for each vertex.

use super::registers::{file, register, register_names};
use super::{Column, Vertices};
use crate::codes::{JSON_SHAPE, UNKNOWN_REGISTER};
use crate::value::{self, bad_number};
use gpuzoo_diag::{Diagnostic, File, Span, counted};
use gpuzoo_ir::{Vec4, vec4};
use gpuzoo_isa::{FileKind, Isa, RegFile};
use gpuzoo_machine::json;
use gpuzoo_machine::options::settings::{Setting, Table, Value};

/// Reads `{"in0": [[x, y, z, w], …], …}`, `[{"in0": [x, y, z, w], …}, …]`, or such records one after the other; or one of these
/// as `vertices` of an object that has `constants`, too.
///
/// A list of fewer than four components is filled up from (0, 0, 0, 1). A record's `vertex` is passed over.
///
/// # Errors
/// The first mistake.
pub fn vertices(isa: &Isa, text: &File) -> Result<Vertices<'static>, Diagnostic> {
    piece(isa, text, &mut None)
}

/// As [`vertices`], for a piece of a list of records; those of later pieces have the inputs of the first record.
pub(super) fn piece(
    isa: &Isa,
    text: &File,
    inputs: &mut Option<Vec<u16>>,
) -> Result<Vertices<'static>, Diagnostic> {
    let Some((_, own)) = file(isa, |kind| kind == FileKind::Input) else { return Ok(Vertices::nothing()) };
    let reader = Reader { text, inputs: own };
    let whole = json::parse(text)?;
    match part(&whole, VERTICES)? {
        Some(own) => reader.vertices(own, inputs),
        None => Ok(Vertices::nothing()),
    }
}

/// The parts of an object that has all that a run is given.
pub(super) const VERTICES: &str = "vertices";
pub(super) const CONSTANTS: &str = "constants";

/// One of both parts of an object, if it has them; else the whole.
pub(super) fn part<'a>(whole: &'a Setting, wanted: &str) -> Result<Option<&'a Setting>, Diagnostic> {
    let Value::Table(table) = &whole.value else { return Ok(Some(whole)) };
    let is_part = |name: &str| [VERTICES, CONSTANTS].contains(&name);
    if !table.entries.iter().any(|(name, ..)| is_part(name)) {
        return Ok(Some(whole));
    }
    match table.entries.iter().find(|(name, ..)| !is_part(name)) {
        Some((name, span, _)) => {
            let message = format!("`{name}` is neither `{VERTICES}` nor `{CONSTANTS}`, which are beside it");
            Err(Diagnostic::error(&JSON_SHAPE, message).label(*span, ""))
        }
        None => Ok(table.get(wanted)),
    }
}

/// True for the beginning of a JSON text that has all that a run is given: its first name is that of a part.
///
/// ```
/// use gpuzoo::run::has_all_inputs;
/// assert!(has_all_inputs(b"{ \"vertices\": [], \"constants\": {} }"));
/// assert!(!has_all_inputs(b"[{\"in0\": [1]}]"));
/// ```
pub fn has_all(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let name = text
        .trim_ascii_start()
        .strip_prefix(b"{")
        .and_then(|text| text.trim_ascii_start().strip_prefix(b"\""));
    let is = |part: &str| {
        name.and_then(|name| name.strip_prefix(part.as_bytes())).is_some_and(|rest| rest.starts_with(b"\""))
    };
    is(VERTICES) || is(CONSTANTS)
}

fn is_column(setting: &Setting) -> bool {
    let nested = |setting: &Setting| matches!(setting.value, Value::List(_));
    matches!(&setting.value, Value::List(list) if list.is_empty() || list.iter().any(nested))
}

/// The problem of a value that is another than what is expected. The first line of it is marked: the whole may be thousands.
fn shape(text: &File, setting: &Setting, message: impl Into<String>) -> Diagnostic {
    let length = text.slice(setting.span).lines().next().map_or(0, str::len);
    let place = Span { end: setting.span.start + length as u32, ..setting.span };
    Diagnostic::error(&JSON_SHAPE, message).label(place, format!("this is {}", setting.value.kind()))
}

struct Reader<'a> {
    text: &'a File,
    inputs: &'a RegFile,
}

impl Reader<'_> {
    fn vertices(
        &self,
        whole: &Setting,
        inputs: &mut Option<Vec<u16>>,
    ) -> Result<Vertices<'static>, Diagnostic> {
        match &whole.value {
            Value::List(records) => self.records(records, inputs),
            // Lists of lists are columns; lists of numbers are one record.
            Value::Table(table) if table.entries.iter().any(|(.., setting)| is_column(setting)) => {
                self.columns(table)
            }
            Value::Table(_) => self.records(std::slice::from_ref(whole), inputs),
            _ => Err(shape(self.text, whole, "expected an object or a list of records")),
        }
    }

    fn columns(&self, table: &Table) -> Result<Vertices<'static>, Diagnostic> {
        let mut columns: Vec<(u16, Vec<Vec4>)> = Vec::new();
        let mut count = None;
        for (name, span, setting) in &table.entries {
            let Value::List(list) = &setting.value else {
                return Err(shape(self.text, setting, "expected a list of vertices"));
            };
            let input = self.input(name, *span)?;
            let length = *count.get_or_insert(list.len());
            if list.len() != length {
                let message =
                    format!("`{name}` has {}, those before it {length}", counted(list.len(), "vertex"));
                return Err(shape(self.text, setting, message));
            }
            let column =
                list.iter().map(|setting| components(self.text, setting)).collect::<Result<_, _>>()?;
            columns.retain(|(known, _)| *known != input);
            columns.push((input, column));
        }
        columns.sort_by_key(|(input, _)| *input);
        let column = |(input, values): (u16, Vec<Vec4>)| Column {
            input,
            values: values.as_flattened().to_vec().into(),
            stride: 4,
            components: 4,
        };
        let columns = columns.into_iter().map(column).collect();
        Ok(Vertices::Columns { count: count.unwrap_or(0), columns })
    }

    fn records(
        &self,
        records: &[Setting],
        inputs: &mut Option<Vec<u16>>,
    ) -> Result<Vertices<'static>, Diagnostic> {
        if let [Setting { value: Value::List(_), span }, second, ..] = records
            && self.text.text()[..span.start as usize].trim_start_matches('\u{feff}').trim().is_empty()
        {
            return Err(shape(self.text, second, "expected the end behind the list of records"));
        }
        let mut values = Vec::new();
        for record in records {
            let Value::Table(table) = &record.value else {
                return Err(shape(self.text, record, "expected a record"));
            };
            let mut vertex: Vec<(u16, Vec4)> = Vec::new();
            for (name, span, setting) in table.entries.iter().filter(|(name, ..)| name != "vertex") {
                let input = self.input(name, *span)?;
                vertex.retain(|(known, _)| *known != input);
                vertex.push((input, components(self.text, setting)?));
            }
            vertex.sort_by_key(|(input, _)| *input);
            let given: Vec<u16> = vertex.iter().map(|(input, _)| *input).collect();
            if *inputs.get_or_insert_with(|| given.clone()) != given {
                let message = "this record has other inputs than the first one";
                return Err(Diagnostic::error(&JSON_SHAPE, message).label(record.span, ""));
            }
            values.extend(vertex.into_iter().map(|(_, value)| value));
        }
        Ok(Vertices::of_rows(records.len(), inputs.as_deref().unwrap_or_default(), &values))
    }

    fn input(&self, name: &str, span: Span) -> Result<u16, Diagnostic> {
        register(self.inputs, name).ok_or_else(|| {
            let problem = Diagnostic::error(&UNKNOWN_REGISTER, format!("there is no input `{name}`"));
            problem.label(span, "").help(register_names(self.inputs))
        })
    }
}

/// One to four components.
pub(super) fn components(text: &File, setting: &Setting) -> Result<Vec4, Diagnostic> {
    let list = match &setting.value {
        Value::List(list) if (1..=4).contains(&list.len()) => list,
        Value::List(list) => {
            let problem = Diagnostic::error(
                &JSON_SHAPE,
                format!("expected one to four components, found {}", list.len()),
            );
            return Err(problem.label(setting.span, ""));
        }
        _ => return Err(shape(text, setting, "expected a list of components")),
    };
    let mut components = vec4([0.0, 0.0, 0.0, 1.0]);
    for (component, setting) in components.iter_mut().zip(list) {
        *component = number(text, setting)?;
    }
    Ok(components)
}

/// A number, or a text that is one. It is read from its digits, so that it is rounded only once.
fn number(text: &File, setting: &Setting) -> Result<u32, Diagnostic> {
    let digits = match &setting.value {
        Value::Text(text) => text,
        Value::Int(_) | Value::Float(_) => text.slice(setting.span),
        _ => return Err(shape(text, setting, "expected a number")),
    };
    value::parse(digits)
        .ok_or_else(|| bad_number(text, setting.span.start as usize, text.slice(setting.span)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::unit;

    fn read(text: &str) -> Result<(Vec<u16>, Vec<Vec4>), Diagnostic> {
        match vertices(unit().isa(), &File::new("t.json", text))? {
            Vertices::Buffer { .. } => panic!("columns"),
            vertices => Ok(crate::run::rows(&vertices)),
        }
    }

    #[test]
    fn columns_and_records_say_the_same() {
        let expected = vec![
            vec4([1.0, 2.0, 3.0, 1.0]),
            vec4([5.0, 0.0, 0.0, 1.0]),
            vec4([-1.0, 0.5, 0.0, f32::INFINITY]),
            vec4([6.0, 7.0, 0.0, 1.0]),
        ];
        for text in [
            r#"{"v1": [[5], [6, 7]], "v0": [[1, 2, 3], [-1, "0x3f000000", 0, "inf"]]}"#,
            r#"[{"in0": [1, 2, 3], "in1": [5]}, {"in1": [6, 7], "in0": [-1, 0.5, 0, "inf"]}]"#,
            "{\"in0\": [1, 2, 3], \"1\": [5]}\n{\"in0\": [-1, 5e-1, 0, \"inf\"], \"1\": [6, 7]}",
        ] {
            assert_eq!(read(text), Ok((vec![0, 1], expected.clone())), "{text}");
        }
        assert_eq!(read(r#"{"in0": [1, 2]}"#), Ok((vec![0], vec![vec4([1.0, 2.0, 0.0, 1.0])])));
        assert_eq!(read("[]"), Ok((vec![], vec![])));
    }

    #[test]
    fn decimal_numbers_are_rounded_once() {
        // Halfway between 1 and the next float, and a little more: through f64 it would round to 1.
        let text = r#"{"in0": [1.00000005960464477540]}"#;
        assert_eq!(read(text).unwrap().1[0][0], 0x3f80_0001);
    }

    #[test]
    fn mistakes_are_shown_where_they_stand() {
        for (text, code, at) in [
            ("3", "G0205", 0),
            ("[3]", "G0205", 1),
            (r#"{"in9": [[1]]}"#, "G0206", 2),
            (r#"{"in0": [[1]], "in1": [[1], [2]]}"#, "G0205", 22),
            (r#"{"in0": [[1, 2, 3, 4, 5]]}"#, "G0205", 9),
            (r#"{"in0": [["x"]]}"#, "G0203", 10),
            (r#"{"in0": [[[]]]}"#, "G0205", 10),
            (r#"[{"in0": [1]}, {"in1": [1]}]"#, "G0205", 15),
        ] {
            let problem = read(text).unwrap_err();
            assert_eq!((problem.code.id, problem.span().unwrap().start), (code, at), "{text}");
        }
    }
}

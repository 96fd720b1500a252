//! Text to functions.

use super::cursor::{Cursor, Parsed, number_in, quote};
use crate::codes;
use crate::function::{Function, Inst, Origin, Value};
use crate::verify::verify;
use gpuzoo_diag::{Diagnostic, File, MAX_SOURCE_BYTES, Span, has_errors, suggest};
use std::collections::{BTreeMap, HashMap};

/// After so many errors the rest of the text is not read.
pub const MAX_ERRORS: usize = 1000;

/// Reads the text form.
///
/// All errors are reported, one a line at most. If there are any, the function holds constant zeros for the lines
/// that could not be read, and is not to be used; if there are none, it verifies.
///
/// Texts of more than [`MAX_SOURCE_BYTES`] are not read, nor is what follows the first [`MAX_ERRORS`] errors.
///
/// ```
/// use gpuzoo_diag::File;
/// use gpuzoo_ir::{eval, text, vec4};
///
/// let file = File::new("double.ir", "v0 = input 0\nv1 = fadd v0, v0\noutput 0 = v1\n");
/// let (f, diagnostics) = text::parse(&file);
/// assert!(diagnostics.is_empty());
/// assert_eq!(eval::outputs(&f, &[vec4([1.0, 2.0, 3.0, -0.0])], &[]), [vec4([2.0, 4.0, 6.0, -0.0])]);
/// assert_eq!(f.to_string(), file.text());
/// ```
pub fn parse(file: &File) -> (Function, Vec<Diagnostic>) {
    if file.text().len() > MAX_SOURCE_BYTES {
        let message = format!("the text is {} bytes long, more than {MAX_SOURCE_BYTES}", file.text().len());
        return (
            Function::default(),
            vec![Diagnostic::error(&codes::TOO_LONG, message).label(file.span(0..0), "")],
        );
    }
    let mut parser = Parser::default();
    let mut diagnostics = Vec::new();
    let mut at = 0;
    for line in file.text().split_inclusive('\n') {
        if let Err(error) = parser.line(&mut Cursor::new(file, at, line)) {
            diagnostics.push(*error);
            if diagnostics.len() == MAX_ERRORS {
                let message = format!("{MAX_ERRORS} errors: the rest is not read");
                let end = file.span(at + line.len()..at + line.len());
                diagnostics.push(Diagnostic::error(&codes::TOO_MANY, message).label(end, ""));
                break;
            }
        }
        at += line.len();
    }
    let mut function = parser.function;
    function.outputs = parser.outputs.into_iter().map(|(index, (value, _))| (index, value)).collect();
    debug_assert!(has_errors(&diagnostics) || verify(&function).is_ok());
    (function, diagnostics)
}

/// What was read so far.
#[derive(Default)]
pub(super) struct Parser {
    function: Function,
    /// The values by their numbers in the text, and where they are defined.
    names: HashMap<u32, (Value, Span)>,
    outputs: BTreeMap<u16, (Value, Span)>,
}

impl Parser {
    fn line(&mut self, cursor: &mut Cursor) -> Parsed<()> {
        if cursor.is_empty() {
            return Ok(());
        }
        let word = cursor.peek_word();
        if word == "output" {
            return self.output(cursor);
        }
        if !is_value(word) {
            let error = cursor.unexpected("`v0 = …` or `output 0 = …`");
            let near = suggest::nearest(word, ["output"]);
            return Err(Box::new(
                near.iter().fold(*error, |error, near| error.help(format!("did you mean `{near}`?"))),
            ));
        }
        let (name, span) = value_name(cursor)?;
        let read = self.instruction(cursor);
        // A line that cannot be read still defines its value, so that its uses are not reported as well.
        let (inst, origin) = *read.as_ref().unwrap_or(&(Inst::Const([0; 4]), None));
        let value = Value(self.function.insts.len() as u32);
        self.function.insts.push(inst);
        self.function.origins.push(origin);
        let first = *self.names.entry(name).or_insert((value, span));
        read?;
        if first.0 == value {
            Ok(())
        } else {
            Err(twice(&codes::DEFINED_TWICE, &format!("v{name}"), span, first.1))
        }
    }

    fn output(&mut self, cursor: &mut Cursor) -> Parsed<()> {
        let keyword = cursor.word().1;
        let index = number16(cursor, "the number of the output")?;
        cursor.expect('=')?;
        let (value, span) = self.value(cursor)?;
        cursor.expect_end()?;
        let here = keyword.to(span);
        match self.outputs.insert(index, (value, here)) {
            None => Ok(()),
            Some((_, first)) => Err(twice(&codes::OUTPUT_TWICE, &format!("output {index}"), here, first)),
        }
    }

    /// What follows the name of the value.
    fn instruction(&self, cursor: &mut Cursor) -> Parsed<(Inst, Origin)> {
        cursor.expect('=')?;
        let inst = if is_value(cursor.peek_word()) { self.shuffle(cursor)? } else { self.operation(cursor)? };
        let origin = match cursor.eat('@') {
            true => Some(cursor.number("the number of a machine instruction", u32::MAX)?),
            false => None,
        };
        cursor.expect_end()?;
        Ok((inst, origin))
    }

    /// A value that was defined above.
    pub(super) fn value(&self, cursor: &mut Cursor) -> Parsed<(Value, Span)> {
        let (name, span) = value_name(cursor)?;
        match self.names.get(&name) {
            Some(&(value, _)) => Ok((value, span)),
            None => {
                let message = format!("v{name} is not defined above this line");
                Err(Box::new(Diagnostic::error(&codes::UNDEFINED, message).label(span, "not defined yet")))
            }
        }
    }

    /// `N` values with commas between them.
    pub(super) fn values<const N: usize>(&self, cursor: &mut Cursor) -> Parsed<[Value; N]> {
        let mut values = [Value(0); N];
        for (index, value) in values.iter_mut().enumerate() {
            if index > 0 {
                cursor.expect(',')?;
            }
            *value = self.value(cursor)?.0;
        }
        Ok(values)
    }
}

/// `v` and a digit, followed by anything.
fn is_value(word: &str) -> bool {
    word.strip_prefix('v').is_some_and(|number| number.starts_with(|first: char| first.is_ascii_digit()))
}

/// `v12`, as a number.
fn value_name(cursor: &mut Cursor) -> Parsed<(u32, Span)> {
    if !is_value(cursor.peek_word()) {
        return Err(cursor.unexpected("a value such as `v0`"));
    }
    let (word, span) = cursor.word();
    match number_in(&word[1..], u32::MAX) {
        Some(name) => Ok((name, span)),
        None => {
            let message = format!("{} is not a value: the number is wrong or too large", quote(word));
            Err(Box::new(
                Diagnostic::error(&codes::NUMBER, message).label(span, "expected a value such as `v0`"),
            ))
        }
    }
}

pub(super) fn number16(cursor: &mut Cursor, what: &str) -> Parsed<u16> {
    cursor.number(what, u16::MAX.into()).map(|number| number as u16)
}

fn twice(code: &'static gpuzoo_diag::Code, what: &str, here: Span, first: Span) -> Box<Diagnostic> {
    let message = format!("{what} is there already");
    Box::new(Diagnostic::error(code, message).label(here, "again here").label(first, "first here"))
}

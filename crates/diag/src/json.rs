//! Diagnostics as JSON lines, for editors and scripts.
//!
//! A fix has a `title`, `edits`, and an `applicability`: `machine-applicable` for what a program may apply, `maybe-incorrect`
//! for what somebody has to look at.
//!
//! Each line is an object with `severity`, `code`, `message`, `labels`, `notes`, `help` and `fixes`. A place has
//! `file`, `start` and `end` in bytes, and `line`, `column` and `column_utf16` counted from 1 (`end_line` and so on
//! for its end); a place in a binary file has no line. Texts are shortened where they quote a name of more than 200
//! characters; names of files, places and replacements are exact.
//!
//! Other results are structs with `Serialize`, too: [`text`] and [`pretty`] are their JSON.

use crate::words::{message, printable_json};
use crate::{Diagnostic, Sources, Span};
use serde::{Serialize, Serializer};

/// A diagnostic with its places.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Problem<'a> {
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// The id of its code: `D0102`.
    pub code: &'static str,
    /// The message. Names of more than 200 characters are shortened.
    pub message: String,
    /// The places that it is about, the primary one first.
    pub labels: Vec<Label<'a>>,
    /// More about it, a sentence each.
    pub notes: Vec<String>,
    /// Advice, a sentence each.
    pub help: Vec<String>,
    /// Changes that solve it.
    pub fixes: Vec<Fix<'a>>,
}

/// A place that a diagnostic is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Label<'a> {
    /// The place; none if its file is not known.
    #[serde(flatten)]
    pub place: Option<Place<'a>>,
    /// The text beside the place; may be empty.
    pub text: String,
    /// True for the first place.
    pub primary: bool,
}

/// A change that solves a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Fix<'a> {
    /// The change in words.
    pub title: String,
    /// `machine-applicable` or `maybe-incorrect`.
    pub applicability: &'static str,
    /// The edits, all of which are made.
    pub edits: Vec<Edit<'a>>,
}

/// Bytes of a file that are replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Edit<'a> {
    /// The place; none if its file is not known.
    #[serde(flatten)]
    pub place: Option<Place<'a>>,
    /// The text that comes there, whole.
    pub replacement: &'a str,
}

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Place<'a> {
    /// The file's name.
    pub file: &'a str,
    /// Its first byte, from 0.
    pub start: u64,
    /// The byte behind its last one, from 0.
    pub end: u64,
    /// Lines and columns; none in a binary file.
    #[serde(flatten)]
    pub lines: Option<Lines>,
}

/// Lines and columns of a place, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Lines {
    /// The line of its start.
    pub line: usize,
    /// The column of its start, in bytes.
    pub column: usize,
    /// The same in units of UTF-16.
    pub column_utf16: usize,
    /// The line of its end.
    pub end_line: usize,
    /// The column of its end, in bytes.
    pub end_column: usize,
    /// The same in units of UTF-16.
    pub end_column_utf16: usize,
}

/// One line for each diagnostic, each ended by a line break.
pub fn lines(sources: &Sources, diagnostics: &[Diagnostic]) -> String {
    let line = |diagnostic| format!("{}\n", printable_json(&text(&problem(sources, diagnostic))));
    diagnostics.iter().map(line).collect()
}

/// Each diagnostic with its places.
pub fn problems<'a>(sources: &'a Sources, diagnostics: &'a [Diagnostic]) -> Vec<Problem<'a>> {
    diagnostics.iter().map(|diagnostic| problem(sources, diagnostic)).collect()
}

/// One diagnostic with its places.
pub fn problem<'a>(sources: &'a Sources, diagnostic: &'a Diagnostic) -> Problem<'a> {
    let labels = diagnostic.labels.iter().enumerate().map(|(index, label)| Label {
        place: place(sources, label.span),
        text: message(&label.text),
        primary: index == 0,
    });
    let fixes = diagnostic.fixes.iter().map(|fix| Fix {
        title: message(&fix.title),
        applicability: fix.applicability.name(),
        edits: fix
            .edits
            .iter()
            .map(|edit| Edit { place: place(sources, edit.span), replacement: &edit.text })
            .collect(),
    });
    Problem {
        severity: diagnostic.severity.name(),
        code: diagnostic.code.id,
        message: message(&diagnostic.message),
        labels: labels.collect(),
        notes: messages(&diagnostic.notes),
        help: messages(&diagnostic.help),
        fixes: fixes.collect(),
    }
}

fn messages(texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| message(text)).collect()
}

fn place(sources: &Sources, span: Span) -> Option<Place<'_>> {
    let file = sources.find(span.file)?;
    let lines = (!file.is_binary()).then(|| {
        let (start, end) = (file.place(span.start), file.place(span.end));
        Lines {
            line: start.line,
            column: start.column,
            column_utf16: start.column_utf16,
            end_line: end.line,
            end_column: end.column,
            end_column_utf16: end.column_utf16,
        }
    });
    Some(Place { file: file.name(), start: file.offset(span.start), end: file.offset(span.end), lines })
}

/// A result as JSON on one line.
///
/// ```
/// assert_eq!(gpuzoo_diag::json::text(&[Some(1), None]), "[1,null]");
/// ```
pub fn text(result: &(impl Serialize + ?Sized)) -> String {
    // Nothing but a map whose keys are no texts, which no result has, fails.
    serde_json::to_string(result).unwrap_or_default()
}

/// A result as JSON over several lines, indented by two spaces.
///
/// ```
/// assert_eq!(gpuzoo_diag::json::pretty(&[1]), "[\n  1\n]");
/// ```
pub fn pretty(result: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string_pretty(result).unwrap_or_default()
}

/// Writes names with values as an object, in their order: for fields with `#[serde(serialize_with)]`.
///
/// ```
/// #[derive(serde::Serialize)]
/// struct Found(#[serde(serialize_with = "gpuzoo_diag::json::object")] Vec<(&'static str, u32)>);
/// assert_eq!(gpuzoo_diag::json::text(&Found(vec![("b", 1), ("a", 2)])), r#"{"b":1,"a":2}"#);
/// ```
///
/// # Errors
/// Those of the serializer.
pub fn object<K: Serialize, V: Serialize, S: Serializer>(pairs: &[(K, V)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

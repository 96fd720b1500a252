//! Diagnostics as JSON lines, for editors and scripts.
//!
//! A fix has a `title`, `edits`, and an `applicability`: `machine-applicable` for what a program may apply, `maybe-incorrect`
//! for what somebody has to look at.
//!
//! Each line is an object with `severity`, `code`, `message`, `labels`, `notes`, `help` and `fixes`. A place has
//! `file`, `start` and `end` in bytes, and `line`, `column` and `column_utf16` counted from 1 (`end_line` and so on
//! for its end); a place in a binary file has no line. Texts are shortened where they quote a name of more than 200
//! characters; names of files, places and replacements are exact.

use crate::words::{message, printable_json};
use crate::{Diagnostic, Sources, Span};
use serde_json::{Map, Value, json};

/// One line for each diagnostic, each ended by a line break.
pub fn lines(sources: &Sources, diagnostics: &[Diagnostic]) -> String {
    let line = |diagnostic| format!("{}\n", printable_json(&value(sources, diagnostic).to_string()));
    diagnostics.iter().map(line).collect()
}

/// One diagnostic as a JSON object.
pub fn value(sources: &Sources, diagnostic: &Diagnostic) -> Value {
    let labels = diagnostic.labels.iter().enumerate().map(|(index, label)| {
        let mut place = place(sources, label.span);
        place.insert("text".into(), json!(message(&label.text)));
        place.insert("primary".into(), json!(index == 0));
        Value::Object(place)
    });
    let fixes = diagnostic.fixes.iter().map(|fix| {
        let edits = fix.edits.iter().map(|edit| {
            let mut place = place(sources, edit.span);
            place.insert("replacement".into(), json!(edit.text));
            Value::Object(place)
        });
        json!({
            "title": message(&fix.title),
            "applicability": fix.applicability.name(),
            "edits": edits.collect::<Vec<_>>(),
        })
    });
    json!({
        "severity": diagnostic.severity.name(),
        "code": diagnostic.code.id,
        "message": message(&diagnostic.message),
        "labels": labels.collect::<Vec<_>>(),
        "notes": messages(&diagnostic.notes),
        "help": messages(&diagnostic.help),
        "fixes": fixes.collect::<Vec<_>>(),
    })
}

fn messages(texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| message(text)).collect()
}

fn place(sources: &Sources, span: Span) -> Map<String, Value> {
    let mut map = Map::new();
    let Some(file) = sources.find(span.file) else { return map };
    map.insert("file".into(), json!(file.name()));
    map.insert("start".into(), json!(file.offset(span.start)));
    map.insert("end".into(), json!(file.offset(span.end)));
    if !file.is_binary() {
        for (prefix, offset) in [("", span.start), ("end_", span.end)] {
            let place = file.place(offset);
            map.insert(format!("{prefix}line"), json!(place.line));
            map.insert(format!("{prefix}column"), json!(place.column));
            map.insert(format!("{prefix}column_utf16"), json!(place.column_utf16));
        }
    }
    map
}

//! Diagnostics, and the fixes that they carry.

use crate::lsp::document::{Analysis, Document};
use crate::lsp::message::{ErrorCode, Failed};
use crate::lsp::request::{Answer, Request};
use crate::wire::uri::uri_of;
use gpuzoo::diag::{Applicability, Diagnostic, Fix, Severity};
use serde_json::{Map, Value as Json, json};

/// All that is wrong or suspicious.
pub(crate) fn all(document: &Document, analysis: &Analysis) -> Json {
    analysis.problems.iter().map(|problem| shown(problem, document, analysis)).collect()
}

/// A diagnostic. What lies in another file is shown at the beginning of the document, with a link to the place.
fn shown(problem: &Diagnostic, document: &Document, analysis: &Analysis) -> Json {
    let own = problem.labels.iter().find_map(|label| Some((label, analysis.bytes(label.span, document)?)));
    let bytes = own.as_ref().map_or(0..0, |(_, bytes)| bytes.clone());
    let severity = match problem.severity {
        Severity::Error => 1,
        Severity::Warning => 2,
        Severity::Note => 3,
    };
    let mut message = problem.message.clone();
    let label = own.as_ref().map_or("", |(label, _)| &label.text);
    let notes = problem.notes.iter().map(|note| format!("note: {note}"));
    let help = problem.help.iter().map(|help| format!("help: {help}"));
    for line in std::iter::once(label.to_owned()).chain(notes).chain(help).filter(|line| !line.is_empty()) {
        message += "\n";
        message += &line;
    }
    let others = problem.labels.iter().filter(|other| own.as_ref().is_none_or(|(label, _)| *other != *label));
    let related = others.filter_map(|label| {
        let location = match analysis.bytes(label.span, document) {
            Some(bytes) => json!({ "uri": document.uri, "range": document.text.range(bytes) }),
            None => {
                let file = analysis.sources.find(label.span.file)?;
                let place = |offset| {
                    let place = file.place(offset);
                    json!({ "line": place.line - 1, "character": place.column_utf16 - 1 })
                };
                let range = json!({ "start": place(label.span.start), "end": place(label.span.end) });
                json!({ "uri": uri_of(&analysis.beside(file.name())), "range": range })
            }
        };
        let text = if label.text.is_empty() { &problem.message } else { &label.text };
        Some(json!({ "location": location, "message": text }))
    });
    json!({
        "range": document.text.range(bytes),
        "severity": severity,
        "code": problem.code.id,
        "source": "gpuzoo",
        "message": message,
        "relatedInformation": related.collect::<Json>(),
    })
}

/// The fixes of what is wrong in a range.
pub(crate) fn actions(request: &Request) -> Answer {
    let Request { document, analysis, params, .. } = *request;
    let range = params.get("range").and_then(|range| document.text.bytes(range));
    let range = range.ok_or_else(|| Failed::new(ErrorCode::InvalidParams, "a range is needed"))?;
    let only = params.pointer("/context/only").and_then(Json::as_array);
    if only.is_some_and(|kinds| !kinds.iter().any(|kind| kind == "quickfix")) {
        return Ok(json!([]));
    }
    let touched = analysis.problems.iter().filter(|problem| {
        let places = problem.labels.iter().filter_map(|label| analysis.bytes(label.span, document));
        let edits = problem.fixes.iter().flat_map(|fix| &fix.edits);
        let edits = edits.filter_map(|edit| analysis.bytes(edit.span, document));
        places.chain(edits).any(|own| own.start <= range.end && range.start <= own.end)
    });
    let actions = touched.flat_map(|problem| problem.fixes.iter().map(move |fix| (problem, fix)));
    let actions = actions.filter_map(|(problem, fix)| {
        Some(json!({
            "title": fix.title,
            "kind": "quickfix",
            "isPreferred": fix.applicability == Applicability::MachineApplicable,
            "diagnostics": [shown(problem, document, analysis)],
            "edit": { "changes": edits(fix, document, analysis)? },
        }))
    });
    Ok(actions.collect())
}

/// The edits of a fix by documents; none for one that changes other files, whose state the editor knows better.
fn edits(fix: &Fix, document: &Document, analysis: &Analysis) -> Option<Json> {
    let edit = |edit: &gpuzoo::diag::Edit| {
        let bytes = analysis.bytes(edit.span, document)?;
        Some(json!({ "range": document.text.range(bytes), "newText": edit.text }))
    };
    let edits: Option<Vec<Json>> = fix.edits.iter().map(edit).collect();
    Some(Map::from_iter([(document.uri.clone(), edits?.into())]).into())
}

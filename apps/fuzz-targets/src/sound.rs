//! What holds for every message.

use gpuzoo_diag::{Diagnostic, Diagnostics, Sources, Span, json, render};

/// Every place lies in its file, between characters. The last message can be shown, which is most of the time of an input that
/// has one.
pub(crate) fn sound(sources: &Sources, diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        let edits = diagnostic.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
        for span in diagnostic.labels.iter().map(|label| label.span).chain(edits) {
            let Span { file, start, end } = span;
            let file = sources.find(file).expect("a file of ours");
            assert!(start <= end, "{diagnostic:?}");
            assert!(file.is_binary() || file.text().get(span.range()).is_some(), "{diagnostic:?}");
        }
    }
    let shown = diagnostics.last().map(std::slice::from_ref).unwrap_or_default();
    render::human(sources, shown, &render::Style::plain());
    json::lines(sources, shown);
}

/// A result, or a message that is sound.
pub(crate) fn ok<T>(sources: &Sources, result: Result<T, Diagnostic>) -> Option<T> {
    result.map_err(|problem| sound(sources, &[problem])).ok()
}

/// A result, or messages that are sound.
pub(crate) fn all<T>(result: Result<T, Diagnostics>) -> Option<T> {
    result.map_err(|problems| sound(&problems.sources, &problems.list)).ok()
}

//! What holds for every message.

use crate::bytes::Bytes;
use gpuzoo::codes::NO_SUCH_GPU;
use gpuzoo_diag::{Diagnostic, Diagnostics, Severity, Sources, Span, json, render};

/// Every place lies in its file, between characters. That such messages can be shown is for [`messages`]: to show them would
/// take most of the time of an input that has some.
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
}

/// A result, or a message that is sound.
pub(crate) fn ok<T>(sources: &Sources, result: Result<T, Diagnostic>) -> Option<T> {
    result.map_err(|problem| sound(sources, &[problem])).ok()
}

/// A result, or messages that are sound.
pub(crate) fn all<T>(result: Result<T, Diagnostics>) -> Option<T> {
    result.map_err(|problems| sound(&problems.sources, &problems.list)).ok()
}

/// Messages with any sound places in any text, and in a binary, can be shown in all forms.
pub(crate) fn messages(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let places: Vec<[u8; 5]> = (0..bytes.below(6) + 1).map(|_| [(); 5].map(|()| bytes.byte())).collect();
    let text = String::from_utf8_lossy(bytes.rest());
    let mut sources = Sources::default();
    let ids = [sources.add("text", &text), sources.add("other", "one\ntwo"), sources.add_binary("binary")];
    let severity = [Severity::Error, Severity::Warning, Severity::Note][usize::from(places[0][4]) % 3];
    // What a text says is in messages about it.
    let said: String = text.chars().take(9).collect();
    let mut problem = Diagnostic::new(severity, &NO_SUCH_GPU, format!("`{said}` is wrong")).help(&said);
    for [kind, start, length, page, _] in places {
        let file = ids[usize::from(kind) % 4 % ids.len()];
        let text = sources.get(file).text();
        let at = |offset: usize| text.floor_char_boundary(offset) as u32;
        let start = usize::from(start) | usize::from(page) << 8;
        let span = Span { file, start: at(start), end: at(start + usize::from(length)) };
        problem = match kind / 4 % 4 {
            0 => problem.fix("replace it", span, &said),
            1 => problem.label(span, &said),
            _ => problem.label(span, ""),
        };
    }
    let problems = [problem];
    sound(&sources, &problems);
    let plain = render::human(&sources, &problems, &render::Style::plain());
    assert!(!plain.contains(|letter: char| letter.is_control() && letter != '\n'), "{plain:?}");
    render::human(&sources, &problems, &render::Style { width: 10, ..render::Style::colored() });
    let lines = [render::short(&sources, &problems), json::lines(&sources, &problems)];
    assert!(lines.iter().all(|line| !line.is_empty()));
}

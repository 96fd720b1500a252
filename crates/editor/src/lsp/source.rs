//! Sources in shading languages: how many slots of the machine's program each line became.

use crate::lsp::answer::{Shown, block};
use crate::lsp::request::{Answer, Request};
use gpuzoo::check;
use gpuzoo::diag::counted;
use serde_json::json;
use std::collections::BTreeMap;
use std::ops::Range;

/// The slots of each line, by the line's number; nothing for a source with errors.
fn slots(request: &Request) -> BTreeMap<usize, Vec<usize>> {
    let Request { document, analysis, .. } = request;
    let mut of_lines: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let slots = analysis.program.iter().flat_map(|program| &program.code().slots).enumerate();
    for (at, slot) in slots {
        if let Some(Range { start, .. }) = analysis.bytes(slot.span, document) {
            of_lines.entry(document.text.place(start).0).or_default().push(at);
        }
    }
    of_lines
}

/// What the line at a byte became: how many slots, and their text.
pub(crate) fn hover(request: &Request, at: usize) -> Option<Shown> {
    let Request { document, analysis, .. } = request;
    let program = analysis.program.as_ref()?;
    let line = document.text.place(at).0;
    let own = slots(request).remove(&line)?;
    let all = &program.code().slots;
    let mut text =
        format!("{}: {} of {}\n", program.gpu().about().name, counted(own.len(), "slot"), all.len());
    for at in own {
        text.push('\n');
        program.isa().print_slot(&all[at], &mut text);
    }
    Some((block(&text), document.text.line(line)))
}

/// How many slots each line became, behind it; and what the whole program takes, behind the first.
pub(crate) fn hints(request: &Request) -> Answer {
    let Request { document, analysis, params, .. } = request;
    let text = &document.text;
    let wanted = params.get("range").and_then(|range| text.bytes(range)).unwrap_or(0..text.all().len());
    let behind = |line: usize| json!({ "line": line, "character": text.place(text.line(line).end).1 });
    let is_wanted = |line: usize| (wanted.start..=wanted.end).contains(&text.line(line).end);
    let mut hints = Vec::new();
    if let Some(program) = analysis.program.as_ref().filter(|_| wanted.start == 0) {
        let figures = check::figures(program).text();
        let label = figures.lines().next().unwrap_or_default();
        hints.push(json!({ "position": behind(0), "label": label, "tooltip": figures.trim_end(), "paddingLeft": true }));
    }
    for (line, own) in slots(request).into_iter().filter(|(line, _)| is_wanted(*line)) {
        hints.push(
            json!({ "position": behind(line), "label": counted(own.len(), "slot"), "paddingLeft": true }),
        );
    }
    Ok(hints.into())
}

//! Diagnostics in the lines that they are about.

use gpuzoo_diag::{Diagnostic, File, Severity, Sources};
use gpuzoo_report::Html;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The most lines of a file that are shown; of a longer one those around what is said.
pub const MOST_LINES: usize = 5_000;
/// Lines around those that have something said about them.
const AROUND: usize = 2;
/// Of a longer line this many bytes are shown.
const LONGEST_LINE: usize = 600;

/// Diagnostics: each file with its lines, what is meant underlined and what is said beneath; `whole` shows all lines of
/// files that have something, else those around it. What has no place comes first.
pub fn messages(html: &mut Html, sources: &Sources, problems: &[Diagnostic], whole: bool) {
    let file_of = |problem: &Diagnostic| {
        let file = problem.span().and_then(|span| sources.find(span.file));
        file.filter(|file| !file.is_binary())
    };
    for problem in problems.iter().filter(|problem| file_of(problem).is_none()) {
        html.node("div", &[("class", "said")], |html| said(html, problem, sources));
    }
    for file in sources.iter() {
        let own: Vec<&Diagnostic> = problems
            .iter()
            .filter(|problem| file_of(problem).is_some_and(|known| known.id() == file.id()))
            .collect();
        if !own.is_empty() {
            html.leaf("h3", &[], file.name());
            listing(html, file, &own, sources, whole);
        }
    }
}

/// One diagnostic in words.
fn said(html: &mut Html, problem: &Diagnostic, sources: &Sources) {
    let class = problem.severity.name();
    html.node("div", &[("class", class)], |html| {
        html.node("p", &[], |html| {
            let about = format!("{}. {}", problem.code.title, problem.code.page);
            html.leaf("b", &[("title", &about)], &format!("{class}[{}]", problem.code.id));
            html.text(": ").text(&problem.message);
        });
        if let Some(first) = problem.labels.first().filter(|label| !label.text.is_empty()) {
            html.leaf("p", &[], &first.text);
        }
        for label in problem.labels.iter().skip(1).filter(|label| !label.text.is_empty()) {
            let place = sources.find(label.span.file).filter(|file| !file.is_binary());
            let place = place.map(|file| format!("line {}: ", file.place(label.span.start).line));
            html.leaf("p", &[], &format!("{}{}", place.unwrap_or_default(), label.text));
        }
        for (head, texts) in [
            ("note: ", problem.notes.iter().collect::<Vec<_>>()),
            ("help: ", problem.help.iter().collect()),
            ("help: ", problem.fixes.iter().map(|fix| &fix.title).collect()),
        ] {
            for text in texts {
                html.leaf("p", &[], &format!("{head}{text}"));
            }
        }
    });
}

fn severity_class(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn listing(html: &mut Html, file: &File, problems: &[&Diagnostic], sources: &Sources, whole: bool) {
    let text = file.text();
    // Of a file that is read piece by piece this may be a later piece.
    let first = file.place(0).line;
    let last = first + text.lines().count().max(1) - 1;
    let line_of = |offset: u32| file.place(offset).line.clamp(first, last);
    // By line: what is marked, and what is said beneath it.
    let mut marks: Vec<(Range<usize>, Severity)> = Vec::new();
    let mut beneath: BTreeMap<usize, Vec<&Diagnostic>> = BTreeMap::new();
    let mut shown: BTreeSet<usize> = BTreeSet::new();
    for problem in problems {
        for label in problem.labels.iter().filter(|label| label.span.file == file.id()) {
            let line = line_of(label.span.start);
            shown.extend(line.saturating_sub(AROUND).max(first)..=(line + AROUND).min(last));
            marks.push((label.span.range(), problem.severity));
        }
        if let Some(span) = problem.span() {
            beneath.entry(line_of(span.start)).or_default().push(problem);
        }
    }
    if whole && last - first < MOST_LINES {
        shown.extend(first..=last);
    }
    marks.sort_by_key(|(range, _)| (range.start, range.end));
    html.node("div", &[("class", "wide"), ("tabindex", "0")], |html| {
        html.node("table", &[("class", "code")], |html| {
            let mut before = first - 1;
            for line in shown.iter().copied().take(MOST_LINES) {
                if line > before + 1 {
                    html.node("tr", &[], |html| {
                        html.leaf("td", &[("class", "at")], "…").leaf("td", &[], "");
                    });
                }
                before = line;
                html.node("tr", &[], |html| {
                    html.leaf("td", &[("class", "at")], &line.to_string());
                    html.node("td", &[], |html| marked(html, file, line, &marks));
                });
                for problem in beneath.get(&line).into_iter().flatten() {
                    html.node("tr", &[("class", "said")], |html| {
                        html.leaf("td", &[], "").node("td", &[], |html| said(html, problem, sources));
                    });
                }
            }
            if shown.len() > MOST_LINES {
                html.node("tr", &[], |html| {
                    let more = format!("and {} more lines", shown.len() - MOST_LINES);
                    html.leaf("td", &[("class", "at")], "…").leaf("td", &[("class", "dim")], &more);
                });
            }
        });
    });
}

/// A line, with what is marked in it.
fn marked(html: &mut Html, file: &File, line: usize, marks: &[(Range<usize>, Severity)]) {
    let all = file.text();
    let text = file.line(line);
    // A part of the whole text; a line that is not there is empty.
    let start = (text.as_ptr() as usize).saturating_sub(all.as_ptr() as usize).min(all.len());
    let end = text.floor_char_boundary(text.len().min(LONGEST_LINE));
    let mut at = 0;
    for (range, severity) in marks {
        let inside = |place: usize| text.floor_char_boundary(place.saturating_sub(start).min(end));
        if range.end < start || range.start > start + text.len() {
            continue;
        }
        let (from, mut to) = (inside(range.start).max(at), inside(range.end));
        // What is empty is shown as the character behind it.
        if range.is_empty() && from < end {
            to = text.ceil_char_boundary((from + 1).min(end));
        }
        if from >= to {
            continue;
        }
        html.text(&text[at..from]);
        html.leaf("mark", &[("class", severity_class(*severity))], &text[from..to]);
        at = to;
    }
    html.text(&text[at..end]);
    if end < text.len() {
        html.leaf("span", &[("class", "dim")], "…");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuzoo_diag::Diagnostic;

    gpuzoo_diag::codes! { BAD = "X0001", "bad", "It is bad."; }

    #[test]
    fn what_is_meant_is_underlined_and_said_beneath() {
        let mut sources = Sources::default();
        let text: String = (1..=9).map(|line| format!("line <{line}>\n")).collect();
        let id = sources.add("a.s", &text);
        // `<5>` is at byte 4 × 9 + 5.
        let problem =
            Diagnostic::warning(&BAD, "a & b").label(sources.get(id).span(41..44), "here").help("so");
        let nowhere = Diagnostic::error(&BAD, "nowhere");
        let mut html = Html::default();
        messages(&mut html, &sources, &[problem.clone(), nowhere], false);
        let shown = html.as_str();
        assert!(shown.contains("line <mark class=\"warning\">&lt;5&gt;</mark></td>"), "{shown}");
        assert!(shown.contains("warning[X0001]</b>: a &amp; b</p><p>here</p><p>help: so</p>"), "{shown}");
        // Two lines on either side, and an error without a place before all of it.
        assert!(
            shown.contains("&lt;3&gt;") && shown.contains("&lt;7&gt;") && !shown.contains("&lt;2&gt;"),
            "{shown}"
        );
        assert!(shown.starts_with("<div class=\"said\"><div class=\"error\">"), "{shown}");
        let mut whole = Html::default();
        messages(&mut whole, &sources, &[problem], true);
        assert!(whole.as_str().contains("&lt;1&gt;") && whole.as_str().contains("&lt;9&gt;"));
    }

    #[test]
    fn places_at_the_end_and_in_long_lines_are_shown() {
        let mut sources = Sources::default();
        let id = sources.add("a.s", &format!("{}\n", "é".repeat(900)));
        let file = sources.get(id);
        for range in [0..0, 1800..1801, 1799..1801, 3..5, 0..1801] {
            let problem = Diagnostic::error(&BAD, "").label(file.span(range), "");
            let mut html = Html::default();
            messages(&mut html, &sources, &[problem], false);
            assert!(html.as_str().contains("<td class=\"at\">1</td>"));
        }
    }
}

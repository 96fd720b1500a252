//! Diagnostics as text.

use crate::excerpt::{BESIDE_EDITS, BESIDE_SPANS, Excerpt, is_short, near, shown};
use crate::words::{message, printable, same_places};
use crate::{Diagnostic, Edit, File, Fix, Severity, Sources, Span};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet};
use std::ops::Range;

/// The longest new text, in bytes, that is shown in its line; of a fix with a longer one only the title is.
const LONGEST_EDIT: usize = 1000;

/// How the text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// ANSI colours.
    pub color: bool,
    /// Columns to fit messages into.
    pub width: usize,
}

impl Style {
    /// No colours, 140 columns.
    pub const fn plain() -> Style {
        Style { color: false, width: 140 }
    }

    /// Colours, 140 columns.
    pub const fn colored() -> Style {
        Style { color: true, width: 140 }
    }
}

/// Diagnostics with the source lines and carets beneath the spans, a blank line after each. Of a line with more than 900
/// bytes before or behind a span, what is around it is shown; where its beginning is cut, the column counts bytes.
pub fn human(sources: &Sources, diagnostics: &[Diagnostic], style: &Style) -> String {
    let renderer = if style.color { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii).term_width(style.width);
    diagnostics.iter().map(|diagnostic| one(sources, diagnostic, &renderer)).collect()
}

/// `file:line:column: error[A0104]: message`, one line each; for editors that parse compilers' output.
pub fn short(sources: &Sources, diagnostics: &[Diagnostic]) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        if let Some(span) = diagnostic.span()
            && let Some(file) = sources.find(span.file)
        {
            text += &format!("{}: ", place(file, span));
        }
        let Diagnostic { severity, code, .. } = diagnostic;
        text += &format!("{}[{}]: {}\n", severity.name(), code.id, message(&diagnostic.message));
    }
    text
}

/// `name:line:column`, or `name@0x10` in a binary file.
fn place(file: &File, span: Span) -> String {
    if file.is_binary() {
        return format!("{}@{:#x}", printable(file.name()), file.offset(span.start));
    }
    let place = file.place(span.start);
    format!("{}:{}:{}", printable(file.name()), place.line, place.column)
}

fn one(sources: &Sources, diagnostic: &Diagnostic, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.clone().primary_title(message(&diagnostic.message)).id(diagnostic.code.id);
    let (mut groups, mut group) = (Vec::new(), Group::with_title(title));
    // The main label's file first, the others in the order of their labels.
    let mut files: Vec<&File> = Vec::new();
    for label in &diagnostic.labels {
        if let Some(file) = sources.find(label.span.file)
            && !files.iter().any(|known| known.id() == file.id())
        {
            files.push(file);
        }
    }
    for file in files {
        let here = diagnostic.labels.iter().enumerate().filter(|(_, label)| label.span.file == file.id());
        if file.is_binary() {
            for (_, label) in here {
                group = group.element(Origin::path(place(file, label.span)));
                if !label.text.is_empty() {
                    group = group.element(Level::NOTE.message(message(&label.text)));
                }
            }
            continue;
        }
        for labels in near(here.map(|label| (shown(file, label.1.span), label))) {
            let excerpt = Excerpt::around(file, labels.iter().map(|(range, _)| range.clone()), BESIDE_SPANS);
            let annotations: Vec<Annotation> = labels
                .iter()
                .map(|(range, (index, label))| {
                    let kind = if *index == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
                    let annotation = kind.span(excerpt.range(range.clone()));
                    if label.text.is_empty() { annotation } else { annotation.label(message(&label.text)) }
                })
                .collect();
            if excerpt.is_cut() {
                // The renderer would count columns from the cut, so the place is said before, without its help.
                let place = labels.first().map(|(range, _)| excerpt.place(range));
                let origin = Origin::path(printable(file.name()));
                group = group.element(match place {
                    Some(place) => origin.line(place.line).char_column(place.column),
                    None => origin,
                });
                groups.push(std::mem::replace(&mut group, Group::with_level(level.clone())));
                group = group.element(excerpt.snippet().annotations(annotations));
            } else {
                group =
                    group.element(excerpt.snippet().path(printable(file.name())).annotations(annotations));
            }
        }
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(message(note)));
    }
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(message(help)));
    }
    let (drawn, only_said): (Vec<_>, Vec<_>) = diagnostic
        .fixes
        .iter()
        .map(|fix| (fix, patched(sources, fix)))
        .partition(|(_, drawn)| drawn.is_some());
    for (fix, _) in only_said {
        group = group.element(Level::HELP.message(message(&fix.title)));
    }
    groups.push(group);
    for (fix, snippet) in drawn {
        let title = Level::HELP.secondary_title(message(&fix.title));
        groups.extend(snippet.map(|snippet| title.element(snippet)));
    }
    format!("{}\n\n", renderer.render(&groups))
}

/// The lines that a fix changes, if there are few and its texts are short.
fn patched<'a>(sources: &'a Sources, fix: &'a Fix) -> Option<Snippet<'a, Patch<'a>>> {
    let file = sources.find(fix.edits.first()?.span.file)?;
    let is_short = |edit: &Edit| is_short(edit.span) && edit.text.len() <= LONGEST_EDIT;
    let [edits] = &near(fix.edits.iter().map(|edit| (shown(file, edit.span), edit)))[..] else { return None };
    if !edits.iter().all(|(_, edit)| is_short(edit)) {
        return None;
    }
    let excerpt = Excerpt::around(file, edits.iter().map(|(range, _)| range.clone()), BESIDE_EDITS);
    let patch = |(range, edit): &(_, &'a Edit)| {
        Patch::new(excerpt.range(Range::clone(range)), same_places(&edit.text))
    };
    let patches: Vec<Patch> = edits.iter().map(patch).collect();
    let is_cut = excerpt.is_cut();
    let snippet = excerpt.snippet().patches(patches);
    Some(if is_cut { snippet } else { snippet.path(printable(file.name())) })
}

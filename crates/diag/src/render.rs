//! Diagnostics as text.

use crate::{Diagnostic, File, Severity, Sources, Span};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet};

/// Lines longer than this many bytes are shown as a place without their text: a megabyte of junk helps no reader.
const LONGEST_SHOWN_LINE: usize = 2000;

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

/// Diagnostics with the source lines and carets beneath the spans, a blank line after each.
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
        let Diagnostic { severity, code, message, .. } = diagnostic;
        text += &format!("{}[{}]: {message}\n", severity.name(), code.id);
    }
    text
}

/// `name:line:column`, or `name@0x10` in a binary file.
fn place(file: &File, span: Span) -> String {
    if file.is_binary() {
        return format!("{}@{:#x}", file.name(), file.offset(span.start));
    }
    let place = file.place(span.start);
    format!("{}:{}:{}", file.name(), place.line, place.column)
}

fn one(sources: &Sources, diagnostic: &Diagnostic, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(&diagnostic.message).id(diagnostic.code.id);
    let mut group = Group::with_title(title);
    // One snippet for each file, in the order of the labels; the main label's file first.
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
        if file.is_binary() || here.clone().any(|(_, label)| !showable(file, label.span)) {
            for (_, label) in here {
                group = group.element(Origin::path(place(file, label.span)));
                if !label.text.is_empty() {
                    group = group.element(Level::NOTE.message(&label.text));
                }
            }
            continue;
        }
        let lines = Lines::around(file, here.clone().map(|(_, label)| label.span));
        let annotations = here.map(|(index, label)| {
            let kind = if index == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            let annotation: Annotation = kind.span(lines.range(label.span));
            if label.text.is_empty() { annotation } else { annotation.label(&label.text) }
        });
        group = group.element(lines.snippet().path(file.name()).annotations(annotations));
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note));
    }
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(help));
    }
    let mut groups = vec![group];
    for fix in &diagnostic.fixes {
        let Some(file) = fix.edits.first().and_then(|edit| sources.find(edit.span.file)) else { continue };
        if fix.edits.iter().any(|edit| !showable(file, edit.span)) {
            continue;
        }
        let lines = Lines::around(file, fix.edits.iter().map(|edit| edit.span));
        let patches = fix.edits.iter().map(|edit| Patch::new(lines.range(edit.span), &edit.text));
        let snippet = lines.snippet().path(file.name()).patches(patches);
        groups.push(Level::HELP.secondary_title(&fix.title).element(snippet));
    }
    format!("{}\n\n", renderer.render(&groups))
}

fn showable(file: &File, span: Span) -> bool {
    file.line(file.place(span.start).line).len() <= LONGEST_SHOWN_LINE
}

/// The lines of a file that spans are in, and the one behind them. The renderer goes through all that it is given, so
/// the whole text for each of many diagnostics would take quadratic time.
struct Lines<'a> {
    file: &'a File,
    /// The number of the first line.
    first: usize,
    /// Where it begins.
    start: usize,
    text: &'a str,
}

impl<'a> Lines<'a> {
    fn around(file: &'a File, spans: impl Iterator<Item = Span>) -> Lines<'a> {
        let (mut least, mut most) = (file.text().len(), 0);
        for range in spans.map(|span| clip(file, span)) {
            (least, most) = (least.min(range.start), most.max(range.end));
        }
        let text = file.text();
        // The end of the text is shown behind its last line break, not as a line of its own.
        let before =
            text[..least].strip_suffix('\n').filter(|_| least == text.len()).unwrap_or(&text[..least]);
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        // To the end of the line behind the last one, if there are so many.
        let end = text[most..].match_indices('\n').nth(1).map_or(text.len(), |(at, _)| most + at + 1);
        Lines { file, first: file.place(start as u32).line, start, text: &text[start..end.max(start)] }
    }

    fn snippet<T: Clone>(&self) -> Snippet<'a, T> {
        Snippet::source(self.text).line_start(self.first)
    }

    /// Where a span is in the text of the lines.
    fn range(&self, span: Span) -> std::ops::Range<usize> {
        let range = clip(self.file, span);
        range.start - self.start..range.end - self.start
    }
}

/// The span, moved onto character boundaries inside the text, as the renderer needs it.
fn clip(file: &File, span: Span) -> std::ops::Range<usize> {
    let text = file.text();
    let (mut start, mut end) = (span.range().start.min(text.len()), span.range().end.min(text.len()));
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    end = end.max(start);
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

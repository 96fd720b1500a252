//! The text that is made, and where each piece of it comes from.

use super::source::{Gap, NOWHERE, Origin, Source, Token};
use gpuzoo_diag::{Diagnostic, File, FileId, Label, Span};
use std::collections::HashMap;
use std::rc::Rc;

/// How many expansions, inclusions and repetitions a message shows.
const MAX_SHOWN: usize = 4;

/// A piece of the text.
struct Piece {
    /// Where it begins.
    at: u32,
    origin: Origin,
    /// It was made by a macro.
    made: bool,
}

/// A macro's use.
pub struct Expansion {
    pub name: Rc<str>,
    /// Where it is used.
    pub at: Origin,
}

/// What `#line` says of the lines behind it.
pub struct LineMark {
    pub file: FileId,
    /// Where the next line begins.
    pub start: u32,
    pub number: u64,
    pub name: Option<String>,
    pub text: Rc<str>,
}

/// The text so far.
#[derive(Default)]
pub struct Output {
    text: String,
    map: Map,
}

/// From the text to the files that it was made of.
#[derive(Default)]
pub struct Map {
    pieces: Vec<Piece>,
    expansions: Vec<Expansion>,
    /// The line that includes a file, the first time.
    includes: HashMap<FileId, Span>,
    lines: Vec<LineMark>,
    whole: Span,
}

fn is_word(letter: Option<char>) -> bool {
    letter.is_some_and(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

impl Output {
    /// Copies a file up to a place.
    pub fn copy(&mut self, source: &mut Source, to: usize) {
        let from = std::mem::replace(&mut source.copied, to);
        if from < to {
            let origin = Origin { span: source.range(from, to), expansion: 0 };
            self.push(&source.text[from..to], origin, false);
        }
    }

    /// Appends a token that a macro made.
    pub fn token(&mut self, token: &Token, first: bool) {
        match token.gap {
            // What stands before a macro's name has been copied.
            _ if first => {}
            Gap::None => {}
            Gap::Blank => self.blank(),
            Gap::Line => self.text.push('\n'),
        }
        self.push(&token.text, token.origin, true);
    }

    fn push(&mut self, text: &str, origin: Origin, made: bool) {
        let (last, next) = (self.text.chars().next_back(), text.chars().next());
        let joins = is_word(last) && is_word(next) || last == Some('/') && matches!(next, Some('/' | '*'));
        if joins {
            self.blank();
        }
        self.map.pieces.push(Piece { at: self.text.len() as u32, origin, made });
        self.text.push_str(text);
    }

    /// The text so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Appends a blank.
    pub fn blank(&mut self) {
        self.text.push(' ');
    }

    /// Ends a line, if one has begun.
    pub fn line_end(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// Notes an expansion; its number.
    pub fn expansion(&mut self, expansion: Expansion) -> u32 {
        self.map.expansions.push(expansion);
        self.map.expansions.len() as u32
    }

    /// Notes where a file is included.
    pub fn enter(&mut self, file: FileId, span: Span) {
        self.map.includes.entry(file).or_insert(span);
    }

    /// Notes what `#line` says.
    pub fn line(&mut self, mark: LineMark) {
        self.map.lines.push(mark);
    }

    /// See [`Map::outermost`].
    pub fn outermost(&self, origin: Origin) -> Span {
        self.map.outermost(origin)
    }

    /// The text and its map.
    pub fn finish(self, file: &File) -> (String, Map) {
        (self.text, Map { whole: file.whole(), ..self.map })
    }
}

impl Map {
    /// The place in the files that a place in the text comes from: of what a macro made, the macro's use.
    pub fn place(&self, span: Span) -> Span {
        self.outermost(self.origin(span).0)
    }

    /// The use in a file that something comes from.
    pub fn outermost(&self, mut origin: Origin) -> Span {
        while let Some(expansion) = self.expansion(origin) {
            origin = expansion.at;
        }
        origin.span
    }

    fn expansion(&self, origin: Origin) -> Option<&Expansion> {
        self.expansions.get((origin.expansion as usize).checked_sub(1)?)
    }

    /// Where a place in the text comes from, and whether a macro or an included file is between.
    fn origin(&self, span: Span) -> (Origin, bool) {
        let piece = |offset: u32| {
            let index = self.pieces.partition_point(|piece| piece.at <= offset);
            self.pieces.get(index.saturating_sub(1))
        };
        let last = span.end.saturating_sub(1);
        let first = if span.start == span.end { last } else { span.start };
        let (Some(one), Some(other)) = (piece(first), piece(last)) else {
            return (Origin { span: self.whole.after(), expansion: 0 }, false);
        };
        let part = |piece: &Piece, from: u32, to: u32| {
            let Origin { span, expansion } = piece.origin;
            let inside = |offset: u32| (span.start + offset.saturating_sub(piece.at)).min(span.end);
            Origin { span: Span { start: inside(from), end: inside(to), ..span }, expansion }
        };
        let indirect = one.made || other.made || one.origin.span.file != self.whole.file;
        if span.start == span.end {
            return (part(one, span.end, span.end), indirect);
        }
        let (mut one, mut other) =
            (part(one, span.start, span.end), part(other, span.start.max(other.at), span.end));
        // Up to the expansion that both are in.
        while one.expansion != other.expansion {
            let later = if one.expansion > other.expansion { &mut one } else { &mut other };
            match self.expansion(*later) {
                Some(expansion) => *later = expansion.at,
                None => break,
            }
        }
        let span = if one.span.file == other.span.file { one.span.to(other.span) } else { one.span };
        (Origin { span, expansion: one.expansion }, indirect)
    }

    /// Adds where something was written that a macro made: `in expansion of macro`.
    fn trace(&self, origin: Origin, labels: &mut Vec<Label>) {
        let (mut origin, mut shown) = (origin, 0);
        while let Some(expansion) = self.expansion(origin).filter(|_| shown < MAX_SHOWN) {
            let known = labels.iter().any(|label| label.span == origin.span);
            if !known && origin.span.file != NOWHERE {
                let text = format!("in expansion of macro `{}`", expansion.name);
                labels.push(Label { span: origin.span, text });
            }
            origin = expansion.at;
            shown += 1;
        }
    }

    /// Adds the lines that include a file.
    fn included(&self, mut file: FileId, labels: &mut Vec<Label>) {
        for _ in 0..MAX_SHOWN {
            let Some(span) = self.includes.get(&file).filter(|_| file != self.whole.file) else { return };
            if !labels.iter().any(|label| label.span == *span) {
                labels.push(Label { span: *span, text: "included here".to_owned() });
            }
            file = span.file;
        }
    }

    /// What `#line` calls a line.
    fn line_of(&self, span: Span) -> Option<String> {
        let before = |mark: &&LineMark| mark.file == span.file && mark.start <= span.start;
        let mark = self.lines.iter().rev().find(before)?;
        let between = mark.text.get(mark.start as usize..span.start as usize)?;
        let number = mark.number.saturating_add(between.matches('\n').count() as u64);
        let name = mark.name.as_ref().map(|name| format!(" of `{}`", name.escape_debug()));
        Some(format!("`#line` calls this line {number}{}", name.unwrap_or_default()))
    }

    fn diagnostic(&self, problem: &mut Diagnostic) {
        let labels = std::mem::take(&mut problem.labels);
        let origins: Vec<Origin> = labels.iter().map(|label| self.origin(label.span).0).collect();
        let main = origins.first().map(|origin| self.outermost(*origin));
        for (at, (label, origin)) in labels.into_iter().zip(&origins).enumerate() {
            let outermost = self.outermost(*origin);
            // What is in the same use as the main place is shown where it is written.
            let inner = at > 0 && Some(outermost) == main && origin.span.file != NOWHERE;
            let span = if inner { origin.span } else { outermost };
            problem.labels.push(Label { span, ..label });
        }
        for origin in origins {
            self.trace(origin, &mut problem.labels);
        }
        if let Some(main) = main {
            problem.notes.extend(self.line_of(main));
            self.included(main.file, &mut problem.labels);
        }
        for fix in std::mem::take(&mut problem.fixes) {
            let mut fix = fix;
            let mut direct = true;
            for edit in &mut fix.edits {
                let (origin, _) = self.origin(edit.span);
                let length = |span: Span| span.end - span.start;
                direct &= origin.expansion == 0 && length(origin.span) == length(edit.span);
                edit.span = origin.span;
            }
            match direct {
                true => problem.fixes.push(fix),
                false => problem.help.push(fix.title),
            }
        }
    }

    /// Moves diagnostics about the text to the files. What is wrong in a macro or in an included file is reported once,
    /// however often it is used.
    pub fn translate(&self, problems: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let mut all: Vec<Diagnostic> = Vec::new();
        let mut known: HashMap<(&str, String, Span), (usize, usize)> = HashMap::new();
        for mut problem in problems {
            let place = problem.span().map(|span| (self.origin(span), self.place(span)));
            if let Some(((origin, true), outermost)) = place {
                let key = (problem.code.id, problem.message.clone(), origin.span);
                let next = all.len();
                let (at, more) = known.entry(key).or_insert((next, 0));
                if *at < next {
                    *more += 1;
                    let labels = &mut all[*at].labels;
                    if *more < MAX_SHOWN && !labels.iter().any(|label| label.span == outermost) {
                        labels.push(Label { span: outermost, text: "and here".to_owned() });
                    }
                    continue;
                }
            }
            self.diagnostic(&mut problem);
            all.push(problem);
        }
        for (at, more) in known.into_values().filter(|(_, more)| *more > 0) {
            let times = if more == 1 { "once".to_owned() } else { format!("{more} times") };
            all[at].notes.push(format!("the same is found {times} more"));
        }
        all
    }
}

//! The macros and files that a text names.

use crate::vertex::dialects::d3d::preprocess::{self, Given};
use crate::vertex::dialects::symbols::Names;
use gpuzoo_diag::{FileId, Sources, Span, Symbol, SymbolKind};
use gpuzoo_isa::{Lexer, Syntax, TokenKind};
use gpuzoo_machine::TextOptions;

/// The macros of a text and of the files that it includes, and these files. Conditions do not count: what is left out now has
/// the same names.
pub fn macros(sources: &mut Sources, file: FileId, options: &TextOptions) -> Vec<Symbol> {
    let text = sources.get(file).clone();
    let mut done = preprocess::preprocess(
        &text,
        Given { sources: Some(sources), include: options.include, defines: options.defines },
    );
    let mut files: Vec<FileId> = vec![file];
    let mut included: Vec<Symbol> = Vec::new();
    for (id, span) in std::mem::take(&mut done.included) {
        if !files.contains(&id) {
            files.push(id);
        }
        let name = sources.find(id).map_or("", |file| file.name());
        match included.iter_mut().find(|known| known.name == name) {
            Some(known) if !known.uses.contains(&span) => known.uses.push(span),
            Some(_) => {}
            None => included.push(Symbol {
                name: name.to_owned(),
                kind: SymbolKind::File,
                about: String::new(),
                definition: Some(Span { file: id, start: 0, end: 0 }),
                uses: vec![span],
            }),
        }
    }
    let mut names = Names::default();
    let texts: Vec<(FileId, &str)> =
        files.iter().filter_map(|id| Some((*id, sources.find(*id)?.text()))).collect();
    for (id, text) in &texts {
        for Defined { name, span, .. } in defined(*id, text) {
            let line = text[span.start as usize..].lines().next().unwrap_or("").trim_end();
            names.defined(name, SymbolKind::Constant, line, span);
        }
    }
    for (id, text) in texts {
        uses(id, text, &mut names);
    }
    names.all.into_iter().chain(included).collect()
}

/// A `#define`.
struct Defined<'t> {
    name: &'t str,
    span: Span,
    /// Its parameters, which are not macros on its lines.
    parameters: Vec<&'t str>,
    /// The bytes of its lines.
    lines: std::ops::Range<usize>,
}

/// The words of a part of a text, with their places.
fn words<'t>(
    text: &'t str,
    part: std::ops::Range<usize>,
    syntax: &'static Syntax,
) -> impl Iterator<Item = (usize, &'t str)> {
    let own = &text[part.clone()];
    let mut lexer = Lexer::new(own, syntax);
    std::iter::from_fn(move || Some(lexer.next_token()))
        .take_while(|token| token.kind != TokenKind::End)
        .filter(|token| token.kind == TokenKind::Word)
        .map(move |token| (part.start + token.start, &own[token.start..token.end]))
}

fn defined(file: FileId, text: &str) -> Vec<Defined<'_>> {
    let of_line = |lines: std::ops::Range<usize>| {
        let mut words = words(text, lines.clone(), &preprocess::SYNTAX);
        let (_, "define") = words.next()? else { return None };
        let (start, name) = words.next()?;
        let end = start + name.len();
        let parameters = text[end..lines.end].strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let parameters = parameters.map_or(Vec::new(), |(all, _)| all.split(',').map(str::trim).collect());
        let span = Span { file, start: start as u32, end: end as u32 };
        Some(Defined { name, span, parameters, lines })
    };
    preprocess::lines(text).into_iter().filter_map(of_line).collect()
}

/// Adds the places where macros are used. `defined(NAME)` and the like are such, too.
fn uses(file: FileId, text: &str, names: &mut Names) {
    let defines = defined(file, text);
    let mut at = 0;
    for (start, word) in words(text, 0..text.len(), &preprocess::SYNTAX) {
        at += defines[at..].iter().take_while(|own| own.lines.end <= start).count();
        let own = defines.get(at).filter(|own| own.lines.start <= start);
        let is_parameter = own.is_some_and(|own| own.parameters.contains(&word));
        let is_name = own.is_some_and(|own| own.span.start as usize == start);
        if is_parameter || is_name {
            continue;
        }
        if let Some(at) = names.by_name.get(word) {
            names.all[*at].uses.push(Span { file, start: start as u32, end: (start + word.len()) as u32 });
        }
    }
}

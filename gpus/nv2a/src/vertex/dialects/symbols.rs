//! What a text names: uniforms of nv2a_vsh_asm's dialect; macros and files of Direct3D's.

use crate::vertex::dialects::d3d::preprocess::{self, Given};
use gpuzoo_diag::{FileId, Lexeme, Role, Sources, Span, Symbol, SymbolKind};
use gpuzoo_isa::{Lexer, Syntax, TokenKind};
use gpuzoo_machine::TextOptions;
use std::collections::HashMap;

/// Names with their places, in the order of their first ones.
#[derive(Default)]
struct Names {
    all: Vec<Symbol>,
    by_name: HashMap<String, usize>,
}

impl Names {
    fn of(&mut self, name: &str, kind: SymbolKind) -> &mut Symbol {
        let at = *self.by_name.entry(name.to_owned()).or_insert_with(|| {
            let (name, about) = (name.to_owned(), String::new());
            self.all.push(Symbol { name, kind, about, definition: None, uses: Vec::new() });
            self.all.len() - 1
        });
        &mut self.all[at]
    }

    /// The first definition; others are further places.
    fn defined(&mut self, name: &str, kind: SymbolKind, about: &str, span: Span) {
        let symbol = self.of(name, kind);
        match symbol.definition {
            None => (symbol.definition, symbol.about) = (Some(span), about.to_owned()),
            Some(_) => symbol.uses.push(span),
        }
    }
}

/// The uniforms of a text, by its words.
pub fn uniforms(file: FileId, text: &str, words: &[Lexeme]) -> Vec<Symbol> {
    let mut names = Names::default();
    for (at, word) in words.iter().enumerate() {
        let Some(name) = word.text(text).strip_prefix('#').filter(|_| word.role == Role::Name) else {
            continue;
        };
        let span = Span { file, start: word.start as u32 + 1, end: word.end as u32 };
        let next = |ahead: usize| words.get(at + ahead).map_or("", |own| own.text(text));
        match next(1) {
            kind @ ("vector" | "matrix4") if word.begins => {
                let about = format!("{kind} {}", next(2));
                names.defined(name, SymbolKind::Uniform, &about, span);
            }
            _ => names.of(name, SymbolKind::Uniform).uses.push(span),
        }
    }
    names.all
}

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

#[cfg(test)]
mod tests {
    use gpuzoo_diag::Sources;
    use gpuzoo_machine::{ShaderUnit, TextOptions};

    /// The lines of a name's places, the definition's first, each with its file.
    fn places(text: &str, name: &str) -> Vec<(String, usize)> {
        let mut sources = Sources::default();
        let file = sources.add("a.vsh", text);
        let include = |name: &str| match name {
            "b.h" => Ok(b"#define B(A) A, v0\n".to_vec()),
            _ => Err("there is no such file".to_owned()),
        };
        let options = TextOptions { include: Some(&include), ..TextOptions::default() };
        let symbols = crate::GPU.symbols(&mut sources, file, &options);
        let symbol = symbols.iter().find(|own| own.name == name);
        let place = |span: gpuzoo_diag::Span| {
            let file = sources.get(span.file);
            (file.name().to_owned(), file.place(span.start).line)
        };
        symbol.map_or(Vec::new(), |symbol| symbol.places().map(place).collect())
    }

    fn own(lines: &[usize]) -> Vec<(String, usize)> {
        lines.iter().map(|line| ("a.vsh".to_owned(), *line)).collect()
    }

    #[test]
    fn uniforms_are_names() {
        let text = "#m matrix4 96\n%matmul4x4 oPos v0 #m\nmov oD0, #m[1]\nmov oD1, #none\n";
        assert_eq!(places(text, "m"), own(&[1, 2, 3]));
        assert_eq!(places(text, "none"), own(&[4]));
    }

    /// What a name comes with: how it is defined; and of a file where it is included, each place once.
    #[test]
    fn names_say_what_they_are() {
        let symbols = |text: &str| {
            let mut sources = Sources::default();
            let file = sources.add("a.vsh", text);
            let include = |name: &str| Ok(format!("#define IN_{} v0\n", &name[..1]).into_bytes());
            let options = TextOptions { include: Some(&include), ..TextOptions::default() };
            crate::GPU.symbols(&mut sources, file, &options)
        };
        let about = |text: &str| {
            symbols(text).into_iter().map(|own| (own.name, own.about, own.uses.len())).collect::<Vec<_>>()
        };
        let told = |name: &str, about: &str, uses| (name.to_owned(), about.to_owned(), uses);
        assert_eq!(
            about("#v vector 5\n#m matrix4 96\nmov oPos, #v\n#v vector 7\n#x foo 1\n"),
            [told("v", "vector 5", 2), told("m", "matrix4 96", 0), told("x", "", 1)]
        );
        let text = "#include \"b.h\"\n#include \"c.h\"\nxvs.1.1\n#include \"b.h\"\n#define A(x, y) x + y ; sum  \nmov oPos, IN_b\n";
        assert_eq!(
            about(text),
            [
                told("A", "#define A(x, y) x + y ; sum", 0),
                told("IN_b", "#define IN_b v0", 1),
                told("IN_c", "#define IN_c v0", 0),
                told("b.h", "", 2),
                told("c.h", "", 1),
            ]
            .map(|(name, about, uses)| (
                name,
                about.trim_start_matches("#define ").to_owned(),
                uses
            ))
        );
        // A file's definition is its beginning.
        for symbol in symbols(text).iter().filter(|symbol| symbol.name.ends_with(".h")) {
            let definition = symbol.definition.unwrap();
            assert_eq!((definition.start, definition.end), (0, 0), "{}", symbol.name);
            assert!(symbol.uses.iter().all(|span| span.file != definition.file), "{}", symbol.name);
        }
    }

    #[test]
    fn macros_are_names_in_all_files_and_conditions() {
        let text = "#include \"b.h\"\nxvs.1.1\n#define A v1\n#ifdef A\nmov oD0, A\n#else\nmov oD1, A\n#endif\n\
                    #define C(A) A\nmov B(oPos)\n";
        // The parameters of B and C are not the macro A.
        assert_eq!(places(text, "A"), own(&[3, 4, 5, 7]));
        assert_eq!(places(text, "B"), [("b.h".to_owned(), 1), ("a.vsh".to_owned(), 10)]);
        assert_eq!(places(text, "b.h"), [("b.h".to_owned(), 1), ("a.vsh".to_owned(), 1)]);
        // Other definitions of the same name are places of it.
        assert_eq!(places("xvs.1.1\n#define A 1\n#undef A\n#define A 2\n", "A"), own(&[2, 4, 3]));
    }
}

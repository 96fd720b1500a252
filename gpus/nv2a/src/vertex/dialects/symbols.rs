//! Names of a text, with their places.

use gpuzoo_diag::{Span, Symbol, SymbolKind};
use std::collections::HashMap;

/// Names with their places, in the order of their first ones.
#[derive(Default)]
pub struct Names {
    /// All of them.
    pub all: Vec<Symbol>,
    /// Index of each name.
    pub by_name: HashMap<String, usize>,
}

impl Names {
    /// The one of a name, which is added if it is new.
    pub fn of(&mut self, name: &str, kind: SymbolKind) -> &mut Symbol {
        let at = *self.by_name.entry(name.to_owned()).or_insert_with(|| {
            let (name, about) = (name.to_owned(), String::new());
            self.all.push(Symbol { name, kind, about, definition: None, uses: Vec::new() });
            self.all.len() - 1
        });
        &mut self.all[at]
    }

    /// Notes a definition. The first one counts; others are further places.
    pub fn defined(&mut self, name: &str, kind: SymbolKind, about: &str, span: Span) {
        let symbol = self.of(name, kind);
        match symbol.definition {
            None => (symbol.definition, symbol.about) = (Some(span), about.to_owned()),
            Some(_) => symbol.uses.push(span),
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

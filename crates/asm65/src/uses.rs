//! Where a program's names stand, for editors.

use crate::assembler::Assembler;
use crate::evaluate::Evaluator;
use crate::expr::Sym;
use crate::expr::{Expr, Value};
use crate::symbols::{Named, Owner};
use gpuzoo_diag::{Span, Symbol, SymbolKind};
use hashbrown::{HashMap, HashSet};

impl Assembler<'_> {
    /// Notes a place of a name, if that is asked for. The first one of macros, scopes and `.define`s is that of the definition.
    pub fn note(&mut self, named: Named, span: Span) {
        if let Some(uses) = &mut self.uses {
            uses.push((named, span));
        }
    }

    /// The names of what was read, in the order in which they were first met, each with its places.
    pub fn named(mut self) -> Vec<Symbol> {
        self.link();
        self.lay_out();
        self.define_rest();
        let mut places: HashMap<Named, usize> = HashMap::default();
        let mut found: Vec<(Named, Vec<Span>)> = Vec::new();
        let mut known: HashSet<(Named, u32, u32, u32)> = HashSet::default();
        for (named, span) in self.uses.take().unwrap_or_default() {
            let named = self.settled(named);
            // What a `.define` put there is not written there.
            if !self.is_written(named, span) || !known.insert((named, span.file.0, span.start, span.end)) {
                continue;
            }
            let at = *places.entry(named).or_insert_with(|| {
                found.push((named, Vec::new()));
                found.len() - 1
            });
            found[at].1.push(span);
        }
        found.into_iter().map(|(named, spans)| self.symbol_of(named, spans)).collect()
    }

    /// What a name stands for now that everything is defined: one that its scope only uses is that of a scope around, and a
    /// procedure's scope has the procedure's name.
    fn settled(&self, named: Named) -> Named {
        match named {
            Named::Symbol(symbol) => match self.symbols.definition(symbol) {
                Some(Expr::Symbol(outer)) if self.symbols.outer_definition(symbol) == Some(*outer) => {
                    self.settled(Named::Symbol(*outer))
                }
                // One that another source exports.
                Some(Expr::Symbol(other)) if !self.symbols.get(symbol).is_own => {
                    self.settled(Named::Symbol(*other))
                }
                _ => named,
            },
            Named::Scope(id) => {
                let scope = self.symbols.scope(id);
                let symbol = scope.name.zip(scope.parent);
                let symbol = symbol.and_then(|(name, parent)| self.symbols.find(Owner::Scope(parent), name));
                let is_defined = |symbol: &Sym| self.symbols.definition(*symbol).is_some();
                symbol.filter(is_defined).map_or(named, Named::Symbol)
            }
            other => other,
        }
    }

    /// The name as it is written; none for files, whose names are strings.
    fn word(&self, named: Named) -> Option<&str> {
        match named {
            Named::Symbol(symbol) => Some(self.text(self.symbols.get(symbol).name)),
            Named::Scope(scope) => self.symbols.scope(scope).name.map(|name| self.text(name)),
            Named::Macro(name) | Named::Define(name) => Some(self.text(name)),
            Named::File(_) => None,
        }
    }

    fn is_written(&self, named: Named, span: Span) -> bool {
        let text = self.sources.find(span.file).map_or("", |file| file.slice(span));
        self.word(named).is_none_or(|word| word == text)
    }

    fn symbol_of(&self, named: Named, mut uses: Vec<Span>) -> Symbol {
        let mut take = |span: Option<Span>| {
            let span = span.or_else(|| uses.first().copied());
            uses.retain(|own| Some(*own) != span);
            span
        };
        let (kind, definition, about) = match named {
            Named::Symbol(symbol) => {
                let entry = self.symbols.get(symbol);
                let kind = if entry.is_label { SymbolKind::Label } else { SymbolKind::Constant };
                let mut evaluator = Evaluator::last(&self.symbols, &self.sections, &self.unnamed);
                let value = match evaluator.value(&Expr::Symbol(symbol)) {
                    Value::Number(number) if (0..0x100).contains(&number) && !entry.is_label => {
                        format!("${number:02x}, {number}")
                    }
                    Value::Number(number) if number >= 0 => format!("${number:04x}"),
                    Value::Number(number) => number.to_string(),
                    _ => String::new(),
                };
                (kind, if entry.is_own { take(Some(entry.span)) } else { None }, value)
            }
            Named::Scope(_) => (SymbolKind::Scope, take(None), String::new()),
            Named::Macro(_) => (SymbolKind::Macro, take(None), String::new()),
            Named::Define(_) => (SymbolKind::Constant, take(None), String::new()),
            Named::File(file) => (SymbolKind::File, Some(Span { file, start: 0, end: 0 }), String::new()),
        };
        let file = |file| self.sources.find(file).map_or(String::new(), |file| file.name().to_owned());
        let name = match named {
            Named::File(id) => file(id),
            _ => self.word(named).unwrap_or_default().to_owned(),
        };
        Symbol { name, kind, about, definition, uses }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Options, symbols};
    use gpuzoo_diag::{Sources, SymbolKind};

    /// Each name of a text: what it is, its value, and the lines of its places, the definition's first.
    fn found(text: &str) -> Vec<(String, SymbolKind, String, Vec<usize>)> {
        let mut sources = Sources::default();
        let file = sources.add("a.s", text);
        let mut include = |name: &str| match name {
            "b.inc" => Ok(b"other = 3\n".to_vec()),
            _ => Err("there is no such file".to_owned()),
        };
        let symbols = symbols(&mut sources, &[file], &Options::default(), &mut include);
        let line = |span: gpuzoo_diag::Span| sources.get(span.file).place(span.start).line;
        let found = symbols.into_iter().map(|own| {
            let places = own.places().map(line).collect();
            (own.name, own.kind, own.about, places)
        });
        found.collect()
    }

    fn places(text: &str, name: &str) -> Vec<Vec<usize>> {
        found(text).into_iter().filter(|(own, ..)| own == name).map(|(.., places)| places).collect()
    }

    #[test]
    fn a_name_is_that_of_its_scope() {
        let text = "x1 = 1\n.proc p1\nx1 = 2\n lda #x1\n.endproc\n lda #x1\n lda #p1::x1\n";
        assert_eq!(places(text, "x1"), [vec![1, 6], vec![3, 4, 7]]);
        // The procedure and its scope are one name.
        assert_eq!(places(text, "p1"), [vec![2, 7]]);
        // A name that is defined further down, outside.
        assert_eq!(places(".scope s\n jmp end\n.endscope\nend: rts\n", "end"), [vec![4, 2]]);
    }

    #[test]
    fn cheap_names_belong_to_the_label_above() {
        let text = "a1: nop\n@l: bne @l\nb1: nop\n@l: bne @l\n";
        assert_eq!(places(text, "@l"), [vec![2, 2], vec![4, 4]]);
    }

    #[test]
    fn macros_defines_and_files_are_names() {
        let text = ".include \"b.inc\"\n.macro two p1\n lda #other\n lda #p1\n.endmacro\n.define FIVE 5\n two FIVE\n two 6\n";
        assert_eq!(places(text, "two"), [vec![2, 7, 8]]);
        assert_eq!(places(text, "FIVE"), [vec![6, 7]]);
        // Its definition is in the other file, and the macro, which is used twice, has one place.
        assert_eq!(places(text, "other"), [vec![1, 3]]);
        let file = found(text).into_iter().find(|(_, kind, ..)| *kind == SymbolKind::File);
        assert_eq!(file, Some(("b.inc".to_owned(), SymbolKind::File, String::new(), vec![1, 1])));
        // What a definition puts there is not written there.
        assert_eq!(places("five = 5\n.define F five\n lda #F\n", "five"), [vec![1]]);
    }

    #[test]
    fn values_are_shown_as_far_as_they_are_known() {
        let about = |text: &str| found(text)[0].2.clone();
        assert_eq!(about("c1 = 34\n"), "$22, 34");
        assert_eq!(about("c1 = -2\n"), "-2");
        assert_eq!(about("c1 = $9f20\n"), "$9f20");
        assert_eq!(about("here: nop\n"), "$0801");
        assert_eq!(about("c1 = nowhere\n"), "");
        // Of a text with errors the names are there all the same.
        assert_eq!(places("a1: lda #\n jmp a1\n", "a1"), [vec![1, 2]]);
    }
}

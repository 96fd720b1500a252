//! Several sources of one program: each begins anew, and what one exports another may import.

use crate::assembler::Assembler;
use crate::expr::Expr;
use crate::expr::Sym;
use crate::lexer::Dialect;
use crate::petscii;
use crate::rules::{DUPLICATE, UNDEFINED};
use crate::symbols::{Entry, Owner, ScopeId};
use crate::token::Name;
use crate::words::Cpu;
use gpuzoo_diag::{FileId, Span};
use hashbrown::{HashMap, HashSet};

impl Assembler<'_> {
    /// Begins a source of the program, as if there were no other: what lies where goes on, and nothing else.
    pub fn begin_unit(&mut self) {
        if self.units > 0 {
            self.symbols.begin();
            self.sections.begin();
            self.macros.clear();
            self.defines.clear();
            self.charmap = petscii::charmap(self.options.petscii);
            self.dialect = Dialect::default();
            self.cpu = Cpu::default();
            self.cpus.clear();
            (self.labels_without_colons, self.force_range) = (false, false);
            self.first_unnamed = self.unnamed.len();
        }
        self.units += 1;
    }

    /// Reads a source of the program.
    pub fn unit(&mut self, file: FileId) {
        self.begin_unit();
        let start = Span { file, start: 0, end: 0 };
        let options = self.options;
        for (name, value) in options.defines {
            let name = self.names.intern(name);
            // The same name twice: the first one counts.
            let _ = self.define(Owner::Scope(self.symbols.root), name, start, Expr::Number(*value), false);
        }
        self.run(file);
        if self.config.is_some() || self.sections.is_whole() {
            // As in ca65: an `.org` changes what labels say, and the segment is still where the bytes go.
            self.sections.reloc();
        }
        for (index, span, context) in std::mem::take(&mut self.unnamed_uses) {
            if index >= self.unnamed.len() {
                let problem = self.problem(&UNDEFINED, span, "there are not so many unnamed labels below");
                self.report_in(*problem, context);
            }
        }
    }

    /// The names that sources export.
    pub fn exported_names(&self) -> HashSet<String> {
        let globals = self
            .symbols
            .all()
            .filter(|(symbol, entry)| entry.global.is_some() && self.meaning(*symbol).is_some());
        let exported =
            self.exports.iter().map(|(symbol, _)| *symbol).chain(globals.map(|(symbol, _)| symbol));
        exported.map(|symbol| self.text(self.symbols.get(symbol).name).to_owned()).collect()
    }

    /// The names that sources and the configuration import, and that are not among those which are exported.
    pub fn needed(&self, exported: &HashSet<String>) -> HashSet<String> {
        let imported = self.symbols.all().filter(|(symbol, entry)| {
            entry.is_used && self.may_import(entry) && self.meaning(*symbol).is_none()
        });
        let imported = imported.map(|(_, entry)| self.text(entry.name).to_owned());
        let symbols = self.config.iter().flat_map(|config| &config.symbols);
        let configured = symbols.filter(|symbol| symbol.value.is_none()).map(|symbol| symbol.name.clone());
        let tables = self.called.iter().filter_map(|called| self.needed_by_table(called.table));
        imported.chain(configured).chain(tables).filter(|name| !exported.contains(name)).collect()
    }

    /// What a table needs that has an entry.
    pub fn needed_by_table(&self, number: u8) -> Option<String> {
        let tables = &self.config.as_ref()?.tables;
        tables.iter().find(|table| table.number == number)?.import.clone()
    }

    /// True for a name that another source may have.
    fn may_import(&self, entry: &Entry) -> bool {
        entry.import.is_some() || entry.global.is_some() || self.autoimports(entry.owner)
    }

    /// Gives names that a source imports the meaning that another exports.
    pub fn link(&mut self) {
        let exported = self.exported();
        let wanted: Vec<(Sym, Sym)> = self
            .symbols
            .all()
            .filter(|(symbol, entry)| self.may_import(entry) && self.meaning(*symbol).is_none())
            .filter_map(|(symbol, entry)| Some((symbol, *exported.get(&entry.name)?)))
            .collect();
        for (symbol, other) in wanted {
            self.symbols.define(symbol, Expr::Symbol(other));
        }
    }

    /// What each exported name stands for. Two sources that export the same name are reported.
    fn exported(&mut self) -> HashMap<Name, Sym> {
        let mut exported: HashMap<Name, (Sym, Span)> = HashMap::default();
        let mut twice: Vec<(Name, Span, Span)> = Vec::new();
        let globals = self.symbols.all().filter_map(|(symbol, entry)| Some((symbol, entry.global?)));
        for (symbol, span) in self.exports.iter().copied().chain(globals) {
            let Some(meaning) = self.meaning(symbol) else { continue };
            let name = self.symbols.get(symbol).name;
            match exported.get(&name) {
                Some((other, _)) if *other == meaning => {}
                Some((_, first)) => twice.push((name, span, *first)),
                None => {
                    exported.insert(name, (meaning, span));
                }
            }
        }
        for (name, span, first) in twice {
            let message = format!("`{}` is exported already", self.text(name));
            let problem = self.problem(&DUPLICATE, span, &message).label(first, "here");
            self.report_in(problem, 0);
        }
        exported.into_iter().map(|(name, (symbol, _))| (name, symbol)).collect()
    }

    /// The name of the source that has a definition for this one: itself, or that of a scope around.
    fn meaning(&self, symbol: Sym) -> Option<Sym> {
        match self.symbols.definition(symbol) {
            Some(_) => Some(symbol),
            None => self.symbols.outer_definition(symbol),
        }
    }

    /// True for a name of a source that imports whatever it does not define.
    fn autoimports(&self, owner: Owner) -> bool {
        let Owner::Scope(scope) = owner else { return false };
        self.autoimports.contains(&self.symbols.root_of(scope))
    }

    /// `.autoimport +`
    pub fn autoimport(&mut self, is_on: bool) {
        let root: ScopeId = self.symbols.root;
        if is_on {
            self.autoimports.insert(root);
        } else {
            self.autoimports.remove(&root);
        }
    }
}

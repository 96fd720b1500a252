//! Scopes, the names in them, and what a name stands for.

use crate::expr::{Expr, Sym};
use crate::token::Name;
use gpuzoo_diag::{FileId, Span};
use hashbrown::HashMap;
use std::cell::Cell;

/// The index of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ScopeId(pub u32);

/// Where a name belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    Scope(ScopeId),
    /// A cheap local of a label.
    Label(Sym),
    /// A cheap local above any label of the source with this outermost scope.
    Nothing(ScopeId),
}

/// Meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Named {
    Symbol(Sym),
    Scope(ScopeId),
    Macro(Name),
    Define(Name),
    File(FileId),
}

/// A name in a scope.
pub(crate) struct Entry {
    pub name: Name,
    pub owner: Owner,
    definition: Option<Expr>,
    /// A place rather than a number.
    pub is_label: bool,
    /// Of `.set`.
    pub is_variable: bool,
    /// `.importzp` and the like.
    pub is_zp: bool,
    /// Where it was imported.
    pub import: Option<Span>,
    /// Where it was said to be either.
    pub global: Option<Span>,
    /// Where it is defined, or was first used.
    pub span: Span,
    /// The expansion of that place.
    pub context: u32,
    pub is_used: bool,
    /// The program's own, not the layout's or the assembler's.
    pub is_own: bool,
    /// Bytes of a structure's member.
    pub size: Option<i64>,
    /// Where a 16-bit address was assumed for it.
    pub guessed: Option<(Span, u32)>,
}

pub(crate) struct Scope {
    pub name: Option<Name>,
    pub parent: Option<ScopeId>,
    /// Bytes of a struct, or from the first to the last place of a procedure.
    pub size: Option<Expr>,
}

/// All names.
pub(crate) struct Symbols {
    entries: Vec<Entry>,
    map: HashMap<(Owner, Name), Sym>,
    scopes: Vec<Scope>,
    children: HashMap<(ScopeId, Name), ScopeId>,
    pub scope: ScopeId,
    /// The outermost scope of the source that is read.
    pub root: ScopeId,
    /// The label that cheap locals belong to.
    pub last_label: Option<Sym>,
    /// Steps through names and operators for values while reading, those of short ones left out. A name without a value is
    /// looked through again wherever it is used, as a definition may have come.
    long_steps: Cell<usize>,
}

impl Symbols {
    pub fn new() -> Symbols {
        Symbols {
            entries: Vec::new(),
            map: HashMap::default(),
            scopes: vec![Scope { name: None, parent: None, size: None }],
            children: HashMap::default(),
            scope: ScopeId(0),
            root: ScopeId(0),
            last_label: None,
            long_steps: Cell::new(0),
        }
    }

    pub fn long_steps(&self) -> usize {
        self.long_steps.get()
    }

    pub fn count_long_step(&self) {
        self.long_steps.set(self.long_steps.get() + 1);
    }

    /// Begins a source: nothing of those before is seen.
    pub fn begin(&mut self) {
        self.root = ScopeId(self.scopes.len() as u32);
        self.scopes.push(Scope { name: None, parent: None, size: None });
        self.scope = self.root;
        self.last_label = None;
    }

    /// The outermost scope around one.
    pub fn root_of(&self, scope: ScopeId) -> ScopeId {
        std::iter::successors(Some(scope), |&scope| self.scope(scope).parent).last().unwrap_or(scope)
    }

    pub fn all(&self) -> impl Iterator<Item = (Sym, &Entry)> {
        self.entries.iter().enumerate().map(|(at, entry)| (Sym(at as u32), entry))
    }

    pub fn get(&self, symbol: Sym) -> &Entry {
        &self.entries[symbol.0 as usize]
    }

    pub fn get_mut(&mut self, symbol: Sym) -> &mut Entry {
        &mut self.entries[symbol.0 as usize]
    }

    pub fn definition(&self, symbol: Sym) -> Option<&Expr> {
        self.entries.get(symbol.0 as usize)?.definition.as_ref()
    }

    pub fn is_declared_zp(&self, symbol: Sym) -> bool {
        self.get(symbol).is_zp
    }

    pub fn define(&mut self, symbol: Sym, value: Expr) {
        self.get_mut(symbol).definition = Some(value);
    }

    /// A name that is used in one place, made if it is new.
    pub fn entry(&mut self, owner: Owner, name: Name, span: Span, context: u32) -> Sym {
        *self.map.entry((owner, name)).or_insert_with(|| {
            self.entries.push(Entry {
                name,
                owner,
                definition: None,
                is_label: false,
                is_variable: false,
                is_zp: false,
                import: None,
                global: None,
                span,
                context,
                is_used: false,
                is_own: false,
                size: None,
                guessed: None,
            });
            Sym(self.entries.len() as u32 - 1)
        })
    }

    /// A name that is used in one place.
    pub fn find(&self, owner: Owner, name: Name) -> Option<Sym> {
        self.map.get(&(owner, name)).copied()
    }

    /// A name as it is seen from a scope: in it, or in the nearest one around.
    pub fn find_from(&self, scope: ScopeId, name: Name) -> Option<Sym> {
        let mut next = Some(scope);
        while let Some(scope) = next {
            if let Some(found) = self.find(Owner::Scope(scope), name) {
                return Some(found);
            }
            next = self.scopes[scope.0 as usize].parent;
        }
        None
    }

    /// At the end: the definition in the scopes around for a name that its own scope only uses.
    pub fn outer_definition(&self, symbol: Sym) -> Option<Sym> {
        let entry = self.get(symbol);
        let Owner::Scope(scope) = entry.owner else { return None };
        let mut next = self.scopes[scope.0 as usize].parent;
        while let Some(scope) = next {
            if let Some(found) = self.find(Owner::Scope(scope), entry.name)
                && self.definition(found).is_some()
            {
                return Some(found);
            }
            next = self.scopes[scope.0 as usize].parent;
        }
        None
    }

    pub fn scope(&self, scope: ScopeId) -> &Scope {
        &self.scopes[scope.0 as usize]
    }

    pub fn set_size(&mut self, scope: ScopeId, size: Expr) {
        self.scopes[scope.0 as usize].size = Some(size);
    }

    /// A scope of a name that is seen from another.
    pub fn scope_from(&self, from: ScopeId, name: Name) -> Option<ScopeId> {
        let mut next = Some(from);
        while let Some(scope) = next {
            if let Some(found) = self.child(scope, name) {
                return Some(found);
            }
            next = self.scopes[scope.0 as usize].parent;
        }
        None
    }

    pub fn child(&self, scope: ScopeId, name: Name) -> Option<ScopeId> {
        self.children.get(&(scope, name)).copied()
    }

    /// The names of all scopes.
    pub fn scope_names(&self) -> impl Iterator<Item = Name> {
        self.scopes.iter().filter_map(|scope| scope.name)
    }

    /// A new scope in the present one; none if the name is taken.
    pub fn new_scope(&mut self, name: Option<Name>) -> Option<ScopeId> {
        let id = ScopeId(self.scopes.len() as u32);
        if let Some(name) = name {
            if self.children.contains_key(&(self.scope, name)) {
                return None;
            }
            self.children.insert((self.scope, name), id);
        }
        self.scopes.push(Scope { name, parent: Some(self.scope), size: None });
        Some(id)
    }

    /// How many scopes are around one.
    pub fn depth(&self, scope: ScopeId) -> usize {
        std::iter::successors(Some(scope), |&scope| self.scope(scope).parent).count()
    }
}

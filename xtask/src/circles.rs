//! Circles of files: files of one crate that name each other's items, directly or through others.
//!
//! A file depends on the file that defines a name that it uses; a re-export leads on. Test modules, method calls and what macros expand to
//! are not seen.

use crate::sources::Tracked;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::Visit;
use syn::{Attribute, Item, UseTree};

/// A module's path from the root of its crate.
type ModulePath = Vec<String>;

/// Items and imports of a module.
#[derive(Default)]
struct Module {
    file: usize,
    items: BTreeSet<String>,
    /// Targets of the imported names.
    imports: BTreeMap<String, ModulePath>,
    /// Modules whose names are all imported.
    globs: Vec<ModulePath>,
    /// Paths in its code.
    paths: BTreeSet<ModulePath>,
}

/// The modules of a crate.
#[derive(Default)]
struct Crate {
    modules: BTreeMap<ModulePath, Module>,
    tests: BTreeSet<ModulePath>,
}

/// The most circles of the workspace.
const MOST: usize = 12;
/// The most files of a circle.
const LARGEST: usize = 3;

/// Adds a problem if there are more circles, or larger ones. They are printed.
pub(crate) fn check(sources: &[Tracked], problems: &mut Vec<String>) {
    let all = circles(sources);
    let largest = all.first().map_or(0, Vec::len);
    for circle in &all {
        println!("circle of {} files: {}", circle.len(), circle.join(", "));
    }
    if all.len() > MOST || largest > LARGEST {
        let found = format!("{} circles of files, the largest of {largest}", all.len());
        problems.push(format!("{found}; there may be {MOST}, of {LARGEST} files at most"));
    }
}

/// Circles of files, the largest first, each in alphabetical order.
fn circles(sources: &[Tracked]) -> Vec<Vec<String>> {
    let mut crates: BTreeMap<&str, Crate> = BTreeMap::new();
    for (index, file) in sources.iter().enumerate() {
        let Some((root, rest)) = file.path.split_once("/src/") else { continue };
        let Some(name) = rest.strip_suffix(".rs") else { continue };
        let Ok(parsed) = syn::parse_file(&file.text) else { continue };
        let mut path: ModulePath = name.split('/').map(str::to_owned).collect();
        if matches!(path.last().map(String::as_str), Some("mod" | "lib" | "main")) {
            path.pop();
        }
        crates.entry(root).or_default().read(index, &path, &parsed.items);
    }
    let mut all: Vec<Vec<String>> = crates
        .values()
        .flat_map(|modules| components(&modules.edges()))
        .map(|files| files.into_iter().map(|file| sources[file].path.clone()).collect())
        .collect();
    all.sort_by_key(|circle| (std::cmp::Reverse(circle.len()), circle.first().cloned()));
    all
}

impl Crate {
    fn read(&mut self, file: usize, path: &[String], items: &[Item]) {
        let mut module = Module { file, ..Module::default() };
        for item in items {
            if attributes(item).is_some_and(is_for_tests) {
                if let Item::Mod(inner) = item {
                    self.tests.insert([path, &[inner.ident.to_string()]].concat());
                }
                continue;
            }
            match item {
                Item::Use(item) => {
                    module.import(Vec::new(), &item.tree);
                    continue;
                }
                Item::Mod(inner) => {
                    if let Some((_, items)) = &inner.content {
                        self.read(file, &[path, &[inner.ident.to_string()]].concat(), items);
                    }
                    continue;
                }
                _ => module.items.extend(name(item)),
            }
            Paths(&mut module.paths).visit_item(item);
        }
        self.modules.insert(path.to_vec(), module);
    }

    /// The files that each file depends on.
    fn edges(&self) -> BTreeMap<usize, BTreeSet<usize>> {
        let mut edges: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        let is_for_tests = |path: &ModulePath| (0..=path.len()).any(|end| self.tests.contains(&path[..end]));
        for (path, module) in self.modules.iter().filter(|(path, _)| !is_for_tests(path)) {
            let used = module.imports.values().chain(&module.paths);
            let found = used.filter_map(|used| self.file_of(path, used, 8));
            // A module that assembles its children, which use its types, is no circle.
            let files = found.filter(|(at, file)| *file != module.file && !at.starts_with(path));
            edges.entry(module.file).or_default().extend(files.map(|(_, file)| file));
        }
        edges
    }

    /// The file that defines what a path in a module leads to; none for a module, and for what is outside of the crate.
    fn file_of(&self, from: &[String], path: &[String], depth: u32) -> Option<(ModulePath, usize)> {
        let (first, rest) = path.split_first()?;
        let depth = depth.checked_sub(1)?;
        let at = |module: &[String], rest: &[String]| self.within(module, rest, depth);
        match first.as_str() {
            "crate" => at(&[], rest),
            "self" => at(from, rest),
            "super" => {
                let (_, parent) = from.split_last()?;
                match rest.first().is_some_and(|next| next == "super") {
                    true => self.file_of(parent, rest, depth),
                    false => at(parent, rest),
                }
            }
            _ => at(from, path),
        }
    }

    fn within(&self, module: &[String], path: &[String], depth: u32) -> Option<(ModulePath, usize)> {
        let (first, rest) = path.split_first()?;
        let child = [module, std::slice::from_ref(first)].concat();
        if self.modules.contains_key(&child) && !rest.is_empty() {
            return self.within(&child, rest, depth);
        }
        let found = self.modules.get(module)?;
        if found.items.contains(first) {
            return Some((module.to_vec(), found.file));
        }
        if let Some(import) = found.imports.get(first) {
            return self.file_of(module, &[import.as_slice(), rest].concat(), depth.checked_sub(1)?);
        }
        let depth = depth.checked_sub(1)?;
        found.globs.iter().find_map(|glob| self.file_of(module, &[glob.as_slice(), path].concat(), depth))
    }
}

impl Module {
    fn import(&mut self, mut before: ModulePath, tree: &UseTree) {
        match tree {
            UseTree::Path(inner) => {
                before.push(inner.ident.to_string());
                self.import(before, &inner.tree);
            }
            UseTree::Name(name) if name.ident == "self" => {
                if let Some(last) = before.last().cloned() {
                    self.imports.insert(last, before);
                }
            }
            UseTree::Name(name) => {
                before.push(name.ident.to_string());
                self.imports.insert(name.ident.to_string(), before);
            }
            UseTree::Rename(name) => {
                before.push(name.ident.to_string());
                self.imports.insert(name.rename.to_string(), before);
            }
            UseTree::Glob(_) => self.globs.push(before),
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.import(before.clone(), tree));
            }
        }
    }
}

/// The paths of several segments in code.
struct Paths<'a>(&'a mut BTreeSet<ModulePath>);

impl Visit<'_> for Paths<'_> {
    fn visit_path(&mut self, path: &syn::Path) {
        if path.segments.len() > 1 {
            self.0.insert(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        syn::visit::visit_path(self, path);
    }
}

fn attributes(item: &Item) -> Option<&[Attribute]> {
    Some(match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => return None,
    })
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let is_test = |path: &syn::Path| path.is_ident("test") || path.is_ident("doctest");
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|path| is_test(&path))
    })
}

fn name(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

/// Strongly connected components of more than one node.
fn components(edges: &BTreeMap<usize, BTreeSet<usize>>) -> Vec<BTreeSet<usize>> {
    let reach = |from: usize| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(at) = open.pop() {
            open.extend(edges.get(&at).into_iter().flatten().filter(|next| seen.insert(**next)));
        }
        seen
    };
    let reached: BTreeMap<usize, BTreeSet<usize>> = edges.keys().map(|from| (*from, reach(*from))).collect();
    let mut all: Vec<BTreeSet<usize>> = Vec::new();
    for (from, seen) in &reached {
        if !seen.contains(from) || all.iter().any(|known| known.contains(from)) {
            continue;
        }
        let back = |other: &&usize| reached.get(*other).is_some_and(|seen| seen.contains(from));
        all.push(seen.iter().filter(back).copied().collect());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let file = |(path, text): &(&str, &str)| Tracked {
            path: format!("crates/toy/src/{path}"),
            text: (*text).into(),
        };
        circles(&files.iter().map(file).collect::<Vec<_>>())
    }

    #[test]
    fn files_that_name_each_other_are_a_circle() {
        let a = ("a.rs", "use crate::b::B;\npub struct A(B);");
        let b = ("b.rs", "pub struct B(Option<Box<crate::c::C>>);");
        let root = ("lib.rs", "mod a; mod b; mod c;\npub use a::A;");
        // A re-export leads to the file that defines the name.
        let c = ("c.rs", "use crate::A;\npub struct C(A);");
        let paths = ["a.rs", "b.rs", "c.rs"].map(|name| format!("crates/toy/src/{name}"));
        assert_eq!(found(&[root, a, b, c]), [paths]);
        assert_eq!(found(&[root, a, b, ("c.rs", "pub struct C;")]), [[""; 0]; 0]);
        // Neither does a test make a circle, nor a parent that uses its children.
        let tests = ("c.rs", "pub struct C;\n#[cfg(test)]\nmod tests {\n use crate::A;\n fn a(_: A) {}\n}");
        assert_eq!(found(&[root, a, b, tests]), [[""; 0]; 0]);
        let child = ("parent/child.rs", "use super::Kind;\npub fn made() -> Kind { Kind }");
        let parent =
            ("parent/mod.rs", "mod child;\npub struct Kind;\npub fn make() -> Kind { child::made() }");
        assert_eq!(found(&[("lib.rs", "mod parent;"), parent, child]), [[""; 0]; 0]);
    }

    #[test]
    fn paths_in_code_count_as_imports_do() {
        let one = ("one.rs", "pub fn f() { super::two::g() }");
        let two = ("two.rs", "use super::one;\npub fn g() { one::f() }");
        assert_eq!(found(&[("lib.rs", "mod one; mod two;"), one, two]).len(), 1);
    }
}

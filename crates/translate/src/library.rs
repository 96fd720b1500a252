//! Functions in WGSL, from which a program gets those that it calls.

use std::collections::{BTreeMap, BTreeSet};

/// Functions by name. Each text is that of a function with the comment above it.
#[derive(Clone, Debug, Default)]
pub struct Library {
    functions: BTreeMap<&'static str, Function>,
}

#[derive(Clone, Debug)]
struct Function {
    text: &'static str,
    /// Its place among all of them: a caller stands behind what it calls.
    place: usize,
    calls: Vec<&'static str>,
}

impl Library {
    /// The functions of files, which stand behind those that they call. A function begins with `fn` at the start of a line and ends with
    /// `}` alone, or at the end of its only line.
    pub fn new(files: &[&'static str]) -> Library {
        let mut functions = BTreeMap::new();
        for piece in files.iter().flat_map(|file| pieces(file)) {
            let name = piece.split("fn ").nth(1).and_then(|rest| rest.split('(').next());
            if let Some(name) = name {
                let place = functions.len();
                functions.insert(name, Function { text: piece, place, calls: Vec::new() });
            }
        }
        let names: BTreeSet<&'static str> = functions.keys().copied().collect();
        for (own, function) in &mut functions {
            let words = function.text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
            let calls: BTreeSet<&'static str> =
                words.filter(|word| word != own && names.contains(word)).collect();
            function.calls = calls.into_iter().collect();
        }
        Library { functions }
    }

    /// True if there is such a function.
    pub fn has(&self, name: &str) -> bool {
        self.functions.contains_key(name)
    }

    /// The texts of these functions and of all that they call, each once, in the order of the files.
    pub fn closure<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> String {
        let mut wanted: Vec<&Function> =
            names.into_iter().filter_map(|name| self.functions.get(name)).collect();
        let mut chosen = BTreeMap::new();
        while let Some(function) = wanted.pop() {
            if chosen.insert(function.place, function.text).is_none() {
                wanted.extend(function.calls.iter().filter_map(|name| self.functions.get(name)));
            }
        }
        chosen.into_values().collect()
    }
}

/// The text of each function of a file, with the comment above it and an empty line below. What stands above an empty line and
/// is no function is about the file.
fn pieces(file: &'static str) -> Vec<&'static str> {
    let mut pieces = Vec::new();
    let (mut start, mut at, mut inside) = (0, 0, false);
    for line in file.split_inclusive('\n') {
        let end = at + line.len();
        inside |= line.starts_with("fn ");
        let ends =
            inside && (line.trim_end() == "}" || line.starts_with("fn ") && line.trim_end().ends_with('}'));
        if ends {
            // With the empty line behind it, if there is one.
            let end = if file[end..].starts_with('\n') { end + 1 } else { end };
            pieces.push(&file[start..end]);
            (start, inside) = (end, false);
        } else if !inside && line.trim().is_empty() {
            start = end;
        }
        at = end;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_brings_what_it_calls() {
        let file = "// About the file.\n\n// One.\nfn one() {\n}\n\nfn two() {\n    one();\n}\n\nfn three() {\n    two();\n}\n";
        let library = Library::new(&[file]);
        assert_eq!(library.closure(["two"]), "// One.\nfn one() {\n}\n\nfn two() {\n    one();\n}\n\n");
        assert!(library.has("three") && !library.has("four"));
        assert_eq!(library.closure(["three", "one"]).matches("fn ").count(), 3);
        assert_eq!(library.closure(["four"]), "");
    }
}

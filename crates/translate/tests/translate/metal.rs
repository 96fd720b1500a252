//! Metal's language, which nothing outside of Apple's systems compiles, read by a compiler for C++.
//!
//! It is C++14 with attributes, address spaces and a library of its own. `tests/metal` declares what translations use of that library,
//! without conversions that Metal does not have. What is checked is that all names are there, that types agree and that nothing is
//! a word of C++; not what the attributes say.

use gpuzoo_translate::{Shape, Translation};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// Translations in one run of the compiler, each in a namespace.
const TOGETHER: usize = 40;

static COMPILER: LazyLock<Option<&str>> = LazyLock::new(|| {
    let there = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    let found = ["c++", "g++", "clang++"].into_iter().find(there);
    if found.is_none() {
        gpuzoo_skipped::say("there is no compiler for C++: translations to MSL are not read by it");
    }
    found
});

/// Translations that wait for the compiler.
#[derive(Default)]
pub struct Texts {
    folder: PathBuf,
    waiting: Vec<String>,
    files: usize,
    /// What it said.
    pub complaints: Vec<String>,
    /// How many it read.
    pub read: usize,
}

impl Texts {
    /// None yet, with a folder for its files.
    pub fn new(folder: &Path) -> Texts {
        Texts { folder: folder.to_owned(), ..Texts::default() }
    }

    /// Adds one.
    pub fn add(&mut self, shape: Shape, translation: &Translation) {
        let text = translation.text().unwrap();
        self.complaints.extend(marked(shape, translation, text));
        self.add_text(text);
    }

    /// Adds a text, of which nothing but the types is looked at.
    pub fn add_text(&mut self, text: &str) {
        self.waiting.push(format!("namespace n{} {{\n{}\n}}\n", self.waiting.len(), plain(text)));
        if self.waiting.len() == TOGETHER {
            self.compile();
        }
    }

    /// Has those that wait compiled.
    pub fn compile(&mut self) {
        let Some(compiler) = *COMPILER else { return self.waiting.clear() };
        let file = self.folder.join(format!("{}.metal.cpp", self.files));
        self.files += 1;
        let text = self.waiting.drain(..).inspect(|_| self.read += 1).collect::<String>();
        std::fs::write(&file, format!("#include <metal_stdlib>\nusing metal::uint;\n{text}")).unwrap();
        let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/metal");
        let done = Command::new(compiler)
            .args(["-std=c++17", "-fsyntax-only", "-w", "-I"])
            .arg(library)
            .arg(&file)
            .output()
            .unwrap();
        if !done.status.success() {
            let said = String::from_utf8_lossy(&done.stderr).into_owned();
            let errors: Vec<&str> = said.lines().filter(|line| line.contains("error")).take(5).collect();
            self.complaints.push(errors.join("\n"));
        }
    }
}

/// Every resource has a slot of its own in the entry point's list, and a vertex shader a position.
fn marked(shape: Shape, translation: &Translation, text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    let bindings = translation.reflection().bindings;
    let slots: HashSet<&str> = bindings.iter().filter_map(|binding| binding.slot.as_deref()).collect();
    if shape != Shape::Function {
        let marks = slots.iter().map(|slot| format!("[[{slot}]]"));
        let missing = marks.filter(|mark| text.matches(mark.as_str()).count() != 1);
        complaints.extend(missing.map(|mark| format!("{mark} is not there once in {text}")));
    }
    if slots.len() != bindings.len() {
        complaints.push(format!("two resources share a slot: {bindings:?}"));
    }
    if shape == Shape::Vertex && text.matches("[[position, invariant]]").count() != 1 {
        complaints.push(format!("no position in {text}"));
    }
    complaints.extend(text.contains("fake").then(|| format!("a resource without a slot in {text}")));
    complaints
}

/// C++ for a text: inclusions are in another place, `a.zx` is a function, and numbers are floats.
fn plain(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("#include") && !line.starts_with("using "));
    let code = lines.map(|line| line.split("//").next().unwrap_or(line)).collect::<Vec<_>>().join("\n");
    let (mut out, mut rest) = (String::new(), code.as_str());
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    while let Some(at) = rest.find(is_word) {
        let (before, from) = rest.split_at(at);
        let (word, behind) = from.split_at(from.find(|letter| !is_word(letter)).unwrap_or(from.len()));
        out.push_str(before);
        rest = behind;
        let is_member = out.ends_with('.') && !out.ends_with("..");
        let is_number = word.starts_with(|letter: char| letter.is_ascii_digit());
        if is_member && word.len() > 1 && word.chars().all(|letter| "xyzw".contains(letter)) {
            let places: Vec<String> =
                word.chars().filter_map(|letter| "xyzw".find(letter)).map(|at| at.to_string()).collect();
            out.push_str(&format!("at<{}>()", places.join(", ")));
        } else if is_number && !out.ends_with('.') {
            // The whole of a literal: `5.421011e-20`.
            let end = from.find(|letter: char| !is_word(letter) && letter != '.').unwrap_or(from.len());
            let mut literal = from[..end].to_owned();
            if literal.ends_with('e') && literal.contains('.') {
                let exponent = &from[end..];
                let digits =
                    exponent[1..].find(|letter: char| !is_word(letter)).unwrap_or(exponent.len() - 1);
                literal.push_str(&exponent[..1 + digits]);
            }
            rest = &from[literal.len()..];
            out.push_str(&literal);
            if literal.contains('.') && !literal.ends_with('f') {
                out.push('f');
            }
        } else {
            out.push_str(word);
        }
    }
    out + rest
}

#[test]
fn texts_become_plain() {
    let text = "#include <metal_stdlib>\nfloat a = b.zx.y * 1.0; // 1.0\nint c = 3; d.w = 5.4e-20 - 2u;\n";
    assert_eq!(plain(text), "float a = b.at<2, 0>().y * 1.0f; \nint c = 3; d.w = 5.4e-20f - 2u;");
}

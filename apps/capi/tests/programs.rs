//! The examples, and programs that only test, in C and C++.

use crate::compiler::{Language, folder, is_there, run};
use std::path::PathBuf;

/// Builds and runs a program; what it prints is in a file beside it.
fn program(language: Language, name: &str) {
    if !is_there(language, name) {
        return;
    }
    let source: PathBuf = folder().join(name);
    let scratch = tempfile::tempdir().unwrap();
    let text = run(language, std::slice::from_ref(&source), &[], scratch.path());
    let expected = source.with_extension("txt");
    if std::env::var_os("GPUZOO_BLESS").is_some() {
        std::fs::write(&expected, &text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(&expected).unwrap_or_default(), "{name}");
}

#[test]
fn vertices() {
    program(Language::C, "examples/vertices.c");
}

#[test]
fn vera() {
    program(Language::C, "examples/vera.c");
}

#[test]
fn debugger() {
    program(Language::C, "examples/debugger.c");
}

#[test]
fn shaders() {
    program(Language::Cpp, "examples/shaders.cpp");
}

#[test]
fn api() {
    program(Language::C, "tests/c/api.c");
}

#[test]
fn misuse() {
    program(Language::C, "tests/c/misuse.c");
}

/// A small stack is enough for what is accepted, through the library as without it.
#[test]
fn nested() {
    program(Language::C, "tests/c/nested.c");
}

/// What the page on C shows is in the examples, line by line.
#[test]
fn the_page_shows_the_examples() {
    let read = |path: PathBuf| std::fs::read_to_string(path).unwrap();
    let page = read(folder().join("../../docs/c.md"));
    let examples = ["vertices.c", "vera.c", "debugger.c", "shaders.cpp"]
        .map(|name| read(folder().join("examples").join(name)));
    let blocks: Vec<&str> =
        page.split("```c\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() > 3, "{}", blocks.len());
    for block in blocks {
        assert!(examples.iter().any(|example| example.contains(block)), "in no example:\n{block}");
    }
}

/// What the page on C calls by name is in the header.
#[test]
fn the_page_names_what_there_is() {
    let read = |path: &str| std::fs::read_to_string(folder().join(path)).unwrap();
    let (page, header) = (read("../../docs/c.md"), read("include/gpuzoo.h"));
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let words =
        page.split(|letter| !is_part(letter)).filter(|word| word.to_lowercase().starts_with("gpuzoo_"));
    let words: std::collections::BTreeSet<&str> = words.collect();
    assert!(words.len() > 30, "{}", words.len());
    let known: std::collections::HashSet<&str> = header.split(|letter| !is_part(letter)).collect();
    for word in words {
        assert!(known.contains(word), "{word}");
    }
}

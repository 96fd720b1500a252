//! The screens on the book's pages are those that tests capture: a comment `<!-- screen FILE -->` says which one the block below it is.

use std::path::{Path, PathBuf};

const MARK: &str = "<!-- screen ";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A page with its screens as the files have them, and how many there are.
fn with_screens(page: &str) -> (String, usize) {
    let mut parts = page.split(MARK);
    let mut text = parts.next().unwrap_or_default().to_owned();
    let mut count = 0;
    for part in parts {
        let (file, rest) = part.split_once(" -->\n```text\n").expect("a comment is followed by a block");
        let (_, rest) = rest.split_once("```\n").expect("a block ends");
        let screen = std::fs::read_to_string(root().join(file)).expect(file);
        text += &format!("{MARK}{file} -->\n```text\n{}\n```\n{rest}", screen.trim_end());
        count += 1;
    }
    (text, count)
}

#[test]
fn pages_show_the_screens_that_tests_capture() {
    let path = root().join("docs/terminal.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (expected, count) = with_screens(&page);
    assert!(count >= 4, "{count}");
    if std::env::var_os("GPUZOO_BLESS").is_some() {
        std::fs::write(&path, &expected).unwrap();
        return;
    }
    assert_eq!(page, expected, "GPUZOO_BLESS=1 writes the screens of {}", path.display());
}

//! Words in hexadecimal, as a text has them.

use crate::codes::BAD_WORDS;
use gpuzoo_diag::{Diagnostic, File};

/// True for up to eight hexadecimal digits.
pub(super) fn is_hex(digits: &str) -> bool {
    !digits.is_empty() && digits.len() <= 8 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// The words of a text with their places; comments are left out.
pub(super) fn hex_tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let base = text.as_ptr() as usize;
    text.lines().flat_map(move |line| {
        let end = ["//", "#", ";"].iter().filter_map(|mark| line.find(mark)).min().unwrap_or(line.len());
        let words = line[..end].split(|letter: char| letter.is_whitespace() || letter == ',');
        words.filter(|word| !word.is_empty()).map(move |word| (word.as_ptr() as usize - base, word))
    })
}

/// The words of a text of hexadecimal numbers.
///
/// # Errors
/// `G0210` at the first one that is not a word.
pub fn hex(file: &File) -> Result<Vec<u32>, Diagnostic> {
    let read = |(at, word): (usize, &str)| {
        let digits = word.strip_prefix("0x").unwrap_or(word);
        let value = is_hex(digits).then(|| u32::from_str_radix(digits, 16).ok()).flatten();
        value.ok_or_else(|| {
            let problem = Diagnostic::error(&BAD_WORDS, format!("`{word}` is not a hexadecimal word"));
            let problem = problem.label(file.span(at..at + word.len()), "");
            problem.help("a word has up to eight hexadecimal digits: `0000003f`")
        })
    };
    hex_tokens(file.text()).map(read).collect()
}

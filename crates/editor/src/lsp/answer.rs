//! Parts of answers: texts that are shown of a word, and words that may be written.

use gpuzoo::diag::Symbol;
use std::ops::Range;

/// The text that is shown of a word, and the bytes of the word.
pub(crate) type Shown = (String, Range<usize>);

/// A text as it is, in Markdown.
pub(crate) fn block(text: &str) -> String {
    // A fence is longer than any in the text.
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}", text.trim_end())
}

/// A name in a line.
pub(crate) fn line(symbol: &Symbol) -> String {
    match &symbol.about[..] {
        "" => format!("{}: {}", symbol.name, symbol.kind.name()),
        about => format!("{}: {}, {about}", symbol.name, symbol.kind.name()),
    }
}

/// A kind of words, by the protocol's numbers.
#[derive(Clone, Copy)]
pub(crate) enum Icon {
    Function = 3,
    Field = 5,
    Variable = 6,
    Module = 9,
    Property = 10,
    Keyword = 14,
    EnumMember = 20,
    Constant = 21,
}

/// A word that may be written.
pub(crate) struct Item {
    /// The word.
    pub word: String,
    /// Its kind.
    pub icon: Icon,
    /// Its description, in a line.
    pub about: String,
}

impl Item {
    /// An item of a word.
    pub fn new(word: impl Into<String>, icon: Icon, about: impl Into<String>) -> Item {
        Item { word: word.into(), icon, about: about.into() }
    }
}

//! Colours of texts for a terminal.

use std::fmt::Display;

/// Whether a text gets colours. Without them it is the same text.
///
/// ```
/// use gpuzoo::paint::{Ink, Paint};
/// assert_eq!(Paint::PLAIN.ink(Ink::Odd, "nan"), "nan");
/// assert_eq!(Paint::COLORED.ink(Ink::Odd, "nan"), "\u{1b}[1;31mnan\u{1b}[0m");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Paint {
    is_colored: bool,
}

/// What a word is, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// A head, a name of the whole.
    Head,
    /// Of less interest.
    Dim,
    /// New, or changed.
    New,
    /// Suspicious: a NaN, an infinity, an undefined value.
    Odd,
    /// As it should be.
    Good,
    /// Not as it should be.
    Bad,
}

impl Paint {
    /// No colours.
    pub const PLAIN: Paint = Paint { is_colored: false };
    /// ANSI colours.
    pub const COLORED: Paint = Paint { is_colored: true };

    /// Colours or none.
    pub const fn new(is_colored: bool) -> Paint {
        Paint { is_colored }
    }

    /// True if there are colours.
    pub const fn is_colored(self) -> bool {
        self.is_colored
    }

    /// A word.
    pub fn ink(self, ink: Ink, word: impl Display) -> String {
        let codes = match ink {
            Ink::Head => "1",
            Ink::Dim => "2",
            Ink::New => "36",
            Ink::Odd => "1;31",
            Ink::Good => "32",
            Ink::Bad => "31",
        };
        if self.is_colored { format!("\u{1b}[{codes}m{word}\u{1b}[0m") } else { word.to_string() }
    }
}

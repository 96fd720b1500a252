//! A line that is typed.

use ratatui::crossterm::event::{KeyCode, KeyModifiers};

/// The most letters of a line.
const LONGEST: usize = 1_000;
/// The most lines that are remembered.
const MOST_LINES: usize = 200;

/// A line, where in it letters go, and the lines before it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Input {
    letters: Vec<char>,
    at: usize,
    before: Vec<String>,
    /// The line before that is shown; behind the last is the one that is typed.
    shown: usize,
}

/// What a key did to a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Typed {
    /// It goes on.
    Going,
    /// It was given up.
    Left,
    /// It is complete.
    Entered(String),
}

impl Input {
    /// Begins a new line.
    pub fn begin(&mut self) {
        (self.letters, self.at, self.shown) = (Vec::new(), 0, self.before.len());
    }

    pub fn text(&self) -> String {
        self.letters.iter().collect()
    }

    /// Letters before the place where more go.
    pub fn at(&self) -> usize {
        self.at
    }

    pub fn key(&mut self, code: KeyCode, modifiers: KeyModifiers) -> Typed {
        let is_control = modifiers.contains(KeyModifiers::CONTROL);
        match code {
            KeyCode::Esc => return Typed::Left,
            KeyCode::Backspace if self.letters.is_empty() => return Typed::Left,
            KeyCode::Enter => {
                let text = self.text();
                if !text.trim().is_empty() && self.before.last() != Some(&text) {
                    self.before.push(text.clone());
                    self.before.drain(..self.before.len().saturating_sub(MOST_LINES));
                }
                return Typed::Entered(text);
            }
            KeyCode::Backspace if self.at > 0 => {
                self.at -= 1;
                self.letters.remove(self.at);
            }
            KeyCode::Delete if self.at < self.letters.len() => drop(self.letters.remove(self.at)),
            KeyCode::Left => self.at = self.at.saturating_sub(1),
            KeyCode::Right => self.at = (self.at + 1).min(self.letters.len()),
            KeyCode::Home => self.at = 0,
            KeyCode::End => self.at = self.letters.len(),
            KeyCode::Up => self.recall(self.shown.saturating_sub(1)),
            KeyCode::Down => self.recall(self.shown + 1),
            KeyCode::Char('u') if is_control => {
                self.letters.drain(..self.at);
                self.at = 0;
            }
            KeyCode::Char(letter) if !is_control && !letter.is_control() && self.letters.len() < LONGEST => {
                self.letters.insert(self.at, letter);
                self.at += 1;
            }
            _ => {}
        }
        Typed::Going
    }

    fn recall(&mut self, line: usize) {
        self.shown = line.min(self.before.len());
        self.letters = self.before.get(self.shown).map(|text| text.chars().collect()).unwrap_or_default();
        self.at = self.letters.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_edited_and_recalled() {
        let mut input = Input::default();
        let mut press =
            |codes: &[KeyCode]| codes.iter().map(|code| input.key(*code, KeyModifiers::NONE)).last().unwrap();
        use KeyCode::{Backspace, Char, Down, Enter, Home, Left, Up};
        assert_eq!(press(&[Char('b'), Home, Char('a'), Enter]), Typed::Entered("ab".to_owned()));
        assert_eq!(press(&[Up, Left, Backspace, Enter]), Typed::Entered("b".to_owned()));
        assert_eq!(press(&[Up, Up, Down, Down, Down, Char('c'), Enter]), Typed::Entered("c".to_owned()));
        assert_eq!(press(&[Char('x'), Backspace, Backspace, Backspace]), Typed::Left);
    }
}

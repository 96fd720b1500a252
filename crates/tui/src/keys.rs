//! What keys do.

use ratatui::crossterm::event::{KeyCode, KeyModifiers};

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    StepOn,
    StepBack,
    RunOn,
    RunBack,
    OddOn,
    OddBack,
    Start,
    End,
    Go,
    Break,
    Why,
    Suspect,
    Lock,
    Filter,
    Search,
    Command,
    Poke,
    Watch,
    NextPane,
    PreviousPane,
    Zoom,
    View,
    OtherRun,
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
    Component(u8),
    Leave,
    Help,
    Quit,
}

use Action::*;

/// A key, or several that do the same or share a line of the help.
pub struct Key {
    codes: &'static [(KeyCode, Action)],
    /// How it is written.
    pub written: &'static str,
    /// A word for the last row of the screen; empty for keys that only the help has.
    pub short: &'static str,
    /// The same for a program that a CPU runs.
    pub of_cpu: &'static str,
    /// What it does.
    pub about: &'static str,
}

const fn key(
    codes: &'static [(KeyCode, Action)],
    written: &'static str,
    short: &'static str,
    about: &'static str,
) -> Key {
    Key { codes, written, short, of_cpu: short, about }
}

const fn of_cpu(word: &'static str, key: Key) -> Key {
    Key { of_cpu: word, ..key }
}

const fn letter(letter: char) -> KeyCode {
    KeyCode::Char(letter)
}

/// Every key: the last row of the screen has as many of those with a word as there is room for, in this order.
pub static KEYS: [Key; 24] = [
    key(&[(letter('?'), Help), (KeyCode::F(1), Help)], "?", "help", "this"),
    key(&[(letter('q'), Quit)], "q", "quit", "the end, as Ctrl-C"),
    key(
        &[(KeyCode::Left, StepBack), (KeyCode::Right, StepOn)],
        "← →",
        "step",
        "a step back, a step on, in any pane",
    ),
    of_cpu(
        "picture",
        key(
            &[(letter('n'), OddOn), (letter('N'), OddBack)],
            "n N",
            "odd",
            "on, or back, to where a NaN or an infinity arises, or something undefined is read; of a CPU's program \
             to the next picture",
        ),
    ),
    of_cpu(
        "",
        key(
            &[(letter('o'), Suspect)],
            "o",
            "suspect",
            "the first output that is a NaN, infinite or black, and why it is",
        ),
    ),
    of_cpu(
        "",
        key(
            &[(letter('a'), Why)],
            "a",
            "why",
            "where the selected components come from; Enter then goes to where that began",
        ),
    ),
    key(
        &[(letter('b'), Break)],
        "b",
        "break",
        "a breakpoint on the line, or on writes to the selected register, or none",
    ),
    key(
        &[(letter('r'), RunOn), (letter('R'), RunBack)],
        "r R",
        "run",
        "on, or back, to a breakpoint or the end",
    ),
    key(
        &[(KeyCode::Tab, NextPane), (KeyCode::BackTab, PreviousPane)],
        "Tab",
        "pane",
        "the next pane; Shift-Tab the one before",
    ),
    key(
        &[(KeyCode::Enter, Go)],
        "Enter",
        "go",
        "in the program: to the line; in registers: as `a`; in memory: the next memory",
    ),
    key(&[(letter(':'), Command)], ":", "command", "a command, as without this screen: `:help` shows all"),
    of_cpu(
        "",
        key(
            &[(letter('f'), Filter)],
            "f",
            "filter",
            "only the lines that the selected components come from, or all",
        ),
    ),
    of_cpu(
        "",
        key(
            &[(letter(' '), Lock)],
            "Space",
            "lock",
            "what is asked about stays, with its value here, while you go elsewhere; again: it follows",
        ),
    ),
    key(
        &[(letter('/'), Search)],
        "/",
        "search",
        "a text in the program, a register, or an address or a label in memory; with nothing typed, again",
    ),
    key(&[(letter('m'), Zoom)], "m", "zoom", "the pane alone, as large as the screen, or all panes"),
    of_cpu(
        "",
        key(&[(letter('u'), OtherRun)], "u", "other run", "the next run behind a pixel: its vertices"),
    ),
    key(&[(letter('l'), View)], "l", "list", "the instructions in the order in which they run, or the text"),
    key(&[(letter('g'), Start), (letter('G'), End)], "g G", "", "to the start, to the end of the run"),
    key(
        &[(KeyCode::Up, Up), (KeyCode::Down, Down), (KeyCode::PageUp, PageUp), (KeyCode::PageDown, PageDown)],
        "↑ ↓",
        "",
        "up and down in the pane, as Page Up and Page Down",
    ),
    key(&[(KeyCode::Home, First), (KeyCode::End, Last)], "Home", "", "the pane's first row; End: the last"),
    key(
        &[
            (letter('x'), Component(0)),
            (letter('y'), Component(1)),
            (letter('z'), Component(2)),
            (letter('w'), Component(3)),
        ],
        "x y z w",
        "",
        "of the selected register only this component, or with it, or without it",
    ),
    key(
        &[(letter('='), Poke)],
        "=",
        "",
        "gives the selected register another value here; what comes after is run again",
    ),
    key(&[(letter('+'), Watch)], "+", "", "watches the selected components"),
    key(
        &[(KeyCode::Esc, Leave)],
        "Esc",
        "",
        "closes what is open, stops a run, and selects nothing; any key stops a run",
    ),
];

/// What a key asks for.
pub(crate) fn action(code: KeyCode, modifiers: KeyModifiers) -> Option<Action> {
    if modifiers.contains(KeyModifiers::CONTROL) {
        return (code == letter('c')).then_some(Quit);
    }
    let mut codes = KEYS.iter().flat_map(|key| key.codes);
    codes.find(|(known, _)| *known == code).map(|(_, action)| *action)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_does_two_things() {
        let codes: Vec<KeyCode> = KEYS.iter().flat_map(|key| key.codes).map(|(code, _)| *code).collect();
        for (at, code) in codes.iter().enumerate() {
            assert!(!codes[..at].contains(code), "{code:?}");
        }
        assert_eq!(action(letter('c'), KeyModifiers::CONTROL), Some(Quit));
        assert_eq!(action(letter('n'), KeyModifiers::CONTROL), None);
    }
}

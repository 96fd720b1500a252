//! The machine's modes, and what they come to.

use crate::limits::{self, Limits};
use gpuzoo_isa::Stage;
use gpuzoo_machine::{Mode, Modes};

/// The modes. The constants below are places in this list, and in the choices of the first.
pub static MODES: &[Mode] = &[
    Mode {
        name: "stage",
        about: "for what a program runs",
        choices: &[
            ("auto", "what the text says, or else what the instructions tell"),
            ("vertex", "the program runs for vertices"),
            ("fragment", "the program runs for fragments"),
        ],
    },
    Mode {
        name: "limits",
        about: "the older interface within whose minimum a program is to keep",
        choices: &[
            ("none", "nothing is checked"),
            limits::ALL[0].choice(),
            limits::ALL[1].choice(),
            limits::ALL[2].choice(),
        ],
    },
];

/// For what a program runs.
const STAGE: usize = 0;
const VERTEX: usize = 1;
const FRAGMENT: usize = 2;

/// Which limits are checked.
const LIMITS: usize = 1;

/// The stage that the modes say.
pub fn stage(modes: Modes) -> Option<Stage> {
    match modes.choice(STAGE) {
        VERTEX => Some(Stage::Vertex),
        FRAGMENT => Some(Stage::Fragment),
        _ => None,
    }
}

/// The limits that the modes say.
pub fn limits(modes: Modes) -> Option<&'static Limits> {
    limits::ALL.get(modes.choice(LIMITS).checked_sub(1)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuzoo_machine::unit::run_state::mode;

    fn set(name: &str, choice: &str) -> Modes {
        let (mode, choice) = mode(MODES, name, choice).unwrap();
        let mut modes = Modes::default();
        modes.set(mode, choice);
        modes
    }

    #[test]
    fn names_mean_what_they_say() {
        assert_eq!(
            ["auto", "vertex", "fragment"].map(|choice| stage(set("stage", choice))),
            [None, Some(Stage::Vertex), Some(Stage::Fragment)]
        );
        assert!(limits(set("limits", "none")).is_none());
        for own in &limits::ALL {
            assert_eq!(limits(set("limits", own.name)).map(|limits| limits.name), Some(own.name));
        }
        assert_eq!(MODES[LIMITS].choices.len(), 1 + limits::ALL.len());
    }
}

//! In what state a machine is when it runs a program.

use gpuzoo_diag::Diagnostic;
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{Lower, Mask, Reg, list};

gpuzoo_diag::codes! {
    UNKNOWN_MODE = "R0701", "no such mode",
        "A mode is a switch of the machine that changes what programs may do. It is given as NAME=CHOICE; the message \
         lists what the machine has.";
}

/// A switch of a machine that changes what programs may do.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// What it is called.
    pub name: &'static str,
    /// What it can be set to, each with what that means. The first is the default.
    pub choices: &'static [(&'static str, &'static str)],
}

/// In what state a machine is when it runs a program.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunState<'a> {
    /// The numeric profile.
    pub profile: &'a str,
    /// Modes that are set, name and choice; of two settings of one mode the later counts.
    pub modes: &'a [(&'static str, &'static str)],
    /// What temporaries and outputs hold before the program, where that is not the machine's start value. They count as
    /// written.
    pub start: &'a [(Reg, Vec4)],
}

impl<'a> From<&'a str> for RunState<'a> {
    fn from(profile: &'a str) -> RunState<'a> {
        RunState { profile, ..RunState::default() }
    }
}

impl RunState<'_> {
    /// Gives registers their [start values](RunState::start); a machine's own come after it, so that they win.
    pub fn begin(&self, lower: &mut Lower) {
        for &(reg, bits) in self.start {
            let value = lower.b.constant(bits);
            lower.start(reg, value, Mask::ALL);
        }
    }

    /// True if a mode is set to this choice; false for one that is not set.
    pub fn is(&self, mode: &str, choice: &str) -> bool {
        let last = self.modes.iter().rfind(|(name, _)| *name == mode);
        last.is_some_and(|(_, chosen)| *chosen == choice)
    }
}

/// A mode and its choice, of their names.
///
/// ```
/// use gpuzoo_machine::run_state::{Mode, mode};
/// let modes = [Mode { name: "range", choices: &[("all", "every constant"), ("user", "the upper half")] }];
/// assert_eq!(mode(&modes, "range", "user"), Ok(("range", "user")));
/// assert_eq!(mode(&modes, "range", "x").unwrap_err().help, ["choices for `range` are `all` and `user`"]);
/// ```
///
/// # Errors
/// `R0701`, with what there is.
pub fn mode(modes: &[Mode], name: &str, choice: &str) -> Result<(&'static str, &'static str), Diagnostic> {
    let Some(mode) = modes.iter().find(|mode| mode.name == name) else {
        let problem = Diagnostic::error(&UNKNOWN_MODE, format!("there is no mode `{name}`"));
        return Err(match modes {
            [] => problem.help("this machine has no modes"),
            _ => problem.help(format!("modes are {}", list(modes.iter().map(|mode| mode.name)))),
        });
    };
    let found = mode.choices.iter().find(|(known, _)| *known == choice);
    found.map(|(choice, _)| (mode.name, *choice)).ok_or_else(|| {
        let message = format!("`{}` cannot be set to `{choice}`", mode.name);
        let choices = list(mode.choices.iter().map(|(name, _)| *name));
        Diagnostic::error(&UNKNOWN_MODE, message).help(format!("choices for `{}` are {choices}", mode.name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_said() {
        let modes = [Mode { name: "range", choices: &[("all", ""), ("user", "")] }];
        let error = |modes: &[Mode], name, choice| mode(modes, name, choice).unwrap_err();
        assert_eq!(error(&modes, "rnage", "all").help, ["modes are `range`"]);
        assert_eq!(error(&[], "range", "all").help, ["this machine has no modes"]);
        assert_eq!(error(&modes, "range", "").message, "`range` cannot be set to ``");
    }

    #[test]
    fn conditions_say_what_is_set() {
        let run_state = RunState { modes: &[("range", "user")], ..RunState::from("hw") };
        assert!(run_state.is("range", "user"));
        assert!(!run_state.is("range", "all"));
        let twice = RunState { modes: &[("range", "user"), ("range", "all")], ..RunState::from("hw") };
        assert!(twice.is("range", "all") && !twice.is("range", "user"));
        assert_eq!(run_state.profile, "hw");
    }
}

//! In what state a machine is when it runs a program.

use gpuzoo_diag::Diagnostic;
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{Lower, Mask, Profile, Reg, list};

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
    /// What it is about.
    pub about: &'static str,
    /// What it can be set to, each with what that means. The first is the default.
    pub choices: &'static [(&'static str, &'static str)],
}

/// What each mode of a machine is set to: the mode by its place in the machine's list, what it is set to by its place among
/// the mode's choices. [`mode`] has both of their names. By default each mode is at its first choice.
///
/// ```
/// use gpuzoo_machine::Modes;
/// let mut modes = Modes::default();
/// modes.set(1, 2);
/// assert_eq!([0, 1, 2].map(|mode| modes.choice(mode)), [0, 2, 0]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Modes {
    choices: [u8; Modes::MOST],
}

impl Modes {
    /// The most modes of a machine.
    pub const MOST: usize = 8;

    /// The most choices of a mode.
    pub const MOST_CHOICES: usize = 256;

    /// True if there is room for a machine's modes and all their choices.
    pub const fn fit(modes: &[Mode]) -> bool {
        let mut rest = modes;
        while let [first, others @ ..] = rest {
            if first.choices.len() > Modes::MOST_CHOICES {
                return false;
            }
            rest = others;
        }
        modes.len() <= Modes::MOST
    }

    /// Sets a mode. Places for which there is no room change nothing; no machine has them.
    pub fn set(&mut self, mode: usize, choice: usize) {
        if let (Some(own), Ok(choice)) = (self.choices.get_mut(mode), u8::try_from(choice)) {
            *own = choice;
        }
    }

    /// What a mode is set to.
    pub fn choice(self, mode: usize) -> usize {
        self.choices.get(mode).map_or(0, |choice| usize::from(*choice))
    }
}

/// In what state a machine is when it runs a program.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunState<'a> {
    /// The numeric profile.
    pub profile: Profile,
    /// The modes.
    pub modes: Modes,
    /// What temporaries and outputs hold before the program, where that is not the machine's start value. They count as
    /// written.
    pub start: &'a [(Reg, Vec4)],
}

impl From<Profile> for RunState<'_> {
    fn from(profile: Profile) -> Self {
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
}

/// The places of a mode and of its choice, of their names.
///
/// ```
/// use gpuzoo_machine::unit::run_state::{Mode, mode};
/// let modes = [Mode { name: "range", about: "", choices: &[("all", "every constant"), ("user", "the upper half")] }];
/// assert_eq!(mode(&modes, "range", "user"), Ok((0, 1)));
/// assert_eq!(mode(&modes, "range", "x").unwrap_err().help, ["choices for `range` are `all` and `user`"]);
/// ```
///
/// # Errors
/// `R0701`, with what there is.
pub fn mode(modes: &[Mode], name: &str, choice: &str) -> Result<(usize, usize), Diagnostic> {
    let Some(place) = modes.iter().position(|mode| mode.name == name) else {
        let problem = Diagnostic::error(&UNKNOWN_MODE, format!("there is no mode `{name}`"));
        return Err(match modes {
            [] => problem.help("this machine has no modes"),
            _ => problem.help(format!("modes are {}", list(modes.iter().map(|mode| mode.name)))),
        });
    };
    let mode = &modes[place];
    let found = mode.choices.iter().position(|(known, _)| *known == choice);
    found.map(|choice| (place, choice)).ok_or_else(|| {
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
        let modes = [Mode { name: "range", about: "", choices: &[("all", ""), ("user", "")] }];
        let error = |modes: &[Mode], name, choice| mode(modes, name, choice).unwrap_err();
        assert_eq!(error(&modes, "rnage", "all").help, ["modes are `range`"]);
        assert_eq!(error(&[], "range", "all").help, ["this machine has no modes"]);
        assert_eq!(error(&modes, "range", "").message, "`range` cannot be set to ``");
    }

    #[test]
    fn the_later_setting_of_a_mode_counts() {
        let mut modes = Modes::default();
        modes.set(0, 1);
        assert_eq!((modes.choice(0), modes.choice(1)), (1, 0));
        modes.set(0, 2);
        assert_eq!(modes.choice(0), 2);
        modes.set(0, 0);
        assert_eq!(modes, Modes::default());
        assert_eq!(RunState::from(Profile(1)).profile, Profile(1));
    }

    #[test]
    fn modes_and_choices_have_a_limit() {
        let of = |choices| Mode { name: "", about: "", choices };
        assert!(Modes::fit(&[of(&[]); Modes::MOST]));
        assert!(!Modes::fit(&[of(&[]); Modes::MOST + 1]));
        assert!(Modes::fit(&[of(&[("", ""); Modes::MOST_CHOICES])]));
        assert!(!Modes::fit(&[of(&[]), of(&[("", ""); Modes::MOST_CHOICES + 1])]));
        let (last, most) = (Modes::MOST - 1, Modes::MOST_CHOICES - 1);
        let mut modes = Modes::default();
        modes.set(last, most);
        modes.set(last, most + 1);
        modes.set(last + 1, most);
        assert_eq!((modes.choice(last), modes.choice(last + 1)), (most, 0));
    }
}

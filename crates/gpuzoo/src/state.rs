//! The state in which a machine runs a program.

use crate::run::Value;
use crate::run::registers::kept_output;
use crate::{Program, registry};
use gpuzoo_diag::Diagnostic;
use gpuzoo_ir::Vec4;
use gpuzoo_isa::Reg;
use gpuzoo_machine::unit::run_state::{self, RunState};
use gpuzoo_machine::{Modes, Profile};

/// A [`State`] whose names have been looked up.
pub(crate) struct Resolved {
    profile: Profile,
    modes: Modes,
    start: Vec<(Reg, Vec4)>,
}

impl Resolved {
    /// It as the machine takes it.
    pub fn state(&self) -> RunState<'_> {
        RunState { profile: self.profile, modes: self.modes, start: &self.start }
    }
}

/// In what state a machine is when it runs a program: everything by name.
#[derive(Clone, Debug, Default)]
pub struct State<'a> {
    profile: Option<&'a str>,
    modes: Vec<(&'a str, &'a str)>,
    outputs: Vec<(&'a str, Vec4)>,
}

impl<'a> From<&'a str> for State<'a> {
    fn from(profile: &'a str) -> State<'a> {
        State { profile: Some(profile), ..State::default() }
    }
}

impl<'a> State<'a> {
    /// The machine's default profile and modes.
    pub fn new() -> State<'a> {
        State::default()
    }

    /// Sets a mode.
    pub fn mode(mut self, name: &'a str, choice: &'a str) -> State<'a> {
        self.modes.push((name, choice));
        self
    }

    /// Says what an output holds before the program.
    pub fn output(mut self, name: &'a str, value: impl Value) -> State<'a> {
        self.outputs.push((name, value.bits()));
        self
    }
}

impl Program {
    /// Looks up a state's names.
    pub(crate) fn resolved(&self, state: State) -> Result<Resolved, Diagnostic> {
        let State { profile, modes, outputs } = state;
        let profile = registry::profile(self.gpu(), profile)?;
        let mut chosen = Modes::default();
        for (name, choice) in modes {
            let (mode, choice) = run_state::mode(self.gpu().about().modes, name, choice)?;
            chosen.set(mode, choice);
        }
        let start = |(name, value): (&str, Vec4)| Ok((kept_output(self.gpu(), name)?, value));
        let start = outputs.into_iter().map(start).collect::<Result<Vec<_>, Diagnostic>>()?;
        Ok(Resolved { profile, modes: chosen, start })
    }
}

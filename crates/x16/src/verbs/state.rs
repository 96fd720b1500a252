//! Machines that go on from a file, and those that are saved as one.

use super::unfit;
use crate::{Input, X16};
use gpuzoo_diag::Diagnostic;
use gpuzoo_machine::computer::Files;
use gpuzoo_machine::options::arguments::{Arguments, Kind, Parameter, Verb};

/// Verbs whose machines may have run before. What was recorded or compared would begin in the middle.
const GO_ON: &[Verb] = &[Verb::Check, Verb::Run, Verb::Trace, Verb::Debug, Verb::Render];

/// The options.
pub(super) const LOAD: Parameter = Parameter::new(
    "load-state",
    Kind::File,
    GO_ON,
    "go on from a file of `--save-state`, with the same program, ROM and SD card; frames, cycles and keys count from there",
);
pub(super) const SAVE: Parameter = Parameter::new(
    "save-state",
    Kind::Output,
    GO_ON,
    "write all that the machine holds at the end of the run, or where the verb stops",
);

/// What is said of a machine that starts, and is in a state.
const OF_STARTS: [&str; 5] = ["start", "ram-banks", "random-memory", "date", "deviation"];

/// True if the state at the end is wanted.
pub(super) fn is_wanted(arguments: &Arguments) -> bool {
    arguments.flag(SAVE.name)
}

/// The state that a machine goes on from, if there is one.
///
/// # Errors
/// G0108 for what would be said of a machine that starts.
pub(super) fn given(arguments: &Arguments) -> Result<Option<&[u8]>, Diagnostic> {
    let Some((_, state)) = arguments.file(LOAD.name) else { return Ok(None) };
    let others = arguments.given().map(|(name, _)| name).filter(|name| OF_STARTS.contains(name));
    let profile = (!arguments.profile.is_empty()).then_some("profile");
    match others.chain(profile).next() {
        Some(name) => {
            Err(unfit(format!("`--{name}` is for a machine that starts, and this one goes on from a state"))
                .help("what it says is in the state"))
        }
        None => Ok(Some(state)),
    }
}

/// The machine with a state. A user who does something does it from here on; else what was to come goes on.
///
/// # Errors
/// What is wrong with the state.
pub(super) fn from(mut machine: X16, state: &[u8], input: &Input) -> Result<X16, Diagnostic> {
    machine.load_state(state)?;
    if !input.is_empty() {
        machine.give(input);
    }
    Ok(machine)
}

/// What there is to write of a machine as it is.
///
/// # Errors
/// V0342 for a state that is too large.
pub(super) fn files(machine: &X16) -> Result<Files, Diagnostic> {
    Ok(vec![(SAVE.name, machine.save_state()?)])
}

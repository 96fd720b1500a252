//! A record that fails, as a run to be looked at: where the first component became another than the record says.

use super::{Companions, Options, Shared, complete, records};
use crate::codes::{BAD_ARGUMENT, BAD_RECORD};
use crate::run::Vertices;
use crate::trace::{Trace, trace};
use crate::{Program, registry};
use gpuzoo_diag::{Diagnostic, File, Span, counted};
use gpuzoo_isa::{Assembled, Mask, Reg};
use gpuzoo_machine::vectors::{Checked, Replay};
use gpuzoo_machine::{RunState, ShaderUnit};

/// A run of a record.
pub struct Opened {
    /// The program of the record.
    pub program: Program,
    /// Its run.
    pub trace: Trace,
    /// What there is to say of it: the record, its first difference, and how many others there are.
    pub about: String,
    /// The register and components that differ, and the step behind the one that wrote them first among those that differ.
    pub wrong: Option<(String, Mask, u64)>,
}

/// Opens the record on a line of a vector file, or the first one that fails.
///
/// # Errors
/// `G0108` if there is none or no record fails, `C0101` to `C0103` for one that cannot be used, or has no program.
pub fn open(
    gpu: &'static dyn ShaderUnit,
    file: &File,
    line: Option<usize>,
    options: &Options,
) -> Result<Opened, Diagnostic> {
    let name = Some(options.arguments.profile.as_str()).filter(|name| !name.is_empty());
    let profile = registry::profile(gpu, name)?;
    let mut shared = Shared::new();
    let mut without = None;
    for (at, range) in records(file.text()) {
        let span = file.span(range.clone());
        let read = complete(gpu, file, range, options, &mut shared);
        if line.is_some_and(|line| line != at) {
            continue;
        }
        let Some((kind, record)) = read.map(|(kind, record)| record.map(|record| (kind, record)))? else {
            continue;
        };
        let unusable = |reason: String| {
            let message = format!("this `{}` record cannot be used: {reason}", kind.name);
            Diagnostic::error(&BAD_RECORD, message).label(span, "")
        };
        let checked = (kind.check)(&record, profile).map_err(unusable)?;
        if line.is_none() && checked.differences.is_empty() {
            continue;
        }
        let first = checked.differences.first().map_or("", |difference| difference.place.as_str());
        let replay = match kind.replay {
            Some(replay) => replay(&record, first),
            None => Err(format!("a `{}` record has no program to go through", kind.name)),
        };
        let replay = match replay {
            Ok(replay) => replay,
            // Another one that fails may have a program.
            Err(reason) if line.is_none() => {
                without.get_or_insert(unusable(reason));
                continue;
            }
            Err(reason) => return Err(unusable(reason)),
        };
        let others = |place: &str| kind.replay.and_then(|replay| replay(&record, place).ok());
        return opened(gpu, (at, span), replay, &checked, profile.into(), others).map_err(unusable);
    }
    Err(without.unwrap_or_else(|| {
        let message = match line {
            Some(line) => format!("no record is on line {line} of `{}`", file.name()),
            None => format!("no record of `{}` fails", file.name()),
        };
        Diagnostic::error(&BAD_ARGUMENT, message)
            .help("`--record LINE` opens the record on a line, failed or not")
    }))
}

fn opened(
    gpu: &'static dyn ShaderUnit,
    (line, span): (usize, Span),
    replay: Replay,
    checked: &Checked,
    run_state: RunState,
    others: impl Fn(&str) -> Option<Replay>,
) -> Result<Opened, String> {
    let Replay { run, mut program, inputs, constants, .. } = replay;
    // Words have no text; the place of all is the record.
    program.slots.iter_mut().for_each(|slot| slot.span = span);
    let read = Assembled { program, diagnostics: Vec::new() };
    let program = Program::of(gpu, read).map_err(|_| "its program has errors".to_owned())?;
    let numbers: Vec<u16> = (0..).take(inputs.len()).collect();
    let given: Vec<u16> = (0..).take(constants.len()).collect();
    let vertices = Vertices::of_rows(1, &numbers, &inputs);
    let trace = trace(&program, &run_state, &vertices, 0, &constants, &given);
    let mut head = format!("line {line}");
    for word in [checked.name.as_str(), &run].into_iter().filter(|word| !word.is_empty()) {
        head += &format!(", {word}");
    }
    let Some(first) = checked.differences.first() else {
        return Ok(Opened { program, trace, about: format!("{head}: it passes\n"), wrong: None });
    };
    // Among the differences of the same run the one whose last write comes first.
    let mut wrong: Option<(u64, &gpuzoo_machine::vectors::Difference, String, Mask)> = None;
    for difference in &checked.differences {
        let Some(other) = others(&difference.place).filter(|other| other.run == run) else { continue };
        let Some((register, components)) = other.register else { continue };
        let Some(step) = written(&trace, &register, components) else { continue };
        if wrong.as_ref().is_none_or(|(known, ..)| step < *known) {
            wrong = Some((step, difference, register, components));
        }
    }
    let shown = wrong.as_ref().map_or(first, |(_, difference, ..)| difference);
    let mut about =
        format!("{head}\n{}: {} here, and the record says {}\n", shown.place, shown.got, shown.expected);
    let more = checked.differences.len() - 1;
    if more > 0 {
        about += &format!("and {}\n", counted(more, "other difference"));
    }
    let wrong = wrong.map(|(step, _, register, components)| (register, components, step));
    Ok(Opened { program, trace, about, wrong })
}

/// The step behind the last one that wrote components of a register, by its own name or that of an output.
fn written(trace: &Trace, name: &str, components: Mask) -> Option<u64> {
    let output = trace.outputs.iter().find(|output| output.name.eq_ignore_ascii_case(name));
    let own =
        || trace.session.registers().find(|(_, known)| known.eq_ignore_ascii_case(name)).map(|(reg, _)| reg);
    let reg: Reg = output.and_then(|output| output.reg).or_else(own)?;
    let writes = |step: &gpuzoo_machine::session::trace::TraceStep| {
        step.changes.iter().any(|change| change.reg == reg && change.components.0 & components.0 != 0)
    };
    trace.session.steps().iter().rposition(writes).map(|step| step as u64 + 1)
}

/// The companions that a vector file has in itself.
pub fn alone(gpu: &dyn ShaderUnit, file: &File) -> Companions {
    let mut companions = Companions::default();
    if Companions::needed(gpu) {
        companions.note(gpu, file);
    }
    companions
}

//! Logs of the commands that the unit was sent, as xemu prints them: draws, and launches of state programs, each with
//! its program,
//! constants and inputs.
//!
//! A log begins anywhere, so what was sent before it is not known: slots and constants that it does not load count as not given. What lies
//! in the console's memory is not in it either, which is where most vertices are. A log is read line by line: beside
//! its text only the
//! unit's state and the vertices of the draw that is being read are in memory.

mod lines;
mod methods;
mod notes;
mod replay;
mod unit;
mod vertices;

use crate::vertex::rules::{LOG_PROGRAM, LOG_VERTICES, NO_DRAW};
use gpuzoo_diag::{Diagnostic, File, Severity};
use gpuzoo_machine::TextOptions;
use gpuzoo_machine::limits::budget::Budget;
use gpuzoo_machine::unit::logged::{Call, Logged};
use lines::{Command, Line, line};
use methods::{BEGIN_END, ELEMENTS, Effect, LAUNCH, effect};
use notes::{Kind, Notes};
use replay::Replay;
use std::ops::Range;
use unit::{Completed, Lack, Unit};
use vertices::Rows;

/// How many draws and launches of a log have been seen.
#[derive(Clone, Copy, Default)]
struct Counts {
    draws: u64,
    /// The draws among these that go through the fixed pipeline.
    fixed: u64,
    launches: u64,
}

/// A run that may be the one that is asked for.
struct Found {
    call: Call,
    logged: Logged,
    before: Counts,
}

/// Reads the draw or launch that `options` name; without one the first draw that goes through a program, or else the
/// first launch.
///
/// # Errors
/// `N0801` if there is no such draw or launch, `N0802` if its program is not in the log, `R0703` for more memory than
/// the budget has.
pub fn read(file: &File, options: &TextOptions) -> Result<Logged, Diagnostic> {
    let mut replay = Replay::new(options.profile);
    let mut counts = Counts::default();
    // Without a choice the first launch waits for a draw that goes through a program.
    let (mut found, mut launch): (Option<Found>, Option<Result<Found, Diagnostic>>) = (None, None);
    let mut at = 0;
    for text in file.text().split_inclusive('\n') {
        let place = at..at + text.trim_end().len();
        at += text.len();
        let read = line(text);
        if found.is_some() {
            // Only how many there are is still of interest.
            if let Line::Command(command) = read {
                counts.count(command);
            }
            continue;
        }
        let command = match read {
            Line::Command(command) => command,
            Line::Other => continue,
            Line::LeftOut(method) => {
                left_out(&mut replay, method, &place);
                continue;
            }
            Line::Broken => {
                replay.notes.add(Kind::Broken, &place, String::new);
                continue;
            }
        };
        note(&mut replay.notes, command.method, &place);
        let completed = replay.unit.take(command, options.budget);
        let Some(completed) = completed.map_err(|refusal| refusal.at(file.span(place.clone())))? else {
            continue;
        };
        let before = counts;
        match completed {
            Completed::Launch => {
                let call = Call::Launch(counts.launches);
                let found_here = || {
                    let logged = launched(&replay, file, &place)?;
                    Ok(Found { call, logged, before })
                };
                if options.call == Some(call) {
                    found = Some(found_here()?);
                } else {
                    if options.call.is_none() && launch.is_none() {
                        launch = Some(found_here());
                    }
                    replay.launch(counts.launches, &place);
                }
                counts.launches += 1;
            }
            Completed::Draw => {
                let call = Call::Draw(counts.draws);
                let has_program = replay.unit.has_program();
                if options.call == Some(call) || options.call.is_none() && has_program {
                    let logged = drawn(&replay, file, &place, options.budget)?;
                    found = Some(Found { call, logged, before });
                } else {
                    replay.draw(counts.draws, &place);
                }
                counts.draws += 1;
                counts.fixed += u64::from(!has_program);
            }
        }
    }
    let found = found.map(Ok).or(launch).transpose()?;
    let Some(Found { call, mut logged, before }) = found else {
        return Err(missing(file, options.call, counts));
    };
    if options.call.is_none() {
        logged.remarks.extend(choice(call, before, counts));
    }
    Ok(logged)
}

impl Counts {
    /// Counts what a command ends behind the run that was asked for.
    fn count(&mut self, Command { method, parameter }: Command) {
        self.draws += u64::from(method == BEGIN_END && parameter == 0);
        self.launches += u64::from(method == LAUNCH);
    }
}

/// Notes a method that is not modelled.
fn note(notes: &mut Notes, method: u32, place: &Range<usize>) {
    match effect(method) {
        Effect::Read | Effect::Constant(..) | Effect::Nothing => {}
        Effect::NotModelled => notes.add(Kind::NotModelled(method), place, || {
            format!(
                "method {method:#06x} sets the position as 16-bit integers in a form that is not modelled"
            )
        }),
        Effect::Unknown => notes.unknown(method, place),
    }
}

/// Takes commands whose parameters the log leaves out: of vertices in memory they would say no more.
fn left_out(replay: &mut Replay, method: u32, place: &Range<usize>) {
    match effect(method) {
        _ if ELEMENTS.contains(&method) => replay.unit.take_elements(),
        Effect::Nothing => {}
        Effect::Unknown => replay.notes.unknown(method, place),
        Effect::Read | Effect::Constant(..) | Effect::NotModelled => {
            replay.notes.add(Kind::LeftOut(method), place, || {
                format!("the log leaves out the parameters of method {method:#06x}")
            });
        }
    }
}

/// The note that says which draw or launch was taken, where there are several.
fn choice(call: Call, before: Counts, all: Counts) -> Option<Diagnostic> {
    let (message, help) = match call {
        Call::Draw(_) if all.draws + all.launches < 2 => return None,
        Call::Launch(_) if all.launches < 2 && all.draws == 0 => return None,
        Call::Draw(number) => {
            let message = format!("draw {number} of {} was taken, the first one with a program", all.draws);
            (
                message,
                if all.launches > 0 {
                    "`--draw N` or `--launch N` chooses another"
                } else {
                    "`--draw N` chooses another"
                },
            )
        }
        Call::Launch(number) => {
            let of = all.launches;
            let why =
                if all.draws > 0 { "since no draw goes through a program" } else { "since there is no draw" };
            let message = format!("launch {number} of {of} was taken, {why}");
            (message, "`--launch N` chooses another")
        }
    };
    let mut note = Diagnostic::new(Severity::Note, &NO_DRAW, message).help(help);
    if before.fixed > 0 {
        note = note.help("the draws before it go through the fixed pipeline, which is not modelled");
    }
    Some(note)
}

/// The problem that a log has no such draw or launch.
fn missing(file: &File, call: Option<Call>, counts: Counts) -> Diagnostic {
    let message = match call {
        Some(Call::Draw(number)) => format!("there is no draw {number} in the log"),
        Some(Call::Launch(number)) => format!("there is no launch {number} in the log"),
        None => "no draw of the log goes through a program".to_owned(),
    };
    let (name, count) = match call {
        Some(Call::Launch(_)) => ("launches", counts.launches),
        _ => ("draws", counts.draws),
    };
    let problem = Diagnostic::error(&NO_DRAW, message).label(file.whole(), "");
    match count {
        0 => problem.help("it has none: `nv2a_pgraph_method` is the event of xemu to log"),
        1 => problem.help("the one that it has is number 0"),
        _ => problem.help(format!("{name} are 0 to {}", count - 1)),
    }
}

/// What draws and launches have in common; `what` it is stands in messages.
fn found(
    replay: &Replay,
    file: &File,
    place: &Range<usize>,
    words: Result<Vec<u32>, Lack>,
    what: &str,
) -> Result<Logged, Diagnostic> {
    let words = words.map_err(|why| {
        let message = format!("the program of the {what} is not in the log: {why}");
        let label = if what == "draw" { "the draw ends here" } else { "it is launched here" };
        let problem = Diagnostic::error(&LOG_PROGRAM, message).label(file.span(place.clone()), label);
        problem.help(why.help())
    })?;
    let constants = (0..).zip(&replay.unit.constants);
    let constants = constants.filter_map(|(number, value)| Some((number, (*value)?))).collect();
    Ok(Logged { words, constants, remarks: replay.notes.remarks(file), ..Logged::default() })
}

/// A launch at a place.
fn launched(replay: &Replay, file: &File, place: &Range<usize>) -> Result<Logged, Diagnostic> {
    let unit = &replay.unit;
    let logged = found(replay, file, place, unit.program(unit.launched), "launch")?;
    let (data, _) = unit.launch_data();
    Ok(Logged { inputs: vec![0], values: vec![data], modes: unit.modes(Completed::Launch), ..logged })
}

/// A draw that ends at a place.
fn drawn(
    replay: &Replay,
    file: &File,
    place: &Range<usize>,
    budget: Option<&Budget>,
) -> Result<Logged, Diagnostic> {
    let (unit, span): (&Unit, _) = (&replay.unit, file.span(place.clone()));
    if !unit.has_program() {
        let problem =
            Diagnostic::error(&LOG_PROGRAM, "the draw goes through the fixed pipeline, not a program");
        return Err(problem.label(span, "the draw ends here"));
    }
    let mut logged = found(replay, file, place, unit.program(unit.start()), "draw")?;
    logged.modes = unit.modes(Completed::Draw);
    let mut last = Rows::default();
    let rows = if unit.is_in_memory {
        let message = "vertices of the draw are in the console's memory";
        let note = Diagnostic::new(Severity::Note, &LOG_VERTICES, message);
        logged.remarks.insert(0, note.label(span, "the draw ends here").help("name a file with them"));
        last.push(&unit.current, budget).map_err(|refusal| refusal.at(span))?;
        &last
    } else {
        &unit.rows
    };
    (logged.inputs, logged.values) = rows.table(budget).map_err(|refusal| refusal.at(span))?;
    Ok(logged)
}

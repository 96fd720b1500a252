//! Steps and runs in both directions: where they stop, and what is said of it.

use crate::dap::breaks::{self, Hit};
use crate::dap::debuggee::{Aim, Debuggee, Going};
use crate::dap::message::{Answer, Arguments, NOT_NOW, Problem, event, output};
use gpuzoo::debug::{Debugger, Halt, Unclear};
use gpuzoo::machine::session::Condition;
use serde_json::{Value as Json, json};

/// Why a run stops.
enum Stopped {
    /// At breakpoints, or for a reason of the protocol.
    Here(&'static str, Option<String>, Vec<u64>),
    /// It goes on, after some steps.
    Not,
}

/// The most steps between two looks for messages: some milliseconds of the fastest machine.
const PIECE: u64 = 1 << 16;
/// The most stops between two looks for messages.
const MOST_STOPS: usize = 256;

/// What is sent when the run begins: it stops at its first instruction, or goes on from there.
pub(crate) fn begin(debuggee: &mut Debuggee, stops: bool) -> Vec<Json> {
    let going = Going { run: 0, forward: true, aim: Aim::Anywhere };
    if debuggee.no_debug {
        debuggee.going = Some(going);
        return Vec::new();
    }
    if stops {
        return vec![stopped(debuggee, 0, "entry", None, &[])];
    }
    // A run takes a step before it looks for breakpoints.
    let mut said = Vec::new();
    match at_breakpoints(debuggee, 0, &mut said) {
        Stopped::Here(reason, text, ids) => said.push(stopped(debuggee, 0, reason, text, &ids)),
        Stopped::Not => debuggee.going = Some(going),
    }
    said
}

/// A piece of the run that goes on: what is to be sent.
pub(crate) fn advance(debuggee: &mut Debuggee) -> Vec<Json> {
    let Some(mut going) = debuggee.going.take() else { return Vec::new() };
    let mut said = Vec::new();
    for _ in 0..MOST_STOPS {
        match piece(debuggee, &mut going, &mut said) {
            Ok(Stopped::Not) => {}
            Ok(Stopped::Here("end", ..)) if debuggee.no_debug => {
                said.extend(over(debuggee));
                return said;
            }
            Ok(Stopped::Here(reason, text, ids)) => {
                said.push(stopped(debuggee, going.run, reason, text, &ids));
                return said;
            }
            Err(Unclear { message, .. }) => {
                said.push(output(
                    "stderr",
                    &format!("a breakpoint's condition has no value here: {message}\n"),
                ));
                said.push(stopped(debuggee, going.run, "breakpoint", Some(message), &[]));
                return said;
            }
        }
        if matches!(going.aim, Aim::Anywhere | Aim::Out(_) | Aim::Step { inside: Some(_), .. }) {
            // What takes long takes all of a piece.
            break;
        }
    }
    debuggee.going = Some(going);
    said
}

/// Goes so far as there is something to decide.
fn piece(debuggee: &mut Debuggee, going: &mut Going, said: &mut Vec<Json>) -> Result<Stopped, Unclear> {
    let (run, forward) = (going.run, going.forward);
    let (to, limit) = match going.aim {
        Aim::Anywhere => (None, PIECE),
        Aim::Out(depth) | Aim::Step { inside: Some(depth), .. } => (Some(Condition::Unwound(depth)), PIECE),
        Aim::Step { .. } => (None, 1),
    };
    let Some(debugger) = debuggee.own.console.choose(run) else { return Ok(here("pause")) };
    debugger.compare_in_time_of(PIECE);
    let before = debugger.session().depth();
    let to = to.as_slice();
    let halt = if forward { debugger.run(to, limit)? } else { debugger.run_back(to, limit)? };
    match halt {
        Halt::Breakpoint(_) => match at_breakpoints(debuggee, run, said) {
            Stopped::Not => {}
            stop => return Ok(stop),
        },
        Halt::End => return Ok(here("end")),
        Halt::Start => return Ok(here("start")),
        Halt::Met(_) | Halt::Limit => {}
    }
    let Some(debugger) = debuggee.own.console.choose(run) else { return Ok(here("pause")) };
    let after = debugger.session().depth();
    let Aim::Step { line, over, inside, has_moved } = &mut going.aim else {
        return Ok(if let Halt::Met(_) = halt { here("step") } else { Stopped::Not });
    };
    if inside.is_some() {
        if !matches!(halt, Halt::Met(_)) {
            return Ok(Stopped::Not);
        }
        *inside = None;
    } else if *over && forward && after > before + 1 {
        *inside = Some(before + 1);
        return Ok(Stopped::Not);
    }
    let position = debugger.session().position();
    if debugger.session().place(position).is_none() {
        return Ok(here("end"));
    }
    let is_done = match line {
        None => true,
        Some(line) if forward => debuggee.line(run, position) != Some(*line),
        // Back to where the line that was reached begins.
        Some(line) => {
            if !*has_moved {
                *line = debuggee.line(run, position).unwrap_or(*line);
            }
            position.checked_sub(1).and_then(|before| debuggee.line(run, before)) != Some(*line)
        }
    };
    *has_moved = true;
    Ok(if is_done { here("step") } else { Stopped::Not })
}

fn here(reason: &'static str) -> Stopped {
    Stopped::Here(reason, None, Vec::new())
}

/// What the breakpoints say that are met here: some stop the run, others only print.
fn at_breakpoints(debuggee: &mut Debuggee, run: usize, said: &mut Vec<Json>) -> Stopped {
    if debuggee.no_debug {
        return Stopped::Not;
    }
    let Some(debugger) = debuggee.own.console.choose(run) else { return Stopped::Not };
    let met: Vec<u32> = debugger.met().filter_map(Result::ok).collect();
    let (mut ids, mut stop) = (Vec::new(), None);
    for number in met {
        match breaks::hit(debuggee, run, number) {
            Hit::Passed => {}
            Hit::Said(text) => said.push(text),
            Hit::Stops { id, reason, happened } => {
                ids.extend(id);
                if let Some(word) = happened {
                    let text = told(debuggee, run);
                    debuggee.happened[run] = Some((word, text.clone()));
                    stop.get_or_insert((reason, Some(text)));
                } else {
                    stop.get_or_insert((reason, None));
                }
            }
        }
    }
    match stop {
        Some((reason, text)) => Stopped::Here(reason, text, ids),
        None => Stopped::Not,
    }
}

/// What was remarkable about the step before, and where that was.
fn told(debuggee: &mut Debuggee, run: usize) -> String {
    let Some(debugger) = debuggee.own.console.choose(run) else { return String::new() };
    let step = debugger.session().position().saturating_sub(1);
    let text = debugger.session().place(step).map_or_else(String::new, |place| place.text);
    let line = debuggee.line(run, step).map_or_else(String::new, |line| debuggee.text_of_line(line) + ": ");
    format!("{line}{text}: {}", debuggee.own.console.remarks().join("; "))
}

/// The event that a run has stopped.
pub(crate) fn stopped(
    debuggee: &mut Debuggee,
    run: usize,
    reason: &str,
    text: Option<String>,
    ids: &[u64],
) -> Json {
    let (reason, description) = match reason {
        "end" => ("end", Some("at the end of the run".to_owned())),
        "start" => ("entry", Some("at the start of the run".to_owned())),
        "exception" => ("exception", text.clone()),
        "breakpoint" if text.is_some() => ("breakpoint", text.clone()),
        other => (other, None),
    };
    if reason != "exception"
        && let Some(happened) = debuggee.happened.get_mut(run)
    {
        *happened = None;
    }
    let mut body = json!({ "reason": reason, "threadId": run + 1, "allThreadsStopped": true });
    if let Some(description) = description {
        body["description"] = description.into();
    }
    if let Some(text) = text {
        body["text"] = text.into();
    }
    if !ids.is_empty() {
        body["hitBreakpointIds"] = json!(ids);
    }
    event("stopped", body)
}

/// What is said at the end of the program.
fn over(debuggee: &mut Debuggee) -> Vec<Json> {
    debuggee.is_over = true;
    vec![event("exited", json!({ "exitCode": 0 })), event("terminated", json!({}))]
}

/// The run that a request names, by its thread.
fn run_of(debuggee: &Debuggee, arguments: Arguments) -> Result<usize, Problem> {
    debuggee.frame(arguments.the_number("threadId")?)
}

fn chosen<'a>(
    debuggee: &'a mut Debuggee,
    arguments: Arguments,
) -> Result<(usize, &'a mut Debugger), Problem> {
    let run = run_of(debuggee, arguments)?;
    let debugger = debuggee.own.console.choose(run);
    Ok((run, debugger.ok_or_else(|| Problem::not_there("there is no such run"))?))
}

/// `continue`. At the end of the run it ends the session.
pub(crate) fn go(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    let (run, debugger) = chosen(debuggee, arguments)?;
    let position = debugger.session().position();
    if debugger.session().place(position).is_none() {
        let said = over(debuggee);
        debuggee.events.extend(said);
    } else {
        debuggee.going = Some(Going { run, forward: true, aim: Aim::Anywhere });
    }
    Ok(json!({ "allThreadsContinued": false }))
}

/// `reverseContinue`.
pub(crate) fn go_back(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    let (run, _) = chosen(debuggee, arguments)?;
    debuggee.going = Some(Going { run, forward: false, aim: Aim::Anywhere });
    Ok(Json::Null)
}

fn step(debuggee: &mut Debuggee, arguments: Arguments, forward: bool, over: bool) -> Answer {
    let (run, debugger) = chosen(debuggee, arguments)?;
    let position = debugger.session().position();
    let line = match arguments.text("granularity") {
        Some("instruction") => None,
        // From the end, back to where the last line begins.
        _ if !forward => {
            debuggee.line(run, position).or_else(|| debuggee.line(run, position.saturating_sub(1)))
        }
        _ => debuggee.line(run, position),
    };
    let aim = Aim::Step { line, over, inside: None, has_moved: false };
    debuggee.going = Some(Going { run, forward, aim });
    Ok(Json::Null)
}

/// `next`.
pub(crate) fn next(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    step(debuggee, arguments, true, true)
}

/// `stepIn`.
pub(crate) fn into(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    step(debuggee, arguments, true, false)
}

/// `stepBack`.
pub(crate) fn back(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    step(debuggee, arguments, false, false)
}

/// `stepOut`: of a subroutine or an interrupt; of a program without them to its end.
pub(crate) fn out(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    let (run, debugger) = chosen(debuggee, arguments)?;
    let aim = match debugger.session().depth() {
        0 => Aim::Anywhere,
        depth => Aim::Out(depth),
    };
    debuggee.going = Some(Going { run, forward: true, aim });
    Ok(Json::Null)
}

/// `pause`. For what has stopped the event is sent again.
pub(crate) fn pause(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    let run = run_of(debuggee, arguments)?;
    let run = debuggee.going.take().map_or(run, |going| going.run);
    let said = stopped(debuggee, run, "pause", None, &[]);
    debuggee.events.push(said);
    Ok(Json::Null)
}

/// `goto`: to a step of a shader's run, before or behind this one.
pub(crate) fn goto(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    let target = arguments.the_number("targetId")?;
    let (run, debugger) = chosen(debuggee, arguments)?;
    let step = u64::try_from(target).ok().filter(|step| debugger.session().total() > Some(*step));
    let Some(step) = step else { return Err(Problem::not_there(format!("there is no target {target}"))) };
    debugger.session().seek(step);
    let said = stopped(debuggee, run, "goto", None, &[]);
    debuggee.events.push(said);
    Ok(Json::Null)
}

/// `exceptionInfo`.
pub(crate) fn exception(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    let run = run_of(debuggee, arguments)?;
    let Some((word, text)) = &debuggee.happened[run] else {
        let help = "ask after a stop whose reason is `exception`";
        return Err(Problem::new(&NOT_NOW, "the run has not stopped at something that happened", help));
    };
    let details = json!({ "message": text, "typeName": word });
    Ok(json!({ "exceptionId": word, "description": text, "breakMode": "always", "details": details }))
}

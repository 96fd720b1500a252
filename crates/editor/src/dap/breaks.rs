//! Breakpoints of all kinds: when they stop a run, and when they only say something.

use crate::dap::debuggee::Debuggee;
use crate::dap::memory::instruction;
use crate::dap::message::{Answer, Arguments, BAD_REQUEST, NOT_THERE, Problem, event, output};
use crate::dap::points::{Hits, Kind, Placed, Wanted};
use crate::dap::values::filled;
use gpuzoo::debug::{Expression, Subject};
use gpuzoo::debugger::command::EVENTS;
use gpuzoo::debugger::{mask, not_reported};
use gpuzoo::diag::FileId;
use gpuzoo::machine::session::{Condition, EventKind};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What a breakpoint does where it is met.
pub(crate) enum Hit {
    /// Nothing.
    Passed,
    /// It only prints.
    Said(Json),
    /// The run stops.
    Stops { id: Option<u64>, reason: &'static str, happened: Option<&'static str> },
}

/// Where a breakpoint is: what stops a run, and for a line which one it is.
struct Spot {
    conditions: Vec<Condition>,
    line: Option<usize>,
}

impl From<Condition> for Spot {
    fn from(condition: Condition) -> Spot {
        Spot { conditions: vec![condition], line: None }
    }
}

/// `setBreakpoints`.
pub(crate) fn of_source(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    let source = arguments.0.get("source").ok_or_else(|| Problem::bad("the argument `source` is missing"))?;
    let mut source = source.clone();
    // What only the client needs would be kept for each breakpoint, and be sent back with it.
    if let Some(source) = source.as_object_mut() {
        for name in ["adapterData", "checksums", "sources"] {
            source.remove(name);
        }
    }
    let kind = Kind::Source(source.to_string().into());
    let with_source = |own: &Json| {
        let mut own = own.clone();
        if own.is_object() {
            own["source"] = source.clone();
        }
        own
    };
    let list = arguments.list("breakpoints").iter().map(with_source).collect();
    set(debuggee, kind, list)
}

/// `setFunctionBreakpoints`: labels.
pub(crate) fn of_labels(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    set(debuggee, Kind::Labels, arguments.list("breakpoints").to_vec())
}

/// `setInstructionBreakpoints`.
pub(crate) fn of_instructions(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    set(debuggee, Kind::Instructions, arguments.list("breakpoints").to_vec())
}

/// `setDataBreakpoints`.
pub(crate) fn of_data(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    set(debuggee, Kind::Data, arguments.list("breakpoints").to_vec())
}

/// `setExceptionBreakpoints`: what happens, by the words of the debugger.
pub(crate) fn of_events(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    let filters = arguments.list("filters").iter().map(|filter| json!({ "filterId": filter }));
    let list = filters.chain(arguments.list("filterOptions").iter().cloned()).collect();
    set(debuggee, Kind::Events, list)
}

/// Sets all breakpoints of a kind; those that were there go.
fn set(debuggee: &mut Debuggee, kind: Kind, list: Vec<Json>) -> Answer {
    let mut wanted = Vec::new();
    for own in list {
        debuggee.breaks.last += 1;
        let arguments = Arguments(&own);
        let hits = Hits::read(arguments.text("hitCondition").unwrap_or_default());
        let log = arguments.text("logMessage").filter(|log| !log.is_empty()).map(str::to_owned);
        wanted.push(Wanted { id: debuggee.breaks.last, own, hits, log, met: 0 });
    }
    debuggee.breaks.wanted.insert(kind.clone(), wanted);
    Ok(json!({ "breakpoints": place(debuggee, &kind) }))
}

/// All kinds again, in runs that are new: what has become of each.
pub(crate) fn again(debuggee: &mut Debuggee) -> Vec<Json> {
    debuggee.breaks.placed.clear();
    let kinds: Vec<Kind> = debuggee.breaks.wanted.keys().cloned().collect();
    let all: Vec<Json> = kinds.iter().flat_map(|kind| place(debuggee, kind)).collect();
    debuggee.breaks.wanted.values_mut().flatten().for_each(|wanted| wanted.met = 0);
    all.into_iter()
        .map(|own| event("breakpoint", json!({ "reason": "changed", "breakpoint": own })))
        .collect()
}

/// Places the breakpoints of a kind in the debuggers of all runs.
fn place(debuggee: &mut Debuggee, kind: &Kind) -> Vec<Json> {
    let breaks = &mut debuggee.breaks;
    let (gone, left) =
        std::mem::take(&mut breaks.placed).into_iter().partition(|own: &Placed| own.kind == *kind);
    breaks.placed = left;
    let current = debuggee.own.console.current();
    let mut numbers: BTreeMap<usize, HashSet<u32>> = BTreeMap::new();
    for own in gone {
        numbers.entry(own.run).or_default().insert(own.number);
    }
    for (run, numbers) in &numbers {
        if let Some(debugger) = debuggee.own.console.choose(*run) {
            debugger.remove_all(numbers);
        }
    }
    let wanted = debuggee.breaks.wanted.get(kind).cloned().unwrap_or_default();
    let mut lines = Lines::new();
    let all = wanted.iter().map(|wanted| place_one(debuggee, &mut lines, kind, wanted)).collect();
    debuggee.own.console.choose(current);
    all
}

/// Places one breakpoint in every run that has its place: what it has become.
fn place_one(debuggee: &mut Debuggee, lines: &mut Lines, kind: &Kind, wanted: &Wanted) -> Json {
    let arguments = Arguments(&wanted.own);
    let condition = arguments.text("condition").filter(|text| !text.trim().is_empty());
    let condition = condition.map(Expression::read).transpose().map_err(Problem::from);
    let (mut refused, mut line, mut count) = (None, None, 0);
    for run in 0..debuggee.runs() {
        let spot = spot(debuggee, lines, run, kind, arguments).and_then(|spot| {
            let condition = condition.clone()?;
            wanted.hits.clone()?;
            if let (Some(condition), Some(debugger)) = (&condition, debuggee.own.console.choose(run)) {
                condition.value(debugger.session())?;
            }
            Ok((spot, condition))
        });
        match spot {
            Ok((spot, condition)) => {
                let Some(debugger) = debuggee.own.console.choose(run) else { continue };
                line = line.or(spot.line);
                for own in spot.conditions {
                    let number = debugger.add(own, condition.clone());
                    debuggee.breaks.placed.push(Placed { run, number, kind: kind.clone(), id: wanted.id });
                    count += 1;
                }
            }
            Err(problem) => drop(refused.get_or_insert(problem)),
        }
    }
    let mut own = json!({ "id": wanted.id, "verified": count > 0 });
    if let (0, Some(Problem(text))) = (count, refused) {
        own["message"] = text.into();
        own["reason"] = "failed".into();
    }
    if let Kind::Source(_) = kind {
        own["source"] = wanted.own["source"].clone();
        let given = arguments.number("line").unwrap_or(0);
        own["line"] = line.map_or(given, |line| debuggee.client.line(line)).into();
    }
    if let Kind::Instructions = kind {
        own["instructionReference"] = wanted.own["instructionReference"].clone();
    }
    own
}

/// The lines with code of each run and file, once they were asked for.
type Lines = HashMap<(usize, FileId), Vec<(u64, usize, usize)>>;

fn spot(
    debuggee: &mut Debuggee,
    lines: &mut Lines,
    run: usize,
    kind: &Kind,
    arguments: Arguments,
) -> Result<Spot, Problem> {
    let client = debuggee.client;
    match kind {
        Kind::Source(_) => {
            let wanted = client.own_line(arguments.the_number("line")?).unwrap_or(0);
            let files = arguments.0.get("source").map(|source| debuggee.files_of(source)).unwrap_or_default();
            let mut found: Option<(usize, Vec<Condition>)> = None;
            for file in files {
                let mut last = 0;
                let lines = lines.entry((run, file)).or_insert_with(|| debuggee.lines_of(run, file));
                for &(at, line, end) in &*lines {
                    // Of several instructions of a line the first one is meant, wherever the line is run.
                    let is_first = last != line;
                    last = line;
                    if end < wanted || !is_first {
                        continue;
                    }
                    match &mut found {
                        Some((nearest, all)) if *nearest == line => all.push(Condition::At(at)),
                        Some((nearest, _)) if *nearest < line => {}
                        _ => found = Some((line, vec![Condition::At(at)])),
                    }
                }
            }
            let (line, conditions) = found.ok_or_else(|| {
                let message = format!("no instruction of the run comes from line {wanted} or one behind it");
                Problem::new(
                    &NOT_THERE,
                    message,
                    "lines with code are shown by `breakpointLocations`, or `list` in the console",
                )
            })?;
            Ok(Spot { conditions, line: Some(line) })
        }
        Kind::Labels => {
            let name = arguments.the_text("name")?.trim();
            let address =
                debuggee.own.console.choose(run).and_then(|debugger| debugger.session().symbol(name));
            let none = || {
                let help =
                    "labels of a CPU's program, and names of its devices' registers, are what there is";
                Problem::new(&NOT_THERE, format!("the program has no label `{name}`"), help)
            };
            Ok(Condition::At(address.ok_or_else(none)?).into())
        }
        Kind::Instructions => {
            let reference = arguments.the_text("instructionReference")?;
            let offset = arguments.number("offset").unwrap_or(0);
            let Some(debugger) = debuggee.own.console.choose(run) else {
                return Err(Problem::not_there("there is no such run"));
            };
            instruction(debugger.session(), reference, offset).map(Spot::from)
        }
        Kind::Data => {
            if arguments.text("accessType").is_some_and(|access| access != "write") {
                let help = "set it for `write`";
                let message = "what is read is not watched, only what is written";
                return Err(Problem::new(&BAD_REQUEST, message, help));
            }
            let text = arguments.the_text("dataId")?;
            let expression = Expression::read(text)?;
            let Some(debugger) = debuggee.own.console.choose(run) else {
                return Err(Problem::not_there("there is no such run"));
            };
            Ok(match expression.subject(debugger.session())? {
                Subject::Register(name, _) if !debugger.session().reports(&name) => {
                    return Err(not_reported(&name).into());
                }
                Subject::Register(name, components) => Condition::Register(name, mask(&components)).into(),
                Subject::Memory(space, range) => Condition::Memory { space: space.into(), range }.into(),
            })
        }
        Kind::Events => {
            let word = arguments.the_text("filterId")?;
            let kind = single_events().find(|(known, ..)| *known == word).map(|(_, kind, _)| kind);
            let help = "the answer to `initialize` has the filters; some are of shaders, some of a CPU";
            let refuse = |message: String| Problem::new(&NOT_THERE, message, help);
            let kind = kind.ok_or_else(|| refuse(format!("there is no filter `{word}`")))?;
            let is_of_cpu = matches!(kind, EventKind::Interrupt | EventKind::Frame);
            let session = debuggee.own.console.choose(run).map(|debugger| debugger.session());
            let has_cpu = session.is_some_and(|session| session.shader().is_none());
            match is_of_cpu == has_cpu {
                true => Ok(Condition::Event(kind).into()),
                false => Err(refuse(format!("`{word}` does not happen in this run"))),
            }
        }
    }
}

/// What happens, one kind a word.
pub(crate) fn single_events() -> impl Iterator<Item = (&'static str, EventKind, &'static str)> {
    EVENTS.iter().filter_map(|(word, kinds, about)| match kinds {
        [kind] => Some((*word, *kind, *about)),
        _ => None,
    })
}

/// What a breakpoint of a debugger does where it is met now.
pub(crate) fn hit(debuggee: &mut Debuggee, run: usize, number: u32) -> Hit {
    let breaks = &mut debuggee.breaks;
    let Some(placed) = breaks.placed.iter().find(|own| own.run == run && own.number == number) else {
        // It was typed.
        return Hit::Stops { id: None, reason: "breakpoint", happened: None };
    };
    let wanted = breaks.wanted.get_mut(&placed.kind);
    let wanted = wanted.and_then(|all| all.iter_mut().find(|wanted| wanted.id == placed.id));
    let Some(wanted) = wanted else { return Hit::Passed };
    wanted.met += 1;
    if wanted.hits.as_ref().is_ok_and(|hits| hits.is_some_and(|hits| !(hits.counts)(wanted.met, hits.number)))
    {
        return Hit::Passed;
    }
    if let Some(log) = wanted.log.clone() {
        let source = debuggee.stack_source(run);
        let mut said = output("console", &(filled(debuggee, run, &log) + "\n"));
        if let Some((source, line)) = source {
            (said["body"]["source"], said["body"]["line"]) = (source, line.into());
        }
        return Hit::Said(said);
    }
    let (reason, happened) = match &placed.kind {
        Kind::Source(_) => ("breakpoint", None),
        Kind::Labels => ("function breakpoint", None),
        Kind::Instructions => ("instruction breakpoint", None),
        Kind::Data => ("data breakpoint", None),
        Kind::Events => {
            let word = wanted.own["filterId"].as_str().unwrap_or_default();
            ("exception", single_events().find(|(known, ..)| *known == word).map(|(known, ..)| known))
        }
    };
    Hit::Stops { id: Some(placed.id), reason, happened }
}

/// `dataBreakpointInfo`: a register, its component, or bytes of memory, as an expression.
pub(crate) fn data_info(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    let name = arguments.the_text("name")?;
    let (run, text) = match arguments.number("variablesReference").filter(|reference| *reference > 0) {
        Some(reference) => debuggee.named(reference, name)?,
        None => (debuggee.run_of_frame(arguments)?, name.to_owned()),
    };
    let Some(debugger) = debuggee.own.console.choose(run) else { return Ok(Json::Null) };
    let subject = Expression::read(&text).and_then(|own| own.subject(debugger.session()));
    let refused = match subject {
        Ok(Subject::Register(name, _)) if !debugger.session().reports(&name) => not_reported(&name),
        Ok(_) => {
            return Ok(json!({
                "dataId": text, "description": format!("writes to {text}"), "accessTypes": ["write"],
                "canPersist": true,
            }));
        }
        Err(unclear) => unclear.into(),
    };
    let Problem(why) = refused.into();
    Ok(json!({ "dataId": null, "description": why }))
}

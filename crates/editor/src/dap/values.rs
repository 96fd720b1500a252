//! Values: scopes and variables, what sets them, and expressions.

use crate::dap::debuggee::{Debuggee, Holder, What};
use crate::dap::message::{Answer, Arguments, Problem, event};
use gpuzoo::debug::{Component, Expression, Quantity, Subject};
use gpuzoo::debugger::command::{self, Cast};
use gpuzoo::diag::File;
use gpuzoo::isa::COMPONENTS;
use gpuzoo::machine::session::{Cell, Name, Register, Value};
use serde_json::{Value as Json, json};

/// The headings of anything but registers.
const LAST: &str = "Step before";
const MEMORY: &str = "Memory";

impl Debuggee {
    fn variable(&mut self, run: usize, register: &Register, cast: Cast) -> Json {
        let name = &register.name;
        let quantity = match register.value {
            Value::Vec4(bits, integers) => {
                let all: Vec<u8> = (0..4).filter(|at| register.components.has(*at)).collect();
                Quantity::Components(Component::all(bits, integers, &all))
            }
            Value::Integer { value, bits } => Quantity::Integer(value, bits),
        };
        let text = self.own.console.text_of(&quantity, cast);
        let mut own = json!({
            "name": name, "value": text, "evaluateName": name, "variablesReference": 0, "type": kind(&quantity),
        });
        if let Quantity::Components(_) = quantity {
            own["variablesReference"] = self.reference(run, What::Register(name.clone())).into();
            own["memoryReference"] = json!(name);
        }
        own
    }
}

/// What a value is, in a word.
fn kind(quantity: &Quantity) -> String {
    match quantity {
        Quantity::Components(all) => {
            let integers = all.iter().filter(|component| component.is_integer).count();
            let kind = match integers {
                0 => "float",
                _ if integers == all.len() => "int",
                // Some of each.
                _ => "vec",
            };
            if all.len() == 1 { kind.to_owned() } else { format!("{kind}{}", all.len()) }
        }
        Quantity::Integer(_, bits) => format!("{bits} bits"),
        Quantity::Bytes(bytes) => format!("byte[{}]", bytes.len()),
        Quantity::Number(..) => "number".to_owned(),
        Quantity::Truth(_) => "truth".to_owned(),
    }
}

/// How values are to be shown.
pub(crate) fn cast(arguments: Arguments) -> Cast {
    let is_hex = arguments.0.pointer("/format/hex").and_then(Json::as_bool).unwrap_or(false);
    if is_hex { Cast::Bits } else { Cast::Usual }
}

/// `scopes`: the registers by their headings, what the step before did, and memory.
pub(crate) fn scopes(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    let run = debuggee.frame(arguments.the_number("frameId")?)?;
    let Some(debugger) = debuggee.own.console.choose(run) else { return Ok(Json::Null) };
    let session = debugger.session();
    let position = session.position();
    let mut groups: Vec<&'static str> = Vec::new();
    for register in session.state(position).unwrap_or_default() {
        if !groups.contains(&register.group) {
            groups.push(register.group);
        }
    }
    let has_memory = !session.spaces().is_empty();
    let mut scopes = Vec::new();
    for group in groups {
        let reference = debuggee.reference(run, What::Group(group));
        scopes.push(json!({
            "name": group, "presentationHint": "registers", "variablesReference": reference, "expensive": false,
        }));
    }
    let memory = has_memory.then_some((MEMORY, What::Memory));
    for (name, what) in memory.into_iter().chain([(LAST, What::Last)]) {
        let reference = debuggee.reference(run, what);
        scopes.push(json!({ "name": name, "variablesReference": reference, "expensive": false }));
    }
    Ok(json!({ "scopes": scopes }))
}

/// `variables`.
pub(crate) fn variables(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    let Holder { run, what } = debuggee.holder(arguments.the_number("variablesReference")?)?;
    let cast = cast(arguments);
    let Some(debugger) = debuggee.own.console.choose(run) else { return Ok(Json::Null) };
    let session = debugger.session();
    let position = session.position();
    let state = session.state(position).unwrap_or_default();
    let mut all = Vec::new();
    match what {
        What::Group(group) => {
            // What has no name is nothing that a program could say.
            let is_named = |name: &Name| name.starts_with(char::is_alphabetic);
            for register in state.iter().filter(|own| own.group == group && is_named(&own.name)) {
                all.push(debuggee.variable(run, register, cast));
            }
        }
        What::Register(name) => {
            let register = state.iter().find(|register| register.name == name);
            let Some((Value::Vec4(bits, integers), has)) = register.map(|own| (own.value, own.components))
            else {
                return Err(Problem::not_there(format!("the run has no register `{name}`")));
            };
            for (at, letter) in (0..).zip(COMPONENTS).filter(|(at, _)| has.has(*at)) {
                let quantity = Quantity::Components(Component::all(bits, integers, &[at]));
                let text = debuggee.own.console.text_of(&quantity, cast);
                all.push(json!({
                    "name": letter.to_string(), "value": text, "evaluateName": format!("{name}.{letter}"),
                    "variablesReference": 0, "type": kind(&quantity),
                }));
            }
        }
        What::Memory => {
            for space in session.spaces() {
                let hint = json!({ "attributes": ["readOnly"] });
                all.push(json!({
                    "name": space.name, "value": format!("{} bytes: {}", space.bytes, space.about),
                    "variablesReference": 0, "memoryReference": space.name, "presentationHint": hint,
                }));
            }
        }
        What::Last => all = last(debuggee, cast),
    }
    let start = arguments.number("start").and_then(|start| usize::try_from(start).ok()).unwrap_or(0);
    let count =
        arguments.number("count").and_then(|count| usize::try_from(count).ok()).filter(|count| *count > 0);
    let page: Vec<Json> = all.into_iter().skip(start).take(count.unwrap_or(usize::MAX)).collect();
    Ok(json!({ "variables": page }))
}

/// What the step before read and wrote, and what was remarkable about it.
fn last(debuggee: &mut Debuggee, cast: Cast) -> Vec<Json> {
    let run = debuggee.own.console.current();
    let Some(debugger) = debuggee.own.console.choose(run) else { return Vec::new() };
    let session = debugger.session();
    let Some(step) = session.position().checked_sub(1) else { return Vec::new() };
    let text = session.place(step).map_or_else(String::new, |place| place.text);
    let (reads, changes) =
        (session.reads(step).unwrap_or_default(), session.changes(step).unwrap_or_default());
    let hint = json!({ "attributes": ["readOnly"] });
    let item = |name: String, value: String| json!({ "name": name, "value": value, "variablesReference": 0, "presentationHint": hint });
    let console = &mut debuggee.own.console;
    let mut all = vec![item("instruction".to_owned(), text)];
    for read in &reads {
        let (name, quantity) = part(&read.cell, read.components.0, read.value);
        all.push(item(format!("reads {name}"), console.text_of(&quantity, cast)));
    }
    for change in &changes {
        let (name, after) = part(&change.cell, change.components.0, change.after);
        let (_, before) = part(&change.cell, change.components.0, change.before);
        let (after, before) = (console.text_of(&after, cast), console.text_of(&before, cast));
        let value =
            if after == before { format!("{after}, as before") } else { format!("{after}, before {before}") };
        all.push(item(format!("writes {name}"), value));
    }
    all.extend(console.remarks().into_iter().map(|told| item("event".to_owned(), told)));
    all
}

/// Some components of a cell: their name as an expression, and what they hold.
fn part(cell: &Cell, components: u8, value: Value) -> (String, Quantity) {
    let name = match cell {
        Cell::Register(name) => name.to_string(),
        Cell::Memory(address) => format!("{}[${:04X}]", address.space, address.at),
    };
    match value {
        Value::Integer { value, bits } => (name, Quantity::Integer(value, bits)),
        Value::Vec4(bits, integers) => {
            let some: Vec<u8> = (0..4).filter(|component| components >> component & 1 != 0).collect();
            let letters: String = some.iter().map(|component| COMPONENTS[usize::from(*component)]).collect();
            let name = if components & 15 == 15 { name } else { format!("{name}.{letters}") };
            (name, Quantity::Components(Component::all(bits, integers, &some)))
        }
    }
}

/// `setVariable`.
pub(crate) fn set_variable(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    let name = arguments.the_text("name")?;
    let (run, place) = debuggee.named(arguments.the_number("variablesReference")?, name)?;
    poke(debuggee, run, &place, arguments)
}

/// `setExpression`.
pub(crate) fn set_expression(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    let run = debuggee.run_of_frame(arguments)?;
    poke(debuggee, run, arguments.the_text("expression")?, arguments)
}

/// Does what the command `poke` does; the answer has what is there now.
fn poke(debuggee: &mut Debuggee, run: usize, place: &str, arguments: Arguments) -> Answer {
    let value = arguments.the_text("value")?.trim();
    // As vectors are shown.
    let value = value.strip_prefix('(').and_then(|value| value.strip_suffix(')')).unwrap_or(value);
    let expression = command::whole_expression(&File::new("place", place))?;
    let numbers = command::whole_numbers(&File::new("value", value))?;
    debuggee.own.console.choose(run);
    debuggee.own.console.poke(&expression, &numbers)?;
    if debuggee.client.invalidated {
        // Other values may show the same register, and where the run goes may be another place.
        debuggee.events.push(event("invalidated", json!({ "areas": ["variables", "stacks"] })));
    }
    let mut own = shown(debuggee, run, &expression, cast(arguments))?;
    // The answer to `evaluate`, but for the name of what it says.
    if let Some(value) = own.as_object_mut().and_then(|own| own.remove("result")) {
        own["value"] = value;
    }
    Ok(own)
}

/// The value of an expression, as `evaluate` answers it.
pub(crate) fn shown(debuggee: &mut Debuggee, run: usize, expression: &Expression, cast: Cast) -> Answer {
    let Some(debugger) = debuggee.own.console.choose(run) else {
        return Err(Problem::not_there("there is no such run"));
    };
    let session = debugger.session();
    let quantity = expression.value(session)?;
    let subject = expression.subject(session).ok();
    let text = debuggee.own.console.text_of(&quantity, cast);
    let mut own = json!({ "result": text, "type": kind(&quantity), "variablesReference": 0 });
    match subject {
        Some(Subject::Register(name, components)) if components.is_empty() => {
            if let Quantity::Components(_) = quantity {
                own["variablesReference"] = debuggee.reference(run, What::Register(name.clone())).into();
                own["memoryReference"] = json!(name);
            }
        }
        Some(Subject::Memory(space, range)) => {
            own["memoryReference"] = format!("{space}:{:#x}", range.start()).into();
        }
        _ => {}
    }
    Ok(own)
}

/// An expression with the cast behind it.
pub(crate) fn expression(text: &str) -> Result<(Expression, Cast), Problem> {
    let watch = command::whole_watch(&File::new("expression", text))?;
    Ok((watch.expression, watch.cast))
}

/// A text in which expressions in braces have become their values.
pub(crate) fn filled(debuggee: &mut Debuggee, run: usize, text: &str) -> String {
    let (mut done, mut rest) = (String::new(), text);
    while let Some((before, (inner, after))) =
        rest.split_once('{').and_then(|(before, behind)| Some((before, behind.split_once('}')?)))
    {
        let value = expression(inner).and_then(|(own, cast)| shown(debuggee, run, &own, cast));
        done += before;
        done += &match value {
            Ok(value) => value["result"].as_str().unwrap_or_default().to_owned(),
            Err(Problem(why)) => format!("({})", why.lines().next().unwrap_or_default()),
        };
        rest = after;
    }
    done + rest
}

//! Watches, hovers, what is typed, completion, ancestry.

use crate::dap::debuggee::Debuggee;
use crate::dap::message::{Answer, Arguments, Problem};
use crate::dap::motion::stopped;
use crate::dap::values::{cast, expression, shown};
use gpuzoo::debugger::command::{self, COMMANDS, Cast, Command, EVENTS};
use gpuzoo::diag::{File, suggest};
use serde_json::{Value as Json, json};

/// `evaluate`: the value of an expression, with a cast; in the console the debugger's commands, too.
pub(crate) fn evaluate(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    let text = arguments.the_text("expression")?;
    let run = debuggee.run_of_frame(arguments)?;
    let first = text.split_whitespace().next().unwrap_or_default();
    // In small letters: `S` is a register, `s` a step.
    let is_command = COMMANDS.iter().any(|(names, ..)| names.contains(&first));
    if arguments.text("context") == Some("repl") && is_command {
        return typed(debuggee, run, text);
    }
    let value = expression(text).and_then(|(expression, own)| {
        let cast = if own == Cast::Usual { cast(arguments) } else { own };
        shown(debuggee, run, &expression, cast)
    });
    value.map_err(|Problem(why)| {
        let names = COMMANDS.iter().map(|(names, ..)| names[0]);
        let near = suggest::nearest(first, names).filter(|_| arguments.text("context") == Some("repl"));
        Problem(
            why + &near
                .map_or_else(String::new, |near| format!("\nhelp: did you mean the command `{near}`?")),
        )
    })
}

/// A command of the debugger. What it moves is a stop of the run.
fn typed(debuggee: &mut Debuggee, run: usize, text: &str) -> Answer {
    debuggee.own.console.choose(run);
    let place = |debuggee: &mut Debuggee| {
        let run = debuggee.own.console.current();
        (run, debuggee.own.console.choose(run).map(|debugger| debugger.session().position()))
    };
    let before = place(debuggee);
    let file = File::new("console", text);
    let is_poke = matches!(command::read(&file, file.whole().range()), Ok(Some(Command::Poke(..))));
    let reply = debuggee.own.console.obey(&file, file.whole().range())?;
    if reply.save.is_some() {
        return Err(Problem::bad(
            "an editor keeps no sessions: `gpuzoo debug` in a terminal does".to_owned(),
        ));
    }
    let after = place(debuggee);
    if before != after || is_poke {
        let said = stopped(debuggee, after.0, if is_poke { "poke" } else { "goto" }, None, &[]);
        debuggee.events.push(said);
    }
    let result = match reply.done {
        true => "end the session in the editor\n".to_owned(),
        false => reply.text,
    };
    Ok(json!({ "result": result.trim_end(), "variablesReference": 0 }))
}

/// `completions`: commands, registers, events.
pub(crate) fn completions(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    let text = arguments.the_text("text")?;
    let column = arguments.the_number("column")?.saturating_sub(debuggee.client.first_column);
    let units: Vec<u16> = text.encode_utf16().take(usize::try_from(column).unwrap_or(0)).collect();
    let before = String::from_utf16_lossy(&units);
    let line = before.rsplit('\n').next().unwrap_or_default();
    let word =
        line.rsplit(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or_default();
    let is_first = line.trim_start().len() == word.len();
    let run = debuggee.run_of_frame(arguments)?;
    let mut all: Vec<(String, &str, &str)> = Vec::new();
    if is_first {
        all.extend(COMMANDS.iter().map(|(names, _, about)| (names[0].to_owned(), "function", *about)));
    } else {
        all.extend(["line", "write", "if"].map(|word| (word.to_owned(), "keyword", "")));
        all.extend(EVENTS.iter().map(|(word, _, about)| ((*word).to_owned(), "keyword", *about)));
    }
    if let Some(debugger) = debuggee.own.console.choose(run) {
        let session = debugger.session();
        let position = session.position();
        let registers = session.state(position).unwrap_or_default();
        all.extend(registers.into_iter().map(|own| (own.name.into_owned(), "variable", own.group)));
        all.extend(session.spaces().iter().map(|space| (space.name.to_owned(), "variable", space.about)));
    }
    let start = line.encode_utf16().count() - word.encode_utf16().count();
    let fits = |label: &str| label.to_ascii_lowercase().starts_with(&word.to_ascii_lowercase());
    let targets = all.into_iter().filter(|(label, ..)| fits(label)).map(|(label, kind, detail)| {
        json!({ "label": label, "type": kind, "detail": detail,
                "start": start, "length": word.encode_utf16().count() })
    });
    Ok(json!({ "targets": targets.collect::<Vec<Json>>() }))
}

/// `gpuzoo/why`: what components of a register were computed from, as a sentence with what is near, and as a whole as data.
pub(crate) fn why(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    let run = debuggee.run_of_frame(arguments)?;
    let (expression, _) = expression(arguments.the_text("expression")?)?;
    let console = &mut debuggee.own.console;
    console.choose(run);
    let ancestry = console.ancestry(&expression)?;
    Ok(json!({ "text": console.why(&expression)?, "ancestry": ancestry }))
}

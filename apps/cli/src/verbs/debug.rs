//! `debug`.

use super::data::refuse_data;
use super::subject::{self, Found};
use super::{parameters, refuse, room, software};
use crate::args;
use crate::io;
use crate::output::Output;
use crate::session::{Session, Stop};
use gpuzoo::codes::BAD_ARGUMENT;
use gpuzoo::debugger::{Console, Run};
use gpuzoo::diag::{Diagnostic, FileId, Sources};
use gpuzoo::machine::arguments::Verb;
use gpuzoo::machine::session::Picture;
#[cfg(feature = "tui")]
use gpuzoo::paint::Paint;
use gpuzoo::read;
use std::io::{BufRead, IsTerminal};
use std::sync::Arc;

/// What standard input is called.
const TYPED: &str = "standard input";

/// Commands on a run.
pub fn debug(args: &args::Debug, session: &mut Session) -> Result<(), Stop> {
    let is_typed = args.script.is_none() && std::io::stdin().is_terminal();
    let own_input = args.of.data.source.input.as_deref().is_some_and(io::is_standard);
    refuse(
        &[(args.script.is_none() && own_input, "-")],
        "is where commands come from: give them with `--script`",
    )?;
    let (runs, sources) = match subject::find(&args.of, Verb::Debug, session)? {
        Found::Pixel(pick, _) => {
            let Some(fragment) = pick.made().or(pick.fragments.last()) else {
                return Err(Diagnostic::error(&BAD_ARGUMENT, pick.head())
                    .help("choose another pixel")
                    .into());
            };
            let traces = fragment.traces.clone();
            let picture = Arc::new(Picture { mark: Some(pick.at), image: pick.image });
            let run = |trace| Run::of_trace(trace).in_picture(picture.clone());
            (traces.into_iter().map(run).collect(), session.sources.clone())
        }
        Found::Run { trace, .. } => (vec![Run::of_trace(*trace)], session.sources.clone()),
        Found::Machine(gpu, computer) => {
            let args::Data { source, program_format, profile, .. } = &args.of.data;
            refuse_data(gpu, &args.of.data)?;
            let no_vertices = format!("is for programs over vertices; {} has none", gpu.about().id);
            refuse(&[(args.of.vertex.is_some(), "--vertex")], &no_vertices)?;
            let own =
                parameters::own(gpu, Verb::Debug, profile.as_deref(), source.input.as_deref(), session)?;
            let program = software(computer, source, program_format.as_deref(), &own, session)?;
            let run = Run::of_session(gpu.about().name, program.session(&own.arguments)?);
            (vec![run], (**program.sources()).clone())
        }
    };
    #[cfg(feature = "tui")]
    if is_typed && !args.plain && args.output.is_none() && super::terminal::is_there() {
        let console = Console::new(runs, &sources, args.of.data.bits, Paint::PLAIN);
        return super::terminal::show(console, session.paint(None).is_colored());
    }
    let paint = session.paint(args.output.as_deref());
    let mut console = Console::new(runs, &sources, args.of.data.bits, paint);
    let mut output = Output::open(args.output.as_deref(), false)?;
    output.write(console.greeting().as_bytes())?;
    if is_typed {
        typed(&mut console, &mut output, session)?;
        return output.finish();
    }
    let script = script(args, session)?;
    let mut start = 0;
    let text = session.sources.get(script).text().to_owned();
    for line in text.split_inclusive('\n') {
        let range = start..start + line.trim_end_matches(['\n', '\r']).len();
        start += line.len();
        if !line.trim().is_empty() {
            output.write(format!("> {}\n", line.trim()).as_bytes())?;
        }
        let reply = console.obey(session.sources.get(script), range);
        let reply = match reply {
            Ok(reply) => reply,
            Err(problem) => {
                // A file keeps what it has; a reader sees how far it went.
                if args.output.as_deref().is_none_or(io::is_standard) {
                    output.finish()?;
                }
                return Err(problem.into());
            }
        };
        output.write(reply.text.as_bytes())?;
        if reply.done {
            break;
        }
    }
    output.finish()
}

/// The commands of a script, or of standard input.
fn script(args: &args::Debug, session: &mut Session) -> Result<FileId, Stop> {
    let path = args.script.as_deref();
    let input = io::read(path.or(Some("-".as_ref())), path.is_none().then_some(TYPED))?;
    room(&input.bytes, session)?;
    Ok(read::text(&mut session.sources, &input.name, &input.bytes)?)
}

/// Commands that are typed: a mistake is reported, and the next one is read.
fn typed(console: &mut Console, output: &mut Output, session: &mut Session) -> Result<(), Stop> {
    let mut lines = std::io::stdin().lock().lines();
    loop {
        output.write(b"> ")?;
        output.flush()?;
        let Some(Ok(line)) = lines.next() else { return Ok(()) };
        let mut sources = Sources::default();
        let file = sources.add(TYPED, &line);
        match console.obey(sources.get(file), 0..line.len()) {
            Ok(reply) => {
                output.write(reply.text.as_bytes())?;
                if reply.done {
                    return Ok(());
                }
            }
            Err(problem) => drop(session.report_about(&sources, vec![problem])),
        }
    }
}

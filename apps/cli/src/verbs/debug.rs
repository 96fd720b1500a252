//! `debug`.

use super::data::refuse_data;
use super::subject::{self, Found};
use super::{parameters, refuse, room, saved, software};
use crate::args;
use crate::io;
use crate::output::Output;
use crate::session::{Session, Stop};
use gpuzoo::codes::BAD_ARGUMENT;
use gpuzoo::conform::replay::Opened;
use gpuzoo::debugger::{Batch, Console, Run};
use gpuzoo::diag::{Diagnostic, FileId, Sources};
use gpuzoo::machine::arguments::Verb;
use gpuzoo::machine::text::extension;
use gpuzoo::read;
use gpuzoo::run::expected::Expected;
use gpuzoo::run::npy;
use std::io::{BufRead, IsTerminal, Write};
use std::ops::Range;
use std::path::Path;

/// What standard input is called.
const TYPED: &str = "standard input";

/// Commands on a run, or on that of a saved session.
pub fn debug(args: &args::Debug, session: &mut Session) -> Result<(), Stop> {
    let Some(saved) = saved::read(args, session)? else {
        let words = saved::words();
        return on(args, args, &words, None, session);
    };
    let words = saved.saved.arguments.clone();
    on(&saved.of, args, &words, Some(saved.commands()), session)
}

/// Commands on a run of `of`, which `words` say; first those of a saved session. Where commands come from and where
/// output goes is what `args` say.
fn on(
    of: &args::Debug,
    args: &args::Debug,
    words: &[String],
    commands: Option<(FileId, Vec<Range<usize>>)>,
    session: &mut Session,
) -> Result<(), Stop> {
    let is_typed = args.script.is_none() && std::io::stdin().is_terminal();
    let own_input = of.of.data.source.input.as_deref().is_some_and(io::is_standard);
    refuse(
        &[(args.script.is_none() && own_input, "-")],
        "is where commands come from: give them with `--script`",
    )?;
    let (mut batch, mut about) = (None, None);
    let (runs, sources) = match subject::find(&of.of, Verb::Debug, session)? {
        Found::Pixel(pick, _) => {
            let Some(fragment) = pick.made().or(pick.fragments.last()) else {
                return Err(Diagnostic::error(&BAD_ARGUMENT, pick.head())
                    .help("choose another pixel")
                    .into());
            };
            let traces = fragment.traces.clone();
            (traces.into_iter().map(Run::of_trace).collect(), session.sources.clone())
        }
        Found::Run { trace, batch: lanes, .. } => {
            batch = lanes;
            (vec![Run::of_trace(*trace)], session.sources.clone())
        }
        Found::Record(opened, _) => {
            let Opened { trace, about: text, wrong, .. } = *opened;
            let step = wrong.map_or(0, |(.., step)| step);
            about = Some((text, step > 0));
            (vec![Run::of_trace(trace).at(step)], session.sources.clone())
        }
        Found::Machine(gpu, computer) => {
            let args::Data { source, program_format, profile, .. } = &of.of.data;
            refuse_data(gpu, &of.of.data)?;
            let no_vertices = format!("is for programs over vertices; {} has none", gpu.about().id);
            refuse(&[(of.of.vertex.is_some(), "--vertex")], &no_vertices)?;
            let own =
                parameters::own(gpu, Verb::Debug, profile.as_deref(), source.input.as_deref(), session)?;
            let program = software(computer, source, program_format.as_deref(), &own, session)?;
            let run = Run::of_session(gpu.about().name, program.session(&own.arguments)?);
            (vec![run], (**program.sources()).clone())
        }
    };
    let paint = session.paint(args.output.as_deref());
    let mut console = Console::new(runs, &sources, of.of.data.bits, paint);
    if let Some(mut batch) = batch {
        if let Some(path) = &of.expect {
            expect(&mut batch, path, session)?;
        }
        console = console.of_batch(*batch);
    }
    let mut output = Output::open(args.output.as_deref(), false)?;
    if let Some((file, lines)) = commands {
        saved::carry_out(&mut console, session.sources.get(file), &lines)?;
    }
    let (text, has_step) = about.unwrap_or_default();
    output.write(text.as_bytes())?;
    if has_step {
        output.write(console.last().as_bytes())?;
    }
    output.write(console.greeting().as_bytes())?;
    if is_typed {
        typed(&mut console, &mut output, words, session)?;
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
        if let Some((path, commands)) = reply.save {
            output.write(saved::write(&path, words, commands)?.as_bytes())?;
        }
        if reply.done {
            break;
        }
    }
    output.finish()
}

/// Compares a batch with the outputs of a file.
fn expect(batch: &mut Batch, path: &Path, session: &mut Session) -> Result<(), Stop> {
    let io::Input { name, bytes, .. } = io::read(Some(path), None)?;
    room(&bytes, session)?;
    let is_array = bytes.starts_with(npy::MAGIC);
    let is_text = !is_array && !matches!(extension(&name).to_ascii_lowercase().as_str(), "raw" | "bin");
    let kernel = batch.kernel();
    let file = match is_text {
        true => read::text(&mut session.sources, &name, &bytes)?,
        false => session.sources.add_binary(&name),
    };
    let file = session.sources.get(file);
    let expected = match () {
        () if !is_text => Expected::numbers(&kernel, &bytes, is_array, file.whole())?,
        () if bytes.trim_ascii_start().starts_with(b"[") => Expected::json(&kernel, file)?,
        () => Expected::csv(&kernel, file)?,
    };
    Ok(batch.expect(&expected, file.whole())?)
}

/// The commands of a script, or of standard input.
fn script(args: &args::Debug, session: &mut Session) -> Result<FileId, Stop> {
    let path = args.script.as_deref();
    let input = io::read(path.or(Some("-".as_ref())), path.is_none().then_some(TYPED))?;
    room(&input.bytes, session)?;
    Ok(read::text(&mut session.sources, &input.name, &input.bytes)?)
}

/// Commands that are typed: a mistake is reported, and the next one is read.
fn typed(
    console: &mut Console,
    output: &mut Output,
    words: &[String],
    session: &mut Session,
) -> Result<(), Stop> {
    let mut lines = std::io::stdin().lock().lines();
    loop {
        output.write(b"> ")?;
        // If the terminal is gone, reading says so.
        let _ = std::io::stdout().flush();
        let Some(Ok(line)) = lines.next() else { return Ok(()) };
        let mut sources = Sources::default();
        let file = sources.add(TYPED, &line);
        match console.obey(sources.get(file), 0..line.len()) {
            Ok(reply) => {
                output.write(reply.text.as_bytes())?;
                match reply.save.map(|(path, commands)| saved::write(&path, words, commands)) {
                    Some(Ok(text)) => output.write(text.as_bytes())?,
                    Some(Err(Stop::Problem(problem))) => drop(session.report(vec![*problem])),
                    Some(Err(stop)) => return Err(stop),
                    None => {}
                }
                if reply.done {
                    return Ok(());
                }
            }
            Err(problem) => drop(session.report_about(&sources, vec![problem])),
        }
    }
}

//! `debug`.

use super::data::refuse_data;
use super::parameters::{self, Own};
use super::subject::{self, Found};
use super::{refuse, room, saved, software};
use crate::output::Output;
use crate::session::{Session, Stop};
use crate::{args, io};
use gpuzoo::codes::BAD_ARGUMENT;
use gpuzoo::computer::Files;
use gpuzoo::conform::replay::Opened;
use gpuzoo::debugger::{Batch, Console, Run};
use gpuzoo::diag::{Diagnostic, FileId, Sources};
use gpuzoo::machine::options::arguments::Verb;
use gpuzoo::machine::session::Picture;
use gpuzoo::machine::text::extension;
use gpuzoo::paint::Paint;
use gpuzoo::read;
use gpuzoo::run::expected::Expected;
use gpuzoo::run::npy;
use std::io::{BufRead, IsTerminal};
use std::path::Path;
use std::sync::Arc;

/// What standard input is called.
const TYPED: &str = "standard input";

/// A run that is about to be debugged.
pub struct Begun {
    /// With the commands of a saved session carried out.
    pub console: Console,
    /// What there is to say first.
    pub about: String,
    /// The arguments that lead here, to be saved.
    words: Vec<String>,
    /// What the machine was given.
    pub own: Own,
}

impl Begun {
    fn new(console: Console, about: String, words: Vec<String>) -> Begun {
        Begun { console, about, words, own: Own::default() }
    }
}

/// Writes what there is to write where the debugger has stopped.
fn write_ended(console: &mut Console, own: &Own) -> Result<(), Stop> {
    let session = console.look();
    own.write_ended(|| session.as_ref().map_or(Ok(Files::new()), |session| session.files()))
}

/// The run that the arguments say, or that of a saved session.
pub fn begin(args: &args::Debug, paint: Paint, session: &mut Session) -> Result<Begun, Stop> {
    let Some(saved) = saved::read(args, session)? else {
        return begin_run(args, saved::words(&session.registry), paint, session);
    };
    let mut begun = begin_run(&saved.of, saved.saved.arguments.clone(), paint, session)?;
    let (file, lines) = saved.commands();
    saved::carry_out(&mut begun.console, session.sources.get(file), &lines)?;
    Ok(begun)
}

fn begin_run(
    of: &args::Debug,
    words: Vec<String>,
    paint: Paint,
    session: &mut Session,
) -> Result<Begun, Stop> {
    let console =
        |runs: Vec<Run>, sources: &Sources| Console::new(runs, sources.clone(), of.of.data.bits, paint);
    let (console, about) = match subject::find(&of.of, Verb::Debug, session)? {
        Found::Pixel(pick, _) => {
            let Some(fragment) = pick.made().or(pick.fragments.last()) else {
                return Err(Diagnostic::error(&BAD_ARGUMENT, pick.head())
                    .help("choose another pixel")
                    .into());
            };
            let traces = fragment.traces.clone();
            let picture = Arc::new(Picture { mark: Some(pick.at), image: pick.image });
            let run = |trace| Run::of_trace(trace).in_picture(picture.clone());
            (console(traces.into_iter().map(run).collect(), &session.sources), String::new())
        }
        Found::Run { trace, batch, .. } => {
            let console = console(vec![Run::of_trace(*trace)], &session.sources);
            let Some(mut batch) = batch else { return Ok(Begun::new(console, String::new(), words)) };
            if let Some(path) = &of.expect {
                expect(&mut batch, path, session)?;
            }
            (console.of_batch(*batch), String::new())
        }
        Found::Record(opened, _) => {
            let Opened { trace, about: mut text, wrong, .. } = *opened;
            let step = wrong.map_or(0, |(.., step)| step);
            let mut console = console(vec![Run::of_trace(trace).at(step)], &session.sources);
            if step > 0 {
                text += &console.last();
            }
            (console, text)
        }
        Found::Machine(gpu, computer) => {
            let args::Data { source, state, .. } = &of.of.data;
            let profile = &state.profile;
            refuse_data(gpu, &of.of.data)?;
            let no_vertices = format!("is for programs over vertices; {} has none", gpu.about().id);
            refuse(&[(of.of.vertex.is_some(), "--vertex")], &no_vertices)?;
            let own =
                parameters::own(gpu, Verb::Debug, profile.as_deref(), source.input.as_deref(), session)?;
            let program = software(computer, source, source.reading.read.from.as_deref(), &own, session)?;
            let run = Run::of_session(gpu.about().name, program.session(&own.arguments)?);
            let console = console(vec![run], program.sources());
            return Ok(Begun { own, ..Begun::new(console, String::new(), words) });
        }
    };
    Ok(Begun::new(console, about, words))
}

/// Commands on a run, or on that of a saved session.
pub fn debug(args: &args::Debug, session: &mut Session) -> Result<(), Stop> {
    let is_typed = args.script.is_none() && std::io::stdin().is_terminal();
    let own_input = args.of.data.source.input.as_deref().is_some_and(io::is_standard);
    refuse(
        &[(args.script.is_none() && own_input, "-")],
        "is where commands come from: give them with `--script`",
    )?;
    #[cfg(feature = "tui")]
    if is_typed && !args.plain && args.output.is_none() && super::terminal::is_there() {
        let Begun { console, about, words, own } = begin(args, Paint::PLAIN, session)?;
        let save = move |path: &str, commands| match saved::write(path, &words, commands) {
            Err(Stop::Problem(problem)) => Err(*problem),
            written => Ok(written.unwrap_or_default()),
        };
        let is_colored = session.paint(None).is_colored();
        let mut console = super::terminal::show(console, &about, Box::new(save), is_colored)?;
        return write_ended(&mut console, &own);
    }
    let paint = session.paint(args.output.as_deref());
    let Begun { mut console, about, words, own } = begin(args, paint, session)?;
    let mut output = Output::open(args.output.as_deref(), false)?;
    output.write(about.as_bytes())?;
    output.write(console.greeting().as_bytes())?;
    if is_typed {
        typed(&mut console, &mut output, &words, session)?;
        write_ended(&mut console, &own)?;
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
            output.write(saved::write(&path, &words, commands)?.as_bytes())?;
        }
        if reply.done {
            break;
        }
    }
    write_ended(&mut console, &own)?;
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
        output.flush()?;
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

//! Sessions of `debug` as files: written by its command `save`, and opened in a program's place.

use super::data::refuse_given;
use super::{refuse, room};
use crate::args::{self, Cli, Verb};
use crate::session::{Session, Stop};
use crate::{io, output, project};
use clap::FromArgMatches;
use gpuzoo::codes::BAD_ARGUMENT;
use gpuzoo::computer::parameter;
use gpuzoo::debugger::Console;
use gpuzoo::debugger::saved::{Known, NOT_A_SESSION, Saved, is_session};
use gpuzoo::diag::{Diagnostic, File, FileId, Span};
use gpuzoo::machine::options::arguments::{Kind, Verb as Of};
use gpuzoo::{Gpu, Registry, read};
use std::ops::Range;
use std::path::Path;

/// A session that was read, and what its arguments say.
pub struct Opened {
    pub saved: Saved,
    pub of: args::Debug,
    file: FileId,
}

impl Opened {
    /// Its commands, each by its place.
    pub fn commands(&self) -> (FileId, Vec<Range<usize>>) {
        // Without the quotes.
        let inner = |span: &Span| span.start as usize + 1..span.end as usize - 1;
        (self.file, self.saved.commands.iter().map(|(_, span)| inner(span)).collect())
    }
}

/// The words of this command line that a session keeps: those behind the verb, without where commands come from and where output goes.
pub fn words(registry: &Registry) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = std::env::args_os().skip(2).map(|word| word.to_string_lossy().into_owned());
    while let Some(word) = words.next() {
        let (option, value) =
            word.split_once('=').map_or((word.as_str(), None), |(name, value)| (name, Some(value)));
        let is_dropped = matches!(option, "-o" | "--output" | "--script")
            || option.strip_prefix("--").is_some_and(|name| is_output(registry, name));
        match (is_dropped, value) {
            (false, _) => kept.push(word),
            (true, Some(_)) => {}
            (true, None) => drop(words.next()),
        }
    }
    kept
}

/// True for a machine's option that names a file to write.
fn is_output(registry: &Registry, name: &str) -> bool {
    let parameter = |gpu: &&'static dyn Gpu| parameter(*gpu, Of::Debug, name).ok();
    registry.gpus().iter().filter_map(parameter).any(|own| own.kind == Kind::Output)
}

/// The session that is named in a program's place, if it is one. What has changed since it was saved is reported.
pub fn read(args: &args::Debug, session: &mut Session) -> Result<Option<Opened>, Stop> {
    let source = &args.of.data.source;
    let Some(path) = source.input.as_deref().filter(|path| !io::is_standard(path) && path.is_file()) else {
        return Ok(None);
    };
    if !is_session(&io::open(path)?.head) {
        return Ok(None);
    }
    let why = "is for a program; a saved session says all that";
    refuse_given(&args.of.data, why)?;
    let subject = &args.of;
    let given = [
        (subject.vertex.is_some(), "--vertex"),
        (subject.pixel.is_some(), "--pixel"),
        (subject.record.is_some(), "--record"),
        (subject.frame > 0, "--frame"),
        (subject.data.state.profile.is_some(), "--profile"),
    ];
    refuse(&given, why)?;
    let (outputs, others): (Vec<_>, Vec<_>) = std::mem::take(&mut session.given)
        .into_iter()
        .partition(|given| is_output(&session.registry, given.name));
    others.iter().try_for_each(|given| refuse(&[(true, &format!("--{}", given.name))], why))?;
    let io::Input { name, bytes, .. } = io::read(Some(path), None)?;
    room(&bytes, session)?;
    let file = read::text(&mut session.sources, &name, &bytes)?;
    let saved = Saved::read(session.sources.get(file))?;
    let whole = session.sources.get(file).span(0..1);
    let words = ["gpuzoo", "debug"].into_iter().map(str::to_owned).chain(saved.arguments.iter().cloned());
    let words: Vec<String> = words.collect();
    let unusable = |message: String| Diagnostic::error(&NOT_A_SESSION, message).label(whole, "");
    let matches = args::command(&session.registry, None).try_get_matches_from(&words);
    let parsed = matches.and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (mut cli, matches) = parsed.map_err(|error| {
        let reason = error.to_string();
        let reason = reason.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        unusable(format!("its arguments are not those of `gpuzoo debug`: {reason}"))
    })?;
    session.given = args::given(&session.registry, &matches);
    project::open(&mut cli.verb, session)?;
    let Verb::Debug(of) = cli.verb else {
        return Err(unusable("its arguments are not those of `gpuzoo debug`".to_owned()).into());
    };
    // What it could read and write beside the program is for the user to say.
    let is_more = of.output.is_some()
        || of.script.is_some()
        || of.of.data.emit_inputs.is_some()
        || !cli.limits.allow_read.is_empty()
        || !cli.limits.allow_write.is_empty()
        || !cli.limits.limits.is_empty()
        || session.given.iter().any(|given| is_output(&session.registry, given.name));
    if is_more {
        let problem =
            unusable("a session cannot say where something is written, or what may be used".to_owned());
        return Err(problem
            .help("`--output`, `--script`, `--limit`, `--allow-read` and `--allow-write` are options of `gpuzoo debug` itself")
            .into());
    }
    session.given.extend(outputs);
    let changes = saved.files.iter().filter_map(|known| match io::file(Path::new(&known.path)) {
        Ok(bytes) if known.is(&bytes) => None,
        Ok(_) => Some(known.changed("has changed since the session was saved")),
        Err(error) => Some(known.changed("cannot be read any more").note(error.to_string())),
    });
    let changes = changes.collect();
    session.require(changes)?;
    // What it hides is hidden from here on.
    session.levels(&cli.messages)?;
    Ok(Some(Opened { saved, of, file }))
}

/// Carries out the commands of a session.
pub fn carry_out(console: &mut Console, file: &File, lines: &[Range<usize>]) -> Result<(), Stop> {
    for line in lines {
        // A quote or a backslash of JSON would be read as it is written there.
        let text = file.text().get(line.clone()).unwrap_or_default();
        if text.contains('\\') {
            let problem = Diagnostic::error(&NOT_A_SESSION, "a command has no escapes");
            return Err(problem.label(file.span(line.clone()), "").into());
        }
        let reply = console.obey(file, line.clone())?;
        if reply.save.is_some() || reply.done {
            let problem = Diagnostic::error(&NOT_A_SESSION, "this command cannot be in a session");
            return Err(problem.label(file.span(line.clone()), "").into());
        }
        if reply.text.contains("is not reached") {
            let problem = Diagnostic::error(&NOT_A_SESSION, "the run does not come so far any more");
            return Err(problem.label(file.span(line.clone()), "").into());
        }
    }
    Ok(())
}

/// Writes a session; says what there is to say of it.
pub fn write(path: &str, words: &[String], commands: Vec<String>) -> Result<String, Stop> {
    let is_typed = words.iter().any(|word| word == "-");
    if is_typed {
        let problem =
            Diagnostic::error(&BAD_ARGUMENT, "what came from standard input cannot be opened again");
        return Err(problem.help("debug a file, and save that").into());
    }
    let mut files = Vec::new();
    for (own, stamp) in io::noted() {
        let shown = own.display().to_string();
        if stamp.is_none() || !own.is_file() || shown == path {
            continue;
        }
        let bytes = io::file(&own).map_err(|error| io::unreadable(&shown, &error))?;
        if !is_session(&bytes) {
            files.push(Known::of(&shown, &bytes));
        }
    }
    let commands = commands.into_iter().map(|command| (command, Span::default())).collect();
    let saved = Saved { arguments: words.to_vec(), files, commands };
    output::write(Some(Path::new(path)), false, saved.text().as_bytes())?;
    Ok(format!("saved as {path}\n"))
}

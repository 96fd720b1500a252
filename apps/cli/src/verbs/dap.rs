//! `dap`: the debug adapter, on standard input and output or on a port of this machine.

use super::debug::{self, Begun};
use super::no_message;
use crate::args::{self, Cli, Verb};
use crate::session::{Session, Stop};
use crate::{io, output, project};
use clap::FromArgMatches;
use gpuzoo::Registry;
use gpuzoo::codes::{BAD_ARGUMENT, CANNOT_LISTEN, NO_INPUT};
use gpuzoo::diag::Diagnostic;
use gpuzoo::machine::limits::budget::Budget;
use gpuzoo::options::table::{OptionRow, rows};
use gpuzoo::options::{ReadOptions, StateOptions};
use gpuzoo::paint::Paint;
use gpuzoo_editor::dap::{Launch, LaunchArguments, Launched, Pixel, Server};
use gpuzoo_editor::wire::timed::Timed;
use serde_json::Value as Json;
use std::io::{BufReader, BufWriter, Error, ErrorKind, IsTerminal, stdin, stdout};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::path::PathBuf;
use std::time::Duration;

/// Time for an editor on a port to send its first message, and for each message from its first to its last byte: the next
/// editor waits.
const PATIENCE: Duration = Duration::from_secs(10);

/// Serves an editor until it goes; on a port, one after the other.
pub fn dap(args: &args::Dap, session: &mut Session) -> Result<(), Stop> {
    let (registry, budget) = (session.registry.clone(), session.budget.clone());
    let launcher = Launcher { registry, budget, allowed: io::allowed() };
    let server = || Server::new(Box::new(launcher.clone()));
    let Some(port) = args.port else {
        if stdin().is_terminal() {
            let problem =
                Diagnostic::error(&NO_INPUT, "a debug adapter speaks with an editor, not with people");
            let problem = problem.help("`gpuzoo debug` is for people");
            return Err(problem
                .help("the book's page `The debugger in an editor` shows how editors start it")
                .into());
        }
        let done = gpuzoo_editor::wire::serve(
            &mut server(),
            BufReader::new(stdin()),
            BufWriter::new(stdout().lock()),
        );
        return done.map_err(broken);
    };
    let no_port = |error: Error| {
        let problem =
            Diagnostic::error(&CANNOT_LISTEN, format!("port {port} cannot be listened on: {error}"));
        problem.help("choose another one, or `--port 0` for any that is free")
    };
    // Nobody but this machine may connect.
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(no_port)?;
    let address = listener.local_addr().map_err(no_port)?;
    session.remark(&format!("listening on {address}\n"));
    loop {
        let (stream, _) = listener.accept().map_err(no_port)?;
        let done = on_stream(&mut server(), &stream);
        // The thread that reads waits for the editor.
        let _ = stream.shutdown(Shutdown::Both);
        // One that speaks no protocol, or is gone, is no reason not to serve the next.
        if let Err(error) = done
            && error.kind() != ErrorKind::BrokenPipe
        {
            session.report(vec![no_message(&error)]);
        }
    }
}

fn on_stream(server: &mut Server, stream: &TcpStream) -> Result<(), Error> {
    let input = Timed::reader(stream.try_clone()?, PATIENCE);
    gpuzoo_editor::wire::serve_timed(server, input, BufWriter::new(Timed::writer(stream, PATIENCE)))
}

fn broken(error: Error) -> Stop {
    match error.kind() {
        ErrorKind::BrokenPipe => output::standard_failed(&error),
        _ => no_message(&error).into(),
    }
}

/// The most steps of a command that is typed: it cannot be paused, and so takes about a second. What the editor's buttons begin can.
const MOST_STEPS: u64 = 1 << 24;

/// What `launch` asks for is what the verb `debug` does with the same words.
#[derive(Clone)]
struct Launcher {
    registry: Registry,
    budget: Budget,
    allowed: Vec<PathBuf>,
}

impl Launch for Launcher {
    fn launch(&mut self, arguments: &LaunchArguments) -> Result<Launched, String> {
        let mut session = Session::new(self.registry.clone(), &args::Messages::default()).captured();
        session.budget = self.budget.clone();
        let launched = self.runs(arguments, &mut session);
        launched.map_err(|stop| {
            session.settle(stop);
            session.captured_text()
        })
    }
}

impl Launcher {
    fn runs(&self, arguments: &LaunchArguments, session: &mut Session) -> Result<Launched, Stop> {
        let words = words(arguments)?;
        let command = args::command(&self.registry, crate::named(&self.registry, &words));
        let matches = command.try_get_matches_from(&words);
        let parsed = matches.and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
        let (mut cli, matches) = parsed.map_err(|error| {
            let problem = args::problem(&error, &args::Messages::default());
            problem.unwrap_or_else(|| {
                Diagnostic::error(&BAD_ARGUMENT, "`args` asks for help, and not for a run")
            })
        })?;
        session.given = args::given(&self.registry, &matches);
        session.limits(&cli.limits)?;
        session.levels(&cli.messages)?;
        let allowed = [self.allowed.as_slice(), &cli.limits.allow_read].concat();
        io::folders(&allowed)?;
        io::begin(false, &session.budget, &allowed);
        // A project is called as its file is.
        let asked = PathBuf::from(&arguments.launch.program);
        project::open(&mut cli.verb, session)?;
        let Verb::Debug(debug) = &cli.verb else { return Err(bad("`program` is not the name of a file")) };
        let data = &debug.of.data;
        let files = data.source.input.iter().chain(&data.vertices).chain(&data.constant_files);
        if files.clone().any(|path| io::is_standard(path)) {
            return Err(bad("`-` is where the editor speaks: name a file"));
        }
        if debug.script.is_some() || debug.output.is_some() {
            return Err(bad(
                "`args` has `--script` or `--output`: commands are typed in the editor's console",
            ));
        }
        if !cli.limits.allow_write.is_empty() {
            return Err(bad("`args` has `--allow-write`: the debug adapter writes nothing"));
        }
        let Begun { mut console, about, own, .. } = debug::begin(debug, Paint::PLAIN, session)?;
        if let Some(name) = own.first_written() {
            return Err(bad(&format!("`args` has `--{name}`: nothing is written when the editor goes")));
        }
        let paths = console.sources().iter().map(|file| path(file.name())).collect();
        let name = asked.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let said = session.captured_text() + &about;
        console.limit(MOST_STEPS);
        Ok(Launched { name, console, paths, said })
    }
}

fn bad(message: &str) -> Stop {
    Diagnostic::error(&BAD_ARGUMENT, message)
        .help("the attributes of a launch are those of `gpuzoo debug`")
        .into()
}

/// Where a file is, as an absolute path; none for what is none.
fn path(name: &str) -> Option<PathBuf> {
    let path = std::path::absolute(name).ok()?;
    path.is_file().then_some(path)
}

/// The command line that the attributes of a launch mean.
fn words(arguments: &LaunchArguments) -> Result<Vec<String>, Stop> {
    let launch = &arguments.launch;
    if launch.program.is_empty() {
        return Err(bad("the attribute `program` is missing: a program, scene, job, PRG or trace"));
    }
    if launch.turn.is_some() {
        return Err(bad("`turn` is an attribute of the studio"));
    }
    let mut words = vec!["gpuzoo".to_owned(), "debug".to_owned()];
    words.extend(launch.gpu.iter().map(|gpu| format!("--gpu={gpu}")));
    let known: Vec<OptionRow> = [rows::<ReadOptions>(), rows::<StateOptions>()].concat();
    for (name, value) in arguments.named.iter() {
        let Some(row) = known.iter().find(|row| row.name == name) else { continue };
        words.extend(option(&row.flag, value));
    }
    words.extend(launch.vertex.map(|vertex| format!("--vertex={vertex}")));
    words.extend(launch.pixel.map(|Pixel(column, row)| format!("--pixel={column},{row}")));
    words.extend(launch.frame.map(|frame| format!("--frame={frame}")));
    for (name, value) in &launch.constants {
        words.push(format!("--const={name}={}", text(value)?));
    }
    words.extend(launch.args.iter().cloned());
    // Whatever files are called, they are no options.
    words.push("--".to_owned());
    words.push(launch.program.clone());
    words.extend(launch.inputs.clone());
    Ok(words)
}

/// The words of an option with a value that it takes.
fn option(flag: &str, value: &Json) -> Vec<String> {
    match value {
        Json::Bool(true) => vec![flag.to_owned()],
        Json::Bool(false) => Vec::new(),
        Json::String(text) => vec![format!("{flag}={text}")],
        Json::Array(all) => all.iter().flat_map(|value| option(flag, value)).collect(),
        Json::Object(all) => {
            let plain = |value: &Json| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            all.iter().map(|(name, value)| format!("{flag}={name}={}", plain(value))).collect()
        }
        other => vec![format!("{flag}={other}")],
    }
}

/// A constant as the command line takes it.
fn text(value: &Json) -> Result<String, Stop> {
    match value {
        Json::String(text) => Ok(text.clone()),
        Json::Number(number) => Ok(number.to_string()),
        Json::Array(all) if all.iter().all(Json::is_number) => {
            Ok(all.iter().map(Json::to_string).collect::<Vec<_>>().join(","))
        }
        _ => Err(bad("a constant is a text, a number or a list of numbers: `{ \"c0\": [1, 0, 0, 0] }`")),
    }
}

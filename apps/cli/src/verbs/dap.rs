//! `dap`: the debug adapter, on standard input and output or on a port of this machine.

use super::debug::{self, Begun};
use super::no_message;
use crate::args::{self, Cli, Verb};
use crate::session::{Session, Stop};
use crate::{io, output, project};
use clap::FromArgMatches;
use gpuzoo::Registry;
use gpuzoo::codes::{BAD_ARGUMENT, CANNOT_LISTEN, NO_INPUT};
use gpuzoo::diag::{Diagnostic, suggest};
use gpuzoo::machine::limits::budget::Budget;
use gpuzoo::paint::Paint;
use gpuzoo_editor::dap::{Launch, Launched, Server};
use gpuzoo_editor::wire::timed::Timed;
use serde_json::Value as Json;
use std::io::{BufReader, BufWriter, Error, ErrorKind, IsTerminal, stdin, stdout};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
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

/// The attributes of a launch that become options, in the order of the manual.
const OPTIONS: [&str; 6] = ["gpu", "dialect", "profile", "vertex", "pixel", "frame"];
/// The other attributes.
const OTHERS: [&str; 6] = ["program", "inputs", "constants", "args", "stopOnEntry", "noDebug"];

impl Launch for Launcher {
    fn launch(&mut self, arguments: &Json) -> Result<Launched, String> {
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
    fn runs(&self, arguments: &Json, session: &mut Session) -> Result<Launched, Stop> {
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
        let asked = arguments.get("program").and_then(Json::as_str).map(PathBuf::from);
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
        let name = asked.as_deref().and_then(Path::file_name).unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        let said = remarks(arguments) + &session.captured_text() + &about;
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

/// Attributes that are nearly one of ours: editors have some of their own, which say nothing.
fn remarks(arguments: &Json) -> String {
    let known = || OPTIONS.iter().chain(&OTHERS).copied();
    let given = arguments.as_object().into_iter().flat_map(|all| all.keys());
    let unknown = given.filter(|name| !known().any(|known| known == *name));
    let near = unknown.filter_map(|name| Some((name, suggest::nearest(name, known())?)));
    near.map(|(name, near)| format!("warning: the attribute `{name}` says nothing; did you mean `{near}`?\n"))
        .collect()
}

/// The command line that the attributes of a launch mean.
fn words(arguments: &Json) -> Result<Vec<String>, Stop> {
    let mut words = vec!["gpuzoo".to_owned(), "debug".to_owned()];
    let text = |name: &str, value: &Json| match value {
        Json::String(text) => Ok(text.clone()),
        Json::Number(number) => Ok(number.to_string()),
        Json::Array(all) if all.iter().all(Json::is_number) => {
            Ok(all.iter().map(Json::to_string).collect::<Vec<_>>().join(","))
        }
        _ => Err(bad(&format!("the attribute `{name}` is neither a text nor a number"))),
    };
    for name in OPTIONS {
        if let Some(value) = arguments.get(name).filter(|value| !value.is_null() && *value != "") {
            words.push(format!("--{name}={}", text(name, value)?));
        }
    }
    match arguments.get("constants") {
        None | Some(Json::Null) => {}
        Some(Json::Object(constants)) => {
            for (name, value) in constants {
                words.push(format!("--set={name}={}", text("constants", value)?));
            }
        }
        Some(_) => return Err(bad("the attribute `constants` is no object: `{ \"c0\": [1, 0, 0, 0] }`")),
    }
    match arguments.get("args") {
        None | Some(Json::Null) => {}
        Some(Json::Array(more)) => {
            for word in more {
                words.push(text("args", word)?);
            }
        }
        Some(_) => return Err(bad("the attribute `args` is not a list of strings")),
    }
    // Whatever files are called, they are no options.
    words.push("--".to_owned());
    match arguments.get("program").and_then(Json::as_str).filter(|program| !program.is_empty()) {
        Some(program) => words.push(program.to_owned()),
        None => return Err(bad("the attribute `program` is missing: a program, scene, job, PRG or trace")),
    }
    match arguments.get("inputs") {
        None | Some(Json::Null) => {}
        // What an editor's template leaves empty.
        Some(Json::String(inputs)) if inputs.is_empty() => {}
        Some(Json::String(inputs)) => words.push(inputs.clone()),
        Some(_) => return Err(bad("the attribute `inputs` is not the name of a file")),
    }
    Ok(words)
}

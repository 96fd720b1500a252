//! The gpuzoo command line: a thin shell over the facade.
//!
//! `args` says what may be written, `session` prints messages and decides the exit code, `io` reads, `output` writes,
//! `within` says which files texts may name, `confined` where something other than the command line writes,
//! `watch` does it again, and each verb has a file under `verbs`. `paths` and `stop` stand below all of these.
//!
//! It is a library, too: a tool with machines of its own has all verbs for them.
//!
//! ```no_run
//! # fn own() -> &'static dyn gpuzoo::Gpu { gpuzoo::GPUS[0] }
//! fn main() -> std::process::ExitCode {
//!     gpuzoo_cli::run(gpuzoo::Registry::default().with(own()))
//! }
//! ```
#![forbid(unsafe_code)]

mod args;
mod confined;
mod disk;
mod io;
mod output;
mod paths;
mod project;
mod session;
mod stop;
mod verbs;
mod watch;
mod within;

use args::Cli;
use clap::FromArgMatches;
use confined::Root;
use gpuzoo::{Gpu, Registry, threads};
use session::Session;
use std::io::{Write, stdout};
use std::process::ExitCode;

/// Carries out what the command line says, with the machines of a registry.
pub fn run(registry: Registry) -> ExitCode {
    output::fail_at_limit();
    let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let command = args::command(&registry, named(&registry, &words));
    let matches = command.try_get_matches();
    let parsed = matches.and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            let messages = args::messages(&words);
            if let Some(problem) = args::problem(&error, &messages) {
                let session = Session::new(registry, &messages);
                return session.finish(Err(problem.into()));
            }
            return match error.print().and_then(|()| stdout().flush()) {
                Ok(()) => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2)),
                Err(error) => Session::new(registry, &messages).finish(Err(output::standard_failed(&error))),
            };
        }
    };
    let is_watched = cli.verb.is_watched();
    let begin = || {
        let mut session = Session::new(registry.clone(), &cli.messages);
        session.given = args::given(&registry, &matches);
        session.threads = cli.limits.threads;
        session
    };
    let once = |session: &mut Session| {
        let limited = session.limits(&cli.limits).and_then(|()| io::folders(&cli.limits.allow_read));
        io::begin(is_watched, &session.budget, &cli.limits.allow_read);
        let allowed = limited.and_then(|()| Root::open_allowed(&cli.limits.allow_write));
        let ready = allowed
            .map(|allowed| session.allow_write = allowed)
            .and_then(|()| session.levels(&cli.messages))
            .and_then(|()| Ok(args::check_unused(&matches)?))
            .and_then(|()| Ok(gpuzoo::list::check_level()?));
        let result = ready.and_then(|()| {
            let mut verb = cli.verb.clone();
            project::open(&mut verb, session)?;
            verbs::run(&verb, session)
        });
        output::settle(result)
    };
    let all = || {
        if is_watched {
            return watch::rounds(begin, once);
        }
        let mut session = begin();
        let result = once(&mut session);
        session.finish(result)
    };
    if !cli.verb.computes() {
        return all();
    }
    let variable = std::env::var("RAYON_NUM_THREADS").ok().and_then(|text| text.trim().parse().ok());
    threads::on_pool(cli.limits.threads.or(variable.filter(|count| *count > 0)), all)
}

/// The machine that `--gpu` names, or the extension of a file: its options are shown by `--help`.
fn named(registry: &Registry, words: &[String]) -> Option<&'static dyn Gpu> {
    let after = words.windows(2).find(|pair| pair[0] == "--gpu").map(|pair| pair[1].as_str());
    let id = after.or_else(|| words.iter().find_map(|word| word.strip_prefix("--gpu=")));
    let of_file = |word: &String| match registry.by_extension(word)[..] {
        [gpu] => Some(gpu),
        _ => None,
    };
    match id {
        Some(id) => registry.by_id(id),
        None => words.iter().skip(2).find_map(of_file),
    }
}

/// The example of the package's page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

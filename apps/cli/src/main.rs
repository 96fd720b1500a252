//! The gpuzoo command line: a thin shell over the facade.
//!
//! `args` says what may be written, `session` prints messages and decides the exit code, `io` reads and writes, and
//! each verb has a file under `verbs`.
#![forbid(unsafe_code)]

mod args;
mod io;
mod session;
mod verbs;

use args::{Cli, Messages};
use clap::Parser;
use session::Session;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            if let Some(problem) = args::renamed(&error) {
                return Session::new(&Messages::default()).finish(Err(problem.into()));
            }
            // Help goes to standard output, which may be closed; that is not an error.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let mut session = Session::new(&cli.messages);
    let ready = session.levels(&cli.messages).and_then(|()| Ok(gpuzoo::list::check_level()?));
    let result = ready.and_then(|()| verbs::run(&cli.verb, &mut session));
    session.finish(result)
}

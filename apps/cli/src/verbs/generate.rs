//! `generate`: the man page and completions, made from the definitions of the arguments.

use crate::args::{self, Generated};
use crate::output;
use crate::session::{Session, Stop};
use clap_complete::Shell;
use gpuzoo::codes::BAD_ARGUMENT;
use gpuzoo::diag::{Diagnostic, suggest};

/// Writes to standard output.
pub fn generate(args: &args::Generate, session: &Session) -> Result<(), Stop> {
    let mut command = args::full_command(&session.registry);
    let shell = match args.what {
        Generated::Man => return man(command, args.verb.as_deref()),
        Generated::CompleteBash => Shell::Bash,
        Generated::CompleteZsh => Shell::Zsh,
        Generated::CompleteFish => Shell::Fish,
        Generated::CompletePowershell => Shell::PowerShell,
        Generated::CompleteElvish => Shell::Elvish,
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "gpuzoo", &mut script);
    output::write(None, false, &script)
}

fn man(mut command: clap::Command, verb: Option<&str>) -> Result<(), Stop> {
    command.build();
    let command = match verb {
        None => command,
        Some(verb) => match command.find_subcommand(verb) {
            Some(command) => command.clone().display_name(format!("gpuzoo-{}", command.get_name())),
            None => {
                let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
                let problem = Diagnostic::error(&BAD_ARGUMENT, format!("there is no verb `{verb}`"));
                return Err(match suggest::nearest(verb, names.iter().copied()) {
                    Some(near) => problem.help(format!("did you mean `{near}`?")),
                    None => problem.help(format!("verbs are {}", names.join(", "))),
                }
                .into());
            }
        },
    };
    let mut page = Vec::new();
    // Writing to memory cannot fail.
    let _ = clap_mangen::Man::new(command).render(&mut page);
    output::write(None, false, &page)
}

//! `generate`: man pages and completions, made from the definitions of the arguments.

use super::manual::{self, Page};
use super::refuse;
use crate::args::{self, Generated};
use crate::output;
use crate::session::{Session, Stop};
use clap_complete::Shell;
use gpuzoo::codes::{BAD_ARGUMENT, UNWRITABLE};
use gpuzoo::diag::{Diagnostic, suggest};
use std::path::Path;

/// Writes to standard output, or pages into a folder.
pub fn generate(args: &args::Generate, session: &Session) -> Result<(), Stop> {
    let mut command = args::full_command(&session.registry);
    let shell = match args.what {
        Generated::Man => {
            command.build();
            let pages = manual::pages(&command, &session.registry);
            return match &args.output {
                Some(folder) => into(folder, &pages, args.verb.as_deref()),
                None => one(&pages, args.verb.as_deref()),
            };
        }
        Generated::CompleteBash => Shell::Bash,
        Generated::CompleteZsh => Shell::Zsh,
        Generated::CompleteFish => Shell::Fish,
        Generated::CompletePowershell => Shell::PowerShell,
        Generated::CompleteElvish => Shell::Elvish,
    };
    let given = [(args.output.is_some(), "--output"), (args.verb.is_some(), "VERB")];
    refuse(&given, "is for man pages; completions are one text")?;
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "gpuzoo", &mut script);
    output::write(None, false, &script)
}

/// The page of a verb, or the first.
fn one(pages: &[Page], verb: Option<&str>) -> Result<(), Stop> {
    let of = |verb: &str| pages.iter().find(|page| page.file == format!("gpuzoo-{verb}.1"));
    let page = match verb {
        None => pages.first(),
        Some(verb) => Some(of(verb).ok_or_else(|| no_verb(verb, pages))?),
    };
    page.map_or(Ok(()), |page| output::write(None, false, &page.text))
}

fn no_verb(verb: &str, pages: &[Page]) -> Diagnostic {
    let names = pages.iter().filter_map(|page| page.file.strip_prefix("gpuzoo-")?.strip_suffix(".1"));
    let problem = Diagnostic::error(&BAD_ARGUMENT, format!("there is no verb `{verb}`"));
    match suggest::nearest(verb, names.clone()) {
        Some(near) => problem.help(format!("did you mean `{near}`?")),
        None => problem.help(format!("verbs are {}", names.collect::<Vec<_>>().join(", "))),
    }
}

/// All pages, as files of a folder that is made if it is not there.
fn into(folder: &Path, pages: &[Page], verb: Option<&str>) -> Result<(), Stop> {
    refuse(&[(verb.is_some(), "--output")], "writes the pages of all verbs: name none")?;
    std::fs::create_dir_all(folder).map_err(|error| {
        Diagnostic::error(&UNWRITABLE, format!("cannot make the folder `{}`: {error}", folder.display()))
    })?;
    pages.iter().try_for_each(|page| output::write(Some(&folder.join(&page.file)), false, &page.text))
}

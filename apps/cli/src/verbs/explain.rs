//! `explain` and `list`.

use super::refuse;
use crate::args::{self, What};
use crate::output;
use crate::session::{Session, Stop};
use gpuzoo::diag::json;
use gpuzoo::{Gpu, explain as facade_explain, list as listings};

/// A page.
pub fn explain(args: &args::Explain, session: &Session) -> Result<(), Stop> {
    let registry = &session.registry;
    let gpu = args.gpu.as_deref().map(|id| registry.choose(Some(id), "")).transpose()?;
    let words: Vec<&str> = args.topic.iter().map(String::as_str).collect();
    let page = match facade_explain::explain(registry, gpu, &words) {
        Ok(page) => page,
        Err(problem) => return of_verb(&words, gpu, args, session).unwrap_or_else(|| Err(problem.into())),
    };
    let text = if args.json { json::pretty(&page) + "\n" } else { page.text() };
    output::write(None, false, text.as_bytes())
}

/// The help of a verb, if the one word is its name: what `--help` shows.
fn of_verb(
    words: &[&str],
    gpu: Option<&'static dyn Gpu>,
    args: &args::Explain,
    session: &Session,
) -> Option<Result<(), Stop>> {
    let &[name] = words else { return None };
    let mut command = args::command(&session.registry, gpu);
    command.build();
    let verb = command.find_subcommand_mut(name)?;
    let help = verb.render_long_help();
    let json = refuse(&[(args.json, "--json")], "is not for the help of a verb");
    Some(json.and_then(|()| output::write(None, false, help.to_string().as_bytes())))
}

/// A table.
pub fn list(args: &args::List, session: &Session) -> Result<(), Stop> {
    let registry = &session.registry;
    let one = args.gpu.as_deref().map(|id| registry.choose(Some(id), "")).transpose()?;
    let gpus = one.as_ref().map_or(registry.gpus(), std::slice::from_ref);
    let listing = match args.what {
        What::Gpus => listings::gpus(gpus),
        What::Ops => listings::ops(gpus),
        What::Profiles => listings::profiles(gpus),
        What::Registers => listings::registers(gpus),
        What::Deviations => listings::deviations(gpus),
        What::Options => listings::parameters(gpus),
        What::Modes => listings::modes(gpus),
        What::Formats => listings::formats(gpus),
        What::Dialects => listings::dialects(gpus),
        What::Directives => listings::directives(gpus),
        What::Macros => listings::macros(gpus),
        What::Scene => listings::scene(gpus),
        What::Settings => listings::settings(gpus),
        What::Jobs => listings::jobs(gpus),
        What::Codes => listings::codes(registry, one),
        What::Engines | What::Limits => {
            let why = "makes no difference: engines and limits are the same for all machines";
            refuse(&[(one.is_some(), "--gpu")], why)?;
            match args.what {
                What::Limits => listings::limits(),
                _ => listings::engines(),
            }
        }
    };
    let text = if args.json { listing.json() } else { listing.text(session.paint(None)) };
    output::write(None, false, text.as_bytes())
}

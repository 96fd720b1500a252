//! `explain` and `list`.

use super::refuse;
use crate::args::{self, What};
use crate::output;
use crate::session::{Session, Stop};
use gpuzoo::{explain as facade_explain, list as listings};

/// A page.
pub fn explain(args: &args::Explain, session: &Session) -> Result<(), Stop> {
    let registry = &session.registry;
    let gpu = args.gpu.as_deref().map(|id| registry.choose(Some(id), "")).transpose()?;
    let words: Vec<&str> = args.topic.iter().map(String::as_str).collect();
    let page = facade_explain::explain(registry, gpu, &words)?;
    let text = if args.json { format!("{:#}\n", page.json()) } else { page.text() };
    output::write(None, false, text.as_bytes())
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

//! `explain` and `list`.

use crate::args::{self, What};
use crate::io;
use crate::session::{Session, Stop};
use gpuzoo::vera::{self, pages};
use gpuzoo::{explain as facade_explain, list as listings};

/// A page.
pub fn explain(args: &args::Explain, session: &Session) -> Result<(), Stop> {
    let registry = &session.registry;
    let vera = args.gpu.as_deref() == Some(vera::ID);
    let shader = args.gpu.as_deref().filter(|_| !vera);
    let gpu = shader.map(|id| registry.choose(Some(id), "")).transpose()?;
    let words: Vec<&str> = args.topic.iter().map(String::as_str).collect();
    let page = match words[..] {
        [name] if vera => pages::explain(registry, name)?,
        _ => facade_explain::explain(registry, gpu, &words)?,
    };
    io::write(None, false, page.as_bytes())
}

/// A table.
pub fn list(args: &args::List, session: &Session) -> Result<(), Stop> {
    let registry = &session.registry;
    let only_vera = args.gpu.as_deref() == Some(vera::ID);
    let shader = args.gpu.as_deref().filter(|_| !only_vera);
    let one = shader.map(|id| registry.choose(Some(id), "")).transpose()?;
    let gpus = if only_vera { &[] } else { one.as_ref().map_or(registry.gpus(), std::slice::from_ref) };
    let rows = |rows: Vec<Vec<String>>| if shader.is_none() { rows } else { Vec::new() };
    let listing = match args.what {
        What::Gpus => listings::gpus(gpus).with(rows(vec![pages::row()])),
        What::Ops if only_vera => pages::ops(),
        What::Ops => listings::ops(gpus),
        What::Profiles => listings::profiles(gpus).with(rows(pages::profiles())),
        What::Registers => pages::registers(),
        What::Deviations => pages::deviations(),
        What::Modes => listings::modes(gpus),
        What::Formats => listings::formats(gpus),
        What::Codes => listings::all_codes(registry),
        What::Engines => listings::engines(),
    };
    let text = if args.json { listing.json() } else { listing.text() };
    io::write(None, false, text.as_bytes())
}

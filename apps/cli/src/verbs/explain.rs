//! `explain` and `list`.

use crate::args::{self, What};
use crate::io;
use crate::session::Stop;
use gpuzoo::{GPUS, explain as facade_explain, list as listings, registry};

/// A page.
pub fn explain(args: &args::Explain) -> Result<(), Stop> {
    let gpu = args.gpu.as_deref().map(|id| registry::choose(Some(id), "")).transpose()?;
    let words: Vec<&str> = args.topic.iter().map(String::as_str).collect();
    let page = facade_explain::explain(gpu, &words)?;
    io::write(None, false, page.as_bytes())
}

/// A table.
pub fn list(args: &args::List) -> Result<(), Stop> {
    let one = args.gpu.as_deref().map(|id| registry::choose(Some(id), "")).transpose()?;
    let gpus = one.as_ref().map_or(GPUS, std::slice::from_ref);
    let listing = match args.what {
        What::Gpus => listings::gpus(gpus),
        What::Ops => listings::ops(gpus),
        What::Profiles => listings::profiles(gpus),
        What::Modes => listings::modes(gpus),
        What::Formats => listings::formats(gpus),
        What::Codes => listings::all_codes(),
        What::Engines => listings::engines(),
    };
    let text = if args.json { listing.json() } else { listing.text() };
    io::write(None, false, text.as_bytes())
}

//! Conformance vectors, in files that the host has put.

use crate::files::Files;
use crate::request::{Answer, Request};
use gpuzoo::conform::{self as verb, Companions, Options, Report};
use gpuzoo::diag::Sources;
use gpuzoo::machine::limits::budget::Budget;
use gpuzoo::paint::Paint;
use gpuzoo::{Arguments, Registry};
use serde_json::{Value as Json, json};
use std::path::Path;

/// Checks files of vectors: a report of each.
pub fn conform(registry: &Registry, files: &Files, request: Request) -> Answer {
    let gpu = registry.choose(request.maybe("gpu"), "")?;
    let (budget, none) = (Budget::default(), verb::Files::default());
    gpuzoo::registry::profile(gpu, request.maybe("profile"))?;
    let arguments = Arguments::new(request.maybe("profile").unwrap_or_default());
    let (mut sources, mut companions) = (Sources::default(), Companions::default());
    let mut read = Vec::new();
    for name in request.texts("files") {
        let bytes = files.read(Path::new(name)).map_err(|_| format!("there is no file `{name}`"))?;
        read.push((name, verb::read(&mut sources, name, &bytes)));
    }
    if Companions::needed(gpu) {
        let own = read.iter().filter_map(|(_, file)| file.as_ref().ok());
        own.for_each(|file| companions.note(gpu, sources.get(*file)));
    }
    let options = Options {
        arguments: &arguments,
        companions: &companions,
        files: &none,
        failures: request.number("failures")?.unwrap_or(10),
        every: false,
        budget: &budget,
    };
    let reports = read.into_iter().map(|(name, file)| {
        let report = match file {
            Err(problem) => Report::unread(name.to_owned(), problem, &options),
            Ok(file) => {
                let file = sources.get(file);
                let beside = verb::files(gpu, file).into_iter();
                let beside: verb::Files =
                    beside.filter_map(|own| Some((own.clone(), files.read(Path::new(&own)).ok()?))).collect();
                verb::check(gpu, file, &Options { files: &beside, ..options }, |_| {})
            }
        };
        let mut value = serde_json::to_value(report.json()).unwrap_or_default();
        value["text"] = report.text(Paint::PLAIN).into();
        value
    });
    Ok(json!(reports.collect::<Vec<Json>>()).into())
}

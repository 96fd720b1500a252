//! Conformance vectors.

use crate::errors::{list, refused};
use crate::program::named;
use gpuzoo::conform::{self as verb, Companions, Files, Options, Report};
use gpuzoo::diag::Sources;
use gpuzoo::machine::limits::budget::Budget;
use gpuzoo::paint::Paint;
use gpuzoo::{Arguments, Registry};
use pyo3::prelude::*;
use serde_json::json;

/// Checks vector files, each a name, its bytes, and whether it was found in a folder rather than named: what is no vector file
/// of the machine is left out then. `read` gives the bytes of a file that records name, which lies beside theirs: it gets the file's
/// name. Returns a JSON list of reports.
#[pyfunction]
pub fn conform(
    py: Python<'_>,
    machine: &str,
    files: Vec<(String, Vec<u8>, bool)>,
    read: Py<PyAny>,
    profile: &str,
    failures: usize,
) -> PyResult<String> {
    let gpu = Registry::default().choose(Some(machine), "").map_err(refused)?;
    let (budget, arguments) = (Budget::default(), Arguments::new(profile));
    let reports = py.detach(|| {
        let mut companions = Companions::default();
        let mut sources = Sources::default();
        let files: Vec<_> = files
            .into_iter()
            .filter(|(name, _, found)| !(*found && verb::is_beside(gpu, base(name))))
            .map(|(name, bytes, found)| (verb::read(&mut sources, &name, &bytes), name, found))
            .collect();
        if Companions::needed(gpu) {
            let own = files.iter().filter_map(|(file, ..)| file.as_ref().ok());
            own.for_each(|file| companions.note(gpu, sources.get(*file)));
        }
        let none = Files::default();
        let options = Options {
            arguments: &arguments,
            companions: &companions,
            files: &none,
            failures,
            every: false,
            budget: &budget,
        };
        let mut reports = Vec::new();
        for (file, name, found) in files {
            let report = match file {
                Err(_) if found => continue,
                Err(problem) => Report::unread(name, problem, &options),
                Ok(file) => {
                    let file = sources.get(file);
                    if found && !verb::known(gpu, file.text()) {
                        continue;
                    }
                    let folder = name.strip_suffix(base(&name)).unwrap_or("");
                    let beside = verb::files(gpu, file).into_iter();
                    let beside = beside
                        .filter_map(|own| Some((own.clone(), named(&read, &format!("{folder}{own}")).ok()?)));
                    let beside: Files = beside.collect();
                    verb::check(gpu, file, &Options { files: &beside, ..options }, |_| {})
                }
            };
            let mut json = serde_json::to_value(report.json()).unwrap_or_default();
            json["diagnostics"] = list(&sources, &report.diagnostics);
            json["text"] = report.text(Paint::PLAIN).into();
            reports.push(json);
        }
        reports
    });
    Ok(json!(reports).to_string())
}

/// A file's name without its folder.
fn base(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

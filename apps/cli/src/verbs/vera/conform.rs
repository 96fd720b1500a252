//! `conform` for VERA: bus traces, and frames, which are traces with a PNG of the same stem in their folder.

use crate::io::{self, Input};
use crate::session::Stop;
use crate::verbs::conform::Candidate;
use gpuzoo::conform::{Report, read};
use gpuzoo::diag::Sources;
use gpuzoo::registry::extension;
use gpuzoo::vera::conform::{TraceFiles, check as check_trace};
use gpuzoo::vera::device::Deviations;
use gpuzoo::vera::program::known;
use std::path::Path;

/// The file that holds a frame's ISR.
const ISR: &str = "ISR.txt";

/// True for files that belong to a trace in their folder.
pub fn beside_a_trace(path: &Path) -> bool {
    let is_picture = extension(&path.to_string_lossy()).eq_ignore_ascii_case("png");
    path.file_name().is_some_and(|name| name == ISR) || is_picture
}

/// Checks a file; nothing for one that was found in a folder and is not a trace.
pub fn check(
    Candidate { path, found, input }: Candidate,
    deviations: Deviations,
    failures: usize,
) -> Result<Option<(Sources, Report)>, Stop> {
    let Input { name, bytes } = match input {
        Some(input) => input,
        None => io::read(Some(&path), None)?,
    };
    let mut sources = Sources::default();
    let file = match read(&mut sources, &name, &bytes) {
        Ok(file) => sources.get(file),
        Err(_) if found => return Ok(None),
        Err(problem) => {
            let diagnostics = vec![problem];
            return Ok(Some((sources, Report { name, malformed: 1, diagnostics, ..Report::default() })));
        }
    };
    if found && !known(file.text()) {
        return Ok(None);
    }
    let standard = io::is_standard(&path);
    let picture = if standard { None } else { std::fs::read(path.with_extension("png")).ok() };
    let isr = std::fs::read_to_string(path.with_file_name(ISR)).ok().filter(|_| picture.is_some());
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let files = TraceFiles { picture: picture.as_deref(), isr: isr.as_deref() };
    let report = check_trace(file, &stem, &files, deviations, failures);
    Ok(Some((sources, report)))
}

//! `diff`: two dumps of a machine's memory, or two pictures.

use super::render;
use crate::args;
use crate::io;
use crate::output::{self, Output};
use crate::session::{Session, Stop};
use gpuzoo::diff::{self as facade, Subject};
use gpuzoo::render::Format;
use std::path::Path;

/// Shows where two files differ, and draws it. A difference makes the exit code 1.
pub fn diff(args: &args::Diff, session: &mut Session) -> Result<(), Stop> {
    io::one_standard_input([args.one.as_path(), args.other.as_path()].into_iter())?;
    let one = subject(&args.one, session)?;
    let other = subject(&args.other, session)?;
    let diff = facade::diff(&one, &other)?;
    let (text, count) = (diff.text(), diff.count);
    if let Some(path) = &args.output {
        let format = Format::of_file(&path.to_string_lossy())?;
        let mut output = Output::open(Some(path), true)?;
        render::picture(diff.picture, format, &mut output, session)?;
        output.finish()?;
    }
    output::write(None, false, text.as_bytes())?;
    if count > 0 {
        session.fail();
    }
    Ok(())
}

fn subject(path: &Path, session: &mut Session) -> Result<Subject, Stop> {
    let input = io::read(Some(path), None)?;
    facade::read(&session.registry, &input.name, &input.bytes, &session.budget).map_err(|problems| {
        session.report(problems);
        Stop::Reported
    })
}

//! `diff`: two dumps of a machine's memory, two pictures, or two profiles of a machine.

use super::data::{Ready, constants_in, ready, refuse_data, refuse_given};
use super::vertices::Vertices;
use super::{Runs, parameters, refuse, render, runs, software};
use crate::args::{self, TextFormat};
use crate::io;
use crate::output::{self, Output};
use crate::session::{Session, Stop};
use gpuzoo::codes::BAD_ARGUMENT;
use gpuzoo::computer::Computer;
use gpuzoo::diag::{Diagnostic, json};
use gpuzoo::diff::{self as facade, Diff, Distance, Subject};
use gpuzoo::machine::options::arguments::Verb;
use gpuzoo::machine::unit::run_state::RunState;
use gpuzoo::profiles::Compared;
use gpuzoo::render::Format;
use gpuzoo::{Gpu, ShaderUnit, registry};
use serde::Serialize;
use std::path::Path;

/// Shows where two files, or two runs, differ, and draws it. A difference makes the exit code 1.
pub fn diff(args: &args::Diff, session: &mut Session) -> Result<(), Stop> {
    refuse(&[(args.data.emit_inputs.is_some(), "--emit-inputs")], "is for `run`")?;
    if !args.profiles.is_empty() {
        return profiles(args, session);
    }
    let source = &args.data.source;
    refuse(
        &[
            (source.reading.gpu.is_some(), "--gpu"),
            (source.reading.stdin_name.is_some(), "--stdin-name"),
            (source.reading.read.dialect.is_some(), "--dialect"),
            (source.reading.read.numbering.is_some(), "--numbering"),
            (source.reading.read.from.is_some(), "--from"),
            (args.data.state.profile.is_some(), "--profile"),
            (args.data.bits, "--bits"),
        ],
        "is for a program, and these are two files: `--profiles ONE,OTHER` runs a program",
    )?;
    if let Some(given) = session.given.first() {
        refuse(
            &[(true, &format!("--{}", given.name))],
            "is for a program: give `--profiles ONE,OTHER`, too",
        )?;
    }
    let (Some(one), Some(other)) = (&source.input, &args.data.vertices) else {
        let problem = Diagnostic::error(&BAD_ARGUMENT, "there are no two files to compare");
        return Err(problem.help("with `--profiles ONE,OTHER` a program is run under both").into());
    };
    let others = args::Data { vertices: None, ..args.data.clone() };
    refuse_given(&others, "is for a program: give `--profiles ONE,OTHER`, too")?;
    io::one_standard_input([one.as_path(), other.as_path()].into_iter())?;
    let one = subject(one, session)?;
    let other = subject(other, session)?;
    let diff = facade::diff(&one, &other)?;
    let written = match args.format {
        TextFormat::Text => diff.text(),
        TextFormat::Json => json::text(&FileDifference::of(&diff)) + "\n",
    };
    let differs = diff.count > 0;
    draw(args, diff, session)?;
    end(&written, differs, session)
}

/// Draws where pictures, or dumps, differ.
fn draw(args: &args::Diff, diff: Diff, session: &mut Session) -> Result<(), Stop> {
    let Some(path) = &args.output else { return Ok(()) };
    let format = Format::of_file(&path.to_string_lossy())?;
    let mut output = Output::open(Some(path), true)?;
    render::picture(diff.picture, format, &mut output, session)?;
    output.finish()
}

fn end(text: &str, differs: bool, session: &mut Session) -> Result<(), Stop> {
    output::write(None, false, text.as_bytes())?;
    if differs {
        session.fail();
    }
    Ok(())
}

/// The difference of two files, for scripts.
#[derive(Serialize)]
struct FileDifference<'a> {
    differs: bool,
    /// The number of bytes, or pixels, that differ.
    count: usize,
    /// The number of all.
    of: usize,
    /// The first places that differ.
    places: &'a [String],
    /// The distance of two pictures.
    distance: Option<Distance>,
}

impl FileDifference<'_> {
    fn of(diff: &Diff) -> FileDifference<'_> {
        let Diff { count, of, places, distance, .. } = diff;
        FileDifference { differs: *count > 0, count: *count, of: *of, places, distance: *distance }
    }
}

fn subject(path: &Path, session: &mut Session) -> Result<Subject, Stop> {
    let input = io::read(Some(path), None)?;
    facade::read(&session.registry, &input.name, &input.bytes, &session.budget).map_err(|problems| {
        session.report(problems);
        Stop::Reported
    })
}

/// A program under two profiles.
fn profiles(args: &args::Diff, session: &mut Session) -> Result<(), Stop> {
    let [one, other] = &args.profiles[..] else {
        let problem = Diagnostic::error(&BAD_ARGUMENT, "two profiles are compared");
        return Err(problem
            .help("name them so: `--profiles ONE,OTHER`; `gpuzoo list gpus` shows all")
            .into());
    };
    let profiles = [one.as_str(), other.as_str()];
    match runs(&args.data.source, session)? {
        (_, Runs::Units(unit)) => over_vertices(unit, args, profiles, session),
        (gpu, Runs::Computer(computer)) => on_machine(gpu, computer, args, profiles, session),
    }
}

fn on_machine(
    gpu: &dyn Gpu,
    computer: Computer,
    args: &args::Diff,
    profiles: [&str; 2],
    session: &mut Session,
) -> Result<(), Stop> {
    let source = &args.data.source;
    refuse_data(gpu, &args.data)?;
    let own = parameters::own(gpu, Verb::Diff, None, source.input.as_deref(), session)?;
    let program = software(computer, source, source.reading.read.from.as_deref(), &own, session)?;
    let comparison = program.compare(&own.arguments, profiles, args.frame)?;
    let [one, other] = comparison.pictures;
    draw(args, facade::diff(&Subject::Frame(one), &Subject::Frame(other))?, session)?;
    let written = match args.format {
        TextFormat::Text => comparison.text,
        TextFormat::Json => format!("{}\n", comparison.json),
    };
    end(&written, comparison.differs, session)
}

fn over_vertices(
    unit: &'static dyn ShaderUnit,
    args: &args::Diff,
    profiles: [&str; 2],
    session: &mut Session,
) -> Result<(), Stop> {
    refuse(
        &[(args.frame.is_some(), "--frame"), (args.output.is_some(), "--output")],
        "is for what a machine shows, and this is a program over vertices",
    )?;
    parameters::own(unit, Verb::Diff, None, None, session)?;
    let ready = ready(unit, &args.data, session)?;
    let [one, other] = profiles.map(|name| registry::profile(unit, Some(name)));
    let states = [one?, other?].map(|profile| RunState { profile, ..ready.run_state() });
    let Ready { program, constants, .. } = &ready;
    let [one, other] = profiles.map(|name| constants_in(unit, &args.data, (&ready, name), session));
    let [one, other] = [one?, other?];
    let mut source = Vertices::of(unit, &args.data, &ready, None, session)?;
    let first = source.first(session)?;
    session.require(program.kernel_in(&states[0]).remarks(&first, &constants.given))?;
    let mut compared = Compared::new(program, &states, [&one.values, &other.values]);
    let mut piece = Some(first);
    while let Some(vertices) = piece {
        compared.push(&vertices);
        piece = source.next(session)?;
    }
    source.bar.finish_and_clear();
    let written = match args.format {
        TextFormat::Text => compared.text(args.data.bits),
        TextFormat::Json => json::text(&compared.json(args.data.bits)) + "\n",
    };
    end(&written, compared.differs(), session)
}

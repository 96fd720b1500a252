//! `vectors`: what is run, written as records that `conform` takes.

use super::data::{Ready, ready, refuse_data, refuse_given};
use super::vertices::Vertices;
use super::{no_job, parameters, place, refuse, refuse_reading, render};
use crate::args::TextFormat;
use crate::output::Output;
use crate::session::{Session, Stop};
use crate::{args, io};
use gpuzoo::codes::BAD_ARGUMENT;
use gpuzoo::diag::{Diagnostic, json};
use gpuzoo::kind::Kind;
use gpuzoo::machine::limits::budget::Resource;
use gpuzoo::machine::options::arguments::Verb;
use gpuzoo::machine::text::stem;
use gpuzoo::machine::vectors::stimulus::Accesses;
use gpuzoo::scene::NO_SUCH_PIXEL;
use gpuzoo::vectors::{self, Coverage, Made, Random, Writer};
use gpuzoo::{Gpu, ShaderUnit, pick, registry};

/// Writes vectors.
pub fn vectors(args: &args::Vectors, session: &mut Session) -> Result<(), Stop> {
    let source = &args.data.source;
    let Some(path) = source.input.as_deref() else { return made_up(args, session) };
    io::expect(Some(path))?;
    let name = io::name(Some(path), source.reading.stdin_name.as_deref());
    let random = [
        (args.directed, "--directed"),
        (args.seed.is_some(), "--seed"),
        (args.length.is_some(), "--length"),
        (args.runs.is_some(), "--runs"),
    ];
    refuse(&random, "is for programs that are made up, and this one is given")?;
    if Kind::of_name(&session.registry, &name) == Some(Kind::Scene) {
        return of_scene(args, session);
    }
    let of_scenes = [
        (args.pixel.is_some(), "--pixel"),
        (args.frame.is_some(), "--frame"),
        (args.count.is_some(), "--count"),
    ];
    refuse(&of_scenes, "is for scenes, and this is a program")?;
    no_job(source, session)?;
    let gpu = session.registry.choose(source.reading.gpu.as_deref(), &name)?;
    match gpu.shader_unit() {
        Some(unit) => of_program(unit, &name, args, session),
        None => {
            let problem = Diagnostic::error(&BAD_ARGUMENT, "`vectors` is not for a CPU's program");
            Err(problem
                .help("`gpuzoo record` writes what such a program sends to its machine, and `gpuzoo conform` takes that")
                .into())
        }
    }
}

/// Refuses what changes the state of the machine, of which records say nothing.
fn refuse_state(args: &args::Data) -> Result<(), Stop> {
    let given = [
        (!args.state.modes.is_empty(), "--mode"),
        (!args.output_starts.is_empty(), "--output-start"),
        (args.bits, "--bits"),
    ];
    refuse(&given, "is not for `vectors`: a record has nowhere to say it")
}

/// Random programs, or directed ones; for a machine whose vectors are files of their own, such a file.
fn made_up(args: &args::Vectors, session: &mut Session) -> Result<(), Stop> {
    refuse(
        &[(args.pixel.is_some(), "--pixel"), (args.frame.is_some(), "--frame")],
        "is for scenes: name one",
    )?;
    let gpu = session.registry.choose(args.data.source.reading.gpu.as_deref(), "")?;
    refuse_state(&args.data)?;
    let usual = Random::default();
    let random = Random {
        seed: args.seed.unwrap_or(usual.seed),
        count: args.count.unwrap_or(usual.count),
        length: args.length.map_or(usual.length, |length| length as usize),
        runs: args.runs.map_or(usual.runs, |runs| runs as usize),
    };
    let Some(unit) = gpu.shader_unit() else { return accesses(gpu, random, args, session) };
    refuse_given(&args.data, "is for a program that is given, and these are made up")?;
    let runs = random.count.saturating_mul(random.runs as u64);
    if !args.directed {
        session.budget.ask(Resource::Vertices, runs).map_err(|refusal| refusal.problem())?;
    }
    let mut out = Out::open(unit, args, session)?;
    match args.directed {
        true => {
            vectors::directed(unit)?.try_for_each(|made| out.write(&made))?;
            let pieces = out.writer.pieces()?;
            out.output.write(pieces.as_bytes())?;
        }
        false => vectors::random(unit, &random)?.try_for_each(|made| out.write(&made))?,
    }
    out.finish(args, session)
}

/// A file that is one vector.
fn accesses(gpu: &dyn Gpu, random: Random, args: &args::Vectors, session: &mut Session) -> Result<(), Stop> {
    let ways = [(args.length.is_some(), "--length"), (args.runs.is_some(), "--runs")];
    refuse(&ways, &format!("is for programs; vectors of {} are bus traces", gpu.about().id))?;
    refuse_data(gpu, &args.data)?;
    let own = parameters::own(gpu, Verb::Vectors, args.data.state.profile.as_deref(), None, session)?;
    let accesses = match args.directed {
        true => Accesses::Directed,
        false => Accesses::Random { seed: random.seed, count: random.count },
    };
    let (text, coverage) = vectors::file(gpu, accesses, &own.arguments)?;
    let mut output = Output::open(args.output.as_deref(), false)?;
    output.write(text.as_bytes())?;
    output.finish()?;
    remark(&coverage, args, session);
    Ok(())
}

/// A program and its vertices.
fn of_program(
    unit: &'static dyn ShaderUnit,
    name: &str,
    args: &args::Vectors,
    session: &mut Session,
) -> Result<(), Stop> {
    refuse_state(&args.data)?;
    parameters::own(unit, Verb::Vectors, None, None, session)?;
    let ready = ready(unit, &args.data, session)?;
    let Ready { program, constants, profile, .. } = &ready;
    let kernel = program.kernel_in(&ready.run_state());
    let mut source = Vertices::of(unit, &args.data, &ready, args.output.as_deref(), session)?;
    let first = source.first(session)?;
    session.require(kernel.remarks(&first, &constants.given))?;
    session.report(kernel.unread(&first, constants));
    let mut out = Out::open(unit, args, session)?;
    let (mut piece, mut count, mut constants) = (Some(first), 0, constants.values.clone());
    while let Some(vertices) = piece {
        let name = if count == 0 { stem(name).to_owned() } else { format!("{}, from {count}", stem(name)) };
        out.write(&vectors::of_vertices(&name, program, *profile, &vertices, &mut constants))?;
        count += vertices.count();
        piece = source.next(session)?;
    }
    out.finish(args, session)
}

/// The vertices of a scene's draws, or the fragments of a pixel.
fn of_scene(args: &args::Vectors, session: &mut Session) -> Result<(), Stop> {
    let args::Data { source, state, .. } = &args.data;
    let profile = &state.profile;
    let reading = &source.reading;
    let why = "is for a program, and this is a scene";
    refuse(&[(reading.gpu.is_some(), "--gpu")], why)?;
    refuse_reading(reading, why)?;

    let mut scene = render::scene(source.input.as_deref(), reading.stdin_name.as_deref(), session)?;
    refuse_data(scene.gpu, &args.data)?;
    if profile.is_some() {
        scene.profile = registry::profile(scene.gpu, profile.as_deref())?;
    }
    let frame = args.frame.unwrap_or(0);
    render::frames(&scene, Some(frame), session)?;
    let made = match &args.pixel {
        None => {
            let most = args.count.map_or(usize::MAX, |count| usize::try_from(count).unwrap_or(usize::MAX));
            vectors::of_scene(&scene, frame, most)
        }
        Some(text) => {
            let file = session.argument("--pixel", text);
            let at = pick::place(session.sources.get(file))?;
            let whole = session.sources.get(file).whole();
            vectors::of_pixel(&scene, frame, at).map_err(|problems| place(problems, &NO_SUCH_PIXEL, whole))
        }
    };
    let made = made.map_err(|problems| {
        session.report(problems);
        Stop::Reported
    })?;
    let writer = Writer::new(scene.gpu, scene.profile, session.budget.clone())?;
    let mut out = Out { writer, output: Output::open(args.output.as_deref(), false)? };
    made.iter().try_for_each(|made| out.write(made))?;
    out.finish(args, session)
}

/// Where records go.
struct Out {
    writer: Writer,
    output: Output,
}

impl Out {
    fn open(unit: &'static dyn ShaderUnit, args: &args::Vectors, session: &Session) -> Result<Out, Stop> {
        let profile = registry::profile(unit, args.data.state.profile.as_deref())?;
        let writer = Writer::new(unit, profile, session.budget.clone())?;
        Ok(Out { writer, output: Output::open(args.output.as_deref(), false)? })
    }

    fn write(&mut self, made: &Made) -> Result<(), Stop> {
        let text = self.writer.write(made)?;
        self.output.write(text.as_bytes())
    }

    fn finish(self, args: &args::Vectors, session: &mut Session) -> Result<(), Stop> {
        self.output.finish()?;
        remark(self.writer.coverage(), args, session);
        Ok(())
    }
}

/// Says what was covered.
fn remark(coverage: &Coverage, args: &args::Vectors, session: &Session) {
    match args.stats {
        None => session.remark(&coverage.summary()),
        Some(TextFormat::Text) => session.remark(&coverage.text()),
        Some(TextFormat::Json) => session.remark(&(json::text(&coverage.json()) + "\n")),
    }
}

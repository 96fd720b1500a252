//! Whose run `trace`, `debug` and `why` are about.

use super::data::{Ready, ready, refuse_given};
use super::vertices::Vertices;
use super::{Runs, as_job, parameters, place, refuse, refuse_reading, render, room, runs};
use crate::args;
use crate::io::{self, Input};
use crate::session::{Session, Stop};
use gpuzoo::codes::NO_SUCH_VERTEX;
use gpuzoo::computer::{Arguments, Computer};
use gpuzoo::conform::replay::{self, Opened};
use gpuzoo::debugger::Batch;
use gpuzoo::diag::{Diagnostic, FileId};
use gpuzoo::kind::Kind;
use gpuzoo::machine::options::arguments::Verb;
use gpuzoo::machine::text::extension;
use gpuzoo::machine::unit::job::JobOptions;
use gpuzoo::pick::{self, Pick};
use gpuzoo::scene::{NO_SUCH_PIXEL, Scene};
use gpuzoo::trace::{self as facade_trace, Trace};
use gpuzoo::{Gpu, Program, ShaderUnit, conform, job, read, registry};

/// Whose run.
pub enum Found {
    /// What made a pixel, and where it is.
    Pixel(Box<Pick>, Picture),
    /// A vertex's or a fragment's, of a machine. It has the program, unless that is a part of a scene or a job; and all vertices, if the debugger
    /// wants them.
    Run { trace: Box<Trace>, gpu: &'static dyn Gpu, program: Option<Program>, batch: Option<Box<Batch>> },
    /// A record of vectors, which fails or was asked for.
    Record(Box<Opened>, &'static dyn Gpu),
    /// A CPU's program on its machine.
    Machine(&'static dyn Gpu, Computer),
}

/// Where a pixel is.
pub struct Picture {
    pub gpu: &'static dyn Gpu,
    /// The scene; none of a job.
    pub scene: Option<Box<Scene>>,
    /// The profile's name.
    pub profile: Option<&'static str>,
}

/// Finds the run.
pub fn find(of: &args::Subject, verb: Verb, session: &mut Session) -> Result<Found, Stop> {
    let source = &of.data.source;
    let name = io::name(source.input.as_deref(), source.reading.stdin_name.as_deref());
    if let Some(text) = &of.pixel {
        let is_program = !session.registry.by_extension(&name).is_empty();
        refuse(&[(is_program, "--pixel")], "is for scenes, and this is a program")?;
        return pixel(of, text, session);
    }
    if of.record.is_some() || extension(&name).eq_ignore_ascii_case("jsonl") {
        return record(of, &name, session);
    }
    if let Some(input) = as_job(&of.data.source, session)? {
        refuse(&[(of.frame > 0, "--frame")], "is for scenes, and this is a job")?;
        return vertex_of_job(of, input, session);
    }
    if Kind::of_name(&session.registry, &name) == Some(Kind::Scene) && of.vertex.is_some() {
        return vertex_of_scene(of, session);
    }
    let is_for_scenes = "is for scenes, and this is a program";
    match runs(source, session)? {
        (_, Runs::Units(unit)) => {
            refuse(&[(of.frame > 0, "--frame")], is_for_scenes)?;
            of_vertex(unit, of, verb, session)
        }
        // A trace may begin there.
        (gpu, Runs::Computer(computer)) => {
            refuse(&[(of.frame > 0 && verb != Verb::Trace, "--frame")], is_for_scenes)?;
            Ok(Found::Machine(gpu, computer))
        }
    }
}

/// Reads a scene with the profile that is wanted.
fn scene(of: &args::Subject, input: Input, session: &mut Session) -> Result<Scene, Stop> {
    refuse_reading(&of.data.source.reading, "is for a program, and this is a scene")?;
    let mut scene = render::scene_of(input, session)?;
    if of.data.state.profile.is_some() {
        scene.profile = registry::profile(scene.gpu, of.data.state.profile.as_deref())?;
    }
    render::frames(&scene, Some(of.frame), session)?;
    Ok(scene)
}

/// The fragments of a pixel of a scene or a job, with what their programs did.
fn pixel(of: &args::Subject, text: &str, session: &mut Session) -> Result<Found, Stop> {
    let file = session.argument("--pixel", text);
    let at = pick::place(session.sources.get(file))?;
    let source = &of.data.source;
    let input = io::read(source.input.as_deref(), source.reading.stdin_name.as_deref())?;
    let unpicked = |problems, session: &mut Session| {
        session.report(place(problems, &NO_SUCH_PIXEL, session.sources.get(file).whole()));
        Stop::Reported
    };
    // No scene begins with a brace.
    if input.bytes.trim_ascii_start().starts_with(b"{") {
        refuse(&[(of.frame > 0, "--frame")], "is for scenes, and this is a job")?;
        let (gpu, job, options) = job(of, input, session)?;
        let picked = pick::of_job(gpu, session.sources.get(job), &options, at);
        let (pick, problems) = picked.map_err(|problems| unpicked(problems, session))?;
        session.require(problems)?;
        return Ok(Found::Pixel(Box::new(pick), Picture { gpu, scene: None, profile: None }));
    }
    let scene = scene(of, input, session)?;
    let pick = pick::pick(&scene, of.frame, at).map_err(|problems| unpicked(problems, session))?;
    let (gpu, profile): (&dyn Gpu, _) = (scene.gpu, scene.gpu.about().profile_name(scene.profile));
    Ok(Found::Pixel(Box::new(pick), Picture { gpu, scene: Some(Box::new(scene)), profile: Some(profile) }))
}

/// The run of a vertex of a scene's frame.
fn vertex_of_scene(of: &args::Subject, session: &mut Session) -> Result<Found, Stop> {
    let source = &of.data.source;
    refuse_given(&of.data, "is for a program, and this is a scene")?;
    let input = io::read(source.input.as_deref(), source.reading.stdin_name.as_deref())?;
    let scene = scene(of, input, session)?;
    let wanted = of.vertex.unwrap_or(0);
    let run = pick::vertex_of_scene(&scene, of.frame, wanted).map_err(|problems| {
        session.report(problems);
        Stop::Reported
    })?;
    match run {
        Ok(trace) => Ok(Found::Run { trace: Box::new(trace), gpu: scene.gpu, program: None, batch: None }),
        Err(count) => Err(no_such_vertex(wanted, count, session).into()),
    }
}

/// A job: its machine, its file, and how it is run.
fn job(
    of: &args::Subject,
    input: Input,
    session: &mut Session,
) -> Result<(&'static dyn Gpu, FileId, JobOptions), Stop> {
    refuse_reading(&of.data.source.reading, "is for a program, and this is a job")?;
    let Input { name, bytes, .. } = input;
    room(&bytes, session)?;
    let file = read::text(&mut session.sources, &name, &bytes)?;
    let gpu = job::machine(&session.registry, of.data.source.reading.gpu.as_deref())?;
    let profile = of.data.state.profile.as_deref();
    let profile = profile.map(|name| registry::profile(gpu, Some(name))).transpose()?;
    let budget = session.budget.clone();
    Ok((gpu, file, JobOptions { profile, budget, ..JobOptions::default() }))
}

/// A record of a vector file.
fn record(of: &args::Subject, name: &str, session: &mut Session) -> Result<Found, Stop> {
    let source = &of.data.source;
    refuse_given(&of.data, "is for a program, and this is a file of records")?;
    refuse_reading(&source.reading, "is for a program, and this is a file of records")?;
    refuse(&[(of.vertex.is_some(), "--vertex")], "is for a program; `--record LINE` chooses a record")?;
    let gpu = session.registry.choose(source.reading.gpu.as_deref(), name)?;
    let Some(unit) = gpu.shader_unit() else {
        let why = format!("is known of shader programs; {} runs a CPU's", gpu.about().id);
        refuse(&[(true, name)], &why)?;
        return Err(Stop::Reported);
    };
    let Input { name, bytes, .. } = io::read(source.input.as_deref(), source.reading.stdin_name.as_deref())?;
    let file = conform::read(&mut session.sources, &name, &bytes)?;
    let file = session.sources.get(file);
    let arguments = Arguments::new(of.data.state.profile.as_deref().unwrap_or_default());
    let options = conform::Options {
        arguments: &arguments,
        companions: &replay::alone(unit, file),
        files: &conform::Files::default(),
        failures: 1,
        every: false,
        budget: &session.budget,
    };
    let opened = replay::open(unit, file, of.record, &options)?;
    Ok(Found::Record(Box::new(opened), gpu))
}

/// The run of a vertex of a job.
fn vertex_of_job(of: &args::Subject, input: Input, session: &mut Session) -> Result<Found, Stop> {
    refuse_given(&of.data, "is for a program, and this is a job")?;
    let (gpu, file, options) = job(of, input, session)?;
    let wanted = of.vertex.unwrap_or(0);
    let run = pick::vertex_of_job(gpu, session.sources.get(file), &options, wanted);
    let (run, problems) = run.map_err(|problems| {
        session.report(problems);
        Stop::Reported
    })?;
    session.require(problems)?;
    match run {
        Ok(trace) => Ok(Found::Run { trace: Box::new(trace), gpu, program: None, batch: None }),
        Err(count) => Err(no_such_vertex(wanted, count, session).into()),
    }
}

pub fn no_such_vertex(wanted: usize, count: usize, session: &mut Session) -> Diagnostic {
    let file = session.argument("--vertex", &wanted.to_string());
    let problem = Diagnostic::error(&NO_SUCH_VERTEX, format!("there is no vertex {wanted}"));
    let problem = problem.at(session.sources.get(file).whole());
    match count {
        0 => problem.help("there are no vertices"),
        count => problem.help(format!("vertices are 0 to {}", count - 1)),
    }
}

/// The run of a vertex, or a fragment, of a program.
fn of_vertex(
    unit: &'static dyn ShaderUnit,
    of: &args::Subject,
    verb: Verb,
    session: &mut Session,
) -> Result<Found, Stop> {
    parameters::own(unit, verb, None, None, session)?;
    let ready = ready(unit, &of.data, session)?;
    let wanted = of.vertex.unwrap_or(0);
    let Ready { program, constants, .. } = &ready;
    let kernel = program.kernel_in(&ready.run_state());
    let mut source = Vertices::of(unit, &of.data, &ready, None, session)?;
    let has_any = source.has_any();
    let first = source.first(session)?;
    session.require(kernel.remarks(&first, &constants.given))?;
    session.report(kernel.unread(&first, constants));
    let mut before = kernel.begin(&constants.values);
    let mut piece = Some(first);
    if verb == Verb::Debug && of.vertex.is_none() && has_any {
        let mut batch = Batch::new(program, &ready.run_state(), &constants.given);
        while let Some(vertices) = piece {
            let found = before.constants().to_vec();
            before.pass(&vertices);
            let goes_on = batch.push(vertices, &found);
            piece = if goes_on { source.next(session)? } else { None };
        }
        source.bar.finish_and_clear();
        let trace = batch.trace(0).ok_or_else(|| no_such_vertex(0, 0, session))?;
        let (trace, batch, program) = (Box::new(trace), Some(Box::new(batch)), Some(ready.program));
        return Ok(Found::Run { trace, gpu: unit, program, batch });
    }
    let vertices = loop {
        let Some(vertices) = piece else {
            return Err(no_such_vertex(wanted, before.count(), session).into());
        };
        if wanted - before.count() < vertices.count() {
            break vertices;
        }
        before.pass(&vertices);
        piece = source.next(session)?;
    };
    source.bar.finish_and_clear();
    let (first, values) = (before.count(), before.constants());
    let (state, given) = (ready.run_state(), &constants.given);
    let trace = facade_trace::trace(program, &state, &vertices, wanted - first, values, given);
    let trace = trace.behind(first);
    Ok(Found::Run { trace: Box::new(trace), gpu: unit, program: Some(ready.program), batch: None })
}

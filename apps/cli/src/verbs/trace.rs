//! `trace`.

use super::data::{Ready, ready, refuse_data, refuse_given};
use super::run::Vertices;
use super::{Runs, as_job, parameters, place, refuse, render, report, room, runs, software};
use crate::args::{self, TextFormat};
use crate::io::{self, Input};
use crate::output::{self, Output};
use crate::session::{Session, Stop};
use gpuzoo::codes::{BAD_ARGUMENT, NO_SUCH_VERTEX};
use gpuzoo::computer::Computer;
use gpuzoo::diag::{Diagnostic, FileId, counted};
use gpuzoo::machine::arguments::Verb;
use gpuzoo::machine::job::JobOptions;
use gpuzoo::paint::Paint;
use gpuzoo::pick::{self, Pick};
use gpuzoo::read;
use gpuzoo::registry;
use gpuzoo::render as facade_render;
use gpuzoo::report::{self as facade_report, Page};
use gpuzoo::scene::NO_SUCH_PIXEL;
use gpuzoo::session::Session as _;
use gpuzoo::trace::{self as facade_trace, Trace};
use gpuzoo::why::{self, Answer, Question};
use gpuzoo::{Gpu, Program, ShaderUnit};

/// Texts are handed on in pieces of this many bytes.
const PIECE: usize = 1 << 16;

/// Steps of a CPU's program that a trace has by default.
const USUAL_STEPS: u64 = 1000;

/// The fragments of a pixel of a scene or a job, with what their programs did.
fn pixel(args: &args::Trace, text: &str, session: &mut Session) -> Result<(), Stop> {
    let file = session.argument("--pixel", text);
    let at = pick::place(session.sources.get(file))?;
    let source = &args.data.source;
    let input = io::read(source.input.as_deref(), source.reading.stdin_name.as_deref())?;
    let unpicked = |problems, session: &mut Session| {
        session.report(place(problems, &NO_SUCH_PIXEL, session.sources.get(file).whole()));
        Stop::Reported
    };
    // No scene begins with a brace.
    if input.bytes.trim_ascii_start().starts_with(b"{") {
        refuse(&[(args.frame > 0, "--frame")], "is for scenes, and this is a job")?;
        let (gpu, job, options) = job(args, input, session)?;
        let picked = pick::of_job(gpu, session.sources.get(job), &options, at);
        let (pick, problems) = picked.map_err(|problems| unpicked(problems, session))?;
        session.require(problems)?;
        return of_pixel(&pick, page(args, gpu), args, session);
    }
    let mut scene = render::scene_of(input, session)?;
    if args.data.profile.is_some() {
        scene.profile = registry::profile(scene.gpu, args.data.profile.as_deref())?;
    }
    render::frames(&scene, Some(args.frame), session)?;
    let pick = pick::pick(&scene, args.frame, at).map_err(|problems| unpicked(problems, session))?;
    let mut page = page(args, scene.gpu);
    page.fact("profile", scene.gpu.about().profile_name(scene.profile));
    of_pixel(&pick, page, args, session)
}

/// Writes what made a pixel.
fn of_pixel(pick: &Pick, page: Page, args: &args::Trace, session: &mut Session) -> Result<(), Stop> {
    let (bits, paint) = (args.data.bits, session.paint(args.output.as_deref()));
    let text = match (question(args, session)?, args.format) {
        (Some((question, file)), format) => {
            let show = |answer: &Answer| shown(answer, format, bits, paint);
            pick.why(&question, session.sources.get(file), show)?
        }
        (None, TextFormat::Text) => pick.text(args.all, args.full, bits, paint),
        (None, TextFormat::Json) => pick.json_lines(&session.sources, args.all, bits),
    };
    output::write(args.output.as_deref(), false, text.as_bytes())?;
    let fill = |page: &mut Page, session: &mut Session| {
        facade_report::pixel(page, pick, &session.budget, bits).map_err(Stop::from)
    };
    report::write(&args.page, || page, session, fill)
}

/// The page of a trace.
fn page(args: &args::Trace, gpu: &dyn Gpu) -> Page {
    let source = &args.data.source;
    let name = io::name(source.input.as_deref(), source.reading.stdin_name.as_deref());
    facade_report::page("trace", &name, Some(gpu.about().name))
}

/// A job that is to be traced: its machine, its file, and how it is run.
fn job(
    args: &args::Trace,
    input: Input,
    session: &mut Session,
) -> Result<(&'static dyn Gpu, FileId, JobOptions), Stop> {
    let Input { name, bytes, .. } = input;
    room(&bytes, session)?;
    let file = read::text(&mut session.sources, &name, &bytes)?;
    let gpu = facade_render::job_gpu(&session.registry, args.data.source.reading.gpu.as_deref())?;
    let profile = args.data.profile.as_deref();
    let profile = profile.map(|name| registry::profile(gpu, Some(name))).transpose()?;
    let budget = session.budget.clone();
    Ok((gpu, file, JobOptions { profile, budget, ..JobOptions::default() }))
}

/// What each instruction changes, for one vertex of a job.
fn vertex_of_job(args: &args::Trace, input: Input, session: &mut Session) -> Result<(), Stop> {
    refuse_given(&args.data, "is for a program, and this is a job")?;
    let (gpu, file, options) = job(args, input, session)?;
    let wanted = args.vertex.unwrap_or(0);
    let run = pick::vertex_of_job(gpu, session.sources.get(file), &options, wanted);
    let (run, problems) = run.map_err(|problems| {
        session.report(problems);
        Stop::Reported
    })?;
    session.require(problems)?;
    match run {
        Ok(trace) => steps(trace, page(args, gpu), None, args, session),
        Err(count) => Err(no_such_vertex(wanted, count, session).into()),
    }
}

/// What `--why` asks, and the argument.
fn question(args: &args::Trace, session: &mut Session) -> Result<Option<(Question, FileId)>, Stop> {
    let Some(text) = &args.why else { return Ok(None) };
    let file = session.argument("--why", text);
    Ok(Some((Question::read(session.sources.get(file))?, file)))
}

fn shown(answer: &Answer, format: TextFormat, bits: bool, paint: Paint) -> String {
    match format {
        TextFormat::Text => answer.text(bits, paint),
        TextFormat::Json => format!("{}\n", answer.json(bits)),
    }
}

/// What each instruction changes, for one vertex or one pixel.
pub fn trace(args: &args::Trace, session: &mut Session) -> Result<(), Stop> {
    report::begin(&args.page, false, session)?;
    if let Some(text) = &args.pixel {
        let name =
            io::name(args.data.source.input.as_deref(), args.data.source.reading.stdin_name.as_deref());
        let is_program = !session.registry.by_extension(&name).is_empty();
        refuse(&[(is_program, "--pixel")], "is for scenes, and this is a program")?;
        return pixel(args, text, session);
    }
    if let Some(input) = as_job(&args.data.source, session)? {
        return vertex_of_job(args, input, session);
    }
    match runs(&args.data.source, session)? {
        (_, Runs::Units(unit)) => of_vertex(unit, args, session),
        (gpu, Runs::Computer(computer)) => of_machine(gpu, computer, args, session),
    }
}

/// What each instruction of a CPU does, on its machine too.
fn of_machine(
    gpu: &dyn Gpu,
    computer: Computer,
    args: &args::Trace,
    session: &mut Session,
) -> Result<(), Stop> {
    let args::Data { source, program_format, profile, .. } = &args.data;
    refuse_data(gpu, &args.data)?;
    let no_vertices = format!("is for programs over vertices; {} has none", gpu.about().id);
    refuse(&[(args.vertex.is_some(), "--vertex"), (args.why.is_some(), "--why")], &no_vertices)?;
    let own = parameters::own(gpu, Verb::Trace, profile.as_deref(), source.input.as_deref(), session)?;
    let program = software(computer, source, program_format.as_deref(), &own, session)?;
    let (skip, most) = (args.skip.unwrap_or(0), args.steps.unwrap_or(USUAL_STEPS));
    let steps = program.trace(&own.arguments, skip, most, args.format == TextFormat::Json)?;
    let mut output = Output::open(args.output.as_deref(), false)?;
    // A page shows some thousand lines.
    let (mut text, mut shown) = (String::new(), String::new());
    let mut lines = 0;
    for step in steps {
        if args.page.report.is_some() && lines <= facade_report::MOST_LINES {
            lines += step.lines().count();
            shown += &step;
        }
        text += &step;
        if text.len() >= PIECE {
            output.write(text.as_bytes())?;
            text.clear();
        }
    }
    output.write(text.as_bytes())?;
    output.finish()?;
    report::write(
        &args.page,
        || page(args, gpu),
        session,
        |page, _| {
            page.section("Steps", |html| facade_report::printed(html, &shown));
            Ok(())
        },
    )
}

fn no_such_vertex(wanted: usize, count: usize, session: &mut Session) -> Diagnostic {
    let file = session.argument("--vertex", &wanted.to_string());
    let problem = Diagnostic::error(&NO_SUCH_VERTEX, format!("there is no vertex {wanted}"));
    let problem = problem.at(session.sources.get(file).whole());
    match count {
        0 => problem.help("there are no vertices"),
        count => problem.help(format!("vertices are 0 to {}", count - 1)),
    }
}

/// What each instruction changes, for one vertex.
fn of_vertex(unit: &'static dyn ShaderUnit, args: &args::Trace, session: &mut Session) -> Result<(), Stop> {
    let own = parameters::own(unit, Verb::Trace, None, None, session)?;
    let ready = ready(unit, &args.data, &own, session)?;
    let wanted = args.vertex.unwrap_or(0);
    let Ready { program, constants, .. } = &ready;
    let kernel = program.kernel_in(&ready.run_state());
    let mut source = Vertices::of(unit, &args.data, args.output.as_deref(), session)?;
    let first = source.first(session)?;
    session.require(kernel.remarks(&first, &constants.given))?;
    session.report(kernel.unread(&first, constants));
    let mut before = kernel.begin(&constants.values);
    let mut piece = Some(first);
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
    steps(trace, page(args, unit), Some(program), args, session)
}

/// Writes those steps of a trace that are wanted, or what a component comes from.
fn steps(
    trace: Trace,
    page: Page,
    program: Option<&Program>,
    args: &args::Trace,
    session: &mut Session,
) -> Result<(), Stop> {
    let (bits, paint) = (args.data.bits, session.paint(args.output.as_deref()));
    if let Some((question, file)) = question(args, session)? {
        let found = why::answer(&trace, &question);
        let none =
            || why::no_such_register(std::slice::from_ref(&trace), &question, session.sources.get(file));
        let text = shown(&found.ok_or_else(none)?, args.format, bits, paint);
        return output::write(args.output.as_deref(), false, text.as_bytes());
    }
    let all = trace.session.total().unwrap_or(0);
    let skip = args.skip.unwrap_or(0);
    if skip > 0 && skip >= all {
        let file = session.argument("--skip", &skip.to_string());
        let problem = Diagnostic::error(&BAD_ARGUMENT, "no step is left to show");
        let problem = problem.at(session.sources.get(file).whole());
        return Err(problem.help(format!("the run has {}", counted(all, "step"))).into());
    }
    let trace = trace.only(skip, args.steps.unwrap_or(all));
    let text = match args.format {
        TextFormat::Text => trace.text(bits, paint),
        TextFormat::Json => trace.json_lines(&session.sources, bits),
    };
    output::write(args.output.as_deref(), false, text.as_bytes())?;
    report::write(
        &args.page,
        || page,
        session,
        |page, _| {
            page.fact("run", &trace.subject.text());
            facade_report::trace_page(page, &trace, bits);
            if let Some(program) = program {
                page.section("The program", |html| facade_report::program(html, program));
            }
            Ok(())
        },
    )
}

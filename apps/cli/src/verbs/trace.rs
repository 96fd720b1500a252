//! `trace`.

use super::data::refuse_data;
use super::subject::{self, Found};
use super::{parameters, refuse, report, software};
use crate::args::{self, TextFormat};
use crate::io;
use crate::output::{self, Output};
use crate::session::{Session, Stop};
use gpuzoo::codes::BAD_ARGUMENT;
use gpuzoo::computer::Computer;
use gpuzoo::conform::replay::Opened;
use gpuzoo::debugger::NOT_IN_THE_RUN;
use gpuzoo::debugger::command::Target;
use gpuzoo::diag::{Diagnostic, counted};
use gpuzoo::excerpt::Excerpt;
use gpuzoo::machine::options::arguments::Verb;
use gpuzoo::pick::Pick;
use gpuzoo::report::{self as facade_report, Page};
use gpuzoo::session::Session as _;
use gpuzoo::trace::Trace;
use gpuzoo::{Gpu, Program};

/// Texts are handed on in pieces of this many bytes.
const PIECE: usize = 1 << 16;

/// Steps of a CPU's program that a trace has by default.
const USUAL_STEPS: u64 = 1000;

/// Writes what made a pixel.
fn of_pixel(pick: &Pick, page: Page, args: &args::Trace, session: &mut Session) -> Result<(), Stop> {
    let (bits, paint) = (args.of.data.bits, session.paint(args.output.as_deref()));
    let text = match args.format {
        TextFormat::Text => pick.text(args.all, args.full, bits, paint),
        TextFormat::Json => pick.json_lines(&session.sources, args.all, bits),
    };
    output::write(args.output.as_deref(), false, text.as_bytes())?;
    let fill = |page: &mut Page, session: &mut Session| {
        facade_report::pixel(page, pick, &session.budget, bits).map_err(Stop::from)
    };
    report::write(&args.page, || page, session, fill)
}

/// The page of a trace.
fn page(args: &args::Trace, gpu: &dyn Gpu) -> Page {
    let source = &args.of.data.source;
    let name = io::name(source.input.as_deref(), source.reading.stdin_name.as_deref());
    facade_report::page("trace", &name, Some(gpu.about().name))
}

/// What each instruction changes, for one vertex or one pixel.
pub fn trace(args: &args::Trace, session: &mut Session) -> Result<(), Stop> {
    report::begin(&args.page, false, session)?;
    match subject::find(&args.of, Verb::Trace, session)? {
        Found::Pixel(pick, scene) => {
            let mut page = page(args, scene.gpu);
            if let Some(profile) = scene.profile {
                page.fact("profile", profile);
            }
            of_pixel(&pick, page, args, session)
        }
        Found::Run { trace, gpu, program, .. } => {
            steps(*trace, page(args, gpu), program.as_ref(), args, session)
        }
        Found::Record(opened, gpu) => {
            let Opened { trace, program, .. } = *opened;
            steps(trace, page(args, gpu), Some(&program), args, session)
        }
        Found::Machine(gpu, computer) => of_machine(gpu, computer, args, session),
    }
}

/// What an option goes to, as the debugger's commands have it.
fn target(option: &str, text: Option<&str>, session: &mut Session) -> Result<Option<Target>, Stop> {
    let Some(text) = text else { return Ok(None) };
    let file = session.argument(option, text);
    Ok(Some(Target::read(session.sources.get(file))?))
}

/// What steps write to be shown.
fn written(text: &str, session: &mut Session) -> Result<Target, Stop> {
    let file = session.argument("--on-write", text);
    Ok(Target::read_written(session.sources.get(file))?)
}

/// What each instruction of a CPU does, on its machine too.
fn of_machine(
    gpu: &dyn Gpu,
    computer: Computer,
    args: &args::Trace,
    session: &mut Session,
) -> Result<(), Stop> {
    let args::Data { source, state, .. } = &args.of.data;
    let profile = &state.profile;
    refuse_data(gpu, &args.of.data)?;
    let no_vertices = format!("is for programs over vertices; {} has none", gpu.about().id);
    refuse(&[(args.of.vertex.is_some(), "--vertex")], &no_vertices)?;
    let own = parameters::own(gpu, Verb::Trace, profile.as_deref(), source.input.as_deref(), session)?;
    let program = software(computer, source, source.reading.read.from.as_deref(), &own, session)?;
    let excerpt = Excerpt {
        skip: args.skip.unwrap_or(0),
        frame: args.of.frame.into(),
        from: target("--begin", args.begin.as_deref(), session)?,
        until: target("--until", args.until.as_deref(), session)?,
        writes: args.writes.iter().map(|text| written(text, session)).collect::<Result<_, _>>()?,
        // Up to somewhere means all of it.
        steps: args.steps.unwrap_or(if args.until.is_some() { u64::MAX } else { USUAL_STEPS }),
        json: args.format == TextFormat::Json,
    };
    let mut steps = program.trace(&own.arguments, &excerpt)?;
    let mut output = Output::open(args.output.as_deref(), false)?;
    // A page shows some thousand lines.
    let (mut text, mut shown) = (String::new(), String::new());
    let (mut lines, mut is_empty) = (0, true);
    for step in &mut steps {
        is_empty = false;
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
    own.write_ended(|| steps.files())?;
    if is_empty {
        let problem = Diagnostic::warning(&NOT_IN_THE_RUN, "no step of this part of the run is wanted");
        session.report(vec![
            problem.help("`--begin`, `--until`, `--frame`, `--skip` and `--steps` say which part it is"),
        ]);
    }
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

/// Writes those steps of a trace that are wanted.
fn steps(
    trace: Trace,
    page: Page,
    program: Option<&Program>,
    args: &args::Trace,
    session: &mut Session,
) -> Result<(), Stop> {
    let (bits, paint) = (args.of.data.bits, session.paint(args.output.as_deref()));
    refuse(
        &[
            (args.begin.is_some(), "--begin"),
            (args.until.is_some(), "--until"),
            (!args.writes.is_empty(), "--on-write"),
        ],
        "is for programs that a CPU runs; `gpuzoo debug` goes to such places in others",
    )?;
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

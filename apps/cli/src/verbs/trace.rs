//! `trace`.

use super::data::{Ready, ready, refuse_data};
use super::run::Source;
use super::{Runs, parameters, place, refuse, render, report, runs, software};
use crate::args::{self, TextFormat};
use crate::io;
use crate::output::{self, Output};
use crate::session::{Session, Stop};
use gpuzoo::codes::{BAD_ARGUMENT, NO_SUCH_VERTEX};
use gpuzoo::computer::Computer;
use gpuzoo::diag::{Diagnostic, FileId, counted};
use gpuzoo::machine::arguments::Verb;
use gpuzoo::paint::Paint;
use gpuzoo::pick;
use gpuzoo::registry;
use gpuzoo::report as facade_report;
use gpuzoo::scene::NO_SUCH_PIXEL;
use gpuzoo::session::Session as _;
use gpuzoo::trace as facade_trace;
use gpuzoo::why::{self, Answer, Question};
use gpuzoo::{Gpu, ShaderUnit};

/// Texts are handed on in pieces of this many bytes.
const PIECE: usize = 1 << 16;

/// Steps of a CPU's program that a trace has by default.
const USUAL_STEPS: u64 = 1000;

/// The fragments of a pixel, with what their programs did.
fn pixel(args: &args::Trace, text: &str, session: &mut Session) -> Result<(), Stop> {
    let file = session.argument("--pixel", text);
    let at = pick::place(session.sources.get(file))?;
    let source = &args.data.source;
    let mut scene = render::scene(source.input.as_deref(), source.reading.stdin_name.as_deref(), session)?;
    if args.data.profile.is_some() {
        scene.profile = registry::profile(scene.gpu, args.data.profile.as_deref())?;
    }
    render::frames(&scene, Some(args.frame), session)?;
    let pick = match pick::pick(&scene, args.frame, at) {
        Ok(pick) => pick,
        Err(problems) => {
            session.report(place(problems, &NO_SUCH_PIXEL, session.sources.get(file).whole()));
            return Err(Stop::Reported);
        }
    };
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
    let name = io::name(source.input.as_deref(), source.reading.stdin_name.as_deref());
    let page = || facade_report::page("trace", &name, Some(scene.gpu.about().name));
    report::write(&args.page, page, session, |page, session| {
        facade_report::pixel(page, &scene, args.frame, &pick, bits).map_err(|problems| {
            session.report(problems);
            Stop::Reported
        })
    })
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
    let name = io::name(source.input.as_deref(), source.reading.stdin_name.as_deref());
    let page = || facade_report::page("trace", &name, Some(gpu.about().name));
    report::write(&args.page, page, session, |page, _| {
        page.section("Steps", |html| facade_report::printed(html, &shown));
        Ok(())
    })
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
    let mut source = Source::of(unit, &args.data, args.output.as_deref(), session)?;
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
    let source = &args.data.source;
    let name = io::name(source.input.as_deref(), source.reading.stdin_name.as_deref());
    let page = || facade_report::page("trace", &name, Some(unit.about().name));
    report::write(&args.page, page, session, |page, _| {
        page.fact("run", &trace.subject.text());
        facade_report::trace_page(page, &trace, bits);
        page.section("The program", |html| facade_report::program(html, program));
        Ok(())
    })
}

//! `run` and `trace`.

use super::data::{Ready, pieces, ready, refuse_data, refuse_given};
use super::{Runs, no_scene, parameters, place, refuse, render, room, runs, software};
use crate::args::{self, OutputFormat, TextFormat};
use crate::io::{self, Input};
use crate::output::{self, Output};
use crate::session::{READING, Session, Stop};
use gpuzoo::codes::{BAD_ARGUMENT, NO_SUCH_VERTEX};
use gpuzoo::computer::Computer;
use gpuzoo::diag::{Diagnostic, FileId, counted};
use gpuzoo::kind::job_gpu;
use gpuzoo::machine::arguments::Verb;
use gpuzoo::machine::job::JobOptions;
use gpuzoo::machine::text::extension;
use gpuzoo::pick::{self, Pick};
use gpuzoo::read;
use gpuzoo::registry;
use gpuzoo::render as facade_render;
use gpuzoo::run::output::{Format, Printer};
use gpuzoo::run::{Kernel, Pieces, Vertices as Piece};
use gpuzoo::scene::NO_SUCH_PIXEL;
use gpuzoo::session::Session as _;
use gpuzoo::trace as facade_trace;
use gpuzoo::{Gpu, ShaderUnit};
use indicatif::ProgressBar;
use std::io::{IsTerminal, stdout};
use std::ops::ControlFlow;
use std::path::Path;

/// Outputs are handed on in pieces of this many bytes.
const PIECE: usize = 1 << 16;

/// Steps of a CPU's program that a trace has by default.
const USUAL_STEPS: u64 = 1000;

/// A program to its end.
pub fn run(args: &args::Run, session: &mut Session) -> Result<(), Stop> {
    match runs(&args.data.source, session)? {
        (_, Runs::Units(unit)) => over_vertices(unit, args, session),
        (gpu, Runs::Computer(computer)) => on_machine(gpu, computer, args, session),
    }
}

/// A CPU's program on its machine.
fn on_machine(
    gpu: &dyn Gpu,
    computer: Computer,
    args: &args::Run,
    session: &mut Session,
) -> Result<(), Stop> {
    let args::Data { source, program_format, profile, .. } = &args.data;
    refuse_data(gpu, &args.data)?;
    let why = format!("is for programs over vertices; {} has none", gpu.about().id);
    refuse(&[(!args.outputs.is_empty(), "--outputs")], &why)?;
    let format = format_of(args);
    if format == OutputFormat::Csv || is_binary(format) {
        let message = format!("a run of {} is not a table", gpu.about().id);
        return Err(Diagnostic::error(&BAD_ARGUMENT, message).into());
    }
    let own = parameters::own(gpu, Verb::Run, profile.as_deref(), source.input.as_deref(), session)?;
    let program = software(computer, source, program_format.as_deref(), &own, session)?;
    let report = program.run(&own.arguments)?;
    session.report_about(program.sources(), report.remarks.clone());
    own.write_files(&report)?;
    let text = match format {
        OutputFormat::Json => format!("{}\n", report.json),
        _ => report.text,
    };
    output::write(args.output.as_deref(), false, text.as_bytes())
}

/// What a program sends to its machine.
pub fn record(args: &args::Record, session: &mut Session) -> Result<(), Stop> {
    let (path, stdin_name) = (args.source.input.as_deref(), args.source.reading.stdin_name.as_deref());
    io::expect(path)?;
    let name = io::name(path, stdin_name);
    no_scene(&name, session)?;
    let computer = session.registry.computer(args.source.reading.gpu.as_deref(), &name)?;
    let gpu = computer.gpu();
    let own =
        parameters::own(gpu, Verb::Record, args.profile.as_deref(), args.source.input.as_deref(), session)?;
    let program = software(computer, &args.source, args.program_format.as_deref(), &own, session)?;
    let report = program.record(&own.arguments)?;
    session.report_about(program.sources(), report.remarks.clone());
    own.write_files(&report)?;
    output::write(args.output.as_deref(), false, report.text.as_bytes())
}

/// A program over all vertices, some at a time.
fn over_vertices(unit: &'static dyn ShaderUnit, args: &args::Run, session: &mut Session) -> Result<(), Stop> {
    let own = parameters::own(unit, Verb::Run, None, None, session)?;
    let ready = ready(unit, &args.data, &own, session)?;
    let Ready { program, constants, .. } = &ready;
    let whole = program.kernel_in(&ready.run_state());
    let names: Vec<&str> = args.outputs.iter().map(|name| name.trim()).collect();
    let chosen = (!names.is_empty()).then(|| whole.only(&names)).transpose().map_err(|problems| {
        let file = session.argument("--outputs", &args.outputs.join(","));
        let span = session.sources.get(file).whole();
        session.report(problems.list.into_iter().map(|problem| problem.label(span, "")).collect());
        Stop::Reported
    })?;
    let kernel = chosen.as_ref().unwrap_or(&whole);
    let mut source = Vertices::of(unit, &args.data, args.output.as_deref(), session)?;
    let first = source.first(session)?;
    session.require(kernel.remarks(&first, &constants.given))?;
    session.report(whole.unread(&first, constants));
    let mut stream = kernel.begin(&constants.values);
    let printer = printer(args, kernel);
    let is_binary = is_binary(format_of(args));
    if kernel.output_names().is_empty() {
        refuse(
            &[(is_binary, "--format")],
            "takes a text here: the program leaves constants, which have names",
        )?;
        // The program is there for what it leaves in constants.
        let mut piece = Some(first);
        while let Some(vertices) = piece {
            stream.vertices(&vertices, 0, |_, _| ControlFlow::Continue(()));
            piece = source.next(session)?;
        }
        let ran = stream.end();
        output::write(args.output.as_deref(), false, &printer.constants(ran.constants()))?;
        session.report(ran.unreached());
        return Ok(());
    }
    let mut output = Output::open(args.output.as_deref(), is_binary)?;
    let is_array = printer.format == Format::Npy;
    if is_array && !output.is_file() {
        let problem =
            Diagnostic::error(&BAD_ARGUMENT, "an array begins with its length, which is known at the end");
        return Err(problem.help("write it to a file: `-o FILE.npy`; `--format raw` has no header").into());
    }
    let (mut text, mut parts, mut result) = (Vec::new(), Vec::new(), Ok(()));
    printer.begin(&mut text);
    output.write(&text)?;
    let mut piece = Some(first);
    while let Some(vertices) = piece {
        stream.blocks(&vertices, |block| {
            printer.parts(&block, &mut parts);
            result = parts.iter().try_for_each(|part| output.write(part));
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        if result.is_err() {
            break;
        }
        // After an error nothing is run, but further errors are reported.
        piece = source.next(session)?;
    }
    result?;
    text.clear();
    printer.end(&mut text);
    output.write(&text)?;
    if is_array {
        output.begin_again(&printer.header(stream.count()))?;
    }
    session.report(stream.end().remarks());
    output.finish()
}

/// How outputs are written: as the user says, or as the extension of their file does.
fn format_of(args: &args::Run) -> OutputFormat {
    let file = args.output.as_deref().map(|path| path.to_string_lossy()).unwrap_or_default();
    match (args.format, extension(&file).to_ascii_lowercase().as_str()) {
        (Some(format), _) => format,
        (None, "csv") => OutputFormat::Csv,
        (None, "json") => OutputFormat::Json,
        (None, "raw" | "bin") => OutputFormat::Raw,
        (None, "npy") => OutputFormat::Npy,
        (None, _) => OutputFormat::Table,
    }
}

/// True for forms that are not texts.
fn is_binary(format: OutputFormat) -> bool {
    matches!(format, OutputFormat::Raw | OutputFormat::Npy)
}

fn printer<'a>(args: &args::Run, kernel: &'a Kernel) -> Printer<'a> {
    let format = match format_of(args) {
        OutputFormat::Table => Format::Table,
        OutputFormat::Csv => Format::Csv,
        OutputFormat::Json => Format::Json,
        OutputFormat::Raw => Format::Raw,
        OutputFormat::Npy => Format::Npy,
    };
    Printer { format, bits: args.data.bits, kills: kernel.kills(), names: kernel.output_names() }
}

/// Where vertices come from: a file, or nowhere.
pub struct Vertices {
    name: String,
    pieces: Option<Pieces<'static>>,
    bar: ProgressBar,
}

impl Vertices {
    pub fn of(
        unit: &'static dyn ShaderUnit,
        args: &args::Data,
        output: Option<&Path>,
        session: &mut Session,
    ) -> Result<Vertices, Stop> {
        let path = args.vertices.as_deref();
        let name = io::name(path, None);
        // What is written to the terminal says itself how far it is.
        let is_shown = !stdout().is_terminal() || output.is_some();
        let bar = if is_shown { session.bar(0, READING) } else { ProgressBar::hidden() };
        let bar = bar.with_message(name.clone());
        let pieces = path.map(|path| pieces(unit, args, path, &bar, session)).transpose()?;
        Ok(Vertices { name, pieces, bar })
    }

    /// The first vertices: one for which no input has a value, if there is no file.
    pub fn first(&mut self, session: &mut Session) -> Result<Piece<'static>, Stop> {
        let mut first = self.next(session)?.unwrap_or_else(Piece::nothing);
        while first.count() == 0
            && let Some(next) = self.next(session)?
        {
            first = next;
        }
        Ok(first)
    }

    /// The next vertices, if there are any. What is wrong with them is reported, and with all that follow.
    pub fn next(&mut self, session: &mut Session) -> Result<Option<Piece<'static>>, Stop> {
        let Some(pieces) = &mut self.pieces else { return Ok(None) };
        let mut wrong = false;
        loop {
            let next =
                pieces.next(&mut session.sources).map_err(|error| io::unreadable(&self.name, &error))?;
            let Some((vertices, problems)) = next else {
                self.bar.finish_and_clear();
                return if wrong { Err(Stop::Reported) } else { Ok(None) };
            };
            wrong |= session.report(problems);
            if !wrong {
                return Ok(Some(vertices));
            }
        }
    }
}

/// The fragments of a pixel, with what their programs did.
fn pixel(args: &args::Trace, text: &str, session: &mut Session) -> Result<(), Stop> {
    let file = session.argument("--pixel", text);
    let at = pick::place(session.sources.get(file))?;
    let source = &args.data.source;
    let input = io::read(source.input.as_deref(), source.reading.stdin_name.as_deref())?;
    // No scene begins with a brace.
    if input.bytes.trim_ascii_start().starts_with(b"{") {
        refuse(&[(args.frame > 0, "--frame")], "is for scenes, and this is a job")?;
        let (gpu, job, options) = job(args, input, session)?;
        let picked = pick::of_job(gpu, session.sources.get(job), &options, at);
        let (pick, problems) = picked.map_err(|problems| {
            let span = session.sources.get(file).whole();
            session.report(place(problems, &NO_SUCH_PIXEL, span));
            Stop::Reported
        })?;
        session.require(problems)?;
        return shown(&pick, args, session);
    }
    let mut scene = render::scene_of(input, session)?;
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
    shown(&pick, args, session)
}

/// Writes what made a pixel.
fn shown(pick: &Pick, args: &args::Trace, session: &Session) -> Result<(), Stop> {
    let text = match args.format {
        TextFormat::Text => pick.text(args.all, args.data.bits),
        TextFormat::Json => pick.json_lines(&session.sources, args.all, args.data.bits),
    };
    output::write(args.output.as_deref(), false, text.as_bytes())
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

/// The input, if it is a job: JSON with keys that jobs have.
fn as_job(args: &args::Trace, session: &Session) -> Result<Option<Input>, Stop> {
    let source = &args.data.source;
    let (path, stdin_name) = (source.input.as_deref(), source.reading.stdin_name.as_deref());
    if !extension(&io::name(path, stdin_name)).eq_ignore_ascii_case("json") {
        return Ok(None);
    }
    let input = io::peek(path, stdin_name)?;
    let is_job = |text| job_gpu(&session.registry, text).is_some();
    let is_one = std::str::from_utf8(&input.bytes).is_ok_and(is_job);
    Ok(is_one.then_some(input))
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
        Ok(trace) => steps(trace, args, session),
        Err(count) => Err(no_such_vertex(wanted, count, session).into()),
    }
}

/// What each instruction changes, for one vertex or one pixel.
pub fn trace(args: &args::Trace, session: &mut Session) -> Result<(), Stop> {
    if let Some(text) = &args.pixel {
        let name =
            io::name(args.data.source.input.as_deref(), args.data.source.reading.stdin_name.as_deref());
        let is_program = !session.registry.by_extension(&name).is_empty();
        refuse(&[(is_program, "--pixel")], "is for scenes, and this is a program")?;
        return pixel(args, text, session);
    }
    if let Some(input) = as_job(args, session)? {
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
    refuse(&[(args.vertex.is_some(), "--vertex")], &no_vertices)?;
    let own = parameters::own(gpu, Verb::Trace, profile.as_deref(), source.input.as_deref(), session)?;
    let program = software(computer, source, program_format.as_deref(), &own, session)?;
    let (skip, most) = (args.skip.unwrap_or(0), args.steps.unwrap_or(USUAL_STEPS));
    let steps = program.trace(&own.arguments, skip, most, args.format == TextFormat::Json)?;
    let mut output = Output::open(args.output.as_deref(), false)?;
    let mut text = String::new();
    for step in steps {
        text += &step;
        if text.len() >= PIECE {
            output.write(text.as_bytes())?;
            text.clear();
        }
    }
    output.write(text.as_bytes())?;
    output.finish()
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
    let (first, constants) = (before.count(), before.constants());
    let trace = facade_trace::trace(program, &ready.run_state(), &vertices, wanted - first, constants);
    steps(trace.behind(first), args, session)
}

/// Writes those steps of a trace that are wanted.
fn steps(trace: facade_trace::Trace, args: &args::Trace, session: &mut Session) -> Result<(), Stop> {
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
        TextFormat::Text => trace.text(args.data.bits),
        TextFormat::Json => trace.json_lines(&session.sources, args.data.bits),
    };
    output::write(args.output.as_deref(), false, text.as_bytes())
}

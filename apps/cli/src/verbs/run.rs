//! `run` and `record`.

use super::backend::{Device, Runner};
use super::data::{Ready, ready, refuse_data};
use super::subject::no_such_vertex;
use super::vertices::Vertices;
use super::{Runs, no_scene, parameters, refuse, report, runs, software};
use crate::args::{self, OutputFormat};
use crate::io;
use crate::output::{self, Output};
use crate::session::{Session, Stop};
use gpuzoo::codes::BAD_ARGUMENT;
use gpuzoo::computer::Computer;
use gpuzoo::diag::Diagnostic;
use gpuzoo::machine::options::arguments::Verb;
use gpuzoo::machine::text::extension;
use gpuzoo::paint::Paint;
use gpuzoo::report::{self as facade_report, Page, Summary};
use gpuzoo::run::Kernel;
use gpuzoo::run::output::{Format, Printer};
use gpuzoo::{Gpu, Program, ShaderUnit};
use std::ops::ControlFlow;

/// A program to its end.
pub fn run(args: &args::Run, session: &mut Session) -> Result<(), Stop> {
    report::begin(&args.page, false, session)?;
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
    let args::Data { source, state, .. } = &args.data;
    let profile = &state.profile;
    refuse_data(gpu, &args.data)?;
    let why = format!("is for programs over vertices; {} has none", gpu.about().id);
    let on_device = args.backend.backend != args::Which::default();
    refuse(&[(!args.outputs.is_empty(), "--outputs"), (on_device, "--backend")], &why)?;
    let format = format_of(args);
    if format == OutputFormat::Csv || is_binary(format) {
        let message = format!("a run of {} is not a table", gpu.about().id);
        return Err(Diagnostic::error(&BAD_ARGUMENT, message).into());
    }
    let own = parameters::own(gpu, Verb::Run, profile.as_deref(), source.input.as_deref(), session)?;
    let program = software(computer, source, source.reading.read.from.as_deref(), &own, session)?;
    let ran = program.run(&own.arguments)?;
    session.report_about(program.sources(), ran.remarks.clone());
    own.write_files(&ran)?;
    let name = io::name(source.input.as_deref(), source.reading.stdin_name.as_deref());
    let page = || facade_report::page("run", &name, Some(gpu.about().name));
    report::write(&args.page, page, session, |page, session| {
        page.section("The end", |html| facade_report::printed(html, &ran.text));
        report::screen(page, gpu, &program, &own.arguments, None, session)
    })?;
    let text = match format {
        OutputFormat::Json => format!("{}\n", ran.json),
        _ => ran.text,
    };
    output::write(args.output.as_deref(), false, text.as_bytes())
}

/// What a program sends to its machine.
pub fn record(args: &args::Record, session: &mut Session) -> Result<(), Stop> {
    let (path, stdin_name) = (args.source.input.as_deref(), args.source.reading.stdin_name.as_deref());
    let gpu = args.source.reading.gpu.as_deref();
    let computer = match parameters::started(gpu, path, session) {
        Some(gpu) => Computer::of(gpu)?,
        None => {
            io::expect(path)?;
            let name = io::name(path, stdin_name);
            no_scene(&name, session)?;
            session.registry.computer(gpu, &name)?
        }
    };
    let gpu = computer.gpu();
    let own =
        parameters::own(gpu, Verb::Record, args.profile.as_deref(), args.source.input.as_deref(), session)?;
    let program = software(computer, &args.source, args.source.reading.read.from.as_deref(), &own, session)?;
    let report = program.record(&own.arguments)?;
    session.report_about(program.sources(), report.remarks.clone());
    own.write_files(&report)?;
    output::write(args.output.as_deref(), false, report.text.as_bytes())
}

/// A program over all vertices, some at a time.
fn over_vertices(unit: &'static dyn ShaderUnit, args: &args::Run, session: &mut Session) -> Result<(), Stop> {
    let device = Device::of(&args.backend)?;
    parameters::own(unit, Verb::Run, None, None, session)?;
    let ready = ready(unit, &args.data, session)?;
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
    let mut source = Vertices::of(unit, &args.data, &ready, args.output.as_deref(), session)?;
    let first = source.first(session)?;
    session.require(kernel.remarks(&first, &constants.given))?;
    session.report(whole.unread(&first, constants));
    let mut runner = Runner::begin(device.as_ref(), kernel, &ready, session)?;
    let printer = printer(args, kernel, session.paint(args.output.as_deref()));
    let is_binary = is_binary(format_of(args));
    if kernel.output_names().is_empty() && device.is_none() {
        let mut stream = kernel.begin(&constants.values);
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
        let text = printer.constants(ran.constants());
        output::write(args.output.as_deref(), false, &text)?;
        session.report(ran.unreached());
        return page_of(unit, program, args, session, |page| {
            page.section("Constants", |html| facade_report::printed(html, &String::from_utf8_lossy(&text)));
        });
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
    let mut summary = args.page.report.as_ref().map(|_| Summary::new(kernel.output_names()));
    let mut piece = Some(first);
    while let Some(vertices) = piece {
        runner.blocks(&vertices, |block| {
            if let Some(summary) = &mut summary {
                summary.add(&block);
            }
            printer.parts(&block, &mut parts);
            result = parts.iter().try_for_each(|part| output.write(part));
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
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
        output.begin_again(&printer.header(runner.count()))?;
    }
    session.report(runner.stream().map(|stream| stream.end().remarks()).unwrap_or_default());
    output.finish()?;
    page_of(unit, program, args, session, |page| {
        page.section("Outputs", |html| {
            summary.iter().for_each(|summary| summary.html(html, args.data.bits));
        });
    })
}

/// Writes what a program reads, as JSON that can be given back, with the values of a vertex.
pub fn template(args: &args::Data, vertex: usize, session: &mut Session) -> Result<(), Stop> {
    let unit = match runs(&args.source, session)? {
        (_, Runs::Units(unit)) => unit,
        (gpu, Runs::Computer(_)) => return refuse_data(gpu, args),
    };
    parameters::own(unit, Verb::Run, None, None, session)?;
    let ready = ready(unit, args, session)?;
    let kernel = ready.program.kernel_in(&ready.run_state());
    let mut source = Vertices::of(unit, args, &ready, None, session)?;
    let (mut piece, mut before) = (source.first(session)?, 0);
    while vertex - before >= piece.count() {
        before += piece.count();
        piece = match source.next(session)? {
            Some(piece) => piece,
            None => return Err(no_such_vertex(vertex, before, session).into()),
        };
    }
    source.bar.finish_and_clear();
    let text = kernel.template(&piece, vertex - before, &ready.constants);
    output::write(args.emit_inputs.as_deref(), false, text.as_bytes())
}

/// The page of a run: what `fill` shows of its results, then the program.
fn page_of(
    unit: &'static dyn ShaderUnit,
    program: &Program,
    args: &args::Run,
    session: &mut Session,
    fill: impl FnOnce(&mut Page),
) -> Result<(), Stop> {
    let source = &args.data.source;
    let name = io::name(source.input.as_deref(), source.reading.stdin_name.as_deref());
    let page = || facade_report::page("run", &name, Some(unit.about().name));
    report::write(&args.page, page, session, |page, _| {
        fill(page);
        page.section("The program", |html| facade_report::program(html, program));
        Ok(())
    })
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

fn printer<'a>(args: &args::Run, kernel: &'a Kernel, paint: Paint) -> Printer<'a> {
    let format = match format_of(args) {
        OutputFormat::Table => Format::Table,
        OutputFormat::Csv => Format::Csv,
        OutputFormat::Json => Format::Json,
        OutputFormat::Raw => Format::Raw,
        OutputFormat::Npy => Format::Npy,
    };
    Printer { format, bits: args.data.bits, kills: kernel.kills(), names: kernel.output_names(), paint }
}

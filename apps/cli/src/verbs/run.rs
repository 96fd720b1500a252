//! `run` and `trace`.

use super::data::{Ready, ready};
use super::render;
use crate::args::{self, OutputFormat, TextFormat};
use crate::io::{self, Output};
use crate::session::{Session, Stop};
use gpuzoo::codes::NO_SUCH_VERTEX;
use gpuzoo::diag::Diagnostic;
use gpuzoo::pick;
use gpuzoo::registry;
use gpuzoo::render as facade_render;
use gpuzoo::run::output::{Format, Printer};
use gpuzoo::trace as facade_trace;
use std::ops::ControlFlow;

/// Outputs are handed on in pieces of this many bytes.
const PIECE: usize = 1 << 16;

/// A program over all vertices.
pub fn run(args: &args::Run, session: &mut Session) -> Result<(), Stop> {
    let ready = ready(&args.data, session)?;
    let Ready { program, vertices, constants, .. } = &ready;
    let kernel = program.kernel_in(&ready.run_state());
    session.require(kernel.remarks(vertices, &constants.given))?;
    let format = match args.format {
        OutputFormat::Table => Format::Table,
        OutputFormat::Csv => Format::Csv,
        OutputFormat::Json => Format::Json,
    };
    let printer =
        Printer { format, bits: args.data.bits, kills: kernel.kills(), names: kernel.output_names() };
    let mut output = Output::open(args.output.as_deref(), false)?;
    let mut text = String::new();
    let mut result = Ok(());
    if kernel.output_names().is_empty() {
        // The program is there for what it leaves in constants.
        let ran = kernel.stream(vertices, 0, &constants.values, |_, _| ControlFlow::Continue(()));
        output.write(printer.constants(ran.constants()).as_bytes())?;
        session.report(ran.unreached());
        return output.finish();
    }
    printer.begin(&mut text);
    let ran = kernel.stream(vertices, 0, &constants.values, |vertex, outputs| {
        printer.vertex(vertex, outputs, &mut text);
        if text.len() >= PIECE {
            result = output.write(text.as_bytes());
            text.clear();
        }
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    result?;
    printer.end(&mut text);
    output.write(text.as_bytes())?;
    session.report(ran.remarks());
    output.finish()
}

/// The fragments of a pixel, with what their programs did.
fn pixel(args: &args::Trace, text: &str, session: &mut Session) -> Result<(), Stop> {
    let file = session.sources.add("--pixel", text);
    let at = pick::place(session.sources.get(file))?;
    let source = &args.data.source;
    let mut scene = render::scene(source.input.as_deref(), source.stdin_name.as_deref(), session)?;
    if args.data.profile.is_some() {
        scene.profile = registry::profile(scene.gpu, args.data.profile.as_deref())?;
    }
    facade_render::frames(&scene, Some(args.frame))?;
    let pick = match pick::pick(&scene, args.frame, at) {
        Ok(pick) => pick,
        Err(problems) => {
            session.report(problems);
            return Err(Stop::Reported);
        }
    };
    let text = match args.format {
        TextFormat::Text => pick.text(args.all, args.data.bits),
        TextFormat::Json => pick.json_lines(&session.sources, args.all, args.data.bits),
    };
    io::write(args.output.as_deref(), false, text.as_bytes())
}

/// What each instruction changes, for one vertex or one pixel.
pub fn trace(args: &args::Trace, session: &mut Session) -> Result<(), Stop> {
    if let Some(text) = &args.pixel {
        return pixel(args, text, session);
    }
    let ready = ready(&args.data, session)?;
    let Ready { program, vertices, constants, .. } = &ready;
    let kernel = program.kernel_in(&ready.run_state());
    session.require(kernel.remarks(vertices, &constants.given))?;
    if args.vertex >= vertices.count() {
        let message = format!("there is no vertex {}", args.vertex);
        let problem = Diagnostic::error(&NO_SUCH_VERTEX, message);
        return Err(match vertices.count() {
            0 => problem.help("there are no vertices"),
            count => problem.help(format!("vertices are 0 to {}", count - 1)),
        }
        .into());
    }
    let trace = facade_trace::trace(program, &ready.run_state(), vertices, args.vertex, &constants.values);
    let text = match args.format {
        TextFormat::Text => trace.text(args.data.bits),
        TextFormat::Json => trace.json_lines(&session.sources, args.data.bits),
    };
    io::write(args.output.as_deref(), false, text.as_bytes())
}

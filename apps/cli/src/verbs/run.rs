//! `run` and `trace`.

use super::data::{Ready, ready};
use crate::args::{self, OutputFormat, TextFormat};
use crate::io::{self, Output};
use crate::session::{Session, Stop};
use gpuzoo::codes::NO_SUCH_VERTEX;
use gpuzoo::diag::Diagnostic;
use gpuzoo::run::Kernel;
use gpuzoo::run::output::{Format, Printer};
use gpuzoo::trace as facade_trace;
use std::ops::ControlFlow;

/// Outputs are handed on in pieces of this many bytes.
const PIECE: usize = 1 << 16;

/// A program over all vertices.
pub fn run(args: &args::Run, session: &mut Session) -> Result<(), Stop> {
    let Ready { gpu, program, profile, vertices, constants } = ready(&args.data, session)?;
    let kernel = Kernel::new(gpu, &program, profile);
    session.require(kernel.remarks(gpu.about().isa, &vertices, &constants.given))?;
    let format = match args.format {
        OutputFormat::Table => Format::Table,
        OutputFormat::Csv => Format::Csv,
        OutputFormat::Json => Format::Json,
    };
    let printer = Printer { format, bits: args.data.bits, names: &kernel.names };
    let mut output = Output::open(args.output.as_deref(), false)?;
    let mut text = String::new();
    let mut result = Ok(());
    printer.begin(&mut text);
    let changed = kernel.run(&vertices, 0, &constants.values, |vertex, outputs| {
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
    session.report(Kernel::changed_constants(gpu.about().isa, &changed).into_iter().collect());
    output.finish()
}

/// What each instruction changes, for one vertex.
pub fn trace(args: &args::Trace, session: &mut Session) -> Result<(), Stop> {
    let Ready { gpu, program, profile, vertices, constants } = ready(&args.data, session)?;
    let kernel = Kernel::new(gpu, &program, profile);
    session.require(kernel.remarks(gpu.about().isa, &vertices, &constants.given))?;
    if args.vertex >= vertices.count() {
        let message = format!("there is no vertex {}", args.vertex);
        let problem = Diagnostic::error(&NO_SUCH_VERTEX, message);
        return Err(match vertices.count() {
            0 => problem.help("there are none at all"),
            count => problem.help(format!("vertices are 0 to {}", count - 1)),
        }
        .into());
    }
    let trace = facade_trace::trace(gpu, &program, profile, &vertices, args.vertex, &constants.values);
    let text = match args.format {
        TextFormat::Text => trace.text(args.data.bits),
        TextFormat::Json => trace.json_lines(&session.sources, args.data.bits),
    };
    io::write(args.output.as_deref(), false, text.as_bytes())
}

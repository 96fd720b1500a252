//! `run`, `record` and `trace` for VERA.

use super::{input, only_program, setup};
use crate::args::{self, OutputFormat, TextFormat};
use crate::io::{self, Output};
use crate::session::{Session, Stop};
use gpuzoo::codes::BAD_ARGUMENT;
use gpuzoo::diag::Diagnostic;
use gpuzoo::vera::program::Input;
use gpuzoo::vera::{run as facade, steps};

/// Traces are handed on in pieces of this many bytes.
const PIECE: usize = 1 << 16;

/// Instructions that a trace has by default.
const USUAL_STEPS: u64 = 1000;

/// Refuses what shader units need and VERA has not: it would change nothing.
fn only_for_shaders(data: &args::Data) -> Result<(), Stop> {
    if data.vertices.is_some() {
        return Err(Diagnostic::error(&BAD_ARGUMENT, "VERA's programs have no vertices").into());
    }
    let given = [
        (data.vertex_format.is_some(), "--vertex-format"),
        (data.layout.is_some(), "--layout"),
        (data.stride.is_some(), "--stride"),
        (!data.constants.is_empty(), "--set"),
        (!data.constant_files.is_empty(), "--constant-file"),
        (!data.modes.is_empty(), "--mode"),
        (!data.output_starts.is_empty(), "--output-start"),
        (data.bits, "--bits"),
    ];
    match given.iter().find(|(given, _)| *given) {
        Some((_, name)) => Err(Diagnostic::error(&BAD_ARGUMENT, format!("`{name}` is not for VERA")).into()),
        None => Ok(()),
    }
}

/// A program on its machine, or a trace.
pub fn run(args: &args::Run, session: &mut Session) -> Result<(), Stop> {
    let args::Data { source, program_format, profile, .. } = &args.data;
    only_for_shaders(&args.data)?;
    let setup = setup(profile.as_deref(), &args.board)?;
    let input = input(source, *program_format, &args.board, session)?;
    let (text, json, vram) = match &input {
        Input::Program(program) => {
            let ran = facade::run(program, &setup, |_| {})?;
            session.report(ran.remark(program).into_iter().collect());
            (ran.text(args.state), ran.json(), *ran.machine.vera().vram())
        }
        Input::Trace(trace) => {
            // A trace has no CPU: of the machine only VERA is there.
            if let Some(name) = args.board.given().filter(|name| *name != "--deviation") {
                let message = format!("`{name}` is for programs, and this is a bus trace");
                return Err(Diagnostic::error(&BAD_ARGUMENT, message).into());
            }
            let replayed = facade::replay(trace, setup.config.deviations);
            (replayed.text(args.state), replayed.json(), *replayed.vera.vram())
        }
    };
    if let Some(path) = &args.vram {
        io::write(Some(path), true, &vram)?;
    }
    let text = match args.format {
        OutputFormat::Table => text,
        OutputFormat::Json => format!("{json}\n"),
        OutputFormat::Csv => {
            return Err(Diagnostic::error(&BAD_ARGUMENT, "a run of VERA is not a table").into());
        }
    };
    io::write(args.output.as_deref(), false, text.as_bytes())
}

/// The bus trace of a program.
pub fn record(args: &args::Record, session: &mut Session) -> Result<(), Stop> {
    let setup = setup(args.profile.as_deref(), &args.board)?;
    let source = &args.source;
    let input = input(source, args.program_format, &args.board, session)?;
    let program = only_program(input, "record")?;
    let recorded = facade::record(&program, &setup)?;
    session.report(recorded.remarks);
    io::write(args.output.as_deref(), false, recorded.trace.as_bytes())
}

/// Instructions, what they do on the bus, and what that changes in VERA.
pub fn trace(args: &args::Trace, session: &mut Session) -> Result<(), Stop> {
    only_for_shaders(&args.data)?;
    if args.vertex != 0 {
        return Err(Diagnostic::error(&BAD_ARGUMENT, "`--vertex` is not for VERA").into());
    }
    let args::Data { source, program_format, profile, .. } = &args.data;
    let setup = setup(profile.as_deref(), &args.board)?;
    let input = input(source, *program_format, &args.board, session)?;
    let program = only_program(input, "trace")?;
    let mut machine = program.machine(&setup)?;
    let mut output = Output::open(args.output.as_deref(), false)?;
    let mut text = String::new();
    let (skip, steps) = (args.skip.unwrap_or(0), args.steps.unwrap_or(USUAL_STEPS));
    let start = (machine.vera().frames(), machine.cycles());
    for index in 0..skip.saturating_add(steps) {
        let traced = steps::step(&mut machine);
        let ending = traced.step.ending.clone().or_else(|| steps::limit(&machine, start, &setup.limits));
        if index >= skip {
            match args.format {
                TextFormat::Text => text += &traced.text(),
                TextFormat::Json => text += &format!("{}\n", traced.json(&program, &session.sources)),
            }
        }
        if let Some(ending) = ending {
            if args.format == TextFormat::Text {
                text += &format!("{}\n", ending.text());
            }
            break;
        }
        if text.len() >= PIECE {
            output.write(text.as_bytes())?;
            text.clear();
        }
    }
    output.write(text.as_bytes())?;
    output.finish()
}

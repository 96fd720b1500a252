//! `assemble`, `disassemble` and `check` for the 65C02.

use super::{include, input, only_program, read, setup};
use crate::args::{self, Emit, TextFormat};
use crate::io::{self, Input};
use crate::session::{Session, Stop};
use gpuzoo::codes::BAD_ARGUMENT;
use gpuzoo::diag::Diagnostic;
use gpuzoo::read::text;
use gpuzoo::registry::extension;
use gpuzoo::value::grouped;
use gpuzoo::vera::device::asm::{self, Disassembly, Program};
use gpuzoo::vera::device::x16;
use gpuzoo::vera::program::{self as facade, Image};
use gpuzoo::vera::run;
use serde_json::json;

/// The form that the output's name implies.
fn of_file(args: &args::Assemble) -> Emit {
    let name =
        args.output.as_deref().map(|path| path.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    match extension(&name) {
        "bin" | "raw" => Emit::Bin,
        "lst" => Emit::Listing,
        "sym" | "lbl" => Emit::Symbols,
        _ => Emit::Prg,
    }
}

/// Text to a program.
pub fn assemble(args: &args::Assemble, session: &mut Session) -> Result<(), Stop> {
    let Input { name, bytes } = io::read(args.source.input.as_deref(), args.source.stdin_name.as_deref())?;
    let file = text(&mut session.sources, &name, &bytes)?;
    let (program, problems) =
        facade::assemble(&mut session.sources, file, &mut include(&name, &args.include));
    session.require(problems)?;
    let form = args.emit.unwrap_or_else(|| of_file(args));
    let listing = |program: &Program, session: &Session| program.listing(&session.sources).into_bytes();
    let bytes = match form {
        Emit::Prg => program.prg()?,
        Emit::Bin => program.binary(),
        Emit::Listing => listing(&program, session),
        Emit::Symbols => program.symbol_text().into_bytes(),
        _ => {
            let problem = Diagnostic::error(&BAD_ARGUMENT, "a 65C02 program has no such form");
            return Err(problem.help("forms are prg, bin, listing and symbols").into());
        }
    };
    if let Some(path) = &args.listing {
        io::write(Some(path), false, &listing(&program, session))?;
    }
    if let Some(path) = &args.symbols {
        io::write(Some(path), false, program.symbol_text().as_bytes())?;
    }
    io::write(args.output.as_deref(), matches!(form, Emit::Prg | Emit::Bin), &bytes)
}

/// A program to text.
pub fn disassemble(args: &args::Disassemble, session: &mut Session) -> Result<(), Stop> {
    let source = &args.source;
    let input = read(
        source.input.as_deref(),
        source.stdin_name.as_deref(),
        args.program_format,
        args.load_at,
        &[],
        session,
    )?;
    let program = only_program(input, "disassemble")?;
    let (address, bytes) = match &program.image {
        Image::Bin(address, bytes) => (*address, bytes.as_slice()),
        Image::Prg(bytes) => x16::split(bytes)?,
    };
    io::write(
        args.output.as_deref(),
        false,
        asm::disassemble(bytes, address, &Disassembly::default()).as_bytes(),
    )
}

/// Mistakes and size; with `--run` also what the program does wrong.
pub fn check(args: &args::Check, session: &mut Session) -> Result<(), Stop> {
    let source = &args.source;
    let input = input(source, args.program_format, &args.board, session)?;
    let program = only_program(input, "check")?;
    let bytes = match &program.image {
        Image::Bin(_, bytes) => bytes.len(),
        Image::Prg(bytes) => x16::split(bytes)?.1.len(),
    };
    let mut text = format!("{} bytes\n", grouped(bytes as u64));
    let mut figures = json!({ "bytes": bytes });
    if args.run {
        let named = program.source.as_ref().map(|source| asm::registers(source, &session.sources));
        let setup = setup(args.profile.as_deref(), &args.board)?;
        let ran = run::run(&program, &setup, |machine| machine.lint(named.unwrap_or_default()))?;
        session.report(ran.remark(&program).into_iter().collect());
        session.report(ran.findings(&program));
        text += &format!("{}, {} cycles\n", ran.ending.text(), grouped(ran.cycles));
        figures["cycles"] = ran.cycles.into();
        figures["ending"] = ran.ending.text().into();
    }
    let text = match args.format {
        TextFormat::Text => text,
        TextFormat::Json => format!("{figures}\n"),
    };
    io::write(None, false, text.as_bytes())
}

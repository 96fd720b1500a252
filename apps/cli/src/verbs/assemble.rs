//! `assemble`, `disassemble` and `check`.

use super::load;
use crate::args::{self, Source, TextFormat};
use crate::io;
use crate::session::{Session, Stop};
use gpuzoo::codes::{BAD_ARGUMENT, BINARY_TO_TERMINAL};
use gpuzoo::diag::Diagnostic;
use gpuzoo::emit::{Emit, Options, emit};
use gpuzoo::machine::TextOptions;
use gpuzoo::read::Form;
use gpuzoo::{check as facade_check, registry};

/// Text to words.
pub fn assemble(args: &args::Assemble, session: &mut Session) -> Result<(), Stop> {
    let loaded = load(&args.source, Some(args::ProgramFormat::Asm), |_| Form::Asm, session)?;
    let gpu = loaded.gpu;
    let profile = registry::profile(gpu, args.profile.as_deref())?;
    let name = args.name.clone().unwrap_or_else(|| loaded.name.clone());
    let program = loaded.program(session)?;
    session.require(program.check())?;
    let of_file = || args.output.as_deref().and_then(|path| Emit::of_file(gpu, &path.to_string_lossy()));
    let form = match args.emit {
        Some(args::Emit::Bin) => Emit::Bin,
        Some(args::Emit::Hex) => Emit::Hex,
        Some(args::Emit::C) => Emit::C,
        Some(args::Emit::Rust) => Emit::Rust,
        Some(args::Emit::Json) => Emit::Json,
        Some(args::Emit::Asm) => Emit::Asm,
        Some(args::Emit::Ir) => Emit::Ir,
        Some(args::Emit::CKernel) => Emit::CKernel,
        Some(args::Emit::Prg | args::Emit::Listing | args::Emit::Symbols) => {
            return Err(Diagnostic::error(&BAD_ARGUMENT, "this form is for VERA's programs").into());
        }
        None => of_file().unwrap_or(Emit::Bin),
    };
    let options = Options { name: &name, profile, optimize: args.optimize };
    let bytes = emit(&program, form, &options)?;
    io::write(args.output.as_deref(), form.is_binary(), &bytes).map_err(|stop| match stop {
        Stop::Problem(problem) if problem.code == &BINARY_TO_TERMINAL => {
            problem.help("or choose a text form: `--emit hex`, `--emit c`").into()
        }
        stop => stop,
    })
}

/// Words to text.
pub fn disassemble(args: &args::Disassemble, session: &mut Session) -> Result<(), Stop> {
    // What looks like neither hexadecimal nor JSON is more likely short or mistyped words than assembly text here.
    let words = |bytes: &[u8]| match Form::of_bytes(bytes) {
        Form::Asm => Form::Hex,
        form => form,
    };
    let loaded = load(&args.source, args.program_format, words, session)?;
    let program = loaded.program(session)?;
    let Source { dialect, numbering, .. } = &args.source;
    let (dialect, numbering) = (dialect.as_deref(), numbering.as_deref());
    let options = TextOptions { dialect, numbering, style: args.style.as_deref() };
    let (text, problems) = program.disassemble(&options)?;
    session.report(problems);
    io::write(args.output.as_deref(), false, text.as_bytes())
}

/// Mistakes, size and costs.
pub fn check(args: &args::Check, session: &mut Session) -> Result<(), Stop> {
    let loaded = load(&args.source, args.program_format, Form::of_bytes, session)?;
    let program = loaded.program(session)?;
    session.report(program.check());
    let figures = facade_check::figures(&program);
    let text = match args.format {
        TextFormat::Text => figures.text(),
        TextFormat::Json => format!("{}\n", figures.json()),
    };
    io::write(None, false, text.as_bytes())
}

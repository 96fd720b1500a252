//! `assemble` and `disassemble`.

use super::{Runs, linked, load, parameters, refuse, runs, software};
use crate::args::{self, Given};
use crate::output;
use crate::session::{Session, Stop};
use gpuzoo::codes::{BAD_ARGUMENT, BINARY_TO_TERMINAL};
use gpuzoo::computer::Computer;
use gpuzoo::diag::Diagnostic;
use gpuzoo::emit::{Emit, Options, emit};
use gpuzoo::machine::options::arguments::Verb;
use gpuzoo::options::DisassembleOptions;
use gpuzoo::read::Form;
use gpuzoo::{Gpu, ShaderUnit, registry};

/// The parameter for more texts of a program.
const LINK: &str = "link";

/// Text to a program.
pub fn assemble(args: &args::Assemble, session: &mut Session) -> Result<(), Stop> {
    if !args.more.is_empty() {
        let values = args.more.iter().map(|path| path.clone().into_os_string()).collect();
        session.given.push(Given { name: LINK, values });
    }
    match runs(&args.source, session)? {
        (_, Runs::Units(unit)) => to_words(unit, args, session),
        (gpu, Runs::Computer(computer)) => to_program(gpu, computer, args, session),
    }
}

/// Text to words, and what can be made of them.
fn to_words(gpu: &'static dyn ShaderUnit, args: &args::Assemble, session: &mut Session) -> Result<(), Stop> {
    parameters::own(gpu, Verb::Assemble, None, None, session)?;
    not_compiled(gpu, &args.source)?;
    let loaded = load(gpu, &as_text(&args.source), None, |_| Form::Asm, session)?;
    let profile = registry::profile(gpu, args.profile.as_deref())?;
    let name = args.name.clone().unwrap_or_else(|| loaded.name.clone());
    let program = loaded.checked(session)?;
    let file = args.output.as_deref().map(|path| path.to_string_lossy()).unwrap_or_default();
    let form = match args.emit.as_deref() {
        None => Emit::of_file(gpu, &file)?,
        Some(name) => Emit::named(gpu, name)?,
    };
    let options = Options { name: &name, profile };
    let bytes = emit(&program, form, &options)?;
    output::write(args.output.as_deref(), form.is_binary(), &bytes).map_err(|stop| match stop {
        Stop::Problem(problem) if problem.code == &BINARY_TO_TERMINAL => {
            problem.help("or choose a text form: `--emit hex`, `--emit c`").into()
        }
        stop => stop,
    })
}

/// The source of `assemble`, which is text, whatever its name says.
fn as_text(source: &args::Source) -> args::Source {
    let mut source = source.clone();
    source.reading.read.from = Some(Form::Asm.name().to_owned());
    source
}

/// Refuses what is no assembly text, as its name says.
fn not_compiled(gpu: &dyn ShaderUnit, source: &args::Source) -> Result<(), Diagnostic> {
    let path = source.input.as_deref().map(|path| path.to_string_lossy().into_owned());
    let name = path.filter(|path| path != "-").or_else(|| source.reading.stdin_name.clone());
    let Some(name) = name.filter(|name| matches!(Form::of_name(gpu, name), Some(Form::Source(_)))) else {
        return Ok(());
    };
    let message = format!("`{name}` is a source in a shading language, not assembly text");
    Err(Diagnostic::error(&BAD_ARGUMENT, message).help(format!(
        "`gpuzoo compile --gpu {} {name}` makes a program of it, in any form that `assemble` writes",
        gpu.about().id
    )))
}

/// Text to a CPU's program.
fn to_program(
    gpu: &dyn Gpu,
    computer: Computer,
    args: &args::Assemble,
    session: &mut Session,
) -> Result<(), Stop> {
    refuse(
        &[(args.name.is_some(), "--name"), (args.profile.is_some(), "--profile")],
        &format!("is for machines with shader units; {} has none", gpu.about().id),
    )?;
    let own = parameters::own(gpu, Verb::Assemble, None, None, session)?;
    let file = args.output.as_deref().map(|path| path.to_string_lossy()).unwrap_or_default();
    let form = computer.written_form(args.emit.as_deref(), &file)?;
    let program = software(computer, &args.source, computer.text_form(), &own, session)?;
    own.write(|name| program.emit(name))?;
    if form.is_binary && !program.files().is_empty() {
        return linked::write(args.output.as_deref(), &program, form.name, session);
    }
    output::write(args.output.as_deref(), form.is_binary, &program.emit(form.name)?)
}

/// A program to text.
pub fn disassemble(args: &args::Disassemble, session: &mut Session) -> Result<(), Stop> {
    let text = match runs(&args.source, session)? {
        (_, Runs::Units(unit)) => of_words(unit, args, session)?,
        (gpu, Runs::Computer(computer)) => {
            let always = format!("is not for {}, whose disassembly always is", gpu.about().id);
            refuse(&[(args.exact, "--exact")], &always)?;
            let own = parameters::own(gpu, Verb::Disassemble, None, None, session)?;
            let program =
                software(computer, &args.source, args.source.reading.read.from.as_deref(), &own, session)?;
            program.disassemble()?
        }
    };
    output::write(args.output.as_deref(), false, text.as_bytes())
}

/// Words to text.
fn of_words(
    gpu: &'static dyn ShaderUnit,
    args: &args::Disassemble,
    session: &mut Session,
) -> Result<String, Stop> {
    parameters::own(gpu, Verb::Disassemble, None, None, session)?;
    // What looks like neither hexadecimal nor JSON is more likely short or mistyped words than assembly text here.
    let words = |bytes: &[u8]| match Form::of_bytes(bytes) {
        Form::Asm => Form::Hex,
        form => form,
    };
    let mut source = args.source.clone();
    let (dialect, numbering) = (source.reading.read.dialect.take(), source.reading.read.numbering.take());
    let options = DisassembleOptions { dialect, numbering, exact: args.exact };
    let loaded = load(gpu, &source, None, words, session)?;
    let program = loaded.program(session)?;
    let (text, problems) = program.disassemble(&options.text())?;
    session.require(problems)?;
    Ok(text)
}

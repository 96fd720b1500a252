//! The verbs: each reads, calls the facade, and writes.

mod assemble;
mod bench;
mod conform;
mod data;
mod explain;
mod generate;
mod render;
mod run;
mod vera;

use crate::args::{ProgramFormat, Source, Verb};
use crate::io;
use crate::session::{Session, Stop};
use gpuzoo::codes::BAD_ARGUMENT;
use gpuzoo::diag::Diagnostic;
use gpuzoo::machine::TextOptions;
use gpuzoo::read::{self, Form};
use gpuzoo::{Gpu, Program, registry};

/// Carries out a verb.
pub fn run(verb: &Verb, session: &mut Session) -> Result<(), Stop> {
    match verb {
        Verb::Assemble(args) if vera::meant(&args.source) => vera::assemble::assemble(args, session),
        Verb::Disassemble(args) if vera::meant(&args.source) => vera::assemble::disassemble(args, session),
        Verb::Check(args) if vera::meant(&args.source) => vera::assemble::check(args, session),
        Verb::Run(args) if vera::meant(&args.data.source) => vera::run::run(args, session),
        Verb::Trace(args) if vera::meant(&args.data.source) => vera::run::trace(args, session),
        Verb::Render(args) if vera::renders(args) => vera::render::render(args, session),
        Verb::Assemble(args) => assemble::assemble(args, session),
        Verb::Disassemble(args) => assemble::disassemble(args, session),
        Verb::Check(args) => {
            vera::only_for_vera(&args.board, &[(args.run, "--run")])?;
            assemble::check(args, session)
        }
        Verb::Run(args) => {
            let own = [(args.state, "--state"), (args.vram.is_some(), "--vram")];
            vera::only_for_vera(&args.board, &own)?;
            run::run(args, session)
        }
        Verb::Trace(args) => {
            let own = [(args.skip.is_some(), "--skip"), (args.steps.is_some(), "--steps")];
            vera::only_for_vera(&args.board, &own)?;
            run::trace(args, session)
        }
        Verb::Render(args) => {
            vera::only_for_vera(&args.board, &[(args.layer.is_some(), "--layer")])?;
            render::render(args, session)
        }
        Verb::Explain(args) => explain::explain(args, session),
        Verb::Conform(args) => conform::conform(args, session),
        Verb::Record(args) => vera::run::record(args, session),
        Verb::Diff(args) => vera::diff::diff(args, session),
        Verb::Bench(args) => bench::bench(args, session),
        Verb::List(args) => explain::list(args, session),
        Verb::Generate(args) => generate::generate(args, session),
    }
}

/// A program that was read.
struct Loaded {
    gpu: &'static dyn Gpu,
    name: String,
    /// The program, or what is wrong with it.
    read: Result<Program, Vec<Diagnostic>>,
}

impl Loaded {
    /// The program, once its warnings have been reported.
    fn program(self, session: &mut Session) -> Result<Program, Stop> {
        let (program, problems) = match self.read {
            Ok(program) => (Some(program.clone()), program.warnings().to_vec()),
            Err(problems) => (None, problems),
        };
        session.require(problems)?;
        program.ok_or(Stop::Reported)
    }
}

/// Reads the program of a verb. `fallback` is its form where neither the user nor the name says: it gets the bytes.
fn load(
    source: &Source,
    format: Option<ProgramFormat>,
    fallback: impl Fn(&[u8]) -> Form,
    session: &mut Session,
) -> Result<Loaded, Stop> {
    let (path, stdin_name) = (source.input.as_deref(), source.stdin_name.as_deref());
    io::expect(path)?;
    // Without a machine nothing can be read, so that is reported before the input has to be typed.
    let gpu = session.registry.choose(source.gpu.as_deref(), &io::name(path, stdin_name))?;
    let io::Input { name, bytes } = io::read(path, stdin_name)?;
    let said = match format {
        None => None,
        Some(ProgramFormat::Asm) => Some(Form::Asm),
        Some(ProgramFormat::Bin) => Some(Form::Bin),
        Some(ProgramFormat::Hex) => Some(Form::Hex),
        Some(ProgramFormat::Json) => Some(Form::Json),
        Some(ProgramFormat::Prg | ProgramFormat::Trace) => {
            return Err(Diagnostic::error(&BAD_ARGUMENT, "this form is for VERA's programs").into());
        }
    };
    let form = said.or_else(|| Form::of_name(gpu, &name)).unwrap_or_else(|| fallback(&bytes));
    let (dialect, numbering) = (source.dialect.as_deref(), source.numbering.as_deref());
    let options = TextOptions { dialect, numbering, style: None };
    registry::check_text_options(gpu, &options)?;
    let read = read::read(gpu, &mut session.sources, &name, &bytes, Some(form), &options);
    Ok(Loaded { gpu, name, read })
}

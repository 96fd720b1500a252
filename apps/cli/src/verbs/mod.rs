//! The verbs: each reads, calls the facade, and writes.

mod assemble;
mod conform;
mod data;
mod explain;
mod generate;
mod render;
mod run;

use crate::args::{ProgramFormat, Source, Verb};
use crate::io;
use crate::session::{Session, Stop};
use gpuzoo::isa::Assembled;
use gpuzoo::program::{self, Form};
use gpuzoo::{Gpu, registry};

/// Carries out a verb.
pub fn run(verb: &Verb, session: &mut Session) -> Result<(), Stop> {
    match verb {
        Verb::Assemble(args) => assemble::assemble(args, session),
        Verb::Disassemble(args) => assemble::disassemble(args, session),
        Verb::Check(args) => assemble::check(args, session),
        Verb::Run(args) => run::run(args, session),
        Verb::Trace(args) => run::trace(args, session),
        Verb::Render(args) => render::render(args, session),
        Verb::Explain(args) => explain::explain(args),
        Verb::Conform(args) => conform::conform(args, session),
        Verb::List(args) => explain::list(args),
        Verb::Generate(args) => generate::generate(args),
    }
}

/// A program that was read.
struct Loaded {
    gpu: &'static dyn Gpu,
    name: String,
    read: Assembled,
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
    // Without a machine nothing can be read, so that is told before anybody has to type the input.
    let gpu = registry::choose(source.gpu.as_deref(), &io::name(path, stdin_name))?;
    let io::Input { name, bytes } = io::read(path, stdin_name)?;
    let said = format.map(|format| match format {
        ProgramFormat::Asm => Form::Asm,
        ProgramFormat::Bin => Form::Bin,
        ProgramFormat::Hex => Form::Hex,
        ProgramFormat::Json => Form::Json,
    });
    let form = said.or_else(|| Form::of_name(gpu, &name)).unwrap_or_else(|| fallback(&bytes));
    let writing = registry::writing(gpu, source.dialect.as_deref(), source.constant_map.as_deref(), None)?;
    let read = program::read_as(gpu, &mut session.sources, &name, &bytes, Some(form), &writing);
    Ok(Loaded { gpu, name, read })
}

//! `compile`.

use super::{Runs, check_macros, room, runs};
use crate::args;
use crate::io;
use crate::output;
use crate::session::{Session, Stop};
use gpuzoo::compile::{Language, compile as compiled};
use gpuzoo::diag::json;
use gpuzoo::emit::{Emit, emit};
use gpuzoo::machine::Profile;
use gpuzoo::machine::text::{extension, stem};

/// A source as a program.
pub fn compile(args: &args::Compile, session: &mut Session) -> Result<(), Stop> {
    let gpu = match runs(&args.source, session)? {
        (_, Runs::Units(unit)) => unit,
        (gpu, Runs::Computer(_)) => session.registry.shader_unit(Some(gpu.about().id), "")?,
    };
    let reading = &args.source.reading;
    let language = reading.read.language(gpu)?;
    let io::Input { name, path, bytes } =
        io::read(args.source.input.as_deref(), reading.stdin_name.as_deref())?;
    room(&bytes, session)?;
    if let Some(language) = language.or(Language::of(&name).map(|(language, _)| language)) {
        check_macros(language, &reading.folders, &reading.read)?;
    }
    let include = reading.include(&path);
    let (read, options) = (&reading.read, &args.options);
    let program = match compiled(gpu, &mut session.sources, &name, &bytes, read, options, Some(&*include)) {
        Ok(program) => program,
        Err(problems) => {
            session.require(problems)?;
            return Err(Stop::Reported);
        }
    };
    session.require(program.warnings().to_vec())?;
    let file = args.output.as_deref().map(|path| path.to_string_lossy()).unwrap_or_default();
    let form = match args.emit.as_deref() {
        Some(name) => Emit::named(gpu, name)?,
        None if extension(&file).is_empty() => Emit::Asm,
        None => Emit::of_file(gpu, &file)?,
    };
    let name = args.name.clone().unwrap_or_else(|| stem(&name).to_owned());
    let bytes = match form {
        Emit::Asm => program.text(&session.sources).into_bytes(),
        Emit::Json => (json::pretty(&program.json(&session.sources)) + "\n").into_bytes(),
        Emit::Ir => program.shader().function.to_string().into_bytes(),
        _ => emit(
            program.program(),
            form,
            &gpuzoo::emit::Options { name: &name, profile: Profile::default() },
        )?,
    };
    output::write(args.output.as_deref(), form.is_binary(), &bytes)?;
    if args.explain {
        session.remark(&program.explain(&session.sources));
    }
    Ok(())
}

//! `pack`.

use super::{Runs, load, parameters, refuse, runs};
use crate::session::{Session, Stop};
use crate::{args, output};
use gpuzoo::emit::{Emit, Options, emit};
use gpuzoo::machine::options::arguments::Verb;
use gpuzoo::machine::text::extension;
use gpuzoo::machine::{Profile, TextOptions};
use gpuzoo::read::Form;

/// The same program, shorter.
pub fn pack(args: &args::Pack, session: &mut Session) -> Result<(), Stop> {
    let gpu = match runs(&args.source, session)? {
        (_, Runs::Units(unit)) => unit,
        (gpu, Runs::Computer(_)) => session.registry.shader_unit(Some(gpu.about().id), "")?,
    };
    parameters::own(gpu, Verb::Pack, None, None, session)?;
    let loaded = load(gpu, &args.source, None, Form::of_bytes, session)?;
    let name = args.name.clone().unwrap_or_else(|| loaded.name.clone());
    let program = loaded.program(session)?;
    let file = args.output.as_deref().map(|path| path.to_string_lossy()).unwrap_or_default();
    let form = match args.emit.as_deref() {
        Some(name) => Emit::named(gpu, name)?,
        None if extension(&file).is_empty() => Emit::Asm,
        None => Emit::of_file(gpu, &file)?,
    };
    if form != Emit::Asm {
        refuse(&[(args.to.is_some(), "--to")], "is for assembly text")?;
    }
    let packed = program.pack_and_run(args.verify)?;
    let bytes = if form == Emit::Asm {
        let options = TextOptions { dialect: args.to.as_deref(), ..TextOptions::default() };
        let (text, problems) = packed.text(&options)?;
        session.require(problems)?;
        text.into_bytes()
    } else {
        emit(&packed.program, form, &Options { name: &name, profile: Profile::default() })?
    };
    output::write(args.output.as_deref(), form.is_binary(), &bytes)?;
    session.remark(&format!("{}\n", packed.summary()));
    Ok(())
}

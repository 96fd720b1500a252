//! `translate`.

use super::{Runs, load, parameters, runs};
use crate::args::{self, Position};
use crate::output;
use crate::session::{Session, Stop};
use gpuzoo::diag::json;
use gpuzoo::machine::RunState;
use gpuzoo::machine::options::arguments::{Value, Verb};
use gpuzoo::machine::unit::run_state;
use gpuzoo::read::Form;
use gpuzoo::registry;
use gpuzoo::translate::{self, Options};

/// A program as a shader of the host.
pub fn translate(args: &args::Translate, session: &mut Session) -> Result<(), Stop> {
    let gpu = match runs(&args.source, session)? {
        (_, Runs::Units(unit)) => unit,
        (gpu, Runs::Computer(_)) => session.registry.shader_unit(Some(gpu.about().id), "")?,
    };
    let mut own = parameters::own(gpu, Verb::Translate, args.profile.as_deref(), None, session)?;
    if args.position == Position::Raw {
        own.arguments = std::mem::take(&mut own.arguments).set("positions", Value::Name("clip".to_owned()));
    }
    let profile = registry::profile(gpu, args.profile.as_deref())?;
    let file = args.output.as_deref().map(|path| path.to_string_lossy()).unwrap_or_default();
    let target = match args.to.as_deref() {
        Some(name) => translate::target(name)?,
        None => translate::target_of_file(&file)?,
    };
    let shape = args.shape.as_deref().map(translate::shape).transpose()?;
    let fidelity = translate::fidelity(&args.fidelity)?;
    let loaded = load(
        gpu,
        &args.source,
        (args.program_format.as_deref(), args.profile.as_deref()),
        Form::of_bytes,
        &own,
        session,
    )?;
    let program = loaded.program(session)?;
    let mut modes = program.modes();
    for text in &args.modes {
        let (name, choice) = text.split_once('=').unwrap_or((text, ""));
        let (mode, choice) = run_state::mode(gpu.about().modes, name.trim(), choice.trim())?;
        modes.set(mode, choice);
    }
    let state = RunState { profile, modes, start: &[] };
    let shape = shape.unwrap_or_else(|| program.shape(&state));
    // A text that is assembled for clip space leaves positions there, and so does a source.
    let raw_position = own.arguments.names("positions").last() == Some("clip");
    let options = Options {
        target,
        shape,
        fidelity,
        raw_position,
        group: args.group,
        bindings: args.bindings.iter().map(|text| translate::binding(text)).collect::<Result<_, _>>()?,
        all_outputs: args.all_outputs,
        point_size: args.point_size,
        prefix: args.prefix.clone(),
        strip: args.strip,
    };
    let translation = match program.translate_in(&state, &options) {
        Ok(translation) => translation,
        Err(problems) => {
            session.require(problems)?;
            return Err(Stop::Reported);
        }
    };
    output::write(args.output.as_deref(), translation.text().is_none(), &translation.bytes())?;
    if let Some(path) = args.reflection.as_deref() {
        output::write(Some(path), false, (json::pretty(&translation.reflection()) + "\n").as_bytes())?;
    }
    if args.explain {
        session.remark(&translate::explain(&translation));
    }
    Ok(())
}

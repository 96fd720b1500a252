//! `translate`.

use super::{Runs, load, parameters, runs};
use crate::args;
use crate::output;
use crate::session::{Session, Stop};
use gpuzoo::diag::json;
use gpuzoo::machine::RunState;
use gpuzoo::machine::options::arguments::Verb;
use gpuzoo::machine::unit::run_state;
use gpuzoo::options::{Assignment, TranslateOptions};
use gpuzoo::read::Form;
use gpuzoo::registry;
use gpuzoo::translate;

/// A program as a shader of the host.
pub fn translate(args: &args::Translate, session: &mut Session) -> Result<(), Stop> {
    let gpu = match runs(&args.source, session)? {
        (_, Runs::Units(unit)) => unit,
        (gpu, Runs::Computer(_)) => session.registry.shader_unit(Some(gpu.about().id), "")?,
    };
    let profile = args.state.profile.as_deref();
    parameters::own(gpu, Verb::Translate, profile, None, session)?;
    let file = args.output.as_deref().map(|path| path.to_string_lossy()).unwrap_or_default();
    let to = args.options.to.map_or_else(|| translate::target_of_file(&file), Ok)?;
    let loaded = load(gpu, &args.source, profile, Form::of_bytes, session)?;
    let profile = registry::profile(gpu, profile)?;
    let program = loaded.program(session)?;
    let mut modes = program.modes();
    for Assignment { name, value } in &args.state.modes {
        let (mode, choice) = run_state::mode(gpu.about().modes, name, value)?;
        modes.set(mode, choice);
    }
    let state = RunState { profile, modes, start: &[] };
    let options = TranslateOptions { to: Some(to), ..args.options.clone() };
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

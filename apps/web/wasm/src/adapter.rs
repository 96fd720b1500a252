//! What the debug adapter launches: a pixel of a scene, a program of a CPU, or one run of a shader program.

use crate::files::Files;
use crate::request::Problem;
use crate::{picture, questions};
use gpuzoo::codes::BAD_ARGUMENT;
use gpuzoo::debugger::{Console, Run};
use gpuzoo::diag::{Diagnostic, Sources};
use gpuzoo::machine::RunState;
use gpuzoo::machine::session::Picture;
use gpuzoo::machine::unit::run_state;
use gpuzoo::options::StateOptions;
use gpuzoo::paint::Paint;
use gpuzoo::run::Vertices;
use gpuzoo::{Program, Registry, pick, registry, trace};
use gpuzoo_editor::dap::{Launch, LaunchArguments, Launched, Pixel, Server};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// The most steps of one command: it cannot be stopped but by ending the module.
const MOST_STEPS: u64 = 1 << 24;

pub fn new(registry: &Registry, files: &Rc<Files>) -> Server {
    Server::new(Box::new(Launcher { registry: registry.clone(), files: files.clone() }))
}

struct Launcher {
    registry: Registry,
    files: Rc<Files>,
}

impl Launch for Launcher {
    fn launch(&mut self, about: &LaunchArguments) -> Result<Launched, String> {
        let program = Path::new(&about.launch.program);
        let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut console = self.console(&name, about).map_err(Problem::into_text)?;
        console.limit(MOST_STEPS);
        let path = |name: &str| self.files.read(Path::new(name)).ok().map(|_| Path::new("/").join(name));
        let paths: Vec<Option<PathBuf>> = console.sources().iter().map(|file| path(file.name())).collect();
        Ok(Launched { name, console, paths, said: String::new() })
    }
}

impl Launcher {
    fn console(&self, name: &str, about: &LaunchArguments) -> Result<Console, Problem> {
        let LaunchArguments { launch, read, state, .. } = about;
        let left_out = [
            ("inputs", launch.inputs.is_some()),
            ("vertex", launch.vertex.is_some()),
            ("constants", !launch.constants.is_empty()),
            ("args", !launch.args.is_empty()),
        ];
        if let Some((name, _)) = left_out.into_iter().find(|(_, is_set)| *is_set) {
            let message = format!("`{name}` is an attribute of `gpuzoo dap`, and not of this module");
            return Err(Diagnostic::error(&BAD_ARGUMENT, message)
                .help("a scene has vertices and constants")
                .into());
        }
        let console =
            |runs: Vec<Run>, sources: Arc<Sources>| Console::new(runs, sources, false, Paint::PLAIN);
        let profile = state.profile.as_deref();
        if let Some(Pixel(column, row)) = launch.pixel {
            let (mut scene, sources) =
                picture::scene(&self.registry, &self.files, name, profile, &mut Default::default())?;
            let [around, over] = launch.turn.unwrap_or_default();
            scene.turn(around, over);
            let pick = pick::pick(&scene, launch.frame.unwrap_or_default(), (column, row))
                .map_err(|problems| picture::refused(problems, sources.clone()))?;
            let Some(fragment) = pick.made().or(pick.fragments.last()) else {
                return Err(pick.head().into());
            };
            let traces = fragment.traces.clone();
            let picture = Arc::new(Picture { mark: Some(pick.at), image: pick.image });
            let run = |trace| Run::of_trace(trace).in_picture(picture.clone());
            return Ok(console(traces.into_iter().map(run).collect(), Arc::new(sources)));
        }
        let gpu = self.registry.choose(launch.gpu.as_deref(), name)?;
        if gpu.shader_unit().is_none() {
            let (software, arguments) = picture::software(&self.registry, &self.files, name, profile)?;
            let session = software.session(&arguments)?;
            return Ok(console(vec![Run::of_session(gpu.about().name, session)], software.sources().clone()));
        }
        let program = questions::program(&self.registry, &self.files, name, launch.gpu.as_deref(), read)?;
        let constants = program.constants();
        let trace = trace::trace(
            &program,
            &run_state(&program, state)?,
            &Vertices::nothing(),
            0,
            &constants.values,
            &constants.given,
        );
        Ok(console(vec![Run::of_trace(trace)], program.sources().clone()))
    }
}

/// The state in which a program runs: that of the options, with the modes that its text chooses for the others.
fn run_state(program: &Program, options: &StateOptions) -> Result<RunState<'static>, Problem> {
    let profile = registry::profile(program.gpu(), options.profile.as_deref())?;
    let mut modes = program.modes();
    for mode in &options.modes {
        let (mode, choice) = run_state::mode(program.machine().about().modes, &mode.name, &mode.value)?;
        modes.set(mode, choice);
    }
    Ok(RunState { profile, modes, ..RunState::default() })
}

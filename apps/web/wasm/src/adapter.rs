//! What the debug adapter launches: a pixel of a scene, a program of a CPU, or one run of a shader program.

use crate::files::Files;
use crate::request::{Problem, Request};
use crate::{picture, questions};
use gpuzoo::debugger::{Console, Run};
use gpuzoo::diag::Sources;
use gpuzoo::machine::session::Picture;
use gpuzoo::paint::Paint;
use gpuzoo::run::Vertices;
use gpuzoo::{Registry, pick, trace};
use gpuzoo_editor::dap::{Launch, Launched, Server};
use serde_json::Value as Json;
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
    fn launch(&mut self, about: &Json) -> Result<Launched, String> {
        let request = Request { about, data: &[] };
        let program = Path::new(request.text("program").map_err(Problem::into_text)?);
        let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut console = self.console(&name, about).map_err(Problem::into_text)?;
        console.limit(MOST_STEPS);
        let path = |name: &str| self.files.read(Path::new(name)).ok().map(|_| Path::new("/").join(name));
        let paths: Vec<Option<PathBuf>> = console.sources().iter().map(|file| path(file.name())).collect();
        Ok(Launched { name, console, paths, said: String::new() })
    }
}

impl Launcher {
    fn console(&self, name: &str, about: &Json) -> Result<Console, Problem> {
        let console =
            |runs: Vec<Run>, sources: Arc<Sources>| Console::new(runs, sources, false, Paint::PLAIN);
        let profile = about["profile"].as_str();
        if let Some([x, y]) = about["pixel"].as_array().map(Vec::as_slice) {
            let at = (number(x), number(y));
            let (mut scene, sources) =
                picture::scene(&self.registry, &self.files, name, profile, &mut Default::default())?;
            picture::turn(&mut scene, about);
            let frame = number(&about["frame"]);
            let pick = pick::pick(&scene, frame, at)
                .map_err(|problems| picture::refused(problems, sources.clone()))?;
            let Some(fragment) = pick.made().or(pick.fragments.last()) else {
                return Err(pick.head().into());
            };
            let traces = fragment.traces.clone();
            let picture = Arc::new(Picture { mark: Some(pick.at), image: pick.image });
            let run = |trace| Run::of_trace(trace).in_picture(picture.clone());
            return Ok(console(traces.into_iter().map(run).collect(), Arc::new(sources)));
        }
        let gpu = self.registry.choose(about["gpu"].as_str(), name)?;
        if gpu.shader_unit().is_none() {
            let (software, arguments) = picture::software(&self.registry, &self.files, name, profile)?;
            let session = software.session(&arguments)?;
            return Ok(console(vec![Run::of_session(gpu.about().name, session)], software.sources().clone()));
        }
        let program = questions::program(&self.registry, &self.files, name, about["gpu"].as_str())?;
        let constants = program.constants();
        let trace = trace::trace(
            &program,
            &questions::state(&program, profile)?,
            &Vertices::nothing(),
            0,
            &constants.values,
            &constants.given,
        );
        Ok(console(vec![Run::of_trace(trace)], program.sources().clone()))
    }
}

fn number(value: &Json) -> u32 {
    value.as_u64().and_then(|value| u32::try_from(value).ok()).unwrap_or(0)
}

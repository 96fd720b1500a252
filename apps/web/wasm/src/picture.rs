//! Frames of scenes and of programs of CPUs. What was read last is kept until a file changes.

use crate::files::Files;
use crate::memory::Bytes;
use crate::request::{Answer, Problem, Reply, Request};
use gpuzoo::computer::{Arguments, Computer, Input, Screen, ScreenOptions, Software};
use gpuzoo::diag::{Diagnostics, Severity, Sources};
use gpuzoo::machine::limits::budget::Budget;
use gpuzoo::raster::{Image, View};
use gpuzoo::scene::{Kept as Parts, Scene, Texts};
use gpuzoo::{Registry, registry, render};
use serde_json::{Value as Json, json};
use std::path::Path;
use std::sync::Arc;

/// What frames are of.
#[derive(Default)]
pub struct Pictures {
    of: String,
    kept: Option<Kept>,
    /// What the last scene was made of.
    parts: Parts,
}

enum Kept {
    Scene(Box<Scene>),
    /// A program that runs, and how many pictures it has made.
    Software(Box<dyn Screen>, u32),
}

impl Pictures {
    /// A file has changed.
    pub fn forget(&mut self) {
        self.kept = None;
    }

    /// Lets a user do something in the program that is shown, from now on: keys, controllers, the mouse, as the files of `--input` have
    /// them.
    pub fn give(&mut self, request: Request) -> Answer {
        match &mut self.kept {
            Some(Kept::Software(screen, _)) => screen.give(request.text("input")?)?,
            _ => return Err("no program of a CPU is shown".into()),
        }
        Ok(Json::Null.into())
    }

    /// A frame at a time in seconds; its bytes are the pixels.
    pub fn frame(&mut self, registry: &Registry, files: &Files, request: Request) -> Answer {
        let name = request.text("subject")?;
        let (profile, view) = (request.maybe("profile"), request.maybe("view"));
        let time =
            request.about["time"].as_f64().filter(|time| time.is_finite() && *time >= 0.0).unwrap_or(0.0);
        let is_scene = name.ends_with(".toml");
        let of = format!("{name}\n{profile:?}\n{}", if is_scene { None } else { view }.unwrap_or_default());
        if self.of != of {
            (self.kept, self.of) = (None, of);
        }
        let kept = match self.kept.take() {
            Some(kept) => kept,
            None if is_scene => {
                Kept::Scene(Box::new(scene(registry, files, name, profile, &mut self.parts)?.0))
            }
            None => started(registry, files, name, profile, view, request.maybe("gpu"))?,
        };
        let (image, moves, frame, draws) = match kept {
            Kept::Scene(mut scene) => {
                turn(&mut scene, request.about);
                let (count, rate) = (scene.frame_count(), scene.fps());
                let frame = (time * f64::from(rate)) as u64 % u64::from(count.max(1));
                let frame = frame as u32;
                let view = view.and_then(|name| View::ALL.iter().find(|(known, ..)| *known == name));
                let drawn = scene.frame_as(frame, view.map(|(_, view, _)| *view));
                self.kept = Some(Kept::Scene(scene));
                let drawn = drawn.map_err(|problems| refused(problems, Sources::default()))?;
                let draws: Vec<_> = drawn.reports.iter().map(render::DrawFigures::from).collect();
                let draws = serde_json::to_value(draws).unwrap_or_default();
                (drawn.image, count > 1, frame, draws)
            }
            Kept::Software(mut screen, mut done) => {
                let wanted = (time * f64::from(screen.rate())).round() as u32;
                let wanted = wanted.saturating_add(1).min(screen.count());
                if wanted < done {
                    return self.again(registry, files, request);
                }
                // After a pause, or on a slow machine, time is let go.
                for _ in 0..(wanted - done).min(if request.is("exact") { u32::MAX } else { 4 }) {
                    screen.advance();
                    done += 1;
                }
                let image = screen.image();
                self.kept = Some(Kept::Software(screen, done));
                (image?, true, done, Json::Null)
            }
        };
        let image: Image = image;
        let (width, height) = (image.width(), image.height());
        let value =
            json!({ "width": width, "height": height, "moves": moves, "frame": frame, "draws": draws });
        Ok(Reply { value, bytes: Bytes::Raw(image.into_bytes()) })
    }

    /// The same from the program's start.
    fn again(&mut self, registry: &Registry, files: &Files, request: Request) -> Answer {
        self.kept = None;
        self.frame(registry, files, request)
    }
}

/// Turns a scene's cameras as somebody has dragged them: `turn`, degrees around and over.
pub fn turn(scene: &mut Scene, about: &Json) {
    let angle = |at: usize| about["turn"][at].as_f64().unwrap_or(0.0);
    scene.turn(angle(0), angle(1));
}

/// How long a program of a CPU runs here, in pictures: as long as the machine lets it.
const FRAMES: u64 = 10_000;

fn started(
    registry: &Registry,
    files: &Files,
    name: &str,
    profile: Option<&str>,
    view: Option<&str>,
    gpu: Option<&str>,
) -> Result<Kept, Problem> {
    let machine = registry.choose(gpu, name)?;
    if machine.shader_unit().is_some() {
        return Err(format!("{name} is a program alone: a scene says what it draws").into());
    }
    let (software, arguments) = software(registry, files, name, profile)?;
    let options = ScreenOptions { view, ..ScreenOptions::default() };
    let screen = software.screen(&arguments.set("frames", FRAMES), &options)?;
    Ok(Kept::Software(screen, 0))
}

/// Reads a scene, with the meshes and textures of the reading before that have stayed as they were.
pub fn scene(
    registry: &Registry,
    files: &Files,
    name: &str,
    profile: Option<&str>,
    parts: &mut Parts,
) -> Result<(Scene, Sources), Problem> {
    let mut sources = Sources::default();
    let read = |path: &Path| files.read(path);
    let path = Path::new(name);
    let (scene, problems) =
        render::reload(registry, &mut sources, path, &read, Texts::default(), Budget::default(), Some(parts));
    let Some(mut scene) =
        scene.filter(|_| problems.iter().all(|problem| problem.severity != Severity::Error))
    else {
        return Err(refused(problems, sources));
    };
    if profile.is_some() {
        scene.profile = registry::profile(scene.gpu, profile)?;
    }
    Ok((scene, sources))
}

/// Reads a program of a CPU.
pub fn software(
    registry: &Registry,
    files: &Files,
    name: &str,
    profile: Option<&str>,
) -> Result<(Software, Arguments), Problem> {
    let computer: Computer = registry.computer(None, name)?;
    let bytes = files.read(Path::new(name)).map_err(|error| error.to_string())?;
    let mut include = |wanted: &str| files.include(wanted);
    let input = Input { name, bytes: &bytes, form: None, include: &mut include };
    let software = computer.read(input, &Arguments::default())?;
    Ok((software, Arguments::new(profile.unwrap_or_default())))
}

/// Problems with the lines that they are about.
pub fn refused(problems: Vec<gpuzoo::diag::Diagnostic>, sources: Sources) -> Problem {
    Diagnostics::new(problems, Arc::new(sources)).into()
}

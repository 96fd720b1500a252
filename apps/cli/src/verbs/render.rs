//! `render`.

use crate::args::{self, TextFormat};
use crate::io::{self, Input, Output};
use crate::session::{Session, Stop};
use gpuzoo::codes::BAD_ARGUMENT;
use gpuzoo::diag::Diagnostic;
use gpuzoo::machine::job::JobOptions;
use gpuzoo::raster::View;
use gpuzoo::read;
use gpuzoo::registry;
use gpuzoo::render::{self as facade_render, Format};
use gpuzoo::scene::Scene;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::path::Path;

/// Reads a scene and every file that it names, and reports what is wrong with it.
pub fn scene(file: Option<&Path>, stdin_name: Option<&str>, session: &mut Session) -> Result<Scene, Stop> {
    scene_of(io::read(file, stdin_name)?, session)
}

fn scene_of(input: Input, session: &mut Session) -> Result<Scene, Stop> {
    let Input { name, bytes } = input;
    let path = Path::new(&name);
    // The scene itself was read: it may have come through a pipe.
    let read = |wanted: &Path| if wanted == path { Ok(bytes.clone()) } else { std::fs::read(wanted) };
    let (scene, problems) = facade_render::load(&session.registry, &mut session.sources, path, &read);
    session.require(problems)?;
    scene.ok_or(Stop::Reported)
}

/// A job to a picture.
fn job(args: &args::Render, format: Format, input: Input, session: &mut Session) -> Result<(), Stop> {
    let Input { name, bytes } = input;
    let file = read::text(&mut session.sources, &name, &bytes)?;
    let gpu = facade_render::job_gpu(&session.registry, args.gpu.as_deref())?;
    let profile = args.profile.as_deref().map(|name| registry::profile(gpu, Some(name))).transpose()?;
    let options = JobOptions {
        profile,
        no_limits: args.no_limits,
        notes: args.view.is_some(),
        waves: args.waves.is_some(),
    };
    let (done, problems) = facade_render::job(gpu, session.sources.get(file), &options)?;
    session.require(problems)?;
    let Some(done) = done else { return Err(Stop::Reported) };
    let bytes = facade_render::job_picture(gpu, &done, format, view(args.view)?)?;
    match args.stats {
        Some(TextFormat::Text) => session.remark(&facade_render::job_statistics(&done)),
        Some(TextFormat::Json) => session.remark(&format!("{}\n", facade_render::job_json(&done))),
        None => {}
    }
    if let (Some(path), Some(waves)) = (&args.waves, &done.waves) {
        io::write(Some(path), true, waves)?;
    }
    io::write(args.output.as_deref(), true, &bytes)
}

fn view(view: Option<args::View>) -> Result<Option<View>, Stop> {
    Ok(Some(match view {
        None => return Ok(None),
        Some(args::View::Depth) => View::Depth,
        Some(args::View::Overdraw) => View::Overdraw,
        Some(args::View::Batch) => View::Batch,
        Some(args::View::Lane) => View::Lane,
        Some(args::View::Triangle) => View::Triangle,
        Some(args::View::Miplevel) => View::Miplevel,
        Some(args::View::Vram | args::View::Tiles | args::View::Sprites | args::View::Palette) => {
            return Err(Diagnostic::error(&BAD_ARGUMENT, "this view is of VERA's memory").into());
        }
    }))
}

/// Refuses arguments that would change nothing.
fn refuse(arguments: &[(bool, &str)], why: &str) -> Result<(), Stop> {
    match arguments.iter().find(|(given, _)| *given) {
        Some((_, name)) => Err(Diagnostic::error(&BAD_ARGUMENT, format!("`{name}` {why}")).into()),
        None => Ok(()),
    }
}

/// A scene, or a job, to a picture.
pub fn render(args: &args::Render, session: &mut Session) -> Result<(), Stop> {
    let format = match &args.output {
        Some(path) if !io::is_standard(path) => Format::of_file(&path.to_string_lossy())?,
        _ => Format::Png,
    };
    let input = io::read(args.scene.as_deref(), args.stdin_name.as_deref())?;
    // No scene begins with a brace.
    if input.bytes.trim_ascii_start().starts_with(b"{") {
        refuse(
            &[(args.frame.is_some(), "--frame"), (args.size.is_some(), "--size")],
            "is for scenes, and this is a job",
        )?;
        return job(args, format, input, session);
    }
    refuse(
        &[(args.no_limits, "--no-limits"), (args.waves.is_some(), "--waves"), (args.gpu.is_some(), "--gpu")],
        "is for jobs, and this is a scene",
    )?;
    let mut scene = scene_of(input, session)?;
    if args.profile.is_some() {
        scene.profile = registry::profile(scene.gpu, args.profile.as_deref())?;
    }
    if let Some(text) = &args.size {
        let file = session.sources.add("--size", text);
        facade_render::resize(&mut scene, session.sources.get(file))?;
    }
    let view = view(args.view)?;
    let frames = facade_render::frames(&scene, args.frame)?;
    // That output would go to a terminal is reported before an hour of rendering, not after; a file is made only when
    // there is something for it.
    if args.output.is_none() {
        Output::open(None, true)?;
    }
    let bar = progress(frames.len());
    let progress = |done: u32| bar.set_position(done.into());
    let rendered = facade_render::render(&scene, frames, format, view, progress);
    bar.finish_and_clear();
    let rendered = match rendered {
        Ok(rendered) => rendered,
        Err(problems) => {
            session.report(problems);
            return Err(Stop::Reported);
        }
    };
    session.require(rendered.warnings.clone())?;
    match args.stats {
        Some(TextFormat::Text) => session.remark(&rendered.statistics()),
        Some(TextFormat::Json) => session.remark(&format!("{}\n", rendered.json())),
        None => {}
    }
    io::write(args.output.as_deref(), true, &rendered.bytes)
}

/// A bar on a terminal, nothing elsewhere, nor for a single frame.
pub fn progress(frames: usize) -> ProgressBar {
    if frames < 2 || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(frames as u64);
    match ProgressStyle::with_template("frame {pos} of {len} [{bar:30}] {eta}") {
        Ok(style) => bar.with_style(style.progress_chars("=> ")),
        Err(_) => bar,
    }
}
